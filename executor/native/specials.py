"""Addresses of variables and spaces, and special registers, read from the run's context."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, Source, Span
from warpmill.analyzer.ir.kernel import Kernel, Special, Symbol
from warpmill.analyzer.ir.types import Space
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.instructions import LlvmValue, constant

# The addresses of variables, parameters and spaces, as a kernel sees them.
#
# Device addresses are numbers of our own, the same in every run: the windows below for what a warp
# or a CTA has to itself, and from GLOBAL_BASE on the allocations of global memory.

GRID_WORKSPACE = 0x7F00_0000_0000
"""Address of the word at which a cooperative launch's CTAs meet, above all allocations."""

GRID_WORKSPACE_BYTES = 64


@dataclass(frozen=True)
class Places:
    """Places of names: space and offset there; of global variables, their number.

    ``sizes`` are the bytes of the spaces whose size is known before a launch, ``bytes_of`` those
    of the variables that hand arguments over. With ``constant_buffers`` a parameter points to
    constant memory, as OpenCL's ``__constant`` arguments do: a buffer in global memory is passed.
    """

    names: Mapping[str, tuple[Space, int]] = field(default_factory=dict)
    address_type: str = "i64"
    sizes: Mapping[Space, int] = field(default_factory=dict)
    concurrent: bool = False  # that CTAs run at the same time
    bytes_of: Mapping[str, int] = field(default_factory=dict)
    constant_buffers: bool = False

    def space_of(self, base: object, space: Space) -> Space:
        """The space that an access is to: variables of calls are local memory here."""
        if space is Space.PARAM and isinstance(base, Symbol):
            return self.names[base.name][0]
        return space

    def symbol(self, e: Emitter, symbol: Symbol) -> LlvmValue:
        """The address of a variable in its own space."""
        space, offset = self.names[symbol.name]
        if space is not Space.GLOBAL:
            return constant(offset + symbol.offset, self.address_type)
        table, place = e.context("symbols"), e.name()
        e.raw(f"  {place} = getelementptr i64, ptr {table.text}, i64 {offset}")
        base = e.define(f"load i64, ptr {place}", "i64", uniform=True)
        moved = e.op("add", base, constant(symbol.offset, "i64")) if symbol.offset else base
        return e.resize(moved, self.address_type)


_AXES = "xyz"

_OF_CLUSTERS: dict[str, str | int] = {
    "clusterid": "ctaid",
    "nclusterid": "nctaid",
    "cluster_ctaid": 0,
    "cluster_nctaid": 1,
}
"""Values of cluster registers: special registers of CTAs, or numbers."""


def special(e: Emitter, name: str) -> LlvmValue:
    """A special register by its name in PTX, without the percent sign."""
    group, _, axis = name.partition(".")
    if axis == "w":
        return constant(1 if group.startswith("n") else 0, "i32")
    if group in ("ntid", "nctaid", "ctaid"):
        return e.context(name)
    if group in _OF_CLUSTERS:  # each CTA is a cluster of its own
        same = _OF_CLUSTERS[group]
        return constant(same, "i32") if isinstance(same, int) else e.context(f"{same}.{axis}")
    if group == "tid":
        return _thread_id(e, _AXES.index(axis))
    return _OTHERS[name](e) if name in _OTHERS else _numbered(name)


def is_special_known(name: str) -> bool:
    """Whether a special register has a value here."""
    group, _, axis = name.partition(".")
    with_axes = ("tid", "ntid", "ctaid", "nctaid", *_OF_CLUSTERS)
    known = group in with_axes and axis in ("x", "y", "z", "w")
    whole = name in ("tid", "ntid", "ctaid", "nctaid")  # mov takes them apart
    return known or whole or name in _OTHERS or _numbered_value(name) is not None


def _thread_id(e: Emitter, axis: int) -> LlvmValue:
    table, warp = e.context("thread_ids"), e.context("warp")
    row = e.op("add", e.op("mul", warp, constant(3, "i64")), constant(axis, "i64"))
    place = e.name()
    e.raw(f"  {place} = getelementptr {e.vector_type('i32')}, ptr {table.text}, i64 {row.text}")
    whole = e.vector_type("i32")
    return e.define(f"load {whole}, ptr {place}, align 64", "i32", uniform=False)


def _lane_mask(e: Emitter, low: bool, own: bool) -> LlvmValue:
    """The bits of lanes below (or above) each one, with its own or without."""
    numbers = range(e.lanes)
    word = f"i{e.lanes}"
    below = [(1 << lane) - 1 for lane in numbers]
    ones = (1 << e.lanes) - 1
    values = [
        (b if low else ones & ~(b | 1 << lane)) | (1 << lane if own else 0)
        for lane, b in zip(numbers, below, strict=True)
    ]
    return LlvmValue(f"<{', '.join([f'{word} {v}' for v in values])}>", word)


def _one_lane(e: Emitter) -> LlvmValue:
    word = f"i{e.lanes}"
    return LlvmValue(f"<{', '.join([f'{word} {1 << k}' for k in range(e.lanes)])}>", word)


def _narrow(e: Emitter, name: str) -> LlvmValue:
    return e.resize(e.context(name), "i32")


def _clock(e: Emitter) -> LlvmValue:
    return e.context("clock")


_OTHERS: dict[str, Callable[[Emitter], LlvmValue]] = {
    "laneid": lambda e: e.lane_numbers(),
    "warpid": lambda e: _narrow(e, "warp"),
    "nwarpid": lambda e: _narrow(e, "warp_count"),
    "smid": lambda _: constant(0, "i32"),
    "nsmid": lambda _: constant(1, "i32"),
    "gridid": lambda _: constant(0, "i64"),
    "lanemask_eq": _one_lane,
    "lanemask_lt": lambda e: _lane_mask(e, low=True, own=False),
    "lanemask_le": lambda e: _lane_mask(e, low=True, own=True),
    "lanemask_gt": lambda e: _lane_mask(e, low=False, own=False),
    "lanemask_ge": lambda e: _lane_mask(e, low=False, own=True),
    "clock": lambda e: e.resize(_clock(e), "i32"),
    "clock_hi": lambda e: e.resize(e.op("lshr", _clock(e), constant(32, "i64")), "i32"),
    "clock64": _clock,
    "globaltimer": _clock,
    "globaltimer_lo": lambda e: e.resize(_clock(e), "i32"),
    "globaltimer_hi": lambda e: e.resize(e.op("lshr", _clock(e), constant(32, "i64")), "i32"),
    "dynamic_smem_size": lambda e: _narrow(e, "dynamic_shared_bytes"),
    "total_smem_size": lambda e: _narrow(e, "shared_bytes"),
    "aggr_smem_size": lambda e: _narrow(e, "shared_bytes"),
    "reserved_smem_offset_begin": lambda e: _narrow(e, "reserved_shared"),
    "reserved_smem_offset_end": lambda e: _narrow(e, "shared_bytes"),
    "reserved_smem_offset_cap": lambda e: _narrow(e, "shared_bytes"),
    "reserved_smem_offset_0": lambda e: _narrow(e, "reserved_shared"),
    "reserved_smem_offset_1": lambda e: _narrow(e, "reserved_shared"),
    "current_graph_exec": lambda _: constant(0, "i64"),
    "is_explicit_cluster": lambda _: constant(0, "i1"),
    "cluster_ctarank": lambda _: constant(0, "i32"),
    "cluster_nctarank": lambda _: constant(1, "i32"),
}
"""Special registers without axes. The clock counts warp instructions, as good as any time here."""


GRID_WORKSPACE_HALVES = {"envreg1": GRID_WORKSPACE >> 32, "envreg2": GRID_WORKSPACE & 0xFFFF_FFFF}
"""Address of a grid's workspace for cooperative groups, the high half first."""


def _numbered_value(name: str) -> int | None:
    if name.startswith(("envreg", "pm")):
        return GRID_WORKSPACE_HALVES.get(name, 0)
    return None


def _numbered(name: str) -> LlvmValue:
    value = _numbered_value(name)
    assert value is not None, name
    return constant(value, "i64" if name.endswith("_64") else "i32")


# Values that the input, or a GPU that is not there, would give.

_COUNT = "the warp instructions so far, which have no unit of time"
_STAND_INS = {
    "clock": _COUNT,
    "clock_hi": _COUNT,
    "clock64": _COUNT,
    "globaltimer": _COUNT,
    "globaltimer_lo": _COUNT,
    "globaltimer_hi": _COUNT,
    "smid": "0: there is one SM here",
    "nsmid": "1: there is one SM here",
    "gridid": "0",
}
"""Special registers whose values on a GPU no launch decides, and what is taken."""


def stand_ins(kernel: Kernel, source: Source) -> tuple[Diagnostic, ...]:
    """Substitutes in executing a kernel for values that nothing gives, each at its first use.

    Special registers that only a GPU has, and registers that no instruction writes.
    """
    found = [*_special_registers(kernel), *_never_written(kernel)]
    return tuple(
        replace(d, file=source.name, excerpt=source.line(d.span.line) if d.span else None)
        for d in found
    )


def _special_registers(kernel: Kernel) -> Iterator[Diagnostic]:
    first: dict[str, Span] = {}
    for instruction in kernel.instructions:
        for operand in instruction.operands:
            if isinstance(operand, Special):
                first.setdefault(operand.name, instruction.span)
    for name, span in first.items():
        taken = _STAND_INS.get(name)
        if name.startswith(("envreg", "pm")) and name not in GRID_WORKSPACE_HALVES:
            taken = "0"
        if taken is not None:
            yield Diagnostic(Severity.NOTE, f"`%{name}` is taken as {taken}", span=span)


def _never_written(kernel: Kernel) -> Iterator[Diagnostic]:
    written = {p.register.index for p in kernel.parameters if p.register is not None}
    for instruction in kernel.instructions:
        written.update(instruction.writes)
    copies = [copy for b in kernel.blocks for edge in b.incoming for copy in edge.copies]
    written.update(register.index for register, _ in copies)
    told: set[int] = set()
    for instruction in kernel.instructions:
        for index in instruction.reads:
            if index not in written and index not in told:
                told.add(index)
                name = kernel.registers[index].name
                words = f"nothing writes `{name}`: what is read here is undefined, 0 is taken"
                yield Diagnostic(Severity.WARNING, words, span=instruction.span)
