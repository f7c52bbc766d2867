"""Makes the inputs, or takes them from the cache where sources and tools are the same."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from warpmill.benchmarks.benchmark import say
from warpmill.benchmarks.frontend_inputs.recipes import HERE, Recipe, recipes
from warpmill.benchmarks.frontend_inputs.tools import PACKAGES, tools

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
    """All inputs, made below ``cache``, and the committed samples."""
    made = compiled(cache)
    samples = [Input(path, "samples", "plain") for path in (ROOT / "samples").glob("*/*")
               if path.suffix in {".ptx", ".ll", ".bc"}]  # fmt: skip
    inputs = [*made.inputs, *_as_text(made.inputs, cache), *samples]
    missing = (*made.missing, *(() if "llvm-dis" in tools() else ("llvm-dis",)))
    return Corpus(tuple(sorted(inputs, key=lambda one: one.path)), missing, made.refused)


def compiled(
    cache: Path,
    is_wanted: Callable[[Recipe], bool] = lambda _: True,
    packages: Iterable[str] = PACKAGES,
) -> Corpus:
    """What compilers make; what is there from the same sources and tools stays."""
    cache.mkdir(parents=True, exist_ok=True)
    inputs: list[Input] = []
    refused: list[tuple[str, str]] = []
    todo = list(filter(is_wanted, recipes()))
    with ThreadPoolExecutor(WORKERS) as pool:
        problems = pool.map(lambda recipe: _make(recipe, cache), todo)
        for number, (recipe, problem) in enumerate(zip(todo, problems, strict=True), 1):
            if number % 50 == 0 or number == len(todo):
                say(f"input {number} of {len(todo)}")
            if problem is None:
                inputs.append(Input(cache / recipe.file, recipe.producer, recipe.flavour))
            else:
                refused.append((recipe.file, problem))
    for package in packages:
        if package in tools():
            inputs += _make_in_python(package, cache, refused)
    missing = tuple(name for name in ("nvcc", "clang", *PACKAGES) if name not in tools())
    return Corpus(tuple(inputs), missing, tuple(refused))


def distinct(inputs: Iterable[Input]) -> list[Input]:
    """Take one chip of each kernel file: the texts for the others are nearly the same."""
    chosen = {_CHIP.sub("", i.name) + i.producer: i for i in inputs}
    return list(chosen.values())


def _key(*parts: str | bytes) -> str:
    joined = b"\0".join(part.encode() if isinstance(part, str) else part for part in parts)
    return hashlib.sha256(joined).hexdigest()


def _is_made(key_file: Path, key: str) -> bool:
    return key_file.exists() and key_file.read_text() == key


def _make(recipe: Recipe, cache: Path) -> str | None:
    """Compile one file unless it is there; the compiler's words where it refuses."""
    made, key_file = cache / recipe.file, cache / f"{recipe.file}.key"
    tool = tools()[recipe.tool]
    words = (HERE / "hip" / "words.h").read_bytes()
    command = [word.replace(str(HERE), "") for word in recipe.command]
    key = _key(tool.version, *command, recipe.source.read_bytes(), words)
    if made.exists() and _is_made(key_file, key):
        return None
    with tempfile.TemporaryDirectory() as scratch:
        target = Path(scratch) / recipe.file
        whole = [tool.path, *recipe.command, str(recipe.source), "-o", str(target)]
        done = subprocess.run(whole, cwd=scratch, capture_output=True, text=True, check=False)
        if done.returncode != 0 or not target.exists():
            return f"{done.stdout}{done.stderr}".strip()[:500] or "no output"
        shutil.move(target, made)
    key_file.write_text(key)
    return None


def _make_in_python(package: str, cache: Path, refused: list[tuple[str, str]]) -> list[Input]:
    """Have a package of Python compile its kernels in a process of its own."""
    folder = cache / package
    key_file = folder / "all.key"
    sources = [HERE / f"{package.partition('-')[0]}_kernels.py", HERE / "python_build.py"]
    key = _key(tools()[package].version, *(path.read_bytes() for path in sources))
    if not _is_made(key_file, key):
        say(f"compiling with {package}")
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        module = "warpmill.benchmarks.frontend_inputs.python_build"
        done = subprocess.run(
            [sys.executable, "-m", module, package, str(folder)],
            cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        if done.returncode == 0:
            key_file.write_text(key)
        else:
            refused.append((package, done.stderr.strip()[-1500:]))
    files = [path for path in sorted(folder.iterdir()) if path.suffix in {".ptx", ".ll"}]
    return [Input(path, package, _flavour(package, path.name)) for path in files]


def _flavour(package: str, name: str) -> str:
    if ".debug." in name:
        return "debug"
    return "lines" if ".lineinfo." in name or package == "triton" else "plain"


def _as_text(inputs: Iterable[Input], cache: Path) -> list[Input]:
    """Disassemble the bitcode, so that each module is there in both forms."""
    made = []
    for bitcode in (i for i in inputs if i.path.suffix == ".bc" and "llvm-dis" in tools()):
        text = cache / f"{bitcode.path.stem}.ll"
        if not text.exists() or text.stat().st_mtime_ns < bitcode.path.stat().st_mtime_ns:
            command = [tools()["llvm-dis"].path, str(bitcode.path), "-o", str(text)]
            subprocess.run(command, check=True)
        made.append(Input(text, bitcode.producer, bitcode.flavour))
    return made
