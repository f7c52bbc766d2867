"""Each parameter of a machine is turned, and what becomes of the time is what it should be."""

from pathlib import Path

import pytest

from tests.timing.machine_effects import (
    EFFECTS,
    FX,
    HARDWARE,
    NOT_TIMED,
    OCCUPANCY,
    PAPERS,
    SIMULATOR,
)
from tests.timing.machine_kernel_table import KERNELS
from tests.timing.machine_kernels import simulated
from warpmill.simulator.machines import load_machine
from warpmill.simulator.machines.resolve import simd_overrides
from warpmill.simulator.machines.schema import schema


def _name(effect):
    return f"{effect.machine}-{effect.key}-{effect.kernel}"


@pytest.mark.one_in(2)
@pytest.mark.parametrize("effect", EFFECTS, ids=_name)
def test_parameter_has_its_effect(effect):
    found = [
        getattr(
            simulated(
                KERNELS[effect.kernel],
                effect.machine,
                effect.settings | {effect.key: value},
                l2="warm" if effect.warm else "cold",
            ),
            effect.measure,
        )
        for value in effect.values
    ]
    if effect.expect == "each":
        step = effect.values[-1] - effect.values[0]
        assert found[-1] - found[0] == effect.times * step
    elif effect.expect == "differs":
        assert len(set(found)) == len(found)
    else:
        rising = found if effect.expect == "rises" else found[::-1]
        assert rising == sorted(rising)
        assert rising[-1] > rising[0]
        assert rising[-1] >= effect.by * rising[0]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("count", [2, 4, 8])
@pytest.mark.parametrize(
    ("key", "of_count"),
    [
        ("sm.max_blocks", lambda n: n),
        ("sm.max_threads", lambda n: 64 * n),
        ("reg.per_sm", lambda n: 32 * 64 * n),
        ("shared.per_sm_bytes", lambda n: 4096 * n),
    ],
)
def test_resident_ctas_come_from_whichever_resource_is_short(key, of_count, count):
    """Stargazer §6.1: as many CTAs as fit, whatever limits them, take the same time."""
    plenty = {"sm.max_blocks": 8, "reg.per_sm": 32 * 64 * 32, "shared.per_sm_bytes": 4096 * 32}
    plenty |= {"reg.per_block": 32 * 64 * 2, "shared.per_block_bytes": 4096}
    few = _resident(SIMULATOR | plenty | {key: of_count(1)})
    more = _resident(SIMULATOR | plenty | {key: of_count(count)})
    assert more.launches[0].occupancy.ctas_per_sm == count
    assert few.cycles > 1.5 * more.cycles
    by_blocks = _resident(SIMULATOR | plenty | {"sm.max_blocks": count})
    assert more.cycles == by_blocks.cycles


def _resident(settings):
    return simulated(KERNELS["shared_ctas"], FX, settings)


def test_simd_width_stretches_every_instruction():
    """Stargazer, Table 2: simd; GPGPU-Sim's pipes of 8 lanes take a warp in 4 cycles."""
    machine = load_machine(FX)
    cycles = [
        simulated(KERNELS["fp32_stream"], FX, SIMULATOR | simd_overrides(machine, width)).cycles
        for width in (8, 16, 32)
    ]
    assert cycles[0] > 1.8 * cycles[1] > 1.8 * 1.8 * cycles[2] / 1.2


def test_every_key_is_turned_or_has_a_reason():
    turned = {effect.key for effect in EFFECTS} | {"sm.simd_width"}
    apart = ("machine.", "peak.", "host.")  # those of the host: test_estimate_application
    keys = {k for k in schema().keys if not k.startswith(apart)}
    assert turned | set(OCCUPANCY) | set(NOT_TIMED) == keys
    assert not turned & set(NOT_TIMED)


UNREAD = {
    "tex.": "texture_walk",
    "const.": "constant_walk",
    "l2.": "copy",
    "latency.shared": "shared_store_chain",
    "latency.global": "atomics",
    "latency.sfu": "mufu_chain",
    "launch.": "many_ctas",
    "icache.": "long",
}
"""Kernels that would tell if keys of NOT_TIMED were read, by how the keys begin."""


@pytest.mark.one_in(12)
@pytest.mark.parametrize("key", [k for k in NOT_TIMED if k.startswith(tuple(UNREAD))])
def test_what_is_said_to_have_no_effect_has_none(key):
    """So that the list of such keys grows short as soon as the engine reads one of them."""
    kernel = KERNELS[next(UNREAD[start] for start in UNREAD if key.startswith(start))]
    settings = HARDWARE | {"icache.miss_latency": 100.0}
    low, high = (simulated(kernel, "v100", settings | {key: value}) for value in (32, 64))
    assert low.cycles == high.cycles


def test_the_page_lists_what_the_papers_vary():
    page = (Path(__file__).parents[2] / "docs" / "machines.md").read_text("utf-8")
    for effect in PAPERS:
        row = f"| {effect.paper} | {effect.parameter} | `{effect.key}` |"
        assert any(x.startswith(row) and x.endswith(f"{effect.kernel} |") for x in page.split("\n"))
