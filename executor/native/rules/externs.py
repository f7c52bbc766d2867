"""Functions that CUDA offers to device code without a body: printing, assertions, the device heap.

Each lane calls the host on its own, from the lowest: what the functions do is Python's
(``host_functions.py``).
"""

from __future__ import annotations

from warpmill.analyzer.ir.host_calls import ASSERTIONS, HOST_FUNCTIONS
from warpmill.analyzer.ir.kernel import Arguments, Operand, Symbol
from warpmill.analyzer.ir.types import Space
from warpmill.executor.fault_kinds import FaultKind
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.memory import load, store
from warpmill.executor.native.rules.registry import rule
from warpmill.executor.native.step import Step
from warpmill.executor.native.structured import when
from warpmill.executor.native.translation import note_fault
from warpmill.executor.native.values import Value, constant


@rule("call")
def call(step: Step) -> None:
    """Call a function of the host, lane by lane."""
    results, target, arguments, *_ = step.instruction.operands
    assert isinstance(results, Arguments)
    assert isinstance(target, Symbol)
    assert isinstance(arguments, Arguments)
    given = [_argument(step, operand) for operand in arguments.items]
    if target.name in ASSERTIONS:
        _fail(step, given)
        return
    e = step.emitter
    number, wanted = HOST_FUNCTIONS[target.name]
    given = [*given[:wanted], *[constant(0, "i64")] * (2 - min(wanted, len(given)))]
    bits = e.bits(step.mask)
    parts = [constant(number, "i64"), *[e.vector(v) for v in given[:2]]]
    (answer,) = e.outlined("host", _call_host, bits, *parts)
    if results.items:
        _give(step, results.items[0], answer)


def _argument(step: Step, operand: Operand) -> Value:
    """Read an argument: of a variable that hands it over, or of a register."""
    e = step.emitter
    if isinstance(operand, Symbol) and step.places.names[operand.name][0] is Space.LOCAL:
        size = min(8, step.places.bytes_of.get(operand.name, 8))
        (value,) = load(
            step, Space.LOCAL, step.places.symbol(e, operand), f"i{8 * size}", observed=False
        )
    else:
        value = step.read(operand)
    return e.resize(value, "i64")


def _give(step: Step, operand: Operand, answer: Value) -> None:
    if not isinstance(operand, Symbol):
        step.write(operand, answer)
        return
    e = step.emitter
    size = min(8, step.places.bytes_of.get(operand.name, 8))
    value = e.resize(answer, f"i{8 * size}")
    store(step, Space.LOCAL, step.places.symbol(e, operand), [value], observed=False)


def _fail(step: Step, given: list[Value]) -> None:
    """Stop the launch; the fault's address is that of the words of the assertion."""
    e = step.emitter
    bits = e.bits(step.mask)
    lane = e.resize(e.call("llvm.cttz", bits, extra=", i1 false"), "i32")
    kind, site = constant(FaultKind.ASSERTION, "i64"), constant(step.site, "i64")
    words = e.spill(e.vector(given[0] if given else constant(0, "i64")))
    is_on = e.compare("ne", bits, constant(0, bits.type))
    when(e, is_on, lambda: note_fault(e, kind, lane, e.get(words, lane, "i64"), site))


def _call_host(e: Emitter, *parts: Value) -> Value:
    bits, number, first, second = parts
    arguments = [e.spill(first), e.spill(second)]
    answers = e.spill(e.vector(constant(0, "i64")))
    function = e.context("host")

    def one(lane: Value) -> None:
        a, b = [e.get(array, lane, "i64") for array in arguments]
        words = f"ptr %ctx, i64 {number.text}, i64 {a.text}, i64 {b.text}, {e.typed(lane)}"
        text = f"call i64 {function.text}({words})"
        e.put(answers, lane, e.define(text, "i64", uniform=True))
        e.set_context("stores", e.op("add", e.context("stores"), constant(1, "i64")))

    e.each_lane(bits, one)
    return e.whole(answers, "i64")
