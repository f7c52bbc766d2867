# ruff: noqa: N802, ARG002 - it has the names and parameters of the driver
"""A stand-in for cuda.bindings.driver that executes: kernels run in the executor, on its memory.

What a launch or a texture is made from is read back out of what the driver is given: parameters
from the pointers, textures from the fields of descriptions. So a program that comes out right over
it told the driver all that a GPU needs. Like a GPU's, memory begins with what was there before.
"""

import ctypes

import numpy as np

from tests.executor.test_cuda_backend import FakeDriver
from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends.load import FileFormat, KernelText
from warpmill.analyzer.launch.model import ELEMENT_TYPES
from warpmill.analyzer.launch.numbering import parameter_offsets
from warpmill.executor.host.backend import (
    ADDRESS_MODES,
    FILTERS,
    LaunchRequest,
    TextureSpec,
)
from warpmill.executor.host.cpu_device import CpuBackend
from warpmill.executor.host.modules import ModuleSource

OLD = 0xA5
"""What each byte of new memory holds."""

ELEMENTS = {
    "CU_AD_FORMAT_UNSIGNED_INT8": "u8", "CU_AD_FORMAT_UNSIGNED_INT16": "u16",
    "CU_AD_FORMAT_UNSIGNED_INT32": "u32", "CU_AD_FORMAT_SIGNED_INT8": "i8",
    "CU_AD_FORMAT_SIGNED_INT16": "i16", "CU_AD_FORMAT_SIGNED_INT32": "i32",
    "CU_AD_FORMAT_HALF": "f16", "CU_AD_FORMAT_FLOAT": "f32",
}  # fmt: skip
"""The driver's formats, apart from the backend's own table, so that a wrong row there shows."""


class ExecutingGpu(FakeDriver):
    """The driver of a GPU that computes what the executor does, one stream after another."""

    def __init__(self):
        super().__init__()
        self.cpu = CpuBackend()
        self.texts, self.read, self.over = [], {}, {}

    # Memory.

    def do_cuMemAlloc(self, size):
        address = self.cpu.allocate(size, None, zeroed=False)
        self.cpu.fill(address, OLD, size, 0)
        return (address,)

    def do_cuMemFree(self, address):
        self.cpu.free(address)
        return ()

    def do_cuMemsetD8(self, address, value, size):
        self.cpu.fill(address, value, size, 0)
        return ()

    def do_cuMemsetD8Async(self, address, value, size, stream):
        return self.do_cuMemsetD8(address, value, size)

    def do_cuMemcpyHtoDAsync(self, address, host, size, stream):
        self.cpu.write(address, _at(host, size), 0)
        return ()

    def do_cuMemcpyDtoHAsync(self, host, address, size, stream):
        ctypes.memmove(host, self.cpu.read(address, size, 0).tobytes(), size)
        return ()

    def do_cuMemcpyDtoDAsync(self, address, source, size, stream):
        self.cpu.copy(address, source, size, 0)
        return ()

    # Modules and launches.

    def do_cuModuleLoadData(self, text):
        source = Source(f"module {len(self.texts)}", ctypes.string_at(text).decode())
        self.texts.append(ModuleSource(source.name, text=KernelText(FileFormat.PTX, source)))
        return (len(self.texts) - 1,)

    def do_cuModuleGetFunction(self, module, name):
        function = (module, name.decode())
        if function not in self.read:
            self.read[function] = self.texts[module].kernel(name.decode())
        return (function,)

    def do_cuModuleGetGlobal(self, module, name):
        loaded = self.texts[module].module()
        (variable,) = [v for v in loaded.module.variables if v.name == name.decode()]
        return self.cpu.symbol(module, loaded, variable), variable.size_bytes

    def do_cuLaunchCooperativeKernel(self, function, *rest):
        (module, _), (loaded, kernel) = function, self.read[function]
        *sizes, shared, _, pointers = rest
        offsets, size = parameter_offsets(kernel)
        params = bytearray(size)
        places = (ctypes.c_uint64 * len(offsets)).from_address(pointers)
        for place, offset, parameter in zip(places, offsets, kernel.parameters, strict=True):
            end = offset + parameter.size_bytes
            params[offset:end] = ctypes.string_at(place, parameter.size_bytes)
        made = (tuple(sizes[:3]), tuple(sizes[3:]), shared, bytes(params), offsets, 0)
        self.cpu.launch(LaunchRequest(module, loaded, kernel, *made))
        return ()

    def do_cuLaunchKernel(self, function, *rest):
        assert rest[-1] == 0  # no further options
        return self.do_cuLaunchCooperativeKernel(function, *rest[:-1])

    # Arrays, and textures and surfaces over them.

    def do_cuMemcpy3D(self, copy):
        size = copy.WidthInBytes * copy.Height * copy.Depth
        if copy.dstMemoryType == "CU_MEMORYTYPE_ARRAY":
            assert (copy.srcPitch, copy.srcHeight) == (copy.WidthInBytes, copy.Height)
            wanted, _ = self.arrays[copy.dstArray]
            assert size == _spec(wanted).bytes
            self.arrays[copy.dstArray] = (wanted, self.cpu.read(copy.srcDevice, size, 0))
            return ()
        data = self._contents(copy.srcArray)
        assert size == data.size
        if copy.dstMemoryType == "CU_MEMORYTYPE_HOST":
            ctypes.memmove(copy.dstHost, data.tobytes(), size)
        else:
            self.cpu.write(copy.dstDevice, data, 0)
        return ()

    def do_cuMemcpy3DAsync(self, copy, stream):
        return self.do_cuMemcpy3D(copy)

    def _contents(self, array):
        """An array's elements: those of the objects over it, which share their memory."""
        if array in self.over:
            return self.cpu.read_texture(self.over[array])
        return self.arrays[array][1]

    def do_cuTexObjectCreate(self, resource, sampling, view):
        assert view is None
        if resource.resType == "CU_RESOURCE_TYPE_LINEAR":
            linear = resource.res.linear
            element, channels = ELEMENTS[linear.format], linear.numChannels
            width = linear.sizeInBytes // (channels * ELEMENT_TYPES[element].size_bytes)
            how = _sampled(element, sampling)
            spec = TextureSpec(element, (width,), channels, is_linear=True, **how)
            return (self.cpu.texture(spec, linear.devPtr, None),)
        return self._object(resource, sampling)

    def do_cuSurfObjectCreate(self, resource):
        return self._object(resource, None, is_surface=True)

    def _object(self, resource, sampling, **more):
        assert resource.resType == "CU_RESOURCE_TYPE_ARRAY"
        array = resource.res.array.hArray
        wanted, data = self.arrays[array]
        spec = _spec(wanted, sampling, **more)
        (memory,) = self.do_cuMemAlloc(spec.bytes)
        self.cpu.write(memory, data, 0)
        handle = self.cpu.texture(spec, memory, self.over.get(array))
        self.over.setdefault(array, handle)
        return (handle,)


def _spec(wanted, sampling=None, **more):
    """What an array is, and an object that samples it."""
    element = ELEMENTS[wanted.Format]
    is_cube = bool(wanted.Flags & FakeDriver.CUDA_ARRAY3D_CUBEMAP)
    has_layers = is_cube or wanted.Flags & FakeDriver.CUDA_ARRAY3D_LAYERED
    layers = wanted.Depth if has_layers else 0
    sizes = (wanted.Width, wanted.Height, 0 if has_layers else wanted.Depth)
    extent = tuple(size for size in sizes if size)
    more |= {} if sampling is None else _sampled(element, sampling)
    return TextureSpec(element, extent, wanted.NumChannels, layers=layers, is_cube=is_cube, **more)


def _sampled(element, sampling):
    """How a texture is sampled."""
    modes = [mode.removeprefix("CU_TR_ADDRESS_MODE_").lower() for mode in sampling.addressMode]
    filter_ = sampling.filterMode.removeprefix("CU_TR_FILTER_MODE_").lower()
    assert {*modes, filter_} <= {*ADDRESS_MODES, *FILTERS}
    as_integers = sampling.flags & FakeDriver.CU_TRSF_READ_AS_INTEGER
    return {
        "address_modes": tuple(modes),
        "filter": filter_,
        "normalised_values": element[0] in "iu" and not as_integers,
        "normalised_coordinates": bool(sampling.flags & FakeDriver.CU_TRSF_NORMALIZED_COORDINATES),
    }


def _at(host, size):
    return np.frombuffer(ctypes.string_at(host, size), np.uint8)
