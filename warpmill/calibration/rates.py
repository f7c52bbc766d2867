"""Bandwidths of L1, L2, an SM's port and DRAM, each by the stream that gets most of it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from warpmill.calibration.figures import Figure, differences
from warpmill.calibration.findings import Curve, Finding, Other, Part, found
from warpmill.calibration.probes import Probe, Reading, Runner, Target, Zeros
from warpmill.codegen.microbench.frame import WARP
from warpmill.codegen.microbench.streams import LOAD_BYTES, stream

# The streams that bandwidths are measured by: where CTAs read, and how they go on.

_UNROLL, _LONG_UNROLL, _AGAIN = 8, 16, 4
"""Loads of a slab, and slabs of a turn; more where a loop's own instructions would be seen."""

_LONG_THREADS = 512
"""Threads of a CTA up to which each has the registers for that many loads."""

SECTOR = 32
"""Bytes that a lane moves which reads a sector of its own."""

_BLOCKS = (128, 256, 512, 1024)
_LANES = (256, 512)
_SHARE_OF_L2, _BEYOND_L1, _BEYOND = 0.7, 2.2, 1.25
_FILLED, _MORE = 4, 8
"""Turns of all SMs once L2 has their slabs: until all are past DRAM, and those that count."""


@dataclass(frozen=True)
class Stream:
    """A stream: where its CTAs read (``codegen.microbench.streams``), and for how many turns.

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
        """Give the launches of few turns and of many."""
        numbers: tuple[int, ...] = (self.lane, self.slab, self.slabs, self.advance)
        mebibytes = -(-self.span_bytes >> 20) + 1
        if self.copies:
            numbers = (*numbers, mebibytes)
        bench = stream(self.unroll, self.step, chip, copies=self.copies, again=self.again)
        memory = Zeros((mebibytes << 20) * (2 if self.copies else 1))
        return [Probe(bench, n, self.grid, self.block, numbers, memory) for n in self.turns]


def blocks(target: Target) -> list[int]:
    """List the sizes of CTAs that are tried."""
    return [one for one in _BLOCKS if one <= target.max_block]


def of_l1(target: Target, own_bytes: float) -> Iterator[Stream]:
    """Give streams of one SM that its L1 holds: the same slab at every turn."""
    for block in blocks(target):
        made = _coalesced("l1", 1, block, 1, 0, (2, 6))
        tried = (_LONG_UNROLL, _UNROLL) if block <= _LONG_THREADS else (_UNROLL,)
        for unroll in tried:
            slab = unroll * made.step
            if slab <= round(own_bytes):  # what was fitted is off by a rounding error
                yield replace(made, slab=slab, unroll=unroll, again=_AGAIN)
                break


def of_port(target: Target, l2_bytes: float, own_bytes: float) -> Iterator[Stream]:
    """Give streams of one SM that L2 holds and L1 does not.

    Not even what a single warp reads: warps that come ahead of others would find theirs in L1.
    """
    for block in blocks(target):
        slabs = max(4, math.ceil(_BEYOND * own_bytes / _slab(WARP)))
        if slabs * _slab(block) <= _SHARE_OF_L2 * l2_bytes:
            yield _coalesced("port", 1, block, slabs, 1, (2 * slabs, 8 * slabs))


def of_l2(target: Target, l2_bytes: float, own_bytes: float) -> Iterator[Stream]:
    """Give streams of all SMs that L2 holds: the slab that the next SM had at the last turn.

    An SM comes back to a slab when its L1 has lost it. Scattered ones have a sector for each lane
    and another slab for each load, so that neighbours ask different slices.
    """
    for block in blocks(target):
        for lane in (LOAD_BYTES, *_LANES):
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


def of_dram(target: Target) -> Iterator[Stream]:
    """Give streams of all SMs over memory that is read once, and copies of it."""
    few, many = (1, 3) if target.is_model else (8, 32)
    block = min(256, target.max_block)
    most = max(1, target.max_warps * WARP // block)
    half = max(1, most // 2) * target.sms
    for grid in dict.fromkeys((half, most * target.sms)):
        yield _coalesced("dram", grid, block, many * grid, grid, (few, many))
    yield _coalesced("copy", half, block, many * half, half, (few, many), copies=True)


def _slab(block: int) -> int:
    return block * LOAD_BYTES * _UNROLL


def _coalesced(  # noqa: PLR0913, PLR0917 - what a stream is
    label: str,
    grid: int,
    block: int,
    slabs: int,
    advance: int,
    turns: tuple[int, int],
    *,
    copies: bool = False,
) -> Stream:
    """Give a stream whose warps read 512 B side by side."""
    step, slab = block * LOAD_BYTES, _slab(block)
    return Stream(
        label, grid, block, LOAD_BYTES, step, slab, slabs, advance, LOAD_BYTES, turns, copies
    )


def _scattered(  # noqa: PLR0913, PLR0917 - as above
    label: str, grid: int, block: int, lane: int, slabs: int, turns: tuple[int, int]
) -> Stream:
    slab = block * lane
    return Stream(label, grid, block, lane, slab + SECTOR, slab, slabs, 1, SECTOR, turns)


_PORTS_LIMIT = 0.8
"""Of what the ports of all SMs carry, the share from which on they may be what limits L2."""

Rates = Sequence[tuple[Stream, Figure]]


def bandwidths(runner: Runner, l2_bytes: float | None, own_bytes: float) -> Part:
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
    best: dict[str, Figure] = {}
    for one, rate in rates:
        if one.label not in best or rate.value > best[one.label].value:
            best[one.label] = rate
    findings = tuple(_findings(target, best))
    return Part(findings, (), tuple(_curves(target, rates)), tuple(_others(best)))


def _measured(runner: Runner, streams: Sequence[Stream]) -> Rates:
    readings = runner.read([p for one in streams for p in one.probes(runner.target.chip)])
    return [
        (one, _rate(one, shorter, longer))
        for one, shorter, longer in zip(streams, readings[::2], readings[1::2], strict=True)
    ]


def _rate(one: Stream, shorter: Reading, longer: Reading) -> Figure:
    """Give bytes a cycle, and of DRAM GB/s."""
    turn = differences(longer, shorter, one.turns[1] - one.turns[0])
    if one.label in ("dram", "copy"):
        taken = Figure(turn.time_s, turn.spread / turn.typical * turn.time_s)
        return taken.over(one.bytes_a_turn / 1e9)
    return Figure(turn.typical, turn.spread).over(one.bytes_a_turn)


def _findings(target: Target, best: Mapping[str, Figure]) -> Iterator[Finding]:
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


def _others(best: Mapping[str, Figure]) -> Iterator[Other]:
    copied = best["copy"]
    yield Other("copy in DRAM, read and written", copied.value, copied.spread, "GB/s")


def _curves(target: Target, rates: Rates) -> Iterator[Curve]:
    for label in dict.fromkeys(one.label for one, _ in rates):
        points: dict[float, float] = {}
        for one, rate in rates:
            sms = min(one.grid, target.sms)
            warps = float(one.grid // sms * one.block // WARP)
            if one.label == label:
                points[warps] = max(points.get(warps, 0.0), rate.value)
        unit = "GB/s" if label in ("dram", "copy") else "B a cycle"
        yield Curve("bandwidth", label, "warps", unit, tuple(sorted(points.items())))
