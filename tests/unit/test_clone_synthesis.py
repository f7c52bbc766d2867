"""Clones do what their originals did: each kernel is cloned, written, read back, executed."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from analyzer.behaviour.model import FirstThreads, Scope
from analyzer.frontends.ptx import parse
from analyzer.ir.ptx_printer import print_ptx
from analyzer.ir.types import Space
from analyzer.ir.verifier import verify
from analyzer.source import Source
from codegen.model import ByThread, ByWarp, Constant, Random, ScatteredSite
from codegen.synthesis.loops import clone_loops, maximum_reduction
from tests.unit.synthesis_kernels import (
    CTAID,
    LANE,
    ROUND,
    THREAD,
    TID,
    WARP,
    WORDS,
    WORK,
    a_warp,
    hashed,
    loop,
    made,
    shares,
    studied,
    text,
)
from warpmill.cloning import CloneOptions, clone_studied, study
from warpmill.jobs import LaunchOptions
from warpmill.runs import RunOptions, run

SIDES = f"@%p1 bra SIDE; {WORK} bra NEXT;\nSIDE: add.u32 %r11, %r11, %r10;\nNEXT:\n"


def branching(condition, times=64):
    return loop(condition + SIDES, times)


CHANCE = hashed("%r10", WARP, CTAID, ROUND)
FETCH = "mul.wide.u32 %rd5, %r12, 4; add.s64 %rd6, %rd2, %rd5; ld.global.u32 %r20, [%rd6];\n"
KERNELS = {
    "plain": WORK * 3,
    "hundred": loop(WORK, 100),
    "nested": loop(
        WORK + loop("add.f32 %f4, %f4, 0f3F800000;", 16, number="%r15", name="INNER"), 8
    ),
    "test at the top": f"""mov.u32 %r7, 0;
LOOP: setp.ge.u32 %p1, %r7, 40; @%p1 bra END;
{WORK} add.u32 %r7, %r7, 1; bra LOOP;
""",
    "chance": branching(CHANCE + "setp.lt.u32 %p1, %r10, 19661;"),
    "lanes by chance": branching(hashed("%r10", THREAD, ROUND) + "setp.lt.u32 %p1, %r10, 19661;"),
    "odd lanes": branching(f"and.b32 %r10, {TID}, 1; setp.ne.u32 %p1, %r10, 0;"),
    "ctas": hashed("%r12", CTAID, bits=2)
    + "shl.b32 %r12, %r12, 4; add.u32 %r12, %r12, 8;\n"
    + loop(WORK, "%r12"),
    "warps": f"shl.b32 %r12, {WARP}, 4; add.u32 %r12, %r12, 8;\n" + loop(WORK, "%r12"),
    "lanes stay": f"shr.u32 %r12, {LANE}, 1; add.u32 %r12, %r12, 1;\n" + loop(WORK, "%r12"),
    "barrier": branching(hashed("%r10", CTAID) + "setp.lt.u32 %p1, %r10, 32768;").replace(
        "SIDE: ", "SIDE: bar.sync 0; "
    ),
    "early": f"setp.ge.u32 %p1, {THREAD}, 999; @%p1 ret;\n" + loop(WORK, 32),
    "scattered": loop(hashed("%r12", THREAD, ROUND) + FETCH, 64),
    "scattered warps": loop(
        hashed("%r12", WARP, CTAID, ROUND, bits=11)
        + f"shl.b32 %r12, %r12, 5; add.u32 %r12, %r12, {LANE};\n"
        + FETCH,
        64,
    ),
    "far apart": loop(f"mad.lo.u32 %r12, {THREAD}, 8, {ROUND};\n" + FETCH, 32),
    "guarded": loop(
        f"setp.lt.u32 %p2, {LANE}, 8; @%p2 ld.global.u32 %r20, [%rd4]; add.u32 %r21, %r21, %r20;",
        32,
    ),
    "banks": loop(
        f"shl.b32 %r12, {LANE}, 4; add.u32 %r13, %r8, %r12; st.shared.u32 [%r13], {ROUND};"
        "bar.sync 0; ld.shared.u32 %r20, [%r9]; add.u32 %r21, %r21, %r20; bar.sync 0;",
        32,
    ),
    "atomic": loop(
        hashed("%r12", THREAD, ROUND, bits=8)
        + "mul.wide.u32 %rd5, %r12, 4; add.s64 %rd6, %rd2, %rd5;"
        "atom.global.add.u32 %r20, [%rd6], 1;",
        32,
    ),
    "shuffled": loop(
        "shfl.sync.bfly.b32 %r20, %r21, 8, 31, -1; add.u32 %r21, %r21, %r20;"
        "vote.sync.ballot.b32 %r22, %p1, -1;",
        32,
    ),
}


@pytest.fixture(scope="module")
def kernels(tmp_path_factory):
    """Study a kernel when it is first asked for."""
    known = {}

    def give(name):
        if name not in known:
            folder = tmp_path_factory.mktemp("originals")
            known[name] = studied(folder, KERNELS[name], grid=16)
        return known[name]

    return give


@pytest.fixture(scope="module")
def clones(kernels, tmp_path_factory):
    """Clone a kernel with these options when that is first asked for."""
    known = {}

    def give(name, **options):
        key = (name, *sorted(options.items()))
        if key not in known:
            known[key] = made(tmp_path_factory.mktemp("clones"), kernels(name), **options)
        return known[key]

    return give


def decisions(one, kind):
    return {b.id: b.decision for b in one.model.blocks if isinstance(b.decision, kind)}


def branch(subject, block):
    return next(b for b in subject.branches if b.block == block)


def rate(behaviour):
    """Give the share of executions in which a lane took a branch."""
    return (behaviour.all_taken + behaviour.split * behaviour.split_share) / behaviour.executions


# -- all kernels -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", KERNELS)
def test_a_clone_is_whole_and_runs_within_bounds(clones, name):
    """It is executed with arrays of exactly its sizes: an access outside would be an error.

    Blocks go on where the original's do, but for lanes that go around a loop; blocks of which
    nothing is left are gone when the text is read.
    """
    one = clones(name, reduction=4)
    assert verify(one.cloned.application.module) == ()
    assert one.here.structure.kernel.name == "clone0"
    (kernel,) = one.cloned.application.module.kernels
    around = {lp.header for lp in one.model.loops if lp.around is not None and lp.lanes < 1.0}
    entering = {block for header, block in one.model.entries if header in around}
    cfg = one.there.structure.cfg
    for block in kernel.blocks:
        if block.id not in entering:
            after = block.successors or (cfg.exit_id,)
            assert set(after) == set(cfg.successors[block.id]) - {cfg.exit_id} or set(after) == {
                cfg.exit_id
            }


def opcodes(kernel):
    return [i.operation.opcode for i in kernel.instructions]


@pytest.mark.parametrize("name", ["nested", "odd lanes", "scattered", "banks", "early"])
def test_what_is_printed_reads_back(clones, name):
    module = clones(name, reduction=4).cloned.application.module
    again = parse(Source("clone.ptx", print_ptx(module))).module
    assert verify(again) == ()
    for one, other in zip(again.kernels, module.kernels, strict=True):
        assert opcodes(one) == opcodes(other)
        used = [
            [[k.registers[r] for r in (*i.writes, *i.reads)] for i in k.instructions]
            for k in (one, other)
        ]
        assert used[0] == used[1]


LONGER = pytest.mark.xfail(
    strict=True, reason="a loop's own counter stays beside the clone's: over 10 in 100 longer"
)
UNREDUCED = [
    "hundred", "chance", "lanes by chance", "scattered", "scattered warps", "banks", "atomic",
    "guarded", pytest.param("nested", marks=LONGER), pytest.param("far apart", marks=LONGER),
]  # fmt: skip


@pytest.mark.parametrize("name", UNREDUCED)
def test_a_clone_without_reduction_is_as_long(clones, name):
    """Nothing shrinks: instructions are within what control flow and addresses add."""
    one = clones(name, reduction=1)
    assert one.model.represented == 1.0
    assert a_warp(one.here) == pytest.approx(a_warp(one.there), rel=0.08)


def differences(one):
    """Give how far the shares of kinds of instructions are from the original's."""
    a, b = shares(one.there.profile), shares(one.here.profile)
    return {kind: abs(a.get(kind, 0) - b.get(kind, 0)) for kind in a | b}


@pytest.mark.parametrize("name", KERNELS)
def test_kinds_of_instructions_are_as_often(clones, name):
    """Within 6 in 100 of all that warps execute; of short ones within 1.5 instructions."""
    one = clones(name, reduction=4)
    assert max(differences(one).values()) < max(1.5 / a_warp(one.here), 0.06)


@pytest.mark.parametrize("name", UNREDUCED)
def test_kinds_of_instructions_stay_without_reduction(clones, name):
    assert max(differences(clones(name, reduction=1)).values()) < 0.06


@pytest.mark.parametrize("name", KERNELS)
def test_blocks_are_executed_as_often_as_the_model_says(clones, name):
    """Where chance decides, within 5 standard deviations of what draws of warps would give."""
    one = clones(name, reduction=4)
    warps = one.there.ctas * one.there.warps_per_cta
    read = {b.label.strip("_$B"): b.id for b in one.here.structure.kernel.blocks}
    met = 0
    for block in one.model.blocks:
        if str(block.id) not in read or not block.expected:
            continue
        executed = one.here.executions[read[str(block.id)]]
        draws = warps / (one.there.warps_per_cta if name in {"barrier", "ctas"} else 1)
        spread = 5 * math.sqrt(max(1.0, block.expected) / draws) / 2
        assert executed == pytest.approx(block.expected, abs=spread + 0.02 * block.expected)
        met += 1
    assert met > 1 or len(one.model.blocks) == met


# -- reductions ------------------------------------------------------------------------------------


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
        one = clones(name, least_instructions=least)
        factor = one.model.reduction
        factors.append(factor)
        assert factor & (factor - 1) == 0
        assert 1 <= factor <= maximum_reduction(one.there)
        assert factor == 1 or a_warp(one.here) >= 0.97 * least
    assert factors == sorted(factors, reverse=True)
    assert factors[0] > factors[-1] == 1


# -- branches --------------------------------------------------------------------------------------


RULES = {
    f"setp.lt.u32 %p1, {THREAD}, 300;": FirstThreads(Scope.GRID, 300, taken_below=True),
    f"setp.ge.u32 %p1, {THREAD}, 77;": FirstThreads(Scope.GRID, 77, taken_below=False),
    f"setp.lt.u32 %p1, {TID}, 40;": FirstThreads(Scope.CTA, 40, taken_below=True),
    f"setp.gt.u32 %p1, {CTAID}, 2;": FirstThreads(Scope.CTAS, 3, taken_below=False),
    f"setp.lt.u32 %p1, {LANE}, 5;": FirstThreads(Scope.WARP, 5, taken_below=True),
}


def test_the_first_threads_go_one_way(tmp_path):
    """The same threads, exactly. Blocks of which nothing is left have no number in the clone."""
    parts = [
        (condition + SIDES).replace("SIDE", f"SIDE{k}").replace("NEXT", f"NEXT{k}")
        for k, condition in enumerate(RULES)
    ]
    one = made(tmp_path, studied(tmp_path, "".join(parts), grid=6))
    found = decisions(one, ByThread)
    assert [decision.rule for decision in found.values()] == list(RULES.values())
    assert [replace(each, block=0) for each in one.here.branches] == [
        replace(each, block=0) for each in one.there.branches
    ]
    assert [each.rule for each in one.here.branches] == list(RULES.values())


def test_a_return_of_the_last_threads(clones):
    one = clones("early", reduction=4)
    rule = FirstThreads(Scope.GRID, 999, taken_below=False)
    assert decisions(one, ByThread) == {0: ByThread(rule)}
    assert branch(one.here, 0) == branch(one.there, 0)


def test_grids_of_two_and_three_axes(tmp_path):
    """Equations 1 and 2: numbers count over x, then y, then z."""
    body = f"""mov.u32 %r12, %tid.y; mov.u32 %r13, %ntid.x; mad.lo.u32 {TID}, %r12, %r13, {TID};
mov.u32 %r14, %ctaid.y; mov.u32 %r15, %nctaid.x; mad.lo.u32 {CTAID}, %r14, %r15, {CTAID};
mov.u32 %r16, %ntid.y; mul.lo.u32 %r17, %r13, %r16; mad.lo.u32 %r18, {CTAID}, %r17, {TID};
setp.lt.u32 %p1, %r18, 333;
"""
    path = tmp_path / "original.ptx"
    path.write_text(text(body + SIDES))
    options = LaunchOptions(grid="3,2", block="12,5", args=(f"buffer=u32:{WORDS}", "1"))
    one = made(tmp_path, study(path, None, options))
    (rule,) = decisions(one, ByThread).values()
    assert rule.rule == FirstThreads(Scope.GRID, 333, taken_below=True)
    assert branch(one.here, 0) == branch(one.there, 0)


def test_branches_that_all_decide_alike(tmp_path):
    body = f"setp.lt.u32 %p1, {TID}, 4096;" + SIDES
    one = made(tmp_path, studied(tmp_path, body))
    assert decisions(one, Constant) == {0: Constant(taken=True)}
    assert branch(one.here, 0) == branch(one.there, 0)


def test_warps_that_decide_by_chance(clones):
    """64 warps of 64 executions each, of which 3 in 10 take it: within 3 in 100."""
    one = clones("chance", reduction=1)
    (block,) = decisions(one, Random)
    there, here = branch(one.there, block), branch(one.here, block)
    assert here.executions == there.executions == 64 * 64
    assert here.split == 0
    assert rate(here) == pytest.approx(rate(there), abs=0.03)
    assert not here.by_warp  # each execution is a draw
    assert here.by_position == pytest.approx([0.3] * 4, abs=0.08)


def test_lanes_that_decide_by_chance(clones):
    """Each warp parts its lanes at each execution, 3 in 10 take it: of 32 lanes 10."""
    one = clones("lanes by chance", reduction=1)
    (block,) = decisions(one, Random)
    here = branch(one.here, block)
    assert here.split == here.executions == branch(one.there, block).executions
    assert here.split_share == pytest.approx(0.3, abs=1 / 32)


def test_lanes_that_part_by_their_number(clones):
    one = clones("odd lanes", reduction=4)
    ((block, decision),) = decisions(one, Random).items()
    assert decision.lanes == 0xAAAA_AAAA
    here = branch(one.here, block)
    assert here.split == here.executions == 64 * 16
    assert here.by_lane == branch(one.there, block).by_lane == (0.0, 1.0) * 16


def test_warps_by_their_place(tmp_path):
    """Warps 1 and 2 of 4 take it, others now and then: no first ones."""
    odd = f"sub.u32 %r13, {WARP}, 1; setp.lt.u32 %p1, %r13, 2;"
    one = made(tmp_path, studied(tmp_path, branching(odd, 16)), reduction=2)
    assert [d.warps for d in decisions(one, ByWarp).values()] == [0b0110]
    (block,) = decisions(one, ByWarp)
    assert branch(one.here, block).by_position == (0.0, 1.0, 1.0, 0.0)


def test_ctas_agree_where_a_barrier_is_behind(clones):
    """Warps of a CTA that went different ways would wait for ever, or be an error."""
    one = clones("barrier", reduction=4)
    ((block, decision),) = decisions(one, Random).items()
    assert decision.by_cta
    here = branch(one.here, block)
    assert here.split == 0
    assert here.by_cta
    assert len(set(here.by_position)) == 1
    assert one.here.profile.barriers[0] > 0
    assert rate(here) == pytest.approx(rate(branch(one.there, block)), abs=0.25)  # of 16 CTAs


def test_ctas_agree_at_each_execution_where_a_barrier_is_behind(tmp_path):
    """A CTA's warps go the same way in each iteration, now this one and now that one."""
    body = branching(hashed("%r10", CTAID, ROUND) + "setp.lt.u32 %p1, %r10, 32768;", 16)
    body = body.replace("SIDE: ", "SIDE: bar.sync 0; ")
    one = made(tmp_path, studied(tmp_path, body), reduction=1)
    ((block, _),) = decisions(one, Random).items()
    assert len(set(branch(one.there, block).by_position)) == 1
    assert len(set(branch(one.here, block).by_position)) == 1


# -- loops whose runs differ -----------------------------------------------------------------------


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


# -- memory ----------------------------------------------------------------------------------------


def accesses(subject, kind, space=Space.GLOBAL):
    return [a for a in subject.accesses if a.kind == kind and a.space is space]


def test_words_beside_each_other_stay_so(clones):
    one = clones("hundred", reduction=1)
    for kind in ("load", "store"):
        (there,), (here,) = accesses(one.there, kind), accesses(one.here, kind)
        assert (here.sectors, here.lines, here.lane_stride) == (4, 1, 4)
        assert here.affine.threads == there.affine.threads == (4, 0, 0)
        assert here.affine.ctas == there.affine.ctas == (512, 0, 0)


def test_words_far_apart_stay_so(clones):
    """32 B from lane to lane: a sector a lane, 8 lines; 4 B on in each iteration."""
    one = clones("far apart", reduction=1)
    (there,), (here,) = accesses(one.there, "load"), accesses(one.here, "load")
    assert (there.lane_stride, here.lane_stride) == (32, 32)
    assert here.sectors == pytest.approx(there.sectors, rel=0.02)
    assert here.lines == pytest.approx(there.lines, rel=0.05)
    assert here.of_warp == pytest.approx(there.of_warp, rel=0.1)
    assert [step for _, step in here.affine.loops] == [4]


@pytest.mark.parametrize(
    "name",
    [
        "scattered",
        "scattered warps",
        pytest.param(
            "atomic",
            marks=pytest.mark.xfail(
                strict=True, reason="lanes' places lie on a lattice: 26 of 32 sectors, not 20"
            ),
        ),
    ],
)
def test_scattered_accesses_touch_as_many_sectors(clones, name):
    one = clones(name, reduction=1)
    kind = "atomic" if name == "atomic" else "load"
    (there,), (here,) = accesses(one.there, kind), accesses(one.here, kind)
    assert any(isinstance(site, ScatteredSite) for site in one.model.sites)
    assert there.affine is None
    assert here.affine is None
    assert here.sectors == pytest.approx(there.sectors, rel=0.15)
    assert here.lanes == there.lanes


def test_ctas_scatter_in_windows_of_their_own(tmp_path):
    """A CTA reads 64 words of its own 256 B, 2 KB from those of the next one.

    Windows are as many as CTAs, and drawn: of 16 draws from 16 some 10 differ.
    """
    body = hashed("%r12", THREAD, ROUND, bits=6) + f"mad.lo.u32 %r12, {CTAID}, 512, %r12;\n" + FETCH
    one = made(tmp_path, studied(tmp_path, loop(body, 16), grid=16), reduction=1)
    (site,) = (site for site in one.model.sites if isinstance(site, ScatteredSite))
    assert site.windows == 16
    assert site.windows * site.granules * site.granule_bytes == site.reach
    (there,), (here,) = accesses(one.there, "load"), accesses(one.here, "load")
    assert (there.of_grid, there.footprint_sectors) == (1.0, 16 * 8)
    assert here.footprint_sectors <= site.reach // 32 <= 2 * there.footprint_sectors
    assert here.of_cta * here.of_warp == pytest.approx(there.of_cta * there.of_warp, rel=0.2)
    (array,) = (a for a in one.model.arrays if a.space is Space.GLOBAL)
    assert site.offset + site.reach <= array.size_bytes


def test_guards_are_on_for_as_many_lanes(clones):
    one = clones("guarded", reduction=1)
    (there,), (here,) = accesses(one.there, "load"), accesses(one.here, "load")
    assert (there.lanes, here.lanes) == (8, 8)
    assert (there.sectors, here.sectors) == (1, 1)


def test_bank_conflicts_stay(clones):
    """16 B from lane to lane: 4 passes; neighbouring words: 1."""
    one = clones("banks", reduction=1)
    for kind, passes in (("store", 4), ("load", 1)):
        (there,) = accesses(one.there, kind, Space.SHARED)
        (here,) = accesses(one.here, kind, Space.SHARED)
        assert (there.passes, here.passes) == (passes, passes)
    assert one.here.profile.barriers == one.there.profile.barriers
    assert one.here.static_shared_bytes >= one.there.static_shared_bytes == 4096


def test_arrays_are_large_enough_and_not_larger_than_addresses_reach(clones):
    """16 CTAs of 128 words, each read once."""
    (array,) = (a for a in clones("hundred", reduction=1).model.arrays if a.space is Space.GLOBAL)
    assert 16 * 128 * 4 <= array.size_bytes <= 16 * 128 * 4 + 512


# -- files and launches ----------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_bytes(kernels):
    def text_of(**options):
        return clone_studied(kernels("chance"), CloneOptions(**options)).files.text("clone.ptx")

    assert text_of() == text_of() == text_of(seed=0)
    assert len({text_of(seed=seed) for seed in range(4)}) == 4


def test_the_seed_changes_what_chance_decides_and_not_how_often(clones):
    first, other = clones("chance", reduction=4), clones("chance", reduction=4, seed=2)
    (block,) = decisions(first, Random)
    one, two = branch(first.here, block), branch(other.here, block)
    assert one != two
    assert rate(one) == pytest.approx(rate(two), abs=0.08)
    (a,), (b,) = (one.cloned.application.module.kernels for one in (first, other))
    assert opcodes(a) == opcodes(b)


def test_targets_and_names(kernels):
    cloned = clone_studied(kernels("hundred"), CloneOptions(target="sm_90"))
    assert ".target sm_90\n" in cloned.files.text("clone.ptx")
    assert [k.name for k in cloned.application.module.kernels] == ["clone0"]
    assert ".target sm_80\n" in clone_studied(kernels("hundred"), CloneOptions()).files.text(
        "clone.ptx"
    )
    assert "original" not in "".join(words for _, words in cloned.files.files)


LAUNCHES = """
[[launch]]
module = "original.ptx"
grid = [{grid}]
block = [{block}]
shared = {shared}
args = [{{ buffer = "u32", shape = [65536], init = "zeros" }}, {{ u32 = {n} }}]
"""


@pytest.mark.parametrize(
    ("launches", "groups"),
    [
        # as many in a CTA; nearly as many iterations
        ([(8, 64, 0, 64), (4, 64, 0, 64), (8, 64, 0, 65), (8, 64, 0, 64)], ((0, 1, 2, 3),)),
        # other iterations, another block, shared memory
        (
            [(8, 64, 0, 64), (8, 64, 0, 80), (8, 128, 0, 64), (8, 64, 256, 64), (8, 64, 0, 64)],
            ((0, 4), (1,), (2,), (3,)),
        ),
    ],
)
def test_launches_that_are_alike_share_a_kernel(tmp_path, launches, groups):
    (tmp_path / "original.ptx").write_text(text(loop(WORK, "%r0")))
    parts = [LAUNCHES.format(grid=g, block=b, shared=s, n=n) for g, b, s, n in launches]
    path = tmp_path / "launches.toml"
    path.write_text("".join(parts))
    original = study(path)
    assert original.groups == groups
    one = made(tmp_path, original, reduction=2)
    kernels = [k.name for k in one.cloned.application.module.kernels]
    assert kernels == [f"clone{k}" for k in range(len(groups))]
    assert sorted(n for own in one.cloned.stands_for for n in own) == list(range(len(launches)))
    for launch, own in zip(one.cloned.application.launches, one.cloned.stands_for, strict=True):
        assert launch.repeats == max(1, len(own) // 2)
        for number in own:
            grid, block, shared, _ = launches[number]
            assert (launch.grid, launch.block) == ((grid, 1, 1), (block, 1, 1))
            assert launch.dynamic_shared_bytes == shared


def test_a_clone_of_a_small_launch_is_launched_with_the_largest_grid(tmp_path):
    """What the group's first launch did stands for all; addresses reach as far as the largest."""
    (tmp_path / "original.ptx").write_text(text(loop(WORK, "%r0")))
    parts = [LAUNCHES.format(grid=g, block=64, shared=0, n=32) for g in (2, 200)]
    (tmp_path / "launches.toml").write_text("".join(parts))
    one = made(tmp_path, study(tmp_path / "launches.toml"), reduction=4)
    assert one.original.groups == ((0, 1),)
    assert [launch.grid[0] for launch in one.cloned.application.launches] == [2, 200]
    assert one.here.most_grid == (200, 1, 1)


def test_a_launch_of_more_ctas_than_are_looked_at(tmp_path):
    """Of 500 CTAs 64 are looked at; the clone's 500 stay inside the arrays."""
    body = loop(f"mad.lo.u32 %r12, {CTAID}, 131, {TID};\n" + FETCH, 16)
    one = made(tmp_path, studied(tmp_path, body, grid=500, block=32), reduction=2)
    (here,) = accesses(one.here, "load")
    assert here.affine.ctas == (131 * 4, 0, 0)
