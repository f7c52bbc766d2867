"""Bandwidths of L1, L2, an SM's port and DRAM, each by the stream that gets most of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from warpmill.calibration.figures import Figure, differences
from warpmill.calibration.findings import Curve, Finding, Other, Part, found
from warpmill.calibration.probes import Reading, Runner, Target
from warpmill.calibration.streams import Stream, of_dram, of_l1, of_l2, of_port
from warpmill.codegen.microbench.frame import WARP

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
