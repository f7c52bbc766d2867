"""Launches that look into textures and surfaces, as jobs that have executed traces.

Each of 32 lanes reads its coordinates (%f4 to %f6 as floats, %r4 to %r7 as integers) from buffers
and executes statements, each with the handle of an object of its own in %rd1.
"""

import numpy as np

from warpmill.executor.host.device import Device
from warpmill.session.applications import Application
from warpmill.session.options import TraceOptions
from warpmill.session.traces import trace_source

_PTX = """.version 7.8
.target sm_80
.address_size 64
.visible .entry k(.param .u64 handles, .param .u64 floats, .param .u64 whole, .param .u64 out)
{{
    .reg .f32 %f<12>; .reg .b32 %r<12>; .reg .b64 %rd<9>; .reg .pred %p<3>;
    ld.param.u64 %rd7, [handles];
    ld.param.u64 %rd2, [floats];
    ld.param.u64 %rd3, [whole];
    ld.param.u64 %rd4, [out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd5, %r1, 16;
    add.u64 %rd2, %rd2, %rd5;
    add.u64 %rd3, %rd3, %rd5;
    ld.global.v4.f32 {{%f4, %f5, %f6, %f7}}, [%rd2];
    ld.global.v4.u32 {{%r4, %r5, %r6, %r7}}, [%rd3];
    mov.f32 %f0, 0f00000000;
    {statements}
    mul.wide.u32 %rd6, %r1, 4;
    add.u64 %rd4, %rd4, %rd6;
    st.global.f32 [%rd4], %f0;
    ret;
}}
"""

LANES = 32


def job_of(made, *, floats=(), whole=()):
    """The job of one warp. ``made`` has pairs of a statement and what makes its texture or
    surface of a device; ``floats`` and ``whole`` are the lanes' coordinates, an array an axis."""
    device = Device()
    objects = [make(device) for _, make in made]
    text = "".join(f"ld.global.u64 %rd1, [%rd7+{8 * k}]; {s}\n" for k, (s, _) in enumerate(made))
    kernel = device.load(_PTX.format(statements=text), "kernel.ptx")["k"]
    buffers = [
        device.array(np.array([o.handle for o in objects], np.uint64)),
        device.array(_columns(floats, np.float32)),
        device.array(_columns(whole, np.int32)),
        device.array(np.zeros(LANES, np.float32)),
    ]
    device.launch(kernel, 1, LANES, buffers)
    return Application("kernel", device.recording).job(0)


def _columns(axes, dtype):
    given = np.zeros((LANES, 4), dtype)
    for k, values in enumerate(axes):
        given[:, k] = values
    return given


def batch_of(job):
    """The source of a job's executed traces, and their only batch."""
    source = trace_source(job, TraceOptions("executed"))
    (batch,) = source.batches([(0, 0, 0)])
    return source, batch


def texels(job):
    """The accesses to texels: kind, space, width, and by lane the byte in the object's memory.

    A lane that is off has None. The objects of a job have memory one after another.
    """
    source, batch = batch_of(job)
    objects = [r for r in source.layout.regions if r.name.startswith(("texture ", "surface "))]
    columns = (batch.access_point, batch.access_mask, batch.lane_addresses)
    found = []
    for point, mask, lanes in zip(*(c.tolist() for c in columns), strict=True):
        own = batch.tables.points[point]
        if own.space.value in ("texture", "surface"):
            on = [a if mask >> k & 1 else None for k, a in enumerate(lanes)]
            first = min(a for a in on if a is not None)
            start = max(r.start for r in objects if r.start <= first)
            where = [None if a is None else a - start for a in on]
            found.append((own.kind, own.space.value, own.width_bytes, where))
    return found
