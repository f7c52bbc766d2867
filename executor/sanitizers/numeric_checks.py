"""A kernel that looks at its floating-point results: whether one is NaN or infinite.

After each operation that may make one of finite values stands a ``check.numeric`` of the result and
the sources. Sources that the operation overwrites are kept for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from warpmill.analyzer.ir.kernel import (
    Block,
    Element,
    FloatImm,
    Instruction,
    Kernel,
    Negated,
    Operand,
    Reg,
    Register,
    Vector,
    registers_in,
)
from warpmill.analyzer.ir.operation import Operation, decode
from warpmill.analyzer.ir.types import TYPES, Type

NUMERIC = "check.numeric"
"""The operation that looks at a result and the sources it was made of."""

MADE_NAN, MADE_INFINITY = 500, 501
"""Numbers of the kinds in rows."""

MOST_SHOWN = 3
"""Sources whose values are told: those of a fused multiply-add."""

NON_FINITE = {
    "f16": (0x7C00, 0x3FF), "bf16": (0x7F80, 0x7F), "f32": (0x7F80_0000, 0x7F_FFFF),
    "tf32": (0x7F80_0000, 0x7F_FFFF), "f64": (0x7FF << 52, (1 << 52) - 1),
}  # fmt: skip
"""Exponent and mantissa of an element: NaN and infinity have all bits of the exponent."""

PRODUCTS = frozenset({"mma", "mma.sp", "wmma.mma"})
"""Operations whose results follow from what all lanes have."""

_NOT_LOOKED_AT = frozenset({"mfma", "atom", "red", "wgmma.mma_async"})
"""Operations that may make NaN or infinity and of which not all forms are looked at."""

_MAKING = frozenset({
    "add", "sub", "mul", "fma", "mad", "div", "rcp", "sqrt", "rsqrt", "ex2", "lg2", "sin", "cos",
    "tanh", "cvt", "math", "rem",
})  # fmt: skip


@dataclass(frozen=True)
class NumericForm:
    """What is to be looked at: the result and its type, floating-point sources and theirs."""

    result: Operand
    type: Type
    sources: tuple[tuple[Operand, Type], ...]

    def operation(self, *, of_warp: bool) -> Operation:
        """The operation that looks at them."""
        types = [self.type, *(type_ for _, type_ in self.sources)]
        words = [NUMERIC, *(["warp"] if of_warp else []), *map(str, types)]
        effects = frozenset({"volatile", *(["convergent"] if of_warp else [])})
        return replace(decode(NUMERIC), opcode=".".join(words), effects=effects)


def is_not_looked_at(instruction: Instruction) -> bool:
    """Whether it may make NaN or infinity, and nothing looks at its result."""
    operation = instruction.operation
    compares = {"min", "max", "exch", "cas"} & set(operation.modifiers)
    is_float = any(type_.is_float for type_ in operation.types)
    is_one = operation.name in _NOT_LOOKED_AT and is_float and not compares
    return is_one and numeric_form(instruction) is None


def element_of(type_: Type) -> str:
    """The type of one element: ``f16`` of ``f16x2``."""
    return type_.name.removesuffix(f"x{type_.lanes}") if type_.lanes > 1 else type_.name


def numeric_form(instruction: Instruction) -> NumericForm | None:
    """What is to be looked at of an instruction; None where it makes nothing of finite values."""
    operation = instruction.operation
    if operation.name in PRODUCTS:
        return _product_form(instruction)
    if is_float_sum(instruction):
        old, value, type_ = instruction.operands[0], instruction.operands[2], operation.type
        assert type_ is not None
        return NumericForm(old, type_, ((old, type_), (value, type_)))
    targets = instruction.destinations
    if operation.name not in _MAKING or len(targets) != 1 or not _is_register(targets[0]):
        return None
    result = operation.types[0] if operation.name == "cvt" else operation.type
    source = operation.types[-1] if operation.name == "cvt" else operation.type
    if result is None or source is None or element_of(result) not in NON_FINITE:
        return None
    given = [s.operand if isinstance(s, Negated) else s for s in instruction.sources]
    if not all(_is_finite(one) for one in given if isinstance(one, FloatImm)):
        return None
    known = element_of(source) in NON_FINITE  # integers, and formats without infinities, are finite
    sources = [(one, source) for one in given if known and _is_register(one)]
    return NumericForm(targets[0], result, tuple(sources))


def is_float_sum(instruction: Instruction) -> bool:
    """Whether it is an atomic that adds to a number in memory, and gives what that was."""
    operation, operands = instruction.operation, instruction.operands
    return (
        operation.name == "atom"
        and "add" in operation.modifiers
        and operation.vector == 1
        and operation.type is not None
        and element_of(operation.type) in NON_FINITE
        and _is_register(operands[0])
        and _is_register(operands[2])
    )


def _is_register(operand: Operand) -> bool:
    return isinstance(operand, Reg | Element)


def _is_finite(operand: FloatImm) -> bool:
    exponent, _ = NON_FINITE[element_of(operand.type)]
    return operand.bits & exponent != exponent


def _product_form(instruction: Instruction) -> NumericForm | None:
    """The result of a product of matrices, and A, B and C."""
    names = [type_.name for type_ in instruction.operation.types]
    if len(names) == 2:  # those of D and C, of wmma with halves
        names = [names[0], "f16", "f16", names[1]]
    target, *sources = instruction.operands[:4]
    if len(names) < 4 or names[0] not in NON_FINITE:
        return None
    types = [TYPES[f"{n}x2"] if n in {"f16", "bf16"} else TYPES[n] for n in names[:4]]
    known = [
        (operand, type_)
        for operand, type_ in zip(sources, types[1:], strict=True)
        if element_of(type_) in NON_FINITE and isinstance(operand, Vector | Reg)
    ]
    return NumericForm(target, types[0], tuple(known))


def with_numeric_checks(kernel: Kernel) -> Kernel:
    """The kernel, with a ``check.numeric`` after each operation that may make NaN or infinity.

    The kernel itself where there is none.
    """
    if not any(map(numeric_form, kernel.instructions)):
        return kernel
    return _Writer(kernel).written()


@dataclass
class _Writer:
    kernel: Kernel
    registers: list[Register] = field(init=False)

    def __post_init__(self) -> None:
        self.registers = list(self.kernel.registers)

    def written(self) -> Kernel:
        """Write the kernel."""
        blocks = tuple(map(self._block, self.kernel.blocks))
        return replace(self.kernel, registers=tuple(self.registers), blocks=blocks)

    def _block(self, block: Block) -> Block:
        made = [one for instruction in block.instructions for one in self._checked(instruction)]
        return replace(block, instructions=tuple(made))

    def _checked(self, instruction: Instruction) -> Iterator[Instruction]:
        """An instruction, what is kept before it, and its check."""
        form = numeric_form(instruction)
        if form is None:
            yield instruction
            return
        written = set(instruction.writes)
        sources: list[Operand] = []
        for operand, _ in form.sources:
            kept, moves = self._kept(instruction, operand, written)
            yield from moves
            sources.append(kept)
        yield instruction
        result = form.result
        if is_float_sum(instruction):  # what memory has now
            result, sources[0] = self._new(form.type), form.result
            yield _like(instruction, decode(f"add.{form.type}"), (result, *sources))
        operation = form.operation(of_warp=instruction.operation.name in PRODUCTS)
        yield _like(instruction, operation, (result, *sources))

    def _kept(
        self, instruction: Instruction, operand: Operand, written: set[int]
    ) -> tuple[Operand, Sequence[Instruction]]:
        """A source as it is after the instruction, and what has to be done before it."""
        if not written.intersection(registers_in(operand)):
            return operand, ()
        if isinstance(operand, Vector):
            pairs = [self._kept(instruction, one, written) for one in operand.elements]
            return Vector(tuple(o for o, _ in pairs)), [m for _, own in pairs for m in own]
        own = self.kernel.registers[next(registers_in(operand))]
        if isinstance(operand, Reg) and own.vector > 1:
            parts = tuple(Element(operand, name) for name in "xyzw"[: own.vector])
            return self._kept(instruction, Vector(parts), written)
        kept = self._new(own.type)
        move = decode(f"mov.b{own.type.bits}")
        return kept, [_like(instruction, move, (kept, operand))]

    def _new(self, type_: Type) -> Reg:
        self.registers.append(Register(f"%kept{len(self.registers)}", type_))
        return Reg(len(self.registers) - 1)


def _like(place: Instruction, operation: Operation, operands: tuple[Operand, ...]) -> Instruction:
    """An instruction at the place of another one, and under its guard."""
    return replace(place, operation=operation, operands=operands, targets=())
