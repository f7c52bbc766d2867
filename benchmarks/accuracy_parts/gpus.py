"""The GPUs of measured tables: their machine files, and the clocks that they were measured at."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path


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
    """Give all by the name that the tables have."""
    found = tomllib.loads(Path(__file__).with_name("gpus.toml").read_text("utf-8"))
    return {
        name: Gpu(name, one["machine"], one["chip"], one.get("clock_mhz", {}))
        for name, one in found.items()
    }
