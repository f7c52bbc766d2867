"""Inline assembly of NVIDIA targets, read as the PTX that it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from warpmill.analyzer.base.diagnostics import DebugLocation, Span
from warpmill.analyzer.frontends.llvm import statement as st
from warpmill.analyzer.frontends.llvm.assembly_plan import (
    ADDRESSES,
    MEMORY,
    NUMBERS,
    REGISTERS,
    AssemblyKey,
    AssemblyOperand,
    AssemblyPlan,
    assembly_text,
    make_plan,
    places_of,
    replaced,
    replaced_guard,
    results_of,
)
from warpmill.analyzer.frontends.llvm.context import ModuleContext, bits_as
from warpmill.analyzer.frontends.llvm.types import (
    VOID,
    WORD_BITS,
    IntType,
    PointerType,
    Scalar,
    StructType,
    Type,
    Unsupported,
)
from warpmill.analyzer.frontends.llvm.values import BlockEnds, Lowering
from warpmill.analyzer.frontends.llvm.word_values import is_odd
from warpmill.analyzer.frontends.ptx.module import OPERAND
from warpmill.analyzer.ir import kernel as ir
from warpmill.analyzer.ir.kernel import (
    Block,
    FloatImm,
    Function,
    Imm,
    Instruction,
    Parameter,
    Reg,
    Register,
    Vector,
)
from warpmill.analyzer.ir.operation import decode
from warpmill.analyzer.ir.types import TYPES


def lower_assembly(low: Lowering, template: st.Template, assembly: st.InlineAssembly) -> None:
    """Insert the instructions of an assembly text in place; call them where they jump.

    Raise Unsupported, with the reason, where they are not understood.
    """
    text, constraints = (low.values.texts[slot] for slot in (assembly.text, assembly.constraints))
    places = places_of(constraints)
    if low.module.target.name != "nvptx" and assembly_text(text).strip():
        raise _not_understood(text, "it is not for an NVIDIA target")
    if places is None:
        raise _not_understood(text, f"its constraints are {constraints}")
    operands = _bind(low, template, places, text)
    forms = [None if o.given is None else form_of(low, o.given) for o in operands]
    _part_unlike_ties(places, operands, forms)
    key = AssemblyKey(
        text,
        constraints,
        tuple((n, o.written) for n, o in enumerate(operands) if o.written),
        tuple(o.type for o in operands),
        tuple(forms),
    )
    plan = make_plan(key)
    if isinstance(plan, str):
        raise _not_understood(text, plan)
    for operation in plan.guessed:
        low.module.warn_once(
            low.builder.span,
            f"opcode `{operation.opcode}` of inline assembly is not in the table; "
            f"it counts as `{operation.op_class.value}`, by the nearest rule",
        )
    if plan.is_straight:
        splice(low, plan, places, operands)
    else:
        name = function_of(low.module, key, plan, low.builder.span, low.builder.debug)
        call_function(low, name, places, operands)
    if plan.ends:
        raise BlockEnds


def _not_understood(text: str, reason: str) -> Unsupported:
    words = " ".join(assembly_text(text).split())
    short = words if len(words) <= 60 else words[:57] + "..."
    return Unsupported(f"inline assembly `{short}` ({reason})")


def _bind(
    low: Lowering, template: st.Template, places: tuple[AssemblyOperand, ...], text: str
) -> list[Operand]:
    """Operand of each place, a result or an argument: both come in the order of the places."""
    assert template.type is not None
    results = iter(_results(low, template.type, len(results_of(places))))
    arguments = iter([o for o in template.operands if not isinstance(o.value, st.MetadataArgument)])
    found: list[Operand] = []
    numbers = results_of(places)
    try:
        for number, place in enumerate(places):
            if place.is_result:
                given = next(results)
                found.append(Operand(given, _register_type(low, place, given, text)))
            elif place.tie is not None:
                given = _given(low, next(arguments))
                found.append(Operand(given, found[numbers[place.tie]].type))
            else:
                found.append(_argument(low, place, number, next(arguments), text))
    except StopIteration:
        raise _not_understood(text, "its operands are not those of its constraints") from None
    return found


def _results(low: Lowering, type_: Type, count: int) -> list[Given]:
    """The results, each with its registers."""
    if type_ == VOID:
        return []
    registers = low.results(type_)
    resolved = low.layout.resolve(type_)
    types = resolved.elements if count > 1 and isinstance(resolved, StructType) else (type_,)
    found, at = [], 0
    for element in types:
        scalars = low.layout.leaves(element)
        found.append(Given(registers[at : at + len(scalars)], scalars))
        at += len(scalars)
    return found


def _given(low: Lowering, value: st.Typed) -> Given:
    given = Given(low.values.parts(value), low.layout.leaves(value.type))
    return whole_constant(low, given)


def _register_type(low: Lowering, place: AssemblyOperand, given: Given, text: str) -> str:
    """The register that a place asks for; where there is no text any that is as wide will do."""
    if place.letter is not None:
        return REGISTERS[place.letter]
    if assembly_text(text).strip() or len(given.scalars) != 1:
        raise _not_understood(text, f"it has a constraint `{place.letters}`")
    width = low.module.width(given.scalars[0])
    return "pred" if width == 1 else f"b{width}"


def _argument(
    low: Lowering, place: AssemblyOperand, number: int, value: st.Typed, text: str
) -> Operand:
    constant = low.values.integer(value) if NUMBERS & set(place.letters) else None
    if constant is not None:
        return Operand(None, "b32", str(constant))
    letters = set(place.letters)
    is_address = isinstance(value.type, PointerType)
    if place.letter is None and is_address and (MEMORY | ADDRESSES) & letters:
        in_brackets = f"[${{{number}}}]" if MEMORY & letters else f"${{{number}}}"
        type_ = f"b{low.module.width(low.layout.leaf(value.type))}"
        return Operand(_given(low, value), type_, in_brackets)
    given = _given(low, value)
    return Operand(given, _register_type(low, place, given, text))


def _part_unlike_ties(
    places: tuple[AssemblyOperand, ...], operands: list[Operand], forms: list[str | None]
) -> None:
    """Insert a register between a result and an input tied to it whose type differs."""
    numbers = results_of(places)
    for number, place in enumerate(places):
        if place.tie is None:
            continue
        given, result = operands[number].given, operands[numbers[place.tie]].given
        assert given is not None
        assert result is not None
        if given.scalars != result.scalars:
            forms[numbers[place.tie]] = None


# Inline assembly in place of its call: instructions with the call's values, or a call of them.


def splice(
    low: Lowering,
    plan: AssemblyPlan,
    places: tuple[AssemblyOperand, ...],
    operands: Sequence[Operand],
) -> None:
    """Emit the instructions of a straight text with the call's values in them."""
    builder, moved = low.builder, plan.moved
    values: list[ir.Operand | None] = []
    late: list[tuple[Given, str, Reg]] = []
    for number, (given, type_, _) in enumerate(operands):
        if given is None or number in plan.copied:
            values.append(None)
        elif number not in moved:
            values.append(given.parts[0])
        elif places[number].is_result:
            between = builder.temporary(type_)
            late.append((given, type_, between))
            values.append(between)
        else:
            values.append(entered(low, given, type_, builder.temporary(type_)))
    results = results_of(places)
    for number in plan.copied:
        _enter_tied(low, operands[number], values[results[places[number].tie or 0]])
    registers = [
        builder.temporary(register.type) if number is None else values[number]
        for register, number in zip(plan.registers, plan.operands, strict=True)
    ]
    span, debug, out = builder.span, builder.debug, builder.out
    for operation, names, guard in plan.steps:
        given_operands = tuple([replaced(name, registers) for name in names])
        given_guard = guard and replaced_guard(guard, registers)
        out.append(Instruction(operation, given_operands, span, given_guard, (), debug))
    for given, type_, between in late:
        left(low, given, type_, between)


def _enter_tied(low: Lowering, operand: Operand, to: ir.Operand | None) -> None:
    """Move an input into the register of the result that it is tied to."""
    given, type_, _ = operand
    assert given is not None
    assert isinstance(to, Reg)
    if low.builder.type_of(to).bits == TYPES[type_].bits:
        entered(low, given, type_, to)
    else:
        low.builder.move(to, given.parts[0])  # both are narrower than the constraint's


def call_function(
    low: Lowering, name: str, places: tuple[AssemblyOperand, ...], operands: Sequence[Operand]
) -> None:
    """Emit a call of the function that a text became, with values as its registers want them."""
    arguments: list[ir.Operand] = []
    results: list[ir.Operand] = []
    late: list[tuple[Given, str, Reg]] = []
    for place, (given, type_, _) in zip(places, operands, strict=True):
        if given is None:
            continue
        if not place.is_result:
            arguments.append(entered(low, given, type_, None))
        elif _is_as_wide(low, given, type_):
            results.append(given.parts[0])
        else:
            between = low.builder.temporary(type_)
            late.append((given, type_, between))
            results.append(between)
    low.emit("call", ir.Arguments(tuple(results)), ir.Symbol(name), ir.Arguments(tuple(arguments)))
    for given, type_, between in late:
        left(low, given, type_, between)


def _is_as_wide(low: Lowering, given: Given, type_: str) -> bool:
    return len(given.parts) == 1 and low.module.width(given.scalars[0]) == TYPES[type_].bits


# Assembly that jumps, or has variables of its own, as a device function of the module.

NAME = "inline_asm_"
"""Prefix of the names of such functions."""


def function_of(
    module: ModuleContext,
    key: AssemblyKey,
    plan: AssemblyPlan,
    span: Span,
    debug: DebugLocation | None,
) -> str:
    """The name of the function that an assembly text is, made at its first call.

    Its parameters are the inputs in order, without those that are written into the text; its
    returns the results. Calls that a compiler gave different lines have functions of their own.
    """
    same = (key.text, key.constraints, key.written, key.types, debug)
    function = module.assembly.get(same)
    if function is None:
        drafted = _Draft(key, plan, _free_name(module))
        function = module.assembly[same] = drafted.function(span, debug)
    return function.name


def _free_name(module: ModuleContext) -> str:
    text = module.text
    taken = {*text.functions, *text.declarations, *text.variables}
    taken |= {function.name for function in module.assembly.values()}
    number = len(module.assembly) + 1
    while f"{NAME}{number}" in taken:
        number += 1
    return f"{NAME}{number}"


class _Draft:
    """The function while its registers are gathered."""

    def __init__(self, key: AssemblyKey, plan: AssemblyPlan, name: str) -> None:
        self._key, self._plan, self._name = key, plan, name
        self._registers = list(plan.function.registers)
        self._numbers = {
            number: Reg(index)
            for index, number in enumerate(plan.operands[: len(plan.function.registers)])
            if number is not None
        }

    def function(self, span: Span, debug: DebugLocation | None) -> Function:
        """Function of the draft, all its instructions at the place of a call."""
        constants = self._key.constants
        inputs = [
            n for n, p in enumerate(self._key.places) if not p.is_result and n not in constants
        ]
        results = [n for n, p in enumerate(self._key.places) if p.is_result]
        tied = list(self._tied())
        copied = {number: source for number, _, source in tied}
        parameters = [self._parameter(n, copied.get(n) or self._register(n)) for n in inputs]
        returns = [self._parameter(n, self._register(n)) for n in results]
        entry = [
            Instruction(decode(f"mov.{self._key.types[n]}"), (to, source), span, debug=debug)
            for n, to, source in tied
        ]
        body = self._plan.function
        return Function(
            name=self._name,
            parameters=tuple(parameters),
            registers=tuple(self._registers),
            blocks=_blocks(body, entry, f"{self._name}_entry", span, debug),
            span=span,
            variables=tuple(replace(variable, span=span) for variable in body.variables),
            returns=tuple(returns),
        )

    def _register(self, number: int) -> Reg:
        """The register of an operand, made where the text does not name it."""
        if number not in self._numbers:
            self._numbers[number] = self._new(f"{OPERAND}{number}", number)
        return self._numbers[number]

    def _new(self, name: str, number: int) -> Reg:
        self._registers.append(Register(name, TYPES[self._key.types[number]]))
        return Reg(len(self._registers) - 1)

    def _tied(self) -> Iterator[tuple[int, Reg, Reg]]:
        """Inputs that lie with a result: their number, the result, and where they come in."""
        places = self._key.places
        results = [n for n, place in enumerate(places) if place.is_result]
        for number, place in enumerate(places):
            if place.tie is not None:
                result = results[place.tie]
                yield number, self._register(result), self._new(f"%input{number}", result)

    def _parameter(self, number: int, register: Reg) -> Parameter:
        type_ = TYPES[self._key.types[number]]
        name = f"{self._name}_operand{number}"
        return Parameter(name, type_, type_.size_bytes, type_.size_bytes, register)


def _blocks(
    body: Function, entry: list[Instruction], label: str, span: Span, debug: DebugLocation | None
) -> tuple[Block, ...]:
    """The blocks at the place of a call, behind an entry where something has to be copied."""
    more = 1 if entry else 0
    first = (Block(0, label, tuple(entry), 1),) if entry else ()
    return first + tuple(
        replace(
            block,
            id=block.id + more,
            instructions=tuple(
                replace(i, span=span, debug=debug, targets=tuple(t + more for t in i.targets))
                for i in block.instructions
            ),
            fallthrough=None if block.fallthrough is None else block.fallthrough + more,
        )
        for block in body.blocks
    )


# Operands of inline assembly between LLVM's values and the registers that constraints ask for.
#
# A constraint asks for a register of some width; the value may be a vector, which is packed, or a
# narrower integer or pointer (of 32 bits in shared memory), which is extended with zeros, as
# LLVM's back end does it.

_PACKED = frozenset({16, 32, 64, 128})


class Given(NamedTuple):
    """A value or a result as LLVM has it: its parts with their scalars."""

    parts: tuple[ir.Operand, ...]
    scalars: tuple[Scalar, ...]


class Operand(NamedTuple):
    """One operand of a text: the value or result behind it, the type of register that it asks for.

    ``written`` is what stands for it in the text, where that is anything else than a register.
    """

    given: Given | None
    type: str
    written: str = ""


def form_of(low: Lowering, given: Given) -> str | None:
    """Form in which a value may stand in an instruction: its register's or its constant's type.

    None where it has to be packed.
    """
    if len(given.parts) != 1:
        return None
    match given.parts[0]:
        case Reg() as register:
            return low.builder.type_of(register).name
        case FloatImm(_, type_):
            return f"={type_.name}"
        case Imm():
            return "=pred" if low.module.width(given.scalars[0]) == 1 else "="
    return None


def whole_constant(low: Lowering, given: Given) -> Given:
    """A vector of constants as one constant; any other value as it is."""
    if len(given.parts) < 2:
        return given
    value, at = 0, 0
    for part, scalar in zip(given.parts, given.scalars, strict=True):
        width = low.layout.scalar_bits(scalar)
        number = bits_as(part, IntType(width), width)
        if not isinstance(number, Imm):
            return given
        value |= (number.value & ((1 << width) - 1)) << at
        at += width
    return Given((Imm(value),), (IntType(at),)) if at <= WORD_BITS else given


def entered(low: Lowering, given: Given, type_: str, into: Reg | None) -> ir.Operand:
    """A value in the register ``into`` of type ``type_``; in a new one, or as it is, without it.

    Raise Unsupported where LLVM has no such register for it.
    """
    builder, bits = low.builder, TYPES[type_].bits
    if len(given.parts) > 1:
        packed = _packed(low, given, bits)
        into = into or builder.temporary(type_)
        builder.emit(f"mov.{type_}", into, packed)
        return into
    ((part,), (scalar,)) = given
    width = low.module.width(scalar)
    if width == bits:
        if into is None and not (isinstance(part, Imm) and bits == 1):
            return part
        into = into or builder.temporary(type_)
        builder.emit(f"mov.{type_}", into, part)
        return into
    if not isinstance(scalar, IntType | PointerType) or width > bits or bits == 1:
        raise Unsupported(_misfit(width, bits))
    return builder.resize(into, part, bits, width, "u")


def _packed(low: Lowering, given: Given, bits: int) -> Vector:
    widths = [low.layout.scalar_bits(scalar) for scalar in given.scalars]
    if sum(widths) != bits or bits not in _PACKED or min(widths) < 8:
        raise Unsupported(_misfit(sum(widths), bits))
    return Vector(
        tuple(bits_as(p, IntType(w), w) for p, w in zip(given.parts, widths, strict=True))
    )


def left(low: Lowering, given: Given, type_: str, source: Reg) -> None:
    """Assign the register ``source`` of type ``type_`` to a result's registers."""
    builder, bits = low.builder, TYPES[type_].bits
    if len(given.parts) > 1:
        builder.emit(f"mov.{type_}", _packed(low, given, bits), source)
        return
    ((to,), (scalar,)) = given
    assert isinstance(to, Reg)
    width = low.module.width(scalar)
    if width == bits:
        builder.emit(f"mov.{type_}", to, source)
    elif not isinstance(scalar, IntType | PointerType) or bits == 1:
        raise Unsupported(_misfit(width, bits))
    elif width == 1:
        lowest = builder.compute(f"and.{type_}", type_, source, Imm(1))
        builder.emit(f"setp.ne.{type_}", to, lowest, Imm(0))
    else:
        builder.resize(to, source, width, bits, "u")
    if is_odd(low, scalar):
        builder.emit(f"and.b{width}", to, to, Imm((1 << low.layout.scalar_bits(scalar)) - 1))


def _misfit(width: int, bits: int) -> str:
    return f"a value of {width} bits in a register of {bits} for inline assembly"
