"""A job's static traces beside what it executes with its data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from warpmill.analyzer.traces.comparison import TraceComparison, compare_traces
from warpmill.analyzer.traces.model import Assumption
from warpmill.analyzer.traces.source import StaticSource
from warpmill.analyzer.traces.static.batch import Triple
from warpmill.analyzer.traces.static.walk import WalkLimits
from warpmill.analyzer.traces.summary import sampled_ctas
from warpmill.session.executed import executed_source
from warpmill.session.jobs import Job
from warpmill.session.traces import TraceOptions

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
    options = options or TraceOptions()
    launch = job.required_launch()
    chosen = sampled_ctas(launch.grid, COMPARED_CTAS) if ctas is None else ctas
    executed = executed_source(job, max_instructions=options.max_instructions)
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
