"""Text printed by a newer LLVM than the one at hand, as some Python compilers leave it.

It writes floating-point constants in ways that an older LLVM refuses: by the bits of their own type
(``f0x3FB8AA3B``), in words (``-inf``, ``nan``), and in decimals that are not exact. Each of these
is written anew in the form that LLVM has always taken; all other text stays as it is.
"""

from __future__ import annotations

import re
import struct

from warpmill.analyzer.base.source import Source
from warpmill.analyzer.frontends.llvm.constants import float_bits

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
    changed = [_line(line) if _CANDIDATE.search(line) else line for line in lines]
    if changed == lines:
        return source
    return Source(source.name, "\n".join(changed), derived=True)


def _line(line: str) -> str:
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
