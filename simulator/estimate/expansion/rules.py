"""The rules of ``[[folds]]`` in ``expansion.toml``: what a compiler makes of two operations."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from warpmill.simulator.estimate.expansion.table import OLDEST, expansion_data

_ANY_NUMBER = 99
_NEWEST = 9999


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of ``[[folds]]``: instructions ``of`` one signature vanish in those of another.

    Where ``every`` is set all users of the value have to take it, else it has a single user.
    ``becomes`` is the key of what the taker then is, empty where it stays what it is. With
    ``constant`` the last operand of what vanishes is a constant; ``constants`` is how many
    constant operands the two may have together. Chips from ``since`` to ``until`` do it.
    """

    of: tuple[str, ...]
    into: frozenset[str]
    every: bool
    becomes: str
    constant: bool
    constants: int
    since: int
    until: int


@cache
def fold_rules(capability: int) -> tuple[Rule, ...]:
    """Give the rules of a chip (86 is 8.6), in the order in which they are applied."""
    chip = max(capability, OLDEST)
    return tuple(rule for rule in _rules() if rule.since <= chip <= rule.until)


@cache
def _rules() -> tuple[Rule, ...]:
    return tuple(
        Rule(
            of=tuple(line["of"].split()),
            into=frozenset(line["into"].split()),
            every=line.get("uses") == "all",
            becomes=line.get("becomes", ""),
            constant=line.get("constant", False),
            constants=line.get("constants", _ANY_NUMBER),
            since=line.get("since", 0),
            until=line.get("until", _NEWEST),
        )
        for line in expansion_data()["folds"]
    )
