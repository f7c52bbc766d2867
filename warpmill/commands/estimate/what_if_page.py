"""What a launch would take on changed machines, side by side, in the text of ``estimate``."""

from __future__ import annotations

from collections.abc import Sequence

from warpmill.commands.estimate.parts import MachineEstimate
from warpmill.commands.estimate.what_if_result import WhatIfFacts
from warpmill.report.page import UNKNOWN, Page, figure, percent

TITLE = "what if: time in µs, over that of now"

_FACTORS = {2.0: "twice", 0.5: "half"}

Key = tuple[str, float]


def add_what_if(columns: Sequence[MachineEstimate], page: Page, widths: Sequence[int]) -> None:
    """Show the changes beyond noise on one of the machines, the greatest gain first."""
    found = [{(w.name, w.factor): w for w in c.what_if or ()} for c in columns]
    if all(c.what_if is None for c in columns):
        return
    gains = _gains(found)
    rows = [key for key in gains if page.style.verbose or _says(key, found)]
    page.heading(TITLE)
    if rows:
        header = ("", *(c.machine for c in columns))
        cells = [_row(key, columns, found) for key in rows]
        page.table(header, cells, widths=widths)
    else:
        page.line("twice or half of no one thing makes a difference beyond noise")
    noise = [(c.machine, c.what_if_noise_fraction, c.marks) for c in columns]
    page.facts(
        [
            (
                "noise",
                ", ".join(
                    f"{percent(least, marks['what_if_noise_fraction'])} on {name}"
                    for name, least, marks in noise
                    if least is not None
                ),
            )
        ]
    )
    _problems(columns, found, page)


def _gains(found: Sequence[dict[Key, WhatIfFacts]]) -> list[Key]:
    """List all changes: first what makes most faster, on the machine where it does most."""
    least: dict[Key, float] = {}
    for one in found:
        for key, change in one.items():
            ratio = 1.0 if change.ratio is None else change.ratio
            least[key] = min(least.get(key, ratio), ratio)
    return sorted(least, key=lambda key: least[key])


def _says(key: Key, found: Sequence[dict[Key, WhatIfFacts]]) -> bool:
    """Whether a change makes a difference beyond noise on one of the machines."""
    some = [one[key] for one in found if key in one]
    return any(c.ratio is not None and not c.within_noise for c in some)


def _row(
    key: Key, columns: Sequence[MachineEstimate], found: Sequence[dict[Key, WhatIfFacts]]
) -> tuple[str, ...]:
    cells = (_cell(c, one.get(key)) for c, one in zip(columns, found, strict=True))
    return (_words(key), *cells)


def _words(key: Key) -> str:
    name, factor = key
    return f"{_FACTORS.get(factor, f'{factor:g} times')} the {name}"


def _cell(column: MachineEstimate, change: WhatIfFacts | None) -> str:
    if change is None or change.ratio is None:
        return UNKNOWN
    if change.within_noise:
        return "within noise"
    time = figure(change.time_us, column.marks["what_if.time_us"])
    return f"{time} ({change.ratio:.2f})"


def _problems(
    columns: Sequence[MachineEstimate], found: Sequence[dict[Key, WhatIfFacts]], page: Page
) -> None:
    """Say why there is no estimate of a change."""
    for column, one in zip(columns, found, strict=True):
        for key, change in one.items():
            if change.problem:
                page.line(f"{column.machine}, {_words(key)}: {change.problem}")
