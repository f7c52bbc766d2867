"""Reading a file of GPGPU-Sim's options: ``-name value``, comments, quoted values over lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, Severity, at
from warpmill.analyzer.base.source import Source, Span
from warpmill.simulator.machines.imported.settings import Option, Settings, file_name, shown
from warpmill.simulator.machines.imported.tables import is_without_effect, known_name, known_options
from warpmill.simulator.machines.imported.text_file import places

_COMMENT = re.compile(r"#[^\n]*")
_WORD = re.compile(r'"([^"]*)("?)|[^\s"]+')
_NAME = re.compile(r"-[A-Za-z_]\S*")


class _Word(NamedTuple):
    text: str
    span: Span


def read_options(source: Source, name: str) -> tuple[Settings, tuple[Diagnostic, ...]]:
    """Read the options of a file; the last one of a name counts, as in GPGPU-Sim.

    Gives the settings, and a warning for each option that is not understood. InputError for what
    is not of the form ``-name value``, and where no option is understood.
    """
    given: dict[str, Option] = {}
    left_out: list[Diagnostic] = []
    for label, values in _grouped(source):
        known = known_name(label.text[1:])
        if known is not None:
            given[known] = _option(source, label, values)
        elif label.text == "-config":
            words = "another file is included here: import that one, or write both into one"
            raise _error(source, label, words)
        elif not is_without_effect(label.text[1:]):
            words = f"{label.text} is no value of a machine"
            left_out.append(at(source, label.span, Severity.WARNING, words))
    if not given:
        words = "there is no option of GPGPU-Sim in this file"
        hint = "a gpgpusim.config has lines such as `-gpgpu_n_clusters 80`"
        raise InputError(Diagnostic(Severity.ERROR, words, source.name, hint=hint))
    return Settings(source, name, file_name(source), given, known_options()), tuple(left_out)


def _grouped(source: Source) -> Iterator[tuple[_Word, list[_Word]]]:
    """Give each name with the words that follow it."""
    label: _Word | None = None
    values: list[_Word] = []
    for word in _words(source):
        if _NAME.fullmatch(word.text):
            if label is not None:
                yield label, values
            label, values = word, []
        elif label is None:
            words = f"`{shown(word.text)}` stands where an option is needed"
            raise _error(source, word, words, "options are written `-name value`")
        else:
            values.append(word)
    if label is not None:
        yield label, values


def _words(source: Source) -> Iterator[_Word]:
    """Split a text at blanks; what is quoted is one word, whose blanks do not count."""
    text = _COMMENT.sub(lambda comment: " " * len(comment[0]), source.text)
    span = places(text)
    for found in _WORD.finditer(text):
        first_line = found[0].split("\n")[0]
        place = span(found.start(), len(first_line))
        if found[1] is None:
            yield _Word(found[0], place)
            continue
        word = _Word(re.sub(r"\s", "", found[1]), place)
        if not found[2]:
            raise _error(source, word, "this quotation never ends")
        yield word


def _option(source: Source, label: _Word, values: list[_Word]) -> Option:
    if not values:
        raise _error(source, label, f"{label.text} has no value")
    if len(values) > 1:
        words = f"{label.text} has one value; `{shown(values[1].text)}` is one too many"
        raise _error(source, values[1], words)
    return Option(label.text, values[0].text, values[0].span)


def _error(source: Source, word: _Word, words: str, hint: str | None = None) -> InputError:
    return InputError(at(source, word.span, Severity.ERROR, words, hint))
