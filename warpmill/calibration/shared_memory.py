"""Shared memory by the stride of its lanes, loads by theirs, and atomics on one word."""

from __future__ import annotations

from collections.abc import Iterator

from warpmill.calibration.chain_costs import Chain, chain_costs, shape, turn_costs
from warpmill.calibration.figures import Figure, differences, slope_of_readings
from warpmill.calibration.findings import Curve, Finding, Missing, Part, found
from warpmill.calibration.probes import Probe, Runner, Zeros
from warpmill.codegen.microbench.frame import WARP
from warpmill.codegen.microbench.operations import measured_operations
from warpmill.codegen.microbench.streams import LOAD_BYTES, stream
from warpmill.codegen.microbench.sweeps import MOST_STRIDE, shared_stride

_WORD = 4
_LENGTHS = (8, 24)
_WARPS, _TIMES = 8, 4
_AS_MUCH = 1.1
_TWICE = 1.6
_ATOMIC_WARPS = (1, 4, 8, 16)
_LOADS, _COALESCING_WARPS = 4, 4
_APART = 1 << 13


def bank_conflicts(runner: Runner) -> Part:
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
    curve = Curve("stride", "shared loads", "bytes between lanes", "cycles a load", points)
    free, worst = costs[strides[0]], costs[strides[-1]]
    row = next(s for s in strides if costs[s].value * _AS_MUCH >= worst.value)
    width = _width(runner, row, worst.value) if worst.value >= _TWICE * free.value else None
    if width is None:
        words = f"no stride up to {MOST_STRIDE} B has conflicts"
        keys = ("shared.banks", "shared.bank_width_bytes", "shared.ports")
        return Part((), tuple(Missing(key, words) for key in keys), (curve,))
    ports = max(1, round(WARP / worst.value))
    how = "loads of shared memory by the stride of lanes"
    findings = [
        found("shared.banks", Figure(row / width, 0.0), how),
        found("shared.bank_width_bytes", Figure(width, 0.0), f"{how}, odd ones a bank on"),
        found("shared.ports", Figure(ports, ports * worst.spread / worst.value), how),
    ]
    return Part(tuple(findings), (), (curve,))


def _width(runner: Runner, row: int, worst: float) -> int | None:
    """Find by how many bytes odd lanes have to go on to meet in another bank than even ones."""
    tried = [_WORD << k for k in range((row // _WORD).bit_length() - 1)]
    return next((n for n in tried if worst >= _TWICE * _cost(runner, row, n).value), None)


def _cost(runner: Runner, stride: int, odd: int = 0) -> Figure:
    form = shape(runner.target, min(_WARPS, runner.target.max_warps), 1)
    benches = [(shared_stride(n, runner.target.chip), form) for n in _LENGTHS]
    costs = turn_costs(runner, benches, (stride, odd), _TIMES)
    return slope_of_readings(_LENGTHS, costs).times(1 / form.warps)


def coalescing(runner: Runner) -> Part:
    """Measure what a load takes by the bytes between its lanes: the sectors that it touches."""
    points: list[tuple[float, float]] = []
    bench = stream(_LOADS, _APART, runner.target.chip)
    strides = [LOAD_BYTES << k for k in range(5)]
    few, many = (8, 24) if runner.target.is_model else (64, 192)
    memory = Zeros(_LOADS * _APART + _COALESCING_WARPS * WARP * strides[-1])
    probes = [
        Probe(bench, turns, 1, _COALESCING_WARPS * WARP, (stride, 0, 1, 0), memory)
        for stride in strides
        for turns in (few, many)
    ]
    readings = runner.read(probes)
    for stride, shorter, longer in zip(strides, readings[::2], readings[1::2], strict=True):
        loads = (many - few) * _LOADS * _COALESCING_WARPS
        points.append((float(stride), differences(longer, shorter, loads).typical))
    curve = Curve("stride", "loads of 16 B", "bytes between lanes", "cycles a load", tuple(points))
    return Part((), (), (curve,))


def atomics(runner: Runner) -> Part:
    """Measure atomics of all lanes on one word, from several warps: cycles a lane."""
    operation = measured_operations()["atomics"]
    numbers = [n for n in _ATOMIC_WARPS if n <= runner.target.max_warps]
    costs = chain_costs(runner, [Chain(operation, shape(runner.target, n, 1)) for n in numbers])
    return Part(tuple(_of_atomics([c.times(1 / n) for c, n in zip(costs, numbers, strict=True)])))


def _of_atomics(costs: list[Figure]) -> Iterator[Finding]:
    least = min(costs, key=lambda one: one.value + one.spread)
    yield found("l2.atomic_cycles", least.times(1 / WARP), "exchanges of all lanes with one word")
