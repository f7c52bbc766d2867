"""The tables of docs/tbpoint.md; each is empty where there is nothing to show."""

from __future__ import annotations

from statistics import mean, median

from benchmarks.pages import number, table
from benchmarks.tbpoint_parts.figures import LARGE_SAMPLE
from benchmarks.tbpoint_parts.goals import PAPER, at
from benchmarks.tbpoint_parts.machines import BASE, OTHERS
from warpmill.simulator.sampling.region_runs import STABLE

METHODS = {
    "gtpin": "GT-Pin (BB x sync)",
    "gtpin inside": "GT-Pin, CTAs skipped",
    "stratified": "stratified",
    "systematic": "systematic",
}
_TELLING = 0.05
"""A share that is less is no reason for a large sample."""


def goals(result, found):
    """Put figures beside what was to be reached, and beside what else the paper has."""
    rows = [
        (goal["what"], f"<= {goal['wanted']:g}", number(goal["here"]),
         "yes" if goal["reached"] else "NO")
        for goal in result["goals"]
    ]  # fmt: skip
    least = found.least_near.near * 100
    rows.append(("interleavings within 10 % of the mean IPC, least of all settings, %", "> 95",
                 f"{least:.2f}", "yes" if found.lemma_holds else "NO"))  # fmt: skip
    rows += [(words, number(own), number(at(result, place)), "") for words, place, own in PAPER]
    return table(("figure", "wanted, or the paper's", "here", "reached"), rows)


def missed(result, found):
    """Name what was not reached."""
    names = [goal["what"] for goal in result["goals"] if not goal["reached"]]
    return names + ([] if found.lemma_holds else ["interleavings within 10 % of the mean IPC"])


def kernels(result):
    """List errors and samples of each kernel."""
    header = ("workload", "type", "launches", "CTAs", "IPC", "by TBPoint", "error",
              "half-width", "held", "sample", "units", "Ideal-SimPoint", "sample",
              "Random", "sample")  # fmt: skip
    rows = [
        (row["workload"], row["type"], f"{row['launches']:,}", f"{row['ctas']:,}",
         *(f"{ipc:.3f}" for ipc in row["ipc"]), _signed(row["error"]), _half(row), _held(row),
         _share(row["sample"]), f"{row['units']:,}", _signed(row["simpoint"]["error"]),
         _share(row["simpoint"]["sample"]), f"{row['random']['error']:.2f} %",
         _share(row["random"]["share"]))
        for row in result["rows"]
    ]  # fmt: skip
    return table(header, rows)


def ways(result):
    """Sum up the methods of the paper, and the paper's own rule."""
    header = ("method", "geometric mean of errors", "mean", "largest", "geometric mean of samples")
    named = {
        "TBPoint": result,
        "TBPoint by the paper's rule": result["by_paper"],
        "Ideal-SimPoint": result["simpoint"],
        "Random": result["random"],
    }
    return table(header, [(name, *_summed(one)) for name, one in named.items()])


def _summed(one):
    keys = ("error_geomean", "error_mean", "worst_error", "sample_geomean")
    return tuple(f"{one[key]:.2f} %" for key in keys)


def rules(result):
    """List what the paper's rule of when IPC is steady gives, beside ours."""
    rows = [
        (row["workload"], _signed(row["error"]), _share(row["sample"]),
         _signed(row["by_paper"]["error"]), _share(row["by_paper"]["sample"]))
        for row in result["rows"]
    ]  # fmt: skip
    return table(("workload", "error", "sample", "by the paper's rule", "sample"), rows)


def skipped(result):
    """List what was left out, of all instructions and relatively."""
    header = ("workload", "clusters of launches", "left out between launches", "inside of them",
              "regions skipped", "between, of both", "inside, of both")  # fmt: skip
    rows = []
    for row in result["rows"]:
        parts = relative(row)
        shares = ("-", "-") if parts is None else map(_share, parts)
        rows.append((row["workload"], f"{row['clusters']:,}", _share(row["skipped_inter"]),
                     _share(row["skipped_intra"]), f"{row['regions_passed']:,}",
                     *shares))  # fmt: skip
    return table(header, rows)


def relative(row):
    """Both parts of what was left out, in percent of it; None: nothing was."""
    both = row["skipped_inter"] + row["skipped_intra"]
    return None if both <= 0 else [100 * row[f"skipped_{key}"] / both for key in ("inter", "intra")]


def large(result):
    """List kernels of which much is simulated, with why."""
    named = sorted(result["rows"], key=lambda row: -row["sample"])
    rows = [
        (row["workload"], _share(row["sample"]), "; ".join(reasons(row)))
        for row in named if row["sample"] > 100 * LARGE_SAMPLE
    ]  # fmt: skip
    return table(("workload", "sample", "why"), rows)


def reasons(row):
    """Say in words what figures tell of why a sample is as large as it is."""
    own, found = row["sizes"], []
    if row["launches"] == 1:
        found.append("there is one launch")
    elif own["alone_share"] >= _TELLING:
        found.append(f"{own['alone']} of {row['launches']} launches, which have "
                     f"{_share(100 * own['alone_share'])} of the instructions, "
                     "are like no other")  # fmt: skip
    if own["outside"] >= _TELLING:
        found.append(f"{_share(100 * own['outside'])} of the CTAs lie in epochs with outliers")
    if own["brief"] >= _TELLING:
        found.append(f"{_share(100 * own['brief'])} of the CTAs lie in regions of less than "
                     f"{STABLE.units} rounds")  # fmt: skip
    chosen = 100 - row["skipped_inter"]
    found.append(
        f"of the launches that were chosen {_share(100 * row['sample'] / chosen)} is simulated"
    )
    return found


def sizes(result):
    """List how unlike CTAs and launches are."""
    header = ("workload", "type", "CTAs", "smallest", "largest", "variation", "resident CTAs",
              "rounds of a launch", "CTAs outside of regions", "in brief regions",
              "launches like no other", "their instructions")  # fmt: skip
    rows = []
    for row in _by_type(result):
        own = row["sizes"]
        rows.append((row["workload"], row["type"], f"{row['ctas']:,}", f"{own['least']:.2f}",
                     f"{own['largest']:.2f}", f"{own['variation']:.3f}",
                     " or ".join(map(str, own["resident"])), number(own["rounds"]),
                     _share(100 * own["outside"]), _share(100 * own["brief"]),
                     f"{own['alone']} of {row['launches']}",
                     _share(100 * own["alone_share"])))  # fmt: skip
    return table(header, rows)


def _by_type(result):
    return sorted(result["rows"], key=lambda row: (row["type"], row["workload"]))


def machines(result):
    """List errors and samples on machines with other warps and SMs."""
    if not result["others"]:
        return ""
    tables = {BASE: result["rows"], **result["others"]}
    header = ["workload", *(cell for title in tables for cell in (title, "sample"))]
    rows = [
        (rows[0]["workload"],
         *(cell for row in rows for cell in (_signed(row["error"]), _share(row["sample"]))))
        for rows in zip(*tables.values(), strict=True)
    ]  # fmt: skip
    return table(header, rows)


def machine_words(result):
    """What each machine is, by its values that differ."""
    settings = {title: OTHERS.get(title, {}) for title in result["others"]}
    return "".join(
        f"; `{title}` is `{' '.join(f'--set {key}={value}' for key, value in own.items())}`"
        for title, own in settings.items() if own
    )  # fmt: skip


def methods(result):
    """List errors and samples of other methods on the same launches."""
    names = [name for name in METHODS if name in result["methods"]]
    words = [METHODS[name] for name in names]
    header = ["workload", *(cell for name in ("TBPoint", *words) for cell in (name, "sample"))]
    rows = []
    for row in result["rows"]:
        each = (row, *(row["methods"][name] for name in names))
        rows.append((row["workload"], *(cell for one in each for cell in (
            _signed(one["error"]), _share(one["sample"])))))  # fmt: skip
    summed = (result, *(result["methods"][name] for name in names))
    for words_of, key in (("geometric mean", "error_geomean"), ("largest error", "worst_error")):
        is_mean = key == "error_geomean"
        rows.append((words_of, *(cell for one in summed for cell in (
            f"{one[key]:.2f} %", _share(one["sample_geomean"]) if is_mean else ""))))  # fmt: skip
    rows.append(("speed-up (CPU time)", *(cell for one in summed for cell in (
        f"{one['speedup']:.1f}x", ""))))  # fmt: skip
    return table(header, rows)


def interleaving(found):
    """Sum up Figure 5 by the number of warps: the share of samples that are near the mean IPC."""
    by_warps = {}
    for one in found.variations:
        by_warps.setdefault(one.setting.warps, []).append(one)
    rows = [(f"{warps}", *_spread(own)) for warps, own in by_warps.items()]
    rows.append(("all", *_spread(found.variations)))
    return table(("warps", "settings", "least share within 10 %", "median", "mean",
                  "lowest IPC over the mean", "highest"), rows)  # fmt: skip


def _spread(variations):
    near = [one.near for one in variations]
    return (f"{len(near)}", *(f"{of(near):.3%}" for of in (min, median, mean)),
            f"{min(one.relative[0] for one in variations):.3f}",
            f"{max(one.relative[-1] for one in variations):.3f}")  # fmt: skip


def costs(result):
    """List CPU seconds of profiles and choices beside what is saved."""
    header = ("workload", "profile, s", "choice, s", "whole, s", "sample, s", "saved, s",
              "profile and choice, of what is saved")  # fmt: skip
    rows = []
    for row in result["rows"]:
        whole, own = row["cpu_s"]
        spent = row["profile_s"] + row["choice_s"]
        rows.append((row["workload"], number(row["profile_s"]), f"{row['choice_s']:.3f}",
                     number(whole), number(own), number(whole - own),
                     _share(100 * spent / (whole - own)) if whole > own else "-"))  # fmt: skip
    one = result["cost"]
    rows.append(("all", number(one["profile_s"]), f"{one['choice_s']:.3f}", "", "",
                 number(one["saved_s"]),
                 "-" if one["percent"] is None else _share(one["percent"])))  # fmt: skip
    return table(header, rows)


def _signed(value):
    return f"{value:+.2f} %"


def _share(value):
    return f"{value:.1f} %"


def _held(row):
    return "-" if row["held"] is None else "yes" if row["held"] else "NO"


def _half(row):
    return "-" if row["half_width"] is None else f"{row['half_width']:.2f} %"
