"""Stargazer's design space (Table 2), and figures that are made up over it."""

import math

import numpy as np

from warpmill.simulator.regression.draws import draw
from warpmill.simulator.regression.parameters import DesignParameter
from warpmill.simulator.regression.space import DesignSpace

TABLE_2 = {
    "#blk": (1, 2, 4, 8, 16),
    "c$": (1, 2, 4, 8, 16, 32),
    "t$": (1, 2, 4, 8, 16, 32),
    "smp": (1, 2, 4, 8),
    "ccp": (1, 2, 4, 8),
    "simd": (8, 16, 32),
    "mshr": (1, 2, 3),
    "dramq": (16, 32, 64),
    "intra": (1, 2, 4, 8),
    "inter": (2, 4, 6),
}


def space(values, *conditions):
    return DesignSpace(tuple(DesignParameter(n, tuple(v)) for n, v in values.items()), conditions)


STARGAZER = space(TABLE_2)
SMALL = space({"a": (1, 2, 4, 8), "b": (1, 2, 3), "c": (5, 7), "w": ("gto", "lrr", "two")})


def runtime(point):
    """Cycles that fall with SIMD width and blocks, which interact, and a little with others."""
    simd, blocks = point["simd"], point["#blk"]
    cycles = 1e6 / simd * (1 + 2 / blocks) + 2e4 / point["intra"] / blocks + 5e3 / point["smp"]
    return cycles + 300 * math.log2(point["c$"])


def small_figure(point):
    """Depends on a, w, and a with w; not on c, and a little on b."""
    slow = {"gto": 0.0, "lrr": 30.0, "two": 10.0}[point["w"]]
    return 200 / point["a"] + slow * (1 + 4 / point["a"]) + point["b"] + 100


def sampled(where, figure, count, noise=0.0, seed=0):
    """Draw points and what is measured there, with relative noise."""
    points = draw(where, count, seed=seed)
    rng = np.random.default_rng(seed)
    return points, [figure(p) * (1 + noise * float(rng.standard_normal())) for p in points]
