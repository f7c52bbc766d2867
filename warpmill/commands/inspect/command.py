"""``warpmill inspect``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from warpmill.analyzer.base.opt import Arg
from warpmill.analyzer.frontends.compilers.options import CompileOptions
from warpmill.cli.output import emit, print_diagnostics, working
from warpmill.session.options import KernelName, Output, Strict


@dataclass(frozen=True)
class InspectedFiles:
    """Files that are read, and which kernel of them."""

    files: Annotated[
        Sequence[str],
        Arg(
            "Kernel files (.ptx, .ll, .bc), sources (.cu, .hip, .cl), CUDA's binaries, traces "
            "(.traceg), launch files (.toml), or workloads (bfs).",
            metavar="FILE",
            text=list[str],
            completes="target",
        ),
    ]
    kernel: KernelName = None
    strict: Strict = False


def inspect(source: InspectedFiles, compiling: CompileOptions, output: Output) -> None:
    """Show what kernel files hold: kernels, parameters, registers, shared memory, instructions.

    Of machine code in CUDA's binaries, what its kernels take.
    """
    from warpmill.commands.inspect.result import inspect_report  # noqa: PLC0415 - slow to load
    from warpmill.session.prepare import load_files  # noqa: PLC0415 - slow to load

    with working(f"reading {len(source.files)} files"):
        loaded = load_files(source.files, source.kernel, compiling, strict=source.strict)
        report = inspect_report(loaded.modules, loaded.machine_code)
    print_diagnostics(d for one in loaded.modules for d in one.diagnostics)
    emit(report, output)
