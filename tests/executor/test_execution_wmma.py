"""wmma: load, multiply, store, against products of NumPy; the fragments are not looked at."""

from dataclasses import dataclass

import numpy as np
import pytest

from tests.reference import matrix_twins as twins
from tests.reference.memory_operation import Memory, compile_with_memory, device_address

SHAPES = ["m16n16k16", "m8n32k16", "m32n8k16"]
DECLARED = (
    ".reg .b32 %a<9>; .reg .b32 %b<9>; .reg .b32 %c<9>; .reg .b32 %d<9>; .reg .b32 %s<4>;"
    ".reg .b64 %ad; .reg .b64 %bd; .reg .b64 %cd<3>; .reg .b64 %dd<3>; .reg .b64 %p<4>;"
)
COUNTS = {
    **{(shape, "f16"): (8, 8) for shape in SHAPES},
    **{(SHAPES[k], "bf16"): ((4, 4), (2, 8), (8, 2))[k] for k in range(3)},
    **{(SHAPES[k], "s8"): ((2, 2), (1, 4), (4, 1))[k] for k in range(3)},
    **{(SHAPES[k], "u8"): ((2, 2), (1, 4), (4, 1))[k] for k in range(3)},
    ("m16n16k8", "tf32"): (4, 4),
    ("m8n8k32", "s4"): (1, 1),
    ("m8n8k32", "u4"): (1, 1),
    ("m8n8k128", "b1"): (1, 1),
}
"""Registers of A and B, as ptxas wants them."""


def braces(prefix, count):
    return "{" + ", ".join(f"%{prefix}{k}" for k in range(count)) + "}"


def to_memory(raw, bits, order, pad):
    """Lay raw elements out in memory with ``pad`` spare elements a line; gives bytes and stride."""
    lines = raw if order == "row" else raw.T
    spare = np.zeros((lines.shape[0], pad), np.uint64)
    whole = np.concatenate([lines.astype(np.uint64), spare], axis=1)
    if bits >= 8:
        return whole.astype(f"u{bits // 8}").reshape(-1).view(np.uint8).copy(), whole.shape[1]
    places = whole.reshape(whole.shape[0], -1, 8 // bits)
    packed = sum(places[:, :, j] << np.uint64(bits * j) for j in range(8 // bits))
    return packed.astype(np.uint8).reshape(-1).copy(), whole.shape[1]


def from_memory(buffer, shape, type_, order, pad):
    """Read a matrix back that has ``pad`` spare elements a line."""
    rows, columns = shape if order == "row" else shape[::-1]
    lines = buffer.view(type_).reshape(rows, columns + pad)[:, :columns]
    return lines if order == "row" else lines.T


@dataclass(frozen=True)
class Form:
    """A form of wmma: types of D and C in ``totals``; orders are those of A, B, C and D."""

    shape: str
    type: str
    totals: tuple
    orders: tuple
    pad: int = 0  # spare elements between lines in memory
    op: str = ""
    satfinite: str = ""


def multiply(form, raw_a, raw_b, c):
    """Run loads, the product and the store."""
    shape, type_, totals, orders = form.shape, form.type, form.totals, form.orders
    pad, op, satfinite = form.pad, form.op, form.satfinite
    m, n, _ = twins.sizes(shape)
    bits = 1 if type_ == "b1" else int(type_.strip("bftsu")) if type_ != "tf32" else 32
    size = c.dtype.itemsize * 8
    raw_c = np.ascontiguousarray(c).view(f"u{size // 8}")
    images = [
        to_memory(raw_a, bits, orders[0], pad),
        to_memory(raw_b, bits, orders[1], pad),
        to_memory(raw_c, size, orders[2], pad),
    ]
    d_size = 16 if totals[0] == "f16" else 32
    spare_d = (m if orders[3] == "row" else n) * pad
    d_buffer = np.zeros((m * n + spare_d) * d_size // 8, np.uint8)
    count_a, count_b = COUNTS[shape, type_]
    count_c, count_d = (4 if t == "f16" else 8 * m * n // 256 for t in totals[::-1])
    kinds = (
        f"{totals[0]}.{totals[1]}" if type_ == "f16" else f"{totals[0]}.{type_}.{type_}.{totals[1]}"
    )
    d_stride = (n if orders[3] == "row" else m) + pad
    names = ("a", "b", "c")
    strides = [f", {images[k][1]}" if pad or bits < 8 else "" for k in range(3)]
    types = (type_, type_, totals[1])
    counts = (count_a, count_b, count_c)
    lines = [
        f"wmma.load.{names[k]}.sync.aligned.{orders[k]}.{shape}.global.{types[k]} "
        f"{braces(names[k], counts[k])}, [%p{k}]{strides[k]};"
        for k in range(3)
    ]
    groups = ", ".join(
        braces(p, c_) for p, c_ in zip("dabc", (count_d, count_a, count_b, count_c), strict=True)
    )
    lines.append(
        f"wmma.mma{op}.sync.aligned.{orders[0]}.{orders[1]}.{shape}.{kinds}{satfinite} {groups};"
    )
    lines.append(
        f"wmma.store.d.sync.aligned.{orders[3]}.{shape}.global.{totals[0]} [%p3], "
        f"{braces('d', count_d)}, %s0;"
    )
    made = compile_with_memory("\n".join(lines), DECLARED)
    memory = Memory(arrays=(images[0][0], images[1][0], images[2][0], d_buffer))
    given = {f"%p{k}": np.full(32, device_address(k), np.uint64) for k in range(4)}
    _, fault = made.run_with(memory, given | {"%s0": np.full(32, d_stride, np.uint32)})
    assert fault[0] == 0
    result = {"f16": np.float16, "f32": np.float32, "s32": np.int32}[totals[0]]
    return from_memory(d_buffer, (m, n), result, orders[3], pad)


ORDERS = [
    ("row", "col", "row", "row"),
    ("col", "row", "col", "col"),
    ("row", "row", "col", "row"),
    ("col", "col", "row", "col"),
]


@pytest.mark.one_in(12)
@pytest.mark.parametrize("pad", [0, 8])
@pytest.mark.parametrize("orders", ORDERS)
@pytest.mark.parametrize("shape", SHAPES)
def test_halves(shape, orders, pad):
    rng = np.random.default_rng(1)
    m, n, k = twins.sizes(shape)
    a, b = (rng.integers(-9, 9, s).astype(np.float16) for s in ((m, k), (k, n)))
    mixed = [("f16", "f32"), ("f32", "f16")] if pad and orders == ORDERS[0] else []
    for totals in (("f32", "f32") if pad else ("f16", "f16"), *mixed):
        c = rng.integers(-9, 9, (m, n)).astype(np.float16 if totals[1] == "f16" else np.float32)
        form = Form(shape, "f16", totals, orders, pad)
        d = multiply(form, a.view(np.uint16), b.view(np.uint16), c)
        np.testing.assert_array_equal(d, a.astype(float) @ b.astype(float) + c)


@pytest.mark.one_in(12)
@pytest.mark.parametrize("orders", ORDERS)
@pytest.mark.parametrize(("shape", "type_"), [*[(s, "bf16") for s in SHAPES], ("m16n16k8", "tf32")])
def test_wide_floats(shape, type_, orders):
    rng = np.random.default_rng(2)
    m, n, k = twins.sizes(shape)
    raw = [rng.normal(size=s).astype(np.float32).view(np.uint32) for s in ((m, k), (k, n))]
    raw = [r >> 16 for r in raw] if type_ == "bf16" else raw
    a, b = (twins.values_of(r, type_) for r in raw)
    c = rng.normal(size=(m, n)).astype(np.float32)
    d = multiply(Form(shape, type_, ("f32", "f32"), orders, 8), *raw, c)
    assert (abs(d - (a @ b + c)) <= twins.bound(a, b, c)).all()


@pytest.mark.one_in(12)
@pytest.mark.parametrize("satfinite", ["", ".satfinite"])
@pytest.mark.parametrize("orders", ORDERS)
@pytest.mark.parametrize(
    ("shape", "type_"),
    [*[(s, t) for s in SHAPES for t in ("s8", "u8")], ("m8n8k32", "s4"), ("m8n8k32", "u4")],
)
def test_integers(shape, type_, orders, satfinite):
    if type_[1:] == "4":
        orders = ("row", "col", *orders[2:])
    rng = np.random.default_rng(3)
    m, n, k = twins.sizes(shape)
    bits = int(type_[1:])
    raw_a, raw_b = rng.integers(0, 1 << bits, (m, k)), rng.integers(0, 1 << bits, (k, n))
    c = rng.integers(-(1 << 20), 1 << 20, (m, n)).astype(np.int32)
    c[0] = (1 << 31) - 5
    exact = twins.values_of(raw_a, type_) @ twins.values_of(raw_b, type_) + c
    form = Form(shape, type_, ("s32", "s32"), orders, 32, satfinite=satfinite)
    d = multiply(form, raw_a, raw_b, c)
    expected = np.clip(exact, -(1 << 31), (1 << 31) - 1) if satfinite else exact.astype(np.int32)
    np.testing.assert_array_equal(d, expected)


@pytest.mark.parametrize("combine", ["xor", "and"])
@pytest.mark.parametrize("orders", ORDERS[:2])
def test_bits(combine, orders):
    orders = ("row", "col", *orders[2:])
    rng = np.random.default_rng(4)
    a, b = rng.integers(0, 2, (8, 128)), rng.integers(0, 2, (128, 8))
    c = rng.integers(-9, 9, (8, 8)).astype(np.int32)
    form = Form("m8n8k128", "b1", ("s32", "s32"), orders, 128, op=f".{combine}.popc")
    d = multiply(form, a, b, c)
    np.testing.assert_array_equal(d, twins.bit_product(a, b, combine) + c)


@pytest.mark.parametrize("order", ["row", "col"])
def test_doubles(order):
    rng = np.random.default_rng(5)
    a, b, c = rng.normal(size=(8, 4)), rng.normal(size=(4, 8)), rng.normal(size=(8, 8))
    images = [x if order == "row" else np.ascontiguousarray(x.T) for x in (a, b, c)]
    images = [np.ascontiguousarray(x).reshape(-1).view(np.uint8).copy() for x in images]
    out = np.zeros(512, np.uint8)
    shape = "m8n8k4"
    made = compile_with_memory(
        f"wmma.load.a.sync.aligned.{order}.{shape}.global.f64 {{%ad}}, [%p0];"
        f"wmma.load.b.sync.aligned.{order}.{shape}.global.f64 {{%bd}}, [%p1];"
        f"wmma.load.c.sync.aligned.{order}.{shape}.global.f64 {{%cd0, %cd1}}, [%p2];"
        f"wmma.mma.sync.aligned.{order}.{order}.{shape}.rn.f64.f64.f64.f64 {{%dd0, %dd1}}, {{%ad}},"
        f" {{%bd}}, {{%cd0, %cd1}};"
        f"wmma.store.d.sync.aligned.{order}.{shape}.global.f64 [%p3], {{%dd0, %dd1}};",
        DECLARED,
    )
    given = {f"%p{k}": np.full(32, device_address(k), np.uint64) for k in range(4)}
    _, fault = made.run_with(Memory(arrays=(*images, out)), given)
    assert fault[0] == 0
    d = from_memory(out, (8, 8), np.float64, order, 0)
    np.testing.assert_allclose(d, a @ b + c, rtol=1e-13, atol=1e-14)
