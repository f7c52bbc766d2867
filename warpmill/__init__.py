"""warpmill: how a GPU kernel will behave on a chip that is not in the room.

The Python API in a few lines::

    import warpmill

    job = warpmill.prepare("samples/vecadd/launch.toml")
    print(job.kernel.name, job.analysis.bounds)
    result = warpmill.estimate(job, "a100")
    print(result.total_microseconds, result.bound)
    print(warpmill.simulate(job, "a100").cycles)

Everything is loaded when it is first used, so that importing warpmill costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from warpmill.analyzer.base.diagnostics import WarpmillError as WarpmillError
    from warpmill.analyzer.frontends.load import load as load
    from warpmill.api import Job as Job
    from warpmill.api import analyze as analyze
    from warpmill.api import estimate as estimate
    from warpmill.api import prepare as prepare
    from warpmill.api import save_traces as save_traces
    from warpmill.api import trace as trace
    from warpmill.api import trace_source as trace_source
    from warpmill.cloning.api import clone as clone
    from warpmill.executor.collectors import Collector as Collector
    from warpmill.executor.host.device import Device as Device
    from warpmill.exploring.api import explore as explore
    from warpmill.measurements.correlations import correlate as correlate
    from warpmill.sampling.methods import SampleOptions as SampleOptions
    from warpmill.sampling.runs import sample as sample
    from warpmill.session.dfsg_runs import dfsgs as dfsgs
    from warpmill.session.profiles import profile as profile
    from warpmill.session.records import intervals as intervals
    from warpmill.session.records import record as record
    from warpmill.session.records import replay as replay
    from warpmill.session.run import run as run
    from warpmill.session.simulations import simulate as simulate
    from warpmill.session.simulations import simulation as simulation
    from warpmill.simulator.machines import load_machine as load_machine
    from warpmill.simulator.machines import machine_names as machine_names
    from warpmill.sweeps.api import sweep as sweep
    from warpmill.tuning.api import tune as tune

from warpmill.version import __version__

_HOMES = {
    "Collector": "warpmill.executor.collectors",
    "Device": "warpmill.executor.host.device",
    "Job": "warpmill.api",
    "SampleOptions": "warpmill.sampling.methods",
    "WarpmillError": "warpmill.analyzer.base.diagnostics",
    "analyze": "warpmill.api",
    "clone": "warpmill.cloning.api",
    "correlate": "warpmill.measurements.correlations",
    "dfsgs": "warpmill.session.dfsg_runs",
    "estimate": "warpmill.api",
    "explore": "warpmill.exploring.api",
    "intervals": "warpmill.session.records",
    "load": "warpmill.analyzer.frontends.load",
    "load_machine": "warpmill.simulator.machines",
    "machine_names": "warpmill.simulator.machines",
    "prepare": "warpmill.api",
    "profile": "warpmill.session.profiles",
    "record": "warpmill.session.records",
    "replay": "warpmill.session.records",
    "run": "warpmill.session.run",
    "sample": "warpmill.sampling.runs",
    "save_traces": "warpmill.api",
    "simulate": "warpmill.session.simulations",
    "simulation": "warpmill.session.simulations",
    "sweep": "warpmill.sweeps.api",
    "trace": "warpmill.api",
    "trace_source": "warpmill.api",
    "tune": "warpmill.tuning.api",
}

__all__ = [
    "Collector",
    "Device",
    "Job",
    "SampleOptions",
    "WarpmillError",
    "__version__",
    "analyze",
    "clone",
    "correlate",
    "dfsgs",
    "estimate",
    "intervals",
    "load",
    "load_machine",
    "machine_names",
    "prepare",
    "profile",
    "record",
    "replay",
    "run",
    "sample",
    "save_traces",
    "simulate",
    "simulation",
    "sweep",
    "trace",
    "trace_source",
    "tune",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
