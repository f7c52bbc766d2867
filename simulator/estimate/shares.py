"""What the time of a launch goes to, and where it lies under the roofs of its machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.ir.operation import Operation
from warpmill.analyzer.ir.types import OpClass
from warpmill.simulator.estimate.costs import (
    TENSOR_TIMES,
    cost_table,
    factor_bits,
    kind_of,
    mma_multiply_adds,
    sums_in_f32,
)
from warpmill.simulator.estimate.pipeline import PIPE, REASONS
from warpmill.simulator.estimate.pipeline import Sums as PipelineSums
from warpmill.simulator.estimate.result import Roofline, Share, Utilization
from warpmill.simulator.machines.model import Machine
from warpmill.simulator.resources import CTA_LAUNCH_RATE, ISSUE_SLOTS, LAUNCH, PIPES, TERMS, Term

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
    if busy is not None and busy.fraction >= BUSY:
        found = _behind(found, busy)
    whole = sum(found.values()) or 1.0
    left = 1.0 - launch_fraction
    made = [Share(cause, float(cycles / whole * left)) for cause, cycles in found.items()]
    return (*made, Share(LAUNCH, launch_fraction))


def _behind(found: dict[Term, float], busy: Utilization) -> dict[Term, float]:
    """The cycles of causes, of which a resource has at least the part in which it works."""
    own = found.get(busy.resource, 0.0)
    if busy.fraction >= 1.0:
        return dict.fromkeys(found, 0.0) | {busy.resource: 1.0}
    rest = sum(found.values()) - own
    return found | {busy.resource: max(own, rest * busy.fraction / (1.0 - busy.fraction))}


def bound(causes: Sequence[Share], utilization: Sequence[Utilization]) -> str:
    """What limits a launch, in words: the greatest cause of its time, and how busy that is."""
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
    """Where a launch lies under the roofs; ``flops`` are those of all threads, by kind."""
    peaks = np.array([peak_gflops(machine, kind) for kind in KINDS])
    most = int(np.argmax(np.where(peaks > 0, flops / np.maximum(peaks, 1e-9), 0.0)))
    done, peak = float(flops[most]), float(peaks[most])
    intensity = done / dram_bytes if dram_bytes else None
    if not done:
        return Roofline(None, 0.0, intensity, 0.0, None, None)
    rate = float(machine.number("dram.measured_gbs"))
    roof = peak if intensity is None else min(peak, intensity * rate)
    return Roofline(KINDS[most], done, intensity, done / microseconds / 1e3, peak, roof)


_LANES = {"f16": ("lanes.fp16", 1.0), "f32": ("lanes.fp32", 1.0), "f64": ("lanes.fp64", 1.0)}
_LANES |= {
    kind: (f"lanes.tensor_fp16_fma{_F32_SUMS if f32 else ''}", TENSOR_TIMES[bits])
    for (bits, f32), kind in _TENSOR.items()
}
"""What tells how many a clock an SM does of each kind, and the time of one beside that of it."""


def peak_gflops(machine: Machine, kind: str) -> float:
    """The rate at which a machine does operations of a kind at the most."""
    key, time = _LANES[kind]
    lanes = float(machine.number(key)) / time
    return 2.0 * lanes * machine.integer("sm.count") * float(machine.number("clock.sm_mhz")) / 1e3
