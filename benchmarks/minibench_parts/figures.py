"""What rows of originals and of clones add up to: errors, speed-ups, means. Pure functions."""

from __future__ import annotations

from statistics import fmean, harmonic_mean

HARD = ("MUM", "PNS", "LU", "MT", "BFS", "NW", "SLA", "NE")
"""The workloads that sampling in space does not work for (Table 2's last eight)."""
MACHINES = ("minibench_8sm", "minibench_28sm", "minibench_56sm", "minibench_110sm")
"""The paper's Table 3."""
GOALS = {
    "mean_abs_ipc_error": 4.7, "pairs_over_10": 2, "harmonic_mean_speedup": 49.0,
    "max_speedup": 589.0, "hard_mean_abs_ipc_error": 3.3, "hard_max_abs_ipc_error": 6.2,
    "speedup": dict(zip(MACHINES, (40.0, 46.0, 52.0, 58.0), strict=True)),
}  # fmt: skip
"""What the paper states (§6.1): the most for errors, the least for speed-ups."""
_LARGE = 10.0


def relative(here, reference):
    """Equation 4 in percent; None where the reference is nothing."""
    return None if not reference else 100.0 * (here - reference) / reference


def clone_cycles(launch):
    """The cycles that the original's launches would take, as the clone of them says.

    That is I_k / IPC_k: thread instructions of the original over those a cycle of the clone.
    """
    return launch["original"]["threads"] * launch["cycles"] / launch["threads"]


def paired(workload, name, machine, original, clone):
    """Put the clone of a workload on a machine beside its original: a row.

    ``loops``: whether there is any loop that the clone could reduce.
    """
    threads = sum(one["original"]["threads"] for one in clone["launch_rows"])
    cycles = sum(clone_cycles(one) for one in clone["launch_rows"])
    own, theirs = original["threads"] / original["cycles"], threads / cycles
    return {
        "workload": workload,
        "name": name,
        "machine": machine,
        "ipc": [own, theirs],
        "error_percent": relative(theirs, own),
        "cpu_s": [original["cpu_s"], clone["cpu_s"]],
        "engine_s": [original["engine_s"], clone["engine_s"]],
        "speedup": original["cpu_s"] / clone["cpu_s"],
        "engine_speedup": original["engine_s"] / clone["engine_s"],
        "cycles": [original["cycles"], clone["cycles"]],
        "warps": [original["warps"], clone["warps"]],
        "instructions_over": original["warps"] / clone["warps"],
        "launches": [len(original["launch_rows"]), clone["launches"]],
        "represented": [model["represented"] for model in clone["models"]],
        "parts": parts(original, clone),
    }


def parts(original, clone):
    """Compare launch by launch of the clone with the launches that it stands for."""
    rows = original["launch_rows"]
    each = len(rows) == sum(len(one["stands_for"]) for one in clone["launch_rows"])
    found = []
    for one in clone["launch_rows"]:
        ours = _sums([rows[n] for n in one["stands_for"]]) if each else None
        found.append(
            {
                "kernel": one["kernel"],
                "clone": one["clone"],
                "grid": one["grid"],
                "launches": [len(one["stands_for"]), one["repeats"]],
                "cycles": [ours["cycles"] if ours else None, clone_cycles(one)],
                "share": ours["cycles"] / original["cycles"] if ours else None,
                "error_percent": _ipc_error(ours, one) if ours else None,
                "instructions_over": one["original"]["warps"] / one["warps"],
                "lanes": [_ratio(one["original"], "threads", "warps"),
                          _ratio(one, "threads", "warps")],
                "l1_hit_rate": [_hits(ours), _hits(one)],
                "dram_per_1000_threads": [_dram(ours), _dram(one)],
            }
        )  # fmt: skip
    return found


def by_kernel(found):
    """Add the parts of a row up by the kernel of the clone: those with the most cycles first."""
    groups = {}
    for part in found:
        groups.setdefault(part["clone"], []).append(part)
    rows = []
    for same in groups.values():
        own = sum(p["cycles"][0] or 0.0 for p in same)
        theirs = sum(p["cycles"][1] for p in same)
        weights = [p["cycles"][1] for p in same]
        rows.append(
            {
                "kernel": same[0]["kernel"],
                "clone": same[0]["clone"],
                "clone_launches": len(same),
                "launches": [sum(p["launches"][k] for p in same) for k in (0, 1)],
                "share": None if same[0]["share"] is None else sum(p["share"] for p in same),
                "error_percent": relative(1.0 / theirs, 1.0 / own) if own else None,
                "worst_percent": max((p["error_percent"] for p in same if p["error_percent"]
                                      is not None), key=abs, default=None),
                **{key: [_mean([p[key][k] for p in same], weights) for k in (0, 1)]
                   for key in ("lanes", "l1_hit_rate", "dram_per_1000_threads")},
                "instructions_over": _mean([p["instructions_over"] for p in same], weights),
            }
        )  # fmt: skip
    return sorted(rows, key=lambda row: -(row["share"] or 0.0))


def _mean(values, weights):
    known = [(v, w) for v, w in zip(values, weights, strict=True) if v is not None]
    whole = sum(w for _, w in known)
    return sum(v * w for v, w in known) / whole if whole else None


def _sums(rows):
    return {key: sum(row[key] for row in rows) for key in rows[0]}


def _ipc_error(own, clone):
    return relative(_ratio(clone, "threads", "cycles"), _ratio(own, "threads", "cycles"))


def _ratio(row, over, under):
    return row[over] / row[under] if row[under] else None


def _hits(row):
    if not row or not row["l1_accesses"]:
        return None
    return 1.0 - row["l1_misses"] / row["l1_accesses"]


def _dram(row):
    return 1e3 * row["dram"] / row["threads"] if row and row["threads"] else None


# -- over all rows ---------------------------------------------------------------------------------


def figures(rows, loops):
    """Sum rows up; ``loops`` tells, by the paper's name, which workloads have any to reduce.

    Errors are over workloads with loops and machines. A workload without loops is not sped up: it
    counts as 1 in the means of speed-ups, whatever was measured, as in the paper.
    """
    looped = [row for row in rows if loops[row["name"]]]
    hard = [row for row in rows if row["name"] in HARD]
    if not looped:
        return {"workloads": len({row["name"] for row in rows})}
    return {
        "workloads": len({row["name"] for row in rows}),
        "workloads_with_loops": len({row["name"] for row in looped}),
        "mean_abs_ipc_error": mean_error(looped),
        "pairs_over_10": len(over(looped)),
        "over_10": [[r["name"], r["machine"], r["error_percent"]] for r in over(looped)],
        "without_loops": _errors([row for row in rows if not loops[row["name"]]]),
        "hard_mean_abs_ipc_error": mean_error(hard) if hard else None,
        "hard_max_abs_ipc_error": max((abs(r["error_percent"]) for r in hard), default=None),
        "error_by_machine": {
            machine: mean_error([r for r in looped if r["machine"] == machine])
            for machine in machines_of(looped)
        },
        **speedups(rows, loops, "speedup", ""),
        **speedups(rows, loops, "engine_speedup", "engine_"),
        "ranks_kept": ranks_kept(rows),
    }


def mean_error(rows):
    """The mean of |Equation 4| in percent."""
    return fmean(abs(row["error_percent"]) for row in rows)


def over(rows, limit=_LARGE):
    """Rows with errors over a limit, largest first."""
    found = [row for row in rows if abs(row["error_percent"]) > limit]
    return sorted(found, key=lambda row: -abs(row["error_percent"]))


def machines_of(rows):
    """Machines in the order in which rows have them."""
    return list(dict.fromkeys(row["machine"] for row in rows))


def _errors(rows):
    return [[row["name"], row["machine"], row["error_percent"], row["speedup"]] for row in rows]


def counted_speedup(row, loops, key):
    """A row's speed-up as it counts: 1 where there are no loops."""
    return row[key] if loops[row["name"]] else 1.0


def speedups(rows, loops, key, prefix):
    """Means over workloads by machine, and over these: Table 3's, where there are any."""
    each = {
        machine: [counted_speedup(r, loops, key) for r in rows if r["machine"] == machine]
        for machine in machines_of(rows)
    }
    means = {machine: fmean(found) for machine, found in each.items()}
    of_paper = [mean for machine, mean in means.items() if machine in MACHINES]
    measured = [row[key] for row in rows if loops[row["name"]]]
    return {
        f"{prefix}speedup": means,
        f"{prefix}harmonic_mean_speedup": harmonic_mean(of_paper or list(means.values())),
        f"{prefix}harmonic_mean_over_workloads": {
            machine: harmonic_mean(found) for machine, found in each.items()
        },
        f"max_{prefix}speedup": max(measured),
        f"min_{prefix}speedup": min(measured),
    }


def ranks_kept(rows):
    """Tell of how many workloads the clones rank the machines as the originals do.

    ``swapped`` has the pairs of machines of which one is faster for the original and the other for
    the clone, with how much more its IPC is in percent: of the original, of the clone.
    """
    swapped, names = [], list(dict.fromkeys(row["name"] for row in rows))
    for name in names:
        own = [row for row in rows if row["name"] == name]
        for k, a in enumerate(own):
            for b in own[:k]:
                more = [relative(a["ipc"][n], b["ipc"][n]) for n in (0, 1)]
                if more[0] * more[1] < 0:
                    swapped.append([name, a["machine"], b["machine"], *more])
    kept = len(names) - len({name for name, *_ in swapped})
    return {"workloads": [kept, len(names)], "swapped": swapped}


def goals_met(found):
    """Which figures are as good as the paper's; those that were not measured are left out."""
    told = {}
    for name, goal in GOALS.items():
        own = found.get(name)
        if own is None:
            continue
        if isinstance(goal, dict):
            told |= {f"{name}.{m}": own[m] >= goal[m] for m in own if m in goal}
        else:
            told[name] = own >= goal if "speedup" in name else own <= goal
    return told
