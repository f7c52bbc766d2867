"""What a target is: a file by its suffix, or a workload by its name."""

from __future__ import annotations

from pathlib import Path

PROGRAM_SUFFIXES = (".py", ".wmrec")


def is_workload(target: str | Path) -> bool:
    """Whether a target names a workload: NAME, NAME:PRESET, NAME:PRESET:BUILD. Files come first."""
    from warpmill.workloads import workload_names  # noqa: PLC0415 - not for files

    if not isinstance(target, str) or Path(target).is_file():
        return False
    return target.split(":")[0] in workload_names()


def says_launches(target: str | Path) -> bool:
    """Whether a target has launches: a launch file or an application."""
    return Path(target).suffix.lower() == ".toml" or is_application(target)


def is_application(target: str | Path) -> bool:
    """Whether a target is a program, a recording or a workload: it says itself what it launches."""
    return Path(target).suffix.lower() in PROGRAM_SUFFIXES or is_workload(target)
