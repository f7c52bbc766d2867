"""Files that a command writes: none of them is one that it reads."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, UsageError

_WRITTEN = "warpmill.written"
_REPLACED = "resume"
"""The option of a file that is read to its end first: a checkpoint may take its own place."""

_NAMING = ("module", "file")
"""Keys of launch files whose values name files."""


def written(ctx: typer.Context, param: typer.CallbackParam, path: Path | None) -> Path | None:
    """Note that an option names what is written: the callback of each such option."""
    if path is not None and param.name is not None:
        ctx.meta.setdefault(_WRITTEN, {})[param.name] = path
    return path


def written_file(ctx: typer.Context, param: typer.CallbackParam, path: Path | None) -> Path | None:
    """Refuse, before a command begins, a file that could not be written at its end, as well."""
    if path is not None:
        from warpmill.analyzer.base.whole_files import check_file  # noqa: PLC0415 - seldom needed

        check_file(path)
    return written(ctx, param, path)


def check_written(output: Path | None, plot: Path | None) -> None:
    """Refuse, before anything is estimated, what could not be written. UsageError."""
    from warpmill.analyzer.base.whole_files import check_files  # noqa: PLC0415 - seldom needed

    check_files({"--output": output, "--plot": plot})
    if plot is not None:
        from warpmill.report.pictures import check_plot  # noqa: PLC0415 - slow to load

        check_plot(plot)


def check_apart(ctx: Any) -> None:
    """See that a command, whose words were read, writes to no file that it reads. UsageError."""
    noted: dict[str, Path] = ctx.meta.get(_WRITTEN, {})
    if not noted:
        return
    read = {_identity(path): by for path, by in _read(ctx, noted)}
    for parameter in ctx.command.params:
        file = _identity(noted.get(parameter.name))
        if file is not None and file in read:
            words = f"{parameter.opts[0]} {noted[parameter.name]} would replace what is read: "
            words += f"{read[file]} names this file"
            raise UsageError(Diagnostic(Severity.ERROR, words, hint="give the output another name"))


def _identity(path: Path | None) -> tuple[int, int] | None:
    """Identity of a file on its disk, whatever spelling or link leads there.

    None for what is no file, or not there yet.
    """
    try:
        if path is None or not path.is_file():
            return None
        found = path.stat()
    except (OSError, ValueError):  # a name that no file can have
        return None
    return found.st_dev, found.st_ino


def _read(ctx: Any, noted: dict[str, Path]) -> Iterator[tuple[Path, str]]:
    """Files that a command may read, with what names each."""
    for parameter in ctx.command.params:
        if parameter.name in noted or parameter.name == _REPLACED:
            continue
        is_argument = parameter.param_type_name == "argument"
        by = parameter.metavar or parameter.name.upper() if is_argument else parameter.opts[0]
        for path in _paths(ctx.params.get(parameter.name), is_argument=is_argument):
            yield path, by
            yield from ((named, str(path)) for named in _named_in(path))


def _paths(value: Any, *, is_argument: bool) -> Iterator[Path]:
    """The paths that a value may hold; texts of options only with suffixes, as names have."""
    if isinstance(value, list | tuple):
        for each in value:
            yield from _paths(each, is_argument=is_argument)
    elif isinstance(value, Path):
        yield value
    elif isinstance(value, str):
        pieces = {value, *re.split(r"[,=:]", value)}  # A.toml,B.toml and NAME=FILE:KERNEL
        yield from (path for path in map(Path, pieces) if is_argument or path.suffix)


def _named_in(path: Path) -> Iterator[Path]:
    """The files that a launch file names. Whether it is right is not looked at."""
    if path.suffix.lower() != ".toml" or not path.is_file():
        return
    try:
        values = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):  # the command itself says what is wrong with it
        return
    yield from (path.parent / name for name in _names(values))


def _names(value: Any) -> Iterator[str]:
    """Find what stands under a key that names a file, however deep."""
    inside = value.items() if isinstance(value, dict) else enumerate(value)
    for key, each in inside:
        if isinstance(each, dict | list):
            yield from _names(each)
        elif key in _NAMING and isinstance(each, str):
            yield each
