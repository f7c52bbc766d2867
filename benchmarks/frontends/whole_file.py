"""PTX by the plain use of a parser generator: whole files through lark, to compare speeds with.

What it does: it lexes a file once from start to end into the same kinds of tokens that the
front-end uses (with its lexer), and has lark's LALR parser read every token of every statement with
the same grammar file, ``grammars/ptx.lark``, to which the rules below add what a module and a body
are. The grammar's templates are applied as the parser reduces, and called on the statement's
values, so that operands, guards and the forms of directives come out as the IR's objects. Names
resolve by the declarations read so far, in nested scopes.

What it does not: remember shapes, fragments or texts; and it makes no blocks, spans or debug
locations, checks no labels and verifies nothing, which the front-end does. It does less work with
the slower method, so the ratio of the two speeds does not flatter the front-end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from lark import Lark
from lark.lexer import Lexer, Token

from warpmill.analyzer.frontends.ptx import declarations as forms
from warpmill.analyzer.frontends.ptx.grammar import KINDS_WITH_VALUE, Templates
from warpmill.analyzer.frontends.ptx.lexer import directive_name, operand_shape, tokens
from warpmill.analyzer.frontends.ptx.operands import family
from warpmill.analyzer.frontends.ptx.scopes import special_registers
from warpmill.analyzer.frontends.ptx.split import closing_brace, without_comments
from warpmill.analyzer.ir.kernel import Element, Guard, Reg, Special, Symbol
from warpmill.analyzer.ir.operation import Operation, decode
from warpmill.grammars import grammar_text

RULES = """
%declare END BEGIN OPEN CLOSE CLOSE_INNER OPCODE_TEXT
module: (directive | declared | whole)*
directive: module_directive END
declared: header END
whole: function_head statement* CLOSE     -> whole_function
function_head: header BEGIN
?statement: body_directive END               -> in_body
          | label
          | OPEN
          | CLOSE_INNER
          | guard OPCODE_TEXT instruction END -> guarded
          | OPCODE_TEXT instruction END       -> unguarded
label: NAME ":"
"""
_LINE = re.compile(r"\.(?:version|target|address_size|file|loc)\b[^\n]*")
_HEADER = re.compile(r"(?:\.(?:visible|extern|weak|common)\s+)*\.(?:entry|func)\b")
_TO_MARK = re.compile(r'[^;{"]*(?:"[^"\n]*"\s*;?[^;{"]*)*')
_TO_SEMICOLON = re.compile(r'[^;"]*(?:"[^"\n]*"[^;"]*)*')
_LABEL = re.compile(r"([\w$%]+)\s*:(?!:)(?!\s*\.(?:branchtargets|calltargets|callprototype))")
_TABLE = re.compile(r"[\w$%]+\s*:\s*\.(?:branchtargets|calltargets|callprototype)\b")
_GUARD = re.compile(r"@\s*!?\s*[\w$%]+")
_OPCODE = re.compile(r"[A-Za-z][\w.:]*")
_BLANK = re.compile(r"\s*")


@dataclass
class Names:
    """The names declared so far, the innermost scope last."""

    scopes: list[dict[str, tuple[str, object]]] = field(default_factory=lambda: [{}])
    ranges: list[dict[str, int]] = field(default_factory=lambda: [{}])
    count: int = 0

    def declare(self, name: str, kind: str, value: object) -> None:
        """Declare a name in the innermost scope."""
        self.scopes[-1][name] = (kind, value)

    def register(self) -> Reg:
        """Make a register of a number of its own."""
        self.count += 1
        return Reg(self.count)

    def resolve(self, name: str) -> tuple[str, object]:
        """The kind of a name in an operand, and what it stands for."""
        for scope in reversed(self.scopes):
            found = scope.get(name)
            if found is not None:
                return found
        return self._new(name)

    def _new(self, name: str) -> tuple[str, object]:
        stem = name.rstrip("0123456789")
        digits = name[len(stem) :]
        for scope, ranges in zip(reversed(self.scopes), reversed(self.ranges), strict=True):
            if digits and int(digits) < ranges.get(stem, 0):
                scope[name] = made = ("REG", self.register())
                return made
        if name[0] == "%" and name[1:] in special_registers():
            return "SPECIAL", Special(name[1:])
        base, dot, component = name.partition(".")
        if dot:
            kind, register = self.resolve(base)
            if kind == "REG":
                return "ELEMENT", Element(register, component)
        return "LABEL", name


class _Tokens(Lexer):
    """Lexes a whole text; what the parser declares on its way, it resolves."""

    def __init__(self, conf: object) -> None:
        pass

    def lex(self, data: Any) -> Iterator[Token]:
        text, names = data
        position, depth = _skip(text, 0), 0
        while position < len(text):
            letter = text[position]
            if letter == "{":
                yield Token("OPEN", "{")
                names.scopes.append({})
                names.ranges.append({})
                position, depth = position + 1, depth + 1
            elif letter == "}":
                depth -= 1
                yield Token("CLOSE" if depth == 0 else "CLOSE_INNER", "}")
                names.scopes.pop()
                names.ranges.pop()
                position += 1
            elif text.startswith((".section", "@@"), position):
                position = _after_section(text, position)
            elif letter == "." or _TABLE.match(text, position):
                end, kind = _directive_end(text, position)
                values: list[object] = []
                yield from _directive(text, position, end, values)
                yield Token(kind, "", start_pos=values)
                if kind == "BEGIN":
                    depth = 1
                position = end + (text[end : end + 1] in (";", "{"))
            else:
                label = _LABEL.match(text, position)
                if label is not None:
                    yield Token("NAME", label[1])
                    yield Token(_terminals()[":"], ":")
                    position = label.end()
                else:
                    end = text.index(";", position)
                    yield from _instruction(text[position:end], names)
                    position = end + 1
            position = _skip(text, position)


def _skip(text: str, position: int) -> int:
    return _BLANK.match(text, position).end()  # type: ignore[union-attr]  # it always matches


def _after_section(text: str, position: int) -> int:
    line_end = text.find("\n", position)
    if text[position] == "@":
        return len(text) if line_end < 0 else line_end
    return closing_brace(text, text.index("{", position)) + 1


def _directive_end(text: str, position: int) -> tuple[int, str]:
    line = _LINE.match(text, position)
    if line is not None:
        return line.end(), "END"
    if _HEADER.match(text, position):
        end = _TO_MARK.match(text, position).end()  # type: ignore[union-attr]  # may be empty
        return end, "BEGIN" if text[end] == "{" else "END"
    return _TO_SEMICOLON.match(text, position).end(), "END"  # type: ignore[union-attr]  # as above


def _directive(text: str, start: int, end: int, values: list[object]) -> Iterator[Token]:
    terminals = _terminals()
    for kind, value, _, _ in tokens(text, start, end, directive_name):
        yield Token(terminals.get(kind, kind), kind, start_pos=len(values))
        if value is not None:
            values.append(value)


def _instruction(text: str, names: Names) -> Iterator[Token]:
    terminals = _terminals()
    values: list[object] = []
    guard = _GUARD.match(text)
    start = 0
    if guard is not None:
        yield from _operands(guard[0], names, values)
        start = _skip(text, guard.end())
    opcode = _OPCODE.match(text, start)
    assert opcode is not None, text[:80]
    yield Token("OPCODE_TEXT", opcode[0])
    kind = family(opcode[0])
    yield Token(terminals.get(kind, kind), kind)
    yield from _operands(text[opcode.end() :], names, values)
    yield Token("END", "", start_pos=values)


def _operands(text: str, names: Names, values: list[object]) -> Iterator[Token]:
    terminals = _terminals()
    shape, found = operand_shape(text, names.resolve)
    place = len(values)
    values += found
    for kind in shape.split():
        yield Token(terminals.get(kind, kind), kind, start_pos=place)
        place += kind in KINDS_WITH_VALUE


@dataclass(frozen=True)
class Parsed:
    """An instruction as it comes out of the parser."""

    operation: Operation
    operands: tuple[Any, ...]
    guard: Guard | None


class _Whole(Templates):
    """The templates of the grammar, and what the rules of a module do with them."""

    def __init__(self) -> None:
        super().__init__()
        self.names = Names()

    def unguarded(self, children: list[Any]) -> Parsed:
        opcode, statement, end = children
        return self._made(opcode, statement, end, None)

    def guarded(self, children: list[Any]) -> Parsed:
        (place, negated), opcode, statement, end = children
        return self._made(opcode, statement, end, Guard(end.start_pos[place], negated))

    def _made(self, opcode: str, statement: Any, end: Token, guard: Guard | None) -> Parsed:
        values = end.start_pos
        operands = tuple([make(values) for make in statement.operands])
        return Parsed(decode(str(opcode)), operands, guard)

    def in_body(self, children: list[Any]) -> None:
        make, end = children
        self._declare(make(end.start_pos))

    directive = declared = in_body

    def function_head(self, children: list[Any]) -> None:
        """Declare the function outside, its parameters inside the scope that begins."""
        make, begin = children
        header = make(begin.start_pos)
        self._declare(header)
        self.names.scopes.append({})
        self.names.ranges.append({})
        for parameter in (*header.returns, *header.parameters):
            name = parameter.name
            if parameter.is_register:
                self.names.declare(name, "REG", self.names.register())
            else:
                self.names.declare(name, "NAME", Symbol(name))

    def _declare(self, form: Any) -> None:
        names = self.names
        match form:
            case forms.RegisterForm():
                for name, count in form.names:
                    if count is None:
                        names.declare(name, "REG", names.register())
                    else:
                        names.ranges[-1][name] = int(count)
            case forms.VariableForm():
                for declared in form.declarators:
                    names.declare(declared.name, "NAME", Symbol(declared.name))
            case forms.FunctionForm():
                names.declare(form.name, "NAME", Symbol(form.name))
            case forms.LabelTable() if form.kind != "branch targets":
                names.declare(form.name, "NAME", Symbol(form.name))
            case forms.ModuleDirective("alias", (alias, aliasee)):
                names.declare(str(alias), "NAME", Symbol(str(aliasee)))

    def label(self, _children: list[Any]) -> None:
        return None

    def whole_function(self, children: list[Any]) -> list[Parsed]:
        return [child for child in children if isinstance(child, Parsed)]

    def module(self, children: list[Any]) -> int:
        """Count the instructions, to check that nothing was left out."""
        return sum(len(child) for child in children if isinstance(child, list))


_WHOLE = _Whole()
_PARSER: list[Lark] = []
_TERMINALS: dict[str, str] = {}


def _terminals() -> dict[str, str]:
    return _TERMINALS


def _parser() -> Lark:
    """Make the parser once; working out its tables is not part of what is measured."""
    if not _PARSER:
        grammar = grammar_text("ptx.lark") + RULES
        made = Lark(grammar, parser="lalr", lexer=_Tokens, start="module", transformer=_WHOLE)
        _TERMINALS.update({t.pattern.value: t.name for t in made.terminals if t.pattern})
        _PARSER.append(made)
    return _PARSER[0]


def parse_whole(text: str) -> int:
    """Parse a text; the number of its instructions."""
    parser = _parser()
    _WHOLE.names = Names()
    return parser.parse((without_comments(text), _WHOLE.names))  # type: ignore[arg-type,return-value]  # for our lexer
