import gc
import os
import platform
import shlex
import subprocess
import sys
from functools import partial
from pathlib import Path
from types import ModuleType

import numba
import numpy as np
import pytest

import warpmill
from warpmill.__main__ import main as entry_point
from warpmill.cli import main as entry
from warpmill.cli.main import main


def run(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "warpmill", *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        **options,
    )


def test_version(capsys):
    assert main(["--version"]) == 0
    told = capsys.readouterr().out
    assert told.startswith(f"warpmill {warpmill.__version__} (Python {platform.python_version()}, ")
    assert f"numpy {np.__version__}, numba {numba.__version__}, llvmlite" in told


@pytest.mark.parametrize("argument", ["schema", "--help"])
def test_nobody_reads_the_output(argument):
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "warpmill", argument],
        stdout=writing,
        stderr=subprocess.PIPE,
        timeout=60,
        check=False,
    )
    os.close(writing)
    assert done.returncode == entry.NO_READER
    assert done.stderr == b""


def test_a_full_disk_is_told():
    with open("/dev/full", "w") as full:  # noqa: PTH123
        done = subprocess.run(
            [sys.executable, "-m", "warpmill", "schema", "doctor"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr == "error: the output cannot be written: No space left on device\n"


@pytest.mark.parametrize("command", [["schema", "doctor"], ["--help"]])
def test_a_closed_output_is_told(command):
    words = [sys.executable, "-m", "warpmill", *command]
    shell = partial(subprocess.run, capture_output=True, text=True, timeout=60, check=False)
    done = shell(["sh", "-c", 'exec "$@" >&-', "sh", *words])
    assert done.returncode == 2
    assert done.stderr == "error: the output cannot be written: standard output is closed\n"
    assert shell(["sh", "-c", 'exec "$@" 2>&- >&-', "sh", *words]).returncode == 2


def failing(error):
    def run(*_given, **_named):
        raise error

    return run


def test_an_internal_error_is_one_line_and_how_to_report_it(monkeypatch, capsys):
    monkeypatch.setattr("warpmill.report.schemas.schemas", failing(ValueError("boom\nmore")))
    assert main(["schema"]) == 70
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "internal error: ValueError: boom"
    assert "report it" in lines[1]
    assert len(lines) == 2


def test_a_traceback_on_request(monkeypatch, capsys):
    monkeypatch.setattr("warpmill.report.schemas.schemas", failing(ValueError("boom")))
    monkeypatch.setenv("WARPMILL_TRACEBACK", "1")
    assert main(["schema"]) == 70
    assert "Traceback" in capsys.readouterr().err


def test_an_interrupt_says_what_is_kept(monkeypatch, capsys):
    monkeypatch.setattr("warpmill.report.schemas.schemas", failing(KeyboardInterrupt()))
    assert main(["schema"]) == 130
    said = "interrupted: nothing is kept of it, and no file was written\n"
    assert capsys.readouterr().err == said


@pytest.mark.parametrize("command", ["run", "estimate", "simulate"])
def test_an_interrupted_engine_says_how_to_go_on(command, monkeypatch, capsys, tmp_path):
    target = Path(__file__).parents[2] / "samples" / "vecadd" / "launch.toml"
    words = [command, str(target), "--size", "n=1024"]
    with monkeypatch.context() as patched:
        patched.setattr("warpmill.session.prepare.load_launches", failing(KeyboardInterrupt()))
        assert main([*words, "-o", str(tmp_path / "out")]) == 130
    said = capsys.readouterr().err
    assert said.startswith("interrupted: nothing is kept of it, and no file was written\n")
    assert not (tmp_path / "out").exists()
    if command == "run":
        assert "--max-seconds N ends a run by itself" in said
    if command == "simulate":
        part = said.partition("to keep a part: warpmill ")[2].partition(", then the same")[0]
        monkeypatch.chdir(tmp_path)
        assert main(shlex.split(part.replace("1000000", "500"))) == 0
        assert main([*words, "--resume", "part.ckpt"]) == 0
        with monkeypatch.context() as patched:
            patched.setattr("warpmill.session.prepare.load_launches", failing(KeyboardInterrupt()))
            assert main([*words, "--resume", "part.ckpt"]) == 130
        assert "part.ckpt is as it was" in capsys.readouterr().err


def test_running_out_of_recursion_is_no_traceback(monkeypatch, capsys):
    monkeypatch.setattr("warpmill.report.schemas.schemas", failing(RecursionError("too deep")))
    assert main(["schema"]) == 70
    assert capsys.readouterr().err.startswith("internal error: RecursionError: too deep\n")


@pytest.mark.parametrize("is_there", [False, True])
def test_objects_of_triton_are_freed_as_the_process_ends(is_there, monkeypatch):
    """Its bindings list all of theirs that are left, on stderr, after every command."""
    monkeypatch.setattr(sys, "argv", ["warpmill", "--version"])
    monkeypatch.delitem(sys.modules, "triton", raising=False)
    if is_there:
        monkeypatch.setitem(sys.modules, "triton", ModuleType("triton"))
    frozen = []
    monkeypatch.setattr(gc, "freeze", lambda: frozen.append(1))
    threshold = gc.get_threshold()
    try:
        assert entry_point() == 0
    finally:
        gc.set_threshold(*threshold)
    assert bool(frozen) == (not is_there)
