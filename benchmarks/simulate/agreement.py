"""The simulator beside GPGPU-Sim: cycles, counts and hit rates of each launch that it timed.

All rows with a time in ``execution_inputs/gpgpusim/reference.csv``, on the machines of its
configurations. Counts of a launch are differences of what was counted at the ends of launches. A
hit is an access that does not go on to the next level, pending hits among them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from warpmill.benchmarks.benchmark import say
from warpmill.benchmarks.execution import gpgpusim
from warpmill.benchmarks.execution.gpgpusim import RACING
from warpmill.benchmarks.simulate import COUNTS, Launch
from warpmill.benchmarks.simulate.programs import (
    Recorded,
    plan_of,
    record,
    reference_machine,
    with_resident,
)
from warpmill.simulator.gpu.options import Options
from warpmill.simulator.gpu.state import as_numbers

COLD = "own-cold-L2"
CYCLES = "gpu_sim_cycle_minus_launch_latency"
BESIDE = ("l1d_pending_hits", "dram_reads", "dram_writes", "shmem_bank_conflicts")
"""Further figures of rows; nothing is said of them as a whole."""
LIMITERS = {"threads": "warps", "regs": "registers", "shmem": "shared_memory", "ctas": "blocks"}
"""The reference's words for what lets no more CTAs reside, and the simulator's."""

Counted = Mapping[str, Any]


def timed_rows(programs: Sequence[str] = (), *, quick: bool = False) -> list[Counted]:
    """The rows that have a time; ``quick``: those of one configuration with a warm L2."""
    rows: list[Counted] = [row for row in gpgpusim.reference_rows() if row["mode"] == "timing"]
    if programs:
        rows = [row for row in rows if row["program"] in programs]
    if quick:
        rows = [r for r in rows if r["suite"] == "own" and r["config"] == "SM7_QV100"]
    return rows


def compare(rows: Sequence[Counted]) -> tuple[list[Launch], list[str]]:
    """Simulate what the rows are of; a launch each, and the programs whose results are wrong."""
    groups = defaultdict(list)
    for row in rows:
        groups[row["suite"], row["program"], row["input"], row["config"]].append(row)
    recorded: dict[tuple[str, str], Recorded] = {}
    told: list[Launch] = []
    for (suite, program, input_, config), own in groups.items():
        say(f"{suite}: {program} {input_} on {config}")
        key = program, input_
        if key not in recorded:
            recorded[key] = record(*key)
        launches = simulated(recorded[key], config, l2="cold" if suite == COLD else "warm")
        told += [beside(row, launches[row["launch"] - 1]) for row in own]
    return told, [" ".join(key) for key, one in recorded.items() if not one.right]


def simulated(
    recorded: Recorded, config: str, *, l2: Literal["cold", "warm"]
) -> list[dict[str, Any]]:
    """Simulate a program on a configuration; what each launch did, under the reference's names."""
    app = recorded.application()
    machine = reference_machine(config)
    made = plan_of(app, machine, Options(l2=l2))
    if recorded.program in RACING:
        sms = machine.integer("sm.count")
        fits = [fit.ctas_per_sm for fit in made.simulation().occupancies]
        made = with_resident(made, app, [sms * fit for fit in fits])
    simulation = made.simulation()
    simulation.run()
    return list(map(_launch, *_changes(simulation), simulation.occupancies, simulation.works))


def _changes(simulation: Any) -> Iterator[Any]:
    """The rows of launches, and what SMs, slices and channels counted during each."""
    yield simulation.state.table("launch")
    for part in ("sms", "slices", "channels"):
        ends = [as_numbers(getattr(counts, part)) for counts in simulation.counts]
        begins = [dict.fromkeys(ends[0], 0), *ends]
        yield [
            {name: after[name] - before[name] for name in after}
            for before, after in zip(begins, ends, strict=False)
        ]


def _launch(
    row: Any, sm: Counted, slices: Counted, channels: Counted, occupancy: Any, work: Any
) -> dict[str, Any]:
    write_misses = sm["write_accesses"] - sm["write_hits"]
    return {
        CYCLES: int(row["end"] - row["begin"]),
        "thread_insts": sm["thread_instructions"],
        "warp_insts": sm["warp_instructions"],
        "global_read_transactions": sm["l1_misses"] - write_misses + sm["atomic_sectors"],
        "global_write_transactions": sm["write_sectors"],
        "l1d_accesses": sm["l1_accesses"],
        "l1d_misses": sm["l1_misses"],
        "l1d_pending_hits": sm["l1_pending"],
        "l2_accesses": slices["accesses"],
        "l2_misses": slices["misses"] + slices["allocated"],
        "dram_reads": channels["reads"],
        "dram_writes": channels["writes"],
        "shmem_bank_conflicts": sm["bank_conflicts"],
        "cta_per_core": occupancy.ctas_per_sm,
        "limiting": occupancy.limiting,
        "registers": work.registers.registers_per_thread,
    }


def beside(row: Counted, ours: Counted) -> Launch:
    """Lay what a launch did beside a row of the reference."""
    return Launch(
        **{key: row[key] for key in ("suite", "program", "input", "config", "launch")},
        cycles=(ours[CYCLES], int(row[CYCLES])),
        counts={name: (ours[name], int(row[name])) for name in COUNTS},
        l1_hit_rate=(_hit_rate(ours, "l1d"), _hit_rate(row, "l1d")),
        l2_hit_rate=(_hit_rate(ours, "l2"), _hit_rate(row, "l2")),
        beside={name: (ours[name], int(row[name])) for name in BESIDE},
        ctas_per_sm=(ours["cta_per_core"], int(row["cta_per_core"])),
        limiters=(tuple(sorted(ours["limiting"])), _limiters(row)),
        registers=ours["registers"],
    )


def _hit_rate(counts: Counted, cache: str) -> float | None:
    accesses, misses = (int(counts[f"{cache}_{what}"]) for what in ("accesses", "misses"))
    return 1 - misses / accesses if accesses else None


def _limiters(row: Counted) -> tuple[str, ...]:
    words = row["occupancy_limiter"].split()
    return tuple(sorted(LIMITERS.get(word, word) for word in words))
