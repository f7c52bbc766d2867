import os
import stat
import time
from pathlib import Path

import pytest

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, UsageError
from warpmill.cli import output, progress
from warpmill.cli.main import main
from warpmill.cli.output import print_diagnostics, working, write


def test_a_file_is_replaced_whole(tmp_path):
    path = tmp_path / "report.json"
    path.write_text("old")
    path.chmod(0o640)
    write("new", path)
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [p.name for p in tmp_path.iterdir()] == ["report.json"]


def test_a_new_file_has_usual_permissions(tmp_path):
    mask = os.umask(0o022)
    try:
        write("new", tmp_path / "a")
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o644


def test_what_fails_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "report.json"
    path.write_text("old")

    def refuse(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.replace", refuse)
    with pytest.raises(UsageError, match="cannot be written: No space left"):
        write("new", path)
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["report.json"]


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write("new", tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


def test_a_device_is_written_to_and_not_replaced():
    write("gone", Path(os.devnull))
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)


def test_diagnostics_that_are_alike_are_told_once(capsys):
    one = Diagnostic(Severity.WARNING, "once", "a.ptx")
    print_diagnostics([one, one])
    assert capsys.readouterr().err == "a.ptx: warning: once\n"


def test_diagnostics_have_an_end(capsys):
    print_diagnostics(Diagnostic(Severity.WARNING, f"number {i}") for i in range(60))
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 51
    assert lines[-1] == "and 10 more"


def test_progress_needs_a_terminal_and_time(capsys, monkeypatch):
    monkeypatch.setattr(progress, "DELAY_S", 0.01)
    with working("counting"):
        time.sleep(0.05)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(output.sys.stderr, "isatty", lambda: True)
    with working("counting [bold]"):
        time.sleep(0.3)
    assert "counting [bold]" in capsys.readouterr().err
    monkeypatch.setattr(progress, "DELAY_S", 5)
    with working("counting"):
        pass
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("terminal", "variables", "colour"),
    [
        (True, {"TERM": "xterm"}, True),
        (True, {"TERM": "xterm", "NO_COLOR": ""}, True),  # as no-color.org has it
        (True, {"TERM": "xterm", "NO_COLOR": "1"}, False),
        (True, {"TERM": "dumb"}, False),
        (False, {"TERM": "xterm"}, False),
    ],
)
def test_colour_is_for_terminals_that_take_it(terminal, variables, colour, capsys, monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.stdout.isatty", lambda: terminal)
    assert main(["machines", "diff", "v100", "t4"]) == 0
    assert ("\x1b[" in capsys.readouterr().out) is colour
