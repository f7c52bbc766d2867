"""Workloads run and checked, and what their presets execute: kept in ``figures.json``.

The counts are those of the sm_80 build. They are of the sources, modules and generators that the
file names by hash, so that it can be told whether they still hold.
"""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, ClassVar, Literal

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, Severity, UsageError
from warpmill.analyzer.base.metric import INTERNAL, Mark, Metric, derived
from warpmill.checks import Check
from warpmill.executor.host.device import Device
from warpmill.executor.host.modules import DeviceModule
from warpmill.report.base import Report
from warpmill.session.options import RunOptions
from warpmill.session.python_files import PythonFile
from warpmill.session.runs import LaunchRun, Run, make_device, run_made
from warpmill.session.workloads import (
    DEFAULT_BUILD,
    OPENCL,
    Size,
    Workload,
    WorkloadTarget,
    kept_text,
    samples_folder,
)
from warpmill.studies.sources import statements

FILE = "figures.json"


@dataclass(frozen=True)
class KernelTotals:
    """All launches of one kernel: how many, their CTAs and threads, what they executed."""

    kernel: Annotated[str, Metric("Kernel")]
    launches: Annotated[int, Metric("Launches")]
    ctas: Annotated[int, Metric("CTAs")]
    threads: Annotated[int, Metric("Threads")]
    warp_instructions: Annotated[int, Metric("Warp instructions")]
    thread_instructions: Annotated[int, Metric("Thread instructions")]

    @derived("Thread instructions per thread")
    def instructions_per_thread(self) -> float | None:
        """Thread instructions, lanes of active masks, by threads of all launches."""
        return self.thread_instructions / self.threads if self.threads else None


@dataclass(frozen=True)
class PresetFigures:
    """Executions of a preset, by kernel in the order of their first launches."""

    mark: ClassVar[Mark] = Mark.EXACT

    kernels: tuple[KernelTotals, ...]

    @derived("Total")
    def total(self) -> KernelTotals:
        """All kernels together."""
        return summed(self.kernels)

    @property
    def with_total(self) -> tuple[KernelTotals, ...]:
        """The kernels, and where there are several all of them together."""
        if len(self.kernels) < 2:
            return self.kernels
        return (*self.kernels, replace(self.total, kernel="all"))

    def of_kernel(self, name: str) -> KernelTotals:
        """Those of one kernel; all zero where it is not launched."""
        return next((k for k in self.kernels if k.kernel == name), summed((), name))


def summed(kernels: Iterable[KernelTotals], name: str = "") -> KernelTotals:
    """Add kernels up."""
    rows = [tuple(asdict(k).values())[1:] for k in kernels]
    sums = [sum(column) for column in zip(*rows, strict=True)] or [0] * 5
    return KernelTotals(name, *sums)


def kernel_totals(launches: Iterable[LaunchRun]) -> PresetFigures:
    """Add the launches of a run up by kernel. They have run where instructions are counted."""
    found: dict[str, list[KernelTotals]] = {}
    for each in launches:
        one = each.launched
        ctas = one.grid[0] * one.grid[1] * one.grid[2]
        threads = ctas * one.block[0] * one.block[1] * one.block[2]
        warps, lanes = one.counts.warp_instructions or 0, one.counts.thread_instructions or 0
        name = one.kernel.name
        found.setdefault(name, []).append(KernelTotals(name, 1, ctas, threads, warps, lanes))
    return PresetFigures(tuple(summed(parts, name) for name, parts in found.items()))


def read_figures(workload: Workload) -> Mapping[str, PresetFigures]:
    """The kept figures by preset; empty where there is no file. InputError for a wrong one."""
    path = workload.folder / FILE
    if not path.exists():
        return {}
    try:
        presets = json.loads(path.read_text("utf-8"))["presets"]
        return {
            name: PresetFigures(tuple(KernelTotals(**row) for row in rows))
            for name, rows in presets.items()
        }
    except (ValueError, TypeError, KeyError, AttributeError):
        words = f"this is no {FILE}: samples/count.py writes one"
        raise InputError(Diagnostic(Severity.ERROR, words, str(path))) from None


def outdated(workload: Workload) -> tuple[str, ...]:
    """Name the files that have changed since the figures were counted, or are new or gone."""
    path = workload.folder / FILE
    kept: dict[str, str] = json.loads(path.read_text("utf-8"))["of"] if path.exists() else {}
    now = hashes(workload)
    names = sorted(kept.keys() | now.keys())
    return tuple(name for name in names if kept.get(name) != now.get(name))


def hashes(workload: Workload) -> dict[str, str]:
    """Hash what the figures depend on: presets, program, its generators, modules. SHA-256.

    Of programs and generators their statements, however they are laid out.
    """
    files = [workload.program, *_imported(workload.program)]
    files += [workload.module_file(m.name, DEFAULT_BUILD) for m in workload.form.module]
    found = {file.name: _hash(file) for file in files}
    sizes = {name: workload.preset(name) for name in workload.presets}
    return {"presets": _sha256(json.dumps(sizes, sort_keys=True).encode()), **found}


_IMPORT = re.compile(r"^from warpmill\.samples\.common\.(\w+) import", re.MULTILINE)


def _imported(file: Path) -> list[Path]:
    """List the shared generators that a program uses, those that they use among them."""
    common = samples_folder("common")
    found: dict[Path, None] = {}
    waiting = [file]
    while waiting:
        names = _IMPORT.findall(waiting.pop().read_text("utf-8"))
        new = [path for name in names if (path := common / f"{name}.py") not in found]
        found |= dict.fromkeys(new)
        waiting += new
    return sorted(found)


def figures_text(workload: Workload, figures: Mapping[str, PresetFigures]) -> str:
    """Write figures as they are kept: the same bytes for the same figures."""
    rows: dict[str, Any] = {
        name: [asdict(kernel) for kernel in figures[name].kernels]
        for name in workload.presets
        if name in figures
    }
    return entry_lines({"of": hashes(workload), "presets": rows}) + "\n"


_ENTRY_WIDTH = 320


def entry_lines(value: Any, indent: int = 0, key: str = "") -> str:
    """JSON for people who compare versions: an entry that is not too long stands on a line."""
    flat = f"{' ' * indent}{key}{json.dumps(value)}"
    if not isinstance(value, dict | list) or not value or len(flat) <= _ENTRY_WIDTH:
        return flat
    ends = "{}" if isinstance(value, dict) else "[]"
    named = value.items() if isinstance(value, dict) else ()
    entries = [(f"{json.dumps(name)}: ", each) for name, each in named] or [("", v) for v in value]
    inside = (entry_lines(each, indent + 1, name) for name, each in entries)
    start = f"{' ' * indent}{key}{ends[0]}"
    return "\n".join([start, ",\n".join(inside), f"{' ' * indent}{ends[1]}"])


def _hash(file: Path) -> str:
    if file.suffix != ".py":
        return _sha256((kept_text(file) or "").encode())
    return _sha256("\n".join(sorted(statements(file.read_text("utf-8")))).encode())


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


# Workloads run: inputs made, the host program run on a device, its results checked.


class Modules:
    """The modules of a workload, loaded when they are first asked for: ``modules["bfs"]``."""

    def __init__(self, device: Device, target: WorkloadTarget) -> None:
        self._device, self._target = device, target
        self._loaded: dict[str, DeviceModule] = {}

    @property
    def is_opencl(self) -> bool:
        """Whether they are made of OpenCL C: constants and textures are arguments there."""
        return self._target.build == OPENCL

    def __getitem__(self, name: str) -> DeviceModule:
        """Load one. InputError, UsageError."""
        if name not in self._loaded:
            module = self._target.workload.module(name, self._target.build)
            self._loaded[name] = self._device.load(module)
        return self._loaded[name]


class WorkloadRun(Report):
    """A workload that was run. Checks are empty where they were not asked for.

    Seconds are of this computer: to make the inputs, to run the program, to check its results.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    report: Literal["samples-run"] = "samples-run"
    target: Annotated[WorkloadTarget, Metric("Workload")]
    sizes: Annotated[Mapping[str, Size], Metric("Sizes")]
    run: Annotated[Run, INTERNAL]
    checks: tuple[Check, ...]
    seconds: Annotated[Mapping[str, float], Metric("Duration", "s")]

    @derived("Device")
    def device(self) -> str:
        """Device of the run: cpu, executed here, or the GPU."""
        return self.run.device

    @derived("Instructions executed")
    def executed(self) -> PresetFigures:
        """Executions of the run, by kernel."""
        return kernel_totals(self.run.launches)

    @derived("Result check")
    def passed(self) -> bool:
        """Whether there were checks and all of them passed."""
        return bool(self.checks) and all(check.passed for check in self.checks)


def run_workload(
    target: WorkloadTarget,
    sizes: Mapping[str, int | str] | None = None,
    options: RunOptions | None = None,
    *,
    checked: bool = True,
) -> WorkloadRun:
    """Make a workload's inputs, run its program, and check what comes out.

    ``sizes`` replace those of the preset. Errors as ``run``; InputError, at its line, for what the
    program raises.
    """
    workload = target.workload
    named = workload.preset(target.preset, sizes)
    if target.build == OPENCL and (options or RunOptions()).device == "cuda":
        raise UsageError(f"{target.title}: a GPU's driver takes PTX, not LLVM bitcode")
    with _Program(workload.program) as program:
        start = time.perf_counter()
        inputs = program.make(workload.name, named)
        made = time.perf_counter()
        device = make_device(options or RunOptions())
        done: list[LaunchRun] = []
        device.on_launch = lambda one: done.append(LaunchRun(f"launch {len(done)}", one))
        results = program.call("run", device, Modules(device, target), inputs)
        ran = time.perf_counter()
        run = run_made(target.title, device, done, results)
        checks = tuple(program.call("check", inputs, results)) if checked else ()
        end = time.perf_counter()
    seconds = {"make": made - start, "run": ran - made, "check": end - ran if checked else 0.0}
    return WorkloadRun(target=target, sizes=named, run=run, checks=checks, seconds=seconds)


class _Program:
    """The host program of a workload, as long as it is in use."""

    def __init__(self, path: Path) -> None:
        self._file = PythonFile.read(path, "program")
        self._module: ModuleType | None = None

    def __enter__(self) -> _Program:
        self._running = self._file.running()
        self._running.__enter__()
        self._module = self._file.guarded(self._file.execute)
        return self

    def __exit__(self, *error: object) -> None:
        self._running.__exit__(None, None, None)
        self._file.forget()

    def make(self, workload: str, sizes: Mapping[str, Any]) -> Any:
        """Make the inputs. UsageError for sizes that the program refuses with a ValueError."""
        refused: list[ValueError] = []

        function = self._function("make")

        def made() -> object:
            try:
                return function(**sizes)
            except ValueError as error:
                refused.append(error)
                return None

        inputs = self._file.guarded(made)
        if refused:
            hint = f"warpmill samples show {workload} lists sizes that work"
            words = f"{workload}: {refused[0]}"
            raise UsageError(Diagnostic(Severity.ERROR, words, hint=hint))
        return inputs

    def _function(self, name: str) -> Callable[..., Any]:
        function: Callable[..., Any] | None = getattr(self._module, name, None)
        if function is None or not callable(function):
            raise self._file.error(f"the program has no function `{name}`")
        return function

    def call(self, name: str, *given: object, **named: object) -> Any:
        """Call one of its functions; what it yields is taken as a list."""
        function = self._function(name)

        def called() -> object:
            made = function(*given, **named)
            return list(made) if isinstance(made, Iterator) else made

        return self._file.guarded(called)
