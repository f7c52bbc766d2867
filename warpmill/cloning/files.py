"""A clone's folder: PTX, CUDA, a launch file, registers, and its model as data and as a graph."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, UsageError
from warpmill.analyzer.base.whole_files import (
    check_folder_of,
    target_of,
    temporary_folder,
    unfinished_beside,
    unwritable,
    write_whole,
)
from warpmill.cloning.clone import Cloned
from warpmill.cloning.dot import models_dot
from warpmill.codegen.leaks import Original, leaks
from warpmill.codegen.model import models_text
from warpmill.session.jobs import Job
from warpmill.session.registers import RECORD, recorded_registers

PTX, LAUNCH_FILE, MODEL, GRAPH = "clone.ptx", "launch.toml", "model.json", "model.dot"


@dataclass(frozen=True)
class Folder:
    """The files of a clone: texts by name."""

    files: Mapping[str, str]

    def write(self, path: Path) -> None:
        """Write them into a folder that is there."""
        for name, text in self.files.items():
            write_whole(path / name, text.encode())


def folder_of(cloned: Cloned, registers: int | None = None) -> Folder:
    """All that is written of a clone. AssertionError where any of it is the original's.

    ``registers`` are those of the original's threads where somebody says them.
    """
    files = dict(cloned.files.files)
    assert files.keys() >= {PTX, LAUNCH_FILE}
    files[RECORD] = _record(cloned, files[PTX], registers)
    files[MODEL] = models_text(cloned.models)
    files[GRAPH] = models_dot(cloned.models)
    check_leaks(cloned, files)
    return Folder(files)


def check_leaks(cloned: Cloned, files: Mapping[str, str]) -> None:
    """See that nothing of the original stands in the files. AssertionError: a bug in warpmill."""
    jobs = {id(j.kernel): j for j in cloned.studied.jobs}
    originals = [Original(j.loaded.module, j.kernel, j.loaded.path) for j in jobs.values()]
    found = leaks(originals, cloned.models, cloned.application, files)
    if found:
        raise AssertionError(f"the clone would carry over what is the original's: {found[0]}")


def _record(cloned: Cloned, ptx: str, registers: int | None) -> str:
    """Write down the registers of the originals' threads, so that clones are given as many."""
    compiled: dict[str, Any] = {}
    stated: dict[str, Any] = {}
    for model, group in zip(cloned.models, cloned.studied.groups, strict=True):
        job = cloned.studied.jobs[group[0]]
        known = recorded_registers(job.loaded, job.kernel)[0] if registers is None else {}
        if known:
            compiled[model.name] = {
                f"sm_{chip}": {"registers": count.registers_per_thread}
                for chip, count in sorted(known.items())
            }
        else:
            stated[model.name] = _stated(job, registers)
    entry: dict[str, Any] = {"sha256": hashlib.sha256(ptx.encode()).hexdigest()}
    if compiled:
        entry["ptxas"] = {"kernels": compiled}
    if stated:
        entry["stated"] = {"kernels": stated}
    return json.dumps({PTX: entry}, indent=2) + "\n"


def _stated(job: Job, registers: int | None) -> dict[str, Any]:
    """The registers that somebody says, or those that are assumed of the original."""
    most = job.kernel.bounds.max_registers
    if registers is not None:
        return {"registers": registers, "source": "--regs"}
    if most is not None:
        return {"registers": most, "source": "its .maxnreg"}
    return {"registers": job.analysis.live_registers, "source": "its live registers"}


# -- where it goes ---------------------------------------------------------------------------------


def check_folder(path: Path, *, force: bool) -> None:
    """See that a clone could be written to a folder, before it is made. UsageError."""
    check_folder_of(path)
    if not path.exists():
        return
    if not path.is_dir():
        raise UsageError(f"{path} is there already, and no folder")
    if any(path.iterdir()) and not force:
        words = f"{path} is there already, and not empty"
        hint = "--force replaces the files of a clone in it"
        raise UsageError(Diagnostic(Severity.ERROR, words, hint=hint))


@contextmanager
def beside(path: Path | None) -> Iterator[Path]:
    """A folder for unfinished files: beside where they will go, or anywhere. UsageError."""
    with ExitStack() as stack:
        try:
            made = temporary_folder() if path is None else unfinished_beside(target_of(path))
            folder = stack.enter_context(made) / "folder"
            folder.mkdir(0o755)
        except OSError as error:
            raise unwritable(path or Path(tempfile.gettempdir()), error) from None
        yield folder


def put(unfinished: Path, path: Path) -> None:
    """Move finished files to their folder: whole where it is new, one by one where it is not."""
    try:
        if path.exists() and any(path.iterdir()):
            for file in sorted(unfinished.iterdir()):
                file.replace(path / file.name)
            return
        unfinished.replace(target_of(path))
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror or error}") from None
