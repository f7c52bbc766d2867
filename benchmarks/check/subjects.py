"""What faults are planted in: workloads at their smallest preset, samples, and kernels of here.

A subject has its modules as texts, and runs with other texts in their place.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends.load import kernel_of, text_of
from warpmill.benchmarks.benchmark import ROOT
from warpmill.benchmarks.check.programs import PROGRAMS, Program
from warpmill.session.options import LaunchOptions, RunOptions
from warpmill.session.prepare import prepare_all
from warpmill.session.runs import LaunchRun, Run, make_device, run_jobs, run_made
from warpmill.session.workload_runs import run_workload
from warpmill.session.workloads import DEFAULT_BUILD, Workload, WorkloadTarget, workloads

TINY = "tiny"
SAMPLES = {
    "binomial": {"options": 256, "large": 2}, "bitonic": {"n": 2048}, "lud": {"n": 48},
    "matmul": {"n": 48}, "nw": {"n": 48}, "reduce": {"n": 3000}, "scan": {"n": 2000},
    "spmv": {"rows": 200, "cols": 200}, "stencil5": {"width": 50, "height": 30},
    "transpose": {"rows": 50, "columns": 70}, "vecadd": {"n": 1000},
    "trisolve": {"n": 24, "sides": 40, "m": 8, "batch": 40},
}  # fmt: skip
"""The samples, and sizes that leave a part of a tile or a CTA over where kernels allow it."""

Texts = Mapping[str, str]
"""Texts of modules, by name."""


class Subject(Protocol):
    """A program with kernels: its name, and its modules as texts."""

    @property
    def name(self) -> str:
        """Its name: that of a workload with its preset, of a sample, of a program of here."""

    @property
    def texts(self) -> Texts:
        """Its modules as they are."""

    def run(self, options: RunOptions, texts: Texts, *, checked: bool = False) -> Run:
        """A run with these modules; ``checked``: ValueError where its results are wrong."""


@dataclass(frozen=True)
class _WithTexts(Workload):
    """A workload with other texts as its modules."""

    texts: Texts

    def module(self, module: str, build: str) -> Source:
        """One of the texts, under the name of the file that it stands for."""
        return Source(str(self.module_file(module, build)), self.texts[module])


@dataclass(frozen=True)
class WorkloadSubject:
    """A workload at its smallest preset, in its build for sm_80."""

    workload: Workload

    @property
    def name(self) -> str:
        """Its name and preset."""
        return f"{self.workload.name}:{TINY}"

    @property
    def texts(self) -> Texts:
        """Its modules."""
        return {one.name: self._text(one.name) for one in self.workload.form.module}

    def _text(self, module: str) -> str:
        found = self.workload.module(module, DEFAULT_BUILD)
        return found.text if isinstance(found, Source) else found.read_text("utf-8")

    def run(self, options: RunOptions, texts: Texts, *, checked: bool = False) -> Run:
        """Run its host program."""
        own = self.workload
        target = WorkloadTarget(_WithTexts(own.name, own.folder, own.form, texts), TINY)
        done = run_workload(target, options=options, checked=checked)
        if checked and not done.passed:
            raise ValueError(f"{self.name}: its results are wrong")
        return done.run


@dataclass(frozen=True)
class SampleSubject:
    """A sample's launch file, with small sizes. That it is right, benchmark execution says."""

    name: str
    sizes: Mapping[str, int]

    @property
    def _file(self) -> Path:
        return ROOT / "samples" / self.name / "launch.toml"

    @property
    def texts(self) -> Texts:
        """Its modules, by file."""
        sources = {job.loaded.source for job in self._jobs()}
        return {Path(one.name).name: one.text for one in sources}

    def _jobs(self) -> tuple[Any, ...]:
        return prepare_all(self._file, None, LaunchOptions(sizes=self.sizes))

    def run(self, options: RunOptions, texts: Texts, *, checked: bool = False) -> Run:  # noqa: ARG002
        """Run its launches."""
        jobs = []
        for job in self._jobs():
            source = job.loaded.source
            text = text_of(Source(source.name, texts[Path(source.name).name]))
            loaded, kernel = kernel_of(source.name, (text,), job.kernel.name)
            jobs.append(replace(job, loaded=loaded, kernel=kernel, analyses={}))
        return run_jobs(jobs, options, self.name)


@dataclass(frozen=True)
class ProgramSubject:
    """A kernel of here with its launch."""

    program: Program

    @property
    def name(self) -> str:
        """The program's name."""
        return self.program.name

    @property
    def texts(self) -> Texts:
        """Its module."""
        return {self.program.file.name: self.program.file.read_text("utf-8")}

    def run(self, options: RunOptions, texts: Texts, *, checked: bool = False) -> Run:
        """Run it; what comes out is compared with NumPy's."""
        device = make_device(options)
        done: list[LaunchRun] = []
        device.on_launch = lambda one: done.append(LaunchRun(f"launch {len(done)}", one))
        file = self.program.file
        module = device.load(Source(str(file), texts[file.name]))
        results = self.program.run(device, module)
        if checked:
            self.program.check(results)
        return run_made(self.name, device, done, results)


@cache
def subjects() -> Mapping[str, Subject]:
    """All subjects by name."""
    every: list[Subject] = [ProgramSubject(one) for one in PROGRAMS]
    every += [SampleSubject(name, sizes) for name, sizes in SAMPLES.items()]
    every += [WorkloadSubject(one) for one in workloads().values()]
    return {one.name: one for one in every}
