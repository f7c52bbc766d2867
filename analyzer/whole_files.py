"""Files that are written whole or not at all: others see the old one, or the whole new one."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EISDIR
from pathlib import Path
from typing import BinaryIO

from analyzer.diagnostics import UsageError


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

    What a link points to is replaced, and keeps its permissions; a new file gets the usual ones.
    After an error nothing of it is left. OSError where it cannot be written, and for a folder.
    """
    target = path.resolve()
    if target.is_dir():
        raise IsADirectoryError(EISDIR, "it is a folder")
    mode = target.stat().st_mode & 0o777 if target.exists() else _usual_mode()
    handle, name = tempfile.mkstemp(prefix=f".{target.name[:40]}.", dir=target.parent)
    unfinished = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        unfinished.chmod(mode)
        unfinished.replace(target)
    except BaseException:
        with suppress(OSError):
            unfinished.unlink()
        raise


def is_special(path: Path) -> bool:
    """Whether there is a pipe or a device, which no file may take the place of."""
    return path.exists() and not path.is_file() and not path.is_dir()


def unwritable(path: Path, error: OSError) -> UsageError:
    """Say that a file cannot be written, and why."""
    return UsageError(f"{path} cannot be written: {error.strerror or error}")


def _usual_mode() -> int:
    """Give the permissions that new files get."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
