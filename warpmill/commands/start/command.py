"""``warpmill start``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from warpmill.analyzer.base.opt import Arg, Without
from warpmill.analyzer.frontends.compilers.options import CompileOptions
from warpmill.cli.output import emit, working
from warpmill.session.options import KernelName, Output


@dataclass(frozen=True)
class StartedFile:
    """What somebody has, and which kernel of it is meant."""

    target: Annotated[
        str,
        Arg(
            "A kernel in any form, a binary, a launch file, a program, a recording, a trace, a "
            "table of measured launches, or a workload (bfs:tiny).",
            metavar="FILE",
            completes="target",
        ),
    ]
    kernel: KernelName = None


def start(
    source: StartedFile,
    compiling: CompileOptions,
    output: Annotated[Output, Without("metrics", "html")],
) -> None:
    """Say what a file is and what it holds, and print the next command whole, ready to run.

    `warpmill FILE` is short for it. Buffers are as large as the kernel's accesses need, where
    analysis can tell.
    """
    from warpmill.commands.start.result import start_report  # noqa: PLC0415 - slow to load

    with working(f"looking at {source.target}"):
        report = start_report(source.target, source.kernel, compiling)
    emit(report, output)
