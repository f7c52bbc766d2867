"""``warpmill run --save``: whole or not at all, under names that stay where they belong."""

from pathlib import Path

import numpy as np
import pytest

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.cli.main import main
from warpmill.commands.run.command import file_names, save_arrays
from warpmill.session.options import LaunchOptions
from warpmill.session.run import run

SAMPLES = Path(__file__).parents[2] / "samples"
SMALL = ["--size", "n=1000"]


def test_buffers_are_saved_to_a_file_or_a_folder(tmp_path, capsys):
    words = ["run", str(SAMPLES / "vecadd" / "launch.toml"), *SMALL, "--save"]
    wanted = run(SAMPLES / "vecadd" / "launch.toml", launch=LaunchOptions(sizes={"n": 1000}))
    assert main([*words, str(tmp_path / "out.npz")]) == 0
    assert "Saved to" in capsys.readouterr().out
    with np.load(tmp_path / "out.npz") as saved:
        assert {n: saved[n].tobytes() for n in saved} == {
            n: v.tobytes() for n, v in wanted.outputs.items()
        }
    assert main([*words, str(tmp_path / "out")]) == 0
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == [
        "param_0.npy", "param_1.npy", "param_2.npy",
    ]  # fmt: skip
    np.testing.assert_array_equal(np.load(tmp_path / "out" / "param_2.npy"), wanted["param_2"])
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out", "out.npz"]


def test_nothing_is_overwritten_and_nothing_half_written(tmp_path, capsys, monkeypatch):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "a").write_text("kept")
    words = ["run", str(SAMPLES / "vecadd" / "launch.toml"), *SMALL, "--save"]
    assert main([*words, str(tmp_path / "full")]) == 2
    assert "no empty folder" in capsys.readouterr().err
    assert main([*words, str(tmp_path / "one.npy")]) == 2
    said = capsys.readouterr().err
    assert "one.npy would hold one array, and a run has several" in said
    assert "one.npz holds all buffers" in said
    assert main([*words, str(tmp_path / "no" / "where")]) == 2
    assert main([*words, str(tmp_path / "no" / "where.npz")]) == 2

    def fails(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "save", fails)
    with pytest.raises(UsageError, match="No space left"):
        save_arrays({"a": np.zeros(3)}, tmp_path / "new")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["full"]
    assert (tmp_path / "full" / "a").read_text() == "kept"


def test_names_never_become_paths():
    names = ["../../etc/passwd", "a/b", "a b", "A_b", "", "..", "file", "ok.1"]
    assert file_names(names) == [
        "_.._etc_passwd", "a_b", "a_b.2", "A_b.3", "array", "array.2", "file.2", "ok.1",
    ]  # fmt: skip
