"""The vocabulary of time: resources, causes of time, and the states of warps.

Both engines take their names from here, and so do all commands: one thing has one name. The names
are Nsight Compute's where it has one, with its metric beside it; a name of our own says which of
its warp states has the same cycles.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from warpmill.analyzer.base.metric import Named


class Term(Named):
    """A name: people read its label, data has its ``key``.

    ``metric`` is Nsight Compute's name of the quantity, None where it has none. ``states`` are the
    warp states that have the cycles of a cause; of a state of Nsight Compute they are itself.
    """

    meaning: str
    metric: str | None
    states: tuple[str, ...]

    def __new__(
        cls,
        key: str,
        label: str,
        meaning: str = "",
        metric: str | None = None,
        states: tuple[str, ...] = (),
    ) -> Self:
        """The text is the label."""
        made = super().__new__(cls, key, label)
        made.meaning, made.metric, made.states = meaning, metric, states
        return made


def _table(terms: Iterable[Term]) -> dict[str, Term]:
    return {term.key: term for term in terms}


# Warp states: what a resident warp does in a cycle.

_STALLED = "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio"


def _state(key: str, meaning: str, label: str = "") -> Term:
    words = label or f"Stall {key.replace('_', ' ').title()}"
    return Term(key, words, meaning, _STALLED.format(key), (key,))


WARP_STATES = _table(
    (
        _state("selected", "none: it issues", "Selected"),
        _state("wait", "for a result of a known latency"),
        _state("short_scoreboard", "for shared memory, shared units"),
        _state("long_scoreboard", "for global, local, texture memory"),
        _state("imc_miss", "for constants and parameters", "Stall IMC Miss"),
        _state("barrier", "for the CTA's other warps"),
        _state("membar", "for its own accesses, at a fence"),
        _state("math_pipe_throttle", "for a busy execution pipe"),
        _state("lg_throttle", "for room in memory's queue", "Stall LG Throttle"),
        _state("mio_throttle", "for room in shared memory's queue", "Stall MIO Throttle"),
        _state("tex_throttle", "for room in textures' queue"),
        _state("dispatch_stall", "for a free operand collector"),
        _state("branch_resolving", "for a branch's target"),
        _state("no_instruction", "for its next instruction"),
        _state("not_selected", "another warp was selected"),
        _state("drain", "for its stores, at the end"),
        _state("sleeping", "all of its threads sleep, or have yielded"),
        _state("gmma", "for asynchronous matrix products", "Stall GMMA"),
        _state("misc", "for something else"),
    )
)
"""Nsight Compute's warp states; ``meaning`` is what a warp waits for."""


# Resources: what a launch keeps busy, and can be bound by.


def _pipe(name: str, label: str, meaning: str) -> Term:
    metric = f"sm__inst_executed_pipe_{name}"
    return Term(f"{name}_pipe", f"{label} pipe", meaning, metric, ("math_pipe_throttle",))


PIPES = {
    "alu": _pipe("alu", "ALU", "integer, logic and comparison instructions"),
    "fma": _pipe("fma", "FMA", "FP32 and FP16 arithmetic, integer multiplication"),
    "fp64": _pipe("fp64", "FP64", "FP64 arithmetic"),
    "xu": _pipe("xu", "XU", "transcendental functions, conversions of types"),
    "lsu": _pipe("lsu", "LSU", "shuffles, and what else goes to the load-store unit"),
    "cbu": _pipe("cbu", "CBU", "branches and convergence"),
    "adu": _pipe("adu", "ADU", "barriers of CTAs"),
    "uniform": _pipe("uniform", "Uniform", "instructions on uniform registers"),
    "tensor": _pipe("tensor", "Tensor", "matrix products"),
}
"""Execution pipes, by the names that the tables of costs have for them."""

ISSUE_SLOTS = Term(
    "issue_slots",
    "issue slots",
    "cycles of schedulers in which one of their warps issues",
    "sm__inst_issued",
    ("selected", "not_selected"),
)
CTA_LAUNCH_RATE = Term(
    "cta_launch_rate", "CTA launch rate", "CTAs that are handed out to SMs", "sm__ctas_launched"
)

SERVERS = {
    "lsu": Term(
        "lsu",
        "load-store unit",
        "accesses that the load-store unit of an SM takes",
        "l1tex__lsuin_requests",
        ("lg_throttle", "mio_throttle", "tex_throttle"),
    ),
    "shared": Term(
        "shared_bandwidth",
        "shared-memory bandwidth",
        "wavefronts of shared memory",
        "l1tex__data_pipe_lsu_wavefronts_mem_shared",
        ("short_scoreboard",),
    ),
    "l1": Term(
        "l1_bandwidth",
        "L1 bandwidth",
        "sectors between an SM and its L1",
        "l1tex__t_bytes",
        ("long_scoreboard",),
    ),
    "l2": Term(
        "l2_bandwidth",
        "L2 bandwidth",
        "sectors between SMs and L2",
        "lts__t_bytes",
        ("long_scoreboard",),
    ),
    "dram": Term(
        "dram_bandwidth",
        "DRAM bandwidth",
        "sectors from and to DRAM",
        "dram__bytes",
        ("long_scoreboard",),
    ),
    "atomic": Term(
        "l2_atomics",
        "L2 atomic units",
        "lanes of atomics at L2",
        "lts__d_atomic_input_cycles_active",
        ("long_scoreboard",),
    ),
}
"""Servers of accesses' bytes, by the names that the estimate's pipeline has for them."""

RESOURCES = _table((ISSUE_SLOTS, *PIPES.values(), *SERVERS.values(), CTA_LAUNCH_RATE))


# Causes: what the time of a launch is spent on. A resource is one where it is short.

LATENCIES = _table(
    (
        Term(
            "arithmetic_latency",
            "arithmetic latency",
            "for a result of a pipe",
            states=("wait", "short_scoreboard"),
        ),
        Term(
            "shared_latency",
            "shared-memory latency",
            "for shared memory, at its latency",
            states=("short_scoreboard",),
        ),
        Term(
            "l1_latency",
            "L1 latency",
            "for what L1 has, at its latency",
            states=("long_scoreboard",),
        ),
        Term(
            "l2_latency",
            "L2 latency",
            "for what L2 has, at its latency",
            states=("long_scoreboard",),
        ),
        Term(
            "dram_latency",
            "DRAM latency",
            "for what DRAM has, at its latency",
            states=("long_scoreboard",),
        ),
    )
)
"""Latencies that warps wait out. Nsight Compute has no names for them: its warp states tell neither
the level of memory that answers, nor latency from queues. Those for arithmetic it divides by
whether the latency is fixed, which is nothing that the estimate's pipeline knows."""

LAUNCH = Term("launch", "launch overhead", "before the first CTA runs and after the last")

CAUSES = RESOURCES | LATENCIES | _table((WARP_STATES["imc_miss"], WARP_STATES["barrier"], LAUNCH))


# What each engine tells apart, in the order of its numbers.

SIMULATED_STATES = (
    "selected", "wait", "short_scoreboard", "long_scoreboard", "imc_miss", "barrier", "membar",
    "math_pipe_throttle", "lg_throttle", "mio_throttle", "tex_throttle", "dispatch_stall",
    "branch_resolving", "no_instruction", "not_selected", "drain",
)  # fmt: skip
"""Warp states that the timing simulator counts."""

ESTIMATED_STALLS = (
    "not_selected", "math_pipe_throttle",
    "arithmetic_latency", "shared_latency", "imc_miss", "l1_latency", "l2_latency", "dram_latency",
    "barrier", *(server.key for server in SERVERS.values()),
)  # fmt: skip
"""Stall reasons that the estimate counts. Those that are no warp state of Nsight Compute are parts
of one: what a warp waits for in memory is told apart by level, and by whether its latency or its
queue was longer; one queue stands for those of L1, of shared memory and of textures."""

TERMS = WARP_STATES | CAUSES
"""The whole vocabulary, by key."""


def share_of(part: float, whole: float | None) -> float | None:
    """A part over its whole; None where there is no whole."""
    return part / whole if whole else None
