"""Texture lookups in NumPy, texel by texel, from the formulas of the CUDA C++ Programming Guide."""

import math
from dataclasses import dataclass

import numpy as np

_RANGES = {"uint8": 255, "uint16": 65535, "int8": 127, "int16": 32767}


@dataclass(frozen=True)
class Picture:
    """A texture: ``texels`` by layer, z, y, x and channel; ``modes`` are names by axis."""

    texels: np.ndarray
    modes: tuple = ("clamp", "clamp", "clamp")
    is_normalised: bool = False
    is_linear: bool = False
    reads_normalised: bool = False
    border: tuple = (0.0, 0.0, 0.0, 0.0)


def index_of(i, size, mode, is_normalised):
    """The texel that an index means; None outside, with a border."""
    if 0 <= i < size:
        return i
    if mode == "border":
        return None
    if is_normalised and mode == "wrap":
        return i % size
    if is_normalised and mode == "mirror":
        period = list(range(size)) + list(range(size - 1, -1, -1))
        return period[i % (2 * size)]
    return 0 if i < 0 else size - 1


def texel(picture, layer, place):
    """The four channels at integer coordinates x, y, z (as many as there are)."""
    x, y, z = (*place, 0, 0)[:3]
    layers, depth, height, width, channels = picture.texels.shape
    flags = picture.is_normalised
    found = [
        index_of(i, size, mode, flags)
        for i, size, mode in zip((x, y, z), (width, height, depth), picture.modes, strict=True)
    ]
    if None in found:
        return np.array(picture.border, float)
    raw = picture.texels[min(layer, layers - 1), found[2], found[1], found[0]].astype(float)
    if picture.reads_normalised:
        raw = np.maximum(raw / _RANGES[picture.texels.dtype.name], -1.0)
    return np.concatenate([raw, [0.0, 0.0, 0.0, 1.0][channels:]])


def in_texels(picture, coordinate, size, mode):
    """A coordinate in texels, in the single precision that it is computed in."""
    if not picture.is_normalised:
        return np.float32(coordinate)
    x = np.float32(coordinate)
    floor = np.floor(x)
    if mode == "wrap":
        x = x - floor
    elif mode == "mirror":
        x = x - floor if int(floor) % 2 == 0 else np.float32(1) - (x - floor)
    return x * np.float32(size)


def _sizes(picture, count):
    _, depth, height, width, _ = picture.texels.shape
    return (width, height, depth)[:count]


def lookup(picture, layer, place, offsets=None):
    """The four channels at coordinates in floats, filtered as the picture says."""
    offsets = offsets or (0,) * len(place)
    sizes = _sizes(picture, len(place))
    at = [
        in_texels(picture, c, size, mode)
        for c, size, mode in zip(place, sizes, picture.modes, strict=False)
    ]
    if not picture.is_linear:
        return texel(picture, layer, [math.floor(x) + o for x, o in zip(at, offsets, strict=True)])
    low = [np.float32(x - np.float32(0.5)) for x in at]
    first = [math.floor(x) for x in low]
    fraction = [math.floor(float(x - i) * 256 + 0.5) / 256 for x, i in zip(low, first, strict=True)]
    total = np.zeros(4)
    for corner in np.ndindex(*(2,) * len(place)):
        weight = math.prod(a if end else 1 - a for a, end in zip(fraction, corner, strict=True))
        spot = [i + end + o for i, end, o in zip(first, corner, offsets, strict=True)]
        total += weight * texel(picture, layer, spot)
    return total


def gather(picture, layer, place, component):
    """A component of the four texels around, counter-clockwise from the lower left."""
    sizes = _sizes(picture, 2)
    at = [
        in_texels(picture, c, size, mode)
        for c, size, mode in zip(place, sizes, picture.modes, strict=False)
    ]
    i, j = (math.floor(np.float32(x - np.float32(0.5))) for x in at)
    spots = [(i, j + 1), (i + 1, j + 1), (i + 1, j), (i, j)]
    return np.array([texel(picture, layer, spot)[component] for spot in spots])


def cube_place(x, y, z):
    """The face and the place on it, from the guide's table of faces."""
    table = {
        "x": ((0, x, -z, -y), (1, -x, z, -y)),
        "y": ((2, y, x, z), (3, -y, x, -z)),
        "z": ((4, z, x, -y), (5, -z, -x, -y)),
    }
    sizes = {"x": abs(x), "y": abs(y), "z": abs(z)}
    axis = max(sizes, key=lambda name: sizes[name])
    signed = {"x": x, "y": y, "z": z}[axis]
    face, m, s, t = table[axis][0 if signed >= 0 else 1]
    return face, (s / m + 1) / 2, (t / m + 1) / 2
