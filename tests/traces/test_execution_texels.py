"""Texels in executed traces: their addresses against NumPy's, lane by lane."""

import math
from functools import partial

import numpy as np
import pytest

from tests.reference import texture_twin as twin
from tests.reference.run_kernel import kernel_text, prepare
from tests.traces.texel_traces import LANES, batch_of, job_of, texels
from warpmill.analyzer.traces.comparison import compare_traces
from warpmill.analyzer.traces.source import StaticSource
from warpmill.analyzer.traces.summary import sampled_ctas
from warpmill.executor.compile import CompileOptions
from warpmill.session.options import TraceOptions
from warpmill.session.traces import save_traces, trace, trace_source

FLOATS = "tex.{}.v4.f32.f32 {{%f0, %f1, %f2, %f3}}, [%rd1, {{{}}}];"
WHOLE = "tex.{}.v4.f32.s32 {{%f0, %f1, %f2, %f3}}, [%rd1, {{{}}}];"
AXES = {1: "%f4", 2: "%f4, %f5", 3: "%f4, %f5, %f6, %f6"}
SIZES = (6, 5, 7)  # of z, y and x


def spread(axes, seed=0):
    """Draw coordinates inside and far outside, some of them whole, half of them around 0 and 1."""
    rng = np.random.default_rng(seed)
    drawn = [rng.uniform(-2 * size, 3 * size, LANES) for size in SIZES[::-1][:axes]]
    for values in drawn:
        values[:8] = np.floor(values[:8])
        values[16:] = rng.uniform(-0.5, 1.5, LANES - 16)
    return [values.astype(np.float32) for values in drawn]


def byte_of(picture, indices):
    """The byte of the first of some texels (x, y, z) in row-major memory; None: none."""
    place, (_, _, height, width, channels) = [], picture.texels.shape
    sizes = picture.texels.shape[3:0:-1]
    for axis, of_axis in enumerate(indices):
        mode = picture.modes[axis]
        found = [twin.index_of(i, sizes[axis], mode, picture.is_normalised) for i in of_axis]
        found = [i for i in found if i is not None]
        if not found:
            return None
        place.append(found[0])
    x, y, z = (*place, 0, 0)[:3]
    return ((z * height + y) * width + x) * channels * picture.texels.itemsize


def expected(picture, at):
    """The byte of each lane's first texel, from float coordinates by axis."""
    found, sizes = [], picture.texels.shape[3:0:-1]
    for lane in range(LANES):
        indices = []
        for axis, values in enumerate(at):
            x = twin.in_texels(picture, values[lane], sizes[axis], picture.modes[axis])
            low = math.floor(np.float32(x - np.float32(0.5)) if picture.is_linear else x)
            indices.append((low, low + 1) if picture.is_linear else (low,))
        found.append(byte_of(picture, indices))
    return found


SAMPLERS = [
    (mode, normalised, linear)
    for mode in ("clamp", "border", "wrap", "mirror")
    for normalised in (False, True)
    for linear in (False, True)
    if normalised or mode in ("clamp", "border")
]


@pytest.mark.parametrize("axes", [1, 2, 3])
def test_the_first_texel_of_a_lookup(axes):
    values = np.zeros(SIZES[3 - axes :], np.float32)
    shaped = values.reshape(1, *(1,) * (3 - axes), *values.shape, 1)
    at, made, wanted = spread(axes), [], []
    for mode, normalised, linear in SAMPLERS:
        words = {
            "filter": "linear" if linear else "point",
            "address": mode,
            "normalised_coordinates": normalised,
        }
        made.append((FLOATS.format(f"{axes}d", AXES[axes]), partial(texture, values, words)))
        places = expected(twin.Picture(shaped, (mode,) * 3, normalised, linear), at)
        assert (None in places) == (mode == "border")
        wanted.append(("load", "texture", 4, places))
    assert texels(job_of(made, floats=at)) == wanted


def texture(values, words, device):
    return device.texture(values, **words)


def test_a_texel_is_as_wide_as_its_format():
    x, y = np.arange(LANES) % 7, np.arange(LANES) % 5
    statement, made, wanted = WHOLE.format("2d", "%r4, %r5"), [], []
    for dtype, channels in (("uint8", 1), ("int16", 2), ("float16", 4), ("float32", 4)):
        values = np.zeros((5, 7, channels) if channels > 1 else (5, 7), dtype)
        made.append((statement, partial(texture, values, {"channels": channels})))
        size = channels * values.itemsize
        wanted.append(("load", "texture", size, ((7 * y + x) * size).tolist()))
    assert texels(job_of(made, whole=(x, y))) == wanted


def test_layers_faces_and_a_gather():
    values, lanes = np.zeros((6, 4, 4), np.float32), np.arange(LANES)
    layer, x, y = lanes % 8, lanes % 4, lanes // 8
    at = np.stack([np.full(LANES, 0.1), np.linspace(-1.0, 3.0, LANES), np.full(LANES, 0.4)])
    at = at.astype(np.float32)
    faces = []
    for direction in at.T:
        face, s, t = twin.cube_place(*direction)
        faces.append((face * 16 + math.floor(4 * t) * 4 + math.floor(4 * s)) * 4)
    around = twin.Picture(values[:1].reshape(1, 1, 4, 4, 1), is_linear=True)
    made = [
        (WHOLE.format("a2d", "%r4, %r5, %r6, %r6"), partial(texture, values, {"layered": True})),
        (
            FLOATS.format("cube", "%f4, %f5, %f6, %f6"),
            partial(texture, values, {"cube": True, "normalised_coordinates": True}),
        ),
        (
            "tld4.r.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%rd1, {%f4, %f5}];",
            partial(texture, values[0], {}),
        ),
    ]
    layered = ((np.minimum(layer, 5) * 16 + y * 4 + x) * 4).tolist()
    wanted = [layered, faces, expected(around, at[:2])]
    found = texels(job_of(made, floats=at, whole=(layer, x, y)))
    assert found == [("load", "texture", 4, places) for places in wanted]


def test_lines_and_lanes_that_are_off():
    x, made, wanted = np.arange(LANES) * 3 - 10, [], []
    for channels, most in ((1, 20), (2, 20), (1, 0)):
        statement = f"setp.lt.s32 %p1, %r1, {most}; @%p1 " + WHOLE.format("1d", "%r4")
        values = np.zeros((50, 2), np.float32) if channels == 2 else np.zeros(50, np.float32)
        made.append((statement, partial(texture, values, {"channels": channels})))
        size = 4 * channels
        places = [size * int(i) if k < most else None for k, i in enumerate(np.clip(x, 0, 49))]
        wanted.append(("load", "texture", size, places))
    assert texels(job_of(made, whole=(x,))) == wanted[:2]


def test_surfaces_are_loaded_stored_and_reduced_into():
    values, lanes = np.zeros((4, 8), np.uint32), np.arange(LANES)
    x, y = lanes % 10 - 1, lanes // 8
    inside = (x >= 0) & (x < 8)
    places = [int(4 * (8 * b + a)) if on else None for a, b, on in zip(x, y, inside, strict=True)]
    made = [
        ("suld.b.2d.b32.zero %r8, [%rd1, {%r4, %r5}];", "load", np.uint32),
        ("sust.b.2d.b32.zero [%rd1, {%r4, %r5}], %r1;", "store", np.uint32),
        ("sust.p.2d.b32.zero [%rd1, {%r6, %r5}], %r1;", "store", np.uint32),
        ("sured.p.add.2d.u32.zero [%rd1, {%r6, %r5}], %r1;", "atomic", np.uint32),
        ("sured.p.add.2d.u32.zero [%rd1, {%r6, %r5}], %r1;", None, np.uint8),  # does nothing
        ("sust.p.2d.b32.zero [%rd1, {%r6, %r5}], %r1;", "store", np.uint8),
    ]
    job = job_of(
        [(s, partial(surface, values.astype(dtype))) for s, _, dtype in made],
        whole=(4 * x, y, x),
    )
    wanted = [(kind, "surface", 4, places) for _, kind, _ in made if kind]
    wanted[-1] = ("store", "surface", 1, [None if p is None else p // 4 for p in places])
    assert texels(job) == wanted


def surface(values, device):
    return device.surface(values)


def a_job():
    return job_of(
        [(WHOLE.format("2d", "%r4, %r5"), partial(texture, np.zeros((8, 8), np.float32), {}))],
        whole=(np.arange(LANES) * 5 % 8, np.arange(LANES) // 4),
    )


def test_they_are_saved_and_read_again(tmp_path):
    job, path = a_job(), tmp_path / "texels.traces"
    source, batch = batch_of(job)
    save_traces(job, source, path, sampled_ctas(job.launch.grid, 1))
    read = trace_source(job, TraceOptions(str(path)))
    assert list(read.batches([(0, 0, 0)])) == [batch]
    assert texels(a_job()) == texels(job)


def test_the_summary_has_them_and_static_traces_do_not():
    job = a_job()
    place = next(
        (b.id, k)
        for b in job.kernel.blocks
        for k, i in enumerate(b.instructions)
        if i.operation.name == "tex"
    )
    executed, static = (
        {(a.block, a.instruction): a for a in trace(job, TraceOptions(how)).summary.accesses}
        for how in ("executed", "static")
    )
    assert executed.keys() - static.keys() == {place}
    own = executed[place]
    assert (own.warp_executions, own.thread_executions, own.bytes_requested) == (1, 32, 128)
    assert own.sectors == 8  # a row of 8 texels each
    source, _ = batch_of(job)
    made = (job.loaded.module, job.analysis.structure, job.required_launch())
    without_data = StaticSource(*made, layout=source.layout)
    pairs = [(without_data.warps((0, 0, 0)), source.warps((0, 0, 0)))]
    compared = compare_traces(job.kernel, pairs)
    assert compared.equal_warps == compared.warps == 1


def test_who_does_not_record_addresses_pays_nothing():
    body = "tex.1d.v4.s32.s32 {%r1, %r2, %r3, %r4}, [%d1, {%r5}]; ret;"
    texts = {}
    for recorded in (False, True):
        options = CompileOptions(record_events=recorded, record_addresses=recorded)
        made = prepare(kernel_text(body, {"out": np.zeros(1)}), 32, options)
        texts[recorded] = made.compiled.lowered
    assert not texts[False].recorded
    assert [p.width_bytes for p in texts[True].recorded] == [1, 2, 4, 8, 16]
    assert texts[True].most_words < 2 * (3 + 32) + 4  # one access, not one a width
