"""The walkthrough's commands print what the walkthrough says; ``pytest --bless`` renews it.

Outputs stand in fenced blocks: ``console`` blocks hold ``$ warpmill …`` and what it prints,
``python`` blocks are followed by a ``text`` block with what they print.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "walkthrough.md"

CONSOLE = re.compile(r"```console\n\$ (?P<command>(?:.*\\\n)*.*)\n(?P<output>(?:(?!```).*\n)*)```")
PYTHON = re.compile(
    r"```python\n(?P<code>(?:(?!```).*\n)*)```\n\n```text\n(?P<output>(?:(?!```).*\n)*)```"
)


def _run(arguments: list[str]) -> str:
    environment = os.environ | {"COLUMNS": "100", "NO_COLOR": "1"}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return "\n".join(line.rstrip() for line in done.stdout.splitlines()) + "\n"


def _console(match: re.Match[str]) -> str:
    command = match["command"]
    words = shlex.split(command.replace("\\\n", " "))
    assert words[0] == "warpmill"
    return f"```console\n$ {command}\n{_run(['-m', 'warpmill', *words[1:]])}```"


def _python(match: re.Match[str]) -> str:
    return f"```python\n{match['code']}```\n\n```text\n{_run(['-c', match['code']])}```"


def test_the_walkthrough_shows_what_is_printed(request: pytest.FixtureRequest) -> None:
    written = PAGE.read_text(encoding="utf-8")
    assert len(CONSOLE.findall(written)) >= 5
    renewed = PYTHON.sub(_python, CONSOLE.sub(_console, written))
    if request.config.getoption("--bless"):
        PAGE.write_text(renewed, encoding="utf-8")
    assert renewed == PAGE.read_text(encoding="utf-8")
