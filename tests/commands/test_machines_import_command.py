"""``warpmill machines import``: what it writes, and what it says on stderr."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from warpmill.cli.main import main
from warpmill.simulator.machines import imported_machine, load_machine

SMALL = Path(__file__).parents[2] / "samples" / "machines" / "smallgpu" / "gpgpusim.config"


def run(capsys, *arguments):
    code = main(["machines", "import", *map(str, arguments)])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_the_file_goes_to_the_screen_or_to_a_file_and_loads(capsys, tmp_path):
    code, text, told = run(capsys, SMALL)
    assert (code, told) == (0, "")
    path = tmp_path / "small.toml"
    assert run(capsys, SMALL, "--out", path) == (0, "", "")
    assert path.read_text("utf-8") == text
    assert load_machine(str(path)).integer("sm.count") == 8
    assert main(["machines", "diff", str(path), "gtx480_gpgpusim", "--format", "csv"]) == 0
    assert "sm.count,SMs,8,15" in capsys.readouterr().out


def test_a_file_that_no_command_would_take_is_not_written(capsys, tmp_path):
    path = tmp_path / "small.txt"
    code, _, told = run(capsys, SMALL, "--out", path)
    assert (code, path.exists()) == (2, False)
    assert "the name of a machine file ends in .toml" in told


def test_name_and_base(capsys, tmp_path):
    path = tmp_path / "x.toml"
    assert run(capsys, SMALL, "--name", "mine", "--from", "a100", "--out", path)[0] == 0
    machine = load_machine(str(path))
    assert (machine.text("machine.name"), machine.chain[1]) == ("mine", "a100")
    direct = imported_machine(SMALL, name="mine", base="a100")
    assert [(k, v.value) for k, v in machine.values] == [(k, v.value) for k, v in direct.values]


def test_options_that_are_no_values_are_counted_or_listed(capsys, tmp_path):
    path = tmp_path / "gpgpusim.config"
    path.write_text("-gpgpu_n_mem 4\n-l2_ideal 0\n-network_mode 2\n -new_thing 1\n", "utf-8")
    code, text, told = run(capsys, path)
    assert code == 0
    assert text.startswith("# Made from gpgpusim.config")
    words = "2 options are no values of a machine (--verbose lists them)"
    assert told == f"{path}: warning: {words}\n"
    _, _, told = run(capsys, path, "--verbose")
    assert f"{path}:2:1: warning: -l2_ideal is no value of a machine" in told
    assert f"{path}:4:2: warning: -new_thing is no value of a machine" in told


def test_a_configuration_of_several(capsys, tmp_path):
    record = {"n_sm": 3, "icnt_mode": "2", "force_max_capability": "70"}
    path = tmp_path / "all.json"
    path.write_text(json.dumps({"configs": {"ONE": record, "TWO": record}}), "utf-8")
    code, text, told = run(capsys, path, "--config", "TWO")
    assert (code, told) == (0, "")
    assert "C all.json TWO n_sm" in text
    code, text, told = run(capsys, path)
    assert (code, text) == (2, "")
    assert "--config names none of them" in told
    assert "they are ONE, TWO" in told


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        ("-gpgpu_n_mem x\n", [], ":1:14: error: -gpgpu_n_mem: a whole number is needed"),
        ("-gpgpu_n_mem 4\n", ["--from", "a101"], "--from a101: this is not a machine"),
        ("-gpgpu_n_mem 4\n", ["--config", "A"], "is one configuration, not a file of several"),
        ("-gpgpu_n_mem 4\n", ["--icnt", "none.icnt"], "none.icnt: error: cannot read the file"),
    ],
)
def test_what_goes_wrong_leaves_nothing_behind(text, options, words, capsys, tmp_path):
    path, out = tmp_path / "gpgpusim.config", tmp_path / "out.toml"
    path.write_text(text, "utf-8")
    code, written, told = run(capsys, path, "--out", out, *options)
    assert (code, written) == (2, "")
    assert words in told
    assert told.count("error:") == 1
    assert [p.name for p in tmp_path.iterdir()] == ["gpgpusim.config"]
