"""Mutations of PTX and LLVM assembly that keep it well formed: other parts, operands and targets.

Damage to bytes mostly ends in the lexer. These texts read as statements, so that what is wrong in
them is for the checks behind it: the opcode table, the verifier, the analyses, the executor.
"""

from __future__ import annotations

import re
from functools import cache, partial
from random import Random

from warpmill.analyzer.ir.operation import operation_table
from warpmill.analyzer.ir.types import TYPES
from warpmill.benchmarks.fuzz_frontends.changes import (
    TABLES,
    Change,
    NewWords,
    Unit,
    another,
    from_elsewhere,
    one_of,
    order,
    other_words,
)
from warpmill.benchmarks.fuzz_frontends.seeds import seeds

# -- PTX -----------------------------------------------------------------------------------------

_STATEMENT = re.compile(
    r"^[ \t]*(?:[\w$%.]+:[ \t]*)?(?:@!?%\w+\s+)?"
    r"(?P<opcode>[a-z]\w*(?:\.[\w:]+)*)(?P<operands>[^;{}]*(?:\{[^;{}]*\}[^;{}]*)*);",
    re.MULTILINE,
)
_BRANCH = re.compile(r"\b(?:bra|brx|call)\b[.\w]*(?P<operands>[^;]*);")
_LABEL = re.compile(r"^[ \t]*([\w$%]+):(?!:)[ \t]*\n?", re.MULTILINE)
_label = another(_LABEL.pattern.replace("^", "(?m)^"), "L")
_DECLARATION = re.compile(
    r"\.(?:reg|param|shared|global|const|local|align|maxntid|reqntid|minnctapersm|version"
    r"|target|address_size|maxnreg|b8|b16|b32|b64|u8|u16|u32|u64|s32|s64|f32|f64)\b[^;,(){]*"
)
_REGISTERS = re.compile(r"\.reg\s+\.(\w+)\s+([^;]+);")
_DECLARED = re.compile(r"(%[\w$]+)(?:<(\d+)>)?")
_NUMBER = r"(?<![\w%$.])-?(?:0[xX][0-9a-fA-F]+|\d+)(?![\w.])"
_OPERAND = r"[^,\[\]{}()\s](?:\[[^\]]*\]|\{[^}]*\}|\([^)]*\)|[^,\[\]{}()])*|\[[^\]]*\]|\{[^}]*\}"
_PARTS = [part.removeprefix(".") for part in TABLES["ptx"]["parts"].split()]
_TYPES = sorted(TYPES)
_SPECIAL = TABLES["ptx"]["special"].split()
_COUNTS = ["0", "1", "2", "3", "7", "16", "31", "100", "4096", "65536", "4294967295"]
_SPACES = ["shared", "global", "const", "local", "param", "reg"]
_MOST_REGISTERS = 40


@cache
def _opcodes() -> list[str]:
    """Opcodes of all inputs, and the names of the table that none of them has."""
    found = {m["opcode"] for seed in seeds("ptx") for m in _STATEMENT.finditer(seed.data.decode())}
    return sorted(found | {name for name, entry in operation_table().items() if entry.is_ptx})


@cache
def _register_types(text: str) -> dict[str, str]:
    """The declared registers of a text by name, with their types."""
    found: dict[str, str] = {}
    for type_, names in _REGISTERS.findall(text):
        for name, count in _DECLARED.findall(names):
            numbers = range(min(int(count or 0), _MOST_REGISTERS))
            found |= dict.fromkeys((f"{name}{i}" for i in numbers) if count else (name,), type_)
    return found or {"%r1": "b32", "%p1": "pred"}


def _part(found: re.Match[str], rng: Random, _: str) -> str:
    """Another type or modifier, mostly of the same kind, one more, or none."""
    is_type = (found[0].removeprefix(".") in TYPES) == (rng.random() < 0.9)
    other = f".{rng.choice(_TYPES if is_type else _PARTS)}"
    return rng.choice((other, other, other, found[0] + other, ""))


def _opcode(found: re.Match[str], rng: Random, _: str) -> str:
    """Another operation: its name with these parts, or a whole opcode with these operands."""
    other: str = rng.choice(_opcodes())
    _, dot, parts = found[0].partition(".")
    return other if rng.random() < 0.5 else other.partition(".")[0] + dot + parts


def _operand(found: re.Match[str], rng: Random, _: str) -> str:
    """An operand of the same kind, or of another."""
    types = _register_types(found.string)
    alike = [name for name, type_ in types.items() if type_ == types.get(found[0])]
    register = rng.choice(alike if alike and rng.random() < 0.5 else list(types))
    statement = rng.choice(list(_STATEMENT.finditer(found.string)))
    return rng.choice((
        register, register, register, rng.choice(TABLES["immediates"]), rng.choice(_SPECIAL),
        f"[{register}]", f"[{register}+{rng.choice(TABLES['immediates'])}]",
        f"{{{register}, {register}}}", f"!{found[0]}", f"-{found[0]}", "_",
        f"{found[0]}|{register}", _label(found, rng, ""),
        rng.choice(re.findall(_OPERAND, statement["operands"]) or ["_"]),
    ))  # fmt: skip


def _guard(found: re.Match[str], rng: Random, _: str) -> str:
    """No guard, or one by a predicate where there is one."""
    types = _register_types(found.string)
    names = [name for name, type_ in types.items() if type_ == "pred"] or list(types)
    return rng.choice(("", f"@{rng.choice(names)} ", f"@!{rng.choice(names)} "))


def _branch(found: re.Match[str], rng: Random, kind: str) -> str:
    """A new branch, which may make a loop, leave one, or go to where it stands."""
    here = f"$fuzz{rng.randrange(1 << 30)}"
    label = rng.choice((here, _label(found, rng, kind)))
    return f"{here}:\n{_guard(found, rng, kind)}bra {label};\n{found[0]}"


def _counted(pattern: str, joint: str) -> NewWords:
    """Other numbers of what a pattern finds: one less, one twice; or all in another order."""

    def new(found: re.Match[str], rng: Random, _: str) -> str:
        parts = re.findall(pattern, found[0]) or [""]
        place = rng.randrange(len(parts))
        less, more = parts[:place] + parts[place + 1 :], [*parts, parts[place]]
        return " " + joint.join(rng.choice((less, more, rng.sample(parts, len(parts)))))

    return new


def _declared(found: re.Match[str], rng: Random, _: str) -> str:
    """Another type or space in a declaration."""
    return f".{rng.choice(_TYPES if found[0][1:] in TYPES else _SPACES)}"


_PART_CHANGE = other_words(r"\.[\w:]+", _part, _STATEMENT, "opcode")
_OPERAND_CHANGE = other_words(_OPERAND, _operand, _STATEMENT, "operands")
_WHOLE = r"(?s).+"
PTX_CHANGES: tuple[tuple[Change, ...], ...] = (
    (_PART_CHANGE,),
    (
        _PART_CHANGE,
        _PART_CHANGE,
        other_words(_WHOLE, _counted(r"[^.]+", "."), _STATEMENT, "opcode"),
    ),
    (other_words(_WHOLE, _opcode, _STATEMENT, "opcode"),),
    (_OPERAND_CHANGE,),
    (_OPERAND_CHANGE, other_words(_NUMBER, one_of(TABLES["immediates"]), _STATEMENT, "operands")),
    (other_words(_WHOLE, _counted(_OPERAND, ", "), _STATEMENT, "operands"),),
    (
        other_words(r"(?<=[\t\n])(?:@!?%\w+\s+)?(?=[a-z][\w.:]*[\s;])", _guard),
        other_words(_WHOLE, _branch, _STATEMENT),
        other_words(r"[\w$]+", _label, _BRANCH, "operands"),
        *order(Unit(_LABEL)),
    ),
    order(Unit(_STATEMENT, joint="\n")),
    (partial(from_elsewhere, Unit(_STATEMENT, joint="\n")),),
    (
        other_words(_NUMBER, one_of(_COUNTS), _DECLARATION),
        other_words(r"\.\w+", _declared, _DECLARATION),
    ),
)


def change_ptx(data: bytes, rng: Random) -> bytes:
    """Change one thing about a PTX text."""
    change = rng.choice(rng.choice(PTX_CHANGES))
    return change(data.decode("latin-1"), rng, "ptx").encode("latin-1")


# -- LLVM ----------------------------------------------------------------------------------------

_LINE = re.compile(r"^  \S.*$", re.MULTILINE)
_RESULT = re.compile(r"^\s*(%[\w.]+) = (.*)$")
_INTRINSIC = r"(?<=@)llvm[\w.]+(?=\()"
_TARGET = r"label %[\w.]+"
_TYPE = r"(?<![\w%@!.])(?:i\d+|float|double|half|bfloat|ptr|<\d+ x \w+>)(?![\w(*])"
_VALUE = r"(?<=[\w)>*] )%[\w.]+"
_FORMS = TABLES["llvm-statements"]
_WORDS = {name: words.split() for name, words in _FORMS["words"].items()}


def _values(text: str) -> dict[str, str]:
    """Values of a function's beginning with their types, as far as the text tells at once."""
    found: dict[str, str] = {}
    for line in text[text.rfind("\ndefine ") + 1 :].split("\n")[-60:]:
        result = _RESULT.match(line)
        if result is None:
            continue
        word, words = result[2].split()[0], result[2]
        cast = re.search(r" to (.+?)(?:,|$)", words)
        if word in ("icmp", "fcmp"):
            found[result[1]] = "i1"
        elif cast and word in _WORDS["cast"]:
            found[result[1]] = cast[1].strip()
        elif type_ := re.search(_TYPE, words):
            found[result[1]] = "ptr" if word == "getelementptr" else type_[0]
    return found


def _new_statement(text: str, rng: Random, _: str) -> str:
    """An instruction of any kind, on values that are there; a later operand takes its result."""
    places = list(_LINE.finditer(text))
    if not places:
        return text
    place = rng.choice(places).start()
    end = text.index("\n}", place)
    type_, statement = _filled(_values(text[:place]), rng)
    name, later = f"%fuzz.{rng.randrange(1 << 30)}", text[place:end]
    if type_:
        use = rf"(?<![\w.])({re.escape(type_)}) %[\w.]+(?=[,)\n])"
        later = re.sub(use, rf"\1 {name}", later, count=1)
        statement = f"{name} = {statement}"
    called = re.search(r"call (.*@llvm.*)\((.*)\)", statement)
    declared = ""
    if called:
        types = (argument.rsplit(" ", 1)[0] for argument in called[2].split(", "))
        declared = f"\ndeclare {called[1]}({', '.join(types)})\n"
    return f"{text[:place]}  {statement}\n{later}{text[end:]}{declared}"


def _filled(values: dict[str, str], rng: Random) -> tuple[str, str]:
    """A form of a statement with words for what it has in braces; its result's type before it."""
    type_ = rng.choice([*values.values(), *_FORMS["types"]])
    vector = re.match(r"<(\d+) x (\w+)>", type_)
    count, element = (int(vector[1]), vector[2]) if vector else (1, type_)
    own = "real" if re.match("half|bfloat|float|double|fp128", element) else "integer"
    groups = (own, own, "cast", f"{own}-call", "memory", "vector" if vector else own)
    result, _, statement = rng.choice(_FORMS["forms"][rng.choice(groups)]).rpartition(" = ")
    mask = ", ".join(f"i32 {rng.randrange(2 * count)}" for _ in range(count))
    short = {"float": "f32", "double": "f64", "half": "f16", "bfloat": "bf16", "fp128": "f128"}
    words = {
        "T": type_, "U": rng.choice(_FORMS["types"]), "E": element,
        "M": f"v{count}" * bool(vector) + short.get(element, element),
        **{operand: _operand_of(type_, values, rng) for operand in "abc"},
        "p": _operand_of("ptr", values, rng),
        "n": rng.choice(_FORMS["numbers"]), "s": rng.choice(_FORMS["aligns"]),
        "i": str(rng.choice((0, 1, count - 1, 77))),
        "m": f"<{count} x i32> <{mask}>",
        **{name: rng.choice(words) for name, words in _WORDS.items()},
    }  # fmt: skip
    return result.format_map(words), statement.format_map(words)


def _operand_of(type_: str, values: dict[str, str], rng: Random) -> str:
    alike = [name for name, own in values.items() if own == type_]
    if alike and rng.random() < 0.8:
        return rng.choice(alike)
    constants = _FORMS["constants"]
    kind = re.match(r"i1$|i|ptr|float|double|", type_)[0]
    return rng.choice(constants.get(kind, constants["other"]))


def _value(found: re.Match[str], rng: Random, _: str) -> str:
    """Another value of those before the line."""
    return rng.choice(list(_values(found.string[: found.start()])) or ["%0"])


def _again(found: re.Match[str], rng: Random, _: str) -> str:
    """A statement twice, the second one with a result of its own."""
    return found[0] + "\n" + _RESULT.sub(rf"  %fuzz.{rng.randrange(1 << 30)} = \2", found[0])


LLVM_CHANGES: tuple[tuple[Change, ...], ...] = (
    *[(_new_statement,)] * 4,
    (other_words(_TYPE, one_of(_FORMS["types"]), _LINE),),
    (other_words(_VALUE, _value, _LINE),),
    (other_words(_TARGET, another(_TARGET), _LINE),),
    (other_words(r"(?<=[ ,])-?\d+(?=[,\s)]|$)", one_of(_FORMS["numbers"]), _LINE),),
    (other_words(r"addrspace\(\d+\)", one_of(_FORMS["spaces"]), everywhere=0.5),),
    (*order(Unit(_LINE, joint="\n")), other_words(".+", _again, _LINE)),
    (other_words(_INTRINSIC, another(_INTRINSIC, "llvm.nvvm.read.ptx.sreg.warpid"), everywhere=1),),
)
