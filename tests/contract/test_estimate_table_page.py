"""docs/estimate_table.md is of the kept result, and its kernels are all of the paper's table."""

from __future__ import annotations

import re
from pathlib import Path

from benchmarks import estimate_table
from benchmarks.estimate_table_parts import page

PAGE = Path(__file__).parents[2] / "docs" / "estimate_table.md"
OF_THE_PAPER = 306_558
"""Configurations of all 20 kernels (hybrid-estimation §V-B-1)."""


def test_the_page_is_of_the_kept_result():
    assert page.page(estimate_table._kept()) == PAGE.read_text("utf-8")


def test_its_kernels_have_as_many_configurations_as_the_papers():
    (table,) = re.findall(
        r"\| application \| kernel .*\n\| --- .*\n((?:\|.*\n)+)", PAGE.read_text("utf-8")
    )
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()]
    assert len(rows) == 20
    assert sum(int(row[2].replace(",", "")) for row in rows) == OF_THE_PAPER
