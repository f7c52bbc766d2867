"""Measuring the points of a study: in this process, or in several that share the store.

Points are handed out in parts of one group, so that who measures them can keep what they share.
Each is kept as soon as it is measured: what stops a run loses the points under way, and the same
run goes on where it was.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from warpmill.analyzer.base.diagnostics import InputError, WarpmillError, is_limit, words_of
from warpmill.studies.model import LIMITS, Evaluate, NotHereError, PointOutcome, StudyPoint
from warpmill.studies.owners import RENEWAL_S
from warpmill.studies.processes import in_processes
from warpmill.studies.store import Study
from warpmill.studies.tables import shown

PART_S = 1.0
"""About how long one claim lasts: after that more points are claimed, or fewer at once."""

_MOST_CLAIMED = 64
_LARGEST_PART = 256
"""Points of a group that one process takes over at once."""

_WAIT_S = 0.2
"""Seconds between two looks at points that another process has claimed."""
_MOST_IDLE = 25
"""Times in a row that nothing comes of points, and nobody has claimed one, before that is said."""


@dataclass(frozen=True)
class Progress:
    """How far a run is: points that are over, of all; ``measured`` of them in this run."""

    over: int
    all: int
    measured: int
    seconds: float

    @property
    def seconds_left(self) -> float | None:
        """The time that is left if the rest goes as what was measured; None: nothing was."""
        left = self.all - self.over
        return self.seconds * left / self.measured if self.measured else None


ProgressListener = Callable[[Progress], None]


def run(
    study: Study,
    wanted: Sequence[StudyPoint],
    evaluate: Evaluate,
    *,
    workers: int = 1,
    told: ProgressListener | None = None,
) -> int:
    """Measure the points that are not known yet, and wait for those that other processes measure.

    Gives how many were measured here, by this process and its workers.

    A WarpmillError of ``evaluate`` is the point's problem; NotHereError and other errors end
    the run. InputError where processes look into another store than this one.
    """
    begin, measured, idle = time.monotonic(), 0, 0
    study.add(wanted)
    points = list({p.key: p for p in wanted}.values())
    left = study.unfinished([p.key for p in points])
    while left:
        open_ = set(left)
        over = len(points) - len(left)
        parts = _parts([p for p in points if p.key in open_], workers)
        for number in _measured(study, parts, evaluate, workers):
            measured, over = measured + number, over + number
            if told is not None:
                told(Progress(over, len(points), measured, time.monotonic() - begin))
        still = study.unfinished(left)
        idle = idle + 1 if len(still) == len(left) and not study.any_claimed(still) else 0
        if idle == _MOST_IDLE:
            raise InputError(
                f"{shown(study.store.url)}: nothing comes of {len(still):,} points; do all workers "
                "write to this store, and not to a copy?"
            )
        if len(still) == len(left):
            time.sleep(_WAIT_S)  # other processes are at them
        left = still
    return measured


def _parts(points: Sequence[StudyPoint], workers: int) -> list[list[StudyPoint]]:
    """Part points by their groups, in the order in which groups come; large ones are shared."""
    groups: dict[str, list[StudyPoint]] = {}
    for point in points:
        groups.setdefault(point.group, []).append(point)
    most = min(_LARGEST_PART, -(-len(points) // workers))
    return [
        group[begin : begin + most]
        for group in groups.values()
        for begin in range(0, len(group), most)
    ]


def _measured(
    study: Study, parts: Sequence[Sequence[StudyPoint]], evaluate: Evaluate, workers: int
) -> Iterator[int]:
    """Measure parts, and tell now and then how many points were."""
    if workers == 1:
        for part in parts:
            yield from _part(study, part, evaluate)
        return

    def counted(part: Sequence[StudyPoint]) -> int:
        return sum(_part(study, part, evaluate))

    with in_processes(counted, parts, workers, ordered=False) as numbers:
        yield from numbers


def _part(study: Study, part: Sequence[StudyPoint], evaluate: Evaluate) -> Iterator[int]:
    """Measure points one after another, claiming as many as take about PART_S."""
    if not study.holds([p.key for p in part]):
        raise InputError(
            f"on {socket.gethostname()} {shown(study.store.url)} is not the store of this run: all "
            "workers need the same one, a file that they share or a database's URL"
        )
    size, done = 1, 0
    with _renewing(study):
        while done < len(part):
            chunk = part[done : done + size]
            done += len(chunk)
            begin, number = time.monotonic(), 0
            claimed = study.claim([p.key for p in chunk])
            for _ in _claimed(study, [p for p in chunk if p.key in claimed], evaluate):
                number += 1
                yield 1
            if number:
                each = (time.monotonic() - begin) / number
                size = max(1, min(_MOST_CLAIMED, int(PART_S / each), 2 * size))


def _claimed(study: Study, chunk: Sequence[StudyPoint], evaluate: Evaluate) -> Iterator[None]:
    left = [point.key for point in chunk]
    try:
        for point in chunk:
            begin = time.monotonic()
            outcome = _outcome(evaluate, point)
            study.finish(point.key, outcome, time.monotonic() - begin)
            left.remove(point.key)
            yield
    finally:
        if left:  # something stopped the run
            study.release(left)


def _outcome(evaluate: Evaluate, point: StudyPoint) -> PointOutcome:
    try:
        return evaluate({**point.inputs, **point.beside})
    except NotHereError:
        raise
    except WarpmillError as error:
        facts = {LIMITS: None} if is_limit(error) else {}
        return PointOutcome(facts=facts, problem=words_of(error))


@contextmanager
def _renewing(study: Study) -> Iterator[None]:
    """Renew claims now and then while something takes long."""
    over = threading.Event()

    def renew() -> None:
        while not over.wait(RENEWAL_S):
            study.renew()

    thread = threading.Thread(target=renew, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
