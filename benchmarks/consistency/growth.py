"""CPU time of ``analyze`` over kernels of compilers and over kernels that grow in one direction.

Measured is the CPU time in this process that reading one kernel, all its analyses and its report as
text and JSON take. What is read in pure Python is measured, so the first kernel of a process pays
for imports: a small one goes before.
"""

from __future__ import annotations

import gc
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from warpmill.analyzer.base.diagnostics import WarpmillError
from warpmill.analyzer.frontends.load import kernel_names
from warpmill.analyzer.launch import Launch, check_launch
from warpmill.analyzer.launch.model import ELEMENT_TYPES, BufferArgument, ScalarArgument
from warpmill.commands.analyze.result import analyze_report
from warpmill.report.page import Style
from warpmill.report.render import render
from warpmill.session.jobs import Job
from warpmill.session.prepare import prepare

HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"
ENTRY = ".visible .entry grown(.param .u64 .ptr .global a, .param .u32 n)\n{\n"
START = (
    ".reg .pred %p<{p}>;\n.reg .b32 %r<{r}>;\n.reg .b64 %d<{d}>;\n.reg .f32 %f<{f}>;\n"
    "ld.param.u64 %d1, [a];\nld.param.u32 %r1, [n];\nmov.u32 %r2, %tid.x;\n"
    "mul.wide.u32 %d2, %r2, 4;\nadd.s64 %d3, %d1, %d2;\n"
)
LAUNCH_THREADS = 128
MOST_ELEMENTS = 1 << 20
LOAD, STORE = "ld.global.u32 %r3, [%d3];", "st.global.u32 [%d3], %r3;"
USED = (
    "setp.gt.s32 %p7, %r3, 127;\n@%p7 bra USED;\nmul.wide.s32 %d4, %r3, 4;\n"
    "add.s64 %d5, %d1, %d4;\nst.global.u32 [%d5], %r2;\nUSED:"
)
"""Uses a value as a condition and as an address."""
FUNCTION = (
    ".func (.reg .b32 %o) f(.reg .b32 %i)\n{\n.reg .pred %q;\nsetp.gt.s32 %q, %i, 7;\n"
    "@%q bra E;\nadd.s32 %i, %i, 3;\nE:\nmul.lo.s32 %o, %i, %i;\nret;\n}\n"
)


def kernel(body: Iterable[str], functions: str = "", *, r: int = 16, f: int = 8) -> str:
    """A module whose kernel has a body, with so many registers for integers and floats."""
    start = START.format(p=8, r=r, d=8, f=f)
    return f"{HEAD}{functions}{ENTRY}{start}" + "\n".join(body) + "\nret;\n}\n"


@dataclass(frozen=True)
class Growing:
    """A kernel by its size; ``largest`` is a size as the largest kernels of compilers have it.

    ``registers``: it has integer registers with the size.
    """

    largest: int
    body: Callable[[int], Iterable[str]]
    functions: Callable[[int], str] = lambda _: ""
    registers: bool = False
    floats: int = 8

    def __call__(self, n: int) -> str:
        """The text of a size."""
        r = n + 8 if self.registers else 16
        return kernel(self.body(n), self.functions(n), r=r, f=self.floats)


def up(n: int, part: Callable[[int], str]) -> list[str]:
    """A part for each number below ``n``."""
    return [part(i) for i in range(n)]


def down(n: int, part: Callable[[int], str]) -> list[str]:
    """The same, the last one first."""
    return [part(i) for i in reversed(range(n))]


def deep_starts(operations: int = 20) -> Growing:
    """Loops in each other, each from so many operations on the counter around."""

    def begun(i: int) -> str:
        steps = up(
            operations, lambda k: f"\nxor.b32 %r3, %r3, {9 * i + k};\nadd.s32 %r3, %r3, %r2;"
        )
        return f"mov.u32 %r{i + 8}, %r3;\nL{i}:\nmov.u32 %r3, %r{i + 8};" + "".join(steps)

    return Growing(16, lambda n: [
        LOAD, *up(n, begun), STORE,
        *down(n, lambda i: f"add.s32 %r{i + 8}, %r{i + 8}, 1;\n"
                           f"setp.lt.s32 %p1, %r{i + 8}, 9999;\n@%p1 bra L{i};"),
    ], registers=True)  # fmt: skip


def _in_each_other(ends: Callable[[int], str]) -> Callable[[int], Iterable[str]]:
    """Loops, each in the one before, with what ends each."""
    return lambda n: [*up(n, lambda i: f"mov.u32 %r{i + 4}, 0;\nL{i}:"), LOAD, *down(n, ends)]


GROWTHS = {
    "straight line": Growing(8000, lambda n: [
        *up(32, lambda i: f"ld.global.f32 %f{i}, [%d3+{i * 4096}];"),
        *up(n, lambda i: f"fma.rn.f32 %f{i % 32}, %f{(i * 7 + 3) % 32}, %f{(i * 5 + 1) % 32}, "
                         f"%f{i % 32};"),
        *up(32, lambda i: f"st.global.f32 [%d3+{i * 4096}], %f{i};"),
    ], floats=32),
    "joins": Growing(400, lambda n: [  # branches that join, each deciding the next
        LOAD,
        *up(n, lambda i: f"setp.lt.s32 %p1, %r3, %r2;\n@%p1 bra A{i};\nadd.s32 %r3, %r3, {i + 3};\n"
                         f"xor.b32 %r2, %r2, %r3;\nbra.uni B{i};\nA{i}:\n"
                         f"sub.s32 %r3, %r2, {i + 5};\nB{i}:"),
        STORE,
    ]),
    "returns": Growing(400, lambda n: [  # branches to the end
        LOAD,
        *up(n, lambda i: f"setp.eq.s32 %p1, %r3, {i};\n@%p1 bra END;\n"
                         f"ld.global.u32 %r4, [%d3+{4 * i + 4}];\nadd.s32 %r3, %r3, %r4;"),
        STORE, "END:",
    ]),
    "nested loops": Growing(100, _in_each_other(
        lambda i: f"add.s32 %r{i + 4}, %r{i + 4}, 1;\n"
                  f"setp.lt.s32 %p1, %r{i + 4}, 2;\n@%p1 bra L{i};"
    ), registers=True),
    "deep starts": deep_starts(),
    "loops in a row": Growing(200, lambda n: [  # each as long as an argument says
        LOAD,
        *up(n, lambda i: f"mov.u32 %r4, 0;\nL{i}:\nadd.s32 %r3, %r3, %r4;\nadd.s32 %r4, %r4, 1;\n"
                         f"setp.lt.s32 %p1, %r4, %r1;\n@%p1 bra L{i};"),
        STORE,
    ]),
    "switch cases": Growing(400, lambda n: [
        LOAD, f"T: .branchtargets {', '.join(f'C{i}' for i in range(n))};", "brx.idx %r3, T;",
        *up(n, lambda i: f"C{i}:\nadd.s32 %r4, %r2, {i};\nbra.uni END;"),
        "END:\nst.global.u32 [%d3], %r4;",
    ]),
    "calls": Growing(200, lambda n: [LOAD, *["call (%r3), f, (%r3);"] * n, STORE],
                     lambda _: FUNCTION),
    "functions": Growing(  # each calls the one before
        400, lambda n: [f"call f{n - 1}, ();"],
        lambda n: ".func f0()\n{\nret;\n}\n" + "".join(
            f".func f{i}()\n{{\ncall f{i - 1}, ();\nret;\n}}\n" for i in range(1, n)),
    ),
    "deep sum": Growing(800, lambda n: [
        "mov.u32 %r3, 0;",
        *up(n, lambda i: f"ld.global.u32 %r4, [%d3+{4 * i}];\nadd.s32 %r3, %r3, %r4;"), USED,
    ]),
    "deep operations": Growing(400, lambda n: [  # on the two values before: shared parts double
        "mov.u32 %r3, %r1;\nmov.u32 %r4, %r2;",
        *["xor.b32 %r5, %r3, %r4;\nmov.u32 %r4, %r3;\nmov.u32 %r3, %r5;"] * n, USED,
    ]),
    "products": Growing(40, lambda n: [  # squares of sums: polynomials whose powers grow
        "mov.u32 %r3, %r2;", *["add.s32 %r4, %r3, %r1;\nmul.lo.s32 %r3, %r4, %r4;"] * n, USED,
    ]),
    "divisions": Growing(64, lambda n: [  # by 35, each of the remainder before, and conditions
        "mov.u32 %r9, 0;\nmov.u32 %r4, %r2;",
        *up(n, lambda i:
            "add.s32 %r4, %r4, 128;\nmul.hi.s32 %r5, %r4, -368140053;\nadd.s32 %r6, %r5, %r4;\n"
            "shr.u32 %r7, %r6, 31;\nshr.s32 %r8, %r6, 5;\nadd.s32 %r8, %r8, %r7;\n"
            "mul.lo.s32 %r10, %r8, 35;\nsub.s32 %r4, %r4, %r10;\nadd.s32 %r9, %r9, %r8;\n"
            f"setp.gt.s32 %p1, %r9, 127;\n@%p1 bra S{i};\nmul.wide.s32 %d4, %r9, 4;\n"
            f"add.s64 %d5, %d1, %d4;\nst.global.u32 [%d5], %r4;\nS{i}:"),
    ]),
    "predicated": Growing(800, lambda n: [
        "setp.lt.s32 %p1, %r2, %r1;\nmov.u32 %r3, 0;",
        *up(n, lambda i: f"@%p1 ld.global.u32 %r4, [%d3+{4 * i}];\n@%p1 add.s32 %r3, %r3, %r4;"),
        USED,
    ]),
    "shared phis": Growing(1000, lambda n: [  # values that one branch chooses, all used behind it
        "setp.lt.s32 %p1, %r2, %r1;\n@%p1 bra A;",
        *up(n, lambda i: f"add.s32 %r{i + 8}, %r2, {i};"), "bra.uni B;\nA:",
        *up(n, lambda i: f"mul.lo.s32 %r{i + 8}, %r1, {i};"), "B:\nmov.u32 %r3, 0;",
        *up(n, lambda i: f"add.s32 %r3, %r3, %r{i + 8};"), USED,
    ], registers=True),
    "many ways": Growing(300, lambda n: [  # set a value, each behind a condition of its own
        "mov.u32 %r3, 0;", *up(n, lambda i: f"setp.eq.s32 %p1, %r2, {i};\n@%p1 bra A{i};"),
        "bra.uni END;", *up(n, lambda i: f"A{i}:\nadd.s32 %r3, %r1, {i};\nbra.uni END;"),
        "END:", USED,
    ]),
    "exclusives": Growing(600, lambda n: [  # predicates of the two before, and branches
        "setp.lt.s32 %p0, %r2, %r1;\nsetp.lt.s32 %p1, %r1, 7;",
        *up(n, lambda i: f"xor.pred %p{(i + 2) % 3}, %p{i % 3}, %p{(i + 1) % 3};"
            + f"\n@%p{(i + 2) % 3} bra S{i};\nst.global.u32 [%d3+{4 * i}], %r2;\nS{i}:"
            * (i % 8 == 0)),
        f"@%p{(n + 1) % 3} bra E;\nst.global.u32 [%d3], %r2;\nE:",
    ]),
    "conditions": Growing(400, lambda n: [  # comparisons joined, with branches upon them
        "setp.lt.s32 %p1, %r2, %r1;",
        *up(n, lambda i: f"setp.ne.s32 %p2, %r2, {i};\n"
            f"{('and', 'or', 'xor')[i % 3]}.pred %p1, %p1, %p2;"
            + f"\n@%p1 bra S{i};\nst.global.u32 [%d3+{4 * i}], %r2;\nS{i}:" * (i % 8 == 0)),
        "@%p1 bra E;\nst.global.u32 [%d3], %r2;\nE:",
    ]),
    "short circuits": Growing(200, lambda n: [  # `a && b && c` of what the test before changes
        LOAD,
        *up(n, lambda i: f"setp.lt.s32 %p1, %r3, %r1;\nmov.pred %p2, 0;\n@!%p1 bra E{i};\n"
            f"setp.ne.s32 %p3, %r2, {i};\n@!%p3 bra E{i};\nsetp.gt.s32 %p2, %r1, {i};\nE{i}:\n"
            f"@!%p2 bra N{i};\nadd.s32 %r3, %r3, {i};\nN{i}:"),
        STORE,
    ]),
    "accesses": Growing(400, lambda n: [  # in a loop, loads and stores in turn
        "mov.u32 %r5, 0;", "mov.u32 %r3, 0;\nL:",
        *up(n, lambda i: f"mad.lo.s32 %r4, %r3, {i + 1}, %r2;\nmul.wide.s32 %d4, %r4, 4;\n"
            "add.s64 %d4, %d1, %d4;\n"
            + ("ld.global.u32 %r5, [%d4];" if i % 2 else "st.global.u32 [%d4], %r5;")),
        "add.s32 %r3, %r3, 1;\nsetp.lt.s32 %p1, %r3, 16;\n@%p1 bra L;",
    ]),
    "carried": Growing(300, lambda n: [  # by a loop, each made from the one beside it
        *up(n, lambda i: f"mov.u32 %r{i + 8}, {i};"), "mov.u32 %r3, 0;\nL:",
        *up(n, lambda i: f"add.s32 %r{i + 8}, %r{i + 8}, %r{(i + 1) % n + 8};"),
        "add.s32 %r3, %r3, 1;\nsetp.lt.s32 %p1, %r3, %r1;\n@%p1 bra L;\nst.global.u32 [%d3], %r8;",
    ], registers=True),
    "rotated": Growing(300, lambda n: [  # carried by a loop and handed on to the one before
        *up(n, lambda i: f"mov.u32 %r{i + 8}, {i};"), "mov.u32 %r3, 0;\nL:\nmov.u32 %r4, %r8;",
        *up(n - 1, lambda i: f"mov.u32 %r{i + 8}, %r{i + 9};"),
        f"mov.u32 %r{n + 7}, %r4;\nadd.s32 %r3, %r3, 1;",
        "setp.lt.s32 %p1, %r3, %r1;\n@%p1 bra L;\nst.global.u32 [%d3], %r8;",
    ], registers=True),
    "nested pointers": Growing(100, _in_each_other(  # all move one pointer on
        lambda i: f"add.s64 %d3, %d3, 4;\nadd.s32 %r{i + 4}, %r{i + 4}, 1;\n"
                  f"setp.lt.s32 %p1, %r{i + 4}, 2;\n@%p1 bra L{i};"
    ), registers=True),
    "triangular loops": Growing(24, _in_each_other(  # as long as the counter around says
        lambda i: f"add.s32 %r{i + 4}, %r{i + 4}, 1;\nsetp.le.s32 %p1, %r{i + 4}, "
                  f"{f'%r{i + 3}' if i else 3};\n@%p1 bra L{i};"
    ), registers=True),
    "chosen": Growing(200, lambda n: [  # by predicates, each of two that were chosen before
        "mov.u32 %r3, %r1;\nmov.u32 %r4, %r2;",
        *up(n, lambda i: f"setp.gt.s32 %p1, %r3, {i};\nselp.b32 %r5, %r3, %r4, %p1;\n"
                         "min.s32 %r4, %r3, %r4;\nadd.s32 %r3, %r5, 1;"),
        USED,
    ]),
    "barriers": Growing(400, lambda n: [  # with stores to shared memory and loads
        ".shared .align 4 .b8 s[4096];\nmov.u32 %r3, s;\nshl.b32 %r4, %r2, 2;",
        "add.s32 %r5, %r3, %r4;\nld.global.u32 %r6, [%d3];",
        *["st.shared.u32 [%r5], %r6;\nbar.sync 0;\nld.shared.u32 %r7, [%r5+4];\n"
          "bar.sync 0;\nadd.s32 %r6, %r6, %r7;"] * n,
        "st.global.u32 [%d3], %r6;",
    ]),
}  # fmt: skip
"""What grows."""


def all_times(files: Iterable[Path], share: float = 1.0) -> dict[str, float]:
    """The CPU seconds of each analysis by name: of compilers' kernels, and of those that grow.

    A kernel goes before that is not counted, for what a process pays once. Those that grow have a
    share of their largest size.
    """
    list(_grown_times(0))
    return dict([*_analyze_times(files), *_grown_times(share)])


def _grown_times(share: float) -> Iterator[tuple[str, float]]:
    with tempfile.TemporaryDirectory() as folder:
        for name, make in GROWTHS.items():
            n = max(1, int(make.largest * share))
            path = Path(folder, f"{name} {n}.ptx")
            path.write_text(make(n))
            yield from _analyze_times([path])


def _analyze_times(files: Iterable[Path]) -> Iterator[tuple[str, float]]:
    """The name of each kernel of some files with the seconds of its analysis, then in a launch.

    Files that cannot be read, and launches that an argument of another kind would be needed for,
    give no time.
    """
    for file in files:
        try:
            names = kernel_names(file)
        except WarpmillError:
            continue
        for name in names:
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
    arguments: list[Any] = []
    for parameter in job.kernel.parameters:
        if parameter.size_bytes == 8:
            arguments.append(BufferArgument("f32", (MOST_ELEMENTS,)))
        else:
            word = f"i{8 * parameter.size_bytes}"
            arguments.append(ScalarArgument(word if word in ELEMENT_TYPES else "i32", 64))
    block = job.kernel.bounds.required_threads or (LAUNCH_THREADS,)
    launch = Launch.of(file, job.kernel.name, grid=4, block=block, arguments=arguments)
    check_launch(launch, job.loaded.module, job.kernel)
    return launch
