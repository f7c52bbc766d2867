"""Replay of each call of a recording, on a device of other addresses.

``Replay`` is where a replay stands: the device of now beside what was recorded.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import InputError, Source, WarpmillError
from warpmill.analyzer.frontends.load import FileFormat, KernelText, LoadedModule, kernel_of
from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.launch.numbering import parameter_offsets
from warpmill.executor.host.backend import DeviceBackend, LaunchOutcome, LaunchRequest, TextureSpec
from warpmill.executor.host.modules import check_sizes
from warpmill.executor.host.recording import (
    AllocateCall,
    CopyCall,
    CopyTextureCall,
    EventCall,
    FillCall,
    FlushCall,
    FreeCall,
    KernelCall,
    LaunchCall,
    ReadCall,
    ReadTextureCall,
    RecordedCall,
    Recording,
    StreamCall,
    SymbolCall,
    SynchronizeCall,
    TextureCall,
    WriteCall,
    content_hash,
)


def make_again(run: Replay, call: RecordedCall) -> None:
    """Make a call again. InputError where it contradicts those before it."""
    with placed(run.recording, call):
        _DO.get(type(call), _nothing)(run, call)


def _nothing(run: Replay, call: RecordedCall) -> None:
    """Do nothing for what has no effect."""


def _kernel(run: Replay, call: KernelCall) -> None:
    run.kernels[call.module, call.kernel] = taken_kernel(run.recording, call)


def taken_kernel(recording: Recording, call: KernelCall) -> tuple[LoadedModule, Kernel]:
    """Read a kernel that was taken from its module. InputError."""
    text = kept_content(recording, call.text).decode(errors="replace")
    known = {f.value: f for f in FileFormat}
    if call.format not in known:
        raise InputError(f"there is no format `{call.format}`")
    return _kernel_of(text, call.source, known[call.format], call.kernel)


@lru_cache(maxsize=64)
def _kernel_of(
    text: str, name: str, format_: FileFormat, kernel: str
) -> tuple[LoadedModule, Kernel]:
    """Read a kernel; the same one for the same text: what is compiled of it serves again."""
    return kernel_of(name, (KernelText(format_, Source(name, text)),), kernel)


def _allocate(run: Replay, call: AllocateCall) -> None:
    address = run.backend.allocate(call.bytes, call.name, zeroed=call.zeroed)
    run.place(call.address, call.bytes, address)


def _free(run: Replay, call: FreeCall) -> None:
    run.backend.free(run.address(call.address))
    del run.moved[call.address]
    run.starts.remove(call.address)


def _write(run: Replay, call: WriteCall) -> None:
    data = np.frombuffer(run.content(call.content), np.uint8)
    stream = run.known(run.streams, call.stream)
    run.backend.write(run.address(call.address), data, stream)


def _read(run: Replay, call: ReadCall) -> None:
    stream = run.known(run.streams, call.stream)
    data = run.backend.read(run.address(call.address), call.bytes, stream)
    _compare(run, call, data)


def _compare(run: Replay, call: ReadCall | ReadTextureCall, data: npt.NDArray[np.uint8]) -> None:
    run.hashes[call.index] = content_hash(data)
    if run.keep_reads:
        run.reads[call.index] = data
    if run.hashes[call.index] != call.content:
        run.differing.append(call.index)


def _copy(run: Replay, call: CopyCall) -> None:
    to, source = run.address(call.address), run.address(call.source)
    run.backend.copy(to, source, call.bytes, run.known(run.streams, call.stream))


def _fill(run: Replay, call: FillCall) -> None:
    stream = run.known(run.streams, call.stream)
    run.backend.fill(run.address(call.address), call.value, call.bytes, stream)


def _symbol(run: Replay, call: SymbolCall) -> None:
    of_module = (v[0] for (module, _), v in run.kernels.items() if module == call.module)
    loaded = next(of_module, None)
    if loaded is None:
        raise InputError("no kernel of its module was launched")
    variable = next((v for v in loaded.module.variables if v.name == call.name), None)
    if variable is None:
        raise InputError(f"the module has no variable `{call.name}`")
    run.place(call.address, call.bytes, run.backend.symbol(call.module, loaded, variable))


def _texture(run: Replay, call: TextureCall) -> None:
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
        is_linear=call.is_linear,
    )
    over = None if call.over is None else run.known(run.handles, call.over)
    address = run.address(call.address) if over is None else 0
    run.handles[call.handle] = run.backend.texture(spec, address, over)


def _read_texture(run: Replay, call: ReadTextureCall) -> None:
    _compare(run, call, run.backend.read_texture(run.known(run.handles, call.handle)))


def _copy_texture(run: Replay, call: CopyTextureCall) -> None:
    handle, address = run.known(run.handles, call.handle), run.address(call.address)
    run.backend.copy_texture(handle, address, run.known(run.streams, call.stream))


def _stream(run: Replay, call: StreamCall) -> None:
    run.streams[call.stream] = run.backend.stream()


def _event(run: Replay, call: EventCall) -> None:
    if call.action == "create":
        run.events[call.event] = run.backend.event()
        return
    event = run.known(run.events, call.event)
    stream = run.known(run.streams, call.stream or 0)
    match call.action:
        case "record":
            run.backend.record_event(event, stream)
        case "wait":
            run.backend.wait_event(event, stream)
        case "synchronize":
            run.backend.synchronize(None)
        case _:
            raise InputError(f"nothing is called `{call.action}`")


def _synchronize(run: Replay, call: SynchronizeCall) -> None:
    run.backend.synchronize(_one_or_all(run, call))


def _flush(run: Replay, call: FlushCall) -> None:
    run.backend.flush(_one_or_all(run, call))


def _one_or_all(run: Replay, call: SynchronizeCall | FlushCall) -> int | None:
    return None if call.stream is None else run.known(run.streams, call.stream)


def _launch(run: Replay, call: LaunchCall) -> None:
    request = launch_request(run, call)
    number = run.hooks.chosen.get(call.index)
    if number is not None and run.hooks.before is not None:
        run.hooks.before(call, request, run.backend)
    counts = run.backend.launch(request)
    run.executed += 1
    if number is not None:
        run.launches[number] = replace(counts, execution=None)  # it may hold much
        if run.hooks.after is not None:
            run.hooks.after(call, counts.execution)
    given = (counts.warp_instructions, counts.thread_instructions)
    recorded = (call.warp_instructions, call.thread_instructions)
    if None not in (*given, *recorded) and given != recorded:
        run.differing.append(call.index)


def launch_request(run: Replay, call: LaunchCall) -> LaunchRequest:
    """A launch with the addresses of now. InputError where it does not fit its kernel."""
    if (call.module, call.kernel) not in run.kernels:
        raise InputError(f"kernel `{call.kernel}` was never taken from its module")
    loaded, kernel = run.kernels[call.module, call.kernel]
    check_sizes(loaded, kernel, (call.grid, call.block), call.dynamic_shared_bytes)
    offsets, size = parameter_offsets(kernel)
    if size != len(call.params):
        raise InputError(f"the parameters have {size} bytes, not {len(call.params)}")
    return LaunchRequest(
        module=call.module,
        loaded=loaded,
        kernel=kernel,
        grid=call.grid,
        block=call.block,
        dynamic_shared_bytes=call.dynamic_shared_bytes,
        params=_relocated(run, call, loaded.module.address_bits // 8),
        offsets=offsets,
        stream=run.known(run.streams, call.stream),
    )


def _relocated(run: Replay, call: LaunchCall, address_bytes: int) -> bytes:
    """Parameters with the addresses and handles of now."""
    data = bytearray(call.params)
    textures = {a.offset for a in call.arguments if a.kind in ("texture", "surface")}
    for place in call.addresses:
        size = 8 if place in textures else address_bytes
        if place + size > len(data):
            raise InputError(f"there is no address at byte {place} of the parameters")
        recorded = int.from_bytes(data[place : place + size], "little")
        now = run.known(run.handles, recorded) if place in textures else run.address(recorded)
        data[place : place + size] = now.to_bytes(size, "little")
    return bytes(data)


_DO: dict[type[RecordedCall], Callable[[Replay, Any], None]] = {
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
    CopyTextureCall: _copy_texture,
    StreamCall: _stream,
    EventCall: _event,
    SynchronizeCall: _synchronize,
    FlushCall: _flush,
    LaunchCall: _launch,
}


# Where a replay stands.

BeforeLaunch = Callable[[LaunchCall, LaunchRequest, DeviceBackend], None]
"""Callback with a launch, as it was recorded and with the addresses of now, and the device it is
about to run on."""

OnLaunch = Callable[[LaunchCall, object], None]
"""Callback with a launch that has run, and its counts of blocks where the device counts."""


@dataclass(frozen=True)
class Hooks:
    """Callbacks for launches: only for those whose calls have a number in ``chosen``."""

    chosen: dict[int, int]  # by the place of a launch's call, its number among the launches
    before: BeforeLaunch | None = None
    after: OnLaunch | None = None


@dataclass
class Replay:
    """The device that calls are repeated on; its addresses and handles may be others.

    ``hashes`` are those of the copies to the host by the index of their call, and ``reads`` their
    bytes where these are kept; ``launches`` are what the chosen launches did, by number.
    """

    recording: Recording
    backend: DeviceBackend
    hooks: Hooks
    keep_reads: bool = True
    reads: dict[int, npt.NDArray[np.uint8]] = field(default_factory=dict)
    hashes: dict[int, str] = field(default_factory=dict)
    differing: list[int] = field(default_factory=list)
    launches: dict[int, LaunchOutcome] = field(default_factory=dict)
    executed: int = 0
    kernels: dict[tuple[int, str], tuple[LoadedModule, Kernel]] = field(default_factory=dict)
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

    def address(self, recorded: int) -> int:
        """Present address for one of the recording. InputError for one of no memory."""
        place = bisect_right(self.starts, recorded) - 1
        start = self.starts[place] if place >= 0 else recorded + 1
        offset = recorded - start
        if offset < 0 or offset > self.moved[start][0]:
            raise InputError(f"there is no memory at {recorded:#x}")
        return self.moved[start][1] + offset

    def content(self, digest: str) -> bytes:
        """Bytes that were kept. InputError."""
        return kept_content(self.recording, digest)

    def known(self, table: dict[int, int], number: int) -> int:
        """Present value of a number in the recording. InputError."""
        if number not in table:
            raise InputError(f"number {number} was never made")
        return table[number]


def kept_content(recording: Recording, digest: str) -> bytes:
    """Bytes that a recording has kept. InputError."""
    if digest not in recording.contents:
        raise InputError("the recording has not kept the bytes that it needs")
    return recording.contents[digest]


@contextmanager
def placed(recording: Recording, call: RecordedCall) -> Iterator[None]:
    """Context in which a call's error that names no file names the recording's and the call."""
    try:
        try:
            yield
        except (ValueError, KeyError, IndexError, OverflowError) as error:
            raise InputError(str(error)) from None
    except WarpmillError as error:
        where = f"call {call.index}, {call.call}: "
        error.put_in(recording.file or "the recording", where)
        raise
