"""Errors and warnings about one PTX text, gathered until there are enough of them."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import replace
from itertools import accumulate, count
from operator import add
from typing import NamedTuple, NoReturn

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, Severity, Source, Span, at
from warpmill.analyzer.frontends.ptx.lexer import MAX_NESTING, Token

MAX_ERRORS = 20


class Positions:
    """Lines and columns of offsets into a text.

    ``starts`` are the offsets of the lines' first characters and, at its end, one past the text.
    """

    def __init__(self, text: str) -> None:
        ends = accumulate(map(len, text.split("\n")))
        self.starts = [0, *map(add, ends, count(1))]  # a line break is one character
        self._line = 1  # of the last answer; the next is mostly on that line or the next

    def line_of(self, offset: int) -> int:
        """The number of the line that an offset lies on."""
        return bisect_right(self.starts, offset, 0, len(self.starts) - 1)

    def span(self, start: int, end: int) -> Span:
        """The part of ``start`` to ``end`` that lies on the first line."""
        starts, line = self.starts, self._line
        if start >= starts[line]:
            line += 1
        if not starts[line - 1] <= start < starts[line]:
            line = self.line_of(start)
        self._line = min(line, len(starts) - 2)
        first, next_line = starts[line - 1], starts[line]
        last = end if end < next_line else max(start, next_line - 1)
        return Span(line, start - first + 1, last - first + 1)


_NOT_BLANK = re.compile(r"\S*", re.ASCII)


def first_word(text: str, start: int, end: int) -> str:
    """The start of ``text[start:end]`` up to a blank, as blanks are in PTX; cut where long."""
    match = _NOT_BLANK.match(text, start, end)
    return text[start] if match is None or not match[0] else match[0][:80]


class Problems:
    """Faults found in ``source``, in the order in which they were met."""

    def __init__(self, source: Source, strict: bool) -> None:
        self.positions = Positions(source.text)
        self._source = source
        self._strict = strict
        self._errors: list[Diagnostic] = []
        self._warnings: list[Diagnostic] = []

    def error(self, start: int, end: int, message: str, hint: str | None = None) -> None:
        """Note an error at the offsets ``start`` to ``end``; the twentieth raises."""
        span = self._visible(start, end)
        self._errors.append(at(self._source, span, Severity.ERROR, message, hint))
        if len(self._errors) >= MAX_ERRORS:
            self._raise()

    def warning(self, start: int, end: int, message: str, hint: str | None = None) -> None:
        """Note a warning."""
        span = self.positions.span(start, end)
        self._warnings.append(at(self._source, span, Severity.WARNING, message, hint))

    def note(self, start: int, end: int, message: str, kind: str | None = None) -> None:
        """Note what is worth knowing and nobody's fault."""
        span = self.positions.span(start, end)
        self._warnings.append(replace(at(self._source, span, Severity.NOTE, message), kind=kind))

    def objection(self, start: int, end: int, message: str) -> None:
        """Note what is a warning, or an error for who asked for strictness."""
        if self._strict:
            self.error(start, end, message)
        else:
            self.warning(start, end, message)

    def fatal(self, message: str, start: int | None = None, end: int | None = None) -> NoReturn:
        """Note an error after which nothing more can be read, and raise all of them."""
        if start is None:
            self._errors.append(Diagnostic(Severity.ERROR, message, self._source.name))
        else:
            span = self._visible(start, start + 1 if end is None else end)
            self._errors.append(at(self._source, span, Severity.ERROR, message))
        self._raise()

    def _visible(self, start: int, end: int) -> Span:
        """A span that is never empty, even at the end of a line."""
        span = self.positions.span(start, end)
        return span._replace(end_column=max(span.end_column, span.column + 1))

    def finish(self) -> tuple[Diagnostic, ...]:
        """The warnings and notes, or raise the errors as one InputError."""
        if self._errors:
            self._raise()
        return tuple(sorted(self._warnings, key=lambda d: d.span or Span(0, 0, 0)))

    def _raise(self) -> NoReturn:
        raise InputError(*sorted(self._errors, key=lambda d: d.span or Span(0, 0, 0)))


# Words for what the grammar rejects: which token it is about, what is wrong, and what to do.

_CONTINUES = frozenset({",", "(", "[", "{", "|", "+", "-", "@", "!", "=", ":"})
_STARTS = frozenset({"LABEL", "NAME", "@", "{", "}", "LINKAGE", "SPACE"})
_OPERATORS = frozenset(
    {"+", "-", "*", "/", "%", "<<", ">>", "<", ">", "<=", ">=", "==", "!=", "&", "^", "&&", "||",
     "?", ":", "~"}
)  # fmt: skip
_VALUES = frozenset({"REG", "ELEMENT", "SPECIAL", "NAME", "SINK", "INT", "FLOAT", "DECIMAL"})
_CLOSED_BY = {"(": ")", "[": "]", "{": "}"}
_OPERAND_STARTS = _VALUES | frozenset(_CLOSED_BY)
_OPERAND_ENDS = _VALUES | {"LABEL"} | frozenset(_CLOSED_BY.values())
_MISSING = {  # what lacks where a statement ends with it
    ",": "an operand",
    "=": "a value",
    "TYPE": "a name",
    ".branchtargets": "a label",
    "_BRANCH": "a label",
    "_INDEXED": "a register and a list of labels",
    "_CALL": "the function",
    "_LOAD": "its operands",
    "_STORE": "its operands",
}
_WHOLE_NUMBER = re.compile(r"[\w.$]++")
_FLOAT_PREFIX = re.compile(r"0[fFdD]")
_INTEGER = re.compile(r"(?:0[xX][0-9a-fA-F]++|0[bB][01]++|0[0-7]*+|[1-9][0-9]*+)U?")


class Rejection(NamedTuple):
    """An error with its place, and the offset where a new statement seems to begin, if any."""

    start: int
    end: int
    message: str
    resume: int | None = None


def explain(text: str, lexed: list[Token], index: int) -> Rejection:
    """Reason why the token at ``index``, or the end after the last one, does not fit."""
    if index >= len(lexed):
        last = lexed[-1]
        return Rejection(last.start, last.end, _about_the_end(text, lexed))
    token = lexed[index]
    if index > 0 and _begins_statement(text, lexed[index - 1], token):
        previous = lexed[index - 1]
        message = f"missing `;` after {_q(text, previous)}"
        return Rejection(previous.end, previous.end + 1, message, token.start)
    if token.kind == "BAD":
        return _bad(text, token)
    word = _q(text, token)
    if token.kind == "LABEL":
        kind = "register " if word[1] == "%" else ""
        return Rejection(token.start, token.end, f"{kind}{word} is not declared")
    advice = _advice(text, lexed, index)
    message = f"{word} does not fit here" + (f": {advice}" if advice else "")
    return Rejection(token.start, token.end, message)


def _begins_statement(text: str, previous: Token, token: Token) -> bool:
    """Whether a token that does not fit starts a line, where nothing asks for one more operand."""
    if token.kind == "}":
        return previous.kind not in _CONTINUES
    is_new_line = "\n" in text[previous.end : token.start]
    starts = token.kind in _STARTS or token.kind[0] == "."
    return is_new_line and starts and previous.kind not in _CONTINUES


def _about_the_end(text: str, lexed: list[Token]) -> str:
    last, word = lexed[-1], _q(text, lexed[-1])
    opening = _innermost(lexed)
    if opening is not None and last.kind in _OPERAND_ENDS:
        return f"missing `{_CLOSED_BY[opening]}` after {word}"
    if len(lexed) > 1 and lexed[-2].kind == "<":
        return f"missing `>` after {word}"
    missing = _MISSING.get(last.kind)
    if missing is None and lexed[0].kind == "_INDEXED":
        missing = "a list of labels"
    elif missing is None and last.kind in _OPERATORS:
        missing = "a number"
    message = f"the statement ends too early, after {word}"
    return f"{message}: {missing} is missing" if missing else message


def _innermost(lexed: list[Token]) -> str | None:
    """The bracket that the tokens leave open, the innermost one."""
    opened: list[str] = []
    for token in lexed:
        if token.kind in _CLOSED_BY:
            opened.append(token.kind)
        elif opened and token.kind == _CLOSED_BY[opened[-1]]:
            opened.pop()
    return opened[-1] if opened else None


def _advice(text: str, lexed: list[Token], index: int) -> str | None:
    """Token that should stand in a token's place, if that is plain."""
    first, token = lexed[0], lexed[index]
    if index == 0:
        return f"there is no directive {_q(text, token)} at this place" if _is_word(token) else None
    previous = lexed[index - 1]
    if first.kind == "@":
        return "a guard is a predicate, @%p or @!%p"
    if token.kind in (",", ")", "]", "}") and previous.kind not in _OPERAND_ENDS:
        return "an operand is missing before it"
    return _about_brackets(lexed, index) or (
        _about_an_instruction(first, previous, token)
        if first.kind[0] == "_"
        else _about_a_directive(text, lexed, index)
    )


def _about_brackets(lexed: list[Token], index: int) -> str | None:
    token, previous = lexed[index], lexed[index - 1]
    opening = _innermost(lexed[:index])
    if opening == "[" and (token.kind in _OPERATORS or previous.kind in _OPERATORS):
        return "an address is a base and a constant, [%rd1+4]"
    if opening == "{" and token.kind == "{":
        return "braces around operands do not nest"
    if token.kind in _OPERAND_STARTS and previous.kind in _OPERAND_ENDS:
        return "a `,` is missing before it"
    return None


def _about_an_instruction(first: Token, previous: Token, token: Token) -> str | None:
    match first.kind:
        case "_RETURN":
            return "a return takes no operands"
        case "_BRANCH":
            return "a branch has one label; brx.idx takes a list"
        case "_CALL" if token.kind in _VALUES:
            return "arguments and results stand in parentheses"
        case "_LOAD" | "_STORE" if token.kind in _VALUES:
            return "an address stands in brackets"
    if token.kind in _OPERATORS and previous.kind in ("REG", "ELEMENT", "SPECIAL"):
        return (
            "only constants are computed here; an instruction such as add computes with registers"
        )
    if token.kind == "|":
        return "no more than two destinations are joined"
    return None


def _about_a_directive(text: str, lexed: list[Token], index: int) -> str | None:
    first, token = lexed[0], lexed[index]
    kinds = {before.kind for before in lexed[:index]}
    if text.startswith(".v", token.start):
        return "a vector has 2, 4 or 8 elements"
    if first.kind == ".loc":
        return "a place is a file, a line and a column"
    if lexed[index - 1].kind == "<":
        return "a range is written with its size, as %r<10>"
    if first.kind in (".pragma", ".file") and token.kind in _VALUES:
        return "a text in quotes is missing"
    if first.kind in (".reg", "SPACE", "LINKAGE") and not kinds & {"TYPE", ".align"}:
        return "a type such as .b32 is missing before it"
    return "a number is missing before it" if lexed[index - 1].kind == ".align" else None


def _is_word(token: Token) -> bool:
    return token.kind[0] == "."


def _bad(text: str, token: Token) -> Rejection:
    """Explain what is no token at all; a number is taken to its end."""
    number = _WHOLE_NUMBER.match(text, token.start)
    end = token.end
    if number is None or not number[0][0].isdigit():
        word = _q(text, token)
        message = f"{word} is not part of PTX"
        if word[1] in "([{":
            message = f"brackets are nested more than {MAX_NESTING} deep"
        elif word[1] == '"':
            message = "this text in quotes is never closed"
        return Rejection(token.start, end, message)
    word = f"`{number[0][:80]}`"
    if _INTEGER.fullmatch(number[0]):
        message = f"{word} is not a constant of at most 64 bits"
    elif _FLOAT_PREFIX.match(number[0]):
        message = f"{word} is not a constant: 0f takes 8 digits of base 16, 0d 16 of them"
    else:
        message = f"{word} is not a number"
    return Rejection(token.start, max(end, number.end()), message)


def _q(text: str, token: Token) -> str:
    return f"`{text[token.start : token.end][:80]}`"


_OPERAND = re.compile(r"(?:\{[^{}]*\}|\[[^\[\]]*\]|\([^()]*\)|[^,{}\[\]()])+", re.ASCII)


def operand_at(text: str, start: int, end: int, place: int | None) -> tuple[int, int]:
    """Find an operand among those of ``text[start:end]``; all of them where the form is unusual."""
    operands = list(_OPERAND.finditer(text, start, end))
    if place is None or place >= len(operands):
        return start, end
    found = operands[place]
    words = found[0]
    return found.end() - len(words.lstrip()), found.start() + len(words.rstrip())
