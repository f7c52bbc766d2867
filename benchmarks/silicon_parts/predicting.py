"""What the engines say of the launches that a GPU was timed with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from benchmarks.gtpin.measuring import Rows, Run, times
from benchmarks.sampling_parts import launch_times
from warpmill.simulator.assembler.costs import LaunchOverhead, launch_overhead, near_empty_us
from warpmill.simulator.machines import load_machine
from warpmill.simulator.machines.model import Machine

Found = Mapping[str, Mapping[str, Any]]
"""By target: ``launch_cycles`` of its execution, or the ``problem`` that there is instead."""

STATE = {"estimate": "flushed", "simulate": "warm"}
"""What L2 holds before a launch, as engines have it: nothing, or what launches before it left."""

_MEMORY = {"flushed": "dram.latency", "warm": "l2.latency"}


def predicted(
    engine: str,
    targets: Sequence[str],
    machine: str,
    store: str,
    workers: int,
    say: Callable[[str], None],
) -> Found:
    """Predict all launches of targets: each by itself, or one after another on a whole GPU."""
    if engine == "estimate":
        return dict(Rows(store, workers, say).estimated(list(targets), machine))
    runs = [Run(engine, machine, t, launch_times.wanted(t, machine)) for t in targets]
    found = times(runs, store, workers, say)
    return {run.target: found[run.point.key] for run in runs}


class Timing:
    """Adds to executions what launching adds, in the manner that the launches were timed in.

    That is two events around each launch, which waits behind a kernel. ``floor_us`` is what a
    kernel took that does next to nothing; without it (None) the machine's ``launch.event_us`` is
    taken.
    """

    def __init__(self, machine: str | Machine, state: str, floor_us: float | None) -> None:
        self._machine = load_machine(machine) if isinstance(machine, str) else machine
        self._state, self._floor_us = state, floor_us

    def ms(self, cycles: float, ctas: int) -> float:
        """The milliseconds of a launch of so many CTAs, whose execution takes ``cycles``."""
        machine = self._machine
        execution_us = cycles / float(machine.number("clock.sm_mhz"))
        own = launch_overhead(machine, ctas, "event")
        if self._floor_us is not None:
            fixed = self._floor_us - near_empty_us(machine, _MEMORY[self._state])
            own = LaunchOverhead("event", max(0.0, fixed), self._floor_us, own.dispatch_us)
        return own.total_us(execution_us) / 1e3
