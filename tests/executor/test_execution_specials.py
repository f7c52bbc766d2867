"""Special registers of all threads of a grid, against values worked out by hand."""

import numpy as np
import pytest

from tests.reference.run_kernel import run_ptx
from warpmill.analyzer.base.diagnostics import InputError

LINEAR = """
    .reg .b32 %t<9>; .reg .b64 %o<3>;
    mov.u32 %t0, %tid.z; mov.u32 %t1, %ntid.y; mov.u32 %t2, %tid.y; mad.lo.u32 %t0, %t0, %t1, %t2;
    mov.u32 %t1, %ntid.x; mov.u32 %t2, %tid.x; mad.lo.u32 %t0, %t0, %t1, %t2;
    mov.u32 %t3, %ctaid.z; mov.u32 %t4, %nctaid.y; mov.u32 %t5, %ctaid.y;
    mad.lo.u32 %t3, %t3, %t4, %t5; mov.u32 %t4, %nctaid.x; mov.u32 %t5, %ctaid.x;
    mad.lo.u32 %t3, %t3, %t4, %t5; mov.u32 %t4, %ntid.y; mul.lo.u32 %t1, %t1, %t4;
    mov.u32 %t4, %ntid.z; mul.lo.u32 %t1, %t1, %t4; mad.lo.u32 %t0, %t3, %t1, %t0;
    ld.param.u64 %o0, [out];
"""  # %t0: the thread's number in the grid


def seen(names, grid=1, block=32, **options):
    """What each thread of a grid sees in special registers: an array by name."""
    body = LINEAR + f"mul.wide.u32 %o1, %t0, {8 * len(names)}; add.u64 %o1, %o1, %o0;"
    for k, name in enumerate(names):
        wide = name.endswith("64") or name in ("gridid", "globaltimer")
        if wide:
            body += f"mov.u64 %d1, %{name};"
        else:
            body += f"mov.u32 %r1, %{name}; cvt.u64.u32 %d1, %r1;"
        body += f"st.global.u64 [%o1+{8 * k}], %d1;"
    threads = int(np.prod(grid)) * int(np.prod(block))
    out = np.zeros((threads, len(names)), np.uint64)
    done = run_ptx(body + "ret;", {"out": out}, grid, block, **options)
    return {n: done["out"][:, k].tolist() for k, n in enumerate(names)}


def test_places_in_three_dimensions():
    grid, block = (2, 3, 2), (5, 2, 4)
    names = [f"{n}.{a}" for n in ("tid", "ctaid", "ntid", "nctaid") for a in "xyz"]
    found = seen(names, grid, block)
    number = 0
    for cz in range(2):
        for cy in range(3):
            for cx in range(2):
                for z in range(4):
                    for y in range(2):
                        for x in range(5):
                            place = [found[n][number] for n in names]
                            assert place == [x, y, z, cx, cy, cz, 5, 2, 4, 2, 3, 2]
                            number += 1
    assert number == 480


def test_ctas_run_in_the_order_of_x_then_y_then_z():
    body = """ld.param.u64 %d0, [out]; atom.global.inc.u32 %r1, [%d0], 99; mul.wide.u32 %d1, %r1, 4;
        add.u64 %d1, %d1, %d0; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ctaid.y; mov.u32 %r3, %ctaid.z;
        mad.lo.u32 %r1, %r2, 10, %r1; mad.lo.u32 %r1, %r3, 100, %r1;
        st.global.u32 [%d1+4], %r1; ret;"""
    out = run_ptx(body, {"out": np.zeros(25, np.uint32)}, (2, 3, 4), 1)["out"]
    places = [(z, y, x) for z in range(4) for y in range(3) for x in range(2)]
    assert out[1:].tolist() == [100 * z + 10 * y + x for z, y, x in places]


@pytest.mark.parametrize(("lanes", "warps"), [(32, 3), (64, 2)])
def test_lanes_and_warps(lanes, warps):
    names = ["laneid", "warpid", "nwarpid", "tid.w", "ntid.w", "ctaid.w", "nctaid.w"]
    found = seen(names, 2, (7, 5, 2), lanes=lanes)
    threads = np.tile(np.arange(70), 2)
    assert found["laneid"] == (threads % lanes).tolist()
    assert found["warpid"] == (threads // lanes).tolist()
    assert set(found["nwarpid"]) == {warps}
    assert set(found["tid.w"]) | set(found["ctaid.w"]) == {0}
    assert set(found["ntid.w"]) | set(found["nctaid.w"]) == {1}


def test_masks_of_lanes():
    names = [f"lanemask_{n}" for n in ("eq", "lt", "le", "gt", "ge")]
    found = seen(names, block=64)
    top = 1 << 32
    for thread in range(64):
        bit = 1 << thread % 32
        row = [found[n][thread] for n in names]
        assert row == [bit, bit - 1, 2 * bit - 1, top - 2 * bit, top - bit]


def test_sizes_of_shared_memory():
    variables = ".shared .align 4 .b8 fixed[12]; .extern .shared .align 4 .b8 open_end[];"
    body = "mov.u32 %r5, fixed; mov.u32 %r6, open_end; "
    names = ["dynamic_smem_size", "total_smem_size"]
    for shared in (0, 40):
        found = seen(names, shared=shared, variables=variables)
        assert set(found["dynamic_smem_size"]) == {shared}
        # what no instruction names takes no room
        assert set(found["total_smem_size"]) == {shared}
    out = run_ptx(
        body + "mov.u32 %r1, %total_smem_size; mov.u32 %r2, %dynamic_smem_size;"
        "ld.param.u64 %d0, [out]; st.global.v2.u32 [%d0], {%r1, %r2}; ret;",
        {"out": np.zeros(2, np.uint32)}, shared=40, variables=variables,
    )["out"]  # fmt: skip
    assert out[1] == 40
    assert 12 + 40 <= out[0] <= 12 + 40 + 16


def test_one_grid_on_one_multiprocessor():
    found = seen(["gridid", "smid", "nsmid", "cluster_ctarank", "cluster_nctarank"], 3)
    assert set(found["nsmid"]) == {1}
    assert set(found["smid"]) == set(found["cluster_ctarank"]) == {0}
    assert set(found["cluster_nctarank"]) == {1}
    assert len(set(found["gridid"])) == 1


@pytest.mark.parametrize(("name", "word"), [("clock", "u32"), ("clock64", "u64"),
                                            ("globaltimer", "u64")])  # fmt: skip
def test_clocks_go_on_and_never_back(name, word):
    """Warps read it in each round of a loop; in every warp and over all CTAs it only grows."""
    register = "%r" if word == "u32" else "%d"
    start = f"mov.{word} {register}5, %{name};"
    body = f"""ld.param.u64 %d0, [out]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %warpid;
        mad.lo.u32 %r1, %r1, 2, %r2; mul.wide.u32 %d1, %r1, 80; add.u64 %d1, %d1, %d0;
        mov.u32 %r3, 0;
        L: {start} {"cvt.u64.u32 %d5, %r5;" if word == "u32" else ""}
        st.global.u64 [%d1], %d5; add.u64 %d1, %d1, 8;
        add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 10; @%p1 bra L; ret;"""
    out = run_ptx(body, {"out": np.zeros((6, 10), np.uint64)}, 3, 64)["out"].astype(np.int64)
    assert (np.diff(out, axis=1) > 0).all()
    assert (out[1:, 0] > out[:-1, -1]).all()


def test_waiting_for_a_clock_comes_to_an_end():
    body = """ld.param.u64 %d0, [out]; mov.u64 %d1, %clock64;
        L: mov.u64 %d2, %clock64; sub.u64 %d3, %d2, %d1; setp.lt.u64 %p1, %d3, {time}; @%p1 bra L;
        mov.u64 %d2, %clock64; sub.u64 %d3, %d2, %d1; st.global.u64 [%d0], %d3; ret;"""
    # while it waits no register changes that lives in the loop: the watchdog has to know better
    for time in (5000, 5_000_000):
        text = body.replace("{time}", str(time))
        assert run_ptx(text, {"out": np.zeros(1, np.uint64)})["out"][0] >= time


def test_a_special_register_without_a_value_is_refused():
    body = "mov.u32 %r1, %perctamemorysize; ret;"
    with pytest.raises(InputError, match="perctamemorysize"):
        run_ptx(body)


def test_shared_memory_of_the_system_lies_after_the_kernels_own():
    body = """ld.param.u64 %d0, [out]; mov.u32 %r3, own; mov.u32 %r1, %reserved_smem_offset_1;
        st.shared.u32 [%r1+1020], 7; ld.shared.u32 %r2, [%r1+1020];
        st.global.u32 [%d0], %r1; st.global.u32 [%d0+4], %r2; ret;"""
    own = ".shared .align 4 .b8 own[100];"
    arrays = {"out": np.zeros(2, np.uint32)}
    assert run_ptx(body, arrays, shared=200, variables=own)["out"].tolist() == [384, 7]


def test_the_size_of_a_warp_is_a_constant():
    body = """ld.param.u64 %d0, [out]; mov.u32 %r1, WARP_SZ; st.global.u32 [%d0], %r1; ret;"""
    assert run_ptx(body, {"out": np.zeros(1, np.uint32)})["out"][0] == 32


def test_vectors_of_a_special_register():
    body = """ld.param.u64 %d0, [out]; .reg .v4 .u32 %v; mov.v4.u32 %v, %tid;
        mov.u32 %r5, %laneid; mul.wide.u32 %d1, %r5, 16; add.u64 %d1, %d1, %d0;
        mov.u32 %r1, %v.x; mov.u32 %r2, %v.y; mov.u32 %r3, %v.z;
        st.global.v4.u32 [%d1], {%r1, %r2, %r3, %r5}; ret;"""
    out = run_ptx(body, {"out": np.zeros((24, 4), np.uint32)}, block=(3, 4, 2))["out"]
    assert out.tolist() == [[k % 3, k // 3 % 4, k // 12, k] for k in range(24)]
