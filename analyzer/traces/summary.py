"""Totals of traces: instructions by class, lanes, memory by instruction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import count
from math import gcd, prod
from typing import Annotated, overload

import numpy as np
from numpy.typing import NDArray

from warpmill.analyzer.base.metric import INTERNAL, Metric, derived
from warpmill.analyzer.ir.kernel import Instruction, Kernel
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.launch.numbering import unravel_index
from warpmill.analyzer.memory.rules import DEFAULT_RULES, MemoryRules, access_cost
from warpmill.analyzer.traces.model import (
    Count,
    Node,
    Pattern,
    TracedAccess,
    UnknownAddresses,
    Visit,
    WarpTrace,
    executions,
    lanes_of,
    visits_with_counts,
)


@dataclass(frozen=True, slots=True)
class AccessSummary:
    """One memory instruction over all warps summed. None where addresses are not known.

    ``bytes_requested`` is lanes times width, None where nobody knows the width; ``sectors`` what
    moves outside the SM; ``lines`` distinct 128 B lines a warp access touches; ``wavefronts``
    those of shared memory. A copy is two accesses: ``turn`` 0 to its source, 1 to where it writes.
    """

    block: int
    instruction: int
    turn: int
    warp_executions: int
    thread_executions: int
    bytes_requested: int | None
    sectors: int | None
    lines: int | None
    wavefronts: int | None


@dataclass(frozen=True)
class ClassCount:
    """Instructions of one class."""

    op_class: Annotated[str, Metric("Class")]
    warp_instructions: Annotated[int, Metric("Warp instructions", "inst")]
    thread_instructions: Annotated[int, Metric("Thread instructions", "thread inst")]


@dataclass(frozen=True)
class TraceSummary:
    """Totals over the warps of some CTAs. Thread instructions count lanes of the active mask.

    ``by_class`` counts warp instructions, ``threads_by_class`` thread instructions;
    ``block_executions`` are by warps, ``block_threads`` by threads.
    """

    ctas: Annotated[int, Metric("CTAs counted", "CTA")]
    warps: Annotated[int, Metric("Warps", "warp")]
    warp_instructions: Annotated[int, Metric("Warp instructions", "inst")]
    thread_instructions: Annotated[int, Metric("Thread instructions", "thread inst")]
    by_class: Annotated[tuple[tuple[str, int], ...], INTERNAL]
    block_executions: Annotated[tuple[int, ...], INTERNAL]
    accesses: Annotated[tuple[AccessSummary, ...], INTERNAL]
    warp_size: Annotated[int, INTERNAL]
    threads_by_class: Annotated[tuple[tuple[str, int], ...], INTERNAL] = ()
    block_threads: Annotated[tuple[int, ...], INTERNAL] = ()

    @derived("Instructions by class")
    def classes(self) -> tuple[ClassCount, ...]:
        """Most frequent first."""
        threads = dict(self.threads_by_class)
        return tuple(ClassCount(name, n, threads[name]) for name, n in self.by_class)

    @derived("Lane utilization", "%")
    def lane_utilization(self) -> float | None:
        """Share of lanes on, over all warp instructions; None without any."""
        whole = self.warp_instructions * self.warp_size
        return self.thread_instructions / whole if whole else None


def summarise(
    kernel: Kernel,
    ctas: Iterable[tuple[WarpTrace, ...]],
    warp_size: int,
    rules: MemoryRules = DEFAULT_RULES,
    spaces: Mapping[tuple[int, int], Space] | None = None,
    kept: Sequence[frozenset[int]] | None = None,
) -> TraceSummary:
    """Add up the traces of some CTAs.

    ``spaces`` says where accesses point, by block and instruction, where opcodes do not. With
    ``kept``, by block, no other instructions are counted.
    """
    blocks: Counter[int] = Counter()
    threads: Counter[int] = Counter()
    memory: dict[tuple[int, int, int], AccessSummary] = {}
    n_ctas, shared = _by_tree(ctas, rules.period_bytes)
    for tree in shared.values():
        for visit, counts in visits_with_counts(tree.nodes):
            times = executions(counts) * tree.warps
            blocks[visit.block] += times
            threads[visit.block] += times * visit.mask.bit_count()
            _add_accesses(kernel, visit, counts, tree, memory, (rules, spaces or {}))
    n_warps = sum(tree.warps for tree in shared.values())
    counted = counted_instructions(kernel, kept)
    lengths = [len(each) for each in counted]
    return TraceSummary(
        ctas=n_ctas,
        warps=n_warps,
        warp_instructions=sum(n * lengths[b] for b, n in blocks.items()),
        thread_instructions=sum(n * lengths[b] for b, n in threads.items()),
        by_class=by_class(counted, blocks),
        block_executions=tuple(blocks[b.id] for b in kernel.blocks),
        accesses=tuple(memory[key] for key in sorted(memory)),
        warp_size=warp_size,
        threads_by_class=by_class(counted, threads),
        block_threads=tuple(threads[b.id] for b in kernel.blocks),
    )


@dataclass(slots=True)
class _Tree:
    """Warps that take the same way: how many, and by slot how many start at which remainder."""

    nodes: tuple[Node, ...]
    warps: int
    starts: list[Counter[int]]


def _by_tree(ctas: Iterable[tuple[WarpTrace, ...]], modulus: int) -> tuple[int, dict[int, _Tree]]:
    """Count CTAs, and bring together the warps that share a tree."""
    trees: dict[int, _Tree] = {}
    number = 0
    for warps in ctas:
        number += 1
        for warp in warps:
            tree = trees.get(id(warp.nodes))
            if tree is None:
                tree = _Tree(warp.nodes, 0, [Counter() for _ in warp.bases])
                trees[id(warp.nodes)] = tree
            tree.warps += 1
            for starts, base in zip(tree.starts, warp.bases, strict=True):
                starts[base % modulus] += 1
    return number, trees


def counted_instructions(
    kernel: Kernel, kept: Sequence[frozenset[int]] | None
) -> list[tuple[Instruction, ...]]:
    """The instructions of each block that count: all, or those kept."""
    if kept is None:
        return [b.instructions for b in kernel.blocks]
    return [
        tuple(i for place, i in enumerate(b.instructions) if place in kept[b.id])
        for b in kernel.blocks
    ]


def by_class(
    counted: Sequence[tuple[Instruction, ...]], blocks: Counter[int]
) -> tuple[tuple[str, int], ...]:
    """Count instructions by class, the most first, from the executions of blocks."""
    classes: Counter[str] = Counter()
    for block, instructions in enumerate(counted):
        for instruction in instructions:
            classes[instruction.operation.op_class.value] += blocks[block]
    return tuple(sorted(((c, n) for c, n in classes.items() if n), key=lambda x: (-x[1], x[0])))


def _add_accesses(
    kernel: Kernel,
    visit: Visit,
    counts: tuple[Count, ...],
    tree: _Tree,
    memory: dict[tuple[int, int, int], AccessSummary],
    how: tuple[MemoryRules, Mapping[tuple[int, int], Space]],
) -> None:
    rules, spaces = how
    for access in visit.accesses:
        instruction = kernel.blocks[visit.block].instructions[access.instruction]
        operation, width = instruction.operation, access.width(instruction)
        key = (visit.block, access.instruction, access.turn)
        in_local = spaces.get(key[:2], operation.space) is Space.LOCAL
        where = access.addresses
        if width is None:
            where = UnknownAddresses("nobody knows how many bytes it accesses")
            access = replace(access, addresses=where)  # noqa: PLW2901 - what is known of it
        starts = {} if isinstance(where, UnknownAddresses) else tree.starts[where.slot]
        total = totals_over_warps(
            access, tree.warps, starts, width or 0, counts, rules, in_local=in_local
        )
        old = memory.get(key) or AccessSummary(*key, 0, 0, 0, 0, 0, 0)
        memory[key] = AccessSummary(
            *key,
            old.warp_executions + total.executions,
            old.thread_executions + total.lanes,
            _sum(old.bytes_requested, None if width is None else total.lanes * width),
            _sum(old.sectors, total.sectors),
            _sum(old.lines, total.lines),
            _sum(old.wavefronts, total.wavefronts),
        )


def _sum(a: int | None, b: int | None) -> int | None:
    """Add counts; a total that rests on an unknown is unknown."""
    return None if a is None or b is None else a + b


class GridCtas(Sequence[tuple[int, int, int]]):
    """All CTAs of a grid in dispatch order, x fastest, made when they are asked for."""

    def __init__(self, grid: tuple[int, int, int]) -> None:
        self._x, self._y, z = grid
        self._numbers = range(self._x * self._y * z)

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, index: int) -> tuple[int, int, int]: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[tuple[int, int, int], ...]: ...
    def __getitem__(self, index: int | slice) -> object:
        if isinstance(index, slice):
            return tuple(map(self._cta, self._numbers[index]))
        return self._cta(self._numbers[index])

    def _cta(self, number: int) -> tuple[int, int, int]:
        return number % self._x, number // self._x % self._y, number // (self._x * self._y)


def sampled_ctas(grid: tuple[int, int, int], most: int) -> Sequence[tuple[int, int, int]]:
    """Choose at most ``most`` CTAs of a grid, spread over it, in dispatch order (x fastest).

    Steps of the golden ratio: an even stride would meet the same columns of a grid again and again.
    """
    total = prod(grid)
    step = next(s for s in count(max(1, round(total * _GOLDEN))) if gcd(s, total) == 1)
    if most >= total:
        return GridCtas(grid)
    ids = sorted((total // 2 + i * step) % total for i in range(most))
    return tuple(unravel_index(i, grid) for i in ids)


_GOLDEN = (5**0.5 - 1) / 2


# Transactions of folded accesses, exact over all iterations without unfolding them.
#
# What an access costs depends on its base address only through the remainder by a line's size.
# Loop strides move that remainder around a short cycle, so the executions are counted by
# remainder.

_Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class AccessTotals:
    """Sums over all executions of one access of one warp.

    ``sectors`` and ``lines`` count granules of memory outside the SM; ``wavefronts`` are those
    of shared memory. None where the addresses are not known.
    """

    executions: int
    lanes: int
    sectors: int | None
    lines: int | None
    wavefronts: int | None


def totals_over_warps(
    access: TracedAccess,
    warps: int,
    starts: Mapping[int, int],
    width_bytes: int,
    counts: tuple[Count, ...],
    rules: MemoryRules = DEFAULT_RULES,
    *,
    in_local: bool = False,
) -> AccessTotals:
    """Sum what an access costs in ``warps`` warps that share a tree, over the Repeats around it.

    ``starts`` has the number of warps by their base address, or by its remainder by the rules'
    ``period_bytes``. ``in_local``: it is to local memory, whose addresses are those of one thread;
    the words of a warp's threads lie interleaved.
    """
    executed = executions(counts) * warps
    lanes = executed * access.mask.bit_count()
    where = access.addresses
    if isinstance(where, UnknownAddresses):
        return AccessTotals(executed, lanes, None, None, None)
    modulus = rules.period_bytes
    moved = remainders(where.loop_strides, counts, modulus)
    total = [0, 0, 0]
    for start, shared_by in starts.items():
        for remainder, times in moved.items():
            place = (start + remainder) % modulus
            once = _once(where.pattern, access.mask, width_bytes, place, rules, in_local)
            total = [t + shared_by * times * int(o) for t, o in zip(total, once, strict=True)]
    return AccessTotals(executed, lanes, *total)


_MOST_EXACT = 1 << 62
"""Executions that 64-bit numbers count; of more, Python's do."""


@lru_cache(maxsize=1 << 14)
def remainders(
    strides: tuple[int, ...], counts: tuple[Count, ...], modulus: int
) -> Mapping[int, int]:
    """Count executions by the remainder of the distance from the base, over all iterations."""
    once = np.zeros(modulus, dtype=np.int64 if executions(counts) < _MOST_EXACT else object)
    once[0] = 1
    histogram = _around(strides, counts, (), once)
    return {int(r): int(histogram[r]) for r in np.flatnonzero(histogram)}


def _around(
    strides: tuple[int, ...],
    counts: tuple[Count, ...],
    iteration: tuple[int, ...],
    once: _Numbers,
) -> _Numbers:
    """The histogram of all that happens from one level inwards.

    ``iteration`` are those of the levels around, ``once`` is the histogram of one execution. A
    level that no inner count depends on moves the histogram of one iteration around a short cycle;
    the others are gone through.
    """
    level, modulus = len(iteration), len(once)
    if level == len(counts):
        return once
    count, stride = counts[level].at(iteration), strides[level]
    depending = [c for c in counts[level + 1 :] if c.strides and c.strides[level]]
    if not depending:
        inner = _around(strides, counts, (*iteration, 0), once)
        return _moved_around(inner, stride, count, modulus)
    if level == len(counts) - 2:
        return _innermost(strides, counts, iteration, modulus).astype(once.dtype)
    total = np.zeros_like(once)
    for i in range(count):
        total += np.roll(_around(strides, counts, (*iteration, i), once), stride * i % modulus)
    return total


def _moved_around(inner: _Numbers, stride: int, count: int, modulus: int) -> _Numbers:
    cycle = modulus // gcd(stride, modulus)
    whole, rest = divmod(count, cycle)
    total = np.zeros_like(inner)
    for step in range(min(cycle, count)):
        total += np.roll(inner, step * stride % modulus) * (whole + (step < rest))
    return total


def _innermost(
    strides: tuple[int, ...],
    counts: tuple[Count, ...],
    iteration: tuple[int, ...],
    modulus: int,
) -> _Numbers:
    """Two levels at once, the inner count a number for each iteration of the outer one."""
    outer, inner = counts[-2], counts[-1]
    n, stride = outer.at(iteration), strides[-1]
    cycle = modulus // gcd(stride, modulus)
    first, grows = inner.at((*iteration, 0)), inner.strides[-1]
    total = np.zeros(modulus, dtype=np.int64)
    steps = np.arange(cycle)
    for start in range(0, n, _CHUNK):
        i = np.arange(start, min(n, start + _CHUNK))
        whole, rest = np.divmod(first + grows * i, cycle)
        times = whole[:, None] + (steps < rest[:, None])
        places = (strides[-2] * i[:, None] + stride * steps) % modulus
        total += np.bincount(places.ravel(), times.ravel(), modulus).astype(np.int64)
    return total


_CHUNK = 1 << 14
"""Outer iterations at a time: their weights stay exact as floating-point numbers."""


@lru_cache(maxsize=1 << 16)
def _once(
    pattern: Pattern,
    mask: int,
    width_bytes: int,
    remainder: int,
    rules: MemoryRules,
    in_local: bool,
) -> tuple[int, int, int]:
    """Sectors, lines and wavefronts of one execution."""
    addresses = np.array(pattern.offsets(mask), dtype=np.int64) + remainder
    lanes = np.array(lanes_of(mask), dtype=np.int64)
    return access_cost(addresses, lanes, width_bytes, rules, in_local=in_local)
