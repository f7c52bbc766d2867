"""The JSON schemas of all results, by kind, made from their classes.

A field's ``title`` is its label, ``unit`` and ``metric`` (Nsight Compute's name) stand beside it
where it has them; ``description`` is the text below the field. ``identifier`` marks numbers that
name a place and are no figures.
"""

from __future__ import annotations

import ast
import inspect
import json
import textwrap
import types
from collections.abc import Mapping, Sequence
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import numpy as np

from warpmill.analyzer.base.metric import Identifier, Named
from warpmill.report.base import Mark, Report
from warpmill.report.fields import (
    ResultField,
    fields_of,
    is_marked,
    is_text,
    metrics_in,
    plain,
)
from warpmill.report.manifest import kinds

Schema = dict[str, Any]

_SIMPLE = {
    int: "integer", float: "number", str: "string", bool: "boolean", type(None): "null",
    Path: "string",
}  # fmt: skip
_MARKS = "How far each figure can be trusted; keys are those of this object, dotted below it."

_METRICS = "The keys of this object, dotted below it, by Nsight Compute's names of metrics."


def result_classes() -> dict[str, type[Report]]:
    """The class of each kind of result, in the order of the commands; files for commands last."""
    with_pages = sorted(kinds().values(), key=lambda each: each[1].page is None)
    return {kind.name: one.load(kind.result) for one, kind in with_pages}


def schemas() -> dict[str, Schema]:
    """The JSON schema of each kind of result, as it is written out."""
    return {kind: schema_of(result) for kind, result in result_classes().items()}


def schema_of_kind(kind: str) -> Schema:
    """The JSON schema of a kind of result; no other is loaded."""
    one, found = kinds()[kind]
    return schema_of(one.load(found.result))


def schema_text(schema: Schema) -> str:
    """Write a schema, the same bytes for the same schema."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def schema_of(result: type) -> Schema:
    """The JSON schema of what ``plain`` makes of a result."""
    parts: dict[str, Schema] = {}
    whole = _object(result, parts)
    return {"$defs": {name: parts[name] for name in sorted(parts)}} | whole


def _object(result: type, parts: dict[str, Schema]) -> Schema:
    fields = fields_of(result)
    texts = _texts(result)
    shown = {one.name: _field(one, texts.get(one.name, ""), parts) for one in fields}
    required = [one.name for one in fields if one.is_required]
    if is_marked(result):
        shown["marks"] = {**_schema(Mapping[str, Mark], parts), "description": _MARKS}
        required.append("marks")
        if metrics_in(result):
            shown["metrics"] = {**_schema(Mapping[str, str], parts), "description": _METRICS}
            required.append("metrics")
    return {
        "additionalProperties": False,
        "description": inspect.cleandoc(result.__doc__ or ""),
        "properties": shown,
        "required": required,
        "title": result.__name__,
        "type": "object",
    }


def _field(one: ResultField, text: str, parts: dict[str, Schema]) -> Schema:
    found = dict(_schema(one.annotation, parts))
    if one.metric is not None:
        found["title"] = one.metric.label
        if one.metric.unit:
            found["unit"] = one.metric.unit
        if one.metric.ncu is not None:
            found["metric"] = one.metric.ncu
    if one.is_id:
        found["identifier"] = True
    if one.default is not None:
        found["default"] = plain(one.default)
    if text:
        found["description"] = text
    return found


def _schema(annotation: Any, parts: dict[str, Schema]) -> Schema:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if annotation in _SIMPLE:
        return {"type": _SIMPLE[annotation]}
    if annotation is Any:
        return {}
    if isinstance(annotation, type) and (issubclass(annotation, Named) or is_text(annotation)):
        return {"type": "string"}
    if origin is Annotated:
        is_id = any(isinstance(each, Identifier) for each in arguments[1:])
        return _schema(arguments[0], parts) | ({"identifier": True} if is_id else {})
    if origin is np.ndarray:
        (element,) = get_args(arguments[1])
        number = {"type": "integer" if issubclass(element, np.integer) else "number"}
        return {"items": {"anyOf": [number, {"items": number, "type": "array"}]}, "type": "array"}
    if origin is Literal:
        return {"enum": list(arguments), "type": "string"}
    if origin in {Union, types.UnionType}:
        return {"anyOf": [_schema(each, parts) for each in arguments]}
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {"additionalProperties": _schema(arguments[1], parts), "type": "object"}
    if origin is tuple and arguments[-1] is not Ellipsis:
        items = [_schema(each, parts) for each in arguments]
        count = len(items)
        return {"maxItems": count, "minItems": count, "prefixItems": items, "type": "array"}
    if isinstance(origin, type) and issubclass(origin, Sequence):
        return {"items": _schema(arguments[0], parts), "type": "array"}
    return {"$ref": f"#/$defs/{_defined(annotation, parts)}"}


def _defined(kind: Any, parts: dict[str, Schema]) -> str:
    name: str = kind.__name__
    if name not in parts:
        parts[name] = {}  # parts may hold themselves
        if issubclass(kind, Enum):
            values = [each.value for each in kind]
            text = inspect.cleandoc(kind.__doc__ or "")
            parts[name] = {"description": text, "enum": values, "title": name, "type": "string"}
        else:
            parts[name] = _object(kind, parts)
    return name


@cache
def _texts(result: type) -> dict[str, str]:
    """The texts below fields, and the docstrings of derived properties."""
    found: dict[str, str] = {}
    for owner in reversed(result.__mro__):
        if "__dataclass_fields__" in vars(owner):
            found |= _texts_in(owner)
    for one in fields_of(result):
        inherited = inspect.getdoc(vars(result).get(one.name)) if one.name not in found else None
        if inherited and one.metric is not None:
            found[one.name] = inherited
    return found


def _texts_in(owner: type) -> dict[str, str]:
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(owner))).body
    assert isinstance(tree, ast.ClassDef)
    found, last = {}, None
    for node in tree.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            last = node.target.id
        elif last and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            found[last] = inspect.cleandoc(str(node.value.value))
            last = None
        else:
            last = None
    return found
