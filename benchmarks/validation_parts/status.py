"""When a kept result was measured, whether it still holds, and what that means for its goals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Result = Mapping[str, Any]


def measured(result: Result) -> str:
    """When a result was measured, and how many files it rests on have changed since."""
    number = len(result["changed"])
    if not number:
        since = "Fresh: no file that it rests on has changed since."
    else:
        files = (
            "1 file that it rests on has"
            if number == 1
            else f"{number} files that it rests on have"
        )
        since = f"Older than the sources: {files} changed since."
    return f"Measured on {result['date']} with warpmill {result['version']}. {since}"


def mark(met: bool | None, result: Result) -> str:
    """What became of a goal. It is reached only by a result that is whole and fresh."""
    if met is None:
        return "unknown"
    if not met:
        return "MISSED"
    if result.get("unfinished"):
        return "within so far"
    return "reached" if result["fresh"] else "within, not fresh"


def when(result: Result) -> dict[str, Any]:
    """The same as ``measured``, as data."""
    told = {key: result[key] for key in ("date", "version", "fresh")}
    return {**told, "changed": len(result["changed"])}


def nothing(command: str) -> str:
    """Say that nothing is kept, and what would measure it."""
    return f"Nothing is kept yet: `python -m {command}` measures it."
