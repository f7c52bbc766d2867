"""Places in a grid or a block, and their numbers: x turns fastest, then y, then z.

It is how threads of a block are numbered (CUDA guide, Thread Hierarchy), and how CTAs go to SMs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

N = TypeVar("N", int, "npt.NDArray[np.int64]")

Sides = tuple[int, int, int]


def ravel_index(place: Sides, sides: Sides) -> int:
    """Give the number of a place.

    >>> ravel_index((1, 2, 3), (4, 5, 6))
    69
    """
    return place[0] + sides[0] * (place[1] + sides[1] * place[2])


def unravel_index(number: N, sides: Sides) -> tuple[N, N, N]:
    """Give the place of a number, or of an array of them.

    >>> unravel_index(69, (4, 5, 6))
    (1, 2, 3)
    """
    x, y, _ = sides
    return number % x, number // x % y, number // (x * y)


def places_of(numbers: npt.NDArray[np.int64], sides: Sides) -> tuple[Sides, ...]:
    """Give the places of an array of numbers, each as plain numbers."""
    return tuple(zip(*(axis.tolist() for axis in unravel_index(numbers, sides)), strict=True))
