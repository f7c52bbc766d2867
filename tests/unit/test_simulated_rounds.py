"""What whole rounds of CTAs tell of all of them."""

from functools import cache
from pathlib import Path

import pytest

from simulator.gpu.simulate import Options
from simulator.machines import load_machine
from warpmill.jobs import LaunchOptions, prepare_all
from warpmill.registers import RegisterSources
from warpmill.simulations import simulate

SAMPLES = Path(__file__).parents[2] / "samples"


@cache
def cycles(name, size, rounds):
    (job,) = prepare_all(SAMPLES / name / "launch.toml", None, LaunchOptions(sizes=dict(size)))
    machine = load_machine("v100", {"sm.count": 2, "dram.channels": 2, "l2.slices": 4})
    registers = RegisterSources(registers=32)
    return simulate(job, machine, registers=registers, options=Options(rounds=rounds)).cycles


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_rounds_of_long_ctas_are_continued_at_their_steady_rate(rounds):
    """16 x 16 CTAs of matrix products, 16 at a time: one alone begins and ends together."""
    size = (("n", 256),)
    assert cycles("matmul", size, rounds) == pytest.approx(cycles("matmul", size, None), rel=0.04)


@pytest.mark.parametrize(("rounds", "error"), [(2, 0.2), (4, 0.1), (8, 0.05)])
def test_rounds_of_short_ctas_are_continued_by_those_between(rounds, error):
    """64 rounds of CTAs that do the same at the same time: load, add, store."""
    size = (("n", 1 << 18),)
    assert cycles("vecadd", size, rounds) == pytest.approx(cycles("vecadd", size, None), rel=error)
