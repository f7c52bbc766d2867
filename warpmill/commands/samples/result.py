"""What ``samples`` answers: the workloads there are, one in full, one run and checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, get_args

from warpmill.checks import Check
from warpmill.report.base import Mark, Part, Report
from warpmill.session.workload_runs import (
    PresetFigures,
    WorkloadRun,
    kernel_totals,
    read_figures,
)
from warpmill.session.workloads import Area, Workload


class PresetSummary(Part):
    """A preset with its sizes. What it executes is null where it was not counted yet."""

    preset: str
    sizes: dict[str, int | float | str | bool]
    executed: PresetFigures | None

    mark: ClassVar[Mark] = Mark.EXACT


class PaperClaims(Part):
    """What a paper states of the workload: for tbpoint of its main kernel, for stargazer of all."""

    paper: str
    launches: int | None
    ctas: int | None
    kernel_type: Literal["I", "II"] | None
    problem: str | None
    threads_per_block: int | None
    thread_instructions: int | None
    kernels: dict[str, str]

    mark: ClassVar[Mark] = Mark.EXACT


class ListedWorkload(Part):
    """A workload: what it is, whose, for which papers, and its presets."""

    name: str
    title: str
    area: str
    suite: str
    papers: list[str]
    builds: list[str]
    main_kernel: str
    checked_by: str
    left_out: str
    claims: list[PaperClaims]
    presets: list[PresetSummary]


class SamplesReport(Report):
    """The workloads that come with warpmill, by area and name."""

    report: Literal["samples"] = "samples"
    samples: list[ListedWorkload]


class SampleRunReport(Report):
    """A workload that was run and checked. Seconds are of this computer."""

    report: Literal["samples-run"] = "samples-run"
    target: str
    device: str
    sizes: dict[str, int | float | str | bool]
    executed: PresetFigures
    checks: tuple[Check, ...]
    passed: bool
    seconds: Mapping[str, float]

    mark: ClassVar[Mark] = Mark.EXACT


def samples_report(workloads: Mapping[str, Workload]) -> SamplesReport:
    """The report of some workloads, area by area."""
    areas = get_args(Area)
    ordered = sorted(workloads.values(), key=lambda w: (areas.index(w.form.area), w.name))
    return SamplesReport(samples=[_sample(workload) for workload in ordered])


def _sample(workload: Workload) -> ListedWorkload:
    form, figures = workload.form, read_figures(workload)
    return ListedWorkload(
        name=workload.name,
        title=form.title,
        area=form.area,
        suite=form.suite,
        papers=list(form.papers),
        builds=list(workload.builds),
        main_kernel=form.main_kernel,
        checked_by=form.checked_by,
        left_out=" ".join(form.left_out.split()),
        claims=_claims(workload),
        presets=[_preset(workload, name, figures.get(name)) for name in workload.presets],
    )


def _preset(workload: Workload, name: str, figures: PresetFigures | None) -> PresetSummary:
    return PresetSummary(
        preset=name,
        sizes=workload.preset(name),
        executed=figures,
    )


def _claims(workload: Workload) -> list[PaperClaims]:
    paper = workload.form.paper
    empty = dict.fromkeys(
        ("launches", "ctas", "kernel_type", "problem", "threads_per_block", "thread_instructions")
    )
    found: list[tuple[str, dict[str, Any]]] = []
    if paper.hybrid is not None:
        found.append(("hybrid", {"kernels": paper.hybrid.kernels}))
    if paper.tbpoint is not None:
        facts = paper.tbpoint.model_dump()
        found.append(("tbpoint", {"kernel_type": facts.pop("type"), **facts}))
    if paper.stargazer is not None:
        found.append(("stargazer", paper.stargazer.model_dump()))
    return [
        PaperClaims(**{"paper": name, "kernels": {}, **empty, **claims}) for name, claims in found
    ]


def sample_run_report(done: WorkloadRun) -> SampleRunReport:
    """The report of a workload that was run."""
    return SampleRunReport(
        target=done.target.title,
        device=done.run.device,
        sizes=dict(done.sizes),
        executed=kernel_totals(done.run.launches),
        checks=done.checks,
        passed=done.passed,
        seconds=done.seconds,
    )
