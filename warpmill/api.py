"""The Python API: from a file to an analysis, a trace and an estimate.

The command line calls these functions and nothing else; views turn their results into text.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from simulator.estimate.engine import Subject
from simulator.estimate.engine import estimate as run_estimate
from simulator.estimate.result import Estimate
from simulator.machines import load_machine
from simulator.machines.model import Machine
from warpmill.jobs import (
    AccessFacts,
    Analysis,
    Job,
    LaunchOptions,
    analyze,
    kernels_beside,
    prepare,
    prepare_all,
)
from warpmill.registers import RegisterSources, find_registers
from warpmill.traces import (
    SAMPLED_CTAS,
    Dynamic,
    Outcomes,
    Saved,
    Traced,
    TraceOptions,
    check_used,
    dynamic_facts,
    save_traces,
    trace,
    trace_source,
)

if TYPE_CHECKING:
    from warpmill.simulations import simulate, simulation

__all__ = [
    "SAMPLED_CTAS",
    "AccessFacts",
    "Analysis",
    "Dynamic",
    "Job",
    "LaunchOptions",
    "Outcomes",
    "Saved",
    "TraceOptions",
    "Traced",
    "analyze",
    "dynamic_facts",
    "estimate",
    "kernels_beside",
    "prepare",
    "prepare_all",
    "save_traces",
    "simulate",
    "simulation",
    "trace",
    "trace_source",
]


def __getattr__(name: str) -> Any:
    """Give ``simulate`` and ``simulation``, whose engine is slow to load."""
    if name not in ("simulate", "simulation"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("warpmill.simulations"), name)


def estimate(  # noqa: PLR0913 - each option by its name
    job: Job,
    machine: str | Machine,
    *,
    overrides: Mapping[str, str | int | float | bool] | None = None,
    registers: RegisterSources | None = None,
    trace_options: TraceOptions | None = None,
    blocking: bool = False,
) -> Estimate:
    """Estimate a job's time on a machine, by name, path or as it is.

    UsageError for an unknown machine or setting, InputError where the launch does not fit on it.
    """
    if not isinstance(machine, Machine):
        machine = load_machine(machine, overrides)
    source = trace_source(job, trace_options)
    count = find_registers(job.loaded, job.kernel, job.analysis.live_registers, machine, registers)
    keeping = job.kept if trace_options is not None and trace_options.pruned else None
    subject = Subject(
        job.loaded.module, job.analysis.structure, job.required_launch(), source, keeping
    )
    result = run_estimate(subject, machine, count, blocking=blocking)
    check_used(job, source, trace_options)
    return result
