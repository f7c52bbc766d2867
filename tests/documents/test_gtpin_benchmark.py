"""The figures of benchmarks/gtpin, from rows by hand; a tiny application through everything."""

from statistics import fmean

import pytest

from warpmill.benchmarks import gtpin
from warpmill.benchmarks.benchmark import Measured, Request, put_aside
from warpmill.benchmarks.gtpin import BENCHMARK, CLOCK, OTHER, TRIALS, GtpinResult, measuring
from warpmill.benchmarks.gtpin.measuring import Run
from warpmill.session.sampled_launches import sampled_launches
from warpmill.simulator.sampling.gtpin import error, select

INSTRUCTIONS = [10, 10, 20, 20, 40]
CYCLES = [10, 10, 40, 40, 120]
"""1, 2 and 3 cycles an instruction: 2.2 of the whole."""
EVERY_KIND = [[0, 1, 0.2], [2, 3, 0.4], [4, 5, 0.4]]
FIRST = [[0, 2, 1.0]]
WHAT = "what is chosen"
LAST = [[2, 4, 0.6], [4, 5, 0.4]]


def row(*combinations):
    """An application's row of combinations: error, intervals and the projection's."""
    made = [
        {
            "division": division, "feature": feature, "error": off, "picks": picks,
            "share": sum(sum(INSTRUCTIONS[a:b]) for a, b, _ in picks) / sum(INSTRUCTIONS),
            "projection": [off, half, held],
        }
        for division, feature, off, picks, half, held in combinations
    ]  # fmt: skip
    return {"profile_s": 2.0, "choice_s": {"one": 0.5, "all": 1.0},
            "combinations": made}  # fmt: skip


ROWS = {
    # speed-ups 5, 1.25 and 1 / 0.7
    "One": row(("sync", "KN", 50.0, FIRST, None, None), ("sync", "BB", 4.0, LAST, 5.0, True),
               ("kernel", "BB-R", 0.0, EVERY_KIND, 1.0, True)),
    "Two": row(("sync", "KN", 8.0, FIRST, 2.0, False), ("sync", "BB", 2.0, LAST, 1.0, False),
               ("kernel", "BB-R", 6.0, EVERY_KIND, None, None)),
}  # fmt: skip
EXPLORED = {name: measuring.combinations(made) for name, made in ROWS.items()}
OWN = {
    "kernels": ["a", "a", "b", "b", "c"], "instructions": INSTRUCTIONS, "launch_cycles": CYCLES,
    "cycles": sum(CYCLES), "cpu_s": 30.0,
}  # fmt: skip


def result(names=tuple(ROWS)):
    chosen, rows = measuring.places(EXPLORED), []
    for name in names:
        made = ROWS[name if name in ROWS else "One"]
        others = [
            (Run(TRIALS, "seed 7", None), {**OWN, "instructions": [20, 10, 20, 20, 30]}),
            (Run(CLOCK, "350 MHz", None), OWN),
            (Run(OTHER, "v100", None), {**OWN, "launch_cycles": [5, 5, 20, 20, 120]}),
            (Run(OTHER, "a100", None), {"problem": "does not fit"}),
        ]
        own = name if name in ROWS else "One"
        estimate = {"launch_cycles": [10, 10, 20, 20, 40], "estimated": 3, "cpu_s": 1.5}
        rows.append(measuring.application(
            name, "some:tiny", made, OWN, chosen[own], others,
            measuring.estimates_of(estimate, OWN, made)))  # fmt: skip
    every = gtpin.intervals_of("all", [(1.0, None, None), (2.0, 4.0, True), (4.0, 2.0, False)])
    return GtpinResult(rows=tuple(rows), every_interval=every)


def test_errors_are_of_the_run_that_is_projected():
    assert measuring.error_of(EVERY_KIND, CYCLES, INSTRUCTIONS) == pytest.approx(0.0)
    assert measuring.error_of(FIRST, CYCLES, INSTRUCTIONS) == pytest.approx(100 * 1.2 / 2.2)
    # 0.2 * 0.5 + 0.4 * 2 + 0.4 * 4 = 2.5 cycles an instruction, and 2.2 in truth
    other = measuring.error_of(EVERY_KIND, CYCLES, [20, 10, 20, 20, 30])
    assert other == pytest.approx(100 * 0.3 / 2.2)


@pytest.mark.slow
def test_errors_are_those_of_the_selection_that_was_made():
    launches = sampled_launches("sha256-mining:tiny").launches
    cycles = [one.warp_instructions + 1000.0 * one.number for one in launches]
    made = select(launches, "kernel", "KN", max_clusters=2)
    instructions = [one.warp_instructions for one in launches]
    own = measuring.error_of(measuring.picks(made), cycles, instructions)
    assert own == pytest.approx(error(made, cycles))
    assert own > 0


def test_figures_of_what_each_way_chooses():
    found = result()
    one, two = found.rows
    # means of combinations are 29, 3 and 3 percent, and the last one measures less than the second
    assert {one.universal.name, two.universal.name} == {"kernel x BB-R"}
    assert (two.least_error.name, two.threshold10.name) == ("sync x BB", "sync x KN")
    assert found.by_way["least_error"]["error"] == 1.0
    assert found.by_way["threshold10"]["speed-up"] == pytest.approx((1 / 0.7 + 5) / 2)
    thresholds = {own[WHAT]: own for own in found.thresholds}
    assert [thresholds[w]["within"] for w in ("0.5 %", "1 %", "2 %")] == [1, 1, 2]
    assert thresholds["7 %"]["error"] == pytest.approx((0 + 6) / 2)
    assert thresholds["8 %"]["error"] == pytest.approx((0 + 8) / 2)
    assert [own[WHAT] for own in found.universals] == ["kernel x BB-R", "sync x BB", "sync x KN"]
    assert found.saved_s == pytest.approx(30 * 0.3 + 30 * 0.2)
    assert found.costs == {"one_s": pytest.approx(100 / 15), "all_s": pytest.approx(200 / 15),
                           "profile_s": pytest.approx(400 / 15)}  # fmt: skip
    every = found.every_interval
    assert (every.known, every.held_share, every.half_width, every.error) == (2, 50.0, 3.0, 2.0)


def test_estimates_of_a_cycle_an_instruction_choose_the_smallest():
    found = result().rows[0].estimate
    assert found.off == pytest.approx(100 * (100 / 220 - 1))
    assert (found.threshold10.name, found.threshold10.error) == ("sync x KN", 50.0)


def test_selections_in_other_runs():
    found = {(one[WHAT], one["judged with"]): one for one in result().validation}
    trials, machines = (found["the least error of each", kind] for kind in (TRIALS, OTHER))
    assert (trials["pairs"], trials["known"], machines["known"]) == (2, 2, 2)
    # of One every kind of launch: 2.5 cycles an instruction instead of 2.2, of Two the last ones
    last = 0.6 * 2 + 0.4 * 4 - 2.2
    assert trials["error"] == pytest.approx(fmean((100 * 0.3 / 2.2, 100 * last / 2.2)))
    assert machines["worst"] == pytest.approx(100 * (0.6 * 1 + 0.4 * 3 - 1.7) / 1.7)
    assert machines["where"] == "Two, v100"
    assert machines[gtpin.NEARLY] == 50.0
    assert {(one.application, one.run, one.why) for one in result().unknown} == {
        ("One", "a100", "does not fit"), ("Two", "a100", "does not fit"),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("kernels", "why"),
    [("aabb", "4 launches instead of 5"), ("aabcc", "launch 3 is of c instead of b")],
)
def test_other_launches_are_unknown(kernels, why):
    other = {**OWN, "kernels": list(kernels)}
    found = measuring.judged(FIRST, OWN, Run(TRIALS, "seed 7", None), other)
    assert (found.error, found.why) == (None, why)


def test_the_best_combination_of_the_others_is_judged_by_those_put_aside():
    names = ["Two", *(f"One {k}" for k in range(9))]
    found = result(names)
    aside = put_aside(names)
    assert len(aside) == 3
    own = {one[WHAT].split(":")[0]: one for one in found.aside
           if one[WHAT].endswith(": put aside")}  # fmt: skip
    best = next(own[key] for key in own if "best for the others" in key)
    others = [row for row in found.rows if row.application not in aside]
    means = {c.name: sum(row.combinations[k].error for row in others)
             for k, c in enumerate(others[0].combinations)}  # fmt: skip
    assert best[WHAT].startswith(min(means, key=means.get))
    assert best["applications"] == 3
    assert result().aside == ()


def test_the_page_and_its_pictures(tmp_path):
    found = Measured(result(), {"computer": {"processor": "a CPU", "python": "3"}})
    BENCHMARK.write(found, tmp_path)
    text = (tmp_path / "gtpin.md").read_text("utf-8")
    assert "| least errors: mean, % | \\<= 0.3 | - | 1 | MISSED |" in text
    assert "| One | some:tiny | 5 | kernel x BB-R | 0.00 % | 1.43 |" in text
    assert "| Two | a100 | does not fit |" in text
    assert "| CPU s of clustering ten thousand launches" in text
    named = {part.split(")")[0] for part in text.split("](gtpin/")[1:]}
    assert named == {path.name for path in (tmp_path / "gtpin").iterdir()}
    assert len(named) == 4


def test_applications_and_clocks_are_those_of_the_paper():
    assert len(measuring.known_applications()) == 25
    found = measuring.runs("julia:tiny")
    settings = [run.point.inputs["options"]["settings"] for run in found if run.kind == CLOCK]
    own = [one["clock.sm_mhz"] for one in settings]
    assert own == [round(876 * c / 1150, 1) for c in gtpin.CLOCKS]
    assert tuple(run.label for run in found[1:]) == gtpin.RUNS
    assert [run.point.inputs["options"]["sizes"] for run in found[:2]] == [{}, {"seed": 7}]


@pytest.mark.slow
def test_a_tiny_application_goes_through_everything(tmp_path):
    targets = {"Tiny": "sha256-mining:tiny"}
    request = Request(store=str(tmp_path / "s.db"))
    found = measuring.study(targets, request, (350,), ("v100",))
    (one,) = found.rows
    assert len(one.combinations) == 30
    assert one.launches > 1
    judged = {each.run: each for each in one.least_error.judged}
    assert (judged["seed 7"].error is None) is (judged["seed 7"].why is not None)
    assert judged["350 MHz"].error >= 0.0
    assert judged["v100"].error >= 0.0
    assert one.estimate.estimated <= one.launches
    assert measuring.study(targets, request, (350,), ("v100",)) == found


@pytest.mark.slow
def test_choosing_of_many_launches_is_timed():
    assert measuring.many_row("sha256-mining:tiny", 40)["slowest_s"] > 0.0
