"""What compilers make of real kernels, launched on the executor, against NumPy and SciPy.

nvcc, clang (CUDA, OpenCL for NVIDIA's and AMD's targets, HIP), Triton and numba-cuda build the
kernels of frontend_inputs, as far as they are there. A program is a kernel with a launch whose
meaning is clear (a row of a table in a module here); each runs with each artefact of its source.
What the executor refuses by name before anything runs (``refused``) does not count.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from functools import cache
from multiprocessing import get_context
from pathlib import Path

from warpmill.benchmarks.benchmark import say
from warpmill.benchmarks.execution.compiled import (
    arithmetic,
    cooperation,
    fields,
    products,
    structures,
    triton,
)
from warpmill.benchmarks.execution.compiled.model import Outcome, Program
from warpmill.benchmarks.execution.compiled.running import run
from warpmill.benchmarks.frontend_inputs.build import CACHE, Corpus, compiled
from warpmill.benchmarks.frontend_inputs.recipes import Recipe

WORKERS = 2
PROGRAMS: tuple[Program, ...] = (
    *products.PROGRAMS, *cooperation.PROGRAMS, *fields.PROGRAMS, *arithmetic.PROGRAMS,
    *structures.PROGRAMS,
)  # fmt: skip
LANGUAGES = {
    "nvcc": "cuda", "clang": "cuda", "clang CUDA": "cuda", "clang HIP": "cuda",
    "clang OpenCL": "opencl", "numba-cuda": "numba", "triton": "triton",
}  # fmt: skip
# No launch has a clear meaning for these kernels of the sources: atomics:scopes (`ld.v4` writes one
# register twice), calls:local_arrays (pushes 0 on its stack for ever), integers:bit_tricks (adds
# the clock), layouts:spaces_of (reads shared memory that nothing has written),
# mma_assembly:other_shapes (places of sparse products are any words of the input),
# textures:textures, surfaces (one object as one of every dimension), OpenCL vectors:widths (writes
# a buffer as f16 and reads it as f32).

WANTED_CHIPS = ("70", "75", "80", "90")
"""Chips whose PTX of nvcc and clang is launched, of those that the recipes name."""
QUICK = ("nvcc.{}.sm_80.ptx", "clang-opencl.{}.nvptx64.O2.bc")


def built(*, quick: bool, folder: Path = CACHE) -> Corpus:
    """The artefacts that are launched; for a look one a source, and nothing of Triton."""

    def is_wanted(recipe: Recipe) -> bool:
        if quick:
            return recipe.file in {pattern.format(recipe.source.stem) for pattern in QUICK}
        if recipe.source.suffix == ".cl" and recipe.file.endswith(".ptx"):
            return False  # the built-in functions are calls of what is not in the file
        chip = recipe.file.rpartition(".sm_")[2].removesuffix(".ptx")
        return recipe.file.endswith(".bc") or chip in WANTED_CHIPS

    if not quick:
        return compiled(folder, is_wanted)
    made = compiled(folder, is_wanted, ["numba-cuda"])
    some = tuple(one for one in made.inputs if one.name.endswith((".sm_80.ptx", ".bc")))
    return replace(made, inputs=some)


def pairs(made: Corpus) -> Iterator[tuple[str, Program, Path]]:
    """Each program with each artefact of its source, and the compiler."""
    of_triton = triton.programs([one.name for one in made.inputs if one.producer == "triton"])
    for one in sorted(made.inputs, key=lambda one: (one.producer, one.path)):
        source = one.name.partition(".")[2]
        for program in (*PROGRAMS, *of_triton):
            fits = source.startswith(f"{program.name.partition(':')[0]}.")
            is_left_out = any(word in one.name for word in program.without)
            if program.language == LANGUAGES[one.producer] and fits and not is_left_out:
                yield one.producer, program, one.path


def outcomes(*, quick: bool, folder: Path = CACHE) -> tuple[list[Outcome], Corpus]:
    """Build everything and run it in a pool. Where a process of it dies, what is left is wrong."""
    say("building what compilers make of the kernels")
    made = built(quick=quick, folder=folder)
    found = []
    todo = cases(made)
    with ProcessPoolExecutor(WORKERS, get_context("spawn")) as pool:
        begun = [pool.submit(_run, made, number) for number in range(len(todo))]
        for future, (compiler, program, file) in zip(begun, todo, strict=True):
            try:
                found.append(future.result())
            except BrokenProcessPool:
                words = "its process, or the one beside it, died"
                found.append(Outcome(program.name, file.name, compiler, "wrong", words))
            if len(found) % 20 == 0 or len(found) == len(todo):
                say(f"compiled program {len(found)} of {len(todo)}: {program.name}")
    return found, made


cases = cache(lambda made: list(pairs(made)))
"""All pairs in a process of the pool, as programs hold functions, which do not travel."""


def _run(made: Corpus, number: int) -> Outcome:
    compiler, program, file = cases(made)[number]
    return run(program, file, compiler)
