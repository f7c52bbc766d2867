"""The file that error bands are read from, made of a kept result."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from benchmarks.error_bands_parts.coverage import calibration, parted
from warpmill.session.error_bands import kernels_of

LEAST_SHARE = 0.005
"""A cause with less of the time than that is left out of the file."""

Result = Mapping[str, Any]


def text(result: Result) -> str:
    """Write the file: where it comes from, how bands are made, and a line for each row."""
    data = contents(result)
    lines = json.dumps({**data, "kernels": []}, indent=1)
    return lines.replace('"kernels": []', f'"kernels": [\n{_kernels(data["kernels"])}\n ]') + "\n"


def _kernels(kernels: list[dict[str, Any]]) -> str:
    return ",\n".join(
        f"  {json.dumps({**one, 'rows': []})[:-2]}\n   "
        + ",\n   ".join(map(json.dumps, one["rows"]))
        + "]}"
        for one in kernels
    )


def contents(result: Result) -> dict[str, Any]:
    """What the file holds. The calibration is of the kernels that are not put aside."""
    kernels = [{**one, "rows": [_row(row) for row in one["rows"]]} for one in result["kernels"]]
    used, _ = parted(kernels_of({"kernels": kernels}))
    return {
        "written_by": "python -m benchmarks.error_bands --write",
        "measured": result["date"],
        "version": result["version"],
        "rows": sum(len(one["rows"]) for one in kernels),
        "calibration": {key: round(value, 3) for key, value in asdict(calibration(used)).items()},
        "kernels": kernels,
    }


def _row(row: Mapping[str, Any]) -> dict[str, Any]:
    shares = {cause: round(share, 3) for cause, share in row["shares"].items()}
    return {
        "error": round(row["error"], 3),
        "time_us": row["time_us"],
        "shares": {cause: share for cause, share in shares.items() if share >= LEAST_SHARE},
    }
