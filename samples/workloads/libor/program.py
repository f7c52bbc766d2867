"""LIBOR Monte Carlo: prices of a portfolio of swaptions, then prices and their derivatives."""

import numpy as np

from warpmill.checks import close, equal, holds

MOST_RATES, MOST_STEPS = 80, 40  # as the kernels have them
UNITS = 100.0  # of each swaption
DELTA = 0.25  # years of an interval and of a time step
MATURITIES = (4, 8, 20, 28, 40)  # of the swaps, in intervals, three of each
STRIKES = (0.045, 0.05, 0.055)
NEAR = 1e-5  # a swap's value may be of either sign in float32, if it is so near to 0
STEP = 1e-30  # of the complex step: nothing is lost by subtraction, so that it may be tiny


def make(*, rates, steps, paths, blocks, block, seed):
    """Draw the paths' numbers; curves of today's rates and volatilities."""
    if not 1 <= steps <= MOST_STEPS or not steps < rates <= MOST_RATES:
        raise ValueError(f"steps are 1 to {MOST_STEPS}; rates are more, up to {MOST_RATES}")
    if min(paths, blocks) < 1:
        raise ValueError("paths and blocks are at least 1")
    rng = np.random.default_rng(seed)
    years = DELTA * np.arange(rates)
    wanted = [min(m, rates - steps) for m in MATURITIES]
    return {
        "today": (0.052 - 0.012 * np.exp(-years / 4)).astype(np.float32),
        "volatilities": (0.12 + 0.15 * np.exp(-years / 3)).astype(np.float32),
        "maturities": np.repeat(wanted, len(STRIKES)).astype(np.int32),
        "swap_rates": np.tile(STRIKES, len(wanted)).astype(np.float32),
        "draws": rng.standard_normal((steps, paths), np.float32),
        "grid": blocks,
        "block": block,
    }


def run(device, modules, inputs):
    """Price on all paths with each kernel."""
    module, (steps, paths) = modules["libor"], inputs["draws"].shape
    set_constants(module, inputs, steps)
    draws = device.array(inputs["draws"], name="draws")
    names = ("values", "adjoint_values", "derivatives")
    found = {name: device.zeros(paths, np.float32, name=name) for name in names}
    grid, block = inputs["grid"], inputs["block"]
    device.launch(module["libor_portfolio"], grid, block, [draws, found["values"], paths])
    both = [found["adjoint_values"], found["derivatives"]]
    device.launch(module["libor_adjoint"], grid, block, [draws, *both, paths])
    return {name: array.get() for name, array in found.items()}


def set_constants(module, inputs, steps):
    """Fill the constant memory of both kernels."""
    options, rates = len(inputs["maturities"]), len(inputs["today"])
    for name, value in (("rates", rates), ("steps", steps), ("options", options)):
        module.symbol(name, np.int32, 1).set(np.array([value], np.int32))
    module.symbol("delta", np.float32, 1).set(np.array([DELTA], np.float32))
    for name in ("maturities", "swap_rates", "volatilities", "today"):
        values = inputs[name]
        module.symbol(name, values.dtype)[: len(values)].set(values)


def check(inputs, results):
    """Compare with running sums and products; derivatives are the imaginary parts of a step."""
    values, swaps = portfolio(inputs)
    against = "running sums in complex128"
    for name in ("values", "adjoint_values"):
        yield close(name, results[name], values.real, against, rtol=4e-5, atol=4e-4)
    clear = (abs(swaps.real) > NEAR).all(axis=0)
    yield holds("paths without a swap near 0, in 100", [clear.mean() > 0.99], against)
    name = f"derivatives, without {np.count_nonzero(~clear)} paths near a kink"
    slopes = values.imag[clear] / STEP
    scale = abs(values.imag).max() / STEP
    got = results["derivatives"][clear]
    yield close(name, got, slopes, "a complex step", rtol=5e-5, atol=5e-7 * scale)
    same = results["values"] > 0
    yield equal("paths worth something", results["adjoint_values"] > 0, same, "the other kernel")


def portfolio(inputs):
    """Value the portfolio on all paths; today's rates have a tiny imaginary part."""
    volatilities = inputs["volatilities"].astype(np.float64)[:, None]
    today = inputs["today"].astype(np.complex128)
    today += 1j * STEP
    draws = inputs["draws"].astype(np.float64)
    steps, paths = draws.shape
    rates = np.repeat(today[:, None], paths, axis=1)
    for step in range(steps):
        moving = rates[step + 1 :]
        sigma = volatilities[: len(moving)]
        drift = np.cumsum(DELTA * sigma * moving / (1 + DELTA * moving), axis=0)
        spread = np.sqrt(DELTA) * draws[step] - DELTA * sigma / 2
        moving *= np.exp(DELTA * sigma * drift + sigma * spread)
    bonds = np.cumprod(1 / (1 + DELTA * rates[steps:]), axis=0)
    annuities = DELTA * np.cumsum(bonds, axis=0)
    ends, strikes = inputs["maturities"] - 1, inputs["swap_rates"].astype(np.float64)[:, None]
    swaps = bonds[ends] + strikes * annuities[ends] - 1
    paid = np.where(swaps.real < 0, -UNITS * swaps, 0).sum(axis=0)
    return paid * np.prod(1 / (1 + DELTA * rates[:steps]), axis=0), swaps
