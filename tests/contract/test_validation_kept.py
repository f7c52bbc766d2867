"""docs/validation.md is what the results give that are kept, whether they are fresh or not."""

import re
from pathlib import Path

import pytest

from benchmarks import validation
from benchmarks.validation_parts.page import page

PAGE = Path(__file__).parents[2] / "docs" / "validation.md"
STATE = re.compile(r"(Fresh: no|Older than the sources: \d+) files? that it rests on (has|have)")
OF_SILICON = ("", "Against silicon")
"""Sections that change while ``benchmarks.accuracy`` goes through its data sets: the sums, too."""


def sections(text):
    """Sections by title, without whether results are fresh: sources change from day to day."""
    text = STATE.sub("(state)", text).replace("within, not fresh", "reached")
    parts = re.split(r"^## ", text, flags=re.MULTILINE)
    return {"": parts[0], **{one.partition("\n")[0]: one for one in parts[1:]}}


@pytest.mark.slow
def test_the_page_is_of_what_is_kept():
    results = validation.kept_results()
    wanted, written = sections(page(results)), sections(PAGE.read_text("utf-8"))
    assert list(wanted) == list(written)
    for title, text in wanted.items():
        if title in OF_SILICON and _is_being_measured(results["accuracy"]):
            continue
        assert written[title] == text


def _is_being_measured(accuracy):
    return accuracy is not None and any(own["unfinished"] for own in accuracy["by_engine"].values())


def test_whether_results_are_fresh_is_left_out_and_nothing_else():
    fresh = "Fresh: no file that it rests on has changed since."
    older = "Older than the sources: 84 files that it rests on have changed since."
    assert sections(fresh) == sections(older) == {"": "(state) changed since."}
    assert sections("| 5.0 | reached |") == sections("| 5.0 | within, not fresh |")
    assert sections("| 5.0 | reached |") != sections("| 5.0 | MISSED |")
    assert sections("a\n## b\n\nc") == {"": "a\n", "b": "b\n\nc"}
