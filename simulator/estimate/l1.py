"""What the accesses of a round find in the caches of their SM: L1, constant and texture caches."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from warpmill.simulator.estimate.transactions import ATOMIC, LOAD, Transactions
from warpmill.simulator.gpu.shapes import CONST, TEXTURE
from warpmill.simulator.machines.memory import l1_sector_bytes
from warpmill.simulator.machines.model import Machine
from warpmill.simulator.memory.cache import CacheSpec
from warpmill.simulator.memory.of_machine import l1_spec
from warpmill.simulator.memory.stack_distance import lru_hits

Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class OnSm:
    """What each access finds on its SM, and what it asks L2 for.

    ``lines`` are lines of L1 (or of the texture cache) that it looks for, ``misses`` the sectors
    that go to L2, ``asks_l1`` whether L1 is looked into. ``constant`` is 0 where an access to
    constants hits in the SM's cache, 1 in the second one, 2 in neither.
    """

    lines: Numbers
    sectors: Numbers
    misses: Numbers
    asks_l1: Flags
    constant: npt.NDArray[np.int8]


def on_sm(transactions: Transactions, machine: Machine, carveout_bytes: int) -> OnSm:
    """Send a round through the caches of its SM, cold at first."""
    t = transactions
    spec = l1_spec(machine, carveout_bytes)
    caches_global = machine.flag("l1.caches_global")
    asks = t.asks_l1(caches_global) if spec is not None else np.zeros(len(t.count), np.bool_)
    sector = l1_sector_bytes(machine)
    per_line = max(1, machine.integer("l1.line_bytes") // sector)
    off_chip = t.of_way(0, 1, TEXTURE)
    misses = np.where(off_chip, t.count, 0)
    hashed = machine.text("l1.hash") == "xor"
    if spec is not None and asks.any():
        misses -= _l1_hits(t, spec, asks, machine.flag("l1.write_allocate"), hashed)
    textures = t.of_way(TEXTURE)
    if textures.any():
        misses -= _texture_hits(t, machine, textures)
    lines = np.where(off_chip, np.where(textures, t.count, t.lines(per_line)), 0)
    sectors = np.where(off_chip, t.count, 0)
    for counts in (sectors, misses):
        counts[textures] *= t.sectors_of_texel_line
    return OnSm(lines, sectors, misses, asks, _constants(t, machine))


def _l1_hits(
    t: Transactions, spec: CacheSpec, asks: Flags, allocates: bool, hashed: bool
) -> Numbers:
    """Count the sectors of loads that are in L1; stores bring lines in where they do so at all."""
    seen = asks & (t.kind != ATOMIC)
    if not allocates:
        seen &= t.kind == LOAD
    found = t.ordered(seen)
    per_line = spec.line_bytes // spec.granule_bytes
    sectors = mixed(found.granule, per_line) if hashed else found.granule
    hits = lru_hits(sectors, spec.ways or spec.lines, spec.sets, per_line)
    hits &= t.kind[found.owner] == LOAD
    return np.bincount(found.owner[hits], minlength=len(t.count))


def _texture_hits(t: Transactions, machine: Machine, textures: Flags) -> Numbers:
    found = t.ordered(textures)
    lines = machine.integer("tex.l1_bytes") // machine.integer("tex.line_bytes")
    ways = min(machine.integer("tex.ways"), lines)
    if not lines:
        return np.zeros(len(t.count), np.int64)
    hits = lru_hits(found.granule, ways, max(1, lines // ways))
    return np.bincount(found.owner[hits], minlength=len(t.count))


def _constants(t: Transactions, machine: Machine) -> npt.NDArray[np.int8]:
    """Tell by which cache of constants each access is answered: by the farthest of its lines."""
    level = np.zeros(len(t.count), np.int8)
    chosen = t.of_way(CONST)
    if not chosen.any():
        return level
    found = t.ordered(chosen)
    line = machine.integer("const.line_bytes")
    far = np.zeros(len(found.granule), np.int8)
    for key, ways in (("const.l1_bytes", machine.integer("const.ways")), ("const.l15_bytes", 0)):
        lines = machine.integer(key) // line
        if lines:
            used = min(ways, lines) if ways else lines
            far += ~lru_hits(found.granule, used, max(1, lines // used))
        else:
            far += 1
    np.maximum.at(level, found.owner, far)
    return level


def mixed(sectors: Numbers, per_line: int) -> Numbers:
    """Give sectors other numbers, so that lines that lie a power of two apart are in other sets.

    Each line has a number of its own again.
    """
    if per_line & (per_line - 1):
        line, sector = np.divmod(sectors, per_line)
    else:  # several times as fast
        line, sector = sectors >> per_line.bit_length() - 1, sectors & (per_line - 1)
    line = line ^ (line >> 5) ^ (line >> 11) ^ (line >> 23)
    return np.asarray(line * per_line + sector)
