"""The commands there are, by name, each loaded when it is used, and the help of ``warpmill``.

A command is a folder of ``warpmill.commands``. Its ``COMMAND`` names what it has by
``module:name``, modules those of its folder; nothing lists commands.
"""

from __future__ import annotations

import platform
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from itertools import groupby
from pkgutil import iter_modules
from typing import Any

from warpmill.version import __version__

GROUPS = (
    "Read a kernel", "Run it", "Time it", "Choose between", "The papers", "The environment",
)  # fmt: skip
"""What people want of commands, in the order of the help."""


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
    issues: str | None = None


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

    The help shows it in its ``group``, at its ``place`` there. ``examples`` are by sub-command, ""
    those of the command itself.
    """

    name: str
    summary: str
    group: str
    place: int
    examples: Mapping[str, tuple[str, ...]]
    kinds: tuple[ResultKind, ...] = ()
    subcommands: SubCommands | None = None

    def load(self, place: str) -> Any:
        """Object at ``module:name``, of the command's folder unless the module is whole."""
        module, _, name = place.partition(":")
        whole = module if "." in module else f"warpmill.commands.{self.name}.{module}"
        return getattr(import_module(whole), name)

    def function(self, subcommand: str | None = None) -> Any:
        """Function of the command, or of its sub-command, which the command line calls."""
        name = self.name if subcommand is None else f"{self.name}_{subcommand}"
        return self.load(f"command:{name}")


@cache
def _folders() -> frozenset[str]:
    places = import_module("warpmill.commands").__path__
    return frozenset(one.name for one in iter_modules(places) if one.ispkg)


@cache
def command_names() -> tuple[str, ...]:
    """The commands, in the order of the help."""
    every = map(command, _folders())
    ordered = sorted(every, key=lambda one: (GROUPS.index(one.group), one.place, one.name))
    return tuple(one.name for one in ordered)


def grouped() -> Iterator[tuple[str, tuple[CommandEntry, ...]]]:
    """The groups of the help, each with its commands."""
    for group, entries in groupby(commands(), key=lambda one: one.group):
        yield group, tuple(entries)


@cache
def command(name: str) -> CommandEntry:
    """A command by its name. KeyError for what is none."""
    if name not in _folders():
        raise KeyError(name)
    found: CommandEntry = import_module(f"warpmill.commands.{name}").COMMAND
    return found


def is_command(name: str) -> bool:
    """Whether there is a command of that name; none is loaded."""
    return name in _folders()


def commands() -> Iterator[CommandEntry]:
    """All commands, in the order of the help."""
    return map(command, command_names())


@cache
def kinds() -> dict[str, tuple[CommandEntry, ResultKind]]:
    """The kinds of results by their words, each with its command."""
    return {kind.name: (one, kind) for one in commands() for kind in one.kinds}


def _kind(report: str) -> tuple[CommandEntry, ResultKind]:
    """A kind of result with its command, which mostly begins its name: no other is loaded then."""
    first = report.partition("-")[0]
    if is_command(first):
        own = command(first)
        for kind in own.kinds:
            if kind.name == report:
                return own, kind
    return kinds()[report]


def shown(report: str, what: str) -> Any:
    """``page``, ``table``, ``graph`` or ``issues`` of a kind of report; None where it has none."""
    one, kind = _kind(report)
    place = getattr(kind, what)
    return None if place is None else one.load(place)


# The help and the version of ``warpmill`` itself: they need the manifest alone, at once.

_HEAD = """Usage: warpmill [OPTIONS] COMMAND [ARGS]...
       warpmill FILE

  How a GPU kernel will behave on a chip that is not in the room.

Options:
  --version             Show the versions that matter and exit.
  --install-completion  Install completion for the current shell.
  --show-completion     Show completion for the current shell.
  -h, --help            Show this message and exit.
"""
_TAIL = """
  Start with:
    warpmill samples/matmul/matmul.sm_80.ptx
    warpmill estimate samples/matmul/launch.toml
"""


def root_help() -> str:
    """Text of ``warpmill --help``: the commands by what people want, a line each."""
    width = max(map(len, command_names()))
    groups = "".join(
        f"\n{group}:\n" + "".join(f"  {one.name:{width}}  {one.summary}\n" for one in entries)
        for group, entries in grouped()
    )
    return f"{_HEAD}{groups}{_TAIL}"


_DECIDING = ("numpy", "numba", "llvmlite")
"""Libraries whose versions decide how fast things are, and which code is compiled."""


def version_text() -> str:
    """Text of ``warpmill --version``: its own version, and those that matter beside it."""
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 - only here

    found = [f"Python {platform.python_version()}"]
    for name in _DECIDING:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            found.append(f"no {name}")
    return f"warpmill {__version__} ({', '.join(found)})\n"
