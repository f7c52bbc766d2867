"""The body of a function: statements into blocks of instructions."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from warpmill.analyzer.base.diagnostics import DebugLocation, Span
from warpmill.analyzer.frontends.ptx.declarations import (
    Declarator,
    LabelTable,
    Location,
    ModuleDirective,
    RegisterForm,
    VariableForm,
    make_variable,
)
from warpmill.analyzer.frontends.ptx.grammar import RejectedError, StatementTemplate, template
from warpmill.analyzer.frontends.ptx.lexer import (
    FaultError,
    Token,
    directive_name,
    shape_of,
    tokens,
)
from warpmill.analyzer.frontends.ptx.operands import (
    Fragments,
    Prepared,
    Surroundings,
    family,
    grammar_shape,
    operands_of,
    prepare,
    without_indices,
)
from warpmill.analyzer.frontends.ptx.problems import Problems, explain, first_word, operand_at
from warpmill.analyzer.frontends.ptx.scopes import BlockList, NameScope, TargetList
from warpmill.analyzer.ir.kernel import Block, Operand, Variable
from warpmill.analyzer.ir.operand_rules import operand_faults
from warpmill.analyzer.ir.operation import Knowledge

MAX_SCOPES = 200  # braces inside braces

_new_span: Callable[[tuple[int, int, int]], Span] = partial(tuple.__new__, Span)


class ReadBody(NamedTuple):
    """Contents between the braces of a function."""

    blocks: tuple[Block, ...]
    variables: tuple[Variable, ...]


def read_body(around: Surroundings, scope: NameScope, start: int, end: int) -> ReadBody:
    """Read ``text[start:end]`` with the names of ``scope``; errors go to the problems."""
    reader = _Reader(around, scope)
    reader.read(start, end)
    return reader.finish(end)


class _Reader:
    """Goes through the statements of one body."""

    def __init__(self, around: Surroundings, scope: NameScope) -> None:
        self._around = around
        self._text = around.text
        self._problems = around.problems
        self._span = around.problems.positions.span
        self._scope = scope
        self._fragments = Fragments(scope)
        self._outer: list[tuple[NameScope, Fragments]] = []
        self._faults = StatementFaults(around.text, around.problems)
        self._blocks = BlockList()
        self._variables: list[Variable] = []
        self._debug: DebugLocation | None = None
        self._resume: int | None = None

    def read(self, start: int, end: int) -> None:
        """Read all statements; after an error go on with the next one."""
        declared = DECLARATIONS.match(self._text, start, end)
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
        get_location = self._around.locations.get
        add_operation, add_operands = blocks.operations.append, blocks.operands.append
        add_span, add_guard, add_debug = (
            blocks.spans.append,
            blocks.guards.append,
            blocks.debugs.append,
        )
        lookup, debug = self._fragments.__getitem__, self._debug
        for match in STATEMENT.finditer(self._text, position, end):
            if match.lastindex != REST:
                located = get_location(match[LOC]) if match.lastindex == LOC else None
                if located is not None:
                    self._debug = debug = located
                    continue
                self._read_other(match)
                if self._resume is not None:
                    return
                lookup, debug = self._fragments.__getitem__, self._debug
                continue
            guard_text, opcode, rest = match.group(GUARD, OPCODE, REST)
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
                self._problems.error(match.start(OPCODE), match.end(REST), str(fault))
                continue
            operation = simple.get((opcode, shapes))
            first = match.start(OPCODE if guard is None else GUARD)
            while first >= next_line:
                line += 1
                next_line = starts[line]
            if operation is None or (guard is None and guard_text is not None):
                self._read_unusual(match, shapes, guard)
                if self._resume is not None:
                    return
                continue
            last = match.end(REST)
            if last >= next_line:
                last = max(first, next_line - 1)
            before = starts[line - 1] - 1
            add_span(_new_span((line, first - before, last - before)))
            add_operation(operation)
            add_operands(operands)
            add_guard(guard)
            add_debug(debug)

    def finish(self, end: int) -> ReadBody:
        """Body that was read, after the branches are resolved; ``end`` is the closing brace.

        Where control can reach the brace the function returns, as ptxas has it: the IR gets the
        ``ret`` that was left out.
        """
        blocks, missing = self._blocks.finish(self._span(end, end + 1), self._debug)
        for name, start, stop in missing:
            place = self._text.find(name, start, stop)
            self._problems.error(place, place + len(name), f"label `{name}` is not there")
        return ReadBody(blocks, tuple(self._variables))

    def _read_unusual(self, match: re.Match[str], shapes: tuple[str, ...], guard: Any) -> None:
        """Read an instruction that is new, or more than an operation with operands."""
        guard_text, opcode, rest = match.group(GUARD, OPCODE, REST)
        prepared = self._around.prepared.get((opcode, shapes))
        if prepared is not None and prepared.is_branch and (guard is not None) == bool(guard_text):
            self._branch(match, prepared, guard)
            return
        pieces = rest.replace(", ", ",").split(",") if rest else []
        try:
            prepared = prepared or self._prepare(match, shapes)
            values = [value for piece in pieces for value in self._fragments[piece][2]]
            operands = operands_of(prepared, values)
            if prepared.has_indices:
                operands = self._without_indices(match, operands)
        except FaultError as fault:
            self._problems.error(match.start(OPCODE), match.end(REST), str(fault))
            return
        except RejectedError as rejected:
            place = match.start(OPCODE), match.end(REST)
            self._resume = self._faults.instruction(*place, self._scope, rejected.index)
            return
        if prepared.fault is not None:
            self._problems.error(match.start(OPCODE), match.end(OPCODE), prepared.fault)
        elif (opcode, shapes) not in self._around.sound:
            self._check(match, shapes, prepared, operands)
        if guard_text is not None and guard is None:
            self._resume = self._faults.guard(*match.span(GUARD), self._scope)
            return
        start = match.start(OPCODE if guard is None else GUARD)
        span = self._span(start, match.end(REST))
        self._blocks.add(prepared.operation, operands, span, guard, self._debug)
        if prepared.ends_block:
            self._end_block(match, prepared.statement, values, guard is not None)

    def _branch(self, match: re.Match[str], prepared: Prepared, guard: Any) -> None:
        """Read a branch to a label, of a shape that was there before."""
        start, end = match.span(REST)
        span = self._span(match.start(OPCODE if guard is None else GUARD), end)
        self._blocks.add(prepared.operation, (), span, guard, self._debug)
        self._blocks.jump(match[REST].rstrip(), False, self._scope, start, end)
        self._blocks.end(falls_through=guard is not None)

    def _without_indices(
        self, match: re.Match[str], operands: tuple[Operand, ...]
    ) -> tuple[Operand, ...]:
        """Work out the addresses of ``array[index]`` before the instruction."""
        span = self._span(match.start(OPCODE), match.end(REST))
        done = without_indices(match[OPCODE], operands, self._scope.function, self._around)
        for operation, made in done.before:
            self._blocks.add(operation, made, span, None, self._debug)
        return done.operands

    def _prepare(self, match: re.Match[str], shapes: tuple[str, ...]) -> Prepared:
        opcode = match[OPCODE]
        shape = " , ".join([grammar_shape(shape) for shape in shapes])
        prepared = self._around.prepared[opcode, shapes] = prepare(opcode, shape)
        operation = prepared.operation
        if operation.knowledge is Knowledge.NEAREST and opcode not in self._around.noted:
            self._around.noted.add(opcode)
            message = (
                f"opcode `{opcode}` is not in the table; "
                f"it counts as `{operation.op_class.value}`, by the nearest rule"
            )
            self._problems.objection(match.start(OPCODE), match.end(OPCODE), message)
        return prepared

    def _check(
        self,
        match: re.Match[str],
        shapes: tuple[str, ...],
        prepared: Prepared,
        operands: tuple[Operand, ...],
    ) -> None:
        """Hold operands against the verifier's rules; the shapes tell all that those look at."""
        operation, key = prepared.operation, (match[OPCODE], shapes)
        faults = list(operand_faults(operation, operands, self._scope.function))
        for fault in faults:
            place = match.span(OPCODE)
            if fault.place is not None:
                place = operand_at(self._text, match.start(REST), match.end(REST), fault.place)
            self._problems.error(*place, fault.message)
        if not faults:
            self._around.sound.add(key)
            if prepared.is_simple:
                self._around.simple[key] = operation

    def _end_block(
        self,
        match: re.Match[str],
        statement: StatementTemplate,
        values: list[object],
        is_guarded: bool,
    ) -> None:
        if statement.label is not None:
            name = statement.label(values)
            place = match.start(REST), match.end(REST)
            self._blocks.jump(name, statement.kind == "indexed", self._scope, *place)
        self._blocks.end(falls_through=is_guarded)

    def _read_other(self, match: re.Match[str]) -> None:
        group = match.lastindex
        start, end = match.span(group or 0)
        if group == BRACE:
            self._read_brace(start)
        elif group == LABEL:
            if not self._blocks.add_label(match[LABEL], self._scope):
                self._problems.error(start, end, f"label `{match[LABEL]}` is declared twice")
        elif group == BAD:
            self._resume = self._faults.no_statement(start, end, self._scope)
        elif group == LOC:
            located = usual_location(self._around, match[LOC])
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
        self._scope = NameScope(self._scope.function, self._scope)
        self._fragments = Fragments(self._scope, self._fragments)

    def _read_directive(self, start: int, end: int) -> None:
        text = self._text[start:end]
        form = self._around.directives.get(text)
        try:
            if form is None:
                form = self._around.directives[text] = self._form(start, end)
            self._declare(form, start, end)
        except RejectedError as rejected:
            lexed = list(tokens(self._text, start, end, directive_name))
            self._resume = self._faults.tokens(lexed, rejected.index)
        except FaultError as fault:
            self._problems.error(start, end, str(fault))

    def _form(self, start: int, end: int) -> object:
        shape, values = shape_of(list(tokens(self._text, start, end, directive_name)))
        return template("body_directive", shape)(values)

    def _declare(self, form: object, start: int, end: int) -> None:
        match form:
            case Location():
                self._debug = location(self._around, form, start, end)
            case RegisterForm():
                for name, count in form.names:
                    if not self._scope.declare_register(name, count, form.type, form.vector):
                        self._twice("register", name, start, end)
                self._fragments.clear()
            case VariableForm():
                for declared in form.declarators:
                    self._declare_variable(form, declared, start, end)
                self._fragments.clear()
            case ModuleDirective("pragma", texts):
                self._blocks.add_pragmas([f"pragma={text}" for text in texts])
            case LabelTable():
                self._declare_table(form, start, end)

    def _declare_variable(
        self,
        form: VariableForm,
        declared: Declarator,
        start: int,
        end: int,
    ) -> None:
        symbol = self._scope.declare_symbol(declared.name)
        if symbol is None:
            self._twice("variable", declared.name, start, end)
            return
        span = self._problems.positions.span(start, end)
        bits = self._around.address_bits
        self._variables.append(make_variable(form, declared, symbol.name, bits, span))
        self._around.element_bytes[symbol.name] = form.type.size_bytes * form.vector

    def _declare_table(self, form: LabelTable, start: int, end: int) -> None:
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


# ``.loc``: which line of its source the compiler made the next instructions from.

_INDEX, _NUMBER = r"([1-9]\d{0,8})", r"([1-9]\d{0,8}|0)"
_USUAL = re.compile(
    rf"\.loc\s+{_INDEX}\s+{_NUMBER}\s+{_NUMBER}"
    r"(?:, function_name [A-Za-z_$][\w$]*+(?:\+[1-9]\d{0,8})?"
    rf", inlined_at {_INDEX} {_NUMBER} {_NUMBER})?\s*+",
    re.ASCII,
)


def usual_location(around: Surroundings, text: str) -> DebugLocation | None:
    """Read a ``.loc`` as compilers write it; None for another, or where a file is not declared.

    There are very many, and few different ones. Those of inlined lines are told apart by what came
    before them, so that only the others are known by their text.
    """
    form = around.inlined_forms.get(text)
    if form is None:
        match = _USUAL.fullmatch(text)
        if match is None:
            return None
        numbers = [int(digits) for digits in match.groups() if digits is not None]
        file, line, column, *outer = numbers
        form = Location(file, line, column, (outer[0], outer[1], outer[2]) if outer else None)
    located = _located(around, form)
    if form.inlined_at is not None:
        around.inlined_forms[text] = form
    elif located is not None:
        around.locations[text] = located
    return located


def location(around: Surroundings, form: Location, start: int, end: int) -> DebugLocation | None:
    """Make the location of a ``.loc``; a file that no ``.file`` declares is warned about once."""
    located = _located(around, form)
    if located is None and (note := f".loc {form.file}") not in around.noted:
        around.noted.add(note)
        around.problems.warning(start, end, f"no .file declares the file {form.file}")
    return located


def _located(around: Surroundings, form: Location) -> DebugLocation | None:
    name = around.debug_files.get(form.file)
    if name is None:
        return None
    if form.inlined_at is None:
        return DebugLocation(name, form.line, form.column)
    # A call that was inlined itself had a .loc before, which says where; it may have had several.
    outer = around.inlined_calls.get(form.inlined_at) or _located(
        around, Location(*form.inlined_at)
    )
    found = DebugLocation(name, form.line, form.column, outer)
    around.inlined_calls[form.file, form.line, form.column] = found
    return found


# What is wrong with a statement that the grammar does not have, and where to go on after it.


class StatementFaults:
    """Explains statements of one body; each answer is where to go on, None for the next one."""

    def __init__(self, text: str, problems: Problems) -> None:
        self._text = text
        self._problems = problems

    def instruction(self, start: int, end: int, scope: NameScope, index: int) -> int | None:
        """Explain an instruction, its guard left out, whose token ``index`` does not fit."""
        return self.tokens(self._instruction_tokens(start, end, scope), index)

    def guard(self, start: int, end: int, scope: NameScope) -> int | None:
        """Explain a guard."""
        lexed = list(tokens(self._text, start, end, scope.resolve))
        try:
            template("guard", shape_of(lexed)[0])
        except RejectedError as rejected:
            return self.tokens(lexed, rejected.index)
        return None

    def no_statement(self, start: int, end: int, scope: NameScope) -> int | None:
        """Explain a text that is no statement; mostly the last one, without its semicolon."""
        if OPCODE_START.match(self._text, start, end) is None:
            word = first_word(self._text, start, end)
            self._problems.error(start, start + len(word), f"`{word}` does not fit here")
            return None
        lexed = self._instruction_tokens(start, end, scope)
        try:
            template("instruction", shape_of(lexed)[0])
        except RejectedError as rejected:
            return self.tokens(lexed, rejected.index)
        last = lexed[-1]
        word = self._text[last.start : last.end]
        self._problems.error(last.end, last.end + 1, f"missing `;` after `{word}`")
        return None

    def tokens(self, lexed: list[Token], index: int) -> int | None:
        """Explain tokens of which number ``index`` does not fit."""
        explained = explain(self._text, lexed, index)
        self._problems.error(explained.start, explained.end, explained.message)
        return explained.resume

    def _instruction_tokens(self, start: int, end: int, scope: NameScope) -> list[Token]:
        """Lex an instruction without its guard; the opcode is the first token."""
        opcode = OPCODE_START.match(self._text, start, end)
        opcode_end = start if opcode is None else opcode.end()
        first = Token(family(self._text[start:opcode_end]), None, start, opcode_end)
        return [first, *tokens(self._text, opcode_end, end, scope.resolve)]


# How the text of a body is cut into statements.

_NAME = r"[A-Za-z_$%][\w$]*+"
_OPCODE_TEXT = r"[A-Za-z]\w*+(?>(?:\s*+\.\w++|::\w++(?::\d++)?)*)"
_LOCATION = (
    r"\.loc\s++\d++\s++\d++\s++\d++(?:\s*+,\s*+function_name\s++[\w$.]++(?:\s*+\+\s*+\d++)?"
    r"\s*+,\s*+inlined_at\s++\d++\s++\d++\s++\d++)?"
)
STATEMENT = re.compile(
    r"\s*+(?:"
    rf"(@\s*+!?\s*+[%$\w]*+\s*+)?({_OPCODE_TEXT})(?!\s*+:|[\w$])\s*+([^;]*+);"
    rf"|({_NAME}\s*+:\s*+\.(?:branchtargets|callprototype|calltargets)\b[^;]*+);"
    rf"|({_NAME})\s*+:(?!:)"
    rf"|({_LOCATION}|\.loc\b[^\n]*+)"
    r'|(\.[^;"]*+(?>(?:"[^"\n]*+"[^;"]*+)*));'
    r"|([{}])"
    r"|(\S[^;]*+));?+",
    re.ASCII,
)
DECLARATIONS = re.compile(r'(?>(?:\s*+\.(?:reg|local|shared)\b[^;{}"]*+;)+)', re.ASCII)
GUARD, OPCODE, REST, TABLE, LABEL, LOC, DIRECTIVE, BRACE, BAD = range(1, 10)
OPCODE_START = re.compile(_OPCODE_TEXT, re.ASCII)
"""The groups of a statement: which of them matched tells what the statement is."""
