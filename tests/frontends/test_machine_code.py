"""What kernels take in the machine code of cubins, fat binaries and libraries.

ELF files made byte by byte, and where nvcc and ptxas are there, theirs against ``ptxas -v``.
"""

from __future__ import annotations

import re
import shutil
import struct
import subprocess
from pathlib import Path

import pytest

from tests.frontends.elf_bytes import PROGBITS, Kernel, Section, archive, cubin, elf
from warpmill.analyzer.base.diagnostics import InputError, UsageError
from warpmill.analyzer.frontends.load import kernel_names
from warpmill.analyzer.machine_code.binaries import (
    MAGIC,
    holds_ptx,
    machine_code,
    machine_code_in,
)
from warpmill.analyzer.machine_code.cubins import KernelResources, cubin_of
from warpmill.session.prepare import machine_code_of

PTX = b".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() { ret; }\n"


def fat(*entries: tuple[int, int, bytes]) -> bytes:
    """A fat binary; each entry is its kind (1 PTX, 2 machine code), chip and contents."""
    body = b"".join(
        struct.pack("<HHIQIIHHIIIQQQ", kind, 0x101, 64, len(data), 0, 0, 8, 1, chip, 0, 0, 17, 0, 0)
        + data
        for kind, chip, data in entries
    )
    return struct.pack("<4sHHQ", MAGIC, 1, 16, len(body)) + body


def library(*entries: tuple[int, int, bytes]) -> bytes:
    """A program or library of this computer with a fat binary in it."""
    return elf([Section(".nv_fatbin", PROGBITS, fat(*entries))])


def test_resources_are_read_from_the_sections_of_a_cubin():
    made = cubin_of(
        cubin({"b": Kernel(40, 1960, 512, 372), "a": Kernel(8)}, 80, variables=256), "x.cubin"
    )
    assert (made.chip, made.constant_bytes, made.is_relocatable) == (80, 256, False)
    assert made.kernels == (
        KernelResources("a", 8, 0, 0, 352),
        KernelResources("b", 40, 1960, 512, 372),
    )


@pytest.mark.parametrize(
    ("chip", "linked", "section", "shared"),
    [
        (89, True, 1024, 1024),
        (90, True, 2048, 1024),
        (90, True, 1024, 0),
        (90, True, None, 0),
        (90, False, 1024, 1024),
    ],
)
def test_what_the_driver_reserves_is_no_shared_memory_of_the_kernel(chip, linked, section, shared):
    data = cubin({"k": Kernel(8, shared=section)}, chip, linked=linked)
    assert cubin_of(data, "x").kernels[0].shared_bytes == shared


def test_functions_that_kernels_call_are_no_kernels():
    data = cubin({"k": Kernel(8), "f": Kernel(30, entry=False)}, 80, linked=False)
    made = cubin_of(data, "x")
    assert [kernel.name for kernel in made.kernels] == ["k"]
    assert made.is_relocatable


def test_a_chip_is_named_with_each_of_several_images():
    own = {chip: cubin({"k": Kernel(chip)}, chip) for chip in (80, 90)}
    empty = cubin({}, 80)
    data = fat((2, 80, empty), (2, 80, own[80]), (1, 80, PTX), (2, 90, own[90]))
    found = machine_code(data, "k.fatbin")
    assert [one.file for one in found] == ["k.fatbin[1:sm_80]", "k.fatbin[2:sm_90]"]
    assert [one.kernels[0].registers for one in found] == [80, 90]
    assert holds_ptx(data, "k.fatbin")
    assert not holds_ptx(fat((2, 80, own[80])), "k.fatbin")


def test_static_libraries_are_read_member_by_member(tmp_path):
    one, two = (library((2, 80, cubin({name: Kernel(n)}, 80))) for name, n in (("a", 9), ("b", 7)))
    path = tmp_path / "libk.a"
    path.write_bytes(archive({"a.o": one + b"\0" * (1 - len(one) % 2), "notes": b"x", "b.o": two}))
    code = machine_code_in(path)
    assert [(c.kernels[0].name, c.kernels[0].registers) for c in code.cubins] == [
        ("a", 9),
        ("b", 7),
    ]
    path.write_bytes(archive({"a.o": library((1, 80, PTX))}))
    assert kernel_names(path) == ("k",)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"!<arch>\n" + b"x" * 60, "no member of an archive at byte 8"),
        (archive({"a.o": library()})[:-30], "longer than the archive"),
        (library((2, 80, b"\x7fELF")), "damaged cubin"),
        (library((2, 80, b"text")), "no ELF file"),
    ],
)
def test_damaged_binaries_are_refused_in_words(data, words):
    with pytest.raises(InputError, match=words):
        machine_code(data, "x")


def test_a_kernel_is_named_as_in_other_files(tmp_path):
    path = tmp_path / "k.cubin"
    path.write_bytes(cubin({"_Z1aPf": Kernel(8), "b": Kernel(9)}, 80))
    (code,) = machine_code_of(str(path), "a").cubins
    assert [kernel.name for kernel in code.kernels] == ["_Z1aPf"]
    with pytest.raises(UsageError, match="has no kernel c"):
        machine_code_of(str(path), "c")
    text = tmp_path / "k.ptx"
    text.write_bytes(PTX)
    assert machine_code_of(str(text)) is None


SOURCE = """
__constant__ float table[64];
__global__ void shares(float* p) {
  __shared__ float s[256];
  s[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = s[255 - threadIdx.x] * table[threadIdx.x & 63];
}
__device__ __noinline__ float looked_up(float x) {
  float v[20];
  for (int i = 0; i < 20; i++) v[i] = x * i;
  return v[((int)x) % 20];
}
__global__ void calls(float* p, double more) { p[threadIdx.x] = looked_up(p[threadIdx.x]) + more; }
"""


@pytest.mark.one_in(3)
@pytest.mark.skipif(shutil.which("nvcc") is None, reason="nvcc is not there")
@pytest.mark.parametrize("chip", [75, 80, 90, 100, 120])
def test_resources_are_what_ptxas_says(tmp_path: Path, chip: int) -> None:
    source, made = tmp_path / "k.cu", tmp_path / "k.cubin"
    source.write_text(SOURCE)
    command = ["nvcc", "-cubin", f"-arch=sm_{chip}", "-Xptxas", "-v", "-o", made, source]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stderr
    found = {kernel.name: kernel for kernel in cubin_of(made.read_bytes(), "k").kernels}
    told = dict(re.findall(r"Function properties for (_Z\d(?:shares|calls)\S+)\n(.*\n.*)", said))
    assert found.keys() == told.keys()
    for name, kernel in found.items():
        for value, pattern, least in (
            (kernel.registers, r"Used (\d+) registers", None),
            (kernel.stack_frame_bytes, r"(\d+) bytes stack frame", None),
            (kernel.shared_bytes, r"(\d+) bytes smem", 0),
            (kernel.constant_bytes, r"(\d+) bytes cmem\[0\]", kernel.constant_bytes),
        ):
            match = re.search(pattern, told[name])
            assert value == (least if match is None else int(match[1])), (name, pattern)
    assert found["_Z6sharesPf"].shared_bytes == 1024
