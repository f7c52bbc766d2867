"""The tables of docs/stargazer.md; each is empty where there is nothing to show."""

from __future__ import annotations

from statistics import fmean

from benchmarks.pages import number, table
from benchmarks.stargazer_parts.accuracy import FEW, MOST, SIZES, TESTED, THRESHOLDS, TRIES
from benchmarks.stargazer_parts.beside import accuracy_of, paper_figures, workloads
from benchmarks.stargazer_parts.goals import AT_MOST
from benchmarks.stargazer_parts.measuring import AS_PRINTED, REASONABLE
from benchmarks.stargazer_parts.others import KINDS
from benchmarks.stargazer_parts.samples import DEFAULTS

SHOWN = (30, 60, 150, 300)
"""Training samples whose errors are listed."""
WORDS = {"linear": "linear model", "forest": "random forest", "gaussian": "Gaussian process"}
_TAIL = (
    "AES and CP have 257 and 256 CTAs for 30 SMs. Where eight reside on an SM, 17 and 16 are left "
    "over when the first ones end, all at about the same time, and whether an SM takes one of them "
    "or several hangs on small things: CP takes 649 to 773 µs at simd = 32 and #blk = 8. A model "
    "cannot know. Cutting CP's atoms into one launch instead of three, which leaves one such tail, "
    "changes nothing (4.75 %)."
)
_CACHE = (
    "CP's atoms, 1.6 KB a launch, do not fit a constant cache of 1 KB; what that costs depends on "
    "#blk and simd together, which terms of pairs cannot say: by all pairs of the values of simd, "
    "#blk and c$, instead of splines, it is 3.1 %, or 2.4 % with the tail adjusted. Splines in the "
    "logarithm of c$ (log2 in a space file) bring CP to 3.2 %, and the mean of all to 1.3 %."
)
EXPLANATIONS = {
    "mean_error_300": f"{_TAIL} {_CACHE}",
    "worst_error_300": "This is CP, as above, and AES is next.",
    "worst_error_300_adjusted": "This is CP: the tail of AES alone is adjusted here.",
    "max_error_300_without_aes": "CP again; RAY and STO have tails of the same kind.",
    "worst_error_60": "CP; of all others but AES with its tail the largest is under 2.3 %.",
}
"""Why a goal is missed, by its figure."""


def goals(result):
    """Put figures beside what was to be reached, most of it what the paper states."""
    signs = {True: "<=", False: ">="}
    rows = [
        (goal["what"], f"{signs[goal['side'] == AT_MOST]} {goal['wanted']:g}",
         figure(goal["here"], goal["wanted"]), "yes" if goal["reached"] else "NO")
        for goal in result["goals"]
    ]  # fmt: skip
    return table(("figure", "wanted", "here", "reached"), rows)


def beside_paper(result):
    """Put further figures of the paper beside those here."""
    rows = [(words, f"{own:g}", figure(here, own)) for words, own, here in paper_figures(result)]
    return table(("figure", "the paper's", "here"), rows)


def figure(value, like):
    """Write a figure: one that is compared with a share of 1 in four digits."""
    if value is None or isinstance(value, int) or like >= 1:
        return number(value)
    return f"{value:.4f}"


def missed(result):
    """Name what was not reached, without units."""
    return [goal["what"].rpartition(", ")[0] if goal["what"][-1] in "%s" else goal["what"]
            for goal in result["goals"] if not goal["reached"]]  # fmt: skip


def explanations(result):
    """Why goals are missed, of those of which it is known."""
    return [(goal["what"], EXPLANATIONS[goal["figure"]]) for goal in result["goals"]
            if not goal["reached"] and goal["figure"] in EXPLANATIONS]  # fmt: skip


def sampled(result):
    """List what was simulated."""
    header = ("the paper's name", "workload", "warp instructions", "launches", "least time, µs",
              "largest, µs", "largest over least", "simulated in, CPU s")  # fmt: skip
    rows = [
        (name, f"`{one['workload']}`", f"{one['warp_instructions']:,.0f}", number(one["launches"]),
         number(one["fastest_us"]), number(one["slowest_us"]),
         number(one["slowest_us"] / one["fastest_us"]), number(one["simulation_s"]))
        for name, one in result["workloads"].items()
    ]  # fmt: skip
    return table(header, rows)


def errors(result):
    """List Figure 5: mean and largest errors by training samples."""
    header = ["workload", "(parameters, pairs)", *(f"mean of {size}" for size in SHOWN),
              *(f"largest of {size}" for size in SHOWN), "75 %", "98 %"]  # fmt: skip
    rows = []
    for name in result["rows"]:
        each = [accuracy_of(result, name, size) for size in SHOWN]
        quantiles = each[-1]["quantiles"].values()
        rows.append((name, pair(each[-1]), *(number(one["mean"]) for one in each),
                     *(number(one["max"]) for one in each), *map(number, quantiles)))  # fmt: skip
    return table(header, rows)


def pair(one):
    """Write of how many parameters and pairs a model has terms."""
    return f"({one['parameters']}, {one['pairs']})"


def thresholds(result):
    """List models of both thresholds beside each other, with the most samples."""
    header = ["workload"]
    for t in THRESHOLDS:
        header += [f"terms, θ = φ = {t:g}", "R²", f"mean of {FEW}", f"mean of {MOST}", "largest"]
    rows = []
    for name in result["rows"]:
        cells = [name]
        for t in THRESHOLDS:
            few, most = (accuracy_of(result, name, size, t) for size in (FEW, MOST))
            cells += [pair(most), f"{most['r_squared']:.4f}",
                      *map(number, (few["mean"], most["mean"], most["max"]))]  # fmt: skip
        rows.append(cells)
    return table(header, rows)


def knowledge(result):
    """List of how many test points models know nothing, and how many intervals hold."""
    header = ["training samples"]
    for t in THRESHOLDS:
        header += [f"unknown, θ = φ = {t:g}", "of them most in", "intervals that hold",
                   "fewest hold in"]  # fmt: skip
    rows = []
    for size in SIZES:
        cells = [f"{size}"]
        for t in THRESHOLDS:
            each = {name: accuracy_of(result, name, size, t) for name in workloads(result)}
            cells += [*_unknown(each), *_held(each)]
        rows.append(cells)
    return table(header, rows)


def _unknown(each):
    counts = {name: one["unknown"] for name, one in each.items()}
    most = max(counts, key=counts.get)
    share = 100 * sum(counts.values()) / (len(counts) * TRIES * TESTED)
    return f"{share:.1f} %", f"{most} ({counts[most]:,})" if counts[most] else "-"


def _held(each):
    shares = {name: 100 * one["held"] for name, one in each.items()}
    least = min(shares, key=shares.get)
    return f"{fmean(shares.values()):.1f} %", f"{least} ({shares[least]:.1f} %)"


def contributions(result):
    """List what terms add to R², of models with few terms: Figures 3a and 3b."""
    key = f"{REASONABLE:g}"
    header = ("workload", "R²", "what terms add", "R², `simd` = 32", "what terms add")
    rows = []
    for name, row in result["rows"].items():
        whole, wide = row["contributions"][key], row["contributions_of_wide"][key]
        rows.append((name, f"{whole['r_squared']:.4f}", _terms(whole),
                     f"{wide['r_squared']:.4f}", _terms(wide)))  # fmt: skip
    return table(header, rows)


def _terms(one):
    return ", ".join(f"{term} {gain:.3f}" for term, gain in one["terms"]) or "nothing"


def trace(result):
    """Write Table 1: the scores of each tentative model, the chosen term in bold."""
    if "table_1" not in result["figures"]:
        return ""
    names, there = tuple(DEFAULTS), []
    lines = []
    for row in result["figures"]["table_1"]["rows"]:
        lines += [_scored(names, scores, row["chosen"], first=not there)
                  for scores in _apart(row["scores"])]  # fmt: skip
        if row["chosen"] is not None:
            there.append(row["chosen"])
            lines[-1][-1] = f"{' + '.join(there)}: {row['r_squared']:.4f}"
    return table(["scores of", *names, "model then, and its R²"], lines)


def _apart(scores):
    """Interactions, and then basic terms: where there are both, no interaction was chosen."""
    pairs = {term: score for term, score in scores.items() if ":" in term}
    basic = {term: score for term, score in scores.items() if ":" not in term}
    return [part for part in (pairs, basic) if part]


def _scored(names, scores, chosen, first):
    """Write a line of scores; the last cell is empty."""
    leads = {term.rpartition(":")[0] for term in scores}
    (lead,) = leads
    words = "R²" if first else f"adjusted R² of {lead}:" if lead else "adjusted R²"
    cells = {term.rpartition(":")[2]: _score(term, score, chosen, first)
             for term, score in scores.items()}  # fmt: skip
    return [words, *(cells.get(name, "") for name in names), ""]


def _score(term, score, chosen, first):
    if score is None:
        return "-"
    words = f"{score[0 if first else 1]:.4f}"
    return f"**{words}**" if term == chosen else words


def fixed(result):
    """List Figure 6: the chosen terms beside three fixed ones."""
    rows = [
        (name, number(accuracy_of(result, name)["mean"]), number(row["three_factors"]["mean"]),
         number(accuracy_of(result, name)["max"]), number(row["three_factors"]["max"]))
        for name, row in result["rows"].items()
    ]  # fmt: skip
    return table(("workload", "chosen terms: mean, %", "three fixed terms: mean, %",
                  "chosen terms: largest, %", "three fixed terms: largest, %"), rows)  # fmt: skip


def others(result):
    """List other ways to tell unseen points, on the same splits, beside Stargazer's."""
    header = ["model"]
    for size in (FEW, MOST):
        header += [f"mean of {size}, %", "worst workload", "largest"]
    rows = [
        [f"Stargazer, θ = φ = {t:g}", *(cell for size in (FEW, MOST)
                                         for cell in _stargazers(result, size, t))]
        for t in THRESHOLDS
    ]  # fmt: skip
    for kind in KINDS:
        each = [result["others"][kind][str(size)] for size in (FEW, MOST)]
        rows.append([WORDS[kind], *(number(one[key]) for one in each
                                    for key in ("mean", "worst", "max"))])  # fmt: skip
    return table(header, rows)


def _stargazers(result, size, threshold):
    each = [accuracy_of(result, name, size, threshold) for name in workloads(result)]
    means = [one["mean"] for one in each]
    return map(number, (fmean(means), max(means), max(one["max"] for one in each)))


def others_by_workload(result):
    """List mean errors of each workload by the way, with the most samples."""
    header = ["workload", f"Stargazer, θ = φ = {AS_PRINTED:g}", f"{REASONABLE:g}",
              *(WORDS[kind] for kind in KINDS)]  # fmt: skip
    rows = []
    for name, row in result["rows"].items():
        beside = next(one for one in row["others"] if one["samples"] == MOST)
        own = [accuracy_of(result, name, MOST, t)["mean"] for t in THRESHOLDS]
        rows.append((name, *map(number, own), *(number(beside[kind]["mean"]) for kind in KINDS)))
    return table(header, rows)
