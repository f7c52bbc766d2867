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
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

Dim3 = tuple[int, int, int]

_MOST_AXES = 32  # of an array of NumPy 1; NumPy 2 has 64


@dataclass(frozen=True, kw_only=True)
class RecordedCall:
    """One call; ``index`` is its place in the recording."""

    call: ClassVar[str] = ""
    index: int


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
    stream: int
    address: int
    bytes: int
    content: str


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
    handle: int
    bytes: int
    content: str


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
    """What waits in a stream, or in all where it is None, was handed to the device to be run."""

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
    stream: int
    module: int
    kernel: str
    grid: Dim3
    block: Dim3
    dynamic_shared_bytes: int
    arguments: tuple[ArgumentRecord, ...]
    params: bytes
    addresses: tuple[int, ...] = ()
    warp_instructions: int | None = None
    thread_instructions: int | None = None


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
    """Takes calls down; ``keep`` says whether contents are kept."""

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
        """Give the SHA-256 of some bytes, which are kept under it."""
        digest = content_hash(data)
        if self.keep and digest not in self.contents:
            self.contents[digest] = bytes(data)
        return digest


def content_hash(data: npt.NDArray[np.uint8] | bytes) -> str:
    """Give the SHA-256 of some bytes in hexadecimal."""
    return hashlib.sha256(data if isinstance(data, bytes) else data.data).hexdigest()
