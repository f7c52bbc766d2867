"""The body of a function: statements into blocks of instructions."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from analyzer.frontends.ptx import forms
from analyzer.frontends.ptx.blocks import BlockList
from analyzer.frontends.ptx.fragments import Fragment, Fragments
from analyzer.frontends.ptx.grammar import RejectedError, template
from analyzer.frontends.ptx.lexer import Token, directive_name, shape_of, tokens
from analyzer.frontends.ptx.literals import FaultError
from analyzer.frontends.ptx.names import Scope, TargetList
from analyzer.frontends.ptx.prepared import Prepared, family, operands_of, prepare
from analyzer.frontends.ptx.problems import Problems
from analyzer.frontends.ptx.rejection import explain
from analyzer.frontends.ptx.templates import Statement
from analyzer.frontends.ptx.variables import make_variable
from analyzer.ir.kernel import Block, Guard, Instruction, Variable
from analyzer.ir.operation import Knowledge
from analyzer.source import DebugLocation

MAX_SCOPES = 200  # braces inside braces

_NAME = r"[A-Za-z_$%][\w$]*+"
_STATEMENT = re.compile(
    r"\s*+(?:"
    r"(@\s*+!?\s*+[%$\w]*+\s*+)?+([A-Za-z]\w*+(?:(?:\.|::)\w++)*+)(?!\s*+:|[\w$])\s*+([^;]*+);"
    rf"|({_NAME}\s*+:\s*+\.(?:branchtargets|callprototype|calltargets)\b[^;]*+);"
    rf"|({_NAME})\s*+:(?!:)"
    r"|(\.loc\b[^\n]*+)"
    r'|(\.[^;"]*+(?:"[^"\n]*+"[^;"]*+)*+);'
    r"|([{}])"
    r"|(\S[^;]*+));?+",
    re.ASCII,
)
_GUARD, _OPCODE, _REST, _TABLE, _LABEL, _LOC, _DIRECTIVE, _BRACE, _BAD = range(1, 10)
_OPCODE_START = re.compile(r"[A-Za-z]\w*+(?:(?:\.|::)\w++)*+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What bodies need to know of their module; ``text`` has no comments."""

    text: str
    problems: Problems
    address_bits: int
    debug_files: dict[int, str]
    noted: set[str] = field(default_factory=set)  # what was warned about already
    prepared: dict[tuple[str, str], Prepared] = field(default_factory=dict)


class Body(NamedTuple):
    """What was read between the braces of a function."""

    blocks: tuple[Block, ...]
    variables: tuple[Variable, ...]


def read_body(around: Surroundings, scope: Scope, start: int, end: int) -> Body:
    """Read ``text[start:end]`` with the names of ``scope``; errors go to the problems."""
    reader = _Reader(around, scope)
    reader.read(start, end)
    return reader.finish()


class _Reader:
    """Goes through the statements of one body."""

    def __init__(self, around: Surroundings, scope: Scope) -> None:
        self._around = around
        self._text = around.text
        self._problems = around.problems
        self._span = around.problems.positions.span
        self._scope = scope
        self._fragments = Fragments(scope, None)
        self._outer: list[tuple[Scope, Fragments]] = []
        self._blocks = BlockList()
        self._variables: list[Variable] = []
        self._debug: DebugLocation | None = None
        self._prepared = around.prepared
        self._resume: int | None = None

    def read(self, start: int, end: int) -> None:
        """Read all statements; after an error go on with the next one."""
        position = start
        while (match := _STATEMENT.match(self._text, position, end)) is not None:
            position = match.end()
            if match.lastindex == _REST:
                self._read_instruction(match)
            else:
                self._read_other(match)
            if self._resume is not None:
                position, self._resume = self._resume, None

    def finish(self) -> Body:
        """Give what was read, after the branches are resolved."""
        blocks, missing = self._blocks.finish()
        for name, start, end in missing:
            place = self._text.find(name, start, end)
            self._problems.error(place, place + len(name), f"label `{name}` is not there")
        return Body(blocks, tuple(self._variables))

    def _read_instruction(self, match: re.Match[str]) -> None:
        guard_text, opcode, rest = match.group(_GUARD, _OPCODE, _REST)
        memo = self._fragments
        try:
            guard = None if guard_text is None else memo[guard_text][1]
            pieces = [memo[text] for text in rest.replace(", ", ",").split(",")] if rest else []
            key = (opcode, " , ".join([piece[0] for piece in pieces]))
            prepared = self._prepared.get(key) or self._prepare(match, key)
            if prepared.is_simple:
                operands = tuple([piece[1] for piece in pieces])
            else:
                operands = operands_of(prepared, pieces)
        except FaultError as fault:
            self._problems.error(match.start(_OPCODE), match.end(_REST), str(fault))
            return
        except RejectedError as rejected:
            self._reject_instruction(match, rejected.index)
            return
        if prepared.fault is not None:
            self._problems.error(match.start(_OPCODE), match.end(_OPCODE), prepared.fault)
        if guard_text is not None and type(guard) is not Guard:
            self._reject_guard(match)
            return
        start = match.start(_OPCODE if guard is None else _GUARD)
        span = self._span(start, match.end(_REST))
        self._blocks.add(Instruction(prepared.operation, operands, span, guard, (), self._debug))
        if prepared.ends_block:
            self._end_block(match, prepared.statement, pieces, guard is not None)

    def _prepare(self, match: re.Match[str], key: tuple[str, str]) -> Prepared:
        prepared = self._prepared[key] = prepare(*key)
        operation = prepared.operation
        if operation.knowledge is Knowledge.NEAREST and key[0] not in self._around.noted:
            self._around.noted.add(key[0])
            message = (
                f"opcode `{key[0]}` is not in the table; "
                f"it counts as `{operation.op_class.value}`, by the nearest rule"
            )
            self._problems.objection(match.start(_OPCODE), match.end(_OPCODE), message)
        return prepared

    def _end_block(
        self, match: re.Match[str], statement: Statement, pieces: list[Fragment], is_guarded: bool
    ) -> None:
        if statement.label is not None:
            name = statement.label([value for piece in pieces for value in piece[2]])
            place = match.start(_REST), match.end(_REST)
            self._blocks.jump(name, statement.kind == "indexed", self._scope, *place)
        self._blocks.end(falls_through=is_guarded)

    def _reject_instruction(self, match: re.Match[str], index: int) -> None:
        self._reject(self._instruction_tokens(match.start(_OPCODE), match.end(_REST)), index)

    def _instruction_tokens(self, start: int, end: int) -> list[Token]:
        """Lex an instruction without its guard; the opcode is the first token."""
        opcode = _OPCODE_START.match(self._text, start, end)
        opcode_end = start if opcode is None else opcode.end()
        first = Token(family(self._text[start:opcode_end]), None, start, opcode_end)
        return [first, *tokens(self._text, opcode_end, end, self._scope.resolve)]

    def _reject_guard(self, match: re.Match[str]) -> None:
        start, end = match.span(_GUARD)
        lexed = list(tokens(self._text, start, end, self._scope.resolve))
        try:
            template("guard", shape_of(lexed)[0])
        except RejectedError as rejected:
            self._reject(lexed, rejected.index)

    def _reject(self, lexed: list[Token], index: int) -> None:
        explained = explain(self._text, lexed, index)
        self._problems.error(explained.start, explained.end, explained.message)
        self._resume = explained.resume

    def _read_other(self, match: re.Match[str]) -> None:
        group = match.lastindex
        start, end = match.span(group or 0)
        if group == _BRACE:
            self._read_brace(start)
        elif group == _LABEL:
            if not self._blocks.add_label(match[_LABEL], self._scope):
                self._problems.error(start, end, f"label `{match[_LABEL]}` is declared twice")
        elif group == _BAD:
            self._read_bad(start, end)
        else:
            self._read_directive(start, end)

    def _read_brace(self, start: int) -> None:
        if self._text[start] == "}":
            if self._outer:  # empty only where a statement in error took the opening brace
                self._scope, self._fragments = self._outer.pop()
            return
        if len(self._outer) >= MAX_SCOPES:
            self._problems.fatal(f"scopes are nested more than {MAX_SCOPES} deep", start)
        self._outer.append((self._scope, self._fragments))
        self._scope = Scope(self._scope.function, self._scope)
        self._fragments = Fragments(self._scope, self._fragments)

    def _read_bad(self, start: int, end: int) -> None:
        """Explain a text that is no statement; mostly the last one, without its semicolon."""
        if _OPCODE_START.match(self._text, start, end) is None:
            word = self._text[start:end].split(maxsplit=1)[0][:80]
            self._problems.error(start, start + len(word), f"`{word}` does not fit here")
            return
        lexed = self._instruction_tokens(start, end)
        self._reject_or_semicolon("instruction", lexed)

    def _reject_or_semicolon(self, rule: str, lexed: list[Token]) -> None:
        try:
            template(rule, shape_of(lexed)[0])
        except RejectedError as rejected:
            self._reject(lexed, rejected.index)
            return
        last = lexed[-1]
        word = self._text[last.start : last.end]
        self._problems.error(last.end, last.end + 1, f"missing `;` after `{word}`")

    def _read_directive(self, start: int, end: int) -> None:
        lexed = list(tokens(self._text, start, end, directive_name))
        shape, values = shape_of(lexed)
        try:
            form = template("body_directive", shape)(values)
            self._declare(form, start, end)
        except RejectedError as rejected:
            self._reject(lexed, rejected.index)
        except FaultError as fault:
            self._problems.error(start, end, str(fault))

    def _declare(self, form: object, start: int, end: int) -> None:
        match form:
            case forms.Location():
                self._debug = self._debug_location(form, start, end)
            case forms.Registers():
                for name, count in form.names:
                    if not self._scope.declare_register(name, count, form.type, form.vector):
                        self._twice("register", name, start, end)
                self._fragments.clear()
            case forms.VariableForm():
                for declared in form.declarators:
                    self._declare_variable(form, declared, start, end)
                self._fragments.clear()
            case forms.Table():
                self._declare_table(form, start, end)

    def _declare_variable(
        self, form: forms.VariableForm, declared: forms.Declarator, start: int, end: int
    ) -> None:
        symbol = self._scope.declare_symbol(declared.name)
        if symbol is None:
            self._twice("variable", declared.name, start, end)
            return
        span = self._problems.positions.span(start, end)
        bits = self._around.address_bits
        self._variables.append(make_variable(form, declared, symbol.name, bits, span))

    def _declare_table(self, form: forms.Table, start: int, end: int) -> None:
        if form.kind == "branch targets":
            if form.name in self._scope.tables:
                self._twice("label", form.name, start, end)
            self._scope.tables[form.name] = TargetList(form.targets, start, end)
        elif self._scope.declare_symbol(form.name) is None:
            self._twice("label", form.name, start, end)
        self._fragments.clear()

    def _twice(self, what: str, name: str, start: int, end: int) -> None:
        place = max(start, self._text.find(name, start, end))
        self._problems.error(place, place + len(name), f"{what} `{name}` is declared twice")

    def _debug_location(self, form: forms.Location, start: int, end: int) -> DebugLocation | None:
        name = self._around.debug_files.get(form.file)
        if name is not None:
            return DebugLocation(name, form.line, form.column)
        if (note := f".loc {form.file}") not in self._around.noted:
            self._around.noted.add(note)
            self._problems.warning(start, end, f"no .file declares the file {form.file}")
        return None
