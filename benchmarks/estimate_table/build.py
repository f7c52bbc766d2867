"""Rebuild the LLVM modules of the table's kernels, or say which sources changed.

    python -m benchmarks.estimate_table.build           clang makes NAME.ll of each source
    python -m benchmarks.estimate_table.build --check   compares hashes; needs no compiler

Sources are those in ``kernels``, and of the workloads those whose local sizes are free, or can be
freed: an attribute alone fixes those of cfd. ``built.json`` records command lines, compiler and
hashes. Exit codes: 0 done, 1
--check found a difference or the compiler failed, 2 bad usage.
"""

from __future__ import annotations

import argparse
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
CLANG = ("clang-22", "clang")

TARGET = ("--cuda-path=.", "--cuda-feature=+ptx70")
LEVEL = ("-O2", "-fno-unroll-loops", "-fno-math-errno", "-emit-llvm", "-S")
CUDA = (
    "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_80", *TARGET, "-nocudainc",
    "-nocudalib", "-nostdinc", "-fuse-cuid=none", *LEVEL,
)  # fmt: skip
# The kernels' attribute that fixes the local size becomes an empty one.
OPENCL = (
    "-x", "cl", "--target=nvptx64-nvidia-cuda", "-march=sm_80", *TARGET, "-nogpulib", "-Xclang",
    "-finclude-default-header", "-Dreqd_work_group_size(x,y,z)=", *LEVEL,
)  # fmt: skip


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


def build() -> None:
    """Compile all, in a folder of its own so that no path reaches a file. SystemExit."""
    clang = next((found for name in CLANG if (found := shutil.which(name))), None)
    if clang is None:
        sys.exit(f"there is no {' or '.join(CLANG)} on the path")
    for name, source in sources().items():
        with tempfile.TemporaryDirectory() as scratch:
            shutil.copy(source, scratch)
            shutil.copy(HEADER, scratch)
            made = f"{name}.ll"
            command = [clang, *_arguments(source), source.name, "-o", made]
            done = subprocess.run(command, cwd=scratch, capture_output=True, text=True, check=False)
            if done.returncode:
                sys.exit(f"{source.name}: {done.stderr}")
            shutil.copy(Path(scratch) / made, KERNELS / made)
    words = subprocess.run([clang, "--version"], capture_output=True, text=True, check=True).stdout
    record = {
        "commands": {
            suffix: " ".join(("clang", *arguments, f"NAME{suffix}", "-o", "NAME.ll"))
            for suffix, arguments in ((".cu", CUDA), (".cl", OPENCL))
        },
        "compiler": words.splitlines()[0].strip(),
        "files": hashes(),
    }
    RECORD.write_text(json.dumps(record, indent=2, sort_keys=True) + "\n", "utf-8")


def changed() -> list[str]:
    """Name the modules whose files are not those that were recorded."""
    recorded, now = json.loads(RECORD.read_text("utf-8"))["files"], hashes()
    return sorted(name for name in recorded | now if recorded.get(name) != now.get(name))


def _arguments(source: Path) -> tuple[str, ...]:
    return CUDA if source.suffix == ".cu" else OPENCL


def _hash(path: Path) -> str | None:
    return sha256(path.read_bytes()).hexdigest() if path.exists() else None


def main() -> int:
    """Run the command line; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare hashes only")
    if not parser.parse_args().check:
        build()
        return 0
    for name in changed():
        print(f"{name}: the files are not those that were recorded", file=sys.stderr)
    return 1 if changed() else 0


if __name__ == "__main__":
    sys.exit(main())
