"""Cubins, the ELF files that ptxas writes: which chip one is for, and its kernels' registers.

What ptxas 12.4 (ELF ABI version 7) and 13.0 (version 8) write for sm_50 to sm_120, compared with
what ``ptxas -v`` says: the attribute EIATTR_REGCOUNT in section ``.nv.info`` is that number for
every chip. The top byte of ``sh_info`` of ``.text.KERNEL`` is too, but only up to sm_89; from sm_90
on it is zero. It is read where a file has no such attribute. The chip stands in ``e_flags``: in the
lowest byte up to ABI version 7, in the next one from version 8 on.
"""

from __future__ import annotations

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
from warpmill.analyzer.base.input_files import open_input

MAX_CUBIN_BYTES = 256 << 20
"""Largest file that is read."""

_FAT_BINARY = b"\x50\xed\x55\xba"
_ELF = b"\x7fELF"
_SECTION_HEADER_BYTES = 64
_REGCOUNT = 0x2F
_SIZED = 4  # an attribute's form: its value follows, as long as its header says


@dataclass(frozen=True)
class Cubin:
    """Machine code for one chip (``80`` is sm_80), with the registers a thread of each kernel.

    ``registers`` is sorted by name; names are mangled as in PTX.
    """

    file: str
    chip: int
    registers: tuple[tuple[str, int], ...]

    def kernel_registers(self, kernel: str) -> int:
        """Give the registers a thread of ``kernel`` takes. InputError where it is not there."""
        for name, count in self.registers:
            if name == kernel:
                return count
        names = ", ".join(name for name, _ in self.registers) or "none"
        raise InputError(_error(self.file, f"there is no kernel {kernel} in it", f"it has {names}"))


def read_cubin(path: Path, name: str | None = None) -> Cubin:
    """Read a cubin; ``name`` is what messages call it. InputError for anything else."""
    file = name or str(path)
    try:
        with open_input(path) as stream:
            _check_kind(stream, path.stat().st_size, file)
            return _read(stream, path.stat().st_size, file)
    except OSError as error:
        raise InputError(_error(file, f"cannot be read: {error.strerror or error}")) from None
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
    texts = {
        section.name.removeprefix(".text."): section["sh_info"] >> 24
        for section in elf.iter_sections()
        if section.name.startswith(".text.")
    }
    counts = dict(_register_attributes(elf))
    found = {name: counts.get(name, old) for name, old in texts.items()}
    return Cubin(file, _chip(elf), tuple(sorted((n, c) for n, c in found.items() if c)))


def _chip(elf: ELFFile) -> int:
    old = elf.header["e_ident"]["EI_ABIVERSION"] < 8
    return int(elf["e_flags"] if old else elf["e_flags"] >> 8) & 0xFF


def _register_attributes(elf: ELFFile) -> Iterator[tuple[str, int]]:
    """Give each function's EIATTR_REGCOUNT by its symbol's name."""
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
        if attribute == _REGCOUNT:
            symbol, count = struct.unpack_from("<II", data, place)
            yield str(symbols.get_symbol(symbol).name), count
        place += size
