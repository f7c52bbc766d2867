"""Measuring points of an exploration: all launches of a workload on a point's machine.

They are simulated, or estimated one by one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite, nan
from typing import TYPE_CHECKING, Any

from warpmill.analyzer.base.diagnostics import (
    InputError,
    LimitError,
    UsageError,
    WarpmillError,
    words_of,
)
from warpmill.exploring.points import ExplorationConfig
from warpmill.exploring.workloads import ExploredWorkload, LoadedWorkload, Ready
from warpmill.session.jobs import Job
from warpmill.session.options import LaunchOptions, RegisterSources
from warpmill.simulator.machines import load_machine
from warpmill.simulator.machines.model import Machine
from warpmill.studies.model import LIMITS, NotHereError, PointOutcome

if TYPE_CHECKING:
    from warpmill.exploring.kept_traces import KeptTraces

FIGURES = (
    "time_us", "cycles", "adjusted_us", "adjusted_cycles", "warp_ipc", "warp_instructions",
    "achieved_occupancy_fraction", "l1_hit_fraction", "l2_hit_fraction", "dram_bytes",
)  # fmt: skip
"""Figures of a point, over all launches of a workload, by the names of ``SimResult``; what is
unknown is left out. ``adjusted``: without the tail."""

ESTIMATED = (
    "time_us", "cycles", "achieved_occupancy_fraction", "l1_hit_fraction", "l2_hit_fraction",
    "dram_bytes",
)  # fmt: skip
"""Those of them that estimates tell."""


def check_response(response: str, engine: str) -> None:
    """Refuse a response that an engine does not tell. UsageError."""
    known = ESTIMATED if engine == "estimate" else FIGURES
    if response not in known:
        raise UsageError(f"--engine {engine} tells no {response}; it tells {', '.join(known)}")


@dataclass(frozen=True)
class ExplorationEvaluator:
    """Measures points (an ``Evaluate``); may be sent to processes, also on other computers."""

    how: ExplorationConfig

    def __call__(self, inputs: Mapping[str, Any]) -> PointOutcome:
        """Measure a point. WarpmillErrors of the simulation.

        NotHereError where files are not there, or have changed since points were made.
        """
        if "problem" in inputs:
            raise InputError(inputs["problem"])
        with LoadedWorkload.lock:
            try:
                ready, machine = self._ready(inputs)
            except WarpmillError as error:  # who made the point could read all of it
                raise NotHereError(*error.diagnostics) from None
            try:
                if self.how.engine == "estimate":
                    return estimated(ready, machine, self.how)
                kept = ready.kept(repr(self.how.trace))
                return simulated(ready.jobs, machine, self.how, kept, ready.sources)
            except LimitError as error:
                return PointOutcome(facts={LIMITS: self.how.limits}, problem=words_of(error))

    def _ready(self, inputs: Mapping[str, Any]) -> tuple[Ready, Machine]:
        """Read a point's workload and machine. InputError where something has changed."""
        ready = LoadedWorkload.ready(
            ExploredWorkload(
                inputs["target"], inputs["sizes"], inputs.get("kernel"),
                inputs.get("launch", LaunchOptions()),
            ),
            inputs["launches"],
        ).variant(inputs.get("software", {}))  # fmt: skip
        if ready.digest != inputs.get("launched", inputs["launches"]):
            raise InputError(f"{inputs['target']} has changed since the exploration began")
        machine = load_machine(inputs["base_at"], _settings(inputs["settings"]))
        if machine.digest != inputs["machine"]:
            raise InputError(f"{inputs['base_at']} has changed since the exploration began")
        if self.how.saved is not None and self.how.words != inputs["how"]:
            raise InputError(f"{self.how.saved} has changed since the exploration began")
        return ready, machine


def _settings(kept: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(v) if isinstance(v, list) else v for key, v in kept.items()}


def simulated(
    jobs: tuple[Job, ...],
    machine: Machine,
    how: ExplorationConfig,
    kept: KeptTraces | None = None,
    registers: RegisterSources | None = None,
) -> PointOutcome:
    """Simulate launches as they follow each other, and tell their figures.

    Traces are those that were ``kept``, where there are any.
    """
    from warpmill.session import simulations  # noqa: PLC0415 - the engine is slow to load
    from warpmill.session.simulation_plans import plan  # noqa: PLC0415 - as above

    made = plan(jobs, machine, options=how.options, trace_options=how.trace, registers=registers)
    done = simulations.simulated(made if kept is None else kept.plan(made)).result
    # the tail of launches that were cut short is that of the cut (--waves)
    adjusted = None if done.sampled else done.tail.adjusted_cycles
    figures = {
        "time_us": done.time_us,
        "cycles": float(done.cycles),
        "adjusted_us": None if adjusted is None else adjusted / done.clock_mhz,
        "adjusted_cycles": adjusted,
        "warp_ipc": done.warp_ipc,
        "warp_instructions": float(done.warp_instructions),
        "achieved_occupancy_fraction": done.achieved_occupancy_fraction,
        "l1_hit_fraction": done.l1_hit_fraction,
        "l2_hit_fraction": done.l2_hit_fraction,
        "dram_bytes": float(done.dram_bytes),
    }
    known = {n: float(v) for n, v in figures.items() if v is not None and isfinite(v)}
    facts = {
        "launches": len(jobs),
        "ctas_per_sm": sorted({one.occupancy.ctas_per_sm for one in done.launches}),
        "registers_assumed": any(count.assumed for count in made.registers),
        "sampled": done.sampled,
        "assumptions": sorted(done.assumptions),
    }
    return PointOutcome(known, facts)


def estimated(ready: Ready, machine: Machine, how: ExplorationConfig) -> PointOutcome:
    """Estimate launches one by one: what ``warpmill estimate`` says of each, together."""
    from warpmill.sweeps.sweep import estimated as estimated_together  # noqa: PLC0415 - slow to load

    found = estimated_together(ready.estimators(how.trace), machine)
    known = {n: found.figures[n] for n in ESTIMATED if isfinite(found.figures.get(n, nan))}
    facts = {
        "launches": len(ready.jobs),
        "ctas_per_sm": [int(found.figures["ctas_per_sm"])],
        "registers_assumed": found.facts["registers_assumed"],
        "sampled": False,
        "assumptions": found.facts["assumptions"],
    }
    return PointOutcome(known, facts)
