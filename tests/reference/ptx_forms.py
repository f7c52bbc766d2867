"""The enumeration of what PTX ISA 9.0 has: each opcode with operands, read from ptx_forms.txt."""

import re
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path

from warpmill.analyzer.ir.types import TYPES

TABLE = Path(__file__).with_name("ptx_forms.txt")

REGISTERS = {1: "pred", 8: "b8", 16: "b16", 32: "b32", 64: "b64", 128: "b128"}
"""The declared type of a register by its bits."""

PARTS = ("", ".b0", ".h1", ".b3", ".h0", ".b1", ".b2")
HALVES = ("", ".h10", ".h32", ".h20", ".h13", ".h01", ".h33")
QUARTERS = ("", ".b3210", ".b7654", ".b0246", ".b7310", ".b4567", ".b1122")
MASKS = {"2": ("", ".h0", ".h1", ".h10"), "4": ("", ".b0", ".b21", ".b3", ".b310", ".b3210")}
"""Parts of registers that video instructions take, in turn."""


@dataclass(frozen=True)
class Place:
    """One operand of a statement: a type, from what part of its values, and how it is written."""

    type: str
    domain: str = ""
    part: str = ""  # .b0 of a video instruction
    sign: str = ""  # - or ! before it
    immediate: int | None = None

    @property
    def bits(self):
        """Bits of the register; numbers of 8 bits are kept in 16, as compilers do."""
        if self.type in ("u8", "s8"):
            return 16
        bits = 1 if self.type in ("pred", "cc") else TYPES[self.type].bits
        return bits if bits in REGISTERS else 8

    @property
    def is_register(self):
        """Whether the text names a register for it."""
        return self.immediate is None and self.type not in ("cc", "_")


@dataclass(frozen=True)
class Form:
    """An opcode with its operands; ``text`` writes the statement, ``%`` stands for registers."""

    opcode: str
    destinations: tuple[Place, ...]
    sources: tuple[Place, ...]
    template: str

    @property
    def operation(self):
        """The opcode's first word."""
        return self.opcode.partition(".")[0]

    @property
    def modifiers(self):
        """The words after the first."""
        return tuple(self.opcode.split(".")[1:])

    @property
    def types(self):
        """The data types in the opcode, in order."""
        return tuple(m for m in self.modifiers if m in TYPES)

    @property
    def name(self):
        """The statement with types for operands: tells forms apart."""
        operands = self.template.format(*[_shown(p) for p in self.places if p.is_register])
        return f"{self.opcode} {operands}".strip()

    @property
    def places(self):
        """All operands, as they stand in the text."""
        return (*self.destinations, *self.sources)

    def text(self, registers):
        """Write the statement with names of registers in the order of ``places``."""
        return f"{self.opcode} {self.template.format(*registers)};"


def _shown(place):
    return place.type


@cache
def all_forms():
    """Every form of the table."""
    return tuple(form for line in _lines() for form in _forms(line))


def _lines():
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line


def _forms(line):
    opcodes, _, rest = line.partition(" ")
    operands, _, note = rest.partition("//")
    turn = count()
    for opcode in dict.fromkeys(expand(opcodes)):
        for text in _operand_texts(opcode, operands.strip(), note.strip(), turn):
            yield parse_form(opcode, text)


def expand(pattern):
    """Write out ``[a]`` (maybe) and ``{a,b}`` (one of), outermost first."""
    start = re.search(r"[\[{]", pattern)
    if start is None:
        return [pattern]
    i, depth = start.start(), 0
    for j in range(i, len(pattern)):
        depth += (pattern[j] in "[{") - (pattern[j] in "]}")
        if depth == 0:
            break
    inside, before, after = pattern[i + 1 : j], pattern[:i], pattern[j + 1 :]
    choices = ["", inside] if pattern[i] == "[" else _split(inside)
    return [x for c in choices for x in expand(before + c + after)]


def _split(text):
    """Split at commas outside of brackets."""
    parts, depth = [""], 0
    for c in text:
        depth += (c in "[{") - (c in "]}")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return parts


def _operand_texts(opcode, operands, note, turn):
    if note == "all tables":
        return [operands.replace("$", f"#{k:#04x}") for k in range(256)]
    if note.startswith("{"):
        return [operands.replace("$", word) for word in note[1:-1].split(",")]
    return [_NOTES[note](opcode, operands, next(turn))] if note else [operands]


def _by_operation(opcode, operands, turn):
    return "T = T T" if opcode.startswith("div") else "T = T"


def _tests(opcode, operands, turn):
    single = ("pred", "pred|pred", "pred", "_|pred")[turn % 4]
    whole = "pred" if opcode.endswith("f16") else single
    left = "pred|pred" if opcode.endswith("x2") else whole
    return f"{left} = T T{_combined(opcode, turn)}"


def _sets(opcode, operands, turn):
    return f"U = T T{_combined(opcode, turn)}"


def _combined(opcode, turn):
    has = set(opcode.split(".")) & {"and", "or", "xor"}
    return (" !pred" if turn // 4 % 2 else " pred") if has else ""


def _parts(opcode, operands, turn):
    first, second = PARTS[turn % 7], PARTS[(turn // 7 + turn) % 7]
    return operands.replace("$", first).replace("@", second)


def _merges(opcode, operands, turn):
    return operands.replace("~", PARTS[1 + turn % 6])


def _vmad(opcode, operands, turn):
    signs = ("{} {} {}", "-{} {} {}", "{} -{} {}", "{} {} -{}")[turn % 4]
    return "u32 = " + signs.format("u32" + PARTS[turn % 7], "u32" + PARTS[turn // 7 % 7], "u32")


def _simd(choices, width):
    def write(opcode, operands, turn):
        texts = {
            "$": choices[turn % 7],
            "@": choices[(turn // 7 + turn) % 7],
            "~": MASKS[width][turn % len(MASKS[width])],
        }
        for mark, text in texts.items():
            operands = operands.replace(mark, text)
        return operands

    return write


_NOTES = {
    "by operation": _by_operation,
    "tests": _tests,
    "sets": _sets,
    "parts": _parts,
    "merges": _merges,
    "vmad": _vmad,
    "halves": _simd(HALVES, "2"),
    "quarters": _simd(QUARTERS, "4"),
}
"""What the operands of an opcode are where the line leaves it open, by its place in the line."""


def parse_form(opcode, operands):
    """Read the operands of a form: ``T|pred = T T``."""
    types = [m for m in opcode.split(".") if m in TYPES]
    left, _, right = operands.partition("=")
    template, places = [], ([], [])
    for side, words in enumerate((left.split(), right.split())):
        for word in words:
            text, found = _operand(word, types)
            places[side].extend(found)
            if text:
                template.append(text)
    return Form(opcode, tuple(places[0]), tuple(places[1]), ", ".join(template))


def _operand(word, types):
    if word.startswith("{"):
        inner = [_operand(w, types) for w in word[1:-1].split(",")]
        joined = ", ".join(text for text, _ in inner)
        return "{{" + joined + "}}", [p for _, places in inner for p in places]
    if "|" in word:
        (first, a), (second, b) = (_operand(w, types) for w in word.split("|"))
        return f"{first}|{second}", a + b
    if word == "+cc":
        return "", [Place("cc")]
    if word == "_":
        return "_", []
    if word.startswith("#"):
        return word[1:], [Place("b64", immediate=int(word[1:], 0))]
    return _register(word, types)


def _register(word, types):
    sign, name, part, domain = re.fullmatch(r"([-!]?)(\w+)((?:\.\w+)?)(?::(\w+))?", word).groups()
    place = Place(_resolve(name, types), domain or "", part, sign)
    return f"{sign}{{}}{part}", [place]


def _resolve(name, types):
    match name:
        case "T":
            return types[-1]
        case "U":
            return types[-2]
        case "W":
            return types[-1][0] + str(2 * int(types[-1][1:]))
    return name
