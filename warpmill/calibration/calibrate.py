"""Calibration: groups of micro-benchmarks on a runner, one after another.

::

    found = warpmill.calibrate(on_model="v100", groups=["latency"])
    for finding in found.part.findings:
        print(finding.key, finding.value, finding.spread)
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Annotated

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.metric import INTERNAL, Metric
from warpmill.analyzer.base.naming import suggestion
from warpmill.calibration.caches import constant_cache, data_caches, texture_cache
from warpmill.calibration.chain_costs import MeasuredChain, chain_costs, shape, turn_costs
from warpmill.calibration.figures import (
    FittedNumber,
    combined,
    differences,
    multiples,
    slope_of_readings,
)
from warpmill.calibration.findings import (
    CalibrationCurve,
    CalibrationFinding,
    GroupFindings,
    Missing,
    found,
    joined,
)
from warpmill.calibration.knees import knee, rough
from warpmill.calibration.latencies import latencies
from warpmill.calibration.machine_code import instructions
from warpmill.calibration.probes import Probe, ProbedMachine, ProbeRunner, Reading, ZeroedMemory
from warpmill.calibration.throughput import bandwidths, intervals
from warpmill.codegen.microbench.frame import WARP, Microbench, measured_operations
from warpmill.codegen.microbench.kernels import (
    LOAD_BYTES,
    MOST_STRIDE,
    back_to_front,
    empty,
    shared_stride,
    stream,
)

Progress = Callable[[str, int, int], None]
"""Callback with a group before it is measured, its place from 0, and how many groups there are."""

_LEAST_LAST_BYTES = 1 << 22
_USUAL_OWN_BYTES = 1 << 18


@dataclass(frozen=True)
class Calibration:
    """Findings of a calibration, with its target, launches and seconds."""

    target: ProbedMachine
    groups: tuple[str, ...]
    part: GroupFindings
    launches: Annotated[int, Metric("Launches")]
    seconds: Annotated[float, INTERNAL]


def _shared(runner: ProbeRunner, _known: GroupFindings) -> GroupFindings:
    return joined(bank_conflicts(runner), coalescing(runner), atomics(runner))


def _caches(runner: ProbeRunner, _known: GroupFindings) -> GroupFindings:
    return data_caches(runner, max(_LEAST_LAST_BYTES, 4 * runner.target.l2_bytes))


def _bandwidth(runner: ProbeRunner, known: GroupFindings) -> GroupFindings:
    """Measure streams for the caches that were found; without that, for what the driver says."""
    sizes = {f.key: f.value for f in known.findings if f.key.endswith(".size_bytes")}
    if any(f.key == "l1.caches_global" for f in known.findings):
        return bandwidths(runner, sizes.get("l2.size_bytes"), sizes.get("l1.size_bytes", 0.0))
    return bandwidths(runner, runner.target.l2_bytes or None, _USUAL_OWN_BYTES)


GROUPS: Mapping[str, Callable[[ProbeRunner, GroupFindings], GroupFindings]] = {
    "latency": lambda runner, _: latencies(runner),
    "interval": lambda runner, _: intervals(runner),
    "shared": _shared,
    "caches": _caches,
    "constant": lambda runner, _: constant_cache(runner),
    "texture": lambda runner, _: texture_cache(runner),
    "code": lambda runner, _: code_cache(runner),
    "bandwidth": _bandwidth,
    "launch": lambda runner, _: launching(runner),
}
"""The groups by name, in the order in which they are measured."""


def chosen_groups(names: Sequence[str] | None) -> tuple[str, ...]:
    """Groups in their order; all for None. UsageError for one that is not there, and for none.

    A name may be several with commas between them.
    """
    if names is None:
        return tuple(GROUPS)
    wanted = [name.strip() for text in names for name in text.split(",") if name.strip()]
    if not wanted:
        raise UsageError(f"no group of micro-benchmarks is named; groups: {', '.join(GROUPS)}")
    for name in wanted:
        if name not in GROUPS:
            hint = suggestion(name, tuple(GROUPS)) or f"groups: {', '.join(GROUPS)}"
            raise UsageError(f"there is no group `{name}` of micro-benchmarks; {hint}")
    return tuple(name for name in GROUPS if name in wanted)


def measured(
    runner: ProbeRunner, groups: Sequence[str] | None = None, progress: Progress | None = None
) -> Calibration:
    """Measure groups on a runner. UsageError for a group that is not there."""
    chosen = chosen_groups(groups)
    begin, known = time.monotonic(), GroupFindings()
    for number, name in enumerate(chosen):
        if progress is not None:
            progress(name, number, len(chosen))
        known = joined(known, GROUPS[name](runner, known))
    seconds = time.monotonic() - begin
    return Calibration(runner.target, chosen, known, runner.launches, seconds)


# Launches: how fast CTAs begin, and on a GPU what a launch takes beside its kernel.

_QUEUES = (
    ("launch.event_us", 1, False, "events around one kernel that does nothing"),
    ("launch.back_to_back_us", 256, False, "launches in a row of a kernel that does nothing"),
    ("launch.serial_us", 256, True, "likewise, queued behind a long kernel"),
)
_CTAS = (2, 4, 6)
"""CTAs that are launched, in times of what all SMs hold about."""

_LONGER = 32
"""Links of a chain that lets CTAs live for longer: free where launching is slower."""
_AS_FAST = 1.1


def launching(runner: ProbeRunner) -> GroupFindings:
    """Measure the rate at which CTAs of a kernel that does nothing begin.

    Where they begin no faster than others end, CTAs that live for longer begin more slowly.
    """
    chip = runner.target.chip
    bench = empty(chip)
    each, longer = (_cycles_a_cta(runner, one) for one in (bench, empty(chip, _LONGER)))
    hidden = longer.value > _AS_FAST * each.value
    findings: list[CalibrationFinding] = [
        found(
            "launch.blocks_per_clk",
            each.over(1.0),
            "CTAs of a kernel that does nothing",
            "least" if hidden else None,
            "the SMs end no more of them" if hidden else "",
        )
    ]
    one = Probe(bench, 1, 1, WARP, (), ZeroedMemory(8))
    for key, count, behind, how in _QUEUES:
        times = runner.queued_us(one, count, behind=behind)
        if times is not None:
            findings.append(found(key, combined([FittedNumber(t, 0.0) for t in times]), how))
    return GroupFindings(tuple(findings))


def _cycles_a_cta(runner: ProbeRunner, bench: Microbench) -> FittedNumber:
    counts = [n * runner.target.sms * 32 for n in _CTAS]
    readings = runner.read([Probe(bench, 1, n, WARP, (), ZeroedMemory(8)) for n in counts])
    return slope_of_readings(counts, readings)


# The instruction cache of an SM: what an instruction takes by how long the code of a loop is.

_OPERATION, _COPIES = "fp32_fma", 4
"""One instruction on every chip, so that the length of a loop is told finely."""
_FIRST_BYTES, _LAST_BYTES = 1 << 14, 1 << 18
_RISE = 1.1


@dataclass(frozen=True)
class CodeRuler:
    """Loops of so many machine instructions that wait for nothing, gone round by one warp.

    Their blocks are gone through from the last to the first: prefetchers look ahead.
    """

    runner: ProbeRunner
    stride_bytes: int

    @property
    def granule(self) -> int:
        """Instructions of a block: loops are so many times as long."""
        return 1 + _COPIES * instructions(measured_operations()[_OPERATION], self.runner.target)

    def hops(self, counts: Sequence[int]) -> list[Reading]:
        """Measure loops of so many instructions: cycles an instruction."""
        chip, one = self.runner.target.chip, shape(self.runner.target, 1, 1)
        whole = [multiples(n, self.granule) for n in counts]
        loops = [(back_to_front(n // self.granule, _COPIES, chip), one) for n in whole]
        costs = turn_costs(self.runner, loops)
        return [
            Reading(tuple(c / n for c in cost.cycles), tuple(s / n for s in cost.seconds))
            for cost, n in zip(costs, whole, strict=True)
        ]


def code_cache(
    runner: ProbeRunner, first: int = _FIRST_BYTES, last: int = _LAST_BYTES
) -> GroupFindings:
    """Find the instruction cache of an SM, by loops of ``first`` to ``last`` bytes of code."""
    ruler = CodeRuler(runner, runner.target.instruction_bytes)
    footprints = [first << k for k in range((last // first).bit_length())]
    costs = [one.typical for one in ruler.hops([f // ruler.stride_bytes for f in footprints])]
    points = tuple(zip(map(float, footprints), costs, strict=True))
    curves = (
        CalibrationCurve(
            "footprint", "instructions", "footprint B", "cycles an instruction", points
        ),
    )
    rise = next((k for k, (a, b) in enumerate(pairwise(costs)) if b > _RISE * a), None)
    about = None if rise is None else rough(ruler, footprints[rise], footprints[-1])
    end = None if about is None else knee(ruler, about)
    if end is None:
        words = f"code up to {last >> 10} KiB takes no longer an instruction"
        missing = tuple(Missing(key, words) for key in ("icache.l1_bytes", "icache.ways"))
        return GroupFindings((), missing, curves)
    findings = [
        found("icache.l1_bytes", end.size_bytes, "length of code from which it takes longer")
    ]
    if end.ways is not None:
        ways = replace(end.ways, value=max(1.0, float(round(end.ways.value))))  # whole ones
        findings.append(found("icache.ways", ways, "how steeply that grows"))
    return GroupFindings(tuple(findings), (), curves)


# Shared memory by the stride of its lanes, loads by theirs, and atomics on one word.

_WORD = 4
_LENGTHS = (8, 24)
_WARPS, _TIMES = 8, 4
_AS_MUCH = 1.1
_TWICE = 1.6
_ATOMIC_WARPS = (1, 4, 8, 16)
_LOADS, _COALESCING_WARPS = 4, 4
_APART = 1 << 13


def bank_conflicts(runner: ProbeRunner) -> GroupFindings:
    """Find banks, their width and ports: what a load takes by the bytes between lanes.

    From the stride on whose lanes all meet in one bank a load takes no longer: that many bytes are
    a row of all banks, and what it takes gives the ports. If odd lanes then go on by the width of a
    bank, the next bank takes half of the load; if by less, they ask the same bank for another word.
    Small strides tell neither where a load without conflicts holds its pipe for as long as one with
    some.
    """
    strides = [_WORD << k for k in range((MOST_STRIDE // _WORD).bit_length())]
    costs = {stride: _cost(runner, stride) for stride in strides}
    points = tuple((float(s), c.value) for s, c in costs.items())
    curve = CalibrationCurve(
        "stride", "shared loads", "bytes between lanes", "cycles a load", points
    )
    free, worst = costs[strides[0]], costs[strides[-1]]
    row = next(s for s in strides if costs[s].value * _AS_MUCH >= worst.value)
    width = _width(runner, row, worst.value) if worst.value >= _TWICE * free.value else None
    if width is None:
        words = f"no stride up to {MOST_STRIDE} B has conflicts"
        keys = ("shared.banks", "shared.bank_width_bytes", "shared.ports")
        return GroupFindings((), tuple(Missing(key, words) for key in keys), (curve,))
    ports = max(1, round(WARP / worst.value))
    how = "loads of shared memory by the stride of lanes"
    findings = [
        found("shared.banks", FittedNumber(row / width, 0.0), how),
        found("shared.bank_width_bytes", FittedNumber(width, 0.0), f"{how}, odd ones a bank on"),
        found("shared.ports", FittedNumber(ports, ports * worst.spread / worst.value), how),
    ]
    return GroupFindings(tuple(findings), (), (curve,))


def _width(runner: ProbeRunner, row: int, worst: float) -> int | None:
    """Find by how many bytes odd lanes have to go on to meet in another bank than even ones."""
    tried = [_WORD << k for k in range((row // _WORD).bit_length() - 1)]
    return next((n for n in tried if worst >= _TWICE * _cost(runner, row, n).value), None)


def _cost(runner: ProbeRunner, stride: int, odd: int = 0) -> FittedNumber:
    form = shape(runner.target, min(_WARPS, runner.target.max_warps), 1)
    benches = [(shared_stride(n, runner.target.chip), form) for n in _LENGTHS]
    costs = turn_costs(runner, benches, (stride, odd), _TIMES)
    return slope_of_readings(_LENGTHS, costs).times(1 / form.warps)


def coalescing(runner: ProbeRunner) -> GroupFindings:
    """Measure what a load takes by the bytes between its lanes: the sectors that it touches."""
    points: list[tuple[float, float]] = []
    bench = stream(_LOADS, _APART, runner.target.chip)
    strides = [LOAD_BYTES << k for k in range(5)]
    few, many = (8, 24) if runner.target.is_model else (64, 192)
    memory = ZeroedMemory(_LOADS * _APART + _COALESCING_WARPS * WARP * strides[-1])
    probes = [
        Probe(bench, turns, 1, _COALESCING_WARPS * WARP, (stride, 0, 1, 0), memory)
        for stride in strides
        for turns in (few, many)
    ]
    readings = runner.read(probes)
    for stride, shorter, longer in zip(strides, readings[::2], readings[1::2], strict=True):
        loads = (many - few) * _LOADS * _COALESCING_WARPS
        points.append((float(stride), differences(longer, shorter, loads).typical))
    curve = CalibrationCurve(
        "stride", "loads of 16 B", "bytes between lanes", "cycles a load", tuple(points)
    )
    return GroupFindings((), (), (curve,))


def atomics(runner: ProbeRunner) -> GroupFindings:
    """Measure atomics of all lanes on one word, from several warps: cycles a lane."""
    operation = measured_operations()["atomics"]
    numbers = [n for n in _ATOMIC_WARPS if n <= runner.target.max_warps]
    costs = chain_costs(
        runner, [MeasuredChain(operation, shape(runner.target, n, 1)) for n in numbers]
    )
    return GroupFindings(
        tuple(_of_atomics([c.times(1 / n) for c, n in zip(costs, numbers, strict=True)]))
    )


def _of_atomics(costs: list[FittedNumber]) -> Iterator[CalibrationFinding]:
    least = min(costs, key=lambda one: one.value + one.spread)
    yield found("l2.atomic_cycles", least.times(1 / WARP), "exchanges of all lanes with one word")
