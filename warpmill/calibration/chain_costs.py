"""Cost of a link of a chain: cycles a link, from chains of several lengths.

A launch takes what it takes to begin and end, so much a turn of its loop, and so much a link. The
first falls out of the difference between many turns and few, the second out of a fit over loops of
several lengths (§IV-A-2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from warpmill.calibration.figures import FittedNumber, differences, slope_of_readings
from warpmill.calibration.machine_code import instructions
from warpmill.calibration.probes import Probe, ProbedMachine, ProbeRunner, Reading, ZeroedMemory
from warpmill.codegen.microbench.frame import WARP, MeasuredOperation, Microbench
from warpmill.codegen.microbench.kernels import chain

_MEMORY = ZeroedMemory(1 << 16)
_UNROLL, _SHORT_UNROLL, _TIMES = 16, 4, (1, 2, 3)
"""Links of a turn in the shortest loop, on one SM and on all, and how long the loops are by it."""

_OF_CODE_CACHE = 0.75
"""Largest share of the instruction cache for a loop: it has other instructions too."""


@dataclass(frozen=True)
class ChainShape:
    """How many warps an SM has: ``warps`` each of so many chains, on one SM or on all.

    A CTA alone fills one SM only up to its largest size; beyond that all SMs are filled alike.
    """

    warps: int
    copies: int
    grid: int
    block: int


def shape(target: ProbedMachine, warps: int, copies: int) -> ChainShape:
    """The launch that puts so many warps onto an SM."""
    ctas = -(-warps * WARP // target.max_block)
    grid = 1 if ctas == 1 else ctas * target.sms
    return ChainShape(warps, copies, grid, warps // ctas * WARP)


@dataclass(frozen=True)
class MeasuredChain:
    """A chain to be measured."""

    operation: MeasuredOperation
    shape: ChainShape
    pads: int = 0
    glance: bool = False

    def lengths(self, target: ProbedMachine) -> tuple[int, ...]:
        """Links of a turn in the loops that it is fitted over; ``glance``: two of them do.

        Where the instruction cache is known they fit into it. Beyond that a warp waits for its code
        and not for the pipe that is measured.
        """
        alone = self.shape.grid == 1
        link = self.shape.copies * (1 + self.pads) * instructions(self.operation, target)
        least = _TIMES[-1] * link * target.instruction_bytes
        unroll = _UNROLL if alone else _SHORT_UNROLL
        while unroll > 1 and unroll * least > _OF_CODE_CACHE * target.code_bytes:
            unroll //= 2
        times = (_TIMES[0], _TIMES[-1]) if self.glance and alone else _TIMES
        return tuple(unroll * n for n in times)


def chain_costs(
    runner: ProbeRunner, chains: Sequence[MeasuredChain], times: int = 1
) -> list[FittedNumber]:
    """Measure chains: cycles from a link of a warp to its next one, over all its copies.

    Of one chain in one warp that is the latency of a link. ``times`` as ``turn_costs``.
    """
    chip = runner.target.chip
    lengths = [one.lengths(runner.target) for one in chains]
    launches = [
        (chain(c.operation, c.shape.copies, n, chip, c.pads), c.shape)
        for c, each in zip(chains, lengths, strict=True)
        for n in each
    ]
    costs = iter(turn_costs(runner, launches, (), times))
    return [
        slope_of_readings([n * one.operation.links for n in each], [next(costs) for _ in each])
        for one, each in zip(chains, lengths, strict=True)
    ]


def turn_costs(
    runner: ProbeRunner,
    launches: Sequence[tuple[Microbench, ChainShape]],
    numbers: tuple[int, ...] = (),
    times: int = 1,
) -> list[Reading]:
    """The cycles of a turn of kernels' loops, from launches of few turns and of many.

    ``times`` as many turns are made where warps have to come out of step first.
    """
    few, many = (times * turns for turns in turns_of(runner.target))
    probes = [
        Probe(bench, turns, form.grid, form.block, numbers, _MEMORY)
        for bench, form in launches
        for turns in (few, many)
    ]
    readings = runner.read(probes)
    return [
        differences(longer, shorter, many - few)
        for shorter, longer in zip(readings[::2], readings[1::2], strict=True)
    ]


def turns_of(target: ProbedMachine) -> tuple[int, int]:
    """Few turns and many: a GPU's clock needs longer launches than the model's."""
    return (2, 4) if target.is_model else (32, 96)
