"""Stargazer's models of eleven workloads over 933,120 machines: errors, terms, other ways.

For each workload 500 random points of Table 2 are simulated (ISPASS 2012). Five times 300 of them
are drawn to train models with (and fewer of these, from 30 on), and the 200 others to test them
(§7.3). Errors are of the points to test with, in percent. Points are kept in the study store.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Annotated, Any

from warpmill.analyzer.base.metric import Metric, derived
from warpmill.benchmarks.benchmark import OF_WORKLOADS, Benchmark, Goal, column, number
from warpmill.report.base import Part
from warpmill.report.sections import Shown, Table

SIZES = tuple(range(30, 301, 30))
FEW, MOST = 60, SIZES[-1]
TESTED, TRIES = 200, 5
AS_PRINTED, REASONABLE = 0.0, 0.01
"""θ = φ: Figure 5's, and what §5.4 finds reasonable."""
SPACE, PRESET = "stargazer", "paper-stargazer"
POINTS, SEED = 500, 0
"""The repository of §7.3."""
TRACED, TRACE = "matmul", (0.003, 0.0)
"""Table 1, with its θ and φ."""
TAILED = "AES"
ADJUSTED = "AES-adj"
"""AES with the tail adjusted (§7.2)."""
KINDS = {"linear": "linear model", "forest": "random forest", "gaussian": "Gaussian process"}
"""Main effects alone; a random forest; a Gaussian process with a length for each parameter."""
BLOCKS = tuple(range(1, 17))
"""Along Figures 4 and 7."""
WIDE = 32
"""The SIMD width of Figure 3b."""
Sums = Mapping[str, Any]
"""A row of a table of sums, by the words of its columns."""
RIGHT = 5.0
"""A mean error in percent that is right enough (§7.3)."""
DEFAULTS = {
    "#blk": 8, "c$": 8, "t$": 4, "smp": 2, "ccp": 2, "simd": 32, "mshr": 1, "dramq": 16,
    "intra": 8, "inter": 2,
}  # fmt: skip
"""The base machine's own values; its 5 KiB of texture cache are none of the space's."""


class Off(Part):
    """Errors over all tries: the mean of their means, the largest of all."""

    mean: Annotated[float, Metric("mean error")]
    max: Annotated[float, Metric("largest")]


class Accuracy(Off):
    """Models of so many samples.

    ``unknown`` are test points of two values together that no sample has; ``held`` is the share of
    measured times in 95 % intervals; ``parameters`` and ``pairs`` have terms in the first try.
    """

    samples: Annotated[int, Metric("training samples")]
    q75: Annotated[float, Metric("75 % below")]
    q98: Annotated[float, Metric("98 % below")]
    unknown: int
    r_squared: Annotated[float, Metric("R²")]
    parameters: int
    pairs: int
    held: float

    @property
    def terms(self) -> str:
        """Of how many parameters and pairs it has terms."""
        return f"({self.parameters}, {self.pairs})"


class Term(Part):
    """A term of a model, and what it added to R² when it entered."""

    name: str
    gain: float


class Terms(Part):
    """The terms of a model of the first training set."""

    r_squared: float
    samples: int
    terms: tuple[Term, ...]

    @property
    def gains(self) -> Mapping[str, float]:
        """What each term adds; 0 for parameters that are in none."""
        return dict.fromkeys(DEFAULTS, 0.0) | {one.name: one.gain for one in self.terms}

    @property
    def words(self) -> str:
        """The terms for people."""
        return ", ".join(f"{one.name} {one.gain:.3f}" for one in self.terms) or "nothing"


class Along(Part):
    """Time along #blk (µs): as a model has it, with its 95 % interval, and as simulated."""

    values: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    simulated: tuple[float, ...] | None = None


class Workload(Part):
    """A workload by the paper's name; ``wide`` are the samples with ``simd`` = 32 alone.

    ``others`` has other models by kind and number of samples; times are in microseconds.
    """

    name: Annotated[str, Metric("workload")]
    workload: Annotated[str, Metric("here")]
    warp_instructions: Annotated[int, Metric("warp instructions")]
    launches: Annotated[int, Metric("launches")]
    fastest_us: Annotated[float, Metric("least time", "µs")]
    slowest_us: Annotated[float, Metric("largest", "µs")]
    simulation_s: Annotated[float, Metric("simulated in", "s")]
    accuracy: tuple[Accuracy, ...]
    reasonable: tuple[Accuracy, ...]
    three_factors: Off
    others: Mapping[str, Off]
    terms: Terms
    wide: Terms
    reasonable_terms: Terms
    reasonable_wide: Terms
    along: Along | None = None

    @property
    def most(self) -> Accuracy:
        """Models of the most samples."""
        return self.accuracy[-1]

    @property
    def most_reasonable(self) -> Accuracy:
        """The same of few terms."""
        return self.reasonable[-1]

    @property
    def by_size(self) -> Mapping[str, Accuracy]:
        """Models by samples."""
        return {str(one.samples): one for one in self.accuracy}

    @derived("largest over least")
    def ratio(self) -> float:
        """How far time varies over the space."""
        return self.slowest_us / self.fastest_us


class Speed(Part):
    """Seconds: of simulating points with nothing known, of the slowest fit, of predictions."""

    workload: str
    warp_instructions: int
    points: int
    workers: int
    simulation_s: float
    fit_s: float
    coefficients: int
    space_points: int
    predict_s: float
    predict_intervals_s: float


class StargazerResult(Part):
    """All workloads; ``table_1`` are the terms of matmul by the thresholds of Table 1."""

    rows: tuple[Workload, ...]
    table_1: Terms | None = None
    speed: Speed | None = None

    @property
    def by_name(self) -> Mapping[str, Workload]:
        """Workloads by the paper's names."""
        return {row.name: row for row in self.rows}

    @property
    def plain(self) -> tuple[Workload, ...]:
        """The workloads; AES with its tail adjusted stands beside them."""
        return tuple(row for row in self.rows if row.name != ADJUSTED)

    @property
    def adjusted(self) -> tuple[Workload, ...]:
        """The workloads with AES's tail adjusted."""
        return tuple(row for row in self.rows if row.name != TAILED)

    @derived("models")
    def models(self) -> tuple[Sums, ...]:
        """Stargazer's of both thresholds, three fixed terms, and other ways."""
        at, rows = SIZES.index(FEW), self.plain
        return (
            self._summed(f"Stargazer, θ = φ = {AS_PRINTED:g}", [row.accuracy[at] for row in rows],
                         [row.most for row in rows]),
            self._summed(f"Stargazer, θ = φ = {REASONABLE:g}",
                         [row.reasonable[at] for row in rows],
                         [row.most_reasonable for row in rows]),
            *(self._summed(words, [row.others[f"{kind} {FEW}"] for row in rows],
                           [row.others[f"{kind} {MOST}"] for row in rows])
              for kind, words in KINDS.items()),
        )  # fmt: skip

    def _summed(self, model: str, few: Sequence[Off], most: Sequence[Off]) -> Sums:
        """A kind of model over all workloads, with few samples and with the most."""
        worst = max(zip(most, self.plain, strict=True), key=lambda own: own[0].mean)
        return {
            "model": model,
            f"mean of {FEW}, %": fmean(one.mean for one in few),
            "worst of few": max(one.mean for one in few),
            f"mean of {MOST}, %": fmean(one.mean for one in most),
            "worst": worst[0].mean,
            "which": worst[1].name,
            "largest": max(one.max for one in most),
        }

    @derived("by samples")
    def by_samples(self) -> tuple[Sums, ...]:
        """All workloads by training samples, shares in percent."""
        of = len(self.plain) * TRIES * TESTED / 100
        found = []
        for k, size in enumerate(SIZES):
            own = [row.accuracy[k] for row in self.plain]
            few = [row.reasonable[k] for row in self.plain]
            found.append({
                "training samples": size,
                "mean error, %": fmean(one.mean for one in own),
                "worst workload": max(one.mean for one in own),
                "points unknown": sum(one.unknown for one in own) / of,
                "intervals that hold": 100 * fmean(one.held for one in own),
                "mean of few terms": fmean(one.mean for one in few),
                "unknown of few terms": sum(one.unknown for one in few) / of,
                "held of few terms": 100 * fmean(one.held for one in few),
            })  # fmt: skip
        return tuple(found)

    @property
    def first(self) -> Sums:
        """Stargazer's models as printed."""
        return self.models[0]

    @derived(f"largest mean error of a workload, {MOST} samples, AES tail-adjusted, %")
    def worst_adjusted(self) -> float:
        """With AES's tail adjusted (§7.2)."""
        return max(row.most.mean for row in self.adjusted)

    @derived(f"largest error of a point, {MOST} samples, without AES, %")
    def max_without_aes(self) -> float | None:
        """None without another workload."""
        others = (row for row in self.rows if row.name not in {TAILED, ADJUSTED})
        return max((row.most.max for row in others), default=None)

    @derived(f"largest mean error, {FEW} samples, AES tail-adjusted, %")
    def worst_few(self) -> float:
        """Of models of few samples."""
        return max(row.by_size[str(FEW)].mean for row in self.adjusted)

    @derived(f"mean R², {MOST} samples")
    def r_squared(self) -> float:
        """Of the samples that models are of."""
        return fmean(row.most.r_squared for row in self.plain)

    @derived("others: 75 % of the errors are below, largest of all workloads, %")
    def quarter(self) -> float | None:
        """Without AES."""
        others = (row for row in self.plain if row.name != TAILED)
        return max((row.most.q75 for row in others), default=None)

    @derived(f"workloads over {RIGHT:g} % with {FEW} samples (AES in the paper)")
    def wrong(self) -> int:
        """Whose models of few samples are not right enough."""
        return sum(row.by_size[str(FEW)].mean > RIGHT for row in self.plain)

    @property
    def mean_gains(self) -> Mapping[str, float]:
        """What parameters add to R², mean of workloads."""
        return {name: fmean(row.terms.gains[name] for row in self.plain) for name in DEFAULTS}

    @property
    def mean_wide_gains(self) -> Mapping[str, float]:
        """The same where ``simd`` is 32."""
        return {name: fmean(row.wide.gains[name] for row in self.plain) for name in DEFAULTS}

    @property
    def first_of_table_1(self) -> float | None:
        """R² of the first term of Table 1 alone."""
        return None if self.table_1 is None else self.table_1.terms[0].gain

    @derived("Figure 4")
    def figure_4(self) -> tuple[Sums, ...]:
        """AES along #blk, in microseconds; empty where it was not measured."""
        both = [row.along for row in self.rows if row.along and row.along.simulated]
        if len(both) < 2:
            return ()
        lines = [line for one in both for line in (one.simulated or (), one.values)]
        return tuple(dict(zip(("#blk", *_LINES), own, strict=True))
                     for own in zip(BLOCKS, *lines, strict=True))  # fmt: skip


_LINES = tuple(f"{name}: {what}" for name in (TAILED, ADJUSTED)
               for what in ("simulated", "predicted"))  # fmt: skip


def sampled_blocks() -> tuple[int, ...]:
    """The values of #blk in the space; between them models only interpolate."""
    from warpmill.exploring.space_file import space_called  # noqa: PLC0415 - slow to load

    each: Any = {own.name: own.parameter.values for own in space_called(SPACE).parameters}
    return tuple(each["#blk"])


def sensitivity(row: Workload) -> float:
    """By how many percent of the longest predicted time it varies over the space's own #blk."""
    assert row.along is not None
    there = sampled_blocks()
    own = [v for blocks, v in zip(BLOCKS, row.along.values, strict=True) if blocks in there]
    return 100 * (max(own) - min(own)) / max(own)


def values(result: StargazerResult) -> dict[str, Any]:
    """What the template says beside tables."""
    from warpmill.benchmarks.stargazer import pictures  # noqa: PLC0415 - slow to load
    from warpmill.exploring.space_file import space_called  # noqa: PLC0415

    curves = [row for row in result.rows if row.along and row.along.simulated is None]
    return {
        "space": space_called(SPACE),
        "values": ", ".join(map(str, sampled_blocks())),
        "fixed_better": [r.name for r in result.rows if r.three_factors.mean < r.most.mean],
        "fixed_mean": fmean(row.three_factors.mean for row in result.plain),
        "named": ", ".join(f"`{term}`" for term in pictures.important(result.rows)),
        "sensitivities": sorted(((sensitivity(r), r.name) for r in curves), reverse=True),
        "least_drawn": f"{pictures.LEAST_DRAWN:g}",
    }


R2, SHARE = "{:.4f}", "{:.1f} %"


def _shown(path: str, label: str = "") -> Shown:
    return Shown(path, label, words=number)


_SHOWN = (30, 60, 150, 300)
"""Training samples whose errors are listed."""
SECTIONS = (
    Table("Models", "models",
          ("model", _shown(f"mean of {FEW}, %"), _shown("worst of few", "worst workload"),
           _shown(f"mean of {MOST}, %"), _shown("worst", "worst workload"), "which",
           _shown("largest")), left=(0, 5)),
    Table("Errors", "rows",
          ("name", Shown("most.terms", "terms"), column("most.r_squared", form=R2),
           *(_shown(f"by_size.{size}.mean", f"mean of {size}") for size in _SHOWN),
           *(_shown(f"by_size.{size}.max", f"largest of {size}") for size in _SHOWN[1::2]),
           _shown("most.q75"), _shown("most.q98"))),
    Table("By samples", "by_samples",
          ("training samples", _shown("mean error, %"), _shown("worst workload"),
           column("points unknown", form=SHARE), column("intervals that hold", form=SHARE),
           _shown("mean of few terms", f"mean error, θ = φ = {REASONABLE:g}"),
           column("unknown of few terms", "points unknown", SHARE),
           column("held of few terms", "intervals that hold", SHARE))),
    Table("Ways", "rows",
          ("name", _shown("most.mean", f"Stargazer, θ = φ = {AS_PRINTED:g}"),
           Shown("most_reasonable.terms", f"terms, {REASONABLE:g}"),
           _shown("most_reasonable.mean", f"mean, {REASONABLE:g}"),
           _shown("three_factors.mean", "three fixed terms"),
           *(_shown(f"others.{kind} {MOST}.mean", words) for kind, words in KINDS.items()))),
    Table("Terms", "rows",
          ("name", column("reasonable_terms.r_squared", "R²", R2),
           Shown("reasonable_terms.words", "what terms add"),
           column("reasonable_wide.r_squared", f"R², simd = {WIDE}", R2),
           Shown("reasonable_wide.words", "what terms add")), left=(0, 2, 4), wrap=(2, 4)),
    Table("Sampled", "rows",
          ("name", "workload", "warp_instructions", "launches", _shown("fastest_us"),
           _shown("slowest_us"), _shown("ratio"), _shown("simulation_s")), left=(0, 1),
          chosen=lambda row: row.name != ADJUSTED),
    Table("Along blocks", "figure_4",
          ("#blk", *(_shown(line, "predicted" if "predicted" in line else "")
                     for line in _LINES))),
)  # fmt: skip

BENCHMARK: Benchmark[StargazerResult] = Benchmark(
    name="stargazer",
    about="Stargazer's models of eleven workloads over 933,120 machines: errors, terms, others.",
    takes="hours",
    result=":StargazerResult",
    measure="measuring:measure",
    sections=SECTIONS,
    goals=(
        Goal(f"first.mean of {MOST}, %", 1.1, what=f"mean error, {MOST} samples, %"),
        Goal("first.worst", 3.8, what=f"largest mean error of a workload, {MOST} samples, %"),
        Goal("worst_adjusted", 2.3),
        Goal("first.largest", 31.0, what=f"largest error of a point, {MOST} samples, %"),
        Goal("max_without_aes", 15.0),
        Goal("worst_few", 5.0),
        Goal("r_squared", 0.976, at_least=True),
        Goal("speed.simulation_s", 600.0, what="300 points on 2 cores, s"),
        Goal("speed.fit_s", 2.0, what="fitting a model, s"),
        Goal("speed.predict_s", 10.0, what="predicting the whole space, s"),
        Goal("by_name.AES.most.mean", paper=3.8, what="AES: mean error, %"),
        Goal("by_name.AES.most.q98", paper=21.7, what="AES: 98 % of the errors are below, %"),
        Goal("by_name.AES.most.max", paper=31.1, what="AES: largest error, %"),
        Goal("quarter", paper=4.4),
        Goal("by_name.AES.most.r_squared", paper=0.902, what="AES: R²"),
        Goal("by_name.AES-adj.most.r_squared", paper=0.999, what="AES, tail adjusted: R²"),
        Goal("wrong", paper=1),
        Goal("mean_gains.simd", paper=0.78, what="what simd adds to R², mean of workloads"),
        Goal("mean_wide_gains.#blk", paper=0.696, what="what #blk adds where simd is 32, mean"),
        *(Goal(f"by_name.{name}.wide.gains.{term}", paper=own,
               what=f"{name}: what {term} adds where simd is 32")
          for name, term, own in (("AES", "smp", 0.244), ("nw", "smp", 0.996),
                                  ("BFS", "dramq", 0.261), ("bfs", "dramq", 0.620))),
        Goal("first_of_table_1", paper=0.719, what="matmul: R² of its first term alone (Table 1)"),
        Goal("table_1.r_squared", paper=0.9745, what="matmul: R² at the end of Table 1"),
    ),
    parts="workloads",
    data=(*OF_WORKLOADS, "warpmill/exploring/spaces/stargazer.toml"),
    put_aside=f"{TESTED} points of each workload, drawn by {TRIES} seeds: all errors are of these "
    "points, R² is of the others, which models are made of.",
    values=":values",
    draw="pictures:draw",
)  # fmt: skip
