"""What LLVM's statements should become, counted off LLVM's own print of a module.

It shares nothing with the front-end. The rule is that of ``analyzer/ir/kernel.py``: values are
scalars, so that a statement on scalars of a usual width becomes one instruction, and one on a
vector becomes one for each element; a φ becomes copies on edges, which are no instructions. The
kinds below are counted exactly. Of other statements (block copies, odd widths, aggregates, calls of
functions) at least one instruction is expected, but for notes to the compiler.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_EACH_ELEMENT = frozenset(
    {
        "add", "sub", "mul", "sdiv", "udiv", "srem", "urem", "shl", "lshr", "ashr", "and", "or",
        "xor", "fadd", "fsub", "fmul", "fdiv", "fneg", "icmp", "fcmp", "zext", "sext", "fpext",
        "fptosi", "fptoui", "fptrunc", "sitofp", "uitofp",
    }
)  # fmt: skip
_ONE = frozenset({"br", "switch", "unreachable"})
_SCALAR_ONLY = frozenset({"load", "store", "getelementptr", "trunc", "select"})
_INTRINSICS = re.compile(
    r"@llvm\.(?:fma|fmuladd|sqrt|floor|ceil|trunc|rint|fabs|smax|smin|umax|umin|maxnum|minnum"
    r"|copysign)\.|@llvm\.nvvm\.(?:fma|mul|mulhi|add|div|d2i|f2i|i2f|fabs|ex2|lg2|sin|cos|rsqrt|rcp"
    r"|sqrt|lohi|prmt|round|trunc|floor|ceil|shfl|vote|membar)\."
)
_NOTES = re.compile(
    r"@llvm\.(?:dbg\.|lifetime\.|assume\b|experimental\.noalias|invariant\.|donothing\b"
    r"|sideeffect\b|var\.annotation|prefetch\b)"
)
_READ = re.compile(
    r"@llvm\.(?:nvvm\.(?:read\.ptx\.sreg|barrier0?\b)|amdgcn\.(?:workitem\.id|workgroup\.id)\.)"
)
_STATEMENT = re.compile(r"  (?:%\S+|%\"[^\"]*\") = (.*)|  ([a-z].*)")
_CALL = re.compile(r"(?:tail |musttail |notail )?call\b")
_DESCRIPTOR = "ptr addrspace(4)"  # AMD's launch packet: reads of its fields are special registers
_KERNEL = re.compile(r"^define [^@]*\b(?:ptx|amdgpu|spir)_kernel ")
_USUAL = r"(?:i1|i8|i16|i32|i64|half|bfloat|float|double|ptr(?: addrspace\(\d+\))?)"
_TYPE = re.compile(rf"(?:<(\d+) x ({_USUAL})>|({_USUAL}))(?=[\s,]|$)")
_FLAT = re.compile(r"\w+ \{ ([^{}\[\]<>]*) \} [^,]*,(?: [^,{]*,)? \d+$")
_SHIFTS = frozenset({"shl", "lshr", "ashr"})
_USUAL_SHIFT = re.compile(r"\bi32\b|, (?:\d+|splat \(.*\))$")  # other amounts are narrowed first
_SMALL_SPACE = re.compile(r"\bptr addrspace\([35]\)")  # its pointers may be narrower than an index
_OF_POINTERS = re.compile(r"^phi (?:\S+ )*?ptr\b")  # those of two spaces are made generic
_VECTOR_OR_AGGREGATE = re.compile(r"[<{\[]")
_ODD_INTEGER = re.compile(r"\bi(?!(?:1|8|16|32|64)\b)\d+\b")


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
    number = 0
    while number < len(lines):
        if lines[number].startswith("define "):
            end = lines.index("}", number)
            yield _counted(lines, number, end)
            number = end
        number += 1


def _counted(lines: list[str], start: int, end: int) -> Counted:
    name = re.search(r'@("[^"]*"|[-\w.$]+)\s*\(', lines[start])
    assert name is not None
    statements: list[Expected] = []
    labels = 0
    for number in range(start + 1, end):
        line = lines[number]
        if re.match(r'(?:[-\w.$]+|"[^"]*"):', line):
            labels += bool(statements)
            continue
        found = _STATEMENT.match(line)
        if found is not None:
            statements.append(_expected(number + 1, found[1] or found[2]))
    is_kernel = _KERNEL.search(lines[start]) is not None
    return Counted(name[1].strip('"'), is_kernel, start + 1, labels + 1, tuple(statements))


def _expected(line: int, text: str) -> Expected:
    text = re.sub(r", ![\w.]+ ![\w.]+|, ![\w.]+ !\w*\([^)]*\)", "", text)
    word = text.split(maxsplit=1)[0]
    count = _exact(word, text)
    if count is not None:
        return Expected(line, text, count, is_exact=True)
    is_intrinsic = _CALL.match(text) is not None and ("@llvm." in text or " asm " in text)
    may_vanish = is_intrinsic or word in ("alloca", "ret", "phi") or _DESCRIPTOR in text
    return Expected(line, text, 0 if may_vanish else 1, is_exact=False)


def _exact(word: str, text: str) -> int | None:  # noqa: PLR0912 - a rule for each kind
    if _DESCRIPTOR in text:
        return None
    if word == "phi":
        return None if _OF_POINTERS.search(text) else 0
    if word in _ONE or word == "fence":
        return 1
    if word in ("extractelement", "insertelement"):
        by_number = re.search(r", i\d+ \d+$", text)
        if not by_number or _ODD_INTEGER.search(text):
            return None
        return 1 if word[0] == "e" else _elements(text)
    if word == "shufflevector":
        mask = re.search(r"<(\d+) x i32> (?:<[^<]*>|\w+)$", text)
        return int(mask[1]) if mask else None
    if word in ("insertvalue", "extractvalue"):
        flat = None if re.search(r", ptr\b[^,]*, \d+$", text) else _FLAT.match(text)
        return None if flat is None else 1 if word[0] == "e" else flat[1].count(",") + 1
    if _CALL.match(text):
        return _exact_call(text)
    if _ODD_INTEGER.search(text) or "asm" in text or "@" in text:
        return None
    elements = _elements(text)
    if word in _SHIFTS:
        return elements if _USUAL_SHIFT.search(text) else None
    if word in _EACH_ELEMENT:
        return elements
    if word == "getelementptr" and _SMALL_SPACE.search(text):
        return None
    if word in _SCALAR_ONLY and not _VECTOR_OR_AGGREGATE.search(text):
        to_predicate = word == "trunc" and text.endswith(" i1")
        is_usual = elements == 1 and not to_predicate and "volatile" not in text
        of_pointers = word == "store" and text.startswith("store ptr")
        of_pointers |= word == "select" and ", ptr" in text
        return 1 if is_usual and not of_pointers else None
    return None


def _exact_call(text: str) -> int | None:
    if _NOTES.search(text):
        return 0
    if _READ.search(text):
        return 1
    if _INTRINSICS.search(text) and not _ODD_INTEGER.search(text):
        return _elements(text)
    return None


def _elements(text: str) -> int | None:
    """How many scalars the first type of a statement has; None where it is no usual one."""
    found = _TYPE.search(text)
    if found is None:
        return None
    return int(found[1]) if found[1] else 1
