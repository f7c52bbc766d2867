"""Latencies of operations, from one chain in one warp (Table I)."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

from warpmill.calibration.chain_costs import MeasuredChain, chain_costs, shape
from warpmill.calibration.figures import FittedNumber
from warpmill.calibration.findings import Bound, CalibrationFinding, GroupFindings, Missing, found
from warpmill.calibration.machine_code import apiece
from warpmill.calibration.probes import ProbedMachine, ProbeRunner
from warpmill.codegen.microbench.frame import MeasuredOperation, measured_operations

_CLOSE = 1.05
_SAME_CYCLES = 0.5
_NO_CYCLES = 0.01


def able(target: ProbedMachine, names: Sequence[str] | None = None) -> list[MeasuredOperation]:
    """List the operations that a target has; of ``names`` those, and what they are measured by."""
    table = measured_operations()
    wanted = list(table if names is None else names)
    for name in wanted:  # grows as it goes
        others = (table[name].minus, *table[name].pads)
        wanted += [other for other in others if other is not None and other not in wanted]
    return [o for o in table.values() if o.name in wanted and not why_not(target, o)]


def why_not(target: ProbedMachine, operation: MeasuredOperation) -> str:
    """Reason why a target does not have an operation; empty where it does."""
    if operation.least > target.capability:
        return f"{operation.opcodes[0]} needs compute capability {operation.least / 10}"
    lacking = [key for key in operation.keys if key in target.lacks]
    return f"{target.name} has no value for {lacking[0]}" if lacking else ""


def latencies(runner: ProbeRunner, names: Sequence[str] | None = None) -> GroupFindings:
    """Measure the latency of every operation, or of ``names``, that has a key for it, in cycles.

    Where a link takes no longer than its pipe is held by it, the chain is lengthened on other
    pipes; what those take by themselves is taken off again.
    """
    operations = able(runner.target, names)
    one = shape(runner.target, 1, 1)
    plain = chain_costs(runner, [MeasuredChain(o, one) for o in operations])
    costs = {o.name: cost for o, cost in zip(operations, plain, strict=True)}
    gone = {o.name for o in operations if is_timeless(costs[o.name])}
    missing = [
        Missing(o.latency, why)
        for o in measured_operations().values()
        if o.latency is not None and (why := why_not(runner.target, o) or _not_told(o, gone))
    ]
    operations = [o for o in operations if not _not_told(o, gone)]
    held = _held(runner, operations, costs)
    findings = [
        _finding(operation, costs, held, apiece(operation, runner.target))
        for operation in operations
        if operation.latency is not None
    ]
    return GroupFindings(tuple(findings), tuple(missing))


def is_timeless(cost: FittedNumber) -> bool:
    """Whether chains take no time, as no operation can."""
    return cost.value < _NO_CYCLES


def timeless(operation: MeasuredOperation) -> str:
    """Reason why nothing is known of an operation whose chains take no time."""
    return f"chains of {', '.join(operation.opcodes)} take no time, as if they were not there"


def _not_told(operation: MeasuredOperation, gone: Collection[str]) -> str:
    """Reason why an operation has no figures where chains of some take no time; empty: it has."""
    if operation.name in gone:
        return timeless(operation)
    others = [measured_operations()[n] for n in (operation.minus, *operation.pads) if n is not None]
    return next((why for other in others if (why := _not_told(other, gone))), "")


def _finding(
    operation: MeasuredOperation,
    costs: Mapping[str, FittedNumber],
    held: Mapping[str, FittedNumber | None],
    instructions: float,
) -> CalibrationFinding:
    """The latency of one machine instruction, of which an operation is so many."""
    figure, note = costs[operation.name], ""
    bound: Bound | None = None
    how = f"dependent chain of {', '.join(operation.opcodes)}"
    lengthened = held.get(operation.name)
    if lengthened is not None:
        figure = lengthened
        how += f", lengthened by {', '.join(operation.pads)}"
    elif operation.name in held:
        bound, note = "most", "its pipe is held for as long"
    if operation.minus is not None:
        figure = figure.plus(_own(measured_operations()[operation.minus], costs), -1.0)
        how += f", less that of {operation.minus}"
    assert operation.latency is not None
    return found(operation.latency, figure.times(1 / instructions), how, bound, note)


def _own(operation: MeasuredOperation, costs: Mapping[str, FittedNumber]) -> FittedNumber:
    """Cost of a link without the other operation that is in it."""
    if operation.minus is None:
        return costs[operation.name]
    other = _own(measured_operations()[operation.minus], costs)
    return costs[operation.name].plus(other, -1.0)


def _held(
    runner: ProbeRunner, operations: Sequence[MeasuredOperation], costs: Mapping[str, FittedNumber]
) -> dict[str, FittedNumber | None]:
    """The latencies of operations whose pipe may hide them, None where it still does."""
    many = shape(runner.target, 1, 4)
    asked = [o for o in operations if o.latency is not None and o.pads]
    intervals = chain_costs(runner, [MeasuredChain(o, many) for o in asked])
    close = {
        o.name: interval.times(1 / many.copies)
        for o, interval in zip(asked, intervals, strict=True)
        if costs[o.name].value <= _CLOSE * interval.value / many.copies + _SAME_CYCLES
    }
    return {o.name: _lengthened(runner, o, close[o.name], costs) for o in asked if o.name in close}


def _lengthened(
    runner: ProbeRunner,
    operation: MeasuredOperation,
    interval: FittedNumber,
    costs: Mapping[str, FittedNumber],
) -> FittedNumber | None:
    """Measure a chain of two greater lengths, and take off what lengthens it.

    Both have to give the same: then nothing waits for the pipe any more.
    """
    taken = [costs[name] for name in operation.pads]
    shortest = min(one.value for one in taken)
    enough = math.ceil(interval.value / shortest) + 1
    one = shape(runner.target, 1, 1)
    numbers = (enough, enough + 2)
    chains = [MeasuredChain(operation, one, pads) for pads in numbers]
    costs_of = chain_costs(runner, chains)
    less, more = (
        _less(cost, taken, pads / operation.links)
        for pads, cost in zip(numbers, costs_of, strict=True)
    )
    return more if abs(less.value - more.value) <= _SAME_CYCLES else None


def _less(cost: FittedNumber, taken: Sequence[FittedNumber], times: float) -> FittedNumber:
    """Take figures off, each so many times."""
    for each in taken:
        cost = cost.plus(each, -times)
    return cost
