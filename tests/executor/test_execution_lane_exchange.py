"""Exchanges between lanes that AMD's and OpenCL's kernels have, with hand-derived results."""

import random

import numpy as np
import pytest

from tests.reference.lane_values import array, values
from tests.reference.one_operation import compile_operation

REGISTERS = """.reg .b32 %d, %e, %a, %b, %c, %o, %r<9>; .reg .pred %p; .reg .b64 %D, %A;
.reg .b16 %w, %x; .reg .f32 %fd, %fa, %fe;"""
LANES = np.arange(64)
ALL = (1 << 64) - 1


def run(text, inputs, mask=ALL, lanes=64):
    operation = compile_operation(text, REGISTERS, lanes)
    used = {r.name: r.type.bits for r in operation.kernel.registers}
    return operation.run({n: array(list(v), used[n]) for n, v in inputs.items() if n in used}, mask)


def on(mask, lanes=64):
    return [k for k in range(lanes) if mask >> k & 1]


@pytest.mark.parametrize("lanes", [32, 64])
def test_lanes_are_read_modulo_the_size_of_the_warp(lanes):
    rng = random.Random(lanes)
    a, b, wide, x = (values(rng, bits, lanes) for bits in (32, 32, 64, 16))
    text = "lane_read.b32 %d, %a, %b; lane_read.b64 %D, %A, %b; lane_read.b16 %w, %x, 67;"
    out = run(text, {"%a": a, "%b": b, "%A": wide, "%x": x}, (1 << lanes) - 1, lanes)
    assert out["%d"].tolist() == [a[k % lanes] for k in b]
    assert out["%D"].tolist() == [wide[k % lanes] for k in b]
    assert out["%w"].tolist() == [x[3]] * lanes


def test_the_first_active_lane_is_read():
    out = run("lane_first.b32 %d, %a; lane_first.b32 %e, 7;", {"%a": LANES + 100}, 0xFF0 << 30)
    assert {int(out["%d"][k]) for k in on(0xFF0 << 30)} == {134}
    assert {int(out["%e"][k]) for k in on(0xFF0 << 30)} == {7}
    none = run("@%p lane_first.b32 %d, %a;", {"%a": LANES, "%d": LANES, "%p": LANES < 0})
    assert none["%d"].tolist() == LANES.tolist()


def test_one_lane_is_written():
    out = run("lane_write.b32 %d, 5, 66, %a; lane_write.b32 %e, %a, 3, 9;", {"%a": LANES + 100})
    assert out["%d"].tolist() == np.where(LANES == 2, 5, LANES + 100).tolist()
    assert out["%e"].tolist() == np.where(LANES == 3, 103, 9).tolist()


def test_lanes_send_and_the_highest_wins():
    to = [5] * 3 + [64 + 1] + [9] * 60
    out = run("lane_send.b32 %d, %a, %b;", {"%a": LANES + 100, "%b": to}, 0x1F)
    assert out["%d"][:6].tolist() == [0, 103, 0, 0, 0, 0]
    whole = run("lane_send.b32 %d, %a, %b;", {"%a": LANES + 100, "%b": to})["%d"]
    assert (whole[5], whole[1], whole[9], whole[2]) == (102, 103, 163, 0)


def row(*sources):
    """A row of 16 lanes by what each reads in its row, the same in each row; None: none."""
    return [None if s is None else 16 * r + s for r in range(4) for s in sources]


DPP = {
    0xB1: [k ^ 1 for k in range(64)],  # quads 1 0 3 2
    0x00: [k // 4 * 4 for k in range(64)],  # quads 0 0 0 0
    0x102: row(*range(2, 16), None, None),  # row_shl:2
    0x111: row(None, *range(15)),  # row_shr:1
    0x124: row(12, 13, 14, 15, *range(12)),  # row_ror:4
    0x130: [*range(1, 64), None],  # wave_shl:1
    0x134: [*range(1, 64), 0],  # wave_rol:1
    0x138: [None, *range(63)],  # wave_shr:1
    0x13C: [63, *range(63)],  # wave_ror:1
    0x140: row(*range(15, -1, -1)),  # row_mirror
    0x141: row(*range(7, -1, -1), *range(15, 7, -1)),  # row_half_mirror
    0x142: [None] * 16 + [15] * 16 + [31] * 16 + [47] * 16,  # row_bcast:15
    0x143: [None] * 32 + [31] * 32,  # row_bcast:31
    0x153: row(*[3] * 16),  # row_share:3
    0x161: [k ^ 1 for k in range(64)],  # row_xmask:1
}


@pytest.mark.parametrize("control", DPP)
def test_exchange_within_rows(control):
    mask = 0xFFFF_FFFF_F7FF_FFFE  # lanes 0 and 27 are off
    text = f"dpp.b32 %d, %o, %a, {control}, 15, 15, 0; dpp.b32 %e, %o, %a, {control}, 5, 3, %p;"
    given = {"%a": LANES + 100, "%o": LANES + 1000, "%p": [1] * 64}
    out = run(text, given, mask)
    for lane in on(mask):
        source = DPP[control][lane]
        there = source is not None and mask >> source & 1
        assert out["%d"][lane] == (source + 100 if there else lane + 1000)
        masked_in = lane // 16 in (0, 2) and lane % 16 < 8
        wanted = (source + 100 if there else 0) if masked_in else lane + 1000
        assert out["%e"][lane] == wanted


def test_a_scan_as_compilers_write_it():
    # row_shr 1, 2, 4, 8, then lane 15 of each row to the next, then lane 31 to the upper half
    steps = [(0x111, 15), (0x112, 15), (0x114, 15), (0x118, 15), (0x142, 10), (0x143, 12)]
    text = "".join(
        [f"dpp.b32 %r{k}, 0, %a, {c}, {rows}, 15, 0; add.u32 %a, %a, %r{k};"
         for k, (c, rows) in enumerate(steps)]
    )  # fmt: skip
    a = np.array(values(random.Random(4), 32, 64), np.uint32)
    assert run(text, {"%a": a})["%a"].tolist() == np.cumsum(a, dtype=np.uint32).tolist()


SWIZZLES = {
    0x401F: [k ^ 16 for k in range(32)],
    0x7C1F: [31 - k for k in range(32)],
    5 << 5 | 0x18: [k // 8 * 8 + 5 for k in range(32)],
    0x80B1: [k ^ 1 for k in range(32)],
    0xC020: [*range(1, 32), 0],
    0xC420: [31, *range(31)],
    0xC038: [k // 8 * 8 + (k + 1) % 8 for k in range(32)],
    0xE000: [int(f"{k:05b}"[::-1], 2) for k in range(32)],
    0xE01F: list(range(32)),
}


@pytest.mark.parametrize("pattern", SWIZZLES)
def test_swizzles_within_32_lanes(pattern):
    mask = ALL ^ 1 << 7
    out = run(f"swizzle.b32 %d, %a, {pattern};", {"%a": LANES + 100}, mask)["%d"]
    for lane in on(mask):
        source = lane // 32 * 32 + SWIZZLES[pattern][lane % 32]
        assert out[lane] == (0 if source == 7 else source + 100)


def test_exchange_by_nibbles():
    low, high = 0x76543210, 0x0000FFFF
    text = f"""permlane.x16.b32 %d, %o, %a, {low}, {high};
               permlane.other16.b32 %e, %o, %a, {low}, {high}; permlane.x16.b32 %c, %o, %a, %b;"""
    b = values(random.Random(6), 32, 64)
    mask = ALL ^ 1 << 19
    out = run(text, {"%a": LANES + 100, "%o": LANES + 1000, "%b": b}, mask)
    within = [0, 1, 2, 3, 4, 5, 6, 7, 15, 15, 15, 15, 0, 0, 0, 0]
    for lane in on(mask):
        for name, source in (
            ("%d", lane // 16 * 16 + within[lane % 16]),
            ("%e", (lane // 16 ^ 1) * 16 + within[lane % 16]),
            ("%c", lane // 16 * 16 + b[lane] % 16),
        ):
            assert out[name][lane] == (lane + 1000 if source == 19 else source + 100)


def test_exchange_within_eight():
    selector = sum(source << 3 * k for k, source in enumerate([7, 6, 5, 4, 0, 0, 1, 2]))
    out = run(f"permlane.dpp8.b32 %d, %a, {selector};", {"%a": LANES})["%d"]
    assert out.tolist() == [8 * g + s for g in range(8) for s in (7, 6, 5, 4, 0, 0, 1, 2)]


@pytest.mark.parametrize("rows", [16, 32])
def test_rows_are_swapped(rows):
    out = run(f"permlane.swap{rows}.b32 {{%d, %e}}, %a, %b;",
              {"%a": LANES + 100, "%b": LANES + 1000})  # fmt: skip
    a, b = ((LANES + n).reshape(-1, 2, rows) for n in (100, 1000))
    first, second = a.copy(), b.copy()
    first[:, 1], second[:, 0] = b[:, 0], a[:, 1]
    assert out["%d"].tolist() == first.reshape(-1).tolist()
    assert out["%e"].tolist() == second.reshape(-1).tolist()


@pytest.mark.parametrize(
    ("form", "combine", "start"),
    [
        ("add.u32", lambda x, y: (x + y) % (1 << 32), 0),
        ("min.u32", min, (1 << 32) - 1),
        ("max.u32", max, 0),
        ("min.s32", lambda x, y: min(x, y, key=lambda v: v ^ 1 << 31), (1 << 31) - 1),
        ("max.s32", lambda x, y: max(x, y, key=lambda v: v ^ 1 << 31), 1 << 31),
    ],
)
def test_prefixes_skip_lanes_that_are_off(form, combine, start):
    mask = 0xFFF0_0000_0000_F0F0
    a = values(random.Random(form), 32, 64)
    text = f"lane_scan.inclusive.{form} %d, %a; lane_scan.exclusive.{form} %e, %a;"
    out = run(text, {"%a": a}, mask)
    total = start
    for lane in on(mask):
        assert out["%e"][lane] == total
        total = combine(total, a[lane])
        assert out["%d"][lane] == total


@pytest.mark.parametrize(
    ("word", "start", "combine"), [("add", 0.0, np.add), ("min", np.inf, np.minimum),
                                   ("max", -np.inf, np.maximum)]
)  # fmt: skip
def test_prefixes_of_floats(word, start, combine):
    a = np.random.default_rng(3).standard_normal(32).astype(np.float32)
    text = f"lane_scan.inclusive.{word}.f32 %fd, %fa; lane_scan.exclusive.{word}.f32 %fe, %fa;"
    operation = compile_operation(text, REGISTERS, 32)
    out = operation.run({"%fa": a})
    wanted = combine.accumulate(np.concatenate([np.array([start], np.float32), a]))
    assert out["%fe"].view(np.float32).tolist() == wanted[:-1].tolist()
    assert out["%fd"].view(np.float32).tolist() == wanted[1:].tolist()
