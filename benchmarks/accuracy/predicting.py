"""What the two engines say of a measured launch. The only place that calls them.

Estimates take static traces; where these rest on what data decide, the CTAs of the round are
executed. Launches are simulated by whole rounds of CTAs, as many as ``MOST_INSTRUCTIONS`` allows,
and continued in a line, as ``warpmill simulate --waves`` does. Of kernels whose warps run so long
that two rounds are more, loops are cut short, and continued like rounds; where there are no more
rounds, to two lengths. What launching takes is added as in estimates.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache, partial
from math import ceil, prod
from pathlib import Path

from warpmill.analyzer.base.diagnostics import LimitError, Source
from warpmill.analyzer.base.toml_source import TomlDocument
from warpmill.analyzer.frontends.load import load_kernel
from warpmill.analyzer.launch import check_launch
from warpmill.analyzer.launch.model import Launch
from warpmill.analyzer.launch.read import resolve_launches
from warpmill.analyzer.traces.source import TraceSource
from warpmill.analyzer.traces.summary import sampled_ctas
from warpmill.benchmarks.accuracy.model import Case, Code, Prediction, form
from warpmill.benchmarks.accuracy.shortening import COUNTED_CTAS, Part, instructions, shorter
from warpmill.session.error_bands import features_of
from warpmill.session.jobs import Job
from warpmill.session.registers import registers_of
from warpmill.session.simulations import run_slices
from warpmill.session.traces import trace_source
from warpmill.simulator.assembler.costs import Mode, launch_overhead
from warpmill.simulator.assembler.registers import RegisterCount
from warpmill.simulator.estimate.engine import estimate
from warpmill.simulator.estimate.kernel import EstimateSubject
from warpmill.simulator.estimate.memory import WARM
from warpmill.simulator.estimate.rounds import Rounds
from warpmill.simulator.gpu.options import Options
from warpmill.simulator.gpu.result import SimResult
from warpmill.simulator.gpu.results import result_of
from warpmill.simulator.gpu.simulate import LaunchWork, Simulation, occupancy_of
from warpmill.simulator.machines import load_machine
from warpmill.simulator.machines.model import Machine

MOST_INSTRUCTIONS = 10_000_000
"""Warp instructions that are simulated of a launch, about: of all its rounds together."""
FEWEST_ROUNDS = 2
"""Rounds of which loops are cut short rather than that one alone is simulated as it is: in that one
all CTAs begin at the same time."""
MOST_KERNELS = 8
"""Kernels that are kept: cases come kernel by kernel."""


# A case as a job of warpmill.


def job_of(case: Case, ptx: Path) -> Job:
    """The launch of a case with its kernel, which is read once. WarpmillErrors."""
    job = _kernel(ptx, case.entry)
    launch = launch_of(case, ptx)
    check_launch(launch, job.loaded.module, job.kernel)
    return job.with_launch(launch)


@lru_cache(MOST_KERNELS)
def _kernel(ptx: Path, entry: str) -> Job:
    loaded, kernel = load_kernel(ptx, entry)
    return Job(loaded, kernel, None)


def launch_of(case: Case, ptx: Path) -> Launch:
    """Resolve the launch of a case as a launch file would say it. InputError."""
    launch = {
        "module": ptx.name,
        "kernel": case.entry,
        "grid": list(case.grid),
        "block": list(case.block),
        "shared": case.dynamic_shared_bytes,
        "symbols": dict(case.symbols),
        "args": list(case.args),
    }
    name = f"{case.dataset} {case.kernel} {case.words}"
    document = TomlDocument(Source(name, ""), {"sizes": dict(case.sizes), "launch": [launch]})
    (found,) = resolve_launches(document, ptx.parent, {})
    return found


def launched(case: Case) -> Mode:
    """How the time of a case was taken."""
    if case.config.get("mode") == "graph":
        return "graph"
    if case.back_to_back:
        return "back-to-back"
    return "kernel" if "nvprof" in str(case.config.get("cache", "")) else "event"


def machine_of(case: Case) -> Machine:
    """The machine of a case, at its clock."""
    return _machine(form("gpus")[case.gpu]["machine"], case.clock_mhz)


@lru_cache(32)
def _machine(name: str, clock_mhz: float | None) -> Machine:
    return load_machine(name, None if clock_mhz is None else {"clock.sm_mhz": clock_mhz})


def _subject(
    case: Case, code: Code, machine: Machine
) -> tuple[Job, EstimateSubject, RegisterCount]:
    """The job of a case, what is estimated of it, and the registers that are told, or modelled."""
    job = job_of(case, code.ptx)
    told, who = code.registers_of(case)
    registers = registers_of(job, machine) if told is None else RegisterCount(told, who, False)
    facts = job.analysis.kernel_facts
    return job, EstimateSubject(facts, job.required_launch(), trace_source(job)), registers


def machine_instructions(subject: EstimateSubject, machine: Machine) -> float:
    """The machine instructions of all warps of a launch, from an even sample of its CTAs.

    They are what a profiler counts.
    """
    grid = subject.launch.grid
    ctas = tuple(sampled_ctas(grid, COUNTED_CTAS))
    executions = Rounds(subject).of(ctas).executions
    code = subject.code(subject.facts.program(machine)).on(machine)
    return code.instructions(executions) * prod(grid) / len(ctas)


# The engines.


def estimated(case: Case, code: Code) -> Prediction:
    """Estimate a case on its machine, at the clock that it was measured at. WarpmillErrors."""
    started, machine = time.perf_counter(), machine_of(case)
    _, subject, registers = _subject(case, code, machine)
    found = WARM if case.warm else None
    result = estimate(subject, machine, registers, l2=found, launched=launched(case))
    seconds = time.perf_counter() - started
    return Prediction(
        result.time_us / 1e3,
        machine_instructions(subject, machine) if case.warp_instructions is not None else None,
        registers.source,
        seconds,
        features=asdict(features_of(result, machine)),
    )


def simulated(case: Case, code: Code, most: float = MOST_INSTRUCTIONS) -> Prediction:
    """Simulate a case on its machine, at its clock: all of it, or whole rounds up to ``most``.

    Where one round takes more, its loops run fewer times, and its time is continued in a line to
    all of them. LimitError where that cannot be done; other WarpmillErrors.
    """
    started, machine = time.perf_counter(), machine_of(case)
    job, subject, registers = _subject(case, code, machine)
    source, launch = subject.source, subject.launch

    def work(traces: TraceSource) -> LaunchWork:
        return LaunchWork(subject.facts, launch, registers, lambda: traces)

    executed = instructions(job, source)
    a_round = occupancy_of(work(source), machine).ctas_per_sm * machine.integer("sm.count")
    of_round = executed * min(1.0, a_round / launch.cta_count)
    rounds: int | None = None
    parts: tuple[Part, ...] = (Part(source, 1.0),)
    if executed > most:
        rounds, parts = _rounds(job, source, ceil(launch.cta_count / a_round), most / of_round)
    options = Options(waves=rounds, l2="warm" if case.warm else "cold")
    results = [_run(work(part.source), machine, options) for part in parts]
    execution = _whole([(p.share, r) for p, r in zip(parts, results, strict=True)])
    overhead = launch_overhead(machine, launch.cta_count, launched(case))
    is_counted = case.warp_instructions is not None
    (ended,) = results[0].launches
    return Prediction(
        overhead.total_us(execution) / 1e3,
        machine_instructions(subject, machine) if is_counted else executed,
        registers.source,
        time.perf_counter() - started,
        parts[0].share * ended.ctas_simulated / ended.ctas,
    )


def _rounds(
    job: Job, source: TraceSource, there: int, fitting: float
) -> tuple[int, tuple[Part, ...]]:
    """The rounds that are simulated, and what is left of their loops.

    ``there`` are all rounds, ``fitting`` says how many of them, as they are, may be simulated. Two
    at the least, with loops cut short, or one where these cannot be. One is left out, so that the
    time of others tells what it takes. LimitError where loops are too few.
    """
    rounds = max(1, min(there - 1, max(FEWEST_ROUNDS, int(fitting))))
    if rounds <= fitting:
        return rounds, (Part(source, 1.0),)
    try:
        return rounds, shorter(job, source, fitting / rounds)
    except LimitError:
        if fitting < 1:
            return 1, shorter(job, source, fitting)
        return 1, (Part(source, 1.0),)


def _run(work: LaunchWork, machine: Machine, options: Options) -> SimResult:
    """Simulate in pieces, between which it can be stopped."""
    running = Simulation(machine, [work], options)
    run_slices(running)
    return result_of(running)


def _whole(parts: Sequence[tuple[float, SimResult]]) -> float:
    """Continue shares of a launch's loops to all of them; microseconds.

    Where its rounds were continued as well, by what they took; else times are, in a line.
    """
    share, result = parts[0]
    (launch,) = result.launches
    if share == 1 or launch.ctas == launch.ctas_simulated:
        return in_line([(each, r.time_us) for each, r in parts])
    continued = launch.cycles - (launch.end_cycle - launch.begin_cycle)
    steady = continued * launch.ctas / (launch.ctas - launch.ctas_simulated)
    return (launch.cycles + steady * (1 / share - 1)) / result.clock_mhz


def in_line(times: Sequence[tuple[float, float]]) -> float:
    """Continue times of shares of a whole, one or two of them, in a line to the whole.

    One time alone is taken to grow with its share.

    >>> in_line([(0.5, 6.0)]), in_line([(0.5, 6.0), (0.25, 4.0)])
    (12.0, 10.0)
    """
    (share, time_), *others = times
    if not others:
        return time_ / share
    ((less, sooner),) = others
    return time_ + (time_ - sooner) / (share - less) * (1 - share)


ESTIMATE, SIMULATE, FULL = "estimate", "simulate", "simulate in full"
ENGINES: Mapping[str, Callable[[Case, Code], Prediction]] = {
    ESTIMATE: estimated, SIMULATE: simulated, FULL: partial(simulated, most=float("inf")),
}  # fmt: skip
"""What predicts a case, by name."""
