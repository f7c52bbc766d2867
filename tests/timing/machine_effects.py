"""What turning each parameter of a machine does: a table, which the tests go through row by row."""

from dataclasses import dataclass, field
from typing import Any

STARGAZER = "Stargazer, Table 2"
STARGAZER_FIXED = "Stargazer, Table 3"
MINIBENCH = "MiniBench, Table 3"
TBPOINT = "TBPoint, Table V"

HARDWARE = {
    "sm.count": 2, "dram.channels": 2, "dram.bandwidth_gbs": 56.25, "l2.slices": 4,
    "l2.size_bytes": 393216, "l2.bytes_per_clk": 111.0, "icache.miss_latency": 0.0,
}  # fmt: skip
"""A fortieth of a V100; the code is there before it is asked for."""

SIMULATOR = {
    "sm.count": 2, "icache.miss_latency": 0.0, "icnt.buffer": 1024, "l1.mshr_entries": 1024,
}  # fmt: skip
TEXTURES = {"tex.line_bytes": 128, "tex.ways": 128}
"""Texture caches in which it does not matter where something lies."""

BASES = {"v100": HARDWARE}


@dataclass(frozen=True)
class Effect:
    """A parameter with values that rise, and what becomes of ``measure`` on a kernel.

    ``expect``: ``rises`` or ``falls`` from value to value, by a factor of ``by`` from first to last
    at least; ``each``: grows by ``times`` for each unit of the parameter; ``differs``: no two
    values give the same. ``also`` are other settings, ``{}`` in a string is the value.
    """

    key: str
    values: tuple[Any, ...]
    kernel: str
    expect: str = "rises"
    by: float = 1.05
    times: float = 0.0
    measure: str = "cycles"
    machine: str = "v100"
    also: dict[str, Any] = field(default_factory=dict)
    warm: bool = False
    paper: str = ""
    parameter: str = ""

    @property
    def settings(self):
        """What is set beside the key."""
        return BASES.get(self.machine, SIMULATOR) | self.also


def _of(paper, machine, *rows):
    """Give effects of a paper's parameters on a machine: parameter, key, values and so on."""
    return tuple(
        Effect(key, values, kernel, expect, by, paper=paper, parameter=parameter,
               machine=machine, also=also[0] if also else {})
        for parameter, key, values, kernel, expect, by, *also in rows
    )  # fmt: skip


FX = "quadro_fx5800_gpgpusim"
VOLTA = "qv100_accelsim"
"""The simulator of a V100, with limits that are known of simulators only."""
PAPERS = (
    *_of(
        STARGAZER, FX,
        ("c$", "const.l1_bytes", (1024, 2048, 4096, 8192, 16384, 32768), "constant_walk", "falls",
             2.0),
        ("t$", "tex.l1_bytes", (1024, 4096, 32768), "texture_walk", "falls", 1.2, TEXTURES),
        ("smp", "shared.ports", (1, 2, 4, 8), "shared_32", "falls", 3.0),
        ("ccp", "const.ports", (1, 2, 4, 8), "constant_words", "falls", 1.2,
             {"const.l1_bytes": 8192}),
        ("mshr", "mshr.per_thread", (1, 2, 3), "few_loads", "falls", 1.2),
        ("dramq", "dram.queue", (16, 32, 64), "random", "falls", 1.02,
         {"sm.count": 8, "mshr.per_thread": 3, "dram.channels": 2,
              "dram.bytes_per_clk_per_channel": 16.0}),
        ("intra", "coalesce.intra", (1, 2, 4, 8), "read", "falls", 1.05),
        ("inter", "coalesce.inter", (2, 4, 6), "same_lines", "falls", 1.01),
    ),
    *_of(
        STARGAZER_FIXED, FX,
        ("# cores", "sm.count", (2, 4, 8, 16), "busy_ctas", "falls", 2.0),
        ("core clock frequency", "clock.sm_mhz", (325.0, 650.0, 1300.0), "random", "rises", 1.2,
         {"clock.l2_mhz": 1300.0, "sm.count": 8}),
        ("interconnect topology", "icnt.topology", ("crossbar", "butterfly"), "random", "differs",
             1.0,
         {"icnt.radix": 2}),
        ("interconnect flit size", "icnt.flit_bytes", (8, 16, 32), "read", "falls", 1.2),
        ("# DRAM controllers", "dram.channels", (2, 4, 8), "random", "falls", 1.2,
         {"dram.bytes_per_clk_per_channel": 16.0, "sm.count": 8}),
        ("# DRAM chips per controller", "dram.chips_per_channel", (1, 2, 4), "random", "differs",
             1.0),
        ("DRAM clock frequency", "clock.mem_mhz", (200.0, 400.0, 800.0), "random", "falls", 1.2,
         {"sm.count": 8, "dram.bytes_per_clk_per_channel": 16.0}),
    ),
    *_of(
        MINIBENCH, "minibench_28sm",
        ("# of Streaming Multiprocessors", "sm.count", (2, 4, 8), "busy_ctas", "falls", 2.0),
        ("# of CTAs/Core", "sm.max_blocks", (1, 2, 4, 8), "busy_ctas", "falls", 2.0),
        ("# of Threads/Core", "sm.max_threads", (256, 512, 1024), "busy_ctas", "falls", 1.2,
         {"sm.max_blocks": 16}),
        ("# of Registers/Core", "reg.per_sm", (8192, 16384), "busy_ctas", "falls", 1.2,
         {"reg.per_block": 8192, "sm.max_blocks": 16}),
        ("L1 Data Cache", "l1.size_bytes", (8192, 32768, 131072), "reuse", "falls", 1.2,
         {"l1.unified_bytes": 0}),
        ("# of Memory Channels", "dram.channels", (2, 4, 8), "random", "falls", 1.2,
         {"dram.bytes_per_clk_per_channel": 8.0}),
        ("Bandwidth Per Memory Module", "dram.bytes_per_clk_per_channel", (2.0, 4.0, 8.0), "read",
         "falls", 1.2),
        ("DRAM Request Queue Capacity", "dram.queue", (4, 16, 32), "random", "falls", 1.02,
         {"sm.count": 8}),
        ("Memory Controller", "dram.scheduler", ("FCFS", "FR-FCFS"), "random", "falls", 1.05),
        ("Constant Cache Size/Core", "const.l1_bytes", (8192, 32768), "constant_walk", "falls",
             1.2),
        ("Texture Cache", "tex.l1_bytes", (1024, 4096), "texture_walk", "falls", 1.2, TEXTURES),
        ("Warp Schedule Policy", "scheduler.policy", ("gto", "lrr"), "reuse", "differs", 1.0),
        ("Shared Memory/Core", "shared.per_sm_bytes", (8192, 16384), "shared_ctas", "falls", 1.2),
        ("shared memory banks", "shared.banks", (4, 8), "shared_1", "falls", 1.5),
    ),
    *_of(
        TBPOINT, "tbpoint_fermi",
        ("Number of cores", "sm.count", (2, 8, 14), "busy_ctas", "falls", 2.0),
        ("Fetch width", "front_end.fetch_width", (1, 2), "mixed", "falls", 1.05,
         {"sm.issue_per_scheduler": 2.0}),
        ("I-cache", "icache.l1_bytes", (1024, 4096, 16384), "long", "falls", 1.2,
         {"icache.miss_latency": 310.0}),
        ("cycle decode", "front_end.decode_cycles", (1.0, 30.0, 60.0), "branch_chain", "rises",
             1.2),
        ("core clock", "clock.sm_mhz", (575.0, 1150.0, 2300.0), "read", "rises", 1.2),
        ("warp-instruction/cycle", "sm.issue_per_scheduler", (0.5, 1.0), "mixed", "falls", 1.5),
        ("L1 cache", "l1.size_bytes", (4096, 16384, 65536), "reuse", "falls", 1.2,
         {"l1.unified_bytes": 0}),
        ("L1 line", "l1.line_bytes", (64, 128), "sparse", "rises", 1.2),
        ("L1 associativity", "l1.ways", (1, 8), "sets", "falls", 1.05),
        ("L2 cache", "l2.size_bytes", (12288, 49152, 786432), "reuse", "falls", 1.2,
         {"l1.size_bytes": 4096, "l1.unified_bytes": 0}),
        ("L2 associativity", "l2.ways", (1, 8), "chase_turns", "falls", 1.02,
         {"l2.size_bytes": 49152, "l1.size_bytes": 4096, "l1.unified_bytes": 0}),
        ("DRAM clock", "clock.mem_mhz", (575.0, 1150.0), "read", "falls", 1.5,
         {"dram.bytes_per_clk_per_channel": 8.0}),
        ("DRAM page", "dram.page_bytes", (256, 2048), "read", "falls", 1.005),
        ("banks", "dram.banks", (1, 4, 16), "random", "falls", 1.05, {"l2.size_bytes": 12288}),
        ("channels", "dram.channels", (2, 6), "read", "falls", 1.5,
         {"dram.bytes_per_clk_per_channel": 8.0}),
        ("FR-FCFS", "dram.scheduler", ("FCFS", "FR-FCFS"), "random", "falls", 1.05,
         {"dram.channels": 2, "l2.slices": 12, "dram.bytes_per_clk_per_channel": 64.0,
              "sm.count": 14}),
        ("software managed cache", "shared.per_sm_bytes", (4096, 8192, 16384), "shared_ctas",
             "falls", 1.2),
    ),
)  # fmt: skip
"""Parameters that papers state; those that take several settings at once have their own tests."""


_ONE_INSTRUCTION = {"int_minmax": "a100", "clz": FX}
"""Machines on which one instruction does what a V100 has two for, with latencies of their own."""


def _chains():
    """Latencies: 64 instructions that wait for one another; for the last one nothing waits.

    The multiply-add of the kernel's begin and comparisons of its loop come to them.
    """
    names = (
        "int_add", "int_mul", "int_mad", "int_logic", "int_minmax", "setp", "fp32_add", "fp32_mul",
        "fp32_fma", "fp32_minmax", "int_div", "fp32_div", "fp16_fma", "fp64_add", "fp64_mul",
             "fp64_fma",
        "fp64_div", "mufu", "sfu_rcp", "conv", "popc", "clz", "shuffle", "vote", "branch",
             "barrier",
        "shared_load", "shared_atomic", "tensor_mma",
    )  # fmt: skip
    own = {"int_add": 32.0, "int_mad": 64.0, "setp": 64.0, "branch": 64.0, "barrier": 64.0}
    rows = [
        Effect(f"latency.{n}", (100.0, 150.0), f"{n}_chain", "each", times=own.get(n, 63.0),
               machine=_ONE_INSTRUCTION.get(n, "v100"))
        for n in names
    ]  # fmt: skip
    return (
        *rows,
        Effect("latency.mov", (100.0, 150.0), "mov_chain", "each", times=64.0, machine=FX),
    )


def _intervals():
    own = (
        "fp32",
        "fp64",
        "int_add",
        "int_mul",
        "sfu",
        "conv",
        "shuffle",
        "tensor",
        "branch",
        "ldst",
    )
    ptx = ("int_mad", "int_div", "fp32_div", "fp64_div")
    lanes = ("fp16", "int_shift", "int_logic", "compare", "conv64", "popc")
    many = ("fp32", "fp64", "int_add", "int_mul", "sfu", "conv", "shuffle", "ldst")
    low = {"ldst": (8.0, 32.0)}
    return (
        *(Effect(f"interval.{n}", low.get(n, (8.0, 32.0)), f"{n}_stream", by=2.5) for n in own),
        *(Effect(f"interval.{n}", (40.0, 160.0), f"{n}_stream", by=2.5, machine=FX) for n in ptx),
        *(
            Effect(f"lanes.{n}", (4.0, 16.0), f"{n}_stream", "falls", by=2.5)
            for n in (*lanes, *many)
        ),
        Effect("lanes.barrier", (4.0, 16.0), "barrier_stream", "falls", by=2.0),
        Effect("lanes.tensor_fp16_fma", (64.0, 256.0), "tensor_stream", "falls", by=2.5),
        Effect("interval.shared_atomic", (1.0, 4.0), "shared_atomic_chain", "each", times=63.0),
    )


CORE = (
    Effect("sm.schedulers", (1, 2, 4), "int_add_stream", "falls", 1.5,
           also={"sm.subpartitions": 1, "interval.int_add": 0.25}),
    Effect("sm.subpartitions", (1, 2, 4), "int_add_stream", "falls", 1.5,
         also={"interval.int_add": 4.0}),
    Effect("sm.collector_units", (1, 4), "mixed", "differs", also={"interval.fp32": 8.0},
           machine=VOLTA),
    Effect("sm.pipeline_cycles", (5.0, 25.0), "fp32_fma_chain", "each", times=73.0, machine=FX),
    Effect("sm.max_warps", (8, 16, 32), "busy_ctas", "falls", 1.2, also={"sm.max_threads": 1024}),
    Effect("reg.banks", (1, 64), "operands", "falls", 1.05, machine=FX),
    Effect("reg.bank_reads", (1, 2, 4), "operands", "falls", 1.05, machine=FX,
         also={"reg.banks": 1}),
    Effect("scheduler.policy", ("gto", "lrr", "two_level"), "mixed", "differs",
           also={"scheduler.active_warps": 1}),
    Effect("scheduler.active_warps", (1, 8), "random_wait", "differs",
         also={"scheduler.policy": "two_level"}),
    Effect("shared.bank_width_bytes", (4, 8), "shared_2", "falls", 1.5),
    Effect("launch.blocks_per_clk", (0.01, 0.1), "many_ctas", "falls", 1.5),
    Effect("launch.block_cycles", (100.0, 400.0), "many_ctas", by=1.2,
           also={"launch.blocks_per_clk": 1.0, "sm.max_blocks": 2}),
    Effect("front_end.isa", ("machine", "ptx"), "fp32_div_chain", "differs"),
    Effect("icache.line_bytes", (32, 128), "long", "falls", 1.2,
         also={"icache.prefetch_lines": 0, "icache.miss_latency": 100.0}),
    Effect("icache.ways", (1, 8), "long", "differs",
           also={"icache.miss_latency": 100.0, "icache.l1_bytes": 10240}),
    Effect("icache.instruction_bytes", (4, 16), "long", by=1.2,
         also={"icache.prefetch_lines": 0, "icache.miss_latency": 100.0}),
    Effect("icache.miss_latency", (100.0, 300.0), "long", by=1.2,
           also={"icache.prefetch_lines": 0}),
    Effect("icache.fetches_from_l2", (False, True), "long", by=1.2,
           also={"icache.miss_latency": 1.0, "icache.prefetch_lines": 0}),
    Effect("icache.prefetch_lines", (0, 4), "long", "falls", 1.2,
           also={"icache.miss_latency": 100.0, "icache.l1_bytes": 4096}),
    Effect("icache.l1_bytes", (4096, 131072), "long", "falls", 1.2,
         also={"icache.prefetch_lines": 0, "icache.miss_latency": 100.0}),
    Effect("const.l1_latency", (100.0, 150.0), "constant_one", "each", times=63.0),
    Effect("const.line_bytes", (32, 64), "constant_words", "rises", 1.1,
         also={"const.l1_bytes": 1024, "const.ways": 32}),
    Effect("const.ways", (1, 4), "constant_apart", "falls", 1.1, also={"const.l1_bytes": 8192}),
    Effect("tex.latency", (100.0, 150.0), "textures", "each", times=64.0),
    Effect("tex.l1_bytes", (1024, 2048, 16384), "texture_walk", "falls", 1.2, also=TEXTURES),
    Effect("tex.line_bytes", (32, 64, 128), "texture_lines", "rises", 1.2,
         also=TEXTURES | {"tex.l1_bytes": 4096}),
    Effect("tex.ways", (1, 4), "texture_apart", "falls", 1.2,
         also={"tex.line_bytes": 128, "tex.l1_bytes": 4096}),
    Effect("tex.ports", (1, 2, 4, 8), "texture_columns", "falls", 1.5, also=TEXTURES),
)  # fmt: skip

CACHES = (
    Effect("l1.latency", (40.0, 90.0), "chase_l1", "each", times=55.0),
    Effect("l1.bytes_per_clk", (32.0, 64.0, 128.0), "hits", "falls", 1.2),
    Effect("l1.banks", (1, 4), "banks", "falls", 1.2, also={"l1.bytes_per_clk": 1024.0},
           machine=VOLTA),
    Effect("l1.lines_per_clk", (1.0, 4.0), "lines", "falls", 1.2),
    Effect("l1.mshr_entries", (8, 32), "random", "falls", 1.1),
    Effect("l1.mshr_merge", (1, 8), "same_lines", "falls", 1.01, machine=VOLTA),
    Effect("l1.miss_queue", (1, 16), "random", "differs"),
    Effect("l1.caches_global", (False, True), "reuse", "falls", 1.1),
    Effect("l1.write", ("through", "back"), "stores", "falls", 1.5, measure="packets_to_l2",
           also={"l1.write_allocate": True}),
    Effect("l1.write", ("through", "local_back"), "locals", "falls", 1.5, measure="packets_to_l2",
           also={"l1.write_allocate": True}),
    Effect("l1.write_allocate", (False, True), "stores", "falls", 1.5, measure="packets_to_l2",
           also={"l1.write": "back"}),
    Effect("l1.hash", ("linear", "xor"), "sets_far", "falls", also={"l1.size_bytes": 16384,
         "l1.sets": 128}),
    Effect("l1.sets", (16, 128), "sets", "differs", also={"l1.size_bytes": 16384}),
    Effect("l1.unified_bytes", (32768, 131072), "reuse", "falls", 1.01),
    Effect("l1.sector_bytes", (32, 64), "chase_dram", "differs", measure="sector_bytes"),
    Effect("l2.latency", (250.0, 300.0), "chase_l2", "each", times=32.0, warm=True),
    Effect("l2.pipeline_latency", (100.0, 150.0), "chase_l2", "each", times=32.0,
         machine="gtx480_gpgpusim"),
    Effect("l2.bytes_per_clk", (16.0, 64.0), "copy", "falls", 1.2),
    Effect("l2.slices", (2, 8), "copy", "differs"),
    Effect("l2.line_bytes", (32, 128), "sparse", by=1.05,
           also={"l2.size_bytes": 16384, "l1.caches_global": False}),
    Effect("l2.interleave_bytes", (256, 1024), "read", "differs"),
    Effect("l2.hash", ("linear", "xor"), "read", "differs"),
    Effect("l2.atomic_cycles", (1.0, 4.0), "atomics", by=1.5),
    Effect("l2.write_cost", (1.0, 4.0), "copy", by=1.2, also={"l2.bytes_per_clk": 32.0}),
    Effect("l2.write_allocate", ("lazy_fetch_on_read", "fetch_on_write"), "parts", by=1.02),
    Effect("l2.access_bytes", (32, 128), "random", by=1.2, also={"l2.bytes_per_clk": 32.0}),
    Effect("l2.mshr_entries", (1, 64), "random", "falls", 1.1),
    Effect("l2.mshr_merge", (1, 8), "same_lines_many_sms", "falls", 1.02, machine=VOLTA),
    Effect("icnt.latency", (5.0, 55.0), "chase_l2", "each", times=64.0, machine="gtx480_gpgpusim"),
    Effect("icnt.radix", (2, 8), "random", "differs", machine=FX),
    Effect("icnt.buffer", (4, 64), "random", "falls", 1.2, machine=VOLTA),
    Effect("icnt.input_speedup", (1, 16), "random", "differs"),
    Effect("icnt.bytes_per_clk_per_sm", (4.0, 32.0), "read", "falls", 1.2,
         also={"l2.bytes_per_clk": 512.0}),
)  # fmt: skip

DRAM = (
    Effect("dram.latency", (500.0, 550.0), "chase_dram", "each", times=32.0),
    Effect("dram.pipeline_latency", (100.0, 150.0), "chase_dram", "each", times=32.0,
         machine="gtx480_gpgpusim"),
    Effect("dram.bandwidth_gbs", (14.0, 28.0, 56.0), "read", "falls", 1.5),
    Effect("dram.mixed_efficiency", (0.6, 1.0), "copy", "falls", 1.2,
         also={"l2.size_bytes": 49152}),
    Effect("dram.bus_bits", (128, 256), "read", "falls", 1.2, machine="gtx480_gpgpusim",
         also={"sm.count": 8}),
    Effect("clock.mem_gtps", (0.4, 3.2), "read", "falls", 1.2, machine="gtx480_gpgpusim",
         also={"sm.count": 8}),
    Effect("dram.burst_bytes", (32, 128), "random", by=1.5),
    Effect("clock.l2_mhz", (200.0, 700.0), "read", "falls", 1.1, machine="gtx480_gpgpusim"),
    *(Effect(f"dram.timing.{key}", values, kernel, by=by, machine=also.pop("machine", "v100"),
         also=also)
      for key, values, kernel, by, also in (
        ("ccd", (1, 8), "read", 1.5, {"dram.timing.ccdl": 8}),
        ("ccdl", (1, 32), "read", 1.015, {}),
        ("rrd", (1, 40), "random", 1.2, {}),
        ("rcd", (1, 120), "chase_dram", 1.2, {"machine": "gtx480_gpgpusim"}),
        ("ras", (1, 200), "random", 1.05, {"dram.timing.rc": 1}),
        ("rp", (1, 120), "random", 1.05, {}),
        ("rc", (1, 200), "random", 1.05, {}),
        ("cl", (1, 120), "chase_dram", 1.2, {"machine": "gtx480_gpgpusim"}),
        ("wl", (1, 200), "copy_random", 1.02, {"machine": FX, "sm.count": 8, "dram.channels": 2,
             "dram.bytes_per_clk_per_channel": 16.0}),
        ("cdlr", (1, 120), "copy_random", 1.05, {"machine": FX, "sm.count": 8, "dram.channels": 2,
             "dram.bytes_per_clk_per_channel": 16.0}),
        ("wr", (1, 200), "copy_random", 1.02, {"machine": FX, "sm.count": 8, "dram.channels": 2,
             "dram.bytes_per_clk_per_channel": 16.0}),
        ("rtpl", (1, 200), "random", 1.05, {}),
      )),
    Effect("dram.timing.n_bank_groups", (1, 4), "read", "falls", 1.1,
         also={"dram.timing.ccdl": 16}),
)  # fmt: skip

NOT_TIMED = {
    "clock.core_base_mhz": "clock.sm_mhz is what cycles are of",
    "clock.core_boost_mhz": "clock.sm_mhz is what cycles are of",
    "clock.peak_mhz": "of announced peaks only",
    "scheduler.order": "one value only",
    "scheduler.divergence": "one value only",
    "dram.size_gb": "capacity",
    "dram.measured_gbs": "what the simulator is to come out with",
    "dram.type": "DDR: channels of double width are two",
    "dram.timing.n_banks": "dram.banks is read",
    "lanes.tensor_cores": "lanes.tensor_fp16_fma is read",
    "l2.sector_bytes": "L1 and L2 have sectors of one size, l1.sector_bytes",
    "latency.shared_store": "nothing waits for a store to shared memory",
    "lanes.tensor_fp16_fma_f32acc": "interval.tensor_f32acc follows from it",
    "interval.tensor_f32acc": "follows from interval.tensor",
    "interval.wgmma": "warpgroups are not executed",
    "latency.wgmma": "warpgroups are not executed",
    **dict.fromkeys(
        ("latency.sfu_rsqrt", "latency.sfu_sqrt", "latency.sfu_sin", "latency.sfu_ex2",
             "latency.sfu_lg2"),
        "whole PTX sequences; latency.mufu is read",
    ),
    "latency.global_atomic": "follows from l2.latency and l2.atomic_cycles",
    "l2.latency_far": "all of L2 is near",
    **dict.fromkeys(
        ("const.l15_bytes", "const.l15_latency", "const.l2_latency", "const.miss_latency"),
        "constants that miss go to L2 like loads",
    ),
    "tex.l2_latency": "texels that miss go to L2 like loads",
    "icache.l0_bytes": "one instruction cache for an SM",
    "icnt.subnets": "requests and replies always go apart",
    **dict.fromkeys(
        ("launch.back_to_back_us", "launch.graph_us", "launch.sim_kernel_cycles",
             "launch.serial_us", "launch.kernel_us", "launch.event_us"),
        "launch overhead is not part of the time",
    ),
}  # fmt: skip
"""Keys that cycles do not depend on, and why."""

OCCUPANCY = (
    "sm.max_threads_per_block", "reg.per_block", "reg.max_per_thread", "reg.alloc_unit",
    "reg.alloc_granularity", "reg.warp_alloc_granularity", "reg.legality_partitions",
    "shared.per_block_bytes", "shared.per_block_optin_bytes", "shared.reserved_per_block_bytes",
    "shared.alloc_unit_bytes", "shared.carveout_kib",
)  # fmt: skip
"""Keys that decide how many CTAs reside on an SM, which the tests of occupancy turn."""

EFFECTS = (*PAPERS, *_chains(), *_intervals(), *CORE, *CACHES, *DRAM)
