"""Branch conditions: their words, and what decides those without loops."""

import random

import pytest

from tests.reference.formulas import compute
from tests.reference.interpreter import COMPARISONS
from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.analyses.divergence.analysis import DecidedBy, Deciders
from warpmill.analyzer.analyses.values.conditions import (
    Combined,
    Compare,
    Opaque,
    as_words,
    guard_condition,
    negated,
)
from warpmill.analyzer.analyses.values.symbolic import number
from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends.load import load_kernel
from warpmill.analyzer.frontends.ptx import parse
from warpmill.analyzer.ir.types import TYPES, TypeKind

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


OFFSETS = (0, 1, -1, -65, 40)
LIMITS = (0, 1, 3, -1, -3, -61, 1 << 15, (1 << 15) - 2, 1 << 31, (1 << 31) - 3, 200)
UNSIGNED = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}
SPELLED = {
    "b": ["eq", "ne", *UNSIGNED],
    "u": [*COMPARISONS],
    "s": ["eq", "ne", "lt", "le", "gt", "ge"],
}
TESTED = """add.s{bits} %x, %m, {offset}; setp.{word}.{name} %p1, {sides}; @%p1 bra END;
add.s32 %r6, %r6, 1;"""


@pytest.mark.parametrize("name", ["u16", "s16", "u32", "s32", "u64", "s64", "b32", "b64"])
def test_conditions_of_numbers_are_those_of_the_machines_words(name):
    """Of ``n`` beside a constant, as the type reads their bits.

    Words of 32 bits and more are taken not to have left them, but beside constants at the top.
    """
    type_, rng, lines, asked = TYPES[name], random.Random(name), [], []
    for _ in range(160):
        word, offset = rng.choice(SPELLED[name[0]]), rng.choice(OFFSETS)
        limit, turned = rng.choice(LIMITS), rng.random() < 0.5
        sides = f"{limit}, %x" if turned else f"%x, {limit}"
        given = {"word": word, "name": name, "sides": sides, "offset": offset}
        lines.append(TESTED.format(bits=type_.bits, **given))
        asked.append((UNSIGNED.get(word, word), word in UNSIGNED, offset, limit, turned))
    widened = "mov.b32 %m, %r1;" if type_.bits == 32 else f"cvt.u{type_.bits}.u32 %m, %r1;"
    conditions = read_all(f".reg .b{type_.bits} %x, %m; {widened}", *lines)
    for condition, (word, unsigned, offset, limit, turned) in zip(conditions, asked, strict=True):
        own = TYPES[f"u{type_.bits}"] if unsigned else type_
        for n in (0, 1, 2, 3, 4, 39, 60, 64, 65, 66, 200, 300):
            left, right = own.read(n + offset), own.read(limit)
            is_ordered = (
                own.kind is TypeKind.UNSIGNED and own.bits >= 32 and word not in ("eq", "ne")
            )
            if is_ordered and n + offset < 0 and not right >> own.bits - 1:
                continue
            expected = COMPARISONS[word](*((right, left) if turned else (left, right)))
            assert holds(condition, n) == expected, (str(condition), word, offset, limit, n)


def read_all(*lines):
    """The condition of each branch of a kernel but the last."""
    text = PTX.replace("BODY", "\n".join(lines))
    structure = analyse_structure(parse(Source("k.ptx", text)).module.kernels[0])
    ends = [(b.id, len(b.instructions) - 1, b.terminator) for b in structure.kernel.blocks]
    guarded = [(*place, end.guard) for *place, end in ends if end is not None and end.guard]
    return [as_words(guard_condition(structure, *each)) for each in guarded[:-1]]


def holds(condition, n):
    """Whether a condition holds of the numbers that its formulas come to."""
    if isinstance(condition, Combined):
        sides = holds(condition.first, n), holds(condition.second, n)
        return all(sides) if condition.word == "and" else any(sides)
    assert isinstance(condition, Compare), condition
    left, right = (compute(side, lambda *_: n) for side in (condition.left, condition.right))
    return COMPARISONS[condition.word](left, right)
