"""What the time of a launch goes to, and where it lies under the roofs of its machine."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from analyzer.ir.kernel import Kernel
from analyzer.ir.operation import Operation
from analyzer.ir.types import OpClass
from simulator.estimate.costs import (
    TENSOR_TIMES,
    cost_table,
    factor_bits,
    kind_of,
    mma_multiply_adds,
    sums_in_f32,
)
from simulator.estimate.pipeline import PIPE, REASONS
from simulator.estimate.pipeline import Sums as PipelineSums
from simulator.machines.model import Machine

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Share:
    """The part of the time of a launch that has one cause, from 0 to 1; all causes make 1."""

    cause: str
    fraction: float


ISSUED, LAUNCH = "issue", "launch"


def shares(sums: PipelineSums, launch_fraction: float) -> tuple[Share, ...]:
    """Share the time out to causes: what warps do and wait for, and launching.

    Each cycle of a resident warp is one in which it issues, or waits for something; what warps
    spend the same time on counts once for each of them.
    """
    found = {ISSUED: sums.issue_busy}
    for number, reason in enumerate(REASONS):
        if number == PIPE:
            for name, cycles in zip(cost_table().pipes, sums.pipe_waits, strict=True):
                found[f"{name} pipe"] = float(cycles)
        else:
            found[reason] = found.get(reason, 0.0) + float(sums.waits[number])
    whole = sum(found.values()) or 1.0
    left = 1.0 - launch_fraction
    made = [Share(cause, float(cycles / whole * left)) for cause, cycles in found.items()]
    return (*made, Share(LAUNCH, launch_fraction))


@dataclass(frozen=True, slots=True)
class Roofline:
    """Arithmetic against traffic: where a launch lies under the roofs of its machine.

    ``flops`` are arithmetic operations of all threads (a fused multiply-add is two), by the
    ``kind`` that takes longest: f16, f32, f64, or tensor with the bits of the factors, where they
    may be integers (tensor8), and f32acc where sums are FP32 (tensor16_f32acc); None where there
    are no such operations, and no peak nor roof of them. ``intensity`` is operations a byte of
    DRAM; None where nothing moves there. Rates are in GFLOP/s and GB/s.
    """

    kind: str | None
    flops: float
    dram_bytes: float
    intensity: float | None
    achieved_gflops: float
    peak_gflops: float | None
    roof_gflops: float | None


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
            kind, number = _flops(instruction.operation, warp_size)
            if number:
                table[block.id, KINDS.index(kind)] += number
    return table


_TWO = frozenset({"fma", "mad"})
_ONE = frozenset({"add", "sub", "mul", "div", "sqrt", "rcp", "rsqrt"})


def _flops(operation: Operation, warp_size: int) -> tuple[str, float]:
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
    """Place a launch under the roofs; ``flops`` are those of all threads, by kind."""
    peaks = np.array([_peak_gflops(machine, kind) for kind in KINDS])
    most = int(np.argmax(np.where(peaks > 0, flops / np.maximum(peaks, 1e-9), 0.0)))
    done, peak = float(flops[most]), float(peaks[most])
    intensity = done / dram_bytes if dram_bytes else None
    if not done:
        return Roofline(None, 0.0, dram_bytes, intensity, 0.0, None, None)
    rate = float(machine.number("dram.measured_gbs"))
    roof = peak if intensity is None else min(peak, intensity * rate)
    return Roofline(KINDS[most], done, dram_bytes, intensity, done / microseconds / 1e3, peak, roof)


_LANES = {"f16": ("lanes.fp16", 1.0), "f32": ("lanes.fp32", 1.0), "f64": ("lanes.fp64", 1.0)}
_LANES |= {
    kind: (f"lanes.tensor_fp16_fma{_F32_SUMS if f32 else ''}", TENSOR_TIMES[bits])
    for (bits, f32), kind in _TENSOR.items()
}
"""What tells how many a clock an SM does of each kind, and the time of one beside that of it."""


def _peak_gflops(machine: Machine, kind: str) -> float:
    key, time = _LANES[kind]
    lanes = float(machine.number(key)) / time
    return 2.0 * lanes * machine.integer("sm.count") * float(machine.number("clock.sm_mhz")) / 1e3
