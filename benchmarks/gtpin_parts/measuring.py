"""All that the benchmark measures, from rows to one result."""

from __future__ import annotations

from benchmarks.gtpin_parts import figures, validation
from benchmarks.gtpin_parts.costs import cost_of, estimates_of, summed_costs, summed_estimates
from benchmarks.gtpin_parts.goals import goals_met
from benchmarks.gtpin_parts.many import TARGET
from benchmarks.gtpin_parts.rows import Rows
from benchmarks.gtpin_parts.runs import CLOCKS, KINDS, MACHINE, MACHINES, TRIALS, runs, times

DIGITS = 5


def measure(
    applications, store, workers, say, *, clocks=CLOCKS, machines=MACHINES, only_known=False
):
    """Measure applications, the paper's names by target; the whole result.

    With ``only_known``, no launches are simulated: figures are of applications that were before.
    """
    wanted = {target: runs(target, clocks, machines) for target in applications}
    every = [run for own in wanted.values() for run in own]
    found = times(every, store, workers, say, only_known=only_known)
    own = {target: found[each[0].point.key] for target, each in wanted.items()}
    simulated = {target: row for target, row in own.items() if "problem" not in row}
    rows = Rows(store, workers, say)
    explored = rows.explored({t: row["launch_cycles"] for t, row in simulated.items()})
    known = {target: row for target, row in explored.items() if "problem" not in row}
    others = [run for t in known for run in wanted[t][1:]]
    work = rows.counted([run for run in others if run.kind == TRIALS])
    estimates = rows.estimated(list(known), MACHINE)
    many = rows.many(TARGET) if TARGET in known else None
    return result(
        [
            {
                "application": applications[target],
                "target": target,
                "row": row,
                "times": own[target],
                "estimate": estimates[target],
                "others": [
                    (run.kind, run.label, found[run.point.key], work[target] if run.sizes else row)
                    for run in wanted[target][1:]
                ],
            }
            for target, row in known.items()
        ],
        [
            [applications[target], {**explored, **_problems(own)}[target]["problem"]]
            for target in applications
            if target not in known
        ],
        many,
    )


def _problems(found):
    return {target: row for target, row in found.items() if "problem" in row}


def result(studied, unknown, many=None):
    """Make the result of applications that were studied; ``unknown`` has the others, with why.

    ``many`` is what choosing of ten thousand launches takes, where it was measured.
    """
    found = {"benchmark": "gtpin", "machine": MACHINE, "unknown": unknown}
    if not studied:
        return {**found, "rows": []}
    explored = {one["application"]: figures.explored_of(one["row"]) for one in studied}
    chosen = figures.places(explored)
    rows = [_row(one, chosen[one["application"]], explored[one["application"]]) for one in studied]
    found |= {
        "combinations": [[c["division"], c["feature"]] for c in studied[0]["row"]["combinations"]],
        **{way: _chosen(way, explored, chosen) for way in figures.WAYS},
        "thresholds": figures.by_threshold(explored),
        "universals": figures.universal_rows(explored),
        "validation": {way: _validation(rows, way) for way in figures.WAYS},
        "intervals": _intervals(rows, studied),
        "estimate": summed_estimates([row["estimate"] for row in rows]),
        "cost": {**summed_costs([row["cost"] for row in rows]), "many": many},
    }
    return shortened({**found, "goals": goals_met(found), "rows": rows})


def _row(one, places, explored):
    row = one["row"]
    return {
        "application": one["application"],
        "target": one["target"],
        "launches": len(row["instructions"]),
        "warp_instructions": sum(row["instructions"]),
        "cycles": one["times"]["cycles"],
        "combinations": [[c["error"], c["share"], len(c["picks"])] for c in row["combinations"]],
        **{way: _choice(one, place) for way, place in places.items()},
        "estimate": estimates_of(one, places, explored),
        "cost": cost_of(one, explored[places[figures.LEAST]].sample_share),
    }


def _choice(one, place):
    made = one["row"]["combinations"][place]
    judged = {kind: {} for kind in KINDS}
    for kind, label, times_, work in one["others"]:
        judged[kind][label] = validation.judged(made["picks"], one["row"], times_, work)
    return {
        **{key: made[key] for key in ("division", "feature", "error", "units", "projection")},
        "clusters": len(made["picks"]),
        "speedup": 1 / made["share"],
        "validation": judged,
    }


def _chosen(way, explored, chosen):
    each = [own[chosen[name][way]] for name, own in explored.items()]
    found = {"applications": len(each), **figures.summary_of(each), **figures.chosen_kinds(each)}
    if way == figures.UNIVERSAL:
        shares = 1 / found["share"]
        found |= {"division": each[0].division, "feature": each[0].feature, "share_speedup": shares}
    return found


def _validation(rows, way):
    return {
        kind: validation.summary(
            [
                (row["application"], label, one)
                for row in rows
                for label, one in row[way]["validation"][kind].items()
            ]
        )
        for kind in KINDS
    }


def _intervals(rows, studied):
    """Sum up intervals of all combinations, which no truth has chosen, and of each choice."""
    every = [made["projection"] for one in studied for made in one["row"]["combinations"]]
    each = {way: [row[way]["projection"] for row in rows] for way in figures.WAYS}
    return {"all": figures.intervals(every),
            **{way: figures.intervals(own) for way, own in each.items()}}  # fmt: skip


def shortened(value):
    """Round to the digits that anybody reads."""
    if isinstance(value, dict):
        return {key: shortened(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [shortened(each) for each in value]
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value
