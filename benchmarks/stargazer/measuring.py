"""Points of the space simulated, and models of some judged by others that they have not seen."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

import numpy as np
import numpy.typing as npt

from warpmill.benchmarks.benchmark import Request, say
from warpmill.benchmarks.stargazer import (
    ADJUSTED,
    AS_PRINTED,
    BLOCKS,
    DEFAULTS,
    FEW,
    KINDS,
    MOST,
    REASONABLE,
    SIZES,
    TAILED,
    TESTED,
    TRIES,
    WIDE,
    Accuracy,
    Along,
    Off,
    Speed,
    StargazerResult,
    Term,
    Terms,
    Workload,
)
from warpmill.exploring.backends import PointWorkers
from warpmill.exploring.exploration import explore
from warpmill.exploring.options import Sampling
from warpmill.exploring.space_file import space_called, space_of_text
from warpmill.exploring.workloads import ExploredWorkload
from warpmill.session.workloads import workloads
from warpmill.simulator.regression.fit import FIXED_TERMS, fit_stepwise, fit_terms, samples_of
from warpmill.simulator.regression.model import Model, words_of_term
from warpmill.simulator.regression.predict import POINT, predict, predict_space, response_curve
from warpmill.studies.places import default_store

SPACE = "stargazer"
STUDY = "benchmarks.stargazer"
PRESET = "paper-stargazer"
POINTS = 500
"""The repository of §7.3."""
SEED = 0
NAMES = {
    "aes-128": "AES", "bfs-gpgpusim": "BFS", "cp": "CP", "lps": "LPS", "ray": "RAY", "sto": "STO",
    "backprop": "backprop", "bfs": "bfs", "hotspot": "hotspot", "nw": "nw", "matmul": "matmul",
}  # fmt: skip
"""The paper's names (Table 4), by those of the workloads here."""
WHOLE, WITHOUT_TAIL = "time_us", "adjusted_us"
TRACED, TRACE = "matmul", (0.003, 0.0)
"""Table 1, with its θ and φ."""
CURVES = ("LPS", "RAY")
"""Figure 7."""
TREES = 300
TIMED, WORKERS = "bfs-gpgpusim", 2
"""The smallest workload of more than a million warp instructions, in so many processes."""

Listener = Callable[[Any], None] | None


def measure(request: Request) -> StargazerResult:
    """Measure workloads."""
    known = [name for name, one in workloads().items() if one.form.paper.stargazer is not None]
    found = simulated(request.chosen(known), request.store or default_store(), request.workers)
    space, rows, store = space_called(SPACE), [], request.store or default_store()
    for series in found:
        say(f"models of {series.name}")
        rows.append(workload_of(series, space.design.parameters))
    by_name = {series.name: series for series in found}
    if TAILED in by_name:
        along = along_blocks(space, f"{by_name[TAILED].workload}:{PRESET}", store, request.workers)
        rows = [_with_simulated(row, along) for row in rows]
    parameters = space.design.parameters
    traced = by_name.get(TRACED)
    return StargazerResult(
        rows=tuple(rows),
        table_1=None if traced is None else first_terms(traced, parameters, *TRACE),
        speed=None if request.is_partial else speed(found, space),
    )


def _with_simulated(row: Workload, along: Mapping[str, Sequence[float]]) -> Workload:
    figure = {TAILED: WHOLE, ADJUSTED: WITHOUT_TAIL}.get(row.name)
    if figure is None or row.along is None:
        return row
    return replace(row, along=replace(row.along, simulated=tuple(along[figure])))


# Samples.


@dataclass(frozen=True)
class Series:
    """Samples of a workload: points, and what was measured at each (microseconds)."""

    name: str
    workload: str
    points: tuple[Any, ...]
    measured: tuple[float, ...]
    facts: Mapping[str, Any]

    def only(self, places: Sequence[int]) -> tuple[list[Any], list[float]]:
        """Some of the samples, by their places."""
        return [self.points[k] for k in places], [self.measured[k] for k in places]


def simulated(names: Sequence[str], store: Any, workers: int) -> list[Series]:
    """Simulate what is not known yet; all samples. SystemExit where a point cannot be."""
    targets = [ExploredWorkload(f"{name}:{PRESET}") for name in names]
    found = explore(space_called(SPACE), targets, Sampling(samples=POINTS, seed=SEED), store=store,
                    study=STUDY, backend=PointWorkers(workers), told=_told)  # fmt: skip
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
        called = NAMES[name]
        figures = {called: WHOLE} | ({ADJUSTED: WITHOUT_TAIL} if called == TAILED else {})
        for own, figure in figures.items():
            points, measured = one.with_figure(figure)
            series.append(Series(own, name, tuple(points), tuple(measured), facts))
    return series


def _told(progress: Any) -> None:
    left = progress.seconds_left
    words = "" if left is None else f", about {left / 60:.0f} min left"
    say(f"{progress.over:,} of {progress.all:,} points{words}")


def along_blocks(space: Any, target: str, store: Any, workers: int) -> dict[str, list[float]]:
    """Simulate a workload along block concurrency, the rest being the base's: Figure 4's lines.

    The time with the tail, and without.
    """
    at = space_of_text(_with_values(space.text), "blocks", "blocks.toml", space.folder)
    found = explore(at, [ExploredWorkload(target)], Sampling(fraction=1), store=store,
                    study=f"{space.name}.blocks", told=_told,
                    backend=PointWorkers(workers))  # fmt: skip
    (one,) = found.workloads
    rows = sorted((s.point["#blk"], k) for k, s in enumerate(one.measured))
    figures = [one.measured[k].figures for _, k in rows]
    return {name: [own[name] for own in figures] for name in (WHOLE, WITHOUT_TAIL)}


def _with_values(text: str) -> str:
    """The text of a space in which #blk has all values of the figures, the others one."""
    lines, name = [], ""
    for line in text.splitlines():
        if line.startswith("[parameters."):
            name = line.removeprefix("[parameters.").removesuffix("]").strip('"')
        is_values = line.startswith("values = ")
        own = BLOCKS if name == "#blk" else (DEFAULTS.get(name),)
        lines.append(f"values = {list(own)}" if is_values else line)
    return "\n".join(lines) + "\n"


# Models of a series.


def workload_of(series: Series, parameters: Sequence[Any]) -> Workload:
    """Judge models of a series by both thresholds, and other ways."""
    wide = [k for k, point in enumerate(series.points) if point["simd"] == WIDE]
    points, measured = series.only(wide)
    own = replace(series, points=tuple(points), measured=tuple(measured))
    rest = [each for each in parameters if each.name != "simd"]
    every = range(len(wide))
    return Workload(
        name=series.name,
        workload=series.workload,
        **series.facts,
        fastest_us=min(series.measured),
        slowest_us=max(series.measured),
        accuracy=accuracy(series, parameters, AS_PRINTED),
        reasonable=accuracy(series, parameters, REASONABLE),
        three_factors=of_three_factors(series, parameters),
        others=others(series, parameters),
        terms=first_terms(series, parameters, AS_PRINTED),
        reasonable_terms=first_terms(series, parameters, REASONABLE),
        wide=first_terms(own, rest, AS_PRINTED, places=every),
        reasonable_wide=first_terms(own, rest, REASONABLE, places=every),
        along=(
            predicted_along_blocks(series, parameters)
            if series.name in {TAILED, ADJUSTED, *CURVES}
            else None
        ),
    )


def splits(count: int) -> Iterator[tuple[list[int], list[int]]]:
    """The places of samples to train with, and of those to test with, of each try.

    Smaller training sets are the first places of the largest one, and all are tested by the same.
    """
    for number in range(TRIES):
        places = np.random.default_rng(number).permutation(count).tolist()
        yield places[: count - TESTED], places[count - TESTED :]


def fitted(
    parameters: Sequence[Any], samples: tuple[Any, Any], theta: float, phi: float | None = None,
    log2: Sequence[str] = (),
) -> Model:  # fmt: skip
    """Fit a model by Algorithm 1; ``log2`` names parameters whose logarithms are splined."""
    made = samples_of(parameters, *samples, log2=log2)
    return fit_stepwise(made, theta=theta, phi=theta if phi is None else phi)


def told(model: Model, samples: Any, points: Sequence[Any]) -> tuple[Any, Any, Any, int]:
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


def relative(values: Any, measured: Any) -> npt.NDArray[np.float64]:
    """Relative errors in percent."""
    found: npt.NDArray[np.float64] = 100 * np.abs(values - measured) / np.abs(measured)
    return found


def summed(found: Sequence[npt.NDArray[np.float64]]) -> dict[str, float]:
    """The mean of the tries' means, and the largest of all."""
    return {"mean": fmean(float(own.mean()) for own in found),
            "max": max(float(own.max()) for own in found)}  # fmt: skip


def accuracy(
    series: Series, parameters: Sequence[Any], threshold: float, sizes: Sequence[int] = SIZES
) -> tuple[Accuracy, ...]:
    """Judge models of each size."""
    tries = list(splits(len(series.points)))
    return tuple(_of_size(series, parameters, threshold, size, tries) for size in sizes)


def _of_size(
    series: Series, parameters: Sequence[Any], threshold: float, size: int, tries: Sequence[Any]
) -> Accuracy:
    found, models, held, unknown = [], [], [], 0
    for train, test in tries:
        samples = samples_of(parameters, *series.only(train[:size]))
        model = fit_stepwise(samples, theta=threshold, phi=threshold)
        points, listed = series.only(test)
        measured = np.array(listed)
        values, low, high, of_these = told(model, samples, points)
        found.append(relative(values, measured))
        models.append(model)
        held.append(float(((low <= measured) & (measured <= high)).mean()))
        unknown += of_these
    q75, q98 = np.quantile(np.concatenate(found), (0.75, 0.98)).tolist()
    return Accuracy(
        samples=size,
        **summed(found),
        q75=q75,
        q98=q98,
        unknown=unknown,
        r_squared=fmean(model.r_squared for model in models),
        parameters=sum(len(term) == 1 for term in models[0].terms),
        pairs=sum(len(term) == 2 for term in models[0].terms),
        held=fmean(held),
    )


def of_three_factors(series: Series, parameters: Sequence[Any]) -> Off:
    """Judge the fixed model of §7.4 with the most samples: Figure 6."""
    found = []
    for train, test in splits(len(series.points)):
        model = fit_terms(samples_of(parameters, *series.only(train)), FIXED_TERMS)
        points, measured = series.only(test)
        found.append(relative(predict(model, points).values, np.array(measured)))
    return Off(**summed(found))


def first_terms(
    series: Series, parameters: Sequence[Any], theta: float, phi: float | None = None, *,
    places: Sequence[int] | None = None,
) -> Terms:  # fmt: skip
    """What each term adds to R², of a model of the first training set, or of ``places``."""
    train = next(splits(len(series.points)))[0] if places is None else places
    model = fitted(parameters, series.only(train), theta, phi)
    named = zip(map(words_of_term, model.terms), model.gains, strict=True)
    return Terms(r_squared=model.r_squared, samples=len(train),
                 terms=tuple(Term(name=name, gain=gain) for name, gain in named))  # fmt: skip


def predicted_along_blocks(series: Series, parameters: Sequence[Any]) -> Along:
    """What a model of the first training set says along block concurrency: Figures 4, 7.

    The logarithm of #blk is splined. At the five values that samples have this is the very model
    of raw values: with a constant, the four columns of either can be anything at five values.
    Between them splines of raw values swing (docs/deviations.md).
    """
    train = series.only(next(splits(len(series.points)))[0])
    model = fitted(parameters, train, AS_PRINTED, log2=("#blk",))
    found = response_curve(model, "#blk", DEFAULTS, BLOCKS).prediction
    return Along(**{key: tuple(getattr(found, key).tolist()) for key in ("values", "low", "high")})


# Other ways to tell unseen points from samples, from scikit-learn, on the same splits.


def others(
    series: Series, parameters: Sequence[Any], sizes: Sequence[int] = (FEW, MOST),
    kinds: Sequence[str] = tuple(KINDS),
) -> dict[str, Off]:  # fmt: skip
    """Judge each kind with some numbers of samples."""
    names = [each.name for each in parameters]
    table = np.array([[float(point[name]) for name in names] for point in series.points])
    measured = np.array(series.measured)
    return {
        f"{kind} {size}": Off(**summed([
            _errors(kind, table, measured, train[:size], test)
            for train, test in splits(len(measured))
        ]))
        for size in sizes for kind in kinds
    }  # fmt: skip


def _errors(kind: str, table: Any, measured: Any, train: Any, test: Any) -> Any:
    model = _made(kind, table.shape[1])
    with warnings.catch_warnings():
        # lengths of parameters that do not matter grow to their bound, as they should
        warnings.filterwarnings("ignore", message="The optimal value found for dimension")
        predicted = model.fit(table[train], measured[train]).predict(table[test])
    return relative(predicted, measured[test])


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


def speed(series: Sequence[Series], space: Any) -> Speed:
    """Simulate points with nothing known and nothing kept; fit models; predict the space."""
    begin = time.monotonic()
    found = explore(space, [ExploredWorkload(f"{TIMED}:{PRESET}")],
                    Sampling(samples=MOST, seed=SEED), backend=PointWorkers(WORKERS),
                    told=_told)  # fmt: skip
    seconds = time.monotonic() - begin
    (one,) = found.workloads
    return Speed(
        workload=TIMED,
        warp_instructions=round(one.measured[0].figures["warp_instructions"]),
        points=len(one.measured),
        workers=WORKERS,
        simulation_s=seconds,
        **of_models(series, space),
    )


def of_models(series: Sequence[Series], space: Any) -> dict[str, Any]:
    """Time the fit of each series' largest model, and predictions of all points with intervals."""
    slowest, models = 0.0, []
    for one in series:
        train = one.only(next(splits(len(one.points)))[0])
        begin = time.perf_counter()
        models.append(fitted(space.design.parameters, train, AS_PRINTED))
        slowest = max(slowest, time.perf_counter() - begin)
    model = max(models, key=lambda own: len(own.coefficients))
    return {"fit_s": slowest, "coefficients": len(model.coefficients),
            "space_points": space.design.count, "predict_s": _predicted(model, space, None),
            "predict_intervals_s": _predicted(model, space, POINT)}  # fmt: skip


def _predicted(model: Model, space: Any, interval: Any) -> float:
    begin = time.perf_counter()
    for _ in predict_space(model, space.design, interval=interval):
        pass
    return time.perf_counter() - begin
