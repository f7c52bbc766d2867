"""Kernels as steps for the checker of all schedules: what computes, what is visible to others.

Instructions in a row that only compute become one function of Python, made of their expressions.
"""

from __future__ import annotations

import struct
from collections.abc import Callable

from warpmill.analyzer.ir.kernel import (
    Address,
    Block,
    FloatImm,
    Guard,
    Imm,
    Instruction,
    Kernel,
    NotPredicate,
    Operand,
    Pair,
    Reg,
    Sink,
    Special,
    Symbol,
    Vector,
)
from warpmill.analyzer.ir.types import OpClass, Space, Type, TypeKind
from warpmill.benchmarks.check.exhaustive.numbers import UNDEFINED_OPERAND
from warpmill.benchmarks.check.exhaustive.rules import (
    ENVIRONMENT,
    NotModelledError,
    combined,
    comparison,
    expression_of,
    refuse_unknown_words,
)
from warpmill.benchmarks.check.exhaustive.steps import (
    FaultError,
    Layout,
    Program,
    Sources,
    Step,
    extended,
)
from warpmill.benchmarks.check.exhaustive.visible import STEPS, access_of, known_words


def program_of(kernel: Kernel, layout: Layout) -> Program:
    """The steps of a kernel whose calls are inlined. NotModelledError for what is not known."""
    return Translation(kernel, layout).run()


class Translation:
    """A kernel on its way to steps."""

    def __init__(self, kernel: Kernel, layout: Layout) -> None:
        self.kernel, self.layout = kernel, layout
        self.program = Program()
        self.steps = self.program.steps
        self.environment = {**ENVIRONMENT, "UNDEFINED": UNDEFINED_OPERAND, "need": _need}
        self.environment["low"] = _low
        self.lines: list[str] = []
        self.sources_at: list[int] = []  # the lines of the kernel's text that these are of
        self.read_somewhere = {r for i in kernel.instructions for r in i.reads}

    def run(self) -> Program:
        """All blocks, one after another."""
        starts: dict[int, int] = {}
        for block in self.kernel.blocks:
            if block.incoming:
                raise NotModelledError("copies on edges")
            starts[block.id] = len(self.steps)
            self.block(block)
        for step in self.steps:
            if step.kind == "jump":
                step.data = starts[step.data]
        return self.program

    def block(self, block: Block) -> None:
        """The steps of a block, with where it goes on."""
        for instruction in block.instructions:
            self.instruction(instruction)
        self.flush()
        last = block.terminator
        if last is None or last.operation.name == "bra" or last.guard is not None:
            if block.fallthrough is not None:
                self.steps.append(Step("jump", None, block.fallthrough))
            elif last is None or last.guard is not None:
                self.steps.append(Step("exit", None))

    def instruction(self, instruction: Instruction) -> None:
        """The steps of an instruction, or its lines of the next one."""
        make = STEPS.get(instruction.operation.name)
        if self.is_parameter_load(instruction):
            self.parameter(instruction)
        elif make is None and not instruction.operation.op_class.is_arithmetic:
            raise NotModelledError(instruction.operation.opcode)
        elif make is None:
            self.compute(instruction)
        else:
            self.flush()
            refuse_unknown_words(instruction.operation, known_words(instruction))
            step = make(self, instruction)
            if step is not None:
                step.guard = self.guard(instruction.guard)
                step.line = instruction.span.line
                step.lines = (step.line,)
                self.steps.append(step)

    @staticmethod
    def guard(guard: Guard | None) -> tuple[int, bool] | None:
        """A guard as steps have it."""
        return None if guard is None else (guard.register.index, guard.negated)

    # What only computes.

    def statement(self, instruction: Instruction, targets: list[str], expressions: str) -> None:
        """Lines that assign, under the guard, None where an operand is undefined."""
        before = ""
        self.sources_at.append(instruction.span.line)
        if instruction.guard is not None:
            register, negated = instruction.guard.register.index, instruction.guard.negated
            line = instruction.span.line
            self.lines.append(f" if {'not ' * negated}need(r[{register}], {line}):")
            before = " "
        names, nones = ", ".join(targets), ", ".join(["None"] * len(targets))
        self.lines += [
            f"{before} try: {names} = {expressions}",
            f"{before} except UNDEFINED: {names} = {nones}",
        ]

    def flush(self) -> None:
        """Make a step of the lines so far."""
        if not self.lines:
            return
        scope = self.environment
        text = "\n".join(["def compute(r, s):", *self.lines])
        exec(compile(text, "<kernel>", "exec"), scope)
        self.steps.append(Step("compute", None, scope["compute"], lines=tuple(self.sources_at)))
        self.lines.clear()
        self.sources_at.clear()

    def compute(self, instruction: Instruction) -> None:
        """What only computes."""
        name = instruction.operation.name
        destination = instruction.destinations[0]
        if name == "setp":
            self.set_predicate(instruction)
        elif isinstance(destination, Vector):
            self.unpack(instruction, destination)
        else:
            self.statement(instruction, [self.target(destination)], self.result(instruction))

    def target(self, destination: Operand) -> str:
        """A destination as an expression that is assigned to."""
        match destination:
            case Reg(index):
                return f"r[{index}]"
            case Sink():
                return "_"
        raise NotModelledError(f"a destination {destination}")

    def bits(self, register: Reg) -> int:
        """Bits of a register."""
        found = self.kernel.registers[register.index]
        if found.vector != 1:
            raise NotModelledError("registers of several elements")
        return found.type.bits

    def result(self, instruction: Instruction) -> str:
        """The whole of a destination's bits as an expression."""
        operation = instruction.operation
        (destination,) = instruction.destinations
        if operation.name == "mov" and isinstance(instruction.sources[0], Vector):
            return self.packed(instruction.sources[0])
        width = self.bits(destination) if isinstance(destination, Reg) else 64
        text = expression_of(instruction, self.reader(instruction), self.environment)
        type_ = operation.types[0] if operation.types else None
        if type_ is None:
            raise NotModelledError(operation.opcode)
        if operation.name in _OF_32_BITS:
            return f"({text}) & {0xFFFFFFFF & (1 << width) - 1}"
        own = type_.bits * (2 if "wide" in operation.modifiers else 1)
        if type_.kind is TypeKind.SIGNED and own < width:
            sign, mask = 1 << own - 1, (1 << own) - 1
            return f"(((({text}) & {mask}) ^ {sign}) - {sign}) & {(1 << width) - 1}"
        return f"({text}) & {(1 << min(own, width)) - 1}"

    def packed(self, source: Vector) -> str:
        """Elements side by side, the first the lowest."""
        parts, shift = [], 0
        for element in source.elements:
            if not isinstance(element, Reg):
                raise NotModelledError(f"a packed {element}")
            parts.append(f"(r[{element.index}] << {shift})")
            shift += self.bits(element)
        return " | ".join(parts)

    def unpack(self, instruction: Instruction, destination: Vector) -> None:
        """A ``mov`` that takes a register apart."""
        (source,) = instruction.sources
        if instruction.operation.name != "mov" or not isinstance(source, Reg):
            raise NotModelledError(instruction.operation.opcode)
        part = self.bits(source) // len(destination.elements)
        texts = [
            f"r[{source.index}] >> {k * part} & {(1 << part) - 1}"
            for k in range(len(destination.elements))
        ]
        self.statement(
            instruction, [self.target(e) for e in destination.elements], ", ".join(texts)
        )

    def set_predicate(self, instruction: Instruction) -> None:
        """A ``setp``, with its second destination the opposite."""
        read = self.reader(instruction)
        truth = f"int({comparison(instruction, read)})"
        texts = [combined(instruction, truth, read)]
        destination = instruction.destinations[0]
        targets = [destination]
        if isinstance(destination, Pair):
            targets = [destination.first, destination.second]
            texts.append(combined(instruction, f"(1 - {truth})", read))
        self.statement(instruction, [self.target(t) for t in targets], ", ".join(texts))

    def reader(self, instruction: Instruction) -> Callable[[int, Type | None, str], str]:
        """What reads the sources of an instruction."""
        sources = instruction.sources
        return lambda place, type_, form: self.operand(sources[place], type_, form)

    def operand(self, operand: Operand, type_: Type | None, form: str) -> str:
        """An operand as an expression; the forms are those of ``rules``."""
        bits = 32 if form == "u" or type_ is None else type_.bits * (2 if form == "w" else 1)
        signed = form == "n" and type_ is not None and type_.kind is TypeKind.SIGNED
        match operand:
            case NotPredicate(register):
                return f"(1 - r[{register.index}])"
            case Reg(index):
                if form == "p":
                    return f"r[{index}]"
                text = f"r[{index}]"
                if self.bits(operand) > bits:
                    text = f"({text} & {(1 << bits) - 1})"
                half = 1 << bits - 1
                return f"(({text} ^ {half}) - {half})" if signed else text
            case Special(name):
                _known_special(name)
                text = f"s[{name!r}]"
                half = 1 << bits - 1
                return f"(({text} ^ {half}) - {half})" if signed else text
            case _:
                value = self.constant(operand, type_) & (1 << bits) - 1
                return str(value - (1 << bits) if signed and value >> bits - 1 else value)

    def constant(self, operand: Operand, type_: Type | None) -> int:
        """The bits of an operand that is no register."""
        match operand:
            case Imm(value):
                return value
            case FloatImm(bits, kind):
                if type_ is not None and kind.bits != type_.bits:
                    number = struct.unpack(
                        _FLOATS[kind.name], bits.to_bytes(kind.bits // 8, "little")
                    )
                    packed = struct.pack(_FLOATS.get(type_.name, "?"), *number)
                    return int.from_bytes(packed, "little")
                return bits
            case Symbol(name, offset) if name in self.layout.addresses:
                return self.layout.addresses[name] + offset
            case Symbol(name, offset) if name in self.layout.offsets:
                return self.layout.offsets[name] + offset
        raise NotModelledError(f"an operand {operand}")

    def is_parameter_load(self, instruction: Instruction) -> bool:
        """Whether it loads a parameter by its name."""
        address = instruction.address
        return (
            instruction.operation.op_class is OpClass.LOAD
            and instruction.operation.space is Space.PARAM
            and isinstance(address, Address)
            and isinstance(address.base, Symbol)
            and address.base.name in self.layout.offsets
        )

    def parameter(self, instruction: Instruction) -> None:
        """A load of a parameter, the value of which is known."""
        access = access_of(self, instruction, "ld")
        address = instruction.address
        assert isinstance(address, Address)
        assert isinstance(address.base, Symbol)
        start = self.layout.offsets[address.base.name] + address.base.offset + address.offset
        if start + access.size * access.count > len(self.layout.parameters):
            raise NotModelledError("a load past the parameters")
        values = []
        for k in range(access.count):
            part = self.layout.parameters[start + k * access.size :][: access.size]
            values.append(str(extended(int.from_bytes(part, "little"), access.sign)))
        targets = ["_" if d is None else f"r[{d}]" for d in access.dests]
        self.statement(instruction, targets, ", ".join(values))

    # Operands of what is visible.

    def sources(self, operands: list[tuple[Operand, Type | None]]) -> Sources:
        """A function of the values of operands, vectors element by element; None: undefined."""
        flat: list[str] = []
        for operand, type_ in operands:
            elements = operand.elements if isinstance(operand, Vector) else (operand,)
            for element in elements:
                if isinstance(element, Reg) and type_ is not None:
                    flat.append(f"low(r[{element.index}], {(1 << type_.bits) - 1})")
                elif isinstance(element, Reg):
                    flat.append(f"r[{element.index}]")
                elif isinstance(element, NotPredicate):
                    flat.append(f"low(r[{element.register.index}], 1, 1)")
                else:
                    flat.append(self.operand(element, type_, ""))
        text = f"lambda r, s: ({''.join(f'{t}, ' for t in flat)})"
        return eval(text, self.environment)  # type: ignore[no-any-return]


_FLOATS = {"f16": "<e", "f32": "<f", "f64": "<d"}
_OF_32_BITS = frozenset({"popc", "clz", "bfind"})
_SPECIALS = ("tid", "ntid", "ctaid", "nctaid")
KNOWN_SPECIALS = frozenset(
    {f"{name}.{axis}" for name in _SPECIALS for axis in "xyz"}
    | {"laneid", "warpid", *(f"lanemask_{k}" for k in ("eq", "le", "lt", "ge", "gt"))}
)


def _known_special(name: str) -> None:
    if name not in KNOWN_SPECIALS:
        raise NotModelledError(f"%{name}")


def _need(value: int | None, line: int) -> int:
    if value is None:
        raise FaultError(f"an undefined predicate at line {line}")
    return value


def _low(value: int | None, mask: int, flip: int = 0) -> int | None:
    return None if value is None else (value ^ flip) & mask
