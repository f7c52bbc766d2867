"""``warpmill tune`` as people call it: what it says is best, sets apart and refuses."""

import csv
import io
import json
import re
from pathlib import Path

import pytest

import warpmill
from tests.commands.test_cli_bad_input import fails
from warpmill.analyzer.base.diagnostics import InputError, UsageError
from warpmill.cli.main import main
from warpmill.commands.tune.page import lead
from warpmill.studies.model import PointOutcome
from warpmill.sweeps import sweep as sweeping

SAMPLES = Path(__file__).parents[2] / "samples"
VECADD, TRANSPOSE = (str(SAMPLES / name / "launch.toml") for name in ("vecadd", "transpose"))
CLANG = f"clang={SAMPLES / 'vecadd' / 'vecadd.sm_80.clang.ptx'}"
PTX = str(SAMPLES / "vecadd" / "vecadd.sm_80.ptx")
SMALL = ["--size", "n=4096"]
BLOCKS = ["--over", "block=64,128,256"]
TILES = ["--over", "block=32x4,32x8,64x4", "--size", "rows=64", "--size", "columns=96"]


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """Keep studies of a test to itself."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "warpmill" / "studies.db"


@pytest.fixture
def timed(monkeypatch):
    """Let an engine take as long as a block has threads, on v100 twice as long."""

    def estimated(estimators, machine):
        launch = estimators[0].job.required_launch()
        if launch.threads_per_cta == 256 and machine.name == "t4":
            raise InputError("it does not fit")
        time = launch.threads_per_cta * (2.0 if machine.name == "v100" else 1.0)
        facts = {"grid": list(launch.grid), "block": list(launch.block), "bound": "time (100%)"}
        return PointOutcome({"time_us": time, "occupancy_fraction": 0.5, "ctas_per_sm": 4.0}, facts)

    monkeypatch.setattr(sweeping, "estimated", estimated)


def report(capsys, *words):
    assert main(["tune", *words, "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def text(capsys, *words):
    assert main(["tune", *words]) == 0
    return capsys.readouterr().out


def flat(found):
    return " ".join(found.split())


def test_the_first_line_says_what_is_best(timed, capsys):
    found = text(capsys, VECADD, *SMALL, *BLOCKS, "-m", "a100,v100")
    assert flat(found).count("is 4.00 times as fast as the default (block=256)") == 2
    assert "a100: block=64 is 4.00 times as fast as the default" in found
    assert "64 µs instead of 256 µs, estimated" in flat(found)
    found = text(capsys, VECADD, *SMALL, "--over", "block=192,256", "-m", "a100")
    assert "a100: block=192 is 33% faster than the default (block=256)" in found
    found = text(capsys, VECADD, *SMALL, "--over", "block=256,512", "-m", "a100")
    assert "a100: the default (block=256) is as good as any\n" in found


def test_a_default_that_is_not_among_the_best_stands_below_them(timed, capsys):
    found = text(capsys, VECADD, *SMALL, *BLOCKS, "-m", "a100", "--top", "1")
    rows = [line.split() for line in found.splitlines() if re.match(r"  \d  ", line)]
    assert [(row[0], row[1], row[-1]) for row in rows] == [
        ("1", "64", "same"), ("3", "256", "default"),
    ]  # fmt: skip
    assert "and 1 more (--top, --verbose)" in found
    assert "1 choice behind the best 1 of a machine was not executed (--top N)" in flat(found)
    found = text(capsys, VECADD, *SMALL, *BLOCKS, "-m", "a100", "--top", "1", "--verbose")
    assert len([line for line in found.splitlines() if re.match(r"  \d  ", line)]) == 3


def test_a_default_that_does_not_run(timed, capsys):
    words = [VECADD, *SMALL, *BLOCKS, "-m", "t4,a100"]
    found = flat(text(capsys, *words))
    assert (
        "t4: block=64 is the fastest; the default (block=256) does not run: it does not fit"
        in found
    )
    assert "1 choice could not be measured: · variant=default block=256: it does not fit" in found
    one, _ = report(capsys, *words)["tuned"]["machines"]
    assert (one["outcome"], one["default"]["row"]["problem"]) == ("no default", "it does not fit")
    assert one["default"]["row"]["figures"] == {}
    assert one["default"]["row"]["rank"] is None
    assert [choice["speedup"] for choice in one["choices"]] == [None, None]
    assert [row["configuration"] for row in one["failures"]] == [
        {"variant": "default", "block": 256, "machine": "t4"}
    ]


def test_a_machine_on_which_nothing_runs(timed, capsys):
    words = [VECADD, *SMALL, "--over", "block=256", "-m", "t4,a100"]
    assert "t4: no choice can be measured" in text(capsys, *words)
    fails(
        capsys, ["tune", *words[:-1], "t4"], 2, "none of 1 choices could be measured: it does not"
    )


def test_what_computes_something_else_is_set_apart(capsys):
    words = [TRANSPOSE, *TILES, "-m", "a100"]
    found = flat(text(capsys, *words))
    assert "2 choices compute something else, and count for nothing:" in found
    assert "· block=32x4: its results differ; 4,608 of 6,144 elements of param_1 differ" in found
    assert "· block=64x4: it accesses memory out of bounds; `ld.shared.f32`" in found
    (one,) = report(capsys, *words)["tuned"]["machines"]
    assert [c["row"]["configuration"]["block"] for c in one["different"]] == ["32x4", "64x4"]
    assert [c["result"] for c in (*one["choices"], *one["different"])] == [
        "same", "different", "different",
    ]  # fmt: skip
    (one,) = report(capsys, *words, "--no-compare")["tuned"]["machines"]
    assert sorted(c["result"] for c in one["choices"]) == ["not executed", "same"]
    assert [c["is_default"] for c in one["choices"] if c["result"] == "same"] == [True]
    (wrong,) = one["different"]  # static traces tell it of this one
    assert wrong["row"]["configuration"]["block"] == "64x4"
    assert "past the end of a CTA's shared memory" in wrong["verdict"]["reason"]
    found = flat(text(capsys, *words, "--no-compare"))
    assert "nothing was executed (--no-compare)" in found


def test_json_has_the_figures_of_estimate_and_of_execution(capsys):
    found = report(capsys, VECADD, *SMALL, *BLOCKS, CLANG.join(["--variant=", ""]), "-m", "a100")
    assert [v["name"] for v in found["tuned"]["wanted"]["variants"]] == ["default", "clang"]
    (one,) = found["tuned"]["machines"]
    assert len(one["choices"]) == 6
    job = warpmill.prepare(VECADD, options=warpmill.LaunchOptions(sizes={"n": 4096}))
    wanted = warpmill.estimate(job, "a100")
    (default,) = [c for c in one["choices"] if c["is_default"]]
    assert default["row"]["figures"]["time_us"] == wanted.time_us
    assert default == one["default"]
    times = [c["row"]["figures"]["time_us"] for c in one["choices"]]
    assert times == sorted(times)
    assert [c["row"]["rank"] for c in one["choices"]] == [1, 2, 3, 4, 5, 6]
    for choice in one["choices"]:
        assert choice["speedup"] == pytest.approx(
            wanted.time_us / choice["row"]["figures"]["time_us"]
        )
    assert found["comparison"]["runs"] == 6
    assert found["comparison"]["tolerances"]["f32"] == 1e-4
    assert found["tuned"]["common"] is None


def test_runs_of_another_size_are_said(timed, capsys):
    words = [VECADD, *BLOCKS, "-m", "a100", "--compare-size", "n=512"]
    assert "3 runs at n=512; all buffers are compared" in flat(text(capsys, *words))
    assert report(capsys, *words)["comparison"]["sizes"] == {"n": "512"}


@pytest.mark.slow
def test_what_is_unknown_is_said(timed, capsys):
    words = [VECADD, *BLOCKS, "-m", "a100", "--max-compare-instructions", "10"]
    found = flat(text(capsys, *words))
    assert "a100: no choice is recommended: none that is faster is known to compute what" in found
    assert "block=64 would be 4.00 times as fast as the default (block=256) (64 µs, est" in found
    assert "whether it computes the same is unknown: vecadd ran for" in found
    assert "--max-compare-instructions moves the limit" in found
    one = report(capsys, *words)["tuned"]["machines"][0]
    assert (one["outcome"], one["best_rank"], one["uncompared_rank"]) == ("not compared", 3, 1)
    found = flat(text(capsys, VECADD, *SMALL, *BLOCKS, "-m", "a100,v100", "--no-compare"))
    assert found.count("no choice is recommended: nothing was compared (--no-compare)") == 2
    assert "best for all" not in found
    given = ["--grid", "16", "--block", "256", *["--arg", "buffer=f32:4096"] * 3, "--arg", "4096"]
    found = flat(text(capsys, PTX, *given, *BLOCKS, "-m", "a100"))
    assert "a100: block=64 is 4.00 times as fast as the default" in found
    assert "3 runs, of random numbers (--arg and launch files say what buffers hold)" in found


def test_one_choice_for_all(timed, capsys):
    words = [VECADD, *SMALL, *BLOCKS, "-m", "a100,v100"]
    found = text(capsys, *words)
    assert "best for all 2 machines: block=64, 4.00 times as fast as the default" in found
    assert "  block=64 is the best for each of them" in found
    found = report(capsys, *words)
    assert found["tuned"]["common"]["choice"] == {"block": 64}
    assert found["tuned"]["common_speedup"] == pytest.approx(4.0)
    found = text(capsys, VECADD, *SMALL, "--over", "block=256,512", "-m", "a100,v100")
    assert "best for all 2 machines: the default is as good as any" in found


def test_the_best_are_simulated(capsys):
    words = [VECADD, "--size", "n=2048", *BLOCKS, "-m", "v100", "--refine", "1"]
    found = text(capsys, *words)
    assert "Simulated" in found
    assert "in parentheses: by estimates" in found
    assert "  simulated execution: without launching, which the duration has in it\n" in found
    (one,) = report(capsys, *words)["tuned"]["machines"]
    job = warpmill.prepare(VECADD, options=warpmill.LaunchOptions(sizes={"n": 2048}))
    assert one["default"]["simulated_us"] == warpmill.simulate(job, "v100").time_us
    closer = [c for c in one["choices"] if c["simulated_us"] is not None]
    known = [c["simulated_us"] for c in closer]
    assert known == sorted(known)
    best = min(one["choices"], key=lambda c: (c["row"]["figures"]["time_us"], not c["is_default"]))
    assert {c["row"]["configuration"]["block"] for c in closer} == {
        best["row"]["configuration"]["block"],
        256,
    }
    limited = report(capsys, *words, "--max-cycles", "10")["tuned"]["machines"][0]
    assert all(c["simulated_us"] is None for c in limited["choices"])
    assert "--max-cycles" in limited["default"]["not_simulated"]
    assert "not simulated: " in text(capsys, *words, "--max-cycles", "10")


def test_what_is_neither_faster_nor_slower_has_no_sign():
    assert [lead(s) for s in (1.0, 0.99999, 1.00001)] == ["0.0%"] * 3
    assert [lead(s) for s in (0.9994, 1.12, 3.1)] == ["-0.1%", "+12.0%", "3.10 x"]


def test_csv_has_a_row_for_each_choice_of_each_machine(timed, capsys):
    assert main(["tune", VECADD, *SMALL, *BLOCKS, "-m", "t4,v100", "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(r["machine"], r["rank"], r["block"], r["result"]) for r in rows] == [
        ("t4", "1", "64", "same"), ("t4", "2", "128", "same"), ("t4", "", "256", "not measured"),
        ("v100", "1", "64", "same"), ("v100", "2", "128", "same"), ("v100", "3", "256", "same"),
    ]  # fmt: skip
    assert [r["mark"] for r in rows] == ["modelled"] * 2 + ["exact"] + ["modelled"] * 3
    assert rows[2]["reason"] == "it does not fit"
    words = [VECADD, *SMALL, "--over", "block=64", "-m", "a100", "--format", "csv"]
    assert main(["tune", *words]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(r["rank"], r["block"], r["is_default"]) for r in rows] == [
        ("", "256", "true"), ("1", "64", "false"),
    ]  # fmt: skip


def test_an_axis_that_is_called_as_a_column(timed, capsys, tmp_path):
    path = tmp_path / "l.toml"
    written = Path(VECADD).read_text().replace('"vecadd.', f'"{SAMPLES}/vecadd/vecadd.')
    written = written.replace("n =", "rank = 256\nn =", 1).replace("[256]", '["rank"]')
    path.write_text(written.replace("/ 256", "/ rank"))
    words = [str(path), *SMALL, "--over", "rank=64,256", "-m", "a100", "--format", "csv"]
    assert main(["tune", *words]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(r["rank"], r["axis.rank"], r["is_default"]) for r in rows] == [
        ("1", "64", "false"), ("2", "256", "true"),
    ]  # fmt: skip


def test_known_choices_are_not_measured_again_and_change_nothing(timed, capsys, cache):
    words = [VECADD, *SMALL, *BLOCKS, "-m", "a100"]
    assert main(["tune", *words]) == 0
    first = capsys.readouterr()
    assert first.err.splitlines()[0] == f"0 known, 3 to measure; kept in {cache}"
    assert main(["tune", *words]) == 0
    again = capsys.readouterr()
    assert again.err.splitlines()[0] == f"3 known, 0 to measure; kept in {cache}"
    assert again.out == first.out == text(capsys, *words, "--no-store")


def test_an_interruption(timed, capsys, cache, monkeypatch):
    def stopped(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("warpmill.tuning.comparing.Comparer.compare", stopped)
    words = ["tune", VECADD, *SMALL, *BLOCKS, "-m", "a100"]
    assert main(words) == 130
    assert capsys.readouterr().err.splitlines()[-1] == (
        f"interrupted: what was measured is kept in {cache}; the same command goes on from there"
    )
    assert main([*words, "--no-store"]) == 130
    assert capsys.readouterr().err.endswith("interrupted; nothing is kept (--no-store)\n")


def test_what_is_wrong_with_several_options_is_told_at_once(capsys):
    wrong = ["--size", "n", "--compare-size", "q", "--launch", "x", "-m", "none", "--set", "a=1"]
    fails(capsys, ["tune", VECADD, *wrong, "--rounds", "1"], 2, "--rounds is now --waves")
    assert main(["tune", VECADD, *wrong]) == 2
    said = capsys.readouterr().err
    for words in ("--size n", "--compare-size q", "--launch x", "`none`", "machine key `a`"):
        assert words in said


def test_too_many_choices_are_a_limit(capsys):
    fails(capsys, ["tune", VECADD, "-m", "a100", "--max-points", "9"], 3, "--max-points")


def test_nothing_is_written_where_it_goes_wrong(capsys, tmp_path):
    path = tmp_path / "out.json"
    fails(capsys, ["tune", VECADD, "--over", "blok=4", "-o", str(path)], 2, "blok")
    assert list(tmp_path.iterdir()) == [] or not path.exists()


def test_the_python_api(timed):
    found = warpmill.tune(
        VECADD,
        {"block": [64, 256]},
        tuning=warpmill.TuneOptions(
            variants={"clang": CLANG.removeprefix("clang=")}, compare_sizes={"n": 256}, top=2
        ),
        machines="a100",
        launch=warpmill.LaunchOptions(sizes={"n": 2048}),
    )
    (there,) = found.machines
    assert [c.variant for c in there.choices] == ["default", "clang", "default", "clang"]
    assert [c.verdict and c.verdict.same for c in there.choices] == [True, True, True, None]
    assert there.speedup(there.best) == 4.0
    blocks = warpmill.tune(
        VECADD,
        warpmill.SpaceOptions(where="block <= 64"),
        tuning=warpmill.TuneOptions(compare=False),
        machines=["a100"],
    ).machines[0]
    assert [c.row.configuration["block"] for c in blocks.choices] == [32, 64]
    tuning = warpmill.TuneOptions(variants=[CLANG], keep_block=True, compare=False)
    variants = warpmill.tune(VECADD, tuning=tuning)
    assert [one.machine for one in variants.machines] == ["v100", "a100", "h100_sxm"]
    assert {c.variant for c in variants.machines[0].choices} == {"default", "clang"}
    for wrong in ({"top": 0}, {"refine": -1}, {"compare": False, "compare_sizes": {"n": 9}}):
        with pytest.raises(UsageError):
            warpmill.TuneOptions(**wrong)
    simulate = warpmill.EvaluationOptions("simulate")
    for wrong in (
        {"tuning": warpmill.TuneOptions(refine=1), "how": simulate},
        {"tuning": warpmill.TuneOptions(keep_block=True)},
    ):
        with pytest.raises(UsageError):
            warpmill.tune(VECADD, **wrong)


def test_progress_is_shown_where_somebody_looks(timed, monkeypatch, capsys):
    """One thing at a time, and nothing is left behind."""
    from warpmill.commands.tune import command as tune_running  # noqa: PLC0415 - what is replaced

    shown = []

    class Bar:
        def __init__(self, what):
            self.what = what

        def __enter__(self):
            shown.append(f"begin {self.what}")
            return lambda *_: shown.append(self.what)

        def __exit__(self, *_):
            shown.append(f"end {self.what}")

    class Spinner:
        def __init__(self, what):
            self.what = what
            shown.append(f"begin {what}")

        def say(self, what):
            shown.append(what)

        def stop(self):
            shown.append(f"end {self.what}")

    monkeypatch.setattr("warpmill.commands.sweep.running.study_bar", Bar)
    monkeypatch.setattr(tune_running, "Spinner", Spinner)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    words = ["tune", VECADD, "--size", "n=512", "--over", "block=64,256", "-m", "v100"]
    assert main([*words, "--refine", "1", "--variant", CLANG, "--no-store"]) == 0
    assert [line for line in shown if line.split()[0] in {"begin", "end"}] == [
        "begin estimate: default", "end estimate: default", "begin estimate: clang",
        "end estimate: clang", "begin executing the best choices", "end executing the best choices",
        "begin simulating the best choices", "end simulating the best choices",
    ]  # fmt: skip
    assert "executing the best choices: 3 done" in shown
    assert "simulating the best choices: 0 of 2 done" in shown
