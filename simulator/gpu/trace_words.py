"""Traces as the engine reads them: what its packed words say (see ``records``)."""

from __future__ import annotations

from typing import Any

from warpmill.analyzer.base.pointers import place_of, words_of
from warpmill.simulator.gpu.compiled import part
from warpmill.simulator.gpu.constants import ROW_MASK


@part
def space_of(access: Any) -> Any:
    """The kind of memory that an access is to."""
    return access.shape_row_space & 255


@part
def row_of(access: Any) -> Any:
    """The instruction of an access, by its row of the code."""
    return access.shape_row_space >> 8 & ROW_MASK


@part
def shape_of(gpu: Any, access: Any) -> Any:
    """The place of the shape of an access."""
    return place_of(gpu, access) + (access.shape_row_space >> 32)


@part
def sectors_of(gpu: Any, shape: int) -> Any:
    """The places of the first sector of a shape, and behind the last."""
    words = words_of(gpu)
    return shape + (words[shape] >> 24), shape + 1 + (words[shape + 1] >> 24)


@part
def most_of(word: int) -> Any:
    """The most lanes on one word of shared memory, by a shape's word."""
    return word >> 16 & 255


@part
def passes_of(word: int) -> Any:
    """How often a memory has to be asked, by a shape's word."""
    return word & 65535
