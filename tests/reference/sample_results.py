"""What the samples' launches should leave behind, by NumPy and SciPy: one check a sample.

A check is a function of the kernel's name and of its arguments before and after the launch, arrays
and numbers. Decompositions and solutions are judged by their backward error, as the matrices are
random and some are badly conditioned: what they multiply to is near what was given, measured by
the product of the absolute values.
"""

from __future__ import annotations

import numpy as np

ROUNDING = 2e-5
"""Of 32 bits, over some hundred operations."""


def near(found, exact, size=None):
    """Whether results are near, measured by ``size`` where cancellation makes them small."""
    measure = np.abs(exact) if size is None else size
    return bool((np.abs(np.asarray(found, np.float64) - exact) <= ROUNDING * measure + 1e-6).all())


def doubles(*arrays):
    return [np.asarray(a, np.float64) for a in arrays]


def vecadd(kernel, before, after):
    a, b = before[:2]
    return np.array_equal(after[2], a + b)


def matmul(kernel, before, after):
    a, b = doubles(*before[:2])
    return near(after[2], a @ b)


def transpose(kernel, before, after):
    return np.array_equal(after[1], before[0].T)


def reduce(kernel, before, after):
    numbers = np.zeros(after[1].size * 512)
    numbers[: before[2]] = before[0]
    return near(after[1], numbers.reshape(-1, 512).sum(axis=1))


def spmv(kernel, before, after):
    from scipy.sparse import csr_matrix  # noqa: PLC0415 - only here

    rows, columns, values, x, _, n = before
    matrix = csr_matrix((values.astype(np.float64), columns, rows), (n, len(x)))
    return near(after[4], matrix @ x.astype(np.float64), abs(matrix) @ np.abs(x))


def stencil5(kernel, before, after):
    from scipy.ndimage import convolve  # noqa: PLC0415 - only here

    centre, neighbour = doubles(*before[4:6])
    weights = np.array([[0, neighbour, 0], [neighbour, centre, neighbour], [0, neighbour, 0]])
    return near(after[1], convolve(before[0].astype(np.float64), weights, mode="nearest"))


# Prefix sums.


def scan(kernel, before, after):
    n = before[-1]
    if kernel == "scan_add":
        return np.array_equal(after[0], before[0] + np.repeat(before[1], 512)[:n])
    numbers = np.zeros(-(-n // 512) * 512, np.int32)
    numbers[:n] = before[0]
    sums = np.cumsum(numbers.reshape(-1, 512), axis=1, dtype=np.int32)
    exclusive = (sums - numbers.reshape(-1, 512)).ravel()[:n]
    return np.array_equal(after[1], exclusive) and np.array_equal(after[2], sums[:, -1])


# Sorting.


def bitonic(kernel, before, after):
    keys, sorted_keys = before[0].reshape(-1, 1024), after[0].reshape(-1, 1024)
    if kernel == "bitonic_global":
        k, j = map(int, before[1:3])
        low = np.arange(keys.size).reshape(-1, 2, j)[:, 0].ravel()
        a, b = before[0][low], before[0][low + j]
        ascends = low & k == 0
        left = np.where(ascends, np.minimum(a, b), np.maximum(a, b))
        right = np.where(ascends, np.maximum(a, b), np.minimum(a, b))
        return np.array_equal(after[0][low], left) and np.array_equal(after[0][low + j], right)
    k = 1024 if kernel == "bitonic_sort" else int(before[1])
    ascends = (np.arange(len(keys)) * 1024 & k) == 0
    up = np.sort(keys, axis=1)
    return np.array_equal(sorted_keys, np.where(ascends[:, None], up, up[:, ::-1]))


# Alignments.


def nw(kernel, before, after):
    scores, similarity, n, penalty, diagonal = before
    n, penalty, diagonal = int(n), int(penalty), int(diagonal)
    tiles, exact = n // 16, scores.copy()
    if kernel == "nw_upper_left":
        columns = np.arange(diagonal + 1)
        rows = diagonal - columns
    else:
        columns = diagonal + np.arange(tiles - diagonal)
        rows = tiles - 1 - np.arange(tiles - diagonal)
    for i in range(16):  # the recurrence, in all tiles at once
        for j in range(16):
            y, x = rows * 16 + i + 1, columns * 16 + j + 1
            gap = np.maximum(exact[y, x - 1], exact[y - 1, x]) - penalty
            exact[y, x] = np.maximum(exact[y - 1, x - 1] + similarity[y - 1, x - 1], gap)
    return np.array_equal(after[0], exact)


# Decompositions.


def factors(tile):
    """Take L, with ones on its diagonal, and U out of the place that they share."""
    return np.tril(tile, -1) + np.eye(len(tile)), np.triu(tile)


def multiplies_to(left, right, product):
    return near(left @ right, product, np.abs(left) @ np.abs(right))


def lud(kernel, before, after):
    old, new = doubles(before[0], after[0])
    n, t = len(old), 16
    lower, upper = factors(new[:t, :t])
    if kernel == "lud_product":
        tiles = [factors(old[i : i + t, i : i + t]) for i in range(0, n, t)]
        product = np.concatenate([a @ b for a, b in tiles])
        return near(after[1], product, np.concatenate([abs(a) @ abs(b) for a, b in tiles]))
    expected = old.copy()
    if kernel == "lud_diagonal":
        is_right = multiplies_to(lower, upper, old[:t, :t])
        expected[:t, :t] = new[:t, :t]
    elif kernel == "lud_perimeter":
        is_right = multiplies_to(lower, new[:t, t:], old[:t, t:])
        is_right &= multiplies_to(new[t:, :t], upper, old[t:, :t])
        expected[:t, t:], expected[t:, :t] = new[:t, t:], new[t:, :t]
    else:
        below, right = old[t:, :t], old[:t, t:]
        size = np.abs(below) @ np.abs(right) + np.abs(old[t:, t:])
        is_right = near(new[t:, t:], old[t:, t:] - below @ right, size)
        expected[t:, t:] = new[t:, t:]
    return is_right and np.array_equal(new, expected)


# Triangular systems.


def trisolve(kernel, before, after):
    if kernel == "trisolve_factor":
        return _factor(before, after)
    if kernel == "trisolve_inverse":
        return _inverse(before, after)
    matrix, sides, x = doubles(before[0], before[1], after[2])
    triangle = np.triu(matrix) if kernel == "trisolve_backward" else np.tril(matrix)
    return multiplies_to(triangle, x, sides)


def _factor(before, after):
    """Multiply L * D * L^T again; the matrices stand last.

    A pivot may come out as 0: then there is nothing to divide by, and what is above is judged.
    """
    old, new = (np.moveaxis(a, 2, 0) for a in doubles(before[0], after[0]))
    upper = np.triu_indices(old.shape[1], 1)
    untouched = np.array_equal(old[:, upper[0], upper[1]], new[:, upper[0], upper[1]])
    finite = np.isfinite(new).all(axis=(1, 2))
    judged = [_multiplies_again(old[finite], new[finite])]
    for matrix in np.flatnonzero(~finite):
        zeros = np.flatnonzero(np.diagonal(new[matrix]) == 0)
        part = np.s_[matrix : matrix + 1, : zeros[0] + 1, : zeros[0] + 1] if len(zeros) else None
        judged.append(part is not None and _multiplies_again(old[part], new[part]))
    return untouched and all(judged)


def _multiplies_again(old, new):
    pivots = np.diagonal(new, axis1=1, axis2=2)[:, None, :]
    lower = np.tril(new, -1) + np.eye(new.shape[1])
    product = (lower * pivots) @ lower.transpose(0, 2, 1)
    size = (np.abs(lower) * np.abs(pivots)) @ np.abs(lower).transpose(0, 2, 1)
    return near(np.tril(product), np.tril(old), size)


def _inverse(before, after):
    """Multiply L with its inverse; above the diagonals nothing counts and nothing changes."""
    matrix, x = (np.moveaxis(a, 2, 0) for a in doubles(before[0], after[1]))
    lower, inverse = np.tril(matrix), np.tril(x)
    size = np.abs(lower) @ np.abs(inverse)
    old = np.moveaxis(before[1], 2, 0)
    untouched = np.array_equal(np.triu(x, 1), np.triu(old, 1))
    return untouched and near(lower @ inverse, np.eye(len(matrix[0])), size)


# Options.


def binomial(kernel, before, after):
    """Walk the tree back from expiry, in double precision."""
    spot, strike = doubles(*before[:2])
    steps = {"binomial_block": before[3], "binomial_thread": before[4], "binomial_pair": 32}
    n = int(steps[kernel])
    down, ratio, up_weight, down_weight = doubles(*before[-4:])
    is_put = kernel == "binomial_thread"

    def gain(step):
        share = spot[:, None] * down**step * ratio ** np.arange(step + 1)
        return (strike[:, None] - share) if is_put else (share - strike[:, None])

    values = np.maximum(gain(n), 0)
    for step in range(n - 1, -1, -1):
        values = up_weight * values[:, 1:] + down_weight * values[:, :-1]
        if is_put:  # of American style: it may be taken at any step
            values = np.maximum(values, gain(step))
    return bool((np.abs(after[2] - values[:, 0]) < 5e-3).all())


CHECKS = {
    "binomial": binomial, "bitonic": bitonic, "lud": lud, "matmul": matmul, "nw": nw,
    "reduce": reduce, "scan": scan, "spmv": spmv, "stencil5": stencil5, "transpose": transpose,
    "trisolve": trisolve, "vecadd": vecadd,
}  # fmt: skip
