"""The class of what an instruction computes, from the classes of what it reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple, Protocol

from warpmill.analyzer.analyses.divergence.classes import (
    PASSED_ON,
    SAME_FOR_ALL,
    UNIFORM,
    Affine,
    Divergent,
    UniformClass,
    ValueClass,
    affine,
    own_reason,
)
from warpmill.analyzer.analyses.values.symbolic import Expression, number
from warpmill.analyzer.ir.kernel import Element, Imm, Instruction, Operand
from warpmill.analyzer.ir.types import OpClass, Type


class Read(NamedTuple):
    """The class of an operand where it is read, and the definition that it names, if one."""

    value: ValueClass
    definition: int | None = None

    @property
    def is_uniform(self) -> bool:
        """Whether all threads read the same."""
        return isinstance(self.value, UniformClass)


class SupportsRules(Protocol):
    """What the rules ask about the place that an instruction stands in."""

    def read(self, operand: Operand) -> Read:
        """Give the class of an operand."""

    def factor(self, operand: Operand) -> tuple[Expression, bool]:
        """Give a uniform operand as a formula, and whether that assumes no overflow."""

    def is_thread_id(self, operand: Operand) -> bool:
        """Whether an operand is a thread id as it was read."""

    def may_be_private(self) -> bool:
        """Whether the instruction's address may lie in memory that each thread has for itself."""

    def carry(self) -> Read:
        """Give the class of the carry flag."""


def result_class(instruction: Instruction, place: SupportsRules, bits: int) -> ValueClass:
    """Give the class of a result that goes into a register of so many bits."""
    operation = instruction.operation
    if any(isinstance(o, Element) for o in instruction.destinations):
        return Divergent("one component of a vector register is written")
    reason = None if _reads_one_lane(instruction) else _own_reason(instruction)
    if reason is not None:
        return Divergent(reason)
    sources = [place.read(o) for o in instruction.sources]
    if _reads_one_lane(instruction):
        return _made_from(sources[1:2], _LANE)
    if operation.name in SAME_FOR_ALL:
        sources = [sources[i] for i in SAME_FOR_ALL[operation.name] if i < len(sources)]
        return _made_from(sources, _MASKED)
    if operation.op_class is OpClass.LOAD and place.may_be_private():
        return Divergent("loaded from memory that each thread has for itself")
    if operation.op_class in _READING:
        return _made_from(sources, _LOADED)
    if operation.name in READ_CARRY:
        sources.append(place.carry())
    no_steps = f"{operation.opcode} keeps no step from thread to thread" if bits > 1 else PASSED_ON
    rule = _RULES.get(operation.name)
    if rule is None or not _is_ring(instruction, bits) or all(s.is_uniform for s in sources):
        return _made_from(sources, no_steps)
    return rule(instruction, place, sources) or _made_from(sources, no_steps)


def moved_class(source: Read, type_: Type, bits: int) -> ValueClass:
    """Give the class of what goes through memory as a type, into a register of so many bits.

    What is narrower than a word keeps no step from thread to thread; what is widened is assumed not
    to have wrapped, as in conversions.
    """
    found = None if source.is_uniform or type_.bits < 32 else _coefficients(source)
    if found is None:
        return _made_from([source], PASSED_ON)
    return affine(*found[0], found[1] or bits > type_.bits)


def composed_class(sources: Iterable[Read]) -> ValueClass:
    """Give the class of what parts of several values make in memory."""
    return _made_from(list(sources), PASSED_ON)


_LOADED = "loaded at an address that differs"
_MASKED = "the lanes that take part differ"
_LANE = "the lane that is read differs"
_TELLING = frozenset({_LOADED, _MASKED, _LANE})
"""Reasons that say more than that a difference is handed on."""

_READING = frozenset({OpClass.LOAD, OpClass.TEXTURE, OpClass.SURFACE})
READ_CARRY = frozenset({"addc", "subc", "madc"})
"""Operations that read the carry flag, which is no operand."""


def _own_reason(instruction: Instruction) -> str | None:
    """Say why results differ by themselves; exceptions that the operands decide are none."""
    operation = instruction.operation
    if operation.op_class is OpClass.LOAD and "mmio" in operation.modifiers:
        return "each thread reads the device by itself"
    if operation.name == "group" and any(m.startswith("scan") for m in operation.modifiers):
        return "each thread gets a prefix of its own"
    return own_reason(operation)


def _reads_one_lane(instruction: Instruction) -> bool:
    """Whether it is a shuffle in which all lanes name a lane by its number, in the whole warp."""
    operation, sources = instruction.operation, instruction.sources
    return operation.name == "shfl" and "idx" in operation.modifiers and sources[2] == _WHOLE_WARP


_WHOLE_WARP = Imm(0x1F)
"""The clamp and segment operand of ``shfl`` for one segment, as the PTX manual defines it."""


def _made_from(sources: list[Read], reason: str) -> ValueClass:
    """Give a class that is uniform where all sources are.

    Divergent sources are named first: what is affine only needs the reason.
    """
    differing = [s for s in sources if not s.is_uniform]
    for source in differing:
        if isinstance(source.value, Divergent):
            handed_on = reason if reason in _TELLING else PASSED_ON
            return source.value if source.definition is None else _from(source, handed_on)
    return _from(differing[0], reason) if differing else UNIFORM


def _from(source: Read, reason: str) -> Divergent:
    return Divergent(reason, source.definition)


def _is_ring(instruction: Instruction, bits: int) -> bool:
    """Whether it computes on whole integers modulo the width of the register that it goes to."""
    operation = instruction.operation
    type_ = operation.type
    if type_ is None or not (type_.is_integer and type_.lanes == 1):
        return operation.name == "lea" and bits >= 32
    if _CHANGING & set(operation.modifiers):
        return False
    result = type_.bits * 2 if "wide" in operation.modifiers else type_.bits
    return result == bits and bits > 1


_CHANGING = frozenset({"hi", "sat", "cc"})
"""Modifiers of another operation than plain arithmetic on the low bits."""

Rule = Callable[[Instruction, SupportsRules, list[Read]], ValueClass | None]
_Coefficients = tuple[tuple[Expression, Expression, Expression], bool]
_ZERO = number(0)


def _coefficients(read: Read) -> _Coefficients | None:
    match read.value:
        case Affine() as found:
            return found.coefficients, found.assumes_no_wrap
        case Divergent():
            return None
    return (_ZERO, _ZERO, _ZERO), False


def _sum(first: _Coefficients | None, second: _Coefficients | None) -> _Coefficients | None:
    if first is None or second is None:
        return None
    x, y, z = (a + b for a, b in zip(first[0], second[0], strict=True))
    return (x, y, z), first[1] or second[1]


def _times(value: _Coefficients | None, factor: Expression, assumes: bool) -> _Coefficients | None:
    if value is None:
        return None
    x, y, z = (c * factor for c in value[0])
    return (x, y, z), value[1] or assumes


def _class(value: _Coefficients | None) -> ValueClass | None:
    return None if value is None else affine(*value[0], value[1])


def _copy(_: Instruction, __: SupportsRules, s: list[Read]) -> ValueClass | None:
    return _class(_coefficients(s[0]))


def _add(_: Instruction, __: SupportsRules, s: list[Read]) -> ValueClass | None:
    return _class(_sum(_coefficients(s[0]), _coefficients(s[1])))


def _subtract(_: Instruction, __: SupportsRules, s: list[Read]) -> ValueClass | None:
    minus = _times(_coefficients(s[1]), number(-1), False)
    return _class(_sum(_coefficients(s[0]), minus))


def _negate(_: Instruction, __: SupportsRules, s: list[Read]) -> ValueClass | None:
    return _class(_times(_coefficients(s[0]), number(-1), False))


def _product(instruction: Instruction, place: SupportsRules, s: list[Read]) -> _Coefficients | None:
    """Multiply the first two sources, of which one has to be uniform."""
    varying = 1 if s[0].is_uniform else 0
    if not s[1 - varying].is_uniform:
        return None
    factor, assumes = place.factor(instruction.sources[1 - varying])
    if "wide" in instruction.operation.modifiers:
        assumes = assumes or not place.is_thread_id(instruction.sources[varying])
    return _times(_coefficients(s[varying]), factor, assumes)


def _multiply(instruction: Instruction, place: SupportsRules, s: list[Read]) -> ValueClass | None:
    return _class(_product(instruction, place, s))


def _multiply_add(
    instruction: Instruction, place: SupportsRules, s: list[Read]
) -> ValueClass | None:
    if s[0].is_uniform and s[1].is_uniform:
        return _class(_coefficients(s[2]))
    return _class(_sum(_product(instruction, place, s), _coefficients(s[2])))


def _shift_left(instruction: Instruction, _: SupportsRules, s: list[Read]) -> ValueClass | None:
    amount = instruction.sources[1]
    type_ = instruction.operation.type
    if not isinstance(amount, Imm) or type_ is None or not 0 <= amount.value < type_.bits:
        return None
    return _class(_times(_coefficients(s[0]), number(1 << amount.value), False))


def _address(instruction: Instruction, place: SupportsRules, s: list[Read]) -> ValueClass | None:
    """Base + index * scale + offset."""
    index: _Coefficients | None = ((_ZERO, _ZERO, _ZERO), False)
    if not s[1].is_uniform:
        if not s[2].is_uniform:
            return None
        index = _times(_coefficients(s[1]), *place.factor(instruction.sources[2]))
    elif not s[2].is_uniform:
        index = _times(_coefficients(s[2]), *place.factor(instruction.sources[1]))
    return _class(_sum(_sum(_coefficients(s[0]), index), _coefficients(s[3])))


def _convert(instruction: Instruction, place: SupportsRules, s: list[Read]) -> ValueClass | None:
    """Between integers: cut to 32 bits or more, or widened, which assumes that nothing wrapped."""
    types = instruction.operation.types
    if len(types) != 2 or not all(_is_plain(t) for t in types):
        return None
    to, from_ = types
    found = _coefficients(s[0])
    if found is None or to.bits < 32:
        return None
    widened = to.bits > from_.bits and not place.is_thread_id(instruction.sources[0])
    return affine(*found[0], found[1] or widened)


def _is_plain(type_: Type) -> bool:
    return type_.is_integer and type_.lanes == 1


def _select(_: Instruction, __: SupportsRules, s: list[Read]) -> ValueClass | None:
    """Give what both sides have in common where one choice holds for all threads."""
    if not s[2].is_uniform:
        return Divergent("chosen by a condition that differs", s[2].definition)
    first, second = _coefficients(s[0]), _coefficients(s[1])
    if first is None or second is None or first[0] != second[0]:
        return None
    return affine(*first[0], first[1] or second[1])


_RULES: dict[str, Rule] = {
    "mov": _copy,
    "cvta": _copy,
    "cvt": _convert,
    "add": _add,
    "sub": _subtract,
    "neg": _negate,
    "mul": _multiply,
    "mad": _multiply_add,
    "shl": _shift_left,
    "lea": _address,
    "selp": _select,
}
"""Operations that may keep a value affine."""
