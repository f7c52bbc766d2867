"""Searches in a B+ tree that the host builds: keys, then ranges, one launch each."""

import numpy as np

from warpmill.checks import equal

ORDER = 256  # that the kernels were made for
NO_KEY = np.iinfo(np.int32).max
NODE = np.dtype(
    [
        ("location", np.int32),
        ("indices", np.int32, ORDER + 1),
        ("keys", np.int32, ORDER + 1),
        ("is_leaf", np.bool_),
        ("key_count", np.int32),
    ],
    align=True,
)


def make(*, records, keys, ranges, span, absent, seed):
    """Make keys with uneven gaps, and queries that crowd in some parts of them.

    Some queries are those that are easily got wrong: at both ends of the tree and beyond, and
    for keys that part the children of inner nodes.
    """
    if keys < 8 or ranges < 6 or not 0 <= absent <= 1:
        raise ValueError("keys is at least 8, ranges at least 6, absent from 0 to 1")
    if not 1 <= span <= records:
        raise ValueError("span is from 1 to the number of records")
    rng = np.random.default_rng(seed)
    gaps = 1 + np.minimum(3 * rng.pareto(1.2, records), 1000).astype(np.int64)
    stored = (1000 + np.cumsum(gaps)).astype(np.int32)
    nodes, height = bulk_load(stored, np.random.default_rng(seed + 1))
    parting = np.searchsorted(stored, _separators(nodes))
    wanted = _some_absent(stored[_crowded(records, keys, rng)], absent, rng)
    least, greatest = stored[0], stored[-1]
    wanted[:4] = least - 1, least, greatest, greatest + 1
    _put(wanted, 4, stored[_spread(parting, 4)])
    start = np.minimum(_crowded(records, ranges, rng), records - span)
    first = _some_absent(stored[start], absent, rng)
    last = _some_absent(stored[start + span - 1], absent, rng)
    first[0], last[1] = least - 1, greatest + 1
    for at, lead in ((2, 0), (4, span - 1)):  # ranges that begin with such a key, or end with one
        start = parting - lead
        start = _spread(start[(start >= 0) & (start + span <= records)], 2)
        _put(first, at, stored[start])
        _put(last, at, stored[start + span - 1])
    return {
        "keys": stored,
        "records": rng.permutation(records).astype(np.int32),
        "wanted": wanted,
        "first": first,
        "last": last,
        "nodes": nodes,
        "height": height,
    }


def _crowded(records, count, rng):
    """Draw places among the keys: half of them near a few popular ones, half anywhere."""
    near = rng.choice(rng.integers(0, records, 8), count) + rng.normal(0, records / 500, count)
    places = np.where(rng.random(count) < 0.5, near, rng.integers(0, records, count))
    return np.clip(places.astype(np.int64), 0, records - 1)


def _some_absent(wanted, share, rng):
    """Replace some keys by the next integers, which may or may not be keys as well."""
    return wanted + (rng.random(len(wanted)) < share).astype(np.int32)


def _separators(nodes):
    """Give the keys that part the children of inner nodes, the root's first."""
    keys = nodes["keys"][~nodes["is_leaf"], 1:]
    return keys[keys != NO_KEY]


def _spread(places, most):
    """Take the first of some places, and others evenly spread; ``most`` at most."""
    return places[:: max(1, -(-len(places) // most))]


def _put(array, at, values):
    """Replace a part of an array."""
    array[at : at + len(values)] = values


def bulk_load(keys, rng):
    """Build the tree from sorted keys, level by level; its nodes, the root first, and its height.

    Nodes are full to between a half and all of the order, as after insertions.
    """
    levels = [(keys, _fills(len(keys), rng))]
    while len(levels[-1][1]) > 1:
        least, fills = levels[-1]
        least = least[np.cumsum(fills) - fills]
        levels.append((least, _fills(len(least), rng)))
    nodes = np.zeros(sum(len(fills) for _, fills in levels), NODE)
    nodes["location"] = np.arange(len(nodes))
    nodes["keys"] = NO_KEY
    base = 0
    for least, fills in reversed(levels):
        below = base + len(fills)  # where the next level's nodes begin
        is_leaf = least is keys
        entry = np.arange(len(least))
        node = np.repeat(np.arange(base, below), fills)
        slot = entry - np.repeat(np.cumsum(fills) - fills, fills)
        nodes["keys"][node, slot] = least
        nodes["indices"][node, slot] = entry if is_leaf else entry + below
        nodes["is_leaf"][base:below] = is_leaf
        nodes["key_count"][base:below] = fills
        base = below
    return nodes, len(levels) - 1


def _fills(entries, rng):
    """Draw how many entries each node of a level has; one node takes them all, if it can."""
    if entries <= ORDER:
        return np.array([entries])
    fills = rng.integers(ORDER // 2, ORDER + 1, 2 * entries // ORDER + 1)
    nodes = np.searchsorted(np.cumsum(fills), entries) + 1
    fills[nodes - 1] -= fills[:nodes].sum() - entries
    return fills[:nodes]


def run(device, modules, inputs):
    """Look up the keys, then the ranges."""
    nodes = inputs["nodes"]
    tree = inputs["height"], device.array(nodes, name="nodes"), len(nodes)
    module = modules["btree"]
    return {
        **find_keys(device, module["findK"], tree, inputs),
        **find_ranges(device, module["findRangeK"], tree, inputs),
    }


def find_keys(device, kernel, tree, inputs):
    """Look up keys: the record of each, -1 where there is none."""
    count = len(inputs["wanted"])
    records = device.array(inputs["records"], name="records")
    wanted = device.array(inputs["wanted"], name="wanted")
    answers = device.array(np.full(count, -1, np.int32), name="answers")
    places = [device.zeros(count, np.int32, name=name) for name in ("current", "next")]
    device.launch(kernel, count, ORDER, [*tree, records, *places, wanted, answers])
    return {"answers": answers.get()}


def find_ranges(device, kernel, tree, inputs):
    """Look up ranges: the first record of each, -1 without one, and the number of records."""
    count = len(inputs["first"])
    names = ("current", "next", "current_last", "next_last")
    places = [device.zeros(count, np.int32, name=name) for name in names]
    ends = [device.array(inputs[name], name=name) for name in ("first", "last")]
    starts = device.array(np.full(count, -1, np.int32), name="starts")
    lengths = device.zeros(count, np.int32, name="lengths")
    device.launch(kernel, count, ORDER, [*tree, *places, *ends, starts, lengths])
    return {"starts": starts.get(), "lengths": lengths.get()}


def check(inputs, results):
    """Compare with binary searches among the sorted keys."""
    place, found = _searched(inputs, "wanted")
    answers = np.where(found, inputs["records"][place], -1)
    yield equal("answers", results["answers"], answers, "numpy.searchsorted")
    first, has_first = _searched(inputs, "first")
    last, has_last = _searched(inputs, "last")
    starts = np.where(has_first, first, -1)
    lengths = np.where(has_first & has_last, last - first + 1, 0)
    yield equal("starts", results["starts"], starts, "numpy.searchsorted")
    yield equal("lengths", results["lengths"], lengths, "numpy.searchsorted")


def _searched(inputs, name):
    keys, wanted = inputs["keys"], inputs[name]
    place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return place, keys[place] == wanted
