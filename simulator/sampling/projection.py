"""From what was measured to the whole: cycles, and where they lie with 95 % confidence.

The instructions of a stratum are taken to go on at the CPI of its measured units: §III of TBPoint
and Equation 1 of GT-Pin, which are ratio estimates. How far this is off is told by the spread of
CPI inside the strata: from units measured twice, else from how unlike the members are.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import combinations

import numpy as np
import numpy.typing as npt

from simulator.sampling.model import Projection, Selection, Stratum

Floats = npt.NDArray[np.float64]

_QUANTILE = 0.975


def project(
    selection: Selection, cycles: Mapping[int, float], features: Floats | None = None
) -> Projection:
    """Project the cycles of the whole from those of the chosen units, by their numbers.

    ``features`` has a row for each unit, of the kind that it was put into its stratum by; how far
    measured units differ in them and in CPI tells how far others may. Without them, and without a
    stratum of which two units were measured, the interval is None, unless all units were measured.
    ValueError where a chosen unit was not measured.
    """
    lacking = [number for number in selection.chosen if number not in cycles]
    if lacking:
        raise ValueError(f"no cycles of chosen units {lacking}")
    total, variance, known = 0.0, 0.0, True
    pooled = _pooled_spread(selection, cycles)
    per_distance = None if features is None else _per_distance(selection, cycles, features)
    for stratum in selection.strata:
        rate = _rate(selection, stratum, cycles)
        every = sum(selection.units[n].warp_instructions for n in stratum.members)
        measured = sum(selection.units[n].warp_instructions for n in stratum.chosen)
        total += sum(cycles[n] for n in stratum.chosen) + rate * (every - measured)
        rest = [n for n in stratum.members if n not in stratum.chosen]
        if not rest or every == measured:
            continue
        spread = _spread(selection, stratum, cycles, pooled)
        if spread is None and per_distance is not None and features is not None:
            spread = per_distance * _distance(stratum, rest, features)
        if spread is None:
            known = False
            continue
        sizes = np.array([selection.units[n].warp_instructions for n in rest], np.float64)
        own = spread**2 * (sizes**2).sum() + (spread * sizes.sum()) ** 2 / len(stratum.chosen)
        variance += rate**2 * own
    if not known:
        return Projection(total, None)
    half = _factor(selection, pooled) * math.sqrt(variance)
    return Projection(total, (total - half, total + half))


def _rate(selection: Selection, stratum: Stratum, cycles: Mapping[int, float]) -> float:
    """Give the cycles a warp instruction of a stratum's measured units, together."""
    instructions = sum(selection.units[n].warp_instructions for n in stratum.chosen)
    return sum(cycles[n] for n in stratum.chosen) / max(1, instructions)


def _deviations(selection: Selection, stratum: Stratum, cycles: Mapping[int, float]) -> Floats:
    """Give the relative differences of measured units' CPI from that of all of them."""
    rate = _rate(selection, stratum, cycles)
    units = [(selection.units[n].warp_instructions, cycles[n]) for n in stratum.chosen]
    return np.array([c / (i * rate) - 1.0 for i, c in units if i and rate], np.float64)


def _spread(
    selection: Selection, stratum: Stratum, cycles: Mapping[int, float], pooled: float | None
) -> float | None:
    """Give the relative standard deviation of CPI in a stratum: its own, else that of all."""
    own = _deviations(selection, stratum, cycles)
    if len(own) > 1:
        return math.sqrt(float((own**2).sum()) / (len(own) - 1))
    return pooled


def _pooled_spread(selection: Selection, cycles: Mapping[int, float]) -> float | None:
    each = [_deviations(selection, stratum, cycles) for stratum in selection.strata]
    squares = sum(float((own**2).sum()) for own in each if len(own) > 1)
    freedom = sum(len(own) - 1 for own in each if len(own) > 1)
    return math.sqrt(squares / freedom) if freedom else None


def _per_distance(
    selection: Selection, cycles: Mapping[int, float], features: Floats
) -> float | None:
    """Give how far CPI differs, relatively, for each distance between measured units.

    Root mean squares of both over all pairs. None where there are no two units that differ.
    """
    chosen = [n for n in selection.chosen if cycles[n] and selection.units[n].warp_instructions]
    rates = {n: math.log(cycles[n] / selection.units[n].warp_instructions) for n in chosen}
    pairs = list(combinations(chosen, 2))
    differences = sum((rates[a] - rates[b]) ** 2 for a, b in pairs)
    distances = sum(float(((features[a] - features[b]) ** 2).sum()) for a, b in pairs)
    return math.sqrt(differences / distances) if distances else None


def _distance(stratum: Stratum, rest: list[int], features: Floats) -> float:
    """Give the root mean square distance of members from the nearest measured one."""
    chosen = features[list(stratum.chosen)]
    squares = [float(((chosen - features[n]) ** 2).sum(axis=1).min()) for n in rest]
    return math.sqrt(sum(squares) / len(squares))


def _factor(selection: Selection, pooled: float | None) -> float:
    """Give how many standard deviations hold 95 %: Student's, where they were measured."""
    from scipy.stats import norm, t  # noqa: PLC0415 - slow to load

    if pooled is None:
        return float(norm.ppf(_QUANTILE))
    freedom = sum(len(stratum.chosen) - 1 for stratum in selection.strata)
    return float(t.ppf(_QUANTILE, max(1, freedom)))
