"""Measured launches as jobs of warpmill: as in a launch file, with machine, clock and registers.

What engines that predict their times share.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from math import prod
from pathlib import Path
from typing import Any

from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.base.toml_source import read_toml
from warpmill.analyzer.frontends.load import load_kernel
from warpmill.analyzer.launch import check_launch
from warpmill.analyzer.launch.model import Launch
from warpmill.analyzer.launch.read import resolve_launches
from warpmill.analyzer.traces.source import TraceSource
from warpmill.analyzer.traces.summary import sampled_ctas, summarise
from warpmill.benchmarks.accuracy.model import Case, Compiled, gpus
from warpmill.session.jobs import Job
from warpmill.session.registers import registers_of as found_registers
from warpmill.simulator.assembler.costs import Mode
from warpmill.simulator.assembler.registers import RegisterCount
from warpmill.simulator.estimate.kernel import EstimateSubject
from warpmill.simulator.estimate.rounds import Rounds
from warpmill.simulator.machines import load_machine
from warpmill.simulator.machines.model import Machine

MOST_KERNELS = 8
"""Kernels that are kept: cases come kernel by kernel."""


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
    """Read the launch of a case as a launch file would say it. InputError."""
    name = f"{case.dataset} {case.kernel} {case.words}"
    document = read_toml(Source(name, launch_text(case, ptx)))
    (launch,) = resolve_launches(document, ptx.parent, {})
    return launch


def launch_text(case: Case, ptx: Path) -> str:
    """Write the launch file of a case."""
    launch = {
        "module": ptx.name,
        "kernel": case.entry,
        "grid": list(case.grid),
        "block": list(case.block),
        "shared": case.dynamic_shared_bytes,
        "symbols": case.symbols,
        "args": list(case.args),
    }
    lines = ["[sizes]", *_lines(case.sizes), "[[launch]]", *_lines(launch)]
    return "\n".join(lines) + "\n"


def _lines(table: Mapping[str, Any]) -> list[str]:
    return [f"{key} = {_word(value)}" for key, value in table.items()]


def _word(value: Any) -> str:
    """Write a value as TOML; strings, numbers and truth values are as in JSON."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {_word(one)}" for key, one in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_word, value)) + "]"
    return json.dumps(value)


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
