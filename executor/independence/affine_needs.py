"""Which values decide what a kernel accesses: those alone are worked out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.analyses.values.ssa import DefinitionKind
from warpmill.analyzer.ir.kernel import Address, Instruction, Operand, registers_in


def needed_definitions(
    structure: Structure, accesses: Callable[[Instruction], bool], known: Collection[str]
) -> frozenset[int]:
    """Give the definitions that addresses of ``accesses`` and branches are made from.

    What operations that are not ``known`` make is made from nothing.
    """
    ssa, open_ = structure.ssa, list(_roots(structure, accesses))
    found = set(open_)
    while open_:
        definition = ssa.definitions[open_.pop()]
        if definition.kind is DefinitionKind.PHI:
            sources = [
                ssa.out[i.predecessor].get(register)
                for i in ssa.phi_inputs[definition.id]
                for register in registers_in(i.operand)
            ]
        elif definition.kind is DefinitionKind.INSTRUCTION:
            block, number = definition.block, definition.instruction
            instruction = structure.kernel.blocks[block].instructions[number]
            if instruction.operation.name not in known and instruction.guard is None:
                continue
            sources = list(ssa.before[block][number].values())
        else:
            continue
        new = {s for s in sources if s is not None} - found
        found |= new
        open_ += new
    return frozenset(found)


def _roots(structure: Structure, accesses: Callable[[Instruction], bool]) -> Iterator[int]:
    for block in structure.kernel.blocks:
        if block.id not in structure.cfg.reachable:
            continue
        for number, instruction in enumerate(block.instructions):
            at = structure.ssa.before[block.id][number]
            if accesses(instruction):
                read = [i for o in instruction.operands for i in _addressed(o)]
                read += [] if instruction.guard is None else [instruction.guard.register.index]
                yield from (at[i] for i in read)
            elif instruction is block.terminator and instruction.guard is not None:
                yield at[instruction.guard.register.index]


def _addressed(operand: Operand) -> Iterator[int]:
    if isinstance(operand, Address):
        yield from registers_in(operand)
