"""What benchmarks/stargazer.py sums up, its tables and its page, from rows by hand."""

import json

import pytest

from benchmarks.stargazer_parts import (
    accuracy,
    figures,
    measuring,
    others,
    page,
    page_tables,
    page_words,
    plots,
    speed,
)
from benchmarks.stargazer_parts.beside import gain, paper_figures
from benchmarks.stargazer_parts.goals import goals_met
from benchmarks.stargazer_parts.samples import ADJUSTED, NAMES, Series, Simulated
from benchmarks.stargazer_parts.tables import table
from warpmill.exploring.space_file import space_called

# ------------------------------------------------------------------------------- goals and sums


def test_goals_are_at_most_or_at_least():
    made = {"mean_error_300": 1.1, "worst_error_300": 3.81, "mean_r_squared": 0.976,
            "max_error_300_without_aes": None, "speed": {"simulations": {"seconds": 601.0},
                                                         "models": None}}  # fmt: skip
    met = {goal["figure"]: goal["reached"] for goal in goals_met(made)}
    assert met == {
        "mean_error_300": True, "worst_error_300": False, "worst_error_300_adjusted": False,
        "max_error_300": False, "max_error_300_without_aes": False, "worst_error_60": False,
        "mean_r_squared": True, "speed.simulations.seconds": False, "speed.models.fit_s": False,
        "speed.models.predict_s": False,
    }  # fmt: skip
    low = {goal["figure"]: goal["reached"] for goal in goals_met({"mean_r_squared": 0.9759})}
    assert low["mean_r_squared"] is False


def judged_row(mean, r_squared=0.99):
    """Make a row whose errors are those of 300 samples times 10 over the samples' tens."""
    each = [
        {"samples": size, "mean": mean * 300 / size, "max": 4 * mean * 300 / size,
         "quantiles": {"0.75": 1.5 * mean, "0.98": 3 * mean}, "unknown": 330 // size - 1,
         "r_squared": r_squared, "adjusted_r_squared": r_squared, "parameters": 4, "pairs": 3,
         "held": 0.9 if mean < 2 else 0.8}
        for size in accuracy.SIZES
    ]  # fmt: skip
    smaller = [{**one, "mean": one["mean"] / 2, "max": one["max"] / 2, "unknown": 0, "pairs": 1}
               for one in each]  # fmt: skip
    terms = {"0": {"r_squared": 0.9, "terms": [("simd", 0.6), ("#blk", 0.2), ("#blk:simd", 0.1)]},
             "0.01": {"r_squared": 0.8, "terms": [("simd", 0.6), ("#blk", 0.2)]}}  # fmt: skip
    wide = {"samples": 167, "r_squared": 0.7, "terms": [("#blk", 0.45), ("smp", 0.25)]}
    kind = {"mean": 5 * mean, "max": 50 * mean}
    return {
        "accuracy": {"0": each, "0.01": smaller}, "three_factors": {"mean": 2.5, "max": 20.0},
        "others": [{"samples": size, **dict.fromkeys(others.KINDS, kind)} for size in (60, 300)],
        "contributions": terms, "contributions_of_wide": {"0": wide, "0.01": wide},
    }  # fmt: skip


MEANS = {"AES": 3.0, ADJUSTED: 0.75, "LPS": 1.5, "matmul": 2.0}


def judged_rows(*names):
    return {name: judged_row(MEANS[name]) for name in names or MEANS}


def test_the_adjusted_series_stands_beside_the_workloads():
    found = measuring.summary(judged_rows())
    assert found["mean_error_300"] == pytest.approx(6.5 / 3)
    assert found["worst_error_300"] == 3.0
    assert found["worst_error_300_adjusted"] == 2.0
    assert found["max_error_300"] == 12.0
    assert found["max_error_300_without_aes"] == 8.0
    assert found["worst_error_60"] == 10.0
    assert found["mean_error"]["30"] == pytest.approx(65 / 3)
    assert found["held_95"] == pytest.approx((0.8 + 0.9 + 0.8) / 3)
    assert found["at_0.01"]["worst_error_300"] == 1.5
    assert found["three_factors"] == 2.5
    assert found["others"]["forest"]["60"] == {
        "mean": pytest.approx(5 * 6.5 / 3), "worst": 15.0, "max": 150.0,
    }  # fmt: skip
    worse = {**judged_rows(), ADJUSTED: judged_row(9.0)}
    found = measuring.summary(worse)
    assert (found["mean_error_300"], found["worst_error_300"]) == (pytest.approx(6.5 / 3), 3.0)
    assert (found["worst_error_300_adjusted"], found["worst_error_60"]) == (9.0, 45.0)
    assert found["max_error_300_without_aes"] == 8.0


def test_without_other_workloads_what_is_without_aes_is_unknown():
    found = measuring.summary(judged_rows("AES", ADJUSTED))
    assert found["max_error_300_without_aes"] is None


TRACE = {
    "thresholds": [0.003, 0.0],
    "rows": [
        {"scores": {"#blk": [0.7, 0.69], "simd": [0.15, 0.14], "smp": None}, "chosen": "#blk",
         "r_squared": 0.7},
        {"scores": {"simd": [0.86, 0.85], "smp": [0.71, 0.6999]}, "chosen": "simd",
         "r_squared": 0.86},
        {"scores": {"simd:#blk": [0.87, 0.855], "smp": [0.9, 0.89]}, "chosen": "smp",
         "r_squared": 0.9},
        {"scores": {"smp:#blk": [0.95, 0.94], "smp:simd": [0.91, 0.9]}, "chosen": "smp:#blk",
         "r_squared": 0.95},
        {"scores": {"smp:simd": [0.951, 0.949]}, "chosen": None},
    ],
}  # fmt: skip


def curve(*values):
    blocks = [1, 2, 3, 4][: len(values)]
    return {"blocks": blocks, "values": list(values), "raw": [*values[:-1], -5000.0],
            "low": [v - 1 for v in values], "high": [v + 1 for v in values]}  # fmt: skip


@pytest.fixture
def measured(monkeypatch):
    """A function that measures workloads, of which nothing is simulated or fitted."""

    def measure(*names):
        named = {called: name for name, called in NAMES.items()}
        made = {n: Series(n, named.get(n, "aes-128"), (), ()) for n in names}
        facts = {n: {"workload": one.workload, "warp_instructions": 12345.0, "launches": 2,
                     "simulation_s": 9.5, "fastest_us": 50.0, "slowest_us": 200.0}
                 for n, one in made.items() if n != ADJUSTED}  # fmt: skip
        found = Simulated(space_called("stargazer"), made, facts)
        simulated = {"blocks": [1, 2, 3, 4], "time_us": [200.0, 100.0, 110.0, 110.01],
                     "adjusted_us": [200.0, 100.0, 80.0, 60.0]}  # fmt: skip
        lines = {
            "AES": curve(200.0, 150.0, 44.0, 110.0),
            ADJUSTED: curve(200.0, 101.0, 80.0, 60.0),
            "LPS": curve(100.0, 50.0, 45.0, 40.0),
            "RAY": curve(10.0, 2.0, 3.0, 3.0),
        }
        patches = {
            (measuring, "simulated"): lambda *_: found,
            (measuring, "of_series"): lambda one, _: judged_row(MEANS[one.name]),
            (figures, "trace"): lambda *_: TRACE,
            (figures, "along_blocks"): lambda *_: simulated,
            (figures, "predicted_along_blocks"): lambda one, _: lines[one.name],
            (speed, "of_simulations"): lambda *_: {
                "workload": "bfs-gpgpusim", "warp_instructions": 1e6, "points": 300, "workers": 2,
                "seconds": 123.0},
            (speed, "of_models"): lambda *_: {
                "fit_s": 1.25, "coefficients": 99, "points": 933120, "predict_s": 2.5,
                "predict_intervals_s": 7.5},
        }  # fmt: skip
        for (where, name), what in patches.items():
            monkeypatch.setattr(where, name, what)
        result = measuring.measure(names, None, 1, lambda _: None)
        return {**json.loads(json.dumps(result)), "computer": {"processor": "a CPU", "python": "3"}}

    return measure


# ---------------------------------------------------------------------------- tables and the page


def test_table_1_has_a_line_for_each_round():
    lines = page_tables.trace({"figures": {"table_1": TRACE}}).splitlines()
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]
    at = dict(zip(cells[0], range(len(cells[0])), strict=True))
    first, second, pairs, basic, chosen, refused = cells[2:]
    assert [first[at[name]] for name in ("#blk", "simd", "smp")] == ["**0.7000**", "0.1500", "-"]
    assert (first[0], first[-1]) == ("R²", "#blk: 0.7000")
    assert [second[at[name]] for name in ("#blk", "simd", "smp")] == ["", "**0.8500**", "0.6999"]
    assert (second[0], second[-1]) == ("adjusted R²", "#blk + simd: 0.8600")
    # the interaction was refused: it stands by itself, and the next parameter below
    assert (pairs[0], pairs[at["#blk"]], pairs[-1]) == ("adjusted R² of simd:", "0.8550", "")
    assert (basic[at["smp"]], basic[-1]) == ("**0.8900**", "#blk + simd + smp: 0.9000")
    assert (chosen[0], chosen[at["#blk"]]) == ("adjusted R² of smp:", "**0.9400**")
    assert (refused[at["simd"]], refused[-1]) == ("0.9490", "")
    assert page_tables.trace({"figures": {}}) == ""


def test_courses_say_where_time_rises():
    found = page_words.course([1, 2, 3, 4, 5], [10.0, 11.0, 8.0, 9.0, 9.001])
    assert found.rises == ("1 to 2 (+10.0%)", "3 to 4 (+12.5%)")
    assert found.level_from == 4
    falling = page_words.course([1, 2, 3], [3.0, 2.0, 1.0])
    assert (falling.rises, falling.level_from) == ((), None)


def test_predictions_are_farthest_off_somewhere():
    found = page_words.farthest([1, 2, 4], [100.0, 100.0, 50.0], [101.0, 90.0, 52.0])
    assert (found["blocks"], found["percent"]) == (2, "-10.0")
    assert found["mean"] == pytest.approx(5.0)


def test_curves_are_compared_where_samples_are():
    curves = {"LPS": {"blocks": [1, 2, 3], "values": [10.0, 8.0, -99.0]},
              "RAY": {"blocks": [1, 2, 3], "values": [10.0, 5.0, 5.0]}}  # fmt: skip
    found = page_words.sensitivities({"figures": {"figure_7": curves}})
    assert found == [("RAY", pytest.approx(50.0)), ("LPS", pytest.approx(20.0))]


def test_terms_are_stacked_under_one_name():
    """``simd:#blk`` and ``#blk:simd`` are one term; what is not named is among the others."""
    rows = judged_rows("AES", "LPS")
    rows["LPS"]["contributions"]["0"]["terms"] = [("#blk", 0.3), ("simd:#blk", 0.5), ("c$", 0.1)]
    result = {"rows": rows}
    named = plots.important(result, 3)
    # 0.6 of simd in one; of #blk 0.2 + 0.3 + 2 * 0.45; of both together 0.1 + 0.5
    assert named == ("#blk", "#blk:simd", "simd")
    found = plots.stacks(result, "contributions", named)
    assert found["LPS"] == {"#blk": 0.3, "#blk:simd": 0.5, "simd": 0.0, "others": 0.1}
    assert found["AES"]["others"] == 0.0


def test_the_papers_figures_are_beside_those_here(measured):
    found = measured("AES", ADJUSTED, "LPS", "matmul")
    rows = {words: here for words, _, here in paper_figures(found)}
    assert rows["AES: largest error, %"] == 12.0
    assert rows["others: 75 % of the errors are below, largest of all workloads, %"] == 3.0
    assert rows["workloads over 5 % with 60 samples (AES in the paper)"] == 3
    assert rows["what `simd` adds to R², mean of workloads"] == pytest.approx(0.6)
    assert rows["what `#blk` adds where `simd` is 32, mean"] == pytest.approx(0.45)
    assert rows["AES: what `smp` adds where `simd` is 32"] == 0.25
    assert rows["nw: what `smp` adds where `simd` is 32"] is None
    assert rows["matmul: R² at the end of Table 1"] == 0.95
    assert gain(found, "AES", "c$") == 0.0


@pytest.mark.slow
def test_the_page_says_what_the_result_says(measured, tmp_path, monkeypatch):
    made = measured("AES", ADJUSTED, "LPS", "matmul")
    why = {"mean_error_300": "the model is small", "mean_r_squared": "not shown: it is reached"}
    monkeypatch.setattr(page_tables, "EXPLANATIONS", why)
    page.write(made, tmp_path)
    text = (tmp_path / "stargazer.md").read_text("utf-8")
    assert "| mean error, 300 samples, % | <= 1.1 | 2.17 | NO |" in text
    assert "| mean R², 300 samples | >= 0.976 | 0.9900 | yes |" in text
    assert "| fitting a model, s | <= 2 | 1.25 | yes |" in text
    assert "Not reached: mean error, 300 samples; largest mean error, 60 samples" in text
    assert "- mean error, 300 samples, %: the model is small" in text
    assert "not shown" not in text
    assert "10 parameters, 933,120 points, on the machine `quadro_fx5800_gpgpusim`" in text
    assert "the same for all 3 workloads" in text
    assert "| AES | `aes-128` | 12,345 | 2 | 50.0 | 200 | 4.00 | 9.50 |" in text
    assert "| nw: what `smp` adds where `simd` is 32 | 0.996 | - |" in text
    assert "| LPS | (4, 3) | 15.0 | 7.50 | 3.00 | 1.50 | 60.0 | 30.0 | 12.0 | 6.00 |" in text
    assert "the mean error is 1.08 % instead of 2.17 %" in text
    assert "| 30 | 1.0 % | AES (10) | 83.3 % | AES (80.0 %) | 0.0 % | - |" in text
    assert "(167 of 500)" in text
    assert "`simd` adds the most in AES, AES-adj, LPS, matmul. Below" in text
    assert "| LPS | 0.8000 | simd 0.600, #blk 0.200 | 0.7000 | #blk 0.450, smp 0.250 |" in text
    assert "with θ = 0.003 and φ = 0." in text
    assert "it grows from 2 to 3 (+10.0%). From 3 on it is level." in text
    assert "AES-adj: the simulated time never grows as `#blk` rises." in text
    assert (
        "farthest off at 2\n  (+50.0 %), at all sixteen at 3 (-60.0 %; 27.5 % in the mean)" in text
    )
    assert "would\nsay -5,000 µs for AES at 4, -5,000 µs for AES-adj at 4." in text
    assert "LPS varies by 60.0 % of its longest time." in text
    assert "The fixed model is nearer in AES." in text
    assert "| random forest | 10.8 | 15.0 | 150 | 10.8 | 15.0 | 150 |" in text
    assert "takes 123 s in 2 processes" in text
    assert "(99 coefficients) takes 2.50 s, with intervals 7.50 s" in text
    named = {part.split(")")[0] for part in text.split("](stargazer/")[1:]}
    assert named == {path.name for path in (tmp_path / "stargazer").iterdir()}
    assert named == {f"figure_{k}.png" for k in (3, 4, 5, 6, 7)}


def test_which_curve_is_more_sensitive_is_read_off_the_data(measured, tmp_path, monkeypatch):
    monkeypatch.setitem(MEANS, "RAY", 1.0)
    made = measured("LPS", "RAY")
    text = page.page(made)
    assert "RAY is more sensitive to block concurrency; in the paper LPS is." in text
    made["figures"]["figure_7"]["RAY"]["values"] = [10.0, 9.0, 3.0, 9.0]
    assert "LPS is more sensitive to block concurrency, as in the paper." in page.page(made)


def test_what_was_not_measured_is_left_out_or_unknown(measured, tmp_path):
    made = measured("matmul")
    made["figures"] = {"figure_7": {}}
    made["speed"] = {"simulations": None, "models": None}
    made["goals"] = goals_met(made)
    page.write(made, tmp_path)
    text = (tmp_path / "stargazer.md").read_text("utf-8")
    assert "| 300 points on 2 cores, s | <= 600 | - | NO |" in text
    assert "| AES: R² | 0.902 | - |" in text
    assert "| matmul: R² at the end of Table 1 | 0.9745 | - |" in text
    assert "How long simulations take was not measured." in text
    assert "The tail of a short run" not in text
    assert "Which workload needs blocks" not in text
    names = sorted(path.name for path in (tmp_path / "stargazer").iterdir())
    assert names == ["figure_3.png", "figure_5.png", "figure_6.png"]


def test_pictures_are_the_same_bytes_again(measured, tmp_path):
    made = measured("AES", ADJUSTED)
    drawn = []
    for name in ("a", "b"):
        folder = tmp_path / name
        folder.mkdir()
        plots._figure_6(plots.new_pyplot(), made, folder / "x.png")
        drawn.append((folder / "x.png").read_bytes())
    assert drawn[0] == drawn[1]


def test_lines_of_the_table_are_alike(measured):
    made = measured("AES", ADJUSTED)
    head, one, other, *rest = table(made)
    assert head.index("what matters") == one.index("simd 0.600") == other.index("simd 0.600")
    assert "max_error_300_without_aes  - (θ" not in "\n".join(rest)
    assert any(line.startswith("max_error_300_without_aes") and " -" in line for line in rest)
    assert "mean R², 300 samples: 0.99, at least 0.976: reached" in rest
    assert any(line.startswith("simulations") and "seconds 123" in line for line in rest)
