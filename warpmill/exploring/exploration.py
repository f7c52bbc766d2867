"""Explorations: points drawn from a space, simulated for some workloads, and kept in a study."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from warpmill.analyzer.base.diagnostics import InputError, UsageError
from warpmill.analyzer.base.extras import need
from warpmill.analyzer.base.naming import suggestion
from warpmill.exploring.backends import ExplorationInterrupted, PointWorkers, run_points
from warpmill.exploring.evaluation import ExplorationEvaluator, check_response
from warpmill.exploring.explored import ExplorationResult, OfWorkload, PointSample
from warpmill.exploring.fitting import Fitting, cross_validated
from warpmill.exploring.options import Sampling
from warpmill.exploring.points import ExplorationConfig, Maker
from warpmill.exploring.space import ExploredSpace
from warpmill.exploring.space_file import space_of_text
from warpmill.exploring.workloads import ExploredWorkload, LoadedWorkload
from warpmill.simulator.regression.draws import draw
from warpmill.simulator.regression.parameters import Point as DesignPoint
from warpmill.studies.model import LIMITS, StudyPoint, StudyRow
from warpmill.studies.places import kept_or_passing
from warpmill.studies.running import ProgressListener
from warpmill.studies.store import Store, Study
from warpmill.studies.tables import shown


def explore(
    space: ExploredSpace,
    workloads: Sequence[ExploredWorkload],
    sampling: Sampling | None = None,
    how: ExplorationConfig | None = None,
    *,
    store: str | Path | None = None,
    study: str | None = None,
    backend: PointWorkers | None = None,
    told: ProgressListener | None = None,
) -> ExplorationResult:
    """Simulate samples of a space for each workload. Without ``store`` nothing is kept.

    Points that the ``study`` (the space's name without it) has already count; more are drawn
    beside them where they are too few. Those that failed are tried again where the sampling says
    ``retry``, or failed by limits that are others now. Nothing is kept before all workloads were
    read and their points drawn. Errors as ``run_points``, UsageError and InputError for what
    cannot be read or drawn, and, before anything is, LimitError for too many points.
    """
    need("statsmodels", "patsy", why="a model of a design space")
    if not workloads:
        raise UsageError("nothing is explored: name a workload, such as bfs:tiny")
    sampling = sampling or Sampling()
    sampling.check(space.design)
    if sampling.fitting is not None:
        check_response(sampling.fitting.response, (how or ExplorationConfig()).engine)
    backend = backend or PointWorkers()
    if store is None and backend.scheduler is not None:
        raise UsageError(
            "a Dask cluster needs a store that its workers reach: a file that they share, or a URL"
        )
    begin, name = time.monotonic(), study or space.name
    LoadedWorkload.forget()
    with kept_or_passing(store) as place:
        opened = Store(place)
        find_exploration(opened, name)  # what is something else is refused before long work
        running = _Running(space, workloads, how or ExplorationConfig(), backend, told)
        found = running.all(opened, name, sampling)
        return ExplorationResult(
            space, name, found, None if store is None else shown(opened.url),
            running.known, time.monotonic() - begin, running.here, running.elsewhere,
        )  # fmt: skip


class _Running:
    """Draws points and has them measured, workload by workload, or all together."""

    def __init__(
        self,
        space: ExploredSpace,
        workloads: Sequence[ExploredWorkload],
        how: ExplorationConfig,
        backend: PointWorkers,
        told: ProgressListener | None,
    ) -> None:
        self.space, self.how, self.backend, self.told = space, how.here, backend, told
        made = (
            Maker.of(space, LoadedWorkload.ready(each), self.how) for each in once_each(workloads)
        )
        self._makers = {one.ready.workload.title: one for one in made}
        self.here = 0
        self._designs: list[DesignPoint] = []
        self._drawn: dict[str, list[StudyPoint]] = {}
        self._tried: set[str] = set()

    def all(self, store: Store, name: str, sampling: Sampling) -> tuple[OfWorkload, ...]:
        """Draw, and then measure: nothing is kept of what cannot be drawn."""
        self._designs = self._known_designs(find_exploration(store, name))
        self._draw(self._makers, sampling.first(self.space.design), sampling)
        self.study = store.study(name)
        self._keep(self._makers)
        self._try_again(retry=sampling.retry)
        self.known = len(self._keys) - len(self.study.unfinished(self._keys))
        try:
            self._run(self._makers)
            for title in self._makers:
                self._until_near(title, sampling)
        except KeyboardInterrupt:
            left = len(self.study.unfinished(self._keys))
            raise ExplorationInterrupted(len(self._keys) - left, len(self._keys)) from None
        return tuple(map(self._found, self._makers))

    def _until_near(self, title: str, sampling: Sampling) -> None:
        """Draw more points of a workload as long as its models are to be nearer."""
        while wants_more(sampling, self.space, self._found(title)):
            most = sampling.most(self.space.design)
            self._draw([title], min(len(self._drawn[title]) + sampling.step, most), sampling)
            self._keep([title])
            self._try_again(retry=sampling.retry)
            self._run([title])

    def _known_designs(self, before: tuple[Study, About] | None) -> list[DesignPoint]:
        """The points that the study has of any of the workloads, each once, in its order."""
        if before is None:
            return []
        study, about = before
        each = (about.numbers(one.ready.workload, one.run) for one in self._makers.values())
        rows = study.numbered(sorted(set().union(*each)))
        known = {tuple(sorted(row.inputs["point"].items())): row.inputs["point"] for row in rows}
        return [point for point in known.values() if _is_of(self.space, point)]

    def _draw(self, titles: Iterable[str], count: int, sampling: Sampling) -> None:
        """Workloads so many points: those that any of them has first, then others."""
        there = self._designs
        if count > len(there):
            there += draw(
                self.space.design, count - len(there),
                method=sampling.method, seed=sampling.seed, besides=tuple(there),
            )  # fmt: skip
        for title in titles:
            self._drawn[title] = self._makers[title].points(there[:count])

    def _keep(self, titles: Iterable[str]) -> None:
        """Add points to the study, with whose they are."""
        numbers = {}
        for title in titles:
            self.study.add(self._drawn[title])
            numbers[title] = self.study.numbers([p.key for p in self._drawn[title]])

        def said(before: str) -> str:
            about = about_space(self.space, before)
            for title, own in numbers.items():
                maker = self._makers[title]
                about = about.with_points(maker.ready.workload, maker.run, own)
            return about.text

        self.study.revise(said)

    def _try_again(self, *, retry: bool) -> None:
        """Reset points that failed in earlier runs: all, or those by other limits."""
        keys = [key for key in self._keys if key not in self._tried]
        self._tried |= set(keys)
        own = (None, self.how.limits)
        if not retry:
            rows = self.study.of_keys(keys)
            keys = [key for key, row in rows.items() if row.facts.get(LIMITS) not in own]
        self.study.forget_failures(keys)

    @property
    def elsewhere(self) -> int:
        """Points that were not known and that others have measured."""
        return max(0, len(self._keys) - self.known - self.here)

    @property
    def _keys(self) -> list[str]:
        """The keys of all points that were drawn, each once."""
        return list(dict.fromkeys(p.key for own in self._drawn.values() for p in own))

    def _run(self, titles: Iterable[str]) -> None:
        points = [point for title in titles for point in self._drawn[title]]
        evaluate = ExplorationEvaluator(self.how)
        self.here += run_points(self.study, points, evaluate, self.backend, self.told)

    def _found(self, title: str) -> OfWorkload:
        rows = self.study.of_keys([p.key for p in self._drawn[title]])
        return OfWorkload(title, tuple(sample_of(rows[p.key]) for p in self._drawn[title]))


def wants_more(sampling: Sampling, space: ExploredSpace, found: OfWorkload) -> bool:
    """Whether more points are to be drawn for a workload."""
    aim = sampling.until_error
    if aim is None or len(found.samples) >= sampling.most(space.design):
        return False
    try:
        mean = cross_validated(space, found, sampling.fitting or Fitting()).mean_percent
    except UsageError:  # so few samples have no error
        return True
    return mean is None or mean > aim


def _is_of(space: ExploredSpace, point: DesignPoint) -> bool:
    return len(point) == len(space.parameters) and point in space.design


def sample_of(row: StudyRow) -> PointSample:
    """Make a sample of a point that was kept."""
    return PointSample(row.inputs["point"], row.figures, row.facts, row.problem, row.seconds)


# -- what was kept ---------------------------------------------------------------------------------


def studies_in(store: str | Path) -> tuple[str, ...]:
    """Name the explorations of a store; none where there is no store."""
    opened = Store(store)
    if not opened.is_there:
        return ()
    return tuple(n for n in opened.names() if About.of(opened.study(n).about()) is not None)


def explored(study: str, store: str | Path) -> ExplorationResult:
    """An exploration as it was kept, without running anything.

    Of each workload the points of its latest run count, and those before that belong to it. The
    space is as it was when it was explored last. UsageError where there is no such study.
    """
    kept, about = _kept(study, store)
    space = space_of_text(about.space, about.name, f"{about.name}.toml", about.folder)
    rows = {row.number: row for row in kept.rows()}  # those that are over
    found = tuple(_of_entry(space, entry, rows) for entry in about.entries)
    if not any(one.samples for one in found):
        raise InputError(f"the study {study} has no points of its space yet")
    return ExplorationResult(space, study, found, shown(kept.store.url))


def _kept(study: str, store: str | Path) -> tuple[Study, About]:
    opened = Store(store)
    kept = opened.find(study)
    about = None if kept is None else About.of(kept.about())
    if kept is not None and about is not None:
        return kept, about
    words = f"{shown(opened.url)} has no exploration `{study}`"
    if not opened.is_there:
        raise UsageError(f"{words}: there is no such file")
    there = studies_in(store)
    hint = suggestion(study, there) or (f"there are {', '.join(there)}" if there else None)
    raise UsageError(f"{words}; {hint or 'warpmill explore makes one'}")


def _of_entry(
    space: ExploredSpace, entry: StudyWorkload, rows: Mapping[int, StudyRow]
) -> OfWorkload:
    every = {n for run in entry.runs for n in run.numbers if n in rows}
    latest = [rows[n] for n in entry.runs[-1].numbers if n in rows]
    own = [row for row in latest if _is_of(space, row.inputs["point"])]
    others = len(every) - len(own)
    return OfWorkload(entry.title, tuple(map(sample_of, own)), others)


def only(found: ExplorationResult, titles: Sequence[str]) -> ExplorationResult:
    """An exploration with some of its workloads. UsageError for one that it has not."""
    return replace(found, workloads=tuple(found.workload(title) for title in titles))


# What the study of an exploration says of itself: its space, and which points are of which run.
#
# A run is all points that a workload has in common with one way to realise and simulate them:
# those of the same ``Maker.run``. A study may hold several of a workload, as its code, the space's
# machines or the options were at different times; the latest is the one that counts.

KIND = "exploration"
"""Kind of the study."""

Range = tuple[int, int]


@dataclass(frozen=True)
class ExplorationRun:
    """Points of a study that belong together: their numbers, in the order of the last run.

    They are kept as ranges, both ends included.
    """

    run: str
    ranges: tuple[Range, ...] = ()

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers."""
        return tuple(n for first, last in self.ranges for n in range(first, last + 1))

    def with_numbers(self, drawn: Sequence[int]) -> ExplorationRun:
        """The run with these points first, and those that it had behind them."""
        return ExplorationRun(self.run, _ranges(dict.fromkeys([*drawn, *self.numbers])))


def _ranges(numbers: Iterable[int]) -> tuple[Range, ...]:
    found: list[Range] = []
    for number in numbers:
        if found and found[-1][1] == number - 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return tuple(found)


@dataclass(frozen=True)
class StudyWorkload:
    """A workload of a study: what it was called last, where it lies, its runs, the latest last."""

    title: str
    place: str
    sizes: dict[str, Any]
    runs: tuple[ExplorationRun, ...]

    def run(self, name: str) -> ExplorationRun:
        """A run; one without points where there is none yet."""
        return next((one for one in self.runs if one.run == name), ExplorationRun(name))

    def lies_there(self, workload: ExploredWorkload) -> bool:
        """Whether it is this workload, by where it lies and its sizes."""
        return self.place == workload.place and self.sizes == workload.said

    def with_run(self, workload: ExploredWorkload, run: ExplorationRun) -> StudyWorkload:
        """Workload with a run as its latest, under its present name."""
        before = tuple(one for one in self.runs if one.run != run.run)
        return StudyWorkload(workload.title, workload.place, workload.said, (*before, run))


@dataclass(frozen=True)
class About:
    """Description of an exploration's study: the text of its space, and its workloads."""

    space: str
    name: str
    folder: str
    entries: tuple[StudyWorkload, ...] = field(default=())

    @classmethod
    def of(cls, text: str) -> About | None:
        """Read it. None: the study is of something else, or says nothing."""
        try:
            found = json.loads(text)
        except ValueError:
            return None
        if not isinstance(found, dict) or found.get("kind") != KIND:
            return None
        entries = tuple(_entry(each) for each in found.get("workloads", ()))
        return cls(found["space"], found["name"], found["folder"], entries)

    @property
    def text(self) -> str:
        """Write it, the same always the same."""
        entries = [{"title": e.title, "place": e.place, "sizes": e.sizes,
                    "runs": [[one.run, one.ranges] for one in e.runs]}
                   for e in self.entries]  # fmt: skip
        own = {"kind": KIND, "space": self.space, "name": self.name, "folder": self.folder}
        return json.dumps({**own, "workloads": entries}, sort_keys=True)

    def entry(self, workload: ExploredWorkload, run: str) -> StudyWorkload | None:
        """A workload's entry: by its place, or, where it was moved, by its very points."""
        there = [one for one in self.entries if one.lies_there(workload)]
        moved = [one for one in self.entries if one.run(run).ranges]
        return next(iter([*there, *moved]), None)

    def numbers(self, workload: ExploredWorkload, run: str) -> tuple[int, ...]:
        """The numbers of the points of a workload's run."""
        entry = self.entry(workload, run)
        return () if entry is None else entry.run(run).numbers

    def with_points(self, workload: ExploredWorkload, run: str, numbers: Sequence[int]) -> About:
        """Description with further points of a run, which is the workload's latest by that."""
        known = self.entry(workload, run) or StudyWorkload("", "", {}, ())
        made = known.with_run(workload, known.run(run).with_numbers(numbers))
        if known in self.entries:
            entries = tuple(made if one is known else one for one in self.entries)
        else:
            entries = (*self.entries, made)
        return replace(self, entries=entries)


def _entry(kept: dict[str, Any]) -> StudyWorkload:
    runs = (ExplorationRun(name, tuple((first, last) for first, last in ranges))
            for name, ranges in kept["runs"])  # fmt: skip
    return StudyWorkload(kept["title"], kept["place"], kept["sizes"], tuple(runs))


def about_space(space: ExploredSpace, before: str) -> About:
    """Description of a study by now: the space as it is, the workloads as they were."""
    known = About.of(before)
    entries = () if known is None else known.entries
    return About(space.text, space.name, space.folder, entries)


def find_exploration(store: Store, name: str) -> tuple[Study, About] | None:
    """A study as it is by now; None: there is none, or nothing in it. Nothing is made.

    UsageError where it is of something else.
    """
    study = store.find(name)
    text = "" if study is None else study.about()
    if study is None or not text:
        return None
    about = About.of(text)
    if about is None:
        raise UsageError(f"the study {name} is no exploration; give another with --study")
    return study, about


def once_each(workloads: Iterable[ExploredWorkload]) -> list[ExploredWorkload]:
    """Workloads once, however they are called."""
    found: list[ExploredWorkload] = []
    for each in workloads:
        if not any(each.is_same(other) for other in found):
            found.append(each)
    return found
