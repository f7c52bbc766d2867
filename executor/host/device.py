"""The device object of host programs, in the manner of CuPy and PyCUDA.

::

    device = Device()
    module = device.load("vecadd.sm_80.ptx")
    a, b = device.array(x), device.array(y)
    c = device.empty(x.shape, x.dtype)
    device.launch(module["vecadd"], grid=64, block=256, args=[a, b, c, x.size])
    z = c.get()
"""

from __future__ import annotations

import functools
import math
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Concatenate, ParamSpec, Protocol, TypeVar, Unpack

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import Source, UsageError
from warpmill.analyzer.base.metric import Id, Metric, derived
from warpmill.analyzer.frontends.compilers.options import CompileOptions
from warpmill.analyzer.launch.model import Dim3, dim3
from warpmill.executor.host.backend import (
    DeviceBackend,
    LaunchOutcome,
    LaunchRequest,
    TextureSpec,
)
from warpmill.executor.host.cpu_device import CpuBackend, CpuOptions
from warpmill.executor.host.device_array import DeviceArray, Event, Stream
from warpmill.executor.host.device_log import DeviceLog
from warpmill.executor.host.kernel_arguments import PackedArguments, pack_arguments
from warpmill.executor.host.modules import (
    DeviceKernel,
    DeviceModule,
    TakenKernel,
    check_sizes,
    module_text,
)
from warpmill.executor.host.recording import Recording
from warpmill.executor.host.texture_objects import Texture, TextureWords, texture_spec

# One thread at a time: a device's calls have an order, and its memory one owner.


class Locked(Protocol):
    """Object that has a lock of its own."""

    lock: threading.RLock


Self = TypeVar("Self", bound=Locked)
Given = ParamSpec("Given")
Result = TypeVar("Result")


def one_thread(
    method: Callable[Concatenate[Self, Given], Result],
) -> Callable[Concatenate[Self, Given], Result]:
    """Method that one thread at a time may run on an object; others wait."""

    @functools.wraps(method)
    def guarded(self: Self, /, *args: Given.args, **kwargs: Given.kwargs) -> Result:
        with self.lock:
            return method(self, *args, **kwargs)

    return guarded


DEVICES = ("cpu", "cuda")
"""Devices that programs can run on: the executor here, or a GPU through its driver."""


@dataclass(frozen=True)
class Launched:
    """A launch that was made: what was launched how, and what it did where that is counted."""

    index: Id
    kernel: TakenKernel
    grid: Annotated[Dim3, Metric("Grid size", "CTA")]
    block: Annotated[Dim3, Metric("Block size", "thread")]
    dynamic_shared_bytes: Annotated[int, Metric("Dynamic shared memory per CTA", "B")]
    stream: Id
    counts: LaunchOutcome

    @derived("CTAs", "CTA")
    def ctas(self) -> int:
        """CTAs of the grid."""
        return math.prod(self.grid)

    @derived("Threads per CTA", "thread")
    def threads_per_cta(self) -> int:
        """Threads of one CTA."""
        return math.prod(self.block)

    @derived("Lane utilization", "%")
    def lane_utilization(self) -> float | None:
        """Lanes on in the mask of an instruction, of those that a warp has; null: not counted."""
        warps, threads = self.counts.warp_instructions, self.counts.thread_instructions
        if not warps or threads is None:
            return None
        return threads / (warps * self.kernel.loaded.module.warp_size)


class Device:
    """A device with its memory, modules and streams: the executor (``cpu``), or a GPU (``cuda``).

    ``record`` keeps what is copied to the device, so that ``recording`` can be replayed; the calls
    themselves are always taken down. ``hash_arguments`` also hashes every buffer that a launch is
    given, which takes longer than most launches.
    """

    def __init__(
        self,
        device: str | DeviceBackend = "cpu",
        *,
        options: CpuOptions | None = None,
        record: bool = True,
        hash_arguments: bool = False,
    ) -> None:
        self.backend = _backend(device, options)
        self.lock = threading.RLock()
        self._log = DeviceLog(self.backend, keep=record, hash_arguments=hash_arguments)
        self.on_launch: Callable[[Launched], None] | None = None
        self.arrays: dict[int, DeviceArray] = {}  # by address, those that are not freed
        self._modules: list[DeviceModule] = []

    @property
    def recording(self) -> Recording:
        """Every call so far."""
        return self._log.recording()

    def let_go(self) -> None:
        """Forget arrays and modules, for who goes on with ``backend`` alone.

        They and the device refer to each other: what they hold would wait for Python's search for
        cycles, which does not see how large device memory is.
        """
        self.arrays.clear()
        for module in self._modules:
            module.let_go()
        self._modules.clear()

    # ------------------------------------------------------------------------------ modules

    @one_thread
    def load(
        self,
        module: str | Path | Source,
        name: str | None = None,
        *,
        compile_options: CompileOptions | None = None,
    ) -> DeviceModule:
        """Take a module: a file (.ptx, .ll, .bc, a binary with PTX), or its text.

        Kernels are read when they are first asked for. ``name`` is what messages call a text. A
        source (.cu, .hip, .cl) is compiled as the options say.
        """
        text = module_text(module, name, compile_options)
        loaded = DeviceModule(self, len(self._modules), text, self._log)
        self._log.load(loaded.number, text.name)
        self._modules.append(loaded)
        return loaded

    @one_thread
    def symbol(
        self,
        module: DeviceModule,
        name: str,
        dtype: npt.DTypeLike | None = None,
        shape: int | Sequence[int] | None = None,
    ) -> DeviceArray:
        """A module's global or constant variable as an array over its memory.

        Type and shape are the variable's; of one of plain bytes they may be told.
        """
        loaded, variable, its_type, its_shape = module.variable(name)
        address = self.backend.symbol(module.number, loaded, variable)
        size = variable.size_bytes or 0
        self._log.symbol(module.number, variable.name, address, size)
        array = DeviceArray(self, address, its_shape, its_type, name=variable.name)
        if dtype is not None:
            array = array.view(dtype)
        if shape is None:
            return array
        return array.reshape(*shape) if isinstance(shape, Sequence) else array.reshape(shape)

    def bind(self, module: DeviceModule, name: str, texture: Texture) -> None:
        """Bind a reference of a module (``.texref``, ``.surfref``, ``.samplerref``) to a texture.

        A sampler takes the texture's filter and addressing. UsageError for another variable.
        """
        _, variable, *_ = module.variable(name)
        if not variable.is_handle:
            raise UsageError(f"variable `{name}` is no reference to a texture, surface or sampler")
        self.symbol(module, name, "uint64").set([texture.handle])

    # ------------------------------------------------------------------------------- memory

    def array(
        self,
        values: npt.ArrayLike,
        dtype: npt.DTypeLike | None = None,
        *,
        name: str | None = None,
        stream: Stream | None = None,
    ) -> DeviceArray:
        """Copy an array to new memory. ``name`` is what faults and reports call it."""
        given = np.ascontiguousarray(values, dtype)
        array = self.empty(np.shape(values), given.dtype, name=name)
        array.set(given.reshape(array.shape), stream)
        return array

    def empty(
        self,
        shape: int | Sequence[int],
        dtype: npt.DTypeLike = np.float32,
        *,
        name: str | None = None,
    ) -> DeviceArray:
        """Make new memory. What it holds is undefined on a GPU and zero on the executor."""
        return self._new(shape, dtype, name, zeroed=False)

    def zeros(
        self,
        shape: int | Sequence[int],
        dtype: npt.DTypeLike = np.float32,
        *,
        name: str | None = None,
    ) -> DeviceArray:
        """Make new memory that is all zero."""
        return self._new(shape, dtype, name, zeroed=True)

    @one_thread
    def _new(
        self, shape: int | Sequence[int], dtype: npt.DTypeLike, name: str | None, *, zeroed: bool
    ) -> DeviceArray:
        sizes = tuple(shape) if isinstance(shape, Sequence | np.ndarray) else (shape,)
        if not all(isinstance(n, int | np.integer) for n in sizes):
            raise UsageError(f"a shape is a whole number or some of them, not {shape!r:.60}")
        if any(n < 0 for n in sizes):
            raise UsageError(f"an array has no negative sizes: {sizes}")
        array = DeviceArray(self, 0, sizes, dtype, name=name)
        if array.dtype.hasobject:
            raise UsageError(f"elements of {array.dtype} are Python's objects, no bytes")
        array.address = self.backend.allocate(array.nbytes, name, zeroed=zeroed)
        self._log.allocate(array, zeroed=zeroed)
        self.arrays[array.address] = array
        return array

    @one_thread
    def free(self, array: DeviceArray) -> None:
        """An array's memory back. UsageError where it has none of its own any more."""
        if self.arrays.get(array.address) is not array:
            raise UsageError(f"{array!r} has no memory of its own that could be freed")
        self.backend.free(array.address)
        self._log.free(array.address)
        del self.arrays[array.address]

    def copy(self, to: object, source: object, stream: Stream | None = None) -> None:
        """Copy between arrays of the device and of the host, either way or on the device.

        On the device also from a texture or surface object to an array.
        """
        match to, source:
            case DeviceArray(), DeviceArray():
                self._copy_on_device(to, source, stream)
            case DeviceArray(), Texture():
                self._copy_texture(to, source, stream)
            case DeviceArray(), np.ndarray():
                to.set(source, stream)
            case np.ndarray(), DeviceArray():
                if to.dtype != source.dtype or to.size != source.size:
                    raise UsageError(f"{source!r} does not fit {to.dtype}{list(to.shape)}")
                to[...] = source.get(stream).reshape(to.shape)
            case _:
                kinds = f"{type(source).__name__} to {type(to).__name__}"
                raise UsageError(f"copies are between device arrays and NumPy's, not {kinds}")

    @one_thread
    def _copy_on_device(self, to: DeviceArray, source: DeviceArray, stream: Stream | None) -> None:
        if to.nbytes != source.nbytes:
            raise UsageError(f"{source.nbytes} B of {source!r} do not fit {to!r}")
        number = self._number(stream)
        self.backend.copy(to.address, source.address, to.nbytes, number)
        self._log.copy(to.address, source.address, to.nbytes, number)

    @one_thread
    def _copy_texture(self, to: DeviceArray, source: Texture, stream: Stream | None) -> None:
        if to.device is not self or source.device is not self:
            raise UsageError("an array or a texture is of another device")
        if to.nbytes != source.spec.bytes:
            raise UsageError(f"{source.spec.bytes} B of {source!r} do not fit {to!r}")
        number = self._number(stream)
        self.backend.copy_texture(source.handle, to.address, number)
        self._log.copy_texture(to.address, source.handle, to.nbytes, number)

    def known_content(self, array: DeviceArray) -> str | None:
        """SHA-256 of an array that only the host has written; None for others."""
        return self._log.known_content(array)

    @one_thread
    def write_bytes(
        self, address: int, data: npt.NDArray[np.uint8], stream: Stream | None = None
    ) -> None:
        """Copy bytes to an address of the device."""
        number = self._number(stream)
        self.backend.write(address, data, number)
        self._log.write(address, data, number)

    def read_bytes(
        self, address: int, size: int, stream: Stream | None = None
    ) -> npt.NDArray[np.uint8]:
        """Copy bytes from an address of the device."""
        data, _ = self.read_hashed(address, size, stream)
        self.backend.note_results(address, size)
        return data

    @one_thread
    def read_hashed(
        self, address: int, size: int, stream: Stream | None = None
    ) -> tuple[npt.NDArray[np.uint8], str]:
        """Copy bytes from an address of the device, and give their SHA-256."""
        number = self._number(stream)
        data = self.backend.read(address, size, number)
        return data, self._log.read(address, data, number)

    # ----------------------------------------------------------------------------- textures

    def texture(
        self, values: npt.ArrayLike | DeviceArray | Texture, **how: Unpack[TextureWords]
    ) -> Texture:
        """Make a texture object of a copy of an array, or over what a surface holds.

        ``filter``: point or linear; ``address`` (one, or one a dimension): clamp, wrap, mirror or
        border. With ``channels`` the last dimension is that of an element's parts, with
        ``layered`` or ``cube`` the first that of layers or faces. ``normalised_coordinates`` and
        ``normalised_values``: these are from 0 to 1. ``linear_memory`` is what kernels read with
        ``tex1Dfetch``: a GPU wants it, and takes more elements then; here it is the same.
        """
        given = values if isinstance(values, Texture | DeviceArray) else np.asarray(values)
        return self._made(texture_spec(given.shape, given.dtype, **how), given)

    def surface(
        self,
        values: npt.ArrayLike | DeviceArray,
        *,
        channels: int = 1,
        layered: bool = False,
    ) -> Texture:
        """Make a surface object of a copy of an array: kernels read and write its elements."""
        given = values if isinstance(values, DeviceArray) else np.asarray(values)
        spec = texture_spec(
            given.shape, given.dtype, is_surface=True, channels=channels, layered=layered
        )
        return self._made(spec, given)

    @one_thread
    def _made(self, spec: TextureSpec, given: DeviceArray | Texture | npt.NDArray[Any]) -> Texture:
        """Make the object; a host array passes through device memory that is freed again."""
        if isinstance(given, np.ndarray):
            passing = self.array(given)
            made = self._made(spec, passing)
            self.free(passing)
            return made
        over = given.handle if isinstance(given, Texture) else None
        address = given.address if isinstance(given, DeviceArray) else 0
        handle = self.backend.texture(spec, address, over)
        self._log.texture(handle, address, spec, over)
        return Texture(self, handle, spec, given.shape, given.dtype)

    @one_thread
    def read_texture(self, handle: int) -> npt.NDArray[np.uint8]:
        """Copy the elements of a texture or surface to the host."""
        data = self.backend.read_texture(handle)
        self._log.read_texture(handle, data)
        return data

    # ----------------------------------------------------------------------------- launches

    @one_thread
    def launch(
        self,
        kernel: DeviceKernel,
        grid: int | Sequence[int],
        block: int | Sequence[int],
        args: Sequence[object] = (),
        shared: int = 0,
        stream: Stream | None = None,
    ) -> Launched:
        """Launch a kernel. UsageError and InputError where arguments or sizes do not fit it."""
        request, packed = self._request(kernel, grid, block, args, shared, stream)
        return self._run(kernel, request, packed)

    @one_thread
    def request(
        self,
        kernel: DeviceKernel,
        grid: int | Sequence[int],
        block: int | Sequence[int],
        args: Sequence[object] = (),
        shared: int = 0,
    ) -> LaunchRequest:
        """A launch as the backend takes it, and do not make it. Errors as ``launch``'s."""
        return self._request(kernel, grid, block, args, shared, None)[0]

    def _request(
        self,
        kernel: DeviceKernel,
        grid: int | Sequence[int],
        block: int | Sequence[int],
        args: Sequence[object],
        shared: int,
        stream: Stream | None,
    ) -> tuple[LaunchRequest, PackedArguments]:
        _check_kinds(kernel, args, shared)
        self._check_owner(kernel, args)
        module = kernel.loaded.module
        packed = pack_arguments(kernel.kernel, args, module.address_bits // 8)
        sizes = _sizes("grid", grid), _sizes("block", block)
        check_sizes(kernel.loaded, kernel.kernel, sizes, shared)
        request = LaunchRequest(
            module=kernel.module.number,
            loaded=kernel.loaded,
            kernel=kernel.kernel,
            grid=sizes[0],
            block=sizes[1],
            dynamic_shared_bytes=shared,
            params=packed.data,
            offsets=packed.offsets,
            stream=self._number(stream),
        )
        return request, packed

    def _check_owner(self, kernel: DeviceKernel, args: Sequence[object]) -> None:
        """Refuse what another device has made. UsageError."""
        held = [a for a in args if isinstance(a, DeviceArray | Texture)]
        if any(one.device is not self for one in (kernel.module, *held)):
            raise UsageError(f"`{kernel.name}` or one of its arguments is of another device")

    def _run(
        self, kernel: DeviceKernel, request: LaunchRequest, packed: PackedArguments
    ) -> Launched:
        records = self._log.arguments(packed.records, self.arrays)
        counts = self.backend.launch(request)
        index = self._log.launch(request, replace(packed, records=records), counts)
        launched = Launched(
            index,
            kernel,
            request.grid,
            request.block,
            request.dynamic_shared_bytes,
            request.stream,
            counts,
        )
        if self.on_launch is not None:
            self.on_launch(launched)
        return launched

    # ------------------------------------------------------------------- streams and events

    @one_thread
    def stream(self) -> Stream:
        """Make a stream."""
        stream = Stream(self, self.backend.stream())
        self._log.stream(stream.number)
        return stream

    @one_thread
    def event(self) -> Event:
        """Make an event."""
        event = Event(self, self.backend.event())
        self._log.event("create", event.number, None)
        return event

    @one_thread
    def record_event(self, event: Event, stream: Stream | None = None) -> None:
        """Record an event in a stream."""
        self.backend.record_event(event.number, self._number(stream))
        event.is_recorded = True
        self._log.event("record", event.number, self._number(stream))

    @one_thread
    def wait_event(self, event: Event, stream: Stream | None = None) -> None:
        """Make a stream wait for an event."""
        self.backend.wait_event(event.number, self._number(stream))
        self._log.event("wait", event.number, self._number(stream))

    @one_thread
    def synchronize_event(self, event: Event) -> None:
        """Wait for an event."""
        self.backend.synchronize(None)
        self._log.event("synchronize", event.number, None)

    @one_thread
    def synchronize(self, stream: Stream | None = None) -> None:
        """Wait for a stream, or for all that was asked of the device."""
        number = None if stream is None else self._number(stream)
        self.backend.synchronize(number)
        self._log.synchronize(number)

    @one_thread
    def flush(self, stream: Stream | None = None) -> None:
        """Submit what waits in a stream, or in all of them, without waiting for it.

        OpenCL's clFlush. Nothing waits on the executor; the call is recorded all the same, as it
        ends an interval between synchronisations (``recording_intervals``).
        """
        number = None if stream is None else self._number(stream)
        self.backend.flush(number)
        self._log.flush(number)

    def _number(self, stream: Stream | None) -> int:
        if stream is None:
            return 0
        if not isinstance(stream, Stream):
            words = f"a stream is what device.stream() gives, not {stream!r:.60}"
            raise UsageError(words)
        if stream.device is not self:
            raise UsageError("this stream is of another device")
        return stream.number


def _backend(device: str | DeviceBackend, options: CpuOptions | None) -> DeviceBackend:
    if not isinstance(device, str):
        return device
    if device == "cpu":
        if not isinstance(options, CpuOptions | None):
            raise UsageError(f"options are CpuOptions(...), not {options!r:.60}")
        return CpuBackend(options)
    if device == "cuda":
        from warpmill.executor.host.cuda_device import CudaBackend  # noqa: PLC0415 - for GPUs only

        return CudaBackend()
    raise UsageError(f"there is no device `{device}`; devices are {', '.join(DEVICES)}")


def _check_kinds(kernel: DeviceKernel, args: Sequence[object], shared: int) -> None:
    """Refuse what is no kernel, no list of arguments, no number of bytes. UsageError."""
    if not isinstance(kernel, DeviceKernel):
        words = f"a kernel is what device.load(file)[name] gives, not {kernel!r:.60}"
        raise UsageError(words)
    if not isinstance(args, Sequence) or isinstance(args, str | bytes):
        raise UsageError(f"args is a list, an argument a parameter, not {args!r:.60}")
    if not isinstance(shared, int | np.integer):
        raise UsageError(f"shared is a whole number of bytes, not {shared!r}")


def _sizes(what: str, given: int | Sequence[int]) -> Dim3:
    sizes = list(given) if isinstance(given, Sequence | np.ndarray) else [given]
    if not 1 <= len(sizes) <= 3 or not all(isinstance(n, int | np.integer) for n in sizes):
        raise UsageError(f"a {what} is one to three whole numbers, not {given!r}")
    return dim3([int(n) for n in sizes])
