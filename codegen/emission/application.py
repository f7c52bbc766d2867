"""Contents of the written files: an application of clones, its memory and launches. Frozen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import prod

from warpmill.analyzer.ir.kernel import Kernel, Module
from warpmill.analyzer.ir.operation import Operation
from warpmill.analyzer.launch.model import CHANNELS, ELEMENT_TYPES, Dim3, ScalarArgument


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
        """The buffer called ``name``; KeyError where it is not there."""
        return {buffer.name: buffer for buffer in self.buffers}[name]

    def launched(self, launch: CloneLaunch) -> Kernel:
        """The kernel that a launch starts; KeyError where it is not there."""
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
        """The text of the file called ``name``; KeyError where it is not there."""
        return dict(self.files)[name]


# Textures of an application: which there are, whether GPUs have such, and what kind of memory.
#
# One of one dimension lies in plain memory, as ``tex1Dfetch`` of CUDA wants it, unless a kernel
# that gets it looks up places between texels: these need an array of CUDA's own, which is not as
# wide.

ELEMENTS = ("u8", "u16", "u32", "i8", "i16", "i32", "f16", "f32")
"""Element types of GPUs' textures, by the types of launch files."""
MOST_LINEAR = 1 << 27
"""Texels of a texture in plain memory that every GPU since compute capability 6.0 takes."""
MOST = {1: (131072,), 2: (131072, 65536), 3: (16384, 16384, 16384)}
"""Width, height and depth of an array, by its dimensions, that every GPU since 6.0 takes."""
_GEOMETRIES = frozenset({"1d", "2d", "3d", "a1d", "a2d", "cube", "acube", "2dms", "a2dms"})


def textures_of(app: CloneApplication) -> tuple[CloneTexture, ...]:
    """The textures of all launches, equal ones once, in the order that they are passed."""
    given = (a for launch in app.launches for a in launch.arguments)
    return tuple(dict.fromkeys(a for a in given if isinstance(a, CloneTexture)))


def texture_bytes(app: CloneApplication) -> int:
    """The bytes of all textures, equal ones counted once."""
    return sum(texture.size_bytes for texture in textures_of(app))


def linear_textures(app: CloneApplication) -> frozenset[CloneTexture]:
    """The textures that lie in plain memory."""
    fractional = {k.name for k in app.module.kernels if _has_fractions(k)}
    launches = [launch for launch in app.launches if launch.kernel in fractional]
    in_arrays = {a for launch in launches for a in launch.arguments}
    return frozenset(t for t in textures_of(app) if len(t.shape) == 1 and t not in in_arrays)


def _has_fractions(kernel: Kernel) -> bool:
    """Whether a kernel looks up textures of one dimension by floating-point coordinates."""
    return any(_geometry(o) == "1d" and o.types and o.types[-1].is_float for o in _lookups(kernel))


def _lookups(kernel: Kernel) -> Iterable[Operation]:
    operations = dict.fromkeys(i.operation for i in kernel.instructions)
    return (o for o in operations if o.name in ("tex", "tld4"))


def _geometry(operation: Operation) -> str:
    """Geometry of a texture instruction: ``2d`` of ``tld4.r.2d.v4.f32.f32``."""
    return next((word for word in operation.modifiers if word in _GEOMETRIES), "unknown")


def check_textures(app: CloneApplication) -> Iterator[str]:
    """Textures that no GPU has, and those that kernels look up and do not get."""
    linear = linear_textures(app)
    for texture in textures_of(app):
        problem = _problem(texture, is_linear=texture in linear)
        if problem is not None:
            channels = f"x{texture.channels}" if texture.channels != 1 else ""
            yield f"a texture of {texture.element}{channels} {list(texture.shape)} {problem}"
    looked_up = {k.name: sorted({_geometry(o) for o in _lookups(k)}) for k in app.module.kernels}
    for number, launch in enumerate(app.launches, 1):
        given = {f"{len(a.shape)}d" for a in launch.arguments if isinstance(a, CloneTexture)}
        for geometry in looked_up.get(launch.kernel, ()):
            if geometry not in given:
                yield f"launch {number} is of `{launch.kernel}` and gives it no {geometry} texture"


def _problem(texture: CloneTexture, *, is_linear: bool) -> str | None:
    if texture.element not in ELEMENTS:
        return f"has elements that no texture has: there are {', '.join(ELEMENTS)}"
    if texture.channels not in CHANNELS:
        return f"has texels of {texture.channels} channels, not of 1, 2 or 4"
    if texture.filter != "point":
        return f"has the filter `{texture.filter}`, which a clone's does not have"
    if len(texture.shape) not in MOST:
        return f"has {len(texture.shape)} dimensions, not 1 to 3"
    if min(texture.shape) < 1:
        return "has no elements"
    most = (MOST_LINEAR,) if is_linear else MOST[len(texture.shape)]
    extent = tuple(reversed(texture.shape))
    if any(size > limit for size, limit in zip(extent, most, strict=True)):
        return f"is larger than {' x '.join(map(str, most))}, which any GPU takes"
    return None
