"""docs/loops.md tells of every loop what is found now; ``pytest --bless`` renews it."""

import re
from pathlib import Path

import pytest

from tests.reference.loops_page import loops_page
from tests.reference.sample_jobs import FOLDERS, sample_loops

PAGE = Path(__file__).parents[2] / "docs" / "loops.md"
ROW = re.compile(r"^\| `(?P<counter>\w+)`(?: in `\w+`)?, line (?P<line>\d+)", re.MULTILINE)


@pytest.mark.slow
def test_the_page_tells_what_is_found(bless):
    found = loops_page()
    if bless:
        PAGE.write_text(found, encoding="utf-8")
    assert found == PAGE.read_text(encoding="utf-8")


def test_every_loop_is_on_the_page_by_hand_and_from_each_compiler():
    page = PAGE.read_text(encoding="utf-8")
    for folder in FOLDERS:
        (section,) = re.findall(rf"^## {folder.name}\n(.*?)(?=^## )", page, re.M | re.S)
        sample = sample_loops(folder)
        for kernel in sample.arguments:
            (told,) = re.findall(rf"^### {kernel}\n(.*?)(?=^### |\Z)", section, re.M | re.S)
            rows = [(row["counter"], int(row["line"])) for row in ROW.finditer(told)]
            for loop in sample.of(kernel).values():
                assert rows.count((loop.counter, loop.line["cu"])) >= 3
                assert f" | {loop.derivation} |" in told
