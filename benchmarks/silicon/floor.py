"""What a kernel that does next to nothing takes between two events: the least that is timed."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median

from warpmill.benchmarks.silicon.measuring import STATES
from warpmill.benchmarks.silicon.timed import TimedBackend
from warpmill.executor.host.device import Device

LAUNCHES = 51

NEAR_EMPTY = """
.version 6.0
.target sm_50
.address_size 64
.visible .entry near_empty(.param .u64 words)
{
    .reg .b32 %x;
    .reg .b64 %at;
    ld.param.u64 %at, [words];
    ld.global.u32 %x, [%at];
    add.u32 %x, %x, 1;
    st.global.u32 [%at], %x;
    ret;
}
"""


def floor_ms(backend: TimedBackend, flushed_bytes: int) -> Mapping[str, float | None]:
    """Time a warp that adds 1 to a word, in each state of L2: the median of some launches.

    None where a GPU tells no times.
    """
    found = {}
    for state in STATES:
        backend.flushed_bytes = flushed_bytes if state == "flushed" else 0
        device = Device(backend)
        kernel, words = device.load(NEAR_EMPTY, "near_empty.ptx")["near_empty"], device.zeros(64)
        for _ in range(LAUNCHES):
            device.launch(kernel, 1, 32, [words])
        known = [one.ms for one in backend.taken() if one.ms is not None]
        found[state] = median(known) if known else None
    backend.flushed_bytes = 0
    return found
