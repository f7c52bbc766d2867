"""The figures of benchmarks/gtpin.py, from rows by hand; a tiny application through everything."""

import json

import pytest

from benchmarks import gtpin
from benchmarks.gtpin_parts import costs, exploring, figures, measuring, page, tables, validation
from benchmarks.gtpin_parts.goals import goals_met
from benchmarks.gtpin_parts.many import many
from benchmarks.gtpin_parts.runs import CLOCKS, runs
from warpmill.session.sampled_launches import sampled_launches
from warpmill.simulator.sampling.gtpin import error, select

INSTRUCTIONS = [10, 10, 20, 20, 40]
CYCLES = [10, 10, 40, 40, 120]
"""1, 2 and 3 cycles an instruction: 2.2 of the whole."""
KERNELS = {"kernels": ["a", "b", "c"], "kernel_of": [0, 0, 1, 1, 2]}
EVERY_KIND = [[0, 1, 0.2], [2, 3, 0.4], [4, 5, 0.4]]
FIRST = [[0, 2, 1.0]]
LAST = [[2, 4, 0.6], [4, 5, 0.4]]


def row(*combinations):
    """Make an application's row of combinations: error, intervals and the projection's."""
    made = [
        {
            "division": division, "feature": feature, "error": off, "units": 5, "picks": picks,
            "share": sum(sum(INSTRUCTIONS[a:b]) for a, b, _ in picks) / sum(INSTRUCTIONS),
            "projection": {"error": off, "half_width": half, "held": held},
        }
        for division, feature, off, picks, half, held in combinations
    ]  # fmt: skip
    work = {**KERNELS, "instructions": INSTRUCTIONS}
    return {**work, "profile_s": 2.0, "choice_s": {"one": 0.5, "all": 1.0}, "combinations": made}


SMALL = ("sync", "KN", 50.0, FIRST, None, None)
LARGE = ("sync", "BB", 4.0, LAST, 5.0, True)
BEST = ("kernel", "BB-R", 0.0, EVERY_KIND, 1.0, True)
ONE = row(SMALL, LARGE, BEST)
"""Speed-ups 5, 1.25 and 1 / 0.7."""
TWO = row(("sync", "KN", 8.0, FIRST, 2.0, False), ("sync", "BB", 2.0, LAST, 1.0, False),
          ("kernel", "BB-R", 6.0, EVERY_KIND, None, None))  # fmt: skip


def explored():
    return {"One": figures.explored_of(ONE), "Two": figures.explored_of(TWO)}


def studied(name, made):
    own = {"launch_cycles": CYCLES, "cycles": sum(CYCLES), "cpu_s": 30.0}
    faster = {"launch_cycles": [5, 5, 20, 20, 120]}
    return {
        "application": name, "target": f"{name.lower()}:tiny", "row": made, "times": own,
        "estimate": {"launch_cycles": [10, 10, 20, 20, 40], "estimated": 3, "cpu_s": 1.5},
        "others": [
            ("trials", "seed 7", own, {**made, "instructions": [20, 10, 20, 20, 30]}),
            ("clocks", "350 MHz", own, made),
            ("machines", "v100", faster, made),
            ("machines", "a100", {"problem": "does not fit"}, made),
        ],
    }  # fmt: skip


# -------------------------------------------------------------------------------------- figures


def test_chosen_intervals_and_what_lies_between_are_the_whole():
    made = figures.selection_of([[4, 5, 0.4], [1, 2, 0.6]], INSTRUCTIONS)
    assert [(u.first, u.end, u.warp_instructions) for u in made.units] == [
        (0, 1, 10), (1, 2, 10), (2, 4, 40), (4, 5, 40)
    ]  # fmt: skip
    assert made.launches == (1, 4)
    assert made.sample_share == 0.5


def test_errors_are_of_the_run_that_is_projected():
    assert figures.error_of(EVERY_KIND, CYCLES, INSTRUCTIONS) == pytest.approx(0.0)
    assert figures.error_of(FIRST, CYCLES, INSTRUCTIONS) == pytest.approx(100 * 1.2 / 2.2)
    # 0.2 * 0.5 + 0.4 * 2 + 0.4 * 4 = 2.5 cycles an instruction, and 2.2 in truth
    other = figures.error_of(EVERY_KIND, CYCLES, [20, 10, 20, 20, 30])
    assert other == pytest.approx(100 * 0.3 / 2.2)


@pytest.mark.slow
def test_errors_are_those_of_the_selection_that_was_made():
    launches = sampled_launches("sha256-mining:tiny").launches
    cycles = [one.warp_instructions + 1000.0 * one.number for one in launches]
    made = select(launches, "kernel", "KN", max_clusters=2)
    own = figures.error_of(
        exploring.picks(made), cycles, [one.warp_instructions for one in launches]
    )
    assert own == pytest.approx(error(made, cycles))
    assert own > 0


def test_each_way_chooses():
    found = figures.places(explored())
    # means are 29, 3 and 3 percent, and the last one measures less than the second
    assert found["One"] == {"least_error": 2, "threshold10": 2, "universal": 2}
    assert found["Two"] == {"least_error": 1, "threshold10": 0, "universal": 2}


def test_means_of_errors_and_speedups():
    found = figures.summary([1.0, 2.0, 6.0], [1.0, 4.0, 16.0])
    assert found["error"] == 3.0
    assert (found["error_median"], found["worst_error"]) == (2.0, 6.0)
    assert (found["speedup"], found["speedup_min"], found["speedup_max"]) == (7.0, 1.0, 16.0)
    assert found["speedup_geomean"] == pytest.approx(4.0)
    assert found["share"] == pytest.approx((1 + 0.25 + 0.0625) / 3)


def test_thresholds_take_the_smallest_within():
    found = {one["threshold"]: one for one in figures.by_threshold(explored())}
    assert (found[None]["error"], found[0.5]["error"]) == (1.0, 1.0)
    assert (found[0.5]["within"], found[1.0]["within"], found[2.0]["within"]) == (1, 1, 2)
    assert found[7.0]["error"] == pytest.approx((0 + 6) / 2)  # 1 / 0.7 instead of 1.25
    assert found[8.0]["error"] == pytest.approx((0 + 8) / 2)
    assert found[8.0]["speedup"] == pytest.approx((1 / 0.7 + 5) / 2)


def test_kinds_of_what_was_chosen():
    one = figures.explored_of(ONE)
    found = figures.chosen_kinds([one[0], one[2], one[2]])
    assert found["divisions"] == {"sync": 1, "instructions": 0, "kernel": 2}
    assert (found["kernel_features"], found["memory_features"]) == (1, 2)


def test_intervals_that_are_unknown_count_apart():
    found = figures.intervals([one["projection"] for one in (*ONE["combinations"],
                                                             *TWO["combinations"])])  # fmt: skip
    assert (found["of"], found["unknown"], found["held"]) == (6, 2, 2)
    assert found["held_share"] == 50.0
    assert (found["median_half_width"], found["median_error"]) == (1.5, 5.0)


# ----------------------------------------------------------------------------------- validation


def work(*names, instructions=None):
    kinds = list(dict.fromkeys(names))
    executed = instructions or [10] * len(names)
    return {"kernels": kinds, "kernel_of": [kinds.index(n) for n in names],
            "instructions": executed}  # fmt: skip


OWN = work(*"aabbc")


def test_the_same_launches_are_judged_by_their_own_instructions():
    other = work(*"aabbc", instructions=[20, 10, 20, 20, 30])
    found = validation.judged(EVERY_KIND, OWN, {"launch_cycles": CYCLES}, other)
    assert found == {"error": pytest.approx(100 * 0.3 / 2.2)}


@pytest.mark.parametrize(
    ("other", "reason"),
    [(work(*"aabb"), "4 launches instead of 5"), (work(*"aabcc"), "launch 3 is of c instead of b")],
)
def test_other_launches_are_unknown(other, reason):
    found = validation.judged(EVERY_KIND, OWN, {"launch_cycles": CYCLES}, other)
    assert found["unknown"] == reason


def test_launches_that_are_found_at_their_places_have_an_error_all_the_same():
    times = {"launch_cycles": [10, 10, 10, 10, 10, 70]}
    found = validation.judged(FIRST, OWN, times, work(*"aabbca"))
    assert found == {"unknown": "6 launches instead of 5", "found": pytest.approx(50.0)}
    assert "found" not in validation.judged(FIRST, OWN, times, work(*"abbbca"))
    idle = work(*"aabbca", instructions=[0, 0, 10, 10, 10, 10])
    assert "found" not in validation.judged(FIRST, OWN, times, idle)


def test_what_could_not_be_measured_is_unknown():
    problem = {"problem": "does not fit"}
    assert validation.judged(FIRST, OWN, problem, OWN) == {"unknown": "does not fit"}
    times = {"launch_cycles": CYCLES}
    assert validation.judged(FIRST, OWN, times, problem) == {"unknown": "does not fit"}


def test_pairs_under_three_percent_are_of_those_known():
    found = validation.summary(
        [
            ("A", "v100", {"error": 2.9}),
            ("B", "v100", {"error": 3.0}),
            ("C", "a100", {"error": 1.0}),
            ("D", "a100", {"unknown": "why", "found": 2.0}),
            ("E", "a100", {"unknown": "how"}),
        ]
    )
    assert (found["pairs"], found["known"], found["under"]) == (5, 3, 2)
    assert found["under_share"] == pytest.approx(200 / 3)
    assert found["worst"] == [3.0, "B", "v100"]
    assert found["unknown"] == [["D", "a100", "why"], ["E", "a100", "how"]]
    assert (found["found"]["of"], found["found"]["under"]) == (1, 1)


def test_nothing_known_is_no_share():
    found = validation.summary([("A", "v100", {"unknown": "why"})])
    assert (found["under_share"], found["worst"], found["error"]) == (None, None, None)


# ------------------------------------------------------------------------- costs, estimates, goals


def test_costs_are_beside_what_is_saved():
    one = {"simulation_s": 100.0, "saved_s": 90.0, "profile_s": 3.0,
           "choice_s": {"one": 0.9, "all": 9.0}}  # fmt: skip
    two = {**one, "saved_s": 10.0, "choice_s": {"one": 0.1, "all": 2.0}}
    found = costs.summed_costs([one, two])
    assert found["all_percent"] == pytest.approx(11.0)
    assert found["all_worst_percent"] == pytest.approx(20.0)
    assert (found["one_percent"], found["profile_percent"]) == (pytest.approx(1.0), 6.0)


def test_estimates_judge_and_choose():
    own = figures.explored_of(ONE)
    found = costs.estimates_of(
        studied("One", ONE), {"least_error": 2, "threshold10": 1, "universal": 0}, own
    )
    # estimates of a cycle an instruction find no error anywhere: the smallest is chosen
    assert found["errors"] == {way: pytest.approx(0.0) for way in figures.WAYS}
    assert found["off"] == pytest.approx(100 * (100 / 220 - 1))
    chosen = found["chosen"]["threshold10"]
    assert (chosen["feature"], chosen["error"], chosen["speedup"]) == ("KN", 50.0, 5.0)
    problem = {**studied("One", ONE), "estimate": {"problem": "too large"}}
    assert costs.estimates_of(problem, {}, own) == {"unknown": "too large"}


def test_what_is_unknown_reaches_no_goal():
    made = measuring.result([studied("One", ONE), studied("Two", TWO)], [])
    met = {goal["figure"]: goal["reached"] for goal in made["goals"]}
    assert met["least_error.error"] is False  # 1 %
    assert met["validation.least_error.machines.under_share"] is False
    made["validation"]["least_error"]["machines"]["under_share"] = None
    made["least_error"]["error"] = 0.3
    again = {goal["figure"]: goal for goal in goals_met(made)}
    assert again["least_error.error"]["reached"]
    assert not again["validation.least_error.machines.under_share"]["reached"]


# ------------------------------------------------------------------------------------ the whole


@pytest.mark.slow
def test_the_page_says_what_the_result_says(tmp_path):
    made = measuring.result([studied("One", ONE), studied("Two", TWO)], [])
    made = {**json.loads(json.dumps(made)), "computer": {"processor": "a CPU", "python": "3"}}
    page.write(made, tmp_path)
    text = (tmp_path / "gtpin.md").read_text("utf-8")
    assert "| mean error of the least errors, % | <= 0.3 | 1.00 | NO |" in text
    assert "| One | one:tiny | 5 | kernel x BB-R | 0.00 % | 1.43 |" in text
    assert "| One, Two | a100 | does not fit |" not in text
    assert "| Two | a100 | does not fit |" in text
    named = {part.split(")")[0] for part in text.split("](gtpin/")[1:]}
    assert named == {path.name for path in (tmp_path / "gtpin").iterdir()}
    assert len(named) == 4


def test_lines_of_the_table_are_alike():
    made = measuring.result([studied("One", ONE), studied("Two", TWO)], [["Three", "too large"]])
    first, head, one, two, *_ = tables.table(made)
    assert first.split() == ["Three", "too", "large"]
    assert len(head) == len(one) == len(two)


def test_applications_are_those_of_the_paper():
    assert len(gtpin.known_applications()) == 25
    assert list(gtpin.chosen(["julia"]).values()) == ["Throughput Juliaset"]
    assert len(gtpin.chosen(["Crypto Aes128", "video"])) == 8
    with pytest.raises(SystemExit, match="no such application: nothing"):
        gtpin.chosen(["nothing"])


def test_runs_are_at_the_paper_s_clocks():
    found = runs("julia:tiny")
    settings = [run.point.inputs["settings"] for run in found if run.kind == "clocks"]
    own = [one["clock.sm_mhz"] for one in settings]
    assert own == [round(876 * c / 1150, 1) for c in CLOCKS]
    (trial,) = (run for run in found if run.kind == "trials")
    assert (trial.target, trial.sizes) == ("julia:tiny", {"seed": 7})
    assert trial.point.inputs["sizes"] == {"seed": 7}
    assert "sizes" not in found[0].point.inputs


@pytest.mark.slow
def test_a_tiny_application_goes_through_everything(tmp_path):
    store, wanted = tmp_path / "s.db", {"sha256-mining:tiny": "Tiny"}
    options = {"clocks": (350,), "machines": ("v100",)}
    told = []
    found = measuring.measure(wanted, store, 1, told.append, **options)
    (one,) = found["rows"]
    assert (one["application"], len(one["combinations"])) == ("Tiny", 30)
    assert one["launches"] > 1
    judged = one["least_error"]["validation"]
    assert judged["trials"]["seed 7"].keys() <= {"error", "unknown", "found"}
    assert judged["trials"]["seed 7"]
    assert judged["clocks"]["350 MHz"]["error"] >= 0.0
    assert judged["machines"]["v100"]["error"] >= 0.0
    assert one["estimate"]["estimated"] <= one["launches"]
    again = measuring.measure(wanted, store, 1, told.append, **options, only_known=True)
    assert again == found


def test_what_was_not_simulated_is_named(tmp_path):
    found = measuring.measure(
        {"sha256-mining:tiny": "Tiny"}, tmp_path / "s.db", 1, str, only_known=True
    )
    assert found["unknown"] == [["Tiny", "not simulated yet"]]
    assert found["rows"] == []
    assert list(tables.table(found)) == ["Tiny                    not simulated yet"]


@pytest.mark.slow
def test_choosing_of_many_launches_is_timed():
    found = many("sha256-mining:tiny", 40)
    assert found["launches"] == 40
    assert found["slowest_s"] == max(found["gtpin_s"].values()) > 0.0
    assert len(found["gtpin_s"]) == 10
    assert found["tbpoint_s"] > 0.0
