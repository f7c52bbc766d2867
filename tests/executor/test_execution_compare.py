"""Comparison and selection against NumPy and the manual's words on NaN."""

import operator

import ml_dtypes
import numpy as np
import pytest

from tests.reference.lane_values import check, signed
from tests.reference.one_operation import compile_operation

PLAIN = {
    "eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le,
    "gt": operator.gt, "ge": operator.ge,
}  # fmt: skip
WORDS = [*PLAIN, "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"]


def holds(word, a, b):
    """What the manual says of a comparison of two floats: plain words are false for NaN."""
    nan = np.isnan(a) | np.isnan(b)
    if word in ("num", "nan"):
        return nan if word == "nan" else ~nan
    with np.errstate(invalid="ignore"):
        truth = PLAIN[word[:2]](a, b)
    return truth | nan if word.endswith("u") else truth & ~nan


def flushed(numbers, least):
    return np.where(np.abs(numbers) < least, 0.0, numbers)


def numbers(dtype):
    """Each pair of eight odd numbers of a type."""
    info = ml_dtypes.finfo(dtype)
    tiny = float(info.smallest_subnormal)
    some = [0.0, -0.0, 1.0, np.inf, -np.inf, np.nan, tiny, -tiny]
    values = np.array(some).astype(dtype)
    return np.repeat(values, 8), np.tile(values, 8)


FLOATS = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64}


@pytest.mark.parametrize(
    ("name", "ftz"), [*[(name, "") for name in FLOATS], ("f16", ".ftz"), ("f32", ".ftz")]
)
def test_every_word_on_floats(name, ftz):
    bits = np.dtype(FLOATS[name]).itemsize * 8
    text = "".join([f"setp.{w}{ftz}.{name} %{w}|%n_{w}, %a, %b;"
                    for w in WORDS])  # fmt: skip
    predicates = ", ".join([f"%{w}, %n_{w}" for w in WORDS])
    registers = f".reg .b{bits} %a, %b; .reg .pred {predicates};"
    operation = compile_operation(text, registers, 64)
    a, b = numbers(FLOATS[name])
    out = operation.run({"%a": a.view(f"u{bits // 8}"), "%b": b.view(f"u{bits // 8}")})
    x, y = (v.astype(np.float64) for v in (a, b))
    if ftz:
        least = float(ml_dtypes.finfo(FLOATS[name]).smallest_normal)
        x, y = flushed(x, least), flushed(y, least)
    for word in WORDS:
        wanted = holds(word, x, y)
        assert out[f"%{word}"].tolist() == wanted.tolist(), word
        assert out[f"%n_{word}"].tolist() == (~wanted).tolist(), word


@pytest.mark.parametrize("word", PLAIN)
def test_integers_by_their_sign(word):
    compare = PLAIN[word]
    check(f"setp.{word}.s32 %p, %a, %b;", lambda a, b: compare(signed(a), signed(b)))
    check(f"setp.{word}.u64 %p, %A, %B;", compare)
    check(f"setp.{word}.s16 %p, %x, %y;", lambda a, b: compare(signed(a, 16), signed(b, 16)))
    check(f"set.{word}.u32.u32 %d, %a, %b;", lambda a, b: -compare(a, b))
    unsigned = {"lt": "lo", "le": "ls", "gt": "hi", "ge": "hs"}.get(word, word)
    check(f"setp.{unsigned}.u32 %p, %a, %b;", compare)


@pytest.mark.parametrize(
    ("word", "combine"), [("and", operator.and_), ("or", operator.or_), ("xor", operator.xor)]
)
def test_combined_with_a_third_predicate(word, combine):
    text = f"setp.lt.{word}.s32 %p|%q, %a, %b, !%r;"
    operation = compile_operation(text, ".reg .b32 %a, %b; .reg .pred %p, %q, %r;")
    a, b = np.arange(32, dtype=np.int32) % 5 - 2, np.zeros(32, np.int32)
    r = np.arange(32) % 2 == 0
    out = operation.run({"%a": a, "%b": b, "%r": r})
    assert out["%p"].tolist() == combine(a < b, ~r).tolist()
    assert out["%q"].tolist() == combine(a >= b, ~r).tolist()  # the opposite, then combined


@pytest.mark.parametrize(("name", "dtype"), [("f16x2", np.float16), ("bf16x2", ml_dtypes.bfloat16)])
def test_pairs(name, dtype):
    to_float = f"set.ltu.{name}.{name} %d, %a, %b;"
    text = f"setp.ltu.and.{name} %p|%q, %a, %b, %r; {to_float} set.ltu.u32.{name} %e, %a, %b;"
    operation = compile_operation(text, ".reg .b32 %a, %b, %d, %e; .reg .pred %p, %q, %r;", 32)
    low_a, low_b = numbers(dtype)
    high_a, high_b = low_b[::-1].copy(), low_a[::-1].copy()
    pick = slice(16, 48)
    pairs = [np.stack([lo[pick], hi[pick]], 1).view(np.uint32).reshape(-1)
             for lo, hi in ((low_a, high_a), (low_b, high_b))]  # fmt: skip
    r = np.arange(32) % 4 != 0
    out = operation.run({"%a": pairs[0], "%b": pairs[1], "%r": r})
    low = holds("ltu", *(v[pick].astype(np.float64) for v in (low_a, low_b)))
    high = holds("ltu", *(v[pick].astype(np.float64) for v in (high_a, high_b)))
    assert out["%p"].tolist() == (low & r).tolist()
    assert out["%q"].tolist() == (high & r).tolist()
    one = int(np.array(1, dtype).view(np.uint16))
    assert out["%d"].tolist() == (low * one + high * (one << 16)).tolist()
    assert out["%e"].tolist() == (low * 0xFFFF + high * 0xFFFF0000).tolist()


def test_set_gives_one_or_all_bits():
    text = """set.gt.f32.s32 %fd, %a, 0; set.gt.u32.f32 %d, %fa, 0f00000000;
              set.gt.and.f32.f32 %fe, %fa, 0f00000000, %p; set.gt.f16.f16 %x, %y, %y;
              set.eq.bf16.bf16 %z, %y, %y;"""
    registers = """.reg .b32 %a, %d; .reg .f32 %fd, %fa, %fe; .reg .pred %p;
                   .reg .b16 %x, %y, %z;"""
    fa = np.linspace(-2, 2, 32, dtype=np.float32)
    p = np.arange(32) % 2 == 0
    inputs = {"%a": np.arange(-16, 16, dtype=np.int32), "%fa": fa, "%p": p,
              "%y": np.ones(32, np.float16)}  # fmt: skip
    out = compile_operation(text, registers).run(inputs)
    assert out["%fd"].view(np.float32).tolist() == (np.arange(-16, 16) > 0).astype(float).tolist()
    assert out["%d"].tolist() == np.where(fa > 0, 0xFFFFFFFF, 0).tolist()
    assert out["%fe"].view(np.float32).tolist() == ((fa > 0) & p).astype(float).tolist()
    assert set(out["%x"].tolist()) == {0}
    assert set(out["%z"].tolist()) == {0x3F80}


def test_selections():
    check("selp.b32 %d, %a, %b, %p;", lambda a, b, p: a if p else b)
    check("selp.b64 %D, %A, 5, !%p;", lambda a, p: 5 if p else a)
    check("slct.u32.s32 %d, %a, %b, %c;", lambda a, b, c: a if signed(c) >= 0 else b)
    text = """slct.b32.f32 %d, 1, 2, %fa; slct.ftz.b32.f32 %e, 1, 2, %fa;
              selp.f32 %fb, %fa, 0d3FF8000000000000, %p;"""
    registers = ".reg .b32 %d, %e; .reg .f32 %fa, %fb; .reg .pred %p;"
    some = [0.0, -0.0, 1.0, -1.0, np.nan, 1e-40, -1e-40, np.inf]
    fa, p = np.tile(np.array(some, np.float32), 4), np.arange(32) < 16
    out = compile_operation(text, registers).run({"%fa": fa, "%p": p})
    assert out["%d"].tolist() == [1, 1, 1, 2, 2, 1, 2, 1] * 4
    assert out["%e"].tolist() == [1, 1, 1, 2, 2, 1, 1, 1] * 4
    assert out["%fb"].tolist() == np.where(p, fa, np.float32(1.5)).view(np.uint32).tolist()


@pytest.mark.parametrize("name", ["f32", "f64"])
def test_kinds_of_numbers(name):
    dtype = FLOATS[name]
    info = np.finfo(dtype)
    kinds = ["finite", "infinite", "number", "notanumber", "normal", "subnormal"]
    text = "".join([f"testp.{k}.{name} %{k}, %v;" for k in kinds])
    registers = f".reg .{name} %v; .reg .pred {', '.join([f'%{k}' for k in kinds])};"
    a = np.array([0.0, -0.0, 1.0, info.tiny, -np.inf, np.nan, info.smallest_subnormal,
                  -np.nextafter(info.tiny, 0)], dtype)  # fmt: skip
    out = compile_operation(text, registers).run({"%v": np.tile(a, 4)})
    wanted = {
        "finite": np.isfinite(a), "infinite": np.isinf(a), "number": ~np.isnan(a),
        "notanumber": np.isnan(a), "normal": [1, 1, 1, 1, 0, 0, 0, 0],
        "subnormal": [0, 0, 0, 0, 0, 0, 1, 1],
    }  # fmt: skip
    for kind in kinds:
        assert out[f"%{kind}"][:8].tolist() == list(map(bool, wanted[kind])), kind


def test_the_sign_comes_from_the_first_operand():
    operation = compile_operation("copysign.f32 %d, %a, %b;", ".reg .f32 %a, %b, %d;")
    a = np.tile(np.array([1, -1, -0.0, np.nan], np.float32), 8)
    b = np.repeat(np.array([2, -2, 0.0, -np.inf], np.float32), 8)
    out = operation.run({"%a": a, "%b": b})["%d"]
    assert out.tolist() == np.copysign(b, a).view(np.uint32).tolist()
