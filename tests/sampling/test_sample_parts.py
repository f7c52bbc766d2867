"""The parts that ``sample`` is made of, one by one."""

import math
from pathlib import Path
from types import SimpleNamespace

import pytest

import warpmill
from warpmill.analyzer.base.diagnostics import InputError, UsageError
from warpmill.analyzer.ir.types import Space
from warpmill.sampling import runs as sampling_runs
from warpmill.sampling.growing import half_width, more
from warpmill.sampling.issued import block_lengths, issued, issued_by_cta
from warpmill.sampling.methods import METHODS, check_options, warm_ups
from warpmill.sampling.options import SampleOptions
from warpmill.sampling.runs import EXECUTED, Watched, estimated_times, samples, widened
from warpmill.sampling.simpoint_files import simpoint_paths, simpoints
from warpmill.session.options import LaunchOptions
from warpmill.session.prepare import prepare_all
from warpmill.session.sampled_launches import sampled_launches
from warpmill.session.simulation_plans import plan
from warpmill.session.simulations import simulate
from warpmill.simulator.gpu.control import Steered
from warpmill.simulator.machines import load_machine
from warpmill.simulator.sampling.model import Projection, Selection, SelectionUnit, Stratum
from warpmill.simulator.sampling.region_runs import (
    PAPER,
    RegionPlan,
    SampledLaunch,
    SkippableCtas,
    run_regions,
)
from warpmill.simulator.sampling.tbpoint import cta_work, regions

SAMPLES = Path(__file__).parents[2] / "samples"


# ------------------------------------------------------------------------------ what is issued


@pytest.mark.parametrize("name", ["reduce", "scan"])
def test_what_is_issued_is_what_the_simulator_counts(name):
    target, sizes = SAMPLES / name / "launch.toml", LaunchOptions(sizes={"n": 4096})
    app = sampled_launches(target, None, sizes, ctas=True)
    counted = sum(one.warp_instructions for one in app.launches)
    totals = []
    for machine in ("v100", "gtx480_gpgpusim"):
        on = load_machine(machine, {"sm.count": 2})
        result = simulate(prepare_all(target, None, sizes), on, trace_options=EXECUTED)
        found = issued([one.profile for one in app.launches], app.jobs, on)
        assert found.warp_instructions == result.warp_instructions
        assert found.thread_instructions == result.thread_instructions
        totals.append(found.warp_instructions)
        lengths = block_lengths(app.jobs, on)
        for one, job, own in zip(app.launches, app.jobs, lengths, strict=True):
            by_cta = issued_by_cta(one.profile.by_cta, own)
            assert by_cta.sum() == issued([one.profile], [job], on).warp_instructions
            assert len(by_cta) == math.prod(one.grid)
    assert totals[1] == counted != totals[0]


@pytest.mark.slow
def test_groups_of_copies_are_issued_though_the_cost_table_has_none():
    app = sampled_launches("matmul-async:tiny")
    on = load_machine("a100", {"sm.count": 2})
    result = simulate(app.jobs, on, trace_options=EXECUTED, streams="serial")
    found = issued([one.profile for one in app.launches], app.jobs, on)
    assert found.warp_instructions == result.warp_instructions
    assert found.thread_instructions == result.thread_instructions


# ------------------------------------------------------------------------------ watching


def test_a_watched_simulation_goes_as_one_that_is_not(monkeypatch):
    """Where the pieces end changes nothing, and what is skipped counts as done."""
    app = sampled_launches(
        SAMPLES / "reduce" / "launch.toml", None, LaunchOptions(sizes={"n": 65536}), ctas=True
    )
    made = plan(app.jobs, load_machine("a100", {"sm.count": 2}), trace_options=EXECUTED)
    work = cta_work(app.launches[0].profile)

    def runs(running):
        found = regions(work, running.resident(0))
        return run_regions(running, [RegionPlan(found.of_cta, work.warp_instructions)], PAPER)

    told = []
    monkeypatch.setattr(sampling_runs, "_FIRST_STEPS", 1)
    monkeypatch.setattr(sampling_runs, "SLICE_S", 0.0)  # a step a piece
    small = Watched(made.machine, made.works, made.options, told.append)
    whole = Steered(made.machine, made.works, made.options)
    found = runs(whole)
    assert found[0].skippable_ctas
    assert runs(small) == found
    assert len(told) > 40
    shares = [one.share for one in told]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert all(0.0 <= one.share <= 1.0 for one in told)


# ------------------------------------------------------------------------------ growing


def test_selections_double_up_to_everything():
    launches = [SimpleNamespace()] * 100
    drawn = list(more(SampleOptions("random"), launches))
    assert [round(100 * one.share) for one in drawn] == [10, 20, 40, 80, 100]
    many = list(more(SampleOptions("systematic"), [SimpleNamespace()] * 10_000))
    assert many[0].share == 0.01
    few = list(more(SampleOptions("random"), launches[:7]))
    assert [one.share for one in few] == [1.0]
    strata = list(more(SampleOptions("stratified"), launches[:7]))
    assert [one.per_stratum for one in strata] == [2, 4, 8, 16]


def test_half_an_interval():
    assert half_width(Projection(200.0, (150.0, 250.0))) == 0.25
    assert half_width(Projection(200.0, None)) is None


# ------------------------------------------------------------------------------ skipping


def selection():
    """Two strata of launches of 100 instructions: one of three for three, one for itself."""
    units = tuple(SelectionUnit(k, k + 1, 100) for k in range(4))
    strata = (Stratum((0, 1, 2), (1,), 0.75), Stratum((3,), (3,), 0.25))
    return Selection("random", units, strata)


def run(launch, *passed):
    regions_ = tuple(
        SkippableCtas(1, 10, 19, instructions, ipc, units, 50)
        for instructions, ipc, units in passed
    )
    return SampledLaunch(launch, "k", 1000, 100, regions_)


def test_skipped_ctas_widen_the_interval():
    projection = Projection(8000.0, (7970.0, 8030.0))
    runs = (run(0, (400, 2.0, (1.9, 2.0, 2.1))), run(1))
    found = widened(projection, selection(), (1, 3), runs)
    added = 1.96 * 3 * (400 / 2.0) * 0.1 / 2.0  # the launch stands for three
    half = math.hypot(30.0, added)
    assert found.interval == pytest.approx((8000 - half, 8000 + half))
    assert found.cycles == 8000.0
    of_itself = widened(
        projection, selection(), (1, 3), (run(0), run(1, (400, 2.0, (1.9, 2.0, 2.1))))
    )
    half = math.hypot(30.0, added / 3)
    assert of_itself.interval == pytest.approx((8000 - half, 8000 + half))


def test_nothing_skipped_leaves_the_interval():
    projection = Projection(8000.0, (7970.0, 8030.0))
    assert widened(projection, selection(), (1, 3), (run(0), run(1))) == projection
    unknown = Projection(8000.0, None)
    assert widened(unknown, selection(), (1, 3), (run(0, (4, 2.0, 1.0)), run(1))) == unknown


# ------------------------------------------------------------------------------ SimPoint's files


def test_several_units_of_a_stratum_share_its_weight():
    units = (
        SelectionUnit(0, 1, 100),
        SelectionUnit(1, 2, 300),
        SelectionUnit(2, 3, 400),
        SelectionUnit(3, 4, 200),
    )
    strata = (Stratum((0, 1, 2), (0, 1), 0.8), Stratum((3,), (3,), 0.2))
    found = list(simpoints(Selection("random", units, strata)))
    assert [(p.interval, p.cluster) for p in found] == [(0, 0), (1, 1), (3, 2)]
    assert [p.weight for p in found] == pytest.approx([0.2, 0.6, 0.2])


def test_the_files_have_a_prefix(tmp_path):
    names = [path.name for path in simpoint_paths(tmp_path / "a.b")]
    assert names == ["a.b.bb", "a.b.simpoints", "a.b.weights"]
    with pytest.raises(UsageError, match="no folder"):
        simpoint_paths(tmp_path / "none" / "a")
    with pytest.raises(UsageError, match="a name that the files begin with"):
        simpoint_paths(Path("/"))


# ------------------------------------------------------------------------------ Python


def test_options_are_checked():
    for method in METHODS:
        check_options(SampleOptions(method))
    for options in (
        SampleOptions("best"),
        SampleOptions("gtpin", division="cta"),
        SampleOptions("gtpin", feature="XX"),
        SampleOptions("random", share=0.0),
        SampleOptions("tbpoint", seed=1),
        SampleOptions("random", stability="paper"),
        SampleOptions("random", target_error=0.0),
        SampleOptions("tbpoint", target_error=1.0),
    ):
        with pytest.raises(UsageError):
            check_options(options)


def test_an_application_is_profiled_once_and_sampled_again():
    sizes = LaunchOptions(sizes={"n": 4096})
    machine = load_machine("t4", {"sm.count": 2})
    drawn = SampleOptions("random")
    one = warpmill.sample(SAMPLES / "scan" / "launch.toml", machine, drawn, launch=sizes)
    assert one.options.method == "random"
    again = warpmill.sample(one.application, machine, one.options, selection=one.selection)
    assert (again.selection, again.cycles, again.projection) == (
        one.selection, one.cycles, one.projection,
    )  # fmt: skip
    assert one.error is None
    assert one.seconds == pytest.approx(
        one.projection.cycles / machine.number("clock.sm_mhz") / 1e6
    )


def test_machines_that_nothing_fits_on():
    options = LaunchOptions("2", "1024", None, ("buffer=f32:2048",) * 3 + ("2048",))
    target = SAMPLES / "vecadd" / "vecadd.sm_80.ptx"
    with pytest.raises(InputError, match="does not fit"):
        samples(target, ["quadro_fx5800"], launch=options)
    with pytest.raises(UsageError, match="no machine"):
        samples(target, [], launch=options)


# ------------------------------------------------------------------------------ warming


def launch(instructions, read, written=0):
    """A launch by warps, and bytes that it moves."""

    def access(kind, moved):
        return SimpleNamespace(kind=kind, bytes_requested=moved, space=Space.GLOBAL)

    counts = (access("load", read), access("store", written))
    inside = SimpleNamespace(kind="load", bytes_requested=1 << 40, space=Space.SHARED)
    profile = SimpleNamespace(accesses=(*counts, inside))
    return SimpleNamespace(warp_instructions=instructions, profile=profile)


def test_launches_right_before_warm_caches():
    v100 = load_machine("v100")  # 6 MiB of L2, 588 B a cycle, 320 instructions a cycle
    reads = [launch(1000, 1 << 20) for _ in range(10)]
    assert warm_ups(reads, [5], v100) == (3, 4)
    assert warm_ups(reads, [0, 1, 5, 9], v100, 3) == (2, 3, 4, 6, 7, 8)
    assert warm_ups(reads, [4, 6], v100) == (2, 3, 5)
    assert warm_ups(reads, [5], v100, 0) == ()
    assert warm_ups(reads, [9], v100, 100) == (3, 4, 5, 6, 7, 8)  # 6 MiB


def test_what_fills_l2_warms_it():
    streams = [launch(1000, 2 << 20, 1 << 20) for _ in range(10)]
    assert warm_ups(streams, [9], load_machine("v100"), 100) == (7, 8)


def test_long_launches_need_no_warm_caches():
    """Reading 588 kB takes 1,000 cycles, a hundredth of what 32 million instructions take."""
    v100 = load_machine("v100")
    assert warm_ups([launch(9, 9), launch(31_000_000, 588_235)], [1], v100) == (0,)
    assert warm_ups([launch(9, 9), launch(33_000_000, 588_235)], [1], v100) == ()
    assert warm_ups([launch(9, 9), launch(1000, 0, 1 << 20)], [1], v100) == ()


# ------------------------------------------------------------------------------ estimated times


def test_equal_launches_are_estimated_once(monkeypatch):
    app = sampled_launches("kmeans:tiny")
    asked = []

    def one(job, *_, **__):
        asked.append(job.recorded.number)
        return SimpleNamespace(cycles=float(job.recorded.number))

    monkeypatch.setattr(sampling_runs, "estimate", one)
    found = estimated_times(app, load_machine("v100"), EXECUTED)
    assert found.estimated == len(asked) < len(app.launches)
    for number, cycles in enumerate(found.cycles):
        first, own = app.launches[int(cycles)], app.launches[number]
        assert (first.kernel, first.arguments, first.grid) == (own.kernel, own.arguments, own.grid)
        assert first.warp_instructions == own.warp_instructions
        assert int(cycles) <= number
