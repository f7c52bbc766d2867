"""What docs/guide/explain.md shows is what is printed; ``pytest --bless`` renews it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reference.pages import shows_what_is_printed

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "guide" / "explain.md"


@pytest.fixture
def at_the_root(monkeypatch):
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "80")


def test_the_page_shows_what_is_printed(at_the_root, capsys, request):
    shows_what_is_printed(PAGE, 2, capsys, request)
