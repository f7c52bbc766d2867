"""What docs/stargazer.md says in sentences about pictures, read off the figures."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from benchmarks.pages import number
from benchmarks.stargazer_parts.beside import accuracy_of
from benchmarks.stargazer_parts.samples import SPACE, WHOLE, WITHOUT_TAIL
from warpmill.exploring.space_file import space_called

FLAT = 0.001
"""Times that differ by less than this share are level."""


@cache
def sampled_blocks():
    """The values of #blk in the space; between them models only interpolate."""
    return next(
        each for each in space_called(SPACE).parameters if each.name == "#blk"
    ).parameter.values


@dataclass(frozen=True)
class Course:
    """How a simulated line goes along #blk: where it rises, and where it is level at the end."""

    rises: tuple[str, ...]
    level_from: int | None


def course(blocks, values):
    """Where time rises although #blk does, and from where on it is level."""
    rises = tuple(
        f"{a} to {b} ({after / before - 1:+.1%})"
        for (a, before), (b, after) in pairwise(zip(blocks, values, strict=True))
        if after > before * (1 + FLAT)
    )
    level = blocks[-1]
    for block, value in reversed(list(zip(blocks, values, strict=True))):
        if abs(value / values[-1] - 1) > FLAT:
            break
        level = block
    return Course(rises, level if level != blocks[-1] else None)


def farthest(blocks, simulated, predicted):
    """Where a prediction is farthest from what was simulated, and by how many percent."""
    off = [100 * (p / s - 1) for s, p in zip(simulated, predicted, strict=True)]
    worst = max(range(len(off)), key=lambda k: abs(off[k]))
    return {"blocks": blocks[worst], "percent": f"{off[worst]:+.1f}",
            "mean": sum(map(abs, off)) / len(off)}  # fmt: skip


def lowest(blocks, values):
    """The least of some values, and where it is."""
    least = min(range(len(values)), key=lambda k: values[k])
    return {"blocks": blocks[least], "us": number(values[least])}


def figure_4(result, names):
    """What is said of Figure 4, with the tail and without; empty where it was not drawn."""
    found = result["figures"].get("figure_4")
    if found is None:
        return []
    simulated, parts = found["simulated"], []
    for name, key in zip(names, (WHOLE, WITHOUT_TAIL), strict=True):
        own, predicted = simulated[key], found["predicted"][name]["values"]
        at = [k for k, blocks in enumerate(simulated["blocks"]) if blocks in sampled_blocks()]
        parts.append({
            "name": name,
            "course": course(simulated["blocks"], own),
            "everywhere": farthest(simulated["blocks"], own, predicted),
            "sampled": farthest([simulated["blocks"][k] for k in at], [own[k] for k in at],
                                [predicted[k] for k in at]),
            "raw": lowest(simulated["blocks"], found["predicted"][name]["raw"]),
            "r_squared": f"{accuracy_of(result, name)['r_squared']:.4f}",
        })  # fmt: skip
    return parts


def sensitivities(result):
    """By how many percent of the longest time each curve of Figure 7 varies, the most first.

    Values of #blk that the space has count; between them the curve is only drawn.
    """
    found = {}
    for name, curve in result["figures"].get("figure_7", {}).items():
        own = [value for blocks, value in zip(curve["blocks"], curve["values"], strict=True)
               if blocks in sampled_blocks()]  # fmt: skip
        found[name] = 100 * (max(own) - min(own)) / max(own)
    return sorted(found.items(), key=lambda item: -item[1])


def worse_than_fixed(result):
    """Name series that three fixed terms tell better than those that were chosen."""
    return [name for name, row in result["rows"].items()
            if accuracy_of(result, name)["mean"] > row["three_factors"]["mean"]]  # fmt: skip


def dominant(result, key, threshold):
    """Count the series by the term that adds the most to their R², the most frequent first."""
    counts = {}
    for name, row in result["rows"].items():
        terms = row[key][f"{threshold:g}"]["terms"]
        if terms:
            counts.setdefault(max(terms, key=lambda term: term[1])[0], []).append(name)
    return sorted(counts.items(), key=lambda item: -len(item[1]))


def wide_samples(result):
    """How many samples had the SIMD width of Figure 3b; each number once."""
    counts = {one["samples"] for row in result["rows"].values()
              for one in row["contributions_of_wide"].values()}  # fmt: skip
    return " or ".join(map(str, sorted(counts)))
