"""The work of ``analyze``: in line with a kernel's size, and with no launch's trip counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.reference.work import python_calls
from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.analyses.divergence import launch
from warpmill.analyzer.analyses.divergence.analysis import WarpShape, divergence
from warpmill.analyzer.analyses.ranges.loop_entries import LoopEntries
from warpmill.analyzer.analyses.values.conditions import Condition
from warpmill.analyzer.base.diagnostics import Severity
from warpmill.analyzer.launch import Launch
from warpmill.analyzer.launch.model import BufferArgument, ScalarArgument
from warpmill.benchmarks.consistency.growth import kernel
from warpmill.commands.analyze.result import KernelAnalysis, analyze_report
from warpmill.session.jobs import Job
from warpmill.session.kernel_analysis import access_facts
from warpmill.session.prepare import prepare

MOST = 2.5
"""Times the work that twice the kernel may take."""


def in_launch(text: str, folder: Path, n: int) -> Job:
    """A kernel of two parameters with a launch of 2 CTAs."""
    file = folder / "kernel.ptx"
    file.write_text(text)
    job = prepare(file)
    assert all(d.severity is not Severity.ERROR for d in job.loaded.diagnostics)
    arguments = [BufferArgument("f32", (1 << 20,)), ScalarArgument("i32", n)]
    return replace(job, launch=Launch.of(file, "grown", grid=2, block=64, arguments=arguments))


def analysed(job: Job) -> KernelAnalysis:
    return analyze_report((job,)).analyses[0]


def local_array(n: int) -> str:
    """Writes n elements of a local array, and reads them again."""
    body = [".local .align 4 .b8 depot[65536];", "mov.u64 %d4, depot;"]
    body += [f"st.local.u32 [%d4+{4 * i}], %r2;" for i in range(n)]
    body += [f"ld.local.u32 %r4, [%d4+{4 * i}];\nadd.s32 %r2, %r2, %r4;" for i in range(n)]
    return kernel([*body, "st.global.u32 [%d3], %r2;"])


def generic_loads(n: int) -> str:
    """Reads n elements whose address may be that of a local variable."""
    body = [".local .align 4 .b8 depot[16];"]
    body += [f"ld.u32 %r4, [%d3+{4 * i}];\nadd.s32 %r2, %r2, %r4;" for i in range(n)]
    return kernel([*body, "st.global.u32 [%d3], %r2;"])


def chosen_pointers(n: int) -> str:
    """Takes an address in a local array, on one of n ways that meet another one."""
    body = [".local .align 4 .b8 depot[64];", "mov.u64 %d4, depot;", "mov.u64 %d5, %d4;"]
    targets = ", ".join(f"C{i}" for i in range(n))
    body += [f"T: .branchtargets {targets};", "brx.idx %r2, T;"]
    body += [f"C{i}:\nbra.uni END;" for i in range(1, n)]
    body += [
        "C0:\nadd.s64 %d5, %d4, 4;",
        "END:",
        "st.local.u32 [%d5], %r2;",
        "st.local.u32 [%d4], %r2;",
    ]
    return kernel([*body, "ld.local.u32 %r4, [%d4];", "st.global.u32 [%d3], %r4;"])


def loop_behind_tests(n: int) -> str:
    """Reads n times in a loop that stands behind a test."""
    body = ["setp.gt.s32 %p1, %r1, 7;", "@%p1 bra N;", "ret;", "N:", "mov.u32 %r3, 0;", "L:"]
    body += [f"ld.global.u32 %r4, [%d3+{4 * i}];\nadd.s32 %r2, %r2, %r4;" for i in range(n)]
    body += ["add.s64 %d3, %d3, 4;", "add.s32 %r3, %r3, 1;", "setp.lt.s32 %p1, %r3, %r1;"]
    return kernel([*body, "@%p1 bra L;", "st.global.u32 [%d3], %r2;"])


def of_threads(n: int) -> str:
    """Works n values out from thread ids, each from the one before twice."""
    body = ["mov.u32 %r3, %r2;"]
    for i in range(n):
        body += [f"min.s32 %r4, %r3, {900 + i};", f"max.s32 %r5, %r3, {i + 7};"]
        body += ["min.s32 %r3, %r4, %r5;"]
    return kernel(
        [*body, "setp.gt.s32 %p1, %r3, 7;", "@%p1 bra E;", "st.global.u32 [%d3], %r3;\nE:"]
    )


def spread(job: Job) -> object:
    return divergence(analyse_structure(job.kernel), WarpShape((64, 1, 1), 32))


def structured(job: Job) -> object:
    return analyse_structure(job.kernel)


@pytest.mark.parametrize(
    ("make", "analysis", "n"),
    [
        (local_array, structured, 120),
        (chosen_pointers, structured, 120),
        (generic_loads, spread, 240),
    ],
)
def test_twice_the_kernel_takes_twice_the_work(
    make: Callable[[int], str], analysis: Callable[[Job], object], n: int, tmp_path: Path
) -> None:
    once, twice = (in_launch(make(size), tmp_path, 2 * n + 1) for size in (n, 2 * n))
    analysis(in_launch(make(n), tmp_path, 2 * n + 1))  # imports aside
    few = python_calls(lambda: analysis(once))
    assert python_calls(lambda: analysis(twice)) < MOST * few


def test_a_value_of_threads_is_worked_out_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    done: list[str] = []
    operation = launch._operation
    monkeypatch.setattr(launch, "_operation", lambda name: done.append(name) or operation(name))
    analysed(in_launch(of_threads(4), tmp_path, 1))
    assert 0 < len(done) <= 3 * 4


def test_what_a_loop_is_entered_by_is_asked_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[int] = []
    tests = LoopEntries._tests

    def noted(self: LoopEntries, loop: int, after: int) -> Iterator[Condition | None]:
        asked.append(loop)
        return tests(self, loop, after)

    monkeypatch.setattr(LoopEntries, "_tests", noted)
    job = in_launch(loop_behind_tests(20), tmp_path, 41)
    assert access_facts(job)
    assert asked == [0]


INDEX = {
    "wrapped": "shr.s64 %d5, %d4, 63;\nand.b64 %d6, %d5, 4096;\nadd.s64 %d6, %d6, %d4;",
    "remainder": "shr.s32 %r6, %r3, 31;\nshr.u32 %r6, %r6, 27;\nadd.s32 %r6, %r6, %r3;\n"
    "shr.s32 %r6, %r6, 31;\ncvt.s64.s32 %d6, %r6;\nadd.s64 %d6, %d6, %d4;",
    "plain": "mov.u64 %d6, %d4;",
}
"""An index as compilers of Python add a size to it where it is negative, or divide it."""


@pytest.mark.one_in(3)
@pytest.mark.parametrize("index", INDEX)
@pytest.mark.parametrize("is_last_chosen", [False, True])
def test_iterations_that_are_alike_are_walked_once(
    index: str, is_last_chosen: bool, tmp_path: Path
) -> None:
    """A loop's figures in a launch take the same work for any number of iterations."""
    chosen = "setp.gt.s64 %p2, %d7, 0;\nselp.b64 %d4, %d4, 0, %p2;\nadd.s64 %d7, %d7, -1;"
    body = [
        "mov.u32 %r3, 0;\nmov.u64 %d4, 0;\ncvt.s64.s32 %d7, %r1;\nL:",
        INDEX[index],
        "shl.b64 %d6, %d6, 2;\nadd.s64 %d6, %d3, %d6;\nld.global.u32 %r4, [%d6];",
        "add.s32 %r2, %r2, %r4;\nadd.s64 %d4, %d4, 1;",
        chosen if is_last_chosen else "",
        "add.s32 %r3, %r3, 1;\nsetp.lt.s32 %p1, %r3, %r1;\n@%p1 bra L;",
        "st.global.u32 [%d3], %r2;",
    ]
    few, many = (in_launch(kernel(body), tmp_path, n) for n in (1000, 100_000))
    analysed(few)
    found = [analysed(job) for job in (few, many)]
    assert [f.no_traces for f in found] == [None, None]
    warps = [max(b.warp_executions or 0 for b in f.blocks) for f in found]
    assert warps == [4 * 1000, 4 * 100_000]
    assert python_calls(lambda: analysed(many)) < 1.2 * python_calls(lambda: analysed(few))
