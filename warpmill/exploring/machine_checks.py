"""Whether every value of a space's parameters makes a machine: found out before anything runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from warpmill.analyzer.base.diagnostics import WarpmillError
from warpmill.exploring.space import ExploredSpace
from warpmill.simulator.machines.model import Machine
from warpmill.simulator.regression.parameters import Value, words_of


@dataclass(frozen=True)
class Wrong:
    """A value, by its parameter and place, with which there is no machine, and why."""

    parameter: str
    place: int
    words: str


def check_machines(space: ExploredSpace) -> Iterator[Wrong]:
    """Make a machine of each value of each parameter, the others being as in the first point.

    Where conditions do not allow that, they are as in the first point that has the value. Values
    that no allowed point has are wrong as well.
    """
    seen: set[tuple[Value, ...]] = set()
    for column, each in enumerate(space.parameters):
        for place in range(len(each.parameter.values)):
            point = _first_with(space, column, place)
            if point is None:
                yield Wrong(each.name, place, "no point that meets the conditions has this value")
                continue
            if tuple(point.values()) in seen:
                continue
            seen.add(tuple(point.values()))
            words = problem_of(space, point)
            if words is not None:
                yield Wrong(each.name, place, f"the point {words_of(point)} is no machine: {words}")


def problem_of(space: ExploredSpace, point: dict[str, Value]) -> str | None:
    """Reason why a point is no machine that can be simulated; None where it is one."""
    try:
        return problem_of_machine(space.machine(point))
    except WarpmillError as error:
        return "; ".join(d.message for d in error.diagnostics)


def problem_of_machine(machine: Machine) -> str | None:
    """Reason why a machine cannot be simulated; None where it can be."""
    from warpmill.simulator.gpu.spec import specify  # noqa: PLC0415 - the engine is slow to load

    try:
        specify(machine, 0)
    except WarpmillError as error:
        return "; ".join(d.message for d in error.diagnostics)
    except (ArithmeticError, ValueError) as error:  # sizes that cannot be divided
        return str(error)
    return None


def _first_with(space: ExploredSpace, column: int, place: int) -> dict[str, Value] | None:
    """The first allowed point in which a parameter has its value at a place."""
    ranks = []
    for part in space.design.parts:
        rank = 0
        if column in part.columns:
            there = np.flatnonzero(part.rows[:, part.columns.index(column)] == place)
            if not len(there):
                return None
            rank = int(there[0])
        ranks.append(rank)
    codes = space.design.codes_of_ranks(np.array([ranks], dtype=np.int64))
    return space.design.points_of(codes)[0]
