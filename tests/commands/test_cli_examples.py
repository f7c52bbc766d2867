import glob
import shlex
from pathlib import Path

import pytest

from warpmill.cli.main import main
from warpmill.report.manifest import commands

ROOT = Path(__file__).parents[2]
EXAMPLES = {
    f"{one.name} {sub}".strip(): lines for one in commands() for sub, lines in one.examples.items()
}
SHOWN_TOO = {"record", "replay", "clone", "sample"}  # they report what they write or read
BEFORE = {"replay": "record", "explore report": "explore"}  # what they read is made
SETTING = {"machines", "machines show", "machines new"}  # announced rates that do not follow
TELLING = {  # of columns, what is known, tried, took
    *SETTING,
    *("clone", "correlate", "explore", "explore run", "sample", "sweep", "tune"),
}
ALL = [(command, line) for command, lines in EXAMPLES.items() for line in lines]


@pytest.fixture
def beside_samples(tmp_path, tmp_path_factory, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.slow
@pytest.mark.one_in(3)
@pytest.mark.parametrize(("command", "line"), ALL, ids=[line for _, line in ALL])
def test_every_example_of_the_help_works(command, line, beside_samples, capsys):
    if command in BEFORE:
        assert main(shlex.split(EXAMPLES[BEFORE[command]][0])[1:]) == 0
        capsys.readouterr()
    program, *words = shlex.split(line)
    assert program == "warpmill"
    given = [w for word in words for w in (sorted(glob.glob(word)) or [word])]  # noqa: PTH207
    assert " ".join(given).startswith(command)
    assert main(given) == 0
    captured = capsys.readouterr()
    written = [p for p in beside_samples.iterdir() if p.name != "samples"]
    wanted = [given[given.index(o) + 1] for o in ("--output", "--out", "--save") if o in given]
    if command == "replay":
        wanted = [given[1]]  # is there already
    assert [p.name for p in written] == wanted
    assert bool(captured.out) != (bool(written) and command not in SHOWN_TOO)
    assert captured.err == "" or command in TELLING


@pytest.mark.one_in(12)
@pytest.mark.parametrize("command", list(EXAMPLES))
def test_the_help_shows_the_examples(command, capsys):
    assert main([*command.split(), "--help"]) == 0
    shown = capsys.readouterr().out.replace("\\\n", "")
    assert 2 <= len(EXAMPLES[command]) <= 4
    for line in EXAMPLES[command]:
        assert line.split() in [
            shown.split()[i : i + len(line.split())] for i in range(len(shown.split()))
        ]


def test_the_first_help_lists_all_commands(capsys):
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    for command in EXAMPLES:
        assert f"\n  {command.split()[0]} " in shown
    assert "..." not in shown.replace("[ARGS]...", "")


def test_the_guide_has_a_page_a_command_with_its_examples():
    for command, lines in EXAMPLES.items():
        page = (ROOT / "docs" / "guide" / f"{command.split()[0]}.md").read_text("utf-8")
        for line in lines:
            assert line in page.replace("\\\n    ", ""), line
