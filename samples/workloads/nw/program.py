"""Needleman-Wunsch: a launch for each anti-diagonal of tiles, first growing, then shrinking."""

import numpy as np

from warpmill.checks import equal

TILE = 16  # symbols a side of a block's tile, as the kernels have it
ALPHABET = 24  # amino acids, and letters for several of them


def make(symbols, penalty, seed):
    """Draw two sequences, the second with stretches of the first, and scores of pairs of symbols.

    The scores are symmetric, as those of BLOSUM tables are: high for equal symbols, low for most
    others.
    """
    if symbols < 1 or symbols % TILE:
        raise ValueError(f"symbols is a multiple of {TILE}")
    rng = np.random.default_rng(seed)
    drawn = np.triu(rng.integers(-4, 4, (ALPHABET, ALPHABET)), 1)
    table = drawn + drawn.T + np.diag(rng.integers(4, 12, ALPHABET))
    first, second = rng.integers(0, ALPHABET, (2, symbols))
    kept = np.repeat(rng.random(-(-symbols // 32)) < 0.5, 32)[:symbols]
    second = np.where(kept, np.roll(first, 5), second)
    return {"first": first, "second": second, "table": table.astype(np.int32), "penalty": penalty}


def run(device, modules, inputs):
    """Score all pairs of beginnings of the two sequences; the whole table of scores."""
    count, penalty, module = len(inputs["first"]), inputs["penalty"], modules["nw"]
    start = np.zeros((count + 1, count + 1), np.int32)
    start[0] = start[:, 0] = -penalty * np.arange(count + 1)
    similarity = inputs["table"][np.ix_(inputs["first"], inputs["second"])]
    scores = device.array(start, name="scores")
    similarity = device.array(similarity, name="similarity")
    tiles = count // TILE
    for diagonal in range(tiles):
        arguments = [scores, similarity, count, penalty, diagonal]
        device.launch(module["nw_upper_left"], diagonal + 1, TILE, arguments)
    for diagonal in range(1, tiles):
        arguments = [scores, similarity, count, penalty, diagonal]
        device.launch(module["nw_lower_right"], tiles - diagonal, TILE, arguments)
    return {"scores": scores.get()}


def check(inputs, results):
    """Score row by row; with the gaps' penalties added, a run of gaps is a running maximum."""
    penalty = inputs["penalty"]
    gaps = penalty * np.arange(len(inputs["second"]) + 1)
    rows = [-gaps]
    for number, symbol in enumerate(inputs["first"], start=1):
        paired = rows[-1][:-1] + inputs["table"][symbol, inputs["second"]]
        best = np.maximum(paired, rows[-1][1:] - penalty)
        rows.append(np.maximum.accumulate(np.append(-penalty * number, best) + gaps) - gaps)
    against = "rows with numpy.maximum.accumulate"
    yield equal("scores", results["scores"], np.stack(rows), against)
