"""Rebuild the LLVM modules of the table's kernels, by the command lines of ``kernels/built.json``.

    python -m benchmarks.estimate_table.build

Sources are those in ``kernels``, and of the workloads those whose local sizes are free, or can be
freed: an attribute alone fixes those of cfd, which the command line makes an empty one. The record
has the compiler and hashes as well: ``changed`` compares them, and needs no compiler.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from hashlib import sha256
from pathlib import Path

KERNELS = Path(__file__).with_name("kernels")
RECORD = KERNELS / "built.json"
SAMPLES = Path(__file__).resolve().parents[2] / "samples"
HEADER = SAMPLES / "common" / "cuda_words.h"
WORKLOADS = ("bfs", "cfd", "kmeans", "nn", "particlefilter")


def sources() -> dict[str, Path]:
    """The source of each module, by the module's name."""
    own = {path.stem: path for path in sorted(KERNELS.glob("*.cu"))}
    return own | {name: SAMPLES / "workloads" / name / f"{name}.cl" for name in WORKLOADS}


def hashes() -> dict[str, dict[str, str | None]]:
    """Hash every source and what was made of it; None where that is missing."""
    return {
        name: {
            "source": _hash(source),
            "header": _hash(HEADER) if source.suffix == ".cu" else None,
            "made": _hash(KERNELS / f"{name}.ll"),
        }
        for name, source in sources().items()
    }


def _hash(path: Path) -> str | None:
    return sha256(path.read_bytes()).hexdigest() if path.exists() else None


def changed() -> list[str]:
    """Name the modules whose files are not those that were recorded."""
    recorded, now = json.loads(RECORD.read_text("utf-8"))["files"], hashes()
    return sorted(name for name in recorded | now if recorded.get(name) != now.get(name))


def build() -> None:
    """Compile all, in a folder of its own so that no path reaches a file. SystemExit."""
    clang = shutil.which("clang-22") or shutil.which("clang")
    if clang is None:
        sys.exit("there is no clang on the path")
    record = json.loads(RECORD.read_text("utf-8"))
    for name, source in sources().items():
        words = record["commands"][source.suffix].replace("NAME", name).split()
        with tempfile.TemporaryDirectory() as scratch:
            shutil.copy(source, scratch)
            shutil.copy(HEADER, scratch)
            subprocess.run([clang, *words[1:]], cwd=scratch, check=True)
            shutil.copy(Path(scratch) / words[-1], KERNELS)
    version = subprocess.run([clang, "--version"], capture_output=True, text=True, check=True)
    record |= {"compiler": version.stdout.splitlines()[0].strip(), "files": hashes()}
    RECORD.write_text(json.dumps(record, indent=2, sort_keys=True) + "\n", "utf-8")


if __name__ == "__main__":
    build()
