"""How near a simulation comes to its machine's rates."""

from __future__ import annotations

import math

from warpmill.simulator.gpu.result import SimResult
from warpmill.simulator.gpu.result_parts import Throughput
from warpmill.simulator.machines.model import Machine
from warpmill.simulator.resources import ISSUE_SLOTS, SERVERS, Term

_PEAKS: dict[str, tuple[tuple[str, ...], float]] = {
    "issue_slots": (("sm.count", "sm.schedulers", "sm.issue_per_scheduler"), 1.0),
    "l1_bandwidth": (("sm.count", "l1.bytes_per_clk", "clock.sm_mhz"), 1e-3),
    "l2_bandwidth": (("l2.bytes_per_clk", "clock.sm_mhz"), 1e-3),
    "dram_bandwidth": (("dram.bandwidth_gbs",), 1.0),
}
"""Values of a machine that a peak is the product of, and the factor that makes it GB/s."""


def throughputs(result: SimResult, machine: Machine) -> tuple[Throughput, ...]:
    """Throughputs that have a peak on the machine, from the warps outwards.

    Rates are over the time that was simulated, and peaks those of the machine's description.
    """
    l1, l2 = result.cache("l1"), result.cache("l2")
    sectors = {
        "l1": None if l1 is None or not machine.number("l1.size_bytes") else l1.accesses,
        "l2": None if l2 is None else l2.accesses,
        "dram": result.dram.reads + result.dram.writes,
    }
    moved = {SERVERS[x]: result.gb_per_s(n) for x, n in sectors.items() if n is not None}
    return (
        _throughput(result, machine, ISSUE_SLOTS, result.warp_ipc, "IPC"),
        *(_throughput(result, machine, name, rate, "GB/s") for name, rate in moved.items()),
    )


def _throughput(
    result: SimResult, machine: Machine, resource: Term, rate: float, unit: str
) -> Throughput:
    keys, factor = _PEAKS[resource.key]
    values = [machine.get(key) for key in keys]
    known = [float(machine.number(k)) for k, v in zip(keys, values, strict=True) if v]
    peak = math.prod(known) * factor if len(known) == len(keys) else 0.0
    assumed = any(value is not None and value.assumed for value in values)
    return Throughput(resource, rate, peak or None, unit, assumed, result.sampled)
