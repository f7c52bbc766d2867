"""The JSON schemas of all results, by kind."""

from __future__ import annotations

import json
from typing import Any

from warpmill.report.base import Report
from warpmill.report.manifest import kinds


def result_classes() -> dict[str, type[Report]]:
    """The class of each kind of result, in the order of the commands; files for commands last."""
    with_pages = sorted(kinds().values(), key=lambda each: each[1].page is None)
    return {kind.name: one.load(kind.result) for one, kind in with_pages}


def schemas() -> dict[str, dict[str, Any]]:
    """The JSON schema of each kind of result, as it is written out."""
    each = result_classes().items()
    return {kind: result.model_json_schema(mode="serialization") for kind, result in each}


def schema_text(schema: dict[str, Any]) -> str:
    """Write a schema, the same bytes for the same schema."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
