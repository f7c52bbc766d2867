"""Operations of a whole warp, lane by lane as the manuals define them, with lanes switched off."""

import random
import struct

import numpy as np
import pytest

from tests.reference.lane_values import array, signed, values
from tests.reference.one_operation import compile_operation

B32 = ".reg .b32 %d, %e, %a, %b, %c, %m; .reg .pred %p, %q; .reg .b64 %D, %A;"
FULL = (1 << 32) - 1


def lanes_of(bits, count=64):
    return [k for k in range(count) if bits >> k & 1]


def run(text, inputs, mask=FULL, lanes=32, registers=B32):
    """Run with results set to marks before, to see what is kept."""
    operation = compile_operation(text, registers, lanes)
    used = {r.name: r.type.bits for r in operation.kernel.registers}
    given = {n: array(v, used[n]) for n, v in inputs.items() if n in used}
    return operation.run(given, mask)


def shuffled(mode, lane, b, c, lanes=32):
    """The manual's pseudo-code: the lane that is read and whether it was in range."""
    most = lanes - 1
    bval, cval, segmask = b & most, c & most, c >> 8 & most
    max_lane = lane & segmask | cval & ~segmask
    min_lane = lane & segmask
    if mode == "up":
        j = lane - bval
        pval = j >= max_lane
    else:
        j = {"down": lane + bval, "bfly": lane ^ bval, "idx": min_lane | bval & ~segmask}[mode]
        pval = j <= max_lane
    return (j if pval else lane), pval


CLAMPS = [0, 31, 0x1F00, 0x181F, 0x1C03, 0x100F, 0x1800]


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["up", "down", "bfly", "idx"])
@pytest.mark.parametrize("sync", [".sync", ""])
def test_shuffles_by_operands_of_each_kind(mode, sync):
    opcode, tail = f"shfl{sync}.{mode}.b32", ", -1" if sync else ""
    a = values(random.Random(mode), 32)
    pairs = [(b, c) for b in (0, 1, 3, 16, 31, 33) for c in CLAMPS]
    text = "".join(
        [f"""{opcode} %d{k}|%p{k}, %a, {b}, {c}{tail}; mov.b32 %b, {b};
             {opcode} %e{k}|%q{k}, %a, %b, {c}{tail};
             add.u32 %c, %laneid, {b}; sub.u32 %c, %c, %laneid;
             {opcode} %f{k}|%r{k}, %a, %c, {c}{tail};""" for k, (b, c) in enumerate(pairs)]
    )  # fmt: skip
    registers = f""".reg .b32 %a, %b, %c, %d<{len(pairs)}>, %e<{len(pairs)}>, %f<{len(pairs)}>;
        .reg .pred %p<{len(pairs)}>, %q<{len(pairs)}>, %r<{len(pairs)}>;"""
    out = run(text, {"%a": a}, registers=registers)
    for k, (b, c) in enumerate(pairs):
        wanted = [shuffled(mode, lane, b, c) for lane in range(32)]
        for name in "def":
            assert out[f"%{name}{k}"].tolist() == [a[j] for j, _ in wanted], (name, b, c)
        for name in "pqr":
            assert out[f"%{name}{k}"].tolist() == [p for _, p in wanted], (name, b, c)


@pytest.mark.parametrize("mode", ["up", "down", "bfly", "idx"])
def test_shuffles_with_limits_of_each_lane(mode):
    rng = random.Random(mode)
    a, b, c = values(rng, 32), values(rng, 32), [rng.choice(CLAMPS) for _ in range(32)]
    out = run(f"shfl.sync.{mode}.b32 %d|%p, %a, %b, %c, -1;", {"%a": a, "%b": b, "%c": c})
    wanted = [shuffled(mode, lane, b[lane], c[lane]) for lane in range(32)]
    assert out["%d"].tolist() == [a[j] for j, _ in wanted]
    assert out["%p"].tolist() == [p for _, p in wanted]


def test_shuffle_keeps_what_lanes_that_are_off_had():
    given = {"%a": range(32), "%d": [99] * 32, "%q": [k % 2 for k in range(32)]}
    out = run("@%q shfl.sync.idx.b32 %d, %a, 2, 31, -1;", given, 0xFF)
    assert out["%d"].tolist() == [99, 2] * 4 + [99] * 24


def test_shuffle_of_shared_offsets_reads_one_lane():
    text = "mov.u32 %b, %ntid.x; shfl.sync.idx.b32 %d|%p, %a, %b, 31, -1;"
    out = run(text, {"%a": range(100, 132)})
    assert set(out["%d"].tolist()) == {100}
    assert all(out["%p"])


TILES = [0xFF if k < 8 else 0xFF00 if k < 16 else 0xFFFF0000 for k in range(32)]


@pytest.mark.parametrize("active", [FULL, 0x00F3_81A5, 1 << 31])
def test_votes_among_the_members_of_each_lane(active):
    rng = random.Random(active)
    q = [rng.random() < 0.7 for _ in range(32)]
    q[16:] = [True] * 16
    text = """vote.sync.ballot.b32 %d, %q, %m; vote.sync.all.pred %all, %q, %m;
              vote.sync.any.pred %any, !%q, %m; vote.sync.uni.pred %uni, %q, %m;
              vote.ballot.b32 %e, %q; vote.sync.ballot.b32 %f, %q, 0xff00; activemask.b32 %b;"""
    registers = ".reg .b32 %d, %e, %f, %b, %m; .reg .pred %q, %all, %any, %uni;"
    out = run(text, {"%q": q, "%m": TILES}, active, registers=registers)
    everyone = sum(1 << k for k in range(32) if q[k])
    for lane in lanes_of(active):
        group = lanes_of(TILES[lane] & active)
        truths = [q[k] for k in group]
        assert out["%d"][lane] == everyone & TILES[lane] & active
        assert out["%all"][lane] == all(truths)
        assert out["%any"][lane] == (not all(truths))
        assert out["%uni"][lane] == (all(truths) or not any(truths))
        assert out["%e"][lane] == everyone & active
        assert out["%f"][lane] == everyone & active & 0xFF00
        assert out["%b"][lane] == active


@pytest.mark.parametrize("active", [FULL, 0x00F3_81A5])
def test_matches(active):
    rng = random.Random(active)
    a = [rng.choice([0, 1, 2, 1 << 40]) for _ in range(32)]
    a[16:] = [7] * 16
    text = "match.any.sync.b64 %d, %A, %m; match.all.sync.b64 %e|%p, %A, %m;"
    out = run(text, {"%A": a, "%m": TILES}, active)
    for lane in lanes_of(active):
        group = lanes_of(TILES[lane] & active)
        same = sum(1 << k for k in group if a[k] == a[lane])
        agree = all(a[k] == a[lane] for k in group)
        assert out["%d"][lane] == same
        assert out["%p"][lane] == agree
        assert out["%e"][lane] == (TILES[lane] & active if agree else 0)


def test_the_lowest_member_is_elected():
    out = run("elect.sync %d|%p, %m; elect.sync _|%q, -1;", {"%m": TILES}, 0xFFF0_0CF0)
    active = lanes_of(0xFFF0_0CF0)
    assert [int(out["%d"][k]) for k in active] == [4] * 4 + [10] * 2 + [20] * 12
    assert [k for k in active if out["%p"][k]] == [4, 10, 20]
    assert [k for k in active if out["%q"][k]] == [4]


REDUCTIONS = {
    "add.s32": sum, "add.u32": sum, "min.u32": min, "max.u32": max,
    "min.s32": lambda v: min(map(signed, v)), "max.s32": lambda v: max(map(signed, v)),
    "and.b32": lambda v: np.bitwise_and.reduce(list(v)),
    "or.b32": lambda v: np.bitwise_or.reduce(list(v)),
    "xor.b32": lambda v: np.bitwise_xor.reduce(list(v)),
}  # fmt: skip


@pytest.mark.parametrize("form", REDUCTIONS)
@pytest.mark.parametrize("active", [FULL, 0x00F3_81A5])
def test_reductions_of_integers(form, active):
    a = values(random.Random(form), 32)
    text = f"redux.sync.{form} %d, %a, %m; redux.sync.{form} %e, %a, -1;"
    out = run(text, {"%a": a, "%m": TILES}, active)
    everyone = int(REDUCTIONS[form](a[k] for k in lanes_of(active)))
    for lane in lanes_of(active):
        group = (a[k] for k in lanes_of(TILES[lane] & active))
        assert out["%d"][lane] == int(REDUCTIONS[form](group)) & FULL
        assert out["%e"][lane] == everyone & FULL


def bits32(*numbers):
    return list(struct.unpack(f"<{len(numbers)}I", struct.pack(f"<{len(numbers)}f", *numbers)))


def test_reductions_of_floats():
    nan, inf = np.nan, np.inf
    a = bits32(*([3.0, -5.0, nan, 2.0] * 2), *([-0.0, 0.0] * 4), *([nan] * 15), -inf)
    tiles = [0xFF] * 8 + [0xFF00] * 8 + [0x3FFF0000] * 14 + [1 << 30, 1 << 31]
    words = ["min", "max", "min.NaN", "max.abs", "min.abs.NaN"]
    text = "".join([f"redux.sync.{w}.f32 %f{k}, %a, %m;" for k, w in enumerate(words)])
    out = run(text, {"%a": a, "%m": tiles}, registers=".reg .f32 %f<5>, %a; .reg .b32 %m;")
    lanes = (0, 8, 16, 30, 31)
    got = [[int(out[f"%f{k}"][lane]) for lane in lanes] for k in range(5)]
    none = 0x7FFFFFFF  # the NaN that PTX gives
    five, minus_five, zero, minus_zero, three, inf, minus_inf = bits32(
        5.0, -5.0, 0.0, -0.0, 3.0, inf, -inf
    )
    assert got == [
        [minus_five, minus_zero, none, none, minus_inf],
        [three, zero, none, none, minus_inf],
        [none, minus_zero, none, none, minus_inf],
        [five, zero, none, none, inf],
        [none, zero, none, none, inf],
    ]


def test_sums_of_floats_add_in_the_order_of_lanes():
    rng = np.random.default_rng(1)
    a = (rng.standard_normal(64) * 10.0 ** rng.integers(-6, 6, 64)).astype(np.float32)
    mask = 0xF0F0_FFFF_0000_F00E
    operation = compile_operation("redux.sync.add.f32 %d, %a, -1;", ".reg .f32 %d, %a;", 64)
    out = operation.run({"%a": a}, mask)["%d"].view(np.float32)
    total = np.float32(a[1])
    for lane in lanes_of(mask)[1:]:
        total = np.float32(total + a[lane])
    assert {float(out[k]) for k in lanes_of(mask)} == {float(total)}


def test_votes_and_reductions_of_64_lanes():
    text = """vote.sync.ballot.b64 %D, %p, -1; redux.sync.max.s64 %E, %A, -1; activemask.b64 %F;
              shfl.sync.bfly.b32 %d, %a, 32, 63, -1;"""
    mask = 0xF000_0000_0000_0F0F
    a = values(random.Random(2), 64, 64)
    out = run(text, {"%p": [k % 3 == 0 for k in range(64)], "%A": a, "%a": range(64)}, mask, 64,
              ".reg .b64 %D, %E, %F, %A; .reg .pred %p; .reg .b32 %d, %a;")  # fmt: skip
    on = lanes_of(mask)
    best = max(signed(a[k], 64) for k in on) % (1 << 64)
    for lane in on:
        assert out["%D"][lane] == sum(1 << k for k in on if k % 3 == 0)
        assert out["%E"][lane] == best
        assert out["%F"][lane] == mask
        assert out["%d"][lane] == lane ^ 32
