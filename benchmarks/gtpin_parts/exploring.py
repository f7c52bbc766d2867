"""An application profiled once, and its thirty selections by the cycles of its launches."""

from __future__ import annotations

import time

from warpmill.sampling.methods import features_of
from warpmill.sampling.options import DIVISION, FEATURE
from warpmill.session.options import LaunchOptions
from warpmill.session.sampled_launches import sampled_launches
from warpmill.simulator.sampling.gtpin import explore, select
from warpmill.simulator.sampling.model import project


def explored(target, cycles):
    """Try all combinations: error, share, the intervals that were chosen, the projection.

    Seconds are CPU time: of the profile, of choosing by one combination, and of choosing by all.
    """
    import sklearn.cluster  # noqa: F401, PLC0415 - not among the seconds of the first choice

    begin = time.process_time()
    launches = sampled_launches(target).launches
    profiled = time.process_time()
    select(launches, DIVISION, FEATURE)
    chosen = time.process_time()
    every = explore(launches, cycles)
    over = time.process_time()
    known = {}
    return {
        **work_of(launches),
        "profile_s": profiled - begin,
        "choice_s": {"one": chosen - profiled, "all": over - chosen},
        "combinations": [_combination(launches, cycles, one, known) for one in every],
    }


def counted(target, sizes):
    """Count what each launch executes with other data."""
    return work_of(sampled_launches(target, None, LaunchOptions(sizes=sizes)).launches)


def work_of(launches):
    """The kernel and the warp instructions of each launch."""
    names = list(dict.fromkeys(one.kernel for one in launches))
    numbers = {name: number for number, name in enumerate(names)}
    return {
        "kernels": names,
        "kernel_of": [numbers[one.kernel] for one in launches],
        "instructions": [one.warp_instructions for one in launches],
    }


def _combination(launches, cycles, one, known):
    """Put a combination into numbers. ``known`` are projections: divisions are often alike."""
    selection = one.selection
    if (selection.units, one.feature) not in known:
        known[selection.units, one.feature] = projected(launches, cycles, selection)
    return {
        "division": one.division,
        "feature": one.feature,
        "error": one.error,
        "share": one.sample_share,
        "units": len(selection.units),
        "picks": picks(selection),
        "projection": known[selection.units, one.feature],
    }


def picks(selection):
    """The chosen intervals: first launch, the one behind the last, the ratio."""
    return [
        [selection.units[number].first, selection.units[number].end, stratum.weight]
        for stratum in selection.strata
        for number in stratum.chosen
    ]


def projected(launches, cycles, selection):
    """Project the whole, and see whether its true cycles are in the interval: in percent."""
    by_unit = {n: sum(cycles[k] for k in selection.units[n].launches) for n in selection.chosen}
    found = project(selection, by_unit, features_of(launches, selection))
    true = sum(cycles)
    half, held = None, None
    if found.interval is not None:
        low, high = found.interval
        half = (high - low) / 2 / found.cycles * 100
        held = bool(low <= true <= high)
    return {"error": abs(found.cycles / true - 1.0) * 100, "half_width": half, "held": held}
