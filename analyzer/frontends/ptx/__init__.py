"""The PTX front-end: text in, a Module of the IR out.

``scan`` finds the kernels of a file fast, without parsing their bodies; ``parse`` makes the Module.
Importing this package is cheap: the parser and its grammar are loaded by the first call.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from warpmill.analyzer.frontends.ptx.split import scan_headers

if TYPE_CHECKING:
    from warpmill.analyzer.base.diagnostics import Diagnostic, Source
    from warpmill.analyzer.ir.kernel import Module

__all__ = ["ParsedPtx", "PtxFunctionHeader", "parse", "scan"]


@dataclass(frozen=True, slots=True)
class PtxFunctionHeader:
    """A function with a body: its name and the lines that it takes, the last one included.

    ``is_entry`` is False for a device function, which no launch can start.
    """

    name: str
    first_line: int
    last_line: int
    is_entry: bool


@dataclass(frozen=True)
class ParsedPtx:
    """A module, with the warnings and notes that came up while it was read."""

    module: Module
    diagnostics: tuple[Diagnostic, ...]


def scan(source: Source) -> tuple[PtxFunctionHeader, ...]:
    """Find the functions with bodies, in the order of the text.

    It looks at headers and braces only, so a result does not mean that the file is well formed. A
    body that is never closed ends at the last line.
    """
    return tuple(PtxFunctionHeader(*header) for header in scan_headers(source.text))


def parse(source: Source, kernel: str | None = None, *, strict: bool = False) -> ParsedPtx:
    """Parse a PTX module.

    With ``kernel`` only that kernel is made, with the device functions that it or a variable of
    the module names. ``strict`` turns warnings about unknown opcodes into errors.

    A body that control can leave without a return gets a ``ret`` at its closing brace, as ptxas has
    it. A ``.version`` beyond the newest that is known is read, with one note.

    Raises InputError with up to 20 located errors where the text is not PTX, and UsageError where
    it has no kernel of that name.
    """
    from warpmill.analyzer.frontends.ptx.module import parse_module  # noqa: PLC0415 - keeps imports light

    module, diagnostics = parse_module(source, kernel, strict)
    return ParsedPtx(module, diagnostics)
