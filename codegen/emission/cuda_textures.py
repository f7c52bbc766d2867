"""Textures as the host program of the CUDA file makes them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from warpmill.analyzer.launch.elements import ELEMENT_TYPES, ElementKind
from warpmill.codegen.emission.application import CloneApplication, CloneTexture
from warpmill.codegen.emission.textures import linear_textures, textures_of

_KINDS = {
    ElementKind.UNSIGNED: "cudaChannelFormatKindUnsigned",
    ElementKind.SIGNED: "cudaChannelFormatKindSigned",
    ElementKind.FLOAT: "cudaChannelFormatKindFloat",
}


def texture_frames(app: CloneApplication) -> list[dict[str, Any]]:
    """Give what the file's parts for textures place; none where there are no textures."""
    linear = linear_textures(app)
    rows = [_row(texture, is_linear=texture in linear) for texture in textures_of(app)]
    return [{"textures": rows}] if rows else []


def texture_numbers(app: CloneApplication) -> Iterator[tuple[CloneTexture, int]]:
    """Give the place of each texture in the host program's list."""
    return ((texture, number) for number, texture in enumerate(textures_of(app)))


def _row(texture: CloneTexture, *, is_linear: bool) -> dict[str, Any]:
    """Give a texture's list of fields.

    An array is made with 0 for dimensions that it lacks, and texels with 0 bits for channels.
    """
    width, height, depth = (*reversed(texture.shape), 0, 0)[:3]
    element = ELEMENT_TYPES[texture.element]
    bits = (*[element.size_bytes * 8] * texture.channels, 0, 0, 0)[:4]
    return {
        "type": "cudaResourceTypeLinear" if is_linear else "cudaResourceTypeArray",
        "bits": ", ".join(map(str, bits)),
        "kind": _KINDS[element.kind],
        "extent": f"{width}, {height}, {depth}",
        "bytes": f"{texture.size_bytes}ull",
    }
