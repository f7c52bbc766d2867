"""The source that was compiled, where it is at hand: its lines, and the names of parameters in it.

It is looked for beside the kernel's file, by the last part of the name that the compiler recorded:
a file says nothing else of what is read on this machine. What this process itself had compiled, as
kernels in Python, is found where it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path, PurePath

from warpmill.analyzer.base.diagnostics import SourcePlace
from warpmill.analyzer.base.naming import base_name
from warpmill.analyzer.frontends.load import LoadedModule
from warpmill.analyzer.ir.kernel import Kernel

MOST_BYTES = 4 << 20
"""The largest source that is read."""

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_IDENTIFIER = re.compile(r"([A-Za-z_]\w*)\s*(?:\[[^\]]*\]\s*)*(?:=.*)?$", re.DOTALL)
_BEFORE = 500
"""Characters before a name in which the word stands that makes it a kernel."""

_KERNEL_WORD = re.compile(r"\b(?:__global__|__kernel|kernel)\b[^;{}]*$")


@cache
def source_lines(path: Path) -> tuple[str, ...]:
    """The lines of a source; none where it cannot be read."""
    try:
        if not path.is_file() or path.stat().st_size > MOST_BYTES:
            return ()
        return tuple(path.read_text("utf-8", errors="replace").splitlines())
    except (OSError, ValueError):
        return ()


def source_beside(module: str | Path, file: str) -> Path:
    """Path at which the source of a module's file is looked for."""
    beside = Path(module).parent / PurePath(file).name
    return Path(file) if file in _COMPILED and not beside.is_file() else beside


_COMPILED: set[str] = set()
"""Files that kernels were compiled of here, by whole paths."""


def note_compiled(path: str) -> None:
    """Let the lines of a file be shown that this process has compiled a kernel of."""
    _COMPILED.add(path)


def text_of(lines: Sequence[str], number: int) -> str:
    """A line by its number from 1; "" where there is none."""
    return lines[number - 1] if 0 < number <= len(lines) else ""


def line_text(loaded: LoadedModule, place: SourcePlace) -> str | None:
    """The text of a line, its blanks single; None where it is empty, or not at hand."""
    if place.of == "source":
        line = text_of(source_lines(source_beside(loaded.path, place.file)), place.line)
    else:
        line = loaded.source.line(place.line)
    return " ".join(line.split()) or None


def parameter_names(loaded: LoadedModule, kernel: Kernel) -> tuple[str, ...] | None:
    """The names that the source gives a kernel's parameters; None where it is not at hand.

    Only a definition with as many parameters as the kernel has counts: compilers may add some.
    """
    files = dict.fromkeys(
        i.debug.file for b in kernel.blocks for i in b.instructions if i.debug and i.debug.line
    )
    for file in files:
        names = _names_in(source_beside(loaded.path, file), base_name(kernel.name))
        if names is not None and len(names) == len(kernel.parameters):
            return names
    return None


@cache
def _names_in(path: Path, kernel: str) -> tuple[str, ...] | None:
    return parameter_names_in("\n".join(source_lines(path)), kernel)


def parameter_names_in(source: str, kernel: str) -> tuple[str, ...] | None:
    """The names that a text of CUDA or OpenCL gives a kernel's parameters; None: it has none."""
    text = _COMMENT.sub(" ", source)
    for found in re.finditer(rf"\b{re.escape(kernel)}\s*\(", text):
        if not _KERNEL_WORD.search(text[max(0, found.start() - _BEFORE) : found.start()]):
            continue
        names = [_IDENTIFIER.search(part.strip()) for part in _arguments(text[found.end() :])]
        if all(names):
            return tuple(name[1] for name in names if name is not None)
    return None


def _arguments(text: str) -> Iterator[str]:
    """The parts of a parameter list, from behind its parenthesis on to the one that closes it."""
    depth, start = 0, 0
    for place, sign in enumerate(text):
        if sign in "([{<":
            depth += 1
        elif sign in ")]}>" and depth:
            depth -= 1
        elif sign in ",)" and not depth:
            if text[start:place].strip():
                yield text[start:place]
            start = place + 1
            if sign == ")":
                return


def source_name(loaded: LoadedModule, kernel: Kernel, name: str) -> str | None:
    """The source's name of a parameter; None where it is none, or the source is not at hand."""
    for place, parameter in enumerate(kernel.parameters):
        if parameter.name == name:
            names = parameter_names(loaded, kernel)
            return None if names is None else names[place]
    return None
