"""Values that differ between threads that execute together, and their divergent branches.

A value is *uniform* where all threads of a warp that execute its definition at once get the same,
however the threads of the CTA are cut into warps; *affine* where it is a uniform value plus a fixed
step for each step in the thread id; *divergent* otherwise. A fixed point over two dependences:

- data: what is computed from a value that differs differs, unless the operation says otherwise;
- control: where threads that parted at a branch meet again, a φ joins values of different ways
  (sync dependence), and a value made in a loop that they left at different iterations is another
  one for each (temporal divergence). A definition may so be uniform where it is made and divergent
  where it is used: ``Divergence.at`` tells.

The classes hold for any launch; those of one block shape are sharper (``warps``). Arithmetic is
that of machine integers; where an affine class rests on integers that do not wrap it says so.
Registers that nothing has written count as uniform, and a load as one access for all its lanes:
one address, one value.

The two dependences are those of Karrenberg & Hack (whole-function vectorisation) and of Coutinho
et al. (divergence analysis); the paper (hybrid estimation, §III-B-1) asks only for thread ids.
What decides a branch (arguments, ids, sizes, counters, data) is told of each one beside.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Annotated, Generic, NamedTuple, TypeVar

from warpmill.analyzer.analyses.divergence.classes import (
    PASSED_ON,
    UNIFORM,
    Affine,
    Divergent,
    Outdated,
    Read,
    UniformClass,
    ValueClass,
    outdated,
)
from warpmill.analyzer.analyses.divergence.launch import WarpShape, warp_uniform
from warpmill.analyzer.analyses.divergence.place import read_operand
from warpmill.analyzer.analyses.divergence.solver import Solver
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.analyses.values.conditions import (
    Compare,
    Condition,
    comparisons,
    guard_condition,
)
from warpmill.analyzer.analyses.values.ssa import DefinitionKind
from warpmill.analyzer.analyses.values.symbolic import Atom, AtomKind, Expression
from warpmill.analyzer.base.metric import Metric
from warpmill.analyzer.ir.kernel import Operand

__all__ = [
    "UNIFORM",
    "Affine",
    "Divergence",
    "Divergent",
    "DivergentBranch",
    "DivergentLoop",
    "Outdated",
    "UniformClass",
    "ValueClass",
    "WarpShape",
    "divergence",
    "warp_uniform",
]


@dataclass(frozen=True, slots=True)
class DivergentBranch:
    """A branch whose guard differs between threads, so that they may go different ways.

    ``region`` are the blocks that run while threads are apart, those between the branch and
    ``reconvergence`` (the virtual exit where they do not meet again). ``within`` is the block of
    the innermost divergent branch whose region this one lies in, None for an outermost one.
    ``reason`` leads from the condition back to where the difference comes from.
    """

    block: int
    condition: str
    reason: tuple[str, ...]
    region: tuple[int, ...]
    reconvergence: int
    within: int | None


@dataclass(frozen=True, slots=True)
class DivergentLoop:
    """A loop that threads may leave at different iterations: at the ends of ``branches``."""

    loop: int
    header: int
    branches: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ValueCounts:
    """How many values are the same in all lanes of a warp, affine in the thread id, or divergent.

    Values are what instructions and merges of control flow write: merges of what is read later.
    """

    uniform: Annotated[int, Metric("Uniform values")]
    affine: Annotated[int, Metric("Affine values")]
    divergent: Annotated[int, Metric("Divergent values")]


@dataclass(frozen=True)
class Divergence:
    """How the values of a kernel spread over threads.

    ``classes`` runs in step with the definitions of ``structure.ssa``; None where a definition is
    not reachable. ``branches`` stand in the order of their blocks, ``loops`` in the forest's.
    ``outdated`` tells of definitions where threads may see values of different iterations,
    ``deciders`` what the branches are decided by.
    """

    structure: Structure
    classes: tuple[ValueClass | None, ...]
    branches: tuple[DivergentBranch, ...]
    loops: tuple[DivergentLoop, ...]
    outdated: Mapping[int, tuple[Outdated, ...]]
    deciders: Mapping[int, Read]

    def value_counts(self) -> ValueCounts:
        """The values by class."""
        kinds = Counter(type(one) for one in self.classes)
        return ValueCounts(kinds[UniformClass], kinds[Affine], kinds[Divergent])

    def reasons(self, definition: int) -> tuple[str, ...]:
        """Reasons why a definition is not uniform, back to their origin; empty where it is."""
        found = Read(self.classes[definition] or UNIFORM, definition)
        return _Reasons(self.structure, self.classes, self.deciders).of(found)

    def at(self, definition: int, block: int) -> ValueClass:
        """The class of a definition as ``block`` sees it; ValueError where unreachable."""
        found = self.classes[definition]
        if found is None:
            raise ValueError(f"definition {definition} is not reachable")
        known = self.outdated.get(definition, ())
        branch = next((o.branch for o in known if block in o.places), None)
        return found if branch is None or isinstance(found, Divergent) else outdated(branch)

    def of_operand(self, block: int, instruction: int, operand: Operand) -> ValueClass:
        """The class of an operand of an instruction, where it stands."""
        before = self.structure.ssa.before[block][instruction]
        return read_operand(operand, before, block, self.at).value


def divergence(structure: Structure, warps: WarpShape | None = None) -> Divergence:
    """Find what differs between the threads of a warp: in any launch, or in one of such warps.

    With ``warps`` a value that is the same in all lanes only because of the block's shape counts
    as uniform; that rests on integers that do not wrap.
    """
    solver = Solver(structure, warps)
    solver.solve()
    return Divergence(
        structure,
        tuple(solver.classes),
        tuple(_branches(solver)),
        _loops(solver),
        {id_: tuple(where) for id_, where in sorted(solver.outdated.items())},
        {block: read for block, (read, _) in sorted(solver.divergent.items())},
    )


def divergent_branches(structure: Structure) -> Mapping[int, int | None]:
    """Find the branches at which threads of a warp may part, by block, and where these meet again.

    As ``divergence`` has them; nothing else is worked out. None: they do not.
    """
    solver = Solver(structure, for_branches=True)
    solver.solve()
    return {block: found.reconvergence for block, (_, found) in sorted(solver.divergent.items())}


def _branches(solver: Solver) -> Iterator[DivergentBranch]:
    deciders = {block: decider for block, (decider, _) in solver.divergent.items()}
    reasons = _Reasons(solver.structure, solver.classes, deciders)
    around = _around(solver)
    for block, (read, found) in sorted(solver.divergent.items()):
        inner = (b for b in around[block] if found.blocks <= solver.divergent[b][1].blocks)
        yield DivergentBranch(
            block,
            _condition(solver.structure, block),
            reasons.of(read),
            tuple(sorted(found.blocks)),
            found.reconvergence,
            next(inner, None),
        )


def _around(solver: Solver) -> dict[int, list[int]]:
    """For each branch the others whose regions it stands in, the smallest region first."""
    found: dict[int, list[int]] = {block: [] for block in solver.divergent}
    sizes = sorted((len(region.blocks), b) for b, (_, region) in solver.divergent.items())
    for _, other in sizes:
        for block in solver.divergent[other][1].blocks & found.keys():
            if block != other:
                found[block].append(other)
    return found


def _condition(structure: Structure, block: int) -> str:
    """Write the condition of a branch; of one by a number, the number."""
    instructions = structure.kernel.blocks[block].instructions
    index, last = len(instructions) - 1, instructions[-1]
    if last.guard is not None:
        return str(guard_condition(structure, block, index, last.guard))
    return str(structure.values.of_operand(block, index, last.sources[0]))


def _loops(solver: Solver) -> tuple[DivergentLoop, ...]:
    forest = solver.structure.loops.loops
    divergent = sorted(solver.divergent.items())
    left = {loop.id: [b for b, (_, f) in divergent if loop.id in f.loops] for loop in forest}
    return tuple(
        DivergentLoop(loop.id, loop.header, tuple(left[loop.id]))
        for loop in forest
        if left[loop.id]
    )


_MOST_REASONS = 24
"""Steps of a reason that are told; where the next branch on the way is reached they end."""


@dataclass(frozen=True)
class _Reasons:
    """Origins of differences. Steps that only hand one on are left out, and walked once."""

    structure: Structure
    classes: Sequence[ValueClass | None]
    deciders: Mapping[int, Read]
    _origins: dict[int, int] = field(default_factory=dict)

    def of(self, read: Read) -> tuple[str, ...]:
        """Follow a difference back to where it comes from.

        A long way ends at a branch, which has the rest among its own reasons.
        """
        seen: set[object] = set()
        steps: list[str] = []
        while read not in seen:
            seen.add(read)
            value, id_ = read.value, read.definition
            if isinstance(value, Affine):
                steps.append(f"{_name(self.structure, id_)} is {value}")
                break
            if not isinstance(value, Divergent):
                break
            if value.reason != PASSED_ON:
                steps.append(f"{_name(self.structure, id_)}: {value.reason}")
            if value.branch is not None:
                label = self.structure.kernel.blocks[value.branch].label
                is_long = len(steps) >= _MOST_REASONS
                rest = ", for the reasons of that branch" if is_long else ""
                steps.append(f"threads part at the end of {label}{rest}")
                if is_long:
                    break
                read = self.deciders[value.branch]
            elif value.source is not None:
                read = self._read(self._origin(value.source))
        return tuple(steps)

    def _read(self, id_: int) -> Read:
        return Read(self.classes[id_] or UNIFORM, id_)

    def _origin(self, id_: int) -> int:
        """The definition that one has its class from, behind those that hand it on."""
        passed: dict[int, None] = {}
        while id_ not in self._origins and id_ not in passed:
            passed[id_] = None
            value = self.classes[id_]
            if not isinstance(value, Divergent) or value.reason != PASSED_ON:
                break
            if value.branch is not None or value.source is None:
                break
            id_ = value.source
        end = self._origins.get(id_, id_)
        for each in passed:
            self._origins[each] = end
        return end


def _name(structure: Structure, id_: int | None) -> str:
    """Name a definition by its register and block; what is none is a special register."""
    if id_ is None or id_ < 0:
        return "an operand"
    definition = structure.ssa.definitions[id_]
    register = structure.ssa.register(id_).name
    return f"{register} in {structure.kernel.blocks[definition.block].label}"


# What decides a branch: arguments, ids, the launch's size, loop counters, data.


class DecidedBy(Enum):
    """Origin of a condition's value; the paper's cases 1 to 3, case 2 split."""

    ARGUMENT = "argument"
    THREAD = "thread id"
    BLOCK = "block id"
    LAUNCH = "launch size"
    COUNTER = "loop counter"
    MEMORY = "memory load"
    FLOW = "control flow"
    OTHER = "other"


class _Node(NamedTuple):
    """Dependent item: a value, the branch at a block's end, a join, or the ends of a loop."""

    kind: str
    id: int


class Deciders:
    """Deciders of the conditions of one kernel; values shared by several are followed once.

    A value is followed back through loops and joins to all that it is made from. The branches that
    choose between ways are followed too: data may decide whether a counter grows. What values,
    branches and ends of loops rest on is a graph; what is reached in it from a condition decides.
    """

    def __init__(self, structure: Structure) -> None:
        self._structure = structure
        self._reach = ReachedBits(self._rests_on)

    def of(self, block: int, condition: Condition) -> tuple[DecidedBy, ...]:
        """Deciders of a condition at the end of a block, in the order of DecidedBy.

        Constant ones give nothing. A value that several paths set, or that a loop carries other
        than by even steps, rests on what it is set to, starts from and is changed by; what a loop
        carries is a loop counter where no data are among these.
        """
        found = 0
        for atom in _atoms(condition):
            bits, nodes = self._of_atom(atom, block)
            for node in nodes:
                bits |= self._reach.of(node)
            counted = bits & _CARRIED and not bits & _BITS[DecidedBy.MEMORY]
            found |= bits | (_BITS[DecidedBy.COUNTER] if counted else 0)
        return tuple(d for d in DecidedBy if found & _BITS[d])

    def _of_atom(self, atom: Atom, block: int) -> tuple[int, list[_Node]]:
        """Dependences of an atom that a block uses; behind its loop, what ends that counts."""
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
        """The loop whose header a φ stands in, where it is one."""
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
        """The join that a φ stands in: the φs of one are chosen by the same branches."""
        inputs = self._structure.ssa.phi_inputs.get(definition)
        return [_Node("join", self._structure.ssa.definitions[definition].block)] if inputs else []

    def _choosing(self, join: int) -> Iterator[int]:
        """The branches that choose what the φs of a block take of different values.

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
        """The blocks on ways from a start to one of the ends, of those that are reached."""
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


# Bits that are reached in a graph, worked out once for all nodes of a cycle.

_Vertex = TypeVar("_Vertex", bound=Hashable)


@dataclass(slots=True)
class _Visit(Generic[_Vertex]):
    """A node whose successors are gone through: what it reaches, the earliest visit among it."""

    node: _Vertex
    number: int
    earliest: int
    bits: int
    after: Iterator[_Vertex]


class ReachedBits(Generic[_Vertex]):
    """Bits of all nodes that a node reaches, itself included.

    ``follow`` gives a node's own bits and its successors, and is asked once a node. Nodes of one
    cycle reach the same (Tarjan's strongly connected components), so that all nodes together cost
    time linear in the edges. Nothing recurses.
    """

    def __init__(self, follow: Callable[[_Vertex], tuple[int, Iterable[_Vertex]]]) -> None:
        self._follow = follow
        self._done: dict[_Vertex, int] = {}

    def of(self, node: _Vertex) -> int:
        """The bits that are reached from a node."""
        if node not in self._done:
            self._visit(node)
        return self._done[node]

    def _visit(self, start: _Vertex) -> None:
        numbers: dict[_Vertex, int] = {}
        unfinished: list[_Vertex] = []
        path: list[_Visit[_Vertex]] = []

        def begin(node: _Vertex) -> None:
            number = numbers[node] = len(numbers)
            unfinished.append(node)
            bits, after = self._follow(node)
            path.append(_Visit(node, number, number, bits, iter(after)))

        begin(start)
        while path:
            visit = path[-1]
            following = next(visit.after, None)
            if following is None:
                path.pop()
                if visit.earliest == visit.number:
                    self._finish(visit, unfinished)
                elif path:
                    path[-1].earliest = min(path[-1].earliest, visit.earliest)
                if path:
                    path[-1].bits |= visit.bits
            elif following in self._done:
                visit.bits |= self._done[following]
            elif following in numbers:
                visit.earliest = min(visit.earliest, numbers[following])
            else:
                begin(following)

    def _finish(self, root: _Visit[_Vertex], unfinished: list[_Vertex]) -> None:
        """Note what all nodes of a root's cycle reach: what was collected on the way back to it."""
        while True:
            node = unfinished.pop()
            self._done[node] = root.bits
            if node == root.node:
                return
