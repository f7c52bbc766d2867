"""The class of single values: steps in the thread id, what is uniform, why others are not."""

import pytest

from tests.reference.divergence import classes_of, found_for
from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.analyses.divergence.analysis import (
    Affine,
    Divergent,
    UniformClass,
    divergence,
)
from warpmill.analyzer.analyses.divergence.classes import AXES, special_class
from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends.llvm import parse as parse_llvm
from warpmill.analyzer.frontends.ptx.scopes import special_registers


def last_class(lines, name="%r9", **options):
    return classes_of(found_for(*lines, **options), name)[-1]


def steps(value):
    """Write an affine class as its steps."""
    assert isinstance(value, Affine), value
    return tuple(map(str, value.coefficients)), value.assumes_no_wrap


ONE = ("1", "0", "0")


@pytest.mark.parametrize(
    ("lines", "expected", "assumes"),
    [
        (["mov.u32 %r9, %r2;"], ONE, False),
        (["mad.lo.s32 %r9, %r1, 3, %r2;"], ONE, False),
        (["mul.lo.s32 %r9, %r2, %r1;"], ("n", "0", "0"), True),
        (["mul.lo.s32 %r9, %r2, 12;"], ("12", "0", "0"), False),
        (["shl.b32 %r9, %r2, 3;"], ("8", "0", "0"), False),
        (["sub.s32 %r9, 7, %r2;"], ("-1", "0", "0"), False),
        (["mov.u32 %r3, %tid.y;", "mov.u32 %r4, %ntid.x;", "mad.lo.s32 %r9, %r3, %r4, %r2;"],
         ("1", "ntid.x", "0"), True),
        (["mov.u32 %r3, %tid.z;", "neg.s32 %r9, %r3;"], ("0", "0", "-1"), False),
        (["setp.eq.s32 %p1, %r1, 0;", "add.s32 %r3, %r2, 5;", "selp.b32 %r9, %r2, %r3, %p1;"],
         ONE, False),
        (["ld.global.u32 %r3, [%rd1];", "mul.lo.s32 %r9, %r2, %r3;"], ("%r3", "0", "0"), False),
    ],
)  # fmt: skip
def test_affine_values_have_their_steps(lines, expected, assumes):
    assert steps(last_class(lines)) == (expected, assumes)


@pytest.mark.parametrize(
    ("lines", "expected", "assumes"),
    [
        (["mul.wide.u32 %rd9, %r2, 4;"], ("4", "0", "0"), False),  # a thread id does not wrap
        (["add.s32 %r3, %r2, %r1;", "mul.wide.s32 %rd9, %r3, 4;"], ("4", "0", "0"), True),
        (["cvt.s64.s32 %rd2, %r2;", "shl.b64 %rd3, %rd2, 3;", "add.s64 %rd9, %rd1, %rd3;"],
         ("8", "0", "0"), False),
        (["mad.wide.s32 %rd9, %r2, 4, %rd1;"], ("4", "0", "0"), False),
    ],
)  # fmt: skip
def test_widening_assumes_that_nothing_wrapped_before(lines, expected, assumes):
    assert steps(last_class(lines, "%rd9")) == (expected, assumes)


GEP = """
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr addrspace(1) %out, i64 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr float, ptr addrspace(1) %out, i32 %t
  %row = getelementptr float, ptr addrspace(1) %own, i64 %n
  store float 1.0, ptr addrspace(1) %row
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
"""


def test_an_offset_that_all_threads_share_assumes_nothing():
    """A pointer of a thread's own, moved by a size: steps of 4 bytes, whatever the size is."""
    found = divergence(analyse_structure(parse_llvm(Source("k.ll", GEP)).module.kernels[0]))
    (moved,) = classes_of(found, "%row")
    assert steps(moved) == (("4", "0", "0"), False)


FULL = "0xffffffff"


@pytest.mark.parametrize(
    "lines",
    [
        ["add.s32 %r9, %r1, 4;"],
        ["sub.s32 %r9, %r2, %r2;"],  # nothing is left of the thread id
        ["ld.global.u32 %r9, [%rd1+4];"],
        ["ld.u32 %r9, [%rd1];"],  # a pointer that was given points to no local memory
        ["ld.shared.u32 %r9, [tile+8];"],
        ["ld.param.u32 %r9, [n];"],
        [f"vote.sync.ballot.b32 %r9, %p1, {FULL};"],
        ["activemask.b32 %r9;"],
        [f"redux.sync.add.s32 %r9, %r2, {FULL};"],
        [f"shfl.sync.idx.b32 %r9, %r2, 3, 31, {FULL};"],
        ["setp.lt.s32 %p1, %r2, 3;", "bar.red.popc.u32 %r9, 0, %p1;"],
        ["mov.u32 %r9, %ctaid.x;"],
        ["setp.lt.s32 %p1, %r1, 3;", "mov.u32 %r9, 1;", "@%p1 mov.u32 %r9, 2;"],
        ["add.cc.u32 %r3, %r1, 1;", "addc.u32 %r9, %r1, 0;"],
    ],
)
def test_uniform_values(lines):
    assert last_class(lines) == UniformClass()


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (["mov.u32 %r9, %laneid;"], "laneid differs by thread"),
        (["mad.wide.s32 %rd2, %r2, 4, %rd1;", "ld.global.u32 %r9, [%rd2];"],
         "loaded at an address that differs"),
        (["ld.local.u32 %r9, [mine];"], "loaded from memory that each thread has for itself"),
        (["mov.u64 %rd2, mine;", "cvta.local.u64 %rd3, %rd2;", "ld.u32 %r9, [%rd3];"],
         "loaded from memory that each thread has for itself"),
        (["ld.global.u64 %rd2, [%rd1];", "ld.u32 %r9, [%rd2];"],  # it may point to `mine`
         "loaded from memory that each thread has for itself"),
        (["atom.global.add.u32 %r9, [%rd1], 1;"], "an atomic gives each thread what it found"),
        ([f"shfl.sync.bfly.b32 %r9, %r1, 1, 31, {FULL};"], "a value from another lane"),
        ([f"shfl.sync.idx.b32 %r9, %r1, 3, 0x1c1f, {FULL};"], "a value from another lane"),
        ([f"shfl.sync.idx.b32 %r9, %r1, %r2, 31, {FULL};"], "the lane that is read differs"),
        (["vote.sync.ballot.b32 %r9, %p1, %r2;"], "the lanes that take part differ"),
        ([f"match.any.sync.b32 %r9, %r2, {FULL};"], "lanes with different values"),
        (["setp.lt.s32 %p1, %r2, 3;", "mov.u32 %r9, 1;", "@%p1 mov.u32 %r9, 2;"],
         "written under a guard that differs"),
        (["setp.lt.s32 %p1, %r2, 3;", "selp.b32 %r9, 1, 2, %p1;"],
         "chosen by a condition that differs"),
        (["shr.u32 %r9, %r2, 5;"], "shr.u32 keeps no step"),
        (["mul.hi.u32 %r9, %r2, 5;"], "mul.hi.u32 keeps no step"),
        (["add.cc.u32 %r3, %r2, -1;", "addc.u32 %r9, %r1, 0;"],
         "computed from a value that differs"),
        (["add.cc.u32 %r3, %r2, -1;", "addc.cc.u32 %r4, %r1, 0;", "addc.u32 %r9, %r1, 0;"],
         "computed from a value that differs"),
        ([".param .b32 q0; call.uni (q0), other, ();", "ld.param.b32 %r9, [q0];"],
         "memory that each thread has for itself"),
        (["frobnicate.u32 %r9, %r1;"], "frobnicate.u32 is not in the table"),
    ],
)  # fmt: skip
def test_divergent_values_say_why(lines, reason):
    value = last_class(lines)
    assert isinstance(value, Divergent)
    assert reason in value.reason


def test_every_special_register_has_been_decided():
    """None of the table is left to `may differ`, and components go with their vector."""
    for name in sorted(special_registers()):
        value = special_class(name)
        assert not (isinstance(value, Divergent) and "may differ" in value.reason), name
        assert isinstance(value, Affine) == (name in AXES), name
