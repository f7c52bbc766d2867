"""A selection as SimPoint's files: PREFIX.bb, PREFIX.simpoints and PREFIX.weights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.whole_files import write_whole
from warpmill.analyzer.base.writable import check_file
from warpmill.sampling.methods import unit_features
from warpmill.simulator.sampling.model import LaunchCounts, Selection
from warpmill.simulator.sampling.simpoint_files import (
    SimPoint,
    simpoints_text,
    vectors_text,
    weights_text,
)

SUFFIXES = (".bb", ".simpoints", ".weights")


def simpoint_paths(prefix: Path) -> tuple[Path, ...]:
    """Give the files of a prefix. UsageError where they could not be written."""
    if not prefix.name:
        raise UsageError(f"--simpoints {prefix}: a name that the files begin with is needed")
    paths = tuple(prefix.with_name(prefix.name + suffix) for suffix in SUFFIXES)
    for path in paths:
        check_file(path)
    return paths


def save_simpoints(prefix: Path, launches: Sequence[LaunchCounts], selection: Selection) -> None:
    """Write the frequency vectors of all units, the chosen units and their weights.

    Vectors are by GT-Pin's feature where that chose, else by basic blocks. UsageError where a unit
    executes nothing, which the format cannot say.
    """
    paths = simpoint_paths(prefix)
    vectors = unit_features(launches, selection).rows
    empty = np.flatnonzero(np.asarray(vectors.sum(axis=1)).reshape(-1) == 0)
    if len(empty):
        words = f"unit {empty[0]} executes nothing, which a vector of frequencies cannot say"
        raise UsageError(f"{paths[0]} cannot be written: {words}")
    points = tuple(simpoints(selection))
    texts = (vectors_text(vectors), simpoints_text(points), weights_text(points))
    for path, text in zip(paths, texts, strict=True):
        write_whole(path, text.encode())


def simpoints(selection: Selection) -> Iterator[SimPoint]:
    """Give each chosen unit as a cluster, with its part of what its stratum weighs.

    SimPoint measures one interval of a cluster. Where several of a stratum are measured its weight
    is shared out by their instructions, so that the weighted CPI is what is projected here.
    """
    number = 0
    for stratum in selection.strata:
        executed = sum(selection.units[n].warp_instructions for n in stratum.chosen)
        for unit in stratum.chosen:
            share = selection.units[unit].warp_instructions / executed if executed else 1.0
            yield SimPoint(unit, number, stratum.weight * share)
            number += 1
