"""Whether tests notice what breaks: 200 places broken one by one, drawn by seed over all rooms.

Of each place the tests that execute its line run until one fails, at most 1,500 of them, those of
its room first; a place that none executes, as what numba compiles, is judged by the tests of its
room. A mutant that no test notices is a survivor.
"""

from __future__ import annotations

from typing import Annotated

from warpmill.analyzer.base.metric import Metric, derived
from warpmill.benchmarks.benchmark import Benchmark, Goal
from warpmill.report.base import Part
from warpmill.report.sections import Items, Table


class Mutant(Part):
    """A place that was broken: what stood there, what stood there instead, who noticed.

    ``by`` is the test that failed, "" where none did; ``tests`` are those that ran for it at most,
    0 where no test executes its line as Python and those of its room ran.
    """

    room: Annotated[str, Metric("room")]
    place: Annotated[str, Metric("place")]
    before: Annotated[str, Metric("before")]
    after: Annotated[str, Metric("after")]
    by: Annotated[str, Metric("noticed by")]
    tests: Annotated[int, Metric("tests")]
    seconds: Annotated[float, Metric("time", "s")]

    @property
    def is_seen(self) -> bool:
        """Whether a test noticed it."""
        return bool(self.by)


class RoomSums(Part):
    """The mutants of a room."""

    room: Annotated[str, Metric("room")]
    mutants: Annotated[int, Metric("mutants")]
    seen: Annotated[int, Metric("seen")]
    share: Annotated[float, Metric("share", "%")]


class MutantsResult(Part):
    """All mutants, in the order of their places; tests that are ``failing`` unbroken judge none."""

    seed: Annotated[int, Metric("seed")]
    failing: Annotated[tuple[str, ...], Metric("tests that fail unbroken")] = ()
    mutants: tuple[Mutant, ...]

    @derived("mutants seen, %")
    def seen(self) -> float | None:
        """None without mutants."""
        number = len(self.mutants)
        return 100 * sum(one.is_seen for one in self.mutants) / number if number else None

    @derived("rooms")
    def rooms(self) -> tuple[RoomSums, ...]:
        """The rooms, those of which least is seen first."""
        found = []
        for room in dict.fromkeys(one.room for one in self.mutants):
            own = [one.is_seen for one in self.mutants if one.room == room]
            share = sum(own) / len(own)
            found.append(RoomSums(room=room, mutants=len(own), seen=sum(own), share=share))
        return tuple(sorted(found, key=lambda one: (one.share, one.room)))


BENCHMARK: Benchmark[MutantsResult] = Benchmark(
    name="mutants",
    about="Whether tests notice what breaks: 200 places broken one by one, by seed.",
    takes="2 hours",
    result=":MutantsResult",
    measure="running:measure",
    parts="rooms",
    goals=(Goal("seen", 90.0, at_least=True),),
    sections=(
        Table("Rooms", "rooms", ("room", "mutants", "seen", "share")),
        Table(
            "Not seen",
            "mutants",
            ("room", "place", "before", "after", "tests"),
            left=(0, 1, 2, 3),
            wrap=(2, 3),
            chosen=lambda one: not one.is_seen,
        ),
        Items("Tests that fail unbroken", "failing"),
    ),
    data=("analyzer/**/*.py", "executor/**/*.py", "codegen/**/*.py", "simulator/**/*.py",
          "warpmill/**/*.py", "tests/**/*.py"),
)  # fmt: skip
