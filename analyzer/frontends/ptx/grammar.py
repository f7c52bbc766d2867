"""Shapes of statements, parsed once each with ``ptx.lark``, and the templates that they become.

This is the only module that loads lark, at the first shape of the process.
"""

# ruff: noqa: D102 - the methods are named after the rules of the grammar, which explains them

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from operator import itemgetter
from typing import Any

from lark import Lark, Transformer
from lark.exceptions import UnexpectedToken
from lark.lexer import Lexer, Token

from warpmill.analyzer.base.lalr import lalr_parser
from warpmill.analyzer.frontends.ptx.declarations import (
    Braces,
    Declarator,
    FunctionForm,
    Indexed,
    LabelTable,
    Location,
    MaskedSymbol,
    ModuleDirective,
    Numbers,
    Pointer,
    PtxParameter,
    RegisterForm,
    SamplerSetting,
    VariableForm,
)
from warpmill.analyzer.frontends.ptx.lexer import (
    MAX_NESTING,
    DecimalLiteral,
    ExpressionTemplates,
    negated,
    offset_of,
)
from warpmill.analyzer.ir.kernel import (
    Address,
    Arguments,
    Imm,
    Negated,
    NotPredicate,
    Operand,
    Pair,
    Symbol,
    TupleAddress,
    Vector,
)
from warpmill.analyzer.ir.types import Space, Type

STARTS = ("guard", "operand", "instruction", "body_directive", "header", "module_directive")
KINDS_WITH_VALUE = frozenset(
    {
        "REG", "ELEMENT", "SPECIAL", "NAME", "LABEL", "SINK", "INT", "FLOAT", "DECIMAL", "NUMBERS",
        "STRING", "TYPE", "VECTOR", "SPACE", "LINKAGE",
    }
)  # fmt: skip


class RejectedError(Exception):
    """The grammar has no such statement.

    ``index`` is the place of the first token that does not fit, or the number of tokens where the
    statement ends too early.
    """

    def __init__(self, index: int) -> None:
        super().__init__(index)
        self.index = index


class _Kinds(Lexer):
    """Hands kinds to the parser; ``start_pos`` carries the place among the values."""

    def __init__(self, conf: object) -> None:
        pass

    def lex(self, data: Any) -> Iterator[Token]:  # type: ignore[override]  # lark passes on what parse() got
        terminals = _terminals()
        place = 0
        for index, kind in enumerate(data):
            yield Token(terminals.get(kind, kind), kind, start_pos=place, column=index)
            place += kind in KINDS_WITH_VALUE


@cache
def _parser() -> Lark:
    return lalr_parser("ptx.lark", lexer=_Kinds, start=list(STARTS), transformer=Templates())


@cache
def _terminals() -> dict[str, str]:
    """Names of the terminals by the text that the grammar quotes."""
    return {t.pattern.value: t.name for t in _parser().terminals if t.pattern is not None}


def _too_deep(kinds: list[str]) -> int | None:
    """Find where operators before an operand, casts and choices go too deep; brackets apart."""
    depth = 0
    for index, (before, kind) in enumerate(pairwise(kinds), start=1):
        is_repeated = kind in _BEFORE_OPERAND and before in _BEFORE_OPERAND
        depth += is_repeated or kind == "?" or (before == "(" and kind == "TYPE")
        if depth > MAX_NESTING:
            return index
    return None


_BEFORE_OPERAND = frozenset("-+~!")


@lru_cache(maxsize=16384)
def _parsed(start: str, shape: str) -> Any:
    kinds = shape.split()
    too_deep = _too_deep(kinds)
    if too_deep is not None:
        return RejectedError(too_deep)
    try:
        return _parser().parse(kinds, start=start)
    except UnexpectedToken as error:
        at_end = error.token.type == "$END"
        return RejectedError(len(kinds) if at_end else int(error.token.column or 0))


def template(start: str, shape: str) -> Any:
    """Result of ``Templates`` for a shape, read as ``start``; raises RejectedError."""
    result = _parsed(start, shape)
    if isinstance(result, RejectedError):
        raise RejectedError(result.index)
    return result


# Templates: what a shape means, as functions from the values of its tokens.
#
# The parser calls the methods of ``Templates``, named after the rules of ``ptx.lark``, with the
# templates of a rule's children. A template is called with the values of all tokens of a statement
# that have one, and gives an operand, a number or, of a directive, one of ``declarations``.

Values = Sequence[Any]
Children = list[Any]
Template = Callable[[Values], Any]

# Templates of directives: functions from the values of tokens to ``declarations``.
#
# The parts of a directive are (tag, value) pairs: tokens are tagged by their kind, the results of
# rules by a name, so that optional and repeated parts are told apart.


Parts = dict[str, list[Any]]
Part = Callable[[Values], tuple[str, Any]]


def _parts(children: Children, values: Values) -> Parts:
    """Evaluate the children and sort the results by their tags."""
    parts: Parts = defaultdict(list)
    for child in children:
        if isinstance(child, Token):
            parts[child.type].append(values[child.start_pos or 0])
        else:
            tag, value = child(values)
            parts[tag].append(value)
    return parts


def _collected(make: Callable[[Parts], Any]) -> Callable[[Any, Children], Callable[[Values], Any]]:
    """Turn a function of the parts into a rule's method."""

    def rule(_self: Any, children: Children) -> Callable[[Values], Any]:
        return lambda values: make(_parts(children, values))

    return rule


def _one(parts: Parts, tag: str, default: Any = None) -> Any:
    return parts[tag][0] if parts[tag] else default


def _name(parts: Parts) -> str:
    return str(_one(parts, "NAME", "_"))


def _tuning(word: str) -> Callable[[Any, Children], Part]:
    """Make the rule of a performance directive with numbers or texts."""

    def rule(_self: Any, children: Children) -> Part:
        def numbers(values: Values) -> tuple[str, Any]:
            given = [values[child.start_pos] for child in children]
            return "tuning", (word, tuple([getattr(v, "value", v) for v in given]))

        return numbers

    return rule


def _line(word: str) -> Callable[[Any, Children], Callable[[Values], ModuleDirective]]:
    def rule(_self: Any, children: Children) -> Callable[[Values], ModuleDirective]:
        def line(values: Values) -> ModuleDirective:
            given = [values[child.start_pos] for child in children]
            return ModuleDirective(word, tuple([_plain(v) for v in given]))

        return line

    return rule


def _plain(value: Any) -> str | int:
    """A name or text as it is, an integer as a number, a decimal as it was written."""
    return value if isinstance(value, str) else getattr(value, "text", None) or int(value.value)


def _variable(parts: Parts) -> VariableForm:
    return VariableForm(
        space=parts["space"][0],
        type=parts["TYPE"][0],
        vector=_one(parts, "VECTOR", 1),
        align=_one(parts, "align"),
        words=tuple(sorted([*parts["LINKAGE"], *(w for ws in parts["words"] for w in ws)])),
        declarators=tuple(parts["declarator"]),
    )


def _declarator(parts: Parts) -> tuple[str, Declarator]:
    initial = _one(parts, "initial")
    return "declarator", Declarator(_name(parts), tuple(parts["dimension"]), initial)


def _parameter(is_register: bool) -> Callable[[Parts], tuple[str, PtxParameter]]:
    return lambda parts: (
        "parameter",
        PtxParameter(
            is_register=is_register,
            type=parts["TYPE"][0],
            vector=_one(parts, "VECTOR", 1),
            align=_one(parts, "align"),
            pointer=_one(parts, "pointer"),
            name=_name(parts),
            dimensions=tuple(parts["dimension"]),
        ),
    )


def _header(is_entry: bool) -> Callable[[Parts], FunctionForm]:
    def make(parts: Parts) -> FunctionForm:
        before = _one(parts, "returns", ())
        return FunctionForm(
            is_entry=is_entry,
            name=_name(parts),
            words=tuple(sorted([*parts["LINKAGE"], *(w for ws in parts["words"] for w in ws)])),
            returns=before,
            parameters=_one(parts, "parameters", ()),
            tuning=tuple(parts["tuning"]),
        )

    return make


def _table(kind: str) -> Callable[[Parts], LabelTable]:
    def make(parts: Parts) -> LabelTable:
        name, *targets = parts["NAME"]
        return LabelTable(kind, name, tuple(targets))

    return make


class FormTemplates:
    """The rules of directives."""

    registers = _collected(
        lambda p: RegisterForm(p["TYPE"][0], _one(p, "VECTOR", 1), tuple(p["register"]))
    )
    register_name = _collected(lambda p: ("register", (_name(p), None)))
    register_range = _collected(lambda p: ("register", (_name(p), p["INT"][0].value)))
    branch_targets = _collected(_table("branch targets"))
    call_targets = _collected(_table("call targets"))
    prototype = _collected(_table("prototype"))

    variable = _collected(_variable)
    space = _collected(lambda p: ("space", p["SPACE"][0]))
    param_space = _collected(lambda _: ("space", Space.PARAM))
    attribute = _collected(lambda p: ("words", p["word"]))
    managed = _collected(lambda _: ("word", "managed"))
    unified = _collected(lambda p: ("word", "unified({},{})".format(*[n.value for n in p["INT"]])))
    align = _collected(lambda p: ("align", p["INT"][0].value))
    declarator = initialised = _collected(_declarator)
    parameter = _collected(_parameter(is_register=False))
    register_parameter = _collected(_parameter(is_register=True))
    pointer = _collected(lambda p: ("pointer", Pointer(_one(p, "SPACE"), _one(p, "align"))))
    entry = _collected(_header(is_entry=True))
    function = _collected(_header(is_entry=False))
    parameters = _collected(lambda p: ("parameters", tuple(p["parameter"])))
    returns = _collected(lambda p: ("returns", p["parameters"][0]))

    open_dimension = _collected(lambda _: ("dimension", None))
    setting = _collected(lambda p: ("initial", _setting(p)))
    braces = _collected(lambda p: ("initial", Braces(tuple(p["initial"]))))

    maxntid = _tuning("maxntid")
    reqntid = _tuning("reqntid")
    minnctapersm = _tuning("minnctapersm")
    maxnctapersm = _tuning("maxnctapersm")
    maxnreg = _tuning("maxnreg")
    minperctamemory = _tuning("minperctamemory")
    noreturn = _tuning("noreturn")
    explicitcluster = _tuning("explicitcluster")
    reqnctapercluster = _tuning("reqnctapercluster")
    maxclusterrank = _tuning("maxclusterrank")
    blocksareclusters = _tuning("blocksareclusters")
    abi_preserve = _tuning("abi_preserve")
    abi_preserve_control = _tuning("abi_preserve_control")
    header_pragma = _tuning("pragma")

    pragma = _line("pragma")
    version = _line("version")
    target = _line("target")
    address_size = _line("address_size")
    file = _line("file")
    alias = _line("alias")

    def loc(self, children: Children) -> Callable[[Values], Location]:
        tokens = [child for child in children if isinstance(child, Token)]
        places = [token.start_pos or 0 for token in tokens if token.type == "INT"]

        def location(values: Values) -> Location:
            file, line, column, *outer = [values[place].value for place in places]
            return Location(file, line, column, (outer[0], outer[1], outer[2]) if outer else None)

        return location

    def dimension(self, children: Children) -> Part:
        number = children[0]
        return lambda values: ("dimension", number(values))

    def initial(self, children: Children) -> Part:
        constant = children[0]
        return lambda values: ("initial", constant(values))

    def numbers(self, children: Children) -> Part:
        place = children[0].start_pos
        return lambda values: ("initial", Numbers(values[place]))

    def name_in_initialiser(self, children: Children) -> Callable[[Values], Symbol]:
        place = children[0].start_pos
        offset = offset_of(children[1:])
        if offset is None:
            return lambda values: Symbol(values[place])
        return lambda values: Symbol(values[place], offset(values))

    def generic_name(self, children: Children) -> Callable[[Values], Symbol]:
        symbol, offset = children[0], offset_of(children[1:])
        if offset is None:
            return symbol  # type: ignore[no-any-return]  # lark does not type children
        return lambda values: Symbol(symbol(values).name, symbol(values).offset + offset(values))

    def masked_symbol(self, children: Children) -> Callable[[Values], MaskedSymbol]:
        place, symbol = children[0].start_pos, children[1]
        return lambda values: MaskedSymbol(values[place].value, symbol(values))


def _setting(parts: Parts) -> SamplerSetting:
    name, *value = parts["NAME"]
    return SamplerSetting(name, str(value[0] if value else parts["INT"][0].value))


@dataclass(frozen=True, slots=True)
class StatementTemplate:
    """The template of an instruction.

    ``kind`` is the rule that it was read by, ``operands`` one template an operand. ``label`` gives
    the name of the branch target, or of the branch target list.
    """

    kind: str
    operands: tuple[Template, ...] = ()
    label: Template | None = None


class Templates(FormTemplates, ExpressionTemplates, Transformer[Any, Any]):
    """Templates of operands and instructions."""

    def atom(self, children: Children) -> Template:
        return itemgetter(children[0].start_pos)

    def integer(self, children: Children) -> Template:
        number = children[0]
        return lambda values: Imm(int(number(values)))

    def negated(self, children: Children) -> Template:
        place = children[0].start_pos
        return lambda values: Negated(values[place])

    def negative_float(self, children: Children) -> Template:
        place = children[0].start_pos
        return lambda values: negated(values[place])

    def symbol(self, children: Children) -> Template:
        place, offset = _name_and_offset(children)
        if offset is None:
            return itemgetter(place)
        return lambda values: Symbol(values[place].name, values[place].offset + int(offset(values)))

    def element(self, children: Children) -> Template:
        array, first, *rest = children
        place = array.start_pos
        if not isinstance(first, Token):
            return lambda values: Indexed(values[place], None, int(first(values)))
        index, steps = first.start_pos or 0, offset_of(rest)
        if steps is None:
            return lambda values: Indexed(values[place], values[index], 0)
        return lambda values: Indexed(values[place], values[index], int(steps(values)))

    def vector(self, children: Children) -> Template:
        parts = tuple(children)
        return lambda values: Vector(tuple([part(values) for part in parts]))

    def arguments(self, children: Children) -> Template:
        parts = tuple(children)
        return lambda values: Arguments(tuple([part(values) for part in parts]))

    def pair(self, children: Children) -> Template:
        first, second = children
        return lambda values: Pair(first(values), second(values))

    def not_predicate(self, children: Children) -> Template:
        place = children[0].start_pos
        return lambda values: NotPredicate(values[place])

    def address(self, children: Children) -> Template:
        place, offset = _name_and_offset(children)
        if offset is None:
            return lambda values: address_of(values[place], 0)
        return lambda values: address_of(values[place], int(offset(values)))

    def absolute_address(self, children: Children) -> Template:
        number = children[0]
        return lambda values: Address(Imm(int(number(values))))

    def tuple_address(self, children: Children) -> Template:
        base, *rest = children
        return lambda values: TupleAddress(
            (_without_brackets(base(values)), *[part(values) for part in rest])
        )

    def guard(self, children: Children) -> tuple[int, bool]:
        return children[0].start_pos, False

    def guard_not(self, children: Children) -> tuple[int, bool]:
        return children[0].start_pos, True

    def plain(self, children: Children) -> StatementTemplate:
        return StatementTemplate("plain", tuple(children))

    def return_(self, _children: Children) -> StatementTemplate:
        return StatementTemplate("return")

    def branch(self, children: Children) -> StatementTemplate:
        return StatementTemplate("branch", (), itemgetter(children[0].start_pos))

    def indexed(self, children: Children) -> StatementTemplate:
        return StatementTemplate("indexed", (children[0],), itemgetter(children[1].start_pos))

    def call(self, children: Children) -> StatementTemplate:
        return StatementTemplate("call", tuple(children))

    def call_indirect(self, children: Children) -> StatementTemplate:
        return StatementTemplate("call", tuple(children))


def _name_and_offset(children: Children) -> tuple[int, Template | None]:
    return children[0].start_pos, offset_of(children[1:])


def address_of(base: Any, offset: int) -> Address:
    """Make an address of a register or symbol; a symbol's own offset moves into the address."""
    if isinstance(base, Symbol):
        return Address(Symbol(base.name), base.offset + offset)
    return Address(base, offset)


def _without_brackets(address: Address) -> Operand:
    """The base of a tuple address as an operand; only one with an offset stays an Address."""
    if isinstance(address.base, Symbol):
        return Symbol(address.base.name, address.offset)
    return address if address.offset else address.base


def with_decimals(operand: Any, type_: Type | None) -> Operand:
    """Decimal constants, in vectors too, the type that the instruction computes on."""
    match operand:
        case DecimalLiteral():
            return operand.as_type(type_)
        case Vector(elements):
            return Vector(tuple([with_decimals(e, type_) for e in elements]))
        case Arguments(items):
            return Arguments(tuple([with_decimals(e, type_) for e in items]))
        case _:
            return operand  # type: ignore[no-any-return]  # what a template gave
