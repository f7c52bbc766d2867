"""Part of ``explain``: the lines of all launches together, as they would run one after another."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from warpmill.reports.assumed import FigureRange
from warpmill.reports.base import Mark, Marks, Part, marks
from warpmill.reports.facts import Place

if TYPE_CHECKING:
    from warpmill.reports.explain import LaunchExplanation, LineTime, MachineExplanation


class TotalLine(Part):
    """A line and its share of the execution of all launches; ``launches`` execute it.

    ``kernels`` are those that have it; ``text`` is null where the line is not at hand.
    ``time_range_us`` has both ends where a range was assumed of a launch; other figures are of the
    low ends.
    """

    place: Place
    text: str | None
    time_fraction: float
    time_us: float
    time_range_us: FigureRange | None
    warp_instructions: float
    kernels: list[str]
    launches: int


class TotalExplanation(Part):
    """All launches on one machine: sums of their times, and the lines that take longest first.

    ``time_range_us`` as in ``TotalLine``.
    """

    machine: str
    machine_name: str
    launches: int
    time_us: float
    time_range_us: FigureRange | None
    execution_us: float
    launch_us: float
    lines: list[TotalLine]
    marks: Marks


class _One(NamedTuple):
    """A line of a launch."""

    kernel: str
    line: LineTime


def totals(launches: Sequence[LaunchExplanation]) -> list[TotalExplanation]:
    """Put the lines of launches together on each machine, in the order of the machines."""
    machines = dict.fromkeys(one.machine for launch in launches for one in launch.machines)
    return [_total(list(_on(launches, machine))) for machine in machines]


def _on(
    launches: Sequence[LaunchExplanation], machine: str
) -> Iterator[tuple[str, MachineExplanation]]:
    for launch in launches:
        for one in launch.machines:
            if one.machine == machine:
                yield launch.kernel.demangled, one


def _total(found: Sequence[tuple[str, MachineExplanation]]) -> TotalExplanation:
    (_, first), ones = found[0], [one for _, one in found]
    execution = math.fsum(one.execution_us for one in ones)
    groups: dict[tuple[str, int], list[_One]] = {}
    for kernel, one in found:
        for line in one.lines:
            groups.setdefault((line.place.file, line.place.line), []).append(_One(kernel, line))
    lines = (_line(own, execution) for own in groups.values())
    return TotalExplanation(
        machine=first.machine,
        machine_name=first.machine_name,
        launches=len(ones),
        time_us=math.fsum(one.time_us for one in ones),
        time_range_us=_range(ones),
        execution_us=execution,
        launch_us=math.fsum(one.launch_us for one in ones),
        lines=sorted(lines, key=lambda line: -_most(line)),
        marks=_marks([one.marks for one in ones]),
    )


def _line(own: Sequence[_One], execution: float) -> TotalLine:
    time = math.fsum(one.line.time_us for one in own)
    return TotalLine(
        place=own[0].line.place,
        text=own[0].line.text,
        time_fraction=time / execution if execution else 0.0,
        time_us=time,
        time_range_us=_range([one.line for one in own]),
        warp_instructions=math.fsum(one.line.warp_instructions for one in own),
        kernels=list(dict.fromkeys(one.kernel for one in own)),
        launches=len(own),
    )


def _range(each: Sequence[MachineExplanation] | Sequence[LineTime]) -> FigureRange | None:
    """Add up both ends; what has no range has one time."""
    if all(one.ranges is None for one in each):
        return None
    ends = [
        FigureRange(low=one.time_us, high=one.time_us) if one.ranges is None else one.ranges.time_us
        for one in each
    ]
    return FigureRange(
        low=math.fsum(end.low for end in ends), high=math.fsum(end.high for end in ends)
    )


def _most(line: TotalLine) -> float:
    ends = line.time_range_us
    return line.time_us if ends is None else max(ends.low, ends.high)


_WORSE = (Mark.EXACT, Mark.SAMPLED, Mark.ASSUMED)
"""Of counts that are added up the last of these tells how the sum was come by."""


def _marks(each: Sequence[Mapping[str, Mark]]) -> dict[str, Mark]:
    counted = max((own["lines.warp_instructions"] for own in each), key=_WORSE.index)
    return marks(
        TotalExplanation,
        Mark.MODELLED,
        launches=Mark.EXACT,
        lines__launches=Mark.EXACT,
        lines__warp_instructions=counted,
        time_range_us=Mark.ASSUMED,
        lines__time_range_us=Mark.ASSUMED,
    )
