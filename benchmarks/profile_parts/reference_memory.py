"""Memory in profiles beside what GPGPU-Sim counted for the same programs in its timing mode.

Five figures a launch: lanes of global loads (atomics among them), of global stores and of shared
accesses, bank conflicts, and accesses to the L1, which takes loads and stores by sectors of 32 B,
and no atomics. What it tells of traffic behind the L1 depends on hits, and is left out. In
`bfs_like` threads race for vertices, and how many of them store depends on time: how far it is off
is told apart.
"""

from __future__ import annotations

from benchmarks.execution_parts import gpgpusim
from benchmarks.execution_parts.runners import NativeRunner
from warpmill.analyzer.ir.types import Space
from warpmill.executor.collectors import ProfileCollector
from warpmill.executor.observation import Observation

FIGURES = (
    "load_thread_insts", "store_thread_insts", "shmem_thread_insts", "shmem_bank_conflicts",
    "l1d_accesses",
)  # fmt: skip


def figures_of(profile):
    """The five figures of a profile, as GPGPU-Sim counts them."""
    outside = [a for a in profile.accesses if a.space in (Space.GLOBAL, Space.LOCAL)]
    shared = [a for a in profile.accesses if a.space is Space.SHARED]
    return (
        sum(a.threads for a in outside if a.kind != "store"),
        sum(a.threads for a in outside if a.kind == "store"),
        sum(a.threads for a in shared),
        sum(a.bank_conflicts for a in shared),
        sum(a.sectors for a in outside if a.kind != "atomic"),
    )


def profiles_of(program, input_):
    """Run a program with as many CTAs at once as the reference; the profile of each launch."""
    runner, collector = NativeRunner(gpgpusim.RESIDENT), ProfileCollector(["memory"])
    runner.device.backend.instrument = Observation([collector])
    right = gpgpusim.run_program(runner, program, input_).right
    return collector.profiles if right else []


def compare(*, quick, say):
    """Hold every row against the reference.

    Gives [equal, of] of what does not race, its rows that are not equal, and what races.
    """
    rows = [r for r in gpgpusim.reference_rows() if r["l1d_accesses"]]
    rows = [r for r in rows if not (quick and r["suite"] == "own-large")]
    profiles, told = {}, []
    for row in rows:
        key = row["program"], row["input"]
        if key not in profiles:
            say(f"{' '.join(key)}: memory beside GPGPU-Sim's")
            profiles[key] = profiles_of(*key)
        told.append(_row(row, profiles[key]))
    racing = [row for row in told if row["program"] in gpgpusim.RACING]
    exact = [row for row in told if row["program"] not in gpgpusim.RACING]
    wrong = [row for row in exact if row["counted"] != row["expected"]]
    return [len(exact) - len(wrong), len(exact)], wrong, racing


def _row(row, launches):
    """A launch's figures beside the reference's."""
    place = row["launch"] - 1
    counted = figures_of(launches[place]) if place < len(launches) else (0,) * len(FIGURES)
    expected = [int(row[name]) for name in FIGURES]
    off = max(abs(a - b) / max(1, b) for a, b in zip(counted, expected, strict=True))
    return {
        **{key: row[key] for key in ("program", "input", "config", "launch")},
        "counted": list(counted),
        "expected": expected,
        "off": round(off, 4),
    }
