"""Reading a kernel file of any kind: by its suffix, checked against its first bytes.

Fat binaries, and the objects, programs and libraries with fat binaries in them, are read for their
PTX, and for what their machine code takes; sources are compiled; ``-`` is the standard input.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, BinaryIO

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, Severity, Source, UsageError
from warpmill.analyzer.base.naming import (
    demangle,
    find_by_name,
    names_meant,
    nearest_names,
    short_name,
)
from warpmill.analyzer.base.whole_files import input_limit, read_input, read_up_to
from warpmill.analyzer.frontends import ptx
from warpmill.analyzer.frontends.compilers.options import (
    SOURCE_SUFFIXES,
    CompileOptions,
    is_source,
)
from warpmill.analyzer.ir.inline import inline_calls
from warpmill.analyzer.ir.kernel import Kernel, Module

if TYPE_CHECKING:
    from warpmill.analyzer.frontends.compilers.compile import CompiledSource

MAX_FILE_BYTES = 256 << 20
"""Largest file that is read."""


STANDARD_INPUT = "-"
"""The name of a file that is none: what comes to the process."""


class FileFormat(Enum):
    """Format of a kernel file."""

    PTX = "PTX"
    LLVM_IR = "LLVM IR"
    BITCODE = "LLVM bitcode"
    BINARY = "CUDA binary"
    ACCELSIM = "Accel-Sim trace"


SUFFIXES = {".ptx": FileFormat.PTX, ".ll": FileFormat.LLVM_IR, ".bc": FileFormat.BITCODE}
"""Format that a suffix promises."""

READABLE = (*SUFFIXES, *SOURCE_SUFFIXES)
"""Suffixes of files that are read: kernel files, and sources, which are compiled first."""

_BITCODE_MAGIC = (b"BC\xc0\xde", b"\xde\xc0\x17\x0b")
_BINARY_MAGIC = (b"\x7fELF", b"P\xedU\xba", b"!<arch>\n")
_FOREIGN = {
    b"PK\x03\x04": "a ZIP archive",
    b"\x1f\x8b": "a gzip archive",
}
_PTX_WORD = re.compile(r"^\s*\.version\b", re.MULTILINE)
_LLVM_WORD = re.compile(
    r"^(; ModuleID|source_filename|target (triple|datalayout)|define\b|declare\b)", re.MULTILINE
)


@dataclass(frozen=True)
class LoadedModule:
    """A module with what there is to say about it. ``source`` is the text that spans point into.

    ``compiled`` tells how it was compiled, where ``path`` is that of a source.
    """

    path: str
    format: FileFormat
    module: Module
    diagnostics: tuple[Diagnostic, ...]
    source: Source
    compiled: CompiledSource | None = None


@dataclass(frozen=True)
class KernelText:
    """A text with kernels; a binary may hold several, one for each target and unit."""

    format: FileFormat
    source: Source
    target: int = 0
    compiled: CompiledSource | None = None

    def names(self) -> tuple[str, ...]:
        """The kernels in it, found without parsing their bodies."""
        return kernels_in(self.format, self.source)

    def parse(self, kernel: str | None = None, *, strict: bool = False) -> LoadedModule:
        """Read its module with one kernel, or with all. InputError."""
        made = self.compiled
        name = self.source.name if made is None else made.compiled_from.name
        said = () if made is None else made.diagnostics
        if self.format is FileFormat.PTX:
            parsed = ptx.parse(self.source, kernel, strict=strict)
            said += parsed.diagnostics + (() if parsed.module.kernels else self._lacking())
            return LoadedModule(name, self.format, parsed.module, said, self.source, made)
        from warpmill.analyzer.frontends import llvm  # noqa: PLC0415 - only the front-end that is needed

        lowered = llvm.parse(self.source, kernel, strict=strict)
        said += lowered.diagnostics + (() if lowered.module.kernels else self._lacking())
        return LoadedModule(name, self.format, lowered.module, said, lowered.source, made)

    def _lacking(self) -> tuple[Diagnostic, ...]:
        """What is said of a module without kernels: where its source has templates, these."""
        return tuple(replace(d, severity=Severity.NOTE) for d in _templates((self,), None))


def kernel_names(
    path: str | Path | Source, compile_options: CompileOptions | None = None
) -> tuple[str, ...]:
    """List the kernels of a file without parsing their bodies. InputError."""
    return _names(_read(path, None, compile_options))


def load(
    path: str | Path | Source,
    kernel: str | None = None,
    *,
    strict: bool = False,
    compile_options: CompileOptions | None = None,
) -> LoadedModule:
    """Read a kernel file, or its text: all its kernels, or the one that ``kernel`` names.

    ``kernel`` may be mangled, demangled or a plain base name. Of a binary with several PTX texts
    the one for the newest chip is read that has the kernel. A source is compiled as the options
    say, and ``kernel`` may be an instance of a template in it: ``sgemm<128, 8>``. InputError for a
    file that cannot be read or is wrong, UsageError for a kernel that is not there; it lists those
    that are.
    """
    texts = _read(path, kernel, compile_options)
    if kernel is None and len(texts) > 1:
        raise UsageError(f"{path} holds {len(texts)} PTX texts; name one of its kernels")
    return _load(_name(path), texts, kernel, strict=strict)


def load_all(
    path: str | Path | Source,
    kernel: str | None = None,
    *,
    strict: bool = False,
    compile_options: CompileOptions | None = None,
) -> tuple[LoadedModule, ...]:
    """Read all that a file holds: one module, or each PTX text of a binary. Errors as ``load``."""
    texts = _read(path, kernel, compile_options)
    if kernel is not None:
        return (_load(_name(path), texts, kernel, strict=strict),)
    return tuple(text.parse(strict=strict) for text in texts)


def load_kernel(
    path: str | Path | Source,
    kernel: str | None = None,
    *,
    strict: bool = False,
    compile_options: CompileOptions | None = None,
) -> tuple[LoadedModule, Kernel]:
    """Read one kernel, its device functions inlined; without a name, the only one of the file.

    UsageError where there are several and none is named, InputError where there is none.
    """
    texts = _read(path, kernel, compile_options)
    return kernel_of(_name(path), texts, kernel, strict=strict)


def kernel_of(
    name: str, texts: tuple[KernelText, ...], kernel: str | None = None, *, strict: bool = False
) -> tuple[LoadedModule, Kernel]:
    """Read one kernel of texts that are there already, as ``load_kernel`` does of a file."""
    names = _names(texts)
    if kernel is None and len(names) > 1:
        words = f"{name} has {len(names)} kernels; name one: {_listed(names)}"
        raise UsageError(_kernel_problem(words, names[0], names))
    loaded = _load(name, texts, names[0] if kernel is None and names else kernel, strict=strict)
    if not loaded.module.kernels:
        problem = _error(name, "there is no kernel in this file")
        raise InputError(problem, *_templates(texts, kernel))
    inlined = inline_calls(loaded.module, loaded.module.kernels[0])
    said = tuple(_with_excerpt(d, loaded.source) for d in inlined.diagnostics)
    return replace(loaded, diagnostics=(*loaded.diagnostics, *said)), inlined.kernel


def _names(texts: tuple[KernelText, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for text in texts for name in text.names()))


def _load(
    path: str, texts: tuple[KernelText, ...], kernel: str | None, *, strict: bool
) -> LoadedModule:
    """Parse the text that has a kernel; of several the one for the newest chip, with a note."""
    if kernel is None:
        return texts[0].parse(strict=strict)
    wanted = _wanted(kernel, texts, path)
    holding = [text for text in texts if wanted in text.names()]
    newest = max(holding, key=lambda text: text.target)
    loaded = newest.parse(wanted, strict=strict)
    if len(holding) == 1:
        return loaded
    words = f"{wanted} is in {len(holding)} PTX texts of {path}; this one is for the newest chip"
    note = Diagnostic(Severity.NOTE, words, newest.source.name)
    return replace(loaded, diagnostics=(note, *loaded.diagnostics))


def _wanted(kernel: str, texts: tuple[KernelText, ...], path: str) -> str:
    """The kernel that a name means, an instance of a template by what its compiler named it."""
    made = texts[0].compiled if texts else None
    if made is not None and made.name is not None:
        return made.name
    try:
        return find_kernel(kernel, _names(texts), path)
    except (UsageError, InputError) as error:
        templates = _templates(texts, kernel)
        if not templates:
            raise
        raise type(error)(*error.diagnostics, *templates) from None


def _templates(texts: tuple[KernelText, ...], kernel: str | None) -> tuple[Diagnostic, ...]:
    """What is said of the templates of a source where a kernel is not in what came of it."""
    made = texts[0].compiled if texts else None
    if made is None:
        return ()
    from warpmill.analyzer.frontends.compilers.compile import (  # noqa: PLC0415 - only for sources
        template_problem,
    )

    problem = template_problem(made.compiled_from, kernel)
    return () if problem is None else (problem,)


def _with_excerpt(diagnostic: Diagnostic, source: Source) -> Diagnostic:
    """Show the line that a diagnostic of the IR is about."""
    if diagnostic.span is None:
        return diagnostic
    line = source.line(diagnostic.span.line)
    return replace(diagnostic, file=source.name, excerpt=line)


_HAS_KERNELS = ("has no kernel", "its kernels are:")


def find_launched(name: str, names: Iterable[str], title: str) -> str:
    """The kernel of some launches that a name means; errors as ``find_kernel``."""
    launched = ("launches no kernel", "it launches")
    return find_kernel(name, tuple(dict.fromkeys(names)), title, has=launched)


def find_kernel(
    name: str, names: tuple[str, ...], file: str, *, has: tuple[str, str] = _HAS_KERNELS
) -> str:
    """The kernel that a name means. UsageError, with the kernels that are there.

    ``has`` are the words for a file without it, and for the names of what it has.
    """
    found = find_by_name(name, names)
    if found is not None:
        return found
    if not names:
        raise InputError(_error(file, "there is no kernel in this file"))
    meant = names_meant(name, names)
    if meant:
        words = f"{file} has {len(meant)} kernels {name}, of which one has to be named"
        shown = [demangle(n) for n in meant]
        told_apart = shown if len(set(shown)) == len(shown) else meant
        words = f"{words}: {', '.join(told_apart[:_MOST_LISTED])}"
        raise UsageError(_kernel_problem(words, meant[0], names))
    known = {form(n): n for form in (short_of(names), demangle, str) for n in names}
    near = nearest_names(name, known)
    hint = f"did you mean {near[0]}? " if near else ""
    lacks, lists = has
    words = f"{file} {lacks} {name}; {hint}{lists} {_listed(names)}"
    like = known[near[0]] if near else names[0] if len(names) == 1 else None
    raise UsageError(words if like is None else _kernel_problem(words, like, names))


def short_of(names: tuple[str, ...]) -> Callable[[str], str]:
    """The function that shortens one of some names."""
    return lambda name: short_name(name, names)


def _kernel_problem(words: str, name: str, names: tuple[str, ...]) -> Diagnostic:
    """Make an error about a kernel's name that says how one of them is named."""
    short = short_name(name, names)
    fix = ("--kernel", (short,))
    return Diagnostic(Severity.ERROR, words, hint=f"such as --kernel {quote(short)}", fix=fix)


_MOST_LISTED = 20


def _listed(names: tuple[str, ...]) -> str:
    shown = ", ".join(demangle(n) for n in names[:_MOST_LISTED])
    return shown if len(names) <= _MOST_LISTED else f"{shown} and {len(names) - _MOST_LISTED} more"


def kernels_in(format_: FileFormat, source: Source) -> tuple[str, ...]:
    """List the kernels of a text without parsing their bodies. InputError."""
    if format_ is FileFormat.PTX:
        return tuple(h.name for h in ptx.scan(source) if h.is_entry)
    from warpmill.analyzer.frontends import llvm  # noqa: PLC0415 - only the front-end that is needed

    return tuple(h.name for h in llvm.scan(source))


def _error(file: str, message: str, hint: str | None = None) -> Diagnostic:
    return Diagnostic(Severity.ERROR, message, file, hint=hint)


def _name(given: str | Path | Source) -> str:
    return given.name if isinstance(given, Source) else str(given)


def text_of(source: Source) -> KernelText:
    """A text of a kernel file that no file has to hold."""
    return KernelText(
        FileFormat.PTX if _PTX_WORD.search(source.text) else FileFormat.LLVM_IR, source
    )


def _read(
    given: str | Path | Source, kernel: str | None, options: CompileOptions | None
) -> tuple[KernelText, ...]:
    """Read a file as text: bitcode through its print, of binaries the PTX in them. InputError.

    A source is compiled, with the instance of a template that ``kernel`` names.
    """
    is_text = isinstance(given, Source) and _sniff(given.text.encode()) is not None
    if is_source(_name(given)) and not is_text:
        return (_of_source(given, kernel, options),)
    if isinstance(given, Source):
        return (text_of(given),)
    path = Path(given)
    name = "<stdin>" if str(path) == "-" else str(path)
    data = _bytes(path)
    if path.suffix.lower() == ".py":
        from warpmill.analyzer.frontends.compilers.embedded import (  # noqa: PLC0415 - seldom asked for
            embedded_source,
        )

        embedded = embedded_source(path, data.decode("utf-8", "replace"))
        if embedded is not None:
            return (_of_source(embedded, kernel, options),)
    format_ = _format(path, data)
    if format_ is FileFormat.BINARY:
        from warpmill.analyzer.machine_code.binaries import ptx_images  # noqa: PLC0415 - for binaries only

        images = ptx_images(data, name)
        return tuple(
            KernelText(FileFormat.PTX, Source(i.name, i.text, derived=True), i.target)
            for i in images
        )
    if format_ is FileFormat.BITCODE:
        from warpmill.analyzer.frontends.llvm import read_bitcode  # noqa: PLC0415 - needs LLVM

        return (KernelText(format_, read_bitcode(data, name)),)
    try:
        text = data.decode("utf-8").replace("\r\n", "\n")
        if (
            format_ is not FileFormat.PTX
        ):  # that front-end takes a byte order mark, and keeps columns
            text = text.removeprefix("\ufeff")
        return (KernelText(format_, Source(name, text)),)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(
            _error(name, f"line {line} is no text (byte {error.start} is no UTF-8)")
        ) from None


def _of_source(
    given: str | Path | Source, kernel: str | None, options: CompileOptions | None
) -> KernelText:
    from warpmill.analyzer.frontends.compilers.compile import (  # noqa: PLC0415 - only for sources
        compile_source,
    )

    if not isinstance(given, Source):
        _bytes(Path(given))  # what is wrong with any file is said in the same words
    made = compile_source(given, options, kernel)
    return KernelText(FileFormat(made.format), made.source, compiled=made)


def _bytes(path: Path) -> bytes:
    name = str(path)
    if name == STANDARD_INPUT:
        if sys.stdin is None:
            raise InputError(_error("<stdin>", "standard input is closed"))
        return _standard_input(sys.stdin.buffer)
    try:
        if path.is_dir():
            raise InputError(_error(name, "this is a folder, not a kernel file", _inside(path)))
        data = read_input(path, MAX_FILE_BYTES)
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(_error(name, f"cannot be read: {reason}", _similar(path))) from None
    except ValueError as error:  # a path with a null byte
        raise InputError(_error(repr(name), f"cannot be read: {error}")) from None
    if not data.strip():
        raise InputError(_error(name, "the file is empty"))
    return data


@lru_cache(maxsize=1)
def _standard_input(stream: BinaryIO) -> bytes:
    """Read all that comes, once: who asks again for the same stream gets the same. InputError."""
    try:
        data = bytes(read_up_to(stream.read, input_limit(MAX_FILE_BYTES), "<stdin>"))
    except (OSError, ValueError) as error:  # one that only can be written, or is closed
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(_error("<stdin>", f"cannot be read: {reason}")) from None
    if not data.strip():
        raise InputError(_error("<stdin>", "nothing came"))
    return data


def _inside(folder: Path) -> str | None:
    """Name a launch file or a kernel file of a folder; None where it has neither."""
    try:
        there = sorted(p for p in folder.iterdir() if p.suffix in {".toml", *READABLE})
    except OSError:
        return None
    first = min(there, key=lambda p: (p.suffix != ".toml", len(p.name)), default=None)
    return None if first is None else f"name a file in it, such as {first}"


def _similar(path: Path) -> str | None:
    """Suggest a file of nearly that name in the same folder."""
    try:
        there = [p.name for p in path.parent.iterdir() if p.suffix in READABLE]
    except OSError:
        return None
    near = nearest_names(path.name, there)
    return f"did you mean {path.with_name(near[0])}?" if near else None


def _format(path: Path, data: bytes) -> FileFormat:
    """Format of a file; its suffix must not say otherwise. InputError."""
    name = str(path)
    looks_like = _sniff(data)
    promised = SUFFIXES.get(path.suffix.lower())
    if looks_like is None:
        from warpmill.analyzer.frontends.compilers.languages import (  # noqa: PLC0415 - only for errors
            how_to_compile,
            what_it_is,
        )

        what = what_it_is(path)
        if what is not None:
            text = data[: 1 << 16].decode("utf-8", errors="replace")
            raise InputError(_error(name, f"this is {what}", how_to_compile(path, text)))
        foreign = next((what for magic, what in _FOREIGN.items() if data.startswith(magic)), None)
        if foreign is not None or promised is None:
            what = foreign or "neither PTX nor LLVM IR nor LLVM bitcode"
            kinds = ", ".join(f"{s} ({f.value})" for s, f in SUFFIXES.items())
            sources = "sources (.cu, .hip, .cl)"
            readable = f"kernel files are {kinds}, {sources}, fat binaries and programs with PTX"
            raise InputError(_error(name, f"this is {what}", readable))
        if promised is FileFormat.BITCODE:
            raise InputError(
                _error(name, "this is no LLVM bitcode: it does not start with BC C0DE")
            )
        return promised
    if promised is not None and promised is not looks_like:
        right = next((s for s, f in SUFFIXES.items() if f is looks_like), None)
        message = f"this is a {looks_like.value}, but the suffix says {promised.value}"
        hint = None if right is None else f"rename it to {path.with_suffix(right).name}"
        raise InputError(
            _error(name, message.replace("a LLVM", "LLVM").replace("a PTX", "PTX"), hint)
        )
    return looks_like


def _sniff(data: bytes) -> FileFormat | None:
    if data.startswith(_BITCODE_MAGIC):
        return FileFormat.BITCODE
    if data.startswith(_BINARY_MAGIC):
        return FileFormat.BINARY
    head = data[: 1 << 16].decode("utf-8", errors="replace")
    if _PTX_WORD.search(head):
        return FileFormat.PTX
    return FileFormat.LLVM_IR if _LLVM_WORD.search(head) else None
