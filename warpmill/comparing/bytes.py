"""Whether two builds touch the same bytes, however these are cut into accesses and iterations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

from warpmill.analyzer.analyses.values.symbolic import (
    Atom,
    AtomKind,
    Expression,
    number,
    substitute,
)
from warpmill.comparing.blocks import Accessed

Cell = tuple[Expression, int]
"""One byte: what is not constant in its address, and the constant."""

MOST_POINTS = 1 << 12
MOST_CELLS = 1 << 18
"""Iterations of one access, and bytes of all, beyond which they are not compared."""


def same_bytes(a: Sequence[Accessed], b: Sequence[Accessed]) -> bool | None:
    """Whether a thread touches the same bytes by the accesses of one build and of another.

    None where that cannot be told: where an address is not decided, where there are too many, and
    where they are other formulas that may stand for one number: ``n - 2 * (n / 2)``, ``n & 1``.
    """
    if any(access.points is None for access in (*a, *b)):
        return None
    if _written(a) == _written(b):
        return True
    if sum(map(_size, (*a, *b))) > MOST_CELLS or max(map(_steps, (*a, *b))) > MOST_POINTS:
        return None
    left, right = ({cell for access in each for cell in _cells(access)} for each in (a, b))
    if left == right:
        return True
    return None if any(AtomKind.OPERATION in rest.kinds() for rest, _ in left ^ right) else False


def _written(accesses: Sequence[Accessed]) -> Counter[tuple[object, ...]]:
    return Counter((a.address, a.shape.width_bytes, a.points) for a in accesses)


def _steps(access: Accessed) -> int:
    return prod(len(values) for _, values in access.points or ())


def _size(access: Accessed) -> int:
    return _steps(access) * (access.shape.width_bytes or 0)


def _cells(access: Accessed) -> Iterator[Cell]:
    """Give the bytes of an access over its iterations."""
    for address in _addresses(access):
        start = next((c for monomial, c in address.terms if not monomial), 0)
        rest = Expression(tuple((m, c) for m, c in address.terms if m))
        yield from ((rest, start + byte) for byte in range(access.shape.width_bytes or 0))


def _addresses(access: Accessed) -> Iterator[Expression]:
    """Put numbers for the counters; by adding up where all steps are numbers."""
    points = access.points or ()
    steps = [access.address.coefficient(atom) for atom, _ in points]
    constants = [None if s is None else s.constant for s in steps]
    values = [v for _, v in points]
    if None not in constants:
        base = _at(access.address, [(atom, 0) for atom, _ in points])
        for point in product(*values):
            moved = sum(i * (c or 0) for i, c in zip(point, constants, strict=True))
            yield base + number(moved)
        return
    for point in product(*values):
        yield _at(access.address, [(a, i) for (a, _), i in zip(points, point, strict=True)])


def _at(address: Expression, values: Sequence[tuple[Atom, int]]) -> Expression:
    now = {atom: number(value) for atom, value in values}
    return substitute(address, now.get)
