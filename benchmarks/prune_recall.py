"""Whether keeping what estimates find fastest keeps the configuration that is fastest in truth.

Three tuned kernels of Kernel Tuner's tables, measured on an RTX A4000. Of each table configurations
are drawn by a fixed seed, and the best measured one of all is taken as well. They are estimated as
``accuracy-estimate`` does, ordered and pruned as ``warpmill.triton.prune`` orders and prunes.
``--quick`` draws few.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import numpy as np

from warpmill.analyzer.base.metric import Metric, derived
from warpmill.benchmarks.accuracy import DATA
from warpmill.benchmarks.accuracy.selecting import SEED, TUNED
from warpmill.benchmarks.benchmark import Benchmark, Goal, Request, column, say
from warpmill.doors.launching import fastest_first, number_kept
from warpmill.report.base import Part
from warpmill.report.sections import Table

KEPT = 0.05
"""Share of the configurations that is kept."""
DRAWN, QUICK = 500, 40
"""Configurations that are drawn of a table."""


class PrunedTable(Part):
    """A table, and what is left of it where the configurations predicted fastest are kept.

    ``best_rank`` counts from 1, those without a prediction last and ties against the best.
    ``kept_best_ratio`` and ``first_ratio`` are measured times over the best measured one: of the
    best that is kept, and of the one predicted fastest.
    """

    table: Annotated[str, Metric("table")]
    configurations: Annotated[int, Metric("configurations")]
    ranked: Annotated[int, Metric("ranked")]
    without: Annotated[int, Metric("without a prediction")]
    kept: Annotated[int, Metric("kept")]
    best_rank: Annotated[int, Metric("rank of the best measured")]
    kept_best_ratio: Annotated[float, Metric("best kept, over the best", "x")]
    first_ratio: Annotated[float, Metric("predicted fastest, over the best", "x")]

    @derived("rank, of those ranked", "%")
    def best_percent(self) -> float:
        """Where the best measured configuration stands."""
        return 100 * self.best_rank / self.ranked

    @derived("best is kept")
    def is_best_kept(self) -> bool:
        """Whether the best measured configuration is among those kept."""
        return self.best_rank <= self.kept


class PruneRecallResult(Part):
    """All tables."""

    tables: tuple[PrunedTable, ...]

    @derived("tables whose best configuration is in the 5 % predicted fastest, of all")
    def prune_recall(self) -> tuple[int, int]:
        """Both numbers."""
        return sum(one.is_best_kept for one in self.tables), len(self.tables)

    @derived("tables whose best configuration is pruned")
    def missing(self) -> int:
        """Of all tables."""
        return sum(not one.is_best_kept for one in self.tables)


def measure(request: Request) -> PruneRecallResult:
    """Estimate what is drawn of each table."""
    return PruneRecallResult(tables=tuple(_table(n, request) for n in request.chosen(TUNED)))


def _table(name: str, request: Request) -> PrunedTable:
    from warpmill.benchmarks.accuracy.cases import cases_of  # noqa: PLC0415 - slow to load
    from warpmill.benchmarks.accuracy.measuring import predicted  # noqa: PLC0415
    from warpmill.benchmarks.accuracy.model import FOLDER  # noqa: PLC0415
    from warpmill.benchmarks.accuracy.predicting import ESTIMATE  # noqa: PLC0415

    say(name)
    cases = [one for one in cases_of(request.data or FOLDER, name) if one.headline]
    times = [one.time_ms for one in cases]
    chosen = [cases[place] for place in drawn(times, QUICK if request.quick else DRAWN)]
    rows = predicted(ESTIMATE, chosen, request)
    pairs = [
        (row.case.time_ms, None if row.prediction is None else row.prediction.ms) for row in rows
    ]
    return pruned_table(name, len(cases), pairs)


def drawn(times: Sequence[float], count: int) -> list[int]:
    """Places that are drawn of measured times, in order, and that of the least."""
    best = int(np.argmin(times))
    if len(times) <= count:
        return list(range(len(times)))
    places = np.random.default_rng(SEED).choice(len(times), count, replace=False)
    return sorted({best, *places.tolist()})


def pruned_table(
    name: str, configurations: int, pairs: Sequence[tuple[float, float | None]]
) -> PrunedTable:
    """The figures of a table of measured times, each with the one predicted; None: none is."""
    best = min(measured for measured, _ in pairs)
    ties_against = sorted(pairs, key=lambda pair: -pair[0])  # ordering keeps what is equal in order
    ordered = [measured for measured, _ in fastest_first(ties_against, lambda pair: pair[1])]
    kept = number_kept(KEPT, len(pairs))
    return PrunedTable(
        table=name,
        configurations=configurations,
        ranked=len(pairs),
        without=sum(told is None for _, told in pairs),
        kept=kept,
        best_rank=1 + ordered.index(best),
        kept_best_ratio=min(ordered[:kept]) / best,
        first_ratio=ordered[0] / best,
    )


BENCHMARK: Benchmark[PruneRecallResult] = Benchmark(
    name="prune-recall",
    about="Whether the fastest configuration is in the 5 % that estimates find fastest.",
    takes="an hour",
    result=":PruneRecallResult",
    measure=":measure",
    parts="tables",
    sections=(
        Table("Tables", "tables",
              ("table", "configurations", "ranked", "without", "kept", "best_rank",
               column("best_percent", form="{:.1f} %"), column("kept_best_ratio", form="{:.3f}"),
               column("first_ratio", form="{:.3f}"))),
    ),
    goals=(Goal("missing", 0.0),),
    data=DATA,
)  # fmt: skip
