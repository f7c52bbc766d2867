"""Texture and surface objects of the CUDA driver, over arrays of its own layout or plain memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from warpmill.analyzer.launch.elements import ELEMENT_TYPES
from warpmill.executor.host.backend import Bytes, TextureSpec

if TYPE_CHECKING:
    from warpmill.executor.host.cuda_device import Driver

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
