"""Rebuild the PTX of the speed kernels with nvcc, and record what it was made of.

    python benchmarks/execution_inputs/build.py

`built.json` has the command line, the compiler and the hashes of the committed files.
"""

import hashlib
import json
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
RECORD = HERE / "built.json"
ARGUMENTS = ("nvcc", "-O3", "-arch=compute_80", "-ptx")


def hashes():
    """The hashes of every source and its PTX."""
    return {
        source.stem: {
            kind: hashlib.sha256(source.with_suffix(suffix).read_bytes()).hexdigest()
            for kind, suffix in (("source", ".cu"), ("ptx", ".ptx"))
        }
        for source in sorted(HERE.glob("*.cu"))
    }


def main():
    """Compile everything, in a folder of its own so that no path reaches a file."""
    with tempfile.TemporaryDirectory() as scratch:
        for source in HERE.glob("*.cu"):
            shutil.copy(source, scratch)
            made = f"{source.stem}.ptx"
            subprocess.run([*ARGUMENTS, source.name, "-o", made], cwd=scratch, check=True)
            shutil.copy(Path(scratch) / made, HERE / made)
    words = subprocess.run(["nvcc", "--version"], capture_output=True, text=True, check=True).stdout
    record = {
        "command": " ".join((*ARGUMENTS, "NAME.cu -o NAME.ptx")),
        "compiler": re.search(r"^.*release \d.*$", words, re.MULTILINE)[0].strip(),
        "files": hashes(),
    }
    RECORD.write_text(json.dumps(record, indent=2, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
