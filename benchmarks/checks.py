"""What is right, of how much, and what is not: results of benchmarks that check something."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any

from warpmill.analyzer.base.metric import Metric, derived
from warpmill.report.base import Part
from warpmill.report.fields import field_of
from warpmill.report.sections import Section, Table

Right = tuple[int, int]
"""How many are right, of how many."""
MOST_TOLD = 10
"""Failures of a check that tables show; JSON has all."""


class Failure(Part):
    """Something that is not right."""

    check: Annotated[str, Metric("check")]
    words: Annotated[str, Metric("what is not right")]


class CheckRow(Part):
    """A check as it is shown."""

    check: Annotated[str, Metric("check")]
    right: Annotated[int, Metric("right")]
    of: Annotated[int, Metric("of")]


class Checked(Part):
    """A result with fields of ``Right``, or None where it was not looked at."""

    failures: tuple[Failure, ...]

    @derived("things that are not right")
    def not_right(self) -> int:
        """Failures of all checks."""
        return len(self.failures)

    @derived("checks")
    def checks(self) -> tuple[CheckRow, ...]:
        """The fields that say how many are right."""
        kind: Any = type(self)
        found = []
        for name in (one.name for one in dataclasses.fields(kind)):
            field, value = field_of(kind, name), getattr(self, name)
            if field.annotation in {Right, Right | None} and field.metric and value is not None:
                found.append(CheckRow(check=field.metric.label, right=value[0], of=value[1]))
        return tuple(found)

    @property
    def told(self) -> tuple[Failure, ...]:
        """Failures that are shown, the first ones of each check."""
        seen: Counter[str] = Counter()
        chosen = []
        for one in self.failures:
            seen[one.check] += 1
            if seen[one.check] <= MOST_TOLD:
                chosen.append(one)
        return tuple(chosen)


SECTIONS: tuple[Section, ...] = (
    Table("What is right", "checks", ("check", "right", "of")),
    Table("What is not right", "told", ("check", "words"), left=(0, 1), wrap=(1,)),
)


def failures(check: str, words: Iterable[str]) -> tuple[Failure, ...]:
    """Failures of a check."""
    return tuple(Failure(check=check, words=one) for one in words)


Found = dict[str, Any]
"""Fields of a result."""


def measured(
    names: Iterable[str], parts: Mapping[str, Callable[[bool], Found]], quick: bool
) -> Found:
    """The fields that parts of a benchmark measure; those that several have, one after another."""
    found: Found = {"failures": ()}
    for name in names:
        for key, value in parts[name](quick).items():
            found[key] = (*found.get(key, ()), *value) if key in _SHARED else value
    return found


_SHARED = frozenset({"failures", "missing", "refused", "notes"})


def right(total: int, wrong: int) -> Right:
    """What is right where so many are not."""
    return total - wrong, total


def checked(field: str, check: str, total: int, wrong: Sequence[str]) -> Found:
    """The field of a check of so many things, and what of them is not right."""
    return {field: right(total, len(wrong)), "failures": failures(check, wrong)}
