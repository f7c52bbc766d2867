"""Markdown for pull requests: the answer, one table, one line of provenance."""

from __future__ import annotations

import re

import pytest

from warpmill.cli.main import main
from warpmill.report.base import Report
from warpmill.report.page import Page, Style
from warpmill.report.text import markdown
from warpmill.version import __version__

VECADD = "samples/vecadd/launch.toml"


def of(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert main([*words, "--format", "md"]) == 0
    return capsys.readouterr().out


def test_it_has_the_answer_one_table_and_the_command(capsys):
    words = ["estimate", VECADD, "--size", "n=4096", "--machine", "a100,v100"]
    text = of(words, capsys)
    parts = text.rstrip().split("\n\n")
    assert parts[0] == "## estimate: vecadd"
    assert all(line.startswith("- ") and "bound by" in line for line in parts[1].splitlines())
    assert [part for part in parts if part.startswith("###")] == ["### GPU Speed of Light"]
    (table,) = [part for part in parts if part.startswith("|")]
    assert table.splitlines()[0] == "|  | a100 | v100 |"
    assert parts[-1] == f"*warpmill {__version__}*: `warpmill {' '.join(words)} --format md`"
    whole = of([*words, "--verbose"], capsys)
    assert len(whole) > 2 * len(text)
    assert "### Occupancy" in whole


def test_facts_become_the_table(capsys):
    text = of(["estimate", VECADD, "--size", "n=4096", "--machine", "a100"], capsys)
    assert re.search(r"^\| Duration \(µs\) \| +[\d.]+ \|$", text, re.MULTILINE)
    assert len(re.findall(r"^\| :?-", text, re.MULTILINE)) == 1


def test_ticks_in_a_command_do_not_end_it():
    page = Page(Style(command="warpmill run 'a``b`.py'"))
    page.title("run")
    last = markdown(page, Report(report="run")).splitlines()[-1]
    assert last.endswith(": ```warpmill run 'a``b`.py'```")


def test_a_page_without_headings_is_shown_as_it_is():
    page = Page(Style())
    page.title("a | b")
    page.line("said")
    page.facts([("what", "left out")])
    text = markdown(page, Report(report="run"))
    assert text == f"## a \\| b\n\nsaid\n\n*warpmill {__version__}*\n"


def test_a_page_of_parts_has_one_title(capsys):
    words = ["report", "bfs:tiny", "--machine", "a100", "--without", "what-if,simulate,dfsg"]
    titles = re.findall(r"^## .*", of(words, capsys), re.MULTILINE)
    assert titles == ["## bfs:tiny on a100"]
