"""Arrays written to a folder or a .npz file, whole or not at all."""

from __future__ import annotations

import io
import re
import shutil
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from analyzer.diagnostics import Diagnostic, Severity, UsageError
from analyzer.whole_files import write_whole
from warpmill.writable import check_file

_UNSAFE = re.compile(r"[^A-Za-z0-9_.-]+")


def save_arrays(arrays: Mapping[str, npt.NDArray[Any]], path: Path) -> list[str]:
    """Write arrays to ``path``, a file .npz or else a new folder; give the names they have there.

    Characters of a name that a file's should not have become underscores. UsageError where it
    cannot be written, or the folder holds something already.
    """
    names = file_names(list(arrays))
    named = dict(zip(names, arrays.values(), strict=True))
    if path.suffix.lower() == ".npz":
        held = io.BytesIO()
        np.savez(held, **named)  # type: ignore[arg-type] # its other parameter has no such name
        write_whole(path, held.getvalue())
    else:
        _folder(named, path)
    return names


def check_place(path: Path) -> None:
    """See that arrays could be written to ``path``, before they are made. UsageError."""
    if path.suffix.lower() == ".npz":
        check_file(path)
    elif path.suffix.lower() == ".npy":
        hint = f"{path.with_suffix('.npz').name} holds all buffers, {path.stem} is a folder of .npy"
        words = f"{path} would hold one array, and a run has several"
        raise UsageError(Diagnostic(Severity.ERROR, words, hint=hint))
    elif not path.resolve().parent.is_dir():
        raise UsageError(f"{path} cannot be written: there is no folder {path.parent}")
    elif path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise UsageError(f"{path} is there already, and no empty folder")


def file_names(names: list[str]) -> list[str]:
    """Give names that files can have, each once, also where upper and lower case are the same."""
    taken, found = {"file"}, []  # numpy.savez has a parameter of that name
    for name in names:
        plain = _UNSAFE.sub("_", name).strip(".") or "array"
        number, unique = 1, plain
        while unique.lower() in taken:
            number += 1
            unique = f"{plain}.{number}"
        taken.add(unique.lower())
        found.append(unique)
    return found


def _folder(arrays: Mapping[str, npt.NDArray[Any]], path: Path) -> None:
    """Write a folder beside its place, then move it there."""
    try:
        check_place(path)
        parent = path.resolve().parent
        unfinished = Path(tempfile.mkdtemp(prefix=f".{path.name[:40]}.", dir=parent))
        try:
            for name, array in arrays.items():
                np.save(unfinished / f"{name}.npy", array, allow_pickle=False)
            unfinished.chmod(0o755)
            unfinished.replace(path.resolve())
        except BaseException:
            with suppress(OSError):
                shutil.rmtree(unfinished)
            raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"{path} cannot be written: {reason}") from None
