"""Machine code of measured operations on a target, so that instructions are counted.

A link of a chain is a line of PTX; where a chip has two instructions for it, its machine keys are
still those of one. Simple integer instructions have two pipes since Volta: the lanes of their own
show only while something else keeps the other one busy.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from warpmill.calibration.probes import ProbedMachine
from warpmill.codegen.microbench.frame import (
    MeasuredOperation,
    NamedRegisters,
    copied,
    measured_operations,
    names_in,
    own_of,
)
from warpmill.simulator.assembler.values import Mix, OpcodeGroup, expansion_table, mix_of

_FILLS = {"fma": "int_mad"}
"""Fillers that keep a pipe busy, one for each instruction that might go there.

Multiplications of integers are as slow as other integers on every chip; where fp32 has twice their
lanes, an SM could not issue as many of those as fill the pipe.
"""

_TWO_PIPES = 70
"""Compute capability from which on units with a second pipe use it."""


def instructions(operation: MeasuredOperation, target: ProbedMachine) -> int:
    """Count the machine instructions of a link."""
    return sum(1 if mix is None else mix.total for _, mix in _mixes(operation, target))


def apiece(operation: MeasuredOperation, target: ProbedMachine) -> float:
    """How many instructions an operation is that its keys are of, 1 where that is not known.

    They are those of the unit that has its issue interval; where no unit has it, as with divisions,
    the keys are of all that the operation becomes.
    """
    mixes = [mix for _, mix in _mixes(operation, target) if mix is not None]
    counts = [sum(n for u, n in _units(mix) if u.interval == operation.interval) for mix in mixes]
    own = [n for n in counts if n]
    return sum(own) / len(own) if own else 1.0


def filler(operation: MeasuredOperation, target: ProbedMachine) -> MeasuredOperation | None:
    """Filler of the second pipe that instructions might go to; None: they have one."""
    for _, mix in _mixes(operation, target):
        for fill in _fills(operation, mix, target):
            return fill
    return None


def beside(operation: MeasuredOperation, copies: int, target: ProbedMachine) -> MeasuredOperation:
    """So many chains of an operation as one, with what keeps the second pipe busy.

    That comes by turns with the operation, in chains of its own; nothing waits for it.
    """
    chains = copied(operation.code, copies)
    first = 1 + max(int(name[1:]) for name in own_of(names_in("; ".join(chains))))
    statements: list[str] = []
    for number, (_, mix) in enumerate(_mixes(operation, target)):
        fills = [one.code for one in _fills(operation, mix, target)]
        for copy in range(copies):
            statements.append(chains[number * copies + copy])
            places = (first + k * copies + copy for k in range(len(fills)))
            statements += [copied(f, 1 + at)[-1] for f, at in zip(fills, places, strict=True)]
    name = f"{operation.name}_beside_{copies}"
    return replace(operation, name=name, code="; ".join(statements), pad="")


def _fills(
    operation: MeasuredOperation, mix: Mix | None, target: ProbedMachine
) -> Iterator[MeasuredOperation]:
    """Fillers that keep the second pipe busy for as long as a statement might."""
    if mix is None or (target.machine_code or 0) < _TWO_PIPES:
        return
    for unit, count in _units(mix):
        if unit.interval == operation.interval and unit.also in _FILLS:
            yield from [measured_operations()[_FILLS[unit.also]]] * count


def _mixes(operation: MeasuredOperation, target: ProbedMachine) -> Iterator[tuple[str, Mix | None]]:
    """Machine instructions of each statement of a link; None where it is executed as it is."""
    scope = NamedRegisters()
    for statement in operation.statements:
        code = target.machine_code
        yield statement, None if code is None else mix_of(scope.write(statement), code)


def _units(mix: Mix) -> Iterator[tuple[OpcodeGroup, int]]:
    yield from ((expansion_table().units[name], n) for name, n in mix.counts)
