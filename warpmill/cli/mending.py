"""The command that would do in place of one that was wrong, to copy."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from shlex import quote

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity

_SHORT = {"--kernel": "-k", "--machine": "-m"}


def mended_command(given: Sequence[str], diagnostics: Sequence[Diagnostic]) -> str | None:
    """Give the command with all that is wrong mended; None where something has no mend.

    Of an option whose values are known the given ones are left out, and the new ones added.
    """
    errors = [d for d in diagnostics if d.severity is Severity.ERROR]
    fixes = dict(d.fix for d in errors if d.fix is not None)
    if not errors or any(d.fix is None for d in errors):
        return None
    words = [*without(given, fixes)]
    for option, values in fixes.items():
        for value in values:
            words += [option, value]
    return " ".join(["warpmill", *map(quote, words)])


def without(given: Sequence[str], options: Collection[str]) -> Iterator[str]:
    """Give words of a command without some options and their values."""
    short = tuple(_SHORT[option] for option in options if option in _SHORT)
    words = iter(given)
    for word in words:
        name = word.partition("=")[0]
        if word in options or word in short:
            next(words, None)
        elif name not in options and not (word.startswith(short) and not word.startswith("--")):
            yield word
