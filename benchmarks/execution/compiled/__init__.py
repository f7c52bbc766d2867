"""What compilers make of real kernels, launched on the executor, against NumPy and SciPy.

nvcc, clang (CUDA, OpenCL for NVIDIA's and AMD's targets, HIP), Triton and numba-cuda build the
kernels of frontend_inputs, as far as they are there. A program is a kernel with a launch whose
meaning is clear (an entry of a table in a module here); each runs with each artefact of its source.
What the executor refuses by name before anything runs (``refused``) does not count.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path

from warpmill.benchmarks.benchmark import say
from warpmill.benchmarks.execution.compiled import (
    cuda_calls,
    cuda_halves,
    cuda_integers,
    cuda_layouts,
    cuda_mathematics,
    cuda_matrices,
    cuda_reductions,
    cuda_simulations,
    cuda_sorting,
    numba_programs,
    opencl_builtins,
    opencl_programs,
    triton_programs,
)
from warpmill.benchmarks.execution.compiled.building import Built, built
from warpmill.benchmarks.execution.compiled.model import Outcome, Program
from warpmill.benchmarks.execution.compiled.running import run
from warpmill.benchmarks.frontend_inputs.build import CACHE

WORKERS = 2
CUDA: tuple[Program, ...] = (
    *cuda_sorting.PROGRAMS,
    *cuda_matrices.PROGRAMS,
    *cuda_reductions.PROGRAMS,
    *cuda_integers.PROGRAMS,
    *cuda_calls.PROGRAMS,
    *cuda_layouts.PROGRAMS,
    *cuda_mathematics.PROGRAMS,
    *cuda_halves.PROGRAMS,
    *cuda_simulations.PROGRAMS,
)
OPENCL: tuple[Program, ...] = (*opencl_programs.PROGRAMS, *opencl_builtins.PROGRAMS)
PROGRAMS: dict[str, tuple[Program, ...]] = {
    "nvcc": CUDA, "clang": CUDA, "clang CUDA": CUDA, "clang HIP": CUDA, "clang OpenCL": OPENCL,
    "numba-cuda": numba_programs.PROGRAMS,
}  # fmt: skip
# No launch has a clear meaning for these kernels of the sources: atomics:scopes (`ld.v4` writes one
# register twice), calls:local_arrays (pushes 0 on its stack for ever), integers:bit_tricks (adds
# the clock), layouts:spaces_of (reads shared memory that nothing has written),
# mma_assembly:other_shapes (places of sparse products are any words of the input),
# textures:textures, surfaces (one object as one of every dimension), OpenCL vectors:widths (writes
# a buffer as f16 and reads it as f32).


def pairs(made: Built) -> Iterator[tuple[str, Program, Path]]:
    """Each program with each artefact of its source, and the compiler."""
    for compiler, files in sorted(made.files.items()):
        programs = PROGRAMS.get(compiler)
        if programs is None:
            programs = triton_programs.programs([f.name for f in files])
        for file in sorted(files):
            source = file.name.partition(".")[2]
            for program in programs:
                fits = source.startswith(f"{program.source}.")
                if fits and not any(word in file.name for word in program.without):
                    yield compiler, program, file


def outcomes(*, quick: bool, cache: Path = CACHE) -> tuple[list[Outcome], Built]:
    """Build everything and run it in a pool.

    Where a process of it dies, what has not run yet is wrong. For a look one artefact a source is
    run, and nothing of Triton.
    """
    say("building what compilers make of the kernels")
    made = built(cache, quick=quick)
    found = []
    todo = list(pairs(made))
    with ProcessPoolExecutor(WORKERS, get_context("spawn"), _begin, (made,)) as pool:
        begun = [pool.submit(_run, number) for number in range(len(todo))]
        for future, (compiler, program, file) in zip(begun, todo, strict=True):
            try:
                found.append(future.result())
            except BrokenProcessPool:
                words = "its process, or the one beside it, died"
                found.append(Outcome(program.name, file.name, compiler, "wrong", words))
            if len(found) % 20 == 0 or len(found) == len(todo):
                say(f"compiled program {len(found)} of {len(todo)}: {program.name}")
    return found, made


_cases: list[tuple[str, Program, Path]] = []
"""Of a process of the pool: all pairs, as programs hold functions, which do not travel."""


def _begin(made: Built) -> None:
    _cases.extend(pairs(made))


def _run(place: int) -> Outcome:
    compiler, program, file = _cases[place]
    return run(program, file, compiler)
