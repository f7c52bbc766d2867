"""LLVM IR as kernels: ``.ll`` text and ``.bc`` bitcode.

No file is trusted: LLVM may abort on a damaged one, so it runs in a process of its own. There it
prints bitcode, whose text is read as a ``.ll`` is, and verifies text; code without
optimisation gets its stack slots promoted; then each statement is parsed by shape
(``grammars/llvm_instruction.lark``) and lowered to the IR.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, Severity, Source, Span
from warpmill.analyzer.base.many_objects import gc_paused
from warpmill.analyzer.frontends.llvm import child, text
from warpmill.analyzer.frontends.llvm.prepared_text import print_bitcode, printed
from warpmill.analyzer.ir.kernel import Module

__all__ = ["LlvmKernelHeader", "ParsedLlvm", "parse", "read_bitcode", "scan"]


@dataclass(frozen=True)
class LlvmKernelHeader:
    """A kernel that a text has, and where it starts."""

    name: str
    span: Span


@dataclass(frozen=True)
class ParsedLlvm:
    """A module, what there is to say about it, and the text that its spans point into.

    ``source`` is the text that was given, or LLVM's print of it where it had to be changed.
    """

    module: Module
    diagnostics: tuple[Diagnostic, ...]
    source: Source


def scan(source: Source) -> tuple[LlvmKernelHeader, ...]:
    """List a text's kernels without parsing their bodies.

    An OpenCL kernel that clang split into wrapper and implementation is one kernel. LLVM checks the
    text only where it is not laid out as LLVM does it: it is printed anew then. Raise InputError
    where LLVM refuses it.
    """
    try:
        module = text.scan_module(source)
    except text.NotCanonical:
        module = _scan_anew(source)
    kernels = (f for f in module.functions.values() if f.is_kernel)
    return tuple(LlvmKernelHeader(f.name, f.span) for f in kernels)


def _scan_anew(source: Source) -> text.ScannedModule:
    """Scan a text as LLVM prints it."""
    _load()
    try:
        return text.scan_module(printed(source))
    except text.NotCanonical as error:
        message = f"functions cannot be told apart: {error}"
        raise InputError(Diagnostic(Severity.ERROR, message, source.name)) from None


def read_bitcode(data: bytes, name: str, *, time_limit_s: float | None = None) -> Source:
    """The text of a bitcode module, read in a child process (10 to 60 s by size, unless told).

    Raise InputError where it is no bitcode, is damaged, or takes too long.
    """
    _load()
    return print_bitcode(data, name, time_limit_s)


def parse(source: Source, kernel: str | None = None, *, strict: bool = False) -> ParsedLlvm:
    """Parse a module's text; of its kernels only ``kernel``, or all where none is named.

    What is not understood becomes an ``unknown`` instruction with a warning, or an InputError with
    ``strict``. Raise InputError where LLVM refuses the text, the target is no GPU, or the kernel is
    not there.
    """
    _load()
    from warpmill.analyzer.frontends.llvm.module import read_module  # noqa: PLC0415 - heavy

    with gc_paused():
        module, diagnostics, read = read_module(source, kernel, strict)
    return ParsedLlvm(module, diagnostics, read)


def _load() -> None:
    """Start LLVM's process; it loads while this one loads the rest of the front-end."""
    child.start()
    import_module("warpmill.analyzer.frontends.llvm.module")
