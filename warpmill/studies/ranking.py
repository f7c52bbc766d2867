"""What is best: the Pareto front of two figures or more."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def pareto_front(values: Sequence[Sequence[float]], largest: Sequence[bool] = ()) -> list[int]:
    """Give which rows no other row beats: none is as good in every column and better in one.

    ``values`` are one row a point, smaller being better but in the columns that ``largest`` says.
    Rows come by the first column, the best first; of equal rows all are given.
    """
    if not len(values):
        return []
    table = np.asarray(values, np.float64)
    table[:, [bool(x) for x in largest] + [False] * (table.shape[1] - len(largest))] *= -1
    left = np.lexsort(table.T[::-1])
    front: list[int] = []
    while left.size:  # the first is beaten by none: what beats it would stand before it
        best = table[left[0]]
        front.append(int(left[0]))
        beaten = (table[left] >= best).all(axis=1) & (table[left] > best).any(axis=1)
        left = left[~beaten][1:]
    return front
