"""Simulations: the launches of jobs in a row on a whole GPU, cycle by cycle.

::

    job = warpmill.prepare("samples/vecadd/launch.toml")
    result = warpmill.simulate(job, "v100")
    print(result.cycles, result.warp_ipc)
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Unpack

from warpmill.analyzer.base.diagnostics import NO_ANSWER, WarpmillError
from warpmill.session.jobs import Job
from warpmill.session.options import KernelKeywords, RegistersFrom, TraceOptions
from warpmill.session.prepare import jobs_of
from warpmill.session.simulation_plans import SimulationPlan, Streams, plan
from warpmill.simulator.gpu.constants import RUN_DONE
from warpmill.simulator.gpu.options import Options
from warpmill.simulator.gpu.result import SimResult
from warpmill.simulator.gpu.results import result_of
from warpmill.simulator.gpu.simulate import Simulation
from warpmill.simulator.machines.model import Machine
from warpmill.studies.processes import in_processes

SLICE_S = 0.25
"""Seconds after which a simulation tells how far it is, about, and can be interrupted."""

_FIRST_STEPS, _MOST_STEPS = 16, 1 << 40


@dataclass(frozen=True)
class Done:
    """How far a simulation is. ``share``: of its CTAs, weighted by their warps, from 0 to 1."""

    share: float
    cycles: int
    seconds: float

    @property
    def seconds_left(self) -> float | None:
        """The time that is left if the rest goes as what is done went; None: nothing has ended."""
        return self.seconds * (1.0 - self.share) / self.share if self.share else None


Progress = Callable[[Done], None]


@dataclass(frozen=True)
class Simulated:
    """A plan, and what came of it."""

    plan: SimulationPlan
    result: SimResult


def simulate(
    jobs: Job | str | Path | Sequence[Job],
    machine: str | Machine,
    *,
    options: Options | None = None,
    overrides: Mapping[str, str | int | float | bool] | None = None,
    registers: RegistersFrom | None = None,
    trace_options: TraceOptions | None = None,
    streams: Streams = "recorded",
    progress: Progress | None = None,
    **launch: Unpack[KernelKeywords],
) -> SimResult:
    """Simulate the launches of jobs, one after another, on a machine by name, path or as it is.

    A target, such as a launch file, is prepared as ``prepare_all`` does, with the same keywords:
    ``simulate("launch.toml", "a100", sizes={"n": 512})``. UsageError for an unknown
    machine or setting, InputError where a launch does not fit on it, LimitError where a limit of
    ``options`` is reached; ``progress`` is told now and then.
    """
    made = plan(
        jobs_of(jobs, **launch),
        machine,
        options=options,
        overrides=overrides,
        registers=registers,
        trace_options=trace_options,
        streams=streams,
    )
    return simulated(made, progress).result


def simulation(
    jobs: Job | str | Path | Sequence[Job],
    machine: str | Machine,
    *,
    options: Options | None = None,
    overrides: Mapping[str, str | int | float | bool] | None = None,
    registers: RegistersFrom | None = None,
    trace_options: TraceOptions | None = None,
    streams: Streams = "recorded",
    **launch: Unpack[KernelKeywords],
) -> Simulation:
    """Simulation that ``simulate`` runs, not yet run: it can run up to a cycle. Errors as there."""
    return plan(
        jobs_of(jobs, **launch),
        machine,
        options=options,
        overrides=overrides,
        registers=registers,
        trace_options=trace_options,
        streams=streams,
    ).simulation()


def simulated(
    made: SimulationPlan, progress: Progress | None = None, *, resume: Path | None = None
) -> Simulated:
    """Run a plan to its end, from a checkpoint on where one is given. Errors as ``simulate``."""
    running = _made(made, resume)
    run_slices(running, progress)
    return Simulated(made, result_of(running))


def simulated_each(
    plans: Sequence[SimulationPlan], workers: int
) -> Iterator[Simulated | WarpmillError]:
    """Run plans to their ends, so many at a time, each in a process of its own; in their order.

    One whose launches do not fit on its machine, or that reaches a limit, gives the error; other
    errors as ``simulate``.
    """
    with in_processes(_outcome, plans, min(workers, len(plans))) as outcomes:
        for made, found in zip(plans, outcomes, strict=True):
            if isinstance(found, SimResult):
                yield Simulated(made, found)
            elif isinstance(found, NO_ANSWER):
                yield found
            else:
                raise found


def _outcome(made: SimulationPlan) -> SimResult | WarpmillError:
    """The outcome of a plan. An error is a value: others go on, and it keeps its words."""
    try:
        return simulated(made).result
    except WarpmillError as error:
        return error


def simulated_until(
    made: SimulationPlan,
    cycle: int,
    checkpoint: Path,
    progress: Progress | None = None,
    *,
    resume: Path | None = None,
) -> Simulated | None:
    """Run a plan up to a cycle and save it; the result where it ends before. UsageError.

    Another simulation of the plan may ``resume`` from the file.
    """
    from warpmill.simulator.gpu.control import save  # noqa: PLC0415 - only where it is asked for

    running = _made(made, resume)
    if run_slices(running, progress, cycle):
        return Simulated(made, result_of(running))
    save(running, checkpoint)
    return None


def _made(made: SimulationPlan, resume: Path | None) -> Simulation:
    running = made.simulation()
    if resume is not None:
        from warpmill.simulator.gpu.control import restore  # noqa: PLC0415 - only where it is asked for

        restore(running, resume)
    return running


def run_slices(
    running: Simulation, progress: Progress | None = None, until: int | None = None
) -> bool:
    """Run a simulation in pieces: it can be interrupted, and tells how far it is.

    It goes on until a cycle or to the end, and gives whether that was reached. Where the pieces end
    changes nothing.
    """
    weights = [fit.warps_per_cta for fit in running.occupancies]
    whole = sum(n * w for n, w in zip(running.simulated, weights, strict=True))
    running.run(until, 0)  # compiles the engine and makes the first traces
    begin, steps = time.monotonic(), _FIRST_STEPS
    while True:
        started = time.monotonic()
        if running.run(until, steps) == RUN_DONE:
            return True
        if until is not None and running.reached >= until:
            return False
        now = time.monotonic()
        steps = _next_steps(steps, now - started)
        if progress is not None:
            ended = sum(n * w for n, w in zip(running.progress(), weights, strict=True))
            progress(Done(ended / max(1, whole), running.reached, now - begin))


def _next_steps(steps: int, seconds: float) -> int:
    """The steps of the next piece, so that it takes about ``SLICE_S``."""
    factor = min(4.0, max(0.25, SLICE_S / max(seconds, 1e-6)))
    return min(_MOST_STEPS, max(1, int(steps * factor)))
