"""Loads and stores of every width in every space, against NumPy on the host."""

import numpy as np
import pytest

from tests.reference.run_kernel import kernel_text, prepare, run_ptx
from warpmill.executor.launching import Grid

LANES = 32
FORMS = {
    "b8": 1, "b16": 2, "b32": 4, "b64": 8, "f32": 4, "f64": 8, "b128": 16,
    "v2.b8": 2, "v4.b8": 4, "v2.u16": 4, "v4.u16": 8, "v2.b32": 8, "v4.f32": 16, "v2.s64": 16,
    "v2.f64": 16,
}  # fmt: skip
WIDE_FORMS = {"v8.b32": 32, "v8.f32": 32, "v4.b64": 32, "v4.f64": 32}
"""Bytes of each form; the wide ones are of global memory only."""

SPACES = ["global", "shared", "local", "generic global", "generic shared", "generic local"]
AREA = LANES * 32  # bytes of scratch for each form

REGISTERS = {"b8": "%h", "u16": "%h", "b16": "%h", "b32": "%r1", "f32": "%f", "f64": "%g",
             "b64": "%d2", "s64": "%d2", "b128": "%q"}  # fmt: skip

HEAD = """
    mov.u32 %r0, %laneid; mov.u32 %r1, %tid.x; shl.b32 %r1, %r1, 2; cvt.u64.u32 %d0, %r1;
    ld.param.u64 %d1, [to]; add.u64 %d1, %d1, %d0; ld.global.u32 %r2, [%d1];
    ld.param.u64 %d2, [from]; add.u64 %d2, %d2, %d0; ld.global.u32 %r3, [%d2];
    ld.param.u64 %d3, [stores]; add.u64 %d3, %d3, %d0; ld.global.u32 %r4, [%d3];
    ld.param.u64 %d4, [loads]; add.u64 %d4, %d4, %d0; ld.global.u32 %r5, [%d4];
    setp.ne.u32 %p1, %r4, 0; setp.ne.u32 %p2, %r5, 0;
    ld.param.u64 %d5, [given]; ld.param.u64 %d6, [out];
"""


def forms_of(space):
    return {**FORMS, **WIDE_FORMS} if "global" in space and space != "generic" else FORMS


def names_of(form):
    """The registers that a form loads to, and how it writes them."""
    *vector, type_ = form.split(".")
    count = int(vector[0][1:]) if vector else 1
    names = [f"{REGISTERS[type_]}{k}" for k in range(count)]
    return f"{{{', '.join(names)}}}" if vector else names[0]


def round_trip(space, form, number, size):
    """Store each lane's element at its place ``to``, then load from its place ``from``."""
    names = names_of(form)
    word = "" if space.startswith("generic") else f".{space}"
    return f"""
    mul.lo.u32 %r6, %r0, {size}; cvt.u64.u32 %d7, %r6; add.u64 %d8, %d5, %d7;
    ld.global.{form} {names}, [%d8 + {number * AREA}];
    mul.wide.u32 %d9, %r2, {size}; add.u64 %d9, %d9, %d10;
    @%p1 st{word}.{form} [%d9 + {number * AREA}], {names};
    bar.sync 0;
    mul.wide.u32 %d9, %r3, {size}; add.u64 %d9, %d9, %d10;
    @%p2 ld{word}.{form} {names}, [%d9 + {number * AREA}];
    add.u64 %d8, %d6, %d7;
    @%p2 st.global.{form} [%d8 + {number * AREA}], {names};
    """


def scratch(space, count):
    """Declare what is written, and put its address into %d10."""
    kind = space.split()[-1]
    generic = f"cvta.{kind}.u64 %d10, %d10;" if space.startswith("generic") else ""
    if kind == "global":
        return f"ld.param.u64 %d10, [scratch]; {generic}"
    return f".{kind} .align 32 .b8 area[{count * AREA}]; mov.u64 %d10, area; {generic}"


RNG = np.random.default_rng(7)
EVERY = np.arange(LANES)
PLACES = {
    "in a row": EVERY,
    "one place": np.full(LANES, 5),
    "backwards": EVERY[::-1],
    "in pairs": EVERY // 2,
    "shuffled": RNG.permutation(LANES),
    "any": RNG.integers(0, LANES, LANES),
    "a row from 8 on": (EVERY + 8) % LANES,
}
MASKS = {
    "all": np.ones(LANES, bool),
    "none": np.zeros(LANES, bool),
    "first off": EVERY != 0,
    "some": RNG.integers(0, 2, LANES).astype(bool),
    "the last": EVERY == LANES - 1,
}


def expected(given, before, to, from_, stores, loads, is_local):
    """Do it lane by lane: of lanes that store to one place the highest wins."""
    memory = np.repeat(before[None], LANES, 0) if is_local else before.copy()
    for lane in np.flatnonzero(stores):
        memory[(lane, to[lane]) if is_local else to[lane]] = given[lane]
    found = memory[np.arange(LANES), from_] if is_local else memory[from_]
    return np.where(loads[:, None], found, np.uint8(0xAA))


@pytest.mark.slow
@pytest.mark.one_in(2)
@pytest.mark.parametrize("space", SPACES)
def test_round_trips_of_every_form(space):
    forms, rng = forms_of(space), np.random.default_rng(1)
    body = HEAD + scratch(space, len(forms)) + "mov.u32 %r50, 0; AGAIN:"
    body += "".join(
        round_trip(space, form, k, size) for k, (form, size) in enumerate(forms.items())
    )
    # once more: what an access remembers of the first round makes it take other ways
    body += "add.u32 %r50, %r50, 1; setp.lt.u32 %p9, %r50, 2; @%p9 bra AGAIN;"
    zeros = np.zeros(LANES, np.uint32)
    given = rng.integers(0, 256, len(forms) * AREA).astype(np.uint8)
    names = dict.fromkeys(("to", "from", "stores", "loads"), zeros)
    names |= {"given": given, "scratch": np.zeros(len(forms) * AREA, np.uint8), "out": given}
    prepared = prepare(kernel_text(body + "ret;", names))
    for to, from_, stores, loads in cases():
        out = np.full(len(forms) * AREA, 0xAA, np.uint8)
        arrays = {"to": to, "from": from_, "stores": stores, "loads": loads}
        arguments = {k: v.astype(np.uint32) for k, v in arrays.items()}
        area = np.zeros(len(forms) * AREA, np.uint8)
        ran = prepared.run(1, LANES, {**arguments, "given": given, "scratch": area, "out": out})
        for k, (form, size) in enumerate(forms.items()):
            part = slice(k * AREA, k * AREA + LANES * size)
            rows = [a[part].reshape(LANES, size) for a in (given, ran["out"], area)]
            wanted = expected(rows[0], rows[2], to, from_, stores, loads, "local" in space)
            assert np.array_equal(rows[1], wanted), (form, to, from_, stores, loads)


def cases():
    """Pairs of patterns with every mask for one of both."""
    keys, masks = list(PLACES), list(MASKS)
    for k, name in enumerate(keys):
        for j in range(3):
            other = keys[(k + 2 * j + 1) % len(keys)]
            stores, loads = masks[(k + j) % len(masks)], masks[(2 * k + 3 * j) % len(masks)]
            yield PLACES[name], PLACES[other], MASKS[stores], MASKS[loads]
    for name in keys:
        yield PLACES[name], PLACES[name], MASKS["all"], MASKS["all"]


# What narrow loads make of wider registers.


def test_narrow_loads_are_extended_by_their_type():
    body = """ld.param.u64 %d0, [out]; ld.param.u64 %d1, [given];
        mov.u32 %r1, %laneid; cvt.u64.u32 %d2, %r1; add.u64 %d2, %d2, %d1;
        mul.wide.u32 %d3, %r1, 32; add.u64 %d3, %d3, %d0; mul.wide.u32 %d5, %r1, 4;
        add.u64 %d5, %d5, %d1;
        ld.global.s8 %r2, [%d2]; ld.global.u8 %r3, [%d2]; ld.global.s16 %r4, [%d5];
        ld.global.u16 %r5, [%d5]; ld.global.s32 %d6, [%d5]; ld.global.b8 %h1, [%d2];
        st.global.v4.u32 [%d3], {%r2, %r3, %r4, %r5}; st.global.u64 [%d3+16], %d6;
        st.global.u16 [%d3+24], %h1; ret;"""
    given = np.random.default_rng(3).integers(0, 256, 4 * LANES).astype(np.uint8)
    out = run_ptx(body, {"out": np.zeros((LANES, 8), np.uint32), "given": given})["out"]
    bytes_, halves, words = given[:LANES], given.view(np.uint16)[::2], given.view(np.int32)
    assert np.array_equal(out[:, 0].view(np.int32), bytes_.view(np.int8))
    assert np.array_equal(out[:, 1], bytes_)
    assert np.array_equal(out[:, 2].view(np.int32), halves.view(np.int16))
    assert np.array_equal(out[:, 3], halves)
    assert np.array_equal(np.ascontiguousarray(out[:, 4:6]).view(np.int64)[:, 0], words)
    assert np.array_equal(out[:, 6], bytes_)


def test_narrow_stores_take_the_low_bits_and_leave_their_neighbours():
    body = """ld.param.u64 %d0, [out]; mov.u32 %r1, %laneid; mul.wide.u32 %d1, %r1, 8;
        add.u64 %d1, %d1, %d0; mov.u32 %r2, 0x12345678; mov.u64 %d2, 0x1122334455667788;
        st.global.u8 [%d1+1], %r2; st.global.u16 [%d1+2], %r2; st.global.u32 [%d1+4], %d2;
        ret;"""
    out = run_ptx(body, {"out": np.full((LANES, 8), 0xEE, np.uint8)})["out"]
    assert out.tolist() == [[0xEE, 0x78, 0x78, 0x56, 0x88, 0x77, 0x66, 0x55]] * LANES


# Addresses.


def test_lanes_of_one_access_are_in_different_buffers():
    """Even lanes read `a`, odd ones `b`, the last one through shared memory; all generic."""
    body = """.shared .align 4 .b8 s[4]; .reg .b64 %sh; ld.param.u64 %d0, [out];
        ld.param.u64 %d1, [a]; ld.param.u64 %d2, [b]; mov.u32 %r1, %laneid;
        mov.u32 %r5, 777; st.shared.u32 [s], %r5; mov.u64 %sh, s; cvta.shared.u64 %sh, %sh;
        mul.wide.u32 %d3, %r1, 4; and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 1;
        selp.b64 %d4, %d2, %d1, %p1; add.u64 %d4, %d4, %d3;
        setp.eq.u32 %p2, %r1, 31; selp.b64 %d4, %sh, %d4, %p2;
        ld.u32 %r3, [%d4]; add.u32 %r3, %r3, 1; st.u32 [%d4], %r3;
        add.u64 %d5, %d0, %d3; st.global.u32 [%d5], %r3; ret;"""
    a, b = np.arange(LANES, dtype=np.uint32), np.arange(100, 132, dtype=np.uint32)
    ran = run_ptx(body, {"out": np.zeros(LANES, np.uint32), "a": a, "b": b})
    wanted = np.where(EVERY % 2, b, a) + 1
    wanted[31] = 778
    assert np.array_equal(ran["out"], wanted)
    assert np.array_equal(ran["a"], np.where(EVERY % 2, a, a + 1))
    assert np.array_equal(ran["b"], np.where((EVERY % 2 == 1) & (EVERY < 31), b + 1, b))


def test_each_lane_has_local_memory_of_its_own_behind_one_generic_address():
    body = """.local .align 8 .b8 mine[16]; mov.u64 %d2, mine; cvta.local.u64 %d3, %d2;
        mov.u32 %r0, %tid.x; ld.param.u64 %d0, [out]; mul.wide.u32 %d1, %r0, 8;
        add.u64 %d1, %d1, %d0;
        st.u32 [%d3+4], %r0; st.local.u32 [mine], %r0; ld.v2.u32 {%r5, %r6}, [%d3];
        st.global.v2.u32 [%d1], {%r5, %r6}; ret;"""
    out = run_ptx(body, {"out": np.zeros((70, 2), np.uint32)}, block=70)["out"]
    assert np.array_equal(out, np.repeat(np.arange(70)[:, None], 2, 1))


WHERE = """
    .shared .align 8 .b8 s[8]; .local .align 8 .b8 l[8];
    .reg .pred %is<9>; .reg .b64 %a<9>;
    ld.param.u64 %a0, [out]; mov.u64 %a1, s; cvta.shared.u64 %a1, %a1;
    mov.u64 %a2, l; cvta.local.u64 %a2, %a2; mov.u64 %a3, c; cvta.const.u64 %a3, %a3;
    mov.b64 %a4, out; cvta.param.u64 %a4, %a4; mov.u64 %a5, 0; mov.u64 %a6, 16;
"""


def test_isspacep_tells_the_windows_apart():
    spaces = ["global", "shared", "local", "const", "param"]
    body = WHERE
    for k in range(7):
        body += "mov.u32 %r1, 0;"
        for bit, space in enumerate(spaces):
            body += f"isspacep.{space} %is0, %a{k}; @%is0 or.b32 %r1, %r1, {1 << bit};"
        body += f"st.global.u32 [%a0+{4 * k}], %r1;"
    variables = ".const .align 8 .b32 c = 5;"
    out = run_ptx(body + "ret;", {"out": np.zeros(7, np.uint32)}, variables=variables)["out"]
    # a null pointer and the numbers next to it are in none of the windows
    assert out[:5].tolist() == [1, 2, 4, 8, 16]
    assert not (out[5:] & 0b11110).any()


def test_cvta_there_and_back():
    body = WHERE
    for k, space in enumerate(["global", "shared", "local", "const", "param"]):
        body += f"cvta.to.{space}.u64 %d1, %a{k}; cvta.{space}.u64 %d1, %d1;"
        body += f"setp.eq.u64 %is0, %d1, %a{k}; selp.u32 %r1, 1, 0, %is0;"
        body += f"st.global.u32 [%a0+{4 * k}], %r1;"
    body += "ld.u32 %r2, [%a3]; st.global.u32 [%a0+20], %r2; ld.u64 %d2, [%a4];"
    body += "st.global.u64 [%a0+24], %d2; ret;"
    variables = ".const .align 8 .b32 c = 5;"
    ran = run_ptx(body, {"out": np.zeros(8, np.uint32)}, variables=variables)
    assert ran["out"][:6].tolist() == [1] * 5 + [5]
    assert ran["out"][6:].view(np.uint64)[0] == ran.memory.allocations[0].address


# Parameters, variables, dynamic shared memory.


def test_parameters_of_many_sizes_lie_aligned():
    struct = np.random.default_rng(5).integers(0, 256, 40).astype(np.uint8)
    body = """ld.param.u64 %d0, [out]; mov.u32 %r9, %laneid;
        ld.param.u16 %h1, [small]; ld.param.f64 %g1, [number]; ld.param.s32 %r1, [negative];
        ld.param.v4.u32 {%r2, %r3, %r4, %r5}, [struct+16]; ld.param.u8 %r6, [struct+39];
        ld.param.v2.u64 {%d1, %d2}, [struct]; mov.b64 %d3, struct; cvt.u64.u32 %d4, %r9;
        add.u64 %d3, %d3, %d4; ld.param.u8 %r7, [%d3+3];
        st.global.u16 [%d0], %h1; st.global.f64 [%d0+8], %g1; st.global.u32 [%d0+4], %r1;
        st.global.v4.u32 [%d0+16], {%r2, %r3, %r4, %r5}; st.global.u8 [%d0+32], %r6;
        st.global.v2.u64 [%d0+48], {%d1, %d2};
        add.u64 %d5, %d0, %d4; st.global.u8 [%d5+64], %r7; ret;"""
    arguments = {
        "small": np.uint16(0xABCD), "number": np.float64(1.5), "struct": struct.tobytes(),
        "negative": np.int32(-3), "out": np.zeros(96, np.uint8),
    }  # fmt: skip
    out = run_ptx(body, arguments)["out"]
    assert out[:2].view(np.uint16)[0] == 0xABCD
    assert out[4:8].view(np.int32)[0] == -3
    assert out[8:16].view(np.float64)[0] == 1.5
    assert np.array_equal(out[16:32], struct[16:32])
    assert out[32] == struct[39]
    assert np.array_equal(out[48:64], struct[:16])
    assert np.array_equal(out[64:96], struct[3 : 3 + LANES])


def test_local_arrays_are_indexed_by_data():
    body = """.local .align 4 .b8 rows[64]; ld.param.u64 %d0, [out]; ld.param.u64 %d1, [index];
        mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ntid.x; mov.u32 %r2, %tid.x;
        mad.lo.u32 %r0, %r0, %r1, %r2; mul.wide.u32 %d2, %r0, 4; add.u64 %d3, %d2, %d1;
        ld.global.u32 %r3, [%d3]; mov.u64 %d4, rows; mov.u32 %r4, 0;
        L: mul.lo.u32 %r5, %r4, 1000; add.u32 %r5, %r5, %r0; mul.wide.u32 %d5, %r4, 4;
        add.u64 %d5, %d5, %d4; st.local.u32 [%d5], %r5; add.u32 %r4, %r4, 1;
        setp.lt.u32 %p1, %r4, 16; @%p1 bra L;
        mul.wide.u32 %d5, %r3, 4; add.u64 %d5, %d5, %d4; ld.local.u32 %r6, [%d5];
        add.u64 %d3, %d2, %d0; st.global.u32 [%d3], %r6; ret;"""
    index = np.random.default_rng(2).integers(0, 16, 120).astype(np.uint32)
    arguments = {"out": np.zeros(120, np.uint32), "index": index}
    out = run_ptx(body, arguments, grid=3, block=40)["out"]
    assert np.array_equal(out, index * 1000 + np.arange(120))


MODULE_VARIABLES = """
.const .align 4 .b32 table[4] = {10, 20, 30, 40};
.const .align 8 .f64 half = 0d3FE0000000000000;
.global .align 4 .b32 words[4] = {1, 2, 3};
.global .align 8 .b64 pointers[3] = {generic(words), generic(words)+8, 0};
.const .align 8 .b64 to_words[1] = {generic(words)};
.const .align 1 .b8 bytes[3] = {7, 8, 9};
.global .align 4 .b32 counter;
.shared .align 4 .b32 common[8];
.extern .shared .align 16 .b8 open_a[];
.extern .shared .align 8 .b8 open_b[];
"""


def test_variables_of_a_module_hold_their_initialisers():
    body = """ld.param.u64 %d0, [out]; mov.u32 %r0, %laneid; and.b32 %r1, %r0, 3;
        mul.wide.u32 %d1, %r1, 4; mov.u64 %d2, table; add.u64 %d2, %d2, %d1;
        ld.const.u32 %r2, [%d2]; ld.global.u64 %d3, [pointers+8]; ld.u32 %r3, [%d3];
        ld.const.u64 %d4, [to_words]; ld.global.u32 %r4, [%d4+4]; ld.const.f64 %g1, [half];
        cvt.rzi.u32.f64 %r5, %g1; ld.const.u8 %r6, [bytes+2]; ld.global.u64 %d5, [pointers];
        mov.u64 %d6, words; setp.eq.u64 %p1, %d5, %d6; selp.u32 %r7, 1, 0, %p1;
        atom.global.add.u32 %r8, [counter], 2; ld.global.u32 %r9, [words+12];
        mul.wide.u32 %d7, %r0, 32; add.u64 %d7, %d7, %d0;
        st.global.v4.u32 [%d7], {%r2, %r3, %r4, %r5};
        st.global.v4.u32 [%d7+16], {%r6, %r7, %r8, %r9}; ret;"""
    arguments = {"out": np.zeros((LANES, 8), np.uint32)}
    ran = run_ptx(body, arguments, variables=MODULE_VARIABLES)
    wanted = [[10 * (k % 4 + 1), 3, 2, 0, 9, 1, 2 * k, 0] for k in range(LANES)]
    assert ran["out"].tolist() == wanted
    assert ran["counter"].view(np.uint32)[0] == 64


def test_dynamic_shared_memory_begins_after_the_static():
    body = """ld.param.u64 %d0, [out]; mov.u32 %r0, %laneid; mov.u32 %r1, open_a;
        mov.u32 %r2, open_b; mov.u32 %r3, common; st.shared.u32 [common+28], 99;
        shl.b32 %r4, %r0, 2; add.u32 %r5, %r1, %r4; st.shared.u32 [%r5], %r0;
        bar.sync 0; sub.u32 %r6, %r1, %r4; ld.shared.u32 %r7, [%r6+124];
        ld.shared.u32 %r8, [common+28];
        mul.wide.u32 %d1, %r0, 32; add.u64 %d1, %d1, %d0;
        st.global.v4.u32 [%d1], {%r1, %r2, %r3, %r7}; st.global.u32 [%d1+16], %r8; ret;"""
    out = run_ptx(
        body, {"out": np.zeros((LANES, 8), np.uint32)}, shared=128, variables=MODULE_VARIABLES
    )["out"]
    assert (out[:, 0] == out[:, 1]).all()
    assert (out[:, 0] >= out[:, 2] + 32).all()
    assert out[:, 0].tolist() == [int(out[0, 0])] * LANES
    assert out[0, 0] % 16 == 0
    assert out[:, 3].tolist() == list(range(31, -1, -1))
    assert (out[:, 4] == 99).all()


def test_shared_memory_is_of_one_cta():
    """Each CTA adds to its own counter; the next one does not see the last one's."""
    body = """.shared .align 4 .b32 n[1]; ld.param.u64 %d0, [out]; mov.u32 %r0, %tid.x;
        mov.u32 %r1, %ctaid.x; setp.eq.u32 %p1, %r0, 0; @%p1 st.shared.u32 [n], %r1;
        bar.sync 0; atom.shared.add.u32 %r2, [n], 1; bar.sync 0; ld.shared.u32 %r3, [n];
        mul.wide.u32 %d1, %r1, 4; add.u64 %d1, %d1, %d0; @%p1 st.global.u32 [%d1], %r3; ret;"""
    out = run_ptx(body, {"out": np.zeros(50, np.uint32)}, grid=50, block=70)["out"]
    assert out.tolist() == [70 + k for k in range(50)]


@pytest.mark.parametrize("word", ["", ".local"])
def test_local_memory_stays_a_threads_own_over_turns_and_rounds(word):
    """Warps take turns at barriers, and the same instructions come to it again and again."""
    generic = "" if word else "cvta.local.u64 %d3, %d3;"
    body = f""".local .align 8 .b8 mine[32]; mov.u64 %d3, mine; {generic} mov.u32 %r0, %tid.x;
        ld.param.u64 %d0, [out]; mul.wide.u32 %d1, %r0, 4; add.u64 %d1, %d1, %d0;
        mov.u32 %r1, 0; st{word}.u32 [%d3], %r1; and.b32 %r6, %r0, 1; mul.wide.u32 %d5, %r6, 4;
        add.u64 %d6, %d3, %d5;
        L: ld{word}.u32 %r2, [%d3]; mad.lo.u32 %r2, %r2, 3, %r0; st{word}.u32 [%d3], %r2;
        st{word}.u32 [%d6+8], %r2; bar.sync 0; ld{word}.u32 %r5, [%d6+8]; add.u32 %r1, %r1, 1;
        setp.lt.u32 %p1, %r1, 4; @%p1 bra L;
        ld{word}.u32 %r2, [%d3]; add.u32 %r2, %r2, %r5; st.global.u32 [%d1], %r2; ret;"""
    out = run_ptx(body, {"out": np.zeros(100, np.uint32)}, block=100)["out"]
    assert out.tolist() == [2 * 40 * k for k in range(100)]


def test_shared_and_local_memory_begin_as_zeros_in_every_cta():
    """What nobody has written does not depend on which CTAs ran before."""
    body = """.shared .align 4 .b32 s[64]; .local .align 4 .b32 l[2]; ld.param.u64 %d0, [out];
        mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mad.lo.u32 %r2, %r1, 64, %r0;
        mul.wide.u32 %d1, %r2, 8; add.u64 %d1, %d1, %d0; shl.b32 %r3, %r0, 2; mov.u32 %r4, s;
        add.u32 %r3, %r3, %r4; ld.shared.u32 %r5, [%r3]; ld.local.u32 %r6, [l+4];
        st.global.v2.u32 [%d1], {%r5, %r6}; st.shared.u32 [%r3], 7; st.local.u32 [l+4], 8; ret;"""
    out = run_ptx(body, {"out": np.ones((320, 2), np.uint32)}, grid=5, block=64)["out"]
    assert not out.any()


NARROW = """.version 6.0
.target sm_30
.address_size 32
.const .align 4 .b32 c[2] = {5, 6};
.visible .entry k(.param .u32 out)
{ .reg .b32 %r<20>; .local .align 4 .b8 l[8]; .shared .align 4 .b8 s[256];
    ld.param.u32 %r1, [out]; mov.u32 %r2, %tid.x; shl.b32 %r3, %r2, 2; add.u32 %r4, %r1, %r3;
    mov.u32 %r5, l; cvta.local.u32 %r6, %r5; st.u32 [%r6+4], %r2; ld.local.u32 %r7, [l+4];
    mov.u32 %r8, s; add.u32 %r8, %r8, %r3; st.shared.u32 [%r8], %r7; cvta.shared.u32 %r9, %r8;
    ld.u32 %r10, [%r9]; ld.const.u32 %r11, [c+4]; mad.lo.u32 %r10, %r10, %r11, %r7;
    st.global.u32 [%r4], %r10; ret; }
"""


def test_addresses_of_32_bits():
    out = prepare(NARROW).run(1, 40, {"out": np.zeros(40, np.uint32)})["out"]
    assert out.tolist() == [7 * k for k in range(40)]


def test_gathers_of_many_warps_are_numpys():
    """y[i] = x[index[i]], of a grid of 3-D blocks with a partial last warp."""
    body = """ld.param.u64 %d0, [y]; ld.param.u64 %d1, [x]; ld.param.u64 %d2, [index];
        mov.u32 %r0, %tid.x; mov.u32 %r1, %tid.y; mov.u32 %r2, %tid.z; mov.u32 %r3, %ntid.x;
        mov.u32 %r4, %ntid.y; mov.u32 %r5, %ctaid.x; mov.u32 %r6, %ntid.z;
        mad.lo.u32 %r7, %r2, %r4, %r1; mad.lo.u32 %r7, %r7, %r3, %r0;
        mul.lo.u32 %r8, %r3, %r4; mul.lo.u32 %r8, %r8, %r6; mad.lo.u32 %r7, %r5, %r8, %r7;
        mul.wide.u32 %d3, %r7, 4; add.u64 %d4, %d3, %d2; ld.global.u32 %r9, [%d4];
        mul.wide.u32 %d5, %r9, 8; add.u64 %d5, %d5, %d1; ld.global.f64 %g1, [%d5];
        mul.wide.u32 %d6, %r7, 8; add.u64 %d6, %d6, %d0; st.global.f64 [%d6], %g1; ret;"""
    rng, n = np.random.default_rng(11), 7 * 3 * 5 * 20
    x, index = rng.random(1000), rng.integers(0, 1000, n).astype(np.uint32)
    index[:105] = np.arange(105)  # a CTA of rows
    ran = run_ptx(body, {"y": np.zeros(n), "x": x, "index": index}, grid=20, block=(7, 3, 5))
    assert np.array_equal(ran["y"], x[index])
    assert ran.execution.block_threads.tolist() == [n]
    assert ran.execution.block_warps.tolist() == [20 * 4]


def test_the_grid_knows_its_size():
    assert Grid((3, 2, 2), (8, 4, 1)).ctas == 12
    assert Grid((3, 2, 2), (8, 4, 1)).threads_per_cta == 32
