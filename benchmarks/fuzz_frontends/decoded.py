"""Mutations of what a file holds once it is decoded, written again with right checksums.

Launch files are tables, recordings a map of calls and contents, saved traces frames with an index.
Damage to their bytes ends at a checksum or in the decoder; these get past both.
"""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

import msgspec
import zstandard

from warpmill.benchmarks.fuzz_frontends.statements import mutate_statements

_INTEGERS = (
    *(0, 1, -1, 2, 3, 7, 31, 32, 33, 64, 255, 1024, 1025, 65535, 65536, 1 << 31, (1 << 31) - 1),
    *(-(1 << 31), (1 << 32) - 1, 1 << 32, 1 << 40, (1 << 63) - 1, -(1 << 63)),
)
_FLOATS = (0.0, -0.0, 0.5, 1.0, -1.5, 1e30, 1e308, float("inf"), float("nan"))
_TEXTS = ("", "n", "x", "f32", "u8", "i64", "n * n", "n / 0", "2 ** 40", "ceil(n / 0)", "zeros",
          "arange", "../..", "a\nb", "é" * 20, "min(n)", "-1", "buffer", "((((n))))")  # fmt: skip
_BIGGEST = 1 << 40
"""Of launch files: what would fill the memory of those who ask for it is for other tests."""


def _places(tree: Any, found: list[tuple[Any, Any]] | None = None) -> list[tuple[Any, Any]]:
    """Everything below a tree as (container, key)."""
    found = [] if found is None else found
    items = tree.items() if isinstance(tree, dict) else enumerate(tree)
    for key, value in items:
        found.append((tree, key))
        if isinstance(value, dict | list):
            _places(value, found)
    return found


def change(tree: Any, rng: Random) -> None:
    """Change one thing below a tree of dicts, lists and plain values."""
    places = _places(tree)
    if not places:
        return
    container, key = rng.choice(places)
    way = rng.choice(("value", "value", "value", "value", "drop", "other", "twice", "swap"))
    if way == "drop":
        del container[key]
    elif way == "other":
        other, place = rng.choice(places)
        container[key] = _copied(other[place])
    elif way == "twice" and isinstance(container, list):
        container.insert(key, _copied(container[key]))
    elif way == "swap" and isinstance(container, list):
        other = rng.randrange(len(container))
        container[key], container[other] = container[other], container[key]
    else:
        container[key] = _other(container[key], rng)


def _copied(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copied(inner) for key, inner in value.items()}
    return [_copied(inner) for inner in value] if isinstance(value, list) else value


def _other(value: Any, rng: Random) -> Any:
    """Another value of the same kind, sometimes of another."""
    if rng.random() < 0.12:
        return rng.choice((0, -1, 1.5, "x", [], {}, True, [1, 2, 3, 4], None))
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        near = (value + 1, value - 1, value * 2, value // 2, -value)
        return max(-(1 << 63), min((1 << 63) - 1, rng.choice((*near, *_INTEGERS))))
    if isinstance(value, float):
        return rng.choice((*_FLOATS, value * 2))
    if isinstance(value, str):
        return rng.choice((*_TEXTS, value + "x", value[:-1]))
    if isinstance(value, bytes):
        return _other_bytes(value, rng)
    if isinstance(value, list):
        return rng.choice((value[:-1], value * 2, value[::-1], []))
    return value


def _other_bytes(value: bytes, rng: Random) -> bytes:
    if not value:
        return b"\0" * rng.choice((1, 8, 64))
    place = rng.randrange(len(value))
    new = rng.choice((value[place] ^ 1 << rng.randrange(8), 0, 255))
    changed = value[:place] + bytes([new]) + value[place + 1 :]
    return rng.choice((changed, changed, value[:place], value + value[:8], value[8:]))


# -- launch files --------------------------------------------------------------------------------


def mutate_launch(data: bytes, rng: Random, _: str) -> bytes:
    """Change one thing about a launch file."""
    tree = tomllib.loads(data.decode())
    change(tree, rng)
    return toml(tree).encode()


def toml(tree: Any) -> str:
    """A tree as TOML, whatever it holds; what TOML cannot say is left out."""
    lines = [f"{_key(key)} = {_toml(value)}" for key, value in tree.items() if value is not None]
    return "\n".join(lines) + "\n"


def _key(key: object) -> str:
    return json.dumps(str(key))


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        items = (f"{_key(k)} = {_toml(v)}" for k, v in value.items() if v is not None)
        return f"{{ {', '.join(items)} }}"
    if isinstance(value, list):
        return f"[{', '.join(_toml(v) for v in value if v is not None)}]"
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(max(-_BIGGEST, min(_BIGGEST, value)))
    return json.dumps(value)


# -- command lines -------------------------------------------------------------------------------

_TABLES = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))
_WORDS, _NAMES = _TABLES["options"]["values"], _TABLES["options"]["names"].split()


def mutate_options(data: bytes, rng: Random, _: str) -> bytes:
    """Change a word of a command line behind its command, or add an option with a value."""
    words = json.loads(data)
    place = rng.randrange(1, len(words))
    way = rng.choice(("value", "value", "value", "part", "part", "add", "add", "drop", "swap"))
    if way == "value":
        words[place] = rng.choice(_WORDS)
    elif way == "part":
        parts = re.split(r"([=:,.*x])", words[place])
        parts[rng.randrange(len(parts))] = rng.choice(_WORDS)
        words[place] = "".join(parts)
    elif way == "add":
        words += [rng.choice(_NAMES), rng.choice(_WORDS)]
    elif way == "drop" and len(words) > 2:
        del words[place]
    else:
        other = rng.randrange(1, len(words))
        words[place], words[other] = words[other], words[place]
    return json.dumps(words).encode()


# -- recordings ----------------------------------------------------------------------------------


def mutate_recording(data: bytes, rng: Random, _: str) -> bytes:
    """Change a call or a content of a recording; contents keep to their hashes."""
    from warpmill.executor.host.recording import MAGIC, content_hash  # noqa: PLC0415 - heavy

    unpacked = zstandard.ZstdDecompressor().decompress(data[len(MAGIC) :])
    tree = msgspec.msgpack.decode(unpacked)
    if rng.random() < 0.4 and tree.get("contents"):
        old = rng.choice(sorted(tree["contents"]))
        content = tree["contents"].pop(old)
        is_text = b".version" in content[:2000]
        new = mutate_statements(content, rng, "ptx") if is_text else _other_bytes(content, rng)
        digest = content_hash(new)
        tree["contents"][digest] = new
        tree["calls"] = _renamed(tree["calls"], old, digest)
    else:
        change(tree["calls"] if tree.get("calls") else tree, rng)
    return MAGIC + zstandard.ZstdCompressor(level=1).compress(msgspec.msgpack.encode(tree))


def _renamed(value: Any, old: Any, new: Any) -> Any:
    if isinstance(value, dict):
        return {key: _renamed(inner, old, new) for key, inner in value.items()}
    if isinstance(value, list):
        return [_renamed(inner, old, new) for inner in value]
    return new if value == old else value


# -- saved traces --------------------------------------------------------------------------------


def mutate_trace(data: bytes, rng: Random, _: str) -> bytes:
    """Change a tree, a chunk, a batch or the index of a trace file; its checksums are right."""
    from warpmill.analyzer.traces.file_format import MAGIC  # noqa: PLC0415 - heavy

    foot = len(MAGIC) + 8
    start = int.from_bytes(data[-foot : -len(MAGIC)], "little")
    index = msgspec.msgpack.decode(_unpacked(data[start:-foot]))
    _, trees, chunks, *_ = index
    frames = [_unpacked(data[s : s + n]) for s, n, _ in (*trees, *chunks)]
    if rng.random() < 0.3:
        header_or_ctas = [index[0], index[3], *index[4:]]
        change(rng.choice([part for part in header_or_ctas if isinstance(part, dict | list)]), rng)
    else:
        number = rng.randrange(len(frames))
        tree = [msgspec.msgpack.decode(frames[number])]
        change(tree[0] if isinstance(tree[0], dict | list) else tree, rng)
        frames[number] = msgspec.msgpack.encode(tree[0])
    return _joined(MAGIC, index, frames)


def _unpacked(frame: bytes) -> bytes:
    return zstandard.ZstdDecompressor().decompress(frame)


def _joined(magic: bytes, index: Any, frames: list[bytes]) -> bytes:
    pieces, places, size = [magic], [], len(magic)
    for frame in frames:
        packed = zstandard.ZstdCompressor(level=1).compress(frame)
        places.append([size, len(packed), crc32(packed)])
        pieces.append(packed)
        size += len(packed)
    count = len(index[1])
    index[1], index[2] = places[:count], places[count:]
    tail = zstandard.ZstdCompressor(level=1).compress(msgspec.msgpack.encode(index))
    return b"".join((*pieces, tail, size.to_bytes(8, "little"), magic))
