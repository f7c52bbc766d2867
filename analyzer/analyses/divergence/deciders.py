"""What decides a branch: arguments, ids, the launch's size, loop counters, data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import NamedTuple

from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.analyses.values.conditions import Compare, Condition, comparisons
from warpmill.analyzer.analyses.values.ssa import DefinitionKind
from warpmill.analyzer.analyses.values.symbolic import Atom, AtomKind, Expression
from warpmill.analyzer.base.reach import Reach


class DecidedBy(Enum):
    """What the value of a condition rests on; the paper's cases 1 to 3, case 2 told apart."""

    ARGUMENT = "argument"
    THREAD = "thread id"
    BLOCK = "block id"
    LAUNCH = "launch size"
    COUNTER = "loop counter"
    MEMORY = "memory load"
    FLOW = "control flow"
    OTHER = "other"


class _Node(NamedTuple):
    """What rests on others: a value, the branch at a block's end, a join, or the ends of a loop."""

    kind: str
    id: int


def decided_by(structure: Structure, block: int, condition: Condition) -> tuple[DecidedBy, ...]:
    """Tell what decides a condition at the end of a block, in the order of DecidedBy.

    Constant ones give nothing. A value that several paths set, or that a loop carries other than
    by even steps, rests on what it is set to, starts from and is changed by; what a loop carries is
    a loop counter where no data are among these.
    """
    return Deciders(structure).of(block, condition)


class Deciders:
    """What decides the conditions of one kernel; values that several rest on are followed once.

    A value is followed back through loops and joins to all that it is made from. The branches that
    choose between ways are followed too: data may decide whether a counter grows. What values,
    branches and ends of loops rest on is a graph; what is reached in it from a condition decides.
    """

    def __init__(self, structure: Structure) -> None:
        self._structure = structure
        self._reach = Reach(self._rests_on)

    def of(self, block: int, condition: Condition) -> tuple[DecidedBy, ...]:
        """Tell what decides a condition at the end of a block, as ``decided_by`` does."""
        found = 0
        for atom in _atoms(condition):
            bits, nodes = self._of_atom(atom, block)
            for node in nodes:
                bits |= self._reach.of(node)
            counted = bits & _CARRIED and not bits & _BITS[DecidedBy.MEMORY]
            found |= bits | (_BITS[DecidedBy.COUNTER] if counted else 0)
        return tuple(d for d in DecidedBy if found & _BITS[d])

    def _of_atom(self, atom: Atom, block: int) -> tuple[int, list[_Node]]:
        """Give what an atom that a block uses rests on; behind its loop, what ends that counts."""
        if not _is_followed(atom):
            decider = _decider(atom)
            return (0 if decider is None else _BITS[decider]), []
        loop = self._header_loop(atom.key)
        nodes = [_Node("value", atom.key)]
        if loop is None:
            return _BITS[DecidedBy.FLOW], nodes
        if block in self._structure.loops.loops[loop].members:
            return _CARRIED, nodes
        return _CARRIED | _BITS[DecidedBy.FLOW], [*nodes, _Node("ends of loop", loop)]

    def _rests_on(self, node: _Node) -> tuple[int, list[_Node]]:
        structure, id_ = self._structure, node.id
        match node.kind:
            case "value":
                made = structure.ssa.definitions[id_]
                bits, nodes = self._of_all(structure.values.made_from(id_), made.block)
                return bits, [*nodes, *self._ways_to(id_)]
            case "branch":
                last = len(structure.kernel.blocks[id_].instructions) - 1
                return self._of_all(structure.values.read_by(id_, last), id_)
            case "ends of loop":
                return 0, [_Node("branch", b) for b in self._ends(id_)]
        return 0, [_Node("branch", b) for b in self._choosing(id_)]

    def _of_all(self, expressions: Iterable[Expression], block: int) -> tuple[int, list[_Node]]:
        found, all_nodes = 0, []
        for atom in frozenset[Atom]().union(*(e.atoms for e in expressions)):
            bits, nodes = self._of_atom(atom, block)
            found |= bits
            all_nodes += nodes
        return found, all_nodes

    def _header_loop(self, definition: int) -> int | None:
        """Give the loop whose header a φ stands in, where it is one."""
        made = self._structure.ssa.definitions[definition]
        loop = self._structure.loops.innermost(made.block)
        if loop is None or loop.header != made.block or made.kind is not DefinitionKind.PHI:
            return None
        return loop.id

    def _ends(self, loop: int) -> Iterator[int]:
        found = self._structure.loops.loops[loop]
        after = self._structure.cfg.successors
        return (b for b in found.blocks if any(s not in found.members for s in after[b]))

    def _ways_to(self, definition: int) -> list[_Node]:
        """Give the join that a φ stands in: the φs of one are chosen by the same branches."""
        inputs = self._structure.ssa.phi_inputs.get(definition)
        return [_Node("join", self._structure.ssa.definitions[definition].block)] if inputs else []

    def _choosing(self, join: int) -> Iterator[int]:
        """Give the branches that choose what the φs of a block take of different values.

        They lie on the ways to it from where these part: a loop's header, else its dominator.
        """
        structure = self._structure
        loop = structure.loops.innermost(join)
        before: Iterable[int] = structure.cfg.predecessors[join]
        is_header = loop is not None and loop.header == join
        if loop is not None and is_header:
            before = [b for b in before if b in loop.members]
        if len(list(before)) < 2:
            return
        start = join if is_header else structure.dominators.idom[join]
        between = self._between(start, before)
        reached = between | {join}
        for block in between:
            if sum(s in reached for s in structure.cfg.successors[block]) > 1:
                yield block

    def _between(self, start: int | None, ends: Iterable[int]) -> set[int]:
        """Give the blocks on ways from a start to one of the ends, of those that are reached."""
        cfg = self._structure.cfg
        found = set(ends) & cfg.reachable
        todo = list(found)
        while todo:
            block = todo.pop()
            before = () if block == start else cfg.predecessors[block]
            new = [b for b in before if b in cfg.reachable and b not in found]
            todo += new
            found.update(new)
        return found


_BITS = {decider: 1 << place for place, decider in enumerate(DecidedBy)}
_CARRIED = 1 << len(DecidedBy)
"""A loop carries a value among those that are followed."""


def _atoms(condition: Condition) -> frozenset[Atom]:
    found: set[Atom] = set()
    for part in comparisons(condition):
        inputs = (part.left, part.right) if isinstance(part, Compare) else part.inputs
        found.update(*[e.atoms for e in inputs] or [frozenset({Atom(AtomKind.MERGE, "")})])
    return frozenset(found)


def _is_followed(atom: Atom) -> bool:
    """Whether an atom stands for a φ, or for a write that its guard may leave out."""
    return atom.kind in (AtomKind.CARRIED, AtomKind.MERGE) and atom.key >= 0


def _decider(atom: Atom) -> DecidedBy | None:
    if atom.kind is AtomKind.SPECIAL:
        return next(
            (d for prefix, d in _SPECIALS.items() if atom.name.startswith(prefix)), DecidedBy.OTHER
        )
    return _KINDS.get(atom.kind)


_SPECIALS = {
    "tid": DecidedBy.THREAD,
    "laneid": DecidedBy.THREAD,
    "warpid": DecidedBy.THREAD,
    "ctaid": DecidedBy.BLOCK,
    "ntid": DecidedBy.LAUNCH,
    "nctaid": DecidedBy.LAUNCH,
}
_KINDS = {
    AtomKind.ARGUMENT: DecidedBy.ARGUMENT,
    AtomKind.COUNTER: DecidedBy.COUNTER,
    AtomKind.LOAD: DecidedBy.MEMORY,
    AtomKind.MERGE: DecidedBy.FLOW,
    AtomKind.UNKNOWN: DecidedBy.OTHER,
}
