"""mma.sp against NumPy: A is unpacked by its metadata into a whole matrix first."""

import numpy as np
import pytest

from tests.reference import matrix_twins as twins
from tests.reference.one_operation import compile_operation
from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends import ptx
from warpmill.executor.native.rules import REFUSALS

BITS = {"f16": 16, "bf16": 16, "tf32": 32}


def dense(stored, places, unit, kept, choices):
    """Put what is stored of a row where its places say; the rest is 0."""
    rows, depth = stored.shape
    whole = np.zeros((rows, depth // kept * choices), stored.dtype)
    for row in range(rows):
        for s in range(depth):
            number, part = divmod(s, unit)
            chunk = number // kept
            column = (chunk * choices + places[row, number]) * unit + part
            whole[row, column] = stored[row, s]
    return whole


def words_of(places, type_, width, selector):
    """The metadata of each lane as the manual's figures have them: T0: [15..0] and so on."""
    rng = np.random.default_rng(1)
    words = rng.integers(0, 1 << 32, 32, np.uint32)  # lanes that the selector passes over
    codes = np.where(places == 1, 0b1110, 0b0100) if type_ == "tf32" else places
    by_row = [sum(int(v) << (width * k) for k, v in enumerate(row)) for row in codes]
    bits = width * places.shape[1]
    for group in range(8):
        top, low = by_row[group], by_row[group + 8]
        if type_ in ("f16", "bf16", "tf32"):
            taken = [(top >> at & 0xFFFF) | (low >> at & 0xFFFF) << 16 for at in range(0, bits, 16)]
        else:
            taken = [row >> at & 0xFFFFFFFF for at in range(0, bits, 32) for row in (top, low)]
        first = 4 * group + selector * len(taken)
        words[first : first + len(taken)] = taken
    return words


def draw(rng, shape, type_):
    if type_ in BITS:
        values = rng.normal(size=shape).astype(np.float32)
        if type_ == "f16":
            return values.astype(np.float16).view(np.uint16)
        raw = values.view(np.uint32)
        return raw >> 16 if type_ == "bf16" else raw
    if type_[0] == "e":
        fine = [x for x in range(256) if np.isfinite(twins.narrow_value(x, type_))]
        return rng.choice(fine, shape)
    return rng.integers(0, 1 << int(type_[1:]), shape)


FORMS = [
    *[("m16n8k16", t, total, s) for t in ("f16", "bf16") for total in ("f32",) for s in range(4)],
    *[("m16n8k32", t, "f32", s) for t in ("f16", "bf16") for s in range(2)],
    ("m16n8k16", "f16", "f16", 0),
    *[("m16n8k8", "tf32", "f32", s) for s in range(4)],
    *[("m16n8k16", "tf32", "f32", s) for s in range(2)],
    *[("m16n8k32", t, "s32", s) for t in ("s8", "u8") for s in range(2)],
    *[("m16n8k64", t, "s32", 0) for t in ("s8", "u8")],
    *[("m16n8k64", t, "f32", 0) for t in ("e4m3", "e5m2")],
    *[("m16n8k64", t, "s32", s) for t in ("s4", "u4") for s in range(2)],
    ("m16n8k128", "s4", "s32", 0),
]


@pytest.mark.one_in(12)
@pytest.mark.parametrize("form", FORMS, ids=lambda form: ".".join(map(str, form)))
def test_products(form):
    shape, type_, total, selector = form
    rng = np.random.default_rng(21)
    m, n, k = twins.sizes(shape)
    bits = BITS.get(type_) or (8 if type_[0] == "e" else int(type_[1:]))
    per, unit = 32 // bits, 2 if bits == 4 else 1
    kept, choices, width = (1, 2, 4) if type_ == "tf32" else (2, 4, 2)
    raw_a, raw_b = draw(rng, (m, k // 2), type_), draw(rng, (k, n), type_)
    chunks = k // 2 // unit // kept
    places = np.stack(
        [
            np.concatenate([np.sort(rng.permutation(choices)[:kept]) for _ in range(chunks)])
            for _ in range(m)
        ]
    )
    c = (rng.normal(size=(m, n)) * 50).astype({"f32": "f4", "f16": "f2", "s32": "i4"}[total])
    a = dense(twins.values_of(raw_a, type_), places, unit, kept, choices)
    b = twins.values_of(raw_b, type_)

    def a_at(lane, i):
        register, part = divmod(i, per)
        row = lane // 4 + (8 if register % 2 else 0)
        return row, lane % 4 * per + part + (0 if register < 2 else 4 * per)

    def b_at(lane, i):
        register, part = divmod(i, per)
        return lane % 4 * per + part + 4 * per * register, lane // 4

    def c_at(lane, i):
        return (lane // 4 if i < 2 else lane // 4 + 8), lane % 4 * 2 + (i & 1)

    size = 16 if total == "f16" else 32
    raw_c = c.view(f"u{size // 8}")
    groups = {
        "a": twins.pack(twins.spread(raw_a, a_at), bits),
        "b": twins.pack(twins.spread(raw_b, b_at), bits),
        "c": twins.pack(twins.spread(raw_c, c_at), size),
    }
    count = len(groups["c"])
    names = {p: "{" + ", ".join(f"%{p}{i}" for i in range(len(g))) + "}" for p, g in groups.items()}
    d = "{" + ", ".join(f"%d{i}" for i in range(count)) + "}"
    variant = "mma.sp::ordered_metadata" if selector else "mma.sp"
    made = compile_operation(
        f"{variant}.sync.aligned.{shape}.row.col.{total}.{type_}.{type_}.{total} {d}, "
        f"{names['a']}, {names['b']}, {names['c']}, %e0, {selector};",
        ".reg .b32 %a<5>; .reg .b32 %b<5>; .reg .b32 %c<5>; .reg .b32 %d<5>; .reg .b32 %e<1>;",
    )
    given = {f"%{p}{i}": v for p, g in groups.items() for i, v in enumerate(g)}
    out = made.run(given | {"%e0": words_of(places, type_, width, selector)})
    got = np.stack([out[f"%d{i}"] for i in range(count)], axis=1).view(c.dtype)
    exact = a @ b + c.astype(float if total != "s32" else np.int64)
    error = np.zeros((m, n))
    if total != "s32":
        error = twins.bound(a, b, c.astype(float))
    if total == "f16":
        error = error + 2.0**-11 * abs(exact) + 2.0**-25
    for lane in range(32):
        for i in range(4):
            place = c_at(lane, i)
            assert abs(float(got[lane, i]) - exact[place]) <= error[place], (lane, i)


REFUSED = {
    (
        "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2},"
        " {%r3, %r4}, {%f1, %f2, %f3, %f4}, %r5, 4;"
    ): "the sparsity selector 4",
    (
        "mma.sp::ordered_metadata.sync.aligned.kind::mxf4.block_scale.scale_vec::2X.m16n8k128.row"
        ".col.f32.e2m1.e2m1.f32.ue8m0 {%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, {%r5, %r6, %r7,"
        " %r8}, {%f1, %f2, %f3, %f4}, %r9, 0, %r10, {0, 1}, %r11, {0, 1};"
    ): "matrix products with scaled blocks",
}


@pytest.mark.parametrize("statement", list(REFUSED))
def test_what_has_no_code_is_refused_by_name(statement):
    text = (
        ".version 9.0\n.target sm_120a\n.address_size 64\n.visible .entry k()\n{\n"
        f".reg .f32 %f<9>; .reg .b32 %r<12>;\n{statement}\nret;\n}}\n"
    )
    first = ptx.parse(Source("one.ptx", text)).module.kernels[0].blocks[0].instructions[0]
    assert REFUSALS[first.operation.name](first) == REFUSED[statement]
