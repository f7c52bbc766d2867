"""The tables of docs/gtpin.md; each is empty where there is nothing to show."""

from __future__ import annotations

from benchmarks.gtpin_parts.figures import LEAST, THRESHOLD, WAYS
from benchmarks.gtpin_parts.goals import PAPER, at
from benchmarks.gtpin_parts.validation import NEAR
from benchmarks.pages import number, table

WORDS = {
    LEAST: "the least error of each",
    THRESHOLD: "under 10 %",
    "universal": "the best one for all",
}
KINDS = {"trials": "other data", "clocks": "clocks", "machines": "other machines"}
EXPLANATIONS = {
    "Vision Face Detect": "five kernels at a dozen scales of an image: more kinds of launches than "
    "there may be clusters (ten)",
}
"""Why applications are over 3 % off at best, by the paper's name."""


def combination(one):
    """Name a division and a feature."""
    return f"{one['division']} x {one['feature']}"


def goals(result):
    """Put figures beside what was to be reached, and beside what else the paper has."""
    rows = [
        (goal["what"], goal["wanted"], number(goal["here"]), "yes" if goal["reached"] else "NO")
        for goal in result["goals"]
    ]
    rows += [(words, number(own), number(at(result, place)), "") for words, place, own in PAPER]
    return table(("figure", "wanted, or the paper's", "here", "reached"), rows)


def applications(result):
    """List what each way chooses of each application."""
    header = ["application", "workload", "launches"]
    for way in WAYS:
        header += [*([WORDS[way]] if way != "universal" else []), "error", "speed-up"]
    rows = []
    for row in result["rows"]:
        cells = [row["application"], row["target"], f"{row['launches']:,}"]
        for way in WAYS:
            own = row[way]
            cells += [combination(own)] if way != "universal" else []
            cells += [f"{own['error']:.2f} %", number(own["speedup"])]
        rows.append(cells)
    return table(header, rows)


def ways(result):
    """Sum up the three ways."""
    header = ("what is chosen", "error", "median", "worst", "speed-up", "geometric mean", "least",
              "largest", "one over the mean share")  # fmt: skip
    rows = [
        (WORDS[way], *_errors(one), *_speedups(one), number(1 / one["share"]))
        for way in WAYS for one in [result[way]]
    ]  # fmt: skip
    return table(header, rows)


def _errors(one):
    return tuple(f"{one[key]:.2f} %" for key in ("error", "error_median", "worst_error"))


def _speedups(one):
    keys = ("speedup", "speedup_geomean", "speedup_min", "speedup_max")
    return tuple(number(one[key]) for key in keys)


def thresholds(result):
    """List Figure 7."""
    header = ("threshold", "applications within", "error", "median", "worst", "speed-up",
              "geometric mean", "least", "largest")  # fmt: skip
    rows = [
        ("least error" if one["threshold"] is None else f"{one['threshold']:g} %",
         number(one.get("within")), *_errors(one), *_speedups(one))
        for one in result["thresholds"]
    ]  # fmt: skip
    return table(header, rows)


def universals(result):
    """List the combinations used for all applications, the best first."""
    header = ("combination", "error", "median", "worst", "speed-up", "geometric mean", "least",
              "largest", "one over the mean share", "largest share")  # fmt: skip
    ranked = sorted(result["universals"], key=lambda one: (one["error"], one["share"]))
    rows = [
        (combination(one), *_errors(one), *_speedups(one), number(one["share_speedup"]),
         f"{one['largest_share']:.1%}")
        for one in ranked
    ]  # fmt: skip
    return table(header, rows)


def validation(result):
    """Sum up Figure 8, a row for what was chosen and where it is judged."""
    header = ("what is chosen", "judged with", "pairs", "known", f"under {NEAR:g} %", "error",
              "median", "worst")  # fmt: skip
    rows = []
    for way in WAYS:
        for kind, words in KINDS.items():
            one = result["validation"][way][kind]
            share = "-" if one["under_share"] is None else f"{one['under_share']:.0f} %"
            worst = "-"
            if one["worst"] is not None:
                error, name, run = one["worst"]
                worst = f"{error:.2f} % ({name}, {run})"
            rows.append((WORDS[way], words, f"{one['pairs']}", f"{one['known']}", share,
                         number(one["error"]), number(one["error_median"]), worst))  # fmt: skip
    return table(header, rows)


def by_application(result):
    """List Figure 8's errors of the least-error selections."""
    rows, labels = [], {}
    for row in result["rows"]:
        for kind in KINDS:
            labels |= dict.fromkeys((kind, label) for label in row[LEAST]["validation"][kind])
    for row in result["rows"]:
        found = [row[LEAST]["validation"][kind].get(label) for kind, label in labels]
        rows.append((row["application"], f"{row[LEAST]['error']:.2f} %", *map(_judged, found)))
    return table(("application", "own run", *(label for _, label in labels)), rows)


def _judged(one):
    if one is None:
        return ""
    if "error" in one:
        return f"{one['error']:.2f} %"
    return "unknown" if "found" not in one else f"unknown ({one['found']:.2f} %)"


def unknown(result):
    """List runs that nothing is known of, with why; of all ways alike."""
    by_reason = {}
    for kind in KINDS:
        for name, run, why in result["validation"][LEAST][kind]["unknown"]:
            by_reason.setdefault((name, why), []).append(run)
    rows = [(name, ", ".join(runs), why) for (name, why), runs in by_reason.items()]
    return table(("application", "run", "why"), rows)


def intervals(result):
    """Sum up the intervals of 95 %."""
    header = ("what is chosen", "projections", "interval unknown", "true cycles inside",
              "median half-width", "median error")  # fmt: skip
    rows = []
    for way, words in (("all", "all thirty combinations"), *WORDS.items()):
        one = result["intervals"][way]
        share = "-" if one["held_share"] is None else f"{one['held_share']:.0f} %"
        known = one["of"] - one["unknown"]
        rows.append((words, f"{one['of']}", f"{one['unknown']}",
                     f"{one['held']} of {known}: {share}", _percent(one["median_half_width"]),
                     _percent(one["median_error"])))  # fmt: skip
    return table(header, rows)


def _percent(value):
    return "-" if value is None else f"{value:.2f} %"


def estimates(result):
    """List what selections are worth by estimated times, and what these choose."""
    header = ("application", "launches estimated", "CPU s", "whole off by", "least error by them",
              "its error", "speed-up", "under 10 % by them", "its error", "speed-up")  # fmt: skip
    rows = []
    for row in result["rows"]:
        one = row["estimate"]
        if "unknown" in one:
            rows.append((row["application"], one["unknown"], *["-"] * (len(header) - 2)))
            continue
        cells = [cell for way in (LEAST, THRESHOLD) for cell in _by_estimates(one["chosen"][way])]
        rows.append((row["application"], f"{one['estimated']:,} of {row['launches']:,}",
                     f"{one['cpu_s']:.1f}", f"{one['off']:+.0f} %", *cells))  # fmt: skip
    return table(header, rows)


def _by_estimates(one):
    words = f"{combination(one)}: {one['expected']:.2f} %"
    return words, f"{one['error']:.2f} %", number(one["speedup"])


def costs(result):
    """Sum up what choosing costs."""
    one = result["cost"]
    names = {"one": "choosing by one combination (sync x BB)",
             "all": "choosing by all thirty", "profile": "the profile"}  # fmt: skip
    rows = [
        (words, f"{one[f'{key}_s']:.1f}", f"{one[f'{key}_percent']:.2f} %",
         f"{one[f'{key}_worst_percent']:.2f} %")
        for key, words in names.items()
    ]  # fmt: skip
    return table(("what", "CPU s", "of what is saved", "of the worst application"), rows)


def far(result):
    """List applications whose least error is over 3 %, with why."""
    rows = [
        (row["application"], f"{row[LEAST]['error']:.2f} %", combination(row[LEAST]),
         number(row[LEAST]["speedup"]), EXPLANATIONS.get(row["application"], "not explained"))
        for row in sorted(result["rows"], key=lambda row: -row[LEAST]["error"])
        if row[LEAST]["error"] >= NEAR
    ]  # fmt: skip
    return table(("application", "least error", "by", "speed-up", "why"), rows)
