"""A measurement: which rows, asked of which engines, and what comes of them."""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from benchmarks.accuracy_parts import extrapolation, running, selecting
from benchmarks.accuracy_parts.engines import FULL, engine
from benchmarks.accuracy_parts.figures import figures, of_groups, overall
from benchmarks.accuracy_parts.model import Row
from benchmarks.accuracy_parts.running import Code
from benchmarks.accuracy_parts.selecting import QUICK, Amount, Chosen
from benchmarks.accuracy_parts.tables import FOLDER
from warpmill.studies.places import default_store

ENGINES = ("estimate", "simulate")
Part = Mapping[str, Any]
Tell = Callable[[str], None]


class Measurement:
    """The rows that are asked for, predicted by engines: a part for each engine and data set.

    ``rows`` has those that were predicted, by engine.
    """

    def __init__(self, arguments: argparse.Namespace, say: Tell) -> None:

        self.rows: dict[str, list[Row]] = defaultdict(list)
        self._folder, amount = arguments.data or FOLDER, amount_of(arguments)
        self._store, self._workers = arguments.store or default_store(), arguments.workers
        self._say = say
        cases, self._missing = running.all_cases(self._folder, arguments.only)
        chosen = selecting.choose(cases, amount)
        some = selecting.simulated(chosen, amount.simulated)
        self._chosen = {"estimate": _by_dataset(chosen), "simulate": _by_dataset(some)}
        say(f"{len(chosen)} rows of {len(cases)}")

    def of_engine(self, name: str) -> list[str]:
        """Name the parts of an engine, by data set; those with fewer rows first.

        The engine is loaded here too: what is kept depends on the modules that are loaded.
        """
        engine(name)
        return [f"{name}/{dataset}" for dataset in self._chosen[name]]

    @property
    def about(self) -> dict[str, Any]:
        """The tables that the rows are of, and data sets that are not there."""
        return {"tables": tables_of(self._folder), "missing": list(self._missing)}

    def part(self, name: str) -> Part:
        """Measure a part, by its name."""
        engine_name, _, dataset = name.partition("/")
        self._say(name)
        chosen = self._chosen[engine_name][dataset]
        built = running.built_code(chosen, self._say)
        rows = self._ask(engine_name, chosen, built)
        self.rows[engine_name] += rows
        found: dict[str, Any] = {"groups": figures(rows)["groups"]}
        if engine_name == "estimate":
            places = set(map(_place, self._chosen["simulate"].get(dataset, ())))
            again = [row for row in rows if (row.case.table, row.case.row) in places]
            found["simulated_too"] = figures(again)["groups"]
        else:
            few = extrapolation.few(rows)
            whole = self._ask(FULL, [one for one in chosen if _place(one) in few], built)
            found["extrapolation"] = extrapolation.compared(rows, whole)
        return found

    def _ask(self, name: str, chosen: Sequence[Chosen], built: Code) -> tuple[Row, ...]:
        return running.predicted(name, chosen, built, self._store, self._workers, self._say)


def combined(parts: Mapping[str, Part]) -> dict[str, Any]:
    """Put parts of a result together: the figures of each engine that has any."""
    found: dict[str, Any] = {}
    for name in ENGINES:
        own = [part for key, part in parts.items() if key.startswith(f"{name}/")]
        if own:
            found[name] = of_groups([one for part in own for one in part["groups"]])
    if "simulate" in found:
        found["simulate"]["extrapolation"] = _all_of(parts, "extrapolation")
    if set(ENGINES) <= set(found):
        found["simulate"]["estimate_of_these"] = overall(_all_of(parts, "simulated_too"))
    return found


def _all_of(parts: Mapping[str, Part], name: str) -> list[Any]:
    return [one for part in parts.values() for one in part.get(name, ())]


def _by_dataset(chosen: Sequence[Chosen]) -> dict[str, list[Chosen]]:
    """Rows by data set; those with fewer rows first."""
    counted = Counter(one.case.dataset for one in chosen)
    names = sorted(counted, key=lambda name: (counted[name], name))
    return {name: [one for one in chosen if one.case.dataset == name] for name in names}


def _place(one: Chosen) -> tuple[str, int]:
    return one.case.table, one.case.row


def amount_of(arguments: argparse.Namespace) -> Amount:
    """How many rows are compared."""
    amount = QUICK if arguments.quick else Amount()
    if arguments.rows is None:
        return amount
    return Amount(arguments.rows, amount.ranked, min(arguments.rows, amount.simulated))


def tables_of(folder: Path) -> dict[str, str]:
    """Hash the tables of a folder, by name: the first 16 digits of SHA-256."""
    files = sorted(p for p in folder.glob("*.csv*") if p.is_file())
    return {path.name: sha256(path.read_bytes()).hexdigest()[:16] for path in files}
