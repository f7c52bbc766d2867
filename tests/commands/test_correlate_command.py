"""``warpmill correlate`` as people call it: what it shows, guesses, leaves out and refuses."""

import json
import math
from pathlib import Path

import pytest

import warpmill
from tests.commands.test_cli_bad_input import fails
from tests.reference.kendall_twin import kendall_tau_b
from warpmill.analyzer.base.diagnostics import InputError
from warpmill.cli.main import main
from warpmill.measurements import correlated_rows
from warpmill.measurements.correlated_rows import Timed
from warpmill.measurements.launches import TargetLaunches

HERE = Path(__file__).parent
SAMPLES = HERE.parents[1] / "samples"
TABLE = str(HERE / "measured_launches.csv")
VECADD = SAMPLES / "vecadd" / "launch.toml"


@pytest.fixture
def table(tmp_path):
    def write(text, name="m.csv"):
        path = tmp_path / name
        path.write_text(text.replace("VECADD", str(VECADD)).replace("SAMPLES", str(SAMPLES)))
        return str(path)

    return write


@pytest.fixture
def seen(monkeypatch):
    """Let an engine say that a launch takes 2 µs, 3,000 cycles, and note what it is asked."""
    asked = []

    def timed(job, machine, how, registers):
        asked.append((job.kernel.name, dict(job.launch.sizes), machine.name, how.engine, registers))
        return Timed(2.0, 3000.0)

    monkeypatch.setattr(correlated_rows, "timed_on", timed)
    return asked


def report(capsys, *words):
    assert main(["correlate", *words, "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def by_line(found):
    return {row["measured"]["line"]: row for row in found["rows"]}


@pytest.mark.slow
def test_rows_are_the_same_for_any_number_of_processes(capsys):
    words = ("--engine", "simulate", "--waves", "1")
    assert report(capsys, TABLE, *words, "--workers", "2") == report(capsys, TABLE, *words)


def test_estimates_are_those_of_estimate(capsys):
    found = report(capsys, TABLE)
    rows = by_line(found)
    job = warpmill.prepare(VECADD, options=warpmill.LaunchOptions(sizes={"n": 65536}))
    wanted = warpmill.estimate(job, "a100")
    assert rows[3]["estimated"]["time_us"] == wanted.time_us
    clock = warpmill.load_machine("a100").number("clock.sm_mhz")
    assert rows[3]["estimated"]["cycles"] == pytest.approx(wanted.time_us * clock)
    assert rows[3]["measured_us"] == 1.5
    assert rows[3]["error_fraction"] == pytest.approx(wanted.time_us / 1.5 - 1)
    assert rows[3]["ratio"] == pytest.approx(wanted.time_us / 1.5)
    assert rows[4]["estimated"]["time_us"] == rows[3]["estimated"]["time_us"]
    assert found["correlation"]["estimates"] == 4  # of five rows, two are of one launch


def test_groups_are_machines_and_all(capsys):
    found = report(capsys, TABLE)
    rows = by_line(found)
    assert [(g["machine"], g["agreement"]["rows"]) for g in found["groups"]] == [
        ("a100", 2), ("v100", 3), (None, 5),
    ]  # fmt: skip
    for group in found["groups"]:
        own = [r for r in rows.values() if group["machine"] in (None, r["machine"])]
        errors = [r["error_fraction"] for r in own]
        assert group["agreement"]["mean_absolute_error_fraction"] == pytest.approx(
            sum(map(abs, errors)) / len(errors)
        )
        assert group["agreement"]["bias_fraction"] == pytest.approx(sum(errors) / len(errors))
        worst = max(own, key=lambda r: abs(r["error_fraction"]))
        assert group["worst_line"] == worst["measured"]["line"]
        assert group["worst_error_fraction"] == worst["error_fraction"]
        logs = sum(math.log(r["ratio"]) for r in own) / len(own)
        assert group["agreement"]["geometric_mean_ratio"] == pytest.approx(math.exp(logs))
    of_two, of_three, _ = (group["agreement"]["kendall_tau_b"] for group in found["groups"])
    assert of_two == {"value": None, "reason": "fewer than 3 rows"}
    assert of_three["value"] == 1.0
    assert found["groups"][0]["marks"]["agreement.rows"] == "exact"
    assert found["groups"][0]["marks"]["worst_error_fraction"] == "modelled"
    errors = [abs(row["error_fraction"]) for row in found["rows"]]
    assert errors == sorted(errors, reverse=True)


def test_what_is_guessed_is_told_and_what_is_left_out_counted(capsys):
    assert main(["correlate", TABLE]) == 0
    captured = capsys.readouterr()
    assert captured.err.splitlines() == [
        "column `launch_file` is taken for the target",
        "column `GPU` is taken for the machine",
        "column `Kernel Name` is taken for the kernel",
        "column `n` is taken for the size `n`",
        "column `Duration [us]` is taken for the measured time, in us",
        "`NVIDIA A100-SXM4-40GB` is taken for machine a100 (NVIDIA A100 SXM4 40GB)",
        "2 of 7 rows have no estimate; the report says why",
    ]
    assert "not used: note" in captured.out
    assert "rows       7; 2 without an estimate" in captured.out
    words = " ".join(captured.out.split())
    assert "line 8: no machine is known to be `Voodoo 2`" in words
    assert "launches no kernel scan_sums; it launches scan_blocks, scan_add" in words
    found = report(capsys, TABLE)
    assert [row["measured"]["line"] for row in found["correlation"]["left_out"]] == [8, 9]
    assert found["unused_columns"] == ["note"]
    assert {c["name"]: (c["role"], c["how"]) for c in found["columns"]} == {
        "launch_file": ("target", "guessed"),
        "GPU": ("machine", "guessed"),
        "Kernel Name": ("kernel", "guessed"),
        "n": ("n", "size"),
        "Duration [us]": ("time", "guessed"),
    }


def test_what_is_named_is_not_told(table, seen, capsys):
    path = table("a,b,c,d\nVECADD,v100,1,512\n")
    named = [f"--column={word}" for word in ("target=a", "machine=b", "time=c", "n=d")]
    found = report(capsys, path, *named, "--unit", "ms")
    assert capsys.readouterr().err == ""
    assert [c["how"] for c in found["columns"]] == ["named"] * 4
    assert seen == [("vecadd", {"n": 512}, "v100", "estimate", None)]
    assert found["rows"][0]["measured_us"] == 1000.0


def test_each_launch_is_asked_for_once_a_machine(table, seen, capsys, monkeypatch):
    read = []
    monkeypatch.setattr(
        TargetLaunches, "_all", lambda self, key, made=TargetLaunches._all: read.append(key)
        or made(self, key),
    )  # fmt: skip
    rows = ["512,a100", "512,v100", "1024,a100", "512,a100", "512,A100", "0512.0,v100"]
    text = "".join(f"VECADD,{row},1\n" for row in rows)
    found = report(capsys, table(f"target,n,gpu,time_us\n{text}"))
    assert len(found["rows"]) == 6
    assert found["correlation"]["estimates"] == len(seen)
    assert [(sizes["n"], machine) for _, sizes, machine, *_ in seen] == [
        (512, "a100"), (512, "v100"), (1024, "a100"), (512, "v100"),
    ]  # fmt: skip
    assert len(read) == 3  # 512, 1024, and 0512, which is spelt otherwise


def test_what_holds_for_all_rows(table, seen, capsys):
    path = table("time_us\n2\n4\n")
    assert main(["correlate", path, "--target", str(VECADD), "-m", "t4", "--size", "n=64"]) == 0
    captured = capsys.readouterr()
    assert "t4" in captured.out
    assert seen == [("vecadd", {"n": 64}, "t4", "estimate", None)]


def test_a_machine_for_a_gpu_of_the_table(table, seen, capsys):
    path = table("target,gpu,time_us\nVECADD,my card,2\nVECADD,a100,2\n")
    found = report(capsys, path, "--machine", "my card=h100_sxm", "--set", "sm.count=7")
    assert [machine for _, _, machine, *_ in seen] == ["h100_sxm", "a100"]
    assert found["correlation"]["how"]["overrides"] == {"sm.count": 7}
    assert [g["machine"] for g in found["correlation"]["machines"]] == ["h100_sxm", "a100"]


def test_an_option_takes_the_place_of_a_guess(table, seen, capsys):
    path = table("target,device,time_us\nVECADD,0,2\n")
    found = report(capsys, path, "--machine", "NVIDIA A40")
    assert [machine for _, _, machine, *_ in seen] == ["a40"]
    assert found["unused_columns"] == ["device"]


def test_cycles_become_time_at_the_clock(table, seen, capsys):
    found = report(capsys, table("target,gpu,cycles\nVECADD,a100,1500\n"))
    (row,) = found["rows"]
    assert (row["measured_us"], row["measured"]["cycles"]) == (pytest.approx(1.0), 1500.0)
    assert row["error_fraction"] == pytest.approx(1.0)
    assert row["marks"]["measured_us"] == "assumed"
    timed = report(capsys, table("target,gpu,time_us\nVECADD,a100,1\n"))["rows"][0]
    assert (timed["measured"]["cycles"], timed["marks"]["measured_us"]) == (None, "exact")


def test_a_column_that_is_not_what_it_looks_like(table, seen, capsys):
    path = table("target,gpu,name,time_us\nVECADD,a100,first try,1\n")
    fails(capsys, ["correlate", path], 2, "launches no kernel first try")
    found = report(capsys, path, "--column", "kernel=")
    assert found["rows"][0]["kernel"] == "vecadd"
    assert found["unused_columns"] == ["name"]


def test_registers_of_a_row(table, seen, capsys):
    report(capsys, table("target,gpu,regs,time_us\nVECADD,a100,32,1\nVECADD,a100,64,1\n"))
    assert [registers for *_, registers in seen] == [32, 64]


def test_what_an_engine_refuses_is_a_reason(table, capsys):
    few = "sm.max_threads_per_block=128"
    path = table("target,gpu,time_us\nVECADD,a100,1\nSAMPLES/nw/launch.toml,a100,1\n")
    fails(capsys, ["correlate", path, "--set", few], 2, "none of the 2 rows can be estimated")
    path = table("target,gpu,kernel,regs,time_us\nVECADD,a100,,400,1\nVECADD,a100,,16,1\n")
    found = report(capsys, path)
    assert [row["measured"]["line"] for row in found["rows"]] == [3]
    assert "--regs 400" in found["correlation"]["left_out"][0]["reason"]


def test_no_time_is_no_estimate(table, capsys, monkeypatch):
    monkeypatch.setattr(correlated_rows, "timed_on", lambda *_: correlated_rows._some(Timed(0, 0)))
    path = table("target,gpu,time_us\nVECADD,a100,1\n")
    fails(capsys, ["correlate", path], 2, "the engine gives the launch no time")


def test_kernel_files(table, capsys):
    arguments = "buffer=f32:65536 buffer=f32:65536 buffer=f32:65536 65536"
    module = "SAMPLES/vecadd/vecadd.sm_80.ptx"
    one = table(f"file,gpu,grid,block,args,time_us\n{module},a100,256,256,{arguments},1.5\n")
    two = table(f"file,gpu,n,time_us\n{VECADD},a100,65536,1.5\n", "b.csv")
    assert (
        report(capsys, one)["rows"][0]["estimated"]["time_us"]
        == report(capsys, two)["rows"][0]["estimated"]["time_us"]
    )
    given = [word for text in arguments.split() for word in ("--arg", text)]
    all_ = table(f"file,gpu,grid,block,time_us\n{module},a100,256,256,1.5\n", "c.csv")
    assert report(capsys, all_, *given)["rows"] == report(capsys, one)["rows"]


def test_simulated_times(table, capsys):
    path = table("target,gpu,n,time_us\nVECADD,v100,4096,1.5\n")
    found = report(capsys, path, "--engine", "simulate")
    job = warpmill.prepare(VECADD, options=warpmill.LaunchOptions(sizes={"n": 4096}))
    assert found["rows"][0]["estimated"]["time_us"] == warpmill.simulate(job, "v100").time_us
    assert found["correlation"]["how"]["engine"] == "simulate"


def test_a_limit_is_a_reason(table, capsys):
    path = table("target,gpu,n,time_us\nVECADD,v100,512,1.5\nVECADD,v100,65536,1.5\n")
    found = report(capsys, path, "--engine", "simulate", "--max-cycles", "1500")
    assert [row["measured"]["line"] for row in found["rows"]] == [2]
    assert "--max-cycles" in found["correlation"]["left_out"][0]["reason"]


def test_a_part_of_a_launch_is_told(table, capsys):
    path = table("target,gpu,n,time_us\nVECADD,t4,512,1.5\nVECADD,t4,262144,8\n")
    found = report(capsys, path, "--engine", "simulate", "--waves", "1")
    assert {row["measured"]["line"]: row["estimated"]["sampled"] for row in found["rows"]} == {
        2: False,
        3: True,
    }


def test_the_python_api():
    result = warpmill.correlate(TABLE, warpmill.TableOptions({"machine": "GPU"}))
    assert [row.measured.line for row in result.rows] == [3, 4, 5, 6, 7]
    assert result.overall.agreement.rows == 5
    pairs = [row.pair for row in result.rows]
    wanted = kendall_tau_b([p.measured for p in pairs], [p.estimated for p in pairs])
    assert result.overall.agreement.kendall_tau_b.value == pytest.approx(wanted)
    assert [group.machine for group in result.groups] == ["a100", "v100"]
    with pytest.raises(InputError, match=r"measured_launches\.csv:2:17: error: nothing says"):
        warpmill.correlate(TABLE, warpmill.TableOptions({"time": "Kernel Name"}))


def test_the_same_table_gives_the_same_bytes(capsys):
    words = ["correlate", TABLE, "--format", "csv", "--machine", "Voodoo 2=t4"]
    written = [main(words) or capsys.readouterr().out for _ in range(2)]
    assert written[0] == written[1]
    assert written[0].count("\n") == 8


def test_long_tables_are_cut_in_text(table, seen, capsys):
    rows = "".join(f"VECADD,a100,{1 + n / 8}\n" for n in range(30))
    path = table(f"target,gpu,time_us\n{rows}")
    assert main(["correlate", path]) == 0
    assert "and 20 more (--verbose)" in capsys.readouterr().out
    assert main(["correlate", path, "--verbose"]) == 0
    assert "more" not in capsys.readouterr().out


def test_many_rows_without_an_estimate_are_listed_together(table, seen, capsys):
    rows = "".join(f"VECADD,{'xyzuvw'[n % 6]},1\n" for n in range(60))
    path = table(f"target,gpu,time_us\nVECADD,a100,1\n{rows}")
    assert main(["correlate", path]) == 0
    words = " ".join(capsys.readouterr().out.split())
    assert "Without an estimate: 60 rows" in words
    assert "lines 3, 9, 15, 21, 27 and 5 more: no machine is known to be `x`" in words
    assert "and 1 more reasons (--verbose)" in words


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        ("", [], "m.csv:1:1: error: the file is empty"),
        ("gpu,time_ms\na100,soon\n", [], "m.csv:2:6: error: the measured time is `soon`"),
        ("gpu,time_ms\na100,1\n", [], "no column is known as the target, and there is no --target"),
        ("target,time_ms\nVECADD,1\n", [], "no column is known as the machine, and there is no"),
        ("target,gpu,time_ms\nVECADD,,1\n", [], "m.csv: error: the one row cannot be estimated"),
        ("target,gpu,time_ms\n,a100,1\n", [], "line 2: the row names no target"),
        ("target,gpu,time\nVECADD,a100,1\n", [], "m.csv:1:12: error: nothing says the unit"),
        ("target,gpu,time\nVECADD,a100,1\n", ["--unit", "hours"], "--unit"),
    ],
)
def test_bad_input(table, text, options, words, capsys):
    path = table(text)
    fails(capsys, ["correlate", path, *options], 2, words)
    assert [p.name for p in Path(path).parent.iterdir()] == ["m.csv"]


def test_why_no_row_can_be_estimated(table, capsys):
    gpus = "".join(f"VECADD,gpu {n},1\n" for n in range(9))
    path = table(f"target,gpu,time_ms\n{gpus}VECADD,gpu 0,1\n")
    said = fails(
        capsys, ["correlate", path], 2, "none of the 10 rows can be estimated: line 2: no "
    )
    assert "line 6: no machine is known to be `gpu 4`" in said
    assert "line 7" not in said
    assert "and 4 more reasons" in said


def test_names_of_a_table_do_not_reach_the_terminal_as_they_are(table, seen, capsys):
    path = table("target,gpu,time_us,\x1b[31mx\nVECADD,a100,1,\nVECADD,\x1b]0;evil\x07,1,\n")
    assert main(["correlate", path]) == 0
    captured = capsys.readouterr()
    assert "\x1b" not in captured.out + captured.err
