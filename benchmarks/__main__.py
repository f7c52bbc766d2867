"""Run benchmarks, and show what they measured: ``python -m benchmarks NAME``.

::

    python -m benchmarks list             what there is, when it was measured, how fresh it is
    python -m benchmarks NAME             what was measured last, at once
    python -m benchmarks NAME --fresh     measure and keep the result
    python -m benchmarks NAME --quick     measure a little; nothing is kept
    python -m benchmarks NAME PART ...    measure some parts alone; nothing is kept
    python -m benchmarks NAME --docs      write its page, pictures and files of what was kept
    python -m benchmarks pages            write all pages, without pictures
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from warpmill.analyzer.base.diagnostics import WarpmillError
from warpmill.benchmarks.benchmark import DOCS, Benchmark, Measured, Request, every_benchmark
from warpmill.report.page import Page, Style
from warpmill.report.text import page_text

ABOUT = (__doc__ or "").splitlines()[0]


def listed() -> str:
    """What there is: what each measures, when it was measured, and whether that is fresh."""
    rows = []
    for name, one in every_benchmark().items():
        found = one.kept()
        if found is None:
            rows.append((name, one.about, "never", "", "", one.takes))
            continue
        state = "fresh" if found.is_fresh else "stale"
        measured = found.about.get("date", "")
        rows.append((name, one.about, measured, state, one.missed(found), one.takes))
    page = Page(Style(verbose=True, width=120))
    header = ("benchmark", "what it measures", "measured", "state", "goals missed", "takes")
    page.table(header, rows, left=range(len(header)), wrap=(1,))
    return page_text(page)


def main(words: Sequence[str] | None = None) -> None:
    """Run the command line. SystemExit for what cannot be."""
    asked = sys.argv[1:] if words is None else list(words)
    if asked[:1] == ["list"]:
        print(listed(), end="")
        return
    known = every_benchmark()
    if asked[:1] == ["pages"]:
        for one in known.values():
            found = one.kept() if one.template is not None else None
            if found is not None:
                (DOCS / f"{one.name}.md").write_text(one.page(found), "utf-8")
        return
    parser = _parser(known)
    arguments = parser.parse_intermixed_args(asked)
    one = known[arguments.name]
    request = Request(
        tuple(arguments.names), arguments.quick, arguments.workers, arguments.store, arguments.data
    )
    if request.is_partial and (arguments.fresh or arguments.docs):
        parser.error("--fresh and --docs are of the whole: leave out parts and --quick")
    if arguments.names and not one.parts:
        parser.error(f"{one.name} has no parts that could be named")
    if arguments.docs and one.template is None and not (one.draw or one.files):
        parser.error(f"{one.name} has no page, pictures or files")
    found = _found(one, request, keeping=arguments.fresh)
    if arguments.docs:
        one.write(found)
    print(json.dumps(one.json(found)) if arguments.json else one.text(found), end="")
    if arguments.json:
        print()


def _found(one: Benchmark[Any], request: Request, *, keeping: bool) -> Measured[Any]:
    """Measure, or what was kept. SystemExit with what is wrong."""
    if keeping or request.is_partial:
        try:
            return one.run(request, keeping=keeping)
        except WarpmillError as error:
            raise SystemExit(str(error)) from None
    found = one.kept()
    if found is None:
        raise SystemExit(f"nothing was measured: --fresh does, and keeps it ({one.takes})")
    return found


def _parser(known: dict[str, Benchmark[Any]]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description=ABOUT, epilog="`list` says what each measures."
    )
    parser.add_argument("name", choices=known, metavar="NAME", help=", ".join(known))
    parser.add_argument("names", nargs="*", metavar="PART", help="measure these alone")
    parser.add_argument("--fresh", action="store_true", help="measure, and keep the result")
    parser.add_argument("--quick", action="store_true", help="measure a little; keep nothing")
    parser.add_argument("--docs", action="store_true", help="write its page, pictures and files")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--workers", type=int, default=1, help="processes that measure rows")
    parser.add_argument("--store", help="where rows are kept: a file, or a database's URL")
    parser.add_argument("--data", type=Path, help="folder of public inputs")
    return parser


if __name__ == "__main__":
    main()
