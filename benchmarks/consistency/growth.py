"""CPU time of ``analyze`` over kernels of compilers and over kernels that grow in one direction.

Measured is the CPU time in this process that reading one kernel, all its analyses and its report as
text and JSON take. What is read in pure Python is measured, so the first kernel of a process pays
for imports: a small one goes before.
"""

from __future__ import annotations

import gc
import tempfile
import time
import tomllib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from jinja2 import Environment, StrictUndefined

from warpmill.analyzer.base.diagnostics import WarpmillError
from warpmill.analyzer.frontends.load import kernel_names
from warpmill.analyzer.launch import Launch, check_launch
from warpmill.analyzer.launch.model import ELEMENT_TYPES, BufferArgument, ScalarArgument
from warpmill.commands.analyze.result import analyze_report
from warpmill.report.page import Style
from warpmill.report.text import render
from warpmill.session.jobs import Job
from warpmill.session.prepare import prepare

LAUNCH_THREADS = 128
MOST_ELEMENTS = 1 << 20
HERE = Path(__file__).parent
HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"
ENTRY = ".visible .entry grown(.param .u64 .ptr .global a, .param .u32 n)\n{\n"
START = (
    ".reg .pred %p<8>;\n.reg .b32 %r<{r}>;\n.reg .b64 %d<8>;\n.reg .f32 %f<{f}>;\n"
    "ld.param.u64 %d1, [a];\nld.param.u32 %r1, [n];\nmov.u32 %r2, %tid.x;\n"
    "mul.wide.u32 %d2, %r2, 4;\nadd.s64 %d3, %d1, %d2;\n"
)
USED = (
    "setp.gt.s32 %p7, %r3, 127;\n@%p7 bra USED;\nmul.wide.s32 %d4, %r3, 4;\n"
    "add.s64 %d5, %d1, %d4;\nst.global.u32 [%d5], %r2;\nUSED:"
)
"""Uses a value as a condition and as an address."""


def kernel(body: Iterable[str], functions: str = "", *, r: int = 16, f: int = 8) -> str:
    """A module whose kernel has a body, with so many registers for integers and floats."""
    start = START.format(r=r, f=f)
    return f"{HEAD}{functions}{ENTRY}{start}" + "\n".join(body) + "\nret;\n}\n"


@dataclass(frozen=True)
class Growing:
    """A kernel by its size; the fields are those of growth.toml."""

    largest: int
    body: str
    functions: str = ""
    registers: bool = False
    floats: int = 8

    def __call__(self, n: int, operations: int = 0) -> str:
        """The text of a size; ``operations`` is another size, of the one that has two."""
        fill = Environment(
            trim_blocks=True, keep_trailing_newline=True, undefined=StrictUndefined
        ).from_string
        body, functions = (fill(text).render(n=n, operations=operations, used=USED)
                           for text in (self.body, self.functions))  # fmt: skip
        return kernel([body], functions, r=n + 8 if self.registers else 16, f=self.floats)


GROWTHS = {
    name: Growing(**row) for name, row in tomllib.loads((HERE / "growth.toml").read_text()).items()
}


def all_times(files: Iterable[Path], share: float = 1.0) -> dict[str, float]:
    """The CPU seconds of each analysis by name: of compilers' kernels, and of those that grow.

    A kernel goes before that is not counted, for what a process pays once. Those that grow have a
    share of their largest size.
    """
    with tempfile.TemporaryDirectory() as folder:
        list(_analyze_times(_grown(Path(folder), 0)))
        return dict(_analyze_times([*files, *_grown(Path(folder), share)]))


def _grown(folder: Path, share: float) -> Iterator[Path]:
    for name, make in GROWTHS.items():
        n = max(1, int(make.largest * share))
        path = folder / f"{name} {n}.ptx"
        path.write_text(make(n))
        yield path


def _analyze_times(files: Iterable[Path]) -> Iterator[tuple[str, float]]:
    """The name of each kernel of some files with the seconds of its analysis, then in a launch.

    Files that cannot be read, and launches that an argument of another kind would be needed for,
    give no time.
    """
    for file in files:
        with suppress(WarpmillError):
            for name in kernel_names(file):
                for words, launched in (("", False), (" with a launch", True)):
                    seconds = timed(file, name, launched=launched)
                    if seconds is not None:
                        yield f"{file.name} {name}{words}", seconds


def timed(file: Path, name: str, *, launched: bool = False) -> float | None:
    """The CPU seconds of one analysis; None where it is refused."""
    gc.collect()
    begin = time.process_time()
    try:
        job = prepare(file, name)
        if launched:
            job = replace(job, launch=_launch_of(file, job))
        report = analyze_report((job,))
        for format_ in ("text", "json"):
            render(report, format_, Style(width=100))
    except WarpmillError:
        return None
    return time.process_time() - begin


def _launch_of(file: Path, job: Job) -> Launch:
    """A launch of numbers of 64 and buffers of a million elements. InputError."""
    arguments: list[BufferArgument | ScalarArgument] = []
    for size in (parameter.size_bytes for parameter in job.kernel.parameters):
        word = f"i{8 * size}" if f"i{8 * size}" in ELEMENT_TYPES else "i32"
        buffer = BufferArgument("f32", (MOST_ELEMENTS,))
        arguments.append(buffer if size == 8 else ScalarArgument(word, 64))
    block = job.kernel.bounds.required_threads or (LAUNCH_THREADS,)
    launch = Launch.of(file, job.kernel.name, grid=4, block=block, arguments=arguments)
    check_launch(launch, job.loaded.module, job.kernel)
    return launch
