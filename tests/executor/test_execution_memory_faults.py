"""Accesses that a GPU would not let happen: kind, thread, address and space, exactly."""

import numpy as np
import pytest

from tests.reference.run_kernel import run_ptx
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.launch.numbering import (
    CONST_WINDOW,
    GLOBAL_BASE,
    LOCAL_WINDOW,
    PARAM_WINDOW,
    SHARED_WINDOW,
    WINDOW_BYTES,
)
from warpmill.executor.faults import ExecutionFault
from warpmill.executor.native.layout import FaultKind
from warpmill.executor.sanitizers.findings import Tool
from warpmill.session.checking import checked
from warpmill.session.options import LaunchOptions, RunOptions
from warpmill.session.run import run

SIZE = 100  # bytes of the buffer `a`, the first one
SMALL = 48  # bytes of shared, local and constant memory

OWN = f"""
    .shared .align 16 .b8 s[{SMALL}]; .local .align 16 .b8 l[{SMALL}];
    ld.param.u64 %d0, [a]; mov.u32 %r0, %tid.x; mul.wide.u32 %d1, %r0, 4;
    add.u64 %d2, %d0, %d1; shl.b32 %r9, %r0, 2;
    st.local.u32 [l], %r0; ld.shared.u32 %r8, [s]; ld.const.u32 %r8, [c];
"""
CONSTANTS = ".const .align 16 .b32 c[12] = {1, 2, 3};"

OUT, WRONG, NULL = FaultKind.OUT_OF_BOUNDS, FaultKind.MISALIGNED, FaultKind.NULL
PAST = SIZE // 4  # the first thread whose word is past the end of `a`


def ran(body, grid=1, block=32, **options):
    arrays = {n: np.arange(SIZE, dtype=np.uint8) for n in ("a", "b")}
    return run_ptx(OWN + body + " ret;", arrays, grid, block, variables=CONSTANTS, **options)


def fault_of(body, grid=1, block=32, **options):
    with pytest.raises(ExecutionFault) as caught:
        ran(body, grid, block, **options)
    return caught.value.fault


ONE = "setp.eq.u32 %p1, %r0, {lane}; selp.b64 %d3, {then}, {other}, %p1;"
GLOBAL_FAULTS = {
    "a load past the end": ("ld.global.u32 %r1, [%d2];", OUT, PAST, SIZE, 4),
    "a store past the end": ("st.global.u32 [%d2], %r0;", OUT, PAST, SIZE, 4),
    "an atomic past the end": ("atom.global.add.u32 %r1, [%d2], 1;", OUT, PAST, SIZE, 4),
    "a reduction past the end": ("red.global.add.u32 [%d2], 1;", OUT, PAST, SIZE, 4),
    "before the start": ("ld.global.u32 %r1, [%d2-4];", OUT, 0, -4, 4),
    "all lanes at the end": (f"ld.global.u8 %r1, [%d0+{SIZE}];", OUT, 0, SIZE, 1),
    "a vector that begins inside": ("ld.global.v4.u32 {%r1,_,_,%r4}, [%d0+96];", OUT, 0, 96, 16),
    "a double that begins inside": ("st.global.f64 [%d0+96], 0d0000000000000000;", OUT, 0, 96, 8),
    "one lane misaligned": (
        ONE.format(lane=9, then=2, other=0) + "add.u64 %d3, %d3, %d2; ld.global.u32 %r1, [%d3];",
        WRONG, 9, 38, 4,
    ),
    "a vector at half its alignment": ("ld.global.v2.u64 {%d3,%d4}, [%d0+8];", WRONG, 0, 8, 16),
    "eight words at half their alignment": (
        "ld.global.v8.b32 {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}, [%d0+16];", WRONG, 0, 16, 32,
    ),
    "a misaligned atomic": ("atom.global.add.u64 %d3, [%d0+4], 1;", WRONG, 0, 4, 8),
    "into the gap after the buffer": ("ld.global.u32 %r1, [%d0+200];", OUT, 0, 200, 4),
}  # fmt: skip


@pytest.mark.one_in(12)
@pytest.mark.parametrize("name", GLOBAL_FAULTS)
@pytest.mark.parametrize("word", [".global", ""])
def test_faults_of_global_memory(name, word):
    body, kind, thread, offset, size = GLOBAL_FAULTS[name]
    fault = fault_of(body.replace(".global", word))
    assert (fault.kind, fault.thread) == (kind, (thread, 0, 0))
    assert (fault.address, fault.access_bytes) == (GLOBAL_BASE + offset, size)
    assert fault.space in (Space.GLOBAL, Space.GENERIC)
    assert "`a`" in fault.nearest


def test_faults_through_null_pointers():
    fault = fault_of("mov.u64 %d3, 0; ld.global.u32 %r1, [%d3+16];")
    assert (fault.kind, fault.thread, fault.address) == (NULL, (0, 0, 0), 16)
    body = ONE.format(lane=3, then=0, other="%d0") + "st.global.u32 [%d3], %r0;"
    fault = fault_of(body)
    assert (fault.kind, fault.thread, fault.address) == (NULL, (3, 0, 0), 0)
    body = body.replace("global.", "")
    assert fault_of(body).kind is NULL


NAMES = {"shared": "s", "local": "l", "const": "c", "param": "a"}
WINDOWS = {"shared": SHARED_WINDOW, "local": LOCAL_WINDOW, "const": CONST_WINDOW,
           "param": PARAM_WINDOW}  # fmt: skip
SIZES = {"shared": SMALL, "local": SMALL, "const": SMALL, "param": 16}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("space", NAMES)
@pytest.mark.parametrize("is_generic", [False, True])
def test_faults_of_small_spaces(space, is_generic):
    """Past the end lane by lane, all at one place, before the start, and misaligned."""
    word = "" if is_generic else f".{space}"
    place = f"mov.b64 %d5, {NAMES[space]};" + (f"cvta.{space}.u64 %d5, %d5;" if is_generic else "")
    load = f"ld{word}.u32 %r1, [%d6+{{}}];"
    window, size = (WINDOWS[space] if is_generic else 0), SIZES[space]

    def found(body):
        fault = fault_of(place + body)
        return fault.kind, fault.thread[0], fault.address - window

    assert found("add.u64 %d6, %d5, %d1;" + load.format(0)) == (OUT, size // 4, size)
    assert found("mov.u64 %d6, %d5;" + load.format(size)) == (OUT, 0, size)
    assert found("mov.u64 %d6, %d5;" + load.format(2)) == (WRONG, 0, 2)
    assert found(ONE.format(lane=7, then=1, other=0) + "add.u64 %d6, %d5, %d3;"
                 + load.format(0)) == (WRONG, 7, 1)  # fmt: skip
    kind, thread, offset = found("mov.u64 %d6, %d5;" + load.format(-4))
    assert (kind, thread) == (OUT, 0)
    assert (offset + 4) % (1 << 64) == 0


@pytest.mark.parametrize("space", NAMES)
def test_an_address_far_beyond_its_space_meets_no_other_memory(space):
    """What is added to make it generic must not lead to a buffer or to another window."""
    for offset in (GLOBAL_BASE - WINDOWS[space], WINDOW_BYTES, WINDOW_BYTES - 4):
        body = f"mov.u64 %d5, {offset}; ld.{space}.u32 %r1, [%d5]; st.global.u32 [%d0], %r1;"
        fault = fault_of(body)
        assert (fault.kind, fault.address, fault.space) == (OUT, offset, Space(space))
    if space in ("shared", "local"):
        body = f"mov.u64 %d5, {GLOBAL_BASE - WINDOWS[space]}; st.{space}.u32 [%d5], %r0;"
        assert fault_of(body).kind is OUT


def test_atomics_of_shared_memory_fault_alike():
    fault = fault_of("atom.shared.add.u32 %r1, [%r9], 1;")
    assert (fault.kind, fault.thread, fault.address) == (OUT, (12, 0, 0), SMALL)
    fault = fault_of("atom.shared.cas.b32 %r1, [%r9+2], 1, 2;")
    assert (fault.kind, fault.thread, fault.address) == (WRONG, (0, 0, 0), 2)
    body = f"mov.u32 %r1, {GLOBAL_BASE - SHARED_WINDOW}; atom.shared.add.u32 %r1, [%r1], 1;"
    assert fault_of(body).kind is OUT


def test_generic_addresses_between_the_windows_are_nowhere():
    for address in (PARAM_WINDOW + WINDOW_BYTES, GLOBAL_BASE - 4, 0x2000, 0xDEADBEEF_00000000):
        fault = fault_of(f"mov.u64 %d5, {address}; ld.u32 %r1, [%d5];")
        assert (fault.kind, fault.address) == (OUT, address)


def test_the_place_of_a_thread_in_a_block_and_of_its_cta():
    """Thread (1, 2, 1) of 5 by 3 by 2, in CTA (1, 1, 0), is the only one that goes wrong."""
    body = """mov.u32 %r1, %tid.y; mov.u32 %r2, %tid.z; mov.u32 %r3, %ctaid.x;
        mov.u32 %r4, %ctaid.y; setp.eq.u32 %p1, %r0, 1; setp.eq.and.u32 %p1, %r1, 2, %p1;
        setp.eq.and.u32 %p1, %r2, 1, %p1; setp.eq.and.u32 %p1, %r3, 1, %p1;
        setp.eq.and.u32 %p1, %r4, 1, %p1; mov.u64 %d3, 0; @%p1 mov.u64 %d3, 400;
        add.u64 %d3, %d3, %d0; ld.global.u32 %r5, [%d3];"""
    fault = fault_of(body, grid=(3, 2), block=(5, 3, 2))
    assert (fault.cta, fault.thread, fault.warp) == ((1, 1, 0), (1, 2, 1), 0)
    assert fault.address == GLOBAL_BASE + 400
    later = fault_of(body.replace("%r2, 1, %p1", "%r2, 3, %p1"), grid=(3, 2), block=(5, 3, 4))
    assert (later.thread, later.warp) == ((1, 2, 3), 1)  # number 56: lane 24 of warp 1
    assert later.lanes == 1 << 24


def test_a_thread_in_the_upper_half_of_a_warp_of_64():
    body = (
        ONE.format(lane=109, then=2, other=0) + "add.u64 %d3, %d3, %d0; ld.global.u16 %r1, [%d3];"
    )
    fault = fault_of(body + "ld.global.u32 %r1, [%d3];", block=128, lanes=64)
    assert (fault.kind, fault.thread, fault.warp, fault.lanes) == (WRONG, (109, 0, 0), 1, 1 << 45)


WALK = """mul.wide.u32 %d3, %r0, {by_lane}; add.u64 %d3, %d3, %d0; add.u64 %d3, %d3, {start};
    L: {access} add.u64 %d3, %d3, {step}; bra L;"""


@pytest.mark.one_in(12)
@pytest.mark.parametrize("step", [16, -16])
@pytest.mark.parametrize("by_lane", [0, 16])
@pytest.mark.parametrize(
    "access",
    [
        "ld.global.u32 %r1, [%d3];", "ld.global.u8 %r1, [%d3];", "st.u64 [%d3], %d1;",
        "ld.v2.u64 {%d5,%d6}, [%d3];", "st.global.v4.u32 [%d3], {%r1,%r1,%r1,%r1};",
        "atom.global.add.u32 %r1, [%d3], 1;",
    ],
)  # fmt: skip
def test_walks_out_of_a_buffer_end_at_its_ends(access, by_lane, step):
    """What is remembered of the buffer must end exactly where it does."""
    size = 1024
    arrays = {
        "a": np.zeros(64, np.uint8),
        "b": np.zeros(size, np.uint8),
        "c": np.zeros(64, np.uint8),
    }
    start = 0 if step > 0 else 512 - 16
    body = WALK.format(by_lane=by_lane, start=start, access=access, step=step)
    with pytest.raises(ExecutionFault) as caught:
        run_ptx(OWN.replace("[a]", "[b]") + body, arrays, 1, 32, variables=CONSTANTS)
    fault = caught.value.fault
    base = GLOBAL_BASE + 512
    lane = 31 if step > 0 and by_lane else 0
    assert (fault.kind, fault.thread) == (OUT, (lane, 0, 0))
    assert fault.address == (base + size if step > 0 else base - 16)
    assert "`b`" in fault.nearest


# What is fine.


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("form", "size"), [("u8", 1), ("u16", 2), ("u32", 4), ("u64", 8),
                                            ("v2.u64", 16), ("v8.b32", 32)])  # fmt: skip
@pytest.mark.parametrize("length", [32, 96])
def test_both_ends_of_a_buffer_can_be_reached(form, size, length):
    """Lane 0 is at the first, lane 1 at the last element; then all lanes are at the last."""
    names = {"v2.u64": "{%d5, %d6}", "v8.b32": "{%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}", "u64": "%d5"}
    name = names.get(form, "%r1")
    body = f"""ld.param.u64 %d0, [a]; mov.u32 %r0, %laneid; ld.param.u64 %d4, [out];
        setp.eq.u32 %p1, %r0, 0; selp.b64 %d1, 0, {length - size}, %p1; add.u64 %d2, %d0, %d1;
        ld.global.{form} {name}, [%d2]; add.u64 %d3, %d4, %d1; st.global.{form} [%d3], {name};
        ld.global.{form} {name}, [%d0+{length - size}]; st.global.{form} [%d4+{length}], {name};
        ret;"""
    a = np.arange(length, dtype=np.uint8) + 1
    out = run_ptx(body, {"a": a, "out": np.zeros(length + size, np.uint8)})["out"]
    middle = np.zeros(max(0, length - 2 * size), np.uint8)
    ends = np.concatenate([a[:size], middle, a[-size:]]) if length > size else a
    assert np.array_equal(out[:length], ends)
    assert np.array_equal(out[length:], a[-size:])


def test_lanes_that_are_off_may_have_any_address():
    body = """setp.lt.u32 %p1, %r0, 25; mov.u64 %d3, 0xDEADBEEF00000001;
        selp.b64 %d3, %d2, %d3, %p1;
        @%p1 ld.global.u32 %r1, [%d3]; @%p1 st.global.u32 [%d3], %r1;
        @!%p1 bra E; atom.global.exch.b32 %r2, [%d3], %r1;
        setp.gt.u32 %p2, %r0, 99; @%p2 ld.global.u32 %r3, [%d3+1];
        @%p2 ld.global.u32 %r3, [1]; E: """
    assert np.array_equal(ran(body)["a"], np.arange(SIZE, dtype=np.uint8))


def test_one_instruction_goes_from_buffer_to_buffer():
    """What it remembers of the last buffer decides nothing, up to the fault at last."""
    body = """.reg .b64 %place, %list; ld.param.u64 %d4, [list]; mov.u32 %r4, 0;
        L: mul.wide.u32 %list, %r4, 8; add.u64 %list, %list, %d4; ld.global.u64 %place, [%list];
        add.u64 %place, %place, %d1; ld.u32 %r5, [%place]; add.u32 %r5, %r5, 1;
        st.u32 [%place], %r5; add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, {rounds}; @%p1 bra L;"""
    a, b, c = 0x1000_0000, 0x1000_0200, 0x1000_0400  # 128 B and a gap of 256 each
    places = np.array([a, b, a, c, SHARED_WINDOW, b, b + 2, a], np.uint64)
    names = {"a": np.uint32, "b": np.uint32, "c": np.uint32}
    head = f".shared .align 4 .b8 s[128]; {OWN[OWN.index('ld.param') : OWN.index('st.local')]}"
    arrays = {n: np.zeros(32, t) for n, t in names.items()} | {"list": places}
    done = run_ptx(head + body.replace("{rounds}", "6") + "ret;", arrays)
    assert [x.address for x in done.memory.allocations[:3]] == [a, b, c]
    assert [set(done[n].tolist()) for n in "abc"] == [{2}, {2}, {1}]
    with pytest.raises(ExecutionFault) as caught:
        run_ptx(head + body.replace("{rounds}", "8") + "ret;", arrays)
    fault = caught.value.fault
    assert (fault.kind, fault.address, fault.thread) == (WRONG, b + 2, (0, 0, 0))


@pytest.mark.parametrize("store", ["st.u32 [%d2], 7", "atom.add.u32 %r9, [%d2], 7"])
def test_constants_and_parameters_are_not_written(store):
    body = f"mov.u64 %d1, c; cvta.const.u64 %d2, %d1; {store}; ret;"
    with pytest.raises(ExecutionFault) as caught:
        run_ptx(body, variables=".const .align 4 .u32 c[4] = {1, 2, 3, 4};")
    assert caught.value.fault.kind is FaultKind.READ_ONLY
    assert caught.value.fault.address == CONST_WINDOW
    read = (
        "mov.u64 %d1, c; cvta.const.u64 %d2, %d1; ld.u32 %r9, [%d2+4];"
        " ld.param.u64 %d3, [out]; st.global.u32 [%d3], %r9; ret;"
    )
    result = run_ptx(
        read, {"out": np.zeros(1, np.uint32)}, variables=".const .align 4 .u32 c[4] = {1, 2, 3, 4};"
    )
    assert result["out"][0] == 2


BEYOND = """.version 8.0
.target sm_80
.address_size 64
.extern .shared .align 4 .b8 raw[];
.visible .entry _Z4sumsPf(.param .u64 _Z4sumsPf_param_0)
{ .reg .b32 %r<9>; .reg .b64 %d<9>;
ld.param.u64 %d0, [_Z4sumsPf_param_0]; mov.u32 %r1, %tid.x; mul.wide.u32 %d1, %r1, 4;
add.u64 %d2, %d0, %d1; st.global.u32 [%d2], %r1;
mov.u32 %r5, raw; shl.b32 %r6, %r1, 2; add.u32 %r7, %r5, %r6; st.shared.b32 [%r7 - 4], %r1; ret; }
"""


@pytest.mark.parametrize("shared", [0, 64])
def test_memcheck_says_how_far_beyond_shared_memory_and_of_what_in_words(tmp_path, shared):
    """Of 64 threads one stands before the part; names are those that people write."""
    (tmp_path / "sums.ptx").write_text(BEYOND)
    options = LaunchOptions(grid=1, block=64, shared=shared, args=("buffer=u32:60",))
    found = checked(
        frozenset({Tool.MEMCHECK}),
        RunOptions(),
        lambda own: run(tmp_path / "sums.ptx", None, options, own),
    ).findings
    beyond, inside = sorted(found, key=lambda one: one.space is Space.SHARED)
    assert beyond.nearest == "0 B past the end of `param_0` of 240 B"
    assert "kernel sums(float*), CTA" in beyond.message
    assert "of shared memory: its launch gives it no dynamic" in inside.message or shared
    assert inside.details[-1] == (
        f"the highest ends {252 - shared:,} B past the end of the CTA's shared memory"
    )
