"""Numbers and sizes of launch files: the arithmetic of ``ceil(n / 16)``, and located errors.

Exact on integers, no powers, no side effects. An expression is turned into steps in postfix order,
so that neither its nesting nor its length costs stack; its length bounds the size of what it can
compute.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any, NamedTuple, Protocol, TypeVar

from lark import Lark, Token, Transformer, UnexpectedInput, v_args
from lark.exceptions import UnexpectedToken

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, Severity, UsageError, at
from warpmill.analyzer.base.lalr import lalr_parser
from warpmill.analyzer.base.naming import integer_meant, suggestion
from warpmill.analyzer.base.toml_source import KeyPath, TomlDocument

MAX_CHARACTERS = 500
"""Longest expression that is read."""

_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "ceil": math.ceil,
    "floor": math.floor,
    "min": min,
    "max": max,
}
_OPERATORS: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}
_ONE_ARGUMENT = frozenset({"ceil", "floor"})

Number = TypeVar("Number")
"""What an expression is computed with."""


class ExpressionError(InputError):
    """An expression cannot be read or computed.

    Characters ``start`` to ``end`` of its text are what is wrong, for a caller that knows where
    the text stands.
    """

    def __init__(self, message: str, start: int, end: int, hint: str | None = None) -> None:
        super().__init__(Diagnostic(Severity.ERROR, message, hint=hint))
        self.message, self.start, self.end, self.hint = message, start, end, hint


def evaluate(text: str, names: Mapping[str, int]) -> int:
    """Compute an expression whose value must be an integer, with the values of ``names``.

    Decimal and hexadecimal numbers, names, ``+ - * /``, parentheses, ``ceil(x)``, ``floor(x)``,
    ``min(a, b, ...)`` and ``max(a, b, ...)``. Division is exact: ``7 / 2`` is an ExpressionError
    here, ``ceil(7 / 2)`` is 4.
    """
    value = evaluate_exactly(text, names)
    if value.denominator == 1:
        return int(value)
    about = _approximately(value)
    raise ExpressionError(
        f"the value is {about}, not an integer", 0, len(text), "write ceil(...) or floor(...)"
    )


def evaluate_exactly(text: str, names: Mapping[str, int]) -> Fraction:
    """Compute an expression as a fraction. Raises ExpressionError."""
    return compute(text, _Fractions(names))


class Numbers(Protocol[Number]):
    """What expressions are computed with: fractions, or formulas in place of numbers."""

    @property
    def names(self) -> Mapping[str, Any]:
        """The names that are known."""

    def whole(self, value: int) -> Number:
        """A whole number."""

    def named(self, name: str) -> Number:
        """The value of a name that is known."""

    def function(self, name: str, arguments: list[Number]) -> Number:
        """The value of ceil, floor, min or max."""

    def operation(self, sign: str, left: Number, right: Number) -> Number:
        """Sum, difference, product or quotient. ZeroDivisionError."""

    def negative(self, value: Number) -> Number:
        """The number with its sign changed."""


def compute(text: str, numbers: Numbers[Number]) -> Number:
    """Compute an expression with numbers of some kind. Raises ExpressionError."""
    stack: list[Number] = []
    for step in _steps(text):
        arguments = stack[len(stack) - step.takes :]
        del stack[len(stack) - step.takes :]
        stack.append(_value(step, arguments, numbers))
    return stack[0]


@dataclass(frozen=True, slots=True)
class _Fractions:
    """Exact numbers."""

    names: Mapping[str, int]

    def whole(self, value: int) -> Fraction:
        return Fraction(value)

    def named(self, name: str) -> Fraction:
        return Fraction(self.names[name])

    def function(self, name: str, arguments: list[Fraction]) -> Fraction:
        function = _FUNCTIONS[name]
        return Fraction(function(arguments[0]) if name in _ONE_ARGUMENT else function(arguments))

    def operation(self, sign: str, left: Fraction, right: Fraction) -> Fraction:
        return _OPERATORS[sign](left, right)

    def negative(self, value: Fraction) -> Fraction:
        return -value


def _approximately(value: Fraction) -> str:
    return f"{float(value):.10g}" if abs(value) < 10**15 else "a fraction"


class _Step(NamedTuple):
    """One step in postfix order: what to do, with how many values, and where it is written."""

    kind: str
    text: str
    takes: int
    start: int


def _value(step: _Step, arguments: list[Number], numbers: Numbers[Number]) -> Number:
    if step.kind == "number":
        digits = step.text.replace("_", "")
        return numbers.whole(int(digits, 16 if digits[:2] in ("0x", "0X") else 10))
    if step.kind == "name":
        _check_name(step, numbers.names)
        return numbers.named(step.text)
    if step.kind == "call":
        _check_call(step, len(arguments))
        return numbers.function(step.text, arguments)
    if step.kind == "negative":
        return numbers.negative(arguments[0])
    try:
        return numbers.operation(step.text, arguments[0], arguments[1])
    except ZeroDivisionError:
        raise _error("division by zero", step) from None


def _check_name(step: _Step, names: Mapping[str, Any]) -> None:
    if step.text in names:
        return
    if step.text in _FUNCTIONS:
        raise _error(f"`{step.text}` needs arguments in parentheses", step)
    known = f"names known here: {', '.join(names)}" if 0 < len(names) <= 16 else None
    hints = filter(None, (suggestion(step.text, names), known))
    raise _error(f"`{step.text}` is not defined", step, " ".join(hints) or None)


def _check_call(step: _Step, arguments: int) -> None:
    if step.text not in _FUNCTIONS:
        hint = suggestion(step.text, _FUNCTIONS) or f"functions: {', '.join(_FUNCTIONS)}"
        raise _error(f"there is no function `{step.text}`", step, hint)
    if step.text in _ONE_ARGUMENT and arguments != 1:
        raise _error(f"`{step.text}` takes one argument, not {arguments}", step)


def _error(message: str, step: _Step, hint: str | None = None) -> ExpressionError:
    return ExpressionError(message, step.start, step.start + len(step.text), hint)


_Steps = tuple[_Step, ...]


@v_args(inline=True)
class _ToSteps(Transformer[Token, _Steps]):
    """Builder of steps for each rule of the grammar; runs in the parser, without recursion."""

    def number(self, token: Token) -> _Steps:
        return (_step("number", token, 0),)

    def name(self, token: Token) -> _Steps:
        return (_step("name", token, 0),)

    def binary(self, left: _Steps, sign: Token, right: _Steps) -> _Steps:
        return (*left, *right, _step("binary", sign, 2))

    def negative(self, sign: Token, value: _Steps) -> _Steps:
        return (*value, _step("negative", sign, 1))

    def positive(self, _sign: Token, value: _Steps) -> _Steps:
        return value

    def call(self, name: Token, *arguments: _Steps) -> _Steps:
        steps = (step for argument in arguments for step in argument)
        return (*steps, _step("call", name, len(arguments)))


def _step(kind: str, token: Token, takes: int) -> _Step:
    return _Step(kind, str(token), takes, token.start_pos or 0)


@cache
def _parser() -> Lark:
    return lalr_parser("expression.lark", transformer=_ToSteps())


@lru_cache(maxsize=1024)
def _steps(text: str) -> _Steps:
    if not text.strip():
        raise ExpressionError("the expression is empty", 0, len(text))
    if len(text) > MAX_CHARACTERS:
        words = f"the expression is longer than {MAX_CHARACTERS} characters"
        raise ExpressionError(words, MAX_CHARACTERS, len(text))
    try:
        steps: Any = _parser().parse(text)
    except UnexpectedInput as error:
        raise _syntax_error(text, error) from None
    result: _Steps = steps
    return result


def _syntax_error(text: str, error: UnexpectedInput) -> ExpressionError:
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        end = len(text.rstrip())
        words = "the expression ends where a number, a name or `)` should follow"
        return ExpressionError(words, max(0, end - 1), end)
    start = error.pos_in_stream or 0
    found = error.token if isinstance(error, UnexpectedToken) else text[start]
    words = f"`{found if found.isprintable() else ascii(found)[1:-1]}` does not belong here"
    hint = None if isinstance(error, UnexpectedToken) else "allowed: numbers, names, + - * / ( ) ,"
    return ExpressionError(words, start, start + len(found), hint)


# Numbers of a launch file: written as they are or as expressions, checked and located.

INT64_MAX = (1 << 63) - 1


@dataclass
class NumberReader:
    """Reader of a document's numbers, which gathers what is wrong with them in ``problems``.

    Its methods give None where they have recorded a problem.
    """

    document: TomlDocument
    names: Mapping[str, int]
    problems: list[Diagnostic] = field(default_factory=list)

    def fail(self, path: KeyPath, message: str, hint: str | None = None) -> None:
        """Record a problem at the value of ``path``."""
        self.problems.append(self.document.error(path, message, hint))

    def integer(self, path: KeyPath, low: int, high: int = INT64_MAX) -> int | None:
        """Read an integer between ``low`` and ``high``, both included."""
        written = self.document.value(path)
        try:
            value = evaluate(written, self.names) if isinstance(written, str) else written
        except ExpressionError as error:
            self._expression_problem(path, error)
            return None
        if isinstance(value, bool) or not isinstance(value, int):
            self.fail(path, "an integer or an expression is needed here")
            return None
        if low <= value <= high:
            return value
        bound = f"at least {low}" if value < low else f"at most {high}"
        self.fail(path, f"the value must be {bound}, not {shown(value)}")
        return None

    def integers(self, path: KeyPath, low: int, high: int = INT64_MAX) -> tuple[int, ...] | None:
        """Read an array of integers as ``integer`` does; one alone stands for an array of one."""
        written = self.document.value(path)
        places = [(*path, n) for n in range(len(written))] if isinstance(written, list) else [path]
        found = [self.integer(place, low, high) for place in places]
        known = tuple(n for n in found if n is not None)
        return known if len(known) == len(found) else None

    def number(self, path: KeyPath) -> int | float | None:
        """Read a number, whole or not."""
        written = self.document.value(path)
        if isinstance(written, bool) or not isinstance(written, int | float | str):
            self.fail(path, "a number or an expression is needed here")
            return None
        try:
            value = (
                _plain(evaluate_exactly(written, self.names))
                if isinstance(written, str)
                else written
            )
        except ExpressionError as error:
            self._expression_problem(path, error)
            return None
        if _is_huge(value) and not self._is_infinity(path):
            self.fail(path, "the value is too large for a floating-point number")
            return None
        return value

    def numbers(self, path: KeyPath, count: int, form: str) -> list[int | float] | None:
        """Read an array of ``count`` numbers; ``form`` is what it should look like."""
        written = self.document.value(path)
        if not isinstance(written, list) or len(written) != count:
            self.fail(path, f"{count} numbers are needed here: {form}")
            return None
        found = [self.number((*path, place)) for place in range(count)]
        return [n for n in found if n is not None] if None not in found else None

    def _is_infinity(self, path: KeyPath) -> bool:
        """Whether a value is TOML's ``inf``, and not digits that are too many for a float."""
        span = self.document.span(path)
        written = self.document.source.line(span.line)[span.column - 1 :]
        return written.lstrip("+-").startswith("inf")

    def _expression_problem(self, path: KeyPath, error: ExpressionError) -> None:
        span = self.document.span_inside(path, error.start, error.end)
        source = self.document.source
        self.problems.append(at(source, span, Severity.ERROR, error.message, error.hint))


def _plain(value: Fraction) -> int | float:
    if value.denominator == 1 or _is_huge(int(value)):
        return int(value)
    return float(value)


def _is_huge(value: float) -> bool:
    """Whether a number is beyond what any floating-point type holds."""
    return value.bit_length() > 1024 if isinstance(value, int) else math.isinf(value)


def shown(value: float) -> str:
    """A number for a message; very long ones in short."""
    if isinstance(value, int) and abs(value) >= 1 << 64:
        return f"about {'-' if value < 0 else ''}2^{value.bit_length()}"
    return str(value)


# Sizes of a launch file, each an expression over those above it.

_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_OTHER_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)


def resolve_sizes(
    document: TomlDocument, sizes: Collection[str], overrides: Mapping[str, int | str]
) -> dict[str, int]:
    """The file's sizes by name, some of them overridden. UsageError, InputError."""
    for name in overrides:
        if name not in sizes:
            known = suggestion(name, sizes) or f"sizes: {', '.join(sizes) or 'none'}"
            words = f"the launch file has no size `{name}`"
            raise UsageError(Diagnostic(Severity.ERROR, words, document.source.name, hint=known))
    names: dict[str, int] = {}
    numbers = NumberReader(document, names)
    for name in sizes:
        if _NAME.fullmatch(name) is None:
            words = "the name of a size is made of letters, digits and underscores"
            numbers.problems.append(document.key_error(("sizes", name), words))
        elif name in overrides:
            names[name] = _override(name, overrides[name], names)
        else:
            value = numbers.integer(("sizes", name), -INT64_MAX - 1)
            names[name] = 1 if value is None else value  # the problem is told; look on for more
    if numbers.problems:
        raise InputError(*numbers.problems)
    return names


def _override(name: str, given: int | str, names: Mapping[str, int]) -> int:
    try:
        value = evaluate(str(given), names)
    except ExpressionError as error:
        words, hint = _no_size(name, str(given), error)
        words = f"size `{name}` = `{given}`: {words}"
        raise UsageError(Diagnostic(Severity.ERROR, words, hint=hint)) from None
    if -INT64_MAX - 1 <= value <= INT64_MAX:
        return value
    raise UsageError(f"size `{name}` = `{given}`: the value does not fit 64 bits")


def _no_size(name: str, given: str, error: ExpressionError) -> tuple[str, str | None]:
    """Fault of a size, and what to write instead where that is known."""
    if _OTHER_NUMBER.fullmatch(given) is None:
        return error.message, error.hint
    meant = integer_meant(given)
    return "a size is a whole number", None if meant is None else f"write {name}={meant}"
