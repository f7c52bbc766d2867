"""Which lanes may be on where an access executes, by the branches and guards that lead there."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from warpmill.analyzer.analyses.divergence.lane_operations import Lanes
from warpmill.analyzer.analyses.values.symbolic import Expression
from warpmill.analyzer.analyses.values.truths import Facts, KnownComparison
from warpmill.analyzer.traces.static.values import Unknown


def lanes_that_may_be_on(
    facts: Facts, value_of: Callable[[Expression], Lanes | Unknown | None]
) -> Lanes | None:
    """Give the lanes in which nothing that holds where they are on is known to be false.

    ``value_of`` gives an expression's value by lane; a fact of which it gives none leaves no lane
    out. None: every lane may be on.
    """
    found: Lanes | None = None
    for fact, is_so in facts.items():
        left, right = value_of(fact.left), value_of(fact.right)
        if left is None or right is None or isinstance(left, Unknown) or isinstance(right, Unknown):
            continue
        left, right = (np.asarray(value, dtype=np.int64) for value in (left, right))
        may_be = _may_be(fact, left, right, is_so=is_so)
        found = may_be if found is None else found & may_be
    return found


def _may_be(fact: KnownComparison, left: Lanes, right: Lanes, *, is_so: bool) -> Lanes:
    """Tell in which lanes a fact may be so as words of 32 or of 64 bits, whichever they are."""
    if fact.word != "gt":
        if is_so != (fact.word == "eq"):
            return np.asarray(left != right)
        return np.asarray((left - right) & _WORD == 0)
    is_plain = (np.minimum(left, right) >= _LEAST) & (np.maximum(left, right) <= _WORD)
    if fact.is_unsigned:  # what is below zero is above all others
        left, right = left.view(np.uint64), right.view(np.uint64)
    return np.asarray((left > right) == is_so) | ~is_plain


_WORD, _LEAST = (1 << 32) - 1, -(1 << 31)
"""Numbers beyond these may have overflowed, and are not compared."""
