"""Reader of the IR's text form: ``read_module(print_module(m)) == m``.

The grammar is ``grammars/ir.lark``; ``docs/ir.md`` describes the form. The reader checks what it
needs to build a Module (that names are declared, that types exist); whether the Module makes sense
is the verifier's question.
"""

from __future__ import annotations

import json
import struct
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NoReturn

from warpmill.analyzer.base.diagnostics import DebugLocation, InputError, Severity, Source, Span, at
from warpmill.analyzer.ir.kernel import (
    Address,
    Arguments,
    Block,
    Declaration,
    EdgeCopies,
    Element,
    FloatImm,
    Function,
    Guard,
    Imm,
    Instruction,
    Kernel,
    LaunchBounds,
    Module,
    Negated,
    NotPredicate,
    Operand,
    Pair,
    Parameter,
    Reg,
    Register,
    Sink,
    Special,
    Symbol,
    TupleAddress,
    Variable,
    Vector,
)
from warpmill.analyzer.ir.operation import decode
from warpmill.analyzer.ir.types import TYPES, Space, Type

if TYPE_CHECKING:
    from lark import Lark, Token, Tree, UnexpectedInput

_DEEPEST = 64
_EXPECTED_SHOWN = 6


def read_module(text: str, name: str = "<ir>") -> Module:
    """Read the text of a module; ``name`` is what diagnostics call it.

    InputError, with line and column, where the text does not follow the form or names a register,
    block, type or memory space that is not there.
    """
    source = Source(name, text)
    return _Reader(source).module(_parse(source))


@cache
def _parser() -> Lark:
    from warpmill.analyzer.base.lalr import lalr_parser  # noqa: PLC0415 - only who reads IR pays for lark

    return lalr_parser("ir.lark", maybe_placeholders=True)


def _parse(source: Source) -> Tree[Token]:
    from lark import UnexpectedInput  # noqa: PLC0415 - as above

    try:
        return _parser().parse(source.text + "\n")
    except UnexpectedInput as error:
        raise _syntax_error(source, error) from None


def _syntax_error(source: Source, error: UnexpectedInput) -> InputError:
    from lark import UnexpectedToken  # noqa: PLC0415 - as above

    token = error.token if isinstance(error, UnexpectedToken) else None
    if token is not None and token.type == "$END":
        line = len(source.lines)
        span = Span(line, len(source.line(line)) + 1, len(source.line(line)) + 2)
        found = "end of the text"
    else:
        seen = source.line(error.line)[error.column - 1 :][:1] if token is None else str(token)
        at_end = token is not None and token.type == "_NL"
        found = "end of the line" if at_end else f"`{seen}`"
        width = 1 if at_end else max(1, len(seen))
        span = Span(error.line, error.column, error.column + width)
    diagnostic = at(source, span, Severity.ERROR, f"unexpected {found}", _expected(error))
    return InputError(diagnostic)


def _expected(error: UnexpectedInput) -> str | None:
    """Tokens that would have fitted, where that is a short list."""
    names = getattr(error, "accepts", None) or getattr(error, "allowed", None) or ()
    words = sorted(_terminal_word(name) for name in names)
    return f"expected {' or '.join(words)}" if 0 < len(words) <= _EXPECTED_SHOWN else None


def _terminal_word(name: str) -> str:
    if name == "$END":
        return "the end"
    pattern = _parser().get_terminal(name).pattern
    if pattern.type == "str":
        return f"`{pattern.value}`"
    return _WORDS.get(name, name.lower())


_WORDS = {
    "_NL": "the end of the line",
    "INT": "an integer",
    "OFFSET": "an offset",
    "REGISTER": "a register",
    "BLOCK": "a block",
    "SYMBOL": "a symbol",
    "SPAN": "a span `[line:column-end]`",
    "NAME": "a name",
    "STRING": "a quoted name",
    "OPCODE": "an opcode",
    "FUNCTION": "`.kernel` or `.function`",
    "PARAMETER": "`.param` or `.return`",
    "BOOLEAN": "`yes` or `no`",
}


@dataclass(frozen=True)
class _Scope:
    """Indices of the registers and blocks of a function; names given twice are not in it."""

    registers: dict[str, int]
    blocks: dict[str, int]


@dataclass(frozen=True)
class _Reader:
    """Builds the IR from the parse tree; holds only the source that errors point into."""

    source: Source

    def fail(self, token: Token, message: str) -> NoReturn:
        line, column = token.line or 1, token.column or 1
        span = Span(line, column, column + len(token))
        raise InputError(at(self.source, span, Severity.ERROR, message))

    # Tokens.

    def integer(self, token: Token) -> int:
        try:
            return int(token, 16 if "x" in token else 10)
        except ValueError:
            self.fail(token, "the number is too long")

    def maybe_integer(self, token: Token | None) -> int | None:
        return None if token is None or token == "?" else self.integer(token)

    def text(self, token: Token, sigil: str = "") -> str:
        """A name without its sigil, and without quotes where it has them."""
        plain = str(token)[len(sigil) :]
        if not plain.startswith('"'):
            return plain
        try:
            return str(json.loads(plain, strict=False))
        except ValueError:
            self.fail(token, f"malformed quoted name {plain}")

    def register_name(self, token: Token) -> str:
        return self.text(token, "%") if token.startswith('%"') else str(token)

    def type(self, token: Token) -> Type:
        if token not in TYPES:
            self.fail(token, f"there is no type `{token}`")
        return TYPES[token]

    def space(self, token: Token) -> Space:
        try:
            return Space(str(token))
        except ValueError:
            self.fail(token, f"there is no memory space `{token}`")

    def span(self, token: Token) -> Span:
        line, columns = token[1:-1].split(":")
        # The end may be negative too: the dash that parts the two is the last one before it.
        cut = columns.index("-", 1)
        return Span(int(line), int(columns[:cut]), int(columns[cut + 1 :]))

    def float_bits(self, token: Token) -> FloatImm:
        name, bits = token.split(":")
        if name not in TYPES:
            self.fail(token, f"there is no type `{name}`")
        return FloatImm(int(bits, 16), TYPES[name])

    # What stands in a module.

    def module(self, tree: Tree[Token]) -> Module:
        head, *items = _trees(tree.children)
        name, target, version, address_bits, warp_size = _tokens(head.children)
        functions = [self.function(i) for i in items if i.data == "function"]
        return Module(
            name=self.text(name),
            target=self.text(target),
            version=self.text(version),
            address_bits=self.integer(address_bits),
            warp_size=self.integer(warp_size),
            kernels=tuple(f for f in functions if isinstance(f, Kernel)),
            functions=tuple(f for f in functions if not isinstance(f, Kernel)),
            variables=tuple(self.variable(i) for i in items if i.data == "variable"),
            declarations=tuple(self.declaration(i) for i in items if i.data == "declare"),
            debug_files=tuple(
                self.text(token) for i in items if i.data == "file" for token in _tokens(i.children)
            ),
            attributes=self.attributes(head),
        )

    def declaration(self, tree: Tree[Token]) -> Declaration:
        (name,) = _tokens(tree.children)
        return Declaration(self.text(name), self.attributes(tree))

    def attributes(self, tree: Tree[Token]) -> tuple[str, ...]:
        found = _find(tree, "attributes")
        return () if found is None else tuple(map(self.text, _tokens(found.children)))

    def variable(self, tree: Tree[Token]) -> Variable:
        space, type_, name, size, align, *span = _tokens(tree.children)
        shape = _find(tree, "shape")
        data = [t for t in _trees(tree.children) if t.data == "data"]
        return Variable(
            name=self.text(name),
            space=self.space(space),
            type=self.type(type_),
            size_bytes=self.maybe_integer(size),
            align=self.integer(align),
            shape=() if shape is None else tuple(map(self.maybe_integer, _tokens(shape.children))),
            initialiser=tuple(v for d in data for v in self.data(d)) if data else None,
            attributes=self.attributes(tree),
            span=self.span(span[0]) if span else None,
        )

    def data(self, tree: Tree[Token]) -> Iterator[int | float | Symbol]:
        from lark import Token  # noqa: PLC0415 - as above

        for item in tree.children:
            if item is None:
                continue  # an initialiser without values
            if not isinstance(item, Token):
                yield self.symbol(item)
            elif item.type == "HEX":
                yield from bytes.fromhex(item[2:-1])
            elif item.type == "INT":
                yield self.integer(item)
            else:
                yield self.datum(item)

    def datum(self, token: Token) -> float:
        value = self.float_bits(token)
        if value.type.name != "f64" or value.bits >> 64:
            self.fail(token, "a number in an initialiser is an f64 of 64 bits")
        number: float = struct.unpack("<d", struct.pack("<Q", value.bits))[0]
        return number

    # What stands in a function.

    def function(self, tree: Tree[Token]) -> Function:
        kind, name, span = _tokens(tree.children)
        parts = _trees(tree.children)
        registers = tuple(r for p in parts if p.data == "registers" for r in self.registers(p))
        blocks = [p for p in parts if p.data == "block"]
        labels = [self.text(_tokens(b.children)[1], "^") for b in blocks]
        scope = _Scope(_once([r.name for r in registers]), _once(labels))
        parameters = [p for p in parts if p.data == "parameter"]
        function = Function(
            name=self.text(name),
            parameters=self.parameters(parameters, ".param", scope),
            registers=registers,
            blocks=tuple(self.block(b, scope) for b in blocks),
            span=self.span(span),
            variables=tuple(self.variable(p) for p in parts if p.data == "variable"),
            returns=self.parameters(parameters, ".return", scope),
            attributes=self.attributes(tree),
        )
        bounds = _find(tree, "bounds")
        if kind == ".function":
            if bounds is not None:
                self.fail(name, "only a kernel has launch bounds")
            return function
        return Kernel(**vars(function), bounds=self.bounds(bounds))

    def bounds(self, tree: Tree[Token] | None) -> LaunchBounds:
        if tree is None:
            return LaunchBounds()
        given = {str(part.data): part for part in _trees(tree.children)}

        def numbers(key: str) -> tuple[int, ...] | None:
            part = given.get(key)
            found = None if part is None else _find(part, "numbers")
            return None if found is None else tuple(map(self.integer, _tokens(found.children)))

        def number(key: str) -> int | None:
            part = given.get(key)
            return None if part is None else self.integer(_tokens(part.children)[0])

        return LaunchBounds(
            max_threads=numbers("max_threads"),
            required_threads=numbers("required_threads"),
            min_ctas_per_sm=number("min_ctas"),
            max_registers=number("max_registers"),
        )

    def registers(self, tree: Tree[Token]) -> Iterator[Register]:
        type_, *rest = _tokens(tree.children)
        vector = 1
        if rest[0].type == "INT":
            vector = self.integer(rest[0])
            rest = rest[1:]
        for token in rest:
            if token.startswith("%#"):
                self.fail(token, "a register is declared by its name")
            yield Register(self.register_name(token), self.type(type_), vector)

    def parameters(
        self, trees: Iterable[Tree[Token]], kind: str, scope: _Scope
    ) -> tuple[Parameter, ...]:
        return tuple(self.parameter(t, scope) for t in trees if _tokens(t.children)[0] == kind)

    def parameter(self, tree: Tree[Token], scope: _Scope) -> Parameter:
        _, type_, name, size, align = _tokens(tree.children)
        parts = [part for part in _trees(tree.children) if part.data != "shape"]
        given = {str(p.data): _tokens(p.children)[0] for p in parts}
        space = given.get("pointee_space")
        shape = _find(tree, "shape")
        return Parameter(
            name=self.text(name),
            type=self.type(type_),
            size_bytes=self.integer(size),
            align=self.integer(align),
            register=self.register(given["binding"], scope) if "binding" in given else None,
            is_pointer=given["pointer"] == "yes" if "pointer" in given else None,
            pointee_space=None if space is None else self.space(space),
            pointee_align=self.maybe_integer(given.get("pointee_align")),
            shape=() if shape is None else tuple(map(self.maybe_integer, _tokens(shape.children))),
        )

    def block(self, tree: Tree[Token], scope: _Scope) -> Block:
        number, label, *fallthrough = _tokens(tree.children)
        if label.startswith("^#"):
            self.fail(label, "a block is declared by its label")
        parts = _trees(tree.children)
        return Block(
            id=self.integer(number),
            label=self.text(label, "^"),
            instructions=tuple(
                self.instruction(p, scope) for p in parts if p.data == "instruction"
            ),
            fallthrough=self.target(fallthrough[0], scope) if fallthrough else None,
            incoming=tuple(self.edge(p, scope) for p in parts if p.data == "edge"),
            attributes=self.attributes(tree),
        )

    def edge(self, tree: Tree[Token], scope: _Scope) -> EdgeCopies:
        (predecessor,) = _tokens(tree.children)
        copies = tuple(self.copy(c, predecessor, scope) for c in _trees(tree.children))
        return EdgeCopies(self.target(predecessor, scope), copies)

    def copy(self, tree: Tree[Token], where: Token, scope: _Scope) -> tuple[Reg, Operand]:
        (register,), (value,) = _tokens(tree.children), _trees(tree.children)
        return self.register(register, scope), self.operand(value, where, scope)

    def instruction(self, tree: Tree[Token], scope: _Scope) -> Instruction:
        opcode, span = _tokens(tree.children)
        guard, operands, targets, location = (
            _find(tree, part) for part in ("guard", "operands", "targets", "location")
        )
        return Instruction(
            operation=decode(self.text(opcode)),
            operands=self.operands(operands, opcode, scope),
            span=self.span(span),
            guard=None if guard is None else self.guard(guard, scope),
            targets=tuple(self.target(t, scope) for t in _tokens(targets.children))
            if targets is not None
            else (),
            debug=None if location is None else self.location(location),
        )

    def guard(self, tree: Tree[Token], scope: _Scope) -> Guard:
        *negated, register = _tokens(tree.children)
        return Guard(self.register(register, scope), bool(negated))

    def location(self, tree: Tree[Token]) -> DebugLocation:
        location: DebugLocation | None = None
        for place in reversed(_trees(tree.children)):
            file, line, column = _tokens(place.children)
            numbers = self.integer(line), self.integer(column)
            location = DebugLocation(self.text(file), *numbers, location)
        assert location is not None  # the grammar wants one at least
        return location

    # References and operands.

    def register(self, token: Token, scope: _Scope) -> Reg:
        if token.startswith("%#"):
            return Reg(int(token[2:]))
        index = scope.registers.get(self.register_name(token))
        if index is None:
            self.fail(token, f"register `{token}` is not declared once in this function")
        return Reg(index)

    def target(self, token: Token, scope: _Scope) -> int:
        if token.startswith("^#"):
            return int(token[2:])
        place = scope.blocks.get(self.text(token, "^"))
        if place is None:
            self.fail(token, f"block `{token}` does not stand once in this function")
        return place

    def operands(
        self, tree: Tree[Token] | None, where: Token, scope: _Scope, depth: int = 0
    ) -> tuple[Operand, ...]:
        parts = () if tree is None else _trees(tree.children)
        return tuple(self.operand(part, where, scope, depth) for part in parts)

    def operand(self, tree: Tree[Token], where: Token, scope: _Scope, depth: int = 0) -> Operand:  # noqa: PLR0912 - one case a kind of operand
        """Build an operand; ``where`` is what an error about its depth points at."""
        if depth > _DEEPEST:
            self.fail(where, f"operands are nested more than {_DEEPEST} deep")
        tokens, parts = _tokens(tree.children), _trees(tree.children)
        match str(tree.data):
            case "register":
                return self.register(tokens[0], scope)
            case "element":
                return Element(self.register(tokens[0], scope), self.text(tokens[1]))
            case "not_predicate":
                return NotPredicate(self.register(tokens[1], scope))
            case "negated":
                return Negated(self.register(tokens[0], scope))
            case "negated_element":
                register, component = tokens
                return Negated(Element(self.register(register, scope), self.text(component)))
            case "integer":
                return Imm(self.integer(tokens[0]))
            case "float":
                return self.float_bits(tokens[0])
            case "special":
                return Special(self.text(tokens[0], "$"))
            case "symbol":
                return self.symbol(tree)
            case "sink":
                return Sink()
            case "address":
                return self.address(tokens, scope)
            case "pair":
                first, second = (self.operand(p, where, scope, depth + 1) for p in parts)
                return Pair(first, second)
            case "tuple_address" if parts:
                first = self.operand(parts[0], where, scope, depth + 1)
                rest = _find(tree, "operands")
                return TupleAddress((first, *self.operands(rest, where, scope, depth + 1)))
            case "tuple_address":
                return TupleAddress(())
            case kind:
                items = self.operands(_find(tree, "operands"), where, scope, depth + 1)
                return Vector(items) if kind == "vector" else Arguments(items)

    def symbol(self, tree: Tree[Token]) -> Symbol:
        name, *offset = _tokens(tree.children)
        return Symbol(self.text(name, "&"), sum(map(self.integer, offset)))

    def address(self, tokens: list[Token], scope: _Scope) -> Address:
        first, *offsets = tokens
        offset, own = [*map(self.integer, offsets), 0, 0][:2]
        if first.type == "SYMBOL":
            return Address(Symbol(self.text(first, "&"), own), offset)
        if first.type == "INT":
            return Address(Imm(self.integer(first)), offset)
        return Address(self.register(first, scope), offset)


def _tokens(children: Iterable[Token | Tree[Token] | None]) -> list[Token]:
    """The tokens among a node's children; absent optional parts are left out."""
    from lark import Token  # noqa: PLC0415 - as above

    return [child for child in children if isinstance(child, Token)]


def _trees(children: Iterable[Token | Tree[Token] | None]) -> list[Tree[Token]]:
    from lark import Tree  # noqa: PLC0415 - as above

    return [child for child in children if isinstance(child, Tree)]


def _find(tree: Tree[Token], kind: str) -> Tree[Token] | None:
    return next((t for t in _trees(tree.children) if t.data == kind), None)


def _once(names: list[str]) -> dict[str, int]:
    """The place of each name that stands once."""
    count = Counter(names)
    return {name: place for place, name in enumerate(names) if count[name] == 1}
