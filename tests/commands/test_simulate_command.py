"""``warpmill simulate`` from end to end: small launches, choices, files, bad input."""

import gzip
import json
from contextlib import chdir
from pathlib import Path

import pytest

import warpmill
from warpmill.cli.main import main
from warpmill.session.options import LaunchOptions
from warpmill.session.prepare import prepare, prepare_all
from warpmill.session.profiles import profile
from warpmill.session.simulations import run_slices
from warpmill.simulator.gpu.options import Options
from warpmill.simulator.gpu.results import result_of

SAMPLES = Path(__file__).parents[2] / "samples"
VECADD = [str(SAMPLES / "vecadd" / "launch.toml"), "--size", "n=8192"]
SCAN = [str(SAMPLES / "scan" / "launch.toml"), "--size", "n=4096"]
SMALL = ["--machine", "gtx480_gpgpusim"]  # issues PTX as it is
WIDE = [
    str(SAMPLES / "vecadd" / "vecadd.sm_80.ptx"), "--grid", "2", "--block", "1024", "--arg",
    "buffer=f32:2048", "--arg", "buffer=f32:2048", "--arg", "buffer=f32:2048", "--arg", "2048",
]  # fmt: skip
"""CTAs of more threads than old machines take."""


def written(capsys, *words):
    assert main(["simulate", *words]) == 0
    return capsys.readouterr().out


_REPORTS: dict[tuple[str, ...], str] = {}


def report_of(capsys, *words):
    """A report; it is made once for all tests."""
    if words not in _REPORTS:
        _REPORTS[words] = written(capsys, *words, "--format", "json")
    return json.loads(_REPORTS[words])


def fails(capsys, words, code, *expected):
    assert main(["simulate", *words]) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Traceback" not in captured.err
    assert "internal error" not in captured.err
    for word in expected:
        assert word in captured.err


# ------------------------------------------------------------------------------ end to end


def test_what_is_executed_is_what_the_profile_counts(capsys):
    """On a machine that issues PTX as it is, instruction by instruction."""
    report = report_of(capsys, *VECADD, *SMALL)
    (whole,) = report["simulations"]
    one = whole["result"]
    counted = profile(VECADD[0], None, LaunchOptions(sizes={"n": 8192})).launches[0].profile
    assert one["warp_instructions"] == counted.warp_instructions
    assert one["thread_instructions"] == counted.thread_instructions
    by_block = {b["block"]: b["warp_instructions"] for b in whole["blocks"]}
    lengths = [len(b.instructions) for b in counted.kernel.blocks]
    wanted = {k: b.warps * lengths[k] for k, b in enumerate(counted.blocks) if b.warps}
    assert by_block == wanted
    assert one["marks"]["warp_instructions"] == "exact"
    arrays = 8192 * 4 // one["sector_bytes"]
    assert (one["read_sectors"], one["write_sectors"]) == (2 * arrays, arrays)
    assert sum(sm["ctas"] for sm in one["per_sm"]) == 32
    assert one["cycles"] / one["clock_mhz"] == pytest.approx(one["time_us"])
    assert sum(s["warp_cycles"] for s in one["warp_states"]) == sum(
        sum(x["stalls_by_reason"].values()) + x["warp_instructions"] for x in whole["instructions"]
    )


def test_launches_run_in_a_row_and_find_what_l2_keeps(capsys):
    report = report_of(capsys, *SCAN, *SMALL)
    one = report["simulations"][0]["result"]
    first, second, third = one["launches"]
    assert first["end_cycle"] < second["begin_cycle"] <= second["end_cycle"] < third["begin_cycle"]
    assert [x["trace"] for x in one["launches"]] == ["executed"] * 3
    for key in ("warp_instructions", "thread_instructions"):
        assert sum(x["alone"][key] for x in one["launches"]) == one[key]
    for level in one["caches"]:
        parts = [
            c["accesses"]
            for x in one["launches"]
            for c in x["alone"]["caches"]
            if c["level"] == level["level"]
        ]
        assert sum(parts) <= level["accesses"]  # what was on its way at the end of the last
    flushed = report_of(capsys, *SCAN, *SMALL, "--flush-l2")["simulations"][0]["result"]
    assert flushed["dram"]["reads"] > one["dram"]["reads"]
    warm = report_of(capsys, *SCAN, *SMALL, "--l2", "warm")["simulations"][0]["result"]
    assert warm["dram"]["reads"] < one["dram"]["reads"]
    assert warm["cycles"] < one["cycles"]


def test_one_launch_of_a_file_is_simulated_alone(capsys):
    whole = report_of(capsys, *SCAN, *SMALL)
    alone = report_of(capsys, *SCAN, *SMALL, "--launch", "2")
    assert [x["facts"]["name"] for x in alone["launches"]] == [
        whole["launches"][2]["facts"]["name"]
    ]
    assert report_of(capsys, *SCAN, *SMALL, "--launch", "all") == whole


def test_launches_of_an_application_are_those_that_were_asked_for(capsys):
    small = ["bfs:tiny", "--size", "nodes=256", *SMALL]
    largest = report_of(capsys, *small)
    assert len(largest["launches"]) == len(largest["kernels"]) == 2
    every = report_of(capsys, *small, "--launch", "all")
    numbers = [x["facts"]["place"]["number"] for x in every["launches"]]
    assert numbers == list(range(len(numbers)))
    assert len(every["kernels"]) == 2
    text = written(capsys, *small, "--launch", "all", "--stats-format", "gpgpusim")
    blocks = text.count("kernel_launch_uid = ")
    assert blocks == len(numbers)
    total = every["simulations"][0]["result"]["thread_instructions"]
    assert f"gpu_tot_sim_insn = {total}\n" in text.split("kernel_launch_uid")[-1]


def test_rounds_are_continued_in_a_line(capsys):
    words = [*VECADD, "--machine", "gtx480_gpgpusim", "--set", "sm.count=1"]
    whole = report_of(capsys, *words)["simulations"][0]["result"]
    part = report_of(capsys, *words, "--waves", "2")["simulations"][0]["result"]
    assert (whole["sampled"], part["sampled"]) == (False, True)
    assert (
        part["launches"][0]["ctas_simulated"] == 2 * part["launches"][0]["occupancy"]["ctas_per_sm"]
    )
    assert part["simulated_cycles"] < part["cycles"]
    assert part["cycles"] == pytest.approx(whole["cycles"], rel=0.25)
    assert set(part["marks"].values()) == {"sampled", "exact", "assumed"}


def test_pieces_change_nothing_and_limits_hold_in_each():
    job = prepare(VECADD[0], options=LaunchOptions(sizes={"n": 8192}))
    by_pieces = warpmill.simulation(job, "gtx480_gpgpusim", options=Options(max_cycles=1 << 30))
    told = []
    run_slices(by_pieces, told.append)
    at_once = warpmill.simulation(job, "gtx480_gpgpusim")
    at_once.run()
    assert by_pieces.cycles == at_once.cycles
    once, pieced = (result_of(simulation) for simulation in (at_once, by_pieces))
    assert pieced.instructions == once.instructions
    assert pieced.per_sm == once.per_sm
    assert pieced.caches == once.caches
    assert pieced.dram == once.dram
    shares = [done.share for done in told]
    assert shares == sorted(shares)
    assert at_once.progress() == at_once.simulated == (32,)
    result = warpmill.simulate(job, "gtx480_gpgpusim")
    assert result.cycles == at_once.cycles


def test_two_machines_are_simulated_and_one_that_does_not_fit_is_told(capsys):
    machines = "quadro_fx5800,gtx480_gpgpusim"
    assert main(["simulate", *WIDE, "-m", machines, "--format", "json"]) == 0
    captured = capsys.readouterr()
    report = json.loads(captured.out)
    assert [s["result"]["machine"] for s in report["simulations"]] == ["gtx480_gpgpusim"]
    (missing,) = report["not_simulated"]
    assert missing["machine"] == "quadro_fx5800"
    assert missing["reason"] in captured.err
    fails(capsys, [*WIDE, "-m", "quadro_fx5800"], 2, "does not fit on quadro_fx5800")
    fails(
        capsys,
        [*WIDE, "-m", "mi100"],
        2,
        "compiled for warps of 32 lanes, and mi100 has warps of 64",
    )


# ----------------------------------------------------------------------------------- files


def test_pictures_are_written_beside_the_report(capsys, tmp_path):
    timeline, plot = tmp_path / "t.json.gz", tmp_path / "p.svg"
    words = [*VECADD, *SMALL, "--timeline", str(timeline), "--plot", str(plot)]
    assert "GPU Speed of Light" in written(capsys, *words)
    events = json.loads(gzip.decompress(timeline.read_bytes()))["traceEvents"]
    lives = [e for e in events if e.get("ph") == "X" and "slot" not in e.get("name", "")]
    assert len(lives) >= 32 * 8  # every warp
    assert plot.read_text("utf-8").startswith("<?xml")


def test_a_simulation_that_was_put_away_goes_on_as_if_nothing_had_been(capsys, tmp_path):
    held = tmp_path / "vecadd.ckpt"
    words = [*VECADD, *SMALL]
    cut = ["--until", "500", "--checkpoint", str(held)]
    assert main(["simulate", *words, *cut]) == 0
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == (
        f"cycle 500 is reached; {held} has the simulation: the same command with --resume {held} "
        "goes on\n"
    )
    whole = report_of(capsys, *words)
    resumed = report_of(capsys, *words, "--resume", str(held))
    assert resumed == whole
    assert report_of(capsys, *words, "--until", "10000000", "--checkpoint", str(held)) == whole
    fails(capsys, [*VECADD, "-m", "v100", "--resume", str(held)], 2, "is of another simulation")
    held.write_bytes(b"none")
    fails(capsys, [*words, "--resume", str(held)], 2, "is no checkpoint of a simulation")


@pytest.mark.one_in(12)
@pytest.mark.parametrize(
    ("words", "code", "expected"),
    [
        (["--warm-l2"], 2, "--warm-l2 is now --l2 warm"),
        (["--rounds", "4"], 2, "--rounds is now --waves"),
        (["--until", "5"], 2, "--until needs --checkpoint"),
        (["--checkpoint", "x"], 2, "--checkpoint needs --until"),
        (["--until", "5", "--checkpoint", "no/x"], 2, "there is no folder no"),
        (
            ["--resume", "x", "-m", "v100,a100"],
            2,
            "--resume x: this is of one machine; 2 are named",
        ),
        (["--resume", "x"], 2, "x: No such file or directory"),
        (["--plot", "x.bmp"], 2, "x.bmp cannot be drawn"),
        (["--timeline", "no/t.json"], 2, "there is no folder no"),
        (["--output", "no/x.txt"], 2, "there is no folder no"),
        (
            ["--plot", "x.png", "-m", "v100,a100"],
            2,
            "--plot x.png: this is of one machine; 2 are named",
        ),
        (["--stats-format", "gpgpusim", "--format", "csv"], 2, "leave out --format csv"),
        (["--launch", "1"], 2, "has no launch 1; its only one is 0"),
        (["--launch", "first"], 2, "the number of a launch, from 0, or `all`"),
        (["-m", "nosuch"], 2, "there is no machine `nosuch`"),
        (
            ["--assume", "loop=1..4"],
            2,
            "one trace takes one number, not a range: say one (analyze, trace, ",
        ),
        (
            ["--max-cycles", "100", *SMALL],
            3,
            "100 cycles are reached; raise the limit with --max-cycles",
        ),
        (["--max-memory", "1000", *SMALL], 3, "raise the limit with --max-memory"),
        (["--max-trace-events", "3", *SMALL], 3, "raise the limit with --max-trace-events"),
        (["--regs", "9999"], 2, "a thread takes 1 to 255 registers"),
        (["--kernel", "nosuch"], 2, "launches no kernel nosuch"),
    ],
)
def test_bad_usage_and_limits_end_in_a_line(words, code, expected, capsys, tmp_path):
    with chdir(tmp_path):
        fails(capsys, [*VECADD, *words], code, expected)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_machines_in_processes_of_their_own_give_the_same_bytes(capsys):
    words = (*WIDE, "-m", "v100,quadro_fx5800,gtx480", "--format", "json")
    assert written(capsys, *words, "--workers", "2") == written(capsys, *words)


def test_errors_of_other_processes_keep_their_words(capsys):
    words = ["-m", "v100,gtx480", "--workers", "2", "--size", "n=4096"]
    fails(capsys, [*VECADD, *words, "--max-cycles", "100"], 3, "raise the limit with --max-cycles")


def test_a_kernel_without_a_launch_cannot_be_simulated(capsys):
    fails(capsys, [str(SAMPLES / "vecadd" / "vecadd.sm_80.ptx")], 2, "a launch is needed")


def test_several_jobs_are_one_simulation():
    jobs = prepare_all(SCAN[0], options=LaunchOptions(sizes={"n": 4096}))
    result = warpmill.simulate(jobs, "gtx480_gpgpusim")
    assert [one.kernel for one in result.launches] == [job.kernel.name for job in jobs]
    assert len(result.totals) == 3
    assert result.warp_ipc == pytest.approx(result.warp_instructions / result.simulated_cycles)
