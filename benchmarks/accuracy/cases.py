"""Measured rows of tables as cases; what their kernels are given stands in ``cases_*.toml``.

Of the table simple_kernels those rows are headline ones whose quality begins with ``ok``, of tuned
kernels those that take longer than their launch. With streams and small kernels models are
calibrated, so they are none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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

SIMPLE, STREAMS, SMALL = "simple_kernels", "gpubench_stream_occupancy", "gpubench_small_kernels"
TUNED = ("kt_convolution", "kt_dedispersion", "kt_hotspot", "ktt_counters")
DATASETS: Mapping[str, str] = {
    **dict.fromkeys(("simple16", "pmpp_nvbench", "amaris_bsp"), SIMPLE),
    **{name: name for name in (*TUNED, STREAMS, SMALL)},
}
"""The table of each data set."""
WARM = "warm_backtoback"
"""The state of caches after many launches that were timed together."""
DOUBLE = 8

TableRow = Mapping[str, str]
Names = Mapping[str, int]


def cases_of(folder: Path, dataset: str) -> list[Case]:
    """The cases of a data set; none where the folder lacks its table.

    KeyError for a kernel or GPU that is not known, ValueError for what the sources cannot do.
    """
    table = DATASETS[dataset]
    every = (case for n, row in enumerate(read_table(folder, table)) for case in _of(table, n, row))
    return [case for case in every if case.dataset == dataset]


def _of(table: str, number: int, row: TableRow) -> Iterator[Case]:
    if table == SIMPLE:
        yield simple_case(number, row)
    elif table == STREAMS:
        yield from _stream_cases(number, row)
    elif table == SMALL:
        yield _small_case(number, row)
    else:
        yield tuned_case(table, number, row)


def clock_mhz(gpu: str, dataset: str) -> float | None:
    """The clock of a GPU that a data set was measured at; None: nobody says."""
    found: float | None = form("gpus")[gpu].get("clock_mhz", {}).get(dataset)
    return found


def simple_case(number: int, row: TableRow) -> Case:
    """The case of a row of simple_kernels."""
    dataset, kernel, gpu = row["dataset"], row["kernel"], row["gpu"]
    own, words, chip = form("cases_simple")[dataset], form("cases_simple")["words"], _chip(gpu)
    grid, block = ((int(row[f"{of}_x"]), int(row[f"{of}_y"]), 1) for of in ("grid", "block"))
    size, iters, warm = int(row["size"]), int(row["iters"]), row["cache_state"] == WARM
    symbols = own.get("symbols", {}).get(kernel, {})
    return Case(
        table=SIMPLE,
        dataset=dataset,
        gpu=gpu,
        kernel=kernel,
        row=number,
        config={
            "size": size,
            "iters": iters,
            "block": f"{block[0]}x{block[1]}" if block[1] > 1 else block[0],
            "cache": row["cache_state"],
        },
        time_ms=float(row["time_ms"]),
        headline=row["quality"].split("|")[0] == "ok",
        program=Program(own["source"], (), (), chip, own.get("ptx_chip", chip)),
        entry=kernel,
        grid=grid,
        block=block,
        args=tuple(words[word] for word in own["args"][kernel]),
        dynamic_shared_bytes=int(row["dyn_smem_bytes"]),
        symbols={name: words[word] for name, word in symbols.items()},
        sizes={"n": size, "iters": iters, "blocks": grid[0], "threads": block[0]},
        registers=int(row["regs"]) if row["regs"] else None,
        warm=warm,
        back_to_back=warm,
        clock_mhz=clock_mhz(gpu, dataset),
    )


def _chip(gpu: str) -> int:
    chip: int = form("gpus")[gpu]["chip"]
    return chip


# Streams and small kernels.


def _stream_cases(number: int, row: TableRow) -> Iterator[Case]:
    """The kernels of a row; ``time = streams * 8 * n / rate``. None where it says no CTA."""
    if not row["block_size"]:
        return
    own, gpu = form("cases_bench")[STREAMS], row["gpu"]
    n, threads, held = own["n"], int(row["block_size"]), int(row["blocks_per_sm"])
    for place, (kernel, one) in enumerate(own["kernels"].items()):
        rate = float(row[f"{kernel}_GBs"])
        yield _bench_case(
            STREAMS, kernel, gpu, n,
            row=number * len(own["kernels"]) + place,
            config={"block": threads, "blocks_per_sm": held},
            time_ms=one["streams"] * DOUBLE * n / (rate * 1e6),
            grid=(n // threads + 1, 1, 1),
            block=(threads, 1, 1),
            dynamic_shared_bytes=dynamic_shared_bytes(_machine(form("gpus")[gpu]["machine"]), held),
        )  # fmt: skip


def _small_case(number: int, row: TableRow) -> Case:
    """The kernel of a row: one of many, launched one by one or as nodes of a graph."""
    n, threads = int(row["n_doubles"]), int(row["block_size"])
    return _bench_case(
        SMALL, "quarter", row["gpu"], n,
        row=number,
        config={"n": n, "block": threads, "mode": row["mode"]},
        time_ms=float(row["time_us_per_kernel"]) / 1e3,
        grid=(int(row["grid_x"]), 1, 1),
        block=(threads, 1, 1),
        warm=True,
        back_to_back=True,
    )  # fmt: skip


def _bench_case(table: str, kernel: str, gpu: str, n: int, **more: Any) -> Case:
    own, words, chip = form("cases_bench")[table], form("cases_bench")["words"], _chip(gpu)
    return Case(
        table=table,
        dataset=table,
        gpu=gpu,
        kernel=kernel,
        headline=False,
        program=Program(own["source"], (), (), chip, chip),
        entry=kernel,
        args=tuple(words[word] for word in own["kernels"][kernel]["args"]),
        clock_mhz=clock_mhz(gpu, table),
        sizes={"n": n},
        **more,
    )


def dynamic_shared_bytes(machine: Machine, ctas: int) -> int:
    """The most dynamic shared memory of a CTA with which an SM holds so many of them.

    That lets it hold no more, unless a CTA may not have half of what there is.
    """
    whole = machine.integer("shared.per_sm_bytes") // ctas
    unit = machine.integer("shared.alloc_unit_bytes")
    own = whole // unit * unit - machine.integer("shared.reserved_per_block_bytes")
    return min(own, machine.integer("shared.per_block_optin_bytes"))


_machine = cache(load_machine)


# Tuned kernels: convolution, dedispersion, hotspot, KTT's with counters.


def tuned_case(table: str, number: int, row: TableRow, sizes: Names | None = None) -> Case:
    """The case of a row, by the table's name; ``sizes`` replaces those of the form."""
    of_table = form("cases_tuned")[table]
    kernel = row.get("kernel") or next(iter(of_table["kernels"]))
    own, chip = of_table["kernels"][kernel], _chip(row["gpu"])
    config = _configuration(own, row)
    names = {name.upper(): value for name, value in config.items()}
    chosen = {name.upper(): n for name, n in config.items() if name not in own.get("unused", ())}
    macros = {**chosen, **own.get("fixed", {}), **own.get("sizes", {}), **(sizes or {})}
    names |= macros
    for name, text in own.get("derived", {}).items():
        names[name] = evaluate(text, names)
    time_ms, clock = float(row[of_table["time_ms"]]), row.get("sm_clock_mhz")
    counted = of_table.get("warp_instructions")
    return Case(
        table=table,
        dataset=table,
        gpu=row["gpu"],
        kernel=kernel,
        row=number,
        config=config,
        time_ms=time_ms,
        headline=time_ms >= of_table.get("least_ms", 0),
        program=Program(
            own["source"], tuple(macros.items()), tuple(own.get("flags", ())), chip, chip
        ),
        entry=own["entry"],
        grid=_shape(own["grid"], names),
        block=_shape(own["block"], names),
        args=tuple(_argument(a) for a in own["args"] if names.get(a.get("only"), 1)),
        symbols=own.get("symbols", {}),
        sizes=names,
        registers=int(row["regs"]) if row.get("regs") else None,
        warm=of_table["warm"],
        clock_mhz=float(clock) if clock else clock_mhz(row["gpu"], table),
        warp_instructions=float(row[counted]) if counted else None,
    )


def _configuration(own: Mapping[str, Any], row: TableRow) -> dict[str, int]:
    """The parameters of a row. ValueError where another value is asked for than is known."""
    pairs = (pair.split("=") for pair in row.get("config", "").split(";") if pair)
    told = {**row, **dict(pairs)}
    for name, value in own.get("one_value", {}).items():
        if int(told[name]) != value:
            raise ValueError(f"{name} = {told[name]}: {own['source']} knows {value} alone")
    return {name: int(told[name]) for name in own["parameters"]}


def _shape(texts: list[str], names: Names) -> Shape:
    x, y, z = (*(evaluate(text, names) for text in texts), 1, 1)[:3]
    return x, y, z


def _argument(own: Mapping[str, Any]) -> Mapping[str, Any]:
    """An argument as a launch file has it."""
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
