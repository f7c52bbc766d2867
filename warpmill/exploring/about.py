"""What the study of an exploration says of itself: its space, and which points are of which run.

A run is all points that a workload has in common with one way to realise and simulate them: those
of the same ``Maker.run``. A study may hold several of a workload, as its code, the space's machines
or the options were at different times; the latest is the one that counts.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.exploring.space import ExploredSpace
from warpmill.exploring.workloads import Workload
from warpmill.studies.store import Store, Study

KIND = "exploration"
"""What a study of this kind says of itself."""

Range = tuple[int, int]


@dataclass(frozen=True)
class Run:
    """Points of a study that belong together: their numbers, in the order of the last run.

    They are kept as ranges, both ends included.
    """

    run: str
    ranges: tuple[Range, ...] = ()

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers."""
        return tuple(n for first, last in self.ranges for n in range(first, last + 1))

    def with_numbers(self, drawn: Sequence[int]) -> Run:
        """Give the run with these points first, and those that it had behind them."""
        return Run(self.run, _ranges(dict.fromkeys([*drawn, *self.numbers])))


def _ranges(numbers: Iterable[int]) -> tuple[Range, ...]:
    found: list[Range] = []
    for number in numbers:
        if found and found[-1][1] == number - 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return tuple(found)


@dataclass(frozen=True)
class Entry:
    """A workload of a study: what it was called last, where it lies, its runs, the latest last."""

    title: str
    place: str
    sizes: dict[str, Any]
    runs: tuple[Run, ...]

    def run(self, name: str) -> Run:
        """Give a run; one without points where there is none yet."""
        return next((one for one in self.runs if one.run == name), Run(name))

    def lies_there(self, workload: Workload) -> bool:
        """Whether it is this workload, by where it lies and its sizes."""
        return self.place == workload.place and self.sizes == dict(workload.sizes)

    def with_run(self, workload: Workload, run: Run) -> Entry:
        """Give it with a run as its latest, called as it is called now."""
        before = tuple(one for one in self.runs if one.run != run.run)
        return Entry(workload.title, workload.place, dict(workload.sizes), (*before, run))


@dataclass(frozen=True)
class About:
    """What a study of an exploration says: the text of its space, and its workloads."""

    space: str
    name: str
    folder: str
    entries: tuple[Entry, ...] = field(default=())

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

    def entry(self, workload: Workload, run: str) -> Entry | None:
        """Give a workload's entry: by its place, or, where it was moved, by its very points."""
        there = [one for one in self.entries if one.lies_there(workload)]
        moved = [one for one in self.entries if one.run(run).ranges]
        return next(iter([*there, *moved]), None)

    def numbers(self, workload: Workload, run: str) -> tuple[int, ...]:
        """Give the numbers of the points of a workload's run."""
        entry = self.entry(workload, run)
        return () if entry is None else entry.run(run).numbers

    def with_points(self, workload: Workload, run: str, numbers: Sequence[int]) -> About:
        """Give it with further points of a run, which is the workload's latest by that."""
        known = self.entry(workload, run) or Entry("", "", {}, ())
        made = known.with_run(workload, known.run(run).with_numbers(numbers))
        if known in self.entries:
            entries = tuple(made if one is known else one for one in self.entries)
        else:
            entries = (*self.entries, made)
        return replace(self, entries=entries)


def _entry(kept: dict[str, Any]) -> Entry:
    runs = (Run(name, tuple((first, last) for first, last in ranges))
            for name, ranges in kept["runs"])  # fmt: skip
    return Entry(kept["title"], kept["place"], kept["sizes"], tuple(runs))


def about_space(space: ExploredSpace, before: str) -> About:
    """Say what a study is of by now: the space as it is, the workloads as they were."""
    known = About.of(before)
    entries = () if known is None else known.entries
    return About(space.text, space.name, space.folder, entries)


def find_exploration(store: Store, name: str) -> tuple[Study, About] | None:
    """Give a study as it is by now; None: there is none, or nothing in it. Nothing is made.

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


def once_each(workloads: Iterable[Workload]) -> list[Workload]:
    """Give workloads once, however they are called."""
    found: list[Workload] = []
    for each in workloads:
        if not any(each.is_same(other) for other in found):
            found.append(each)
    return found
