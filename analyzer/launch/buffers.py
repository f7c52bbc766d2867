"""The contents of a launch's buffers, made from their initialisers. The same every time."""

from __future__ import annotations

import tokenize
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import DataError, Diagnostic, LimitError, Severity
from warpmill.analyzer.launch.check import misfit
from warpmill.analyzer.launch.model import (
    ELEMENT_TYPES,
    Arange,
    BufferArgument,
    Constant,
    Csr,
    CsrPart,
    ElementKind,
    ElementType,
    FromFile,
    InMemory,
    Normal,
    Permutation,
    Recorded,
    TextureArgument,
    Uniform,
    Zeros,
)

Array = npt.NDArray[Any]

DEFAULT_MAX_BYTES = 16 << 30
"""Bytes of one buffer above which ``materialise`` refuses."""


def materialise(
    buffer: BufferArgument | TextureArgument, max_bytes: int = DEFAULT_MAX_BYTES
) -> Array:
    """Make the contents of a buffer: a new C-contiguous array of its shape.

    The channels of a texture are the last dimension, where there are several.

    Random numbers come from PCG64 with the buffer's seed. Elements of bf16 are given as their bits
    in ``uint16``. LimitError above ``max_bytes``; DataError where the initialiser does not fit or
    its file does not.
    """
    if buffer.bytes > max_bytes:
        words = f"a buffer of {buffer.bytes} bytes is over the limit of {max_bytes}"
        hint = "--max-buffer-bytes moves the limit"
        raise LimitError(Diagnostic(Severity.ERROR, words, hint=hint))
    reason = misfit(buffer.init, buffer.type, buffer.element_count)
    if reason is not None:
        raise DataError(f"a buffer of {buffer.element}: {reason}")
    return np.ascontiguousarray(_flat(buffer)).reshape(buffer.array_shape)


def scratch_bytes(buffer: BufferArgument | TextureArgument) -> int:
    """Bytes that ``materialise`` takes at most, its result and what that is made from."""
    if isinstance(buffer.init, Zeros):
        return buffer.bytes
    wide = isinstance(buffer.init, Arange | Permutation | Normal)
    return buffer.bytes + (8 * buffer.element_count if wide else buffer.bytes)


def _flat(buffer: BufferArgument | TextureArgument) -> Array:
    type_, count = buffer.type, buffer.element_count
    rng = np.random.Generator(np.random.PCG64(buffer.seed))
    match buffer.init:
        case Recorded():
            raise ValueError("what a recording has left in a buffer is known to its replay alone")
        case Zeros():
            return np.zeros(count, type_.storage)
        case Constant(value):
            return _stored(np.full(count, value, _working(type_)), type_)
        case Arange():
            return _arange(buffer.init, type_, count)
        case Uniform():
            return _uniform(rng, buffer.init, type_, count)
        case Normal(mean, deviation):
            drawn = rng.standard_normal(count, _drawn(type_))
            return _stored(drawn * _drawn(type_)(deviation) + _drawn(type_)(mean), type_)
        case Permutation():
            return rng.permutation(count).astype(type_.storage)
        case Csr():
            return _csr(rng, buffer.init, type_)
        case FromFile(path):
            return _load(path, type_, count)
        case InMemory(values):
            return _copied(values, type_, count)


def _working(type_: ElementType) -> str:
    """The NumPy type to compute in: the storage type, but for bf16, which has none."""
    return "float32" if type_.name == "bf16" else type_.storage


def _drawn(type_: ElementType) -> type[np.float32] | type[np.float64]:
    return np.float64 if type_.name == "f64" else np.float32


def _stored(values: Array, type_: ElementType) -> Array:
    """Convert to the storage type; bf16 rounds to the nearest, ties to even."""
    if type_.name != "bf16":
        return values.astype(type_.storage, copy=False)
    bits = values.astype(np.float32).view(np.uint32)
    rounded = bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))
    kept = np.where(np.isnan(values), bits | np.uint32(0x400000), rounded)
    return (kept >> np.uint32(16)).astype(np.uint16)


def _arange(init: Arange, type_: ElementType, count: int) -> Array:
    if type_.is_float:
        return _stored(np.arange(count, dtype=np.float64) * init.step + init.start, type_)
    # modulo 2**64: right for every integer type, whatever lies between
    step, start = (np.uint64(int(v) % (1 << 64)) for v in (init.step, init.start))
    return (np.arange(count, dtype=np.uint64) * step + start).astype(type_.storage)


def _uniform(rng: np.random.Generator, init: Uniform, type_: ElementType, count: int) -> Array:
    if not type_.is_float:
        dtype: Any = np.dtype(type_.storage)
        return rng.integers(int(init.low), int(init.high), count, dtype=dtype)
    real = _drawn(type_)
    drawn = rng.random(count, real) * real(init.high - init.low) + real(init.low)
    if type_.name == "bf16" or init.low == init.high:
        return _stored(drawn, type_)
    top: Any = np.dtype(type_.storage).type
    below: Array = np.nextafter(top(init.high), top(init.low))
    return np.minimum(_stored(drawn, type_), below, dtype=below.dtype)


def _csr(rng: np.random.Generator, init: Csr, type_: ElementType) -> Array:
    """Make one part; all parts draw the same numbers in the same order."""
    if init.part is CsrPart.VALUES:
        values = np.random.Generator(rng.bit_generator.jumped())  # type: ignore[attr-defined]
        return _stored(values.random(init.entries, _drawn(type_)), type_)
    lengths = _row_lengths(rng, init)
    row_ptr = np.concatenate(([0], np.cumsum(lengths)))
    if init.part is CsrPart.ROW_PTR:
        return row_ptr.astype(type_.storage)
    return _columns(rng, init, lengths, row_ptr).astype(type_.storage)


def _row_lengths(rng: np.random.Generator, init: Csr) -> npt.NDArray[np.int64]:
    """Throw all entries at the rows; what a full row cannot take goes to the first with room."""
    row = rng.integers(0, init.rows, init.entries)
    lengths = np.bincount(row, minlength=init.rows)
    excess = int(np.maximum(lengths - init.columns, 0).sum())
    lengths = np.minimum(lengths, init.columns)
    room = init.columns - lengths
    taken: npt.NDArray[np.int64] = np.clip(excess - (np.cumsum(room) - room), 0, room)
    return lengths + taken


def _columns(
    rng: np.random.Generator,
    init: Csr,
    lengths: npt.NDArray[np.int64],
    row_ptr: npt.NDArray[np.int64],
) -> npt.NDArray[np.int64]:
    """Draw one column out of each of a row's equal parts: ascending, without repeats."""
    row_parts = np.repeat(lengths, lengths)
    place = np.arange(init.entries) - np.repeat(row_ptr[:-1], lengths)
    low = place * init.columns // row_parts
    return rng.integers(low, (place + 1) * init.columns // row_parts)


def _load(path: Path, type_: ElementType, count: int) -> Array:
    try:
        if path.exists() and not path.is_file():
            raise OSError("it is no file")
        data: Array = np.lib.format.open_memmap(path, mode="r")
    except (
        OSError,
        ValueError,
        EOFError,
        OverflowError,
        SyntaxError,
        tokenize.TokenError,
    ) as error:
        words = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise DataError(_about(path, f"cannot be read as a .npy file: {words}")) from None
    if data.dtype != np.dtype(type_.storage):
        raise DataError(_about(path, f"has elements of {data.dtype}, not {type_.storage}"))
    if data.size != count:
        raise DataError(_about(path, f"has {data.size} elements, not {count}"))
    return np.array(data, order="C").reshape(-1)


def _copied(values: Array, type_: ElementType, count: int) -> Array:
    """Copy what an array holds now. DataError where it is of another size."""
    if values.nbytes != count * type_.size_bytes:
        words = f"an array of {values.nbytes} B does not fill {count} elements of {type_.name}"
        raise DataError(words)
    return values.reshape(-1).view(type_.storage).copy()


def _about(path: Path, words: str) -> Diagnostic:
    return Diagnostic(Severity.ERROR, f"the file {words}", str(path))


def scalar_bytes(type_name: str, value: int | float) -> bytes:
    """The bytes of a number of a launch file; bf16 rounds to the nearest, ties to even."""
    type_ = ELEMENT_TYPES[type_name]
    if type_.name == "bf16":
        return bfloat16_bytes(float(value))
    if type_.kind is ElementKind.SIGNED:
        return int(value).to_bytes(type_.size_bytes, "little", signed=True)
    if type_.is_float:
        return np.asarray(value, type_.storage).tobytes()
    return int(value).to_bytes(type_.size_bytes, "little")


def bfloat16_bytes(value: float) -> bytes:
    """The bits of a number as bf16: to the nearest, ties to even."""
    with np.errstate(over="ignore"):
        bits = int(np.float32(value).view(np.uint32))
    if value != value:  # noqa: PLR0124 - only a NaN differs from itself
        return ((bits >> 16) | 0x40).to_bytes(2, "little")
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).to_bytes(2, "little")
