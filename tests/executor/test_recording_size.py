"""How large recordings are: contents and texts of modules once; equal programs, equal bytes."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from tests.executor.test_device_api import HEAD
from warpmill.executor.host.device import Device
from warpmill.executor.host.recording import (
    AllocateCall,
    KernelCall,
    load_recording,
    save_recording,
)
from warpmill.executor.host.replay import replay

ROOT = Path(__file__).parents[2]
AXPY = (
    HEAD
    + """
.visible .entry axpy(.param .u64 to, .param .u64 a, .param .f32 factor, .param .u32 n)
{
  .reg .pred %p; .reg .f32 %f<5>; .reg .b32 %r<5>; .reg .b64 %rd<7>;
  ld.param.u64 %rd1, [to];
  ld.param.u64 %rd2, [a];
  ld.param.f32 %f1, [factor];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r2, %r2, %r3, %r4;
  setp.ge.u32 %p, %r2, %r1;
  @%p bra DONE;
  mul.wide.u32 %rd4, %r2, 4;
  add.s64 %rd5, %rd1, %rd4;
  add.s64 %rd6, %rd2, %rd4;
  ld.global.f32 %f2, [%rd5];
  ld.global.f32 %f3, [%rd6];
  fma.rn.f32 %f4, %f1, %f3, %f2;
  st.global.f32 [%rd5], %f4;
DONE:
  ret;
}
.visible .entry other(.param .u64 to) { ret; }
"""
)


def ping_pong(device, n=1 << 14, times=200):
    """Launch over three buffers in turn, of random bits, with other scalars each time."""
    rng = np.random.default_rng(7)
    axpy = device.load(AXPY, "axpy.ptx")["axpy"]
    bits = [rng.integers(0, 1 << 32, n, dtype=np.uint32) for _ in range(3)]
    arrays = [device.array(b).view(np.float32) for b in bits]
    for turn in range(times):
        to, a = arrays[turn % 3], arrays[(turn + 1) % 3]
        device.launch(axpy, -(-n // 256), 256, [to, a, float(rng.random()), n - turn % 5])
        if turn % 10 == 9:
            a.get()


@pytest.fixture(scope="module")
def recording():
    device = Device()
    ping_pong(device)
    return device.recording


def test_many_launches_over_shared_buffers_take_less_than_twice_the_buffers(recording, tmp_path):
    size = save_recording(recording, tmp_path / "app.wmrec")
    buffers = sum(c.bytes for c in recording.calls if isinstance(c, AllocateCall))
    assert buffers == 3 * 4 << 14
    assert len(recording.launches) == 200
    assert buffers < size < 1.1 * buffers  # the bits are random: nothing makes them smaller
    again = load_recording(tmp_path / "app.wmrec")
    assert again == recording
    assert replay(again).differing == ()


def test_a_launch_takes_few_bytes(tmp_path):
    sizes = []
    for times in (100, 200):
        device = Device()
        ping_pong(device, n=256, times=times)
        sizes.append(save_recording(device.recording, tmp_path / "app.wmrec"))
    assert (sizes[1] - sizes[0]) / 100 < 50


def test_the_text_of_a_module_is_kept_once(tmp_path):
    device = Device()
    for _ in range(3):
        module = device.load(AXPY, "axpy.ptx")
        array = device.zeros(4)
        device.launch(module["axpy"], 1, 32, [array, array, 1.0, 4])
        device.launch(module["other"], 1, 32, [array])
    texts = [c.text for c in device.recording.calls if isinstance(c, KernelCall)]
    assert len(texts) == 6
    assert {*texts} == {*device.recording.contents}
    assert device.recording.contents[texts[0]] == AXPY.encode()
    save_recording(device.recording, tmp_path / "app.wmrec")
    assert replay(load_recording(tmp_path / "app.wmrec")).executed == 6


PROGRAM = """
import sys
from warpmill.executor.host.device import Device
from warpmill.executor.host.recording import save_recording
from tests.executor.test_recording_size import ping_pong
device = Device()
ping_pong(device, 1024, 30)
save_recording(device.recording, sys.argv[1])
"""


@pytest.mark.slow
def test_the_same_program_gives_the_same_bytes(tmp_path):
    """In another process too, where sets have another order."""
    device = Device()
    ping_pong(device, 1024, 30)
    save_recording(device.recording, tmp_path / "here")
    environment = {**os.environ, "PYTHONHASHSEED": "1"}
    command = [sys.executable, "-c", PROGRAM, str(tmp_path / "there")]
    subprocess.run(command, cwd=ROOT, env=environment, check=True, timeout=120)
    assert (tmp_path / "here").read_bytes() == (tmp_path / "there").read_bytes()


def test_a_pipe_is_written_to_and_not_replaced(recording, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()), daemon=True)
    reader.start()
    size = save_recording(recording, pipe)
    assert pipe.is_fifo()
    reader.join(timeout=20)
    assert len(read[0]) == size
