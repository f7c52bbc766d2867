"""Launches as the checker of all schedules runs them: memory at the start, addresses, a program."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from dataclasses import dataclass

from warpmill.analyzer.ir.inline import inline_calls
from warpmill.analyzer.ir.kernel import Kernel, Module, Symbol, Variable
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.launch.buffers import materialise
from warpmill.analyzer.launch.check import check_launch
from warpmill.analyzer.launch.model import (
    Argument,
    BufferArgument,
    Launch,
    NullArgument,
    RefArgument,
    ScalarArgument,
    StructArgument,
)
from warpmill.analyzer.launch.numbering import parameter_offsets, unravel_index
from warpmill.benchmarks.check.exhaustive.memory import Region
from warpmill.benchmarks.check.exhaustive.program import program_of
from warpmill.benchmarks.check.exhaustive.rules import NotModelledError
from warpmill.benchmarks.check.exhaustive.steps import Layout, Program

MOST_THREADS, MOST_BYTES = 1 << 14, 1 << 26
"""Threads and bytes of buffers that are small enough to be looked at one by one."""

_GAP_BITS = 40
"""Buffers lie so far apart that no wrong index leads from one into another."""

_SCALARS = {
    "i8": "<b", "i16": "<h", "i32": "<i", "i64": "<q", "u8": "<B", "u16": "<H", "u32": "<I",
    "u64": "<Q", "f16": "<e", "f32": "<f", "f64": "<d", "bool": "<B",
}  # fmt: skip
_ELEMENTS = {"f16": "<e", "f32": "<f", "f64": "<d"}


@dataclass
class Image:
    """All that a run begins with. ``constants`` are the bytes of constant memory."""

    program: Program
    regions: list[Region]
    shared: Region
    constants: bytes
    specials: list[list[dict[str, int]]]  # by CTA and thread
    registers: int
    warp_size: int


def image_of(module: Module, kernel: Kernel, launch: Launch) -> Image:
    """A launch of a kernel ready to run.

    InputError where the launch does not fit the kernel, NotModelledError where the checker has no
    model of something in it.
    """
    check_launch(launch, module, kernel)
    if launch.cta_count * launch.threads_per_cta > MOST_THREADS:
        raise NotModelledError(f"more than {MOST_THREADS} threads")
    if launch.buffer_bytes > MOST_BYTES:
        raise NotModelledError(f"buffers of more than {MOST_BYTES} bytes")
    inlined = inline_calls(module, kernel).kernel
    globals_, constants = _Globals(module, launch), _Constants(module, launch)
    addresses = {**globals_.addresses, **constants.addresses}
    shared_bytes = _lay_out(module, inlined, Space.SHARED, addresses, launch.dynamic_shared_bytes)
    _lay_out(module, inlined, Space.LOCAL, addresses, 0)
    offsets, size = parameter_offsets(kernel)
    data = bytearray(size)
    for argument, parameter, offset in zip(
        launch.arguments, kernel.parameters, offsets, strict=True
    ):
        packed = globals_.packed(argument)
        if parameter.register is not None or len(packed) != parameter.size_bytes:
            raise NotModelledError(f"the parameter {parameter.name}")
        data[offset : offset + len(packed)] = packed
    places = {p.name: o for p, o in zip(kernel.parameters, offsets, strict=True)}
    program = program_of(inlined, Layout(addresses, bytes(data), places))
    shared = Region(-1, "shared memory", 0, shared_bytes)
    return Image(
        program,
        globals_.regions(),
        shared,
        constants.data(globals_.addresses),
        [_specials(launch, cta, module.warp_size) for cta in range(launch.cta_count)],
        len(inlined.registers),
        module.warp_size,
    )


def _lay_out(
    module: Module, kernel: Kernel, space: Space, addresses: dict[str, int], dynamic: int
) -> int:
    """Give variables of a space addresses from 0, the dynamic ones behind; bytes of all."""
    end, open_ones = 0, []
    for variable in _variables(module, kernel, space):
        if variable.size_bytes is None or 0 in variable.shape:
            open_ones.append(variable)
            continue
        start = -(-end // variable.align) * variable.align
        addresses[variable.name] = start
        end = start + variable.size_bytes
    align = max((v.align for v in open_ones), default=1)
    end = -(-end // align) * align
    addresses.update({v.name: end for v in open_ones})
    return end + dynamic


def _variables(module: Module, kernel: Kernel, space: Space) -> Iterator[Variable]:
    named = kernel.symbols
    yield from (v for v in kernel.variables if v.space is space)
    yield from (v for v in module.variables if v.space is space and v.name in named)


class _Globals:
    """Buffers of a launch and variables of its module in global memory, with their addresses."""

    def __init__(self, module: Module, launch: Launch) -> None:
        self.contents: list[tuple[str, bytes]] = []
        self.bases: dict[int, int] = {}  # by the identity of a buffer: equal ones are two
        self.addresses: dict[str, int] = {}
        symbols = dict(launch.symbols)
        for variable in module.variables:
            if variable.space is not Space.GLOBAL or variable.is_handle:
                continue
            given = symbols.get(variable.name)
            data = _initial(variable, {}) if given is None else materialise(given).tobytes()
            self.addresses[variable.name] = self.add(variable.name, data)

    def add(self, name: str, data: bytes) -> int:
        """Put bytes into global memory; their address."""
        self.contents.append((name, data))
        return len(self.contents) << _GAP_BITS

    def packed(self, argument: Argument) -> bytes:
        """The bytes of an argument; a buffer is made where its address is."""
        match argument:
            case ScalarArgument(type_name, value) if type_name in _SCALARS:
                return struct.pack(_SCALARS[type_name], value)
            case BufferArgument():
                return self.base(argument).to_bytes(8, "little")
            case RefArgument(buffer, offset_bytes):
                return (self.base(buffer) + offset_bytes).to_bytes(8, "little")
            case NullArgument():
                return bytes(8)
            case StructArgument():
                data = bytearray(argument.size_bytes)
                for part, offset in zip(argument.fields, argument.offsets, strict=True):
                    piece = self.packed(part)
                    data[offset : offset + len(piece)] = piece
                return bytes(data)
        raise NotModelledError(f"an argument of {type(argument).__name__}")

    def base(self, buffer: BufferArgument) -> int:
        """The address of a buffer, which is made when it is first asked for."""
        if id(buffer) not in self.bases:
            name = buffer.name or f"buffer {len(self.contents)}"
            self.bases[id(buffer)] = self.add(name, materialise(buffer).tobytes())
        return self.bases[id(buffer)]

    def regions(self) -> list[Region]:
        """Regions of global memory by address."""
        return [
            Region(number, name, number << _GAP_BITS, len(data), data)
            for number, (name, data) in enumerate(self.contents, 1)
        ]


class _Constants:
    """Variables in constant memory, with their addresses there."""

    def __init__(self, module: Module, launch: Launch) -> None:
        self.launch, self.addresses = launch, {}
        self.variables = [v for v in module.variables if v.space is Space.CONST and not v.is_handle]
        end = 0
        for variable in self.variables:
            start = -(-end // variable.align) * variable.align
            self.addresses[variable.name] = start
            end = start + (variable.size_bytes or 0)
        self.size = end

    def data(self, addresses: dict[str, int]) -> bytes:
        """The bytes of all, where initialisers may name variables in global memory."""
        symbols, data = dict(self.launch.symbols), bytearray(self.size)
        for variable in self.variables:
            given = symbols.get(variable.name)
            own = _initial(variable, addresses) if given is None else materialise(given).tobytes()
            start = self.addresses[variable.name]
            data[start : start + len(own)] = own
        return bytes(data)


def _initial(variable: Variable, addresses: dict[str, int]) -> bytes:
    """The bytes of a variable by its initialiser; what that leaves out is zero."""
    data = bytearray(variable.size_bytes or 0)
    size, at = variable.type.size_bytes, 0
    for value in variable.initialiser or ():
        if isinstance(value, Symbol):
            if value.name not in addresses:
                raise NotModelledError(f"the initialiser of {variable.name}")
            part = (addresses[value.name] + value.offset).to_bytes(8, "little")
        elif variable.type.is_float:
            part = struct.pack(_ELEMENTS[variable.type.name], value)
        else:
            part = (int(value) & (1 << 8 * size) - 1).to_bytes(size, "little")
        data[at : at + len(part)] = part
        at += len(part)
    return bytes(data)


def _specials(launch: Launch, cta: int, warp_size: int) -> list[dict[str, int]]:
    """The special registers of each thread of a CTA."""
    of_cta = unravel_index(cta, launch.grid)
    found = []
    for thread in range(math.prod(launch.block)):
        places = {
            "tid": unravel_index(thread, launch.block), "ntid": launch.block,
            "ctaid": of_cta, "nctaid": launch.grid,
        }  # fmt: skip
        special = {
            f"{name}.{axis}": int(value)
            for name, values in places.items()
            for axis, value in zip("xyz", values, strict=True)
        }
        lane = thread % warp_size
        below = (1 << lane) - 1
        special |= {
            "laneid": lane, "warpid": thread // warp_size, "lanemask_eq": 1 << lane,
            "lanemask_lt": below, "lanemask_le": below | 1 << lane,
            "lanemask_ge": (1 << warp_size) - 1 & ~below,
            "lanemask_gt": (1 << warp_size) - 1 & ~below & ~(1 << lane),
        }  # fmt: skip
        found.append(special)
    return found
