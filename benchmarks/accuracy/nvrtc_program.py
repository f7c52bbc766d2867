"""CUDA's run-time compiler as a program: what its library makes of one source.

::

    python -m benchmarks.accuracy.nvrtc_program LIBRARY                       version, chips
    python -m benchmarks.accuracy.nvrtc_program LIBRARY SOURCE PTX OPTION...  compile

It runs in a process of its own, as a process takes one version of the library. It needs no CUDA
toolkit and no compiler of the host, and makes the PTX that nvcc of its version makes. Exit code 1
with the library's words on the standard error where a source cannot be compiled.
"""

from __future__ import annotations

import ctypes
import json
import sys
from pathlib import Path


class NvrtcError(Exception):
    """What the library refuses, in its words."""


class Nvrtc:
    """The library at a path. OSError where it cannot be loaded."""

    def __init__(self, path: str) -> None:
        self._library = ctypes.CDLL(path)
        self._library.nvrtcGetErrorString.restype = ctypes.c_char_p

    def version(self) -> str:
        """Its version, of the CUDA release that it belongs to: 11.8."""
        major, minor = ctypes.c_int(), ctypes.c_int()
        self._call("nvrtcVersion", ctypes.byref(major), ctypes.byref(minor))
        return f"{major.value}.{minor.value}"

    def chips(self) -> list[int]:
        """The compute capabilities that it compiles for: 86 is 8.6."""
        count = ctypes.c_int()
        self._call("nvrtcGetNumSupportedArchs", ctypes.byref(count))
        found = (ctypes.c_int * count.value)()
        self._call("nvrtcGetSupportedArchs", found)
        return list(found)

    def compiled(self, text: bytes, name: str, options: list[str]) -> bytes:
        """The PTX of a source. NvrtcError with the compiler's messages."""
        program = ctypes.c_void_p()
        self._call("nvrtcCreateProgram", ctypes.byref(program), text, name.encode(), 0, None, None)
        words = (ctypes.c_char_p * len(options))(*(option.encode() for option in options))
        if self._library.nvrtcCompileProgram(program, len(options), words):
            raise NvrtcError(self._text(program, "ProgramLog").decode(errors="replace"))
        return self._text(program, "PTX")

    def _text(self, program: ctypes.c_void_p, what: str) -> bytes:
        size = ctypes.c_size_t()
        self._call(f"nvrtcGet{what}Size", program, ctypes.byref(size))
        held = ctypes.create_string_buffer(size.value)
        self._call(f"nvrtcGet{what}", program, held)
        return held.value

    def _call(self, name: str, *arguments: object) -> None:
        problem = getattr(self._library, name)(*arguments)
        if problem:
            raise NvrtcError(f"{name}: {self._library.nvrtcGetErrorString(problem).decode()}")


def main(words: list[str]) -> int:
    """Run the command line; its exit code."""
    library = Nvrtc(words[0])
    if len(words) == 1:
        print(json.dumps({"version": library.version(), "chips": library.chips()}))
        return 0
    source, ptx, *options = words[1:]
    try:
        made = library.compiled(Path(source).read_bytes(), Path(source).name, options)
    except NvrtcError as error:
        print(error, file=sys.stderr)
        return 1
    Path(ptx).write_bytes(made)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
