"""Choices that exclude each other, or name what there is not: refused, and what there is named."""

import io
import sys
from pathlib import Path

from warpmill.cli.main import main
from warpmill.cli.output import STAND_INS, write

SAMPLES = Path(__file__).parents[2] / "samples"
VECADD = str(SAMPLES / "vecadd" / "launch.toml")


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


def test_a_target_that_is_not_there_is_all_that_is_told(capsys):
    """Whatever else is wrong; beside one that is there all of it is."""
    for command in ("sweep", "tune"):
        assert main([command, "nowhere.toml", "--machine", "nope"]) == 2
        assert capsys.readouterr().err.startswith("nowhere.toml: error: there is no such file")
        assert main([command, VECADD, "--machine", "nope"]) == 2
        assert "there is no machine `nope`" in capsys.readouterr().err
