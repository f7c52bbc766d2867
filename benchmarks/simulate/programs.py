"""The reference's programs as simulations: recorded once, executed again for their traces.

Registers are those that ``warpmill simulate`` would take.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

import numpy as np

from warpmill.analyzer.traces.layout import lay_out
from warpmill.benchmarks.execution import gpgpusim
from warpmill.executor.executed_source import ExecutedSource, layout_on
from warpmill.executor.host.cpu_device import CpuOptions
from warpmill.executor.host.device import Device
from warpmill.executor.host.recording import Recording
from warpmill.executor.host.replay import launch_to_be_made
from warpmill.session.applications import Application
from warpmill.session.jobs import Job
from warpmill.session.simulation_plans import SimulationPlan
from warpmill.simulator.machines import imported_machine
from warpmill.simulator.machines.model import Machine

CONFIGURATIONS = gpgpusim.INPUTS / "configs.json"
QV100 = "SM7_QV100"


class Recorder:
    """A launcher whose calls are recorded; an array has one buffer for as long as it lives.

    What the host changes in an array between launches is copied to the device before the next.
    """

    def __init__(self) -> None:
        self.device = Device(options=CpuOptions(resident_ctas=gpgpusim.RESIDENT))
        self._kernel = cache(lambda path, kernel: self.device.load(path)[kernel])
        self._buffers: dict[int, tuple[Any, Any, Any]] = {}

    def __call__(
        self, path: Any, kernel: str, grid: Any, block: Any, args: Sequence[Any]
    ) -> tuple[int | None, int | None]:
        """Launch; how many instructions threads and warps executed."""
        given = [self._buffer(a) if isinstance(a, np.ndarray) else a for a in args]
        counts = self.device.launch(self._kernel(path, kernel), grid, block, given).counts
        for array, buffer, before in self._buffers.values():
            before[...] = array[...] = buffer.get().reshape(array.shape)
        return counts.thread_instructions, counts.warp_instructions

    def _buffer(self, array: Any) -> Any:
        """The buffer of an array, with what the array holds now."""
        if id(array) not in self._buffers:
            self._buffers[id(array)] = (array, self.device.array(array), array.copy())
        _, buffer, before = self._buffers[id(array)]
        if not np.array_equal(before, array):
            self.device.copy(buffer, array)
        return buffer


@dataclass(frozen=True)
class Recorded:
    """A program that ran, and whether its results were right."""

    title: str
    recording: Recording
    right: bool = True


def record(program: str, input_: str) -> Recorded:
    """Run a program of the reference with as many CTAs at once as the reference."""
    recorder = Recorder()
    run = gpgpusim.run_program(recorder, program, input_)
    return Recorded(f"{program} {input_}", recorder.device.recording, run.right)


def reference_machine(config: str, **overrides: int) -> Machine:
    """The machine that a configuration of the reference describes."""
    named = {key.replace("__", "."): value for key, value in overrides.items()}
    return imported_machine(CONFIGURATIONS, config=config, overrides=named)


def jobs_of(app: Application) -> list[Job]:
    """All launches of an application as jobs."""
    return [app.job(number) for number in range(len(app.launches))]


def with_resident(made: SimulationPlan, app: Application) -> SimulationPlan:
    """A plan whose launches are executed with as many CTAs taking turns as the machine holds.

    Where threads race, what they do depends on which CTAs run at the same time.
    """
    sms = made.machine.integer("sm.count")
    fits = [fit.ctas_per_sm for fit in made.simulation().occupancies]
    works = tuple(
        replace(work, traces=partial(_traces, app, number, sms * fit))
        for number, (work, fit) in enumerate(zip(made.works, fits, strict=True))
    )
    return replace(made, works=works)


def _traces(app: Application, number: int, ctas: int) -> ExecutedSource:
    one = app.launches[number]
    options = CpuOptions(resident_ctas=ctas)
    backend, request = launch_to_be_made(app.recording, number, options)
    alone = lay_out(one.loaded.module, one.kernel, one.launch)
    return ExecutedSource(
        backend, request, layout_on(backend, request, one.launch, alone), "the program was run"
    )
