"""Recorded launches profiled and traced with the memory that a replay gives them."""

from warpmill.analyzer.traces.layout import LaunchLayout
from warpmill.executor.collectors import ProfileCollector
from warpmill.executor.executed_source import ExecutedSource
from warpmill.executor.host.cpu_device import CpuBackend
from warpmill.executor.host.replay import launch_to_be_made, replay
from warpmill.executor.observation import Observation
from warpmill.session.records import loaded


def replayed_profiles(recording, chosen=None, counts=None):
    """The profile of each launch, or of each chosen one; those in between run plainly."""
    taken, own, backend = loaded(recording), ProfileCollector(counts), CpuBackend()

    def begin(_call, _request, _backend):
        backend.instrument = Observation((own,))

    def end(_call, _counts):
        backend.instrument = None

    replay(taken, backend, on_launch=end, chosen=chosen, before_launch=begin, keep_reads=False)
    numbers = range(len(taken.launches)) if chosen is None else sorted(chosen)
    return dict(zip(numbers, own.profiles, strict=True))


def launch_traces(recording, number):
    """The traces of a launch, by its number from 0; those before it run plainly, once."""
    backend, request = launch_to_be_made(loaded(recording), number)
    return ExecutedSource(backend, request, LaunchLayout({}, {}, (), 0), f"launch {number}")
