"""The code of measured rows: programs compiled to PTX, and the registers that ptxas gives.

All is kept in the user's cache folder, by its contents: WARPMILL_CACHE, else the folder
``warpmill`` of XDG_CACHE_HOME, else of ~/.cache.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from warpmill.benchmarks.accuracy.compilers import (
    HERE,
    PROGRAM,
    ROOT,
    Compiler,
    assembler,
    chosen,
    compilers,
    recipes,
)
from warpmill.benchmarks.accuracy.model import Case, Compiled, Program

KERNELS = HERE / "kernels"
ABSENT = ROOT / "benchmarks" / "frontend_inputs" / "absent"
"""Stands for headers that some toolkits lack."""

WORKERS = 2
TIME_LIMIT_S = 600
_ENTRY = re.compile(r"Compiling entry function '(?P<name>[^']+)'")
_USED = re.compile(r"Used (?P<count>\d+) registers")

Tell = Callable[[str], None]


class BuildError(Exception):
    """Why a program has no PTX."""


@dataclass(frozen=True)
class Built:
    """A program's PTX, what made it, and registers by kernel with who gave them: empty: nobody."""

    ptx: Path
    compiler: str
    registers: Mapping[str, int]
    registers_source: str


def cache_folder() -> Path:
    """The folder of the user where what is compiled is kept."""
    own = os.environ.get("WARPMILL_CACHE")
    if own:
        return Path(own) / "accuracy"
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "warpmill" / "accuracy"


def build_all(
    programs: Iterable[Program], say: Tell | None = None
) -> dict[Program, Built | BuildError]:
    """Compile programs, each once, on two workers; an error stands for one that has no PTX."""
    todo = list(dict.fromkeys(programs))
    made: dict[Program, Built | BuildError] = {}
    with ThreadPoolExecutor(WORKERS) as pool:
        for number, (program, built) in enumerate(zip(todo, pool.map(_built, todo), strict=True)):
            made[program] = built
            if say is not None and (number % 100 == 99 or number + 1 == len(todo)):
                say(f"compiled {number + 1} of {len(todo)} programs")
    return made


def _built(program: Program) -> Built | BuildError:
    try:
        return build(program)
    except BuildError as error:
        return error


def build(program: Program, there: Sequence[Compiler] | None = None) -> Built:
    """Compile a program, unless it is kept, and ask ptxas for registers. BuildError."""
    there = compilers() if there is None else there
    found = chosen(program.ptx_chip, there)
    if found is None:
        raise BuildError("there is no compiler of CUDA: WARPMILL_CUDA lists folders of toolkits")
    compiler, chip = found
    ptx = _compiled(program, compiler, chip)
    counts, source = _registers(ptx, program, compiler, chip, there)
    return Built(ptx, f"{compiler.name} sm_{chip}", counts, source)


def compiled(case: Case, built: Built) -> Compiled:
    """The code of a case: with the registers that its table states, else those of ptxas."""
    if case.registers is not None:
        return Compiled(built.ptx, built.compiler, case.registers, "table")
    count = built.registers.get(case.entry)
    source = built.registers_source if count is not None else ""
    return Compiled(built.ptx, built.compiler, count, source)


def command(
    program: Program, compiler: Compiler, chip: int, source: Path, ptx: Path
) -> tuple[str, ...]:
    """The command line that compiles a program, as ``compilers.toml`` says."""
    recipe = recipes()[compiler.kind]
    places = {"chip": chip, "source": source, "ptx": ptx, "toolkit": compiler.toolkit}
    words = [word.format_map({**places, "absent": ABSENT}) for word in recipe["words"]]
    told = recipe.get("told", {})
    flags = [word for flag in program.flags for word in told.get(flag, [flag])]
    macros = [f"-D{name}={value}" for name, value in program.macros]
    start = [compiler.path]
    if compiler.kind == "nvrtc":
        start = [sys.executable, "-m", PROGRAM, compiler.path]
    return (*start, *words, *flags, *macros)


def _compiled(program: Program, compiler: Compiler, chip: int) -> Path:
    """Compile a program unless its PTX is kept: by source, macros, flags, and compiler."""
    source = KERNELS / program.source
    recipe = json.dumps(recipes()[compiler.kind], sort_keys=True)
    facts = (compiler.name, recipe, str(chip), str(program.macros), str(program.flags))
    key = _hash(source.read_bytes(), *facts)
    kept = cache_folder() / f"{source.stem}.sm_{chip}.{key}.ptx"
    if kept.exists():
        return kept
    with tempfile.TemporaryDirectory(prefix="warpmill-") as folder:
        made = Path(folder) / "made.ptx"
        _run(command(program, compiler, chip, source, made), source.name)
        _keep(kept, made.read_bytes())
    return kept


def _registers(
    ptx: Path, program: Program, compiler: Compiler, target: int, there: Sequence[Compiler]
) -> tuple[dict[str, int], str]:
    """Ask ptxas for the registers of all kernels, unless it was asked; the words name it.

    Empty where there is no ptxas, or it does not take the PTX.
    """
    found = assembler(target, program.chip, compiler.version, there)
    if found is None:
        return {}, ""
    one, chip = found
    note = "" if chip == program.chip else f" (for sm_{program.chip})"
    kept = ptx.with_suffix(f".{_hash(one.name, str(chip))}.json")
    if not kept.exists():
        with tempfile.TemporaryDirectory(prefix="warpmill-") as folder:
            words = (one.path, "-v", f"-arch=sm_{chip}", str(ptx), "-o", f"{folder}/made.cubin")
            try:
                said = _run(words, ptx.name)
            except BuildError:
                said = ""  # nothing is known then, which is kept as well
        _keep(kept, json.dumps(registers_said(said)).encode())
    counts = json.loads(kept.read_text("utf-8"))
    return counts, f"{one.name} sm_{chip}{note}" if counts else ""


def registers_said(words: str) -> dict[str, int]:
    """Read the registers of each kernel from what ``ptxas -v`` says."""
    found: dict[str, int] = {}
    name = None
    for line in words.splitlines():
        if entry := _ENTRY.search(line):
            name = entry["name"]
        elif (used := _USED.search(line)) and name is not None:
            found[name], name = int(used["count"]), None
    return found


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


def _hash(*parts: bytes | str) -> str:
    joined = b"\0".join(p.encode() if isinstance(p, str) else p for p in parts)
    return hashlib.sha256(joined).hexdigest()[:16]


def _keep(path: Path, contents: bytes) -> None:
    """Write a file whole or not at all; others may be writing the same."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as written:
        written.write(contents)
    Path(written.name).replace(path)
