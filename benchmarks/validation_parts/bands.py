"""How sure an estimate is, from the kept result of benchmarks.error_bands."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.error_bands import ASIDE, BOUNDS, COVERAGE, LIKE, ErrorBands
from benchmarks.pages import rendered
from benchmarks.validation_parts.status import measured, nothing
from warpmill.report.fields import stored
from warpmill.report.markdown import section_markdown
from warpmill.report.read import Reader
from warpmill.session.error_bands import COVERED, NEAREST

TEMPLATE = Path(__file__).with_name("bands.md.j2")
COMMAND = "benchmarks error-bands --fresh --data DIR"


def section(result: Mapping[str, Any] | None) -> str:
    """Write the section: whether bands hold, and errors by what bounds kernels."""
    if result is None:
        return nothing(COMMAND)
    bands = stored(ErrorBands, {key: result[key] for key in ("tables", "missing", "kernels")})
    return rendered(
        TEMPLATE,
        result,
        state=measured(result),
        kernels=len(bands.kernels),
        rows=sum(len(one.rows) for one in bands.kernels),
        nearest=NEAREST,
        covered=f"{100 * COVERED:.0f} %",
        aside=f"{100 * ASIDE:.0f} %",
        like=f"{100 * LIKE:.0f} %",
        made=bands.calibration,
        coverage=section_markdown(COVERAGE, Reader(bands)),
        bounds=section_markdown(BOUNDS, Reader(bands)),
    )
