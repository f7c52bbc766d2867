"""Mutations of what a file holds once it is decoded, written again with right checksums.

Launch files are tables, recordings a map of calls and contents, saved traces frames with an index.
Damage to their bytes ends at a checksum or in the decoder; these get past both.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Sequence
from copy import deepcopy
from random import Random
from typing import Any
from zlib import crc32

import msgspec

from warpmill.benchmarks.fuzz_frontends.changes import TABLES
from warpmill.benchmarks.fuzz_frontends.statements import change_ptx

_INTEGERS = (
    *(0, 1, -1, 2, 3, 7, 31, 32, 33, 64, 255, 1024, 1025, 65535, 65536, 1 << 31, (1 << 31) - 1),
    *(-(1 << 31), (1 << 32) - 1, 1 << 32, 1 << 40, (1 << 63) - 1, -(1 << 63)),
)
_FLOATS = (0.0, -0.0, 0.5, 1.0, -1.5, 1e30, 1e308, float("inf"), float("nan"))
_TEXTS = ("", "n", "x", "f32", "u8", "i64", "n * n", "n / 0", "2 ** 40", "ceil(n / 0)", "zeros",
          "arange", "../..", "a\nb", "é" * 20, "min(n)", "-1", "buffer", "((((n))))")  # fmt: skip
_BIGGEST = 1 << 40
"""Of launch files: what would fill the memory of those who ask for it is for other tests."""


def _places(tree: Any) -> Iterator[tuple[Any, Any]]:
    """Everything below a tree as (container, key)."""
    for key, value in tree.items() if isinstance(tree, dict) else enumerate(tree):
        yield tree, key
        if isinstance(value, dict | list):
            yield from _places(value)


def change(tree: Any, rng: Random, texts: Sequence[str] = _TEXTS) -> None:
    """Change one thing below a tree of dicts, lists and plain values."""
    places = list(_places(tree))
    if not places:
        return
    container, key = rng.choice(places)
    way = rng.choice(("value", "value", "value", "value", "drop", "other", "twice", "swap"))
    if way == "drop":
        del container[key]
    elif way == "other":
        other, place = rng.choice(places)
        container[key] = deepcopy(other[place])
    elif way == "twice" and isinstance(container, list):
        container.insert(key, deepcopy(container[key]))
    elif way == "swap" and isinstance(container, list):
        other = rng.randrange(len(container))
        container[key], container[other] = container[other], container[key]
    else:
        container[key] = _other(container[key], rng, texts)


def _other(value: Any, rng: Random, texts: Sequence[str]) -> Any:
    """Another value of the same kind, sometimes of another."""
    if rng.random() < 0.12:
        return rng.choice((0, -1, 1.5, "x", [], {}, True, [1, 2, 3, 4], None))
    match value:
        case bool():
            return not value
        case int():
            near = (value + 1, value - 1, value * 2, value // 2, -value)
            return max(-(1 << 63), min((1 << 63) - 1, rng.choice((*near, *_INTEGERS))))
        case float():
            return rng.choice((*_FLOATS, value * 2))
        case str():
            return rng.choice((*texts, value + "x", value[:-1]))
        case bytes():
            return _other_bytes(value, rng)
        case list():
            return rng.choice((value[:-1], value * 2, value[::-1], []))
    return value


def _other_bytes(value: bytes, rng: Random) -> bytes:
    if not value:
        return b"\0" * rng.choice((1, 8, 64))
    place = rng.randrange(len(value))
    new = rng.choice((value[place] ^ 1 << rng.randrange(8), 0, 255))
    changed = value[:place] + bytes([new]) + value[place + 1 :]
    return rng.choice((changed, changed, value[:place], value + value[:8], value[8:]))


def mutate_launch(data: bytes, rng: Random) -> bytes:
    """Change one thing about a launch file, or another one in TOML."""
    tree = tomllib.loads(data.decode())
    change(tree, rng)
    return toml(tree).encode()


def toml(tree: Any) -> str:
    """A tree as TOML, whatever it holds; what TOML cannot say is left out.

    Values are JSON but for the sign between a key and its value, and for what is no number.
    """
    lines = [
        json.dumps({key: value}, separators=(", ", " = "), ensure_ascii=False)[1:-1]
        for key, value in _sayable(tree).items()
    ]
    text = "\n".join(lines) + "\n"
    return re.sub(r"\b(?:NaN|Infinity)\b", lambda found: found[0][:3].lower(), text)


def _sayable(value: Any) -> Any:
    match value:
        case dict():
            return {key: _sayable(inner) for key, inner in value.items() if inner is not None}
        case list():
            return [_sayable(inner) for inner in value if inner is not None]
        case int() if not isinstance(value, bool):
            return max(-_BIGGEST, min(_BIGGEST, value))
    return value


def mutate_options(data: bytes, rng: Random) -> bytes:
    """Change a word of a command line behind its command, a part of one, or add an option."""
    command, *words = json.loads(data)
    names, values = TABLES["options"]["names"].split(), TABLES["options"]["values"]
    if rng.random() < 0.25:
        words += [rng.choice(names), rng.choice(values)]
    else:
        parts = [re.split(r"([=:,.*x])", word) for word in words]
        change(parts, rng, values)
        words = ["".join(map(str, part if isinstance(part, list) else [part])) for part in parts]
    return json.dumps([command, *words]).encode()


def mutate_recording(data: bytes, rng: Random) -> bytes:
    """Change a call or a content of a recording; contents keep to their hashes."""
    from warpmill.analyzer.traces.file_format import packed, unpacked  # noqa: PLC0415 - heavy
    from warpmill.executor.host.recording import MAGIC, content_hash  # noqa: PLC0415 - heavy

    tree = msgspec.msgpack.decode(unpacked(data[len(MAGIC) :]))
    if rng.random() < 0.4 and tree.get("contents"):
        old = rng.choice(sorted(tree["contents"]))
        content = tree["contents"].pop(old)
        is_ptx = b".version" in content[:2000]
        new = change_ptx(content, rng) if is_ptx else _other_bytes(content, rng)
        digest = content_hash(new)
        tree["contents"][digest] = new
        for container, key in list(_places(tree["calls"])):
            if container[key] == old:
                container[key] = digest
    else:
        change(tree["calls"] if tree.get("calls") else tree, rng)
    return MAGIC + packed(msgspec.msgpack.encode(tree))


def mutate_trace(data: bytes, rng: Random) -> bytes:
    """Change a tree, a chunk, a batch or the index of a trace file; its checksums are right."""
    from warpmill.analyzer.traces.file_format import MAGIC, packed, unpacked  # noqa: PLC0415 - heavy

    foot = len(MAGIC) + 8
    start = int.from_bytes(data[-foot : -len(MAGIC)], "little")
    index = msgspec.msgpack.decode(unpacked(data[start:-foot]))
    header, trees, chunks, *rest = index
    frames = [unpacked(data[s : s + n]) for s, n, _ in (*trees, *chunks)]
    if rng.random() < 0.3:
        change(rng.choice([part for part in (header, *rest) if isinstance(part, dict | list)]), rng)
    else:
        number = rng.randrange(len(frames))
        tree = [msgspec.msgpack.decode(frames[number])]
        change(tree[0] if isinstance(tree[0], dict | list) else tree, rng)
        frames[number] = msgspec.msgpack.encode(tree[0])
    written, places = MAGIC, []
    for frame in map(packed, frames):
        places.append([len(written), len(frame), crc32(frame)])
        written += frame
    index[1:3] = places[: len(trees)], places[len(trees) :]
    tail = packed(msgspec.msgpack.encode(index))
    return written + tail + len(written).to_bytes(8, "little") + MAGIC
