"""AMD's matrix cores: ``mfma.f32.16x16x16f16``, on wavefronts of 64 lanes.

One instruction multiplies one pair of matrices or several (blocks). Lane i + M (b + B g), of M rows
and B blocks, has row i of A's block b, from column ``per`` g on as many elements as it holds; B
likewise by columns. Of D a lane has one column, four rows in a row and then those of the other
lanes in between; doubles lie one row at a time (AMD's "CDNA3" instruction set manual, chapter
"Matrix Arithmetic Instructions"). Arithmetic is that of mma: products exact, summed from C on in
single precision (f64: double), each step rounded, k rising. The instruction's control fields are
taken to be 0: the IR does not have them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache, partial

from warpmill.analyzer.ir.kernel import Instruction, Operand, Vector
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.rules import matrix_fragments as mf
from warpmill.executor.native.rules.matrix_elements import FORMATS, unpack
from warpmill.executor.native.rules.mma import give_registers
from warpmill.executor.native.rules.registry import refuses, rule
from warpmill.executor.native.step import LoweringStep
from warpmill.executor.native.values import LlvmValue, constant

_OPCODE = re.compile(
    r"mfma\.(?P<d>f32|f64|s32)\.(?P<m>\d+)x(?P<n>\d+)x(?P<k>\d+)\.?"
    r"(?P<types>f16|bf16(?:\.1k)?|f32|f64|i8)"
)
_FORMATS = {"i8": "s8", "bf16.1k": "bf16"}
_WAVE = 64
_ROWS = 4  # of D that a lane has next to each other


@dataclass(frozen=True)
class MatrixCore:
    """One form of the instruction."""

    shape: mf.MatrixShape
    type: str
    total: str
    blocks: int

    @property
    def elements(self) -> int:
        """Elements of A, and of B, that a lane has."""
        return self.shape.m * self.shape.k * self.blocks // _WAVE

    def factor(self, *, is_left: bool) -> mf.FragmentLayout:
        """Lay out A, or B."""
        return _factor(self, is_left=is_left)

    def result(self) -> mf.FragmentLayout:
        """Lay out C and D."""
        return _result(self)


@lru_cache(maxsize=64)
def _factor(core: MatrixCore, *, is_left: bool) -> mf.FragmentLayout:
    rows, per = core.shape.m, core.elements

    def place(lane: int, i: int) -> mf.Place:
        group, k = lane // rows, lane // rows // core.blocks * per + i
        block, line = group % core.blocks, lane % rows
        return (block, line, k) if is_left else (block, k, line)

    return mf.layout(per, place, _WAVE)


@lru_cache(maxsize=64)
def _result(core: MatrixCore) -> mf.FragmentLayout:
    rows, columns, blocks = core.shape.m, core.shape.n, core.blocks
    count = rows * columns * blocks // _WAVE

    def place(lane: int, i: int) -> mf.Place:
        column, group = lane % columns, lane // columns
        if core.total == "f64":
            beside = min(blocks, _WAVE // columns)
            return group % beside, i * _ROWS + group // beside, column
        if rows == _ROWS:
            return group, i, column
        block, inner = divmod(i, count // blocks)
        groups = _WAVE // columns
        row = inner // _ROWS * _ROWS * groups + group * _ROWS + inner % _ROWS
        return block, row, column

    return mf.layout(count, place, _WAVE)


def decode(opcode: str, results: int) -> MatrixCore | None:
    """Read the opcode, given how many registers D has; None where there is no code."""
    found = _OPCODE.fullmatch(opcode)
    if found is None:
        return None
    shape = mf.MatrixShape(int(found["m"]), int(found["n"]), int(found["k"]))
    blocks = results * _WAVE // (shape.m * shape.n)
    core = MatrixCore(shape, _FORMATS.get(found["types"], found["types"]), found["d"], blocks)
    is_known = shape.m in (4, 16, 32) and shape.m == shape.n and blocks and core.elements
    return core if is_known else None


def multiply(
    core: MatrixCore, count: int, e: Emitter, *registers: LlvmValue
) -> tuple[LlvmValue, ...]:
    """Write D's registers from those of A, B (``count`` each) and C."""
    a_elements = unpack(e, registers[:count], core.type)
    b_elements = unpack(e, registers[count : 2 * count], core.type)
    a = mf.Fragment(e, core.factor(is_left=True), a_elements)
    b = mf.Fragment(e, core.factor(is_left=False), b_elements)
    c, out, add = registers[2 * count :], core.result(), partial(e.call, "llvm.fma")
    if core.total != "s32":
        start = unpack(e, c, core.total)
        return tuple(mf.product(a, b, out, start, core.shape.k, add))
    none = [e.vector(constant(0, "float"))] * len(c)
    sums = mf.product(a, b, out, none, core.shape.k, add)
    return tuple(e.op("add", e.cast("fptosi", x, "i32"), y) for x, y in zip(sums, c, strict=True))


def _read(step: LoweringStep, operand: Operand, type_: str) -> list[LlvmValue]:
    """Read registers as words of 32 bits (f64: of 64); wider ones are taken apart."""
    e, words = step.emitter, []
    for part in step.elements(operand):
        value = e.vector(step.read(part))
        value = e.bitcast(value, f"i{value.bits}")
        if value.bits == FORMATS["f64"].bits and type_ != "f64":
            high = e.op("lshr", value, constant(32, "i64"))
            words += [e.resize(value, "i32"), e.resize(high, "i32")]
        else:
            words.append(value)
    return words


@rule("mfma")
def lower_mfma(step: LoweringStep) -> None:
    """Multiply matrices: a function for each opcode and number of blocks."""
    d, *sources = step.instruction.operands[:4]
    core = decode(step.operation.opcode, len(step.elements(d)))
    assert core is not None
    assert step.emitter.lanes == _WAVE
    a, b = (_read(step, source, core.type) for source in sources[:2])
    c = _read(step, sources[2], core.total)
    function = partial(multiply, core, len(a))
    name = f"{step.operation.opcode}.{core.blocks}"
    give_registers(step, d, step.emitter.outlined(name, function, *a, *b, *c))


@refuses("mfma")
def refuse_mfma(instruction: Instruction) -> str | None:
    """Name the forms that have no code: sparse ones, 8-bit floats and xf32, RDNA's wmma."""
    destination = instruction.operands[0]
    count = len(destination.elements) if isinstance(destination, Vector) else 1
    if decode(instruction.operation.opcode, count) is None:
        return f"the matrix instruction `{instruction.operation.opcode}`"
    return None
