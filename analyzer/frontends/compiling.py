"""How kernel files come from sources, for those who give a source instead."""

from __future__ import annotations

from pathlib import Path

PTX_OF_SOURCE = "nvcc -ptx -lineinfo -arch=sm_80"
LLVM_OF_SOURCE = "clang -S -emit-llvm --cuda-device-only"

_LANGUAGES = {
    ".cu": "CUDA", ".cuh": "CUDA", ".hip": "HIP", ".cl": "OpenCL",
    ".cpp": "C++", ".cc": "C++", ".cxx": "C++", ".c": "C",
}  # fmt: skip


def language_of(path: Path) -> str | None:
    """Give the language of a source by its suffix; None for other files."""
    return _LANGUAGES.get(path.suffix.lower())


def how_to_compile(path: Path) -> str:
    """Say what makes a kernel file of a source: PTX of CUDA, LLVM IR of all."""
    clang = f"`{LLVM_OF_SOURCE} {path.name}` makes LLVM IR"
    language = language_of(path)
    if language == "OpenCL":
        return f"compile it first: `clang -S -emit-llvm -target nvptx64 {path.name}` makes LLVM IR"
    if language == "HIP":
        return f"compile it first: {clang}"
    return f"compile it first: `{PTX_OF_SOURCE} {path.name}` makes PTX, {clang}"
