"""Cascades of boosted Haar-like features, learned from patches (Viola and Jones; AdaBoost)."""

from dataclasses import dataclass

import numpy as np

STUMP = np.dtype([
    ("place", np.uint32, 3), ("weight", np.int32, 3), ("threshold", np.float32),
    ("below", np.int32), ("above", np.int32),
])  # fmt: skip
"""A stump: its rectangles (left, top, width, height, a byte each), and its votes."""

STAGE = np.dtype([("first", np.int32), ("count", np.int32), ("least", np.int32)])
"""A stage: which stumps it has, and the votes that it wants."""

VOTE = 1024  # what one natural logarithm of the odds is in votes
KEPT = 0.998  # of the faces, by each stage


@dataclass(frozen=True)
class Cascade:
    """A cascade: its stumps and stages, as kernels read them."""

    stumps: np.ndarray
    stages: np.ndarray


def train_cascade(rng, faces, others, stages, features):
    """Learn a cascade. ``others`` are more than are used: those that still pass, at each stage.

    Each stage has more stumps than the one before. Where no others are left, later stages learn
    from those that came nearest.
    """
    side = faces.shape[1]
    pool = draw_features(rng, features, side)
    masks = masks_of(pool, side).reshape(features, -1).T
    yes, no = (normalised(patches) @ masks for patches in (faces, others))
    passed = np.ones(len(no), bool)
    stumps, made = [], []
    for stage in range(stages):
        used = np.flatnonzero(passed)
        if len(used) < len(yes) // 4:
            used = rng.choice(len(no), len(yes) // 2, replace=False)
        used = used[: len(yes)]
        count = 2 + stage * (stage + 5) // 4
        chosen = boost(np.concatenate([yes, no[used]]), len(yes), count)
        votes = [votes_of(chosen, values) for values in (yes, no)]
        least = int(np.quantile(votes[0], 1 - KEPT))
        made.append((len(stumps), count, least))
        stumps.extend(stump_of(pool, *one) for one in chosen)
        passed &= votes[1] >= least
    return Cascade(np.array(stumps, STUMP), np.array(made, STAGE))


def draw_features(rng, count, side):
    """Draw features: halves side by side or one above the other, thirds, and a checkerboard.

    Each has three rectangles with weights: the whole and one or two parts, of which the sum over
    all pixels is 0. The third one may be missing, with width 0.
    """
    features = np.zeros((count, 3, 5), np.int64)  # left, top, width, height, weight
    for number in range(count):
        across, down = ((2, 1), (1, 2), (3, 1), (1, 3), (2, 2))[number % 5]
        wide = int(rng.integers(2, side // across))
        high = int(rng.integers(2, side // down))
        left = int(rng.integers(0, side - across * wide + 1))
        top = int(rng.integers(0, side - down * high + 1))
        whole = (left, top, across * wide, down * high, -1)
        features[number, 0] = whole
        middle = (left + (across == 3) * wide, top + (down == 3) * high, wide, high)
        features[number, 1] = (*middle, 2 if across * down in (2, 4) else 3)
        if across * down == 4:
            features[number, 2] = (left + wide, top + high, wide, high, 2)
    return features


def masks_of(features, side):
    """Give the weight of each pixel, for each feature."""
    masks = np.zeros((len(features), side, side))
    for mask, rectangles in zip(masks, features, strict=True):
        for left, top, wide, high, weight in rectangles:
            mask[top : top + high, left : left + wide] += weight
    return masks


def normalised(patches):
    """Divide patches by their deviation times their pixels, as flat rows."""
    flat = patches.reshape(len(patches), -1)
    return flat / (np.maximum(flat.std(axis=1, keepdims=True), 1.0) * flat.shape[1])


def boost(values, faces, count):
    """Choose stumps by AdaBoost: (feature, threshold, votes below, votes above) of each.

    The first ``faces`` rows of ``values`` are those of faces; there is a column for each feature.
    """
    is_face = np.arange(len(values)) < faces
    weights = np.where(is_face, 0.5 / faces, 0.5 / (len(values) - faces))
    order = np.argsort(values, axis=0)
    ordered = np.take_along_axis(values, order, axis=0)
    apart = ordered[1:] > ordered[:-1]
    chosen = []
    for _ in range(count):
        signed = np.where(is_face, weights, -weights)
        below = np.cumsum(signed[order], axis=0)[:-1]  # faces less others, up to each value
        gain = np.abs(below - signed.sum() / 2) * apart
        at, feature = np.unravel_index(np.argmax(gain), gain.shape)
        threshold = float(np.float32((ordered[at, feature] + ordered[at + 1, feature]) / 2))
        side = values[:, feature] < threshold
        votes = [_odds(weights, is_face, where) for where in (side, ~side)]
        chosen.append((int(feature), threshold, *votes))
        given = np.where(side, votes[0], votes[1]) / VOTE
        weights = weights * np.exp(np.where(is_face, -given, given))
        weights /= weights.sum()
    return chosen


def _odds(weights, is_face, where):
    """Half of the logarithm of the odds that it is a face, as votes."""
    yes, no = (weights[where & kind].sum() + 1e-3 for kind in (is_face, ~is_face))
    return round(VOTE * 0.5 * np.log(yes / no))


def votes_of(chosen, values):
    """Add up the votes of stumps for the features' values."""
    votes = np.zeros(len(values), np.int64)
    for feature, threshold, below, above in chosen:
        votes += np.where(values[:, feature] < threshold, below, above)
    return votes


def stump_of(features, feature, threshold, below, above):
    """Write a stump as kernels read it."""
    rectangles = features[feature]
    places = [x | y << 8 | w << 16 | h << 24 for x, y, w, h, _ in rectangles.tolist()]
    return (places, rectangles[:, 4].tolist(), threshold, below, above)
