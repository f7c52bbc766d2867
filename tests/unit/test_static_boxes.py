"""Boxes of CTAs that do alike, against trying every CTA of the grid."""

import random
from itertools import product

import numpy as np
import pytest

from analyzer.analyses.structure import analyse_structure
from analyzer.frontends.load import load
from analyzer.launch.model import BufferArgument, Launch
from analyzer.trace.model import events
from analyzer.trace.source import StaticSource
from analyzer.trace.static.batch import AXES
from analyzer.trace.static.boxes import box_around
from analyzer.trace.static.constraints import Constraint, Sign
from tests.unit.test_static_constraints import holds, random_constraint

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
