"""What a command writes takes the place of nothing that it reads."""

import json
from pathlib import Path

import pytest

from tests.commands.test_cli_bad_input import fails
from warpmill.cli.app import app
from warpmill.cli.main import main
from warpmill.report.manifest import command_names

SAMPLES = Path(__file__).parents[2] / "samples"
PTX = (SAMPLES / "vecadd" / "vecadd.sm_80.ptx").read_bytes()
LAUNCH = """
[[launch]]
module = "v.ptx"
grid = [2]
block = [32]
args = [{ buffer = "f32", shape = [64] }, { buffer = "f32", shape = [64] },
  { buffer = "f32", shape = [64] }, { i32 = 64 }]
"""
SIZES = ["--grid", "2", "--block", "32", *["--arg", "buffer=f32:64"] * 3, "--arg", "64"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a kernel, its launch, and other names of the kernel."""
    monkeypatch.chdir(tmp_path)
    Path("v.ptx").write_bytes(PTX)
    Path("launch.toml").write_text(LAUNCH, "utf-8")
    Path("link.ptx").symlink_to("v.ptx")
    Path("inner").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    ("words", "option"),
    [
        (["trace", "v.ptx", *SIZES, "--save", "v.ptx"], "--save v.ptx"),
        (["trace", "v.ptx", *SIZES, "--save", "inner/../v.ptx"], "--save inner/../v.ptx"),
        (["estimate", "v.ptx", *SIZES, "-o", "link.ptx"], "--output link.ptx"),
        (["estimate", "link.ptx", *SIZES, "-o", "v.ptx"], "--output v.ptx"),
        (["analyze", "v.ptx", "-o", "v.ptx"], "--output v.ptx"),
        (["inspect", "v.ptx", "-o", "v.ptx"], "--output v.ptx"),
        (["record", "v.ptx", *SIZES, "-o", "v.ptx"], "--out v.ptx"),
        (["run", "v.ptx", *SIZES, "--record", "v.ptx"], "--record v.ptx"),
        (["dfsg", "v.ptx", *SIZES, "-o", "v.ptx"], "--output v.ptx"),
        (
            ["simulate", "v.ptx", *SIZES, "--until", "9", "--checkpoint", "v.ptx"],
            "--checkpoint v.ptx",
        ),
    ],
)
def test_a_target_is_not_replaced(folder, capsys, words, option):
    said = fails(capsys, words, 2, f"{option} would replace what is read")
    assert "names this file\n  = help: give the output another name" in said
    assert Path("v.ptx").read_bytes() == PTX


def test_a_recording_is_not_replaced(folder, capsys):
    assert main(["record", "launch.toml", "-o", "r.wmrec"]) == 0
    capsys.readouterr()
    held = Path("r.wmrec").read_bytes()
    fails(capsys, ["replay", "r.wmrec", "-o", "r.wmrec"], 2, "RECORDING names this file")
    assert Path("r.wmrec").read_bytes() == held


def test_neither_is_what_a_launch_file_names(folder, capsys):
    said = "--output v.ptx would replace what is read: launch.toml names this file"
    fails(capsys, ["estimate", "launch.toml", "-o", "v.ptx"], 2, said)
    assert Path("v.ptx").read_bytes() == PTX


def test_neither_is_the_file_of_an_option(folder, capsys):
    Path("mine.toml").write_text('name = "mine"\nfallback = "v100"\n', "utf-8")
    words = ["estimate", "launch.toml", "-m", "v100,mine.toml", "-o", "mine.toml"]
    fails(capsys, words, 2, "--machine names this file")


def test_other_files_are_replaced(folder, capsys):
    Path("json").write_text("old", "utf-8")  # the value of an option is a file's name by chance
    assert main(["inspect", "v.ptx", "-f", "json", "-o", "json"]) == 0
    assert json.loads(Path("json").read_text("utf-8"))["files"]


def test_every_option_that_is_said_to_write_is_watched():
    from typer.main import get_command  # noqa: PLC0415

    every = list(_commands(get_command(app)))
    assert len(every) > len(command_names())
    for command in every:
        for parameter in command.params:
            says = (parameter.help or "").startswith(("Write", "Draw", "Save", "Keep every"))
            if says and parameter.metavar and "FILE" in parameter.metavar:
                wrapped = getattr(parameter.callback, "__wrapped__", parameter.callback)
                assert wrapped is not None, f"{command.name} {parameter.opts[0]}"


def _commands(command):
    if not hasattr(command, "list_commands"):
        yield command
        return
    for name in command.list_commands(None):
        yield from _commands(command.get_command(None, name))
