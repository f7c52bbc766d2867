"""Which values differ between threads that execute together, and which branches part them.

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
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from warpmill.analyzer.analyses.divergence.classes import (
    PASSED_ON,
    UNIFORM,
    Affine,
    Divergent,
    Outdated,
    Uniform,
    ValueClass,
    outdated,
)
from warpmill.analyzer.analyses.divergence.launch import Warps, warp_uniform
from warpmill.analyzer.analyses.divergence.place import read_operand
from warpmill.analyzer.analyses.divergence.rules import Read
from warpmill.analyzer.analyses.divergence.solver import Solver
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.analyses.values.conditions import guard_condition
from warpmill.analyzer.ir.kernel import Operand

__all__ = [
    "UNIFORM",
    "Affine",
    "Divergence",
    "Divergent",
    "DivergentBranch",
    "DivergentLoop",
    "Outdated",
    "Uniform",
    "ValueClass",
    "Warps",
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

    def reasons(self, definition: int) -> tuple[str, ...]:
        """Say why a definition is not uniform, back to where it comes from; empty where it is."""
        found = Read(self.classes[definition] or UNIFORM, definition)
        return _Reasons(self.structure, self.classes, self.deciders).of(found)

    def at(self, definition: int, block: int) -> ValueClass:
        """Give the class of a definition as ``block`` sees it; ValueError where unreachable."""
        found = self.classes[definition]
        if found is None:
            raise ValueError(f"definition {definition} is not reachable")
        known = self.outdated.get(definition, ())
        branch = next((o.branch for o in known if block in o.places), None)
        return found if branch is None or isinstance(found, Divergent) else outdated(branch)

    def of_operand(self, block: int, instruction: int, operand: Operand) -> ValueClass:
        """Give the class of an operand of an instruction, where it stands."""
        before = self.structure.ssa.before[block][instruction]
        return read_operand(operand, before, block, self.at).value


def divergence(structure: Structure, warps: Warps | None = None) -> Divergence:
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
        {block: read for block, (read, _) in sorted(solver.parting.items())},
    )


def parting_branches(structure: Structure) -> Mapping[int, int | None]:
    """Find the branches at which threads of a warp may part, by block, and where these meet again.

    As ``divergence`` has them; nothing else is worked out. None: they do not.
    """
    solver = Solver(structure, for_branches=True)
    solver.solve()
    return {block: found.reconvergence for block, (_, found) in sorted(solver.parting.items())}


def _branches(solver: Solver) -> Iterator[DivergentBranch]:
    deciders = {block: decider for block, (decider, _) in solver.parting.items()}
    reasons = _Reasons(solver.structure, solver.classes, deciders)
    around = _around(solver)
    for block, (read, found) in sorted(solver.parting.items()):
        inner = (b for b in around[block] if found.blocks <= solver.parting[b][1].blocks)
        yield DivergentBranch(
            block,
            _condition(solver.structure, block),
            reasons.of(read),
            tuple(sorted(found.blocks)),
            found.reconvergence,
            next(inner, None),
        )


def _around(solver: Solver) -> dict[int, list[int]]:
    """Give for each branch the others whose regions it stands in, the smallest region first."""
    found: dict[int, list[int]] = {block: [] for block in solver.parting}
    sizes = sorted((len(region.blocks), b) for b, (_, region) in solver.parting.items())
    for _, other in sizes:
        for block in solver.parting[other][1].blocks & found.keys():
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
    parting = sorted(solver.parting.items())
    left = {loop.id: [b for b, (_, f) in parting if loop.id in f.loops] for loop in forest}
    return tuple(
        DivergentLoop(loop.id, loop.header, tuple(left[loop.id]))
        for loop in forest
        if left[loop.id]
    )


_MOST_REASONS = 24
"""Steps of a reason that are told; where the next branch on the way is reached they end."""


@dataclass(frozen=True)
class _Reasons:
    """Where differences come from. Steps that only hand one on are left out, and walked once."""

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
        """Give the definition that one has its class from, behind those that hand it on."""
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
