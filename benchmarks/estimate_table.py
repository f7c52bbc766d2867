"""How long estimates take over the design spaces of the hybrid paper's Table IV.

::

    python -m benchmarks.estimate_table [--json]       what was measured last, at once
    python -m benchmarks.estimate_table --fresh        estimate all, or go on, and keep the result
    python -m benchmarks.estimate_table --docs         write docs/estimate_table.md from it
    python -m benchmarks.estimate_table --quick        an even few of each kernel; nothing is kept
    python -m benchmarks.estimate_table --only nw_kernel1,dynproc --quick --rows-out rows.csv

The table's 20 kernels, each in a design space of as many configurations as the paper's (306,558 in
all), on the four GPUs that it has. ``benchmarks/estimate_table_parts/spaces.toml`` has the spaces;
the kernels are those of the workloads, written anew where a local size is fixed there. By kernel:

- `time_per_estimate_ms`: CPU time of one estimate, launch, traces and the kernel's analysis
  included; the figure of all is the mean over the kernels, as the paper's 931 ms is;
- `trace`: IR instructions of a warp; `paper_trace` has the paper's;
- `cannot_run`: configurations that a GPU cannot hold, which count as no estimates;
- `grows_percent`: of neighbours in the size that a launch grows with, how many times grow.

Configurations go to the GPUs in turn, so that there are as many estimates as the paper reports;
``--each-gpu`` estimates every one on all four. Each kernel is kept as soon as it is done, and
``--fresh`` goes on with the others until something changes that they rest on; points are kept in
the study store (``--store``).
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

NAME = "estimate_table"
DATA = (
    "analyzer/**/*.toml",
    "grammars/*.lark",
    "simulator/**/*.toml",
    "benchmarks/estimate_table_parts/*.toml",
    "benchmarks/estimate_table_parts/launches/*.toml",
    "benchmarks/estimate_table_parts/kernels/*.ll",
)
PARTIAL = ("quick", "only", "rows_out")
Result = Mapping[str, Any]


def main(words: Sequence[str] | None = None) -> None:
    """Run the command line."""
    from benchmarks.estimate_table_parts import printing  # noqa: PLC0415 - slow to load

    arguments = _arguments(words)
    result = _result(arguments)
    if arguments.docs:
        from benchmarks.estimate_table_parts import page  # noqa: PLC0415 - for this alone

        if result["unfinished"]:
            raise SystemExit("the page is of all kernels: --fresh goes on with the others")

        page.write(result, DOCS)
    for line in printing.table(result):
        print(line)
    if arguments.json:
        print(json.dumps(result))


def _arguments(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object, last")
    parser.add_argument("--fresh", action="store_true", help="estimate all, and keep the result")
    parser.add_argument("--docs", action="store_true", help=f"write docs/{NAME}.md")
    parser.add_argument("--quick", action="store_true", help="an even few of each kernel")
    parser.add_argument("--only", type=_names, default=(), help="these kernels, with commas")
    parser.add_argument("--each-gpu", action="store_true", help="every configuration on all GPUs")
    parser.add_argument("--rows-out", type=Path, help="write all rows to this CSV file")
    parser.add_argument("--workers", type=int, default=1, help="processes that estimate")
    parser.add_argument("--store", help="where rows are kept: a file, or a database's URL")
    arguments = parser.parse_args(words)
    if (arguments.fresh or arguments.docs) and _is_partial(arguments):
        options = ", ".join(f"--{name.replace('_', '-')}" for name in PARTIAL)
        parser.error(f"--fresh and --docs are of the whole: leave out {options}")
    return arguments


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for name in text.split(",") if name)


def _is_partial(arguments: argparse.Namespace) -> bool:
    return any(getattr(arguments, name) for name in PARTIAL)


def _result(arguments: argparse.Namespace) -> Result:
    """The result that was kept, or measure one. SystemExit where nothing was."""
    if not (arguments.fresh or _is_partial(arguments)):
        return _kept()
    from benchmarks.estimate_table_parts import measuring, printing  # noqa: PLC0415 - slow to load

    measurement = measuring.Measurement(arguments, say)
    if arguments.fresh:
        parts = KeptParts(NAME, DATA, measurement.names, measurement.about)
        for name in measurement.names:
            parts.of(name, partial(measurement.part, name))
        return _kept()
    own = {name: measurement.part(name) for name in measurement.names}
    if arguments.rows_out is not None:
        printing.write_rows(arguments.rows_out, measurement.stretches)
    return {**measuring.combined(own), **measurement.about, "computer": computer()}


def _kept() -> Result:
    """What was kept, its parts put together. SystemExit where nothing was."""
    from benchmarks.estimate_table_parts import measuring  # noqa: PLC0415 - slow to load

    found = kept(NAME)
    if found is None:
        raise SystemExit("nothing was measured: --fresh does, and keeps it; --quick some of it")
    if found["unfinished"]:
        say(f"not measured yet: {', '.join(found['unfinished'])}")
    told = {name: value for name, value in found.items() if name != "parts"}
    return {**measuring.combined(found["parts"]), **told}


if __name__ == "__main__":
    main()
