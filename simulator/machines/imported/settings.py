"""The settings of one configuration: options as they were written, read into numbers.

What cannot be read is an InputError that points at the option's value.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, Severity, at
from warpmill.analyzer.base.source import Source, Span
from warpmill.simulator.machines.imported.tables import defaults
from warpmill.simulator.machines.schema import Scalar

_COUNT = re.compile(r"[0-9]{1,12}")
_LONGEST = 60
_NUMBER = re.compile(r"[0-9]{1,9}(\.[0-9]{0,9})?")


@dataclass(frozen=True)
class Option:
    """What a configuration says of one option; ``label`` is how the file writes its name."""

    label: str
    text: str
    span: Span


class Stated(NamedTuple):
    """One value of a machine with its source, and the options that it was made of."""

    key: str
    value: Scalar
    source: str
    options: tuple[str, ...] = ()


@dataclass(frozen=True)
class Settings:
    """All options that a configuration gives, by GPGPU-Sim's names without the hyphen.

    ``covered`` are the options whose absence means GPGPU-Sim's default: in an option file all of
    them, in a parsed record those that it has a place for. ``name`` is what the configuration is
    called, ``origin`` how sources name it.
    """

    source: Source
    name: str
    origin: str
    given: Mapping[str, Option]
    covered: frozenset[str]

    def says(self, *options: str) -> bool:
        """Tell whether the values of all these options are known."""
        return all(o in self.given or (o in self.covered and o in defaults()) for o in options)

    def text(self, option: str) -> str:
        """Give the value of an option as it is written."""
        found = self.given.get(option)
        return defaults()[option] if found is None else found.text

    def count(self, option: str, least: int = 0) -> int:
        """Give a whole number of at least so much."""
        return self._count(option, self.text(option), least)

    def counts(self, option: str, separator: str, least: int = 0) -> tuple[int, ...]:
        """Give whole numbers that are written one after the other."""
        return tuple(self._count(option, p, least) for p in self.text(option).split(separator))

    def numbers(self, option: str, separator: str, how_many: int) -> tuple[float, ...]:
        """Give so many numbers above 0 that are written one after the other."""
        parts = self.text(option).split(separator)
        found = [float(part) for part in parts if _NUMBER.fullmatch(part)]
        if len(found) != len(parts) or len(found) != how_many or min(found) <= 0:
            words = f"{how_many} numbers above 0 with `{separator}` between them"
            raise self.error(option, f"{words} are needed, not `{shown(self.text(option))}`")
        return tuple(found)

    def flag(self, option: str) -> bool:
        """Give a yes or no, which is written as 1 or 0."""
        return self.count(option) != 0

    def stated(self, key: str, value: Scalar, *options: str, note: str = "") -> Stated:
        """State a value of a machine that follows from these options."""
        words = f": {note}" if note else ""
        return Stated(key, value, f"C {self.source_of(*options)}{words}", options)

    def source_of(self, *options: str) -> str:
        """Name where the values of options come from."""
        given = dict.fromkeys(self.given[o].label for o in options if o in self.given)
        absent = dict.fromkeys(f"-{o}" for o in options if o not in self.given)
        parts = [f"{self.origin} {' '.join(given)}"] if given else []
        return "; ".join([*parts, *([f"GPGPU-Sim's default {' '.join(absent)}"] if absent else [])])

    def error(self, option: str, words: str, hint: str | None = None) -> InputError:
        """Make an error that points at the value of an option."""
        return InputError(self.problem(Severity.ERROR, option, words, hint))

    def problem(
        self, severity: Severity, option: str, words: str, hint: str | None = None
    ) -> Diagnostic:
        """Make a diagnostic about an option, at its value where it is given."""
        found = self.given.get(option)
        if found is None:
            words = f"-{option} (GPGPU-Sim's default): {words}"
            return Diagnostic(severity, words, self.source.name, hint=hint)
        return at(self.source, found.span, severity, f"{found.label}: {words}", hint)

    def _count(self, option: str, text: str, least: int) -> int:
        if not _COUNT.fullmatch(text):
            raise self.error(option, f"a whole number is needed, not `{shown(text)}`")
        if int(text) < least:
            raise self.error(option, f"at least {least} is needed, not {text}")
        return int(text)


def file_name(source: Source) -> str:
    """Give the name of a source's file without the folders it is in."""
    return Path(source.name).name


def shown(text: str) -> str:
    """Give a text as messages show it: a long one is cut."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
