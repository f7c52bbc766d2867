"""Simulations beside other work: their outcomes, errors among them, and an end when it is left."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

import warpmill
from warpmill.analyzer.base.diagnostics import LimitError
from warpmill.session import simulations
from warpmill.session.simulation_plans import plan
from warpmill.session.simulations import Done, simulated, simulated_beside

VECADD = str(Path(__file__).parents[2] / "samples/vecadd/launch.toml")


def test_outcomes_are_those_of_simulations_one_after_another():
    job = warpmill.prepare(VECADD, sizes={"n": 4096})
    refused = LimitError("too large")
    plans = {"v100": plan(job, "v100"), "none": refused, "a100": plan(job, "a100")}
    with simulated_beside(plans) as outcomes:
        found = outcomes()
    assert list(found) == ["v100", "none", "a100"]
    assert found["none"] is refused
    for name in ("v100", "a100"):
        alone = simulated(plan(job, name)).result
        assert (found[name].result.cycles, found[name].result.caches) == (
            alone.cycles,
            alone.caches,
        )


def test_what_runs_when_the_block_is_left_stops(monkeypatch):
    begun = []

    def endless(made, progress):
        begun.append(made)
        while True:
            progress(Done(0.0, 0, 0.0))
            time.sleep(0.001)

    monkeypatch.setattr(simulations, "simulated", endless)
    job = warpmill.prepare(VECADD, sizes={"n": 4096})
    plans = {name: plan(job, name) for name in ("v100", "a100")}
    with pytest.raises(KeyboardInterrupt), simulated_beside(plans):
        while not begun:
            time.sleep(0.001)
        raise KeyboardInterrupt
    assert len(begun) == 1
