"""Arguments of a launch put into the bytes that a kernel's parameters take."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.ir.kernel import Kernel, Parameter
from warpmill.analyzer.ir.types import Space, TypeKind
from warpmill.analyzer.launch.buffers import bfloat16_bytes, scalar_bytes
from warpmill.analyzer.launch.model import ELEMENT_TYPES, ScalarArgument
from warpmill.analyzer.launch.numbering import parameter_offsets
from warpmill.executor.host.device_array import DeviceArray
from warpmill.executor.host.recording import ArgumentRecord
from warpmill.executor.host.texture_objects import Texture

_FLOATS = {16: "<e", 32: "<f", 64: "<d"}


@dataclass(frozen=True)
class ByValue:
    """A struct passed by value: its bytes, and the places of 64-bit addresses in them."""

    data: bytes
    addresses: tuple[int, ...] = ()


@dataclass(frozen=True)
class PackedArguments:
    """Parameters as bytes, where each of them and each address lies, and what they were."""

    data: bytes
    offsets: tuple[int, ...]
    addresses: tuple[int, ...]
    records: tuple[ArgumentRecord, ...]


def pack_arguments(
    kernel: Kernel, arguments: Sequence[object], address_bytes: int = 8
) -> PackedArguments:
    """Convert arguments as the parameters want them.

    Arrays and textures give their address or handle, None the null pointer. Python's numbers take
    the declared type (for ``.b32`` and ``.b64`` an int its bits, a float those of f32 or f64);
    NumPy's scalars and the numbers of launch files have to be of its width. Structs are bytes, a
    NumPy structured scalar or a ``ByValue``. UsageError that names the argument.
    """
    if len(arguments) != len(kernel.parameters):
        wanted = ", ".join(f"`{p.name}`" for p in kernel.parameters) or "none"
        words = f"`{kernel.name}` takes {len(kernel.parameters)} arguments ({wanted})"
        raise UsageError(f"{words}, not {len(arguments)}")
    offsets, size = parameter_offsets(kernel)
    data = bytearray(size)
    records: list[ArgumentRecord] = []
    addresses: list[int] = []
    pairs = zip(kernel.parameters, arguments, offsets, strict=True)
    for place, (parameter, argument, offset) in enumerate(pairs):
        try:
            encoded = _encode(argument, parameter, address_bytes)
        except _Mismatch as reason:
            where = f"argument {place + 1} of `{kernel.name}` (`{parameter.name}`)"
            raise UsageError(f"{where}: {reason}") from None
        data[offset : offset + len(encoded.data)] = encoded.data
        records.append(replace(encoded.record, offset=offset))
        addresses += [offset + inner for inner in encoded.addresses]
    return PackedArguments(bytes(data), offsets, tuple(addresses), tuple(records))


class _Mismatch(Exception):  # noqa: N818 - it never leaves this file
    """An argument does not fit; the message says why."""


@dataclass(frozen=True)
class _Encoded:
    data: bytes
    record: ArgumentRecord
    addresses: tuple[int, ...] = ()


def _encode(argument: object, parameter: Parameter, address_bytes: int) -> _Encoded:
    size = parameter.size_bytes
    if argument is None:
        _want_address(parameter, "None, the null pointer", address_bytes)
        return _Encoded(bytes(size), ArgumentRecord(parameter.name, 0, size, "null"))
    if isinstance(argument, DeviceArray):
        if parameter.pointee_space is Space.SHARED:
            words = "the parameter points to shared memory; its argument is a number, the place"
            raise _Mismatch(f"{words} of its part in the launch's dynamic shared memory in bytes")
        what = f"an array, an address of {address_bytes} bytes"
        _want_address(parameter, what, address_bytes)
        return _handle(argument.address, "buffer", parameter)
    if isinstance(argument, Texture):
        if parameter.type.kind is not TypeKind.OPAQUE:
            _want_address(parameter, f"a {argument.spec.kind}, a handle of 8 bytes", 8)
        return _handle(argument.handle, argument.spec.kind, parameter)
    if isinstance(argument, ByValue | bytes | bytearray | np.void):
        return _struct(argument, parameter)
    if isinstance(argument, np.ndarray) and argument.ndim:
        if is_struct(parameter) and argument.nbytes == size:
            return _struct(argument.tobytes(), parameter)
        raise _Mismatch("this array is on the host; device.array(...) copies it to the device")
    data = _number(argument, parameter)
    kind = "address" if parameter.is_pointer else "value"
    value = argument.value if isinstance(argument, ScalarArgument) else argument
    return _Encoded(data, ArgumentRecord(parameter.name, 0, size, kind, value=str(value)))


def _handle(address: int, kind: str, parameter: Parameter) -> _Encoded:
    size = parameter.size_bytes
    if address >= 1 << 8 * size:
        raise _Mismatch(f"the address {address:#x} does not fit {size} bytes")
    record = ArgumentRecord(parameter.name, 0, size, kind, address=address)
    return _Encoded(address.to_bytes(size, "little"), record, (0,))


def is_struct(parameter: Parameter) -> bool:
    """Whether a parameter is a struct or an array by value."""
    return parameter.size_bytes != parameter.type.size_bytes or bool(parameter.shape)


def _described(parameter: Parameter) -> str:
    if parameter.is_pointer:
        return f"a pointer of {parameter.size_bytes} bytes"
    if is_struct(parameter):
        return f"a struct of {parameter.size_bytes} bytes"
    return f"{parameter.type}"


def _want_address(parameter: Parameter, what: str, address_bytes: int) -> None:
    is_integer = parameter.type.is_integer and not is_struct(parameter)
    if (parameter.is_pointer or is_integer) and parameter.size_bytes == address_bytes:
        return
    raise _Mismatch(f"the parameter is {_described(parameter)}, the argument {what}")


def _struct(value: ByValue | bytes | bytearray | np.void, parameter: Parameter) -> _Encoded:
    plain = value.tobytes() if isinstance(value, np.void) else value
    given = plain if isinstance(plain, ByValue) else ByValue(bytes(plain))
    if len(given.data) != parameter.size_bytes:
        words = f"the parameter is {_described(parameter)}, not of {len(given.data)}"
        is_packed = isinstance(value, np.void) and not value.dtype.isalignedstruct
        hint = "; np.dtype(fields, align=True) pads a struct as C does" if is_packed else ""
        raise _Mismatch(words + hint)
    record = ArgumentRecord(parameter.name, 0, len(given.data), "struct", value=given.data.hex())
    return _Encoded(given.data, record, given.addresses)


def _number(argument: object, parameter: Parameter) -> bytes:
    if isinstance(argument, ScalarArgument):
        return _of_type(argument.type_name, argument.value, parameter)
    if is_struct(parameter):
        raise _Mismatch(f"the parameter is {_described(parameter)}, not a number")
    if isinstance(argument, np.generic | np.ndarray):
        return _numpy(argument, parameter)
    if isinstance(argument, bool | int | float):
        return _python(argument, parameter)
    raise _Mismatch(f"a {type(argument).__name__} is nothing that a kernel takes")


def _numpy(value: np.generic | np.ndarray[Any, Any], parameter: Parameter) -> bytes:
    """Take a NumPy scalar as it is; it has to be of the parameter's width and kind."""
    dtype = value.dtype
    if dtype.kind not in "biuf" or dtype.itemsize != parameter.size_bytes:
        size = f"{dtype} of {dtype.itemsize} bytes"
        raise _Mismatch(
            f"the parameter is {_described(parameter)} of {parameter.size_bytes} bytes, not {size}"
        )
    _same_kind(parameter, is_float=dtype.kind == "f", what=str(dtype))
    return value.tobytes()


def _same_kind(parameter: Parameter, *, is_float: bool, what: str) -> None:
    is_untyped = parameter.type.kind is TypeKind.BITS
    if (is_untyped and not parameter.is_pointer) or parameter.type.is_float == is_float:
        return
    raise _Mismatch(f"the parameter is {_described(parameter)}, not {what}")


def _of_type(type_name: str, value: int | float, parameter: Parameter) -> bytes:
    """Take a number of a launch file."""
    type_ = ELEMENT_TYPES[type_name]
    if type_.size_bytes != parameter.size_bytes:
        words = f"the parameter is {_described(parameter)} of {parameter.size_bytes} bytes"
        raise _Mismatch(f"{words}, not {type_name}")
    _same_kind(parameter, is_float=type_.is_float, what=type_name)
    return scalar_bytes(type_name, value)


def _python(value: float, parameter: Parameter) -> bytes:
    """Convert a Python number to the declared type."""
    type_ = parameter.type
    if type_.name == "bf16":
        return bfloat16_bytes(float(value))
    if type_.is_float and type_.bits in _FLOATS and type_.lanes == 1:
        return _float(float(value), type_.bits)
    if isinstance(value, float):
        if type_.kind is not TypeKind.BITS or parameter.is_pointer or type_.bits not in _FLOATS:
            raise _Mismatch(f"the parameter is {_described(parameter)}, not the float {value}")
        return _float(value, type_.bits)
    bits = 8 * parameter.size_bytes
    if not -(1 << (bits - 1)) <= value < 1 << bits:
        raise _Mismatch(f"{value} does not fit {_described(parameter)} of {bits} bits")
    return (int(value) & ((1 << bits) - 1)).to_bytes(parameter.size_bytes, "little")


def _float(value: float, bits: int) -> bytes:
    try:
        return struct.pack(_FLOATS[bits], value)
    except OverflowError:
        raise _Mismatch(f"{value} is beyond the largest f{bits}") from None
