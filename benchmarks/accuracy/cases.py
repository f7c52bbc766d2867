"""Measured rows of tables as cases, as ``cases.toml`` says."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.whole_files import user_cache, whole_file
from warpmill.analyzer.launch.expressions import evaluate
from warpmill.benchmarks.accuracy.model import Case, Program, Shape, form, read_table
from warpmill.simulator.machines import load_machine
from warpmill.simulator.machines.model import Machine

DATASETS: Mapping[str, str] = {
    name: own.get("table", name) for name, own in form("cases").items() if "kernels" in own
}
"""The table of each data set."""
DOUBLE = 8

TableRow = Mapping[str, str]
Names = Mapping[str, int]


def cases_of(folder: Path, dataset: str) -> list[Case]:
    """The cases of a data set; none where the folder lacks its table.

    Rows that do not say their CTA are left out, of a row of streams each kernel is a case. KeyError
    for a kernel or GPU that is not known, ValueError for what the sources cannot do.
    """
    found = []
    for number, row in enumerate(read_table(folder, DATASETS[dataset])):
        if row.get("dataset", dataset) != dataset or row.get("block_size") == "":
            continue
        kernels = [row["kernel"]] if "kernel" in row else list(form("cases")[dataset]["kernels"])
        for place, kernel in enumerate(kernels):
            found.append(case_of(dataset, kernel, number * len(kernels) + place, row))
    return found


def case_of(
    dataset: str, kernel: str, number: int, row: TableRow, sizes: Names | None = None
) -> Case:
    """The case of a row; ``sizes`` replaces those of the form."""
    table = DATASETS[dataset]
    own = {**form("cases")[table], **form("cases")[dataset]}
    own |= own["kernels"][kernel]
    gpu, config = form("gpus")[row["gpu"]], _configuration(own, row)
    macros = {} if "columns" in own else _macros(own, config, sizes or {})
    names = {**{name.upper(): n for name, n in config.items()}, **own.get("sizes", {}), **macros}
    for name, text in own.get("derived", {}).items():
        names[name] = evaluate(text, names)
    time_ms, quality = _time_ms(own, kernel, row, names), row.get("quality", "ok").split("|")[0]
    warm = own["warm"] if isinstance(own["warm"], bool) else own["warm"] == row["cache_state"]
    clock, counted = row.get("sm_clock_mhz"), own.get("warp_instructions")
    program = Program(
        own["source"], tuple(macros.items()), tuple(own.get("flags", ())), gpu["chip"],
        own.get("ptx_chip", gpu["chip"]),
    )  # fmt: skip
    return Case(
        table=table,
        dataset=dataset,
        gpu=row["gpu"],
        kernel=kernel,
        row=number,
        config={**config, **{name: row[column] for name, column in own.get("config", {}).items()}},
        time_ms=time_ms,
        headline=quality == "ok" and "apart" not in own and time_ms >= own.get("least_ms", 0),
        program=program,
        entry=own.get("entry", kernel),
        grid=_shape(own["grid"], names),
        block=_shape(own["block"], names),
        args=tuple(map(_argument, _taken(own["args"], names))),
        dynamic_shared_bytes=_shared_bytes(own, gpu["machine"], names),
        symbols={name: _argument(one) for name, one in own.get("symbols", {}).items()},
        sizes=names,
        registers=int(row["regs"]) if row.get("regs") else None,
        warm=warm,
        back_to_back=warm and "queued" in own,
        clock_mhz=float(clock) if clock else gpu.get("clock_mhz", {}).get(dataset),
        warp_instructions=float(row[counted]) if counted else None,
    )


def _configuration(own: Mapping[str, Any], row: TableRow) -> dict[str, int]:
    """The parameters of a row. ValueError where another value is asked for than is known."""
    pairs = (pair.split("=") for pair in row.get("config", "").split(";") if pair)
    told = {**row, **dict(pairs)}
    for name, value in own.get("one_value", {}).items():
        if int(told[name]) != value:
            raise ValueError(f"{name} = {told[name]}: {own['source']} knows {value} alone")
    columns = own.get("columns") or {name: name for name in own["parameters"]}
    return {name: int(told[column]) for name, column in columns.items()}


def _macros(own: Mapping[str, Any], config: Names, sizes: Names) -> dict[str, int]:
    """The macros that a tuned kernel is compiled with."""
    unused = own.get("unused", ())
    chosen = {name.upper(): value for name, value in config.items() if name not in unused}
    return {**chosen, **own.get("fixed", {}), **own.get("sizes", {}), **sizes}


def _time_ms(own: Mapping[str, Any], kernel: str, row: TableRow, names: Names) -> float:
    """The time that was measured; of a stream ``streams * 8 * n / rate``."""
    if "time_ms" in own:
        return float(row[own["time_ms"]])
    if "time_us" in own:
        return float(row[own["time_us"]]) / 1e3
    moved: int = own["streams"] * DOUBLE * names["N"]
    return moved / (float(row[f"{kernel}_GBs"]) * 1e6)


def _shape(texts: list[str], names: Names) -> Shape:
    x, y, z = (*(evaluate(text, names) for text in texts), 1, 1)[:3]
    return x, y, z


def _shared_bytes(own: Mapping[str, Any], machine: str, names: Names) -> int:
    if "resident" in own:
        return dynamic_shared_bytes(_machine(machine), names[own["resident"]])
    return evaluate(own["shared"], names) if "shared" in own else 0


def dynamic_shared_bytes(machine: Machine, ctas: int) -> int:
    """The most dynamic shared memory of a CTA with which an SM holds so many of them.

    That lets it hold no more, unless a CTA may not have half of what there is.
    """
    whole = machine.integer("shared.per_sm_bytes") // ctas
    unit = machine.integer("shared.alloc_unit_bytes")
    own = whole // unit * unit - machine.integer("shared.reserved_per_block_bytes")
    return min(own, machine.integer("shared.per_block_optin_bytes"))


_machine = cache(load_machine)


def _taken(args: list[Any], names: Names) -> list[Any]:
    """The arguments that a configuration has."""
    return [one for one in args if isinstance(one, str) or names.get(one.get("only"), 1)]


def _argument(told: str | Mapping[str, Any]) -> Mapping[str, Any]:
    """An argument as a launch file has it, of a word or of its own."""
    own = form("cases")["words"][told] if isinstance(told, str) else told
    made = {key: value for key, value in own.items() if key != "only"}
    if made.get("init") == "dispersion delays":
        made["init"] = {"file": str(delays_file(user_cache()))}
    return made


def dispersion_delays() -> npt.NDArray[np.float32]:
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
    path = folder / "accuracy" / "dispersion_delays.npy"
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as file:
        np.save(file, dispersion_delays())
    return path
