"""Launches of launch files on a device: buffers made and filled, kernels run one after another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import (
    Diagnostic,
    LimitError,
    Severity,
    Source,
    UsageError,
)
from warpmill.analyzer.frontends.compilers.options import CompileOptions
from warpmill.analyzer.frontends.load import STANDARD_INPUT, LoadedModule
from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.launch.buffers import materialise, scalar_bytes, scratch_bytes
from warpmill.analyzer.launch.model import (
    Argument,
    BufferArgument,
    InMemory,
    Launch,
    NullArgument,
    RefArgument,
    ScalarArgument,
    StructArgument,
    TextureArgument,
    Zeros,
)
from warpmill.executor.host.backend import LaunchRequest
from warpmill.executor.host.device import Device, Launched
from warpmill.executor.host.device_array import DeviceArray
from warpmill.executor.host.kernel_arguments import ByValue
from warpmill.executor.host.modules import DeviceKernel, DeviceModule
from warpmill.executor.host.recording import content_hash
from warpmill.executor.host.texture_objects import Texture

_NO_LIMIT = 1 << 62


@dataclass(frozen=True)
class MadeBuffer:
    """A buffer or variable that a launch made: for which argument, and what it held first.

    ``before`` is the SHA-256 of its first contents; None where they were all zero.
    """

    launch: str
    argument: str
    name: str | None
    element: str
    array: DeviceArray
    before: str | None


@dataclass
class LaunchSession:
    """Runs launches on a device.

    Modules, named buffers, those over one memory of the host, and textures stay from one launch to
    the next: textures that are alike are one, as no kernel writes them.
    """

    device: Device
    buffers: list[MadeBuffer] = field(default_factory=list)
    _kept: dict[str | InMemory, DeviceArray] = field(default_factory=dict)
    _titles: Mapping[str, str] = field(default_factory=dict)
    _textures: dict[str, Texture] = field(default_factory=dict)
    _modules: dict[tuple[Path | Source, CompileOptions], DeviceModule] = field(default_factory=dict)

    def run(
        self,
        loaded: LoadedModule,
        kernel: Kernel,
        launch: Launch,
        titles: Mapping[str, str] | None = None,
    ) -> Launched:
        """Run one launch; it has been checked against its kernel.

        ``titles`` are what faults call the buffers of parameters, where not by the parameter.
        """
        self._titles = titles or {}
        taken, arguments = self._prepared(loaded, kernel, launch)
        shared = launch.dynamic_shared_bytes
        return self.device.launch(taken, launch.grid, launch.block, arguments, shared)

    def request(self, loaded: LoadedModule, kernel: Kernel, launch: Launch) -> LaunchRequest:
        """Make what a launch needs on the device, and give it as the backend takes it."""
        taken, arguments = self._prepared(loaded, kernel, launch)
        shared = launch.dynamic_shared_bytes
        return self.device.request(taken, launch.grid, launch.block, arguments, shared)

    def _prepared(
        self, loaded: LoadedModule, kernel: Kernel, launch: Launch
    ) -> tuple[DeviceKernel, list[object]]:
        """The kernel on the device and the arguments, their buffers made and filled."""
        module = self._module(loaded, launch)
        taken = module.take(loaded, kernel)
        self._set_symbols(module, launch)
        pairs = zip(kernel.parameters, launch.arguments, strict=True)
        return taken, [self._argument(launch, p.name, a) for p, a in pairs]

    def _module(self, loaded: LoadedModule, launch: Launch) -> DeviceModule:
        """The module of a launch: of its file, or of the text alone where no file has it."""
        is_file = launch.module.is_file() or str(launch.module) == STANDARD_INPUT
        source = launch.module if is_file else loaded.source
        key = launch.module.absolute() if is_file else loaded.source, launch.compile_options
        if key not in self._modules:
            self._modules[key] = self.device.load(source, compile_options=launch.compile_options)
        return self._modules[key]

    def _set_symbols(self, module: DeviceModule, launch: Launch) -> None:
        for name, buffer in launch.symbols:
            if isinstance(buffer, TextureArgument):
                self.device.bind(module, name, self._texture(buffer))
                continue
            data = _bytes(buffer)
            whole = module.symbol(name)
            part = whole.view(np.uint8).reshape(-1)[: data.size]
            part.set(data)
            array = part.view(buffer.type.storage).reshape(*buffer.shape)
            before = content_hash(data)
            made = MadeBuffer(launch.name, name, name, buffer.element, array, before)
            self.buffers.append(made)

    def _argument(self, launch: Launch, parameter: str, argument: Argument) -> object:
        match argument:
            case ScalarArgument():
                return argument
            case NullArgument():
                return None
            case BufferArgument():
                return self._buffer(launch, parameter, argument)
            case TextureArgument():
                return self._texture(argument)
            case RefArgument(buffer, offset):
                return _at(self._buffer(launch, parameter, buffer), offset)
            case StructArgument():
                return self._struct(launch, parameter, argument)

    def _texture(self, texture: TextureArgument) -> Texture:
        if texture.element == "bf16":
            raise UsageError("no GPU has textures of bf16")
        found = self._textures.get(texture.text)
        if found is None:
            values, channels = materialise(texture, _NO_LIMIT), texture.channels
            found = self.device.texture(values, channels=channels, filter=texture.filter)
            self._textures[texture.text] = found
        return found

    def _struct(self, launch: Launch, parameter: str, struct: StructArgument) -> ByValue:
        data = bytearray(struct.size_bytes)
        addresses = []
        for number, (part, offset) in enumerate(zip(struct.fields, struct.offsets, strict=True)):
            made = self._argument(launch, f"{parameter}.{number}", part)
            if isinstance(made, DeviceArray):
                data[offset : offset + 8] = made.address.to_bytes(8, "little")
                addresses.append(offset)
            elif isinstance(made, ScalarArgument):
                raw = scalar_bytes(made.type_name, made.value)
                data[offset : offset + len(raw)] = raw
        return ByValue(bytes(data), tuple(addresses))

    def _buffer(self, launch: Launch, parameter: str, buffer: BufferArgument) -> DeviceArray:
        """Make a buffer; one with a name only once, whichever launch names it first.

        One over memory of the host is known by that, whatever it is called.
        """
        key = buffer.init if isinstance(buffer.init, InMemory) else buffer.name
        if key is not None and key in self._kept:
            return self._kept[key]
        name = buffer.name or self._titles.get(parameter, parameter)
        storage = buffer.type.storage
        if isinstance(buffer.init, Zeros):
            array = self.device.zeros(buffer.shape, storage, name=name)
        else:
            self._check_scratch(buffer, name)
            array = self.device.empty(buffer.shape, storage, name=name)  # first: it has limits
            array.set(materialise(buffer, _NO_LIMIT))
        if key is not None:
            self._kept[key] = array
        before = self.device.known_content(array)
        made = MadeBuffer(launch.name, parameter, buffer.name, buffer.element, array, before)
        self.buffers.append(made)
        return array

    def _check_scratch(self, buffer: BufferArgument, name: str) -> None:
        """Refuse what would take more memory to make than the device may have. LimitError."""
        needed, most = scratch_bytes(buffer), getattr(self.device.backend, "memory_limit", None)
        if most is not None and needed > most:
            words = f"making `{name}` takes {needed} B of memory, over the limit of {most} B"
            raise LimitError(Diagnostic(Severity.ERROR, words, hint="--max-memory moves the limit"))


def _bytes(buffer: BufferArgument) -> npt.NDArray[np.uint8]:
    values: npt.NDArray[Any] = materialise(buffer, _NO_LIMIT)
    return values.reshape(-1).view(np.uint8)


def _at(array: DeviceArray, offset: int) -> DeviceArray:
    """Array that begins some bytes into a buffer."""
    if not offset:
        return array
    return array.reshape(-1).view(np.uint8)[offset:]
