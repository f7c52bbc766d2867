"""What is known of GPGPU-Sim's options: the tables beside this file, read once."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from typing import Any


def _table(name: str) -> Any:
    return tomllib.loads(files(__package__).joinpath(name).read_text("utf-8"))


@cache
def key_tables() -> Mapping[str, Mapping[str, Any]]:
    """Give the tables of keys.toml by name."""
    tables: Mapping[str, Mapping[str, Any]] = _table("keys.toml")
    return tables


@cache
def json_tables() -> Mapping[str, Any]:
    """Give the tables of configs.toml by name."""
    tables: Mapping[str, Any] = _table("configs.toml")
    return tables


@cache
def defaults() -> Mapping[str, str]:
    """Give what GPGPU-Sim takes for an option that a file leaves out."""
    found: Mapping[str, str] = _options()["defaults"]
    return found


@cache
def _options() -> Any:
    return _table("options.toml")


@cache
def known_options() -> frozenset[str]:
    """Give the names of all options that are read."""
    return frozenset([*defaults(), *_options()["others"]["names"]])


def known_name(name: str) -> str | None:
    """Give the name of an option as the tables write it; None where it is not read."""
    names = (name, f"gpgpu_{name}")
    return next((known for known in names if known in known_options()), None)


def is_without_effect(name: str) -> bool:
    """Tell whether an option is known to have no bearing on time."""
    patterns = _options()["without_effect"]["names"]
    return any(fnmatchcase(name, pattern) for pattern in patterns)
