"""Files that are written whole or not at all, and whether they could be, asked before."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from errno import EISDIR, ELOOP
from pathlib import Path
from typing import BinaryIO

from warpmill.analyzer.base.diagnostics import UsageError


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


def target_of(path: Path) -> Path:
    """Where a path leads, through links, whether anything is there or not. OSError."""
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
    """Say that a file cannot be written, and why."""
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
