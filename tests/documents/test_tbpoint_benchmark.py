"""The figures of benchmarks/tbpoint, from points by hand; a tiny kernel through what it tells."""

from dataclasses import replace

import numpy as np
import pytest

from warpmill.benchmarks.benchmark import Measured
from warpmill.benchmarks.tbpoint import (
    BENCHMARK,
    METHODS,
    OTHERS,
    Interleaving,
    TbpointResult,
    measuring,
)
from warpmill.benchmarks.tbpoint.measuring import BY_PAPER, SAMPLED, SIZES, UNITS, WHOLE
from warpmill.session.sampled_launches import sampled_launches
from warpmill.simulator.sampling.tbpoint import CtaWork, regions

ABOUT = {"computer": {"processor": "a CPU", "python": "3"}}


def points(error, share, *, interval=None, simpoint=0.0, **sizes):
    """The points of a workload whose projected cycles are off by a share."""
    whole = {
        "launches": 3, "ctas": 300, "cycles": 1000.0, "warp_instructions": 5000,
        "cpu_s": 8.0, "profile_s": 1.0,
    }  # fmt: skip
    sampled = {
        "cycles": 1000.0 * (1 + error), "interval": interval, "share": share, "clusters": 2,
        "skipped_inter": 0.0, "skipped_intra": 1 - share, "regions_passed": 1, "cpu_s": 2.0,
        "choice_s": 0.5,
    }  # fmt: skip
    by_paper = {**sampled, "cycles": 1000.0 * (1 + 2 * error), "share": share / 2}
    baselines = {
        "random": {"error": 0.1, "share": 0.1}, "simpoint": {"error": simpoint, "share": 0.05},
    }  # fmt: skip
    methods = {name: {**sampled, "cpu_s": 4.0} for name in METHODS}
    cta_sizes = {
        "resident": [56], "rounds": 2.5, "outside": 0.5, "brief": 0.04, "alone": 2,
        "alone_share": 0.6, "starts": [0, 100, 200], "points": [[0, 0.5], [1, 1.5], [299, 1.0]],
        "least": 0.5, "largest": 1.5, "variation": 0.25, **sizes,
    }  # fmt: skip
    return {
        WHOLE: whole, SAMPLED: sampled, BY_PAPER: by_paper, UNITS: {"units": 12, **baselines},
        SIZES: cta_sizes, **methods,
    }  # fmt: skip


def kernel(name, of, type_="II", *, others=False):
    elsewhere = measuring.judged(of[WHOLE], of[SAMPLED])
    return measuring.kernel_of(name, type_, of, dict.fromkeys(OTHERS if others else (), elsewhere))


def result(*, others=True):
    rows = (
        kernel("long-name", points(1 / 99, 0.02, interval=[900.0, 1100.0], alone_share=0.0,
                                   outside=0.0), others=others),
        kernel("mst", points(0.25, 0.8, interval=[1001.0, 1100.0]), "I", others=others),
    )  # fmt: skip
    setting = {"stall_probability": 0.05, "stall_cycles": 100.0, "samples": 100}
    setting["relative"] = (0.9, 0.95, 0.98, 1.0, 1.02, 1.05, 1.1)
    drawn = [Interleaving(setting=f"N{n}", warps=n, near=near, **setting)
             for n, near in ((4, 0.97), (8, 1.0))]  # fmt: skip
    return TbpointResult(rows=rows, interleavings=tuple(drawn))


def test_errors_are_of_the_ipc():
    """Cycles a quarter too many: IPC 4 instead of 5."""
    row = kernel("w", points(0.25, 0.02, simpoint=0.25))
    assert (row.ipc, row.sampled_ipc) == (5.0, 4.0)
    assert row.error == row.simpoint.error == pytest.approx(-20.0)
    assert (row.sample, row.simpoint.sample) == (2.0, 5.0)
    assert (row.held, row.half_width) == (None, None)
    assert (row.by_paper.error, row.by_paper.sample) == (pytest.approx(-100 / 3), 1.0)


@pytest.mark.parametrize(("interval", "held"), [([900.0, 1100.0], True), ([1001.0, 1100.0], False)])
def test_intervals_hold_the_true_cycles_or_not(interval, held):
    row = kernel("w", points(0.0, 0.02, interval=interval))
    assert row.held is held
    assert row.half_width == pytest.approx((interval[1] - interval[0]) / 20)


def test_sums_of_methods():
    """Errors below a hundredth of a percent count as that in geometric means."""
    rows = (kernel("a", points(0.0, 0.01)), kernel("b", points(1 / 99, 0.04)))
    found = TbpointResult(rows=rows, interleavings=()).by_method
    own = found["TBPoint"]
    assert own["geometric mean of errors"] == pytest.approx((0.01 * 1.0) ** 0.5)
    assert own["largest"] == pytest.approx(1.0)
    assert own["geometric mean of samples"] == pytest.approx(2.0)
    speedups = [one["speed-up (CPU time)"] for one in (own, found[METHODS["gtpin"]])]
    assert speedups == [4.0, 2.0]
    by_paper = found["TBPoint by the paper's rule"]
    assert by_paper["geometric mean of samples"] == pytest.approx(1.0)
    assert by_paper["largest"] == pytest.approx(100 * (1 - 99 / 101))
    assert found["Random"]["geometric mean of errors"] == pytest.approx(10.0)
    assert found["Random"]["speed-up (CPU time)"] is None


def test_figures_of_the_whole():
    found = result()
    assert found.worst_sensitivity == pytest.approx(20.0)
    assert found.mst_sample == pytest.approx(80.0)
    assert found.irregular_share == pytest.approx(80 / 5 * 100)
    assert found.least_near == pytest.approx(97.0)
    last = found.interleaving[-1]
    assert (last["warps"], last["lowest IPC over the mean"]) == ("all", 0.9)
    alone = result(others=False)
    assert alone.worst_sensitivity is None
    verdicts = {g.what: g.verdict for g in BENCHMARK.judged(Measured(alone, ABOUT))}
    assert verdicts["largest error with other warps and SMs, %"] == "unknown"
    assert verdicts["largest error, %"] == "MISSED"


def test_costs_are_beside_what_is_saved():
    """1 s of profile and 0.5 s of choice, where 8 s become 2 s."""
    row = kernel("a", points(0.0, 0.01))
    assert (row.saved_s, row.cost) == (6.0, 0.25)
    assert replace(row, cpu_s=8.0).cost is None


def test_parts_of_what_was_left_out():
    row = kernel("a", points(0.0, 0.75))
    assert row.parts == (0.0, 100.0)
    assert replace(row, skipped_intra=75.0, skipped_inter=25.0).parts == (25.0, 75.0)
    assert replace(row, skipped_intra=0.0).parts is None


def test_reasons_are_what_figures_tell():
    first, second = result().rows
    assert first.reasons == "of the launches that were chosen 2.0% is simulated"
    assert second.reasons == (
        "2 of 3 launches, which have 60.0% of the instructions, are like no other; "
        "50.0% of the CTAs lie in epochs with outliers; "
        "of the launches that were chosen 80.0% is simulated"
    )


def test_the_page_and_its_pictures(tmp_path):
    found = Measured(result(), ABOUT)
    BENCHMARK.write(found, tmp_path)
    text = (tmp_path / "tbpoint.md").read_text("utf-8")
    assert (
        "| geometric mean of samples, % | \\<= 2.6 |  - | 12.65 | MISSED |".replace("  ", " ")
        in text
    )
    assert "| long-name | II | 3 | 300 | 5.000 | 4.950 | -1.00 % |" in text
    assert "holds the true cycles of 1 of 2 kernels" in text
    assert "`W48 S7` is `--set sm.count=7`" in text
    named = {part.split(")")[0] for part in text.split("](tbpoint/")[1:]}
    assert named == {path.name for path in (tmp_path / "tbpoint").iterdir()}
    assert len(named) == 7
    assert "figure_12" not in BENCHMARK.page(Measured(result(others=False), ABOUT))


# ---------------------------------------------------------------------------- sizes and regions


def test_few_ctas_are_all_drawn():
    found = measuring.thinned([np.array([10, 30]), np.array([20])])
    assert found["points"] == [[0, 0.5], [1, 1.5], [2, 1.0]]
    assert found["starts"] == [0, 2]
    assert (found["least"], found["largest"]) == (0.5, 1.5)
    assert found["variation"] == pytest.approx((1 / 6) ** 0.5)


def test_outliers_stay_where_ctas_are_thinned():
    sizes = np.full(1000, 100)
    sizes[777], sizes[123] = 1000, 1
    found = measuring.thinned([sizes[:400], sizes[400:]], most=20)
    assert len(found["points"]) <= 20
    drawn = dict(found["points"])
    assert drawn[777] == pytest.approx(found["largest"], abs=1e-4)
    assert drawn[123] == pytest.approx(found["least"], abs=1e-4)
    assert list(drawn) == sorted(drawn)


@pytest.fixture
def app():
    return sampled_launches("bfs-frontier:tiny", "frontier_expand", ctas=True)


def test_sizes_are_those_of_the_launches(app, monkeypatch):
    monkeypatch.setattr(measuring, "application", lambda _: (app, 0.0))
    found = measuring.sizes("bfs-frontier", measuring.MACHINE, {"sm.count": 1})
    every = np.concatenate([one.profile.by_cta.thread_instructions for one in app.launches])
    drawn = dict(found["points"])
    assert drawn == {k: pytest.approx(every[k] / every.mean(), abs=1e-4) for k in range(len(every))}
    (resident,) = found["resident"]
    assert found["rounds"] == pytest.approx(len(every) / len(app.launches) / resident)
    # launches of a few CTAs are over before four rounds of them
    assert found["outside"] + found["brief"] == pytest.approx(1.0)


def test_launches_like_no_other_are_those_without_a_twin(app, monkeypatch):
    instructions = [one.warp_instructions for one in app.launches]
    small, *_, large = sorted(range(len(instructions)), key=instructions.__getitem__)
    places = [large, small, large]
    some = replace(app, launches=tuple(app.launches[k] for k in places),
                   jobs=tuple(app.jobs[k] for k in places))  # fmt: skip
    monkeypatch.setattr(measuring, "application", lambda _: (some, 0.0))
    found = measuring.sizes("bfs-frontier", measuring.MACHINE, {})
    own, twin = instructions[small], instructions[large]
    assert found["alone"] == 1
    assert found["alone_share"] == pytest.approx(own / (own + 2 * twin))


def test_brief_regions_are_over_before_four_rounds():
    """Two CTAs a round: three rounds that seldom access memory, then four that often do."""
    work = CtaWork(np.array([1] * 6 + [5] * 8), np.full(14, 10))
    assert measuring.brief(regions(work, 2)) == 6
    assert measuring.brief(regions(work, 1)) == 0
    # of four CTAs a round, the second one has both kinds: it has outliers, and is in no region
    assert measuring.brief(regions(work, 4)) == 4 + 6


def test_each_kind_has_a_key_of_its_own():
    kinds = [WHOLE, UNITS, SIZES, *measuring.OPTIONS]
    made = measuring.points("hotspot", {}, kinds)
    assert len({point.key for point in made.values()}) == len(kinds)
    sampled = {made[kind].inputs["sources"] for kind in kinds[1:]}
    assert len(sampled) == 1
    assert made[WHOLE].inputs["sources"] not in sampled
    assert set(measuring.OPTIONS) == {SAMPLED, BY_PAPER, *METHODS}
    assert made["gtpin inside"].inputs["options"]["method"] == "gtpin"


def test_workloads_are_those_of_the_paper():
    known = measuring.known_workloads()
    assert len(known) == 12
    irregular = {name for name, kind in known.items() if kind == "I"}
    assert irregular == {"bfs-frontier", "sssp", "mst", "mri-gridding", "streamcluster"}
