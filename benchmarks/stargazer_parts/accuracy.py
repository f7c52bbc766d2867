"""How far models are off at points that they have not seen: §7.3, Figures 5 and 6."""

from __future__ import annotations

from statistics import fmean

import numpy as np

from warpmill.simulator.regression.errors import Errors, errors
from warpmill.simulator.regression.fit import FIXED_TERMS, fit_stepwise, fit_terms, samples_of
from warpmill.simulator.regression.predict import predict

SIZES = tuple(range(30, 301, 30))
MOST = SIZES[-1]
FEW = 60
TESTED = 200
TRIES = 5
THRESHOLDS = (0.0, 0.01)
"""θ = φ: Figure 5's, and what §5.4 finds reasonable."""
QUANTILES = (0.75, 0.98)


def splits(count):
    """The places of samples to train with, and of those to test with, of each try.

    Smaller training sets are the first places of the largest one, and all are tested by the same.
    """
    for number in range(TRIES):
        places = np.random.default_rng(number).permutation(count).tolist()
        yield places[: count - TESTED], places[count - TESTED :]


def fitted(parameters, points, measured, threshold, log2=()):
    """Fit a model by Algorithm 1; ``log2`` names parameters whose logarithms are splined."""
    samples = samples_of(parameters, points, measured, log2=log2)
    return fit_stepwise(samples, theta=threshold, phi=threshold)


def told(model, samples, points):
    """Predict all points: their values, the ends of their intervals, how many are unknown.

    Of two values together that no sample has, a model with their interaction knows nothing. Such
    points are told by a model of those terms alone of which samples leave nothing open.
    """
    found = predict(model, points)
    values, low, high, known = found.values, found.low, found.high, found.known
    if not known.all():
        open_ = {each.step for each in model.dropped}
        terms = [step.term for place, step in enumerate(model.steps) if place not in open_]
        safe = predict(fit_terms(samples, terms), points)
        values = np.where(known, values, safe.values)
        low, high = np.where(known, low, safe.low), np.where(known, high, safe.high)
    return values, low, high, int((~known).sum())


def relative(values, measured):
    """Relative errors in percent."""
    return Errors(tuple((100 * np.abs(values - measured) / np.abs(measured)).tolist()))


def accuracy(series, parameters, threshold, sizes=SIZES):
    """Judge models of each size: a row a size."""
    tries = list(splits(len(series.points)))
    return [_of_size(series, parameters, threshold, size, tries) for size in sizes]


def _of_size(series, parameters, threshold, size, tries):
    found, models, held, unknown = [], [], [], 0
    for train, test in tries:
        samples = samples_of(parameters, *series.only(train[:size]))
        model = fit_stepwise(samples, theta=threshold, phi=threshold)
        points, measured = series.only(test)
        values, low, high, of_these = told(model, samples, points)
        found.append(relative(values, np.array(measured)))
        models.append(model)
        held.append(float(((low <= measured) & (measured <= high)).mean()))
        unknown += of_these
    return {
        "samples": size,
        **summed(found),
        "unknown": unknown,
        "r_squared": fmean(model.r_squared for model in models),
        "adjusted_r_squared": fmean(model.steps[-1].adjusted for model in models),
        "parameters": sum(len(term) == 1 for term in models[0].terms),
        "pairs": sum(len(term) == 2 for term in models[0].terms),
        "held": fmean(held),
    }


def summed(found):
    """Sum up the errors of all tries: the mean of their means, the largest of all."""
    every = [error for one in found for error in one.each]
    return {
        "mean": fmean(one.mean_percent for one in found),
        "max": max(one.maximum_percent for one in found),
        "quantiles": {f"{share:g}": float(np.quantile(every, share)) for share in QUANTILES},
    }


def of_three_factors(series, parameters):
    """Judge the fixed model of §7.4 with the most samples: Figure 6."""
    found = []
    for train, test in splits(len(series.points)):
        model = fit_terms(samples_of(parameters, *series.only(train)), FIXED_TERMS)
        found.append(errors(model, *series.only(test)))
    return summed(found)
