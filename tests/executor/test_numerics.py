"""Numerics: NaN and infinities beside NumPy's, the first place, results of several orders."""

import itertools

import numpy as np
import pytest

import warpmill
from warpmill.executor.host.cpu_device import CpuOptions
from warpmill.executor.sanitizers.findings import Tool
from warpmill.executor.sanitizers.sanitizer import Sanitizer

KERNEL = """.version 8.6
.target sm_90
.address_size 64
.visible .entry k(.param .u64 a, .param .u64 b)
{{
  .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .f64 %w<9>; .reg .b64 %d<9>;
  ld.param.u64 %d0, [a];
  ld.param.u64 %d1, [b];
  mov.u32 %r0, %tid.x;
  mul.wide.u32 %d2, %r0, {bytes};
  mul.wide.u32 %d3, %r0, {three};
  add.s64 %d3, %d0, %d3;
  add.s64 %d2, %d1, %d2;
  ld.global.{load} {reg}1, [%d3];
  ld.global.{load} {reg}2, [%d3+{bytes}];
  ld.global.{load} {reg}3, [%d3+{two}];
  {body}
  st.global.{load} [%d2], {reg}1;
  ret;
}}
"""
REGISTERS = {
    "f16": ("%h", "b16"),
    "f32": ("%f", "f32"),
    "f64": ("%w", "f64"),
    "f16x2": ("%r", "b32"),
}
DTYPES = {"f16": "f2", "f32": "f4", "f64": "f8", "f16x2": "f2"}

FORMS = [
    ("f32", "div.rn.f32 {0}1, {0}1, {0}2;", 2),
    ("f32", "fma.rn.f32 {0}1, {0}1, {0}2, {0}3;", 3),
    ("f32", "sub.f32 {0}1, {0}2, {0}1;", 2),
    ("f32", "sqrt.rn.f32 {0}1, {0}1;", 1),
    ("f32", "lg2.approx.f32 {0}1, {0}1;", 1),
    ("f32", "neg.f32 {0}4, {0}1;\n  mul.f32 {0}1, {0}4, {0}2;", 2),
    ("f32", "add.f32 {0}1, {0}1, 0f7F7FFFFF;", 1),
    ("f64", "mul.f64 {0}1, {0}1, {0}2;", 2),
    ("f64", "rcp.rn.f64 {0}1, {0}1;", 1),
    ("f16", "fma.rn.f16 {0}1, {0}1, {0}2, {0}3;", 3),
    ("f16x2", "mul.f16x2 {0}1, {0}1, {0}2;", 2),
]


def watched(text, arrays, threads):
    """What numerics finds in a launch of one CTA; the arrays are as the kernel leaves them."""
    sanitizer = Sanitizer(frozenset({Tool.NUMERICS}))
    device = warpmill.Device(options=CpuOptions(sanitizer=sanitizer))
    there = [device.array(one) for one in arrays]
    device.launch(device.load(text)["k"], 1, threads, there)
    return sanitizer, [one.get() for one in there]


def edges(dtype):
    """Threes of numbers: zeros, small and large ones, NaN and infinities."""
    kind = np.finfo(dtype)
    some = [0.0, -0.0, 1.5, -3.0, kind.max, -kind.max, kind.tiny, np.inf, -np.inf, np.nan]
    return np.array(list(itertools.product(some, some, [0.0, -1.0, kind.max, np.inf])), dtype)


@pytest.mark.parametrize(("type_", "body", "sources"), FORMS, ids=[f[1].split()[0] for f in FORMS])
def test_what_is_made_of_finite_values_is_told(type_, body, sources):
    register, load = REGISTERS[type_]
    given = edges(DTYPES[type_])
    if type_ == "f16x2":  # pairs of neighbours, of which both are finite or neither counts
        given = given.reshape(-1, 2, 3).swapaxes(1, 2).copy()
    bytes_ = given[0, 0].nbytes
    text = KERNEL.format(
        bytes=bytes_, two=2 * bytes_, three=3 * bytes_, load=load, reg=register,
        body=body.format(register),
    )  # fmt: skip
    result = np.zeros(given[:, 0].shape, given.dtype)
    sanitizer, (_, result) = watched(text, [given, result], len(given))
    finite = np.isfinite(given[:, :sources]).all(axis=1)
    bad = [np.isnan(result) & finite, np.isinf(result) & finite]
    if type_ == "f16x2":
        every = finite.all(axis=1)
        bad = [(np.isnan(result).any(axis=1) & every), (np.isinf(result).any(axis=1) & every)]
    told = {one.kind: one for one in sanitizer.findings}
    for kind, lanes in zip(("NaN made", "infinity made"), bad, strict=True):
        assert (told[kind].count if kind in told else 0) == lanes.sum(), kind
        if kind in told:
            assert told[kind].access.thread == (int(np.flatnonzero(lanes)[0]), 0, 0)
    assert any(lanes.any() for lanes in bad)


NARROWED = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 a, .param .u64 b)
{
  .reg .b16 %h<3>; .reg .b32 %r<5>; .reg .f32 %f<3>; .reg .b64 %d<5>;
  ld.param.u64 %d0, [a];
  ld.param.u64 %d1, [b];
  mov.u32 %r0, %tid.x;
  mul.wide.u32 %d2, %r0, 4;
  add.s64 %d3, %d0, %d2;
  ld.global.f32 %f0, [%d3];
  cvt.rn.f16.f32 %h0, %f0;
  cvt.f32.f16 %f1, %h0;
  atom.global.add.f32 %f2, [%d1], %f0;
  ret;
}
"""


def test_the_first_place_is_told_with_the_values_and_what_follows_from_it_is_not():
    given = np.array([1.0, 65504.0, 70000.0, -1e30, np.inf], np.float32)
    sanitizer, _ = watched(NARROWED, [given, np.zeros(1, np.float32)], 5)
    (found,) = sanitizer.findings
    assert (found.kind, found.count, found.access.thread) == ("infinity made", 2, (2, 0, 0))
    assert found.message == "`cvt.rn.f16.f32` makes an infinity of 70000"
    assert sanitizer.not_checked == []


def test_a_sum_in_memory_is_looked_at():
    given = np.array([3e38, 3e38, 1.0], np.float32)
    sanitizer, _ = watched(NARROWED, [given, np.zeros(1, np.float32)], 3)
    (found,) = [one for one in sanitizer.findings if "atom" in one.message]
    told = found.message.removeprefix("`atom.global.add.f32` makes an infinity of ")
    assert [np.float32(one) for one in told.split(" and ")] == [np.float32(3e38)] * 2


PRODUCT = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 a, .param .u64 b)
{
  .reg .b32 %r<9>; .reg .f32 %f<5>; .reg .b64 %d<5>;
  ld.param.u64 %d0, [a];
  mov.u32 %r0, %tid.x;
  mul.wide.u32 %d1, %r0, 4;
  add.s64 %d2, %d0, %d1;
  ld.global.b32 %r1, [%d2];
  mov.f32 %f0, 0f00000000; mov.f32 %f1, %f0; mov.f32 %f2, %f0; mov.f32 %f3, %f0;
  mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32
    {%f0, %f1, %f2, %f3}, {%r1, %r1}, {%r1}, {%f0, %f1, %f2, %f3};
  ret;
}
"""


@pytest.mark.parametrize(
    ("factor", "of_lane_5", "kinds"),
    [
        (2.0, 2.0, []),
        (1e38, 1e38, ["infinity made"]),
        (2.0, np.inf, []),  # an infinity that a lane has is one that none made
    ],
)
def test_products_of_matrices_are_judged_by_what_all_lanes_have(factor, of_lane_5, kinds):
    given = np.full(32, factor, np.float32)
    given[5] = of_lane_5
    halves = given.view(np.uint32) >> 16
    sanitizer, _ = watched(PRODUCT, [halves | halves << 16, np.zeros(1, np.uint32)], 32)
    assert [one.kind for one in sanitizer.findings] == kinds


SUM = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 a, .param .u64 b)
{{
  .reg .b32 %r<5>; .reg .f32 %f<3>; .reg .b64 %d<5>;
  ld.param.u64 %d0, [a];
  ld.param.u64 %d1, [b];
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r3, %r0, %r1, %r2;
  mul.wide.u32 %d2, %r3, 4;
  add.s64 %d3, %d0, %d2;
  ld.global.f32 %f0, [%d3];
  {body}
  ret;
}}
"""


@pytest.mark.parametrize(
    ("body", "hangs"),
    [
        ("red.global.add.f32 [%d1], %f0;", True),
        ("cvt.rni.s32.f32 %r4, %f0;\n  red.global.add.s32 [%d1], %r4;", False),
        ("atom.global.exch.b32 %r4, [%d1], %r3;", True),
    ],
    ids=["float sum", "integer sum", "exchange"],
)
def test_results_that_hang_on_an_order_are_told(body, hangs, tmp_path):
    (tmp_path / "k.ptx").write_text(SUM.format(body=body))
    (tmp_path / "launch.toml").write_text(
        '[[launch]]\nmodule = "k.ptx"\ngrid = [16]\nblock = [64]\nargs = ['
        '{ buffer = "f32", shape = [1024], init = { normal = [0, 1] } }, '
        '{ buffer = "f32", shape = [1], name = "total" }]\n'
    )
    report = warpmill.check(str(tmp_path / "launch.toml"), tools=["numerics"])
    assert [one.kind for one in report.findings] == ["result of an order"] * hangs
    if hangs:
        (found,) = report.findings
        assert "`total` hangs on the order" in found.message
        assert [line.split(": ")[1].split()[0] for line in found.details] == [body.split()[0]]
    assert report.approximations == {}
