"""Recordings run again, and the launches in them as launches that can be looked at one by one.

A replay makes the same calls on a new device, with the same results (GT-Pin, §V-E): all launches,
or chosen ones. A launch needs the memory that the calls before it have left, so those are made too,
launches that were not chosen among them; nothing after the last chosen launch is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import InputError, UsageError
from warpmill.analyzer.frontends.load import LoadedModule
from warpmill.analyzer.ir.kernel import Kernel, Parameter
from warpmill.analyzer.ir.printer import distinct_names
from warpmill.analyzer.ir.types import TypeKind
from warpmill.analyzer.launch.model import (
    ELEMENT_TYPES,
    Argument,
    BufferArgument,
    Launch,
    LaunchPlace,
    NullArgument,
    Recorded,
    RefArgument,
    ScalarArgument,
    StructArgument,
    TextureArgument,
)
from warpmill.executor.host.backend import DeviceBackend, LaunchOutcome, LaunchRequest
from warpmill.executor.host.cpu_device import CpuBackend, CpuOptions
from warpmill.executor.host.modules import check_sizes
from warpmill.executor.host.recording import (
    AllocateCall,
    ArgumentRecord,
    FreeCall,
    KernelCall,
    LaunchCall,
    RecordedCall,
    Recording,
    SymbolCall,
    TextureCall,
)
from warpmill.executor.host.replay_calls import (
    BeforeLaunch,
    Hooks,
    OnLaunch,
    Replay,
    launch_request,
    make_again,
    placed,
    taken_kernel,
)


@dataclass(frozen=True)
class Replayed:
    """Results of a recording that was run again.

    ``reads`` are the bytes of each copy to the host by the index of its call, where they were kept,
    and ``hashes`` their SHA-256. ``differing`` are the calls whose bytes or counts are not those
    that were recorded. ``launches`` are the counts of the chosen launches by their number, without
    those of blocks; ``executed`` is how many launches were run, chosen or not, and ``calls`` how
    many calls were made.
    """

    reads: dict[int, npt.NDArray[np.uint8]]
    differing: tuple[int, ...]
    hashes: dict[int, str] = field(default_factory=dict)
    launches: dict[int, LaunchOutcome] = field(default_factory=dict)
    executed: int = 0
    calls: int = 0


def replay(
    recording: Recording,
    backend: DeviceBackend | None = None,
    options: CpuOptions | None = None,
    on_launch: OnLaunch | None = None,
    *,
    chosen: Collection[int] | None = None,
    before_launch: BeforeLaunch | None = None,
    keep_reads: bool = True,
) -> Replayed:
    """Run the calls of a recording, on the executor unless told otherwise.

    ``chosen`` are numbers of launches, from 0 in their order: the calls up to the last of them are
    made; without it, all calls. ``before_launch`` is told each chosen launch, with the device that
    it is about to run on, so that the device can be made to look closer: ``CpuBackend.instrument``,
    set there and taken away in ``on_launch``, observes these launches alone. ``on_launch`` is told
    the launch afterwards, with its counts of blocks where the device counts. Others run plainly.
    Copies to the host and counts are compared with the recorded ones as far as calls are made.

    UsageError for a launch that is not there, InputError where the recording has not kept what was
    copied to the device, or contradicts itself.
    """
    calls, numbers = _needed(recording, chosen)
    hooks = Hooks(numbers, before_launch, on_launch)
    run = Replay(recording, backend or CpuBackend(options), hooks, keep_reads)
    for call in calls:
        make_again(run, call)
    run.backend.synchronize(None)  # what a GPU does wrong shows here at the latest
    differing = tuple(run.differing)
    return Replayed(run.reads, differing, run.hashes, run.launches, run.executed, len(calls))


def launch_to_be_made(
    recording: Recording, number: int, options: CpuOptions | None = None
) -> tuple[CpuBackend, LaunchRequest]:
    """Run a recording up to a launch, by its number from 0, and give this one without making it.

    The device is the executor, as the launch would find it. Errors as ``replay``'s.
    """
    walk = ReplayWalk(recording, options)
    request = walk.to(number)
    return walk.backend, request


class ReplayWalk:
    """A recording run step by step, from launch to launch, on an executor of its own."""

    def __init__(self, recording: Recording, options: CpuOptions | None = None) -> None:
        self.backend = CpuBackend(options)
        self._run = Replay(recording, self.backend, Hooks({}), keep_reads=False)
        self._done = 0  # calls that were made
        self._places = [n for n, c in enumerate(recording.calls) if isinstance(c, LaunchCall)]

    def is_past(self, number: int) -> bool:
        """Whether a launch was made already."""
        return number < len(self._places) and self._places[number] < self._done

    def pass_over(self, number: int) -> None:
        """Go on behind a launch, which was given last and has been made in another way."""
        self._done = self._places[number] + 1

    def to(self, number: int) -> LaunchRequest:
        """Make all calls before a launch, by its number from 0, and give this one unmade.

        ValueError where it was made already; else errors as ``replay``'s.
        """
        if not 0 <= number < len(self._places):
            raise UsageError(no_such_launch(number, len(self._places)))
        if self.is_past(number):
            raise ValueError(f"launch {number} was made already")
        calls = self._run.recording.calls
        while self._done < self._places[number]:
            make_again(self._run, calls[self._done])
            self._done += 1
        launch = calls[self._places[number]]
        assert isinstance(launch, LaunchCall)
        with placed(self._run.recording, launch):
            return launch_request(self._run, launch)


def _needed(
    recording: Recording, chosen: Collection[int] | None
) -> tuple[tuple[RecordedCall, ...], dict[int, int]]:
    """The calls up to the last chosen launch, and the chosen ones' numbers by their calls."""
    launches = recording.launches
    if chosen is None:
        return recording.calls, {call.index: n for n, call in enumerate(launches)}
    for number in chosen:
        if not 0 <= number < len(launches):
            raise UsageError(no_such_launch(number, len(launches)))
    numbers = {launches[n].index: n for n in chosen}
    return recording.calls[: max(numbers, default=-1) + 1], numbers


def no_such_launch(number: int, count: int) -> str:
    """Message that a recording of ``count`` launches has none of a number."""
    there = f"its {count} launches are 0 to {count - 1}" if count else "it has none"
    return f"the recording has no launch {number}; {there}"


# The launches of a recording as launches: kernel, grid and block, and what the arguments were.
#
# A launch file says what its buffers are filled with; here that is what the calls before have left
# in them (``Recorded``).

_ELEMENTS = {
    text: name
    for name, t in ELEMENT_TYPES.items()
    if name != "bf16"  # its bits are those of u16
    for text in (t.storage, np.dtype(t.storage).str)
}
"""Types of launch files by NumPy's names for them; others, structs among them, are bytes here."""
_WORD = 4  # bytes of the pieces that a struct's numbers are taken as


@dataclass(frozen=True)
class LaunchInRecording:
    """A launch of a recording by its number from 0, with the kernel that was launched.

    ``warp_instructions`` are those that were counted when it ran; None where nobody counted.
    """

    number: int
    loaded: LoadedModule
    kernel: Kernel
    launch: Launch
    warp_instructions: int | None


def recorded_launches(recording: Recording) -> tuple[LaunchInRecording, ...]:
    """List the launches of a recording in order. Kernels are read; nothing is run.

    InputError where the recording contradicts itself, or has not kept its kernels' text.
    """
    found = tuple(_Reader(recording).launches())
    names = distinct_names([one.kernel for one in found])
    of_kernel = Counter(names)
    return tuple(
        replace(one, launch=replace(one.launch, place=LaunchPlace(n, len(found), of_kernel[name])))
        for n, (one, name) in enumerate(zip(found, names, strict=True))
    )


@dataclass
class _Reader:
    """Goes through the calls, and knows at each which memory there is."""

    recording: Recording
    arrays: dict[int, AllocateCall | SymbolCall] = field(default_factory=dict)
    textures: dict[int, TextureCall] = field(default_factory=dict)
    kernels: dict[tuple[int, str], tuple[LoadedModule, Kernel]] = field(default_factory=dict)

    def launches(self) -> Iterator[LaunchInRecording]:
        number = 0
        for call in self.recording.calls:
            if isinstance(call, LaunchCall):
                with placed(self.recording, call):
                    launch = self._launch(call, number)
                yield launch
                number += 1
            else:
                with placed(self.recording, call):
                    self._note(call)

    def _note(self, call: RecordedCall) -> None:
        """Keep what later launches may refer to."""
        match call:
            case KernelCall():
                self.kernels[call.module, call.kernel] = taken_kernel(self.recording, call)
            case AllocateCall() | SymbolCall():
                self.arrays[call.address] = call
            case FreeCall():
                self.arrays.pop(call.address, None)
            case TextureCall():
                self.textures[call.handle] = call

    def _launch(self, call: LaunchCall, number: int) -> LaunchInRecording:
        if (call.module, call.kernel) not in self.kernels:
            raise InputError(f"kernel `{call.kernel}` was never taken from its module")
        loaded, kernel = self.kernels[call.module, call.kernel]
        check_sizes(loaded, kernel, (call.grid, call.block), call.dynamic_shared_bytes)
        launch = Launch(
            kernel=kernel.name,
            module=Path(loaded.path),
            grid=call.grid,
            block=call.block,
            dynamic_shared_bytes=call.dynamic_shared_bytes,
            arguments=tuple(self._arguments(call, kernel)),
            name=f"launch {number}",
        )
        return LaunchInRecording(number, loaded, kernel, launch, call.warp_instructions)

    def _arguments(self, call: LaunchCall, kernel: Kernel) -> Iterator[Argument]:
        if len(call.arguments) != len(kernel.parameters):
            raise InputError(f"`{kernel.name}` takes {len(kernel.parameters)} arguments")
        known: dict[int, BufferArgument] = {}
        for parameter, record in zip(kernel.parameters, call.arguments, strict=True):
            yield self._argument(call, parameter, record, known)

    def _argument(
        self,
        call: LaunchCall,
        parameter: Parameter,
        record: ArgumentRecord,
        known: dict[int, BufferArgument],
    ) -> Argument:
        held = call.params[record.offset : record.offset + record.bytes]
        match record.kind:
            case "null":
                return NullArgument(record.bytes, record.bytes)
            case "buffer":
                return self._buffer(int.from_bytes(held, "little"), record.bytes, known)
            case "texture" | "surface":
                return self._texture(int.from_bytes(held, "little"))
            case "struct":
                return StructArgument(tuple(self._fields(call, record, known)))
        return _scalar(parameter, record, held)

    def _buffer(
        self, address: int, size: int, known: dict[int, BufferArgument]
    ) -> BufferArgument | RefArgument:
        """The buffer that an address lies in; one that was passed before is referred to."""
        start = max((a for a in self.arrays if a <= address), default=None)
        if start is None or address > start + self.arrays[start].bytes:
            raise InputError(f"there is no memory at {address:#x}")
        if start not in known:
            known[start] = _described(self.arrays[start])
            if address == start:
                return known[start]
        return RefArgument(known[start], address - start, size, size)

    def _texture(self, handle: int) -> TextureArgument:
        made = self.textures.get(handle)
        while made is not None and made.over is not None:
            made = self.textures.get(made.over)
        if made is None:
            raise InputError(f"there is no texture of handle {handle:#x}")
        shape = (*((made.layers,) if made.layers else ()), *reversed(made.extent))
        element, channels = _element(made.element), made.channels
        return TextureArgument(element, shape, Recorded(), filter=made.filter, channels=channels)

    def _fields(
        self, call: LaunchCall, record: ArgumentRecord, known: dict[int, BufferArgument]
    ) -> Iterator[ScalarArgument | BufferArgument | RefArgument]:
        """Take a struct apart: addresses as they are, all else in words."""
        data = call.params[record.offset : record.offset + record.bytes]
        addresses = {place - record.offset for place in call.addresses}
        place = 0
        while place < len(data):
            if place in addresses:
                address = int.from_bytes(data[place : place + 8], "little")
                yield self._buffer(address, 8, known)
                place += 8
                continue
            size = _WORD if len(data) - place >= _WORD else 1
            value = int.from_bytes(data[place : place + size], "little")
            yield ScalarArgument(f"u{8 * size}", value)
            place += size


def _described(array: AllocateCall | SymbolCall) -> BufferArgument:
    if isinstance(array, SymbolCall):
        return BufferArgument("u8", (max(1, array.bytes),), Recorded(), name=array.name)
    element = _ELEMENTS.get(array.dtype)
    if element is None:
        return BufferArgument("u8", (max(1, array.bytes),), Recorded(), name=array.name)
    return BufferArgument(element, array.shape or (1,), Recorded(), name=array.name)


def _element(name: str) -> str:
    if name in ELEMENT_TYPES:
        return name
    return _ELEMENTS.get(name, "u8")


def _scalar(parameter: Parameter, record: ArgumentRecord, held: bytes) -> ScalarArgument:
    """Read a number as its parameter declares it, or as it was written where that has only bits."""
    type_, bits = parameter.type, 8 * len(held)
    if bits not in (8, 16, 32, 64):
        raise InputError(f"`{parameter.name}` has {len(held)} bytes, which no number has")
    is_float = type_.is_float if type_.kind is not TypeKind.BITS else _is_written_float(record)
    if is_float and bits >= 16 and type_.name != "bf16":
        kind = f"f{bits}"
        return ScalarArgument(kind, float(np.frombuffer(held, f"<f{bits // 8}")[0]))
    signed = type_.kind is TypeKind.SIGNED or record.value.startswith("-")
    value = int.from_bytes(held, "little", signed=signed)
    return ScalarArgument(f"{'i' if signed else 'u'}{bits}", value)


def _is_written_float(record: ArgumentRecord) -> bool:
    """Whether a number was passed as one with a point: ``0.5``, ``1e9``, ``nan``."""
    if record.kind != "value" or record.value in ("True", "False"):
        return False
    return not record.value.lstrip("+-").isdigit()
