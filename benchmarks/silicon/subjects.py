"""What is run on a GPU: workloads as compilers leave them, and clones of them.

Hashes of what the executor gives for them are kept; clones in CUDA C++ are built by nvcc, and run.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from warpmill.analyzer.base.diagnostics import WarpmillError
from warpmill.analyzer.base.whole_files import write_whole
from warpmill.benchmarks.silicon.gpu import output
from warpmill.checks import Check
from warpmill.cloning.api import clone
from warpmill.cloning.files import LAUNCH_FILE, PTX
from warpmill.cloning.options import CloneOptions
from warpmill.session.options import RunOptions
from warpmill.session.run import run
from warpmill.session.workload_runs import run_workload
from warpmill.session.workloads import PTX_BUILDS, WorkloadTarget, kept_text, workloads

CLONE = "clone"
"""What stands for the build of a clone."""

CUDA = "clone.cu"


@dataclass(frozen=True)
class Subject:
    """A workload at a preset in a build, or its clone in a folder of clones."""

    target: WorkloadTarget
    clones: Path | None = None

    @property
    def names(self) -> dict[str, Any]:
        """What its rows are called by."""
        build = self.target.build if self.clones is None else CLONE
        name, preset = self.target.workload.name, self.target.preset
        return {"workload": name, "preset": preset, "build": build}

    @property
    def title(self) -> str:
        """How it is called: ``bfs:small:sm_90``, ``bfs:small:clone``."""
        return ":".join(self.names.values())

    @property
    def folder(self) -> Path:
        """Where the files of a clone are."""
        assert self.clones is not None
        return self.clones / f"{self.target.workload.name}-{self.target.preset}"

    def run(
        self, options: RunOptions, *, checked: bool
    ) -> tuple[dict[str, str], tuple[Check, ...]]:
        """The SHA-256 of each result by its name, and the checks of them; clones have none.

        Errors as ``warpmill.run``.
        """
        if self.clones is not None:
            done = run(self.folder / LAUNCH_FILE, options=options)
            return {buffer.name: buffer.sha256 for buffer in done.buffers}, ()
        made = run_workload(self.target, options=options, checked=checked)
        return {buffer.name: buffer.sha256 for buffer in made.run.buffers}, made.checks

    def digest(self) -> str:
        """Hash the files that its results follow from: hexadecimal, 16 digits."""
        if self.clones is not None:
            paths = [self.folder / PTX, self.folder / LAUNCH_FILE]
        else:
            workload = self.target.workload
            modules = workload.form.module
            named = sorted(workload.module_file(m.name, self.target.build) for m in modules)
            paths = [*named, workload.program, workload.folder / "workload.toml"]
        words = b"".join(path.name.encode() + sha256(_contents(path)).digest() for path in paths)
        return sha256(words).hexdigest()[:16]


def _contents(path: Path) -> bytes:
    """What is read for a file of a workload, which is not kept where another one gives it."""
    text = None if path.is_file() else kept_text(path)
    return path.read_bytes() if text is None else text.encode()


def build_for(capability: int) -> str:
    """The newest build of the workloads that a GPU takes. ValueError where it takes none."""
    able = [build for build in PTX_BUILDS if int(build.removeprefix("sm_")) <= capability]
    if not able:
        raise ValueError(f"workloads are built for {', '.join(PTX_BUILDS)}, not for {capability}")
    return able[-1]


def subjects(presets: Sequence[str], build: str, only: Sequence[str] = ()) -> list[Subject]:
    """List the workloads at presets that begin with these words, all of one word first."""
    return [
        Subject(WorkloadTarget(workload, preset, build))
        for word in presets
        for workload in workloads().values()
        if (not only or workload.name in only) and build in workload.builds
        for preset in workload.presets
        if preset == word or preset.startswith(f"{word}-")
    ]


def cloned(of: Sequence[Subject], clones: Path) -> list[Subject]:
    """List the clones that a folder has of subjects."""
    every = [Subject(one.target, clones) for one in of]
    return [one for one in every if (one.folder / LAUNCH_FILE).is_file()]


def make_clones(of: Sequence[Subject], clones: Path, say: Callable[[str], None]) -> list[str]:
    """Clone subjects for their own chip; say which cannot be, and why.

    Clones that are there stay as they are.
    """
    clones.mkdir(parents=True, exist_ok=True)
    failures = []
    for place, one in enumerate(of):
        made = Subject(one.target, clones)
        if (made.folder / LAUNCH_FILE).is_file():
            continue
        say(f"{place + 1} of {len(of)}: {one.title}")
        try:
            clone(one.target.title, made.folder, CloneOptions(chip=one.target.build, compare=False))
        except WarpmillError as error:
            failures.append(f"{made.title}: {str(error).splitlines()[0]}")
    return failures


def known_results(path: Path) -> dict[str, dict[str, Any]]:
    """The hashes of results by their names, with that of their files, by titles of subjects."""
    known: dict[str, dict[str, Any]] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return known


def executed(todo: Sequence[Subject], path: Path, workers: int, say: Callable[[str], None]) -> None:
    """Run subjects on the executor, and keep the hashes of their results.

    Those whose files are as they were are not run again.
    """
    found = known_results(path)
    wanted = [one for one in todo if found.get(one.title, {}).get("files") != one.digest()]
    with ProcessPoolExecutor(workers) as pool:
        every = zip(wanted, pool.map(_hashes, wanted), strict=True)
        for number, (subject, results) in enumerate(every, 1):
            found[subject.title] = {"files": subject.digest(), "results": results}
            words = json.dumps(dict(sorted(found.items())), indent=1) + "\n"
            write_whole(path, words.encode())
            say(f"{number} of {len(wanted)}: {subject.title}")


def _hashes(subject: Subject) -> dict[str, str]:
    return subject.run(RunOptions(), checked=False)[0]


BUILT_S, RAN_S = 120, 30
"""Seconds after which nvcc, and a program, are stopped."""


def built_and_run(clones: Sequence[Subject], workers: int) -> list[dict[str, Any]]:
    """Build clones side by side, and run them one after another: a row each.

    ``built`` and ``ran`` are empty where all went well, else what was said; ``ran`` is None where
    there was nothing to run.
    """
    with tempfile.TemporaryDirectory() as folder:
        programs = [Path(folder) / str(number) for number in range(len(clones))]
        with ThreadPoolExecutor(workers) as pool:
            built = list(pool.map(_built, clones, programs))
        return [
            one.names | {"built": why, "ran": None if why else _problem([str(program)], RAN_S)}
            for one, program, why in zip(clones, programs, built, strict=True)
        ]


def _built(clone: Subject, program: Path) -> str:
    arch = f"-arch={clone.target.build}"
    return _problem(["nvcc", arch, "-o", str(program), str(clone.folder / CUDA)], BUILT_S)


def _problem(words: Sequence[str], timeout_s: float) -> str:
    """Run a command: nothing where it ends with 0, else why not."""
    try:
        output(words, timeout_s)
    except RuntimeError as error:
        return str(error)
    return ""
