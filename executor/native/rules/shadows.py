"""Operations on shadows, which initcheck writes into kernels (``sanitizers/shadow_writing.py``)."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

from warpmill.analyzer.ir.kernel import Address, Imm, Sink
from warpmill.analyzer.ir.operation import decode
from warpmill.analyzer.ir.types import TYPES, Type
from warpmill.executor.native.emitter import when
from warpmill.executor.native.instructions import LlvmValue, constant
from warpmill.executor.native.memory import address, load, store
from warpmill.executor.native.points import AccessSites
from warpmill.executor.native.rules.registry import RULES, by_element, opposite, rule
from warpmill.executor.native.shadows import UNDEFINED, any_bit, repeated, spread
from warpmill.executor.native.step import LoweringStep, storage_of
from warpmill.executor.sanitizers.shadow_operations import ATOMIC, PREFIX, USES


@rule("shadow.move")
def move(step: LoweringStep) -> None:
    """Do with shadows what an operation does with values and memory."""
    operation = decode(step.operation.opcode.removeprefix(PREFIX))
    instruction = replace(step.instruction, operation=operation)
    inner = replace(step, instruction=instruction, points=AccessSites(), is_shadow=True)
    RULES[operation.name](inner)


@rule("shadow.undefined")
def undefined(step: LoweringStep) -> None:
    """The shadow of a register that nothing has written."""
    _give(step, repeated(UNDEFINED, "i128"))


@rule("shadow.join")
def join(step: LoweringStep) -> None:
    """Undefined as a whole where any byte of the sources is."""
    _give(step, _joined(step))


def _joined(step: LoweringStep) -> LlvmValue:
    """Whether anything of the sources is undefined; those of one type are joined first."""
    e = step.emitter
    by_type: dict[str, LlvmValue] = {}
    for operand in step.instruction.sources:
        for element in step.elements(operand):
            value = step.read(element)
            before = by_type.get(value.type)
            by_type[value.type] = value if before is None else e.op("or", before, value)
    truths = [any_bit(e, value) for value in by_type.values()]
    return reduce(lambda a, b: e.op("or", a, b), truths, constant(0, "i1"))


def _merged(step: LoweringStep, type_: Type) -> LlvmValue:
    """The bytes of all sources that any of them has undefined."""
    e, inner = step.emitter, replace(step, is_shadow=True)
    values = [inner.read(operand, type_) for operand in step.instruction.sources]
    return reduce(lambda a, b: e.op("or", a, b), values)


def _type(step: LoweringStep) -> Type:
    """The type that an operation names last."""
    return TYPES[step.operation.opcode.rpartition(".")[2]]


def _give(step: LoweringStep, shadow: LlvmValue) -> None:
    """Write a shadow, or the truth that all is undefined, to all that is written."""
    inner = replace(step, is_shadow=True)
    for operand in step.elements(step.instruction.operands[0]):
        inner.write(operand, shadow)


@rule("shadow.merge")
def merge(step: LoweringStep) -> None:
    """Undefined in the bytes in which any source is."""
    _give(step, _merged(step, _type(step)))


@rule("shadow.join.elements")
def join_elements(step: LoweringStep) -> None:
    """As ``shadow.join``, for each element of a packed value."""
    type_ = _type(step)
    joined = _merged(step, TYPES[f"b{type_.bits}"])
    packed = decode(f"mov.{type_}")
    _give(step, by_element(step.emitter, packed, lambda e, v: spread(e, v, v.type), joined))


@rule("shadow.field")
def field(step: LoweringStep) -> None:
    """The bytes that bits of a source come to lie in where they are shifted, of those in a mask.

    A second source gives bytes beside them, of those in a second mask.
    """
    e, inner, type_ = step.emitter, replace(step, is_shadow=True), _type(step)
    source, amount, *rest = step.instruction.sources
    assert isinstance(amount, Imm)
    shadow = inner.read(source, type_)
    down = "ashr" if "signed" in step.operation.modifiers else "lshr"
    word = "shl" if amount.value > 0 else down
    whole, over = divmod(abs(amount.value), 8)
    parts = []
    for bytes_ in {whole, whole + (over > 0)}:
        bits = 8 * bytes_
        if bits < type_.bits:
            parts.append(e.op(word, shadow, constant(bits, shadow.type)) if bits else shadow)
        elif word == "ashr":
            parts.append(e.op(word, shadow, constant(type_.bits - 1, shadow.type)))
    moved = reduce(lambda a, b: e.op("or", a, b), parts, constant(0, shadow.type))
    result = e.op("and", moved, inner.read(rest[0], type_))
    if len(rest) > 1:
        base, mask = [inner.read(operand, type_) for operand in rest[1:]]
        result = e.op("or", result, e.op("and", base, mask))
    _give(step, result)


@rule("shadow.join.warp")
def join_warp(step: LoweringStep) -> None:
    """Undefined in all lanes where anything is in any lane that is on."""
    e = step.emitter
    lanes = e.bits(e.op("and", e.vector(_joined(step)), step.mask))
    truth = e.compare("ne", lanes, constant(0, lanes.type))
    _give(step, truth)


@rule("shadow.select")
def select(step: LoweringStep) -> None:
    """The shadow of what a predicate chooses, by the shadows, the predicate and its shadow."""
    e, inner, type_ = step.emitter, replace(step, is_shadow=True), _type(step)
    a, b, condition, own = step.instruction.sources
    chosen = e.select(step.read(condition), inner.read(a, type_), inner.read(b, type_))
    blurred = spread(e, any_bit(e, step.read(own)), chosen.type)
    _give(step, e.op("or", chosen, blurred))


@rule("shadow.and", "shadow.or")
def logic(step: LoweringStep) -> None:
    """Of two predicates: one that decides alone does so whether the other is defined or not."""
    e = step.emitter
    a, b, *shadows = [step.read(operand, None) for operand in step.instruction.sources]
    own = [any_bit(e, shadow) for shadow in shadows]
    values = [v if v.type == "i1" else e.resize(v, "i1") for v in (a, b)]
    if step.operation.name == "shadow.or":
        values = [opposite(e, v) for v in values]
    either = e.op("or", own[0], own[1])
    open_ = [e.op("or", v, s) for v, s in zip(values, own, strict=True)]
    _give(step, e.op("and", either, e.op("and", open_[0], open_[1])))


@rule("shadow.present")
def present(step: LoweringStep) -> None:
    """The shadow that other lanes read: what lanes have that are off is undefined."""
    e = step.emitter
    (target,) = step.instruction.destinations
    (source,) = step.instruction.sources
    value = replace(step, is_shadow=True).read(source, _type(step))
    shown = e.select(step.mask, value, constant(-1, value.type))
    replace(step, instruction=replace(step.instruction, guard=None)).write(target, shown)


@rule("shadow.atomic")
def atomic(step: LoweringStep) -> None:
    """What memory held, and in its place that joined with the operands; ``exch`` leaves these."""
    operation = decode(step.operation.opcode.removeprefix(f"{PREFIX}{ATOMIC}."))
    inner = replace(step, points=AccessSites(), is_shadow=True)
    e = step.emitter
    target, place, *sources = step.instruction.operands
    assert isinstance(place, Address)
    assert operation.type is not None
    assert operation.space is not None
    type_, space = storage_of(operation.type), operation.space
    given = [step.elements(o) for o in sources]
    where = address(step, place)
    old = load(inner, space, where, type_, len(given[0]))
    results = (Sink(),) * len(old) if isinstance(target, Sink) else step.elements(target)
    replaces = "exch" in operation.modifiers
    new = []
    for k, before in enumerate(old):
        own = [any_bit(e, step.read(each[k])) for each in given]
        truths = own if replaces else [any_bit(e, before), *own]
        new.append(e.vector(spread(e, reduce(lambda a, b: e.op("or", a, b), truths), type_)))
    for result, before in zip(results, old, strict=True):
        inner.write(result, before)
    store(inner, space, where, new)
    if replaces:
        return
    every = [any_bit(e, value) for value in new]
    lanes = e.op("and", reduce(lambda a, b: e.op("or", a, b), every), step.mask)
    bits = e.bits(lanes)
    # of lanes that meet at one place those count that leave it undefined
    again = e.compare("ne", bits, constant(0, bits.type))
    when(e, again, lambda: store(inner, space, where, new, mask=lanes))


@rule("shadow.use")
def use(step: LoweringStep) -> None:
    """Note the lanes that use what is undefined."""
    e = step.emitter
    bits = e.bits(e.op("and", e.vector(_joined(step)), step.mask))

    def note() -> None:
        kind = constant(USES[step.operation.opcode.rpartition(".")[2]], "i64")
        site, lanes = constant(step.site, "i64"), e.resize(bits, "i64")
        e.callback("warpmill.initcheck.use", kind, site, lanes)

    when(e, e.compare("ne", bits, constant(0, bits.type)), note)
