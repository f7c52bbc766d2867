"""What docs/guide/explore.md shows is what is printed; ``pytest --bless`` renews it."""

import re
from pathlib import Path

import pytest

from tests.reference.pages import codes, shows_what_is_printed
from warpmill.exploring.evaluation import FIGURES
from warpmill.exploring.space_file import shipped_spaces, space_called

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "guide" / "explore.md"


@pytest.mark.slow
def test_the_page_shows_what_is_printed(beside_samples, capsys, request):
    shows_what_is_printed(PAGE, 2, capsys, request)


def test_its_python_runs(beside_samples, capsys):
    known = {}
    for code in codes(PAGE):
        exec(code, known)
    assert capsys.readouterr().out == "('simd',) 2 True\n20\n60\nTrue True False\n"


def test_its_space_file_is_one(tmp_path):
    text, software = re.findall(r"```toml\n((?:(?!```).*\n)*)```", PAGE.read_text("utf-8"))
    (tmp_path / "space.toml").write_text(text)
    space = space_called(tmp_path / "space.toml")
    assert [each.name for each in space.parameters] == ["sms", "threads", "registers", "simd"]
    assert space.design.count == (4 + 3) * 3 * 2  # 132 SMs are too wide with 64 lanes
    assert space.logarithms == ("registers",)
    (tmp_path / "software.toml").write_text(software)
    space = space_called(tmp_path / "software.toml")
    assert space.software({"threads": 64, "n": 65536, "sms": 54}) == {"block": 64, "size n": 65536}


def test_figures_and_spaces_are_those_that_there_are():
    text = PAGE.read_text("utf-8")
    assert [name for name in FIGURES if f"`{name}`" not in text] == []
    for name in shipped_spaces():
        assert f"`{name}`" in text
        assert f"({space_called(name).design.count:,} points" in text
