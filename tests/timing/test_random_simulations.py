"""Made-up launches on made-up machines: the engine counts what the twin counts, cycle by cycle."""

import random

import numpy as np
import pytest

from tests.reference.gpu_twin.random_launches import FREE, NUMBER, Shape, work
from tests.reference.gpu_twin.random_machines import random_machine
from tests.reference.gpu_twin.side_by_side import differences, of_engine, simulation, unequal
from warpmill.simulator.gpu import constants as c
from warpmill.simulator.gpu.control import restore, save
from warpmill.simulator.gpu.options import Options
from warpmill.simulator.machines import load_machine

MIXES = (
    FREE,
    FREE,
    ("COPY", "COPY", "COPY", "WAIT", "ARITHMETIC", "FENCE"),
    ("MANY", "LOADS", "STORES", "ATOMICS"),
    ("INDEPENDENT", "ARITHMETIC", "NAMES", "SHARED"),
)
LEFT_OUT = (
    "TWICE", "FOLDED", "NOTHING", "NAMES", "CONSTANTS", "CONSTANTS", "LOADS", "MATRICES",
)  # fmt: skip
"""Blocks with what machine code has no instructions for, with what is loaded apart, and with moves
of matrices, whose accesses nobody takes."""
LONG = 30_000
"""Cycles beyond which the twin takes too long."""


def made_up(seed):
    """A simulation that follows from a seed."""
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
    options = Options(keep_l1=chance.random() < 0.5, flush_l2=chance.random() < 0.5, spans=1 << 10)
    return simulation(load_machine(base, changes), works, options)


@pytest.mark.one_in(12)
@pytest.mark.parametrize("seed", range(40))
def test_the_engine_does_what_the_twin_does(seed):
    sim = made_up(seed)
    if sim.run(until=LONG) == c.RUN_DONE:
        assert unequal(sim) == []


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("lanes", [1, 2])
def test_sub_partitions_share_a_pipe_alike(lanes, seed):
    """Few lanes of double precision, and warps that all come to them."""
    machine = load_machine("rtx_a4000", {"sm.count": 1, "lanes.fp64": lanes})
    shape = Shape(ctas=2, warps=4, segments=1, events=4, blocks=("ARITHMETIC", "INDEPENDENT"))
    sim = simulation(machine, [work((seed, 0), shape)], Options(spans=1 << 10))
    assert sim.run() == c.RUN_DONE
    assert sim.code.rows["shared_pipe"].any()
    assert unequal(sim) == []


@pytest.mark.parametrize("active", [1, 2])
def test_active_warps_and_full_collectors_hold_warps_up_alike(active):
    """Few collectors, so that also warps of pipes that are free wait for them."""
    few = {"sm.count": 1, "sm.schedulers": 2, "sm.subpartitions": 2, "sm.collector_units": 1}
    two_level = {"scheduler.policy": "two_level", "scheduler.active_warps": active}
    machine = load_machine("qv100_accelsim", few | two_level)
    shape = Shape(ctas=2, warps=6, segments=1, events=4, blocks=("ARITHMETIC", "INDEPENDENT"))
    sim = simulation(machine, [work((active, 0), shape)], Options(spans=1 << 10))
    assert sim.run() == c.RUN_DONE
    stalls = sim.state.table("instruction_counts")["stalls"].sum(axis=0)
    assert stalls[c.STALL.dispatch_stall] > 0 and stalls[c.STALL.math_pipe_throttle] > 0
    assert unequal(sim) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("base", ["p100", "v100", "a100"])
def test_what_machine_code_leaves_out_is_left_out_alike(base, seed):
    """Loads that others make, what is folded into its users, and constants in a unit of their own.

    The load-store unit is slow, so that it shows whether constants hold it; constants that are
    operands also come while it has no room.
    """
    machine = load_machine(base, {"sm.count": 2, "interval.ldst": 3, "scheduler.policy": "gto"})
    shape = Shape(ctas=8, warps=4, events=8, blocks=LEFT_OUT)
    sim = simulation(machine, [work((seed, base), shape)], Options(spans=1 << 10))
    rows = sim.code.rows
    free = np.flatnonzero(rows["kind"] == c.KIND_FREE)
    blocks = [sim.code.places[row][1] for row in free.tolist()]
    assert {NUMBER[name] for name in ("TWICE", "FOLDED", "NOTHING")} <= set(blocks)
    assert sim.spec.const_bypasses_lsu == (base != "p100")
    assert sim.run(until=LONG) == c.RUN_DONE
    assert unequal(sim) == []
    counts = sim.state.table("instruction_counts")[free]
    assert not counts["issues"].any()
    operands = rows["recorded"][free] == 1
    assert operands.sum() == 2
    assert (counts["completed"] > 0).tolist() == operands.tolist(), "some had to be fetched"


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", range(40, 50))
def test_looking_more_often_changes_nothing(seed):
    sim = made_up(seed)
    two_level = sim.spec.scheduler_policy == c.POLICY_TWO_LEVEL
    if sim.run(until=LONG) == c.RUN_DONE and not two_level:
        assert unequal(sim, tireless=True) == []


@pytest.mark.one_in(3)
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
