"""Files that are no kernel files but lead to some, and how: sources, Triton's steps."""

from __future__ import annotations

import re
from pathlib import Path

PTX_OF_SOURCE = "nvcc -ptx -lineinfo -arch=sm_80"
LLVM_OF_SOURCE = "clang -S -emit-llvm --cuda-device-only"

_LANGUAGES = {
    ".cu": "CUDA", ".cuh": "CUDA", ".hip": "HIP", ".cl": "OpenCL",
    ".cpp": "C++", ".cc": "C++", ".cxx": "C++", ".c": "C", ".py": "Python",
}  # fmt: skip

_STEPS = {
    ".ttir": "Triton's IR (TTIR)", ".ttgir": "Triton's IR for GPUs (TTGIR)",
    ".llir": "Triton's LLVM IR (LLIR)", ".mlir": "MLIR",
}  # fmt: skip
"""Intermediate files that compilers make on the way to PTX."""

PTX_OF_TRITON = (
    "Triton keeps the PTX beside it (~/.triton/cache/*/NAME.ptx); in Python "
    "`compiled = kernel[grid](...)` or `triton.compile(...)` has it: "
    "`open('kernel.ptx', 'w').write(compiled.asm['ptx'])`"
)
PTX_OF_NUMBA = (
    "numba has the PTX, without a GPU too: `ptx, _ = numba.cuda.compile_ptx(function, "
    "(numba.float32[:],), cc=(8, 0)); open('kernel.ptx', 'w').write(ptx)`, with the types of its "
    "arguments"
)
_IMPORTED = re.compile(r"^\s*(?:import|from)\s+(triton|numba)\b", re.MULTILINE)


def what_it_is(path: Path) -> str | None:
    """Kind of a file by its suffix, where it leads to kernel files; None for others."""
    suffix = path.suffix.lower()
    if suffix in _STEPS:
        return _STEPS[suffix]
    return None if suffix not in _LANGUAGES else f"a source in {_LANGUAGES[suffix]}"


def how_to_compile(path: Path, text: str = "") -> str:
    """Command that makes a kernel file of a file, whose ``text`` shows whose Python it is."""
    suffix = path.suffix.lower()
    language = _LANGUAGES.get(suffix)
    if suffix in _STEPS or language == "Python":
        return ptx_of_python(text) or (PTX_OF_TRITON if suffix in _STEPS else _PROGRAMS)
    clang = f"`{LLVM_OF_SOURCE} {path.name}` makes LLVM IR"
    if language == "OpenCL":
        return f"compile it first: `clang -S -emit-llvm -target nvptx64 {path.name}` makes LLVM IR"
    if language == "HIP":
        return f"compile it first: {clang}"
    return f"compile it first: `{PTX_OF_SOURCE} {path.name}` makes PTX, {clang}"


_PROGRAMS = "`warpmill run` takes host programs; this needs a kernel file (.ptx, .ll, .bc)"


def ptx_of_python(text: str) -> str | None:
    """How PTX comes from the kernels in a Python text; None where none are known."""
    found = _IMPORTED.search(text)
    if found is None:
        return None
    return PTX_OF_TRITON if found[1] == "triton" else PTX_OF_NUMBA
