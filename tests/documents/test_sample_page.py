"""What docs/guide/sample.md shows is what is printed; ``pytest --bless`` renews it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reference.pages import codes, shows_what_is_printed
from warpmill.sampling.methods import METHODS
from warpmill.simulator.sampling.gtpin import DIVISIONS, FEATURES

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "guide" / "sample.md"


@pytest.mark.slow
def test_the_page_shows_what_is_printed(beside_samples, capsys, request):
    shows_what_is_printed(PAGE, 4, capsys, request)


@pytest.mark.slow
def test_its_python_runs(beside_samples, capsys):
    (code,) = codes(PAGE)
    exec(code, {})
    first, second = capsys.readouterr().out.splitlines()
    assert len(first.split()) == 3
    assert second == "True"


def test_it_names_all_methods_divisions_and_features():
    text = PAGE.read_text("utf-8")
    assert [word for word in (*METHODS, *DIVISIONS, *FEATURES) if f"`{word}`" not in text] == []
