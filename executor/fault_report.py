"""What generated code noted of a fault, turned into what a person can use."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.linear import place_of
from warpmill.analyzer.ir.kernel import Instruction
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.launch.addresses import GLOBAL_BASE, SHARED_WINDOW, WINDOW_BYTES, WINDOWS
from warpmill.executor.compile import CompiledKernel
from warpmill.executor.device_memory import DeviceMemory
from warpmill.executor.fault_kinds import FaultKind
from warpmill.executor.faults import ExecutionFault, Fault, WaitingWarp
from warpmill.executor.native.translation import NOWHERE
from warpmill.executor.native.warp_record import ENDED, WAITING, WARP

Dim3 = tuple[int, int, int]


_MOST_WORDS = 1000


@dataclass(frozen=True)
class Noted:
    """The fields of a context that tell of a fault, and the records of the CTA's warps."""

    kind: FaultKind
    site: int
    lanes: int
    address: int
    warp: int
    cta: Dim3
    block: Dim3
    shared_bytes: int
    records: npt.NDArray[np.int64]  # a row a warp


def report(compiled: CompiledKernel, memory: DeviceMemory, noted: Noted) -> ExecutionFault:
    """Make the error of a run that faulted."""
    if noted.kind in (FaultKind.BARRIER_DEADLOCK, FaultKind.SPIN):
        waiting = tuple(_waiting(compiled, noted))
        return ExecutionFault(
            Fault(noted.kind, compiled.kernel.name, cta=noted.cta, waiting=waiting)
        )
    block, place = compiled.lowered.sites[noted.site]
    instruction = compiled.kernel.blocks[block].instructions[place]
    space = _space(instruction, noted)
    has_address = noted.kind not in (
        FaultKind.DIVERGENT_BARRIER,
        FaultKind.TRAP,
        FaultKind.ASSERTION,
    )
    return ExecutionFault(
        Fault(
            noted.kind,
            compiled.kernel.name,
            instruction=(block, place),
            opcode=instruction.operation.opcode,
            span=instruction.span,
            debug=instruction.debug,
            cta=noted.cta,
            thread=_thread(noted, compiled.lanes),
            warp=noted.warp,
            lanes=noted.lanes,
            address=_own_address(instruction, noted) if has_address else None,
            access_bytes=instruction.operation.width_bytes if has_address else None,
            space=space if has_address else None,
            nearest=_nearest(memory, noted, space) if has_address else _words(memory, noted),
        )
    )


def _thread(noted: Noted, lanes: int) -> Dim3:
    """Give the thread of the first lane that the fault is of."""
    lane = max(0, (noted.lanes & -noted.lanes).bit_length() - 1)
    thread = noted.warp * lanes + lane
    return place_of(thread, noted.block)


def _own_address(instruction: Instruction, noted: Noted) -> int:
    """Give the address as the instruction has it: in its own space, where it names one."""
    address = noted.address & ((1 << 64) - 1)
    space = _space(instruction, noted)
    if space not in WINDOWS or space not in instruction.operation.spaces:
        return address
    offset = address - WINDOWS[space]
    if 0 <= offset < WINDOW_BYTES:
        return offset
    is_negative = address >> 62 == 3
    return address if is_negative else address & ~NOWHERE


def _space(instruction: Instruction, noted: Noted) -> Space | None:
    spaces = instruction.operation.spaces
    space = spaces[0] if spaces else None
    if Space.GLOBAL in spaces and noted.address >= GLOBAL_BASE:
        return Space.GLOBAL  # of a copy between spaces, its global side
    offset = noted.address - SHARED_WINDOW
    if space in (None, Space.GENERIC) and 0 <= offset < WINDOW_BYTES:
        return Space.SHARED
    return space


def _nearest(memory: DeviceMemory, noted: Noted, space: Space | None) -> str | None:
    if noted.kind is FaultKind.READ_ONLY:
        return None
    if space is Space.SHARED:
        return f"the CTA has {noted.shared_bytes} B of shared memory"
    if space in (None, Space.GENERIC, Space.GLOBAL):
        return memory.nearest(noted.address & ((1 << 64) - 1))
    return None


def _words(memory: DeviceMemory, noted: Noted) -> str | None:
    """Read what a failed assertion says of itself."""
    address = noted.address & ((1 << 64) - 1)
    found = memory.find(address) if noted.kind is FaultKind.ASSERTION else None
    if found is None:
        return None
    text = memory.view(address, min(_MOST_WORDS, found.end - address)).tobytes()
    return text.partition(b"\0")[0].decode(errors="replace")


def _waiting(compiled: CompiledKernel, noted: Noted) -> list[WaitingWarp]:
    """Say of each warp that has not ended what it waits for, and where."""
    found = []
    for number, record in enumerate(noted.records):
        status = int(record[WARP["status"] // 8])
        if status == ENDED:
            continue
        segment = int(record[WARP["resume"] // 8])
        if status == WAITING:
            words = f"at barrier {int(record[WARP['barrier'] // 8])}"
            instruction = _before(compiled, segment)
        else:
            words = "in a loop"
            instruction = _at(compiled, segment)
        span = None if instruction is None else instruction.span
        found.append(WaitingWarp(number, words, span))
    return found


def _before(compiled: CompiledKernel, segment: int) -> Instruction | None:
    """Give the barrier before a segment."""
    place = compiled.lowered.segments.segments[segment]
    if place.start == 0:
        return None
    return compiled.kernel.blocks[place.block].instructions[place.start - 1]


def _at(compiled: CompiledKernel, segment: int) -> Instruction | None:
    place = compiled.lowered.segments.segments[segment]
    instructions = compiled.kernel.blocks[place.block].instructions
    return instructions[place.start] if place.start < len(instructions) else None
