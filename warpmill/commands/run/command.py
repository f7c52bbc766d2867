"""``warpmill run``, and its buffers written to a folder or a .npz file, whole or not at all."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, UsageError
from warpmill.analyzer.base.opt import Opt, Without
from warpmill.analyzer.base.whole_files import (
    check_file,
    check_files,
    check_new_folder,
    target_of,
    unfinished_beside,
    write_whole,
)
from warpmill.cli.output import emit
from warpmill.cli.running import complain_of, run_target
from warpmill.session.options import LaunchOptions, Output, RunOptions, TargetOptions

if TYPE_CHECKING:
    from warpmill.session.runs import Run


@dataclass(frozen=True)
class KeptFiles:
    """Files that keep what a run did: its buffers, its calls."""

    save: Annotated[
        Path | None,
        Opt(
            "Write the buffers after the run, whole or not at all.",
            metavar="DIR|FILE.npz",
            writes="later",
        ),
    ] = None
    record: Annotated[
        Path | None,
        Opt(
            "Keep every call of the device with its data, as warpmill record does.",
            metavar="FILE",
            writes="later",
        ),
    ] = None


def run(
    source: TargetOptions,
    launch: Annotated[LaunchOptions, Without("launches")],
    options: RunOptions,
    kept: KeptFiles,
    output: Output,
) -> None:
    """Run kernels for real, on this computer's CPU or on a GPU, and show what came out."""
    from warpmill.commands.run.result import RunReport  # noqa: PLC0415
    from warpmill.session.records import save_run  # noqa: PLC0415 - slow to load

    if kept.save is not None:
        check_place(kept.save)
    check_files({"--output": output.output, "--record": kept.record})
    done = run_target(source, launch, replace(options, record=kept.record is not None))
    if kept.save is not None:
        _save(done, kept.save)
    if kept.record is not None:
        save_run(done, kept.record)
    report = RunReport(run=done, saved=_name(kept.save), recorded=_name(kept.record))
    complain_of(done.jobs)
    emit(report, output)


def _name(path: Path | None) -> str | None:
    return None if path is None else str(path)


def _save(run: Run, path: Path) -> None:
    if not run.buffers:
        raise UsageError(f"--save {path}: the run has left no buffers to save")
    save_arrays(run.outputs, path)


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
    else:
        check_new_folder(path)


def file_names(names: list[str]) -> list[str]:
    """Names that files can have, each once, also where upper and lower case are the same."""
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
        target = target_of(path)
        with unfinished_beside(target) as beside:
            folder = beside / "folder"
            folder.mkdir(0o755)
            for name, array in arrays.items():
                np.save(folder / f"{name}.npy", array, allow_pickle=False)
            folder.replace(target)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"{path} cannot be written: {reason}") from None
