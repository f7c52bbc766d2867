"""The verifier takes the register types that ptxas takes, and rejects nearly all others."""

import re
from pathlib import Path

import pytest

from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends.ptx import parse
from warpmill.analyzer.ir.kernel import FloatImm, Imm, Register
from warpmill.analyzer.ir.operand_rules import type_faults
from warpmill.analyzer.ir.operation import decode
from warpmill.analyzer.ir.types import TYPES

TYPES_OF_REGISTERS = (
    *("pred", "b8", "u8", "s8", "b16", "u16", "s16", "f16", "b32", "u32", "s32", "f32", "f16x2"),
    *("b64", "u64", "s64", "f64", "b128"),
)
TAKEN_BY_PTXAS_AS_PREDICATES = {"f16x2"}  # an oversight of its own, as it seems
TABLE = Path(__file__).parent / "operand_types.txt"


def lines():
    """Statements with the types that ptxas takes, and those that are let through."""
    for line in TABLE.read_text("utf-8").splitlines():
        if not line.startswith("#"):
            statement, taken = line.split(" -> ")
            by_ptxas, _, let_through = taken.partition(" / ")
            yield statement, set(by_ptxas.split()), set(let_through.split())


LINES = list(lines())


def parsed(statement):
    """Parse a statement with registers of the types that their names say."""
    declared = " ".join(f".reg .{t} %{t}_<10>;" for t in TYPES_OF_REGISTERS)
    head = ".version 9.0\n.target sm_90a\n.address_size 64\n.global .align 16 .b8 g[64];\n"
    text = f"{head}.entry k(.param .u64 p) {{ {declared} {statement}; ret; }}"
    kernel = parse(Source("k.ptx", text)).module.kernels[0]
    return kernel.registers, kernel.blocks[0].instructions[0]


def taken(statement):
    """The types of registers that the verifier takes in the place in angle brackets."""
    marked = re.search(r"<(%\w+)>", statement)
    declared, instruction = parsed(statement.replace(marked[0], marked[1]))
    place = [register.name for register in declared].index(marked[1])
    for type_ in TYPES_OF_REGISTERS:
        registers = [*declared[:place], Register("%x", TYPES[type_]), *declared[place + 1 :]]
        if not list(type_faults(instruction.operation, instruction.operands, registers)):
            yield type_


@pytest.mark.parametrize(("statement", "by_ptxas", "let_through"), LINES)
def test_the_types_that_ptxas_takes(statement, by_ptxas, let_through):
    wanted = by_ptxas | let_through
    if by_ptxas == {"pred", "f16x2"}:
        wanted -= TAKEN_BY_PTXAS_AS_PREDICATES
    assert set(taken(statement)) == wanted


def test_few_that_ptxas_rejects_are_let_through():
    rejected = sum(len(TYPES_OF_REGISTERS) - len(by_ptxas) for _, by_ptxas, _ in LINES)
    assert rejected > 4000
    assert sum(len(more) for _, _, more in LINES) < 0.06 * rejected


@pytest.mark.parametrize(
    ("opcode", "constant", "is_taken"),
    [  # as ptxas 13.0 has it
        ("add.f32", Imm(5), False),
        ("add.f64", Imm(5), False),
        ("add.f32", FloatImm(0x3F800000, TYPES["f32"]), True),
        ("add.s32", FloatImm(0x3F800000, TYPES["f32"]), False),
        ("add.s32", Imm(5), True),
        ("and.b32", FloatImm(0x3F800000, TYPES["f32"]), True),
        ("min.u64", FloatImm(0x3FF0000000000000, TYPES["f64"]), False),
    ],
)
def test_constants(opcode, constant, is_taken):
    name = opcode.partition(".")[2]
    registers, instruction = parsed(f"{opcode} %{name}_1, %{name}_2, %{name}_3")
    operands = (*instruction.operands[:2], constant)
    faults = list(type_faults(decode(opcode), operands, registers))
    assert [fault.place for fault in faults] == ([] if is_taken else [2])
