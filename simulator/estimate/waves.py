"""CTAs of a launch as waves on SMs, and which of them stand for the launch.

Hybrid paper, §IV-B, Equation 8 takes every SM to run ⌈CTAs / SMs⌉ CTAs in rounds that may be
fractions; hardware hands out whole CTAs, and the last wave takes as long as its CTAs do. Where
CTAs differ in what they execute, some of each kind stand for theirs.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import fsum

import numpy as np

from warpmill.analyzer.launch.numbering import places_of, ravel_index, unravel_index
from warpmill.analyzer.traces.event_batch import Triple
from warpmill.simulator.estimate.rounds import Rounds


@dataclass(frozen=True)
class Waves:
    """CTAs of a launch on ``sms`` SMs of which each holds ``per_sm`` at once."""

    grid: Triple
    sms: int
    per_sm: int

    @property
    def ctas(self) -> int:
        """CTAs of the launch."""
        x, y, z = self.grid
        return x * y * z

    @property
    def size(self) -> int:
        """CTAs of a full wave."""
        return self.sms * self.per_sm

    @property
    def full(self) -> int:
        """Waves that fill the GPU."""
        return self.ctas // self.size

    @property
    def rest(self) -> int:
        """CTAs of the last wave, where it does not fill the GPU."""
        return self.ctas % self.size

    @property
    def rest_per_sm(self) -> int:
        """CTAs of the last wave on the SMs that have the most of them."""
        return -(-self.rest // self.sms)

    @property
    def rest_sms(self) -> int:
        """SMs that have CTAs of the last wave."""
        return min(self.rest, self.sms)

    @property
    def active_sms(self) -> int:
        """SMs that have CTAs at all."""
        return min(self.ctas, self.sms)

    @property
    def most_per_sm(self) -> int:
        """CTAs that an SM runs in all (Equation 8)."""
        return -(-self.ctas // self.sms)

    def of_sm(
        self, wave: int, count: int, active: int | None = None, sm: int | None = None
    ) -> tuple[Triple, ...]:
        """``count`` CTAs that an SM runs from a wave on, by its number; without it, in the middle.

        CTAs go to SMs in turn, so those of one SM are as far apart as there are SMs.
        """
        step = active or self.active_sms
        start = min(wave * self.size, max(0, self.ctas - count * step))
        start += step // 2 if sm is None else sm
        ids = (min(start + k * step, self.ctas - 1 - (count - 1 - k)) for k in range(count))
        return tuple(self.cta(max(0, i)) for i in ids)

    def unlike_sms(self, wave: int, count: int, most: int) -> tuple[tuple[int, int], ...]:
        """SMs that run CTAs from a wave on which lie unlike each other, and how many lie like them.

        By number, ``most`` of them, those that stand for the most first. What CTAs find in the L1
        of their SM is what others there have read, so that it depends on where these lie.
        """
        start = min(wave * self.size, max(0, self.ctas - count * self.active_sms))
        ids = start + np.add.outer(np.arange(self.active_sms), np.arange(count) * self.active_sms)
        x, y, _ = self.grid
        ids = np.minimum(ids, self.ctas - 1)
        places = np.stack([ids % x, ids // x % y, ids // (x * y)], axis=2)
        apart = (places - places[:, :1]).reshape(self.active_sms, -1)
        _, first, alike = np.unique(apart, axis=0, return_index=True, return_counts=True)
        each = sorted(zip(first.tolist(), alike.tolist(), strict=True), key=lambda one: -one[1])
        return tuple(each[:most])

    def beside(self, number: int, before: int, count: int) -> tuple[Triple, ...]:
        """``count`` CTAs that the SM of a CTA runs, from ``before`` waves before it on.

        ``number`` is the CTA's (see ``number``); it is the first of its wave there.
        """
        step = self.active_sms
        wave, place = divmod(number, self.size)
        start = max(0, wave - before) * self.size + place % step
        start = max(place % step, min(start, self.ctas - 1 - (count - 1) * step))
        ids = (min(start + k * step, self.ctas - 1 - (count - 1 - k)) for k in range(count))
        return tuple(self.cta(max(0, i)) for i in ids)

    def wave_of(self, number: int | None) -> int:
        """The wave that a CTA runs in; without one, that in the middle."""
        return self.full // 2 if number is None else number // self.size

    def number(self, cta: Triple) -> int:
        """A CTA's number in the order in which they go to SMs."""
        return ravel_index(cta, self.grid)

    def of_wave(self, wave: int, most: int, count: int = 1) -> tuple[Triple, ...]:
        """The CTAs of a wave on all SMs, or of ``count`` in a row, at most so many."""
        start = wave * self.size
        end = min(self.ctas, start + min(count * self.size, most))
        return places_of(np.arange(start, end), self.grid)

    def around(self, wave: int, count: int) -> tuple[int, int]:
        """The first of ``count`` waves around one, and how many there are.

        The launch's first wave, which finds the caches empty, is among them where all are.
        """
        every = self.full + (self.rest > 0)
        if count >= every or every == 1:
            return 0, every
        return max(1, min(wave - count // 2, every - count)) if count > 1 else wave, count

    def cta(self, index: int) -> Triple:
        """The place in the grid of a CTA by its number."""
        return unravel_index(index, self.grid)


# Which CTAs stand for a launch, where these differ in what they execute.
#
# The wave in the middle stands for all, as long as its CTAs have about as much to do as those all
# over the launch. Where a grid does not divide what there is to do, the CTAs at its end have
# little of it, and what these take says nothing of the others: then a wave of those that execute
# most does.

CTAS_LOOKED_AT = 16
"""CTAs all over the launch that tell what its waves execute in the mean."""

MOST_KINDS = 3

APART = 1.5
"""CTAs of different kinds: these times as many instructions, without others between."""

MUCH_MORE = 2.0
"""Times the mean that a CTA does for a launch of several waves to wait for it alone."""

_WAVES_THAT_DIFFER = 2

Count = Callable[[Mapping[int, float]], float]
"""Counts instructions from executions of blocks."""


@dataclass(frozen=True)
class CtaKind:
    """CTAs that execute about as much.

    ``share`` is theirs of all CTAs, ``cta`` the number of one in the middle of them and
    ``looked_at`` those of all that were looked at. ``instructions`` are those of one in the mean.
    """

    share: float
    cta: int
    instructions: float
    looked_at: tuple[int, ...]


@dataclass(frozen=True)
class Typical:
    """Representative of a launch's CTAs.

    ``cta`` is the number of one of those that do; None: the wave in the middle does.
    ``instructions`` are those of a CTA in the mean over the launch, ``executions`` how often its
    warps execute each block; None: unknown. ``beside`` is what CTAs that run beside these do, as a
    share of what these do. ``longest`` is the number of the CTA that does most, where several waves
    have one that does much more than others.
    """

    cta: int | None = None
    instructions: float | None = None
    executions: Mapping[int, float] | None = None
    beside: float = 1.0
    longest: int | None = None


def typical(rounds: Rounds, waves: Waves, count: Count, most: int = CTAS_LOOKED_AT) -> Typical:
    """Representative of a launch's CTAs, by about so many of them.

    Where there is one full wave at most, it takes as long as its CTAs that execute most. Nothing is
    known where single CTAs cannot be looked at.
    """
    few = waves.full < _WAVES_THAT_DIFFER
    found = rounds.all_or_some(most) if few else rounds.each(most)
    if found is None:
        return Typical()
    executed = {waves.number(cta): executions for cta, executions in found}
    counts = {key: count(executions) for key, executions in _different(executed).items()}
    each = kinds({n: counts[id(executions)] for n, executions in executed.items()}, waves)
    mean = fsum(kind.share * kind.instructions for kind in each)
    longest = max(executed, key=lambda number: counts[id(executed[number])])
    most_of_all = counts[id(executed[longest])]
    whole = Typical(None, mean, _mean_executions(each, executed))
    if few:
        middle = rounds.of(waves.of_sm(0, max(1, min(waves.per_sm, waves.most_per_sm))))
        cta, wanted, beside = longest, most_of_all, mean / max(1.0, most_of_all)
    else:
        middle = rounds.of(waves.of_sm(waves.full // 2, waves.per_sm))
        cta = max(each, key=lambda kind: kind.share * kind.instructions).cta
        wanted, beside = mean, 1.0
        if most_of_all > MUCH_MORE * mean:
            whole = replace(whole, longest=longest)
    if count(middle.executions) / middle.size * APART >= wanted:
        return whole
    return replace(whole, cta=cta, beside=beside)


def _mean_executions(
    each: Sequence[CtaKind], executed: Mapping[int, Mapping[int, int]]
) -> Mapping[int, float]:
    """How often a CTA in the mean executes each block, by the share of each kind."""
    mean: defaultdict[int, float] = defaultdict(float)
    different = _different(executed)
    for kind in each:
        found: Counter[int] = Counter()
        alike = Counter(id(executed[number]) for number in kind.looked_at)
        for key, ctas in alike.items():
            for block, times in different[key].items():
                found[block] += ctas * times
        for block, times in found.items():
            mean[block] += kind.share * times / len(kind.looked_at)
    return dict(mean)


def _different(executed: Mapping[int, Mapping[int, int]]) -> Mapping[int, Mapping[int, int]]:
    """Executions by their identity: CTAs that do the same share them, as a rule."""
    return {id(executions): executions for executions in executed.values()}


def kinds(counts: Mapping[int, float], waves: Waves) -> tuple[CtaKind, ...]:
    """Kinds of CTAs by the instructions of some, by number; those that execute least first."""
    alike_runs = _alike_runs(sorted((n, number) for number, n in counts.items()))
    kind_of = {number: kind for kind, own in enumerate(alike_runs) for _, number in own}
    shares = _shares(sorted(kind_of.items()), waves)
    return tuple(
        CtaKind(
            shares[kind],
            sorted(number for _, number in own)[len(own) // 2],
            fsum(n for n, _ in own) / len(own),
            tuple(number for _, number in own),
        )
        for kind, own in enumerate(alike_runs)
    )


def _alike_runs(counted: Sequence[tuple[float, int]]) -> list[Sequence[tuple[float, int]]]:
    """Cut ascending counts where they grow most."""
    if counted[-1][0] < APART * max(counted[0][0], 1.0):
        return [counted]
    steps = [
        (more / max(less, 1.0), place)
        for place, ((less, _), (more, _)) in enumerate(pairwise(counted), 1)
    ]
    wide = sorted((step for step in steps if step[0] >= APART), reverse=True)[: MOST_KINDS - 1]
    cuts = [0, *sorted(place for _, place in wide), len(counted)]
    return [counted[a:b] for a, b in pairwise(cuts)]


def _shares(ascending: Sequence[tuple[int, int]], waves: Waves) -> Mapping[int, float]:
    """The share of all CTAs that is of each kind, by some CTAs and their kinds.

    Each stands for those around it: up to the middle between two, and of two kinds up to where a
    row of the grid ends; the last of such ends, as what is left over comes last.
    """
    row, total = waves.grid[0], waves.ctas
    found: Counter[int] = Counter()
    begin = 0
    for (number, kind), (following, other) in pairwise(ascending):
        end = (number + following + 1) // 2
        if kind != other and number // row < following // row:
            end = following // row * row
        found[kind] += end - begin
        begin = end
    found[ascending[-1][1]] += total - begin
    return {kind: ctas / total for kind, ctas in found.items()}
