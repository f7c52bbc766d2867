"""Mutations of PTX that keep it well formed: statements with other parts, operands and targets.

Damage to bytes mostly ends in the lexer. These texts read as statements, so that what is wrong in
them is for the checks behind it: the opcode table, the verifier, the analyses, the executor.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from random import Random

from warpmill.analyzer.ir.operation import operation_table
from warpmill.analyzer.ir.types import TYPES
from warpmill.benchmarks.fuzz_frontends.seeds import seeds

Statements = list[re.Match[str]]
_STATEMENT = re.compile(
    r"^(?P<lead>[ \t]*(?:[\w$%.]+:[ \t]*)?)(?P<guard>@!?%\w+\s+)?"
    r"(?P<opcode>[a-z]\w*(?:\.[\w:]+)*)(?P<operands>[^;{}]*(?:\{[^;{}]*\}[^;{}]*)*);",
    re.MULTILINE,
)
_LABEL = re.compile(r"^[ \t]*([\w$%]+):", re.MULTILINE)
_REGISTERS = re.compile(r"\.reg\s+\.(\w+)\s+([^;]+);")
_REGISTER = re.compile(r"%[a-zA-Z_$]+[\w$]*")
_DECLARED = re.compile(r"(%[\w$]+)(?:<(\d+)>)?")
_NUMBER = re.compile(r"(?<![\w%$.])-?(?:0[xX][0-9a-fA-F]+|\d+)(?![\w.])")
_DECLARATION = re.compile(
    r"\.(?:reg|param|shared|global|const|local|align|maxntid|reqntid|minnctapersm|version|target"
    r"|address_size|maxnreg|b8|b16|b32|b64|u8|u16|u32|u64|s32|s64|f32|f64)\b[^;,(){]*"
)
_TABLES = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))
_PARTS = [part.removeprefix(".") for part in _TABLES["ptx"]["parts"].split()]
_TYPES = tuple(sorted(TYPES))
_IMMEDIATES = tuple(_TABLES["immediates"])
_SPECIAL = tuple(_TABLES["ptx"]["special"].split())
_COUNTS = ("0", "1", "2", "3", "7", "16", "31", "100", "4096", "65536", "4294967295")
_SPACES = ("shared", "global", "const", "local", "param", "reg")
_MOST_REGISTERS = 40


@cache
def _opcodes() -> tuple[str, ...]:
    """Opcodes of all inputs, and the names of the table that none of them has."""
    found = {m["opcode"] for seed in seeds("ptx") for m in _STATEMENT.finditer(seed.data.decode())}
    names = {name for name, entry in operation_table().items() if entry.is_ptx}
    return tuple(sorted(found | names))


@cache
def _foreign() -> tuple[tuple[str, dict[str, str]], ...]:
    """Statements of all inputs, each with what kind of register its names are."""
    found: dict[str, dict[str, str]] = {}
    for seed in seeds("ptx"):
        text = seed.data.decode()
        types = _register_types(text)
        for statement in _STATEMENT.finditer(text):
            words = f"{statement['opcode']} {statement['operands'].strip()};"
            found.setdefault(words, types)
    return tuple(found.items())


def _register_types(text: str) -> dict[str, str]:
    """The declared registers of a text by name, with their types."""
    found: dict[str, str] = {}
    for declaration in _REGISTERS.finditer(text):
        for name, count in _DECLARED.findall(declaration[2]):
            names = (f"{name}{i}" for i in range(min(int(count or 0), _MOST_REGISTERS)))
            found |= dict.fromkeys(names if count else (name,), declaration[1])
    return found


def mutate_statements(data: bytes, rng: Random, _: str) -> bytes:
    """Change one thing about a PTX text."""
    text = data.decode("utf-8", "replace")
    statements = list(_STATEMENT.finditer(text))
    if not statements:
        return data
    return rng.choice(_CHANGES)(text, statements, rng).encode()


def _over(text: str, statement: re.Match[str], new: str) -> str:
    return text[: statement.start()] + new + text[statement.end() :]


def _rewritten(
    statement: re.Match[str],
    *,
    opcode: str | None = None,
    operands: str | None = None,
    guard: str | None = None,
) -> str:
    guard = (statement["guard"] or "") if guard is None else guard
    words = operands if operands is not None else statement["operands"]
    return f"{statement['lead']}{guard}{opcode or statement['opcode']} {words.strip()};"


def _split(words: str) -> list[str]:
    """Operands at the commas that no bracket holds."""
    found, depth, start = [], 0, 0
    for place, c in enumerate(words):
        depth += (c in "[{(") - (c in "]})")
        if c == "," and depth == 0:
            found.append(words[start:place].strip())
            start = place + 1
    return [*found, words[start:].strip()]


def _part(text: str, statements: Statements, rng: Random) -> str:
    """Another type or modifier, one more, one less, or two in another order."""
    statement = rng.choice(statements)
    name, *parts = statement["opcode"].split(".")
    kinds = _TYPES if rng.random() < 0.6 else _PARTS
    places = [p for p, part in enumerate(parts) if (part in TYPES) == (kinds is _TYPES)]
    way = rng.choice(("other", "other", "other", "add", "drop", "swap"))
    if way == "add" or not places:
        parts.insert(rng.randint(0, len(parts)), rng.choice(kinds))
    elif way == "other":
        parts[rng.choice(places)] = rng.choice(kinds)
    elif way == "drop":
        del parts[rng.choice(places)]
    else:
        rng.shuffle(parts)
    return _over(text, statement, _rewritten(statement, opcode=".".join((name, *parts))))


def _opcode(text: str, statements: Statements, rng: Random) -> str:
    """Another operation: its name with these parts, or a whole opcode with these operands."""
    statement = rng.choice(statements)
    other = rng.choice(_opcodes())
    if rng.random() < 0.5:
        _, *parts = statement["opcode"].split(".")
        other = ".".join((other.split(".")[0], *parts))
    return _over(text, statement, _rewritten(statement, opcode=other))


def _operand(text: str, statements: Statements, rng: Random) -> str:
    """An operand of the same kind, or of another."""
    statement = rng.choice(statements)
    operands = _split(statement["operands"])
    place = rng.randrange(len(operands))
    operands[place] = _other_operand(operands[place], text, statements, rng)
    return _over(text, statement, _rewritten(statement, operands=", ".join(operands)))


def _other_operand(old: str, text: str, statements: Statements, rng: Random) -> str:
    types = _register_types(text)
    alike = [name for name, type_ in types.items() if type_ == types.get(old)]
    register = rng.choice(alike if alike and rng.random() < 0.5 else list(types) or ["%r1"])
    labels = _LABEL.findall(text) or ["L"]
    ways = (
        *(register, register, register, rng.choice(_IMMEDIATES), rng.choice(_SPECIAL)),
        *(f"[{register}]", f"[{register}+{rng.choice(_IMMEDIATES)}]"),
        *(
            f"{{{register}, {register}}}",
            f"!{old}",
            f"-{old}",
            "_",
            f"{old}|{register}",
            rng.choice(labels),
        ),
        rng.choice(_split(rng.choice(statements)["operands"])),
    )
    return rng.choice(ways)


def _operand_count(text: str, statements: Statements, rng: Random) -> str:
    """One operand less, one twice, or all in another order."""
    statement = rng.choice(statements)
    operands = _split(statement["operands"])
    place = rng.randrange(len(operands))
    way = rng.choice(("drop", "twice", "shuffle"))
    if way == "drop":
        del operands[place]
    elif way == "twice":
        operands.insert(place, operands[place])
    else:
        rng.shuffle(operands)
    return _over(text, statement, _rewritten(statement, operands=", ".join(operands)))


def _guard(text: str, statements: Statements, rng: Random) -> str:
    statement = rng.choice(statements)
    predicates = [n for n, type_ in _register_types(text).items() if type_ == "pred"]
    names = predicates or list(_register_types(text)) or ["%p1"]
    guard = rng.choice(("", f"@{rng.choice(names)} ", f"@!{rng.choice(names)} "))
    return _over(text, statement, _rewritten(statement, guard=guard))


def _target(text: str, statements: Statements, rng: Random) -> str:
    """A branch to another label, or a label at another place."""
    labels = list(_LABEL.finditer(text))
    branches = [s for s in statements if s["opcode"].startswith(("bra", "brx", "call"))]
    if labels and branches and rng.random() < 0.6:
        label = rng.choice(labels)[1]
        return _over(text, rng.choice(branches), f"\tbra {label};")
    if not labels:
        return _order(text, statements, rng)
    label = rng.choice(labels)
    place = rng.choice(statements).start()
    without = text[: label.start()] + " " * (label.end() - label.start()) + text[label.end() :]
    return f"{without[:place]}{label[1]}:\n{without[place:]}"


def _branch(text: str, statements: Statements, rng: Random) -> str:
    """A new branch, which may make a loop, leave one, or go to where it stands."""
    labels = _LABEL.findall(text)
    place = rng.choice(statements).start()
    label = rng.choice(labels) if labels else "$fuzz"
    guards = [n for n, type_ in _register_types(text).items() if type_ == "pred"]
    guard = f"@{rng.choice(guards)} " if guards and rng.random() < 0.8 else ""
    added = "" if labels else "$fuzz:\n"
    return f"{text[:place]}{added}{guard}bra {label};\n{text[place:]}"


def _order(text: str, statements: Statements, rng: Random) -> str:
    """A statement twice, gone, or in the place of another one."""
    one, other = rng.choice(statements), rng.choice(statements)
    way = rng.choice(("twice", "drop", "over", "swap"))
    if way == "drop":
        return _over(text, one, one["lead"])
    if way == "twice":
        return text[: other.start()] + one[0].lstrip() + "\n" + text[other.start() :]
    if way == "over" or one.start() == other.start():
        return _over(text, other, one[0])
    first, last = sorted((one, other), key=lambda m: m.start())
    middle = text[first.end() : last.start()]
    return text[: first.start()] + last[0] + middle + first[0] + text[last.end() :]


def _from_elsewhere(text: str, statements: Statements, rng: Random) -> str:
    """A statement of another file, with registers of this one that have the same types."""
    words, theirs = rng.choice(_foreign())
    ours: dict[str, list[str]] = {}
    for name, type_ in _register_types(text).items():
        ours.setdefault(_size(type_), []).append(name)
    everything = [name for names in ours.values() for name in names] or ["%r1"]

    def renamed(found: re.Match[str]) -> str:
        if found[0] not in theirs:
            return found[0]
        return rng.choice(ours.get(_size(theirs[found[0]]), everything))

    place = rng.choice(statements).start()
    return f"{text[:place]}{_REGISTER.sub(renamed, words)}\n{text[place:]}"


def _size(type_: str) -> str:
    return type_ if type_ == "pred" else re.sub(r"\D+", "", type_)


def _immediate(text: str, statements: Statements, rng: Random) -> str:
    """Another number in a statement."""
    statement = rng.choice(statements)
    numbers = list(_NUMBER.finditer(statement["operands"]))
    if not numbers:
        return _operand(text, statements, rng)
    number = rng.choice(numbers)
    words = statement["operands"]
    words = words[: number.start()] + rng.choice(_IMMEDIATES) + words[number.end() :]
    return _over(text, statement, _rewritten(statement, operands=words))


def _declaration(text: str, statements: Statements, rng: Random) -> str:
    """Another type, size, alignment or space of what is declared."""
    found = list(_DECLARATION.finditer(text))
    if not found:
        return _part(text, statements, rng)
    chosen = rng.choice(found)
    words = chosen[0]
    if rng.random() < 0.5 and _NUMBER.search(words):
        words = _NUMBER.sub(lambda _: rng.choice(_COUNTS), words, count=1)
    else:
        parts = re.findall(r"\.\w+", words)
        old = rng.choice(parts)
        kinds = _TYPES if old[1:] in TYPES else _SPACES
        words = words.replace(old, f".{rng.choice(kinds)}", 1)
    return text[: chosen.start()] + words + text[chosen.end() :]


_CHANGES = (
    *(_part, _part, _part, _opcode, _opcode, _operand, _operand, _operand, _operand_count),
    *(_guard, _target, _branch, _order, _from_elsewhere, _from_elsewhere, _immediate),
    *(_declaration,),
)
