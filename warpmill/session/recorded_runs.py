"""Recordings as targets: their launches run again, as those of a program would."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from warpmill.analyzer.frontends.load import find_launched
from warpmill.executor.host.backend import Backend, LaunchRequest
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
)
from warpmill.executor.host.recording_file import load_recording
from warpmill.executor.host.replay import Replayed, replay
from warpmill.session.runs import Buffer, LaunchRun, Run, RunOptions, element_name


def run_recording(path: Path, kernel: str | None, options: RunOptions) -> Run:
    """Run a recording again; those of its launches that are of a kernel, where it is named.

    Launches in between run too, and are not told of: collectors see the others alone. The buffers
    are what the recording reads at its end. UsageError for a kernel that it does not launch; else
    errors as ``replay``.
    """
    recording = load_recording(path, options.max_memory_bytes)
    chosen = None if kernel is None else _of_kernel(path, recording, kernel)
    device = options.make_device()
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
    """Lets an instrument of the executor see the chosen launches alone, and remembers them."""

    def __init__(self, backend: Backend) -> None:
        self._executor = backend if isinstance(backend, CpuBackend) else None
        self._instrument = None if self._executor is None else self._executor.instrument
        if self._executor is not None:
            self._executor.instrument = None
        self.made: list[tuple[LaunchCall, LaunchRequest]] = []

    def before(self, call: LaunchCall, request: LaunchRequest, _backend: Backend) -> None:
        """Look closer at the launch that comes."""
        self.made.append((call, request))
        if self._executor is not None:
            self._executor.instrument = self._instrument

    def after(self, _call: LaunchCall, _counts: object) -> None:
        """Look away again."""
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
    """Give the arrays that were read whole after the last launch and not freed since."""
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
