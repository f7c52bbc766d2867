"""The log of a device: every call of its interface in order, with what it takes to repeat them.

Host memory that was copied to the device is kept once for each content, found by its SHA-256.
A recording says nothing of time, so that two runs of one program have equal recordings.
"""

from __future__ import annotations

import hashlib
from ast import literal_eval
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import prod
from pathlib import Path
from typing import Annotated, Any, ClassVar

import msgspec
import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, LimitError, Severity
from warpmill.analyzer.base.metric import INTERNAL, Id, Metric, derived
from warpmill.analyzer.base.naming import demangle
from warpmill.analyzer.base.whole_files import (
    MAX_UNPACKED_BYTES,
    input_limit,
    open_input,
    read_up_to,
    write_whole,
)
from warpmill.analyzer.base.zstd import zstd

Dim3 = tuple[int, int, int]

_MOST_AXES = 32  # of an array of NumPy 1; NumPy 2 has 64


@dataclass(frozen=True, kw_only=True)
class RecordedCall:
    """One call; ``index`` is its place in the recording."""

    call: ClassVar[str] = ""
    index: Id


@dataclass(frozen=True, kw_only=True)
class LoadCall(RecordedCall):
    """A module was given a number. ``name`` is the file's name, ``format`` what it holds."""

    call: ClassVar[str] = "load"
    module: int
    name: str


@dataclass(frozen=True, kw_only=True)
class KernelCall(RecordedCall):
    """A kernel was taken from a module; ``text`` is the content of what it was read from."""

    call: ClassVar[str] = "kernel"
    module: int
    kernel: str
    source: str
    format: str
    text: str


@dataclass(frozen=True, kw_only=True)
class AllocateCall(RecordedCall):
    """Device memory was made, all zero where ``zeroed``.

    ``dtype`` is NumPy's name of the element type, of a struct what describes its fields.
    """

    call: ClassVar[str] = "allocate"
    address: int
    bytes: int
    dtype: str
    shape: tuple[int, ...]
    name: str | None
    zeroed: bool

    @property
    def element_type(self) -> np.dtype[Any]:
        """The type that ``dtype`` names. ValueError where it names none."""
        try:
            described = self.dtype[:1] in ("[", "{")
            return np.dtype(literal_eval(self.dtype) if described else self.dtype)
        except (TypeError, SyntaxError, KeyError) as error:
            raise ValueError(f"there is no element type {self.dtype!r:.60}") from error

    def check(self) -> None:
        """See that elements and shape are what the bytes hold. ValueError."""
        is_shape = len(self.shape) <= _MOST_AXES and min(self.shape, default=0) >= 0
        if not is_shape or prod(self.shape) * self.element_type.itemsize != self.bytes:
            words = f"an array of {self.bytes} bytes is no {self.dtype:.60} of shape {self.shape}"
            raise ValueError(f"call {self.index}: {words}")


@dataclass(frozen=True, kw_only=True)
class FreeCall(RecordedCall):
    """Device memory was given back."""

    call: ClassVar[str] = "free"
    address: int


@dataclass(frozen=True, kw_only=True)
class WriteCall(RecordedCall):
    """Bytes were copied from the host to the device."""

    call: ClassVar[str] = "write"
    stream: int
    address: int
    bytes: int
    content: str


@dataclass(frozen=True, kw_only=True)
class ReadCall(RecordedCall):
    """Bytes were copied from the device to the host."""

    call: ClassVar[str] = "read"
    stream: Id
    address: Annotated[int, INTERNAL]
    bytes: Annotated[int, Metric("Size", "B")]
    content: Annotated[str, Metric("SHA256 as recorded")]


@dataclass(frozen=True, kw_only=True)
class CopyCall(RecordedCall):
    """Bytes were copied on the device."""

    call: ClassVar[str] = "copy"
    stream: int
    address: int
    source: int
    bytes: int


@dataclass(frozen=True, kw_only=True)
class CopyTextureCall(RecordedCall):
    """The elements of a texture or surface object were copied to memory on the device."""

    call: ClassVar[str] = "copy_texture"
    stream: int
    address: int
    handle: int
    bytes: int


@dataclass(frozen=True, kw_only=True)
class FillCall(RecordedCall):
    """Bytes on the device were all set to ``value``."""

    call: ClassVar[str] = "fill"
    stream: int
    address: int
    bytes: int
    value: int


@dataclass(frozen=True, kw_only=True)
class SymbolCall(RecordedCall):
    """A module variable's address was asked for."""

    call: ClassVar[str] = "symbol"
    module: int
    name: str
    address: int
    bytes: int


@dataclass(frozen=True, kw_only=True)
class TextureCall(RecordedCall):
    """A texture or surface object was made of a copy of an array, or over another object."""

    call: ClassVar[str] = "texture"
    kind: str
    handle: int
    address: int
    element: str
    extent: tuple[int, ...]
    channels: int
    filter: str
    address_modes: tuple[str, ...]
    normalised_coordinates: bool
    normalised_values: bool
    layers: int
    is_cube: bool
    over: int | None
    is_linear: bool = False


@dataclass(frozen=True, kw_only=True)
class ReadTextureCall(RecordedCall):
    """The elements of a texture or surface object were copied to the host."""

    call: ClassVar[str] = "read_texture"
    handle: Annotated[int, INTERNAL]
    bytes: Annotated[int, Metric("Size", "B")]
    content: Annotated[str, Metric("SHA256 as recorded")]


@dataclass(frozen=True, kw_only=True)
class StreamCall(RecordedCall):
    """A stream was made."""

    call: ClassVar[str] = "stream"
    stream: int


@dataclass(frozen=True, kw_only=True)
class EventCall(RecordedCall):
    """``action`` was done with an event: ``create``, ``record``, ``wait``, ``synchronize``."""

    call: ClassVar[str] = "event"
    action: str
    event: int
    stream: int | None


@dataclass(frozen=True, kw_only=True)
class SynchronizeCall(RecordedCall):
    """The host waited for a stream, or for the whole device where it is None."""

    call: ClassVar[str] = "synchronize"
    stream: int | None


@dataclass(frozen=True, kw_only=True)
class FlushCall(RecordedCall):
    """Submission of what waits in a stream, or in all where it is None, to the device."""

    call: ClassVar[str] = "flush"
    stream: int | None


@dataclass(frozen=True)
class ArgumentRecord:
    """An argument: its parameter, where it lies in the parameters' bytes, and what it was.

    ``kind`` is buffer, texture, surface, address, null, value or struct. ``value`` is a number as
    text, else empty. ``address`` is of buffers and handles. ``content`` is the SHA-256 of a
    buffer's bytes at the launch; None where it is not known without computing it.
    """

    parameter: str
    offset: int
    bytes: int
    kind: str
    value: str = ""
    address: int | None = None
    content: str | None = None


@dataclass(frozen=True, kw_only=True)
class LaunchCall(RecordedCall):
    """A kernel was launched. Counts are None where the device does not count.

    ``addresses`` are the places in ``params`` that hold device addresses or texture handles.
    """

    call: ClassVar[str] = "launch"
    stream: Id
    module: Annotated[int, INTERNAL]
    kernel: Annotated[str, Metric("Mangled name")]
    grid: Annotated[Dim3, Metric("Grid size", "CTA")]
    block: Annotated[Dim3, Metric("Block size", "thread")]
    dynamic_shared_bytes: Annotated[int, Metric("Dynamic shared memory per CTA", "B")]
    arguments: Annotated[tuple[ArgumentRecord, ...], INTERNAL]
    params: Annotated[bytes, INTERNAL]
    addresses: Annotated[tuple[int, ...], INTERNAL] = ()
    warp_instructions: Annotated[int | None, Metric("Warp instructions", "inst")] = None
    thread_instructions: Annotated[int | None, Metric("Thread instructions", "thread inst")] = None

    @derived("Kernel")
    def demangled(self) -> str:
        """The kernel's name as its author wrote it."""
        return demangle(self.kernel)


CALLS: dict[str, type[RecordedCall]] = {
    c.call: c
    for c in (
        LoadCall, KernelCall, AllocateCall, FreeCall, WriteCall, ReadCall, CopyCall, FillCall,
        SymbolCall, TextureCall, ReadTextureCall, CopyTextureCall, StreamCall, EventCall,
        SynchronizeCall, FlushCall, LaunchCall,
    )
}  # fmt: skip
"""Every kind of call by its word."""


@dataclass(frozen=True)
class Recording:
    """The calls of a program, and the contents that they name by hash.

    ``contents`` is empty where a device was told not to keep them; such a recording can be read
    and saved but not replayed. ``file`` is what it was read from, None where it was not.
    """

    calls: tuple[RecordedCall, ...]
    contents: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    device: str = "cpu"
    file: str | None = field(default=None, compare=False)

    @property
    def launches(self) -> tuple[LaunchCall, ...]:
        """The launches in order."""
        return tuple(c for c in self.calls if isinstance(c, LaunchCall))


@dataclass
class Recorder:
    """Recorder of calls; ``keep``: contents are kept."""

    keep: bool = True
    calls: list[RecordedCall] = field(default_factory=list)
    contents: dict[str, bytes] = field(default_factory=dict)

    @property
    def next(self) -> int:
        """The index that the next call gets."""
        return len(self.calls)

    def add(self, call: RecordedCall) -> None:
        """Take a call down."""
        assert call.index == len(self.calls)
        self.calls.append(call)

    def content(self, data: npt.NDArray[np.uint8] | bytes) -> str:
        """The SHA-256 of some bytes, which are kept under it."""
        digest = content_hash(data)
        if self.keep and digest not in self.contents:
            self.contents[digest] = bytes(data)
        return digest


def content_hash(data: npt.NDArray[np.uint8] | bytes) -> str:
    """The SHA-256 of some bytes in hexadecimal."""
    return hashlib.sha256(data if isinstance(data, bytes) else data.data).hexdigest()


# Recordings in files: calls and contents as MessagePack, compressed with Zstandard.
#
# A file is the eight bytes of ``MAGIC``, then one Zstandard frame around a MessagePack map: the
# version, the device, the calls (maps with their word under ``call``) and the contents by SHA-256.

MAGIC = b"WMRECORD"

VERSION = 1
"""Version of the calls and their keys."""

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
    packed = zstd.compress(msgspec.msgpack.encode(form), 3)
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
            reader = zstd.ZstdFile(file)
            head = reader.read(1)
            if not head or head[0] not in _SMALL_MAP:
                raise _broken(path, "what it holds in compressed form is no map of calls")
            if max_bytes is not None and max_bytes < limit:
                return _up_to(reader, max_bytes, path, head)
            return read_up_to(reader.read, limit, path, head)
    except OSError as error:
        raise _broken(path, error.strerror or str(error)) from None
    except (zstd.ZstdError, EOFError):
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


# What a recorded application launches between two synchronisations (GT-Pin, §II and §V-B).
#
# GT-Pin cuts a program at the seven calls of OpenCL at which work of host and device is known to
# align. Here they are, with their counterparts:
#
# ================================ =================================================== ``clFinish``
# ``synchronize``, of a stream or of the device ``clEnqueueReadBuffer`` ``array.get()``, any copy
# to the host ``clEnqueueReadImage`` ``texture.get()`` ``clEnqueueCopyBuffer`` ``device.copy(array,
# array)`` ``clEnqueueCopyImageToBuffer`` ``device.copy(array, texture)`` ``clWaitForEvents``
# ``event.synchronize()``: the host waits ``clFlush`` ``flush``, of a stream or of the device
# ================================ ===================================================
#
# No other call ends an interval: launches and copies from the host do not, nor does making a
# texture of an array (``clEnqueueCopyBufferToImage`` is not among the seven). A stream that waits
# for an event (``stream.wait``) orders work on the device, and the host goes on: it ends none
# either. A call ends the interval whichever stream it is for, as the paper cuts the one sequence
# of a program's calls.

_ENDS = (SynchronizeCall, ReadCall, ReadTextureCall, CopyCall, CopyTextureCall, FlushCall)


@dataclass(frozen=True)
class SyncInterval:
    """Calls that follow one another up to one that ends the interval, with their launches.

    ``calls`` are places in the recording, the call that ends the interval among them; ``launches``
    are numbers of launches, from 0 in their order, never none. ``ended_by`` is the word of the call
    that ends it; None where the recording ends first.
    """

    calls: Annotated[range, INTERNAL]
    launches: Annotated[range, INTERNAL]
    ended_by: Annotated[str | None, Metric("Synchronization")]

    @derived("First call")
    def first_call(self) -> Id:
        """The place in the recording of the first call."""
        return self.calls[0]

    @derived("Last call")
    def last_call(self) -> Id:
        """The place in the recording of the last call."""
        return self.calls[-1]

    @derived("First launch")
    def first_launch(self) -> Id:
        """The number of the first launch."""
        return self.launches[0]


def sync_intervals(recording: Recording) -> tuple[SyncInterval, ...]:
    """Cut a recording into the intervals between its synchronisations, in their order.

    An interval is of launches: where a call would end one without any, as the second of two copies
    to the host does, the interval goes on to the first such call after a launch. So each launch is
    in one interval; only calls after the last end, without a launch among them, are in none.
    """
    found: list[SyncInterval] = []
    first_call = first_launch = launches = 0
    for place, call in enumerate(recording.calls):
        launches += isinstance(call, LaunchCall)
        if launches > first_launch and ends_interval(call):
            calls = range(first_call, place + 1)
            found.append(SyncInterval(calls, range(first_launch, launches), _word(call)))
            first_call, first_launch = place + 1, launches
    if launches > first_launch:
        calls = range(first_call, len(recording.calls))
        found.append(SyncInterval(calls, range(first_launch, launches), None))
    return tuple(found)


def ends_interval(call: RecordedCall) -> bool:
    """Whether a call is one of those at which host and device align."""
    if isinstance(call, EventCall):
        return call.action == "synchronize"
    return isinstance(call, _ENDS)


def _word(call: RecordedCall) -> str:
    return f"event {call.action}" if isinstance(call, EventCall) else call.call
