"""What is known of the target that a module is for: memory spaces, warp size, name of the chip."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from warpmill.analyzer.ir.types import Space

_NARROW_CHIP = re.compile(r'"target-cpu"="gfx1[0-9]')


@dataclass(frozen=True)
class GpuTarget:
    """A family of targets, one entry of ``targets.toml``.

    ``kernel_pointee`` is where a kernel's generic pointer arguments point to, where only one space
    is possible.
    """

    name: str
    chip: str
    warp_size: int
    wide_unless: str | None
    address_bits: int
    spaces: Mapping[int, Space]
    kernel_pointee: Space | None = None

    def space(self, number: int) -> Space:
        """The memory space behind an address space number; generic where it is not known."""
        return self.spaces.get(number, Space.GENERIC)

    def lanes(self, attributes: str) -> int:
        """Lanes of a warp, by a kernel's attributes."""
        if self.wide_unless is None or self.wide_unless in attributes:
            return self.warp_size
        if "+wavefrontsize" not in attributes and _NARROW_CHIP.search(attributes):
            return self.warp_size  # no feature is named, and the chip's default is narrow
        return 2 * self.warp_size

    def chip_name(self, attributes: str, triple: str) -> str:
        """The chip that a kernel's attributes name, else the triple."""
        found = re.search(r'"target-cpu"="([^"]+)"', attributes)
        if found is None or not self.chip or not found[1].startswith(self.chip):
            return triple
        return found[1]


@cache
def data_table(name: str) -> dict[str, Any]:
    """Read one of this package's tables."""
    text = files("warpmill.analyzer.frontends.llvm").joinpath(name).read_text(encoding="utf-8")
    return tomllib.loads(text)


@cache
def find_target(triple: str) -> GpuTarget | None:
    """The entry for a triple; None where no entry's prefix fits."""
    table = data_table("targets.toml")
    if not triple:
        return _target(table["default"], table["targets"][table["default"]])
    for name, line in table["targets"].items():
        if triple.startswith(tuple(line["prefixes"])):
            return _target(name, line)
    return None


def _target(name: str, line: Mapping[str, Any]) -> GpuTarget:
    return GpuTarget(
        name=name,
        chip=line["chip"],
        warp_size=line["warp_size"],
        wide_unless=line.get("wide_unless"),
        address_bits=line["address_bits"],
        spaces={int(number): Space(space) for number, space in line["spaces"].items()},
        kernel_pointee=Space(line["kernel_pointee"]) if "kernel_pointee" in line else None,
    )
