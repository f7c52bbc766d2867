"""The pages of docs that benchmarks write are those of the results that are kept.

`python -m benchmarks pages` writes them anew, as where a result has become stale since. In which
rooms something has changed is left out here: that grows from day to day.
"""

import re
from pathlib import Path

import pytest

from warpmill.benchmarks.benchmark import every_benchmark

DOCS = Path(__file__).parents[2] / "docs"
ROOMS = re.compile(r"(has changed since in) [^\n|]*\.")
PAGES = {name: one for name, one in every_benchmark().items() if one.template is not None}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_of_what_is_kept(name):
    one = PAGES[name]
    found = one.kept()
    path = DOCS / f"{name}.md"
    if found is None:
        assert not path.exists()
        return
    wanted, written = one.page(found), path.read_text("utf-8")
    assert ROOMS.sub(r"\1 …", written) == ROOMS.sub(r"\1 …", wanted), "python -m benchmarks pages"


@pytest.mark.parametrize("name", PAGES)
def test_its_pictures_are_there(name):
    path = DOCS / f"{name}.md"
    text = path.read_text("utf-8") if path.exists() else ""
    named = re.findall(r"\]\(([\w/-]+\.(?:png|svg))\)", text)
    assert [place for place in named if not (DOCS / place).exists()] == []


def test_rooms_alone_are_left_out():
    stale = "Measured. Stale: what it rests on has changed since in a/b, c and 3 more."
    assert ROOMS.sub(r"\1 …", stale) == "Measured. Stale: what it rests on has changed since in …"
    fresh = "Nothing that it rests on has changed since."
    assert ROOMS.sub(r"\1 …", fresh) == fresh
