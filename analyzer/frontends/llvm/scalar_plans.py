"""Plans of statements on scalars: what is known from the shape is worked out ahead.

``plan_of`` gives a function that fills in one statement, or None where the opcode's handler has to
do it. Registers appear in the same order as the handlers make them appear.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from warpmill.analyzer.frontends.llvm import statement as st
from warpmill.analyzer.frontends.llvm.context import (
    Builder,
    ModuleContext,
    integer_operand,
    is_predicate,
    word_operand,
)
from warpmill.analyzer.frontends.llvm.types import (
    FloatType,
    IntType,
    Scalar,
    Type,
    data_table,
)
from warpmill.analyzer.frontends.llvm.values import Lowering
from warpmill.analyzer.ir.kernel import Guard, Instruction, Operand
from warpmill.analyzer.ir.operation import Operation, decode

Run = Callable[[Lowering, Sequence[str]], None]
Get = Callable[[Builder, Sequence[str]], Operand]
_TABLE = data_table("instructions.toml")
_FAST = frozenset(_TABLE["fast_flags"])


def plan_of(module: ModuleContext, template: st.Template) -> Run | None:
    """The direct way to lower branches, choices and scalar operations; None where there is none."""
    match template.opcode:
        case "br":
            return _branch(module, template)
        case "select":
            return _select(module, template)
        case "phi":
            return _phi(module, template)
        case "icmp" | "fcmp":
            return _compare(module, template)
        case opcode if opcode in _TABLE["binary"]:
            return _binary(module, template)
        case opcode if opcode in _TABLE["cast"]:
            return _cast(module, template)
    return None


def is_odd(module: ModuleContext, type_: Type) -> bool:
    """Whether it is an integer of a width that registers lack: handlers say so in a note."""
    return isinstance(type_, IntType) and (module.width(type_) != type_.bits or type_.bits > 64)


def number(type_: Type | None) -> Scalar | None:
    """A type as a number's: an integer (``i1`` apart) or a float; None for all others."""
    if isinstance(type_, IntType):
        return None if is_predicate(type_) or type_.bits > 64 else type_
    if isinstance(type_, FloatType) and type_.name in ("half", "bfloat", "float", "double"):
        return type_
    return None


def getter(module: ModuleContext, value: st.Value, scalar: Scalar) -> Get | None:
    """How to get the operand of a scalar value, no pointer, out of a statement's texts."""
    match value:
        case st.Local(int(slot)):
            return local(module, slot, scalar)
        case st.Integer(slot) | st.Float(slot):
            return _constant(slot, scalar)
        case st.Keyword(word):
            operand = word_operand(word, scalar)
            return lambda builder, texts: operand  # noqa: ARG005 - a getter takes both
    return None


def local(module: ModuleContext, slot: int, scalar: Scalar) -> Get:
    """How to get the register of a local value."""
    type_ = module.register_type(scalar)

    def get(builder: Builder, texts: Sequence[str]) -> Operand:
        name = texts[slot]
        return builder.named.get(name) or builder.register(name, type_)

    return get


def _constant(slot: int, scalar: Scalar) -> Get:
    known: dict[str, Operand] = {}

    def get(builder: Builder, texts: Sequence[str]) -> Operand:  # noqa: ARG001 - a getter takes both
        text = texts[slot]
        operand = known.get(text)
        if operand is None:
            operand = known[text] = integer_operand(text, scalar)
        return operand

    return get


def result(module: ModuleContext, template: st.Template, scalar: Scalar) -> Get | None:
    """How to get the register of a statement's result."""
    if not isinstance(template.result, int):
        return None
    return local(module, template.result, scalar)


def _simple(operation: Operation, *getters: Get | None) -> Run | None:
    """One instruction, its operands in the order in which their registers appear."""
    gets = [g for g in getters if g is not None]
    if len(gets) < len(getters):
        return None
    if len(gets) == 3:
        first, second, third = gets

        def run_three(low: Lowering, texts: Sequence[str]) -> None:
            b = low.builder
            operands = (first(b, texts), second(b, texts), third(b, texts))
            b.out.append(Instruction(operation, operands, b.span, None, (), b.debug))

        return run_three

    def run(low: Lowering, texts: Sequence[str]) -> None:
        b = low.builder
        operands = tuple([get(b, texts) for get in gets])
        b.out.append(Instruction(operation, operands, b.span, None, (), b.debug))

    return run


def _binary(module: ModuleContext, template: st.Template) -> Run | None:
    left, right = template.operands
    scalar = number(left.type)
    line = _TABLE["binary"][template.opcode]
    if scalar is None:
        return None
    if (
        line.get("amount")
        and module.width(scalar) != 32
        and not isinstance(right.value, st.Integer)
    ):
        return None
    opcode = line["opcode"]
    if "fast" in line:
        if _FAST.isdisjoint(template.words):
            return None  # an attachment may ask for another division
        opcode = line["fast"]
    return _simple(
        decode(opcode.format(**module.spellings(scalar))),
        result(module, template, scalar),
        getter(module, left.value, scalar),
        getter(module, right.value, scalar),
    )


def _compare(module: ModuleContext, template: st.Template) -> Run | None:
    left, right = template.operands
    scalar = number(left.type)
    opcode = _TABLE[template.opcode].get(template.words[-1])
    if scalar is None or opcode is None:
        return None
    return _simple(
        decode(opcode.format(**module.spellings(scalar))),
        result(module, template, IntType(1)),
        getter(module, left.value, scalar),
        getter(module, right.value, scalar),
    )


def _cast(module: ModuleContext, template: st.Template) -> Run | None:
    (value,) = template.operands
    to, source = number(template.type), number(value.type)
    if to is None or source is None or is_odd(module, to):
        return None
    if isinstance(to, IntType) and isinstance(source, IntType) and to.bits == source.bits:
        return None
    names = {**module.spellings(to, "to_"), **module.spellings(source, "from_")}
    return _simple(
        decode(_TABLE["cast"][template.opcode].format(**names)),
        result(module, template, to),
        getter(module, value.value, source),
    )


def _select(module: ModuleContext, template: st.Template) -> Run | None:
    condition, yes, no = template.operands
    scalar = number(yes.type)
    if scalar is None or condition.type != IntType(1) or not isinstance(condition.value, st.Local):
        return None
    operation = decode(f"selp.{module.register_type(scalar)}")
    gets = (
        getter(module, condition.value, IntType(1)), result(module, template, scalar),
        getter(module, yes.value, scalar), getter(module, no.value, scalar),
    )  # fmt: skip
    test, to, first, second = gets
    if test is None or to is None or first is None or second is None:
        return None

    def run(low: Lowering, texts: Sequence[str]) -> None:
        b = low.builder
        p = test(b, texts)
        operands = (to(b, texts), first(b, texts), second(b, texts), p)
        b.out.append(Instruction(operation, operands, b.span, None, (), b.debug))

    return run


def _phi(module: ModuleContext, template: st.Template) -> Run | None:
    """A φ only makes its register appear; the copies are made on the edges."""
    scalar = number(template.type)
    to = None if scalar is None else result(module, template, scalar)
    if to is None:
        return None
    get = to

    def run(low: Lowering, texts: Sequence[str]) -> None:
        get(low.builder, texts)

    return run


def _branch(module: ModuleContext, template: st.Template) -> Run | None:
    if not all(isinstance(label, int) for label in template.labels):
        return None
    operation = decode("bra")
    slots = [label for label in template.labels if isinstance(label, int)]
    if not template.operands:
        (slot,) = slots

        def jump(low: Lowering, texts: Sequence[str]) -> None:
            b = low.builder
            targets = (low.labels[texts[slot][1:]],)
            b.out.append(Instruction(operation, (), b.span, None, targets, b.debug))

        return jump
    (condition,) = template.operands
    if not isinstance(condition.value, st.Local) or not isinstance(condition.value.name, int):
        return None
    name, (yes, no) = condition.value.name, slots
    type_ = module.register_type(IntType(1))

    def branch(low: Lowering, texts: Sequence[str]) -> None:
        b = low.builder
        targets = (low.labels[texts[yes][1:]],)
        guard = Guard(b.named.get(texts[name]) or b.register(texts[name], type_))
        b.out.append(Instruction(operation, (), b.span, guard, targets, b.debug))
        low.fallthrough = low.labels[texts[no][1:]]

    return branch
