"""Every scalar operation of PTX and those of a warp give what the PTX ISA manual says they give.

Each form (opcode, types, modifiers) runs natively on edges and random bits and is held against a
NumPy twin in tests/reference/ptx_twins, which knows nothing of the executor.
"""

import math
import random
from collections import defaultdict
from itertools import chain

import numpy as np
import pytest

from tests.reference.one_operation import compile_operation
from tests.reference.ptx_check import Setting, active_lanes, check_forms
from tests.reference.ptx_forms import all_forms, parse_form
from tests.reference.ptx_operands import operands
from tests.reference.ptx_twins import answers, warp
from tests.reference.ptx_twins.numbers import FORMATS, decode, encode

OPERATIONS = list(dict.fromkeys(form.operation for form in all_forms()))

REFUSED = ("fma.rn.oob", "cvt.rs")
"""What is refused by name: the bits of its NaN, or how it rounds, are not published."""


def wrong_ones(verdicts):
    return {v.form.name: v.details for v in verdicts if v.kind in ("wrong", "error")}


def without_rules(verdicts):
    return [v.form.name for v in verdicts if v.kind == "no rule"]


def one_of_each_kind(operations):
    """One form for each operation and its types."""
    chosen = {(f.operation, f.types): f for f in all_forms() if f.operation in operations}
    return list(chosen.values())


@pytest.fixture
def chosen(request):
    """A function: of some forms the first, which is plain, and some drawn; ``--every``: all."""

    def choose(forms, most):
        if request.config.getoption("--every") or len(forms) <= most:
            return forms
        return [forms[0], *random.Random(7).sample(forms[1:], most - 1)]

    return choose


@pytest.mark.parametrize("operation", OPERATIONS)
def test_forms_of_an_operation(operation, chosen):
    alike = defaultdict(list)  # by what is converted to, or which operands are registers
    for form in (f for f in all_forms() if f.operation == operation):
        places = tuple(place.is_register for place in form.places)
        alike[form.types[0] if operation == "cvt" else places].append(form)
    most = 3 if operation == "cvt" else 8  # cvt has many types
    each = (chosen(forms, 1 + min(most, math.isqrt(len(forms)))) for forms in alike.values())
    verdicts = check_forms(chain.from_iterable(each))
    assert not wrong_ones(verdicts)
    assert all(v.form.opcode.startswith(REFUSED) for v in verdicts if v.kind == "refused")
    if missing := without_rules(verdicts):
        pytest.skip(f"no rule: {', '.join(missing)}")


@pytest.mark.parametrize("uniform_from", [1, 0])
def test_operands_that_all_lanes_share(uniform_from, chosen):
    forms = chosen(one_of_each_kind(OPERATIONS), 30)
    assert not wrong_ones(check_forms(forms, Setting(uniform_from=uniform_from)))


def test_warps_of_64_lanes(chosen):
    forms = chosen(one_of_each_kind(set(OPERATIONS) - set(warp.TWINS)), 15)
    assert not wrong_ones(check_forms(forms, Setting(lanes=64, runs=4)))


ON = 0xF0F0_0000_1234_FFFF
TRUE = 0x8070_0000_0030_00FF


@pytest.mark.parametrize(
    ("statement", "register", "expected"),
    [
        ("vote.sync.ballot.b64 %rd1, %p1, -1;", "%rd1", ON & TRUE),
        ("activemask.b64 %rd1;", "%rd1", ON),
        ("vote.sync.any.pred %p2, %p1, -1;", "%p2", True),
        ("vote.sync.all.pred %p2, %p1, -1;", "%p2", False),
    ],
)
def test_votes_of_64_lanes(statement, register, expected):
    declarations = ".reg .b64 %rd<2>; .reg .pred %p<3>;"
    lanes = np.arange(64)
    on, true = ((word >> lanes.astype(object) & 1).astype(bool) for word in (ON, TRUE))
    got = compile_operation(statement, declarations, lanes=64).run(
        {"%p1": true} if "%p1" in statement else {}, mask=ON
    )
    assert (got[register][on] == expected).all()


IMMEDIATES = [  # a statement on %a, what %a has, what %d gets; the letter tells the size
    ("add.s64 %d, %a, -1;", "l", 5, 4),
    ("add.u16 %d, %a, 0xFFFF;", "h", 5, 4),
    ("mad.lo.s32 %d, %a, -3, 7;", "r", 5, 0xFFFFFFF8),
    ("and.b64 %d, %a, -16;", "l", 0xFFFF_FFFF_FFFF_FFFF, 0xFFFF_FFFF_FFFF_FFF0),
    ("mov.b64 %d, -1;", "l", 0, 0xFFFF_FFFF_FFFF_FFFF),
    ("mov.u32 %d, 0xFFFFFFFF;", "r", 0, 0xFFFFFFFF),
    ("mov.b16 %d, -2;", "h", 0, 0xFFFE),
    ("mov.f32 %d, 0f3FC00000;", "r", 0, 0x3FC00000),
    ("mov.f64 %d, 0d3FF8000000000000;", "l", 0, 0x3FF8000000000000),
    ("mov.f64 %d, 1.5;", "l", 0, 0x3FF8000000000000),
    ("mov.f32 %d, 0.1;", "r", 0, 0x3DCCCCCD),
    ("add.f32 %d, %a, 1.5;", "r", 0x3FC00000, 0x40400000),
    ("fma.rn.f32 %d, %a, 0f40000000, 0fBF800000;", "r", 0x40400000, 0x40A00000),
    ("mul.f64 %d, %a, 0dC000000000000000;", "l", 0x3FF0000000000000, 0xC000000000000000),
    ("max.s32 %d, %a, -1;", "r", 0xFFFFFFF0, 0xFFFFFFFF),
    ("max.u32 %d, %a, -1;", "r", 5, 0xFFFFFFFF),
    ("shr.s32 %d, %a, 40;", "r", 0x80000000, 0xFFFFFFFF),
    ("shl.b64 %d, %a, 64;", "l", 1, 0),
    ("shf.l.wrap.b32 %d, %a, %a, 8;", "r", 0x12345678, 0x34567812),
    ("bfe.u32 %d, %a, 8, 4;", "r", 0x12345678, 6),
    ("bfi.b32 %d, 0xF, %a, 4, 4;", "r", 0, 0xF0),
    ("prmt.b32 %d, %a, 0, 0x4012;", "r", 0x33221100, 0x00001122),
    ("lop3.b32 %d, %a, 0xFF, 0xF0F0, 0x6A;", "r", 0x1234, 0xF0C4),
    ("sub.s32 %d, 10, %a;", "r", 3, 7),
    ("div.s32 %d, %a, -4;", "r", 0xFFFFFFF1, 3),
    ("rem.u64 %d, %a, 10;", "l", 0xFFFF_FFFF_FFFF_FFFF, 5),
    ("cvt.rn.f32.s32 %d, %a;", "r", 0xFFFFFFFD, 0xC0400000),
    ("dp4a.u32.u32 %d, %a, 0x01010101, 1;", "r", 0x01020304, 11),
    ("add.f16 %d, %a, %a;", "h", 0x3C00, 0x4000),
    ("add.s32 %d, 2, 3;", "r", 0, 5),
    ("cvt.u32.u16 %d, %a;", "r", 0xABCD1234, 0x1234),
    ("cvt.s32.s8 %d, %a;", "r", 0xABCD12F0, 0xFFFFFFF0),
    ("cvt.s16.s32 %d, %a;", "r", 0x00018000, 0xFFFF8000),
]


@pytest.mark.one_in(12)
@pytest.mark.parametrize(("statement", "size", "given", "expected"), IMMEDIATES)
def test_immediates_and_wide_registers(statement, size, given, expected):
    bits = {"h": 16, "r": 32, "l": 64}[size]
    code = compile_operation(statement, f".reg .b{bits} %a, %d;")
    inputs = {"%a": np.full(32, given, f"u{bits // 8}")} if "%a" in statement else {}
    assert set(code.run(inputs)["%d"].tolist()) == {expected}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("type_", ["u16", "s16", "u32", "s32", "u64", "s64"])
@pytest.mark.parametrize("operation", ["div", "rem"])
def test_division_by_zero_goes_on(operation, type_):
    bits = int(type_[1:])
    code = compile_operation(f"{operation}.{type_} %a, %b, %c;", f".reg .b{bits} %a, %b, %c;")
    divisors = np.array([0, 3, -1, 0] * 8).astype(f"i{bits // 8}")
    dividends = np.array([7, 7, -1 << (bits - 1), 0] * 8).astype(f"i{bits // 8}")
    for mask in (0x66666666, 0xFFFFFFFF):
        got = code.run({"%b": dividends, "%c": divisors}, mask=mask)["%a"]
        assert set(got[1::4].tolist()) == {2 if operation == "div" else 1}
    assert set(got[::4].tolist()) == {(1 << bits) - 1}


# The twins themselves, against values worked out by hand from the manual.

BY_HAND = [
    ("bfe.s32", "T = T u32 u32", (0xF0, 4, 4), 0xFFFFFFFF),
    ("bfe.u32", "T = T u32 u32", (0xF0, 4, 4), 0xF),
    ("bfi.b32", "T = T T u32 u32", (0x5, 0xFFFFFFFF, 4, 4), 0xFFFFFF5F),
    ("prmt.b32", "T = T T T", (0x33221100, 0x77665544, 0x7531), 0x77553311),
    ("prmt.b32.f4e", "T = T T T", (0x33221100, 0x77665544, 2), 0x55443322),
    ("shf.l.wrap.b32", "T = T T u32", (0x80000000, 0x1, 1), 0x3),
    ("bfind.shiftamt.u32", "u32 = T", (0x00010000,), 15),
    ("fns.b32", "T = T u32 s32", (0xAAAAAAAA, 3, 1), 3),
    ("bmsk.clamp.b32", "T = u32 u32", (4, 8), 0xFF0),
    ("szext.wrap.s32", "T = T u32", (0x0000000C, 4), 0xFFFFFFFC),
    ("mul.hi.s32", "T = T T", (0x80000000, 2), 0xFFFFFFFF),
    ("sad.u32", "T = T T T", (3, 5, 10), 12),
    ("dp4a.s32.s32", "u32 = u32 u32 u32", (0x01FF0203, 0x01020304, 10), 27),
    ("add.rz.f32", "T = T T", (0x3F800000, 0xB3000000), 0x3F7FFFFF),
    ("fma.rn.f16", "T = T T T", (0x3C01, 0x3C01, 0xBC02), 0x0010),
    ("cvt.rni.s32.f32", "U = T", (0x40200000,), 2),
    ("cvt.rzi.s64.f32", "U = T", (0x7FC00000,), 1 << 63),
    ("cvt.rn.satfinite.e4m3x2.f32", "U = T T", (0x44000000, 0x3F800000), 0x7E38),
    ("cvt.rs.f16x2.f32", "U = T T b32", (0x3F801000, 0x3F800001, 0x10001FFE), 0x3C013C00),
    ("cvt.rs.bf16x2.f32", "U = T T b32", (0xBF800001, 0x3F800001, 0xFFFFFFFE), 0xBF813F80),
    ("cvt.pack.sat.u8.s32.b32", "T = U U T", (300, 0xFFFFFFFF, 0x1234), 0x1234FF00),
    ("min.f32", "T = T T", (0x80000000, 0), 0x80000000),
    ("min.xorsign.abs.f32", "T = T T", (0xC0000000, 0x3F800000), 0xBF800000),
    ("set.ltu.u32.f32", "U = T T", (0x7FC00000, 0), 0xFFFFFFFF),
    ("vadd.s32.s32.s32.sat", "u32 = u32 u32", (0x7FFFFFFF, 1), 0x7FFFFFFF),
    ("vabsdiff4.u32.u32.u32.add", "u32 = u32 u32 u32", (0x01020304, 0x04030201, 100), 108),
    ("vmad.u32.u32.u32.shr7", "u32 = u32 u32 u32", (128, 3, 128), 4),
]


@pytest.mark.parametrize(("opcode", "text", "sources", "expected"), BY_HAND)
def test_twins_by_hand(opcode, text, sources, expected):
    form = parse_form(opcode, text)
    arrays = [np.array([v], f"u{p.bits // 8}") for v, p in zip(sources, form.sources, strict=True)]
    (answer,) = answers(form, arrays, np.ones((1, 1), bool))
    got = np.array([expected], f"u{form.destinations[0].bits // 8}")
    assert answer.agrees(got).all()
    assert not answer.agrees(got ^ got.dtype.type(1)).any()


@pytest.mark.parametrize("name", ["f16", "f32", "f64"])
def test_formats_agree_with_numpy(name):
    f = FORMATS[name]
    kind = {"f16": np.float16, "f32": np.float32, "f64": np.float64}[name]
    form = parse_form(f"mov.b{f.bits}", f"{name} = {name}")
    (bits,) = operands(form)
    values = bits.view(kind)
    for word, value in zip(bits, values, strict=True):
        number = decode(int(word), f)
        assert np.isnan(value) == (number[0] == "nan")
        if number[0] == "finite":
            assert float(value) == (-1) ** number[1] * number[2] * 2.0 ** number[3] or name == "f64"
            assert encode(number, f) == int(word)


def test_rounding_agrees_with_numpy():
    (bits,) = operands(parse_form("cvt.rn.f16.f64", "U = T"))
    with np.errstate(all="ignore"):
        expected = bits.view(np.float64).astype(np.float16)
    got = [encode(decode(int(b), FORMATS["f64"]), FORMATS["f16"]) for b in bits]
    there = ~np.isnan(expected)
    assert (np.array(got, np.uint16)[there] == expected.view(np.uint16)[there]).all()


def test_some_lanes_are_off_in_every_form():
    for form in one_of_each_kind(OPERATIONS):
        active = active_lanes(form, 8, 32)
        assert active.any(axis=1).all()
        assert not active.all()
