"""The kernels of Table IV with their design spaces: ``spaces.toml``, and a launch file for each.

A space is a grid of sizes. A *line* of it varies the last size alone, with all others held: what
a launch grows with. With ``each_gpu`` every configuration is estimated on all four GPUs. Else the
lines go to the GPUs in turn, so that there are as many estimates as configurations, which is how
many runs the paper reports (§V-A); the last size varies within a GPU either way.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

from warpmill.sweeps.space import Axis, axis_of

FOLDER = Path(__file__).parent
GPUS = ("quadro_k600", "gtx645", "quadro_k620", "geforce_940m")
"""The machines of Table III, in the table's order."""

PAPER_CONFIGURATIONS = 306_558
PAPER_TRACE, PAPER_MS = 4_148.15, 931.33
"""The last row of Table IV: means over the kernels, of instructions a trace and ms an estimate."""


@dataclass(frozen=True)
class Paper:
    """A row of Table IV.

    ``trace`` are IR instructions, ``ms`` the time of an estimate, ``errors`` the mean absolute ones
    in percent, in the order of ``GPUS``.
    """

    configurations: int
    trace: int
    errors: tuple[float, ...]
    ms: float


@dataclass(frozen=True)
class Line:
    """A line of a space: the sizes that are held, and the GPUs that it is estimated on."""

    held: Mapping[str, int]
    gpus: tuple[str, ...]


@dataclass(frozen=True)
class TableKernel:
    """A kernel of the table; ``assume`` are trips of loops by label: a size's name, or a number."""

    application: str
    name: str
    axes: tuple[Axis, ...]
    assume: Mapping[str, str | int]
    paper: Paper

    @property
    def launch_file(self) -> Path:
        """The launch whose sizes are varied."""
        return FOLDER / "launches" / f"{self.name}.toml"

    @property
    def along(self) -> Axis:
        """The size that lines vary."""
        return self.axes[-1]

    @property
    def configurations(self) -> int:
        """Configurations of the space."""
        return prod(len(axis.values) for axis in self.axes)

    def lines(self, *, each_gpu: bool = False) -> Iterator[Line]:
        """The lines in order; neighbours along any size that is held have different GPUs."""
        held = self.axes[:-1]
        for places in product(*(range(len(axis.values)) for axis in held)):
            sizes = {a.name: whole(a.values[p]) for a, p in zip(held, places, strict=True)}
            yield Line(sizes, GPUS if each_gpu else (GPUS[sum(places) % len(GPUS)],))

    def trips(self, sizes: Mapping[str, int]) -> dict[str, int]:
        """The trips that are assumed in a configuration."""
        return {
            label: one if isinstance(one, int) else sizes[one] for label, one in self.assume.items()
        }


@cache
def table_kernels() -> tuple[TableKernel, ...]:
    """Read ``spaces.toml``."""
    found = tomllib.loads((FOLDER / "spaces.toml").read_text("utf-8"))
    return tuple(map(_kernel, found["kernel"]))


def _kernel(one: Mapping[str, Any]) -> TableKernel:
    paper = one["paper"]
    return TableKernel(
        one["application"],
        one["name"],
        tuple(axis_of(name, values) for name, values in one["over"].items()),
        one.get("assume", {}),
        Paper(paper["configurations"], paper["trace"], tuple(paper["errors"]), paper["ms"]),
    )


def table_kernel(name: str) -> TableKernel:
    """A kernel by its name. KeyError where there is none."""
    return {kernel.name: kernel for kernel in table_kernels()}[name]


def whole(value: object) -> int:
    """A value of an axis, all of which are whole numbers. ValueError for another one."""
    if isinstance(value, int):
        return value
    raise ValueError(f"`{value}` is no whole number")
