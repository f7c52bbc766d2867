"""A measurement of Table IV: which kernels, and what comes of them."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from typing import Any

from benchmarks.estimate_table_parts.figures import of_kernel, of_kernels
from benchmarks.estimate_table_parts.points import Stretch, stretches
from benchmarks.estimate_table_parts.spaces import table_kernel, table_kernels
from benchmarks.kept_command import chosen
from warpmill.studies.places import default_store


class Measurement:
    """The design spaces that are asked for, each a part. SystemExit for a kernel there is not.

    ``stretches`` are those that were estimated.
    """

    def __init__(self, arguments: argparse.Namespace, say: Callable[[str], None]) -> None:

        self.names = chosen(arguments.only, (kernel.name for kernel in table_kernels()))
        self.stretches: list[Stretch] = []
        self._store, self._workers = arguments.store or default_store(), arguments.workers
        self._quick, self._each_gpu, self._say = arguments.quick, arguments.each_gpu, say

    @property
    def about(self) -> dict[str, Any]:
        """What is estimated of each space."""
        name = "estimate_table"
        return {"benchmark": name, "quick": self._quick, "each_gpu": self._each_gpu}

    def part(self, name: str) -> dict[str, Any]:
        """Estimate the design space of a kernel."""
        kernel = table_kernel(name)
        self._say(f"{name}: {kernel.configurations:,} configurations")
        found = stretches(
            [kernel], self._store, self._workers, quick=self._quick, each_gpu=self._each_gpu
        )
        self.stretches += found
        return of_kernel(found)


def combined(parts: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Put parts together to the figures of the table."""
    return of_kernels(list(parts.values()))
