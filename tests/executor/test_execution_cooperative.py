"""Barriers of a whole grid, as cooperative groups make them: by a workspace that registers name.

The kernel is written after what nvcc makes of ``cg::this_grid().sync()``: the address is
``%envreg1`` and ``%envreg2``, the high half first, and the word 4 B into it counts the CTAs.
"""

import numpy as np
import pytest

from warpmill.executor.host.cpu_device import CpuOptions
from warpmill.executor.host.device import Device
from warpmill.executor.native.specials import GRID_WORKSPACE

TURN_ROUND = """
.version 8.0
.target sm_80
.address_size 64
.visible .entry turn_round(.param .u64 a, .param .u64 b)
{
  .reg .pred %p<4>; .reg .b32 %r<12>; .reg .b64 %rd<12>;
  ld.param.u64 %rd1, [a];
  ld.param.u64 %rd2, [b];
  mov.u32 %r1, %envreg2;
  mov.u32 %r2, %envreg1;
  mov.b64 %rd3, {%r1, %r2};
  setp.ne.s64 %p1, %rd3, 0;
  @%p1 bra THERE;
  trap;
THERE:
  mov.u32 %r3, %ctaid.x;
  mov.u32 %r4, %nctaid.x;
  mov.u32 %r5, %ntid.x;
  mov.u32 %r6, %tid.x;
  mad.lo.s32 %r7, %r3, %r5, %r6;
  mul.wide.u32 %rd4, %r7, 4;
  add.s64 %rd5, %rd1, %rd4;
  ld.global.u32 %r8, [%rd5];
  shl.b32 %r8, %r8, 1;
  add.s64 %rd6, %rd2, %rd4;
  st.global.u32 [%rd6], %r8;
  barrier.sync 0;
  setp.ne.u32 %p2, %r6, 0;
  @%p2 bra MET;
  sub.s32 %r9, -2147483647, %r4;
  setp.eq.u32 %p3, %r3, 0;
  selp.b32 %r9, %r9, 1, %p3;
  atom.add.release.gpu.u32 %r10, [%rd3+4], %r9;
WAIT:
  ld.acquire.gpu.u32 %r11, [%rd3+4];
  xor.b32 %r11, %r11, %r10;
  setp.gt.s32 %p3, %r11, -1;
  @%p3 bra WAIT;
MET:
  barrier.sync 0;
  mul.lo.u32 %r9, %r4, %r5;
  not.b32 %r10, %r7;
  add.s32 %r9, %r9, %r10;
  mul.wide.u32 %rd7, %r9, 4;
  add.s64 %rd8, %rd2, %rd7;
  ld.global.u32 %r8, [%rd8];
  st.global.u32 [%rd5], %r8;
  ret;
}
"""


@pytest.mark.parametrize("options", [{}, {"workers": 2}, {"resident_ctas": 2}])
def test_a_whole_grid_meets(options):
    device = Device(options=CpuOptions(**options))
    kernel = device.load(TURN_ROUND)["turn_round"]
    first = np.arange(5 * 64, dtype=np.uint32)
    a, b = device.array(first), device.zeros(first.size, np.uint32)
    stale = np.array([0x7FFF_FFFF], np.uint32).view(np.uint8)  # one arrival would open the barrier
    for _ in range(3):
        launched = device.launch(kernel, 5, 64, [a, b])
        device.backend.memory.view(GRID_WORKSPACE + 4, 4)[:] = stale  # as a launch that failed may
    np.testing.assert_array_equal(a.get(), 8 * first[::-1])
    assert launched.counts.ctas == 5
    # All CTAs run from the start: no one waits alone until it is found to wait for others.
    assert launched.counts.warp_instructions < 5_000


def test_the_workspace_is_no_buffer():
    device = Device()
    kernel = device.load(TURN_ROUND)["turn_round"]
    a, b = (device.zeros(64, np.uint32) for _ in range(2))
    before = device.backend.memory.used_bytes
    device.launch(kernel, 1, 64, [a, b])
    c = device.zeros(4)
    assert device.backend.memory.used_bytes == before + 16
    assert c.address - b.address == 512  # allocations go on behind the last one
    c.free()
    np.testing.assert_array_equal(b.get(), np.zeros(64))


def test_other_environment_registers_are_zero():
    text = TURN_ROUND.replace("%envreg1", "%envreg3").replace("%envreg2", "%envreg4")
    device = Device()
    kernel = device.load(text)["turn_round"]
    a = device.zeros(64, np.uint32)
    with pytest.raises(Exception, match="the kernel traps"):
        device.launch(kernel, 1, 64, [a, a])
