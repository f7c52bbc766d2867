"""LLVM IR as text, written for all lanes of a warp at once.

A value is either one number for all lanes (``uniform``, an LLVM scalar) or a number a lane (an
LLVM vector). What is computed from uniform values alone stays uniform, so that the addresses and
counters that the lanes share cost one scalar instruction. Text is written rather than built from objects:
making the objects took longer than LLVM takes to compile them.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from analyzer.execution.layout import CONTEXT, CONTEXT_TYPES

FLOAT_BITS = {"half": 16, "float": 32, "double": 64}
"""LLVM's floating-point types, by name, with their bits."""


@dataclass(frozen=True, slots=True)
class Value:
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


def constant(value: int | float, type_: str) -> Value:
    """Give a uniform constant; an integer is taken modulo its width."""
    if type_ in FLOAT_BITS:
        return Value(_float_text(float(value), type_), type_, uniform=True)
    if type_ == "i1":
        return Value("true" if value else "false", "i1", uniform=True)
    return Value(str(int(value) % (1 << int(type_[1:]))), type_, uniform=True)


def float_constant(bits: int, type_: str) -> Value:
    """Give a uniform constant of a floating-point type by its bits, NaNs included."""
    if type_ == "double":
        return Value(f"0x{bits:016X}", type_, uniform=True)
    code = {"float": "<f", "half": "<e"}[type_]
    number = struct.unpack(code, bits.to_bytes(FLOAT_BITS[type_] // 8, "little"))[0]
    if type_ == "half":
        return Value(f"0xH{bits:04X}", type_, uniform=True)
    if math.isnan(number):
        wide = (bits >> 31) << 63 | 0x7FF << 52 | (bits & 0x7FFFFF) << 29
        return Value(f"0x{wide:016X}", type_, uniform=True)
    return Value(_float_text(number, type_), type_, uniform=True)


def _float_text(number: float, type_: str) -> str:
    if type_ == "half":
        return f"0xH{int.from_bytes(struct.pack('<e', number), 'little'):04X}"
    if type_ == "float":
        number = struct.unpack("<f", struct.pack("<f", number))[0]
    return f"0x{int.from_bytes(struct.pack('<d', number), 'little'):016X}"


@dataclass
class ModuleText:
    """The text of one LLVM module: functions that are done, and what they declare."""

    lanes: int
    check_shared: bool = False  # that shared memory is written before it is read
    functions: dict[str, str] = field(default_factory=dict)
    declarations: dict[str, str] = field(default_factory=dict)
    results: dict[str, tuple[Value, ...]] = field(default_factory=dict)

    def text(self) -> str:
        """Give the whole module."""
        parts = [*self.functions.values(), *self.declarations.values(), _ATTRIBUTES]
        return "\n".join(parts)


_ATTRIBUTES = """
attributes #0 = { nounwind "min-legal-vector-width"="512" "prefer-vector-width"="512" "denormal-fp-math"="ieee,ieee" }
attributes #1 = { nounwind noinline "min-legal-vector-width"="512" "prefer-vector-width"="512" "denormal-fp-math"="ieee,ieee" }
attributes #2 = { nounwind noinline strictfp "min-legal-vector-width"="512" "prefer-vector-width"="512" "denormal-fp-math"="ieee,ieee" }
"""  # noqa: E501 - LLVM wants each on one line


class Emitter:
    """Writes the body of one function, instruction by instruction."""

    def __init__(self, module: ModuleText) -> None:
        self.module = module
        self.lanes = module.lanes
        self.lines: list[str] = []
        self._allocas: list[str] = []
        self._count = 0
        self._splats: dict[Value, Value] = {}
        self._origins: dict[Value, Value] = {}

    # Names and raw text.

    def name(self) -> str:
        """Give a new name for a value."""
        self._count += 1
        return f"%v{self._count}"

    def raw(self, line: str) -> None:
        """Write a line as it is."""
        self.lines.append(line)

    def define(self, text: str, type_: str, *, uniform: bool) -> Value:
        """Write ``%v = text`` and give the value."""
        name = self.name()
        self.lines.append(f"  {name} = {text}")
        return Value(name, type_, uniform)

    def label(self, stem: str = "b") -> str:
        """Give a new label's name; ``start`` begins its block."""
        self._count += 1
        return f"{stem}{self._count}"

    def start(self, label: str) -> None:
        """Begin a basic block; splats made in a block that may be skipped are forgotten."""
        self.lines.append(f"{label}:")
        self._splats = {}

    def jump(self, label: str) -> None:
        """Go to a block."""
        self.lines.append(f"  br label %{label}")

    def branch(self, condition: Value, then: str, otherwise: str) -> None:
        """Go to one of two blocks by a uniform i1."""
        self.lines.append(f"  br i1 {condition.text}, label %{then}, label %{otherwise}")

    # Types and lanes.

    def llvm_type(self, value: Value) -> str:
        """Give the LLVM type of a value as it stands."""
        return value.type if value.uniform else f"<{self.lanes} x {value.type}>"

    def vector_type(self, type_: str) -> str:
        """Give the LLVM type of a number a lane."""
        return f"<{self.lanes} x {type_}>"

    def typed(self, value: Value) -> str:
        """Give a value with its LLVM type before it, as arguments are written."""
        return f"{self.llvm_type(value)} {value.text}"

    def vector(self, value: Value) -> Value:
        """Give a value as one number a lane."""
        if not value.uniform:
            return value
        if value.is_constant:
            return Value(f"splat ({value.type} {value.text})", value.type)
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

    def _alike(self, values: Sequence[Value]) -> tuple[list[Value], bool]:
        """Give operands all uniform, or all as vectors."""
        if all(v.uniform for v in values):
            return list(values), True
        return [self.vector(v) for v in values], False

    # Operations on every lane.

    def op(self, opcode: str, *operands: Value) -> Value:
        """Write an LLVM operation on operands of one type: ``op("add", a, b)``."""
        alike, uniform = self._alike(operands)
        words = ", ".join([v.text for v in alike])
        first = alike[0]
        return self.define(f"{opcode} {self.llvm_type(first)} {words}", first.type, uniform=uniform)

    def compare(self, predicate: str, a: Value, b: Value) -> Value:
        """Compare: ``slt``, ``ult``, ``eq`` for integers, ``oeq``, ``une`` for floats; an i1."""
        (a, b), uniform = self._alike((a, b))
        kind = "fcmp" if a.is_float else "icmp"
        return self.define(
            f"{kind} {predicate} {self.llvm_type(a)} {a.text}, {b.text}", "i1", uniform=uniform
        )

    def select(self, condition: Value, then: Value, otherwise: Value) -> Value:
        """Choose, lane by lane."""
        (c, a, b), uniform = self._alike((condition, then, otherwise))
        return self.define(
            f"select {self.typed(c)}, {self.typed(a)}, {self.typed(b)}", a.type, uniform=uniform
        )

    def cast(self, opcode: str, value: Value, type_: str) -> Value:
        """Convert: ``zext``, ``sext``, ``trunc``, ``fpext``, ``fptrunc``, ``sitofp`` and so on."""
        if value.type == type_:
            return value
        to = type_ if value.uniform else self.vector_type(type_)
        return self.define(f"{opcode} {self.typed(value)} to {to}", type_, uniform=value.uniform)

    def bitcast(self, value: Value, type_: str) -> Value:
        """Give the same bits as another type; what was of that type before comes back as it was."""
        before = self._origins.get(value)
        if before is not None and before.type == type_:
            return before
        result = self.cast("bitcast", value, type_)
        self._origins[result] = value
        return result

    def resize(self, value: Value, type_: str, *, signed: bool = False) -> Value:
        """Give an integer with more or fewer bits."""
        bits = int(type_[1:])
        if bits == value.bits:
            return value
        if bits < value.bits:
            return self.cast("trunc", value, type_)
        return self.cast("sext" if signed else "zext", value, type_)

    def call(
        self, name: str, *operands: Value, result: str | None = None, extra: str = ""
    ) -> Value:
        """Call an overloaded intrinsic of LLVM lane by lane: ``call("llvm.fma", a, b, c)``.

        ``result`` is the type of one lane of the result, the first operand's where left out; an
        intrinsic whose result differs is overloaded by both. ``extra`` is further arguments as
        text, such as ``", i1 true"``.
        """
        alike, uniform = self._alike(operands)
        out = result or alike[0].type
        overloads = [out] if out == alike[0].type else [out, alike[0].type]
        suffix = ".".join([_mangled(t, None if uniform else self.lanes) for t in overloads])
        whole = out if uniform else self.vector_type(out)
        types = [self.llvm_type(v) for v in alike] + [w.split()[0] for w in extra.split(", ")[1:]]
        symbol = f"@{name}.{suffix}"
        self.module.declarations.setdefault(symbol, f"declare {whole} {symbol}({', '.join(types)})")
        arguments = ", ".join([self.typed(v) for v in alike]) + extra
        return self.define(f"call {whole} {symbol}({arguments})", out, uniform=uniform)

    def external(self, name: str, *operands: Value, result: str) -> Value:
        """Call a C function, ``erff``, once for uniform operands or once for each lane."""
        types = ", ".join([v.type for v in operands])
        self.module.declarations.setdefault(f"@{name}", f"declare {result} @{name}({types})")
        if all(v.uniform for v in operands):
            words = ", ".join([f"{v.type} {v.text}" for v in operands])
            return self.define(f"call {result} @{name}({words})", result, uniform=True)
        arrays = [self.spill(v) for v in operands]
        results = self.array(result)

        def one(lane: Value) -> None:
            parts = [self.get(a, lane, v.type) for a, v in zip(arrays, operands, strict=True)]
            words = ", ".join([f"{v.type} {v.text}" for v in parts])
            self.put(
                results, lane, self.define(f"call {result} @{name}({words})", result, uniform=True)
            )

        self.each_lane(None, one)
        return self.whole(results, result)

    # Lanes one by one, and across.

    def array(self, type_: str, lengths: int = 1) -> str:
        """Make room on the stack for ``lengths`` numbers a lane; gives the pointer's name."""
        name = self.name()
        bytes_ = max(1, (FLOAT_BITS.get(type_) or int(type_[1:])) // 8) * self.lanes * lengths
        self._allocas.append(f"  {name} = alloca [{bytes_} x i8], align 64")
        return name

    def spill(self, value: Value) -> str:
        """Write a value to the stack, so that its lanes can be taken by number."""
        value = self.vector(value)
        if value.type == "i1":
            value = self.cast("zext", value, "i8")
        array = self.array(value.type)
        self.raw(f"  store {self.typed(value)}, ptr {array}, align 64")
        return array

    def whole(self, array: str, type_: str) -> Value:
        """Read all lanes of an array on the stack."""
        stored = "i8" if type_ == "i1" else type_
        loaded = self.define(
            f"load {self.vector_type(stored)}, ptr {array}, align 64", stored, uniform=False
        )
        return loaded if type_ != "i1" else self.cast("trunc", loaded, "i1")

    def element(self, array: str, index: Value, type_: str) -> str:
        """Give the address of one element of an array of a type."""
        name = self.name()
        self.raw(f"  {name} = getelementptr {type_}, ptr {array}, {index.type} {index.text}")
        return name

    def get(self, array: str, index: Value, type_: str) -> Value:
        """Read one lane, or any element by its number, as a uniform value."""
        stored = "i8" if type_ == "i1" else type_
        place = self.element(array, index, stored)
        loaded = self.define(f"load {stored}, ptr {place}", stored, uniform=True)
        return loaded if type_ != "i1" else self.cast("trunc", loaded, "i1")

    def put(self, array: str, index: Value, value: Value) -> None:
        """Write one lane, or any element by its number."""
        if value.type == "i1":
            value = self.cast("zext", value, "i8")
        self.raw(f"  store {self.typed(value)}, ptr {self.element(array, index, value.type)}")

    def each_lane(self, bits: Value | None, body: Callable[[Value], None]) -> None:
        """Run ``body`` for each lane, by its number as i32, from the lowest; those of ``bits``."""
        word = f"i{self.lanes}"
        left = bits or constant(-1, word)
        before, head, inside, after = (self.label(s) for s in ("from", "lanes", "lane", "past"))
        self.jump(before)
        self.start(before)
        self.jump(head)
        self.start(head)
        rest, lower = self.name(), self.name()
        place = len(self.lines)
        self.raw("")
        self.branch(self.compare("eq", Value(rest, word, True), constant(0, word)), after, inside)
        self.start(inside)
        number = self.call("llvm.cttz", Value(rest, word, True), extra=", i1 true")
        body(self.resize(number, "i32"))
        less = self.op("sub", Value(rest, word, True), constant(1, word))
        self.raw(f"  {lower} = and {word} {rest}, {less.text}")
        last = self.label("next")
        self.jump(last)
        self.start(last)
        self.jump(head)
        self.lines[place] = (
            f"  {rest} = phi {word} [ {left.text}, %{before} ], [ {lower}, %{last} ]"
        )
        self.start(after)

    def bits(self, mask: Value) -> Value:
        """Give an i1 a lane as one integer of as many bits as there are lanes."""
        return self.define(
            f"bitcast {self.typed(self.vector(mask))} to i{self.lanes}",
            f"i{self.lanes}",
            uniform=True,
        )

    def mask(self, bits: Value) -> Value:
        """Give the bits of an integer as an i1 a lane."""
        return self.define(
            f"bitcast {self.typed(bits)} to <{self.lanes} x i1>", "i1", uniform=False
        )

    def lane_numbers(self, type_: str = "i32", step: int = 1) -> Value:
        """Give 0, 1, 2, … times ``step``, the numbers of the lanes."""
        words = ", ".join([f"{type_} {lane * step}" for lane in range(self.lanes)])
        return Value(f"<{words}>", type_)

    def permute(self, value: Value, order: Sequence[int]) -> Value:
        """Give each lane what another lane has; ``order`` is known here."""
        if value.uniform:
            return value
        whole = self.llvm_type(value)
        words = ", ".join([f"i32 {lane}" for lane in order])
        return self.define(
            f"shufflevector {whole} {value.text}, {whole} poison, <{self.lanes} x i32> <{words}>",
            value.type,
            uniform=False,
        )

    def shuffle(self, value: Value, lanes: Value) -> Value:
        """Give each lane what lane ``lanes`` (i32, in range) has of ``value``."""
        if value.uniform:
            return value
        if value.type == "i1":
            wide = self.shuffle(self.cast("zext", value, "i32"), lanes)
            return self.cast("trunc", wide, "i1")
        array = self.spill(value)
        if lanes.uniform:
            return self.get(array, lanes, value.type)
        results = self.array(value.type)
        if value.bits in (32, 64):
            return self._gather_lanes(array, lanes, value.type)
        numbers = self.spill(lanes)
        self.each_lane(
            None,
            lambda lane: self.put(
                results, lane, self.get(array, self.get(numbers, lane, "i32"), value.type)
            ),
        )
        return self.whole(results, value.type)

    def _gather_lanes(self, array: str, lanes: Value, type_: str) -> Value:
        pointers = self.name()
        self.raw(
            f"  {pointers} = getelementptr {type_}, ptr {array}, {self.vector_type('i32')} "
            f"{lanes.text}"
        )
        every = constant(1, "i1")
        return self.gather(pointers, self.vector(every), type_)

    def gather(self, pointers: str, mask: Value, type_: str) -> Value:
        """Load from a pointer a lane where the mask is on; elsewhere 0."""
        whole = self.vector_type(type_)
        symbol = f"@llvm.masked.gather.{_mangled(type_, self.lanes)}.v{self.lanes}p0"
        pointer, ones = f"<{self.lanes} x ptr>", f"<{self.lanes} x i1>"
        self.module.declarations.setdefault(
            symbol, f"declare {whole} {symbol}({pointer}, i32, {ones}, {whole})"
        )
        return self.define(
            f"call {whole} {symbol}({pointer} {pointers}, i32 1, {ones} {mask.text}, "
            f"{whole} zeroinitializer)",
            type_,
            uniform=False,
        )

    def scatter(self, pointers: str, value: Value, mask: Value) -> None:
        """Store to a pointer a lane where the mask is on; the highest lane wins."""
        whole = self.vector_type(value.type)
        symbol = f"@llvm.masked.scatter.{_mangled(value.type, self.lanes)}.v{self.lanes}p0"
        pointer, ones = f"<{self.lanes} x ptr>", f"<{self.lanes} x i1>"
        self.module.declarations.setdefault(
            symbol, f"declare void {symbol}({whole}, {pointer}, i32, {ones})"
        )
        self.raw(
            f"  call void {symbol}({whole} {value.text}, {pointer} {pointers}, i32 1, "
            f"{ones} {mask.text})"
        )

    def masked_store(self, value: Value, place: str, mask: Value, align: int) -> None:
        """Store the lanes of a vector that are on, one after another from an address."""
        whole, ones = self.vector_type(value.type), f"<{self.lanes} x i1>"
        symbol = f"@llvm.masked.store.{_mangled(value.type, self.lanes)}.p0"
        self.module.declarations.setdefault(
            symbol, f"declare void {symbol}({whole}, ptr, i32, {ones})"
        )
        self.raw(
            f"  call void {symbol}({whole} {value.text}, ptr {place}, i32 {align}, "
            f"{ones} {self.vector(mask).text})"
        )

    # The context that every function gets as its first argument, %ctx.

    def context(self, name: str) -> Value:
        """Read a field of the run's context; ``layout.py`` lists them."""
        type_, place = CONTEXT_TYPES[name], self.context_place(name)
        return self.define(f"load {type_}, ptr {place}", type_, uniform=True)

    def context_place(self, name: str) -> str:
        """Give the address of a field of the run's context."""
        place = self.name()
        self.raw(f"  {place} = getelementptr i8, ptr %ctx, i64 {CONTEXT[name]}")
        return place

    def set_context(self, name: str, value: Value) -> None:
        """Write a field of the run's context."""
        self.raw(f"  store {self.typed(value)}, ptr {self.context_place(name)}")

    # Functions of their own, written once a module.

    def outlined(
        self,
        name: str,
        body: Callable[..., Value | tuple[Value, ...] | None],
        *operands: Value,
        strict: bool = False,
    ) -> tuple[Value, ...]:
        """Call a function that ``body(emitter, *operands)`` writes, once for each kind of operands.

        It keeps long sequences out of the kernel's code and its compile time. ``%ctx`` is there
        in it too. ``strict`` marks a function that changes the rounding mode. The name must tell
        apart all that ``body`` depends on beside the operands.
        """
        kinds = "".join([f".{'u' if v.uniform else 'v'}{v.type}" for v in operands])
        symbol = f"@{name}{kinds}"
        if symbol not in self.module.functions:
            _write_function(self.module, symbol, body, operands, strict=strict)
        results = self.module.results[symbol]
        arguments = ", ".join(["ptr %ctx", *[self.typed(v) for v in operands]])
        whole = _result_type(self.module, results)
        if not results:
            self.raw(f"  call void {symbol}({arguments})")
            return ()
        called = self.name()
        self.raw(f"  {called} = call {whole} {symbol}({arguments})")
        if len(results) == 1:
            return (Value(called, results[0].type, results[0].uniform),)
        return tuple(
            self.define(f"extractvalue {whole} {called}, {k}", r.type, uniform=r.uniform)
            for k, r in enumerate(results)
        )

    def body_text(self) -> str:
        """Give the function's body: room on the stack first, then the instructions."""
        return "\n".join([*self._allocas, *self.lines])


def _mangled(type_: str, lanes: int | None) -> str:
    """Give a type as the names of overloaded intrinsics have it: ``v32f32``."""
    short = {"half": "f16", "float": "f32", "double": "f64"}.get(type_, type_)
    return short if lanes is None else f"v{lanes}{short}"


def _result_type(module: ModuleText, results: tuple[Value, ...]) -> str:
    types = [r.type if r.uniform else f"<{module.lanes} x {r.type}>" for r in results]
    if not types:
        return "void"
    return types[0] if len(types) == 1 else f"{{ {', '.join(types)} }}"


def _write_function(
    module: ModuleText,
    symbol: str,
    body: Callable[..., Value | tuple[Value, ...] | None],
    operands: Sequence[Value],
    *,
    strict: bool,
) -> None:
    """Write a function of its own, with parameters of the operands' kinds."""
    inner = Emitter(module)
    parameters = [Value(f"%a{k}", v.type, v.uniform) for k, v in enumerate(operands)]
    given = body(inner, *parameters)
    results = () if given is None else given if isinstance(given, tuple) else (given,)
    module.results[symbol] = results
    whole = _result_type(module, results)
    if len(results) > 1:
        packed = "poison"
        for k, result in enumerate(results):
            name = inner.name()
            inner.raw(f"  {name} = insertvalue {whole} {packed}, {inner.typed(result)}, {k}")
            packed = name
        inner.raw(f"  ret {whole} {packed}")
    else:
        inner.raw(f"  ret {inner.typed(results[0])}" if results else "  ret void")
    words = ", ".join(["ptr %ctx", *[inner.typed(p) for p in parameters]])
    attributes = "#2" if strict else "#1"
    module.functions[symbol] = (
        f"define internal {whole} {symbol}({words}) {attributes} {{\n{inner.body_text()}\n}}\n"
    )
