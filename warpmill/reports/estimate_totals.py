"""Part of ``estimate``: all launches together, as they would run one after another."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from warpmill.reports.assumed import FigureRange
from warpmill.reports.base import Id, Mark, Marks, Part, marks
from warpmill.reports.estimate_parts import EstimateRanges, MachineEstimate

if TYPE_CHECKING:
    from warpmill.reports.estimate import LaunchEstimates


class LaunchShare(Part):
    """A launch and its share of the time of all; ``number`` is that in an application, from 0."""

    kernel: str
    launch: str
    number: Id | None
    time_us: float
    fraction: float | None


class KernelShare(Part):
    """The launches of one kernel and their share of the time of all."""

    kernel: str
    launches: int
    time_us: float
    fraction: float | None


class TotalEstimate(Part):
    """All launches on one machine, one after another: sums of their times.

    ``not_estimated`` launches have no estimate there, and are in no sum. ``time_range_us`` has both
    ends where a range was assumed of a launch; all other figures are of the low ends. ``kernels``
    and ``by_launch`` have those that take longest first.
    """

    machine: str
    launches: int
    not_estimated: int
    time_us: float
    time_range_us: FigureRange | None
    execution_us: float
    launch_us: float
    kernels: list[KernelShare]
    by_launch: list[LaunchShare]
    marks: Marks


class _One(NamedTuple):
    """The estimate of a launch on the machine."""

    launch: LaunchEstimates
    estimate: MachineEstimate


def totals(launches: Sequence[LaunchEstimates]) -> list[TotalEstimate]:
    """Sum up the launches on each machine, in the order in which machines first come."""
    machines = dict.fromkeys(e.machine for launch in launches for e in launch.estimates)
    return [_total(machine, launches) for machine in machines]


def _total(machine: str, launches: Sequence[LaunchEstimates]) -> TotalEstimate:
    found = [
        _One(launch, estimate)
        for launch in launches
        for estimate in launch.estimates
        if estimate.machine == machine
    ]
    whole = math.fsum(one.estimate.time_us for one in found)
    return TotalEstimate(
        machine=machine,
        launches=len(found),
        not_estimated=len(launches) - len(found),
        time_us=whole,
        time_range_us=_range([one.estimate for one in found]),
        execution_us=math.fsum(one.estimate.execution_us for one in found),
        launch_us=math.fsum(one.estimate.launch_us for one in found),
        kernels=_kernels(found, whole),
        by_launch=sorted((_launch(one, whole) for one in found), key=lambda x: -x.time_us),
        marks=marks(
            TotalEstimate,
            Mark.MODELLED,
            launches=Mark.EXACT,
            not_estimated=Mark.EXACT,
            time_range_us=Mark.ASSUMED,
            kernels__launches=Mark.EXACT,
        ),
    )


def _range(estimates: Sequence[MachineEstimate]) -> FigureRange | None:
    """Add up both ends; a launch without a range has one time."""
    if all(one.ranges is None for one in estimates):
        return None
    times = [(e.time_us, e.time_us) if e.ranges is None else _ends(e.ranges) for e in estimates]
    return FigureRange(
        low=math.fsum(low for low, _ in times), high=math.fsum(high for _, high in times)
    )


def _ends(ranges: EstimateRanges) -> tuple[float, float]:
    return ranges.time_us.low, ranges.time_us.high


def _launch(one: _One, whole: float) -> LaunchShare:
    place, time = one.launch.launch.place, one.estimate.time_us
    return LaunchShare(
        kernel=one.launch.kernel.demangled,
        launch=one.launch.launch.name,
        number=None if place is None else place.number,
        time_us=time,
        fraction=_share(time, whole),
    )


def _kernels(found: Iterable[_One], whole: float) -> list[KernelShare]:
    times: dict[str, list[float]] = {}
    for one in found:
        times.setdefault(one.launch.kernel.demangled, []).append(one.estimate.time_us)
    kernels = (
        KernelShare(
            kernel=kernel,
            launches=len(each),
            time_us=math.fsum(each),
            fraction=_share(math.fsum(each), whole),
        )
        for kernel, each in times.items()
    )
    return sorted(kernels, key=lambda kernel: -kernel.time_us)


def _share(time: float, whole: float) -> float | None:
    return time / whole if whole else None
