"""What lowering knows of the module: types, layout, variables, metadata; and what it found out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, Severity, Source, Span, at
from warpmill.analyzer.frontends.llvm.constants import FLOAT_NAMES
from warpmill.analyzer.frontends.llvm.loop_hints import LoopHints
from warpmill.analyzer.frontends.llvm.metadata import DebugLines
from warpmill.analyzer.frontends.llvm.target import GpuTarget
from warpmill.analyzer.frontends.llvm.text import ScannedModule
from warpmill.analyzer.frontends.llvm.types import (
    BOOL,
    WORD_BITS,
    DataLayout,
    FloatType,
    LastWord,
    Scalar,
    Unsupported,
)
from warpmill.analyzer.ir.kernel import Function
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
        """Say something about a place; raise InputError instead where the caller is strict."""
        if self.strict:
            raise InputError(at(self.source, span, Severity.ERROR, message, hint))
        self.diagnostics.append(at(self.source, span, Severity.WARNING, message, hint))

    def warn_once(self, span: Span, message: str) -> None:
        """Warn once for the module, at the first place."""
        if message not in self._said:
            self._said.add(message)
            self.warn(span, message)

    def note_once(self, span: Span, message: str) -> None:
        """Say something once for the module, at the first place."""
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
