"""CUDA's binaries: what cubins say of their kernels, and the PTX that fat binaries hold.

Cubins are the ELF files that ptxas writes: which chip one is for, and its kernels' registers. What
ptxas 12.4 (ELF ABI version 7) and 13.0 (version 8) write for sm_50 to sm_120, compared with what
``ptxas -v`` says: the attribute EIATTR_REGCOUNT in section ``.nv.info`` is that number for every
chip. The top byte of ``sh_info`` of ``.text.KERNEL`` is too, but only up to sm_89; from sm_90 on it
is zero. It is read where a file has no such attribute. The chip stands in ``e_flags``: in the
lowest byte up to ABI version 7, in the next one from version 8 on.
"""

from __future__ import annotations

import io
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
from warpmill.analyzer.frontends.compiling import PTX_OF_SOURCE

MAX_CUBIN_BYTES = 256 << 20
"""Largest file that is read."""

_FAT_BINARY = b"\x50\xed\x55\xba"
_ELF = b"\x7fELF"
_SECTION_HEADER_BYTES = 64
_REGCOUNT, _FRAME_SIZE = 0x2F, 0x11
_SIZED = 4  # an attribute's form: its value follows, as long as its header says


@dataclass(frozen=True)
class Cubin:
    """Machine code for one chip (``80`` is sm_80), with the registers a thread of each kernel.

    ``registers`` and ``frames`` (bytes of local memory a thread) are sorted by name; names are
    mangled as in PTX.
    """

    file: str
    chip: int
    registers: tuple[tuple[str, int], ...]
    frames: tuple[tuple[str, int], ...] = ()

    def kernel_registers(self, kernel: str) -> int:
        """Registers per thread of ``kernel``. InputError where it is not there."""
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
    counts = dict(_attributes(elf, _REGCOUNT))
    found = {name: counts.get(name, old) for name, old in texts.items()}
    registers = tuple(sorted((n, c) for n, c in found.items() if c))
    return Cubin(file, _chip(elf), registers, tuple(sorted(_attributes(elf, _FRAME_SIZE))))


def _chip(elf: ELFFile) -> int:
    old = elf.header["e_ident"]["EI_ABIVERSION"] < 8
    return int(elf["e_flags"] if old else elf["e_flags"] >> 8) & 0xFF


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


# PTX out of CUDA's binaries: fat binaries, and the objects, programs and libraries that hold them.
#
# A fat binary is a run of containers; each has a header of 16 bytes (magic BA55ED50, version,
# header size, size of what follows) and entries one after another. An entry's header tells its
# kind (1 is PTX, 2 a cubin), its own size, the size of what follows, the part of that which is
# compressed, the chip, flags (0x2000: LZ4 block, 0x8000: Zstandard) and the size unpacked. nvcc
# puts fat binaries into the ELF section ``.nv_fatbin``, or ``__nv_relfatbin`` where device code is
# linked later. Read off what nvcc 13.0 writes in each of its compression modes; nothing of it is
# documented.

MAGIC = b"\x50\xed\x55\xba"
ELF = b"\x7fELF"

MAX_PTX_BYTES = 256 << 20
"""Largest PTX text that an entry may unpack to."""

MAX_TOTAL_BYTES = 1 << 30
"""Most that all entries of a file may unpack to."""

_CONTAINER = struct.Struct("<4sHHQ")
_ENTRY = struct.Struct("<HHIQIIHHIIIQQQ")
_PTX, _LZ4, _ZSTD = 1, 0x2000, 0x8000
_SECTIONS = (".nv_fatbin", "__nv_relfatbin")
_CUDA = 190  # the ELF machine of cubins


@dataclass(frozen=True)
class PtxImage:
    """One PTX text of a binary. ``name`` is the file with the image's number and target."""

    name: str
    target: int
    text: str


def ptx_images(data: bytes, file: str) -> tuple[PtxImage, ...]:
    """The PTX texts in a fat binary or an ELF file, in order.

    InputError where the file holds none or is damaged; it says what the file holds instead.
    """
    try:
        containers = _containers(data) if data.startswith(MAGIC) else _from_elf(data, file)
        found = list(_bounded(entry for each in containers for entry in _entries(each)))
    except (struct.error, ValueError, OverflowError, IndexError) as error:
        raise InputError(_error(file, f"the fat binary in it is damaged: {error}")) from None
    images: list[PtxImage] = []
    for kind, target, payload in found:
        if kind == _PTX:
            text = payload.rstrip(b"\0").decode("utf-8", errors="replace").strip("\n") + "\n"
            images.append(PtxImage(f"{file}[{len(images)}:sm_{target}]", target, text))
    if not images:
        chips = ", ".join(sorted({f"sm_{target}" for _, target, _ in found}))
        held = (
            f"it holds machine code for {chips} and no PTX" if chips else "it holds no device code"
        )
        hint = "compile with -gencode arch=compute_80,code=compute_80 to keep the PTX"
        raise InputError(_error(file, held, hint))
    return tuple(images)


def _from_elf(data: bytes, file: str) -> Iterator[bytes]:
    from elftools.common.exceptions import ELFError  # noqa: PLC0415 - only for binaries
    from elftools.construct.core import ConstructError  # noqa: PLC0415
    from elftools.elf.elffile import ELFFile  # noqa: PLC0415

    try:
        file_ = ELFFile(io.BytesIO(data))
        machine = file_["e_machine"]
        sections = [s.data() for s in file_.iter_sections() if s.name in _SECTIONS]
    except (ELFError, ConstructError, UnicodeDecodeError, AttributeError, KeyError) as error:
        raise InputError(_error(file, f"this ELF file is damaged: {error}")) from None
    if machine in (_CUDA, "EM_CUDA"):
        hint = f"read its PTX (`{PTX_OF_SOURCE} FILE.cu`); --cubin takes the registers of a cubin"
        raise InputError(_error(file, "this is a cubin: machine code without PTX", hint))
    for section in sections:
        yield from _containers(section)


def _containers(data: bytes) -> Iterator[bytes]:
    """The entries of each container; padding between them is skipped."""
    place = data.find(MAGIC)
    while place >= 0:
        _, _, header, size = _CONTAINER.unpack_from(data, place)
        end = place + header + size
        if header < _CONTAINER.size or end > len(data):
            raise ValueError(f"a container at byte {place} is longer than the file")
        yield data[place + header : end]
        place = data.find(MAGIC, end)


def _bounded(entries: Iterator[tuple[int, int, bytes]]) -> Iterator[tuple[int, int, bytes]]:
    total = 0
    for entry in entries:
        total += len(entry[2])
        if total > MAX_TOTAL_BYTES:
            raise ValueError(f"it unpacks to more than {MAX_TOTAL_BYTES} bytes")
        yield entry


def _entries(container: bytes) -> Iterator[tuple[int, int, bytes]]:
    """(kind, chip, contents) of each entry."""
    place = 0
    while place + _ENTRY.size <= len(container):
        fields = _ENTRY.unpack_from(container, place)
        kind, _, header, size, packed, _, _, _, chip, _, _, flags, _, unpacked = fields
        end = place + header + size
        if header < _ENTRY.size or end > len(container):
            raise ValueError(f"an entry at byte {place} is longer than its container")
        payload = container[place + header : end]
        if kind == _PTX:
            payload = _unpacked(payload[: packed or size], flags, unpacked)
        yield kind, chip, payload
        place = end


def _unpacked(payload: bytes, flags: int, size: int) -> bytes:
    if not flags & (_LZ4 | _ZSTD):
        return payload
    if size > MAX_PTX_BYTES:
        raise ValueError(f"{size} bytes of PTX are too many: {MAX_PTX_BYTES} at most")
    if flags & _LZ4:
        import lz4.block  # noqa: PLC0415 - only for binaries

        try:
            text: bytes = lz4.block.decompress(payload, uncompressed_size=size)
        except lz4.block.LZ4BlockError as error:
            raise ValueError(str(error)) from None
        if len(text) != size:
            raise ValueError(f"{len(text)} bytes were unpacked and {size} announced")
        return text
    import zstandard  # noqa: PLC0415 - only for binaries

    try:
        # what a frame announces itself is trusted above ``max_output_size``
        announced = zstandard.frame_content_size(payload)
        if announced > size:
            raise ValueError(f"{announced} bytes are packed and {size} announced")
        return zstandard.ZstdDecompressor().decompress(payload, max_output_size=size)
    except zstandard.ZstdError as error:
        raise ValueError(str(error)) from None
