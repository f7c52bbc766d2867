"""What an estimate says, and what it rests on."""

from __future__ import annotations

from dataclasses import dataclass

from simulator.machines.model import Value
from simulator.occupancy import Occupancy


@dataclass(frozen=True, slots=True)
class RegisterCount:
    """Registers a thread and where the number comes from; ``assumed``: from no compiler."""

    registers: int
    source: str
    assumed: bool


@dataclass(frozen=True, slots=True)
class Utilisation:
    """How busy one resource of the SM was, from 0 to 1."""

    resource: str
    fraction: float


@dataclass(frozen=True, slots=True)
class Wait:
    """Share of all waiting of warps that had one reason, from 0 to 1."""

    reason: str
    fraction: float


@dataclass(frozen=True, slots=True)
class Traffic:
    """Bytes of one region of memory over the whole grid, and how much of it hits in L2."""

    region: str
    requested_bytes: float
    footprint_bytes: float
    l2_hit_fraction: float


@dataclass(frozen=True)
class Estimate:
    """Time of one launch on one machine (hybrid estimation, Equation 8).

    ``cycles`` are of the machine's cycle domain. ``round_cycles`` is the time of one round of
    ``round_ctas`` CTAs on one SM, ``rounds`` the factor of Equation 8. ``bound`` says in words what
    limits the kernel. ``unmodelled`` names what the trace holds and the pipeline does not know,
    with its instructions; ``simplifications`` what this form of the model leaves out.
    ``assumptions`` are those of the trace and of addresses that data decide.
    ``extrapolated`` tells that loops were cut short and the round's time continued in a line.
    """

    machine: str
    cycles: float
    microseconds: float
    round_cycles: float
    round_ctas: int
    rounds: float
    operations: int
    extrapolated: bool
    occupancy: Occupancy
    registers: RegisterCount
    shared_bytes: int
    bound: str
    utilisation: tuple[Utilisation, ...]
    waits: tuple[Wait, ...]
    traffic: tuple[Traffic, ...]
    unmodelled: tuple[tuple[str, int], ...]
    simplifications: tuple[str, ...]
    trace: str
    trace_reason: str
    assumptions: tuple[str, ...]
    assumed_values: tuple[tuple[str, Value], ...]
