"""The tables of docs/clones.md; each is empty where there is nothing to show."""

from __future__ import annotations

from benchmarks.minibench_parts.figures import GOALS, HARD
from benchmarks.pages import table

_LV = (
    "64 CTAs of four lengths, two on some SMs and one on others: which of them share an SM decides "
    "the end, and the clone draws the lengths in another order"
)
_TPACF = (
    "201 CTAs, one or two an SM: warps of the original go the same ways step by step, those of the "
    "clone draw at some branches, and wait for each other at barriers (stalls at the last one of "
    "0.1 in the original, 3 to 11 cycles an instruction in the clone)"
)
_LIB = (
    "local arrays are read again in fewer rounds: L1 hits of 77 % become 51 %, reads of DRAM three "
    "times as many"
)
EXPLANATIONS = {
    ("LV", "minibench_28sm"): _LV,
    ("LV", "minibench_56sm"): _LV,
    ("LV", "minibench_110sm"): _LV,
    ("TPACF", "minibench_56sm"): _TPACF,
    ("TPACF", "minibench_110sm"): _TPACF,
    ("LIB", "minibench_56sm"): _LIB,
    ("LIB", "minibench_110sm"): _LIB,
    ("CP", "minibench_28sm"): (
        "256 CTAs on 224 places: CTAs of an SM end together in the original, so that the last 32 "
        "come to few SMs; those of the short clone end apart, and the last ones spread"
    ),
    ("CP", "minibench_110sm"): (
        "first misses of the caches of instructions and constants, in a clone of 1/36"
    ),
    ("PNS", "minibench_8sm"): (
        "waits for shared memory are 2 % of the stalls, and 9 % in the original: accesses in the "
        "clone wait less for each other"
    ),
    ("MUM", "minibench_110sm"): (
        "a fifth more traffic of DRAM an instruction: places of scattered accesses are drawn, and "
        "near ones of the original's tree are not near in the clone"
    ),
    ("BLK", "minibench_8sm"): "what is worked out at the beginning, in a clone of 1/16",
    ("RPES", "minibench_110sm"): (
        "the clone executes a fifth more instructions, cheap ones, for its control flow: runs are "
        "too short to be reduced"
    ),
    ("NN", "minibench_110sm"): (
        "CTAs of one thread each, of whose 625 iterations 39 are left: starts and first misses "
        "weigh more (that kernel alone -21 %)"
    ),
}
"""Why pairs of a workload and a machine are over 10 % off: by the paper's name and the machine."""

_TITLES = {
    "mean_abs_ipc_error": "mean of the absolute IPC errors, %",
    "pairs_over_10": "pairs of workload and machine over 10 %",
    "harmonic_mean_speedup": "harmonic mean of the machines' mean speed-ups",
    "max_speedup": "largest speed-up",
    "hard_mean_abs_ipc_error": "the eight hard ones: mean of the absolute IPC errors, %",
    "hard_max_abs_ipc_error": "the eight hard ones: largest absolute IPC error, %",
}


_BESIDE = {
    "min_speedup": "least speed-up",
    "engine_harmonic_mean_speedup": "harmonic mean of the machines' mean speed-ups of timing alone",
}
"""Figures that the paper does not have."""


def percent(value):
    """Write a signed percentage."""
    return "-" if value is None else f"{value:+.1f} %"


def goals(result):
    """Put figures beside the paper's."""
    rows = []
    for name, goal in GOALS.items():
        if isinstance(goal, dict):
            own = result[name]
            rows += [
                (f"mean speed-up on {m}", f"{least:g}", f"{own[m]:.1f}", _yes(own[m] >= least))
                for m, least in goal.items() if m in own
            ]  # fmt: skip
        elif result.get(name) is not None:
            met = result["goals"][name]
            own = result[name]
            words = f"{own:.1f}" if isinstance(own, float) else f"{own:,}"
            rows.append((_TITLES[name], f"{goal:g}", words, _yes(met)))
    for name, words in _BESIDE.items():
        rows.append((words, "-", f"{result[name]:.1f}", "-"))
    rows += [
        (f"harmonic mean of the workloads' speed-ups on {m}", "-", f"{value:.1f}", "-")
        for m, value in result["harmonic_mean_over_workloads"].items()
    ]
    rows += [
        (f"mean speed-up of timing alone on {m}", "-", f"{value:.1f}", "-")
        for m, value in result["engine_speedup"].items()
    ]
    return table(("figure", "the paper", "here", "reached"), rows)


def _yes(met):
    return "yes" if met else "NO"


def swapped(found):
    """List machines that clones rank otherwise."""
    rows = [(name, a, b, percent(own), percent(clone)) for name, a, b, own, clone in found]
    return table(("workload", "machine", "its IPC against that of", "original", "clone"), rows)


def over(found):
    """List pairs over 10 % with why."""
    rows = [
        (name, machine, percent(error), EXPLANATIONS.get((name, machine), "not explained"))
        for name, machine, error in found
    ]
    return table(("workload", "machine", "error", "why"), rows) or "There are none."


def pairs(found):
    """List rows with their errors and speed-ups."""
    rows = [(r["name"], r["workload"], r["machine"], percent(r["error_percent"]),
             f"{r['speedup']:.1f}") for r in found]  # fmt: skip
    return table(("name", "workload", "machine", "error", "speed-up"), rows) or "There are none."


def hard(found):
    """List the errors of the hard ones by machine."""
    return by_machine(found, [n for n in HARD if any(r["name"] == n for r in found)])


def by_machine(found, names):
    """Write errors with a column for each machine."""
    machines = list(dict.fromkeys(r["machine"] for r in found))
    errors = {(r["name"], r["machine"]): r["error_percent"] for r in found}
    rows = [(n, *(percent(errors.get((n, m))) for m in machines)) for n in names]
    return table(("name", *machines), rows) or "None was measured."


def rows(found):
    """List everything."""
    header = ("name", "workload", "machine", "IPC", "clone's", "error", "speed-up", "timing",
              "instructions", "launches", "original s", "clone s")  # fmt: skip
    return table(
        header,
        [
            (
                r["name"],
                r["workload"],
                r["machine"],
                *(f"{ipc:.2f}" for ipc in r["ipc"]),
                percent(r["error_percent"]),
                f"{r['speedup']:.1f}",
                f"{r['engine_speedup']:.1f}",
                f"{r['instructions_over']:.1f}",
                " > ".join(map(str, r["launches"])),
                f"{r['cpu_s'][0]:.2f}",
                f"{r['cpu_s'][1]:.3f}",
            )
            for r in found
        ],
    )


def alike(result):
    """Compare what originals and clones execute."""
    kinds = ("shared_wavefronts_per_request", "sectors_per_request", "lanes_per_instruction",
             "branch_share")  # fmt: skip
    header = ("name", *(part for k in kinds for part in (k.replace("_", " "), "clone's", "error")))
    of = {workload: name for name, workload in result["names"].items()}
    found = []
    for workload, own in result["alike"].items():
        if own is not None:
            cells = [cell for kind in kinds for cell in _alike(own[kind])]
            found.append((of[workload], *cells))
    return table(header, found)


def _alike(one):
    if one is None:
        return ("-", "-", "-")
    return f"{one['original']:.3g}", f"{one['clone']:.3g}", percent(one["error_percent"])


def series(found):
    """Write errors and speed-ups over the reduction factor."""
    factors = sorted({one["factor"] for each in found.values() for one in each})
    of = {name: {one["factor"]: one for one in each} for name, each in found.items()}
    cells = [
        (name, *(_point(own.get(factor)) for factor in factors)) for name, own in of.items()
        if len(own) > 1
    ]  # fmt: skip
    return table(("name", *map(str, factors)), cells)


def _point(one):
    return "" if one is None else f"{percent(one['error_percent'])}, {one['speedup']:.1f}x"


def automatic(auto):
    """Write the figures of clones whose reductions were searched, by machine."""
    if not auto:
        return ""
    rows = [
        (m, f"{auto['error_by_machine'].get(m, float('nan')):.1f} %", f"{auto['speedup'][m]:.1f}",
         f"{auto['speedup_with_search'][m]:.1f}", _role(auto, m))
        for m in auto["speedup"]
    ]  # fmt: skip
    return table(("machine", "mean absolute error", "mean speed-up", "with search", ""), rows)


def _role(auto, machine):
    return "searched" if machine == auto["searched_on"] else "judged"


def automatic_rows(result):
    """List what was chosen, and its error on each machine."""
    found = result.get("auto_rows") or []
    searches = result.get("searches") or {}
    machines = list(dict.fromkeys(r["machine"] for r in found))
    errors = {(r["name"], r["machine"]): r["error_percent"] for r in found}
    cells = [
        (
            name,
            _chosen(one),
            f"{one['trials']}",
            *(percent(errors.get((name, m))) for m in machines),
        )
        for name, one in searches.items()
    ]
    return table(("name", "reductions", "clones tried", *machines), cells)


def _chosen(one):
    if one["factor"] is not None:
        return f"all loops by {one['factor']}"
    return "; ".join(
        f"{kernel} " + ", ".join(f"B{loop} by {n}" for loop, n in loops.items())
        for kernel, loops in one["reductions"].items()
    )


def one_iteration(found, clones):
    """Put errors of loops of one iteration beside the clones'."""
    rows = [(n, percent(error), percent(clones.get(n))) for n, error in found.items()]
    return table(("name", "loops of one iteration", "clone"), rows)


def flows(found):
    """Count blocks, edges and loops of three versions of a kernel."""
    if not found:
        return ""
    names = {"original": "original", "shortened": "loops of one iteration", "clone": "clone"}
    rows = [
        (words, str(len(own["blocks"])), str(sum(own["blocks"])), str(len(own["edges"])),
         str(len(own["loops"])))
        for key, words in names.items() if (own := found.get(key)) is not None
    ]  # fmt: skip
    return table(("version", "blocks", "instructions", "edges", "loops"), rows)


def space(found):
    """Write IPC over the part that is left, and errors of readings."""
    first = next(iter(found.values()), {})
    header = ["name"]
    for way, one in first.items():
        parts = [p for p in one["normalised_ipc"] if float(p) < 1.0]
        header += [*(f"{way} {float(p):.0%}" for p in parts), "error"]
    cells = []
    for name, own in found.items():
        row = [name]
        for one in own.values():
            parts = [v for p, v in one["normalised_ipc"].items() if float(p) < 1.0]
            row += [*(f"{value:.2f}" for value in parts), percent(one["error_percent"])]
        cells.append(row)
    return table(header, cells)


def figure_3(found):
    """Write Figure 3's metrics over the part of threads."""
    if not found:
        return ""
    parts = list(next(iter(found.values())))
    rows = [
        (name.replace("_", " "), *("-" if own[p] is None else f"{own[p]:.2f}" for p in parts))
        for name, own in found.items()
    ]
    return table(("metric", *(f"{float(p):.0%}" for p in parts)), rows)


def nodes(graph):
    """Write the nodes of a DFSG that were executed."""
    if not graph:
        return ""
    rows = [(f"#{b}", *(f"{n:,}" for n in counts)) for b, *counts in graph["nodes"] if counts[0]]
    return table(("block", "ECount", "LCount", "SCount"), rows)


def edges(graph):
    """Write the edges of a DFSG that were crossed."""
    if not graph:
        return ""
    rows = [
        (f"#{a}", "end" if b is None else f"#{b}", *(f"{n:,}" for n in counts))
        for a, b, *counts in graph["edges"] if counts[0]
    ]  # fmt: skip
    return table(("from", "to", "OECount", "IECount", "TCount"), rows)


def accepted(found):
    """How many files each compiler took."""
    if not found or not found["files"]:
        return ""
    return ", ".join(f"{key} {took} of {of}" for key, (took, of) in found["files"].items())


def problems(found):
    """List what could not be measured."""
    rows = [(p["kind"], p["workload"], p["machine"] or "-", p["problem"]) for p in found]
    return table(("what", "workload", "machine", "why"), rows)
