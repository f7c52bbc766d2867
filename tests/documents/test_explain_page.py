"""What docs/guide/explain.md shows is what is printed; ``pytest --bless`` renews it."""

from __future__ import annotations

from pathlib import Path

from tests.reference.pages import shows_what_is_printed

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "guide" / "explain.md"


def test_the_page_shows_what_is_printed(at_the_root, capsys, request):
    shows_what_is_printed(PAGE, 2, capsys, request)
