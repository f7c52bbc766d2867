"""What instructions make of their operands, as integers and truth values of a theory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import z3

from warpmill.analyzer.analyses.proofs.theory import Term, Theory
from warpmill.analyzer.ir.kernel import Instruction, Operand, Reg
from warpmill.analyzer.ir.types import Type, TypeKind


@dataclass(frozen=True, slots=True)
class Word:
    """A register's value: ``term`` modulo 2^bits, added to the address of ``memory`` if any."""

    term: Term
    bits: int
    memory: str | None = None


@dataclass(frozen=True, slots=True)
class WordContext:
    """An instruction whose result is worked out, and the bits of the register that it goes to.

    ``operand`` gives a source's word of some bits, ``read`` the number that the lowest bits of a
    word are, signed or not, ``truth`` a source that is a predicate.
    """

    instruction: Instruction
    bits: int
    theory: Theory
    operand: Callable[[Operand, int], Word]
    read: Callable[[Word, int, bool], Term]
    truth: Callable[[Operand], Term]

    @property
    def type(self) -> Type:
        """The type that it computes on."""
        type_ = self.instruction.operation.type
        return type_ if type_ is not None else Type("s64", TypeKind.SIGNED, self.bits)

    def words(self, bits: int | None = None) -> list[Word]:
        """Its sources."""
        return [self.operand(s, bits or self.type.bits) for s in self.instruction.sources]

    def numbers(self) -> list[Term]:
        """Its sources as numbers of its type."""
        return [self.number(word) for word in self.words()]

    def number(self, word: Word, type_: Type | None = None) -> Term:
        """A word as a number of its type."""
        type_ = type_ or self.type
        return self.read(word, type_.bits, type_.kind is TypeKind.SIGNED)

    def constant(self, word: Word) -> int | None:
        """The number that a word is in every thread and launch."""
        term = z3.simplify(word.term)
        return term.as_long() if word.memory is None and z3.is_int_value(term) else None


def computed(of: WordContext) -> Word | None:
    """The word that an instruction leaves; None where that is not followed."""
    instruction, type_ = of.instruction, of.instruction.operation.type
    rule = _RULES.get(instruction.operation.name)
    one = len(instruction.destinations) == 1 and isinstance(instruction.destinations[0], Reg)
    is_whole = type_ is None or (type_.is_integer and type_.lanes == 1)
    if rule is None or not one or not is_whole or _ODD & set(instruction.operation.modifiers):
        return None
    return rule(of)


def condition(of: WordContext) -> Term | None:
    """The truth value that an instruction leaves; None where that is not followed."""
    instruction, type_ = of.instruction, of.instruction.operation.type
    one = len(instruction.destinations) == 1 and isinstance(instruction.destinations[0], Reg)
    if type_ is None or not one:
        return None
    if instruction.operation.name == "setp" and type_.is_integer:
        return _compared(of)
    if type_.kind is not TypeKind.PREDICATE:
        return None
    match instruction.operation.name, [of.truth(source) for source in instruction.sources]:
        case (("and" | "or" | "xor" as word), [a, b]):
            return _JOINED[word](a, b)
        case "not", [a]:
            return z3.Not(a)
        case "mov", [a]:
            return a
        case "selp", [a, b, c]:
            return z3.If(c, a, b)
    return None


def _compared(of: WordContext) -> Term | None:
    instruction, type_ = of.instruction, of.type
    modifiers = instruction.operation.modifiers
    spelled = next((word for word in modifiers if word in _COMPARED), None)
    if spelled is None:
        return None
    left, right = (of.operand(source, type_.bits) for source in instruction.sources[:2])
    unsigned = spelled in _UNSIGNED or type_.kind is TypeKind.UNSIGNED
    if left.memory == right.memory and left.memory is not None:  # their distance tells
        left, right, unsigned = Word(left.term, left.bits), Word(right.term, right.bits), False
    found = _COMPARED[spelled](*(of.read(w, type_.bits, not unsigned) for w in (left, right)))
    joined = next((word for word in modifiers if word in _JOINED), None)
    if len(instruction.sources) > 2 and joined is not None:
        return _JOINED[joined](found, of.truth(instruction.sources[2]))
    return found


def _sum(of: WordContext, left: Word, right: Word, sign: int = 1) -> Word | None:
    """Sum or difference; at most one of both is an address."""
    memory = left.memory
    if right.memory is not None:
        if memory is None and sign > 0:
            memory = right.memory
        elif memory == right.memory and sign < 0:
            memory = None
        else:
            return None
    return Word(left.term + sign * right.term, of.bits, memory)


def _add(of: WordContext) -> Word | None:
    left, right = of.words()
    return _sum(of, left, right)


def _sub(of: WordContext) -> Word | None:
    left, right = of.words()
    return _sum(of, left, right, sign=-1)


def _product(of: WordContext, left: Word, right: Word) -> Word | None:
    if left.memory is not None or right.memory is not None:
        return None
    if "wide" in of.instruction.operation.modifiers:
        return Word(of.number(left) * of.number(right), of.bits)
    if "hi" in of.instruction.operation.modifiers:
        return Word((of.number(left) * of.number(right)) / (1 << of.type.bits), of.bits)
    return Word(left.term * right.term, of.bits)


def _mul(of: WordContext) -> Word | None:
    left, right = of.words()
    return _product(of, left, right)


def _mad(of: WordContext) -> Word | None:
    wide = "wide" in of.instruction.operation.modifiers
    left, right, added = of.words()
    if wide:
        added = of.operand(of.instruction.sources[2], of.bits)
    product = _product(of, left, right)
    return None if product is None else _sum(of, product, added)


def _lea(of: WordContext) -> Word | None:
    base, index, scale, offset = of.words(of.bits)
    if any(w.memory is not None for w in (index, scale, offset)):
        return None
    return Word(base.term + index.term * scale.term + offset.term, of.bits, base.memory)


def _neg(of: WordContext) -> Word | None:
    (word,) = of.words()
    return None if word.memory is not None else Word(-word.term, of.bits)


def _not(of: WordContext) -> Word | None:
    (word,) = of.words()
    return None if word.memory is not None else Word(-word.term - 1, of.bits)


def _mov(of: WordContext) -> Word | None:
    (word, *_) = of.words()
    return Word(word.term, of.bits, word.memory)


def _cvta(of: WordContext) -> Word | None:
    (word,) = of.words(of.bits)
    return word


def _shl(of: WordContext) -> Word | None:
    word, by = of.words()
    distance = of.constant(by)
    if word.memory is not None or distance is None or not 0 <= distance < of.type.bits:
        return None
    return Word(word.term * (1 << distance), of.bits)


def _shr(of: WordContext) -> Word | None:
    word, by = of.words()
    distance = of.constant(by)
    if distance is None or not 0 <= distance < of.type.bits:
        return None
    return Word(of.number(word) / (1 << distance), of.bits)


def _and(of: WordContext) -> Word | None:
    left, right = of.words()
    mask, word = of.constant(right), left
    if mask is None:
        mask, word = of.constant(left), right
    if mask is None or word.memory is not None:
        return _bits_below(of, (left, right))
    mask %= 1 << of.type.bits
    if mask & (mask + 1) == 0:
        return Word(word.term % (mask + 1), of.bits)
    cleared = ~mask & ((1 << of.type.bits) - 1)
    if cleared & (cleared + 1) == 0:
        return Word(word.term - word.term % (cleared + 1), of.bits)
    return Word(of.theory.integer("masked", 0, mask, unknown=_bitwise(of)), of.bits)


def _bits_below(of: WordContext, words: Sequence[Word]) -> Word | None:
    """Bits of two numbers that both have: no more than either, where it is not negative."""
    if any(w.memory is not None for w in words):
        return None
    numbers = [of.read(w, of.type.bits, False) for w in words]
    made = of.theory.integer("masked", 0, unknown=_bitwise(of))
    of.theory.tell(made, *(made <= n for n in numbers))
    return Word(made, of.bits)


def _or(of: WordContext) -> Word | None:
    """Bits of two numbers; a sum where no bit is in both."""
    words = of.words()
    if any(w.memory is not None for w in words):
        return None
    numbers = [of.read(w, of.type.bits, False) for w in words]
    made = of.theory.integer("joined", unknown=_bitwise(of))
    known = [made >= n for n in numbers]
    of.theory.tell(made, *known, made <= numbers[0] + numbers[1])
    return Word(made, of.bits)


def _xor(of: WordContext) -> Word | None:
    words = of.words()
    if any(w.memory is not None for w in words):
        return None
    if any(of.constant(w) == -1 for w in words):
        word = next(w for w in words if of.constant(w) != -1)
        return Word(-word.term - 1, of.bits)
    return None


def _bitwise(of: WordContext) -> str:
    instruction = of.instruction
    return f"line {instruction.span.line}: {instruction.operation.opcode} joins bits"


def _div(of: WordContext) -> Word | None:
    return _divided(of, remainder=False)


def _rem(of: WordContext) -> Word | None:
    return _divided(of, remainder=True)


def _divided(of: WordContext, *, remainder: bool) -> Word | None:
    """Quotient toward zero, or the remainder that it leaves."""
    left, right = of.numbers()
    size = z3.If(right >= 0, right, -right)
    if z3.is_int_value(right):
        if right.as_long() == 0:
            return None
        size = of.theory.number(abs(right.as_long()))
    theory = of.theory
    quotient, rest = theory.integer("quotient"), theory.integer("rest")
    magnitude = z3.If(left >= 0, left, -left)
    facts = (magnitude == quotient * size + rest, rest >= 0, rest < size, quotient >= 0)
    known = [z3.Implies(size > 0, fact) for fact in facts]
    theory.define(quotient, *known)
    theory.define(rest, *known)
    if remainder:
        return Word(z3.If(left >= 0, rest, -rest), of.bits)
    same = (left >= 0) == (right >= 0)
    return Word(z3.If(same, quotient, -quotient), of.bits)


def _min(of: WordContext) -> Word | None:
    left, right = of.numbers()
    return Word(z3.If(left <= right, left, right), of.bits)


def _max(of: WordContext) -> Word | None:
    left, right = of.numbers()
    return Word(z3.If(left >= right, left, right), of.bits)


def _abs(of: WordContext) -> Word | None:
    (number,) = of.numbers()
    return Word(z3.If(number >= 0, number, -number), of.bits)


def _selp(of: WordContext) -> Word | None:
    sources = of.instruction.sources
    left, right = (of.operand(s, of.type.bits) for s in sources[:2])
    if left.memory != right.memory:
        return None
    holds = of.truth(sources[2])
    return Word(z3.If(holds, left.term, right.term), of.bits, left.memory)


def _cvt(of: WordContext) -> Word | None:
    operation = of.instruction.operation
    to, source = operation.types[0], operation.types[-1]
    if not (to.is_integer and source.is_integer) or len(operation.modifiers) != len(
        operation.types
    ):
        return None
    word = of.operand(of.instruction.sources[0], source.bits)
    if word.memory is not None:
        return Word(word.term, of.bits, word.memory) if to.bits == source.bits else None
    if to.bits > source.bits:
        return Word(of.number(word, source), of.bits)
    if to.bits < of.bits:
        return Word(of.number(word, to), of.bits)
    return Word(word.term, of.bits)


_ODD = {"sat", "cc"}
"""Words of opcodes whose arithmetic is another."""

_RULES: dict[str, Callable[[WordContext], Word | None]] = {
    "add": _add, "sub": _sub, "mul": _mul, "mad": _mad, "lea": _lea, "neg": _neg, "not": _not,
    "mov": _mov, "cvta": _cvta, "shl": _shl, "shr": _shr, "and": _and, "or": _or, "xor": _xor,
    "div": _div, "rem": _rem, "min": _min, "max": _max, "abs": _abs, "selp": _selp, "cvt": _cvt,
}  # fmt: skip

_COMPARED: dict[str, Callable[[Term, Term], Any]] = {
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b, "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b,
    "lo": lambda a, b: a < b, "ls": lambda a, b: a <= b,
    "hi": lambda a, b: a > b, "hs": lambda a, b: a >= b,
}  # fmt: skip

_UNSIGNED = frozenset({"lo", "ls", "hi", "hs"})

_JOINED: dict[str, Callable[[Term, Term], Any]] = {"and": z3.And, "or": z3.Or, "xor": z3.Xor}
