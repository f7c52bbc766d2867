"""The Python API: from a file to an analysis, a trace and an estimate.

The command line calls these functions and nothing else; views turn their results into text.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from warpmill.session.estimates import EstimateOptions, Estimator, estimate
from warpmill.session.jobs import AccessFacts, Analysis, Job
from warpmill.session.launch_options import LaunchOptions
from warpmill.session.prepare import analyze, kernels_beside, prepare, prepare_all
from warpmill.session.traces import (
    SAMPLED_CTAS,
    Dynamic,
    Outcomes,
    Saved,
    Traced,
    TraceOptions,
    dynamic_facts,
    save_traces,
    trace,
    trace_source,
)

if TYPE_CHECKING:
    from warpmill.session.simulations import simulate, simulation

__all__ = [
    "SAMPLED_CTAS",
    "AccessFacts",
    "Analysis",
    "Dynamic",
    "EstimateOptions",
    "Estimator",
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
    return getattr(import_module("warpmill.session.simulations"), name)
