"""The code of measured rows: CUDA's compilers that are at hand, and what they make of programs.

Compilers are nvcc and CUDA's run-time compiler (nvrtc). They and ptxas are looked for on the PATH,
in the folders that the environment variable WARPMILL_CUDA lists (older toolkits, or wheels of them
that were unpacked), and among the packages of this interpreter. What was compiled is kept in the
user's cache folder, by all that it follows from.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from warpmill.analyzer.base.whole_files import user_cache, write_whole
from warpmill.benchmarks.accuracy.model import Code, Program
from warpmill.benchmarks.benchmark import ROOT, say

KERNELS = Path(__file__).resolve().parent / "kernels"
NVRTC_PROGRAM = "warpmill.benchmarks.accuracy.nvrtc_program"
FOLDERS = "WARPMILL_CUDA"
FILES = {
    "nvcc": ("**/bin/nvcc",),
    "nvrtc": ("**/libnvrtc.so.[0-9]*", "**/libnvrtc.so"),
    "ptxas": ("**/bin/ptxas",),
}
"""Where tools are in a folder."""
OPTIONS = {
    "nvcc": ("-ptx", "-O3", "-std=c++14", "-w", "-allow-unsupported-compiler"),
    "nvrtc": ("--std=c++14", "-w"),  # it optimises as nvcc's -O3 does
}
OLDEST = (11, 0)
"""The release from which on compilers are taken."""
WORKERS = 2
TIME_LIMIT_S = 600


class BuildError(Exception):
    """Why a program has no PTX."""


@dataclass(frozen=True)
class Tool:
    """A compiler or ptxas: its kind, release, and the chips that it knows (86 is sm_86)."""

    kind: str
    path: str
    version: str
    chips: frozenset[int]

    @property
    def name(self) -> str:
        """Its kind and release: ``nvcc 12.9``."""
        return f"{self.kind} {self.version}"

    @property
    def release(self) -> tuple[int, ...]:
        """Its release as numbers, the oldest the least: (12, 9)."""
        return tuple(map(int, self.version.split(".")))


def compiler_of(chip: int, there: Iterable[Tool]) -> tuple[Tool, int] | None:
    """Choose the compiler for a chip, and the chip that it compiles for; None where there is none.

    It is the oldest that knows the chip, as what was measured was made by releases of its time;
    else the one that knows the lowest chip, for that.
    """
    fitting = [one for one in there if one.kind != "ptxas" and one.release >= OLDEST]
    fitting.sort(key=lambda one: (one.release, one.kind))
    for one in fitting:
        if chip in one.chips:
            return one, chip
    if not fitting:
        return None
    lowest = min(fitting, key=lambda one: min(one.chips))
    return lowest, min(lowest.chips)


def assembler_of(
    target: int, chip: int, version: str, there: Iterable[Tool]
) -> tuple[Tool, int] | None:
    """Choose the ptxas for PTX of a target and a GPU's chip, and the chip it assembles for.

    That is the GPU's where one knows it, else the nearest from the target on; of several the one
    of the release that made the PTX, else the newest. None where there is none.
    """
    newest = sorted((o for o in there if o.kind == "ptxas"), key=lambda o: o.release, reverse=True)
    found = [(one, known) for one in newest for known in sorted(one.chips) if known >= target]
    return min(found, key=lambda f: (abs(f[1] - chip), f[0].version != version), default=None)


@cache
def tools() -> tuple[Tool, ...]:
    """Find all that are there, each release of a kind once; those on the PATH come first."""
    found: dict[tuple[str, str], Tool] = {}
    for kind in FILES:
        for path in _paths(kind):
            one = _tool(kind, path)
            if one is not None:
                found.setdefault((kind, one.version), one)
    return tuple(found.values())


def _paths(kind: str) -> Iterator[str]:
    on_path = shutil.which(kind)
    if on_path is not None:
        yield on_path
    listed = [Path(name) for name in os.environ.get(FOLDERS, "").split(os.pathsep) if name]
    for folder in (*listed, Path(sysconfig.get_paths()["purelib"]) / "nvidia"):
        for pattern in FILES[kind]:
            yield from sorted(map(str, folder.glob(pattern)))


def _tool(kind: str, path: str) -> Tool | None:
    """Ask what a program or a library is; None where it cannot be run."""
    try:
        if kind == "nvrtc":
            told = json.loads(_run([sys.executable, "-m", NVRTC_PROGRAM, path], path))
            return Tool(kind, path, told["version"], frozenset(told["chips"]))
        version = re.search(r"release (\d+\.\d+)", _run([path, "--version"], path))
        listed = _run([path, "--list-gpu-arch" if kind == "nvcc" else "--help"], path)
    except BuildError:
        return None
    prefix = "compute" if kind == "nvcc" else "sm"
    chips = frozenset(map(int, re.findall(rf"{prefix}_(\d+)\b", listed)))
    return Tool(kind, path, version[1], chips) if version and chips else None


# Programs.


def build_all(programs: Iterable[Program]) -> dict[Program, Code | BuildError]:
    """Compile programs, each once, on two workers; an error stands for one that has no PTX."""
    todo = list(dict.fromkeys(programs))
    with ThreadPoolExecutor(WORKERS) as pool:
        made = dict(zip(todo, pool.map(_built, todo), strict=True))
    say(f"{len(made)} programs are compiled")
    return made


def _built(program: Program) -> Code | BuildError:
    try:
        return build(program)
    except BuildError as error:
        return error


def build(program: Program, there: Sequence[Tool] | None = None) -> Code:
    """Compile a program, unless it is kept, and ask ptxas for registers. BuildError."""
    there = tools() if there is None else there
    found = compiler_of(program.ptx_chip, there)
    if found is None:
        raise BuildError(f"there is no compiler of CUDA: {FOLDERS} lists folders of toolkits")
    compiler, target = found
    ptx = _compiled(program, compiler, target)
    counts, source = _registers(ptx, program.chip, compiler, target, there)
    return Code(ptx, f"{compiler.name} sm_{target}", counts, source)


def options(program: Program, kind: str, chip: int) -> tuple[str, ...]:
    """What a compiler of a kind is told."""
    macros = [f"-D{name}={value}" for name, value in program.macros]
    return (*OPTIONS[kind], f"--gpu-architecture=compute_{chip}", *program.flags, *macros)


def _compiled(program: Program, compiler: Tool, chip: int) -> Path:
    """Compile a program unless its PTX is kept: by source, options and compiler."""
    source, told = KERNELS / program.source, options(program, compiler.kind, chip)
    key = _hash(source.read_bytes(), repr((compiler.name, told)).encode())
    kept = user_cache() / "accuracy" / f"{source.stem}.sm_{chip}.{key}.ptx"
    if kept.exists():
        return kept
    with tempfile.TemporaryDirectory(prefix="warpmill-") as folder:
        made = Path(folder) / "made.ptx"
        command = [compiler.path, *told, str(source), "-o", str(made)]
        if compiler.kind == "nvrtc":
            start = [sys.executable, "-m", NVRTC_PROGRAM, compiler.path]
            command = [*start, str(source), str(made), *told]
        _run(command, source.name)
        _keep(kept, made.read_bytes())
    return kept


def _registers(
    ptx: Path, chip: int, compiler: Tool, target: int, there: Sequence[Tool]
) -> tuple[dict[str, int], str]:
    """Ask ptxas for the registers of all kernels, unless it was asked; the words name it.

    Empty where there is no ptxas, or it does not take the PTX.
    """
    found = assembler_of(target, chip, compiler.version, there)
    if found is None:
        return {}, ""
    ptxas, known = found
    kept = ptx.with_suffix(f".{_hash(ptxas.name.encode(), str(known).encode())}.json")
    if not kept.exists():
        with tempfile.TemporaryDirectory(prefix="warpmill-") as folder:
            made = f"{folder}/made.cubin"
            try:
                said = _run([ptxas.path, "-v", f"-arch=sm_{known}", str(ptx), "-o", made], ptx.name)
            except BuildError:
                said = ""  # nothing is known then, which is kept as well
        _keep(kept, json.dumps(registers_said(said)).encode())
    counts = json.loads(kept.read_text("utf-8"))
    note = "" if known == chip else f" (for sm_{chip})"
    return counts, f"{ptxas.name} sm_{known}{note}" if counts else ""


def registers_said(words: str) -> dict[str, int]:
    """Read the registers of each kernel from what ``ptxas -v`` says."""
    parts = re.split(r"Compiling entry function '([^']+)'", words)[1:]
    used = {name: re.search(r"Used (\d+) registers", said)
            for name, said in zip(parts[::2], parts[1::2], strict=True)}  # fmt: skip
    return {name: int(count[1]) for name, count in used.items() if count}


def _run(words: Sequence[str], what: str) -> str:
    """Run a program and give what it prints. BuildError where it fails."""
    try:
        done = subprocess.run(
            words, capture_output=True, text=True, check=False, cwd=ROOT, timeout=TIME_LIMIT_S
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BuildError(f"{what}: {error}") from None
    if done.returncode != 0:
        raise BuildError(f"{what}: {(done.stderr + done.stdout).strip()[:500]}")
    return done.stdout + done.stderr


def _hash(*parts: bytes) -> str:
    return sha256(b"\0".join(parts)).hexdigest()[:16]


def _keep(path: Path, contents: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, contents)
