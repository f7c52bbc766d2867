"""Generated code across lanes and beside them: exchanges, conditions, loops, functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from warpmill.executor.native.instructions import (
    FLOAT_BITS,
    Instructions,
    LlvmModule,
    LlvmValue,
    SharedFunction,
    constant,
    mangled,
)
from warpmill.executor.native.layout import CONTEXT, CONTEXT_TYPES


class Emitter(Instructions):
    """Writer of one function's body: instructions on every lane, and what joins the lanes."""

    # Lanes one by one, and across.

    def array(self, type_: str, lengths: int = 1) -> str:
        """Make room on the stack for ``lengths`` numbers a lane; gives the pointer's name."""
        name = self.name()
        bytes_ = max(1, (FLOAT_BITS.get(type_) or int(type_[1:])) // 8) * self.lanes * lengths
        self._allocas.append(f"  {name} = alloca [{bytes_} x i8], align 64")
        return name

    def spill(self, value: LlvmValue) -> str:
        """Write a value to the stack, so that its lanes can be taken by number."""
        value = self.vector(value)
        if value.type == "i1":
            value = self.cast("zext", value, "i8")
        array = self.array(value.type)
        self.raw(f"  store {self.typed(value)}, ptr {array}, align 64")
        return array

    def whole(self, array: str, type_: str) -> LlvmValue:
        """Read all lanes of an array on the stack."""
        stored = "i8" if type_ == "i1" else type_
        loaded = self.define(
            f"load {self.vector_type(stored)}, ptr {array}, align 64", stored, uniform=False
        )
        return loaded if type_ != "i1" else self.cast("trunc", loaded, "i1")

    def element(self, array: str, index: LlvmValue, type_: str) -> str:
        """The address of one element of an array of a type."""
        name = self.name()
        self.raw(f"  {name} = getelementptr {type_}, ptr {array}, {index.type} {index.text}")
        return name

    def get(self, array: str, index: LlvmValue, type_: str) -> LlvmValue:
        """Read one lane, or any element by its number, as a uniform value."""
        stored = "i8" if type_ == "i1" else type_
        place = self.element(array, index, stored)
        loaded = self.define(f"load {stored}, ptr {place}", stored, uniform=True)
        return loaded if type_ != "i1" else self.cast("trunc", loaded, "i1")

    def put(self, array: str, index: LlvmValue, value: LlvmValue) -> None:
        """Write one lane, or any element by its number."""
        if value.type == "i1":
            value = self.cast("zext", value, "i8")
        self.raw(f"  store {self.typed(value)}, ptr {self.element(array, index, value.type)}")

    def each_lane(self, bits: LlvmValue | None, body: Callable[[LlvmValue], None]) -> None:
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
        self.branch(
            self.compare("eq", LlvmValue(rest, word, True), constant(0, word)), after, inside
        )
        self.start(inside)
        number = self.call("llvm.cttz", LlvmValue(rest, word, True), extra=", i1 true")
        body(self.resize(number, "i32"))
        less = self.op("sub", LlvmValue(rest, word, True), constant(1, word))
        self.raw(f"  {lower} = and {word} {rest}, {less.text}")
        last = self.label("next")
        self.jump(last)
        self.start(last)
        self.jump(head)
        self.lines[place] = (
            f"  {rest} = phi {word} [ {left.text}, %{before} ], [ {lower}, %{last} ]"
        )
        self.start(after)

    def bits(self, mask: LlvmValue) -> LlvmValue:
        """Integer of as many bits as there are lanes, from an i1 per lane."""
        return self.define(
            f"bitcast {self.typed(self.vector(mask))} to i{self.lanes}",
            f"i{self.lanes}",
            uniform=True,
        )

    def mask(self, bits: LlvmValue) -> LlvmValue:
        """The bits of an integer as an i1 a lane."""
        return self.define(
            f"bitcast {self.typed(bits)} to <{self.lanes} x i1>", "i1", uniform=False
        )

    def reduced(self, operation: str, value: LlvmValue) -> LlvmValue:
        """Reduction of the lanes' integers: ``add``, ``umin``, ``umax`` and so on."""
        whole, type_ = self.llvm_type(self.vector(value)), value.type
        symbol = f"@llvm.vector.reduce.{operation}.v{self.lanes}{type_}"
        self.module.declarations.setdefault(symbol, f"declare {type_} {symbol}({whole})")
        return self.define(
            f"call {type_} {symbol}({self.typed(self.vector(value))})", type_, uniform=True
        )

    def lane_numbers(self, type_: str = "i32", step: int = 1) -> LlvmValue:
        """0, 1, 2, … times ``step``, the numbers of the lanes."""
        words = ", ".join([f"{type_} {lane * step}" for lane in range(self.lanes)])
        return LlvmValue(f"<{words}>", type_)

    def permute(self, value: LlvmValue, order: Sequence[int]) -> LlvmValue:
        """Value of another lane in each lane; ``order`` is known here."""
        if value.uniform:
            return value
        whole = self.llvm_type(value)
        words = ", ".join([f"i32 {lane}" for lane in order])
        return self.define(
            f"shufflevector {whole} {value.text}, {whole} poison, <{self.lanes} x i32> <{words}>",
            value.type,
            uniform=False,
        )

    def shuffle(self, value: LlvmValue, lanes: LlvmValue) -> LlvmValue:
        """Value that lane ``lanes`` (i32, in range) has, in each lane."""
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

    def _gather_lanes(self, array: str, lanes: LlvmValue, type_: str) -> LlvmValue:
        pointers = self.name()
        self.raw(
            f"  {pointers} = getelementptr {type_}, ptr {array}, {self.vector_type('i32')} "
            f"{lanes.text}"
        )
        every = constant(1, "i1")
        return self.gather(pointers, self.vector(every), type_)

    def gather(self, pointers: str, mask: LlvmValue, type_: str) -> LlvmValue:
        """Load from a pointer a lane where the mask is on; elsewhere 0."""
        whole = self.vector_type(type_)
        symbol = f"@llvm.masked.gather.{mangled(type_, self.lanes)}.v{self.lanes}p0"
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

    def scatter(self, pointers: str, value: LlvmValue, mask: LlvmValue) -> None:
        """Store to a pointer a lane where the mask is on; the highest lane wins."""
        whole = self.vector_type(value.type)
        symbol = f"@llvm.masked.scatter.{mangled(value.type, self.lanes)}.v{self.lanes}p0"
        pointer, ones = f"<{self.lanes} x ptr>", f"<{self.lanes} x i1>"
        self.module.declarations.setdefault(
            symbol, f"declare void {symbol}({whole}, {pointer}, i32, {ones})"
        )
        self.raw(
            f"  call void {symbol}({whole} {value.text}, {pointer} {pointers}, i32 1, "
            f"{ones} {mask.text})"
        )

    def masked_store(self, value: LlvmValue, place: str, mask: LlvmValue, align: int) -> None:
        """Store the lanes of a vector that are on, one after another from an address."""
        whole, ones = self.vector_type(value.type), f"<{self.lanes} x i1>"
        symbol = f"@llvm.masked.store.{mangled(value.type, self.lanes)}.p0"
        self.module.declarations.setdefault(
            symbol, f"declare void {symbol}({whole}, ptr, i32, {ones})"
        )
        self.raw(
            f"  call void {symbol}({whole} {value.text}, ptr {place}, i32 {align}, "
            f"{ones} {self.vector(mask).text})"
        )

    def external(self, name: str, *operands: LlvmValue, result: str) -> LlvmValue:
        """Call a C function, ``erff``, once for uniform operands or once for each lane."""
        types = ", ".join([v.type for v in operands])
        self.module.declarations.setdefault(f"@{name}", f"declare {result} @{name}({types})")
        if all(v.uniform for v in operands):
            words = ", ".join([f"{v.type} {v.text}" for v in operands])
            return self.define(f"call {result} @{name}({words})", result, uniform=True)
        arrays = [self.spill(v) for v in operands]
        results = self.array(result)

        def one(lane: LlvmValue) -> None:
            parts = [self.get(a, lane, v.type) for a, v in zip(arrays, operands, strict=True)]
            words = ", ".join([f"{v.type} {v.text}" for v in parts])
            self.put(
                results, lane, self.define(f"call {result} @{name}({words})", result, uniform=True)
            )

        self.each_lane(None, one)
        return self.whole(results, result)

    def callback(self, name: str, *operands: LlvmValue) -> None:
        """Call a sanitizer's function of the context and uniform numbers, i64 or pointers."""
        types = ", ".join(["ptr", *[v.type for v in operands]])
        self.module.declarations.setdefault(f"@{name}", f"declare void @{name}({types})")
        words = ", ".join(["ptr %ctx", *[self.typed(v) for v in operands]])
        self.raw(f"  call void @{name}({words})")

    # The context that every function gets as its first argument, %ctx.

    def context(self, name: str) -> LlvmValue:
        """Read a field of the run's context; ``layout.py`` lists them."""
        type_, place = CONTEXT_TYPES[name], self.context_place(name)
        return self.define(f"load {type_}, ptr {place}", type_, uniform=True)

    def context_place(self, name: str) -> str:
        """The address of a field of the run's context."""
        place = self.name()
        self.raw(f"  {place} = getelementptr i8, ptr %ctx, i64 {CONTEXT[name]}")
        return place

    def set_context(self, name: str, value: LlvmValue) -> None:
        """Write a field of the run's context."""
        self.raw(f"  store {self.typed(value)}, ptr {self.context_place(name)}")

    # Functions of their own, written once a module and compiled once a process.

    def outlined(
        self,
        name: str,
        body: Callable[..., LlvmValue | tuple[LlvmValue, ...] | None],
        *operands: LlvmValue,
        strict: bool = False,
    ) -> tuple[LlvmValue, ...]:
        """Call a function that ``body(emitter, *operands)`` writes, once for each kind of operands.

        It keeps long sequences out of the kernel's code and its compile time. ``%ctx`` is there
        in it too. ``strict`` marks a function that changes the rounding mode. The name must tell
        apart all that ``body`` depends on beside the operands.
        """
        kinds = "".join([f".{'u' if v.uniform else 'v'}{v.type}" for v in operands])
        key, shared = f"{name}{kinds}".replace(":", "_"), self.module.shared
        if key not in shared:
            shared[key] = _written(self.module, key, body, operands, strict=strict)
        symbol, results = shared[key].symbol, shared[key].results
        arguments = ", ".join(["ptr %ctx", *[self.typed(v) for v in operands]])
        whole = _result_type(self.module, results)
        if not results:
            self.raw(f"  call void {symbol}({arguments})")
            return ()
        called = self.name()
        self.raw(f"  {called} = call {whole} {symbol}({arguments})")
        if len(results) == 1:
            return (LlvmValue(called, results[0].type, results[0].uniform),)
        return tuple(
            self.define(f"extractvalue {whole} {called}, {k}", r.type, uniform=r.uniform)
            for k, r in enumerate(results)
        )


def _result_type(module: LlvmModule, results: tuple[LlvmValue, ...]) -> str:
    types = [r.type if r.uniform else f"<{module.lanes} x {r.type}>" for r in results]
    if not types:
        return "void"
    return types[0] if len(types) == 1 else f"{{ {', '.join(types)} }}"


def _written(
    module: LlvmModule,
    key: str,
    body: Callable[..., LlvmValue | tuple[LlvmValue, ...] | None],
    operands: Sequence[LlvmValue],
    *,
    strict: bool,
) -> SharedFunction:
    """Write a function of its own, with parameters of the operands' kinds."""
    inner = Emitter(module)
    parameters = [LlvmValue(f"%a{k}", v.type, v.uniform) for k, v in enumerate(operands)]
    given = body(inner, *parameters)
    results = () if given is None else given if isinstance(given, tuple) else (given,)
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
    head = (whole, words, "#2" if strict else "#1")
    return SharedFunction.written(key, results, head, inner.body_text())


# Conditions, loops and variables for generated code that is more than one straight line.


@dataclass(frozen=True)
class StackVariable:
    """A uniform value that changes: room on the stack for one number."""

    emitter: Emitter
    place: str
    type: str

    def get(self) -> LlvmValue:
        """Read it."""
        return self.emitter.define(f"load {self.type}, ptr {self.place}", self.type, uniform=True)

    def set(self, value: LlvmValue) -> None:
        """Write it."""
        self.emitter.raw(f"  store {self.type} {value.text}, ptr {self.place}")


def variable(e: Emitter, start: LlvmValue) -> StackVariable:
    """Make a variable with a value to start from."""
    made = StackVariable(e, e.array(start.type if start.type != "i1" else "i8"), start.type)
    made.set(start)
    return made


def when(
    e: Emitter,
    condition: LlvmValue,
    then: Callable[[], None],
    otherwise: Callable[[], None] | None = None,
) -> None:
    """Run one of two pieces of code by a uniform i1. Values made in them stay in them."""
    yes, no, after = e.label("then"), e.label("else"), e.label("after")
    e.branch(condition, yes, no if otherwise is not None else after)
    e.start(yes)
    then()
    e.jump(after)
    if otherwise is not None:
        e.start(no)
        otherwise()
        e.jump(after)
    e.start(after)


def loop_while(e: Emitter, condition: Callable[[], LlvmValue], body: Callable[[], None]) -> None:
    """Run ``body`` as long as ``condition``, written before each round, gives true."""
    head, inside, after = e.label("while"), e.label("do"), e.label("done")
    e.jump(head)
    e.start(head)
    e.branch(condition(), inside, after)
    e.start(inside)
    body()
    e.jump(head)
    e.start(after)


def counted(
    e: Emitter, start: LlvmValue, end: LlvmValue, body: Callable[[LlvmValue], None]
) -> None:
    """Run ``body`` for each integer from ``start`` below ``end``."""
    index = variable(e, start)

    def step() -> None:
        body(index.get())
        index.set(e.op("add", index.get(), constant(1, start.type)))

    loop_while(e, lambda: e.compare("ult", index.get(), end), step)
