"""Chosen launches of a recording: with the memory that each needs, told to those who ask."""

from pathlib import Path

import numpy as np
import pytest

import warpmill
from tests.executor.test_device_api import SCALE, VARIABLES
from tests.executor.test_device_recording import program
from warpmill.analyzer.base.diagnostics import InputError, UsageError
from warpmill.executor.host.cpu_device import CpuBackend, HashingBackend, memory_state
from warpmill.executor.host.device import Device
from warpmill.executor.host.recording import LaunchCall, ReadCall, content_hash
from warpmill.executor.host.replay import replay
from warpmill.session.options import RunOptions
from warpmill.session.records import recorded_memory, replayed_memory

SCAN = Path(__file__).parents[2] / "samples" / "scan" / "launch.toml"


def powers(device, times=6):
    """Multiply an array and a part of another; each launch needs what those before it left."""
    scale = device.load(SCALE)["scale"]
    count = device.load(VARIABLES)["k"]
    a, b = (device.array(np.arange(1, 65, dtype=np.float32)) for _ in range(2))
    out = device.zeros(2, np.uint32)
    for n in range(times):
        device.launch(scale, 2, 32, [a, float(n + 2), 64])
        device.copy(b[:32], a[32:])
        device.launch(count, 1, 1, [out])  # counts in a variable that the host never asks for
        a.get()
    return a


@pytest.fixture(scope="module")
def recorded():
    backend = HashingBackend()
    device = Device(backend)
    powers(device)
    return device.recording, backend.states


def test_states_are_of_every_live_allocation(recorded):
    recording, states = recorded
    assert sorted(states) == list(range(len(recording.launches)))
    backend = CpuBackend()
    replay(recording, backend)
    held = {a.name: a.data.tobytes() for a in backend.memory.allocations}
    assert {"total", "where"} <= set(held)  # module variables among them
    (total,) = [b for b in states[11] if b.name == "total"]
    assert total.sha256 == content_hash(np.uint32(5 + 6).tobytes())
    assert total.bytes == 4
    assert memory_state(backend) == states[11]
    assert len({s[0].sha256 for s in states.values()}) == 6  # each multiplication is seen


@pytest.mark.parametrize("chosen", [(0,), (5,), (11,), (1, 2, 9), (9, 2, 2), range(12)])
def test_chosen_launches_see_the_memory_of_the_full_run(recorded, chosen):
    recording, states = recorded
    found = replayed_memory(recording, chosen)
    assert found == {n: states[n] for n in chosen}


def test_memory_of_a_whole_application_is_compared_launch_by_launch():
    run, states = recorded_memory(SCAN)
    assert len(states) == len(run.recording.launches) == 3
    assert replayed_memory(run.recording) == states
    assert states[0] != states[1] != states[2]


def test_only_the_executors_memory_is_hashed(recorded):
    with pytest.raises(UsageError, match="only the executor"):
        replayed_memory(recorded[0], options=RunOptions(device="cuda"))


def test_nothing_after_the_last_chosen_launch_is_run(recorded):
    recording, _ = recorded
    replayed = replay(recording, chosen=[4, 2])
    launches = recording.launches
    assert replayed.executed == 5
    assert replayed.calls == launches[4].index + 1
    assert sorted(replayed.launches) == [2, 4]
    reads = [c.index for c in recording.calls if isinstance(c, ReadCall)]
    assert list(replayed.hashes) == list(replayed.reads) == reads[:2]
    assert replayed.differing == ()
    whole = replay(recording)
    assert (whole.executed, whole.calls) == (12, len(recording.calls))
    assert list(whole.hashes) == reads
    assert replay(recording, chosen=[]).calls == 0


def test_counts_of_chosen_launches_are_those_recorded(recorded):
    recording, _ = recorded
    replayed = replay(recording, chosen=[0, 3])
    for number, counts in replayed.launches.items():
        call = recording.launches[number]
        assert counts.thread_instructions == call.thread_instructions > 0
        assert counts.warp_instructions == call.warp_instructions
        assert counts.execution is None  # what may be large is for the hook alone


def test_hooks_are_told_chosen_launches_alone_before_and_after(recorded):
    recording, _ = recorded
    told = []
    backend = CpuBackend()
    backend.allocate(1000, None, zeroed=True)  # so that addresses are others now

    def before(call, request, device):
        assert device is backend
        address = int.from_bytes(request.params[:8], "little")
        assert address != call.arguments[0].address  # of now, not of then
        told.append(("before", call.index, device.read(address, 8, 0).tobytes()))

    def after(call, execution):
        told.append(("after", call.index, execution.thread_instructions))

    replayed = replay(recording, backend, on_launch=after, chosen=[2, 6], before_launch=before)
    places = [recording.launches[n].index for n in (2, 6)]
    assert [t[:2] for t in told] == [(w, p) for p in places for w in ("before", "after")]
    first = np.frombuffer(told[0][2], np.float32)
    assert first.tolist() == [2, 4]  # launch 0 has doubled it, though nobody was told
    assert told[1][2] == replayed.launches[2].thread_instructions


def test_without_a_choice_hooks_are_told_every_launch(recorded):
    recording, _ = recorded
    seen = []
    replay(recording, on_launch=lambda call, _: seen.append(call.index))
    assert seen == [c.index for c in recording.calls if isinstance(c, LaunchCall)]


class Listening:
    """An instrument that notes the launches that it is told of."""

    def __init__(self):
        self.told = []

    def options(self, plain):
        return plain

    def begin(self, request, _compiled):
        self.told.append(request.kernel.name)

    def end(self, _request, _compiled, execution):
        self.told.append(execution.thread_instructions)


def test_hooks_may_instrument_chosen_launches_which_leave_the_same_memory(recorded):
    recording, states = recorded
    backend, instrument = HashingBackend(), Listening()

    def before(call, request, device):
        device.instrument = instrument

    def after(call, execution):
        backend.instrument = None

    replay(recording, backend, on_launch=after, chosen=[3, 8], before_launch=before)
    counts = [recording.launches[n].thread_instructions for n in (3, 8)]
    assert instrument.told == ["k", counts[0], "scale", counts[1]]
    assert backend.states == {n: states[n] for n in range(9)}


@pytest.mark.parametrize("number", [-1, 12, 1 << 40])
def test_a_launch_that_is_not_there(recorded, number):
    with pytest.raises(UsageError, match=f"no launch {number}; its 12 launches are 0 to 11"):
        replay(recorded[0], chosen=[0, number])


def test_bytes_of_reads_are_kept_where_wanted(recorded):
    recording, _ = recorded
    kept = replay(recording)
    lean = replay(recording, keep_reads=False)
    assert lean.reads == {}
    assert lean.hashes == kept.hashes == {n: content_hash(d) for n, d in kept.reads.items()}


def test_textures_surfaces_and_flushes_are_made_again():
    backend = HashingBackend()
    device = Device(backend)
    program(device, np.arange(100, dtype=np.float32))
    recording = device.recording
    assert {"copy_texture", "flush"} <= {c.call for c in recording.calls}
    last = len(recording.launches) - 1
    assert replayed_memory(recording, [last, 3]) == {n: backend.states[n] for n in (3, last)}
    assert replay(recording).differing == ()


def test_the_front_door(recorded, tmp_path):
    recorded = warpmill.record(SCAN, tmp_path / "scan.wmrec")
    assert recorded.file_bytes == recorded.path.stat().st_size
    replayed = warpmill.replay(recorded.path, chosen=[1])
    assert sorted(replayed.launches) == [1]
    assert warpmill.replay(recorded.recording).differing == ()
    (one,) = warpmill.intervals(recorded.path)
    assert (one.launches, one.ended_by) == (range(3), "synchronize")
    with pytest.raises(InputError, match="no recording"):
        warpmill.intervals(SCAN)
    with pytest.raises(UsageError, match="there is no folder"):
        warpmill.record(SCAN, tmp_path / "no" / "scan.wmrec")
