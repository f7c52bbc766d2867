"""What the paper shows beside errors: Table 1, and Figures 3, 4 and 7."""

from __future__ import annotations

from benchmarks.stargazer_parts.accuracy import THRESHOLDS, fitted, splits
from benchmarks.stargazer_parts.samples import DEFAULTS, WHOLE, WITHOUT_TAIL
from warpmill.exploring.backends import PointWorkers
from warpmill.exploring.exploration import explore
from warpmill.exploring.options import Sampling
from warpmill.exploring.space_file import space_of_text
from warpmill.exploring.workloads import ExploredWorkload
from warpmill.simulator.regression.fit import LeastSquares, samples_of, select_terms
from warpmill.simulator.regression.model import words_of_term
from warpmill.simulator.regression.predict import response_curve

BLOCKS = tuple(range(1, 17))
"""Along Figures 4 and 7."""
WIDE = 32
"""The SIMD width of Figure 3b."""
TRACED = "matmul"
TRACE = (0.003, 0.0)
"""θ and φ of Table 1."""


def contributions(series, parameters, threshold):
    """What each term adds to R², of a model of the first training set: Figure 3a."""
    train = next(splits(len(series.points)))[0]
    return _gains(fitted(parameters, *series.only(train), threshold))


def contributions_of_wide(series, parameters, threshold):
    """The same of all samples with a SIMD width of 32: Figure 3b."""
    own = series.fixed(simd=WIDE)
    rest = [each for each in parameters if each.name != "simd"]
    return {"samples": len(own.points),
            **_gains(fitted(rest, own.points, own.measured, threshold))}  # fmt: skip


def _gains(model):
    terms = [words_of_term(term) for term in model.terms]
    gains = list(zip(terms, model.gains, strict=True))
    return {"r_squared": model.r_squared, "terms": gains}


class _Recorded:
    """A model that notes what it was asked (a ``Scorer``)."""

    def __init__(self, model):
        self.model, self.rows, self.scores = model, [], {}

    def score(self, term):
        found = self.model.score(term)
        self.scores[words_of_term(term)] = None if found is None else list(found)
        return found

    def add(self, term):
        r_squared = self.model.add(term)
        row = {"scores": self.scores, "chosen": words_of_term(term), "r_squared": r_squared}
        self.rows.append(row)
        self.scores = {}
        return r_squared


def trace(series, parameters, thresholds=TRACE):
    """Table 1: what each tentative model's R² and adjusted R² were, and which was chosen.

    The last row has those of which none was.
    """
    samples = samples_of(parameters, *series.only(next(splits(len(series.points)))[0]))
    model = _Recorded(LeastSquares(samples.measured, samples.of_term))
    select_terms([each.name for each in parameters], model, *thresholds)
    return {"thresholds": list(thresholds),
            "rows": [*model.rows, {"scores": model.scores, "chosen": None}]}  # fmt: skip


def along_blocks(space, workload, store, workers, told):
    """Simulate a workload along block concurrency, the rest being the base's: Figure 4's line.

    Gives the time with the tail, and without.
    """
    at = space_of_text(_with_values(space.text, DEFAULTS), "blocks", "blocks.toml", space.folder)
    sampling = Sampling(fraction=1)
    found = explore(at, [ExploredWorkload(workload)], sampling, store=store,
                    study=f"{space.name}.blocks", told=told,
                    backend=PointWorkers(workers))  # fmt: skip
    (one,) = found.workloads
    rows = sorted((s.point["#blk"], s.figures) for s in one.measured)
    return {
        "blocks": [blocks for blocks, _ in rows],
        **{name: [figures[name] for _, figures in rows] for name in (WHOLE, WITHOUT_TAIL)},
    }


def _with_values(text, defaults):
    """The text of a space in which #blk has all values of the figures, the others one."""
    lines, name = [], None
    for line in text.splitlines():
        if line.startswith("[parameters."):
            name = line.removeprefix("[parameters.").removesuffix("]").strip('"')
        if line.startswith("values = "):
            own = BLOCKS if name == "#blk" else (defaults[name],)
            line = f"values = {list(own)}"  # noqa: PLW2901 - in place of the line
        lines.append(line)
    return "\n".join(lines) + "\n"


def predicted_along_blocks(series, parameters, threshold=THRESHOLDS[0]):
    """What a model of the first training set says along block concurrency: Figures 4, 7.

    The logarithm of #blk is splined. At the five values that samples have this is the very model
    of raw values: with a constant, the four columns of either can be anything at five values.
    Between them splines of raw values swing (docs/deviations.md); ``raw`` has what those say.
    """
    train = series.only(next(splits(len(series.points)))[0])
    by_log2, raw = (
        response_curve(fitted(parameters, *train, threshold, log2), "#blk", DEFAULTS, BLOCKS)
        for log2 in (("#blk",), ())
    )
    return {
        "blocks": list(BLOCKS),
        **{key: getattr(by_log2.prediction, key).tolist() for key in ("values", "low", "high")},
        "raw": raw.prediction.values.tolist(),
    }
