"""Asking ptxas, where one is installed, what it makes of a PTX file: registers, spills, memory."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
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
from warpmill.analyzer.base.metric import Metric
from warpmill.analyzer.base.whole_files import temporary_folder, user_cache, write_whole
from warpmill.analyzer.machine_code.cubins import Cubin, KernelResources, read_cubin

TIME_LIMIT_S = 120.0
"""How long one run may take."""

FIGURES = {
    "registers": (Metric("Registers per thread"), re.compile(r"Used (\d+) registers")),
    "spill_store_bytes": (Metric("Spill stores", "B"), re.compile(r"(\d+) bytes spill stores")),
    "spill_load_bytes": (Metric("Spill loads", "B"), re.compile(r"(\d+) bytes spill loads")),
    "stack_frame_bytes": (Metric("Stack frame", "B"), re.compile(r"(\d+) bytes stack frame")),
    "shared_bytes": (Metric("Static shared memory per CTA", "B"), re.compile(r"(\d+) bytes smem")),
    "constant_bytes": (Metric("Constant memory", "B"), re.compile(r"(\d+) bytes cmem\[0\]")),
    "barriers": (Metric("Barriers"), re.compile(r"used (\d+) barriers")),
}
"""Figures of ``ptxas -v`` of a kernel, each with its label and how it is written."""

_MOST_ERRORS = 5
_LOCATED = re.compile(r"line (?P<line>\d+); (?:error|fatal)\s*: *(?P<words>.*)")
_UNLOCATED = re.compile(r"(?:error|fatal)\s*: *(?P<words>.*)")


@dataclass(frozen=True)
class Assembled:
    """What ptxas makes of a kernel: machine code, and the ``FIGURES`` that it writes."""

    cubin: Cubin
    figures: Mapping[str, int]


def assemble(source: Source, kernel: str, architecture: str) -> Assembled:
    """Assemble one kernel for ``architecture`` (``sm_80``) by ptxas.

    ``source`` holds the PTX. UsageError where there is no ptxas on PATH, InputError with what
    ptxas says where it rejects the text, LimitError after ``TIME_LIMIT_S``.
    """
    tool = shutil.which("ptxas")
    if tool is None:
        raise UsageError("--ptxas: there is no ptxas on PATH; give --regs or --cubin, or neither")
    kept = _kept_file(tool, source, kernel, architecture)
    made = _read_kept(kept)
    if made is None:
        made = _assembled(tool, source, kernel, architecture)
        with suppress(OSError):  # nothing is lost but time
            kept.parent.mkdir(parents=True, exist_ok=True)
            write_whole(kept, json.dumps(asdict(made), sort_keys=True).encode())
    return made


def _kept_file(tool: str, source: Source, kernel: str, architecture: str) -> Path:
    """The file that keeps what this ptxas makes of this text, in the user's cache folder."""
    status = Path(tool).stat()
    parts = (tool, status.st_mtime_ns, status.st_size, architecture, kernel, source.text)
    digest = hashlib.sha256("\0".join(map(str, parts)).encode()).hexdigest()
    return user_cache() / "ptxas" / f"{digest}.json"


def _read_kept(path: Path) -> Assembled | None:
    try:
        found = json.loads(path.read_bytes())
        own = found["cubin"]
        own["kernels"] = tuple(KernelResources(**kernel) for kernel in own["kernels"])
        return Assembled(Cubin(**own), found["figures"])
    except (OSError, ValueError, LookupError, TypeError):
        return None  # there is none, or another version has written it


def _assembled(tool: str, source: Source, kernel: str, architecture: str) -> Assembled:
    with temporary_folder() as folder:
        text, cubin = Path(folder, "kernel.ptx"), Path(folder, "kernel.cubin")
        text.write_text(source.text, encoding="utf-8")
        command = [tool, "-v", f"-arch={architecture}", "-e", kernel, str(text), "-o", str(cubin)]
        done = _run(command, source.name, folder)
        if done.returncode != 0:
            raise InputError(*_complaints(done.stdout + done.stderr, source, architecture))
        made = read_cubin(cubin, f"what ptxas makes of {source.name}")
        return Assembled(made, _figures(done.stdout + done.stderr, kernel))


def _figures(said: str, kernel: str) -> dict[str, int]:
    """Read the lines about the kernel; device functions that stayed have lines of their own."""
    own = said.rpartition(f"Function properties for {kernel}\n")[2]
    found = {key: pattern.search(own) for key, (_, pattern) in FIGURES.items()}
    return {key: int(match[1]) for key, match in found.items() if match is not None}


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
