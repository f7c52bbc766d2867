"""Algorithm 1 of Stargazer: which terms enter a model, and in which order.

As printed: the first term by R²; then the one of the highest adjusted R², where that is more than θ
above the R² of the model so far; after each, its interactions with terms that are there, where the
adjusted R² is more than φ above. So the adjusted R² of a tentative model is compared with the plain
R² of the model, which asks for more than adjusted R² of both would.

What the paper leaves open: a tentative model with as many columns as there are samples fits
whatever was measured. It has no adjusted R², and is not chosen. A term without a column of its own
(all follow from what is there) is not chosen either. Of equal terms the first one is chosen, and
differences below ``ROUNDING`` count as none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from warpmill.simulator.regression.model import Term

ROUNDING = 1e-12
"""R² that differ by less than this are equal."""


class Score(NamedTuple):
    """What a tentative model would be."""

    r_squared: float
    adjusted: float


class Scorer(Protocol):
    """A model that grows: says what it would be with a term more, and takes one."""

    def score(self, term: Term) -> Score | None:
        """Give R² and adjusted R² of the model and a term; None for one that cannot be chosen."""

    def add(self, term: Term) -> float:
        """Put a term into the model and give its R²."""


def select_terms(
    parameters: Sequence[str], model: Scorer, theta: float, phi: float
) -> tuple[Term, ...]:
    """Choose terms as Algorithm 1 does; ``model`` has none, and then those that are given back."""
    remaining = list(parameters)
    first = best_of(model, _basic(remaining), "r_squared")
    if first is None:
        return ()
    chosen, r_squared = [first[0]], model.add(first[0])
    remaining.remove(first[0][0])
    while remaining:
        found = best_of(model, _basic(remaining), "adjusted")
        if found is None or not found[1] - r_squared > theta + ROUNDING:
            break
        (new,) = found[0]
        earlier = [term[0] for term in chosen if len(term) == 1]
        chosen.append(found[0])
        r_squared = model.add(found[0])
        remaining.remove(new)
        while earlier:
            found = best_of(model, [(new, name) for name in earlier], "adjusted")
            if found is None or not found[1] - r_squared > phi + ROUNDING:
                break
            chosen.append(found[0])
            r_squared = model.add(found[0])
            earlier.remove(found[0][1])
    return tuple(chosen)


def best_of(model: Scorer, terms: Iterable[Term], measure: str) -> tuple[Term, float] | None:
    """Give the term with the highest score, and that; the first one of those that are equal."""
    best: tuple[Term, float] | None = None
    for term in terms:
        score = model.score(term)
        if score is None:
            continue
        value: float = getattr(score, measure)
        if best is None or value > best[1] + ROUNDING:
            best = term, value
    return best


def _basic(names: Iterable[str]) -> list[Term]:
    return [(name,) for name in names]
