"""The file of a sweep's axes and conditions."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict

from warpmill.analyzer.base.toml_source import read_toml_file, validate


class SweepSpaceForm(BaseModel):
    """``where`` are conditions, ``over`` values of axes: a list, or as on a command line."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    over: dict[str, str | list[int | float | str]]
    where: list[str] = []


def read(path: Path) -> SweepSpaceForm:
    """Read a file. InputError, located."""
    return validate(read_toml_file(path), SweepSpaceForm)
