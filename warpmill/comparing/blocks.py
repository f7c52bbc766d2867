"""Two builds of one kernel: what in the one is what in the other.

Compilers name parameters, variables and registers in their own ways. What is compared is put in
common terms first: parameters by their place (``arg0``), variables by their short names, loop
counters by the loops that were found to be the same, registers not at all.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Annotated

from warpmill.analyzer.analyses.access.accesses import MemoryAccess
from warpmill.analyzer.analyses.values.symbolic import (
    Atom,
    AtomKind,
    Expression,
    number,
    of,
    substitute,
    symbol,
)
from warpmill.analyzer.base.metric import Metric
from warpmill.analyzer.base.naming import base_name, demangle
from warpmill.analyzer.ir.kernel import Kernel, Module
from warpmill.analyzer.ir.types import Space
from warpmill.session.jobs import Job


def pair_names(a: Sequence[str], b: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Pair the kernels of two files that have one name, in the order of the first file.

    Names are equal as they stand, then demangled, then by their last part where that is unique in
    both. One kernel against one is a pair whatever they are called.
    """
    if len(a) == len(b) == 1:
        return ((a[0], b[0]),)
    found: dict[str, str] = {}
    for form in (str, demangle, base_name):
        left = _unique(form, [name for name in a if name not in found])
        right = _unique(form, [name for name in b if name not in found.values()])
        found |= {name: right[key] for key, name in left.items() if key in right}
    return tuple((name, found[name]) for name in a if name in found)


def _unique(form: Callable[[str], str], names: Sequence[str]) -> dict[str, str]:
    """Names by their form, without those that share one."""
    counts = Counter(map(form, names))
    return {form(name): name for name in names if counts[form(name)] == 1}


@dataclass(frozen=True)
class Terms:
    """The common names of a kernel's parameters and variables, by their own."""

    names: Mapping[str, str]

    def buffer(self, name: str) -> str:
        """The common name; of a part of a parameter, ``p+8``, that of the part."""
        if name in self.names:
            return self.names[name]
        whole, plus, offset = name.rpartition("+")
        return f"{self.names[whole]}+{offset}" if plus and whole in self.names else name

    def expression(self, own: Expression, loops: Mapping[int, str]) -> Expression:
        """An expression in common terms; ``loops`` names counters by loop ids.

        What registers hold is numbered in the order of its first use in the expression.
        """
        return _Rewriter(self, loops).expression(own)


_LOCAL = re.compile(r"_ZZ.*E(?P<length>[1-9][0-9]{0,2})(?P<name>[A-Za-z_]\w*)$")
"""A variable of a function, ``_ZZ6matmulE6a_tile``, however the function's name is mangled."""


def common_terms(module: Module, kernel: Kernel) -> Terms:
    """Name a kernel's parameters by place and its variables shortly, where that stays unique."""
    variables = {
        v.name: _short(v.name, kernel.name) for v in (*kernel.variables, *module.variables)
    }
    counts = Counter(variables.values())
    names = {own: short if counts[short] == 1 else own for own, short in variables.items()}
    return Terms(names | {p.name: f"arg{i}" for i, p in enumerate(kernel.parameters)})


def _short(name: str, kernel: str) -> str:
    local = _LOCAL.match(name)
    if local is not None and len(local["name"]) >= int(local["length"]):
        return local["name"]
    return base_name(name).removeprefix(f"{kernel}.")


class _Rewriter:
    """Expressions in common terms."""

    def __init__(self, terms: Terms, loops: Mapping[int, str]) -> None:
        self._terms, self._loops = terms, loops
        self._numbers: dict[Atom, int] = {}
        self._made: dict[Atom, Expression | None] = {}

    def expression(self, own: Expression) -> Expression:
        return substitute(own, self._atom)

    def _atom(self, atom: Atom) -> Expression | None:
        if atom not in self._made:
            self._made[atom] = self._rewritten(atom)
        return self._made[atom]

    def _rewritten(self, atom: Atom) -> Expression | None:
        if atom.kind in (AtomKind.ARGUMENT, AtomKind.ADDRESS):
            return symbol(atom.kind, self._terms.buffer(atom.name))
        if atom.kind is AtomKind.COUNTER:
            return symbol(atom.kind, self._loops.get(atom.key, atom.name))
        if atom.kind is AtomKind.LOAD:
            return of(Atom(atom.kind, "load", -1, tuple(map(self.expression, atom.operands))))
        if atom.kind in _REGISTERS or atom.key >= 0:
            place = self._numbers.setdefault(atom, len(self._numbers) + 1)
            operands = tuple(map(self.expression, atom.operands))
            return of(Atom(atom.kind, f"{_REGISTERS.get(atom.kind, 'mix')}{place}", -1, operands))
        return None


_REGISTERS = {AtomKind.MERGE: "chosen", AtomKind.CARRIED: "carried", AtomKind.UNKNOWN: "unknown"}
"""Values known only as those of a register, which each build names in its own way."""


@dataclass(frozen=True)
class AccessTarget:
    """Target and kind of accesses: ``global``, ``load``, ``arg0``; None: it is unknown."""

    space: Annotated[str, Metric("State space")]
    op_class: Annotated[str, Metric("Class")]
    buffer: Annotated[str | None, Metric("Buffer")]

    def __str__(self) -> str:
        return f"{self.op_class} {self.space} {self.buffer or 'unknown'}"


@dataclass(frozen=True)
class AccessShape:
    """How a thread accesses: bytes, how lanes spread, bytes that a step in ``tid.x`` adds."""

    width_bytes: Annotated[int | None, Metric("Bytes per thread", "B")]
    pattern: Annotated[str, Metric("Pattern")]
    lane_stride_bytes: Annotated[int | None, Metric("Lane stride", "B")]


@dataclass(frozen=True)
class Counters:
    """Counters of the loops of a build.

    ``names`` are common to both builds, by loop ids. By loop and block, ``counts`` says how often
    the block runs each time the loop is entered, where that is a plain number; ``alike`` are those
    where it is a formula that is the same in both builds.
    """

    names: Mapping[int, str]
    counts: Mapping[tuple[int, int], int]
    alike: frozenset[tuple[int, int]]


@dataclass(frozen=True)
class Accessed:
    """One access in common terms.

    ``points`` are the iterations that a thread is in when it makes it, as one range for each
    counter whose trips are a number; None where the address rests on data, on what control flow
    chooses or on loops that run differently in both builds.
    """

    source: MemoryAccess
    place: AccessTarget
    shape: AccessShape
    address: Expression
    points: tuple[tuple[Atom, range], ...] | None


def accesses_of(job: Job, terms: Terms, counters: Counters) -> tuple[Accessed, ...]:
    """A kernel's accesses in common terms, in program order."""
    return tuple(_accessed(access, terms, counters) for access in job.analysis.accesses)


def _accessed(access: MemoryAccess, terms: Terms, counters: Counters) -> Accessed:
    return Accessed(
        access,
        place_of_access(access, terms),
        AccessShape(access.width_bytes, access.pattern.value, access.lane_stride_bytes),
        terms.expression(access.address, counters.names),
        _points(access, counters),
    )


def place_of_access(access: MemoryAccess, terms: Terms) -> AccessTarget:
    """Target of an access, in common terms."""
    buffer = None if access.base is None else terms.buffer(access.base)
    if buffer is None and access.space is Space.LOCAL:
        buffer = "stack"
    return AccessTarget(access.space.value, access.op_class.value, buffer)


_NOT_PLAIN = frozenset({AtomKind.LOAD, AtomKind.MERGE, AtomKind.CARRIED, AtomKind.UNKNOWN})


def _points(access: MemoryAccess, counters: Counters) -> tuple[tuple[Atom, range], ...] | None:
    if access.width_bytes is None or access.address.kinds() & _NOT_PLAIN:
        return None
    found = []
    for atom in sorted(access.address.atoms, key=lambda a: a.order):
        if atom.kind is not AtomKind.COUNTER:
            continue
        at = (atom.key, access.block)
        if at in counters.counts:
            name = counters.names.get(atom.key, atom.name)
            found.append((Atom(atom.kind, name), range(counters.counts[at])))
        elif at not in counters.alike:
            return None
    return tuple(found)


# Whether two builds touch the same bytes, however these are cut into accesses and iterations.

Cell = tuple[Expression, int]
"""One byte: what is not constant in its address, and the constant."""

MOST_POINTS = 1 << 12
MOST_CELLS = 1 << 18
"""Iterations of one access, and bytes of all, beyond which they are not compared."""


def same_bytes(a: Sequence[Accessed], b: Sequence[Accessed]) -> bool | None:
    """Whether a thread touches the same bytes by the accesses of one build and of another.

    None where that cannot be told: where an address is not decided, where there are too many, and
    where they are other formulas that may stand for one number: ``n - 2 * (n / 2)``, ``n & 1``.
    """
    if any(access.points is None for access in (*a, *b)):
        return None
    if _written(a) == _written(b):
        return True
    if sum(map(_size, (*a, *b))) > MOST_CELLS or max(map(_steps, (*a, *b))) > MOST_POINTS:
        return None
    left, right = ({cell for access in each for cell in _cells(access)} for each in (a, b))
    if left == right:
        return True
    return None if any(AtomKind.OPERATION in rest.kinds() for rest, _ in left ^ right) else False


def _written(accesses: Sequence[Accessed]) -> Counter[tuple[object, ...]]:
    return Counter((a.address, a.shape.width_bytes, a.points) for a in accesses)


def _steps(access: Accessed) -> int:
    return prod(len(values) for _, values in access.points or ())


def _size(access: Accessed) -> int:
    return _steps(access) * (access.shape.width_bytes or 0)


def _cells(access: Accessed) -> Iterator[Cell]:
    """The bytes of an access over its iterations."""
    for address in _addresses(access):
        start = next((c for monomial, c in address.terms if not monomial), 0)
        rest = Expression(tuple((m, c) for m, c in address.terms if m))
        yield from ((rest, start + byte) for byte in range(access.shape.width_bytes or 0))


def _addresses(access: Accessed) -> Iterator[Expression]:
    """Addresses with numbers for the counters; added up where all steps are numbers."""
    points = access.points or ()
    steps = [access.address.coefficient(atom) for atom, _ in points]
    constants = [None if s is None else s.constant for s in steps]
    values = [v for _, v in points]
    if None not in constants:
        base = _at(access.address, [(atom, 0) for atom, _ in points])
        for point in product(*values):
            moved = sum(i * (c or 0) for i, c in zip(point, constants, strict=True))
            yield base + number(moved)
        return
    for point in product(*values):
        yield _at(access.address, [(a, i) for (a, _), i in zip(points, point, strict=True)])


def _at(address: Expression, values: Sequence[tuple[Atom, int]]) -> Expression:
    now = {atom: number(value) for atom, value in values}
    return substitute(address, now.get)
