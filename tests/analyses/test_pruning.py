"""What the paper's trace keeps: lists written by hand, rules one by one, LLVM against PTX."""

from collections import Counter
from pathlib import Path

import pytest

from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.analyses.mix import Reason, kept, pruned
from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends.load import kernel_names, load_kernel
from warpmill.analyzer.frontends.ptx import parse
from warpmill.analyzer.ir.types import OpClass

SAMPLES = Path(__file__).parents[2] / "samples"


def structure_of(path, name=None):
    return analyse_structure(load_kernel(path, name)[1])


def view(structure):
    """For each block (kept opcodes, reasons of the others)."""
    instructions = [block.instructions for block in structure.kernel.blocks]
    return [
        (
            [instructions[b.block][i].operation.opcode for i in b.kept],
            [reason.name for _, reason in b.left_out],
        )
        for b in pruned(structure).blocks
    ]


def test_vecadd_from_llvm_by_hand():
    assert view(structure_of(SAMPLES / "vecadd/vecadd.ll")) == [
        (["mul.lo.s32", "add.s32", "setp.lt.s32"], [*["WORK_ITEM"] * 3, "CONTROL_FLOW"]),
        (
            ["ld.global.f32", "ld.global.f32", "add.f32", "st.global.f32"],
            ["CONVERSION", *["ADDRESS"] * 3, "CONTROL_FLOW"],
        ),
        ([], ["CONTROL_FLOW"]),
    ]


def test_vecadd_from_ptx_by_hand():
    parameters = ["PARAMETER", "PARAMETER", "CONVERSION", "PARAMETER", "CONVERSION", "CONVERSION"]
    assert view(structure_of(SAMPLES / "vecadd/vecadd.sm_80.clang.ptx")) == [
        (
            ["mad.lo.s32", "setp.ge.s32"],
            [*parameters, "PARAMETER", *["WORK_ITEM"] * 3, "CONTROL_FLOW"],
        ),
        (
            ["ld.global.nc.b32", "ld.global.nc.b32", "add.f32", "st.global.b32"],
            ["ADDRESS"] * 4,
        ),
        ([], ["CONTROL_FLOW"]),
    ]


LOADS = ["ld.shared", "ld.shared"]
ROW_AND_COLUMN = ["shl.b32", "add.s32", "shl.b32", "add.s32"]


def kept_names(file):
    """The kept opcodes of matmul's blocks; loads and stores without type and cache."""
    blocks = [opcodes for opcodes, _ in view(structure_of(SAMPLES / "matmul" / file))]
    return [[".".join(o.split(".")[:2]) if o[:2] in ("ld", "st") else o for o in b] for b in blocks]


def test_matmul_from_llvm_by_hand():
    """Row and column, a tile of each matrix a turn, sixteen products, the next tile, the store."""
    index = ["add.s32", "mul.lo.s32", "add.s32"]
    tiles = ["add.s32", "ld.global", "st.shared", *index, "ld.global", "st.shared", "bar.sync"]
    products = [*LOADS, "mul.f32", "add.f32"] * 16
    assert kept_names("matmul.ll") == [
        [*ROW_AND_COLUMN, "setp.gt.s32", "mul.lo.s32"],
        ["add.s32"],
        ["add.s32", "st.global"],
        [*tiles, *products, "bar.sync", "add.s32", "setp.lt.s32"],
    ]


def test_matmul_from_ptx_by_hand():
    """The same, but that products are fused and the second index goes up by 16 n each turn."""
    tiles = ["add.s32", "ld.global", "st.shared", "ld.global", "st.shared", "bar.sync"]
    products = [*LOADS, "fma.rn.f32"] * 16
    assert kept_names("matmul.sm_80.clang.ptx") == [
        [*ROW_AND_COLUMN, "setp.lt.s32", "mul.lo.s32"],
        ["mad.lo.s32", "add.s32", "shl.b32", "add.s32"],
        [*tiles, *products, "bar.sync", "add.s32", "add.s32", "setp.lt.s32"],
        ["add.s32", "st.global"],
    ]


HEAD = """\
.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 data, .param .u32 n)
{
    .reg .pred %p<9>;
    .reg .b16 %rs<9>;
    .reg .b32 %r<20>;
    .reg .b64 %rd<20>;
    .reg .f32 %f<9>;
    .shared .align 4 .b8 tile[4096];
    ld.param.u64 %rd1, [data];
    mov.u32 %r1, %tid.x;
"""


def reasons(*lines):
    """Why each line is left out, or None; the two at the start and the return excepted."""
    text = f"{HEAD}{chr(10).join(lines)}\nret;\n}}\n"
    structure = analyse_structure(parse(Source("k.ptx", text)).module.kernels[0])
    found = [dict(b.left_out).get(i) for b in pruned(structure).blocks
             for i in range(len(structure.kernel.blocks[b.block].instructions))]  # fmt: skip
    return [r and r.name for r in found[2:-1]]


A = "ADDRESS"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        # what is scaled is arithmetic, the scaling and what follows is not
        (["add.s32 %r2, %r1, 1;", "mul.wide.s32 %rd2, %r2, 4;", "add.s64 %rd3, %rd1, %rd2;",
          "st.global.u32 [%rd3], %r1;"], [None, A, A, None]),
        (["add.s32 %r2, %r1, 1;", "mad.wide.s32 %rd3, %r2, 4, %rd1;", "st.global.u32 [%rd3], %r1;"],
         [None, A, None]),
        (["cvt.u64.u32 %rd2, %r1;", "shl.b64 %rd3, %rd2, 2;", "add.s64 %rd4, %rd3, %rd1;",
          "st.global.u32 [%rd4], %r1;"], ["CONVERSION", A, A, None]),
        # the same in the 32 bits of shared memory
        (["shl.b32 %r2, %r1, 2;", "mov.u32 %r3, tile;", "add.s32 %r4, %r3, %r2;",
          "st.shared.u32 [%r4], %r1;"], [A, "MOVE", A, None]),
        # a product that is stored too is a number
        (["mul.wide.s32 %rd2, %r1, 4;", "add.s64 %rd3, %rd1, %rd2;",
          "st.global.u64 [%rd3], %rd2;"], [None, A, None]),
        # and so is all that a number is made from
        (["mul.wide.s32 %rd2, %r1, 4;", "add.s64 %rd3, %rd1, %rd2;", "st.global.u64 [%rd3], %rd3;"],
         [None, None, None]),
        # a guard is decided by numbers
        (["add.s64 %rd2, %rd1, 8;", "setp.eq.s64 %p1, %rd2, 0;", "@%p1 st.global.u32 [%rd2], %r1;"],
         [None, None, None]),
        # a choice of addresses stays, what it chooses between are addresses
        (["add.s64 %rd2, %rd1, 8;", "setp.eq.s32 %p1, %r1, 0;", "selp.b64 %rd3, %rd1, %rd2, %p1;",
          "st.global.u32 [%rd3], %r1;"], [A, None, None, None]),
        # sums for nothing are no addresses
        (["add.s64 %rd2, %rd1, 8;"], [None]),
        # rounding to a whole number is a function
        (["cvt.rmi.f32.f32 %f2, %f1;", "cvt.rn.f32.s32 %f3, %r1;"], [None, "CONVERSION"]),
        (["bar.sync 0;", "membar.gl;", "prefetch.global.L2 [%rd1];", "nanosleep.u32 20;"],
         [None, None, None, "ANNOTATION"]),
        (["mov.u32 %r2, %ntid.x;", "mov.u32 %r3, 5;"], ["WORK_ITEM", "MOVE"]),
    ],
)  # fmt: skip
def test_rules(lines, expected):
    assert reasons(*lines) == expected


def test_a_pointer_that_a_loop_carries_is_an_address():
    body = ["mov.u64 %rd2, %rd1;", "L: ld.global.u32 %r2, [%rd2];", "add.s64 %rd2, %rd2, 4;"]
    by_data = [*body, "setp.ne.s32 %p1, %r2, 0;", "@%p1 bra L;"]
    assert reasons(*by_data) == ["MOVE", None, A, None, "CONTROL_FLOW"]
    by_end = [*body, "setp.ne.s64 %p1, %rd2, %rd5;", "@%p1 bra L;"]
    assert reasons(*by_end) == ["MOVE", None, None, None, "CONTROL_FLOW"]


def pairs():
    for ptx in sorted(SAMPLES.glob("*/*.sm_80.clang.ptx")):
        for name in kernel_names(ptx):
            yield pytest.param(ptx.parent, name, id=name)


def kept_classes(path, name):
    structure = structure_of(path, name)
    return Counter(
        block.instructions[place].operation.op_class
        for block, places in zip(structure.kernel.blocks, kept(structure), strict=True)
        for place in places
    )


MEMORY_AND_BARRIERS = (
    OpClass.LOAD, OpClass.STORE, OpClass.ATOMIC, OpClass.BARRIER, OpClass.SHUFFLE, OpClass.VOTE,
)  # fmt: skip


@pytest.mark.one_in(12)
@pytest.mark.parametrize(("folder", "name"), list(pairs()))
def test_clang_ptx_keeps_what_its_llvm_keeps(folder, name):
    """Memory and barriers exactly; arithmetic within a quarter, a fused operation counted twice.

    Code generation fuses multiplications with additions, moves loops' products into sums and
    divides by shifting.
    """
    llvm = kept_classes(folder / f"{folder.name}.bc", name)
    ptx = kept_classes(folder / f"{folder.name}.sm_80.clang.ptx", name)
    for op_class in MEMORY_AND_BARRIERS:
        assert llvm[op_class] == ptx[op_class], op_class
    sums = [found.total() + found[OpClass.FMA] for found in (llvm, ptx)]
    assert sums[1] == pytest.approx(sums[0], rel=0.25)


def test_the_view_covers_every_instruction_once():
    for path in (SAMPLES / "transpose/transpose.bc", SAMPLES / "reduce/reduce.sm_80.ptx"):
        structure = structure_of(path)
        result = pruned(structure)
        assert result.kept + sum(result.left_out.values()) == sum(
            len(b.instructions) for b in structure.kernel.blocks
        )
        for block in result.blocks:
            places = sorted([*block.kept, *(i for i, _ in block.left_out)])
            assert places == list(range(len(structure.kernel.blocks[block.block].instructions)))
        assert Reason.ADDRESS in result.left_out
