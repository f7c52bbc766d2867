"""Definitions that reach a use, against following every path to a fixed point."""

import random

import pytest

from tests.reference.programs import Lowering
from tests.reference.random_programs import NAMES, random_program
from warpmill.analyzer.analyses.cfg.graph import build_cfg, dominator_tree
from warpmill.analyzer.analyses.values.ssa import DefinitionKind, build_ssa
from warpmill.analyzer.ir.kernel import Reg, registers_in
from warpmill.analyzer.ir.reader import read_module


def reaching(kernel, cfg):
    """Give, for each block, the writes of each register that may reach its entry.

    A write is (block, instruction) or ("edge", block, predecessor) for a copy; guarded writes let
    earlier ones through. ``None`` stands for the register's content at the start.
    """
    n = len(kernel.registers)
    entry = {b.id: [set() for _ in range(n)] for b in kernel.blocks}
    entry[0] = [{None} for _ in range(n)]
    changed = True
    while changed:
        changed = False
        for block in kernel.blocks:
            now = [set(places) for places in entry[block.id]]
            if not any(now):
                continue
            for i, instruction in enumerate(block.instructions):
                step(now, block.id, i, instruction)
            for after in cfg.successors[block.id]:
                if after == cfg.exit_id:
                    continue
                arriving = [set(places) for places in now]
                for register in copied(kernel, block.id, after):
                    arriving[register] = {("edge", after, block.id)}
                changed |= any(not b <= a for a, b in zip(entry[after], arriving, strict=True))
                entry[after] = [a | b for a, b in zip(entry[after], arriving, strict=True)]
    return entry


def copied(kernel, source, target):
    """The registers that an edge changes; a copy of a register to itself changes nothing."""
    for edge in kernel.blocks[target].incoming:
        for register, operand in edge.copies if edge.predecessor == source else ():
            if operand != register:
                yield register.index


def step(now, block, index, instruction):
    for register in instruction.writes:
        kept = now[register] if instruction.guard is not None else set()
        now[register] = kept | {(block, index)}


def touched_first(block, register):
    """Whether a block reads a register or writes it first; a guarded write keeps, and reads."""
    for instruction in block.instructions:
        writes = register in instruction.writes
        if register in instruction.reads or (writes and instruction.guard is not None):
            return "read"
        if writes:
            return "written"
    return None


def is_read_behind(kernel, cfg, register, block):
    """Whether some path from a block's end reads what a register holds there."""
    seen, todo = set(), [(block, after) for after in cfg.successors[block]]
    while todo:
        source, target = edge = todo.pop()
        if edge in seen or target == cfg.exit_id:
            continue
        seen.add(edge)
        edges = [e for e in kernel.blocks[target].incoming if e.predecessor == source]
        copies = [copy for e in edges for copy in e.copies]
        touched = touched_first(kernel.blocks[target], register)
        if any(register in registers_in(operand) for _, operand in copies):
            return True
        if any(to.index == register for to, _ in copies) or touched == "written":
            continue
        if touched == "read":
            return True
        todo += [(target, after) for after in cfg.successors[target]]
    return False


def writes_behind(kernel, ssa, definition, seen=None):
    """The writes that a definition stands for, through φs and guarded writes."""
    seen = set() if seen is None else seen
    if definition in seen:
        return set()
    seen.add(definition)
    made = ssa.definitions[definition]
    if made.kind in (DefinitionKind.UNDEFINED, DefinitionKind.PARAMETER):
        return {None}
    if made.kind is DefinitionKind.INSTRUCTION:
        found = {(made.block, made.instruction)}
        if kernel.blocks[made.block].instructions[made.instruction].guard is not None:
            earlier = ssa.before[made.block][made.instruction][made.register]
            found |= writes_behind(kernel, ssa, earlier, seen)
        return found
    found = set()
    for source in ssa.phi_inputs[definition]:
        if source.operand != Reg(made.register):
            found.add(("edge", made.block, source.predecessor))
            continue
        before = ssa.out[source.predecessor].get(made.register)
        found |= {None} if before is None else writes_behind(kernel, ssa, before, seen)
    return found


@pytest.mark.one_in(12)
@pytest.mark.parametrize("phis", [False, True])
@pytest.mark.parametrize("seed", range(15))
def test_every_use_sees_exactly_the_writes_that_reach_it(seed, phis):
    program = random_program(random.Random(seed))
    kernel = Lowering(NAMES, phis=phis).kernel(program)
    cfg = build_cfg(kernel)
    ssa = build_ssa(kernel, cfg, dominator_tree(cfg))
    entry = reaching(kernel, cfg)
    for block in kernel.blocks:
        now = [set(places) for places in entry[block.id]]
        for i, instruction in enumerate(block.instructions):
            for register in instruction.reads:
                seen = ssa.operand_definition(block.id, i, register).id
                assert writes_behind(kernel, ssa, seen) == now[register], (block.id, i, register)
            step(now, block.id, i, instruction)
        for register, definition in ssa.out[block.id].items():
            if is_read_behind(kernel, cfg, register, block.id):
                assert writes_behind(kernel, ssa, definition) == now[register]
    check_phis_read_what_their_edges_copy(kernel, ssa)


def check_phis_read_what_their_edges_copy(kernel, ssa):
    for definition, inputs in ssa.phi_inputs.items():
        made = ssa.definitions[definition]
        copies = {e.predecessor: dict(e.copies) for e in kernel.blocks[made.block].incoming}
        for source in inputs:
            own = Reg(made.register)
            assert source.operand == copies.get(source.predecessor, {}).get(own, own)
            if source.operand != own:  # what it copies is known where the edge starts
                known = ssa.out[source.predecessor]
                assert all(r in known for r in registers_in(source.operand))


@pytest.mark.parametrize("seed", range(8))
def test_values_meet_only_where_they_are_read_later(seed):
    program = random_program(random.Random(seed))
    kernel = Lowering(NAMES, phis=False).kernel(program)
    cfg = build_cfg(kernel)
    ssa = build_ssa(kernel, cfg, dominator_tree(cfg))
    for definition in ssa.phi_inputs:
        made = ssa.definitions[definition]
        touched = touched_first(kernel.blocks[made.block], made.register)
        later = touched is None and is_read_behind(kernel, cfg, made.register, made.block)
        assert touched == "read" or later


READ_ON_AN_EDGE = """.module m target sm_80 version "9.0" address_bits 64 warp_size 32
.function f [1:1-2]
.reg s32 %r1, %r2
.reg pred %p1
.block 0 ^a fallthrough ^b
mov.b32 %r1, 4 [2:1-2]
@%p1 bra -> ^c [3:1-2]
.block 1 ^b fallthrough ^c
mov.b32 %r1, 5 [4:1-2]
.block 2 ^c fallthrough ^d
.block 3 ^d
    .from ^c %r2 = %r1
mov.b32 %r1, %r2 [5:1-2]
ret [6:1-2]
.end
"""


def test_what_an_edge_copies_is_read_where_the_edge_starts():
    function = read_module(READ_ON_AN_EDGE).functions[0]
    cfg = build_cfg(function)
    ssa = build_ssa(function, cfg, dominator_tree(cfg))
    places = [(ssa.definitions[d].block, ssa.definitions[d].register) for d in ssa.phi_inputs]
    assert places == [(2, 0), (3, 1)]


@pytest.mark.parametrize("seed", range(8))
def test_definitions_are_numbered_and_written_once(seed):
    program = random_program(random.Random(seed))
    kernel = Lowering(NAMES, phis=False).kernel(program)
    cfg = build_cfg(kernel)
    ssa = build_ssa(kernel, cfg, dominator_tree(cfg))
    assert [d.id for d in ssa.definitions] == list(range(len(ssa.definitions)))
    made = [(d.block, d.instruction, d.register) for d in ssa.definitions if d.instruction >= 0]
    written = [
        (b.id, i, r)
        for b in kernel.blocks
        if b.id in cfg.reachable
        for i, instruction in enumerate(b.instructions)
        for r in instruction.writes
    ]
    assert sorted(made) == sorted(written)
