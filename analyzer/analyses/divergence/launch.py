"""Values that are the same in all lanes of a warp only because of the launch's block shape.

``tid.y`` differs within a CTA, but not within a warp where the CTA is a multiple of the warp size
wide; ``tid.x / 32`` does not where a warp has 32 lanes. A formula is evaluated for every thread.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from warpmill.analyzer.analyses.divergence.classes import AXES, Affine, is_invariant
from warpmill.analyzer.analyses.values.symbolic import (
    Atom,
    AtomKind,
    Expression,
    number,
    of,
    symbol,
)

if TYPE_CHECKING:
    import numpy as np

    Lanes = np.ndarray[Any, np.dtype[np.int64]]


class ThreadValues(NamedTuple):
    """A value for each thread of a CTA; ``largest`` is the largest magnitude, and 1 at least."""

    lanes: Lanes
    largest: int


@dataclass(frozen=True)
class WarpShape:
    """How the threads of a CTA are cut into warps: its shape and the lanes of a warp.

    Threads go to warps in the order of ``tid.x``, then ``tid.y``, then ``tid.z``.
    """

    block: tuple[int, int, int]
    size: int
    known: dict[Atom, ThreadValues | None] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )
    """Values of atoms that were worked out: formulas share them."""

    def __post_init__(self) -> None:
        if min(*self.block, self.size) < 1:
            raise ValueError(f"no warps of {self.size} lanes in a block of {self.block}")

    @cached_property
    def ids(self) -> dict[str, Lanes]:
        """The special registers that the shape decides, a value for each thread of the CTA."""
        import numpy as np  # noqa: PLC0415 - start-up stays light

        x, y, z = self.block
        thread = np.arange(x * y * z, dtype=np.int64)
        found = {
            "tid.x": thread % x,
            "tid.y": thread // x % y,
            "tid.z": thread // (x * y),
            "laneid": thread % self.size,
            "warpid": thread // self.size,
        }
        sizes = zip(("ntid.x", "ntid.y", "ntid.z"), self.block, strict=True)
        return found | {name: np.full_like(thread, size) for name, size in sizes}

    def alike(self, lanes: Lanes) -> bool:
        """Whether all lanes of each warp have one value; the last warp may not be full."""
        firsts = lanes[:: self.size].repeat(self.size)[: len(lanes)]
        return bool((lanes == firsts).all())


def warp_uniform(expression: Expression, warps: WarpShape) -> bool:
    """Whether a formula has one value for the lanes of each warp.

    That holds whatever the launch's other values are; False where it cannot be shown. Arithmetic
    is that of unbounded integers.
    """
    if expression.kinds() & _NEVER_INVARIANT:
        return False
    sums: dict[tuple[Atom, ...], Lanes] = {}
    for monomial, coefficient in expression.terms:
        known = [found for a in monomial if (found := _lanes(a, warps)) is not None]
        rest = tuple(a for a in monomial if _lanes(a, warps) is None)
        if not all(is_invariant(of(atom)) for atom in rest):
            return False
        if known:
            product = _product(known, coefficient)
            if product is None:
                return False
            sums[rest] = sums[rest] + product if rest in sums else product
    return all(warps.alike(lanes) for lanes in sums.values())


def affine_is_warp_uniform(value: Affine, warps: WarpShape) -> bool:
    """Whether the steps of an affine value cancel out within each warp."""
    spread = number(0)
    for factor, axis in zip(value.coefficients, AXES, strict=True):
        spread = spread + factor * symbol(AtomKind.SPECIAL, axis)
    return warp_uniform(spread, warps)


def _lanes(atom: Atom, warps: WarpShape) -> ThreadValues | None:
    """An atom's value for each thread; None where more than the shape decides it."""
    if atom not in warps.known:
        found = _worked_out(atom, warps)
        if len(warps.known) >= _MOST_KNOWN:
            warps.known.clear()
        warps.known[atom] = found
    return warps.known[atom]


def _worked_out(atom: Atom, warps: WarpShape) -> ThreadValues | None:
    if atom.kind is AtomKind.SPECIAL:
        lanes = warps.ids.get(atom.name)
        return None if lanes is None else _values(lanes)
    if atom.kind is not AtomKind.OPERATION or atom.name not in _ON_LANES or atom.key >= 0:
        return None
    operands: list[Lanes] = []
    for operand in atom.operands:
        found = _evaluated(operand, warps)
        if found is None:
            return None
        operands.append(found)
    if len(operands) < 2 or (atom.name in _DIVISIONS and not operands[1].all()):
        return None
    return _values(_operation(atom.name)(operands[0], operands[1]))


def _evaluated(expression: Expression, warps: WarpShape) -> Lanes | None:
    """A formula's value for each thread; None where more than the shape decides it."""
    total = warps.ids["tid.x"] * 0
    for monomial, coefficient in expression.terms:
        factors = [_lanes(atom, warps) for atom in monomial]
        known = [f for f in factors if f is not None]
        if len(known) < len(factors):
            return None
        product = _product(known, coefficient)
        if product is None:
            return None
        total = total + product
    return total


def _values(lanes: Lanes) -> ThreadValues:
    return ThreadValues(lanes, max(1, int(abs(lanes).max())))


def _product(factors: list[ThreadValues], coefficient: int) -> Lanes | None:
    """Multiply; None where that is too large for the 64 bits that it is done in."""
    largest = abs(coefficient)
    for factor in factors:
        largest *= factor.largest
    if largest >= _LIMIT:
        return None
    import numpy as np  # noqa: PLC0415 - start-up stays light

    product = np.asarray(coefficient)
    for factor in factors:
        product = product * factor.lanes
    return product


_LIMIT = 1 << 57
"""Sums of a few dozen products stay within 64 bits."""

_MOST_KNOWN = 1 << 12
"""Atoms whose values are kept: some dozen MB for the largest CTA."""

_NEVER_INVARIANT = frozenset(
    {
        AtomKind.COUNTER, AtomKind.LOAD, AtomKind.MERGE, AtomKind.CARRIED, AtomKind.UNKNOWN,
    }
)  # fmt: skip
"""Kinds of atoms that keep a formula from being worked out, wherever they stand in it."""

_DIVISIONS = frozenset({"floordiv", "div", "rem", "ceildiv"})
_ON_LANES = frozenset({*_DIVISIONS, "min", "max", "and", "or", "xor"})
"""Operations of formulas that are evaluated for each thread."""


def _operation(name: str) -> Callable[[Lanes, Lanes], Lanes]:
    import numpy as np  # noqa: PLC0415 - start-up stays light

    table: dict[str, Callable[[Lanes, Lanes], Lanes]] = {
        "floordiv": np.floor_divide,
        "div": lambda a, b: (a - np.fmod(a, b)) // b,
        "rem": np.fmod,
        "ceildiv": lambda a, b: -(-a // b),
        "min": np.minimum,
        "max": np.maximum,
        "and": np.bitwise_and,
        "or": np.bitwise_or,
        "xor": np.bitwise_xor,
    }
    return table[name]
