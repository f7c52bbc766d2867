"""Results in JSON files that one command writes and another reads; errors point into the file."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, Severity, Source, Span, at
from warpmill.analyzer.base.whole_files import read_input
from warpmill.report.base import SCHEMA_VERSION, Report
from warpmill.report.fields import UnfitDataError, result_of
from warpmill.simulator.machines.imported.settings import JsonPath, json_places, places

MAX_FILE_BYTES = 256 << 20
"""Largest file that is read."""

_LONGEST_EXCERPT = 200

Saved = TypeVar("Saved", bound=Report)


def load_saved(
    kind: type[Saved], path: Path, writer: str, check: Callable[[Saved], None] | None = None
) -> tuple[Saved, Source]:
    """Read a result of a kind; ``check`` raises UnfitDataError where its parts do not fit together.

    ``writer`` says what writes such files. InputError that points at what is wrong.
    """
    source = Source(str(path), _text(path))
    data = _json(source)
    _check_kind(source, data, kind.__dataclass_fields__["report"].default, writer)
    try:
        return result_of(kind, data, check), source
    except UnfitDataError as error:
        raise error_in(source, error.place, error.diagnostics[0].message) from None


def error_in(source: Source, path: JsonPath, words: str, hint: str | None = None) -> InputError:
    """An error that points at a value of a file, or at the innermost around it that is there.

    Lines that are too long to be read are not shown.
    """
    there = json_places(source.text)
    while path and path not in there:
        path = path[:-1]
    found = at(source, there.get(path, Span(1, 1, 1)), Severity.ERROR, words, hint)
    if len(found.excerpt or "") > _LONGEST_EXCERPT:
        found = replace(found, excerpt=None)
    return InputError(found)


def _text(path: Path) -> str:
    try:
        return read_input(path, MAX_FILE_BYTES).decode("utf-8")
    except UnicodeDecodeError:
        raise InputError(Diagnostic(Severity.ERROR, "this is no UTF-8 text", str(path))) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        words = f"the file cannot be read: {reason}"
        raise InputError(Diagnostic(Severity.ERROR, words, str(path))) from None


def _json(source: Source) -> Any:
    try:
        return json.loads(source.text, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        span = places(source.text)(error.pos, 1)
        words = f"this is no JSON: {error.msg[:1].lower()}{error.msg[1:]}"
        raise InputError(at(source, span, Severity.ERROR, words)) from None
    except (RecursionError, ValueError) as error:
        reason = str(error) if isinstance(error, _NoNumberError) else "it is nested too deep"
        words = f"this is no JSON: {reason}"
        raise InputError(Diagnostic(Severity.ERROR, words, source.name)) from None


class _NoNumberError(ValueError):
    pass


def _no_constant(word: str) -> NoReturn:
    raise _NoNumberError(f"{re.sub(r'[^A-Za-z-]', '', word)} is no number")


def _check_kind(source: Source, data: Any, wanted: str, writer: str) -> None:
    """See that it is a result of that kind, and of a version that is read. InputError."""
    kind = data.get("report") if isinstance(data, dict) else None
    if kind != wanted:
        other = f"a report of `{kind}`" if isinstance(kind, str) else "no report of warpmill"
        words = f"this is {other}, and {writer}"
        raise InputError(Diagnostic(Severity.ERROR, words, source.name))
    version = data.get("schema_version")
    if version != SCHEMA_VERSION:
        words = f"its schema_version is {version}, and this warpmill reads {SCHEMA_VERSION}"
        raise error_in(source, ("schema_version",), words)
