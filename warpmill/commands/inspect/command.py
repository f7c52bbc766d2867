"""``warpmill inspect``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from warpmill.cli.options import Files, Format, FormatOption, Kernel, Output, Strict, Verbose
from warpmill.cli.output import Destination, complain, emit, working
from warpmill.session.targets import check_target, is_workload

if TYPE_CHECKING:
    from pathlib import Path

    from warpmill.analyzer.base.source import Source
    from warpmill.analyzer.frontends.load import LoadedModule


def inspect(  # noqa: PLR0913, PLR0917 - one parameter for each option
    files: Files,
    kernel: Kernel = None,
    strict: Strict = False,
    format_: FormatOption = Format.TEXT,
    output: Output = None,
    verbose: Verbose = False,
) -> None:
    """Show what kernel files hold: kernels, parameters, registers, shared memory, instructions."""
    from warpmill.commands.inspect.result import inspect_report  # noqa: PLC0415 - slow to load

    with working(f"reading {len(files)} files"):
        loaded = _load_all(files, kernel, strict=strict)
        report = inspect_report(loaded)
    complain(d for one in loaded for d in one.diagnostics)
    emit(report, Destination(format_, output, verbose))


def _load_all(files: Sequence[str], kernel: str | None, *, strict: bool) -> list[LoadedModule]:
    """Read all files; what is wrong with several of them is told at once."""
    from warpmill.analyzer.base.diagnostics import WarpmillError, all_unanswered  # noqa: PLC0415
    from warpmill.analyzer.frontends.load import load_all  # noqa: PLC0415 - slow to load

    found: list[LoadedModule] = []
    problems: list[WarpmillError] = []
    for path in dict.fromkeys(files):
        try:
            for module, name in _modules(path, kernel):
                found += load_all(module, name, strict=strict)
        except WarpmillError as error:
            problems.append(error)
    if len(problems) == 1:
        raise problems[0]
    if problems:
        raise all_unanswered(problems)
    return found


def _modules(path: str, kernel: str | None) -> list[tuple[str | Path | Source, str | None]]:
    """Give a kernel file as it is; of a launch file or a workload, the modules that it launches."""
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
