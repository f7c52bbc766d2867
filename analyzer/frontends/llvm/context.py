"""Context of lowering: the module, its constants, and the builder of one function."""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field

from warpmill.analyzer.base.diagnostics import (
    DebugLocation,
    Diagnostic,
    InputError,
    Severity,
    Source,
    Span,
    at,
)
from warpmill.analyzer.frontends.llvm.metadata import DebugLines, LoopHints
from warpmill.analyzer.frontends.llvm.text import ScannedModule
from warpmill.analyzer.frontends.llvm.types import (
    BOOL,
    WORD_BITS,
    DataLayout,
    FloatType,
    GpuTarget,
    IntType,
    LastWord,
    PointerType,
    Scalar,
    Unsupported,
)
from warpmill.analyzer.ir.kernel import (
    FloatImm,
    Function,
    Guard,
    Imm,
    Instruction,
    Operand,
    Reg,
    Register,
    Symbol,
)
from warpmill.analyzer.ir.operation import decode
from warpmill.analyzer.ir.types import TYPES, Space, Type


@dataclass
class ModuleContext:
    """Shared by all functions of a module.

    ``aliases`` maps other names of functions and variables to theirs;
    ``referenced`` keeps the names of variables and functions that lowered code mentions, in order;
    ``diagnostics`` what there is to say; ``planner`` the shapes that were met; ``assembly`` the
    functions that inline assembly became; ``register_types`` whether a type is one scalar, and the
    types of its registers. With ``strict`` a warning of an unknown construct ends
    it.
    """

    text: ScannedModule
    target: GpuTarget
    layout: DataLayout
    debug: DebugLines
    strict: bool
    warp_size: int
    type_names: frozenset[str]
    loops: LoopHints
    aliases: Mapping[str, str] = field(default_factory=dict)
    referenced: dict[str, None] = field(default_factory=dict)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    planner: object = None
    assembly: dict[tuple[object, ...], Function] = field(default_factory=dict)
    sound: set[tuple[str, ...]] = field(default_factory=set)  # opcodes with operands that fit
    _said: set[str] = field(default_factory=set)
    _widths: dict[Scalar, int] = field(default_factory=dict)
    register_types: dict[object, tuple[bool, tuple[Type, ...]]] = field(default_factory=dict)
    _register_types: dict[Scalar, Type] = field(default_factory=dict)
    _spellings: dict[tuple[Scalar, str], dict[str, str]] = field(default_factory=dict)

    @property
    def source(self) -> Source:
        """The text that spans point into."""
        return self.text.source

    @property
    def generic_width(self) -> int:
        """Bits of a generic address."""
        spaces = self.target.spaces
        number = next((n for n, space in spaces.items() if space is Space.GENERIC), 0)
        return self.layout.pointer_width(number)

    def warn(self, span: Span, message: str, hint: str | None = None) -> None:
        """Warn about a place; raise InputError instead where the caller is strict."""
        if self.strict:
            raise InputError(at(self.source, span, Severity.ERROR, message, hint))
        self.diagnostics.append(at(self.source, span, Severity.WARNING, message, hint))

    def warn_once(self, span: Span, message: str) -> None:
        """Warn once for the module, at the first place."""
        if message not in self._said:
            self._said.add(message)
            self.warn(span, message)

    def note_once(self, span: Span, message: str) -> None:
        """Note something once for the module, at the first place."""
        if message not in self._said:
            self._said.add(message)
            self.diagnostics.append(at(self.source, span, Severity.NOTE, message))

    def width(self, scalar: Scalar) -> int:
        """Bits of the register that holds a scalar: 1, or the next of 8, 16, 32 and 64."""
        width = self._widths.get(scalar)
        if width is None:
            bits = self.layout.scalar_bits(scalar)
            bits = WORD_BITS if isinstance(scalar, LastWord) else bits
            width = next((w for w in (8, 16, 32, 64) if bits <= w), bits)
            width = self._widths[scalar] = 1 if scalar is BOOL else width
        return width

    def register_type(self, scalar: Scalar) -> Type:
        """The IR type of a register that holds a scalar."""
        found = self._register_types.get(scalar)
        if found is None:
            found = self._register_types[scalar] = self._register_type(scalar)
        return found

    def _register_type(self, scalar: Scalar) -> Type:
        if isinstance(scalar, FloatType):
            if scalar.name not in FLOAT_NAMES:
                raise Unsupported(f"type {scalar.name}")
            return TYPES[FLOAT_NAMES[scalar.name]]
        if self.width(scalar) == 1:
            return TYPES["pred"]
        spelled = self.spelled(scalar, "b")
        if spelled not in TYPES:  # AMD's buffer pointers have 160 bits, a layout gives any number
            raise Unsupported(f"{scalar} of {self.width(scalar)} bits")
        return TYPES[spelled]

    def spelled(self, scalar: Scalar, letter: str) -> str:
        """A scalar's type in an opcode, with the letter that the operation asks for."""
        if letter == "f" and scalar == FloatType("bfloat"):
            return "bf16"
        return f"{letter}{self.width(scalar)}"

    def spellings(self, scalar: Scalar, prefix: str = "") -> dict[str, str]:
        """All spellings of a scalar's type, by letter: what the tables' braces ask for."""
        key = (scalar, prefix)
        if key not in self._spellings:
            self._spellings[key] = {prefix + c: self.spelled(scalar, c) for c in "subf"}
        return dict(self._spellings[key])


# Constants: their bits, and the operands that stand for them.

_PACK = {"half": ("<e", "<H"), "float": ("<f", "<I"), "double": ("<d", "<Q")}


def integer_value(text: str) -> int:
    """The value of an integer constant, decimal or ``u0x``/``s0x``."""
    if text[:3] == "u0x":
        return int(text[3:], 16)
    if text[:3] == "s0x":
        value, bits = int(text[3:], 16), 4 * len(text[3:])
        return value - (1 << bits) if value >> (bits - 1) else value
    if len(text) > _MOST_DIGITS:
        raise Unsupported(f"an integer of {len(text)} digits")
    return int(text)


_MOST_DIGITS = 4000  # what Python reads is bounded


def float_bits(text: str, name: str) -> int:
    """The bits of a floating-point constant of LLVM's type ``name``.

    A plain hexadecimal ``float`` is written with the bits of the double of the same value.
    """
    if text.startswith("0xH") or text.startswith("0xR"):
        return int(text[3:], 16)
    if text.startswith("f0x"):
        return int(text[3:], 16)
    if text.startswith("0x"):
        if not re.fullmatch(r"0x[0-9A-Fa-f]{1,16}", text):
            raise Unsupported(f"the constant {text}")
        return _from_double(int(text, 16), name)
    try:
        value = float(text)
    except ValueError:
        raise Unsupported(f"the constant {text}") from None
    (double,) = struct.unpack("<Q", struct.pack("<d", value))
    return _from_double(double, name)


def _from_double(bits: int, name: str) -> int:
    """Narrow a double's bits; a NaN keeps its sign and the top of its payload."""
    sign, exponent, fraction = bits >> 63, bits >> 52 & 0x7FF, bits & ((1 << 52) - 1)
    if exponent == 0x7FF and fraction and name in _NAN:
        width, kept, mask = _NAN[name]
        return sign << (width - 1) | mask | fraction >> (52 - kept)
    if name == "bfloat":
        return _from_double(bits, "float") >> 16
    if name not in _PACK:
        raise Unsupported(f"a constant of type {name}")
    (value,) = struct.unpack("<d", struct.pack("<Q", bits))
    pack, unpack = _PACK[name]
    (narrow,) = struct.unpack(unpack, struct.pack(pack, value))
    return int(narrow)


_NAN = {"half": (16, 10, 0x7C00), "bfloat": (16, 7, 0x7F80), "float": (32, 23, 0x7F800000)}


def zero_of(scalar: Scalar) -> Imm | FloatImm:
    """Value of ``zeroinitializer`` and ``null``, which also stands for ``undef`` and ``poison``."""
    return float_of(0.0, scalar) if isinstance(scalar, FloatType) else Imm(0)


FLOAT_NAMES = {"half": "f16", "bfloat": "bf16", "float": "f32", "double": "f64"}


def float_operand(text: str, scalar: Scalar) -> FloatImm:
    """The operand of a floating-point constant."""
    if not isinstance(scalar, FloatType) or scalar.name not in FLOAT_NAMES:
        raise Unsupported(f"a constant of type {scalar}")
    return FloatImm(float_bits(text, scalar.name), TYPES[FLOAT_NAMES[scalar.name]])


def float_of(value: float, scalar: Scalar) -> FloatImm:
    """A floating-point constant that the front-end brings itself."""
    if not isinstance(scalar, FloatType):
        raise Unsupported(f"a float constant of type {scalar}")
    (double,) = struct.unpack("<Q", struct.pack("<d", value))
    return FloatImm(_from_double(double, scalar.name), TYPES[FLOAT_NAMES[scalar.name]])


def bits_as(operand: Operand, scalar: Scalar, bits: int) -> Operand:
    """A constant's bits as a constant of another type of the same width; registers as they are."""
    match operand:
        case Imm(value) if isinstance(scalar, FloatType) and scalar.name in FLOAT_NAMES:
            return FloatImm(value & ((1 << bits) - 1), TYPES[FLOAT_NAMES[scalar.name]])
        case FloatImm(value) if not isinstance(scalar, FloatType):
            return Imm(value)
        case FloatImm(value) if isinstance(scalar, FloatType) and scalar.name in FLOAT_NAMES:
            return FloatImm(value, TYPES[FLOAT_NAMES[scalar.name]])
    return operand


def integer_operand(text: str, scalar: Scalar) -> Imm | FloatImm:
    """The operand of an integer constant; newer LLVM also writes whole floats so."""
    if isinstance(scalar, FloatType):
        return float_operand(text, scalar)
    value = integer_value(text)
    if isinstance(scalar, IntType) and scalar.bits not in _WIDTHS:
        value &= (1 << scalar.bits) - 1  # odd widths are kept with zeros above
    return Imm(value)


_WIDTHS = frozenset({8, 16, 32, 64})


def word_operands(text: str, leaves: tuple[Scalar, ...]) -> tuple[Imm, ...]:
    """The words of a wide integer's constant, the lowest first."""
    value = integer_value(text)
    found = []
    for leaf in leaves:
        assert isinstance(leaf, IntType)
        found.append(Imm(value & ((1 << leaf.bits) - 1)))
        value >>= leaf.bits
    return tuple(found)


def string_bytes(text: str) -> bytes:
    r"""The bytes of ``c"..."``, with its ``\\XX`` escapes."""
    body = text[text.index('"') + 1 : -1].encode("utf-8", "surrogateescape")
    return re.sub(rb"\\(\\|[0-9A-Fa-f]{2})", _unescaped, body)


def _unescaped(found: re.Match[bytes]) -> bytes:
    return b"\\" if found[1] == b"\\" else bytes([int(found[1], 16)])


def is_true(word: str) -> bool | None:
    """The value of ``true`` and ``false``; None for other words."""
    return {"true": True, "false": False}.get(word)


def word_operand(word: str, scalar: Scalar) -> Imm | FloatImm:
    """The operand of a constant word such as ``true``, ``null`` or ``poison``."""
    truth = is_true(word)
    if truth is not None and scalar is BOOL:
        return Imm(int(truth))
    return zero_of(scalar)


# Collects the instructions and registers of one function while it is lowered.


class Builder:
    """Registers by name in the order of their first appearance, and the open block's code.

    ``named`` finds a register; ``out`` takes the instructions; ``span`` and ``debug`` are those of
    the statement at hand.
    """

    def __init__(self, module: ModuleContext, span: Span) -> None:
        self.module = module
        self.registers: list[Register] = []
        self.out: list[Instruction] = []
        self.span = span
        self.debug: DebugLocation | None = None
        self.named: dict[str, Reg] = {}
        self._temporaries = 0

    def register(self, name: str, type_: Type) -> Reg:
        """The register of a name, made where it is new."""
        register = self.named.get(name)
        if register is None:
            register = self.named[name] = Reg(len(self.registers))
            self.registers.append(Register(name, type_))
        return register

    def temporary(self, type_: Type | str) -> Reg:
        """A new register that the text has no name for."""
        while True:
            self._temporaries += 1
            name = f"%.t{self._temporaries}"
            if name not in self.named:
                return self.register(name, TYPES[type_] if isinstance(type_, str) else type_)

    def type_of(self, register: Reg) -> Type:
        """The type of a register."""
        return self.registers[register.index].type

    def emit(
        self,
        opcode: str,
        *operands: Operand,
        guard: Guard | None = None,
        targets: tuple[int, ...] = (),
    ) -> None:
        """Add an instruction to the open block."""
        self.out.append(
            Instruction(decode(opcode), operands, self.span, guard, targets, self.debug)
        )

    def compute(self, opcode: str, type_: Type | str, *sources: Operand) -> Reg:
        """Add an instruction whose result goes to a new register; give that."""
        result = self.temporary(type_)
        self.emit(opcode, result, *sources)
        return result

    def move(self, to: Reg, value: Operand) -> None:
        """Copy a value of the register's type."""
        self.emit(f"mov.{self.type_of(to)}", to, value)

    def resize(self, to: Reg | None, value: Operand, bits: int, from_bits: int, letter: str) -> Reg:
        """Bring an integer to another width, with the sign where ``letter`` is ``s``."""
        to = to or self.temporary(f"b{bits}")
        if isinstance(value, Imm) or bits == from_bits:
            self.emit(f"mov.b{bits}", to, value)
        elif from_bits == 1:
            one = Imm(-1 if letter == "s" else 1)
            self.emit(f"selp.b{bits}", to, one, Imm(0), value)
        else:
            self.emit(f"cvt.{letter}{bits}.{letter}{from_bits}", to, value)
        return to

    def resized(self, value: Operand, scalar: Scalar, bits: int, letter: str = "u") -> Operand:
        """An integer or pointer operand at another width; the operand itself where it fits."""
        width = self.module.width(scalar)
        if isinstance(value, Imm | Symbol) or width == bits:
            return value
        return self.resize(None, value, bits, width, letter)

    def predicate(self, value: Operand) -> Reg:
        """A register for a predicate operand."""
        return value if isinstance(value, Reg) else self.compute("mov.pred", "pred", value)


def is_predicate(scalar: Scalar) -> bool:
    """Whether a scalar is an ``i1``."""
    return scalar is BOOL


def is_pointer(scalar: Scalar) -> bool:
    """Whether a scalar is an address."""
    return isinstance(scalar, PointerType)
