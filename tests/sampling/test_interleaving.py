"""TBPoint's Markov chain as printed, its closed form, and the draws of Figure 5."""

import math
from itertools import product

import numpy as np
import pytest

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.simulator.sampling.interleaving import (
    GRID,
    PERCENTILES,
    InterleavingPoint,
    chain,
    interleavings,
    ipc,
    variation,
)


def printed(p, stalls):
    """Write Equation 3 down: S(i, j) is the product of f over warps, the first the highest bit."""

    def f(before, after, m):
        if before != after:
            return before * p + (1 - before) * (1 / m)
        return before * (1 - p) + (1 - before) * (1 - 1 / m)

    states = list(product((0, 1), repeat=len(stalls)))
    return [
        [math.prod(f(a, b, m) for a, b, m in zip(i, j, stalls, strict=True)) for j in states]
        for i in states
    ]


def draws(count, largest):
    """Draw p and the M of 1 to so many warps."""
    chance = np.random.default_rng(5)
    warps = chance.integers(1, largest + 1, count).tolist()
    return [(chance.uniform(0.01, 1.0), chance.uniform(1.0, 60.0, n).tolist()) for n in warps]


# ------------------------------------------------------------------------------ the chain


def test_the_paper_s_example_of_a_transition():
    """S(6, 2): of four warps the second stalls, the first and the last sleep on, the third runs."""
    found = chain(0.1, [10.0, 20.0, 40.0, 50.0]).transitions
    assert found[6, 2] == pytest.approx((1 - 1 / 10) * 0.1 * (1 - 0.1) * (1 - 1 / 50), rel=1e-14)
    assert found[2, 6] == pytest.approx((1 - 1 / 10) * (1 / 20) * (1 - 0.1) * (1 - 1 / 50))


@pytest.mark.parametrize(("p", "stalls"), draws(12, 5))
def test_transitions_are_as_printed(p, stalls):
    found = chain(p, stalls).transitions
    np.testing.assert_allclose(found, printed(p, stalls), rtol=1e-12)
    np.testing.assert_allclose(found.sum(axis=1), 1.0, rtol=1e-12)


def test_two_warps_by_hand():
    """At p = 0.1 and M = 10 a warp runs half of the time: all four states are as frequent."""
    found = chain(0.1, [10.0, 10.0])
    np.testing.assert_allclose(found.steady, [0.25] * 4, rtol=1e-12)
    assert found.ipc == pytest.approx(0.75)
    assert ipc(0.1, [10.0, 10.0]) == pytest.approx(0.75)
    assert ipc(0.1, [10.0, 30.0]) == pytest.approx(1 - 1 / 2 * 3 / 4)


@pytest.mark.parametrize(("p", "stalls"), draws(12, 8))
def test_the_steady_state_is_an_eigenvector(p, stalls):
    found = chain(p, stalls)
    values, vectors = np.linalg.eig(found.transitions.T)
    place = int(np.argmin(np.abs(values - 1.0)))
    wanted = np.real(vectors[:, place] / vectors[:, place].sum())
    np.testing.assert_allclose(found.steady, wanted, atol=1e-9)


@pytest.mark.parametrize(("p", "stalls"), draws(20, 8))
def test_the_chain_as_printed_has_the_ipc_of_the_closed_form(p, stalls):
    """Vs is the limit of Vi T^n, and Vi has all warps running."""
    transitions = np.array(printed(p, stalls)) if len(stalls) < 6 else chain(p, stalls).transitions
    state = np.zeros(2 ** len(stalls))
    state[-1] = 1.0
    for _ in range(2000):
        state = state @ transitions
    assert 1.0 - state[0] == pytest.approx(ipc(p, stalls), abs=1e-10)
    assert chain(p, stalls).ipc == pytest.approx(ipc(p, stalls), abs=1e-10)


def test_warps_that_are_simulated_issue_as_often():
    """Walk the warps of the chain for many cycles, in many SMs at once."""
    p, stalls = 0.2, np.array([4.0, 6.0, 10.0])
    chance = np.random.default_rng(3)
    running = np.ones((4000, 3), bool)
    issued = 0
    for cycle in range(400):
        if cycle >= 100:
            issued += int(running.any(axis=1).sum())
        turns = chance.random(running.shape)
        running = np.where(running, turns >= p, turns < 1.0 / stalls)
    assert issued / (300 * 4000) == pytest.approx(ipc(p, stalls), abs=3e-3)


def test_the_ends_of_the_range():
    assert ipc(0.0, [400.0] * 4) == chain(0.0, [400.0] * 4).ipc == 1.0
    assert ipc(1.0, [400.0]) == pytest.approx(1 / 401)
    assert chain(1.0, [400.0]).ipc == pytest.approx(1 / 401)
    assert ipc(0.1, [400.0] * 2000) == pytest.approx(1.0)
    assert len(chain(0.1, [100.0] * 10).steady) == 1024


@pytest.mark.parametrize(
    ("p", "stalls", "words"),
    [
        (1.5, [10.0], "no probability"),
        (-0.1, [10.0], "no probability"),
        (math.nan, [10.0], "no probability"),
        (0.1, [], "without warps"),
        (0.1, [10.0, 0.5], "0.5 cycles: at least 1"),
        (0.1, [math.nan], "nan cycles"),
        (0.1, [math.inf], "inf cycles"),
    ],
)
def test_what_is_no_model_is_refused(p, stalls, words):
    for model in (chain, ipc):
        with pytest.raises(UsageError, match=words):
            model(p, stalls)


def test_what_no_chain_can_do_is_refused():
    with pytest.raises(UsageError, match="11 warps has 2\\^11 states"):
        chain(0.1, [100.0] * 11)
    with pytest.raises(UsageError, match="never settle"):
        chain(1.0, [1.0, 1.0])
    assert ipc(1.0, [1.0, 1.0]) == 0.75


# ------------------------------------------------------------------------------ Figure 5


def test_a_setting_has_the_figure_s_name():
    assert InterleavingPoint(0.05, 100.0, 4).name == "p0.05M100N4"


def test_a_variation_is_what_its_draws_say():
    """Two warps by hand, draw for draw: IPC is 1 - product of pM / (1 + pM)."""
    setting = InterleavingPoint(0.3, 50.0, 2)
    chance = np.random.default_rng(11)
    rows = chance.normal(50.0, 0.1 * 50.0 / 1.96, (500, 2)).tolist()
    ipcs = [ipc(0.3, row) for row in rows]
    mean = math.fsum(ipcs) / 500
    found = variation(setting, samples=500, seed=11)
    assert found.mean_ipc == pytest.approx(mean)
    assert found.relative[0] == pytest.approx(min(ipcs) / mean)
    assert found.relative[PERCENTILES.index(100.0)] == pytest.approx(max(ipcs) / mean)
    assert found.near == sum(abs(each / mean - 1) < 0.1 for each in ipcs) / 500 < 1
    assert (found.samples, found.lengthened) == (500, 0)


def test_stalls_are_within_a_tenth_95_times_in_100():
    """Of one warp that nearly always waits IPC is as 1/M, and M within 10 % at 1.96 deviations."""
    found = variation(InterleavingPoint(1.0, 1e6, 1))
    assert found.near == pytest.approx(0.95, abs=0.01)


def test_stalls_below_a_cycle_take_one():
    found = variation(InterleavingPoint(0.5, 1.0, 3), samples=2000)
    assert 2500 < found.lengthened < 3500  # half of 6,000
    assert found.relative[-1] * found.mean_ipc == pytest.approx(ipc(0.5, [1.0] * 3))


def test_the_lemma_holds_on_the_grid():
    found = interleavings()
    assert found.lemma_holds
    assert found.least_near.near == min(each.near for each in found.variations) > 0.99
    settings = [each.setting for each in found.variations]
    assert settings == list(GRID)
    assert InterleavingPoint(0.05, 100.0, 4) in settings
    assert [each.samples for each in found.variations] == [10_000] * len(GRID)
    assert {s.stall_probability for s in settings} >= {0.05, 0.4}
    assert {s.stall_cycles for s in settings} >= {100.0, 400.0}
    assert {s.warps for s in settings} >= {4, 48}


def test_the_lemma_can_fail():
    assert not interleavings([InterleavingPoint(1.0, 400.0, 1)], samples=2000, seed=2).lemma_holds


def test_draws_are_the_seed_s_alone():
    few, many = GRID[:1], GRID[3:5] + GRID[:1]
    first = interleavings(few, samples=100, seed=4).variations[0]
    assert interleavings(many, samples=100, seed=4).variations[-1] == first
    assert interleavings(few, samples=100, seed=5).variations[0] != first


def test_no_draws_are_refused():
    with pytest.raises(UsageError, match="at least 1"):
        variation(GRID[0], samples=0)
    with pytest.raises(UsageError, match="without warps"):
        variation(InterleavingPoint(0.1, 100.0, 0))
    with pytest.raises(UsageError, match="no setting"):
        interleavings([])
