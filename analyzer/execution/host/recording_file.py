"""Recordings in files: calls and contents as MessagePack, compressed with Zstandard.

A file is the eight bytes of ``MAGIC``, then one Zstandard frame around a MessagePack map: the
version, the device, the calls (maps with their word under ``call``) and the contents by SHA-256.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import zstandard

from analyzer.diagnostics import Diagnostic, InputError, LimitError, Severity
from analyzer.execution.host.recording import CALLS, AllocateCall, Call, Recording, content_hash
from analyzer.whole_files import write_whole

MAGIC = b"WMRECORD"

VERSION = 1
"""Rises when a call or a key changes its meaning."""

MAX_RECORDING_BYTES = 16 << 30
"""Bytes of a recording, uncompressed, above which it is not read."""

_PIECE_BYTES = 4 << 20  # read at a time, so that memory grows only as there is something to read


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


def _fields(call: Call) -> dict[str, Any]:
    return {name: getattr(call, name) for name in call.__dataclass_fields__ if name != "call"}


def load_recording(path: str | Path, max_bytes: int = MAX_RECORDING_BYTES) -> Recording:
    """Read a recording. InputError where it is none or damaged, LimitError where it is too big."""
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
    return Recording(calls, form.contents, form.device)


def _call(given: dict[str, Any]) -> Call:
    word = given.pop("call", None)
    if not isinstance(word, str) or word not in CALLS:
        raise ValueError(f"there is no call {word!r:.40}")
    kind = CALLS[word]
    unknown = set(given) - set(kind.__dataclass_fields__)
    if unknown:
        raise ValueError(f"`{kind.call}` has no {sorted(unknown)[0]}")
    return msgspec.convert(given, kind)


def _unpacked(path: Path, max_bytes: int) -> bytearray:
    data = bytearray()
    try:
        with path.open("rb") as file:
            if file.read(len(MAGIC)) != MAGIC:
                raise _broken(path, "it does not start as one")
            reader = zstandard.ZstdDecompressor().stream_reader(file)
            while len(data) <= max_bytes and (piece := reader.read(_PIECE_BYTES)):
                data += piece
    except OSError as error:
        raise _broken(path, error.strerror or str(error)) from None
    except zstandard.ZstdError:
        raise _broken(path, "what it holds in compressed form is damaged") from None
    if len(data) > max_bytes:
        raise LimitError(f"{path}: the recording has more than {max_bytes} bytes (--max-memory)")
    return data


def _broken(path: str | Path, why: str) -> InputError:
    return InputError(
        Diagnostic(Severity.ERROR, f"this is no recording that can be read: {why}", str(path))
    )
