"""Points of the space simulated, and models of some judged by others that they have not seen."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from statistics import fmean
from typing import Any

import numpy as np
import numpy.typing as npt

from warpmill.benchmarks import stargazer as told
from warpmill.benchmarks.benchmark import Request, say
from warpmill.benchmarks.stargazer import (
    ADJUSTED,
    AS_PRINTED,
    BLOCKS,
    DEFAULTS,
    MOST,
    REASONABLE,
    SIZES,
    TAILED,
    TESTED,
    TRIES,
    Off,
    Workload,
)
from warpmill.exploring.backends import PointWorkers
from warpmill.exploring.exploration import explore
from warpmill.exploring.options import Sampling
from warpmill.exploring.space_file import space_called
from warpmill.exploring.workloads import ExploredWorkload
from warpmill.session.workloads import workloads
from warpmill.simulator.regression.fit import FIXED_TERMS, fit_stepwise, fit_terms, samples_of
from warpmill.simulator.regression.model import Model, words_of_term
from warpmill.simulator.regression.predict import POINT, predict, predict_space, response_curve
from warpmill.studies.places import default_store

STUDY = "benchmarks.stargazer"
NAMES = {
    "aes-128": "AES", "bfs-gpgpusim": "BFS", "cp": "CP", "lps": "LPS", "ray": "RAY", "sto": "STO",
    "backprop": "backprop", "bfs": "bfs", "hotspot": "hotspot", "nw": "nw", "matmul": "matmul",
}  # fmt: skip
"""The paper's names (Table 4), by those of the workloads here."""
FIGURES = {TAILED: "time_us", ADJUSTED: "adjusted_us"}
CURVES = ("LPS", "RAY")
"""Figure 7."""
TREES = 300
TIMED, WORKERS = "bfs-gpgpusim", 2
"""The smallest workload of more than a million warp instructions, in so many processes."""

Floats = npt.NDArray[np.float64]


def measure(request: Request) -> told.StargazerResult:
    """Measure workloads."""
    known = [name for name, one in workloads().items() if one.form.paper.stargazer is not None]
    space, store = space_called(told.SPACE), request.store or default_store()
    series = simulated(request.chosen(known), store, request.workers)
    rows = {}
    for one in series:
        say(f"models of {one.name}")
        rows[one.name] = workload_of(one)
    if TAILED in rows:
        target = f"{rows[TAILED].workload}:{told.PRESET}"
        for name, line in along_blocks(space, target, store, request.workers).items():
            along = rows[name].along
            assert along is not None
            rows[name] = replace(rows[name], along=replace(along, simulated=tuple(line)))
    traced = next((one for one in series if one.name == told.TRACED), None)
    return told.StargazerResult(
        rows=tuple(rows.values()),
        table_1=None if traced is None else first_terms(traced, *told.TRACE),
        speed=None if request.is_partial else speed(series, space),
    )


# Samples.


@dataclass(frozen=True)
class Series:
    """Samples of a workload: points, and what was measured at each (microseconds)."""

    name: str
    workload: str
    parameters: tuple[Any, ...]
    points: tuple[Any, ...]
    measured: tuple[float, ...]
    facts: Mapping[str, Any] = field(default_factory=dict)

    def only(self, places: Sequence[int]) -> tuple[list[Any], list[float]]:
        """Some of the samples, by their places."""
        return [self.points[k] for k in places], [self.measured[k] for k in places]

    def samples(self, places: Sequence[int], log2: Sequence[str] = ()) -> Any:
        """Some of them as models take them; ``log2`` are splined by their logarithms."""
        return samples_of(self.parameters, *self.only(places), log2=log2)

    def splits(self) -> Iterator[tuple[list[int], list[int]]]:
        """The places of samples to train with, and of those to test with, of each try.

        Smaller training sets are the first places of the largest one; all have the same tests.
        """
        count = len(self.points)
        for number in range(TRIES):
            places = np.random.default_rng(number).permutation(count).tolist()
            yield places[: count - TESTED], places[count - TESTED :]

    @property
    def first(self) -> list[int]:
        """The first training set."""
        return next(self.splits())[0]

    @property
    def wide(self) -> Series:
        """Those of the widest SIMD, which is no parameter of them."""
        places = [k for k, point in enumerate(self.points) if point["simd"] == told.WIDE]
        points, measured = self.only(places)
        parameters = tuple(each for each in self.parameters if each.name != "simd")
        return replace(self, parameters=parameters, points=tuple(points), measured=tuple(measured))


def simulated(names: Sequence[str], store: Any, workers: int) -> list[Series]:
    """Simulate what is not known yet; all samples. SystemExit where a point cannot be."""
    targets = [ExploredWorkload(f"{name}:{told.PRESET}") for name in names]
    space, sampling = space_called(told.SPACE), Sampling(samples=told.POINTS, seed=told.SEED)
    found = explore(space, targets, sampling, store=store, study=STUDY,
                    backend=PointWorkers(workers), told=_told)  # fmt: skip
    series = []
    for name, one in zip(names, found.workloads, strict=True):
        problems = {sample.problem for sample in one.failures}
        if problems:
            raise SystemExit(f"{name}: {'; '.join(sorted(map(str, problems)))}")
        facts = {
            "warp_instructions": round(one.measured[0].figures["warp_instructions"]),
            "launches": one.measured[0].facts["launches"],
            "simulation_s": sum(sample.seconds or 0.0 for sample in one.measured),
        }
        for own in FIGURES if NAMES[name] == TAILED else (NAMES[name],):
            points, measured = one.with_figure(FIGURES.get(own, FIGURES[TAILED]))
            parameters = space.design.parameters
            series.append(Series(own, name, parameters, tuple(points), tuple(measured), facts))
    return series


def _told(progress: Any) -> None:
    left = progress.seconds_left
    words = "" if left is None else f", about {left / 60:.0f} min left"
    say(f"{progress.over:,} of {progress.all:,} points{words}")


def along_blocks(space: Any, target: str, store: Any, workers: int) -> dict[str, list[float]]:
    """Simulate a workload along block concurrency: Figure 4's lines, as it is and adjusted."""
    found = explore(space_along_blocks(space), [ExploredWorkload(target)], Sampling(fraction=1),
                    store=store, study=f"{space.name}.blocks", told=_told,
                    backend=PointWorkers(workers))  # fmt: skip
    (one,) = found.workloads
    ordered = sorted(one.measured, key=lambda sample: sample.point["#blk"])
    return {name: [own.figures[figure] for own in ordered] for name, figure in FIGURES.items()}


def space_along_blocks(space: Any) -> Any:
    """The space in which #blk has all values of the figures, the others the base machine's."""
    values = {**{name: (value,) for name, value in DEFAULTS.items()}, "#blk": BLOCKS}
    parameters = tuple(
        replace(each, parameter=replace(each.parameter, values=values[each.name]))
        for each in space.parameters
    )
    return replace(space, name="blocks", parameters=parameters)


# Models of a series.


def workload_of(series: Series) -> Workload:
    """Judge models of a series by both thresholds, and other ways."""
    wide, has_curve = series.wide, series.name in {TAILED, ADJUSTED, *CURVES}
    return Workload(
        name=series.name,
        workload=series.workload,
        **series.facts,
        fastest_us=min(series.measured),
        slowest_us=max(series.measured),
        accuracy=accuracy(series, AS_PRINTED),
        reasonable=accuracy(series, REASONABLE),
        three_factors=off(series, of_three_factors),
        others={
            f"{kind} {size}": off(series, partial(by_other_means, kind), size)
            for size in (told.FEW, MOST) for kind in told.KINDS
        },
        terms=first_terms(series, AS_PRINTED),
        reasonable_terms=first_terms(series, REASONABLE),
        wide=first_terms(wide, AS_PRINTED, places=range(len(wide.points))),
        reasonable_wide=first_terms(wide, REASONABLE, places=range(len(wide.points))),
        along=predicted_along_blocks(series) if has_curve else None,
    )  # fmt: skip


def told_all(model: Model, samples: Any, points: Sequence[Any]) -> tuple[Any, Any, Any, int]:
    """Predict all points: their values, the ends of their intervals, how many are unknown.

    Of two values together that no sample has, a model with their interaction knows nothing. Such
    points are told by a model of those terms alone of which samples leave nothing open.
    """
    found = predict(model, points)
    lines: list[Any] = [found.values, found.low, found.high]
    if not found.known.all():
        open_ = {each.step for each in model.dropped}
        terms = [step.term for place, step in enumerate(model.steps) if place not in open_]
        safe = predict(fit_terms(samples, terms), points)
        others: list[Any] = [safe.values, safe.low, safe.high]
        lines = [np.where(found.known, *both) for both in zip(lines, others, strict=True)]
    values, low, high = lines
    return values, low, high, int((~found.known).sum())


def relative(values: Any, measured: Sequence[float]) -> Floats:
    """Relative errors in percent."""
    found: Floats = 100 * np.abs(values - np.array(measured)) / np.abs(measured)
    return found


def summed(found: Sequence[Floats]) -> dict[str, float]:
    """The mean of the tries' means, and the largest of all."""
    return {"mean": fmean(float(own.mean()) for own in found),
            "max": max(float(own.max()) for own in found)}  # fmt: skip


def accuracy(
    series: Series, threshold: float, sizes: Sequence[int] = SIZES
) -> tuple[told.Accuracy, ...]:
    """Judge models of each size."""
    return tuple(_of_size(series, threshold, size) for size in sizes)


def _of_size(series: Series, threshold: float, size: int) -> told.Accuracy:
    found, models, held, unknown = [], [], [], 0
    for train, test in series.splits():
        samples = series.samples(train[:size])
        model = fit_stepwise(samples, theta=threshold, phi=threshold)
        points, measured = series.only(test)
        values, low, high, of_these = told_all(model, samples, points)
        found.append(relative(values, measured))
        models.append(model)
        held.append(float(((low <= measured) & (measured <= high)).mean()))
        unknown += of_these
    q75, q98 = np.quantile(np.concatenate(found), (0.75, 0.98)).tolist()
    lengths = [len(term) for term in models[0].terms]
    return told.Accuracy(
        samples=size,
        **summed(found),
        q75=q75,
        q98=q98,
        unknown=unknown,
        r_squared=fmean(model.r_squared for model in models),
        parameters=lengths.count(1),
        pairs=lengths.count(2),
        held=fmean(held),
    )


def first_terms(
    series: Series, theta: float, phi: float | None = None, *, places: Sequence[int] | None = None
) -> told.Terms:
    """What each term adds to R², of a model of the first training set, or of ``places``."""
    train = series.first if places is None else places
    phi = theta if phi is None else phi
    model = fit_stepwise(series.samples(train), theta=theta, phi=phi)
    named = zip(map(words_of_term, model.terms), model.gains, strict=True)
    terms = tuple(told.Term(name=name, gain=gain) for name, gain in named)
    return told.Terms(r_squared=model.r_squared, samples=len(train), terms=terms)


def predicted_along_blocks(series: Series) -> told.Along:
    """What a model of the first training set says along block concurrency: Figures 4, 7.

    The logarithm of #blk is splined. At the five values that samples have this is the very model
    of raw values: with a constant, the four columns of either can be anything at five values.
    Between them splines of raw values swing (docs/deviations.md).
    """
    samples = series.samples(series.first, log2=("#blk",))
    model = fit_stepwise(samples, theta=AS_PRINTED, phi=AS_PRINTED)
    found = response_curve(model, "#blk", DEFAULTS, BLOCKS).prediction
    lines = {key: tuple(getattr(found, key).tolist()) for key in ("values", "low", "high")}
    return told.Along(**lines)


# Other ways to tell unseen points from samples: three fixed terms, and scikit-learn's.

Way = Callable[[Series, Sequence[int], Sequence[int]], Floats]
"""Tells the samples at some places, of those at others."""


def off(series: Series, way: Way, size: int = MOST) -> Off:
    """Judge a way by the same tests, with so many samples."""
    return Off(**summed([
        relative(way(series, train[:size], test), series.only(test)[1])
        for train, test in series.splits()
    ]))  # fmt: skip


def of_three_factors(series: Series, train: Sequence[int], test: Sequence[int]) -> Floats:
    """The fixed model of §7.4: Figure 6."""
    return predict(fit_terms(series.samples(train), FIXED_TERMS), series.only(test)[0]).values


def by_other_means(kind: str, series: Series, train: Sequence[int], test: Sequence[int]) -> Floats:
    """A model of scikit-learn."""
    names = [each.name for each in series.parameters]
    table = np.array([[float(point[name]) for name in names] for point in series.points])
    model = _made(kind, len(names))
    with warnings.catch_warnings():
        # lengths of parameters that do not matter grow to their bound, as they should
        warnings.filterwarnings("ignore", message="The optimal value found for dimension")
        found: Floats = model.fit(table[train], series.only(train)[1]).predict(table[test])
    return found


def _made(kind: str, width: int) -> Any:
    from sklearn.compose import TransformedTargetRegressor  # noqa: PLC0415 - slow to load
    from sklearn.ensemble import RandomForestRegressor  # noqa: PLC0415
    from sklearn.gaussian_process import GaussianProcessRegressor  # noqa: PLC0415
    from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel  # noqa: PLC0415
    from sklearn.linear_model import LinearRegression  # noqa: PLC0415
    from sklearn.pipeline import make_pipeline  # noqa: PLC0415
    from sklearn.preprocessing import StandardScaler  # noqa: PLC0415

    if kind == "linear":
        return LinearRegression()
    if kind == "forest":
        return RandomForestRegressor(TREES, random_state=0)
    kernel = ConstantKernel(1.0) * RBF(np.ones(width), (0.1, 1e3)) + WhiteKernel(1e-3, (1e-8, 1.0))
    process = GaussianProcessRegressor(kernel, random_state=0)
    scaled = make_pipeline(StandardScaler(), process)
    return TransformedTargetRegressor(scaled, transformer=StandardScaler())


# How long it takes.


def speed(series: Sequence[Series], space: Any) -> told.Speed:
    """Simulate points with nothing known and nothing kept; fit models; predict the space."""
    target, sampling = f"{TIMED}:{told.PRESET}", Sampling(samples=MOST, seed=told.SEED)
    begin = time.monotonic()
    found = explore(space, [ExploredWorkload(target)], sampling, backend=PointWorkers(WORKERS),
                    told=_told)  # fmt: skip
    seconds = time.monotonic() - begin
    (one,) = found.workloads
    slowest, model = 0.0, None
    for own in series:
        begin = time.perf_counter()
        made = fit_stepwise(own.samples(own.first), theta=AS_PRINTED, phi=AS_PRINTED)
        slowest = max(slowest, time.perf_counter() - begin)
        model = max(model or made, made, key=lambda each: len(each.coefficients))
    assert model is not None
    return told.Speed(
        workload=TIMED,
        warp_instructions=round(one.measured[0].figures["warp_instructions"]),
        points=len(one.measured),
        workers=WORKERS,
        simulation_s=seconds,
        fit_s=slowest,
        coefficients=len(model.coefficients),
        space_points=space.design.count,
        predict_s=_predicted(model, space, None),
        predict_intervals_s=_predicted(model, space, POINT),
    )


def _predicted(model: Model, space: Any, interval: Any) -> float:
    begin = time.perf_counter()
    for _ in predict_space(model, space.design, interval=interval):
        pass
    return time.perf_counter() - begin
