"""Device addresses turned into host addresses, checked: generated code that accesses call.

Each access of a kernel has a row of its own that remembers the allocation it used last: as long as
all lanes stay inside, one comparison checks a lane. Otherwise the lanes are looked up one by one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from warpmill.analyzer.launch.numbering import (
    CONST_WINDOW,
    GLOBAL_BASE,
    LOCAL_WINDOW,
    PARAM_WINDOW,
    SHARED_WINDOW,
    WINDOW_BYTES,
)
from warpmill.executor.native.emitter import Emitter, StackVariable, loop_while, variable, when
from warpmill.executor.native.instructions import LlvmValue, constant
from warpmill.executor.native.layout import FaultKind
from warpmill.executor.sanitizers.findings import Tool

SITE_BYTES = 32
"""Bytes of a row: first device address, valid places from it, what to add, bytes of an access."""

NULL_BYTES = 0x1000
"""Addresses below count as null pointers gone wrong."""

_READ_ONLY_BYTES = PARAM_WINDOW + WINDOW_BYTES - CONST_WINDOW  # constants, then parameters

NOWHERE = 1 << 63
"""Set in offsets that lie beyond the window of their space: no memory is there."""


@dataclass(frozen=True)
class Request:
    """An access of a warp: the lanes' addresses, the bits of those that are on, and its row."""

    where: LlvmValue
    bits: LlvmValue
    site: LlvmValue


@dataclass(frozen=True)
class Site:
    """The row of an access: what it remembers."""

    first: LlvmValue
    places: LlvmValue  # aligned offsets from ``first`` at which an access is whole
    delta: LlvmValue  # host address less device address

    @classmethod
    def read(cls, e: Emitter, number: LlvmValue, width: int) -> Site:
        """Read the row of an access of so many bytes; one of another size has no valid places.

        An instruction may make accesses of several sizes.
        """
        first, places, delta, remembered = [_row(e, number, k) for k in range(4)]
        alike = e.compare("eq", remembered, constant(width, "i64"))
        return cls(first, e.select(alike, places, constant(0, "i64")), delta)


def _row_place(e: Emitter, number: LlvmValue, column: int) -> str:
    base = e.context("sites")
    offset = e.op(
        "add", e.op("mul", number, constant(SITE_BYTES, "i64")), constant(8 * column, "i64")
    )
    place = e.name()
    e.raw(f"  {place} = getelementptr i8, ptr {base.text}, i64 {offset.text}")
    return place


def _row(e: Emitter, number: LlvmValue, column: int) -> LlvmValue:
    return e.define(f"load i64, ptr {_row_place(e, number, column)}", "i64", uniform=True)


def _set_row(e: Emitter, number: LlvmValue, column: int, value: LlvmValue) -> None:
    e.raw(f"  store i64 {value.text}, ptr {_row_place(e, number, column)}")


def rotated(e: Emitter, offset: LlvmValue, align: int) -> LlvmValue:
    """Move the low bits that alignment wants to be 0 to the top, where they fail any comparison."""
    shift = align.bit_length() - 1
    return e.call("llvm.fshr", offset, offset, constant(shift, offset.type)) if shift else offset


def whole_places(e: Emitter, size: LlvmValue, width: int, align: int) -> LlvmValue:
    """Count the aligned offsets at which ``width`` bytes lie within ``size`` bytes."""
    spare = e.op("sub", size, constant(width, size.type))
    fits = e.compare("uge", size, constant(width, size.type))
    shift = constant(align.bit_length() - 1, size.type)
    count = e.op("add", e.op("lshr", spare, shift), constant(1, size.type))
    return e.select(fits, count, constant(0, size.type))


def note_fault(
    e: Emitter, kind: LlvmValue, lane: LlvmValue, address: LlvmValue, site: LlvmValue
) -> None:
    """Record what went wrong, if it is the first, and let the warp come to an end soon."""
    is_first = e.compare("eq", e.context("fault"), constant(0, "i64"))

    def note() -> None:
        e.set_context("fault", kind)
        e.set_context("fault_site", site)
        e.set_context("fault_lanes", e.op("shl", constant(1, "i64"), e.resize(lane, "i64")))
        e.set_context("fault_address", address)
        e.set_context("fault_warp", e.context("warp"))
        e.set_context("budget", constant(0, "i64"))

    when(e, is_first, note)


@dataclass(frozen=True)
class _TranslatedAddress:
    """Address with the start and end of its piece of memory, and what to add."""

    first: StackVariable
    end: StackVariable
    delta: StackVariable
    per_lane: StackVariable  # 1 where the host address differs between lanes


def translate(
    e: Emitter,
    request: Request,
    width: LlvmValue,
    align: LlvmValue,
    *,
    writes: bool,
    is_shadow: bool = False,
) -> tuple[LlvmValue, LlvmValue]:
    """The host address of each lane and the bits of the lanes that may access theirs.

    Addresses are generic, i64, one a lane. A fault of the first lane that may not is noted; none
    may write to constants and parameters. ``is_shadow``: host addresses in the shadow of memory,
    which constants and parameters have none of; no fault is noted.
    """
    parts = (request.where, request.bits, request.site, width, align)
    name = "translate.shadow" if is_shadow else "translate.writes" if writes else "translate"
    body = partial(_translate, writes=writes and not is_shadow, is_shadow=is_shadow)
    hosts, good = e.outlined(name, body, *parts)
    return hosts, good


def _translate(
    e: Emitter, *parts: LlvmValue, writes: bool, is_shadow: bool
) -> tuple[LlvmValue, LlvmValue]:
    address, bits, site, width, align = parts
    addresses, hosts = e.spill(address), e.spill(e.vector(constant(0, "i64")))
    good = variable(e, constant(0, bits.type))
    found = _TranslatedAddress(*[variable(e, constant(0, "i64")) for _ in range(4)])

    def one(lane: LlvmValue) -> None:
        at = e.get(addresses, lane, "i64")
        _find(e, at, site, found, is_shadow=is_shadow)
        size = e.op("sub", found.end.get(), found.first.get())
        offset = e.op("sub", at, found.first.get())
        fits = e.compare("ule", width, size)
        inside = e.compare("ule", offset, e.op("sub", size, width))
        low = e.op("and", at, e.op("sub", align, constant(1, "i64")))
        aligned = e.compare("eq", low, constant(0, "i64"))
        fine = e.op("and", e.op("and", fits, inside), aligned)
        if writes:
            offset = e.op("sub", at, constant(CONST_WINDOW, "i64"))
            fixed = e.compare("ult", offset, constant(_READ_ONLY_BYTES, "i64"))
            fine = e.op("and", fine, e.op("xor", fixed, constant(1, "i1")))

        def use() -> None:
            shift = e.op("mul", found.per_lane.get(), e.resize(lane, "i64"))
            host = e.op("add", e.op("add", at, found.delta.get()), shift)
            e.put(hosts, lane, host)
            one_bit = e.op("shl", constant(1, bits.type), e.resize(lane, bits.type))
            good.set(e.op("or", good.get(), one_bit))
            keep = e.compare("eq", found.per_lane.get(), constant(0, "i64"))
            when(e, keep, lambda: _remember(e, site, found, width, align))

        def refuse() -> None:
            null = e.compare("ult", at, constant(NULL_BYTES, "i64"))
            outside = e.select(
                null, constant(FaultKind.NULL, "i64"), constant(FaultKind.OUT_OF_BOUNDS, "i64")
            )
            within = e.op("and", fits, inside)
            kind = e.select(within, constant(FaultKind.MISALIGNED, "i64"), outside)
            if writes:
                kind = e.select(
                    e.op("and", within, fixed), constant(FaultKind.READ_ONLY, "i64"), kind
                )
            if Tool.MEMCHECK in e.module.tools:
                e.callback("warpmill.memcheck", kind, site, e.resize(lane, "i64"), at)
            else:
                note_fault(e, kind, lane, at, site)

        when(e, fine, use, None if is_shadow else refuse)

    e.each_lane(bits, one)
    return e.whole(hosts, "i64"), good.get()


def _remember(
    e: Emitter, site: LlvmValue, found: _TranslatedAddress, width: LlvmValue, align: LlvmValue
) -> None:
    """Keep the piece of memory for the next time."""
    size = e.op("sub", found.end.get(), found.first.get())
    spare = e.op("sub", size, width)
    shift = e.call("llvm.cttz", align, extra=", i1 true")
    _set_row(e, site, 0, found.first.get())
    _set_row(e, site, 1, e.op("add", e.op("lshr", spare, shift), constant(1, "i64")))
    _set_row(e, site, 2, found.delta.get())
    _set_row(e, site, 3, width)


def _find(
    e: Emitter,
    address: LlvmValue,
    site: LlvmValue,
    found: _TranslatedAddress,
    *,
    is_shadow: bool,
) -> None:
    """Set ``found`` to the memory that an address lies in; to nothing where there is none."""
    for part in (found.first, found.end, found.delta, found.per_lane):
        part.set(constant(0, "i64"))
    is_global = e.compare("uge", address, constant(GLOBAL_BASE, "i64"))
    if is_shadow:
        table = _address(e, "shadow_allocations"), e.context("allocation_count")
        windows = partial(_windows, e, address, found, _SHADOW_WINDOWS)
        when(e, is_global, lambda: _search(e, address, table, found), windows)
        return
    own = _own_rows(e, site)
    is_confined = e.compare("ne", own, constant(0, "i64"))
    when(
        e,
        e.op("or", is_global, is_confined),
        lambda: _search(e, address, _table(e, own), found),
        lambda: _windows(e, address, found, _WINDOWS),
    )


_WINDOWS = (
    (SHARED_WINDOW, "shared", "shared_bytes"),
    (LOCAL_WINDOW, "local", "local_bytes"),
    (CONST_WINDOW, "constants", "constants_bytes"),
    (PARAM_WINDOW, "params", "params_bytes"),
)
_SHADOW_WINDOWS = (
    (SHARED_WINDOW, "shared_shadow", "shared_bytes"),
    (LOCAL_WINDOW, "local_shadow", "local_bytes"),
)
"""Windows of generic addresses, with the fields of their memory and its size."""


def _windows(
    e: Emitter,
    address: LlvmValue,
    found: _TranslatedAddress,
    windows: tuple[tuple[int, str, str], ...],
) -> None:
    """Find the window of a generic address."""
    for window, base, size in windows:
        offset = e.op("sub", address, constant(window, "i64"))
        is_here = e.compare("ult", offset, constant(WINDOW_BYTES, "i64"))

        def take(window: int = window, base: str = base, size: str = size) -> None:
            host = e.context(base)
            number = e.define(f"ptrtoint ptr {host.text} to i64", "i64", uniform=True)
            if window == LOCAL_WINDOW:
                lane_bytes = e.context("local_bytes")
                warp_bytes = e.op("mul", lane_bytes, constant(e.lanes, "i64"))
                number = e.op("add", number, e.op("mul", e.context("warp"), warp_bytes))
                found.per_lane.set(lane_bytes)
            found.first.set(constant(window, "i64"))
            found.end.set(e.op("add", constant(window, "i64"), e.context(size)))
            found.delta.set(e.op("sub", number, constant(window, "i64")))

        when(e, is_here, take)


def _own_rows(e: Emitter, site: LlvmValue) -> LlvmValue:
    """The host address of what an access is confined to; 0 where it is not confined."""
    confined, own = _address(e, "confined"), variable(e, constant(0, "i64"))
    place = e.op("add", confined, e.op("shl", site, constant(3, "i64")))
    is_any = e.compare("ne", confined, constant(0, "i64"))
    when(e, is_any, lambda: own.set(_number_at(e, place)))
    return own.get()


def _table(e: Emitter, own: LlvmValue) -> tuple[LlvmValue, LlvmValue]:
    """The host address of the rows that an access may reach, and how many there are."""
    table = variable(e, _address(e, "allocations"))
    count = variable(e, e.context("allocation_count"))

    def confine() -> None:
        count.set(_number_at(e, own))
        table.set(e.op("add", own, constant(8, "i64")))

    when(e, e.compare("ne", own, constant(0, "i64")), confine)
    return table.get(), count.get()


def _address(e: Emitter, name: str) -> LlvmValue:
    text = f"ptrtoint ptr {e.context(name).text} to i64"
    return e.define(text, "i64", uniform=True)


def _number_at(e: Emitter, host: LlvmValue) -> LlvmValue:
    place = e.name()
    e.raw(f"  {place} = inttoptr i64 {host.text} to ptr")
    return e.define(f"load i64, ptr {place}", "i64", uniform=True)


def _search(
    e: Emitter,
    address: LlvmValue,
    rows: tuple[LlvmValue, LlvmValue],
    found: _TranslatedAddress,
) -> None:
    """Search the sorted table of allocations for the last that begins at or before an address."""
    table, count = rows
    low, high = variable(e, constant(0, "i64")), variable(e, count)

    def column(row: LlvmValue, number: int) -> LlvmValue:
        index = e.op("add", e.op("mul", row, constant(3, "i64")), constant(number, "i64"))
        return _number_at(e, e.op("add", table, e.op("shl", index, constant(3, "i64"))))

    def halve() -> None:
        middle = e.op("lshr", e.op("add", low.get(), high.get()), constant(1, "i64"))
        before = e.compare("ule", column(middle, 0), address)
        when(
            e,
            before,
            lambda: low.set(e.op("add", middle, constant(1, "i64"))),
            lambda: high.set(middle),
        )

    loop_while(e, lambda: e.compare("ult", low.get(), high.get()), halve)
    row = e.op("sub", low.get(), constant(1, "i64"))

    def take() -> None:
        found.first.set(column(row, 0))
        found.end.set(column(row, 1))
        found.delta.set(e.op("sub", column(row, 2), column(row, 0)))

    when(e, e.compare("ne", low.get(), constant(0, "i64")), take)
