"""A launch of a kernel that lives in Python, with what it leaves in its arguments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class Case:
    """A kernel, its grid (and block), its arguments and constants.

    ``expected`` has what arguments hold afterwards, by their places, as NumPy computes it; nothing
    where only execution is asked for. ``tolerance`` is absolute and relative.
    """

    kernel: Any
    launch: Any
    arguments: tuple[Any, ...]
    meta: Mapping[str, Any]
    expected: Mapping[int, npt.NDArray[Any]]
    tolerance: float = 1e-5
    name: str | None = None

    @property
    def title(self) -> str:
        """What it is called."""
        kernel = self.kernel[1] if isinstance(self.kernel, tuple) else self.kernel
        return self.name or str(getattr(kernel, "__name__", kernel))

    def fresh(self) -> tuple[Any, ...]:
        """Its arguments, arrays copied."""
        return tuple(one.copy() if isinstance(one, np.ndarray) else one for one in self.arguments)

    def wrong(self, arguments: tuple[Any, ...]) -> str | None:
        """What arguments do not hold after a run; None: all is right."""
        for place, right in self.expected.items():
            got = np.asarray(arguments[place], np.float64).reshape(right.shape)
            if not np.allclose(got, right, rtol=self.tolerance, atol=self.tolerance):
                most = float(np.abs(got - right).max())
                return f"argument {place} is off by up to {most:.3g}"
        return None
