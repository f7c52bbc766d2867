"""The launch file: every launch written out, its buffers made where they are named first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from warpmill.analyzer.launch.elements import ELEMENT_TYPES
from warpmill.analyzer.launch.model import ScalarArgument
from warpmill.codegen.emission.application import (
    BufferPointer,
    CloneApplication,
    CloneArgument,
    CloneBuffer,
    CloneTexture,
)


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
