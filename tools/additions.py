"""What must be touched to add a command, or an option: a made-up one, added to a copy.

    python -m tools.additions FOLDER    make the copy with both, to look at

The copy has `warpmill/` and what the tests of commands read; the other rooms are links.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from warpmill.studies.sources import ROOMS

ROOT = Path(__file__).resolve().parents[1]

COMMAND: Mapping[str, str] = {
    "warpmill/commands/lines/__init__.py": '''"""``warpmill lines``."""

from warpmill.report.manifest import CommandEntry, ResultKind

COMMAND = CommandEntry(
    "lines",
    "Count the lines of a file.",
    group="Read a kernel",
    place=9,
    examples={
        "": (
            "warpmill lines samples/vecadd/vecadd.sm_80.ptx",
            "warpmill lines samples/vecadd/vecadd.sm_80.ptx --format json",
        ),
    },
    kinds=(
        ResultKind(
            "lines",
            "result:LinesReport",
            page="warpmill.report.plain_page:plain_page",
            table="result:LINES",
        ),
    ),
)
''',
    "warpmill/commands/lines/command.py": '''"""``warpmill lines``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from warpmill.analyzer.base.opt import Arg
from warpmill.cli.output import emit
from warpmill.session.options import Output

File = Annotated[Path, Arg("A text file.", metavar="FILE")]


def lines(file: File, output: Output) -> None:
    """Count the lines of a file."""
    from warpmill.commands.lines import result  # noqa: PLC0415 - numpy is slow to load

    emit(result.lines(file), output)
''',
    "warpmill/commands/lines/result.py": '''"""What ``lines`` answers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, ClassVar, Literal

from warpmill.analyzer.base.metric import Mark, Metric
from warpmill.report.base import Report
from warpmill.report.plain_page import plain_table


class LinesReport(Report):
    """The lines of a file."""

    mark: ClassVar[Mark] = Mark.EXACT

    report: Literal["lines"] = "lines"
    file: Annotated[str, Metric("file")]
    lines: Annotated[int, Metric("lines")]
    blank: Annotated[int, Metric("blank lines")]


LINES = plain_table(LinesReport)


def lines(file: str | Path) -> LinesReport:
    """The lines of a file, counted."""
    texts = Path(file).read_text("utf-8").splitlines()
    blank = sum(not text.strip() for text in texts)
    return LinesReport(file=str(file), lines=len(texts), blank=blank)
''',
    "docs/guide/lines.md": """# warpmill lines

Counts the lines of a file.

```console
warpmill lines samples/vecadd/vecadd.sm_80.ptx
warpmill lines samples/vecadd/vecadd.sm_80.ptx --format json
```

The CSV has the columns `file`, `lines` and `blank`; the schema is [lines](../schemas/lines.json).
""",
    "tests/commands/test_lines.py": '''"""The lines of a file."""

import warpmill


def test_blank_lines_are_counted(tmp_path):
    (tmp_path / "a").write_text("x\\n\\n y\\n")
    found = warpmill.lines(tmp_path / "a")
    assert (found.lines, found.blank) == (3, 1)
''',
}
"""A made-up command: all that a person writes for it, by path. Its schema is made by a command."""

SCHEMA = "docs/schemas/lines.json"

OPTION = (
    "warpmill/session/options.py",
    "class EstimateOptions:",
    '    mode: Annotated[\n        Literal["waves", "eq8"],',
    '    extra: Annotated[int, Opt("A made-up option.", metavar="N", least=1)] = 7\n',
)
"""A made-up option: the file, the class in it, the field that it stands before, and the option."""

OPTION_PAGE = ("docs/guide/estimate.md", "\n`--extra N` is made up.\n")


def copy_to(folder: Path) -> Path:
    """A copy of the project that can be changed: the rooms beside ``warpmill/`` are links."""
    ignore = shutil.ignore_patterns("__pycache__", *ROOMS)
    shutil.copytree(ROOT / "warpmill", folder / "warpmill", ignore=ignore)
    for room in ROOMS:
        (folder / "warpmill" / room).symlink_to(ROOT / room)
    for name in ("docs/guide", "docs/schemas"):
        shutil.copytree(ROOT / name, folder / name)
    (folder / "samples").symlink_to(ROOT / "samples")
    for name in ("pyproject.toml", "tests/conftest.py", *TESTS):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    return folder


TESTS = (
    "tests/commands/test_cli_formats.py",
    "tests/commands/test_cli_examples.py",
    "tests/commands/test_cli_help.py",
)
"""Tests that walk the commands."""


def add_command(copy: Path) -> list[str]:
    """Add the made-up command to a copy; the files that were touched."""
    for name, text in COMMAND.items():
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / name).write_text(text, "utf-8")
    run(copy, "-m", "warpmill", "schema", "lines", "--output", SCHEMA)
    return [*COMMAND, SCHEMA]


def add_option(copy: Path) -> list[str]:
    """Add the made-up option to a copy; the files that were touched."""
    name, owner, before, field = OPTION
    page, told = OPTION_PAGE
    head, found, rest = (copy / name).read_text("utf-8").partition(owner)
    assert found and before in rest, f"{name} has no {owner}"
    (copy / name).write_text(head + found + rest.replace(before, field + before, 1), "utf-8")
    (copy / page).write_text((copy / page).read_text("utf-8") + told, "utf-8")
    return [name, page]


def run(copy: Path, *words: str) -> str:
    """What Python prints with a copy's modules. RuntimeError where it fails."""
    environment = {**os.environ, "PYTHONPATH": str(copy), "NO_COLOR": "1"}
    done = subprocess.run(
        [sys.executable, *words],
        cwd=copy,
        env=environment,
        check=False,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(words)[:80]}\n{done.stdout}{done.stderr}")
    return done.stdout


def figures() -> dict[str, int]:
    """How many files a person touches or makes for a command, and for an option.

    Tests add both to a copy and see that nothing else is needed.
    """
    return {
        "files_to_add_a_command": len({*COMMAND, SCHEMA}),
        "files_to_add_an_option": len({OPTION[0], OPTION_PAGE[0]}),
    }


if __name__ == "__main__":
    made = copy_to(Path(sys.argv[1]))
    print(*add_command(made), *add_option(made), sep="\n")
