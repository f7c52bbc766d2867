"""Table VI of the hybrid-estimation paper, as axes of sweeps (``table_vi.toml``)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

TABLE = Path(__file__).with_name("table_vi.toml")


@dataclass(frozen=True)
class KernelDesigns:
    """A row: a kernel by the paper's name and by ours, and what is varied of it.

    ``threads`` is the global size, or the name of the size that is; ``local`` names the size that
    is the local one. ``error_percent`` is the paper's, over its four GPUs.
    """

    paper: str
    name: str
    threads: int | str
    local: str
    over: Mapping[str, str]
    designs: int
    error_percent: float

    def sizes(self, configuration: Mapping[str, Any]) -> tuple[int, int]:
        """The global and the local size of a configuration of a sweep."""
        threads = self.threads if isinstance(self.threads, int) else configuration[self.threads]
        return int(threads), int(configuration[self.local])


@dataclass(frozen=True)
class CaseStudy:
    """The table with what it is of; ``error_percent`` is the mean of the kernels', as printed."""

    application: str
    machines: tuple[str, ...]
    error_percent: float
    kernels: tuple[KernelDesigns, ...]


@cache
def case_study() -> CaseStudy:
    """Read the table."""
    read = tomllib.loads(TABLE.read_text("utf-8"))
    kernels = tuple(KernelDesigns(**row) for row in read["kernel"])
    machines = tuple(read["machines"])
    return CaseStudy(read["application"], machines, read["error_percent"], kernels)
