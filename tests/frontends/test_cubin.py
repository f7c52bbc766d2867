"""Cubins of pair.cu by ptxas 13.0, and by ptxas 12.4 with ELF ABI version 7."""

import struct
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warpmill.analyzer.base.diagnostics import InputError
from warpmill.analyzer.machine_code.cubins import read_cubin

FOLDER = Path(__file__).parent / "cubins"
WIDE = "_Z4wideIdEvPT_PKS0_"


@pytest.mark.parametrize(
    ("file", "chip"),
    [("pair.sm_80.cubin", 80), ("pair.sm_90.cubin", 90), ("pair.sm_80.abi7.cubin", 80)],
)
def test_registers_are_what_ptxas_says(file, chip):
    cubin = read_cubin(FOLDER / file)
    assert (cubin.chip, cubin.registers) == (chip, ((WIDE, 28), ("narrow", 8)))


def test_the_section_header_speaks_where_the_attribute_is_missing(tmp_path):
    """``.nv.info`` loses its REGCOUNT attributes, whose form and code are 04 2f 08 00."""
    data = (FOLDER / "pair.sm_80.cubin").read_bytes()
    assert data.count(b"\x04\x2f\x08\x00") == 2
    path = tmp_path / "a.cubin"
    path.write_bytes(data.replace(b"\x04\x2f\x08\x00", b"\x04\x11\x08\x00"))
    assert read_cubin(path).registers == ((WIDE, 28), ("narrow", 8))
    newer = (FOLDER / "pair.sm_90.cubin").read_bytes()
    path.write_bytes(newer.replace(b"\x04\x2f\x08\x00", b"\x04\x11\x08\x00"))
    assert read_cubin(path).registers == ()


def test_a_kernel_that_is_not_there():
    cubin = read_cubin(FOLDER / "pair.sm_80.cubin", "pair.cubin")
    assert cubin.kernel_registers("narrow") == 8
    with pytest.raises(InputError, match=r"pair\.cubin: error: there is no kernel tiny") as error:
        cubin.kernel_registers("tiny")
    assert error.value.diagnostics[0].hint == f"it has {WIDE}, narrow"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "this is no cubin: it is no ELF file"),
        (b".version 7.0\n", "this is no cubin: it is no ELF file"),
        (b"\x50\xed\x55\xba\x01\x00", "this is a fat binary"),
        (b"\x7fELF\x02\x01\x01", "this is a damaged cubin"),
    ],
)
def test_files_of_other_kinds(tmp_path, data, words):
    path = tmp_path / "a.cubin"
    path.write_bytes(data)
    with pytest.raises(InputError, match=words):
        read_cubin(path)


def test_a_program_of_this_machine_and_a_missing_file(tmp_path):
    data = bytearray((FOLDER / "pair.sm_80.cubin").read_bytes())
    struct.pack_into("<H", data, 18, 62)  # e_machine: x86-64
    path = tmp_path / "a.o"
    path.write_bytes(data)
    with pytest.raises(InputError, match="not for a GPU of NVIDIA"):
        read_cubin(path)
    with pytest.raises(InputError, match="cannot be read: No such file"):
        read_cubin(tmp_path / "none.cubin")
    with pytest.raises(InputError, match="cannot be read: Is a directory"):
        read_cubin(tmp_path)


CUBIN = (FOLDER / "pair.sm_80.cubin").read_bytes()
TABLES = struct.unpack_from("<Q", CUBIN, 40)[0]  # e_shoff


@settings(max_examples=150, deadline=None)
@given(
    cut=st.integers(0, len(CUBIN)) | st.none(),
    patches=st.lists(
        st.tuples(
            st.integers(0, 63) | st.integers(TABLES, len(CUBIN) - 1) | st.integers(0, 1500),
            st.binary(min_size=1, max_size=8),
        ),
        max_size=6,
    ),
)
def test_damaged_files_are_refused_or_read(tmp_path_factory, cut, patches):
    data = bytearray(CUBIN)
    for place, new in patches:
        data[place : place + len(new)] = new
    path = tmp_path_factory.getbasetemp() / "damaged.cubin"
    path.write_bytes(data[:cut])
    try:
        cubin = read_cubin(path)
    except InputError:
        return
    assert all(count > 0 for _, count in cubin.registers)
