"""The samples' launches with each of their artefacts as the module, and their loops by hand."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import cache
from pathlib import Path

from tests.reference.loop_nests import (
    Entry,
    SampleLoops,
    Thread,
    entries,
    read_loops,
    threads,
)
from warpmill.analyzer.frontends.load import SUFFIXES, load_kernel
from warpmill.analyzer.launch import load_launches
from warpmill.analyzer.launch.model import Launch, ScalarArgument
from warpmill.session.jobs import Job

SAMPLES = Path(__file__).parents[2] / "samples"
FOLDERS = tuple(sorted(p.parent for p in SAMPLES.glob("*/artefacts.json")))


@cache
def launches_of(folder: Path) -> tuple[Launch, ...]:
    """The launches of a sample, in the order of its launch.toml."""
    return tuple(load_launches(folder / "launch.toml"))


def sample_loops(folder: Path) -> SampleLoops:
    """The loops of a sample as they were derived by hand."""
    return read_loops(folder / "loops.toml")


def artefacts_of(folder: Path, suffixes: Collection[str] = SUFFIXES) -> tuple[Path, ...]:
    """What compilers made of a sample, by name."""
    return tuple(sorted(p for p in folder.iterdir() if p.suffix in suffixes))


@cache
def job_of(artefact: Path, number: int) -> Job:
    """Prepare a launch of an artefact's sample, by its number, with this artefact as the module."""
    launch = launches_of(artefact.parent)[number]
    loaded, kernel = load_kernel(artefact, launch.kernel)
    return Job(loaded, kernel, replace(launch, module=artefact))


def door_of(artefact: Path) -> str:
    """Which compiler's way with loops an artefact has: that of nvcc, or of clang for a language."""
    if artefact.name.endswith(".sm_80.ptx"):
        return "nvcc"
    if any(f".{word}." in artefact.name for word in ("opencl", "gfx90a")):
        return "opencl"
    return "O0" if ".O0." in artefact.name else "cuda"


def source_of(artefact: Path) -> tuple[str, str]:
    """The file that an artefact was made of, and its suffix as a key of loops.toml."""
    suffix = "cl" if door_of(artefact) == "opencl" else "cu"
    return f"{artefact.parent.name}.{suffix}", suffix


def numbers_of(sample: SampleLoops, launch: Launch) -> dict[str, int]:
    """The launch's integers by the source's names."""
    assert launch.kernel is not None
    pairs = zip(sample.arguments[launch.kernel], launch.arguments, strict=True)
    return {
        name: argument.value
        for name, argument in pairs
        if isinstance(argument, ScalarArgument) and isinstance(argument.value, int)
    }


@cache
def executed(folder: Path, number: int) -> tuple[tuple[Thread, tuple[Entry, ...]], ...]:
    """Execute the loops of a launch's first CTA; the threads that differ, each with its entries."""
    sample, launch = sample_loops(folder), launches_of(folder)[number]
    assert launch.kernel is not None
    chosen = threads(sample, launch.kernel, launch.block, numbers_of(sample, launch))
    return tuple((t, tuple(entries(sample, launch.kernel, t))) for t in chosen)
