"""What counts as one access, and to which space: copies, matrices, generic addresses."""

import numpy as np
import pytest

from tests.reference.run_kernel import kernel_text, prepare
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.memory.rules import DEFAULT_RULES
from warpmill.executor.collectors import Collector
from warpmill.executor.compile import CompileOptions
from warpmill.executor.host.device import Device
from warpmill.executor.launching import Grid
from warpmill.executor.observation import Observation, profile_of

COUNTING = CompileOptions(memory_rules=DEFAULT_RULES)
OUT = {"out": np.zeros(4096, np.uint32)}


def accesses(body, variables="", threads=32, lanes=32):
    """What one CTA's accesses cost, as a dictionary by (kind, space) of tuples."""
    prepared = prepare(kernel_text(body, OUT, variables), lanes, COUNTING)
    ran = prepared.run(1, threads, OUT)
    found = profile_of(prepared.compiled, Grid((1, 1, 1), (threads, 1, 1)), ran.execution)
    return {
        (a.kind, a.space): (
            a.width_bytes, a.requests, a.threads, a.lines, a.sectors, a.wavefronts,
            a.bank_conflicts,
        )
        for a in found.accesses
    }  # fmt: skip


START = """ld.param.u64 %d0, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %d1, %r1, 4;
    add.u64 %d1, %d1, %d0;"""


def test_a_generic_access_counts_in_each_space_that_its_lanes_are_in():
    body = f"""{START} mov.u64 %d2, tile; cvta.shared.u64 %d2, %d2; mul.wide.u32 %d3, %r1, 8;
        add.u64 %d2, %d2, %d3; and.b32 %r2, %r1, 1; setp.ne.u32 %p1, %r2, 0;
        selp.b64 %d4, %d2, %d1, %p1; st.u32 [%d4], %r1; ret;"""
    found = accesses(body, ".shared .b32 tile[64];")
    # even lanes write every other word of 128 B; odd ones words 16 B apart: 16 over 8 banks
    assert found == {
        ("store", Space.GLOBAL): (4, 1, 16, 1, 4, None, None),
        ("store", Space.SHARED): (4, 1, 16, None, None, 2, 1),
    }


def test_a_generic_access_may_be_to_local_memory():
    body = f""".local .b32 mine[8]; {START} mov.u64 %d2, mine; cvta.local.u64 %d2, %d2;
        and.b32 %r2, %r1, 3; mul.wide.u32 %d3, %r2, 4; add.u64 %d2, %d2, %d3;
        st.u32 [%d2 + 16], %r1; ret;"""
    # four words of the warp's threads, interleaved: a line each, and every fourth lane in it
    assert accesses(body) == {("store", Space.LOCAL): (4, 1, 32, 4, 16, None, None)}


def test_lanes_that_have_one_address_touch_one_place_unless_it_is_their_own():
    body = f""".local .b32 mine[8]; {START} ld.global.v4.u32 {{%r2, %r3, %r4, %r5}}, [%d0];
        st.shared.u32 [tile + 4], %r2; st.local.u32 [mine + 8], %r2; ret;"""
    assert accesses(body, ".shared .b32 tile[8];") == {
        ("load", Space.GLOBAL): (16, 1, 32, 1, 1, None, None),
        ("store", Space.SHARED): (4, 1, 32, None, None, 1, 0),
        ("store", Space.LOCAL): (4, 1, 32, 1, 4, None, None),
    }


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("size", "lanes", "requests"),
    [
        ("", 32, 4),
        (", 16", 32, 4),
        (", %r6", 32, 4),  # 13 bytes, of which the last is a word's first
        (", %r7", 8, 4),  # of every fourth lane, which lie in all of the lines
        (", %p2", 16, 2),  # lanes from 16 on
    ],
)
def test_a_copy_to_shared_memory_loads_and_stores(size, lanes, requests):
    """One load of the lanes that have something to copy, and one store of all."""
    body = f"""{START} mov.u32 %r6, 13; and.b32 %r7, %r1, 3; setp.eq.u32 %p1, %r7, 0;
        selp.b32 %r7, 16, 0, %p1; setp.lt.u32 %p2, %r1, 16;
        shl.b32 %r3, %r1, 4; mov.u32 %r4, tile; add.u32 %r4, %r4, %r3;
        mul.wide.u32 %d2, %r1, 16; add.u64 %d2, %d2, %d0;
        cp.async.cg.shared.global [%r4], [%d2], 16{size}; cp.async.wait_all; ret;"""
    sectors = 8 if lanes == 8 else lanes // 2
    assert accesses(body, ".shared .align 16 .b8 tile[512];") == {
        ("load", Space.GLOBAL): (16, 1, lanes, requests, sectors, None, None),
        ("store", Space.SHARED): (16, 1, 32, None, None, 4, 0),
    }


@pytest.mark.parametrize("trans", ["", ".trans"])
def test_a_matrix_is_one_pass_over_its_rows(trans):
    body = f"""{START} shl.b32 %r3, %r1, 4; mov.u32 %r4, tile; add.u32 %r4, %r4, %r3;
        st.shared.v4.u32 [%r4], {{%r1, %r1, %r1, %r1}}; bar.sync 0;
        ldmatrix.sync.aligned.m8n8.x4{trans}.shared.b16 {{%r5, %r6, %r7, %r8}}, [%r4]; ret;"""
    found = accesses(body, ".shared .align 16 .b8 tile[512];")
    assert found["load", Space.SHARED] == (4, 4, 128, None, None, 4, 0)


@pytest.mark.parametrize(
    ("size", "width", "lanes"), [("128", 128, 1), ("%d3", 8, 16)], ids=["written", "computed"]
)
def test_bytes_set_to_zero_together_are_one_store(size, width, lanes):
    body = f"""{START} mov.u32 %r4, tile; cvt.u64.u32 %d2, %r4; setp.eq.u32 %p1, %r1, 0;
        mov.u64 %d3, 128; @%p1 st.bulk.weak.shared::cta [%d2], {size}, 0; ret;"""
    assert accesses(body, ".shared .align 16 .b8 tile[128];") == {
        ("store", Space.SHARED): (width, 1, lanes, None, None, 1, 0)
    }


@pytest.mark.parametrize(
    ("size", "width", "lanes"), [("272", 272, 1), ("%r3", 16, 17)], ids=["written", "computed"]
)
def test_a_bulk_copy_is_one_access_of_whole_sectors(size, width, lanes):
    """272 bytes from 16 on lie in nine sectors of three lines; shared memory gives 128 at once."""
    body = f"""{START} mov.u32 %r4, tile; setp.eq.u32 %p1, %r1, 0; mov.u32 %r3, 272;
        add.u64 %d2, %d0, 16;
        @%p1 cp.async.bulk.global.shared::cta.bulk_group [%d2], [%r4], {size}; ret;"""
    assert accesses(body, ".shared .align 128 .b8 tile[512];") == {
        ("load", Space.SHARED): (width, 1, lanes, None, None, 3, 0),
        ("store", Space.GLOBAL): (width, 1, lanes, 3, 9, None, None),
    }


def test_constants_are_loads_without_transactions():
    body = f"""{START} and.b32 %r3, %r1, 3; mul.wide.u32 %d2, %r3, 4; mov.u64 %d3, table;
        add.u64 %d3, %d3, %d2; ld.const.u32 %r4, [%d3]; ret;"""
    found = accesses(body, ".const .b32 table[4] = {1, 2, 3, 4};")
    assert found == {("load", Space.CONST): (4, 1, 32, None, None, None, None)}


def test_atomics_and_waves_of_64():
    body = f"{START} atom.global.add.u32 %r4, [%d0], 1; red.global.add.u32 [%d1], 1; ret;"
    (both,) = accesses(body, threads=64, lanes=64).items()
    assert both == (("atomic", Space.GLOBAL), (4, 1, 64, 2, 8, None, None))  # the second one's


COPIES = """
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare void @llvm.memcpy.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i1)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @copy(ptr addrspace(1) %to, ptr addrspace(1) %from, i64 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %o = mul i64 %w, 2048
  %a = getelementptr i8, ptr addrspace(1) %to, i64 %o
  %b = getelementptr i8, ptr addrspace(1) %from, i64 %o
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 SIZE, i1 false)
  ret void
}
"""


class Seen(Collector):
    """Keeps accesses and counts."""

    counts = frozenset({"memory"})

    def __init__(self):
        self.told = []

    def on_accesses(self, accesses):
        self.told += list(accesses)

    def on_profile(self, profile):
        self.profile = profile


def copied(size, count):
    device, seen = Device(), Seen()
    device.backend.instrument = Observation([seen])
    bytes_ = np.random.default_rng(2).integers(0, 256, (32, 2048)).astype(np.uint8)
    to, source = device.zeros(bytes_.shape, np.uint8), device.array(bytes_)
    kernel = device.load(COPIES.replace("SIZE", size), "copies.ll")["copy"]
    device.launch(kernel, 1, 32, [to, source, np.int64(count)])
    assert np.array_equal(to.get()[:, :count], bytes_[:, :count])
    return seen, to, source


@pytest.mark.parametrize(("size", "width"), [(1600, 16), (1400, 8), (1300, 4), (1023, 1)])
def test_a_copy_of_bytes_is_told_once_and_counted_in_the_pieces_that_divide_it(size, width):
    seen, to, source = copied(str(size), size)
    assert [(a.kind, a.width_bytes, a.addresses[:2]) for a in seen.told] == [
        ("load", size, (source.address, source.address + 2048)),
        ("store", size, (to.address, to.address + 2048)),
    ]
    load, store = seen.profile.accesses
    assert (load.width_bytes, load.requests, load.bytes_requested) == (
        width,
        size // width,
        32 * size,
    )
    # each of the 32 threads has lines of its own
    assert load.sectors == store.sectors == 32 * (size // width)
    assert load.lines == 32 * (size // width)


def test_a_copy_of_many_bytes_takes_no_more_room_than_one(monkeypatch):
    """Its size is known only when it runs, and it goes on byte by byte."""
    monkeypatch.setattr("warpmill.executor.cta_runs.RECORD_WORDS", 1)
    seen, _, _ = copied("%n", 64)
    assert [(a.kind, a.width_bytes) for a in seen.told] == [("load", None), ("store", None)]
    assert seen.profile.accesses[0].bytes_requested == 32 * 64
