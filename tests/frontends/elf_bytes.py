"""ELF files and archives made byte by byte, with what cubins have and nothing else."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

PROGBITS, SYMTAB, STRTAB, NOBITS = 1, 2, 3, 8
EXECUTABLE, RELOCATABLE = 2, 1
CUDA, X86_64 = 190, 62


@dataclass(frozen=True)
class Kernel:
    """What a kernel takes; ``entry`` False: a function that kernels call."""

    registers: int
    frame: int = 0
    shared: int | None = None
    constant: int = 352
    entry: bool = True


@dataclass(frozen=True)
class Section:
    """A section; ``size`` where it has no bytes in the file."""

    name: str
    kind: int
    data: bytes = b""
    size: int | None = None
    link: int = 0
    info: int = 0
    entry_bytes: int = 0


def elf(
    sections: Sequence[Section], *, kind: int = EXECUTABLE, machine: int = X86_64, flags: int = 0,
    abi: int = 0,
) -> bytes:  # fmt: skip
    """An ELF file of 64 bits: its header, the sections' bytes, the table of sections."""
    names, every = b"\0", [Section("", 0), *sections]
    offsets: list[int] = []
    every.append(Section(".shstrtab", STRTAB))
    for one in every:
        offsets.append(len(names) if one.name else 0)
        names += one.name.encode() + b"\0" if one.name else b""
    every[-1] = Section(".shstrtab", STRTAB, names)
    body, rows = b"", b""
    for one, name in zip(every, offsets, strict=True):
        size = len(one.data) if one.size is None else one.size
        rows += struct.pack(
            "<IIQQQQIIQQ", name, one.kind, 0, 0, 64 + len(body), size, one.link, one.info, 1,
            one.entry_bytes,
        )  # fmt: skip
        body += one.data
    identity = b"\x7fELF\x02\x01\x01" + bytes((0, abi)) + bytes(7)
    header = identity + struct.pack(
        "<HHIQQQIHHHHHH", kind, machine, 1, 0, 0, 64 + len(body), flags, 64, 0, 0, 64, len(every),
        len(every) - 1,
    )  # fmt: skip
    return header + body + rows


def cubin(
    kernels: Mapping[str, Kernel], chip: int, *, linked: bool = True, variables: int = 0
) -> bytes:
    """A cubin as ptxas 13.0 writes it, of ELF ABI version 8."""
    strings, symbols, information = b"\0", bytes(24), b""
    for number, (name, kernel) in enumerate(kernels.items(), 1):
        other = 0x10 if kernel.entry else 0
        symbols += struct.pack("<IBBHQQ", len(strings), 0x12, other, 0, 0, 0)
        strings += name.encode() + b"\0"
        for attribute, value in ((0x2F, kernel.registers), (0x11, kernel.frame)):
            information += struct.pack("<BBHII", 4, attribute, 8, number, value)
    found = [
        Section(".strtab", STRTAB, strings),
        Section(".symtab", SYMTAB, symbols, link=1, entry_bytes=24),
        Section(".nv.info", PROGBITS, information),
    ]
    if variables:
        found.append(Section(".nv.constant3", PROGBITS, bytes(variables)))
    for name, kernel in kernels.items():
        found.append(Section(f".text.{name}", PROGBITS, b"code"))
        if kernel.entry:
            found.append(Section(f".nv.constant0.{name}", PROGBITS, bytes(kernel.constant)))
        if kernel.shared is not None:
            found.append(Section(f".nv.shared.{name}", NOBITS, size=kernel.shared))
    kind = EXECUTABLE if linked else RELOCATABLE
    return elf(found, kind=kind, machine=CUDA, flags=chip << 8, abi=8)


def archive(members: Mapping[str, bytes]) -> bytes:
    """A static library as ``ar`` writes it; a member of odd length is followed by a newline."""
    found = b"!<arch>\n"
    for name, data in members.items():
        head = f"{name + '/':16}{0:<12}{0:<6}{0:<6}{'644':<8}{len(data):<10}`\n"
        found += head.encode() + data + b"\n" * (len(data) % 2)
    return found
