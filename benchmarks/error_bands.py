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
from dataclasses import asdict, dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from warpmill.analyzer.base.metric import Metric, derived
from warpmill.benchmarks.benchmark import Benchmark, Goal, Measured, Request, column, say
from warpmill.report.base import Part
from warpmill.report.sections import Shown, Table
from warpmill.session.error_bands import (
    COVERED,
    Calibration,
    EstimateFeatures,
    MeasuredKernel,
    MeasuredKernels,
    RawBand,
    kernels_of,
)
from warpmill.simulator.resources import TERMS

if TYPE_CHECKING:
    from warpmill.benchmarks.accuracy.model import Row
    from warpmill.benchmarks.accuracy.selecting import Chosen

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
        """The same, worked out once."""
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


@dataclass(frozen=True, slots=True)
class Trial:
    """A measured launch, and what bands the kernels that are not left out give it.

    ``weight`` makes each kernel on a GPU count once. ``is_outside``: its GPU or its time lies
    outside those measured. Errors are logarithms of predicted over measured times.
    """

    error: float
    weight: float
    distance: float
    is_outside: bool
    nearest: RawBand
    every: RawBand

    def band(self, made: Calibration) -> tuple[float, float]:
        """The ends of its band."""
        if self.is_unlike(made):
            return self.every.widened(made.all_factor)
        return self.nearest.widened(made.nearest_factor)

    def is_unlike(self, made: Calibration) -> bool:
        """Whether it is unlike all kernels that are not left out."""
        return self.is_outside or self.distance > made.farthest


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


def trials(judged: Kernels, used: Kernels, leaves: Leaves) -> list[Trial]:
    """The launches of kernels, each with the bands of those that are not left out."""
    made = cache(lambda places: MeasuredKernels(used[place] for place in places))
    found: list[Trial] = []
    for one in judged:
        others = made(tuple(n for n, other in enumerate(used) if not leaves(one, other)))
        every = others.raw_band()
        pairs = zip(one.features, one.errors, strict=True)
        found += [_trial(f, e, 1 / len(one.errors), others, every) for f, e in pairs]
    return found


def _trial(
    features: EstimateFeatures, error: float, weight: float, others: MeasuredKernels, every: RawBand
) -> Trial:
    distances = others.distances(features)
    is_outside = bool(others.why_unlike(features, distances, np.inf))
    nearest = others.raw_band(distances)
    return Trial(float(np.log1p(error)), weight, float(distances.min()), is_outside, nearest, every)


def calibration(used: Kernels) -> Calibration:
    """What bands are widened by, and from where on an estimate is unlike all kernels.

    Each launch is judged by the kernels that are not its own.
    """
    tried = trials(used, used, is_same)
    inside = [one for one in tried if not one.is_outside]
    values, weights = np.array(sorted((one.distance, one.weight) for one in inside)).T
    farthest = float(values[np.searchsorted(np.cumsum(weights), LIKE * weights.sum())])
    like = [one for one in inside if one.distance <= farthest]
    return Calibration(
        nearest_factor=_factor(like, [one.nearest for one in like]),
        all_factor=_factor(tried, [one.every for one in tried]),
        farthest=farthest,
    )


def _factor(tried: Sequence[Trial], raw: Sequence[RawBand]) -> float:
    """The least factor with which bands hold ``COVERED`` of the times."""
    for factor in FACTORS:
        if _inside(tried, [one.widened(float(factor)) for one in raw]) >= COVERED:
            return float(factor)
    raise ValueError(f"bands that are {FACTORS[-1]:.1f} times as wide hold too few times")


def _inside(tried: Sequence[Trial], ends: Sequence[tuple[float, float]]) -> float:
    pairs = list(zip(tried, ends, strict=True))
    return _mean(tried, [low <= one.error <= high for one, (low, high) in pairs])


def _mean(tried: Sequence[Trial], values: Iterable[float]) -> float:
    return float(np.average(list(values), weights=[one.weight for one in tried]))


def coverages(kernels: Kernels, made: Calibration) -> tuple[Coverage, ...]:
    """How well bands hold, for kernels that widths follow from and for those put aside."""
    used, aside = parted(kernels)
    beside = "the same, other kernels on their GPU left out"
    return (
        _coverage("kernels that widths follow from", used, trials(used, used, is_same), made),
        _coverage(beside, used, trials(used, used, is_same_or_beside), made),
        _coverage("kernels put aside", aside, trials(aside, used, is_same), made),
    )


def _coverage(name: str, judged: Kernels, tried: Sequence[Trial], made: Calibration) -> Coverage:
    ends = [one.band(made) for one in tried]
    every = [one.every.widened(made.all_factor) for one in tried]
    return Coverage(
        name=name,
        kernels=len(judged),
        rows=len(tried),
        covered=_inside(tried, ends),
        factor=float(np.exp(_mean(tried, [high - low for low, high in ends]))),
        unlike=_mean(tried, [one.is_unlike(made) for one in tried]),
        all_covered=_inside(tried, every),
        all_factor=float(np.exp(_mean(tried, [high - low for low, high in every]))),
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
    from warpmill.benchmarks.accuracy.measuring import DATASETS, cases_of, predicted  # noqa: PLC0415 - slow
    from warpmill.benchmarks.accuracy.model import FOLDER, tables_of  # noqa: PLC0415 - as above
    from warpmill.benchmarks.accuracy.selecting import choose  # noqa: PLC0415 - as above

    folder = request.data or FOLDER
    cases = {name: cases_of(folder, name) for name in DATASETS}
    every = [case for own in cases.values() for case in own]
    chosen = few_of_each(choose(every), 1 if request.quick else ROWS)
    say(f"{len(chosen)} rows of {len(every)}")
    found = predicted("estimate", chosen, request)
    missing = tuple(name for name, own in cases.items() if not own)
    return ErrorBands(tables=tables_of(folder), missing=missing, kernels=by_kernel(found))


def few_of_each(chosen: Iterable[Chosen], rows: int) -> list[Chosen]:
    """Choose rows of each kernel on a GPU, from all orders of time; none of what is apart."""
    from warpmill.benchmarks.accuracy.selecting import APART, one_of_each  # noqa: PLC0415 - slow

    groups: dict[tuple[str, str, str], list[Chosen]] = {}
    for one in chosen:
        if one.has_error and one.case.dataset not in APART:
            groups.setdefault(one.case.group, []).append(one)
    ordered = (
        sorted(own, key=lambda c: (c.case.time_ms, c.case.row)) for _, own in sorted(groups.items())
    )
    return [one for own in ordered for one in one_of_each(own, rows)]


def by_kernel(rows: Iterable[Row]) -> tuple[KernelErrors, ...]:
    """The errors and features of rows with a prediction, by data set, kernel and GPU."""
    found: dict[tuple[str, str, str], list[Row]] = {}
    for row in rows:
        if row.prediction is not None:
            found.setdefault(row.case.group, []).append(row)
    return tuple(
        KernelErrors(
            dataset=dataset,
            kernel=kernel,
            gpu=gpu.replace("_", " "),
            capability=own[0].prediction.features["capability"] if own[0].prediction else None,
            rows=tuple(map(_launch, own)),
        )
        for (dataset, gpu, kernel), own in found.items()
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
    data=(
        "analyzer/**/*.toml", "grammars/*.lark", "simulator/**/*.toml",
        "benchmarks/accuracy/*.toml", "benchmarks/accuracy/kernels/*.cu",
    ),
    put_aside=f"{ASIDE:.0%} of the kernels, by a seed, before bands were designed",
    files=":files",
)  # fmt: skip
