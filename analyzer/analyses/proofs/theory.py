"""Integer variables, what is known of each, and whether something follows from it (by z3).

A query takes what is known of the variables that it names, and of those that these facts name in
turn. What stays small is decided soon, in nonlinear arithmetic as well.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import z3

Term = Any
"""An integer of z3, or a truth value: z3 tells which is which no sooner than when it is called."""


@dataclass(frozen=True, slots=True)
class Proven:
    """It follows: nothing that is known lets it be false."""


@dataclass(frozen=True, slots=True)
class Refuted:
    """It does not follow; ``model`` gives values of variables for which it is false."""

    model: Any

    def value(self, term: Term) -> int:
        """The value of an integer in the example."""
        return int(self.model.eval(term, model_completion=True).as_long())

    def decides(self, variable: Term) -> bool:
        """Whether the example says what a variable is: else it may be anything."""
        return self.model[variable] is not None


@dataclass(frozen=True, slots=True)
class Undecided:
    """Nobody knows, and why."""

    reason: str


Outcome = Proven | Refuted | Undecided


@dataclass
class Theory:
    """Variables with what is known of them; ``effort`` limits each query, in z3's own units.

    ``spent`` is what all queries took together, ``most`` what they may take.
    """

    effort: int = 4_000_000
    most: int = 60_000_000
    spent: int = 0
    _context: Any = field(default_factory=z3.Context)  # of its own: answers are the same ever again
    _count: int = 0
    _about: dict[str, list[Term]] = field(default_factory=lambda: defaultdict(list))
    _made_by: dict[str, list[Term]] = field(default_factory=lambda: defaultdict(list))
    _unknown: dict[str, str] = field(default_factory=dict)
    _names: dict[int, tuple[Term, frozenset[str]]] = field(default_factory=dict)

    def integer(
        self, name: str, low: Term | None = None, high: Term | None = None, *,
        unknown: str | None = None,
    ) -> Term:  # fmt: skip
        """A new integer, from ``low`` to ``high``; ``unknown`` says why nothing else is known."""
        made = z3.Int(self._new(name, unknown), self._context)
        if low is not None:
            self.tell(made, made >= low)
        if high is not None:
            self.tell(made, made <= high)
        return made

    def truth(self, name: str, *, unknown: str | None = None) -> Term:
        """A new truth value."""
        return z3.Bool(self._new(name, unknown), self._context)

    def number(self, value: int) -> Term:
        """A plain number."""
        return z3.IntVal(value, self._context)

    def fact(self, *, holds: bool) -> Term:
        """What always holds, or never does."""
        return z3.BoolVal(holds, self._context)

    def _new(self, name: str, unknown: str | None) -> str:
        self._count += 1
        unique = f"{name}!{self._count}"
        if unknown is not None:
            self._unknown[unique] = unknown
        return unique

    def tell(self, variable: Term, *facts: Term) -> None:
        """Add what is known of a variable."""
        self._about[variable.decl().name()] += facts

    def define(self, variable: Term, *facts: Term) -> None:
        """Add what a variable is made from, which is known of it as well."""
        self._made_by[variable.decl().name()] += facts
        self.tell(variable, *facts)

    def sources(self, name: str) -> frozenset[str]:
        """The variables that one is made from."""
        return frozenset(n for fact in self._made_by.get(name, ()) for n in self.names(fact))

    @property
    def made(self) -> int:
        """Variables that were made so far."""
        return self._count

    def names(self, term: Term) -> frozenset[str]:
        """The variables that a term names itself."""
        key = term.get_id()
        if key not in self._names:
            self._names[key] = term, frozenset(_names(term))  # the term is kept, and its id with it
        return self._names[key][1]

    def reach(self, terms: Iterable[Term]) -> tuple[frozenset[str], list[Term]]:
        """The variables that terms rest on, and all that is known of them."""
        facts: dict[int, Term] = {}
        todo = [name for term in terms for name in sorted(self.names(term))]
        found: set[str] = set()
        while todo:
            name = todo.pop()
            if name in found:
                continue
            found.add(name)
            for fact in self._about.get(name, ()):
                if fact.get_id() not in facts:
                    facts[fact.get_id()] = fact
                    todo += sorted(self.names(fact))
        return frozenset(found), list(facts.values())

    def unknowns(self, terms: Iterable[Term]) -> Iterator[str]:
        """Why what terms rest on is not known, each reason once."""
        yield from self.reasons(self.reach(terms)[0])

    def reasons(self, names: Iterable[str]) -> Iterator[str]:
        """Why some of these variables are not known, each reason once."""
        yield from dict.fromkeys(self._unknown[n] for n in sorted(names) if n in self._unknown)

    def decide(self, given: Sequence[Term], goal: Term, *, effort: int | None = None) -> Outcome:
        """Whether ``goal`` holds wherever all that is ``given`` does."""
        goal = z3.simplify(goal)
        if z3.is_true(goal):
            return Proven()
        if self.spent >= self.most:
            return Undecided("the proofs before it took all effort that is allowed")
        _, facts = self.reach((*given, goal))
        solver = z3.Solver(ctx=self._context)
        solver.set("rlimit", effort or self.effort)
        solver.add(*facts, *given, z3.Not(goal))
        before = _resources(solver.statistics())
        answer = solver.check()
        self.spent += max(0, _resources(solver.statistics()) - before)
        if answer == z3.unsat:
            return Proven()
        if answer == z3.sat:
            return Refuted(solver.model())
        return Undecided("the solver does not decide it within its limit")


def _names(term: Term) -> Iterator[str]:
    seen, todo = set(), [term]
    while todo:
        one = todo.pop()
        if one.get_id() in seen:
            continue
        seen.add(one.get_id())
        if z3.is_const(one) and one.decl().kind() == z3.Z3_OP_UNINTERPRETED:
            yield one.decl().name()
        todo += one.children()


def _resources(statistics: Any) -> int:
    """Units of effort that z3 has counted so far in its context."""
    counted = "rlimit count"
    return int(statistics.get_key_value(counted)) if counted in statistics.keys() else 0  # noqa: SIM118
