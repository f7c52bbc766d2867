"""TBPoint on the paper's twelve workloads: errors and sample sizes beside a full simulation.

::

    python -m benchmarks.tbpoint [--json]             what was measured last, at once
    python -m benchmarks.tbpoint --fresh [--json]     measure and keep the result: hours
    python -m benchmarks.tbpoint --docs               write docs/tbpoint.md from what was kept
    python -m benchmarks.tbpoint --workloads hotspot,streamcluster

Of each workload the kernel that executes most is simulated whole and sampled, on the paper's
machine and on three with other system occupancies (`others`).

- `error_geomean`, `sample_geomean`, `worst_error`, `worst_sensitivity`: TBPoint's, in percent, the
  last one on the other machines; `by_paper`: where CTAs are skipped by the paper's rule;
- `simpoint`, `random`: Ideal-SimPoint and Random on units of a million instructions;
- `methods`: the other methods of `warpmill sample` on the same launches;
- `intervals`: how often the 95 % interval holds the true cycles; `cost`: CPU seconds of profiles
  and choices beside those that are saved; `goals`: what is reached.

Rows are kept in the study store (`--store`), so that an interrupted run goes on.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from benchmarks.kept_command import KeptBenchmark, chosen, say
from benchmarks.tbpoint_parts.figures import of_further, of_workload, result_of
from benchmarks.tbpoint_parts.machines import BASE, OTHERS

STUDY = "benchmarks.tbpoint"
DATA = (
    "simulator/machines/*.toml",
    "samples/workloads/*/*.sm_80.ptx*",
    "samples/workloads/*/*.toml",
)
SOURCES = ("simulator/sampling", "simulator/gpu", "warpmill/sampling")
WHOLE, SAMPLED, BY_PAPER = "whole", "sampled", "sampled by the paper's rule"
UNITS, SIZES, OTHER = "units", "sizes", "by "
METHODS = ("gtpin", "gtpin inside", "stratified", "systematic")
"""Other methods of sampling, on the paper's machine; what they are stands in ``further.py``."""


def measure(workloads, store, workers, *, others):
    """Measure workloads; the whole result."""
    settings = (BASE, *(OTHERS if others else ()))
    kinds = (WHOLE, SAMPLED, BY_PAPER)
    further = (UNITS, SIZES, *(OTHER + method for method in METHODS))
    wanted = [(kind, name, title) for title in settings for name in workloads for kind in kinds]
    wanted += [(kind, name, BASE) for name in workloads for kind in further]
    of = _found(wanted, store, workers)
    tables = {
        title: [of_workload(name, *(of[kind, name, title] for kind in kinds)) for name in workloads]
        for title in settings
    }
    types = known_workloads()
    for row in tables[BASE]:
        one = {kind: of[kind, row["workload"], BASE] for kind in (WHOLE, *further)}
        by_method = {name: one[OTHER + name] for name in METHODS}
        own = of_further(one[WHOLE], one[UNITS], one[SIZES], by_method)
        row.update(own, type=types[row["workload"]])
    return result_of(tables)


def measure_some(names, store, workers):
    """Measure workloads; without names all, on the other machines too."""
    return measure(chosen(names, known_workloads()), store, workers, others=not names)


def _found(wanted, store, workers):
    """Measure kinds of workloads on machines; what was found by them."""
    from benchmarks.kept_study import measured, results  # noqa: PLC0415 - slow to load

    points = [_point(kind, name, OTHERS.get(title, {})) for kind, name, title in wanted]
    rows = measured(STUDY, store, points, evaluate, workers=workers, say=say)
    return dict(zip(wanted, results(rows), strict=True))


def _point(kind, workload, settings):
    """Make a point. What is simulated whole does not depend on how samples are taken."""
    from benchmarks.sampling_parts import launch_times  # noqa: PLC0415 - as above
    from benchmarks.tbpoint_parts import further, measured  # noqa: PLC0415
    from warpmill.studies.sources import sources_digest  # noqa: PLC0415

    target = f"{workload}:{measured.PRESET}"
    whole = launch_times.wanted(target, measured.MACHINE, **settings)
    inputs = {**whole.inputs, "kind": kind, "measuring": measured.VERSION}
    if kind != WHOLE:
        inputs["sampling"] = sources_digest(*SOURCES)
    if kind == UNITS:
        inputs["unit"] = measured.UNIT
    if kind not in (WHOLE, UNITS, SAMPLED, BY_PAPER):
        inputs["further"] = further.VERSION
    return replace(whole, inputs=inputs)


def evaluate(inputs):
    """Measure a point."""
    from benchmarks.tbpoint_parts import further, measured  # noqa: PLC0415 - as above
    from warpmill.studies.model import PointOutcome  # noqa: PLC0415

    do = {
        WHOLE: measured.whole,
        UNITS: measured.units,
        SAMPLED: measured.sampled,
        BY_PAPER: partial(measured.sampled, stability="paper"),
        SIZES: further.sizes,
        **{OTHER + name: partial(further.other, name) for name in METHODS},
    }[inputs["kind"]]
    workload = inputs["target"].partition(":")[0]
    return PointOutcome(facts={"result": do(workload, inputs["settings"])})


def known_workloads():
    """The type, I or II, of the workloads that have the paper's preset."""
    from warpmill.session.workloads import workloads  # noqa: PLC0415 - as above

    facts = {name: one.form.paper.tbpoint for name, one in workloads().items()}
    return {name: one.type for name, one in facts.items() if one is not None}


def table(result):
    """A result as lines."""
    from benchmarks.tbpoint_parts import tables  # noqa: PLC0415 - as above

    return tables.table(result)


def write(result, docs):
    """Write docs/tbpoint.md and its pictures."""
    from benchmarks.tbpoint_parts import page  # noqa: PLC0415 - matplotlib is slow

    page.write(result, docs)


BENCHMARK = KeptBenchmark(
    "tbpoint", __doc__.splitlines()[0], DATA, "workloads", measure_some, table, write
)

if __name__ == "__main__":
    BENCHMARK.main()
