"""What becomes of accesses to local arrays that an assembler keeps in registers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from warpmill.analyzer.analyses.access.accesses import MemoryAccess
from warpmill.analyzer.analyses.liveness.schedule import kept_accesses
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.ir.types import Place
from warpmill.simulator.estimate.expansion.table import Mix


def kept_mixes(structure: Structure, accesses: Sequence[MemoryAccess]) -> Mapping[Place, Mix]:
    """Give the comparisons and moves that such accesses become, by place."""
    found = kept_accesses(structure, accesses)
    return {
        place: Mix(tuple((u, n) for u, n in (("compare", k.compares), ("move", k.moves)) if n))
        for place, k in found.items()
    }
