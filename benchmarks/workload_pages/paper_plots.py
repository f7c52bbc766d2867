"""The pictures of docs/workloads.md that papers have too: bars over workloads or applications."""

from __future__ import annotations

import numpy as np

from benchmarks.workload_pages.plots import new_pyplot, save
from benchmarks.workload_parts.groups import GROUPS
from benchmarks.workload_parts.gtpin import LANES

COLOURS = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7")
CALLS = ("kernel", "synchronisation", "other")


def minibench(rows, path):
    """Draw Figures 4, 5, 6 and 15: static blocks, instructions a thread and in all, branches."""
    pyplot = new_pyplot()
    panels = (
        ("Figure 4: static basic blocks", [r["static_blocks"] for r in rows], "linear"),
        ("Figure 5: instructions a thread", [r["instructions_per_thread"] for r in rows], "log"),
        ("Figure 6: branches, % of warp instructions",
         [100 * r["branch_share"] for r in rows], "linear"),
        ("Figure 15: thread instructions in all", [r["thread_instructions"] for r in rows], "log"),
    )  # fmt: skip
    figure, axes = pyplot.subplots(4, 1, figsize=(9, 9), sharex=True)
    for axis, (title, values, scale) in zip(axes, panels, strict=True):
        axis.bar(range(len(rows)), values, color=COLOURS[0])
        axis.set(title=title, yscale=scale)
        axis.grid(alpha=0.3, axis="y")
    axes[-1].set_xticks(range(len(rows)), [r["name"] for r in rows], rotation=90)
    save(pyplot, figure, path)


def figure_7(points, path):
    """Draw instructions a cycle over threads, a line a workload."""
    pyplot = new_pyplot()
    figure, axis = pyplot.subplots(figsize=(5, 3.2))
    for colour, name in zip(COLOURS, dict.fromkeys(p["workload"] for p in points), strict=False):
        own = [p for p in points if p["workload"] == name]
        axis.plot([p["threads"] for p in own], [p["ipc"] for p in own], "o-", color=colour,
                  label=name)  # fmt: skip
    axis.set(xlabel="threads of the largest launch", ylabel="warp instructions a cycle")
    axis.set_xscale("log", base=2)
    axis.grid(alpha=0.3)
    axis.legend()
    save(pyplot, figure, path)


def figure_8(rows, path):
    """Draw the share of branches of the workloads of graphics."""
    pyplot = new_pyplot()
    figure, axis = pyplot.subplots(figsize=(6, 2.8))
    axis.bar([r["workload"] for r in rows], [100 * r["branch_share"] for r in rows],
             color=COLOURS[0])  # fmt: skip
    axis.set_ylabel("branches, %")
    axis.tick_params(axis="x", rotation=90)
    axis.grid(alpha=0.3, axis="y")
    save(pyplot, figure, path)


def gtpin_structure(rows, path):
    """Draw Figure 3: calls by kind, static structures, what was executed."""
    pyplot = new_pyplot()
    figure, axes = pyplot.subplots(3, 1, figsize=(9, 9), sharex=True)
    _stacked(axes[0], rows, [[r["calls"][kind] for r in rows] for kind in CALLS], CALLS)
    axes[0].set_title("Figure 3a: calls of the device, %")
    structures = {"kernels": "kernels", "static_blocks": "basic blocks"}
    _grouped(axes[1], rows, structures, "Figure 3b: static structures")
    dynamic = {"launches": "launches", "block_executions": "blocks", "warp_instructions": "warp "
               "instructions"}  # fmt: skip
    counted = [{**r, "launches": r["calls"]["kernel"]} for r in rows]
    _grouped(axes[2], counted, dynamic, "Figure 3c: executed")
    _named(axes[-1], rows)
    save(pyplot, figure, path)


def gtpin_work(rows, path):
    """Draw Figure 4: groups of opcodes, lanes that are on, bytes read and written."""
    pyplot = new_pyplot()
    figure, axes = pyplot.subplots(3, 1, figsize=(9, 9), sharex=True)
    _stacked(axes[0], rows, [[r["groups"][group] for r in rows] for group in GROUPS], GROUPS)
    axes[0].set_title("Figure 4a: warp instructions by group, %")
    words = [f"{a} to {b} lanes" if a != b else f"{a} lane" for a, b in LANES]
    _stacked(axes[1], rows, np.array([r["lanes"] for r in rows]).T, words)
    axes[1].set_title("Figure 4b: warp instructions by lanes that are on, %")
    moved = {"bytes_read": "read", "bytes_written": "written"}
    _grouped(axes[2], rows, moved, "Figure 4c: bytes that threads read and write")
    _named(axes[-1], rows)
    save(pyplot, figure, path)


def _stacked(axis, rows, parts, labels):
    whole = np.sum(np.array(parts, float), axis=0)
    bottom = np.zeros(len(rows))
    for colour, part, label in zip(COLOURS, parts, labels, strict=False):
        share = 100 * np.array(part, float) / whole
        axis.bar(range(len(rows)), share, bottom=bottom, color=colour, label=label)
        bottom += share
    axis.set_ylim(0, 100)
    axis.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))


def _grouped(axis, rows, keys, title):
    width = 0.8 / len(keys)
    for number, (key, label) in enumerate(keys.items()):
        places = np.arange(len(rows)) + (number - (len(keys) - 1) / 2) * width
        axis.bar(places, [r[key] for r in rows], width, color=COLOURS[number], label=label)
    axis.set(title=title, yscale="log")
    axis.grid(alpha=0.3, axis="y")
    axis.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))


def _named(axis, rows):
    axis.set_xticks(range(len(rows)), [r["application"] for r in rows], rotation=90)
