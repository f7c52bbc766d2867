"""How often the loops of a clone iterate: GPGPU-MiniBench §4.2.3."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from warpmill.analyzer.analyses.cfg.graph import Loop
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.profile.behaviour.model import (
    AccessBehaviour,
    BranchBehaviour,
    LoopBehaviour,
    Triple,
)
from warpmill.analyzer.profile.counts import Profile
from warpmill.codegen.model import CloneLoop

_MOST_LENGTHS = 5
"""Different lengths of a loop's runs in a clone."""
_ANEW = 0.5
"""The share of the variance between warps below which a warp's own runs differ."""
_IN_STEP = 0.5
"""The share of the variance above which the warps of a CTA have the same runs, one after another.

What many draws of a warp level out between two barriers, the few that are left in a clone do not:
each warp drawing on its own would wait there for the one that drew most.
"""
_ALIKE = 0.1
"""The coefficient of variation of runs that are taken to be equally long."""
_MOST_LANES_LOST = 0.03
"""Lanes that may be missing in a loop before the clone lets the others wait outside."""


def most_iterations(subject: CloneSubject) -> int:
    """The largest mean iteration count of a loop, over the runs of warps; 1 without loops."""
    runs = {each.header: each for each in subject.loops}
    found = [1.0]
    for loop in subject.structure.loops.loops:
        behaviour = runs.get(loop.header)
        if behaviour is not None and behaviour.runs:
            found.append(_body_iterations(subject, loop, behaviour.iterations / behaviour.runs))
    return max(1, round(max(found)))


def maximum_reduction(subject: CloneSubject) -> int:
    """The largest power of two that is no more than the largest iteration count (§6.1, i)."""
    return 1 << (most_iterations(subject).bit_length() - 1)


def clone_loops(subject: CloneSubject, reduction: int | Mapping[int, int]) -> tuple[CloneLoop, ...]:
    """Divide iteration counts by one factor, or by a factor for each loop's header."""
    runs = {each.header: each for each in subject.loops}
    made = []
    for loop in subject.structure.loops.loops:
        behaviour = runs.get(loop.header)
        if behaviour is None or not behaviour.runs:
            continue
        factor = reduction if isinstance(reduction, int) else reduction.get(loop.header, 1)
        original = _body_iterations(subject, loop, behaviour.iterations / behaviour.runs)
        leaving = main_exit(subject, loop)
        bottom = leaving is None or leaving in loop.latches
        anew = behaviour.by_warp < _ANEW
        count = max(1, round(original) // factor)
        lengths = [(length - (not bottom), n) for length, n in behaviour.histogram]
        mean = max(min(1.0, original), original / factor)
        spread = _spread(lengths, mean, int(bottom), 2 if anew else _MOST_LENGTHS)
        waits = _waits(subject, loop)
        stay = [loop.header] if bottom or leaving is None else _staying(subject, loop, leaving)
        lanes = 1.0 if waits else _lanes(subject, stay, behaviour.lanes_in)
        around = _behind(loop, leaving, subject.structure.cfg.exit_id) if bottom else None
        made.append(
            CloneLoop(
                loop.header,
                original,
                count,
                bottom,
                leaving,
                lanes,
                loop.latches,
                around,
                spread,
                behaviour.by_cta or waits or (anew and behaviour.in_step > _IN_STEP),
                anew,
            )
        )
    return tuple(made)


def main_exit(subject: CloneSubject, loop: Loop) -> int | None:
    """The block whose branch ends most runs of a loop; None where it ends by other means.

    It must be met in each iteration: it dominates all latches.
    """
    dominators = subject.structure.dominators
    edges = {(e.source, e.target): e.threads for e in subject.profile.edges or ()}
    exit_id = subject.structure.cfg.exit_id
    counted: dict[int, int] = {}
    for source, target in loop.exits:
        own = subject.structure.loops.innermost(source)
        if own is None or own.header != loop.header:
            continue  # its branch belongs to a loop inside
        if all(dominators.dominates(source, latch) for latch in loop.latches):
            crossed = edges.get((source, None if target == exit_id else target), 0)
            counted[source] = counted.get(source, 0) + crossed
    best = max(counted, key=lambda b: (counted[b], -b), default=None)
    return best if best is not None and counted[best] else None


def _body_iterations(subject: CloneSubject, loop: Loop, headers: float) -> float:
    """How often what follows the test is executed a run; a header may be once more."""
    leaving = main_exit(subject, loop)
    if leaving is None or leaving in loop.latches:
        return max(1.0, headers)
    latched = sum(subject.profile.blocks[b].warps for b in loop.latches)
    tested = subject.profile.blocks[loop.header].warps
    return max(1e-9, headers * latched / tested) if tested else 1.0


def _waits(subject: CloneSubject, loop: Loop) -> bool:
    """Whether a barrier lies in a loop: all warps of a CTA have to come to it as often."""
    blocks = subject.structure.kernel.blocks
    return any(
        "barrier" in i.operation.effects for b in loop.blocks for i in blocks[b].instructions
    )


def _spread(
    lengths: Sequence[tuple[int, int]], count: float, least: int, most: int
) -> tuple[tuple[int, float], ...]:
    """The iterations of the clone's runs by their shares; their mean is ``count``.

    A run of the original that is twice as long as most is so in the clone: iterations that are no
    whole number are one of the two next to it, each as often as makes the mean right.
    """
    runs = sum(n for _, n in lengths)
    mean = sum(length * n for length, n in lengths) / runs
    variance = sum((length - mean) ** 2 * n for length, n in lengths) / runs
    if variance <= (_ALIKE * mean) ** 2:
        return ()
    shares: dict[int, float] = {}
    for length, number in lengths:
        exact = length * count / mean
        low = int(exact)
        for n, part in ((low, 1.0 - (exact - low)), (low + 1, exact - low)):
            if part:
                shares[max(least, n)] = shares.get(max(least, n), 0.0) + part * number / runs
    few = _few(sorted(shares.items()), most)
    if len(few) == 2 and few[0][0] < count < few[1][0]:  # joined lengths are whole; the mean stays
        (low, _), (high, _) = few
        few = [(low, (high - count) / (high - low)), (high, (count - low) / (high - low))]
    return tuple(few)


def _few(shares: list[tuple[int, float]], most: int) -> list[tuple[int, float]]:
    """Join neighbouring lengths until there are a few; their mean stands for them."""
    while len(shares) > most:
        k = min(range(len(shares) - 1), key=lambda i: _moved(*shares[i : i + 2]))
        (a, p), (b, q) = shares[k : k + 2]
        shares[k : k + 2] = [(round((a * p + b * q) / (p + q)), p + q)]
    return shares


def _moved(low: tuple[int, float], high: tuple[int, float]) -> float:
    """The variance that is lost where two lengths become one: Ward's rule."""
    (a, p), (b, q) = low, high
    return (b - a) ** 2 * p * q / (p + q)


def _behind(loop: Loop, leaving: int | None, exit_id: int) -> int | None:
    """The block that a loop is left to."""
    return next((t for s, t in loop.exits if s == leaving and t != exit_id), None)


def _staying(subject: CloneSubject, loop: Loop, leaving: int) -> list[int]:
    """The blocks that follow a test at the top and stay in the loop."""
    return [b for b in subject.structure.cfg.successors[leaving] if b in loop.blocks]


def _lanes(subject: CloneSubject, blocks: list[int], lanes_in: float) -> float:
    """The share of lanes that a loop goes on with, on average over its iterations."""
    mean = max((subject.lanes[b] for b in blocks), default=0.0)
    share = mean / lanes_in if lanes_in else 1.0
    return 1.0 if share > 1.0 - _MOST_LANES_LOST else max(share, 1.0 / subject.profile.warp_size)


# What a clone is made from: a kernel's shape, and what its launches did.


@dataclass(frozen=True)
class CloneSubject:
    """A launch, or launches that are alike: the profile and the behaviour of one of them.

    ``static_shared_bytes`` are those of the original with its module's variables.
    """

    structure: Structure
    profile: Profile
    branches: tuple[BranchBehaviour, ...]
    loops: tuple[LoopBehaviour, ...]
    accesses: tuple[AccessBehaviour, ...]
    static_shared_bytes: int
    version: str
    most_grid: Triple
    """The largest extents of the grids that the clone is launched with."""

    @property
    def grid(self) -> Triple:
        """CTAs of the launch that was looked at."""
        return self.profile.grid

    @property
    def block(self) -> Triple:
        """Threads of a CTA."""
        return self.profile.block

    @cached_property
    def threads_per_cta(self) -> int:
        """Threads of a CTA, all axes together."""
        x, y, z = self.profile.block
        return x * y * z

    @cached_property
    def warps_per_cta(self) -> int:
        """Warps of a CTA; the last one may not be full."""
        return -(-self.threads_per_cta // self.profile.warp_size)

    @cached_property
    def ctas(self) -> int:
        """CTAs of the launch, all axes together."""
        x, y, z = self.profile.grid
        return x * y * z

    @cached_property
    def executions(self) -> tuple[float, ...]:
        """Executions of each block by a warp of the launch (mean)."""
        warps = self.ctas * self.warps_per_cta
        return tuple(block.warps / warps for block in self.profile.blocks)

    @cached_property
    def lanes(self) -> tuple[float, ...]:
        """Lanes on in an execution of each block (mean); 0 where it was not executed."""
        return tuple(b.threads / b.warps if b.warps else 0.0 for b in self.profile.blocks)
