"""Explorations: points drawn from a space, simulated for some workloads, and kept in a study."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from analyzer.diagnostics import InputError, UsageError
from analyzer.naming import suggestion
from simulator.regression.draws import draw
from simulator.regression.parameters import Point as DesignPoint
from simulator.regression.parameters import Value
from warpmill.exploring.backends import Backend
from warpmill.exploring.evaluation import Evaluation
from warpmill.exploring.points import How, Maker
from warpmill.exploring.running import run_points
from warpmill.exploring.sampling import Sampling
from warpmill.exploring.space import ExploredSpace
from warpmill.exploring.space_file import space_of_text
from warpmill.exploring.workloads import Loaded, Workload
from warpmill.studies.model import Point, Row
from warpmill.studies.running import Told
from warpmill.studies.store import Store, Study
from warpmill.studies.tables import shown

KIND = "exploration"
"""What a study of this kind says of itself, beside its space."""


@dataclass(frozen=True)
class Sample:
    """A point of the space that was simulated: its figures, or a ``problem`` why there are none."""

    point: Mapping[str, Value]
    figures: Mapping[str, float]
    facts: Mapping[str, Any]
    problem: str | None = None
    seconds: float | None = None


@dataclass(frozen=True)
class OfWorkload:
    """What is known of a workload: its samples in the order in which they were drawn.

    ``others`` counts points of the study that are left out: those of another space, of other
    options, or of code that has changed since.
    """

    title: str
    samples: tuple[Sample, ...]
    others: int = 0

    @property
    def measured(self) -> tuple[Sample, ...]:
        """Those that have figures."""
        return tuple(one for one in self.samples if one.problem is None)

    @property
    def failures(self) -> tuple[Sample, ...]:
        """Those that have none."""
        return tuple(one for one in self.samples if one.problem is not None)

    def with_figure(self, name: str) -> tuple[list[DesignPoint], list[float]]:
        """Give the points that have a figure, and its values."""
        found = [(one.point, one.figures[name]) for one in self.measured if name in one.figures]
        return [point for point, _ in found], [value for _, value in found]


@dataclass(frozen=True)
class Explored:
    """An exploration as it stands. ``store`` is where it is kept; None: nowhere.

    ``known`` of its points were measured before. ``seconds`` it took.
    """

    space: ExploredSpace
    study: str
    workloads: tuple[OfWorkload, ...]
    store: str | None = None
    known: int = 0
    seconds: float = 0.0
    remarks: tuple[str, ...] = field(default=())

    def workload(self, title: str) -> OfWorkload:
        """Give a workload by its title. UsageError where there is none."""
        found = next((one for one in self.workloads if one.title == title), None)
        if found is None:
            names = [one.title for one in self.workloads]
            hint = suggestion(title, names) or f"there are {', '.join(names)}"
            raise UsageError(f"the study {self.study} has no workload `{title}`; {hint}")
        return found


def explore(  # noqa: PLR0913 - each option by its name
    space: ExploredSpace,
    workloads: Sequence[Workload],
    sampling: Sampling | None = None,
    how: How | None = None,
    *,
    store: str | Path | None = None,
    study: str | None = None,
    backend: Backend | None = None,
    retry: bool = False,
    told: Told | None = None,
) -> Explored:
    """Simulate samples of a space for each workload. Without ``store`` nothing is kept.

    Points that the ``study`` (the space's name without it) has already count; more are drawn
    beside them where they are too few. ``retry`` tries those again that failed. Errors as
    ``run_points``, and UsageError and InputError for what cannot be read or drawn.
    """
    if not workloads:
        raise UsageError("nothing is explored: name a workload, such as bfs:tiny")
    begin, sampling = time.monotonic(), sampling or Sampling()
    Loaded.forget()
    with _place(store) as place:
        kept = Store(place).study(study or space.name)
        _claim_name(kept, space)
        if retry:
            kept.forget_failures()
        running = _Running(space, how or How(), kept, backend or Backend(), told)
        found = running.all(dict.fromkeys(w.title for w in workloads), workloads, sampling)
        return Explored(
            space, kept.name, found, None if store is None else shown(kept.store.url),
            running.known, time.monotonic() - begin,
        )  # fmt: skip


class _Running:
    """Draws points and has them measured, workload by workload, or all together."""

    def __init__(
        self,
        space: ExploredSpace,
        how: How,
        study: Study,
        backend: Backend,
        told: Told | None,
    ) -> None:
        self.space, self.how, self.study, self.backend = space, how, study, backend
        self.told, self.known = told, 0

    def all(
        self, titles: Iterable[str], workloads: Sequence[Workload], sampling: Sampling
    ) -> tuple[OfWorkload, ...]:
        named = {w.title: w for w in workloads}
        makers = [Maker.of(self.space, Loaded.ready(named[t]), self.how) for t in titles]
        drawn = {m.ready.workload.title: self._drawn(m, sampling.first(self.space.design), sampling)
                 for m in makers}  # fmt: skip
        points = [p for own in drawn.values() for p in own]
        keys = list(dict.fromkeys(p.key for p in points))
        self.study.add(points)
        self.known = len(keys) - len(self.study.unfinished(keys))
        self._run(points)
        for maker in makers:
            title = maker.ready.workload.title
            while sampling.wants_more(self.space, self._found(title, drawn[title])):
                count = min(len(drawn[title]) + sampling.step, sampling.most(self.space.design))
                drawn[title] = self._drawn(maker, count, sampling)
                self._run(drawn[title])
        return tuple(self._found(title, own) for title, own in drawn.items())

    def _drawn(self, maker: Maker, count: int, sampling: Sampling) -> list[Point]:
        """Give so many points: those of the study first, then others beside them."""
        own = [i for i in self.study.inputs() if maker.is_of_this(i)]
        there = [inputs["point"] for inputs in own][:count]
        more: tuple[DesignPoint, ...] = ()
        if count > len(there):
            more = draw(
                self.space.design, count - len(there),
                method=sampling.method, seed=sampling.seed, besides=there,
            )  # fmt: skip
        return maker.points([*there, *more])

    def _run(self, points: Sequence[Point]) -> None:
        run_points(self.study, points, Evaluation(self.how), self.backend, self.told)

    def _found(self, title: str, points: Sequence[Point]) -> OfWorkload:
        rows = self.study.of_keys([p.key for p in points])
        return OfWorkload(title, tuple(sample_of(rows[p.key]) for p in points))


def sample_of(row: Row) -> Sample:
    """Make a sample of a point that was kept."""
    return Sample(row.inputs["point"], row.figures, row.facts, row.problem, row.seconds)


@contextmanager
def _place(store: str | Path | None) -> Iterator[str | Path]:
    """Give where points are kept; where nothing is to be, a file that goes away."""
    if store is not None:
        yield store
        return
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder) / "s.db"


# -- what a study says of itself -------------------------------------------------------------------


def _claim_name(study: Study, space: ExploredSpace) -> None:
    """Keep the space with the study. UsageError where the study is of something else."""
    text = study.about()
    if text and _described(text) is None:
        raise UsageError(f"the study {study.name} is no exploration; give another with --study")
    own = {"kind": KIND, "space": space.text, "name": space.name, "folder": space.folder}
    words = json.dumps(own, sort_keys=True)
    if words != text:
        study.describe(words)


def _described(text: str) -> dict[str, str] | None:
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, dict) and found.get("kind") == KIND else None


def studies_in(store: str | Path) -> tuple[str, ...]:
    """Name the explorations of a store."""
    opened = Store(store)
    return tuple(n for n in opened.names() if _described(opened.study(n).about()) is not None)


def explored(study: str, store: str | Path) -> Explored:
    """Give an exploration as it was kept, without running anything.

    Of each workload the points of its latest run count, and those before that belong to it. The
    space is as it was when it was explored last. UsageError where there is no such study.
    """
    there = studies_in(store)
    if study not in there:
        hint = suggestion(study, there) or (f"there are {', '.join(there)}" if there else None)
        words = f"{shown(Store(store).url)} has no exploration `{study}`"
        raise UsageError(words + (f"; {hint}" if hint else "; warpmill explore makes one"))
    kept = Store(store).study(study)
    described = _described(kept.about())
    assert described is not None
    name = described["name"]
    space = space_of_text(described["space"], name, f"{name}.toml", described["folder"])
    groups: dict[str, dict[tuple[str, ...], list[Row]]] = {}
    for row in kept.rows():
        title = Workload(row.inputs["workload"], row.inputs["sizes"]).title
        same = tuple(str(row.inputs[key]) for key in ("launches", "how", "sources", "base"))
        groups.setdefault(title, {}).setdefault(same, []).append(row)
    found = tuple(_latest(space, title, own) for title, own in groups.items())
    if not any(one.samples for one in found):
        raise InputError(f"the study {study} has no points of its space yet")
    return Explored(space, study, found, shown(kept.store.url))


def _latest(
    space: ExploredSpace, title: str, groups: Mapping[tuple[str, ...], Sequence[Row]]
) -> OfWorkload:
    latest = max(groups.values(), key=lambda rows: rows[-1].number)
    own = [row for row in latest if row.inputs["point"] in space.design]
    every = sum(len(rows) for rows in groups.values())
    return OfWorkload(title, tuple(map(sample_of, own)), every - len(own))


def merged(found: Explored, titles: Sequence[str]) -> Explored:
    """Give an exploration with some of its workloads. UsageError for one that it has not."""
    return replace(found, workloads=tuple(found.workload(title) for title in titles))
