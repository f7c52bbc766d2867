"""The compilers of CUDA that are at hand, and which of them compiles for a chip.

They are looked for on the PATH, in CUDA_HOME and CUDA_PATH, in the folders that the environment
variable WARPMILL_CUDA lists (older toolkits, or wheels of them that were unpacked), and among the
packages of this interpreter.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PROGRAM = "warpmill.benchmarks.accuracy.nvrtc_program"
FOLDERS = "WARPMILL_CUDA"
_PATTERNS = {
    "nvcc": ("**/bin/nvcc",),
    "nvrtc": ("**/libnvrtc.so.[0-9]*", "**/libnvrtc.so"),
    "ptxas": ("**/bin/ptxas",),
}


@dataclass(frozen=True)
class Compiler:
    """A compiler or an assembler: its kind, release, and the chips that it knows (86 is sm_86).

    No chips: all that are asked for. ``toolkit`` is the folder with CUDA's headers, of clang alone.
    """

    kind: str
    path: str
    version: str
    chips: frozenset[int] = frozenset()
    toolkit: str = ""

    @property
    def name(self) -> str:
        """Its kind and release: ``nvcc 12.9``."""
        return f"{self.kind} {self.version}"

    @property
    def age(self) -> tuple[int, ...]:
        """Its release as numbers: the lower, the older."""
        return release(self.version)

    def knows(self, chip: int) -> bool:
        """Whether it compiles for a chip."""
        return not self.chips or chip in self.chips


def release(version: str) -> tuple[int, ...]:
    """A release as numbers: 12.9 is (12, 9)."""
    return tuple(int(part) for part in re.findall(r"\d+", version))


@cache
def recipes() -> dict[str, Any]:
    """``compilers.toml``."""
    return tomllib.loads((HERE / "compilers.toml").read_text("utf-8"))


def chosen(chip: int, there: Iterable[Compiler]) -> tuple[Compiler, int] | None:
    """Choose the compiler for a chip, and what it compiles for; None where there is none.

    ``compilers.toml`` says in which order.
    """
    oldest = release(recipes()["oldest"])
    compilers = [c for c in there if c.kind != "ptxas"]
    of_cuda = sorted(
        (c for c in compilers if c.kind != "clang" and c.age >= oldest),
        key=lambda c: (c.age, c.kind),
    )
    for one in (*of_cuda, *(c for c in compilers if c.kind == "clang")):
        if one.knows(chip):
            return one, chip
    known = [(min(one.chips), one.age, one.kind, one) for one in of_cuda if one.chips]
    if not known:
        return None
    lowest, _, _, one = min(known, key=lambda each: each[:3])
    return one, lowest


def assembler(
    target: int, chip: int, release_wanted: str, there: Iterable[Compiler]
) -> tuple[Compiler, int] | None:
    """Choose the ptxas for PTX of a target and a GPU's chip, and the chip it assembles for.

    That is the GPU's where one knows it, else the nearest from the target on; of several the one
    of the release that made the PTX, else the newest. None where there is none.
    """
    found = [
        (abs(known - chip), one.version != release_wanted, tuple(-n for n in one.age), known, one)
        for one in there
        if one.kind == "ptxas"
        for known in one.chips
        if known >= target
    ]
    if not found:
        return None
    *_, known, one = min(found, key=lambda each: each[:4])
    return one, known


@cache
def compilers() -> tuple[Compiler, ...]:
    """Find all that are there, each release of a kind once; those on the PATH come first."""
    found: dict[tuple[str, str], Compiler] = {}
    for kind in _PATTERNS:
        for path in _paths(kind):
            one = _compiler(kind, path)
            if one is not None:
                found.setdefault((kind, one.version), one)
    toolkit = _toolkit(one for one in found.values() if one.kind == "nvcc")
    clang = shutil.which("clang-22") or shutil.which("clang")
    if clang is not None and toolkit:
        version = re.search(r"version (\d+\.\d+)", _said([clang, "--version"]))
        found["clang", ""] = Compiler(
            "clang", clang, version[1] if version else "0", frozenset(), toolkit
        )
    return tuple(found.values())


def _paths(kind: str) -> Iterator[str]:
    on_path = shutil.which(kind)
    if on_path is not None:
        yield on_path
    for folder in _folders():
        for pattern in _PATTERNS[kind]:
            yield from sorted(str(path) for path in folder.glob(pattern))


def _folders() -> Iterator[Path]:
    named = [os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH")]
    listed = os.environ.get(FOLDERS, "").split(os.pathsep)
    packages = Path(sysconfig.get_paths()["purelib"]) / "nvidia"
    folders = [*(Path(name) for name in (*named, *listed) if name), packages]
    yield from (folder for folder in folders if folder.is_dir())


def _compiler(kind: str, path: str) -> Compiler | None:
    """Ask what a program or a library is; None where it cannot be run."""
    if kind == "nvrtc":
        told = _said([sys.executable, "-m", PROGRAM, path])
        facts = json.loads(told) if told.startswith("{") else None
        return facts and Compiler(kind, path, facts["version"], frozenset(facts["chips"]))
    version = re.search(r"release (\d+\.\d+)", _said([path, "--version"]))
    words = ["--list-gpu-arch"] if kind == "nvcc" else ["--help"]
    pattern = r"compute_(\d+)\b" if kind == "nvcc" else r"sm_(\d+)\b"
    chips = frozenset(int(chip) for chip in re.findall(pattern, _said([path, *words])))
    return Compiler(kind, path, version[1], chips) if version and chips else None


def _said(command: list[str]) -> str:
    """What a program prints; nothing where it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    except OSError:
        return ""
    return done.stdout if done.returncode == 0 else ""


def _toolkit(of_cuda: Iterable[Compiler]) -> str:
    """The first toolkit that has the headers which clang needs; nothing where none has."""
    for one in of_cuda:
        command = [one.path, "-dryrun", "-x", "cu", "-c", os.devnull]
        told = subprocess.run(command, capture_output=True, text=True, check=False).stderr
        top = re.search(r"^#\$ TOP=(.*)$", told, re.MULTILINE)
        folder = Path(top[1].strip()).resolve() if top else None
        if folder is not None and (folder / "include" / "cuda_runtime.h").exists():
            return str(folder)
    return ""
