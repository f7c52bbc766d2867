"""How near predicted times are to those measured on real GPUs.

::

    python -m benchmarks.accuracy [--json]              what was measured last, at once
    python -m benchmarks.accuracy --fresh --data DIR    measure and keep the result, or go on
    python -m benchmarks.accuracy --fresh --data DIR --engine estimate    the estimates of it
    python -m benchmarks.accuracy --docs                write docs/accuracy.md from what was kept
    python -m benchmarks.accuracy --data DIR --quick    some rows of each table; nothing is kept
    python -m benchmarks.accuracy --data DIR --engine both --only matmul --rows-out rows.csv

``--data`` is a folder of measured tables; without it those that the project carries are taken.
Kernels are compiled from ``benchmarks/accuracy_parts/kernels`` by what is on the PATH and in the
folders that WARPMILL_CUDA lists. Errors are in percent of the measured time:

- `mape`: mean over data sets, GPUs and kernels of their mean absolute error;
- `kendall_tau_min`, `best_pick_slowdown_max`: the worst rank correlation of the tuned kernels, and
  how much longer the configuration takes that is predicted best;
- `warp_inst_error_median`: executed warp instructions beside a profiler's count;
- `extrapolation`: of simulations, what continuing whole rounds in a line changes.

Of a data set of over 300 rows 300 are taken for errors, of a tuned space of over 1,000 1,000 are
ranked, always the same ones; 60 of a data set are simulated as well, at most ten million warp
instructions of each. Data sets that models are calibrated with are shown apart. Each data set is
kept as soon as an engine is through with it, and ``--fresh`` goes on with those that are not, until
something changes that the engine rests on; rows are kept in the study store (``--store``).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.keeping import KeptParts, computer, kept
from benchmarks.kept_command import DOCS, say

NAME = "accuracy"
DATA = (
    "analyzer/**/*.toml",
    "grammars/*.lark",
    "simulator/**/*.toml",
    "benchmarks/accuracy_parts/*.toml",
    "benchmarks/accuracy_parts/kernels/*.cu",
)
ENGINES = {"estimate": ("estimate",), "simulate": ("simulate",), "both": ("estimate", "simulate")}
PARTIAL = ("quick", "only", "rows", "rows_out")
STATE = ("date", "version", "fresh", "changed", "unfinished")
"""What is told of each engine's own kept result."""
Result = Mapping[str, Any]


def main(words: Sequence[str] | None = None) -> None:
    """Run the command line."""
    from benchmarks.accuracy_parts import printing  # noqa: PLC0415 - slow to load

    arguments = _arguments(words)
    result = _result(arguments)
    if arguments.docs:
        from benchmarks.accuracy_parts import page  # noqa: PLC0415 - matplotlib is slow

        if "estimate" not in result:
            raise SystemExit("the page is of estimates: measure them first, with --engine estimate")
        page.write(result, DOCS)
    for line in printing.table(result):
        print(line)
    if arguments.json:
        print(json.dumps(printing.summary(result)))


def _arguments(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object, last")
    parser.add_argument("--data", type=Path, help="folder of measured tables")
    parser.add_argument("--engine", choices=ENGINES, help="estimate, where nothing is kept")
    parser.add_argument("--fresh", action="store_true", help="measure, and keep the result")
    parser.add_argument("--docs", action="store_true", help=f"write docs/{NAME}.md")
    parser.add_argument("--quick", action="store_true", help="fewer rows of each data set")
    parser.add_argument("--only", default="", help="data sets, GPUs or kernels with this word")
    parser.add_argument("--rows", type=int, help="rows of a data set that errors are taken of")
    parser.add_argument("--rows-out", type=Path, help="write all rows to this CSV file")
    parser.add_argument("--workers", type=int, default=1, help="processes that measure rows")
    parser.add_argument("--store", help="where rows are kept: a file, or a database's URL")
    arguments = parser.parse_args(words)
    if (arguments.fresh or arguments.docs) and _is_partial(arguments):
        options = ", ".join(f"--{name.replace('_', '-')}" for name in PARTIAL)
        parser.error(f"--fresh and --docs are of the whole: leave out {options}")
    if arguments.docs and arguments.engine and not arguments.fresh:
        parser.error("--docs is of what was kept: leave out --engine")
    return arguments


def _is_partial(arguments: argparse.Namespace) -> bool:
    return any(getattr(arguments, name) for name in PARTIAL)


def _result(arguments: argparse.Namespace) -> Result:
    """The result that was kept, or measure one."""
    if not (arguments.fresh or arguments.data or arguments.engine or _is_partial(arguments)):
        found = kept_result()
        if found is not None:
            return found
        say("nothing was kept: the tables that the project carries are estimated")
    from benchmarks.accuracy_parts import measuring, printing  # noqa: PLC0415 - slow to load

    measurement = measuring.Measurement(arguments, say)
    engines = ENGINES[arguments.engine or ("both" if arguments.fresh else "estimate")]
    if arguments.fresh:
        for engine in engines:  # in this order: what is kept depends on the modules loaded by then
            parts = KeptParts(_name(engine), DATA, measurement.of_engine(engine), measurement.about)
            for name in parts.unfinished:
                parts.of(name, partial(measurement.part, name))
        found = kept_result()
        assert found is not None
        return found
    own = {name: measurement.part(name) for one in engines for name in measurement.of_engine(one)}
    if arguments.rows_out is not None:
        printing.write_rows(arguments.rows_out, measurement.rows)
    return {**measuring.combined(own), **measurement.about, "computer": computer()}


def _name(engine: str) -> str:
    """Name the kept result of an engine: each is as good as new while its own engine is."""
    return f"{NAME}-{engine}"


def kept_result() -> Result | None:
    """What was kept of all engines, put together; None: nothing was.

    ``by_engine`` tells of each when it was measured, whether it is fresh, and what is unfinished.
    """
    from benchmarks.accuracy_parts import measuring  # noqa: PLC0415 - slow to load

    by_engine = {engine: kept(_name(engine)) for engine in ENGINES["both"]}
    found = {engine: own for engine, own in by_engine.items() if own is not None}
    if not found:
        return None
    unfinished = [name for own in found.values() for name in own["unfinished"]]
    unfinished += [engine for engine, own in by_engine.items() if own is None]
    if unfinished:
        say(f"not measured yet: {', '.join(unfinished)}")
    parts = {name: part for own in found.values() for name, part in own["parts"].items()}
    first = next(iter(found.values()))
    return {
        **measuring.combined(parts),
        **{name: value for name, value in first.items() if name != "parts"},
        "fresh": all(own["fresh"] for own in found.values()),
        "changed": sorted({file for own in found.values() for file in own["changed"]}),
        "unfinished": unfinished,
        "by_engine": {engine: {key: own[key] for key in STATE} for engine, own in found.items()},
    }


if __name__ == "__main__":
    main()
