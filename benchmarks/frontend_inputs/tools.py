"""The compilers and assemblers that the inputs need, where they are there."""

from __future__ import annotations

import importlib.metadata
import re
import shutil
import subprocess
import sysconfig
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

PROGRAMS = {
    "nvcc": ("nvcc",), "clang": ("clang-22", "clang"), "llvm-dis": ("llvm-dis-22", "llvm-dis")
}  # fmt: skip
"""Under which names programs are looked for."""
PACKAGES = ("triton", "numba-cuda")


@dataclass(frozen=True)
class Tool:
    """A program or a package that was found: how to call it, and its version."""

    name: str
    path: str
    version: str


def _version(path: str) -> str:
    """The line of ``--version`` that carries the number."""
    done = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
    lines = [line.strip() for line in done.stdout.splitlines() if re.search(r"\d+\.\d+", line)]
    return next((line for line in lines if line.startswith("Cuda")), lines[0] if lines else "")


@cache
def tools() -> dict[str, Tool]:
    """Find what makes inputs, by the name of the group that needs it."""
    found = {}
    for name, called in PROGRAMS.items():
        path = next(filter(None, map(shutil.which, called)), None)
        if path is not None:
            found[name] = Tool(name, path, _version(path))
    for name in PACKAGES:
        with suppress(importlib.metadata.PackageNotFoundError):
            found[name] = Tool(name, name, importlib.metadata.version(name))
    return found


def cuda_folder() -> Path | None:
    """The toolkit that nvcc belongs to, which has the headers that clang needs too."""
    nvcc = tools().get("nvcc")
    if nvcc is None:
        return None
    told = subprocess.run(
        [nvcc.path, "-dryrun", "-x", "cu", "-c", "/dev/null"],
        capture_output=True, text=True, check=False,
    ).stderr  # fmt: skip
    top = re.search(r"^#\$ TOP=(.*)$", told, re.MULTILINE)
    folder = Path(top[1].strip()).resolve() if top else None
    has_headers = folder is not None and (folder / "include" / "cuda_runtime.h").exists()
    return folder if has_headers else None


@cache
def ptxas_versions() -> tuple[Tool, ...]:
    """Find the assemblers: of the toolkit on the PATH, and of the wheels beside this interpreter.

    Triton brings two; of several with one version the first counts.
    """
    packages, on_path = Path(sysconfig.get_paths()["purelib"]), shutil.which("ptxas")
    wheels = ("nvidia/*/bin/ptxas", "triton/backends/nvidia/bin/ptxas*")
    found: dict[str, Tool] = {}
    for path in filter(
        None, [on_path, *(str(p) for w in wheels for p in sorted(packages.glob(w)))]
    ):
        number = re.search(r"V(\d+\.\d+\.\d+)", _version(path))
        if number is not None:
            found.setdefault(number[1], Tool(f"ptxas {number[1]}", path, number[1]))
    oldest_first = sorted(found.values(), key=lambda t: [int(n) for n in t.version.split(".")])
    keep = [tool for tool in oldest_first if tool.path == on_path]
    return tuple(dict.fromkeys([*keep, *oldest_first[-1:]]))
