"""OpenCL's ``__constant`` arguments: buffers that kernels read as constant memory."""

import numpy as np
import pytest

from warpmill.analyzer.base.diagnostics import WarpmillError
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.traces.model import visits_with_counts
from warpmill.executor.host.device import Device
from warpmill.session.applications import Application
from warpmill.session.options import TraceOptions
from warpmill.session.traces import trace_source

KERNEL = """
target triple = "nvptx64-nvidia-cuda"
@table = addrspace(4) constant [4 x float] [float 1.0, float 2.0, float 3.0, float 4.0]
define void @mix(ptr addrspace(4) %from, ptr addrspace(1) %to, i32 %shift) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = add i32 %t, %shift
  %p = getelementptr float, ptr addrspace(4) %from, i32 %i
  %a = load float, ptr addrspace(4) %p
  %u = and i32 %t, 3
  %q = getelementptr [4 x float], ptr addrspace(4) @table, i32 0, i32 %u
  %b = load float, ptr addrspace(4) %q
  %g = addrspacecast ptr addrspace(4) %p to ptr
  %c = load float, ptr %g
  %h = addrspacecast ptr addrspace(4) %q to ptr
  %d = load float, ptr %h
  %s1 = fadd float %a, %b
  %s2 = fadd float %c, %d
  %s = fmul float %s1, %s2
  %o = getelementptr float, ptr addrspace(1) %to, i32 %t
  store float %s, ptr addrspace(1) %o
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
!nvvm.annotations = !{!0}
!0 = !{ptr @mix, !"kernel", i32 1}
"""


@pytest.fixture
def launched():
    device = Device()
    kernel = device.load(KERNEL, "mix.ll")["mix"]
    values = np.arange(40, dtype=np.float32)
    given = device.array(values, name="given")
    made = device.zeros(32, np.float32, name="made")
    device.launch(kernel, 1, 32, [given, made, 5])
    return device, kernel, given, made, values


def test_buffers_and_variables_are_read_side_by_side(launched):
    made, values = launched[3], launched[4]
    table = np.array([1, 2, 3, 4], np.float32)[np.arange(32) % 4]
    assert np.array_equal(made.get(), (values[5:37] + table) ** 2)


def test_an_access_outside_the_buffer_is_a_fault(launched):
    device, kernel, given, made, _ = launched
    with pytest.raises(WarpmillError, match="out of bounds"):
        device.launch(kernel, 1, 32, [given, made, 9])
    with pytest.raises(WarpmillError, match="out of bounds"):
        device.launch(kernel, 1, 32, [given, made, -1])


@pytest.mark.parametrize("source", ["static", "executed"])
def test_traces_show_constant_accesses_to_the_buffer(launched, source):
    app = Application("mix", launched[0].recording)
    job = app.job(0)
    places = {(a.block, a.instruction): a.space for a in job.analysis.accesses}
    traces = trace_source(job, TraceOptions(source))
    (warp,) = traces.warps((0, 0, 0))
    constant = [
        warp.bases[access.addresses.slot]
        for visit, _ in visits_with_counts(warp.nodes)
        for access in visit.accesses
        if places[visit.block, access.instruction] is Space.CONST
    ]
    given, *table = [traces.layout.region(base) for base in constant]
    assert constant[0] - given.start == 20
    assert given.size_bytes == 160
    assert {one.name for one in table} == {"table"}
