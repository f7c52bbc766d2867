"""Where recordings are cut into intervals: at GT-Pin's seven calls (§II), and at no others."""

import numpy as np
import pytest

from tests.executor.test_device_api import SCALE
from warpmill.executor.host.device import Device
from warpmill.executor.host.recording import (
    FillCall,
    LaunchCall,
    Recording,
    SynchronizeCall,
    SyncInterval,
    ends_interval,
    load_recording,
    save_recording,
    sync_intervals,
)


class Program:
    """A device with what the calls below need; ``launch`` launches once."""

    def __init__(self):
        self.device = Device()
        self.kernel = self.device.load(SCALE)["scale"]
        self.array, self.other = (self.device.array(np.ones(8, np.float32)) for _ in range(2))
        self.texture = self.device.texture(np.ones((2, 4), np.float32))
        self.stream, self.event = self.device.stream(), self.device.event()

    def launch(self, stream=None):
        self.device.launch(self.kernel, 1, 8, [self.array, 1.0, 8], stream=stream)

    def cut(self):
        return [(list(i.launches), i.ended_by) for i in sync_intervals(self.device.recording)]


ENDS = {
    "clFinish": ("synchronize", lambda p: p.device.synchronize()),
    "clFinish of a queue": ("synchronize", lambda p: p.stream.synchronize()),
    "clEnqueueReadBuffer": ("read", lambda p: p.other.get()),
    "clEnqueueReadImage": ("read_texture", lambda p: p.texture.get()),
    "clEnqueueCopyBuffer": ("copy", lambda p: p.device.copy(p.other, p.array)),
    "clEnqueueCopyImageToBuffer": ("copy_texture", lambda p: p.device.copy(p.other, p.texture)),
    "clWaitForEvents": ("event synchronize", lambda p: p.event.synchronize()),
    "clFlush": ("flush", lambda p: p.device.flush()),
    "clFlush of a queue": ("flush", lambda p: p.stream.flush()),
}
OTHERS = {
    "a copy from the host": lambda p: p.other.set(np.zeros(8, np.float32)),
    "new memory": lambda p: p.device.zeros(4),
    "memory given back": lambda p: p.other.free(),
    "a texture of an array": lambda p: p.device.texture(p.array.reshape(2, 4)),
    "a stream": lambda p: p.device.stream(),
    "an event made": lambda p: p.device.event(),
    "an event recorded": lambda p: p.event.record(p.stream),
    "a stream that waits": lambda p: p.stream.wait(p.event),
    "a module": lambda p: p.device.load(SCALE)["scale"],
}


@pytest.mark.parametrize("name", list(ENDS))
def test_each_of_the_seven_calls_ends_an_interval(name):
    word, call = ENDS[name]
    program = Program()
    program.launch()
    program.launch(program.stream)
    call(program)
    program.launch()
    assert program.cut() == [([0, 1], word), ([2], None)]
    first, last = sync_intervals(program.device.recording)
    assert first.calls.start == 0
    assert last.calls.start == first.calls.stop
    assert ends_interval(program.device.recording.calls[first.calls[-1]])


@pytest.mark.parametrize("name", list(OTHERS))
def test_other_calls_end_none(name):
    program = Program()
    program.launch()
    OTHERS[name](program)
    program.launch()
    program.device.synchronize()
    assert program.cut() == [([0, 1], "synchronize")]


def test_setting_bytes_ends_none():
    assert not ends_interval(FillCall(index=0, stream=0, address=0, bytes=0, value=0))


def test_every_launch_is_in_one_interval_and_no_interval_is_without():
    """Two ends in a row, ends before the first launch, ends after the last one."""
    program = Program()
    program.device.synchronize()
    program.array.get()
    for count in (1, 3, 2):
        for _ in range(count):
            program.launch()
        program.array.get()
        program.device.synchronize()
        program.other.get()
    found = sync_intervals(program.device.recording)
    assert [list(i.launches) for i in found] == [[0], [1, 2, 3], [4, 5]]
    assert [i.ended_by for i in found] == ["read"] * 3
    calls = program.device.recording.calls
    for one in found:
        inside = [calls[place] for place in one.calls]
        assert sum(isinstance(c, LaunchCall) for c in inside) == len(one.launches)
    assert [i.calls.start for i in found[1:]] == [i.calls.stop for i in found[:-1]]
    assert len(calls) - found[-1].calls.stop == 2  # what comes after the last end is in none


def test_recordings_without_launches_have_none():
    assert sync_intervals(Recording(())) == ()
    assert sync_intervals(Recording((SynchronizeCall(index=0, stream=None),))) == ()


def test_intervals_of_a_file_are_those_of_the_program(tmp_path):
    program = Program()
    for _ in range(3):
        program.launch()
        program.stream.flush()
    save_recording(program.device.recording, tmp_path / "app.wmrec")
    found = sync_intervals(load_recording(tmp_path / "app.wmrec"))
    assert found == sync_intervals(program.device.recording)
    assert found[1] == SyncInterval(
        range(found[0].calls.stop, found[0].calls.stop + 2), range(1, 2), "flush"
    )
