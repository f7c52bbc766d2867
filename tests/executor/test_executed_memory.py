"""Device memory goes with the traces that it was made for, without a search for cycles."""

import gc
import weakref
from pathlib import Path

import pytest

from warpmill.executor.host.device import Device
from warpmill.session.executed import executed_source
from warpmill.session.options import LaunchOptions
from warpmill.session.prepare import prepare_all

SAMPLES = Path(__file__).parents[2] / "samples"


@pytest.mark.slow
def test_memory_goes_with_the_traces():
    (job,) = prepare_all(SAMPLES / "vecadd" / "launch.toml", None, LaunchOptions(sizes={"n": 256}))
    gc.collect()
    gc.disable()
    try:
        source = executed_source(job)
        memory = weakref.ref(source._backend.memory)
        assert sum(len(warps) for warps in source.many([(0, 0, 0)])) > 0
        assert memory() is not None
        del source
        assert memory() is None
    finally:
        gc.enable()


def test_arrays_go_with_their_device():
    gc.collect()
    gc.disable()
    try:
        device = Device(record=False)
        part = device.zeros(16)[4:8]
        assert part.base.nbytes == 64 and part.base.base is part.base
        memory = weakref.ref(device.backend.memory)
        device.let_go()
        del device, part
        assert memory() is None
    finally:
        gc.enable()
