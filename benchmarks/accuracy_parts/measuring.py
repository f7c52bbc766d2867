"""A measurement: which rows, asked of which engines, and what comes of them."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from benchmarks.accuracy_parts import extrapolation, printing, running, selecting
from benchmarks.accuracy_parts.engines import FULL, engine
from benchmarks.accuracy_parts.figures import figures
from benchmarks.accuracy_parts.model import Row
from benchmarks.accuracy_parts.selecting import QUICK, Amount, Chosen
from benchmarks.accuracy_parts.tables import FOLDER

Tell = Callable[[str], None]
Ask = Callable[[str, Sequence[Chosen]], tuple[Row, ...]]


def measure(arguments: argparse.Namespace, engines: Sequence[str], say: Tell) -> dict[str, Any]:
    """Predict the rows that are asked for by each engine, and compare."""
    from warpmill.sweeps.sweep import default_store  # noqa: PLC0415 - slow to load

    started = time.perf_counter()
    engine(engines[0])  # here too: a kept result depends on the modules that are loaded
    folder, amount = arguments.data or FOLDER, amount_of(arguments)
    cases, missing = running.all_cases(folder, arguments.only)
    chosen = selecting.choose(cases, amount)
    say(f"{len(chosen)} rows of {len(cases)}")
    some = selecting.simulated(chosen, amount.simulated)
    asked = chosen if "estimate" in engines else some
    built = running.built_code(asked, say)
    store = arguments.store or default_store()

    def ask(engine: str, which: Sequence[Chosen]) -> tuple[Row, ...]:
        return running.predicted(engine, which, built, store, arguments.workers, say)

    found: dict[str, Any] = {}
    rows: dict[str, tuple[Row, ...]] = {}
    if "estimate" in engines:
        rows["estimate"] = ask("estimate", chosen)
        found["estimate"] = figures(rows["estimate"])
    if "simulate" in engines:
        rows["simulate"] = ask("simulate", some)
        found["simulate"] = _of_simulations(rows, some, ask)
    if arguments.rows_out is not None:
        printing.write_rows(arguments.rows_out, rows)
    return {
        **found,
        "engines": list(engines),
        "tables": tables_of(folder),
        "missing": list(missing),
        "seconds": round(time.perf_counter() - started, 1),
    }


def amount_of(arguments: argparse.Namespace) -> Amount:
    """Give how many rows are compared."""
    amount = QUICK if arguments.quick else Amount()
    if arguments.rows is None:
        return amount
    return Amount(arguments.rows, amount.ranked, min(arguments.rows, amount.simulated))


def _of_simulations(
    rows: dict[str, tuple[Row, ...]], some: Sequence[Chosen], ask: Ask
) -> dict[str, Any]:
    """Give the figures of simulations, what continuing rounds changes, and the same estimated."""
    simulated = rows["simulate"]
    few = extrapolation.few(simulated)
    again = [one for one in some if (one.case.table, one.case.row) in few]
    found = figures(simulated)
    found["extrapolation"] = extrapolation.compared(simulated, ask(FULL, again))
    if "estimate" in rows:
        places = {(one.case.table, one.case.row) for one in some}
        own = [r for r in rows["estimate"] if (r.case.table, r.case.row) in places]
        found["estimate_of_these"] = figures(own)["overall"]
    return found


def tables_of(folder: Path) -> dict[str, str]:
    """Hash the tables of a folder, by name: the first 16 digits of SHA-256."""
    files = sorted(p for p in folder.glob("*.csv*") if p.is_file())
    return {path.name: sha256(path.read_bytes()).hexdigest()[:16] for path in files}
