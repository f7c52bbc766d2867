"""Hit or miss of branches: by hand for loops of each shape, and against the slow interpreter."""

import random
from collections import Counter
from pathlib import Path

import pytest

from tests.reference.interpreter import TooLongError, Warp, bits, lanes_of_warp
from tests.reference.programs import Lowering
from tests.reference.random_programs import NAMES, random_program
from tests.traces.test_static_traces import GRID, LIMITS, SHAPES, plan_of
from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.base.diagnostics import LimitError
from warpmill.analyzer.frontends.load import load
from warpmill.analyzer.launch import BufferArgument, Launch, ScalarArgument
from warpmill.analyzer.traces.model import weighted_visits
from warpmill.analyzer.traces.outcomes import MOST_RUNS
from warpmill.analyzer.traces.source import StaticSource
from warpmill.analyzer.traces.static.evaluation import Inputs
from warpmill.analyzer.traces.static.grid import GridWalker
from warpmill.analyzer.traces.static.values import KnownNumbers
from warpmill.analyzer.traces.static.walk import WalkLimits
from warpmill.session.prepare import prepare
from warpmill.session.traces import trace_source

SAMPLES = Path(__file__).parents[2] / "samples"
ALL = 0xFFFFFFFF

HEAD = """.version 7.0
.target sm_70
.address_size 64
.visible .entry kernel(.param .u64 data, .param .u32 n)
{
    .reg .pred %p<4>;
    .reg .b32 %r<9>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [data];
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %tid.x;
"""
LOOP = """    mov.u32 %r3, 0;
LOOP:
{body}
NEXT:
    add.s32 %r3, %r3, 1;
    setp.lt.s32 %p1, %r3, %r1;
    @%p1 bra LOOP;
"""


def outcomes_of(folder, body, n=0, threads=32):
    """{block: {warp: (hits, misses, splits, runs, more)}} of the only CTA."""
    path = folder / "kernel.ptx"
    path.write_text(HEAD + body + "    ret;\n}\n", encoding="utf-8")
    module = load(path).module
    arguments = [BufferArgument("f32", (1 << 20,)), ScalarArgument("i32", n)]
    launch = Launch.of("kernel", grid=1, block=threads, arguments=arguments)
    structure = analyse_structure(module.kernels[0])
    return by_label(StaticSource(module, structure, launch, limits=WalkLimits(2000)))


def by_label(source, cta=(0, 0, 0)):
    return {
        source.kernel.blocks[o.block].label: {
            w.warp: (w.taken, w.not_taken, w.divergent, runs_of(w), w.more) for w in o.warps
        }
        for o in source.outcomes(cta)
    }


def runs_of(warp):
    return [(r.first, r.iterations, r.mask, r.taken, r.step) for r in warp.runs]


# -- samples -------------------------------------------------------------------------------------


def test_a_halving_reduction_by_warp_and_iteration():
    """256 threads: s is 128, 64 … 1, and the lanes whose thread is s or more take the way past."""
    found = by_label(trace_source(prepare(SAMPLES / "reduce" / "launch.toml")))["$L__BB0_5"]
    parts = [(i, 1, ALL, ALL & ~((1 << (128 >> i)) - 1), 1) for i in range(3, 8)]
    assert found[0] == (0, 3, 5, [(0, 3, ALL, 0, 1), *parts], False)
    assert found[1] == (6, 2, 0, [(0, 2, ALL, 0, 1), (2, 6, ALL, ALL, 1)], False)
    for warp in (2, 3):
        assert found[warp] == (7, 1, 0, [(0, 1, ALL, 0, 1), (1, 7, ALL, ALL, 1)], False)
    for warp in (4, 5, 6, 7):
        assert found[warp] == (8, 0, 0, [(0, 8, ALL, ALL, 1)], False)


def test_the_edges_of_a_stencils_tile():
    """A warp is a row of the tile: the way past the west is for all lanes but the first …"""
    source = trace_source(prepare(SAMPLES / "stencil5" / "launch.toml"))
    west, east, north, south, *_ = by_label(source, (1, 1, 0)).values()
    for row in range(8):
        assert west[row] == (0, 0, 1, [(0, 1, ALL, ALL & ~1, 1)], False)
        assert east[row] == (0, 0, 1, [(0, 1, ALL, ALL >> 1, 1)], False)
        assert north[row][:3] == ((0, 1, 0) if row == 0 else (1, 0, 0))
        assert south[row][:3] == ((0, 1, 0) if row == 7 else (1, 0, 0))


# -- loops of each shape -------------------------------------------------------------------------


def looped(body):
    return LOOP.format(body=body)


def test_a_test_that_changes_once(tmp_path):
    """``if (i < 700)`` of 1000 iterations."""
    body = "    setp.lt.s32 %p2, %r3, 700;\n    @%p2 bra NEXT;\nREST:\n    mov.u32 %r4, 1;"
    found = outcomes_of(tmp_path, looped(body), n=1000)
    assert found["LOOP"] == {
        0: (700, 300, 0, [(0, 700, ALL, ALL, 1), (700, 300, ALL, 0, 1)], False)
    }
    assert found["NEXT"] == {0: (999, 1, 0, [(0, 999, ALL, ALL, 1), (999, 1, ALL, 0, 1)], False)}


def test_every_fourth_iteration(tmp_path):
    """``if (i & 3)`` of 1002: a run of each remainder goes over every fourth iteration."""
    body = (
        "    and.b32 %r4, %r3, 3;\n    setp.ne.s32 %p2, %r4, 0;\n    @%p2 bra NEXT;\n"
        "REST:\n    mov.u32 %r5, 1;"
    )
    (found,) = outcomes_of(tmp_path, looped(body), n=1002)["LOOP"].values()
    assert found[:3] == (1002 - 251, 251, 0)
    assert not found[4]
    taken = unfolded(found[3])
    assert [i for i, _, _ in taken] == list(range(1002))
    assert all(t == (ALL if i % 4 else 0) for i, _, t in taken)
    assert any(step == 4 and count > 200 for _, count, _, _, step in found[3])


def test_a_test_by_the_argument_is_the_same_in_every_iteration_and_warp(tmp_path):
    body = "    setp.gt.s32 %p2, %r1, 7;\n    @%p2 bra NEXT;\nREST:\n    mov.u32 %r4, 1;"
    found = outcomes_of(tmp_path, looped(body), n=50, threads=64)
    assert found["LOOP"] == dict.fromkeys((0, 1), (50, 0, 0, [(0, 50, ALL, ALL, 1)], False))


def test_a_last_warp_that_is_partial(tmp_path):
    """Of 40 threads, those from 36 on take the branch; the second warp has lanes 0 to 7."""
    body = "    setp.ge.s32 %p2, %r2, 36;\n    @%p2 bra END;\nREST:\n    mov.u32 %r4, 1;\nEND:\n"
    (found,) = outcomes_of(tmp_path, body, threads=40).values()
    assert found == {
        0: (0, 1, 0, [(0, 1, ALL, 0, 1)], False),
        1: (0, 0, 1, [(0, 1, 0xFF, 0xF0, 1)], False),
    }


NEST = """    mov.u32 %r3, 0;
OUTER:
    mov.u32 %r4, 0;
INNER:
    setp.ge.s32 %p1, %r4, {test};
    @%p1 bra AFTER;
    add.s32 %r4, %r4, 1;
    setp.lt.s32 %p2, %r4, {inner};
    @%p2 bra INNER;
AFTER:
    add.s32 %r3, %r3, 1;
    setp.lt.s32 %p3, %r3, %r1;
    @%p3 bra OUTER;
"""


def test_nested_loops_count_all_and_show_the_first_time(tmp_path):
    """The inner loop turns back 6 times of 7, and runs 100 times."""
    found = outcomes_of(tmp_path, NEST.format(test=1000, inner=7), n=100)
    runs = [(0, 6, ALL, ALL, 1), (6, 1, ALL, 0, 1)]
    (back,) = [f for label, f in found.items() if label not in ("INNER", "AFTER")]
    assert back == {0: (600, 100, 0, runs, True)}
    assert found["INNER"] == {0: (0, 700, 0, [(0, 7, ALL, 0, 1)], True)}
    assert found["AFTER"] == {0: (99, 1, 0, [(0, 99, ALL, ALL, 1), (99, 1, ALL, 0, 1)], False)}


def test_a_triangular_loop_in_which_lanes_part(tmp_path):
    """``for i < 100: for j < 1000: if j >= i + lane: break``: lane 31 goes on for longest.

    The way out is tested i + 32 times in row i: i times nobody takes it, then lane after lane.
    """
    body = NEST.format(test="%r5", inner=1000).replace(
        "    mov.u32 %r4, 0;", "    mov.u32 %r4, 0;\n    add.s32 %r5, %r3, %r2;"
    )
    (found,) = outcomes_of(tmp_path, body, n=100)["INNER"].values()
    hits, misses, splits, runs, more = found
    assert misses == sum(range(100))
    assert splits == 100 * 31  # the first of 32 lanes leaves while others stay …
    assert hits == 100  # … and the last leaves alone
    assert more
    assert runs == [(i, 1, ALL & ALL << i, 1 << i, 1) for i in range(32)]


def test_no_more_runs_than_the_most_are_kept(tmp_path):
    """Squares have no pattern: the runs end, the totals go on."""
    body = (
        "    mul.lo.s32 %r4, %r3, %r3;\n    rem.s32 %r4, %r4, 7;\n    setp.eq.s32 %p2, %r4, 2;\n"
        "    @%p2 bra NEXT;\nREST:\n    mov.u32 %r5, 1;"
    )
    (found,) = outcomes_of(tmp_path, looped(body), n=400)["LOOP"].values()
    hits = sum(i * i % 7 == 2 for i in range(400))
    assert found[:3] == (hits, 400 - hits, 0)
    assert len(found[3]) == MOST_RUNS
    assert found[4]


# -- against the interpreter ---------------------------------------------------------------------


class Watched(Warp):
    """Notes for each branch with a condition: (block, lanes, lanes that take it)."""

    def sides(self, block, lanes, exit_id):
        last = block.terminator
        if last is not None and last.operation.name == "bra" and last.guard is not None:
            taken = self.guarded(last, lanes)
            self.branches.append((block.id, bits(lanes), bits(taken)))
        return super().sides(block, lanes, exit_id)


def unfolded(runs):
    """(iteration, mask, taken) of each execution, in order."""
    every = (
        (first + i * step, mask, taken)
        for first, count, mask, taken, step in runs
        for i in range(count)
    )
    return sorted(every, key=lambda e: e[0])  # several of one iteration stay in order


@pytest.mark.one_in(12)
@pytest.mark.parametrize("seed", range(80))
def test_outcomes_are_what_the_interpreter_sees(seed):
    rng = random.Random(seed)
    kernel = Lowering(NAMES, phis=rng.random() < 0.5).kernel(random_program(rng))
    block, warp_size = shape = rng.choice(SHAPES)
    cta = (rng.randrange(4), rng.randrange(2), 0)
    arguments = {"out": 1 << 40, "arg0": rng.randint(0, 6), "arg1": rng.randint(-2, 4)}
    plan = plan_of(kernel)
    inputs = Inputs({k: KnownNumbers(v) for k, v in arguments.items()}, {})
    walker = GridWalker(plan, (GRID, *shape), inputs, LIMITS)
    threads = block[0] * block[1] * block[2]
    try:
        found = walker.outcomes(cta)
        watched = [
            Watched(kernel, lanes_of_warp(w, warp_size, GRID, block, cta), arguments)
            for w in range(-(-threads // warp_size))
        ]
        for warp in watched:
            warp.branches = []
            warp.run()
    except (TooLongError, LimitError):
        return
    expected = {(b, w): [] for w, x in enumerate(watched) for b, *_ in x.branches}
    for w, warp in enumerate(watched):
        for b, mask, taken in warp.branches:
            expected[b, w].append((mask, taken))
    assert {(o.block, w.warp) for o in found for w in o.warps} == set(expected)
    (traces,) = walker.traces([cta])
    for outcome in found:
        for warp in outcome.warps:
            seen = expected[outcome.block, warp.warp]
            kinds = Counter("hit" if t == m else "split" if t else "miss" for m, t in seen)
            numbers = (warp.taken, warp.not_taken, warp.divergent)
            assert numbers == (kinds["hit"], kinds["miss"], kinds["split"])
            trace = weighted_visits(traces[warp.warp].nodes)
            assert sum(numbers) == sum(n for v, n in trace if v.block == outcome.block)
            if not warp.more:
                assert Counter((m, t) for _, m, t in unfolded(runs_of(warp))) == Counter(seen)


def test_a_branch_that_data_decide_is_in_no_outcome(tmp_path):
    body = (
        "    ld.global.u32 %r4, [%rd1];\n    setp.eq.s32 %p2, %r4, 2;\n"
        "    @%p2 bra END;\nREST:\n    mov.u32 %r5, 1;\nEND:\n"
    )
    assert outcomes_of(tmp_path, body) == {}
