"""Full simulations of a kernel's launches, what samples make of them, and how unlike CTAs are."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import pairwise
from typing import Any

import numpy as np

from warpmill.benchmarks import launch_times
from warpmill.benchmarks.benchmark import Request, say
from warpmill.benchmarks.keeping import measured, results
from warpmill.benchmarks.tbpoint import (
    BASE,
    METHODS,
    OTHERS,
    CtaSizes,
    Interleaving,
    Kernel,
    Sampled,
    TbpointResult,
)
from warpmill.sampling.methods import by_blocks, drawn
from warpmill.sampling.options import SampleOptions
from warpmill.sampling.runs import EXECUTED, sample
from warpmill.session.sampled_launches import sampled_launches
from warpmill.session.simulation_plans import plan
from warpmill.session.workloads import workloads
from warpmill.simulator.gpu.control import Steered
from warpmill.simulator.gpu.simulate import occupancy_of
from warpmill.simulator.machines import load_machine
from warpmill.simulator.machines.model import Machine
from warpmill.simulator.sampling.interleaving import GRID, SAMPLES, interleavings
from warpmill.simulator.sampling.model import Selection, SelectionUnit, project
from warpmill.simulator.sampling.region_runs import OUTSIDE, STABLE
from warpmill.simulator.sampling.tbpoint import cta_work, inter_launch, regions
from warpmill.studies.model import PointOutcome
from warpmill.studies.places import default_store
from warpmill.studies.sources import sources_digest

PRESET = "paper-tbpoint"
MACHINE = "tbpoint_fermi"
UNIT = 1_000_000
"""Warp instructions of a sampling unit of Random and Ideal-SimPoint (§V-A)."""
VERSION, FURTHER = 1, 1
"""One more where this file measures something else: it is not hashed. FURTHER is of sizes and
other methods."""
SEEDS = 20
"""Draws that Random's error is the mean of: one alone is a matter of luck."""
MOST_POINTS = 400
"""CTAs of a kernel that are drawn, all launches together."""
STUDY = "benchmarks.tbpoint"
SOURCES = ("simulator/sampling", "simulator/gpu", "warpmill/sampling")
WHOLE, SAMPLED, BY_PAPER, UNITS, SIZES, OTHER = (
    "whole", "sampled", "sampled by the paper's rule", "units", "sizes", "by ",
)  # fmt: skip
OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "gtpin": {"method": "gtpin"},
    "gtpin inside": {"method": "gtpin", "inside": True},
    "stratified": {"method": "stratified"},
    "systematic": {"method": "systematic"},
}
"""Other methods; GT-Pin's intervals and features are those that `warpmill sample` takes."""

Row = dict[str, Any]


def measure(request: Request) -> TbpointResult:
    """Measure workloads, all on the other machines too."""
    types = known_workloads()
    names = request.chosen(types)
    settings = (BASE, *(() if request.is_partial else OTHERS))
    kinds = (UNITS, SIZES, *(OTHER + method for method in METHODS))
    wanted = [(kind, name, BASE) for name in names for kind in kinds]
    wanted += [(k, n, on) for on in settings for n in names for k in (WHOLE, SAMPLED, BY_PAPER)]
    points = [_point(kind, name, OTHERS.get(title, {})) for kind, name, title in wanted]
    store = request.store or default_store()
    rows = measured(STUDY, store, points, evaluate, workers=request.workers, say=say)
    of = dict(zip(wanted, results(rows), strict=True))
    kernels = []
    for name in names:
        own = {kind: of[kind, name, BASE] for kind in (WHOLE, SAMPLED, BY_PAPER, *kinds)}
        elsewhere = {on: judged(of[WHOLE, name, on], of[SAMPLED, name, on]) for on in settings[1:]}
        kernels.append(kernel_of(name, types[name], own, elsewhere))
    return TbpointResult(rows=tuple(kernels), interleavings=drawn_interleavings())


def _point(kind: str, workload: str, settings: Mapping[str, Any]) -> Any:
    """Make a point. What is simulated whole does not depend on how samples are taken."""
    whole = launch_times.wanted(f"{workload}:{PRESET}", MACHINE, **settings)
    inputs = {**whole.inputs, "kind": kind, "measuring": VERSION}
    if kind != WHOLE:
        inputs["sampling"] = sources_digest(*SOURCES)
    if kind == UNITS:
        inputs["unit"] = UNIT
    if kind not in (WHOLE, UNITS, SAMPLED, BY_PAPER):
        inputs["further"] = FURTHER
    return replace(whole, inputs=inputs)


def evaluate(inputs: Mapping[str, Any]) -> PointOutcome:
    """Measure a point."""
    do: dict[str, Callable[[str, Mapping[str, Any]], Row]] = {
        WHOLE: whole,
        UNITS: units,
        SAMPLED: sampled,
        BY_PAPER: partial(sampled, stability="paper"),
        SIZES: sizes,
        **{OTHER + name: partial(sampled, **options) for name, options in OPTIONS.items()},
    }
    workload = inputs["target"].partition(":")[0]
    return PointOutcome(facts={"result": do[inputs["kind"]](workload, inputs["settings"])})


def known_workloads() -> dict[str, str]:
    """The type, I or II, of the workloads that have the paper's preset."""
    facts = {name: one.form.paper.tbpoint for name, one in workloads().items()}
    return {name: one.type for name, one in facts.items() if one is not None}


# What is made of measured points.


def kernel_of(
    name: str, type_: str, of: Mapping[str, Row], elsewhere: Mapping[str, Sampled]
) -> Kernel:
    """Join the points of a workload by kind: shares and errors in percent."""
    one, own = of[WHOLE], of[SAMPLED]
    random, simpoint = of[UNITS]["random"], of[UNITS]["simpoint"]
    return Kernel(
        **judged(one, own).flat(),
        workload=name,
        type=type_,
        kernel=one["kernel"],
        launches=one["launches"],
        ctas=one["ctas"],
        ipc=one["warp_instructions"] / one["cycles"],
        sampled_ipc=one["warp_instructions"] / own["cycles"],
        skipped_inter=own["skipped_inter"] * 100,
        skipped_intra=own["skipped_intra"] * 100,
        clusters=own["clusters"],
        regions_passed=own["regions_passed"],
        whole_s=one["cpu_s"],
        profile_s=one["profile_s"],
        choice_s=own["choice_s"],
        by_paper=judged(one, of[BY_PAPER]),
        units=of[UNITS]["units"],
        simpoint=Sampled(error=_of_ipc(1 + simpoint["error"]), sample=100 * simpoint["share"]),
        random=Sampled(error=100 * random["error"], sample=100 * random["share"]),
        sizes=CtaSizes(**of[SIZES]),
        methods={name: judged(one, of[OTHER + name]) for name in METHODS},
        elsewhere=elsewhere,
    )


def judged(whole: Row, sampled: Row) -> Sampled:
    """Compare what was sampled with the whole."""
    interval = sampled["interval"]
    return Sampled(
        error=_of_ipc(sampled["cycles"] / whole["cycles"]),
        sample=sampled["share"] * 100,
        held=None if interval is None else interval[0] <= whole["cycles"] <= interval[1],
        half_width=(
            None if interval is None
            else (interval[1] - interval[0]) / 2 / sampled["cycles"] * 100
        ),
        cpu_s=sampled["cpu_s"],
    )  # fmt: skip


def _of_ipc(ratio: float) -> float:
    """The error of the IPC where cycles are ``ratio`` times the true ones."""
    return (1.0 / ratio - 1.0) * 100


def drawn_interleavings(samples: int = SAMPLES) -> tuple[Interleaving, ...]:
    """Figure 5's settings, each with as many samples."""
    return tuple(
        Interleaving(
            setting=one.setting.name,
            warps=one.setting.warps,
            stall_probability=one.setting.stall_probability,
            stall_cycles=one.setting.stall_cycles,
            samples=one.samples,
            near=one.near,
            relative=one.relative,
        )
        for one in interleavings(GRID, samples).variations
    )


# Points.


@lru_cache(maxsize=1)  # rows of one follow each other; a recording takes much memory
def application(workload: str) -> tuple[Any, str, float]:
    """Profile a workload, and keep the kernel that executes most: TBPoint takes the longest one."""
    begin = time.process_time()
    whole = sampled_launches(f"{workload}:{PRESET}", ctas=True)
    spent = time.process_time() - begin
    executed: dict[str, int] = {}
    for one in whole.launches:
        executed[one.kernel] = executed.get(one.kernel, 0) + one.warp_instructions
    kernel = max(executed, key=lambda name: executed[name])
    if len(executed) == 1:
        return whole, kernel, spent
    return sampled_launches(f"{workload}:{PRESET}", kernel, ctas=True), kernel, spent


def machine_with(settings: Mapping[str, Any]) -> Machine:
    """Load the machine of the measurements, with some of its values."""
    return load_machine(MACHINE, settings)


def whole(workload: str, settings: Mapping[str, Any]) -> Row:
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


def units(workload: str, settings: Mapping[str, Any]) -> Row:
    """Simulate all launches of a kernel once more, cut into units: the baselines on these."""
    app, _, _ = application(workload)
    _, running = _running(app, settings)
    found = list(running.run_intervals(UNIT))
    return {"units": len(found), "random": _random(found), "simpoint": _simpoint(found)}


def _running(app: Any, settings: Mapping[str, Any]) -> tuple[Any, Steered]:
    """Get launches ready to be simulated, one after another."""
    made = plan(app.jobs, machine_with(settings), trace_options=EXECUTED, streams="serial")
    running = Steered(made.machine, made.works, made.options)
    running.run(None, 0)
    return made, running


def _as_units(stretches: Sequence[Any]) -> list[SelectionUnit]:
    return [SelectionUnit(k, k + 1, one.warp_instructions) for k, one in enumerate(stretches)]


def _off(selection: Selection, stretches: Sequence[Any]) -> Row:
    """How far the projection from units is off, and the share of the instructions in them."""
    cycles = {k: float(s.end_cycle - s.begin_cycle) for k, s in enumerate(stretches)}
    found = project(selection, {k: cycles[k] for k in selection.chosen})
    true = sum(cycles.values())
    held = None if found.interval is None else found.interval[0] <= true <= found.interval[1]
    return {"error": found.cycles / true - 1.0, "share": selection.sample_share, "held": held}


def _random(stretches: Sequence[Any]) -> Row:
    """Draw 10 % of the units, several times; errors are absolute."""
    each = [_off(drawn(_as_units(stretches), seed=seed), stretches) for seed in range(SEEDS)]
    return {
        "error": float(np.mean([abs(one["error"]) for one in each])),
        "worst": max(abs(one["error"]) for one in each),
        "share": float(np.mean([one["share"] for one in each])),
        "held": sum(one["held"] or 0 for one in each) / len(each),
    }


def _simpoint(stretches: Sequence[Any]) -> Row:
    """Cluster units by what their instructions execute: Ideal-SimPoint."""
    vectors = np.array([s.issues for s in stretches], np.float64)
    vectors = vectors[:, vectors.any(axis=0)]
    return _off(by_blocks(_as_units(stretches), vectors), stretches)


def sampled(workload: str, settings: Mapping[str, Any], **options: Any) -> Row:
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


def sizes(workload: str, settings: Mapping[str, Any]) -> Row:
    """How unlike CTAs and launches of a kernel are, as ``CtaSizes`` says."""
    app, _, _ = application(workload)
    machine = machine_with(settings)
    works = plan(app.jobs, machine, trace_options=EXECUTED, streams="serial").works
    resident = [_resident(work, machine) for work in works]
    found = [
        regions(cta_work(one.profile), held)
        for one, held in zip(app.launches, resident, strict=True)
    ]
    each = [one.profile.by_cta.thread_instructions for one in app.launches]
    every = sum(map(len, each))
    alone = [one for one in inter_launch(app.launches).strata if len(one.members) == 1]
    return {
        "resident": sorted(set(resident)),
        "rounds": float(np.mean(np.array([len(own) for own in each]) / resident)),
        "outside": sum(int(np.count_nonzero(one.of_cta == OUTSIDE)) for one in found) / every,
        "brief": sum(map(_brief, found)) / every,
        "alone": len(alone),
        "alone_share": sum(one.weight for one in alone),
        **thinned(each),
    }


def _resident(work: Any, machine: Machine) -> int:
    """How many CTAs of a launch the machine holds at once."""
    return occupancy_of(work, machine).ctas_per_sm * machine.integer("sm.count")


def _brief(found: Any) -> int:
    """Count the CTAs of a launch that lie in regions of too few rounds."""
    lengths = [one.last_cta - one.first_cta + 1 for one in found.table]
    return sum(n for n in lengths if n < STABLE.units * found.epochs.occupancy)


def thinned(sizes_of_launches: Sequence[Any], most: int = MOST_POINTS) -> Row:
    """Give sizes of CTAs over their mean, launch after launch, ``most`` of them at most.

    Of each stretch of CTAs the smallest and the largest are taken, so that outliers stay. A point
    has the number of a CTA and its ratio; ``starts`` are the numbers that launches begin with.
    """
    ends = np.cumsum([len(one) for one in sizes_of_launches])
    ratio = np.concatenate(sizes_of_launches).astype(float)
    ratio /= ratio.mean()
    places = range(len(ratio)) if len(ratio) <= most else _extremes(ratio, most // 2)
    return {
        "starts": [0, *ends[:-1].tolist()],
        "points": [[int(k), round(float(ratio[k]), 4)] for k in places],
        "least": float(ratio.min()),
        "largest": float(ratio.max()),
        "variation": float(ratio.std()),
    }


def _extremes(ratio: Any, stretches: int) -> list[int]:
    """The places of the smallest and of the largest ratio of each stretch, ascending."""
    bounds = np.linspace(0, len(ratio), stretches + 1).astype(int)
    found: set[int] = set()
    for first, end in pairwise(bounds.tolist()):
        found |= {first + int(pick(ratio[first:end])) for pick in (np.argmin, np.argmax)}
    return sorted(found)
