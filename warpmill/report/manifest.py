"""Which commands there are, and what stands for each: found by name, loaded when it is used.

A command is a folder of ``warpmill.commands``. Its ``COMMAND`` names what it has by
``module:name``, modules those of its folder; nothing else lists commands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

GROUPS: dict[str, tuple[str, ...]] = {
    "Read a kernel": ("inspect", "analyze", "diff", "trace"),
    "Run it": ("run", "profile", "record", "replay"),
    "Time it": ("estimate", "explain", "simulate"),
    "Choose between": ("sweep", "tune", "correlate"),
    "The papers": ("dfsg", "clone", "sample", "explore"),
    "The environment": ("machines", "calibrate", "samples", "cache", "doctor", "schema"),
}
"""The commands by what people want, in the order of the help."""


@dataclass(frozen=True)
class ResultKind:
    """A kind of result: its word in JSON, its class, and what shows it.

    One without a page is a file that commands write for each other.
    """

    name: str
    result: str
    page: str | None = None
    table: str | None = None
    graph: str | None = None


@dataclass(frozen=True)
class SubCommands:
    """The sub-commands of a command, each with what it is for in a line; the first is the default.

    ``help`` is of all. ``lists``: the default lists what there is, and is meant without a word or
    with options alone; else it is meant where a word is none of the names. ``usage`` has the words
    of the usage line where these are not those of any command.
    """

    help: str
    summaries: Mapping[str, str]
    lists: bool = False
    usage: str | None = None


@dataclass(frozen=True)
class CommandEntry:
    """A command: what it is for in a line, examples of its help, its kinds of results.

    ``examples`` are by sub-command, "" those of the command itself.
    """

    name: str
    summary: str
    examples: Mapping[str, tuple[str, ...]]
    kinds: tuple[ResultKind, ...] = ()
    subcommands: SubCommands | None = None

    def load(self, place: str) -> Any:
        """What stands at ``module:name``, of the command's folder unless the module is whole."""
        module, _, name = place.partition(":")
        whole = module if "." in module else f"warpmill.commands.{self.name}.{module}"
        return getattr(import_module(whole), name)

    def function(self, subcommand: str | None = None) -> Any:
        """What the command line calls: a function for the command, or for its sub-command."""
        name = self.name if subcommand is None else f"{self.name}_{subcommand}"
        return self.load(f"command:{name}")


@cache
def command_names() -> tuple[str, ...]:
    """The commands, in the order of the help."""
    return tuple(name for names in GROUPS.values() for name in names)


@cache
def command(name: str) -> CommandEntry:
    """A command by its name. KeyError for what is none."""
    if name not in command_names():
        raise KeyError(name)
    found: CommandEntry = import_module(f"warpmill.commands.{name}").COMMAND
    return found


def commands() -> Iterator[CommandEntry]:
    """All commands, in the order of the help."""
    return map(command, command_names())


@cache
def kinds() -> dict[str, tuple[CommandEntry, ResultKind]]:
    """The kinds of results by their words, each with its command."""
    return {kind.name: (one, kind) for one in commands() for kind in one.kinds}


def shown(report: str, what: str) -> Any:
    """What shows a kind of report: its ``page``, ``table`` or ``graph``; None where it has none."""
    one, kind = kinds()[report]
    place = getattr(kind, what)
    return None if place is None else one.load(place)
