"""Measured tables as files: CSV, plain or compressed."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "reference" / "hardware"
"""The tables that the project carries."""


def read_table(folder: Path, name: str) -> list[dict[str, str]] | None:
    """Read the rows of a table by its name without suffix; None where the folder lacks it."""
    plain, packed = folder / f"{name}.csv", folder / f"{name}.csv.gz"
    if plain.exists():
        text = plain.read_text("utf-8")
    elif packed.exists():
        text = gzip.decompress(packed.read_bytes()).decode("utf-8")
    else:
        return None
    return list(csv.DictReader(text.splitlines()))
