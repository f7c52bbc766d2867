"""What docs/guide/simulate.md shows is what is printed; ``pytest --bless`` renews it."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from simulator.gpu.fields import REASONS
from warpmill.cli.main import main

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "guide" / "simulate.md"
CONSOLE = re.compile(r"```console\n\$ warpmill (?P<command>.*)\n(?P<output>(?:(?!```).*\n)*)```")
PYTHON = re.compile(r"```python\n(?P<code>(?:(?!```).*\n)*)```")


@pytest.fixture
def at_the_root(monkeypatch):
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "80")


def test_the_page_shows_what_is_printed(at_the_root, capsys, request):
    written = PAGE.read_text("utf-8")

    def printed(match):
        assert main(shlex.split(match["command"])) == 0
        return f"```console\n$ warpmill {match['command']}\n{capsys.readouterr().out}```"

    assert len(CONSOLE.findall(written)) == 1
    renewed = CONSOLE.sub(printed, written)
    if request.config.getoption("--bless"):
        PAGE.write_text(renewed, "utf-8")
    assert renewed == PAGE.read_text("utf-8")


def test_its_python_runs(at_the_root, capsys):
    (match,) = PYTHON.finditer(PAGE.read_text("utf-8"))
    exec(match["code"], {})
    cycles, ipc, hits = map(float, capsys.readouterr().out.split())
    assert cycles > 0
    assert ipc > 0
    assert 0 < hits <= 1


def test_every_reason_is_explained():
    text = PAGE.read_text("utf-8")
    table = text[text.index("| reason | the warp waits |") : text.index("**Lines.**")]
    for reason in REASONS:
        assert f"`{reason}`" in table
