"""What is compared: tables, measured launches, the code made of their programs, and predictions.

Times are milliseconds, clocks MHz, sizes bytes; None is what nobody states.
"""

from __future__ import annotations

import csv
import gzip
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[1] / "reference" / "hardware"
"""The tables that the project carries."""

Shape = tuple[int, int, int]


@dataclass(frozen=True)
class Program:
    """A source with what its compiler is told; equal programs are compiled once.

    ``source`` is a file below ``kernels``. ``chip`` is the compute capability of the GPU that the
    row was measured on, 86 for 8.6; ``ptx_chip`` that of the PTX: another one where the driver
    translated older PTX for the GPU.
    """

    source: str
    macros: tuple[tuple[str, int], ...]
    flags: tuple[str, ...]
    chip: int
    ptx_chip: int


@dataclass(frozen=True)
class Case:
    """A measured row: the launch that it is of, and what was measured.

    ``table`` is the file, ``dataset`` the part of it that figures are given of: its name, or one of
    several measurements in it. ``kernel`` is the table's name, ``entry`` the function's in the PTX;
    ``row`` counts the file's rows from 0. ``config`` is what tells the rows of one kernel apart.
    ``headline`` rows count in the overall figures, and ``has_error`` tells whether the error of one
    that was chosen does, beside its rank. ``args``, ``symbols`` and ``sizes`` are as in a launch
    file. ``registers`` are those that the table states. ``warm``: L2 holds what the launch before
    left; ``back_to_back``: many launches were timed by one pair of events. ``clock_mhz`` is the
    clock it was measured at; None: the machine file's. ``warp_instructions`` are a profiler's.
    """

    table: str
    dataset: str
    gpu: str
    kernel: str
    row: int
    config: Mapping[str, str | int]
    time_ms: float
    headline: bool
    program: Program
    entry: str
    grid: Shape
    block: Shape
    args: tuple[Mapping[str, Any], ...]
    dynamic_shared_bytes: int = 0
    symbols: Mapping[str, Any] = field(default_factory=dict)
    sizes: Mapping[str, int] = field(default_factory=dict)
    registers: int | None = None
    warm: bool = False
    back_to_back: bool = False
    clock_mhz: float | None = None
    warp_instructions: float | None = None
    has_error: bool = True

    @property
    def group(self) -> tuple[str, str, str]:
        """What its error is averaged with: data set, GPU, kernel."""
        return self.dataset, self.gpu, self.kernel

    @property
    def place(self) -> tuple[str, int]:
        """Where it stands: table and row."""
        return self.table, self.row

    @property
    def words(self) -> str:
        """Its configuration on one line."""
        return " ".join(f"{name}={value}" for name, value in self.config.items())


@dataclass(frozen=True)
class Code:
    """The PTX of a program, what made it, and registers by kernel with who gave them.

    Without registers nothing but an estimate can tell them.
    """

    ptx: Path
    compiler: str
    registers: Mapping[str, int]
    registers_source: str

    def registers_of(self, case: Case) -> tuple[int | None, str]:
        """The registers that a case's table states, else those of ptxas; and who says so."""
        if case.registers is not None:
            return case.registers, "table"
        count = self.registers.get(case.entry)
        return count, self.registers_source if count is not None else ""


@dataclass(frozen=True)
class Prediction:
    """What an engine says of a case; ``seconds`` is how long it took to say it.

    ``warp_instructions`` are those of all warps of the launch; None where it is not told. ``share``
    of the launch was simulated, and continued: 1 where all was, or where nothing is. ``features``
    are those that error bands compare estimates by (``EstimateFeatures``).
    """

    ms: float
    warp_instructions: float | None
    registers_source: str
    seconds: float
    share: float = 1.0
    features: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Row:
    """A case with what an engine predicts of it, or the ``problem`` why there is nothing."""

    case: Case
    compiler: str
    prediction: Prediction | None
    problem: str = ""

    @property
    def error(self) -> float | None:
        """How far the predicted time is off, in percent: 10 is a tenth too long; None: unknown."""
        if self.prediction is None:
            return None
        return 100 * (self.prediction.ms / self.case.time_ms - 1)


def read_table(folder: Path, name: str) -> list[dict[str, str]]:
    """Read the rows of a table by its name without suffix; none where the folder lacks it."""
    plain, packed = folder / f"{name}.csv", folder / f"{name}.csv.gz"
    text = ""
    if plain.exists():
        text = plain.read_text("utf-8")
    elif packed.exists():
        text = gzip.decompress(packed.read_bytes()).decode("utf-8")
    return list(csv.DictReader(text.splitlines()))


def tables_of(folder: Path) -> dict[str, str]:
    """Hash the tables of a folder, by name: the first 16 digits of SHA-256."""
    files = sorted(p for p in folder.glob("*.csv*") if p.is_file())
    return {path.name: sha256(path.read_bytes()).hexdigest()[:16] for path in files}


@cache
def form(name: str) -> dict[str, Any]:
    """A TOML file beside this module: how rows become cases, or the GPUs by their tables' names."""
    return tomllib.loads((Path(__file__).parent / f"{name}.toml").read_text("utf-8"))
