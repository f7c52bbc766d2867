"""How long static analysis and static traces take, and how small traces are, on the samples."""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from warpmill.analyzer.analyses.access.accesses import memory_accesses
from warpmill.analyzer.analyses.access.coalescing import alignments, full_warp_costs, reuses
from warpmill.analyzer.analyses.access.launch_costs import launch_costs
from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.analyses.divergence.analysis import Deciders, divergence
from warpmill.analyzer.analyses.mix import calls, instruction_mix, pruned
from warpmill.analyzer.analyses.ranges.bounds import loop_bounds
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.analyses.values.conditions import guard_condition
from warpmill.analyzer.traces.files import header_of, write_traces
from warpmill.analyzer.traces.model import WarpTrace, events
from warpmill.analyzer.traces.source import StaticSource
from warpmill.analyzer.traces.summary import summarise
from warpmill.session.jobs import Job
from warpmill.session.prepare import prepare_all
from warpmill.simulator.assembler.registers import register_pressure

ROOT = Path(__file__).resolve().parents[2]
THREADS = 100_000
UNFOLDED = 20_000
"""Events that are unfolded one by one, as the reference."""
REPEATS, QUICK_REPEATS = 5, 1


@dataclass(frozen=True)
class AnalysisRow:
    """Milliseconds of CPU time for all analyses of one kernel, parsing not counted."""

    file: str
    kernel: str
    instructions: int
    milliseconds: float
    with_launch_milliseconds: float


@dataclass(frozen=True)
class TraceRow:
    """The static traces of the CTAs that make up 100,000 threads, or of all where there are fewer.

    ``seconds`` are CPU time from the analysed kernel to the last trace, ``events`` executions of
    blocks by warps.
    """

    file: str
    kernel: str
    threads: int
    warps: int
    trees: int
    events: int
    warp_instructions: int
    seconds: float
    file_bytes: int
    unfolded_per_s: float


def jobs(pattern: str) -> Iterator[Job]:
    """The launches of all samples' launch files of a name."""
    for path in sorted((ROOT / "samples").glob(f"*/{pattern}")):
        yield from prepare_all(path)


def analysis_rows(quick: bool) -> list[AnalysisRow]:
    """Time all analyses on the samples' PTX by nvcc and LLVM IR by clang, each kernel once."""
    found: dict[tuple[str, str], AnalysisRow] = {}
    for pattern in ("launch.toml", "launch.bc.toml"):
        for job in jobs(pattern):
            key = (Path(job.loaded.path).name, job.kernel.name)
            if key not in found:
                found[key] = _analysed(job, QUICK_REPEATS if quick else REPEATS)
    return list(found.values())


def _analysed(job: Job, repeats: int) -> AnalysisRow:
    alone = [_cpu_ms(lambda: _analyses(job)) for _ in range(repeats + 1)][1:]
    launched = [_cpu_ms(lambda: _with_launch(job)) for _ in range(repeats + 1)][1:]
    return AnalysisRow(
        Path(job.loaded.path).name,
        job.kernel.name,
        sum(len(b.instructions) for b in job.kernel.blocks),
        round(statistics.median(alone), 2),
        round(statistics.median(alone) + statistics.median(launched), 2),
    )


def _analyses(job: Job) -> None:
    """Work out everything that ``analyze`` shows without a launch."""
    module = job.loaded.module
    structure = analyse_structure(job.kernel)
    loop_bounds(structure)
    accesses = memory_accesses(module, structure)
    instruction_mix(job.kernel)
    register_pressure(job.kernel, structure.cfg, module.target)
    divergence(structure)
    calls(job.kernel)
    pruned(structure)
    alignments(module, structure, accesses)
    full_warp_costs(module, accesses)
    reuses(structure, accesses)
    _conditions(structure)


def _conditions(structure: Structure) -> None:
    deciders = Deciders(structure)
    for block in structure.kernel.blocks:
        for index, instruction in enumerate(block.instructions):
            if instruction.guard is not None and block.id in structure.cfg.reachable:
                condition = guard_condition(structure, block.id, index, instruction.guard)
                deciders.of(block.id, condition)


def _with_launch(job: Job) -> None:
    analysis, module = job.analysis, job.loaded.module
    launch = job.required_launch()
    launch_costs(module, analysis.structure, launch, analysis.bounds, analysis.accesses)


def _cpu_ms(work: Callable[[], None]) -> float:
    start = time.process_time()
    work()
    return 1e3 * (time.process_time() - start)


def trace_rows() -> list[TraceRow]:
    """Make the traces of 100,000 threads of every sample's launch."""
    found = []
    for job in jobs("launch.toml"):
        found.append(_traced(job))
        row = found[-1]
        print(f"traced {row.kernel}: {row.events:,} events in {row.seconds} s", file=sys.stderr)
    return found


def _traced(job: Job) -> TraceRow:
    launch, structure = job.required_launch(), job.analysis.structure
    number = min(launch.cta_count, -(-THREADS // launch.threads_per_cta))
    x, y, _ = launch.grid
    ctas = [(i % x, i // x % y, i // (x * y)) for i in range(number)]
    start = time.process_time()
    source = StaticSource(job.loaded.module, structure, launch)
    traces = list(source.many(ctas))
    seconds = time.process_time() - start
    warp_size = job.loaded.module.warp_size
    total = summarise(job.kernel, traces, warp_size)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "traces"
        size = write_traces(path, source, ctas, lambda: header_of(source, launch, warp_size))
    return TraceRow(
        Path(job.loaded.path).name,
        job.kernel.name,
        number * launch.threads_per_cta,
        total.warps,
        len({id(warp.nodes) for warps in traces for warp in warps}),
        sum(total.block_executions),
        total.warp_instructions,
        round(seconds, 4),
        size,
        _unfolding(traces[0][0]),
    )


def _unfolding(trace: WarpTrace) -> float:
    """Unfold events one after another, as a consumer without a use for trees would."""
    start = time.process_time()
    number = sum(1 for _ in islice(events(trace), UNFOLDED))
    return round(number / (time.process_time() - start), 1)


def figures(analysed: list[AnalysisRow], traced: list[TraceRow]) -> dict[str, Any]:
    """Sum the rows up."""
    seconds = sum(row.seconds for row in traced)
    made = sum(row.events for row in traced)
    per_s = made / seconds
    unfolded = statistics.median(row.unfolded_per_s for row in traced)
    instructions = sum(row.warp_instructions for row in traced)
    return {
        "analysis_ms": statistics.median(row.milliseconds for row in analysed),
        "analysis_worst_ms": max(row.milliseconds for row in analysed),
        "analysis_with_launch_ms": statistics.median(
            row.with_launch_milliseconds for row in analysed
        ),
        "trace_events_per_s": round(per_s),
        "ratio_to_unfolding": round(per_s / unfolded, 1),
        "trace_bytes_per_dynamic_instruction": sum(r.file_bytes for r in traced) / instructions,
        "trace_set_s": statistics.median(row.seconds for row in traced),
        "trace_set_worst_s": max(row.seconds for row in traced),
        "trace_sets_under_goal": [sum(r.seconds < TRACE_SET_S for r in traced), len(traced)],
        "analysis_rows": [asdict(row) for row in analysed],
        "trace_rows": [asdict(row) for row in traced],
    }


TRACE_SET_S = 1.0
