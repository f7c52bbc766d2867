"""benchmarks/check_costs: which errors are shown to be races by what knows nothing of clocks."""

import numpy as np
import pytest

from warpmill.analyzer.base.diagnostics import Source
from warpmill.benchmarks.check_costs import is_shown, program_row
from warpmill.executor.host.cpu_device import CpuOptions
from warpmill.executor.host.device import Device
from warpmill.executor.sanitizers.findings import Tool
from warpmill.executor.sanitizers.sanitizer import Sanitizer

HEAD = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 a)
{
  .reg .pred %p; .reg .b32 %r<9>; .reg .b64 %d;
  ld.param.u64 %d, [a];
  mov.u32 %r0, %ctaid.x;
"""
LARGEST = """ld.global.u32 %r2, [%d];
AGAIN:
  mov.u32 %r3, %r2;
  atom.acquire.gpu.global.cas.b32 %r2, [%d], %r3, 7;
  setp.ne.u32 %p, %r2, %r3;
  @%p bra AGAIN;
  fence.acq_rel.gpu;
"""
"""A weak load that meets the exchanges of other threads, in one order and in the other."""
NOT_RELEASED = """setp.ne.u32 %p, %r0, 0;
  @%p bra READ;
  st.global.u32 [%d], 5;
  bra OUT;
READ:
  fence.acq_rel.gpu;
  ld.global.u32 %r2, [%d];
OUT:
"""
SAME_STORE = "st.global.u32 [%d], %r0;"


def found(body, ctas, threads):
    sanitizer = Sanitizer(frozenset({Tool.RACECHECK}))
    device = Device(options=CpuOptions(sanitizer=sanitizer))
    kernel = device.load(Source("k.ptx", f"{HEAD}  {body}\n  ret;\n}}\n")).kernel("k")
    device.launch(kernel, ctas, threads, [device.zeros(4, np.uint32)])
    return sanitizer.findings, kernel.kernel


def test_it_is_enough_that_the_later_access_acquires_nothing_in_one_of_the_orders():
    findings, kernel = found(LARGEST, 1, 64)
    later = [(one.access.what, is_shown(one, kernel)) for one in findings]
    assert later == [("atomic", False), ("load", True)]
    row = program_row("g", "n", 1, findings, {"k": kernel}, (), {})
    assert (row.errors, row.shown) == (2, 2)


@pytest.mark.parametrize(("body", "shown"), [(NOT_RELEASED, 0), (SAME_STORE, 1)])
def test_what_may_acquire_before_is_not_shown(body, shown):
    findings, kernel = found(body, 2, 1)
    row = program_row("g", "n", 1, findings, {"k": kernel}, (), {})
    assert (row.errors, row.shown) == (1, shown)
