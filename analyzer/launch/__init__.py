"""Launches of kernels: read from launch files, made in Python or from command-line options."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from warpmill.analyzer.launch.check import check_launch, with_sizes
from warpmill.analyzer.launch.model import (
    Arange,
    Argument,
    BufferArgument,
    Constant,
    Csr,
    CsrPart,
    FromFile,
    Initialiser,
    InMemory,
    Launch,
    Normal,
    NullArgument,
    Permutation,
    RefArgument,
    ScalarArgument,
    StructArgument,
    TextureArgument,
    Uniform,
    Zeros,
)


def load_launches(
    path: str | Path, sizes: Mapping[str, int | str] | None = None
) -> tuple[Launch, ...]:
    """Read the launches of the launch file at ``path``, in the order of the file.

    ``sizes`` replaces values of the file's ``[sizes]`` by name: integers, or expressions over the
    sizes above. UsageError where a replacement cannot be used; InputError with everything that is
    wrong with the file, each at its line and column.
    """
    from warpmill.analyzer.launch.read import read_launches  # noqa: PLC0415 - pydantic and lark are slow

    return read_launches(Path(path), sizes or {})


__all__ = [
    "Arange",
    "Argument",
    "BufferArgument",
    "Constant",
    "Csr",
    "CsrPart",
    "FromFile",
    "InMemory",
    "Initialiser",
    "Launch",
    "Normal",
    "NullArgument",
    "Permutation",
    "RefArgument",
    "ScalarArgument",
    "StructArgument",
    "TextureArgument",
    "Uniform",
    "Zeros",
    "check_launch",
    "load_launches",
    "with_sizes",
]
