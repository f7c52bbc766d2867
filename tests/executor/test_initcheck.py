"""Initcheck: a byte-wise twin on random kernels, planted defects, and what is no defect."""

import random

import numpy as np
import pytest

import warpmill
from tests.reference.undefined_bytes import Twin, random_lines
from warpmill.executor.host.cpu_device import CpuOptions
from warpmill.executor.sanitizers.findings import FindingKind, Tool
from warpmill.executor.sanitizers.sanitizer import Sanitizer

HEAD = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 a, .param .u64 b)
{
  .reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<40>; .reg .b64 %d<20>; .reg .f32 %f<20>;
  .shared .align 16 .b8 s[512]; .local .align 16 .b8 own[64];
  ld.param.u64 %d0, [a];
  ld.param.u64 %d1, [b];
  mov.u32 %r0, %tid.x;
  shl.b32 %r9, %r0, 2;
  mul.wide.u32 %d2, %r0, 4;
  add.u64 %d3, %d0, %d2;
  add.u64 %d4, %d1, %d2;
"""


def checked(
    body, threads=32, tools=(Tool.MEMCHECK, Tool.INITCHECK), grid=1, prepare=None, head=HEAD
):
    """Findings of initcheck in a kernel of an undefined buffer `a` and a defined one, `b`.

    ``prepare`` does something with the device and both before the launch.
    """
    sanitizer = Sanitizer(frozenset(tools))
    device = warpmill.Device(options=CpuOptions(sanitizer=sanitizer))
    a, b = device.empty(64, np.uint32, name="a"), device.zeros(64, np.uint32, name="b")
    if prepare is not None:
        prepare(device, a, b)
    module = device.load(
        head + "\n".join(f"{s};" for s in body.split(";") if s.strip()) + "\nret;\n}"
    )
    device.launch(module["k"], grid, threads, [a, b])
    return [one for one in sanitizer.findings if one.tool is Tool.INITCHECK]


def lines_of(found):
    return [one.access.excerpt.strip() for one in found]


BRANCH = "setp.eq.u32 %p1, %r1, 7; @%p1 bra L; add.u32 %r2, %r2, 1; L: mov.u32 %r3, 0"
USES = {
    "a branch": (f"ld.global.u32 %r1, [%d3]; {BRANCH}", "@%p1 bra L;"),
    "a guard": ("ld.global.u32 %r1, [%d3]; setp.eq.u32 %p1, %r1, 7; @%p1 mov.u32 %r2, 1",
                "@%p1 mov.u32 %r2, 1;"),
    "an address": ("ld.global.u32 %r1, [%d3]; and.b32 %r1, %r1, 252; ld.shared.u32 %r2, [%r1]",
                   "ld.shared.u32 %r2, [%r1];"),
    "a switch": ("ld.global.u32 %r1, [%d3]; and.b32 %r1, %r1, 1; T: .branchtargets A, B; "
                 "brx.idx %r1, T; A: mov.u32 %r2, 0; B: mov.u32 %r2, 1", "brx.idx %r1, T;"),
    "a register": (BRANCH, "@%p1 bra L;"),
    "shared memory": (f"ld.shared.u32 %r1, [%r9]; {BRANCH}", "@%p1 bra L;"),
    "local memory": (f"ld.local.u32 %r1, [own]; {BRANCH}", "@%p1 bra L;"),
    "a generic address": ("cvt.u64.u32 %d5, %r9; cvta.shared.u64 %d5, %d5; ld.u32 %r1, [%d5]; "
                          f"{BRANCH}", "@%p1 bra L;"),
    "a copy of a copy": ("ld.global.u32 %r1, [%d3]; st.shared.u32 [%r9], %r1; "
                         f"ld.shared.u32 %r1, [%r9]; {BRANCH}", "@%p1 bra L;"),
    "an asynchronous copy": ("cp.async.ca.shared.global [%r9], [%d3], 4; cp.async.wait_all; "
                             f"ld.shared.u32 %r1, [%r9]; {BRANCH}", "@%p1 bra L;"),
    "an atomic": ("atom.shared.add.u32 %r1, [%r9], 1; " + BRANCH, "@%p1 bra L;"),
    "what an atomic left": ("red.shared.add.u32 [%r9], 1; ld.shared.u32 %r1, [%r9]; " + BRANCH,
                            "@%p1 bra L;"),
    "a vector": ("shl.b32 %r8, %r0, 4; st.shared.v2.u32 [%r8], {%r0, %r0}; "
                 f"ld.shared.v4.u32 {{%r4, %r5, %r6, %r1}}, [%r8]; {BRANCH}", "@%p1 bra L;"),
    "a byte of a word": ("st.shared.u16 [%r9], 3; st.shared.u8 [%r9+3], 1; "
                         f"ld.shared.u32 %r1, [%r9]; {BRANCH}", "@%p1 bra L;"),
    "a byte that is taken out": ("st.shared.u16 [%r9], 3; ld.shared.u32 %r1, [%r9]; "
                                 f"bfe.u32 %r1, %r1, 12, 8; {BRANCH}", "@%p1 bra L;"),
    "a lane that is not there": ("mov.u32 %r1, 5; shfl.sync.idx.b32 %r1, %r1, 31, 31, -1; "
                                 + BRANCH, "@%p1 bra L;"),
    "another lane's value": ("st.shared.u32 [%r9], 0; setp.lt.u32 %p2, %r0, 8; "
                             "ld.shared.u32 %r1, [%r9+4]; "
                             f"shfl.sync.down.b32 %r1, %r1, 1, 31, -1; {BRANCH}", "@%p1 bra L;"),
    "a vote": ("ld.global.u32 %r1, [%d3]; setp.eq.u32 %p2, %r1, 3; "
               "vote.sync.any.pred %p1, %p2, -1; @%p1 bra L; mov.u32 %r2, 1; L: mov.u32 %r3, 1",
               "@%p1 bra L;"),
    "a float": ("ld.global.f32 %f1, [%d3]; fma.rn.f32 %f2, %f1, %f1, %f1; "
                "setp.gt.f32 %p1, %f2, 0f00000000; @%p1 mov.u32 %r2, 1", "@%p1 mov.u32 %r2, 1;"),
    "one side of a choice": ("ld.global.u32 %r1, [%d3]; setp.eq.u32 %p2, %r0, 3; "
                             f"selp.b32 %r1, %r1, 0, %p2; {BRANCH}", "@%p1 bra L;"),
    "a carry": ("ld.global.u32 %r1, [%d3]; add.cc.u32 %r4, %r1, 1; addc.u32 %r1, 0, 0; " + BRANCH,
                "@%p1 bra L;"),
    "a loop": ("ld.global.u32 %r4, [%d3]; mov.u32 %r1, 0; mov.u32 %r5, 0; M: add.u32 %r1, %r1, %r4;"
               f"add.u32 %r5, %r5, 1; setp.lt.u32 %p3, %r5, 4; @%p3 bra M; {BRANCH}",
               "@%p1 bra L;"),
}  # fmt: skip


@pytest.mark.one_in(12)
@pytest.mark.parametrize("name", USES)
def test_what_is_undefined_is_told_where_it_is_used(name):
    body, line = USES[name]
    found = checked(body, threads=24 if name == "a lane that is not there" else 32)
    assert lines_of(found)[0] == line
    assert {one.kind for one in found} == {FindingKind.UNDEFINED_VALUE}


FINE = {
    "a copy": "ld.global.u32 %r1, [%d3]; st.global.u32 [%d4], %r1",
    "a copy by halves": "ld.global.u32 %r1, [%d3]; mov.b32 {%h1, %h2}, %r1; "
    "mov.b32 %r2, {%h2, %h1}; st.global.u32 [%d4], %r2",
    "what was written": f"st.global.u32 [%d3], %r0; ld.global.u32 %r1, [%d3]; {BRANCH}",
    "a vector": "shl.b32 %r8, %r0, 4; st.shared.v4.u32 [%r8], {%r0, %r0, %r0, %r0}; "
    f"ld.shared.u32 %r1, [%r9]; {BRANCH}",
    "bytes": "".join(f"st.shared.u8 [%r9+{k}], %r0;" for k in range(4))
    + f"ld.shared.u32 %r1, [%r9]; {BRANCH}",
    "a generic store": "cvt.u64.u32 %d5, %r9; cvta.shared.u64 %d5, %d5; st.u32 [%d5], %r0; "
    f"ld.shared.u32 %r1, [%r9]; {BRANCH}",
    "an exchange": "atom.shared.exch.b32 %r7, [%r9], %r0; ld.shared.u32 %r1, [%r9]; " + BRANCH,
    "an asynchronous copy": "cp.async.ca.shared.global [%r9], [%d4], 4; cp.async.wait_all; "
    f"ld.shared.u32 %r1, [%r9]; {BRANCH}",
    "no bytes of a copy": "cp.async.ca.shared.global [%r9], [%d3], 4, 0; cp.async.wait_all; "
    f"ld.shared.u32 %r1, [%r9]; {BRANCH}",
    "a barrier object": "shl.b32 %r7, %r0, 3; mbarrier.init.shared.b64 [%r7], 5; "
    f"ld.shared.u32 %r1, [%r7+4]; {BRANCH}",
    "padding beside it": "st.shared.u16 [%r9], 3; ld.shared.u32 %r1, [%r9]; "
    f"and.b32 %r1, %r1, 65535; {BRANCH}",
    "the low half": "st.shared.u16 [%r9], 3; ld.shared.u32 %r1, [%r9]; cvt.u16.u32 %h1, %r1; "
    f"cvt.u32.u16 %r1, %h1; {BRANCH}",
    "the side that is not chosen": "ld.global.u32 %r1, [%d3]; setp.eq.u32 %p2, %r0, 99; "
    f"selp.b32 %r1, %r1, 0, %p2; {BRANCH}",
    "a condition that another decides": "ld.global.u32 %r1, [%d3]; setp.eq.u32 %p2, %r1, 3; "
    "setp.gt.u32 %p3, %r0, 99; and.pred %p1, %p2, %p3; @%p1 mov.u32 %r2, 1",
    "one that another holds": "ld.global.u32 %r1, [%d3]; setp.eq.u32 %p2, %r1, 3; "
    "setp.lt.u32 %p3, %r0, 99; or.pred %p1, %p2, %p3; @%p1 mov.u32 %r2, 1",
    "the own lane": "mov.u32 %r1, 5; shfl.sync.up.b32 %r1, %r1, 8, 0, -1; " + BRANCH,
    "a result that is overwritten": "ld.global.u32 %r1, [%d3]; add.u32 %r1, %r1, 1; "
    "st.global.u32 [%d4], %r1; st.global.u32 [%d4], %r0",
}


@pytest.mark.one_in(12)
@pytest.mark.parametrize("name", FINE)
def test_what_is_defined_or_copied_is_not_told(name):
    assert lines_of(checked(FINE[name], threads=24 if name == "the own lane" else 32)) == []


PHI = """target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %n) {
entry:
  %word = load i32, ptr addrspace(1) %a
  %large = icmp sgt i32 %n, 3
  br i1 %large, label %sum, label %meet
sum:
  %more = add i32 %word, 1
  br label %meet
meet:
  %either = phi i32 [ %more, %sum ], [ %word, %entry ]
  %byte = and i32 %either, 255
  %found = icmp eq i32 %byte, 7
  br i1 %found, label %yes, label %no
yes:
  store i32 1, ptr addrspace(1) %b
  br label %no
no:
  ret void
}
"""


@pytest.mark.parametrize(("n", "count"), [(1, 0), (9, 1)])
def test_what_edges_copy_is_undefined_by_bytes(tmp_path, n, count):
    path = tmp_path / "k.ll"
    path.write_text(PHI)
    sanitizer = Sanitizer(frozenset({Tool.INITCHECK}))
    device = warpmill.Device(options=CpuOptions(sanitizer=sanitizer))
    a, b = device.empty(64, np.uint8), device.zeros(16, np.uint32)
    a[:1].set(np.array([7], np.uint8))
    device.launch(device.load(path)["k"], 1, 1, [a, b, n])
    assert [one.count for one in sanitizer.findings] == [1] * count


HOST = {
    "nothing": (lambda *_: None, 32, 0),
    "a copy from the host": (lambda _device, a, _b: a.set(np.arange(64, dtype=np.uint32)), 0, 0),
    "a fill": (lambda _device, a, _b: a.fill(3), 0, 0),
    "a part": (lambda _device, a, _b: a[8:16].set(np.arange(8, dtype=np.uint32)), 24, 0),
    "a copy of what is defined": (lambda device, a, b: device.copy(a, b), 0, 0),
    "a copy of what is not": (lambda device, a, b: device.copy(b, a), 32, 32),
}
"""What the host does, and how many of the first threads have an undefined word in each buffer."""


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", HOST)
def test_the_host_defines_what_it_writes(name):
    prepare, *counts = HOST[name]
    for place, count in zip(("%d3", "%d4"), counts, strict=True):
        found = checked(f"ld.global.u32 %r1, [{place}]; {BRANCH}", prepare=prepare)
        assert sum(one.count for one in found) == count


def test_of_lanes_that_meet_at_a_place_those_count_that_leave_it_undefined():
    body = f"""setp.ne.u32 %p2, %r0, 3; mov.u32 %r4, 0; @!%p2 ld.global.u32 %r4, [%d3];
        red.global.add.u32 [%d1], %r4; bar.sync 0; ld.global.u32 %r1, [%d1]; {BRANCH}"""
    found = checked(body)
    assert lines_of(found) == ["red.global.add.u32 [%d1], %r4;", "@%p1 bra L;"]


def test_memory_from_malloc_is_undefined():
    text = HEAD.replace(
        ".visible", ".extern .func (.param .b64 r) malloc(.param .b64 n);\n.visible"
    )
    body = """{ .param .b64 n; .param .b64 got; st.param.b64 [n], 64;
        call (got), malloc, (n); ld.param.b64 %d7, [got]; }
        ld.u32 %r1, [%d7]; setp.eq.u32 %p1, %r1, 0; @%p1 mov.u32 %r2, 1;"""
    lines = "".join(f"{line};\n" for line in body.split(";") if line.strip())
    (found,) = checked(lines, head=text)
    assert found.access.excerpt.strip().startswith("@%p1 mov.u32")
    assert "memory from malloc" in found.nearest


TILES = {
    "an element": ("ld.shared.u32 %r1, [%r9]; st.global.u32 [%d4], %r1", 32),
    "one of a vector": ("shl.b32 %r8, %r0, 3; st.shared.u32 [%r8], %r0; "
                        "ld.shared.v2.u32 {%r1, %r4}, [%r8]; st.global.u32 [%d4], %r4", 32),
    "one by way of a lane": ("ld.shared.u32 %r1, [%r9]; shfl.sync.bfly.b32 %r1, %r1, 1, 31, -1; "
                             "st.global.u32 [%d4], %r1", 32),
    "a byte": ("ld.shared.u8 %r1, [%r9]; add.u64 %d4, %d1, 9; st.global.u8 [%d4], %r1", 32),
    "one beside what was written": ("st.shared.u16 [%r9], 3; ld.shared.u32 %r1, [%r9]; "
                                    "st.global.u32 [%d4], %r1", 0),
    "one that was written": ("st.shared.u32 [%r9], %r0; ld.shared.u32 %r1, [%r9]; "
                             "st.global.u32 [%d4], %r1", 0),
    "one of global memory": ("ld.global.u32 %r1, [%d3]; st.shared.u32 [%r9], %r1; "
                             "ld.shared.u32 %r4, [%r9]; st.global.u32 [%d4], %r4", 32),
}  # fmt: skip
"""What is copied from shared to global memory, and by how many lanes that is told."""


@pytest.mark.parametrize("name", TILES)
def test_an_element_of_a_tile_of_which_nothing_is_defined_is_told_where_it_is_left(name):
    body, count = TILES[name]
    found = checked(body)
    assert [one.count for one in found] == [count] * (count > 0)
    assert {one.kind for one in found} <= {FindingKind.UNDEFINED_RESULT}


def test_a_result_that_was_computed_from_undefined_bytes_is_a_warning():
    (found,) = checked("ld.global.u32 %r1, [%d3]; add.u32 %r1, %r1, 1; st.global.u32 [%d4], %r1")
    assert (found.kind, found.severity.value) == (FindingKind.UNDEFINED_RESULT, "warning")
    assert found.access.excerpt.strip() == "st.global.u32 [%d4], %r1;"
    assert found.count == 32


def test_the_load_of_what_nobody_has_written_is_told_too():
    (found,) = checked(f"ld.shared.u32 %r1, [%r9+4]; {BRANCH}", threads=7)
    assert found.other.excerpt.strip() == "ld.shared.u32 %r1, [%r9+4];"
    assert (found.other.thread, found.address) == ((0, 0, 0), 4)
    assert found.count == 7


def test_lanes_that_have_written_are_not_counted():
    body = f"""setp.ne.u32 %p2, %r0, 13; @%p2 st.shared.u32 [%r9], %r0;
        ld.shared.u32 %r1, [%r9]; {BRANCH}"""
    (found,) = checked(body)
    assert (found.access.thread, found.count) == ((13, 0, 0), 1)


def test_each_cta_has_to_write_its_shared_memory_itself():
    body = f"""mov.u32 %r4, %ctaid.x; setp.eq.u32 %p2, %r4, 0; @%p2 st.shared.u32 [%r9], %r0;
        ld.shared.u32 %r1, [%r9]; {BRANCH}"""
    (found,) = checked(body, grid=2)
    assert found.access.cta == (1, 0, 0)


MMA = "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f10, %f11, %f12, %f13}, "
"""Lane 4 g + t has columns 2 t and 2 t + 1 of rows g and g + 8 of D, row g of A, column g of B."""
PRODUCTS = {  # %r1 is undefined in lanes 12 to 15: lanes of each of D's registers
    "a row of A": ("{%r1, %r0}, {%r0}, {%f1, %f1, %f1, %f1}", [4, 4, 0, 0]),
    "a row of A below": ("{%r0, %r1}, {%r0}, {%f1, %f1, %f1, %f1}", [0, 0, 4, 4]),
    "a column of B": ("{%r0, %r0}, {%r1}, {%f1, %f1, %f1, %f1}", [0, 8, 0, 8]),
    "elements of C": ("{%r0, %r0}, {%r0}, {%f1, %f1, %r1, %f1}", [0, 0, 4, 0]),
    "all of them": ("{%r1, %r1}, {%r1}, {%r1, %r1, %r1, %r1}", [4, 11, 4, 11]),
    "nothing": ("{%r0, %r0}, {%r0}, {%f1, %f1, %f1, %f1}", [0, 0, 0, 0]),
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", PRODUCTS)
def test_elements_of_a_product_are_undefined_by_their_rows_and_columns(name):
    operands, counts = PRODUCTS[name]
    assert undefined_lanes(f"shr.u32 %r4, %r0, 2; setp.ne.u32 %p2, %r4, 3; {MMA}{operands};") == (
        counts
    )


SPARSE = "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f10, %f11, %f12, %f13}, "
FIRST, LAST = "0x44444444", "0xEEEEEEEE"  # A has elements 0 and 1 of each four, or 2 and 3
SPARSE_PRODUCTS = {  # %r1 is undefined in lanes 13 and 15, of B rows 2, 3, 6 and 7 of column 3
    "a row of A": ("{%r1, %r0}, {%r0, %r0}", FIRST, [4, 4, 0, 0]),
    "rows of B where A has elements": ("{%r0, %r0}, {%r1, %r0}", LAST, [0, 8, 0, 8]),
    "rows of B where A has none": ("{%r0, %r0}, {%r1, %r0}", FIRST, [0, 0, 0, 0]),
}


@pytest.mark.parametrize("name", SPARSE_PRODUCTS)
def test_elements_of_a_sparse_product_are_undefined_by_what_is_multiplied(name):
    operands, places, counts = SPARSE_PRODUCTS[name]
    product = f"{SPARSE}{operands}, {{%f1, %f1, %f1, %f1}}, %r5, 0x0;"
    lanes = "or.b32 %r4, %r0, 2; setp.ne.u32 %p2, %r4, 15;"
    assert undefined_lanes(f"mov.u32 %r5, {places}; {lanes} {product}") == counts


def undefined_lanes(body):
    """Lanes in which each of %f10 to %f13 is undefined, where %r1 is defined in lanes of %p2."""
    load = "@%p2 st.shared.u32 [%r9], %r0; ld.shared.u32 %r1, [%r9];"
    before, mma, product = body.partition("mma.")
    uses = [f"@%p1 mov.u32 %r2, {k};" for k in range(4)]
    probes = "".join(f"setp.gt.f32 %p1, %f1{k}, 0f00000000; {use}" for k, use in enumerate(uses))
    found = checked(f"mov.f32 %f1, 0f00000000; {before}{load}{mma}{product}{probes}")
    told = {one.access.excerpt.strip(): one.count for one in found}
    assert told.keys() <= set(uses)
    return [told.get(use, 0) for use in uses]


def test_all_tools_together_find_the_same():
    body = f"ld.global.u32 %r1, [%d3]; {BRANCH}"
    assert lines_of(checked(body, tools=tuple(Tool))) == ["@%p1 bra L;"]


@pytest.mark.one_in(12)
@pytest.mark.parametrize("seed", range(24))
def test_random_kernels_have_the_undefined_bytes_of_a_twin(seed):
    lines = random_lines(random.Random(seed), 30)
    probes, wanted = [], []
    twins = [Twin.ran(lines, thread) for thread in range(2)]
    for register in (f"%r{k}" for k in range(10, 16)):
        for byte in range(4):
            label = f"T{register[1:]}{byte}"
            use = f"@%p1 bra {label};"
            probes.append(f"bfe.u32 %r1, {register}, {8 * byte}, 8;\nsetp.eq.u32 %p1, %r1, 77;\n"
                          f"{use}\nadd.u32 %r2, %r0, 1;\n{label}:")  # fmt: skip
            count = sum(twin.registers[register][byte] for twin in twins)
            wanted += [(use, count)] if count else []
    found = checked("".join(f"{line};" for line in lines) + "".join(probes), threads=2)
    assert [(one.access.excerpt.strip(), one.count) for one in found] == wanted


def taken(take, threads=48):
    """What is found where a program takes results of a kernel that stores 48 of 64 words."""
    sanitizer = Sanitizer(frozenset({Tool.INITCHECK}))
    device = warpmill.Device(options=CpuOptions(sanitizer=sanitizer))
    a, b = device.empty(64, np.uint32, name="a"), device.zeros(64, np.uint32, name="b")
    module = device.load(f"{HEAD}  st.global.u32 [%d3], %r0;\n  ret;\n}}")
    take(device, a)
    assert sanitizer.findings == []  # nothing was launched
    device.launch(module["k"], 1, threads, [a, b])
    take(device, a)
    return [(one.kind, one.severity.value, one.message) for one in sanitizer.findings]


def test_results_that_nothing_has_written_are_told_where_a_program_takes_them():
    assert taken(lambda _, a: a.get()) == [
        (FindingKind.UNDEFINED_RESULT, "warning",
         "the program takes 256 B for its results, of which nothing has written 64 B, from 192 B "
         "into `a` of 256 B"),
    ]  # fmt: skip
    assert taken(lambda device, a: device.copy(np.zeros(64, np.uint32), a)) != []


@pytest.mark.parametrize(
    "take",
    [lambda _, a: a[:48].get(), lambda device, a: device.copy(device.empty(64, np.uint32), a)],
)
def test_a_part_that_was_stored_and_copies_on_the_device_are_not_told(take):
    assert taken(take) == []


def test_a_launch_file_says_nothing_of_what_its_results_are(tmp_path):
    text = f"{HEAD}  st.global.u32 [%d3], %r0;\n  ret;\n}}"
    (tmp_path / "k.ptx").write_text(text)
    report = warpmill.check(
        str(tmp_path / "k.ptx"), grid=(1,), block=(48,), args=["buffer=u32:64"] * 2
    )
    assert report.findings == ()
