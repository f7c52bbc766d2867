"""What docs/guide/profile.md shows is what is printed; ``pytest --bless`` renews it."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from warpmill.cli.main import main

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "guide" / "profile.md"
CONSOLE = re.compile(r"```console\n\$ warpmill (?P<command>.*)\n(?P<output>(?:(?!```).*\n)*)```")
PYTHON = re.compile(r"```python\n(?P<code>(?:(?!```).*\n)*)```")


@pytest.fixture
def beside_the_page(tmp_path, monkeypatch):
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


def codes():
    return [match["code"] for match in PYTHON.finditer(PAGE.read_text("utf-8"))]


def test_the_page_shows_what_is_printed(beside_the_page, capsys, request):
    written = PAGE.read_text("utf-8")
    (collector,) = (code for code in codes() if "class WrittenLines" in code)
    assert len([line for line in collector.splitlines() if line]) <= 12
    (beside_the_page / "written_lines.py").write_text(collector)

    def printed(match):
        assert main(shlex.split(match["command"])) == 0
        return f"```console\n$ warpmill {match['command']}\n{capsys.readouterr().out}```"

    assert len(CONSOLE.findall(written)) == 2
    renewed = CONSOLE.sub(printed, written)
    if request.config.getoption("--bless"):
        PAGE.write_text(renewed, "utf-8")
    assert renewed == PAGE.read_text("utf-8")


def test_its_python_runs(beside_the_page, capsys):
    (code,) = (code for code in codes() if "warpmill.profile(" in code)
    exec(code, {})
    assert "bra" in capsys.readouterr().out
