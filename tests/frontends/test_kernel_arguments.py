"""Arguments of a launch as bytes: what fits a parameter, and where it lies."""

import struct

import numpy as np
import pytest

from warpmill.analyzer.base.diagnostics import Span, UsageError
from warpmill.analyzer.ir.kernel import Kernel, Parameter
from warpmill.analyzer.ir.types import TYPES
from warpmill.analyzer.launch.model import ScalarArgument
from warpmill.analyzer.launch.numbering import parameter_offsets
from warpmill.executor.host.device import Device
from warpmill.executor.host.device_array import DeviceArray
from warpmill.executor.host.kernel_arguments import ByValue, pack_arguments


def kernel_of(*parameters):
    made = []
    for place, (type_, size, align, *pointer) in enumerate(parameters):
        made.append(
            Parameter(
                f"p{place}", TYPES[type_], size, align, is_pointer=pointer[0] if pointer else None
            )
        )
    return Kernel("k", tuple(made), (), (), Span(1, 1, 1))


def packed(argument, type_, size=None, **words):
    size = size or TYPES[type_].size_bytes
    kernel = kernel_of((type_, size, min(size, 8), *words.values()))
    return pack_arguments(kernel, [argument]).data


# ------------------------------------------------------------------------------- arguments


def test_parameters_lie_as_a_c_struct():
    kernel = kernel_of(("u8", 1, 1), ("f64", 8, 8), ("u16", 2, 2), ("b8", 12, 4), ("u64", 8, 8))
    names = np.dtype(
        [("a", "u1"), ("b", "f8"), ("c", "u2"), ("d", "u4", 3), ("e", "u8")], align=True
    )
    offsets, size = parameter_offsets(kernel)
    assert offsets == tuple(names.fields[n][1] for n in names.names)
    assert size == names.itemsize


@pytest.mark.parametrize(
    ("argument", "type_", "wanted"),
    [
        (7, "u32", struct.pack("<I", 7)),
        (-7, "s32", struct.pack("<i", -7)),
        (-1, "u32", b"\xff" * 4),
        (7, "f32", struct.pack("<f", 7)),
        (0.1, "f32", np.float32(0.1).tobytes()),
        (0.1, "f64", struct.pack("<d", 0.1)),
        (1.5, "f16", np.float16(1.5).tobytes()),
        (1.5, "b32", struct.pack("<f", 1.5)),
        (3, "b32", struct.pack("<i", 3)),
        (1.5, "b64", struct.pack("<d", 1.5)),
        (1.5, "b16", np.float16(1.5).tobytes()),
        (True, "u8", b"\x01"),
        (np.float32(0.1), "f32", np.float32(0.1).tobytes()),
        (np.float32(0.1), "b32", np.float32(0.1).tobytes()),
        (np.uint32(4_000_000_000), "s32", struct.pack("<I", 4_000_000_000)),
        (np.int64(-5), "u64", struct.pack("<q", -5)),
        (np.array(3, np.int16), "u16", struct.pack("<h", 3)),
        (None, "u64", bytes(8)),
        (1.0, "bf16", b"\x80\x3f"),
        (ScalarArgument("bf16", 1.00390625), "b16", b"\x80\x3f"),  # a tie goes to the even one
        (ScalarArgument("bf16", 1.01171875), "b16", b"\x82\x3f"),
        (ScalarArgument("i32", -2), "u32", struct.pack("<i", -2)),
        (float("inf"), "f32", struct.pack("<f", float("inf"))),
    ],
)
def test_numbers_take_the_declared_type(argument, type_, wanted):
    assert packed(argument, type_) == wanted


@pytest.mark.parametrize(
    ("argument", "type_", "words"),
    [
        (np.float64(1), "f32", "f32 of 4 bytes, not float64 of 8 bytes"),
        (np.int32(1), "f32", "f32, not int32"),
        (np.float32(1), "u32", "u32, not float32"),
        (1.5, "s32", "s32, not the float 1.5"),
        (1 << 32, "u32", "4294967296 does not fit u32 of 32 bits"),
        (-(1 << 31) - 1, "s32", "does not fit"),
        (1e300, "f32", "beyond the largest f32"),
        (1e6, "f16", "beyond the largest f16"),
        ("3", "u32", "a str is nothing that a kernel takes"),
        (None, "f32", "the parameter is f32, the argument None, the null pointer"),
        (np.zeros(4, np.float32), "u64", "on the host; device.array"),
        (b"abc", "u32", "not of 3"),
        (ScalarArgument("i64", 1), "u32", "not i64"),
        (ScalarArgument("f32", 1), "u32", "not f32"),
    ],
)
def test_what_does_not_fit_is_told_with_the_parameter(argument, type_, words):
    with pytest.raises(UsageError) as error:
        packed(argument, type_)
    assert words in str(error.value)
    assert "argument 1 of `k` (`p0`)" in str(error.value)


def test_structs_are_bytes_or_structured_scalars():
    dtype = np.dtype([("a", "<f4"), ("b", "<i4"), ("c", "<i8")])
    value = np.array([(1.5, -3, 1 << 40)], dtype)[0]
    wanted = struct.pack("<fiq", 1.5, -3, 1 << 40)
    assert packed(value, "b8", 16) == wanted
    assert packed(wanted, "b8", 16) == wanted
    assert packed(np.array([1, 2, 3, 4], np.int32), "b8", 16) == struct.pack("<4i", 1, 2, 3, 4)
    with pytest.raises(UsageError, match="a struct of 16 bytes, not of 15"):
        packed(wanted[:-1], "b8", 16)
    with pytest.raises(UsageError, match="not a number"):
        packed(3, "b8", 16)


def test_places_of_addresses_are_known():
    device = Device()
    array = device.zeros(10)
    kernel = kernel_of(("u32", 4, 4), ("u64", 8, 8), ("b8", 16, 8))
    made = pack_arguments(kernel, [1, array[3:], ByValue(bytes(16), (8,))])
    assert made.addresses == (8, 24)
    assert int.from_bytes(made.data[8:16], "little") == array.address + 12
    assert [r.kind for r in made.records] == ["value", "buffer", "struct"]


def test_an_address_fits_the_pointers_of_its_kernel():
    kernel = kernel_of(("u32", 4, 4))
    last, beyond = (DeviceArray(Device(), at, (1,), "u1") for at in ((1 << 32) - 1, 1 << 32))
    assert pack_arguments(kernel, [last], 4).data == b"\xff" * 4
    with pytest.raises(UsageError, match=r"`p0`.* address 0x100000000 does not fit 4 bytes"):
        pack_arguments(kernel, [beyond], 4)


def test_too_few_arguments():
    with pytest.raises(UsageError, match=r"`k` takes 2 arguments \(`p0`, `p1`\), not 1"):
        pack_arguments(kernel_of(("u32", 4, 4), ("u32", 4, 4)), [1])
