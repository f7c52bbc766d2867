"""Clustering by local search: a launch a candidate centre, which the host then opens or not."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

from warpmill.checks import close, equal, holds

POINT = np.dtype([("weight", np.float32), ("cost", np.float32), ("centre", np.int32)])
ENOUGH = 0.1  # a sweep that lowers the total by a smaller share is the last one


def make(*, points, dimensions, groups, burst, seed, **search):
    """Make points in groups of uneven size and width; a stream brings those of one in bursts."""
    if min(dimensions, groups, burst) < 1:
        raise ValueError("dimensions, groups and burst are 1 or more")
    _require_sizes(points, **search)
    rng = np.random.default_rng(seed)
    middles = rng.random((groups, dimensions))
    widths = rng.uniform(0.02, 0.2, groups)
    share = 1.0 / np.arange(1, groups + 1)
    bursts = rng.geometric(1 / burst, points)
    group = np.repeat(rng.choice(groups, points, p=share / share.sum()), bursts)[:points]
    noise = rng.standard_normal((points, dimensions), np.float32)
    return {
        "points": (middles[group] + widths[group, None] * noise).astype(np.float32),
        "weights": rng.integers(1, 4, points).astype(np.float32),
        "search": search,
        "seed": seed + 1,
    }


def _require_sizes(points, *, fewest, most, candidates, limit, **_):
    if not 1 <= fewest <= most or fewest >= points:
        raise ValueError("fewest is 1 or more, at most as large as most, and below points")
    if not 1 <= candidates <= points or limit < 1:
        raise ValueError("candidates are 1 to points, limit is 1 or more")


@dataclass
class Clusters:
    """Points with their weights, and the centre and the cost of each."""

    points: np.ndarray
    weights: np.ndarray
    centre: np.ndarray
    cost: np.ndarray

    @property
    def open(self):
        """The centres: each is its own."""
        return np.flatnonzero(self.centre == np.arange(len(self.centre)))

    def total(self, price):
        """Add up the costs of all points, and the price of each centre."""
        return self.cost.sum(dtype=np.float64) + price * len(self.open)

    def move(self, chosen, centre):
        """Move some points to a centre."""
        self.cost[chosen] = costs(self.points[chosen], self.points[centre], self.weights[chosen])
        self.centre[chosen] = centre


@dataclass
class Asked:
    """What candidates would change: asked of the device, and all that was answered."""

    device: Any
    kernel: Any
    block: int
    coordinates: Any
    history: list[dict[str, Any]] = field(default_factory=list)

    def gains(self, clusters, candidate):
        """Give the sums over the columns of the work memory, and which points would move."""
        count, dimensions = clusters.points.shape
        centres = clusters.open
        columns = np.zeros(count, np.int32)
        columns[centres] = np.arange(len(centres))
        rows = np.empty(count, POINT)
        rows["weight"], rows["cost"] = clusters.weights, clusters.cost
        rows["centre"] = clusters.centre
        points = self.device.array(rows, name="points")
        columns = self.device.array(columns, name="columns")
        work = self.device.zeros((count, len(centres) + 1), np.float32, name="work")
        moves = self.device.zeros(count, np.bool_, name="moves")
        given = [count, dimensions, candidate, points, len(centres), self.coordinates, work]
        given += [columns, moves]
        grid, shared = -(-count // self.block), 4 * dimensions
        self.device.launch(self.kernel, grid, self.block, given, shared=shared)
        answer = {"sums": work.get().sum(axis=0, dtype=np.float64), "moves": moves.get()}
        asked = {"candidate": candidate, "centre": clusters.centre.copy()}
        self.history.append({**asked, **answer})
        for array in (points, columns, work, moves):
            array.free()
        return answer["sums"], answer["moves"]

    def results(self):
        """Give the history as arrays: a row a launch, but all sums one after another."""
        columns = {name: [one[name] for one in self.history] for name in self.history[0]}
        sums = np.concatenate(columns.pop("sums"))
        return {**{name: np.array(column) for name, column in columns.items()}, "sums": sums}


def run(device, modules, inputs):
    """Search for the price of a centre at which there are as many of them as are wanted."""
    points, weights, search = inputs["points"], inputs["weights"], inputs["search"]
    rng = np.random.default_rng(inputs["seed"])
    kernel = modules["streamcluster"]["pgain_cost"]
    by_dimension = np.ascontiguousarray(points.T)
    asked = Asked(device, kernel, search["block"], device.array(by_dimension, name="coordinates"))
    low, high = 0.0, float(costs(points, points[0], weights).sum(dtype=np.float64))
    price = high / 2
    clusters = first_clusters(points, weights, price, rng)
    while len(clusters.open) < search["fewest"]:
        high, price = price, (low + price) / 2
        clusters = first_clusters(points, weights, price, rng)
    prices = []
    while True:
        improve(asked, clusters, price, search, rng)
        prices += [price] * (len(asked.history) - len(prices))
        count = len(clusters.open)
        is_right = search["fewest"] <= count <= search["most"]
        if is_right or low >= 0.999 * high or len(asked.history) >= search["limit"]:
            final = {"final centres": clusters.centre, "final costs": clusters.cost}
            return {**asked.results(), "prices": np.array(prices), **final}
        low, high = (price, high) if count > search["most"] else (low, price)
        price = (low + high) / 2


def first_clusters(points, weights, price, rng):
    """Open centres in one pass: the dearer a point, the likelier it becomes one."""
    order = rng.permutation(len(points))
    draws = rng.random(len(points)) * price
    centre = np.full(len(points), order[0], np.int32)
    clusters = Clusters(points, weights, centre, costs(points, points[order[0]], weights))
    at = 1
    while True:
        opening = np.flatnonzero(draws[at:] < clusters.cost[order[at:]])
        if not len(opening):
            return clusters
        at += opening[0]
        new = order[at]
        clusters.move(costs(points, points[new], weights) < clusters.cost, new)


def improve(asked, clusters, price, search, rng):
    """Sweep over random candidates as long as that helps."""
    while True:
        before = clusters.total(price)
        for candidate in rng.choice(len(clusters.points), search["candidates"], replace=False):
            if len(asked.history) >= search["limit"]:
                return
            try_candidate(asked, clusters, int(candidate), price)
        if before - clusters.total(price) <= ENOUGH * before:
            return


def try_candidate(asked, clusters, candidate, price):
    """Open a centre if that lowers the total; close those that then cost more than they save."""
    centres = clusters.open
    (*lost, gained), moves = asked.gains(clusters, candidate)
    saved = price + np.array(lost)
    closing = (saved > 0) & (centres != candidate)
    opening = 0.0 if candidate in centres else price
    if opening + gained - saved[closing].sum() < 0:
        clusters.move(moves | np.isin(clusters.centre, centres[closing]), candidate)


def costs(points, centre, weights):
    """Give the squared distances from a centre, times the weights."""
    apart = points - centre
    return np.einsum("ij,ij->i", apart, apart) * weights


def check(inputs, results):
    """Compare each launch's answer, and the final clusters, with costs in double precision.

    Sums are taken relative to what all points cost, now and with the candidate. Points that the
    candidate costs what they cost now, to single precision, may or may not move.
    """
    final = results["final centres"]
    ways = np.vstack([results["centre"], final])
    used = np.unique(np.append(ways, results["candidate"]))
    points = inputs["points"].astype(np.float64)
    table = cdist(points, points[used], "sqeuclidean") * inputs["weights"][:, None]
    now = np.array([_costs_of(table, used, way) for way in ways])
    offered = np.array([_costs_of(table, used, candidate) for candidate in results["candidate"]])
    oracle = "scipy.spatial.distance.cdist, in float64"
    is_close = abs(offered - now[:-1]) <= 1e-5 * now[:-1]
    yield holds("moves", is_close | (results["moves"] == (offered < now[:-1])), oracle)
    expected = [_sums(*one) for one in zip(ways[:-1], now[:-1], offered, strict=True)]
    scale = (now[:-1] + offered).sum(axis=1)
    scale = np.repeat(scale, [len(sums) for sums in expected])
    got, sums = results["sums"], np.concatenate(expected) / scale
    if got.shape == sums.shape:  # else they are about other centres, and wrong
        got = got / scale
    yield close("sums", got, sums, oracle, rtol=0.0, atol=2e-7)
    yield close("final costs", results["final costs"], now[-1], oracle, rtol=1e-5)
    yield equal("final centres", final[final], final, "each centre is its own")
    counts = np.array([len(np.unique(way)) for way in ways])
    before = now[:-1].sum(axis=1) + results["prices"] * counts[:-1]
    after = now[1:].sum(axis=1) + results["prices"] * counts[1:]
    is_same = (ways[1:] == ways[:-1]).all(axis=1)
    yield holds("totals", is_same | (after < before), "each change lowers the total")


def _sums(way, now, offered):
    """Add up what each centre's points would lose if it closed, and what others gain."""
    columns, column = np.unique(way, return_inverse=True)
    moves = offered < now
    column = np.where(moves, len(columns), column)
    return np.bincount(column, np.where(moves, 1, -1) * (offered - now), len(columns) + 1)


def _costs_of(table, used, centre):
    """Look up what each point costs with a centre, its own or one for all."""
    return table[np.arange(len(table)), np.searchsorted(used, centre)]
