"""``.loc``: which line of its source the compiler made the next instructions from."""

from __future__ import annotations

import re

from warpmill.analyzer.base.source import DebugLocation
from warpmill.analyzer.frontends.ptx import forms
from warpmill.analyzer.frontends.ptx.surroundings import Surroundings

_INDEX, _NUMBER = r"([1-9]\d{0,8})", r"([1-9]\d{0,8}|0)"
_USUAL = re.compile(
    rf"\.loc\s+{_INDEX}\s+{_NUMBER}\s+{_NUMBER}"
    r"(?:, function_name [A-Za-z_$][\w$]*+(?:\+[1-9]\d{0,8})?"
    rf", inlined_at {_INDEX} {_NUMBER} {_NUMBER})?\s*+",
    re.ASCII,
)


def usual_location(around: Surroundings, text: str) -> DebugLocation | None:
    """Read a ``.loc`` as compilers write it; None for another, or where a file is not declared.

    There are very many, and few different ones.
    """
    known = around.locations.get(text)
    if known is not None:
        return known
    match = _USUAL.fullmatch(text)
    if match is None:
        return None
    numbers = [int(digits) for digits in match.groups() if digits is not None]
    file, line, column, *outer = numbers
    form = forms.Location(file, line, column, (outer[0], outer[1], outer[2]) if outer else None)
    located = _located(around, form)
    if located is not None:
        around.locations[text] = located
    return located


def location(
    around: Surroundings, form: forms.Location, start: int, end: int
) -> DebugLocation | None:
    """Make the location of a ``.loc``; a file that no ``.file`` declares is warned about once."""
    located = _located(around, form)
    if located is None and (note := f".loc {form.file}") not in around.noted:
        around.noted.add(note)
        around.problems.warning(start, end, f"no .file declares the file {form.file}")
    return located


def _located(around: Surroundings, form: forms.Location) -> DebugLocation | None:
    name = around.debug_files.get(form.file)
    if name is None:
        return None
    outer = None if form.inlined_at is None else _located(around, forms.Location(*form.inlined_at))
    return DebugLocation(name, form.line, form.column, outer)
