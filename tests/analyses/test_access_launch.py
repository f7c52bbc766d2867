"""What accesses cost in a launch: against plain Python, by hand, and against traces."""

from pathlib import Path

import pytest

from tests.reference.accesses import all_ctas, costs, spread
from warpmill.analyzer.analyses.access.accesses import memory_accesses
from warpmill.analyzer.analyses.access.coalescing import LoopReuseKind
from warpmill.analyzer.analyses.access.launch_costs import launch_costs
from warpmill.analyzer.analyses.access.launch_warps import chosen_ctas
from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.analyses.ranges.bounds import KnownTrips, loop_bounds
from warpmill.analyzer.analyses.values.symbolic import number
from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends.ptx import parse
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.launch.model import BufferArgument, Launch, RefArgument, ScalarArgument
from warpmill.analyzer.memory.rules import MemoryRules
from warpmill.analyzer.traces.layout import lay_out
from warpmill.session.options import LaunchOptions
from warpmill.session.prepare import prepare, prepare_all
from warpmill.session.traces import trace

SAMPLES = Path(__file__).parents[2] / "samples"
HEAD = """\
.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 data, .param .u32 n)
{
    .reg .pred %p<9>;
    .reg .b16 %rs<9>;
    .reg .b32 %r<30>;
    .reg .b64 %rd<20>;
    .reg .f32 %f<9>;
    .shared .align 16 .b8 tile[16384];
    .local .align 4 .b8 own[256];
    ld.param.u64 %rd1, [data];
    ld.param.u32 %r9, [n];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %tid.y;
    mov.u32 %r3, %ctaid.x;
    mov.u32 %r4, %ntid.x;
    mad.lo.s32 %r5, %r3, %r4, %r1;
"""
AT = "mul.wide.s32 %rd2, {}, 4; add.s64 %rd3, %rd1, %rd2;"
IN_TILE = "mul.wide.u32 %rd4, {}, 4; mov.u64 %rd5, tile; add.s64 %rd6, %rd5, %rd4;"
LOOP = "mov.u32 %r20, 0; L: {} add.s32 %r20, %r20, 1; setp.lt.s32 %p1, %r20, %r9; @%p1 bra L;"
KERNELS = {
    "contiguous": f"{AT.format('%r5')} ld.global.f32 %f1, [%rd3];",
    "shifted": f"{AT.format('%r5')} ld.global.f32 %f1, [%rd3+4];",
    "backwards": f"neg.s32 %r6, %r5; {AT.format('%r6')} ld.global.f32 %f1, [%rd3+65536];",
    "vector": f"shl.b32 %r6, %r5, 2; {AT.format('%r6')}"
    "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd3];",
    "bytes": "cvt.u64.u32 %rd2, %r5; add.s64 %rd3, %rd1, %rd2; ld.global.u8 %rs1, [%rd3];",
    "misaligned": "mul.wide.s32 %rd2, %r5, 6; add.s64 %rd3, %rd1, %rd2;"
    "ld.global.u32 %r6, [%rd3+2];",
    "column": f"mul.lo.s32 %r6, %r5, %r9; {AT.format('%r6')} st.global.f32 [%rd3], %f1;",
    "pairs": f"shr.u32 %r6, %r5, 1; {AT.format('%r6')} ld.global.f32 %f1, [%rd3];",
    "swizzle": f"xor.b32 %r6, %r1, 5; shl.b32 %r7, %r6, 3; {IN_TILE.format('%r7')}"
    "ld.shared.f32 %f1, [%rd6];",
    "rows": f"mad.lo.s32 %r6, %r2, 33, %r1; {IN_TILE.format('%r6')} ld.shared.f32 %f1, [%rd6];",
    "clamped": f"sub.s32 %r6, %r5, 3; max.s32 %r7, %r6, 0; min.s32 %r8, %r7, 40; {AT.format('%r8')}"
    "ld.global.f32 %f1, [%rd3];",
    "clamped without sign": f"min.u32 %r6, %r5, -2; {AT.format('%r6')} ld.global.f32 %f1, [%rd3];",
    "chosen": f"setp.lt.u32 %p2, %r1, 7; selp.b32 %r6, %r1, %r9, %p2; {AT.format('%r6')}"
    "ld.global.f32 %f1, [%rd3];",
    "wide words": f"shl.b32 %r6, %r1, 1; {IN_TILE.format('%r6')}"
    "ld.shared.v2.f32 {%f1, %f2}, [%rd6];",
    "own": "mov.u64 %rd4, own; ld.local.f32 %f1, [%rd4+8];",
    "walk": LOOP.format(f"add.s32 %r6, %r5, %r20; {AT.format('%r6')} ld.global.f32 %f1, [%rd3];"),
    "fan": LOOP.format(
        f"mul.lo.s32 %r6, %r1, %r20; {AT.format('%r6')} ld.global.f32 %f1, [%rd3];"
    ),
    "wrap": LOOP.format(
        f"add.s32 %r6, %r1, %r20; and.b32 %r7, %r6, 31; {IN_TILE.format('%r7')}"
        "atom.shared.add.u32 %r8, [%rd6], 1;"
    ),
    "triangle": "mov.u32 %r20, 0; L: mov.u32 %r21, 0; M: add.s32 %r6, %r21, %r20;"
    f"{AT.format('%r6')} ld.global.f32 %f1, [%rd3]; add.s32 %r21, %r21, 1;"
    "setp.le.u32 %p1, %r21, %r20; @%p1 bra M; add.s32 %r20, %r20, 1; setp.lt.u32 %p1, %r20, 5;"
    "@%p1 bra L;",
    "per lane": "mov.u32 %r20, 0; L: add.s32 %r6, %r1, %r20;"
    f"{AT.format('%r6')} ld.global.f32 %f1, [%rd3]; add.s32 %r20, %r20, 1;"
    "setp.le.u32 %p1, %r20, %r1; @%p1 bra L;",
}  # fmt: skip


class Case:
    """A kernel with a launch of it."""

    def __init__(self, text, grid=3, block=(32, 2), n=5, arguments=None):
        self.module = parse(Source("k.ptx", f"{HEAD}{text}\nret;\n}}\n")).module
        self.kernel = self.module.kernels[0]
        self.structure = analyse_structure(self.kernel)
        self.bounds = loop_bounds(self.structure)
        self.accesses = memory_accesses(self.module, self.structure)
        given = arguments or (BufferArgument("f32", (100_000,)), ScalarArgument("i32", n))
        self.launch = Launch.of("k.ptx", "k", grid=grid, block=block, arguments=given)

    def costs(self, **options):
        return launch_costs(
            self.module, self.structure, self.launch, self.bounds, self.accesses, **options
        )

    def last(self, **options):
        return self.costs(**options)[-1]


def plain(found):
    if found is None:
        return None, None, None
    each = (found.sectors, found.lines, found.wavefronts)
    return tuple(None if s is None else (s.least, s.most, pytest.approx(s.mean)) for s in each)


@pytest.mark.one_in(12)
@pytest.mark.parametrize("block", [(32, 2), (16, 4), (40, 1), (5, 3, 2), (96, 1)])
@pytest.mark.parametrize("name", KERNELS)
def test_counts_are_those_of_lanes_one_by_one(name, block):
    case = Case(KERNELS[name], block=block)
    found = case.last()
    trips = {
        b.loop: number(b.trips.count) if isinstance(b.trips, KnownTrips) else b.trips.formula
        for b in case.bounds
    }
    layout = lay_out(case.module, case.kernel, case.launch)
    access = case.accesses[-1]
    first, every = costs(access, trips, case.launch, layout, all_ctas(case.launch))
    assert found.reason is None
    assert plain(found.first) == tuple(map(spread, zip(*first, strict=True)))
    assert plain(found.all_iterations) == tuple(map(spread, zip(*every, strict=True)))
    assert (found.is_sample_of_ctas, found.is_sample_of_iterations) == (False, False)
    assert found.assumptions == ()


def test_numbers_beyond_signed_words_are_not_weighed():
    text = "cvt.u64.u32 %rd4, %r5; sub.s64 %rd4, %rd4, 7; min.u64 %rd4, %rd4, -2;"
    text += "shl.b64 %rd4, %rd4, 2;"
    found = Case(f"{text} add.s64 %rd3, %rd1, %rd4; ld.global.f32 %f1, [%rd3];").last()
    assert found.all_iterations is None
    assert "without sign" in found.reason


@pytest.mark.parametrize(
    ("name", "sectors", "lines", "passes"),
    [
        ("contiguous", 4, 1, None),
        ("shifted", 5, 2, None),
        ("vector", 16, 4, None),
        ("bytes", 1, 1, None),
        ("pairs", 2, 1, None),
        ("swizzle", None, None, 8),
        ("rows", None, None, 1),
        ("wide words", None, None, 2),
        ("own", 4, 1, None),
    ],
)
def test_counts_of_a_warp_are_as_derived_by_hand(name, sectors, lines, passes):
    first = Case(KERNELS[name], grid=1, block=32).last().first
    found = [None if s is None else s.mean for s in (first.sectors, first.lines, first.wavefronts)]
    assert found == [sectors, lines, passes]


def test_a_walk_by_words_starts_at_every_word_of_a_line():
    found = Case(KERNELS["walk"], n=32).last().all_iterations
    # 4 iterations of 32 start at a sector and take 4, the others 5; one starts at a line
    assert (found.sectors.least, found.sectors.most) == (4, 5)
    assert found.sectors.mean == pytest.approx((4 * 4 + 28 * 5) / 32)
    assert found.lines.mean == pytest.approx((1 + 31 * 2) / 32)


def test_many_iterations_cost_no_more_time_than_a_cycle():
    found = Case(KERNELS["walk"], n=1 << 30).last()
    assert found.all_iterations.sectors.mean == pytest.approx((4 * 4 + 28 * 5) / 32)
    assert not found.is_sample_of_iterations


def test_a_halving_loop_is_stepped():
    text = (
        "mov.u32 %r20, %r4; L: shr.u32 %r20, %r20, 1; mul.lo.s32 %r6, %r1, %r20;"
        f"{IN_TILE.format('%r6')} ld.shared.f32 %f1, [%rd6]; setp.gt.u32 %p1, %r20, 1; @%p1 bra L;"
    )
    found = Case(text, grid=1, block=32).last()
    # strides of 16, 8, 4, 2 and 1 words; the first iteration halves first
    assert found.first.wavefronts.mean == 16
    assert found.all_iterations.wavefronts.mean == pytest.approx((16 + 8 + 4 + 2 + 1) / 5)


def test_what_is_loaded_has_the_worst_case():
    text = f"ld.global.u32 %r6, [%rd1]; {AT.format('%r6')} ld.global.f32 %f1, [%rd3];"
    found = Case(text).last()
    assert found.reason == "a load from data decides it"
    assert (found.first, found.all_iterations) == (None, None)
    assert (found.worst.sectors, found.worst.lines, found.worst.wavefronts) == (32, 32, None)


def test_a_count_that_data_decide_is_a_whole_cycle():
    text = f"ld.global.u32 %r9, [%rd1]; {KERNELS['walk']}"
    found = Case(text).last()
    assert found.assumptions == ("how often loop L runs is not known: whole cycles are taken",)
    assert found.all_iterations.sectors.mean == pytest.approx((4 * 4 + 28 * 5) / 32)


def test_a_generic_access_without_a_base_has_no_count():
    found = Case("ld.global.u64 %rd7, [%rd1]; ld.f32 %f1, [%rd7];").last()
    assert (found.reason, found.worst) == ("which memory it accesses is not known", None)


def test_the_alignment_is_that_of_the_addresses():
    base = BufferArgument("f32", (1000,))
    shifted = (RefArgument(base, 24), ScalarArgument("i32", 3))
    assert Case(KERNELS["vector"]).last().alignment_bytes == 16
    assert Case(KERNELS["vector"], arguments=(base, shifted[1])).last().alignment_bytes == 16
    assert Case("ld.global.f32 %f1, [%rd1];").last().alignment_bytes == 256
    assert Case("ld.global.f32 %f1, [%rd1+24];").last().alignment_bytes == 8
    assert Case("ld.shared.f32 %f1, [tile];").last().alignment_bytes == 256


def test_warps_of_a_cta_share_sectors():
    rows = f"mad.lo.s32 %r6, %r2, 64, %r1; {AT.format('%r6')} ld.global.f32 %f1, [%rd3];"
    column = f"{AT.format('%r1')} ld.global.f32 %f1, [%rd3];"
    apart, shared = (Case(text, block=(32, 8)).last() for text in (rows, column))
    assert (apart.cta_sectors, apart.cta_sharing) == (32, 1)
    assert (shared.cta_sectors, shared.cta_sharing) == (4, 8)


def test_strides_that_a_launch_decides_are_numbers_in_it():
    text = LOOP.format(
        f"mad.lo.s32 %r6, %r20, %r9, %r5; {AT.format('%r6')} ld.global.f32 %f1, [%rd3];"
    )
    ((few,), (many,)) = (Case(text, n=n).last().loops for n in (8, 32))
    assert (few.kind, few.iterations_per_line) == (LoopReuseKind.SPATIAL, 4)
    assert (many.kind, many.iterations_per_line) == (LoopReuseKind.NONE, 1)


def test_other_rules_give_other_counts():
    old = MemoryRules(sector_bytes=64, lanes_per_group=16)
    found = Case(KERNELS["pairs"], grid=1, block=32).last(rules=old)
    assert found.first.sectors.mean == 2  # one for each half-warp


def test_the_chosen_ctas_lie_at_all_places_of_the_grid():
    launch = Launch.of("k.ptx", "k", grid=(128, 128), block=256)
    chosen = chosen_ctas(launch, 32)
    assert len(chosen) == len(set(chosen)) == 8
    assert (0, 0, 0) in chosen and (127, 127, 0) in chosen
    assert len({x for x, _, _ in chosen}) >= 7
    few = Launch.of("k.ptx", "k", grid=(3, 2), block=32)
    assert set(chosen_ctas(few, 32)) == set(all_ctas(few))


LAUNCHES = sorted(SAMPLES.glob("*/launch.bc.toml"))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("path", LAUNCHES, ids=lambda p: p.parent.name)
def test_traces_count_the_same_where_all_lanes_execute(path):
    """Accesses that every warp makes with all its lanes cost what the trace says."""
    compared = 0
    for job in prepare_all(path):
        analysis, warp_size = job.analysis, job.loaded.module.warp_size
        ctas = chosen_ctas(job.launch, warp_size)[:4]
        found = launch_costs(
            job.loaded.module, analysis.structure, job.launch, analysis.bounds,
            analysis.accesses, ctas=ctas,
        )  # fmt: skip
        summary = trace(job, ctas=ctas).summary
        traced = {(a.block, a.instruction): a for a in summary.accesses}
        threads = job.launch.threads_per_cta
        full = threads / -(-threads // warp_size)
        for access, cost in zip(analysis.accesses, found, strict=True):
            other = traced.get((access.block, access.instruction))
            if other is None or cost.reason or cost.assumptions or cost.is_sample_of_iterations:
                continue
            if other.thread_executions == full * other.warp_executions:
                counts = other.wavefronts if access.space is Space.SHARED else other.sectors
                mine = cost.all_iterations
                spread_ = mine.wavefronts if access.space is Space.SHARED else mine.sectors
                assert spread_.mean == pytest.approx(counts / other.warp_executions)
                compared += 1
    assert compared > 0


def test_iterations_of_long_walks_are_chosen_evenly():
    text = (
        "mov.u32 %r20, 0; L: mad.lo.s32 %r6, %r1, %r20, %r1;"
        f"{AT.format('%r6')} ld.global.f32 %f1, [%rd3]; add.s32 %r20, %r20, 1;"
        "setp.lt.s32 %p1, %r20, %r9; @%p1 bra L;"
    )
    found = Case(text, n=100_000).last()
    assert found.is_sample_of_iterations
    assert (found.all_iterations.sectors.least, found.all_iterations.sectors.most) == (4, 32)


# What control flow chooses, against traces: all lanes of every warp execute these accesses.
CHOSEN = {
    "remainder": """mov.u32 %r20, 0; and.b32 %r21, %r9, 3; sub.s32 %r22, %r9, %r21;
        setp.lt.u32 %p1, %r9, 4; @%p1 bra REST;
    L: add.s32 %r20, %r20, 4; setp.lt.s32 %p1, %r20, %r22; @%p1 bra L;
    REST: setp.eq.s32 %p2, %r21, 0; @%p2 bra END;
    M: add.s32 %r6, %r1, %r20; AT ld.global.f32 %f1, [%rd3]; add.s32 %r20, %r20, 1;
        add.s32 %r21, %r21, -1; setp.ne.s32 %p1, %r21, 0; @%p1 bra M; END:""",
    "a side each": """mov.u32 %r6, 0; setp.lt.u32 %p1, %r1, 5; @!%p1 bra OTHER;
        mul.lo.s32 %r6, %r1, 8; bra JOIN; OTHER: add.s32 %r6, %r1, 64;
    JOIN: AT ld.global.f32 %f1, [%rd3];""",
    "wrapped test": """mov.u32 %r6, %r1; add.s32 %r7, %r1, -3; setp.lt.u32 %p1, %r7, 4;
        @%p1 bra JOIN; shl.b32 %r6, %r1, 2; JOIN: AT ld.global.f32 %f1, [%rd3];""",
    "there and back": """mov.u32 %r20, 1; L: shl.b32 %r20, %r20, 1; setp.lt.u32 %p1, %r20, %r9;
        @%p1 bra L;
    M: mul.lo.s32 %r6, %r1, %r20; AT ld.global.f32 %f1, [%rd3]; shr.u32 %r20, %r20, 1;
        setp.gt.u32 %p1, %r20, 1; @%p1 bra M;""",
    "tested in the middle": """mov.u32 %r20, 0; L: add.s32 %r6, %r1, %r20; AT
        ld.global.f32 %f1, [%rd3]; setp.ge.s32 %p1, %r20, %r9; @%p1 bra END;
        add.s32 %r20, %r20, 1; bra L; END:""",
    "tested first": """mov.u32 %r20, 0; L: setp.ge.s32 %p1, %r20, %r9; @%p1 bra END;
        add.s32 %r6, %r1, %r20; AT ld.global.f32 %f1, [%rd3]; add.s32 %r20, %r20, 1; bra L;
    END:""",
    "short circuit": """mov.u32 %r6, 3; setp.lt.u32 %p1, %r1, 5; @%p1 bra SET;
        setp.lt.u32 %p2, %r1, 9; @!%p2 bra JOIN; SET: mov.u32 %r6, %r1;
    JOIN: AT ld.global.f32 %f1, [%rd3];""",
}


@pytest.mark.one_in(12)
@pytest.mark.parametrize("n", [2, 5, 16, 23])
@pytest.mark.parametrize("name", CHOSEN)
def test_what_branches_choose_is_as_traces_have_it(tmp_path, name, n):
    text = CHOSEN[name].replace("AT", AT.format("%r6"))
    path = tmp_path / "k.ptx"
    path.write_text(f"{HEAD}{text}\nret;\n}}\n")
    options = LaunchOptions(grid="2", block="64", args=["buffer=f32:65536", f"i32={n}"])
    job = prepare(path, options=options)
    (access,) = job.analysis.accesses
    (found,) = launch_costs(
        job.loaded.module, job.analysis.structure, job.launch, job.analysis.bounds, [access]
    )
    if name == "short circuit":
        assert found.reason == "several ways meet where it is chosen"
        return
    assert found.reason is None
    traced = trace(job).summary.accesses
    if not traced:
        assert found.all_iterations is None  # the loop around it does not run
        return
    mean = traced[0].sectors / traced[0].warp_executions
    assert found.all_iterations.sectors.mean == pytest.approx(mean)


def test_a_value_that_is_stepped_for_long_takes_no_stack():
    text = (
        "mov.u32 %r20, 3; mov.u32 %r21, 0; L: mad.lo.u32 %r22, %r20, 5, 1; and.b32 %r20, %r22, 63;"
        f"add.s32 %r6, %r1, %r20; {AT.format('%r6')} ld.global.f32 %f1, [%rd3];"
        "add.s32 %r21, %r21, 1; setp.lt.s32 %p1, %r21, %r9; @%p1 bra L;"
    )
    found = Case(text, grid=1, block=32, n=1500).last()
    value, sectors = 3, []
    for _ in range(1500):
        value = (value * 5 + 1) & 63
        sectors.append(4 if value % 8 == 0 else 5)
    assert found.all_iterations.sectors.mean == pytest.approx(sum(sectors) / 1500)
    assert not found.is_sample_of_iterations


def test_a_long_chain_of_choices_has_an_end():
    steps = "".join(
        f"setp.lt.u32 %p1, %r1, {i}; @%p1 bra B{i}; add.s32 %r6, %r6, {i}; B{i}:"
        for i in range(400)
    )
    text = f"mov.u32 %r6, 0; {steps} {AT.format('%r6')} ld.global.f32 %f1, [%rd3];"
    assert Case(text).last().reason == "it rests on too long a chain of choices"
