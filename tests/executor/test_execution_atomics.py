"""Atomics and reductions of every operation and type against a twin that takes lane by lane."""

import numpy as np
import pytest

from tests.reference.run_kernel import kernel_text, prepare, run_ptx

LANES, CELLS = 32, 5
AREA = LANES * 16  # bytes for what the lanes have, of each operation
CELL_AREA = CELLS * 16
ROUNDS = 2  # in the second each access remembers the first

INTEGERS = {
    "add": lambda old, b, _c, top: (old + b) % top,
    "and": lambda old, b, _c, _t: old & b,
    "or": lambda old, b, _c, _t: old | b,
    "xor": lambda old, b, _c, _t: old ^ b,
    "exch": lambda _o, b, _c, _t: b,
    "cas": lambda old, b, c, _t: c if old == b else old,
    "min": lambda old, b, _c, _t: min(old, b),
    "max": lambda old, b, _c, _t: max(old, b),
    "inc": lambda old, b, _c, _t: 0 if old >= b else old + 1,
    "dec": lambda old, b, _c, _t: b if old == 0 or old > b else old - 1,
}
FORMS = [
    "add.u32", "add.s32", "add.u64", "min.u32", "min.s32", "min.u64", "min.s64", "max.u32",
    "max.s32", "max.u64", "max.s64", "inc.u32", "dec.u32", "and.b32", "and.b64", "or.b32", "or.b64",
    "xor.b32", "xor.b64", "exch.b32", "exch.b64", "exch.b128", "cas.b16", "cas.b32", "cas.b64",
    "cas.b128", "add.f32", "add.f64", "add.noftz.f16", "add.noftz.bf16", "add.noftz.f16x2",
    "add.noftz.bf16x2",
]  # fmt: skip
VECTORS = [
    "add.v2.f32", "add.v4.f32", "add.noftz.v2.f16", "add.noftz.v4.f16", "max.noftz.v8.f16",
    "min.noftz.v8.bf16", "add.noftz.v2.bf16", "add.noftz.v4.bf16x2", "min.noftz.v2.f16x2",
    "max.noftz.v4.f16x2",
]  # fmt: skip
"""In global memory only. Source: PTX ISA 9.0, section 9.7.13.5 and .7 (atom, red)."""

REGISTERS = {"16": "%h", "32": "%r4", "64": "%d4", "128": "%q", "f32": "%f", "f64": "%g",
             "f16x2": "%r4", "bf16x2": "%r4", "f16": "%h", "bf16": "%h"}  # fmt: skip


def parts(form):
    """The operation, the type, the elements of a vector and the bytes of each."""
    words = form.split(".")
    count = next((int(w[1:]) for w in words if w[0] == "v"), 1)
    type_ = words[-1]
    bits = {"f16x2": 32, "bf16x2": 32, "bf16": 16}.get(type_) or int(type_[1:])
    return words[0], type_, count, bits // 8


def statement(space, form, number, *, reduces):
    op, type_, count, size = parts(form)
    register = REGISTERS.get(type_) or REGISTERS[type_[1:]]
    kind = "b" + str(8 * size)

    def names(start):
        listed = [f"{register}{start + k}" for k in range(count)]
        return f"{{{', '.join(listed)}}}" if count > 1 else listed[0]

    def moved(opcode, place, start):
        pairs = [(f"{register}{start + k}", f"[{place}+{k * size}]") for k in range(count)]
        return " ".join(
            f"{opcode} {r}, {p};" if opcode[0] == "l" else f"{opcode} {p}, {r};" for r, p in pairs
        )

    word = type_ if type_ in ("f32", "f64") else kind
    old, given, other = 0, count, 2 * count
    load, store = f"ld.global.{word}", f"st.global.{word}"
    operands = names(given) + (f", {names(other)}" if op == "cas" else "")
    atomic = f"red{space}.{form}" if reduces else f"atom{space}.{form}"
    head = "" if reduces else f"{names(old)}, "
    code = f"""
    mul.lo.u32 %r1, %r0, {size * count}; cvt.u64.u32 %d1, %r1;
    mul.wide.u32 %d2, %r2, {size * count}; add.u64 %d2, %d2, %A0;
    add.u64 %d3, %A1, %d1; {moved(load, f"%d3+{number * AREA}", given)}"""
    if op == "cas":
        code += f"add.u64 %d3, %A2, %d1; {moved(load, f'%d3+{number * AREA}', other)}"
    code += f"@%p1 {atomic} {head}[%d2+{number * CELL_AREA}], {operands};"
    if not reduces:
        code += f"add.u64 %d3, %A3, %d1; @%p1 {moved(store, f'%d3+{number * AREA}', old)[:-1]};"
        code = code.replace("; st.global", "; @%p1 st.global")
    return code


def body_of(space, forms, *, reduces):
    """Bring the cells to their space, let all lanes at them, bring them back."""
    code = """.reg .b64 %A<9>; ld.param.u64 %A0, [cells]; ld.param.u64 %A1, [given];
        ld.param.u64 %A2, [other];
        ld.param.u64 %A3, [old]; ld.param.u64 %A4, [index]; ld.param.u64 %A5, [on];
        mov.u32 %r0, %laneid; mul.wide.u32 %d1, %r0, 4; add.u64 %A4, %A4, %d1;
        add.u64 %A5, %A5, %d1; ld.global.u32 %r2, [%A4]; ld.global.u32 %r3, [%A5];
        setp.ne.u32 %p1, %r3, 0;"""
    total = CELL_AREA * len(forms)
    copy = f"""mov.u32 %r31, %r0; L{{n}}: cvt.u64.u32 %d1, %r31; add.u64 %d2, %A6, %d1;
        add.u64 %d3, %A0, %d1; ld.{{a}}.u8 %r32, [{{from_}}]; st.{{b}}.u8 [{{to}}], %r32;
        add.u32 %r31, %r31, 32; setp.lt.u32 %p2, %r31, {total}; @%p2 bra L{{n}};"""
    is_shared = "shared" in space
    if is_shared:
        code += f".shared .align 16 .b8 mine[{total}]; mov.u64 %A6, mine;"
        code += copy.format(n=1, a="global", b="shared", from_="%d3", to="%d2")
        code += "mov.u64 %A7, %A0; mov.u64 %A0, %A6;"
    if space.startswith("generic"):
        code += "cvta.shared.u64 %A0, %A0;" if is_shared else ""
    word = "" if space.startswith("generic") else f".{space}"
    code += "mov.u32 %r50, 0; AGAIN:"
    code += "".join(statement(word, f, k, reduces=reduces) for k, f in enumerate(forms))
    code += f"add.u32 %r50, %r50, 1; setp.lt.u32 %p9, %r50, {ROUNDS}; @%p9 bra AGAIN;"
    if is_shared:
        code += "mov.u64 %A0, %A7;"
        code += copy.format(n=2, a="shared", b="global", from_="%d2", to="%d3")
    return code + "ret;"


# The twin.


def bf16(bits):
    return np.asarray(bits, np.uint32).astype(np.uint32) << 16


def combined(op, type_, old, given, other):
    """The new bytes of one element from its old ones and the operands' bytes."""
    if type_ in ("f16x2", "bf16x2"):
        halves = [combined(op, type_[:-2], old[k : k + 2], given[k : k + 2], b"") for k in (0, 2)]
        return b"".join(halves)
    if "f" not in type_:
        signed = type_[0] == "s"
        a, b, c = (int.from_bytes(x, "little", signed=signed) for x in (old, given, other))
        new = INTEGERS[op](a, b, c, 1 << 8 * len(old))
        return (new % (1 << 8 * len(old))).to_bytes(len(old), "little")
    wide = np.float64 if type_ == "f64" else np.float32
    a, b = (number(type_, x) for x in (old, given))
    new = {"add": lambda: wide(a + b), "min": lambda: min(a, b), "max": lambda: max(a, b)}[op]()
    if type_ == "bf16":
        bits = int(np.float32(new).view(np.uint32))
        return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).to_bytes(2, "little")
    return new.astype({"f16": np.float16, "f32": np.float32, "f64": np.float64}[type_]).tobytes()


def number(type_, data):
    """Read a float; sums of two narrow ones from `values_of` are exact in 32 bits."""
    if type_ == "bf16":
        return np.frombuffer(b"\0\0" + data, np.float32)[0]
    kind = {"f16": np.float16, "f32": np.float32, "f64": np.float64}[type_]
    found = np.frombuffer(data, kind)[0]
    return np.float32(found) if type_ == "f16" else found


def values_of(rng, op, type_, count, size):
    """Bytes of random elements: small integers that repeat, or floats of any fraction."""
    if "f" in type_:
        numbers = rng.integers(-2000, 2000, count * 2).astype(np.float32) / 64
        if type_.startswith("bf16"):
            raw = (numbers.view(np.uint32) >> 16).astype(np.uint16).tobytes()
        else:
            kind = {"f32": np.float32, "f64": np.float64}.get(type_, np.float16)
            raw = (numbers * rng.random(count * 2)).astype(kind).tobytes()
        return np.frombuffer(raw[: count * size], np.uint8).reshape(count, size)
    few = op in ("cas", "inc", "dec")
    raw = rng.integers(0, 256, (count, size)).astype(np.uint8)
    if few:
        raw[:] = 0
        raw[:, 0] = rng.integers(0, 4, count)
    return raw


def twin(form, cells, given, other, index, on):
    """Go through the lanes from the lowest; gives the cells and what each lane got last."""
    op, type_, count, size = parts(form)
    cells, old = cells.copy(), np.zeros((LANES, count * size), np.uint8)
    for lane in np.tile(np.flatnonzero(on), ROUNDS):
        row = cells[index[lane]]
        old[lane] = row
        for k in range(count):
            part = slice(k * size, (k + 1) * size)
            operands = (row[part], given[lane, part], other[lane, part])
            row[part] = np.frombuffer(
                combined(op, type_, *(x.tobytes() for x in operands)), np.uint8
            )
    return cells, old


def filled(forms, rows, area, rng):
    """A buffer of random elements, and views of each form's part of it."""
    whole, views = np.zeros(len(forms) * area, np.uint8), []
    for k, form in enumerate(forms):
        op, type_, count, size = parts(form)
        view = whole[k * area : k * area + rows * count * size].reshape(rows, count * size)
        view[:] = values_of(rng, op, type_, rows * count, size).reshape(rows, -1)
        views.append(view)
    return whole, views


def check(space, forms, *, reduces):
    rng = np.random.default_rng(5)
    names = dict.fromkeys(("cells", "given", "other", "old", "index", "on"), np.zeros(1, np.uint8))
    prepared = prepare(kernel_text(body_of(space, forms, reduces=reduces), names))
    for masked in range(4):
        cells, cell_views = filled(forms, CELLS, CELL_AREA, rng)
        given, given_views = filled(forms, LANES, AREA, rng)
        other, other_views = filled(forms, LANES, AREA, rng)
        index = rng.integers(0, CELLS, LANES).astype(np.uint32)
        on = rng.integers(0, 2, LANES) if masked else np.ones(LANES, int)
        on = on.astype(np.uint32)
        old = np.zeros(len(forms) * AREA, np.uint8)
        values = (cells, given, other, old, index, on)
        ran = prepared.run(1, LANES, dict(zip(names, values, strict=True)))
        for k, form in enumerate(forms):
            parts_ = cell_views[k], given_views[k], other_views[k]
            new, before = twin(form, *parts_, index, on)
            size = new.shape[1]
            found = ran["cells"][k * CELL_AREA :][: CELLS * size].reshape(CELLS, size)
            assert np.array_equal(found, new), (form, space)
            if not reduces:
                got = ran["old"][k * AREA :][: LANES * size].reshape(LANES, size)
                assert np.array_equal(got, before), (form, space)


@pytest.mark.slow
@pytest.mark.parametrize("space", ["global", "shared", "generic", "generic shared"])
def test_atomics_lane_by_lane(space):
    check(space, FORMS + (VECTORS if space == "global" else []), reduces=False)


@pytest.mark.parametrize("space", ["global", "shared"])
def test_reductions_lane_by_lane(space):
    plain = [f for f in FORMS if not f.startswith(("exch", "cas"))]
    check(space, plain + (VECTORS if space == "global" else []), reduces=True)


def test_increments_wrap_at_their_bound():
    """Ten lanes count to 3 and begin again; from 0 down they begin at 3."""
    body = """ld.param.u64 %d0, [out]; mov.u32 %r0, %laneid; mul.wide.u32 %d1, %r0, 8;
        add.u64 %d1, %d1, %d0; atom.global.inc.u32 %r1, [%d0+256], 3;
        atom.global.dec.u32 %r2, [%d0+260], 3; st.global.v2.u32 [%d1], {%r1, %r2}; ret;"""
    out = run_ptx(body, {"out": np.zeros(66, np.uint32)}, block=10)["out"]
    assert out[:20:2].tolist() == [0, 1, 2, 3, 0, 1, 2, 3, 0, 1]
    assert out[1:20:2].tolist() == [0, 3, 2, 1, 0, 3, 2, 1, 0, 3]
    assert out[64:].tolist() == [2, 2]


def test_sums_over_a_grid():
    """Histogram of 64 lanes a warp: 10 CTAs of 200 threads into 7 bins."""
    body = """ld.param.u64 %d0, [out]; mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x;
        mad.lo.u32 %r2, %r1, 200, %r0; rem.u32 %r3, %r2, 7; mul.wide.u32 %d1, %r3, 8;
        add.u64 %d1, %d1, %d0; cvt.u64.u32 %d2, %r2; red.global.add.u64 [%d1], %d2; ret;"""
    for lanes in (32, 64):
        out = run_ptx(body, {"out": np.zeros(7, np.uint64)}, 10, 200, lanes=lanes)["out"]
        numbers = np.arange(2000)
        assert out.tolist() == [int(numbers[numbers % 7 == k].sum()) for k in range(7)]
