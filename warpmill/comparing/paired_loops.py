"""The loops of two builds of a kernel, matched and side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import PurePath
from typing import Annotated, ClassVar, TypeVar

from warpmill.analyzer.analyses.cfg.graph import Loop
from warpmill.analyzer.analyses.liveness import live_registers, machine_view, members
from warpmill.analyzer.analyses.ranges.bounds import KnownTrips, LoopBound, UnknownTrips
from warpmill.analyzer.analyses.ranges.launch_trips import TripRange, loop_ranges
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.base.metric import INTERNAL, Mark, Metric, derived
from warpmill.analyzer.ir.kernel import Instruction, Kernel
from warpmill.comparing.blocks import AccessTarget, Counters, Terms, place_of_access
from warpmill.comparing.figures import DiffFigure, compared, sum_or_none
from warpmill.report.base import Part
from warpmill.report.facts import SourcePlace, block_place
from warpmill.report.sections import Shown
from warpmill.session.jobs import Job

T = TypeVar("T")

SourceLine = tuple[str, int]
"""A line of the compiled source, by the file's name without its folder."""


@dataclass(frozen=True)
class LoopFeatures:
    """Features that a loop is recognised by, in common terms.

    ``lines`` are the source lines of its own blocks, inner loops' only where it has none.
    ``trips`` is the formula with counters by depth; None where the count is unknown. ``count`` is
    the number where it is one. ``bytes`` are what the accesses of one iteration move, inner loops'
    counted once, and ``steps`` how far they move from one iteration to the next; None: unknown.
    ``live_registers``: 32-bit registers that hold values on entry of the header.
    """

    loop: int
    parent: int | None
    depth: Annotated[int, Metric("Depth")]
    lines: frozenset[SourceLine]
    trips: Annotated[str | None, Metric("Trip count")]
    places: frozenset[AccessTarget]
    bytes: tuple[tuple[AccessTarget, int | None], ...]
    instructions: Annotated[int, Metric("Instructions", "inst")]
    own_instructions: Annotated[int, Metric("Instructions of the loop alone", "inst")]
    live_registers: Annotated[int, Metric("Live registers", mark=Mark.MODELLED)]
    is_innermost: bool
    count: int | None = None
    steps: tuple[tuple[AccessTarget, int | None], ...] = ()

    @derived("Bytes per thread and iteration", "B")
    def accessed_bytes(self) -> int | None:
        """The widths of all accesses, those of inner loops once; None: one is unknown."""
        return sum_or_none(width for _, width in self.bytes)


@dataclass(frozen=True)
class LoopMatch:
    """A loop of A with the one of B that it is; None where there is no such loop.

    ``by`` says how they were found to be the same. Of a lone loop ``like`` is the loop of the other
    build that it resembles most, which is another's partner: a remainder of an unrolled one.
    """

    a: int | None
    b: int | None
    by: str = ""
    like: int | None = None


SOURCE_LINE = "source line"
STRUCTURE = "structure"


def loop_features(job: Job, terms: Terms) -> tuple[LoopFeatures, ...]:
    """Describe the loops of a kernel, in the order of its forest."""
    structure = job.analysis.structure
    live = _live_at(job)
    return tuple(
        _features(job, terms, loop, bound, live[loop.header])
        for loop, bound in zip(structure.loops.loops, job.analysis.bounds, strict=True)
    )


def _live_at(job: Job) -> list[int]:
    """Count the 32-bit registers that hold a value on entry of each block."""
    kernel, cfg = job.kernel, job.analysis.structure.cfg
    view = machine_view(kernel, cfg)
    on_entry = live_registers(view, cfg).on_entry
    return [sum(view.weights[r] for r in members(set_)) for set_ in on_entry]


def _features(job: Job, terms: Terms, loop: Loop, bound: LoopBound, live: int) -> LoopFeatures:
    forest = job.analysis.structure.loops
    own = [b for b in loop.blocks if forest.innermost_ids[b] == loop.id]
    inside = [a for a in job.analysis.accesses if a.block in set(loop.blocks)]
    places = [(place_of_access(a, terms), a.width_bytes) for a in inside]
    sizes = [job.kernel.blocks[b] for b in loop.blocks]
    return LoopFeatures(
        loop=loop.id,
        parent=loop.parent,
        depth=loop.depth,
        lines=source_lines(job.kernel, own) or source_lines(job.kernel, loop.blocks),
        trips=trips_text(job, terms, bound),
        count=bound.trips.count
        if isinstance(bound.trips, KnownTrips) and not bound.at_most
        else None,
        places=frozenset(p for p, _ in places if p.buffer),
        bytes=_bytes(places),
        steps=_steps(
            (place_of_access(a, terms), dict(a.loop_strides_bytes).get(loop.id)) for a in inside
        ),
        instructions=sum(len(block.instructions) for block in sizes),
        own_instructions=sum(len(job.kernel.blocks[b].instructions) for b in own),
        live_registers=live,
        is_innermost=not loop.children,
    )


def _bytes(
    places: Iterable[tuple[AccessTarget, int | None]],
) -> tuple[tuple[AccessTarget, int | None], ...]:
    """Add up by place; one unknown width makes the sum unknown."""
    total: dict[AccessTarget, int | None] = {}
    for place, width in places:
        before = total.get(place, 0)
        total[place] = None if before is None or width is None else before + width
    return tuple(sorted(total.items(), key=lambda item: str(item[0])))


def _steps(
    places: Iterable[tuple[AccessTarget, int | None]],
) -> tuple[tuple[AccessTarget, int | None], ...]:
    """The step that all accesses of a place make; None where they differ or one is unknown."""
    found: dict[AccessTarget, set[int | None]] = {}
    for place, step in places:
        found.setdefault(place, set()).add(step)
    known = ((place, steps.pop() if len(steps) == 1 else None) for place, steps in found.items())
    return tuple(sorted(known, key=lambda item: str(item[0])))


def trips_text(job: Job, terms: Terms, bound: LoopBound) -> str | None:
    """A trip count in common terms, counters by depth; None where it is unknown."""
    if isinstance(bound.trips, UnknownTrips):
        return None
    most = "at most " if bound.at_most else ""
    if isinstance(bound.trips, KnownTrips):
        return f"{most}{bound.trips}"
    names = {loop.id: f"i{loop.depth}" for loop in job.analysis.structure.loops.loops}
    return f"{most}{terms.expression(bound.trips.formula, names)}"


def source_lines(kernel: Kernel, blocks: Iterable[int]) -> frozenset[SourceLine]:
    """The source lines that a compiler recorded for some blocks; none where it did not."""
    return frozenset(
        line
        for b in blocks
        for i in kernel.blocks[b].instructions
        if (line := _line(i)) is not None
    )


def _line(instruction: Instruction) -> SourceLine | None:
    where = instruction.debug
    return None if where is None or not where.line else (PurePath(where.file).name, where.line)


def instructions_by_line(kernel: Kernel) -> Counter[SourceLine]:
    """Count the instructions that a compiler recorded for each source line."""
    return Counter(line for i in kernel.instructions if (line := _line(i)) is not None)


def match_loops(a: Sequence[LoopFeatures], b: Sequence[LoopFeatures]) -> tuple[LoopMatch, ...]:
    """Pair the loops of two builds: those of A in order, then those that only B has.

    Outer loops are paired first, and loops inside them with each other; then what is left,
    wherever it stands. Loops whose source lines are known in both builds, from one file, are the
    same where their lines overlap. Others, and what lines leave over, are where their trip counts
    are one formula or they access the same buffers. The best pairs are taken first. B against A
    gives the same pairs.
    """
    found = _paired(a, b)
    other = {y: x for x, (y, _) in found.items()}
    return (
        *(
            LoopMatch(x.loop, *found[x.loop]) if x.loop in found
            else LoopMatch(x.loop, None, like=_like(x, b))
            for x in a
        ),
        *(LoopMatch(None, y.loop, like=_like(y, a)) for y in b if y.loop not in other),
    )  # fmt: skip


Pairs = dict[int, tuple[int, str]]


def _paired(a: Sequence[LoopFeatures], b: Sequence[LoopFeatures]) -> Pairs:
    found: Pairs = {}
    parents: list[tuple[int | None, int | None]] = [(None, None)]
    while parents:
        new: Pairs = {}
        for x, y in parents:
            inside = [loop for loop in a if loop.parent == x]
            new |= _greedy(inside, [loop for loop in b if loop.parent == y])
        found |= new
        parents = [(x, y) for x, (y, _) in new.items()]
    return found | _greedy(*_left(a, b, found))


def _left(
    a: Sequence[LoopFeatures], b: Sequence[LoopFeatures], found: Pairs
) -> tuple[list[LoopFeatures], list[LoopFeatures]]:
    """The loops that are in no pair yet."""
    taken = {y for y, _ in found.values()}
    return [x for x in a if x.loop not in found], [y for y in b if y.loop not in taken]


def _greedy(a: Sequence[LoopFeatures], b: Sequence[LoopFeatures]) -> Pairs:
    """Take the best pair, then the best of the rest; lines first, as they are most certain."""
    found = _best(a, b, _likeness)
    return found | _best(*_left(a, b, found), _moved)


Likeness = Callable[[LoopFeatures, LoopFeatures], tuple[float, str]]
"""How much two loops look like one, from 0, and by what."""


def _best(a: Sequence[LoopFeatures], b: Sequence[LoopFeatures], likeness: Likeness) -> Pairs:
    """Take pairs by likeness, then larger loops first, then those at one place in the order.

    Pairs that are alike in all that and share a loop are taken from the front, whichever is A.
    """
    scored = [
        (-score, -(x.instructions + y.instructions), abs(i - k), i, k, by)
        for i, x in enumerate(a)
        for k, y in enumerate(b)
        for score, by in (likeness(x, y),)
        if score > 0
    ]
    found: Pairs = {}
    taken: set[int] = set()
    for _, _, _, i, k, by in sorted(scored):
        if a[i].loop not in found and b[k].loop not in taken:
            found[a[i].loop] = (b[k].loop, by)
            taken.add(b[k].loop)
    return found


def _likeness(x: LoopFeatures, y: LoopFeatures) -> tuple[float, str]:
    structure = _same_structure(x, y)
    if {file for file, _ in x.lines} & {file for file, _ in y.lines}:
        shared = _overlap(x.lines, y.lines)
        return (_LINES * shared + structure if shared else 0.0), SOURCE_LINE
    return structure, STRUCTURE


def _moved(x: LoopFeatures, y: LoopFeatures) -> tuple[float, str]:
    """Compare loops whose lines do not meet: an edit may have moved them all."""
    structure = _same_structure(x, y)
    return (structure if structure >= _CERTAIN else 0.0), STRUCTURE


_CERTAIN = 1.0
"""One trip count, or the very same buffers."""

_LINES = 4.0
"""Weight of equal source lines; an equal structure weighs 2."""


def _same_structure(x: LoopFeatures, y: LoopFeatures) -> float:
    """Compare trip counts and buffers; loops that access nothing are alike in that."""
    same_trips = x.trips == y.trips and bool(x.trips)
    return same_trips + (_overlap(x.places, y.places) if x.places or y.places else _NO_ACCESS)


_NO_ACCESS = 0.25


def _overlap(x: frozenset[T], y: frozenset[T]) -> float:
    return len(x & y) / len(x | y) if x or y else 0.0


def _like(one: LoopFeatures, others: Sequence[LoopFeatures]) -> int | None:
    """The loop of its depth that a lone one resembles most, if by more than silence."""
    level = [other for other in others if other.depth == one.depth]
    scored = [(_likeness(one, other)[0], -other.loop) for other in level]
    best = max(scored, default=(0.0, 0))
    return -best[1] if best[0] > _NO_ACCESS else None


# How often the blocks of loops run, and how much of one build's loop another's does at once.


def known_runs(job: Job) -> dict[tuple[int, int], int]:
    """How often blocks run each time a loop is entered, where that is a number.

    By loop and block; blocks before the test that ends a loop run once more than those behind it.
    """
    return {
        (bound.loop, block): bound.trips.count + more
        for bound in job.analysis.bounds
        if isinstance(bound.trips, KnownTrips)
        for block, more in _runs(job.analysis.structure, bound).items()
    }


def whole_runs(job: Job, loops: Iterable[int]) -> frozenset[tuple[int, int]]:
    """Pairs (loop, block), of some loops, that run as often as the trip count says."""
    return frozenset(
        (loop, block)
        for loop in loops
        for block, more in _runs(job.analysis.structure, job.analysis.bounds[loop]).items()
        if not more
    )


def _runs(structure: Structure, bound: LoopBound) -> dict[int, int]:
    """Blocks that run in the iteration that leaves a loop, 1, and those that do not, 0.

    Nothing is said where data may end the loop, and of blocks that are on some ways to the test
    only.
    """
    loop = structure.loops.loops[bound.loop]
    if bound.at_most:
        return {}
    if bound.bottom_tested:
        return dict.fromkeys(loop.blocks, 0)
    if len(bound.exits) != 1:
        return {}
    test, dominates = bound.exits[0].source, structure.dominators.dominates
    before = {block: 1 for block in loop.blocks if dominates(block, test)}
    behind = {block: 0 for block in loop.blocks if block != test and dominates(test, block)}
    return before | behind


def iterations_ratio(a: LoopFeatures, b: LoopFeatures) -> Fraction | None:
    """How many iterations of A one of B does: so many times the bytes, and the way.

    None where inner loops make an iteration's bytes many, where a width is not known, where the
    buffers that both access do not agree, and where trip counts or the steps of addresses say
    otherwise, or say nothing: an iteration that moves more bytes may just do more.
    """
    ratio = _bytes_ratio(a, b)
    if ratio is None or ratio == 1:
        return ratio
    by_counts = _counts_agree(a, b, ratio)
    if by_counts is False:
        return None
    steps = _step_ratios(a, b)
    return ratio if steps == {ratio} or (not steps and by_counts) else None


def _counts_agree(a: LoopFeatures, b: LoopFeatures, ratio: Fraction) -> bool | None:
    """Whether A has so many times the iterations of B, but for a remainder; None: unknown."""
    if a.trips and a.trips == b.trips:
        return False
    if a.count is None or b.count is None:
        return None
    more, less = (a.count, b.count * ratio) if ratio > 1 else (Fraction(b.count), a.count / ratio)
    return abs(more - less) < max(ratio, 1 / ratio)


def _step_ratios(a: LoopFeatures, b: LoopFeatures) -> set[Fraction]:
    """Ratios of how far addresses of B move in an iteration to A's, where both are known."""
    before, after = dict(a.steps), dict(b.steps)
    pairs = [(before[p], after[p]) for p in before if p.buffer and p in after]
    return {Fraction(y, x) for x, y in pairs if x and y}


def _bytes_ratio(a: LoopFeatures, b: LoopFeatures) -> Fraction | None:
    """Ratio of bytes that an iteration of B moves to those of A; None where that is not clear."""
    before, after = dict(a.bytes), dict(b.bytes)
    common = [place for place in before if place.buffer and place in after]
    if not (a.is_innermost and b.is_innermost and common):
        return None
    found = set()
    for place in common:
        x, y = before[place], after[place]
        if not x or not y:
            return None
        found.add(Fraction(y, x))
    return found.pop() if len(found) == 1 else None


class LoopSide(Part):
    """A loop in one build; its name is its header's label, its bound in that build's own terms."""

    name: Annotated[str, Metric("Loop")]
    place: SourcePlace | None
    bound: LoopBound
    features: Annotated[LoopFeatures, INTERNAL]


class LoopDiff(Part):
    """A loop of both builds, or of one where the other side is null.

    ``matched_by``: source line, or structure (nesting, trip count, buffers). ``like`` is the loop
    of the other build that a lone one resembles, and which has another partner. ``iterations_of_a``
    are those that one iteration of B does, by bytes and steps of addresses, or trip counts; null
    where these do not agree. ``elsewhere`` counts the other build's instructions of a lone loop's
    source lines. Trip counts among ``figures`` are in common terms: parameters by place, counters
    by depth.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    a: LoopSide | None
    b: LoopSide | None
    matched_by: str | None
    like: str | None
    elsewhere: int | None
    iterations_of_a: float | None
    figures: list[DiffFigure]

    @derived("Equal")
    def equal(self) -> bool:
        """Whether both builds have it, and no figure differs."""
        is_pair = self.a is not None and self.b is not None
        return is_pair and all(figure.equal is not False for figure in self.figures)

    @property
    def names(self) -> str:
        """Names of the loop in A and in B."""
        return " = ".join(dict.fromkeys(s.name for s in (self.a, self.b) if s is not None))


class LoopsOfBoth:
    """The loops of two builds, paired."""

    def __init__(self, jobs: tuple[Job, Job], terms: tuple[Terms, Terms]) -> None:
        self._jobs = jobs
        self._features = (loop_features(jobs[0], terms[0]), loop_features(jobs[1], terms[1]))
        self._matches = match_loops(*self._features)
        self._ranges = (_ranges(jobs[0]), _ranges(jobs[1]))
        self._lines = (instructions_by_line(jobs[0].kernel), instructions_by_line(jobs[1].kernel))

    def counters(self) -> tuple[Counters, Counters]:
        """Counters of loops that are the same named alike, ``i1``, and how far they run."""
        pairs = [(m.a, m.b) for m in self._matches if m.a is not None and m.b is not None]
        trips = tuple([f.trips for f in each] for each in self._features)
        alike = [p for p in pairs if trips[0][p[0]] and trips[0][p[0]] == trips[1][p[1]]]
        left, right = (
            Counters(
                {pair[build]: f"i{n}" for n, pair in enumerate(pairs, start=1)},
                known_runs(self._jobs[build]),
                whole_runs(self._jobs[build], [pair[build] for pair in alike]),
            )
            for build in (0, 1)
        )
        return left, right

    def rows(self) -> list[LoopDiff]:
        """Each pair, and what is lone, those of A first."""
        return [self._row(match) for match in self._matches]

    def _row(self, match: LoopMatch) -> LoopDiff:
        a, b = self._side(0, match.a), self._side(1, match.b)
        like = self._side(1 if b is None else 0, match.like)
        ratio = None if a is None or b is None else iterations_ratio(a.features, b.features)
        return LoopDiff(
            a=a,
            b=b,
            matched_by=match.by or None,
            like=None if like is None else like.name,
            elsewhere=self._elsewhere(a, b),
            iterations_of_a=None if ratio is None else float(ratio),
            figures=[*_figures(a, b), *self._counts(match)],
        )

    def _side(self, build: int, loop: int | None) -> LoopSide | None:
        if loop is None:
            return None
        job = self._jobs[build]
        header = job.kernel.blocks[job.analysis.structure.loops.loops[loop].header]
        return LoopSide(
            name=header.label,
            place=block_place(job.loaded, header),
            bound=job.analysis.bounds[loop],
            features=self._features[build][loop],
        )

    def _elsewhere(self, a: LoopSide | None, b: LoopSide | None) -> int | None:
        """Instructions of the other build of a lone loop's lines, where lines are known."""
        lone = b if a is None else a
        if lone is None or None not in (a, b):
            return None
        other, lines = self._lines[1 if b is None else 0], lone.features.lines
        files = {file for file, _ in other}
        return sum(other[line] for line in lines) if any(f in files for f, _ in lines) else None

    def _counts(self, match: LoopMatch) -> list[DiffFigure]:
        """The numbers of the launches, where both have one."""
        left, right = self._ranges
        if match.a is None or match.b is None or left is None or right is None:
            return []
        x, y = left[match.a], right[match.b]
        rows = {"iterations_min": Shown("low"), "iterations_max": Shown("high")}
        sides = tuple(Mark.SAMPLED if r.sampled else Mark.EXACT for r in (x, y))
        return compared(rows, x, y, reason=x.reason or y.reason, sides=(sides[0], sides[1]))


def _figures(a: LoopSide | None, b: LoopSide | None) -> list[DiffFigure]:
    """Trips, sizes and registers. Data may end a loop in both builds: these trips are unknown."""
    sides = [("a", a), ("b", b)]
    unknown = [f"{n}: {s.bound.reason}" for n, s in sides if s is not None and s.bound.reason]
    known = [s for _, s in sides if s is not None and not s.bound.reason]
    x, y = (None if s is None else s.features for s in (a, b))
    reason = None if known else "; ".join(unknown)
    is_outer = not all(f is None or f.is_innermost for f in (x, y))
    return [
        *compared(("depth",), x, y),
        *compared(("trips",), x, y, reason=reason),
        *compared(("instructions", *(["own_instructions"] if is_outer else [])), x, y),
        *compared(("accessed_bytes", "live_registers"), x, y),
    ]


def _ranges(job: Job) -> Mapping[int, TripRange] | None:
    if job.launch is None:
        return None
    analysis = job.analysis
    return loop_ranges(job.loaded.module, analysis.structure, job.launch, analysis.bounds)
