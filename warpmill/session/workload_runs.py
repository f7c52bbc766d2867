"""Workloads run: inputs made, the host program run on a device, its results checked."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, UsageError
from warpmill.checks import Check
from warpmill.executor.host.device import Device
from warpmill.executor.host.modules import DeviceModule
from warpmill.session.options import RunOptions
from warpmill.session.python_files import PythonFile
from warpmill.session.runs import LaunchRun, Run, make_device, run_made
from warpmill.session.workloads import OPENCL, WorkloadTarget


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


@dataclass(frozen=True)
class WorkloadRun:
    """A workload that was run. Checks are empty where they were not asked for.

    Seconds are of this computer: to make the inputs, to run the program, to check its results.
    """

    target: WorkloadTarget
    sizes: Mapping[str, Any]
    run: Run
    checks: tuple[Check, ...]
    seconds: Mapping[str, float] = field(default_factory=dict)

    @property
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
    return WorkloadRun(target, named, run, checks, seconds)


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
