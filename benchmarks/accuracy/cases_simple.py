"""The rows of the table simple_kernels as cases; ``cases_simple.toml`` says what kernels are given.

Its data sets are simple16, pmpp_nvbench and amaris_bsp. Headline rows are those whose quality
begins with ``ok``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from warpmill.benchmarks.accuracy.model import Case, Gpu, Program, gpus, read_table

TABLE = "simple_kernels"
DATASETS = ("simple16", "pmpp_nvbench", "amaris_bsp")
WARM = "warm_backtoback"
"""The state of caches after many launches that were timed together."""

Row = Mapping[str, str]


def cases(folder: Path) -> tuple[Case, ...] | None:
    """The rows of the table in a folder; None where it is not there. KeyError: unknown."""
    rows = read_table(folder, TABLE)
    return None if rows is None else tuple(cases_of(rows))


def cases_of(rows: Sequence[Row]) -> Iterator[Case]:
    """Rows as cases, in their order. KeyError for a kernel or GPU that is not known."""
    for number, row in enumerate(rows):
        yield _case(number, row)


@cache
def forms() -> dict[str, Any]:
    """``cases_simple.toml``."""
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def _case(number: int, row: Row) -> Case:
    dataset, kernel = row["dataset"], row["kernel"]
    gpu, words = gpus()[row["gpu"]], forms()["words"]
    symbols = forms()[dataset].get("symbols", {}).get(kernel, {})
    good = row["quality"].split("|")[0] == "ok"
    warm = row["cache_state"] == WARM
    sizes = {"n": int(row["size"]), "iters": int(row["iters"])}
    sizes |= {"blocks": int(row["grid_x"]), "threads": int(row["block_x"])}
    return Case(
        table=TABLE,
        dataset=dataset,
        gpu=gpu.name,
        kernel=kernel,
        row=number,
        config=_config(row),
        time_ms=float(row["time_ms"]),
        headline=good,
        reasons_not="" if good else row["quality"],
        program=_program(dataset, gpu),
        entry=kernel,
        grid=(int(row["grid_x"]), int(row["grid_y"]), 1),
        block=(int(row["block_x"]), int(row["block_y"]), 1),
        dynamic_shared_bytes=int(row["dyn_smem_bytes"]),
        args=tuple(words[word] for word in forms()[dataset]["args"][kernel]),
        symbols={name: words[word] for name, word in symbols.items()},
        registers=int(row["regs"]) if row["regs"] else None,
        warm=warm,
        back_to_back=warm,
        clock_mhz=gpu.clock_mhz(dataset),
        sizes=sizes,
    )


def _program(dataset: str, gpu: Gpu) -> Program:
    own = forms()[dataset]
    return Program(own["source"], (), (), gpu.chip, own.get("ptx_chip", gpu.chip))


def _config(row: Row) -> tuple[tuple[str, str | int], ...]:
    """What tells a kernel's rows apart."""
    block = row["block_x"] if row["block_y"] == "1" else f"{row['block_x']}x{row['block_y']}"
    return (
        ("size", int(row["size"])),
        ("iters", int(row["iters"])),
        ("block", block),
        ("cache", row["cache_state"]),
    )
