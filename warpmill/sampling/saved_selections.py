"""Selections as JSON files: made once, and used again for the same application on any machine.

A file says what the application executed, so that another run can tell whether it is the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar, Literal, NoReturn

from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.base.naming import demangle
from warpmill.analyzer.base.whole_files import write_whole
from warpmill.analyzer.ir.printer import print_function
from warpmill.report.base import Mark, Report, json_text
from warpmill.report.fields import UnfitDataError
from warpmill.report.saved_reports import error_in, load_saved
from warpmill.sampling.methods import METHODS
from warpmill.session.sampled_launches import SampledApplication
from warpmill.simulator.machines.imported.settings import JsonPath
from warpmill.simulator.sampling.gtpin import FEATURES
from warpmill.simulator.sampling.model import CountedLaunch, RecordedLaunch, Selection, Stratum


class SelectionReport(Report):
    """Selection of an application, for any machine: a file, and no answer of its own.

    ``inside``: CTAs are skipped inside of launches. ``digest`` is a SHA-256 of the launches' code,
    arguments, sizes and counts, by which another run is known to be of the same application. Places
    in ``selection`` are those of ``launches``.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    report: Literal["selection"] = "selection"
    target: str
    inside: bool
    digest: str
    launches: tuple[RecordedLaunch, ...]
    selection: Selection


def save_selection(
    path: Path, app: SampledApplication, selection: Selection, *, inside: bool
) -> None:
    """Write a selection with what its application executed, whole or not at all. UsageError."""
    report = SelectionReport(
        target=app.title,
        inside=inside,
        digest=digest(app.launches),
        launches=app.launches,
        selection=selection,
    )
    write_whole(path, json_text(report).encode())


def load_selection(path: Path) -> SavedSelection:
    """Read a selection. InputError that points at what is wrong."""
    writer = "`warpmill sample --save FILE` writes selections"
    return SavedSelection(*load_saved(SelectionReport, path, writer, _check))


# A selection that was read: whether it fits together, and is of an application.

_SHARE_TOLERANCE = 1e-6


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

    def of(self, app: SampledApplication) -> Selection:
        """The selection for the application that it was made of. InputError for another."""
        different = next(self._differences(app), None)
        if different is not None:
            path, words = different
            hint = "it holds for the target, --size, --kernel and --launch that it was made with"
            message = f"this selection is of another application than {app.title}: {words}"
            raise error_in(self.source, path, message, hint)
        return self.report.selection

    def _differences(self, app: SampledApplication) -> Iterator[tuple[JsonPath, str]]:
        own, there = self.report.launches, app.launches
        for k, (saved, now) in enumerate(zip(own, there, strict=False)):
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


def _check(one: SelectionReport) -> None:
    """See that the parts fit together. UnfitDataError for the first that does not."""
    selection = one.selection
    if selection.method not in METHODS:
        words = f"there is no method `{selection.method}`: {', '.join(METHODS)}"
        _fail(("selection", "method"), words)
    feature = selection.options.get("feature", FEATURES[0])
    if feature not in FEATURES:
        _fail(("selection", "options", "feature"), f"there is no feature vector `{feature}`")
    _check_launches(one.launches)
    _check_units(one)
    _check_strata(selection)


def _check_launches(launches: Sequence[RecordedLaunch]) -> None:
    for k, launch in enumerate(launches):
        if launch.warp_instructions < 0:
            _fail(("launches", k, "warp_instructions"), "instructions are 0 or more")
    for k, (before, after) in enumerate(pairwise(launches), 1):
        if after.number <= before.number:
            _fail(("launches", k, "number"), "the numbers of launches go up")
    if not sum(one.warp_instructions for one in launches):
        _fail(("launches",), "the launches execute nothing")


def _check_units(one: SelectionReport) -> None:
    launches, expected = one.launches, 0
    for k, unit in enumerate(one.selection.units):
        place = ("selection", "units", k)
        if unit.first != expected:
            words = f"a unit begins where the one before ends: {expected} is expected"
            _fail((*place, "first"), words)
        if not unit.first < unit.end <= len(launches):
            words = f"a unit ends behind its first launch, and at {len(launches)} at most"
            _fail((*place, "end"), words)
        own = sum(one.warp_instructions for one in launches[unit.first : unit.end])
        if own != unit.warp_instructions:
            words = f"the launches of this unit have {own:,} warp instructions"
            _fail((*place, "warp_instructions"), words)
        expected = unit.end
    if expected != len(launches):
        _fail(("selection", "units"), f"launches from {expected} on are in no unit")


def _check_strata(selection: Selection) -> None:
    units, seen = selection.units, dict[int, int]()
    for k, stratum in enumerate(selection.strata):
        at_stratum: JsonPath = ("selection", "strata", k)
        for place, number in enumerate(stratum.members):
            if not 0 <= number < len(units):
                words = f"there is no unit {number}; they are 0 to {len(units) - 1}"
                _fail((*at_stratum, "members", place), words)
            if number in seen:
                words = f"unit {number} is in stratum {seen[number]} already"
                _fail((*at_stratum, "members", place), words)
            seen[number] = k
        _check_chosen(selection, stratum, (*at_stratum, "chosen"))
        executed = sum(units[n].warp_instructions for n in stratum.members)
        weight = executed / selection.warp_instructions
        if abs(weight - stratum.weight) > _SHARE_TOLERANCE:
            words = f"its members execute {weight:.9g} of the instructions"
            _fail((*at_stratum, "weight"), words)
    missing = next((n for n in range(len(units)) if n not in seen), None)
    if missing is not None:
        _fail(("selection", "strata"), f"unit {missing} is in no stratum")


def _check_chosen(selection: Selection, stratum: Stratum, path: JsonPath) -> None:
    units, members = selection.units, set(stratum.members)
    if not stratum.chosen:
        _fail(path, "a stratum has at least one unit that is measured")
    for place, number in enumerate(stratum.chosen):
        if number not in members:
            words = f"unit {number} is measured for a stratum that it is not in"
            _fail((*path, place), words)
    if len(set(stratum.chosen)) < len(stratum.chosen):
        _fail(path, "a unit is measured once")
    executed = sum(units[n].warp_instructions for n in stratum.chosen)
    if not executed and any(units[n].warp_instructions > 0 for n in members):
        _fail(path, "what is measured executes nothing")


def _fail(path: JsonPath, words: str) -> NoReturn:
    raise UnfitDataError(path, f": {words}")


_COMPARED = {
    "number": "the number",
    "kernel": "the kernel",
    "grid": "grid",
    "block": "block",
    "warp_instructions": "warp instructions",
}
"""Compared facts of launches, in words."""


def _shown(value: Any) -> str:
    if isinstance(value, tuple):
        return " x ".join(f"{n:,}" for n in value)
    return f"{value:,}" if isinstance(value, int) else demangle(str(value))
