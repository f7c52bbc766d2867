"""What a shell is told where somebody presses Tab."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer._completion_classes import FishComplete, ZshComplete

from tests.documents.test_imports import HEAVY
from warpmill.cli.completion import VARIABLE, answer, candidates
from warpmill.cli.main import main
from warpmill.report.manifest import command_names
from warpmill.session.workloads import workloads
from warpmill.simulator.machines import machine_names

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "samples"


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch):
    monkeypatch.chdir(ROOT)


def offered(*words):
    *before, incomplete = words
    return [one.value for one in candidates(before, incomplete)]


def test_commands_sub_commands_and_options():
    assert offered("") == list(command_names())
    assert offered("est") == ["estimate"]
    assert offered("machines", "") == ["list", "show", "diff", "new", "import"]
    assert offered("estimate", "--mac") == ["--machine"]
    assert {"--kernel", "--format", "--max-inlined", "--help"} <= set(offered("estimate", "-"))
    assert offered("--ver") == ["--version"]
    assert offered("nothing", "") == []


def test_machines_with_commas_between():
    assert offered("estimate", "x.toml", "--machine", "") == list(machine_names())
    assert offered("estimate", "-m", "a100,t4") == ["a100,t4"]
    assert offered("estimate", "--machine=t4") == ["--machine=t4"]
    assert offered("machines", "show", "t4") == ["t4"]


def test_workloads_their_presets_and_files_that_begin_alike(tmp_path, monkeypatch):
    assert offered("estimate", "") == sorted(workloads())
    assert offered("estimate", "bfs:t") == ["bfs:tiny"]
    assert offered("samples", "run", "bfs", "--preset", "ti") == ["tiny"]
    monkeypatch.chdir(tmp_path)
    Path("bfs.ptx").touch()
    assert offered("estimate", "bfs")[-1] == "bfs.ptx"
    assert offered("estimate", "launch") == []  # the shell names files


@pytest.mark.parametrize(
    ("target", "kernels"),
    [
        ("samples/matmul/matmul.sm_80.ptx", ["matmul"]),
        ("samples/matmul/matmul.ll", ["matmul"]),
        ("samples/matmul/launch.toml", ["matmul"]),
        ("bfs:tiny", ["bfs_expand", "bfs_advance"]),
        ("nothing.ptx", []),
        ("README.md", []),
    ],
)
def test_kernels_of_a_target(target, kernels):
    assert offered("estimate", target, "--kernel", "") == kernels


def test_words_that_an_option_takes():
    assert offered("estimate", "x", "--format", "") == ["text", "md", "html", "json", "csv"]
    assert offered("estimate", "x", "--trace", "s") == ["static"]
    assert offered("estimate", "x", "--regs", "") == []


@pytest.mark.parametrize(
    ("words", "place", "told"),
    [
        (["estimate", "bfs", ":", "t"], 4, "tiny"),
        (
            ["estimate", "bfs", ":"],
            3,
            "\n".join(workloads()["bfs"].presets),
        ),
        (["estimate", "--machine", "=", "t4"], 4, "t4"),
        (["estimate", "--format", "="], 3, "text\nmd\nhtml\njson\ncsv"),
        (["estimate", "x.toml", "--form"], 3, "--format"),
        (["esti"], 1, "estimate"),
        (["estimate", "'open"], 2, ""),
    ],
)
def test_bash_breaks_words_at_signs(words, place, told):
    asked = {VARIABLE: "complete_bash", "COMP_WORDS": "\n".join(["warpmill", *words])}
    assert answer({**asked, "COMP_CWORD": str(place)}) == (told, 0)


@pytest.mark.parametrize("line", ["warpmill estimate bfs:", "warpmill estimate --", "warpmill "])
def test_zsh_and_fish_are_told_as_typer_would(line, monkeypatch):
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", line)
    monkeypatch.setenv("_TYPER_COMPLETE_FISH_ACTION", "get-args")
    for shell, kind in (("zsh", ZshComplete), ("fish", FishComplete)):
        typers = kind(None, {}, "warpmill", VARIABLE)
        typers.get_completions = candidates
        assert answer({**os.environ, VARIABLE: f"complete_{shell}"}) == (typers.complete(), 0)


def test_fish_names_files_where_nothing_else_is_known():
    asked = {VARIABLE: "complete_fish", "_TYPER_COMPLETE_FISH_ACTION": "is-args"}
    assert answer({**asked, "_TYPER_COMPLETE_ARGS": "warpmill estimate laun"}) == ("", 1)
    assert answer({**asked, "_TYPER_COMPLETE_ARGS": "warpmill est"}) == ("", 0)


def test_an_answer_loads_nothing_heavy():
    code = f"""
import sys
from warpmill.cli.main import main
assert main([]) == 0
print([m for m in {(*HEAVY, "typer")!r} if m in sys.modules])"""
    asked = {VARIABLE: "complete_zsh", "_TYPER_COMPLETE_ARGS": "warpmill estimate x -m a10"}
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **asked}, capture_output=True, check=True
    )
    assert done.stdout.decode().splitlines()[-1] == "[]"
    assert '"a100"' in done.stdout.decode()


def test_bash_completes_with_the_script_that_is_shown(tmp_path, capsys):
    asked = {**os.environ, "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    shown = subprocess.run(
        [sys.executable, "-m", "warpmill", "--show-completion", "bash"],
        env=asked,
        capture_output=True,
        check=True,
    )
    script = f"""
warpmill() {{ {sys.executable} -m warpmill "$@"; }}
export -f warpmill
printf '#!/bin/sh\\nexec {sys.executable} -m warpmill "$@"\\n' > warpmill; chmod +x warpmill
{shown.stdout.decode()}
COMP_WORDS=(./warpmill estimate bfs : t); COMP_CWORD=4
_warpmill_completion ./warpmill
echo "${{COMPREPLY[@]}}"
"""
    done = subprocess.run(["bash", "-c", script], cwd=tmp_path, capture_output=True, check=True)
    assert done.stdout.decode().splitlines()[-1] == "tiny"


def test_the_help_names_what_installs_it(capsys):
    assert main(["--help"]) == 0
    assert "--install-completion" in capsys.readouterr().out
