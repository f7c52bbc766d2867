"""Choices that exclude each other, or name what there is not: refused, and what there is named."""

import io
import sys
from pathlib import Path

import pytest

from warpmill.cli.main import main
from warpmill.cli.output import STAND_INS, write

SAMPLES = Path(__file__).parents[2] / "samples"
VECADD = str(SAMPLES / "vecadd" / "launch.toml")
TIMES = str(SAMPLES / "simulated_times.csv")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["estimate", VECADD, "--regs", "30", "--cubin", "no"], "--regs and --cubin each say"),
        (["explain", VECADD, "--regs", "30", "--ptxas"], "--regs and --ptxas each say"),
        (["estimate", VECADD, "--trace", "excuted"], "none of auto, static, executed"),
        (["trace", VECADD, "--trace", "excuted"], "none of auto, static, executed"),
        (["estimate", VECADD, "-m", "a/x.toml,b/x.toml"], "two machines of one name"),
        (["simulate", VECADD, "-m", "v100", "-m", "own/v100.toml"], "give one file another"),
        (["clone", VECADD, "--target", "sm_999"], "sm_75, sm_80"),
        (["clone", VECADD, "--reduction", "1000000000000"], "a factor has at most nine digits"),
        (
            ["sample", VECADD, "--save", "x.json", "--output", "x.json"],
            "--output and --save name the same file, x.json",
        ),
        (
            ["simulate", VECADD, "--plot", "x.svg", "--output", "./x.svg"],
            "--output and --plot name the same file",
        ),
        (["run", VECADD, "--record", "x", "-o", "x"], "--output and --record name the same file"),
        (["clone", VECADD, "--target", "gfx90a"], "no chip of NVIDIA"),
        (["estimate", "bfs:tiny:hip"], "`hip` is neither a preset nor a build; presets are tiny"),
        (["estimate", "bfs:tiny:small"], "NAME, NAME:PRESET or NAME:PRESET:BUILD"),
        (["correlate", TIMES, "-m", "zzz=v100"], "no row is of `zzz`"),
        (
            ["sweep", VECADD, "--no-store", "--over", "sm.count=10,20", "--set", "sm.count=5"],
            "sm.count is varied, and --set",
        ),
        (["sweep", VECADD, "--no-store", "--over", "regs=16,32", "--regs", "8"], "regs is varied"),
        (["tune", VECADD, "--no-store", "--over", "regs=16,32", "--regs", "8"], "regs is varied"),
        (["simulate", VECADD, "--timeline", "t.txt"], ".json or .json.gz"),
        (["simulate", VECADD, "--size", "n=4096", "--max-memory", "10"], "more than 10 B"),
    ],
)
def test_they_are_refused(words, expected, capsys):
    assert main(words) in (2, 3)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert expected in " ".join(captured.err.split())


def test_a_run_leaves_half_of_the_memory_that_is_free(monkeypatch, capsys):
    monkeypatch.setattr("warpmill.session.runs.available_bytes", lambda: 10_000)
    words = ["run", VECADD, "--size", "n=1000"]  # 12,000 B of buffers
    assert main(words) == 3
    assert "over the limit of 5000 B" in " ".join(capsys.readouterr().err.split())
    assert main([*words, "--max-memory", "20000"]) == 0


def test_a_checkpoint_that_is_not_reached_is_told(tmp_path, capsys):
    held = tmp_path / "held"
    cut = ["--until", "100000000", "--checkpoint", str(held)]
    assert main(["simulate", VECADD, "--size", "n=256", "-m", "gtx480_gpgpusim", *cut]) == 0
    assert "before --until 100,000,000" in capsys.readouterr().err
    assert not held.exists()


def test_marks_stay_apart_where_the_terminal_knows_ascii_alone(monkeypatch):
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, "ascii"))
    write("1≈ 2~ 3? 4 µs ×2 \N{SNOWMAN}\n", None)
    assert raw.getvalue() == b"1^ 2~ 3? 4 us x2 #\n"


def test_what_takes_the_place_of_a_character_is_as_wide():
    text = "µ≈×·→…²§±≤≥–−φθτ━─█│"
    assert len(text.encode("ascii", STAND_INS)) == len(text)
