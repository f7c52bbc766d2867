"""A launch as it was measured: machine, clock, registers, and how many instructions it executes.

What engines that predict its time share; none of them is loaded for it.
"""

from __future__ import annotations

from functools import lru_cache
from math import prod

from benchmarks.accuracy_parts.gpus import gpus
from benchmarks.accuracy_parts.model import Case, Compiled
from warpmill.analyzer.traces.source import TraceSource
from warpmill.analyzer.traces.summary import sampled_ctas, summarise
from warpmill.session.jobs import Job
from warpmill.session.registers import registers_of as found_registers
from warpmill.simulator.assembler.costs import Mode
from warpmill.simulator.assembler.registers import RegisterCount
from warpmill.simulator.estimate.kernel import EstimateSubject
from warpmill.simulator.estimate.rounds import Rounds
from warpmill.simulator.machines import load_machine
from warpmill.simulator.machines.model import Machine

COUNTED_CTAS = 8
"""CTAs whose instructions are counted, where a profiler's count is there to compare."""


def launched(case: Case) -> Mode:
    """How the time of a case was taken."""
    config = dict(case.config)
    if config.get("mode") == "graph":
        return "graph"
    if case.back_to_back:
        return "back-to-back"
    return "kernel" if "nvprof" in str(config.get("cache", "")) else "event"


def machine_of(case: Case) -> Machine:
    """The machine of a case, at its clock."""
    return _machine(gpus()[case.gpu].machine, case.clock_mhz)


@lru_cache(32)
def _machine(name: str, clock_mhz: float | None) -> Machine:
    return load_machine(name, None if clock_mhz is None else {"clock.sm_mhz": clock_mhz})


def registers_of(job: Job, compiled: Compiled, machine: Machine) -> RegisterCount:
    """The registers that are told, else warpmill's own estimate."""
    if compiled.registers is not None:
        return RegisterCount(compiled.registers, compiled.registers_source, False)
    return found_registers(job, machine)


def machine_instructions(subject: EstimateSubject, machine: Machine) -> float:
    """The machine instructions of all warps of a launch, from an even sample of its CTAs."""
    grid = subject.launch.grid
    ctas = tuple(sampled_ctas(grid, COUNTED_CTAS))
    executions = Rounds(subject).of(ctas).executions
    code = subject.code(subject.facts.program(machine)).on(machine)
    return code.instructions(executions) * prod(grid) / len(ctas)


def warp_instructions(job: Job, source: TraceSource) -> float:
    """The instructions of all warps of a launch, from an even sample of its CTAs."""
    grid = job.required_launch().grid
    ctas = sampled_ctas(grid, COUNTED_CTAS)
    summary = summarise(job.kernel, source.many(ctas), job.loaded.module.warp_size)
    return summary.warp_instructions * prod(grid) / len(ctas)
