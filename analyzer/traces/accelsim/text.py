"""Files of Accel-Sim's traces: lists of kernels, headers, and bodies CTA by CTA, plain or ``.xz``.

A body is read some CTAs at a time, so that memory is bounded however large the file. Errors point
at the line, counted from the file's first one.
"""

from __future__ import annotations

import errno
import lzma
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from warpmill.analyzer.base.diagnostics import (
    Diagnostic,
    InputError,
    LimitError,
    Severity,
    Span,
)
from warpmill.analyzer.base.naming import suggestion
from warpmill.analyzer.base.whole_files import (
    is_special,
    moved_limit,
    read_input,
)

Triple = tuple[int, int, int]

LIST_SUFFIX = ".g"
TRACE_SUFFIXES = (".traceg", ".traceg.xz")

MOST_CTA_BYTES_VARIABLE = "WARPMILL_MAX_CTA_TEXT"
"""The environment variable that moves ``MOST_CTA_BYTES``."""

MOST_CTA_BYTES = 64 << 20
"""Bytes of text that one CTA may take, which is held whole."""

_MOST_HEADER = 1 << 16
_MOST_LIST = 16 << 20
_PIECE = 4 << 20
_MOST_SHOWN = 200


def is_trace(target: str | Path) -> bool:
    """Whether a target is a trace of Accel-Sim, or a list of them, by its suffix."""
    name = str(target).lower()
    return name.endswith(TRACE_SUFFIXES) or is_list(target)


def is_list(target: str | Path) -> bool:
    """Whether a target is a list of kernels' traces, ``kernelslist.g``, by its suffix."""
    return Path(target).suffix.lower() == LIST_SUFFIX


@dataclass(frozen=True)
class KernelHeader:
    """What the lines before the first thread block say of a launch.

    ``registers`` are those of a thread, ``shared_bytes`` those of a CTA, static and dynamic.
    ``shared_base`` and ``local_base`` begin the windows of generic addresses; 0: not told.
    ``prefixed``: instruction lines still begin with CTA and warp, as of tracers before version 3.
    ``lines`` and ``size`` are those of the header itself.
    """

    name: str
    number: int
    grid: Triple
    block: Triple
    shared_bytes: int
    registers: int
    binary_version: int
    stream: int
    shared_base: int
    local_base: int
    nvbit: str
    tracer_version: int
    has_lines: bool
    lines: int
    size: int

    @property
    def ctas(self) -> int:
        """CTAs of the grid."""
        x, y, z = self.grid
        return x * y * z

    @property
    def threads(self) -> int:
        """Threads of a CTA."""
        x, y, z = self.block
        return x * y * z

    @property
    def prefixed(self) -> bool:
        """Whether instruction lines begin with CTA and warp."""
        return self.tracer_version < _WITHOUT_PREFIX

    @property
    def is_ptx(self) -> bool:
        """Whether warpmill wrote the trace, of PTX instructions."""
        return self.nvbit.startswith(PTX_LEVEL)


_WITHOUT_PREFIX = 3

PTX_LEVEL = "warpmill-ptx"
"""What stands in the place of NVBit's version in a trace of PTX instructions."""

_DIM3 = re.compile(r"\((\d{1,10}),(\d{1,10}),(\d{1,10})\)")
_DECIMAL, _HEX = re.compile(r"\d{1,18}"), re.compile(r"0x[0-9a-fA-F]{1,16}")

_FIELDS = {
    "kernel name": "text", "kernel id": "decimal", "grid dim": "sides", "block dim": "sides",
    "shmem": "decimal", "nregs": "decimal", "binary version": "decimal",
    "cuda stream id": "decimal", "shmem base_addr": "hex", "local mem base_addr": "hex",
    "nvbit version": "text", "accelsim tracer version": "decimal", "enable lineinfo": "decimal",
}  # fmt: skip
_NEEDED = ("kernel name", "grid dim", "block dim", "nregs", "binary version")
_MOST_SIDES = (1 << 31) - 1, (1 << 16) - 1, (1 << 16) - 1
_MOST_THREADS = 1024
_MOST_NUMBER = (1 << 63) - 1


class TraceText:
    """One kernel's trace. InputError where it is none, or its header is wrong.

    ``label`` is what messages call the file.
    """

    def __init__(self, path: Path) -> None:
        self.path, self.label = path, str(path)
        try:
            with self.open() as file:
                start = self._head(file)
        except OSError as error:
            raise InputError(self.problem(f"cannot be read: {error.strerror or error}")) from None
        self.header = self._header(start)

    def open(self) -> BinaryIO:
        """Open the file, unpacked where it is ``.xz``. OSError, for what is no file too."""
        if is_special(self.path):
            raise OSError(errno.EINVAL, "this is no file, and traces are read more than once")
        if not self.label.lower().endswith(".xz"):
            return self.path.open("rb")
        return lzma.LZMAFile(self.path)  # type: ignore[return-value] # it is a binary file

    def read(self, file: BinaryIO, size: int) -> bytes:
        """Read so many bytes, fewer at the end. InputError for a damaged ``.xz``."""
        try:
            return file.read(size)
        except (lzma.LZMAError, EOFError) as error:
            words = f"its .xz is damaged or cut off ({error})"
            raise InputError(self.problem(words, hint=_AGAIN)) from None

    def problem(
        self,
        message: str,
        line: int | None = None,
        excerpt: str | None = None,
        column: int = 1,
        *,
        hint: str | None = None,
        severity: Severity = Severity.ERROR,
    ) -> Diagnostic:
        """A diagnostic about the file, at a line where one is given."""
        shown = None if excerpt is None else excerpt[:_MOST_SHOWN]
        end = len(shown) + 1 if shown else column + 1
        span = None if line is None else Span(line, column, max(end, column + 1))
        return Diagnostic(severity, message, self.label, span, shown, hint)

    # -- header ------------------------------------------------------------------------------------

    def _head(self, file: BinaryIO) -> bytes:
        data = self.read(file, _MOST_HEADER)
        if not data.strip():
            raise InputError(self.problem("the file is empty"))
        return data

    def _header(self, data: bytes) -> KernelHeader:
        found: dict[str, tuple[str, int]] = {}
        size = number = 0
        for raw in data.splitlines(keepends=True):
            line = raw.decode("utf-8", errors="replace").strip()
            if line.startswith("#BEGIN_TB"):
                break
            size, number = size + len(raw), number + 1
            if line.startswith("-"):
                name, equals, value = line[1:].partition("=")
                if not equals:
                    raise InputError(
                        self.problem("this is not of the form -NAME = VALUE", number, line)
                    )
                found[name.strip()] = value.strip(), number
            elif line.startswith("#"):
                break
            elif line:
                raise InputError(self.problem(_NO_TRACE, number, line, hint=_WHAT_IT_IS))
        lacking = [name for name in _NEEDED if name not in found]
        if lacking:
            words = f"its header has no `-{lacking[0]} = …`"
            raise InputError(self.problem(words, hint=_WHAT_IT_IS))
        return self._made(found, number, size)

    def _made(self, found: dict[str, tuple[str, int]], lines: int, size: int) -> KernelHeader:
        values = {name: self._value(name, *found[name]) for name in _FIELDS if name in found}

        def number(name: str, otherwise: int = 0) -> int:
            value = values.get(name, otherwise)
            assert isinstance(value, int)
            return value

        grid, block = values["grid dim"], values["block dim"]
        assert isinstance(grid, tuple)
        assert isinstance(block, tuple)
        x, y, z = block
        if x * y * z > _MOST_THREADS:
            text, line = found["block dim"]
            words = f"a CTA of {x * y * z} threads is larger than GPUs have ({_MOST_THREADS})"
            raise InputError(self.problem(words, line, f"-block dim = {text}"))
        return KernelHeader(
            name=str(values["kernel name"]),
            number=number("kernel id"),
            grid=grid,
            block=block,
            shared_bytes=number("shmem"),
            registers=number("nregs"),
            binary_version=number("binary version"),
            stream=number("cuda stream id"),
            shared_base=number("shmem base_addr"),
            local_base=number("local mem base_addr"),
            nvbit=str(values.get("nvbit version", "")),
            tracer_version=number("accelsim tracer version"),
            has_lines=number("enable lineinfo") == 1,
            lines=lines,
            size=size,
        )

    def _value(self, name: str, text: str, line: int) -> str | int | Triple:
        kind, excerpt = _FIELDS[name], f"-{name} = {text}"
        if kind == "text":
            return text
        if kind == "sides":
            sides = _DIM3.fullmatch(text.replace(" ", ""))
            found = tuple(map(int, sides.groups())) if sides else ()
            within = (0 < side <= most for side, most in zip(found, _MOST_SIDES, strict=False))
            if not found or not all(within):
                raise InputError(self.problem("three sides are needed, as (x,y,z)", line, excerpt))
            return found[0], found[1], found[2]
        form = _HEX if kind == "hex" else _DECIMAL
        if not form.fullmatch(text) or int(text, 16 if kind == "hex" else 10) > _MOST_NUMBER:
            what = "an address such as 0x7f0000000000" if kind == "hex" else "a number"
            raise InputError(self.problem(f"{what} is needed", line, excerpt))
        return int(text, 16 if kind == "hex" else 10)

    # -- body --------------------------------------------------------------------------------------

    def pieces(self) -> Iterator[tuple[bytes, int, int]]:
        """The body in pieces of whole CTAs, each with its place in the unpacked text and its line.

        InputError where the last CTA is cut off, LimitError where one is larger than is held.
        """
        most = moved_limit(MOST_CTA_BYTES_VARIABLE, MOST_CTA_BYTES, "bytes")
        try:
            with self.open() as file:
                self.read(file, self.header.size)
                yield from self._pieces(file, most)
        except OSError as error:
            raise InputError(self.problem(f"cannot be read: {error.strerror or error}")) from None

    def _pieces(self, file: BinaryIO, most: int) -> Iterator[tuple[bytes, int, int]]:
        place, line, rest = self.header.size, self.header.lines + 1, b""
        while True:
            piece = self.read(file, _PIECE)
            data = rest + piece
            end = data.rfind(_END)
            end = -1 if end < 0 else data.find(b"\n", end) + 1
            if end > 0:
                yield data[:end], place, line
                place, line, rest = place + end, line + data.count(b"\n", 0, end), data[end:]
            else:
                rest = data
            if not piece:
                break
            if len(rest) > most:
                raise LimitError(self._too_long(line, most))
        if rest.strip():
            self._cut_off(rest, line)

    def _too_long(self, line: int, most: int) -> Diagnostic:
        words = f"one CTA takes more than {most:,} bytes of text, which are the most that is held"
        hint = f"{MOST_CTA_BYTES_VARIABLE}=BYTES in the environment holds more"
        return self.problem(words, line, hint=hint)

    def _cut_off(self, rest: bytes, line: int) -> None:
        at = line + rest.rstrip(b"\n").count(b"\n")
        last = rest.rstrip(b"\n").rpartition(b"\n")[2].decode("utf-8", errors="replace")
        if _END in rest:
            raise InputError(self.problem("the last line has no end", at, last, hint=_AGAIN))
        first = rest.lstrip().partition(b"\n")[0].decode("utf-8", errors="replace")
        if not first.startswith("#BEGIN_TB"):
            first_at = line + len(rest) - len(rest.lstrip())
            raise InputError(
                self.problem(
                    "a thread block begins with #BEGIN_TB", first_at, first, hint=_WHAT_IT_IS
                )
            )
        raise InputError(self.problem("the file ends within a thread block", at, last, hint=_AGAIN))


_END = b"#END_TB"
_AGAIN = "it is cut off or damaged: copy it again, or trace again"
_NO_TRACE = "this is no trace of Accel-Sim: a header of lines `-NAME = VALUE` begins one"
_WHAT_IT_IS = (
    "a .traceg is what Accel-Sim's post-processing makes of a .trace: "
    "traces-processing/post-traces-processing kernelslist"
)


# Lists of kernels.


@dataclass(frozen=True)
class Memcpy:
    """A copy from the host to the device: where to, and how many bytes."""

    address: int
    size_bytes: int


@dataclass(frozen=True)
class KernelsList:
    """A list's kernels in their order, and before each the copies since the one before."""

    kernels: tuple[Path, ...]
    copies: tuple[tuple[Memcpy, ...], ...]


_COPY = re.compile(r"MemcpyHtoD,0x([0-9a-fA-F]{1,16}),(\d{1,18})")


def read_list(path: Path) -> KernelsList:
    """Read a list. InputError, located, for lines that are none and kernels that are not there."""
    try:
        text = read_input(path, _MOST_LIST).decode("utf-8", errors="replace")
    except OSError as error:
        words = f"cannot be read: {error.strerror or error}"
        raise InputError(Diagnostic(Severity.ERROR, words, str(path))) from None
    kernels: list[Path] = []
    copies: list[tuple[Memcpy, ...]] = []
    before: list[Memcpy] = []
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.strip()
        if line.startswith("kernel"):
            kernels.append(_listed(path, line, number))
            copies.append(tuple(before))
            before = []
        elif line.startswith("Memcpy"):
            copy = _COPY.fullmatch(line)
            if copy is None or int(copy[1], 16) > _MOST_NUMBER:
                words = "a copy is MemcpyHtoD,0xADDRESS,BYTES"
                raise InputError(_at(path, words, number, line))
            before.append(Memcpy(int(copy[1], 16), int(copy[2])))
        elif line:
            words = "a line is the name of a kernel's trace, or MemcpyHtoD,0xADDRESS,BYTES"
            raise InputError(_at(path, words, number, line))
    if not kernels:
        raise InputError(Diagnostic(Severity.ERROR, "the list names no kernel", str(path)))
    return KernelsList(tuple(kernels), tuple(copies))


def _listed(path: Path, name: str, number: int) -> Path:
    """The file that a line names, which has to be there, and to be a trace."""
    found = path.parent / name
    if not name.lower().endswith(TRACE_SUFFIXES):
        words = f"{name} is no kernel's trace: these end in {' or '.join(TRACE_SUFFIXES)}"
        raise InputError(_at(path, words, number, name, _WHAT_IT_IS))
    if found.is_file():
        return found
    packed = found.with_name(f"{found.name}.xz")
    if packed.is_file():
        hint = f"{packed.name} is there: name that, or unpack it"
    else:
        there = (
            sorted(p.name for p in found.parent.glob("*.traceg*")) if found.parent.is_dir() else []
        )
        hint = suggestion(found.name, there) or "copy it beside the list, or take the line out"
    raise InputError(_at(path, f"there is no file {found}", number, name, hint))


def _at(path: Path, words: str, line: int, excerpt: str, hint: str | None = None) -> Diagnostic:
    shown = excerpt[:_MOST_SHOWN]
    return Diagnostic(Severity.ERROR, words, str(path), Span(line, 1, len(shown) + 1), shown, hint)
