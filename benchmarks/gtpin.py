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

import argparse
import json
import sys
from pathlib import Path

from benchmarks.kept_results import computer, keep, kept, snapshot

NAME = "gtpin"
DATA = (
    "analyzer/**/*.toml",
    "grammars/*.lark",
    "simulator/**/*.toml",
    "samples/workloads/*/*.sm_80.ptx",
    "samples/workloads/*/*.toml",
    "samples/workloads/*/program.py",
)
DOCS = Path(__file__).resolve().parents[1] / "docs"


def say(words):
    """Tell on the standard error how far it is."""
    print(words, file=sys.stderr, flush=True)


def known_applications():
    """Give the paper's name of each application by its target, in the order of the names."""
    from warpmill.workloads import workloads  # noqa: PLC0415 - slow to load

    found = {
        f"{workload}:{preset}": name
        for workload, one in workloads().items()
        if one.form.paper.gtpin is not None
        for preset, name in one.form.paper.gtpin.applications.items()
    }
    return dict(sorted(found.items(), key=lambda item: item[1]))


def chosen(words):
    """Give applications by their names, targets or workloads. SystemExit for one there is not."""
    known = known_applications()
    found = {}
    for word in words:
        own = {t: n for t, n in known.items() if word in (n, t, t.partition(":")[0])}
        if not own:
            there = ", ".join(f"{target} ({name})" for target, name in known.items())
            raise SystemExit(f"no such application: {word}; there are {there}")
        found |= own
    return found


def measure_and_keep(store, workers):
    """Measure everything and keep it; what was kept."""
    from benchmarks.gtpin_parts.measuring import measure  # noqa: PLC0415 - as above

    before = snapshot(DATA)
    result = measure(known_applications(), store, workers, say)
    if result["unknown"]:
        raise SystemExit("; ".join(f"{name}: {why}" for name, why in result["unknown"]))
    keep(NAME, result, before)
    return kept(NAME)


def write_docs(result):
    """Write docs/gtpin.md and its pictures."""
    from benchmarks.gtpin_parts.page import write  # noqa: PLC0415 - matplotlib is slow

    write(result, DOCS)


def _arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object, last")
    parser.add_argument("--fresh", action="store_true", help="measure, and keep the result")
    parser.add_argument("--apps", type=_names, default=(), help="these alone, with commas")
    parser.add_argument("--known", action="store_true", help="simulate nothing more")
    parser.add_argument("--docs", action="store_true", help="write docs/gtpin.md")
    parser.add_argument("--workers", type=int, default=1, help="processes that measure rows")
    parser.add_argument("--store", help="where rows are kept: a file, or a database's URL")
    arguments = parser.parse_args()
    if (arguments.apps or arguments.known) and (arguments.fresh or arguments.docs):
        parser.error("--fresh and --docs are of the whole: leave out --apps and --known")
    return arguments


def _names(text):
    return tuple(name for name in text.split(",") if name)


def _result(arguments):
    if not (arguments.apps or arguments.known or arguments.fresh):
        result = kept(NAME)
        if result is None:
            raise SystemExit("nothing was measured: --fresh does, and keeps it")
        return result
    from warpmill.sweeps.sweep import default_store  # noqa: PLC0415 - as above

    store = arguments.store or default_store()
    if arguments.fresh:
        return measure_and_keep(store, arguments.workers)
    from benchmarks.gtpin_parts.measuring import measure  # noqa: PLC0415 - as above

    applications = chosen(arguments.apps) if arguments.apps else known_applications()
    found = measure(applications, store, arguments.workers, say, only_known=arguments.known)
    return {**found, "computer": computer()}


def main():
    """Measure, or print what was kept."""
    from benchmarks.gtpin_parts.tables import table  # noqa: PLC0415 - as above

    arguments = _arguments()
    result = _result(arguments)
    if arguments.docs:
        write_docs(result)
    for line in table(result):
        print(line)
    if arguments.json:
        print(json.dumps(result))


if __name__ == "__main__":
    main()
