"""The virtual addresses of a launch: every buffer and variable gets a place (§III-B-3).

Buffers lie one after another in global memory, as the executor's device hands them out: variables
that the launch sets first, then arguments, then the other variables. Shared variables start at 0 of
the CTA's own window, local ones at 0 of the thread's, constant and parameter memory have windows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from warpmill.analyzer.base.naming import find_by_name
from warpmill.analyzer.ir.kernel import Kernel, Module, Variable
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.launch.addresses import (
    CONSTANT_BASE,
    GLOBAL_BASE,
    PARAMETER_BASE,
    next_buffer,
)
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
from warpmill.analyzer.traces.model import wrapped

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
    """Where everything lies: addresses of symbols and parameters, argument values, regions.

    Arguments stand under their parameter's name; the parts of a struct under ``name+offset``.
    """

    addresses: Mapping[str, int]
    arguments: Mapping[str, Value]
    regions: tuple[MemoryRegion, ...]
    shared_bytes: int

    def region(self, address: int) -> MemoryRegion | None:
        """Give the region that an address lies in."""
        return next((r for r in self.regions if r.holds(address)), None)


@dataclass(slots=True)
class _Window:
    """A stretch of addresses that is handed out from its start."""

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
    """Give the static shared memory that a CTA of the kernel takes."""
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
    """Give (byte offset, value) for the parts of an argument."""
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
