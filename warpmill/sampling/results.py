"""Results of sampling an application on machines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from warpmill.analyzer.base.metric import INTERNAL, Id, Mark, Metric, Named, derived
from warpmill.report.base import Report
from warpmill.report.facts import NotSimulated
from warpmill.sampling.growing import SamplingPass, half_width
from warpmill.sampling.issued import Issued
from warpmill.sampling.options import SampleOptions
from warpmill.session.sampled_launches import SampledApplication
from warpmill.simulator.machines.model import Machine
from warpmill.simulator.sampling.model import Projection, RecordedLaunch, Selection, Stratum
from warpmill.simulator.sampling.region_runs import SampledLaunch


@dataclass(frozen=True)
class Whole:
    """The simulation of all launches, beside a sample."""

    cycles: Annotated[float, Metric("Elapsed cycles, all simulated", "cycle", Mark.MODELLED)]
    seconds_taken: Annotated[float, INTERNAL]


@dataclass(frozen=True)
class ProjectedFigure:
    """A figure of the whole, and where it lies with 95 % confidence; None: nothing tells it.

    ``simulated`` is the figure of the whole, where all launches were simulated too.
    """

    name: Annotated[Named, Metric("Figure")]
    unit: str
    value: Annotated[float, Metric("Projected")]
    low: Annotated[float | None, Metric("95% low")]
    high: Annotated[float | None, Metric("95% high")]
    simulated: Annotated[float | None, Metric("All simulated", mark=Mark.MODELLED)]


@dataclass(frozen=True)
class ApplicationSample:
    """Simulated part of an application on a machine, and its projection to the whole.

    ``runs`` are those of the launches that were simulated, ``numbers`` their places among the
    application's, ``warming`` those of others that were simulated so that caches are warm.
    ``cycles`` is by unit, ``issued`` what the machine issues of all launches. ``taken`` has CPU
    seconds by what they went to: profile, choice, simulation. ``passes`` are the selections that
    were simulated until one met the target error, and ``expected_error`` what the choice was made
    by, as ``Chosen`` has it.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    application: Annotated[SampledApplication, INTERNAL]
    simulated_on: Annotated[Machine, INTERNAL]
    options: Annotated[SampleOptions, INTERNAL]
    selection: Annotated[Selection, INTERNAL]
    numbers: Annotated[tuple[int, ...], INTERNAL]
    runs: tuple[SampledLaunch, ...]
    warming: tuple[SampledLaunch, ...]
    cycles: Annotated[Mapping[int, float], INTERNAL]
    projection: Annotated[Projection, INTERNAL]
    issued: Issued
    taken: Annotated[Mapping[str, float], INTERNAL]
    whole: Whole | None = None
    passes: tuple[SamplingPass, ...] = ()
    expected_error: Annotated[float | None, Metric("Expected error", "%", Mark.MODELLED)] = None

    def mark_exceptions(self) -> Mapping[str, Mark]:
        """Marks of scaled figures; where all was simulated, nothing is."""
        is_cut = any(run.skippable_ctas for run in self.runs)
        is_whole = not is_cut and len(self.numbers) == len(self.application.launches)
        scaled = Mark.MODELLED if is_whole else Mark.SAMPLED
        figures = ("figures.value", "figures.low", "figures.high", "half_width")
        return dict.fromkeys(figures, scaled) | (
            {"runs.whole_cycles": Mark.SAMPLED} if is_cut else {}
        )

    @derived("Machine")
    def machine(self) -> str:
        """The machine's name."""
        return self.simulated_on.name

    @derived("SM clock", "MHz")
    def clock_mhz(self) -> float:
        """The clock that cycles are of."""
        return float(self.simulated_on.number("clock.sm_mhz"))

    @derived("Instructions simulated", "inst")
    def simulated_warp_instructions(self) -> int:
        """Warp instructions that were issued in the simulation, warming included."""
        return sum(run.warp_instructions for run in (*self.runs, *self.warming))

    @derived("Share simulated", "%")
    def sample_share(self) -> float:
        """The share of the issued instructions that was simulated, warming included."""
        return self.simulated_warp_instructions / max(1, self.issued.warp_instructions)

    @derived("Speedup", "x")
    def speedup(self) -> float:
        """All over simulated warp instructions, as issued."""
        return self.issued.warp_instructions / max(1, self.simulated_warp_instructions)

    @derived("Warm-up instructions", "inst")
    def warming_warp_instructions(self) -> int:
        """Warp instructions of the launches that were simulated so that caches are warm."""
        return sum(run.warp_instructions for run in self.warming)

    @derived("95% confidence interval, ±", "%")
    def half_width(self) -> float | None:
        """Half of the interval of cycles, relative to them."""
        return half_width(self.projection)

    @derived("Within the target error")
    def met(self) -> bool | None:
        """Whether the target error is met, by what the method goes by; None: nothing tells."""
        reached = self.half_width if self.expected_error is None else self.expected_error
        target = self.options.target_error
        return None if target is None or reached is None else reached * 100 <= target

    @derived("Error against the whole", "%", Mark.MODELLED)
    def error(self) -> float | None:
        """Projected over simulated cycles of the whole, less 1; None: not checked."""
        return None if self.whole is None else self.projection.cycles / self.whole.cycles - 1.0

    @derived("In the interval")
    def holds(self) -> bool | None:
        """Whether the cycles of the whole lie in the interval; None: there is none, or no check."""
        interval = self.interval
        if self.whole is None or interval is None:
            return None
        slack = 1e-9 * self.whole.cycles  # an interval of a point holds what is the same
        return interval[0] - slack <= self.whole.cycles <= interval[1] + slack

    @property
    def interval(self) -> tuple[float, float] | None:
        """The interval of cycles; the whole takes no less than what was simulated of it."""
        if self.projection.interval is None:
            return None
        low, high = self.projection.interval
        simulated = float(sum(run.cycles for run in self.runs))
        return max(low, min(simulated, self.projection.cycles)), high

    @property
    def seconds(self) -> float:
        """The projected time."""
        return self.projection.cycles / (self.clock_mhz * 1e6)

    @derived("Projected figures")
    def figures(self) -> tuple[ProjectedFigure, ...]:
        """Cycles, and what follows from them."""
        value, (low, high) = self.projection.cycles, self.interval or (None, None)
        true = None if self.whole is None else self.whole.cycles
        cycles = ProjectedFigure(Named("cycles", "Cycles"), "cycles", value, low, high, true)
        warps, threads = self.issued.warp_instructions, self.issued.thread_instructions
        return (
            cycles,
            _scaled(cycles, Named("time", "Duration (µs)"), "µs", 1.0 / self.clock_mhz),
            _rate(cycles, Named("ipc", "IPC"), "warp instructions a cycle", warps),
            _rate(
                cycles, Named("thread_ipc", "Thread IPC"), "thread instructions a cycle", threads
            ),
        )


def _scaled(cycles: ProjectedFigure, name: Named, unit: str, scale: float) -> ProjectedFigure:
    each = (cycles.value, cycles.low, cycles.high, cycles.simulated)
    value, *others = (None if one is None else one * scale for one in each)
    assert value is not None
    return ProjectedFigure(name, unit, value, *others)


def _rate(cycles: ProjectedFigure, name: Named, unit: str, count: int) -> ProjectedFigure:
    """``count`` a cycle; its low end is that of the most cycles."""
    each = (cycles.high, cycles.low, cycles.simulated)
    others = (None if one is None else count / one for one in each)
    return ProjectedFigure(name, unit, count / cycles.value, *others)


@dataclass(frozen=True)
class StratumLaunches:
    """The launches of a stratum: kernels, the simulated ones by number, instructions of all."""

    number: Id
    stratum: Annotated[Stratum, INTERNAL]
    kernels: Annotated[tuple[str, ...], Metric("Kernels")]
    launches: Annotated[tuple[Id, ...], Metric("Simulated launches")]
    warp_instructions: Annotated[int, Metric("Instructions", "inst")]


class SampleReport(Report):
    """A selection of an application, simulated on some machines, in the order asked for.

    ``saved`` is the file that the selection came from, ``limit`` the largest true error that is not
    flagged. Places in ``selection`` are those of ``launches``. Instructions there are as profiles
    count them, those of ``machines`` as the machine issues them.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    report: Literal["sample"] = "sample"
    application: Annotated[SampledApplication, INTERNAL]
    options: Annotated[SampleOptions, INTERNAL]
    selection: Selection
    machines: tuple[ApplicationSample, ...]
    not_simulated: tuple[NotSimulated, ...]
    saved: Annotated[str | None, Metric("Selection of")] = None
    limit: Annotated[float | None, Metric("Error limit", "%")] = None

    @derived("Target")
    def target(self) -> str:
        """The application."""
        return self.application.title

    @derived("CTAs skipped inside of launches")
    def inside(self) -> bool:
        """Whether CTAs may be skipped inside of launches."""
        return self.options.skips_ctas

    @derived("Skipped when")
    def stability(self) -> str | None:
        """The rule by which CTAs begin to be skipped."""
        return self.options.rule if self.inside else None

    @derived("Warm-up launches, limit")
    def warm_up(self) -> int:
        """How many launches before a chosen one may be simulated so that caches are warm."""
        return self.options.warm_ups

    @derived("Target error", "%")
    def target_error(self) -> float | None:
        """The error that is aimed at."""
        aimed = self.options.target_error
        return None if aimed is None else aimed / 100

    @derived("Launches")
    def launches(self) -> tuple[RecordedLaunch, ...]:
        """The launches of the application that are chosen among."""
        return self.application.launches

    @derived("Kernels")
    def kernels(self) -> tuple[str, ...]:
        """The kernels launched, mangled."""
        return tuple(dict.fromkeys(one.kernel for one in self.launches))

    @derived("Thread instructions", "thread inst")
    def thread_instructions(self) -> int:
        """Instructions by threads of all launches."""
        return sum(one.profile.thread_instructions for one in self.application.launches)

    @derived("Launches of the strata")
    def stratum_launches(self) -> tuple[StratumLaunches, ...]:
        """Launches that each stratum of the selection stands for, in their order."""
        return tuple(self._launches(k, one) for k, one in enumerate(self.selection.strata))

    def _launches(self, number: int, stratum: Stratum) -> StratumLaunches:
        every, chosen = (
            [self.launches[n] for unit in numbers for n in self.selection.units[unit].launches]
            for numbers in (stratum.members, stratum.chosen)
        )
        return StratumLaunches(
            number,
            stratum,
            tuple(dict.fromkeys(one.kernel for one in every)),
            tuple(one.number for one in chosen),
            sum(one.warp_instructions for one in every),
        )

    @derived("Machines over the limit")
    def exceeding(self) -> tuple[str, ...]:
        """The machines whose true error is above the limit."""
        most = float("inf") if self.limit is None else self.limit
        return tuple(one.machine for one in self.machines if abs(one.error or 0.0) > most)
