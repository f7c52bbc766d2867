"""What compilers make of real kernels, launched on the executor, against NumPy and SciPy.

    python -m benchmarks.execution_parts.compilers              a table
    python -m benchmarks.execution_parts.compilers --json       one JSON object
    python -m benchmarks.execution_parts.compilers --quick      one artefact a source, no Triton
    python -m benchmarks.execution_parts.compilers --keep DIR   artefacts are kept below DIR
    python -m benchmarks.execution_parts.compilers --only WORD  programs or artefacts with a word

nvcc, clang (CUDA, OpenCL for NVIDIA's and AMD's targets, HIP), Triton and numba-cuda build the
kernels of frontend_inputs, as far as they are there. A program is a kernel with a launch whose
meaning is clear (an entry of a table in compiled_programs); each is run with each artefact of its
source. What the executor refuses by name before anything runs (`refused`) does not count.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path

from benchmarks.execution_parts.compiled_programs import (
    building,
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
from benchmarks.execution_parts.compiled_programs.model import Outcome
from benchmarks.execution_parts.compiled_programs.running import run

WORKERS = 2
CUDA = (
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
OPENCL = (*opencl_programs.PROGRAMS, *opencl_builtins.PROGRAMS)
PROGRAMS = {
    "nvcc": CUDA, "clang": CUDA, "clang CUDA": CUDA, "clang HIP": CUDA, "clang OpenCL": OPENCL,
    "numba-cuda": numba_programs.PROGRAMS,
}  # fmt: skip

NOT_RUN = {
    "atomics:scopes, out[0]": "`ld.v4` writes one register twice",
    "calls:local_arrays": "thread 0 pushes 0 on its stack for ever",
    "integers:bit_tricks": "adds the clock to its results",
    "layouts:spaces_of": "reads shared memory that nothing has written",
    "mma_assembly:other_shapes": "sparse products whose places are any words of the input",
    "textures:textures, surfaces": "use one object as one of every dimension",
    "OpenCL vectors:widths": "writes a buffer as f16 and reads it as f32",
}
"""Kernels of the sources that no launch has a clear meaning for."""


def pairs(built):
    """Each program with each artefact of its source, and the compiler."""
    for compiler, files in sorted(built.files.items()):
        programs = PROGRAMS.get(compiler)
        if programs is None:
            programs = triton_programs.programs([f.name for f in files])
        for file in sorted(files):
            source = file.name.partition(".")[2]
            for program in programs:
                fits = source.startswith(f"{program.source}.")
                if fits and not any(word in file.name for word in program.without):
                    yield compiler, program, file


def compilers_checked(progress, keep=None, quick=False, only=""):
    """Build and run everything; [n right, of m that could run], and what the others are."""
    with building.cache_folder(keep) as cache:
        progress("building what compilers make of the kernels")
        built = building.built(cache, quick=quick)
        return figures(_outcomes(built, only, progress), built)


def _outcomes(built, only, progress):
    """Run the programs in a pool; where a process of it dies, what has not run yet is wrong."""
    every = enumerate(pairs(built))
    todo = [(n, *pair) for n, pair in every if only in f"{pair[1].name} {pair[2].name}"]
    outcomes = []
    with ProcessPoolExecutor(WORKERS, get_context("spawn"), _begin, (built,)) as pool:
        begun = [pool.submit(_run, n) for n, *_ in todo]
        for future, (_, compiler, program, file) in zip(begun, todo, strict=True):
            try:
                outcomes.append(future.result())
            except BrokenProcessPool:
                words = "its process, or the one beside it, died"
                outcomes.append(Outcome(program.name, file.name, compiler, "wrong", words))
            if len(outcomes) % 20 == 0 or len(outcomes) == len(todo):
                progress(f"compiled program {len(outcomes)} of {len(todo)}: {program.name}")
    return outcomes


_cases: list[tuple] = []
"""Of a process of the pool: all pairs, as programs hold functions, which do not travel."""


def _begin(built):
    _cases.extend(pairs(built))


def _run(place):
    compiler, program, file = _cases[place]
    return run(program, file, compiler)


def figures(outcomes, built):
    """Sum up."""
    ran = [o for o in outcomes if o.state != "refused"]
    by_compiler = {
        name: [sum(o.state == "right" for o in ran if o.compiler == name), found]
        for name, found in sorted(Counter(o.compiler for o in ran).items())
    }
    refused: dict[str, list[str]] = {}
    for outcome in outcomes:
        if outcome.state == "refused":
            refused.setdefault(outcome.words, []).append(f"{outcome.program} {outcome.artefact}")
    return {
        "compilers_checked": [sum(o.state == "right" for o in ran), len(ran)],
        "by_compiler": by_compiler,
        "failing": [vars(o) for o in ran if o.state != "right"],
        "refused": refused,
        "not_run": NOT_RUN,
        "not_built": built.problems,
        "compilers_missing": built.missing,
    }


def table(result):
    """Lay the figures out for people."""
    n, of = result["compilers_checked"]
    yield f"{'compilers_checked':<24}{n:>6} of {of}"
    for name, (right, ran) in result["by_compiler"].items():
        yield f"  {name:<22}{right:>6} of {ran}"
    for failed in result["failing"]:
        yield f"wrong: {failed['program']} with {failed['artefact']}: {failed['words']}"
    for reason, cases in result["refused"].items():
        yield f"refused ({len(cases)}): {reason}; {cases[0]}"
    yield from (f"not built: {problem[:200]}" for problem in result["not_built"])
    yield from (
        f"missing: {name}; what it builds is left out" for name in result["compilers_missing"]
    )


def main():
    """Run the command line; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--quick", action="store_true", help="one artefact a source, no Triton")
    parser.add_argument("--keep", type=Path, help="where artefacts are kept")
    parser.add_argument("--only", default="", help="programs or artefacts whose names have a word")
    arguments = parser.parse_args()
    keep = None if arguments.keep is None else arguments.keep.resolve()
    result = compilers_checked(
        lambda words: print(words, file=sys.stderr, flush=True),
        keep,
        arguments.quick,
        arguments.only,
    )
    print(json.dumps(result) if arguments.json else "\n".join(table(result)))
    return 1 if result["failing"] or result["not_built"] else 0


if __name__ == "__main__":
    sys.exit(main())
