"""The kernels of Table IV with their design spaces: ``spaces.toml``, and a launch file for each.

A space is a grid of sizes. A *line* of it varies the last size alone, with all others held: what
a launch grows with. Lines go to the GPUs in turn, so that there are as many estimates as
configurations, which is how many runs the paper reports (§V-A).
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


@dataclass(frozen=True)
class Paper:
    """A row of Table IV: ``trace`` are IR instructions, ``ms`` the time of an estimate."""

    configurations: int
    trace: int
    ms: float


PAPER_MEANS = Paper(306_558, 4_148, 931.33)
"""The last row of Table IV: the sum of configurations, and means over the kernels."""


@dataclass(frozen=True)
class Line:
    """A line of a space: the sizes that are held, and the GPU that it is estimated on."""

    held: Mapping[str, int]
    gpu: str


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
    def values(self) -> tuple[int, ...]:
        """The values of that size."""
        return tuple(whole(value) for value in self.along.values)

    @property
    def configurations(self) -> int:
        """Configurations of the space."""
        return prod(len(axis.values) for axis in self.axes)

    @property
    def words(self) -> str:
        """The sizes that are varied, in words."""
        each = [f"{len(a.values)} {a.name} {a.values[0]}…{a.values[-1]}" for a in self.axes]
        return " × ".join(each)

    def lines(self) -> Iterator[Line]:
        """The lines in order; neighbours along any size that is held have different GPUs."""
        held = self.axes[:-1]
        for places in product(*(range(len(axis.values)) for axis in held)):
            sizes = {a.name: whole(a.values[p]) for a, p in zip(held, places, strict=True)}
            yield Line(sizes, GPUS[sum(places) % len(GPUS)])

    def trips(self, sizes: Mapping[str, int]) -> dict[str, int]:
        """The trips that are assumed in a configuration."""
        return {
            label: one if isinstance(one, int) else sizes[one] for label, one in self.assume.items()
        }


@cache
def table_kernels() -> Mapping[str, TableKernel]:
    """Read ``spaces.toml``: the kernels by name."""
    found = tomllib.loads((FOLDER / "spaces.toml").read_text("utf-8"))
    return {one["name"]: _kernel(one) for one in found["kernel"]}


def _kernel(one: Mapping[str, Any]) -> TableKernel:
    return TableKernel(
        one["application"],
        one["name"],
        tuple(axis_of(name, values) for name, values in one["over"].items()),
        one.get("assume", {}),
        Paper(**one["paper"]),
    )


def whole(value: object) -> int:
    """A value of an axis, all of which are whole numbers. ValueError for another one."""
    if isinstance(value, int):
        return value
    raise ValueError(f"`{value}` is no whole number")
