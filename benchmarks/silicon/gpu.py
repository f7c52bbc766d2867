"""What GPU it is, how its clocks stand by ``nvidia-smi``, and what other tools beside it print."""

from __future__ import annotations

import csv
import subprocess
from collections.abc import Sequence

FIELDS = {
    "gpu": "name", "driver": "driver_version", "sm_mhz": "clocks.sm", "memory_mhz": "clocks.mem",
    "most_sm_mhz": "clocks.max.sm", "temperature_c": "temperature.gpu", "power_w": "power.draw",
}  # fmt: skip
"""What is asked, by the name that it has in rows."""


def output(words: Sequence[str], timeout_s: float) -> str:
    """What a command prints. RuntimeError where it is not there, fails, or takes too long."""
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=timeout_s, check=False)
    except subprocess.TimeoutExpired:
        raise RuntimeError(f"{words[0]} did not end within {timeout_s:.0f} s") from None
    except OSError as error:
        raise RuntimeError(f"{words[0]}: {error.strerror}") from None
    if done.returncode != 0:
        told = (done.stderr or done.stdout).strip().splitlines()[-3:]
        raise RuntimeError(" ".join(told) or f"{words[0]} ended with {done.returncode}")
    return done.stdout


def readings() -> dict[str, str]:
    """Ask for the first GPU; empty texts where there is no nvidia-smi, or it does not know."""
    words = ["nvidia-smi", "--id=0", f"--query-gpu={','.join(FIELDS.values())}",
             "--format=csv,noheader,nounits"]  # fmt: skip
    try:
        return read(output(words, 10))
    except RuntimeError:
        return dict.fromkeys(FIELDS, "")


def read(text: str) -> dict[str, str]:
    """Read the line that it prints."""
    (values,) = csv.reader([text.strip()], skipinitialspace=True)
    return {
        name: "" if value.startswith("[") else value
        for name, value in zip(FIELDS, values, strict=True)
    }
