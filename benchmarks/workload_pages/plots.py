"""The pictures of docs/workloads.md, drawn with matplotlib."""

from __future__ import annotations

import math

import numpy as np

AREAS = {
    "graphs": "tab:red", "stencils": "tab:blue", "dense": "tab:green", "finance": "tab:olive",
    "physics": "tab:purple", "graphics": "tab:orange", "cryptography": "tab:cyan",
    "modern": "tab:pink", "others": "tab:gray",
}  # fmt: skip
DPI = 110


def new_pyplot():
    """Pyplot, set up to draw into files."""
    import matplotlib  # noqa: PLC0415 - only where pictures are wanted

    matplotlib.use("Agg")
    from matplotlib import pyplot  # noqa: PLC0415

    pyplot.rcParams["font.size"] = 8
    return pyplot


def save(pyplot, figure, path):
    """Write a figure, the same bytes for the same figure, and be done with it."""
    figure.tight_layout()
    figure.savefig(path, dpi=DPI, metadata={"Software": None})
    pyplot.close(figure)


def figure_8(sizes_of, types, path):
    """Draw TBPoint's Figure 8: size of each CTA over the mean, launch after launch.

    ``sizes_of`` has, by workload, the thread instructions of CTAs of each launch of its main
    kernel; a red dot is where a launch begins, blue dots are CTAs.
    """
    pyplot = new_pyplot()
    names = sorted(sizes_of, key=lambda name: (types[name], name))
    columns = 3
    rows = math.ceil(len(names) / columns)
    figure, axes = pyplot.subplots(rows, columns, figsize=(11, 2.1 * rows), squeeze=False)
    for axis, name in zip(axes.ravel(), names, strict=False):
        _ctas(axis, sizes_of[name], f"{name} (type {types[name]})")
    for axis in axes.ravel()[len(names) :]:
        axis.set_visible(False)
    figure.supxlabel("CTA, launch after launch")
    figure.supylabel("thread instructions of a CTA over the mean")
    save(pyplot, figure, path)


def _ctas(axis, sizes, title):
    whole = np.concatenate(sizes).astype(float)
    ratio = whole / whole.mean()
    starts = np.cumsum([0, *(len(one) for one in sizes[:-1])])
    axis.plot(ratio, ".", color="tab:blue", markersize=1.5)
    axis.plot(starts, np.zeros(len(starts)), ".", color="tab:red", markersize=4)
    axis.set_title(title)
    axis.set_ylim(bottom=-0.05 * ratio.max())
    axis.locator_params(axis="x", nbins=5)
    axis.ticklabel_format(axis="x", style="plain")


def divergence(rows, path):
    """Draw lane utilization beside memory divergence, a point a workload."""
    pyplot = new_pyplot()
    figure, axis = pyplot.subplots(figsize=(9, 6))
    together = {}  # names of workloads that would stand on one another
    for row in rows:
        x, y = row["memory_divergence"], row["lane_utilization"]
        if x is None:
            continue
        axis.plot(x, y, "o", color=AREAS[row["area"]], markersize=4)
        together.setdefault((round(x, 2), round(y, 2)), []).append(row["workload"])
    for place, names in together.items():
        axis.annotate(", ".join(names), place, xytext=(4, 3), textcoords="offset points")
    axis.set_xlim(0.94, 5.2)
    axis.set_xlabel("lines of 128 B that a warp's access to global memory touches")
    axis.set_ylabel("lanes that are on, share of all")
    axis.set_xscale("log", base=2)
    axis.set_ylim(0, 1.05)
    axis.grid(alpha=0.3)
    for area, colour in AREAS.items():
        axis.plot([], [], "o", color=colour, label=area)
    axis.legend(loc="lower left")
    save(pyplot, figure, path)


def shares(rows, path):
    """Draw what share of warp instructions are branches and memory accesses, a bar a workload."""
    pyplot = new_pyplot()
    figure, axis = pyplot.subplots(figsize=(9, max(6, 0.2 * len(rows))))
    names = [row["workload"] for row in rows][::-1]
    branches = [row["branch_share"] for row in rows][::-1]
    memory = [row["memory_share"] for row in rows][::-1]
    place = np.arange(len(names))
    axis.barh(place + 0.2, branches, 0.4, label="branches", color="tab:orange")
    axis.barh(place - 0.2, memory, 0.4, label="accesses to global and local memory")
    axis.set_yticks(place, names)
    axis.set_xlabel("share of warp instructions")
    axis.legend()
    axis.grid(alpha=0.3, axis="x")
    save(pyplot, figure, path)
