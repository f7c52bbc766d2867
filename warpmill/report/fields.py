"""The fields of results: what each is, what it says of itself, and its value as plain data.

Results are frozen dataclasses, or pydantic's models of files that people write. Their fields carry
a ``Metric`` where people are to read them (analyzer.base.metric); text, JSON, CSV and the schemas
are all read off the fields here.
"""

from __future__ import annotations

import dataclasses
import math
import types
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import PurePath
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np

from warpmill.analyzer.base.diagnostics import InputError
from warpmill.analyzer.base.metric import Derived, Identifier, Internal, Mark, Metric, Named


@dataclass(frozen=True, slots=True)
class ResultField:
    """A field of a result, or a derived property; ``annotation`` is its type without metadata."""

    name: str
    annotation: Any
    metric: Metric | None
    is_id: bool
    is_required: bool
    default: Any


@cache
def fields_of(result: type) -> tuple[ResultField, ...]:
    """Fields of a result in order, then derived properties; internal ones not."""
    hints = get_type_hints(result, include_extras=True)
    found = []
    for name, is_required, default in _declared(result):
        bare, extra = _unwrapped(hints[name])
        if any(isinstance(e, Internal) for e in extra):
            continue
        metric = next((e for e in extra if isinstance(e, Metric)), None)
        is_id = any(isinstance(e, Identifier) for e in extra)
        found.append(ResultField(name, bare, metric, is_id, is_required, default))
    for name, value in _derived(result).items():
        returned = get_type_hints(value.function, include_extras=True).get("return", Any)
        bare, extra = _unwrapped(returned)
        is_id = any(isinstance(e, Identifier) for e in extra)
        found.append(ResultField(name, bare, value.metric, is_id, True, None))
    return tuple(found)


def has_fields(kind: object) -> bool:
    """Whether a class, or what is of one, is a dataclass or a model of pydantic."""
    return dataclasses.is_dataclass(kind) or hasattr(kind, "__pydantic_fields__")


def _declared(result: Any) -> Iterator[tuple[str, bool, Any]]:
    """The fields that a class declares: name, whether one is required, and its default, or None."""
    if not dataclasses.is_dataclass(result):
        for name, one in result.__pydantic_fields__.items():
            is_required = one.is_required()
            yield name, is_required, None if is_required else one.default
        return
    for each in dataclasses.fields(result):
        has_default = each.default is not dataclasses.MISSING
        is_required = not has_default and each.default_factory is dataclasses.MISSING
        yield each.name, is_required, each.default if has_default else None


def _unwrapped(annotation: Any) -> tuple[Any, tuple[Any, ...]]:
    if get_origin(annotation) is not Annotated:
        return annotation, ()
    inner, *extra = get_args(annotation)
    return inner, tuple(extra)


def _derived(result: type) -> dict[str, Derived[Any]]:
    found: dict[str, Derived[Any]] = {}
    for owner in reversed(result.__mro__):
        found |= {k: v for k, v in vars(owner).items() if isinstance(v, Derived)}
    return found


@cache
def field_of(result: type, name: str) -> ResultField:
    """A field of a result by its name. KeyError where it shows none of that name."""
    return {one.name: one for one in fields_of(result)}[name]


def metric_at(result: type, path: str) -> Metric:
    """Metric of the field at a dotted path of a class of results."""
    first, _, rest = path.partition(".")
    found = field_of(result, first)
    if rest:
        return metric_at(found.annotation, rest)
    assert found.metric is not None, f"{result.__name__}.{path} has no Metric"
    return found.metric


def is_result(value: object) -> bool:
    """Whether a value is a result, or a part of one."""
    return has_fields(value) and not isinstance(value, type)


@cache
def _names(result: type) -> tuple[str, ...]:
    return tuple(one.name for one in fields_of(result))


def plain(value: Any) -> Any:
    """A result as JSON has it: objects, lists, texts and numbers; what is not finite is null.

    An object whose class has a ``mark`` says in ``marks`` how far each of its figures can be
    trusted, and in ``metrics`` at which path the metrics of Nsight Compute stand. A formula is its
    text. TypeError for what no result may hold.
    """
    kind: Any = type(value)
    if kind in {int, str, bool, types.NoneType}:
        return value
    if kind is float:
        return value if math.isfinite(value) else None
    if has_fields(value):
        if is_text(kind):
            return str(value)
        found = {name: plain(getattr(value, name)) for name in _names(kind)}
        if is_marked(kind):
            found["marks"] = {key: mark.value for key, mark in marks_of(value).items()}
            if metrics := metrics_in(kind):
                found["metrics"] = dict(metrics)
        return found
    if isinstance(value, Mapping):
        return {_key(key): plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return _other(value)


def _other(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Named):
        return value.key
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, PurePath):
        return str(value)
    if isinstance(value, int | float | str):
        return value
    raise TypeError(f"a result holds {type(value).__name__}, which JSON has no form for")


def _key(key: Any) -> str:
    return str(key.value if isinstance(key, Enum) else key)


def flat(value: Any, only: Collection[str] = (), but: Collection[str] = ()) -> dict[str, Any]:
    """The fields of a result by name, as plain data; ``only`` those, or all ``but`` some."""
    kind: type = type(value)
    names = [name for name in _names(kind) if name not in but and name != "marks"]
    return {name: plain(getattr(value, name)) for name in names if not only or name in only}


def is_text(result: type) -> bool:
    """Whether data have the text of such objects: a formula, a condition."""
    return bool(getattr(result, "shown_as_text", False))


# Marks: how far figures can be trusted, by dotted path below the object that says it.


def is_marked(result: type) -> bool:
    """Whether a class says how far its figures can be trusted: it has a ``mark``."""
    return isinstance(getattr(result, "mark", None), Mark)


def marks_of(value: Any) -> dict[str, Mark]:
    """The mark of each figure of a result, by dotted path; lists add no part to it.

    That of the class, unless the field's ``Metric`` or the result's ``mark_exceptions`` say
    another; a key of these covers what lies below it, and "" stands for that of the class. One
    below a mapping of figures marks a figure of it.
    """
    exceptions: dict[str, Mark] = dict(getattr(value, "mark_exceptions", dict)())
    kind: Any = type(value)
    found = dict(_class_marks(kind, exceptions.pop("", kind.mark)))
    if exceptions:
        covered = {outer for key in found for outer in outwards(key)}
        unused = exceptions.keys() - covered
        assert all(found.keys() & {*outwards(e)} for e in unused), f"no figures {unused}"
        found |= {e: mark for e, mark in exceptions.items() if e in unused}
        for key in found:
            fitting = (exceptions[e] for e in outwards(key) if e in exceptions)
            found[key] = next(fitting, found[key])
    return found


def outwards(path: str) -> Iterator[str]:
    """A dotted path and those that cover it, the nearest first."""
    while path:
        yield path
        path = path.rpartition(".")[0]


@cache
def _class_marks(result: type, own: Mark) -> dict[str, Mark]:
    return {path: mark or own for path, mark in sorted(figures_in(result))}


def figures(result: type) -> tuple[str, ...]:
    """The dotted paths of a result's figures, but those of parts that say marks themselves."""
    return tuple(path for path, _ in figures_in(result))


@cache
def metrics_in(result: type) -> Mapping[str, str]:
    """The dotted paths of figures by the names that Nsight Compute has for them.

    Those of parts that say marks themselves are theirs.
    """
    found: dict[str, str] = {}
    for one in fields_of(result):
        if one.metric is not None and one.metric.ncu:
            found.setdefault(one.metric.ncu, one.name)
        for part in _parts_below(one.annotation):
            for metric, path in metrics_in(part).items():
                found.setdefault(metric, f"{one.name}.{path}")
    return found


def _parts_below(annotation: Any) -> Iterator[Any]:
    if isinstance(annotation, type) and has_fields(annotation):
        is_whole = is_text(annotation) or getattr(annotation, "marked_as_one", False)
        if not is_whole and not is_marked(annotation):
            yield annotation
        return
    for argument in get_args(annotation):
        yield from _parts_below(argument)


@cache
def figures_in(result: type) -> tuple[tuple[str, Mark | None], ...]:
    """The dotted paths of a result's figures, each with the mark that its field says."""
    found: dict[str, Mark | None] = {}
    for one in fields_of(result):
        if one.name == "marks" or one.is_id:
            continue
        said = None if one.metric is None else one.metric.mark
        for path, mark in _figures_below(one.annotation):
            found[f"{one.name}.{path}" if path else one.name] = mark or said
    return tuple(found.items())


def _figures_below(annotation: Any) -> Iterator[tuple[str, Mark | None]]:
    origin = get_origin(annotation)
    if annotation in {int, float, Any} or origin is np.ndarray:
        yield "", None
    elif origin is Annotated:
        inner, *extra = get_args(annotation)
        if not any(isinstance(e, Identifier) for e in extra):
            yield from _figures_below(inner)
    elif origin in {tuple, list, dict, Union, types.UnionType} or _is_mapping(origin):
        for argument in get_args(annotation):
            yield from _figures_below(argument)
    elif isinstance(annotation, type) and has_fields(annotation):
        if is_text(annotation):
            return
        if getattr(annotation, "marked_as_one", False):
            yield "", None
        elif not is_marked(annotation) and "marks" not in _names(annotation):
            yield from figures_in(annotation)


def _is_mapping(origin: Any) -> bool:
    return isinstance(origin, type) and issubclass(origin, Mapping)


# Results that are read back.


def result_of(
    kind: type[Result], data: Any, check: Callable[[Result], None] | None = None
) -> Result:
    """The result that ``plain`` makes an object of. UnfitDataError for other data.

    What follows from fields (derived properties, marks) has to be there as it follows; ``check``
    is called before that is worked out.
    """
    made = stored(kind, data)
    if check is not None:
        check(made)
    for place, words in _differences(data, plain(made)):
        raise UnfitDataError(place, f" {words}")
    return made


def stored(kind: type[Result], data: Any) -> Result:
    """The result that data hold, whatever they say follows from it. UnfitDataError for others."""
    from pydantic import TypeAdapter, ValidationError  # noqa: PLC0415 - slow, and seldom needed

    try:
        return TypeAdapter(kind).validate_python(_stored(kind, data))
    except ValidationError as error:
        first = error.errors()[0]
        raise UnfitDataError(
            first["loc"], f": {first['msg'][:1].lower()}{first['msg'][1:]}"
        ) from None


class UnfitDataError(InputError):
    """Data that no result is made of; ``place`` is the path to what is wrong."""

    def __init__(self, place: tuple[int | str, ...], words: str) -> None:
        super().__init__(f"`{_path(place)}`{words}")
        self.place = place


Result = TypeVar("Result")


def _path(places: Iterable[object]) -> str:
    return ".".join(map(str, places))


def _stored(annotation: Any, data: Any) -> Any:
    """Data without what follows from it."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _stored(arguments[0], data)
    if origin in {Union, types.UnionType}:
        (one, *_) = [each for each in arguments if each is not types.NoneType]
        return _stored(one, data)
    if isinstance(data, dict) and dataclasses.is_dataclass(annotation):
        kind: Any = annotation
        followed = {*_derived(kind), "marks"} if is_marked(kind) else {*_derived(kind)}
        known = {one.name: one.annotation for one in fields_of(kind)}
        return {k: _stored(known.get(k), v) for k, v in data.items() if k not in followed}
    if isinstance(data, dict) and _is_mapping(origin):
        return {key: _stored(arguments[1], value) for key, value in data.items()}
    if isinstance(data, list) and origin in {list, tuple}:
        return [_stored(arguments[0], each) for each in data]
    return data


def _differences(
    said: Any, made: Any, place: tuple[int | str, ...] = ()
) -> Iterator[tuple[tuple[int | str, ...], str]]:
    if isinstance(said, dict) and isinstance(made, dict):
        for key in (*made, *(key for key in said if key not in made)):
            if key not in made or key not in said:
                words = "is missing" if key in made else "is no key of such a result"
                yield (*place, key), words
            else:
                yield from _differences(said[key], made[key], (*place, key))
    elif isinstance(said, list) and isinstance(made, list) and len(said) == len(made):
        for number, pair in enumerate(zip(said, made, strict=True)):
            yield from _differences(*pair, (*place, number))
    elif said != made:
        yield place, "does not follow from the rest"
