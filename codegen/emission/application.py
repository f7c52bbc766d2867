"""What is written to files: an application made of clones, its memory and its launches. Frozen."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod

from warpmill.analyzer.ir.kernel import Kernel, Module
from warpmill.analyzer.launch.model import ELEMENT_TYPES, Dim3, ScalarArgument


@dataclass(frozen=True, slots=True)
class CloneBuffer:
    """Global memory of the application, all zeros at first, that its launches share.

    ``element`` is a type of launch files: ``u32``, ``f32``.
    """

    name: str
    element: str
    elements: int

    @property
    def size_bytes(self) -> int:
        """Bytes of all elements."""
        return self.elements * ELEMENT_TYPES[self.element].size_bytes


@dataclass(frozen=True, slots=True)
class BufferPointer:
    """An argument: the address some bytes into a buffer, a whole number of its elements."""

    buffer: str
    offset_bytes: int = 0


@dataclass(frozen=True, slots=True)
class CloneTexture:
    """An argument: a texture object over zeros, texels in a row-major shape.

    A texel has 1, 2 or 4 ``channels``, elements of launch files. Coordinates and ``shape`` count
    texels. Equal textures of several launches are one.
    """

    element: str
    shape: tuple[int, ...]
    filter: str = "point"
    channels: int = 1

    @property
    def size_bytes(self) -> int:
        """Bytes of all texels."""
        return prod(self.shape) * self.channels * ELEMENT_TYPES[self.element].size_bytes


CloneArgument = BufferPointer | CloneTexture | ScalarArgument


@dataclass(frozen=True, slots=True)
class CloneLaunch:
    """One launch of a clone, ``repeats`` times in a row with the same arguments."""

    kernel: str
    grid: Dim3
    block: Dim3
    dynamic_shared_bytes: int = 0
    arguments: tuple[CloneArgument, ...] = ()
    repeats: int = 1


@dataclass(frozen=True)
class CloneApplication:
    """Clones as a module of PTX's operations, with the memory and the launches that they get.

    ``note`` are lines for the comment at the head of each file: what was cloned, by what options.
    ``module.target`` is the chip that the files are for (``sm_80``).
    """

    name: str
    module: Module
    buffers: tuple[CloneBuffer, ...]
    launches: tuple[CloneLaunch, ...]
    note: tuple[str, ...] = field(default=())

    def buffer(self, name: str) -> CloneBuffer:
        """Give the buffer called ``name``; KeyError where it is not there."""
        return {buffer.name: buffer for buffer in self.buffers}[name]

    def launched(self, launch: CloneLaunch) -> Kernel:
        """Give the kernel that a launch starts; KeyError where it is not there."""
        return self.module.kernel(launch.kernel)

    @property
    def launch_count(self) -> int:
        """Launches with every repeat counted."""
        return sum(launch.repeats for launch in self.launches)


@dataclass(frozen=True)
class CloneFiles:
    """The files of an application: (name, text), in the order that they are best written."""

    files: tuple[tuple[str, str], ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the files; none has a folder in it."""
        return tuple(name for name, _ in self.files)

    def text(self, name: str) -> str:
        """Give the text of the file called ``name``; KeyError where it is not there."""
        return dict(self.files)[name]
