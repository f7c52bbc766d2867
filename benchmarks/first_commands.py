"""Whether the command that ``warpmill FILE`` prints runs as it is: for sources as people have them.

And what an installation of the core takes on disk.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from shlex import split
from typing import Annotated

from warpmill.analyzer.base.metric import Metric, derived
from warpmill.benchmarks.benchmark import ROOT, Benchmark, Goal, Request, say
from warpmill.report.base import Part
from warpmill.report.sections import Shown, Table

CASES = ROOT / "tests/cases"
FILES = (
    "60-tiled-gemm/gemm.cu", "doors/reduce.cu", "doors/saxpy.cl", "doors/saxpy.hip",
    "63-tune-softmax/softmax.cu", "65-clone-stencil/stencil.cu", "doors/axpy_sycl.ll",
    "doors/load_inline.py", "66-numba-nbody/nb.py", "doors/softmax_triton.py",
    "doors/transpose_cupy.py", "61-triton-matmul/tri.py",
)  # fmt: skip
"""Below ``CASES``: sources that compilers take, then Python and LLVM that lead to kernels."""

_TIME = re.compile(r"[\d.,]+ (?:ns|µs|ms|s) on NVIDIA")
_SECONDS = 300


class FirstCommand(Part):
    """A file, the command that is printed for it, and what that came to.

    ``problem`` is the first line of what went wrong, "" where the command gave a time.
    """

    file: Annotated[str, Metric("file")]
    command: Annotated[str, Metric("command")]
    problem: Annotated[str, Metric("problem")]
    seconds: Annotated[float, Metric("time", "s")]


class FirstCommandsResult(Part):
    """The files, by name; and MiB of site-packages with the core alone, None: not installed."""

    files: tuple[FirstCommand, ...]
    install_mb: Annotated[float | None, Metric("site-packages with the core", "MiB")] = None

    @derived("first commands that run, of all")
    def first_command_runs(self) -> tuple[int, int]:
        """Both numbers."""
        return sum(not one.problem for one in self.files), len(self.files)

    @derived("first commands that fail")
    def failing(self) -> int:
        """Of all files."""
        return sum(bool(one.problem) for one in self.files)


def measure(request: Request) -> FirstCommandsResult:
    """Run the first command of every file, and install the core into an environment of its own."""
    rows = []
    for name in FILES[: 2 if request.quick else None]:
        say(name)
        rows.append(_tried(CASES / name))
    return FirstCommandsResult(
        files=tuple(rows), install_mb=None if request.quick else _installed_mib()
    )


def _tried(path: Path) -> FirstCommand:
    begin = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        told = _warpmill([str(path), "--format", "json"], folder)
        command, problem = "", _first_line(told.stderr)
        if told.returncode == 0:
            command = json.loads(told.stdout)["commands"][0]["command"]
            done = _warpmill(split(command)[1:], folder)
            gives_time = done.returncode == 0 and _TIME.search(done.stdout)
            problem = "" if gives_time else _first_line(done.stderr) or "it gives no time"
    return FirstCommand(
        file=path.name,
        command=command.replace(str(path), path.name),
        problem=problem.replace(str(path), path.name),
        seconds=round(time.perf_counter() - begin, 1),
    )


def _warpmill(words: Sequence[str], folder: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "warpmill", *words]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, timeout=_SECONDS
    )


def _first_line(text: str) -> str:
    return (text.strip().splitlines() or [""])[0][:200]


def _installed_mib() -> float | None:
    """MiB of blocks that site-packages takes, with pip in it; None where nothing can be fetched."""
    say("installing the core")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        pip = [f"{folder}/bin/python", "-m", "pip", "install", "--quiet", str(ROOT)]
        if subprocess.run(pip, capture_output=True, check=False).returncode:
            return None
        packages = next(Path(folder).glob("lib/python3*/site-packages"))
        blocks = sum(one.lstat().st_blocks for one in packages.rglob("*"))
    return round(blocks * 512 / (1 << 20), 1)


BENCHMARK: Benchmark[FirstCommandsResult] = Benchmark(
    name="first-commands",
    about="Whether the first command for each of twelve sources runs; what the core takes.",
    takes="4 minutes",
    result=":FirstCommandsResult",
    measure=":measure",
    goals=(Goal("failing", 0.0), Goal("install_mb", 540.0)),
    sections=(
        Table(
            "Files",
            "files",
            ("file", Shown("problem", "problem"), "seconds", "command"),
            left=(0, 1, 3),
            wrap=(3,),
        ),
    ),
    data=tuple(f"tests/cases/{name}" for name in FILES),
)
