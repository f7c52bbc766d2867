"""Applications run: host programs, workloads by name, recordings run again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.frontends.load import find_launched
from warpmill.executor.host.backend import DeviceBackend, LaunchRequest
from warpmill.executor.host.cpu_device import CpuBackend
from warpmill.executor.host.device import Launched
from warpmill.executor.host.modules import TakenKernel
from warpmill.executor.host.recording import (
    AllocateCall,
    FreeCall,
    LaunchCall,
    ReadCall,
    Recording,
    content_hash,
    load_recording,
)
from warpmill.executor.host.replay import Replayed, replay
from warpmill.session.jobs import is_workload
from warpmill.session.options import LaunchOptions, RunOptions
from warpmill.session.python_files import run_program
from warpmill.session.runs import (
    Buffer,
    LaunchRun,
    Run,
    element_name,
    make_device,
    most_memory,
    run_made,
)
from warpmill.session.workload_runs import run_workload
from warpmill.session.workloads import parse_workload


def run_application(
    target: str | Path, kernel: str | None, launch: LaunchOptions, options: RunOptions
) -> Run:
    """Run a host program (.py), a recording (.wmrec) or a workload by its name. Errors as ``run``.

    UsageError for what a launch option says of launches that the application makes itself.
    """
    if is_workload(target):
        return _workload(str(target), kernel, launch, options)
    if Path(target).suffix.lower() == ".py":
        return _program(Path(target), kernel, launch, options)
    return _recorded(Path(target), kernel, launch, options)


def _program(path: Path, kernel: str | None, launch: LaunchOptions, options: RunOptions) -> Run:
    """Run a host program; what its ``main`` returns are the buffers, else what it left behind."""
    if kernel is not None or launch.given:
        given = "--kernel" if kernel is not None else launch.given[0]
        raise UsageError(f"{path} is a program, which says what it launches: {given} is for files")
    device = make_device(options)
    done: list[LaunchRun] = []
    device.on_launch = lambda made: done.append(LaunchRun(f"launch {len(done)}", made))
    returned = run_program(path, device, launch.sizes)
    return run_made(str(path), device, done, returned)


def _workload(target: str, kernel: str | None, launch: LaunchOptions, options: RunOptions) -> Run:
    """Run a workload by its name; its results are not checked."""
    if kernel is not None or launch.given:
        given = "--kernel" if kernel is not None else launch.given[0]
        raise UsageError(f"{target} is a workload, which says what it launches: not {given}")
    parsed = parse_workload(target)
    assert parsed is not None
    return run_workload(parsed, launch.sizes, options, checked=False).run


def _recorded(path: Path, kernel: str | None, launch: LaunchOptions, options: RunOptions) -> Run:
    """Run a recording again."""
    given = (*launch.given, *(["--size"] if launch.sizes else []))
    if given:
        raise UsageError(f"{path} is a recording, which says its launches: {given[0]} is for files")
    return run_recording(path, kernel, options)


def run_recording(path: Path, kernel: str | None, options: RunOptions) -> Run:
    """Run a recording again; those of its launches that are of a kernel, where it is named.

    Launches in between run too, and are not told of: collectors see the others alone. The buffers
    are what the recording reads at its end. UsageError for a kernel that it does not launch; else
    errors as ``replay``.
    """
    recording = load_recording(path, most_memory(options))
    chosen = None if kernel is None else _of_kernel(path, recording, kernel)
    device = make_device(options)
    hooks = _Hooks(device.backend)
    replayed = replay(
        recording,
        device.backend,
        chosen=chosen,
        before_launch=hooks.before,
        on_launch=hooks.after,
    )
    launches = tuple(_launches(hooks, replayed))
    buffers = tuple(_buffers(recording, replayed))
    return Run(str(path), device.backend.name, launches, buffers, recording)


def _of_kernel(path: Path, recording: Recording, kernel: str) -> list[int]:
    names = [launch.kernel for launch in recording.launches]
    named = find_launched(kernel, names, str(path))
    return [number for number, name in enumerate(names) if name == named]


class _Hooks:
    """Hooks that show an instrument of the executor the chosen launches alone."""

    def __init__(self, backend: DeviceBackend) -> None:
        self._executor = backend if isinstance(backend, CpuBackend) else None
        self._instrument = None if self._executor is None else self._executor.instrument
        if self._executor is not None:
            self._executor.instrument = None
        self.made: list[tuple[LaunchCall, LaunchRequest]] = []

    def before(self, call: LaunchCall, request: LaunchRequest, _backend: DeviceBackend) -> None:
        """Start observing for the launch that comes."""
        self.made.append((call, request))
        if self._executor is not None:
            self._executor.instrument = self._instrument

    def after(self, _call: LaunchCall, _counts: object) -> None:
        """Stop observing."""
        if self._executor is not None:
            self._executor.instrument = None


def _launches(hooks: _Hooks, replayed: Replayed) -> Iterator[LaunchRun]:
    for (call, request), number in zip(hooks.made, sorted(replayed.launches), strict=True):
        made = Launched(
            call.index,
            TakenKernel(request.loaded, request.kernel),
            request.grid,
            request.block,
            request.dynamic_shared_bytes,
            call.stream,
            replayed.launches[number],
        )
        yield LaunchRun(f"launch {number}", made)


def _buffers(recording: Recording, replayed: Replayed) -> Iterator[Buffer]:
    """The arrays that were read whole after the last launch and not freed since."""
    arrays: dict[int, AllocateCall] = {}
    last: dict[int, ReadCall] = {}
    for call in recording.calls:
        match call:
            case AllocateCall():
                arrays[call.address] = call
            case FreeCall():
                arrays.pop(call.address, None)
                last.pop(call.address, None)
            case LaunchCall():
                last.clear()
            case ReadCall() if call.address in arrays:
                if call.bytes == arrays[call.address].bytes:
                    last[call.address] = call
    for number, (address, read) in enumerate(last.items()):
        if read.index in replayed.reads:
            array = arrays[address]
            data = replayed.reads[read.index]
            values = data.view(array.element_type).reshape(array.shape)
            name = array.name or f"array {number}"
            element = element_name(values.dtype)
            yield Buffer(name, None, None, element, values, content_hash(data), None)
