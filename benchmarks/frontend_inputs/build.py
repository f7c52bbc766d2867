"""Makes the inputs, or takes them from the cache where sources and tools are the same."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from warpmill.benchmarks.frontend_inputs.recipes import HERE, Recipe, recipes
from warpmill.benchmarks.frontend_inputs.tools import tools

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / "benchmarks" / ".cache"
"""Where inputs are kept, and what assemblers said of them."""
WORKERS = 2
_CHIP = re.compile(r"\.sm_\d+")


@dataclass(frozen=True)
class Input:
    """A file to measure, with who made it (``producer``) and how (``flavour``)."""

    path: Path
    producer: str
    flavour: str

    @property
    def name(self) -> str:
        """The file's name, which tells its origin."""
        return self.path.name

    @property
    def is_ptx(self) -> bool:
        """Whether it is PTX; otherwise it is LLVM IR, as text or as bitcode."""
        return self.path.suffix == ".ptx"


@dataclass(frozen=True)
class Corpus:
    """The inputs, the groups that no tool is there for, and what compilers refused."""

    inputs: tuple[Input, ...]
    missing: tuple[str, ...]
    refused: tuple[tuple[str, str], ...]


def make(cache: Path) -> Corpus:
    """Make all inputs below ``cache``; what is there from the same sources and tools stays."""
    cache.mkdir(parents=True, exist_ok=True)
    inputs: list[Input] = []
    refused: list[tuple[str, str]] = []
    todo = recipes()
    with ThreadPoolExecutor(WORKERS) as pool:
        for number, (recipe, problem) in enumerate(pool.map(lambda r: _make(r, cache), todo)):
            _tell(number + 1, len(todo))
            if problem is None:
                inputs.append(Input(cache / recipe.file, recipe.producer, recipe.flavour))
            else:
                refused.append((recipe.file, problem))
    for tool, module in (("triton", "triton_build"), ("numba-cuda", "numba_build")):
        if tool in tools():
            found, problems = _make_in_python(tool, module, cache)
            inputs += found
            refused += problems
    inputs += _as_text(inputs, cache)
    inputs += _samples()
    wanted = ("nvcc", "clang", "llvm-dis", "triton", "numba-cuda")
    missing = tuple(name for name in wanted if name not in tools())
    return Corpus(tuple(sorted(inputs, key=lambda i: i.path)), missing, tuple(refused))


def distinct(inputs: Iterable[Input]) -> list[Input]:
    """Take one chip of each kernel file: the texts for the others are nearly the same."""
    chosen = {_CHIP.sub("", i.name) + i.producer: i for i in inputs}
    return list(chosen.values())


def _tell(done: int, whole: int) -> None:
    """Show the progress now and then."""
    if done % 50 == 0 or done == whole:
        print(f"input {done} of {whole}", file=sys.stderr)


def _key(*parts: str | bytes) -> str:
    joined = b"\0".join(p.encode() if isinstance(p, str) else p for p in parts)
    return hashlib.sha256(joined).hexdigest()


def _make(recipe: Recipe, cache: Path) -> tuple[Recipe, str | None]:
    """Compile one file unless it is there; the compiler's words where it refuses."""
    made, key_file = cache / recipe.file, cache / f"{recipe.file}.key"
    version = tools()[recipe.tool].version
    words = (HERE / "hip" / "words.h").read_bytes()
    command = [word.replace(str(HERE), "") for word in recipe.command]
    key = _key(version, *command, recipe.source.read_bytes(), words)
    if made.exists() and key_file.exists() and key_file.read_text() == key:
        return recipe, None
    with tempfile.TemporaryDirectory() as scratch:
        target = Path(scratch) / recipe.file
        command = [*recipe.command, str(target)]
        done = subprocess.run(command, cwd=scratch, capture_output=True, text=True, check=False)
        if done.returncode != 0 or not target.exists():
            return recipe, f"{done.stdout}{done.stderr}".strip()[:500] or "no output"
        shutil.move(target, made)
    key_file.write_text(key)
    return recipe, None


def _make_in_python(
    tool: str, module: str, cache: Path
) -> tuple[list[Input], list[tuple[str, str]]]:
    """Have a package of Python compile its kernels in a process of its own."""
    folder = cache / tool
    key_file = folder / "all.key"
    sources = [p.read_bytes() for p in sorted(HERE.glob(f"{tool.partition('-')[0]}_*.py"))]
    key = _key(tools()[tool].version, *sources)
    problems: list[tuple[str, str]] = []
    if not key_file.exists() or key_file.read_text() != key:
        print(f"compiling with {tool}", file=sys.stderr)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        command = [
            sys.executable,
            "-m",
            f"warpmill.benchmarks.frontend_inputs.{module}",
            str(folder),
        ]
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            problems.append((tool, done.stderr.strip()[-1500:]))
        else:
            key_file.write_text(key)
    files = [p for p in sorted(folder.iterdir()) if p.suffix in (".ptx", ".ll")]
    return [Input(p, tool, _flavour(tool, p.name)) for p in files], problems


def _flavour(tool: str, name: str) -> str:
    if ".debug." in name:
        return "debug"
    return "lines" if ".lineinfo." in name or tool == "triton" else "plain"


def _as_text(inputs: list[Input], cache: Path) -> list[Input]:
    """Disassemble the bitcode, so that each module is there in both forms."""
    if "llvm-dis" not in tools():
        return []
    made = []
    for bitcode in (i for i in inputs if i.path.suffix == ".bc"):
        text = cache / f"{bitcode.path.stem}.ll"
        if not text.exists() or text.stat().st_mtime_ns < bitcode.path.stat().st_mtime_ns:
            command = [tools()["llvm-dis"].path, str(bitcode.path), "-o", str(text)]
            subprocess.run(command, check=True)
        made.append(Input(text, bitcode.producer, bitcode.flavour))
    return made


def _samples() -> list[Input]:
    """List the committed samples."""
    files = sorted(p for p in (ROOT / "samples").glob("*/*") if p.suffix in (".ptx", ".ll", ".bc"))
    return [Input(p, "samples", "plain") for p in files]
