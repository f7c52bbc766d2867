"""What a full warp's access costs, told without a launch."""

import pytest

from tests.analyses.test_access_launch import AT, IN_TILE, SAMPLES, Case
from tests.reference.accesses import cost
from warpmill.analyzer.analyses.access.accesses import memory_accesses
from warpmill.analyzer.analyses.access.coalescing import full_warp_costs
from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.frontends.load import load_kernel
from warpmill.analyzer.memory.rules import MemoryRules


def last(text, **options):
    case = Case(text)
    return full_warp_costs(case.module, case.accesses, **options)[-1]


def global_at(index, offset=0, opcode="ld.global.f32 %f1"):
    return f"{AT.format(index)} {opcode}, [%rd3+{offset}];"


@pytest.mark.parametrize(
    ("text", "sectors", "lines", "sharing"),
    [
        (global_at("%r1"), 4, 1, 8),
        (global_at("%r5"), 4, 1, 8),  # the CTA's part is taken to be a multiple of a line
        (global_at("%r1", 4), 5, 2, 32 / 5),
        (global_at("%r2"), 1, 1, 32),
        (f"shl.b32 %r6, %r1, 1; {global_at('%r6')}", 8, 2, 4),
        (f"shl.b32 %r6, %r1, 5; {global_at('%r6')}", 32, 32, 1),
        (f"neg.s32 %r6, %r1; {global_at('%r6')}", 5, 2, 32 / 5),  # lane 0 starts a sector
        (f"shr.u32 %r6, %r1, 1; {global_at('%r6')}", 2, 1, 16),
        (f"xor.b32 %r6, %r1, 1; {global_at('%r6')}", 4, 1, 8),
        (f"and.b32 %r6, %r1, 3; {global_at('%r6')}", 1, 1, 32),
        (
            f"setp.lt.u32 %p1, %r1, 7; mov.u32 %r6, 0; @%p1 bra B; mov.u32 %r6, 9; B:"
            f"{global_at('%r6')}",
            2,
            1,
            16,
        ),
        (global_at("%r1", opcode="atom.global.add.u32 %r6").replace("];", "], 1;"), 4, 1, 8),
    ],
)
def test_sectors_and_lines(text, sectors, lines, sharing):
    found = last(text)
    assert (found.sectors, found.lines, found.wavefronts) == (sectors, lines, None)
    assert (found.lanes_per_sector, found.reason) == (sharing, None)
    assert found.worst_sectors == 32


@pytest.mark.parametrize("factor", [0, 1, 2, 3, 4, 8, 16, 31, 32, 33, 64])
def test_bank_conflicts_follow_the_stride(factor):
    text = f"mul.lo.s32 %r6, %r1, {factor}; {IN_TILE.format('%r6')} ld.shared.f32 %f1, [%rd6];"
    case = Case(text)
    (found,) = full_warp_costs(case.module, case.accesses)
    assert found.wavefronts == cost(case.accesses[-1], [4 * factor * i for i in range(32)])[2]
    assert (found.sectors, found.worst_wavefronts) == (None, 32)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"mul.lo.s32 %r6, %r1, %r9; {global_at('%r6')}",
         "the bytes from lane to lane are no constant"),
        (f"min.s32 %r6, %r1, %r9; {global_at('%r6')}",
         "its lanes lie in no pattern that the kernel alone tells"),
        (f"{global_at('%r1', opcode='ld.global.u32 %r6')} {global_at('%r6')}",
         "loaded values decide its address"),
        (f"setp.lt.u32 %p1, %r9, 7; mov.u32 %r6, 0; @%p1 bra B; mov.u32 %r6, %r1; B:"
         f"{global_at('%r6')}", "control flow decides its address"),
    ],
)  # fmt: skip
def test_why_there_is_no_count(text, reason):
    found = last(text)
    assert (found.reason, found.sectors, found.worst_sectors) == (reason, None, 32)


def test_the_worst_case_of_wide_lanes():
    wide = f"mul.lo.s32 %r6, %r5, %r9; {AT.format('%r6')}"
    found = last(f"{wide} ld.global.v4.f32 {{%f1, %f2, %f3, %f4}}, [%rd3];")
    assert (found.reason is None, found.worst_sectors) == (False, 32)


def test_other_rules():
    text = global_at("%r1")
    assert last(text, rules=MemoryRules(sector_bytes=64, lanes_per_group=16)).sectors == 2
    assert last(text, rules=MemoryRules(lanes_per_group=8)).sectors == 4


def test_a_warp_of_64_lanes_is_counted_as_one(tmp_path):
    path = tmp_path / "k.ll"
    path.write_text(
        'target triple = "amdgcn-amd-amdhsa"\n'
        "define amdgpu_kernel void @k(ptr addrspace(1) %p) {\n"
        "  %t = call i32 @llvm.amdgcn.workitem.id.x()\n"
        "  %q = getelementptr float, ptr addrspace(1) %p, i32 %t\n"
        "  store float 0.0, ptr addrspace(1) %q\n  ret void\n}\n"
        "declare i32 @llvm.amdgcn.workitem.id.x()\n"
    )
    loaded, kernel = load_kernel(path)
    accesses = memory_accesses(loaded.module, analyse_structure(kernel))
    (found,) = full_warp_costs(loaded.module, accesses)
    assert (loaded.module.warp_size, found.sectors, found.lines) == (64, 8, 2)


def test_a_padded_tile_has_no_conflicts():
    loaded, kernel = load_kernel(SAMPLES / "transpose" / "transpose.bc", "transpose")
    accesses = memory_accesses(loaded.module, analyse_structure(kernel))
    found = full_warp_costs(loaded.module, accesses)
    columns = [c for a, c in zip(accesses, found, strict=True) if a.lane_stride_bytes == 132]
    assert [c.wavefronts for c in columns] == [1, 1, 1, 1]
    assert {
        c.sectors for a, c in zip(accesses, found, strict=True) if a.space.value == "global"
    } == {4}
