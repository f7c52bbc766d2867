"""Made-up counts of simulations: no bandwidth has more of the time than its carrier works."""

import random
from dataclasses import replace

import pytest

from tests.timing.simulated_kernels import simulated
from tests.timing.simulation_results import small_result
from warpmill.session.engine_evidence import evidence_of_simulation
from warpmill.simulator.gpu.result_parts import UnitResult
from warpmill.simulator.machine_limits import BUSY
from warpmill.simulator.resources import SERVERS, SIMULATED_STATES

LOADS = ("long_scoreboard", "short_scoreboard", "lg_throttle", "mio_throttle", "tex_throttle")


def made_up(seed):
    """A simulation whose counts follow from a seed: warps wait, mostly for memory."""
    chance = random.Random(seed)
    result = small_result()

    def some(most):
        return int(chance.random() ** 3 * most)

    waits = {reason: some(1 << 16 if reason in LOADS else 1 << 12) for reason in SIMULATED_STATES}
    stalls = tuple(waits.values())
    instructions = tuple(
        replace(
            one,
            stalls=stalls,
            sectors=chance.choice((0, some(1 << 12))),
            wavefronts=chance.choice((0, some(1 << 12))),
            latency_cycles=some(1 << 20),
            completed=some(1 << 8),
        )
        for one in result.instructions
    )
    misses = some(464)
    l1 = replace(result.caches[0], hits=464 - misses, pending=0, misses=misses)
    return simulated(
        stalls=tuple(len(instructions) * x for x in stalls),
        instructions=instructions,
        caches=(l1, *result.caches[1:]),
        l2_reads=some(1 << 12),
        shared_wavefronts=some(1 << 10),
        dram=replace(result.dram, reads=some(200), busy_fraction=chance.random() ** 2),
        units=(UnitResult(SERVERS["lsu"], chance.random() ** 2, 0.0),),
    )


@pytest.mark.parametrize("seed", range(60))
def test_no_bandwidth_has_more_of_the_time_than_its_carrier_works(seed):
    found = evidence_of_simulation(made_up(seed))
    assert sum(found.shares.values()) == pytest.approx(1.0)
    for name in SERVERS.values():
        assert found.shares.get(name, 0.0) <= found.busy.get(name, 0.0) + 1e-12


@pytest.mark.parametrize("seed", range(60))
def test_the_bound_names_no_bandwidth_that_its_utilization_contradicts(seed):
    found = evidence_of_simulation(made_up(seed))
    busiest = max(found.busy, key=lambda name: found.busy[name])
    most = max(found.shares, key=lambda name: found.shares[name])
    if found.busy[busiest] >= BUSY:
        assert found.bound == f"{busiest} ({found.busy[busiest]:.0%} busy)"
        return
    assert found.bound.startswith(f"{most} (")
    if most in SERVERS.values():
        assert found.busy[most] >= found.shares[most] - 1e-12
