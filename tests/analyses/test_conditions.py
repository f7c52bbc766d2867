"""Branch conditions: their words, and what decides those without loops."""

import pytest

from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.analyses.divergence.analysis import DecidedBy, Deciders
from warpmill.analyzer.analyses.values.conditions import (
    Combined,
    Compare,
    Opaque,
    guard_condition,
    negated,
)
from warpmill.analyzer.analyses.values.symbolic import number
from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends.load import load_kernel
from warpmill.analyzer.frontends.ptx import parse

PTX = """\
.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 data, .param .u32 n)
{
    .reg .pred %p<9>;
    .reg .b32 %r<9>;
    .reg .b64 %rd<5>;
    .reg .f32 %f<3>;
    ld.param.u64 %rd1, [data];
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %tid.x;
    mov.u32 %r3, %ctaid.x;
    mov.u32 %r4, %ntid.x;
    ld.global.u32 %r5, [%rd1];
    ld.global.f32 %f1, [%rd1+4];
    BODY
    @%p1 bra END;
    add.s32 %r6, %r6, 1;
END:
    ret;
}
"""


def condition_of(*lines, guard="%p1"):
    return read(*lines, guard=guard)[-1]


def deciders_of(*lines):
    structure, block, condition = read(*lines)
    return Deciders(structure).of(block, condition)


def read(*lines, guard="%p1"):
    text = PTX.replace("BODY", "\n    ".join(lines)).replace("@%p1", f"@{guard}")
    structure = analyse_structure(parse(Source("k.ptx", text)).module.kernels[0])
    block = next(b for b in structure.kernel.blocks if b.terminator and b.terminator.is_branch)
    index = len(block.instructions) - 1
    condition = guard_condition(structure, block.id, index, block.instructions[index].guard)
    return structure, block.id, condition


CASES = [
    (["setp.lt.s32 %p1, %r2, %r1;"], "tid.x < n", ["thread id", "argument"]),
    (["setp.lo.u32 %p1, %r2, %r1;"], "tid.x < n", ["thread id", "argument"]),
    (["setp.hs.u32 %p1, %r3, 4;"], "ctaid.x >= 4", ["block id"]),
    (["setp.ne.s32 %p1, %r5, 0;"], "*(data) != 0", ["argument", "memory load"]),
    (["setp.eq.s32 %p1, %r4, 32;"], "ntid.x == 32", ["launch size"]),
    (["mad.lo.s32 %r6, %r3, %r4, %r2;", "setp.ge.s32 %p1, %r6, %r1;"],
     "tid.x + ctaid.x*ntid.x >= n", ["thread id", "block id", "launch size", "argument"]),
    (["setp.gt.s32 %p2, %r2, 3;", "setp.lt.s32 %p3, %r3, 5;", "and.pred %p1, %p2, %p3;"],
     "(tid.x > 3) and (ctaid.x < 5)", ["thread id", "block id"]),
    (["setp.gt.s32 %p2, %r2, 3;", "not.pred %p1, %p2;"], "tid.x <= 3", ["thread id"]),
    (["setp.gt.s32 %p2, %r2, 3;", "setp.lt.or.s32 %p1, %r1, 9, %p2;"],
     "(n < 9) or (tid.x > 3)", ["argument", "thread id"]),
    (["setp.gt.s32 %p2, %r2, 3;", "setp.lt.and.s32 %p1, %r1, 9, !%p2;"],
     "(n < 9) and (tid.x <= 3)", ["argument", "thread id"]),
]  # fmt: skip


@pytest.mark.parametrize(("lines", "text", "deciders"), CASES)
def test_conditions_are_read_back_to_ids_arguments_and_loads(lines, text, deciders):
    condition = condition_of(*lines)
    assert str(condition) == text
    assert deciders_of(*lines) == tuple(d for d in DecidedBy if d.value in deciders)
    assert str(condition_of(*lines, guard="!%p1")) == str(negated(condition))


def test_floating_point_comparisons_keep_what_they_rest_on():
    line = "setp.gt.f32 %p1, %f1, 0f00000000;"
    condition = condition_of(line)
    assert isinstance(condition, Opaque)
    assert DecidedBy.MEMORY in deciders_of(line)
    assert str(negated(condition)) == f"not {condition}"
    assert negated(negated(condition)) == condition


def test_a_predicate_written_on_two_ways_is_decided_by_control_flow():
    lines = [
        "setp.gt.s32 %p1, %r2, 3;",
        "setp.gt.s32 %p2, %r1, 3;",
        "@%p2 setp.gt.s32 %p1, %r3, 3;",
    ]
    assert deciders_of(*lines) == (DecidedBy.FLOW,)


@pytest.mark.parametrize("word", ["eq", "ne", "lt", "le", "gt", "ge"])
def test_negation_says_the_opposite(word):
    truth = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
    for a in (-1, 0, 1):
        opposite = negated(Compare(word, number(a), number(0)))
        assert isinstance(opposite, Compare)
        assert eval(f"{a} {truth[word]} 0") != eval(f"{a} {truth[opposite.word]} 0")


def test_negation_turns_and_into_or():
    a, b = Opaque("a"), Opaque("b")
    assert negated(Combined("and", a, b)) == Combined("or", Opaque("not a"), Opaque("not b"))


def test_a_float_constant_is_named_by_its_value(tmp_path):
    (tmp_path / "k.ptx").write_text(
        """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .f32 x)
{
.reg .pred %p<3>; .reg .f32 %f<2>;
ld.param.f32 %f1, [x];
setp.lt.f32 %p1, %f1, 0f40800000;
@%p1 bra DONE;
setp.gt.f32 %p2, %f1, 0f3DCCCCCD;
@%p2 bra DONE;
DONE: ret;
}
"""
    )
    _, kernel = load_kernel(tmp_path / "k.ptx")
    structure = analyse_structure(kernel)
    texts = [
        str(guard_condition(structure, b.id, len(b.instructions) - 1, b.terminator.guard))
        for b in kernel.blocks
        if b.terminator is not None and b.terminator.guard is not None
    ]
    assert texts == ["setp.lt.f32(x, 4.0)", "setp.gt.f32(x, 0.1)"]
