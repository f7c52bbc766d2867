"""What is accessed again: from iteration to iteration, by other lanes, warps and CTAs, by others.

All of it is told from the address formulas. That data stay where they were until they are needed
again is another question, which the caches decide.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Annotated

from warpmill.analyzer.analyses.access.accesses import MemoryAccess, loop_step
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.analyses.values.symbolic import AtomKind, Expression, number
from warpmill.analyzer.base.metric import INTERNAL, Id, Metric
from warpmill.analyzer.memory.rules import DEFAULT_RULES, MemoryRules


class LoopReuseKind(Enum):
    """What an iteration of a loop shares with the next one, as one lane sees it."""

    TEMPORAL = "temporal"  # the same address
    SPATIAL = "spatial"  # another place in the same line
    NONE = "none"  # another line
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class LoopReuse:
    """How an access moves in one loop around it.

    ``step`` is what an iteration adds, a formula in arguments and ids; None where it is not one
    formula. ``iterations_per_sector`` and ``iterations_per_line`` are how many iterations in a row
    access one sector (32 B) or line (128 B), on average; None where all do (``TEMPORAL``) or where
    that is not known. ``reason`` says why the kind is unknown.
    """

    loop: Annotated[int, INTERNAL]
    kind: Annotated[LoopReuseKind, Metric("Reuse")]
    step: Annotated[Expression | None, Metric("Stride")]
    iterations_per_sector: Annotated[float | None, Metric("Iterations per sector")]
    iterations_per_line: Annotated[float | None, Metric("Iterations per line")]
    reason: str | None


@dataclass(frozen=True, slots=True)
class AccessReuse:
    """What else accesses the same data as one access.

    ``loops`` are the loops around, outermost first. ``same_for`` names the ids that the address
    does not depend on, of ``tid.x`` to ``tid.z`` and ``ctaid.x`` to ``ctaid.z``: threads and CTAs
    that differ in these alone access the same place; None where loaded values or control flow take
    part, which may differ in any way. Accesses of one ``group`` stand in the same loops and differ
    by constants: ``offset_bytes`` counts from the lowest of them; None: there is no other one.
    """

    loops: Annotated[tuple[LoopReuse, ...], INTERNAL]
    same_for: Annotated[tuple[str, ...] | None, Metric("The same for")]
    group: Id | None
    offset_bytes: Annotated[int | None, Metric("Distance", "B")]


def reuses(
    structure: Structure, accesses: Sequence[MemoryAccess], rules: MemoryRules = DEFAULT_RULES
) -> tuple[AccessReuse, ...]:
    """Tell of each access what is accessed again, and by whom."""
    groups = _groups(accesses)
    return tuple(
        AccessReuse(
            tuple(
                reuse_in_loop(structure, access, loop, rules)
                for loop, _ in access.loop_strides_bytes
            ),
            same_for(access),
            *groups[i],
        )
        for i, access in enumerate(accesses)
    )


def reuse_in_loop(
    structure: Structure, access: MemoryAccess, loop: int, rules: MemoryRules = DEFAULT_RULES
) -> LoopReuse:
    """Tell how an access moves in one loop around it, from its formula."""
    step = loop_step(structure, structure.loops.loops[loop], access.address)
    if step is None:
        why = "loaded values" if access.loads else "values made in the loop or clamps"
        return LoopReuse(loop, LoopReuseKind.UNKNOWN, None, None, None, f"{why} decide where it is")
    if step.constant is None:
        return LoopReuse(loop, LoopReuseKind.UNKNOWN, step, None, None, f"it moves by {step} bytes")
    return LoopReuse(loop, *reuse_of_step(step.constant, step, rules), None)


def reuse_of_step(
    stride_bytes: int, step: Expression | None = None, rules: MemoryRules = DEFAULT_RULES
) -> tuple[LoopReuseKind, Expression, float | None, float | None]:
    """Give the kind of a stride with its formula, and the iterations that share a granule."""
    formula = number(stride_bytes) if step is None else step
    if stride_bytes == 0:
        return LoopReuseKind.TEMPORAL, formula, None, None
    size = abs(stride_bytes)
    kind = LoopReuseKind.SPATIAL if size < rules.line_bytes else LoopReuseKind.NONE
    return kind, formula, max(1.0, rules.sector_bytes / size), max(1.0, rules.line_bytes / size)


def same_for(access: MemoryAccess) -> tuple[str, ...] | None:
    """Name the thread and CTA ids that an address does not depend on; None: not known."""
    if access.address.kinds() & _HIDDEN:
        return None
    named = {a.name for a in access.address.atoms if a.kind is AtomKind.SPECIAL}
    if named & _OTHER_IDS:
        return None
    return tuple(name for name in _IDS if name not in named)


_IDS = tuple(f"{kind}.{axis}" for kind in ("tid", "ctaid") for axis in "xyz")
_OTHER_IDS = frozenset({"laneid", "warpid", "smid", "nsmid", "clusterid", "gridid"})
"""Made of thread ids, or of where a CTA runs."""
_HIDDEN = frozenset({AtomKind.LOAD, AtomKind.MERGE, AtomKind.CARRIED, AtomKind.UNKNOWN})


def _groups(accesses: Sequence[MemoryAccess]) -> list[tuple[int | None, int | None]]:
    """Give each access its group and its offset in it; groups in order of their first access."""
    members: dict[object, list[int]] = defaultdict(list)
    offsets = []
    for i, access in enumerate(accesses):
        varying = tuple(t for t in access.address.terms if t[0])
        offsets.append(next((c for m, c in access.address.terms if not m), 0))
        members[access.space, tuple(loop for loop, _ in access.loop_strides_bytes), varying].append(
            i
        )
    found: list[tuple[int | None, int | None]] = [(None, None)] * len(accesses)
    several = (m for m in members.values() if len(m) > 1)
    for group, inside in enumerate(several):
        lowest = min(offsets[i] for i in inside)
        for i in inside:
            found[i] = (group, offsets[i] - lowest)
    return found
