"""A whole launch out of waves of CTAs: Equation 8, or full waves and the last one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import NamedTuple

from warpmill.simulator.estimate.kinds import Typical
from warpmill.simulator.estimate.rounds import Round, Rounds
from warpmill.simulator.estimate.timing import MOST_OPERATIONS, Moved, Sm, Timing
from warpmill.simulator.estimate.waves import Triple, Waves

MOST_GENERATIONS = 3
"""Waves that are run one after another where CTAs are short."""


@dataclass(frozen=True)
class WholeLaunch:
    """The whole launch: its cycles, and the round that its figures are told by.

    ``resident`` are CTAs on an SM, in the mean over time and SMs. ``instructions`` of machines and
    ``moved`` are those of the whole launch, ``shared`` the cycles that all SMs together hold L2 and
    DRAM, ``alone`` those that the SMs would take if that held nothing up.
    """

    cycles: float
    round: Round
    timing: Timing
    resident: float
    instructions: float
    moved: Moved
    shared: Shared
    alone: float


class Shared(NamedTuple):
    """Cycles that a launch holds what all SMs share."""

    l2: float
    dram: float


class LaunchRuns:
    """Runs a launch wave by wave; ``sm`` gives an SM for CTAs at once, and active SMs.

    ``accesses`` are those to memory in each block of the kernel, ``shared`` tells how long all SMs
    hold L2 and DRAM for what they move.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - what a launch is
        self,
        waves: Waves,
        rounds: Rounds,
        sm: Callable[[int, float], Sm],
        typical: Typical,
        accesses: Sequence[int],
        shared: Callable[[Moved], Shared],
    ) -> None:
        self._shared = shared
        self._accesses = accesses
        self._waves, self._rounds, self._sm, self._typical = waves, rounds, sm, typical

    def eq8(self) -> WholeLaunch:
        """Scale one round by Equation 8."""
        w = self._waves
        resident = min(w.per_sm, w.most_per_sm)
        one = self._rounds.of(w.of_sm(w.full // 2 if w.full else 0, resident))
        timing = self._sm(resident, w.active_sms).time(one)
        held = min(float(resident), w.ctas / w.sms)
        cycles = timing.cycles * w.most_per_sm / resident
        return self._made(cycles, one, timing, held)

    def waves(self) -> WholeLaunch:
        """Add up full waves and the last one."""
        w = self._waves
        if w.full == 0:
            last, timing = self._last()
            return self._made(timing.cycles, last, timing, w.rest / w.sms)
        one = self._rounds.of(self._ctas(1))
        sm = self._sm(w.per_sm, w.sms * self._typical.beside)
        timing = sm.time(one)
        generations = self._generations(timing)
        if generations > 1:
            return self._overlapping(timing, generations)
        rest = self._last()[1].cycles + sm.start_cycles if w.rest else 0.0
        full = timing.cycles * w.full * (self._others(one, timing) if w.full > 1 else 1.0)
        return self._whole(full + sm.start_cycles * (w.full - 1), rest, one, timing)

    def _last(self) -> tuple[Round, Timing]:
        """Run the CTAs of the last wave on their own.

        An SM that has more of them than others asks for more of what all share.
        """
        w = self._waves
        count = w.rest_per_sm
        ctas, active = w.of_sm(w.full, count, w.rest_sms), w.rest / count
        if w.full == 0 and self._typical.cta is not None:
            ctas = w.beside(self._typical.cta, 0, count)
            active = max(1.0, active * self._typical.beside)
        one = self._rounds.of(ctas)
        return one, self._sm(count, active).time(one)

    def _generations(self, timing: Timing) -> int:
        """Tell how many waves are run one after another: CTAs of the next begin as others end.

        The last one counts as if it were full; its CTAs begin so too.
        """
        most = int(MOST_OPERATIONS / max(1.0, timing.operations))
        waves = self._waves.full + (self._waves.rest > 0)
        return 1 if timing.extrapolated else min(waves, most, MOST_GENERATIONS)

    def _overlapping(self, timing: Timing, generations: int) -> WholeLaunch:
        """Run some waves with the last one after them; the waves between take as long each."""
        w = self._waves
        several = self._rounds.of(self._ctas(generations))
        whole = self._sm(w.per_sm, w.sms).time(several)
        waves = several.size / w.per_sm
        each = (whole.cycles - timing.cycles) / (waves - 1)
        each = max(each, whole.held.busiest / waves)  # no wave is done in less
        rest = w.rest_per_sm / w.per_sm * each if w.rest else 0.0
        full = (timing.cycles + each * (w.full - 1)) * self._others(several, whole)
        return self._whole(full, rest, several, whole)

    def _ctas(self, generations: int) -> tuple[Triple, ...]:
        """Give the CTAs of an SM in some waves, about half of them before the middle one.

        The last wave may have fewer, of which no CTA is run twice.
        """
        w = self._waves
        before, count = generations // 2, min(generations * w.per_sm, w.most_per_sm)
        if self._typical.cta is None:
            return w.of_sm(max(0, w.full // 2 - before), count)
        return w.beside(self._typical.cta, before, count)

    def _others(self, one: Round, timing: Timing) -> float:
        """Tell how much longer other full waves take: as much as their CTAs have instructions."""
        mean, own = self._typical.instructions, timing.instructions / one.size
        return 1.0 if mean is None or not own else mean / own

    def _whole(self, full: float, rest: float, one: Round, timing: Timing) -> WholeLaunch:
        """Put the time of full waves and that of the last one together."""
        w = self._waves
        held = (full * w.per_sm + rest * w.rest / w.sms) / (full + rest)
        return self._made(full + rest, one, timing, held)

    def _made(self, cycles: float, one: Round, timing: Timing, resident: float) -> WholeLaunch:
        """Scale what a round did to the launch; what it moved, block by block.

        CTAs that have less to do than those of the round leave out some of its blocks.
        """
        ctas, mean = self._waves.ctas, self._typical.executions or {}
        scale = ctas / one.size * self._others(one, timing)
        standing, instead = self._instead(one, mean)

        def times(block: int) -> float:
            own, others = one.executions.get(block, 0), mean.get(block, 0.0)
            if not own or not others:
                return scale
            return ctas * others / own * (instead if block in standing else 1.0)

        moved = timing.moved.over(times)
        shared = self._shared(moved)  # a round may ask for less of what all share than others do
        whole, instructions = max(cycles, *shared), timing.instructions * scale
        return WholeLaunch(whole, one, timing, resident, instructions, moved, shared, cycles)

    def _instead(self, one: Round, mean: Mapping[int, float]) -> tuple[frozenset[int], float]:
        """Give the blocks that stand for those that no CTA of the round executes, and how often.

        They are those that not all CTAs execute, if any; an access of others moves as much.
        """
        ours = {block for block in mean if one.executions.get(block)}
        fewer = {block for block in ours if mean[block] * one.size < one.executions[block]}
        weight = {block: times * self._accesses[block] for block, times in mean.items()}
        others = fsum(w for block, w in weight.items() if block not in ours)
        standing = fewer if any(weight[block] for block in fewer) else ours
        own = fsum(weight[block] for block in standing)
        return frozenset(standing), 1.0 + others / own if own else 1.0
