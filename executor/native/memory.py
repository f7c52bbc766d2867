"""Loads and stores of generated code: the lanes' addresses, in a space, of so many elements.

Rules call ``address``, ``load`` and ``store``; what accesses memory is a function for each space,
type and number of elements.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from warpmill.analyzer.ir.kernel import Address, Imm, Reg, Symbol
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.launch.numbering import CONST_WINDOW, WINDOW_BYTES, WINDOWS
from warpmill.executor.native.emitter import Emitter, variable, when
from warpmill.executor.native.instructions import LlvmValue, constant
from warpmill.executor.native.observing import observe
from warpmill.executor.native.shadows import note_results, note_undefined, unwritten_as_computed
from warpmill.executor.native.step import LoweringStep
from warpmill.executor.native.translation import (
    NOWHERE,
    Request,
    Site,
    rotated,
    translate,
    whole_places,
)
from warpmill.executor.native.watching import watch_access

_KNOWN = (Space.PARAM, Space.CONST)
"""Spaces whose size is known before a launch, and that are the same for all threads."""


def address(step: LoweringStep, operand: Address) -> LlvmValue:
    """The address that an operand names, in its space: i64 or i32, uniform or a lane's."""
    e, base = step.emitter, operand.base
    match base:
        case Reg():
            value = step.read(base)
        case Symbol():
            value = step.places.symbol(e, base)
        case Imm(number):
            value = constant(number, "i64")
    return e.op("add", value, constant(operand.offset, value.type)) if operand.offset else value


def load(
    step: LoweringStep,
    space: Space,
    where: LlvmValue,
    type_: str,
    count: int = 1,
    *,
    mask: LlvmValue | None = None,
    observed: bool = True,
) -> tuple[LlvmValue, ...]:
    """Load ``count`` elements of an LLVM integer type from each lane's address in a space.

    ``mask`` stands for the lanes of the instruction. Lanes that are off give 0. An access that is
    out of bounds or misaligned is noted as a fault, and gives 0. Not ``observed``: it is a part of
    an access that the caller observes.
    """
    if step.is_shadow:
        return _masked(step, _load_shadow(step, space, where, type_, count, mask), mask)
    access = AccessFunction(space, type_, count)
    if observed:
        observe(step, "load", space, where, access.bytes, mask=mask)
    watch_access(step, space, where, access.bytes, writes=False, mask=mask)
    if space is Space.CONST and step.places.constant_buffers and not where.is_constant:
        space, where = Space.GLOBAL, _constant_or_buffer(step.emitter, where)
        access = AccessFunction(space, type_, count)
    size = step.places.sizes.get(space, 0) if space in _KNOWN else 0
    if where.is_constant and access.lies_in(int(where.text), size):
        return _masked(step, access.load_at(step.emitter, int(where.text)), mask)
    request = _request(step, space, where, mask)
    parts = (request.where, request.bits, request.site)
    values = step.emitter.outlined(f"load.{access.name}", access.load, *parts)
    return _masked(step, values, mask)


def _load_shadow(
    step: LoweringStep,
    space: Space,
    where: LlvmValue,
    type_: str,
    count: int,
    mask: LlvmValue | None,
) -> tuple[LlvmValue, ...]:
    """The shadow of what a load would give: 0 where all is defined, as in the known spaces."""
    if space in _KNOWN:
        return (constant(0, type_),) * count
    access = AccessFunction(space, type_, count, is_shadow=True)
    request = _request(step, space, where, mask)
    parts = (request.where, request.bits, request.site)
    return step.emitter.outlined(f"load.{access.name}", access.load, *parts)


def _masked(
    step: LoweringStep, values: tuple[LlvmValue, ...], mask: LlvmValue | None
) -> tuple[LlvmValue, ...]:
    """Values with 0 in lanes that an own mask omits: a load for all of a warp has theirs too.

    Lanes that the instruction itself is off for keep what they had, whatever is loaded.
    """
    if mask is None:
        return values
    return tuple(step.emitter.select(mask, v, constant(0, v.type)) for v in values)


def _constant_or_buffer(e: Emitter, where: LlvmValue) -> LlvmValue:
    """An address of constant memory as a generic one; those of buffers are generic already."""
    address = e.resize(where, "i64")
    is_constant = e.compare("ult", address, constant(WINDOW_BYTES, "i64"))
    return e.select(is_constant, e.op("add", address, constant(CONST_WINDOW, "i64")), address)


def store(
    step: LoweringStep,
    space: Space,
    where: LlvmValue,
    values: Sequence[LlvmValue],
    *,
    mask: LlvmValue | None = None,
    observed: bool = True,
) -> None:
    """Store one element or several next to each other at each lane's address in a space."""
    access = AccessFunction(space, values[0].type, len(values), is_shadow=step.is_shadow)
    if not step.is_shadow:
        if observed:
            observe(step, "store", space, where, access.bytes, mask=mask)
        watch_access(step, space, where, access.bytes, writes=True, values=values, mask=mask)
    request = _request(step, space, where, mask)
    parts = (request.where, request.bits, request.site)
    given = [step.emitter.vector(v) for v in values]
    step.emitter.outlined(f"store.{access.name}", access.store, *parts, *given)


def lane_hosts(
    e: Emitter, space: Space, request: Request, type_: str, count: int = 1
) -> tuple[LlvmValue, LlvmValue]:
    """The host address of each lane's access, i64, and the bits of the lanes that may.

    For functions of their own, which go on lane by lane and may write.
    """
    access = AccessFunction(space, type_, count)
    where = e.vector(widened(e, request.where, space))
    whole = Request(where, request.bits, request.site)
    return access.lanes(e, whole, access.piece(e, whole), writes=True)


def _request(step: LoweringStep, space: Space, where: LlvmValue, mask: LlvmValue | None) -> Request:
    e = step.emitter
    bits = e.bits(step.mask if mask is None else mask)
    return Request(widened(e, where, space), bits, constant(step.site, "i64"))


# The functions that access memory: one for each space, type and number of elements.
#
# Lanes whose addresses run on from lane 0's make one vector access, lanes that agree one scalar
# load, all others a gather or a scatter. Everything is checked first.

_BASES = {
    Space.SHARED: ("shared", "shared_bytes"),
    Space.CONST: ("constants", "constants_bytes"),
    Space.PARAM: ("params", "params_bytes"),
    Space.LOCAL: ("local", "local_bytes"),
}

_SHADOWS = {
    Space.SHARED: ("shared_shadow", "shared_bytes"),
    Space.LOCAL: ("local_shadow", "local_bytes"),
}


def widened(e: Emitter, where: LlvmValue, space: Space) -> LlvmValue:
    """Address in the width that its space is checked in: 32 bits do for shared memory."""
    if space is Space.SHARED and where.type == "i32":
        return where
    return e.resize(where, "i64")


@dataclass(frozen=True)
class CheckedPiece:
    """Piece that an access is checked against: see ``Site``; offsets have the addresses' type."""

    first: LlvmValue
    places: LlvmValue
    base: LlvmValue  # host address of offset 0, i64


@dataclass(frozen=True)
class AccessFunction:
    """One kind of access: everything that its function depends on.

    ``is_shadow``: it is to the shadow of memory, where initcheck keeps which bytes are defined.
    """

    space: Space
    type: str
    count: int
    is_shadow: bool = False

    @property
    def name(self) -> str:
        """Name that distinguishes its function from the others."""
        shadow = ".shadow" if self.is_shadow else ""
        return f"{self.space.value}.{self.type}.x{self.count}{shadow}"

    @property
    def width(self) -> int:
        """Bytes of one element."""
        return max(1, int(self.type[1:]) // 8)

    @property
    def bytes(self) -> int:
        """Bytes of one lane's access."""
        return self.width * self.count

    @property
    def align(self) -> int:
        """Alignment in bytes that it needs: its size."""
        return min(self.bytes, 32) & -min(self.bytes, 32)

    # Checks.

    def piece(self, e: Emitter, request: Request) -> CheckedPiece:
        """Piece that addresses are checked against: the row of the access, or its whole space."""
        if self.space in (Space.GLOBAL, Space.GENERIC):
            row = Site.read(e, request.site, self.bytes)
            return CheckedPiece(row.first, row.places, e.op("add", row.first, row.delta))
        base, size = (_SHADOWS if self.is_shadow else _BASES)[self.space]
        host = e.context(base)
        number = e.define(f"ptrtoint ptr {host.text} to i64", "i64", uniform=True)
        bytes_ = e.resize(e.context(size), request.where.type)
        places = whole_places(e, bytes_, self.bytes, self.align)
        return CheckedPiece(constant(0, request.where.type), places, number)

    @staticmethod
    def _offset(e: Emitter, where: LlvmValue, piece: CheckedPiece) -> LlvmValue:
        return where if piece.first.is_constant else e.op("sub", where, piece.first)

    def _fits(self, e: Emitter, offset: LlvmValue, piece: CheckedPiece) -> LlvmValue:
        return e.compare("ult", rotated(e, offset, self.align), piece.places)

    def _translate(
        self, e: Emitter, request: Request, *, writes: bool = False
    ) -> tuple[LlvmValue, LlvmValue]:
        """Host addresses lane by lane, and the lanes whose access is fine: slow, for any."""
        generic = e.resize(request.where, "i64")
        if self.space in WINDOWS:  # what is beyond its window must meet no other memory
            beyond = e.compare("uge", generic, constant(WINDOW_BYTES, "i64"))
            nowhere = e.op("or", generic, constant(NOWHERE, "i64"))
            inside = e.op("add", generic, constant(WINDOWS[self.space], "i64"))
            generic = e.select(beyond, nowhere, inside)
        whole = Request(e.vector(generic), request.bits, request.site)
        width, align = constant(self.bytes, "i64"), constant(self.align, "i64")
        return translate(e, whole, width, align, writes=writes, is_shadow=self.is_shadow)

    def lanes(
        self, e: Emitter, request: Request, piece: CheckedPiece, *, writes: bool = False
    ) -> tuple[LlvmValue, LlvmValue]:
        """Host addresses and good lanes of any addresses: quick where all are inside."""
        bits = request.bits
        offset = e.vector(self._offset(e, request.where, piece))
        fine = self._fits(e, offset, piece)
        bad = e.op("and", bits, e.op("xor", e.bits(fine), constant(-1, bits.type)))
        hosts, good = e.array("i64"), variable(e, bits)

        def quick() -> None:
            host = e.op("add", e.resize(offset, "i64"), self._lane_base(e, piece))
            e.raw(f"  store {e.typed(e.vector(host))}, ptr {hosts}, align 64")

        def slow() -> None:
            found, lanes = self._translate(e, request, writes=writes)
            e.raw(f"  store {e.typed(found)}, ptr {hosts}, align 64")
            good.set(lanes)

        when(e, e.compare("eq", bad, constant(0, bits.type)), quick, slow)
        return e.whole(hosts, "i64"), good.get()

    def _lane_base(self, e: Emitter, piece: CheckedPiece) -> LlvmValue:
        if self.space is not Space.LOCAL:
            return piece.base
        lane_bytes = e.context("local_bytes")
        warp = e.op("mul", e.context("warp"), e.op("mul", lane_bytes, constant(e.lanes, "i64")))
        by_lane = e.op("mul", e.lane_numbers("i64"), lane_bytes)
        return e.op("add", by_lane, e.op("add", piece.base, warp))

    def _run(self, e: Emitter, request: Request, piece: CheckedPiece) -> _Run:
        """Run of the lanes' addresses, by their distances from lane 0's."""
        where = request.where
        text = f"extractelement {e.typed(where)}, i32 0"
        first = e.define(text, where.type, uniform=True)
        steps = e.op("sub", where, first)
        offset = self._offset(e, first, piece)
        last = e.op("add", offset, constant((e.lanes - 1) * self.bytes, where.type))
        fits = self._fits(e, offset, piece)
        inside = e.op("and", fits, self._fits(e, last, piece))
        inside = e.op("and", inside, e.compare("ule", offset, last))
        by_lane = e.lane_numbers(where.type, self.bytes)
        runs_on = self._holds(e, e.compare("eq", steps, by_lane), request.bits)
        host = e.op("add", piece.base, e.resize(offset, "i64"))
        return _Run(host, e.op("and", inside, runs_on), steps, fits)

    @staticmethod
    def _holds(e: Emitter, test: LlvmValue, bits: LlvmValue) -> LlvmValue:
        """Whether something holds for all lanes that are on."""
        return e.compare("eq", e.op("and", e.bits(test), bits), bits)

    # Loads.

    def lies_in(self, offset: int, size: int) -> bool:
        """Whether an access at an offset is whole and aligned in a space of so many bytes."""
        return offset + self.bytes <= size and offset % self.align == 0

    def load_at(self, e: Emitter, offset: int) -> tuple[LlvmValue, ...]:
        """Load from a place that is known, and known to be fine, for all lanes alike."""
        host = e.context(_BASES[self.space][0])
        results = []
        for k in range(self.count):
            place = e.name()
            e.raw(f"  {place} = getelementptr i8, ptr {host.text}, i64 {offset + k * self.width}")
            text = f"load {self.type}, ptr {place}, align {self.width}"
            results.append(e.define(text, self.type, uniform=True))
        return tuple(results)

    def load(self, e: Emitter, *parts: LlvmValue) -> tuple[LlvmValue, ...]:
        """Write the function of a load."""
        request = Request(*parts)
        piece = self.piece(e, request)
        # lanes that agree on an address may have local memory of their own behind it
        if request.where.uniform and self.space not in (Space.LOCAL, Space.GENERIC):
            values = self._load_uniform(e, request, piece)
        else:
            whole = Request(e.vector(request.where), request.bits, request.site)
            values = self._load_lanes(e, whole, piece)
        if self.is_shadow:
            note_undefined(e, request, values)
            if self.space is Space.SHARED:
                values = tuple(unwritten_as_computed(e, value) for value in values)
        return values

    def _load_lanes(
        self, e: Emitter, request: Request, piece: CheckedPiece
    ) -> tuple[LlvmValue, ...]:
        places = [e.array(self.type) for _ in range(self.count)]
        if self.space is Space.LOCAL:
            self._load_any(e, request, piece, places)
        else:
            run = self._run(e, request, piece)
            zero = constant(0, request.where.type)
            agree = self._holds(e, e.compare("eq", run.steps, zero), request.bits)
            single = e.op("and", run.fits, agree)

            def other() -> None:
                when(
                    e,
                    single,
                    lambda: self._load_single(e, run.host, places),
                    lambda: self._load_any(e, request, piece, places),
                )

            when(e, run.is_whole, lambda: self._load_run(e, run.host, places), other)
        return tuple(e.whole(place, self.type) for place in places)

    def _load_uniform(
        self, e: Emitter, request: Request, piece: CheckedPiece
    ) -> tuple[LlvmValue, ...]:
        """Load once for all lanes."""
        bits = request.bits
        results = [variable(e, constant(0, self.type)) for _ in range(self.count)]
        offset = self._offset(e, request.where, piece)
        host = variable(e, e.op("add", piece.base, e.resize(offset, "i64")))
        is_on = e.compare("ne", bits, constant(0, bits.type))
        fits = self._fits(e, offset, piece)
        is_fine = variable(e, e.op("and", is_on, fits))

        def slow() -> None:
            lowest = e.op("and", bits, e.op("sub", constant(0, bits.type), bits))
            found, good = self._translate(e, Request(request.where, lowest, request.site))
            lane = e.call("llvm.cttz", bits, extra=", i1 true")
            host.set(e.get(e.spill(found), e.resize(lane, "i32"), "i64"))
            is_fine.set(e.compare("ne", good, constant(0, bits.type)))

        when(e, e.op("and", is_on, e.op("xor", fits, constant(1, "i1"))), slow)

        def read() -> None:
            for k, result in enumerate(results):
                result.set(self._scalar(e, host.get(), k))

        when(e, is_fine.get(), read)
        return tuple(result.get() for result in results)

    def _scalar(self, e: Emitter, host: LlvmValue, k: int) -> LlvmValue:
        place = _pointer(e, host, k * self.width)
        align = min(self.align, self.width)
        return e.define(f"load {self.type}, ptr {place}, align {align}", self.type, uniform=True)

    def _load_run(self, e: Emitter, host: LlvmValue, places: Sequence[str]) -> None:
        """Load what all lanes want, one after another in memory."""
        lanes, whole = e.lanes, f"<{e.lanes * self.count} x {self.type}>"
        read = e.name()
        align = min(self.align, self.width)
        e.raw(f"  {read} = load {whole}, ptr {_pointer(e, host, 0)}, align {align}")
        for k, place in enumerate(places):
            value = read
            if self.count > 1:
                order = ", ".join([f"i32 {lane * self.count + k}" for lane in range(lanes)])
                value = e.name()
                e.raw(
                    f"  {value} = shufflevector {whole} {read}, {whole} poison, "
                    f"<{lanes} x i32> <{order}>"
                )
            e.raw(f"  store {e.vector_type(self.type)} {value}, ptr {place}, align 64")

    def _load_single(self, e: Emitter, host: LlvmValue, places: Sequence[str]) -> None:
        for k, place in enumerate(places):
            value = e.vector(self._scalar(e, host, k))
            e.raw(f"  store {e.typed(value)}, ptr {place}, align 64")

    def _load_any(
        self, e: Emitter, request: Request, piece: CheckedPiece, places: Sequence[str]
    ) -> None:
        hosts, good = self.lanes(e, request, piece)
        mask = e.mask(good)
        for k, place in enumerate(places):
            value = e.gather(self._pointers(e, hosts, k), mask, self.type)
            e.raw(f"  store {e.typed(value)}, ptr {place}, align 64")

    def _pointers(self, e: Emitter, hosts: LlvmValue, k: int) -> str:
        moved = e.op("add", hosts, constant(k * self.width, "i64")) if k else hosts
        name = e.name()
        e.raw(f"  {name} = inttoptr {e.typed(moved)} to <{e.lanes} x ptr>")
        return name

    # Stores.

    def store(self, e: Emitter, *parts: LlvmValue) -> None:
        """Write the function of a store."""
        where, bits, site, *values = parts
        request = Request(e.vector(where), bits, site)
        piece = self.piece(e, request)
        if self.is_shadow and self.space in (Space.GLOBAL, Space.GENERIC):
            note_results(e, request, values)
        if not self.is_shadow:
            is_on = e.compare("ne", bits, constant(0, bits.type))
            stores = e.op("add", e.context("stores"), e.cast("zext", is_on, "i64"))
            e.set_context("stores", stores)

        def scattered() -> None:
            hosts, good = self.lanes(e, request, piece, writes=True)
            mask = e.mask(good)
            for k, value in enumerate(values):
                e.scatter(self._pointers(e, hosts, k), value, mask)

        if self.space is Space.LOCAL or self.count > 1 or where.uniform:
            scattered()
        else:
            run = self._run(e, request, piece)

            def whole() -> None:
                place = _pointer(e, run.host, 0)
                e.masked_store(values[0], place, e.mask(bits), self.width)

            when(e, run.is_whole, whole, scattered)


@dataclass(frozen=True)
class _Run:
    """Run of an access from lane 0: its host address, and whether the others run on from it."""

    host: LlvmValue
    is_whole: LlvmValue
    steps: LlvmValue
    fits: LlvmValue


def _pointer(e: Emitter, host: LlvmValue, offset: int) -> str:
    name, moved = e.name(), e.name()
    e.raw(f"  {name} = inttoptr i64 {host.text} to ptr")
    e.raw(f"  {moved} = getelementptr i8, ptr {name}, i64 {offset}")
    return moved
