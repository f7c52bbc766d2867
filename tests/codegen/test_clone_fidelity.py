"""Clones beside their originals: figures by hand, files that say the same, the command."""

import csv
import io
import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

import warpmill
from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.cli.main import main
from warpmill.cloning.api import clone
from warpmill.cloning.clone import clone_studied
from warpmill.cloning.fidelity import (
    ReadBack,
    compare_simulations,
    times_of,
)
from warpmill.cloning.figures import NAMES, FidelityFigure, added, machine_figures, profile_figures
from warpmill.cloning.files import check_folder, folder_of, put
from warpmill.cloning.options import CloneOptions
from warpmill.session.options import LaunchOptions
from warpmill.session.prepare import prepare_all
from warpmill.session.profiles import profile
from warpmill.session.registers import RECORD

SAMPLES = Path(__file__).parents[2] / "samples"
SPMV, MATMUL, VECADD, SCAN = (
    SAMPLES / name / "launch.toml" for name in ("spmv", "matmul", "vecadd", "scan")
)
SMALL = {SPMV: {"rows": 256, "cols": 256}, MATMUL: {"n": 32}, VECADD: {"n": 1024}}


def sizes(path):
    return [word for name, value in SMALL[path].items() for word in ("--size", f"{name}={value}")]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    out = tmp_path_factory.mktemp("clones") / "spmv"
    launch = LaunchOptions(sizes=SMALL[SPMV])
    return out, clone(SPMV, out, launch=launch, machines=("v100", "t4"))


# -- figures ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "original", "cloned", "distance", "difference"),
    [
        ("ratio", 4.0, 5.0, None, 0.25),
        ("ratio", 0.0, 0.0, None, 0.0),
        ("ratio", 0.0, 1.0, None, None),
        ("share", 0.5, 0.25, None, -0.25),
        ("distance", None, None, 0.125, 0.125),
        ("size", 8.0, 2.0, None, -0.75),
        ("share", None, 0.5, None, None),
    ],
)
def test_differences(kind, original, cloned, distance, difference):
    made = FidelityFigure("x", "x", "", kind, original, cloned, distance)
    assert made.difference == difference


def test_launches_count_as_often_as_they_stand_for():
    """I / sum(I_k / IPC_k): 100 at an IPC of 10 and 300 at one of 30 take 20 cycles."""
    launches = [
        {"simulated_thread_instructions": 50, "cycles": 5.0},
        {"simulated_thread_instructions": 3, "cycles": 0.1},
    ]
    clone_counts = added(zip(launches, (100 / 50, 300 / 3), strict=True))
    original = {"simulated_thread_instructions": 400, "cycles": 40.0}
    (ipc,) = machine_figures(original, clone_counts)
    assert (ipc.original, ipc.clone, ipc.difference) == pytest.approx((10.0, 20.0, 1.0))


def test_what_launches_stand_for_is_told_by_their_instructions(made):
    """Two launches of the clone, the first twice: it stands for two of the original, 5 to 1."""
    _, done = made
    first = replace(done.cloned.application.launches[0], repeats=2)
    application = replace(done.cloned.application, launches=(first, replace(first, repeats=1)))
    cloned = replace(done.cloned, application=application, stands_for=((0, 2), (1,)))
    clone = ReadBack(cloned, ())
    assert clone.launch_of == (0, 0, 1)
    originals = [{"n": 40.0}, {"n": 7.0}, {"n": 60.0}]
    assert times_of(clone, originals, [{"n": 10.0}, {"n": 10.0}, {"n": 2.0}], "n") == [5, 5, 3.5]
    assert times_of(clone, originals, [{"n": 10.0}, {"n": 10.0}, {"n": 0.0}], "n") == [5, 5, 0]


def test_mixes_are_half_the_sum_of_differences():
    a = {"class:add": 6.0, "class:load": 4.0, "thread_instructions": 80, "lane_slots": 160}
    b = {"class:add": 1.0, "class:mul": 1.0, "thread_instructions": 30, "lane_slots": 40}
    found = {figure.name: figure for figure in profile_figures(a, b)}
    assert found["instruction_mix"].difference == pytest.approx((0.1 + 0.4 + 0.5) / 2)
    assert found["mix.mul"].difference == pytest.approx(0.5)
    assert found["lane_utilization"].difference == pytest.approx(0.25)
    assert "lines_per_request" not in found


def test_figures_of_a_clone_are_those_of_its_profile_and_simulation(made):
    out, done = made
    (own,) = profile(out / "launch.toml").launches
    figures = {figure.name: figure for figure in done.fidelity.profiled.figures}
    assert figures["thread_instructions"].clone == own.profile.thread_instructions
    assert figures["lane_utilization"].clone == pytest.approx(own.profile.lane_utilization)
    lines = own.profile.memory_lines
    assert figures["lines_per_request"].clone == pytest.approx(
        lines / sum(a.requests for a in own.profile.accesses if a.lines)
    )
    names = {figure.name for _, figure in done.fidelity.figures if figure.is_judged}
    assert names <= set(NAMES)


def test_the_written_clone_simulates_as_the_table_says(made):
    out, done = made
    for there in done.fidelity.machines:
        again = warpmill.simulate(prepare_all(out / "launch.toml"), there.machine)
        assert again.thread_ipc == pytest.approx(there.compared.figure("ipc").clone, rel=1e-12)
        assert again.cycles == there.compared.figure("cycles").clone
        assert [
            one.launches[0].registers.registers_per_thread for one in (again, there.original)
        ] == [32, 32]
        alone = warpmill.simulate(
            prepare_all(SPMV, None, LaunchOptions(sizes=SMALL[SPMV])), there.machine
        )
        assert alone.thread_ipc == there.compared.figure("ipc").original


def own_instructions(result):
    """The thread instructions of each launch, of those that ran one after another."""
    until = [0, *(total.thread_instructions for total in result.totals)]
    return [late - early for early, late in pairwise(until)]


@pytest.mark.slow
def test_the_ipc_of_several_launches_is_that_of_the_formula():
    """I / sum(I_k / IPC_k), worked out from both simulations anew."""
    done = clone(SCAN, launch=LaunchOptions(sizes={"n": 4096}))
    (there,) = done.fidelity.machines
    stood = [own_instructions(there.original)[k] for k in range(3)]
    ran = [
        i / one.cycles
        for i, one in zip(own_instructions(there.clone), there.clone.launches, strict=True)
    ]
    assert sorted(done.cloned.stands_for) == [(0,), (1,), (2,)]
    order = [own[0] for own in done.cloned.stands_for]
    cycles = sum(stood[k] / ipc for k, ipc in zip(order, ran, strict=True))
    assert there.compared.figure("ipc").clone == pytest.approx(sum(stood) / cycles)
    assert len({round(ipc) for ipc in ran}) > 1


def test_a_target_is_like_itself(made):
    """The figures of launches that a clone is compared with are 0 where it is the original."""
    _, done = made
    there = done.fidelity.machines[0]
    cloned = replace(done.cloned, models=tuple(replace(m, name="spmv") for m in done.cloned.models))
    launches = tuple(replace(each, kernel="spmv") for each in cloned.application.launches)
    cloned = replace(cloned, application=replace(cloned.application, launches=launches))
    same = ReadBack(cloned, done.cloned.studied.jobs)
    compared = compare_simulations(same, there.original, there.original)
    assert [figure.difference for figure in compared.figures] == [0.0] * len(compared.figures)


# -- files -----------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_files_and_another_others(made):
    _, done = made
    studied = done.cloned.studied
    again = folder_of(clone_studied(studied, CloneOptions()))
    assert again.files == done.folder.files
    assert folder_of(clone_studied(studied, CloneOptions(seed=1))).files != again.files
    target = folder_of(clone_studied(studied, CloneOptions(chip="sm_90"))).files["clone.ptx"]
    assert ".target sm_90\n" in target


def test_registers_that_are_said_are_those_of_the_clone(made, tmp_path):
    _, done = made
    folder_of(done.cloned, registers=57).write(tmp_path)
    again = warpmill.simulate(prepare_all(tmp_path / "launch.toml"), "v100")
    assert again.launches[0].registers.registers_per_thread == 57
    (tmp_path / "clone.ptx").write_text(done.folder.files["clone.ptx"] + "\n// changed\n")
    changed = warpmill.simulate(prepare_all(tmp_path / "launch.toml"), "v100")
    assert changed.launches[0].registers.registers_per_thread != 57


def test_folders_are_written_whole_and_others_left_alone(tmp_path):
    new, unfinished = tmp_path / "new", tmp_path / "unfinished"
    unfinished.mkdir()
    (unfinished / RECORD).write_text("{}")
    put(unfinished, new)
    assert not unfinished.exists()
    (new / "notes.txt").write_text("mine")
    with pytest.raises(UsageError, match="not empty"):
        check_folder(new, force=False)
    unfinished.mkdir()
    (unfinished / RECORD).write_text("[]")
    check_folder(new, force=True)
    put(unfinished, new)
    assert (new / "notes.txt").read_text() == "mine"
    assert (new / RECORD).read_text() == "[]"


# -- the command -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "original", "clone", "expected"),
    [
        ("ratio", 2.0, 2.1, False),
        ("ratio", 2.0, 2.3, True),
        ("ratio", 0.0, 0.1, True),
        ("ratio", 0.0, 0.0, False),
        ("ratio", 4.0, None, True),  # the clone has lost all that it is about
        ("ratio", None, 1.0, True),
        ("ratio", None, None, False),
        ("share", 0.5, None, True),
        ("share", 0.0, None, False),
        ("size", 9.0, 1.0, None),
    ],
)
def test_what_only_one_of_the_two_has_is_beyond_any_limit(kind, original, clone, expected):
    made = FidelityFigure("f", "", "", kind, original, clone)
    assert made.limited({"*": 0.1}).exceeds is expected


def test_limits_end_with_one(capsys, tmp_path):
    command = ["clone", str(SPMV), *sizes(SPMV), "--format", "json"]
    assert main([*command, "--fail-over", "999999%", "--fail-over", "ipc=0%"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["exceeding"] == ["v100: ipc"]
    assert list(report["limits"]) == ["*", "ipc"]


def test_a_folder_and_a_table(capsys, tmp_path):
    out, picture = tmp_path / "c", tmp_path / "c.svg"
    command = ["clone", str(VECADD), *sizes(VECADD), "--out", str(out), "--no-compare"]
    assert main([*command, "--plot", str(picture), "--format", "csv"]) == 0
    assert sorted(p.name for p in out.iterdir()) == [
        "artefacts.json", "clone.cu", "clone.ptx", "launch.toml", "model.dot", "model.json",
    ]  # fmt: skip
    assert picture.read_text("utf-8").startswith("<?xml")
    assert next(csv.reader(io.StringIO(capsys.readouterr().out)))[:2] == ["kind", "machine"]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["c", "c.svg"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--reduction", "0"], "--reduction 0: max, auto or a factor"),
        (["--least-instructions", "9"], "--least-instructions is now --min-instructions"),
        (["--max-error", "5%"], "--max-error is for --reduction auto"),
        (["--reduction", "auto", "--max-error", "5"], "--max-error 5: a percentage"),
        (["--fail-over", "ipd=5%"], "did you mean `ipc`"),
        (
            ["--fail-over", "5%", "--no-compare"],
            "--fail-over is about what --no-compare leaves out",
        ),
        (["--no-compare"], "--no-compare without --out makes nothing"),
        (["--target", "gfx90a"], "this is no chip of NVIDIA"),
        (["--out", "no/where"], "there is no folder no"),
        (["--machine", "nope"], "there is no machine `nope`"),
        (["--plot", "clone.txt"], "clone.txt cannot be drawn"),
        (["--launch", "0"], "--launch is for programs"),
        (["--kernel", "nope"], "launches no kernel nope"),
        (["--machine", "v100", "--max-cycles", "10"], "--max-cycles"),
    ],
)
def test_bad_input_writes_nothing(words, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    out = [] if "--out" in words or "--no-compare" in words else ["--out", "c"]
    assert main(["clone", str(VECADD), *sizes(VECADD), *out, *words]) in (2, 3)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err
    assert list(tmp_path.iterdir()) == []
