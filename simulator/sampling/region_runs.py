"""Homogeneous region sampling while a launch is simulated: TBPoint §IV-B-2 and Table IV.

A sampling unit is as long as one CTA lives. A region is entered when all CTAs that run are of it;
while units differ it is warmed up; then what is left of it is skipped, and taken to go on at the
IPC of the last units. It is left where a CTA of another region comes up.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.metric import Id, Mark, Metric, derived
from warpmill.simulator.gpu.control import Steered

Numbers = npt.NDArray[np.int64]

OUTSIDE = -1
"""The region of CTAs that are in none."""


@dataclass(frozen=True)
class RegionStability:
    """Rule by which a region is taken to go on as it does.

    Its last units are looked at in two halves, ``units`` in all, or ``share`` of the region's CTAs
    where these live in more units, but an even number. Where the IPC of both differs by less than
    ``tolerance`` of the first's, it goes on at that of the second, or where ``both``, of both.
    """

    units: int
    share: float
    tolerance: float
    both: bool

    def looked_at(self, rounds: float) -> int:
        """How many units are looked at in a region whose CTAs come up in so many rounds."""
        return max(self.units, 2 * math.ceil(self.share * rounds / 2))

    def ipc(self, units: Sequence[CtaUnit], rounds: float) -> float | None:
        """The IPC to go on at; None while units differ, or are too few."""
        half = self.looked_at(rounds) // 2
        if len(units) < 2 * half:
            return None
        before, last = _ipc(units[-2 * half : -half]), _ipc(units[-half:])
        if abs(last - before) >= self.tolerance * before:
            return None
        return _ipc(units[-2 * half :]) if self.both else last


PAPER = RegionStability(units=2, share=0.0, tolerance=0.1, both=False)
"""Two units that differ by less than a tenth; the last one says how it goes on."""
STABLE = RegionStability(units=4, share=0.05, tolerance=0.015, both=True)
"""Stability rule in use: under the paper's, two units are often alike while IPC still rises."""
STABILITIES = {"steady": STABLE, "paper": PAPER}


@dataclass(frozen=True)
class CtaUnit:
    """Instructions issued while one CTA lived; ``cycles`` is at least 1."""

    warp_instructions: int
    cycles: int

    @property
    def ipc(self) -> float:
        """Warp instructions a cycle."""
        return self.warp_instructions / self.cycles


@dataclass(frozen=True)
class SkippableCtas:
    """CTAs of a region that were skipped and are taken to go on at an IPC.

    ``ipc`` is that of the units up to ``cycle`` that were alike; ``unit_ipcs`` are their own.
    """

    region: Annotated[Id, Metric("Region")]
    first_cta: Annotated[Id, Metric("First CTA")]
    last_cta: Annotated[Id, Metric("Last CTA")]
    warp_instructions: Annotated[int, Metric("Instructions", "inst")]
    ipc: Annotated[float, Metric("IPC", "inst/cycle", Mark.MODELLED)]
    unit_ipcs: Annotated[tuple[float, ...], Metric("IPC of units", "inst/cycle", Mark.MODELLED)]
    cycle: Annotated[int, Metric("From cycle", "cycle", Mark.MODELLED)]

    @property
    def cycles(self) -> float:
        """Cycles that they would have taken."""
        return self.warp_instructions / self.ipc


@dataclass(frozen=True)
class SampledLaunch:
    """Simulated part of a launch, and what was skipped.

    ``launch`` is its number; ``cycles`` are the simulated ones, from its beginning to its end.
    """

    launch: Annotated[Id, Metric("Launch")]
    kernel: Annotated[str, Metric("Kernel")]
    cycles: Annotated[int, Metric("Cycles", "cycle", Mark.MODELLED)]
    warp_instructions: Annotated[int, Metric("Instructions issued", "inst")]
    skippable_ctas: tuple[SkippableCtas, ...]

    @derived("Cycles of the whole", "cycle", Mark.MODELLED)
    def whole_cycles(self) -> float:
        """Cycles of the whole launch: Table IV."""
        return self.cycles + sum(each.cycles for each in self.skippable_ctas)


@dataclass(frozen=True, eq=False)
class RegionPlan:
    """The region of each CTA of a launch (``OUTSIDE`` of none), and their warp instructions."""

    regions: Numbers
    warp_instructions: Numbers


def run_regions(
    running: Steered, plans: Sequence[RegionPlan | None], stability: RegionStability = STABLE
) -> tuple[SampledLaunch, ...]:
    """Run a simulation to its end, skipping what regions foretell; None: a launch runs whole.

    Its launches run one after another. Errors as ``Steered.run``.
    """
    assert len({work.stream for work in running.works}) <= 1, "launches run one after another"
    found: list[list[SkippableCtas]] = [[] for _ in plans]
    while running.begin_next():
        number = running.armed - 1
        plan = plans[number]
        if plan is not None:
            found[number] = _Sampler(running, number, plan, stability).run()
        running.run_group()
    return tuple(_launch_run(running, k, skipped) for k, skipped in enumerate(found))


def _ipc(units: Sequence[CtaUnit]) -> float:
    return sum(each.warp_instructions for each in units) / sum(each.cycles for each in units)


def _launch_run(running: Steered, number: int, skipped: list[SkippableCtas]) -> SampledLaunch:
    begin, end = running.span(number)
    before = running.counts[number - 1].sms if number else None
    issued = int(running.counts[number].sms["warp_instructions"])
    issued -= 0 if before is None else int(before["warp_instructions"])
    kernel = running.works[number].facts.kernel.name
    return SampledLaunch(number, kernel, end - begin, issued, tuple(skipped))


@dataclass
class _Sampler:
    """Samples one launch that runs."""

    running: Steered
    launch: int
    plan: RegionPlan
    stability: RegionStability

    def run(self) -> list[SkippableCtas]:
        """Run until nothing is left to be dispatched; gives what was skipped."""
        running, skipped = self.running, list[SkippableCtas]()
        at_first = set(self.plan.regions[: running.resident(self.launch)].tolist())
        bounding, region = 0, at_first.pop() if len(at_first) == 1 else OUTSIDE
        units: list[CtaUnit] = []
        began, issued = running.reached, running.issued()
        while running.run_to_end_of(self.launch, bounding):
            now, total = running.reached, running.issued()
            units.append(CtaUnit(total - issued, max(1, now - began)))
            began, issued = now, total
            following = running.first_begun(self.launch, running.life(self.launch, bounding)[1])
            current = self._region()
            ipc = None if region == OUTSIDE else self.stability.ipc(units, self._rounds(region))
            over = None if ipc is None else self._skip(region, ipc, units)
            if over is not None:
                skipped.append(over)
                following, current = running.dispatched(self.launch), OUTSIDE
            if current != region or region == OUTSIDE:
                units = []
            bounding, region = following, current
            if bounding >= len(self.plan.regions):
                break
        return skipped

    def _rounds(self, region: int) -> float:
        """How often the machine is filled with the CTAs of a region."""
        ctas = np.count_nonzero(self.plan.regions == region)
        return float(ctas / self.running.resident(self.launch))

    def _region(self) -> int:
        """The region that all CTAs that run are of, and the next one; OUTSIDE if none."""
        alive = self.running.alive(self.launch)
        found = set(self.plan.regions[alive].tolist())
        return found.pop() if len(found) == 1 else OUTSIDE

    def _skip(self, region: int, ipc: float, units: Sequence[CtaUnit]) -> SkippableCtas | None:
        """Skip what is left of a region, if anything is."""
        first = self.running.dispatched(self.launch)
        others = np.flatnonzero(self.plan.regions[first:] != region)
        end = first + int(others[0]) if len(others) else len(self.plan.regions)
        end = self.running.skip_ctas(self.launch, end)
        if end == first:
            return None
        instructions = int(self.plan.warp_instructions[first:end].sum())
        looked_at = self.stability.looked_at(self._rounds(region))
        alike = tuple(unit.ipc for unit in units[-looked_at:])
        cycle = self.running.reached
        return SkippableCtas(region, first, end - 1, instructions, ipc, alike, cycle)
