"""Emission: clones, their memory and their launches as the texts of PTX, CUDA and launch files.

``emit`` makes all of them. Instructions come from the analyzer's PTX printer alone, frames from
``codegen/templates``; what is decided is decided here.
"""

from __future__ import annotations

from warpmill.codegen.emission.application import (
    BufferPointer,
    CloneApplication,
    CloneArgument,
    CloneBuffer,
    CloneFiles,
    CloneLaunch,
    CloneTexture,
)
from warpmill.codegen.emission.checks import EmissionLimits
from warpmill.codegen.emission.files import cuda_text, emit, launch_text, ptx_text

__all__ = [
    "BufferPointer",
    "CloneApplication",
    "CloneArgument",
    "CloneBuffer",
    "CloneFiles",
    "CloneLaunch",
    "CloneTexture",
    "EmissionLimits",
    "cuda_text",
    "emit",
    "launch_text",
    "ptx_text",
]
