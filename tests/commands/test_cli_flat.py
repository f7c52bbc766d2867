"""Options classes as typer reads them: fields that are classes, and what is told of wrong ones."""

from dataclasses import dataclass, field
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.opt import Default, Help, Opt, Without
from warpmill.cli.app import flat


def _even(text):
    if int(text) % 2:
        raise UsageError(f"--even {text}: this is odd")
    return int(text)


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


def called(*words):
    """What a command is called with."""
    given = []

    def command(
        outer: Annotated[Outer, Default("most", 4), Help("least", "The least there is.")],
        other: Annotated[int, Opt("Other.")] = 3,
    ) -> None:
        """Do nothing."""
        given.append((outer, other))

    app = typer.Typer()
    app.command()(flat(command))
    done = CliRunner().invoke(app, words)
    if isinstance(done.exception, UsageError):
        raise done.exception
    return given[0] if given else done.output


def test_options_of_a_field_stand_beside_the_others():
    assert called() == (Outer(2, Inner(1, 4)), 3)
    words = ("--even", "6", "--least", "5", "--most", "8", "--other", "1")
    assert called(*words) == (Outer(6, Inner(5, 8)), 1)
    help_ = called("--help")
    assert "The least there is." in help_
    assert "--gap" not in help_
    assert "--python-alone" not in help_


def test_all_that_is_wrong_is_told_and_nothing_that_follows_from_it():
    with pytest.raises(UsageError) as told:
        called("--even", "3", "--least", "5")
    assert [d.message for d in told.value.diagnostics] == [
        "--even 3: this is odd",
        "--least is above --most",
    ]
    with pytest.raises(UsageError) as told:
        called("--even", "8")
    assert [d.message for d in told.value.diagnostics] == ["--even is above --most"]
