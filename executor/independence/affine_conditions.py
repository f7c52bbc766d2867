"""What comparisons and branches say of linear forms."""

from __future__ import annotations

from dataclasses import dataclass, replace

from warpmill.executor.independence.affine import LinearForm

NEGATED = {"lt": "ge", "ge": "lt", "gt": "le", "le": "gt", "eq": "ne", "ne": "eq"}
FLIPPED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le", "eq": "eq", "ne": "ne"}
WORDS = {w: w for w in NEGATED} | {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}
"""PTX's comparisons of integers, those of unsigned numbers by the same names."""


@dataclass(frozen=True)
class WordComparison:
    """A comparison of two words, whose forms agree with them modulo two to their bits."""

    word: str
    signed: bool
    bits: int
    a: LinearForm
    b: LinearForm

    @property
    def negated(self) -> WordComparison:
        """The comparison that is true where this is false."""
        return replace(self, word=NEGATED[self.word])

    def forms(self, a: LinearForm, b: LinearForm) -> list[LinearForm]:
        """Give what is not above zero where it is true, from the two words' values."""
        match self.word:
            case "lt":
                return [(a - b).moved(1)]
            case "le":
                return [a - b]
            case "gt":
                return [(b - a).moved(1)]
            case "ge":
                return [b - a]
            case "eq":
                return [a - b, b - a]
        return self._unequal(a, b)

    @staticmethod
    def _unequal(a: LinearForm, b: LinearForm) -> list[LinearForm]:
        """What is not at the end of its range is beyond it."""
        difference = a - b
        if difference.low == 0:
            return [difference.times(-1).moved(1)]
        return [difference.moved(1)] if difference.high == 0 else []


@dataclass(frozen=True)
class Condition:
    """What holds where a predicate is true, and where it is false."""

    true: tuple[WordComparison, ...] = ()
    false: tuple[WordComparison, ...] = ()

    def when(self, value: bool) -> list[WordComparison]:
        """Give the comparisons that are true where the predicate has a value."""
        return list(self.true if value else self.false)

    @property
    def negated(self) -> Condition:
        """The condition of the inverse predicate."""
        return Condition(self.false, self.true)

    def joined(self, other: Condition) -> Condition:
        """Give the condition of both together."""
        return Condition((*self.true, *other.true), ())

    def either(self, other: Condition) -> Condition:
        """Give the condition of at least one of two."""
        return Condition((), (*self.false, *other.false))

    @classmethod
    def of(cls, comparison: WordComparison) -> Condition:
        """Give the condition of a comparison's result."""
        return cls((comparison,), (comparison.negated,))


ALWAYS = Condition()
"""Of a predicate that nothing is known of."""
