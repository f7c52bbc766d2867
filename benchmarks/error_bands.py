"""How sure estimates are: what error bands are made of, and whether they hold.

::

    python -m benchmarks.error_bands [--json]            coverage, of what was kept
    python -m benchmarks.error_bands --fresh --data DIR  estimate measured rows again, and keep them
    python -m benchmarks.error_bands --write             write warpmill/session/error_bands.json

Rows are those of ``benchmarks.accuracy`` that errors are taken of, without the data sets that
models are calibrated with: of each kernel on a GPU at most ``ROWS``, from all orders of time.
What is kept of a row is its error and the time breakdown of its estimate.

A quarter of the kernels is put aside by a seed; widths of bands follow from the others alone.
A kernel that is left out is left out on all GPUs. Coverage is the share of measured times inside
their bands, each kernel on a GPU counting the same:

- `calibrated`: of the kernels not put aside, each with the band that the others give;
- `other_gpu`: the same, where all kernels on the same GPU are left out too;
- `put_aside`: of the kernels put aside, with bands of those that are not.

``docs/validation.md`` shows it (``benchmarks.validation``).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.keeping import ROOT, keep, kept, snapshot
from benchmarks.kept_command import say

NAME = "error_bands"
DATA = (
    "analyzer/**/*.toml",
    "grammars/*.lark",
    "simulator/**/*.toml",
    "benchmarks/accuracy_parts/*.toml",
    "benchmarks/accuracy_parts/kernels/*.cu",
)
ROWS = 12
"""Rows of a kernel on a GPU, at most."""

WRITTEN = ROOT / "warpmill" / "session" / "error_bands.json"
Result = Mapping[str, Any]


def main(words: Sequence[str] | None = None) -> None:
    """Run the command line."""
    from benchmarks.error_bands_parts import coverage, data_file  # noqa: PLC0415 - slow to load
    from warpmill.session.error_bands import Calibration, kernels_of  # noqa: PLC0415 - as above

    arguments = _arguments(words)
    if arguments.fresh:
        _measure(arguments)
    result = kept(NAME)
    if result is None:
        raise SystemExit("nothing was measured: --fresh --data DIR does, and keeps it")
    if arguments.write:
        WRITTEN.write_text(data_file.text(result), "utf-8")
    data = data_file.contents(result)
    found = coverage.coverages(kernels_of(data), Calibration(**data["calibration"]))
    for line in coverage.lines(found):
        print(line)
    if arguments.json:
        print(json.dumps([one.as_data() for one in found]))


def _arguments(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON list, last")
    parser.add_argument("--fresh", action="store_true", help="measure, and keep the result")
    parser.add_argument("--data", type=Path, help="folder of measured tables")
    parser.add_argument("--write", action="store_true", help=f"write {WRITTEN.name}")
    parser.add_argument("--workers", type=int, default=1, help="processes that measure rows")
    parser.add_argument("--store", help="where rows are kept: a file, or a database's URL")
    return parser.parse_args(words)


def _measure(arguments: argparse.Namespace) -> None:
    from benchmarks.error_bands_parts import measuring  # noqa: PLC0415 - as above

    before = snapshot(DATA)
    result = measuring.measured(
        arguments.data, ROWS, store=arguments.store, workers=arguments.workers, say=say
    )
    keep(NAME, result, before)


if __name__ == "__main__":
    main()
