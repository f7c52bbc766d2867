"""Plan of a simulation: launches with their registers, streams and sources of traces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from warpmill.analyzer.base.diagnostics import DataError, InputError, UsageError
from warpmill.analyzer.traces.source import TraceSource
from warpmill.analyzer.traces.summary import sampled_ctas
from warpmill.executor.host.recording import (
    EventCall,
    LaunchCall,
    ReadCall,
    ReadTextureCall,
    RecordedCall,
    SynchronizeCall,
)
from warpmill.session.data import data_are_given
from warpmill.session.jobs import Job
from warpmill.session.options import RegistersFrom, TraceOptions
from warpmill.session.prepare import jobs_of
from warpmill.session.registers import registers_of
from warpmill.session.traces import check_used, trace_source
from warpmill.simulator.assembler.registers import RegisterCount
from warpmill.simulator.gpu.options import Options
from warpmill.simulator.gpu.simulate import LaunchWork, Simulation
from warpmill.simulator.machines import load_machine
from warpmill.simulator.machines.model import Machine

if TYPE_CHECKING:
    from warpmill.session.executed import FileDevice


@dataclass(frozen=True)
class SimulationPlan:
    """Plan of the simulations on one machine.

    ``kernels`` has the first job of each kernel, by the numbers that the result has them under;
    ``kernel_numbers`` are those of the launches' kernels.
    ``registers`` are those of each launch; ``order`` says in words how launches follow each other.
    """

    jobs: tuple[Job, ...]
    kernels: tuple[Job, ...]
    kernel_numbers: tuple[int, ...]
    machine: Machine
    registers: tuple[RegisterCount, ...]
    works: tuple[LaunchWork, ...] = field(repr=False)
    options: Options
    order: str

    def simulation(self) -> Simulation:
        """Make the simulation. InputError where a launch does not fit on the machine."""
        options = replace(self.options, spans=min(self.options.spans, self._warps))
        return Simulation(self.machine, self.works, options)

    @property
    def _warps(self) -> int:
        """Warps of all launches, whose lives are all that can be kept."""
        return sum(
            w.launch.cta_count * -(-w.launch.threads_per_cta // w.facts.module.warp_size)
            for w in self.works
        )


def plan(
    jobs: Job | str | Path | Sequence[Job],
    machine: str | Machine,
    *,
    options: Options | None = None,
    overrides: Mapping[str, str | int | float | bool] | None = None,
    registers: RegistersFrom | None = None,
    trace_options: TraceOptions | None = None,
    streams: Streams = "recorded",
) -> SimulationPlan:
    """Find out what a simulation needs beside traces, which are made as it goes. UsageError."""
    each = jobs_of(jobs)
    if not each:
        raise UsageError("there is no launch to simulate")
    if not isinstance(machine, Machine):
        machine = load_machine(machine, overrides)
    traces = trace_options or TraceOptions()
    traces.trips()
    kernels, numbers = _kernels(each)
    counts = [registers_of(kernel, machine, registers) for kernel in kernels]
    in_streams, order = streams_of(each, streams)
    together = len(each) > 1
    device = _shared_device() if together else None
    works = [
        LaunchWork(
            facts=kernels[number].analysis.kernel_facts,
            launch=job.required_launch(),
            registers=counts[number],
            traces=partial(simulated_traces, job, traces, together=together, device=device),
            stream=stream,
        )
        for job, number, stream in zip(each, numbers, in_streams, strict=True)
    ]
    of_launches = tuple(counts[number] for number in numbers)
    return SimulationPlan(
        jobs=each,
        kernels=kernels,
        kernel_numbers=tuple(numbers),
        machine=machine,
        registers=of_launches,
        works=tuple(works),
        options=options or Options(),
        order=order,
    )


def _shared_device() -> FileDevice:
    from warpmill.session.executed import file_device  # noqa: PLC0415 - LLVM is slow to load

    return file_device()


def _kernels(jobs: Sequence[Job]) -> tuple[tuple[Job, ...], list[int]]:
    """The first job of each kernel, and the number of each job's kernel among them."""
    found: list[Job] = []
    numbers: list[int] = []
    for job in jobs:
        number = next((n for n, other in enumerate(found) if _alike(job, other)), len(found))
        if number == len(found):
            found.append(job)
        numbers.append(number)
    return tuple(found), numbers


def _alike(job: Job, other: Job) -> bool:
    if job.kernel is other.kernel:
        return True
    return job.loaded.path == other.loaded.path and job.kernel == other.kernel


def simulated_traces(
    job: Job, options: TraceOptions, *, together: bool, device: FileDevice | None = None
) -> TraceSource:
    """Choose where the traces of a launch come from, as ``trace_source`` does.

    Where launches are simulated ``together``, what is there in caches depends on whether they use
    the same memory: ``auto`` then executes them if that can be done, as static traces have each
    launch's buffers by themselves. Those that are executed share the ``device``. UsageError for an
    assumption about what the launch decides.
    """
    source = None
    if together:
        source = _executed(
            job, options, "it is simulated with launches that share its memory", device
        )
    source = source or trace_source(job, options, device)
    if options.assume:
        source.warps(sampled_ctas(job.required_launch().grid, 1)[0])  # makes its assumptions
        check_used(job, source, options)
    return source


def _executed(
    job: Job, options: TraceOptions, reason: str, device: FileDevice | None
) -> TraceSource | None:
    """Executed traces where the choice is free and there are data; None: they cannot be."""
    if options.source != "auto" or options.assume or not data_are_given(job):
        return None
    from warpmill.session.executed import executed_source  # noqa: PLC0415 - LLVM is slow to load

    try:
        return executed_source(job, reason, options.max_instructions, device)
    except DataError:
        raise
    except InputError:
        return None


# Which launches may overlap: those of different streams, as an application has launched them.

Streams = Literal["recorded", "serial"]

ONE = "one after another"
"""How launches follow each other where they are all in one stream."""


def streams_of(jobs: Sequence[Job], choice: Streams = "recorded") -> tuple[tuple[int, ...], str]:
    """The stream of each launch, and in words how they follow each other.

    The order within a stream is all that a simulation knows. Where the host, or an event, makes
    launches of one stream wait for those of another, they all go one after another instead.
    """
    serial = (0,) * len(jobs)
    if choice == "serial":
        return serial, f"{ONE}, as asked for"
    launched = _launched(jobs)
    if len({call.stream for call in launched}) < 2:
        return serial, ONE
    assert jobs[0].recorded is not None
    between = range(launched[0].index + 1, launched[-1].index)
    calls = jobs[0].recorded.recording.calls
    if any(_joins(call) for call in calls if call.index in between):
        return serial, f"{ONE}: something waits in between for another stream"
    streams = tuple(call.stream for call in launched)
    return streams, f"in {len(set(streams))} streams, as recorded"


def _launched(jobs: Sequence[Job]) -> list[LaunchCall]:
    """The recorded calls of launches; none where not all of them were recorded together."""
    recorded = [job.recorded for job in jobs if job.recorded is not None]
    if len(recorded) < len(jobs) or len({id(r.recording) for r in recorded}) != 1:
        return []
    launches = recorded[0].recording.launches
    return [launches[one.number] for one in recorded]


def _joins(call: RecordedCall) -> bool:
    """Whether a call may make a launch wait for one of another stream."""
    if isinstance(call, EventCall):
        return call.action in ("wait", "synchronize")
    return isinstance(call, SynchronizeCall | ReadCall | ReadTextureCall)
