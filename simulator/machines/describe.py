"""Machines in words: their values as rows, and their rates beside those announced."""

from __future__ import annotations

from dataclasses import dataclass

from warpmill.simulator.machines.model import Machine
from warpmill.simulator.machines.schema import Scalar, schema


@dataclass(frozen=True)
class MachineRow:
    """One value of a machine in words: what ``show`` prints."""

    key: str
    value: str
    unit: str
    status: str
    origin: str
    assumed: bool
    source: str


def rows(machine: Machine) -> tuple[MachineRow, ...]:
    """Give every value that the machine has, in the order of the schema."""
    keys = schema().keys
    return tuple(
        MachineRow(
            name,
            value_words(value.value),
            keys[name].unit,
            value.status,
            value.origin,
            value.assumed,
            f"{schema().letters[value.letter].meaning}: {value.source}",
        )
        for name, value in machine.values
    )


def value_words(value: Scalar) -> str:
    """Write a value as people read it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return f"{value:.6g}" if isinstance(value, float) else str(value)


@dataclass(frozen=True)
class PeakRate:
    """The operations a second that a machine's units reach, a fused multiply-add two of them.

    ``key`` is the value that has the units of an SM. ``assumed``: that, or the clock, is.
    """

    operation: str
    key: str
    tflops: float
    assumed: bool


_PEAKS = (
    ("FP32", "lanes.fp32"),
    ("FP64", "lanes.fp64"),
    ("FP16", "lanes.fp16"),
    ("FP16 tensor", "lanes.tensor_fp16_fma"),
    ("FP16 tensor, FP32 sums", "lanes.tensor_fp16_fma_f32acc"),
)
"""What the values that have multiply-adds of an SM a cycle are of."""


def peak_rates(machine: Machine) -> tuple[PeakRate, ...]:
    """SMs × lanes × 2 × clock, for each kind of unit that the machine has.

    The clock is clock.peak_mhz, or clock.sm_mhz where that is absent.
    """
    clock = "clock.sm_mhz" if machine.get("clock.peak_mhz") is None else "clock.peak_mhz"
    flops_a_lane = machine.number("sm.count") * 2 * machine.number(clock) / 1e6
    return tuple(
        PeakRate(
            operation,
            key,
            machine.number(key) * flops_a_lane,
            any(machine[each].assumed for each in (key, clock, "sm.count")),
        )
        for operation, key in _PEAKS
        if machine.get(key) is not None
    )


@dataclass(frozen=True)
class Announced:
    """A rate that was announced, and the one that lanes, clocks and bus width give."""

    key: str
    announced: float | None
    computed: float


def announced_rates(machine: Machine) -> tuple[Announced, ...]:
    """Compare peak.* with ``peak_rates``, and bus × data rate (GB/s). None was not announced."""
    bus = machine.number("dram.bus_bits") * machine.number("clock.mem_gtps") / 8
    peaks = {one.key: one.tflops for one in peak_rates(machine)}
    computed = {
        "peak.fp32_tflops": peaks["lanes.fp32"],
        "peak.fp64_tflops": peaks["lanes.fp64"],
        "peak.dram_gbs": bus,
    }
    return tuple(
        Announced(key, None if machine.get(key) is None else float(machine.number(key)), value)
        for key, value in computed.items()
    )
