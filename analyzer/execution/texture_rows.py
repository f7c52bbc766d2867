"""The table of texture and surface objects that generated code samples from."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from analyzer.execution.backend import Bytes, TextureSpec
from analyzer.execution.device_memory import DeviceMemory


class TextureRows:
    """The texture and surface objects of a device."""

    def __init__(self, memory: DeviceMemory) -> None:
        self._memory = memory
        self._specs: list[tuple[TextureSpec, int]] = []

    def add(self, spec: TextureSpec, data: Bytes) -> int:
        """Make an object of a copy of ``data``; give its handle."""
        kind = "surface" if spec.is_surface else "texture"
        number = len(self._specs) + 1
        address = self._memory.allocate(data.size, f"{kind} {number}")
        self._memory.view(address, data.size)[:] = data
        self._specs.append((spec, address))
        return number

    def table(self) -> npt.NDArray[Any] | None:
        """Give the rows; None where there are no objects."""
        return np.zeros(0, np.int64) if self._specs else None
