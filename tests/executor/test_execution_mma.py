"""mma against NumPy, over layouts written from the manual's tables."""

import numpy as np
import pytest

from tests.reference import matrix_twins as twins
from tests.reference.one_operation import compile_operation
from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends import ptx
from warpmill.executor.native.rules import REFUSALS

HALF_SHAPES = ["m16n8k8", "m16n8k16"]
BITS = {"f16": 16, "bf16": 16, "tf32": 32, "f64": 64}


def registers(prefix, arrays):
    return {f"%{prefix}{k}": array for k, array in enumerate(arrays)}


def braces(prefix, count):
    return "{" + ", ".join(f"%{prefix}{k}" for k in range(count)) + "}"


def run(opcode, groups, d_count, *, wide=False):
    """Run it on registers of A, B and C; gives D's as a list of arrays."""
    a, b, c = groups
    size = 64 if wide else 32
    declared = "".join(f".reg .b{size} %{p}<32>; " for p in "abcd")
    names = [braces(p, n) for p, n in zip("dabc", (d_count, len(a), len(b), len(c)), strict=True)]
    made = compile_operation(f"{opcode} {', '.join(names)};", declared)
    given = registers("a", a) | registers("b", b) | registers("c", c)
    result = made.run(given)
    return [result[f"%d{k}"] for k in range(d_count)]


def product(opcode, types, raw_a, raw_b, c):
    """Run it for matrices of raw elements; gives D by row and column, in C's packing."""
    shape = next(w for w in opcode.split(".") if w[0] == "m" and "k" in w and w[1].isdigit())
    bits = BITS.get(types[0]) or (8 if types[0] in twins.NARROW else int(types[0][1:]))
    a_at, b_at, c_at = twins.fragments(shape, bits)
    size = 16 if c.dtype == np.float16 else c.dtype.itemsize * 8
    raw_c = np.ascontiguousarray(c).view(f"u{size // 8}").astype(np.uint64)
    parts = [
        twins.pack(twins.spread(raw_a, a_at), bits),
        twins.pack(twins.spread(raw_b, b_at), bits),
        twins.pack(twins.spread(raw_c, c_at), size),
    ]
    out = run(opcode, parts, len(parts[2]), wide=size == 64)
    per_lane = np.stack(out, axis=1).view(c.dtype)
    d = np.zeros_like(c)
    for lane in range(32):
        for i in range(per_lane.shape[1]):
            d[c_at(lane, i)] = per_lane[lane, i]
    return d


def numbers(rng, shape, type_):
    """Draw raw elements of a floating-point type, of different sizes."""
    values = rng.normal(size=shape) * 2.0 ** rng.integers(-6, 6, shape)
    if type_ == "f16":
        return values.astype(np.float16).view(np.uint16)
    if type_ == "f64":
        return values.view(np.uint64)
    bits = values.astype(np.float32).view(np.uint32)
    return bits >> 16 if type_ == "bf16" else bits


FLOATS = [
    *[(shape, t, "f32") for shape in HALF_SHAPES for t in ("f16", "bf16")],
    *[(shape, "f16", "f16") for shape in HALF_SHAPES],
    ("m16n8k4", "tf32", "f32"),
    ("m16n8k8", "tf32", "f32"),
    *[(shape, "f64", "f64") for shape in ("m8n8k4", "m16n8k4", "m16n8k8", "m16n8k16")],
]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("shape", "type_", "total"), FLOATS)
def test_products_of_floats(shape, type_, total):
    rng = np.random.default_rng(11)
    m, n, k = twins.sizes(shape)
    raw_a, raw_b = numbers(rng, (m, k), type_), numbers(rng, (k, n), type_)
    a, b = twins.values_of(raw_a, type_), twins.values_of(raw_b, type_)
    c = rng.normal(size=(m, n)).astype({"f16": "f2", "f32": "f4", "f64": "f8"}[total])
    opcode = f"mma.sync.aligned.{shape}.row.col.{total}.{type_}.{type_}.{total}"
    d = product(opcode, (type_,), raw_a, raw_b, c).astype(np.float64)
    wide_c = c.astype(np.float64)
    error = twins.bound(a, b, wide_c)
    if total == "f16":
        error = error + 2.0**-11 * abs(a @ b + wide_c) + 2.0**-25
    if total == "f64":
        error = error * 2.0**-29
    assert (abs(d - (a @ b + wide_c)) <= error).all()


@pytest.mark.parametrize("type_", ["f16", "bf16", "tf32"])
def test_sums_take_the_products_in_order(type_):
    """The order is that of A's columns, each step rounded to float: seen bit by bit."""
    shape = "m16n8k8"
    rng = np.random.default_rng(3)
    raw_a, raw_b = numbers(rng, (16, 8), type_), numbers(rng, (8, 8), type_)
    a, b = twins.values_of(raw_a, type_), twins.values_of(raw_b, type_)
    c = rng.normal(size=(16, 8)).astype(np.float32)
    expected = c.copy()
    for k in range(8):
        expected = (expected.astype(np.float64) + np.outer(a[:, k], b[k])).astype(np.float32)
    opcode = f"mma.sync.aligned.{shape}.row.col.f32.{type_}.{type_}.f32"
    d = product(opcode, (type_,), raw_a, raw_b, c)
    np.testing.assert_array_equal(d, expected)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("kinds", [("e4m3", "e4m3"), ("e5m2", "e4m3"), ("e4m3", "e5m2")])
@pytest.mark.parametrize("shape", ["m16n8k16", "m16n8k32"])
def test_products_of_bytes_of_floats(shape, kinds):
    check_narrow(shape, kinds, "")


@pytest.mark.parametrize("kinds", [("e3m2", "e2m3"), ("e2m1", "e3m2"), ("e2m3", "e2m1")])
def test_products_of_fewer_bits_than_a_byte(kinds):
    check_narrow("m16n8k32", kinds, "kind::f8f6f4.")


def check_narrow(shape, kinds, kind):
    """All bytes occur but those of NaN and infinity."""
    rng = np.random.default_rng(5)
    m, n, k = twins.sizes(shape)

    def draw(shape_, type_):
        fine = [x for x in range(256) if np.isfinite(twins.narrow_value(x, type_))]
        return rng.permutation(np.resize(fine, shape_[0] * shape_[1])).reshape(shape_)

    raw_a, raw_b = draw((m, k), kinds[0]), draw((k, n), kinds[1])
    a, b = twins.values_of(raw_a, kinds[0]), twins.values_of(raw_b, kinds[1])
    c = rng.normal(size=(m, n)).astype(np.float32)
    opcode = f"mma.sync.aligned.{kind}{shape}.row.col.f32.{kinds[0]}.{kinds[1]}.f32"
    d = product(opcode, kinds, raw_a, raw_b, c)
    assert (abs(d - (a @ b + c)) <= twins.bound(a, b, c)).all()


def test_nan_and_infinity_of_bytes():
    ones, zeros = np.full((16, 16), 0x38), np.zeros((16, 8), np.float32)  # 1.0 in e4m3
    b = np.full((16, 8), 0x3C)  # 1.0 in e5m2
    ones[3, 5], b[2, 4] = 0x7F, 0x7C
    opcode = "mma.sync.aligned.m16n8k16.row.col.f32.e4m3.e5m2.f32"
    d = product(opcode, ("e4m3",), ones, b, zeros)
    expected = np.full((16, 8), 16.0, np.float32)
    expected[:, 4] = np.inf
    expected[3] = np.nan
    np.testing.assert_array_equal(d, expected)


INTEGERS = [
    *[(shape, 8) for shape in ("m8n8k16", "m16n8k16", "m16n8k32")],
    *[(shape, 4) for shape in ("m8n8k32", "m16n8k32", "m16n8k64")],
]


@pytest.mark.one_in(12)
@pytest.mark.parametrize("signs", ["ss", "uu", "su", "us"])
@pytest.mark.parametrize(("shape", "bits"), INTEGERS)
def test_products_of_integers(shape, bits, signs):
    rng = np.random.default_rng(7)
    m, n, k = twins.sizes(shape)
    types = [f"{s}{bits}" for s in signs]
    raw_a, raw_b = rng.integers(0, 1 << bits, (m, k)), rng.integers(0, 1 << bits, (k, n))
    raw_a[0], raw_b[:, 0] = (1 << bits) - 1, (1 << bits) - 1
    a, b = twins.values_of(raw_a, types[0]), twins.values_of(raw_b, types[1])
    c = rng.integers(-(1 << 31), 1 << 31, (m, n)).astype(np.int32)
    c[0], c[1] = (1 << 31) - 1, -(1 << 31)
    exact = a @ b + c
    for satfinite in ("", ".satfinite"):
        opcode = f"mma.sync.aligned.{shape}.row.col{satfinite}.s32.{types[0]}.{types[1]}.s32"
        d = product(opcode, types, raw_a, raw_b, c)
        clamped = np.clip(exact, -(1 << 31), (1 << 31) - 1)
        np.testing.assert_array_equal(d, clamped if satfinite else exact.astype(np.int32))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("combine", ["xor", "and"])
@pytest.mark.parametrize("shape", ["m8n8k128", "m16n8k128", "m16n8k256"])
def test_products_of_bits(shape, combine):
    rng = np.random.default_rng(9)
    m, n, k = twins.sizes(shape)
    a, b = rng.integers(0, 2, (m, k)), rng.integers(0, 2, (k, n))
    c = rng.integers(-1000, 1000, (m, n)).astype(np.int32)
    opcode = f"mma.sync.aligned.{shape}.row.col.s32.b1.b1.s32.{combine}.popc"
    d = product(opcode, ("b1",), a, b, c)
    np.testing.assert_array_equal(d, twins.bit_product(a, b, combine) + c)


def quad_places(which, order, total):
    """The tables of m8n8k4 with halves: row and column of element i of a lane."""

    def place(lane, i):
        low = lane < 16
        if which == "a":
            if order == "row":
                return (lane % 4 if low else lane % 4 + 4), i
            return (i if low else i + 4), lane % 4
        if which == "b":
            if order == "row":
                return lane % 4, (i if low else i + 4)
            return i, (lane % 4 if low else lane % 4 + 4)
        if total == "f16":
            return (lane % 4 if low else lane % 4 + 4), i
        row = (lane & 0b1) + (i & 0b10)
        return (row if low else row + 4), (i & 0b100) + (lane & 0b10) + (i & 0b1)

    return place


@pytest.mark.one_in(3)
@pytest.mark.parametrize("totals", [("f32", "f32"), ("f16", "f16"), ("f32", "f16")])
@pytest.mark.parametrize("orders", ["row.col", "row.row", "col.col", "col.row"])
def test_four_products_by_quads(orders, totals):
    rng = np.random.default_rng(13)
    order_a, order_b = orders.split(".")
    lanes_of = [[lane for lane in range(32) if lane % 16 // 4 == quad] for quad in range(4)]
    a = rng.integers(-8, 9, (4, 8, 4)).astype(np.float16)
    b = rng.integers(-8, 9, (4, 4, 8)).astype(np.float16)
    d_type, c_type = (np.float16 if t == "f16" else np.float32 for t in totals)
    c = rng.integers(-8, 9, (4, 8, 8)).astype(c_type)
    places = {
        "a": quad_places("a", order_a, None),
        "b": quad_places("b", order_b, None),
        "c": quad_places("c", None, totals[1]),
        "d": quad_places("d", None, totals[0]),
    }
    given = {}
    for name, matrix, count in (("a", a, 4), ("b", b, 4), ("c", c, 8)):
        size = matrix.dtype.itemsize * 8
        raw = matrix.view(f"u{size // 8}")
        elements = np.zeros((32, count), np.uint64)
        for quad, lanes in enumerate(lanes_of):
            for lane in lanes:
                elements[lane] = [raw[quad][places[name](lane, i)] for i in range(count)]
        given[name] = twins.pack(elements, size)
    opcode = f"mma.sync.aligned.m8n8k4.{orders}.{totals[0]}.f16.f16.{totals[1]}"
    d_count = 4 if totals[0] == "f16" else 8
    out = np.stack(run(opcode, [given[p] for p in "abc"], d_count), axis=1).view(d_type)
    for quad, lanes in enumerate(lanes_of):
        expected = a[quad].astype(float) @ b[quad].astype(float) + c[quad]
        for lane in lanes:
            for i in range(8):
                assert out[lane, i] == expected[places["d"](lane, i)], (quad, lane, i)


REFUSED = [
    (
        "mma.sync.aligned.kind::mxf4.block_scale.scale_vec::2X.m16n8k64.row.col.f32.e2m1.e2m1.f32"
        ".ue8m0 {%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, {%r5, %r6}, {%f1, %f2, %f3, %f4}, %r7,"
        " {0, 1}, %r8, {0, 1};",
        "matrix products with scaled blocks",
    ),
    (
        "mma.sync.aligned.m16n8k4.row.col.rm.f64.f64.f64.f64 {%d1, %d2, %d3, %d4}, {%d3, %d4},"
        " {%d4}, {%d5, %d6, %d7, %d8};",
        "matrix products that do not round to nearest",
    ),
]


@pytest.mark.parametrize(("statement", "reason"), REFUSED)
def test_what_has_no_code_is_refused_by_name(statement, reason):
    text = (
        ".version 9.0\n.target sm_120a\n.address_size 64\n.visible .entry k()\n{\n"
        f".reg .f32 %f<9>; .reg .b32 %r<9>; .reg .f64 %d<9>;\n{statement}\nret;\n}}\n"
    )
    kernel = ptx.parse(Source("one.ptx", text)).module.kernels[0]
    first = kernel.blocks[0].instructions[0]
    assert REFUSALS[first.operation.name](first) == reason
