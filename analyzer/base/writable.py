"""Whether files could be written, asked before the work whose results they are to hold."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.whole_files import target_of, unwritable


def check_folder_of(path: Path) -> Path:
    """Give the folder that a file or folder would be written to, through links. UsageError."""
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
