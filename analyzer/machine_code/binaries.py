"""What CUDA's binaries hold: the PTX and the machine code of fat binaries and of what has them.

A fat binary is a run of containers; each has a header of 16 bytes (magic BA55ED50, version,
header size, size of what follows) and entries one after another. An entry's header tells its
kind (1 is PTX, 2 a cubin), its own size, the size of what follows, the part of that which is
compressed, the chip, flags (0x2000: LZ4 block, 0x8000: Zstandard) and the size unpacked. nvcc
puts fat binaries into the ELF section ``.nv_fatbin``, or ``__nv_relfatbin`` where device code is
linked later; static libraries are archives (``ar``) of such ELF files. Read off what nvcc 13.0
writes in each of its compression modes; nothing of it is documented.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.construct.core import ConstructError
from elftools.elf.elffile import ELFFile

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, Severity
from warpmill.analyzer.base.whole_files import is_file, read_input
from warpmill.analyzer.frontends.compilers.languages import PTX_OF_SOURCE
from warpmill.analyzer.machine_code.cubins import Cubin, cubin_of

MAGIC = b"\x50\xed\x55\xba"
ELF = b"\x7fELF"
ARCHIVE = b"!<arch>\n"

MAX_FILE_BYTES = 256 << 20
"""Largest file that is read."""

MAX_IMAGE_BYTES = 256 << 20
"""Largest text or machine code that an entry may unpack to."""

MAX_TOTAL_BYTES = 1 << 30
"""Most that all entries of a file may unpack to."""

_CONTAINER = struct.Struct("<4sHHQ")
_ENTRY = struct.Struct("<HHIQIIHHIIIQQQ")
_PTX, _CUBIN = 1, 2
_LZ4, _ZSTD = 0x2000, 0x8000
_SECTIONS = (".nv_fatbin", "__nv_relfatbin")
_CUDA = 190  # the ELF machine of cubins
_MEMBER_BYTES, _MEMBER_SIZE, _MEMBER_END = 60, slice(48, 58), b"`\n"
_ELF_ERRORS = (ELFError, ConstructError, UnicodeDecodeError, AttributeError, KeyError)
"""What the ELF reader raises on damaged files."""


@dataclass(frozen=True)
class PtxImage:
    """One PTX text of a binary. ``name`` is the file with the image's number and target."""

    name: str
    target: int
    text: str


def ptx_images(data: bytes, file: str) -> tuple[PtxImage, ...]:
    """The PTX texts in a fat binary, an ELF file or an archive, in order.

    InputError where the file holds none or is damaged; it says what the file holds instead.
    """
    if _is_cubin(data, file):
        hint = f"read its PTX (`{PTX_OF_SOURCE} FILE.cu`); `inspect` shows what a cubin takes"
        raise InputError(_error(file, "this is a cubin: machine code without PTX", hint))
    found = _images(data, file, _PTX)
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


def machine_code(data: bytes, file: str) -> tuple[Cubin, ...]:
    """The machine code of a cubin, a fat binary, an ELF file or an archive, in order.

    What holds no kernel is left out. InputError where the file is damaged.
    """
    if _is_cubin(data, file):
        return (cubin_of(data, file),)
    cubins = [payload for kind, _, payload in _images(data, file, _CUBIN) if kind == _CUBIN]
    made = (cubin_of(one, f"{file}[{number}]") for number, one in enumerate(cubins))
    return tuple(
        replace(one, file=f"{one.file[:-1]}:sm_{one.chip}]") for one in made if one.kernels
    )


def holds_ptx(data: bytes, file: str) -> bool:
    """Whether there is any PTX in a binary. InputError where it is damaged."""
    return not _is_cubin(data, file) and any(kind == _PTX for kind, _, _ in _images(data, file, 0))


@dataclass(frozen=True)
class MachineCode:
    """Machine code that a binary holds, chip by chip, and whether it has PTX as well."""

    cubins: tuple[Cubin, ...]
    has_ptx: bool


def machine_code_in(path: Path) -> MachineCode | None:
    """The machine code of a binary; None: the file is none, or what reads it says what is wrong.

    InputError where it is damaged, LimitError where it is too large.
    """
    if not _is_binary(path):
        return None
    try:
        data = read_input(path, MAX_FILE_BYTES)
    except OSError as error:
        raise InputError(_error(str(path), f"cannot be read: {error.strerror}")) from None
    return MachineCode(machine_code(data, str(path)), holds_ptx(data, str(path)))


def _is_binary(path: Path) -> bool:
    """Whether a file, and no pipe, begins as a binary does."""
    if not is_file(path):
        return False
    try:
        with path.open("rb") as file:
            return file.read(len(ARCHIVE)).startswith((ELF, MAGIC, ARCHIVE))
    except OSError:
        return False


def _images(data: bytes, file: str, wanted: int) -> list[tuple[int, int, bytes]]:
    """(kind, chip, contents) of all images; contents of the kind ``wanted`` alone are unpacked."""
    try:
        containers = (c for part in _parts(data, file) for c in part)
        return list(_bounded(entry for each in containers for entry in _entries(each, wanted)))
    except (struct.error, ValueError, OverflowError, IndexError) as error:
        raise InputError(_error(file, f"the fat binary in it is damaged: {error}")) from None


def _parts(data: bytes, file: str) -> Iterator[Iterator[bytes]]:
    """The containers of each part of a file: of its one, or of the members of an archive."""
    if data.startswith(MAGIC):
        yield _containers(data)
    elif data.startswith(ARCHIVE):
        yield from (_from_elf(one, file) for one in _members(data) if one.startswith(ELF))
    else:
        yield _from_elf(data, file)


def _members(data: bytes) -> Iterator[bytes]:
    """The members of an archive; each begins at an even byte, behind a header of 60."""
    place = len(ARCHIVE)
    while place < len(data):
        header = data[place : place + _MEMBER_BYTES]
        size = header[_MEMBER_SIZE].strip()
        if not header.endswith(_MEMBER_END) or not size.isdigit():
            raise ValueError(f"there is no member of an archive at byte {place}")
        begin = place + _MEMBER_BYTES
        end = begin + int(size)
        if end > len(data):
            raise ValueError(f"the member at byte {place} is longer than the archive")
        yield data[begin:end]
        place = end + end % 2


def _elf(data: bytes, file: str) -> ELFFile:
    try:
        return ELFFile(io.BytesIO(data))
    except _ELF_ERRORS as error:
        raise _damaged(file, error) from None


def _is_cubin(data: bytes, file: str) -> bool:
    return data.startswith(ELF) and _elf(data, file)["e_machine"] in (_CUDA, "EM_CUDA")


def _from_elf(data: bytes, file: str) -> Iterator[bytes]:
    elf = _elf(data, file)
    try:
        sections = [s.data() for s in elf.iter_sections() if s.name in _SECTIONS]
    except _ELF_ERRORS as error:
        raise _damaged(file, error) from None
    for section in sections:
        yield from _containers(section)


def _damaged(file: str, error: Exception) -> InputError:
    return InputError(_error(file, f"this ELF file is damaged: {error}"))


def _error(file: str, message: str, hint: str | None = None) -> Diagnostic:
    return Diagnostic(Severity.ERROR, message, file, hint=hint)


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


def _entries(container: bytes, wanted: int) -> Iterator[tuple[int, int, bytes]]:
    """(kind, chip, contents) of each entry; contents of the kind ``wanted`` are unpacked."""
    place = 0
    while place + _ENTRY.size <= len(container):
        fields = _ENTRY.unpack_from(container, place)
        kind, _, header, size, packed, _, _, _, chip, _, _, flags, _, unpacked = fields
        end = place + header + size
        if header < _ENTRY.size or end > len(container):
            raise ValueError(f"an entry at byte {place} is longer than its container")
        payload = container[place + header : end]
        if kind == wanted:
            payload = _unpacked(payload[: packed or size], flags, unpacked)
        yield kind, chip, payload
        place = end


def _unpacked(payload: bytes, flags: int, size: int) -> bytes:
    if not flags & (_LZ4 | _ZSTD):
        return payload
    if size > MAX_IMAGE_BYTES:
        raise ValueError(f"{size} bytes of an image are too many: {MAX_IMAGE_BYTES} at most")
    if flags & _LZ4:
        import lz4.block  # noqa: PLC0415 - only for binaries

        try:
            text: bytes = lz4.block.decompress(payload, uncompressed_size=size)
        except lz4.block.LZ4BlockError as error:
            raise ValueError(str(error)) from None
        if len(text) != size:
            raise ValueError(f"{len(text)} bytes were unpacked and {size} announced")
        return text
    from warpmill.analyzer.base.zstd import zstd  # noqa: PLC0415 - only for binaries

    try:
        announced = zstd.get_frame_info(payload).decompressed_size
        if announced is not None and announced > size:
            raise ValueError(f"{announced} bytes are packed and {size} announced")
        text = zstd.ZstdDecompressor().decompress(payload, size + 1)
    except zstd.ZstdError as error:
        raise ValueError(str(error)) from None
    if len(text) != size:
        raise ValueError(f"{len(text)} bytes were unpacked and {size} announced")
    return text
