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
from dataclasses import asdict, replace
from math import ceil

from warpmill.analyzer.base.diagnostics import LimitError
from warpmill.analyzer.traces.source import TraceSource
from warpmill.benchmarks.accuracy.launches import (
    job_of,
    launched,
    machine_instructions,
    machine_of,
    registers_of,
)
from warpmill.benchmarks.accuracy.model import Case, Compiled, Prediction
from warpmill.benchmarks.accuracy.shortening import Part, instructions, shorter
from warpmill.session.error_bands import features_of
from warpmill.session.jobs import Job
from warpmill.session.simulations import run_slices
from warpmill.session.traces import trace_source
from warpmill.simulator.assembler.costs import launch_overhead
from warpmill.simulator.assembler.registers import RegisterCount
from warpmill.simulator.estimate.engine import estimate
from warpmill.simulator.estimate.kernel import EstimateSubject
from warpmill.simulator.gpu.options import Options
from warpmill.simulator.gpu.result import SimResult
from warpmill.simulator.gpu.results import result_of
from warpmill.simulator.gpu.simulate import LaunchWork, Simulation, occupancy_of
from warpmill.simulator.machines.model import Machine
from warpmill.simulator.resources import SIMULATED_STATES

MOST_INSTRUCTIONS = 10_000_000
"""Warp instructions that are simulated of a launch, about: of all its rounds together."""

FEWEST_ROUNDS = 2
"""Rounds of which loops are cut short rather than that one alone is simulated as it is: in that one
all CTAs begin at the same time."""


def estimated(case: Case, compiled: Compiled) -> Prediction:
    """Estimate a case on its machine, at the clock that it was measured at. WarpmillErrors."""
    started = time.perf_counter()
    job = job_of(case, compiled.ptx)
    machine = machine_of(case)
    registers = registers_of(job, compiled, machine)
    source = trace_source(job)
    subject = EstimateSubject(job.analysis.kernel_facts, job.required_launch(), source)
    result = estimate(subject, machine, registers, warm=case.warm, launched=launched(case))
    seconds = time.perf_counter() - started
    return Prediction(
        result.time_us / 1e3,
        machine_instructions(subject, machine) if "warp_inst" in case.counters else None,
        result.bound,
        f"{result.trace}, assumed" if result.assumptions else result.trace,
        registers.registers_per_thread,
        registers.source,
        seconds,
        features=asdict(features_of(result, machine)),
    )


def simulated(case: Case, compiled: Compiled, most: float = MOST_INSTRUCTIONS) -> Prediction:
    """Simulate a case on its machine, at its clock: all of it, or whole rounds up to ``most``.

    Where one round takes more, its loops run fewer times, and its time is continued in a line to
    all of them. LimitError where that cannot be done; other WarpmillErrors.
    """
    started = time.perf_counter()
    job, machine = job_of(case, compiled.ptx), machine_of(case)
    registers = registers_of(job, compiled, machine)
    source = trace_source(job)
    executed = instructions(job, source)
    work = _work(job, registers, source)
    a_round = occupancy_of(work, machine).ctas_per_sm * machine.integer("sm.count")
    of_round = executed * min(1.0, a_round / work.launch.cta_count)
    rounds: int | None = None
    parts: tuple[Part, ...] = (Part(source, 1.0),)
    if executed > most:
        rounds, parts = _rounds(job, source, ceil(work.launch.cta_count / a_round), most / of_round)
    options = Options(waves=rounds, l2="warm" if case.warm else "cold")
    results = [_run(replace(work, traces=_giving(part)), machine, options) for part in parts]
    execution = _whole([(p.share, r) for p, r in zip(parts, results, strict=True)])
    counted = executed
    if "warp_inst" in case.counters:  # a profiler's count, of machine instructions
        subject = EstimateSubject(job.analysis.kernel_facts, work.launch, source)
        counted = machine_instructions(subject, machine)
    overhead = launch_overhead(machine, work.launch.cta_count, launched(case))
    (launch,) = results[0].launches
    return Prediction(
        overhead.total_us(execution) / 1e3,
        counted,
        _bound(results[0]),
        _words(source, parts[0]),
        registers.registers_per_thread,
        registers.source,
        time.perf_counter() - started,
        parts[0].share * launch.ctas_simulated / launch.ctas,
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


def simulated_in_full(case: Case, compiled: Compiled) -> Prediction:
    """Simulate all CTAs of a case. WarpmillErrors."""
    return simulated(case, compiled, float("inf"))


def _work(job: Job, registers: RegisterCount, source: TraceSource) -> LaunchWork:
    return LaunchWork(job.analysis.kernel_facts, job.required_launch(), registers, lambda: source)


def _run(work: LaunchWork, machine: Machine, options: Options) -> SimResult:
    """Simulate in pieces, between which it can be stopped."""
    running = Simulation(machine, [work], options)
    run_slices(running)
    return result_of(running)


def _giving(part: Part) -> Callable[[], TraceSource]:
    return lambda: part.source


def _words(source: TraceSource, part: Part) -> str:
    """What the traces are."""
    words = f"{source.kind}, assumed" if source.assumptions else source.kind
    return words if part.share == 1 else f"{words}, loops cut to {part.share:.1%}"


def _bound(result: SimResult) -> str:
    """Name what warps wait for most."""
    waits = dict(zip(SIMULATED_STATES, result.stalls, strict=True))
    waits.pop("selected")
    longest, whole = max(waits, key=waits.__getitem__), sum(waits.values())
    return f"{longest} ({waits[longest] / whole:.0%} of waiting)" if whole else "nothing"


ESTIMATE, SIMULATE, FULL = "estimate", "simulate", "simulate in full"
ENGINES: Mapping[str, Callable[[Case, Compiled], Prediction]] = {
    ESTIMATE: estimated, SIMULATE: simulated, FULL: simulated_in_full,
}  # fmt: skip
"""What predicts a case, by name."""
