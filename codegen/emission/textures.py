"""Textures of an application: which there are, whether GPUs have such, and what kind of memory.

One of one dimension lies in plain memory, as ``tex1Dfetch`` of CUDA wants it, unless a kernel that
gets it looks up places between texels: these need an array of CUDA's own, which is not as wide.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.ir.operation import Operation
from warpmill.analyzer.launch.model import CHANNELS
from warpmill.codegen.emission.application import CloneApplication, CloneTexture

ELEMENTS = ("u8", "u16", "u32", "i8", "i16", "i32", "f16", "f32")
"""What textures of GPUs have, by the types of launch files."""
MOST_LINEAR = 1 << 27
"""Texels of a texture in plain memory that every GPU since compute capability 6.0 takes."""
MOST = {1: (131072,), 2: (131072, 65536), 3: (16384, 16384, 16384)}
"""Width, height and depth of an array, by its dimensions, that every GPU since 6.0 takes."""
_GEOMETRIES = frozenset({"1d", "2d", "3d", "a1d", "a2d", "cube", "acube", "2dms", "a2dms"})


def textures_of(app: CloneApplication) -> tuple[CloneTexture, ...]:
    """Give the textures of all launches, equal ones once, in the order that they are passed."""
    given = (a for launch in app.launches for a in launch.arguments)
    return tuple(dict.fromkeys(a for a in given if isinstance(a, CloneTexture)))


def texture_bytes(app: CloneApplication) -> int:
    """Give the bytes of all textures, equal ones counted once."""
    return sum(texture.size_bytes for texture in textures_of(app))


def linear_textures(app: CloneApplication) -> frozenset[CloneTexture]:
    """Give the textures that lie in plain memory."""
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
    """Give what an instruction takes its texture for: ``2d`` of ``tld4.r.2d.v4.f32.f32``."""
    return next((word for word in operation.modifiers if word in _GEOMETRIES), "unknown")


def check_textures(app: CloneApplication) -> Iterator[str]:
    """Say what no texture of a GPU is like, and which textures kernels look up and do not get."""
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
