"""Memory accesses counted as they happen: lanes, 128 B lines, sectors, passes over the banks.

Each place where a kernel accesses a space is a point, and has a row of 64-bit words: the sums so
far, then what the last access cost. Only lanes that are on count. An access whose lanes are as far
apart as the last one's, at the same remainder by a line, costs the same again; most do, and all
others are worked out anew (``AccessCosts``).

That is the rule of ``analyzer.memory.rules`` as code over vectors of lanes, and has to stand beside
the kernel's own: what data decide seldom costs what the last access did. A gather of 32 lanes takes
70 ns here, and half a microsecond by ``analyzer.memory.shapes``, which goes lane by lane.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.launch.numbering import (
    CONST_WINDOW,
    GLOBAL_BASE,
    LOCAL_WINDOW,
    SHARED_WINDOW,
    WINDOW_BYTES,
)
from warpmill.analyzer.memory.rules import (
    LINE_BYTES,
    LOCAL_WORD_BYTES,
    WIDEST_WARP,
    MemoryRules,
)
from warpmill.executor.native.emitter import Emitter, StackVariable, loop_while, variable, when
from warpmill.executor.native.events import record_access
from warpmill.executor.native.instructions import LlvmValue, constant
from warpmill.executor.native.points import AccessSite
from warpmill.executor.native.step import LoweringStep

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
"""Windows of generic addresses: the spaces' first addresses and bytes."""

_SPACES = (*_WINDOWS, Space.GENERIC)
"""The spaces that are observed here: parameters and tensor memory are not, texels elsewhere."""


def row_words(lanes: int) -> int:
    """The words of a point's row."""
    return _STEPS + lanes


def observe(
    step: LoweringStep,
    kind: str,
    space: Space,
    where: LlvmValue,
    width_bytes: int,
    *,
    mask: LlvmValue | None = None,
) -> None:
    """Count a warp's access, and write its addresses down, as far as that was asked for.

    ``where`` are addresses in the space, of ``mask``'s lanes or the instruction's.
    """
    count_access(step, kind, space, where, width_bytes, mask=mask)
    note_access(step, kind, space, where, width_bytes, mask=mask)


def note_access(
    step: LoweringStep,
    kind: str,
    space: Space,
    where: LlvmValue,
    width_bytes: int | None,
    *,
    mask: LlvmValue | None = None,
) -> None:
    """Write the addresses of an access down, where that was asked for, and do not count it."""
    points = step.points
    if not points.records or space not in _SPACES:
        return
    points.recorded.append(AccessSite(*step.place, kind, space, width_bytes))
    points.written += 1
    bits = step.emitter.bits(step.mask if mask is None else mask)
    record_access(step.emitter, len(points.recorded) - 1, where, bits)


def count_access(
    step: LoweringStep,
    kind: str,
    space: Space,
    where: LlvmValue,
    width_bytes: int,
    *,
    mask: LlvmValue | None = None,
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
        points.counted.append(AccessSite(*step.place, kind, each, width_bytes))
    e = step.emitter
    bits = e.bits(step.mask if mask is None else mask)
    parts = (e.resize(where, "i64"), bits, constant(first, "i64"))
    name = f"count.{space.value}.{width_bytes}{'' if aligned else '.unaligned'}"
    cost = AccessCosts(points.rules, width_bytes, aligned)
    body = _split if space is Space.GENERIC else partial(_count, space=space)
    e.outlined(name, partial(body, costs=cost), *parts)


def count_bulk(
    step: LoweringStep,
    kind: str,
    space: Space,
    where: LlvmValue,
    length: LlvmValue,
    width_bytes: int | None,
    piece_bytes: int,
) -> None:
    """Add copies of whole ranges of memory to their sums, where that was asked for.

    ``where`` and ``length`` (i64) are those of each lane, which copies on its own. It is one access
    of ``width_bytes``; where that is None it counts as so many lanes with a piece each.
    """
    points, e = step.points, step.emitter
    if points.rules is None or space not in _WINDOWS:
        return
    row = _Row(e, constant(len(points.counted), "i64"))
    points.counted.append(AccessSite(*step.place, kind, space, width_bytes or piece_bytes))
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


def _total(e: Emitter, numbers: LlvmValue, on: LlvmValue) -> LlvmValue:
    return e.reduced("add", e.select(on, numbers, constant(0, "i64")))


def _granules(e: Emitter, first: LlvmValue, last: LlvmValue, unit: int) -> LlvmValue:
    """How many granules a lane touches from its first byte to its last."""
    ends = [e.op("udiv", place, constant(unit, "i64")) for place in (first, last)]
    return e.op("add", e.op("sub", ends[1], ends[0]), constant(1, "i64"))


def _split(
    e: Emitter, where: LlvmValue, bits: LlvmValue, first: LlvmValue, *, costs: AccessCosts
) -> None:
    """Count the lanes of a generic access by the space that their addresses are in."""
    for number, (space, (start, size)) in enumerate(_WINDOWS.items()):
        offset = e.op("sub", where, constant(start, "i64"))
        inside = e.vector(e.compare("ult", offset, constant(size, "i64")))
        own = e.op("and", e.bits(inside), bits)
        row = e.op("add", first, constant(number, "i64"))
        place = where if space is Space.GLOBAL else offset
        _count(e, place, own, row, space=space, costs=costs)


def _count(
    e: Emitter,
    where: LlvmValue,
    bits: LlvmValue,
    number: LlvmValue,
    *,
    space: Space,
    costs: AccessCosts,
) -> None:
    on = e.compare("ne", bits, constant(0, bits.type))
    when(e, on, lambda: _Row(e, number).add(where, bits, space, costs))


@dataclass(frozen=True)
class _Row:
    """The row of one point."""

    emitter: Emitter
    number: LlvmValue

    def place(self, word: LlvmValue | int) -> str:
        """The address of a word."""
        e, name = self.emitter, self.emitter.name()
        start = e.op("mul", self.number, constant(row_words(e.lanes), "i64"))
        index = e.op("add", start, constant(word, "i64") if isinstance(word, int) else word)
        e.raw(f"  {name} = getelementptr i64, ptr {e.context('points').text}, i64 {index.text}")
        return name

    def get(self, word: int) -> LlvmValue:
        """Read a word."""
        text = f"load i64, ptr {self.place(word)}"
        return self.emitter.define(text, "i64", uniform=True)

    def set(self, word: int, value: LlvmValue) -> None:
        """Write a word."""
        self.emitter.raw(f"  store i64 {value.text}, ptr {self.place(word)}")

    def add(self, where: LlvmValue, bits: LlvmValue, space: Space, costs: AccessCosts) -> None:
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

    def add_to(self, word: int, more: LlvmValue) -> None:
        """Add to one of the sums."""
        self.set(word, self.emitter.op("add", self.get(word), more))

    def add_costs(self, kinds: Sequence[str], values: Sequence[LlvmValue]) -> None:
        """Add to the sums that a space has."""
        for kind, value in zip(kinds, values, strict=True):
            self.add_to(SUMS.index(kind), value)
            if kind == "requests":
                e = self.emitter
                e.set_context("requests", e.op("add", e.context("requests"), value))

    def _remembered(
        self, where: LlvmValue, bits: LlvmValue, space: Space, costs: AccessCosts
    ) -> tuple[LlvmValue, ...]:
        """Cost of an access: that of the last one where it was alike."""
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


# What an access costs: lines, sectors, passes over the banks, as code over the distinct ones.


@dataclass(frozen=True)
class AccessCosts:
    """Cost of an access of some width by some rules, as code that works it out."""

    rules: MemoryRules
    width: int
    aligned: bool

    @staticmethod
    def of(space: Space) -> tuple[str, ...]:
        """Name the costs that a space has."""
        if space is Space.SHARED:
            return ("passes", "free_passes")
        return () if space is Space.CONST else ("requests", "sectors")

    def period(self, space: Space) -> int:
        """The bytes, a power of two, after which an access costs the same again."""
        return self.rules.bank_width_bytes if space is Space.SHARED else self.rules.period_bytes

    # Lanes that agree on an address.

    def single(self, e: Emitter, bits: LlvmValue, space: Space) -> tuple[LlvmValue, ...]:
        """The costs of lanes that have one address together."""
        if space is Space.SHARED:
            groups = self._groups(e, bits, self.rules.lanes_at_once(self.width, in_pairs=True))
            return groups, groups
        return constant(1, "i64"), self._groups(e, bits, self.rules.lanes_per_group)

    def is_one_place(self, space: Space) -> bool:
        """Whether lanes that have one address touch one granule together, whatever it is."""
        if space is Space.LOCAL:
            return False
        if space is Space.SHARED:
            return self._is_one(self.rules.words_of(self.width) * self.rules.bank_width_bytes)
        return self._is_one(LINE_BYTES) and self._is_one(self.rules.sector_bytes)

    def _is_one(self, granule: int) -> bool:
        """Whether an access lies in one granule."""
        return self.aligned and self.width & (self.width - 1) == 0 and self.width <= granule

    @staticmethod
    def _groups(e: Emitter, bits: LlvmValue, lanes: int) -> LlvmValue:
        """Count the groups of neighbouring lanes with any on."""
        total = constant(0, "i64")
        for mask in _group_masks(e.lanes, lanes):
            some = e.op("and", bits, constant(mask, bits.type))
            is_on = e.compare("ne", some, constant(0, bits.type))
            total = e.op("add", total, e.cast("zext", is_on, "i64"))
        return total

    # Lanes with addresses of their own: ``where`` is small, from the line of the lowest lane on.

    def write(
        self, e: Emitter, where: LlvmValue, bits: LlvmValue, space: Space
    ) -> tuple[LlvmValue, ...]:
        """The costs of any lanes."""
        if space is Space.SHARED:
            return self._shared(e, where, bits)
        if space is Space.LOCAL:
            return self._local(e, where, bits)
        return self._lines(e, where, bits)

    def _lines(self, e: Emitter, where: LlvmValue, bits: LlvmValue) -> tuple[LlvmValue, LlvmValue]:
        lines = self._granules(e, where, LINE_BYTES, self.width)
        sectors = self._granules(e, where, self.rules.sector_bytes, self.width)
        return self._distinct(e, lines, bits, e.lanes), self._distinct(
            e, sectors, bits, self.rules.lanes_per_group
        )

    def _local(self, e: Emitter, where: LlvmValue, bits: LlvmValue) -> tuple[LlvmValue, LlvmValue]:
        """Count lines and sectors of the interleaved words; each of a lane's words has its own."""
        own = e.lane_numbers("i64", LOCAL_WORD_BYTES)
        totals = [constant(0, "i64"), constant(0, "i64")]
        for k in range(-(-self.width // LOCAL_WORD_BYTES)):
            address = e.op("add", where, constant(k * LOCAL_WORD_BYTES, "i64"))
            rest = e.op("and", address, constant(LOCAL_WORD_BYTES - 1, "i64"))
            row = e.op("mul", e.op("sub", address, rest), constant(WIDEST_WARP, "i64"))
            word = AccessCosts(self.rules, min(self.width, LOCAL_WORD_BYTES), self.aligned)
            found = word._lines(e, e.op("add", e.op("add", row, own), rest), bits)
            totals = [e.op("add", t, f) for t, f in zip(totals, found, strict=True)]
        return totals[0], totals[1]

    def _granules(self, e: Emitter, where: LlvmValue, granule: int, width: int) -> list[LlvmValue]:
        """The granules that a lane's access touches: one vector for each that there may be."""
        assert granule & (granule - 1) == 0
        most = 1 if self._is_one(granule) else 2 + (width - 2) // granule if width > 1 else 1
        starts = [min(k * granule, width - 1) for k in range(most)]
        shift = constant(granule.bit_length() - 1, "i64")
        moved = [e.op("add", where, constant(s, "i64")) if s else where for s in starts]
        return [e.resize(e.op("ashr", m, shift), "i32") for m in moved]

    def _distinct(
        self, e: Emitter, granules: Sequence[LlvmValue], bits: LlvmValue, group: int
    ) -> LlvmValue:
        """Count the distinct granules of each group of lanes."""
        if len(granules) == 1:
            pairs, number = _equal_pairs(e, granules[0]), constant(0, "i64")
            for mask in _group_masks(e.lanes, group):
                first = _first_of_each(e, pairs, e.op("and", bits, constant(mask, bits.type)))
                number = e.op("add", number, e.resize(e.call("llvm.ctpop", first), "i64"))
            return number
        total = variable(e, constant(0, "i64"))

        def one(_: LlvmValue) -> None:
            total.set(e.op("add", total.get(), constant(1, "i64")))

        for mask in _group_masks(e.lanes, group):
            _each_distinct(e, granules, e.op("and", bits, constant(mask, bits.type)), one)
        return total.get()

    def _shared(self, e: Emitter, where: LlvmValue, bits: LlvmValue) -> tuple[LlvmValue, ...]:
        """Passes over the banks, and how many there are without conflicts."""
        one, two = (self.rules.lanes_at_once(self.width, in_pairs=p) for p in (False, True))
        if one == two:
            return self._passes(e, where, bits, one), self._groups(e, bits, one)
        found = [variable(e, constant(0, "i64")) for _ in range(2)]

        def of_groups(lanes: int) -> None:
            found[0].set(self._passes(e, where, bits, lanes))
            found[1].set(self._groups(e, bits, lanes))

        when(e, _are_pairs(e, where, bits), partial(of_groups, two), partial(of_groups, one))
        return tuple(f.get() for f in found)

    def _passes(self, e: Emitter, where: LlvmValue, bits: LlvmValue, lanes: int) -> LlvmValue:
        """Count the passes over the banks: for each group of lanes the most words in one bank."""
        rules, words = self.rules, self.rules.words_of(self.width)
        whole = self._is_one(words * rules.bank_width_bytes)
        unit = words * rules.bank_width_bytes if whole else rules.bank_width_bytes
        shift = constant(unit.bit_length() - 1, "i64")
        steps = [0] if whole else [k * rules.bank_width_bytes for k in range(words)]
        moved = [e.op("add", where, constant(s, "i64")) if s else where for s in steps]
        values = [e.resize(e.op("ashr", m, shift), "i32") for m in moved]
        banks = max(1, rules.banks // words) if whole else rules.banks
        if whole:
            return self._rounds(e, values[0], bits, banks, lanes)
        total = variable(e, constant(0, "i64"))
        table = e.array("i64", -(-banks // e.lanes))
        for mask in _group_masks(e.lanes, lanes):
            some = e.op("and", bits, constant(mask, bits.type))
            most = self._most(e, values, some, banks, table)
            total.set(e.op("add", total.get(), most))
        return total.get()

    @staticmethod
    def _rounds(e: Emitter, units: LlvmValue, bits: LlvmValue, banks: int, lanes: int) -> LlvmValue:
        """Count passes where an access is one unit of banks: rounds that take one unit of each."""
        bank = e.op("urem", units, constant(banks, "i32"))
        alike, colliding = _equal_pairs(e, units), _equal_pairs(e, bank)
        total = variable(e, constant(0, "i64"))
        for mask in _group_masks(e.lanes, lanes):
            some = e.op("and", bits, constant(mask, bits.type))
            left = variable(e, _first_of_each(e, alike, some))

            def one(left: StackVariable = left) -> None:
                rest = left.get()
                left.set(e.op("xor", rest, _first_of_each(e, colliding, rest)))
                total.set(e.op("add", total.get(), constant(1, "i64")))

            loop_while(e, partial(_is_some, e, left), one)
        return total.get()

    @staticmethod
    def _most(
        e: Emitter, values: Sequence[LlvmValue], bits: LlvmValue, banks: int, table: str
    ) -> LlvmValue:
        """The most distinct words that fall into one bank."""
        most = variable(e, constant(0, "i64"))
        e.module.declarations.setdefault(
            "@llvm.memset.p0.i64", "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)"
        )
        e.raw(f"  call void @llvm.memset.p0.i64(ptr {table}, i8 0, i64 {8 * banks}, i1 false)")

        def one(word: LlvmValue) -> None:
            bank = e.op("urem", word, constant(banks, "i32"))
            here = e.op("add", e.get(table, bank, "i64"), constant(1, "i64"))
            e.put(table, bank, here)
            most.set(e.call("llvm.umax", most.get(), here))

        _each_distinct(e, values, bits, one)
        return most.get()


def _are_pairs(e: Emitter, where: LlvmValue, bits: LlvmValue) -> LlvmValue:
    """Whether each lane reads what its neighbour does, or what the next but one does.

    These are the lanes whose numbers differ in the last bit, or in the one before it; lanes that
    are off read the same as any.
    """
    on, found = e.mask(bits), constant(0, "i1")
    for distance in (1, 2):
        order = [lane ^ distance for lane in range(e.lanes)]
        both = e.op("and", on, e.permute(on, order))
        differs = e.op("and", both, e.compare("ne", where, e.permute(where, order)))
        none = e.compare("eq", e.bits(differs), constant(0, bits.type))
        found = e.op("or", found, none)
    return found


def _group_masks(lanes: int, group: int) -> list[int]:
    """The bits of each group of so many neighbouring lanes."""
    whole = (1 << lanes) - 1
    ones = (1 << group) - 1
    return [ones << start & whole for start in range(0, lanes, group)]


def _equal_pairs(e: Emitter, values: LlvmValue) -> list[LlvmValue]:
    """Lanes that have the same number (i32) as the lane 1, 2, … below; bits by step.

    Lanes go around the end: as many steps as half the lanes see all pairs, and none waits for
    another.
    """
    pairs = []
    for step in range(1, e.lanes // 2 + 1):
        below = e.permute(values, [(lane - step) % e.lanes for lane in range(e.lanes)])
        pairs.append(e.bits(e.compare("eq", values, below)))
    return pairs


def _first_of_each(e: Emitter, pairs: Sequence[LlvmValue], bits: LlvmValue) -> LlvmValue:
    """The lanes that are on and whose number no lower lane that is on has."""
    word, again = bits.type, constant(0, bits.type)
    for step, equal in enumerate(pairs, 1):
        below = e.call("llvm.fshl", bits, bits, constant(step, word))
        both = e.op("and", e.op("and", bits, below), equal)
        wrapped = e.op("shl", both, constant(e.lanes - step, word))  # of pairs around the end
        higher = e.op("and", both, constant(-1 << step, word))
        again = e.op("or", again, e.op("or", higher, wrapped))
    return e.op("and", bits, e.op("xor", again, constant(-1, word)))


def _each_distinct(
    e: Emitter, values: Sequence[LlvmValue], bits: LlvmValue, body: Callable[[LlvmValue], None]
) -> None:
    """Run ``body`` for each distinct number (i32) that the lanes that are on have in any vector."""
    arrays = [e.spill(v) for v in values]
    left = [variable(e, bits) for _ in values]
    for number, array in enumerate(arrays):
        loop_while(
            e,
            partial(_is_some, e, left[number]),
            partial(_take, e, values, left, number, array, body),
        )


def _is_some(e: Emitter, bits: StackVariable) -> LlvmValue:
    return e.compare("ne", bits.get(), constant(0, bits.type))


def _take(
    e: Emitter,
    values: Sequence[LlvmValue],
    left: Sequence[StackVariable],
    number: int,
    array: str,
    body: Callable[[LlvmValue], None],
) -> None:
    """Take the lowest lane's number, strike it off everywhere, and hand it on."""
    lane = e.resize(e.call("llvm.cttz", left[number].get(), extra=", i1 true"), "i32")
    taken = e.get(array, lane, "i32")
    for vector, rest in list(zip(values, left, strict=True))[number:]:
        others = e.bits(e.compare("ne", vector, taken))
        rest.set(e.op("and", rest.get(), others))
    body(taken)
