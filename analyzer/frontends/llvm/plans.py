"""Plans: what a statement of a given shape becomes, worked out once for each shape of a module.

Most statements work on scalars and become one instruction whose opcode the shape settles. Their
plan has a ``run`` that only fills registers and constants in; the others are left to the handlers
that know vectors, aggregates and constant expressions. Both give the same instructions. Plans of
calls and of memory accesses stand here, those of arithmetic and branches in ``scalar_plans``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from warpmill.analyzer.frontends.llvm import calls, memory, scalar_plans
from warpmill.analyzer.frontends.llvm import statement as st
from warpmill.analyzer.frontends.llvm.call_table import direct
from warpmill.analyzer.frontends.llvm.context import ModuleContext, integer_value
from warpmill.analyzer.frontends.llvm.memory import carries_space
from warpmill.analyzer.frontends.llvm.scalar_plans import Get, Run, getter, is_odd, number, result
from warpmill.analyzer.frontends.llvm.syntax import (
    StatementShape,
    SyntaxFault,
    parse_statement,
    shape_of,
)
from warpmill.analyzer.frontends.llvm.text import unquoted
from warpmill.analyzer.frontends.llvm.types import (
    VOID,
    FloatType,
    IntType,
    PointerType,
    Scalar,
    Unsupported,
)
from warpmill.analyzer.frontends.llvm.values import Lowering
from warpmill.analyzer.ir.kernel import Address, Imm, Instruction, Operand, Special, Symbol
from warpmill.analyzer.ir.operation import Operation, decode
from warpmill.analyzer.ir.types import Space, Type

# Same slots as shapes.py finds, for text without strings; split by it, a line falls into literals
# and slots without a call a slot. It starts with a set of characters, which searches fastest.
_SLOT = re.compile(
    r"([%@!#0-9+-]"
    r"(?:(?<=[%@])[-\w.$]+"
    r"|(?<=!)(?:[-\w.$\\]+)?"
    r"|(?<=\#)\d+"
    r"|(?<=[0-9+-])(?<![\w.$+-].)(?<!addrspace\(.)[\w.]*(?:(?<=[eE])[-+]\d+)?(?! +x\b)(?![\w.])))"
)
_KINDS = str.maketrans(dict.fromkeys("123456789+-", "0"))


class StatementPlan(NamedTuple):
    """A shape's template; ``run`` lowers it directly, None asks for the opcode's handler."""

    template: st.Template
    run: Run | None = None
    carries: bool = False
    fault: str = ""


class Planner:
    """Plan of each statement of a module, by the literals between its slots."""

    def __init__(self, module: ModuleContext) -> None:
        self._module = module
        self._types = module.type_names
        self._plans: dict[str, StatementPlan | None] = {}

    def plan(self, text: str) -> tuple[StatementPlan, Sequence[str]]:
        """The plan of a statement, and the texts of its slots."""
        if '"' in text:
            return self._slow(text)
        parts = _SLOT.split(text)
        texts = parts[1::2]
        kinds = "".join([t[0] for t in texts]).translate(_KINDS)
        key = "\0".join([kinds, *parts[::2]])
        plan = self._plans.get(key)
        if plan is not None:
            return plan, texts
        return self._barred(key, text, texts) if key in self._plans else self._new(key, text, texts)

    def _barred(self, key: str, text: str, texts: list[str]) -> tuple[StatementPlan, Sequence[str]]:
        """Names of types among the slots belong to the shape: then it is found with them."""
        types = self._types
        names = [f"{place}{t}" for place, t in enumerate(texts) if t[1:] in types]
        if not names:
            return self._slow(text)
        key = "\0".join([key, *names])
        own = [t for t in texts if t[1:] not in types]
        plan = self._plans.get(key)
        if plan is not None:
            return plan, own
        if key in self._plans:
            return self._slow(text)
        shape = shape_of(text, types)
        plan, found = self._of_shape(text, shape)
        self._plans[key] = plan if list(shape.texts) == own else None
        return plan, found

    def _new(self, key: str, text: str, texts: list[str]) -> tuple[StatementPlan, Sequence[str]]:
        """Where the quick cut is not the shape's, that way is barred for the same literals."""
        shape = shape_of(text, self._types)
        same = not self._named(texts) and list(shape.texts) == texts
        plan, found = self._of_shape(text, shape)
        self._plans[key] = plan if same else None
        return plan, found

    def _named(self, texts: Sequence[str]) -> bool:
        return bool(self._types) and any(t[1:] in self._types for t in texts)

    def _slow(self, text: str) -> tuple[StatementPlan, Sequence[str]]:
        return self._of_shape(text, shape_of(text, self._types))

    def _of_shape(self, text: str, shape: StatementShape) -> tuple[StatementPlan, Sequence[str]]:
        key = "\0\0" + shape.text
        plan = self._plans.get(key)
        if plan is not None:
            return plan, shape.texts
        try:
            template = parse_statement(text, shape, self._types)
        except SyntaxFault as fault:
            return StatementPlan(
                st.Template("unknown"), fault=str(fault).removesuffix(" is not understood")
            ), ()
        try:
            run = plan_of(self._module, template)
        except Unsupported:
            run = None  # the slow way meets it too, and says so where it stands
        plan = self._plans[key] = StatementPlan(template, run, carries_space(template))
        return plan, shape.texts


def plan_of(module: ModuleContext, template: st.Template) -> Run | None:
    """The direct way to lower statements of a shape; None where there is none."""
    if any(scalar_plans.is_odd(module, operand.type) for operand in template.operands):
        return None
    match template.opcode:
        case "load" | "store" | "getelementptr":
            return memory_plan(module, template)
        case "call":
            return call_plan(module, template)
    return scalar_plans.plan_of(module, template)


# Calls of known functions on scalars: one instruction by the table.


def call_plan(module: ModuleContext, template: st.Template) -> Run | None:
    """The direct way of a call; which function it calls is looked up for each statement."""
    if not isinstance(template.callee, st.Global):
        return None
    slot = template.callee.slot
    known: dict[str, Run] = {}

    def run(low: Lowering, texts: Sequence[str]) -> None:
        name = texts[slot]
        way = known.get(name)
        if way is None:
            way = known[name] = _way(module, template, unquoted(name[1:])) or _handled
            mark = len(low.builder.out)
            way(low, texts)
            if calls.fits(low, mark):
                return
            del low.builder.out[mark:]
            way = known[name] = _handled
        way(low, texts)

    return run


def _handled(low: Lowering, texts: Sequence[str]) -> None:  # noqa: ARG001 - a plan takes both
    calls.lower_call(low, low.template)


def _dropped(low: Lowering, texts: Sequence[str]) -> None:
    """No instruction."""


def _way(module: ModuleContext, template: st.Template, callee: str) -> Run | None:
    if calls.is_dropped(callee):
        return _dropped
    rule = calls.plain_rule(module, callee)
    if rule is None or len(rule.emit) != 1 or rule.approximate or rule.emit32 is not None:
        return None
    scalars = [number(o.type) for o in template.operands]
    to = number(template.type)
    if None in scalars or (to is None and template.type != VOID):
        return None
    arguments = [s for s in scalars if s is not None]
    words = calls.spelled_words(module, rule, () if to is None else (to,), arguments)
    parts = direct(rule.emit[0], words)
    if parts is None:
        return None
    gets = [getter(module, o.value, s) for o, s in zip(template.operands, arguments, strict=True)]
    found = [g for g in gets if g is not None]
    if len(found) < len(gets):
        return None
    into = None if to is None else result(module, template, to)
    return None if to is not None and into is None else _filled(parts, found, into)


def _filled(parts: tuple[str, ...], gets: list[Get], into: Get | None) -> Run | None:
    """Arguments' registers appear before the result's; ``parts`` say where each one goes."""
    opcode, *words = parts
    picks = [_pick(word) for word in words]
    if any(p is None or (isinstance(p, int) and p >= len(gets)) for p in picks):
        return None
    if -1 in picks and into is None:
        return None
    operation = decode(opcode)
    if "ends" in operation.effects:
        return None

    def run(low: Lowering, texts: Sequence[str]) -> None:
        b = low.builder
        have = [get(b, texts) for get in gets]
        if into is not None:
            have.append(into(b, texts))
        operands = tuple([have[p] if isinstance(p, int) else p for p in picks])
        b.out.append(Instruction(operation, operands, b.span, None, (), b.debug))  # type: ignore[arg-type] # what is no number is an operand

    return run


def _pick(word: str) -> int | Operand | None:
    """An argument's number, -1 for the result, or an operand that the table writes out."""
    if word == "$d":
        return -1
    if word[0] == "$":
        return int(word[1:]) if word[1:].isdigit() else None
    if word[0] == "%":
        return Special(word[1:])
    return Imm(int(word)) if word.lstrip("-").isdigit() else None


# Plain scalar loads and stores, and address arithmetic with one index.

_ZERO, _ONE = Imm(0), Imm(1)


def memory_plan(module: ModuleContext, template: st.Template) -> Run | None:
    """The direct way of a load, a store or a GEP; None where there is none."""
    if template.opcode == "load":
        return _load(module, template)
    if template.opcode == "store":
        return _store(module, template)
    return _gep(module, template)


def _memory_type(module: ModuleContext, scalar: Scalar) -> str:
    is_float = isinstance(scalar, FloatType) and scalar.name in ("float", "double")
    return module.spelled(scalar, "f" if is_float else "b")


def _is_whole(
    module: ModuleContext, template: st.Template, scalar: Scalar
) -> Callable[[Sequence[str]], bool]:
    """A test whether an access is aligned to its width; it is cut where it is not."""
    slot, size = template.align, module.layout.store_size(scalar)
    if slot is None:
        return lambda texts: True  # noqa: ARG005 - a test takes them
    return lambda texts: int(texts[slot]) >= size


def _opcodes(head: str, type_: str) -> dict[Space, Operation]:
    return {space: decode(f"{head}{memory.dotted(space)}.{type_}") for space in Space}


class _Pointer:
    """A local pointer of a statement: its register or symbol, and the space that it is in."""

    __slots__ = ("own", "slot", "type")

    def __init__(self, module: ModuleContext, slot: int, type_: PointerType) -> None:
        self.slot = slot
        self.type: Type = module.register_type(type_)
        self.own = module.target.space(type_.space)

    def base(self, low: Lowering, name: str) -> Operand:
        """The address itself."""
        symbol = low.values.symbols.get(name)
        return symbol or low.builder.named.get(name) or low.builder.register(name, self.type)


def _pointer(module: ModuleContext, typed: st.Typed) -> _Pointer | None:
    match typed:
        case st.Typed(PointerType() as type_, st.Local(int(slot))):
            return _Pointer(module, slot, type_)
    return None


def _load(module: ModuleContext, template: st.Template) -> Run | None:
    scalar = number(template.type)
    pointer = _pointer(module, template.operands[0])
    if scalar is None or pointer is None or template.words or is_odd(module, scalar):
        return None
    to = result(module, template, scalar)
    if to is None:
        return None
    get, name = to, _memory_type(module, scalar)
    plain, cached = _opcodes("ld", name), decode(f"ld.global.nc.{name}")
    is_whole = _is_whole(module, template, scalar)

    def run(low: Lowering, texts: Sequence[str]) -> None:
        if not is_whole(texts):
            memory.lower_load(low, template)
            return
        b, text = low.builder, texts[pointer.slot]
        base = pointer.base(low, text)
        space = low.values.spaces.get(text, pointer.own)
        operation = plain[space]
        if space is Space.GLOBAL and low.attachments and "!invariant.load" in low.attachments:
            operation = cached
        register = get(b, texts)
        operands = (register, _address(base))
        b.out.append(Instruction(operation, operands, b.span, None, (), b.debug))

    return run


def _address(base: Operand) -> Address:
    if isinstance(base, Symbol):
        return memory.address_of(base)
    return Address(base, 0)  # type: ignore[arg-type] # a pointer's operand is a register here


def _store(module: ModuleContext, template: st.Template) -> Run | None:
    value, typed = template.operands
    scalar = number(value.type)
    pointer = _pointer(module, typed)
    if scalar is None or pointer is None or template.words:
        return None
    found = getter(module, value.value, scalar)
    if found is None:
        return None
    get, opcodes = found, _opcodes("st", _memory_type(module, scalar))
    is_whole = _is_whole(module, template, scalar)

    def run(low: Lowering, texts: Sequence[str]) -> None:
        if not is_whole(texts):
            memory.lower_store(low, template)
            return
        b, text = low.builder, texts[pointer.slot]
        operand = get(b, texts)
        base = pointer.base(low, text)
        operation = opcodes[low.values.spaces.get(text, pointer.own)]
        operands = (_address(base), operand)
        b.out.append(Instruction(operation, operands, b.span, None, (), b.debug))

    return run


def _gep(module: ModuleContext, template: st.Template) -> Run | None:
    """One index into an array of the source type, constant or in a register."""
    if len(template.operands) != 2 or template.type is None:
        return None
    base, index = template.operands
    pointer = _pointer(module, base)
    if pointer is None or not isinstance(index.type, IntType) or index.type.bits < 8:
        return None
    if not isinstance(base.type, PointerType):
        return None
    try:
        scale = module.layout.size(template.type)
    except Unsupported:
        return None
    found = result(module, template, base.type)
    if found is None:
        return None
    if isinstance(index.value, st.Integer):
        return _constant_gep(module, template, pointer, scale, index.value.slot)
    width = module.width(base.type)
    place = getter(module, index.value, index.type)
    if place is None or not isinstance(index.value, st.Local):
        return None
    operation, scalar = decode(f"lea.b{width}"), index.type
    same = module.width(scalar) == width
    to, get, factor = found, place, Imm(scale)

    def run(low: Lowering, texts: Sequence[str]) -> None:
        b = low.builder
        register = to(b, texts)
        address = pointer.base(low, texts[pointer.slot])
        if isinstance(address, Symbol):
            memory.lower_gep(low, template)
            return
        value = get(b, texts)
        if not same:
            value = b.resized(value, scalar, width, "s")
        operands = (register, address, value, factor, _ZERO)
        b.out.append(Instruction(operation, operands, b.span, None, (), b.debug))

    return run


def _constant_gep(
    module: ModuleContext, template: st.Template, pointer: _Pointer, scale: int, slot: int
) -> Run | None:
    base = template.operands[0].type
    found = result(module, template, base) if isinstance(base, PointerType) else None
    if found is None or not isinstance(base, PointerType):
        return None
    to = found
    operation = decode(f"lea.b{module.width(base)}")

    def run(low: Lowering, texts: Sequence[str]) -> None:
        b = low.builder
        register = to(b, texts)
        address = pointer.base(low, texts[pointer.slot])
        offset = Imm(integer_value(texts[slot]) * scale)
        if isinstance(address, Symbol):
            memory.lower_gep(low, template)
            return
        operands = (register, address, _ZERO, _ONE, offset)
        b.out.append(Instruction(operation, operands, b.span, None, (), b.debug))

    return run
