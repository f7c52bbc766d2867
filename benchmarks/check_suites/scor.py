"""ScoR: microbenchmarks and applications that synchronise by scopes, each with and without races.

Microbenchmarks say in their names whether they race; applications race where ``RACEY`` is
defined. Each is checked twice: as it is, and with its volatile accesses as weak ones. Volatile ones
are strong in the PTX memory model (an ``ld.volatile`` is an ``ld.relaxed.sys``), so that they never
race with each other; ScoRD takes them for data, which races where nothing orders it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from warpmill.benchmarks.check_suites.indigo import graphs
from warpmill.benchmarks.check_suites.running import SuiteKernel
from warpmill.executor.host.device import Device
from warpmill.executor.host.device_array import DeviceArray
from warpmill.executor.host.modules import DeviceKernel, DeviceModule

SUITE, FOLDER = "ScoR", "ScoR"
WEAK_SUITE = "ScoR, weak data"
ORDERS = 4
"""Orders of warps and CTAs that each is run in: who takes a lock first decides what is seen."""
MOST_ROUNDS = 20
"""Rounds of colouring, which ends where no conflict is left."""
SEED = 20


def weak(ptx: str) -> str:
    """PTX with its volatile accesses as weak ones."""
    return re.sub(r"\b(ld|st)\.volatile\b", r"\1", ptx)


def kernels(data: Path) -> Iterator[SuiteKernel]:
    """All codes, as they are and with weak data."""
    suite = data / FOLDER
    if not suite.is_dir():
        return
    every = [*_microbenchmarks(suite), *_applications(suite)]
    yield from every
    for one in every:
        yield replace(one, suite=WEAK_SUITE, rewrite=weak)


def _microbenchmarks(suite: Path) -> Iterator[SuiteKernel]:
    for source in sorted((suite / "microbenchmarks" / "src").glob("*.cu")):
        text = source.read_text("utf-8")
        sizes = dict(re.findall(r"#define (NBLOCKS|TPERBLK) +(\d+)", text))
        ctas, threads = int(sizes["NBLOCKS"]), int(sizes["TPERBLK"])
        races = source.stem.startswith("race_")
        yield _kernel(source.stem, source, races, partial(_word, ctas, threads), ctas)


def _kernel(
    name: str,
    source: Path,
    races: bool,
    program: Callable[[Device, DeviceModule], None],
    ctas: int,
    options: tuple[str, ...] = (),
) -> SuiteKernel:
    return SuiteKernel(
        suite=SUITE,
        name=name,
        source=source,
        planted=("race",) * races,
        has_race=races,
        has_memory_error=None,
        programs={"its input": program},
        options=options,
        orders=ORDERS,
        resident_ctas=ctas,
    )


def _word(ctas: int, threads: int, device: Device, module: DeviceModule) -> None:
    """Launch a microbenchmark, which has one word of data that nobody has written."""
    device.launch(module["kmain"], grid=ctas, block=threads, args=[device.empty(1, "uint32")])


# Applications, with small inputs of the kinds that their programs read.


@dataclass(frozen=True)
class Application:
    """An application: its source, the sizes it is compiled for, and what its program does."""

    source: str
    ctas: int
    threads: int
    run: Callable[[Application, Device, Callable[[str], DeviceKernel]], None]

    def launch(self, device: Device, kernel: DeviceKernel, *arguments: object) -> None:
        """Launch a kernel with all CTAs."""
        device.launch(kernel, grid=self.ctas, block=self.threads, args=arguments)


def _applications(suite: Path) -> Iterator[SuiteKernel]:
    for name, one in APPLICATIONS.items():
        source = suite / "benchmarks" / name / one.source
        sizes = (f"-DNBLOCKS={one.ctas}", f"-DNTHREADS={one.threads}", f"-I{source.parent}")
        for races in (False, True):
            options = (*sizes, "-DRACEY") if races else sizes
            words = f"{name} RACEY" if races else name
            yield _kernel(words, source, races, partial(_run, one), one.ctas, options)


def _run(one: Application, device: Device, module: DeviceModule) -> None:
    def kernel(pattern: str) -> DeviceKernel:
        return module[next(name for name in module.kernel_names if re.search(pattern, name))]

    one.run(one, device, kernel)


Kernels = Callable[[str], DeviceKernel]


def _convolution(one: Application, device: Device, kernel: Kernels) -> None:
    random, taps, size = np.random.default_rng(SEED), 7, 500
    arrays = [device.array(random.random(n, np.float32)) for n in (taps, size)]
    out = device.empty(size)
    for name in ("initKernel", "convolveKernel"):
        one.launch(device, kernel(name), arrays[0], taps, arrays[1], size, out)


def _automaton(one: Application, device: Device, kernel: Kernels) -> None:
    threads = one.ctas * one.threads
    cells = np.random.default_rng(SEED).integers(0, 2, threads, dtype=np.int32)
    array, copy = device.array(cells), device.empty(threads, "int32")
    done = device.zeros(threads, "int32")
    for step in (1, 2):
        one.launch(device, kernel("rule110Kernel"), array, copy, done, threads, step)


def _multiplication(one: Application, device: Device, kernel: Kernels) -> None:
    random, (rows, inner, columns) = np.random.default_rng(SEED), (6, 70, 40)
    left = device.array(random.integers(0, 9, (rows, inner), dtype=np.int32))
    right = device.array(random.integers(0, 9, (inner, columns), dtype=np.int32))
    out, locks = device.zeros((rows, columns), "int32"), device.zeros(1024, "int32")
    own = [device.empty(one.ctas * 32, "int32") for _ in range(2)]
    sizes = (rows, inner, columns)
    one.launch(device, kernel("matMult"), left, right, out, *sizes, *own, locks)


def _reduction(one: Application, device: Device, kernel: Kernels) -> None:
    size = one.ctas * one.threads * 2
    values = np.random.default_rng(SEED).integers(0, 9, size, dtype=np.int32)
    data, out = device.array(values), device.array(values[: one.ctas])
    own = [device.empty(one.ctas * one.threads, "int32") for _ in range(2)]
    name = f"reduceSinglePassILj{one.threads}ELb1E"
    one.launch(device, kernel(name), data, out, *own, size)


def _parts(one: Application, device: Device, number: int) -> list[DeviceArray]:
    """Where the part of each CTA begins and ends, of a number of vertices or edges."""
    share = number // one.ctas
    heads = [cta * share for cta in range(one.ctas)]
    tails = [*heads[1:], number]
    return [device.array(np.array(each, np.int32)) for each in (heads, tails)]


def _edges(device: Device) -> tuple[int, int, list[DeviceArray]]:
    """Vertices and edges of a random graph, and the ends of its edges, the lower first."""
    starts, ends = graphs()["dag"]
    begins = np.repeat(np.arange(len(starts) - 1, dtype=np.int32), np.diff(starts))
    return len(starts) - 1, len(ends), [device.array(begins), device.array(ends)]


def _colouring(one: Application, device: Device, kernel: Kernels) -> None:
    vertices, number, edges = _edges(device)
    sets, colours, forbidden, also = (device.zeros(vertices, "int32") for _ in range(4))
    own = [device.empty(one.ctas, "int32") for _ in range(2)]
    for _ in range(MOST_ROUNDS):
        done = device.array(np.ones(1, np.int32))
        parts = _parts(one, device, vertices)
        shared = (sets, colours)
        one.launch(device, kernel("assignColors"), *parts, *shared, forbidden, also, *own)
        parts = _parts(one, device, number)
        one.launch(device, kernel("detectConflicts"), *parts, *edges, *shared, done, *own)
        parts = _parts(one, device, number)
        one.launch(device, kernel("forbidColors"), *parts, *edges, *shared, forbidden, *own)
        if done.get()[0]:
            return


def _connectivity(one: Application, device: Device, kernel: Kernels) -> None:
    vertices, number, edges = _edges(device)
    components = device.empty(vertices, "int32")
    own = [device.empty(one.ctas, "int32") for _ in range(2)]
    one.launch(device, kernel("initKernel"), *_parts(one, device, vertices), components, *own)
    parts = _parts(one, device, number)
    one.launch(device, kernel("linkKernel"), *parts, *edges, components, *own)
    one.launch(device, kernel("compressKernel"), *_parts(one, device, vertices), components, *own)


STEAL_DEPTH = 4000
"""Nodes of a stack that other CTAs take from, as the kernel has it."""
UNWRITTEN = 255
"""The number of children of a node that has not been visited."""


def _search(one: Application, device: Device, kernel: Kernels) -> None:
    local = one.threads * 4
    stacks = []
    for depth, nodes in ((local, 1), (STEAL_DEPTH, 0)):
        rows = [[depth, nodes, depth * cta, 0, nodes, 0] for cta in range(one.ctas)]
        words = device.empty((one.ctas * depth, 4), "uint8")
        stacks += [device.array(np.array(rows, np.int32)), words]
    roots = np.array([[0, UNWRITTEN, SEED, cta + 1] for cta in range(one.ctas)], np.uint8)
    for cta in range(one.ctas):
        stacks[1][local * cta : local * cta + 1].set(roots[cta : cta + 1])
    config = np.array([3, 2], np.int32).tobytes()
    one.launch(device, kernel("parTreeSearch"), *stacks, config)


APPLICATIONS: Mapping[str, Application] = {
    "1dconv": Application("1dconv_kernel.cu", 4, 64, _convolution),
    "graph-coloring": Application("gcol_kernel.cu", 3, 32, _colouring),
    "graph-connectivity": Application("gcon_kernel.cu", 3, 32, _connectivity),
    "matrix-multiplication": Application("mm_kernel.cu", 4, 64, _multiplication),
    "reduction": Application("red_main.cu", 4, 128, _reduction),
    "rule-110": Application("r110_kernel.cu", 3, 64, _automaton),
    "uts": Application("uts_kernel.cu", 2, 64, _search),
}
