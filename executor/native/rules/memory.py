"""Loads, stores, addresses, asynchronous copies, and functions that CUDA offers without a body."""

from __future__ import annotations

from collections.abc import Sequence

from warpmill.analyzer.ir.externs import ASSERTIONS, HOST_FUNCTIONS
from warpmill.analyzer.ir.kernel import Address, Arguments, Imm, Instruction, Operand, Symbol
from warpmill.analyzer.ir.operation import Operation
from warpmill.analyzer.ir.types import Space, TypeKind
from warpmill.analyzer.launch.numbering import WINDOW_BYTES, WINDOWS
from warpmill.executor.native.emitter import Emitter, counted, when
from warpmill.executor.native.instructions import LlvmValue, constant
from warpmill.executor.native.layout import FaultKind
from warpmill.executor.native.memory import address, load, store
from warpmill.executor.native.observing import (
    count_access,
    count_bulk,
    note_access,
    observe,
)
from warpmill.executor.native.rules.atomics import combine_into, names_reduction
from warpmill.executor.native.rules.groups import complete_bytes
from warpmill.executor.native.rules.registry import pure, refuses, rule
from warpmill.executor.native.step import LoweringStep, storage_of
from warpmill.executor.native.translation import note_fault
from warpmill.executor.native.watching import watch_groups


@rule("ld", "ldu")
def ld(step: LoweringStep) -> None:
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
def st(step: LoweringStep) -> None:
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
def prefetch(step: LoweringStep) -> None:
    """Change nothing: caches hold no values here."""


@rule("createpolicy", "createpolicy.range")
def createpolicy(step: LoweringStep) -> None:
    """A policy that no cache looks at."""
    step.give(constant(0, "i64"))


@pure("cvta")
def cvta(e: Emitter, operation: Operation, a: LlvmValue) -> LlvmValue:
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
def isspacep(e: Emitter, operation: Operation, a: LlvmValue) -> LlvmValue:
    """Whether a generic address lies in a space."""
    space = operation.spaces[0]
    if space not in WINDOWS:
        above = max(WINDOWS.values()) + WINDOW_BYTES
        return e.compare("uge", a, constant(above, a.type))
    offset = e.op("sub", a, constant(WINDOWS[space], a.type))
    return e.compare("ult", offset, constant(WINDOW_BYTES, a.type))


@rule("lea")
def lea(step: LoweringStep) -> None:
    """Compute base + index · scale + offset, an address as LLVM has it."""
    e = step.emitter
    slot_type = step.destination_type
    parts = [step.read(o) for o in step.instruction.sources]
    base, index, scale, offset = [e.resize(p, slot_type, signed=True) for p in parts]
    scaled = index if scale.text == "1" else e.op("mul", index, scale)
    moved = e.op("add", base, scaled)
    step.give(moved if offset.text == "0" else e.op("add", moved, offset))


@rule("alloca")
def alloca(step: LoweringStep) -> None:
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
def stacksave(step: LoweringStep) -> None:
    """Save the stack pointer that ``stackrestore`` goes back to."""
    step.give(step.stack)


@rule("stackrestore")
def stackrestore(step: LoweringStep) -> None:
    """Free what was taken since."""
    step.stack = step.emitter.resize(step.read(step.instruction.operands[0]), "i32")


@pure("mapa")
def mapa(e: Emitter, operation: Operation, a: LlvmValue, rank: LlvmValue) -> LlvmValue:  # noqa: ARG001 - as all rules
    """An address in a CTA of the cluster: a cluster is one CTA here, of rank 0.

    Of another rank there is none, and its address is one that no access may use.
    """
    is_own = e.compare("eq", rank, constant(0, rank.type))
    return e.select(is_own, a, constant(-1, a.type))


@pure("getctarank")
def getctarank(e: Emitter, operation: Operation, a: LlvmValue) -> LlvmValue:  # noqa: ARG001 - as all rules
    """The rank of the CTA that a shared address is of: that of the only one."""
    return constant(0, "i32")


@pure("istypep")
def istypep(e: Emitter, operation: Operation, a: LlvmValue) -> LlvmValue:  # noqa: ARG001 - as all rules
    """Whether a register holds an opaque reference: handles are plain numbers here."""
    return constant(0, "i1")


# Functions that CUDA offers to device code without a body: printing, assertions, the device heap.
#
# Each lane calls the host on its own, from the lowest: what the functions do is Python's
# (``executor/host_calls.py``).


@rule("call")
def call(step: LoweringStep) -> None:
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


def _argument(step: LoweringStep, operand: Operand) -> LlvmValue:
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


def _give(step: LoweringStep, operand: Operand, answer: LlvmValue) -> None:
    if not isinstance(operand, Symbol):
        step.write(operand, answer)
        return
    e = step.emitter
    size = min(8, step.places.bytes_of.get(operand.name, 8))
    value = e.resize(answer, f"i{8 * size}")
    store(step, Space.LOCAL, step.places.symbol(e, operand), [value], observed=False)


def _fail(step: LoweringStep, given: list[LlvmValue]) -> None:
    """Stop the launch; the fault's address is that of the words of the assertion."""
    e = step.emitter
    bits = e.bits(step.mask)
    lane = e.resize(e.call("llvm.cttz", bits, extra=", i1 false"), "i32")
    kind, site = constant(FaultKind.ASSERTION, "i64"), constant(step.site, "i64")
    words = e.spill(e.vector(given[0] if given else constant(0, "i64")))
    is_on = e.compare("ne", bits, constant(0, bits.type))
    when(e, is_on, lambda: note_fault(e, kind, lane, e.get(words, lane, "i64"), site))


def _call_host(e: Emitter, *parts: LlvmValue) -> LlvmValue:
    bits, number, first, second = parts
    arguments = [e.spill(first), e.spill(second)]
    answers = e.spill(e.vector(constant(0, "i64")))
    function = e.context("host")

    def one(lane: LlvmValue) -> None:
        a, b = [e.get(array, lane, "i64") for array in arguments]
        words = f"ptr %ctx, i64 {number.text}, i64 {a.text}, i64 {b.text}, {e.typed(lane)}"
        text = f"call i64 {function.text}({words})"
        e.put(answers, lane, e.define(text, "i64", uniform=True))
        e.set_context("stores", e.op("add", e.context("stores"), constant(1, "i64")))

    e.each_lane(bits, one)
    return e.whole(answers, "i64")


# Asynchronous copies to shared memory: done at once, which their groups and waits allow.
#
# Source: PTX ISA 9.0, sections on cp.async. A kernel that reads what it has not waited for gets
# the copied data here, where a GPU may give the old ones.

_WORD = 4  # bytes: the smallest copy
_BULK, _SET = 16, 8  # bytes: what bulk copies are made of, and what is set to zero together


@rule("cp.async")
def cp_async(step: LoweringStep) -> None:
    """Copy 4, 8 or 16 bytes a lane; what lies past the source's size is zero."""
    to, source, size, *_ = step.instruction.operands
    assert isinstance(to, Address)
    assert isinstance(source, Address)
    assert isinstance(size, Imm)
    words, limit = size.value // _WORD, step.instruction.read_limit
    where = address(step, source)
    if limit is not None:
        values = _some(step, where, limit, words)
    else:
        values = load(step, Space.GLOBAL, where, "i32", words)
    store(step, Space.SHARED, address(step, to), values)


def _parts(opcode: str) -> list[str]:
    return opcode.split(".")


def _some(step: LoweringStep, where: LlvmValue, size: Operand, words: int) -> Sequence[LlvmValue]:
    """Load word by word what the source has: so many bytes, or nothing where it is ignored.

    That is one access, of the lanes whose source has anything.
    """
    e = step.emitter
    given = step.read(size)
    is_ignored = given.type == "i1"
    if is_ignored:
        given = e.select(given, constant(0, "i32"), constant(words * _WORD, "i32"))
    given = e.resize(given, "i32")
    has_any = e.op("and", step.mask, e.compare("ne", given, constant(0, "i32")))
    observe(step, "load", Space.GLOBAL, where, words * _WORD, mask=has_any)
    values: list[LlvmValue] = []
    for k in range(words):
        whole = e.compare("uge", given, constant((k + 1) * _WORD, "i32"))
        mask = e.op("and", step.mask, whole)
        place = e.op("add", where, constant(k * _WORD, where.type)) if k else where
        values += load(step, Space.GLOBAL, place, "i32", mask=mask, observed=False)
    return values if is_ignored else _with_tail(step, where, given, values)


def _with_tail(
    step: LoweringStep, where: LlvmValue, given: LlvmValue, values: list[LlvmValue]
) -> list[LlvmValue]:
    """Add the bytes after the last whole word, one by one: a buffer may end with them."""
    e = step.emitter
    number = e.op("lshr", given, constant(2, "i32"))
    more = e.op("and", given, constant(_WORD - 1, "i32"))
    first = e.resize(e.op("sub", given, more), where.type)
    short = e.compare("ult", number, constant(len(values), "i32"))
    tail = constant(0, "i32")
    for k in range(_WORD - 1):
        is_there = e.op("and", short, e.compare("ugt", more, constant(k, "i32")))
        place = e.op("add", e.op("add", where, first), constant(k, where.type))
        mask = e.op("and", step.mask, is_there)
        (byte,) = load(step, Space.GLOBAL, place, "i8", mask=mask, observed=False)
        tail = e.op("or", tail, e.op("shl", e.resize(byte, "i32"), constant(8 * k, "i32")))
    zero = constant(0, "i32")
    here = [e.compare("eq", number, constant(k, "i32")) for k in range(len(values))]
    return [e.op("or", v, e.select(h, tail, zero)) for v, h in zip(values, here, strict=True)]


@rule("cp.async.commit_group", "cp.async.wait_group", "cp.async.wait_all")
def groups(step: LoweringStep) -> None:
    """Wait for nothing: copies are done when they are begun."""
    watch_groups(step)


@refuses("cp.async")
def _refuse(instruction: Instruction) -> str | None:
    simple = all(isinstance(o, Address) for o in instruction.operands[:2])
    return None if simple and isinstance(instruction.operands[2], Imm) else "of this form"


@rule("cp.async.bulk", "cp.reduce.async.bulk")
def cp_async_bulk(step: LoweringStep) -> None:
    """Copy so many bytes, in pieces of 16, and tell the barrier object, where one is named.

    A reduction combines element by element with what is there.
    """
    to, source, size, *rest = step.instruction.operands
    assert isinstance(to, Address)
    assert isinstance(source, Address)
    e = step.emitter
    to_space, from_space = step.operation.spaces[:2]
    places = [e.resize(address(step, a), "i64") for a in (to, source)]
    length = e.vector(e.resize(step.read(size), "i64"))
    active = step.mask
    element = step.operation.type if step.operation.name == "cp.reduce.async.bulk" else None
    piece = _BULK if element is None else element.size_bytes

    def one(k: LlvmValue) -> None:
        offset = e.op("mul", k, constant(piece, "i64"))
        mask = e.op("and", active, e.compare("ult", offset, length))
        target, given = [e.op("add", place, offset) for place in places]
        if element is not None:
            stored = storage_of(element)
            (value,) = load(step, from_space, given, stored, mask=mask, observed=False)
            combine_into(step, to_space, target, value, mask)
            return
        words = load(step, from_space, given, "i32", _BULK // _WORD, mask=mask, observed=False)
        store(step, to_space, target, words, mask=mask, observed=False)

    longest = e.op("udiv", _longest(e, length, e.bits(active)), constant(piece, "i64"))
    bytes_ = size.value if isinstance(size, Imm) else None
    written = step.operation.access[0]
    for kind, space, place in (("load", from_space, 1), (written, to_space, 0)):
        count_bulk(step, kind, space, e.vector(places[place]), length, bytes_, _BULK)
        note_access(step, kind, space, places[place], bytes_)
    counted(e, constant(0, "i64"), longest, one)
    barrier = next((o for o in rest if isinstance(o, Address)), None)
    if barrier is not None:
        complete_bytes(step, barrier, step.read(size))


@refuses("cp.async.bulk", "cp.reduce.async.bulk")
def _refuse_bulk(instruction: Instruction) -> str | None:
    words = _parts(instruction.operation.opcode)
    if any(w.startswith("multicast") for w in words):
        return "to several CTAs of a cluster"
    if any(w.startswith("cp_mask") for w in words):
        return "with a mask of bytes"
    if "reduce" in words and not names_reduction(instruction.operation):
        return "whose operation or type is not known"
    return None if len(instruction.operation.spaces) == 2 else "of this form"


@rule(
    "cp.async.bulk.prefetch",
    "cp.async.bulk.commit_group",
    "cp.async.bulk.wait_group",
    "applypriority.async.bulk",
)
def bulk_groups(step: LoweringStep) -> None:
    """Wait for nothing, and fetch nothing early."""
    watch_groups(step)


@rule("st.bulk")
def st_bulk(step: LoweringStep) -> None:
    """Set so many bytes of shared memory to zero, eight by eight."""
    place, size, _ = step.instruction.operands
    assert isinstance(place, Address)
    assert step.operation.space is not None
    e, space = step.emitter, step.operation.space
    where = e.vector(e.resize(address(step, place), "i64"))
    length = e.vector(e.resize(step.read(size), "i64"))
    active = step.mask

    def one(k: LlvmValue) -> None:
        offset = e.op("mul", k, constant(_SET, "i64"))
        mask = e.op("and", active, e.compare("ult", offset, length))
        place = e.op("add", where, offset)
        store(step, space, place, [constant(0, "i64")], mask=mask, observed=False)

    bytes_ = size.value if isinstance(size, Imm) else None
    count_bulk(step, "store", space, where, length, bytes_, _SET)
    note_access(step, "store", space, where, bytes_)
    longest = e.op("lshr", _longest(e, length, e.bits(active)), constant(3, "i64"))
    counted(e, constant(0, "i64"), longest, one)


@rule("copy", "fill")
def block_memory(step: LoweringStep) -> None:
    """Copy, or fill with one value, so many bytes by each thread, one byte after another."""
    e = step.emitter
    to, given, size = step.instruction.operands
    assert isinstance(to, Address)
    spaces = step.operation.spaces
    target = e.vector(e.resize(address(step, to), "i64"))
    length = e.vector(e.resize(step.read(size), "i64"))
    longest = _longest(e, length, e.bits(step.mask))
    is_copy = step.operation.name == "copy"
    if is_copy:
        assert isinstance(given, Address)
        source = e.vector(e.resize(address(step, given), "i64"))
        value = source
    else:
        source = target
        value = e.vector(e.resize(step.read(given), "i8"))
    active = step.mask
    bytes_ = size.value if isinstance(size, Imm) else None
    width = _piece(bytes_)

    def one(k: LlvmValue) -> None:
        mask = e.op("and", active, e.compare("ult", k, length))
        from_, to_ = e.op("add", source, k), e.op("add", target, k)
        rest = e.op("and", k, constant(width - 1, "i64"))
        begins = e.op("and", mask, e.vector(e.compare("eq", rest, constant(0, "i64"))))
        byte = value
        if is_copy:
            count_access(step, "load", spaces[-1], from_, width, mask=begins, aligned=False)
            (byte,) = load(step, spaces[-1], from_, "i8", mask=mask, observed=False)
        count_access(step, "store", spaces[0], to_, width, mask=begins, aligned=False)
        store(step, spaces[0], to_, [byte], mask=mask, observed=False)

    if is_copy:
        note_access(step, "load", spaces[-1], source, bytes_)
    note_access(step, "store", spaces[0], target, bytes_)
    counted(e, constant(0, "i64"), longest, one)


def _piece(size: int | None) -> int:
    """The bytes of the accesses that a copy of so many counts as: what divides it, 16 at most.

    Compilers copy in pieces where they write the copy out; what each thread copies is counted so.
    """
    return 1 if not size else min(_BULK, size & -size)


def _longest(e: Emitter, length: LlvmValue, bits: LlvmValue) -> LlvmValue:
    """The greatest of a number over the lanes that are on."""
    kept = e.select(e.mask(bits), length, constant(0, "i64"))
    return e.reduced("umax", kept)
