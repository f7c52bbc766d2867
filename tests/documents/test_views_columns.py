"""Tables that are too wide: which columns become narrower, and where their texts are broken."""

import random
import re

import pytest

from warpmill.cli.main import main
from warpmill.report.page import Page, Style
from warpmill.report.text import NARROW, ROOMY, PageColumn, folded, page_text, widths_of

SENTENCE = "many words that say something of it, one after another, until it is enough"


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("a b", 3, ["a b"]),
        ("lattice-Boltzmann flow", 16, ["lattice-", "Boltzmann flow"]),
        ("lattice-Boltzmann flow", 17, ["lattice-Boltzmann", "flow"]),
        ("see include/cuda/__device/arch.h sm_80", 14, ["see include/", "cuda/__device/",
                                                        "arch.h sm_80"]),
        ("ns::vector<float>::size", 12, ["ns::", "vector<float", ">::size"]),
        ("0123456789", 4, ["0123", "4567", "89"]),
        ("  indented text", 10, ["  indented", "text"]),
        ("one\ntwo three", 5, ["one", "two", "three"]),
        ("宽字宽字", 5, ["宽字", "宽字"]),
        ("", 3, [""]),
    ],
)  # fmt: skip
def test_texts_are_broken_between_words_then_after_signs(text, width, lines):
    assert folded(text, width).split("\n") == lines


def test_sentences_become_narrower_first_and_numbers_last():
    name = PageColumn("name", ["convolution-separable"], is_words=True)
    words = PageColumn("what", [SENTENCE], is_words=True, is_first=True)
    number = PageColumn("µs", ["1,234,567"], is_words=False)
    assert widths_of([name, number, words], 200) == [21, 9, len(SENTENCE)]
    assert widths_of([name, number, words], 60) == [21, 9, 30]
    assert widths_of([name, number, words], 44) == [21, 9, 14]  # a name is no sentence
    assert widths_of([name, number, words], 38) == [19, 9, NARROW]
    source = PageColumn("from", ["inherited from v100"], is_words=True)
    assert widths_of([source, number, words], 32) == [13, 9, NARROW]
    path = PageColumn("where", ["include/cuda/__device/arch.h"], is_words=True, is_first=True)
    assert widths_of([source, number, path], 38) == [9, 9, ROOMY]
    assert widths_of([source, number, words], 20)[1] < 9  # where nothing else is left


def test_a_heading_of_several_words_is_broken_before_names_are():
    key = PageColumn("key", ["shared.reserved_per_block_bytes"], is_words=True)
    number = PageColumn("as it was announced", ["12"], is_words=False)
    assert widths_of([key, number], 45) == [31, 14]
    assert folded("as it was announced", 14) == "as it was\nannounced"


def test_tables_fit_and_lose_nothing():
    rng = random.Random(7)
    signs = "abcdefgh _/-.,:"
    for _ in range(200):
        columns = rng.randint(1, 6)
        rows = [
            ["".join(rng.choices(signs, k=rng.choice((0, 3, 12, 60)))) for _ in range(columns)]
            for _ in range(rng.randint(1, 4))
        ]
        left = [n for n in range(columns) if rng.random() < 0.6]
        wrap = [n for n in range(columns) if rng.random() < 0.3]
        width = rng.randint(40, 90)
        page = Page(Style(width=width))
        page.table(["x"] * columns, rows, left, wrap=wrap)
        shown = page_text(page)
        assert max(map(len, shown.splitlines())) <= width
        letters = sorted(re.sub(r"\s", "", "".join(map("".join, rows)) + "x" * columns))
        assert sorted(re.sub(r"\s", "", shown)) == letters


def test_headings_stand_on_their_rows_and_cells_of_several_lines_beside_each_other():
    page = Page(Style(width=40, colour=True))
    page.table(
        ["what", "as it was announced"], [["宽字 " * 12, "1\n22"]], wrap=(0,), widths=(20, 12)
    )
    assert page_text(page).splitlines() == [
        "  \x1b[2m                         as it was\x1b[0m",
        "  \x1b[2mwhat                     announced\x1b[0m",
        "  宽字 宽字 宽字 宽字              1",
        "  宽字 宽字 宽字 宽字             22",
        "  宽字 宽字 宽字 宽字",
    ]


def test_facts_and_lists_break_paths_after_signs():
    page = Page(Style(width=40))
    page.facts([("name", "libcudacxx/include/cuda/__device/arch_traits.h")])
    page.items(["libcudacxx/include/cuda/__device/arch_traits.h"])
    assert page_text(page).splitlines() == [
        "  name  libcudacxx/include/cuda/__",
        "        device/arch_traits.h",
        "  · libcudacxx/include/cuda/__device/",
        "    arch_traits.h",
    ]


def test_long_names_of_facts_leave_room_for_their_values():
    page = Page(Style(width=40))
    page.facts([("executed instructions of all SMs", "1,234"), ("cycles", "5")])
    assert page_text(page).splitlines() == [
        "  executed          1,234",
        "  instructions of",
        "  all SMs",
        "  cycles            5",
    ]


@pytest.mark.parametrize(
    ("words", "whole"),
    [
        (["samples", "list"], ["convolution-separable ", "lattice-\n", "   Boltzmann flow\n"]),
        (
            ["machines", "show", "a100", "--verbose"],
            ["libcudacxx/include/\n", "max_threads_per_block "],
        ),
        (["machines", "diff", "v100", "a100"], ["shared.reserved_per_block_bytes  "]),
    ],
)
def test_names_and_words_stay_whole_at_80_columns(words, whole, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert main(words) == 0
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) <= 80
    for one in whole:
        assert one in shown
