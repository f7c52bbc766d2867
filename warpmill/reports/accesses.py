"""What ``analyze`` says of memory accesses."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.analyses.memory import MemoryAccess
from warpmill.api import Job
from warpmill.reports.base import Id, Part
from warpmill.reports.facts import Place, instruction_place
from warpmill.reports.names import buffer_of


class LoopStride(Part):
    """Bytes that an address moves in one iteration; null where that is no constant."""

    loop: str
    bytes: int | None


class AccessFacts(Part):
    """One memory instruction. ``buffer``: the parameter or variable that its address starts at.

    ``lane_stride_bytes``: what one step in tid.x adds; null where it is no constant.
    """

    block: str
    instruction: Id
    op_class: str
    opcode: str
    space: str
    buffer: str | None
    width_bytes: int | None
    pattern: str
    lane_stride_bytes: int | None
    loop_strides: list[LoopStride]
    address: str
    place: Place


def access_facts(job: Job, labels: Sequence[str], access: MemoryAccess) -> AccessFacts:
    """Describe one access; ``labels`` are those of the kernel's blocks."""
    structure = job.analysis.structure
    instruction = job.kernel.blocks[access.block].instructions[access.instruction]
    return AccessFacts(
        block=labels[access.block],
        instruction=access.instruction,
        op_class=access.op_class.value,
        opcode=access.opcode,
        space=access.space.value,
        buffer=buffer_of(job, access),
        width_bytes=access.width_bytes,
        pattern=access.pattern.value,
        lane_stride_bytes=access.lane_stride_bytes,
        loop_strides=[
            LoopStride(loop=labels[structure.loops.loops[loop].header], bytes=stride)
            for loop, stride in access.loop_strides_bytes
        ],
        address=str(access.address),
        place=instruction_place(job.loaded, instruction),
    )
