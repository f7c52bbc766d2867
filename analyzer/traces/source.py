"""Trace sources: they hand out the warp traces of one CTA at a time, on demand.

A static source also tells the calls that its traces do not follow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from warpmill.analyzer.analyses.ranges.assumptions import AssumedRange, check_assumptions
from warpmill.analyzer.analyses.ranges.bounds import LoopBound, UnknownTrips, loop_bounds
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.analyses.values.shared_slots import assumptions
from warpmill.analyzer.base.many_objects import gc_paused
from warpmill.analyzer.ir.externs import callee_of
from warpmill.analyzer.ir.kernel import Kernel, Module
from warpmill.analyzer.ir.types import Place
from warpmill.analyzer.launch.model import Launch
from warpmill.analyzer.traces.event_batch import EventBatch, ManyWarps
from warpmill.analyzer.traces.layout import LaunchLayout, MemoryRegion, lay_out
from warpmill.analyzer.traces.model import Assumption, WarpTrace
from warpmill.analyzer.traces.static.constraints import Triple
from warpmill.analyzer.traces.static.evaluation import Inputs
from warpmill.analyzer.traces.static.grid import GridWalker
from warpmill.analyzer.traces.static.overruns import Overruns
from warpmill.analyzer.traces.static.plan import WalkPlan, make_plan
from warpmill.analyzer.traces.static.walk import DataDecide, WalkLimits

if TYPE_CHECKING:
    from warpmill.analyzer.traces.outcomes import BranchOutcome


class TraceSource(Protocol):
    """Source of a launch's traces. Two calls for one CTA give traces of equal events.

    ``kind`` is static, executed or saved, and ``reason`` says why it is that; ``assumptions`` are
    what the traces made so far assumed where data decide, and where accesses leave buffers.
    """

    @property
    def kind(self) -> str:
        """Origin of the traces."""

    @property
    def kernel(self) -> Kernel:
        """The kernel whose blocks the traces name."""

    @property
    def layout(self) -> LaunchLayout:
        """Memory layout that addresses point into."""

    @property
    def assumptions(self) -> tuple[Assumption, ...]:
        """Assumptions, by block."""

    @property
    def reason(self) -> str:
        """Reason for the kind of the traces."""

    @property
    def ctas(self) -> tuple[Triple, ...] | None:
        """The CTAs that there are traces of; None: those of the whole grid."""

    @property
    def data(self) -> str:
        """Hash of what executed traces depend on beside kernel and launch; else empty."""

    def warps(self, cta: Triple) -> tuple[WarpTrace, ...]:
        """The traces of a CTA's warps, in order."""

    def many(self, ctas: Iterable[Triple]) -> Iterable[tuple[WarpTrace, ...]]:
        """The traces of several CTAs, in order."""

    def batches(self, ctas: Iterable[Triple]) -> Iterator[EventBatch] | None:
        """The events of several CTAs as arrays, some CTAs at a time; None: it has none."""


@runtime_checkable
class SupportsManyWarps(Protocol):
    """A source that has the warps of many CTAs as arrays."""

    def grouped(self, ctas: Sequence[Triple]) -> ManyWarps:
        """The warps of some CTAs, each CTA once, in that order."""


@runtime_checkable
class SupportsWalking(Protocol):
    """A source that walks one CTA for many."""

    def standing(self, ctas: Sequence[Triple], share: float) -> tuple[Triple, ...]:
        """Those of some CTAs that walks stand for which do so for a share of the grid."""


@runtime_checkable
class SupportsProbing(Protocol):
    """A source that runs CTAs, and tells some of what they do much cheaper than all of it.

    Both give None where it may hang on what CTAs before them do.
    """

    def beginnings(self, ctas: Iterable[Triple], words: int) -> EventBatch | None:
        """The events that CTAs begin with, in the order of their numbers.

        Each stops when it has about ``words`` numbers of 8 B to tell: two for an event, two and
        more for an access.
        """

    def executions(self, ctas: Iterable[Triple]) -> Sequence[Mapping[int, int]] | None:
        """Count how often the warps of each CTA execute each block, by block.

        In the order of the CTAs' numbers.
        """


class StaticSource:
    """Traces from the kernel's code and a launch alone (hybrid estimation, §III-B).

    ``assumptions`` grows with the CTAs that were asked for. ``layout`` says where memory lies;
    left out, it is that of the launch alone. ``plan`` is what ``make_plan`` gives, where other
    launches of the kernel were walked before. LimitError and InputError as the walk raises them.
    """

    kind = "static"
    ctas = None
    data = ""

    def __init__(
        self,
        module: Module,
        structure: Structure,
        launch: Launch,
        *,
        assume: Mapping[str, int] | None = None,
        limits: WalkLimits | None = None,
        reason: str | None = None,
        layout: LaunchLayout | None = None,
        plan: WalkPlan | None = None,
    ) -> None:
        self._reason = reason
        self._plan = plan or make_plan(structure, loop_bounds(structure))
        self._shared = tuple(Assumption(*each) for each in assumptions(structure))
        self.layout: LaunchLayout = layout or lay_out(module, structure.kernel, launch)
        trips = assumed_trips(structure, self._plan.bounds, assume or {})
        inputs = Inputs(self.layout.arguments, self.layout.addresses, trips, ASSUMED_TRIPS)
        threads = (launch.grid, launch.block, module.warp_size)
        shared = self.layout.shared_bytes + launch.dynamic_shared_bytes
        self._overruns = Overruns(module, structure, self.layout, shared)
        self._walker = GridWalker(
            self._plan, threads, inputs, limits or WalkLimits(), self._overruns
        )

    @property
    def kernel(self) -> Kernel:
        """The kernel whose blocks the traces name."""
        return self._plan.kernel

    @property
    def assumptions(self) -> tuple[Assumption, ...]:
        """Assumptions of the traces so far: on data, shared memory, calls and memory."""
        calls = unfollowed_calls(self.kernel, self._walker.unfollowed)
        return *self._walker.assumptions, *self._shared, *calls, *self._overruns.texts

    @property
    def reaches(self) -> Mapping[Place, tuple[MemoryRegion, int, int]]:
        """As ``Overruns.reaches``, of the traces so far."""
        return self._overruns.reaches

    @property
    def overruns(self) -> tuple[str, ...]:
        """Accesses of the traces so far that leave their buffer or shared memory for certain."""
        return tuple(one.text for one in self._overruns.texts)

    @property
    def reason(self) -> str:
        """Reason why the traces are static: as stated, or by those made so far."""
        if self._reason is not None:
            return self._reason
        number = len(self._walker.assumptions)
        if not number and self._walker.unfollowed:
            return "no data decide what executes outside of calls that are not followed"
        if not number:
            return "no data decide what executes"
        return f"data decide in {number} place{'' if number == 1 else 's'}, assumed"

    def warps(self, cta: Triple) -> tuple[WarpTrace, ...]:
        """The traces of a CTA's warps, in order."""
        return next(iter(self.many([cta])))

    @gc_paused()
    def data_decide(self, cta: Triple = (0, 0, 0)) -> str | None:
        """First part of a CTA's traces that data decide; None: nothing.

        Its walk is kept where nothing does. Errors as those of ``warps``.
        """
        limits = self._walker.limits
        self._walker.limits = replace(limits, assumes=False)
        try:
            self.warps(cta)
        except DataDecide as found:
            return str(found)
        finally:
            self._walker.limits = limits
        return None

    def walk_up_to(self, limits: WalkLimits) -> None:
        """Set how far later walks go; what was walked is kept."""
        self._walker.limits = limits

    def outcomes(self, cta: Triple) -> tuple[BranchOutcome, ...]:
        """Outcome of each branch that no data decide, by warp and loop iteration."""
        return self._walker.outcomes(cta)

    def many(self, ctas: Iterable[Triple]) -> Iterable[tuple[WarpTrace, ...]]:
        """The traces of several CTAs, in order, and walk as few of them as will do."""
        yield from self._walker.traces(ctas)

    def grouped(self, ctas: Sequence[Triple]) -> ManyWarps:
        """The traces of several CTAs as arrays; as ``SupportsManyWarps`` says."""
        return self._walker.grouped(ctas)

    def standing(self, ctas: Sequence[Triple], share: float) -> tuple[Triple, ...]:
        """Those of some CTAs that walks stand for which do so for a share of the grid.

        Those in its middle are walked first, and all where each stands for itself alone.
        """
        return self._walker.standing(ctas, share)

    def batches(self, ctas: Iterable[Triple]) -> None:
        """None: what is folded has no events one by one."""


# Trip counts of loops that data end, for traces that are made without the data.

ASSUMED_TRIPS = 8
"""Iterations of a loop whose end data decide, where the user assumes nothing else."""


def assumed_trips(
    structure: Structure, bounds: tuple[LoopBound, ...], assume: Mapping[str, int]
) -> dict[int, int]:
    """Trip counts for the loops that data end, from ``--assume`` or the default.

    A loop that data may end before its count is among them only where it is named. UsageError
    where a name belongs to no such loop, or to one whose count data do not decide.
    """
    intervals = {name: AssumedRange(count, count) for name, count in assume.items()}
    check_assumptions(structure, bounds, intervals, has_launch=True)
    labels = {structure.kernel.blocks[b.header].label: b for b in bounds}
    found = {}
    for label, bound in labels.items():
        if label in assume:
            found[bound.loop] = assume[label]
        elif isinstance(bound.trips, UnknownTrips):
            found[bound.loop] = min(ASSUMED_TRIPS, bound.trips.most or ASSUMED_TRIPS)
    return found


# Calls that traces do not follow: by recursion, through registers, or to code that is elsewhere.
#
# Such a call counts as one instruction. What it executes, and the memory that it touches, is
# missing.


def unfollowed_calls(kernel: Kernel, places: Iterable[Place]) -> tuple[Assumption, ...]:
    """Assumption of each call that is not followed, by place; copies of one line count once."""
    found: dict[str, Assumption] = {}
    for place in sorted(places):
        told = _told(kernel, place)
        found.setdefault(told.text, told)
    return tuple(found.values())


def _told(kernel: Kernel, place: Place) -> Assumption:
    call = kernel.blocks[place[0]].instructions[place[1]]
    callee = callee_of(call) or "a function known at run time only"
    text = f"the call of {callee} is not followed; what it executes is missing"
    return Assumption(place[0], f"line {call.span.line}: {text}")
