"""GT-Pin's subset selection on 25 applications: errors, speed-ups, other inputs and machines.

::

    python -m benchmarks.gtpin [--json]             what was measured last, at once
    python -m benchmarks.gtpin --fresh [--json]     measure and keep the result: hours
    python -m benchmarks.gtpin --apps julia:paper-gtpin,"Crypto Aes128"
    python -m benchmarks.gtpin --known              of what was simulated so far; nothing is kept

Each application is profiled once and simulated whole on one machine; its thirty selections (three
divisions into intervals, ten features) are judged by the cycles of its launches.

- `least_error`, `threshold10`, `universal`: the selection of each application with the least error,
  the smallest one within 10 %, that of the one combination that is best for all: errors in percent,
  speed-ups (all warp instructions over those that are selected); `thresholds`: Figure 7;
- `validation`: the error of these selections with other data, at five clocks, on two other
  machines; `under_share`: the part of pairs that is under 3 %;
- `intervals`: how often the 95 % interval of a projection holds the true cycles;
- `estimate`: the same selections by estimated times, and what these would choose;
- `cost`: CPU seconds of choosing beside those that are saved; `goals`: what is reached.

Rows are kept in the study store (`--store`), so that an interrupted run goes on.
"""

from __future__ import annotations

from benchmarks.kept_command import KeptBenchmark, say

DATA = (
    "analyzer/**/*.toml",
    "grammars/*.lark",
    "simulator/**/*.toml",
    "samples/workloads/*/*.sm_80.ptx*",
    "samples/workloads/*/*.toml",
    "samples/workloads/*/program.py",
)


def known_applications():
    """The paper's name of each application by its target, in the order of the names."""
    from warpmill.session.workloads import workloads  # noqa: PLC0415 - slow to load

    found = {
        f"{workload}:{preset}": name
        for workload, one in workloads().items()
        if one.form.paper.gtpin is not None
        for preset, name in one.form.paper.gtpin.applications.items()
    }
    return dict(sorted(found.items(), key=lambda item: item[1]))


def chosen(words):
    """Applications by their names, targets or workloads. SystemExit for one there is not."""
    known = known_applications()
    found = {}
    for word in words:
        own = {t: n for t, n in known.items() if word in (n, t, t.partition(":")[0])}
        if not own:
            there = ", ".join(f"{target} ({name})" for target, name in known.items())
            raise SystemExit(f"no such application: {word}; there are {there}")
        found |= own
    return found


def measure(names, store, workers, *, known):
    """Measure applications, all without names; with ``known`` nothing more is simulated.

    SystemExit where all are measured and some cannot be.
    """
    from benchmarks.gtpin_parts import measuring  # noqa: PLC0415 - slow to load

    applications = chosen(names) if names else known_applications()
    result = measuring.measure(applications, store, workers, say, only_known=known)
    if result["unknown"] and not (names or known):
        raise SystemExit("; ".join(f"{name}: {why}" for name, why in result["unknown"]))
    return result


def table(result):
    """A result as lines."""
    from benchmarks.gtpin_parts import tables  # noqa: PLC0415 - as above

    return tables.table(result)


def write(result, docs):
    """Write docs/gtpin.md and its pictures."""
    from benchmarks.gtpin_parts import page  # noqa: PLC0415 - matplotlib is slow

    page.write(result, docs)


BENCHMARK = KeptBenchmark(
    "gtpin", __doc__.splitlines()[0], DATA, "apps", measure, table, write,
    (("known", "simulate nothing more"),),
)  # fmt: skip

if __name__ == "__main__":
    BENCHMARK.main()
