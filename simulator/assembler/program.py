"""MachineProgram: a kernel as a machine issues it, as PTX stands or as an assembler leaves it.

Both engines take it. ``KernelFacts.program`` makes it: the order of instructions, blocks that are
one, loads that are merged, arrays that lie in registers, and the machine instructions that each
instruction becomes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from warpmill.analyzer.analyses.access.accesses import MemoryAccess, memory_accesses
from warpmill.analyzer.analyses.divergence.analysis import divergent_branches
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.ir.kernel import (
    MACHINE_CODE,
    Instruction,
    Kernel,
    Module,
    allocate_bytes,
)
from warpmill.analyzer.ir.types import OpClass, Place, Space
from warpmill.analyzer.traces.event_batch import AccessPoint, EventBatch, texel_points
from warpmill.analyzer.traces.static.plan import is_access, static_tables
from warpmill.simulator.assembler.costs import becomes_nothing, is_free
from warpmill.simulator.assembler.expand import (
    Expansion,
    expand,
    kept_mixes,
    machine_expansion,
)
from warpmill.simulator.assembler.merged_loads import (
    COUNTS,
    MERGES,
    MergedLoad,
    RepeatedLoad,
    aggregated_atomics,
    counted_atomics,
    merged_loads,
    repeated_loads,
    with_copies,
)
from warpmill.simulator.assembler.registers import RegisterCount
from warpmill.simulator.assembler.schedule import KEEPS, Orders, scheduled_regions, written_regions
from warpmill.simulator.assembler.values import FREE, NEWEST_ISA, Mix, ptx_isa
from warpmill.simulator.machines.model import Machine, capability_of

if TYPE_CHECKING:
    from warpmill.simulator.assembler.spills import Spills

T = TypeVar("T")

_MACHINE_CODE = "machine code as it is"

_FEWEST = 1
"""Registers of a thread to which no order keeps: the one that needs fewest is taken."""

_SPILL = Mix((("memory", 1),))
"""The machine instructions of a spill: LDL or STL."""

_ON_CHIP = frozenset({Space.SHARED, Space.CONST, Space.PARAM})


@dataclass(frozen=True, eq=False)
class Heads:
    """First block of those that each is one with (``of``), and its ``place`` among them."""

    of: NDArray[np.int32]
    place: NDArray[np.int32]

    def begins(self, block: NDArray[np.int32], warps: NDArray[np.int64]) -> NDArray[np.int64]:
        """The visits with which an event begins; others go on with that of the visit before.

        ``block`` has that of each visit, ``warps`` the first visit of each warp and their end.
        """
        own, at = self.of[block], self.place[block]
        goes_on = np.zeros(len(block), np.bool_)
        goes_on[1:] = (own[1:] == own[:-1]) & (at[1:] > at[:-1])
        first = warps[:-1]
        goes_on[first[first < len(block)]] = False
        return np.flatnonzero(~goes_on)


def heads(blocks: int, regions: Iterable[tuple[int, ...]]) -> Heads:
    """Find the heads of a kernel's blocks; each of the ``regions`` in the order of its code."""
    found = Heads(np.arange(blocks, dtype=np.int32), np.zeros(blocks, np.int32))
    for region in regions:
        found.of[list(region)] = region[0]
        found.place[list(region)] = range(len(region))
    return found


@dataclass(frozen=True, eq=False)
class MachineProgram:
    """A kernel as a machine issues it.

    ``orders`` has the instructions of each block in their order; where several blocks are one
    (``regions``), the first has those of all. A kernel that is not ``assembled`` is issued as its
    text stands.

    ``merged`` are loads of neighbouring words that became one, ``repeated`` those of bytes that
    another has loaded: the first executes for the others; ``with_copies`` is the kernel in which
    repeated ones are copies. The lanes of atomics that go ``as_one`` take no turns at a word.
    ``kept`` has what accesses to arrays become that lie in registers. ``expansion`` says what each
    instruction becomes in machine code; without it, it is one, but for those that the cost table
    has more of, and those that it has none of where the kernel is assembled.

    ``points`` are the accesses that traces tell: of those without data, or with texels' too.
    ``spaces`` tells what is known of generic ones. ``spills`` are what an assembler added, which
    ``kernel``, ``orders``, ``points`` and ``spaces`` have as well; no trace tells them.
    """

    kernel: Kernel
    orders: Orders
    points: tuple[AccessPoint, ...]
    spaces: Mapping[Place, Space]
    assembled: bool = False
    regions: tuple[tuple[int, ...], ...] = ()
    as_one: frozenset[Place] = frozenset()
    merged: tuple[MergedLoad, ...] = ()
    repeated: tuple[RepeatedLoad, ...] = ()
    kept: Mapping[Place, Mix] = field(default_factory=dict)
    expansion: Expansion | None = None
    spills: Spills | None = None

    def mix(self, place: Place) -> Mix | None:
        """The machine instructions that an instruction becomes; None where it is not known."""
        if place in self.kept:
            return self.kept[place]
        if self.spills is not None and place in self.spills.owners:
            return _SPILL
        return None if self.expansion is None else self.expansion.mixes[place[0]][place[1]]

    def told(self, count: RegisterCount) -> RegisterCount:
        """The registers of a thread, with the bytes that are spilled."""
        spills, known = self.spills, count.spilled
        if spills is None or known is None or known.store_bytes is not None:
            return count
        if not spills.points:  # an order was found in which all fits
            return replace(count, spilled=None)
        stored, loaded = spills.store_bytes, spills.load_bytes
        return replace(count, spilled=replace(known, store_bytes=stored, load_bytes=loaded))

    def traced(self, batch: EventBatch) -> EventBatch:
        """Events of the kernel as the program executes them: with its spills."""
        return batch if self.spills is None else self.spills.traced(batch)

    @cached_property
    def access_facts(self) -> tuple[Hashable, ...]:
        """All that the accesses of its events depend on, beside the kernel and its traces."""
        return frozenset(self.kept), self.as_one, self.merged, self.spills

    def owner(self, place: Place) -> Place:
        """The kernel's own instruction that one is there for: itself, or what it spills for."""
        return place if self.spills is None else self.spills.owners.get(place, place)

    def with_texels(self) -> MachineProgram:
        """The same where traces tell texels."""
        return replace(self, points=self.points + texel_points(self.kernel))

    def instruction(self, place: Place) -> Instruction:
        """The instruction at a place."""
        return self.kernel.blocks[place[0]].instructions[place[1]]

    def is_issued(self, place: Place) -> bool:
        """Whether the machine issues anything for an instruction.

        Accesses that have their points are issued, but for loads that others make and constants
        that are operands of others; so is what keeps warps and their copies in step.
        """
        if place in self.merged_away or self.is_operand(place):
            return False
        instruction = self.instruction(place)
        return (
            place in self.kept
            or place in self.accesses
            or instruction.operation.op_class.is_texel_access
            or instruction.operation.op_class is OpClass.MATRIX_MOVE
            or keeps_in_step(instruction)
            or not self.vanishes(place)
        )

    def vanishes(self, place: Place) -> bool:
        """Whether no machine instruction comes of an instruction that makes no access."""
        nothing = becomes_nothing(self.mix(place), is_free=is_free(self.instruction(place)))
        return self.assembled and nothing

    def is_operand(self, place: Place) -> bool:
        """Whether a load of constants is part of what uses them, as c[bank][offset]."""
        point, mix = self.accesses.get(place), self.mix(place)
        return point is not None and point.space is Space.CONST and mix == FREE

    def issued_by_block(self) -> NDArray[np.int64]:
        """How many instructions of each block the machine issues, of a region at its first."""
        return np.array([sum(map(self.is_issued, order)) for order in self.orders], np.int64)

    @cached_property
    def local_bytes(self) -> int | None:
        """Bytes of local memory that a thread has, its spills among them; None: not known."""
        if any(i.operation.name == "alloca" for i in self.kernel.instructions):
            return None
        spilled = 0 if self.spills is None else self.spills.frame_bytes
        return own_local_bytes(self.kernel) + spilled

    @cached_property
    def heads(self) -> Heads:
        """The blocks that have the instructions of others too, by block."""
        return heads(len(self.kernel.blocks), self.regions)

    @cached_property
    def one_load(self) -> tuple[MergedLoad, ...]:
        """Loads that are one: of neighbouring words, and of the same ones."""
        widths = {p: a.width_bytes for p, a in self.accesses.items() if a.width_bytes}
        same = (o for o in self.repeated if o.first in widths)
        return (*self.merged, *(MergedLoad(o.first, o.others, widths[o.first]) for o in same))

    @cached_property
    def merged_away(self) -> frozenset[Place]:
        """Loads that others make."""
        return frozenset(place for load in self.one_load for place in load.others)

    @cached_property
    def copied(self) -> frozenset[Place]:
        """Loads that are copies of what others loaded."""
        return frozenset(place for load in self.repeated for place in load.others)

    @cached_property
    def with_copies(self) -> Kernel:
        """The kernel with copies in the place of repeated loads."""
        return with_copies(self.kernel, self.repeated)

    @cached_property
    def accesses(self) -> Mapping[Place, AccessPoint]:
        """The point of each access; of a copy the first outside the SM, or the first."""
        found: dict[Place, AccessPoint] = {}
        for point in sorted(self.points, key=lambda p: p.space is Space.SHARED):
            found.setdefault((point.block, point.instruction), point)
        return {place: point for place, point in found.items() if place not in self.kept}

    @cached_property
    def sides(self) -> Mapping[Place, int]:
        """How many places outside the SM each access goes to: two of a copy between two of them."""
        outside = (p for p in self.points if p.space is not Space.SHARED)
        return dict(Counter((point.block, point.instruction) for point in outside))


@dataclass(frozen=True, eq=False)
class KernelFacts:
    """A kernel with what engines need to know of it, worked out once, when asked.

    ``accesses`` are those of ``memory_accesses`` where they are known already.
    """

    module: Module
    structure: Structure
    accesses: tuple[MemoryAccess, ...] | None = None

    @property
    def kernel(self) -> Kernel:
        """The kernel itself."""
        return self.structure.kernel

    def program(
        self, machine: Machine, count: RegisterCount | None = None, *, as_written: bool = False
    ) -> MachineProgram:
        """The kernel as a machine issues it; made once for all machines that issue it alike.

        The order depends on the registers of a thread, and with them what is spilled; without
        them, or ``as_written``, it is that of the text.
        """
        assembled = machine.text("front_end.isa") != "ptx"
        capability = capability_of(machine)
        if not assembled:
            return self._text
        if MACHINE_CODE in self.module.attributes:
            return self.once(_MACHINE_CODE, self._as_it_is)
        registers = None if count is None or as_written else count.registers_per_thread
        key = MachineProgram, capability, registers
        program = self.once(key, lambda: self._assembled(capability, registers))
        if count is None or count.spilled is None:
            return program
        return self.once((program, count), lambda: self._spilling(program, count))

    @cached_property
    def _text(self) -> MachineProgram:
        orders = written_regions(self.kernel)
        return MachineProgram(self.kernel, orders, self._points, self.spaces)

    def _as_it_is(self) -> MachineProgram:
        """The program of a kernel that is machine code already: each instruction is one."""
        expansion = machine_expansion(self.kernel)
        return replace(self._text, assembled=True, expansion=expansion)

    def _assembled(self, capability: int | None, registers: int | None) -> MachineProgram:
        text = replace(self._text, assembled=True, as_one=self._aggregated)
        if capability is not None:
            merges = capability >= MERGES
            expansion = self.expansion(capability)
            text = replace(
                text,
                as_one=text.as_one | (self._counted if capability >= COUNTS else frozenset()),
                regions=expansion.branches.regions,
                merged=self._merged if merges else (),
                repeated=self._repeated if merges else (),
                kept=self._kept if capability >= KEEPS else {},
                expansion=expansion,
            )
        return replace(text, orders=self._orders(text, registers))

    def _spilling(self, program: MachineProgram, count: RegisterCount) -> MachineProgram:
        """The program with what it spills, in its order or in one that needs fewest registers."""
        least = self._orders(program, _FEWEST)
        assert count.spilled is not None
        told = (count.spilled.store_bytes or 0) + (count.spilled.load_bytes or 0)
        spills = min(
            (self._spills(orders, count) for orders in (program.orders, least)),
            key=lambda spills: abs(spills.store_bytes + spills.load_bytes - told),
        )
        return replace(
            program,
            kernel=spills.kernel,
            orders=spills.orders,
            points=program.points + spills.points,
            spaces={**program.spaces, **dict.fromkeys(spills.owners, Space.LOCAL)},
            spills=spills,
        )

    def _spills(self, orders: Orders, count: RegisterCount) -> Spills:
        from warpmill.simulator.assembler.spills import (  # noqa: PLC0415 - few kernels spill
            spilled,
            spilled_as,
        )

        assert count.spilled is not None
        own = own_local_bytes(self.kernel)
        told = count.spilled
        if told.store_bytes is not None and told.load_bytes is not None:
            return spilled_as(self.structure, orders, told.store_bytes + told.load_bytes, own)
        if told.frame_bytes is not None:
            return spilled_as(self.structure, orders, told.frame_bytes, own, of_frame=True)
        return spilled(self.structure, orders, count.registers_per_thread, own)

    def _orders(self, text: MachineProgram, registers: int | None) -> Orders:
        def made() -> Orders:
            if registers is None:
                return written_regions(self.kernel, text.regions)
            copied, cfg = text.with_copies, self.structure.cfg
            view = self.structure.view if copied is self.kernel else None
            return scheduled_regions(copied, cfg, registers, text.regions, view)

        return self.once((written_regions, registers, text.regions, bool(text.repeated)), made)

    def expansion(self, capability: int) -> Expansion:
        """Expansion of the kernel into machine code of a compute capability, 86 for 8.6."""
        is_ptx = self.module.target.startswith("sm_")
        isa = ptx_isa(self.module.version) if is_ptx else NEWEST_ISA

        def made() -> Expansion:
            return expand(self.structure, capability, self._divergent, isa)

        return self.once((Expansion, capability), made)

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """What ``make`` gives, made once a kernel: what programs and engines keep with it."""
        if key not in self._made:
            self._made[key] = make()
        found: T = self._made[key]
        return found

    @cached_property
    def _made(self) -> dict[Hashable, Any]:
        return {}

    @cached_property
    def _divergent(self) -> Mapping[int, int | None]:
        return divergent_branches(self.structure)

    @cached_property
    def known_accesses(self) -> tuple[MemoryAccess, ...]:
        """Accesses of the kernel, by analysis."""
        if self.accesses is not None:
            return self.accesses
        return memory_accesses(self.module, self.structure)

    @cached_property
    def spaces(self) -> dict[Place, Space]:
        """The space of each access, as far as analysis tells it."""
        return {(a.block, a.instruction): a.space for a in self.known_accesses}

    @cached_property
    def stored_bases(self) -> frozenset[str] | None:
        """The pointer arguments and variables that stores and atomics are counted from, by name.

        None where the base of one is unknown.
        """
        bases = {
            a.base
            for a in self.known_accesses
            if a.op_class is not OpClass.LOAD and a.space not in _ON_CHIP
        }
        return None if None in bases else frozenset(base for base in bases if base is not None)

    @cached_property
    def _points(self) -> tuple[AccessPoint, ...]:
        sizes = (1, 1, 1), self.module.warp_size, 1
        return static_tables(self.kernel, *sizes, self.known_accesses).points

    @cached_property
    def off_chip(self) -> Mapping[int, int]:
        """How many accesses of each block may leave the SM, by block, of those that have any."""
        return Counter(block for block, place in self._traced if not self._is_on_chip(block, place))

    @cached_property
    def on_chip(self) -> frozenset[Place]:
        """Accesses that never leave the SM."""
        return frozenset(place for place in self._traced if self._is_on_chip(*place))

    @cached_property
    def _traced(self) -> tuple[Place, ...]:
        return tuple(
            (block.id, place)
            for block in self.kernel.blocks
            for place, instruction in enumerate(block.instructions)
            if is_access(instruction)
        )

    def _is_on_chip(self, block: int, place: int) -> bool:
        """Whether all spaces that an access is to are; a copy reads one and writes another."""
        operation = self.kernel.blocks[block].instructions[place].operation
        if operation.op_class is OpClass.ASYNC_COPY:
            return ({*operation.spaces} or {Space.GENERIC}) <= _ON_CHIP
        return self.spaces.get((block, place), operation.space or Space.GENERIC) in _ON_CHIP

    @cached_property
    def _merged(self) -> tuple[MergedLoad, ...]:
        return merged_loads(self.module, self.structure, self.known_accesses)

    @cached_property
    def _repeated(self) -> tuple[RepeatedLoad, ...]:
        return repeated_loads(self.structure, self.known_accesses)

    @cached_property
    def _kept(self) -> Mapping[Place, Mix]:
        return kept_mixes(self.structure, self.known_accesses)

    @cached_property
    def _aggregated(self) -> frozenset[Place]:
        return aggregated_atomics(self.known_accesses)

    @cached_property
    def _counted(self) -> frozenset[Place]:
        return counted_atomics(self.kernel, self.known_accesses)


def own_local_bytes(kernel: Kernel) -> int:
    """Bytes of local memory that a thread's variables take."""
    return allocate_bytes(v for v in kernel.variables if v.space is Space.LOCAL)


def touches_memory(instruction: Instruction) -> bool:
    """Whether an instruction has a memory cost of its own at every visit."""
    operation = instruction.operation
    if operation.op_class is OpClass.PREFETCH or operation.space is Space.PARAM:
        return False
    return operation.op_class.is_memory


def keeps_in_step(instruction: Instruction) -> bool:
    """Whether an instruction keeps warps and their copies in step, whatever its machine code is."""
    return is_barrier(instruction) or closes_copies(instruction) or awaits_copies(instruction)


def is_barrier(instruction: Instruction) -> bool:
    """Whether an instruction is at a barrier of the CTA, to wait there or to arrive alone."""
    operation = instruction.operation
    if operation.op_class is not OpClass.BARRIER:
        return False
    return "barrier" in operation.effects or arrives_alone(instruction)


def arrives_alone(instruction: Instruction) -> bool:
    """Whether an instruction arrives at a barrier of the CTA and goes on."""
    operation = instruction.operation
    numbered = operation.opcode.startswith(("bar.", "barrier."))
    of_cta = numbered and ".cluster" not in operation.opcode
    if operation.name == "BAR":  # machine code
        return "ARV" in operation.modifiers
    return operation.op_class is OpClass.BARRIER and of_cta and ".arrive" in operation.opcode


def closes_copies(instruction: Instruction) -> bool:
    """Whether an instruction closes a group of asynchronous copies."""
    opcode = instruction.operation.opcode
    is_group = opcode.startswith("cp.async") and ".commit_group" in opcode
    return is_group or instruction.operation.name == "LDGDEPBAR"


def awaits_copies(instruction: Instruction) -> bool:
    """Whether an instruction waits for asynchronous copies."""
    opcode = instruction.operation.opcode
    waits = opcode.startswith("cp.async") and "wait" in opcode
    return waits or instruction.operation.name == "DEPBAR"
