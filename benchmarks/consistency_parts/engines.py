"""Times of the two engines beside each other: estimates and simulations of the same launches."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from warpmill.analyzer.base.diagnostics import WarpmillError
from warpmill.session.applications import application, largest_of_each_kernel
from warpmill.session.estimates import estimate
from warpmill.session.simulations import simulate
from warpmill.session.workloads import workloads
from warpmill.simulator.assembler.costs import launch_overhead
from warpmill.simulator.gpu.options import Options
from warpmill.simulator.machines import load_machine

MACHINES, QUICK_MACHINES = ("a100", "v100", "rtx3070"), ("a100",)
PRESET, QUICK_WORKLOADS, SEED = "small", 8, 25
MOST_CYCLES = 3_000_000


@dataclass(frozen=True)
class Beside:
    """A launch on a machine: its two durations, and what bounds each.

    Both have the launch overhead of the machine, which no simulation times.
    """

    name: str
    machine: str
    estimated_us: float
    simulated_us: float
    bounds: tuple[str, str]

    @property
    def apart(self) -> float:
        """How far apart the times are, as the greater over the less."""
        least, most = sorted((self.estimated_us, self.simulated_us))
        return most / least if least else float("inf")

    def __str__(self) -> str:
        times = f"estimated {self.estimated_us:,.4g} µs, simulated {self.simulated_us:,.4g} µs"
        ratio = self.estimated_us / self.simulated_us if self.simulated_us else 0.0
        words = "; ".join(self.bounds)
        return f"{ratio:5.2f}: {self.name} on {self.machine}: {times} ({words})"


def beside_each_other(quick: bool, progress: Callable[[str], None]) -> tuple[Beside, ...]:
    """The largest launch of each kernel of the workloads' small presets, furthest apart first.

    A launch that one engine refuses, or that takes the simulation too long, is left out.
    """
    names = sorted(workloads())
    chosen = random.Random(SEED).sample(names, QUICK_WORKLOADS) if quick else names
    found = []
    for place, name in enumerate(chosen):
        progress(f"{name}, {place + 1} of {len(chosen)}")
        app = application(f"{name}:{PRESET}")
        for number in largest_of_each_kernel(app.launches):
            job = app.job(number)
            for machine in QUICK_MACHINES if quick else MACHINES:
                try:
                    one = estimate(job, machine)
                    other = simulate(job, machine, options=Options(max_cycles=MOST_CYCLES))
                except WarpmillError:
                    continue
                waits = max(other.warp_states, key=lambda state: state.warp_cycles)
                ctas = job.launch.cta_count
                whole = launch_overhead(load_machine(machine), ctas).total_us(other.time_us)
                label = f"{name}:{PRESET} launch {number}"
                bounds = one.bound, str(waits.state)
                found.append(Beside(label, machine, one.time_us, whole, bounds))
    return tuple(sorted(found, key=lambda row: -row.apart))
