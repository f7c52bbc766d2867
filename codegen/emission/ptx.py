"""The PTX file: a comment that says what it is, and what the analyzer's PTX printer makes."""

from __future__ import annotations

from typing import Any

from warpmill.analyzer.ir.ptx_printer import print_ptx
from warpmill.codegen.emission.application import CloneApplication


def ptx_context(app: CloneApplication) -> dict[str, Any]:
    """Give what ``ptx/clone.ptx.j2`` places, of an application with clean names."""
    return {"note": app.note, "module": print_ptx(app.module)}
