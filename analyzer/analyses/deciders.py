"""What decides a branch: arguments, ids, the launch's size, loop counters, data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum

from analyzer.analyses.conditions import Combined, Compare, Condition, Opaque
from analyzer.analyses.ssa import DefinitionKind
from analyzer.analyses.structure import Structure
from analyzer.symbolic import Atom, AtomKind, Expression


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


def decided_by(structure: Structure, block: int, condition: Condition) -> tuple[DecidedBy, ...]:
    """Tell what decides a condition at the end of a block, in the order of DecidedBy.

    Constant ones give nothing. A value that several paths set, or that a loop carries other than
    by even steps, rests on what it is set to, starts from and is changed by; what a loop carries is
    a loop counter where no data are among these.
    """
    found: set[DecidedBy | None] = set()
    for atom in _atoms(condition):
        if _is_followed(atom):
            found |= _Following(structure).deciders(atom.key, block)
        else:
            found.add(_decider(atom))
    return tuple(d for d in DecidedBy if d in found)


def _atoms(condition: Condition) -> frozenset[Atom]:
    match condition:
        case Compare(_, left, right):
            return left.atoms | right.atoms
        case Combined(_, first, second):
            return _atoms(first) | _atoms(second)
        case Opaque(_, inputs) if inputs:
            return frozenset[Atom]().union(*(e.atoms for e in inputs))
    return frozenset({Atom(AtomKind.MERGE, "")})


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


class _Following:
    """Follows a value back through loops and joins to all that it is made from.

    The branches that choose between ways are followed too: data may decide whether a counter grows.
    """

    def __init__(self, structure: Structure) -> None:
        self._structure = structure
        self._found: set[DecidedBy | None] = set()
        self._carried = False
        self._seen: set[int] = set()
        self._ended: set[int] = set()
        self._todo: list[int] = []

    def deciders(self, definition: int, block: int) -> set[DecidedBy | None]:
        """Give what decides the value of a definition that is seen from a block."""
        self._follow(definition, block)
        while self._todo:
            made = self._todo.pop()
            at = self._structure.ssa.definitions[made].block
            self._note(self._structure.values.made_from(made), at)
            for branch in self._choosing(made):
                self._note_branch(branch)
        counted = self._carried and DecidedBy.MEMORY not in self._found
        return self._found | {DecidedBy.COUNTER} if counted else self._found

    def _note(self, expressions: Iterable[Expression], block: int) -> None:
        for expression in expressions:
            for atom in expression.atoms:
                if _is_followed(atom):
                    self._follow(atom.key, block)
                else:
                    self._found.add(_decider(atom))

    def _note_branch(self, block: int) -> None:
        last = len(self._structure.kernel.blocks[block].instructions) - 1
        self._note(self._structure.values.read_by(block, last), block)

    def _follow(self, definition: int, block: int) -> None:
        """Take a value along that is used in a block; behind its loop, what ends that counts."""
        loop = self._header_loop(definition)
        self._carried |= loop is not None
        if loop is None:
            self._found.add(DecidedBy.FLOW)
        elif block not in self._structure.loops.loops[loop].blocks and loop not in self._ended:
            self._ended.add(loop)
            self._found.add(DecidedBy.FLOW)
            for end in self._ends(loop):
                self._note_branch(end)
        if definition not in self._seen:
            self._seen.add(definition)
            self._todo.append(definition)

    def _header_loop(self, definition: int) -> int | None:
        """Give the loop whose header a φ stands in, where it is one."""
        made = self._structure.ssa.definitions[definition]
        loop = self._structure.loops.innermost(made.block)
        if loop is None or loop.header != made.block or made.kind is not DefinitionKind.PHI:
            return None
        return loop.id

    def _ends(self, loop: int) -> Iterator[int]:
        blocks = self._structure.loops.loops[loop].blocks
        after = self._structure.cfg.successors
        return (b for b in blocks if any(s not in blocks for s in after[b]))

    def _choosing(self, definition: int) -> Iterator[int]:
        """Give the branches that choose what a φ takes of different values.

        They lie on the ways to it from where these part: a loop's header, else its dominator.
        """
        structure, loop = self._structure, self._header_loop(definition)
        join = structure.ssa.definitions[definition].block
        before = [i.predecessor for i in structure.ssa.phi_inputs.get(definition, ())]
        if loop is not None:
            before = [b for b in before if b in structure.loops.loops[loop].blocks]
        if len(before) < 2:
            return
        start = structure.dominators.idom[join] if loop is None else join
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
