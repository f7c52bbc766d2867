"""The fixed point: classes of all definitions, and the branches that part threads.

Optimistic: everything is uniform until something shows otherwise. A definition whose class changes
has its users looked at again, and the branches that it decides; a branch that turns out to part
threads has the φs that it joins looked at again, and the uses of what becomes outdated.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from warpmill.analyzer.analyses.cfg.graph import Cfg, DomTree, LoopForest
from warpmill.analyzer.analyses.divergence.classes import (
    READ_CARRY,
    UNIFORM,
    Affine,
    Divergent,
    Outdated,
    Read,
    ValueClass,
    composed_class,
    joined,
    moved_class,
    outdated,
    result_class,
)
from warpmill.analyzer.analyses.divergence.launch import (
    WarpShape,
    affine_is_warp_uniform,
    warp_uniform,
)
from warpmill.analyzer.analyses.divergence.place import (
    InstructionPlace,
    carry_writer,
    is_steady,
    read_operand,
)
from warpmill.analyzer.analyses.values.ssa import Definition, DefinitionKind
from warpmill.analyzer.base.digraphs import dominance_frontiers, immediate_dominators
from warpmill.analyzer.ir.kernel import Instruction, NotPredicate, Operand, Reg, registers_in
from warpmill.analyzer.ir.types import OpClass

if TYPE_CHECKING:
    from warpmill.analyzer.analyses.structure import Structure


_NONE = -1
"""Definition of a register that nothing has written yet."""


class Solver:
    """Works out classes and branches; ``solve`` once, then read ``classes`` and ``divergent``.

    ``for_branches``: of definitions only those that branches follow from; others have no class.
    ``of_cta``: what the warps of a CTA need not have in common differs too.
    """

    def __init__(
        self,
        structure: Structure,
        warps: WarpShape | None = None,
        *,
        for_branches: bool = False,
        of_cta: bool = False,
    ) -> None:
        self.structure, self._warps, self._for_branches = structure, warps, for_branches
        self._of_cta = of_cta
        self._wanted: set[int] | None = None  # all where it is None
        self.classes: list[ValueClass | None] = [None] * len(structure.ssa.definitions)
        self.divergent: dict[int, tuple[Read, Influence]] = {}
        self._ssa = structure.ssa
        self.outdated: dict[int, list[Outdated]] = defaultdict(list)  # by definition
        self._joins: dict[int, list[int]] = defaultdict(list)  # block: branches
        self._phis: dict[int, list[int]] = defaultdict(list)
        self._users: dict[int, list[int]] = defaultdict(list)
        self._decided: dict[int, list[int]] = defaultdict(list)
        self._work: deque[int] = deque()
        self._undecided: list[int] = []
        self._waiting: set[int] = set()
        self._uses: dict[int, tuple[int, int]] = {}  # one instruction that reads a definition

    def solve(self) -> None:
        """Go on until nothing changes."""
        self._prepare()
        while self._work or self._undecided:
            if self._undecided:
                self._decide(self._undecided.pop())
            else:
                self._settle(self._work.popleft())

    def _settle(self, id_: int) -> None:
        """Revisit a definition; one that is divergent stays so, for its first reason."""
        self._waiting.discard(id_)
        known = self.classes[id_]
        if isinstance(known, Divergent):
            return
        found = self._class_of(self._ssa.definitions[id_])
        if found is not None and found != known:
            self.classes[id_] = found
            self._changed(id_)

    def at(self, id_: int, block: int) -> ValueClass:
        """The class of a definition as a block sees it."""
        found = UNIFORM if id_ == _NONE else self.classes[id_] or UNIFORM
        if isinstance(found, Divergent) or id_ not in self.outdated:
            return found
        branch = next((o.branch for o in self.outdated[id_] if block in o.places), None)
        return found if branch is None else outdated(branch)

    # Who looks at what.

    def _prepare(self) -> None:
        """Note who reads what, and queue all definitions in an order that mostly needs one look."""
        for definition in self._ssa.definitions:
            if definition.kind in (DefinitionKind.PARAMETER, DefinitionKind.UNDEFINED):
                self.classes[definition.id] = UNIFORM
            elif definition.kind is DefinitionKind.PHI:
                self._phis[definition.block].append(definition.id)
        order = self.structure.cfg.reverse_postorder
        for block in order:
            self._prepare_block(block)
        if self._for_branches:
            self._wanted = self._behind_branches()
            self._work = deque(id_ for id_ in self._work if id_ in self._wanted)
            self._waiting &= self._wanted
        self._undecided += order

    def _behind_branches(self) -> set[int]:
        """The definitions that branches read, and those that these follow from."""
        read: dict[int, list[int]] = defaultdict(list)
        for id_, users in self._users.items():
            for user in users:
                read[user].append(id_)
        found, todo = set(self._decided), list(self._decided)
        while todo:
            for id_ in read[todo.pop()]:
                if id_ not in found:
                    found.add(id_)
                    todo.append(id_)
        return found

    def _prepare_block(self, block: int) -> None:
        for id_ in self._phis[block]:
            for before, operand in self._ssa.phi_inputs[id_]:
                named = (operand.index,) if isinstance(operand, Reg) else registers_in(operand)
                for register in named:
                    self._users[self._ssa.out[before].get(register, _NONE)].append(id_)
        self._look_again(self._phis[block])
        places = zip(self._ssa.before[block], self._ssa.written[block], strict=True)
        for index, (read, written) in enumerate(places):
            for id_ in read.values():
                if written:
                    self._users[id_] += written.values()
                self._uses.setdefault(id_, (block, index))
            self._look_again(written.values())
        if len(self.structure.cfg.successors[block]) > 1:
            for id_ in self._ssa.before[block][-1].values():
                self._decided[id_].append(block)
        self._prepare_carry(block)

    def _prepare_carry(self, block: int) -> None:
        """The carry flag is no operand: who reads it follows the result that came with it."""
        for index, instruction in enumerate(self.structure.kernel.blocks[block].instructions):
            if instruction.operation.name not in READ_CARRY:
                continue
            writer = carry_writer(self.structure, block, index)
            for id_ in () if writer is None else self._ssa.written[block][writer].values():
                self._users[id_] += self._ssa.written[block][index].values()

    def _look_again(self, ids: Iterable[int]) -> None:
        for id_ in ids:
            if id_ not in self._waiting and (self._wanted is None or id_ in self._wanted):
                self._waiting.add(id_)
                self._work.append(id_)

    def _changed(self, id_: int) -> None:
        self._look_again(self._users[id_])
        self._undecided += self._decided[id_]

    # Classes.

    def _class_of(self, definition: Definition) -> ValueClass | None:
        if definition.register in self._ssa.slots.shared:
            return UNIFORM
        if definition.kind is DefinitionKind.PHI:
            return self._phi(definition)
        place = InstructionPlace(self.structure, self.at, definition.block, definition.instruction)
        found = self._of_memory(place, definition.register)
        if found is None:
            bits = self._ssa.register(definition.id).type.bits
            found = result_class(place.instruction, place, bits)
            if self._of_cta and _is_of_warp(place.instruction):
                found = Divergent(f"{place.instruction.operation.opcode} may differ by warp")
        if (
            self._warps is not None
            and found != UNIFORM
            and self._is_warp_uniform(definition, found, self._warps)
        ):
            found = UNIFORM
        return self._guarded(place, definition, found)

    def _of_memory(self, place: InstructionPlace, register: int) -> ValueClass | None:
        """Class of the value that a load takes from a slot, or that a slot is given."""
        slots = self._ssa.slots
        read = slots.read_at(place.block, place.index).get(register)
        if read is not None:
            bits = self._ssa.registers[register].type.bits
            return moved_class(place.read(Reg(read.slot)), read.type, bits)
        write = slots.written_at(place.block, place.index).get(register)
        if write is None:
            return None
        if write.value is None and write.parts:
            old = (Reg(register),) if write.keeps else ()
            return composed_class(map(place.read, (*write.operands, *old)))
        if write.value is None:
            return Divergent("written at an address that is not known")
        type_ = self._ssa.registers[register].type
        return moved_class(place.read(write.value), type_, type_.bits)

    def _is_warp_uniform(self, definition: Definition, found: ValueClass, warps: WarpShape) -> bool:
        """Whether a value that differs within the CTA does not within its warps."""
        if isinstance(found, Affine):
            return affine_is_warp_uniform(found, warps)
        made = self.structure.kernel.blocks[definition.block].instructions[definition.instruction]
        use, type_ = self._uses.get(definition.id), made.operation.type
        if use is None or not made.operation.op_class.is_arithmetic or made.guard is not None:
            return False
        if type_ is not None and type_.is_float:
            return False  # a formula of an opcode, which nothing evaluates
        formula = self.structure.values.of_operand(*use, Reg(definition.register))
        return warp_uniform(formula, warps)

    def _guarded(
        self, place: InstructionPlace, definition: Definition, found: ValueClass
    ) -> ValueClass:
        """Merge a result with what the register held before, where a guard decides."""
        guard = place.instruction.guard
        if guard is None:
            return found
        decides = place.read(guard.register)
        if not decides.is_uniform:
            return Divergent("written under a guard that differs", decides.definition)
        before = place.read(Reg(definition.register))
        merged = joined([(found, None), (before.value, before.definition)])
        return found if merged is None else merged

    def _phi(self, definition: Definition) -> ValueClass | None:
        """Join what arrives; inputs that are not worked out yet do not count."""
        parts: list[tuple[ValueClass, int | None]] = []
        values: dict[Operand | int, None] = {}
        for source in self._ssa.phi_inputs[definition.id]:
            before = source.predecessor
            if before not in self.structure.cfg.reachable:
                continue
            id_: int | None
            if type(source.operand) is Reg:  # most are
                id_ = self._ssa.out[before].get(source.operand.index, _NONE)
                value = self.at(id_, before)
            else:
                value, id_ = read_operand(source.operand, self._ssa.out[before], before, self.at)
            branch = None if id_ is None else self._entering(id_, definition.block)
            if branch is not None:
                return outdated(branch)
            if id_ == definition.id and not isinstance(value, Divergent):
                continue
            if id_ is None or id_ == _NONE or self.classes[id_] is not None:
                parts.append((value, id_))
            values[source.operand if id_ is None else id_] = None
        joining = self._joins[definition.block]
        if joining and not self._is_one_value(definition.block, values):
            return Divergent("joined where threads took different ways", None, joining[0])
        return joined(parts)

    def _entering(self, id_: int, block: int) -> int | None:
        """The branch for which an outdated value enters φs of a block, if any."""
        known = self.outdated.get(id_)
        if known is None:
            return None
        return next((o.branch for o in known if block == o.reconvergence), None)

    def _is_one_value(self, block: int, values: dict[Operand | int, None]) -> bool:
        """Whether a φ takes the same whichever way threads came: a constant, or an old value."""
        if len(values) > 1:
            return False
        value = next(iter(values), _NONE)
        if not isinstance(value, int) or value == _NONE:
            return True
        made = self._ssa.definitions[value].block
        return all(made not in self.divergent[b][1].blocks for b in self._joins[block])

    # Branches.

    def _decide(self, block: int) -> None:
        """Whether threads may part at a block's end, and what follows."""
        last = self.structure.kernel.blocks[block].terminator
        several = len(self.structure.cfg.successors[block]) > 1
        if not several or last is None or block in self.divergent:
            return
        place = InstructionPlace(
            self.structure,
            self.at,
            block,
            len(self.structure.kernel.blocks[block].instructions) - 1,
        )
        deciding = (place.read(operand) for operand in _deciders(last))
        read = next((r for r in deciding if not r.is_uniform), None)
        if read is None or "uni" in last.operation.modifiers:
            return
        meet = self.structure.reconvergence[block]
        end = self.structure.cfg.exit_id if meet is None else meet
        found = influence(
            self.structure.cfg, self.structure.dominators, self.structure.loops, block, end
        )
        self.divergent[block] = (read, found)
        self._apply(found)

    def _apply(self, found: Influence) -> None:
        for block in sorted(found.joins):
            self._joins[block].append(found.branch)
            self._look_again(self._phis[block])
        steady: set[int] = set()
        for block, places in found.outdated:
            for id_ in self._made_in(block):
                if self._ssa.is_shared(id_):
                    continue
                if self._is_steady(id_, found.blocks, steady):
                    steady.add(id_)
                    continue
                self.outdated[id_].append(Outdated(found.branch, found.reconvergence, places))
                self._changed(id_)

    def _made_in(self, block: int) -> list[int]:
        written = (w.values() for w in self._ssa.written[block])
        return [*self._phis[block], *(id_ for ids in written for id_ in ids)]

    def _is_steady(self, id_: int, blocks: frozenset[int], steady: set[int]) -> bool:
        """Whether a definition gives the same however often the blocks run."""
        made = self._ssa.definitions[id_]
        if made.kind is not DefinitionKind.INSTRUCTION:
            return False
        instruction = self.structure.kernel.blocks[made.block].instructions[made.instruction]
        read = self._ssa.before[made.block][made.instruction].values()
        return self._repeats(made, instruction) and all(
            self._ssa.definitions[r].block not in blocks or r in steady or self._is_given(r)
            for r in read
        )

    def _repeats(self, made: Definition, instruction: Instruction) -> bool:
        """Whether an instruction leaves the same again where it reads the same."""
        slots, place = self._ssa.slots, (made.block, made.instruction)
        write = slots.written_at(*place).get(made.register)
        if made.register in slots.read_at(*place) or (write is not None and bool(write.operands)):
            return True
        return write is None and is_steady(self.structure.kernel, instruction)

    def _is_given(self, id_: int) -> bool:
        """Whether a value is there from the start."""
        return self._ssa.definitions[id_].kind in (
            DefinitionKind.PARAMETER,
            DefinitionKind.UNDEFINED,
        )


def _is_of_warp(instruction: Instruction) -> bool:
    """Whether it gives something that warps have one by one, or that may change meanwhile."""
    operation = instruction.operation
    if operation.op_class is OpClass.LOAD:
        return not _WHENEVER.isdisjoint(operation.modifiers)
    if operation.op_class in (OpClass.SHUFFLE, OpClass.VOTE):
        return True
    return operation.name in _OF_WARP


_WHENEVER = frozenset({"volatile", "relaxed", "acquire", "mmio"})
"""Loads of what other threads may write at any time."""

_OF_WARP = frozenset({"vote", "redux", "activemask", "match", "elect", "lane_first", "lane_read"})
"""Operations of one warp that give all its lanes the same."""


def _deciders(last: Instruction) -> tuple[Operand, ...]:
    """Operands that decide where a branch goes: its guard, or the value that selects a target."""
    guard = () if last.guard is None else (NotPredicate(last.guard.register),)
    return (*guard, *last.sources[:1])


# What a branch that parts the threads of a warp may make different: by control flow alone.
#
# Threads that part at a branch go on apart until its reconvergence point. Three things follow:
#
# - a φ joins values of different threads where two ways from the branch meet that have nothing
#   else in common;
# - a value that was computed before the branch and is computed anew on one of the ways is, for
#   those that went another way, the old one: lanes that leave a loop at different iterations keep
#   the values of different iterations;
# - loops that one of the ways leaves have a trip count for each thread.
#
# No assumption is made that loops have one entry: all of it follows from paths and dominators.


@dataclass(frozen=True)
class Influence:
    """Effects of divergence at the end of ``branch``.

    ``blocks`` run while they are apart: those between the branch and ``reconvergence``, the branch
    itself too where a way leads back to it. ``joins`` are blocks whose φs then merge values of
    different threads. ``outdated`` are (block, places): values computed in that block may be of
    different iterations in those places, and where they enter a φ at the reconvergence point.
    ``loops`` are those whose trip counts differ by thread.
    """

    branch: int
    reconvergence: int
    blocks: frozenset[int]
    joins: frozenset[int]
    outdated: tuple[tuple[int, frozenset[int]], ...]
    loops: tuple[int, ...]


def influence(
    cfg: Cfg, dominators: DomTree, loops: LoopForest, branch: int, reconvergence: int
) -> Influence:
    """Work out what a branch may make different."""
    blocks = frozenset(_reached(cfg, cfg.successors[branch], reconvergence))
    inside = blocks | {reconvergence}
    left = [loop for loop in loops.containing(branch) if not inside <= loop.members]
    parts = left and sum(after != cfg.exit_id for after in cfg.successors[branch]) > 1
    met = _on_several_ways(cfg, branch, reconvergence) if parts else frozenset()
    outdated = []
    for block in sorted(blocks, key=cfg.rpo_number.__getitem__):
        if not dominators.dominates(block, branch):
            continue
        below = {b for b in met if dominators.dominates(block, b)}
        places = {b for loop in left if block in loop.members for b in below - loop.members}
        if reconvergence != cfg.exit_id and dominators.dominates(block, reconvergence):
            places |= _reached(cfg, (reconvergence,), block)
        outdated.append((block, frozenset(places)))
    return Influence(
        branch,
        reconvergence,
        blocks,
        _joins(cfg, branch, blocks, reconvergence),
        tuple(outdated),
        tuple(sorted(loop.id for loop in left)),
    )


def _reached(cfg: Cfg, starts: Iterable[int], end: int) -> set[int]:
    """The blocks that control gets to without passing ``end``."""
    stack = [s for s in starts if s not in (end, cfg.exit_id)]
    found = set(stack)
    while stack:
        for after in cfg.successors[stack.pop()]:
            if after not in found and after not in (end, cfg.exit_id):
                found.add(after)
                stack.append(after)
    return found


def _on_several_ways(cfg: Cfg, branch: int, end: int) -> frozenset[int]:
    """The blocks up to ``end`` that at least two ways from a branch lead to."""
    seen: set[int] = set()
    several: set[int] = set()
    for start in cfg.successors[branch]:
        way = _reached(cfg, (start,), end)
        ends = any(end in cfg.successors[block] for block in way) or start == end
        way |= {end} if ends and end != cfg.exit_id else set()
        several |= seen & way
        seen |= way
    return frozenset(several)


def _joins(cfg: Cfg, branch: int, blocks: frozenset[int], end: int) -> frozenset[int]:
    """The blocks where ways from a branch meet that have nothing in common but their ends.

    They are those that would need φs if each way out of the branch wrote one register: the iterated
    dominance frontier of the ways (Cytron et al.), in the graph of what lies behind the branch.
    """
    firsts = [after for after in cfg.successors[branch] if after != cfg.exit_id]
    if len(firsts) < 2:
        return frozenset()  # threads that end meet nobody
    reached = [_reached(cfg, (first,), end) for first in firsts]
    apart = sum(map(len, reached)) == len(set().union(*reached))
    if apart and branch not in blocks:  # the ways have nothing in common but the end
        arriving = sum(
            first == end or any(end in cfg.successors[block] for block in way)
            for first, way in zip(firsts, reached, strict=True)
        )
        return frozenset({end} if arriving > 1 else ()) - {cfg.exit_id}
    return _frontiers(cfg, firsts, blocks - {branch}, blocks | {end}) - {cfg.exit_id}


def _frontiers(
    cfg: Cfg, firsts: Sequence[int], sources: frozenset[int], inside: frozenset[int]
) -> frozenset[int]:
    """The iterated dominance frontier of the ways that begin at ``firsts``."""
    ways = [-2 - number for number in range(len(firsts))]
    graph: dict[int, list[int]] = {_ROOT: ways, **{node: [] for node in (*firsts, *inside)}}
    graph |= {way: [first] for way, first in zip(ways, firsts, strict=True)}
    for before in sorted(sources):
        graph[before] = [after for after in cfg.successors[before] if after in inside]
    frontiers = dominance_frontiers(graph, immediate_dominators(graph, _ROOT))
    joins: set[int] = set()
    work = [*ways]
    while work:
        for join in frontiers[work.pop()]:
            if join not in joins:
                joins.add(join)
                work.append(join)
    return frozenset(joins)


_ROOT = -1
"""Root of a walk: the branch that diverges; it may be passed again on the way, as itself."""
