"""Estimated times of all launches of an application, which selections may be chosen by."""

from __future__ import annotations

from dataclasses import dataclass

from warpmill.estimates import estimate
from warpmill.jobs import Job
from warpmill.registers import RegisterSources
from warpmill.sampled_launches import SampledApplication
from warpmill.simulator.machines.model import Machine
from warpmill.simulator.sampling.model import LaunchCounts
from warpmill.traces import TraceOptions


@dataclass(frozen=True)
class EstimatedTimes:
    """The cycles of each launch, by ``estimated`` estimates: equal launches share one."""

    cycles: tuple[float, ...]
    estimated: int


def estimated_times(
    app: SampledApplication,
    machine: Machine,
    traces: TraceOptions,
    registers: RegisterSources | None = None,
) -> EstimatedTimes:
    """Estimate each launch. Errors as ``estimate``.

    Launches are equal that are of one kernel, grid, block and shared memory, have equal arguments
    and execute as many warp instructions.
    """
    known: dict[tuple[object, ...], float] = {}
    cycles = []
    for one, job in zip(app.launches, app.jobs, strict=True):
        key = _key(one, job)
        if key not in known:
            found = estimate(job, machine, registers=registers, trace_options=traces)
            known[key] = found.cycles
        cycles.append(known[key])
    return EstimatedTimes(tuple(cycles), len(known))


def _key(counts: LaunchCounts, job: Job) -> tuple[object, ...]:
    return (
        id(job.kernel),
        counts.grid,
        counts.block,
        job.required_launch().dynamic_shared_bytes,
        counts.arguments,
        counts.warp_instructions,
    )
