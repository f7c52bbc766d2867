"""Mutations of LLVM assembly that mostly still assemble: other operations, types, values."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from random import Random

_RESULT = re.compile(r"^\s*(%[\w.]+) = (.*)$")
_CALLED = re.compile(r"@(llvm[\w.]+)\(")
_TYPE = re.compile(r"(?<![\w%@!.])(?:i\d+|float|double|half|bfloat|ptr|<\d+ x \w+>)(?![\w(*])")
_LABEL = re.compile(r"label %[\w.]+")
_VALUE = re.compile(r"(?<![\w@])%[\w.]+")
_NUMBER = re.compile(r"(?<=[ ,])-?\d+(?=[,\s)]|$)")
_SPACE = re.compile(r"addrspace\(\d+\)")

_WORDS = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))
_FORMS = _WORDS["llvm-statements"]
_TYPES, _INTRINSICS, _NUMBERS = _FORMS["types"], _FORMS["intrinsics"], _FORMS["numbers"]
_INTEGER, _REAL, _ICMP, _FCMP, _CASTS, _ATOMICS, _ORDERS = (
    _FORMS[name].split()
    for name in ("integer", "real", "icmp", "fcmp", "casts", "atomics", "orders")
)


def mutate_llvm(data: bytes, rng: Random, _: str) -> bytes:
    """Change one thing about a text of LLVM assembly."""
    lines = data.decode("utf-8", "replace").split("\n")
    inside = [n for n, line in enumerate(lines) if line.startswith("  ") and line.strip()]
    if not inside:
        return data
    rng.choice(_CHANGES)(lines, inside, rng)
    return "\n".join(lines).encode()


def _values(lines: list[str], before: int) -> dict[str, str]:
    """Values that are there before a line, with their types, as far as the text tells at once."""
    found: dict[str, str] = {}
    for line in lines[max(0, before - 60) : before]:
        if line.startswith(("define", "}")):
            found = {}
        result = _RESULT.match(line)
        if result is None:
            continue
        words = result[2]
        cast = re.search(r" to (.+?)(?:,|$)", words)
        if words.startswith(("icmp", "fcmp")):
            found[result[1]] = "i1"
        elif cast and words.split()[0] in _CASTS:
            found[result[1]] = cast[1].strip()
        elif type_ := _TYPE.search(words):
            found[result[1]] = "ptr" if words.startswith("getelementptr") else type_[0]
    return found


def _constant(type_: str, rng: Random) -> str:
    if type_.startswith("ptr"):
        return rng.choice(("null", "undef", "poison"))
    if type_.startswith("<"):
        return rng.choice(("zeroinitializer", "undef", "poison"))
    if type_.startswith("i"):
        return rng.choice(("0", "1", "-1", "undef", "poison", "7")) if type_ != "i1" else "true"
    if type_ in ("float", "double"):
        return rng.choice(("0.0", "1.0", "-1.0", "0x7FF0000000000000", "0x7FF8000000000000"))
    return rng.choice(("zeroinitializer", "undef", "poison"))


def _operand(type_: str, values: dict[str, str], rng: Random) -> str:
    alike = [name for name, own in values.items() if own == type_]
    return rng.choice(alike) if alike and rng.random() < 0.8 else _constant(type_, rng)


def _is_real(type_: str) -> bool:
    return any(word in type_ for word in ("float", "double", "half", "fp128"))


def _fresh(lines: list[str], inside: list[int], rng: Random) -> None:
    """A new instruction of any kind, on values that are there; a later operand takes its result."""
    place = rng.choice(inside)
    values = _values(lines, place)
    type_ = rng.choice([*values.values(), *_TYPES])
    name = f"%fuzz.{rng.randrange(1 << 30)}"
    a, b, c = (_operand(type_, values, rng) for _ in range(3))
    way = rng.choice(("plain", "plain", "compare", "cast", "call", "memory", "vector"))
    result = type_
    if way == "plain":
        words = f"{rng.choice(_REAL if _is_real(type_) else _INTEGER)} {type_} {a}, {b}"
    elif way == "compare":
        kind = f"fcmp {rng.choice(_FCMP)}" if _is_real(type_) else f"icmp {rng.choice(_ICMP)}"
        words, result = f"{kind} {type_} {a}, {b}", "i1"
    elif way == "cast":
        result = rng.choice(_TYPES)
        words = f"{rng.choice(_CASTS)} {type_} {a} to {result}"
    elif way == "call":
        words = _call(lines, type_, (a, b, c), rng)
    elif way == "memory":
        words = _memory(type_, a, values, rng)
    else:
        words, result = _vector(type_, a, b, rng)
    lines.insert(place, f"  {words}" if words.startswith("store") else f"  {name} = {words}")
    later = [n for n in range(place + 1, min(len(lines), place + 40)) if n - 1 in inside]
    for line in later:
        hit = re.search(rf"(?<![\w.]){re.escape(result)} (%[\w.]+)", lines[line])
        if hit and not words.startswith("store"):
            lines[line] = lines[line][: hit.start(1)] + name + lines[line][hit.end(1) :]
            return


def _call(lines: list[str], type_: str, operands: tuple[str, ...], rng: Random) -> str:
    intrinsic, _, shape = rng.choice(_INTRINSICS).partition(":")
    mangled = re.sub(r"<(\d+) x (\w+)>", r"v\1\2", type_).replace("float", "f32")
    mangled = mangled.replace("double", "f64").replace("half", "f16").replace("fp128", "f128")
    a, b, c = operands
    if shape == "f":
        return f"freeze {type_} {a}"
    taken = {
        "1": [type_], "2": [type_] * 2, "3": [type_] * 3, "1b": [type_, "i1"],
        "x": [type_, "i32"], "c": [type_, "i32"], "r": [type_], "p": [type_, "i32"],
    }[shape]  # fmt: skip
    given = dict(enumerate((a, b, c)))
    words = [
        f"{t} {given[n] if t == type_ else ('false' if t == 'i1' else '3')}"
        for n, t in enumerate(taken)
    ]
    result = (
        "i1"
        if shape == "c"
        else type_.rsplit(" x ", maxsplit=1)[-1].rstrip(">")
        if shape == "r"
        else type_
    )
    suffix = f"{mangled}.i32" if shape in "xp" else mangled
    function = f"@llvm.{intrinsic}.{suffix}"
    lines.append(f"declare {result} {function}({', '.join(taken)})")
    return f"call {result} {function}({', '.join(words)})"


def _memory(type_: str, a: str, values: dict[str, str], rng: Random) -> str:
    pointers = [name for name, own in values.items() if own == "ptr"] or ["null"]
    pointer, align = rng.choice(pointers), rng.choice(("1", "2", "4", "8", "16", "64", "4096"))
    return rng.choice((
        f"load {type_}, ptr {pointer}, align {align}",
        f"load volatile {type_}, ptr {pointer}, align {align}",
        f"load atomic {type_}, ptr {pointer} {rng.choice(_ORDERS)}, align {align}",
        f"store {type_} {a}, ptr {pointer}, align {align}",
        f"atomicrmw {rng.choice(_ATOMICS)} ptr {pointer}, {type_} {a} {rng.choice(_ORDERS)}",
        f"cmpxchg ptr {pointer}, {type_} {a}, {type_} {a} seq_cst {rng.choice(_ORDERS)}",
        f"alloca {type_}, i32 {rng.choice(_NUMBERS)}, align {align}",
        f"getelementptr {type_}, ptr {pointer}, i64 {rng.choice(_NUMBERS)}",
        f"getelementptr inbounds [4 x {type_}], ptr {pointer}, i32 {rng.choice(_NUMBERS)}, i8 -1",
    ))  # fmt: skip


def _vector(type_: str, a: str, b: str, rng: Random) -> tuple[str, str]:
    lanes = re.match(r"<(\d+) x (\w+)>", type_)
    if lanes is None:
        return f"select i1 true, {type_} {a}, {type_} {b}", type_
    count, inner = int(lanes[1]), lanes[2]
    mask = ", ".join(f"i32 {rng.randrange(2 * count)}" for _ in range(count))
    index = rng.choice(("0", "1", str(count - 1), "77"))
    return rng.choice((
        (f"extractelement {type_} {a}, i32 {index}", inner),
        (f"insertelement {type_} {a}, {inner} zeroinitializer, i64 {index}", type_),
        (f"shufflevector {type_} {a}, {type_} {b}, <{count} x i32> <{mask}>", type_),
    ))  # fmt: skip


def _replaced(
    lines: list[str], inside: Iterable[int], pattern: re.Pattern[str], rng: Random, new: str
) -> None:
    """Replace what a pattern finds in some line, if any has it."""
    having = [n for n in inside if pattern.search(lines[n])]
    if having:
        number = rng.choice(having)
        found = rng.choice(list(pattern.finditer(lines[number])))
        lines[number] = lines[number][: found.start()] + new + lines[number][found.end() :]


def _type(lines: list[str], inside: list[int], rng: Random) -> None:
    _replaced(lines, inside, _TYPE, rng, rng.choice(_TYPES))


def _value(lines: list[str], inside: list[int], rng: Random) -> None:
    number = rng.choice(inside)
    there = list(_values(lines, number)) or ["%0"]
    operands = [m for m in _VALUE.finditer(lines[number]) if m.start() > lines[number].find("=")]
    if operands:
        found = rng.choice(operands)
        line = lines[number]
        lines[number] = line[: found.start()] + rng.choice(there) + line[found.end() :]


def _target(lines: list[str], inside: list[int], rng: Random) -> None:
    labels = sorted({m[0] for n in inside for m in _LABEL.finditer(lines[n])})
    if labels:
        _replaced(lines, inside, _LABEL, rng, rng.choice(labels))


def _number(lines: list[str], inside: list[int], rng: Random) -> None:
    _replaced(lines, inside, _NUMBER, rng, rng.choice(_NUMBERS))


def _space(lines: list[str], _: list[int], rng: Random) -> None:
    """Another address space, here or everywhere."""
    new = f"addrspace({rng.choice((0, 1, 3, 4, 5, 7, 101))})"
    having = sorted({m[0] for line in lines for m in _SPACE.finditer(line)})
    if having and rng.random() < 0.5:
        old = rng.choice(having)
        lines[:] = [line.replace(old, new) for line in lines]
        return
    _replaced(lines, range(len(lines)), _SPACE, rng, new)


def _swap_intrinsic(lines: list[str], _: list[int], rng: Random) -> None:
    names = sorted({m[1] for line in lines for m in _CALLED.finditer(line)})
    if names:
        old, new = rng.choice(names), rng.choice((*names, "llvm.nvvm.read.ptx.sreg.warpid"))
        lines[:] = [line.replace(f"@{old}(", f"@{new}(") for line in lines]


def _order(lines: list[str], inside: list[int], rng: Random) -> None:
    number = rng.choice(inside)
    way = rng.choice(("drop", "move", "twice"))
    if way == "drop":
        del lines[number]
    elif way == "move":
        lines.insert(rng.choice(inside), lines.pop(number))
    else:
        again = _RESULT.sub(rf"  %fuzz.{rng.randrange(1 << 30)} = \2", lines[number])
        lines.insert(number + 1, again)


_CHANGES = (_fresh, _fresh, _fresh, _fresh, _type, _value, _target, _number, _space, _order,
            _swap_intrinsic)  # fmt: skip
