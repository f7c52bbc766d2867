"""A kernel as a machine runs it: PTX as it stands, or what an assembler makes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.analyses.access.accesses import MemoryAccess
from warpmill.analyzer.analyses.access.merged_loads import (
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
from warpmill.analyzer.analyses.divergence.analysis import divergent_branches
from warpmill.analyzer.analyses.liveness.schedule import KEEPS, scheduled_regions, written_regions
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.ir.kernel import Instruction, Kernel, Module, Vector
from warpmill.analyzer.ir.types import OpClass, Place, Space
from warpmill.analyzer.traces.event_batch import AccessPoint, texel_points
from warpmill.analyzer.traces.static.plan import static_tables
from warpmill.simulator.estimate.costs import becomes_nothing, is_free, mma_shape
from warpmill.simulator.estimate.expansion.expand import Expansion, expand, kept_mixes
from warpmill.simulator.estimate.expansion.values import FREE, Mix
from warpmill.simulator.gpu import fields as f
from warpmill.simulator.gpu.streams import Heads, heads
from warpmill.simulator.machines.model import Machine, capability_of

Numbers = npt.NDArray[np.int64]

_IN_STEP = frozenset({f.K_BARRIER, f.K_ARRIVE, f.K_COMMIT, f.K_WAIT})
"""Kinds that keep warps and their copies in step, whatever their machine code is."""


@dataclass(frozen=True, eq=False)
class MachineProgram:
    """A kernel as it is laid out: with its accesses, and the order of each block's instructions.

    Where several blocks are one (``regions``), the first has the instructions of all.

    ``points`` are those of traces without data, or with texels' too. ``spaces`` tells what is known
    of generic accesses, ``aggregated`` are atomics that a warp makes as one, ``merged`` loads that
    are one: its first executes for all. ``kept`` has what accesses to arrays become that lie in
    registers. ``expansion`` says what each instruction becomes in machine code; without it, it is
    one, but for those that the cost table has more of, and those that it has none of where the
    kernel is ``assembled``.
    """

    kernel: Kernel
    points: tuple[AccessPoint, ...]
    spaces: Mapping[Place, Space]
    orders: tuple[tuple[Place, ...], ...]
    regions: tuple[tuple[int, ...], ...] = ()
    assembled: bool = False
    aggregated: frozenset[Place] = frozenset()
    merged: tuple[MergedLoad, ...] = ()
    kept: Mapping[Place, Mix] = field(default_factory=dict)
    expansion: Expansion | None = None

    def mix(self, place: Place) -> Mix | None:
        """The machine instructions that an instruction becomes; None where it is not known."""
        if place in self.kept:
            return self.kept[place]
        return None if self.expansion is None else self.expansion.mixes[place[0]][place[1]]

    def with_texels(self) -> MachineProgram:
        """The same where traces tell texels."""
        return replace(self, points=self.points + texel_points(self.kernel))

    def kind(self, place: Place) -> int:
        """Kind of an instruction for the engine: K_FREE where the machine issues none.

        Accesses that have their points are never that, but for loads that others make and
        constants that are operands of others.
        """
        instruction = self.kernel.blocks[place[0]].instructions[place[1]]
        if place in self.merged_away or self.is_operand(place):
            return f.K_FREE
        if place in self.kept:
            return f.K_ALU
        if place in self.accesses or is_texture(instruction) or is_matrix_move(instruction):
            return f.K_MEMORY
        if _is_param_load(instruction) and not self.assembled:
            return f.K_MEMORY
        kind = _beside_computing(instruction)
        return f.K_FREE if self.vanishes(place) and kind not in _IN_STEP else kind

    def vanishes(self, place: Place) -> bool:
        """Whether no machine instruction comes of an instruction that makes no access."""
        instruction = self.kernel.blocks[place[0]].instructions[place[1]]
        nothing = becomes_nothing(self.mix(place), is_free=is_free(instruction))
        return self.assembled and nothing

    def is_operand(self, place: Place) -> bool:
        """Whether a load of constants is part of what uses them, as c[bank][offset]."""
        point, mix = self.accesses.get(place), self.mix(place)
        return point is not None and point.space is Space.CONST and mix == FREE

    def issued_by_block(self) -> Numbers:
        """How many instructions of each block the machine issues, of a region at its first."""
        return np.array(
            [sum(self.kind(place) != f.K_FREE for place in order) for order in self.orders],
            np.int64,
        )

    @cached_property
    def heads(self) -> Heads:
        """The blocks that have the instructions of others too, by block."""
        return heads(len(self.kernel.blocks), self.regions)

    @cached_property
    def merged_away(self) -> frozenset[Place]:
        """Loads that others make."""
        return frozenset(place for load in self.merged for place in load.others)

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


def text_of(
    module: Module,
    structure: Structure,
    accesses: Sequence[MemoryAccess],
    machine: Machine,
    registers: int | None = None,
) -> MachineProgram:
    """A kernel as a machine runs it.

    ``registers`` are those of a thread, which the order depends on, and it alone; without them it
    is that of the kernel.
    """
    kernel = structure.kernel
    points = static_tables(kernel, (1, 1, 1), module.warp_size, 1, accesses).points
    spaces = {(a.block, a.instruction): a.space for a in accesses}
    text = MachineProgram(kernel, points, spaces, written_regions(kernel))
    if machine.text("front_end.isa") == "ptx":
        return text
    text = replace(text, assembled=True, aggregated=aggregated_atomics(accesses))
    same = repeated_loads(structure, accesses)
    capability = capability_of(machine)
    if capability is not None:
        if capability >= COUNTS:
            text = replace(text, aggregated=text.aggregated | counted_atomics(kernel, accesses))
        expansion = expand(structure, capability, divergent_branches(structure))
        text = replace(
            text,
            regions=expansion.branches.regions,
            merged=_merged(module, structure, accesses, same) if capability >= MERGES else (),
            kept=kept_mixes(structure, accesses) if capability >= KEEPS else {},
            expansion=expansion,
        )
    if registers is None:
        return replace(text, orders=written_regions(kernel, text.regions))
    copied = with_copies(kernel, same)
    view = structure.view if copied is kernel else None
    orders = scheduled_regions(copied, structure.cfg, registers, text.regions, view)
    return replace(text, orders=orders)


def _merged(
    module: Module,
    structure: Structure,
    accesses: Sequence[MemoryAccess],
    same: Sequence[RepeatedLoad],
) -> tuple[MergedLoad, ...]:
    """The loads that an assembler makes one: of neighbouring words, and of the ``same``."""
    widths = {(a.block, a.instruction): a.width_bytes for a in accesses if a.width_bytes}
    return (
        *merged_loads(module, structure, accesses),
        *(MergedLoad(o.first, o.others, widths[o.first]) for o in same if o.first in widths),
    )


def is_texture(instruction: Instruction) -> bool:
    """Whether an instruction goes to texels, or asks about them."""
    return instruction.operation.op_class.is_texel_access


def _is_param_load(instruction: Instruction) -> bool:
    operation = instruction.operation
    return operation.op_class is OpClass.LOAD and operation.space is Space.PARAM


def _beside_computing(instruction: Instruction) -> int:
    """Effect of an instruction on its warp beside computing; K_ALU where there is none."""
    operation = instruction.operation
    class_, opcode = operation.op_class, operation.opcode
    arrives = _names_barrier(opcode) and ".arrive" in opcode
    if class_ is OpClass.BARRIER and (arrives or "barrier" in operation.effects):
        return f.K_ARRIVE if arrives else f.K_BARRIER
    if class_ in (OpClass.BRANCH, OpClass.RETURN, OpClass.CALL) or instruction.targets:
        return f.K_BRANCH
    if class_ is OpClass.FENCE:
        return f.K_FENCE
    if opcode.startswith("cp.async") and ".commit_group" in opcode:
        return f.K_COMMIT
    if opcode.startswith("cp.async") and "wait" in opcode:
        return f.K_WAIT
    return f.K_ALU


def _names_barrier(opcode: str) -> bool:
    """Whether an opcode is of a CTA's barriers, which have numbers."""
    return opcode.startswith(("bar.", "barrier.")) and ".cluster" not in opcode


# Moves of matrices between an SM's memory and the registers of a warp: ldmatrix, wmma.load.
#
# Traces without data do not tell where the matrices lie, and executed ones tell it piece by piece.
# Neither is asked, so that both give the same: the load-store unit serves a move for as long as
# its bytes take, as if they were on the SM and in banks of their own.

_REGISTER_BYTES = 4


def is_matrix_move(instruction: Instruction) -> bool:
    """Whether an instruction moves matrices, or parts of them, from or to memory."""
    return instruction.operation.op_class is OpClass.MATRIX_MOVE


def moved_bytes(instruction: Instruction, lanes: int) -> int:
    """The bytes that a warp moves: those of wmma's matrix, else of its lanes' registers.

    Where lanes hold the same elements of a wmma.load, these are read once.
    """
    operation = instruction.operation
    shape = mma_shape(operation.opcode)
    if shape is None or not operation.types:
        stored = [len(o.elements) for o in instruction.operands if isinstance(o, Vector)]
        return lanes * _REGISTER_BYTES * max(1, len(instruction.writes), *stored)
    m, n, k = shape
    which = next((word for word in operation.modifiers if len(word) == 1), "")
    elements = {"a": m * k, "b": k * n}.get(which, m * n)
    return -(-elements * operation.types[0].bits // 8)
