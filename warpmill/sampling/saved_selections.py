"""Selections as JSON files: made once, and used again for the same application on any machine.

A file says what the application executed, so that another run can tell whether it is the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any, NoReturn

from pydantic import TypeAdapter, ValidationError

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, Severity, Source, Span, at
from warpmill.analyzer.base.naming import demangle
from warpmill.analyzer.base.whole_files import read_input, write_whole
from warpmill.analyzer.ir.printer import print_function
from warpmill.report.base import SCHEMA_VERSION, Mark, json_text, marks
from warpmill.sampling.methods import METHODS
from warpmill.sampling.selection_report import (
    RecordedLaunch,
    SelectedStratum,
    SelectedUnit,
    SelectionReport,
)
from warpmill.session.sampled_launches import SampledApplication
from warpmill.simulator.machines.imported.settings import JsonPath, json_places, places
from warpmill.simulator.sampling.gtpin import FEATURES
from warpmill.simulator.sampling.model import CountedLaunch, Selection, SelectionUnit, Stratum
from warpmill.simulator.sampling.tbpoint import METHOD as INTER

MAX_FILE_BYTES = 256 << 20
"""Largest file that is read."""


def save_selection(
    path: Path, app: SampledApplication, selection: Selection, *, inside: bool
) -> None:
    """Write a selection with what its application executed, whole or not at all. UsageError."""
    write_whole(path, selection_text(app, selection, inside=inside).encode())


def selection_text(app: SampledApplication, selection: Selection, *, inside: bool) -> str:
    """The file's text; ``inside``: whether CTAs are passed over inside of launches."""
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
    return json_text(report)


def load_selection(path: Path) -> SavedSelection:
    """Read a selection. InputError that points at what is wrong."""
    source = Source(str(path), _text(path))
    data = _json(source)
    _check_kind(source, data)
    try:
        report = TypeAdapter(SelectionReport).validate_json(source.text, strict=True)
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


# A selection that was read: whether it fits together, and is of an application.

MODEL_METHODS = {"tbpoint": INTER}
"""What selections call their methods, where that is not the word of the command."""

_SHARE_TOLERANCE = 1e-6
_LONGEST_EXCERPT = 200


def error_at(source: Source, span: Span, words: str, hint: str | None = None) -> InputError:
    """Make an error that points into a file; lines that are too long to be read are not shown."""
    found = at(source, span, Severity.ERROR, words, hint)
    if len(found.excerpt or "") > _LONGEST_EXCERPT:
        found = replace(found, excerpt=None)
    return InputError(found)


def place_in(places: Mapping[JsonPath, Span], path: JsonPath) -> Span:
    """The place of a value, or of the innermost one around it that is there."""
    while path and path not in places:
        path = path[:-1]
    return places.get(path, Span(1, 1, 1))


def recorded(one: CountedLaunch) -> RecordedLaunch:
    """What a file says of a launch."""
    return RecordedLaunch(
        number=one.number,
        kernel=one.kernel,
        grid=list(one.grid),
        block=list(one.block),
        warp_instructions=one.warp_instructions,
    )


def digest(launches: Sequence[CountedLaunch]) -> str:
    """Hash what tells an application: code, arguments and sizes of launches, and their counts."""
    found, codes = sha256(), dict[int, str]()
    for one in launches:
        kernel = one.profile.kernel
        if id(kernel) not in codes:
            codes[id(kernel)] = sha256(print_function(kernel).encode()).hexdigest()
        counts = [(block.warps, block.threads) for block in one.profile.blocks]
        facts = (one.number, one.kernel, codes[id(kernel)], one.arguments, one.grid, one.block)
        found.update(
            repr((*facts, one.profile.dynamic_shared_bytes, one.interval, counts)).encode()
        )
    return found.hexdigest()


@dataclass(frozen=True)
class SavedSelection:
    """A selection that was read, not yet known to be of any application at hand."""

    report: SelectionReport
    source: Source

    @property
    def inside(self) -> bool:
        """Whether CTAs are to be passed over inside of launches."""
        return self.report.inside

    @property
    def method(self) -> str:
        """The method, as the command names it."""
        return self.report.method

    def of(self, app: SampledApplication) -> Selection:
        """The selection for the application that it was made of. InputError for another."""
        different = next(self._differences(app), None)
        if different is not None:
            path, words = different
            hint = "it holds for the target, --size, --kernel and --launch that it was made with"
            message = f"this selection is of another application than {app.title}: {words}"
            raise error_at(self.source, place_in(self._places, path), message, hint)
        one = self.report
        return Selection(
            MODEL_METHODS.get(one.method, one.method),
            tuple(SelectionUnit(u.first, u.end, u.warp_instructions) for u in one.units),
            tuple(Stratum(tuple(s.members), tuple(s.chosen), s.weight) for s in one.strata),
            tuple(one.options.items()),
        )

    def _differences(self, app: SampledApplication) -> Iterator[tuple[JsonPath, str]]:
        own, there = self.report.launches, app.launches
        for k, (saved, now) in enumerate(zip(own, map(recorded, there), strict=False)):
            for key, words in _COMPARED.items():
                a, b = getattr(saved, key), getattr(now, key)
                if a != b:
                    which = f"launch {now.number} has {words}"
                    yield ("launches", k, key), f"{which} {_shown(b)}, and {_shown(a)} here"
        if len(own) != len(there):
            yield ("launches",), f"that has {len(there):,} launches, and {len(own):,} are here"
        if self.report.digest != digest(there):
            words = "its launches are as many and as large, but code, arguments or blocks differ"
            yield ("digest",), words

    def check(self) -> None:
        """See that the parts fit together. InputError that points at the first that does not."""
        one = self.report
        if one.method not in METHODS:
            self._fail(("method",), f"there is no method `{one.method}`: {', '.join(METHODS)}")
        feature = one.options.get("feature", FEATURES[0])
        if feature not in FEATURES:
            self._fail(("options", "feature"), f"there is no feature vector `{feature}`")
        self._check_launches()
        self._check_units()
        self._check_strata()

    def _check_launches(self) -> None:
        numbers = [launch.number for launch in self.report.launches]
        for k, launch in enumerate(self.report.launches):
            for key in ("grid", "block"):
                if len(getattr(launch, key)) != 3:
                    self._fail(("launches", k, key), f"`{key}` is three numbers")
            if launch.warp_instructions < 0:
                self._fail(("launches", k, "warp_instructions"), "instructions are 0 or more")
        for k, (before, after) in enumerate(pairwise(numbers), 1):
            if after <= before:
                self._fail(("launches", k, "number"), "the numbers of launches go up")

    def _check_units(self) -> None:
        launches, expected = self.report.launches, 0
        for k, unit in enumerate(self.report.units):
            if unit.first != expected:
                words = f"a unit begins where the one before ends: {expected} is expected"
                self._fail(("units", k, "first"), words)
            if not unit.first < unit.end <= len(launches):
                words = f"a unit ends behind its first launch, and at {len(launches)} at most"
                self._fail(("units", k, "end"), words)
            own = sum(one.warp_instructions for one in launches[unit.first : unit.end])
            if own != unit.warp_instructions:
                words = f"the launches of this unit have {own:,} warp instructions"
                self._fail(("units", k, "warp_instructions"), words)
            expected = unit.end
        if expected != len(launches):
            self._fail(("units",), f"launches from {expected} on are in no unit")
        if not sum(one.warp_instructions for one in launches):
            self._fail(("launches",), "the launches execute nothing")

    def _check_strata(self) -> None:
        units, seen = self.report.units, dict[int, int]()
        total = sum(unit.warp_instructions for unit in units)
        for k, stratum in enumerate(self.report.strata):
            for place, number in enumerate(stratum.members):
                if not 0 <= number < len(units):
                    words = f"there is no unit {number}; they are 0 to {len(units) - 1}"
                    self._fail(("strata", k, "members", place), words)
                if number in seen:
                    words = f"unit {number} is in stratum {seen[number]} already"
                    self._fail(("strata", k, "members", place), words)
                seen[number] = k
            self._check_chosen(k, stratum)
            weight = sum(units[n].warp_instructions for n in stratum.members) / total
            if abs(weight - stratum.weight) > _SHARE_TOLERANCE:
                words = f"its members execute {weight:.9g} of the instructions"
                self._fail(("strata", k, "weight"), words)
        missing = next((n for n in range(len(units)) if n not in seen), None)
        if missing is not None:
            self._fail(("strata",), f"unit {missing} is in no stratum")

    def _check_chosen(self, k: int, stratum: SelectedStratum) -> None:
        members = set(stratum.members)
        if not stratum.chosen:
            self._fail(("strata", k, "chosen"), "a stratum has at least one unit that is measured")
        for place, number in enumerate(stratum.chosen):
            if number not in members:
                words = f"unit {number} is measured for a stratum that it is not in"
                self._fail(("strata", k, "chosen", place), words)
        if len(set(stratum.chosen)) < len(stratum.chosen):
            self._fail(("strata", k, "chosen"), "a unit is measured once")
        executed = sum(self.report.units[n].warp_instructions for n in stratum.chosen)
        if not executed and any(self.report.units[n].warp_instructions > 0 for n in members):
            self._fail(("strata", k, "chosen"), "what is measured executes nothing")

    def _fail(self, path: JsonPath, words: str) -> NoReturn:
        raise error_at(self.source, place_in(self._places, path), words)

    @cached_property
    def _places(self) -> Mapping[JsonPath, Span]:
        return json_places(self.source.text)


_COMPARED = {
    "number": "the number",
    "kernel": "the kernel",
    "grid": "grid",
    "block": "block",
    "warp_instructions": "warp instructions",
}
"""What is compared of launches one by one, in words."""


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return " x ".join(f"{n:,}" for n in value)
    return f"{value:,}" if isinstance(value, int) else demangle(str(value))
