"""Asking ptxas, where one is installed, what it makes of a PTX file."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

from warpmill.analyzer.base.diagnostics import (
    Diagnostic,
    InputError,
    LimitError,
    Severity,
    Source,
    Span,
    UsageError,
    at,
)
from warpmill.analyzer.base.whole_files import temporary_folder
from warpmill.analyzer.machine_code.binaries import Cubin, read_cubin

TIME_LIMIT_S = 120.0
"""How long one run may take."""

_MOST_ERRORS = 5
_LOCATED = re.compile(r"line (?P<line>\d+); (?:error|fatal)\s*: *(?P<words>.*)")
_UNLOCATED = re.compile(r"(?:error|fatal)\s*: *(?P<words>.*)")


def assemble(source: Source, kernel: str, architecture: str) -> Cubin:
    """Machine code of one kernel for ``architecture`` (``sm_80``), made by ptxas.

    ``source`` holds the PTX. UsageError where there is no ptxas on PATH, InputError with what
    ptxas says where it rejects the text, LimitError after ``TIME_LIMIT_S``.
    """
    tool = shutil.which("ptxas")
    if tool is None:
        raise UsageError("--ptxas: there is no ptxas on PATH; give --regs or --cubin, or neither")
    with temporary_folder() as folder:
        text, cubin = Path(folder, "kernel.ptx"), Path(folder, "kernel.cubin")
        text.write_text(source.text, encoding="utf-8")
        command = [tool, f"-arch={architecture}", "-e", kernel, str(text), "-o", str(cubin)]
        done = _run(command, source.name, folder)
        if done.returncode != 0:
            raise InputError(*_complaints(done.stdout + done.stderr, source, architecture))
        return read_cubin(cubin, f"what ptxas makes of {source.name}")


def _run(command: list[str], file: str, folder: Path) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            command,
            capture_output=True,
            check=False,
            cwd=folder,
            encoding="utf-8",
            errors="replace",
            stdin=subprocess.DEVNULL,
            timeout=TIME_LIMIT_S,
        )
    except subprocess.TimeoutExpired:
        words = f"--ptxas: ptxas took more than {TIME_LIMIT_S:.0f} s; give --regs instead"
        raise LimitError(Diagnostic(Severity.ERROR, words, file)) from None
    except OSError as error:
        raise UsageError(
            f"--ptxas: {command[0]} cannot be run: {error.strerror or error}"
        ) from None


def _complaints(output: str, source: Source, architecture: str) -> list[Diagnostic]:
    """Turn ptxas's messages into diagnostics that point into the PTX where they name a line."""
    located, others = [], []
    for line in output.splitlines():
        if match := _LOCATED.search(line):
            number = int(match["line"])
            span = Span(number, 1, len(source.line(number)) + 1)
            words = f"ptxas says: {match['words']}"
            located.append(at(source, span, Severity.ERROR, words))
        elif match := _UNLOCATED.search(line):
            others.append(_unlocated(source.name, f"ptxas says: {match['words']}"))
    # after located errors, the others only say that there were some
    found = located or others or [_unlocated(source.name, f"ptxas fails for {architecture}")]
    return found[:_MOST_ERRORS]


def _unlocated(file: str, words: str) -> Diagnostic:
    return Diagnostic(Severity.ERROR, words, file)
