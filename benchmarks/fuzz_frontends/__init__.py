"""What commands make of damaged files: an answer or a clean error, and nothing else.

Files of PTX, LLVM IR, bitcode and binaries are damaged byte by byte and word by word, and read.
Well-formed PTX and LLVM IR with other statements, and launch files, recordings and saved traces
with other values and right checksums go through the commands that take them: one that reads, and
two of the others in turn. Limits are of steps, so that a case ends alike on every machine.

Mutation N of a seed is the same file on every machine. A failing case is kept below
``benchmarks/.cache/fuzz`` under its kind and number; `.small` beside it is a part of it that fails
in the same place. ``python -m benchmarks fuzz-frontends ptx seed=7`` takes other mutations.
"""

from __future__ import annotations

from typing import Annotated

from warpmill.analyzer.base.metric import Metric, derived
from warpmill.benchmarks.benchmark import Benchmark, Goal, column
from warpmill.report.base import Part
from warpmill.report.sections import Table

MUTATIONS, QUICK_MUTATIONS = 20_000, 500
"""Of each kind of file."""


class FuzzedKind(Part):
    """A kind of file: what became of its mutations. Groups of failures have the others."""

    kind: Annotated[str, Metric("files")]
    inputs: Annotated[int, Metric("inputs")]
    mutations: Annotated[int, Metric("mutations")]
    accepted: Annotated[int, Metric("accepted")]
    rejected: Annotated[int, Metric("rejected")]
    children_died: Annotated[int, Metric("LLVM gave up")]
    slowest_s: Annotated[float, Metric("slowest", "s")]
    slowest_case: Annotated[int, Metric("case")]
    most_grown_mb: Annotated[float, Metric("most memory, MB")]
    most_grown_case: Annotated[int, Metric("case")]
    mutations_per_s: Annotated[float, Metric("a second")]


class FailureGroup(Part):
    """Cases that failed alike; ``numbers`` has some of them."""

    files: Annotated[str, Metric("files")]
    kind: Annotated[str, Metric("kind")]
    place: Annotated[str, Metric("place")]
    cases: Annotated[int, Metric("cases")]
    numbers: Annotated[tuple[int, ...], Metric("some")]


class FuzzResult(Part):
    """All kinds of files, and groups of failures, the largest of each first."""

    seed: int
    kinds: tuple[FuzzedKind, ...]
    failures: tuple[FailureGroup, ...]

    @derived("damaged files that end in neither an answer nor a clean error")
    def failed(self) -> int:
        """Cases."""
        return sum(group.cases for group in self.failures)


BENCHMARK: Benchmark[FuzzResult] = Benchmark(
    name="fuzz-frontends",
    about="Whether damaged inputs end in an answer or a clean error.",
    takes="hours",
    result=":FuzzResult",
    measure="measuring:measure",
    parts="kinds of files, seed=N",
    sections=(
        Table("Damaged files", "kinds",
              ("kind", "inputs", "mutations", "accepted", "rejected", "children_died",
               column("slowest_s", form="{:.2f}"), "slowest_case",
               column("most_grown_mb", form="{:.0f}"), "most_grown_case",
               column("mutations_per_s", form="{:.1f}"))),
        Table("Failures", "failures", ("files", "kind", "place", "cases", "numbers"),
              left=(0, 1, 2), wrap=(2,)),
    ),
    goals=(Goal("failed", 0.0),),
)  # fmt: skip
