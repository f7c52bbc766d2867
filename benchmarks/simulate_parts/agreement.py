"""The simulator beside GPGPU-Sim: cycles, counts and hit rates of each launch that it timed.

All rows with a time in ``execution_inputs/gpgpusim/reference.csv``, on the machines of its
configurations. Counts of a launch are differences of what was counted at the ends of launches. A
hit is an access that does not go on to the next level, pending hits among them.
"""

from __future__ import annotations

import math
from collections import defaultdict
from statistics import correlation, fmean

from benchmarks.execution import gpgpusim
from benchmarks.simulate_parts.programs import plan_of, record, reference_machine, with_resident
from warpmill.simulator.gpu.options import Options
from warpmill.simulator.gpu.state import as_numbers

COLD = "own-cold-L2"
CYCLES = "gpu_sim_cycle_minus_launch_latency"
COUNTS = (
    "thread_insts", "warp_insts", "global_read_transactions", "global_write_transactions",
    "l1d_accesses",
)  # fmt: skip
BESIDE = ("l1d_pending_hits", "dram_reads", "dram_writes", "shmem_bank_conflicts")
"""Further figures that rows show; nothing is said of them as a whole."""

LIMITERS = {"threads": "warps", "regs": "registers", "shmem": "shared_memory", "ctas": "blocks"}
"""The reference's words for what lets no more CTAs reside, and the simulator's."""


def timed_rows(programs=None, *, quick=False):
    """The rows that have a time; ``quick``: those of one configuration with a warm L2."""
    rows = [row for row in gpgpusim.reference_rows() if row["mode"] == "timing"]
    if programs:
        rows = [row for row in rows if row["program"] in programs]
    if quick:
        rows = [r for r in rows if r["suite"] == "own" and r["config"] == "SM7_QV100"]
    return rows


def compare(rows, say):
    """Simulate what the rows are of; a row each, and the programs whose results are wrong."""
    groups = defaultdict(list)
    for row in rows:
        groups[row["suite"], row["program"], row["input"], row["config"]].append(row)
    recorded, told = {}, []
    for (suite, *key, config), own in groups.items():
        say(f"{suite}: {' '.join(key)} on {config}")
        if tuple(key) not in recorded:
            recorded[tuple(key)] = record(*key)
        launches = simulated(recorded[tuple(key)], config, l2="cold" if suite == COLD else "warm")
        told += [beside(row, launches[row["launch"] - 1]) for row in own]
    return told, [" ".join(key) for key, one in recorded.items() if not one.right]


def simulated(recorded, config, *, l2):
    """Simulate a program on a configuration; what each launch did, under the reference's names."""
    app = recorded.application()
    machine = reference_machine(config)
    made = plan_of(app, machine, Options(l2=l2))
    if recorded.program in gpgpusim.RACING:
        sms = machine.integer("sm.count")
        fits = [fit.ctas_per_sm for fit in made.simulation().occupancies]
        made = with_resident(made, app, [sms * fit for fit in fits])
    simulation = made.simulation()
    simulation.run()
    return list(map(_launch, *_changes(simulation), simulation.occupancies, simulation.works))


def _changes(simulation):
    """The rows of launches, and what SMs, slices and channels counted during each."""
    yield simulation.state.table("launch")
    for part in ("sms", "slices", "channels"):
        ends = [as_numbers(getattr(counts, part)) for counts in simulation.counts]
        begins = [dict.fromkeys(ends[0], 0), *ends]
        yield [
            {name: after[name] - before[name] for name in after}
            for before, after in zip(begins, ends, strict=False)
        ]


def _launch(row, sm, slices, channels, occupancy, work):
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
        "limiting": list(occupancy.limiting),
        "registers": work.registers.registers_per_thread,
    }


def beside(row, ours):
    """Lay what a launch did beside a row of the reference."""
    cycles, expected = ours[CYCLES], int(row[CYCLES])
    pairs = {name: [ours[name], int(row[name])] for name in (*COUNTS, *BESIDE)}
    return {
        **{key: row[key] for key in ("suite", "program", "input", "config", "launch")},
        "cycles": [cycles, expected],
        "error": cycles / expected - 1,
        "counts": {name: pairs[name] for name in COUNTS},
        "l1_hit_rate": [_hit_rate(ours, "l1d"), _hit_rate(row, "l1d")],
        "l2_hit_rate": [_hit_rate(ours, "l2"), _hit_rate(row, "l2")],
        **{name: pairs[name] for name in BESIDE},
        "ctas_per_sm": [ours["cta_per_core"], int(row["cta_per_core"])],
        "limiters": [sorted(ours["limiting"]), _limiters(row)],
        "registers": ours["registers"],
    }


def _hit_rate(counts, cache):
    accesses, misses = (int(counts[f"{cache}_{what}"]) for what in ("accesses", "misses"))
    return 1 - misses / accesses if accesses else None


def _limiters(row):
    words = row["occupancy_limiter"].split()
    return sorted(LIMITERS.get(word, word) for word in words)


def figures(rows):
    """Sum rows up. Errors are shares, those of hit rates points; means are over programs."""
    errors = {name: fmean(abs(r["error"]) for r in own) for name, own in _by_program(rows)}
    logs = [[math.log(row["cycles"][side]) for row in rows] for side in (0, 1)]
    return {
        "rows": len(rows),
        "mape": fmean(errors.values()),
        "mape_by_program": errors,
        "bias": fmean(row["error"] for row in rows),
        "worst": _worst(rows),
        "pearson": correlation(*logs) if len(set(logs[1])) > 1 else None,
        "l1_hit_error_points": _hit_error(rows, "l1_hit_rate"),
        "l2_hit_error_points": _hit_error(rows, "l2_hit_rate"),
        "counts_equal": {name: _share(rows, name, _is_equal) for name in COUNTS},
        "counts_exact": {
            name: _share(rows, name, lambda _, pair: not _off(pair)) for name in COUNTS
        },
        "counts_off": _counts_off(rows),
        "ctas_per_sm_equal": _agreeing(rows, "ctas_per_sm"),
        "limiters_equal": _agreeing(rows, "limiters"),
    }


def _by_program(rows):
    programs = dict.fromkeys(row["program"] for row in rows)
    return [(name, [r for r in rows if r["program"] == name]) for name in programs]


def _worst(rows):
    row = max(rows, key=lambda row: abs(row["error"]))
    return {key: row[key] for key in ("suite", "program", "input", "config", "launch", "error")}


def _hit_error(rows, name):
    """The mean over programs of how far hit rates are apart; None: nothing was accessed."""
    means = []
    for _, own in _by_program(rows):
        pairs = [row[name] for row in own if row[name] != [None, None]]
        if pairs:
            means.append(100 * fmean(abs((a or 0) - (b or 0)) for a, b in pairs))
    return fmean(means) if means else None


def _share(rows, name, right):
    """[n, of m]: rows whose count is right."""
    return [sum(right(row, row["counts"][name]) for row in rows), len(rows)]


def _off(pair):
    return abs(pair[0] - pair[1]) / max(1, pair[1])


def _is_equal(row, pair):
    """Whether a count is equal; within what the order of CTAs decides where threads race."""
    return _off(pair) <= gpgpusim.RACING.get(row["program"], 0)


def _counts_off(rows):
    """List the counts that are not equal, the worst first."""
    found = [
        {
            **{key: row[key] for key in ("suite", "program", "input", "config", "launch")},
            "count": name,
            "ours": pair[0],
            "reference": pair[1],
            "off": _off(pair),
        }
        for row in rows
        for name, pair in row["counts"].items()
        if not _is_equal(row, pair)
    ]
    return sorted(found, key=lambda one: -one["off"])


def _agreeing(rows, name):
    return [sum(row[name][0] == row[name][1] for row in rows), len(rows)]
