"""Racecheck leaves out loads of memory that nothing of a launch means to write, and those alone."""

import numpy as np
import pytest

import warpmill
from warpmill.executor.host.cpu_device import CpuOptions
from warpmill.executor.sanitizers.findings import Tool
from warpmill.executor.sanitizers.sanitizer import Sanitizer

KERNEL = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 a, .param .u64 b, .param .u32 loaded, .param .u32 follows)
{
  .reg .b32 %r<9>; .reg .b64 %d<9>;
  ld.param.u64 %d0, [a];
  ld.param.u64 %d1, [b];
  ld.param.u32 %r4, [loaded];
  ld.param.u32 %r5, [follows];
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r3, %r0, %r1, %r2;
  add.u32 %r6, %r3, %r4;
  mul.wide.u32 %d2, %r6, 4;
  add.s64 %d3, %d0, %d2;
  ld.global.u32 %r7, [%d3];
  mad.lo.u32 %r8, %r7, %r5, %r3;
  mul.wide.s32 %d4, %r8, 4;
  add.s64 %d5, %d1, %d4;
  st.global.u32 [%d5], %r7;
  ret;
}
"""
BLOCK = 64


def watched(ctas, *, in_place=False, loaded=0, values=None):
    """What racecheck says: findings, and what is not checked; ``values`` move what is stored."""
    sanitizer = Sanitizer(frozenset({Tool.RACECHECK}))
    device = warpmill.Device(options=CpuOptions(sanitizer=sanitizer))
    size = 2 * ctas * BLOCK
    a = device.array(np.arange(size, dtype=np.uint32) if values is None else values)
    b = a if in_place else device.zeros(size, np.uint32)
    kernel = device.load(KERNEL)["k"]
    arguments = [a, b, np.uint32(loaded), np.uint32(values is not None)]
    device.launch(kernel, ctas, BLOCK, arguments)
    return sanitizer.findings, sanitizer.not_checked


SMALL, LARGE = 4, 1024
"""CTAs of launches in which nothing is left out, and of those that are worth to be looked at."""


@pytest.mark.parametrize("ctas", [SMALL, LARGE])
def test_what_is_read_and_written_races_however_large_the_launch(ctas):
    (found,), not_checked = watched(ctas, in_place=True, loaded=1)
    assert (found.kind, not_checked) == ("race", [])
    assert found.count == ctas * BLOCK - 1  # all but the last thread's, which nobody writes


@pytest.mark.parametrize("ctas", [SMALL, LARGE])
def test_another_buffer_is_no_race(ctas):
    assert watched(ctas, loaded=1) == ([], [])


def test_a_store_that_leaves_its_buffer_for_one_that_was_left_out_is_told():
    size = 2 * LARGE * BLOCK
    apart = -(-4 * size // 512) * 512 // 4  # elements from the start of a to that of b
    found, not_checked = watched(LARGE, values=np.full(size, -apart % (1 << 32), np.uint32))
    assert not_checked == [
        "racecheck: loads before a store that left the buffer it is counted from in k"
    ]
    assert {one.kind for one in found} <= {"race", "race of equal values"}
