"""What an estimate says, and what it rests on."""

from __future__ import annotations

import math
from dataclasses import dataclass

from warpmill.simulator.estimate.shares import Roofline, Share, Utilisation
from warpmill.simulator.machines.model import SourcedValue
from warpmill.simulator.occupancy import Occupancy


@dataclass(frozen=True, slots=True)
class RegisterCount:
    """Registers a thread and where the number comes from; ``assumed``: from no compiler."""

    registers: int
    source: str
    assumed: bool


@dataclass(frozen=True, slots=True)
class Wait:
    """Share of all waiting of warps that had one reason, from 0 to 1."""

    reason: str
    fraction: float


@dataclass(frozen=True, slots=True)
class RegionTraffic:
    """Bytes of one region of memory over the whole grid.

    ``requested_bytes`` are those that warps ask their SMs for, ``l2_bytes`` what the SMs ask L2
    for, ``dram_bytes`` what comes from or goes to DRAM. ``first_read_bytes`` are distinct ones that
    loads read before anything writes them, as far as the trace was looked at.
    """

    region: str
    requested_bytes: float
    l2_bytes: float
    dram_bytes: float
    footprint_bytes: float
    first_read_bytes: float

    @property
    def l2_hit_fraction(self) -> float | None:
        """The share of what L2 is asked for that it has; None where it is asked for nothing."""
        return None if not self.l2_bytes else max(0.0, 1.0 - self.dram_bytes / self.l2_bytes)


@dataclass(frozen=True, slots=True)
class InstructionTime:
    """Time that warps spent at one instruction, waiting for its operands included.

    ``fraction`` is its share of the time of all warps, from 0 to 1.
    """

    block: int
    instruction: int
    fraction: float


@dataclass(frozen=True)
class Estimate:
    """Time of one launch on one machine (hybrid estimation, §IV).

    ``cycles`` are of the machine's cycle domain and, as ``microseconds``, those of execution alone;
    ``launch_microseconds`` are what launching adds. ``round_cycles`` is the time of one round of
    ``round_ctas`` CTAs on one SM, ``rounds`` how many rounds take as long as the whole.
    ``shares`` say what the whole time goes to; ``achieved_occupancy`` is resident warps over the
    most, in the mean over time and SMs, from 0 to 1. ``operations`` are warp instructions that
    take an issue slot, in one round.
    ``bound`` says in words what limits the kernel: the greatest of ``shares``.
    ``unmodelled`` names what the trace holds and the pipeline does not know, with its
    instructions; ``simplifications`` what the model leaves out. ``assumptions`` are those of the
    trace and of addresses that data decide.
    ``beyond`` says what of it contradicts the machine (``machine_limits``).
    ``extrapolated`` tells that loops were cut short and the round's time continued in a line.
    """

    machine: str
    mode: str
    cycles: float
    microseconds: float
    launch_microseconds: float
    round_cycles: float
    round_ctas: int
    rounds: float
    operations: int
    warp_instructions: float
    extrapolated: bool
    occupancy: Occupancy
    registers: RegisterCount
    shared_bytes: int
    bound: str
    utilisation: tuple[Utilisation, ...]
    waits: tuple[Wait, ...]
    traffic: tuple[RegionTraffic, ...]
    l1_hit_fraction: float | None
    instruction_times: tuple[InstructionTime, ...]
    shares: tuple[Share, ...]
    roofline: Roofline
    achieved_occupancy: float
    unmodelled: tuple[tuple[str, int], ...]
    simplifications: tuple[str, ...]
    trace: str
    trace_reason: str
    assumptions: tuple[str, ...]
    assumed_values: tuple[tuple[str, SourcedValue], ...]
    beyond: tuple[str, ...] = ()

    @property
    def dram_bytes(self) -> float:
        """What comes from DRAM and goes there, over all regions."""
        return math.fsum(one.dram_bytes for one in self.traffic)

    @property
    def total_microseconds(self) -> float:
        """The time of the launch: execution, and what launching adds."""
        return self.microseconds + self.launch_microseconds
