"""The samples' launches with every artefact as the module, and whether their results are right.

Each launch file runs with the module that it names; artefacts that no launch file names run with
launch.toml's launches. One after another, launches of a file share their buffers, as references in
it say. What right means is in tests/reference/sample_results.py. For a glance sizes are smaller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from tests.reference.sample_results import CHECKS
from warpmill.analyzer.frontends.load import SUFFIXES
from warpmill.analyzer.launch import load_launches
from warpmill.analyzer.launch.buffers import materialise
from warpmill.analyzer.launch.model import BufferArgument, RefArgument, ScalarArgument
from warpmill.benchmarks.benchmark import say

RunLaunch = Callable[..., Any]
SAMPLES = Path(__file__).resolve().parents[2] / "samples"
SMALL = {
    "binomial": {"options": 4096, "large": 16}, "bitonic": {"n": 8192}, "lud": {"n": 128},
    "matmul": {"n": 128}, "nw": {"n": 256}, "reduce": {"n": 1 << 17}, "scan": {"n": 1 << 14},
    "spmv": {"rows": 4096, "cols": 4096}, "stencil5": {"width": 200, "height": 100},
    "transpose": {"rows": 200, "columns": 100}, "vecadd": {"n": 1 << 16},
    "trisolve": {"n": 64, "sides": 512, "m": 16, "batch": 512},
}  # fmt: skip


@dataclass(frozen=True)
class CheckedLaunch:
    """One launch of one artefact."""

    sample: str
    artefact: str
    launch: str
    right: bool
    words: str = ""


def launch_files(folder: Path) -> dict[Path, Path]:
    """Each artefact's launch file: its own, or launch.toml."""
    found: dict[str, Path] = {}
    for file in sorted(folder.glob("launch*.toml")):
        for launch in load_launches(file):
            found[launch.module.name] = file
    artefacts = sorted(p for p in folder.iterdir() if p.suffix in SUFFIXES)
    return {artefact: found.get(artefact.name, folder / "launch.toml") for artefact in artefacts}


contents = lru_cache(32)(materialise)
"""What a buffer begins with: the same for each artefact."""


def value_of(argument: Any, place: Any, buffers: dict[Any, Any]) -> Any:
    """An argument: an array for a buffer, by name or place, a scalar of NumPy for a number."""
    match argument:
        case ScalarArgument():
            return np.dtype(argument.type.storage).type(argument.value)
        case RefArgument(buffer, 0):
            argument = buffer
        case BufferArgument():
            pass
        case _:
            raise NotImplementedError(f"argument {argument}")
    key = argument.name or place
    if key not in buffers:
        buffers[key] = contents(argument).copy()
    return buffers[key]


def check_artefact(
    run_launch: RunLaunch, artefact: Path, launches: Iterable[Any]
) -> Iterator[CheckedLaunch]:
    """Run the launches of a file with an artefact as their module."""
    sample, buffers = artefact.parent.name, dict[Any, Any]()
    for number, launch in enumerate(launches):
        values = [value_of(a, (number, n), buffers) for n, a in enumerate(launch.arguments)]
        before = [v.copy() for v in values]
        words, right = "", False
        try:
            run_launch(
                artefact, launch.kernel, launch.grid, launch.block, values,
                launch.dynamic_shared_bytes,
            )  # fmt: skip
            right = bool(CHECKS[sample](launch.kernel, before, values))
        except Exception as error:  # one that fails is told among the others
            words = f"{type(error).__name__}: {error}"[:300]
        yield CheckedLaunch(sample, artefact.name, launch.name, right, words)


def check(run_launch: RunLaunch, *, quick: bool) -> list[CheckedLaunch]:
    """Run every launch of every artefact of every sample; one row a launch."""
    rows: list[CheckedLaunch] = []
    for name in sorted(CHECKS):
        sizes = SMALL[name] if quick else {}
        for artefact, file in launch_files(SAMPLES / name).items():
            say(f"{name}: {artefact.name}")
            launches = load_launches(file, sizes)
            rows += check_artefact(run_launch, artefact, launches)
    return rows
