"""What bounds a launch is the cause that most of its time goes to, and noise is no advice."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.timing.estimated_kernels import fmas, job
from tests.timing.test_estimate_by_hand import ADD, timed
from warpmill.cli.main import main
from warpmill.session.estimates import Estimator
from warpmill.session.options import LaunchOptions, RegisterSources
from warpmill.session.prepare import prepare_all
from warpmill.session.what_if import WhatIf, what_if
from warpmill.simulator.assembler.costs import cost_table
from warpmill.simulator.estimate.pipeline import REASONS
from warpmill.simulator.estimate.result import Estimate
from warpmill.simulator.machine_limits import (
    BUSY,
    CAUSES,
    CTA_LAUNCH_RATE,
    LAUNCH,
    Utilization,
    bound,
    busiest,
    shares,
)
from warpmill.simulator.machines import load_machine
from warpmill.simulator.resources import TERMS

SAMPLES = Path(__file__).parents[2] / "samples"
MACHINES = ("v100", "a100", "gtx980", "h100_sxm")


def leader(found: Estimate) -> str:
    return max(found.shares, key=lambda s: s.fraction).cause


def agrees(found: Estimate) -> None:
    assert found.bound.partition(" (")[0] == leader(found)
    assert sum(s.fraction for s in found.shares) == pytest.approx(1.0)
    causes = {s.cause: s.fraction for s in found.shares}
    top, executing = busiest(found.utilization), 1.0 - causes[LAUNCH]
    if top.fraction >= BUSY:
        assert causes[top.resource] >= min(1.0, top.fraction) * executing - 1e-9
        assert leader(found) in (top.resource, LAUNCH)
    for one in found.utilization:  # each resource is a cause of the same name
        assert one.resource in causes or (one.resource == CTA_LAUNCH_RATE and one.fraction < 1.0)


@pytest.mark.slow
@pytest.mark.one_in(4)
@pytest.mark.parametrize("sample", sorted(f.parent.name for f in SAMPLES.glob("*/launch.toml")))
def test_samples_are_bound_by_what_their_time_goes_to(sample: str) -> None:
    for subject in prepare_all(SAMPLES / sample / "launch.toml", None, LaunchOptions()):
        made = Estimator(subject)
        for machine in MACHINES:
            agrees(made.on(load_machine(machine)))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("workload", ["hotspot", "bfs", "nw", "histogram-buffer", "backprop"])
def test_workloads_are_bound_by_what_their_time_goes_to(
    workload: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["estimate", f"{workload}:tiny", "-m", ",".join(MACHINES), "-f", "json"]
    assert main(words) == 0
    launches = json.loads(capsys.readouterr().out)["launches"]
    found = [one for launch in launches for one in launch["estimates"]]
    assert found
    for one in found:
        first = max(one["shares"], key=lambda s: s["fraction"])
        assert one["bound"].partition(" (")[0] == TERMS[first["cause"]]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("chains", [1, 4, 16])
@pytest.mark.parametrize(("ctas", "iterations"), [(1, 10), (108 * 2, 400), (1 << 16, 1)])
def test_made_kernels_are_bound_by_what_their_time_goes_to(
    tmp_path: Path, chains: int, ctas: int, iterations: int
) -> None:
    made = Estimator(
        job(tmp_path, fmas(chains, iterations), ctas, 64), registers=RegisterSources(32)
    )
    for machine in MACHINES:
        agrees(made.on(load_machine(machine)))


# By hand: 10 cycles of issuing, 10 of waiting for the first pipe, 20 for results of DRAM.


def parts(busy: Utilization, launch: float = 0.0) -> dict[str, float]:
    pipes, waits = np.zeros(len(cost_table().pipes)), np.zeros(len(REASONS))
    pipes[0] = waits[REASONS.index("math_pipe_throttle")] = 10.0
    waits[REASONS.index("dram_latency")] = 20.0
    _, sums = timed([[ADD]])
    sums = sums._replace(issue_busy=10.0, waits=waits, pipe_waits=pipes)
    return {s.cause: s.fraction for s in shares(sums, launch, busy) if s.fraction}


PIPE = "ALU pipe"


def test_warps_wait_behind_a_busy_resource() -> None:
    """94% of the time is the pipe's; of the rest issuing has 10/30, DRAM 20/30."""
    found = parts(Utilization(PIPE, 0.94), launch=0.5)
    assert found == pytest.approx(
        {PIPE: 0.47, "issue slots": 0.01, "DRAM latency": 0.02, LAUNCH: 0.5}
    )


def test_a_resource_that_is_less_busy_has_what_warps_wait_for_it() -> None:
    found = parts(Utilization(PIPE, BUSY - 0.01))
    assert found == pytest.approx({PIPE: 0.25, "issue slots": 0.25, "DRAM latency": 0.5})


def test_a_resource_that_always_works_has_all() -> None:
    assert parts(Utilization("L2 bandwidth", 1.0)) == {"L2 bandwidth": 1.0}


def test_what_bounds_is_told_with_how_busy_it_is() -> None:
    def words(fraction: float, launch: float = 0.0) -> str:
        busy = (Utilization(PIPE, fraction), Utilization(CTA_LAUNCH_RATE, 0.9))
        _, sums = timed([[ADD]])
        waits = np.zeros(len(REASONS))
        waits[REASONS.index("dram_latency")] = 100.0
        sums = sums._replace(waits=waits, pipe_waits=np.zeros(len(cost_table().pipes)))
        return bound(shares(sums, launch, busiest(busy)), busy)

    assert words(0.94) == f"{PIPE} (94% busy)"
    assert words(0.5).startswith("DRAM latency (")
    assert words(0.5).endswith(f"of the time; {PIPE} 50% busy)")
    assert words(0.94, 0.6) == f"{LAUNCH} (60% of the time; then {PIPE})"


def test_causes_have_the_names_of_resources() -> None:
    assert {"issue slots", "load-store unit", "L1 bandwidth", "DRAM bandwidth"} <= set(CAUSES)
    assert len(set(CAUSES)) == len(CAUSES) == len(REASONS)


# What is within noise.


def change(ratio: float | None, noise: float) -> WhatIf:
    return WhatIf("SMs", 2.0, (), 1.0, 1.0, ratio, noise=noise)


@pytest.mark.parametrize(
    ("ratio", "noise", "within"),
    [(1.005, 0.01, True), (0.96, 0.05, True), (0.94, 0.05, False), (None, 0.05, False)],
)
def test_changes_within_noise_are_marked(ratio: float | None, noise: float, within: bool) -> None:
    assert change(ratio, noise).within_noise == within


def test_noise_is_what_goes_the_wrong_way(tmp_path: Path) -> None:
    """What a faster pipe loses and what a longer latency gains is no more than the noise."""
    subject = job(tmp_path, fmas(4, 60), 108 * 4, 96)
    made = Estimator(subject, registers=RegisterSources(32))
    found = what_if(made, load_machine("a100"))
    wrong = [
        (w.ratio - 1) * (1 if w.factor > 1 else -1) * (-1 if "latency" in w.name else 1)
        for w in found
        if w.ratio is not None and ("latency" in w.name or "pipe" in w.name)
    ]
    (noise,) = {w.noise for w in found}
    assert noise >= max(0.01, *wrong)
    assert all(w.within_noise or abs((w.ratio or 0.0) - 1.0) > noise for w in found)


def test_the_noise_of_changes_is_measured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Twice the FMA pipe is 7% slower and twice the SMs 6% faster, which is no more than noise."""
    made = Estimator(job(tmp_path, fmas(1, 10), 1, 32), registers=RegisterSources(32))
    machine = load_machine("a100")
    base = made.on(machine)

    def on(other: Any) -> Estimate:
        part = 0.0
        if other.number("lanes.fp32") > machine.number("lanes.fp32"):
            part = 0.07
        if other.number("sm.count") != machine.number("sm.count"):
            part = -0.06 if other.number("sm.count") > machine.number("sm.count") else 0.08
        return replace(base, execution_us=base.execution_us + part * base.time_us)

    monkeypatch.setattr(made, "on", on)
    found = what_if(made, machine, base)
    assert {round(w.noise, 6) for w in found} == {0.07}
    beyond = [(w.name, w.factor) for w in found if w.ratio is not None and not w.within_noise]
    assert beyond == [("SMs", 0.5)]
