"""Divergence against execution: what is said to be alike is alike in all lanes, at every use.

The oracle is the slow interpreter: before each instruction the registers that it reads, after it
those that it writes, and at the start of each block what φs are worth there, lane by lane.
"""

import random
from collections import Counter
from contextlib import suppress

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tests.reference.interpreter import TooLongError, Warp, lanes_of_warp
from tests.reference.programs import Lowering
from tests.reference.random_programs import NAMES, random_program, smaller
from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.analyses.divergence.analysis import (
    Affine,
    UniformClass,
    WarpShape,
    divergence,
)
from warpmill.analyzer.analyses.values.ssa import DefinitionKind
from warpmill.analyzer.analyses.values.symbolic import AtomKind, evaluate
from warpmill.analyzer.base.diagnostics import Span
from warpmill.analyzer.ir.kernel import (
    Address,
    Block,
    Guard,
    Imm,
    Instruction,
    Kernel,
    Parameter,
    Reg,
    Register,
    Special,
)
from warpmill.analyzer.ir.operation import decode
from warpmill.analyzer.ir.types import TYPES, OpClass, Space

GRID = (4, 2, 1)
SHAPES = [((4, 1, 1), 4), ((6, 1, 1), 4), ((3, 2, 2), 8), ((2, 3, 1), 4), ((5, 1, 1), 8)]


class Watch(Warp):
    """A warp that checks what it computes; loads give something that address and time decide."""

    def watch(self, found, arguments):
        self.found, self.ssa = found, found.structure.ssa
        self.values_given = arguments
        self.places = {
            id(i): (b.id, n) for b in self.kernel.blocks for n, i in enumerate(b.instructions)
        }
        self.phis = {b.id: [] for b in self.kernel.blocks}
        for definition in self.ssa.definitions:
            if definition.kind is DefinitionKind.PHI:
                self.phis[definition.block].append(definition)
        self.pending, self.checked, self.wrong = None, {"uniform": 0, "affine": 0}, []
        with suppress(TooLongError):
            self.run()
        return self.wrong

    def execute(self, block, lanes):
        for phi in self.phis[block.id]:
            self.compare(phi.id, phi.register, block.id, lanes, "φ")
        super().execute(block, lanes)
        self.check_written()

    def guarded(self, instruction, lanes):
        self.check_written()
        block, index = self.places[id(instruction)]
        for register, definition in self.ssa.before[block][index].items():
            if register in instruction.reads:
                self.compare(definition, register, block, lanes, f"read at {index}")
        if instruction.writes:
            self.pending = (block, index, set(lanes))
        return super().guarded(instruction, lanes)

    def check_written(self):
        if self.pending is None:
            return
        (block, index, lanes), self.pending = self.pending, None
        for register, definition in self.ssa.written[block][index].items():
            self.compare(definition, register, block, lanes, f"written at {index}")

    def compare(self, definition, register, block, lanes, what):
        values = {lane: self.registers[lane].get(register) for lane in sorted(lanes)}
        if None in values.values():
            return  # it holds nothing yet
        match self.found.at(definition, block):
            case UniformClass():
                self.checked["uniform"] += 1
                alike = len(set(values.values())) <= 1
            case Affine() as steps:
                alike = self.is_affine(values, steps, register)
            case _:
                return
        if not alike:
            self.wrong.append((block, what, self.kernel.registers[register].name, values))

    def is_affine(self, values, steps, register):
        """Whether the lanes' differences are the steps; assumptions and unknown steps are left."""
        factors = [self.number(c) for c in steps.coefficients]
        if steps.assumes_no_wrap or None in factors:
            return True
        self.checked["affine"] += 1
        width = 1 << self.kernel.registers[register].type.bits
        starts = {
            (
                value
                - sum(
                    f * self.specials[lane][f"tid.{a}"] for f, a in zip(factors, "xyz", strict=True)
                )
            )
            % width
            for lane, value in values.items()
        }
        return len(starts) <= 1

    def number(self, formula):
        lane = next(s for s in self.specials if s is not None)
        values = {}
        for atom in formula.atoms:
            if atom.kind is AtomKind.SPECIAL:
                values[atom] = lane[atom.name]
            elif atom.kind is AtomKind.ARGUMENT:
                values[atom] = self.values_given[atom.name]
        return evaluate(formula, values)

    def result(self, instruction, lane):
        operation = instruction.operation
        if operation.op_class is OpClass.LOAD and operation.space is not Space.PARAM:
            where = self.address(instruction.address, lane)
            return (where * 2654435761 + len(self.events) * 40503) >> 7
        return super().result(instruction, lane)


def faults(kernel, shape, arguments, most_events=1500, in_launch=False):
    """What divergence says and execution does not, in two CTAs, and how much was compared."""
    wrong, checked = [], Counter()
    (x, y, z), warp_size = shape
    warps = WarpShape((x, y, z), warp_size) if in_launch else None
    found = divergence(analyse_structure(kernel), warps)
    for cta in ((0, 0, 0), (3, 1, 0)):
        for warp in range(-(-x * y * z // warp_size)):
            lanes = lanes_of_warp(warp, warp_size, GRID, (x, y, z), cta)
            watch = Watch(kernel, lanes, arguments, most_events=most_events)
            wrong += watch.watch(found, arguments)
            checked.update(watch.checked)
    return wrong, checked


@given(
    st.integers(0, 2**32),
    st.booleans(),
    st.sampled_from(SHAPES),
    st.integers(0, 6),
    st.integers(-2, 4),
)
@settings(max_examples=60, deadline=None, phases=[Phase.generate])  # smaller() shrinks
def test_what_is_uniform_or_affine_is_so_in_every_execution(seed, phis, shape, arg0, arg1):
    arguments = {"out": 0x7_0000_0000_00, "arg0": arg0, "arg1": arg1 % 2**32}

    def fails(program):
        return bool(faults(Lowering(NAMES, phis=phis).kernel(program), shape, arguments)[0])

    program = random_program(random.Random(seed))
    if fails(program):
        pytest.fail(f"differs for {smaller(program, fails)}")


# Graphs of any form, irreducible ones among them.


def random_graph_kernel(chance, blocks=7, ids=("tid.x",)):
    """Make blocks that compute on four values and a load, and go on anywhere."""
    registers = [Register(f"%v{i}", TYPES["b32"]) for i in range(5)]
    registers += [Register("%p", TYPES["pred"]), Register("%a", TYPES["b64"])]
    predicate, address = Reg(5), Reg(6)
    made = []

    def emit(code, opcode, *operands, guard=None, targets=()):
        code.append(
            Instruction(decode(opcode), operands, Span(len(code) + 1, 1, 2), guard, targets)
        )

    def operand():
        return chance.choice([Reg(chance.randrange(4))] * 3 + [Imm(chance.randint(0, 5))])

    def compute(code):
        into = Reg(chance.randrange(4))
        kind = chance.choice(["add.s32"] * 3 + ["sub.s32", "xor.b32", "min.s32", "mul.lo.s32"])
        guard = None
        if chance.random() < 0.2:
            compare(code)
            guard = Guard(predicate, chance.random() < 0.5)
        choice = chance.random()
        if choice < 0.1:
            emit(code, "cvt.u64.u32", address, operand())
            emit(code, "ld.global.u32", into, Address(address, 8), guard=guard)
        elif choice < 0.3:
            source = chance.choice([Imm(chance.randint(0, 3)), Special("ctaid.x")])
            emit(code, "mov.u32", into, source, guard=guard)
        else:
            emit(code, kind, into, operand(), operand(), guard=guard)

    def compare(code):
        masked = Reg(4)
        emit(code, "and.b32", masked, operand(), Imm(chance.choice([1, 3, 7])))
        word = chance.choice(["eq", "lt", "ne", "gt"])
        emit(code, f"setp.{word}.s32", predicate, masked, Imm(chance.randint(0, 4)))

    for number in range(blocks):
        code = []
        if number == 0:
            emit(code, "mov.u32", Reg(4), Imm(0))
            for i in range(4):
                source = chance.choice([Special(chance.choice(ids)), Imm(i), Special("ntid.x")])
                emit(code, "mov.u32", Reg(i), source)
        for _ in range(chance.randint(0, 3)):
            compute(code)
        fall = number + 1 if number + 1 < blocks else None
        if fall is None:
            emit(code, "ret")
        elif chance.random() < 0.75:
            compare(code)
            target = chance.randrange(1, blocks)
            emit(code, "bra", guard=Guard(predicate, False), targets=(target,))
        elif chance.random() < 0.3:
            emit(code, "bra", targets=(chance.randrange(1, blocks),))
            fall = None
        made.append(Block(number, f"B{number}", tuple(code), fall))
    parameter = Parameter("out", TYPES["u64"], 8, 8)
    return Kernel("graph", (parameter,), tuple(registers), tuple(made), Span(1, 1, 2))


@pytest.mark.slow
@pytest.mark.parametrize("start", [0, 100])
def test_no_form_of_graph_makes_it_say_too_much(start):
    checked, irreducible = Counter(), 0
    for seed in range(start, start + 100):
        kernel = random_graph_kernel(random.Random(seed))
        wrong, compared = faults(kernel, ((4, 1, 1), 4), {"out": 1 << 40}, 120)
        assert not wrong, (seed, wrong[:3])
        checked += compared
        irreducible += bool(analyse_structure(kernel).loops.irreducible)
    assert checked["uniform"] > 1000
    assert checked["affine"] > 100
    assert irreducible > 10


@pytest.mark.slow
@pytest.mark.parametrize("shape", [((2, 4, 1), 2), ((4, 2, 2), 4), ((1, 3, 1), 4)])
def test_what_a_launch_makes_uniform_is_so_in_it(shape):
    """Rows as long as a warp, warps of several rows that lie across, one column."""
    checked = Counter()
    for seed in range(60):
        kernel = random_graph_kernel(random.Random(seed), ids=("tid.x", "tid.y", "warpid"))
        wrong, compared = faults(kernel, shape, {"out": 1 << 40}, 60, in_launch=True)
        assert not wrong, (seed, wrong[:3])
        checked += compared
    assert checked["uniform"] > 500
