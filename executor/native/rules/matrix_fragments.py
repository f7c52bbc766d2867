"""Where the elements of matrices lie in the lanes' registers, and products of matrices so held.

A fragment is the part of a matrix that one lane holds: so many elements, packed into registers from
the low bits. All that is exchanged between lanes is known when code is written, so that a product
is constant shuffles and fused multiply-adds of whole vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.values import LlvmValue

Place = tuple[int, int, int]
"""Block (of instructions that multiply several pairs at once, else 0), row and column."""

WARP = 32
"""Lanes that a matrix instruction of PTX is defined for; wider warps run it in each 32."""


@dataclass(frozen=True)
class FragmentLayout:
    """The place in its matrix of each element, by element and then by lane."""

    places: tuple[tuple[Place, ...], ...]

    @cached_property
    def holders(self) -> dict[Place, tuple[int, int]]:
        """The lane and the element that hold each place; the first where several do."""
        found: dict[Place, tuple[int, int]] = {}
        for element, lanes in enumerate(self.places):
            for lane, place in enumerate(lanes):
                found.setdefault(place, (lane, element))
        return found


def layout(count: int, place: Callable[[int, int], Place], lanes: int = WARP) -> FragmentLayout:
    """Make a layout of ``count`` elements a lane from ``place(lane, element)``."""
    return FragmentLayout(
        tuple(tuple(place(lane, i) for lane in range(lanes)) for i in range(count))
    )


@dataclass(frozen=True)
class MatrixShape:
    """Rows of A and D, columns of B and D, and the depth that is summed over."""

    m: int
    n: int
    k: int

    @classmethod
    def read(cls, word: str) -> MatrixShape:
        """Read ``m16n8k16``."""
        m, _, rest = word[1:].partition("n")
        n, _, k = rest.partition("k")
        return cls(int(m), int(n), int(k))


# The fragments of mma (PTX ISA 9.0, section 9.7.14.5, "Matrix Fragments"). Its many tables say one
# thing: eight groups of four lanes; a group has a row of A and of D or a column of B, the lanes
# within it take turns along the other side by registers of ``per`` elements (by two in D), and
# further registers go on eight rows down first, then to the side. wmma's fragments, which the
# manual leaves open, are laid out alike: more tiles of eight rows or columns in the same order.


@lru_cache(maxsize=256)
def left(shape: MatrixShape, per: int) -> FragmentLayout:
    """Lay out A with ``per`` elements to a register."""
    tiles = shape.m // 8

    def place(lane: int, i: int) -> Place:
        register, part = divmod(i, per)
        row = lane // 4 + 8 * (register % tiles)
        return 0, row, lane % 4 * per + part + 4 * per * (register // tiles)

    return layout(shape.m * shape.k // WARP, place)


@lru_cache(maxsize=256)
def right(shape: MatrixShape, per: int) -> FragmentLayout:
    """Lay out B with ``per`` elements to a register."""
    tiles = shape.k // (4 * per)

    def place(lane: int, i: int) -> Place:
        register, part = divmod(i, per)
        row = lane % 4 * per + part + 4 * per * (register % tiles)
        return 0, row, lane // 4 + 8 * (register // tiles)

    return layout(shape.k * shape.n // WARP, place)


@lru_cache(maxsize=64)
def result(shape: MatrixShape) -> FragmentLayout:
    """Lay out C and D."""
    tiles = shape.m // 8

    def place(lane: int, i: int) -> Place:
        tile, part = divmod(i, 2)
        row = lane // 4 + 8 * (tile % tiles)
        return 0, row, lane % 4 * 2 + part + 8 * (tile // tiles)

    return layout(shape.m * shape.n // WARP, place)


@dataclass
class Fragment:
    """The elements of a matrix that is spread over the lanes."""

    emitter: Emitter
    layout: FragmentLayout
    elements: Sequence[LlvmValue]
    _picked: dict[tuple[tuple[int, int], ...], LlvmValue] = field(default_factory=dict)

    def pick(self, places: Sequence[Place]) -> LlvmValue:
        """Give each lane the element at a place of its own."""
        key = tuple([self.layout.holders[place] for place in places])
        if key not in self._picked:
            self._picked[key] = self._exchange(key)
        return self._picked[key]

    def _exchange(self, holders: tuple[tuple[int, int], ...]) -> LlvmValue:
        e, span = self.emitter, len(holders)
        order = [lane - lane % span + holders[lane % span][0] for lane in range(e.lanes)]
        needed = sorted({element for _, element in holders})
        moved = None
        for element in needed:
            value = e.vector(self.elements[element])
            value = value if order == list(range(e.lanes)) else e.permute(value, order)
            mine = [holders[lane % span][1] == element for lane in range(e.lanes)]
            moved = value if moved is None else e.select(lane_mask(mine), value, moved)
        assert moved is not None
        return moved


def lane_mask(lanes: Sequence[bool]) -> LlvmValue:
    """Give a constant i1 a lane."""
    return LlvmValue(f"<{', '.join(['i1 true' if on else 'i1 false' for on in lanes])}>", "i1")


def lane_constants(e: Emitter, numbers: Sequence[int], type_: str) -> LlvmValue:
    """Give a constant a lane; those of fewer lanes repeat."""
    words = [f"{type_} {numbers[lane % len(numbers)]}" for lane in range(e.lanes)]
    return LlvmValue(f"<{', '.join(words)}>", type_)


Accumulate = Callable[[LlvmValue, LlvmValue, LlvmValue], LlvmValue]
"""Adds the product of two elements to a sum: ``accumulate(a, b, total)``."""


def product(  # noqa: PLR0913, PLR0917 - the parts of a product
    a: Fragment,
    b: Fragment,
    out: FragmentLayout,
    start: Sequence[LlvmValue],
    depth: int,
    add: Accumulate,
) -> list[LlvmValue]:
    """Give the elements of ``start + a × b``, laid out by ``out``.

    Each element starts from that of ``start`` and takes its ``depth`` products one by one, in the
    order of A's columns.
    """
    sums = list(start)
    for k in range(depth):
        for i, places in enumerate(out.places):
            x = a.pick([(block, row, k) for block, row, _ in places])
            y = b.pick([(block, k, column) for block, _, column in places])
            sums[i] = add(x, y, sums[i])
    return sums
