"""The grammar at work: a shape becomes a template. Only this module needs lark."""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from dataclasses import dataclass
from functools import cache
from typing import Any

from lark import Lark, Token, Transformer
from lark.exceptions import UnexpectedInput, VisitError

from warpmill.analyzer.base.lalr import lalr_parser
from warpmill.analyzer.frontends.llvm import statement as st
from warpmill.analyzer.frontends.llvm import types as ty
from warpmill.analyzer.frontends.llvm.statement import FunctionHeader, GlobalVariable, Template
from warpmill.analyzer.frontends.llvm.types import Type


@cache
def _parser() -> Lark:
    return lalr_parser(
        "llvm_instruction.lark",
        start=["statement", "header", "global_variable", "type_body"],
        maybe_placeholders=True,
    )


def parse_shape(shape: str, start: str, positions: Mapping[int, int]) -> object:
    """Parse a shape from a start symbol; ``positions`` tells which slot starts where.

    Raise SyntaxFault where the grammar does not take it.
    """
    try:
        tree = _parser().parse(shape, start=start)
        return _Build(positions).transform(tree)
    except UnexpectedInput as error:
        raise SyntaxFault(f"`{_word_at(shape, error.pos_in_stream)}` is not understood") from None
    except VisitError as error:
        if isinstance(error.orig_exc, RecursionError):
            raise SyntaxFault("nested too deeply") from None
        raise
    except RecursionError:
        raise SyntaxFault("nested too deeply") from None


def _word_at(shape: str, position: int | None) -> str:
    rest = shape[position or 0 :].split()
    return rest[0] if rest else "the end of the statement"


def _flags(items: list[Any]) -> tuple[str, ...]:
    return tuple(str(item) for item in items if item is not None)


class _Build(Transformer[Token, Any]):
    """One method a rule; the children come as templates and tokens."""

    def __init__(self, positions: Mapping[int, int]) -> None:
        super().__init__()
        self._positions = positions

    def _slot(self, token: Token) -> int:
        return self._positions[token.start_pos or 0]

    def _name(self, token: Token) -> st.Name:
        return self._slot(token) if token == "%" else str(token)

    # -- values
    def local(self, c: list[Any]) -> st.Local:
        return st.Local(self._name(c[0]))

    def global_(self, c: list[Any]) -> st.Global:
        return st.Global(self._slot(c[0]))

    def integer(self, c: list[Any]) -> st.Integer:
        return st.Integer(self._slot(c[0]))

    def float_(self, c: list[Any]) -> st.Float:
        return st.Float(self._slot(c[0]))

    def bytes_(self, c: list[Any]) -> st.Bytes:
        return st.Bytes(self._slot(c[0]))

    def constant(self, c: list[Any]) -> st.Keyword:
        return st.Keyword(str(c[0]))

    def aggregate(self, c: list[Any]) -> st.Aggregate:
        return st.Aggregate(tuple(item for item in c if item is not None))

    def splat(self, c: list[Any]) -> st.Splat:
        return st.Splat(c[0])

    def typed(self, c: list[Any]) -> st.Typed:
        return st.Typed(c[0], c[1])

    def cast_expression(self, c: list[Any]) -> st.ConstantExpression:
        return st.ConstantExpression(str(c[0]), (c[2],), c[3])

    def binary_expression(self, c: list[Any]) -> st.ConstantExpression:
        return st.ConstantExpression(str(c[0]), (c[2], c[3]))

    def gep_expression(self, c: list[Any]) -> st.ConstantExpression:
        return st.ConstantExpression("getelementptr", tuple(c[2:]), c[1])

    def element_expression(self, c: list[Any]) -> st.ConstantExpression:
        return st.ConstantExpression(str(c[0]), tuple(c[1:]))

    def block_address(self, c: list[Any]) -> st.ConstantExpression:  # noqa: ARG002 - a rule's method
        return st.ConstantExpression("blockaddress", ())

    def assembly(self, c: list[Any]) -> st.InlineAssembly:
        return st.InlineAssembly(self._slot(c[1]), self._slot(c[2]))

    # -- types
    def int_type(self, c: list[Any]) -> ty.IntType:
        return ty.IntType(int(c[0][1:]))

    def float_type(self, c: list[Any]) -> ty.FloatType:
        return ty.FloatType(str(c[0]))

    def pointer_type(self, c: list[Any]) -> ty.PointerType:
        return ty.PointerType(c[0] or 0)

    def other_type(self, c: list[Any]) -> ty.OtherType:
        return ty.OtherType(str(c[0]))

    def named(self, c: list[Any]) -> ty.NamedType:
        return ty.NamedType(str(c[0])[1:])

    def vector_type(self, c: list[Any]) -> ty.VectorType:
        return ty.VectorType(int(c[0]), c[1])

    def array_type(self, c: list[Any]) -> ty.ArrayType:
        return ty.ArrayType(int(c[0]), c[1])

    def struct_type(self, c: list[Any]) -> ty.StructType:
        return ty.StructType(tuple(t for t in c if t is not None))

    def packed_struct_type(self, c: list[Any]) -> ty.StructType:
        return ty.StructType(tuple(t for t in c if t is not None), packed=True)

    def target_type(self, c: list[Any]) -> ty.IntType:  # noqa: ARG002 - a rule's method
        return ty.IntType(64)  # a handle: images, samplers and events of SPIR-V

    def function_type(self, c: list[Any]) -> ty.FunctionType:
        return ty.FunctionType(c[0])

    def variadic(self, c: list[Any]) -> None:  # noqa: ARG002 - a rule's method
        return None

    def address_space(self, c: list[Any]) -> int:
        return int(c[0])

    # -- words around them
    def flags(self, c: list[Any]) -> tuple[str, ...]:
        return _flags(c)

    def inrange(self, c: list[Any]) -> None:  # noqa: ARG002 - a rule's method
        return None

    def junk(self, c: list[Any]) -> None:  # noqa: ARG002 - a rule's method
        return None

    def scope(self, c: list[Any]) -> int:
        return self._slot(c[0])

    def align(self, c: list[Any]) -> st.Attribute:
        return st.Attribute("align", slot=self._slot(c[0]))

    def access(self, c: list[Any]) -> tuple[int | None, tuple[str, ...], int | None]:
        scope, *words, align = c
        return scope, _flags(words), align.slot if align is not None else None

    def attribute(self, c: list[Any]) -> st.Attribute | None:
        word = c[0] if c else None
        return st.Attribute(str(word)) if getattr(word, "type", "") == "WORD" else None

    def type_attribute(self, c: list[Any]) -> st.Attribute:
        return st.Attribute(str(c[0]), type=c[1])

    def align_attribute(self, c: list[Any]) -> st.Attribute:
        return st.Attribute("align", slot=self._slot(c[0]))

    def attributes(self, c: list[Any]) -> tuple[st.Attribute, ...]:
        return tuple(a for a in c if a is not None)

    # -- instructions
    def result(self, c: list[Any]) -> st.Name:
        return self._name(c[0])

    def statement(self, c: list[Any]) -> st.Template:
        result, make = c
        template: st.Template = make
        if result is None:
            return template
        return st.Template(
            template.opcode, result, template.type, template.operands, template.words,
            template.indices, template.labels, template.callee, template.scope, template.align,
        )  # fmt: skip

    def binary(self, c: list[Any]) -> st.Template:
        opcode, words, type_, left, right = c
        operands = (st.Typed(type_, left), st.Typed(type_, right))
        return st.Template(str(opcode), type=type_, operands=operands, words=words)

    compare = binary

    def unary(self, c: list[Any]) -> st.Template:
        return st.Template(str(c[0]), type=c[2].type, operands=(c[2],), words=c[1])

    def cast(self, c: list[Any]) -> st.Template:
        return st.Template(str(c[0]), type=c[3], operands=(c[2],), words=c[1])

    def select(self, c: list[Any]) -> st.Template:
        return st.Template("select", type=c[2].type, operands=tuple(c[1:]), words=c[0])

    def phi_edge(self, c: list[Any]) -> tuple[Any, st.Name]:
        return c[0], self._name(c[1])

    def phi(self, c: list[Any]) -> st.Template:
        words, type_, *edges = c
        values = tuple(st.Typed(type_, value) for value, _ in edges)
        labels = tuple(label for _, label in edges)
        return st.Template("phi", type=type_, operands=values, labels=labels, words=words)

    def elements(self, c: list[Any]) -> st.Template:
        return st.Template(str(c[0]), operands=tuple(c[1:]))

    def extract_value(self, c: list[Any]) -> st.Template:
        indices = tuple(map(self._slot, c[1:]))
        return st.Template("extractvalue", operands=(c[0],), indices=indices)

    def insert_value(self, c: list[Any]) -> st.Template:
        indices = tuple(map(self._slot, c[2:]))
        return st.Template("insertvalue", type=c[0].type, operands=tuple(c[:2]), indices=indices)

    def alloca(self, c: list[Any]) -> st.Template:
        words, type_, *parts = c
        counts = tuple(p for p in parts if isinstance(p, st.Typed))
        aligns = [p.slot for p in parts if isinstance(p, st.Attribute)]
        align = aligns[0] if aligns else None
        return st.Template("alloca", type=type_, operands=counts, words=words, align=align)

    def load(self, c: list[Any]) -> st.Template:
        words, type_, address, (scope, order, align) = c
        words = (*words, *order)
        return st.Template(
            "load", type=type_, operands=(address,), words=words, scope=scope, align=align
        )

    def store(self, c: list[Any]) -> st.Template:
        return self._access("store", c)

    def gep(self, c: list[Any]) -> st.Template:
        return st.Template("getelementptr", type=c[1], operands=tuple(c[2:]), words=c[0])

    def atomic_rmw(self, c: list[Any]) -> st.Template:
        return self._access("atomicrmw", c)

    def compare_exchange(self, c: list[Any]) -> st.Template:
        return self._access("cmpxchg", c)

    def fence(self, c: list[Any]) -> st.Template:
        scope, order, _ = c[0]
        return st.Template("fence", words=order, scope=scope)

    def _access(self, opcode: str, c: list[Any]) -> st.Template:
        words, *operands, (scope, order, align) = c
        words = (*words, *order)
        return st.Template(opcode, operands=tuple(operands), words=words, scope=scope, align=align)

    def argument(self, c: list[Any]) -> st.Typed:
        align = next((a.slot for a in c[1] if a.name == "align"), None)
        return st.Typed(c[0], c[2], align)

    def metadata_argument(self, c: list[Any]) -> st.Typed:  # noqa: ARG002 - a rule's method
        return st.Typed(ty.OtherType("metadata"), st.MetadataArgument())

    def metadata_node(self, c: list[Any]) -> None:  # noqa: ARG002 - a rule's method
        return None

    def bundle(self, c: list[Any]) -> None:  # noqa: ARG002 - a rule's method
        return None

    def call_end(self, c: list[Any]) -> None:  # noqa: ARG002 - a rule's method
        return None

    def callee(self, c: list[Any]) -> Any:
        return c[0]

    def call(self, c: list[Any]) -> st.Template:
        _, attributes, type_, callee, *arguments, _ = c
        result = type_.result if isinstance(type_, ty.FunctionType) else type_
        operands = tuple(a for a in arguments if a is not None)
        words = tuple(a.name for a in attributes)
        return st.Template("call", type=result, operands=operands, words=words, callee=callee)

    def ret(self, c: list[Any]) -> st.Template:
        operands = () if c[1] is None else (st.Typed(c[0], c[1]),)
        return st.Template("ret", operands=operands)

    def jump(self, c: list[Any]) -> st.Template:
        return st.Template("br", labels=(self._name(c[0]),))

    def branch(self, c: list[Any]) -> st.Template:
        return st.Template("br", operands=(c[0],), labels=tuple(map(self._name, c[1:])))

    def switch_case(self, c: list[Any]) -> tuple[st.Typed, st.Name]:
        return c[0], self._name(c[1])

    def switch(self, c: list[Any]) -> st.Template:
        value, default, *cases = c
        operands = (value, *(case for case, _ in cases))
        labels = (self._name(default), *(label for _, label in cases))
        return st.Template("switch", operands=operands, labels=labels)

    def indirect_branch(self, c: list[Any]) -> st.Template:
        labels = tuple(self._name(label) for label in c[1:] if label is not None)
        return st.Template("indirectbr", operands=(c[0],), labels=labels)

    def unreachable(self, c: list[Any]) -> st.Template:  # noqa: ARG002 - a rule's method
        return st.Template("unreachable")

    # -- module level
    def parameter(self, c: list[Any]) -> st.HeaderParameter:
        return st.HeaderParameter(c[0], c[1], None if c[2] is None else self._name(c[2]))

    def header(self, c: list[Any]) -> st.FunctionHeader:
        attributes, returns, name, *parameters = c
        kept = tuple(p for p in parameters if p is not None)
        return st.FunctionHeader(returns, self._slot(name), kept, tuple(a.name for a in attributes))

    def global_word(self, c: list[Any]) -> Any:
        return c[0]

    def global_variable(self, c: list[Any]) -> st.GlobalVariable:
        _, *words, type_, value = c
        space = next((w for w in words if isinstance(w, int)), 0)
        names = tuple(str(w) for w in words if not isinstance(w, int))
        return st.GlobalVariable(type_, names, space, value)

    def type_body(self, c: list[Any]) -> Any:
        return c[0]

    def opaque_body(self, c: list[Any]) -> None:  # noqa: ARG002 - a rule's method
        return None


# From the text of a statement to its shape, and from a shape to its template, once for each.

_SLOT = re.compile(
    r"""
      (?P<string> c?"[^"]*" )
    | (?P<local>  %(?:[-\w.$]+|"[^"]*") )
    | (?P<global> @(?:[-\w.$]+|"[^"]*") )
    | (?P<meta>   !(?:[-\w.$\\]+|"[^"]*")? )
    | (?P<group>  \#\d+ )
    | (?P<float>  (?<![\w.$-]) (?: -?\d+\.\d*(?:[eE][-+]?\d+)? | f?0x[HKLMR]?[0-9A-Fa-f]+
                                 | [-+](?:inf|nan)\b ) (?![\w.]) )
    | (?P<int>    (?<![\w.$-]) (?<!addrspace\() (?: -?\d+ | [su]0x[0-9A-Fa-f]+ )
                  (?![\w.]) (?![ ]+x\b) )
    """,
    re.VERBOSE,
)
_PLACEHOLDER = {
    "string": '""', "local": "%", "global": "@", "meta": "!", "group": "#", "float": "0.0",
    "int": "0",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class StatementShape:
    """A statement with its names and constants taken out; ``texts`` are those, by slot."""

    text: str
    texts: tuple[str, ...]


def shape_of(statement: str, type_names: Set[str]) -> StatementShape:
    """Normalise a statement. Names of the module's types belong to the shape and stay."""
    texts: list[str] = []

    def placeholder(found: re.Match[str]) -> str:
        kind, text = str(found.lastgroup), found[0]
        if kind == "local" and text[1:] in type_names:
            return text
        texts.append(text)
        return _PLACEHOLDER[kind]

    return StatementShape(_SLOT.sub(placeholder, statement), tuple(texts))


def slot_positions(statement: str, type_names: Set[str]) -> dict[int, int]:
    """Start of each slot's placeholder in the shape: position to slot index."""
    positions: dict[int, int] = {}
    moved = 0
    for found in _SLOT.finditer(statement):
        kind = str(found.lastgroup)
        if kind == "local" and found[0][1:] in type_names:
            continue
        positions[found.start() + moved] = len(positions)
        moved += len(_PLACEHOLDER[kind]) - len(found[0])
    return positions


class SyntaxFault(Exception):  # noqa: N818 - it becomes a warning at the statement
    """A shape that the grammar does not know."""


_TEMPLATES: dict[tuple[str, str], object] = {}
_LIMIT = 65536


def _parsed(statement: str, start: str, type_names: Set[str]) -> tuple[object, tuple[str, ...]]:
    shape = shape_of(statement, type_names)
    return _of_shape(statement, shape, start, type_names), shape.texts


def _of_shape(statement: str, shape: StatementShape, start: str, type_names: Set[str]) -> object:
    key = (start, shape.text)
    if key not in _TEMPLATES:
        if len(_TEMPLATES) >= _LIMIT:
            _TEMPLATES.clear()
        positions = slot_positions(statement, type_names)
        _TEMPLATES[key] = parse_shape(shape.text, start, positions)
    return _TEMPLATES[key]


def parse_statement(statement: str, shape: StatementShape, type_names: Set[str]) -> Template:
    """Parse an instruction of a shape; raise SyntaxFault where the grammar does not know it."""
    template = _of_shape(statement, shape, "statement", type_names)
    assert isinstance(template, Template)
    return template


def parse_header(text: str, type_names: Set[str]) -> tuple[FunctionHeader, tuple[str, ...]]:
    """Parse a function's first line up to its closing parenthesis."""
    header, texts = _parsed(text, "header", type_names)
    assert isinstance(header, FunctionHeader)
    return header, texts


def parse_global(text: str, type_names: Set[str]) -> tuple[GlobalVariable, tuple[str, ...]]:
    """Parse a module-level variable, without what follows its initialiser."""
    variable, texts = _parsed(text, "global_variable", type_names)
    assert isinstance(variable, GlobalVariable)
    return variable, texts


def parse_type(text: str, type_names: Set[str]) -> Type | None:
    """Parse what a type definition gives a name to; None for an opaque type."""
    type_, _ = _parsed(text, "type_body", type_names)
    return type_  # type: ignore[return-value] # what `type_body` gives
