"""tex, tld4 and txq against NumPy."""

import numpy as np
import pytest

from tests.reference import texture_twin as twin
from tests.reference.memory_operation import Memory, compile_with_memory
from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends import ptx
from warpmill.analyzer.ir.types import Space
from warpmill.executor.native.layout import FaultKind
from warpmill.executor.native.rules import REFUSALS
from warpmill.executor.native.specials import Places
from warpmill.executor.texture_table import (
    AddressMode,
    Filter,
    TexelFormat,
    TextureDescriptor,
    texture_table,
)

DECLARED = ".reg .f32 %f<9>; .reg .b32 %r<12>; .reg .b16 %h<5>; .reg .b64 %rd<3>; .reg .pred %p<2>;"
FORMATS = {
    "uint8": TexelFormat.U8, "uint16": TexelFormat.U16, "uint32": TexelFormat.U32,
    "int8": TexelFormat.S8, "int16": TexelFormat.S16, "int32": TexelFormat.S32,
    "float16": TexelFormat.F16, "float32": TexelFormat.F32,
}  # fmt: skip
HANDLES = np.full(32, 1, np.uint64)


def picture_of(rng, dtype="float32", channels=4, size=(5, 7), layers=1, **words):
    """Draw a picture; sizes are those of y and x, of z, y and x, or of x."""
    shape = (layers, *(1,) * (3 - len(size)), *size, channels)
    if np.dtype(dtype).kind == "f":
        texels = rng.normal(size=shape).astype(dtype)
    else:
        bounds = np.iinfo(dtype)
        texels = rng.integers(bounds.min, bounds.max + 1, shape).astype(dtype)
    return twin.Picture(texels, **words)


def describe(picture, pad=0):
    """Lay a picture out with ``pad`` bytes after each row; gives it and its descriptor."""
    layers, depth, height, width, channels = picture.texels.shape
    rows = np.ascontiguousarray(picture.texels).reshape(layers * depth * height, -1)
    raw = rows.view(np.uint8).reshape(rows.shape[0], -1)
    image = np.ascontiguousarray(np.pad(raw, ((0, 0), (0, pad)), constant_values=0xEE))
    return image, TextureDescriptor(
        image.ctypes.data,
        width,
        FORMATS[picture.texels.dtype.name],
        height=height,
        depth=depth,
        layers=layers,
        pitch_bytes=image.shape[1],
        channels=channels,
        filter=Filter.LINEAR if picture.is_linear else Filter.POINT,
        address=tuple(AddressMode[m.upper()] for m in picture.modes),
        is_normalised=picture.is_normalised,
        reads_normalised=picture.reads_normalised,
        border=np.float32(picture.border).view(np.uint32).tolist(),
    )


def fetch(picture, statement, inputs, result="f", handles=HANDLES):
    """Run a statement that looks into a picture; gives four results by lane, and the fault."""
    _image, descriptor = describe(picture, 16)
    made = compile_with_memory(statement, DECLARED)
    memory = Memory(textures=texture_table([descriptor]))
    named = {r.name for r in made.kernel.registers}
    given = {name: values for name, values in inputs.items() if name in named}
    registers, fault = made.run_with(memory, {"%rd1": handles} | given)
    type_ = {"f": np.float32, "r": np.int32}[result]
    return np.stack([registers[f"%{result}{k}"].view(type_) for k in range(4)], axis=1), fault


def spread(rng, picture, axes):
    """Draw coordinates inside and outside, some at edges and some whole."""
    _, depth, height, width, _ = picture.texels.shape
    drawn = []
    for size in (width, height, depth)[:axes]:
        at = rng.uniform(-1.5 * size, 2.5 * size, 32)
        at[:8] = rng.integers(-size, 2 * size, 8)
        at[8:12] = (0.0, size, -0.25, size - 0.25)
        if picture.is_normalised:
            at = at / size
            at[12:14] = (1.0, 0.0)
        drawn.append(at.astype(np.float32))
    return drawn


def places(count, prefix="f", first=4):
    """Coordinates as PTX writes them: three take a fourth that is not looked at."""
    names = [f"%{prefix}{first + k}" for k in range(count)]
    return "{" + ", ".join(names if count != 3 else [*names, names[0]]) + "}"


MODES = ["clamp", "border", "wrap", "mirror"]


@pytest.mark.one_in(12)
@pytest.mark.parametrize("is_normalised", [False, True])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("is_linear", [False, True])
@pytest.mark.parametrize("axes", [1, 2, 3])
def test_filters_and_addresses(axes, is_linear, mode, is_normalised):
    rng = np.random.default_rng(axes)
    picture = picture_of(
        rng,
        size=(6, 5, 7)[3 - axes :],
        modes=(mode, *(["clamp", "wrap"] if mode != "wrap" else ["mirror", "border"])),
        is_normalised=is_normalised,
        is_linear=is_linear,
        border=(0.5, -1.0, 2.0, 0.25),
    )
    at = spread(rng, picture, axes)
    got, fault = fetch(
        picture,
        f"tex.{axes}d.v4.f32.f32 {{%f0, %f1, %f2, %f3}}, [%rd1, {places(axes)}];",
        {f"%f{4 + k}": values for k, values in enumerate(at)},
    )
    assert fault[0] == 0
    expected = np.array([twin.lookup(picture, 0, [v[lane] for v in at]) for lane in range(32)])
    # a sum of up to eight rounded products of weights and texels
    error = 9 * 2.0**-24 * abs(picture.texels).max() * 2 if is_linear else 0
    np.testing.assert_allclose(got, expected, rtol=0, atol=error)


@pytest.mark.one_in(12)
@pytest.mark.parametrize("channels", [1, 2, 4])
@pytest.mark.parametrize("dtype", list(FORMATS))
def test_formats(dtype, channels):
    rng = np.random.default_rng(channels)
    picture = picture_of(rng, dtype, channels)
    is_float = np.dtype(dtype).kind == "f"
    x, y = rng.integers(0, 7, 32), rng.integers(0, 5, 32)
    prefix = "f" if is_float else "r"
    kind = "f32" if is_float else "s32"
    names = ", ".join(f"%{prefix}{k}" for k in range(4))
    got, _ = fetch(
        picture,
        f"tex.2d.v4.{kind}.s32 {{{names}}}, [%rd1, {{%r4, %r5}}];",
        {"%r4": x.astype(np.int32), "%r5": y.astype(np.int32)},
        prefix,
    )
    missing = np.broadcast_to([0, 0, 0, 1], (32, 4))[:, channels:]
    expected = np.concatenate([picture.texels[0, 0, y, x], missing], axis=1)
    np.testing.assert_array_equal(got, expected.astype(got.dtype))


@pytest.mark.parametrize("is_linear", [False, True])
@pytest.mark.parametrize("dtype", ["uint8", "int8", "uint16", "int16"])
def test_integers_read_as_floats(dtype, is_linear):
    rng = np.random.default_rng(8)
    picture = picture_of(rng, dtype, reads_normalised=True, is_linear=is_linear)
    picture.texels[0, 0, 0, 0] = np.iinfo(dtype).min
    at = [np.r_[0.5, rng.uniform(0, size, 31)].astype(np.float32) for size in (7, 5)]
    got, _ = fetch(
        picture,
        "tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%rd1, {%f4, %f5}];",
        {"%f4": at[0], "%f5": at[1]},
    )
    expected = np.array([twin.lookup(picture, 0, [v[lane] for v in at]) for lane in range(32)])
    np.testing.assert_allclose(got, expected, rtol=0, atol=9 * 2.0**-24)


def test_integers_as_integers_are_not_filtered():
    rng = np.random.default_rng(9)
    picture = picture_of(rng, "int16", is_linear=True)
    at = [rng.uniform(0, size, 32).astype(np.float32) for size in (7, 5)]
    got, _ = fetch(
        picture,
        "tex.2d.v4.s32.f32 {%r0, %r1, %r2, %r3}, [%rd1, {%f4, %f5}];",
        {"%f4": at[0], "%f5": at[1]},
        "r",
    )
    expected = picture.texels[0, 0, at[1].astype(int), at[0].astype(int)]
    np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("mode", ["clamp", "border"])
def test_integer_coordinates_outside(mode):
    rng = np.random.default_rng(10)
    picture = picture_of(rng, size=(9,), modes=(mode,) * 3, is_linear=True)
    x = np.arange(-11, 21).astype(np.int32)
    x[0], x[-1] = -(1 << 31), (1 << 31) - 1
    got, _ = fetch(picture, "tex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [%rd1, {%r4}];", {"%r4": x})
    inside = (x >= 0) & (x < 9)
    expected = picture.texels[0, 0, 0, np.clip(x, 0, 8)]
    expected = np.where(inside[:, None] | (mode == "clamp"), expected, 0.0)
    np.testing.assert_array_equal(got, expected)


@pytest.mark.one_in(12)
@pytest.mark.parametrize("mask", [0xFFFFFFFF, 0xF0F0A5A4, 1 << 31, 0])
@pytest.mark.parametrize("dtype", list(FORMATS))
def test_lines_of_single_channels(dtype, mask):
    """What is read for all lanes at once, and formats that are not."""
    rng = np.random.default_rng(21)
    picture = picture_of(rng, dtype, 1, size=(9,))
    _image, descriptor = describe(picture)
    prefix, kind = ("f", "f32") if np.dtype(dtype).kind == "f" else ("r", "s32")
    names = ", ".join(f"%{prefix}{k}" for k in range(4))
    made = compile_with_memory(f"tex.1d.v4.{kind}.s32 {{{names}}}, [%rd1, {{%r4}}];", DECLARED)
    memory = Memory(textures=texture_table([descriptor]))
    x = np.arange(-11, 21).astype(np.int32)
    handles = np.where(mask >> np.arange(32) & 1, HANDLES, 77).astype(np.uint64)
    registers, fault = made.run_with(memory, {"%rd1": handles, "%r4": x}, mask=mask)
    assert fault[0] == 0
    on = (mask >> np.arange(32) & 1).astype(bool)
    type_ = np.float32 if prefix == "f" else np.int32
    got = np.stack([registers[f"%{prefix}{k}"].view(type_) for k in range(4)], axis=1)[on]
    expected = np.zeros((32, 4), type_)
    expected[:, 0] = picture.texels[0, 0, 0, np.clip(x, 0, 8), 0].astype(type_)
    expected[:, 3] = 1
    np.testing.assert_array_equal(got, expected[on])


@pytest.mark.parametrize("axes", [1, 2])
def test_layers(axes):
    rng = np.random.default_rng(11)
    picture = picture_of(rng, size=(5, 7)[2 - axes :], layers=3, is_linear=True)
    at = spread(rng, picture, axes)
    layer = rng.integers(0, 5, 32).astype(np.uint32)
    names = ["%r4", *[f"%f{4 + k}" for k in range(axes)], "%f4"][: 2 if axes == 1 else 4]
    got, _ = fetch(
        picture,
        f"tex.a{axes}d.v4.f32.f32 {{%f0, %f1, %f2, %f3}}, [%rd1, {{{', '.join(names)}}}];",
        {f"%f{4 + k}": v for k, v in enumerate(at)} | {"%r4": layer},
    )
    expected = [twin.lookup(picture, layer[k], [v[k] for v in at]) for k in range(32)]
    np.testing.assert_allclose(got, expected, rtol=0, atol=1e-5)


@pytest.mark.parametrize("is_array", [False, True])
def test_cubes(is_array):
    rng = np.random.default_rng(12)
    picture = picture_of(
        rng, size=(8, 8), layers=12 if is_array else 6, is_linear=True, is_normalised=True
    )
    x, y, z = rng.normal(size=(3, 32)).astype(np.float32)
    x[:6], y[:6], z[:6] = np.float32([[1, -1, 0, 0, 0, 0], [0, 0, 1, -1, 0, 0], [0] * 4 + [1, -1]])
    cube = rng.integers(0, 2, 32).astype(np.uint32)
    first = "%r4, " if is_array else ""
    tail = "" if is_array else ", %f4"
    got, _ = fetch(
        picture,
        f"tex.{'a' * is_array}cube.v4.f32.f32 {{%f0, %f1, %f2, %f3}}, "
        f"[%rd1, {{{first}%f4, %f5, %f6{tail}}}];",
        {"%f4": x, "%f5": y, "%f6": z, "%r4": cube},
    )
    for lane in range(32):
        face, s, t = twin.cube_place(x[lane], y[lane], z[lane])
        layer = face + 6 * int(cube[lane]) * is_array
        expected = twin.lookup(picture, layer, [s, t])
        # one step of the fixed-point fractions, where s and t round to either side
        np.testing.assert_allclose(got[lane], expected, rtol=0, atol=4 * 2 * 2.0**-8)
        if lane < 6:
            np.testing.assert_allclose(got[lane], expected, rtol=0, atol=1e-5)


@pytest.mark.parametrize("component", "rgba")
def test_gathers(component):
    rng = np.random.default_rng(13)
    picture = picture_of(rng, modes=("wrap", "mirror", "clamp"), is_normalised=True)
    at = spread(rng, picture, 2)
    got, _ = fetch(
        picture,
        f"tld4.{component}.2d.v4.f32.f32 {{%f0, %f1, %f2, %f3}}, [%rd1, {{%f4, %f5}}];",
        {"%f4": at[0], "%f5": at[1]},
    )
    place = "rgba".index(component)
    expected = [twin.gather(picture, 0, [v[k] for v in at], place) for k in range(32)]
    np.testing.assert_array_equal(got, np.float32(expected))


def test_offsets_levels_and_gradients():
    rng = np.random.default_rng(14)
    picture = picture_of(rng, is_linear=True)
    at = [rng.uniform(0, size, 32).astype(np.float32) for size in (7, 5)]
    move = rng.integers(-8, 8, (2, 32)).astype(np.int32)
    inputs = {"%f4": at[0], "%f5": at[1], "%r4": move[0], "%r5": move[1]}
    spots = list(zip(*at, strict=True))
    plain = [twin.lookup(picture, 0, spot) for spot in spots]
    moved = [twin.lookup(picture, 0, spot, tuple(o)) for spot, o in zip(spots, move.T, strict=True)]
    head = ".2d.v4.f32.f32 {%f0, %f1, %f2, %f3}|%p1, [%rd1, {%f4, %f5}]"
    for statement, expected in (
        (f"tex{head}, {{%r4, %r5}};", moved),
        (f"tex.level{head}, %f6;", plain),
        (f"tex.level{head}, %f6, {{%r4, %r5}};", moved),
        (f"tex.grad{head}, {{%f6, %f6}}, {{%f6, %f6}};", plain),
    ):
        got, _ = fetch(picture, statement, inputs)
        np.testing.assert_allclose(got, expected, rtol=0, atol=1e-5)


def test_residence_and_halves():
    rng = np.random.default_rng(15)
    picture = picture_of(rng, "float16")
    x, y = rng.integers(0, 5, (2, 32)).astype(np.int32)
    _image, descriptor = describe(picture)
    made = compile_with_memory(
        "tex.2d.v2.f16x2.s32 {%r0, %r1}|%p1, [%rd1, {%r4, %r5}];"
        "tex.2d.v4.f16.s32 {%h1, %h2, %h3, %h4}, [%rd1, {%r4, %r5}];",
        DECLARED,
    )
    memory = Memory(textures=texture_table([descriptor]))
    registers, _ = made.run_with(memory, {"%rd1": HANDLES, "%r4": x, "%r5": y})
    expected = picture.texels[0, 0, y, x]
    pairs = np.stack([registers["%r0"], registers["%r1"]], axis=1).view(np.float16)
    np.testing.assert_array_equal(pairs, expected)
    halves = np.stack([registers[f"%h{k}"] for k in range(1, 5)], axis=1).view(np.float16)
    np.testing.assert_array_equal(halves, expected)
    assert registers["%p1"].all()


def test_lanes_may_name_different_textures():
    rng = np.random.default_rng(16)
    pictures = [picture_of(rng, size=(4,), channels=1) for _ in range(3)]
    images = [describe(p) for p in pictures]
    made = compile_with_memory("tex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [%rd1, {%r4}];", DECLARED)
    handles = (np.arange(32) % 3 + 1).astype(np.uint64)
    x = (np.arange(32) % 4).astype(np.int32)
    memory = Memory(textures=texture_table([d for _, d in images]))
    registers, _ = made.run_with(memory, {"%rd1": handles, "%r4": x})
    expected = [pictures[k % 3].texels[0, 0, 0, k % 4, 0] for k in range(32)]
    np.testing.assert_array_equal(registers["%f0"].view(np.float32), expected)


def test_a_sampler_of_its_own():
    rng = np.random.default_rng(17)
    picture = picture_of(rng, is_linear=True)
    _image, descriptor = describe(picture)
    sampler = describe(picture_of(rng, size=(1,), modes=("border",) * 3))[1]
    made = compile_with_memory(
        "tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%rd1, %rd2, {%f4, %f5}];", DECLARED
    )
    memory = Memory(textures=texture_table([descriptor, sampler]))
    x, y = np.float32(np.arange(32) / 4 - 0.5), np.full(32, 2.75, np.float32)
    registers, _ = made.run_with(memory, {"%rd1": HANDLES, "%rd2": HANDLES + 1, "%f4": x, "%f5": y})
    columns = np.floor(x).astype(int)
    inside = (columns >= 0) & (columns < 7)
    expected = np.where(inside, picture.texels[0, 0, 2, np.clip(columns, 0, 6), 0], 0)
    np.testing.assert_array_equal(registers["%f0"].view(np.float32), expected)


@pytest.mark.parametrize("handle", [0, 2, 1 << 63])
def test_a_handle_of_nothing_is_a_fault(handle):
    picture = picture_of(np.random.default_rng(18), size=(4,))
    handles = HANDLES.copy()
    handles[5] = handle
    got, fault = fetch(
        picture,
        "tex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [%rd1, {%r4}];",
        {"%r4": np.zeros(32, np.int32)},
        handles=handles,
    )
    assert fault[:2] == [FaultKind.TEXTURE, 1 << 5]
    assert (got[5] == 0).all()
    assert (got[6] == picture.texels[0, 0, 0, 0]).all()


def test_lanes_that_are_off_do_not_fault():
    picture = picture_of(np.random.default_rng(18), size=(4,))
    _image, descriptor = describe(picture)
    made = compile_with_memory("tex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [%rd1, {%r4}];", DECLARED)
    handles = np.zeros(32, np.uint64)
    handles[::2] = 1
    memory = Memory(textures=texture_table([descriptor]))
    registers, fault = made.run_with(memory, {"%rd1": handles}, mask=0x55555555)
    assert fault[0] == 0
    assert (registers["%f0"].view(np.float32)[::2] == picture.texels[0, 0, 0, 0, 0]).all()


def test_names_of_textures():
    picture = picture_of(np.random.default_rng(19), size=(4,))
    _image, descriptor = describe(picture)
    made = compile_with_memory(
        "tex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [image, {%r4}];",
        DECLARED,
        Places({"image": (Space.TEXTURE, 1)}),
        module=".global .texref image;",
    )
    memory = Memory(textures=texture_table([descriptor]))
    registers, fault = made.run_with(memory, {"%r4": (np.arange(32) % 4).astype(np.int32)})
    assert fault[0] == 0
    expected = picture.texels[0, 0, 0, np.arange(32) % 4, 0]
    np.testing.assert_array_equal(registers["%f0"].view(np.float32), expected)


QUERIES = {
    "width": 7, "height": 5, "depth": 3, "array_size": 2, "channel_data_type": 0x10D3,
    "channel_order": 0x10B5, "normalized_coords": 1, "filter_mode": 1, "addr_mode_0": 0,
    "addr_mode_1": 4, "addr_mode_2": 1, "num_mipmap_levels": 1, "num_samples": 1,
}  # fmt: skip


@pytest.mark.one_in(12)
@pytest.mark.parametrize("query", list(QUERIES))
def test_queries(query):
    picture = picture_of(
        np.random.default_rng(20),
        "uint16",
        size=(3, 5, 7),
        layers=2,
        modes=("wrap", "border", "mirror"),
        is_normalised=True,
        is_linear=True,
        reads_normalised=True,
    )
    _image, descriptor = describe(picture)
    made = compile_with_memory(f"txq.{query}.b32 %r1, [%rd1];", DECLARED)
    memory = Memory(textures=texture_table([descriptor]))
    registers, fault = made.run_with(memory, {"%rd1": HANDLES})
    assert fault[0] == 0
    assert (registers["%r1"] == QUERIES[query]).all()


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ({"width": 0}, "width 0"),
        ({"channels": 3}, "3 channels"),
        ({"pitch_bytes": 8}, "a pitch of 8 bytes"),
        ({"reads_normalised": True}, "F32 cannot"),
    ],
)
def test_descriptors_that_cannot_be(words, complaint):
    with pytest.raises(ValueError, match=complaint):
        TextureDescriptor(**{"host_address": 0, "width": 4, "format": TexelFormat.F32} | words)


REFUSED = {
    "tex.2dms.v4.f32.s32 {%f0, %f1, %f2, %f3}, [%rd1, {%r1, %r2, %r3, %r3}];": (
        "textures with several samples a texel"
    ),
    "tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%rd1, {%f4, %f5}], %f6;": (
        "textures of depths that are compared"
    ),
}


@pytest.mark.parametrize("statement", list(REFUSED))
def test_what_has_no_code_is_refused_by_name(statement):
    text = (
        f".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{{\n{DECLARED}\n"
        f"{statement}\nret;\n}}\n"
    )
    first = ptx.parse(Source("one.ptx", text)).module.kernels[0].blocks[0].instructions[0]
    assert REFUSALS[first.operation.name](first) == REFUSED[statement]
