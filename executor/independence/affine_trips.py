"""How often a loop can go round, from a test that every iteration passes.

A test compares a line ``start + step · count`` with a number that stays. That the line does not
wrap on its way follows by induction: the test holds before each step but the last, and what it
leaves, a step further, is still within the word.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from warpmill.executor.independence.affine import (
    Bound,
    Constraints,
    Form,
    exact,
    least,
    most,
)
from warpmill.executor.independence.affine_conditions import FLIPPED, Comparison

Line = tuple[Form, int]
"""A form at the first iteration, and what each iteration adds."""


@dataclass(frozen=True)
class Test:
    """What a test says of the count of iterations before: at most ``high``.

    Each thread has ``step · count <= room`` too; None where that is not sure at the first.
    """

    high: Bound
    step: int
    room: Form | None

    def limits(self, count: Form) -> list[Form]:
        """Give what is not above zero in all iterations."""
        return [] if self.room is None else [count.times(self.step) - self.room]


def test(
    comparison: Comparison,
    a: Line,
    b: Line,
    holds: Constraints,
    is_multiple: Callable[[Form, int], bool],
) -> Test | None:
    """Bound the count of a loop that goes on only where a comparison is true."""
    word, (start, step), (other, moves) = comparison.word, a, b
    if step == 0:
        word, (start, step), (other, moves) = FLIPPED[word], b, a
    step, moves = (Form(n).wrapped(comparison.bits).constant for n in (step, moves))
    if moves or not step:
        return None
    if word == "ne":
        left = (other - start if step > 0 else start - other).wrapped(comparison.bits)
        return _until_equal(left, abs(step), comparison.bits, holds, is_multiple)
    rises = step > 0
    if word not in (("lt", "le") if rises else ("gt", "ge")):
        return None
    first = exact(start, comparison.bits, signed=comparison.signed, constraints=holds)
    if first is None:
        return None
    last = exact(other, comparison.bits, signed=comparison.signed, constraints=holds)
    low = -(1 << comparison.bits - 1) if comparison.signed else 0
    ends = (low, low + (1 << comparison.bits) - 1)
    last = Form(ends[rises]) if last is None else last
    if not rises:  # count downwards as upwards, from below
        first, last, ends, step = first.times(-1), last.times(-1), (0, -low), -step
    if word in ("lt", "gt"):
        last = last.moved(-1)
    if most(last, holds) + step > ends[1]:
        return None
    left = last - first
    room = left.moved(step)
    return Test(_passes(most(left, holds), step), step, room if _is_natural(room, holds) else None)


def _passes(left: Bound, step: int) -> Bound:
    """Count the passes of a test that holds while ``step · count <= left``."""
    if math.isinf(left):
        return left
    return int(left) // step + 1 if left >= 0 else 0


def _is_natural(form: Form, holds: Constraints) -> bool:
    return most(form.times(-1), holds) <= 0


def _until_equal(
    left: Form,
    step: int,
    bits: int,
    holds: Constraints,
    is_multiple: Callable[[Form, int], bool],
) -> Test | None:
    """Bound a loop that goes on until its steps have used up what is left.

    Where that is a multiple of the step, it is none below zero as soon as it is above ``-step``.
    """
    found = exact(left, bits, signed=False, constraints=holds)
    if found is None and least(left, holds) > -step and most(left, holds) < 1 << bits:
        found = left
    if found is None or not is_multiple(found, step):
        return None
    return Test(int(most(found, holds)) // step, step, found)
