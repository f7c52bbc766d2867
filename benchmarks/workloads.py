"""Whether the workloads are right, what they execute, and how near they are to the papers.

    python -m benchmarks.workloads             a table
    python -m benchmarks.workloads --json      all figures as one JSON object on the last line
    python -m benchmarks.workloads --quick     tiny presets only, no pictures
    python -m benchmarks.workloads --docs      write docs/workloads.md and its pictures too

Every workload runs at its presets (tiny alone with --quick), the small one in every build, with its
results checked and its profile taken. Then the largest launch of each kernel of the tiny preset, in
PTX and in bitcode, goes through static analysis, traces, an estimate and a simulation of the whole
GPU. Not with --quick: two of MiniBench's benchmarks are simulated with inputs of several sizes, and
GT-Pin's applications run with both of their inputs.

- `workloads_right` [n, of m]: runs all of whose checks passed;
- `engines_right` [n, of m]: kernels that every engine took, by build;
- `targets_met` [n, of m]: figures of the papers that a preset meets: launches and CTAs of TBPoint's
  Table VI within 10 %, thread instructions of Stargazer's Table 4 within 25 %, threads a CTA;
- `figure_13`: the entry node of kmeans and its edges, beside GPGPU-MiniBench's Figure 13;
- `figure_8`: how CTA sizes of the main kernels vary at TBPoint's presets, by its types;
- `minibench`: MiniBench's benchmarks by name (its Table 2, Figures 4 to 6 and 15), and `figure_7`:
  instructions a cycle over sizes of inputs; `gtpin`: GT-Pin's Figures 3 and 4, an application a
  row, and `gtpin_summary`;
- `rows`: a run each, shares from 0 to 1, seconds of CPU of this computer.

Rows are kept in a study (``--store``, or where sweeps are kept): interrupted it goes on where it
was, and what nothing has changed for is not measured again.

The exit code is 1 where a result is wrong, an engine fails or a target is missed.
"""

import argparse
import json
import platform
import sys
import time
from pathlib import Path

import numpy as np

from benchmarks.workload_parts import gtpin, kept_rows, minibench
from benchmarks.workload_parts.engines import figure_13
from benchmarks.workload_parts.kept_rows import APPLICATION, ENGINES, FIGURE_7, ROW
from benchmarks.workload_parts.rows import variation
from benchmarks.workload_parts.targets import targets
from warpmill.session.dfsgs import dfsgs
from warpmill.session.workloads import DEFAULT_BUILD, OPENCL, WorkloadTarget, workloads
from warpmill.studies.places import default_store

DOCS = Path(__file__).resolve().parents[1] / "docs"


def say(words):
    """Tell progress."""
    print(words, file=sys.stderr, flush=True)


def targets_of(workload, quick):
    """List what is run: all presets in PTX, tiny and small in every build."""
    presets = ["tiny"] if quick else workload.presets
    for preset in presets:
        if preset.startswith("paper-gtpin"):
            continue  # run with what GT-Pin's figures show
        everywhere = preset == ("tiny" if quick else "small")
        builds = workload.builds if everywhere else (DEFAULT_BUILD,)
        yield from (WorkloadTarget(workload, preset, build) for build in builds)


def points_of(quick):
    """List what is measured."""
    for workload in workloads().values():
        for target in targets_of(workload, quick):
            yield kept_rows.wanted(ROW, workload.name, target.preset, target.build)
        for build in (DEFAULT_BUILD, OPENCL):
            if build in workload.builds:
                yield kept_rows.wanted(ENGINES, workload.name, "tiny", build)
    if quick:
        return
    for name, each in minibench.FIGURE_7.items():
        for sizes in each:
            yield kept_rows.wanted(FIGURE_7, name, minibench.PRESET, DEFAULT_BUILD, sizes=sizes)
    for application, name, preset in gtpin.applications():
        yield kept_rows.wanted(APPLICATION, name, preset, DEFAULT_BUILD, application=application)


def measure(quick, store, workers):
    """Run everything; the whole result, and the CTA sizes of TBPoint's presets."""
    start = time.perf_counter()
    points = list(points_of(quick))
    found = list(zip(points, kept_rows.kept(store, points, workers, say), strict=True))

    def of(kind):
        return [one for point, one in found if point.inputs["kind"] == kind]

    rows = [one["row"] for one in of(ROW)]
    engines = [row for one in of(ENGINES) for row in one]
    applications = sorted(of(APPLICATION), key=lambda row: row["application"])
    met, sizes_of, types = [], {}, {}
    for name, workload in workloads().items():
        met += targets(workload, [row for row in rows if row["workload"] == name])
    for one in of(ROW):
        if one["row"]["preset"] == "paper-tbpoint":
            name = one["row"]["workload"]
            sizes_of[name] = kept_rows.sizes_of(one)
            types[name] = workloads()[name].form.paper.tbpoint.type
    rights = [row["passed"] for row in rows]
    rights += [one["passed"] for row in applications for one in (row, row["second"])]
    return {
        "benchmark": "workloads",
        "python": platform.python_version(),
        "machine": platform.machine(),
        "quick": quick,
        "workloads": len(workloads()),
        "workloads_right": [sum(rights), len(rights)],
        "engines_right": [sum(row["error"] is None for row in engines), len(engines)],
        "targets_met": [sum(row["within"] for row in met), len(met)],
        "figure_13": None if quick else _figure_13(),
        "figure_8": [_varying(name, types[name], sizes) for name, sizes in sizes_of.items()],
        "minibench": minibench.benchmarks(rows),
        "figure_7": of(FIGURE_7),
        "gtpin": applications,
        "gtpin_summary": gtpin.summary(applications),
        "targets": met,
        "engines": engines,
        "rows": rows,
        "failures": _failures(rows, engines, met) + _wrong_applications(applications),
        "seconds": round(time.perf_counter() - start, 1),
    }, (sizes_of, types)


def _wrong_applications(rows):
    return [
        f"{row['workload']}:{row['preset']}{second} is wrong"
        for row in rows
        for second, one in (("", row), ("-b", row["second"]))
        if not one["passed"]
    ]


def _figure_13():
    graphs = dfsgs("kmeans:paper-minibench")
    return figure_13(next(graph for graph in graphs if graph.kernel == "kmeans_c"))


def _varying(name, kind, sizes):
    sums = np.array([one.mean() for one in sizes])
    return {
        "workload": name,
        "type": kind,
        "within_launch": variation(sizes),
        "between_launches": float(sums.std() / sums.mean()),
    }


def _failures(rows, engines, met):
    found = [
        f"{r['workload']}:{r['preset']}:{r['build']} is wrong" for r in rows if not r["passed"]
    ]
    found += [
        f"{e['workload']}:{e['build']} {e['kernel']}: {e['error']}" for e in engines if e["error"]
    ]
    return found + [f"{t['workload']}: {t['paper']} {t['figure']} is {t['off']:+.1%}" for t in met
                    if not t["within"]]  # fmt: skip


def show(result):
    """Print a result for people."""
    print(f"{'workload':24}{'preset':17}{'build':8}{'right':7}{'by warps':>14}{'lanes':>8}"
          f"{'branches':>10}{'lines':>7}{'s':>8}")  # fmt: skip
    for row in result["rows"]:
        lines = "-" if row["memory_divergence"] is None else f"{row['memory_divergence']:.2f}"
        print(
            f"{row['workload']:24}{row['preset']:17}{row['build']:8}"
            f"{'yes' if row['passed'] else 'NO':7}{row['warp_instructions']:14,}"
            f"{row['lane_utilization']:8.1%}{row['branch_share']:10.1%}{lines:>7}"
            f"{row['seconds']['run']:8.1f}"
        )
    for name in ("workloads_right", "engines_right", "targets_met"):
        print(f"{name}: {result[name][0]} of {result[name][1]}")
    print(f"figure 13: {result['figure_13']}")
    print(f"GT-Pin's applications: {result['gtpin_summary']}")
    for words in result["failures"]:
        print(f"failed: {words}")
    print(f"{result['seconds']} s")


def write_docs(result, sizes):
    """Write docs/workloads.md and its pictures."""
    from benchmarks.workload_pages import paper_plots, plots  # noqa: PLC0415 - matplotlib is slow
    from benchmarks.workload_pages.page import page  # noqa: PLC0415

    pictures = DOCS / "workloads"
    pictures.mkdir(exist_ok=True)
    rows = [r for r in result["rows"] if (r["preset"], r["build"]) == ("small", DEFAULT_BUILD)]
    plots.figure_8(*sizes, pictures / "figure_8.png")
    plots.divergence(rows, pictures / "divergence.png")
    plots.shares(rows, pictures / "shares.png")
    paper_plots.minibench(result["minibench"], pictures / "minibench.png")
    paper_plots.figure_7(result["figure_7"], pictures / "minibench_figure_7.png")
    graphics = [row for row in rows if row["area"] == "graphics"]
    paper_plots.figure_8(graphics, pictures / "minibench_figure_8.png")
    paper_plots.gtpin_structure(result["gtpin"], pictures / "gtpin_figure_3.png")
    paper_plots.gtpin_work(result["gtpin"], pictures / "gtpin_figure_4.png")
    (DOCS / "workloads.md").write_text(page(result), "utf-8")


def main():
    """Run the command line and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object, last")
    parser.add_argument("--quick", action="store_true", help="tiny presets only")
    parser.add_argument("--docs", action="store_true", help="write docs/workloads.md")
    parser.add_argument("--store", help="where rows are kept: a file, or a database's URL")
    parser.add_argument("--workers", type=int, default=1, help="processes that measure rows")
    arguments = parser.parse_args()
    if arguments.quick and arguments.docs:
        parser.error("--docs needs all presets: leave out --quick")
    store = arguments.store or default_store()
    result, sizes = measure(arguments.quick, store, arguments.workers)
    show(result)
    if arguments.docs:
        write_docs(result, sizes)
    if arguments.json:
        print(json.dumps(result))
    return 1 if result["failures"] else 0


if __name__ == "__main__":
    sys.exit(main())
