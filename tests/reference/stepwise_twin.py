"""Stargazer's Algorithm 1 the slow way: statsmodels fits every tentative model from scratch.

Columns are those of natural splines in truncated powers (Hastie, Tibshirani, Friedman: The Elements
of Statistical Learning, 5.4), which span the same as any other natural splines with these knots.
"""

import warnings

import numpy as np
from statsmodels.regression.linear_model import OLS
from statsmodels.tools.sm_exceptions import ModelWarning

EQUAL = 1e-12


def natural_columns(values, measured):
    """X and, for more than two knots, the truncated powers; a row for each value."""
    low, high = min(measured), max(measured)
    knots = np.linspace(0, 1, min(3, len(measured) - 2) + 2)
    x = (np.array(values, dtype=float) - low) / (high - low)

    def curved(k):
        beyond = np.maximum(x - knots[k], 0) ** 3 - np.maximum(x - knots[-1], 0) ** 3
        return beyond / (knots[-1] - knots[k])

    last = len(knots) - 2
    return np.column_stack([x, *(curved(k) - curved(last) for k in range(last))])


def columns_of(values, measured):
    """A parameter's columns: words have one for each but one."""
    if any(isinstance(value, str) for value in measured):
        words = sorted(measured)[1:]
        return np.array([[float(value == word) for word in words] for value in values])
    return natural_columns(values, sorted(measured))


def term_columns(points, samples, term):
    """All products of the columns of a term's parameters at points."""
    own = [columns_of([p[name] for p in points], {s[name] for s in samples}) for name in term]
    if len(own) == 1:
        return own[0]
    return np.column_stack([a * b for a in own[0].T for b in own[1].T])


def design(points, samples, terms):
    """A constant and the columns of terms."""
    columns = [term_columns(points, samples, term) for term in terms]
    return np.hstack([np.ones((len(points), 1)), *columns])


def fitted(samples, measured, terms):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)  # columns may follow from others
        return OLS(np.array(measured), design(samples, samples, terms)).fit()


def best(tentative, measure):
    found = None
    for terms, fit in tentative:
        value = getattr(fit, measure)
        if found is None or value > found[1] + EQUAL:
            found = terms, value
    return found


def stepwise(names, samples, measured, theta, phi):
    """The terms in order of entry, and R² after each."""

    def fits(current, terms):
        rank = fitted(samples, measured, current).df_model if current else 0
        for term in terms:
            fit = fitted(samples, measured, [*current, term])
            if fit.df_resid >= 1 and fit.df_model > rank:
                yield [*current, term], fit

    def r_squared(terms):
        return fitted(samples, measured, terms).rsquared

    remaining = list(names)
    model = best(fits([], [(n,) for n in remaining]), "rsquared")[0]
    remaining.remove(model[0][0])
    while remaining:
        found = best(fits(model, [(n,) for n in remaining]), "rsquared_adj")
        if found is None or not found[1] - r_squared(model) > theta + EQUAL:
            break
        earlier = [term[0] for term in model if len(term) == 1]
        model = found[0]
        new = model[-1][0]
        remaining.remove(new)
        while earlier:
            found = best(fits(model, [(new, n) for n in earlier]), "rsquared_adj")
            if found is None or not found[1] - r_squared(model) > phi + EQUAL:
                break
            model = found[0]
            earlier.remove(model[-1][1])
    return model, [r_squared(model[: k + 1]) for k in range(len(model))]
