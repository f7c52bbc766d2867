"""Measuring of benchmarks/static: analyses and traces of the samples, and loops by hand."""

from __future__ import annotations

import tempfile
import time
import timeit
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from statistics import median

from warpmill.analyzer.analyses.access.launch_costs import launch_costs
from warpmill.analyzer.traces.files import header_of, write_traces
from warpmill.analyzer.traces.model import WarpTrace, events
from warpmill.analyzer.traces.source import StaticSource
from warpmill.analyzer.traces.summary import GridCtas, summarise
from warpmill.benchmarks.benchmark import ROOT, Request, say
from warpmill.benchmarks.checks import Found, checked, measured
from warpmill.benchmarks.static import AnalysedKernel, StaticResult, TracedLaunch
from warpmill.benchmarks.static.registers import register_pairs, spill_cases
from warpmill.commands.analyze.result import analyze_report
from warpmill.session.jobs import Job
from warpmill.session.prepare import prepare_all

THREADS = 100_000
UNFOLDED = 20_000
"""Events that are unfolded one by one, as the reference."""
REPEATS, QUICK_REPEATS = 5, 1


def measure(request: Request) -> StaticResult:
    """Check and measure what is asked for."""
    return StaticResult(**measured(request.chosen(PARTS), PARTS, request.quick))


def _loops(quick: bool) -> Found:
    """Triangular loops, counted by traces and told by bounds, beside totals by hand."""
    from tests.reference.sample_loops import triangular_exact  # noqa: PLC0415 - of checkouts only

    rows = triangular_exact(quick)
    wrong = [f"{r.artefact} {r.kernel} {r.counter}: {r.found}, by hand {r.expected}"
             for r in rows if not r.exact]  # fmt: skip
    return checked("triangular_loops_exact", "triangular loops", len(rows), wrong)


def jobs(pattern: str) -> Iterator[Job]:
    """The launches of all samples' launch files of a name."""
    for path in sorted((ROOT / "samples").glob(f"*/{pattern}")):
        yield from prepare_all(path)


def analysis_rows(quick: bool) -> Found:
    """Time all analyses on the samples' PTX by nvcc and LLVM IR by clang, each kernel once."""
    found: dict[tuple[str, str], AnalysedKernel] = {}
    for pattern in ("launch.toml", "launch.bc.toml"):
        for job in jobs(pattern):
            key = (Path(job.loaded.path).name, job.kernel.name)
            if key not in found:
                found[key] = _analysed(job, QUICK_REPEATS if quick else REPEATS)
    return {"analysis_rows": tuple(found.values())}


def _analysed(job: Job, repeats: int) -> AnalysedKernel:
    """Time what ``analyze`` shows of a kernel, and beside it what its accesses cost in a launch."""
    analysis, module, launch = job.analysis, job.loaded.module, job.required_launch()
    bounds, accesses = analysis.bounds, analysis.accesses
    alone = _cpu_ms(lambda: analyze_report((Job(job.loaded, job.kernel, None),)), repeats)
    launched = _cpu_ms(
        lambda: launch_costs(module, analysis.structure, launch, bounds, accesses), repeats
    )
    return AnalysedKernel(
        file=Path(job.loaded.path).name,
        kernel=job.kernel.name,
        instructions=job.kernel.instruction_count,
        milliseconds=alone,
        with_launch_milliseconds=alone + launched,
    )


def _cpu_ms(work: Callable[[], object], repeats: int) -> float:
    """The median time of some runs after a first one."""
    work()
    return 1e3 * median(timeit.repeat(work, timer=time.process_time, repeat=repeats, number=1))


def trace_rows() -> list[TracedLaunch]:
    """Make the traces of 100,000 threads of every sample's launch."""
    found = []
    for job in jobs("launch.toml"):
        found.append(_traced(job))
        row = found[-1]
        say(f"traced {row.kernel}: {row.events:,} events in {row.seconds:.3f} s")
    return found


def _traced(job: Job) -> TracedLaunch:
    launch, structure = job.required_launch(), job.analysis.structure
    number = min(launch.cta_count, -(-THREADS // launch.threads_per_cta))
    ctas = GridCtas(launch.grid)[:number]
    start = time.process_time()
    source = StaticSource(job.loaded.module, structure, launch)
    traces = list(source.many(ctas))
    seconds = time.process_time() - start
    warp_size = job.loaded.module.warp_size
    total = summarise(job.kernel, traces, warp_size)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "traces"
        size = write_traces(path, source, ctas, lambda: header_of(source, launch, warp_size))
    return TracedLaunch(
        file=Path(job.loaded.path).name,
        kernel=job.kernel.name,
        threads=number * launch.threads_per_cta,
        events=sum(total.block_executions),
        trees=len({id(warp.nodes) for warps in traces for warp in warps}),
        warp_instructions=total.warp_instructions,
        seconds=seconds,
        file_bytes=size,
        unfolded_per_s=_unfolding(traces[0][0]),
    )


def _unfolding(trace: WarpTrace) -> float:
    """Unfold events one after another, as a consumer without a use for trees would."""
    start = time.process_time()
    number = sum(1 for _ in islice(events(trace), UNFOLDED))
    return number / (time.process_time() - start)


PARTS: dict[str, Callable[[bool], Found]] = {
    "analyses": analysis_rows,
    "traces": lambda _: {"trace_rows": tuple(trace_rows())},
    "loops": _loops,
    "registers": register_pairs,
    "spills": lambda _: {"spills": tuple(spill_cases())},
}
