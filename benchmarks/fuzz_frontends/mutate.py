"""Damage to a file: to its bytes, its tokens and its lines; the same for the same numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

from warpmill.benchmarks.fuzz_frontends import statements
from warpmill.benchmarks.fuzz_frontends.changes import TABLES, Change, Unit, order, other_words
from warpmill.benchmarks.fuzz_frontends.decoded import (
    mutate_launch,
    mutate_options,
    mutate_recording,
    mutate_trace,
)
from warpmill.benchmarks.fuzz_frontends.seeds import large_seeds, seeds

_MANY = (1, 1, 1, 1, 2, 2, 3, 4, 8)
_FEW = (1, 1, 1, 1, 1, 1, 2, 2, 4)
"""Changes to a file; to what has a form few, as one that is refused hides the others."""

LARGE_ONE_IN = 250
"""Of so many mutations one is of a large file."""

_TOKEN = r'"[^"\n]*"|[%@$!#.]{0,2}[\w.$]+|[^\s\w]'
_BYTE, _WORD = Unit(1, (1, 1, 2, 4, 16, 64)), Unit(4)
_LINE = Unit(re.compile(r"[^\n]*\n"), (1, 1, 1, 1, 2, 5, 20))
_NUMBERS = (
    *TABLES["numbers"],
    *(digit * count for digit, count in TABLES["repeated_digits"]),
)
_UNICODE = [word.encode().decode("latin-1") for word in TABLES["unicode"]]


def _flip(text: str, rng: Random, _: str) -> str:
    place = rng.randrange(len(text))
    new = rng.choice((ord(text[place]) ^ 1 << rng.randrange(8), 0, 255, rng.randrange(256)))
    return text[:place] + chr(new) + text[place + 1 :]


def _insert(text: str, rng: Random, _: str) -> str:
    place = rng.randrange(len(text) + 1)
    return text[:place] + rng.randbytes(rng.choice((1, 1, 4, 16))).decode("latin-1") + text[place:]


def _truncate(text: str, rng: Random, _: str) -> str:
    return text[: rng.randrange(len(text))]


def _splice(text: str, rng: Random, kind: str) -> str:
    """The beginning of this file and the end of another."""
    other = rng.choice(seeds(kind)).data.decode("latin-1")
    return text[: rng.randrange(len(text))] + other[rng.randrange(len(other)) :]


def _edge(text: str, rng: Random, _: str) -> str:
    """Overwrite an aligned integer with one at an edge of its range, as headers hold them."""
    size = rng.choice((2, 4, 4, 8))
    start = rng.randrange(0, max(1, len(text) - size), size)
    old = int.from_bytes(text[start : start + size].encode("latin-1"), "little")
    top = 1 << 8 * size
    near = (old + 1, old - 1, old * 2, old // 2, old ^ 1 << rng.randrange(8 * size))
    edge = (0, 1, top - 1, top >> 1, (top >> 1) - 1, len(text), rng.randrange(top))
    new = rng.choice(near if rng.random() < 0.5 else edge) % top
    return text[:start] + new.to_bytes(size, "little").decode("latin-1") + text[start + size :]


def _special(found: re.Match[str], rng: Random, kind: str) -> str:
    own = TABLES[kind]["words"]
    new = rng.choice(rng.choice((_NUMBERS, _NUMBERS, _UNICODE, own, own)))
    return new if rng.random() < 0.7 else f"{found[0]} {new}"


def _nest(found: re.Match[str], rng: Random, kind: str) -> str:
    return rng.choice(TABLES[kind]["nests"]) * int(10 ** rng.uniform(1, 5)) + found[0]


def _number(found: re.Match[str], rng: Random, _: str) -> str:
    """Another number, near or far; also of digits at a name's end."""
    return rng.choice((str(int(found[0][:30]) + rng.choice((-1, 1, 7, 64))), rng.choice(_NUMBERS)))


def _same_sign(found: re.Match[str], rng: Random, _: str) -> str:
    """A name, number or word of the file that starts alike."""
    return rng.choice([t for t in re.findall(_TOKEN, found.string) if _sign(t) == _sign(found[0])])


def _sign(token: str) -> str:
    return "0" if token[0].isdigit() else "a" if token[0].isalpha() else token[0]


def _alike(found: re.Match[str], rng: Random, kind: str) -> str:
    """A word that can often stand for another one."""
    groups = [group.split() for group in TABLES[kind]["alike"]]
    return rng.choice([word for group in groups if found[0] in group for word in group])


def _part(found: re.Match[str], rng: Random, _: str) -> str:
    """Another modifier for one of an opcode, one more, or none."""
    there = re.findall(_PART, found.string)
    other = rng.choice((rng.choice(there), rng.choice(TABLES["ptx"]["parts"].split())))
    return rng.choice((other, other, found[0] + other, ""))


_PART = r"\.[a-z]\w*(?:::\w+)*"
_BYTES: tuple[Change, ...] = (_flip, _flip, _insert, _truncate, _splice, *order(_BYTE))
_TOKENS = (
    *order(Unit(re.compile(_TOKEN), joint=" ")),
    *[other_words(_TOKEN, _special)] * 2,
    *[other_words(r"\d+", _number)] * 2,
    other_words(_TOKEN, _nest),
)
_GENTLE = (*[other_words(_TOKEN, _same_sign)] * 2, other_words(r"\d+", _number),
           other_words(_PART, _part))  # fmt: skip
_RAW = (_BYTES, _BYTES, (_flip,), (_edge, _edge, *order(_WORD)))


def _text(kind: str) -> Sequence[Sequence[Change]]:
    words = "|".join(map(re.escape, " ".join(TABLES[kind]["alike"]).split()))
    alike = other_words(rf"(?<![\w.])(?:{words})(?![\w.])", _alike, everywhere=0.3)
    return (_BYTES, _TOKENS, order(_LINE), *[(alike, alike, *_GENTLE)] * 2)


def _decoded(change: Callable[[bytes, Random], bytes]) -> Sequence[Sequence[Change]]:
    return [[lambda text, rng, _: change(text.encode("latin-1"), rng).decode("latin-1")]]


_CHANGES: dict[str, tuple[Sequence[Sequence[Change]], Sequence[int]]] = {
    "ptx": (_text("ptx"), _MANY),
    "llvm": (_text("llvm"), _MANY),
    "bitcode": (_RAW, _MANY),
    "binary": (_RAW, _MANY),
    "ptx-statements": (statements.PTX_CHANGES, _FEW),
    "llvm-statements": (statements.LLVM_CHANGES, _FEW),
    "launch": (_decoded(mutate_launch), _FEW),
    "recording": (_decoded(mutate_recording), _FEW),
    "trace": (_decoded(mutate_trace), _FEW),
    "machine": (_decoded(mutate_launch), _FEW),
    "options": (_decoded(mutate_options), _FEW),
}
"""Changes of a kind of file in groups that are as likely, and how many it meets."""


def mutated(kind: str, seed: int, number: int) -> tuple[str, bytes]:
    """Mutation ``number`` of a kind's inputs as (the input's name, the bytes)."""
    rng = Random(f"{seed}/{kind}/{number}")
    large = large_seeds(kind)
    first = rng.choice(large if large and number % LARGE_ONE_IN == 0 else seeds(kind))
    changes, counts = _CHANGES[kind]
    text = original = first.data.decode("latin-1")
    for _ in range(rng.choice(counts)):
        text = rng.choice(rng.choice(changes))(text, rng, kind) or original
    return first.name, text.encode("latin-1")
