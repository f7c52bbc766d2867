"""Instructions that neither compute nor branch: barriers, fences, traps, hints."""

from __future__ import annotations

from collections.abc import Sequence

from warpmill.analyzer.ir.kernel import Operand
from warpmill.executor.native.control import trap
from warpmill.executor.native.emitter import when
from warpmill.executor.native.instructions import LlvmValue, constant
from warpmill.executor.native.layout import FaultKind
from warpmill.executor.native.rules.registry import rule
from warpmill.executor.native.segments import get_field, set_field
from warpmill.executor.native.step import LoweringStep
from warpmill.executor.native.translation import note_fault

_KINDS = {"popc": 2, "and": 3, "or": 4}
"""How a reducing barrier joins what the threads bring; 0 waits, 1 only arrives."""

ARRIVES = 1


@rule("membar", "fence", "fence.proxy", "bar.warp", "griddepcontrol")
def fence(step: LoweringStep) -> None:
    """Order nothing: a warp's accesses are done one after another, and seen at once by all."""


@rule("nanosleep", "pmevent", "setmaxnreg", "brkpt")
def hint(step: LoweringStep) -> None:
    """Do nothing that a program could see."""


@rule("trap")
def trap_(step: LoweringStep) -> None:
    """Stop the launch with an error."""
    trap(step)


@rule("trap.call")
def trap_call(step: LoweringStep) -> None:
    """Stop the launch: what is called through a register is no function."""
    trap(step, FaultKind.NO_FUNCTION, step.read(step.instruction.operands[0]))


@rule("bar", "barrier", "bar.arrive", "bar.cta.arrive", "barrier.arrive", "barrier.cta.arrive")
def barrier(step: LoweringStep) -> None:
    """Wait for the CTA's other threads, or tell them that this warp was here."""
    arrives = "arrive" in step.operation.modifiers
    _arrive(step, list(step.instruction.operands), ARRIVES if arrives else 0)


@rule("bar.red", "bar.cta.red", "barrier.red", "barrier.cta.red")
def reducing_barrier(step: LoweringStep) -> None:
    """Wait, and learn for how many threads, for all or for any a predicate holds."""
    kind = next(k for word, k in _KINDS.items() if word in step.operation.modifiers)
    *numbers, predicate = step.instruction.operands[1:]
    e = step.emitter
    holds = e.bits(e.op("and", step.read(predicate), step.mask))
    set_field(e, "%warp", "barrier_count", e.resize(e.call("llvm.ctpop", holds), "i64"))
    _arrive(step, numbers, kind)


def finish_barrier(step: LoweringStep) -> None:
    """Take what a reducing barrier gave, when the warp goes on after it."""
    if "red" not in step.operation.modifiers:
        return
    e = step.emitter
    result = get_field(e, "%warp", "barrier_result")
    if "popc" not in step.operation.modifiers:
        result = e.compare("ne", result, constant(0, "i64"))
    step.write(step.instruction.operands[0], result)


def _arrive(step: LoweringStep, numbers: Sequence[Operand], kind: int) -> None:
    e = step.emitter
    values = [e.resize(_lane(step, step.read(n)), "i64") for n in numbers]
    number = values[0]
    threads = values[1] if len(values) > 1 else constant(0, "i64")
    bits = e.bits(step.mask)
    for name, value in (
        ("barrier", number),
        ("barrier_threads", threads),
        ("barrier_kind", constant(kind, "i64")),
        ("barrier_lanes", e.resize(e.call("llvm.ctpop", bits), "i64")),
    ):
        set_field(e, "%warp", name, value)
    alive, leaving = (get_field(e, "%warp", n, f"i{e.lanes}") for n in ("alive", "leaving"))
    awaited = e.op("and", alive, e.op("xor", leaving, constant(-1, leaving.type)))
    lane = e.resize(e.call("llvm.cttz", bits, extra=", i1 false"), "i32")
    site, none = constant(step.site, "i64"), constant(0, "i64")
    apart = e.compare("ne", bits, awaited)
    if step.instruction.guard is not None:
        apart = e.op("and", apart, e.compare("ne", bits, constant(0, bits.type)))
    divergent = constant(FaultKind.DIVERGENT_BARRIER, "i64")
    when(e, apart, lambda: note_fault(e, divergent, lane, none, site))
    wrong = constant(FaultKind.BARRIER_NUMBER, "i64")
    beyond = e.compare("ugt", number, constant(15, "i64"))
    when(e, beyond, lambda: note_fault(e, wrong, lane, number, site))


def _lane(step: LoweringStep, value: LlvmValue) -> LlvmValue:
    """The number that a barrier's operand has in the first lane that is on."""
    if value.uniform:
        return value
    e = step.emitter
    lane = e.call("llvm.cttz", e.bits(step.mask), extra=", i1 false")
    last = e.op("and", e.resize(lane, "i32"), constant(e.lanes - 1, "i32"))
    return e.get(e.spill(value), last, value.type)
