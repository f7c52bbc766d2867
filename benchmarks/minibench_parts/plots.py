"""The pictures of docs/clones.md, drawn with matplotlib; those of what was not measured are not."""

from __future__ import annotations

import numpy as np

from benchmarks.minibench_parts.extras import SHORTENED_ON
from benchmarks.minibench_parts.flow_plot import draw_flows, draw_graph
from benchmarks.workload_pages.plots import new_pyplot, save

_ERRORS_ON = "minibench_56sm"


def draw(result, folder):
    """Draw all pictures that a result has the figures of."""
    pyplot = new_pyplot()
    rows = result["rows"]
    _speedups(pyplot, rows, folder / "figure_18.png")
    _errors(pyplot, rows, folder / "figure_19.png")
    _ipcs(pyplot, rows, folder / "figure_20.png")
    if result.get("series"):
        series = {n: each for n, each in result["series"].items() if len(each) > 1}
        _lines(pyplot, series, "speedup", "speed-up", folder / "figure_16.png", log=True)
        _lines(pyplot, series, "error_percent", "IPC error, %", folder / "figure_17.png", log=False)
    if result.get("one_iteration"):
        own = {r["name"]: r["error_percent"] for r in rows if r["machine"] == SHORTENED_ON}
        _one_iteration(pyplot, result["one_iteration"], own, folder / "figure_21.png")
    if result.get("figure_22"):
        draw_flows(pyplot, result["figure_22"], folder / "figure_22.png")
    if result.get("figure_13"):
        draw_graph(pyplot, result["figure_13"], folder / "figure_13.png")
    if result.get("space"):
        _space(pyplot, result["space"], folder / "figure_2.png")


def _by_machine(rows):
    machines = list(dict.fromkeys(r["machine"] for r in rows))
    names = list(dict.fromkeys(r["name"] for r in rows))
    return machines, names, {(r["name"], r["machine"]): r for r in rows}


def _speedups(pyplot, rows, path):
    machines, names, of = _by_machine(rows)
    figure, axis = pyplot.subplots(figsize=(11, 3.5))
    for k, machine in enumerate(machines):
        values = [of[n, machine]["speedup"] if (n, machine) in of else np.nan for n in names]
        axis.bar(_beside(names, k, len(machines)), values, 0.8 / len(machines), label=machine)
    axis.axhline(1.0, color="black", linewidth=0.6)
    axis.set_yscale("log")
    _named(axis, names, "speed-up")
    save(pyplot, figure, path)


def _beside(names, number, of):
    """Place the bars of one of several groups."""
    return np.arange(len(names)) + (number - (of - 1) / 2) * 0.8 / of


def _named(axis, names, label):
    axis.set_xticks(np.arange(len(names)), names, rotation=90)
    axis.set_ylabel(label)
    axis.legend()
    axis.grid(alpha=0.3, axis="y")


def _errors(pyplot, rows, path):
    machines, names, of = _by_machine(rows)
    machine = _ERRORS_ON if _ERRORS_ON in machines else machines[0]
    figure, axis = pyplot.subplots(figsize=(9, 3.2))
    values = [of[n, machine]["error_percent"] if (n, machine) in of else np.nan for n in names]
    axis.bar(np.arange(len(names)), values, 0.7, label=machine)
    axis.axhline(0.0, color="black", linewidth=0.6)
    _named(axis, names, "IPC error, %")
    save(pyplot, figure, path)


def _ipcs(pyplot, rows, path):
    machines, names, of = _by_machine(rows)
    columns = 6
    lines = -(-len(names) // columns)
    figure, axes = pyplot.subplots(lines, columns, figsize=(11, 1.9 * lines), squeeze=False)
    place = np.arange(len(machines))
    for axis, name in zip(axes.ravel(), names, strict=False):
        for k, words in enumerate(("original", "clone")):
            ipcs = [of[name, m]["ipc"][k] if (name, m) in of else np.nan for m in machines]
            axis.plot(place, ipcs, "os"[k] + "-", markersize=3, label=words)
        axis.set_title(name)
        axis.set_ylim(bottom=0.0)
        axis.set_xticks(place, [m.removeprefix("minibench_") for m in machines])
    axes[0, 0].legend()
    for axis in axes.ravel()[len(names) :]:
        axis.set_visible(False)
    figure.supylabel("thread instructions a cycle")
    save(pyplot, figure, path)


def _lines(pyplot, series, key, label, path, *, log):
    figure, axis = pyplot.subplots(figsize=(8, 4.5))
    for number, (name, each) in enumerate(series.items()):
        style = ("-", "--", ":")[number // 10 % 3]
        axis.plot([o["factor"] for o in each], [o[key] for o in each], style, marker="o",
                  markersize=3, label=name)  # fmt: skip
    axis.set_xscale("log", base=2)
    if log:
        axis.set_yscale("log")
    axis.set_xlabel("reduction factor of all loops")
    axis.set_ylabel(label)
    axis.grid(alpha=0.3)
    axis.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    save(pyplot, figure, path)


def _one_iteration(pyplot, found, clones, path):
    names = list(found)
    figure, axis = pyplot.subplots(figsize=(9, 3.2))
    for k, (words, errors) in enumerate((("loops of one iteration", found), ("clone", clones))):
        values = [errors.get(name, np.nan) for name in names]
        axis.bar(_beside(names, k, 2), values, 0.4, label=words)
    axis.axhline(0.0, color="black", linewidth=0.6)
    _named(axis, names, "IPC error, %")
    save(pyplot, figure, path)


def _space(pyplot, found, path):
    ways = list(next(iter(found.values())))
    figure, axes = pyplot.subplots(1, len(ways), figsize=(11, 4), sharey=True, squeeze=False)
    for axis, way in zip(axes[0], ways, strict=True):
        for number, (name, own) in enumerate(found.items()):
            shares = own[way]["normalised_ipc"]
            style = ("-", "--", ":")[number // 10 % 3]
            axis.plot([float(p) for p in shares], list(shares.values()), style, label=name)
        axis.set_xlabel(f"part of {way}")
        axis.grid(alpha=0.3)
    axes[0, 0].plot([0, 1], [0, 1], color="black", linewidth=0.6)
    axes[0, 0].set_ylabel("IPC over that of all")
    axes[0, -1].legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    save(pyplot, figure, path)
