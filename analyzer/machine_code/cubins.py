"""Cubins: the ELF files that ptxas writes, which chip one is for, and what its kernels take.

What ptxas 12.4 (ELF ABI version 7) and 13.0 (version 8) write, compared with what ``ptxas -v``
says: registers for sm_50 to sm_120, memory for sm_70 to sm_120.

- Registers are the attribute EIATTR_REGCOUNT in section ``.nv.info``, for every chip. The top byte
  of ``sh_info`` of ``.text.KERNEL`` has them too, but only up to sm_89; from sm_90 on it is zero.
  It is read where a file has no such attribute.
- The stack frame is EIATTR_FRAME_SIZE.
- Static shared memory is the size of ``.nv.shared.KERNEL``. From sm_90 on, once linked, it holds
  the 1 KB that the driver reserves of each CTA, which ``ptxas -v`` does not count.
- Constant memory of a kernel is in ``.nv.constantN.KERNEL``: its parameters and what the compiler
  puts beside them (bank 0), and numbers of its code. ``.nv.constantN`` are variables of the module.
- The chip stands in ``e_flags``: in the lowest byte up to ABI version 7, in the next one from
  version 8 on.
- Kernels have bit 4 of ``st_other`` in the table of symbols, other functions have not.
"""

from __future__ import annotations

import io
import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from elftools.common.exceptions import ELFError
from elftools.construct.core import ConstructError
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, Severity
from warpmill.analyzer.base.whole_files import open_input

MAX_CUBIN_BYTES = 256 << 20
"""Largest file that is read."""

_FAT_BINARY = b"\x50\xed\x55\xba"
_ELF = b"\x7fELF"
_SECTION_HEADER_BYTES = 64
_REGCOUNT, _FRAME_SIZE = 0x2F, 0x11
_SIZED = 4  # an attribute's form: its value follows, as long as its header says
_ENTRY = 0x10
_OTHER = 5  # the byte of st_other in a symbol of 64-bit ELF
_CONSTANT = re.compile(r"\.nv\.constant\d+(?P<kernel>\..+)?")
_RESERVED_BYTES, _RESERVED_FROM = 1024, 90


@dataclass(frozen=True)
class KernelResources:
    """Registers and memory of a kernel in machine code; its name is mangled as in PTX.

    Registers and ``stack_frame_bytes`` of local memory are those of a thread, ``shared_bytes``
    static ones of a CTA. None: the file does not say.
    """

    name: str
    registers: int | None
    stack_frame_bytes: int | None
    shared_bytes: int
    constant_bytes: int


@dataclass(frozen=True)
class Cubin:
    """Machine code for one chip (``80`` is sm_80), with its kernels sorted by name.

    ``constant_bytes`` are variables of the module. Code that ``is_relocatable`` is linked later:
    its figures are without those of functions that kernels call.
    """

    file: str
    chip: int
    kernels: tuple[KernelResources, ...]
    constant_bytes: int = 0
    is_relocatable: bool = False

    @property
    def registers(self) -> tuple[tuple[str, int], ...]:
        """The registers a thread of each kernel of which they are known."""
        return tuple((k.name, k.registers) for k in self.kernels if k.registers is not None)

    def kernel(self, name: str) -> KernelResources:
        """The resources of a kernel. InputError where it is not there."""
        for one in self.kernels:
            if one.name == name:
                return one
        names = ", ".join(one.name for one in self.kernels) or "none"
        raise InputError(_error(self.file, f"there is no kernel {name} in it", f"it has {names}"))

    def kernel_registers(self, name: str) -> int:
        """Registers per thread of a kernel. InputError where it is not there, or says none."""
        found = self.kernel(name).registers
        if found is None:
            raise InputError(_error(self.file, f"it does not say the registers of {name}"))
        return found


def read_cubin(path: Path, name: str | None = None) -> Cubin:
    """Read a cubin; ``name`` is what messages call it. InputError for anything else."""
    file = name or str(path)
    try:
        with open_input(path) as stream:
            return _checked(stream, path.stat().st_size, file)
    except OSError as error:
        raise InputError(_error(file, f"cannot be read: {error.strerror or error}")) from None


def cubin_of(data: bytes, file: str) -> Cubin:
    """The cubin that bytes are. InputError for others."""
    return _checked(io.BytesIO(data), len(data), file)


def _checked(stream: BinaryIO, size: int, file: str) -> Cubin:
    """Read a cubin, whatever is wrong with it. InputError."""
    _check_kind(stream, size, file)
    try:
        return _read(stream, size, file)
    except (ELFError, ConstructError, LookupError, ArithmeticError, ValueError) as error:
        raise _damaged(file, error) from None
    except (AttributeError, TypeError, struct.error, MemoryError) as error:
        # what the ELF reader raises on tables that point elsewhere
        raise _damaged(file, error) from None


def _damaged(file: str, error: Exception) -> InputError:
    words = str(error).strip() or type(error).__name__
    return InputError(_error(file, f"this is a damaged cubin: {words}"))


def _error(file: str, message: str, hint: str | None = None) -> Diagnostic:
    return Diagnostic(Severity.ERROR, message, file, hint=hint)


def _check_kind(stream: BinaryIO, size: int, file: str) -> None:
    if size > MAX_CUBIN_BYTES:
        raise InputError(_error(file, f"{size} bytes are too many: {MAX_CUBIN_BYTES} at most"))
    magic = stream.read(4)
    if magic == _FAT_BINARY:
        hint = "`cuobjdump -xelf all FILE` takes the cubins out of it"
        raise InputError(_error(file, "this is a fat binary, not a cubin", hint))
    if magic != _ELF:
        raise InputError(_error(file, "this is no cubin: it is no ELF file"))


def _read(stream: BinaryIO, size: int, file: str) -> Cubin:
    elf = ELFFile(stream)
    if elf["e_machine"] != "EM_CUDA":
        hint = "`cuobjdump -xelf all FILE` takes cubins out of a program or an object"
        raise InputError(_error(file, "this is an ELF file, but not for a GPU of NVIDIA", hint))
    # a damaged count would have the reader walk one header for ever
    if elf.num_sections() * _SECTION_HEADER_BYTES > size or (
        elf.num_sections() and elf["e_shentsize"] < _SECTION_HEADER_BYTES
    ):
        raise ValueError("its table of sections is larger than the file")
    sections = {section.name: section for section in elf.iter_sections()}
    is_relocatable, chip = elf["e_type"] == "ET_REL", _chip(elf)
    reserved = 0 if is_relocatable or chip < _RESERVED_FROM else _RESERVED_BYTES
    counts, frames = (dict(_attributes(elf, kind)) for kind in (_REGCOUNT, _FRAME_SIZE))
    constant = _constant_bytes({name: one["sh_size"] for name, one in sections.items()})
    entries = _entries(elf)

    def resources(name: str, own: int) -> KernelResources:
        shared = sections.get(f".nv.shared.{name}")
        return KernelResources(
            name,
            counts.get(name, own) or None,
            frames.get(name),
            0 if shared is None else max(0, shared["sh_size"] - reserved),
            constant.get(name, 0),
        )

    texts = {
        name.removeprefix(".text."): section["sh_info"] >> 24
        for name, section in sections.items()
        if name.startswith(".text.")
    }
    kernels = tuple(resources(name, texts[name]) for name in sorted(texts) if name in entries)
    return Cubin(file, chip, kernels, constant.get("", 0), is_relocatable)


def _chip(elf: ELFFile) -> int:
    old = elf.header["e_ident"]["EI_ABIVERSION"] < 8
    return int(elf["e_flags"] if old else elf["e_flags"] >> 8) & 0xFF


def _constant_bytes(sizes: dict[str, int]) -> dict[str, int]:
    """Bytes of constant memory by kernel; those of the module by an empty name."""
    found: dict[str, int] = {}
    for name, size in sizes.items():
        match = _CONSTANT.fullmatch(name)
        if match is not None:
            kernel = (match["kernel"] or "").removeprefix(".")
            found[kernel] = found.get(kernel, 0) + size
    return found


def _entries(elf: ELFFile) -> frozenset[str]:
    """Names of the functions that are kernels."""
    table = elf.get_section_by_name(".symtab")
    if not isinstance(table, SymbolTableSection):
        return frozenset()
    data, size = table.data(), table["sh_entsize"]
    return frozenset(
        str(symbol.name)
        for place, symbol in enumerate(table.iter_symbols())
        if data[place * size + _OTHER] & _ENTRY
    )


def _attributes(elf: ELFFile, wanted: int) -> Iterator[tuple[str, int]]:
    """Each function's number of one attribute, by its symbol's name."""
    information, symbols = elf.get_section_by_name(".nv.info"), elf.get_section_by_name(".symtab")
    if information is None or not isinstance(symbols, SymbolTableSection):
        return
    data: bytes = information.data()
    place = 0
    while place + 4 <= len(data):
        form, attribute, size = struct.unpack_from("<BBH", data, place)
        place += 4
        if form != _SIZED:
            continue
        if attribute == wanted:
            symbol, count = struct.unpack_from("<II", data, place)
            yield str(symbols.get_symbol(symbol).name), count
        place += size
