"""A quick scan of a module's text: where functions, variables, types and metadata stand."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from warpmill.analyzer.base.diagnostics import Source, Span

KERNEL_CONVENTIONS = frozenset({"ptx_kernel", "spir_kernel", "amdgpu_kernel"})
_NAME = r'(?:[-\w.$]+|"[^"]*")'
_TRIPLE = re.compile(r'target (triple|datalayout) = "([^"]*)"')
_FUNCTION = re.compile(rf"(define|declare)\b[^@]*@({_NAME})")
_VARIABLE = re.compile(rf"@({_NAME}) = ")
_TYPE = re.compile(rf"%({_NAME}) = (type\b.*)")
_GROUP = re.compile(r"attributes #(\d+) = \{(.*)\}")
_NODE = re.compile(rf"!({_NAME}) = (.*)")
_LABEL = re.compile(rf"({_NAME}):(?=\s|$)")
_ATTACHMENTS = re.compile(r"(?:, ![-\w.$\\]+ !(?:\d+|\{[^{}]*\}|\w+\([^()]*\)))+$")
_STRING = re.compile(r'"[^"]*"')
_TERMINATOR = re.compile(r"(?:br|ret|switch|unreachable|indirectbr|resume|callbr|invoke)\b")
_OPEN_ENDS = ("[", ",", "(")
_NO_STATEMENT = frozenset(" #\t\r") | {""}
_NO_END = frozenset("[,( \t\r")


class NotCanonical(Exception):  # noqa: N818 - never leaves the package: the text is printed anew
    """The text is LLVM's, but not laid out as LLVM prints it."""


class StatementText(NamedTuple):
    """The text of one instruction without metadata, which is in ``attachments``."""

    text: str
    attachments: str
    span: Span


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A basic block; the entry's label is empty where it is not written."""

    label: str
    statements: tuple[StatementText, ...]


@dataclass(frozen=True, slots=True)
class FunctionText:
    """A function's first line, cut in two at the parameters' end, and the lines of its body.

    ``first`` and ``last`` are line numbers of the body, from 1; a declaration has neither.
    """

    name: str
    header: str
    tail: str
    span: Span
    first: int
    last: int
    is_kernel: bool


@dataclass
class ScannedModule:
    """Result of the scan, by name or number; all values are still text."""

    source: Source
    triple: str = ""
    datalayout: str = ""
    functions: dict[str, FunctionText] = field(default_factory=dict)
    declarations: dict[str, FunctionText] = field(default_factory=dict)
    variables: dict[str, tuple[str, Span]] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)
    groups: dict[str, str] = field(default_factory=dict)
    metadata: dict[str, str] = field(default_factory=dict)

    def attributes(self, function: FunctionText) -> str:
        """All attributes of a function as one text, groups included."""
        groups = re.findall(r"#(\d+)", _STRING.sub('""', function.tail))
        return " ".join([function.tail, *(self.groups.get(g, "") for g in groups)])


def unquoted(name: str) -> str:
    """A name as people know it: without quotes, with its escapes read."""
    if not name.startswith('"'):
        return name
    return re.sub(r"\\([0-9A-Fa-f]{2})", lambda m: chr(int(m[1], 16)), name[1:-1])


def scan_module(source: Source) -> ScannedModule:
    """Find the parts of a module; raise NotCanonical where a function's layout is not LLVM's."""
    module = ScannedModule(source)
    lines = source.lines
    number = 0
    while number < len(lines):
        line = lines[number]
        number += 1
        if line.startswith(("define", "declare")):
            number = _take_function(module, line, number)
        elif line[:1] in ("@", "%", "!", "t", "a"):
            _take_line(module, line.rstrip(), number)
    _mark_annotated(module)
    return module


def _take_line(module: ScannedModule, line: str, number: int) -> None:
    if found := _VARIABLE.match(line):
        module.variables[unquoted(found[1])] = (line, Span(number, 1, len(line) + 1))
    elif found := _NODE.match(line):
        module.metadata[found[1]] = found[2]
    elif found := _GROUP.match(line):
        module.groups[found[1]] = found[2]
    elif found := _TYPE.match(line):
        module.types[found[1]] = found[2]
    elif found := _TRIPLE.match(line):
        if found[1] == "triple":
            module.triple = found[2]
        else:
            module.datalayout = found[2]


def _take_function(module: ScannedModule, line: str, number: int) -> int:
    """Keep the function that starts on ``line``; give the index of the line after it."""
    line = without_comment(line)
    found = _FUNCTION.match(line)
    if found is None:
        raise NotCanonical(f"line {number}")
    cut = _closing(line, found.end())
    header, tail = line[:cut], line[cut:]
    defines = found[1] == "define"
    last = _body_end(module.source.lines, number) if defines else 0
    if defines and not tail.endswith("{"):
        raise NotCanonical(f"line {number}")
    words = line[: found.end()].split()
    function = FunctionText(
        name=unquoted(found[2]),
        header=header,
        tail=tail,
        span=Span(number, 1, len(line) + 1),
        first=number + 1,
        last=last - 1,
        is_kernel=not KERNEL_CONVENTIONS.isdisjoint(words),
    )
    (module.functions if defines else module.declarations)[function.name] = function
    return last if defines else number


def _body_end(lines: tuple[str, ...], start: int) -> int:
    for number in range(start, len(lines)):
        if lines[number].startswith("}"):
            return number + 1
    raise NotCanonical("a function without an end")


def _closing(line: str, start: int) -> int:
    """The index after the parenthesis that closes the first one at or after ``start``."""
    depth = 0
    plain = _STRING.sub(lambda m: '"' * len(m[0]), line)
    for index in range(start, len(plain)):
        if plain[index] == "(":
            depth += 1
        elif plain[index] == ")":
            depth -= 1
            if depth == 0:
                return index + 1
    raise NotCanonical("parameters over several lines")


def _mark_annotated(module: ScannedModule) -> None:
    """Old compilers name kernels in ``!nvvm.annotations`` rather than by calling convention."""
    for node in re.findall(r"!(\d+)", module.metadata.get("nvvm.annotations", "")):
        found = re.match(
            rf'!\{{[^@"]*@({_NAME}), .*!"kernel", i32 1', module.metadata.get(node, "")
        )
        name = unquoted(found[1]) if found else ""
        if name in module.functions:
            f = module.functions[name]
            module.functions[name] = FunctionText(
                f.name, f.header, f.tail, f.span, f.first, f.last, is_kernel=True
            )


def without_comment(line: str) -> str:
    """A line without its comment and the blanks at its end; ``;`` in a string is no comment."""
    if ";" not in line:
        return line.rstrip()
    cut = _STRING.sub(lambda m: '"' * len(m[0]), line).find(";")
    return line[:cut].rstrip() if cut >= 0 else line.rstrip()


def split_body(source: Source, function: FunctionText) -> tuple[TextBlock, ...]:
    """Take a body apart into blocks and statements; a statement over several lines is joined."""
    blocks: list[TextBlock] = []
    label = ""
    statements: list[StatementText] = []
    pending: list[str] = []
    span = function.span
    ended = False
    lines = source.lines
    for number in range(function.first, function.last + 1):
        line = lines[number - 1]
        if _is_usual(line) and not (pending or ended):
            statements.append(_statement(line[2:], Span(number, 3, len(line) + 1)))
            ended = line[2] != "%" and _TERMINATOR.match(line, 2) is not None
            continue
        line = without_comment(line) if ";" in line else line.rstrip()
        text = line.lstrip()
        if not text or text.startswith("#dbg_"):
            continue
        found = None if pending or ":" not in text else _LABEL.match(text)
        if found is not None:
            if label or statements:
                blocks.append(TextBlock(label, tuple(statements)))
            label, statements, ended = found[1], [], False
            text = text[found.end() :].lstrip()
            if not text:
                continue
        if text[0] == "t" and statements and text.startswith("to label "):
            begun = statements.pop()  # `callbr` and `invoke` stand on two lines
            statements.append(_statement(f"{begun.text} {text}", begun.span))
            ended = True
            continue
        if not pending:
            if ended:
                raise NotCanonical("a block without a label")
            column = line.index(text) + 1
            span = Span(number, column, len(line) + 1)
        if pending or text.endswith(_OPEN_ENDS):
            pending.append(text)
            if text.endswith(_OPEN_ENDS) or _inside_switch(pending):
                continue
            text, pending = " ".join(pending), []
        statements.append(_statement(text, span))
        ended = text[0] != "%" and _TERMINATOR.match(text) is not None
    if pending:
        raise NotCanonical("a statement without an end")
    return (*blocks, TextBlock(label, tuple(statements)))


def _is_usual(line: str) -> bool:
    """Whether a line is a whole statement as LLVM prints it, without a comment or a label."""
    is_statement = line[:2] == "  " and line[2:3] not in _NO_STATEMENT
    return is_statement and ";" not in line and ":" not in line and line[-1] not in _NO_END


def _inside_switch(pending: list[str]) -> bool:
    """The cases of a switch stand on lines of their own, up to the bracket."""
    return pending[0].endswith("[") and not pending[-1].startswith("]")


def _statement(text: str, span: Span) -> StatementText:
    if ", !" not in text:
        return StatementText(text, "", span)
    found = _ATTACHMENTS.search(text, text.index(", !"))
    if found is None:
        return StatementText(text, "", span)
    return StatementText(text[: found.start()], found[0], span)
