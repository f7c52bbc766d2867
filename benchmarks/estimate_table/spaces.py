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

from warpmill.sweeps.space import axis_of

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
    """A kernel of the table; ``over`` are the values of each size that is varied.

    ``assume`` are trips of loops by label: a size's name, or a number.
    """

    application: str
    name: str
    over: Mapping[str, tuple[int, ...]]
    assume: Mapping[str, str | int]
    paper: Paper

    @property
    def launch_file(self) -> Path:
        """The launch whose sizes are varied."""
        return FOLDER / "launches" / f"{self.name}.toml"

    @property
    def along(self) -> str:
        """The size that lines vary."""
        return list(self.over)[-1]

    @property
    def values(self) -> tuple[int, ...]:
        """The values of that size."""
        return self.over[self.along]

    @property
    def configurations(self) -> int:
        """Configurations of the space."""
        return prod(map(len, self.over.values()))

    @property
    def words(self) -> str:
        """The sizes that are varied, in words."""
        each = (f"{len(own)} {name} {own[0]}…{own[-1]}" for name, own in self.over.items())
        return " × ".join(each)

    def lines(self) -> Iterator[Line]:
        """The lines in order; neighbours along any size that is held have different GPUs."""
        held = {name: own for name, own in self.over.items() if name != self.along}
        for places in product(*(range(len(own)) for own in held.values())):
            sizes = {name: own[p] for (name, own), p in zip(held.items(), places, strict=True)}
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
    return {one["name"]: _kernel(**one) for one in found["kernel"]}


def _kernel(
    application: str,
    name: str,
    over: Mapping[str, str],
    paper: Mapping[str, Any],
    assume: Mapping[str, str | int] | None = None,
) -> TableKernel:
    axes = {
        size: tuple(value for value in axis_of(size, words).values if isinstance(value, int))
        for size, words in over.items()
    }
    return TableKernel(application, name, axes, assume or {}, Paper(**paper))
