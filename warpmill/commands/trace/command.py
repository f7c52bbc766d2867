"""``warpmill trace``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.opt import Opt
from warpmill.cli.options import coordinates
from warpmill.cli.output import emit, print_diagnostics, tell, working
from warpmill.session.options import LaunchOptions, Output, TargetOptions, TraceOptions

if TYPE_CHECKING:
    from warpmill.commands.trace.result import LaunchTrace
    from warpmill.session.jobs import Job
    from warpmill.session.traces import Saved, Traced

Cta = tuple[int, int, int]


def _cta(text: str) -> Cta:
    return coordinates("--cta", text)


@dataclass(frozen=True)
class CtaChoice:
    """CTAs that are summed: one, of which a warp is shown, some of the grid, or all."""

    cta: Annotated[
        Cta | None,
        Opt("Only this CTA; shows the trace of a warp.", metavar="X[,Y[,Z]]", text=str, read=_cta),
    ] = None
    warp: Annotated[
        int | None, Opt("Which warp of it (of CTA 0 without --cta).", metavar="N", least=0)
    ] = None
    ctas: Annotated[
        int | None,
        Opt("Sum so many CTAs, spread over the grid; 64 without it.", metavar="N", least=1),
    ] = None
    all_ctas: Annotated[bool, Opt("Sum every CTA of the grid.")] = False

    def __post_init__(self) -> None:
        if (self.one is not None) + (self.ctas is not None) + self.all_ctas > 1:
            raise UsageError("--cta with --warp, --ctas and --all-ctas exclude each other")

    @property
    def one(self) -> tuple[Cta, int] | None:
        """The CTA and the warp of it that is shown, where one is chosen."""
        if self.cta is None and self.warp is None:
            return None
        return self.cta or (0, 0, 0), self.warp or 0


@dataclass(frozen=True)
class SavingOptions:
    """Whether traces are saved, and in how many bytes at most."""

    save: Annotated[
        Path | None,
        Opt(
            "Save the traces, of the whole grid or of the CTAs named; --trace FILE takes them up. "
            "FOLDER/kernelslist.g: of all launches in Accel-Sim's form, to a new folder.",
            metavar="FILE",
            writes="later",
        ),
    ] = None
    max_trace_bytes: Annotated[
        int | None,
        Opt("Most bytes of a file of saved traces; 1073741824 without it.", metavar="N", least=1),
    ] = None


Compare = Annotated[
    bool, Opt("Show static traces beside executed ones: are they equal, what do they overshoot.")
]


def trace(
    source: TargetOptions,
    launch: LaunchOptions,
    trace: TraceOptions,
    choice: CtaChoice,
    saving: SavingOptions,
    output: Output,
    compare: Compare = False,
) -> None:
    """Show what the warps of a launch execute: instructions, lanes, memory traffic."""
    from warpmill.analyzer.traces.accelsim.writing import list_to_write  # noqa: PLC0415 - slow to load
    from warpmill.commands.trace.result import TraceReport  # noqa: PLC0415
    from warpmill.session.prepare import prepare_all  # noqa: PLC0415 - slow to load
    from warpmill.session.traces import save_accelsim  # noqa: PLC0415 - as above

    with working(f"tracing {source.target}"):
        listed = list_to_write(saving.save, whole=choice.one is None and choice.ctas is None)
        saving = saving if listed is None else replace(saving, save=None)
        jobs = prepare_all(source.target, source.kernel, launch, strict=source.strict)
        if saving.save is not None and len(jobs) > 1:
            names = ", ".join(job.required_launch().name for job in jobs)
            words = f"--save is for one launch, and {source.target} has {names}; name a kernel"
            raise UsageError(words)
        traced = [_traced(job, trace, choice, saving, compare) for job in jobs]
        if listed is not None:
            files = save_accelsim(jobs, [t.traced for t in traced], listed, saving.max_trace_bytes)
            traced = [replace(one, saved=file) for one, file in zip(traced, files, strict=True)]
    print_diagnostics(d for job in jobs for d in job.loaded.diagnostics)
    emit(TraceReport(launches=traced), output)


def _traced(
    job: Job,
    how: TraceOptions,
    choice: CtaChoice,
    saving: SavingOptions,
    compare: bool,
) -> LaunchTrace:
    from warpmill.commands.trace.result import launch_trace  # noqa: PLC0415
    from warpmill.session.traces import (  # noqa: PLC0415 - slow to load
        SAMPLED_CTAS,
        compare_with_executed,
        trace,
    )

    launch = job.required_launch()
    ends = how.ends()
    if saving.save is not None and len(ends) > 1:
        raise UsageError("--save is for one trace: --assume needs numbers there, not ranges")
    most, chosen, number = choice.ctas or SAMPLED_CTAS, None, None
    if choice.one is not None:
        cta, number = choice.one
        _check(cta, launch.grid)
        chosen = [cta]
    elif choice.all_ctas:
        most = launch.cta_count
    low, *high = [trace(job, end, ctas=chosen, most_ctas=most) for end in ends]
    warp = None
    if chosen is not None and number is not None:
        warps = low.source.warps(chosen[0])
        if number >= len(warps):
            last = len(warps) - 1
            raise UsageError(f"--warp {number}: a CTA of {launch.name} has warps 0 to {last}")
        warp = warps[number]
    saved = _saved(job, low, choice, saving)
    beside = compare_with_executed(job, how, chosen).comparison if compare else None
    return launch_trace(
        job, low, warp, saved, assumed=how.assumptions, high=next(iter(high), None), beside=beside
    )


def _saved(job: Job, traced: Traced, choice: CtaChoice, saving: SavingOptions) -> Saved | None:
    """Save the traces of the CTAs that were named, or of all."""
    path = saving.save
    if path is None:
        return None
    from warpmill.analyzer.traces.summary import sampled_ctas  # noqa: PLC0415 - only where traces are saved
    from warpmill.session.traces import save_traces  # noqa: PLC0415

    launch = job.required_launch()
    if choice.one is None:
        ctas: Sequence[Cta] = sampled_ctas(launch.grid, choice.ctas or launch.cta_count)
    else:
        ctas = [choice.one[0]]
    return save_traces(
        job,
        traced.source,
        path,
        ctas,
        max_bytes=saving.max_trace_bytes,
        before=lambda size: tell(f"{len(ctas)} CTAs, about {size:,} bytes, to {path}"),
    )


def _check(cta: Sequence[int], grid: Sequence[int]) -> None:
    if any(c >= g for c, g in zip(cta, grid, strict=True)):
        last = ",".join(str(g - 1) for g in grid)
        raise UsageError(f"--cta {','.join(map(str, cta))}: the grid's last CTA is {last}")
