"""A GPU as a device, through the CUDA driver and the package ``cuda-bindings``."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, Severity, UsageError
from warpmill.analyzer.frontends.load import FileFormat, LoadedModule
from warpmill.analyzer.ir.kernel import Variable
from warpmill.analyzer.launch.model import ELEMENT_TYPES
from warpmill.executor.host.backend import (
    Bytes,
    LaunchOutcome,
    LaunchRequest,
    TextureSpec,
    is_cooperative,
)

_MODULE = "cuda.bindings.driver"

_NOT_READY = 600
"""CUDA_ERROR_NOT_READY: what was asked about is still under way."""

_USUAL_SHARED_BYTES = 48 << 10
"""Dynamic shared memory that a kernel may have without asking for more."""


class CudaError(InputError):
    """The CUDA driver refused a call."""


class Driver:
    """The driver's functions; each checks its result and gives what comes after it."""

    def __init__(self, module: Any) -> None:
        self.names = module

    def call(self, function: str, *arguments: Any) -> Any:
        """Call a function: None, its one result or a tuple of them. CudaError."""
        status, *results = getattr(self.names, function)(*arguments)
        if int(status) != 0:
            raise CudaError(f"{function}: {self._explained(status)}")
        return None if not results else results[0] if len(results) == 1 else tuple(results)

    def is_done(self, function: str, *arguments: Any) -> bool:
        """Call a function that asks whether something is done, and does not wait. CudaError."""
        status, *_ = getattr(self.names, function)(*arguments)
        if int(status) not in (0, _NOT_READY):
            raise CudaError(f"{function}: {self._explained(status)}")
        return int(status) == 0

    def _explained(self, status: Any) -> str:
        """Description of a status: ``CUDA_ERROR_INVALID_VALUE (invalid argument)``."""
        words = []
        for function in ("cuGetErrorName", "cuGetErrorString"):
            _, text = getattr(self.names, function)(status)
            words.append(text.decode(errors="replace") if isinstance(text, bytes) else str(text))
        return f"{words[0]} ({words[1]})"


def load_driver() -> Driver:
    """Find the CUDA driver. UsageError, with what to install, where it is not there."""
    try:
        driver = Driver(import_module(_MODULE))
    except ImportError:
        words = "the package cuda-bindings is not installed"
        raise _missing(words, "pip install cuda-bindings") from None
    except (OSError, RuntimeError) as error:
        raise _missing(f"{_MODULE} cannot be loaded: {_first_line(error)}", None) from None
    try:
        driver.call("cuInit", 0)
    except (CudaError, OSError, RuntimeError) as error:
        raise _missing(_first_line(error), "is there an NVIDIA GPU with its driver?") from None
    return driver


def _missing(why: str, hint: str | None) -> UsageError:
    words = f"device cuda cannot be used: {why}"
    return UsageError(Diagnostic(Severity.ERROR, words, hint=hint))


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0].removeprefix("error: ")


class CudaBackend:
    """The first GPU. It runs PTX; what is LLVM IR has to be compiled to it first."""

    name = "cuda"

    def __init__(self, driver: Driver | None = None) -> None:
        self._driver = driver or load_driver()
        device = self._driver.call("cuDeviceGet", 0)
        self._context = self._driver.call("cuDevicePrimaryCtxRetain", device)
        self._driver.call("cuCtxSetCurrent", self._context)
        self._modules: dict[tuple[int, str], Any] = {}
        self._streams: list[Any] = [self._driver.names.CUstream(0)]
        self._events: list[Any] = []
        self._textures: dict[int, tuple[TextureSpec, Any]] = {}

    def allocate(self, size: int, name: str | None, *, zeroed: bool) -> int:  # noqa: ARG002 - a GPU knows no names
        """New memory; a size of 0 takes a byte, as the driver refuses it."""
        address = int(self._driver.call("cuMemAlloc", max(1, size)))
        if zeroed:
            self._driver.call("cuMemsetD8", address, 0, max(1, size))
        return address

    def free(self, address: int) -> None:
        """Free the memory at an address."""
        self._driver.call("cuMemFree", address)

    def write(self, address: int, data: Bytes, stream: int) -> None:
        """Copy to the device, in the order of the stream."""
        if not data.size:
            return
        whole = np.ascontiguousarray(data)
        number = self._streams[stream]
        self._driver.call("cuMemcpyHtoDAsync", address, whole.ctypes.data, whole.size, number)
        self._driver.call("cuStreamSynchronize", number)  # the host's memory may change after this

    def read(self, address: int, size: int, stream: int) -> Bytes:
        """Copy from the device, when the stream is done."""
        data = np.empty(size, np.uint8)
        if size:
            number = self._streams[stream]
            self._driver.call("cuMemcpyDtoHAsync", data.ctypes.data, address, size, number)
            self._driver.call("cuStreamSynchronize", number)
        return data

    def note_results(self, address: int, size: int) -> None:
        """Nobody watches."""

    def copy(self, address: int, source: int, size: int, stream: int) -> None:
        """Copy on the device."""
        if size:
            number = self._streams[stream]
            self._driver.call("cuMemcpyDtoDAsync", address, source, size, number)

    def fill(self, address: int, value: int, size: int, stream: int) -> None:
        """Set bytes."""
        if size:
            self._driver.call("cuMemsetD8Async", address, value, size, self._streams[stream])

    def symbol(self, module: int, loaded: LoadedModule, variable: Variable) -> int:
        """The address of a variable."""
        handle = self._module(module, loaded)
        address, _ = self._driver.call("cuModuleGetGlobal", handle, variable.name.encode())
        return int(address)

    def _module(self, number: int, loaded: LoadedModule) -> Any:
        """Load a module's text once; of a binary, each of its texts."""
        key = (number, loaded.source.name)
        if key not in self._modules:
            if loaded.format not in (FileFormat.PTX, FileFormat.BINARY):
                words = f"this is {loaded.format.value}, and device cuda runs PTX"
                hint = "compile it: llc -mcpu=sm_80 -o kernel.ptx, or clang -S"
                raise InputError(Diagnostic(Severity.ERROR, words, loaded.path, hint=hint))
            text = loaded.source.text.encode() + b"\0"
            self._modules[key] = self._driver.call("cuModuleLoadData", text)
        return self._modules[key]

    def texture(self, spec: TextureSpec, address: int, over: int | None) -> int:
        """Make a texture or surface object over an array, or memory, with a copy of the memory."""
        if spec.is_linear:
            return self._linear_texture(spec, address)
        if over is None:
            array = make_array(self._driver, spec)
            copy_array(self._driver, spec, array, device_address=address)
        else:
            _, array = self._textures[over]
        handle = texture_object(self._driver, spec, array)
        self._textures[handle] = (spec, array)
        return handle

    def _linear_texture(self, spec: TextureSpec, address: int) -> int:
        memory = self.allocate(spec.bytes, None, zeroed=False)
        self.copy(memory, address, spec.bytes, 0)
        handle = linear_texture_object(self._driver, spec, memory)
        self._textures[handle] = (spec, memory)
        return handle

    def read_texture(self, handle: int) -> Bytes:
        """Copy an object's elements to the host."""
        spec, array = self._textures[handle]
        if spec.is_linear:
            self._driver.call("cuCtxSynchronize")
            return self.read(array, spec.bytes, 0)
        data = np.empty(spec.bytes, np.uint8)
        self._driver.call("cuCtxSynchronize")
        copy_array(self._driver, spec, array, host=data)
        return data

    def copy_texture(self, handle: int, address: int, stream: int) -> None:
        """Copy an object's elements to device memory."""
        spec, array = self._textures[handle]
        if spec.is_linear:
            self.copy(address, array, spec.bytes, stream)
            return
        copy_to_memory(self._driver, spec, array, address, self._streams[stream])

    def launch(self, request: LaunchRequest) -> LaunchOutcome:
        """Enqueue a launch in its stream. The GPU counts nothing and reports no time here."""
        handle = self._module(request.module, request.loaded)
        function = self._driver.call("cuModuleGetFunction", handle, request.kernel.name.encode())
        if request.dynamic_shared_bytes > _USUAL_SHARED_BYTES:
            names = self._driver.names.CUfunction_attribute
            attribute = names.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
            self._driver.call(
                "cuFuncSetAttribute", function, attribute, request.dynamic_shared_bytes
            )
        params = np.frombuffer(request.params + bytes(8), np.uint8).copy()
        pointers = np.array([params.ctypes.data + o for o in request.offsets] or [0], np.uint64)
        parts = (
            function,
            *request.grid,
            *request.block,
            request.dynamic_shared_bytes,
            self._streams[request.stream],
            pointers.ctypes.data,
        )
        if is_cooperative(request.kernel):  # all CTAs resident, or an error of the driver
            self._driver.call("cuLaunchCooperativeKernel", *parts)
        else:
            self._driver.call("cuLaunchKernel", *parts, 0)
        return LaunchOutcome()

    def stream(self) -> int:
        """Make a stream that does not wait for the default one."""
        flag = self._driver.names.CUstream_flags.CU_STREAM_NON_BLOCKING
        self._streams.append(self._driver.call("cuStreamCreate", flag))
        return len(self._streams) - 1

    def event(self) -> int:
        """Make an event that knows its time."""
        flag = self._driver.names.CUevent_flags.CU_EVENT_DEFAULT
        self._events.append(self._driver.call("cuEventCreate", flag))
        return len(self._events)

    def record_event(self, event: int, stream: int) -> None:
        """Record an event in a stream."""
        self._driver.call("cuEventRecord", self._events[event - 1], self._streams[stream])

    def wait_event(self, event: int, stream: int) -> None:
        """Make a stream wait for an event."""
        self._driver.call("cuStreamWaitEvent", self._streams[stream], self._events[event - 1], 0)

    def elapsed_ms(self, start: int, end: int) -> float | None:
        """The time between two events, once the second has happened."""
        first, last = self._events[start - 1], self._events[end - 1]
        self._driver.call("cuEventSynchronize", last)
        return float(self._driver.call("cuEventElapsedTime", first, last))

    def synchronize(self, stream: int | None) -> None:
        """Wait for a stream, or for all."""
        if stream is None:
            self._driver.call("cuCtxSynchronize")
        else:
            self._driver.call("cuStreamSynchronize", self._streams[stream])

    def flush(self, stream: int | None) -> None:
        """Submit what waits: the driver does so when a stream is queried."""
        for one in self._streams if stream is None else [self._streams[stream]]:
            self._driver.is_done("cuStreamQuery", one)


# Texture and surface objects of the CUDA driver, over arrays of its own layout or plain memory.

FORMATS = {
    "u8": "CU_AD_FORMAT_UNSIGNED_INT8", "u16": "CU_AD_FORMAT_UNSIGNED_INT16",
    "u32": "CU_AD_FORMAT_UNSIGNED_INT32", "i8": "CU_AD_FORMAT_SIGNED_INT8",
    "i16": "CU_AD_FORMAT_SIGNED_INT16", "i32": "CU_AD_FORMAT_SIGNED_INT32",
    "f16": "CU_AD_FORMAT_HALF", "f32": "CU_AD_FORMAT_FLOAT",
}  # fmt: skip


def texture_object(driver: Driver, spec: TextureSpec, array: Any) -> int:
    """Make the object over an array; give its handle."""
    resource = driver.names.CUDA_RESOURCE_DESC()
    resource.resType = driver.names.CUresourcetype.CU_RESOURCE_TYPE_ARRAY
    resource.res.array.hArray = array
    if spec.is_surface:
        return int(driver.call("cuSurfObjectCreate", resource))
    return int(driver.call("cuTexObjectCreate", resource, _sampling(driver, spec), None))


def linear_texture_object(driver: Driver, spec: TextureSpec, address: int) -> int:
    """Make a texture object over plain memory; give its handle."""
    resource = driver.names.CUDA_RESOURCE_DESC()
    resource.resType = driver.names.CUresourcetype.CU_RESOURCE_TYPE_LINEAR
    resource.res.linear.devPtr = address
    resource.res.linear.format = getattr(driver.names.CUarray_format, FORMATS[spec.element])
    resource.res.linear.numChannels = spec.channels
    resource.res.linear.sizeInBytes = spec.bytes
    return int(driver.call("cuTexObjectCreate", resource, _sampling(driver, spec), None))


def make_array(driver: Driver, spec: TextureSpec) -> Any:
    """Make an array that texture and surface objects can be made over.

    A size of 0 tells the driver that a dimension is not there; layers take the depth's place.
    """
    names = driver.names
    wanted = names.CUDA_ARRAY3D_DESCRIPTOR()
    wanted.Width, wanted.Height, wanted.Depth = (*spec.extent, 0, 0)[:3]
    flags = int(names.CUDA_ARRAY3D_SURFACE_LDST)
    if spec.layers:
        wanted.Depth = spec.layers
        flags |= int(names.CUDA_ARRAY3D_LAYERED) if not spec.is_cube or spec.layers > 6 else 0
        flags |= int(names.CUDA_ARRAY3D_CUBEMAP) if spec.is_cube else 0
    wanted.Format = getattr(names.CUarray_format, FORMATS[spec.element])
    wanted.NumChannels = spec.channels
    wanted.Flags = flags
    return driver.call("cuArray3DCreate", wanted)


def copy_array(
    driver: Driver,
    spec: TextureSpec,
    array: Any,
    *,
    device_address: int = 0,
    host: Bytes | None = None,
) -> None:
    """Fill an array from device memory, or copy it to ``host``."""
    names = driver.names
    copy, row, height = _whole(driver, spec)
    if host is None:
        copy.srcMemoryType = names.CUmemorytype.CU_MEMORYTYPE_DEVICE
        copy.srcDevice = device_address
        copy.srcPitch, copy.srcHeight = row, height
        copy.dstMemoryType = names.CUmemorytype.CU_MEMORYTYPE_ARRAY
        copy.dstArray = array
    else:
        copy.srcMemoryType = names.CUmemorytype.CU_MEMORYTYPE_ARRAY
        copy.srcArray = array
        copy.dstMemoryType = names.CUmemorytype.CU_MEMORYTYPE_HOST
        copy.dstHost = host.ctypes.data
        copy.dstPitch, copy.dstHeight = row, height
    driver.call("cuMemcpy3D", copy)


def copy_to_memory(
    driver: Driver, spec: TextureSpec, array: Any, address: int, stream: Any
) -> None:
    """Copy an array to device memory, in the order of a stream."""
    names = driver.names
    copy, row, height = _whole(driver, spec)
    copy.srcMemoryType = names.CUmemorytype.CU_MEMORYTYPE_ARRAY
    copy.srcArray = array
    copy.dstMemoryType = names.CUmemorytype.CU_MEMORYTYPE_DEVICE
    copy.dstDevice = address
    copy.dstPitch, copy.dstHeight = row, height
    driver.call("cuMemcpy3DAsync", copy, stream)


def _whole(driver: Driver, spec: TextureSpec) -> tuple[Any, int, int]:
    """Start the description of a copy of all elements; give it with bytes a row, and rows."""
    width, height, depth = (*spec.extent, 1, 1)[:3]
    row = width * spec.channels * ELEMENT_TYPES[spec.element].size_bytes
    copy = driver.names.CUDA_MEMCPY3D()
    copy.WidthInBytes, copy.Height, copy.Depth = row, height, depth * max(1, spec.layers)
    return copy, row, height


def _sampling(driver: Driver, spec: TextureSpec) -> Any:
    names = driver.names
    sampling = names.CUDA_TEXTURE_DESC()
    modes = [f"CU_TR_ADDRESS_MODE_{mode.upper()}" for mode in spec.address_modes]
    sampling.addressMode = [getattr(names.CUaddress_mode, mode) for mode in modes]
    filter_ = f"CU_TR_FILTER_MODE_{spec.filter.upper()}"
    sampling.filterMode = getattr(names.CUfilter_mode, filter_)
    as_integers = spec.element[0] in "iu" and not spec.normalised_values
    sampling.flags = (int(names.CU_TRSF_READ_AS_INTEGER) if as_integers else 0) | (
        int(names.CU_TRSF_NORMALIZED_COORDINATES) if spec.normalised_coordinates else 0
    )
    return sampling
