"""What decides branches on values that loops carry or paths set: counters, data, and mixtures."""

import pytest

from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.analyses.divergence.analysis import Deciders
from warpmill.analyzer.analyses.values.conditions import guard_condition
from warpmill.analyzer.base.diagnostics import Source
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
    ld.param.u64 %rd1, [data];
    ld.param.u32 %r1, [n];
    mov.u32 %r2, 0;
    mov.u32 %r3, 1;
    BODY
    @%p1 bra LOOP;
    AFTER
    ret;
}
"""
LOADED = "ld.global.u32 %r4, [%rd1];"
NEXT = "ld.global.u32 %r5, [%rd1+4];"
DOUBLED = "shl.b32 %r3, %r3, 1;"
HALVED = ["shr.u32 %r6, %r4, 1;", "mad.lo.s32 %r7, %r4, 3, 1;", "and.b32 %r8, %r4, 1;"]
NOT_ONE = "setp.ne.s32 %p1, %r4, 1;"
"""What kernels are made of: a value from memory, and steps of the Collatz sequence."""


def deciders(*body, after=""):
    """What decides the last branch of a kernel with a loop, in words."""
    text = PTX.replace("BODY", "\n    ".join(body)).replace("AFTER", after)
    structure = analyse_structure(parse(Source("k.ptx", text)).module.kernels[0])
    block = [b for b in structure.kernel.blocks if b.terminator and b.terminator.guard][-1]
    last = len(block.instructions) - 1
    condition = guard_condition(structure, block.id, last, block.instructions[last].guard)
    return [d.value for d in Deciders(structure).of(block.id, condition)]


STEPS = [
    (["LOOP:", DOUBLED, "setp.lt.s32 %p1, %r3, 64;"], ["loop counter"]),
    (["LOOP:", DOUBLED, "setp.lt.s32 %p1, %r3, %r1;"], ["argument", "loop counter"]),
    (["LOOP:", "shr.u32 %r1, %r1, 1;", "setp.ne.s32 %p1, %r1, 0;"], ["argument", "loop counter"]),
    ([LOADED, "LOOP:", "shr.u32 %r4, %r4, 1;", "setp.ne.s32 %p1, %r4, 0;"],
     ["argument", "memory load"]),
    ([LOADED, "LOOP:", *HALVED, "setp.ne.s32 %p2, %r8, 0;", "selp.b32 %r4, %r7, %r6, %p2;",
      NOT_ONE], ["argument", "memory load"]),
    ([LOADED, "LOOP:", *HALVED, "setp.ne.s32 %p2, %r8, 0;", "@%p2 bra ODD;",
      "mov.u32 %r4, %r6;", "bra.uni NEXT;", "ODD:", "mov.u32 %r4, %r7;", "NEXT:", NOT_ONE],
     ["argument", "memory load", "control flow"]),
    (["LOOP:", NEXT, "add.s32 %r2, %r2, %r5;", "setp.lt.s32 %p1, %r2, 99;"],
     ["argument", "memory load"]),
]  # fmt: skip


@pytest.mark.parametrize(("body", "expected"), STEPS)
def test_a_value_that_a_loop_carries_rests_on_its_start_and_its_steps(body, expected):
    assert deciders(*body) == expected


def test_a_counter_that_data_let_grow_is_decided_by_data():
    branch = [NEXT, "setp.eq.s32 %p2, %r5, 0;", "@%p2 bra NEXT;", "add.s32 %r2, %r2, 1;", "NEXT:"]
    end = "setp.lt.s32 %p1, %r2, 10;"
    expected = ["argument", "memory load", "control flow"]
    assert deciders("LOOP:", *branch, end) == expected
    guarded = [NEXT, "setp.eq.s32 %p2, %r5, 0;", "@%p2 add.s32 %r2, %r2, 1;"]
    assert deciders("LOOP:", *guarded, end) == expected


def test_a_way_out_between_two_steps_chooses_none_of_them():
    out = [NEXT, "setp.eq.s32 %p2, %r5, 0;", "@%p2 exit;"]
    end = "setp.lt.s32 %p1, %r3, 64;"
    assert deciders("LOOP:", *out, DOUBLED, end) == ["loop counter"]
    near = [*out[:-1], "@%p2 bra OUT;", DOUBLED, "bra.uni NEXT;"]
    far = ["FAR:", "shl.b32 %r3, %r3, 2;", "NEXT:"]
    ways = ["setp.gt.s32 %p3, %r1, 5;", "@%p3 bra FAR;", *near, *far, end]
    expected = ["argument", "loop counter", "control flow"]
    assert deciders("LOOP:", *ways, after="OUT:") == expected


def test_behind_its_loop_a_value_rests_on_what_ended_the_loop():
    after = "setp.gt.s32 %p3, %r3, 5;\n    @%p3 exit;"
    loop = ["LOOP:", DOUBLED, NEXT]
    by_data = deciders(*loop, "setp.ne.s32 %p1, %r5, 0;", after=after)
    assert by_data == ["argument", "memory load", "control flow"]
    counted = deciders(*loop, "setp.lt.s32 %p1, %r3, 64;", after=after)
    assert counted == ["loop counter", "control flow"]


def test_a_counter_beside_data_keeps_its_name():
    both = [NEXT, DOUBLED, "add.s32 %r2, %r2, %r5;", "setp.lt.s32 %p2, %r3, 64;"]
    end = "setp.lt.and.s32 %p1, %r2, 99, %p2;"
    assert deciders("LOOP:", *both, end) == ["argument", "loop counter", "memory load"]


def test_what_is_never_come_to_decides_nothing():
    """Code behind a jump, with a branch to where two ways meet, is on no way to there."""
    body = [
        "@%p2 bra JOIN;", "add.s32 %r2, %r2, %r1;", "bra.uni NEXT;",
        LOADED, "setp.gt.s32 %p3, %r4, 5;", "@%p3 bra JOIN;",
        "NEXT:", "add.s32 %r2, %r2, 1;",
        "JOIN:", "setp.gt.s32 %p1, %r2, 6;", "@%p1 bra LOOP;", "LOOP:",
    ]  # fmt: skip
    assert deciders("setp.gt.s32 %p2, %r1, 9;", *body) == ["argument", "control flow"]
