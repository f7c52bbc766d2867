"""Homogeneous region sampling while a launch is simulated: TBPoint §IV-B-2 and Table IV.

A sampling unit is as long as one CTA lives. A region is entered when all CTAs that run are of it;
while units differ by more than a tenth it is warmed up; then what is left of it is passed over, and
taken to go on at the IPC of the last unit. It is left where a CTA of another region comes up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from simulator.gpu import fields as f
from simulator.gpu.steered import Steered

Numbers = npt.NDArray[np.int64]

STABLE = 0.1
"""The difference between the IPC of two units below which caches are taken to be warm."""
OUTSIDE = -1
"""The region of CTAs that are in none."""


@dataclass(frozen=True)
class PassedOver:
    """CTAs of a launch, ``first`` to before ``end``, that were taken to go on at an IPC.

    ``ipc`` is in warp instructions a cycle, of the unit that ended at ``cycle``; ``before`` is that
    of the unit before it.
    """

    launch: int
    region: int
    first: int
    end: int
    warp_instructions: int
    ipc: float
    before: float
    cycle: int

    @property
    def cycles(self) -> float:
        """What they would have taken."""
        return self.warp_instructions / self.ipc


@dataclass(frozen=True)
class LaunchRun:
    """What was simulated of a launch, and what was passed over.

    ``cycles`` are the simulated ones, from its beginning to its end.
    """

    launch: int
    cycles: int
    warp_instructions: int
    passed: tuple[PassedOver, ...]

    @property
    def whole_cycles(self) -> float:
        """Cycles of the whole launch: Table IV."""
        return self.cycles + sum(each.cycles for each in self.passed)

    @property
    def whole_warp_instructions(self) -> int:
        """Warp instructions of the whole launch."""
        return self.warp_instructions + sum(each.warp_instructions for each in self.passed)


@dataclass(frozen=True, eq=False)
class Plan:
    """The region of each CTA of a launch (``OUTSIDE`` of none), and their warp instructions."""

    regions: Numbers
    warp_instructions: Numbers


def run_regions(running: Steered, plans: Sequence[Plan | None]) -> tuple[LaunchRun, ...]:
    """Run a simulation to its end, passing over what regions foretell; None: a launch runs whole.

    Its launches run one after another. Errors as ``Steered.run``.
    """
    assert len({work.stream for work in running.works}) <= 1, "launches run one after another"
    found: list[list[PassedOver]] = [[] for _ in plans]
    while running.begin_next():
        number = running.armed - 1
        plan = plans[number]
        if plan is not None:
            found[number] = _Sampler(running, number, plan).run()
        running.run_group()
    return tuple(_launch_run(running, k, passed) for k, passed in enumerate(found))


def _launch_run(running: Steered, number: int, passed: list[PassedOver]) -> LaunchRun:
    begin, end = running.span(number)
    before = running.counts[number - 1].sms if number else None
    issued = int(running.counts[number].sms[f.N_WARP_INSTRUCTIONS])
    issued -= 0 if before is None else int(before[f.N_WARP_INSTRUCTIONS])
    return LaunchRun(number, end - begin, issued, tuple(passed))


@dataclass
class _Sampler:
    """Samples one launch that runs."""

    running: Steered
    launch: int
    plan: Plan

    def run(self) -> list[PassedOver]:
        """Run until nothing is left to be dispatched; gives what was passed over."""
        passed: list[PassedOver] = []
        at_first = set(self.plan.regions[: self.running.resident(self.launch)].tolist())
        bounding, region, before = 0, at_first.pop() if len(at_first) == 1 else OUTSIDE, None
        while self.running.run_to_end_of(self.launch, bounding):
            begin, end = self.running.life(self.launch, bounding)
            ipc = self.running.issued_between(begin, end) / max(1, end - begin)
            following = self.running.first_begun(self.launch, end)
            now = self._region()
            if region != OUTSIDE and before is not None and _is_stable(before, ipc):
                over = self._pass_over(region, ipc, before, end)
                if over is not None:
                    passed.append(over)
                    following, now = self.running.dispatched(self.launch), OUTSIDE
            before = ipc if now == region != OUTSIDE else None
            bounding, region = following, now
            if bounding >= len(self.plan.regions):
                break
        return passed

    def _region(self) -> int:
        """Give the region that all CTAs that run are of, and the next one; OUTSIDE if none."""
        alive = self.running.alive(self.launch)
        found = set(self.plan.regions[alive].tolist())
        return found.pop() if len(found) == 1 else OUTSIDE

    def _pass_over(self, region: int, ipc: float, before: float, cycle: int) -> PassedOver | None:
        """Pass over what is left of a region, if anything is."""
        first = self.running.dispatched(self.launch)
        others = np.flatnonzero(self.plan.regions[first:] != region)
        end = first + int(others[0]) if len(others) else len(self.plan.regions)
        end = self.running.pass_over(self.launch, end)
        if end == first:
            return None
        instructions = int(self.plan.warp_instructions[first:end].sum())
        return PassedOver(self.launch, region, first, end, instructions, ipc, before, cycle)


def _is_stable(before: float, now: float) -> bool:
    return abs(now - before) < STABLE * before
