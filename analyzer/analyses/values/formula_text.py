"""Text of formulas, in which long parts that recur are written once and named.

An operation on the two values before it doubles what is written: thirty of them take a billion
characters. As ``e3 > 127 where e1 = …; e2 = …; e3 = …`` each part is written once.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterator
from itertools import chain, count
from typing import ClassVar

from warpmill.analyzer.base.many_objects import lazy

LONGEST_WHOLE = 320
"""Characters of a formula that is still written as a tree."""

SHORTEST_NAMED = 24
"""Characters of a part that is worth a name."""

ORDERED_CHARACTERS = 256
"""Characters of a text by which formulas are ordered; a digest decides between longer ones."""


class Formula:
    """Something written as texts and further formulas, which may stand in several places."""

    shown_as_text: ClassVar[bool] = True
    """Results show its text."""

    @property
    def pieces(self) -> tuple[str | Formula, ...]:
        """Parts of the written formula, in reading order."""
        raise NotImplementedError

    @lazy
    def length(self) -> int:
        """Characters of its whole text, written as a tree."""
        return sum(len(p) if isinstance(p, str) else p.length for p in self.pieces)

    @lazy
    def beginning(self) -> str:
        """Its text, of which no more than the first ``ORDERED_CHARACTERS`` are written."""
        text = ""
        for piece in self.pieces:
            text += piece if isinstance(piece, str) else piece.beginning
            if len(text) >= ORDERED_CHARACTERS:
                return text[:ORDERED_CHARACTERS]
        return text

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self})"

    @lazy
    def _text(self) -> str:
        names = re.findall(_NAME, " ".join(_texts(self))) if self.length > LONGEST_WHOLE else ()
        texts = FormulaTexts(names)
        text = texts.of(self)
        where = _BETWEEN.join(f"{name} = {part}" for name, part in texts.parts.items())
        return f"{text}{_WHERE}{where}" if where else text


_WHERE, _BETWEEN = " where ", "; "

_NAME = r"(?<![\w$%.])e\d+(?!\w)"
"""Names that parts are given, as formulas of other origin may have them too."""


class FormulaTexts:
    """Texts of formulas that are shown together, and the named parts that they are written with.

    ``taken`` are names that no part is given. Short formulas are written whole.
    """

    def __init__(self, taken: Container[str] = ()) -> None:
        self.parts: dict[str, str] = {}
        """Text of each named part; it uses names of parts before it only."""
        self._names: dict[Formula, str] = {}
        self._free = (f"e{n}" for n in count(1) if f"e{n}" not in taken)

    def of(self, formula: Formula) -> str:
        """Write a formula, with names for the parts that stand in it more than once."""
        is_long = formula.length > LONGEST_WHOLE
        written: dict[Formula, str] = dict(self._names) if is_long else {}
        order = _inner_first(formula, written)
        uses = Counter(chain.from_iterable(map(_below, order))) if is_long else Counter[Formula]()
        for part in order:
            text = "".join(p if isinstance(p, str) else written[p] for p in part.pieces)
            if uses[part] > 1 and len(text) >= SHORTEST_NAMED:
                name = self._names[part] = next(self._free)
                self.parts[name], text = text, name
            written[part] = text
        return written[formula]


def parted(text: str) -> tuple[str, tuple[str, ...]]:
    """A written formula without its named parts, and these: ``e1 = …`` each."""
    formula, _, parts = text.partition(_WHERE)
    return formula, tuple(parts.split(_BETWEEN)) if parts else ()


def _below(formula: Formula) -> Iterator[Formula]:
    return (piece for piece in formula.pieces if not isinstance(piece, str))


def _inner_first(formula: Formula, known: Container[Formula] = ()) -> list[Formula]:
    """Each part once, behind the parts that it is made of; none of those that are known."""
    found: dict[Formula, None] = {}
    open_ = [] if formula in known else [formula]
    while open_:
        missing = [p for p in _below(open_[-1]) if p not in found and p not in known]
        if missing:
            open_ += missing
        else:
            found[open_.pop()] = None
    return list(found)


def _texts(formula: Formula) -> Iterator[str]:
    """All texts that a formula is made of, each part's once."""
    for part in _inner_first(formula):
        yield from (piece for piece in part.pieces if isinstance(piece, str))
