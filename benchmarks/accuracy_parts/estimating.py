"""What the engine of ``warpmill estimate`` says of a measured launch. The only place that calls it.

Traces are static; where these rest on what data decide, the CTAs of the round are executed.
"""

from __future__ import annotations

import time
from dataclasses import asdict

from benchmarks.accuracy_parts.launches import job_of
from benchmarks.accuracy_parts.measured_launch import (
    launched,
    machine_instructions,
    machine_of,
    registers_of,
)
from benchmarks.accuracy_parts.model import Case, Compiled, Prediction
from warpmill.session.error_bands import features_of
from warpmill.session.traces import trace_source
from warpmill.simulator.estimate.engine import estimate
from warpmill.simulator.estimate.kernel import EstimateSubject


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
