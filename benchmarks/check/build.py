"""Compile the kernels of this folder with nvcc, and record what they were made of.

    python -m benchmarks.check.build

``built.json`` has the commands, the compiler and the hashes of the committed files.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

KERNELS = Path(__file__).resolve().parent / "kernels"
RECORD = KERNELS / "built.json"
CHIPS = {"copies": 80, "lanes": 80, "meetings": 80, "objects": 90}
"""The chip that each source is compiled for."""


def command(name: str) -> list[str]:
    """The command that compiles a source."""
    return [
        "nvcc",
        "-O3",
        f"-arch=compute_{CHIPS[name]}",
        "-ptx",
        f"{name}.cu",
        "-o",
        f"{name}.ptx",
    ]


def hashes() -> dict[str, dict[str, str]]:
    """The hashes of every source and its PTX."""
    return {
        name: {
            suffix: hashlib.sha256((KERNELS / f"{name}.{suffix}").read_bytes()).hexdigest()
            for suffix in ("cu", "ptx")
        }
        for name in CHIPS
    }


def main() -> None:
    """Compile everything, in a folder of its own so that no path reaches a file."""
    with tempfile.TemporaryDirectory() as scratch:
        for name in CHIPS:
            shutil.copy(KERNELS / f"{name}.cu", scratch)
            subprocess.run(command(name), cwd=scratch, check=True)
            shutil.copy(Path(scratch) / f"{name}.ptx", KERNELS)
    words = subprocess.run(["nvcc", "--version"], capture_output=True, text=True, check=True).stdout
    compiler = re.search(r"^.*release \d.*$", words, re.MULTILINE)
    assert compiler is not None
    record = {
        "commands": {name: " ".join(command(name)) for name in CHIPS},
        "compiler": compiler[0].strip(),
        "files": hashes(),
    }
    RECORD.write_text(json.dumps(record, indent=2, sort_keys=True) + "\n", "utf-8")


if __name__ == "__main__":
    main()
