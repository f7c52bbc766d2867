"""Sources as people write them: whose language a text is, the kernel templates in it, and steps.

Files that are no sources but lead to kernel files (Python, Triton's steps) are told of as well.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path, PurePath

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, Severity, Source
from warpmill.analyzer.frontends.compilers.options import SOURCE_SUFFIXES, Language

_STEPS = {
    ".ttir": "Triton's IR (TTIR)", ".ttgir": "Triton's IR for GPUs (TTGIR)",
    ".llir": "Triton's LLVM IR (LLIR)", ".mlir": "MLIR",
}  # fmt: skip
"""Intermediate files that compilers make on the way to PTX."""

PTX_OF_SOURCE = "nvcc -ptx -lineinfo -arch=sm_80"
"""The command that makes PTX of a source."""

PTX_OF_TRITON = (
    "Triton keeps the PTX beside it (~/.triton/cache/*/NAME.ptx); in Python "
    "`warpmill.triton.prepare(kernel, grid, *arguments)` compiles it without a GPU, and "
    "`compiled = kernel[grid](...)` has it as `compiled.asm['ptx']`"
)
PTX_OF_NUMBA = (
    "in Python `warpmill.numba.prepare(function, (blocks, threads), *arguments)` compiles it "
    "without a GPU; `numba.cuda.compile_ptx(function, (numba.float32[:],), cc=(8, 0))` has its "
    "PTX"
)
_IMPORTED = re.compile(r"^\s*(?:import|from)\s+(triton|numba)\b", re.MULTILINE)
_PROGRAMS = "`warpmill run` takes host programs; this needs a kernel file (.ptx, .ll, .bc)"


def what_it_is(path: Path) -> str | None:
    """Kind of a file by its suffix, where it leads to kernel files; None for others."""
    suffix = path.suffix.lower()
    return "a source in Python" if suffix == ".py" else _STEPS.get(suffix)


def how_to_compile(path: Path, text: str = "") -> str:
    """How a kernel file comes of a file, whose ``text`` shows whose Python it is."""
    known = ptx_of_python(text)
    return known or (PTX_OF_TRITON if path.suffix.lower() in _STEPS else _PROGRAMS)


def ptx_of_python(text: str) -> str | None:
    """How PTX comes from the kernels in a Python text; None where none are known."""
    found = _IMPORTED.search(text)
    if found is None:
        return None
    return PTX_OF_TRITON if found[1] == "triton" else PTX_OF_NUMBA


# The language of a text.

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_HIP = re.compile(r"^\s*#\s*include\s*[<\"]hip/", re.MULTILINE)
_CUDA = re.compile(r"\b__global__\b")
_OPENCL = re.compile(r"\b(?:__kernel|kernel)\s+(?:__attribute__|void)\b")
_SYCL = re.compile(r"^\s*#\s*include\s*[<\"](?:sycl/|CL/sycl)", re.MULTILINE)


def language_of(source: Source) -> Language:
    """The language of a source, by its name and its text. InputError where it has no kernels."""
    named = SOURCE_SUFFIXES.get(PurePath(source.name).suffix.lower(), "C++")
    text = without_comments(source.text)
    if named == "OpenCL":
        return named
    if _HIP.search(text):
        return "HIP"
    if named in ("CUDA", "HIP"):
        return named
    if _CUDA.search(text):
        return "CUDA"
    if named == "C" and _OPENCL.search(text):
        return "OpenCL"
    if _SYCL.search(text):
        words = "this is a source in SYCL, whose device code comes of a SYCL compiler"
        hint = "`icpx -fsycl -fsycl-device-only -S -emit-llvm` makes LLVM IR, which is read"
        raise InputError(Diagnostic(Severity.ERROR, words, source.name, hint=hint))
    words = f"this is a source in {named} without kernels: no `__global__` is in it"
    hint = "kernels are written in CUDA (.cu), HIP (.hip) or OpenCL (.cl)"
    raise InputError(Diagnostic(Severity.ERROR, words, source.name, hint=hint))


def without_comments(text: str) -> str:
    """A text whose comments are blank; its lines stay where they are."""
    return _COMMENT.sub(lambda found: "\n" * found[0].count("\n") or " ", text)


# Kernel templates.

_TEMPLATE = re.compile(r"\btemplate\s*<")
_KERNEL = re.compile(
    r"\s*(?:(?!\btemplate\b)[^;{}])*?\b__global__\b[^;{}]*?"
    r"\b(?P<name>[A-Za-z_]\w*)\s*\((?=[^;{]*\)\s*[{;])"
)
_BOUNDS = re.compile(r"__launch_bounds__|__attribute__|__cluster_dims__|alignas")
_AFTER_BOUNDS = re.compile(r"\)\s*(?:void\s+)?([A-Za-z_]\w*)\s*\(")
_DEFAULT = re.compile(r"=.*", re.DOTALL)


@dataclass(frozen=True)
class KernelTemplate:
    """A kernel template of a source: its name, its parameters' names, and its line."""

    name: str
    parameters: tuple[str, ...]
    line: int

    def __str__(self) -> str:
        return f"{self.name}<{', '.join(self.parameters)}>"


def kernel_templates(text: str) -> tuple[KernelTemplate, ...]:
    """The kernel templates of a CUDA or HIP source, in its order, each name once."""
    plain = without_comments(text)
    found: dict[str, KernelTemplate] = {}
    for match in _TEMPLATE.finditer(plain):
        end = _closing(plain, match.end())
        kernel = None if end is None else _KERNEL.match(plain, end + 1)
        inside = plain[match.end() : end]
        if kernel is None or not inside.strip():  # no kernel's, or a specialisation
            continue
        name = kernel["name"]
        if _BOUNDS.fullmatch(name):
            later = _AFTER_BOUNDS.search(plain, kernel.end("name"))
            if later is None:
                continue
            name = later[1]
        parameters = tuple(_parameter(p) for p in _split(inside))
        line = plain.count("\n", 0, match.start()) + 1
        found.setdefault(name, KernelTemplate(name, parameters, line))
    return tuple(found.values())


def _closing(text: str, start: int) -> int | None:
    """Place of the ``>`` that closes a parameter list, those in brackets apart."""
    depth = 1
    for place in range(start, min(len(text), start + _LONGEST_LIST)):
        depth += (text[place] in "<(") - (text[place] in ">)")
        if depth == 0:
            return place
    return None


_LONGEST_LIST = 4096


def _parameter(text: str) -> str:
    words = re.findall(r"\w+", _DEFAULT.sub("", text))
    return words[-1] if words else "?"


def _split(text: str) -> list[str]:
    """The parts of a parameter list between commas that stand in no brackets."""
    parts, depth, start = [], 0, 0
    for place, sign in enumerate(text):
        depth += (sign in "<([") - (sign in ">)]")
        if sign == "," and depth == 0:
            parts.append(text[start:place])
            start = place + 1
    return [part for part in (*parts, text[start:]) if part.strip()]
