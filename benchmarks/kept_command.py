"""The command line of benchmarks that take hours: a result is measured once, kept, and printed.

::

    python -m benchmarks.NAME [--json]             what was measured last, at once
    python -m benchmarks.NAME --fresh [--json]     measure and keep the result
    python -m benchmarks.NAME --docs               write docs/NAME.md from what was kept
    python -m benchmarks.NAME --PART A,B           of some alone; nothing is kept
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.keeping import computer, keep, kept, snapshot
from warpmill.studies.places import default_store

DOCS = Path(__file__).resolve().parents[1] / "docs"

Result = Mapping[str, Any]


@dataclass(frozen=True)
class KeptBenchmark:
    """A benchmark: how a result is measured, kept, printed and written down.

    ``data`` are patterns of files that a result depends on, beside sources. ``part`` names the
    option that takes some of what is measured, and ``switches`` further options of a partial
    measurement, with their help. ``measure`` is given the names, none for the whole, the store, the
    processes, and a truth for each switch. ``table`` gives lines, ``write`` a page below a folder.
    """

    name: str
    about: str
    data: tuple[str, ...]
    part: str
    measure: Callable[..., Result]
    table: Callable[[Result], Iterable[str]]
    write: Callable[[Result, Path], None]
    switches: tuple[tuple[str, str], ...] = ()

    def main(self, words: Sequence[str] | None = None) -> None:
        """Run the command line. SystemExit for what cannot be."""
        arguments = self._arguments(words)
        result = self._result(arguments)
        if arguments.docs:
            self.write(result, DOCS)
        for line in self.table(result):
            print(line)
        if arguments.json:
            print(json.dumps(result))

    def _arguments(self, words: Sequence[str] | None) -> argparse.Namespace:
        parser = argparse.ArgumentParser(description=self.about)
        parser.add_argument("--json", action="store_true", help="print one JSON object, last")
        parser.add_argument("--fresh", action="store_true", help="measure, and keep the result")
        parser.add_argument(f"--{self.part}", type=_names, default=(), dest="names",
                            help="these alone, with commas")  # fmt: skip
        for name, about in self.switches:
            parser.add_argument(f"--{name}", action="store_true", help=about)
        parser.add_argument("--docs", action="store_true", help=f"write docs/{self.name}.md")
        parser.add_argument("--workers", type=int, default=1, help="processes that measure rows")
        parser.add_argument("--store", help="where rows are kept: a file, or a database's URL")
        arguments = parser.parse_args(words)
        if self._is_partial(arguments) and (arguments.fresh or arguments.docs):
            options = " and ".join(f"--{name}" for name in (self.part, *dict(self.switches)))
            parser.error(f"--fresh and --docs are of the whole: leave out {options}")
        return arguments

    def _is_partial(self, arguments: argparse.Namespace) -> bool:
        return bool(arguments.names) or any(self._switched(arguments).values())

    def _switched(self, arguments: argparse.Namespace) -> dict[str, bool]:
        return {name: getattr(arguments, name) for name, _ in self.switches}

    def _result(self, arguments: argparse.Namespace) -> Result:
        if not (arguments.fresh or self._is_partial(arguments)):
            result = kept(self.name)
            if result is None:
                raise SystemExit("nothing was measured: --fresh does, and keeps it")
            return result

        store, switched = arguments.store or default_store(), self._switched(arguments)
        before = snapshot(self.data) if arguments.fresh else None
        result = self.measure(arguments.names, store, arguments.workers, **switched)
        if before is None:
            return {**result, "computer": computer()}
        keep(self.name, result, before)
        fresh = kept(self.name)
        assert fresh is not None
        return fresh


def say(words: str) -> None:
    """Tell on the standard error how far it is."""
    print(words, file=sys.stderr, flush=True)


def chosen(names: Iterable[str], known: Iterable[str]) -> list[str]:
    """What is measured by names, all without any. SystemExit for one there is not."""
    wanted, there = list(names), list(known)
    unknown = [name for name in wanted if name not in there]
    if unknown:
        names, known_names = ", ".join(unknown), ", ".join(there)
        raise SystemExit(f"nothing here is named {names}; there are {known_names}")
    return wanted or there


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for name in text.split(",") if name)
