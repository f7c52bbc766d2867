"""Made-up launches on made-up machines: the engine counts what the twin counts, cycle by cycle."""

import random

import pytest

from simulator.gpu import fields as f
from simulator.gpu.checkpoint import restore, save
from simulator.gpu.simulate import Options
from simulator.machines import load_machine
from tests.reference.gpu_twin.random_launches import FREE, Shape, work
from tests.reference.gpu_twin.random_machines import random_machine
from tests.reference.gpu_twin.side_by_side import differences, of_engine, simulation, unequal

MIXES = (
    FREE,
    FREE,
    ("COPY", "COPY", "COPY", "WAIT", "ARITHMETIC", "FENCE"),
    ("MANY", "LOADS", "STORES", "ATOMICS"),
    ("INDEPENDENT", "ARITHMETIC", "NAMES", "SHARED"),
)
LONG = 30_000
"""Cycles beyond which the twin takes too long."""


def made_up(seed):
    """Give a simulation that follows from a seed."""
    chance = random.Random(seed)
    base, changes = random_machine(chance)
    shape = Shape(
        ctas=chance.randint(1, 6),
        warps=chance.choice([1, 2, 4, 5]),
        segments=chance.randint(0, 2),
        events=chance.randint(1, 5),
        region=chance.choice([1 << 11, 1 << 13, 1 << 16]),
        blocks=chance.choice(MIXES),
    )
    streams = chance.choice([(0,), (0,), (0, 0), (0, 1), (0, 1, 0)])
    works = [work((seed, k), shape, stream=stream) for k, stream in enumerate(streams)]
    options = Options(keep_l1=chance.random() < 0.5, keep_l2=chance.random() < 0.5, spans=1 << 10)
    return simulation(load_machine(base, changes), works, options)


@pytest.mark.parametrize("seed", range(40))
def test_the_engine_does_what_the_twin_does(seed):
    sim = made_up(seed)
    if sim.run(until=LONG) == f.RUN_DONE:
        assert unequal(sim) == []


@pytest.mark.parametrize("seed", range(40, 50))
def test_looking_more_often_changes_nothing(seed):
    sim = made_up(seed)
    two_level = sim.spec.numbers[f.POLICY] == f.POLICY_TWO_LEVEL
    if sim.run(until=LONG) == f.RUN_DONE and not two_level:
        assert unequal(sim, tireless=True) == []


@pytest.mark.parametrize("seed", range(50, 62))
def test_cuts_and_checkpoints_change_nothing(seed, tmp_path):
    whole, cut, resumed = (made_up(seed) for _ in range(3))
    whole.run(until=LONG)
    chance = random.Random(seed)
    cuts = sorted(chance.randrange(1, whole.cycles + 2) for _ in range(3))
    for until in cuts:
        cut.run(until=until)
    save(cut, tmp_path / "cut")
    restore(resumed, tmp_path / "cut")
    for one in (cut, resumed):
        assert one.run(until=LONG) == whole.run(until=LONG)
        assert differences(of_engine(whole), of_engine(one)) == []
