"""Limits that the environment moves, and files that are read whole, up to such a limit.

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
from itertools import islice
from pathlib import Path

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, LimitError, Severity
from warpmill.analyzer.base.naming import suggestion

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
    """What a file holds. LimitError above the limit; OSError, for a device too."""
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


# Limits of inlining, of the stack and of events; light, so that the command line can name them.

MOST_VARIABLE_BYTES = 1 << 47
"""Bytes of a variable or a parameter: what the addresses of GPUs reach."""

MOST_INLINED = 200_000
"""Instructions that a kernel may grow to by inlining; each block counts as one more."""

MOST_INLINED_VARIABLE = "WARPMILL_MAX_INLINED"
"""The environment variable that moves the limit, as --max-inlined does; processes inherit it."""


MOST_STACK = 16 << 10
"""Bytes of local memory that a thread has for recursive calls and ``alloca``."""

MOST_STACK_VARIABLE = "WARPMILL_MAX_STACK"
"""The environment variable that moves the limit, as --max-stack does; processes inherit it."""


MOST_EVENT_BYTES = 1 << 30
"""Bytes that the events of CTAs that are held at once take, as warps write them down."""

MOST_EVENT_BYTES_VARIABLE = "WARPMILL_MAX_EVENT_BYTES"
"""The environment variable that moves the limit, as --max-event-bytes does."""


def most_event_bytes() -> int:
    """The bytes of events. InputError where the environment has no number."""
    return moved_limit(MOST_EVENT_BYTES_VARIABLE, MOST_EVENT_BYTES, "bytes")


def most_stack() -> int:
    """The bytes of a thread's stack. InputError where the environment has no number."""
    return moved_limit(MOST_STACK_VARIABLE, MOST_STACK, "bytes")


def most_inlined() -> int:
    """The limit of instructions. InputError where the environment has no number."""
    return moved_limit(MOST_INLINED_VARIABLE, MOST_INLINED, "instructions")


def moved_limit(variable: str, usual: int, unit: str) -> int:
    """A limit as the environment has it where it is moved there, else ``usual``. InputError."""
    given = os.environ.get(variable)
    if not given:
        return usual
    if not given.isascii() or not given.isdigit() or int(given) == 0:
        raise InputError(f"{variable}={given:.40} is no number of {unit}")
    return int(given)


# Files that a launch file names: whether they are there, and which ones are spelt alike.

_MAX_LISTED = 1000


def is_file(path: Path) -> bool:
    """Whether there is a file at ``path``; a name that no file can have names none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def nearby_files(path: Path, suffixes: tuple[str, ...]) -> str | None:
    """A hint that names files beside ``path`` which are spelt like it, or are all there are.

    None where there is nothing to say.
    """
    try:
        listed = sorted(p.name for p in islice(path.parent.iterdir(), _MAX_LISTED))
    except (OSError, ValueError):
        return None
    names = [name for name in listed if name.lower().endswith(suffixes)]
    near = suggestion(path.name, names)
    if near is not None or not names:
        return near
    return f"there are: {', '.join(names[:5])}{', …' if len(names) > 5 else ''}"
