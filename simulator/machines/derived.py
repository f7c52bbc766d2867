"""Values of a machine that follow from others: the one place where they are computed.

A machine file states such a value only where its source says a different number. The statement
holds as long as the inputs of the rule have the values that they have in the file that states it;
once one of them is changed (by ``--set`` or by a file nearer in the fallback chain), the rule
takes over. Other values have no rule and still go with others: ``FOLLOWS`` says which. They change
by as much as these, where a user (``--set``) or a design made of a machine changes these.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class DerivationRule:
    """How one value follows from others; ``formula`` says it in words.

    ``compute`` takes the inputs in order and gives None where the result has no meaning. A rule
    is ``assumed`` where it is a rule of thumb and not arithmetic.
    """

    key: str
    inputs: tuple[str, ...]
    formula: str
    compute: Callable[..., float | None]
    assumed: bool = False


def _interval(lanes: str) -> DerivationRule:
    """Make the rule of one issue interval: a warp passes the lanes of one sub-partition."""
    return DerivationRule(
        f"interval.{lanes}",
        ("machine.warp_size", "sm.subpartitions", f"lanes.{lanes}"),
        f"machine.warp_size × sm.subpartitions / lanes.{lanes}",
        lambda warp, parts, width: warp * parts / width if width else None,
    )


def _sets(size: float, line: float, ways: float) -> float:
    return size / (line * ways) if size else 0


_TENSOR_FMAS = 16 * 8 * 16  # of one m16n8k16

_RULES = (
    DerivationRule(
        "sm.max_warps",
        ("sm.max_threads", "machine.warp_size"),
        "sm.max_threads / machine.warp_size",
        lambda threads, warp: threads / warp,
    ),
    DerivationRule(
        "sm.simd_width",
        ("lanes.fp32", "sm.subpartitions", "machine.warp_size"),
        "lanes.fp32 / sm.subpartitions, at most machine.warp_size",
        lambda lanes, parts, warp: min(lanes / parts, warp) if lanes else None,
    ),
    DerivationRule(
        "front_end.fetch_width",
        ("sm.issue_per_scheduler",),
        "sm.issue_per_scheduler, in whole instructions",
        lambda width: max(1, math.ceil(width)),
        assumed=True,
    ),
    *map(_interval, ("fp32", "fp64", "int_add", "int_mul", "sfu", "conv", "shuffle", "ldst")),
    DerivationRule(
        "interval.int_mad",
        ("interval.int_mul",),
        "interval.int_mul",
        lambda interval: interval,
    ),
    DerivationRule(
        "interval.tensor",
        ("sm.subpartitions", "lanes.tensor_fp16_fma"),
        f"{_TENSOR_FMAS} × sm.subpartitions / lanes.tensor_fp16_fma (one m16n8k16)",
        lambda parts, width: _TENSOR_FMAS * parts / width if width else None,
    ),
    DerivationRule(
        "lanes.tensor_fp16_fma_f32acc",
        ("lanes.tensor_fp16_fma",),
        "lanes.tensor_fp16_fma",
        lambda width: width,
    ),
    DerivationRule(
        "interval.tensor_f32acc",
        ("interval.tensor", "lanes.tensor_fp16_fma", "lanes.tensor_fp16_fma_f32acc"),
        "interval.tensor × lanes.tensor_fp16_fma / lanes.tensor_fp16_fma_f32acc",
        lambda interval, width, sums: interval * width / sums if sums else None,
    ),
    DerivationRule(
        "interval.wgmma",
        ("sm.subpartitions", "lanes.tensor_fp16_fma_f32acc"),
        f"{_TENSOR_FMAS} × sm.subpartitions / lanes.tensor_fp16_fma_f32acc",
        lambda parts, width: _TENSOR_FMAS * parts / width if width else None,
    ),
    DerivationRule(
        "l1.sets",
        ("l1.size_bytes", "l1.line_bytes", "l1.ways"),
        "l1.size_bytes / (l1.line_bytes × l1.ways)",
        _sets,
    ),
    DerivationRule(
        "dram.bandwidth_gbs",
        ("dram.bus_bits", "clock.mem_gtps"),
        "dram.bus_bits × clock.mem_gtps / 8",
        lambda bits, rate: bits * rate / 8,
    ),
    DerivationRule(
        "dram.measured_gbs",
        ("dram.bandwidth_gbs",),
        "0.95 × dram.bandwidth_gbs (pure streams reach 0.977 to 0.997 on seven cards)",
        lambda rate: 0.95 * rate,
        assumed=True,
    ),
    DerivationRule(
        "dram.bytes_per_clk_per_channel",
        ("dram.bandwidth_gbs", "dram.channels", "clock.mem_mhz"),
        "dram.bandwidth_gbs × 1000 / (dram.channels × clock.mem_mhz)",
        lambda rate, channels, clock: rate * 1000 / (channels * clock),
    ),
    DerivationRule("dram.timing.n_banks", ("dram.banks",), "dram.banks", lambda banks: banks),
)

RULES: Mapping[str, DerivationRule] = {rule.key: rule for rule in _RULES}
"""Every rule by the key that it gives; the order is one in which inputs come first."""


@dataclass(frozen=True)
class Follows:
    """A value that grows as others do, where these are changed of a machine that states it.

    There is no formula for it: how many slices an L2 has, a document says. But the chip with twice
    the bus has twice as many.
    """

    key: str
    sources: tuple[str, ...]


_FOLLOWS = (
    Follows("clock.mem_mhz", ("clock.mem_gtps",)),
    Follows("clock.mem_gtps", ("clock.mem_mhz",)),
    Follows("dram.channels", ("dram.bus_bits",)),
    Follows("l2.slices", ("dram.channels",)),
    Follows("l2.bytes_per_clk", ("l2.slices",)),
    Follows("dram.measured_gbs", ("dram.bandwidth_gbs",)),
    Follows("lanes.tensor_fp16_fma_f32acc", ("lanes.tensor_fp16_fma",)),
    Follows("l2.latency_far", ("l2.latency",)),
)

FOLLOWS: Mapping[str, Follows] = {one.key: one for one in _FOLLOWS}
"""What follows what, by the key that does. A file says so of its own: ``as l2.latency``."""

_AS = re.compile(r"(?:same )?as ([a-z_0-9]+(?:\.[a-z_0-9]+)+)")


def follows(key: str, letter: str, source: str) -> Follows | None:
    """Tell what a value follows: by the table, or as the words of its source say."""
    found = _AS.match(source) if letter in _DERIVED_LETTERS else None
    return Follows(key, (found[1],)) if found else FOLLOWS.get(key)


_DERIVED_LETTERS = ("A", "X")


def evaluate(rule: DerivationRule, inputs: tuple[float | None, ...]) -> float | None:
    """Apply a rule; None where an input is unknown or the result has no meaning."""
    if any(value is None for value in inputs):
        return None
    result = rule.compute(*inputs)
    return result if result is not None and math.isfinite(result) else None
