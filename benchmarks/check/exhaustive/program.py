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
    Access,
    FaultError,
    Layout,
    Meeting,
    Program,
    Sources,
    Step,
    extended,
)


def program_of(kernel: Kernel, layout: Layout) -> Program:
    """The steps of a kernel whose calls are inlined. NotModelledError for what is not known."""
    return _Translation(kernel, layout).run()


class _Translation:
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
        make = _STEPS.get(instruction.operation.name)
        if self.is_parameter_load(instruction):
            self.parameter(instruction)
        elif make is None and not instruction.operation.op_class.is_arithmetic:
            raise NotModelledError(instruction.operation.opcode)
        elif make is None:
            self.compute(instruction)
        else:
            self.flush()
            refuse_unknown_words(instruction.operation, _known_words(instruction))
            step = make(self, instruction)
            if step is not None:
                step.guard = self.guard(instruction.guard)
                step.line = instruction.span.line
                step.lines = (step.line,)
                self.steps.append(step)

    @staticmethod
    def guard(guard: Guard | None) -> tuple[int, bool] | None:
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
        name = instruction.operation.name
        destination = instruction.destinations[0]
        if name == "setp":
            self.set_predicate(instruction)
        elif isinstance(destination, Vector):
            self.unpack(instruction, destination)
        else:
            self.statement(instruction, [self.target(destination)], self.result(instruction))

    def target(self, destination: Operand) -> str:
        match destination:
            case Reg(index):
                return f"r[{index}]"
            case Sink():
                return "_"
        raise NotModelledError(f"a destination {destination}")

    def bits(self, register: Reg) -> int:
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
        parts, shift = [], 0
        for element in source.elements:
            if not isinstance(element, Reg):
                raise NotModelledError(f"a packed {element}")
            parts.append(f"(r[{element.index}] << {shift})")
            shift += self.bits(element)
        return " | ".join(parts)

    def unpack(self, instruction: Instruction, destination: Vector) -> None:
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
        access = _access_of(self, instruction, "ld")
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


_COMMUTE = frozenset({"add", "min", "max", "and", "or", "xor"})
ATOMICS = _COMMUTE | {"inc", "dec", "exch", "cas"}
"""What atomics do."""

_SCOPES = frozenset({"cta", "cluster", "gpu", "sys"})
_ORDERS = ("relaxed", "acquire", "release", "acq_rel")
_SPACES = frozenset({"global", "shared", "shared::cta", "local", "const", "param", "v2", "v4"})
_CACHES = frozenset({"ca", "cg", "cs", "lu", "cv", "wb", "wt", "nc", "weak", "volatile"})
_WORDS: dict[str, frozenset[str]] = {
    "ld": _SPACES | _CACHES | _SCOPES | set(_ORDERS),
    "st": _SPACES | _CACHES | _SCOPES | set(_ORDERS),
    "atom": _SPACES | _SCOPES | set(_ORDERS) | ATOMICS | {"noftz"},
    "bar": frozenset({"sync", "arrive", "red", "aligned", "cta", "popc", "and", "or"}),
    "shfl": frozenset({"sync", "up", "down", "bfly", "idx"}),
    "vote": frozenset({"sync", "all", "any", "uni", "ballot"}),
    "match": frozenset({"sync", "all", "any"}),
    "redux": frozenset({"sync", "add", "min", "max", "and", "or", "xor"}),
    "bar.warp": frozenset({"warp", "sync"}),
    "mma": frozenset({"sync", "aligned", "m16n8k16", "row", "col"}),
    "ldmatrix": frozenset(
        {"sync", "aligned", "m8n8", "x1", "x2", "x4", "trans", "shared", "shared::cta"}
    ),
    "membar": frozenset({"cta", "gl", "sys"}),
    "fence": _SCOPES | {"sc", "acq_rel"},
    "fence.proxy": frozenset({"proxy", "async", "shared::cta", "global"}),
    "mbarrier.init": frozenset({"init", "shared", "shared::cta"}),
    "mbarrier.arrive": frozenset(
        {"arrive", "expect_tx", "shared", "shared::cta", "release", "cta"}
    ),
    "mbarrier.expect_tx": frozenset({"expect_tx", "shared", "shared::cta", "relaxed", "cta"}),
    "mbarrier.test_wait": frozenset(
        {"test_wait", "parity", "shared", "shared::cta", "acquire", "cta"}
    ),
    "mbarrier.try_wait": frozenset(
        {"try_wait", "parity", "shared", "shared::cta", "acquire", "cta"}
    ),
    "cp.async.mbarrier.arrive": frozenset(
        {"async", "mbarrier", "arrive", "noinc", "shared", "shared::cta"}
    ),
    "cp.async.bulk": frozenset(
        {
            "async",
            "bulk",
            "shared::cluster",
            "shared::cta",
            "global",
            "bulk_group",
            "mbarrier::complete_tx::bytes",
        }
    ),
    "cp.async.bulk.commit_group": frozenset({"async", "bulk", "commit_group"}),
    "cp.async.bulk.wait_group": frozenset({"async", "bulk", "wait_group", "read"}),
    "cp.async": frozenset({"async", "ca", "cg", "shared", "shared::cta", "global"}),
    "cp.async.commit_group": frozenset({"async", "commit_group"}),
    "cp.async.wait_group": frozenset({"async", "wait_group"}),
    "cp.async.wait_all": frozenset({"async", "wait_all"}),
    "bra": frozenset({"uni"}),
    "ret": frozenset({"uni"}),
}
"""Words of operations that are known, beside types and hints for caches."""
_SAME_WORDS = {"ldu": "ld", "red": "atom", "stmatrix": "ldmatrix"}


def _known_words(instruction: Instruction) -> frozenset[str]:
    operation = instruction.operation
    name = operation.name
    if operation.op_class is OpClass.BARRIER and name.startswith(("bar", "barrier")):
        name = "bar" if name != "bar.warp" else name
    if "mbarrier_init" in operation.modifiers:
        return frozenset({"mbarrier_init", "release", "cluster"})
    if name == "cp.async.mbarrier.arrive" and "noinc" not in operation.modifiers:
        raise NotModelledError(operation.opcode)
    hints = {w for w in operation.modifiers if w.startswith(("L1::", "L2::"))}
    if operation.op_class is OpClass.PREFETCH or name == "nanosleep":
        return frozenset(operation.modifiers)
    return _WORDS.get(_SAME_WORDS.get(name, name), frozenset()) | hints - {"L2::cache_hint"}


# What makes a step of an instruction that is more than a computation.


def _access_of(self: _Translation, instruction: Instruction, kind: str) -> Access:
    """An access by the instruction's words, with its destinations."""
    operation = instruction.operation
    address = instruction.address
    if not isinstance(address, Address) or operation.space is None or operation.is_remote:
        raise NotModelledError(operation.opcode)
    words = set(operation.modifiers)
    if words & {"L2::cache_hint", "mmio", "unified"}:
        raise NotModelledError(operation.opcode)
    base, offset = _address(self, address)
    size = 0 if operation.type is None else operation.type.size_bytes
    is_strong = bool(words & {"volatile", "relaxed", "acquire", "release"}) or kind == "atom"
    order = next((w for w in operation.modifiers if w in _ORDERS), "")
    return Access(
        kind=kind,
        opcode=operation.opcode,
        line=instruction.span.line,
        space=operation.space,
        base=base,
        offset=offset,
        size=size,
        count=operation.vector,
        dests=_destinations(instruction),
        sign=_sign(self, instruction),
        is_strong=is_strong,
        is_wide=is_strong and not words & {"cta", "cluster"},
        acquires=order in ("acquire", "acq_rel"),
        releases=order in ("release", "acq_rel"),
        is_read_only="nc" in words,
        type=operation.type,
        words=operation.modifiers,
    )


def _address(self: _Translation, address: Address) -> tuple[int | None, int]:
    if isinstance(address.base, Reg):
        return address.base.index, address.offset
    return None, self.constant(address.base, None) + address.offset


def _destinations(instruction: Instruction) -> tuple[int | None, ...]:
    found: list[int | None] = []
    for operand in instruction.destinations:
        for element in operand.elements if isinstance(operand, Vector) else _pair(operand):
            if not isinstance(element, Reg | Sink):
                raise NotModelledError(instruction.operation.opcode)
            found.append(element.index if isinstance(element, Reg) else None)
    return tuple(found)


def _pair(operand: Operand) -> tuple[Operand, ...]:
    return (operand.first, operand.second) if isinstance(operand, Pair) else (operand,)


def _sign(self: _Translation, instruction: Instruction) -> tuple[int, int] | None:
    type_ = instruction.operation.type
    registers = [d for d in _destinations(instruction) if d is not None]
    if type_ is None or type_.kind is not TypeKind.SIGNED or not registers:
        return None
    width = self.bits(Reg(registers[0]))
    return (1 << type_.bits - 1, (1 << width) - 1) if width > type_.bits else None


def _load(self: _Translation, instruction: Instruction) -> Step:
    access = _access_of(self, instruction, "ld")
    return Step("access", None, access)


def _store(self: _Translation, instruction: Instruction) -> Step:
    access = _access_of(self, instruction, "st")
    value = instruction.sources[-1]
    access.sources = self.sources([(value, instruction.operation.type)])
    return Step("access", None, access)


def _atomic(self: _Translation, instruction: Instruction) -> Step:
    access = _access_of(self, instruction, "atom")
    operation, type_ = instruction.operation, instruction.operation.type
    name = next((w for w in operation.modifiers if w in ATOMICS), None)
    if name is None or type_ is None or type_.lanes > 1 or operation.vector > 1:
        raise NotModelledError(operation.opcode)
    if type_.is_float and (name not in ("add", "exch") or type_.name == "bf16"):
        raise NotModelledError(operation.opcode)
    operands = [o for o in instruction.sources if not isinstance(o, Address)]
    access.sources = self.sources([(o, type_) for o in operands])
    access.atomic = name
    is_used = any(d in self.read_somewhere for d in access.dests)
    if not is_used and not (type_.is_float and name == "add"):
        access.key = (name, type_.name)
    return Step("access", None, access)


def _copy(self: _Translation, instruction: Instruction) -> Step:
    """``cp.async``: what is read, and the bytes that are not."""
    size, words = instruction.bytes_operand, instruction.operation.modifiers
    target, origin = instruction.operands[:2]
    if not isinstance(size, Imm) or "L2::cache_hint" in words:
        raise NotModelledError(instruction.operation.opcode)
    assert isinstance(target, Address)
    assert isinstance(origin, Address)
    line, opcode = instruction.span.line, instruction.operation.opcode
    parts = []
    for address, space in ((target, Space.SHARED), (origin, Space.GLOBAL)):
        base, offset = _address(self, address)
        parts.append(Access("cp", opcode, line, space, base, offset, size.value))
    limit = instruction.read_limit
    if isinstance(limit, Reg) and self.bits(limit) == 1:
        raise NotModelledError(f"{opcode} with a predicate")
    parts[0].origin = parts[1]
    parts[0].sources = self.sources([(limit or size, None)])
    return Step("access", None, parts[0])


def _matrix_move(self: _Translation, instruction: Instruction) -> Step:
    """``ldmatrix`` and ``stmatrix``: lanes exchange addresses, and access elements of their own."""
    operation, words = instruction.operation, instruction.operation.modifiers
    if operation.space is not Space.SHARED or "m8n8" not in words or "b16" not in words:
        raise NotModelledError(operation.opcode)
    access = _access_of(self, instruction, operation.name)
    access.size, access.sign = 2, None
    access.count = 2 * int(next(w for w in words if w in ("x1", "x2", "x4"))[1:])
    if operation.name == "stmatrix":
        access.sources = self.sources([(instruction.sources[-1], None)])
    return Step("access", None, access)


def _barrier(self: _Translation, instruction: Instruction) -> Step:
    operation = instruction.operation
    reduces = ".red" in operation.name
    kind = "bar.red" if reduces else "bar.arrive" if "arrive" in operation.name else "bar"
    dests = _destinations(instruction) if reduces else ()
    operands = list(instruction.sources)
    if reduces and len(operands) == 2:
        operands.insert(1, Imm(0))
    elif len(operands) == 1:
        operands.append(Imm(0))
    if len(operands) == 0:
        raise NotModelledError(operation.opcode)
    given = self.sources([(o, None) for o in operands])
    line = instruction.span.line
    data = Meeting(kind, operation.opcode, line, given, dests, operation.modifiers)
    return Step("meet", None, data)


def _lanes(self: _Translation, instruction: Instruction) -> Step:
    """What lanes of a warp do together; the mask is its last source."""
    operation = instruction.operation
    if "sync" not in operation.modifiers:
        raise NotModelledError(operation.opcode)
    given = self.sources([(o, None) for o in instruction.sources])
    data = Meeting(
        operation.name,
        operation.opcode,
        instruction.span.line,
        given,
        _destinations(instruction),
        operation.modifiers,
        operation.type,
    )
    return Step("meet", None, data)


def _fence(self: _Translation, instruction: Instruction) -> Step:  # noqa: ARG001 - one form for all
    words = instruction.operation.modifiers
    if "mbarrier_init" in words:
        return Step("proxy", None, ("objects",))
    is_sc = instruction.operation.name == "membar" or "sc" in words
    return Step("fence", None, (not {"cta", "cluster"} & set(words), is_sc))


def _commit(self: _Translation, instruction: Instruction) -> Step:  # noqa: ARG001
    return Step("commit", None, "bulk" if "bulk" in instruction.operation.modifiers else "cp")


def _wait(self: _Translation, instruction: Instruction) -> Step:  # noqa: ARG001
    words = instruction.operation.modifiers
    left = instruction.operands[0] if instruction.operands else None
    kind = "bulk" if "bulk" in words else "cp"
    number = left.value if isinstance(left, Imm) else None
    return Step("wait", None, (kind, number, "read" in words))


def _proxy_fence(self: _Translation, instruction: Instruction) -> Step:  # noqa: ARG001
    words = instruction.operation.modifiers
    spaces = tuple(w for w in ("shared", "global") if w in words or f"{w}::cta" in words)
    return Step("proxy", None, spaces or ("shared", "global"))


def _plain_access(self: _Translation, instruction: Instruction, kind: str, place: int) -> Access:
    """An access at one of the operands that is an address."""
    address = instruction.operands[place]
    if not isinstance(address, Address):
        raise NotModelledError(instruction.operation.opcode)
    base, offset = _address(self, address)
    operation = instruction.operation
    space = Space.SHARED if operation.space is None else operation.space
    line = instruction.span.line
    return Access(kind, operation.opcode, line, space, base, offset, 8, words=operation.modifiers)


def _object(self: _Translation, instruction: Instruction) -> Step:
    """An operation on a barrier object in shared memory."""
    operation = instruction.operation
    if operation.space is not Space.SHARED:
        raise NotModelledError(operation.opcode)
    places = [k for k, o in enumerate(instruction.operands) if isinstance(o, Address)]
    access = _plain_access(self, instruction, _OBJECTS[operation.name], places[0])
    rest = instruction.operands[places[0] + 1 :]
    dests = instruction.operands[: places[0]]
    if len(rest) > 1 or len(dests) > 1 or not all(isinstance(d, Reg | Sink) for d in dests):
        raise NotModelledError(operation.opcode)
    access.dests = tuple(d.index if isinstance(d, Reg) else None for d in dests) or (None,)
    if rest:
        access.sources = self.sources([(rest[0], None)])
    return Step("access" if access.kind == "make" else "object", None, access)


_OBJECTS = {
    "mbarrier.init": "make",
    "mbarrier.arrive": "arrive",
    "mbarrier.expect_tx": "expect",
    "mbarrier.test_wait": "wait",
    "mbarrier.try_wait": "wait",
    "cp.async.mbarrier.arrive": "arrive of copies",
}


def _bulk_copy(self: _Translation, instruction: Instruction) -> Step:
    """A bulk copy to shared memory and a barrier object, or to global memory in a group."""
    words, operands = instruction.operation.modifiers, instruction.operands
    access = _plain_access(self, instruction, "bulk", 0)
    access.size = 1
    origin = _plain_access(self, instruction, "bulk", 1)
    origin.size = 1
    access.origin = origin
    access.space, origin.space = instruction.operation.spaces[:2]
    if "bulk_group" in words:
        is_known = access.space is Space.GLOBAL and len(operands) == 3
    else:
        is_known = "mbarrier::complete_tx::bytes" in words and len(operands) == 4
        is_known = is_known and (access.space, origin.space) == (Space.SHARED, Space.GLOBAL)
        access.object = _plain_access(self, instruction, "object", 3) if is_known else None
    if not is_known:
        raise NotModelledError(instruction.operation.opcode)
    access.sources = self.sources([(operands[2], None)])
    return Step("object", None, access)


def _exit(self: _Translation, instruction: Instruction) -> Step:  # noqa: ARG001
    return Step("exit", None)


def _branch(self: _Translation, instruction: Instruction) -> Step:  # noqa: ARG001
    return Step("jump", None, instruction.targets[0])


def _trap(self: _Translation, instruction: Instruction) -> Step:  # noqa: ARG001
    return Step("trap", None)


def _nothing(self: _Translation, instruction: Instruction) -> Step | None:  # noqa: ARG001
    return None


_STEPS: dict[str, Callable[[_Translation, Instruction], Step | None]] = {
    "ld": _load,
    "ldu": _load,
    "st": _store,
    "atom": _atomic,
    "red": _atomic,
    "cp.async": _copy,
    "cp.async.commit_group": _commit,
    "cp.async.wait_group": _wait,
    "cp.async.wait_all": _wait,
    "ldmatrix": _matrix_move,
    "stmatrix": _matrix_move,
    "mma": _lanes,
    "shfl": _lanes,
    "vote": _lanes,
    "match": _lanes,
    "redux": _lanes,
    "bar.warp": _lanes,
    **dict.fromkeys(_OBJECTS, _object),
    "cp.async.bulk": _bulk_copy,
    "cp.async.bulk.commit_group": _commit,
    "cp.async.bulk.wait_group": _wait,
    "fence.proxy": _proxy_fence,
    "membar": _fence,
    "fence": _fence,
    "bra": _branch,
    "ret": _exit,
    "exit": _exit,
    "trap": _trap,
    "prefetch": _nothing,
    "prefetchu": _nothing,
    "nanosleep": _nothing,
    **dict.fromkeys(
        (
            "bar", "bar.arrive", "bar.cta.arrive", "bar.red", "bar.cta.red",
            "barrier", "barrier.arrive", "barrier.cta.arrive", "barrier.red", "barrier.cta.red",
        ),
        _barrier,
    ),
}  # fmt: skip
