"""What the rows of a sweep say together, beside loops that look at every pair of them."""

import math
from itertools import product

import numpy as np
import pytest

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.report.fields import fields_of
from warpmill.simulator.estimate.result import Estimate
from warpmill.sweeps.figures import (
    FIGURES,
    LARGER_IS_BETTER,
    METRICS,
    RENAMED,
    Ranking,
    check_ranking,
    names_of,
    parse_ranking,
)
from warpmill.sweeps.space import Axis, numbers_of, parse_axis
from warpmill.sweeps.summary import (
    best_of_each,
    common_choice,
    effects,
    given_names,
    grouped,
    kind_of,
    ranked_by,
)
from warpmill.sweeps.sweep import MeasuredConfiguration

AXES = (
    Axis("block", (64, "16x16", 512)),
    Axis("n", (2, 4)),
    Axis("machine", ("t4", "a100")),
    Axis("regs", (32,)),
)


def rows_of(seed, axes=AXES, lost=0.2, levels=5):
    """Rows with times of few levels, so that some are equal, some of them not measured."""
    chance, found = np.random.default_rng(seed), []
    for values in product(*(axis.values for axis in axes)):
        configuration = {a.name: v for a, v in zip(axes, values, strict=True)}
        figures = {"time_us": float(chance.integers(1, levels + 1)), "occupancy": chance.random()}
        if chance.random() < lost:
            found.append(MeasuredConfiguration(configuration, {}, {}, "it does not fit"))
        else:
            found.append(MeasuredConfiguration(configuration, figures, {}))
    return found


def matching(rows, **wanted):
    known = [row for row in rows if row.problem is None]
    return [r for r in known if all(r.configuration[k] == v for k, v in wanted.items())]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("ranking", [Ranking(), Ranking("occupancy", True)])
def test_the_best_of_each_is_beaten_by_none_there(seed, ranking):
    rows = rows_of(seed)
    found = best_of_each(rows, ("machine", "n"), ranking)
    sign = -1 if ranking.larger_is_better else 1
    order = [(machine, n) for machine in ("t4", "a100") for n in (2, 4)]
    there = [key for key in order if matching(rows, machine=key[0], n=key[1])]
    assert [(one.of["machine"], one.of["n"]) for one in found] == there
    for one in found:
        own = matching(rows, **one.of)
        values = sorted(sign * row.figures[ranking.figure] for row in own)
        assert sign * one.best.figures[ranking.figure] == values[0]
        assert one.rows == len(own)
        assert one.worst_ratio == pytest.approx((values[-1] / values[0]) ** sign)


@pytest.mark.parametrize("seed", range(8))
def test_the_common_choice_loses_least(seed):
    rows = rows_of(seed, lost=0.1)
    found = common_choice(rows, AXES, ("machine", "n"), Ranking())
    parts = [(m, n) for m in ("t4", "a100") for n in (2, 4) if matching(rows, machine=m, n=n)]
    losses = {}
    for block in AXES[0].values:
        own = []
        for machine, n in parts:
            best = min(r.figures["time_us"] for r in matching(rows, machine=machine, n=n))
            there = matching(rows, machine=machine, n=n, block=block)
            own += [row.figures["time_us"] / best for row in there]
        if len(own) == len(parts):
            losses[block] = own
    if not losses:
        assert found is None
        return
    means = {block: math.prod(own) ** (1 / len(own)) for block, own in losses.items()}
    assert means[found.choice["block"]] == pytest.approx(min(means.values()))
    assert set(found.choice) == {"block"}
    assert found.parts == len(parts)
    assert found.geometric_mean_ratio == pytest.approx(min(means.values()))
    assert found.worst_ratio == max(losses[found.choice["block"]])
    of = matching(rows, **found.worst_of)
    (chosen,) = matching(of, **found.choice)
    assert chosen.figures["time_us"] / min(r.figures["time_us"] for r in of) == found.worst_ratio


def test_there_is_no_common_choice_where_none_is_made():
    rows = rows_of(1, lost=0)
    assert common_choice(rows, AXES, (), Ranking()) is None
    assert common_choice(rows, AXES, ("block", "n", "machine"), Ranking()) is None
    nowhere = [row for row in rows if (row.configuration["block"] == 64) == (
        row.configuration["machine"] == "t4")]  # fmt: skip
    assert common_choice(nowhere, AXES, ("machine",), Ranking()) is None


@pytest.mark.parametrize("seed", range(8))
def test_effects_compare_rows_that_differ_in_one_axis_alone(seed):
    rows = rows_of(seed)
    found = {(e.axis, e.value): e for e in effects(rows, AXES)}
    assert {axis for axis, _ in found} <= {"block", "n", "machine"}
    for axis in AXES[:3]:
        for value in axis.values:
            ratios = []
            for row in matching(rows, **{axis.name: value}):
                rest = {k: v for k, v in row.configuration.items() if k != axis.name}
                beside = [r.figures["time_us"] for r in matching(rows, **rest)]
                if len(beside) > 1:
                    ratios.append(row.figures["time_us"] / min(beside))
            if not ratios:
                assert (axis.name, value) not in found
                continue
            one = found[axis.name, value]
            assert one.geometric_mean_ratio == pytest.approx(math.prod(ratios) ** (1 / len(ratios)))
            assert (one.best_in, one.groups) == (ratios.count(1.0), len(ratios))


def test_ranking_leaves_out_what_is_unknown_and_keeps_the_order_of_equals():
    rows = rows_of(3, levels=2)
    found = ranked_by(rows, Ranking())
    known = matching(rows)
    assert sorted(map(id, found)) == sorted(map(id, known))
    assert [row.figures["time_us"] for row in found] == sorted(r.figures["time_us"] for r in known)
    first = [r for r in known if r.figures["time_us"] == 1.0]
    assert [id(r) for r in found[: len(first)]] == [id(r) for r in first]
    blocks = [row.figure("block") for row in ranked_by(rows, Ranking("block", True))]
    assert blocks == sorted((row.figure("block") for row in known), reverse=True)
    assert {512, 256, 64} >= set(blocks)


def test_values_that_are_not_above_0_have_no_ratio():
    rows = [MeasuredConfiguration({"n": n}, {"time_us": float(n)}, {}) for n in (0, 1)]
    (found,) = best_of_each(rows, (), Ranking())
    assert (found.best.configuration, found.worst_ratio) == ({"n": 0}, None)
    assert effects(rows, (Axis("n", (0, 1)),)) == ()


def test_what_is_given_and_what_is_chosen():
    sizes = ("n",)
    assert [kind_of(a, sizes) for a in ("n", "block", "machine", "sm.count", "regs", "grid")] == [
        "size", "launch", "machine", "machine value", "registers", "launch",
    ]  # fmt: skip
    assert given_names(AXES, sizes) == ("machine", "n")
    clocks = Axis("clock.sm_mhz", (1000, 1500))
    assert given_names((*AXES, clocks), ()) == ("machine", "clock.sm_mhz")  # n: a tile, say
    assert given_names(AXES[1:], sizes) == ("machine",)
    assert given_names((AXES[1],), sizes) == ()
    assert given_names((AXES[0],), sizes) == ()


def test_the_same_reason_is_said_once():
    rows = rows_of(2, lost=0.5)
    lost = [place for place, row in enumerate(rows) if row.problem]
    assert grouped(rows, lambda r: [r.problem] if r.problem else []) == {"it does not fit": lost}
    many = grouped(rows, lambda r: ["a", str(r.configuration["n"])])
    assert [text for text, _ in many.items()] == ["a", "2", "4"]


# --------------------------------------------------------------------------------- figures


def test_every_figure_of_an_engine_is_described_and_old_names_lead_to_it():
    every = {name for names in FIGURES.values() for name in names}
    assert set(METRICS) == every >= LARGER_IS_BETTER
    assert {new for names in RENAMED.values() for new in names} < every
    assert not set(RENAMED) & every
    for engine, new in (("estimate", "occupancy_fraction"),
                        ("simulate", "achieved_occupancy_fraction")):  # fmt: skip
        with pytest.raises(UsageError, match=f"it is called `{new}` now"):
            check_ranking("--by", Ranking("occupancy"), FIGURES[engine])


def test_figures_are_called_and_labelled_as_those_of_an_estimate():
    """Labels and units are read off the result itself: one name for one thing."""
    shown = {one.name: one.metric for one in fields_of(Estimate)}
    for name in set(METRICS) & set(shown):
        assert METRICS[name] == shown[name]
    assert METRICS["occupancy_fraction"].label == "Theoretical occupancy"


@pytest.mark.parametrize(
    ("text", "ranking"),
    [
        ("time_us", Ranking("time_us", False)),
        ("occupancy_fraction", Ranking("occupancy_fraction", True)),
        ("occupancy_fraction:min", Ranking("occupancy_fraction", False)),
        (" block:max ", Ranking("block", True)),
        ("block", Ranking("block", False)),
    ],
)
def test_rankings(text, ranking):
    assert parse_ranking("--by", text) == ranking


@pytest.mark.parametrize("text", ["", ":max", "time_us:", "time_us:most", "a:max:min"])
def test_what_is_no_ranking_is_said(text):
    with pytest.raises(UsageError, match=r"--by .*write the name of a figure"):
        parse_ranking("--by", text)


def test_what_is_varied_in_numbers_is_a_figure():
    axes = [*AXES, parse_axis("sm.count=4,8"), parse_axis("clock.sm_mhz=1000.5")]
    names = names_of(("time_us",), axes)
    assert names == ["time_us", "block", "block_x", "block_y", "n", "regs", "sm.count",
                     "clock.sm_mhz"]  # fmt: skip
    check_ranking("--by", Ranking("block_y"), names)
    with pytest.raises(UsageError, match="no such figure; did you mean `time_us`"):
        check_ranking("--by", Ranking("time_u"), names)
    row = MeasuredConfiguration({"block": "16x8", "sm.count": 4, "clock.sm_mhz": 1000.5}, {}, {})
    assert [row.figure(n) for n in ("block_y", "sm.count", "clock.sm_mhz")] == [8, 4, 1000.5]
    assert row.figure("n") is None
    assert set(numbers_of({"machine": "v100"})) == set()
