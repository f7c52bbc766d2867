"""The simulator beside GPGPU-Sim: cycles, counts and hit rates of each launch that it timed.

All rows with a time in ``execution_inputs/gpgpusim/reference.csv``, on the machines of its
configurations. Counts of a launch are differences of what was counted at the ends of launches. A
hit is an access that does not go on to the next level, pending hits among them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import Any

from warpmill.benchmarks.benchmark import say
from warpmill.benchmarks.execution import gpgpusim
from warpmill.benchmarks.simulate import COUNTS, Launch
from warpmill.benchmarks.simulate.programs import jobs_of, record, reference_machine, with_resident
from warpmill.session.applications import Application
from warpmill.session.simulation_plans import plan
from warpmill.simulator.gpu.options import Options
from warpmill.simulator.gpu.simulate import Simulation
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
    return [
        row
        for row in gpgpusim.reference_rows()
        if row["mode"] == "timing"
        and (not programs or row["program"] in programs)
        and (not quick or (row["suite"], row["config"]) == ("own", "SM7_QV100"))
    ]


def compare(rows: Sequence[Counted]) -> tuple[list[Launch], set[str]]:
    """Simulate what the rows are of; a launch each, and the programs whose results are wrong."""
    recorded, told, wrong = cache(record), [], set()
    for key, own in groupby(rows, itemgetter("suite", "program", "input", "config")):
        suite, program, input_, config = key
        say(f"{suite}: {program} {input_} on {config}")
        ran = recorded(program, input_)
        wrong |= set() if ran.right else {ran.title}
        app = Application(ran.title, ran.recording)
        options = Options(l2="cold" if suite == COLD else "warm")
        made = plan(jobs_of(app), reference_machine(config), options=options)
        if program in gpgpusim.RACING:
            made = with_resident(made, app)
        launches = list(simulated(made.simulation()))
        told += [beside(row, launches[row["launch"] - 1]) for row in own]
    return told, wrong


def simulated(simulation: Simulation) -> Iterator[dict[str, Any]]:
    """What each launch of a simulation did, under the reference's names."""
    simulation.run()
    before: dict[str, dict[str, int]] = {}
    for row, ends, occupancy, work in zip(
        simulation.state.table("launch"),
        simulation.counts,
        simulation.occupancies,
        simulation.works,
        strict=True,
    ):
        after = {part: as_numbers(getattr(ends, part)) for part in ("sms", "slices", "channels")}
        during = {part: Counter(counts) for part, counts in after.items()}
        for part, counts in before.items():
            during[part].subtract(counts)
        before = after
        sm, slices, channels = during.values()
        write_misses = sm["write_accesses"] - sm["write_hits"]
        yield {
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
    """A launch with what it did beside a row of the reference."""
    limiters = [LIMITERS.get(word, word) for word in row["occupancy_limiter"].split()]

    def pairs(names: Iterable[str]) -> dict[str, tuple[int, int]]:
        return {name: (ours[name], int(row[name])) for name in names}

    return Launch(
        **{key: row[key] for key in ("suite", "program", "input", "config", "launch")},
        cycles=(ours[CYCLES], int(row[CYCLES])),
        counts=pairs(COUNTS),
        l1_hit_rate=(_hit_rate(ours, "l1d"), _hit_rate(row, "l1d")),
        l2_hit_rate=(_hit_rate(ours, "l2"), _hit_rate(row, "l2")),
        beside=pairs(BESIDE),
        ctas_per_sm=(ours["cta_per_core"], int(row["cta_per_core"])),
        limiters=(tuple(sorted(ours["limiting"])), tuple(sorted(limiters))),
        registers=ours["registers"],
    )


def _hit_rate(counts: Counted, cache: str) -> float | None:
    accesses, misses = (int(counts[f"{cache}_{what}"]) for what in ("accesses", "misses"))
    return 1 - misses / accesses if accesses else None
