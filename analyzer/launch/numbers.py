"""Numbers of a launch file: written as they are or as expressions, checked and located."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, at
from warpmill.analyzer.base.toml_source import KeyPath, TomlDocument
from warpmill.analyzer.launch.expressions import ExpressionError, evaluate, evaluate_exactly

INT64_MAX = (1 << 63) - 1


@dataclass
class NumberReader:
    """Reads numbers out of a document and gathers what is wrong with them in ``problems``.

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
        if _is_huge(value) and "inf" not in self._text(path):
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

    def _text(self, path: KeyPath) -> str:
        """Give the text of the value at ``path`` as written, its first line."""
        span = self.document.span(path)
        return self.document.source.line(span.line)[span.column - 1 : span.end_column - 1]

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
    """Give a number for a message; very long ones in short."""
    if isinstance(value, int) and abs(value) >= 1 << 64:
        return f"about {'-' if value < 0 else ''}2^{value.bit_length()}"
    return str(value)
