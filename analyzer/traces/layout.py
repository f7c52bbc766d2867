"""The virtual addresses of a launch: every buffer and variable gets a place (§III-B-3).

Buffers lie one after another in global memory, as the executor's device hands them out: variables
that the launch sets first, then arguments, then the other variables. Shared variables start at 0 of
the CTA's own window, local ones at 0 of the thread's, constant and parameter memory have windows.
Accesses of which no trace tells an address get one within these places (``AddressSynthesizer``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.naming import find_by_name
from warpmill.analyzer.ir.kernel import Kernel, Module, Variable
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.launch.model import (
    Argument,
    BufferArgument,
    Launch,
    NullArgument,
    RefArgument,
    ScalarArgument,
    StructArgument,
    TextureArgument,
)
from warpmill.analyzer.launch.numbering import (
    CONSTANT_BASE,
    GLOBAL_BASE,
    PARAMETER_BASE,
    next_buffer,
)
from warpmill.analyzer.traces.event_batch import AccessPoint
from warpmill.analyzer.traces.model import wrapped
from warpmill.analyzer.traces.static.values import KnownNumbers

if TYPE_CHECKING:
    from warpmill.analyzer.traces.static.values import Value


_OPEN_ALIGN = 16  # bytes: of arrays whose size the launch gives


@dataclass(frozen=True, slots=True)
class MemoryRegion:
    """A piece of memory with a name: a buffer argument or a module variable."""

    name: str
    start: int
    size_bytes: int

    def holds(self, address: int) -> bool:
        """Whether an address lies in it."""
        return self.start <= address < self.start + self.size_bytes


@dataclass(frozen=True)
class LaunchLayout:
    """Addresses of a launch: symbols and parameters, argument values, regions.

    Arguments stand under their parameter's name; the parts of a struct under ``name+offset``.
    """

    addresses: Mapping[str, int]
    arguments: Mapping[str, Value]
    regions: tuple[MemoryRegion, ...]
    shared_bytes: int

    def region(self, address: int) -> MemoryRegion | None:
        """The region that an address lies in."""
        return next((r for r in self.regions if r.holds(address)), None)


@dataclass(slots=True)
class _Window:
    """A range of addresses that is allocated from its start."""

    end: int
    regions: list[MemoryRegion] = field(default_factory=list)

    def place(self, name: str, size_bytes: int, align: int) -> int:
        """Place something after all before."""
        start = -(-self.end // align) * align
        self.end = start + size_bytes
        self.regions.append(MemoryRegion(name, start, size_bytes))
        return start

    def buffer(self, name: str, size_bytes: int) -> int:
        """Place a buffer as the device does."""
        start = self.end
        self.end = next_buffer(start, size_bytes)
        self.regions.append(MemoryRegion(name, start, size_bytes))
        return start


def lay_out(module: Module, kernel: Kernel, launch: Launch) -> LaunchLayout:
    """Place the memory of a launch. Its arguments have been checked against the kernel."""
    memory, constants = _Window(GLOBAL_BASE), _Window(CONSTANT_BASE)
    passed = _Window(PARAMETER_BASE)
    buffers: dict[int, int] = {}
    variables = module.settable_variables
    meant = [find_by_name(name, variables) for name, _ in launch.symbols]
    first = {
        name: memory.buffer(name, variables[name].size_bytes or 0)
        for name in dict.fromkeys(meant)
        if name is not None
    }
    arguments: dict[str, Value] = {}
    for parameter, argument in zip(kernel.parameters, launch.arguments, strict=True):
        for offset, value in _values(argument, parameter.name, memory, buffers):
            arguments[parameter.name if offset == 0 else f"{parameter.name}+{offset}"] = value
    addresses = {p.name: passed.place(p.name, p.size_bytes, p.align) for p in kernel.parameters}
    used = _used(module, kernel)
    for variable in (*module.variables, *kernel.variables):
        size = variable.size_bytes or 0
        if variable.space is Space.CONST:
            addresses[variable.name] = constants.place(variable.name, size, variable.align)
        elif variable.space is Space.GLOBAL and variable.name in first:
            addresses[variable.name] = first[variable.name]
        elif variable.space is Space.GLOBAL and (variable in used or variable in kernel.variables):
            addresses[variable.name] = memory.buffer(variable.name, size)
    own = (*used, *kernel.variables)
    shared, shared_bytes = _offsets(v for v in own if v.space is Space.SHARED)
    local, _ = _offsets(v for v in own if v.space is Space.LOCAL)
    regions = (*memory.regions, *constants.regions)
    return LaunchLayout(addresses | shared | local, arguments, regions, shared_bytes)


def shared_bytes(module: Module, kernel: Kernel) -> int:
    """The static shared memory that a CTA of the kernel takes."""
    own = (*_used(module, kernel), *kernel.variables)
    return _offsets(v for v in own if v.space is Space.SHARED)[1]


def _used(module: Module, kernel: Kernel) -> tuple[Variable, ...]:
    """Module variables that the kernel names; the others cost a CTA nothing."""
    return tuple(v for v in module.variables if v.name in kernel.symbols)


def _offsets(variables: Iterable[Variable]) -> tuple[dict[str, int], int]:
    """Place variables one after another; arrays of open size all start at the end."""
    offsets: dict[str, int] = {}
    end = 0
    every = sorted(variables, key=lambda v: v.size_bytes is None)
    open_align = max([_OPEN_ALIGN, *(v.align for v in every if v.size_bytes is None)])
    for variable in every:
        align = open_align if variable.size_bytes is None else variable.align
        offsets[variable.name] = -(-end // align) * align
        end = offsets[variable.name] + (variable.size_bytes or 0)
    return offsets, end


def _values(
    argument: Argument, name: str, memory: _Window, buffers: dict[int, int]
) -> Iterable[tuple[int, Value]]:
    """(byte offset, value) for the parts of an argument."""
    if isinstance(argument, StructArgument):
        for offset, part in zip(argument.offsets, argument.fields, strict=True):
            for _, value in _values(part, f"{name}+{offset}", memory, buffers):
                yield offset, value
    else:
        yield 0, _value(argument, name, memory, buffers)


def _value(argument: Argument, name: str, memory: _Window, buffers: dict[int, int]) -> Value:
    # numpy is slow to load, and who asks for sizes alone needs none
    from warpmill.analyzer.traces.static.values import KnownNumbers, Unknown  # noqa: PLC0415

    match argument:
        case BufferArgument():
            buffers[id(argument)] = memory.buffer(name, argument.bytes)
            return KnownNumbers(buffers[id(argument)])
        case RefArgument(buffer, offset):
            if id(buffer) not in buffers:  # it is another launch's argument
                buffers[id(buffer)] = memory.buffer(name, buffer.bytes)
            return KnownNumbers(buffers[id(buffer)] + offset)
        case NullArgument():
            return KnownNumbers(0)
        case ScalarArgument() if argument.type.is_float:
            return Unknown("floating-point argument")
        case ScalarArgument(_, value):
            return KnownNumbers(wrapped(int(value)))  # registers hold signed numbers
        case TextureArgument():
            memory.buffer(name, argument.bytes)
            return Unknown("texture handle")
    return Unknown("argument")


# Addresses for accesses of which traces without data cannot tell any: who simulates needs some.
#
# In global and constant memory each lane has one of its own, as good as random, somewhere in the
# buffer that the access points into, or, where no analysis tells which, in one of all. They follow
# from the access, the CTA, the warp and the number of the event in it alone, so that they are the
# same in every run. In shared memory lanes have consecutive words, without conflicts; in local
# memory, which each thread has for itself, all have the first one.

Numbers = npt.NDArray[np.int64]
Small = npt.NDArray[np.int32]
Masks = npt.NDArray[np.uint64]

_SPREADS = 32
"""Number of layouts of an instruction's lanes, but for going round."""

_WORD = 4
"""Bytes of an access whose width nobody knows."""

_NOWHERE = MemoryRegion("", GLOBAL_BASE, 1 << 20)
"""Region over which addresses are spread in a launch that has no buffers."""


class Occasions(NamedTuple):
    """Executions of accesses, a number each: linear CTA, warp in it, event in that."""

    cta: Numbers
    warp: Numbers
    event: Numbers


@dataclass(frozen=True, eq=False)
class SynthesizedAddresses:
    """Addresses as a batch of events has them: of the first lane, and a row of distances from it.

    Rows may be equal.
    """

    base: Numbers
    row: Numbers
    rows: Numbers


class AddressSynthesizer:
    """Addresses at the points of a kernel; ``bases`` say what each one is counted from."""

    def __init__(
        self,
        points: Sequence[AccessPoint],
        bases: Mapping[tuple[int, int], str | None],
        layout: LaunchLayout,
        lanes: int,
    ) -> None:
        self._points, self._bases, self._layout, self._lanes = points, bases, layout, lanes

    def spread(self, points: Small, masks: Masks, occasions: Occasions) -> SynthesizedAddresses:
        """Addresses of accesses, each at one of the points by number, under a mask."""
        base, row = np.empty((2, points.size), np.int64)
        rows = [np.zeros((0, self._lanes), np.int64)]
        for number in np.unique(points).tolist():
            own = np.flatnonzero(points == number)
            when = Occasions(*(column[own] for column in occasions))
            found = self._at(number, masks[own], when)
            base[own], row[own] = found.base, found.row + sum(map(len, rows))
            rows.append(found.rows)
        return SynthesizedAddresses(base, row, np.concatenate(rows))

    def _at(self, number: int, masks: Masks, when: Occasions) -> SynthesizedAddresses:
        """Addresses at one point."""
        point = self._points[number]
        width = point.width_bytes or _WORD
        if point.space in _SPREAD_SPACES:
            windows = _windows(self._regions(point), width)
            return _Scatter(number, windows, width, self._lanes).spread(masks, when)
        each, row = np.unique(masks, return_inverse=True)
        step = 0 if point.space is Space.LOCAL else width
        first = self._address_of(point) or 0
        lane, on = _first_lanes(masks), _lanes_on(each, self._lanes)
        steps = np.arange(self._lanes) - _first_lanes(each)[:, None]
        return SynthesizedAddresses(
            first + step * lane, row.reshape(-1), np.where(on, steps * step, 0)
        )

    def _address_of(self, point: AccessPoint) -> int | None:
        """Base address of an access, where that is known."""
        name = self._bases.get((point.block, point.instruction))
        if name is None:
            return None
        argument = self._layout.arguments.get(name)
        if isinstance(argument, KnownNumbers):
            return argument.constant
        return self._layout.addresses.get(name)

    def _regions(self, point: AccessPoint) -> list[MemoryRegion]:
        """The regions that an access may be to."""
        address = self._address_of(point)
        region = None if address is None else self._layout.region(address)
        if region is not None:
            return [region]
        constant = point.space is Space.CONST
        every = [r for r in self._layout.regions if _is_constant(r) == constant]
        return every or [_NOWHERE]


_SPREAD_SPACES = (Space.GLOBAL, Space.CONST, Space.GENERIC)


def _is_constant(region: MemoryRegion) -> bool:
    return region.start >= min(CONSTANT_BASE, PARAMETER_BASE)


@dataclass(frozen=True, eq=False)
class _Windows:
    """Ranges of memory, by number: the first aligned address, and how many accesses fit."""

    start: Numbers
    slots: Numbers


def _windows(regions: Sequence[MemoryRegion], width: int) -> _Windows:
    starts = [-(-r.start // width) * width for r in regions]
    ends = [r.start + r.size_bytes for r in regions]
    slots = [max(1, (end - start) // width) for start, end in zip(starts, ends, strict=True)]
    return _Windows(np.array(starts, np.int64), np.array(slots, np.int64))


@dataclass(frozen=True)
class _Scatter:
    """Spreads the accesses of one point over windows.

    A window is a ring of slots. The lanes lie to each other in one of a few ways, and each access
    turns the ring by a number of its own: any lane may be anywhere, and yet the accesses have few
    patterns, which differ by which lanes have come round.
    """

    point: int
    windows: _Windows
    width: int
    lanes: int

    def spread(self, masks: Masks, when: Occasions) -> SynthesizedAddresses:
        """The addresses of accesses."""
        of_windows = self.windows
        key = np.full(masks.size, self.point, np.uint64)
        for column in when:
            key = _mixed(key ^ _mixed(column.astype(np.uint64)))
        window, turn = self._turns(key)
        way = (_mixed(key) % np.uint64(_SPREADS)).astype(np.int64)
        each, mask = np.unique(masks, return_inverse=True)
        first, mask = _first_lanes(each), mask.reshape(-1)
        places = self._places()
        ring = window * _SPREADS + way
        stay = _below(places, ring, of_windows.slots[window] - turn)
        kind = (mask * len(places) + ring) * (self.lanes + 1) + stay
        _, one, row = np.unique(kind, return_index=True, return_inverse=True)
        slots = of_windows.slots[window]
        at_first = (places[ring, first[mask]] + turn) % slots
        rows = (places[ring[one]] + turn[one, None]) % slots[one, None] - at_first[one, None]
        rows = np.where(_lanes_on(masks[one], self.lanes), rows * self.width, 0)
        return SynthesizedAddresses(
            of_windows.start[window] + at_first * self.width, row.reshape(-1), rows
        )

    def _turns(self, key: Masks) -> tuple[Numbers, Numbers]:
        """Choose a window for each access, the larger the likelier, and by how much to turn it."""
        ends = np.cumsum(self.windows.slots)
        place = (key % np.uint64(ends[-1])).astype(np.int64)
        window = np.searchsorted(ends, place, side="right")
        return window, place - (ends - self.windows.slots)[window]

    def _places(self) -> Numbers:
        """The slots of the lanes in every way, shape (windows * ways, lanes)."""
        slots = np.repeat(self.windows.slots, _SPREADS)
        ways = np.arange(slots.size * self.lanes, dtype=np.uint64).reshape(-1, self.lanes)
        own = _mixed(np.uint64(self.point) ^ _mixed(ways + np.uint64(1)))
        return (own % slots[:, None].astype(np.uint64)).astype(np.int64)


def _below(table: Numbers, row: Numbers, limit: Numbers) -> Numbers:
    """Count the numbers of a row of a table, none negative, that are below a limit."""
    apart = int(table.max()) + 2
    flat = np.sort(table, axis=1) + apart * np.arange(len(table))[:, None]
    found = np.searchsorted(flat.reshape(-1), np.minimum(limit, apart - 1) + apart * row)
    below: Numbers = found - row * table.shape[1]
    return below


def _mixed(key: Masks) -> Masks:
    """Scramble numbers: a bijection in which each bit of the result depends on all of them."""
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        key = (key ^ (key >> np.uint64(shift))) * np.uint64(factor)
    return key ^ (key >> np.uint64(31))


def _lanes_on(masks: Masks, lanes: int) -> npt.NDArray[np.bool_]:
    bits = masks[:, None] >> np.arange(lanes, dtype=np.uint64)
    return (bits & np.uint64(1)).astype(np.bool_)


def _first_lanes(masks: Masks) -> Numbers:
    """The first lane that is on, of masks that have one."""
    below = (masks & (~masks + np.uint64(1))) - np.uint64(1)
    return np.bitwise_count(below).astype(np.int64)
