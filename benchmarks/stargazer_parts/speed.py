"""How long it takes: to simulate 300 points, to fit a model, to predict the whole space."""

from __future__ import annotations

import time

from benchmarks.stargazer_parts.accuracy import MOST, fitted, splits
from benchmarks.stargazer_parts.samples import PRESET, SEED
from warpmill.exploring.backends import PointWorkers
from warpmill.exploring.exploration import explore
from warpmill.exploring.options import Sampling
from warpmill.exploring.workloads import ExploredWorkload
from warpmill.simulator.regression.predict import POINT, predict_space

WORKLOAD = "bfs-gpgpusim"
"""The smallest of more than a million warp instructions."""
WORKERS = 2


def of_simulations(space, told):
    """Explore a workload with nothing known and nothing kept: seconds."""
    begin = time.monotonic()
    workloads = [ExploredWorkload(f"{WORKLOAD}:{PRESET}")]
    found = explore(space, workloads, Sampling(samples=MOST, seed=SEED),
                    backend=PointWorkers(WORKERS), told=told)  # fmt: skip
    (one,) = found.workloads
    return {
        "workload": WORKLOAD,
        "warp_instructions": one.measured[0].figures["warp_instructions"],
        "points": len(one.measured),
        "workers": WORKERS,
        "seconds": time.monotonic() - begin,
    }


def of_models(series, space, threshold):
    """Time the fit of each series' largest model, and predictions of all points with intervals."""
    parameters = space.design.parameters
    slowest, model = 0.0, None
    for one in series.values():
        train = one.only(next(splits(len(one.points)))[0])
        begin = time.perf_counter()
        found = fitted(parameters, *train, threshold)
        slowest = max(slowest, time.perf_counter() - begin)
        if model is None or len(found.coefficients) > len(model.coefficients):
            model = found
    return {"fit_s": slowest, "coefficients": len(model.coefficients),
            "points": space.design.count, "predict_s": _predicted(model, space, None),
            "predict_intervals_s": _predicted(model, space, POINT)}  # fmt: skip


def _predicted(model, space, interval):
    begin = time.perf_counter()
    for _ in predict_space(model, space.design, interval=interval):
        pass
    return time.perf_counter() - begin
