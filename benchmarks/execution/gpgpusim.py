"""The programs whose counts GPGPU-Sim gives: their launches, their checks, and the comparison.

Each program is a function of a launcher and its command line's numbers; it makes the inputs that
the C program made, from the same generator, and tells whether the results are right. What launches
is handed in: `run_launch(ptx_path, kernel, grid, block, args)` gives (thread_insts, warp_insts);
`args` are arrays, updated in place, or scalars of NumPy.

A thread instruction is a lane that is active where the instruction issues: lanes whose guard is
false count, so a guarded branch counts for all, and `ret` counts once for each lane that executes
it. A warp instruction is an instruction that a warp issues, once for each side of a branch that it
executes, each up to the immediate post-dominator. `bfs_like` holds a race: its warps see what those
before them wrote where they run one after another, and not where they run side by side, as in the
rows with a time; within 1 % they are equal there.
"""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

INPUTS = Path(__file__).resolve().parents[1] / "execution_inputs" / "gpgpusim"
RACING = {"bfs_like": 0.01}
"""How far counts may be off, as a share."""

RESIDENT = 120
"""CTAs that the reference's RTX 2060 holds, four on each of 30 SMs; others hold more."""

Launch = Callable[..., Any]
Row = dict[str, Any]
MULTIPLIER, INCREMENT = np.uint32(1664525), np.uint32(1013904223)


class Generator:
    """The linear congruential generator of the C programs, many numbers at a time."""

    def __init__(self) -> None:
        self.state: Any = np.uint32(12345)

    def integers(self, count: int) -> Any:
        """The next numbers: the upper 24 bits of the states."""
        powers = np.cumprod(np.full(count, MULTIPLIER), dtype=np.uint32)
        before = np.r_[np.uint32(1), powers[:-1]]
        states = powers * self.state + INCREMENT * np.cumsum(before, dtype=np.uint32)
        self.state = states[-1:].copy()
        return states >> np.uint32(8)

    def floats(self, *shape: int) -> Any:
        """Numbers below 1, multiples of 2**-16."""
        numbers = self.integers(int(np.prod(shape))) & np.uint32(0xFFFF)
        return numbers.astype(np.float32).reshape(shape) / np.float32(65536)


def graph(n: int, most: int, fewest: int) -> tuple[Any, Any, Generator]:
    """Rows, columns and the generator after them: each row draws its length, then columns."""
    drawn = Generator().integers(n * (most + fewest + 1)).tolist()
    rows, columns, at = [0], [], 0
    for _ in range(n):
        degree = fewest + drawn[at] % most
        columns += drawn[at + 1 : at + 1 + degree]
        at += 1 + degree
        rows.append(len(columns))
    generator = Generator()
    generator.integers(at)  # the numbers that were used up
    ends = np.array(columns, np.int64) % n
    return np.array(rows, np.int32), ends.astype(np.int32), generator


def search(launch: Launch, kernel: str, rows: Any, columns: Any) -> Any:
    """Search a graph breadth-first, one launch a level; the levels of the vertices."""
    n, level = len(rows) - 1, 0
    found, changed = np.full(n, -1, np.int32), np.ones(1, np.int32)
    found[0] = 0
    while changed[0]:
        changed[0] = 0
        arguments = [rows, columns, found, changed, np.int32(level), np.int32(n)]
        launch(kernel, -(-n // 256), 256, arguments)
        level += 1
    return found


def levels(rows: Any, columns: Any) -> Any:
    """The levels of vertices from the first one, by SciPy; -1: not reached."""
    from scipy.sparse import csr_matrix  # noqa: PLC0415 - only what searches needs it
    from scipy.sparse.csgraph import dijkstra  # noqa: PLC0415 - as above

    n = len(rows) - 1
    edges = csr_matrix((np.ones(len(columns)), columns, rows), (n, n))
    exact = dijkstra(edges, unweighted=True, indices=[0])[0]
    return np.where(np.isinf(exact), -1, exact)


def near(found: Any, exact: Any, absolute: float, relative: float = 0) -> bool:
    """Whether all results are near, below what may be."""
    return bool((np.abs(found - exact) < absolute + relative * np.abs(exact)).all())


def wide(values: Any) -> Any:
    """Numbers in double precision."""
    return values.astype(np.float64)


def vecadd(launch: Launch, n: int) -> bool:
    """Add two arrays."""
    a, b = Generator().floats(n, 2).T.copy()
    c = np.zeros(n, np.float32)
    launch("vecadd", -(-n // 256), 256, [a, b, c, np.int32(n)])
    return np.array_equal(c, a + b)


def matmul(launch: Launch, n: int) -> bool:
    """Multiply two matrices."""
    a, b = Generator().floats(2, n, n)
    c = np.zeros((n, n), np.float32)
    launch("matmul_tiled", (n // 16, n // 16), (16, 16), [a, b, c, np.int32(n)])
    return near(c, wide(a) @ wide(b), 1e-3, 1e-3)


def reduce(launch: Launch, n: int) -> bool:
    """Sum numbers, one partial sum a CTA."""
    groups = -(-n // 512)
    a, out = Generator().floats(n), np.zeros(groups, np.float32)
    launch("reduce_sum", groups, 256, [a, out, np.int32(n)])
    return near(wide(out).sum(), wide(a).sum(), 0, 1e-3)


def diverge(launch: Launch, n: int) -> bool:
    """Loop and branch by the data."""
    a, out = (Generator().integers(n) & np.uint32(0xFFFF)).astype(np.int32), np.zeros(n, np.int32)
    launch("diverge", -(-n // 128), 128, [a, out, np.int32(n)])
    sums = np.zeros(n, np.int32)
    for k in range(32):
        odd = (a >> (k & 7)) & 1 == 1
        step = np.where(odd, sums * np.int32(3) + np.int32(k), sums ^ np.int32(k << 2))
        sums = np.where(k < (a & 31), step, sums)
    ends = [sums + a * np.int32(7), sums - a, sums ^ (a << 3), ~sums]
    return np.array_equal(out, np.choose(a & 3, ends))


def stridecopy(launch: Launch, n: int, stride: int) -> bool:
    """Copy with a stride between the elements."""
    a, out = Generator().floats(n), np.zeros(n, np.float32)
    launch("stridecopy", -(-n // 256), 256, [a, out, np.int32(n), np.int32(stride)])
    at = np.arange(n, dtype=np.int64) * stride
    return np.array_equal(out, a[at % n + at // n])


def stencil(launch: Launch, n: int, iterations: int) -> bool:
    """Let heat spread over a plate, some steps."""
    from scipy.ndimage import convolve  # noqa: PLC0415 - only what needs it

    heat, power = Generator().floats(2, n, n)
    heat = np.float32(70) + heat * np.float32(20)
    now, after = heat.copy(), np.zeros((n, n), np.float32)
    for _ in range(iterations):
        launch("stencil5", (n // 16, n // 16), (16, 16), [now, power, after, np.int32(n)])
        now, after = after, now
    exact, weights = wide(heat), [[0, 0.5, 0], [0.25, -1.5, 0.25], [0, 0.5, 0]]
    for _ in range(iterations):
        spread = convolve(exact, weights, mode="nearest")
        exact += 0.1 * (power + spread + (80 - exact) * 0.01)
    return near(now, exact, 1e-3)


def bfs_like(launch: Launch, n: int, degree: int) -> bool:
    """Search a graph breadth-first."""
    rows, columns, _ = graph(n, 2 * degree - 1, 1)
    return np.array_equal(search(launch, "bfs_level", rows, columns), levels(rows, columns))


def spmv(launch: Launch, n: int, degree: int) -> bool:
    """Multiply a sparse matrix with a vector."""
    from scipy.sparse import csr_matrix  # noqa: PLC0415 - only what multiplies needs it

    row, col, generator = graph(n, 2 * degree, 0)
    values, x, y = generator.floats(len(col)), generator.floats(n), np.zeros(n, np.float32)
    launch("spmv_csr", -(-n // 128), 128, [row, col, values, x, y, np.int32(n)])
    return near(y, csr_matrix((wide(values), col, row), (n, n)) @ wide(x), 1e-3)


def histo(launch: Launch, n: int) -> bool:
    """Count values."""
    a, bins = Generator().integers(n), np.zeros(256, np.uint32)
    launch("histo256", 40, 256, [a, bins, np.int32(n)])
    return np.array_equal(bins, np.bincount(a & 255, minlength=256))


def transpose(launch: Launch, n: int) -> bool:
    """Transpose a matrix."""
    a, out = Generator().floats(n, n), np.zeros((n, n), np.float32)
    launch("transpose_pad", (n // 32, n // 32), (32, 8), [a, out, np.int32(n)])
    return np.array_equal(out, a.T)


def fma_sfu(launch: Launch, n: int, iterations: int) -> bool:
    """Chain multiply-adds and reciprocal roots, with a tail in double precision."""
    a, doubles = Generator().floats(n), np.zeros(n)
    x = a.copy()
    launch("fma_sfu", n // 128, 128, [x, doubles, np.int32(iterations)])
    b, c = np.full(n, 0.5), np.ones(n)
    for k in range(iterations):
        b, c = a * b + c, c * 0.5 + a
        if k & 7 == 7:
            b = 1 / np.sqrt(b * b + 1)
    tail = b / 16 + c * 1.875  # halved four times, c added to each
    return near(x, b + c, 1e-2, 1e-2) and near(doubles, tail, 1e-2, 1e-2)


PROGRAMS: dict[str, Callable[..., bool]] = {
    one.__name__: one
    for one in (vecadd, matmul, reduce, diverge, stridecopy, stencil, bfs_like, spmv, histo,
                transpose, fma_sfu)
}  # fmt: skip


@dataclass(frozen=True)
class Run:
    """A program that ran: what each launch counted, and whether its results are right."""

    program: str
    input: str
    counts: tuple[tuple[int, int], ...]
    right: bool


def run_program(run_launch: Launch, program: str, input_: str) -> Run:
    """Run a program on an executor."""
    counts = []

    def launch(kernel: str, grid: Any, block: Any, arguments: Any) -> None:
        counts.append(run_launch(INPUTS / f"{program}.ptx", kernel, grid, block, arguments))

    right = PROGRAMS[program](launch, *map(int, input_.split()))
    return Run(program, input_, tuple(counts), right)


def reference_rows() -> list[Row]:
    """The rows of reference.csv; counts as integers, None where it is silent."""
    with (INPUTS / "reference.csv").open(newline="") as file:
        rows: list[Row] = list(csv.DictReader(file))
    for row in rows:
        for key in ("thread_insts", "warp_insts", "launch"):
            row[key] = int(row[key]) if row[key] else None
    return rows


def agrees(row: Row, counts: tuple[int, int], share: float) -> bool:
    """Whether a launch counted what a row says, but for a share of it."""
    wanted = (row["thread_insts"], row["warp_insts"])
    return all(
        expected is None or abs(found - expected) <= share * expected
        for found, expected in zip(counts, wanted, strict=True)
    )


def compare(
    run_launch: Launch, run_resident: Launch, *, quick: bool, say: Callable[[str], None]
) -> tuple[list[Row], list[str]]:
    """Run every program and hold its counts against the reference: the rows, and what is wrong.

    ``run_resident`` runs CTAs at the same time, as many as the reference did in its timing mode;
    in its functional mode CTAs ran one after another.
    """
    rows = [r for r in reference_rows() if not (quick and r["suite"] == "own-large")]
    runs: dict[tuple[str, str, bool], Run] = {}
    for row in rows:
        at_once = row["config"] != "functional-only"
        program, input_ = row["program"], row["input"]
        if (program, input_, at_once) not in runs:
            say(f"{program} {input_}")
            way = run_resident if at_once else run_launch
            runs[program, input_, at_once] = run_program(way, program, input_)
        run = runs[program, input_, at_once]
        counts = run.counts[row["launch"] - 1] if row["launch"] <= len(run.counts) else (0, 0)
        row |= {
            "expected": [row["thread_insts"], row["warp_insts"]],
            "counted": list(counts),
            "equal": agrees(row, counts, RACING.get(program, 0)) and run.right,
            "exact": agrees(row, counts, 0),
        }
    return rows, [f"{p} {i}: wrong results" for (p, i, _), r in runs.items() if not r.right]
