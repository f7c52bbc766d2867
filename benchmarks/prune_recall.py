"""Whether keeping what estimates find fastest keeps the configuration that is fastest in truth.

Three tuned kernels of Kernel Tuner's tables, measured on an RTX A4000. Predicted are those
configurations of each that ``accuracy-estimate`` has kept, a thousand drawn by a fixed seed; where
the best measured one of all is not among them it is compiled and estimated here, in the same way.
All are ordered and pruned as ``warpmill.triton.rank`` and ``prune`` do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from warpmill.analyzer.base.metric import Metric, derived
from warpmill.benchmarks.accuracy import BENCHMARKS, DATA
from warpmill.benchmarks.accuracy.selecting import TUNED
from warpmill.benchmarks.benchmark import Benchmark, Goal, Request, column, say
from warpmill.doors.launching import fastest_first, number_kept
from warpmill.report.base import Part
from warpmill.report.sections import Table

KEPT = 0.05
"""Share of the configurations that is kept."""
NEAR = 1.05
"""The most that a configuration near the best takes, in times of the best."""
Times = tuple[float, float | None]
"""The measured time of a configuration and the predicted one, ms; None: none is."""


class PrunedTable(Part):
    """A table, and what is left of it where the configurations predicted fastest are kept.

    ``best_rank`` counts from 1, those without a prediction last and ties against the best.
    ``near_best`` are all configurations that take at most ``NEAR`` times as long as the best one.
    ``kept_best_ratio`` and ``first_ratio`` are measured times over the best measured one: of the
    best that is kept, and of the one predicted fastest. ``best_ms`` and ``best_predicted_ms`` are
    the best measured time and what is predicted of it; ``is_added``: it was estimated here.
    """

    table: Annotated[str, Metric("table")]
    configurations: Annotated[int, Metric("configurations")]
    ranked: Annotated[int, Metric("ranked")]
    without: Annotated[int, Metric("without a prediction")]
    kept: Annotated[int, Metric("kept")]
    near_best: Annotated[int, Metric(f"within {NEAR - 1:.0%} of the best")]
    best_rank: Annotated[int, Metric("rank of the best measured")]
    kept_best_ratio: Annotated[float, Metric("best kept, over the best", "x")]
    first_ratio: Annotated[float, Metric("predicted fastest, over the best", "x")]
    best_ms: Annotated[float, Metric("best measured", "ms")]
    best_predicted_ms: Annotated[float | None, Metric("predicted of it", "ms")]
    is_added: Annotated[bool, Metric("estimated here")]

    @derived("rank, of those ranked", "%")
    def best_percent(self) -> float:
        """Where the best measured configuration stands."""
        return 100 * self.best_rank / self.ranked

    @derived("best is kept")
    def is_best_kept(self) -> bool:
        """Whether the best measured configuration is among those kept."""
        return self.best_rank <= self.kept


class PruneRecallResult(Part):
    """All tables, and the date and commit of the predictions that accuracy-estimate has kept."""

    tables: tuple[PrunedTable, ...]
    predicted: Annotated[str, Metric("predicted")]
    predicted_commit: Annotated[str | None, Metric("predicted at commit")]

    @derived("tables whose best configuration is in the 5 % predicted fastest, of all")
    def prune_recall(self) -> tuple[int, int]:
        """Both numbers."""
        return sum(one.is_best_kept for one in self.tables), len(self.tables)

    @derived("tables whose best configuration is pruned")
    def missing(self) -> int:
        """Of all tables."""
        return sum(not one.is_best_kept for one in self.tables)


def measure(request: Request) -> PruneRecallResult:
    """Rank what is kept of each table. SystemExit where nothing is, or what is kept is stale."""
    (accuracy,) = (one for one in BENCHMARKS if one.name == "accuracy-estimate")
    kept = accuracy.kept()
    if kept is None:
        raise SystemExit("accuracy-estimate has kept nothing: measure it first")
    if not kept.is_fresh:  # the best may have to be estimated: that is of this state of the code
        raise SystemExit("what accuracy-estimate has kept is stale: measure it first")
    tables = []
    for name in request.chosen(TUNED):
        say(name)
        points = [
            (ms, told) for one in kept.result.parts[name].groups for ms, told, _ in one.points
        ]
        without = sum(one.problems for one in kept.result.parts[name].groups)
        tables.append(_table(name, points, without, request))
    about = kept.about
    return PruneRecallResult(
        tables=tuple(tables), predicted=about["date"], predicted_commit=about.get("commit")
    )


def _table(
    name: str, points: Sequence[tuple[float, float]], without: int, request: Request
) -> PrunedTable:
    """A table of kept points; its best configuration is estimated where it is not among them."""
    from warpmill.benchmarks.accuracy.cases import cases_of  # noqa: PLC0415 - slow to load
    from warpmill.benchmarks.accuracy.measuring import predicted  # noqa: PLC0415
    from warpmill.benchmarks.accuracy.model import FOLDER  # noqa: PLC0415
    from warpmill.benchmarks.accuracy.predicting import ESTIMATE  # noqa: PLC0415

    cases = [one for one in cases_of(request.data or FOLDER, name) if one.headline]
    best = min(cases, key=lambda one: one.time_ms)
    pairs: list[Times] = [*points]
    is_added = min(ms for ms, _ in points) > (1 + ROUNDED) * best.time_ms
    if is_added:
        (row,) = predicted(ESTIMATE, [best], request)
        pairs.append((best.time_ms, None if row.prediction is None else row.prediction.ms))
    measured = [one.time_ms for one in cases]
    return pruned_table(name, measured, pairs, without, is_added=is_added)


ROUNDED = 1e-4
"""What kept times are off by at most: they have five digits."""


def pruned_table(
    name: str,
    measured: Sequence[float],
    pairs: Sequence[Times],
    without: int = 0,
    *,
    is_added: bool,
) -> PrunedTable:
    """The figures of a table: all its ``measured`` times, ms, and those that are ranked.

    ``without`` are others that would be ranked, had they a prediction.
    """
    ties_against = sorted(pairs, key=lambda pair: -pair[0])  # ordering keeps what is equal in order
    ordered = fastest_first(ties_against, lambda pair: pair[1])
    count = len(pairs) + without
    kept = ordered[: number_kept(KEPT, count)]
    best = min(pairs, key=lambda pair: pair[0])
    return PrunedTable(
        table=name,
        configurations=len(measured),
        ranked=count,
        without=count - sum(told is not None for _, told in pairs),
        kept=len(kept),
        near_best=sum(ms <= NEAR * min(measured) for ms in measured),
        best_rank=1 + ordered.index(best),
        kept_best_ratio=min(ms for ms, _ in kept) / best[0],
        first_ratio=ordered[0][0] / best[0],
        best_ms=best[0],
        best_predicted_ms=best[1],
        is_added=is_added,
    )


BENCHMARK: Benchmark[PruneRecallResult] = Benchmark(
    name="prune-recall",
    about="Whether the fastest configuration is in the 5 % that estimates find fastest.",
    takes="a minute",
    result=":PruneRecallResult",
    measure=":measure",
    parts="tables",
    sections=(
        Table("Tables", "tables",
              ("table", "configurations", "near_best", "ranked", "without", "kept", "best_rank",
               column("best_percent", form="{:.1f} %"), column("kept_best_ratio", form="{:.3f}"),
               column("first_ratio", form="{:.3f}"), "best_ms", "best_predicted_ms")),
    ),
    goals=(Goal("missing", 0.0),),
    data=(*DATA, "benchmarks/results/accuracy-estimate.json"),
)  # fmt: skip
