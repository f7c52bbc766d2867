"""NVRTC in a process of its own: one request on standard input, one answer on standard output.

Both are JSON objects. It imports nothing of warpmill, and is run by path. ``task`` is "version" or
"compile"; ``library`` is the path of libnvrtc. The answer to a compilation has the ``log``, and
where it succeeds the ``ptx`` and the mangled ``name`` of the ``instance`` that was asked for.
"""

import ctypes
import json
import os
import sys
from typing import Any


def main() -> None:
    """Answer the request; what the library itself prints goes to standard error."""
    request = json.loads(sys.stdin.buffer.read())
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    json.dump(_answer(request), answers)


def _answer(request: dict[str, Any]) -> dict[str, Any]:
    try:
        library = ctypes.CDLL(request["library"])
    except OSError as error:
        return {"log": str(error)}
    if request["task"] == "version":
        major, minor = ctypes.c_int(), ctypes.c_int()
        library.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor))
        return {"version": [major.value, minor.value]}
    return _compiled(library, request)


def _compiled(library: ctypes.CDLL, request: dict[str, Any]) -> dict[str, Any]:
    library.nvrtcGetErrorString.restype = ctypes.c_char_p
    program = ctypes.c_void_p()
    source, name = (_bytes(request[key]) for key in ("source", "name"))
    code = library.nvrtcCreateProgram(ctypes.byref(program), source, name, 0, None, None)
    if code:
        return {"log": library.nvrtcGetErrorString(code).decode()}
    instance = request["instance"]
    if instance is not None:
        library.nvrtcAddNameExpression(program, _bytes(instance))
    options = [_bytes(option) for option in request["options"]]
    array = (ctypes.c_char_p * len(options))(*options)
    code = library.nvrtcCompileProgram(program, len(options), array)
    answer: dict[str, Any] = {"log": _text(library, program, "ProgramLog")}
    if code:
        answer["log"] = answer["log"] or library.nvrtcGetErrorString(code).decode()
        return answer
    answer["ptx"] = _text(library, program, "PTX")
    if instance is not None:
        lowered = ctypes.c_char_p()
        library.nvrtcGetLoweredName(program, _bytes(instance), ctypes.byref(lowered))
        answer["name"] = None if lowered.value is None else lowered.value.decode()
    return answer


def _text(library: ctypes.CDLL, program: ctypes.c_void_p, what: str) -> str:
    size = ctypes.c_size_t()
    getattr(library, f"nvrtcGet{what}Size")(program, ctypes.byref(size))
    buffer = ctypes.create_string_buffer(max(1, size.value))
    getattr(library, f"nvrtcGet{what}")(program, buffer)
    return buffer.value.decode("utf-8", "replace")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


if __name__ == "__main__":
    main()
