"""The figures of benchmarks/tbpoint.py, from rows by hand; a tiny kernel through what it tells."""

import json
from dataclasses import replace

import numpy as np
import pytest

from benchmarks import tbpoint
from benchmarks.tbpoint_parts import further, page, page_tables
from benchmarks.tbpoint_parts.figures import (
    cost,
    geometric,
    irregular_share,
    of_further,
    of_workload,
    result_of,
    summary,
)
from benchmarks.tbpoint_parts.goals import at, goals_met
from benchmarks.tbpoint_parts.machines import BASE, OTHERS
from benchmarks.tbpoint_parts.tables import table
from warpmill.session.sampled_launches import sampled_launches
from warpmill.simulator.sampling.interleaving import InterleavingPoint
from warpmill.simulator.sampling.tbpoint import CtaWork, regions


def rows(error, share, *, cycles=1000.0, interval=None):
    """The rows of a workload whose projected cycles are off by a share."""
    whole = {
        "kernel": "k", "launches": 3, "ctas": 300, "cycles": cycles, "warp_instructions": 5000,
        "cpu_s": 8.0, "profile_s": 1.0,
    }  # fmt: skip
    sampled = {
        "cycles": cycles * (1 + error), "interval": interval, "share": share, "clusters": 2,
        "skipped_inter": 0.5, "skipped_intra": 0.25, "regions_passed": 1, "cpu_s": 2.0,
        "choice_s": 0.5,
    }  # fmt: skip
    return whole, sampled, {**sampled, "cycles": cycles * (1 + 2 * error), "share": share / 2}


SIZES = {
    "resident": [56], "rounds": 2.5, "outside": 0.5, "brief": 0.04, "alone": 2,
    "alone_share": 0.6, "starts": [0, 100, 200], "points": [[0, 0.5], [1, 1.5], [299, 1.0]],
    "least": 0.5, "largest": 1.5, "variation": 0.25,
}  # fmt: skip


def units(simpoint=0.0):
    """The row of baselines on units."""
    baseline = {"error": 0.1, "worst": 0.2, "share": 0.1, "held": 0.9}
    own = {"error": simpoint, "share": 0.05, "held": None}
    return {"units": 12, "random": baseline, "simpoint": own}


def plain_row(name, *made, simpoint=0.0):
    """Make a row with its baselines, without what else is told."""
    return {**of_workload(name, *made), **of_further(made[0], units(simpoint), {}, {})}


def full_row(name, kind, error, share, **changes):
    """Make a row of a result that has everything."""
    whole, sampled, by_paper = rows(error, share, interval=[900.0, 1100.0])
    row = of_workload(name, whole, sampled, by_paper)
    faster = {"systematic": {**sampled, "cpu_s": 1.0}, "gtpin": {**by_paper, "cpu_s": 4.0}}
    own = {"type": kind, "skipped_inter": 0.0, "skipped_intra": 100 * (1 - share)}
    return {**row, **of_further(whole, units(), {**SIZES, **changes}, faster), **own}


def result(*, others=True):
    """Make a result of two kernels."""
    base = [
        full_row("long-name", "II", 1 / 99, 0.02, alone=0, alone_share=0.0, outside=0.0),
        full_row("mst", "I", 0.25, 0.8),
    ]
    tables = {title: [of_workload(r["workload"], *rows(0.25, 0.04)) for r in base]
              for title in OTHERS}  # fmt: skip
    return result_of({BASE: base, **(tables if others else {})})


# -------------------------------------------------------------------------------------- figures


def test_errors_are_of_the_ipc():
    """Cycles a quarter too many: IPC 4 instead of 5."""
    row = plain_row("w", *rows(0.25, 0.02), simpoint=0.25)
    assert row["ipc"] == [5.0, 4.0]
    assert row["error"] == pytest.approx(-20.0)
    assert row["simpoint"] == {"error": pytest.approx(-20.0), "sample": 5.0}
    assert (row["sample"], row["skipped_inter"], row["skipped_intra"]) == (2.0, 50.0, 25.0)
    assert (row["held"], row["half_width"]) == (None, None)
    assert (row["by_paper"]["error"], row["by_paper"]["sample"]) == (pytest.approx(-100 / 3), 1.0)


@pytest.mark.parametrize(("interval", "held"), [([900.0, 1100.0], True), ([1001.0, 1100.0], False)])
def test_intervals_hold_the_true_cycles_or_not(interval, held):
    row = of_workload("w", *rows(0.0, 0.02, interval=interval))
    assert row["held"] is held
    assert row["half_width"] == pytest.approx((interval[1] - interval[0]) / 20)


def test_small_errors_count_as_a_hundredth_of_a_percent():
    made = [plain_row("a", *rows(0.0, 0.01)), plain_row("b", *rows(1 / 99, 0.04))]
    found = summary(made)
    assert found["error_geomean"] == pytest.approx((0.01 * 1.0) ** 0.5)
    assert found["worst_error"] == pytest.approx(1.0)
    assert found["sample_geomean"] == pytest.approx(2.0)
    assert found["speedup"] == 4.0
    assert found["large_samples"] == []
    assert (found["intervals"]["of"], found["intervals"]["unknown"]) == (0, 2)
    assert found["intervals"]["width_over_error"] is None
    assert found["by_paper"]["sample_geomean"] == pytest.approx(1.0)
    assert found["by_paper"]["worst_error"] == pytest.approx(100 * (1 - 99 / 101))
    assert found["random"]["error_geomean"] == pytest.approx(10.0)


def test_intervals_are_beside_the_median_error():
    made = [plain_row("a", *rows(1 / 99, 0.01, interval=[950.0, 1050.0]))]
    found = summary(made)["intervals"]
    assert (found["held"], found["of"], found["median_error"]) == (1, 1, pytest.approx(1.0))
    assert found["width_over_error"] == pytest.approx(100 * 50 / (1000 * 100 / 99))


def test_large_samples_are_named():
    found = summary([plain_row("a", *rows(0.0, 0.61)), plain_row("b", *rows(0.0, 0.6))])
    assert found["large_samples"] == [["a", 61.0]]


def test_geometric_means():
    assert geometric([1.0, 4.0, 16.0]) == pytest.approx(4.0)


def test_costs_are_beside_what_is_saved():
    row = plain_row("a", *rows(0.0, 0.01))
    # 1 s of profile and 0.5 s of choice, where 8 s become 2 s
    found = cost([row, row])
    assert found == {"profile_s": 2.0, "choice_s": 1.0, "saved_s": 12.0, "percent": 25.0}
    slower = {**row, "cpu_s": [2.0, 8.0]}
    assert cost([slower])["percent"] is None


def test_irregular_kernels_are_beside_simpoint():
    made = [{"type": "I", "sample": s, "simpoint": {"sample": p}} for s, p in ((2, 10), (4, 20))]
    ignored = {"type": "II", "sample": 90, "simpoint": {"sample": 1}}
    assert irregular_share([*made, ignored]) == pytest.approx(20.0)
    assert irregular_share([ignored]) is None


def test_results_have_other_machines_and_methods():
    found = result()
    assert found["worst_sensitivity"] == pytest.approx(20.0)
    assert found["mst_sample"] == pytest.approx(80.0)
    assert found["irregular_share"] == pytest.approx(80 / 5 * 100)
    assert found["methods"]["gtpin"]["sample_geomean"] == pytest.approx((1 * 40) ** 0.5)
    assert found["methods"]["gtpin"]["speedup"] == 2.0
    assert found["methods"]["systematic"]["speedup"] == 8.0
    assert found["methods"]["systematic"]["worst_error"] == pytest.approx(20.0)


def test_what_is_unknown_reaches_no_goal():
    met = {goal["figure"]: goal["reached"] for goal in result(others=False)["goals"]}
    assert met == dict.fromkeys(met, False)
    assert at({"a": None}, ("a", "b")) is None
    good = {"error_geomean": 0.47, "worst_error": 5.1}
    met = {goal["figure"]: goal["reached"] for goal in goals_met(good)}
    assert met == {"error_geomean": True, "worst_error": False, "sample_geomean": False,
                   "worst_sensitivity": False}  # fmt: skip


# ---------------------------------------------------------------------------- sizes and regions


def test_few_ctas_are_all_drawn():
    found = further.thinned([np.array([10, 30]), np.array([20])])
    assert found["points"] == [[0, 0.5], [1, 1.5], [2, 1.0]]
    assert found["starts"] == [0, 2]
    assert (found["least"], found["largest"]) == (0.5, 1.5)
    assert found["variation"] == pytest.approx((1 / 6) ** 0.5)


def test_outliers_stay_where_ctas_are_thinned():
    sizes = np.full(1000, 100)
    sizes[777], sizes[123] = 1000, 1
    found = further.thinned([sizes[:400], sizes[400:]], most=20)
    assert len(found["points"]) <= 20
    drawn = dict(found["points"])
    assert drawn[777] == pytest.approx(found["largest"], abs=1e-4)
    assert drawn[123] == pytest.approx(found["least"], abs=1e-4)
    assert list(drawn) == sorted(drawn)
    assert found["starts"] == [0, 400]


@pytest.fixture
def app():
    return sampled_launches("bfs-frontier:tiny", "frontier_expand", ctas=True)


def test_sizes_are_those_of_the_launches(app, monkeypatch):
    monkeypatch.setattr(further, "application", lambda _: (app, "frontier_expand", 0.0))
    found = further.sizes("bfs-frontier", {"sm.count": 1})
    every = np.concatenate([one.profile.by_cta.thread_instructions for one in app.launches])
    drawn = dict(found["points"])
    assert drawn == {k: pytest.approx(every[k] / every.mean(), abs=1e-4) for k in range(len(every))}
    (resident,) = found["resident"]
    assert found["rounds"] == pytest.approx(len(every) / len(app.launches) / resident)
    # launches of a few CTAs are over before four rounds of them
    assert found["outside"] + found["brief"] == pytest.approx(1.0)


def test_launches_like_no_other_are_those_without_a_twin(app, monkeypatch):
    small, *_, large = sorted(range(len(app.launches)), key=_instructions(app))
    places = [large, small, large]
    some = replace(app, launches=tuple(app.launches[k] for k in places),
                   jobs=tuple(app.jobs[k] for k in places))  # fmt: skip
    monkeypatch.setattr(further, "application", lambda _: (some, "frontier_expand", 0.0))
    found = further.sizes("bfs-frontier", {})
    own, twin = (app.launches[k].warp_instructions for k in (small, large))
    assert found["alone"] == 1
    assert found["alone_share"] == pytest.approx(own / (own + 2 * twin))


def _instructions(app):
    return lambda k: app.launches[k].warp_instructions


def test_brief_regions_are_over_before_four_rounds():
    """Two CTAs a round: three rounds that seldom access memory, then four that often do."""
    work = CtaWork(np.array([1] * 6 + [5] * 8), np.full(14, 10))
    assert further._brief(regions(work, 2)) == 6
    assert further._brief(regions(work, 1)) == 0
    # of four CTAs a round, the second one has both kinds: it has outliers, and is in no region
    assert further._brief(regions(work, 4)) == 4 + 6


# ------------------------------------------------------------------------------------ the whole


def test_each_kind_has_a_key_of_its_own():
    kinds = (tbpoint.WHOLE, tbpoint.SAMPLED, tbpoint.BY_PAPER, tbpoint.SIZES,
             *(tbpoint.OTHER + name for name in tbpoint.METHODS))  # fmt: skip
    points = {kind: tbpoint._point(kind, "hotspot", {}) for kind in kinds}
    assert len({point.key for point in points.values()}) == len(kinds)
    assert "sampling" not in points[tbpoint.WHOLE].inputs
    assert all("sampling" in points[kind].inputs for kind in kinds[1:])
    assert set(tbpoint.METHODS) == set(further.OPTIONS) == set(page_tables.METHODS)


def test_workloads_are_those_of_the_paper():
    known = tbpoint.known_workloads()
    assert len(known) == 12
    irregular = {name for name, kind in known.items() if kind == "I"}
    assert irregular == {"bfs-frontier", "sssp", "mst", "mri-gridding", "streamcluster"}


def test_reasons_are_what_figures_tell():
    first, second = result()["rows"]
    assert page_tables.reasons(first) == ["of the launches that were chosen 2.0 % is simulated"]
    assert page_tables.reasons(second) == [
        "2 of 3 launches, which have 60.0 % of the instructions, are like no other",
        "50.0 % of the CTAs lie in epochs with outliers",
        "of the launches that were chosen 80.0 % is simulated",
    ]


def test_nothing_left_out_has_no_parts():
    row = {"skipped_inter": 0.0, "skipped_intra": 0.0}
    assert page_tables.relative(row) is None
    assert page_tables.relative({**row, "skipped_intra": 5.0}) == [0.0, 100.0]


def test_the_page_says_what_the_result_says(tmp_path):
    made = json.loads(json.dumps(result()))
    made["computer"] = {"processor": "a CPU", "python": "3"}
    made["rows"][1]["units"] = 10
    points = [InterleavingPoint(0.05, 100.0, 4), InterleavingPoint(0.4, 100.0, 8)]
    page.write(made, tmp_path, settings=points, samples=100)
    text = (tmp_path / "tbpoint.md").read_text("utf-8")
    assert "| largest error, % | <= 5 | 20.0 | NO |" in text
    assert "| geometric mean of samples, % | <= 2.6 | 12.6 | NO |" in text
    assert "| mst | 80.0 % | 2 of 3 launches" in text
    assert "| long-name | II | 3 | 300 | 5.000 | 4.950 | -1.00 % |" in text
    assert "| all | 2 | 100.000% |" in text
    assert "2 settings of stall probability p" in text
    assert "mst has ten or fewer" in text
    assert "holds the true cycles of 2 of 2 kernels" in text
    assert "`W48 S7` is `--set sm.count=7`" in text
    named = {part.split(")")[0] for part in text.split("](tbpoint/")[1:]}
    assert named == {path.name for path in (tmp_path / "tbpoint").iterdir()}
    assert len(named) == 7


def test_without_other_machines_there_are_no_pictures_of_them(tmp_path):
    made = {**result(others=False), "computer": {"processor": "a CPU", "python": "3"}}
    page.write(made, tmp_path, settings=[InterleavingPoint(0.05, 100.0, 4)], samples=10)
    assert "figure_12" not in (tmp_path / "tbpoint.md").read_text("utf-8")
    assert len(list((tmp_path / "tbpoint").iterdir())) == 5


def test_lines_of_the_table_are_alike():
    made = result()
    head, one, other, *rest = table(made)
    assert len(head) == len(one) == len(other)
    assert len(rest) == 14 + len(made["methods"]) + len(made["goals"])
    assert "large_samples          mst 80" in rest
    assert "largest error, %: 20, at most 5: NOT reached" in rest
    assert "worst_sensitivity      -" in list(table(result(others=False)))
