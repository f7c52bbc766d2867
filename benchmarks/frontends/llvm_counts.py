"""What LLVM's statements should become, counted off LLVM's own print of a module.

It shares nothing with the front-end. The rule is that of ``analyzer/ir/kernel.py``: values are
scalars, so that a statement on scalars of a usual width becomes one instruction, and one on a
vector becomes one for each element; a φ becomes copies on edges, which are no instructions. The
kinds below are counted exactly. Of other statements (block copies, odd widths, aggregates, calls of
functions) at least one instruction is expected, but for notes to the compiler.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

_USUAL = r"(?:i1|i8|i16|i32|i64|half|bfloat|float|double|ptr(?: addrspace\(\d+\))?)"
_TYPE = re.compile(rf"(?:<(\d+) x ({_USUAL})>|({_USUAL}))(?=[\s,]|$)")
_NO_ODD = r"(?!.*\bi(?!(?:1|8|16|32|64)\b)\d+\b)"
_PLAIN = _NO_ODD + r"(?!.*(?:asm|@))"
_CALL = r"(?:tail |musttail |notail )?call\b"
_DESCRIPTOR = (
    r".*ptr addrspace\(4\)"  # AMD's launch packet: reads of its fields are special registers
)


def _elements(found: re.Match[str]) -> int | None:
    """How many scalars the first type of a statement has; None where it is no usual one."""
    type_ = _TYPE.search(found.string)
    return None if type_ is None else int(type_[1] or 1)


def _one_scalar(found: re.Match[str]) -> int | None:
    return 1 if _elements(found) == 1 else None


_RULES: tuple[tuple[str, Callable[[re.Match[str]], int | None] | int | None], ...] = (
    (_DESCRIPTOR, None),
    (r"phi (?:\S+ )*?ptr\b", None),  # those of two spaces are made generic
    (r"phi\b", 0),
    (r"(?:br|switch|unreachable|fence)\b", 1),
    (rf"{_NO_ODD}extractelement\b.*, i\d+ \d+$", 1),
    (rf"{_NO_ODD}insertelement\b.*, i\d+ \d+$", _elements),
    (r"shufflevector\b.*<(\d+) x i32> (?:<[^<]*>|\w+)$", lambda found: int(found[1])),
    (r"(?:insert|extract)value\b.*, ptr\b[^,]*, \d+$", None),
    (r"extractvalue \{ [^{}\[\]<>]* \} [^,]*,(?: [^,{]*,)? \d+$", 1),
    (r"insertvalue \{ ([^{}\[\]<>]*) \} [^,]*,(?: [^,{]*,)? \d+$",
     lambda found: found[1].count(",") + 1),
    (r"(?:insert|extract)(?:element|value)|shufflevector", None),
    (rf"{_CALL}.*@llvm\.(?:dbg\.|lifetime\.|assume\b|experimental\.noalias|invariant\.|donothing\b"
     r"|sideeffect\b|var\.annotation|prefetch\b)", 0),
    (rf"{_CALL}.*@llvm\.(?:nvvm\.(?:read\.ptx\.sreg|barrier0?\b)"
     r"|amdgcn\.(?:workitem\.id|workgroup\.id)\.)", 1),
    (rf"{_NO_ODD}{_CALL}.*(?:@llvm\.(?:fma|fmuladd|sqrt|floor|ceil|trunc|rint|fabs|smax|smin|umax"
     r"|umin|maxnum|minnum|copysign)\.|@llvm\.nvvm\.(?:fma|mul|mulhi|add|div|d2i|f2i|i2f|fabs|ex2"
     r"|lg2|sin|cos|rsqrt|rcp|sqrt|lohi|prmt|round|trunc|floor|ceil|shfl|vote|membar)\.)",
     _elements),
    (_CALL, None),
    (rf"{_PLAIN}(?:shl|lshr|ashr)\b(?:.*\bi32\b|.*, (?:\d+|splat \(.*\))$)", _elements),
    (r"(?:shl|lshr|ashr)\b", None),  # other amounts are narrowed first
    (rf"{_PLAIN}(?:add|sub|mul|[su]div|[su]rem|and|or|xor|fadd|fsub|fmul|fdiv|fneg|[if]cmp|zext"
     r"|sext|fpext|fptrunc|fpto[su]i|[su]itofp)\b", _elements),
    (r"getelementptr\b.*\bptr addrspace\([35]\)", None),  # may be narrower than an index
    (r"(?:trunc\b.* i1$|store ptr|select\b.*, ptr)", None),
    (rf"{_PLAIN}(?!.*(?:[<{{\[]|volatile))(?:load|store|getelementptr|trunc|select)\b",
     _one_scalar),
)  # fmt: skip
"""How many instructions a statement becomes exactly, by the first pattern that fits; None: at least
one, as a statement that none fits."""
_COMPILED = [(re.compile(pattern), count) for pattern, count in _RULES]
_MAY_VANISH = re.compile(rf"alloca\b|ret\b|phi\b|{_DESCRIPTOR}|{_CALL}.*(?:@llvm\.| asm )")
_STATEMENT = re.compile(r"  (?:%\S+|%\"[^\"]*\") = (.*)|  ([a-z].*)")
_METADATA = re.compile(r", ![\w.]+ ![\w.]+|, ![\w.]+ !\w*\([^)]*\)")
_LABEL = re.compile(r'(?:[-\w.$]+|"[^"]*"):')
_FUNCTION = re.compile(r'define [^@]*@("[^"]*"|[-\w.$]+)\s*\(')
_KERNEL = re.compile(r"define [^@]*\b(?:ptx|amdgpu|spir)_kernel ")


@dataclass(frozen=True)
class Expected:
    """The instructions that a line should have: exactly so many, or at least so many."""

    line: int
    text: str
    count: int
    is_exact: bool


@dataclass(frozen=True)
class Counted:
    """A function of a module: how many blocks it has, and what is expected of its statements.

    ``is_kernel`` tells it by the calling convention; older code says it in metadata only.
    """

    name: str
    is_kernel: bool
    first_line: int
    blocks: int
    statements: tuple[Expected, ...]


def count_functions(text: str) -> Iterator[Counted]:
    """Count each function with a body in a module that LLVM printed."""
    lines = text.split("\n")
    for start, line in enumerate(lines):
        name = _FUNCTION.match(line)
        if name is None:
            continue
        statements: list[Expected] = []
        labels = 0
        for number in range(start + 1, lines.index("}", start)):
            if _LABEL.match(lines[number]):
                labels += bool(statements)
            elif found := _STATEMENT.match(lines[number]):
                statements.append(_expected(number + 1, found[1] or found[2]))
        is_kernel = _KERNEL.match(line) is not None
        yield Counted(name[1].strip('"'), is_kernel, start + 1, labels + 1, tuple(statements))


def _expected(line: int, text: str) -> Expected:
    text = _METADATA.sub("", text)
    for pattern, rule in _COMPILED:
        found = pattern.match(text)
        if found is None:
            continue
        count = rule(found) if callable(rule) else rule
        if count is not None:
            return Expected(line, text, count, is_exact=True)
        break
    return Expected(line, text, 0 if _MAY_VANISH.match(text) else 1, is_exact=False)
