"""What a launch takes beside the execution of its CTAs, from floors measured on near-empty kernels.

A floor is the time of a kernel that does next to nothing: it holds what each launch pays (start,
drain, what lies between kernels) and the CTA that ran. What remains without that CTA adds to the
execution of any kernel: on four GPUs (A100, A40, L40, H200; copies of 64 KB to 40 MB in L2, queued
one by one and as nodes of a graph, RRZE-HPC/gpu-benches) this and the bytes at a fixed rate give
the time within 1 to 4 % on average; the greater of floor and execution is 11 to 19 % off. Where the
host cannot launch faster (NvBench on three GeForce cards: 5.1 µs on each of them), the time is the
greater of the host's and the GPU's.

CTAs start at a limited rate, which kernels of tiny CTAs run into: that bounds the execution.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from warpmill.simulator.machines.model import Machine

Mode = Literal["kernel", "event", "back-to-back", "graph"]
"""How a time is taken: the kernel's duration as profilers report it; two events around one launch;
per launch among many in a stream; per launch among the nodes of a graph."""


class _Keys(NamedTuple):
    """Machine values of a mode.

    The near-empty kernel's time that adds, the least time of any launch, and the latency of the
    memory that the near-empty kernel's data were in.
    """

    adds: str
    least: str
    memory: str


_KEYS: dict[Mode, _Keys] = {
    "kernel": _Keys("launch.kernel_us", "launch.kernel_us", "l2.latency"),
    "event": _Keys("launch.event_us", "launch.event_us", "dram.latency"),
    "back-to-back": _Keys("launch.serial_us", "launch.back_to_back_us", "l2.latency"),
    "graph": _Keys("launch.graph_us", "launch.graph_us", "l2.latency"),
}


def near_empty_keys() -> dict[str, str]:
    """Give the keys of times that hold a CTA, each with the latency of the memory that it read.

    These times follow from whatever changes that CTA's: ``near_empty_us``.
    """
    return {keys.adds: keys.memory for keys in _KEYS.values()}


@dataclass(frozen=True, slots=True)
class LaunchOverhead:
    """What a launch takes beside its execution, in microseconds.

    ``fixed_us`` adds to the execution, no launch takes less than ``floor_us``, and starting all
    CTAs takes ``dispatch_us`` or more, while others execute.
    """

    mode: Mode
    fixed_us: float
    floor_us: float
    dispatch_us: float

    def total_us(self, execution_us: float) -> float:
        """Give the time of the launch; from first start to last end its CTAs take that long.

        >>> LaunchOverhead("back-to-back", 2.0, 5.0, 0.1).total_us(1.0)
        5.0
        """
        return max(self.floor_us, self.fixed_us + max(execution_us, self.dispatch_us))

    def busy(self, execution_us: float) -> float:
        """Give the share of the time in which CTAs are started, from 0 to 1; 1 where that decides.

        >>> LaunchOverhead("kernel", 2.0, 2.0, 0.5).busy(2.0)
        0.25
        """
        return self.dispatch_us / max(execution_us, self.dispatch_us)


def launch_overhead(machine: Machine, ctas: int, mode: Mode = "kernel") -> LaunchOverhead:
    """Tell what a launch of so many CTAs takes beside their execution.

    The execution is taken to hold the start of a CTA and its trips to memory, as that of the
    near-empty kernel does. Threads a CTA make no difference that the measurements show. What of
    the values is assumed, the machine tells (``launch.*``).
    """
    adds, least, memory = _KEYS[mode]
    clock = float(machine.number("clock.sm_mhz"))
    fixed = float(machine.number(adds)) - near_empty_us(machine, memory)
    return LaunchOverhead(
        mode,
        fixed_us=max(0.0, fixed),
        floor_us=float(machine.number(least)),
        dispatch_us=ctas / float(machine.number("launch.blocks_per_clk")) / clock,
    )


def near_empty_us(machine: Machine, memory: str = "l2.latency") -> float:
    """Give the time of a CTA that starts, loads a value and stores it, in microseconds.

    Kernels whose threads load one value each, at one CTA an SM, take the place of each other every
    launch.block_cycles + dram.latency: within 7 % on six GPUs (RRZE-HPC/gpu-benches, gpu-stream).
    """
    cycles = machine.number("launch.block_cycles") + machine.number(memory)
    return float(cycles) / float(machine.number("clock.sm_mhz"))
