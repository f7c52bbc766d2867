"""Full simulations of a kernel's launches, what samples make of them, and how unlike CTAs are."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np

from warpmill.benchmarks.benchmark import Request
from warpmill.benchmarks.launch_times import FOLDERS, OF_SAMPLING, OTHER, timed
from warpmill.benchmarks.points import Row, RowKind, Rows, RowStudy
from warpmill.benchmarks.tbpoint import (
    BASE,
    MACHINE,
    METHODS,
    OTHERS,
    PRESET,
    SEEDS,
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
from warpmill.simulator.sampling.interleaving import GRID, SAMPLES, interleavings
from warpmill.simulator.sampling.model import Selection, SelectionUnit, project
from warpmill.simulator.sampling.region_runs import OUTSIDE, STABLE
from warpmill.simulator.sampling.tbpoint import cta_work, inter_launch, regions
from warpmill.studies.model import StudyPoint

UNIT = 1_000_000
"""Warp instructions of a sampling unit of Random and Ideal-SimPoint (§V-A)."""
MOST_POINTS = 400
"""CTAs of a kernel that are drawn, all launches together."""
WHOLE, SAMPLED, BY_PAPER, UNITS, SIZES = "whole", "tbpoint", "by the paper's rule", "units", "sizes"
OPTIONS: Mapping[str, Mapping[str, Any]] = {
    SAMPLED: {"method": "tbpoint"},
    BY_PAPER: {"method": "tbpoint", "stability": "paper"},
    **{name: {"method": name} for name in METHODS},
    "gtpin inside": {"method": "gtpin", "inside": True},
}
"""Options of samples; GT-Pin's intervals and features are those that `warpmill sample` takes."""


def measure(request: Request) -> TbpointResult:
    """Measure workloads, all on the other machines too. SystemExit where some cannot be."""
    types = known_workloads()
    names = request.chosen(types)
    rows, others = Rows(STUDY, request), {} if request.is_partial else OTHERS
    wanted = {(name, BASE): points(name, {}, [WHOLE, UNITS, SIZES, *OPTIONS]) for name in names}
    wanted |= {(name, title): points(name, settings, [WHOLE, SAMPLED])
               for title, settings in others.items() for name in names}  # fmt: skip
    rows.measure(point for own in wanted.values() for point in own.values())
    if rows.problems:
        raise SystemExit("; ".join(sorted({why for _, why in rows.problems})))
    found = {place: {kind: rows.at(point) for kind, point in own.items()}
             for place, own in wanted.items()}  # fmt: skip
    kernels = []
    for name in names:
        elsewhere = {title: judged(found[name, title][WHOLE], found[name, title][SAMPLED])
                     for title in others}  # fmt: skip
        kernels.append(kernel_of(name, types[name], found[name, BASE], elsewhere))
    return TbpointResult(rows=tuple(kernels), interleavings=drawn_interleavings())


def points(
    workload: str, settings: Mapping[str, Any], kinds: Sequence[str]
) -> dict[str, StudyPoint]:
    """Points of a workload on the machine with some settings: by kind, or what is sampled how."""
    at = partial(STUDY.point, target=f"{workload}:{PRESET}", machine=MACHINE, settings=settings)
    return {k: at("sampled", **OPTIONS[k]) if k in OPTIONS else at(k) for k in kinds}


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
        methods={name: judged(one, of[name]) for name in METHODS},
        elsewhere=elsewhere,
    )


def judged(whole: Row, sampled: Row) -> Sampled:
    """Compare what was sampled with the whole."""
    made = Sampled(
        error=_of_ipc(sampled["cycles"] / whole["cycles"]),
        sample=sampled["share"] * 100,
        cpu_s=sampled["cpu_s"],
    )
    if sampled["interval"] is None:
        return made
    low, high = sampled["interval"]
    half = (high - low) / 2 / sampled["cycles"] * 100
    return replace(made, held=low <= whole["cycles"] <= high, half_width=half)


def _of_ipc(ratio: float) -> float:
    """The error of the IPC where cycles are ``ratio`` times the true ones."""
    return (1.0 / ratio - 1.0) * 100


def drawn_interleavings(samples: int = SAMPLES) -> tuple[Interleaving, ...]:
    """Figure 5's settings, each with as many samples."""
    of_setting = ("warps", "stall_probability", "stall_cycles")
    return tuple(
        Interleaving(
            setting=one.setting.name,
            samples=one.samples,
            near=one.near,
            relative=one.relative,
            **{name: getattr(one.setting, name) for name in of_setting},
        )
        for one in interleavings(GRID, samples).variations
    )


# Points.


@lru_cache(maxsize=1)  # rows of one follow each other; a recording takes much memory
def application(target: str) -> tuple[Any, float]:
    """Profile a workload, and keep the kernel that executes most: TBPoint takes the longest one."""
    begin = time.process_time()
    whole = sampled_launches(target, ctas=True)
    spent = time.process_time() - begin
    executed: Counter[str] = Counter()
    for one in whole.launches:
        executed[one.kernel] += one.warp_instructions
    ((kernel, _),) = executed.most_common(1)
    return whole if len(executed) == 1 else sampled_launches(target, kernel, ctas=True), spent


def whole(target: str, machine: str, settings: Mapping[str, Any]) -> Row:
    """Simulate all launches of a kernel."""
    app, profile_s = application(target)
    return {
        "launches": len(app.jobs),
        "ctas": sum(prod(one.grid) for one in app.launches),
        "warp_instructions": sum(one.warp_instructions for one in app.launches),
        "profile_s": profile_s,
        **timed(app, load_machine(machine, settings)),
    }


def units(target: str, machine: str, settings: Mapping[str, Any]) -> Row:
    """Simulate all launches of a kernel once more, cut into units: the baselines on these.

    Random draws 10 % of them, several times, and its errors are absolute; Ideal-SimPoint clusters
    them by what their instructions execute.
    """
    made = _planned(application(target)[0], machine, settings)
    running = Steered(made.machine, made.works, made.options)
    running.run(None, 0)
    found = list(running.run_intervals(UNIT))
    each = [SelectionUnit(k, k + 1, one.warp_instructions) for k, one in enumerate(found)]
    cycles = [float(one.end_cycle - one.begin_cycle) for one in found]
    draws = [_off(drawn(each, seed=seed), cycles) for seed in range(SEEDS)]
    vectors = np.array([one.issues for one in found], np.float64)
    error, share = _off(by_blocks(each, vectors[:, vectors.any(axis=0)]), cycles)
    return {
        "units": len(found),
        "random": {
            "error": float(np.mean([abs(own) for own, _ in draws])),
            "share": float(np.mean([own for _, own in draws])),
        },
        "simpoint": {"error": error, "share": share},
    }


def _planned(app: Any, machine: str, settings: Mapping[str, Any]) -> Any:
    on = load_machine(machine, settings)
    return plan(app.jobs, on, trace_options=EXECUTED, streams="serial")


def _off(selection: Selection, cycles: Sequence[float]) -> tuple[float, float]:
    """How far the projection from units is off, and the share of the instructions in them."""
    found = project(selection, {k: cycles[k] for k in selection.chosen})
    return found.cycles / sum(cycles) - 1.0, selection.sample_share


def sampled(target: str, machine: str, settings: Mapping[str, Any], **options: Any) -> Row:
    """Sample a kernel's launches: projected cycles, shares and what was skipped."""
    on = load_machine(machine, settings)
    found = sample(application(target)[0], on, SampleOptions(**options))
    total = found.selection.warp_instructions
    inside = sum(each.warp_instructions for run in found.runs for each in run.skippable_ctas)
    return {
        "cycles": found.projection.cycles,
        "interval": found.projection.interval,
        "share": found.sample_share,
        "clusters": len(found.selection.strata),
        "skipped_inter": 1.0 - found.selection.sampled_warp_instructions / total,
        "skipped_intra": inside / total,
        "regions_passed": sum(len(run.skippable_ctas) for run in found.runs),
        "cpu_s": found.taken["simulation"],
        "choice_s": found.taken["choice"],
    }


def sizes(target: str, machine: str, settings: Mapping[str, Any]) -> Row:
    """How unlike CTAs and launches of a kernel are, as ``CtaSizes`` says."""
    app, _ = application(target)
    made = _planned(app, machine, settings)
    sms = made.machine.integer("sm.count")
    resident = [occupancy_of(work, made.machine).ctas_per_sm * sms for work in made.works]
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
        "brief": sum(map(brief, found)) / every,
        "alone": len(alone),
        "alone_share": sum(one.weight for one in alone),
        **thinned(each),
    }


def brief(found: Any) -> int:
    """Count the CTAs of a launch that lie in regions of too few rounds."""
    lengths = [one.last_cta - one.first_cta + 1 for one in found.table]
    return sum(n for n in lengths if n < STABLE.units * found.epochs.occupancy)


def thinned(sizes_of_launches: Sequence[Any], most: int = MOST_POINTS) -> Row:
    """Sizes of CTAs over their mean, launch after launch, ``most`` of them at most.

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


STUDY = RowStudy("benchmarks.tbpoint", 2, {
    WHOLE: RowKind(whole, FOLDERS, (*OTHER, *OF_SAMPLING)),
    UNITS: RowKind(units, FOLDERS, OTHER),
    SIZES: RowKind(sizes, FOLDERS, OTHER),
    "sampled": RowKind(sampled, FOLDERS, OTHER),
})  # fmt: skip
"""What is simulated whole does not depend on how samples are taken."""
