"""Selections as JSON files: made once, and used again for the same application on any machine.

A file says what the application executed, so that another run can tell whether it is the same.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NoReturn

from pydantic import ValidationError

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, Severity
from warpmill.analyzer.base.input_files import read_input
from warpmill.analyzer.base.source import Source
from warpmill.analyzer.base.whole_files import write_whole
from warpmill.report.base import SCHEMA_VERSION, Mark, marks
from warpmill.sampling.saved_selections import (
    MODEL_METHODS,
    SavedSelection,
    digest,
    error_at,
    place_in,
    recorded,
)
from warpmill.sampling.selection_report import SelectedStratum, SelectedUnit, SelectionReport
from warpmill.session.sampled_launches import SampledApplication
from warpmill.simulator.machines.imported.json_places import JsonPath, json_places
from warpmill.simulator.machines.imported.text_file import places
from warpmill.simulator.sampling.model import Selection

MAX_FILE_BYTES = 256 << 20
"""Largest file that is read."""


def save_selection(
    path: Path, app: SampledApplication, selection: Selection, *, inside: bool
) -> None:
    """Write a selection with what its application executed, whole or not at all. UsageError."""
    write_whole(path, selection_text(app, selection, inside=inside).encode())


def selection_text(app: SampledApplication, selection: Selection, *, inside: bool) -> str:
    """Give the file's text; ``inside``: whether CTAs are passed over inside of launches."""
    words = {own: word for word, own in MODEL_METHODS.items()}
    report = SelectionReport(
        target=app.title,
        method=words.get(selection.method, selection.method),
        options=dict(selection.options),
        inside=inside,
        digest=digest(app.launches),
        launches=[recorded(one) for one in app.launches],
        units=[
            SelectedUnit(first=u.first, end=u.end, warp_instructions=u.warp_instructions)
            for u in selection.units
        ],
        strata=[
            SelectedStratum(members=list(s.members), chosen=list(s.chosen), weight=s.weight)
            for s in selection.strata
        ],
        marks=marks(SelectionReport, Mark.EXACT),
    )
    return report.model_dump_json(indent=2) + "\n"


def load_selection(path: Path) -> SavedSelection:
    """Read a selection. InputError that points at what is wrong."""
    source = Source(str(path), _text(path))
    data = _json(source)
    _check_kind(source, data)
    try:
        report = SelectionReport.model_validate_json(source.text, strict=True)
    except ValidationError as error:
        first = error.errors()[0]
        where: JsonPath = tuple(first["loc"])
        words = f"`{'.'.join(map(str, where))}`: {first['msg'][:1].lower()}{first['msg'][1:]}"
        raise error_at(source, place_in(json_places(source.text), where), words) from None
    saved = SavedSelection(report, source)
    saved.check()
    return saved


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
        raise error_at(source, span, words) from None
    except (RecursionError, ValueError) as error:
        reason = str(error) if isinstance(error, _NoNumberError) else "it is nested too deep"
        words = f"this is no JSON: {reason}"
        raise InputError(Diagnostic(Severity.ERROR, words, source.name)) from None


class _NoNumberError(ValueError):
    pass


def _no_constant(word: str) -> NoReturn:
    raise _NoNumberError(f"{re.sub(r'[^A-Za-z-]', '', word)} is no number")


def _check_kind(source: Source, data: Any) -> None:
    """See that it is a selection, and of a version that is read. InputError."""
    kind = data.get("report") if isinstance(data, dict) else None
    if kind != "selection":
        other = f"a report of `{kind}`" if isinstance(kind, str) else "no report of warpmill"
        words = f"this is {other}, and `warpmill sample --save FILE` writes selections"
        raise InputError(Diagnostic(Severity.ERROR, words, source.name))
    version = data.get("schema_version")
    if version != SCHEMA_VERSION:
        words = f"its schema_version is {version}, and this warpmill reads {SCHEMA_VERSION}"
        span = place_in(json_places(source.text), ("schema_version",))
        raise error_at(source, span, words)
