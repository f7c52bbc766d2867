"""Recordings in files: calls and contents as MessagePack, compressed with Zstandard.

A file is the eight bytes of ``MAGIC``, then one Zstandard frame around a MessagePack map: the
version, the device, the calls (maps with their word under ``call``) and the contents by SHA-256.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import zstandard

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, LimitError, Severity
from warpmill.analyzer.base.input_files import (
    MAX_UNPACKED_BYTES,
    input_limit,
    open_input,
    read_up_to,
)
from warpmill.analyzer.base.whole_files import write_whole
from warpmill.executor.host.recording import (
    CALLS,
    AllocateCall,
    RecordedCall,
    Recording,
    content_hash,
)

MAGIC = b"WMRECORD"

VERSION = 1
"""Rises when a call or a key changes its meaning."""

_SMALL_MAP = range(0x80, 0x90)  # how MessagePack begins a map of up to 15 keys


class _Form(msgspec.Struct, forbid_unknown_fields=True):
    version: int
    device: str
    calls: list[dict[str, Any]]
    contents: dict[str, bytes]


def save_recording(recording: Recording, path: str | Path) -> int:
    """Write a recording to a file, whole or not at all, and give its size in bytes. UsageError."""
    calls = [{"call": c.call, **_fields(c)} for c in recording.calls]
    form = _Form(VERSION, recording.device, calls, dict(recording.contents))
    packed = zstandard.ZstdCompressor(level=3).compress(msgspec.msgpack.encode(form))
    write_whole(Path(path), MAGIC + packed)
    return len(MAGIC) + len(packed)


def _fields(call: RecordedCall) -> dict[str, Any]:
    return {name: getattr(call, name) for name in call.__dataclass_fields__ if name != "call"}


def load_recording(path: str | Path, max_bytes: int | None = None) -> Recording:
    """Read a recording. InputError where it is none or damaged, LimitError where it is too big.

    ``max_bytes`` is the memory of the device that it is for; none unpacks to more than
    ``MAX_UNPACKED_BYTES`` unless the environment says so.
    """
    data = _unpacked(Path(path), max_bytes)
    try:
        form = msgspec.msgpack.decode(data, type=_Form)
        if form.version != VERSION:
            raise _broken(path, f"it has version {form.version}, this warpmill reads {VERSION}")
        calls = tuple(_call(c) for c in form.calls)
        for place, call in enumerate(calls):
            if call.index != place:
                raise _broken(path, f"call {place} says that it is call {call.index}")
            if isinstance(call, AllocateCall):
                call.check()
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise _broken(path, str(error)) from None
    for digest, content in form.contents.items():
        if content_hash(content) != digest:
            raise _broken(path, f"a content does not have its hash {digest[:12]}…")
    return Recording(calls, form.contents, form.device, str(path))


def _call(given: dict[str, Any]) -> RecordedCall:
    word = given.pop("call", None)
    if not isinstance(word, str) or word not in CALLS:
        raise ValueError(f"there is no call {word!r:.40}")
    kind = CALLS[word]
    unknown = set(given) - set(kind.__dataclass_fields__)
    if unknown:
        raise ValueError(f"`{kind.call}` has no {sorted(unknown)[0]}")
    return msgspec.convert(given, kind)


def _unpacked(path: Path, max_bytes: int | None) -> bytearray:
    limit = input_limit(MAX_UNPACKED_BYTES)
    try:
        with open_input(path) as file:
            if file.read(len(MAGIC)) != MAGIC:
                raise _broken(path, "it does not start as one")
            reader = zstandard.ZstdDecompressor().stream_reader(file)
            head = reader.read(1)
            if not head or head[0] not in _SMALL_MAP:
                raise _broken(path, "what it holds in compressed form is no map of calls")
            if max_bytes is not None and max_bytes < limit:
                return _up_to(reader, max_bytes, path, head)
            return read_up_to(reader.read, limit, path, head)
    except OSError as error:
        raise _broken(path, error.strerror or str(error)) from None
    except zstandard.ZstdError:
        raise _broken(path, "what it holds in compressed form is damaged") from None


def _up_to(reader: Any, max_bytes: int, path: Path, head: bytes) -> bytearray:
    """Read what the device's memory could hold. LimitError."""
    try:
        return read_up_to(reader.read, max_bytes, path, head)
    except LimitError:
        words = f"the recording has more than {max_bytes} bytes (--max-memory)"
        raise LimitError(Diagnostic(Severity.ERROR, words, str(path))) from None


def _broken(path: str | Path, why: str) -> InputError:
    return InputError(
        Diagnostic(Severity.ERROR, f"this is no recording that can be read: {why}", str(path))
    )
