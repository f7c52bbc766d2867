"""Finding NVIDIA's cuda_occupancy.h, building ask_header.c against it, and asking."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from tests.reference.occupancy.capabilities import capabilities
from tests.reference.occupancy.table import INVALID_INPUT, LIMITING, Answer, Configuration

HEADER = "cuda_occupancy.h"
_PROGRAM = Path(__file__).with_name("ask_header.c")
_INVALID_INPUT, _UNKNOWN_DEVICE = 1, 2
_COMPILERS = ("cc", "gcc", "clang", "clang-22")


def find_folder() -> Path | None:
    """The folder of the header: of CUDA_HOME, of nvcc's toolkit, of an installed wheel."""
    return next((folder for folder in _folders() if (folder / HEADER).is_file()), None)


def _folders() -> Iterator[Path]:
    for variable in ("CUDA_HOME", "CUDA_PATH"):
        if os.environ.get(variable):
            yield Path(os.environ[variable]) / "include"
    if nvcc := shutil.which("nvcc"):
        yield Path(nvcc).resolve().parents[1] / "include"
    for place in map(Path, sys.path):  # nvidia-cuda-runtime: nvidia/cu13/include, and the like
        yield from sorted(place.glob("nvidia/*/include"), reverse=True)
    yield Path("/usr/local/cuda/include")


def find_compiler() -> str | None:
    """A C compiler's path, None where there is none."""
    return next(filter(None, map(shutil.which, _COMPILERS)), None)


def build(folder: Path, compiler: str, program: Path) -> None:
    """Build the program that asks the header of a folder. CalledProcessError where it does not."""
    options = ("-std=c11", "-O1", "-w")  # functions of the header that nothing calls
    command = (compiler, *options, f"-I{folder}", str(_PROGRAM), "-o", str(program))
    subprocess.run(command, check=True)


def ask(program: Path, asked: Sequence[Configuration]) -> tuple[Answer | None, ...]:
    """The header's answers in the order of the questions; None where it knows no such device.

    ValueError where an answer is none that the table could hold.
    """
    done = subprocess.run(
        program, input="".join(_questions(asked)), capture_output=True, text=True, check=True
    )
    answers = tuple(map(_answer, done.stdout.splitlines()))
    if len(answers) != len(asked):
        raise ValueError(f"{len(asked)} questions, {len(answers)} answers")
    return answers


def _questions(asked: Iterable[Configuration]) -> Iterator[str]:
    known = capabilities()
    for each in asked:
        launch = (each.threads, each.registers, each.static_bytes, each.dynamic_bytes, each.opts_in)
        yield " ".join(map(str, (*known[each.capability].device, *launch))) + "\n"


def _answer(line: str) -> Answer | None:
    error, blocks, mask, *limits, allocated = map(int, line.split())
    if error == _UNKNOWN_DEVICE:
        return None
    if error == _INVALID_INPUT:
        return INVALID_INPUT
    if error or mask & ~sum(LIMITING.values()):
        raise ValueError(f"the header answers with error {error} and limiting factors {mask:#x}")
    limiting = "+".join(name for name, bit in LIMITING.items() if mask & bit)
    warps, registers, shared, slots = map(_finite, limits)
    return Answer(blocks, limiting, warps, registers, shared, slots, allocated)


def _finite(limit: int) -> int | None:
    return None if limit < 0 else limit
