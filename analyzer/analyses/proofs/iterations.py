"""Iterations of loops: the frames that values are worked out in, counters, and induction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import z3

from warpmill.analyzer.analyses.cfg.graph import Loop
from warpmill.analyzer.analyses.proofs.theory import Proven, Term, Theory
from warpmill.analyzer.analyses.proofs.word_rules import Word

FAR_FROM_WRAPPING = ((1 << 31) - (1 << 16), 1 << 30)
"""Sizes that leave room for a step to more, where they are compared with 32-bit numbers."""

ITERATIONS_BACK = 2
"""Iterations before the one that is looked at whose branches are known."""


@dataclass(eq=False)
class Frame:
    """One iteration of each loop: of ``loop`` the one before that of ``outer``.

    ``is_trial``: the values at the loop's header are any, to see how they move on.
    """

    outer: Frame | None = None
    loop: Loop | None = None
    is_trial: bool = False
    words: dict[int, Word] = field(default_factory=dict)
    truths: dict[int, Term] = field(default_factory=dict)
    at: dict[int, Term] = field(default_factory=dict)
    counters: dict[int, Term] = field(default_factory=dict)
    numbers: dict[tuple[int, int, bool, int], Term] = field(default_factory=dict)
    before: dict[int, Frame] = field(default_factory=dict)

    @property
    def back(self) -> int:
        """Iterations back."""
        return 0 if self.outer is None else 1 + self.outer.back

    def of(self, block: int) -> Frame:
        """The frame that has the values of a block: the outer one if the loop has not."""
        if self.outer is None or self.loop is None or block in self.loop.members:
            return self
        return self.outer.of(block)


@dataclass
class LoopCounters:
    """The numbers of iterations, what they are known to be, and what else loops leave as it is.

    ``sizes`` are those of the launch, ``names`` the variables that are counters.
    """

    theory: Theory
    sizes: Sequence[Term]
    names: set[str] = field(default_factory=set)
    _owners: dict[int, int] = field(default_factory=dict)  # blocks, by the numbers of variables

    def of(self, frame: Frame, loop: Loop) -> Term:
        """The number of the iteration of a loop, from 0."""
        if frame.loop is loop:
            assert frame.outer is not None
            return self.of(frame.outer, loop) - 1
        frame = frame.of(loop.header)
        if frame.loop is loop:
            return self.of(frame, loop)
        if loop.id not in frame.counters:
            made = self.theory.integer(f"iteration of {loop.header}", 0)
            frame.counters[loop.id] = made
            self._owners[number_of(made.decl().name())] = loop.header
            if frame.outer is None:
                self.names.add(made.decl().name())
        return frame.counters[loop.id]

    def own(self, before: int, block: int) -> None:
        """Note that variables were made for a definition of a block."""
        for number in range(before + 1, self.theory.made + 1):
            self._owners.setdefault(number, block)

    def is_fixed(self, name: str, loop: Loop) -> bool:
        """Whether a variable is the same in all iterations of a loop."""
        return self._owners.get(number_of(name)) not in loop.members

    def is_inductive(
        self, now: Frame, loop: Loop, reached: Term, fact: Term, first: int = 0
    ) -> bool:
        """Whether a fact holds in each iteration from ``first`` on; it is then told.

        But for the loop's counter it has to be about what is the same in all of them. What does not
        hold for all sizes may do so for those from which a step does not go beyond 32 bits.
        ``reached`` says that a thread comes to the loop's header.
        """
        counter, names = self.of(now, loop), self.theory.names(fact)
        if not all(self.is_fixed(n, loop) for n in names - {counter.decl().name()}):
            return False
        earlier = [
            z3.Implies(counter >= n + first, z3.substitute(fact, (counter, counter - n)))
            for n in range(1, ITERATIONS_BACK + 1)
        ]
        holds = z3.Implies(counter >= first, fact)
        for most in (None, *FAR_FROM_WRAPPING):
            small = [] if most is None else [size <= most for size in self.sizes]
            given = (reached, counter >= first, *earlier, *small)
            if isinstance(self.theory.decide(given, fact), Proven):
                where = z3.And(reached, *small)
                self.theory.tell(counter, *(z3.Implies(where, one) for one in (holds, *earlier)))
                return most is None
            if not self.sizes:
                break
        return False


def tell_invariants(
    theory: Theory, made: Term, before: Term, start: Term, bits: int, reached: Term
) -> None:
    """Tell what holds of a value that a loop carries if it held one iteration ``before``.

    That it fits into its bits, and does not pass 0 or its ``start``, is tried.
    """
    half = 1 << bits - 1

    def fits(x: Term) -> Term:
        return z3.And(x >= -half, x < half)

    tried: tuple[Callable[[Term], Term], ...] = (
        fits,
        lambda x: x >= 0,
        lambda x: x <= start,
        lambda x: x >= start,
    )
    for holds in tried:
        answer = theory.decide((reached, holds(before)), holds(made))
        if isinstance(answer, Proven):
            theory.tell(made, z3.Implies(reached, holds(made)))
            theory.tell(before, holds(before))


def number_of(name: str) -> int:
    """The number of a variable, which its name ends with."""
    return int(name.rpartition("!")[2])
