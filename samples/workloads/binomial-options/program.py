"""Binomial trees of European call options: all options in one launch."""

import numpy as np
from scipy.special import ndtr
from scipy.stats import binom

from warpmill.checks import close

WINDOW, FOLDED, MOST_OPTIONS = 256, 32, 512  # as the kernel has them
RATE, VOLATILITY = 0.06, 0.10  # a year
ROUNDING = 5e-7  # of a price: thousands of roundings by 6e-8 of a node, which mostly cancel


def make(options, steps, seed):
    """Draw prices, strikes and years to expiry; find the steps and probabilities of their trees."""
    if not 1 <= options <= MOST_OPTIONS:
        raise ValueError(f"options are 1 to {MOST_OPTIONS}, what the constant memory holds")
    if steps < FOLDED or steps % FOLDED:
        raise ValueError(f"steps are a multiple of {FOLDED}")
    rng = np.random.default_rng(seed)
    prices = rng.uniform(5, 30, options)
    strikes = prices * rng.uniform(0.6, 1.3, options)
    years = rng.uniform(0.25, 10, options)
    step = VOLATILITY * np.sqrt(years / steps)
    growth = np.exp(RATE * years / steps)
    up = (growth - np.exp(-step)) / (np.exp(step) - np.exp(-step))
    if not ((up > 0) & (up < 1)).all():
        raise ValueError("steps are too few: a step's probabilities would not be from 0 to 1")
    trees = np.column_stack([prices, strikes, step, up / growth, (1 - up) / growth])
    return {"trees": trees.astype(np.float32), "years": years, "steps": steps}


def run(device, modules, inputs):
    """Price all options, a CTA each."""
    module, trees, steps = modules["binomial"], inputs["trees"], inputs["steps"]
    module.symbol("options", np.float32)[: trees.size].set(trees.ravel())
    values = device.zeros(len(trees), np.float32, name="values")
    levels = device.empty(len(trees) * (steps + 1), np.float32, name="levels")
    device.launch(module["binomial_options"], len(trees), WINDOW, [values, levels, steps])
    return {"values": values.get()}


def check(inputs, results):
    """Sum up the leaves by their probabilities; compare with the limit of ever smaller steps."""
    price, strike, step, up, down = inputs["trees"].astype(np.float64).T
    steps, found = inputs["steps"], results["values"]
    rises = np.arange(steps + 1)[:, None]
    gains = np.maximum(price * np.exp(step * (2 * rises - steps)) - strike, 0)
    discount = (up + down) ** steps
    expected = discount * (binom.pmf(rises, steps, up / (up + down)) * gains).sum(axis=0)
    atol = ROUNDING * price.max()
    yield close("values", found, expected, "scipy.stats.binom.pmf", rtol=ROUNDING, atol=atol)

    spread = VOLATILITY * np.sqrt(inputs["years"])
    discounted = strike * np.exp(-RATE * inputs["years"])
    d1 = np.log(price / discounted) / spread + spread / 2
    limit = price * ndtr(d1) - discounted * ndtr(d1 - spread)
    against = "formula of Black and Scholes"
    far = price.max() * spread.max() / (2 * steps)  # a tree's error falls with the number of steps
    yield close("values, about", found, limit, against, rtol=0, atol=far + atol)
