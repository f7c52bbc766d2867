"""Black and Scholes: the same launch a number of times, over all options."""

import numpy as np
from scipy.special import ndtr

from warpmill.checks import close

LOWEST_RATE = -1  # below, discounted strikes are so large that rounding is all there is of prices


def make(options, seed, **more):
    """Draw prices, strikes and times to maturity; what holds for all options goes along."""
    if min(options, more["launches"], more["blocks"]) < 1:
        raise ValueError("options, launches and blocks are at least 1")
    if more["volatility"] <= 0 or more["rate"] < LOWEST_RATE:
        raise ValueError(f"volatility is above 0, rate {LOWEST_RATE} or more")
    rng = np.random.default_rng(seed)
    ranges = {"prices": (5, 30), "strikes": (1, 100), "years": (0.25, 10)}
    drawn = {
        name: rng.uniform(low, high, options).astype(np.float32)
        for name, (low, high) in ranges.items()
    }
    return {**drawn, **more}


def run(device, modules, inputs):
    """Price all options, as often as is asked for."""
    given = [device.array(inputs[name], name=name) for name in ("prices", "strikes", "years")]
    options = given[0].size
    calls, puts = (device.zeros(options, np.float32, name=name) for name in ("calls", "puts"))
    arguments = [calls, puts, *given, inputs["rate"], inputs["volatility"], options]
    kernel = modules["blackscholes"]["black_scholes"]
    for _ in range(inputs["launches"]):
        device.launch(kernel, inputs["blocks"], inputs["block"], arguments)
    return {"calls": calls.get(), "puts": puts.get()}


def check(inputs, results):
    """Compare with the closed form in float64."""
    price, strike, years = (
        inputs[name].astype(np.float64) for name in ("prices", "strikes", "years")
    )
    rate, volatility = inputs["rate"], inputs["volatility"]
    spread = volatility * np.sqrt(years)
    d1 = (np.log(price / strike) + (rate + 0.5 * volatility**2) * years) / spread
    discounted = strike * np.exp(-rate * years)
    calls = price * ndtr(d1) - discounted * ndtr(d1 - spread)
    puts = discounted * ndtr(spread - d1) - price * ndtr(-d1)
    # the polynomial is good to 7.5e-8, and is multiplied by up to 100 here, as is rounding
    for name, expected in (("calls", calls), ("puts", puts)):
        yield close(name, results[name], expected, "scipy.special.ndtr", rtol=1e-6, atol=3e-5)
