"""Traces of jobs: where they come from, what they add up to, files of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar, Unpack

from warpmill.analyzer.base.diagnostics import (
    DataError,
    InputError,
    LimitError,
    UsageError,
    WarpmillError,
)
from warpmill.analyzer.base.metric import INTERNAL, Mark, Metric, derived
from warpmill.analyzer.launch import Launch
from warpmill.analyzer.launch.numbering import CONSTANT_BASE
from warpmill.analyzer.memory.rules import MemoryRules
from warpmill.analyzer.traces.event_batch import texel_points
from warpmill.analyzer.traces.model import Assumption, endless, weighted_visits
from warpmill.analyzer.traces.source import StaticSource, TraceSource
from warpmill.analyzer.traces.static.constraints import Triple
from warpmill.analyzer.traces.static.walk import WalkLimits
from warpmill.analyzer.traces.summary import TraceSummary, sampled_ctas, summarise
from warpmill.session.data import data_are_given, data_decide, data_digest
from warpmill.session.jobs import Job
from warpmill.session.options import KernelKeywords, TraceOptions
from warpmill.session.prepare import job_of

if TYPE_CHECKING:
    from warpmill.analyzer.traces.accelsim.writing import TracedLaunch
    from warpmill.analyzer.traces.comparison import TraceComparison
    from warpmill.analyzer.traces.event_batch import EventBatch
    from warpmill.analyzer.traces.outcomes import BranchOutcome
    from warpmill.session.executed import FileDevice


SAMPLED_CTAS = 64
"""CTAs whose traces are summed for a summary, where the grid has more."""

MOST_CTAS = 1 << 24
"""CTAs whose traces are summed or saved one by one."""


def trace_source(
    job: Job | str | Path, options: TraceOptions | None = None, device: FileDevice | None = None
) -> TraceSource:
    """Choose where a job's traces come from.

    ``auto`` is static where no data decide what executes or where and no texels are touched, whose
    addresses static traces do not tell; else executed where the launch says what its buffers hold,
    else static with what it assumes listed. ``assume`` asks for static ones. Launches of one file
    that are all executed share a ``device``. InputError for a file of traces that does not fit, and
    where executed ones were asked for and the kernel cannot be executed; DataError where it is
    executed and what its buffers are filled with does not fit.
    """
    job, options = job_of(job), options or TraceOptions()
    if job.traced is not None and options.source in ("auto", "static", "executed"):
        _refuse_assumed(options)
        if options.source != "auto":
            job.refuse_traced(f"for --trace {options.source}")
        return job.traced
    if options.source == "executed":
        _refuse_assumed(options)
        return _executed(job, options, "asked for", device)
    if options.source == "static":
        return _static(job, options, "asked for")
    if options.source != "auto":
        return _saved_source(job, options)
    if options.assume:
        return _static(job, options, "--assume says what data would decide")
    probe = replace(options, max_visits=min(options.max_visits, ANALYSIS_VISITS))
    static = _static(job, probe, None)
    why = data_decide(static)
    if why is None and texel_points(job.kernel):
        why = "static traces do not tell where texels lie"
    if why is None:
        static.walk_up_to(WalkLimits(options.max_visits))
        return static
    if not data_are_given(job):
        return _static(job, options, f"{why}; the launch does not say what its buffers hold")
    try:
        return _executed(job, options, why, device)
    except DataError:
        raise
    except InputError as error:
        return _static(job, options, f"{why}; {error.diagnostics[0].message}")


def _executed(
    job: Job, options: TraceOptions, reason: str, device: FileDevice | None
) -> TraceSource:
    from warpmill.session.executed import executed_source  # noqa: PLC0415 - LLVM is slow to load

    return executed_source(job, reason, options.max_instructions, device)


def _static(job: Job, options: TraceOptions, reason: str | None) -> StaticSource:
    return StaticSource(
        job.loaded.module,
        job.analysis.structure,
        job.required_launch(),
        assume=options.trips(),
        limits=WalkLimits(options.max_visits),
        reason=reason,
        plan=job.analysis.plan,
    )


def _saved_source(job: Job, options: TraceOptions) -> TraceSource:
    from warpmill.analyzer.traces.files import FileSource  # noqa: PLC0415 - only for saved traces

    _refuse_assumed(options)
    path, launch = Path(options.source), job.required_launch()
    return FileSource(path, job.loaded.module, job.kernel, launch, data_digest(job))


def _refuse_assumed(options: TraceOptions) -> None:
    if options.assume:
        raise UsageError("--assume is for traces without data: leave it out, or use --trace static")


@dataclass(frozen=True)
class Saved:
    """A file of traces: of how many CTAs, and its size as it was foretold and as it is."""

    marked_as_one: ClassVar[bool] = True

    file: Path
    ctas: Annotated[int, Metric("CTAs", "CTA")]
    bytes_foretold: Annotated[int, Metric("Estimated size", "B")]
    bytes: Annotated[int, Metric("Size", "B")]


def save_traces(
    job: Job,
    source: TraceSource,
    path: str | Path,
    ctas: Sequence[Triple],
    *,
    max_bytes: int | None = None,
    before: Callable[[int], None] | None = None,
) -> Saved:
    """Save the traces of some CTAs to a file, whole or not at all.

    ``before`` is told the size that the file will have, about, before anything is written.
    LimitError where that, or what comes to be written, is more than ``max_bytes``.
    """
    from warpmill.analyzer.traces.files import (  # noqa: PLC0415 - only where traces are saved
        MAX_TRACE_BYTES,
        header_of,
        predicted_bytes,
        write_traces,
    )

    _check_number(ctas)
    limit = MAX_TRACE_BYTES if max_bytes is None else max_bytes
    foretold = predicted_bytes(source, ctas)
    if before is not None:
        before(foretold)
    if foretold > limit:
        raise LimitError(
            f"the traces of {len(ctas)} CTAs would take about {foretold} bytes, more than {limit}; "
            "raise the limit with --max-trace-bytes, or save fewer with --ctas"
        )
    warp_size = job.loaded.module.warp_size
    launch = job.required_launch()
    size = write_traces(
        Path(path), source, ctas, lambda: header_of(source, launch, warp_size), limit
    )
    return Saved(Path(path), len(ctas), foretold, size)


@dataclass(frozen=True)
class Traced:
    """The traces of a launch summed up, over all or some of the grid's ``ctas_total`` CTAs.

    ``assumptions`` are what data decide and the static walk assumed. ``grid_`` figures are for the
    whole launch, scaled where not all CTAs were summed. ``pruned``: only the instructions that the
    hybrid paper keeps are counted.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    summary: TraceSummary
    ctas_total: Annotated[int, Metric("CTAs", "CTA")]
    assumptions: Annotated[tuple[str, ...], Metric("Assumptions")]
    source: Annotated[TraceSource, INTERNAL]
    reason: Annotated[str, Metric("Reason")]
    pruned: Annotated[bool, Metric("Pruned")] = False

    @derived("Trace")
    def trace(self) -> str:
        """Source of the traces."""
        return self.source.kind

    @derived("Warp instructions, whole launch", "inst")
    def grid_warp_instructions(self) -> int:
        """Those of all CTAs."""
        return round(self.summary.warp_instructions * self._scale)

    @derived("Thread instructions, whole launch", "thread inst")
    def grid_thread_instructions(self) -> int:
        """Those of all CTAs."""
        return round(self.summary.thread_instructions * self._scale)

    @property
    def _scale(self) -> Fraction:
        return Fraction(self.ctas_total, self.summary.ctas)

    @property
    def counted(self) -> Mark:
        """How far counts of the CTAs summed can be trusted."""
        return Mark.ASSUMED if self.assumptions else Mark.EXACT

    def mark_exceptions(self) -> Mapping[str, Mark]:
        """Counts of the CTAs summed are exact; what stands for the grid is sampled where not all.

        What was assumed stays assumed when it is scaled: that is the weaker ground.
        """
        is_part = self.summary.ctas < self.ctas_total and not self.assumptions
        names = ("warp_instructions", "thread_instructions", "lane_utilization", "classes")
        return {
            **dict.fromkeys((f"summary.{name}" for name in names), self.counted),
            "grid_warp_instructions": Mark.SAMPLED if is_part else self.counted,
            "grid_thread_instructions": Mark.SAMPLED if is_part else self.counted,
        }

    @property
    def is_exact(self) -> bool:
        """Whether every CTA was summed and nothing assumed."""
        return self.summary.ctas == self.ctas_total and not self.assumptions


def trace(
    job: Job | str | Path,
    options: TraceOptions | None = None,
    *,
    ctas: Sequence[Triple] | None = None,
    most_ctas: int = SAMPLED_CTAS,
    rules: MemoryRules | None = None,
    **keywords: Unpack[KernelKeywords],
) -> Traced:
    """Make a launch's warp traces and sum them up: those of ``ctas``, else of an even sample.

    A launch file, or another target with one launch, is prepared as ``prepare`` does, with the
    same keywords: ``trace("launch.toml", sizes={"n": 512})``.

    The sample has ``most_ctas`` at most, spread over the grid; of saved traces it is of those that
    there are. ``rules`` are how accesses are counted: sectors of 32 B and 32 banks of 4 B without
    them. InputError as ``trace_source``; LimitError where a static walk or executing takes more
    than the options allow.
    """
    job = job_of(job, **keywords)
    source = trace_source(job, options)
    launch = job.required_launch()
    chosen = ctas if ctas is not None else _sampled(source, launch, most_ctas)
    _check_number(chosen)
    spaces = {(a.block, a.instruction): a.space for a in job.analysis.accesses}
    warp_size = job.loaded.module.warp_size
    keeping = job.kept if options is not None and options.pruned else None
    how = (warp_size, rules or MemoryRules(), spaces, keeping)
    batches = source.batches(chosen)
    if batches is not None:
        from warpmill.analyzer.traces.batch_summary import (  # noqa: PLC0415 - numba is slow to load
            summarise_batches,
        )

        summary = summarise_batches(job.kernel, batches, *how)
    else:
        parts = (chosen[i : i + SAMPLED_CTAS] for i in range(0, len(chosen), SAMPLED_CTAS))
        warps = chain.from_iterable(source.many(part) for part in parts)
        summary = summarise(job.kernel, warps, *how)
    check_used(job, source, options)
    texts = [a.text if a.hint is None else f"{a.text} ({a.hint})" for a in source.assumptions]
    beyond = endless(summary.warp_instructions * launch.cta_count // max(1, summary.ctas))
    texts += [] if beyond is None else [beyond]
    return Traced(
        summary, launch.cta_count, tuple(texts), source, source.reason, pruned=keeping is not None
    )


def save_accelsim(
    jobs: Sequence[Job],
    traced: Sequence[Traced],
    path: str | Path,
    max_bytes: int | None = None,
) -> tuple[Saved, ...]:
    """Write the traces of jobs that were summed, of their whole grids, in Accel-Sim's form.

    ``path`` is the list of them, in a folder that is empty, or is made.
    UsageError for what the form has no room for and a folder that cannot be written, LimitError
    where what would come to be written, or comes to be, is more than ``max_bytes``.
    """
    from warpmill.analyzer.traces.accelsim.writing import write_accelsim  # noqa: PLC0415 - seldom needed
    from warpmill.analyzer.traces.files import MAX_TRACE_BYTES  # noqa: PLC0415
    from warpmill.version import __version__  # noqa: PLC0415

    limit = MAX_TRACE_BYTES if max_bytes is None else max_bytes
    foretold: list[int] = []

    def told() -> Iterator[TracedLaunch]:
        for job, summed in zip(jobs, traced, strict=True):
            one = _in_accelsim_form(job, summed.source)
            first = next(_events(job, summed.source, [(0, 0, 0)]))
            foretold.append(one.predicted_bytes(first))
            if sum(foretold) > limit:
                raise LimitError(
                    f"the traces would take about {sum(foretold):,} bytes, more than {limit:,}; "
                    "raise the limit with --max-trace-bytes, or trace a smaller launch"
                )
            yield one

    written = write_accelsim(Path(path), told(), limit, __version__)
    pairs = zip(written, foretold, strict=True)
    return tuple(Saved(one.file, one.ctas, guess, one.size_bytes) for one, guess in pairs)


def _in_accelsim_form(job: Job, source: TraceSource) -> TracedLaunch:
    from warpmill.analyzer.traces.accelsim.writing import (  # noqa: PLC0415 - as above
        TracedLaunch,
        check_writable,
        whole_grid,
    )

    if job.traced is not None:
        raise UsageError(f"{job.loaded.path} is a trace of Accel-Sim already")
    check_writable(job.loaded.module.warp_size)
    launch, layout = job.required_launch(), source.layout
    return TracedLaunch(
        kernel=job.kernel,
        launch=launch,
        target=job.loaded.module.target,
        shared_bytes=layout.shared_bytes + launch.dynamic_shared_bytes,
        registers=job.analysis.live_registers,
        regions=[r for r in layout.regions if r.start < CONSTANT_BASE],
        batches=_events(job, source, whole_grid(launch)),
    )


def _events(job: Job, source: TraceSource, ctas: Iterable[Triple]) -> Iterator[EventBatch]:
    from warpmill.analyzer.traces.unfolding import unfolded  # noqa: PLC0415 - as above
    from warpmill.simulator.gpu.options import Options  # noqa: PLC0415

    launch = job.required_launch()
    return unfolded(
        source,
        ctas,
        grid=launch.grid,
        warp_size=job.loaded.module.warp_size,
        max_events=Options().max_trace_events,
        accesses=job.analysis.accesses,
    )


def check_used(job: Job, source: TraceSource, options: TraceOptions | None) -> None:
    """Refuse trips of a loop that the launch decides after all, once traces are made. UsageError.

    Bounds cannot tell every such loop. One that no warp of the CTA looked at comes to is let be.
    """
    hints = [a.hint for a in source.assumptions if a.hint is not None]
    names = () if options is None else tuple(options.assume)
    unused = [n for n in names if not any(hint.startswith(f"--assume '{n}=") for hint in hints)]
    if not unused:
        return
    cta = sampled_ctas(job.required_launch().grid, 1)[0]
    visited = {v.block for w in source.warps(cta) for v, _ in weighted_visits(w.nodes)}
    headers = {job.kernel.blocks[b.header].label: b.header for b in job.analysis.bounds}
    for name in unused:
        if headers.get(name) in visited:
            raise UsageError(
                f"--assume {name}=…: the launch decides how often loop {name} runs; leave it out"
            )


def _check_number(ctas: Sequence[Triple]) -> None:
    """Refuse so many CTAs that going through them one by one would take hours."""
    if len(ctas) > MOST_CTAS:
        raise LimitError(
            f"{len(ctas):,} CTAs are more than the {MOST_CTAS:,} that are traced one by one; "
            "take an even choice with --ctas N"
        )


def _sampled(source: TraceSource, launch: Launch, most: int) -> Sequence[Triple]:
    there = source.ctas
    if there is None or len(there) == launch.cta_count:
        return sampled_ctas(launch.grid, most)
    count = min(most, len(there))
    return tuple(there[(2 * i + 1) * len(there) // (2 * count)] for i in range(count))


@dataclass(frozen=True)
class CtaOutcomes:
    """Outcomes of the branches of one CTA, by block; ``assumed``: data decide some of them."""

    cta: Triple
    by_block: Mapping[int, BranchOutcome]
    assumed: bool


@dataclass(frozen=True)
class Dynamic:
    """Results of static traces for an analysis, or the reason why there are none.

    ``executions`` are by block, by the warps of the whole launch.
    """

    executions: tuple[int, ...] | None
    is_sampled: bool
    outcomes: CtaOutcomes | None
    assumptions: tuple[str, ...]
    reason: str | None


ANALYSIS_VISITS = 6_000
"""Block visits that an analysis walks for its figures of a launch: some seconds."""


def dynamic_facts(job: Job, options: TraceOptions | None = None) -> Dynamic:
    """Count block executions and the outcomes of branches in a job's launch, without data.

    Where that would take more than ``ANALYSIS_VISITS``, the result says so instead.
    """
    options = replace(options or TraceOptions(), max_visits=ANALYSIS_VISITS, source="static")
    if job.launch is None:
        return Dynamic(None, False, None, (), "no launch was given")
    if job.traced is not None:
        return Dynamic(None, False, None, (), "the input is a trace; `warpmill trace` sums it up")
    try:
        traced = trace(job, options)
        source = traced.source
        assert isinstance(source, StaticSource)
        first = (0, 0, 0)
        by_block = {o.block: o for o in source.outcomes(first)}
    except LimitError:
        why = f"the warps part too often: more than {ANALYSIS_VISITS:,} blocks would be walked"
        return Dynamic(None, False, None, (), f"{why}; `warpmill trace` walks more")
    except UsageError:
        raise
    except WarpmillError as error:
        return Dynamic(None, False, None, (), "; ".join(d.message for d in error.diagnostics))
    scale = traced.ctas_total / traced.summary.ctas
    return Dynamic(
        tuple(round(n * scale) for n in traced.summary.block_executions),
        traced.summary.ctas < traced.ctas_total,
        CtaOutcomes(first, by_block, bool(traced.assumptions)),
        traced.assumptions,
        None,
    )


# A job's static traces beside what it executes with its data.

COMPARED_CTAS = 16
"""CTAs that are compared, spread over the grid, where nothing else is said."""


@dataclass(frozen=True)
class BesideExecuted:
    """Static traces beside executed ones, and what the static ones had to assume."""

    comparison: TraceComparison
    assumed: tuple[Assumption, ...]


def compare_with_executed(
    job: Job, options: TraceOptions | None = None, ctas: Sequence[Triple] | None = None
) -> BesideExecuted:
    """Compare static traces of some CTAs, made with ``options``, with executed ones.

    InputError where the kernel cannot be executed, ExecutionFault and LimitError.
    """
    from warpmill.analyzer.traces.comparison import compare_traces  # noqa: PLC0415 - seldom needed

    options = options or TraceOptions()
    launch = job.required_launch()
    chosen = sampled_ctas(launch.grid, COMPARED_CTAS) if ctas is None else ctas
    executed = _executed(job, options, "asked for", None)
    static = StaticSource(
        job.loaded.module,
        job.analysis.structure,
        launch,
        assume=options.trips(),
        limits=WalkLimits(options.max_visits),
        layout=executed.layout,
    )
    pairs = zip(static.many(chosen), executed.many(chosen), strict=True)
    compared = compare_traces(job.kernel, pairs)
    return BesideExecuted(compared, static.assumptions)
