"""What ``samples`` answers: the workloads there are, or one in full."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from typing import Annotated, ClassVar, Literal, NamedTuple, get_args

from warpmill.analyzer.base.metric import INTERNAL, Metric, derived
from warpmill.report.base import Mark, Part, Report
from warpmill.session.workload_runs import PresetFigures, read_figures
from warpmill.session.workloads import Area, Size, Workload, WorkloadForm


class PresetSummary(Part):
    """A preset with its sizes. What it executes is null where it was not counted yet."""

    mark: ClassVar[Mark] = Mark.EXACT

    preset: str
    sizes: Mapping[str, Size]
    executed: PresetFigures | None


class ListedWorkload(Part):
    """A workload: what its ``workload.toml`` says, its builds and its presets."""

    mark: ClassVar[Mark] = Mark.EXACT

    workload: Annotated[Workload, INTERNAL]
    presets: tuple[PresetSummary, ...]

    @derived("Workload")
    def name(self) -> str:
        """Its name."""
        return self.workload.name

    @derived("Description")
    def form(self) -> WorkloadForm:
        """What it is, whose, for which papers, and what these state of it."""
        return self.workload.form

    @derived("Builds")
    def builds(self) -> tuple[str, ...]:
        """What its modules are made for."""
        return self.workload.builds


class AreaWorkloads(NamedTuple):
    """The workloads of an area."""

    area: str
    samples: tuple[ListedWorkload, ...]


class SamplesReport(Report):
    """The workloads that come with warpmill, by area and name."""

    report: Literal["samples"] = "samples"
    samples: Annotated[tuple[ListedWorkload, ...], Metric("Workloads")]

    @property
    def areas(self) -> list[AreaWorkloads]:
        """The workloads area by area."""
        by_area = groupby(self.samples, key=lambda one: one.form.area)
        return [AreaWorkloads(area, tuple(each)) for area, each in by_area]


def samples_report(workloads: Mapping[str, Workload]) -> SamplesReport:
    """The report of some workloads, area by area."""
    areas = get_args(Area)
    ordered = sorted(workloads.values(), key=lambda w: (areas.index(w.form.area), w.name))
    return SamplesReport(samples=tuple(map(_listed, ordered)))


def _listed(workload: Workload) -> ListedWorkload:
    figures = read_figures(workload)
    presets = (
        PresetSummary(preset=name, sizes=workload.preset(name), executed=figures.get(name))
        for name in workload.presets
    )
    return ListedWorkload(workload=workload, presets=tuple(presets))
