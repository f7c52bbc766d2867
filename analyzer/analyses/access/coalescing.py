"""Accesses of a full warp without a launch: coalescing, alignment, reuse between iterations.

The warp lies along x: its lanes are neighbours in ``tid.x``. Counters are 0, and what the address
adds beside lane ids and numbers is taken to be a multiple of a line.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, ClassVar

from warpmill.analyzer.analyses.access.accesses import MemoryAccess, loop_step
from warpmill.analyzer.analyses.ranges.analysis import Ranges
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.analyses.values.ssa import DefinitionKind
from warpmill.analyzer.analyses.values.symbolic import Atom, AtomKind, Expression, number, of
from warpmill.analyzer.base.metric import INTERNAL, Id, Mark, Metric
from warpmill.analyzer.ir.kernel import Module
from warpmill.analyzer.ir.types import OpClass, Space
from warpmill.analyzer.memory.rules import DEFAULT_RULES, MemoryRules

FULL_WARP_ASSUMPTIONS = (
    "a CTA is at least a warp wide in x",
    "counters are 0, and what the address adds beside lane ids and numbers is a multiple of 128 B",
)
"""Assumptions behind the counts of a full warp."""


@dataclass(frozen=True, slots=True)
class FullWarpCost:
    """Cost of one access of a full warp under ``FULL_WARP_ASSUMPTIONS``.

    ``sectors``, ``lines`` and ``wavefronts`` as in ``WarpAccessCost``. Where ``reason`` is set
    there are none, and the ``worst_…`` are the most that aligned lanes can cost; they are None
    where the width is not known. ``lanes_per_sector`` says how many lanes share a sector, on
    average.
    """

    marked_as_one: ClassVar[bool] = True

    sectors: Annotated[int | None, Metric("Sectors/request", "sector")]
    lines: Annotated[int | None, Metric("Lines/request")]
    wavefronts: Annotated[int | None, Metric("Wavefronts/request")]
    lanes_per_sector: Annotated[float | None, Metric("Lanes per sector")]
    worst_sectors: Annotated[int | None, Metric("Sectors/request at most", "sector")]
    worst_wavefronts: Annotated[int | None, Metric("Wavefronts/request at most")]
    reason: str | None


def full_warp_costs(
    module: Module, accesses: Sequence[MemoryAccess], rules: MemoryRules = DEFAULT_RULES
) -> tuple[FullWarpCost, ...]:
    """Count for each access what a full warp along x needs, as far as the kernel alone tells."""
    return tuple(_cost(module.warp_size, access, rules) for access in accesses)


def _cost(lanes: int, access: MemoryAccess, rules: MemoryRules) -> FullWarpCost:
    # numpy is slow to load, and who asks for strides alone needs none
    from warpmill.analyzer.analyses.access.warp_counts import (  # noqa: PLC0415
        AccessKind,
        warp_cost,
        worst_cost,
    )

    reason = uncountable(access)
    if reason is not None:
        return FullWarpCost(None, None, None, None, None, None, reason)
    kind = AccessKind(access.space, access.width_bytes or 0, rules)
    worst = worst_cost(kind, lanes)
    offsets = _offsets(access, lanes)
    if isinstance(offsets, str):
        return FullWarpCost(None, None, None, None, worst.sectors, worst.wavefronts, offsets)
    first = offsets[0]
    moved = array("q", [offset - first for offset in offsets])
    cost = warp_cost(kind, moved.tobytes(), first % kind.modulus)
    share = None if not cost.sectors else lanes / cost.sectors
    return FullWarpCost(
        cost.sectors, cost.lines, cost.wavefronts, share, worst.sectors, worst.wavefronts, None
    )


def uncountable(access: MemoryAccess) -> str | None:
    """Reason why no transactions can be counted for an access, if so."""
    if access.space is Space.GENERIC:
        return "which memory it accesses is not known"
    return "its width is not known" if access.width_bytes is None else None


def _offsets(access: MemoryAccess, lanes: int) -> list[int] | str:
    """The addresses of a full warp with all but lanes and numbers left out, or why not."""
    fixed = next((c for m, c in access.address.terms if not m), 0)
    stride = access.lane_stride_bytes
    if access.lane_offsets is None and stride is not None:
        return [fixed + lane * stride for lane in range(lanes)]
    if access.lane_offsets is not None:
        return list(access.lane_offsets)
    return _why_uneven(access)


def _why_uneven(access: MemoryAccess) -> str:
    if access.lane_stride is not None:
        return "the bytes from lane to lane are no constant"
    if access.loads:
        return "loaded values decide its address"
    kinds = access.address.kinds()
    if AtomKind.UNKNOWN in kinds:
        return "its address is not known"
    if kinds & {AtomKind.MERGE, AtomKind.CARRIED}:
        return "control flow decides its address"
    return "its lanes lie in no pattern that the kernel alone tells"


# By which power of two an address is known to be divisible, in every lane and iteration.
#
# The low bits of an address that are known tell it, where pointers and variables are aligned as
# they declare. What nothing tells is a multiple of 1.

ALLOCATOR_BYTES = 256
"""Alignment of buffers that CUDA's allocator guarantees."""

MOST_BYTES = 4096
"""Alignments beyond are given as this: an address that is a plain number could have any."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """The largest power of two, up to ``MOST_BYTES``, that an address is known to be a multiple of.

    ``proved_bytes`` rests on the input alone: declared alignments and the formula; ``bytes`` takes
    ``assumption`` as true too, which is None where the two are equal. ``meets_width`` tells whether
    the access is aligned to what each lane accesses, as the hardware demands; False means that it
    is misaligned in every lane, None that it is not known.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    bytes: Annotated[int, Metric("Alignment", "B")]
    proved_bytes: Annotated[int, Metric("Static alignment", "B")]
    meets_width: Annotated[bool | None, Metric("Aligned access")]
    assumption: Annotated[str | None, Metric("Assumption")]

    def mark_exceptions(self) -> Mapping[str, Mark]:
        """Mark of figures that rest on the assumption."""
        return {} if self.assumption is None else {"bytes": Mark.ASSUMED}


_Arguments = Mapping[str, tuple[int, ...]]
"""The definitions that hold parameters, by the parameter's name."""


def alignments(
    module: Module,
    structure: Structure,
    accesses: Sequence[MemoryAccess],
    shared_bytes: int = 1,
) -> tuple[Alignment, ...]:
    """How each access is aligned; that of a base without a declaration is assumed.

    ``shared_bytes`` is what whoever places variables in shared memory aligns them to at least.
    """
    arguments = _arguments(structure)
    declared = _declared(module, structure, arguments, shared_bytes)
    proved = Ranges(structure.kernel, structure.ssa, declared)
    bases = [_assumed_base(structure, access, arguments) for access in accesses]
    by_bytes: dict[int, dict[str | int, int]] = {}
    for made, bytes_, _ in bases:
        multiples = by_bytes.setdefault(bytes_, dict(declared))
        multiples.update({id_: max(bytes_, declared.get(id_, 1)) for id_ in made})
    assumed = {b: Ranges(structure.kernel, structure.ssa, m) for b, m in by_bytes.items()}
    found = []
    for access, (made, bytes_, words) in zip(accesses, bases, strict=True):
        sure = _told(structure, access, proved)
        best = _told(structure, access, assumed[bytes_]) if made else sure
        found.append(Alignment(best[0], sure[0], best[1], None if best == sure else words))
    return tuple(found)


def _arguments(structure: Structure) -> dict[str, tuple[int, ...]]:
    """The definitions that hold each parameter as the launch gives it."""
    found: dict[str, tuple[int, ...]] = {}
    for definition in structure.ssa.definitions:
        if definition.kind is DefinitionKind.INSTRUCTION:
            block = structure.kernel.blocks[definition.block]
            operation = block.instructions[definition.instruction].operation
            if operation.op_class is not OpClass.LOAD or operation.space is not Space.PARAM:
                continue
        elif definition.kind is not DefinitionKind.PARAMETER:
            continue
        value = structure.values.made_from(definition.id)[0]
        for atom in value.atoms:
            if value == of(atom) and atom.kind is AtomKind.ARGUMENT:
                found[atom.name] = (*found.get(atom.name, ()), definition.id)
    return found


def _declared(
    module: Module, structure: Structure, arguments: _Arguments, shared_bytes: int
) -> dict[str | int, int]:
    """Declared multiples of variables, by name, and of pointers, by definition."""
    found: dict[str | int, int] = {}
    for variable in (*module.variables, *structure.kernel.variables):
        is_placed = variable.space is Space.SHARED and variable.size_bytes is not None
        found[variable.name] = max(variable.align, shared_bytes if is_placed else 1)
    for parameter in structure.kernel.parameters:
        for id_ in arguments.get(parameter.name, ()):
            found[id_] = parameter.pointee_align or 1
    return found


def _told(structure: Structure, access: MemoryAccess, ranges: Ranges) -> tuple[int, bool | None]:
    """The power of two that divides an address, and whether its width does."""
    block, index = access.block, access.instruction
    operand = structure.kernel.blocks[block].instructions[index].address
    assert operand is not None
    word = ranges.operand(operand, structure.ssa.before[block][index])
    power = min(1 << word.trailing_zeros, MOST_BYTES)
    if access.width_bytes is None:
        return power, None
    natural = 1 << (max(access.width_bytes, 1) - 1).bit_length()
    if word.ones & (natural - 1):
        return power, False
    return power, True if power >= natural else None


def _assumed_base(
    structure: Structure, access: MemoryAccess, arguments: _Arguments
) -> tuple[tuple[int, ...], int, str]:
    """The pointer that an address is counted from and what it is taken to be aligned to.

    The pointer is given by the definitions that hold it.
    """
    single = [m[0] for m, c in access.address.terms if c == 1 and len(m) == 1]
    for atom in single:
        if atom.kind is AtomKind.ARGUMENT and atom.name == access.base:
            words = f"{atom.name} is aligned to {ALLOCATOR_BYTES} B, as buffers are"
            return arguments[atom.name], ALLOCATOR_BYTES, words
    if access.base is None:
        element = _element_bytes(structure, access)
        made = [a for a in single if a.kind in _POINTERS and _is_wide(structure, a)]
        if len(made) == 1 and element:
            words = f"the pointer {made[0]} is aligned to an element, {element} B"
            return (made[0].key,), element, words
    return (), 1, ""


_POINTERS = frozenset({AtomKind.LOAD, AtomKind.MERGE, AtomKind.CARRIED, AtomKind.UNKNOWN})


def _is_wide(structure: Structure, atom: Atom) -> bool:
    if atom.key < 0:
        return False
    register = structure.ssa.definitions[atom.key].register
    return structure.ssa.registers[register].type.bits == 64


def _element_bytes(structure: Structure, access: MemoryAccess) -> int | None:
    block = structure.kernel.blocks[access.block]
    type_ = block.instructions[access.instruction].operation.type
    return None if type_ is None else type_.size_bytes


# What is accessed again: from iteration to iteration, by other lanes, warps and CTAs, by others.
#
# All of it is told from the address formulas. That data stay where they were until they are needed
# again is another question, which the caches decide.


class LoopReuseKind(Enum):
    """Data that an iteration of a loop shares with the next one, as one lane sees it."""

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
    """Other accesses to the same data as one access.

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
    """Data reuse of each access: what is accessed again, and by whom."""
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
    """How an access moves in one loop around it, from its formula."""
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
    """The kind of a stride with its formula, and the iterations that share a granule."""
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
    """Group of each access and its offset in it; groups in order of their first access."""
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
