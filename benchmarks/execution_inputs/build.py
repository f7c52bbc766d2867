"""Rebuild the PTX of the speed kernels, or say which sources changed since.

    python benchmarks/execution_inputs/build.py           nvcc makes NAME.ptx of every NAME.cu
    python benchmarks/execution_inputs/build.py --check   compares hashes; needs no compiler

`built.json` records the command line, the compiler and the hashes of what the committed files were
made of. Exit codes: 0 done, 1 --check found a difference or the compiler failed, 2 bad usage.
"""

import argparse
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
RECORD = HERE / "built.json"
ARGUMENTS = ("-O3", "-arch=compute_80", "-ptx")


def sha256(path):
    """The hash of a file, in hexadecimal."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def hashes():
    """The hashes of every source and its PTX, None where that is missing."""
    found = {}
    for source in sorted(HERE.glob("*.cu")):
        made = source.with_suffix(".ptx")
        found[source.stem] = {
            "source": sha256(source),
            "ptx": sha256(made) if made.exists() else None,
        }
    return found


def build():
    """Compile everything, in a folder of its own so that no path reaches a file."""
    nvcc = shutil.which("nvcc")
    if nvcc is None:
        sys.exit("there is no nvcc on the path")
    for source in sorted(HERE.glob("*.cu")):
        with tempfile.TemporaryDirectory() as scratch:
            shutil.copy(source, scratch)
            made = f"{source.stem}.ptx"
            done = subprocess.run(
                [nvcc, *ARGUMENTS, source.name, "-o", made],
                cwd=scratch, capture_output=True, text=True, check=False,
            )  # fmt: skip
            if done.returncode:
                sys.exit(f"nvcc {source.name}: {done.stderr}")
            shutil.copy(Path(scratch) / made, HERE / made)
    words = subprocess.run([nvcc, "--version"], capture_output=True, text=True, check=True).stdout
    version = next(line for line in words.splitlines() if re.search(r"release \d", line))
    record = {
        "command": " ".join(("nvcc", *ARGUMENTS, "NAME.cu -o NAME.ptx")),
        "compiler": version.strip(),
        "files": hashes(),
    }
    RECORD.write_text(json.dumps(record, indent=2, sort_keys=True) + "\n")


def main():
    """Run the command line; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare hashes only")
    if not parser.parse_args().check:
        build()
        return 0
    recorded, now = json.loads(RECORD.read_text())["files"], hashes()
    changed = sorted(name for name in recorded | now if recorded.get(name) != now.get(name))
    for name in changed:
        print(f"{name}: the files are not those that were recorded", file=sys.stderr)
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
