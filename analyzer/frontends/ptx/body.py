"""The body of a function: statements into blocks of instructions."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from analyzer.frontends.ptx import forms
from analyzer.frontends.ptx.blocks import BlockList
from analyzer.frontends.ptx.fragments import Fragments, grammar_shape
from analyzer.frontends.ptx.grammar import RejectedError, template
from analyzer.frontends.ptx.lexer import Token, directive_name, shape_of, tokens
from analyzer.frontends.ptx.literals import FaultError
from analyzer.frontends.ptx.locations import location, usual_location
from analyzer.frontends.ptx.names import Scope, TargetList
from analyzer.frontends.ptx.prepared import Prepared, family, operands_of, prepare
from analyzer.frontends.ptx.problems import first_word
from analyzer.frontends.ptx.rejection import explain, operand_at
from analyzer.frontends.ptx.surroundings import Surroundings
from analyzer.frontends.ptx.templates import Statement
from analyzer.frontends.ptx.variables import make_variable
from analyzer.ir.kernel import Block, Operand, Variable
from analyzer.ir.operand_rules import operand_faults
from analyzer.ir.operation import Knowledge
from analyzer.source import DebugLocation, Span

MAX_SCOPES = 200  # braces inside braces

_NAME = r"[A-Za-z_$%][\w$]*+"
_OPCODE_TEXT = r"[A-Za-z]\w*+(?:\s*+\.\w++|::\w++(?::\d++)?+)*+"
_LOCATION = (
    r"\.loc\s++\d++\s++\d++\s++\d++(?:\s*+,\s*+function_name\s++[\w$.]++(?:\s*+\+\s*+\d++)?+"
    r"\s*+,\s*+inlined_at\s++\d++\s++\d++\s++\d++)?+"
)
_STATEMENT = re.compile(
    r"\s*+(?:"
    rf"(@\s*+!?\s*+[%$\w]*+\s*+)?+({_OPCODE_TEXT})(?!\s*+:|[\w$])\s*+([^;]*+);"
    rf"|({_NAME}\s*+:\s*+\.(?:branchtargets|callprototype|calltargets)\b[^;]*+);"
    rf"|({_NAME})\s*+:(?!:)"
    rf"|({_LOCATION}|\.loc\b[^\n]*+)"
    r'|(\.[^;"]*+(?:"[^"\n]*+"[^;"]*+)*+);'
    r"|([{}])"
    r"|(\S[^;]*+));?+",
    re.ASCII,
)
_DECLARATIONS = re.compile(r'(?:\s*+\.(?:reg|local|shared)\b[^;{}"]*+;)++', re.ASCII)
_GUARD, _OPCODE, _REST, _TABLE, _LABEL, _LOC, _DIRECTIVE, _BRACE, _BAD = range(1, 10)
_OPCODE_START = re.compile(_OPCODE_TEXT, re.ASCII)

_new_span: Callable[[tuple[int, int, int]], Span] = partial(tuple.__new__, Span)


class Body(NamedTuple):
    """What was read between the braces of a function."""

    blocks: tuple[Block, ...]
    variables: tuple[Variable, ...]


def read_body(around: Surroundings, scope: Scope, start: int, end: int) -> Body:
    """Read ``text[start:end]`` with the names of ``scope``; errors go to the problems."""
    reader = _Reader(around, scope)
    reader.read(start, end)
    return reader.finish(end)


class _Reader:
    """Goes through the statements of one body."""

    def __init__(self, around: Surroundings, scope: Scope) -> None:
        self._around = around
        self._text = around.text
        self._problems = around.problems
        self._span = around.problems.positions.span
        self._scope = scope
        self._fragments = Fragments(scope)
        self._outer: list[tuple[Scope, Fragments]] = []
        self._blocks = BlockList()
        self._variables: list[Variable] = []
        self._debug: DebugLocation | None = None
        self._resume: int | None = None

    def read(self, start: int, end: int) -> None:
        """Read all statements; after an error go on with the next one."""
        declared = _DECLARATIONS.match(self._text, start, end)
        if declared is not None:
            self._read_part(start, declared.end())
            start = declared.end()
            self._fragments.number_registers(self._text, start, end)
        self._read_part(start, end)

    def _read_part(self, start: int, end: int) -> None:
        position: int | None = start
        while position is not None:
            self._resume = None
            self._read_until_error(position, end)
            position = self._resume

    def _read_until_error(self, position: int, end: int) -> None:
        """Read statements up to the end, or to an error that says where to go on.

        This loop is most of the time of a parse, so it calls as little as it can: the line is
        counted along, and an instruction without anything special about it is done right here.
        """
        starts = self._problems.positions.starts
        line = self._problems.positions.line_of(position)
        next_line = starts[line]
        simple, blocks = self._around.simple, self._blocks
        add_operation, add_operands = blocks.operations.append, blocks.operands.append
        add_span, add_guard, add_debug = (
            blocks.spans.append,
            blocks.guards.append,
            blocks.debugs.append,
        )
        lookup, debug = self._fragments.__getitem__, self._debug
        for match in _STATEMENT.finditer(self._text, position, end):
            if match.lastindex != _REST:
                self._read_other(match)
                if self._resume is not None:
                    return
                lookup, debug = self._fragments.__getitem__, self._debug
                continue
            guard_text, opcode, rest = match.group(_GUARD, _OPCODE, _REST)
            shapes: tuple[str, ...] = ()
            operands: tuple[Any, ...] = ()
            guard: Any = None
            try:
                if guard_text is not None:
                    guard = lookup(guard_text)[1]
                if rest:
                    pieces = map(lookup, rest.replace(", ", ",").split(","))
                    shapes, operands, _ = zip(*pieces)  # noqa: B905 - a keyword costs as much again
            except FaultError as fault:
                self._problems.error(match.start(_OPCODE), match.end(_REST), str(fault))
                continue
            operation = simple.get((opcode, shapes))
            first = match.start(_OPCODE if guard is None else _GUARD)
            while first >= next_line:
                line += 1
                next_line = starts[line]
            if operation is None or (guard is None and guard_text is not None):
                self._read_unusual(match, shapes, guard)
                if self._resume is not None:
                    return
                continue
            last = match.end(_REST)
            if last >= next_line:
                last = max(first, next_line - 1)
            before = starts[line - 1] - 1
            add_span(_new_span((line, first - before, last - before)))
            add_operation(operation)
            add_operands(operands)
            add_guard(guard)
            add_debug(debug)

    def finish(self, end: int) -> Body:
        """Give what was read, after the branches are resolved; ``end`` is the closing brace.

        Where control can reach the brace the function returns, as ptxas has it: the IR gets the
        ``ret`` that was left out.
        """
        blocks, missing = self._blocks.finish(self._span(end, end + 1), self._debug)
        for name, start, stop in missing:
            place = self._text.find(name, start, stop)
            self._problems.error(place, place + len(name), f"label `{name}` is not there")
        return Body(blocks, tuple(self._variables))

    def _read_unusual(self, match: re.Match[str], shapes: tuple[str, ...], guard: Any) -> None:
        """Read an instruction that is new, or more than an operation with operands."""
        guard_text, opcode, rest = match.group(_GUARD, _OPCODE, _REST)
        pieces = rest.replace(", ", ",").split(",") if rest else []
        try:
            prepared = self._around.prepared.get((opcode, shapes)) or self._prepare(match, shapes)
            values = [value for piece in pieces for value in self._fragments[piece][2]]
            operands = operands_of(prepared, values)
        except FaultError as fault:
            self._problems.error(match.start(_OPCODE), match.end(_REST), str(fault))
            return
        except RejectedError as rejected:
            self._reject_instruction(match, rejected.index)
            return
        if prepared.fault is not None:
            self._problems.error(match.start(_OPCODE), match.end(_OPCODE), prepared.fault)
        elif (opcode, shapes) not in self._around.sound:
            self._check(match, shapes, prepared, operands)
        if guard_text is not None and guard is None:
            self._reject_guard(match)
            return
        start = match.start(_OPCODE if guard is None else _GUARD)
        span = self._span(start, match.end(_REST))
        self._blocks.add(prepared.operation, operands, span, guard, self._debug)
        if prepared.ends_block:
            self._end_block(match, prepared.statement, values, guard is not None)

    def _prepare(self, match: re.Match[str], shapes: tuple[str, ...]) -> Prepared:
        opcode = match[_OPCODE]
        shape = " , ".join([grammar_shape(shape) for shape in shapes])
        prepared = self._around.prepared[opcode, shapes] = prepare(opcode, shape)
        operation = prepared.operation
        if operation.knowledge is Knowledge.NEAREST and opcode not in self._around.noted:
            self._around.noted.add(opcode)
            message = (
                f"opcode `{opcode}` is not in the table; "
                f"it counts as `{operation.op_class.value}`, by the nearest rule"
            )
            self._problems.objection(match.start(_OPCODE), match.end(_OPCODE), message)
        return prepared

    def _check(
        self,
        match: re.Match[str],
        shapes: tuple[str, ...],
        prepared: Prepared,
        operands: tuple[Operand, ...],
    ) -> None:
        """Hold operands against the verifier's rules; the shapes tell all that those look at."""
        operation, key = prepared.operation, (match[_OPCODE], shapes)
        faults = list(operand_faults(operation, operands, self._scope.function))
        for fault in faults:
            place = operand_at(self._text, match.start(_REST), match.end(_REST), fault.place)
            self._problems.error(*place, fault.message)
        if not faults:
            self._around.sound.add(key)
            if prepared.is_simple:
                self._around.simple[key] = operation

    def _end_block(
        self, match: re.Match[str], statement: Statement, values: list[object], is_guarded: bool
    ) -> None:
        if statement.label is not None:
            name = statement.label(values)
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
        elif group == _LOC:
            located = usual_location(self._around, match[_LOC])
            if located is None:
                self._read_directive(start, end)
            else:
                self._debug = located
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
        self._fragments = Fragments(self._scope)

    def _read_bad(self, start: int, end: int) -> None:
        """Explain a text that is no statement; mostly the last one, without its semicolon."""
        if _OPCODE_START.match(self._text, start, end) is None:
            word = first_word(self._text, start, end)
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
                self._debug = location(self._around, form, start, end)
            case forms.Registers():
                for name, count in form.names:
                    if not self._scope.declare_register(name, count, form.type, form.vector):
                        self._twice("register", name, start, end)
                self._fragments.clear()
            case forms.VariableForm():
                for declared in form.declarators:
                    self._declare_variable(form, declared, start, end)
                self._fragments.clear()
            case forms.Line("pragma", texts):
                self._blocks.add_pragmas([f"pragma={text}" for text in texts])
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
