"""Racecheck held to a twin with a vector clock for every thread, on random small kernels."""

import numpy as np
import pytest

from tests.reference.race_twin import races_of
from tests.reference.racing_kernels import (
    BYTES,
    ORDERS,
    arriving_barrier,
    chain_kernel,
    full_barrier,
    named_barrier,
    random_kernel,
    some_fence,
    warp_barrier,
)
from warpmill.analyzer.base.diagnostics import Source
from warpmill.executor.host.cpu_device import CpuOptions
from warpmill.executor.host.device import Device
from warpmill.executor.sanitizers.findings import FindingKind, Tool
from warpmill.executor.sanitizers.sanitizer import Sanitizer

NARROW = FindingKind.NARROW_SCOPE
FEW = 8


def watched(kernel, target="sm_80"):
    """Run a kernel; gives its sanitizer, after the launch."""
    sanitizer = Sanitizer(frozenset({Tool.RACECHECK}))
    device = Device(options=CpuOptions(sanitizer=sanitizer))
    k = device.load(Source("k.ptx", kernel.text(target))).kernel("k")
    plan, data = device.array(kernel.plan_words()), device.zeros(BYTES + 8, np.uint8)
    device.launch(k, kernel.ctas, kernel.threads, [plan, data])
    return sanitizer


def pair(kernel, finding):
    """The two accesses of a finding: CTA, thread and operation of each."""
    both = (finding.other, finding.access)
    return tuple((one.cta[0], one.thread[0], kernel.op_at(one.span.line)) for one in both)


def compare(kernel, target="sm_80", lockstep=0, *, finds_all=True):
    """All that is found is a race by the book, and where there are races one is found.

    Not ``finds_all``: of many threads that read a place two are remembered, and the others may be
    those that a barrier of some threads leaves out.
    """
    sanitizer = watched(kernel, target)
    book = races_of(kernel.executed(), lockstep)
    pairs = {((a.cta, a.thread, a.op), (b.cta, b.thread, b.op)): (a, b) for a, b in book}
    pairs |= {(b, a): both for (a, b), both in pairs.items()}
    for finding in sanitizer.findings:
        racing = pairs.get(pair(kernel, finding))
        assert racing is not None, finding.message
        narrow = all(a.scope is not None for a in racing)
        assert narrow == (finding.kind is NARROW)
    if finds_all or len(book) > FEW:
        assert bool(book) == bool(sanitizer.findings)
    assert not sanitizer.not_checked
    return book, sanitizer.findings


@pytest.mark.one_in(8)
@pytest.mark.parametrize("seed", range(96))
def test_full_barriers_and_atomics(seed):
    scopes = (None, None, "cta", "gpu", "sys")
    compare(random_kernel(seed, (full_barrier,), scopes))


@pytest.mark.one_in(8)
@pytest.mark.parametrize("seed", range(48))
def test_lanes_that_go_together(seed):
    compare(random_kernel(seed, (full_barrier,)), "sm_60", lockstep=32)


SOME = (full_barrier, named_barrier, arriving_barrier, warp_barrier, warp_barrier)


@pytest.mark.one_in(8)
@pytest.mark.parametrize("seed", range(160))
def test_barriers_of_some_threads(seed):
    kernel = random_kernel(seed, SOME, length=(4, 12))
    compare(kernel, finds_all=False)


@pytest.mark.one_in(8)
@pytest.mark.parametrize("seed", range(160))
def test_fences_releases_and_acquires(seed):
    """Each CTA sees what those before it have released, as they run one after another here."""
    scopes = (None, None, "gpu", "gpu", "sys", "cta")
    meetings = (full_barrier, some_fence, some_fence)
    kernel = random_kernel(seed, meetings, scopes, length=(5, 14), orders=ORDERS)
    compare(kernel, finds_all=False)


@pytest.mark.one_in(8)
@pytest.mark.parametrize("seed", range(240))
def test_chains_of_atomics_behind_fences_of_some_threads(seed):
    """What one thread releases to all, and others to their CTA alone, at one place."""
    compare(chain_kernel(seed))


BYTE_BY_BYTE = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 data)
{{
.reg .pred %p<5>; .reg .b32 %r<5>; .reg .b64 %d<3>;
ld.param.u64 %d1, [data]; mov.u32 %r1, %tid.x; mov.u32 %r2, 0;
setp.eq.u32 %p0, %r1, 0; setp.eq.u32 %p1, %r1, 32;
setp.eq.u32 %p2, %r1, 64; setp.eq.u32 %p3, %r1, 96;
@%p0 st.global.u32 [%d1+256], %r2;
bar.sync 0;
@%p1 st.global.u8 [%d1+256], %r2;
@%p2 st.global.u8 [%d1+{beside}], %r2;
@%p3 ld.global.u8 %r3, [%d1+{read}];
ret;
}}
"""


@pytest.mark.parametrize(("read", "races"), [(256, [(32, 96)]), (257, [])])
@pytest.mark.parametrize("beside", [258, 1, 513])
def test_bytes_keep_what_each_of_them_saw_when_others_are_told_apart(beside, read, races):
    """A word that was written whole, then a byte of it; another byte there, before and behind."""
    sanitizer = Sanitizer(frozenset({Tool.RACECHECK}))
    device = Device(options=CpuOptions(sanitizer=sanitizer))
    kernel = device.load(Source("k.ptx", BYTE_BY_BYTE.format(beside=beside, read=read))).kernel("k")
    device.launch(kernel, 1, 128, [device.zeros(1024, np.uint8)])
    found = [(f.other.thread[0], f.access.thread[0]) for f in sanitizer.findings]
    assert found == races
