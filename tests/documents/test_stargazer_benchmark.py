"""The figures of benchmarks/stargazer: models of surfaces that are known, sums of rows by hand."""

from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

from tests.sampling.regression_surfaces import SMALL, STARGAZER, TABLE_2, runtime, sampled
from warpmill.benchmarks import stargazer
from warpmill.benchmarks.benchmark import Measured
from warpmill.benchmarks.stargazer import (
    ADJUSTED,
    BENCHMARK,
    BLOCKS,
    DEFAULTS,
    KINDS,
    POINTS,
    SIZES,
    Accuracy,
    Along,
    Off,
    Speed,
    StargazerResult,
    Term,
    Terms,
    Workload,
    measuring,
    pictures,
    sensitivity,
)
from warpmill.benchmarks.stargazer.measuring import NAMES, Series
from warpmill.exploring.explored import OfWorkload, PointSample
from warpmill.exploring.space_file import space_called
from warpmill.session.workloads import workloads
from warpmill.simulator.machines import load_machine
from warpmill.simulator.regression.fit import fit_stepwise, fit_terms, samples_of
from warpmill.simulator.regression.model import words_of_term
from warpmill.simulator.regression.predict import predict

PARAMETERS = STARGAZER.parameters
TRAINED, TESTED = 120, 40


@pytest.fixture
def few_points(monkeypatch):
    """Test with 40 points, twice."""
    monkeypatch.setattr(measuring, "TESTED", TESTED)
    monkeypatch.setattr(measuring, "TRIES", 2)


def series_of(figure, count=TRAINED + TESTED, noise=0.0):
    points, measured = sampled(STARGAZER, figure, count, noise)
    return Series("planted", "planted", PARAMETERS, tuple(points), tuple(measured))


@pytest.fixture(scope="module")
def planted():
    return series_of(runtime)


def test_splits_are_the_papers():
    series = Series("planted", "planted", (), (None,) * POINTS, ())
    tries = list(series.splits())
    assert [(len(train), len(test)) for train, test in tries] == [(300, 200)] * 5
    assert all(sorted(train + test) == list(range(500)) for train, test in tries)
    assert len({tuple(test) for _, test in tries}) == 5
    assert tries == list(series.splits())


@pytest.mark.usefixtures("few_points")
def test_all_sizes_are_tested_with_points_that_no_model_is_of(planted, monkeypatch):
    trained, tested, taken, told = [], [], measuring.samples_of, measuring.told_all
    monkeypatch.setattr(measuring, "samples_of",
                        lambda *a, **k: trained.append(list(a[1])) or taken(*a, **k))  # fmt: skip
    monkeypatch.setattr(measuring, "told_all", lambda *a: tested.append(list(a[2])) or told(*a))
    measuring.accuracy(planted, 0.01, sizes=(30, 60))
    assert [len(points) for points in trained] == [30, 30, 60, 60]
    assert tested[:2] == tested[2:]
    assert len(tested[0]) == TESTED
    assert tested[0] != tested[1]
    assert [points[:30] for points in trained[2:]] == trained[:2]
    assert not any(p in test for train, test in zip(trained, tested, strict=True) for p in train)


@pytest.mark.usefixtures("few_points")
def test_errors_are_relative_to_what_was_measured(monkeypatch):
    """A model that is right for most points, and a fifth too small for the others."""
    exact = series_of(lambda point: {8: 400.0, 16: 200.0, 32: 100.0}[point["simd"]])
    model = fit_terms(samples_of(PARAMETERS, exact.points, exact.measured), [("simd",)])
    narrow = replace(model, residual_variance=1e-6)
    monkeypatch.setattr(measuring, "fit_stepwise", lambda *_, **__: narrow)
    slow = {k for k in range(len(exact.points)) if k % 10 == 0}
    measured = (v * (1.25 if k in slow else 1.0) for k, v in enumerate(exact.measured))
    share = [len(slow.intersection(test)) / TESTED for _, test in exact.splits()]
    series = replace(exact, measured=tuple(measured))
    (found,) = measuring.accuracy(series, 0.0, sizes=(30,))
    assert found.mean == pytest.approx(20 * sum(share) / 2)
    assert found.max == pytest.approx(20)
    assert found.q98 == pytest.approx(20)
    assert found.held == pytest.approx(1 - sum(share) / 2)
    assert (found.unknown, found.terms) == (0, "(1, 0)")
    assert found.q75 == pytest.approx(0, abs=1e-9)


@pytest.mark.usefixtures("few_points")
def test_a_planted_surface_is_found(planted):
    (found,) = measuring.accuracy(planted, 0.0, sizes=(TRAINED,))
    assert found.mean < 0.2
    assert found.r_squared > 0.9999
    assert found.pairs >= 2
    own = series_of(lambda point: 1e6 / point["simd"] * (1 + 2 / point["#blk"]))
    assert measuring.off(own, measuring.of_three_factors).max < 1e-6
    assert measuring.off(planted, measuring.of_three_factors).mean > 1.0


def test_unknown_points_are_counted_and_told_by_the_terms_that_are_known_everywhere():
    """Samples to train with lack a corner: a = 8 with b = 3."""
    points, measured = sampled(SMALL, lambda point: 100.0 + 10 * point["a"] * point["b"], 72)
    corner = np.array([(p["a"], p["b"]) == (8, 3) for p in points])
    train = [k for k in range(72) if not corner[k]][:50]
    own = samples_of(SMALL.parameters, [points[k] for k in train], [measured[k] for k in train])
    model = fit_terms(own, [("a",), ("b",), ("b", "a")])
    values, low, high, unknown = measuring.told_all(model, own, points)
    assert unknown == corner.sum() > 0
    of_model, of_both = predict(model, points), predict(fit_terms(own, [("a",), ("b",)]), points)
    for found, name in ((values, "values"), (low, "low"), (high, "high")):
        assert found[~corner] == pytest.approx(getattr(of_model, name)[~corner])
        assert found[corner] == pytest.approx(getattr(of_both, name)[corner])


@pytest.mark.usefixtures("few_points")
def test_terms_are_of_the_first_training_set(planted):
    found = measuring.first_terms(planted, 0.01)
    own = planted.only(next(planted.splits())[0])
    model = fit_stepwise(samples_of(PARAMETERS, *own), theta=0.01, phi=0.01)
    assert [one.name for one in found.terms] == [words_of_term(t) for t in model.terms]
    assert sum(one.gain for one in found.terms) == pytest.approx(found.r_squared)
    assert (found.r_squared, found.samples) == (model.r_squared, TRAINED)


@pytest.mark.usefixtures("few_points")
def test_predictions_along_blocks_are_those_of_raw_values_where_samples_are(planted):
    found = measuring.predicted_along_blocks(planted)
    truth = [runtime({**DEFAULTS, "#blk": value}) for value in BLOCKS]
    at = [BLOCKS.index(value) for value in TABLE_2["#blk"]]
    assert [found.values[k] for k in at] == pytest.approx([truth[k] for k in at], rel=0.01)
    assert list(found.values) == pytest.approx(truth, rel=0.1)
    assert all(a < b < c for a, b, c in zip(found.low, found.values, found.high, strict=True))


def test_along_blocks_there_are_sixteen_points_of_the_base_machine():
    space = space_called("stargazer")
    found = measuring.space_along_blocks(space).design
    points = [found.point(k) for k in range(found.count)]
    assert sorted(point["#blk"] for point in points) == list(range(1, 17))
    assert all({**point, "#blk": 8} == DEFAULTS for point in points)
    machine, base = space.machine(DEFAULTS), load_machine(space.base)
    keys = {key for each in space.parameters if each.name not in {"#blk", "t$"}
            for key in each.realisation.keys} | {"sm.max_blocks"}  # fmt: skip
    assert [key for key in keys if machine[key].value != base[key].value] == []


@pytest.mark.slow
def test_workloads_are_simulated_at_the_same_points(tmp_path, monkeypatch):
    monkeypatch.setattr(stargazer, "PRESET", "tiny")
    monkeypatch.setattr(stargazer, "POINTS", 4)
    each = measuring.simulated(["aes-128", "nw"], tmp_path / "s.db", 1)
    assert [one.name for one in each] == ["AES", "AES-adj", "nw"]
    assert len(each[0].points) == 4
    assert each[0].points == each[1].points == each[2].points
    assert all(0 < cut <= whole for whole, cut in
               zip(each[0].measured, each[1].measured, strict=True))  # fmt: skip
    assert each[2].facts["launches"] > 1
    monkeypatch.setattr(measuring, "BLOCKS", (1, 4))
    along = measuring.along_blocks(space_called("stargazer"), "nw:tiny", tmp_path / "s.db", 1)
    assert all(0 < cut <= whole for cut, whole in
               zip(along[ADJUSTED], along["AES"], strict=True))  # fmt: skip


def test_a_point_that_cannot_be_simulated_ends_it(monkeypatch):
    broken = OfWorkload("nw:tiny", (PointSample({}, {}, {}, problem="too many registers"),))
    monkeypatch.setattr(measuring, "explore", lambda *_, **__: SimpleNamespace(workloads=[broken]))
    with pytest.raises(SystemExit, match="nw: too many registers"):
        measuring.simulated(["nw"], None, 1)


@pytest.mark.usefixtures("few_points")
def test_other_ways_find_what_they_can(monkeypatch, planted):
    monkeypatch.setattr(measuring, "TREES", 5)
    monkeypatch.setattr(measuring, "TRIES", 1)

    def straight(point):
        return 500.0 + 7 * point["simd"] - 3 * point["#blk"] + 2 * point["dramq"]

    series = series_of(straight, 90, 0.01)
    means = {kind: measuring.off(series, partial(measuring.by_other_means, kind), 50).mean
             for kind in KINDS}  # fmt: skip
    assert max(means["linear"], means["gaussian"]) < 2.0 < means["forest"]
    assert measuring.off(planted, partial(measuring.by_other_means, "linear")).mean > 5.0


# ------------------------------------------------------------------------------- sums and the page


def row(name, mean, along=None):
    """A workload whose errors are those of 300 samples times 10 over the samples' tens."""
    each = [
        Accuracy(samples=size, mean=mean * 300 / size, max=4 * mean * 300 / size, q75=1.5 * mean,
                 q98=3 * mean, unknown=330 // size - 1, r_squared=0.99, parameters=4, pairs=3,
                 held=0.9 if mean < 2 else 0.8)
        for size in SIZES
    ]  # fmt: skip
    terms = Terms(r_squared=0.9, samples=300, terms=(Term(name="simd", gain=0.6),
                  Term(name="#blk", gain=0.2), Term(name="simd:#blk", gain=0.1)))  # fmt: skip
    wide = Terms(r_squared=0.7, samples=167, terms=(Term(name="#blk", gain=0.45),
                 Term(name="smp", gain=0.25)))  # fmt: skip
    return Workload(
        name=name, workload=name.lower(), warp_instructions=12345, launches=2, fastest_us=50.0,
        slowest_us=200.0, simulation_s=9.5, accuracy=tuple(each),
        reasonable=tuple(replace(one, mean=one.mean / 2, unknown=0) for one in each),
        three_factors=Off(mean=2.5, max=20.0),
        others={f"{kind} {n}": Off(mean=5 * mean, max=50 * mean) for kind in KINDS
                for n in (60, 300)},
        terms=terms, wide=wide, reasonable_terms=terms, reasonable_wide=wide, along=along,
    )  # fmt: skip


def along(*values, simulated=None):
    line = (*values, *[values[-1]] * (16 - len(values)))
    return Along(values=line, low=line, high=line, simulated=simulated)


def result(adjusted=0.75):
    simulated = tuple(200.0 - k for k in range(16))
    speed = Speed(workload="w", warp_instructions=10**6, points=300, workers=2, simulation_s=601.0,
                  fit_s=1.25, coefficients=99, space_points=933120, predict_s=2.5,
                  predict_intervals_s=7.5)  # fmt: skip
    rows = (row("AES", 3.0, along(200.0, 100.0, simulated=simulated)),
            row(ADJUSTED, adjusted, along(150.0, simulated=simulated)),
            row("LPS", 1.5, along(10.0, 8.0, 0.0, 8.0)), row("matmul", 2.0))  # fmt: skip
    return StargazerResult(rows=rows, table_1=rows[0].terms, speed=speed)


def test_the_adjusted_workload_stands_beside_the_others():
    found = result()
    first, few, linear, *_ = found.models
    assert (first["worst"], first["which"]) == (3.0, "AES")
    assert first["mean of 300, %"] == pytest.approx(6.5 / 3)
    assert (few["worst"], linear["worst"], linear["largest"]) == (1.5, 15.0, 150.0)
    assert (found.worst_adjusted, found.max_without_aes, found.worst_few) == (2.0, 8.0, 10.0)
    assert (first["largest"], found.quarter, found.wrong) == (12.0, 3.0, 3)
    by = found.by_samples
    assert by[0]["points unknown"] == pytest.approx(100 * 10 / 1000)
    assert by[-1]["intervals that hold"] == pytest.approx(100 * (0.8 + 0.9 + 0.8) / 3)
    assert found.mean_gains["simd"] == pytest.approx(0.6)
    assert found.by_name["AES"].wide.gains["c$"] == 0.0
    worse = result(9.0)
    assert (worse.first["worst"], worse.worst_adjusted, worse.worst_few) == (3.0, 9.0, 45.0)
    assert StargazerResult(rows=found.rows[:2]).max_without_aes is None


def test_curves_are_compared_where_samples_are():
    """#blk has 1, 2, 4, 8 and 16: what a model says of 3 does not count."""
    assert sensitivity(result().rows[2]) == pytest.approx(20.0)


def test_terms_are_stacked_under_one_name():
    rows = result().rows[:2]
    assert pictures.important(rows, 3) == ("#blk", "simd", "smp")
    found = pictures.by_term(rows, "terms", ("#blk:simd", "simd"))
    assert found == {"#blk:simd": [0.1] * 2, "simd": [0.6] * 2, "others": [0.2] * 2}


def test_the_page_and_its_pictures(tmp_path):
    found = Measured(result(), {"computer": {"processor": "a CPU", "python": "3"}})
    BENCHMARK.write(found, tmp_path)
    text = (tmp_path / "stargazer.md").read_text("utf-8")
    assert "| mean error, 300 samples, % | \\<= 1.1 | - | 2.167 | MISSED |" in text
    assert "| nw: what smp adds where simd is 32 |  | 0.996 | - |  |" in text
    assert "| AES | aes | 12,345 | 2 | 50.0 | 200 | 4.00 | 9.50 |" in text
    assert "10 parameters, 933,120 points, on the machine `quadro_fx5800_gpgpusim`" in text
    assert "| 2 | 199 | 100 | 199 | 150 |" in text
    assert "nearer than the chosen terms in AES." in text
    named = {part.split(")")[0] for part in text.split("](stargazer/")[1:]}
    assert named == {path.name for path in (tmp_path / "stargazer").iterdir()}
    assert len(named) == 5
    less = replace(found, result=StargazerResult(rows=(row("matmul", 2.0),)))
    assert "The tail of a short run" not in BENCHMARK.page(less)


def test_workloads_are_those_of_the_paper():
    known = {name for name, one in workloads().items() if one.form.paper.stargazer is not None}
    assert known == set(NAMES)
    assert len(known) == 11
