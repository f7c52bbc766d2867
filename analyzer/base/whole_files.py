"""Files read whole, up to a limit, and files written whole or not at all.

A file may be larger than memory, a pipe may never end, a device gives bytes without end, and a few
compressed bytes may unpack to very many. Each reader says how much it takes; ``LIMIT_VARIABLE``
moves all of these limits at once. Whether a file could be written is asked before work begins.
"""

from __future__ import annotations

import errno
import fcntl
import os
import re
import shutil
import stat
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from errno import EISDIR, ELOOP
from io import BufferedReader
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from warpmill.analyzer.base.diagnostics import (
    Diagnostic,
    InputError,
    LimitError,
    Severity,
    UsageError,
)
from warpmill.analyzer.base.naming import suggestion


def write_whole(path: Path, data: bytes) -> None:
    """Write a file; a pipe or a device is written as it is. UsageError."""
    try:
        if is_special(path):
            path.write_bytes(data)
            return
        with whole_file(path) as file:
            file.write(data)
    except OSError as error:
        raise unwritable(path, error) from None


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Open a file under another name; it takes the place of ``path`` once all of it is there.

    A link stays: what it points to is replaced, and keeps its permissions; a new file gets the
    usual ones. After an error nothing of it is left; what a process leaves that is killed meanwhile
    goes when the same file is written next. OSError where it cannot be written, and for a folder.
    """
    target = target_of(path)
    if target.is_dir():
        raise IsADirectoryError(EISDIR, "it is a folder")
    mode = target.stat().st_mode & 0o777 if target.exists() else _usual_mode()
    with unfinished_beside(target) as folder:
        unfinished = folder / "file"
        with unfinished.open("wb") as file:
            yield file
        unfinished.chmod(mode)
        unfinished.replace(target)


def user_cache() -> Path:
    """The folder of a user's files that can be made again. OSError where nobody's home is known."""
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "warpmill"
    except RuntimeError as error:
        raise OSError(str(error)) from None


def target_of(path: Path) -> Path:
    """Target of a path through links, whether anything is there or not. OSError."""
    try:
        return path.resolve()
    except RuntimeError:  # what links that lead to each other are to Python before 3.13
        raise OSError(ELOOP, os.strerror(ELOOP)) from None


@contextmanager
def unfinished_beside(target: Path) -> Iterator[Path]:
    """Make a folder beside a file or folder for what is to become it; in the end it is gone.

    It is locked as long as its process works: those of processes that were killed are swept first.
    OSError.
    """
    prefix = f".{target.name[:40]}."
    _sweep(target.parent, prefix)
    folder = Path(tempfile.mkdtemp(prefix=prefix, suffix=_UNFINISHED, dir=target.parent))
    lock = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # a disk without locks, where nothing is swept either
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def temporary_folder() -> AbstractContextManager[Path]:
    """Make a folder for what is needed meanwhile. OSError."""
    return unfinished_beside(Path(tempfile.gettempdir(), "warpmill"))


_UNFINISHED = ".unfinished"


def _sweep(parent: Path, prefix: str) -> None:
    """Remove what killed processes have left: folders of this name that nobody has locked."""
    name = re.compile(rf"{re.escape(prefix)}\w{{8}}{re.escape(_UNFINISHED)}")
    with os.scandir(parent) as entries:
        left = [e.path for e in entries if name.fullmatch(e.name)]
    for path in left:
        with suppress(OSError):  # gone meanwhile, locked, or another user's
            lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                if time.time() - os.fstat(lock).st_mtime > _YOUNG_S:  # not one about to be locked
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(path, ignore_errors=True)
            finally:
                os.close(lock)


_YOUNG_S = 1.0
"""Age under which a folder may be one that its process is about to lock."""


def is_special(path: Path) -> bool:
    """Whether there is a pipe or a device, which no file may take the place of."""
    return path.exists() and not path.is_file() and not path.is_dir()


def unwritable(path: Path, error: OSError) -> UsageError:
    """Error of a file that cannot be written, with the reason."""
    return UsageError(f"{path} cannot be written: {error.strerror or error}")


def _usual_mode() -> int:
    """The permissions that new files get."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


# Whether files could be written, asked before the work whose results they are to hold.


def check_folder_of(path: Path) -> Path:
    """The folder that a file or folder would be written to, through links. UsageError."""
    try:
        target = target_of(path)
    except OSError as error:
        raise unwritable(path, error) from None
    if not target.parent.is_dir():
        what = f"there is no folder {path.parent}"
        if path.is_symlink():
            what = f"it is a link to {target}, and there is no folder {target.parent}"
        raise UsageError(f"{path} cannot be written: {what}")
    return target.parent


def check_new_folder(path: Path) -> None:
    """See that a folder is empty, or could be made. UsageError."""
    check_folder_of(path)
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise UsageError(f"{path} is there already, and no empty folder")


def check_file(path: Path) -> None:
    """See that a file could be written. UsageError."""
    folder = check_folder_of(path)
    if path.is_dir():
        raise UsageError(f"{path} cannot be written: it is a folder")
    replaced = path.is_file() or not path.exists()  # a pipe or a device is written as it is
    if not os.access(folder if replaced else path, os.W_OK):  # rights, or a disk to be read only
        what = f"the folder {folder if path.is_symlink() else path.parent}" if replaced else "it"
        raise UsageError(f"{path} cannot be written: {what} is not writable")


def check_files(files: Mapping[str, Path | None], read: Mapping[Path, str] | None = None) -> None:
    """See that files could be written, by the options that name them, and are files apart.

    ``read`` are files that are there already and stay, with their options. UsageError.
    """
    there = dict(read or {})
    for option, path in files.items():
        if path is None:
            continue
        check_file(path)
        other = there.setdefault(path.resolve(), option)
        if other != option and not (path.exists() and not path.is_file()):  # a device holds two
            raise UsageError(f"{other} and {option} name the same file, {path}")


LIMIT_VARIABLE = "WARPMILL_MAX_INPUT"
"""The environment variable that says how many bytes of an input are read, uncompressed."""

MAX_UNPACKED_BYTES = 1 << 30
"""Most bytes that a compressed input may unpack to by default."""

PIPE_S = 10.0
"""How long a pipe is waited for that nobody has opened to write."""

_PIECE_BYTES = 1 << 22


def input_limit(usual: int) -> int:
    """Bytes of an input that are read: ``usual``, or what ``LIMIT_VARIABLE`` says. InputError."""
    return moved_limit(LIMIT_VARIABLE, usual, "bytes")


def read_input(path: Path, usual: int) -> bytes:
    """Contents of a file. LimitError above the limit; OSError, for a device too."""
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
    """Error of an input that has more bytes than are read."""
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
