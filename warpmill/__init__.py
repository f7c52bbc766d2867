"""warpmill: how a GPU kernel will behave on a chip that is not in the room.

The Python API in a few lines::

    import warpmill

    job = warpmill.prepare("samples/vecadd/launch.toml")
    print(job.kernel.name, job.analysis.bounds)
    result = warpmill.estimate(job, "a100")
    print(result.time_us, result.bound)
    print(warpmill.simulate(job, "a100").cycles)

Each command is a function as well: ``warpmill.explain(...)``; where one of these names gives what
an engine found, ``warpmill.reports`` has what the command shows, with the same keywords.
Everything is loaded when it is first used, so that importing warpmill costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from warpmill.version import __version__

if TYPE_CHECKING:
    from warpmill import reports as reports
    from warpmill.analyzer.base.diagnostics import WarpmillError as WarpmillError
    from warpmill.analyzer.frontends.compilers.compile import compile_source as compile_source
    from warpmill.analyzer.frontends.compilers.options import CompileOptions as CompileOptions
    from warpmill.analyzer.frontends.load import load as load
    from warpmill.cloning.api import clone as clone
    from warpmill.cloning.options import CloneOptions as CloneOptions
    from warpmill.executor.collectors import Collector as Collector
    from warpmill.executor.host.device import Device as Device
    from warpmill.exploring.api import explore as explore
    from warpmill.measurements.correlations import correlate as correlate
    from warpmill.measurements.options import TableOptions as TableOptions
    from warpmill.sampling.options import SampleOptions as SampleOptions
    from warpmill.sampling.runs import sample as sample
    from warpmill.session.dfsgs import dfsgs as dfsgs
    from warpmill.session.estimates import estimate as estimate
    from warpmill.session.jobs import Job as Job
    from warpmill.session.options import EstimateOptions as EstimateOptions
    from warpmill.session.options import EvaluationOptions as EvaluationOptions
    from warpmill.session.options import LaunchOptions as LaunchOptions
    from warpmill.session.options import MachineOptions as MachineOptions
    from warpmill.session.options import RegisterSources as RegisterSources
    from warpmill.session.options import RunOptions as RunOptions
    from warpmill.session.options import SimulationSetup as SimulationSetup
    from warpmill.session.options import TraceOptions as TraceOptions
    from warpmill.session.prepare import analyze as analyze
    from warpmill.session.prepare import prepare as prepare
    from warpmill.session.prepare import prepare_all as prepare_all
    from warpmill.session.profiles import profile as profile
    from warpmill.session.records import intervals as intervals
    from warpmill.session.records import record as record
    from warpmill.session.records import replay as replay
    from warpmill.session.run import run as run
    from warpmill.session.simulations import simulate as simulate
    from warpmill.session.simulations import simulation as simulation
    from warpmill.session.traces import save_traces as save_traces
    from warpmill.session.traces import trace as trace
    from warpmill.session.traces import trace_source as trace_source
    from warpmill.simulator.machines import load_machine as load_machine
    from warpmill.simulator.machines import machine_names as machine_names
    from warpmill.studies.options import SpaceOptions as SpaceOptions
    from warpmill.studies.options import StudyOptions as StudyOptions
    from warpmill.sweeps.api import sweep as sweep
    from warpmill.tuning.api import tune as tune
    from warpmill.tuning.options import TuneOptions as TuneOptions

_HOMES = {
    "warpmill.analyzer.base.diagnostics": ("WarpmillError",),
    "warpmill.analyzer.frontends.compilers.compile": ("compile_source",),
    "warpmill.analyzer.frontends.compilers.options": ("CompileOptions",),
    "warpmill.analyzer.frontends.load": ("load",),
    "warpmill.cloning.api": ("clone",),
    "warpmill.cloning.options": ("CloneOptions",),
    "warpmill.session.dfsgs": ("dfsgs",),
    "warpmill.executor.collectors": ("Collector",),
    "warpmill.executor.host.device": ("Device",),
    "warpmill.exploring.api": ("explore",),
    "warpmill.measurements.correlations": ("correlate",),
    "warpmill.measurements.options": ("TableOptions",),
    "warpmill.sampling.options": ("SampleOptions",),
    "warpmill.sampling.runs": ("sample",),
    "warpmill.session.estimates": ("estimate",),
    "warpmill.session.jobs": ("Job",),
    "warpmill.session.options": (
        "EstimateOptions",
        "EvaluationOptions",
        "LaunchOptions",
        "MachineOptions",
        "RegisterSources",
        "RunOptions",
        "SimulationSetup",
        "TraceOptions",
    ),
    "warpmill.session.prepare": ("analyze", "prepare", "prepare_all"),
    "warpmill.session.profiles": ("profile",),
    "warpmill.session.records": ("intervals", "record", "replay"),
    "warpmill.session.run": ("run",),
    "warpmill.session.simulations": ("simulate", "simulation"),
    "warpmill.session.traces": ("save_traces", "trace", "trace_source"),
    "warpmill.simulator.machines": ("load_machine", "machine_names"),
    "warpmill.studies.options": ("SpaceOptions", "StudyOptions"),
    "warpmill.sweeps.api": ("sweep",),
    "warpmill.tuning.api": ("tune",),
    "warpmill.tuning.options": ("TuneOptions",),
}
_MODULES = {
    "cuda": "warpmill.doors.cuda",
    "numba": "warpmill.doors.numba",
    "triton": "warpmill.doors.triton",
}
"""Doors: modules that stand here by the name of the library whose kernels they take."""

_PACKAGES = frozenset({"samples"})
"""Commands that are called as a package here is: their functions are those of ``reports`` alone."""

_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

_REPORTS = "warpmill.reports"
"""Module of the reports, by its name alone, so that no kept result seems to rest on it."""

__all__ = ["__version__", "reports", *_MODULES, *_HOME_OF]  # noqa: PLE0604 - names, each checked by a test


def __getattr__(name: str) -> Any:
    if name in _HOME_OF:
        return getattr(_imported(_HOME_OF[name], name), name)
    if name in _MODULES:
        return import_module(_MODULES[name])
    if not name.startswith("_"):
        reports = import_module(_REPORTS)
        if name == "reports":
            return reports
        if name in dir(reports) and name not in _PACKAGES:
            return getattr(reports, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _imported(place: str, name: str) -> Any:
    """Import the module of a name. UsageError where a library of an extra is lacking."""
    try:
        return import_module(place)
    except ModuleNotFoundError as error:
        from warpmill.analyzer.base.extras import extras_of, lacking  # noqa: PLC0415 - for errors

        if error.name is None or not any(extras_of(error.name)):
            raise
        raise lacking(error.name, f"warpmill.{name}") from None
