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

    def floats(self, count: int) -> Any:
        """Numbers below 1, multiples of 2**-16."""
        return (self.integers(count) & np.uint32(0xFFFF)).astype(np.float32) / np.float32(65536)


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


def vecadd(launch: Launch, n: int) -> bool:
    """Add two arrays."""
    drawn = Generator().floats(2 * n)
    a, b = drawn[::2].copy(), drawn[1::2].copy()
    c = np.zeros(n, np.float32)
    launch("vecadd", -(-n // 256), 256, [a, b, c, np.int32(n)])
    return bool((c == a + b).all())


def matmul(launch: Launch, n: int) -> bool:
    """Multiply two matrices."""
    generator = Generator()
    a, b = generator.floats(n * n), generator.floats(n * n)
    c = np.zeros((n, n), np.float32)
    launch("matmul_tiled", (n // 16, n // 16), (16, 16), [a, b, c, np.int32(n)])
    exact = a.reshape(n, n).astype(np.float64) @ b.reshape(n, n).astype(np.float64)
    return bool((np.abs(exact - c) < 1e-3 * (1 + np.abs(exact))).all())


def reduce(launch: Launch, n: int) -> bool:
    """Sum numbers, one partial sum a CTA."""
    groups = -(-n // 512)
    a, out = Generator().floats(n), np.zeros(groups, np.float32)
    launch("reduce_sum", groups, 256, [a, out, np.int32(n)])
    exact = a.sum(dtype=np.float64)
    return bool(abs(out.sum(dtype=np.float64) - exact) < 1e-3 * exact)


def diverge(launch: Launch, n: int) -> bool:
    """Loop and branch by the data."""
    a, out = (Generator().integers(n) & np.uint32(0xFFFF)).astype(np.int32), np.zeros(n, np.int32)
    launch("diverge", -(-n // 128), 128, [a, out, np.int32(n)])
    accumulated = np.zeros(n, np.int32)
    for k in range(32):
        odd = (a >> (k & 7)) & 1 == 1
        step = np.where(
            odd, accumulated * np.int32(3) + np.int32(k), accumulated ^ np.int32(k << 2)
        )
        accumulated = np.where(k < (a & 31), step, accumulated)
    ends = [accumulated + a * np.int32(7), accumulated - a, accumulated ^ (a << 3), ~accumulated]
    return bool((out == np.choose(a & 3, ends)).all())


def stridecopy(launch: Launch, n: int, stride: int) -> bool:
    """Copy with a stride between the elements."""
    a, out = Generator().floats(n), np.zeros(n, np.float32)
    launch("stridecopy", -(-n // 256), 256, [a, out, np.int32(n), np.int32(stride)])
    at = np.arange(n, dtype=np.int64) * stride
    return bool((out == a[at % n + at // n]).all())


def stencil(launch: Launch, n: int, iterations: int) -> bool:
    """Let heat spread over a plate, some steps."""
    generator = Generator()
    heat = np.float32(70) + generator.floats(n * n) * np.float32(20)
    power = generator.floats(n * n)
    now, after = heat.copy(), np.zeros(n * n, np.float32)
    for _ in range(iterations):
        launch("stencil5", (n // 16, n // 16), (16, 16), [now, power, after, np.int32(n)])
        now, after = after, now
    exact = heat.reshape(n, n).astype(np.float64)
    for _ in range(iterations):
        edge = np.pad(exact, 1, mode="edge")
        down = edge[:-2, 1:-1] + edge[2:, 1:-1] - 2 * exact
        along = edge[1:-1, :-2] + edge[1:-1, 2:] - 2 * exact
        change = power.reshape(n, n) + down * 0.5 + along * 0.25 + (80 - exact) * 0.01
        exact = exact + 0.1 * change
    return bool((np.abs(now.reshape(n, n) - exact) < 1e-3).all())


def bfs_like(launch: Launch, n: int, degree: int) -> bool:
    """Search a graph breadth-first, one launch a level."""
    from scipy.sparse import csr_matrix  # noqa: PLC0415 - only what searches needs it
    from scipy.sparse.csgraph import dijkstra  # noqa: PLC0415 - as above

    row, col, _ = graph(n, 2 * degree - 1, 1)
    distance, changed, level = np.full(n, -1, np.int32), np.ones(1, np.int32), 0
    distance[0] = 0
    while changed[0]:
        changed[0] = 0
        arguments = [row, col, distance, changed, np.int32(level), np.int32(n)]
        launch("bfs_level", -(-n // 256), 256, arguments)
        level += 1
    edges = csr_matrix((np.ones(len(col)), col, row), (n, n))
    exact = dijkstra(edges, unweighted=True, indices=[0])[0]
    return bool((np.where(np.isinf(exact), -1, exact) == distance).all())


def spmv(launch: Launch, n: int, degree: int) -> bool:
    """Multiply a sparse matrix with a vector."""
    from scipy.sparse import csr_matrix  # noqa: PLC0415 - only what multiplies needs it

    row, col, generator = graph(n, 2 * degree, 0)
    values, x, y = generator.floats(len(col)), generator.floats(n), np.zeros(n, np.float32)
    launch("spmv_csr", -(-n // 128), 128, [row, col, values, x, y, np.int32(n)])
    exact = csr_matrix((values.astype(np.float64), col, row), (n, n)) @ x.astype(np.float64)
    return bool((np.abs(exact - y) < 1e-3).all())


def histo(launch: Launch, n: int) -> bool:
    """Count values."""
    a, bins = Generator().integers(n), np.zeros(256, np.uint32)
    launch("histo256", 40, 256, [a, bins, np.int32(n)])
    return bool((bins == np.bincount(a & 255, minlength=256)).all())


def transpose(launch: Launch, n: int) -> bool:
    """Transpose a matrix."""
    a, out = Generator().floats(n * n), np.zeros((n, n), np.float32)
    launch("transpose_pad", (n // 32, n // 32), (32, 8), [a, out, np.int32(n)])
    return bool((out == a.reshape(n, n).T).all())


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
    tail = b
    for _ in range(4):
        tail = tail * 0.5 + c
    near = np.abs(x - (b + c)) < 1e-2 * (1 + np.abs(b + c))
    return bool(near.all() and (np.abs(doubles - tail) < 1e-2 * (1 + np.abs(tail))).all())


PROGRAMS: dict[str, Callable[..., bool]] = {
    "vecadd": vecadd, "matmul": matmul, "reduce": reduce, "diverge": diverge,
    "stridecopy": stridecopy, "stencil": stencil, "bfs_like": bfs_like, "spmv": spmv,
    "histo": histo, "transpose": transpose, "fma_sfu": fma_sfu,
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


def agrees(row: Row, counts: tuple[int, int]) -> bool:
    """Whether a launch counted what a row says."""
    share = RACING.get(row["program"], 0)
    wanted = (row["thread_insts"], row["warp_insts"])
    return all(
        expected is None or abs(found - expected) <= share * expected
        for found, expected in zip(counts, wanted, strict=True)
    )


def key_of(row: Row) -> tuple[str, str, bool]:
    """Tell runs apart: the functional mode ran CTAs one after another, the timing mode at once."""
    return row["program"], row["input"], row["config"] != "functional-only"


def compare(
    run_launch: Launch, run_resident: Launch, *, quick: bool, say: Callable[[str], None]
) -> tuple[list[Row], list[str]]:
    """Run every program and hold its counts against the reference: the rows, and what is wrong.

    ``run_resident`` runs CTAs at the same time, as many as the reference did in its timing mode.
    """
    rows = [r for r in reference_rows() if not (quick and r["suite"] == "own-large")]
    runs = {}
    for program, input_, at_once in dict.fromkeys(map(key_of, rows)):
        say(f"{program} {input_}")
        way = run_resident if at_once else run_launch
        runs[program, input_, at_once] = run_program(way, program, input_)
    results = []
    for row in rows:
        run = runs[key_of(row)]
        counts = run.counts[row["launch"] - 1] if row["launch"] <= len(run.counts) else (0, 0)
        results.append(
            {
                **{key: row[key] for key in ("suite", "program", "input", "config", "launch")},
                "expected": [row["thread_insts"], row["warp_insts"]],
                "counted": list(counts),
                "equal": agrees(row, counts) and run.right,
                "exact": counts[0] == row["thread_insts"]
                and row["warp_insts"] in (None, counts[1]),
            }
        )
    return results, [f"{p} {i}: wrong results" for (p, i, _), r in runs.items() if not r.right]
