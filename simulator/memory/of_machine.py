"""The caches that a machine file describes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, UsageError
from warpmill.simulator.machines.memory import l1_sector_bytes
from warpmill.simulator.machines.model import Machine
from warpmill.simulator.memory.cache import CacheSpec
from warpmill.simulator.occupancy import l1_bytes_beside


def l1_spec(machine: Machine, carveout_bytes: int = 0) -> CacheSpec | None:
    """Make the L1 of an SM: written through, without allocation; None where there is none.

    ``carveout_bytes`` is what shared memory takes of the array that both have. The L1 that is left
    keeps its sets and has fewer ways; where that does not come out even, it has as many ways as do,
    up to those of the whole. The replacement is LRU, which no vendor says.
    """
    size = l1_bytes_beside(machine, carveout_bytes)
    if size == 0:
        return None
    line, sets = machine.integer("l1.line_bytes"), machine.integer("l1.sets")
    lines, most = size // line, machine.integer("l1.ways")
    ways = lines // sets if sets and lines % sets == 0 else _even(lines, most)
    sector = l1_sector_bytes(machine)
    with cache_of(machine, "l1"):
        return CacheSpec(size, line, sector, ways, write="through", write_allocate=False)


def _even(lines: int, most: int) -> int:
    """Give the most ways of which so many lines are a whole number of sets."""
    return next(ways for ways in range(min(lines, most), 0, -1) if lines % ways == 0)


def l2_spec(machine: Machine) -> CacheSpec | None:
    """Make the L2, its slices as one: written back, with allocation; None where there is none."""
    size = machine.integer("l2.size_bytes")
    if size == 0 or machine.integer("l2.slices") == 0:
        return None
    with cache_of(machine, "l2"):
        return CacheSpec(
            size,
            machine.integer("l2.line_bytes"),
            machine.integer("l2.sector_bytes"),
            machine.integer("l2.ways"),
        )


@contextmanager
def cache_of(machine: Machine, group: str) -> Iterator[None]:
    """Name the machine's values where they do not go together. UsageError."""
    try:
        yield
    except UsageError as error:
        values = dict(machine.values)
        parts = ("size_bytes", "l1_bytes", "line_bytes", "sector_bytes", "ways")
        names = [name for part in parts if (name := f"{group}.{part}") in values]
        told = ", ".join(f"{name} = {values[name].value}" for name in names)
        words = f"the {group.upper()} of {machine.name}: {error.diagnostics[0].message}"
        raise UsageError(Diagnostic(Severity.ERROR, words, hint=f"it has {told}")) from None
