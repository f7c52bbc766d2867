"""A device's calls put into its recording."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.frontends.load import FileFormat, LoadedModule
from warpmill.executor.host.backend import (
    DeviceBackend,
    LaunchOutcome,
    LaunchRequest,
    TextureSpec,
)
from warpmill.executor.host.device_array import DeviceArray
from warpmill.executor.host.kernel_arguments import PackedArguments
from warpmill.executor.host.recording import (
    AllocateCall,
    ArgumentRecord,
    CopyCall,
    CopyTextureCall,
    EventCall,
    FlushCall,
    FreeCall,
    KernelCall,
    LaunchCall,
    LoadCall,
    ReadCall,
    ReadTextureCall,
    Recorder,
    Recording,
    StreamCall,
    SymbolCall,
    SynchronizeCall,
    TextureCall,
    WriteCall,
    content_hash,
)

Bytes = npt.NDArray[np.uint8]


class DeviceLog:
    """Log of calls, which knows the contents of arrays that only the host has written.

    A launch may write to any array, so that after it none is known but those written since.
    """

    def __init__(self, backend: DeviceBackend, *, keep: bool, hash_arguments: bool) -> None:
        self._backend = backend
        self._recorder = Recorder(keep)
        self._hash_arguments = hash_arguments
        self._known: dict[int, tuple[int, str]] = {}  # by address: bytes, content

    def recording(self) -> Recording:
        """Recording of the calls so far."""
        recorder = self._recorder
        return Recording(tuple(recorder.calls), dict(recorder.contents), self._backend.name)

    def load(self, module: int, name: str) -> None:
        """Note a module."""
        self._recorder.add(LoadCall(index=self._recorder.next, module=module, name=name))

    def kernel(self, module: int, kernel: str, loaded: LoadedModule) -> None:
        """Note a kernel with the text that it was read from."""
        is_ptx = loaded.format in (FileFormat.PTX, FileFormat.BINARY)
        self._recorder.add(
            KernelCall(
                index=self._recorder.next,
                module=module,
                kernel=kernel,
                source=loaded.source.name,
                format=(FileFormat.PTX if is_ptx else FileFormat.LLVM_IR).value,
                text=self._recorder.content(loaded.source.text.encode()),
            )
        )

    def symbol(self, module: int, name: str, address: int, size: int) -> None:
        """Note that a variable's address was asked for."""
        index = self._recorder.next
        self._recorder.add(
            SymbolCall(index=index, module=module, name=name, address=address, bytes=size)
        )

    def allocate(self, array: DeviceArray, *, zeroed: bool) -> None:
        """Note new memory."""
        self._recorder.add(
            AllocateCall(
                index=self._recorder.next,
                address=array.address,
                bytes=array.nbytes,
                dtype=array.dtype.str if array.dtype.fields is None else str(array.dtype),
                shape=array.shape,
                name=array.name,
                zeroed=zeroed,
            )
        )

    def free(self, address: int) -> None:
        """Note that memory was given back."""
        self._known.pop(address, None)
        self._recorder.add(FreeCall(index=self._recorder.next, address=address))

    def write(self, address: int, data: Bytes, stream: int) -> None:
        """Note a copy to the device."""
        content = self._recorder.content(data)
        self._forget(address, data.size)
        self._known[address] = (data.size, content)
        self._recorder.add(
            WriteCall(
                index=self._recorder.next,
                stream=stream,
                address=address,
                bytes=data.size,
                content=content,
            )
        )

    def read(self, address: int, data: Bytes, stream: int) -> str:
        """Note a copy to the host, and give the hash of what was copied."""
        content = content_hash(data)
        self._recorder.add(
            ReadCall(
                index=self._recorder.next,
                stream=stream,
                address=address,
                bytes=data.size,
                content=content,
            )
        )
        return content

    def copy(self, address: int, source: int, size: int, stream: int) -> None:
        """Note a copy on the device."""
        self._forget(address, size)
        self._recorder.add(
            CopyCall(
                index=self._recorder.next,
                stream=stream,
                address=address,
                source=source,
                bytes=size,
            )
        )

    def copy_texture(self, address: int, handle: int, size: int, stream: int) -> None:
        """Note a copy of a texture or surface to memory."""
        self._forget(address, size)
        self._recorder.add(
            CopyTextureCall(
                index=self._recorder.next,
                stream=stream,
                address=address,
                handle=handle,
                bytes=size,
            )
        )

    def texture(self, handle: int, address: int, spec: TextureSpec, over: int | None) -> None:
        """Note a texture or surface object."""
        self._recorder.add(
            TextureCall(
                index=self._recorder.next,
                kind=spec.kind,
                handle=handle,
                address=address,
                element=spec.element,
                extent=spec.extent,
                channels=spec.channels,
                filter=spec.filter,
                address_modes=spec.address_modes,
                normalised_coordinates=spec.normalised_coordinates,
                normalised_values=spec.normalised_values,
                layers=spec.layers,
                is_cube=spec.is_cube,
                over=over,
                is_linear=spec.is_linear,
            )
        )

    def read_texture(self, handle: int, data: Bytes) -> None:
        """Note a copy of a texture or surface to the host."""
        self._recorder.add(
            ReadTextureCall(
                index=self._recorder.next,
                handle=handle,
                bytes=data.size,
                content=content_hash(data),
            )
        )

    def arguments(
        self, records: tuple[ArgumentRecord, ...], arrays: Mapping[int, DeviceArray]
    ) -> tuple[ArgumentRecord, ...]:
        """Add the contents of whole arrays that are known, or of all where that was asked for."""
        return tuple(
            r if r.kind != "buffer" else replace(r, content=self._content(r.address, arrays))
            for r in records
        )

    def _content(self, address: int | None, arrays: Mapping[int, DeviceArray]) -> str | None:
        array = None if address is None else arrays.get(address)
        if array is None:
            return None
        known = self.known_content(array)
        if known is not None or not self._hash_arguments:
            return known
        return content_hash(self._backend.read(array.address, array.nbytes, 0))

    def known_content(self, array: DeviceArray) -> str | None:
        """The hash of an array that the host has written as a whole, and nothing since."""
        size, content = self._known.get(array.address, (-1, ""))
        return content if size == array.nbytes else None

    def launch(self, request: LaunchRequest, packed: PackedArguments, counts: LaunchOutcome) -> int:
        """Note a launch, and give its place in the recording."""
        self._known.clear()
        index = self._recorder.next
        self._recorder.add(
            LaunchCall(
                index=index,
                stream=request.stream,
                module=request.module,
                kernel=request.kernel.name,
                grid=request.grid,
                block=request.block,
                dynamic_shared_bytes=request.dynamic_shared_bytes,
                arguments=packed.records,
                params=packed.data,
                addresses=packed.addresses,
                warp_instructions=counts.warp_instructions,
                thread_instructions=counts.thread_instructions,
            )
        )
        return index

    def stream(self, stream: int) -> None:
        """Note a new stream."""
        self._recorder.add(StreamCall(index=self._recorder.next, stream=stream))

    def event(self, action: str, event: int, stream: int | None) -> None:
        """Note what was done with an event."""
        index = self._recorder.next
        self._recorder.add(EventCall(index=index, action=action, event=event, stream=stream))

    def synchronize(self, stream: int | None) -> None:
        """Note that the host waited."""
        self._recorder.add(SynchronizeCall(index=self._recorder.next, stream=stream))

    def flush(self, stream: int | None) -> None:
        """Note that what waits was handed to the device."""
        self._recorder.add(FlushCall(index=self._recorder.next, stream=stream))

    def _forget(self, address: int, size: int) -> None:
        """Drop what is known of arrays that a write touches."""
        end = address + size
        for start, (length, _) in list(self._known.items()):
            if start < end and address < start + length:
                del self._known[start]
