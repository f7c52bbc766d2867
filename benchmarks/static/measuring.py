"""Measuring of benchmarks/static: analyses and traces of the samples, and loops by hand."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from statistics import median

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
from warpmill.benchmarks.benchmark import Request, say
from warpmill.benchmarks.checks import Found, failures, measured, right
from warpmill.benchmarks.static import AnalysedKernel, StaticResult, TracedLaunch
from warpmill.session.jobs import Job
from warpmill.session.prepare import prepare_all
from warpmill.simulator.assembler.registers import register_pressure

ROOT = Path(__file__).resolve().parents[2]
THREADS = 100_000
UNFOLDED = 20_000
"""Events that are unfolded one by one, as the reference."""
REPEATS, QUICK_REPEATS = 5, 1


def measure(request: Request) -> StaticResult:
    """Check and measure what is asked for."""
    return StaticResult(**measured(request.chosen(PARTS), PARTS, request.quick))


def _registers(quick: bool) -> Found:
    from warpmill.benchmarks.static.registers import register_pairs  # noqa: PLC0415 - where asked for

    rows, missing = register_pairs(quick)
    return {"register_rows": tuple(rows), "missing": tuple(missing)}


def _spills(_: bool) -> Found:
    from warpmill.benchmarks.static.registers import spill_cases  # noqa: PLC0415 - where asked for

    if shutil.which("ptxas") is None:
        return {}
    return {"spills": tuple(spill_cases())}


def _loops(quick: bool) -> Found:
    """Triangular loops, counted by traces and told by bounds, beside totals by hand."""
    from tests.reference.sample_loops import triangular_exact  # noqa: PLC0415 - of checkouts only

    rows = triangular_exact(quick)
    wrong = [f"{r.artefact} {r.kernel} {r.counter}: {r.found}, by hand {r.expected}"
             for r in rows if not r.exact]  # fmt: skip
    return {
        "triangular_loops_exact": right(len(rows), len(wrong)),
        "failures": failures("triangular loops", wrong),
    }


def jobs(pattern: str) -> Iterator[Job]:
    """The launches of all samples' launch files of a name."""
    for path in sorted((ROOT / "samples").glob(f"*/{pattern}")):
        yield from prepare_all(path)


def analysis_rows(quick: bool) -> list[AnalysedKernel]:
    """Time all analyses on the samples' PTX by nvcc and LLVM IR by clang, each kernel once."""
    found: dict[tuple[str, str], AnalysedKernel] = {}
    for pattern in ("launch.toml", "launch.bc.toml"):
        for job in jobs(pattern):
            key = (Path(job.loaded.path).name, job.kernel.name)
            if key not in found:
                found[key] = _analysed(job, QUICK_REPEATS if quick else REPEATS)
    return list(found.values())


def _analysed(job: Job, repeats: int) -> AnalysedKernel:
    alone = [_cpu_ms(lambda: _analyses(job)) for _ in range(repeats + 1)][1:]
    launched = [_cpu_ms(lambda: _with_launch(job)) for _ in range(repeats + 1)][1:]
    return AnalysedKernel(
        file=Path(job.loaded.path).name,
        kernel=job.kernel.name,
        instructions=job.kernel.instruction_count,
        milliseconds=median(alone),
        with_launch_milliseconds=median(alone) + median(launched),
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
    "analyses": lambda quick: {"analysis_rows": tuple(analysis_rows(quick))},
    "traces": lambda _: {"trace_rows": tuple(trace_rows())},
    "loops": _loops,
    "registers": _registers,
    "spills": _spills,
}
