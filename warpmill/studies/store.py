"""The study store: an SQLite file, or a database by URL, that several processes may use at once.

::

    store = Store("studies.db")
    study = store.study("blocks of matmul")
    study.add([Point({"block": 64}), Point({"block": 128})])
    for row in study.best("time_us", 10): ...

A point is kept once, by the hash of its inputs, and may be in many studies. It is claimed before it
is measured, so that no two processes measure the same; claims of processes that are gone are over.
"""

from __future__ import annotations

import json
import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Select,
    Table,
    and_,
    bindparam,
    func,
    or_,
    select,
)
from sqlalchemy.dialects import postgresql, sqlite

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.studies.content import canonical
from warpmill.studies.model import PointCounts, PointOutcome, StudyPoint, StudyRow
from warpmill.studies.owners import LEASE_S, is_gone, own_name
from warpmill.studies.tables import (
    CLAIMED,
    DONE,
    FAILED,
    OPEN,
    figures,
    is_there,
    members,
    opened,
    points,
    said,
    studies,
    url_of,
    writing,
)

_AT_ONCE = 500
"""Points that one statement names; databases limit how many they take."""


class Store:
    """A store by the path of its file or by URL. Processes that it is sent to open it anew."""

    def __init__(self, where: str | Path) -> None:
        self.url = url_of(where)

    def __reduce__(self) -> tuple[type[Store], tuple[str]]:
        return Store, (self.url,)

    @cached_property
    def engine(self) -> Engine:
        """The database, opened when it is first needed. InputError and UsageError as ``opened``."""
        found = opened(self.url)
        weakref.finalize(self, found.dispose)  # its connections, where nobody closes them
        return found

    def study(self, name: str, about: str = "") -> Study:
        """The study of a name; it is made where there is none. UsageError for no name."""
        if not name.strip() or len(name) > studies.c.name.type.length:  # type: ignore[attr-defined]
            raise UsageError("a study needs a name of up to 200 characters")
        with said(self.url), writing(self.engine) as connection:
            connection.execute(_new(connection, studies), [{"name": name, "about": about}])
            found = connection.scalar(select(studies.c.id).where(studies.c.name == name))
        assert found is not None
        return Study(self, found, name)

    @property
    def is_there(self) -> bool:
        """Whether it can be opened without a file being made. A database by URL is there."""
        return is_there(self.url)

    def find(self, name: str) -> Study | None:
        """The study of a name; None where there is none. Nothing is made."""
        if not self.is_there:
            return None
        with said(self.url), self.engine.connect() as connection:
            found = connection.scalar(select(studies.c.id).where(studies.c.name == name))
        return None if found is None else Study(self, found, name)

    def names(self) -> list[str]:
        """The names of the studies that there are, as they were made."""
        with said(self.url), self.engine.connect() as connection:
            return list(connection.scalars(select(studies.c.name).order_by(studies.c.id)))


def _new(connection: Connection, table: Table) -> Any:
    """A statement that puts rows into a table, but for those that are there."""
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    return dialect.insert(table).on_conflict_do_nothing()


@dataclass(frozen=True)
class Study:
    """The points of a store that belong together, in an order."""

    store: Store
    id: int
    name: str

    # -- itself --------------------------------------------------------------------------------

    def about(self) -> str:
        """Description of the study; empty where there is none."""
        with self._reading() as connection:
            words = select(studies.c.about).where(studies.c.id == self.id)
            return str(connection.scalar(words) or "")

    def describe(self, text: str) -> None:
        """Set the description of the study."""
        with self._writing() as connection:
            connection.execute(studies.update().where(studies.c.id == self.id).values(about=text))

    def revise(self, change: Callable[[str], str]) -> None:
        """Update the description of the study from itself: nobody writes in between."""
        own = studies.c.id == self.id
        with self._writing() as connection:
            before = str(connection.scalar(select(studies.c.about).where(own)) or "")
            after = change(before)
            if after != before:
                connection.execute(studies.update().where(own).values(about=after))

    # -- points --------------------------------------------------------------------------------

    def add(self, wanted: Sequence[StudyPoint]) -> None:
        """Add points to the study, behind its own. Known ones keep their figures."""
        with self._writing() as connection:
            last = connection.scalar(
                select(func.max(members.c.number)).where(members.c.study == self.id)
            )
            first = 0 if last is None else last + 1
            for begin in range(0, len(wanted), _AT_ONCE):
                part = wanted[begin : begin + _AT_ONCE]
                self._add(connection, part, first + begin)

    def _add(self, connection: Connection, wanted: Sequence[StudyPoint], first: int) -> None:
        rows = [{"key": p.key, "inputs": canonical(p.inputs), "state": OPEN} for p in wanted]
        connection.execute(_new(connection, points), rows)
        keys = [p.key for p in wanted]
        named = select(points.c.key, points.c.id).where(points.c.key.in_(keys))
        ids = {row.key: row.id for row in connection.execute(named)}
        belonging = [
            {"study": self.id, "point": ids[key], "number": first + n} for n, key in enumerate(keys)
        ]
        connection.execute(_new(connection, members), belonging)

    def forget_failures(self, keys: Sequence[str] | None = None) -> None:
        """Reset points that could not be measured: some by their keys, or all."""
        own = select(members.c.point).where(members.c.study == self.id)
        failed = and_(points.c.id.in_(own), points.c.state == FAILED)
        parts = [failed] if keys is None else [and_(failed, named) for named in _named(keys)]
        with self._writing() as connection:
            for part in parts:
                connection.execute(points.update().where(part).values(state=OPEN, problem=None))

    # -- work ----------------------------------------------------------------------------------

    def claim(self, keys: Sequence[str]) -> set[str]:
        """Take those of some points that are open, or were claimed by a process that is gone."""
        claimed: set[str] = set()
        with self._writing() as connection:
            now, gone = time.time(), self._gone(connection)
            stale = or_(points.c.claimed_at < now - LEASE_S, points.c.owner.in_(gone))
            free = or_(points.c.state == OPEN, and_(points.c.state == CLAIMED, stale))
            for part in _named(keys):
                taken = points.update().where(and_(part, free))
                taken = taken.values(state=CLAIMED, owner=own_name(), claimed_at=now)
                claimed |= set(connection.scalars(taken.returning(points.c.key)))
        return claimed

    @staticmethod
    def _gone(connection: Connection) -> list[str]:
        names = select(points.c.owner).where(points.c.state == CLAIMED).distinct()
        return [name for name in connection.scalars(names) if name is not None and is_gone(name)]

    def renew(self) -> None:
        """Renew the claims of this process."""
        with self._writing() as connection:
            own = and_(points.c.state == CLAIMED, points.c.owner == own_name())
            connection.execute(points.update().where(own).values(claimed_at=time.time()))

    def release(self, keys: Sequence[str]) -> None:
        """Release points that this process claimed and has not measured."""
        with self._writing() as connection:
            own = and_(points.c.key.in_(keys), points.c.owner == own_name())
            given = points.update().where(and_(own, points.c.state == CLAIMED))
            connection.execute(given.values(state=OPEN, owner=None, claimed_at=None))

    def finish(self, key: str, outcome: PointOutcome, seconds: float) -> None:
        """Keep what came of a claimed point. Nothing where another process has it by now."""
        state = DONE if outcome.problem is None else FAILED
        with self._writing() as connection:
            done = {
                "of_key": key,
                "of_owner": own_name(),
                "state": state,
                "outputs": canonical({"figures": outcome.figures, "facts": outcome.facts}),
                "problem": outcome.problem,
                "seconds": seconds,
            }
            number = connection.scalar(_FINISH, done)
            if number is not None and outcome.figures:
                connection.execute(
                    _ADD_FIGURES,
                    [{"point": number, "name": n, "value": v} for n, v in outcome.figures.items()],
                )

    # -- what is known -------------------------------------------------------------------------

    def counts(self) -> PointCounts:
        """Count the points by their states."""
        joined = points.join(members, members.c.point == points.c.id)
        words = select(points.c.state, func.count()).select_from(joined)
        words = words.where(members.c.study == self.id).group_by(points.c.state)
        with self._reading() as connection:
            found = {row[0]: row[1] for row in connection.execute(words)}
        return PointCounts(*(found.get(state, 0) for state in (OPEN, CLAIMED, DONE, FAILED)))

    def unfinished(self, keys: Sequence[str]) -> list[str]:
        """Those of some points that are open or claimed, in their order."""
        left: set[str] = set()
        with self._reading() as connection:
            for part in _named(keys):
                states = select(points.c.key).where(part, points.c.state.in_((OPEN, CLAIMED)))
                left |= set(connection.scalars(states))
        return [key for key in keys if key in left]

    def holds(self, keys: Sequence[str]) -> bool:
        """Whether all of some points, each named once, are in the store."""
        if not self.store.is_there:
            return False
        with self._reading() as connection:
            words = (select(func.count()).where(named) for named in _named(keys))
            return sum(connection.scalar(each) or 0 for each in words) == len(keys)

    def any_claimed(self, keys: Sequence[str]) -> bool:
        """Whether some process is at one of some points."""
        with self._reading() as connection:
            words = (select(func.count()).where(named, points.c.state == CLAIMED)
                     for named in _named(keys))  # fmt: skip
            return any(connection.scalar(each) for each in words)

    def numbers(self, keys: Sequence[str]) -> list[int]:
        """The numbers of some points that belong to the study, in their order."""
        joined = members.join(points, members.c.point == points.c.id)
        found: dict[str, int] = {}
        with self._reading() as connection:
            for named in _named(keys):
                words = select(points.c.key, members.c.number).select_from(joined)
                words = words.where(named, members.c.study == self.id)
                found |= {row.key: row.number for row in connection.execute(words)}
        return [found[key] for key in keys]

    def rows(self) -> Iterator[StudyRow]:
        """All points that are over, in their order."""
        over = points.c.state.in_((DONE, FAILED))
        yield from self._rows(self._selected().where(over).order_by(members.c.number))

    def inputs(self) -> list[dict[str, Any]]:
        """The inputs of all points, measured or not, in their order."""
        words = select(points.c.inputs).join(members, members.c.point == points.c.id)
        words = words.where(members.c.study == self.id).order_by(members.c.number)
        with self._reading() as connection:
            return [json.loads(text) for text in connection.scalars(words)]

    def of_keys(self, keys: Sequence[str]) -> dict[str, StudyRow]:
        """Some points by their keys, those that are over."""
        found: dict[str, StudyRow] = {}
        over = points.c.state.in_((DONE, FAILED))
        for part in _named(keys):
            with self._reading() as connection:
                for row in connection.execute(self._selected().where(part, over)):
                    found[row.key] = _row(row)
        return found

    def best(self, figure: str, count: int, *, largest: bool = False) -> list[StudyRow]:
        """The points with the smallest, or largest, values of a figure; the best first."""
        value: ColumnElement[float] = figures.c.value
        if not self._fills_the_store():
            value = value + 0.0  # not in the order of the index, which others' points are in too
        words = self._selected().join(figures, figures.c.point == points.c.id)
        words = words.where(figures.c.name == figure)
        words = words.order_by(value.desc() if largest else value, members.c.number).limit(count)
        return list(self._rows(words))

    def _fills_the_store(self) -> bool:
        """Whether a good part of all points are of this study."""
        with self._reading() as connection:
            own = select(func.count()).where(members.c.study == self.id)
            every = select(func.max(points.c.id))
            return 5 * (connection.scalar(own) or 0) > (connection.scalar(every) or 0)

    def values(self, *names: str) -> list[tuple[int, tuple[float, ...]]]:
        """The numbers of the points that have all of some figures, with their values."""
        each = [figures.alias() for _ in names]
        words = select(members.c.number, *(f.c.value for f in each))
        for name, own in zip(names, each, strict=True):
            matching: ColumnElement[bool] = and_(own.c.point == members.c.point, own.c.name == name)
            words = words.join(own, matching)
        words = words.where(members.c.study == self.id).order_by(members.c.number)
        with self._reading() as connection:
            return [(row[0], tuple(row[1:])) for row in connection.execute(words)]

    def numbered(self, numbers: Sequence[int]) -> list[StudyRow]:
        """Points by their numbers, in that order."""
        found: dict[int, StudyRow] = {}
        for begin in range(0, len(numbers), _AT_ONCE):
            part = members.c.number.in_(numbers[begin : begin + _AT_ONCE])
            found |= {row.number: row for row in self._rows(self._selected().where(part))}
        return [found[number] for number in numbers]

    def _selected(self) -> Select[Any]:
        columns = (points.c.key, points.c.inputs, points.c.outputs, points.c.problem)
        words = select(members.c.number, *columns, points.c.seconds)
        joined = members.join(points, members.c.point == points.c.id)
        return words.select_from(joined).where(members.c.study == self.id)

    def _rows(self, words: Select[Any]) -> Iterator[StudyRow]:
        with self._reading() as connection:
            for row in connection.execute(words):
                yield _row(row)

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with said(self.store.url), self.store.engine.connect() as connection:
            yield connection

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with said(self.store.url), writing(self.store.engine) as connection:
            yield connection


_FINISH = (
    points.update()
    .where(points.c.key == bindparam("of_key"), points.c.owner == bindparam("of_owner"))
    .where(points.c.state == CLAIMED)
    .values(
        state=bindparam("state"),
        outputs=bindparam("outputs"),
        problem=bindparam("problem"),
        seconds=bindparam("seconds"),
        owner=None,
        claimed_at=None,
    )
    .returning(points.c.id)
)
_ADD_FIGURES = figures.insert()
"""Statements for each point that is finished: made once, as making them takes longer than they."""


def _named(keys: Sequence[str]) -> Iterator[ColumnElement[bool]]:
    """Conditions that name some points, each as many as a statement may."""
    for begin in range(0, len(keys), _AT_ONCE):
        yield points.c.key.in_(keys[begin : begin + _AT_ONCE])


def _row(row: Any) -> StudyRow:
    outputs = json.loads(row.outputs) if row.outputs else {"figures": {}, "facts": {}}
    return StudyRow(
        row.number,
        json.loads(row.inputs),
        outputs["figures"],
        outputs["facts"],
        row.problem,
        row.seconds,
    )
