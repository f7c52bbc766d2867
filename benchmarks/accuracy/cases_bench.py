"""Rows of streams and small kernels as cases: models are calibrated with them, so they stand apart.

``cases_bench.toml`` says what the kernels are given. Rows that do not say their CTA are left out.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from warpmill.benchmarks.accuracy.model import Case, Gpu, Program, gpus, read_table
from warpmill.simulator.machines import load_machine
from warpmill.simulator.machines.model import Machine

STREAMS, SMALL = "gpubench_stream_occupancy", "gpubench_small_kernels"
TABLES = (STREAMS, SMALL)
APART = "models are calibrated with it"
DOUBLE = 8

Row = Mapping[str, str]


def cases(folder: Path, table: str) -> tuple[Case, ...] | None:
    """The rows of one of the tables in a folder; None where it is not there.

    KeyError for a GPU that is not known.
    """
    rows = read_table(folder, table)
    if rows is None:
        return None
    made = _stream_cases if table == STREAMS else _small_cases
    return tuple(case for number, row in enumerate(rows) for case in made(number, row))


@cache
def forms() -> dict[str, Any]:
    """``cases_bench.toml``."""
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def _stream_cases(number: int, row: Row) -> Iterator[Case]:
    """The kernels of a row; ``time = streams * 8 * n / rate``."""
    if not row["block_size"]:
        return
    form, gpu = forms()[STREAMS], gpus()[row["gpu"]]
    n, block, held = form["n"], int(row["block_size"]), int(row["blocks_per_sm"])
    shared = dynamic_shared_bytes(_machine(gpu.machine), held)
    for place, (kernel, one) in enumerate(form["kernels"].items()):
        rate = float(row[f"{kernel}_GBs"])
        config = (("block", block), ("blocks_per_sm", held))
        yield _case(
            STREAMS, kernel, gpu, config,
            row=number * len(form["kernels"]) + place,
            time_ms=one["streams"] * DOUBLE * n / (rate * 1e6),
            grid=(n // block + 1, 1, 1), block=(block, 1, 1), shared=shared, n=n,
        )  # fmt: skip


def _small_cases(number: int, row: Row) -> Iterator[Case]:
    """The kernel of a row: one of many, launched one by one or as nodes of a graph."""
    gpu, n, block = gpus()[row["gpu"]], int(row["n_doubles"]), int(row["block_size"])
    config = (("n", n), ("block", block), ("mode", row["mode"]))
    yield _case(
        SMALL, "quarter", gpu, config,
        row=number, time_ms=float(row["time_us_per_kernel"]) / 1e3,
        grid=(int(row["grid_x"]), 1, 1), block=(block, 1, 1), shared=0, n=n, queued=True,
    )  # fmt: skip


def _case(  # noqa: PLR0913 - each by its name
    table: str,
    kernel: str,
    gpu: Gpu,
    config: tuple[tuple[str, str | int], ...],
    *,
    row: int,
    time_ms: float,
    grid: tuple[int, int, int],
    block: tuple[int, int, int],
    shared: int,
    n: int,
    queued: bool = False,
) -> Case:
    form, words = forms()[table], forms()["words"]
    return Case(
        table=table,
        dataset=table,
        gpu=gpu.name,
        kernel=kernel,
        row=row,
        config=config,
        time_ms=time_ms,
        headline=False,
        reasons_not=APART,
        program=Program(form["source"], (), (), gpu.chip, gpu.chip),
        entry=kernel,
        grid=grid,
        block=block,
        dynamic_shared_bytes=shared,
        args=tuple(words[word] for word in form["kernels"][kernel]["args"]),
        warm=queued,
        back_to_back=queued,
        clock_mhz=gpu.clock_mhz(table),
        sizes={"n": n},
    )


def dynamic_shared_bytes(machine: Machine, ctas: int) -> int:
    """The most dynamic shared memory of a CTA with which an SM holds so many of them.

    That lets it hold no more, unless a CTA may not have half of what there is.
    """
    whole = machine.integer("shared.per_sm_bytes") // ctas
    unit = machine.integer("shared.alloc_unit_bytes")
    own = whole // unit * unit - machine.integer("shared.reserved_per_block_bytes")
    return min(own, machine.integer("shared.per_block_optin_bytes"))


@cache
def _machine(name: str) -> Machine:
    return load_machine(name)
