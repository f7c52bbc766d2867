"""What all reports share: their envelope, and the marks of their figures.

A figure is any number that a report states; what only names a place (a line, a block) is none.
Each figure is marked exact, assumed, sampled or modelled, in the ``marks`` of the object that it
stands in or of one around it: by its key, or by a dotted path where it lies deeper (lists add no
part to the path). A key covers what lies below it, unless a longer one does.
"""

from __future__ import annotations

import types
from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from typing import Annotated, Any, ClassVar, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field

from warpmill.version import __version__

SCHEMA_VERSION = 1
"""Rises when a key of a report changes its name or meaning, or goes."""


class Mark(StrEnum):
    """How far a figure can be trusted.

    Exact: counted or computed without assumption. Assumed: nobody states it for this very case.
    Sampled: counted on a part and scaled. Modelled: what a model of the machine says.
    """

    EXACT = "exact"
    ASSUMED = "assumed"
    SAMPLED = "sampled"
    MODELLED = "modelled"


class Identifier:
    """Annotation for a number that names a place and is no figure."""


Id = Annotated[int, Identifier()]
"""A line, a column, the number of a block: no figure."""

Marks = Annotated[
    dict[str, Mark],
    Field(description="How far each figure can be trusted; keys are those of this object."),
]


class Part(BaseModel):
    """A piece of a report."""

    marked_as_one: ClassVar[bool] = False
    """Whether all figures in it share the mark of the key that it stands under."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Report(Part):
    """The envelope: every report says what it is and who made it."""

    report: str
    schema_version: Id = SCHEMA_VERSION
    warpmill_version: str = Field(default_factory=lambda: __version__)


def marks(model: type[Part], mark: Mark, **others: Mark) -> dict[str, Mark]:
    """Mark every figure of ``model`` alike, but those of ``others``.

    A key of ``others`` marks what lies below it too: ``accesses`` marks ``accesses.sectors``. Two
    underscores stand for the dot.
    """
    exceptions = {key.replace("__", "."): value for key, value in others.items()}
    keys = figures(model)
    unused = [e for e in exceptions if not any(_covers(e, key) for key in keys)]
    assert not unused, f"{model.__name__} has no figures {unused}"
    return {key: _mark_of(key, mark, exceptions) for key in sorted(keys)}


def _covers(outer: str, key: str) -> bool:
    return key == outer or key.startswith(f"{outer}.")


def _mark_of(key: str, default: Mark, exceptions: dict[str, Mark]) -> Mark:
    fitting = [e for e in exceptions if _covers(e, key)]
    return exceptions[max(fitting, key=len)] if fitting else default


@cache
def figures(model: type[Part]) -> tuple[str, ...]:
    """List the dotted keys of a model's figures, but those of parts that have marks themselves."""
    found: dict[str, None] = {}
    for name, field in model.model_fields.items():
        if name == "marks" or any(isinstance(m, Identifier) for m in field.metadata):
            continue
        for path in _figures_in(field.annotation):
            found[f"{name}.{path}" if path else name] = None
    return tuple(found)


def _figures_in(annotation: Any) -> Iterator[str]:
    origin = get_origin(annotation)
    if annotation in (int, float):
        yield ""
    elif origin is Annotated:
        inner, *extra = get_args(annotation)
        if not any(isinstance(e, Identifier) for e in extra):
            yield from _figures_in(inner)
    elif origin in (tuple, list, dict, Union, types.UnionType):
        for argument in get_args(annotation):
            yield from _figures_in(argument)
    elif isinstance(annotation, type) and issubclass(annotation, Part):
        if annotation.marked_as_one:
            yield ""
        elif "marks" not in annotation.model_fields:
            yield from figures(annotation)
