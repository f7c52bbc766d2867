"""The shape of one entry of a machine file, checked where people write them."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

_Scalar = int | float | bool | str | list[int]


class _Alternative(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    value: _Scalar
    source: Annotated[str, Field(min_length=1)]


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    value: Any = None
    source: Annotated[str, Field(min_length=1)] | None = None
    alternatives: list[_Alternative] = []


def shape_errors(item: Any) -> list[tuple[tuple[str | int, ...], str]]:
    """Tell where an entry is not of the form value, source, alternatives: (path, words) each."""
    try:
        entry = _Entry.model_validate(item)
    except ValidationError as error:
        found = {_path(e["loc"]): _words(e["type"], e["msg"]) for e in error.errors()}
        return list(found.items())
    if "value" in item and entry.source is None:
        return [((), "an entry names its source")]
    return []


def _path(loc: tuple[int | str, ...]) -> tuple[int | str, ...]:
    """Drop what pydantic adds to a path for the members of a union."""
    if len(loc) > 2 and loc[0] == "alternatives" and loc[2] == "value":
        return loc[:3]
    return loc


def _words(kind: str, message: str) -> str:
    if kind == "extra_forbidden":
        return "an entry has value, source and alternatives, nothing else"
    if kind == "model_type":
        return "an entry is a table with value and source"
    return message[:1].lower() + message[1:]
