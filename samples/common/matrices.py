"""Sparse matrices in CSR form, made from a seed: with uneven and with nearly even rows."""

import numpy as np
import scipy.sparse as sp


def power_law_matrix(rows, nonzeros_per_row, seed, exponent=2.1):
    """Make a square matrix whose rows' lengths follow a power law, each at least 1, in float32.

    Lengths are cut at 64 times the mean of those drawn. The cut makes the mean smaller: the longest
    row has 64 to some 150 times the mean of all rows, by the seed, and less where there are too
    few columns. Entries that coincide count once.
    """
    rng = np.random.default_rng(seed)
    length = (1.0 - rng.random(rows)) ** (-1.0 / (exponent - 1.0))
    length = np.minimum(length, 64 * length.mean())
    length = np.maximum(1, length * (nonzeros_per_row / length.mean())).astype(np.int64)
    length = np.minimum(length, rows)
    row = np.repeat(np.arange(rows), length)
    return _matrix(rows, row, rng.integers(0, rows, len(row)), rng)


def mesh_matrix(width, height, reach, seed):
    """Make the matrix of a mesh: each node is joined to those up to ``reach`` away, in float32.

    Rows have ``(2 * reach + 1) ** 2`` entries, fewer at the border, near the diagonal, as those
    of finite elements do.
    """
    rng = np.random.default_rng(seed)
    y, x = np.divmod(np.arange(width * height), width)
    parts = []
    for dy in range(-reach, reach + 1):
        for dx in range(-reach, reach + 1):
            inside = (x + dx >= 0) & (x + dx < width) & (y + dy >= 0) & (y + dy < height)
            row = np.flatnonzero(inside)
            parts.append(np.stack([row, row + dy * width + dx]))
    return _matrix(width * height, *np.concatenate(parts, axis=1), rng)


def _matrix(rows, row, column, rng):
    pairs = np.sort(row.astype(np.int64) * rows + column)
    pairs = pairs[np.concatenate([[True], pairs[1:] != pairs[:-1]])]
    values = rng.standard_normal(len(pairs)).astype(np.float32)
    coordinates = (pairs // rows, pairs % rows)
    matrix = sp.csr_matrix((values, coordinates), shape=(rows, rows))
    matrix.indices = matrix.indices.astype(np.int32)
    matrix.indptr = matrix.indptr.astype(np.int32)
    return matrix
