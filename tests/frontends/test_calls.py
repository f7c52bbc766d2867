"""Calls by what they are for: the paper's three kinds and those that stay calls."""

import tomllib
from pathlib import Path

import pytest

from warpmill.analyzer.analyses.mix import (
    CallKind,
    SyncScope,
    call_kind,
    calls,
    synchronisation_scope,
)
from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends.load import load_kernel
from warpmill.analyzer.frontends.ptx import parse
from warpmill.analyzer.ir.operation import decode, operation_table
from warpmill.analyzer.ir.types import OpClass

SAMPLES = Path(__file__).parents[2] / "samples"

TEXT = """\
.version 8.0
.target sm_80
.address_size 64
.extern .func (.param .b32 r) unknown_one (.param .b32 a);
.visible .entry k(.param .u64 data)
{
    .reg .pred %p<3>;
    .reg .b32 %r<9>;
    .reg .b64 %rd<4>;
    .reg .f32 %f<5>;
    ld.param.u64 %rd1, [data];
    mov.u32 %r1, %ctaid.y;
    mov.u32 %r2, %clock;
    mad.lo.s32 %r3, %r1, %ntid.z, %r2;
    fma.rn.f32 %f1, %f2, %f3, %f4;
    cvt.rmi.f32.f32 %f2, %f1;
    cvt.rzi.s32.f32 %r4, %f2;
    bar.sync 0;
    bar.warp.sync 0xffffffff;
    shfl.sync.bfly.b32 %r5, %r4, 1, 31, -1;
    atom.global.add.u32 %r6, [%rd1], %r5;
    {
    .param .b32 p0;
    .param .b32 q0;
    st.param.b32 [p0], %r6;
    call.uni (q0), unknown_one, (p0);
    ld.param.b32 %r7, [q0];
    }
    fence.acq_rel.cluster;
    ret;
}
"""


def found(kernel):
    return [(c.kind.name, c.name, c.function, c.scope and c.scope.value) for c in calls(kernel)]


def test_every_kind_in_program_order():
    kernel = parse(Source("k.ptx", TEXT)).module.kernels[0]
    assert found(kernel) == [
        ("WORK_ITEM", "ctaid.y", "get_group_id(1)", None),
        ("WORK_ITEM", "clock", None, None),
        ("WORK_ITEM", "ntid.z", "get_local_size(2)", None),
        ("INTRINSIC", "fma.rn.f32", None, None),
        ("INTRINSIC", "cvt.rmi.f32.f32", None, None),
        ("SYNCHRONISATION", "bar.sync", None, "cta"),
        ("SYNCHRONISATION", "bar.warp.sync", None, "warp"),
        ("INTRINSIC", "shfl.sync.bfly.b32", None, None),
        ("INTRINSIC", "atom.global.add.u32", None, None),
        ("FUNCTION", "unknown_one", None, None),
        ("SYNCHRONISATION", "fence.acq_rel.cluster", None, "cluster"),
    ]
    line = next(i for i, t in enumerate(TEXT.splitlines(), 1) if "bar.sync" in t)
    (barrier,) = [c for c in calls(kernel) if c.name == "bar.sync"]
    assert (barrier.span.line, barrier.block) == (line, 0)
    assert kernel.blocks[0].instructions[barrier.instruction].span == barrier.span


@pytest.mark.parametrize(
    ("opcode", "scope"),
    [
        ("barrier.cluster.wait", SyncScope.CLUSTER),
        ("membar.gl", SyncScope.GPU),
        ("membar.sys", SyncScope.SYSTEM),
        ("membar.cta", SyncScope.CTA),
        ("fence.proxy.async", SyncScope.GPU),
        ("cp.async.wait_all", SyncScope.THREAD),
        ("mbarrier.try_wait.parity.shared.b64", SyncScope.CTA),
        ("add.s32", None),
        ("shfl.sync.idx.b32", None),
    ],
)
def test_scopes(opcode, scope):
    assert synchronisation_scope(decode(opcode)) is scope


def test_both_front_ends_see_the_same_calls():
    """clang's PTX of one source: ids and barriers alike; what is fused is an intrinsic more."""
    for name in ("vecadd", "matmul", "transpose"):
        llvm, ptx = (
            sorted(f for f in found(load_kernel(SAMPLES / name / f"{name}{s}")[1])
                   if f[0] != "INTRINSIC")
            for s in (".bc", ".sm_80.clang.ptx")
        )  # fmt: skip
        assert llvm == ptx
        assert llvm


def test_every_operation_has_been_decided():
    """A new class of operations has to be put into one of the lists."""
    lists = _lists()
    classes = lists["intrinsic"]["classes"] + lists["plain"]["classes"]
    assert len(classes) == len(set(classes))
    named = {n for names in lists["synchronisation"].values() for n in names}
    for name, entry in operation_table().items():
        by_name = name in named or name in lists["intrinsic"]["operations"]
        assert by_name or entry.op_class.value in classes, name
        if entry.op_class in (OpClass.BARRIER, OpClass.FENCE):
            assert call_kind(decode(name)) is CallKind.SYNCHRONISATION, name
    assert named | set(lists["intrinsic"]["operations"]) <= operation_table().keys()


def _lists():
    path = Path(__file__).parents[2] / "analyzer/analyses/calls.toml"
    return tomllib.loads(path.read_text())
