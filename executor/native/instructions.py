"""LLVM IR as text: values, uniform or one a lane, and instructions for all lanes at once.

A value is either one number for all lanes (``uniform``, an LLVM scalar) or a number a lane (an
LLVM vector). What is computed from uniform values alone stays uniform, so that the addresses and
counters that the lanes share cost one scalar instruction. Text is written rather than built from
objects: making the objects took longer than LLVM takes to compile them.
"""

from __future__ import annotations

import hashlib
import math
import struct
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from warpmill.executor.sanitizers.findings import Tools


@dataclass(frozen=True)
class SharedFunction:
    """A function that kernels have in common, with what it gives.

    Its symbol is made from its text, so that functions of one symbol are alike in all modules.
    """

    symbol: str
    results: tuple[LlvmValue, ...]
    text: str
    declaration: str

    @classmethod
    def written(
        cls, key: str, results: tuple[LlvmValue, ...], head: tuple[str, str, str], body: str
    ) -> SharedFunction:
        """Name a function; ``head`` is the type of its result, its parameters, its attributes.

        ``body`` calls other shared functions by their symbols, so that these are told apart too.
        """
        type_, parameters, attributes = head
        words = "\n".join([*head, body])
        symbol = f"@{key}.{hashlib.blake2b(words.encode(), digest_size=16).hexdigest()}"
        types = ", ".join([p.rpartition(" ")[0] for p in parameters.split(", ")])
        return cls(
            symbol,
            results,
            f"define {type_} {symbol}({parameters}) {attributes} {{\n{body}\n}}\n",
            f"declare {type_} {symbol}({types})",
        )


@dataclass
class LlvmModule:
    """The text of one LLVM module: functions that are done, and what they declare.

    ``shared`` are functions that ``compile.py`` compiles once a process, by what the rules call
    them; the module declares them.
    """

    lanes: int
    constant_buffers: bool = False  # that buffers are passed as constant memory
    tools: Tools = frozenset()  # the sanitizers whose callbacks code calls
    checks_masks: bool = False  # that lanes which a mask names are there
    independent: bool = False  # that lanes of a warp are scheduled independently
    functions: dict[str, str] = field(default_factory=dict)
    declarations: dict[str, str] = field(default_factory=dict)
    shared: dict[str, SharedFunction] = field(default_factory=dict)

    def text(self) -> str:
        """The module without the shared functions."""
        declared = [f.declaration for f in self.shared.values()]
        return self._whole([*self.functions.values(), *declared])

    def shared_text(self, known: Collection[str]) -> str:
        """A module of the shared functions whose symbols are not known yet."""
        each = self.shared.values()
        return self._whole([f.declaration if f.symbol in known else f.text for f in each])

    def _whole(self, parts: list[str]) -> str:
        return "\n".join([*parts, *self.declarations.values(), _ATTRIBUTES])


_ATTRIBUTES = """
attributes #0 = { nounwind "min-legal-vector-width"="512" "prefer-vector-width"="512" "denormal-fp-math"="ieee,ieee" }
attributes #1 = { nounwind noinline "min-legal-vector-width"="512" "prefer-vector-width"="512" "denormal-fp-math"="ieee,ieee" }
attributes #2 = { nounwind noinline strictfp "min-legal-vector-width"="512" "prefer-vector-width"="512" "denormal-fp-math"="ieee,ieee" }
"""  # noqa: E501 - LLVM wants each on one line


class Instructions:
    """Writer of one function's body, instruction by instruction."""

    def __init__(self, module: LlvmModule) -> None:
        self.module = module
        self.lanes = module.lanes
        self.lines: list[str] = []
        self._allocas: list[str] = []
        self._count = 0
        self._splats: dict[LlvmValue, LlvmValue] = {}
        self._origins: dict[LlvmValue, LlvmValue] = {}

    # Names and raw text.

    def name(self) -> str:
        """A new name for a value."""
        self._count += 1
        return f"%v{self._count}"

    def raw(self, line: str) -> None:
        """Write a line as it is."""
        self.lines.append(line)

    def define(self, text: str, type_: str, *, uniform: bool) -> LlvmValue:
        """Write ``%v = text`` and give the value."""
        name = self.name()
        self.lines.append(f"  {name} = {text}")
        return LlvmValue(name, type_, uniform)

    def label(self, stem: str = "b") -> str:
        """A new label's name; ``start`` begins its block."""
        self._count += 1
        return f"{stem}{self._count}"

    def start(self, label: str) -> None:
        """Begin a basic block; splats made in a block that may be skipped are forgotten."""
        self.lines.append(f"{label}:")
        self._splats = {}

    def jump(self, label: str) -> None:
        """Go to a block."""
        self.lines.append(f"  br label %{label}")

    def branch(self, condition: LlvmValue, then: str, otherwise: str) -> None:
        """Go to one of two blocks by a uniform i1."""
        self.lines.append(f"  br i1 {condition.text}, label %{then}, label %{otherwise}")

    # Types and lanes.

    def llvm_type(self, value: LlvmValue) -> str:
        """The LLVM type of a value as it stands."""
        return value.type if value.uniform else f"<{self.lanes} x {value.type}>"

    def vector_type(self, type_: str) -> str:
        """The LLVM type of a number a lane."""
        return f"<{self.lanes} x {type_}>"

    def typed(self, value: LlvmValue) -> str:
        """A value with its LLVM type before it, as arguments are written."""
        return f"{self.llvm_type(value)} {value.text}"

    def vector(self, value: LlvmValue) -> LlvmValue:
        """A value as one number a lane."""
        if not value.uniform:
            return value
        if value.is_constant:
            return LlvmValue(f"splat ({value.type} {value.text})", value.type)
        if value not in self._splats:
            whole = self.vector_type(value.type)
            first = self.define(
                f"insertelement {whole} poison, {value.type} {value.text}, i32 0",
                value.type,
                uniform=False,
            )
            zeros = f"<{self.lanes} x i32> zeroinitializer"
            self._splats[value] = self.define(
                f"shufflevector {whole} {first.text}, {whole} poison, {zeros}",
                value.type,
                uniform=False,
            )
        return self._splats[value]

    def _alike(self, values: Sequence[LlvmValue]) -> tuple[list[LlvmValue], bool]:
        """Operands all uniform, or all as vectors."""
        if all(v.uniform for v in values):
            return list(values), True
        return [self.vector(v) for v in values], False

    # Operations on every lane.

    def op(self, opcode: str, *operands: LlvmValue) -> LlvmValue:
        """Write an LLVM operation on operands of one type: ``op("add", a, b)``."""
        alike, uniform = self._alike(operands)
        words = ", ".join([v.text for v in alike])
        first = alike[0]
        if any(v.type != first.type or v.is_float != (opcode[0] == "f") for v in alike):
            raise TypeError(f"{opcode} of {' and '.join([v.type for v in alike])}")
        return self.define(f"{opcode} {self.llvm_type(first)} {words}", first.type, uniform=uniform)

    def compare(self, predicate: str, a: LlvmValue, b: LlvmValue) -> LlvmValue:
        """Compare: ``slt``, ``ult``, ``eq`` for integers, ``oeq``, ``une`` for floats; an i1."""
        (a, b), uniform = self._alike((a, b))
        if a.type != b.type or predicate in (_OF_INTEGERS if a.is_float else _OF_FLOATS):
            raise TypeError(f"{predicate} of {a.type} and {b.type}")
        kind = "fcmp" if a.is_float else "icmp"
        return self.define(
            f"{kind} {predicate} {self.llvm_type(a)} {a.text}, {b.text}", "i1", uniform=uniform
        )

    def select(self, condition: LlvmValue, then: LlvmValue, otherwise: LlvmValue) -> LlvmValue:
        """Choose, lane by lane."""
        (c, a, b), uniform = self._alike((condition, then, otherwise))
        if a.type != b.type or c.type != "i1":
            raise TypeError(f"a choice by {c.type} between {a.type} and {b.type}")
        return self.define(
            f"select {self.typed(c)}, {self.typed(a)}, {self.typed(b)}", a.type, uniform=uniform
        )

    def cast(self, opcode: str, value: LlvmValue, type_: str) -> LlvmValue:
        """Convert: ``zext``, ``sext``, ``trunc``, ``fpext``, ``fptrunc``, ``sitofp`` and so on."""
        if value.type == type_:
            return value
        if not _is_cast(opcode, value, type_):
            raise TypeError(f"{opcode} of {value.type} to {type_}")
        to = type_ if value.uniform else self.vector_type(type_)
        return self.define(f"{opcode} {self.typed(value)} to {to}", type_, uniform=value.uniform)

    def bitcast(self, value: LlvmValue, type_: str) -> LlvmValue:
        """The same bits as another type; what was of that type before comes back as it was."""
        before = self._origins.get(value)
        if before is not None and before.type == type_:
            return before
        result = self.cast("bitcast", value, type_)
        self._origins[result] = value
        return result

    def resize(self, value: LlvmValue, type_: str, *, signed: bool = False) -> LlvmValue:
        """An integer with more or fewer bits."""
        bits = int(type_[1:])
        if bits == value.bits:
            return value
        if bits < value.bits:
            return self.cast("trunc", value, type_)
        return self.cast("sext" if signed else "zext", value, type_)

    def call(
        self, name: str, *operands: LlvmValue, result: str | None = None, extra: str = ""
    ) -> LlvmValue:
        """Call an overloaded intrinsic of LLVM lane by lane: ``call("llvm.fma", a, b, c)``.

        ``result`` is the type of one lane of the result, the first operand's where left out; an
        intrinsic whose result differs is overloaded by both. ``extra`` is further arguments as
        text, such as ``", i1 true"``.
        """
        alike, uniform = self._alike(operands)
        if any(v.is_float != (name in _FLOAT_INTRINSICS) for v in alike):
            raise TypeError(f"{name} of {' and '.join([v.type for v in alike])}")
        out = result or alike[0].type
        overloads = [out] if out == alike[0].type else [out, alike[0].type]
        suffix = ".".join([mangled(t, None if uniform else self.lanes) for t in overloads])
        whole = out if uniform else self.vector_type(out)
        types = [self.llvm_type(v) for v in alike] + [w.split()[0] for w in extra.split(", ")[1:]]
        symbol = f"@{name}.{suffix}"
        self.module.declarations.setdefault(symbol, f"declare {whole} {symbol}({', '.join(types)})")
        arguments = ", ".join([self.typed(v) for v in alike]) + extra
        return self.define(f"call {whole} {symbol}({arguments})", out, uniform=uniform)

    def body_text(self) -> str:
        """The function's body: room on the stack first, then the instructions."""
        return "\n".join([*self._allocas, *self.lines])


_CASTS = {
    "zext": (False, False), "sext": (False, False), "trunc": (False, False),
    "fpext": (True, True), "fptrunc": (True, True), "sitofp": (False, True),
    "uitofp": (False, True), "fptosi": (True, False), "fptoui": (True, False),
}  # fmt: skip
"""Whether a conversion takes a float, and whether it gives one."""


def _is_cast(opcode: str, value: LlvmValue, type_: str) -> bool:
    """Whether a value can be converted like that: LLVM's text is read by types alone."""
    bits = FLOAT_BITS.get(type_)
    if opcode == "bitcast":
        return value.bits == (bits or int(type_[1:]))
    return _CASTS.get(opcode) in (None, (value.is_float, bits is not None))


_OF_INTEGERS = frozenset({"eq", "ne", "slt", "sle", "sgt", "sge"})
_OF_FLOATS = frozenset(
    {"oeq", "one", "olt", "ole", "ogt", "oge", "ord", "ueq", "une", "uno"}
)  # fmt: skip
"""Comparisons of one kind of numbers; ``ult`` and its like are of both."""

_ROUNDED = ("fadd", "fdiv", "fma", "fmul", "fsub", "sqrt")
_FLOAT_INTRINSICS = frozenset({
    "llvm.ceil", "llvm.copysign", "llvm.fabs", "llvm.floor", "llvm.fma", "llvm.fptosi.sat",
    "llvm.fptoui.sat", "llvm.maximum", "llvm.maximumnum", "llvm.maxnum", "llvm.minimum",
    "llvm.minimumnum", "llvm.minnum", "llvm.roundeven", "llvm.sqrt", "llvm.trunc",
    *(f"llvm.experimental.constrained.{name}" for name in _ROUNDED),
})  # fmt: skip
"""Intrinsics of floats; all others that are called are of integers."""


def mangled(type_: str, lanes: int | None) -> str:
    """A type as the names of overloaded intrinsics have it: ``v32f32``."""
    short = {"half": "f16", "float": "f32", "double": "f64"}.get(type_, type_)
    return short if lanes is None else f"v{lanes}{short}"


# Values of generated code: constants and LLVM's, one for all lanes or one a lane.

FLOAT_BITS = {"half": 16, "float": 32, "double": 64}
"""LLVM's floating-point types, by name, with their bits."""


@dataclass(frozen=True, slots=True)
class LlvmValue:
    """An LLVM value. ``type`` is that of one lane: ``i32``, ``float``, ``i1``, ``ptr``.

    ``text`` is a name (``%v7``) or a constant. A uniform value is a scalar of the type, another a
    vector of as many as the warp has lanes.
    """

    text: str
    type: str
    uniform: bool = False

    @property
    def bits(self) -> int:
        """Size of one lane in bits."""
        return FLOAT_BITS[self.type] if self.type in FLOAT_BITS else int(self.type[1:])

    @property
    def is_float(self) -> bool:
        """Whether it is of one of LLVM's floating-point types."""
        return self.type in FLOAT_BITS

    @property
    def is_constant(self) -> bool:
        """Whether it is written out and not computed."""
        return self.text[0] not in "%@"


def constant(value: int | float, type_: str) -> LlvmValue:
    """A uniform constant; an integer is taken modulo its width."""
    if type_ in FLOAT_BITS:
        return LlvmValue(_float_text(float(value), type_), type_, uniform=True)
    if type_ == "i1":
        return LlvmValue("true" if value else "false", "i1", uniform=True)
    return LlvmValue(str(int(value) % (1 << int(type_[1:]))), type_, uniform=True)


def float_constant(bits: int, type_: str) -> LlvmValue:
    """A uniform constant of a floating-point type by its bits, NaNs included."""
    if type_ == "double":
        return LlvmValue(f"0x{bits:016X}", type_, uniform=True)
    code = {"float": "<f", "half": "<e"}[type_]
    number = struct.unpack(code, bits.to_bytes(FLOAT_BITS[type_] // 8, "little"))[0]
    if type_ == "half":
        return LlvmValue(f"0xH{bits:04X}", type_, uniform=True)
    if math.isnan(number):
        wide = (bits >> 31) << 63 | 0x7FF << 52 | (bits & 0x7FFFFF) << 29
        return LlvmValue(f"0x{wide:016X}", type_, uniform=True)
    return LlvmValue(_float_text(number, type_), type_, uniform=True)


def _float_text(number: float, type_: str) -> str:
    if type_ == "half":
        return f"0xH{int.from_bytes(struct.pack('<e', number), 'little'):04X}"
    if type_ == "float":
        number = struct.unpack("<f", struct.pack("<f", number))[0]
    return f"0x{int.from_bytes(struct.pack('<d', number), 'little'):016X}"
