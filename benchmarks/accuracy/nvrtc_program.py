"""CUDA's run-time compiler as a program: what its library makes of one source.

::

    python -m benchmarks.accuracy.nvrtc_program LIBRARY                       version, chips
    python -m benchmarks.accuracy.nvrtc_program LIBRARY SOURCE PTX OPTION...  compile

It runs in a process of its own, as a process takes one version of the library. It needs no CUDA
toolkit and no compiler of the host, and makes the PTX that nvcc of its version makes. It ends with
the library's words where a source cannot be compiled.
"""

from __future__ import annotations

import ctypes
import json
import sys
from pathlib import Path


class Nvrtc:
    """The library at a path. OSError where it cannot be loaded, SystemExit for what it refuses."""

    def __init__(self, path: str) -> None:
        self._library = ctypes.CDLL(path)
        self._library.nvrtcGetErrorString.restype = ctypes.c_char_p

    def about(self) -> dict[str, object]:
        """The CUDA release that it is of, and the compute capabilities that it compiles for."""
        major, minor, count = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
        self._call("nvrtcVersion", ctypes.byref(major), ctypes.byref(minor))
        self._call("nvrtcGetNumSupportedArchs", ctypes.byref(count))
        chips = (ctypes.c_int * count.value)()
        self._call("nvrtcGetSupportedArchs", chips)
        return {"version": f"{major.value}.{minor.value}", "chips": list(chips)}

    def compiled(self, source: Path, options: list[str]) -> bytes:
        """The PTX of a source."""
        program, name = ctypes.c_void_p(), source.name.encode()
        text = source.read_bytes()
        self._call("nvrtcCreateProgram", ctypes.byref(program), text, name, 0, None, None)
        words = (ctypes.c_char_p * len(options))(*(option.encode() for option in options))
        if self._library.nvrtcCompileProgram(program, len(options), words):
            sys.exit(self._text(program, "ProgramLog").decode(errors="replace"))
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
            sys.exit(f"{name}: {self._library.nvrtcGetErrorString(problem).decode()}")


def main(library: str, *words: str) -> None:
    """Run the command line."""
    if not words:
        print(json.dumps(Nvrtc(library).about()))
        return
    source, ptx, *options = words
    Path(ptx).write_bytes(Nvrtc(library).compiled(Path(source), options))


if __name__ == "__main__":
    main(*sys.argv[1:])
