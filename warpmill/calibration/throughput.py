"""Throughput: issue intervals of operations, and bandwidths of L1, L2, an SM's port and DRAM.

Issue intervals come from independent chains in one warp to as many as an SM holds (§IV-A-2), each
bandwidth from the stream that gets most of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from warpmill.calibration.chain_costs import (
    ChainShape,
    MeasuredChain,
    chain_costs,
    shape,
    turn_costs,
)
from warpmill.calibration.figures import FittedNumber, differences, slope, slope_of_readings
from warpmill.calibration.findings import (
    Bound,
    CalibrationCurve,
    CalibrationFinding,
    GroupFindings,
    Missing,
    Other,
    found,
    joined,
)
from warpmill.calibration.latencies import able, is_timeless, timeless, why_not
from warpmill.calibration.machine_code import apiece, beside, filler, instructions
from warpmill.calibration.probes import Probe, ProbedMachine, ProbeRunner, Reading, ZeroedMemory
from warpmill.codegen.microbench.frame import (
    WARP,
    MeasuredOperation,
    Microbench,
    measured_operations,
)
from warpmill.codegen.microbench.kernels import LOAD_BYTES, branches, shared_stride, stream

# Issue intervals.

_COPIES, _ALONE = 4, 16
"""Chains of a warp; more where one warp alone has to keep the pipe of special functions busy."""

_ISSUE, _PARTS = "issue", "mufu"
_PIPES = ("fp32_fma", "int_logic")
"""Pipes that ``issue`` alternates between."""

_TIMES = 8
_LOADS, _BRANCHES = (8, 16, 24), (2, 4, 6)
_LIMITED = 0.85

IssueRates = Mapping[int, FittedNumber]
"""Cycles of an SM from one warp instruction to the next, by its warps."""


def best(rates: IssueRates) -> FittedNumber:
    """The fewest cycles: warps that go in step may keep each other from some pipes.

    One that is less by no more than its spread does not count for less.
    """
    return min(rates.values(), key=lambda figure: figure.value + figure.spread)


def warps_of(target: ProbedMachine) -> tuple[int, ...]:
    """List the numbers of warps that are tried: 1, 2, 4 and so on, and the most."""
    powers = (1 << k for k in range(target.max_warps.bit_length()))
    return (*[n for n in powers if n < target.max_warps], target.max_warps)


def intervals(runner: ProbeRunner, names: Sequence[str] | None = None) -> GroupFindings:
    """Measure what separates two warp instructions, in a sub-partition and in the whole SM.

    Sub-partitions are as many as the rate of special functions grows by from one warp to more,
    schedulers as many as that of two pipes by turns does: one warp has those of one alone. What a
    scheduler issues is at least this where the two pipes take no more.
    ``names`` are the operations whose intervals are wanted; all without it.
    """
    target = runner.target
    wanted = None if names is None else [*names, _ISSUE, _PARTS]
    chosen = [o for o in able(target, wanted) if o.interval is not None or o.name == _ISSUE]
    rates = _sweeps(runner, chosen)
    rates["ldst"] = _of_loops(runner, shared_stride, _LOADS, (4, 0))
    rates["branch"] = _of_loops(runner, branches, _BRANCHES, ())
    gone = {o.name: timeless(o) for o in chosen if is_timeless(best(rates[o.name]))}
    of_all = gone.get(_PARTS) or gone.get(_ISSUE)
    if of_all:
        return GroupFindings(
            (), tuple(Missing(o.interval, of_all) for o in chosen if o.interval is not None)
        )
    chosen = [o for o in chosen if o.name not in gone]
    rates = {name: each for name, each in rates.items() if name not in gone}
    parts, issue = _times(rates[_PARTS]), best(rates[_ISSUE])
    pipes = [best(rates[name]) for name in _PIPES if name in rates]
    findings = [*_of_sm(parts, _times(rates[_ISSUE]), issue, pipes)]
    for operation in chosen:
        if operation.interval is not None:
            findings += _found(target, operation, best(rates[operation.name]), (issue, parts))
    missing = tuple(
        Missing(o.interval, why)
        for o in measured_operations().values()
        if o.interval is not None and (why := why_not(target, o) or gone.get(o.name, ""))
    )
    found_here = GroupFindings(
        (*findings, *_of_pipes(rates, parts)), missing, tuple(_interval_curves(rates))
    )
    return joined(found_here, barriers(runner, issue))


def _times(rates: IssueRates) -> int:
    """How many times one warp's rate the best is."""
    return max(1, round(rates[1].value / best(rates).value))


def _of_sm(
    parts: int, schedulers: int, issue: FittedNumber, pipes: Sequence[FittedNumber]
) -> Iterator[CalibrationFinding]:
    """The parts of the SM. ``pipes``: what instructions of each alone take, if measured.

    Schedulers that issue an instruction a cycle are not kept by their pipes, though these may be
    as wide; of those that do less it cannot be told.
    """
    each = issue.over(1.0).times(1 / schedulers)
    taken = sum(pipe.value for pipe in pipes) / len(_PIPES)
    kept = each.value < _LIMITED and taken >= _LIMITED * issue.value
    how = "rate of special functions, the best over one warp's"
    yield found("sm.subpartitions", FittedNumber(parts, 0.0), how)
    yield found(
        "sm.schedulers", FittedNumber(schedulers, 0.0), "rate of two pipes by turns, likewise"
    )
    bound: Bound | None = "least" if kept else None
    note = "the two pipes take no more" if kept else ""
    yield found("sm.issue_per_scheduler", each, "two pipes by turns", bound, note)


def _sweeps(runner: ProbeRunner, chosen: list[MeasuredOperation]) -> dict[str, IssueRates]:
    """Measure chains of operations in all numbers of warps: cycles a machine instruction."""
    parted = {o.name: filler(o, runner.target) is not None for o in chosen}
    plain = [o for o in chosen if not parted[o.name]]
    beside_others = [o for o in chosen if parted[o.name]]
    found = _swept(runner, plain, 1) | _swept(runner, beside_others, _TIMES)
    return {o.name: found[o.name] for o in chosen}


def _swept(
    runner: ProbeRunner, chosen: list[MeasuredOperation], times: int
) -> dict[str, IssueRates]:
    """Measure them by so many times the turns."""
    numbers = warps_of(runner.target)
    forms = {(o.name, n): shape(runner.target, n, _copies(o, n)) for o in chosen for n in numbers}
    ends = (1, runner.target.max_warps)
    chains = [
        _chain(runner.target, o, forms[o.name, n], glance=n not in ends)
        for o in chosen
        for n in numbers
    ]
    costs = iter(chain_costs(runner, chains, times))
    each = {o.name: apiece(o, runner.target) for o in chosen}
    return {
        o.name: {
            n: next(costs).times(1 / (forms[o.name, n].copies * n * each[o.name])) for n in numbers
        }
        for o in chosen
    }


def _chain(
    target: ProbedMachine, operation: MeasuredOperation, form: ChainShape, *, glance: bool
) -> MeasuredChain:
    """The chains of an operation, with what keeps its second pipe busy if it has one."""
    if filler(operation, target) is None:
        return MeasuredChain(operation, form, glance=glance)
    made = beside(operation, form.copies, target)
    return MeasuredChain(made, replace(form, copies=1), glance=glance)


def _copies(operation: MeasuredOperation, warps: int) -> int:
    """How many chains a warp has: fewer of what takes many registers."""
    if operation.name == _ISSUE:
        return 1  # it has several in itself
    if warps == 1 and operation.name == _PARTS:
        return _ALONE
    return 2 if "mma" in operation.code else _COPIES


def _of_loops(
    runner: ProbeRunner,
    made: Callable[[int, str], Microbench],
    lengths: tuple[int, ...],
    numbers: tuple[int, ...],
) -> IssueRates:
    """Measure loops that are no chains in all numbers of warps."""
    found: dict[int, FittedNumber] = {}
    for warps in warps_of(runner.target):
        form = shape(runner.target, warps, 1)
        benches = [(made(n, runner.target.chip), form) for n in lengths]
        found[warps] = slope_of_readings(
            lengths, turn_costs(runner, benches, numbers, _TIMES)
        ).times(1 / warps)
    return found


def _found(
    target: ProbedMachine,
    operation: MeasuredOperation,
    rate: FittedNumber,
    sm: tuple[FittedNumber, int],
) -> list[CalibrationFinding]:
    """The interval of a sub-partition, and the lanes that it comes of.

    ``sm`` is what the SM issues at, and its sub-partitions.
    """
    assert operation.interval is not None
    issue, parts = sm
    interval, name = rate.times(parts), operation.interval.partition(".")[2]
    how = f"independent chains of {', '.join(operation.opcodes)}"
    if other := filler(operation, target):
        how += f", beside {other.opcodes[0]}"
    hidden = rate.value * _LIMITED <= issue.value
    bound: Bound | None = "most" if hidden else None
    note = "the SM issues no faster" if hidden else ""
    lanes = interval.over(operation.results * WARP * parts)
    least: Bound | None = "least" if hidden else None
    findings = []
    if operation.interval.startswith("interval."):
        findings.append(found(operation.interval, interval, how, bound, note))
    if f"lanes.{name}" in _LANES:
        findings.append(found(f"lanes.{name}", lanes, how, least, note))
    return findings


_LANES = frozenset(
    f"lanes.{name}"
    for name in (
        "fp32", "fp64", "fp16", "int_add", "int_mul", "int_shift", "int_logic", "compare", "sfu",
        "conv", "conv64", "popc", "shuffle", "ldst",
    )
)  # fmt: skip


def _of_pipes(rates: Mapping[str, IssueRates], parts: int) -> list[CalibrationFinding]:
    """Findings of the interval of loads and branches, and of a branch's latency in one warp."""
    loads, branch = (best(rates[name]).times(parts) for name in ("ldst", "branch"))
    how, taken = "independent loads of shared memory", "branches that are not taken"
    return [
        found("interval.ldst", loads, how),
        found("lanes.ldst", loads.over(WARP * parts), how),
        found("interval.branch", branch, taken),
        found("latency.branch", rates["branch"][1], f"{taken}, one warp"),
    ]


def _interval_curves(rates: Mapping[str, IssueRates]) -> list[CalibrationCurve]:
    return [
        CalibrationCurve(
            "warps",
            name,
            "warps",
            "warp instructions a cycle",
            tuple((float(n), 1 / figure.value) for n, figure in by_warps.items()),
        )
        for name, by_warps in rates.items()
    ]


# How many threads an SM counts a cycle that come to a barrier of their CTA.
#
# A barrier opens when the last warp has come, so that each warp of a CTA makes it longer by as
# long as an SM takes to count one.

KEY = "lanes.barrier"
_WARPS = (4, 8, 16, 32)
_AS_SLOW = 0.85
_HOW = "barriers of one CTA, by its warps"


def barriers(runner: ProbeRunner, issue: FittedNumber) -> GroupFindings:
    """Measure what each warp of a CTA adds to a barrier.

    ``issue`` is what an SM takes to issue an instruction: where those of a warp's barrier take as
    long, it counts at least as fast as was found.
    """
    target, operation = runner.target, measured_operations()["barrier"]
    most = min(target.max_block // WARP, target.max_warps)
    numbers = [n for n in _WARPS if n <= most]
    if len(numbers) < 2:
        return GroupFindings((), (Missing(KEY, f"a CTA has {most} warps at most"),))
    chains = [MeasuredChain(operation, ChainShape(n, 1, 1, n * WARP)) for n in numbers]
    costs = [cost.value for cost in chain_costs(runner, chains)]
    each = slope(numbers, costs)
    if each.value <= 0.0:
        return GroupFindings((), (Missing(KEY, "barriers of more warps take no longer"),))
    hidden = issue.value * instructions(operation, target) >= _AS_SLOW * each.value
    finding = found(
        KEY,
        each.over(WARP),
        _HOW,
        "least" if hidden else None,
        "a barrier's instructions are issued no faster" if hidden else "",
    )
    return GroupFindings((finding,))


# Bandwidths.

# The streams that bandwidths are measured by: where CTAs read, and how they go on.

_UNROLL, _LONG_UNROLL, _AGAIN = 8, 16, 4
"""Loads of a slab, and slabs of a turn; more where a loop's own instructions would be seen."""

_LONG_THREADS = 512
"""Threads of a CTA up to which each has the registers for that many loads."""

SECTOR = 32
"""Bytes that a lane moves which reads a sector of its own."""

_BLOCKS = (128, 256, 512, 1024)
_STREAM_LANES = (256, 512)
_SHARE_OF_L2, _BEYOND_L1, _BEYOND = 0.7, 2.2, 1.25
_FILLED, _MORE = 4, 8
"""Turns of all SMs once L2 has their slabs: until all are past DRAM, and those that count."""


@dataclass(frozen=True)
class BandwidthStream:
    """A stream: where its CTAs read (``codegen.microbench.kernels``), and for how many turns.

    ``unit``: bytes that a load of a lane moves. ``label`` names what is measured.
    """

    label: str
    grid: int
    block: int
    lane: int
    step: int
    slab: int
    slabs: int
    advance: int
    unit: int
    turns: tuple[int, int]
    copies: bool = False
    unroll: int = _UNROLL
    again: int = 1

    @property
    def bytes_a_turn(self) -> int:
        """Bytes that all threads move in a turn, both ways where they copy."""
        loads = self.grid * self.block * self.unroll * self.again
        return loads * self.unit * (2 if self.copies else 1)

    @property
    def span_bytes(self) -> int:
        """Bytes from the first that is read to the last."""
        return self.slabs * self.slab + self.unroll * self.step + self.block * self.lane

    def probes(self, chip: str) -> list[Probe]:
        """The launches of few turns and of many."""
        numbers: tuple[int, ...] = (self.lane, self.slab, self.slabs, self.advance)
        mebibytes = -(-self.span_bytes >> 20) + 1
        if self.copies:
            numbers = (*numbers, mebibytes)
        bench = stream(self.unroll, self.step, chip, copies=self.copies, again=self.again)
        memory = ZeroedMemory((mebibytes << 20) * (2 if self.copies else 1))
        return [Probe(bench, n, self.grid, self.block, numbers, memory) for n in self.turns]


def blocks(target: ProbedMachine) -> list[int]:
    """List the sizes of CTAs that are tried."""
    return [one for one in _BLOCKS if one <= target.max_block]


def of_l1(target: ProbedMachine, own_bytes: float) -> Iterator[BandwidthStream]:
    """Streams of one SM that its L1 holds: the same slab at every turn."""
    for block in blocks(target):
        made = _coalesced("l1", 1, block, 1, 0, (2, 6))
        tried = (_LONG_UNROLL, _UNROLL) if block <= _LONG_THREADS else (_UNROLL,)
        for unroll in tried:
            slab = unroll * made.step
            if slab <= round(own_bytes):  # what was fitted is off by a rounding error
                yield replace(made, slab=slab, unroll=unroll, again=_AGAIN)
                break


def of_port(target: ProbedMachine, l2_bytes: float, own_bytes: float) -> Iterator[BandwidthStream]:
    """Streams of one SM that L2 holds and L1 does not.

    Not even what a single warp reads: warps that come ahead of others would find theirs in L1.
    """
    for block in blocks(target):
        slabs = max(4, math.ceil(_BEYOND * own_bytes / _slab(WARP)))
        if slabs * _slab(block) <= _SHARE_OF_L2 * l2_bytes:
            yield _coalesced("port", 1, block, slabs, 1, (2 * slabs, 8 * slabs))


def of_l2(target: ProbedMachine, l2_bytes: float, own_bytes: float) -> Iterator[BandwidthStream]:
    """Streams of all SMs that L2 holds: the slab that the next SM had at the last turn.

    An SM comes back to a slab when its L1 has lost it. Scattered ones have a sector for each lane
    and another slab for each load, so that neighbours ask different slices.
    """
    for block in blocks(target):
        for lane in (LOAD_BYTES, *_STREAM_LANES):
            slab = _slab(block) if lane == LOAD_BYTES else block * lane
            read = block * _UNROLL * (LOAD_BYTES if lane == LOAD_BYTES else SECTOR)
            slabs = max(target.sms, math.ceil(_BEYOND_L1 * own_bytes / read))
            beyond = 0 if lane == LOAD_BYTES else _UNROLL
            if (slabs + beyond) * slab > _SHARE_OF_L2 * l2_bytes:
                continue
            filled = slabs - target.sms + _FILLED
            turns = (filled, filled + _MORE)
            if lane == LOAD_BYTES:
                yield _coalesced("l2", target.sms, block, slabs, 1, turns)
            else:
                yield _scattered("l2", target.sms, block, lane, slabs, turns)


def of_dram(target: ProbedMachine) -> Iterator[BandwidthStream]:
    """Streams of all SMs over memory that is read once, and copies of it."""
    few, many = (1, 3) if target.is_model else (8, 32)
    block = min(256, target.max_block)
    most = max(1, target.max_warps * WARP // block)
    half = max(1, most // 2) * target.sms
    for grid in dict.fromkeys((half, most * target.sms)):
        yield _coalesced("dram", grid, block, many * grid, grid, (few, many))
    yield _coalesced("copy", half, block, many * half, half, (few, many), copies=True)


def _slab(block: int) -> int:
    return block * LOAD_BYTES * _UNROLL


def _coalesced(
    label: str,
    grid: int,
    block: int,
    slabs: int,
    advance: int,
    turns: tuple[int, int],
    *,
    copies: bool = False,
) -> BandwidthStream:
    """A stream whose warps read 512 B side by side."""
    step, slab = block * LOAD_BYTES, _slab(block)
    return BandwidthStream(
        label, grid, block, LOAD_BYTES, step, slab, slabs, advance, LOAD_BYTES, turns, copies
    )


def _scattered(
    label: str, grid: int, block: int, lane: int, slabs: int, turns: tuple[int, int]
) -> BandwidthStream:
    slab = block * lane
    return BandwidthStream(label, grid, block, lane, slab + SECTOR, slab, slabs, 1, SECTOR, turns)


_PORTS_LIMIT = 0.8
"""Share of what all SMs' ports carry from which on they may be what limits L2."""

StreamRates = Sequence[tuple[BandwidthStream, FittedNumber]]


def bandwidths(runner: ProbeRunner, l2_bytes: float | None, own_bytes: float) -> GroupFindings:
    """Measure what streams move: bytes a cycle, of DRAM GB/s.

    ``l2_bytes`` and ``own_bytes`` are the sizes that chases have found of L2 (None: there is none)
    and of the cache of an SM (0: none). The most of all streams that are tried counts.
    """
    target = runner.target
    streams = [*of_dram(target)]
    if own_bytes:
        streams += of_l1(target, own_bytes)
    if l2_bytes is not None:
        streams += [*of_port(target, l2_bytes, own_bytes), *of_l2(target, l2_bytes, own_bytes)]
    rates = _measured(runner, streams)
    best: dict[str, FittedNumber] = {}
    for one, rate in rates:
        if one.label not in best or rate.value > best[one.label].value:
            best[one.label] = rate
    findings = tuple(_findings(target, best))
    return GroupFindings(
        findings, (), tuple(_bandwidth_curves(target, rates)), tuple(_others(best))
    )


def _measured(runner: ProbeRunner, streams: Sequence[BandwidthStream]) -> StreamRates:
    readings = runner.read([p for one in streams for p in one.probes(runner.target.chip)])
    return [
        (one, _rate(one, shorter, longer))
        for one, shorter, longer in zip(streams, readings[::2], readings[1::2], strict=True)
    ]


def _rate(one: BandwidthStream, shorter: Reading, longer: Reading) -> FittedNumber:
    """Rate in bytes a cycle, and of DRAM in GB/s."""
    turn = differences(longer, shorter, one.turns[1] - one.turns[0])
    if one.label in ("dram", "copy"):
        taken = FittedNumber(turn.time_s, turn.spread / turn.typical * turn.time_s)
        return taken.over(one.bytes_a_turn / 1e9)
    return FittedNumber(turn.typical, turn.spread).over(one.bytes_a_turn)


def _findings(
    target: ProbedMachine, best: Mapping[str, FittedNumber]
) -> Iterator[CalibrationFinding]:
    if "l1" in best:
        yield found("l1.bytes_per_clk", best["l1"], "stream of one SM that its L1 holds")
    if "port" in best:
        yield found("icnt.bytes_per_clk_per_sm", best["port"], "stream of one SM that L2 holds")
    if "l2" in best:
        ports = best["port"].value * target.sms if "port" in best else float("inf")
        hidden = best["l2"].value >= _PORTS_LIMIT * ports
        yield found(
            "l2.bytes_per_clk",
            best["l2"],
            "stream of all SMs that L2 holds",
            "least" if hidden else None,
            "the ports of the SMs carry no more" if hidden else "",
        )
    yield found("dram.measured_gbs", best["dram"], "stream of all SMs over memory read once")
    if target.is_model:
        yield found("dram.bandwidth_gbs", best["dram"], "likewise: the model's DRAM is that fast")


def _others(best: Mapping[str, FittedNumber]) -> Iterator[Other]:
    copied = best["copy"]
    yield Other("copy in DRAM, read and written", copied.value, copied.spread, "GB/s")


def _bandwidth_curves(target: ProbedMachine, rates: StreamRates) -> Iterator[CalibrationCurve]:
    for label in dict.fromkeys(one.label for one, _ in rates):
        points: dict[float, float] = {}
        for one, rate in rates:
            sms = min(one.grid, target.sms)
            warps = float(one.grid // sms * one.block // WARP)
            if one.label == label:
                points[warps] = max(points.get(warps, 0.0), rate.value)
        unit = "GB/s" if label in ("dram", "copy") else "B a cycle"
        yield CalibrationCurve("bandwidth", label, "warps", unit, tuple(sorted(points.items())))
