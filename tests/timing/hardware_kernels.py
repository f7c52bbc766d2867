"""Kernels of one head and a body each, simulated as hardware would run them."""

from warpmill.session.options import LaunchOptions
from warpmill.session.prepare import prepare
from warpmill.session.traces import trace_source
from warpmill.simulator.assembler.registers import RegisterCount
from warpmill.simulator.gpu.options import Options
from warpmill.simulator.gpu.results import result_of
from warpmill.simulator.gpu.simulate import LaunchWork, Simulation
from warpmill.simulator.machines import load_machine

HEAD = """.version 7.8
.target sm_70
.address_size 64
.visible .entry k(.param .u64 p)
{
    .reg .b32 %r<20>; .reg .b64 %rd<9>; .reg .pred %p<3>; .reg .f32 %f<20>;
    .shared .align 16 .b8 tile[1024];
    ld.param.u64 %rd1, [p];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mad.lo.u32 %r4, %r2, %r3, %r1;
"""
WITH_TABLE = HEAD.replace(".visible", ".const .align 4 .b8 table[4096];\n.visible")
ONE_COUNTER = "mov.u32 %r5, 1; red.global.add.u32 [%rd1], %r5; ret; }"


def work_of(tmp_path, body, *, grid=1, block=32, words=1 << 16, head=None):
    """A launch of a kernel of that body, given a buffer of zeros."""
    path = tmp_path / "k.ptx"
    path.write_text((head or HEAD) + body)
    options = LaunchOptions(grid=str(grid), block=str(block), args=(f"buffer=u32:{words}",))
    job = prepare(path, None, options)
    return LaunchWork(job.analysis.kernel_facts, job.required_launch(),
                RegisterCount(16, "given", False),
                lambda: trace_source(job))  # fmt: skip


def simulated(
    tmp_path, body, *, grid=1, block=32, words=1 << 16, base="v100", head=None, l2="cold", **changes
):
    """Simulate a launch as ``work_of`` makes it."""
    work = work_of(tmp_path, body, grid=grid, block=block, words=words, head=head)
    running = Simulation(load_machine(base, changes), [work], Options(l2=l2))
    running.run()
    return result_of(running)
