"""How large a recorded application is: a thousand launches over buffers that they share."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

from warpmill.executor.host.device import Device
from warpmill.executor.host.recording import save_recording

LAUNCHES = 1000
QUICK_LAUNCHES = 50
BYTES = 1 << 20  # of each buffer, of random bits
KERNEL = """
.version 8.0
.target sm_80
.address_size 64
.visible .entry mix(.param .u64 to, .param .u64 a, .param .u64 b, .param .u32 n, .param .u32 k)
{
    .reg .pred %p<2>; .reg .b32 %r<9>; .reg .b64 %d<9>;
    ld.param.u64 %d1, [to]; ld.param.u64 %d2, [a]; ld.param.u64 %d3, [b];
    ld.param.u32 %r1, [n]; ld.param.u32 %r2, [k];
    mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x; mov.u32 %r5, %tid.x;
    mad.lo.u32 %r3, %r3, %r4, %r5; setp.ge.u32 %p1, %r3, %r1; @%p1 bra DONE;
    mul.wide.u32 %d4, %r3, 4; add.u64 %d1, %d1, %d4; add.u64 %d2, %d2, %d4; add.u64 %d3, %d3, %d4;
    ld.global.u32 %r6, [%d2]; ld.global.u32 %r7, [%d3]; mad.lo.u32 %r6, %r6, %r2, %r7;
    st.global.u32 [%d1], %r6;
DONE: ret;
}
"""


def figures(*, quick, say):
    """Record it; the file's bytes over those of its buffers."""
    launches = QUICK_LAUNCHES if quick else LAUNCHES
    say(f"recording {launches} launches")
    device = Device()
    kernel = device.load(KERNEL, "mix.ptx")["mix"]
    random = np.random.default_rng(6)
    count = BYTES // 4
    buffers = [device.array(random.integers(0, 1 << 32, count, np.uint32)) for _ in range(3)]
    for k in range(launches):
        to, a, b = (buffers[(k + place) % 3] for place in range(3))
        device.launch(kernel, -(-count // 256), 256, [to, a, b, np.uint32(count), np.uint32(k)])
    device.synchronize()
    with tempfile.TemporaryDirectory() as folder:
        size = save_recording(device.recording, Path(folder) / "app.wmrec")
    return {
        "recording_launches": launches,
        "recording_bytes": size,
        "recording_ratio": round(size / (3 * BYTES), 3),
    }
