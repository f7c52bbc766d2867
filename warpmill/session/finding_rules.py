"""Rules that look at one launch, each for one kind of what costs time.

A rule reads ``Evidence`` and gives what is wrong, with the figure and its ideal, and what mending
it takes off each resource and each wait; ``findings`` makes savings of that. Those of memory stand
in ``memory_rules``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import ceil, fsum
from pathlib import PurePath
from typing import NamedTuple

from warpmill.analyzer.ir.types import OpClass, Space
from warpmill.report.page import figure as number
from warpmill.report.source_text import source_name
from warpmill.report.words import plural, short_name
from warpmill.session.evidence import (
    BARRIER_CAUSE,
    DRAIN,
    LATENCIES,
    LOCAL_MEMORY,
    AccessEvidence,
    Evidence,
    InstructionEvidence,
    LaunchShape,
)
from warpmill.simulator.assembler.costs import cost_table, kind_of, line_of
from warpmill.simulator.resources import CTA_LAUNCH_RATE, ISSUE_SLOTS, LAUNCH, PIPES, SERVERS


class Mend(NamedTuple):
    """Outcome of a rule: ``removed`` is the part of each cause that goes; None: nobody knows.

    ``what`` and ``remedy`` are the two halves of the sentence, ``at`` the instruction with most of
    it. ``severity`` is the part of its kind that is in excess.
    """

    rule: str
    figure: str
    ideal: str
    what: str
    remedy: str
    removed: Mapping[str, float] | None
    at: InstructionEvidence | None = None
    severity: float = 0.0


# Words and sums that rules share.

Pairs = Sequence[tuple[InstructionEvidence, AccessEvidence]]


class WorstLine(NamedTuple):
    """The line with the most of something: an instruction of it, its pairs, and other lines."""

    one: InstructionEvidence
    pairs: Pairs
    others: int
    name: str

    @property
    def words(self) -> str:
        """``spmv.cu:12 and 3 more lines``."""
        return f"{self.name} and {plural(self.others, 'more line')}" if self.others else self.name

    def verb(self, several: str, one: str) -> str:
        """The form of a verb that the words take."""
        return several if self.others else one


def worst_line(e: Evidence, pairs: Pairs, of: Callable[[AccessEvidence], float]) -> WorstLine:
    """The line that most of something is at, among those that have any."""
    lines: dict[tuple[str, int], list[tuple[InstructionEvidence, AccessEvidence]]] = {}
    for pair in pairs:
        if of(pair[1]) > 0:
            place = e.place(pair[0])
            lines.setdefault((place.file, place.line), []).append(pair)
    most = max(lines.values(), key=lambda own: total(own, of))
    return WorstLine(most[0][0], most, len(lines) - 1, line_name(e, most[0][0]))


def line_name(e: Evidence, one: InstructionEvidence) -> str:
    """``spmv.cu:12``."""
    place = e.place(one)
    return f"{PurePath(place.file).name}:{place.line}"


def buffer_name(e: Evidence, name: str | None) -> str:
    """A buffer as debug info names it."""
    if name is None or name == LOCAL_MEMORY:
        return name or "memory"
    job = e.jobs[0]
    named = source_name(job.loaded, job.kernel, name)
    return f"`{named or short_name(name, job.kernel.name)}`"


def total(pairs: Pairs, of: Callable[[AccessEvidence], float | None]) -> float:
    """A figure of accesses over all of them; what is unknown is left out."""
    return fsum(of(access) or 0.0 for _, access in pairs)


def part_of(some: float, whole: float) -> float:
    """A part of a whole, 0 of nothing."""
    return some / whole if whole else 0.0


def times(factor: float) -> str:
    """``4``, ``2.5``, ``120``."""
    return number(round(factor, 1 if factor < 100 else 0))


# The launch: how full SMs are, and what launching adds.

_RESOURCES = {
    "blocks": "slots for CTAs",
    "warps": "slots for warps",
    "registers": "registers",
    "shared_memory": "shared memory",
}

_HIDDEN = (*LATENCIES.values(), BARRIER_CAUSE)
"""Waits that more warps hide."""


def occupancy(e: Evidence) -> Iterator[Mend]:
    """Warps that an SM does not hold because of registers, shared memory or small CTAs."""
    fit, shape = e.occupancy, e.shape
    if fit is None or shape is None or shape.sms is None or "warps" in fit.limiting:
        return
    other = min(n for name, n in fit.limits.items() if n is not None and name not in fit.limiting)
    blocks = min(other, ceil(shape.ctas / shape.sms))
    if blocks <= fit.ctas_per_sm:
        return
    words = " and ".join(_RESOURCES[name] for name in fit.limiting)
    allow = "allows" if words == _RESOURCES["shared_memory"] else "allow"
    part = f"{fit.occupancy_fraction:.0%}"
    yield Mend(
        "Theoretical occupancy",
        part,
        "100%",
        f"{words} {allow} {plural(fit.ctas_per_sm, 'CTA')} an SM, {part} of its warps (ideal 100%)",
        f"room for {blocks}",
        dict.fromkeys(_HIDDEN, 1.0 - fit.ctas_per_sm / blocks),
    )


def unfilled(e: Evidence) -> Iterator[Mend]:
    """SMs without CTAs, or with fewer than others."""
    shape = e.shape
    if shape is None or not shape.filled_fraction or shape.sms is None or not shape.per_sm:
        return
    empty, size = 1.0 - shape.filled_fraction, shape.sms * shape.per_sm
    removed = dict.fromkeys(_on_sms(e), empty)
    if shape.ctas < shape.sms:
        yield _small_grid(shape, shape.sms, removed)
    elif shape.ctas <= size:
        few, some = divmod(shape.ctas, shape.sms)
        yield Mend(
            "SM workload imbalance",
            f"{few + 1} CTAs on {some} SMs",
            f"{few} on all",
            f"{shape.ctas:,} CTAs are {few + 1} on {some} of {shape.sms} SMs and {few} on the "
            "others (ideal as many on all)",
            "even work",
            None,  # an SM with fewer CTAs is not faster in proportion
            None,
            empty,
        )
    else:
        waves = f"{shape.ctas / size:.2f} waves"
        yield Mend(
            "Tail effect",
            waves,
            "whole waves",
            f"{shape.ctas:,} CTAs are {waves} of {size:,}, and the last one leaves {empty:.0%} of "
            "the time of SMs unused (ideal 0%)",
            "CTAs that fill all SMs to the end",
            removed,
        )


_OF_ALL_SMS = (SERVERS["l2"], SERVERS["dram"], SERVERS["atomic"], CTA_LAUNCH_RATE)
"""Resources that all SMs share: idle ones leave them to the others."""


def _on_sms(e: Evidence) -> Iterable[str]:
    """Causes of what SMs do each for itself."""
    return [cause for cause in e.shares or {} if cause not in (*_OF_ALL_SMS, LAUNCH)]


def _small_grid(shape: LaunchShape, sms: int, removed: Mapping[str, float]) -> Mend:
    leave = "leaves" if shape.ctas == 1 else "leave"
    return Mend(
        "Small grid",
        plural(shape.ctas, "CTA"),
        f"{sms} or more",
        f"{plural(shape.ctas, 'CTA')} {leave} {sms - shape.ctas} of {sms} SMs idle (ideal {sms} "
        "CTAs or more)",
        "spreading the work over all of them, with less for each thread,",
        removed,
    )


def launching(e: Evidence) -> Iterator[Mend]:
    """Launch overhead of short launches."""
    if e.launch_us and e.time_us:
        yield Mend(
            "Launch overhead",
            f"{e.launch_us / e.time_us:.0%} of the time",
            "0%",
            f"launching takes {number(e.launch_us)} of {number(e.time_us)} µs",
            "doing more in one launch",
            {LAUNCH: 1.0},
        )


def cta_rate(e: Evidence) -> Iterator[Mend]:
    """CTAs that are so short that starting them takes longer than running them."""
    if e.shape is None or not (e.shares or {}).get(CTA_LAUNCH_RATE):
        return
    threads = e.shape.threads_per_cta
    yield Mend(
        "CTA launch rate",
        f"{threads} threads a CTA",
        "more",
        f"starting {e.shape.ctas:,} CTAs of {plural(threads, 'thread')} takes longer than running "
        "them",
        "CTAs that do twice as much",
        {CTA_LAUNCH_RATE: 0.5},
    )


# Instructions.


def is_product(one: InstructionEvidence) -> bool:
    """Whether it multiplies floating-point numbers, added to others or not."""
    operation = one.instruction.operation
    return operation.op_class in (OpClass.FMA, OpClass.MUL) and kind_of(operation) != "int"


def non_fused(e: Evidence) -> Iterator[Mend]:
    """FP32 products that are rounded and then added: one fused multiply-add could do both."""
    readers = [_readers(e, kernel) for kernel in range(len(e.jobs))]
    pairs = [x for x in e.instructions if _is_rounded(x) and _only_added(x, readers[x.kernel])]
    if not pairs:
        return
    most, count = max(pairs, key=lambda x: x.warps), fsum(x.warps for x in pairs)
    pipe = str(cost_table().lines["fma.f32"]["pipe"])
    of_pipe = fsum(x.warps for x in e.instructions if _pipe(x) == pipe)
    part = part_of(count, e.warp_instructions)
    yield Mend(
        "FP32 non-fused instructions",
        f"{part:.0%} of instructions",
        "0%",
        f"{line_name(e, most)} rounds an FP32 product that only an addition reads; {part:.0%} of "
        "all instructions are such products (ideal 0%)",
        "fusing them (-fmad=true, -ffp-contract=fast)",
        {
            PIPES[pipe]: part_of(count, of_pipe),
            ISSUE_SLOTS: part,
            LATENCIES["arithmetic"]: part,
        },
        most,
        part,
    )


def _pipe(one: InstructionEvidence) -> str | None:
    key = line_of(one.instruction.operation)
    return None if key is None else str(cost_table().lines[key]["pipe"])


def _is_rounded(one: InstructionEvidence) -> bool:
    """Whether it is an FP32 product that no assembler may fuse: its rounding is stated."""
    operation = one.instruction.operation
    is_fp32 = operation.op_class is OpClass.MUL and kind_of(operation) == "f32"
    return is_fp32 and "rn" in operation.modifiers


_Readers = Mapping[int, tuple[int, int]]
"""How many instructions read a register, and how many of them are FP32 additions."""


def _readers(e: Evidence, kernel: int) -> _Readers:
    every: Counter[int] = Counter()
    added: Counter[int] = Counter()
    for one in e.jobs[kernel].kernel.instructions:
        operation = one.operation
        every.update(set(one.reads))
        if operation.op_class is OpClass.ADD and kind_of(operation) == "f32":
            added.update(set(one.reads))
    return {register: (count, added[register]) for register, count in every.items()}


def _only_added(one: InstructionEvidence, readers: _Readers) -> bool:
    return [readers.get(register) for register in one.instruction.writes] == [(1, 1)]


def block_size(e: Evidence) -> Iterator[Mend]:
    """Lanes without a thread: CTAs that leave a warp half empty."""
    empty = 1.0 - _filled(e)
    if empty and e.shape is not None:
        threads = plural(e.shape.threads_per_cta, "thread")
        yield Mend(
            "Block size",
            threads,
            f"a multiple of {e.warp_size}",
            f"CTAs of {threads} leave {empty:.0%} of the lanes of their warps without one (ideal "
            "0%)",
            f"a multiple of {e.warp_size}",
            dict.fromkeys(_on_sms(e) if _has_waves(e.shape) else _issuing(e), empty),
            None,
            empty,
        )


def _has_waves(shape: LaunchShape) -> bool:
    """Whether CTAs wait for others to end, so that fewer warps mean less time."""
    if shape.sms is None or shape.per_sm is None:
        return False
    return shape.ctas > shape.sms * shape.per_sm


def _filled(e: Evidence) -> float:
    """The part of the lanes of warps that have a thread."""
    if e.shape is None:
        return 1.0
    warps = e.shape.threads_per_cta / e.warp_size
    return warps / ceil(warps)


def divergence(e: Evidence) -> Iterator[Mend]:
    """Lanes that are off because branches part the threads of a warp."""
    active, most = e.active_threads, e.warp_size * _filled(e)
    if active is None or active >= most:
        return
    known = [x for x in e.instructions if x.threads is not None]
    at = _branch_before(e, max(known, key=lambda x: x.warps * most - (x.threads or 0.0)))
    lost = 1.0 - active / most
    yield Mend(
        "Thread divergence",
        f"{times(active)} active threads a warp",
        times(most),
        f"{times(active)} of {e.warp_size} threads of a warp are active in the mean (ideal "
        f"{times(most)}), fewest for what {line_name(e, at)} decides",
        "warps whose threads go the same way",
        dict.fromkeys(_issuing(e), lost),
        at,
        lost,
    )


def _issuing(e: Evidence) -> Iterable[str]:
    """Causes that fewer instructions of warps make less: issue slots and pipes."""
    return (ISSUE_SLOTS, *(name for name in e.shares or {} if name in PIPES.values()))


def _branch_before(e: Evidence, one: InstructionEvidence) -> InstructionEvidence:
    """The branch that decides whether the block of an instruction is executed; else itself."""
    job = e.jobs[one.kernel]
    dominators, blocks = job.analysis.structure.dominators.idom, job.kernel.blocks
    block = dominators[one.block]
    while block is not None and block < len(blocks):
        found = e.at(one.kernel, (block, len(blocks[block].instructions) - 1))
        if found is not None and found.instruction.targets and found.instruction.guard:
            return found
        block = dominators[block]
    return one


def fp64(e: Evidence) -> Iterator[Mend]:
    """FP64 arithmetic where the machine does FP32 so many times as fast."""
    own = [x for x in e.instructions if _pipe(x) == _FP64]
    if not own or not e.fp64_rate or e.fp64_rate >= 1.0:
        return
    most = max(own, key=lambda x: (x.time_fraction or 0.0, x.warps))
    ratio, part = 1.0 / e.fp64_rate, part_of(fsum(x.warps for x in own), e.warp_instructions)
    yield Mend(
        "FP64 arithmetic",
        f"{part:.0%} of instructions",
        "0%",
        f"{line_name(e, most)} computes in FP64, of which the machine does one in the time of "
        f"{times(ratio)} in FP32",
        "FP32, where it is precise enough,",
        {PIPES[_FP64]: 1.0 - e.fp64_rate},
        most,
    )


_FP64 = "fp64"


# Stalls: what warps wait for while nothing is busy.


_GLOBAL = (Space.GLOBAL, Space.LOCAL)


class Stall(NamedTuple):
    """A line of the table of stalls: ``spaces`` are those whose loads are waited for."""

    rule: str
    causes: tuple[str, ...]
    what: str
    remedy: str
    spaces: tuple[Space, ...] = ()


STALLS = (
    Stall(
        "Long scoreboard stalls",
        tuple(LATENCIES[level] for level in ("l1", "l2", "dram")),
        "warps wait {part} of the time for loads from L1, L2 and DRAM, most for {buffer} at {line}",
        "twice as many loads in flight",
        _GLOBAL,
    ),
    Stall(
        "Short scoreboard stalls",
        (LATENCIES["shared"],),
        "warps wait {part} of the time for loads from shared memory, most at {line}",
        "twice as many loads in flight",
        (Space.SHARED,),
    ),
    Stall(
        "IMC miss stalls",
        (LATENCIES["constant"],),
        "warps wait {part} of the time for constants, most at {line}",
        "half as many misses",
        (Space.CONST,),
    ),
    Stall(
        "Wait stalls",
        (LATENCIES["arithmetic"],),
        "warps wait {part} of the time for results of arithmetic, most at {line}",
        "twice as many independent instructions",
    ),
    Stall(
        "Barrier stalls",
        (BARRIER_CAUSE,),
        "warps wait {part} of the time at barriers, most at {line}",
        "halving that wait",
    ),
    Stall(
        "Drain stalls",
        (DRAIN,),
        "warps wait {part} of the time for their stores before they end, most at {line}",
        "half as many sectors to store",
        _GLOBAL,
    ),
)
"""Waits, each with what would halve it."""


def stalls(e: Evidence) -> Iterator[Mend]:
    """Warp stalls; twice as much in flight at once halves them."""
    for row in STALLS:
        part = fsum((e.shares or {}).get(cause, 0.0) for cause in row.causes)
        at = _waits_at(e, row) if part else None
        if at is None:
            continue
        buffer = next((a.buffer for a in at.accesses if a.buffer is not None), None)
        shown = f"{part:.0%}"
        yield Mend(
            row.rule,
            f"{shown} of the time",
            "0%",
            row.what.format(part=shown, line=line_name(e, at), buffer=buffer_name(e, buffer)),
            row.remedy,
            dict.fromkeys(row.causes, 0.5),
            at,
        )


def _waits_at(e: Evidence, row: Stall) -> InstructionEvidence | None:
    """Instruction with most of a wait: the load waited for, the barrier, the arithmetic."""
    spent: dict[tuple[int, int, int], float] = {}
    for one in e.instructions:
        for source in _sources(e, row, one):
            key = source.kernel, source.block, source.index
            spent[key] = spent.get(key, 0.0) + (one.time_fraction or 0.0)
    if not spent:
        return None
    kernel, block, index = max(spent, key=lambda key: spent[key])
    return e.at(kernel, (block, index))


def _sources(e: Evidence, row: Stall, one: InstructionEvidence) -> Iterator[InstructionEvidence]:
    """Instructions waited for that a row of the stall table is about."""
    waits_at_barrier = "barrier" in one.instruction.operation.effects
    if row.causes == (DRAIN,):
        yield from (one,) * any(a.kind != "load" and a.space in row.spaces for a in one.accesses)
    elif row.spaces:
        loads = [e.at(one.kernel, place) for place in one.after] or [one]
        for load in loads:
            if load is not None and any(a.space in row.spaces for a in load.accesses):
                yield load
    elif row.causes == (BARRIER_CAUSE,):
        yield from (one,) * waits_at_barrier
    elif not (one.after or one.accesses or waits_at_barrier):
        yield one


RULES = (
    occupancy,
    unfilled,
    launching,
    cta_rate,
    non_fused,
    block_size,
    divergence,
    fp64,
    stalls,
)
