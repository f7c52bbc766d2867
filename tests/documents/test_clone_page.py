"""What docs/guide/clone.md shows is what is printed; ``pytest --bless`` renews it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reference.pages import codes, shows_what_is_printed
from warpmill.cloning.clone import clone
from warpmill.cloning.files import SMALL, folder_of
from warpmill.cloning.options import MAX_ERROR, CloneOptions
from warpmill.session.options import LaunchOptions

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "guide" / "clone.md"


@pytest.mark.slow
def test_the_page_shows_what_is_printed(beside_samples, capsys, request):
    shows_what_is_printed(PAGE, 2, capsys, request)


def test_its_python_runs(beside_samples, capsys):
    (code,) = codes(PAGE)
    exec(code, {})
    first, second = capsys.readouterr().out.splitlines()
    original, cloned, difference = first.split()
    off = float(cloned) / float(original) - 1
    assert float(difference.rstrip("%")) / 100 == pytest.approx(off, abs=0.01)
    assert second.startswith("(CloneLoop(header=")


def test_its_files_and_numbers_are_those_of_the_code(beside_samples):
    text = " ".join(PAGE.read_text("utf-8").split())
    made = folder_of(clone("samples/vecadd/launch.toml", launch=LaunchOptions(sizes={"n": 256})))
    rows = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| `")]
    assert [row.split("`")[1] for row in rows][: len(made.files)] == list(made.files)
    assert f"`--max-error` ({MAX_ERROR:.0%})" in text
    assert f"numbers below {SMALL:,}" in text
    assert f"(`--min-instructions`, {CloneOptions().min_instructions} of a warp)" in text
