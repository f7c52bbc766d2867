"""How kernels of Triton are launched: the metadata that Triton keeps beside their PTX.

Triton's cache has ``NAME.ptx`` with ``NAME.json`` beside it; samples have ``NAME.launch.json``,
with the fields of it that a launch depends on. A launcher of Triton's passes pointers to scratch
memory behind the arguments, multiplies the grid by the CTAs of a cluster, and takes all shared
memory as dynamic.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from warpmill.analyzer.launch.model import Argument, BufferArgument, Dim3, NullArgument

_SCRATCH = ("global_scratch", "profile_scratch")
"""Memory that Triton passes behind the arguments, in this order; older versions have less of it."""

_SUFFIXES = (".json", ".launch.json")
_MAX_BYTES = 1 << 20


@dataclass(frozen=True)
class TritonLaunch:
    """What a launch of a compiled kernel needs beside its grid and arguments.

    ``threads`` of a CTA; ``shared_bytes`` of a CTA, all dynamic; ``ctas`` of a cluster, each of
    which runs a part of a program; ``scratch``: names of the hidden parameters, and the bytes that
    a CTA has of each.
    """

    kernel: str
    threads: int
    shared_bytes: int
    ctas: int
    scratch: tuple[tuple[str, int], ...]

    @classmethod
    def of(cls, metadata: object) -> TritonLaunch | None:
        """Read Triton's metadata; None for what is not that."""
        if not isinstance(metadata, Mapping):
            return None
        name, warps, shared = (metadata.get(key) for key in ("name", "num_warps", "shared"))
        if not isinstance(name, str) or not isinstance(warps, int) or not isinstance(shared, int):
            return None
        sizes = ((one, metadata.get(f"{one}_size")) for one in _SCRATCH)
        scratch = tuple((one, size) for one, size in sizes if isinstance(size, int))
        return cls(name, warps * _warp_size(metadata), shared, _cluster(metadata), scratch)

    def launched_grid(self, programs: Dim3) -> Dim3:
        """CTAs of a launch of so many programs."""
        return programs[0] * self.ctas, programs[1], programs[2]

    def hidden_arguments(self, programs: Dim3) -> tuple[Argument, ...]:
        """Arguments that Triton passes behind those of the kernel: scratch memory, or null."""
        ctas = math.prod(self.launched_grid(programs))
        return tuple(
            BufferArgument("u8", (size * ctas,), name=name) if size else NullArgument()
            for name, size in self.scratch
        )


def triton_launch_beside(module: str | Path) -> TritonLaunch | None:
    """What Triton's metadata beside a file of PTX say; None where there are none."""
    path = Path(module)
    if path.suffix != ".ptx":
        return None
    found = (TritonLaunch.of(_read(path.with_suffix(suffix))) for suffix in _SUFFIXES)
    return next((one for one in found if one is not None), None)


def _read(path: Path) -> object:
    """The JSON of a file; None where there is none, and where it is something else."""
    try:
        if path.stat().st_size > _MAX_BYTES:
            return None
        return json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None


def _warp_size(metadata: Mapping[str, Any]) -> int:
    target = metadata.get("target")
    of_target = target.get("warp_size") if isinstance(target, Mapping) else None
    size = metadata.get("warp_size", of_target)
    return size if isinstance(size, int) else 32


def _cluster(metadata: Mapping[str, Any]) -> int:
    """CTAs of a cluster: older versions say how many in each direction."""
    sides = metadata.get("cluster_dims")
    if isinstance(sides, list | tuple) and all(isinstance(side, int) for side in sides):
        return math.prod(sides)
    ctas = metadata.get("num_ctas")
    return ctas if isinstance(ctas, int) else 1
