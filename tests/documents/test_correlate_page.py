"""What docs/guide/correlate.md shows is what is printed; ``pytest --bless`` renews it."""

from __future__ import annotations

from pathlib import Path

from tests.reference.pages import codes, shows_what_is_printed
from warpmill.measurements.columns import ROLES
from warpmill.measurements.counters import counter_kinds

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "guide" / "correlate.md"


def test_the_page_shows_what_is_printed(at_the_root, capsys, request):
    shows_what_is_printed(PAGE, 2, capsys, request)


def test_its_python_runs(at_the_root, capsys):
    (code,) = codes(PAGE)
    exec(code, {})
    *groups, worst = (line.split() for line in capsys.readouterr().out.splitlines())
    assert [group[0] for group in groups] == ["v100", "a100", "t4", "None"]
    assert all(0 < float(error) < 2 and -1 <= float(tau) <= 1 for _, error, tau in groups)
    assert int(worst[0]) in range(4, 28)


def test_the_times_of_the_example_say_that_no_gpu_was_measured():
    for name in ("simulated_times.csv", "simulated_ncu.csv"):
        head = (ROOT / "samples" / name).read_text("utf-8").split("\n")[:2]
        assert all(line.startswith("#") for line in head)
        assert "No GPU was measured" in " ".join(head)


def test_every_kind_of_column_is_explained():
    text = PAGE.read_text("utf-8")
    for name, kind in counter_kinds().items():
        assert f"| `{name}` | `{kind.metric}`" in text
    for role in ROLES:
        assert f"`{role}`" in text or role[-2:] in ("_x", "_y", "_z")
