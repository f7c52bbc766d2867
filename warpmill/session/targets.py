"""What a target is: a file by its suffix, or a workload by its name."""

from __future__ import annotations

from pathlib import Path

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, UsageError

PROGRAM_SUFFIXES = (".py", ".wmrec")


def is_workload(target: str | Path) -> bool:
    """Whether a target names a workload: NAME, NAME:PRESET, NAME:PRESET:BUILD. Files come first."""
    if not isinstance(target, str) or Path(target).is_file():
        return False
    from warpmill.session.workloads import workload_names  # noqa: PLC0415 - not for files

    return target.split(":")[0] in workload_names()


def check_target(target: str | Path) -> None:
    """Refuse what names neither a file nor a workload. UsageError with a hint."""
    if not isinstance(target, str):
        return
    if not target.strip():
        raise UsageError("the target is empty: name a file, or a workload such as bfs:tiny")
    name = target.split(":")[0]
    looks_like_a_file = target == "-" or Path(name).suffix or "/" in target or "\\" in target
    if looks_like_a_file or Path(target).exists() or is_workload(target):
        return
    from warpmill.analyzer.base.naming import suggestion  # noqa: PLC0415 - only for errors
    from warpmill.session.workloads import workload_names  # noqa: PLC0415

    hint = suggestion(name, sorted(workload_names())) or "warpmill samples lists the workloads"
    words = f"there is no file and no workload `{name}`"
    raise UsageError(Diagnostic(Severity.ERROR, words, hint=hint))


def says_launches(target: str | Path) -> bool:
    """Whether a target has launches: a launch file or an application."""
    return Path(target).suffix.lower() == ".toml" or is_application(target)


def is_application(target: str | Path) -> bool:
    """Whether a target is a program, a recording or a workload: it says itself what it launches."""
    return Path(target).suffix.lower() in PROGRAM_SUFFIXES or is_workload(target)
