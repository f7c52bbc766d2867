"""Recordings run again: the same calls on a new device, with the same results."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from analyzer.diagnostics import InputError
from analyzer.execution.host.backend import Backend, LaunchRequest, TextureSpec
from analyzer.execution.host.cpu_device import CpuBackend, CpuOptions
from analyzer.execution.host.kernel_arguments import parameter_offsets
from analyzer.execution.host.modules import ModuleText, check_sizes
from analyzer.execution.host.recording import (
    AllocateCall,
    Call,
    CopyCall,
    EventCall,
    FillCall,
    FreeCall,
    KernelCall,
    LaunchCall,
    ReadCall,
    ReadTextureCall,
    Recording,
    StreamCall,
    SymbolCall,
    SynchronizeCall,
    TextureCall,
    WriteCall,
    content_hash,
)
from analyzer.frontends.load import Format, Loaded
from analyzer.ir.kernel import Kernel
from analyzer.source import Source


@dataclass(frozen=True)
class Replayed:
    """What a recording gave when it was run again.

    ``reads`` are the bytes of each copy to the host by the index of its call; ``differing`` are
    the calls whose bytes or counts are not those that were recorded.
    """

    reads: dict[int, npt.NDArray[np.uint8]]
    differing: tuple[int, ...]


def replay(
    recording: Recording,
    backend: Backend | None = None,
    options: CpuOptions | None = None,
    on_launch: Callable[[LaunchCall, object], None] | None = None,
) -> Replayed:
    """Run the calls of a recording, on the executor unless told otherwise.

    ``on_launch`` is told each launch with its counts of blocks, where the device counts. InputError
    where the recording has not kept what was copied to the device, or contradicts itself.
    """
    run = _Replay(recording, backend or CpuBackend(options), on_launch)
    for call in recording.calls:
        try:
            _DO.get(type(call), _nothing)(run, call)
        except (ValueError, KeyError, IndexError, OverflowError) as error:
            raise _wrong(call, str(error)) from None
    return Replayed(run.reads, tuple(run.differing))


@dataclass
class _Replay:
    """The device that calls are repeated on; its addresses and handles may be others."""

    recording: Recording
    backend: Backend
    on_launch: Callable[[LaunchCall, object], None] | None
    reads: dict[int, npt.NDArray[np.uint8]] = field(default_factory=dict)
    differing: list[int] = field(default_factory=list)
    kernels: dict[tuple[int, str], tuple[Loaded, Kernel]] = field(default_factory=dict)
    starts: list[int] = field(default_factory=list)
    moved: dict[int, tuple[int, int]] = field(default_factory=dict)  # recorded: bytes, address now
    handles: dict[int, int] = field(default_factory=dict)
    streams: dict[int, int] = field(default_factory=lambda: {0: 0})
    events: dict[int, int] = field(default_factory=dict)

    def place(self, recorded: int, size: int, address: int) -> None:
        """Remember where memory lies now."""
        if recorded not in self.moved:
            self.starts.insert(bisect_right(self.starts, recorded), recorded)
        self.moved[recorded] = (size, address)

    def address(self, recorded: int, call: Call) -> int:
        """Give where an address of the recording is now. InputError for one of no memory."""
        place = bisect_right(self.starts, recorded) - 1
        start = self.starts[place] if place >= 0 else recorded + 1
        offset = recorded - start
        if offset < 0 or offset > self.moved[start][0]:
            raise _wrong(call, f"there is no memory at {recorded:#x}")
        return self.moved[start][1] + offset

    def content(self, digest: str, call: Call) -> bytes:
        """Give bytes that were kept. InputError."""
        if digest not in self.recording.contents:
            raise _wrong(call, "the recording has not kept the bytes that it needs")
        return self.recording.contents[digest]

    def known(self, table: dict[int, int], number: int, call: Call) -> int:
        """Give what a number of the recording is now. InputError."""
        if number not in table:
            raise _wrong(call, f"number {number} was never made")
        return table[number]


def _wrong(call: Call, why: str) -> InputError:
    return InputError(f"the recording cannot be replayed: call {call.index}, {call.call}: {why}")


def _nothing(run: _Replay, call: Call) -> None:
    """Do nothing for what has no effect."""


def _kernel(run: _Replay, call: KernelCall) -> None:
    text = run.content(call.text, call).decode(errors="replace")
    known = {f.value: f for f in Format}
    if call.format not in known:
        raise _wrong(call, f"there is no format `{call.format}`")
    source = Source(call.source, text)
    module = ModuleText(call.source, source=source, format=known[call.format])
    run.kernels[call.module, call.kernel] = module.kernel(call.kernel)


def _allocate(run: _Replay, call: AllocateCall) -> None:
    address = run.backend.allocate(call.bytes, call.name, zeroed=call.zeroed)
    run.place(call.address, call.bytes, address)


def _free(run: _Replay, call: FreeCall) -> None:
    run.backend.free(run.address(call.address, call))
    del run.moved[call.address]
    run.starts.remove(call.address)


def _write(run: _Replay, call: WriteCall) -> None:
    data = np.frombuffer(run.content(call.content, call), np.uint8)
    stream = run.known(run.streams, call.stream, call)
    run.backend.write(run.address(call.address, call), data, stream)


def _read(run: _Replay, call: ReadCall) -> None:
    stream = run.known(run.streams, call.stream, call)
    data = run.backend.read(run.address(call.address, call), call.bytes, stream)
    run.reads[call.index] = data
    if content_hash(data) != call.content:
        run.differing.append(call.index)


def _copy(run: _Replay, call: CopyCall) -> None:
    to, source = run.address(call.address, call), run.address(call.source, call)
    run.backend.copy(to, source, call.bytes, run.known(run.streams, call.stream, call))


def _fill(run: _Replay, call: FillCall) -> None:
    stream = run.known(run.streams, call.stream, call)
    run.backend.fill(run.address(call.address, call), call.value, call.bytes, stream)


def _symbol(run: _Replay, call: SymbolCall) -> None:
    of_module = (v[0] for (module, _), v in run.kernels.items() if module == call.module)
    loaded = next(of_module, None)
    if loaded is None:
        raise _wrong(call, "no kernel of its module was launched")
    variable = next((v for v in loaded.module.variables if v.name == call.name), None)
    if variable is None:
        raise _wrong(call, f"the module has no variable `{call.name}`")
    run.place(call.address, call.bytes, run.backend.symbol(call.module, loaded, variable))


def _texture(run: _Replay, call: TextureCall) -> None:
    spec = TextureSpec(
        element=call.element,
        extent=call.extent,
        channels=call.channels,
        filter=call.filter,
        address_modes=call.address_modes,
        normalised_coordinates=call.normalised_coordinates,
        normalised_values=call.normalised_values,
        is_surface=call.kind == "surface",
        layers=call.layers,
        is_cube=call.is_cube,
    )
    over = None if call.over is None else run.known(run.handles, call.over, call)
    address = run.address(call.address, call) if over is None else 0
    run.handles[call.handle] = run.backend.texture(spec, address, over)


def _read_texture(run: _Replay, call: ReadTextureCall) -> None:
    data = run.backend.read_texture(run.known(run.handles, call.handle, call))
    run.reads[call.index] = data
    if content_hash(data) != call.content:
        run.differing.append(call.index)


def _stream(run: _Replay, call: StreamCall) -> None:
    run.streams[call.stream] = run.backend.stream()


def _event(run: _Replay, call: EventCall) -> None:
    if call.action == "create":
        run.events[call.event] = run.backend.event()
        return
    event = run.known(run.events, call.event, call)
    stream = run.known(run.streams, call.stream or 0, call)
    match call.action:
        case "record":
            run.backend.record_event(event, stream)
        case "wait":
            run.backend.wait_event(event, stream)
        case "synchronize":
            run.backend.synchronize(None)
        case _:
            raise _wrong(call, f"nothing is called `{call.action}`")


def _synchronize(run: _Replay, call: SynchronizeCall) -> None:
    stream = call.stream
    run.backend.synchronize(None if stream is None else run.known(run.streams, stream, call))


def _launch(run: _Replay, call: LaunchCall) -> None:
    if (call.module, call.kernel) not in run.kernels:
        raise _wrong(call, f"kernel `{call.kernel}` was never taken from its module")
    loaded, kernel = run.kernels[call.module, call.kernel]
    check_sizes(loaded, kernel, (call.grid, call.block), call.dynamic_shared_bytes)
    offsets, size = parameter_offsets(kernel)
    if size != len(call.params):
        raise _wrong(call, f"the parameters have {size} bytes, not {len(call.params)}")
    request = LaunchRequest(
        module=call.module,
        loaded=loaded,
        kernel=kernel,
        grid=call.grid,
        block=call.block,
        dynamic_shared_bytes=call.dynamic_shared_bytes,
        params=_relocated(run, call, loaded.module.address_bits // 8),
        offsets=offsets,
        stream=run.known(run.streams, call.stream, call),
    )
    counts = run.backend.launch(request)
    if run.on_launch is not None:
        run.on_launch(call, counts.execution)
    given = (counts.warp_instructions, counts.thread_instructions)
    recorded = (call.warp_instructions, call.thread_instructions)
    if None not in (*given, *recorded) and given != recorded:
        run.differing.append(call.index)


def _relocated(run: _Replay, call: LaunchCall, address_bytes: int) -> bytes:
    """Put the addresses and handles of now into the parameters."""
    data = bytearray(call.params)
    textures = {a.offset for a in call.arguments if a.kind in ("texture", "surface")}
    for place in call.addresses:
        size = 8 if place in textures else address_bytes
        if place + size > len(data):
            raise _wrong(call, f"there is no address at byte {place} of the parameters")
        recorded = int.from_bytes(data[place : place + size], "little")
        if place in textures:
            now = run.known(run.handles, recorded, call)
        else:
            now = run.address(recorded, call)
        data[place : place + size] = now.to_bytes(size, "little")
    return bytes(data)


_DO: dict[type[Call], Callable[[_Replay, Any], None]] = {
    KernelCall: _kernel,
    AllocateCall: _allocate,
    FreeCall: _free,
    WriteCall: _write,
    ReadCall: _read,
    CopyCall: _copy,
    FillCall: _fill,
    SymbolCall: _symbol,
    TextureCall: _texture,
    ReadTextureCall: _read_texture,
    StreamCall: _stream,
    EventCall: _event,
    SynchronizeCall: _synchronize,
    LaunchCall: _launch,
}
