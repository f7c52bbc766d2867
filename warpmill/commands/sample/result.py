"""What ``sample`` answers: what was chosen and why, and what it says of the whole."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from warpmill.commands.simulate.result import NotSimulated
from warpmill.report.base import Id, Mark, Marks, Part, Report, marks
from warpmill.sampling.growing import half_width
from warpmill.sampling.results import ApplicationSample, Sampled
from warpmill.sampling.saved_selections import MODEL_METHODS
from warpmill.session.sampled_launches import SampledApplication
from warpmill.simulator.sampling.model import Selection, Stratum
from warpmill.simulator.sampling.region_runs import SampledLaunch


class SampledStratum(Part):
    """Units that stand for each other, by their numbers; those ``chosen`` were simulated.

    ``launches`` are the chosen units', by their numbers in the application. ``weight`` is the share
    of all warp instructions that the members execute.
    """

    kernels: list[str]
    members: list[Id]
    chosen: list[Id]
    launches: list[Id]
    warp_instructions: int
    weight: float


class UnitLaunches(Part):
    """What is simulated together: launches from the first to the last, by their numbers."""

    first_launch: Id
    last_launch: Id
    warp_instructions: int


class Projected(Part):
    """A figure of the whole, and where it lies with 95 % confidence; null: nothing tells it."""

    name: str
    unit: str
    value: float
    low: float | None
    high: float | None
    simulated: float | None
    """The figure of the whole, where all launches were simulated too."""


class PassedRegion(Part):
    """CTAs of a launch that were not simulated: taken to go on at ``ipc`` from ``cycle`` on.

    ``unit_ipcs`` are those of the sampling units before that, in warp instructions a cycle, which
    were alike, and ``ipc`` that of the last of them together. ``warp_instructions`` are those that
    the machine would issue.
    """

    launch: Id
    kernel: str
    region: Id
    first_cta: Id
    last_cta: Id
    warp_instructions: int
    unit_ipcs: tuple[float, ...]
    ipc: float
    cycle: int


class LaunchSample(Part):
    """A launch that was simulated: what was issued, and what the whole of it takes."""

    launch: Id
    kernel: str
    warp_instructions: int
    cycles: int
    whole_cycles: float


class Tried(Part):
    """A selection that was simulated on the way to the target error."""

    units: int
    sample_share: float
    half_width: float | None


class SampleCheck(Part):
    """The simulation of all launches beside the sample.

    ``error`` is projected over simulated cycles, less 1. ``holds``: they lie in the interval; null
    where there is none. ``exceeds``: the error is above the limit; null without one.
    """

    cycles: float
    error: float
    holds: bool | None
    exceeds: bool | None


class MachineSample(Part):
    """A sample on a machine. ``speedup`` is all over simulated warp instructions, as issued.

    ``warming_launches`` were simulated so that caches are warm; their instructions are among those
    simulated. ``half_width`` is half of the interval of cycles, relative to them. ``met``: what is
    aimed at with a target error; null without one, or where nothing tells.
    """

    machine: str
    clock_mhz: float
    figures: list[Projected]
    half_width: float | None
    warp_instructions: int
    simulated_warp_instructions: int
    sample_share: float
    speedup: float
    warming_launches: int
    warming_warp_instructions: int
    launches: list[LaunchSample]
    passed_over: list[PassedRegion]
    tried: list[Tried]
    met: bool | None
    check: SampleCheck | None
    marks: Marks


class SampleReport(Report):
    """A sample of a target's launches.

    ``options`` are those of the method. ``inside``: CTAs may be passed over inside of launches,
    from when ``stability`` says. ``warm_up``: as many launches before a chosen one may be simulated
    so that caches are warm.
    ``expected_error`` is by the estimated times that GT-Pin chose by, null where there were none.
    Instructions here are as profiles count them, those of ``machines`` as the machine issues them.
    ``saved`` is the file that the selection came from. ``exceeding`` names machines whose error is
    above ``limit``.
    """

    report: Literal["sample"] = "sample"
    target: str
    method: str
    options: dict[str, str]
    inside: bool
    stability: str | None
    warm_up: int
    saved: str | None
    target_error: float | None
    expected_error: float | None
    kernels: list[str]
    launches: int
    chosen_launches: int
    warp_instructions: int
    thread_instructions: int
    chosen_warp_instructions: int
    chosen_share: float
    units: list[UnitLaunches]
    strata: list[SampledStratum]
    machines: list[MachineSample]
    limit: float | None
    exceeding: list[str]
    not_simulated: list[NotSimulated]
    marks: Marks


def sample_report(
    target: str, sampled: Sampled, *, limit: float | None = None, saved: str | None = None
) -> SampleReport:
    """Report a sample. ``limit`` is the largest error that is not flagged, as a share."""
    app, selection = sampled.application, sampled.selection
    words = {own: word for word, own in MODEL_METHODS.items()}
    aimed = sampled.options.target_error
    expected = sampled.samples[0].expected_error
    machines = [_machine(one, limit) for one in sampled.samples]
    every = [one.profile.thread_instructions for one in app.launches]
    return SampleReport(
        target=target,
        method=words.get(selection.method, selection.method),
        options=dict(selection.options),
        inside=sampled.options.passes_over,
        stability=sampled.options.rule if sampled.options.passes_over else None,
        warm_up=sampled.options.warm_ups,
        saved=saved,
        target_error=None if aimed is None else aimed / 100,
        expected_error=None if expected is None else expected / 100,
        kernels=list(dict.fromkeys(one.kernel for one in app.launches)),
        launches=len(app.launches),
        chosen_launches=len(selection.launches),
        warp_instructions=selection.warp_instructions,
        thread_instructions=sum(every),
        chosen_warp_instructions=selection.sampled_warp_instructions,
        chosen_share=selection.sample_share,
        units=[
            UnitLaunches(
                first_launch=app.launches[unit.first].number,
                last_launch=app.launches[unit.end - 1].number,
                warp_instructions=unit.warp_instructions,
            )
            for unit in selection.units
        ],
        strata=[_stratum(app, selection, each) for each in selection.strata],
        machines=machines,
        limit=limit,
        exceeding=[one.machine for one in machines if one.check is not None and one.check.exceeds],
        not_simulated=[NotSimulated(machine=m, reason=why) for m, why in sampled.not_simulated],
        marks=marks(SampleReport, Mark.EXACT, expected_error=Mark.MODELLED),
    )


def _stratum(app: SampledApplication, selection: Selection, one: Stratum) -> SampledStratum:
    units = [selection.units[n] for n in one.members]
    named = (app.launches[n].kernel for unit in units for n in unit.launches)
    chosen = [n for unit in one.chosen for n in selection.units[unit].launches]
    return SampledStratum(
        kernels=list(dict.fromkeys(named)),
        members=list(one.members),
        chosen=list(one.chosen),
        launches=[app.launches[n].number for n in chosen],
        warp_instructions=sum(unit.warp_instructions for unit in units),
        weight=one.weight,
    )


def _machine(one: ApplicationSample, limit: float | None) -> MachineSample:
    width = half_width(one.projection)
    return MachineSample(
        machine=one.machine.name,
        clock_mhz=float(one.machine.number("clock.sm_mhz")),
        figures=list(_figures(one)),
        half_width=width,
        warp_instructions=one.issued.warp_instructions,
        simulated_warp_instructions=one.simulated_warp_instructions,
        sample_share=one.sample_share,
        speedup=one.issued.warp_instructions / max(1, one.simulated_warp_instructions),
        warming_launches=len(one.warming),
        warming_warp_instructions=sum(run.warp_instructions for run in one.warming),
        launches=[
            LaunchSample(
                launch=one.application.launches[number].number,
                kernel=one.application.launches[number].kernel,
                warp_instructions=run.warp_instructions,
                cycles=run.cycles,
                whole_cycles=run.whole_cycles,
            )
            for number, run in zip(one.numbers, one.runs, strict=True)
        ],
        passed_over=[
            each
            for number, run in zip(one.numbers, one.runs, strict=True)
            for each in _passed(one, number, run)
        ],
        tried=[
            Tried(units=p.units, sample_share=p.sample_share, half_width=p.half_width)
            for p in one.passes
        ],
        met=_met(one, width),
        check=_check(one, limit),
        marks=_marks(one),
    )


def _marks(one: ApplicationSample) -> dict[str, Mark]:
    """Mark what is scaled; where all was simulated, nothing is."""
    scaled = Mark.MODELLED if one.is_whole else Mark.SAMPLED
    in_part = Mark.SAMPLED if any(run.passed for run in one.runs) else Mark.MODELLED
    others: Mapping[str, Mark] = {
        "figures": scaled,
        "figures__simulated": Mark.MODELLED,
        "half_width": scaled,
        "launches__cycles": Mark.MODELLED,
        "launches__whole_cycles": in_part,
        "passed_over__ipc": Mark.MODELLED,
        "passed_over__unit_ipcs": Mark.MODELLED,
        "passed_over__cycle": Mark.MODELLED,
        "tried__half_width": Mark.SAMPLED,
        "check": Mark.MODELLED,
    }
    return marks(MachineSample, Mark.EXACT, **others)


def _figures(one: ApplicationSample) -> Iterator[Projected]:
    """Cycles, and what follows from them."""
    cycles, interval = one.projection.cycles, bounds(one)
    low, high = (None, None) if interval is None else interval
    true = None if one.whole is None else one.whole.cycles
    per_us = float(one.machine.number("clock.sm_mhz"))
    for name, unit, scale in (("cycles", "cycles", 1.0), ("time", "µs", 1.0 / per_us)):
        yield Projected(
            name=name,
            unit=unit,
            value=cycles * scale,
            low=_times(low, scale),
            high=_times(high, scale),
            simulated=_times(true, scale),
        )
    issued = one.issued
    counts = {
        "ipc": ("warp instructions a cycle", issued.warp_instructions),
        "thread_ipc": ("thread instructions a cycle", issued.thread_instructions),
    }
    for name, (unit, count) in counts.items():
        yield Projected(
            name=name,
            unit=unit,
            value=count / cycles,
            low=None if high is None else count / high,
            high=None if low is None else count / low,
            simulated=None if true is None else count / true,
        )


def bounds(one: ApplicationSample) -> tuple[float, float] | None:
    """The interval of cycles; the whole takes no less than what was simulated of it."""
    if one.projection.interval is None:
        return None
    low, high = one.projection.interval
    simulated = float(sum(run.cycles for run in one.runs))
    return max(low, min(simulated, one.projection.cycles)), high


def _times(value: float | None, scale: float) -> float | None:
    return None if value is None else value * scale


def _passed(one: ApplicationSample, number: int, run: SampledLaunch) -> Iterator[PassedRegion]:
    launch = one.application.launches[number]
    for passed in run.passed:
        yield PassedRegion(
            launch=launch.number,
            kernel=launch.kernel,
            region=passed.region,
            first_cta=passed.first,
            last_cta=passed.end - 1,
            warp_instructions=passed.warp_instructions,
            unit_ipcs=passed.unit_ipcs,
            ipc=passed.ipc,
            cycle=passed.cycle,
        )


def _met(one: ApplicationSample, width: float | None) -> bool | None:
    """Whether the target error is met, by what the method goes by."""
    target = one.options.target_error
    if target is None:
        return None
    if one.expected_error is not None:
        return one.expected_error <= target
    return None if width is None else width * 100 <= target


def _check(one: ApplicationSample, limit: float | None) -> SampleCheck | None:
    if one.whole is None or one.error is None:
        return None
    interval, cycles = bounds(one), one.whole.cycles
    slack = 1e-9 * cycles  # an interval of a point holds what is the same but for rounding
    return SampleCheck(
        cycles=cycles,
        error=one.error,
        holds=None if interval is None else interval[0] - slack <= cycles <= interval[1] + slack,
        exceeds=None if limit is None else abs(one.error) > limit,
    )
