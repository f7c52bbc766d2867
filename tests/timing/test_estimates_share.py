"""Estimates of one launch on machine after machine are those that each machine has alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from warpmill.report.fields import plain
from warpmill.session.estimates import Estimator
from warpmill.session.options import EstimateOptions, LaunchOptions
from warpmill.session.prepare import prepare
from warpmill.session.what_if import what_if
from warpmill.simulator.estimate import engine
from warpmill.simulator.machines import load_machine
from warpmill.simulator.machines.model import KeptByValues, Machine

SAMPLES = Path(__file__).parents[2] / "samples"
MACHINES = (
    load_machine("a100"),
    load_machine("h100_sxm"),
    load_machine("a100", {"l2.size_bytes": 1 << 20}),
    load_machine("a100", {"l2.ways": 4}),
    load_machine("a100", {"dram.mixed_efficiency": 0.5}),
    load_machine("a100", {"sm.count": 54}),
    load_machine("a100", {"l1.caches_global": False}),
    load_machine("a100", {"latency.barrier": 90}),
    load_machine("a100", {"latency.int_add": 40}),
    load_machine("v100"),
    load_machine("a100"),
)


def estimator(name: str, sizes: dict[str, int], options: EstimateOptions) -> Estimator:
    job = prepare(SAMPLES / name / "launch.toml", options=LaunchOptions(sizes=sizes))
    return Estimator(job, options=options)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("options", [EstimateOptions(), EstimateOptions(l2="warm")])
@pytest.mark.parametrize(
    ("name", "sizes"),
    [("matmul", {"n": 128}), ("reduce", {"n": 1 << 20}), ("stencil5", {"width": 512})],
)
def test_what_machines_have_in_common_changes_no_estimate(
    name: str, sizes: dict[str, int], options: EstimateOptions
) -> None:
    shared = estimator(name, sizes, options)
    for machine in MACHINES:
        alone = estimator(name, sizes, options).on(machine)
        assert plain(shared.on(machine)) == plain(alone)


def test_what_if_looks_at_a_wave_again_only_where_memory_changed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[str] = []
    really = engine.dram_traffic

    def counted(*args: object, **more: object) -> object:
        made.append("wave")
        return really(*args, **more)

    monkeypatch.setattr(engine, "dram_traffic", counted)
    answers = what_if(estimator("matmul", {"n": 128}, EstimateOptions()), load_machine("a100"))
    assert len(answers) > 20
    assert len(made) < len(answers) / 2


def count(machine: Machine) -> int:
    return machine.integer("sm.count")


def test_kept_results_are_of_machines_with_the_values_that_were_read() -> None:
    kept: KeptByValues[int] = KeptByValues(most=2)
    asked: list[str] = []

    def make(machine: Machine) -> int:
        asked.append(machine.name)
        return count(machine)

    a100, fewer = load_machine("a100"), load_machine("a100", {"sm.count": 3})
    slower = load_machine("a100", {"clock.sm_mhz": 1})
    found = [kept.of("x", one, make) for one in (a100, fewer, slower, a100, fewer)]
    assert found == [108, 3, 108, 108, 3]
    assert len(asked) == 2
    assert kept.of("y", a100, make) == 108
    assert len(asked) == 3
    kept.of("x", a100, make)  # left out since: two are kept
    assert len(asked) == 4
