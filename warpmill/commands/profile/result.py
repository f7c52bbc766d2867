"""What ``profile`` answers: exact counts of launches, and what collectors have found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from warpmill.commands.profile.launch import LaunchCountFacts, launch_counts, launch_marks
from warpmill.commands.profile.memory import RulesFigures, rules_figures
from warpmill.commands.run.result import summed
from warpmill.executor.collectors import COUNTS
from warpmill.report.base import Mark, Marks, Part, Report, marks
from warpmill.session.collectors import LoadedCollector
from warpmill.session.overhead import Overhead
from warpmill.session.profiles import Profiled
from warpmill.simulator.machines.model import Machine


class ProfileTotals(Part):
    """The launches of the report together; null where something was not counted."""

    launches: int
    warp_instructions: int
    thread_instructions: int
    predicated_on: int
    lane_utilization: float | None
    memory_requests: int | None
    marks: Marks


class CollectorResult(Part):
    """What a collector gave as its result; ``file`` null: it comes with warpmill.

    The collector was told exact counts; its figures are what it made of them, modelled where it
    simulates a machine.
    """

    name: str
    file: str | None
    result: Any
    """A text, a number, a list or an object; null: nothing."""
    marks: Marks


class OverheadFigures(Part):
    """CPU time of this computer, with collecting and without, over all launches of the target.

    ``ratio`` is that of execution, with what collectors take; null where there is none. Compiling
    kernels is apart: it happens once a kernel, however long that runs.
    """

    seconds: float
    plain_seconds: float
    ratio: float | None
    compile_seconds: float
    plain_compile_seconds: float
    marks: Marks


class ProfileReport(Report):
    """Exact profiles of the launches of a launch file, a kernel or a host program.

    ``counted`` is what was counted beside the executions of blocks. ``rules`` are null where
    memory was not counted, ``overhead`` where it was not asked for.
    """

    report: Literal["profile"] = "profile"
    target: str
    counted: list[str]
    rules: RulesFigures | None
    totals: ProfileTotals
    launches: list[LaunchCountFacts]
    collectors: list[CollectorResult]
    overhead: OverheadFigures | None


@dataclass(frozen=True)
class Shown:
    """What of a profile is reported, and how it came to be.

    ``machine`` is whose rules memory was counted by, None: no machine's. ``launch`` is the only
    launch to be reported, None: all are.
    """

    counted: frozenset[str] = frozenset(COUNTS)
    machine: Machine | None = None
    per_cta: bool = False
    launch: int | None = None


def profile_report(
    profiled: Profiled,
    shown: Shown | None = None,
    collectors: Sequence[LoadedCollector] = (),
    overhead: Overhead | None = None,
) -> ProfileReport:
    """Report the profiles of a run's launches. InputError for a result that cannot be shown."""
    shown = shown or Shown()
    launches, marked = [], launch_marks(shown.machine)
    for one, ran in zip(profiled.launches, profiled.run.launches, strict=True):
        if shown.launch in (None, one.index):
            loaded = ran.launched.kernel.loaded
            launches.append(launch_counts(one, loaded, marked, per_cta=shown.per_cta))
    rules = next((one.profile.rules for one in profiled.launches), None)
    return ProfileReport(
        target=profiled.run.target,
        counted=[count for count in COUNTS if count in shown.counted],
        rules=None if rules is None else rules_figures(rules, shown.machine),
        totals=_totals(launches),
        launches=launches,
        collectors=[_result(one) for one in collectors],
        overhead=None if overhead is None else _overhead(overhead),
    )


def _totals(launches: Sequence[LaunchCountFacts]) -> ProfileTotals:
    threads = sum(one.thread_instructions for one in launches)
    whole = sum(one.warp_instructions * one.warp_size for one in launches)
    return ProfileTotals(
        launches=len(launches),
        warp_instructions=sum(one.warp_instructions for one in launches),
        thread_instructions=threads,
        predicated_on=sum(one.predicated_on for one in launches),
        lane_utilization=threads / whole if whole else None,
        memory_requests=summed(one.memory_requests for one in launches),
        marks=marks(ProfileTotals, Mark.EXACT),
    )


def _result(loaded: LoadedCollector) -> CollectorResult:
    mark = Mark.MODELLED if loaded.is_model else Mark.EXACT
    return CollectorResult(
        name=loaded.name, file=loaded.file, result=loaded.result(), marks={"result": mark}
    )


def _overhead(found: Overhead) -> OverheadFigures:
    return OverheadFigures(
        seconds=found.collecting.seconds,
        plain_seconds=found.plain.seconds,
        ratio=found.ratio,
        compile_seconds=found.collecting.compile_seconds,
        plain_compile_seconds=found.plain.compile_seconds,
        marks=marks(OverheadFigures, Mark.EXACT),
    )
