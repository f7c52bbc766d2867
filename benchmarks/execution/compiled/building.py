"""Builds the artefacts that programs are launched from, or takes them from the cache."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from warpmill.benchmarks.frontend_inputs import build
from warpmill.benchmarks.frontend_inputs.recipes import Recipe, recipes
from warpmill.benchmarks.frontend_inputs.tools import tools

WANTED_CHIPS = ("70", "75", "80", "90")
"""Chips whose PTX of nvcc and clang is launched, of those that the recipes name."""

QUICK = ("nvcc.{}.sm_80.ptx", "clang-opencl.{}.nvptx64.O2.bc")
PACKAGES = (("triton", "triton_build"), ("numba-cuda", "numba_build"))
COMPILERS = ("nvcc", "clang", "triton", "numba-cuda")


@dataclass(frozen=True)
class Built:
    """The artefacts, by the compiler's name; what compilers refused; compilers that lack."""

    files: dict[str, list[Path]]
    problems: list[str]
    missing: list[str]


def _is_wanted(recipe: Recipe, *, quick: bool) -> bool:
    """Whether a recipe's file is launched."""
    if quick:
        return recipe.file in {pattern.format(recipe.source.stem) for pattern in QUICK}
    if recipe.source.suffix == ".cl" and recipe.file.endswith(".ptx"):
        return False  # the built-in functions are calls of what is not in the file
    chip = recipe.file.rpartition(".sm_")[2].removesuffix(".ptx")
    return recipe.file.endswith(".bc") or chip in WANTED_CHIPS


def built(cache: Path, *, quick: bool) -> Built:
    """Compile what is not there yet from the same sources and tools."""
    cache.mkdir(parents=True, exist_ok=True)
    files: dict[str, list[Path]] = {}
    problems: list[str] = []
    wanted = [r for r in recipes() if _is_wanted(r, quick=quick)]
    with ThreadPoolExecutor(build.WORKERS) as pool:
        for recipe, problem in pool.map(lambda r: build._make(r, cache), wanted):
            if problem is None:
                files.setdefault(recipe.producer, []).append(cache / recipe.file)
            else:
                problems.append(f"{recipe.file}: {problem}")
    for package, module in PACKAGES:
        if package in tools() and not (quick and package == "triton"):
            made, failed = build._make_in_python(package, module, cache)
            files[package] = [i.path for i in made if not quick or i.name.endswith(".sm_80.ptx")]
            problems += [f"{name}: {words}" for name, words in failed]
    missing = [name for name in COMPILERS if name not in tools()]
    return Built(files, problems, missing)
