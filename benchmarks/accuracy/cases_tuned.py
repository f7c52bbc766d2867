"""Measured rows of tuned kernels as cases: convolution, dedispersion, hotspot, KTT's with counters.

How a row of a table becomes a launch stands in ``cases_tuned.toml``.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpmill.analyzer.launch.expressions import evaluate
from warpmill.benchmarks.accuracy.building import cache_folder
from warpmill.benchmarks.accuracy.model import Case, Program, Shape, gpus, read_table

TABLES = ("kt_convolution", "kt_dedispersion", "kt_hotspot", "ktt_counters")

Names = Mapping[str, int]


class TableError(ValueError):
    """A row says what the sources cannot do."""


def cases(folder: Path, table: str) -> tuple[Case, ...] | None:
    """The rows of one of the tables in a folder; None where it is not there.

    TableError for rows that the sources cannot do, KeyError for a kernel or GPU that is not known.
    """
    rows = read_table(folder, table)
    if rows is None:
        return None
    return tuple(case_of(table, number, row) for number, row in enumerate(rows))


@cache
def forms() -> dict[str, Any]:
    """``cases_tuned.toml``."""
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def case_of(table: str, number: int, row: Mapping[str, str], sizes: Names | None = None) -> Case:
    """The case of a row, by the table's name; ``sizes`` replaces those of the form."""
    form = forms()[table]
    kernel = row.get("kernel") or next(iter(form["kernels"]))
    one = form["kernels"][kernel]
    config = _configuration(one, row)
    macros = {**_macros(one, config), **one.get("sizes", {}), **(sizes or {})}
    names = _names(one, config, macros)
    time, gpu, clock = float(row[form["time_ms"]]), gpus()[row["gpu"]], row.get("sm_clock_mhz")
    counts = time >= form.get("least_ms", 0)
    return Case(
        table=table,
        dataset=table,
        gpu=row["gpu"],
        kernel=kernel,
        row=number,
        config=tuple(config.items()),
        time_ms=time,
        headline=counts,
        reasons_not="" if counts else f"under {form['least_ms']} ms",
        program=_program(one, macros, gpu.chip),
        entry=one["entry"],
        grid=_shape(one["grid"], names),
        block=_shape(one["block"], names),
        dynamic_shared_bytes=0,
        args=tuple(_argument(a) for a in one["args"] if names.get(a.get("only"), 1)),
        symbols=one.get("symbols", {}),
        registers=int(row["regs"]) if row.get("regs") else None,
        warm=form["warm"],
        clock_mhz=float(clock) if clock else gpu.clock_mhz(table),
        counters={name: float(row[name]) for name in form.get("counters", ())},
        sizes=names,
    )


def _configuration(form: Mapping[str, Any], row: Mapping[str, str]) -> dict[str, int]:
    """The parameters of a row. TableError where another value is asked for than is known."""
    pairs = (pair.split("=") for pair in row.get("config", "").split(";") if pair)
    told = {**row, **dict(pairs)}
    for name, value in form.get("one_value", {}).items():
        if int(told[name]) != value:
            raise TableError(f"{name} = {told[name]}: {form['source']} knows {value} alone")
    return {name: int(told[name]) for name in form["parameters"]}


def _macros(form: Mapping[str, Any], config: Names) -> dict[str, int]:
    """The macros that a configuration stands for, without sizes."""
    unused = form.get("unused", ())
    chosen = {name.upper(): value for name, value in config.items() if name not in unused}
    return {**chosen, **form.get("fixed", {})}


def _program(form: Mapping[str, Any], macros: Names, chip: int) -> Program:
    flags = tuple(form.get("flags", ()))
    return Program(form["source"], tuple(macros.items()), flags, chip, chip)


def _names(form: Mapping[str, Any], config: Names, macros: Names) -> dict[str, int]:
    """What texts of the form may name."""
    names = {**{name.upper(): value for name, value in config.items()}, **macros}
    for name, text in form.get("derived", {}).items():
        names[name] = evaluate(text, names)
    return names


def _shape(texts: list[str], names: Names) -> Shape:
    x, y, z = (*(evaluate(text, names) for text in texts), 1, 1)[:3]
    return x, y, z


def _argument(form: Mapping[str, Any]) -> Mapping[str, Any]:
    """An argument as a launch file has it."""
    made = {key: value for key, value in form.items() if key != "only"}
    if made.get("init") == "dispersion delays":
        made["init"] = {"file": str(delays_file(cache_folder()))}
    return made


def dispersion_delays() -> NDArray[np.float32]:
    """The delay of each of 1536 channels, in samples a unit of dispersion measure.

    4148.808 s MHz² is the constant of dispersion; channels lie 0.1953125 MHz apart from 1425 MHz
    on; 25,000 samples take 1.024 s. The last channel is not delayed.
    """
    frequency = 1425 + 0.1953125 * np.arange(1536)
    seconds = 4148.808 * (frequency**-2 - frequency[-1] ** -2)
    return np.asarray(seconds * 25000 / 1.024, np.float32)


@cache
def delays_file(folder: Path) -> Path:
    """The delays as a file in a folder; it is written anew by each process."""
    kept, made = folder / "dispersion_delays.npy", folder / f"dispersion_delays.{os.getpid()}.npy"
    folder.mkdir(parents=True, exist_ok=True)
    np.save(made, dispersion_delays())
    made.replace(kept)
    return kept
