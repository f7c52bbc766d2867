"""Predicting the chosen rows: programs are compiled, then engines are asked about each row."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from benchmarks.accuracy_parts import building, cases_bench, cases_simple, cases_tuned
from benchmarks.accuracy_parts.building import BuildError, Built
from benchmarks.accuracy_parts.model import Case, Compiled, Prediction, Program, Row
from benchmarks.accuracy_parts.points import predictions
from benchmarks.accuracy_parts.selecting import Chosen

Tell = Callable[[str], None]
Code = Mapping[Program, Built | BuildError]


def all_cases(folder: Path, only: str = "") -> tuple[tuple[Case, ...], tuple[str, ...]]:
    """The cases of the tables in a folder, and the data sets that it lacks.

    ``only`` is a word that data set, GPU or kernel have to hold.
    """
    found: list[Case] = []
    missing: list[str] = []
    for datasets, cases in _sources():
        own = cases(folder) or ()
        there = {case.dataset for case in own}
        missing += [name for name in datasets if name not in there]
        found += [case for case in own if only in "/".join(case.group)]
    return tuple(found), tuple(missing)


def _sources() -> list[tuple[Sequence[str], Callable[[Path], Sequence[Case] | None]]]:
    """What makes cases of tables, with the data sets that are in these."""
    tables = [(cases_tuned.cases, cases_tuned.TABLES), (cases_bench.cases, cases_bench.TABLES)]
    return [
        (cases_simple.DATASETS, cases_simple.cases),
        *(((name,), partial(cases, table=name)) for cases, names in tables for name in names),
    ]


def built_code(chosen: Sequence[Chosen], say: Tell) -> Code:
    """Compile the programs of cases."""
    return building.build_all((one.case.program for one in chosen), say)


def predicted(
    engine: str, chosen: Sequence[Chosen], built: Code, store: str | Path, workers: int, say: Tell
) -> tuple[Row, ...]:
    """Predict cases by an engine, kernel by kernel; what cannot be has its problem."""
    ordered = sorted(chosen, key=lambda one: (one.case.group, repr(one.case.program)))
    each = [(one, _code(one.case, built[one.case.program])) for one in ordered]
    todo = [(one.case, code) for one, code in each if isinstance(code, Compiled)]
    found = iter(predictions(engine, todo, store, workers, say))
    return tuple(
        _row(one, code.compiler, next(found)) if isinstance(code, Compiled) else _row(one, "", code)
        for one, code in each
    )


def _code(case: Case, built: Built | BuildError) -> Compiled | str:
    return str(built) if isinstance(built, BuildError) else building.compiled(case, built)


def _row(one: Chosen, compiler: str, found: Prediction | str) -> Row:
    if isinstance(found, str):
        return Row(one.case, compiler, None, found, one.has_error)
    return Row(one.case, compiler, found, "", one.has_error)
