"""Small machines, made up of packaged ones: launches come to every limit that they have."""

from __future__ import annotations

import random
from typing import Any

BASES = ("qv100_accelsim", "gtx480_gpgpusim", "quadro_fx5800_gpgpusim", "v100", "a100")

WITHOUT_L2 = {"quadro_fx5800_gpgpusim"}
"""Those whose L2, where they get one, has no rate yet."""

ALWAYS: dict[str, tuple[Any, ...]] = {
    "sm.count": (1, 2, 3),
    "l1.ways": (1, 4),
    "l1.size_bytes": (0, 1024, 4096, 16384),
    "l2.size_bytes": (0, 2048, 16384, 65536),
    "l2.slices": (2, 4, 8),
    "dram.channels": (1, 2, 3),
}
"""Values that a made-up machine always states, so that it is small."""

AT_TIMES: dict[str, tuple[Any, ...]] = {
    "sm.schedulers": (1, 2, 4),
    "sm.subpartitions": (1, 2, 4),
    "sm.max_warps": (8, 12, 16, 32),
    "sm.max_blocks": (1, 2, 3, 8),
    "sm.collector_units": (1, 2, 3),
    "sm.issue_per_scheduler": (1, 1, 2, 0.5, 0.75, 1.6),
    "front_end.fetch_width": (1, 2, 3),
    "front_end.decode_cycles": (0, 1, 4),
    "scheduler.policy": ("lrr", "gto", "two_level"),
    "scheduler.active_warps": (1, 2, 4),
    "latency.branch": (1, 4, 9),
    "latency.barrier": (1, 7),
    "icache.miss_latency": (0, 25),
    "icache.prefetch_lines": (0, 0, 1, 3),
    "icache.l1_bytes": (256, 512, 2048),
    "icache.fetches_from_l2": (True, False),
    "interval.ldst": (1, 0.5, 3),
    "lanes.fp64": (1, 2, 16),
    "shared.ports": (1, 2, 0.5),
    "l1.mshr_entries": (1, 2, 4, 32),
    "l1.mshr_merge": (1, 2, 8),
    "l1.miss_queue": (1, 2, 8),
    "l1.write": ("through", "back", "local_back"),
    "l1.write_allocate": (True, False),
    "l1.caches_global": (True, True, False),
    "l1.hash": ("linear", "xor"),
    "l1.banks": (1, 4),
    "const.l1_bytes": (256, 1024),
    "const.ports": (1, 2),
    "tex.l1_bytes": (256, 1024),
    "tex.ports": (1, 2),
    "mshr.per_thread": (1, 2, 6),
    "coalesce.inter": (1, 2, 8),
    "coalesce.intra": (1, 1, 2, 8),
    "icnt.buffer": (2, 5, 8, 64),
    "icnt.latency": (1, 4, 9),
    "icnt.input_speedup": (1, 2, 8),
    "icnt.topology": ("crossbar", "butterfly"),
    "icnt.radix": (2, 4),
    "icnt.bytes_per_clk_per_sm": (8, 32, 64, 90),
    "clock.l2_mhz": (700, 1300, 2100),
    "l2.mshr_entries": (1, 3, 32),
    "l2.mshr_merge": (1, 2, 8),
    "l2.ways": (1, 2, 4),
    "l2.hash": ("linear", "xor", "ipoly"),
    "l2.interleave_bytes": (64, 256, 1024),
    "l2.atomic_cycles": (0.5, 2, 5),
    "l2.pipeline_latency": (0, 5, 60),
    "dram.queue": (1, 4, 32),
    "dram.banks": (2, 4, 16),
    "dram.scheduler": ("FR-FCFS", "FCFS"),
    "dram.pipeline_latency": (0, 10, 60),
    "dram.timing.wl": (1, 2, 30),
    "dram.timing.n_bank_groups": (1, 2),
    "launch.blocks_per_clk": (0.1, 0.5, 1, 3),
    "launch.block_cycles": (0, 60, 300),
    "l1.lines_per_clk": (0.5, 1, 4),
    "l1.bytes_per_clk": (32, 48, 64, 128),
    "l2.write_cost": (1, 1.5, 3),
    "l2.access_bytes": (32, 64, 128),
    "l2.write_allocate": ("lazy_fetch_on_read", "fetch_on_write"),
    "dram.type": ("HBM2", "GDDR6"),
    "interval.shared_atomic": (1, 2, 9),
}
"""Values that it states or inherits."""


def random_machine(chance: random.Random) -> tuple[str, dict[str, Any]]:
    """The name of a packaged machine and what is to be changed of it."""
    changes = {key: chance.choice(values) for key, values in ALWAYS.items()}
    for key, values in AT_TIMES.items():
        if chance.random() < 0.5:
            changes[key] = chance.choice(values)
    base = chance.choice(BASES)
    if base in WITHOUT_L2:
        changes["l2.bytes_per_clk"] = 32.0 * changes["l2.slices"]
    return base, changes
