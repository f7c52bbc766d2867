"""Damage to a file: to its bytes, its tokens and its lines; the same for the same numbers."""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Callable
from pathlib import Path

from warpmill.benchmarks.fuzz_frontends.decoded import (
    mutate_launch,
    mutate_options,
    mutate_recording,
    mutate_trace,
)
from warpmill.benchmarks.fuzz_frontends.llvm_statements import mutate_llvm
from warpmill.benchmarks.fuzz_frontends.seeds import large_seeds, seeds
from warpmill.benchmarks.fuzz_frontends.statements import mutate_statements

Change = Callable[[bytes, random.Random, str], bytes]
TokenChange = Callable[[bytes, list[tuple[int, int]]], bytes]
_MANY = (1, 1, 1, 1, 2, 2, 3, 4, 8)
_FEW = (1, 1, 1, 1, 1, 1, 2, 2, 4)
"""Changes to a file; to what has a form few, as one that is refused hides the others."""

LARGE_ONE_IN = 250
"""Of so many mutations one is of a large file."""

_TOKEN = re.compile(rb'"[^"\n]*"|[%@$!#.]{0,2}[\w.$]+|[^\s\w]')
_PART = re.compile(rb"\.[a-z]\w*(?:::\w+)*")
_TABLES = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))
_NUMBERS = (
    *_TABLES["numbers"],
    *(digit * count for digit, count in _TABLES["repeated_digits"]),
)
_ALIKE = {
    frontend: [group.encode().split() for group in _TABLES[frontend]["alike"]]
    for frontend in ("ptx", "llvm")
}
_PARTS = _TABLES["ptx"]["parts"].encode().split()


def mutated(frontend: str, seed: int, number: int) -> tuple[str, bytes]:
    """Mutation ``number`` of a front-end's inputs as (the input's name, the bytes)."""
    rng = random.Random(f"{seed}/{frontend}/{number}")
    files = seeds(frontend)
    large = large_seeds(frontend)
    first = rng.choice(large if large and number % LARGE_ONE_IN == 0 else files)
    data = first.data
    ways = _CHANGES[frontend]
    for _ in range(rng.choice(_FEW if len(ways) == 1 else _MANY)):
        change = rng.choice(ways)
        data = change(data, rng, frontend) if data else first.data
    return first.name, data


def _places(data: bytes, rng: random.Random, longest: int = 64) -> tuple[int, int]:
    """A stretch of the bytes, mostly a short one."""
    start = rng.randrange(len(data))
    return start, min(len(data), start + rng.choice((1, 1, 2, 4, rng.randint(1, longest))))


def _flip(data: bytes, rng: random.Random, _: str) -> bytes:
    place = rng.randrange(len(data))
    return data[:place] + bytes([data[place] ^ 1 << rng.randrange(8)]) + data[place + 1 :]


def _set_byte(data: bytes, rng: random.Random, _: str) -> bytes:
    place = rng.randrange(len(data))
    return data[:place] + bytes([rng.choice((0, 255, rng.randrange(256)))]) + data[place + 1 :]


def _delete(data: bytes, rng: random.Random, _: str) -> bytes:
    start, end = _places(data, rng)
    return data[:start] + data[end:]


def _insert(data: bytes, rng: random.Random, _: str) -> bytes:
    start = rng.randrange(len(data) + 1)
    return data[:start] + rng.randbytes(rng.choice((1, 1, 4, 16))) + data[start:]


def _truncate(data: bytes, rng: random.Random, _: str) -> bytes:
    return data[: rng.randrange(len(data))]


def _duplicate(data: bytes, rng: random.Random, _: str) -> bytes:
    start, end = _places(data, rng, 256)
    return data[:end] + data[start:end] * rng.choice((1, 1, 1, 2, 50)) + data[end:]


def _splice(data: bytes, rng: random.Random, frontend: str) -> bytes:
    other = rng.choice(seeds(frontend)).data
    if rng.random() < 0.5:
        return data[: rng.randrange(len(data))] + other[rng.randrange(len(other)) :]
    start, end = _places(data, rng, 512)
    from_, to = _places(other, rng, 512)
    return data[:start] + other[from_:to] + data[end:]


def _word(data: bytes, rng: random.Random, _: str) -> bytes:
    """Overwrite an aligned integer with one at an edge of its range, as headers hold them."""
    size = rng.choice((2, 4, 4, 8))
    start = rng.randrange(0, max(1, len(data) - size), size)
    old = int.from_bytes(data[start : start + size], "little")
    top = 1 << 8 * size
    near = (old + 1, old - 1, old * 2, old // 2, old ^ 1 << rng.randrange(8 * size))
    edge = (0, 1, top - 1, top >> 1, (top >> 1) - 1, len(data), rng.randrange(top))
    new = rng.choice(near if rng.random() < 0.5 else edge) % top
    return data[:start] + new.to_bytes(size, "little") + data[start + size :]


def _swap_words(data: bytes, rng: random.Random, _: str) -> bytes:
    if len(data) < 8:
        return data
    a, b = sorted(rng.randrange(0, len(data) - 3, 4) for _ in range(2))
    if a == b:
        return data
    return data[:a] + data[b : b + 4] + data[a + 4 : b] + data[a : a + 4] + data[b + 4 :]


def _tokens(data: bytes) -> list[tuple[int, int]]:
    return [found.span() for found in _TOKEN.finditer(data)]


def _token_delete(data: bytes, rng: random.Random, _: str) -> bytes:
    return _over_token(data, rng, lambda *_: b"")


def _token_duplicate(data: bytes, rng: random.Random, _: str) -> bytes:
    return _over_token(data, rng, lambda old, _: old + b" " + old)


def _token_other(data: bytes, rng: random.Random, _: str) -> bytes:
    return _over_token(data, rng, lambda _, all_: data[slice(*rng.choice(all_))])


def _token_special(data: bytes, rng: random.Random, frontend: str) -> bytes:
    own = _TABLES[frontend]["words"]
    words = rng.choice((_NUMBERS, _NUMBERS, _TABLES["unicode"], own, own))
    new = rng.choice(words).encode()
    return _over_token(data, rng, lambda old, _: new if rng.random() < 0.7 else old + b" " + new)


def _token_alike(data: bytes, rng: random.Random, frontend: str) -> bytes:
    """Replace a word by one of its kind, here or wherever it stands."""
    words = {word: group for group in _ALIKE[frontend] for word in group}
    found = [m for m in re.finditer(rb"[\w.]*\w", data) if m[0] in words]
    if not found:
        return _token_same_sign(data, rng, frontend)
    chosen = rng.choice(found)
    new: bytes = rng.choice(words[chosen[0]])
    if rng.random() < 0.3:
        return re.sub(rb"(?<![\w.])%s(?![\w.])" % re.escape(chosen[0]), new, data)
    return data[: chosen.start()] + new + data[chosen.end() :]


def _token_same_sign(data: bytes, rng: random.Random, _: str) -> bytes:
    """Replace a name, number or word by another of the file that starts alike."""
    spans = _tokens(data)
    if not spans:
        return data
    start, end = rng.choice(spans)
    others = [data[a:b] for a, b in spans if _sign(data[a]) == _sign(data[start])]
    return data[:start] + rng.choice(others) + data[end:]


def _sign(byte: int) -> str | int:
    return "0" if chr(byte).isdigit() else "a" if chr(byte).isalpha() else byte


def _part(data: bytes, rng: random.Random, _: str) -> bytes:
    """Replace, add or take away a part between dots, as modifiers of opcodes are."""
    found = list(_PART.finditer(data))
    if not found:
        return data
    start, end = rng.choice(found).span()
    other = rng.choice((rng.choice(found)[0], rng.choice(_PARTS)))
    return data[:start] + rng.choice((other, other, data[start:end] + other, b"")) + data[end:]


def _token_number(data: bytes, rng: random.Random, _: str) -> bytes:
    """Replace a number, or the digits at a name's end, by another number."""
    found = list(re.finditer(rb"\d+", data))
    if not found:
        return data
    start, end = rng.choice(found).span()
    near = str(int(data[start:end][:30]) + rng.choice((-1, 1, 7, 64))).encode()
    return data[:start] + rng.choice((near, rng.choice(_NUMBERS).encode())) + data[end:]


def _token_nest(data: bytes, rng: random.Random, frontend: str) -> bytes:
    new = rng.choice(_TABLES[frontend]["nests"]).encode() * int(10 ** rng.uniform(1, 5))
    return _over_token(data, rng, lambda old, _: new + old)


def _over_token(data: bytes, rng: random.Random, change: TokenChange) -> bytes:
    spans = _tokens(data)
    if not spans:
        return data
    start, end = rng.choice(spans)
    return data[:start] + change(data[start:end], spans) + data[end:]


def _token_swap(data: bytes, rng: random.Random, _: str) -> bytes:
    spans = _tokens(data)
    if len(spans) < 2:
        return data
    place = rng.randrange(len(spans) - 1)
    far = rng.choice((place + 1, rng.randrange(place + 1, len(spans))))
    (a, b), (c, d) = spans[place], spans[far]
    return data[:a] + data[c:d] + data[b:c] + data[a:b] + data[d:]


def _line_delete(data: bytes, rng: random.Random, _: str) -> bytes:
    lines = data.split(b"\n")
    start = rng.randrange(len(lines))
    del lines[start : start + rng.choice((1, 1, 1, 2, 5))]
    return b"\n".join(lines)


def _line_duplicate(data: bytes, rng: random.Random, _: str) -> bytes:
    lines = data.split(b"\n")
    start = rng.randrange(len(lines))
    some = lines[start : start + rng.choice((1, 1, 3, 20))]
    lines[start:start] = some * rng.choice((1, 1, 1, 30))
    return b"\n".join(lines)


def _line_swap(data: bytes, rng: random.Random, _: str) -> bytes:
    lines = data.split(b"\n")
    a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[a], lines[b] = lines[b], lines[a]
    return b"\n".join(lines)


def _line_move(data: bytes, rng: random.Random, _: str) -> bytes:
    lines = data.split(b"\n")
    line = lines.pop(rng.randrange(len(lines)))
    lines.insert(rng.randrange(len(lines) + 1), line)
    return b"\n".join(lines)


def _line_foreign(data: bytes, rng: random.Random, frontend: str) -> bytes:
    """Put a line of another file among the lines."""
    lines = data.split(b"\n")
    other = rng.choice(rng.choice(seeds(frontend)).data.split(b"\n"))
    lines.insert(rng.randrange(len(lines) + 1), other)
    return b"\n".join(lines)


_BYTES = (_flip, _set_byte, _delete, _insert, _truncate, _duplicate, _splice)
_TOKENS = (
    *(_token_delete, _token_duplicate, _token_other, _token_swap, _token_number),
    *(_token_other, _token_special, _token_special, _token_nest, _token_number),
)  # fmt: skip
_LINES = (_line_delete, _line_duplicate, _line_swap, _line_move, _line_foreign, _line_delete)
_GENTLE = (_token_alike, _token_alike, _token_same_sign, _token_same_sign, _token_number, _part)
_TEXT = (*_BYTES, *_TOKENS, *_LINES, *_GENTLE, *_GENTLE)
_RAW = (*_BYTES, _flip, _flip, _word, _word, _word, _swap_words)
_CHANGES: dict[str, tuple[Change, ...]] = {
    "ptx": _TEXT,
    "llvm": _TEXT,
    "bitcode": _RAW,
    "binary": _RAW,
    "ptx-statements": (mutate_statements,),
    "llvm-statements": (mutate_llvm,),
    "launch": (mutate_launch,),
    "recording": (mutate_recording,),
    "trace": (mutate_trace,),
    "machine": (mutate_launch,),
    "options": (mutate_options,),
}
