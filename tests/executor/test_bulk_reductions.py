"""Bulk reductions are executed: shared elements are combined with those in global memory."""

import numpy as np
import pytest

from warpmill.executor.host.device import Device

KERNEL = """.version 9.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 to, .param .u64 from, .param .u32 size)
{{
  .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<2>;
  .shared .align 16 .b8 tile[256];
  ld.param.u64 %rd1, [to]; ld.param.u64 %rd2, [from]; ld.param.u32 %r1, [size];
  mov.u32 %r2, %tid.x; mul.wide.u32 %rd3, %r2, 8; add.s64 %rd4, %rd2, %rd3;
  ld.global.b64 %rd5, [%rd4];
  mov.u32 %r3, tile; mul.lo.u32 %r4, %r2, 8; add.u32 %r5, %r3, %r4;
  st.shared.b64 [%r5], %rd5;
  bar.sync 0;
  setp.ne.u32 %p1, %r2, 0;
  @%p1 bra END;
  cp.reduce.async.bulk.global.shared::cta.bulk_group.{} [%rd1], [%r3], %r1;
  cp.async.bulk.commit_group;
  cp.async.bulk.wait_group 0;
END:
  ret;
}}
"""


@pytest.mark.parametrize(
    ("words", "dtype", "combine"),
    [
        ("add.u32", np.uint32, np.add),
        ("min.s32", np.int32, np.minimum),
        ("max.u64", np.uint64, np.maximum),
        ("xor.b32", np.uint32, np.bitwise_xor),
        ("add.f32", np.float32, np.add),
        ("add.noftz.f16", np.float16, np.add),
    ],
)
def test_elements_are_combined(words, dtype, combine):
    kinds = np.random.default_rng(7)
    n = 256 // np.dtype(dtype).itemsize
    to, given = (kinds.integers(0, 100, n).astype(dtype) for _ in range(2))
    if dtype is np.int32:
        given = given - dtype(50)
    device = Device()
    kernel = device.load(KERNEL.format(words))["k"]
    target = device.array(to)
    for size in (256, 128):
        device.launch(kernel, 1, 32, [target, device.array(given), np.uint32(size)])
        part = size // np.dtype(dtype).itemsize
        to[:part] = combine(to[:part], given[:part])
        np.testing.assert_array_equal(target.get(), to)
