"""A kernel's instructions as the engine reads them: units, latencies, registers, barriers.

Times at which registers can be read are kept in few places, close together. Compilers name each
value anew, so that a kernel has hundreds of registers, of which a warp needs few at a time; the
words of all of them do not fit into a CPU's caches. Registers that one block alone uses share
words, one after the other. That changes no time: a value that was read is there, and holds up
nobody who writes another one to its word.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.ir.kernel import Address, Imm, Instruction, Symbol, Vector
from warpmill.analyzer.ir.operation import Operation, goes_past_l1
from warpmill.analyzer.ir.types import OpClass, Place, Space
from warpmill.analyzer.launch.numbering import parameter_offsets
from warpmill.analyzer.traces.event_batch import AccessPoint
from warpmill.simulator.assembler.costs import (
    FREE,
    Cost,
    cost_table,
    is_of_sm,
    mma_shape,
    operation_cost,
    ptx_cost,
    unmodelled_name,
)
from warpmill.simulator.assembler.program import (
    MachineProgram,
    arrives_alone,
    awaits_copies,
    closes_copies,
    is_barrier,
)
from warpmill.simulator.assembler.values import Mix, expansion_table
from warpmill.simulator.gpu import constants as c
from warpmill.simulator.gpu.records import INSTRUCTION
from warpmill.simulator.machines.model import Machine, memory_rules, moved_sector_bytes


class Accessed(NamedTuple):
    """Registers of an instruction. One that is free is carried out without waiting for them."""

    reads: tuple[int, ...]
    writes: tuple[int, ...]
    is_free: bool


Block = Sequence[Accessed]


def register_slots(blocks: Sequence[Block]) -> dict[int, int]:
    """The place of each register of a kernel among a warp's words, from 0 on.

    Those that several blocks use come first, each with a word of its own, in the order in which
    the code names them: lanes of a warp may go through blocks one after the other that no path of
    the control flow has in that order.
    """
    homes = _homes(blocks)
    lives = [_lives(block, homes, number) for number, block in enumerate(blocks)]
    shared = {register for each in lives for register in each}
    slots: dict[int, int] = {}
    for register in homes:
        if register not in shared:
            slots[register] = len(slots)
    first = len(slots)
    for block, each in zip(blocks, lives, strict=True):
        slots |= _shared_slots(block, each, first)
    return slots


def _homes(blocks: Sequence[Block]) -> dict[int, int | None]:
    """The block that alone uses a register; None where there are several, or some free one does."""
    homes: dict[int, int | None] = {}
    for number, block in enumerate(blocks):
        for reads, writes, is_free in block:
            for register in (*reads, *writes):
                if homes.setdefault(register, number) != number or is_free:
                    homes[register] = None
    return homes


def _lives(block: Block, homes: dict[int, int | None], number: int) -> dict[int, int]:
    """The last read of each register that a block writes before it reads it, and reads in the end.

    By the places of instructions in the block.
    """
    read, written, first = dict[int, int](), dict[int, int](), set[int]()
    for place, (reads, writes, _) in enumerate(block):
        read |= dict.fromkeys(reads, place)
        first |= {one for one in writes if one not in read and homes[one] == number}
        written |= dict.fromkeys(writes, place)
    return {one: read[one] for one in first if read.get(one, -1) > written[one]}


def _shared_slots(block: Block, lives: dict[int, int], first: int) -> dict[int, int]:
    """Slots from one on for the registers of a block that share them, as they come and go."""
    slots, free, used = dict[int, int](), list[int](), first
    for place, (reads, writes, _) in enumerate(block):
        free += (slots[one] for one in dict.fromkeys(reads) if lives.get(one) == place)
        for one in writes:
            if one not in lives or one in slots:
                continue
            if not free:
                free.append(used)
                used += 1
            slots[one] = free.pop()
    return slots


Numbers = npt.NDArray[np.int64]

_FIELDS = tuple(INSTRUCTION.names or ())

_SPACES = {
    Space.SHARED: c.SPACE_SHARED,
    Space.LOCAL: c.SPACE_LOCAL,
    Space.CONST: c.SPACE_CONST,
    Space.PARAM: c.SPACE_CONST,
    Space.TEXTURE: c.SPACE_TEXTURE,
    Space.SURFACE: c.SPACE_GLOBAL,
    Space.TENSOR: c.SPACE_SHARED,
}
_ACCESSES = {"load": c.ACCESS_LOAD, "store": c.ACCESS_STORE, "atomic": c.ACCESS_ATOMIC}


@dataclass(frozen=True)
class _Here:
    """State of one instruction: its kind, its access, its space, its expansion.

    ``before`` are machine instructions that come before it and that no instruction stands for.
    ``kept``: it would be an access, but to an array in registers. ``sides`` are those of a copy
    outside the SM, of which one is simulated.
    """

    kind: int
    point: AccessPoint | None
    space: Space | None
    mix: Mix | None
    vanishes: bool
    before: int
    kept: bool
    sides: int = 1


@dataclass(frozen=True, eq=False)
class EngineCode:
    """Kernels as arrays. ``rows`` has a record of each instruction, ``registers`` lists them.

    Registers are their slots. ``blocks`` has the first row of each block, kernel after kernel, each
    with an end; ``first_block`` says where a kernel's blocks begin there. ``places`` are (kernel,
    block, instruction) by row. ``unmodelled`` names classes that no line of the cost table has, by
    row.
    """

    rows: npt.NDArray[Any]
    registers: Numbers
    blocks: Numbers
    first_block: tuple[int, ...]
    places: tuple[tuple[int, int, int], ...]
    most_registers: int
    unmodelled: dict[int, str]
    pipes: tuple[str, ...]

    @cached_property
    def row_of(self) -> tuple[dict[Place, int], ...]:
        """The row of each instruction of each kernel, by (block, instruction)."""
        found: tuple[dict[Place, int], ...] = tuple({} for _ in self.first_block)
        for row, (kernel, *place) in enumerate(self.places):
            found[kernel][place[0], place[1]] = row
        return found


def compile_code(programs: Sequence[MachineProgram], machine: Machine) -> EngineCode:
    """Lay kernels out for a machine."""
    compiler = _Compiler(machine)
    for program in programs:
        compiler.add(program)
    return compiler.code()


def kind_of(program: MachineProgram, place: Place) -> int:
    """Kind of an instruction for the engine: K_FREE where the machine issues none."""
    if not program.is_issued(place):
        return c.KIND_FREE
    instruction = program.instruction(place)
    if place in program.kept:
        return c.KIND_ALU
    if place in program.accesses or is_texture(instruction) or is_matrix_move(instruction):
        return c.KIND_MEMORY
    if _is_param_load(instruction) and not program.assembled:
        return c.KIND_MEMORY
    return _beside_computing(instruction)


def _is_param_load(instruction: Instruction) -> bool:
    operation = instruction.operation
    return operation.op_class is OpClass.LOAD and operation.space is Space.PARAM


def _beside_computing(instruction: Instruction) -> int:
    """Effect of an instruction on its warp beside computing; K_ALU where there is none."""
    class_ = instruction.operation.op_class
    if is_barrier(instruction):
        return c.KIND_ARRIVE if arrives_alone(instruction) else c.KIND_BARRIER
    if class_ in (OpClass.BRANCH, OpClass.RETURN, OpClass.CALL) or instruction.targets:
        return c.KIND_BRANCH
    if class_ is OpClass.FENCE:
        return c.KIND_FENCE
    if closes_copies(instruction):
        return c.KIND_COMMIT
    return c.KIND_WAIT if awaits_copies(instruction) else c.KIND_ALU


def is_texture(instruction: Instruction) -> bool:
    """Whether an instruction goes to texels, or asks about them."""
    return instruction.operation.op_class.is_texel_access


class _Compiler:
    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._ptx = machine.text("front_end.isa") == "ptx"
        self._depth = round(float(machine.number("sm.pipeline_cycles")))
        self._pipes = {name: i for i, name in enumerate(cost_table().pipes)}
        self._rows: list[dict[str, int]] = []
        self._registers: list[int] = []
        self._registers_before = 0
        self._blocks: list[int] = []
        self._first: list[int] = []
        self._places: list[tuple[int, int, int]] = []
        self._most = 1
        self._unmodelled: dict[int, str] = {}
        self._bytes = 0
        self._parameters: dict[str, int] = {}
        width = float(machine.number("sm.simd_width"))
        lanes = float(machine.number("lanes.fp32")) / machine.integer("sm.subpartitions")
        self._lanes = machine.integer("machine.warp_size")
        self._parts = machine.integer("sm.subpartitions")
        # schedulers that are fewer than sub-partitions have the units of several each
        self._parts_each = max(1.0, self._parts / machine.integer("sm.schedulers"))
        self._caches_global = machine.flag("l1.caches_global")
        self._hold_factor = min(lanes, self._lanes) / width
        # where sm.simd_width is another one than lanes give, every pipe is that much narrower

    def add(self, program: MachineProgram) -> None:
        """Lay out one kernel."""
        number, kernel = len(self._first), program.kernel
        offsets, _ = parameter_offsets(kernel)
        self._parameters = dict(zip((p.name for p in kernel.parameters), offsets, strict=True))
        self._first.append(len(self._blocks))
        others = {load.first: load.others for load in program.one_load}
        entry = 0 if program.expansion is None else program.expansion.entry.total
        for block in kernel.blocks:
            self._blocks.append(len(self._rows))
            for place in program.orders[block.id]:
                instruction = program.instruction(place)
                self._places.append((number, *place))
                if place in program.merged_away:
                    self._slot()
                    continue
                also = [kernel.blocks[b].instructions[i] for b, i in others.get(place, ())]
                writes = tuple(dict.fromkeys(w for one in (instruction, *also) for w in one.writes))
                kind = kind_of(program, place)
                here = _Here(
                    kind,
                    program.accesses.get(place),
                    program.spaces.get(place),
                    program.mix(place),
                    program.vanishes(place),
                    0 if kind == c.KIND_FREE else entry,
                    place in program.kept,
                    program.sides.get(place, 1),
                )
                entry -= here.before
                self._row(instruction, writes, here)
                self._rows[-1]["aggregated"] = int(place in program.as_one)
        self._blocks.append(len(self._rows))
        self._share_registers(self._blocks[self._first[-1] :])
        self._bytes += self._machine.integer("icache.line_bytes")  # kernels begin at a line

    def _share_registers(self, firsts: list[int]) -> None:
        """Put slots in place of the registers of a kernel whose blocks begin at these rows."""
        rows = [self._rows[first:last] for first, last in pairwise(firsts)]
        slots = register_slots([[self._accessed(row) for row in block] for block in rows])
        self._most = max(self._most, 1 + max(slots.values(), default=0))
        begin = self._registers_before
        self._registers[begin:] = [slots[one] for one in self._registers[begin:]]
        self._registers_before = len(self._registers)

    def _accessed(self, row: dict[str, int]) -> Accessed:
        first, writes = row["needs"], row["writes"]
        end = first + row["need_count"]
        return Accessed(
            tuple(self._registers[first:writes]),
            tuple(self._registers[writes:end]),
            row["kind"] == c.KIND_FREE,
        )

    def _row(self, instruction: Instruction, writes: tuple[int, ...], here: _Here) -> None:
        row = dict.fromkeys(_FIELDS, 0)
        reads = tuple(dict.fromkeys(instruction.reads))
        row["needs"], row["need_count"] = len(self._registers), len(reads) + len(writes)
        self._registers += [*reads, *writes]
        row["writes"], row["write_count"] = len(self._registers) - len(writes), len(writes)
        row["pipe"] = row["alternate_pipe"] = row["parameter"] = c.NONE
        row["read_cycles"], row["issue_slots"], row["reason"] = 1, 1, c.STALL.wait
        row["kind"] = here.kind
        if here.kind == c.KIND_MEMORY or (here.kind == c.KIND_FREE and here.point is not None):
            self._memory(row, instruction, here)
            row["bypasses_l1"] = int(goes_past_l1(instruction.operation, self._caches_global))
            row["issue_slots"] = max(1, 0 if here.mix is None else here.mix.total)
        else:
            self._compute(row, instruction, here)
        row["issue_slots"] += here.before
        if self._ptx:
            row["read_cycles"] = self._read_cycles(reads)
        self._place(row)

    def _place(self, row: dict[str, int]) -> None:
        """Append a row; what is not issued takes no bytes."""
        row["line"] = self._bytes // self._machine.integer("icache.line_bytes")
        if row["kind"] != c.KIND_FREE:
            self._bytes += self._machine.integer("icache.instruction_bytes") * row["issue_slots"]
        self._rows.append(row)

    def _slot(self) -> None:
        """Lay out what another instruction does, which takes no time."""
        row = dict.fromkeys(_FIELDS, 0)
        row["kind"], row["pipe"], row["alternate_pipe"] = c.KIND_FREE, c.NONE, c.NONE
        row["parameter"] = c.NONE
        row["read_cycles"], row["issue_slots"], row["reason"] = 1, 1, c.STALL.wait
        row["needs"] = row["writes"] = len(self._registers)
        self._place(row)

    def _read_cycles(self, reads: tuple[int, ...]) -> int:
        """The cycles that reading operands takes: several of one bank take turns."""
        banks = max(1, self._machine.integer("reg.banks") // self._machine.integer("sm.schedulers"))
        counts = np.bincount([r % banks for r in reads], minlength=1)
        return max(1, -(-int(counts.max()) // self._machine.integer("reg.bank_reads")))

    def _memory(
        self,
        row: dict[str, int],
        instruction: Instruction,
        here: _Here,
    ) -> None:
        point, known = here.point, here.space
        if is_matrix_move(instruction):
            self._matrix_move(row, instruction)
            return
        if point is None:
            row["space"] = c.SPACE_ALWAYS
            row["access"] = row["memory_access"] = c.ACCESS_LOAD
            texture = is_texture(instruction)
            key = "tex.latency" if texture else "const.l1_latency"
            row["latency"] = round(float(self._machine.number(key)))
            row["reason"] = c.STALL.long_scoreboard if texture else c.STALL.imc_miss
            if _is_param_load(instruction):
                row["parameter"] = self._parameter(instruction)
            return
        row["recorded"] = 1
        name = unmodelled_name(instruction.operation, FREE)
        if here.sides > 1:
            name = "second side of a copy between two places outside the SM"
        if name is not None:
            self._unmodelled[len(self._rows)] = name
        space = point.space
        if space is Space.GENERIC and known is not None:
            space = known
        row["space"] = _SPACES.get(space, c.SPACE_GLOBAL)
        row["access"] = row["memory_access"] = _ACCESSES[point.kind]
        if instruction.operation.op_class is OpClass.ASYNC_COPY:
            row["access"] = c.ACCESS_ASYNC
        row["reason"] = {
            c.SPACE_SHARED: c.STALL.short_scoreboard,
            c.SPACE_CONST: c.STALL.imc_miss,
        }.get(row["space"], c.STALL.long_scoreboard)
        key = {"store": "shared_store", "atomic": "shared_atomic"}.get(point.kind, "shared_load")
        if self._ptx:
            key = "shared_load"
        row["latency"] = round(float(self._machine.number(f"latency.{key}")))

    def _parameter(self, instruction: Instruction) -> int:
        """The sector of a parameter: the first one of its line of the constant cache.

        NONE where its address is not known, as that of a device function's.
        """
        address = instruction.address
        base = address.base if isinstance(address, Address) else None
        if not isinstance(address, Address) or not isinstance(base, Symbol):
            return c.NONE
        if base.name not in self._parameters:
            return c.NONE
        sector = moved_sector_bytes(self._machine)
        line = max(1, self._machine.integer("const.line_bytes") // sector)
        place = self._parameters[base.name] + base.offset + address.offset
        return place // sector // line * line

    def _matrix_move(self, row: dict[str, int], instruction: Instruction) -> None:
        """Lay out a move of matrices: to global memory where it says so, else to shared memory."""
        rules = memory_rules(self._machine)
        is_global = instruction.operation.space is Space.GLOBAL
        loads = bool(instruction.writes)
        row["space"] = c.SPACE_GLOBAL if is_global else c.SPACE_SHARED
        row["access"] = row["memory_access"] = c.ACCESS_LOAD if loads else c.ACCESS_STORE
        row["reason"] = c.STALL.long_scoreboard if is_global else c.STALL.short_scoreboard
        key = "latency.shared_load" if loads or self._ptx else "latency.shared_store"
        key = "l1.latency" if is_global else key
        row["latency"] = round(float(self._machine.number(key)))
        moved = moved_bytes(instruction, self._lanes)
        row["wavefronts"] = max(1, -(-moved // (rules.banks * rules.bank_width_bytes)))

    def _compute(self, row: dict[str, int], instruction: Instruction, here: _Here) -> None:
        operation, mix = instruction.operation, here.mix
        cost = FREE if here.vanishes else self._cost(operation, mix, computes=here.kept)
        if cost is None:
            self._unmodelled[len(self._rows)] = operation.op_class.value
            cost = Cost("alu", 1.0, 1, float(self._machine.number("latency.int_add")))
        pipe, held = cost.pipe, cost.pipe_cycles
        if mix is not None and mix.total == 1 and cost.second:
            # one instruction that costs halves of two pipes goes to one of them, its own first
            pipe, held = expansion_table().units[mix.counts[0][0]].pipe, 2 * held
            row["alternate_pipe"] = self._pipes[cost.second if pipe == cost.pipe else cost.pipe]
        row["pipe"] = self._pipes.get(pipe, c.NONE)
        if not self._ptx and is_of_sm(pipe, self._machine):
            row["shared_pipe"] = c.BARRIER_PIPE if pipe == "adu" else c.FP64_PIPE
            held /= self._parts
        else:
            held /= self._parts_each
        row["pipe_ticks"] = round(held * self._hold_factor * c.TICKS)
        row["issue_slots"] = max(1, cost.issues)
        row["latency"] = round(cost.latency_cycles) + self._depth
        if cost.pipe in ("xu", "tensor"):
            row["reason"] = c.STALL.short_scoreboard
        if here.kind in (c.KIND_BARRIER, c.KIND_ARRIVE):
            _name_barrier(row, instruction, self._lanes)
        elif here.kind == c.KIND_WAIT:
            numbers = _numbers(instruction)
            waits_for_all = "wait_all" in operation.opcode or not numbers
            row["copy_groups"] = -1 if waits_for_all else min(numbers[0], _MOST_GROUPS)

    def _cost(self, operation: Operation, mix: Mix | None, *, computes: bool) -> Cost | None:
        prefetches = operation.op_class is OpClass.PREFETCH and not self._ptx
        if operation.op_class.is_memory and not prefetches and not computes:
            return Cost("alu", 1.0, 1, 1.0)  # a prefetch of PTX, or what closes groups of copies
        if self._ptx:
            return ptx_cost(operation, self._machine)
        return operation_cost(operation, mix, self._machine, is_free=False)

    def code(self) -> EngineCode:
        """Code that was laid out."""
        return EngineCode(
            np.array([tuple(row.values()) for row in self._rows], INSTRUCTION),
            np.array(self._registers or [0], np.int64),
            np.array(self._blocks, np.int64),
            tuple(self._first),
            tuple(self._places),
            self._most,
            self._unmodelled,
            tuple(self._pipes),
        )


_MOST_GROUPS = 1 << 31
"""Groups of copies that a warp leaves under way: so many have none to wait for."""


def _name_barrier(row: dict[str, int], instruction: Instruction, warp_size: int) -> None:
    """Note which barrier an instruction is at, and how many warps come to it; 0: all."""
    numbers = _numbers(instruction)
    row["barrier"] = numbers[0] % c.BARRIERS if numbers else 0
    row["barrier_warps"] = -(-numbers[1] // warp_size) if len(numbers) > 1 else 0


def _numbers(instruction: Instruction) -> list[int]:
    return [o.value for o in instruction.operands if isinstance(o, Imm)]


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
