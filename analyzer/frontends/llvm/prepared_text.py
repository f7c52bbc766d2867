"""A module's text before it is lowered: verified by LLVM, or rewritten from another version's.

In its own process LLVM checks text, prints bitcode and promotes stack slots. It refuses what older
and newer versions print in forms of their own, so that these are rewritten first: typed pointers
(``upgraded``) and floating-point constants (``rewritten``).
"""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, Severity, Source, Span, at
from warpmill.analyzer.frontends.llvm.child import Reply, TaskLimits, TaskOutcome, ask, limits_for
from warpmill.analyzer.frontends.llvm.context import float_bits

_MAGICS = (b"BC\xc0\xde", b"\xde\xc0\x17\x0b")
_BARRIERS = re.compile(r"\b(?:optnone|noinline)\b")
_SLOT = re.compile(
    r"= alloca (?:i\d+|half|bfloat|float|double|ptr(?: addrspace\(\d+\))?|<\d+ x [^>]+>)"
    r"(?:, align \d+)?(?:, addrspace\(\d+\))?(?:, !.*)?$",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Checked:
    """Module as LLVM sees it: functions with a body, and the number of instructions of each.

    ``instructions`` is None of a text that it printed itself. ``remark`` is what it says against
    debug information that it leaves out, empty where nothing.
    """

    instructions: Mapping[str, int] | None = None
    remark: str = ""


def check_text(source: Source) -> Checked:
    """Module's text parsed and verified by LLVM.

    Raise InputError with the line and column of LLVM's message.
    """
    reply = _of_text("check", source, source.text)
    return Checked(json.loads(reply.answer), _remark(reply))


def printed(source: Source) -> Source:
    """The module as LLVM prints it."""
    return Source(source.name, _of_text("reprint", source, source.text).answer, derived=True)


def promote(source: Source) -> tuple[Source, Checked]:
    """Turn stack slots into values (LLVM's ``sroa``) and give the text that LLVM prints.

    ``optnone`` and ``noinline`` are taken off first: they keep passes from touching a function.
    Raise InputError as ``check_text`` does.
    """
    lines = source.text.split("\n")
    for number, line in enumerate(lines):
        if line.startswith(("attributes #", "define ")):
            lines[number] = _BARRIERS.sub(lambda found: " " * len(found[0]), line)
    reply = _of_text("promote", source, "\n".join(lines))
    return Source(source.name, reply.answer, derived=True), Checked(None, _remark(reply))


def _of_text(task: str, source: Source, text: str) -> Reply:
    """LLVM's answer to a task on a text whose lines and columns are those of ``source``."""
    if not text.strip():
        raise refusal(source.name, "the file is empty")
    if "\0" in text:
        raise refusal(source.name, "this is not text: it has zero bytes")
    try:
        data = text.encode()
    except UnicodeEncodeError as error:
        message = f"this is not text that LLVM reads: {error}"
        raise refusal(source.name, message) from None
    limits = limits_for(len(data))
    reply = ask(task, data, limits)
    if reply.outcome is not TaskOutcome.DONE:
        raise text_fault(source, reply, limits)
    return reply


def _remark(reply: Reply) -> str:
    return reply.said.split("\n", 1)[0].strip() if "invalid debug info" in reply.said else ""


def needs_promotion(text: str) -> bool:
    """Whether values live in stack slots, as compilers without optimisation leave them."""
    return "alloca" in text and _SLOT.search(text) is not None


def print_bitcode(data: bytes, name: str, time_limit_s: float | None = None) -> Source:
    """The text of a module in bitcode; ``name`` is what its diagnostics call it.

    Raise InputError where it is no bitcode, is damaged, or takes longer than the limit, which
    follows from its size unless it is given.
    """
    if not data:
        raise refusal(name, "the file is empty")
    if not data.startswith(_MAGICS):
        raise refusal(name, "this is not LLVM bitcode: it does not start with `BC`")
    limits = limits_for(len(data))
    if time_limit_s is not None:
        limits = limits._replace(seconds=time_limit_s)
    reply = ask("print", data, limits)
    if reply.outcome is not TaskOutcome.DONE:
        raise bitcode_fault(name, reply, limits)
    return Source(name, reply.answer, derived=True)


# Text that another version of LLVM printed, written as the one at hand reads it.
#
# LLVM 14 and older printed typed pointers, ``float addrspace(1)*``; here they become ``ptr``. LLVM
# reads some of them still, and prints none. A star stands nowhere else in such text, outside
# strings and comments; the type before it goes back over one word or one bracket, and over the
# result's type where the bracket is a function's list of parameters. Lines keep their numbers;
# columns behind a pointer move.
#
# A newer LLVM prints floating-point constants in forms of its own (``rewritten``).

_STRING = re.compile(r'"[^"]*"')
_WORD_BEFORE = re.compile(r"[%@]?[-\w.$\"\x03]+$")
_SPACE_BEFORE = re.compile(r"\s+addrspace\(\s*(\d+)\s*\)$")
_CLOSING = {")": "(", "]": "[", "}": "{", ">": "<"}
_OPENING = frozenset(_CLOSING.values())
_POINTER = re.compile("\x01(\\d*)\x02")
_BARE = re.compile(r"\b(byval|sret|byref|inalloca|preallocated)\b(?! *\()")
_ARGUMENT_END = re.compile(r"[%@,)]")


def upgraded(source: Source) -> Source:
    """The same module with opaque pointers; ``source`` itself where it has no typed ones."""
    lines = source.text.split("\n")
    changed = [_line(line) if "*" in line else line for line in lines]
    if changed == lines:
        return source
    return Source(source.name, "\n".join(changed), derived=True)


def _line(line: str) -> str:
    strings: list[str] = []

    def hide(found: re.Match[str]) -> str:
        strings.append(found[0])
        return '"\x03"'

    text = _STRING.sub(hide, line)
    comment = text.find(";")
    code, rest = (text, "") if comment < 0 else (text[:comment], text[comment:])
    if "*" not in code:
        return line
    written = _POINTER.sub(lambda m: f"ptr addrspace({m[1]})" if m[1] else "ptr", _rewritten(code))
    kept = iter(strings)
    return re.sub('"\x03"', lambda _: next(kept), written + rest)


def _rewritten(code: str) -> str:
    """The pointers of a line from left to right, so that inner ones are done first."""
    star = code.find("*")
    while star >= 0:
        end = len(code[:star].rstrip())
        space = _SPACE_BEFORE.search(code[:end])
        if space is not None:
            end = space.start()
        start = _type_start(code, end)
        if start is None:
            return code  # no type: LLVM will say what is wrong with it
        number = space[1] if space is not None and space[1] != "0" else ""
        tail = _with_type(code[star + 1 :], code[start:end])
        code = f"{code[:start]}\x01{number}\x02{tail}"
        star = code.find("*", start)
    return code


def _with_type(tail: str, pointee: str) -> str:
    """``byval`` and its like say what they are of, where the pointer said it for them."""
    stop = _ARGUMENT_END.search(tail)
    end = len(tail) if stop is None else stop.start()
    if _BARE.search(tail, 0, end) is None:
        return tail
    return _BARE.sub(lambda m: f"{m[1]}({pointee})", tail[:end], count=1) + tail[end:]


def _type_start(code: str, end: int) -> int | None:
    """Start of the type that ends at ``end``; None where there is none."""
    end = len(code[:end].rstrip())
    if end == 0:
        return None
    last = code[end - 1]
    if last == "\x02":
        return code.rindex("\x01", 0, end)
    if last not in _CLOSING:
        found = _WORD_BEFORE.search(code[:end])
        return None if found is None else found.start()
    start = _bracket_start(code, end)
    if start is None or last != ")":
        return start
    return _type_start(code, start)


def _bracket_start(code: str, end: int) -> int | None:
    """The index of the bracket that the one before ``end`` closes."""
    open_: list[str] = []
    for index in range(end - 1, -1, -1):
        sign = code[index]
        if sign in _CLOSING:
            open_.append(_CLOSING[sign])
        elif sign in _OPENING:
            if open_.pop() != sign:
                return None
            if not open_:
                return index
    return None


# Text printed by a newer LLVM than the one at hand, as some Python compilers leave it.
#
# It writes floating-point constants in ways that an older LLVM refuses: by the bits of their own
# type (``f0x3FB8AA3B``), in words (``-inf``, ``nan``), and in decimals that are not exact. Each of
# these is written anew in the form that LLVM has always taken; all other text stays as it is.

_TOKEN = re.compile(
    r"""
      "[^"]*" | [%@!\#][-\w.$]+ | ;.*
    | \b(?P<type> half | bfloat | float | double | i\d+ | ptr )\b
    | (?<![\w.$])(?P<bits> f0x[0-9A-Fa-f]+ )\b
    | (?<![\w.$])(?P<word> [-+]?(?:inf|q?nan)(?:\(0x[0-9A-Fa-f]+\))? )(?![\w.])
    | (?<![\w.$])(?P<decimal> [-+]?\d+\.\d*(?:[eE][-+]?\d+)? )(?![\w.])
    """,
    re.VERBOSE,
)
_CANDIDATE = re.compile(r"f0x|inf|nan|\d\.")
_PREFIX = {"half": "0xH", "bfloat": "0xR"}
_FRACTION = {"half": 10, "bfloat": 7, "float": 23, "double": 52}
_WIDTH = {"half": 16, "bfloat": 16, "float": 32, "double": 64}
_PLAIN = {"half": "<e", "float": "<f", "double": "<d"}


def rewritten(source: Source) -> Source:
    """The same module with such constants written anew; ``source`` itself where it has none.

    Lines keep their numbers; columns behind a constant move.
    """
    lines = source.text.split("\n")
    changed = [_newer_line(line) if _CANDIDATE.search(line) else line for line in lines]
    if changed == lines:
        return source
    return Source(source.name, "\n".join(changed), derived=True)


def _newer_line(line: str) -> str:
    """A constant has the type that was named last before it."""
    named = ""

    def write(found: re.Match[str]) -> str:
        nonlocal named
        if found["type"]:
            named = found["type"]
        elif named in _WIDTH and found.lastgroup is not None:
            return _constant(found[0], found.lastgroup, named)
        return found[0]

    return _TOKEN.sub(write, line)


def _constant(text: str, kind: str, name: str) -> str:
    if kind == "bits":
        bits = int(text[3:], 16)
        return _written(bits, name) if bits >> _WIDTH[name] == 0 else text
    if kind == "word":
        return _written(_word_bits(text, name), name)
    if name == "double":
        return text  # a decimal is read as the nearest double
    try:
        narrow = float_bits(text, name)
    except OverflowError:
        return text
    return text if _double(narrow, name) == float_bits(text, "double") else _written(narrow, name)


def _word_bits(text: str, name: str) -> int:
    """Infinity, or a quiet NaN; its payload where one is written."""
    width, fraction = _WIDTH[name], _FRACTION[name]
    bits = ((1 << (width - 1 - fraction)) - 1) << fraction
    if "nan" in text:
        payload = re.search(r"0x([0-9A-Fa-f]+)", text)
        bits |= 1 << (fraction - 1)
        bits |= int(payload[1], 16) & ((1 << fraction) - 1) if payload else 0
    return bits | (1 << (width - 1) if text.startswith("-") else 0)


def _written(bits: int, name: str) -> str:
    """LLVM's hexadecimal form: of a ``float`` the bits of the double of the same value."""
    if name in _PREFIX:
        return f"{_PREFIX[name]}{bits:04X}"
    return f"0x{_double(bits, name):016X}"


def _double(bits: int, name: str) -> int:
    """The bits of the double with the value of a narrower number's bits."""
    if name == "bfloat":
        return _double(bits << 16, "float")
    width, fraction = _WIDTH[name], _FRACTION[name]
    kept = bits & ((1 << fraction) - 1)
    if bits >> fraction & ((1 << (width - 1 - fraction)) - 1) == (1 << (width - 1 - fraction)) - 1:
        return bits >> (width - 1) << 63 | 0x7FF << 52 | kept << (52 - fraction)
    (value,) = struct.unpack(_PLAIN[name], bits.to_bytes(width // 8, "little"))
    return int.from_bytes(struct.pack("<d", value), "little")


# What LLVM has against a module, as diagnostics that point to its place.

_PLACE = re.compile(r"<string>:(\d+):(\d+): (?:error: )?(.*)")
_ABORTED = "Broken module found"  # by an upgrade of debug information, which verifies first
_FUNCTION = re.compile(r'ptr @((?:[-\w.$]+|"[^"]*"))')
_MEMORY = re.compile(r"out of memory|bad.?alloc|MemoryError", re.IGNORECASE)
_BRACKETS = re.compile(r'"[^"]*"|;.*|[(\[{<]|[)\]}>]')
_DEEP = 500


def refusal(name: str, message: str, hint: str | None = None) -> InputError:
    """An error about a file as a whole."""
    return InputError(Diagnostic(Severity.ERROR, message, name, hint=hint))


def text_fault(source: Source, reply: Reply, limits: TaskLimits) -> InputError:
    """Fault of a module in text, with the line and column where LLVM reports them."""
    match reply.outcome:
        case TaskOutcome.UNREADABLE:
            return InputError(_syntax_fault(source, reply.answer))
        case TaskOutcome.INVALID:
            return InputError(_verifier_fault(source, reply.answer))
        case TaskOutcome.DIED if _ABORTED in reply.said:
            return InputError(_verifier_fault(source, _own_words(reply.said)))
    deepest = _deepest(source)
    if reply.outcome is TaskOutcome.DIED and deepest is not None:
        return InputError(deepest)
    return _stopped(source.name, reply, limits)


def bitcode_fault(name: str, reply: Reply, limits: TaskLimits) -> InputError:
    """Fault of a module that no person wrote: bitcode, or text made of it."""
    if reply.outcome in (TaskOutcome.UNREADABLE, TaskOutcome.INVALID):
        return refusal(name, f"LLVM cannot read this module: {_one_line(reply.answer)}")
    return _stopped(name, reply, limits)


def _stopped(name: str, reply: Reply, limits: TaskLimits) -> InputError:
    """The error of a task that LLVM did not come to the end of."""
    seconds, memory = limits
    if reply.outcome is TaskOutcome.LATE:
        message = f"LLVM took longer than {seconds:g} s over this module and was stopped"
        return refusal(name, message)
    if _MEMORY.search(reply.said):
        message = f"LLVM needs more than {memory / (1 << 30):.1f} GiB for this module"
        return refusal(name, message)
    message = f"LLVM gave up on this module: it is damaged ({reply.answer})"
    return refusal(name, message, _crash(reply.said))


def too_deep(source: Source) -> InputError:
    """The error of a text whose types or constants nest deeper than can be followed."""
    deepest = _deepest(source)
    if deepest is not None:
        return InputError(deepest)
    return refusal(source.name, "types or constants nest deeper than can be followed")


def _syntax_fault(source: Source, text: str) -> Diagnostic:
    found = _PLACE.search(text)
    if found is None:
        return Diagnostic(Severity.ERROR, f"LLVM cannot read it: {text.strip()}", source.name)
    line = max(1, min(int(found[1]), len(source.lines)))
    column = max(1, min(int(found[2]), len(source.line(line)) + 1))
    span = Span(line, column, _word_end(source.line(line), column))
    return at(source, span, Severity.ERROR, found[3])


def _word_end(line: str, column: int) -> int:
    found = re.compile(r"[%@!#]?[\w.$-]+|.").match(line, column - 1)
    return column + 1 if found is None else found.end() + 1


def _verifier_fault(source: Source, text: str) -> Diagnostic:
    """The verifier names no line, but prints the instruction that it is about."""
    words = [line.rstrip() for line in text.strip().split("\n")]
    message = f"LLVM's verifier refuses the module: {words[0]}"
    for printed in words[1:]:
        if (found := _FUNCTION.fullmatch(printed.strip())) is not None:
            span = _declared(source, found[1])
            if span is not None:
                return at(source, span, Severity.ERROR, f"{message} (`{found[1]}`)")
        wanted = printed.strip().split(" = ")[0] if " = " in printed else printed.strip()
        for number, line in enumerate(source.lines, 1):
            if wanted and line.strip().startswith(wanted):
                column = len(line) - len(line.lstrip()) + 1
                span = Span(number, column, len(line.rstrip()) + 1)
                return at(source, span, Severity.ERROR, message)
    return Diagnostic(Severity.ERROR, message, source.name)


def _declared(source: Source, name: str) -> Span | None:
    """Span of a function's name in the line that declares or defines it."""
    header = re.compile(rf"(?:declare|define)\b[^@]*(@{re.escape(name)})(?=\()")
    for number, line in enumerate(source.lines, 1):
        if (found := header.match(line)) is not None:
            return Span(number, found.start(1) + 1, found.end(1) + 1)
    return None


def _own_words(said: str) -> str:
    """The verifier's words, without LLVM's last ones."""
    return "\n".join(line for line in said.split("\n") if "LLVM ERROR" not in line)


def _deepest(source: Source) -> Diagnostic | None:
    """The place where brackets nest deepest, if that is very deep."""
    depth, most, place = 0, 0, (1, 0)
    for number, line in enumerate(source.lines, 1):
        for found in _BRACKETS.finditer(line):
            if found[0] in "([{<":
                depth += 1
                if depth > most:
                    most, place = depth, (number, found.start())
            elif found[0] in ")]}>":
                depth = max(0, depth - 1)
    if most <= _DEEP:
        return None
    number, column = place
    message = f"brackets nest {most} deep here, which is more than can be followed"
    return at(source, Span(number, column + 1, column + 2), Severity.ERROR, message)


def _one_line(text: str) -> str:
    """LLVM's own words, on one line."""
    words = [w.strip() for w in text.split("\n")]
    return "; ".join(w for w in words if w and "parsing error" not in w)[:500] or "no reason given"


def _crash(said: str) -> str | None:
    """The line in which LLVM says what it found, if it got that far."""
    for line in said.split("\n"):
        if "LLVM ERROR" in line or "Assertion" in line:
            return line.strip()[:300]
    return None
