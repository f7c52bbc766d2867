"""The house can be entered: its figures, and the picture that CONTRIBUTING opens with."""

import ast
import fnmatch
import re

import pytest

from tools.house import (
    BEGIN,
    END,
    PAGE,
    ROOT,
    copied_in,
    entered_by_estimate,
    figures,
    page,
    picture,
    read_house,
)  # fmt: skip

MOST = {
    "single_importer_modules": 66,
    "circles": 0,
    "run_time_circles": 0,
    "sample_lines": 90_000,
    "bare_imports": 0,
    "longest_parameter_list": 8,
    "view_lines": 24_600,
    "fields_copied_by_hand": 0,
    "files_entered_estimate": 156,
    "labels_outside_words": 0,
}
"""What each figure is at most: lower a number where the house has become simpler."""


@pytest.fixture(scope="module")
def house():
    return read_house()


def test_the_house_is_no_harder_to_enter(house):
    found, rows = figures(house)
    rows["files_entered_estimate"] = entered_by_estimate(house)
    found["files_entered_estimate"] = len(rows["files_entered_estimate"])
    beyond = {k: (found[k], rows.get(k)) for k, most in MOST.items() if found[k] > most}
    assert beyond == {}


@pytest.mark.parametrize(
    ("text", "copied"),
    [
        ("Facts(time=found.time)", ["1 time"]),
        ("time = found.time\nFacts(time=time)", ["2 time"]),
        ("t = found.best.time\nFacts(time=t)", ["2 time"]),
        ("name, (t, c) = a.name, (b.time, b.cost)\nFacts(time=t, cost=c)", ["2 cost", "2 time"]),
        ("[time, cost] = found.time, 2\nFacts(time=time, cost=cost)", ["2 time"]),
        ("if (t := found.time):\n    Facts(time=t)", ["2 time"]),
        ("t: float = found.time\ndef f():\n    return Facts(time=t)", ["3 time"]),
        ("def f():\n    t = found.time\ndef g(t):\n    return Facts(time=t)", []),
        ("typer.Option(help=own.help)", []),
        ("Facts(**vars(found))", ["1 **vars(found)"]),
        ("time = found.cycles / clock\nFacts(time=time, cycles=found.count)", []),
        ("t = found.time\nFacts(t=t, time=2 * t)\nreplace(facts, time=t)", []),
    ],
)
def test_fields_are_copied_by_hand_where_an_object_takes_them_from_one_of_the_same_name(
    text, copied
):
    assert sorted(copied_in(ast.parse(text))) == copied


def test_the_picture_is_that_of_the_imports(house, bless):
    text = PAGE.read_text("utf-8")
    drawn = page(text, picture(house))
    if bless:
        PAGE.write_text(drawn, "utf-8")
    assert drawn == PAGE.read_text("utf-8"), "python -m tools.house --picture draws it anew"


def test_a_picture_is_drawn_between_its_marks():
    text = f"above\n{BEGIN}old\n{END}below\n"
    assert page(text, "new\n") == f"above\n{BEGIN}\nnew\n\n{END}below\n"


def test_the_page_of_the_executor_names_modules_that_there_are():
    table = (ROOT / "docs/executor.md").read_text("utf-8").partition("| module | what |")[2]
    rows = re.findall(r"^\| (`[^|]*) \|", table.partition("\n\n")[0], re.M)
    named = [name.rstrip("/") for row in rows for name in re.findall(r"`([^`]+)`", row)]
    there = {path.stem for path in (ROOT / "executor").rglob("*") if path.name != "__pycache__"}
    gone = [name for name in named if not fnmatch.filter(there, name)]
    assert named
    assert gone == []
