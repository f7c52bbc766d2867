"""Speeds beside their history: what is told, what fails, and what a run adds. Nothing is timed."""

import json

import pytest

from warpmill.benchmarks import speed
from warpmill.benchmarks.speed import measuring
from warpmill.benchmarks.speed.history import append, beside, read

HERE = {"processor": "a", "cores": 2, "python": "3.11"}
ELSEWHERE = {**HERE, "cores": 64}


def runs(*ratios, computer=HERE, accepted=()):
    """Runs of one measure, at commits c0, c1 …; ``accepted``: the places of those that say so."""
    return [
        {"commit": f"c{k}", "computer": computer, "measures": {"m": {"ratio": ratio}},
         "accepted": ["m"] * (k in accepted)}
        for k, ratio in enumerate(ratios)
    ]  # fmt: skip


def held(ratio, history, *, is_time=False, name="m"):
    return beside(name, ratio, history, HERE, is_time=is_time)


@pytest.mark.parametrize("is_time", [False, True])
def test_a_share_of_speed_that_was_lost(is_time):
    verdicts = {-0.5: "held", 0: "held", 0.09: "held", 0.11: "fell", 0.29: "fell", 0.31: "failed"}
    for lost, verdict in verdicts.items():
        ratio = 200 / (1 - lost) if is_time else 200 * (1 - lost)
        found = held(ratio, runs(200, 200, 200), is_time=is_time)
        assert (found.verdict, found.change) == (verdict, pytest.approx(-lost))
    assert held(1, []).verdict == held(1, runs(100), name="another").verdict == "new"


def test_it_is_held_against_the_best_and_the_median_of_the_last_five():
    found = held(100, runs(100, 100, 125, 100, 100))
    assert (found.change, found.change_from_best) == (0, pytest.approx(-0.2))
    assert (found.best_commit, found.verdict) == ("c2", "fell")
    assert held(50, runs(*[100] * 9, *[50] * 5)).change == 0
    assert held(100, runs(100, 80, 100), is_time=True).best_commit == "c1"


def test_a_creep_below_what_is_told_is_seen_from_the_best_and_then_fails():
    ratios, verdicts = [100.0], []
    while len(verdicts) < 12:
        ratios.append(ratios[-1] * 0.96)
        found = held(ratios[-1], runs(*ratios[:-1]))
        verdicts.append(found.verdict)
        assert found.change > -0.12
    assert verdicts == ["held"] * 2 + ["fell"] * 6 + ["failed"] * 4  # 0.96**9 = 0.69


def test_runs_of_another_computer_are_shown_and_fail_nothing():
    found = held(10, runs(100, 100, computer=ELSEWHERE))
    assert (found.verdict, found.same_computer) == ("fell", False)
    assert held(20, runs(100, computer=ELSEWHERE) + runs(20)).change == 0


def test_an_accepted_loss_starts_the_history_anew():
    history = runs(100, 100, 60, 60, accepted=(2,))
    assert (held(60, history).verdict, held(60, history).best_commit) == ("held", "c2")
    assert held(60, runs(100, 100, 60, 60)).verdict == "failed"


def test_runs_are_lines_with_sorted_keys(tmp_path):
    file = tmp_path / "new" / "speed.jsonl"
    assert read(file) == []
    for run in runs(1.5, 2):
        append(file, run)
    assert read(file) == runs(1.5, 2)
    assert file.read_text().splitlines()[0] == json.dumps(runs(1.5)[0], sort_keys=True)


def test_the_least_seconds_of_a_part_count_and_parts_alike():
    rounds = iter([[(8, 4.0), (9, 1.0)], [(8, 2.0), (9, 3.0)]])
    seconds = iter([0.5, 0.25, 0.75])
    measure = {"rounds": 2, "unit": "launches/s"}
    found = measuring.measured(lambda: next(rounds), lambda: next(seconds), measure)
    assert found == {"value": pytest.approx(6), "reference_s": 0.25, "ratio": pytest.approx(1.5)}
    found = measuring.measured(lambda: [(1, 0.5)], lambda: 0.25, {"rounds": 1, "unit": "ms"})
    assert found == {"value": pytest.approx(500), "reference_s": 0.25, "ratio": pytest.approx(2)}


def test_the_table_names_what_there_is():
    for measure in speed.measures().values():
        assert measure["set"] in {"quick", "full"}
        assert measure["reference"] in measuring.REFERENCES
        assert measure["unit"] in measuring.SCALES or measure["unit"].endswith("/s")
        assert callable(getattr(measuring, measure["call"]))


@pytest.fixture
def command(monkeypatch, tmp_path):
    """The command line with a history in a folder, and ratios that are given, not measured."""
    monkeypatch.setattr(speed, "HISTORY", tmp_path / "speed.jsonl")
    monkeypatch.setattr(speed, "git", lambda *_: "abc")

    def run(figure, *words):
        monkeypatch.setattr("sys.argv", ["speed", "--only", "sweep", *words])
        monkeypatch.setattr(speed, "measured", lambda *_: figure)
        return speed.main()

    return run


def figure(ratio):
    return {"ratio": ratio, "value": ratio, "reference_s": 1.0}


def test_a_run_is_recorded_and_a_loss_ends_with_1_until_it_is_accepted(command, capsys):
    assert command(figure(100), "--record") == 0
    assert command(figure(89)) == 0
    assert "-11.0% from the last five, -11.0% from the best at abc: fell" in capsys.readouterr().out
    assert command(figure(69)) == 1
    assert "failed" in capsys.readouterr().out
    assert command(figure(69), "--record", "--accept", "sweep") == 0
    assert command(figure(69)) == 0
    assert [run["accepted"] for run in read(speed.HISTORY)] == [[], ["sweep"]]
    assert command({"error": "ValueError: no"}, "--record") == 1
    assert "ValueError: no" in capsys.readouterr().out
    assert len(read(speed.HISTORY)) == 2


def test_commits_are_compared_tree_by_tree(monkeypatch, capsys, tmp_path):
    figures = {speed.ROOT: figure(120), tmp_path / "tree": figure(100)}
    monkeypatch.setattr(speed, "git", lambda *_: "")
    monkeypatch.setattr(speed, "measured", lambda _, tree, __: figures.get(tree, figure(100)))
    monkeypatch.setattr("sys.argv", ["speed", "--only", "sweep", "--compare", "abc"])
    assert speed.main() == 0
    assert "this tree" in (text := capsys.readouterr().out)
    assert "+20.0%" in text
