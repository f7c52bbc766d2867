"""Which lanes take part in an operation of a warp.

The active lanes may name different member masks, as tiles of a warp do: then each lane works with
those of its own mask. Masks have a bit a lane, 32 or 64.
"""

from __future__ import annotations

from warpmill.analyzer.ir.kernel import Imm, Operand
from warpmill.executor.native.step import LoweringStep
from warpmill.executor.native.values import LlvmValue, constant


def active_bits(step: LoweringStep) -> LlvmValue:
    """Give the bits of the lanes for which the instruction happens."""
    return step.emitter.bits(step.mask)


def group_bits(step: LoweringStep, members: Operand | None) -> LlvmValue:
    """Give the active lanes of each lane's member mask; uniform where the mask is."""
    active = active_bits(step)
    if members is None:
        return active
    word = active.type
    if isinstance(members, Imm):
        full = members.value in (-1, (1 << active.bits) - 1)
        return active if full else step.emitter.op("and", active, constant(members.value, word))
    return step.emitter.op("and", step.emitter.resize(step.read(members), word), active)
