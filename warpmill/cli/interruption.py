"""What an interruption leaves, in words: most commands keep nothing, simulations may be cut."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from shlex import quote

from warpmill.cli.mending import without

_TELLING = frozenset(("sweep", "tune", "explore"))
"""Commands that keep what they have measured, and say themselves where."""

_NOTHING = "interrupted: nothing is kept of it, and no file was written"


def kept_words(given: Sequence[str]) -> str | None:
    """Say what a command that was interrupted leaves, and how to go on; None: it says so itself."""
    command = next((word for word in given if not word.startswith("-")), None)
    if command in _TELLING:
        return None
    if command == "simulate":
        return f"{_NOTHING}\n  = help: {_in_parts(given)}"
    if command in {"run", "profile", "record", "replay"}:
        limit = "--max-seconds N ends a run by itself"
        return (
            f"{_NOTHING}\n  = help: {limit}, --size NAME=VALUE makes that of a launch file smaller"
        )
    return _NOTHING


def _in_parts(given: Sequence[str]) -> str:
    """Say how a simulation is cut into parts that are kept."""
    values = dict(pairwise(given))
    if "--resume" in values:
        return f"{values['--resume']} is as it was: the same command starts from it again"
    if "," in values.get("-m", values.get("--machine", "")):
        return "on one machine, --until CYCLE --checkpoint FILE keeps a part; --resume FILE goes on"
    words = [*without(given, ("--until", "--checkpoint"))]
    cut = " ".join(["warpmill", *map(quote, words), "--until 1000000 --checkpoint part.ckpt"])
    return f"to keep a part: {cut}, then the same with --resume part.ckpt"
