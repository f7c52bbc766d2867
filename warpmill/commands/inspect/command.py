"""``warpmill inspect``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from warpmill.analyzer.base.opt import Arg
from warpmill.cli.output import emit, print_diagnostics, working
from warpmill.session.jobs import check_target, is_workload
from warpmill.session.options import KernelName, Output, Strict

if TYPE_CHECKING:
    from pathlib import Path

    from warpmill.analyzer.base.diagnostics import Source
    from warpmill.analyzer.frontends.load import LoadedModule


@dataclass(frozen=True)
class InspectedFiles:
    """Files that are read, and which kernel of them."""

    files: Annotated[
        Sequence[str],
        Arg(
            "Kernel files (.ptx, .ll, .bc), launch files (.toml), or workloads (bfs).",
            metavar="FILE",
            text=list[str],
            completes="target",
        ),
    ]
    kernel: KernelName = None
    strict: Strict = False


def inspect(source: InspectedFiles, output: Output) -> None:
    """Show what kernel files hold: kernels, parameters, registers, shared memory, instructions."""
    from warpmill.commands.inspect.result import inspect_report  # noqa: PLC0415 - slow to load

    with working(f"reading {len(source.files)} files"):
        loaded = _load_all(source)
        report = inspect_report(loaded)
    print_diagnostics(d for one in loaded for d in one.diagnostics)
    emit(report, output)


def _load_all(source: InspectedFiles) -> list[LoadedModule]:
    """Read all files; what is wrong with several of them is told at once."""
    from warpmill.analyzer.base.diagnostics import WarpmillError, all_unanswered  # noqa: PLC0415
    from warpmill.analyzer.frontends.load import load_all  # noqa: PLC0415 - slow to load

    found: list[LoadedModule] = []
    problems: list[WarpmillError] = []
    for path in dict.fromkeys(source.files):
        try:
            for module, name in _modules(path, source.kernel):
                found += load_all(module, name, strict=source.strict)
        except WarpmillError as error:
            problems.append(error)
    if len(problems) == 1:
        raise problems[0]
    if problems:
        raise all_unanswered(problems)
    return found


def _modules(path: str, kernel: str | None) -> list[tuple[str | Path | Source, str | None]]:
    """A kernel file as it is; of a launch file or a workload, the modules that it launches."""
    check_target(path)
    if is_workload(path):
        from warpmill.session.workloads import parse_workload  # noqa: PLC0415 - only for workloads

        target = parse_workload(path)
        assert target is not None
        names = [module.name for module in target.workload.form.module]
        return [(target.workload.module(name, target.build), kernel) for name in names]
    if not path.lower().endswith(".toml"):
        return [(path, kernel)]
    from warpmill.analyzer.launch import load_launches  # noqa: PLC0415 - slow to load

    return list(dict.fromkeys((str(launch.module), kernel) for launch in load_launches(path)))
