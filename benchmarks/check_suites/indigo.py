"""Indigo: graph codes in CUDA with planted bugs, on small graphs of its kinds.

The suite's own generator makes the codes that its ``Generators/configure.txt`` asks for; their
names list their bugs. Graphs are drawn here, by seed.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from warpmill.benchmarks.check_suites.running import Program, SuiteKernel
from warpmill.executor.host.device import Device
from warpmill.executor.host.modules import DeviceModule

SUITE, FOLDER = "Indigo", "IndigoSuite"
HIRACE_FOLDER = "HiRace-Artifact-SC24"
BUGS = {
    "atomicBug": "atomicity",
    "guardBug": "guard",
    "raceBug": "race",
    "syncBug": "synchronization",
    "boundsBug": "bounds",
}
"""What a tag in the name of a code plants. All but bounds are data races."""
TYPES = {
    "int": "int32", "short": "int16", "char": "int8", "unsigned long long": "uint64",
    "float": "float32", "double": "float64",
}  # fmt: skip
"""Types of data as codes write them."""
SEED = 20
VERTICES = 100
LEAVES = 200
"""Leaves of a star: more than the threads of a CTA."""
THREADS, HIRACE_THREADS = 64, 256
"""Threads of a CTA on graphs drawn here, and on HiRace's, which has 256."""
KERNEL = "test_kernel"


class Graph(NamedTuple):
    """A graph in compressed sparse rows."""

    starts: npt.NDArray[np.int32]
    neighbours: npt.NDArray[np.int32]


def graph(vertices: int, edges: Iterable[tuple[int, int]]) -> Graph:
    """The graph of directed edges, each once; loops are left out."""
    rows = sorted({(int(a), int(b)) for a, b in edges if a != b})
    counts = np.bincount([a for a, _ in rows], minlength=vertices)
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    return Graph(starts, np.array([b for _, b in rows], np.int32))


def _both(edges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Undirected edges: each in both directions."""
    return [pair for a, b in edges for pair in ((a, b), (b, a))]


def graphs() -> dict[str, Graph]:
    """The graphs, by kind. In some the first or the last vertex has no neighbour."""
    random, n = np.random.default_rng(SEED), VERTICES
    pairs = random.integers(0, n, (2 * n, 2)).tolist()
    side = 10
    rank = np.arange(1, n + 1, dtype=float)
    heavy = random.choice(n, (4 * n, 2), p=rank**-1.5 / np.sum(rank**-1.5)).tolist()
    grid = [(v, v + 1) for v in range(side * side) if (v + 1) % side]
    grid += [(v, v + side) for v in range(side * (side - 1))]
    tree = [((v - 1) // 2, v) for v in range(1, n)]
    return {
        "dag": graph(n, ((min(p), max(p)) for p in pairs)),
        "counter-dag": graph(n, ((max(p), min(p)) for p in pairs)),
        "random": graph(n, pairs),
        "power law": graph(n, _both(heavy)),
        "star": graph(LEAVES + 1, _both((0, v) for v in range(1, LEAVES + 1))),
        "ring": graph(n, ((v, (v + 1) % n) for v in range(n))),
        "grid": graph(side * side, _both(grid)),
        "tree": graph(n, tree),
    }


def hirace_graphs(data: Path) -> dict[str, Graph]:
    """The graphs that HiRace's figures are of, where its artifact is beside the suite."""
    folder = data / HIRACE_FOLDER / "indigo" / "input"
    return {path.stem: _stored(path) for path in sorted(folder.glob("*.egr"))}


def _stored(path: Path) -> Graph:
    """A graph from its file: vertices, edges, starts and neighbours, as 32-bit integers."""
    words = np.fromfile(path, np.int32)
    end = 2 + words[0] + 1
    return Graph(words[2:end], words[end : end + words[1]])


def generated(suite: Path, out: Path) -> list[Path]:
    """The codes of the suite, written by its generator into a folder. SystemExit."""
    generators = suite / "Generators"
    for pattern in sorted((generators / "CUDA_sources").glob("*.idg")):
        words = ["-W", "ignore", "generate_CUDA_codes.py", pattern, "../copyright.txt", out]
        command = [sys.executable, *map(str, words)]
        done = subprocess.run(command, cwd=generators, capture_output=True, check=False)
        if done.returncode:
            raise SystemExit(f"{pattern.name}: {done.stderr.decode(errors='replace')}")
    return sorted(out.glob("*/*.cu"))


def kernels(data: Path) -> Iterator[SuiteKernel]:
    """All codes that the checkout's configuration asks for, generated into a temporary folder."""
    suite = data / FOLDER
    if not suite.is_dir():
        return
    with tempfile.TemporaryDirectory(prefix="warpmill-") as folder:
        yield from _kernels(data, suite, Path(folder))


def _kernels(data: Path, suite: Path, out: Path) -> Iterator[SuiteKernel]:
    include = suite / "Generators" / "sources_include"
    own, hirace = graphs(), hirace_graphs(data)
    for source in generated(suite, out):
        found = re.match(r"typedef ([\w ]+) data_t;", _code(source))
        assert found is not None, source
        dtype = np.dtype(TYPES[found[1]])
        tags = [tag for tag in source.stem.split("_") if tag in BUGS]
        programs: dict[str, Program] = {}
        for threads, drawn in ((THREADS, own), (HIRACE_THREADS, hirace)):
            programs |= programs_on(drawn, source.stem, threads, dtype)
        yield SuiteKernel(
            suite=SUITE,
            name=source.stem,
            source=source,
            planted=tuple(BUGS[tag] for tag in tags),
            has_race=any(tag != "boundsBug" for tag in tags),
            has_memory_error="boundsBug" in tags,
            programs=programs,
            options=(f"-I{include}",),
        )


def _code(source: Path) -> str:
    """A code without the comment at its head."""
    return source.read_text("utf-8").partition("*/")[2].strip()


def programs_on(
    drawn: Mapping[str, Graph], code: str, threads: int, dtype: np.dtype[np.generic]
) -> dict[str, Program]:
    """What launches a code on graphs. A persistent one has threads for half of the vertices."""
    words = code.split("_")
    unit = threads if "block" in words else 32 if "warp" in words else 1
    made: dict[str, Program] = {}
    for name, one in drawn.items():
        needed = -(-len(one.starts) * unit // threads)
        ctas = max(2, needed // 2) if "persistent" in words else needed
        made[name] = partial(_launch, one, ctas, threads, dtype)
    return made


def _launch(
    one: Graph,
    ctas: int,
    threads: int,
    dtype: np.dtype[np.generic],
    device: Device,
    module: DeviceModule,
) -> None:
    """Launch a code on a graph, with data as the suite fills it."""
    vertices, edges = len(one.starts) - 1, max(1, len(one.neighbours))
    random, size = np.random.default_rng(SEED), max(vertices, edges)
    data = [random.integers(0, most, size) for most in (vertices, edges)]
    for values in data:
        values[0] = 0
    neighbours = one.neighbours if len(one.neighbours) else np.zeros(1, np.int32)
    arrays = [device.array(one.starts), device.array(neighbours)]
    arrays += [device.array(values.astype(dtype)) for values in data]
    device.launch(module[KERNEL], grid=ctas, block=threads, args=[*arrays, vertices])
