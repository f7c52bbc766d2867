"""Table V of the hybrid-estimation paper, as printed (``table_v.toml``)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

TABLE = Path(__file__).with_name("table_v.toml")


@dataclass(frozen=True)
class PaperTimes:
    """A row: milliseconds of GPGPU-Sim and of the paper's framework, and one over the other.

    ``kernels`` are those whose times of Table IV add up to ``framework_ms``, by the names that the
    workload gives them; none for the mean.
    """

    gpgpusim_ms: float
    framework_ms: float
    speedup: float
    kernels: tuple[str, ...] = ()


@dataclass(frozen=True)
class TableV:
    """The applications' rows by name, and the row of geometric means as it is printed."""

    applications: Mapping[str, PaperTimes]
    mean: PaperTimes


@cache
def table_v() -> TableV:
    """Read the table."""
    read = tomllib.loads(TABLE.read_text("utf-8"))
    rows = {name: _times(row) for name, row in read["application"].items()}
    return TableV(rows, _times(read["mean"]))


def _times(row: Mapping[str, Any]) -> PaperTimes:
    return PaperTimes(**{**row, "kernels": tuple(row.get("kernels", ()))})
