"""Stargazer's models of eleven workloads over 933,120 machines: errors, terms, other ways.

::

    python -m benchmarks.stargazer [--json]             what was measured last, at once
    python -m benchmarks.stargazer --fresh [--json]     measure and keep the result: hours
    python -m benchmarks.stargazer --docs               write docs/stargazer.md from what was kept
    python -m benchmarks.stargazer --workloads matmul,nw

For each workload 500 random points of Table 2 are simulated. Five times 300 of them are drawn to
train models with (and fewer of these, from 30 on), and the 200 others to test them (§7.3).

- `mean_error_300`, `worst_error_300`, `max_error_300`: mean over workloads, largest mean of a
  workload, largest of a point, in percent, θ = φ = 0; `worst_error_300_adjusted`: with AES's tail
  adjusted (§7.2), `max_error_300_without_aes`: without AES; `worst_error_60`: with 60 samples;
- `mean_r_squared`: of the models of 300 samples; `at_0.01`: the same figures where θ = φ = 0.01;
- `held_95`: how many of the measured times 95 % intervals of predictions hold;
- `others`: a linear model, a random forest and a Gaussian process on the same splits;
- `table_1`, `figures`: Table 1 and Figures 3 to 7; `speed`: seconds; `goals`: what is reached.

Points are kept in the study store (`--store`), so that an interrupted run goes on.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from benchmarks.kept_results import computer, keep, kept, snapshot

NAME = "stargazer"
DATA = (
    "analyzer/**/*.toml",
    "grammars/*.lark",
    "simulator/**/*.toml",
    "warpmill/exploring/spaces/stargazer.toml",
    "samples/workloads/*/*.ptx",
    "samples/workloads/*/*.toml",
    "samples/workloads/*/program.py",
)
DOCS = Path(__file__).resolve().parents[1] / "docs"


def say(words):
    """Tell on the standard error how far it is."""
    print(words, file=sys.stderr, flush=True)


def known_workloads():
    """Name the workloads that have the paper's preset."""
    from warpmill.workloads import workloads  # noqa: PLC0415 - slow to load

    return [name for name, one in workloads().items() if one.form.paper.stargazer is not None]


def chosen(names):
    """Give workloads by their names, all without any. SystemExit for one there is not."""
    known = known_workloads()
    unknown = [name for name in names if name not in known]
    if unknown:
        raise SystemExit(f"no such workload: {', '.join(unknown)}; there are {', '.join(known)}")
    return list(names or known)


def write_docs(result):
    """Write docs/stargazer.md and its pictures."""
    from benchmarks.stargazer_parts.page import write  # noqa: PLC0415 - matplotlib is slow

    write(result, DOCS)


def _arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object, last")
    parser.add_argument("--fresh", action="store_true", help="measure, and keep the result")
    parser.add_argument("--workloads", type=_names, default=(), help="these alone, with commas")
    parser.add_argument("--docs", action="store_true", help="write docs/stargazer.md")
    parser.add_argument("--workers", type=int, default=1, help="processes that simulate")
    parser.add_argument("--store", help="where points are kept: a file, or a database's URL")
    arguments = parser.parse_args()
    if arguments.workloads and (arguments.fresh or arguments.docs):
        parser.error("--fresh and --docs are of the whole: leave out --workloads")
    return arguments


def _names(text):
    return tuple(name for name in text.split(",") if name)


def _result(arguments):
    if not (arguments.workloads or arguments.fresh):
        result = kept(NAME)
        if result is None:
            raise SystemExit("nothing was measured: --fresh does, and keeps it")
        return result
    from benchmarks.stargazer_parts.measuring import measure  # noqa: PLC0415 - slow to load
    from warpmill.sweeps.sweep import default_store  # noqa: PLC0415 - as above

    names, store = chosen(arguments.workloads), arguments.store or default_store()
    if not arguments.fresh:
        return {**measure(names, store, arguments.workers, say), "computer": computer()}
    before = snapshot(DATA)
    keep(NAME, measure(names, store, arguments.workers, say), before)
    return kept(NAME)


def main():
    """Measure, or print what was kept."""
    from benchmarks.stargazer_parts.tables import table  # noqa: PLC0415 - as above

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
