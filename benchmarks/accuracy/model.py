"""What is compared: tables, GPUs, measured launches, their programs, and the code made of these.

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

Number = int | float
Shape = tuple[int, int, int]


@dataclass(frozen=True)
class Program:
    """A source with what its compiler is told; equal programs are compiled once.

    ``source`` is a file below ``kernels``. ``chip`` is the compute capability of the GPU that the
    row was measured on, 86 for 8.6; ``ptx_chip`` that of the PTX: another one where the driver
    translated older PTX for the GPU.
    """

    source: str
    macros: tuple[tuple[str, str | int], ...]
    flags: tuple[str, ...]
    chip: int
    ptx_chip: int


@dataclass(frozen=True)
class Case:
    """A measured row: the launch that it is of, and what was measured.

    ``table`` is the file, ``dataset`` the part of it that figures are given of: its name, or one of
    several measurements in it. ``kernel`` is the table's name, ``entry`` the function's in the PTX;
    ``row`` counts the file's rows from 0. ``config`` is what tells the rows of one kernel apart.
    ``headline`` rows count in the overall figures; of others ``reasons_not`` says why not.
    ``args``, ``symbols`` and ``sizes`` are as in a launch file. ``registers`` are those that the
    table states. ``warm``: L2 holds what the launch before left; ``back_to_back``: many launches
    were timed by one pair of events. ``clock_mhz`` is the clock it was measured at; None: the
    machine file's. ``counters`` are what a profiler counted, by the table's names.
    """

    table: str
    dataset: str
    gpu: str
    kernel: str
    row: int
    config: tuple[tuple[str, str | Number], ...]
    time_ms: float
    headline: bool
    reasons_not: str
    program: Program
    entry: str
    grid: Shape
    block: Shape
    dynamic_shared_bytes: int
    args: tuple[Mapping[str, Any], ...]
    symbols: Mapping[str, Any] = field(default_factory=dict)
    registers: int | None = None
    warm: bool = False
    back_to_back: bool = False
    clock_mhz: float | None = None
    counters: Mapping[str, float] = field(default_factory=dict)
    sizes: Mapping[str, int] = field(default_factory=dict)

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
        return " ".join(f"{name}={value}" for name, value in self.config)


@dataclass(frozen=True)
class Compiled:
    """The PTX of a program, what made it, and the registers a thread has, with who says so.

    ``registers`` is None where nothing but an estimate can tell.
    """

    ptx: Path
    compiler: str
    registers: int | None
    registers_source: str


@dataclass(frozen=True)
class Prediction:
    """What an engine says of a case; ``seconds`` is how long it took to say it.

    ``warp_instructions`` are those of all warps of the launch; None where it is not told. ``bound``
    names what limits the kernel, ``trace`` where the traces came from. ``share`` of the launch's
    CTAs was simulated, and continued: 1 where all were, or where nothing is. ``features`` are those
    that error bands compare estimates by (``EstimateFeatures``).
    """

    ms: float
    warp_instructions: float | None
    bound: str
    trace: str
    registers: int
    registers_source: str
    seconds: float
    share: float = 1.0
    features: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Row:
    """A case with the time that an engine predicts for it, or the ``problem`` why there is none.

    ``has_error`` tells whether its error counts, beside its rank.
    """

    case: Case
    compiler: str
    prediction: Prediction | None
    problem: str = ""
    has_error: bool = True

    @property
    def error(self) -> float | None:
        """How far the predicted time is off, in percent: 10 is a tenth too long; None: unknown."""
        if self.prediction is None:
            return None
        return 100 * (self.prediction.ms / self.case.time_ms - 1)


def read_table(folder: Path, name: str) -> list[dict[str, str]] | None:
    """Read the rows of a table by its name without suffix; None where the folder lacks it."""
    plain, packed = folder / f"{name}.csv", folder / f"{name}.csv.gz"
    if plain.exists():
        text = plain.read_text("utf-8")
    elif packed.exists():
        text = gzip.decompress(packed.read_bytes()).decode("utf-8")
    else:
        return None
    return list(csv.DictReader(text.splitlines()))


def tables_of(folder: Path) -> dict[str, str]:
    """Hash the tables of a folder, by name: the first 16 digits of SHA-256."""
    files = sorted(p for p in folder.glob("*.csv*") if p.is_file())
    return {path.name: sha256(path.read_bytes()).hexdigest()[:16] for path in files}


@dataclass(frozen=True)
class Gpu:
    """A GPU as ``gpus.toml`` has it; ``clocks`` are MHz by data set, those that are known."""

    name: str
    machine: str
    chip: int
    clocks: Mapping[str, float]

    def clock_mhz(self, dataset: str) -> float | None:
        """The clock that a data set was measured at; None: nobody says."""
        return self.clocks.get(dataset)


@cache
def gpus() -> Mapping[str, Gpu]:
    """All by the name that the tables have."""
    found = tomllib.loads(Path(__file__).with_name("gpus.toml").read_text("utf-8"))
    return {
        name: Gpu(name, one["machine"], one["chip"], one.get("clock_mhz", {}))
        for name, one in found.items()
    }
