"""A measurement of Table IV: which kernels, and what comes of them."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from benchmarks.estimate_table_parts import printing
from benchmarks.estimate_table_parts.figures import figures
from benchmarks.estimate_table_parts.points import stretches
from benchmarks.estimate_table_parts.spaces import table_kernel, table_kernels
from benchmarks.kept_command import chosen


def measure(arguments: argparse.Namespace, say: Callable[[str], None]) -> dict[str, Any]:
    """Estimate the design spaces that are asked for. SystemExit for a kernel that there is not."""
    from warpmill.sweeps.sweep import default_store  # noqa: PLC0415 - slow to load

    names = chosen(arguments.only, (kernel.name for kernel in table_kernels()))
    kernels = [table_kernel(name) for name in names]
    each_gpu = arguments.each_gpu
    say(f"{len(kernels)} kernels, {sum(k.configurations for k in kernels):,} configurations")
    store = arguments.store or default_store()
    found = stretches(kernels, store, arguments.workers, quick=arguments.quick, each_gpu=each_gpu)
    if arguments.rows_out is not None:
        printing.write_rows(arguments.rows_out, found)
    return {
        "benchmark": "estimate_table",
        "quick": arguments.quick,
        "each_gpu": each_gpu,
        **figures(found),
    }
