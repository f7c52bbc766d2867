"""The files of an application: their texts, whole and checked, before anything is written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from warpmill.analyzer.ir.ptx_printer import print_ptx
from warpmill.analyzer.launch.elements import ELEMENT_TYPES
from warpmill.analyzer.launch.model import ScalarArgument
from warpmill.codegen.emission.application import (
    BufferPointer,
    CloneApplication,
    CloneArgument,
    CloneBuffer,
    CloneFiles,
    CloneTexture,
)
from warpmill.codegen.emission.checks import EmissionLimits, check
from warpmill.codegen.emission.cleaning import clean
from warpmill.codegen.emission.cuda import cuda_context
from warpmill.codegen.emission.render import render

_DEFAULT_LIMITS = EmissionLimits()


def emit(app: CloneApplication, limits: EmissionLimits = _DEFAULT_LIMITS) -> CloneFiles:
    """Give ``NAME.ptx``, ``NAME.cu`` and ``launch.toml``, which starts the first.

    The same application gives the same bytes. InputError where it holds what clones do not have or
    a launch does not fit its kernel, LimitError where it is larger than ``limits``.
    """
    cleaned = _ready(app, limits)
    ptx_name = f"{cleaned.name}.ptx"
    return CloneFiles(
        (
            (ptx_name, _ptx(cleaned)),
            (f"{cleaned.name}.cu", _cuda(cleaned)),
            ("launch.toml", _launch(cleaned, ptx_name)),
        )
    )


def ptx_text(app: CloneApplication, limits: EmissionLimits = _DEFAULT_LIMITS) -> str:
    """Give the PTX file alone; errors as those of ``emit``."""
    return _ptx(_ready(app, limits))


def cuda_text(app: CloneApplication, limits: EmissionLimits = _DEFAULT_LIMITS) -> str:
    """Give the CUDA file alone: kernels and a host program; errors as those of ``emit``."""
    return _cuda(_ready(app, limits))


def launch_text(
    app: CloneApplication, ptx_name: str, limits: EmissionLimits = _DEFAULT_LIMITS
) -> str:
    """Give the launch file of a PTX file called ``ptx_name``; errors as those of ``emit``."""
    return _launch(_ready(app, limits), ptx_name)


def _ready(app: CloneApplication, limits: EmissionLimits) -> CloneApplication:
    check(app, limits)
    return clean(app)


def _ptx(app: CloneApplication) -> str:
    return render("ptx/clone.ptx.j2", ptx_context(app))


def _cuda(app: CloneApplication) -> str:
    return render("cuda/clone.cu.j2", cuda_context(app))


def _launch(app: CloneApplication, ptx_name: str) -> str:
    return render("launch/launch.toml.j2", launch_context(app, ptx_name))


# The PTX file: a comment that says what it is, and what the analyzer's PTX printer makes.


def ptx_context(app: CloneApplication) -> dict[str, Any]:
    """Give what ``ptx/clone.ptx.j2`` places, of an application with clean names."""
    return {"note": app.note, "module": print_ptx(app.module)}


# The launch file: every launch written out, its buffers made where they are named first.


def launch_context(app: CloneApplication, module_file: str) -> dict[str, Any]:
    """Give what ``launch/launch.toml.j2`` places, of an application with clean names."""
    return {
        "note": app.note,
        "module": module_file,
        "launches": list(_launches(app)),
    }


def _launches(app: CloneApplication) -> Iterator[dict[str, Any]]:
    made: set[str] = set()
    for launch in app.launches:
        for _ in range(launch.repeats):
            arguments = [_argument(app, a, made) for a in launch.arguments]
            yield {
                "kernel": launch.kernel,
                "grid": list(launch.grid),
                "block": list(launch.block),
                "shared": launch.dynamic_shared_bytes,
                "arguments": arguments,
            }


def _argument(app: CloneApplication, argument: CloneArgument, made: set[str]) -> str:
    """Give an argument's inline table."""
    match argument:
        case BufferPointer(buffer, offset_bytes):
            return _pointer(app.buffer(buffer), offset_bytes, made)
        case CloneTexture():
            return _texture(argument)
        case _:
            return _scalar(argument)


def _texture(texture: CloneTexture) -> str:
    channels = f", channels = {texture.channels}" if texture.channels > 1 else ""
    shape = f'texture = "{texture.element}"{channels}, shape = {list(texture.shape)}'
    return f'{{ {shape}, filter = "{texture.filter}" }}'


def _pointer(buffer: CloneBuffer, offset_bytes: int, made: set[str]) -> str:
    """Give an argument's inline table; the first that names a buffer makes it."""
    offset = offset_bytes // ELEMENT_TYPES[buffer.element].size_bytes
    place = f", offset = {offset}" if offset else ""
    if buffer.name in made:
        return f'{{ ref = "{buffer.name}"{place} }}'
    made.add(buffer.name)
    shape = f'buffer = "{buffer.element}", shape = [{buffer.elements}]'
    return f'{{ {shape}, name = "{buffer.name}"{place} }}'


def _scalar(argument: ScalarArgument) -> str:
    """Give a number; Python writes inf, nan and the shortest fraction as TOML does."""
    value = float(argument.value) if argument.type.is_float else int(argument.value)
    return f"{{ {argument.type_name} = {value!r} }}"
