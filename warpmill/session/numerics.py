"""What ``numerics`` tells of whole runs: results that hang on an order, approximations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from warpmill.analyzer.base.diagnostics import LimitError, Severity, words_of
from warpmill.analyzer.ir.kernel import Instruction
from warpmill.analyzer.ir.types import OpClass
from warpmill.executor.faults import ExecutionFault
from warpmill.executor.launching import Execution
from warpmill.executor.sanitizers.findings import Finding, FindingKind, Tool
from warpmill.session.options import RunOptions
from warpmill.session.runs import Buffer, LaunchRun, Run


@dataclass(frozen=True)
class NumericsOfRuns:
    """Buffers that another order of warps and CTAs leaves otherwise, as findings.

    ``approximations`` are thread instructions by opcode, ``not_checked`` says what did not run.
    """

    findings: tuple[Finding, ...] = ()
    approximations: Mapping[str, int] | None = None
    not_checked: tuple[str, ...] = ()


def numerics_of(
    run: Callable[[RunOptions], Run], options: RunOptions, orders: int
) -> NumericsOfRuns:
    """Run without sanitizers, and in so many other orders, and compare what is left."""
    try:
        first = run(options)
        others = [run(replace(options, order=order)) for order in range(1, orders + 1)]
    except (ExecutionFault, LimitError) as error:
        why = f"{Tool.NUMERICS}: no results of several orders to compare: {words_of(error)}"
        return NumericsOfRuns(not_checked=(why,))
    found: dict[str, Finding] = {}
    for order, other in enumerate(others, 1):
        for name, finding in _differences(first, other, order):
            found.setdefault(name, finding)
    return NumericsOfRuns(tuple(found.values()), _approximations(first.launches))


def _differences(first: Run, other: Run, order: int) -> Iterator[tuple[str, Finding]]:
    there = {buffer.name: buffer for buffer in other.buffers}
    for buffer in first.buffers:
        match = there.get(buffer.name)
        if match is None or match.sha256 != buffer.sha256:
            yield buffer.name, _finding(first, buffer, match, order)


def _finding(run: Run, buffer: Buffer, other: Buffer | None, order: int) -> Finding:
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
