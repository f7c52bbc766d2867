"""What an operation costs as the machine instructions that it becomes on a chip."""

from __future__ import annotations

from warpmill.analyzer.ir.operation import Operation
from warpmill.analyzer.ir.types import OpClass
from warpmill.simulator.estimate.costs import (
    FREE,
    Cost,
    arithmetic_cost,
    interval_cycles,
    sequence_cycles,
)
from warpmill.simulator.estimate.expansion.table import Mix, OpcodeGroup, expansion_table
from warpmill.simulator.machines.capability import capability_of
from warpmill.simulator.machines.model import Machine

MEMORY = "memory"
"""The unit of loads and stores, which have costs of their own at every visit."""


def becomes_nothing(mix: Mix | None, *, is_free: bool) -> bool:
    """Tell whether an operation that makes no access becomes no machine instruction.

    Its ``mix`` says so where that is known; else whether costs.toml has it among the free ones.
    """
    return is_free if mix is None else not mix.total


def operation_cost(
    operation: Operation, mix: Mix | None, machine: Machine, *, is_free: bool
) -> Cost | None:
    """Give the cost of an operation that makes no access and becomes ``mix``, None if not known.

    Without a mix it is what costs.toml says. FREE as ``becomes_nothing``.
    """
    if becomes_nothing(mix, is_free=is_free):
        return FREE
    if mix is None:
        return arithmetic_cost(operation, machine)
    return arithmetic_mix_cost(operation, mix, machine)


def arithmetic_mix_cost(operation: Operation, mix: Mix, machine: Machine) -> Cost | None:
    """Give the cost of an operation that becomes the machine instructions ``mix``.

    Of a sequence around a reciprocal whose latency the machine tells (``costs.toml`` has its
    ``issues``) that holds; a single instruction has its own, and of others each instruction waits
    for the one before. Matrix products take the time of their shape, which no mix tells; None
    where it is not known.
    """
    if operation.op_class is OpClass.MMA:
        return arithmetic_cost(operation, machine)
    latency = sequence_cycles(operation, machine) if mix.of("sfu") else None
    if latency is None and mix.total == 1:
        own = arithmetic_cost(operation, machine)
        if own is not None and own.pipe == _unit(mix.counts[0][0]).pipe:
            latency = own.latency_cycles
    if latency is None:
        latency = sum(n * float(machine.number(_unit(unit).latency)) for unit, n in mix.counts)
    return _cost(mix, mix.total, machine, latency)


def access_mix_cost(mix: Mix, machine: Machine) -> Cost:
    """Give the cost of what comes with an access; the load-store unit is a server of accesses."""
    rest = Mix(tuple(part for part in mix.counts if part[0] != MEMORY))
    return _cost(rest, mix.total, machine, 0.0)


def _cost(mix: Mix, issues: int, machine: Machine, latency: float) -> Cost:
    """Put the instructions on pipes: a cost has two, the busiest ones."""
    busy: dict[str, float] = {}
    chooses = (capability_of(machine) or 0) >= _VOLTA
    for name, count in mix.counts:
        unit = _unit(name)
        cycles = count * interval_cycles(machine, unit.interval)
        if unit.also and chooses:
            cycles /= 2.0
            busy[unit.also] = busy.get(unit.also, 0.0) + cycles
        busy[unit.pipe] = busy.get(unit.pipe, 0.0) + cycles
    busy.pop("none", None)
    most = sorted(busy, key=lambda pipe: -busy[pipe])
    first, second, *_ = [*most, *("none", "")[len(most) :], ""]
    return Cost(first, busy.get(first, 0.0), issues, latency, second, busy.get(second, 0.0))


_VOLTA = 70
"""From here on compilers put simple integer instructions on the multipliers too, by turns."""


def _unit(name: str) -> OpcodeGroup:
    return expansion_table().units[name]
