"""Other ways to tell unseen points from samples, from scikit-learn, on the same splits."""

from __future__ import annotations

import warnings
from statistics import fmean

import numpy as np

from benchmarks.stargazer_parts.accuracy import FEW, MOST, splits

TREES = 300
KINDS = ("linear", "forest", "gaussian")
"""Main effects alone; a random forest; a Gaussian process with a length for each parameter."""


def judged(series, parameters, sizes=(FEW, MOST)):
    """Judge each kind with some numbers of samples: mean and largest errors in percent."""
    names = [each.name for each in parameters]
    table = np.array([[float(point[name]) for name in names] for point in series.points])
    measured = np.array(series.measured)
    rows = []
    for size in sizes:
        row = {"samples": size}
        for kind in KINDS:
            found = [
                _errors(kind, table, measured, train[:size], test)
                for train, test in splits(len(measured))
            ]
            row[kind] = {"mean": fmean(float(e.mean()) for e in found),
                         "max": max(float(e.max()) for e in found)}  # fmt: skip
        rows.append(row)
    return rows


def _errors(kind, table, measured, train, test):
    model = _made(kind, table.shape[1])
    with warnings.catch_warnings():
        # lengths of parameters that do not matter grow to their bound, as they should
        warnings.filterwarnings("ignore", message="The optimal value found for dimension")
        predicted = model.fit(table[train], measured[train]).predict(table[test])
    return 100 * np.abs(predicted - measured[test]) / measured[test]


def _made(kind, width):
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
