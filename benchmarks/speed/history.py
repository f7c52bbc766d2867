"""Speeds beside those that were recorded: what fell, since when, and whether that is too much.

A measure is held against two values of its history on the same computer (processor and cores):

- the median of the last five runs, which one lucky or disturbed run does not move: what fell at
  once is told from noise;
- the best that was ever recorded, with its commit: many small losses, each below what is told,
  move the median with them, and not the best.

The worse of the two counts: a fall of more than 10 % is told, one of 30 % or more fails. A run that
was recorded with ``--accept NAME`` starts the history of that measure anew. Where nothing was
recorded on this computer, runs of others are shown, and nothing fails.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

LAST = 5
TOLD, FAILS = 0.10, 0.30
"""Shares of speed that were lost."""

Record = Mapping[str, Any]


@dataclass(frozen=True)
class Beside:
    """A measure beside its history: changes of speed as shares, -0.1 is a tenth slower.

    None: nothing was recorded.
    """

    change: float | None = None
    change_from_best: float | None = None
    best_commit: str | None = None
    same_computer: bool = True

    @property
    def verdict(self) -> str:
        """`new`, `held`, `fell` or `failed`."""
        if self.change is None or self.change_from_best is None:
            return "new"
        lost = -min(self.change, self.change_from_best)
        if lost >= FAILS and self.same_computer:
            return "failed"
        return "fell" if lost > TOLD else "held"

    @property
    def words(self) -> str:
        """What changed since when, and the verdict."""
        if self.change is None or self.change_from_best is None:
            return self.verdict
        where = "" if self.same_computer else "other computers: "
        return (
            f"{where}{self.change:+.1%} from the last five, {self.change_from_best:+.1%} from the "
            f"best at {self.best_commit}: {self.verdict}"
        )


def beside(
    name: str, ratio: float, history: Sequence[Record], computer: Record, *, is_time: bool
) -> Beside:
    """A measure's ratio to its reference beside those of its history, the oldest first."""
    starts = [k for k, record in enumerate(history) if name in record.get("accepted", ())]
    since = history[starts[-1] if starts else 0 :]
    every = [record for record in since if name in record["measures"]]
    same = [
        record
        for record in every
        if all(record["computer"][key] == computer[key] for key in ("processor", "cores"))
    ]
    runs = same or every
    if not runs:
        return Beside()
    before = [record["measures"][name]["ratio"] for record in runs]
    best = (min if is_time else max)(before)
    return Beside(
        speed_change(median(before[-LAST:]), ratio, is_time=is_time),
        speed_change(best, ratio, is_time=is_time),
        runs[before.index(best)]["commit"],
        bool(same),
    )


def speed_change(before: float, now: float, *, is_time: bool) -> float:
    """The change of speed from one ratio to another, as a share."""
    return (before / now if is_time else now / before) - 1


def read(path: Path) -> list[Record]:
    """The recorded runs of a file, the oldest first; none where there is no file."""
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    return [json.loads(line) for line in lines]


def append(path: Path, record: Record) -> None:
    """Add a run to a file, as a line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(record, sort_keys=True) + "\n")
