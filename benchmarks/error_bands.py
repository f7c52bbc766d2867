"""Error bands of estimates: whether they hold for kernels that they do not rest on.

Rows are those of ``benchmarks.accuracy`` that errors are taken of, without the data sets that
models are calibrated with: of each kernel on a GPU at most ``ROWS``, from all orders of time.
A quarter of the kernels is put aside by a seed; widths of bands follow from the others alone.
A kernel that is left out is left out on all GPUs, and each kernel on a GPU counts the same.
``--docs`` writes the file that the product reads, ``docs/validation.md`` shows the tables.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass
from functools import cache, cached_property
from typing import Annotated, Any

import numpy as np

from warpmill.analyzer.base.metric import Metric, derived
from warpmill.benchmarks.accuracy import DATA
from warpmill.benchmarks.accuracy.model import FOLDER, Case, Row, tables_of
from warpmill.benchmarks.accuracy.selecting import APART, choose, grouped, one_of_each
from warpmill.benchmarks.benchmark import Benchmark, Goal, Measured, Request, column, say
from warpmill.report.base import Part
from warpmill.report.sections import Shown, Table
from warpmill.session.error_bands import (
    COVERED,
    Calibration,
    MeasuredKernel,
    MeasuredKernels,
    RawBand,
    kernels_of,
)
from warpmill.simulator.resources import TERMS

WRITTEN = "warpmill/session/error_bands.json"
ROWS = 12
"""Rows of a kernel on a GPU, at most."""
DIGITS = 4
"""Decimals of errors and shares that are kept."""
LEAST_SHARE = 0.005
"""A cause with less of the time than that is left out of the file."""
SEED, ASIDE = 2026, 0.25
"""Which kernels are put aside, and how many of all."""
LIKE = 0.95
"""Measured launches that are like another kernel, of all."""
FACTORS = np.arange(0.5, 4.0, 0.005)
"""What bands may be widened by."""

Kernels = Sequence[MeasuredKernel]
Leaves = Callable[[MeasuredKernel, MeasuredKernel], bool]
"""Whether a kernel is left out of what the band of another rests on."""


class Launch(Part):
    """A measured launch: its error, its estimated time, and shares of that by causes' keys."""

    error: Annotated[float, Metric("error", "%")]
    time_us: Annotated[float, Metric("time", "µs")]
    shares: Mapping[str, float]

    @property
    def rounded(self) -> dict[str, Any]:
        """What the product's file has of it."""
        shares = {cause: round(share, 3) for cause, share in self.shares.items()}
        shares = {cause: share for cause, share in shares.items() if share >= LEAST_SHARE}
        return {"error": round(self.error, 3), "time_us": self.time_us, "shares": shares}


class KernelErrors(Part):
    """A kernel on a GPU, with launches that were measured."""

    dataset: Annotated[str, Metric("data set")]
    kernel: Annotated[str, Metric("kernel")]
    gpu: Annotated[str, Metric("GPU")]
    capability: int | None
    rows: tuple[Launch, ...]


class Coverage(Part):
    """Whether bands hold for some kernels on GPUs; factors are of high ends over low ends."""

    name: Annotated[str, Metric("left out and judged")]
    kernels: Annotated[int, Metric("kernels on GPUs")]
    rows: Annotated[int, Metric("times")]
    covered: Annotated[float, Metric("inside", "%")]
    factor: Annotated[float, Metric("high over low end")]
    unlike: Annotated[float, Metric("unlike", "%")]
    all_covered: Annotated[float, Metric("inside the band of all", "%")]
    all_factor: Annotated[float, Metric("its high over low end")]


class BoundErrors(Part):
    """Errors of the kernels that one cause leads in: percentiles, as shares of measured times."""

    bound: Annotated[str, Metric("bound")]
    kernels: Annotated[int, Metric("kernels on GPUs")]
    low: Annotated[float, Metric("10th percentile")]
    middle: Annotated[float, Metric("median")]
    high: Annotated[float, Metric("90th")]


class ErrorBands(Part):
    """Errors of estimates by kernel on a GPU; ``tables`` are hashes of the tables read."""

    tables: Mapping[str, str]
    missing: tuple[str, ...]
    kernels: tuple[KernelErrors, ...]

    @cached_property
    def contents(self) -> list[dict[str, Any]]:
        """The kernels as the product's file has them."""
        return [
            {**one.flat(but=("rows",)), "rows": [row.rounded for row in one.rows]}
            for one in self.kernels
        ]

    @cached_property
    def measured(self) -> Kernels:
        """The kernels that bands are made of."""
        return kernels_of({"kernels": self.contents})

    @cached_property
    def calibration(self) -> Calibration:
        """That of the kernels which are not put aside."""
        made = asdict(calibration(parted(self.measured)[0]))
        return Calibration(**{key: round(value, 3) for key, value in made.items()})

    @cached_property
    def coverages(self) -> tuple[Coverage, ...]:
        """Whether bands hold: the last is of the kernels put aside."""
        return coverages(self.measured, self.calibration)

    @derived("coverage")
    def coverage(self) -> tuple[Coverage, ...]:
        """The same, for tables."""
        return self.coverages

    @derived("measured times inside their bands, kernels put aside, %")
    def put_aside(self) -> float:
        """In percent of their times."""
        return 100 * self.coverages[-1].covered

    @derived("errors by bound")
    def bounds(self) -> tuple[BoundErrors, ...]:
        """Errors by the cause that leads in most launches of a kernel, of most kernels first."""
        found: dict[str, list[MeasuredKernel]] = {}
        for one in self.measured:
            leading = Counter(sorted(features.bound for features in one.features))
            found.setdefault(leading.most_common(1)[0][0], []).append(one)
        order = sorted(found.items(), key=lambda pair: (-len(pair[1]), pair[0]))
        return tuple(_of_bound(bound, own) for bound, own in order)


def _of_bound(bound: str, own: Kernels) -> BoundErrors:
    raw = MeasuredKernels(own).raw_band()
    low, middle, high = (float(np.expm1(end)) for end in (raw.low, raw.middle, raw.high))
    return BoundErrors(bound=TERMS[bound], kernels=len(own), low=low, middle=middle, high=high)


# ------------------------------------------------------------------------- whether bands hold


@dataclass(frozen=True)
class Trials:
    """Measured launches as arrays, with the bands that kernels which are not left out give each.

    ``weight`` makes each kernel on a GPU count once. ``is_outside``: its GPU or its time lies
    outside those measured. Errors are logarithms of predicted over measured times; bands are raw,
    of the nearest kernels and of all.
    """

    error: Any
    weight: Any
    distance: Any
    is_outside: Any
    nearest: RawBand
    every: RawBand

    def is_unlike(self, made: Calibration) -> Any:
        """Which are unlike all kernels that are not left out."""
        return self.is_outside | (self.distance > made.farthest)

    def bands(self, made: Calibration) -> Any:
        """The low and the high ends of their bands."""
        nearest = self.nearest.widened(made.nearest_factor)
        return np.where(self.is_unlike(made), self.every.widened(made.all_factor), nearest)

    def inside(self, ends: Any) -> Any:
        """Whether errors lie between low and high ends."""
        return (ends[0] <= self.error) & (self.error <= ends[1])

    def mean(self, values: Any) -> float:
        """A mean over kernels on GPUs."""
        return float(np.average(values, weights=self.weight))

    def least_factor(self, raw: RawBand, among: Any) -> float:
        """The least factor with which bands hold ``COVERED`` of the times among some."""
        for factor in FACTORS:
            is_inside = self.inside(raw.widened(float(factor)))
            if np.average(is_inside[among], weights=self.weight[among]) >= COVERED:
                return float(factor)
        raise ValueError(f"bands that are {FACTORS[-1]:.1f} times as wide hold too few times")


def is_same(one: MeasuredKernel, other: MeasuredKernel) -> bool:
    """Whether two are the same kernel, be it on another GPU."""
    return (one.dataset, one.kernel) == (other.dataset, other.kernel)


def is_same_or_beside(one: MeasuredKernel, other: MeasuredKernel) -> bool:
    """Whether two are the same kernel, or on the same GPU."""
    return is_same(one, other) or one.gpu == other.gpu


def parted(kernels: Kernels) -> tuple[list[MeasuredKernel], list[MeasuredKernel]]:
    """Kernels that widths of bands follow from, and those put aside; on all their GPUs."""
    names = sorted({(one.dataset, one.kernel) for one in kernels})
    drawn = np.random.default_rng(SEED).choice(len(names), round(ASIDE * len(names)), replace=False)
    aside = {names[place] for place in drawn}
    used = [one for one in kernels if (one.dataset, one.kernel) not in aside]
    return used, [one for one in kernels if (one.dataset, one.kernel) in aside]


def trials(judged: Kernels, used: Kernels, leaves: Leaves) -> Trials:
    """The launches of kernels, each with the bands of those that are not left out."""
    made = cache(lambda places: MeasuredKernels(used[place] for place in places))
    rows, nearest, every = [], [], []
    for one in judged:
        others = made(tuple(n for n, other in enumerate(used) if not leaves(one, other)))
        every += [astuple(others.raw_band())] * len(one.errors)
        for features, error in zip(one.features, one.errors, strict=True):
            distances = others.distances(features)
            is_outside = bool(others.why_unlike(features, distances, np.inf))
            rows.append((np.log1p(error), 1 / len(one.errors), distances.min(), is_outside))
            nearest.append(astuple(others.raw_band(distances)))
    errors, weights, least, outside = np.array(rows).T
    bands = (RawBand(*np.array(raw).T) for raw in (nearest, every))
    return Trials(errors, weights, least, outside.astype(bool), *bands)


def calibration(used: Kernels) -> Calibration:
    """What bands are widened by, and from where on an estimate is unlike all kernels.

    Each launch is judged by the kernels that are not its own.
    """
    tried = trials(used, used, is_same)
    inside = np.lexsort((tried.weight, tried.distance, tried.is_outside))[: sum(~tried.is_outside)]
    weights = np.cumsum(tried.weight[inside])
    farthest = float(tried.distance[inside][np.searchsorted(weights, LIKE * weights[-1])])
    return Calibration(
        nearest_factor=tried.least_factor(
            tried.nearest, ~tried.is_outside & (tried.distance <= farthest)
        ),
        all_factor=tried.least_factor(tried.every, slice(None)),
        farthest=farthest,
    )


def coverages(kernels: Kernels, made: Calibration) -> tuple[Coverage, ...]:
    """How well bands hold, for kernels that widths follow from and for those put aside."""
    used, aside = parted(kernels)
    beside = "the same, other kernels on their GPU left out"
    return (
        _coverage("kernels that widths follow from", used, trials(used, used, is_same), made),
        _coverage(beside, used, trials(used, used, is_same_or_beside), made),
        _coverage("kernels put aside", aside, trials(aside, used, is_same), made),
    )


def _coverage(name: str, judged: Kernels, tried: Trials, made: Calibration) -> Coverage:
    ends, every = tried.bands(made), np.array(tried.every.widened(made.all_factor))
    return Coverage(
        name=name,
        kernels=len(judged),
        rows=len(tried.error),
        covered=tried.mean(tried.inside(ends)),
        factor=float(np.exp(tried.mean(ends[1] - ends[0]))),
        unlike=tried.mean(tried.is_unlike(made)),
        all_covered=tried.mean(tried.inside(every)),
        all_factor=float(np.exp(tried.mean(every[1] - every[0]))),
    )


def files(found: Measured[ErrorBands]) -> dict[str, str]:
    """The product's file: where it comes from, how bands are made, and a line for each row."""
    kernels = found.result.contents
    head = {
        "written_by": "python -m benchmarks error-bands --docs",
        "measured": found.about["date"],
        "version": found.about["version"],
        "rows": sum(len(one["rows"]) for one in kernels),
        "calibration": asdict(found.result.calibration),
        "kernels": [],
    }
    lines = ",\n".join(
        f"  {json.dumps({**one, 'rows': []})[:-2]}\n   "
        + ",\n   ".join(map(json.dumps, one["rows"]))
        + "]}"
        for one in kernels
    )
    text = json.dumps(head, indent=1).replace('"kernels": []', f'"kernels": [\n{lines}\n ]')
    return {WRITTEN: text + "\n"}


# ------------------------------------------------------------------------------- measuring


def measure(request: Request) -> ErrorBands:
    """Estimate rows of the tables in a folder again."""
    from warpmill.benchmarks.accuracy.cases import DATASETS, cases_of  # noqa: PLC0415 - slow to load
    from warpmill.benchmarks.accuracy.measuring import predicted  # noqa: PLC0415 - as above

    folder = request.data or FOLDER
    cases = {name: cases_of(folder, name) for name in DATASETS}
    every = [case for own in cases.values() for case in own]
    chosen = few_of_each(choose(every), 1 if request.quick else ROWS)
    say(f"{len(chosen)} rows of {len(every)}")
    found = predicted("estimate", chosen, request)
    missing = tuple(name for name, own in cases.items() if not own)
    return ErrorBands(tables=tables_of(folder), missing=missing, kernels=by_kernel(found))


def few_of_each(chosen: Iterable[Case], rows: int) -> list[Case]:
    """Choose rows of each kernel on a GPU, from all orders of time; none of what is apart."""
    wanted = sorted(
        (case for case in chosen if case.has_error and case.dataset not in APART),
        key=lambda case: (case.group, case.time_ms, case.row),
    )
    groups = grouped(wanted, lambda case: case.group).values()
    return [case for own in groups for case in one_of_each(own, rows)]


def by_kernel(rows: Iterable[Row]) -> tuple[KernelErrors, ...]:
    """The errors and features of rows with a prediction, by data set, kernel and GPU."""
    known = [row for row in rows if row.prediction is not None]
    return tuple(
        KernelErrors(
            dataset=dataset,
            kernel=kernel,
            gpu=gpu.replace("_", " "),
            capability=own[0].prediction.features["capability"] if own[0].prediction else None,
            rows=tuple(map(_launch, own)),
        )
        for (dataset, gpu, kernel), own in grouped(known, lambda row: row.case.group).items()
    )


def _launch(row: Row) -> Launch:
    """What is kept of a row: of times one digit, which is all that bands ask for."""
    assert row.prediction is not None and row.error is not None
    features = row.prediction.features
    shares = {cause: round(share, DIGITS) for cause, share in features["shares"].items()}
    return Launch(
        error=round(row.error / 100, DIGITS),
        time_us=float(f"{features['time_us']:.1g}"),
        shares={cause: share for cause, share in shares.items() if share},
    )


SIGNED, FACTOR = "{:+.1%}", "{:.2f}"
COVERAGE = Table(
    "Whether bands hold", "coverage",
    ("name", "kernels", "rows", "covered", column("factor", form=FACTOR), "unlike", "all_covered",
     column("all_factor", form=FACTOR)),
)  # fmt: skip
BOUNDS = Table(
    "Errors by bound", "bounds",
    ("bound", "kernels", *(column(one, form=SIGNED) for one in ("low", "middle", "high"))),
    top=99,
)  # fmt: skip
BENCHMARK: Benchmark[ErrorBands] = Benchmark(
    name="error-bands",
    about="Whether error bands of estimates hold for measured kernels that they do not rest on.",
    takes="half an hour",
    result=":ErrorBands",
    measure=":measure",
    sections=(
        COVERAGE,
        BOUNDS,
        Table("Kernels", "kernels",
              ("dataset", "kernel", "gpu", Shown("rows", "times", len),
               Shown("rows", "median error", lambda rows: SIGNED.format(
                   np.median([row.error for row in rows])))),
              left=(0, 1, 2), top=999),
    ),
    goals=(Goal("put_aside", 100 * COVERED, at_least=True),),
    data=DATA,
    put_aside=f"{ASIDE:.0%} of the kernels, by a seed, before bands were designed",
    files=":files",
)  # fmt: skip
