"""Assumptions of the user: ``--assume NAME=VALUE`` and ``NAME=LOW..HIGH``.

A name is a loop's label where data decide its end, or, where no launch tells, an argument, a size
or an id (``ntid.x``). Formulas over ranges are worked out by interval arithmetic (Moore, Interval
Analysis, 1966), which is exact where nothing that ranges stands in a formula twice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from shlex import quote
from typing import ClassVar

from warpmill.analyzer.analyses.ranges.bounds import (
    KnownTrips,
    LoopBound,
    SymbolicTrips,
    UnknownTrips,
)
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.analyses.values.symbolic import (
    FOLDS,
    Atom,
    AtomKind,
    Expression,
    evaluate,
    leaves,
    number,
    substitute,
)
from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.metric import Mark
from warpmill.analyzer.base.naming import nearest_names

MOST_POINTS = 1024
"""Combinations of values that a formula is evaluated at, where its form does not tell its range."""


@dataclass(frozen=True, slots=True)
class AssumedRange:
    """All integers from ``low`` to ``high``. ``is_tight``: both ends are known to be reached."""

    mark: ClassVar[Mark] = Mark.ASSUMED

    low: int
    high: int
    is_tight: bool = True

    @property
    def is_point(self) -> bool:
        """Whether it is one number."""
        return self.low == self.high

    def __str__(self) -> str:
        ends = f"{self.low}" if self.is_point else f"{self.low}..{self.high}"
        return ends if self.is_tight else f"within {ends}"


@dataclass(frozen=True, slots=True)
class Assumptions(Mapping[str, AssumedRange]):
    """Names and what is assumed of them, in the order given."""

    pairs: tuple[tuple[str, AssumedRange], ...] = ()

    def __getitem__(self, name: str) -> AssumedRange:
        return dict(self.pairs)[name]

    def __iter__(self) -> Iterator[str]:
        return (name for name, _ in self.pairs)

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def has_ranges(self) -> bool:
        """Whether anything is assumed to lie between two numbers."""
        return any(not interval.is_point for _, interval in self.pairs)

    def ends(self) -> tuple[Assumptions, ...]:
        """All the low ends and all the high ends; one set where they are the same."""
        if not self.has_ranges:
            return (self,)
        return tuple(
            Assumptions(
                tuple((name, AssumedRange(*(pick(i.low, i.high),) * 2)) for name, i in self.pairs)
            )
            for pick in (min, max)
        )


NOTHING = Assumptions()
"""Nothing is assumed."""


def parse_assumptions(texts: Iterable[str]) -> Assumptions:
    """Read ``NAME=VALUE`` and ``NAME=LOW..HIGH``; the last of one name counts. UsageError."""
    found = parse_ranges(texts, "--assume", "$L__BB0_3=16", "count of iterations, no other integer")
    return Assumptions(tuple(found.items()))


def parse_ranges(
    texts: Iterable[str], option: str, example: str, kind: str
) -> dict[str, AssumedRange]:
    """Read what an option says of names, numbers of a kind or ranges. UsageError."""
    return dict(_parsed(text, option, example, kind) for text in texts)


def _parsed(text: str, option: str, example: str, kind: str) -> tuple[str, AssumedRange]:
    name, equals, value = (part.strip() for part in text.partition("="))
    if not equals or not name or not value:
        like = f"{option} {quote(example)}"
        raise UsageError(f"{option} {text}: this is not of the form NAME=VALUE, such as {like}")
    found = _NUMBERS.fullmatch(value)
    if found is None:
        raise UsageError(f"{option} {text}: `{value[:40]}` is no {kind} and no range such as 4..16")
    low, high = int(found[1]), int(found[2] or found[1])
    if low > high:
        raise UsageError(f"{option} {text}: the range ends before it starts")
    return name, AssumedRange(low, high)


_NUMBERS = re.compile(r"(-?[0-9]{1,12})(?:\.\.(-?[0-9]{1,12}))?", re.ASCII)


# -- what may be assumed ---------------------------------------------------------------------


def check_assumptions(
    structure: Structure,
    bounds: Iterable[LoopBound],
    assumed: Mapping[str, AssumedRange],
    *,
    has_launch: bool,
) -> None:
    """Refuse what is unknown, known already, or below zero where it counts. UsageError."""
    loops = {structure.kernel.blocks[b.header].label: b for b in bounds}
    arguments = argument_names(structure, loops.values())
    for name, interval in assumed.items():
        if name in loops:
            _check_loop(name, loops[name])
        elif name in arguments or _is_special(name):
            if has_launch:
                raise UsageError(
                    f"--assume {name}=…: the launch gives {name}; change the launch instead"
                )
        else:
            raise _no_such(structure, name, loops, () if has_launch else arguments)
        if interval.low < 0 and name not in arguments:
            raise UsageError(f"--assume {name}={interval}: it is never below zero")


def argument_names(structure: Structure, bounds: Iterable[LoopBound]) -> tuple[str, ...]:
    """List the parameters of a kernel and the parts of them that counts of loops rest on."""
    formulas = [b.trips.formula for b in bounds if isinstance(b.trips, SymbolicTrips)]
    parts = {a.name for f in formulas for a in f.atoms if a.kind is AtomKind.ARGUMENT}
    whole = [p.name for p in structure.kernel.parameters]
    return tuple(dict.fromkeys([*whole, *sorted(parts)]))


def _check_loop(name: str, bound: LoopBound) -> None:
    if not isinstance(bound.trips, UnknownTrips) and not bound.at_most:
        raise UsageError(
            f"--assume {name}=…: data do not decide loop {name}, it runs {bound.trips} "
            "times; change the launch or its sizes instead"
        )


_SPECIAL_NAMES = frozenset(
    f"{name}.{axis}" for name in ("tid", "ntid", "ctaid", "nctaid") for axis in "xyz"
)


def _is_special(name: str) -> bool:
    return name in _SPECIAL_NAMES


def _no_such(
    structure: Structure, name: str, loops: Iterable[str], others: Iterable[str]
) -> UsageError:
    labels = tuple(loops)
    told = f"its loops are {', '.join(nearest_names(name, labels) or labels) or 'none'}"
    arguments = tuple(others)
    what = f"loop {name}"
    if arguments:
        what = f"loop {name}, nor an argument of that name"
        told += f"; its arguments are {', '.join(nearest_names(name, arguments) or arguments)}"
    return UsageError(f"--assume {name}=…: kernel {structure.kernel.name} has no {what}; {told}")


# -- formulas under assumptions --------------------------------------------------------------


def bound_intervals(
    structure: Structure, bounds: Iterable[LoopBound], assumed: Mapping[str, AssumedRange]
) -> dict[int, AssumedRange]:
    """The trip counts of loops, as far as they are known or what is assumed tells them.

    A triangular loop ranges over the iterations of those around; where what these rest on stands in
    its own formula too, not all combinations come up, and its ends may not be reached.
    """
    found: dict[int, AssumedRange] = {}
    formulas: dict[int, Expression] = {}
    for bound in bounds:
        label = structure.kernel.blocks[bound.header].label
        trips = bound.trips
        known: AssumedRange | None = None
        if isinstance(trips, KnownTrips):
            known = AssumedRange(trips.count, trips.count)
        elif isinstance(trips, SymbolicTrips):
            formulas[bound.loop] = trips.formula
            known = resolve(trips.formula, lambda atom: interval_of(atom, assumed, found))
            if known is not None and not _are_apart(trips.formula, formulas, assumed):
                known = replace(known, is_tight=known.is_point)
        given = assumed.get(label)
        if given is not None and known is not None:
            low, high = min(given.low, known.low), min(given.high, known.high)
            known = AssumedRange(low, high, known.is_tight)
        interval = known or given
        if interval is not None:
            found[bound.loop] = interval
    return found


def _are_apart(
    formula: Expression, formulas: Mapping[int, Expression], assumed: Mapping[str, AssumedRange]
) -> bool:
    """Whether what a formula is made from ranges freely: no two of it rest on one thing."""
    seen: set[Atom] = set()
    todo = list(leaves(formula))
    while todo:
        atom = todo.pop()
        given = assumed.get(atom.name)
        if atom.kind is not AtomKind.COUNTER and (given is None or given.is_point):
            continue
        if atom in seen:
            return False
        seen.add(atom)
        if atom.kind is AtomKind.COUNTER and atom.key in formulas:
            todo += leaves(formulas[atom.key])
    return True


def interval_of(
    atom: Atom, assumed: Mapping[str, AssumedRange], loops: Mapping[int, AssumedRange]
) -> AssumedRange | None:
    """Range of an argument, a size, an id or an outer counter, where it is assumed."""
    if atom.kind is AtomKind.COUNTER:
        around = loops.get(atom.key)
        return None if around is None or around.high < 1 else AssumedRange(0, around.high - 1)
    if atom.kind in (AtomKind.ARGUMENT, AtomKind.SPECIAL):
        return assumed.get(atom.name)
    return None


def resolve(
    formula: Expression, interval_of_atom: Callable[[Atom], AssumedRange | None]
) -> AssumedRange | None:
    """Range of a formula; None where an atom or an operation leaves it unknown.

    Where something that ranges stands in it several times, it is evaluated at all its values if
    they are few; else what comes out holds all values and is not tight.
    """
    ranges = {a: interval_of_atom(a) for a in leaves(formula)}
    known = {a: i for a, i in ranges.items() if i is not None}
    if len(known) < len(ranges):
        return None
    points = {a: number(i.low) for a, i in known.items() if i.is_point}
    formula = substitute(formula, points.get)
    free = {a: i for a, i in known.items() if a in formula.atoms}
    is_tight = all(i.is_tight and _occurrences(formula, a) == 1 for a, i in free.items())
    if not is_tight and prod(i.high - i.low + 1 for i in free.values()) <= MOST_POINTS:
        return _enumerated(formula, free)
    found = _range(formula, dict(free))
    if found is None:
        return None
    return AssumedRange(found.low, found.high, found.is_tight and is_tight)


def _enumerated(formula: Expression, free: Mapping[Atom, AssumedRange]) -> AssumedRange | None:
    spans = [range(i.low, i.high + 1) for i in free.values()]
    each = [evaluate(formula, dict(zip(free, at, strict=True))) for at in product(*spans)]
    values = [v for v in each if v is not None]
    if len(values) < len(each):
        return None
    is_tight = all(i.is_tight for i in free.values())
    return AssumedRange(min(values), max(values), is_tight)


def _occurrences(formula: Expression, atom: Atom) -> int:
    """How often an atom stands in a formula that is written as a tree."""
    counts = {atom: 1}

    def of(each: Expression) -> int:
        return sum(within(part) for monomial, _ in each.terms for part in monomial)

    def within(part: Atom) -> int:
        if part not in counts:
            counts[part] = sum(map(of, part.operands))
        return counts[part]

    return of(formula)


_Known = dict[Atom, AssumedRange | None]
"""Ranges of atoms: of those that are free from the start, of operations as they are found."""


def _range(formula: Expression, known: _Known) -> AssumedRange | None:
    low = high = 0
    is_tight = True
    for monomial, coefficient in formula.terms:
        term = AssumedRange(coefficient, coefficient)
        for atom in monomial:
            if atom not in known:
                known[atom] = _of_operation(atom, known)
            factor = known[atom]
            if factor is None:
                return None
            term = _corners(lambda a, b: a * b, [term, factor])
        low, high = low + term.low, high + term.high
        is_tight = is_tight and term.is_tight
    return AssumedRange(low, high, is_tight)


def _of_operation(atom: Atom, ranges: _Known) -> AssumedRange | None:
    if atom.kind is not AtomKind.OPERATION or atom.key >= 0:
        return None
    operands = [_range(o, ranges) for o in atom.operands]
    known = [o for o in operands if o is not None]
    if len(known) < len(operands):
        return None
    if atom.name in _DIVISIONS and known[1].low <= 0 <= known[1].high:
        return None
    if atom.name in _SHIFTS and not 0 <= known[1].low <= known[1].high < 64:
        return None
    if atom.name in _MONOTONIC:
        return _corners(FOLDS[atom.name], known)
    masks = [o.low for o in known if o.is_point and o.low >= 0]
    if atom.name == "and" and masks:
        return AssumedRange(0, min(masks), is_tight=False)
    if atom.name == "rem" and known[0].low >= 0:
        most = max(abs(known[1].low), abs(known[1].high)) - 1
        return AssumedRange(0, min(most, known[0].high), is_tight=False)
    return None


_DIVISIONS = frozenset({"div", "rem", "floordiv", "ceildiv"})
_SHIFTS = frozenset({"shl", "shr"})
_MONOTONIC = frozenset(
    {"min", "max", "div", "floordiv", "ceildiv", "shl", "shr", "log2ceil", "bitlength"}
)
"""Operations that only rise or only fall in each operand while the others stay."""


def _corners(operation: Callable[..., int], operands: list[AssumedRange]) -> AssumedRange:
    values = [operation(*at) for at in product(*((o.low, o.high) for o in operands))]
    return AssumedRange(min(values), max(values), all(o.is_tight for o in operands))
