"""What GPU it is, and how its clocks stand, by ``nvidia-smi``."""

from __future__ import annotations

import csv
import subprocess

FIELDS = {
    "gpu": "name", "driver": "driver_version", "sm_mhz": "clocks.sm", "memory_mhz": "clocks.mem",
    "most_sm_mhz": "clocks.max.sm", "temperature_c": "temperature.gpu", "power_w": "power.draw",
}  # fmt: skip
"""What is asked, by the name that it has in rows."""


def readings() -> dict[str, str]:
    """Ask for the first GPU; empty texts where there is no nvidia-smi, or it does not know."""
    words = ["nvidia-smi", "--id=0", f"--query-gpu={','.join(FIELDS.values())}",
             "--format=csv,noheader,nounits"]  # fmt: skip
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return dict.fromkeys(FIELDS, "")
    return read(done.stdout)


def read(text: str) -> dict[str, str]:
    """Read the line that it prints."""
    (values,) = csv.reader([text.strip()], skipinitialspace=True)
    return {
        name: "" if value.startswith("[") else value
        for name, value in zip(FIELDS, values, strict=True)
    }
