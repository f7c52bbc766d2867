"""Memory accesses counted as they happen: lanes, 128 B lines, sectors, passes over the banks.

Each place where a kernel accesses a space is a point, and has a row of 64-bit words: the sums so
far, then what the last access cost. Only lanes that are on count. An access whose lanes are as far
apart as the last one's, at the same remainder by a line, costs the same again; most do, and all
others are worked out anew (``access_costs.py``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.launch.addresses import (
    CONST_WINDOW,
    GLOBAL_BASE,
    LOCAL_WINDOW,
    SHARED_WINDOW,
    WINDOW_BYTES,
)
from warpmill.executor.native.access_costs import LINE_BYTES, AccessCosts
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.events import record_access
from warpmill.executor.native.points import Point
from warpmill.executor.native.step import Step
from warpmill.executor.native.structured import when
from warpmill.executor.native.values import Value, constant

SUMS = ("warps", "lanes", "requests", "sectors", "passes", "free_passes")
"""The sums of a point's row, from its first word on; ``free_passes`` are without conflicts."""

_COSTS = SUMS[2:]
_BITS, _REMAINDER, _LAST = 6, 7, 8  # words of the last access; its costs from the last named on
_STEPS = 16  # word at which its distances begin

_WINDOWS = {
    Space.GLOBAL: (GLOBAL_BASE, (1 << 63) - GLOBAL_BASE),
    Space.SHARED: (SHARED_WINDOW, WINDOW_BYTES),
    Space.LOCAL: (LOCAL_WINDOW, WINDOW_BYTES),
    Space.CONST: (CONST_WINDOW, WINDOW_BYTES),
}
"""What a generic address may mean: the spaces' first addresses and bytes."""

_SPACES = (*_WINDOWS, Space.GENERIC)
"""The spaces that are observed here: parameters and tensor memory are not, texels elsewhere."""


def row_words(lanes: int) -> int:
    """Give the words of a point's row."""
    return _STEPS + lanes


def observe(  # noqa: PLR0913 - what is accessed, and how
    step: Step,
    kind: str,
    space: Space,
    where: Value,
    width_bytes: int,
    *,
    mask: Value | None = None,
) -> None:
    """Count a warp's access, and write its addresses down, as far as that was asked for.

    ``where`` are addresses in the space, of ``mask``'s lanes or the instruction's.
    """
    count_access(step, kind, space, where, width_bytes, mask=mask)
    note_access(step, kind, space, where, width_bytes, mask=mask)


def note_access(  # noqa: PLR0913 - as observe
    step: Step,
    kind: str,
    space: Space,
    where: Value,
    width_bytes: int | None,
    *,
    mask: Value | None = None,
) -> None:
    """Write the addresses of an access down, where that was asked for, and do not count it."""
    points = step.points
    if not points.records or space not in _SPACES:
        return
    points.recorded.append(Point(*step.place, kind, space, width_bytes))
    points.written += 1
    bits = step.emitter.bits(step.mask if mask is None else mask)
    record_access(step.emitter, len(points.recorded) - 1, where, bits)


def count_access(  # noqa: PLR0913 - as observe
    step: Step,
    kind: str,
    space: Space,
    where: Value,
    width_bytes: int,
    *,
    mask: Value | None = None,
    aligned: bool = True,
) -> None:
    """Add an access to its sums, where that was asked for: to those of each space it may be to.

    Not ``aligned``: it may begin anywhere.
    """
    points = step.points
    if points.rules is None or space not in _SPACES:
        return
    first = len(points.counted)
    for each in tuple(_WINDOWS) if space is Space.GENERIC else (space,):
        points.counted.append(Point(*step.place, kind, each, width_bytes))
    e = step.emitter
    bits = e.bits(step.mask if mask is None else mask)
    parts = (e.resize(where, "i64"), bits, constant(first, "i64"))
    name = f"count.{space.value}.{width_bytes}{'' if aligned else '.unaligned'}"
    cost = AccessCosts(points.rules, width_bytes, aligned)
    body = _split if space is Space.GENERIC else partial(_count, space=space)
    e.outlined(name, partial(body, costs=cost), *parts)


def count_bulk(  # noqa: PLR0913, PLR0917 - as observe, with the bytes of each lane
    step: Step,
    kind: str,
    space: Space,
    where: Value,
    length: Value,
    width_bytes: int | None,
    piece_bytes: int,
) -> None:
    """Add copies of whole stretches of memory to their sums, where that was asked for.

    ``where`` and ``length`` (i64) are those of each lane, which copies on its own. It is one access
    of ``width_bytes``; where that is None it counts as so many lanes with a piece each.
    """
    points, e = step.points, step.emitter
    if points.rules is None or space not in _WINDOWS:
        return
    row = _Row(e, constant(len(points.counted), "i64"))
    points.counted.append(Point(*step.place, kind, space, width_bytes or piece_bytes))
    on = e.op("and", step.mask, e.compare("ne", length, constant(0, "i64")))
    is_on = e.compare("ne", e.bits(on), constant(0, e.bits(on).type))
    lanes = e.vector(constant(1, "i64"))
    if width_bytes is None:
        lanes = e.op("udiv", length, constant(piece_bytes, "i64"))
    rules = points.rules
    units = {
        "requests": LINE_BYTES,
        "sectors": rules.sector_bytes,
        "passes": rules.banks * rules.bank_width_bytes,
        "free_passes": rules.banks * rules.bank_width_bytes,
    }
    last = e.op("add", where, e.op("sub", length, constant(1, "i64")))

    def add() -> None:
        row.add_to(0, constant(1, "i64"))
        row.add_to(1, _total(e, lanes, on))
        costs = AccessCosts.of(space)
        whole = {kind: _total(e, _granules(e, where, last, units[kind]), on) for kind in costs}
        row.add_costs(costs, [whole[kind] for kind in costs])

    when(e, is_on, add)


def _total(e: Emitter, numbers: Value, on: Value) -> Value:
    return e.reduced("add", e.select(on, numbers, constant(0, "i64")))


def _granules(e: Emitter, first: Value, last: Value, unit: int) -> Value:
    """How many granules a lane touches from its first byte to its last."""
    ends = [e.op("udiv", place, constant(unit, "i64")) for place in (first, last)]
    return e.op("add", e.op("sub", ends[1], ends[0]), constant(1, "i64"))


def _split(e: Emitter, where: Value, bits: Value, first: Value, *, costs: AccessCosts) -> None:
    """Count the lanes of a generic access by the space that their addresses are in."""
    for number, (space, (start, size)) in enumerate(_WINDOWS.items()):
        offset = e.op("sub", where, constant(start, "i64"))
        inside = e.vector(e.compare("ult", offset, constant(size, "i64")))
        own = e.op("and", e.bits(inside), bits)
        row = e.op("add", first, constant(number, "i64"))
        place = where if space is Space.GLOBAL else offset
        _count(e, place, own, row, space=space, costs=costs)


def _count(  # noqa: PLR0913 - an access and its costs
    e: Emitter, where: Value, bits: Value, number: Value, *, space: Space, costs: AccessCosts
) -> None:
    on = e.compare("ne", bits, constant(0, bits.type))
    when(e, on, lambda: _Row(e, number).add(where, bits, space, costs))


@dataclass(frozen=True)
class _Row:
    """The row of one point."""

    emitter: Emitter
    number: Value

    def place(self, word: Value | int) -> str:
        """Give the address of a word."""
        e, name = self.emitter, self.emitter.name()
        start = e.op("mul", self.number, constant(row_words(e.lanes), "i64"))
        index = e.op("add", start, constant(word, "i64") if isinstance(word, int) else word)
        e.raw(f"  {name} = getelementptr i64, ptr {e.context('points').text}, i64 {index.text}")
        return name

    def get(self, word: int) -> Value:
        """Read a word."""
        text = f"load i64, ptr {self.place(word)}"
        return self.emitter.define(text, "i64", uniform=True)

    def set(self, word: int, value: Value) -> None:
        """Write a word."""
        self.emitter.raw(f"  store i64 {value.text}, ptr {self.place(word)}")

    def add(self, where: Value, bits: Value, space: Space, costs: AccessCosts) -> None:
        """Add an access with lanes on."""
        e = self.emitter
        self.add_to(0, constant(1, "i64"))
        self.add_to(1, e.resize(e.call("llvm.ctpop", bits), "i64"))
        kinds = costs.of(space)
        if not kinds:
            return
        if where.uniform and costs.is_one_place(space):
            self.add_costs(kinds, costs.single(e, bits, space))
        else:
            self.add_costs(kinds, self._remembered(e.vector(where), bits, space, costs))

    def add_to(self, word: int, more: Value) -> None:
        """Add to one of the sums."""
        self.set(word, self.emitter.op("add", self.get(word), more))

    def add_costs(self, kinds: Sequence[str], values: Sequence[Value]) -> None:
        """Add to the sums that a space has."""
        for kind, value in zip(kinds, values, strict=True):
            self.add_to(SUMS.index(kind), value)
            if kind == "requests":
                e = self.emitter
                e.set_context("requests", e.op("add", e.context("requests"), value))

    def _remembered(
        self, where: Value, bits: Value, space: Space, costs: AccessCosts
    ) -> tuple[Value, ...]:
        """Give what an access costs: what the last one did where it was alike."""
        e, lanes = self.emitter, self.emitter.lanes
        lowest = e.resize(e.call("llvm.cttz", bits, extra=", i1 true"), "i32")
        first = e.get(e.spill(where), lowest, "i64")
        steps = e.select(e.mask(bits), e.op("sub", where, first), constant(0, "i64"))
        remainder = e.op("and", first, constant(costs.period(space) - 1, "i64"))
        wide = e.resize(bits, "i64")
        steps_place = self.place(_STEPS)
        whole = e.vector_type("i64")
        old = e.define(f"load {whole}, ptr {steps_place}, align 8", "i64", uniform=False)
        same = e.compare("eq", e.bits(e.compare("eq", old, steps)), constant(-1, f"i{lanes}"))
        alike = e.op("and", same, e.compare("eq", self.get(_BITS), wide))
        alike = e.op("and", alike, e.compare("eq", self.get(_REMAINDER), remainder))
        kinds = costs.of(space)

        def work_out() -> None:
            e.raw(f"  store {e.typed(steps)}, ptr {steps_place}, align 8")
            self.set(_BITS, wide)
            self.set(_REMAINDER, remainder)
            moved = e.op("add", steps, remainder)
            for kind, value in zip(kinds, costs.write(e, moved, bits, space), strict=True):
                self.set(_LAST + _COSTS.index(kind), value)

        when(e, e.op("xor", alike, constant(1, "i1")), work_out)
        return tuple(self.get(_LAST + _COSTS.index(kind)) for kind in kinds)
