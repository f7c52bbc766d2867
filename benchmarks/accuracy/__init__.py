"""How near predicted times are to those that others measured on real GPUs: one result an engine.

Kernels are compiled from ``kernels`` by what is on the PATH and in the folders that WARPMILL_CUDA
lists; ``--data`` is a folder of measured tables, without it those that the project carries are
taken. Errors are in percent of the measured time. Of a data set of over 300 rows 300 are taken for
errors, of a tuned space of over 1,000 1,000 are ranked, always the same ones; 60 of a data set are
simulated, at most ten million warp instructions of each. Data sets that models are calibrated with
stand apart. Rows are kept in the study store, each data set in the result as soon as it is done.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Annotated, Any

from warpmill.analyzer.base.metric import Metric, derived
from warpmill.benchmarks.accuracy.selecting import APART, SEED, TUNED, Amount
from warpmill.benchmarks.benchmark import Benchmark, Goal, column, mean, put_aside
from warpmill.report.base import Part
from warpmill.report.sections import Shown, Table


class Group(Part):
    """The rows of one kernel on one GPU; errors are in percent.

    ``mape``, ``median`` and ``p90`` are of absolute errors, ``bias`` is the mean error; ``rows`` is
    how many have one, ``problems`` counts those without a prediction, and ``reasons`` says why.
    ``instruction_errors`` are of the rows that a profiler has counted instructions of.
    ``points`` are measured and predicted times in ms, and whether the error counts.
    """

    dataset: Annotated[str, Metric("data set")]
    gpu: Annotated[str, Metric("GPU")]
    kernel: Annotated[str, Metric("kernel")]
    rows: Annotated[int, Metric("rows")]
    predicted: int
    problems: int
    mape: Annotated[float | None, Metric("MAPE")]
    median: Annotated[float | None, Metric("median")]
    p90: Annotated[float | None, Metric("90 %")]
    bias: Annotated[float | None, Metric("bias")]
    ranked: Annotated[int, Metric("configurations")]
    kendall_tau: Annotated[float | None, Metric("τ")]
    best_pick_slowdown: Annotated[float | None, Metric("pick")]
    compilers: Annotated[tuple[str, ...], Metric("code")]
    registers: Annotated[tuple[str, ...], Metric("registers")]
    seconds_a_row: Annotated[float | None, Metric("s a row")]
    instruction_errors: tuple[float, ...]
    reasons: Mapping[str, int]
    points: tuple[tuple[float, float, bool], ...]

    @property
    def apart(self) -> bool:
        """Whether models are calibrated with it."""
        return self.dataset in APART

    @property
    def card(self) -> str:
        """The GPU in words."""
        return self.gpu.replace("_", " ")

    @property
    def name(self) -> str:
        """The kernel, on whatever GPU."""
        return f"{self.dataset}/{self.kernel}"


class Continued(Part):
    """What continuing rounds in a line changes of a launch; ``error`` in percent of it in full."""

    dataset: Annotated[str, Metric("data set")]
    gpu: Annotated[str, Metric("GPU")]
    kernel: Annotated[str, Metric("kernel")]
    config: Annotated[str, Metric("configuration")]
    share: Annotated[float, Metric("simulated", "%")]
    ms: float
    full_ms: float | None
    error: Annotated[float | None, Metric("error of continuing")]
    problem: Annotated[str, Metric("problem")]


class DatasetAccuracy(Part):
    """A data set; ``simulated_too``: the estimates of rows that are simulated as well."""

    groups: tuple[Group, ...]
    simulated_too: tuple[Group, ...] = ()
    extrapolation: tuple[Continued, ...] = ()


class Sum(Part):
    """Some groups together: ``mape`` is the mean over them.

    The worst rank correlation and pick are of the spaces in ``TUNED``.
    """

    what: Annotated[str, Metric("kernels")]
    mape: Annotated[float | None, Metric("mean error, %")]
    kendall_tau_min: Annotated[float | None, Metric("worst rank correlation")]
    best_pick_slowdown_max: Annotated[float | None, Metric("worst pick")]
    warp_inst_error_median: Annotated[float | None, Metric("instructions off by, median, %")]
    groups: Annotated[int, Metric("kernels on GPUs")]
    rows: Annotated[int, Metric("rows")]
    problems: Annotated[int, Metric("without a prediction")]


class DatasetSum(Part):
    """What of a data set is compared."""

    dataset: Annotated[str, Metric("data set")]
    gpus: Annotated[str, Metric("GPUs")]
    kernels: Annotated[int, Metric("kernels")]
    rows: Annotated[int, Metric("rows with errors")]
    mape: Annotated[float | None, Metric("mean error, %")]
    apart: Annotated[bool, Metric("apart")]


class Without(Part):
    """How many rows of a kernel have no prediction for a reason."""

    dataset: Annotated[str, Metric("data set")]
    gpu: Annotated[str, Metric("GPU")]
    kernel: Annotated[str, Metric("kernel")]
    rows: Annotated[int, Metric("rows")]
    reason: Annotated[str, Metric("why")]


class Accuracy(Part):
    """All data sets by name, as an engine predicts them; ``tables`` are hashes of those read."""

    engine: str
    tables: Mapping[str, str]
    parts: Mapping[str, DatasetAccuracy]

    @property
    def groups(self) -> tuple[Group, ...]:
        """All kernels on GPUs."""
        return tuple(one for part in self.parts.values() for one in part.groups)

    @property
    def headline(self) -> tuple[Group, ...]:
        """Those that count in overall figures."""
        return tuple(one for one in self.groups if not one.apart)

    @property
    def calibrated(self) -> tuple[Group, ...]:
        """Those that models are calibrated with."""
        return tuple(one for one in self.groups if one.apart)

    @property
    def missing(self) -> tuple[str, ...]:
        """Data sets whose tables are not there."""
        return tuple(name for name, part in self.parts.items() if not part.groups)

    @property
    def put_aside(self) -> frozenset[str]:
        """Kernels that no work on the models looks at, on all their GPUs."""
        return put_aside({one.name for one in self.headline}, SEED)

    @property
    def whole(self) -> Sum:
        """All kernels together."""
        return summed("all", self.headline)

    @property
    def aside(self) -> Sum:
        """Kernels put aside together."""
        return summed("put aside", [one for one in self.headline if one.name in self.put_aside])

    @derived("sums")
    def sums(self) -> tuple[Sum, ...]:
        """All, those put aside and the others; of estimates those of rows that are simulated."""
        others = [one for one in self.headline if one.name not in self.put_aside]
        too = [one for part in self.parts.values() for one in part.simulated_too]
        found = (self.whole, self.aside, summed("the others", others))
        return (*found, summed("rows that are simulated too", too)) if too else found

    @derived("data sets")
    def datasets(self) -> tuple[DatasetSum, ...]:
        """What was compared."""
        return tuple(
            DatasetSum(
                dataset=name,
                gpus=", ".join(sorted({one.card for one in part.groups})),
                kernels=len({one.kernel for one in part.groups}),
                rows=sum(one.rows for one in part.groups),
                mape=mean(one.mape for one in part.groups),
                apart=name in APART,
            )
            for name, part in self.parts.items()
            if part.groups
        )

    @property
    def rankings(self) -> tuple[Group, ...]:
        """Tuned spaces."""
        return tuple(one for one in self.groups if one.dataset in TUNED)

    @property
    def extrapolation(self) -> tuple[Continued, ...]:
        """Launches that were simulated in full as well."""
        return tuple(one for part in self.parts.values() for one in part.extrapolation)

    @property
    def without(self) -> tuple[Without, ...]:
        """Why rows have no prediction, the most first."""
        found = [
            Without(dataset=one.dataset, gpu=one.card, kernel=one.kernel, rows=n, reason=reason)
            for one in self.groups
            for reason, n in one.reasons.items()
        ]
        return tuple(sorted(found, key=lambda one: -one.rows))


def summed(what: str, groups: Sequence[Group]) -> Sum:
    """Groups together."""
    tuned = [one for one in groups if one.dataset in TUNED]
    correlations = [one.kendall_tau for one in tuned if one.kendall_tau is not None]
    picks = [one.best_pick_slowdown for one in tuned if one.best_pick_slowdown is not None]
    instructions = [error for one in groups for error in one.instruction_errors]
    return Sum(
        what=what,
        mape=mean(one.mape for one in groups),
        kendall_tau_min=min(correlations, default=None),
        best_pick_slowdown_max=max(picks, default=None),
        warp_inst_error_median=median(instructions) if instructions else None,
        groups=len(groups),
        rows=sum(one.rows for one in groups),
        problems=sum(one.problems for one in groups),
    )


def worst_first(one: Group) -> float:
    """What kernels are ordered by, the greatest first: those without any error, then theirs."""
    return float("inf") if one.mape is None else one.mape


def values(result: Accuracy) -> dict[str, Any]:
    """What the template says beside tables."""
    from warpmill.benchmarks.accuracy.predicting import MOST_INSTRUCTIONS  # noqa: PLC0415 - slow to load

    other = {"estimate": "simulate", "simulate": "estimate"}
    return {
        "other": other[result.engine],
        "amount": Amount(),
        "tuned": TUNED,
        "most_instructions": MOST_INSTRUCTIONS,
        "aside": sorted(result.put_aside),
        "compilers": sorted({name for one in result.groups for name in one.compilers}),
    }


ERROR, TWO, SIGNED = "{:.1f}", "{:.2f}", "{:+.1f}"
_CARD = Shown("card", "GPU")
_MEASURES = (
    "dataset", _CARD, "kernel", "rows", column("mape", form=ERROR), column("median", form=ERROR),
    column("p90", form=ERROR), column("bias", form=SIGNED), column("kendall_tau", form=TWO),
    column("best_pick_slowdown", form=TWO), column("seconds_a_row", form=TWO),
)  # fmt: skip
KERNELS = Table("By kernel", "headline", _MEASURES, left=(0, 1, 2), order=worst_first)
WITHOUT = Table("Without a prediction", "without", ("dataset", "gpu", "kernel", "rows", "reason"),
                left=(0, 1, 2, 4), wrap=(4,))  # fmt: skip
SECTIONS = (
    Table("Overall", "sums",
          ("what", column("mape", form=ERROR), column("kendall_tau_min", form=TWO),
           column("best_pick_slowdown_max", form=TWO), column("warp_inst_error_median", form=TWO),
           "groups", "rows", "problems")),
    Table("Data sets", "datasets",
          ("dataset", "gpus", "kernels", "rows", column("mape", form=ERROR), "apart"),
          left=(0, 1), wrap=(1,)),
    KERNELS,
    WITHOUT,
    Table("Beside launches in full", "extrapolation",
          ("dataset", "gpu", "kernel", "config", "share", column("error", form=SIGNED + " %"),
           "problem"), left=(0, 1, 2, 3, 6), wrap=(3,)),
    Table("Rankings", "rankings",
          ("dataset", _CARD, "ranked", column("kendall_tau", form=TWO),
           column("best_pick_slowdown", form=TWO)), left=(0, 1)),
    Table("What models are calibrated with", "calibrated", _MEASURES, left=(0, 1, 2),
          order=worst_first),
)  # fmt: skip


DATA = (
    "analyzer/**/*.toml", "grammars/*.lark", "simulator/**/*.toml", "benchmarks/accuracy/*.toml",
    "benchmarks/accuracy/kernels/*.cu",
)  # fmt: skip
"""Files of data that measuring depends on."""


def _benchmark(engine: str, takes: str) -> Benchmark[Accuracy]:
    return Benchmark(
        name=f"accuracy-{engine}",
        about=f"Times that warpmill {engine} predicts beside those measured on real GPUs.",
        takes=takes,
        folder="accuracy",
        result=":Accuracy",
        measure=f"measuring:measure_{engine}",
        parts="data sets",
        sections=SECTIONS,
        goals=(
            Goal("whole.mape", 17.0, what="mean error, %"),
            Goal("aside.mape", 17.0, what="mean error, kernels put aside, %"),
            Goal("whole.kendall_tau_min", 0.8, at_least=True),
            Goal("whole.best_pick_slowdown_max", 1.1),
            Goal("whole.warp_inst_error_median", 10.0),
        ),
        data=DATA,
        put_aside="A third of the kernels is put aside by a seed, from November 2026 on: earlier "
                  "work on the models has seen it.",
        values=":values",
        draw="pictures:draw",
    )  # fmt: skip


BENCHMARKS = (_benchmark("estimate", "an hour"), _benchmark("simulate", "2 hours"))
