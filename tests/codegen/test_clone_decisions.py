"""The branches of clones go where those of their originals went."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from tests.reference.clone_kernels import (
    CHANCE,
    CTAID,
    LANE,
    ROUND,
    SIDES,
    THREAD,
    TID,
    WARP,
    WORDS,
    WORK,
    branch,
    branching,
    decisions,
    hashed,
    loop,
    made,
    rate,
    studied,
    text,
)
from warpmill.analyzer.profile.behaviour.model import BehaviourScope, FirstThreads
from warpmill.cloning.clone import study
from warpmill.codegen.model import ByThread, ByWarp, Constant, Random
from warpmill.session.executed import executed_source
from warpmill.session.options import LaunchOptions

RULES = {
    f"setp.lt.u32 %p1, {THREAD}, 300;": FirstThreads(BehaviourScope.GRID, 300, taken_below=True),
    f"setp.ge.u32 %p1, {THREAD}, 77;": FirstThreads(BehaviourScope.GRID, 77, taken_below=False),
    f"setp.lt.u32 %p1, {TID}, 40;": FirstThreads(BehaviourScope.CTA, 40, taken_below=True),
    f"setp.gt.u32 %p1, {CTAID}, 2;": FirstThreads(BehaviourScope.CTAS, 3, taken_below=False),
    f"setp.lt.u32 %p1, {LANE}, 5;": FirstThreads(BehaviourScope.WARP, 5, taken_below=True),
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
    rule = FirstThreads(BehaviourScope.GRID, 999, taken_below=False)
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
    assert rule.rule == FirstThreads(BehaviourScope.GRID, 333, taken_below=True)
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
    assert one.here.profile.barriers > 0
    assert rate(here) == pytest.approx(rate(branch(one.there, block)), abs=0.25)  # of 16 CTAs


def test_ctas_agree_at_each_execution_where_a_barrier_is_behind(tmp_path):
    """A CTA's warps go the same way in each iteration, now this one and now that one."""
    body = branching(hashed("%r10", CTAID, ROUND) + "setp.lt.u32 %p1, %r10, 32768;", 16)
    body = body.replace("SIDE: ", "SIDE: bar.sync 0; ")
    one = made(tmp_path, studied(tmp_path, body), reduction=1)
    ((block, _),) = decisions(one, Random).items()
    assert len(set(branch(one.there, block).by_position)) == 1
    assert len(set(branch(one.here, block).by_position)) == 1


# -- sides that few take ---------------------------------------------------------------------------


def test_what_one_thread_of_a_cta_does_stays(tmp_path):
    """Of 1024 threads one: no thousandth of them, and a warp of 32 comes there."""
    body = f"setp.eq.u32 %p1, {TID}, 0;" + SIDES
    one = made(tmp_path, studied(tmp_path, body, grid=2, block=1024))
    first = FirstThreads(BehaviourScope.CTA, 1, taken_below=True)
    assert [each.rule for each in decisions(one, ByThread).values()] == [first]
    (block,) = decisions(one, ByThread)
    assert branch(one.here, block) == branch(one.there, block)


@pytest.mark.parametrize("word", ["lt", "ge"])
@pytest.mark.parametrize("who", [(WARP, CTAID, ROUND), (CTAID, ROUND)])
def test_a_side_of_one_in_a_hundred_is_left_out(tmp_path, word, who):
    """All warps of a CTA may take it together, or each by itself."""
    body = branching(hashed("%r10", *who) + f"setp.{word}.u32 %p1, %r10, 655;")
    original = studied(tmp_path, body, grid=16)
    one = made(tmp_path, original, reduction=1)
    ((block, decision),) = decisions(one, Constant).items()
    assert decision == Constant(taken=word == "ge")
    there, here = branch(one.there, block), branch(one.here, block)
    assert there.split == here.split == 0
    assert 0 < min(there.all_taken, there.none_taken) < 0.02 * there.executions
    assert min(here.all_taken, here.none_taken) == 0


def test_a_side_that_one_lane_takes_in_many_executions_stays(tmp_path):
    """A hundredth of the threads' executions, but a third of the warps'."""
    body = branching(hashed("%r10", THREAD, ROUND) + "setp.lt.u32 %p1, %r10, 655;")
    one = made(tmp_path, studied(tmp_path, body, grid=16), reduction=1)
    (block,) = decisions(one, Random)
    there, here = branch(one.there, block), branch(one.here, block)
    assert 0.2 < there.split / there.executions < 0.35
    assert here.split / here.executions == pytest.approx(there.split / there.executions, abs=0.05)


# -- generators ------------------------------------------------------------------------------------


def many_branches(count):
    """Branches that all go half this way and half that way, by numbers of their own."""
    parts = []
    for k in range(count):
        condition = hashed("%r10", WARP, CTAID, ROUND, 77 * k) + "setp.lt.u32 %p1, %r10, 32768;"
        parts.append((condition + SIDES).replace("SIDE", f"SIDE{k}").replace("NEXT", f"NEXT{k}"))
    return loop("".join(parts), 16)


def ways(one, count):
    """For each iteration of each warp of a clone which of its first branches were taken."""
    parting = [b for b in one.here.structure.kernel.blocks if len(b.successors) == 2][:count]
    places = {block.id: k for k, block in enumerate(parting)}
    taken = {block.id: block.terminator.targets[0] for block in parting}
    (job,) = one.clone.jobs
    ctas = [(k, 0, 0) for k in range(one.here.grid[0])]
    found = []
    for batch in executed_source(job).batches(ctas):
        for place in range(len(batch.ctas)):
            for trace in batch.traces(place):
                went = [[] for _ in parting]
                for visit, after in pairwise(trace.nodes):
                    if visit.block in places:
                        went[places[visit.block]].append(after.block == taken[visit.block])
                found += zip(*went, strict=True)
    return np.array(found)


@pytest.mark.slow
def test_what_branches_draw_says_nothing_of_each_other(tmp_path):
    """Of 512 warps in 16 iterations a quarter take both of two branches, for all pairs of 8."""
    one = made(tmp_path, studied(tmp_path, many_branches(8), grid=128), reduction=1)
    assert len(decisions(one, Random)) == 8
    went = ways(one, 8)
    assert went.shape == (512 * 16, 8)
    both = went.T.astype(float) @ went / len(went)
    assert np.diag(both) == pytest.approx(np.full(8, 0.5), abs=0.05)
    assert both[~np.eye(8, dtype=bool)] == pytest.approx(np.full(56, 0.25), abs=0.03)


def test_what_a_branch_draws_says_nothing_of_one_behind_it(tmp_path):
    """3 in 10 go to a branch that half of them take: with one generator all of them would."""
    inner = hashed("%r11", WARP, CTAID, ROUND, 99) + "setp.lt.u32 %p2, %r11, 32768;"
    body = branching(CHANCE + "setp.lt.u32 %p1, %r10, 19661;", 16).replace(
        "SIDE: ", "SIDE: " + inner + f"@!%p2 bra NEXT; {WORK}"
    )
    one = made(tmp_path, studied(tmp_path, body, grid=128), reduction=1)
    outer, behind = (branch(one.here, block) for block in sorted(decisions(one, Random)))
    assert rate(outer) == pytest.approx(0.3, abs=0.03)
    assert behind.executions == outer.all_taken
    assert rate(behind) == pytest.approx(0.5, abs=0.05)
