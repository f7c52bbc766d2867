"""Which rows of the tables are compared: all, or an even choice of many, the same every time."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from warpmill.benchmarks.accuracy.model import Case

SEED = 2026
APART = frozenset({"gpubench_stream_occupancy", "gpubench_small_kernels"})
"""Data sets that models are calibrated with: shown apart, and no part of the overall figures."""
TUNED = ("kt_convolution", "kt_dedispersion", "kt_hotspot")
"""Spaces of configurations that a tuner chooses from: many of these are ranked."""

Item = TypeVar("Item")
Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True)
class Amount:
    """Rows at most: of a data set for its errors, of a tuned space for its ranking.

    ``simulated`` are those of a data set that are simulated as well.
    """

    errors: int = 300
    ranked: int = 1000
    simulated: int = 60


WHOLE, QUICK = Amount(), Amount(40, 100, 8)


def choose(cases: Iterable[Case], amount: Amount = WHOLE) -> list[Case]:
    """Choose the cases that are compared, data set by data set and kernel by kernel.

    They are those of the headline, and those apart. Of a tuned space at most ``amount.ranked`` are
    drawn. From these, errors are of at most ``amount.errors`` a data set: all are put in order by
    kernel and time, cut into stretches of equal numbers, and one is drawn from each, so that every
    kernel and every order of time has its share.
    """
    wanted = [c for c in cases if c.headline or c.dataset in APART]
    found: list[Case] = []
    for dataset, own in grouped(wanted, lambda c: c.dataset).items():
        of_kernels = grouped(own, lambda c: c.group).values()
        ranked = [case for each in of_kernels for case in _ranked(each, amount)]
        ranked.sort(key=lambda c: (c.group, c.time_ms, c.row))
        chosen = {c.row for c in one_of_each(ranked, amount.errors)}
        marked = [replace(c, has_error=c.row in chosen) for c in ranked]
        found += [c for c in marked if c.has_error or dataset in TUNED]
    return found


def simulated(chosen: Iterable[Case], count: int) -> list[Case]:
    """Choose those that are simulated: of each data set at most ``count`` that have errors.

    They are drawn from kernels and orders of time as errors are. Of what is apart there are none.
    """
    wanted = [one for one in chosen if one.has_error and one.dataset not in APART]
    parts = grouped(wanted, lambda one: one.dataset).values()
    return [one for own in parts for one in one_of_each(own, count)]


def _ranked(cases: Sequence[Case], amount: Amount) -> Sequence[Case]:
    """Draw the configurations of a tuned space that are ranked; all of what is none."""
    if cases[0].dataset not in TUNED or len(cases) <= amount.ranked:
        return cases
    places = np.random.default_rng(SEED).choice(len(cases), amount.ranked, replace=False)
    return [cases[place] for place in sorted(places)]


def one_of_each(items: Sequence[Item], count: int) -> list[Item]:
    """Draw ``count`` items, one from each of as many stretches of the same length, or all."""
    if len(items) <= count:
        return list(items)
    edges = np.linspace(0, len(items), count + 1).round().astype(int)
    drawn = np.random.default_rng(SEED).integers(edges[:-1], edges[1:])
    return [items[place] for place in drawn]


def grouped(items: Iterable[Item], key: Callable[[Item], Key]) -> dict[Key, list[Item]]:
    """Items by their key, in their order."""
    found: dict[Key, list[Item]] = {}
    for one in items:
        found.setdefault(key(one), []).append(one)
    return found
