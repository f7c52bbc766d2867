"""Output of the command line: reports to stdout or to a file, diagnostics to stderr."""

from __future__ import annotations

import codecs
import os
import shlex
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from errno import EBADF
from pathlib import Path
from typing import TYPE_CHECKING

from warpmill.analyzer.base.diagnostics import SAID_ONCE, Diagnostic, UsageError
from warpmill.analyzer.base.whole_files import is_special, whole_file
from warpmill.report.safe import escaped

if TYPE_CHECKING:
    from warpmill.report.base import Report
    from warpmill.session.options import Output

_MOST_DIAGNOSTICS = 50

STAND_INS = "warpmill.stand_ins"
"""The name of what is done with characters that an encoding lacks."""

_INSTEAD = {
    "µ": "u", "≈": "^", "×": "x", "·": "*", "→": ">", "…": "_", "²": "2", "§": "S", "±": "+",
    "≤": "<", "≥": ">", "–": "-", "−": "-", "φ": "p", "θ": "t", "τ": "t", "━": "-", "─": "-",
    "█": "#", "│": "|",
}  # fmt: skip
"""Characters of one column each, so that tables line up; ``?`` and ``~`` are marks of figures."""


TYPED: ContextVar[Sequence[str]] = ContextVar("typed", default=())
"""The arguments of the command line that runs."""

_TAKEN: ContextVar[list[Report] | None] = ContextVar("taken", default=None)


@contextmanager
def taking() -> Iterator[list[Report]]:
    """Reports that commands emit inside are collected, and not written."""
    taken: list[Report] = []
    token = _TAKEN.set(taken)
    try:
        yield taken
    finally:
        _TAKEN.reset(token)


def emit(report: Report, to: Output) -> None:
    """Render a report and write it. UsageError where the file cannot be written."""
    taken = _TAKEN.get()
    if taken is not None:
        taken.append(report)
        return
    from warpmill.report.page import Style  # noqa: PLC0415 - only once there is a report
    from warpmill.report.text import render  # noqa: PLC0415 - only once there is a report

    colour = to.output is None and _takes_colour()
    style = Style(to.verbose, _width(), colour, to.metrics == "ncu", command_line())
    write(render(report, to.form, style), to.output)
    if to.html is not None:
        write(render(report, "html", style), to.html)


def command_line() -> str:
    """The command line that runs, as a shell takes it; "" where Python made the result."""
    typed = TYPED.get()
    return shlex.join(["warpmill", *typed]) if typed else ""


def _takes_colour() -> bool:
    """Whether stdout is a terminal that shows colours, and nobody has said NO_COLOR."""
    is_plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    return sys.stdout.isatty() and not is_plain


_WIDEST = 10_000
"""Columns from which on nothing is cut: pages are padded to them as they are made."""


def _width() -> int:
    """The columns of the terminal, or of COLUMNS; 80 where there is neither."""
    return min(max(40, shutil.get_terminal_size((80, 24)).columns), _WIDEST)


def write(text: str, output: Path | None) -> None:
    """Write a text to stdout, or to a file as a whole: readers see the old one or the new one."""
    if output is None:
        _to_stdout(text)
    else:
        write_lines([text], output)


def write_lines(lines: Iterable[str], output: Path) -> None:
    """Write pieces of a text to a file, as ``write`` does, without having them all at once."""
    try:
        with output.open("wb") if is_special(output) else whole_file(output) as file:
            file.writelines(line.encode() for line in lines)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"{output} cannot be written: {reason}") from None


def _to_stdout(text: str) -> None:
    """Write to stdout; of characters that its encoding lacks others take the place."""
    encoding = sys.stdout.encoding or "utf-8"
    with _told_write_errors():
        sys.stdout.write(text.encode(encoding, errors=STAND_INS).decode(encoding))
        sys.stdout.flush()


def _stand_in(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    return "".join(_INSTEAD.get(c, "#") for c in lacking), error.end


codecs.register_error(STAND_INS, _stand_in)


def flush_output() -> None:
    """Flush stdout where what goes wrong can be told. UsageError; BrokenPipeError passes."""
    with _told_write_errors():
        sys.stdout.flush()


@contextmanager
def _told_write_errors() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        forget_output()
        reason = "standard output is closed" if error.errno == EBADF else error.strerror or error
        raise UsageError(f"the output cannot be written: {reason}") from None


def open_streams() -> None:
    """Replace a closed stdout by one that fails as that would, and a closed stderr."""
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w", encoding="utf-8")


def forget_output() -> None:
    """Point stdout at nothing, so that Python does not complain again when it closes it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def tell(line: str) -> None:
    """Announce on stderr what is about to happen."""
    sys.stderr.write(escaped(line) + "\n")
    sys.stderr.flush()


def print_diagnostics(diagnostics: Iterable[Diagnostic]) -> None:
    """Write diagnostics to stderr, those that are alike once, and not without end."""
    different: dict[str, str] = {}
    for d in diagnostics:
        different.setdefault(d.message if d.kind == SAID_ONCE else str(d), str(d))
    lines = list(different.values())
    for line in lines[:_MOST_DIAGNOSTICS]:
        sys.stderr.write(escaped(line) + "\n")
    if len(lines) > _MOST_DIAGNOSTICS:
        sys.stderr.write(f"and {len(lines) - _MOST_DIAGNOSTICS} more\n")


@contextmanager
def working(what: str) -> Iterator[None]:
    """Show on a terminal that something takes long: after two seconds, until it is done."""
    if not sys.stderr.isatty():
        yield
        return
    from warpmill.cli.progress import Spinner  # noqa: PLC0415 - only where somebody looks

    spinner = Spinner(what)
    try:
        yield
    finally:
        spinner.stop()
