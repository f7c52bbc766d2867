"""How warps went at branches and round loops, by a walk of each lane: slow and obvious."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from statistics import mean, pvariance

import pytest

from warpmill.analyzer.profile.behaviour.control_flow import branch_behaviours, loop_behaviours
from warpmill.analyzer.profile.behaviour.model import BehaviourScope, FirstThreads, LoopBehaviour
from warpmill.session.executed import executed_source
from warpmill.session.options import LaunchOptions
from warpmill.session.prepare import prepare

SAMPLES = Path(__file__).parents[2] / "samples"
HEAD = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p)
{
.reg .pred %p<9>; .reg .b32 %r<30>; .reg .b64 %rd<9>;
ld.param.u64 %rd1, [p]; cvta.to.global.u64 %rd2, %rd1;
mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %laneid; shr.u32 %r4, %r1, 5;
mov.u32 %r5, %ntid.x; mad.lo.u32 %r6, %r2, %r5, %r1; mov.u32 %r7, 0;
"""
TAIL = "END: st.global.u32 [%rd2], %r7; ret;\n}\n"
TID, CTAID, LANE, WARP, THREAD = "%r1", "%r2", "%r3", "%r4", "%r6"


@dataclass(frozen=True)
class Case:
    """A launch whose CTAs were all looked at, or those that are named."""

    job: object
    batches: list

    @property
    def structure(self):
        return self.job.analysis.structure

    @property
    def block(self):
        return self.job.required_launch().block

    def branches(self):
        return branch_behaviours(self.structure, self.block, self.batches)

    def loops(self):
        return loop_behaviours(self.structure, self.batches)


def case(file, kernel=None, ctas=None, options=None):
    job = prepare(file, kernel, options or LaunchOptions())
    x, y, z = job.required_launch().grid
    every = [(a, b, c) for c in range(z) for b in range(y) for a in range(x)]
    return Case(job, list(executed_source(job).batches(every if ctas is None else every[:ctas])))


def written(folder, body, grid=3, block=96):
    path = folder / "k.ptx"
    path.write_text(HEAD + body + TAIL)
    return case(path, options=LaunchOptions((grid,), (block,), 0, ["buffer=u32:4096"]))


def sample(name, sizes, kernel=None, ctas=None):
    options = LaunchOptions(sizes=sizes)
    return case(SAMPLES / name / "launch.toml", kernel, ctas, options)


# -- slow and obvious ------------------------------------------------------------------------------


@dataclass
class Went:
    """One execution of a branch: who stood there, and who took it, by lane."""

    cta: int
    warp: int
    on: list
    took: list

    @property
    def way(self):
        return 1 if self.took == self.on else 0 if not self.took else 2


def warps_of(one):
    """(number of the CTA, number in it, visits) of each warp."""
    x, y, _ = one.job.required_launch().grid
    for batch in one.batches:
        for place in range(len(batch.ctas)):
            for trace in batch.traces(place):
                a, b, c = trace.cta
                yield a + b * x + c * x * y, trace.warp, trace.nodes


def lanes(mask):
    return [lane for lane in range(64) if mask >> lane & 1]


def walked_branches(one):
    """Follow each lane from a branch to the block that it comes to next, or to its end."""
    cfg = one.structure.cfg
    found = defaultdict(list)
    for cta, warp, visits in warps_of(one):
        following, ways = {}, []
        for visit in reversed(visits):
            after = cfg.successors[visit.block]
            on = lanes(visit.mask)
            if len(after) == 2:
                went = {lane: following.get(lane, cfg.exit_id) for lane in on}
                assert set(went.values()) <= set(after)
                took = [lane for lane in on if went[lane] == after[1]]
                ways.append((visit.block, Went(cta, warp, on, took)))
            following.update(dict.fromkeys(on, visit.block))
        for block, way in reversed(ways):
            found[block].append(way)
    return dict(found)


def rule_of(ways, threads, size):
    """The widest rule of numbers that all obeyed."""
    numbers = {
        BehaviourScope.CTAS: lambda w, _: w.cta,
        BehaviourScope.CTA: lambda w, lane: w.warp * size + lane,
        BehaviourScope.WARP: lambda _, lane: lane,
        BehaviourScope.GRID: lambda w, lane: w.cta * threads + w.warp * size + lane,
    }
    for scope, number in numbers.items():
        took = {number(w, lane) for w in ways for lane in w.took}
        fell = {number(w, lane) for w in ways for lane in w.on if lane not in w.took}
        if not took or not fell:
            return None
        if max(took) < min(fell):
            return FirstThreads(scope, min(fell), taken_below=True)
        if max(fell) < min(took):
            return FirstThreads(scope, min(took), taken_below=False)
    return None


def share(part, whole):
    return part / whole if whole else None


def alike(ways, key):
    found = defaultdict(set)
    for way in ways:
        found[key(way)].add(way.way)
    return all(len(each) == 1 for each in found.values())


def check_branches(one):
    tables = one.batches[0].tables
    size, threads = tables.warp_size, one.block[0] * one.block[1] * one.block[2]
    walked = walked_branches(one)
    behaviours = one.branches()
    assert [b.block for b in behaviours] == sorted(walked)
    for found in behaviours:
        ways = walked[found.block]
        count = Counter(way.way for way in ways)
        parted = [way for way in ways if way.way == 2]
        assert found.executions == len(ways)
        assert (found.none_taken, found.all_taken, found.split) == (count[0], count[1], count[2])
        shares = [len(way.took) / len(way.on) for way in parted]
        assert found.split_share == pytest.approx(sum(shares) / max(1, len(shares)))
        assert found.rule == rule_of(ways, threads, size)
        assert found.by_cta == alike(ways, lambda way: way.cta)
        assert found.by_warp == alike(ways, lambda way: (way.cta, way.warp))
        by_position = [
            share(
                sum(len(way.took) for way in ways if way.warp == place),
                sum(len(way.on) for way in ways if way.warp == place),
            )
            for place in range(tables.warps_per_cta)
        ]
        assert list(found.by_position) == by_position
        by_lane = [
            share(sum(lane in w.took for w in parted), sum(lane in w.on for w in parted))
            for lane in range(size)
        ]
        assert list(found.by_lane) == by_lane
    return behaviours


def walked_loops(one):
    """Follow the first lane on at each header: it came from outside, or from inside."""
    found = {}
    for loop in one.structure.loops.loops:
        runs, lanes_in = [], 0
        for cta, warp, visits in warps_of(one):
            last, own = {}, {}
            for visit in visits:
                on = lanes(visit.mask)
                if visit.block == loop.header:
                    if last.get(on[0]) not in loop.blocks:
                        lanes_in += len(on)
                        runs.append([cta, warp, 0])
                        own[on[0]] = len(runs) - 1
                    run = own[on[0]]
                    own.update(dict.fromkeys(on, run))
                    runs[run][2] += 1
                last.update(dict.fromkeys(on, visit.block))
        if runs:
            histogram = Counter(length for _, _, length in runs)
            lengths, of_warps, of_steps = defaultdict(set), defaultdict(list), defaultdict(list)
            for cta, warp, length in runs:
                lengths[cta].add(length)
                of_steps[cta, len(of_warps[cta, warp])].append(length)
                of_warps[cta, warp].append(length)
            found[loop.header] = LoopBehaviour(
                loop.header,
                len(runs),
                sum(length for _, _, length in runs),
                tuple(sorted(histogram.items())),
                all(len(each) == 1 for each in lengths.values()),
                pytest.approx(between(list(of_warps.values()))),
                pytest.approx(between(list(of_steps.values()))),
                lanes_in / len(runs),
            )
    return found


def between(groups):
    """The share of the variance that is left where each is its group's mean; 1 of none."""
    every = [Fraction(each) for group in groups for each in group]
    means = [mean(map(Fraction, group)) for group in groups for _ in group]
    return float(pvariance(means) / pvariance(every)) if pvariance(every) else 1.0


def check_loops(one):
    behaviours = one.loops()
    assert {b.header: b for b in behaviours} == walked_loops(one)
    assert len({b.header for b in behaviours}) == len(behaviours)
    return behaviours
