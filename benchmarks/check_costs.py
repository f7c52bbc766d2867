"""What ``check`` says of kernels that are right, and what watching costs.

Workloads at a size that takes plain execution some ten milliseconds and more, samples as they are,
and what compilers make of kernels (those of benchmark execution) are checked by all tools. An error
is a false alarm unless it is shown to be a race by a rule that knows nothing of clocks: the later
access can come after nothing that acquires, in one order or the other, or lanes of a warp store
different values to one address in one instruction. Costs are seconds of executing launches, without
compilation, by those of plain execution in the same process; memory is what a process of its own
takes while it launches.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from statistics import geometric_mean
from typing import Annotated, Any

from warpmill.analyzer.base.diagnostics import InputError, LimitError, Severity
from warpmill.analyzer.base.metric import Metric, derived
from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.ir.operation import Operation
from warpmill.analyzer.ir.types import Place
from warpmill.benchmarks.benchmark import ROOT, Benchmark, Goal, Request, column, say
from warpmill.benchmarks.keeping import measured, results
from warpmill.executor.sanitizers.findings import BY_DEFAULT, Finding, FindingKind, Tool
from warpmill.report.base import Part
from warpmill.report.sections import Shown, Table
from warpmill.session.checking import CheckedRun, checked
from warpmill.session.options import LaunchOptions, RunOptions
from warpmill.session.prepare import prepare_all
from warpmill.session.runs import Run, run_jobs
from warpmill.session.workload_runs import run_workload
from warpmill.session.workloads import WorkloadTarget, workloads
from warpmill.studies.model import PointOutcome, StudyPoint
from warpmill.studies.places import default_store
from warpmill.studies.sources import sources_digest

STUDY = "check-costs"
SOURCES = ("analyzer", "executor", "warpmill/session", "samples")
PRESET, QUICK_PRESET = "small", "tiny"
QUICK = ("hotspot", "layer-norm", "matmul", "vecadd")
SAMPLES = ("binomial", "bitonic", "lud", "matmul", "nw", "reduce", "scan", "spmv", "stencil5",
           "transpose", "trisolve", "vecadd")  # fmt: skip
BYTES = "bytes"
OF_MEMORY = ("vecadd", "transpose", "stencil5", "reduce", BYTES)
"""Programs of which memory is measured: 128 MB of buffers and more; ``bytes`` copies bytes."""
MEMCHECK = frozenset({Tool.MEMCHECK})
INITIALISED = frozenset({Tool.MEMCHECK, Tool.INITCHECK})
RACES = frozenset({Tool.RACECHECK})
KEEPING_NOTHING = frozenset({Tool.OVERFLOW})
ROUNDS = 2
"""Runs of each kind; the fastest counts, the first compiles."""
LEAST_S = 0.005
"""Seconds of plain execution from which a slowdown is one of the kernel, and not of starting it."""
FENCES, BARRIERS = frozenset({"membar", "fence"}), frozenset({"bar", "barrier", "mbarrier"})
"""First words of operations by which threads of several CTAs, and of one, may be ordered."""
ORDERS = frozenset({"acquire", "release", "acq_rel"})
"""Words of accesses that order: atomics without one of them do not."""


class CheckedProgram(Part):
    """A program that is right: what is said of it, and seconds of executing its launches.

    ``shown`` are errors that are shown to be races. Times are None where they are too short.
    """

    group: Annotated[str, Metric("group")]
    program: Annotated[str, Metric("program")]
    launches: Annotated[int, Metric("launches")]
    errors: Annotated[int, Metric("errors")]
    shown: Annotated[int, Metric("shown to be races")]
    warnings: Annotated[int, Metric("warnings")]
    told: Annotated[tuple[str, ...], Metric("errors in words")]
    not_checked: Annotated[tuple[str, ...], Metric("not checked")]
    plain: Annotated[float | None, Metric("plain", "s")] = None
    memcheck: Annotated[float | None, Metric("memcheck", "s")] = None
    every: Annotated[float | None, Metric("all tools", "s")] = None

    @derived("memcheck, times")
    def memcheck_times(self) -> float | None:
        """Beside plain execution."""
        return _ratio(self.memcheck, self.plain)

    @derived("all tools, times")
    def every_times(self) -> float | None:
        """Beside plain execution."""
        return _ratio(self.every, self.plain)


def _ratio(seconds: float | None, plain: float | None) -> float | None:
    return None if seconds is None or plain is None or plain < LEAST_S else seconds / plain


class MemoryRow(Part):
    """Memory of a program: of its buffers, and of a process with them, by the buffers."""

    program: Annotated[str, Metric("program")]
    buffers_mb: Annotated[float, Metric("buffers, MB")]
    initialised: Annotated[float, Metric("memcheck and initcheck, times")]
    races: Annotated[float, Metric("racecheck, times")]


class CheckCostsResult(Part):
    """All programs, and memory."""

    programs: tuple[CheckedProgram, ...]
    memory: tuple[MemoryRow, ...]

    @derived("programs")
    def number(self) -> int:
        """How many were checked."""
        return len(self.programs)

    @derived("false alarms")
    def false_alarms(self) -> int:
        """Errors that are not shown to be races."""
        return sum(one.errors - one.shown for one in self.programs)

    @derived("memcheck, geometric mean of times")
    def memcheck_slowdown(self) -> float | None:
        """Over programs that take long enough; None without any."""
        return _mean(one.memcheck_times for one in self.programs)

    @derived("all tools, geometric mean of times")
    def every_slowdown(self) -> float | None:
        """Likewise."""
        return _mean(one.every_times for one in self.programs)

    @derived("memory with memcheck and initcheck, times the buffers at most")
    def most_initialised(self) -> float | None:
        """None where it was not measured."""
        return max((one.initialised for one in self.memory), default=None)

    @derived("memory with racecheck, times the buffers at most")
    def most_races(self) -> float | None:
        """None where it was not measured."""
        return max((one.races for one in self.memory), default=None)


def _mean(values: Iterator[float | None]) -> float | None:
    known = [one for one in values if one is not None]
    return geometric_mean(known) if known else None


# What is right and is checked.


@dataclass(frozen=True)
class _Program:
    group: str
    name: str
    run: Callable[[RunOptions], Run]


def _workload(name: str, preset: str) -> _Program:
    target = WorkloadTarget(workloads()[name], preset)
    return _Program("workloads", name, lambda o: run_workload(target, options=o, checked=False).run)


def _sample(name: str) -> _Program:
    if name == BYTES:
        return _Program("samples", name, _copied_bytes)
    file = ROOT / "samples" / name / "launch.toml"
    return _Program(
        "samples", name, lambda o: run_jobs(prepare_all(file, None, LaunchOptions()), o, name)
    )


BYTES_KERNEL = """.version 8.0
.target sm_80
.address_size 64
.visible .entry bytes(.param .u64 a, .param .u64 b)
{
  .reg .b32 %r<5>; .reg .b64 %d<6>;
  ld.param.u64 %d0, [a];
  ld.param.u64 %d1, [b];
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %tid.x;
  mad.lo.u32 %r2, %r0, 256, %r1;
  cvt.u64.u32 %d2, %r2;
  add.s64 %d3, %d0, %d2;
  add.s64 %d4, %d1, %d2;
  ld.global.u8 %r3, [%d3];
  st.global.u8 [%d4], %r3;
  ret;
}
"""
BYTES_SIZE = 1 << 26


def _copied_bytes(options: RunOptions) -> Run:
    """Copy bytes, each by a thread."""
    import numpy as np  # noqa: PLC0415 - for this alone

    from warpmill.session.runs import LaunchRun, make_device, run_made  # noqa: PLC0415

    device = make_device(options)
    done: list[LaunchRun] = []
    device.on_launch = lambda one: done.append(LaunchRun("bytes", one))
    a, b = device.zeros(BYTES_SIZE, np.uint8), device.zeros(BYTES_SIZE, np.uint8)
    device.launch(device.load(BYTES_KERNEL)["bytes"], BYTES_SIZE // 256, 256, [a, b])
    return run_made("bytes", device, done, None)


def _checked(program: _Program) -> dict[str, Any]:
    """Row of a program: what is found, and times."""
    seconds = {"plain": min(_seconds(program.run(RunOptions())) for _ in range(ROUNDS))}
    found = None
    for name, tools in (("memcheck", MEMCHECK), ("every", BY_DEFAULT)):
        times = []
        for _ in range(ROUNDS):
            found = checked(tools, RunOptions(), program.run)
            if found.run is not None:
                times.append(_seconds(found.run))
        if times:
            seconds[name] = min(times)
    assert found is not None
    return asdict(_row(program.group, program.name, found, seconds))


def _seconds(run: Run) -> float:
    return sum(one.launched.counts.seconds or 0.0 for one in run.launches)


def _row(group: str, name: str, found: CheckedRun, seconds: Mapping[str, float]) -> CheckedProgram:
    kernels = {} if found.run is None else {
        one.launched.kernel.kernel.name: one.launched.kernel.kernel for one in found.run.launches
    }  # fmt: skip
    return program_row(
        group, name, found.launches, found.findings, kernels, found.not_checked, seconds
    )


def program_row(
    group: str,
    name: str,
    launches: int,
    findings: Sequence[Finding],
    kernels: Mapping[str, Kernel],
    not_checked: Sequence[str],
    seconds: Mapping[str, float],
) -> CheckedProgram:
    """Row of a program: its errors, and which of them are shown to be races, and seconds."""
    errors = [one for one in findings if one.severity is Severity.ERROR]
    shown = {one.key for one in errors if is_shown(one, kernels.get(one.kernel))}
    return CheckedProgram(
        group=group,
        program=name,
        launches=launches,
        errors=len(errors),
        shown=sum(one.key in shown for one in errors),
        warnings=len(findings) - len(errors),
        told=tuple(map(_words, errors)),
        not_checked=tuple(not_checked),
        **seconds,
    )


def _words(finding: Finding) -> str:
    lines = [f"{a.what} at line {a.span.line}" for a in finding.accesses if a.span is not None]
    return f"{finding.tool}: {finding.kind}: {finding.kernel}: {', '.join(lines)}"


def is_shown(finding: Finding, kernel: Kernel | None) -> bool:
    """Whether a race is one beyond doubt: lanes meet in a store, or the later acquires nothing.

    For an access to come after another, its thread has to come to something that acquires first.
    The earlier one may do so: it ran first, and so does not come after the other.
    """
    one, other = finding.access, finding.other
    if finding.kind is not FindingKind.RACE or one is None or other is None or kernel is None:
        return False
    together = (one.cta, one.warp, one.instruction) == (other.cta, other.warp, other.instruction)
    if together and one.what == other.what == "store":
        return True
    within = one.cta == other.cta
    return not _may_acquire(kernel, one.instruction, within=within)


def _may_acquire(kernel: Kernel, place: Place, *, within: bool) -> bool:
    """Whether some way to a place leads over what may order it after accesses of other threads.

    Of those ``within`` its CTA, or of others.
    """
    for block in kernel.blocks:
        for number, instruction in enumerate(block.instructions):
            if not _orders(instruction.operation, within=within):
                continue
            if block.id == place[0] and number < place[1]:
                return True
            todo, seen = list(block.successors), set[int]()
            while todo:
                seen.add(next_ := todo.pop())
                todo += [s for s in kernel.blocks[next_].successors if s not in seen]
            if place[0] in seen:
                return True
    return False


def _orders(operation: Operation, *, within: bool) -> bool:
    words, first = set(operation.modifiers), operation.name.split(".")[0]
    if within:
        return first in FENCES | BARRIERS or bool(ORDERS & words)
    return (first in FENCES or bool(ORDERS & words)) and "cta" not in words


# What compilers make.


def _compiled_row(number: int, *, quick: bool) -> dict[str, Any]:
    from warpmill.benchmarks.execution.compiled.running import launched  # noqa: PLC0415
    from warpmill.executor.host.cpu_device import CpuOptions  # noqa: PLC0415
    from warpmill.executor.host.device import Device  # noqa: PLC0415
    from warpmill.executor.sanitizers.sanitizer import Sanitizer  # noqa: PLC0415

    compiler, program, artefact = _compiled(quick)[number]
    sanitizer = Sanitizer(BY_DEFAULT)
    device = Device(record=False, options=CpuOptions(sanitizer=sanitizer, max_seconds=300))
    kernels = {}
    device.on_launch = lambda one: kernels.update({one.kernel.kernel.name: one.kernel.kernel})
    try:
        launched(device, program, artefact)
        not_checked = tuple(sanitizer.not_checked)
    except (InputError, LimitError) as error:  # refused by name, as benchmark execution tells
        not_checked = tuple(dict.fromkeys(one.message for one in error.diagnostics))
    name = f"{program.name} with {artefact.name}"
    return asdict(
        program_row(
            f"{compiler}", name, sanitizer.launches, sanitizer.findings, kernels, not_checked, {}
        )
    )


@cache
def _compiled(quick: bool) -> list[tuple[str, Any, Path]]:
    from warpmill.benchmarks.execution.compiled import built, pairs  # noqa: PLC0415 - builds them

    return list(pairs(built(quick=quick)))


# Memory, in processes of their own.


def memory_row(name: str) -> dict[str, Any]:
    """Peak memory of a program by tools, beside its buffers.

    What a tool that keeps nothing of a launch takes is that of the process with its buffers.
    """
    buffers = sum(b.values.nbytes for b in _sample(name).run(RunOptions()).buffers)
    least, *watched = (_peak(name, tools) for tools in (KEEPING_NOTHING, INITIALISED, RACES))
    initialised, races = ((peak - least + buffers) / buffers for peak in watched)
    return asdict(MemoryRow(
        program=name, buffers_mb=buffers / 1e6, initialised=initialised, races=races
    ))  # fmt: skip


def _peak(name: str, tools: frozenset[Tool]) -> int:
    names = sorted(map(str, tools))
    words = f"from benchmarks.check_costs import print_peak; print_peak({name!r}, {names})"
    done = subprocess.run(
        [sys.executable, "-c", words], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return int(done.stdout)


def print_peak(name: str, tools: Sequence[str]) -> None:
    """Run a sample, watched by tools, and print the peak memory of this process in bytes."""
    peak = Path("/proc/self/status")
    begun = False

    def begin(*_: object) -> None:
        """Forget what making inputs took, once the launch runs."""
        nonlocal begun
        if not begun:
            Path("/proc/self/clear_refs").write_text("5", "ascii")
            begun = True

    checked(tools, RunOptions(progress=begin), _sample(name).run)
    assert begun, "the launch has told of no progress"
    (line,) = [one for one in peak.read_text("ascii").splitlines() if one.startswith("VmHWM:")]
    print(int(line.split()[1]) * 1024)


# Measuring.

PARTS = ("workloads", "samples", "compilers", "memory")


def measure(request: Request) -> CheckCostsResult:
    """Check what is asked for; what was interrupted goes on where it was."""
    chosen, digest = request.chosen(PARTS), sources_digest(*SOURCES)
    preset = QUICK_PRESET if request.quick else PRESET
    wanted = [("workloads", name) for name in workloads()]
    wanted += [("samples", name) for name in SAMPLES]
    wanted += [("memory", name) for name in OF_MEMORY]
    if request.quick:
        wanted = [one for one in wanted if one[1] in QUICK]
    if "compilers" in chosen:
        wanted += [("compilers", str(n)) for n in range(len(_compiled(request.quick)))]
    points = [
        StudyPoint({"part": part, "name": name, "preset": preset, "sources": digest})
        for part, name in wanted
        if part in chosen
    ]
    store = request.store or default_store()
    rows = results(measured(STUDY, store, points, evaluate, workers=1, say=say))
    parts = [one.inputs["part"] for one in points]
    memory = [row for row, part in zip(rows, parts, strict=True) if part == "memory"]
    programs = [row for row, part in zip(rows, parts, strict=True) if part != "memory"]
    return CheckCostsResult(
        programs=tuple(CheckedProgram(**_frozen(row)) for row in programs),
        memory=tuple(MemoryRow(**row) for row in memory),
    )


def _frozen(row: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in row.items()}


def evaluate(inputs: Mapping[str, Any]) -> PointOutcome:
    """The row of a program."""
    part, name, preset = inputs["part"], inputs["name"], inputs["preset"]
    if part == "memory":
        row = memory_row(name)
    elif part == "compilers":
        row = _compiled_row(int(name), quick=preset == QUICK_PRESET)
    else:
        row = _checked(_sample(name) if part == "samples" else _workload(name, preset))
    return PointOutcome(facts={"result": row})


_TIMES = "{:.2f}"

BENCHMARK: Benchmark[CheckCostsResult] = Benchmark(
    name="check-costs",
    about="What check says of kernels that are right, and its slowdown and memory.",
    takes="60 minutes",
    result=":CheckCostsResult",
    measure=":measure",
    parts="programs",
    goals=(
        Goal("false_alarms", 0.0),
        Goal("memcheck_slowdown", 3.0),
        Goal("every_slowdown", 8.0),
        Goal("most_initialised", 3.0),
        Goal("most_races", 8.0),
    ),
    sections=(
        Table("Errors", "programs",
              ("group", "program", "errors", "shown", Shown("told", words="; ".join)),
              left=(0, 1, 4), wrap=(1, 4), chosen=lambda one: one.errors > 0),
        Table("Costs", "programs",
              ("program", "plain", column("memcheck_times", form=_TIMES),
               column("every_times", form=_TIMES)),
              left=(0,), top=80, order=lambda one: one.every_times or 0.0,
              chosen=lambda one: one.every_times is not None),
        Table("Memory", "memory", ("program", "buffers_mb", "initialised", "races"), left=(0,)),
        Table("Not checked", "programs",
              ("group", "program", Shown("not_checked", words="; ".join)),
              left=(0, 1, 2), wrap=(1, 2), chosen=lambda one: bool(one.not_checked)),
    ),
    data=("samples/**/*.ptx*", "samples/**/*.toml", "samples/workloads/*/program.py"),
)  # fmt: skip
