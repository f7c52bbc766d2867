"""Which accesses go past the L1 of an SM, as their opcodes say."""

from __future__ import annotations

from warpmill.analyzer.ir.operation import Operation
from warpmill.analyzer.ir.types import Space

_PAST_L1 = frozenset({"cg", "cv", "volatile", "mmio", "L1::no_allocate", "bulk"})
_ORDERED = frozenset({"relaxed", "acquire", "release"})
_IN_L1 = frozenset({"ca", "nc"})


def goes_past_l1(operation: Operation, caches_global: bool = True) -> bool:
    """Tell whether an access to global memory does not look into L1.

    By its cache operator, or as threads outside its CTA are to see its order (PTX ISA, Cache
    Operators and Memory Consistency Model); without ``caches_global`` all but those that ask for L1
    or for read-only data. Bulk copies move between L2 and shared memory. Local memory, which is a
    thread's own, is always looked for in L1.
    """
    words = set(operation.modifiers)
    if operation.space is Space.LOCAL:
        return False
    if words & _PAST_L1 or (words & _ORDERED and "cta" not in words):
        return True
    return not caches_global and not words & _IN_L1
