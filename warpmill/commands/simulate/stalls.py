"""Parts of ``simulate``: where warps spend their cycles, by reason, line, block and function."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import Any, TypeVar

from warpmill.analyzer.base.naming import demangle
from warpmill.analyzer.ir.kernel import CallSite, Instruction
from warpmill.analyzer.ir.types import Space
from warpmill.report.base import Id, Part
from warpmill.report.facts import SourcePlace, block_place, instruction_place
from warpmill.session.jobs import Job
from warpmill.simulator.gpu.fields import REASONS
from warpmill.simulator.gpu.result import InstructionResult, latency_bin_ends
from warpmill.simulator.resources import WARP_STATES, Term

# Parts of ``simulate``: how long accesses of an instruction took, from the bins of the engine.


class LatencyBin(Part):
    """Accesses that took ``from_cycles`` and more, but less than ``to_cycles``."""

    from_cycles: Id
    to_cycles: Id
    accesses: int


class LatencyFigures(Part):
    """Cycles from the issue of an access until its results could be read, over all of its warps.

    ``accesses`` are those that have completed. Percentiles are taken from the histogram, in a line
    within a bin; it leaves out bins without accesses.
    """

    accesses: int
    mean_cycles: float
    p50_cycles: float
    p90_cycles: float
    p99_cycles: float
    histogram: list[LatencyBin]


def latency_figures(one: InstructionResult) -> LatencyFigures | None:
    """Report the latencies of an instruction; None: it has none, or none has completed."""
    if not one.completed:
        return None
    bins = one.latency_bins
    return LatencyFigures(
        accesses=one.completed,
        mean_cycles=one.latency_cycles / one.completed,
        p50_cycles=percentile(bins, 0.50),
        p90_cycles=percentile(bins, 0.90),
        p99_cycles=percentile(bins, 0.99),
        histogram=[
            LatencyBin(from_cycles=begin, to_cycles=end, accesses=count)
            for (begin, end), count in zip(_edges(), bins, strict=True)
            if count
        ],
    )


def percentile(bins: Sequence[int], share: float) -> float:
    """Give the latency that a share of accesses stays below, 0 < share < 1; 0 without accesses.

    >>> percentile([0, 0, 0, 10, *[0] * 44], 0.5)  # all in 4 to 6 cycles
    5.0
    """
    wanted = share * sum(bins)
    before = 0
    for (begin, end), count, upto in zip(_edges(), bins, accumulate(bins), strict=True):
        if count and upto >= wanted:
            return begin + (end - begin) * (wanted - before) / count
        before = upto
    return 0.0


def _edges() -> Iterator[tuple[int, int]]:
    return pairwise((0, *latency_bin_ends()))


Key = TypeVar("Key", bound=Hashable)

SELECTED = REASONS.index("selected")


class StallFigures(Part):
    """Cycles of resident warps with one reason, and their share of all.

    The names are those of Nsight Compute; ``selected`` is no stall: the warp issues.
    """

    reason: Term
    warp_cycles: int
    fraction: float | None


class StalledPart(Part):
    """What some instructions did, over all warps.

    ``issues`` are by warps, ``thread_issues`` count the lanes on. A warp that waits counts at the
    instruction that it waits to issue, in ``stall_cycles`` (all reasons but ``selected``) and, by
    reason, in ``stalls``, which leaves out reasons that did not occur. ``stall_fraction`` is the
    share of all stall cycles of the simulation.
    """

    kernel: Id
    issues: int
    thread_issues: int
    stall_cycles: int
    stall_fraction: float | None
    stalls: dict[str, int]


class LineStalls(StalledPart):
    """The instructions of a line, of the source where the compiler recorded it, else of the input.

    ``opcode`` is that with most stall cycles, of ``instructions`` that were executed.
    """

    place: SourcePlace
    opcode: str
    instructions: int


class BlockStalls(StalledPart):
    """The instructions of a basic block."""

    block: Id
    label: str
    place: SourcePlace | None


class FunctionStalls(StalledPart):
    """A device function, in all ``copies`` that were executed, or what is the kernel's own.

    Functions that a compiler inlined before are not told apart: lines are.
    """

    name: str
    demangled: str
    copies: int


class InstructionStalls(StalledPart):
    """One instruction of a kernel, with what it accessed, where it accesses memory.

    ``space`` is as the opcode says it, null where it names none; ``sectors`` are those that went to
    L1 (or past it), ``l1_hits`` those that hit there; ``shared_passes`` passes over the banks of
    shared memory. ``latency`` null: none was measured.
    """

    block: Id
    instruction: Id
    opcode: str
    space: str | None
    place: SourcePlace
    sectors: int
    l1_hits: int
    shared_passes: int
    latency: LatencyFigures | None


@dataclass(frozen=True)
class StallRow:
    """An executed instruction with its figures, and the job that has its kernel."""

    job: Job
    figures: InstructionResult
    instruction: Instruction

    @property
    def opcode(self) -> str:
        """The opcode as it is written."""
        return self.instruction.operation.opcode

    @property
    def space(self) -> Space | None:
        """The memory that the opcode names."""
        return self.instruction.operation.space

    @property
    def stall_cycles(self) -> int:
        """Cycles that warps waited to issue it."""
        return sum(self.figures.stalls) - self.figures.stalls[SELECTED]


def rows_of(kernels: Sequence[Job], instructions: Sequence[InstructionResult]) -> list[StallRow]:
    """Join the figures of instructions with these; ``kernels`` are jobs by number of kernel."""
    return [
        StallRow(
            kernels[one.kernel],
            one,
            kernels[one.kernel].kernel.blocks[one.block].instructions[one.instruction],
        )
        for one in instructions
    ]


def stall_figures(stalls: Sequence[int]) -> list[StallFigures]:
    """Report warp cycles by reason, in the engine's order."""
    whole = sum(stalls)
    return [
        StallFigures(
            reason=WARP_STATES[name], warp_cycles=count, fraction=count / whole if whole else None
        )
        for name, count in zip(REASONS, stalls, strict=True)
    ]


class Breakdown:
    """Sums the rows of a simulation by what they belong to; most stall cycles first."""

    def __init__(self, rows: Sequence[StallRow]) -> None:
        self.rows = rows
        self._whole = sum(row.stall_cycles for row in rows)

    def lines(self) -> list[LineStalls]:
        """Report each line of each kernel."""
        return [
            LineStalls(
                **self._sums(rows),
                place=replace(_place(rows[0]), column=None),
                opcode=max(rows, key=lambda r: r.stall_cycles).opcode,
                instructions=len(rows),
            )
            for rows in self._grouped(_line)
        ]

    def blocks(self) -> list[BlockStalls]:
        """Report each block of each kernel that was executed."""
        found = []
        for rows in self._grouped(lambda r: r.figures.block):
            job, number = rows[0].job, rows[0].figures.block
            block = job.kernel.blocks[number]
            place = block_place(job.loaded, block)
            sums = self._sums(rows)
            found.append(BlockStalls(**sums, block=number, label=block.label, place=place))
        return found

    def functions(self) -> list[FunctionStalls]:
        """Report each device function that was inlined, and the kernel without them."""
        found = []
        for rows in self._grouped(lambda r: _function(r.instruction.inlined)):
            site = rows[0].instruction.inlined
            name = _function(site) or rows[0].job.kernel.name
            copies = 0 if site is None else len({r.instruction.inlined for r in rows})
            sums = self._sums(rows)
            shown = demangle(name)
            found.append(FunctionStalls(**sums, name=name, demangled=shown, copies=copies))
        return found

    def instructions(self) -> list[InstructionStalls]:
        """Report each instruction that was executed, in the order of the code."""
        return [
            InstructionStalls(
                **self._sums([row]),
                block=row.figures.block,
                instruction=row.figures.instruction,
                opcode=row.opcode,
                space=None if row.space is None else row.space.value,
                place=_place(row),
                sectors=row.figures.sectors,
                l1_hits=row.figures.l1_hits,
                shared_passes=row.figures.shared_passes,
                latency=latency_figures(row.figures),
            )
            for row in self.rows
        ]

    def _grouped(self, key: Callable[[StallRow], Hashable]) -> Iterator[list[StallRow]]:
        groups: dict[tuple[int, Hashable], list[StallRow]] = {}
        for row in self.rows:
            groups.setdefault((row.figures.kernel, key(row)), []).append(row)
        yield from sorted(groups.values(), key=lambda rows: -sum(r.stall_cycles for r in rows))

    def _sums(self, rows: Sequence[StallRow]) -> dict[str, Any]:
        stalled = sum(row.stall_cycles for row in rows)
        by_reason = [sum(each) for each in zip(*(r.figures.stalls for r in rows), strict=True)]
        return {
            "kernel": rows[0].figures.kernel,
            "issues": sum(r.figures.issues for r in rows),
            "thread_issues": sum(r.figures.thread_issues for r in rows),
            "stall_cycles": stalled,
            "stall_fraction": stalled / self._whole if self._whole else None,
            "stalls": {
                name: count
                for number, (name, count) in enumerate(zip(REASONS, by_reason, strict=True))
                if count and number != SELECTED
            },
        }


def _place(row: StallRow) -> SourcePlace:
    return instruction_place(row.job.loaded, row.instruction)


def _line(row: StallRow) -> tuple[str, int]:
    place = _place(row)
    return place.file, place.line


def _function(site: CallSite | None) -> str | None:
    """Name the function that an instruction was copied from: the innermost of its call sites."""
    while site is not None and site.inner is not None:
        site = site.inner
    return None if site is None else site.function
