"""Measuring the points of a sweep: estimates, or simulations of the whole GPU."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from warpmill.analyzer.base.diagnostics import InputError
from warpmill.analyzer.traces.source import StaticSource, TraceSource
from warpmill.session.estimates import Estimator
from warpmill.session.jobs import Job
from warpmill.session.options import EstimateOptions, RegisterSources
from warpmill.simulator.estimate.result import l2_hits
from warpmill.simulator.machines.model import Machine
from warpmill.studies.model import PointOutcome
from warpmill.sweeps.figures import FIGURES
from warpmill.sweeps.launches import Launches, SweepTarget
from warpmill.sweeps.points import EvaluationConfig, launches_digest
from warpmill.sweeps.space import Configuration


@dataclass
class SweepEvaluator:
    """Measures points by their configurations (an ``Evaluate``); may be sent to processes."""

    target: SweepTarget
    how: EvaluationConfig

    def __call__(self, inputs: Mapping[str, Any]) -> PointOutcome:
        """Measure a point. WarpmillErrors of the engine."""
        configuration: Configuration = inputs["configuration"]
        estimators = _Shared.of(self.target).estimators(inputs, self.how)
        machine = self.how.machine(configuration)
        if self.how.engine == "simulate":
            jobs = [one.job for one in estimators]
            return simulated(jobs, machine, self.how, inputs["registers"])
        return estimated(estimators, machine)


class _Shared:
    """State that points of one target share in a process: its kernels, the last's launches."""

    _kept: ClassVar[tuple[SweepTarget, _Shared] | None] = None

    def __init__(self, target: SweepTarget) -> None:
        self._target, self._launches = target, Launches(target)
        self._last: tuple[Any, tuple[Estimator, ...]] | None = None

    @classmethod
    def of(cls, target: SweepTarget) -> _Shared:
        if cls._kept is None or cls._kept[0] != target:
            cls._kept = target, cls(target)
        return cls._kept[1]

    def estimators(self, inputs: Mapping[str, Any], how: EvaluationConfig) -> tuple[Estimator, ...]:
        """The launches of a point, ready to be estimated. InputError: they have changed."""
        l2 = how.options.simulation.l2
        key = inputs["launches"], inputs["traces"], inputs["registers"], l2
        if self._last is None or self._last[0] != key:
            sources = RegisterSources(registers=inputs["registers"])
            made = (
                Estimator(
                    job,
                    registers=sources,
                    trace_options=how.options.trace,
                    options=EstimateOptions(l2=l2),
                )
                for job in self._jobs(inputs)
            )
            self._last = key, tuple(made)
        return self._last[1]

    def _jobs(self, inputs: Mapping[str, Any]) -> tuple[Job, ...]:
        """The launches that a point was made of; files may have changed in between."""
        jobs = self._launches.jobs(inputs["configuration"])
        if launches_digest(jobs) != inputs["launches"]:
            self._launches = Launches(self._target)
            jobs = self._launches.jobs(inputs["configuration"])
        if launches_digest(jobs) != inputs["launches"]:
            raise InputError(f"{self._target.path} has changed since the sweep began")
        return jobs


def estimated(estimators: Sequence[Estimator], machine: Machine) -> PointOutcome:
    """Estimate launches one after another; times and bytes add up, the rest is of the first."""
    found = [one.on(machine) for one in estimators]
    first, traffic = found[0], [t for one in found for t in one.traffic]
    figures = {
        "time_us": sum(one.time_us for one in found),
        "execution_us": sum(one.execution_us for one in found),
        "cycles": sum(one.cycles for one in found),
        "occupancy_fraction": first.occupancy.occupancy_fraction,
        "achieved_occupancy_fraction": first.achieved_occupancy_fraction,
        "ctas_per_sm": float(first.occupancy.ctas_per_sm),
        "waves": first.waves,
        "registers_per_thread": float(first.registers.registers_per_thread),
        "shared_bytes": float(first.shared_bytes),
        "l1_hit_fraction": first.l1_hit_fraction,
        "l2_hit_fraction": l2_hits(traffic),
        "l2_bytes": sum(t.l2_bytes for t in traffic),
        "dram_bytes": sum(t.dram_bytes for t in traffic),
    }
    known = {name: value for name, value in figures.items() if value is not None}
    assumed = sorted({text for one in found for text in one.assumptions})
    facts = {
        "bound": first.bound,
        "trace": first.trace,
        "registers_assumed": any(one.registers.assumed for one in found),
        "assumptions": assumed,
        "overruns": sorted({text for one in estimators for text in overruns_of(one.source)}),
    }
    return PointOutcome(known, facts | _launched([one.job for one in estimators]))


def overruns_of(source: TraceSource) -> tuple[str, ...]:
    """Accesses that leave their memory for certain; none where a kernel was executed for them."""
    return source.overruns if isinstance(source, StaticSource) else ()


def simulated(
    jobs: Sequence[Job], machine: Machine, how: EvaluationConfig, registers: int | None
) -> PointOutcome:
    """Simulate launches in a row on the whole GPU."""
    from warpmill.session import simulations  # noqa: PLC0415 - the engine is slow to load
    from warpmill.session.simulation_plans import plan  # noqa: PLC0415 - as above

    sources = RegisterSources(registers=registers)
    options = how.options
    made = plan(
        jobs,
        machine,
        options=options.simulation,
        registers=sources,
        trace_options=options.trace,
    )
    done = simulations.simulated(made).result
    figures = {name: getattr(done, name) for name in FIGURES["simulate"]}
    known = {name: float(value) for name, value in figures.items() if value is not None}
    facts = {
        "registers_assumed": any(count.assumed for count in made.registers),
        "sampled": done.sampled,
        "assumptions": sorted(done.assumptions),
    }
    return PointOutcome(known, facts | _launched(jobs))


def _launched(jobs: Sequence[Job]) -> dict[str, Any]:
    """Launch configuration: of several launches the first."""
    launch = jobs[0].required_launch()
    return {"grid": list(launch.grid), "block": list(launch.block), "launches": len(jobs)}
