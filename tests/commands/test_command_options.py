"""warpmill.cli.app: options classes as a command line reads them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.opt import Arg, Choices, Default, Help, Opt, Without
from warpmill.cli.app import flat


def _even(text: str) -> int:
    if int(text) % 2:
        raise UsageError(f"{text} is odd")
    return int(text)


@dataclass(frozen=True)
class Parts:
    """Options of each kind."""

    even: Annotated[int, Opt("An even number.", text=str, read=_even)] = 2
    word: Annotated[str, Opt("A word.", text=str, read=str.upper)] = "none"
    form: Annotated[str, Opt("How it is written.", names=("--form", "-f"))] = "text"
    most: Annotated[float | None, Opt("Most of it.", least=0.5)] = None
    python: object = None


@dataclass(frozen=True)
class Own(Parts):
    """Options of another class and one more."""

    last: Annotated[bool, Opt("The last.")] = False


Several = Annotated[list[str], Arg("Files.", metavar="FILE")]

made: list[object] = []


def _plain(files: Several, parts: Parts) -> None:
    made[:] = [files, parts]


def _changed(
    parts: Annotated[
        Own,
        Without("most"),
        Default("word", "other"),
        Help("last", "Not the first."),
        Choices("form", "text", "dot"),
    ],
    number: Annotated[int, Opt("A number.", text=str, read=_even)] = 4,
) -> None:
    made[:] = [parts, number]


@dataclass(frozen=True)
class Inner:
    """Options that stand in another class; two are none of the command's."""

    least: Annotated[int, Opt("Least.")] = 1
    most: Annotated[int, Opt("Most.")] = 9
    gap: Annotated[int, Opt("Gap.")] = 5
    python_alone: int = 7

    def __post_init__(self):
        if self.least > self.most:
            raise UsageError("--least is above --most")


@dataclass(frozen=True)
class Outer:
    """Options with others in them."""

    even: Annotated[int, Opt("Even.", text=str, read=_even)] = 2
    inner: Annotated[Inner, Without("gap")] = field(default_factory=Inner)

    def __post_init__(self):
        if self.even > self.inner.most:
            raise UsageError("--even is above --most")


def _nested(
    outer: Annotated[Outer, Default("most", 4), Help("least", "The least there is.")],
    other: Annotated[int, Opt("Other.")] = 3,
) -> None:
    made[:] = [outer, other]


def _said(function, *words):
    app = typer.Typer(rich_markup_mode=None)
    app.command()(flat(function))
    made.clear()
    done = CliRunner().invoke(app, words, env={"COLUMNS": "200"})
    if isinstance(done.exception, UsageError):
        raise done.exception
    return done.exit_code, re.sub(r"\s+", " ", done.output)


def test_what_is_not_given_has_the_default_of_the_class():
    assert _said(_plain, "a", "b")[0] == 0
    assert made == [["a", "b"], Parts()]
    assert _said(_changed)[0] == 0
    assert made == [Own(word="other"), 4]


def test_what_is_given_is_read():
    words = ("a", "--even", "6", "--word", "some", "-f", "csv", "--most", "0.5")
    assert _said(_plain, *words)[0] == 0
    assert made == [["a"], Parts(6, "SOME", "csv", 0.5)]
    assert _said(_plain, "a", "--most", "0.4")[0] == 2


def test_options_of_a_field_stand_beside_the_others():
    assert _said(_nested)[0] == 0
    assert made == [Outer(2, Inner(1, 4)), 3]
    words = ("--even", "6", "--least", "5", "--most", "8", "--other", "1")
    assert _said(_nested, *words)[0] == 0
    assert made == [Outer(6, Inner(5, 8)), 1]
    _, shown = _said(_nested, "--help")
    assert "The least there is." in shown
    assert "--gap" not in shown
    assert "--python-alone" not in shown


@pytest.mark.parametrize(
    ("command", "words", "told"),
    [
        (_changed, ("--even", "3", "--number", "5"), ["3 is odd", "5 is odd"]),
        (_nested, ("--even", "3", "--least", "5"), ["3 is odd", "--least is above --most"]),
        (_nested, ("--even", "8"), ["--even is above --most"]),
    ],
)
def test_all_that_is_wrong_is_told_and_nothing_that_follows_from_it(command, words, told):
    with pytest.raises(UsageError) as found:
        _said(command, *words)
    assert [d.message for d in found.value.diagnostics] == told
    assert made == []


def test_a_command_takes_a_class_with_changes():
    _, shown = _said(_changed, "--help")
    assert "--last Not the first." in shown
    assert "[default: other]" in shown
    assert "--most" not in shown
    assert "--python" not in shown
    assert _said(_changed, "-f", "dot")[0] == 0
    assert _said(_changed, "-f", "csv")[0] == 2
