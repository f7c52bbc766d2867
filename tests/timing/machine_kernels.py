"""Small kernels that each lean on one part of a machine, and what a machine makes of them.

A kernel is written as what its loop does, ``unroll`` times a turn for ``turns`` turns. Registers
that every kernel finds: %r2 the thread, %r5 the thread in the grid, %rd1 the buffer, %rd3 the
thread's own word of it, %f1 is 1.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import numpy as np

from warpmill.executor.host.device import Device
from warpmill.session.applications import Application
from warpmill.session.options import LaunchOptions, TraceOptions
from warpmill.session.prepare import prepare
from warpmill.session.traces import trace_source
from warpmill.simulator.assembler.registers import RegisterCount
from warpmill.simulator.gpu.options import Options
from warpmill.simulator.gpu.results import result_of
from warpmill.simulator.gpu.simulate import LaunchWork, Simulation
from warpmill.simulator.machines import load_machine

_PTX = """.version 7.8
.target sm_80
.address_size 64
{module}
.visible .entry k(.param .u64 a, .param .u32 n)
{{
    .reg .pred %p<8>; .reg .b16 %h<8>; .reg .b32 %r<40>; .reg .b64 %rd<40>;
    .reg .f32 %f<40>; .reg .f64 %fd<20>;
    {shared}
    ld.param.u64 %rd1, [a];
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %tid.x;
    mov.u32 %r3, %ctaid.x;
    mov.u32 %r4, %ntid.x;
    mad.lo.u32 %r5, %r3, %r4, %r2;
    mul.wide.u32 %rd2, %r5, 4;
    add.u64 %rd3, %rd1, %rd2;
    mov.f32 %f1, 0f3F800000;
    {before}
LOOP:
    {body}
    sub.u32 %r1, %r1, 1;
    setp.ne.u32 %p7, %r1, 0;
    @%p7 bra LOOP;
    {after}
    ret;
}}
"""


@dataclass(frozen=True)
class Case:
    """A kernel with its launch. ``words`` are those of the buffer, ``chase`` the bytes from one of
    its pointers to the next one (0: it holds zeros). ``static``: it is not executed. ``texels`` is
        the shape of a texture of floats, whose handle is 1."""

    body: str
    turns: int = 1
    unroll: int = 1
    before: str = ""
    after: str = ""
    module: str = ""
    shared_bytes: int = 0
    grid: int = 1
    block: int = 32
    words: int = 1024
    chase: int = 0
    texels: tuple = ()
    static: bool = False

    @property
    def text(self):
        """The module."""
        shared = f".shared .align 16 .b8 s[{self.shared_bytes}];" if self.shared_bytes else ""
        body = "\n".join(self.body.replace("#", str(k)) for k in range(self.unroll))
        return _PTX.format(
            module=self.module, shared=shared, before=self.before, body=body, after=self.after
        )


@cache
def _job(case):
    """The launch as a job that has its traces, executed on the CPU unless it is static."""
    if case.static:
        path = Path(mkdtemp()) / "kernel.ptx"
        path.write_text(case.text)
        arguments = (f"buffer=u32:{case.words}", str(case.turns))
        sizes = LaunchOptions(grid=str(case.grid), block=str(case.block), args=arguments)
        return prepare(path, "k", sizes)
    device = Device()
    words = np.zeros(case.words, np.uint32)
    buffer = device.array(words)
    if case.texels:
        device.texture(np.zeros(case.texels, np.float32))
    if case.chase:
        places = np.arange(0, 4 * case.words, case.chase, dtype=np.uint64)
        linked = np.zeros(case.words // 2, np.uint64)
        linked[places // 8] = buffer.address + np.roll(places, -1)
        device.copy(buffer, linked.view(np.uint32))
    kernel = device.load(case.text, "kernel.ptx")["k"]
    device.launch(kernel, case.grid, case.block, [buffer, case.turns])
    return Application("kernel", device.recording).job(0)


def simulated(case, machine, settings=None, registers=32, **options):
    """Simulate a case on a machine, changed by settings."""
    job = _job(case)
    work = LaunchWork(
        job.analysis.kernel_facts,
        job.launch,
        RegisterCount(registers, "given", False),
        lambda: trace_source(job, TraceOptions("executed" if case.texels else "auto")),
    )
    simulation = Simulation(load_machine(machine, settings or {}), (work,), Options(**options))
    simulation.run()
    return result_of(simulation)
