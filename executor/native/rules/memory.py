"""Loads, stores and addresses, and the functions that CUDA offers without a body."""

from __future__ import annotations

from warpmill.analyzer.ir.host_calls import ASSERTIONS, HOST_FUNCTIONS
from warpmill.analyzer.ir.kernel import Address, Arguments, Operand, Symbol
from warpmill.analyzer.ir.operation import Operation
from warpmill.analyzer.ir.types import Space, TypeKind
from warpmill.analyzer.launch.addresses import WINDOW_BYTES, WINDOWS
from warpmill.executor.fault_kinds import FaultKind
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.memory import address, load, store
from warpmill.executor.native.rules.registry import pure, rule
from warpmill.executor.native.step import Step, storage_of
from warpmill.executor.native.structured import when
from warpmill.executor.native.translation import note_fault
from warpmill.executor.native.values import Value, constant


@rule("ld", "ldu")
def ld(step: Step) -> None:
    """Load one value or a vector of them."""
    operation, operands = step.operation, step.instruction.operands
    place = step.instruction.address
    assert isinstance(place, Address)
    assert operation.type is not None
    assert operation.space is not None
    elements = step.elements(operands[0])
    type_ = storage_of(operation.type)
    space = step.places.space_of(place.base, operation.space)
    where = address(step, place)
    is_own = operation.space is not Space.PARAM  # what calls hand over is no access
    values = load(step, space, where, type_, len(elements), observed=is_own)
    signed = operation.type.kind is TypeKind.SIGNED
    for element, value in zip(elements, values, strict=True):
        step.write(element, value, signed=signed)


@rule("st")
def st(step: Step) -> None:
    """Store one value or a vector of them."""
    operation, operands = step.operation, step.instruction.operands
    place = step.instruction.address
    assert isinstance(place, Address)
    assert operation.type is not None
    assert operation.space is not None
    type_ = storage_of(operation.type)
    values = [step.stored(o, operation.type, type_) for o in step.elements(operands[1])]
    space = step.places.space_of(place.base, operation.space)
    where = address(step, place)
    store(step, space, where, values, observed=operation.space is not Space.PARAM)


@rule("prefetch", "prefetchu", "applypriority", "discard")
def prefetch(step: Step) -> None:
    """Change nothing: caches hold no values here."""


@rule("createpolicy", "createpolicy.range")
def createpolicy(step: Step) -> None:
    """Give a policy that no cache looks at."""
    step.give(constant(0, "i64"))


@pure("cvta")
def cvta(e: Emitter, operation: Operation, a: Value) -> Value:
    """Turn an address of a space into a generic one, or back with ``.to``.

    A buffer that is passed as constant memory has a generic address already.
    """
    space = operation.spaces[0]
    if space not in WINDOWS:
        return a
    window, is_back = constant(WINDOWS[space], a.type), "to" in operation.modifiers
    moved = e.op("sub" if is_back else "add", a, window)
    if space is not Space.CONST or a.is_constant or not e.module.constant_buffers:
        return moved
    offset = moved if is_back else a
    return e.select(e.compare("ult", offset, constant(WINDOW_BYTES, a.type)), moved, a)


@pure("isspacep")
def isspacep(e: Emitter, operation: Operation, a: Value) -> Value:
    """Tell whether a generic address lies in a space."""
    space = operation.spaces[0]
    if space not in WINDOWS:
        above = max(WINDOWS.values()) + WINDOW_BYTES
        return e.compare("uge", a, constant(above, a.type))
    offset = e.op("sub", a, constant(WINDOWS[space], a.type))
    return e.compare("ult", offset, constant(WINDOW_BYTES, a.type))


@rule("lea")
def lea(step: Step) -> None:
    """Compute base + index · scale + offset, an address as LLVM has it."""
    e = step.emitter
    slot_type = step.destination_type
    parts = [step.read(o) for o in step.instruction.sources]
    base, index, scale, offset = [e.resize(p, slot_type, signed=True) for p in parts]
    scaled = index if scale.text == "1" else e.op("mul", index, scale)
    moved = e.op("add", base, scaled)
    step.give(moved if offset.text == "0" else e.op("add", moved, offset))


@rule("alloca")
def alloca(step: Step) -> None:
    """Take local memory of a computed size until the thread ends or the stack is restored.

    A thread that takes more than its stack has stops the launch.
    """
    e = step.emitter
    size, *rest = [e.resize(step.read(o), "i64") for o in step.instruction.operands[1:]]
    align = e.resize(rest[0], "i32") if rest else constant(8, "i32")
    below = e.op("sub", align, constant(1, "i32"))
    variables = constant(step.places.sizes.get(Space.LOCAL, 0), "i32")
    start = e.op("add", e.op("add", step.stack, variables), below)
    start = e.op("and", start, e.op("xor", below, constant(-1, "i32")))
    free = e.op("sub", e.context("local_bytes"), e.resize(start, "i64"))
    none = e.compare("slt", free, constant(0, "i64"))
    full = e.op("or", none, e.compare("ugt", size, free))
    full = e.op("and", e.vector(full), step.mask)
    bits = e.bits(full)
    lane = e.resize(e.call("llvm.cttz", bits, extra=", i1 false"), "i32")
    kind, site = constant(FaultKind.STACK, "i64"), constant(step.site, "i64")
    is_full = e.compare("ne", bits, constant(0, bits.type))
    when(e, is_full, lambda: note_fault(e, kind, lane, constant(0, "i64"), site))
    step.stack = e.op("sub", e.op("add", start, e.resize(size, "i32")), variables)
    step.give(start)


@rule("stacksave")
def stacksave(step: Step) -> None:
    """Give what ``stackrestore`` goes back to."""
    step.give(step.stack)


@rule("stackrestore")
def stackrestore(step: Step) -> None:
    """Give back what was taken since."""
    step.stack = step.emitter.resize(step.read(step.instruction.operands[0]), "i32")


@pure("mapa")
def mapa(e: Emitter, operation: Operation, a: Value, rank: Value) -> Value:  # noqa: ARG001 - as all rules
    """Give an address in a CTA of the cluster: a cluster is one CTA here, of rank 0.

    Of another rank there is none, and its address is one that no access may use.
    """
    is_own = e.compare("eq", rank, constant(0, rank.type))
    return e.select(is_own, a, constant(-1, a.type))


@pure("getctarank")
def getctarank(e: Emitter, operation: Operation, a: Value) -> Value:  # noqa: ARG001 - as all rules
    """Give the rank of the CTA that a shared address is of: that of the only one."""
    return constant(0, "i32")


@pure("istypep")
def istypep(e: Emitter, operation: Operation, a: Value) -> Value:  # noqa: ARG001 - as all rules
    """Tell whether a register holds an opaque reference: handles are plain numbers here."""
    return constant(0, "i1")


# Functions that CUDA offers to device code without a body: printing, assertions, the device heap.
#
# Each lane calls the host on its own, from the lowest: what the functions do is Python's
# (``executor/host_calls.py``).


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
