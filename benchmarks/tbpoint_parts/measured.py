"""Full simulations of a kernel's launches, and what samples make of them."""

from __future__ import annotations

import time
from functools import lru_cache

import numpy as np

from warpmill.sampling.methods import by_blocks, drawn
from warpmill.sampling.options import SampleOptions
from warpmill.sampling.runs import EXECUTED, sample
from warpmill.session.sampled_launches import sampled_launches
from warpmill.session.simulation_plans import plan
from warpmill.simulator.gpu.control import Steered
from warpmill.simulator.machines import load_machine
from warpmill.simulator.sampling.model import SelectionUnit, project

PRESET = "paper-tbpoint"
MACHINE = "tbpoint_fermi"
UNIT = 1_000_000
"""Warp instructions of a sampling unit of Random and Ideal-SimPoint (§V-A)."""
VERSION = 1
"""One more where this file measures something else: it is not hashed."""
SEEDS = 20
"""Draws that Random's error is the mean of: one alone is a matter of luck."""


@lru_cache(maxsize=1)  # rows of one follow each other; a recording takes much memory
def application(workload):
    """Profile a workload, and keep the kernel that executes most: TBPoint takes the longest one."""
    begin = time.process_time()
    whole = sampled_launches(f"{workload}:{PRESET}", ctas=True)
    spent = time.process_time() - begin
    executed = {}
    for one in whole.launches:
        executed[one.kernel] = executed.get(one.kernel, 0) + one.warp_instructions
    kernel = max(executed, key=lambda name: executed[name])
    if len(executed) == 1:
        return whole, kernel, spent
    return sampled_launches(f"{workload}:{PRESET}", kernel, ctas=True), kernel, spent


def machine_with(settings):
    """Load the machine of the measurements, with some of its values."""
    return load_machine(MACHINE, settings)


def whole(workload, settings):
    """Simulate all launches of a kernel: cycles by launch."""
    app, kernel, profile_s = application(workload)
    made, running = _running(app, settings)
    begin = time.process_time()
    running.run()
    spent = time.process_time() - begin
    spans = [running.span(k) for k in range(len(app.jobs))]
    cycles = [end - start for start, end in spans]
    return {
        "kernel": kernel,
        "launches": len(app.jobs),
        "ctas": sum(work.launch.cta_count for work in made.works),
        "cycles": sum(cycles),
        "launch_cycles": cycles,
        "warp_instructions": sum(one.warp_instructions for one in app.launches),
        "cpu_s": spent,
        "profile_s": profile_s,
    }


def units(workload, settings):
    """Simulate all launches of a kernel once more, cut into units: the baselines on these."""
    app, _, _ = application(workload)
    _, running = _running(app, settings)
    found = list(running.run_intervals(UNIT))
    return {"units": len(found), "random": _random(found), "simpoint": _simpoint(found)}


def _running(app, settings):
    """Get launches ready to be simulated, one after another."""
    made = plan(app.jobs, machine_with(settings), trace_options=EXECUTED, streams="serial")
    running = Steered(made.machine, made.works, made.options)
    running.run(None, 0)
    return made, running


def _as_units(stretches):
    return [SelectionUnit(k, k + 1, one.warp_instructions) for k, one in enumerate(stretches)]


def _off(selection, stretches):
    """How far the projection from units is off, and the share of the instructions in them."""
    cycles = {k: float(s.end_cycle - s.begin_cycle) for k, s in enumerate(stretches)}
    found = project(selection, {k: cycles[k] for k in selection.chosen})
    true = sum(cycles.values())
    held = None if found.interval is None else found.interval[0] <= true <= found.interval[1]
    return {"error": found.cycles / true - 1.0, "share": selection.sample_share, "held": held}


def _random(stretches):
    """Draw 10 % of the units, several times; errors are absolute."""
    each = [_off(drawn(_as_units(stretches), seed=seed), stretches) for seed in range(SEEDS)]
    return {
        "error": float(np.mean([abs(one["error"]) for one in each])),
        "worst": max(abs(one["error"]) for one in each),
        "share": float(np.mean([one["share"] for one in each])),
        "held": sum(one["held"] or 0 for one in each) / len(each),
    }


def _simpoint(stretches):
    """Cluster units by what their instructions execute: Ideal-SimPoint."""
    vectors = np.array([s.issues for s in stretches], np.float64)
    vectors = vectors[:, vectors.any(axis=0)]
    return _off(by_blocks(_as_units(stretches), vectors), stretches)


def sampled(workload, settings, **options):
    """Sample a kernel's launches, with TBPoint unless options say otherwise.

    Gives projected cycles, shares and what was skipped.
    """
    app, kernel, _ = application(workload)
    found = sample(app, machine_with(settings), SampleOptions(**{"method": "tbpoint", **options}))
    total = found.selection.warp_instructions
    inside = sum(each.warp_instructions for run in found.runs for each in run.skippable_ctas)
    interval = found.projection.interval
    return {
        "kernel": kernel,
        "cycles": found.projection.cycles,
        "interval": None if interval is None else list(interval),
        "share": found.sample_share,
        "clusters": len(found.selection.strata),
        "skipped_inter": 1.0 - found.selection.sampled_warp_instructions / total,
        "skipped_intra": inside / total,
        "regions_passed": sum(len(run.skippable_ctas) for run in found.runs),
        "cpu_s": found.taken["simulation"],
        "choice_s": found.taken["choice"],
    }
