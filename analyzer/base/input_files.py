"""Files that are read: whole, up to a limit, whatever stands behind their name.

A file may be larger than memory, a pipe may never end, a device gives bytes without end, and a few
compressed bytes may unpack to very many. Each reader says how much it takes; ``LIMIT_VARIABLE``
moves all of these limits at once.
"""

from __future__ import annotations

import errno
import os
import stat
import threading
from collections.abc import Callable
from io import BufferedReader
from pathlib import Path

from warpmill.analyzer.base.diagnostics import Diagnostic, LimitError, Severity
from warpmill.analyzer.base.limits import moved_limit

LIMIT_VARIABLE = "WARPMILL_MAX_INPUT"
"""The environment variable that says how many bytes of an input are read, uncompressed."""

MAX_UNPACKED_BYTES = 1 << 30
"""What a compressed input may unpack to, where nothing else is said."""

PIPE_S = 10.0
"""How long a pipe is waited for that nobody has opened to write."""

_PIECE_BYTES = 1 << 22


def input_limit(usual: int) -> int:
    """Bytes of an input that are read: ``usual``, or what ``LIMIT_VARIABLE`` says. InputError."""
    return moved_limit(LIMIT_VARIABLE, usual, "bytes")


def read_input(path: Path, usual: int) -> bytes:
    """Give what a file holds. LimitError above the limit; OSError, for a device too."""
    limit = input_limit(usual)
    with open_input(path) as file:
        if os.fstat(file.fileno()).st_size > limit:
            raise too_large(path, limit)
        return bytes(read_up_to(file.read, limit, path))


def read_up_to(
    read: Callable[[int], bytes], limit: int, name: object, before: bytes = b""
) -> bytearray:
    """Read to the end, so much at a time that memory grows only with what comes. LimitError.

    ``before`` is what was read already.
    """
    data = bytearray(before)
    while len(data) <= limit and (piece := read(_PIECE_BYTES)):
        data += piece
    if len(data) > limit:
        raise too_large(name, limit)
    return data


def too_large(name: object, limit: int, what: str = "the input") -> LimitError:
    """Say that an input has more bytes than are read."""
    words = f"{what} has more than {limit} bytes, which are the most that is read"
    hint = f"{LIMIT_VARIABLE}=BYTES in the environment reads more"
    return LimitError(Diagnostic(Severity.ERROR, words, str(name), hint=hint))


def open_input(path: Path) -> BufferedReader:
    """Open a file or a pipe to read. OSError, for a folder and a device too.

    A pipe is waited for as long as somebody may still write to it, or for ``PIPE_S``.
    """
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        raise OSError(errno.EINVAL, "this is a device, not a file")
    if stat.S_ISSOCK(mode):
        raise OSError(errno.EINVAL, "this is a socket, not a file")
    return _opened_pipe(path) if stat.S_ISFIFO(mode) else path.open("rb")


def _opened_pipe(path: Path) -> BufferedReader:
    """Open a pipe, which takes until somebody opens it to write."""
    opened: list[BufferedReader] = []
    waiting = threading.Thread(target=lambda: opened.append(path.open("rb")), daemon=True)
    waiting.start()
    waiting.join(PIPE_S)
    if waiting.is_alive():
        os.close(os.open(path, os.O_RDWR | os.O_NONBLOCK))  # lets the thread go on
        waiting.join()
        opened[0].close()
        raise OSError(errno.ETIMEDOUT, f"nobody has opened this pipe to write for {PIPE_S:g} s")
    return opened[0]
