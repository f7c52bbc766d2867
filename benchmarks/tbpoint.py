"""TBPoint on the paper's twelve workloads: errors and sample sizes beside a full simulation.

::

    python -m benchmarks.tbpoint [--json]             what was measured last, at once
    python -m benchmarks.tbpoint --fresh [--json]     measure and keep the result: over half an hour
    python -m benchmarks.tbpoint --workloads hotspot,streamcluster

Rows are kept in the study store (``--store``), so that an interrupted run goes on.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace
from functools import partial

from benchmarks.kept_results import ROOT, keep, kept, snapshot
from benchmarks.tbpoint_parts.figures import GOALS, of_workload, summary

NAME = "tbpoint"
STUDY = "benchmarks.tbpoint"
DATA = ("simulator/machines/*.toml", "samples/workloads/*/*.ptx", "samples/workloads/*/*.toml")
SOURCES = ("simulator/sampling", "simulator/gpu", "warpmill/sampling")
WHOLE, SAMPLED, BY_PAPER = "whole", "sampled", "sampled by the paper's rule"
OTHERS = {
    "W24 S14": {"sm.max_threads": 768},
    "W48 S7": {"sm.count": 7},
    "W24 S7": {"sm.max_threads": 768, "sm.count": 7},
}
"""Machines with other system occupancies (Figures 12 and 13): warps an SM, SMs."""


def measure(workloads, store, workers, *, others):
    """Measure workloads; the whole result."""
    settings = {"W48 S14": {}, **(OTHERS if others else {})}
    wanted = [(kind, name, own) for own in settings.values() for name in workloads
              for kind in (WHOLE, SAMPLED, BY_PAPER)]  # fmt: skip
    from benchmarks.kept_study import measured, results  # noqa: PLC0415 - slow to load

    points = [_point(*each) for each in wanted]
    found = iter(results(measured(STUDY, store, points, evaluate, workers=workers, say=say)))
    tables = {
        title: [of_workload(name, next(found), next(found), next(found)) for name in workloads]
        for title in settings
    }
    main = tables["W48 S14"]
    result = {"benchmark": NAME, **summary(main), "goals": GOALS, "rows": main}
    if others:
        result["others"] = {title: tables[title] for title in OTHERS}
        result["worst_sensitivity"] = max(
            abs(row["error"]) for title in OTHERS for row in tables[title]
        )
    return result


def _point(kind, workload, settings):
    """Make a point. What is simulated whole does not depend on how samples are taken."""
    from benchmarks.sampling_parts import launch_times  # noqa: PLC0415 - as above
    from benchmarks.tbpoint_parts import measured  # noqa: PLC0415
    from warpmill.studies.content import sources_digest  # noqa: PLC0415

    target = f"{workload}:{measured.PRESET}"
    whole = launch_times.wanted(target, measured.MACHINE, **settings)
    inputs = {**whole.inputs, "kind": kind, "measuring": measured.VERSION}
    if kind != WHOLE:
        inputs["sampling"] = sources_digest(*SOURCES)
    return replace(whole, inputs=inputs)


def evaluate(inputs):
    """Measure a point."""
    from benchmarks.tbpoint_parts import measured  # noqa: PLC0415 - as above
    from warpmill.studies.model import Outcome  # noqa: PLC0415

    do = {
        WHOLE: measured.whole,
        SAMPLED: measured.sampled,
        BY_PAPER: partial(measured.sampled, stability="paper"),
    }[inputs["kind"]]
    workload = inputs["target"].partition(":")[0]
    return Outcome(facts={"result": do(workload, inputs["settings"])})


def known_workloads():
    """Give the workloads that have the paper's preset."""
    from warpmill.workloads import workloads  # noqa: PLC0415 - as above

    return [name for name, one in workloads().items() if one.form.paper.tbpoint is not None]


def say(words):
    """Tell on the standard error how far it is."""
    print(words, file=sys.stderr, flush=True)


def table(result):
    """Give the rows as lines."""
    yield (f"{'workload':22}{'launches':>9}{'CTAs':>9}{'IPC':>9}{'error':>9}{'sample':>9}"
           f"{'inter':>8}{'intra':>8}{'SimPoint':>10}{'sample':>8}{'random':>8}"
           f"{'2 units':>9}{'sample':>9}")  # fmt: skip
    for row in result["rows"]:
        yield (f"{row['workload']:22}{row['launches']:9}{row['ctas']:9,}{row['ipc'][0]:9.3f}"
               f"{row['error']:+8.2f}%{row['sample']:8.2f}%{row['skipped_inter']:7.1f}%"
               f"{row['skipped_intra']:7.1f}%{row['simpoint']['error']:+9.2f}%"
               f"{row['simpoint']['sample']:7.2f}%{row['random']['error']:7.2f}%"
               f"{row['by_paper']['error']:+8.2f}%{row['by_paper']['sample']:8.2f}%")  # fmt: skip
    for key in (*GOALS, "error_mean", "sample_mean", "simpoint", "random", "by_paper",
                "intervals", "speedup", "large_samples"):  # fmt: skip
        yield f"{key:22} {result[key]}"


def main():
    """Measure, or print what was kept."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object, last")
    parser.add_argument("--fresh", action="store_true", help="measure, and keep the result")
    parser.add_argument("--workloads", type=lambda words: words.split(","), default=[])
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--store", default=None, help="the study store: a file or URL")
    arguments = parser.parse_args()
    from warpmill.sweeps.sweep import default_store  # noqa: PLC0415 - as above

    store = arguments.store or default_store()
    if arguments.workloads:
        result = measure(arguments.workloads, store, arguments.workers, others=False)
    elif arguments.fresh:
        before = snapshot(DATA)
        result = measure(known_workloads(), store, arguments.workers, others=True)
        keep(NAME, result, before)
        result = kept(NAME)
    else:
        result = kept(NAME)
        if result is None:
            raise SystemExit(f"nothing was measured below {ROOT}: --fresh")
    for line in table(result):
        print(line)
    if arguments.json:
        print(json.dumps(result))


if __name__ == "__main__":
    main()
