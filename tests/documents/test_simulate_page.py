"""What docs/guide/simulate.md shows is what is printed; ``pytest --bless`` renews it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reference.pages import codes, shows_what_is_printed
from warpmill.simulator.resources import SIMULATED_STATES, WARP_STATES

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "guide" / "simulate.md"


def test_the_page_shows_what_is_printed(at_the_root, capsys, request):
    shows_what_is_printed(PAGE, 1, capsys, request)


@pytest.mark.slow
def test_its_python_runs(at_the_root, capsys):
    (code,) = codes(PAGE)
    exec(code, {})
    cycles, ipc, hits = map(float, capsys.readouterr().out.split())
    assert cycles > 0
    assert ipc > 0
    assert 0 < hits <= 1


def test_every_reason_is_explained():
    text = PAGE.read_text("utf-8")
    table = text[
        text.index("| reason | key in data | the warp waits |") : text.index("**Source counters.**")
    ]
    for reason in SIMULATED_STATES:
        assert f"| {WARP_STATES[reason]} | `{reason}` |" in table
