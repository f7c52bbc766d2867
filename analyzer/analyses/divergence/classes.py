"""How a value spreads over the threads that compute it together, and what is known at the start.

Three classes: uniform, affine in the thread id, divergent. The tables at the end say which special
registers and operations differ by thread of themselves.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from warpmill.analyzer.analyses.values.symbolic import Atom, AtomKind, Expression, number
from warpmill.analyzer.ir.operation import Knowledge, Operation
from warpmill.analyzer.ir.types import OpClass

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
        """What a step in ``tid.x``, ``tid.y`` and ``tid.z`` adds."""
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
    """Where threads hold values of different iterations of one definition.

    They parted at ``branch``; ``places`` are the blocks that see it, and φs at ``reconvergence``
    take it in.
    """

    branch: int
    reconvergence: int
    places: frozenset[int]


def outdated(branch: int) -> Divergent:
    """Give the class of a value of which threads hold those of different iterations."""
    return Divergent("threads left the loop that makes it at different iterations", None, branch)


def affine(x: Expression, y: Expression, z: Expression, assumes_no_wrap: bool) -> ValueClass:
    """Give an affine class; a uniform one where nothing is left of it and nothing was assumed."""
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
    """Give the class of a value that is one of several, the same one for all threads.

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
    """Give the class of a special register."""
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
    """Say why an operation's results differ by thread whatever goes in; None where they need not.

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
