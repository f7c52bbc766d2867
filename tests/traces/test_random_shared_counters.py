"""Random kernels that keep numbers in shared memory: trips and static traces beside execution.

Statements stand behind barriers or not, in one thread or in all, behind branches that the launch or
data decide, and leave blocks by jumps. What is not followed is not compared: it is unknown.
"""

from random import Random

import pytest

from warpmill.analyzer.analyses.ranges.bounds import UnknownTrips
from warpmill.analyzer.analyses.ranges.iterations import iterations
from warpmill.analyzer.base.diagnostics import LimitError
from warpmill.session.options import LaunchOptions, RunOptions, TraceOptions
from warpmill.session.prepare import prepare
from warpmill.session.profiles import profile
from warpmill.session.traces import trace

HEAD = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u32 n, .param .u64 p)
{
.reg .pred %p<9>; .reg .b32 %r<90>; .reg .b64 %rd<9>;
.shared .b32 c; .shared .b32 d;
ld.param.u32 %r1, [n]; ld.param.u64 %rd1, [p]; mov.u32 %r2, %tid.x; setp.ne.s32 %p1, %r2, 0;
mul.wide.u32 %rd2, %r2, 4; add.u64 %rd3, %rd1, %rd2; ld.global.u32 %r8, [%rd3];
setp.ne.s32 %p5, %r8, 0; mov.u32 %r6, %ntid.x; sub.u32 %r6, %r6, 1; setp.ne.s32 %p6, %r2, %r6;
@%p1 bra FIRST; st.shared.u32 [c], 1; st.shared.u32 [d], 2; FIRST: bar.sync 0;
"""
LAST = """bar.sync 0; ld.shared.u32 %r3, [c]; mov.u32 %r4, 0;
LOOP: setp.ge.s32 %p2, %r4, %r3; @%p2 bra END; add.s32 %r4, %r4, 1; bra LOOP; END: ret; }
"""
THREADS = 96


class Kernel:
    """Makes statements; ``one``: those of a block that one thread executes."""

    def __init__(self, seed):
        self.random, self.number, self.open = Random(seed), 10, []

    def text(self):
        return HEAD + " ".join(self.statement(0, one=False) for _ in range(4)) + LAST

    def block(self, depth, end, *, one):
        self.open.append(end)
        made = [self.statement(depth, one=one) for _ in range(self.random.choice((1, 2, 3)))]
        self.open.pop()
        return " ".join(made)

    def statement(self, depth, *, one):
        draw, self.number = self.random.random(), self.number + 1
        end, bar = f"L{self.number}", "" if one or self.random.random() < 0.05 else "bar.sync 0;"
        word = self.random.choice(("[c]", "[c]", "[d]"))
        add = f"ld.shared.u32 %r5, {word}; add.s32 %r5, %r5, 2; st.shared.u32 {word}, %r5;"
        limit = f"setp.gt.s32 %p3, %r1, {self.random.choice((0, 3, 8))};"
        if draw < 0.4 and depth < 3:
            test = self.random.choice(("%p1", "%p1", "%p1", "%p1", "%p1", "%p6"))
            return f"{bar} @{test} bra {end}; {self.block(depth + 1, end, one=True)} {end}: {bar}"
        if draw < 0.5 and depth < 3:
            return f"{limit} @%p3 bra {end}; {self.block(depth + 1, end, one=one)} {end}: {bar}"
        if draw < 0.6 and depth < 2 and self.number < 90:
            body, i = self.block(depth + 1, end, one=one), f"%r{self.number}"
            again = f"add.s32 {i}, {i}, 1; setp.lt.s32 %p3, {i}, 3; @%p3 bra B{end};"
            return f"mov.u32 {i}, 0; B{end}: {body} {bar} {again} {end}: {bar}"
        if draw < 0.7 and self.open:
            test = self.random.choice((f"{limit} @%p3", f"{limit} @%p3", "@%p1", "@!%p1", "@%p5"))
            return f"{test} bra {self.random.choice(self.open)};"
        if draw < 0.8 or one:
            return add if one else f"{bar} @!%p1 st.shared.u32 {word}, 4; {bar}"
        value = self.random.choice(("3", "%r1"))
        return f"{bar} st.shared.u32 {word}, {value}; {bar}"


def job_of(tmp_path, text, n):
    path = tmp_path / "k.ptx"
    path.write_text(text)
    args = (str(n), f"buffer=u32:{THREADS}:arange")
    return prepare(path, options=LaunchOptions(grid="1", block=str(THREADS), args=args))


def passed(job, edges, loop):
    """How often threads go round a loop, by the edges that they take."""
    found = job.analysis.structure.loops.loops[loop]
    back = sum(edges.get((latch, found.header), 0) for latch in found.latches)
    left = [(s, t) for s, t in found.exits if s in found.latches]
    return back + sum(edges.get(edge, 0) for edge in left)


@pytest.mark.slow
@pytest.mark.parametrize("n", [1, 5])
@pytest.mark.parametrize("first", range(0, 100, 20))
def test_what_is_told_of_loops_is_what_executes(tmp_path, first, n):
    for seed in range(first, first + 20):
        compare(tmp_path, seed, n)


def compare(tmp_path, seed, n):
    """Hold what is told of one kernel against execution, where its memory is followed."""
    job = job_of(tmp_path, Kernel(seed).text(), n)
    structure, bounds = job.analysis.structure, job.analysis.bounds
    if not structure.ssa.slots.shared:
        return
    options = RunOptions(max_instructions=300_000)
    executed = profile(job, options=options, counts=("edges",)).launches[0].profile
    edges = {(e.source, e.target): e.threads for e in executed.edges}
    for place, bound in enumerate(bounds):
        sizes = {"n": n, "ntid.x": THREADS, "nctaid.x": 1, "ctaid.x": 0}
        found = [iterations(structure, bounds, sizes | {"tid.x": t})[place] for t in range(THREADS)]
        if isinstance(bound.trips, UnknownTrips) or any(one.reason for one in found):
            continue
        total = sum(one.total for one in found)
        real = passed(job, edges, bound.loop)
        assert real <= total if bound.at_most else real == total
    try:
        traced = trace(job, TraceOptions(source="static", max_visits=2000))
    except LimitError:
        return  # a register that data decide in some lanes is not known in the others
    if not any("decide" in text for text in traced.assumptions):
        blocks = {b.block: b.warps for b in executed.blocks}
        assert list(traced.summary.block_executions) == [blocks[b.id] for b in job.kernel.blocks]
