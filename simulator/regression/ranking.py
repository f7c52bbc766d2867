"""Which parameters matter, and how alike workloads are in that: shares of R², §7.1 and §8.2.

A term's share is what R² grew by when it entered (Figure 3), so it depends on what was there: of
two parameters that tell the same, the first one has all. An interaction's share is split evenly
between its two parameters, and shown apart as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from warpmill.simulator.regression.model import Model, Term

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Importance:
    """What a parameter explains of the samples' variance: alone, and in halves of interactions."""

    name: str
    alone: float
    interactions: float

    @property
    def share(self) -> float:
        """Both together; all parameters' shares add up to the model's R²."""
        return self.alone + self.interactions


@dataclass(frozen=True, eq=False)
class Likeness:
    """How unlike workloads are, by what their figures depend on.

    ``shares`` has a row a workload and a column for each of ``parameters``: shares of what the
    model explains, which add up to 1. ``distances`` are half the sums of the absolute differences
    of two rows: from 0 for the same shares to 1 where no parameter matters to both. NaN where a
    model explains nothing.
    """

    workloads: tuple[str, ...]
    parameters: tuple[str, ...]
    shares: Floats
    distances: Floats


def term_shares(model: Model) -> tuple[tuple[Term, float], ...]:
    """Give each term's share of R² in order of entry."""
    return tuple(zip(model.terms, model.gains, strict=True))


def rank(model: Model) -> tuple[Importance, ...]:
    """Order all parameters that were looked at, the most important first."""
    shares = term_shares(model)
    found = [_importance(each.name, shares) for each in model.parameters]
    return tuple(sorted(found, key=lambda each: -each.share))


def _importance(name: str, shares: Sequence[tuple[Term, float]]) -> Importance:
    alone = sum(share for term, share in shares if term == (name,))
    halves = sum(share / 2 for term, share in shares if len(term) > 1 and name in term)
    return Importance(name, alone, halves)


def compare_workloads(models: Mapping[str, Model]) -> Likeness:
    """Compare workloads by their models."""
    names = tuple(dict.fromkeys(p.name for model in models.values() for p in model.parameters))
    shares = np.array([_normalised(model, names) for model in models.values()])
    shares = shares.reshape(len(models), len(names))
    distances = np.abs(shares[:, None, :] - shares[None, :, :]).sum(axis=2) / 2
    return Likeness(tuple(models), names, shares, distances)


def _normalised(model: Model, names: Sequence[str]) -> list[float]:
    if model.r_squared <= 0:
        return [float("nan")] * len(names)
    own = {each.name: each.share for each in rank(model)}
    return [own.get(name, 0.0) / model.r_squared for name in names]
