"""Kernels run with sanitizers watching them, to the end or as far as they come; and numerics."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.analyses.ranges.assumptions import AssumedRange
from warpmill.analyzer.base.diagnostics import LimitError, Severity, words_of
from warpmill.analyzer.ir.kernel import Instruction, Kernel
from warpmill.analyzer.ir.types import OpClass, Place
from warpmill.analyzer.launch.numbering import unravel_index
from warpmill.analyzer.traces.source import StaticSource
from warpmill.analyzer.traces.static.overruns import reach_words
from warpmill.executor.faults import ExecutionFault
from warpmill.executor.launching import Execution
from warpmill.executor.sanitizers.exact_integers import original_places, with_exact_accesses
from warpmill.executor.sanitizers.findings import (
    BY_DEFAULT,
    WIDE_INDEX_HINT,
    Finding,
    FindingKind,
    FoundAccess,
    Tool,
    Tools,
    merged,
)
from warpmill.executor.sanitizers.sanitizer import Sanitizer
from warpmill.session.jobs import Job
from warpmill.session.options import RunOptions
from warpmill.session.proofs import ProvenLaunches, check_sizes, proven_launches
from warpmill.session.runs import Buffer, LaunchRun, Run


@dataclass(frozen=True)
class CheckedRun:
    """Findings of a run by the tools that watched it, in the order in which they came.

    ``run`` is None where a fault ended it, and where single launches were watched. What came after
    a fault was not checked. ``limit`` says why nothing was executed: static analysis alone has
    found the findings then. ``lost`` counts findings beyond those that are kept of each launch,
    ``not_checked`` says what was executed and not checked. ``schedules`` are the orders of warps
    and CTAs that it was executed in. ``proven`` is what proofs tell,
    ``approximations`` are thread instructions by opcode, None where nobody asked for them.
    """

    tools: tuple[Tool, ...]
    launches: int
    findings: tuple[Finding, ...]
    run: Run | None = None
    ended_by_fault: bool = False
    lost: int = 0
    not_checked: tuple[str, ...] = ()
    limit: str | None = None
    schedules: int = 1
    proven: ProvenLaunches = field(default_factory=ProvenLaunches)
    approximations: Mapping[str, int] | None = None


def checked(
    tools: Collection[str],
    options: RunOptions,
    run: Callable[[RunOptions], Run],
    jobs: Callable[[], Sequence[Job]] | None = None,
    schedules: int = 0,
    ranges: Mapping[str, AssumedRange] = MappingProxyType({}),
) -> CheckedRun:
    """Let ``run`` run with sanitizers watching; no tools: those of ``BY_DEFAULT``.

    Proofs alone execute nothing. Where a limit lets nothing be executed, static analysis of the
    launches, where there are ``jobs``, says what it can; LimitError where that is nothing. So many
    further ``schedules`` are runs in other orders, of which what was not found before is told.
    ``ranges`` are of sizes that proofs take from them alone; UsageError for what is no size.
    """
    wanted = frozenset(map(Tool, tools)) or BY_DEFAULT
    if ranges and jobs is not None:
        check_sizes(ranges, jobs())
    watching = wanted - {Tool.PROOFS}
    found = CheckedRun((), 0, ())
    if watching:
        found = _watched(watching, options, run, jobs, schedules)
    if Tool.NUMERICS in wanted and found.run is not None and not found.ended_by_fault:
        found = _with_numerics(found, _numerics_of(run, options, max(1, schedules)))
    if Tool.PROOFS in wanted:
        found = _with_proofs(found, proven_launches(None if jobs is None else jobs(), ranges))
    return found


def _with_numerics(found: CheckedRun, more: _NumericsOfRuns) -> CheckedRun:
    return replace(
        found,
        findings=(*found.findings, *more.findings),
        not_checked=(*found.not_checked, *more.not_checked),
        approximations=more.approximations,
    )


def _with_proofs(found: CheckedRun, proven: ProvenLaunches) -> CheckedRun:
    lacking = () if proven.lacking is None else (proven.lacking,)
    return replace(
        found,
        tools=(*found.tools, Tool.PROOFS),
        launches=found.launches or len(proven.launches),
        findings=(*found.findings, *proven.findings),
        not_checked=(*found.not_checked, *lacking),
        proven=proven,
    )


def _watched(
    wanted: Tools,
    options: RunOptions,
    run: Callable[[RunOptions], Run],
    jobs: Callable[[], Sequence[Job]] | None,
    schedules: int,
) -> CheckedRun:
    """What sanitizers find in a run."""
    sanitizer = Sanitizer(wanted)
    done: Run | None = None
    limit: str | None = None
    ended_by_fault = False
    try:
        done = run(replace(options, sanitizer=sanitizer))
    except ExecutionFault:
        ended_by_fault = True
        if not sanitizer.findings:
            raise  # of no launch that was watched
    except LimitError as error:
        limit = words_of(error)
        if not sanitizer.launches and jobs is not None:
            for number, job in enumerate(jobs()):
                found = static_findings(job, number)
                if found is None:
                    words = (
                        f"{job.required_launch().name}: its grid is too large for static analysis"
                    )
                    sanitizer.not_checked.append(words)
                sanitizer.findings += [one for one in found or () if one.tool in wanted]
        if not sanitizer.findings:
            raise
    if limit is None:
        for order in range(1, schedules + 1):
            _check_again(sanitizer, replace(options, order=order), run)
    times = 1 + schedules if limit is None else 1
    every = found_by(sanitizer, ended_by_fault=ended_by_fault)
    return replace(every, run=done, limit=limit, schedules=times)


def found_by(sanitizer: Sanitizer, *, ended_by_fault: bool = False) -> CheckedRun:
    """What a sanitizer has found in the launches so far."""
    return CheckedRun(
        tools=tuple(tool for tool in Tool if tool in sanitizer.tools),
        launches=sanitizer.launches,
        findings=merged(sanitizer.findings),
        ended_by_fault=ended_by_fault,
        lost=sanitizer.lost,
        not_checked=tuple(sanitizer.not_checked),
    )


def _check_again(
    sanitizer: Sanitizer, options: RunOptions, run: Callable[[RunOptions], Run]
) -> None:
    """Run in another order, and add what was not found before."""
    other = Sanitizer(sanitizer.tools)
    try:
        run(replace(options, sanitizer=other))
    except ExecutionFault:
        if not other.findings:
            raise
    except LimitError as error:
        other.not_checked.append(f"schedule {options.order}: {words_of(error)}")
    known = {one.key for one in sanitizer.findings}
    new = [one for one in other.findings if one.key not in known]
    sanitizer.findings += [replace(one, schedule=options.order) for one in new]
    sanitizer.lost += other.lost
    told = [words for words in other.not_checked if words not in sanitizer.not_checked]
    sanitizer.not_checked += told


# Accesses of a launch that leave their buffers, by static analysis: nothing is executed.
#
# It is for launches that this computer cannot hold. Only what a launch does for certain is told.

MOST_CTAS = 1 << 20
"""CTAs of a grid that are looked at; a larger one is not."""


def static_findings(job: Job, number: int) -> list[Finding] | None:
    """Overruns of a launch; where exact integers do not make them, a 32-bit index has wrapped.

    None where its grid is too large. InputError and LimitError as walks raise them.
    """
    launch = job.required_launch()
    if math.prod(launch.grid) > MOST_CTAS:
        return None
    reaches = _reaches(job, job.kernel)
    if not reaches:
        return []
    exact = with_exact_accesses(job.kernel)
    meant: Mapping[Place, Any] = reaches
    if exact is not job.kernel:
        places = original_places(job.kernel, exact)
        meant = {places[place]: reach for place, reach in _reaches(job, exact).items()}
    return [
        _finding(job, number, place, reach_words(*reach), wraps=meant.get(place) != reach)
        for place, reach in sorted(reaches.items())
    ]


def _reaches(job: Job, kernel: Kernel) -> Mapping[Place, Any]:
    launch, module = job.required_launch(), job.loaded.module
    structure = (
        job.analysis.structure if kernel is job.kernel else analyse_structure(kernel, module)
    )
    source = StaticSource(module, structure, launch)
    ctas = [unravel_index(k, launch.grid) for k in range(math.prod(launch.grid))]
    source.grouped(ctas)
    return source.reaches


def _finding(job: Job, number: int, place: Place, words: str, *, wraps: bool) -> Finding:
    instruction = job.kernel.blocks[place[0]].instructions[place[1]]
    opcode, source = instruction.operation.opcode, job.loaded.source
    access = FoundAccess(
        what="access",
        instruction=place,
        opcode=opcode,
        file=source.name,
        span=instruction.span,
        excerpt=source.line(instruction.span.line),
        debug=instruction.debug,
        cta=None,
        thread=None,
        warp=None,
        bytes=instruction.operation.width_bytes,
    )
    why = "32-bit overflow: " if wraps else ""
    return Finding(
        tool=Tool.OVERFLOW if wraps else Tool.MEMCHECK,
        kind=FindingKind.WRAPPED_ADDRESS if wraps else FindingKind.OUT_OF_BOUNDS,
        severity=Severity.ERROR,
        kernel=job.kernel.name,
        launch=number,
        message=f"{why}`{opcode}` goes up to {words}",
        access=access,
        space=instruction.operation.space,
        nearest=words,
        hint=WIDE_INDEX_HINT if wraps else None,
    )


# Results that hang on an order, and approximations, of whole runs.


@dataclass(frozen=True)
class _NumericsOfRuns:
    """Buffers that another order of warps and CTAs leaves otherwise, as findings.

    ``approximations`` are thread instructions by opcode, ``not_checked`` says what did not run.
    """

    findings: tuple[Finding, ...] = ()
    approximations: Mapping[str, int] | None = None
    not_checked: tuple[str, ...] = ()


def _numerics_of(
    run: Callable[[RunOptions], Run], options: RunOptions, orders: int
) -> _NumericsOfRuns:
    """Run without sanitizers, and in so many other orders, and compare what is left."""
    try:
        first = run(options)
        others = [run(replace(options, order=order)) for order in range(1, orders + 1)]
    except (ExecutionFault, LimitError) as error:
        why = f"{Tool.NUMERICS}: no results of several orders to compare: {words_of(error)}"
        return _NumericsOfRuns(not_checked=(why,))
    found: dict[str, Finding] = {}
    for order, other in enumerate(others, 1):
        for name, finding in _differences(first, other, order):
            found.setdefault(name, finding)
    return _NumericsOfRuns(tuple(found.values()), _approximations(first.launches))


def _differences(first: Run, other: Run, order: int) -> Iterator[tuple[str, Finding]]:
    there = {buffer.name: buffer for buffer in other.buffers}
    for buffer in first.buffers:
        match = there.get(buffer.name)
        if match is None or match.sha256 != buffer.sha256:
            yield buffer.name, _of_order(first, buffer, match, order)


def _of_order(run: Run, buffer: Buffer, other: Buffer | None, order: int) -> Finding:
    numbers = range(len(run.launches))
    with_atomics = [n for n in numbers if any(_atomics(run.launches[n]))]
    launch = with_atomics[0] if with_atomics else 0
    details = dict.fromkeys(
        f"{words} in {run.launches[n].launched.kernel.kernel.name}"
        for n in with_atomics
        for words in _atomics(run.launches[n])
    )
    return Finding(
        tool=Tool.NUMERICS,
        kind=FindingKind.ORDER,
        severity=Severity.WARNING,
        kernel=run.launches[launch].launched.kernel.kernel.name,
        launch=launch,
        message=f"`{buffer.name}` hangs on the order of warps and CTAs: "
        f"{'it has another shape' if other is None else _difference(buffer, other)}",
        details=tuple(details)[:_MOST_DETAILS],
        hint="sum in a fixed order (within a CTA first, then over CTAs), or in integers; where "
        "several stores go to one address, racecheck tells them",
        schedule=order,
    )


_MOST_DETAILS = 8


def _difference(one: Buffer, other: Buffer) -> str:
    a, b = one.values, other.values
    if a.shape != b.shape:
        return f"its shape is {a.shape} or {b.shape}"
    bits = f"u{a.dtype.itemsize}"
    apart: Any = a != b if a.dtype.names else a.view(bits) != b.view(bits)
    words = f"{int(apart.sum()):,} of {a.size:,} elements differ"
    if a.dtype.kind != "f":
        return words
    with np.errstate(all="ignore"):
        x, y = a[apart].astype(np.float64), b[apart].astype(np.float64)
        shares = np.abs(x - y) / np.maximum(np.abs(x), np.abs(y))
    return f"{words}, by {100 * float(np.nanmax(shares, initial=0.0)):.3g} % at most"


def _atomics(launch: LaunchRun) -> Iterator[str]:
    for instruction, _ in _executed(launch):
        if instruction.operation.op_class is OpClass.ATOMIC:
            yield f"line {instruction.span.line}: {instruction.operation.opcode}"


def _executed(launch: LaunchRun) -> Iterator[tuple[Instruction, int]]:
    """The instructions that were executed, and by how many threads in all."""
    execution = launch.launched.counts.execution
    if isinstance(execution, Execution):
        threads = execution.block_threads.tolist()
        for block, count in zip(execution.kernel.blocks, threads, strict=True):
            if count:
                yield from ((instruction, count) for instruction in block.instructions)


def _approximations(launches: Sequence[LaunchRun]) -> Mapping[str, int]:
    """Thread instructions of operations that round coarsely or flush subnormals, by opcode."""
    found: Counter[str] = Counter()
    for launch in launches:
        for instruction, count in _executed(launch):
            if {"approx", "ftz"} & set(instruction.operation.modifiers):
                found[instruction.operation.opcode] += count
    return dict(sorted(found.items(), key=lambda one: (-one[1], one[0])))
