"""What helps say: words that people read, and which one is missing where nothing is given."""

import re

import pytest
from typer.main import get_command

from warpmill.cli.app import app
from warpmill.cli.main import main


def commands(command, words=()):
    """Every command and group with the words that call it."""
    yield words, command
    if hasattr(command, "list_commands"):
        for name in command.list_commands(None):
            yield from commands(command.get_command(None, name), (*words, name))


ALL = dict(commands(get_command(app)))
LEAVES = [words for words, command in ALL.items() if not hasattr(command, "commands")]
NEEDING = [words for words in LEAVES if any(p.required for p in ALL[words].params)]


@pytest.mark.parametrize("words", ALL, ids=" ".join)
def test_helps_have_words_that_people_read(words, capsys):
    assert main([*words, "--help"]) == 0
    shown = capsys.readouterr().out
    usage, _, rest = shown.partition("\n\n")
    assert not re.search(r"[{}<>]|\[\[|\.{4}", usage)
    kinds = [line for line in rest.splitlines() if re.match(r"  (-|[A-Z]+ )", line)]
    for line in kinds:
        assert not re.search(r"<|\b(str|int|float|path)\b(?= ?range|>|\])", line), line
        assert not re.search(r" (TEXT|INTEGER|FLOAT|PATH)\b", line), line
    assert "where TARGET" not in shown or " TARGET" in usage
    assert "..." not in rest.partition("Commands:")[2].partition("Examples:")[0]


MISSING = {
    (): "COMMAND is missing",
    ("dfsg",): "TARGET is missing",
    ("explore",): "SPACE is missing",
    ("inspect",): "FILE is missing",
    ("estimate",): "TARGET is missing",
    ("diff",): "A and B are missing",
    ("dfsg", "diff"): "A and B are missing",
    ("record",): "TARGET and --out are missing",
    ("machines", "new"): "NAME and --from are missing",
    ("explore", "report"): "STUDY is missing",
}


@pytest.mark.parametrize("words", dict.fromkeys([*MISSING, *NEEDING]), ids=" ".join)
def test_without_a_word_the_help_ends_with_what_is_missing(words, capsys):
    assert main([*words]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"Usage: {' '.join(['warpmill', *words])} ")
    *_, before, last = captured.err.rstrip().split("\n")
    assert (before, last[:7], last[-8:]) == ("", "error: ", " missing")
    if words in MISSING:
        assert last == f"error: {MISSING[words]}"


def test_words_of_a_command_that_takes_several(capsys):
    assert main(["inspect", "-h"]) == 0
    assert capsys.readouterr().out.startswith("Usage: warpmill inspect [OPTIONS] FILE...\n")
    assert main(["schema", "-h"]) == 0
    assert capsys.readouterr().out.startswith("Usage: warpmill schema [OPTIONS] [COMMAND]\n")
