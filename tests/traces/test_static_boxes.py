"""Boxes of CTAs that do alike, against trying every CTA of the grid."""

import random
from itertools import product

import numpy as np
import pytest

from tests.traces.test_static_constraints import holds, random_constraint
from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.frontends.load import load
from warpmill.analyzer.launch.model import BufferArgument, Launch
from warpmill.analyzer.traces.model import events
from warpmill.analyzer.traces.source import StaticSource
from warpmill.analyzer.traces.static.constraints import AXES, Constraint, Sign
from warpmill.analyzer.traces.static.grid import box_around

GRID = (5, 4, 3)


def at(constraint, cta):
    """Count the axes from one CTA on, as a walk of that CTA does."""
    moved = sum(s * cta[AXES.index(c)] for c, s in constraint.strides)
    return Constraint(constraint.sign, constraint.base + moved, constraint.strides)


@pytest.mark.parametrize("seed", range(150))
def test_every_cta_of_a_box_keeps_the_constraints(seed):
    rng = random.Random(seed)
    constraints = [random_constraint(rng, AXES) for _ in range(rng.randint(1, 3))]
    cta = tuple(rng.randrange(n) for n in GRID)
    seen_from_it = [at(c, cta) for c in constraints]
    if not all(holds(c, {}) for c in seen_from_it):
        return  # a walk of this CTA would have left other constraints
    first, last = box_around(cta, GRID, seen_from_it)
    assert all(0 <= a <= c <= b < n for a, c, b, n in zip(first, cta, last, GRID, strict=True))
    for other in product(*(range(a, b + 1) for a, b in zip(first, last, strict=True))):
        away = {axis: o - c for axis, o, c in zip(AXES, other, cta, strict=True)}
        assert all(holds(c, away) for c in seen_from_it)


def test_without_constraints_one_cta_stands_for_the_grid():
    assert box_around((1, 2, 0), GRID, []) == ((0, 0, 0), (4, 3, 2))


def test_a_box_reaches_to_both_sides_of_the_cta_walked():
    low = Constraint(Sign.NOT_NEGATIVE, np.array([1]), ((AXES[0], np.array([1])),))
    high = Constraint(Sign.NEGATIVE, np.array([-2]), ((AXES[0], np.array([1])),))
    assert box_around((2, 0, 0), GRID, [low, high]) == ((1, 0, 0), (3, 3, 2))


WRAPPING = """.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 data)
{
    .reg .pred %p<4>;
    .reg .b32 %r<4>;
    .reg .b64 %rd<8>;
    ld.param.u64 %rd1, [data];
    mov.u32 %r1, %ctaid.x;
    cvt.u64.u32 %rd2, %r1;
    mul.lo.s64 %rd3, %rd2, 2305843009213693952;
    mov.u32 %r2, 0;
TOP:
    setp.lt.s64 %p1, %rd3, 0;
    @%p1 bra NEXT;
    st.global.u32 [%rd1], %r2;
NEXT:
    add.s64 %rd3, %rd3, 2305843009213693952;
    add.s32 %r2, %r2, 1;
    setp.lt.s32 %p2, %r2, 20;
    @%p2 bra TOP;
    ret;
}
"""


def test_numbers_of_64_bits_wrap_from_cta_to_cta_and_in_loops(tmp_path):
    """A value of (cta + i) * 2**61 is not negative where (cta + i) mod 8 is below 4."""
    path = tmp_path / "k.ptx"
    path.write_text(WRAPPING)
    module = load(path).module
    launch = Launch.of("k", grid=[12], block=[32], arguments=[BufferArgument("u8", (4096,))])
    source = StaticSource(module, analyse_structure(module.kernels[0]), launch)
    for cta in range(12):
        (warp,) = source.warps((cta, 0, 0))
        stores = [bool(e.addresses) for e in events(warp) if e.block in (1, 2)]
        wanted = []
        for i in range(20):
            wanted += [False, True] if (cta + i) % 8 < 4 else [False]
        assert stores == wanted


PARTED = """.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 data)
{
    .reg .pred %p<6>;
    .reg .b32 %r<20>;
    .reg .b64 %rd<8>;
    ld.param.u64 %rd1, [data];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %tid.x;
    mad.lo.s32 %r3, %r1, 32, %r2;
    div.u32 %r4, %r3, 320;
    rem.u32 %r5, %r3, 320;
    and.b32 %r6, %r3, 255;
    shr.u32 %r7, %r3, 9;
    mad.lo.s32 %r8, %r4, 1000, %r5;
    mad.lo.s32 %r9, %r7, 100000, %r8;
    mad.lo.s32 %r9, %r6, 1000000, %r9;
    mul.wide.s32 %rd2, %r9, 4;
    add.s64 %rd3, %rd1, %rd2;
    add.s32 %r10, %r3, -70;
    sub.s32 %r11, 900, %r3;
    or.b32 %r12, %r10, %r11;
    setp.TEST.s32 %p1, %r12, LIMIT;
    @!%p1 bra DONE;
    st.global.u32 [%rd3], %r3;
DONE:
    ret;
}
"""
TESTS = {
    ("gt", "-1"): lambda a, b: a >= 0 and b >= 0,
    ("ge", "0"): lambda a, b: a >= 0 and b >= 0,
    ("lt", "0"): lambda a, b: a < 0 or b < 0,
    ("le", "-1"): lambda a, b: a < 0 or b < 0,
    ("eq", "0"): lambda a, b: a == 0 and b == 0,
    ("ne", "0"): lambda a, b: a != 0 or b != 0,
    ("gt", "0"): lambda a, b: (a | b) > 0,
}
CTAS = 40


@pytest.mark.parametrize(("word", "limit"), TESTS)
def test_tests_of_several_signs_and_parts_of_numbers_hold_for_boxes_of_ctas(tmp_path, word, limit):
    """Addresses of all CTAs are what a loop over threads gives, with far fewer walks than CTAs."""
    path = tmp_path / "k.ptx"
    path.write_text(PARTED.replace("TEST", word).replace("LIMIT", limit))
    module = load(path).module
    size = 4 * 300_000_000
    launch = Launch.of("k", grid=[CTAS], block=[32], arguments=[BufferArgument("u8", (size,))])
    source = StaticSource(module, analyse_structure(module.kernels[0]), launch)
    start = source.layout.arguments["data"].base
    walker = source._walker
    walked = []
    walk = walker._walk

    def counted(batch):
        walked.append(batch)
        return walk(batch)

    walker._walk = counted
    for cta in range(CTAS):
        (warp,) = source.warps((cta, 0, 0))
        found = [a - start for e in events(warp) for _, at in e.addresses for a in at or ()]
        wanted = []
        for i in range(32 * cta, 32 * cta + 32):
            if TESTS[word, limit](i - 70, 900 - i):
                place = i // 320 * 1000 + i % 320 + (i >> 9) * 100_000 + (i & 255) * 1_000_000
                wanted.append(4 * place)
        assert found == wanted
    if limit != "0" or word != "gt":
        assert len(walked) < CTAS / 3


@pytest.mark.parametrize("ones", ["-1", "0xffffffff"])
def test_what_is_turned_by_an_exclusive_or_moves_on_evenly(tmp_path, ones):
    """LLVM writes -1 - x so: places go down from CTA to CTA, and one walk does."""
    body = f"""
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x; mad.lo.s32 %r3, %r1, 32, %r2;
    xor.b32 %r4, %r3, {ones}; add.s32 %r5, %r4, 1000;
    mul.wide.s32 %rd2, %r5, 4; add.s64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], %r3; ret;
}}
"""
    path = tmp_path / "k.ptx"
    path.write_text(PARTED.partition("mov.u32 %r1, %ctaid.x;")[0] + body)
    module = load(path).module
    launch = Launch.of("k", grid=[20], block=[32], arguments=[BufferArgument("u8", (4096,))])
    source = StaticSource(module, analyse_structure(module.kernels[0]), launch)
    start = source.layout.arguments["data"].base
    for cta in range(20):
        (warp,) = source.warps((cta, 0, 0))
        found = [a - start for e in events(warp) for _, at in e.addresses for a in at or ()]
        assert found == [4 * (999 - 32 * cta - lane) for lane in range(32)]
    assert len(source._walker._near) == 1
