"""The affine function of whole numbers that most of a sample of addresses obey, if there is one.

Exceptions, such as clamped borders, may be a tenth. Least squares are fitted again and again to the
addresses that the last fit came nearest to (least trimmed squares), by which exceptions fall out.
The coefficients are rounded and then tried on the whole sample.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.traces.event_batch import Numbers

Floats = npt.NDArray[np.float64]

ENOUGH = 0.9
"""The share of addresses that a form has to give to the byte."""

_ROWS = 2048
"""Addresses that are fitted; all are tried."""

_ROUNDS = 12
"""Times that a fit is made anew, to the addresses that lay nearest to the last."""

_KEPT = 0.85
"""The share of addresses that count as near: less than what has to obey the form."""

_DEPENDENT = 1e-9
"""A column with less than this part of it left beside others is a combination of them."""


@dataclass(frozen=True, eq=False)
class Fit:
    """Addresses are ``offset`` and the ``coefficients`` times the columns, in ``share`` of rows."""

    offset: int
    coefficients: tuple[int, ...]
    share: float


def scrambled(numbers: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Give numbers as good as random, the same in every run: a bijection."""
    mixed = numbers + np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return mixed ^ (mixed >> np.uint64(31))


def affine_fit(columns: Numbers, addresses: Numbers) -> Fit | None:
    """Find whole coefficients of columns, shape (rows, columns), that give the addresses.

    A column that never varies, or that follows from others before it, gets 0: no sample can tell
    what it does. Where that leaves no form, the others are tried before it. No form is found where
    there are so few addresses that any would obey one.
    """
    if not addresses.size:
        return None
    chosen = _sample(len(addresses))
    some, wanted = columns[chosen].astype(np.float64), addresses[chosen]
    forward = list(range(columns.shape[1]))
    used = _independent(some, forward)
    fit = _fit_on(columns, addresses, some, wanted, used)
    varying = [k for k in forward if np.ptp(some[:, k])]
    if fit is None and len(used) < len(varying):
        others = _independent(some, forward[::-1])
        fit = _fit_on(columns, addresses, some, wanted, sorted(others))
    return fit


def _sample(rows: int) -> npt.NDArray[np.intp]:
    """Choose rows to fit, spread over all."""
    if rows <= _ROWS:
        return np.arange(rows)
    order = np.argsort(scrambled(np.arange(rows, dtype=np.uint64)), kind="stable")
    return np.sort(order[:_ROWS])


def _independent(rows: Floats, order: Sequence[int]) -> list[int]:
    """Give the columns that neither never vary nor follow from those before them."""
    found: list[int] = []
    basis: list[Floats] = []
    for number in order:
        column = rows[:, number] - rows[:, number].mean()
        size = float(np.linalg.norm(column))
        if not size:
            continue
        for _ in range(2):  # once more for the rounding of the first time
            for known in basis:
                column = column - known * (known @ column)
        left = float(np.linalg.norm(column))
        if left > _DEPENDENT * size:
            found.append(number)
            basis.append(column / left)
    return found


def _fit_on(
    columns: Numbers,
    addresses: Numbers,
    some: Floats,
    wanted: Numbers,
    used: Sequence[int],
) -> Fit | None:
    """Fit some of the columns; ``some`` and ``wanted`` are the rows that are fitted."""
    if used and len(addresses) < len(used) + 2:
        return None
    tried = set()
    for found in _solutions(some[:, used], wanted):
        if found in tried:
            continue
        tried.add(found)
        rest = wanted - (some[:, used].astype(np.int64) @ np.array(found, np.int64))
        if _share(rest)[1] < ENOUGH / 2:  # far from it, as where data say the address
            continue
        whole = addresses - columns[:, used] @ np.array(found, np.int64)
        offset, share = _share(whole)
        if share >= ENOUGH:
            coefficients = [0] * columns.shape[1]
            for number, value in zip(used, found, strict=True):
                coefficients[number] = value
            return Fit(offset, tuple(coefficients), share)
    return None


def _share(rest: Numbers) -> tuple[int, float]:
    """Give the middle of numbers, and the share that it has: where most are one, it is that."""
    offset = int(np.partition(rest, rest.size // 2)[rest.size // 2])
    return offset, float(np.count_nonzero(rest == offset)) / rest.size


def _solutions(rows: Floats, wanted: Numbers) -> Iterator[tuple[int, ...]]:
    """Give coefficients to try: those of a fit to all, then of fits to what lay near the last."""
    if not rows.shape[1]:
        yield ()
        return
    right = (wanted - int(np.median(wanted))).astype(np.float64)
    middle, scale = rows.mean(axis=0), np.ptp(rows, axis=0)
    left = np.column_stack([(rows - middle) / scale, np.ones(len(rows))])

    def whole(solution: Floats) -> tuple[int, ...]:
        return tuple(np.rint(solution[:-1] / scale).astype(np.int64).tolist())

    solution = _least_squares(left, right)
    yield whole(solution)
    place = int(_KEPT * (len(right) - 1))
    for _ in range(_ROUNDS):
        off = np.abs(right - left @ solution)
        near = off <= np.partition(off, place)[place]
        solution = _least_squares(left[near], right[near])
        yield whole(solution)


def _least_squares(left: Floats, right: Floats) -> Floats:
    """Solve for the coefficients that come nearest."""
    return np.asarray(np.linalg.lstsq(left, right, rcond=None)[0], np.float64)
