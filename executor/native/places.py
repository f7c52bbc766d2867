"""The addresses of variables, parameters and spaces, as a kernel sees them.

Device addresses are numbers of our own, the same in every run: the windows below for what a warp
or a CTA has to itself, and from GLOBAL_BASE on the allocations of global memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from warpmill.analyzer.ir.kernel import Symbol
from warpmill.analyzer.ir.types import Space
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.values import LlvmValue, constant

GRID_WORKSPACE = 0x7F00_0000_0000
"""Where the word lies at which the CTAs of a cooperative launch meet, above all allocations."""

GRID_WORKSPACE_BYTES = 64


@dataclass(frozen=True)
class Places:
    """Where each name lies: its space and its offset there; of global variables, their number.

    ``sizes`` are the bytes of the spaces whose size is known before a launch, ``bytes_of`` those
    of the variables that hand arguments over. With ``constant_buffers`` a parameter points to
    constant memory, as OpenCL's ``__constant`` arguments do: a buffer in global memory is passed.
    """

    names: Mapping[str, tuple[Space, int]] = field(default_factory=dict)
    address_type: str = "i64"
    sizes: Mapping[Space, int] = field(default_factory=dict)
    check_shared: bool = False  # that shared memory is written before it is read
    concurrent: bool = False  # that CTAs run at the same time
    bytes_of: Mapping[str, int] = field(default_factory=dict)
    constant_buffers: bool = False

    def space_of(self, base: object, space: Space) -> Space:
        """Give the space that an access is to: variables of calls are local memory here."""
        if space is Space.PARAM and isinstance(base, Symbol):
            return self.names[base.name][0]
        return space

    def symbol(self, e: Emitter, symbol: Symbol) -> LlvmValue:
        """Give the address of a variable in its own space."""
        space, offset = self.names[symbol.name]
        if space is not Space.GLOBAL:
            return constant(offset + symbol.offset, self.address_type)
        table, place = e.context("symbols"), e.name()
        e.raw(f"  {place} = getelementptr i64, ptr {table.text}, i64 {offset}")
        base = e.define(f"load i64, ptr {place}", "i64", uniform=True)
        moved = e.op("add", base, constant(symbol.offset, "i64")) if symbol.offset else base
        return e.resize(moved, self.address_type)
