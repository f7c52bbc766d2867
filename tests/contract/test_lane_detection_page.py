"""docs/lane-detection.md shows what is printed, and its tables are those of the kept result."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchmarks import lane_detection
from benchmarks.keeping import kept
from benchmarks.lane_detection_parts import page as lane_page
from tests.reference.pages import shows_what_is_printed

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "lane-detection.md"


@pytest.mark.slow
def test_the_page_shows_what_is_printed(alone, capsys, request):
    shows_what_is_printed(PAGE, 1, capsys, request)


def test_its_tables_are_of_the_kept_result():
    text = PAGE.read_text("utf-8")
    (shown,) = re.findall(r"```console\n\$ .*\n((?:(?!```).*\n)*)```", text)
    result = kept(lane_detection.NAME)
    assert result is not None
    assert lane_page.page(result, shown) == text
    assert (DOCS / "lane-detection" / "figure_4.png").exists()
