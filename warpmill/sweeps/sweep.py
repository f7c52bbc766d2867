"""Sweeps: all configurations of a space measured, those known already taken from the store."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analyzer.diagnostics import UsageError
from warpmill.studies.model import Row
from warpmill.studies.ranking import pareto_front
from warpmill.studies.running import Told, run
from warpmill.studies.store import Store
from warpmill.sweeps.evaluation import FIGURES, Evaluation
from warpmill.sweeps.launches import Launches, Target
from warpmill.sweeps.points import How, points_of
from warpmill.sweeps.space import MOST_POINTS, Space, Value, numbers_of

TIME = "time_us"


@dataclass(frozen=True)
class Measured:
    """A configuration, and what came of it; ``problem`` where it has no figures."""

    configuration: Mapping[str, Value]
    figures: Mapping[str, float]
    facts: Mapping[str, Any]
    problem: str | None = None

    def figure(self, name: str) -> float | None:
        """Give a figure, or the number that the configuration says; None: it is unknown."""
        return self.figures.get(name, numbers_of(self.configuration).get(name.replace(".", "_")))


@dataclass(frozen=True)
class Swept:
    """What a sweep came to. ``known`` of the configurations were measured before."""

    target: Target
    how: How
    space: Space
    rows: tuple[Measured, ...]
    known: int
    seconds: float

    @property
    def measured(self) -> tuple[Measured, ...]:
        """Those that have figures, in the order of the space."""
        return tuple(row for row in self.rows if row.problem is None)

    @property
    def failures(self) -> tuple[Measured, ...]:
        """Those that have none, each with its reason."""
        return tuple(row for row in self.rows if row.problem is not None)

    def best(self, count: int, figure: str = TIME, *, largest: bool = False) -> list[Measured]:
        """Give the best configurations by a figure, the best first. UsageError: nobody has it."""
        ranked = [(value, row) for row, value in self._with(figure)]
        ranked.sort(key=lambda pair: pair[0], reverse=largest)
        return [row for _, row in ranked[:count]]

    def front(self, figure: str, *, largest: bool = False) -> list[Measured]:
        """Give what nothing beats in both time and a figure; the fastest first. UsageError."""
        both = [(row, row.figures[TIME], value) for row, value in self._with(figure)]
        chosen = pareto_front([(t, v) for _, t, v in both], (False, largest))
        return [both[n][0] for n in chosen]

    def _with(self, figure: str) -> list[tuple[Measured, float]]:
        found = [(row, row.figure(figure)) for row in self.measured]
        known = [(row, value) for row, value in found if value is not None]
        if not known and found:
            axes = [axis.name for axis in self.space.axes]
            raise UsageError(
                f"no configuration has a figure `{figure}`; there are "
                f"{', '.join((*FIGURES[self.how.engine], *axes))}"
            )
        return known


def default_store() -> Path:
    """Give the file that sweeps are kept in where none is named; its folder is made."""
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    folder = Path(cache) / "warpmill"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / "studies.db"


def sweep(  # noqa: PLR0913 - each option by its name
    target: Target,
    space: Space,
    how: How,
    *,
    store: str | Path | None = None,
    workers: int = 1,
    most: int = MOST_POINTS,
    told: Told | None = None,
) -> Swept:
    """Measure all configurations of a space. Without ``store`` nothing is kept.

    UsageError and InputError for what cannot be varied or read, LimitError for more than ``most``
    configurations; one that cannot be launched or measured has its reason instead.
    """
    if store is None:
        with tempfile.TemporaryDirectory() as folder:
            return sweep(
                target,
                space,
                how,
                store=Path(folder) / "s.db",
                workers=workers,
                most=most,
                told=told,
            )
    begin = time.monotonic()
    made = points_of(Launches(target), space, how, most)
    study = Store(store).study(f"sweep of {target.path}"[:200])
    study.add(made.points)
    known = len(made.points) - len(study.unfinished([p.key for p in made.points]))
    run(study, made.points, Evaluation(target, how), workers=workers, told=told)
    rows = study.of_keys([p.key for p in made.points])
    measured = [_measured(rows[p.key]) for p in made.points]
    measured += [Measured(configuration, {}, {}, reason) for configuration, reason in made.refused]
    return Swept(target, how, space, tuple(measured), known, time.monotonic() - begin)


def _measured(row: Row) -> Measured:
    return Measured(row.inputs["configuration"], row.figures, row.facts, row.problem)


def spread(rows: Sequence[Measured]) -> float | None:
    """Give by how many times the slowest takes longer than the fastest; None: there are none."""
    times = [row.figures[TIME] for row in rows]
    return max(times) / min(times) if times and min(times) > 0 else None
