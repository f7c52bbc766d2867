"""Time breakdown, roofline, and results that claim more of a machine than it can do.

A result that moves more bytes a second than the memory does, issues more than there are slots, or
computes above the roof contradicts itself: either its time or its counts are wrong. Where L2 was
empty at the beginning, what warps read for the first time comes from DRAM, whatever else is
modelled.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.analyses.access.accesses import MemoryAccess
from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.ir.operation import Operation
from warpmill.analyzer.ir.types import OpClass
from warpmill.simulator.assembler.costs import (
    TENSOR_TIMES,
    cost_table,
    factor_bits,
    kind_of,
    mma_multiply_adds,
    sums_in_f32,
)
from warpmill.simulator.estimate.pipeline import PIPE, REASONS
from warpmill.simulator.estimate.pipeline import Sums as PipelineSums
from warpmill.simulator.estimate.result import Estimate, Roofline, Share, Utilization
from warpmill.simulator.machines.model import Machine, l1_sector_bytes
from warpmill.simulator.resources import CTA_LAUNCH_RATE, ISSUE_SLOTS, LAUNCH, PIPES, TERMS, Term

if TYPE_CHECKING:
    from warpmill.simulator.gpu.result import SimResult

ROUNDING = 0.002
"""How far beyond a limit a figure is by rounding alone: ticks and bursts are whole numbers."""

STRICT = "WARPMILL_STRICT_LIMITS"
"""The environment variable that makes a result beyond its machine's limits an internal error."""


@dataclass(frozen=True, slots=True)
class Violation:
    """A figure of a result that is beyond a limit of its machine.

    ``at_least``: the limit is a lower bound, and the figure is below it.
    """

    rate: str
    figure: float
    limit: float
    unit: str
    at_least: bool = False

    def __str__(self) -> str:
        """The figure and the limit, in words."""
        word = "below" if self.at_least else "above"
        figure, limit = (f"{value:,.4g}{self._unit}" for value in (self.figure, self.limit))
        return f"{self.rate}: {figure} is {word} the machine's {limit}"

    @property
    def _unit(self) -> str:
        return f" {self.unit}" if self.unit else ""


def _beyond(found: Iterator[Violation]) -> tuple[Violation, ...]:
    return tuple(one for one in found if _is_beyond(one))


def _is_beyond(one: Violation) -> bool:
    if not math.isfinite(one.figure):
        return True
    if one.at_least:
        return one.figure < one.limit * (1.0 - ROUNDING)
    return one.figure > one.limit * (1.0 + ROUNDING)


def estimate_violations(
    found: Estimate, machine: Machine, *, cold: bool = True
) -> tuple[Violation, ...]:
    """Rates of an estimate that exceed those of its machine.

    ``cold``: L2 was empty at the beginning. A rate is over the time of the execution.
    """
    return _beyond(_of_estimate(found, machine, cold))


def _of_estimate(found: Estimate, machine: Machine, cold: bool) -> Iterator[Violation]:
    own = _Rates(machine)
    time, cycles = found.execution_us, found.cycles
    if time <= 0.0:
        return
    yield Violation("DRAM", found.dram_bytes / time / 1e3, own.number("dram.measured_gbs"), "GB/s")
    l2 = math.fsum(one.l2_bytes for one in found.traffic)
    yield Violation("L2", l2 / cycles, own.l2_bytes, "B/clk")
    requested = math.fsum(one.requested_bytes for one in found.traffic)
    yield Violation("L1", requested / cycles, own.l1_bytes, "B/clk")
    yield Violation(
        "issue slots", found.warp_instructions / cycles, own.issue_slots, "warp instructions/clk"
    )
    for used in found.utilization:
        yield Violation(used.resource, used.fraction, 1.0, "of the time")
    roof = found.roofline
    if roof.kind is not None and roof.peak_gflops is not None and roof.roof_gflops is not None:
        peak = Violation(f"peak of {roof.kind}", roof.achieved_gflops, roof.peak_gflops, "GFLOP/s")
        yield peak
        yield Violation(f"roof of {roof.kind}", roof.achieved_gflops, roof.roof_gflops, "GFLOP/s")
    for share in (found.l1_hit_fraction, *(one.l2_hit_fraction for one in found.traffic)):
        yield Violation("hits", share or 0.0, 1.0, "of the sectors")
    if cold:
        for one in found.traffic:
            words = f"DRAM reads of {one.region}"
            yield Violation(words, one.dram_bytes, one.first_read_bytes, "B first read", True)


def simulation_violations(
    found: SimResult, machine: Machine, *, cold: bool = False
) -> tuple[Violation, ...]:
    """Rates of a simulation that exceed those of its machine.

    ``cold``: L2 was empty at the beginning, which one that goes on from others does not tell. Rates
    are over the cycles that were simulated.
    """
    return _beyond(_of_simulation(found, machine, cold))


def _of_simulation(found: SimResult, machine: Machine, cold: bool) -> Iterator[Violation]:
    own = _Rates(machine)
    cycles = found.simulated_cycles
    if cycles <= 0:
        return
    moved = found.dram.reads + found.dram.writes
    dram = found.gb_per_s(moved)
    yield Violation("DRAM", dram, own.number("dram.bandwidth_gbs"), "GB/s")
    yield Violation("DRAM data buses", found.dram.busy_fraction, 1.0, "of the time")
    sector = found.sector_bytes
    asked = found.l2_reads + found.l2_writes + found.l2_atomics
    yield Violation("L2", asked * sector / cycles, own.l2_rate, "B/clk")
    there, back = found.l2_writes + found.l2_atomics, found.l2_reads + found.l2_atomics
    for way, sectors in (("to", there), ("from", back)):
        yield Violation(f"ports {way} L2", sectors * sector / cycles, own.ports, "B/clk")
    l1 = found.cache("l1")
    if l1 is not None and machine.number("l1.size_bytes"):
        looked = l1.accesses * sector / cycles
        yield Violation("L1", looked, own.l1_bytes, "B/clk")
    issued = found.warp_instructions / cycles
    yield Violation("issue slots", issued, own.issue_slots, "warp instructions/clk")
    used = found.issue_slots_used / max(1, found.issue_slots)
    yield Violation("issue slots in use", used, 1.0, "of them")
    for unit in found.units:
        yield Violation(unit.name, unit.busy, 1.0 + unit.last, "of the time")
    yield from _operations(found, machine, cycles)
    wavefronts = found.shared_wavefronts / cycles
    yield Violation("shared memory", wavefronts, own.wavefronts, "wavefronts/clk")
    yield Violation("warps on SMs", found.achieved_occupancy_fraction, 1.0, "of the slots")
    for cache in found.caches:
        yield Violation(f"hits in {cache.level}", cache.hit_fraction or 0.0, 1.0, "of the sectors")
    if cold and found.l2_reads and not found.l2_writes and not found.l2_atomics:
        yield Violation("DRAM reads", found.dram.reads, 1.0, "sectors first read", True)


def _operations(found: SimResult, machine: Machine, cycles: int) -> Iterator[Violation]:
    """Rates of arithmetic by kind; the last instructions' may go on past the end."""
    time = cycles / found.clock_mhz
    for one in found.operations:
        peak = peak_gflops(machine, one.kind)
        parts = machine.integer("sm.count") * machine.integer("sm.subpartitions")
        most = peak + one.of_a_warp * parts / time / 1e3
        yield Violation(f"peak of {one.kind}", one.number / time / 1e3, most, "GFLOP/s")


@dataclass(frozen=True)
class _Rates:
    """Rates of a whole machine, all SMs together."""

    machine: Machine

    def number(self, key: str) -> float:
        return float(self.machine.number(key))

    @property
    def sms(self) -> float:
        return self.number("sm.count")

    @property
    def issue_slots(self) -> float:
        each = self.number("sm.schedulers") * self.number("sm.issue_per_scheduler")
        return self.sms * each

    @property
    def l1_bytes(self) -> float:
        return self.sms * max(self.number("l1.bytes_per_clk"), float(l1_sector_bytes(self.machine)))

    @property
    def l2_bytes(self) -> float:
        """Bytes that L2 moves in a cycle: at most what all SMs' ports carry."""
        return min(self.ports, self.l2_rate)

    @property
    def ports(self) -> float:
        """Bytes that the ports of all SMs carry one way in a cycle."""
        return self.sms * self.number("icnt.bytes_per_clk_per_sm")

    @property
    def l2_rate(self) -> float:
        """Bytes that L2 moves in a cycle; without one, those of memory behind the ports.

        Stores may take less of it than loads.
        """
        rate = self.number("l2.bytes_per_clk") / min(1.0, self.number("l2.write_cost"))
        return rate if rate and self.number("l2.size_bytes") else math.inf

    @property
    def wavefronts(self) -> float:
        return self.sms * self.number("shared.ports")


class BeyondMachineError(Exception):
    """A result contradicts its machine: an error of this program, not of its input."""


def told(found: tuple[Violation, ...]) -> tuple[str, ...]:
    """Violations in words, for a result to carry; BeyondMachineError where STRICT is set."""
    if found and os.environ.get(STRICT, "0") not in ("", "0"):
        raise BeyondMachineError("; ".join(map(str, found)))
    return tuple(map(str, found))


# What the time of a launch goes to, and where it lies under the roofs of its machine.

Floats = npt.NDArray[np.float64]


CAUSES = tuple(ISSUE_SLOTS if r == "not_selected" else TERMS[r] for r in REASONS)
"""Causes of the time that warps wait, reason by reason; those for pipes are told by pipe."""

BUSY = 0.7
"""A resource this busy has the time in which it works; one less busy what warps wait for it."""


def busiest(utilization: Sequence[Utilization]) -> Utilization:
    """The busiest resource; launching CTAs, which goes on beside execution, if it takes longer."""
    others = [u for u in utilization if u.resource != CTA_LAUNCH_RATE or u.fraction >= 1.0]
    return max(others, key=lambda u: (u.fraction, u.resource == CTA_LAUNCH_RATE))


def shares(
    sums: PipelineSums, launch_fraction: float, busy: Utilization | None = None
) -> tuple[Share, ...]:
    """The time of a launch by causes: what warps do and wait for, and launching.

    Each cycle of a resident warp is one in which it issues, or waits for something; what warps
    spend the same time on counts once for each of them. The resource ``busy``, if it is ``BUSY``
    or more, has at least the part of the execution in which it works: what warps wait for
    meanwhile, they wait for behind it. All else has the rest, as warps wait.
    """
    found: dict[Term, float] = {ISSUE_SLOTS: float(sums.issue_busy)}
    for number, cause in enumerate(CAUSES):
        if number == PIPE:
            for name, cycles in zip(cost_table().pipes, sums.pipe_waits, strict=True):
                found[PIPES[name]] = float(cycles)
        else:
            found[cause] = found.get(cause, 0.0) + float(sums.waits[number])
    if busy is not None:
        found = behind(found, busy.resource, busy.fraction)
    whole = sum(found.values()) or 1.0
    left = 1.0 - launch_fraction
    made = [Share(cause, float(cycles / whole * left)) for cause, cycles in found.items()]
    return (*made, Share(LAUNCH, launch_fraction))


Cause = TypeVar("Cause", bound=str)


def behind(found: Mapping[Cause, float], resource: Cause, busy: float) -> dict[Cause, float]:
    """Time by causes, of which a busy resource has at least the part in which it works.

    A resource that is less than ``BUSY`` changes nothing. The sum may be another one.
    """
    if busy < BUSY:
        return dict(found)
    own = found.get(resource, 0.0)
    if busy >= 1.0:
        return dict.fromkeys(found, 0.0) | {resource: 1.0}
    rest = sum(found.values()) - own
    return {**found, resource: max(own, rest * busy / (1.0 - busy))}


def bound(causes: Sequence[Share], utilization: Sequence[Utilization]) -> str:
    """Bound of a launch, in words: the greatest cause of its time, and its utilization."""
    parts: dict[str, float] = {one.cause: one.fraction for one in causes}
    busy: dict[str, float] = {one.resource: one.fraction for one in utilization}
    return bound_words(parts, busy)


def bound_words(causes: Mapping[str, float], busy: Mapping[str, float]) -> str:
    """The same by name: ``causes`` are fractions of the time, ``busy`` of it that resources work.

    CTA launching goes on beside execution, and is the busiest only if it takes longer.
    """
    first, second, *_ = sorted(causes, key=lambda name: -causes[name])
    part = f"{causes[first]:.0%} of the time"
    if first == LAUNCH:
        return f"{first} ({part}; then {second})"
    if first not in busy:
        others = [name for name in busy if name != CTA_LAUNCH_RATE or busy[name] >= 1.0]
        top = max(others, key=lambda name: (busy[name], name == CTA_LAUNCH_RATE))
        return f"{first} ({part}; {top} {busy[top]:.0%} busy)"
    if busy[first] < BUSY:
        return f"{first} ({part}; {busy[first]:.0%} busy)"
    return f"{first} ({busy[first]:.0%} busy)"


_F32_SUMS = "_f32acc"
_TENSOR = {
    (bits, f32): f"tensor{bits}{_F32_SUMS if f32 else ''}"
    for bits in TENSOR_TIMES
    for f32 in (False, True)
}
"""Matrix products by the bits of their factors, and whether their sums are FP32."""

KINDS = ("f16", "f32", "f64", *_TENSOR.values())


def flops_by_block(kernel: Kernel, warp_size: int) -> Floats:
    """Count the operations of a thread in each block, shape (blocks, KINDS); of tensors a share."""
    table = np.zeros((len(kernel.blocks), len(KINDS)))
    for block in kernel.blocks:
        for instruction in block.instructions:
            kind, number = operations_of(instruction.operation, warp_size)
            if number:
                table[block.id, KINDS.index(kind)] += number
    return table


_TWO = frozenset({"fma", "mad"})
_ONE = frozenset({"add", "sub", "mul", "div", "sqrt", "rcp", "rsqrt"})


def operations_of(operation: Operation, warp_size: int) -> tuple[str, float]:
    """The kind of an operation (``KINDS``), and the arithmetic operations of each thread in it."""
    if operation.op_class is OpClass.MMA:
        number = mma_multiply_adds(operation) or 0.0  # those of unknown shape are told elsewhere
        kind = _TENSOR[factor_bits(operation), sums_in_f32(operation)]
        return kind, 2.0 * number / warp_size
    kind = kind_of(operation)
    if kind not in KINDS or operation.type is None or not operation.type.is_float:
        return "f32", 0.0
    each = 2.0 if operation.name in _TWO else 1.0 if operation.name in _ONE else 0.0
    return kind, each * operation.type.lanes


def roofline(flops: Floats, dram_bytes: float, microseconds: float, machine: Machine) -> Roofline:
    """Position of a launch under the roofs; ``flops`` are those of all threads, by kind."""
    peaks = np.array([peak_gflops(machine, kind) for kind in KINDS])
    most = int(np.argmax(np.where(peaks > 0, flops / np.maximum(peaks, 1e-9), 0.0)))
    done, peak = float(flops[most]), float(peaks[most])
    intensity = done / dram_bytes if dram_bytes else None
    rate = float(machine.number("dram.measured_gbs"))
    if not done:
        return Roofline(None, 0.0, intensity, 0.0, None, None, rate)
    roof = peak if intensity is None else min(peak, intensity * rate)
    return Roofline(KINDS[most], done, intensity, done / microseconds / 1e3, peak, roof, rate)


_LANES = {"f16": ("lanes.fp16", 1.0), "f32": ("lanes.fp32", 1.0), "f64": ("lanes.fp64", 1.0)}
_LANES |= {
    kind: (f"lanes.tensor_fp16_fma{_F32_SUMS if f32 else ''}", TENSOR_TIMES[bits])
    for (bits, f32), kind in _TENSOR.items()
}
"""Key of an SM's rate of each kind, and an operation's time beside one at that rate."""


def peak_gflops(machine: Machine, kind: str) -> float:
    """The rate at which a machine does operations of a kind at the most."""
    key, time = _LANES[kind]
    lanes = float(machine.number(key)) / time
    return 2.0 * lanes * machine.integer("sm.count") * float(machine.number("clock.sm_mhz")) / 1e3


# Accesses of which nobody knows how many bytes they move: what engines say of them.


def told_unknown_sizes(
    kernel: Kernel, accesses: Iterable[MemoryAccess], is_executed: Callable[[int, int], bool]
) -> tuple[str, ...]:
    """Note on each executed access of unknown size, with how it was counted.

    ``is_executed`` tells it by block and instruction.
    """
    return tuple(
        f"line {kernel.blocks[a.block].instructions[a.instruction].span.line}: data decide how "
        f"many bytes {a.opcode} moves; 1 is counted"
        for a in accesses
        if a.width_bytes is None and is_executed(a.block, a.instruction)
    )
