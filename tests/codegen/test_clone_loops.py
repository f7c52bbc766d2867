"""The loops of clones: how far they are reduced, and how often they go round."""

import math
from itertools import pairwise

import pytest
from matplotlib.patches import Rectangle

from tests.reference.clone_kernels import (
    CTAID,
    KERNELS,
    LANE,
    ROUND,
    WARP,
    WORK,
    a_warp,
    hashed,
    loop,
    made,
    studied,
)
from warpmill.cloning import pictures
from warpmill.cloning.clone import clone_studied
from warpmill.cloning.options import CloneOptions
from warpmill.codegen.synthesis.loops import clone_loops, maximum_reduction
from warpmill.codegen.synthesis.make import largest_reduction, make_model, reductions
from warpmill.session.options import RunOptions
from warpmill.session.run import run


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("plain", 1), ("hundred", 64), ("nested", 16), ("test at the top", 32), ("chance", 64),
        ("early", 32), ("warps", 32), ("lanes stay", 16),
    ],
)  # fmt: skip
def test_the_largest_factor_is_a_power_of_two_below_the_longest_loop(kernels, name, most):
    assert maximum_reduction(kernels(name).subjects[0]) == most


@pytest.mark.parametrize(
    ("factor", "iterations"),
    [(1, 100), (2, 50), (3, 33), (8, 12), (64, 1), (100, 1), (1000, 1)],
)
def test_iterations_are_divided_and_never_less_than_one(kernels, factor, iterations):
    (one,) = clone_loops(kernels("hundred").subjects[0], factor)
    assert (one.original, one.iterations) == (100.0, iterations)


def test_loops_have_factors_of_their_own(kernels):
    subject = kernels("nested").subjects[0]
    outer, inner = (lp.header for lp in subject.structure.loops.loops)
    options = CloneOptions(reductions={"original": {inner: 4}})
    (model,) = clone_studied(kernels("nested"), options).models
    assert {lp.header: lp.iterations for lp in model.loops} == {outer: 8, inner: 4}


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("name", "factor"),
    [
        ("hundred", 4), ("test at the top", 4), ("nested", 4), ("early", 4), ("lanes stay", 4),
        ("hundred", 64),
    ],
)  # fmt: skip
def test_loops_go_round_as_the_model_says(clones, name, factor):
    one = clones(name, reduction=factor)
    seen = {each.header: each for each in one.here.loops}
    original = {each.header: each for each in one.there.loops}
    left_by_break = 0 if all(lp.bottom for lp in one.model.loops) else 1  # the test that leaves
    for each in one.model.loops:
        went = original[each.header].iterations / original[each.header].runs - left_by_break
        assert each.original == pytest.approx(went)
        assert each.iterations == max(1, round(went) // factor)
        if each.header not in seen:  # one iteration at the bottom is no loop for a parser
            assert each.iterations == 1
            continue
        assert {n for n, _ in seen[each.header].histogram} == {each.iterations + left_by_break}


@pytest.mark.parametrize("name", ["scattered"])
def test_clones_are_not_shorter_than_said(clones, name):
    factors = []
    for least in (1, 300, 1 << 20):
        one = clones(name, min_instructions=least)
        factor = one.model.reduction
        factors.append(factor)
        assert factor & (factor - 1) == 0
        assert 1 <= factor <= maximum_reduction(one.there)
        assert factor == 1 or a_warp(one.here) >= 0.97 * least
    assert factors == sorted(factors, reverse=True)
    assert factors[0] > factors[-1] == 1


@pytest.mark.parametrize(("name", "by_cta"), [("ctas", True), ("warps", False)])
def test_runs_of_different_lengths(tmp_path, name, by_cta):
    """256 CTAs draw one of four lengths; mean and deviation within 15 in 100."""
    one = made(tmp_path, studied(tmp_path, KERNELS[name], grid=256, block=64), reduction=2)
    (model,) = one.model.loops
    (there,), (here,) = one.there.loops, one.here.loops
    assert model.by_cta == there.by_cta == by_cta
    assert here.by_cta or not by_cta
    assert {length for length, _ in here.histogram} <= {n for n, _ in model.spread}
    for length, _ in there.histogram:
        assert min(abs(length / 2 - n) for n, _ in here.histogram) <= 1
    assert sum(share for _, share in model.spread) == pytest.approx(1.0)

    def mean(loop_seen, power):
        runs = loop_seen.histogram
        return sum(n**power * count for n, count in runs) / sum(count for _, count in runs)

    def deviation(loop_seen):
        return math.sqrt(mean(loop_seen, 2) - mean(loop_seen, 1) ** 2)

    assert mean(here, 1) == pytest.approx(mean(there, 1) / 2, rel=0.15)
    assert deviation(here) == pytest.approx(deviation(there) / 2, rel=0.15)


CONTINUED = f"""LOOP: add.u32 %r7, %r7, 1;
{hashed("%r10", WARP, ROUND, bits=1)} setp.lt.u32 %p1, %r7, 20; setp.eq.and.u32 %p2, %r10, 0, %p1;
@%p2 bra LOOP;
{WORK} setp.lt.u32 %p3, %r7, 20; @%p3 bra LOOP;
"""
"""A loop with ``continue`` in its middle, and its only way out at its end."""


def test_a_loop_that_continues_before_its_exit_ends(tmp_path):
    cloned = clone_studied(studied(tmp_path, CONTINUED, grid=2), CloneOptions(reduction=2))
    for name, words in cloned.files.files:
        (tmp_path / name).write_text(words)
    run(tmp_path / "launch.toml", options=RunOptions(max_instructions=1_000_000))


# -- a factor for each loop ------------------------------------------------------------------------

THREE = loop(
    WORK
    + loop("add.f32 %f4, %f4, 0f3F800000;" + WORK, 24, number="%r15", name="INNER")
    + loop("mul.f32 %f5, %f5, 0f3F800000;", 6, number="%r16", name="SHORT"),
    10,
)
"""A loop of 10 iterations, in which one of 24 and one of 6 are."""


@pytest.fixture(scope="module")
def three(tmp_path_factory):
    return studied(tmp_path_factory.mktemp("three"), THREE, grid=2).subjects[0]


def test_the_first_reduction_reduces_nothing_and_each_halves_the_longest_loop(three):
    found = reductions(three, 1)
    iterations = {loop.header: loop.original for loop in clone_loops(three, 1)}
    assert list(iterations.values()) == [10, 24, 6]
    assert found[0] == dict.fromkeys(iterations, 1)
    for before, after in pairwise(found):
        left = {header: iterations[header] / before[header] for header in iterations}
        longest = max(left, key=left.get)
        assert after == {**before, longest: 2 * before[longest]}
    outer, inner, short = iterations
    # 24 10 6 -> 12 10 6 -> 6 10 6 -> 6 5 6 -> 3 5 6 or 6 5 3 .. -> all below 2
    assert found[1:4] == [
        {outer: 1, inner: 2, short: 1},
        {outer: 1, inner: 4, short: 1},
        {outer: 2, inner: 4, short: 1},
    ]
    assert all(count / found[-1][header] < 2 for header, count in iterations.items())


@pytest.mark.one_in(3)
@pytest.mark.parametrize("least", [20, 100, 400, 1600, 1 << 20])
def test_reductions_end_above_the_min_instructions(three, least):
    """What comes next would be shorter, or there is nothing left to halve."""
    found, every = reductions(three, least), reductions(three, 1)
    assert found == every[: len(found)]
    lengths = [
        a_warp(three) / make_model(three, reduction=factors).represented for factors in every
    ]
    assert all(length >= least for length in lengths[1 : len(found)])
    assert all(length < least for length in lengths[len(found) : len(found) + 1])


def test_as_many_instructions_as_asked_for_are_enough(tmp_path):
    """With half of its iterations a warp executes half of the instructions, no more and no less."""
    original = studied(tmp_path, loop(WORK * 3, 64), grid=2).subjects[0]
    half = a_warp(original) / 2
    (header,) = (lp.header for lp in original.structure.loops.loops)
    assert half.is_integer()
    for least, factors in ((int(half), [1, 2]), (int(half) + 1, [1])):
        assert reductions(original, least) == [{header: factor} for factor in factors]
        assert largest_reduction(original, least) == factors[-1]


def test_a_kernel_without_loops_is_not_reduced(kernels):
    assert reductions(kernels("plain").subjects[0], 1) == [{}]


# -- runs of one warp that differ ------------------------------------------------------------------

DRAWN = "and.b32 %r15, %r7, 1; mad.lo.u32 %r15, %r15, 18, 2;\n"
"""2 in each even iteration, 20 in each odd one."""
BOTTOM = loop("add.f32 %f4, %f4, 0f3F800000;", "%r15", number="%r16", name="INNER")
TOP = f"""mov.u32 %r16, 0;
INNER: setp.ge.u32 %p3, %r16, %r15; @%p3 bra BEHIND;
{WORK} add.u32 %r16, %r16, 1; bra INNER;
BEHIND:
"""
HALF = f"shr.u32 %r17, {LANE}, 4; mul.lo.u32 %r15, %r15, %r17;\n"
"""None at all for the first half of the lanes."""


@pytest.mark.parametrize("body", [BOTTOM, TOP, HALF + TOP], ids=["bottom", "top", "lanes stay"])
def test_each_warp_has_runs_of_both_lengths(tmp_path, body):
    """Warps draw short and long ones half and half; blocks inside are met as often, by as many."""
    one = made(tmp_path, studied(tmp_path, loop(DRAWN + body + WORK, 32), grid=16), reduction=1)
    own = next(each for each in one.model.loops if each.spread)
    assert own.anew
    (low, share), (high, _) = own.spread
    tests = 0 if own.bottom else 1  # the test that leaves
    (_, there), (_, here) = one.there.loops, one.here.loops
    assert low < 5
    assert high > 15
    assert share == pytest.approx(0.5, abs=0.05)
    assert [length for length, _ in here.histogram] == [low + tests, high + tests]
    assert here.by_warp < 0.1
    mean = there.iterations / there.runs
    assert here.iterations / here.runs == pytest.approx(mean, rel=0.05)
    assert one.here.lanes[3] == one.there.lanes[3] == (16 if HALF in body else 32)


BY_WARP = hashed("%r15", WARP, CTAID, ROUND, bits=1) + "mad.lo.u32 %r15, %r15, 18, 2;\n"
"""2 or 20 by chance."""


@pytest.mark.parametrize(("drawn", "in_step"), [(DRAWN, True), (BY_WARP, False)])
def test_warps_of_a_cta_draw_alike_where_they_went_in_step(tmp_path, drawn, in_step):
    """Four warps: where each draws on its own a quarter lies between the steps of a CTA, or less
    in the clone, whose draws are spread evenly."""
    one = made(tmp_path, studied(tmp_path, loop(drawn + BOTTOM + WORK, 32), grid=16), reduction=1)
    own = next(each for each in one.model.loops if each.spread)
    assert (own.anew, own.by_cta) == (True, in_step)
    (_, there), (_, here) = one.there.loops, one.here.loops
    assert there.in_step == pytest.approx(1.0 if in_step else 0.25, abs=0.05)
    assert here.in_step == 1.0 if in_step else here.in_step < 0.3
    assert not here.by_cta


def test_drawn_lengths_shrink_with_their_loop(tmp_path):
    """Both by the same factor, so that the long one stays ten times as long as the short one."""
    original = studied(tmp_path, loop(DRAWN + BOTTOM + WORK, 32), grid=16)
    (_, there) = original.subjects[0].loops
    one = made(tmp_path, original, reductions={"original": {there.header: 2}})
    (_, here) = one.here.loops
    assert [length for length, _ in here.histogram] == [1, 10]
    assert here.iterations / here.runs == pytest.approx(11 / 2, rel=0.05)
    assert here.by_warp < 0.1


def test_lengths_that_are_joined_keep_the_mean(tmp_path):
    """Runs of 2, 3 and 20 iterations, of which the clone draws two lengths: 25 in 3 runs."""
    drawn = "rem.u32 %r15, %r7, 3; add.u32 %r15, %r15, 2; setp.eq.u32 %p4, %r15, 4;\n"
    drawn += "@%p4 mov.u32 %r15, 20;\n"
    original = studied(tmp_path, loop(drawn + BOTTOM + WORK, 33), grid=2).subjects[0]
    own = next(each for each in clone_loops(original, 1) if each.spread)
    assert own.anew and len(own.spread) == 2
    assert sum(share for _, share in own.spread) == pytest.approx(1.0)
    assert sum(length * share for length, share in own.spread) == pytest.approx(25 / 3)


def test_runs_of_one_warp_are_alike_where_those_of_others_differ(clones):
    """Only what lies within warps is drawn anew."""
    assert not any(each.anew for name in ("warps", "ctas") for each in clones(name).model.loops)


def test_pictures_hold_loops_in_each_other_and_their_blocks(kernels):
    """Frames of loops stand in the middle around the boxes of their blocks, and no others."""
    model = make_model(kernels("nested").subjects[0], reduction=1)
    (axes,) = pictures._figure([model], 1).axes
    drawn = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
    boxes = [patch.get_bbox() for patch in drawn if patch.get_fill()]
    frames = [patch.get_bbox() for patch in drawn if not patch.get_fill()]
    loops = pictures.loop_forest(model).loops
    assert (len(boxes), len(frames)) == (len(model.blocks), len(loops)) and len(loops) > 1
    for shape in (*boxes, *frames):
        assert shape.x0 + shape.x1 == pytest.approx(1.0) and 0 <= shape.x0 < 0.3
    for loop_, frame in zip(loops, frames, strict=True):
        inner = [frames[k] for k, other in enumerate(loops) if other.parent == loop_.id]
        for shape in (*inner, *(boxes[b] for b in loop_.blocks)):
            assert frame.x0 < shape.x0 and frame.y0 < shape.y0 and shape.y1 < frame.y1
        for other in (boxes[b] for b in range(len(boxes)) if b not in loop_.blocks):
            assert other.y1 < frame.y0 or frame.y1 < other.y0
