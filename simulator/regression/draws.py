"""Points of a design space to simulate: drawn evenly, by Latin hypercubes, by Sobol's sequence.

§5.1 draws "randomly and uniformly from the full space": every set of distinct allowed points is
equally likely. Latin hypercubes and Sobol's sequence are laid over the values themselves, and over
the allowed combinations of parameters that conditions tie together; so each value of a parameter
that no condition ties comes about equally often, and no point has to be thrown away but repeated
ones. In all of them the points depend on the space, the count and the seed only.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.naming import suggestion
from warpmill.simulator.regression.parameters import Point, Value
from warpmill.simulator.regression.space import Codes, DesignSpace

Ranks = npt.NDArray[np.int64]
_Row = tuple[int, ...]

_TRIES = 20
"""Latin hypercubes that are looked at for one without repeated points."""
_DOUBLINGS = 4
"""Times that Sobol's sequence is continued where points repeat."""


def draw(
    space: DesignSpace,
    count: int,
    *,
    method: str = "random",
    seed: int = 0,
    besides: Iterable[Point] = (),
) -> tuple[dict[str, Value], ...]:
    """Choose distinct allowed points: by the method ``random``, ``lhs`` or ``sobol``.

    ``besides`` are points that are not chosen again. UsageError where fewer are left than are
    asked for.
    """
    return space.points_of(draw_codes(space, count, method=method, seed=seed, besides=besides))


def draw_codes(
    space: DesignSpace,
    count: int,
    *,
    method: str = "random",
    seed: int = 0,
    besides: Iterable[Point] = (),
) -> Codes:
    """Choose points as ``draw`` does, and give their codes."""
    if method not in _METHODS:
        hint = suggestion(method, _METHODS) or f"there are {', '.join(_METHODS)}"
        raise UsageError(f"there is no method `{method}` of drawing points; {hint}")
    taken = {_row(space, point) for point in besides if point in space}
    left = space.count - len(taken)
    if not 0 < count <= left:
        words = f"{count:,} points are asked for" if count > 0 else "no points are asked for"
        raise UsageError(f"{words}, and the space has {left:,} to choose from")
    rng = np.random.default_rng(seed)
    chosen = _METHODS[method](space, count, rng, taken)
    chosen += _evenly(space, count - len(chosen), rng, taken | set(chosen))
    return space.codes_of_ranks(np.array(chosen, dtype=np.int64))


def share_of(space: DesignSpace, share: float | Fraction) -> int:
    """How many points a share of the allowed ones is, at least one. UsageError."""
    _check_share(share)
    return max(1, math.ceil(Fraction(str(share)) * space.count))


def share_of_each(space: DesignSpace, share: float | Fraction) -> int:
    """How many points there are with that share of each parameter's values. UsageError."""
    _check_share(share)
    part = Fraction(str(share))
    wanted = math.prod(math.ceil(part * len(each.values)) for each in space.parameters)
    return min(wanted, space.count)


def _check_share(share: float | Fraction) -> None:
    if not 0 < share <= 1:
        raise UsageError(f"a share of a space is above 0 and at most 1, not {share}")


def _row(space: DesignSpace, point: Point) -> _Row:
    (codes,) = space.codes_of([point])
    return tuple(int(part.ranks[tuple(codes[list(part.columns)])]) for part in space.parts)


def _lengths(space: DesignSpace) -> npt.NDArray[np.int64]:
    return np.array([len(part.rows) for part in space.parts], dtype=np.int64)


def _evenly(
    space: DesignSpace, count: int, rng: np.random.Generator, taken: set[_Row]
) -> list[_Row]:
    """Draw distinct rows that are not taken, all equally likely."""
    if count == 0:
        return []
    if space.count > 8 * (count + len(taken)):
        return _repeatedly(space, count, rng, taken)
    numbers = rng.permutation(space.count)
    chosen: list[_Row] = []
    for start in range(0, len(numbers), count):
        rows = _new(_ranks_of(space, numbers[start : start + count]), taken)
        chosen += rows[: count - len(chosen)]
        if len(chosen) == count:
            break
    return chosen


def _repeatedly(
    space: DesignSpace, count: int, rng: np.random.Generator, taken: set[_Row]
) -> list[_Row]:
    """Draw rows part by part, and again where one is there already."""
    lengths, chosen = _lengths(space), dict.fromkeys(taken)
    while len(chosen) < count + len(taken):
        missing = count + len(taken) - len(chosen)
        drawn = rng.integers(0, lengths, (missing, len(lengths)))
        chosen.update(dict.fromkeys(map(tuple, drawn.tolist())))
    return list(chosen)[len(taken) :]


def _ranks_of(space: DesignSpace, numbers: npt.NDArray[np.int64]) -> Ranks:
    return np.stack(np.unravel_index(numbers, tuple(_lengths(space).tolist())), axis=1)


def _new(ranks: Ranks, taken: set[_Row]) -> list[_Row]:
    """The rows that are not taken, each once, in order."""
    return [row for row in dict.fromkeys(map(tuple, ranks.tolist())) if row not in taken]


def _on_lattice(points: npt.NDArray[np.float64], lengths: npt.NDArray[np.int64]) -> Ranks:
    """Rows of the parts for points of the unit cube."""
    ranks: Ranks = np.floor(points * lengths).astype(np.int64)
    return np.minimum(ranks, lengths - 1)


def _no_method(_s: DesignSpace, _c: int, _r: np.random.Generator, _t: set[_Row]) -> list[_Row]:
    """Leave all points to be drawn evenly."""
    return []


def _latin_hypercube(
    space: DesignSpace, count: int, rng: np.random.Generator, taken: set[_Row]
) -> list[_Row]:
    """A Latin hypercube, of several the first one with the fewest repeated points."""
    from scipy.stats import qmc  # noqa: PLC0415 - slow to load

    sampler, lengths = qmc.LatinHypercube(len(space.parts), rng=rng), _lengths(space)
    best: list[_Row] = []
    for _ in range(_TRIES):
        rows = _new(_on_lattice(sampler.random(count), lengths), taken)
        best = max(best, rows, key=len)
        if len(best) == count:
            break
    return best


def _sobol(
    space: DesignSpace, count: int, rng: np.random.Generator, taken: set[_Row]
) -> list[_Row]:
    """The first new points of Sobol's sequence, scrambled."""
    from scipy.stats import qmc  # noqa: PLC0415 - slow to load

    sampler, lengths = qmc.Sobol(len(space.parts), rng=rng), _lengths(space)
    power = max(1, math.ceil(math.log2(count)))
    rows = _new(_on_lattice(sampler.random_base2(power), lengths), taken)
    for more in range(_DOUBLINGS):
        if len(rows) >= count:
            break
        further = _on_lattice(sampler.random_base2(power + more), lengths)
        rows = _new(np.array([*rows, *further.tolist()], dtype=np.int64), taken)
    return rows[:count]


_METHODS: dict[str, Callable[[DesignSpace, int, np.random.Generator, set[_Row]], list[_Row]]] = {
    "random": _no_method,
    "lhs": _latin_hypercube,
    "sobol": _sobol,
}
