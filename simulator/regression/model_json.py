"""Models as JSON, and back: the same bytes for the same model, all figures to the last bit."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from warpmill.analyzer.base.diagnostics import InputError, WarpmillError
from warpmill.simulator.regression.model import Model, checked

VERSION = 1
"""Rises when models are written otherwise."""


@dataclass(frozen=True)
class _File:
    regression_model: int
    model: Model


def model_text(model: Model) -> str:
    """Write a model."""
    return msgspec.json.encode(_File(VERSION, model)).decode() + "\n"


def model_of(text: str) -> Model:
    """Read what ``model_text`` wrote. InputError."""
    version = _version(text)
    if version != VERSION:
        raise InputError(f"this model is of version {version}, and this warpmill reads {VERSION}")
    try:
        return checked(msgspec.json.decode(text, type=_File).model)
    except (msgspec.DecodeError, RecursionError, WarpmillError) as error:
        raise InputError(f"this is no regression model: {str(error)[:200]}") from None


def _version(text: str) -> int:
    try:
        data = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise InputError(f"this is no JSON: {str(error)[:200]}") from None
    version = data.get("regression_model") if isinstance(data, dict) else None
    if type(version) is not int:
        raise InputError("this holds no regression model: `warpmill` writes `regression_model`")
    return version
