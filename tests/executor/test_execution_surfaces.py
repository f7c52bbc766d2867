"""suld, sust, sured and suq against NumPy arrays indexed by hand."""

from dataclasses import replace

import numpy as np
import pytest

from tests.reference.memory_operation import Memory, compile_with_memory
from warpmill.executor.native.layout import FaultKind
from warpmill.executor.texture_table import TexelFormat, TextureDescriptor, texture_table

DECLARED = ".reg .f32 %f<9>; .reg .b32 %r<12>; .reg .b16 %h<5>; .reg .b64 %rd<3>; .reg .b64 %q<5>;"
HANDLES = np.full(32, 1, np.uint64)
WIDTH, HEIGHT = 8, 4


def surface(shape=(HEIGHT, WIDTH), dtype=np.uint32, **words):
    """Make a surface of random bits by layer or z, y and x."""
    rng = np.random.default_rng(0)
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    image = rng.integers(0, 256, size, np.uint8).view(dtype).reshape(shape)
    form = words.pop("form", TexelFormat.U32)
    height = shape[-2] if len(shape) > 1 else 1
    return image, TextureDescriptor(image.ctypes.data, shape[-1], form, height=height, **words)


def run(statement, descriptor, inputs, mask=None):
    made = compile_with_memory(statement, DECLARED)
    named = {r.name for r in made.kernel.registers}
    given = {n: v for n, v in ({"%rd1": HANDLES} | inputs).items() if n in named}
    return made.run_with(Memory(textures=texture_table([descriptor])), given, mask)


def coordinates(rng):
    """Draw x and y, half of them outside."""
    return rng.integers(-6, WIDTH + 6, 32), rng.integers(-3, HEIGHT + 3, 32)


@pytest.mark.parametrize("mode", ["clamp", "zero"])
def test_loads_outside(mode):
    image, descriptor = surface()
    x, y = coordinates(np.random.default_rng(1))
    registers, fault = run(
        f"suld.b.2d.b32.{mode} %r1, [%rd1, {{%r4, %r5}}];",
        descriptor,
        {"%r4": (4 * x).astype(np.int32), "%r5": y.astype(np.int32)},
    )
    assert fault[0] == 0
    inside = (x >= 0) & (x < WIDTH) & (y >= 0) & (y < HEIGHT)
    expected = image[np.clip(y, 0, HEIGHT - 1), np.clip(x, 0, WIDTH - 1)]
    np.testing.assert_array_equal(
        registers["%r1"], expected if mode == "clamp" else np.where(inside, expected, 0)
    )


@pytest.mark.parametrize("place", [(4 * WIDTH, 0), (-4, 0), (0, HEIGHT), (0, -1)])
def test_a_trap_is_a_fault_at_the_byte(place):
    _image, descriptor = surface()
    x, y = np.zeros((2, 32), np.int32)
    x[3], y[3] = place
    _, fault = run("suld.b.2d.b32.trap %r1, [%rd1, {%r4, %r5}];", descriptor, {"%r4": x, "%r5": y})
    assert fault == [FaultKind.OUT_OF_BOUNDS, 1 << 3, place[0] + place[1] * 4 * WIDTH]


def test_a_misaligned_byte_is_a_fault():
    _image, descriptor = surface()
    x = np.full(32, 6, np.int32)
    zeros = np.zeros(32, np.int32)
    _, fault = run(
        "suld.b.2d.b32.zero %r1, [%rd1, {%r4, %r5}];", descriptor, {"%r4": x, "%r5": zeros}
    )
    assert fault == [FaultKind.MISALIGNED, 1, 6]


@pytest.mark.parametrize(("mode", "fault"), [("zero", 0), ("trap", 1), ("clamp", 1)])
def test_an_access_wider_than_the_surface_is_outside(mode, fault):
    image, descriptor = surface((1,))
    registers, found = run(
        f"suld.b.1d.v2.b32.{mode} {{%r1, %r2}}, [%rd1, {{%r4}}];",
        descriptor,
        {"%r4": np.zeros(32, np.int32)},
    )
    assert found[0] == fault * FaultKind.OUT_OF_BOUNDS
    assert image.size == 1
    assert not registers["%r1"].any()


@pytest.mark.one_in(3)
@pytest.mark.parametrize("count", [1, 2, 4])
@pytest.mark.parametrize("bits", [8, 16, 32, 64])
def test_widths(bits, count):
    """What is loaded in one place is stored in another."""
    if bits * count > 128:
        pytest.skip("PTX accesses 128 bits at most")
    image, descriptor = surface((HEIGHT, 128))
    before = image.copy()
    size = bits * count // 8
    prefix = {8: "h", 16: "h", 32: "r", 64: "q"}[bits]
    names = ", ".join(f"%{prefix}{k + (prefix == 'h')}" for k in range(count))
    vector = f".v{count}" if count > 1 else ""
    names = f"{{{names}}}" if count > 1 else names
    x = np.arange(32, dtype=np.int32) * size
    run(
        f"suld.b.2d{vector}.b{bits}.trap {names}, [%rd1, {{%r8, %r9}}];"
        f"sust.b.2d{vector}.b{bits}.trap [%rd1, {{%r8, %r10}}], {names};",
        descriptor,
        {"%r8": x, "%r9": np.full(32, 1, np.int32), "%r10": np.full(32, 3, np.int32)},
    )
    raw, old = image.view(np.uint8), before.view(np.uint8)
    assert (raw[3, : 32 * size] == old[1, : 32 * size]).all()
    assert (raw[3, 32 * size :] == old[3, 32 * size :]).all()
    assert (raw[:3] == old[:3]).all()


@pytest.mark.parametrize("mode", ["clamp", "zero"])
def test_stores_outside(mode):
    image, descriptor = surface()
    expected = image.copy()
    x, y = coordinates(np.random.default_rng(2))
    values = np.arange(100, 132).astype(np.uint32)
    for lane in range(32):
        if mode == "clamp":
            place = np.clip(y[lane], 0, HEIGHT - 1), np.clip(x[lane], 0, WIDTH - 1)
            expected[place] = values[lane]
        elif 0 <= x[lane] < WIDTH and 0 <= y[lane] < HEIGHT:
            expected[y[lane], x[lane]] = values[lane]
    run(
        f"sust.b.2d.b32.{mode} [%rd1, {{%r4, %r5}}], %r1;",
        descriptor,
        {"%r4": (4 * x).astype(np.int32), "%r5": y.astype(np.int32), "%r1": values},
    )
    np.testing.assert_array_equal(image, expected)


GEOMETRIES = {
    "1d": ((16,), {}, "{%r4}", lambda image, x, _y, _z: image[x]),
    "a1d": ((3, 1, 16), {"layers": 3}, "{%r6, %r4}", lambda image, x, _y, z: image[z, 0, x]),
    "3d": (
        (3, 4, 16),
        {"depth": 3},
        "{%r4, %r5, %r6, %r6}",
        lambda image, x, y, z: image[z, y, x],
    ),
    "a2d": (
        (3, 4, 16),
        {"layers": 3},
        "{%r6, %r4, %r5, %r5}",
        lambda image, x, y, z: image[z, y, x],
    ),
}


@pytest.mark.parametrize("geometry", list(GEOMETRIES))
def test_geometries(geometry):
    shape, words, place, look = GEOMETRIES[geometry]
    image, descriptor = surface(shape, **words)
    rng = np.random.default_rng(3)
    x, y, z = (rng.integers(0, n, 32).astype(np.int32) for n in (16, 4, 3))
    registers, fault = run(
        f"suld.b.{geometry}.b32.trap %r1, [%rd1, {place}];",
        descriptor,
        {"%r4": 4 * x, "%r5": y, "%r6": z},
    )
    assert fault[0] == 0
    np.testing.assert_array_equal(registers["%r1"], look(image, x, y, z))


def test_lanes_that_are_off_store_nothing():
    image, descriptor = surface((64,))
    before = image.copy()
    x = np.arange(32, dtype=np.int32) * 4
    run("sust.b.1d.b32.trap [%rd1, {%r4}], %r4;", descriptor, {"%r4": x}, mask=0xFF)
    np.testing.assert_array_equal(image[:8], x[:8])
    np.testing.assert_array_equal(image[8:], before[8:])


FORMATTED = {
    "float16": (TexelFormat.F16, False, lambda f, _i: f.astype(np.float16)),
    "float32": (TexelFormat.F32, False, lambda f, _i: f),
    "uint8": (TexelFormat.U8, False, lambda _f, i: np.minimum(i.view(np.uint32), 255)),
    "int8": (TexelFormat.S8, False, lambda _f, i: np.clip(i, -128, 127)),
    "uint16": (TexelFormat.U16, False, lambda _f, i: np.minimum(i.view(np.uint32), 65535)),
    "int16": (TexelFormat.S16, False, lambda _f, i: np.clip(i, -32768, 32767)),
    "uint32": (TexelFormat.U32, False, lambda _f, i: i.view(np.uint32)),
    "int32": (TexelFormat.S32, False, lambda _f, i: i),
    "uint8 as floats": (TexelFormat.U8, True, lambda f, _i: np.rint(np.clip(f, 0, 1) * 255)),
    "int8 as floats": (TexelFormat.S8, True, lambda f, _i: np.rint(np.clip(f, -1, 1) * 127)),
    "uint16 as floats": (TexelFormat.U16, True, lambda f, _i: np.rint(np.clip(f, 0, 1) * 65535)),
    "int16 as floats": (TexelFormat.S16, True, lambda f, _i: np.rint(np.clip(f, -1, 1) * 32767)),
}


@pytest.mark.one_in(12)
@pytest.mark.parametrize("channels", [1, 2, 4])
@pytest.mark.parametrize("form", list(FORMATTED))
def test_formatted_stores(form, channels):
    rng = np.random.default_rng(4)
    dtype, (format_, normalised, convert) = form.partition(" ")[0], FORMATTED[form]
    image, descriptor = surface(
        (32 * channels,), dtype, form=format_, channels=channels, reads_normalised=normalised
    )
    descriptor = replace(descriptor, width=32)
    floats = (rng.normal(size=(32, 4)) * 1.2).astype(np.float32)
    integers = (rng.integers(-(1 << 31), 1 << 31, (32, 4)) >> rng.integers(0, 31, (32, 4))).astype(
        np.int32
    )
    is_float = "float" in form
    source = (floats.view(np.int32) if is_float else integers).copy()
    run(
        "sust.p.1d.v4.b32.trap [%rd1, {%r8}], {%r0, %r1, %r2, %r3};",
        descriptor,
        {"%r8": np.arange(32, dtype=np.int32)} | {f"%r{k}": source[:, k] for k in range(4)},
    )
    expected = convert(floats, integers)[:, :channels].astype(dtype)
    np.testing.assert_array_equal(image.reshape(32, channels), expected)


REDUCTIONS = {
    "add": np.add, "min": np.minimum, "max": np.maximum, "and": np.bitwise_and, "or": np.bitwise_or,
}  # fmt: skip


@pytest.mark.one_in(12)
@pytest.mark.parametrize(
    ("word", "type_"),
    [
        *[("add", t) for t in ("u32", "s32", "u64")],
        *[(w, t) for w in ("min", "max") for t in ("u32", "s32", "u64", "s64")],
        *[(w, "b32") for w in ("and", "or")],
    ],
)
def test_reductions(word, type_):
    bits = type_[1:]
    dtype = np.dtype(f"{'i' if type_[0] == 's' else 'u'}{int(bits) // 8}")
    image, descriptor = surface((16,))
    expected = image.view(dtype).copy()
    rng = np.random.default_rng(5)
    values = rng.integers(0, 256, 32 * dtype.itemsize, np.uint8).view(dtype)
    where = rng.integers(0, 4, 32)
    REDUCTIONS[word].at(expected, where, values)
    prefix = "q" if bits == "64" else "r"
    run(
        f"sured.b.{word}.1d.{type_}.trap [%rd1, {{%r4}}], %{prefix}1;",
        descriptor,
        {"%r4": (where * dtype.itemsize).astype(np.int32), f"%{prefix}1": values},
    )
    np.testing.assert_array_equal(image.view(dtype), expected)


@pytest.mark.parametrize("form", [TexelFormat.U32, TexelFormat.S32])
def test_formatted_reductions_take_the_sign_of_the_format(form):
    image, descriptor = surface((16,), form=form)
    image[:] = 0x80000000
    x = np.arange(32, dtype=np.int32) % 16
    values = np.full(32, 5, np.uint32)
    run("sured.p.min.1d.b32.trap [%rd1, {%r4}], %r1;", descriptor, {"%r4": x, "%r1": values})
    assert (image == (0x80000000 if form is TexelFormat.S32 else 5)).all()


@pytest.mark.parametrize(
    ("query", "expected"),
    [("width", 8), ("height", 4), ("array_size", 1), ("channel_order", 0x10B0)],
)
def test_queries(query, expected):
    _image, descriptor = surface()
    registers, _ = run(f"suq.{query}.b32 %r1, [%rd1];", descriptor, {})
    assert (registers["%r1"] == expected).all()
