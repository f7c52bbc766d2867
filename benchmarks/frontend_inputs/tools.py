"""The compilers and assemblers that the inputs need, where they are there."""

from __future__ import annotations

import importlib.metadata
import re
import shutil
import subprocess
import sysconfig
from dataclasses import dataclass
from functools import cache
from pathlib import Path

CLANG = ("clang-22", "clang")
LLVM_BIN = ("llvm-dis-22", "llvm-dis")


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


def _program(name: str, *called: str) -> Tool | None:
    path = next((p for word in called if (p := shutil.which(word))), None)
    return None if path is None else Tool(name, path, _version(path))


def _package(name: str) -> Tool | None:
    try:
        return Tool(name, name, importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        return None


@cache
def tools() -> dict[str, Tool]:
    """Find what makes inputs, by the name of the group that needs it."""
    found = (
        _program("nvcc", "nvcc"),
        _program("clang", *CLANG),
        _program("llvm-dis", *LLVM_BIN),
        _package("triton"),
        _package("numba-cuda"),
    )
    return {tool.name: tool for tool in found if tool is not None}


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
    packages = Path(sysconfig.get_paths()["purelib"])
    wheels = sorted(packages.glob("nvidia/*/bin/ptxas")) + sorted(
        packages.glob("triton/backends/nvidia/bin/ptxas*")
    )
    on_path = shutil.which("ptxas")
    paths = [*([on_path] if on_path else []), *map(str, wheels)]
    found: dict[str, Tool] = {}
    for path in paths:
        version = _version(path)
        number = re.search(r"V(\d+\.\d+\.\d+)", version)
        if number is not None:
            found.setdefault(number[1], Tool(f"ptxas {number[1]}", path, number[1]))
    oldest_first = sorted(found.values(), key=lambda t: [int(n) for n in t.version.split(".")])
    keep = [t for t in oldest_first if t.path == on_path]
    return tuple(dict.fromkeys([*keep, *oldest_first[-1:]]))
