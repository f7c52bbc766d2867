"""Classes of values by how they spread over threads, and the rules by which operations spread them.

Three classes: uniform, affine in the thread id, divergent. The tables at the end say which special
registers and operations differ by thread of themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from warpmill.analyzer.analyses.values.symbolic import Atom, AtomKind, Expression, number
from warpmill.analyzer.ir.kernel import Element, Imm, Instruction, Operand
from warpmill.analyzer.ir.operation import Knowledge, Operation
from warpmill.analyzer.ir.types import OpClass, Type

AXES = ("tid.x", "tid.y", "tid.z")


@dataclass(frozen=True, slots=True)
class UniformClass:
    """One value for all threads that execute the definition together."""

    def __str__(self) -> str:
        return "uniform"


@dataclass(frozen=True, slots=True)
class Affine:
    """A uniform value plus ``x * tid.x + y * tid.y + z * tid.z``, modulo the register's width.

    ``assumes_no_wrap`` says that this rests on narrower integers not to have overflowed before they
    were widened, or on a factor whose formula assumes the same.
    """

    x: Expression
    y: Expression
    z: Expression
    assumes_no_wrap: bool = False

    @property
    def coefficients(self) -> tuple[Expression, Expression, Expression]:
        """Increments for a step in ``tid.x``, ``tid.y`` and ``tid.z``."""
        return (self.x, self.y, self.z)

    def __str__(self) -> str:
        pairs = zip(self.coefficients, AXES, strict=True)
        words = [f"({c})*{axis}" for c, axis in pairs if c.constant != 0]
        return f"affine: {' + '.join(words) or '0'}"


class Divergent(NamedTuple):
    """Values that may differ in any way. ``reason`` is one step of why.

    ``source`` is the definition that the difference comes from, ``branch`` the block whose branch
    parts the threads, where there is one.
    """

    reason: str
    source: int | None = None
    branch: int | None = None

    def __str__(self) -> str:
        return f"divergent: {self.reason}"


ValueClass = UniformClass | Affine | Divergent

UNIFORM = UniformClass()

PASSED_ON = "computed from a value that differs"
"""The reason of what only hands on a difference."""


@dataclass(frozen=True, slots=True)
class Outdated:
    """Definition of which threads hold values of different iterations.

    They parted at ``branch``; ``places`` are the blocks that see it, and φs at ``reconvergence``
    take it in.
    """

    branch: int
    reconvergence: int
    places: frozenset[int]


def outdated(branch: int) -> Divergent:
    """The class of a value of which threads hold those of different iterations."""
    return Divergent("threads left the loop that makes it at different iterations", None, branch)


def affine(x: Expression, y: Expression, z: Expression, assumes_no_wrap: bool) -> ValueClass:
    """An affine class; a uniform one where nothing is left of it and nothing was assumed."""
    if not assumes_no_wrap and x.constant == y.constant == z.constant == 0:
        return UNIFORM
    if max(len(c.terms) for c in (x, y, z)) > _MOST_TERMS:
        return Divergent("the step from thread to thread is too long a formula")
    return Affine(x, y, z, assumes_no_wrap)


_MOST_TERMS = 12


def is_invariant(expression: Expression) -> bool:
    """Whether a formula has one value in a whole launch, wherever it is evaluated."""
    return all(_is_invariant(atom) for atom in expression.atoms)


def _is_invariant(atom: Atom) -> bool:
    if atom.kind is AtomKind.SPECIAL:
        return special_class(atom.name) == UNIFORM
    if atom.kind is AtomKind.OPERATION:
        return atom.key < 0 and "." not in atom.name  # an operation of formulas, not an opcode
    return atom.kind in (AtomKind.ARGUMENT, AtomKind.ADDRESS)


def joined(parts: Iterable[tuple[ValueClass, int | None]]) -> ValueClass | None:
    """The class of a value that is one of several, the same one for all threads.

    ``parts`` are classes with their definitions. None where there is nothing to join.
    """
    known = list(parts)
    for part, source in known:
        if isinstance(part, Divergent):
            return part if source is None else Divergent(PASSED_ON, source)
    different = {p.coefficients for p, _ in known if isinstance(p, Affine)}
    if not different:
        return UNIFORM if known else None
    source = next(s for p, s in known if isinstance(p, Affine))
    if len(different) > 1 or any(p == UNIFORM for p, _ in known):
        return Divergent("the step from thread to thread depends on the path", source)
    (coefficients,) = different
    if not all(map(is_invariant, coefficients)):
        return Divergent("the step from thread to thread may have changed since", source)
    assumed = any(p.assumes_no_wrap for p, _ in known if isinstance(p, Affine))
    return affine(*coefficients, assumed)


def special_class(name: str) -> ValueClass:
    """The class of a special register."""
    if name in AXES:
        x, y, z = (number(int(name == axis)) for axis in AXES)
        return affine(x, y, z, assumes_no_wrap=False)
    root = name.partition(".")[0].removesuffix("_64").rstrip("0123456789")
    if name in _BY_THREAD or root in _BY_THREAD:
        return Divergent(f"{name} differs by thread")
    if name in _UNIFORM or root in _UNIFORM:
        return UNIFORM
    return Divergent(f"{name} may differ by thread")


_BY_THREAD = frozenset(
    {
        "tid", "laneid", "warpid", "lanemask_eq", "lanemask_le", "lanemask_lt", "lanemask_ge",
        "lanemask_gt", "clock", "clock_hi", "globaltimer", "globaltimer_lo", "globaltimer_hi", "pm",
    }
)  # fmt: skip
"""Special registers that differ within a CTA; a ``tid`` that is read whole is a vector."""

_UNIFORM = frozenset(
    {
        "ntid", "ctaid", "nctaid", "nwarpid", "smid", "nsmid", "gridid", "clusterid", "nclusterid",
        "cluster_ctaid", "cluster_nctaid", "is_explicit_cluster", "cluster_ctarank",
        "cluster_nctarank", "envreg", "reserved_smem_offset_begin", "reserved_smem_offset_end",
        "reserved_smem_offset_cap", "reserved_smem_offset_", "total_smem_size", "aggr_smem_size",
        "dynamic_smem_size", "current_graph_exec", "perctamemoryoffset", "perctamemorysize",
    }
)  # fmt: skip
"""Special registers that a CTA has one value of."""


def own_reason(operation: Operation) -> str | None:
    """Reason why an operation's results differ by thread whatever goes in; None: they need not.

    Operations without a line here nor a class that computes from its operands alone differ.
    """
    if operation.knowledge is Knowledge.NEAREST:
        return f"{operation.opcode} is not in the table of operations"
    if operation.name in _OWN_REASON:
        return _OWN_REASON[operation.name]
    if operation.name in SAME_FOR_ALL or operation.op_class in _BY_OPERANDS:
        return None
    return _CLASS_REASON.get(operation.op_class, f"what {operation.opcode} gives may differ")


SAME_FOR_ALL: dict[str, tuple[int, ...]] = {
    "vote": (1,),
    "redux": (1,),
    "activemask": (),
    "lane_first": (),
    "lane_read": (1,),
    "bar.red": (0,),
    "bar.cta.red": (0,),
    "barrier.red": (0,),
    "barrier.cta.red": (0,),
    "group": (),
}
"""Operations that give all lanes one result where the sources at these places are uniform: the
mask, the lane that is read, the barrier."""

_BY_OPERANDS = frozenset(
    {
        OpClass.ADD, OpClass.MUL, OpClass.FMA, OpClass.DIV, OpClass.MINMAX, OpClass.LOGIC,
        OpClass.SHIFT, OpClass.COMPARE, OpClass.SELECT, OpClass.MOVE, OpClass.CONVERT,
        OpClass.SPECIAL, OpClass.BIT, OpClass.VIDEO, OpClass.ADDRESS, OpClass.LOAD,
        OpClass.TEXTURE, OpClass.SURFACE,
    }
)  # fmt: skip

_OWN_REASON = {
    "alloca": "each thread has a stack of its own",
    "stacksave": "each thread has a stack of its own",
    "match": "lanes with different values get different masks",
    "elect": "one lane is chosen",
}

_CLASS_REASON = {
    OpClass.ATOMIC: "an atomic gives each thread what it found",
    OpClass.SHUFFLE: "a value from another lane",
    OpClass.MMA: "each lane holds a part of a matrix",
    OpClass.MATRIX_MOVE: "each lane holds a part of a matrix",
    OpClass.BARRIER: "what a barrier gives may differ",
    OpClass.CALL: "the result of a call",
    OpClass.UNKNOWN: "the opcode is not known",
}


# The class of what an instruction computes, from the classes of what it reads.


class Read(NamedTuple):
    """The class of an operand where it is read, and the definition that it names, if one."""

    value: ValueClass
    definition: int | None = None

    @property
    def is_uniform(self) -> bool:
        """Whether all threads read the same."""
        return isinstance(self.value, UniformClass)


class SupportsRules(Protocol):
    """Facts about an instruction's place that the rules ask for."""

    def read(self, operand: Operand) -> Read:
        """The class of an operand."""

    def factor(self, operand: Operand) -> tuple[Expression, bool]:
        """A uniform operand as a formula, and whether that assumes no overflow."""

    def is_thread_id(self, operand: Operand) -> bool:
        """Whether an operand is a thread id as it was read."""

    def may_be_private(self) -> bool:
        """Whether the instruction's address may lie in memory that each thread has for itself."""

    def carry(self) -> Read:
        """The class of the carry flag."""


def result_class(instruction: Instruction, place: SupportsRules, bits: int) -> ValueClass:
    """The class of a result that goes into a register of so many bits."""
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
    """Class of a value that goes through memory as a type, into a register of so many bits.

    What is narrower than a word keeps no step from thread to thread; what is widened is assumed not
    to have wrapped, as in conversions.
    """
    found = None if source.is_uniform or type_.bits < 32 else _coefficients(source)
    if found is None:
        return _made_from([source], PASSED_ON)
    return affine(*found[0], found[1] or bits > type_.bits)


def composed_class(sources: Iterable[Read]) -> ValueClass:
    """Class of the value that parts of several values make in memory."""
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
    """Reason why results differ by themselves; exceptions that the operands decide are none."""
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
    """A class that is uniform where all sources are.

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
    """Conversion between integers: cut to 32 bits or more, or widened, assumed not to wrap."""
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
    """Common class of both sides where one choice holds for all threads."""
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
