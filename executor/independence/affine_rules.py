"""Linear form of each operation's result; an operation without a rule makes its own term."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from warpmill.analyzer.ir.kernel import (
    Address,
    Instruction,
    NotPredicate,
    Operand,
    Pair,
    Reg,
    Symbol,
    Vector,
)
from warpmill.analyzer.ir.types import OpClass, Space, Type, TypeKind
from warpmill.analyzer.launch.numbering import WINDOWS
from warpmill.executor.independence.affine import (
    ALWAYS,
    WORDS,
    Condition,
    LinearForm,
    WordComparison,
    least,
    most,
)

if TYPE_CHECKING:
    from warpmill.executor.independence.affine_values import BlockPass, FormPlace


# An instruction as rules of linear forms see it; what is known of predicates and parameters.


@dataclass(frozen=True)
class Use:
    """One instruction at its place."""

    values: BlockPass
    place: FormPlace
    instruction: Instruction
    key: int  # the definition it makes

    @property
    def type(self) -> Type | None:
        """Type that it computes on."""
        return self.instruction.operation.type

    @property
    def bits(self) -> int:
        """Bits of what it computes on."""
        return 0 if self.type is None else self.type.bits

    @property
    def signed(self) -> bool:
        """Whether it reads words as signed numbers."""
        return self.type is not None and self.type.kind is TypeKind.SIGNED

    def has(self, *words: str) -> bool:
        """Whether the opcode has one of some words."""
        return any(w in self.instruction.operation.modifiers for w in words)

    def source(self, number: int) -> LinearForm | None:
        """A source modulo two to its bits."""
        sources = self.instruction.sources
        if number >= len(sources):
            return None
        return self.values.operand(sources[number], self.place)

    def word(self, number: int, bits: int = 0, *, signed: bool | None = None) -> LinearForm | None:
        """A source's value."""
        form = self.source(number)
        if form is None:
            return None
        signed = self.signed if signed is None else signed
        return self.values.word(form, bits or self.bits, self.place.constraints, signed=signed)

    def between(self, low: int, high: float) -> LinearForm:
        """A result of which only bounds are known."""
        return self.values.unknown(self.key, low, high)

    def predicate(self, operand: Operand) -> Condition:
        """Known condition of a predicate."""
        match operand:
            case Reg(index):
                return self.values.conditions.get(self.place.at.get(index, -1), ALWAYS)
            case NotPredicate(register):
                return self.predicate(register).negated
        return ALWAYS


# Predicates.


def note_condition(
    values: BlockPass, place: FormPlace, instruction: Instruction, written: dict[int, int]
) -> None:
    """Note what a predicate that is written says."""
    if instruction.guard is not None or not instruction.destinations:
        return
    first = instruction.destinations[0]
    first = first.first if isinstance(first, Pair) else first
    if not isinstance(first, Reg) or first.index not in written:
        return
    rule = PREDICATES.get(instruction.operation.name)
    if rule is not None:
        id_ = written[first.index]
        found = rule(Use(values, place, instruction, id_))
        if found != ALWAYS:
            values.conditions[id_] = found


def _setp(use: Use) -> Condition:
    words, sources = use.instruction.operation.modifiers, use.instruction.sources
    found = ALWAYS
    a, b = use.source(0), use.source(1)
    is_integer = use.type is not None and use.type.is_integer and use.type.lanes == 1
    if words[0] in WORDS and is_integer and a is not None and b is not None:
        signed = use.signed
        found = Condition.of(WordComparison(WORDS[words[0]], signed, use.bits, a, b))
    if len(sources) < 3:
        return found
    other = use.predicate(sources[2])
    if "and" in words:
        return found.joined(other)
    return found.either(other) if "or" in words else ALWAYS


def _both(use: Use) -> Condition:
    a, b = use.instruction.sources
    return use.predicate(a).joined(use.predicate(b))


def _either(use: Use) -> Condition:
    a, b = use.instruction.sources
    return use.predicate(a).either(use.predicate(b))


def _not(use: Use) -> Condition:
    return use.predicate(use.instruction.sources[0]).negated


def _differs(use: Use) -> Condition:
    """``xor`` with true is ``not``."""
    other = use.source(1)
    return _not(use) if other is not None and other.key in _TRUE else ALWAYS


_TRUE = (LinearForm(1).key, LinearForm(-1).key)

PREDICATES: dict[str, Callable[[Use], Condition]] = {
    "setp": _setp,
    "and": _both,
    "or": _either,
    "xor": _differs,
    "not": _not,
    "mov": lambda use: use.predicate(use.instruction.sources[0]),
}


# Loads of parameters.


def loaded(use: Use) -> LinearForm | None:
    """Form that a load of one register reads from the parameters."""
    parts = parameters(use.values, use.instruction)
    return parts[0] if parts else None


def parameters(values: BlockPass, instruction: Instruction) -> list[LinearForm] | None:
    """Forms that a load from the parameters reads; None for other loads."""
    operation, address = instruction.operation, instruction.address
    type_ = operation.type
    if operation.name != "ld" or operation.space is not Space.PARAM or type_ is None:
        return None
    if not isinstance(address, Address) or not isinstance(address.base, Symbol):
        return None
    target = instruction.destinations[0]
    count = len(target.elements) if isinstance(target, Vector) else 1
    found = []
    for k in range(count):
        offset = address.base.offset + address.offset + k * type_.size_bytes
        number = values.values.parameter(address.base.name, offset, type_.size_bytes)
        if number is None:
            return None
        if type_.kind is TypeKind.SIGNED:
            number = LinearForm(number).wrapped(type_.bits).constant
        found.append(LinearForm(number))
    return found if all(isinstance(e, Reg) for e in _elements(target)) else None


def _elements(target: Operand) -> tuple[Operand, ...]:
    return target.elements if isinstance(target, Vector) else (target,)


Rule = Callable[[Use], LinearForm | None]


def evaluate(values: BlockPass, block: int, number: int, instruction: Instruction) -> None:
    """Work out what an instruction writes."""
    written = values.structure.ssa.written[block][number]
    place = values.place(block, number)
    note_condition(values, place, instruction, written)
    if len(written) == 1:
        ((_, id_),) = written.items()
        made = _made(Use(values, place, instruction, id_))
        values.forms[id_] = _kept(values, block, number, id_, made)
        return
    parts = parameters(values, instruction)
    for k, id_ in enumerate(written.values()):
        form = values.unknown(id_) if parts is None else parts[k]
        values.forms[id_] = _kept(values, block, number, id_, form)


def _made(use: Use) -> LinearForm:
    """The form of the one register that an instruction writes."""
    operation, bits = use.instruction.operation, _bits(use)
    rule = RULES.get(operation.name)
    is_plain = len(use.instruction.destinations) == 1 and isinstance(
        use.instruction.destinations[0], Reg
    )
    found = None
    if rule is not None and is_plain and not use.has("sat", "x2", "cc"):
        found = rule(use)
    if found is not None:
        return found.wrapped(bits)
    return use.between(*_bounds(use, bits))


def _bits(use: Use) -> int:
    return use.values.values.bits(use.values.structure.ssa.definitions[use.key])


def _bounds(use: Use, bits: int) -> tuple[int, int]:
    """Bound a result by the type of what is loaded."""
    type_ = use.type
    if use.instruction.operation.op_class is not OpClass.LOAD or type_ is None:
        return 0, (1 << bits) - 1
    if not type_.is_integer or type_.bits > bits or use.instruction.operation.vector > 1:
        return 0, (1 << bits) - 1
    half = 1 << type_.bits - 1
    return (-half, half - 1) if use.signed else (0, 2 * half - 1)


def _kept(values: BlockPass, block: int, number: int, id_: int, made: LinearForm) -> LinearForm:
    """Add what a register held before, where a guard may leave it."""
    instruction = values.structure.kernel.blocks[block].instructions[number]
    if instruction.guard is None:
        return made
    register = values.structure.ssa.definitions[id_].register
    before = values.structure.ssa.before[block][number].get(register)
    if before is None:
        return values.unknown(id_)
    old, holds = values.definition(before), values.place(block, number).constraints
    if old.key == made.key:
        return made
    low = min(least(made, holds), least(old, values.holds[block]))
    high = max(most(made, holds), most(old, values.holds[block]))
    key = ("kept", values.before is None, id_)
    bits = values.values.bits(values.structure.ssa.definitions[id_])
    if math.isinf(low) or math.isinf(high) or high - low >= 1 << bits:
        low, high = 0, (1 << bits) - 1
    return values.terms.form(key, int(low), high)


# Arithmetic. Words of the operation's bits, whose registers have as many.


def _sum(use: Use, factor: int = 1) -> LinearForm | None:
    a, b = use.source(0), use.source(1)
    if a is None or b is None or not _is_ring(use):
        return None
    return a.plus(b, factor)


def _is_ring(use: Use) -> bool:
    type_ = use.type
    return type_ is not None and type_.is_integer and type_.lanes == 1 and use.bits == _bits(use)


def _product(use: Use) -> LinearForm | None:
    """A product that one number scales; of others, bounds where they cannot wrap."""
    type_ = use.type
    if type_ is None or not type_.is_integer or type_.lanes > 1 or use.has("hi"):
        return None
    if use.has("wide"):
        a, b = use.word(0), use.word(1)
    elif use.instruction.operation.name.endswith("24") or not _is_ring(use):
        return None
    else:
        a, b = use.source(0), use.source(1)
    if a is None or b is None:
        return None
    if not a.terms or not b.terms:
        return b.times(a.constant) if not a.terms else a.times(b.constant)
    return None


def _multiply_add(use: Use) -> LinearForm | None:
    product, c = _product(use), use.source(2)
    return None if product is None or c is None else product + c


def _shift_left(use: Use) -> LinearForm | None:
    a, b = use.source(0), use.source(1)
    if a is None or b is None or b.terms or not _is_ring(use):
        return None
    return a.times(1 << b.constant) if 0 <= b.constant < use.bits else None


def _shift_right(use: Use) -> LinearForm | None:
    a, b = use.word(0), use.source(1)
    if a is None or b is None or b.terms or not _is_ring(use):
        return None
    return _quotient(use, a, 1 << b.constant) if 0 <= b.constant < use.bits else None


def _quotient(use: Use, form: LinearForm, divisor: int) -> LinearForm:
    """Divide, rounding down: what the divisor divides goes out of it, the rest is a term."""
    whole = {t: c // divisor for t, c in form.terms.items() if c % divisor == 0}
    rest = LinearForm(form.constant % divisor, {t: c for t, c in form.terms.items() if c % divisor})
    quotient = LinearForm(form.constant // divisor, whole)
    holds = use.place.constraints
    low, high = least(rest, holds), most(rest, holds)
    if math.isinf(low) or math.isinf(high):
        return use.between(0, math.inf)
    ends = int(low) // divisor, int(high) // divisor
    return quotient + use.values.terms.form(("quotient", divisor, rest.key, ends), *ends)


def _remainder(use: Use, form: LinearForm, divisor: int) -> LinearForm:
    """A form modulo a number, from 0 on: what the divisor divides does not matter."""
    rest = LinearForm(form.constant % divisor, {t: c for t, c in form.terms.items() if c % divisor})
    holds = use.place.constraints
    if least(rest, holds) >= 0 and most(rest, holds) < divisor:
        return rest
    return use.values.terms.remainder(rest, divisor)


def _divide(use: Use) -> LinearForm | None:
    return _by_number(use, _quotient)


def _modulo(use: Use) -> LinearForm | None:
    return _by_number(use, _remainder)


def _by_number(use: Use, rule: Callable[[Use, LinearForm, int], LinearForm]) -> LinearForm | None:
    a, b = use.word(0), use.word(1)
    if a is None or b is None or b.terms or b.constant <= 0 or not _is_ring(use):
        return None
    return rule(use, a, b.constant) if least(a, use.place.constraints) >= 0 else None


def _and(use: Use) -> LinearForm | None:
    a, b = use.source(0), use.source(1)
    if a is None or b is None or not _is_ring(use):
        return None
    if b.terms:
        a, b = b, a
    if b.terms:
        return None
    mask = b.constant & (1 << use.bits) - 1
    if mask & (mask + 1) == 0:
        return _remainder(use, a, mask + 1)
    unit = (1 << use.bits) - mask
    if unit & (unit - 1) == 0:
        return a - _remainder(use, a, unit)
    return use.between(0, mask)


def _or(use: Use) -> LinearForm | None:
    """Add, where one ends in zeros up to above the other's bits."""
    a, b = use.source(0), use.source(1)
    if a is None or b is None or not _is_ring(use):
        return None
    holds = use.place.constraints
    for low, high in ((a, b), (b, a)):
        top = most(low, holds)
        if least(low, holds) >= 0 and not math.isinf(top):
            unit = 1 << int(top).bit_length()
            if all(n % unit == 0 for n in (high.constant, *high.terms.values())):
                return low + high
    return None


def _xor(use: Use) -> LinearForm | None:
    a, b = use.source(0), use.source(1)
    if a is None or b is None or not _is_ring(use):
        return None
    if not b.terms and b.wrapped(use.bits).constant == -1:
        return a.times(-1).moved(-1)
    tops = [most(f, use.place.constraints) for f in (a, b)]
    lows = [least(f, use.place.constraints) for f in (a, b)]
    if min(lows) >= 0 and not math.isinf(max(tops)):
        return use.between(0, (1 << int(max(tops)).bit_length()) - 1)
    return None


def _inverse(use: Use) -> LinearForm | None:
    a = use.source(0)
    return a.times(-1).moved(-1) if a is not None and _is_ring(use) else None


def _negative(use: Use) -> LinearForm | None:
    a = use.source(0)
    return a.times(-1) if a is not None and _is_ring(use) else None


def _extreme(use: Use) -> LinearForm | None:
    """The smaller or greater of two: one of them where that is sure, else between both's bounds."""
    if len(use.instruction.sources) != 2 or not _is_ring(use) or use.has("relu"):
        return None
    a, b = use.word(0), use.word(1)
    if a is None or b is None:
        return None
    holds, is_least = use.place.constraints, use.instruction.operation.name == "min"
    if most(a - b, holds) <= 0:
        return a if is_least else b
    if least(a - b, holds) >= 0:
        return b if is_least else a
    choose = min if is_least else max
    low = choose(least(a, holds), least(b, holds))
    high = choose(most(a, holds), most(b, holds))
    return None if math.isinf(low) else use.between(int(low), high)


def _select(use: Use) -> LinearForm | None:
    a, b, bits = use.source(0), use.source(1), _bits(use)
    if a is None or b is None or use.bits != bits or bits == 1:
        return None
    if a.key == b.key:
        return a
    condition, holds = use.predicate(use.instruction.sources[2]), use.place.constraints
    pairs = [
        (form, [*holds, *use.values.constraints(condition.when(value), holds)])
        for form, value in ((a, True), (b, False))
    ]
    return use.values.one_of(use.key, [(f, tuple(h)) for f, h in pairs])


# Moves and conversions.


def _move(use: Use) -> LinearForm | None:
    (source,) = use.instruction.sources
    is_whole = not isinstance(source, Vector) and use.bits == _bits(use)
    return use.source(0) if is_whole else None


def _convert(use: Use) -> LinearForm | None:
    types, sources = use.instruction.operation.types, use.instruction.sources
    if len(types) != 2 or len(sources) != 1:
        return None
    to, of = types
    if not (to.is_integer and of.is_integer and to.lanes == of.lanes == 1):
        return None
    form = use.word(0, of.bits, signed=of.kind is TypeKind.SIGNED)
    if form is None or to.bits > _bits(use):
        return None
    if to.bits == _bits(use):
        return form
    signed = to.kind is TypeKind.SIGNED
    return use.values.word(form, to.bits, use.place.constraints, signed=signed)


def _change_space(use: Use) -> LinearForm | None:
    a, space = use.source(0), use.instruction.operation.spaces[0]
    if a is None or not _is_ring(use):
        return None
    window = WINDOWS.get(space, 0)
    return a.moved(-window if use.has("to") else window)


def _address(use: Use) -> LinearForm | None:
    """Base + index · scale + offset, each sign-extended to the result."""
    bits, parts = _bits(use), []
    for number, operand in enumerate(use.instruction.sources):
        form = use.source(number)
        if form is None:
            return None
        if isinstance(operand, Reg):
            own = use.values.structure.kernel.registers[operand.index].type.bits
            if own < bits:
                form = use.values.word(form, own, use.place.constraints, signed=True)
        parts.append(form)
    base, index, scale, offset = parts
    if index.terms and scale.terms:
        return None
    scaled = index.times(scale.constant) if not scale.terms else scale.times(index.constant)
    return base + scaled + offset


RULES: dict[str, Rule] = {
    "ld": loaded,
    "add": _sum,
    "sub": lambda use: _sum(use, -1),
    "neg": _negative,
    "mul": _product,
    "mad": _multiply_add,
    "shl": _shift_left,
    "shr": _shift_right,
    "div": _divide,
    "rem": _modulo,
    "and": _and,
    "or": _or,
    "xor": _xor,
    "not": _inverse,
    "min": _extreme,
    "max": _extreme,
    "selp": _select,
    "mov": _move,
    "cvt": _convert,
    "cvta": _change_space,
    "lea": _address,
}
