"""What else is told of the kernels: sizes of CTAs, regions, and other methods of sampling."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from benchmarks.tbpoint_parts.measured import application, machine_with, sampled
from warpmill.sampling.runs import EXECUTED
from warpmill.session.simulation_plans import plan
from warpmill.simulator.gpu.simulate import occupancy_of
from warpmill.simulator.sampling.region_runs import OUTSIDE, STABLE
from warpmill.simulator.sampling.tbpoint import cta_work, inter_launch, regions

VERSION = 1
"""One more where this file measures something else: it is not hashed."""
MOST_POINTS = 400
"""CTAs of a kernel that are drawn, all launches together."""
OPTIONS = {
    "gtpin": {"method": "gtpin"},
    "gtpin inside": {"method": "gtpin", "inside": True},
    "stratified": {"method": "stratified"},
    "systematic": {"method": "systematic"},
}
"""Other methods; GT-Pin's intervals and features are those that `warpmill sample` takes."""


def other(method, workload, settings):
    """Sample a kernel's launches by another method, as ``sampled`` does."""
    return sampled(workload, settings, **OPTIONS[method])


def sizes(workload, settings):
    """How unlike CTAs and launches of a kernel are, and where CTAs cannot be skipped.

    Shares are of CTAs, but ``alone_share`` is of warp instructions: those of launches that no other
    is like. ``outside`` lie in epochs with outliers, ``brief`` in regions that are over before so
    many rounds of CTAs as must be alike.
    """
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


def _resident(work, machine):
    """How many CTAs of a launch the machine holds at once."""
    return occupancy_of(work, machine).ctas_per_sm * machine.integer("sm.count")


def _brief(found):
    """Count the CTAs of a launch that lie in regions of too few rounds."""
    lengths = [one.last_cta - one.first_cta + 1 for one in found.table]
    return sum(n for n in lengths if n < STABLE.units * found.epochs.occupancy)


def thinned(sizes_of_launches, most=MOST_POINTS):
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


def _extremes(ratio, stretches):
    """The places of the smallest and of the largest ratio of each stretch, ascending."""
    bounds = np.linspace(0, len(ratio), stretches + 1).astype(int)
    found = set()
    for first, end in pairwise(bounds.tolist()):
        found |= {first + int(pick(ratio[first:end])) for pick in (np.argmin, np.argmax)}
    return sorted(found)
