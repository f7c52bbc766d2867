"""Both engines beside CPU times of GPGPU-Sim itself, on the programs that it was timed on.

The reference's rows (``benchmarks/execution_inputs/gpgpusim``) have the warp instructions of each
launch and how many GPGPU-Sim 4.2.0 did a CPU second, so that its seconds follow. It ran on another
computer. The machines are its own configurations, imported.
"""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median
from typing import Any

from benchmarks.engines_speed_parts.measuring import (
    ROUNDS,
    Row,
    estimated_us,
    simulated_us,
)
from benchmarks.engines_speed_parts.timing import alone, timed_median
from benchmarks.execution_parts import gpgpusim
from benchmarks.simulate_parts.programs import record, reference_machine
from warpmill.session.applications import Application
from warpmill.session.jobs import Job
from warpmill.studies.model import PointOutcome

CONFIGURATIONS = ("SM7_QV100", "SM75_RTX2060")
SUITE = "own"
"""Rows of GPGPU-Sim's configurations as shipped."""
FEW = (("vecadd", "65536"), ("spmv", "8192 8"))
"""What is measured for a glance."""


def theirs(config: str) -> dict[tuple[str, str], float]:
    """GPGPU-Sim's CPU seconds by program and input, all launches of it together."""
    seconds: dict[tuple[str, str], float] = {}
    for row in gpgpusim.reference_rows():
        if (row["suite"], row["config"]) == (SUITE, config) and row["warp_inst_per_cpu_s"]:
            spent = float(row["warp_insts"]) / float(row["warp_inst_per_cpu_s"])
            one = row["program"], row["input"]
            seconds[one] = seconds.get(one, 0.0) + spent
    return seconds


def rate() -> float:
    """GPGPU-Sim's warp instructions a CPU second, the median of all launches it timed."""
    rows = gpgpusim.reference_rows()
    return median(float(r["warp_inst_per_cpu_s"]) for r in rows if r["warp_inst_per_cpu_s"])


def evaluate(inputs: Mapping[str, Any]) -> PointOutcome:
    """Measure a configuration in a process of its own."""
    return PointOutcome(facts={"result": alone(measured, inputs)})


def measured(inputs: Mapping[str, Any]) -> list[Row]:
    """Measure the programs on a configuration; a row each."""
    config = inputs["config"]
    wanted = FEW if inputs["few"] else theirs(config)
    for program, input_ in FEW:
        _row(program, input_, config)  # compiles and loads the engines
    return [_row(program, input_, config) for program, input_ in wanted]


def _row(program: str, input_: str, config: str) -> Row:
    """Ask both engines for all launches of a program, from reading its kernels on."""
    machine, ran = reference_machine(config), record(program, input_)
    row: Row = {"program": program, "input": input_, "config": config, "right": ran.right}

    def jobs() -> list[Job]:
        app = Application(f"{program} {input_}", ran.recording)
        return [app.job(number) for number in range(len(app.launches))]

    _, estimated = timed_median(lambda: estimated_us(jobs(), machine), ROUNDS)
    _, simulated = timed_median(lambda: simulated_us(jobs(), machine), ROUNDS)
    row |= {"estimate_cpu_s": estimated.cpu_s, "simulate_cpu_s": simulated.cpu_s}
    launches = len(ran.recording.launches)
    return {**row, "launches": launches, "gpgpusim_cpu_s": theirs(config)[program, input_]}
