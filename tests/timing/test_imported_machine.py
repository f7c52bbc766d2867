"""What configurations of GPGPU-Sim become: values, sources, fallbacks, and what is refused."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from warpmill.analyzer.base.diagnostics import InputError, UsageError
from warpmill.simulator.machines import diff, imported_machine, load_machine, read_configuration
from warpmill.simulator.machines.schema import RULES, evaluate
from warpmill.simulator.memory.cache import l1_spec, l2_spec
from warpmill.simulator.occupancy import l1_bytes_beside, occupancy

CONFIGURATIONS = Path(__file__).parents[2] / "benchmarks/execution_inputs/gpgpusim/configs.json"

SMALL = Path(__file__).parents[2] / "samples" / "machines" / "smallgpu" / "gpgpusim.config"

# The options of two configurations whose values the packaged machines state from other sources.
VOLTA = """
-gpgpu_compute_capability_major 7 -gpgpu_compute_capability_minor 0
-gpgpu_n_clusters 80 -gpgpu_n_cores_per_cluster 1 -gpgpu_n_mem 32
-gpgpu_n_sub_partition_per_mchannel 2 -gpgpu_clock_domains 1132.0:1132.0:1132.0:850.0
-gpgpu_shader_registers 65536 -gpgpu_registers_per_block 65536
-gpgpu_shader_core_pipeline 2048:32 -gpgpu_shader_cta 32
-gpgpu_num_sp_units 4 -gpgpu_num_sfu_units 4 -gpgpu_num_dp_units 4 -gpgpu_num_int_units 4
-gpgpu_tensor_core_avail 1 -gpgpu_num_tensor_core_units 4
-ptx_opcode_latency_int 4,13,4,5,145,21 -ptx_opcode_initiation_int 2,2,2,2,8,4
-ptx_opcode_latency_fp 4,13,4,5,39 -ptx_opcode_initiation_fp 2,2,2,2,4
-ptx_opcode_latency_dp 8,19,8,8,330 -ptx_opcode_initiation_dp 4,4,4,4,130
-ptx_opcode_latency_sfu 100 -ptx_opcode_initiation_sfu 8
-ptx_opcode_latency_tesnor 64 -ptx_opcode_initiation_tensor 64
-gpgpu_sub_core_model 1 -gpgpu_enable_specialized_operand_collector 0
-gpgpu_operand_collector_num_units_gen 8 -gpgpu_num_reg_banks 16
-gpgpu_reg_file_port_throughput 2 -gpgpu_shmem_num_banks 32
-gpgpu_num_sched_per_core 4 -gpgpu_scheduler lrr -gpgpu_max_insn_issue_per_warp 1
-gpgpu_adaptive_cache_config 1 -gpgpu_shmem_option 0,8,16,32,64,96 -gpgpu_unified_l1d_size 128
-gpgpu_l1_banks 4 -gpgpu_cache:dl1 S:4:128:64,L:T:m:L:L,A:512:8,16:0,32 -gpgpu_l1_latency 20
-gpgpu_gmem_skip_L1D 0 -gpgpu_shmem_size 98304 -gpgpu_shmem_per_block 65536
-gpgpu_smem_latency 20 -gpgpu_cache:dl2 S:32:128:24,L:B:m:L:P,A:192:4,32:0,32
-gpgpu_cache:dl2_texture_only 0 -gpgpu_memory_partition_indexing 2
-gpgpu_cache:il1 N:64:128:16,L:R:f:N:L,S:2:48,4 -gpgpu_const_cache:l1 N:128:64:8,L:R:f:N:L,S:2:64,4
-gpgpu_tex_cache:l1 N:4:128:256,L:R:m:N:L,T:512:8,128:2
-gpgpu_perfect_inst_const_cache 1 -network_mode 2 -icnt_in_buffer_limit 512 -icnt_subnets 2
-icnt_flit_size 40 -gpgpu_l2_rop_latency 160 -dram_latency 100 -gpgpu_dram_scheduler 1
-gpgpu_frfcfs_dram_sched_queue_size 64 -gpgpu_n_mem_per_ctrlr 1 -gpgpu_dram_buswidth 16
-gpgpu_dram_burst_length 2 -dram_data_command_freq_ratio 2 -gpgpu_kernel_launch_latency 5000
-gpgpu_TB_launch_latency 0
-gpgpu_dram_timing_opt "nbk=16:CCD=1:RRD=3:RCD=12:RAS=28:RP=12:RC=40:
  CL=12:WL=2:CDLR=3:WR=10:nbkgrp=4:CCDL=2:RTPL=3"
"""
FERMI = """
-gpgpu_ptx_force_max_capability 20
-gpgpu_n_clusters 15 -gpgpu_n_cores_per_cluster 1 -gpgpu_n_mem 6
-gpgpu_n_sub_partition_per_mchannel 2 -gpgpu_clock_domains 700.0:700.0:700.0:924.0
-gpgpu_shader_registers 32768 -gpgpu_shader_core_pipeline 1536:32 -gpgpu_shader_cta 8
-gpgpu_num_sp_units 2 -gpgpu_num_sfu_units 1 -gpgpu_num_dp_units 0
-ptx_opcode_latency_int 4,13,4,5,145,32 -ptx_opcode_initiation_int 1,2,2,1,8,4
-ptx_opcode_latency_fp 4,13,4,5,39 -ptx_opcode_initiation_fp 1,2,1,1,4
-ptx_opcode_latency_dp 8,19,8,8,330 -ptx_opcode_initiation_dp 8,16,8,8,130
-gpgpu_cache:dl1 N:32:128:4,L:L:m:N:H,S:64:8,8 -gpgpu_shmem_size 49152 -icnt_flit_size 40
-gpgpu_gmem_skip_L1D 0 -gpgpu_l1_latency 35 -gpgpu_smem_latency 26
-gpgpu_cache:dl2 S:64:128:8,L:B:m:L:L,A:256:4,4:0,32 -gpgpu_cache:dl2_texture_only 0
-gpgpu_dram_partition_queues 64:64:64:64 -gpgpu_cache:il1 N:4:128:4,L:R:f:N:L,S:2:32,4
-gpgpu_tex_cache:l1 N:4:128:24,L:R:m:N:L,T:128:4,128:2
-gpgpu_const_cache:l1 N:64:64:2,L:R:f:N:L,S:2:32,4
-gpgpu_operand_collector_num_units_sp 6 -gpgpu_operand_collector_num_units_sfu 8
-gpgpu_num_reg_banks 16 -gpgpu_shmem_num_banks 32 -gpgpu_max_insn_issue_per_warp 1
-network_mode 1 -gpgpu_l2_rop_latency 120 -dram_latency 100 -gpgpu_dram_scheduler 1
-gpgpu_frfcfs_dram_sched_queue_size 64 -gpgpu_n_mem_per_ctrlr 2 -gpgpu_dram_buswidth 4
-gpgpu_dram_burst_length 8 -dram_data_command_freq_ratio 4
-gpgpu_dram_timing_opt "nbk=16:CCD=2:RRD=6:RCD=12:RAS=28:RP=12:RC=40:
                        CL=12:WL=4:CDLR=5:WR=12:nbkgrp=4:CCDL=3:RTPL=2"
-gpgpu_num_sched_per_core 2 -gpgpu_scheduler gto
"""


@pytest.fixture
def config(tmp_path):
    def written(text, name="gpgpusim.config"):
        path = tmp_path / name
        path.write_text(text, "utf-8")
        return path

    return written


def volta(config, more=""):
    return imported_machine(config(VOLTA + more))


# Where the packaged machines, which rest on data sheets too, differ from GPGPU-Sim.
OTHERWISE = {
    "qv100_accelsim": {
        "reg.alloc_unit", "reg.warp_alloc_granularity", "shared.alloc_unit_bytes",
        "lanes.fp16", "lanes.int_shift", "lanes.int_logic", "lanes.compare", "lanes.conv",
        "lanes.conv64", "lanes.popc", "lanes.tensor_cores", "lanes.tensor_fp16_fma",
        "lanes.tensor_fp16_fma_f32acc", "interval.wgmma",
        "interval.conv", "interval.branch", "latency.branch",
        "latency.sfu_rcp", "latency.sfu_rsqrt", "latency.sfu_sqrt", "latency.sfu_sin",
        "latency.sfu_ex2", "latency.sfu_lg2",
        "l1.ways", "l1.sets", "tex.ways", "icnt.topology",
    },
    "gtx480_gpgpusim": {
        "reg.alloc_unit", "reg.warp_alloc_granularity", "shared.alloc_unit_bytes",
        "shared.carveout_kib",
    },
}  # fmt: skip


@pytest.mark.parametrize(("text", "base"), [(VOLTA, "qv100_accelsim"), (FERMI, "gtx480_gpgpusim")])
def test_an_import_agrees_with_the_packaged_machine_of_that_configuration(text, base, config):
    machine = imported_machine(config(text))
    assert machine.chain[1] == base
    differing = {key for key, _, _ in diff(machine, load_machine(base))}
    differing = {k for k in differing if not k.startswith(("machine.", "peak."))}
    assert differing == OTHERWISE[base]
    stated = [key for key, value in machine.values if value.status == "stated"]
    assert len(stated) > 120


def test_units_lanes_and_intervals_of_a_sub_core_model(config):
    machine = volta(config)
    assert machine.integer("sm.subpartitions") == 4
    found = {key: machine.number(f"interval.{key}") for key in ("fp32", "fp64", "sfu", "conv")}
    assert found == {"fp32": 2, "fp64": 4, "sfu": 8, "conv": 1}
    assert machine.number("lanes.fp32") == 64
    assert machine.number("lanes.compare") == 128
    assert machine.number("interval.ldst") == 4  # one a cycle and SM, of four sub-partitions
    divisions = [machine.number(f"interval.{x}_div") for x in ("int", "fp32", "fp64")]
    assert divisions == [8, 4, 130]
    for key in ("int_logic", "mov", "setp", "conv", "popc", "clz", "vote", "branch"):
        assert machine.number(f"latency.{key}") == 1
    assert machine.text("front_end.isa") == "ptx"
    assert machine.number("sm.pipeline_cycles") == 5


def test_units_that_all_schedulers_share_and_units_that_stand_in(config):
    machine = imported_machine(config(FERMI))
    assert machine.integer("sm.subpartitions") == 1
    assert machine.number("interval.int_add") == 0.5  # two SP units, no INT units
    assert machine.number("interval.int_mul") == 1
    assert machine.number("interval.int_mad") == 0.5
    assert machine.number("interval.fp64") == 8  # on the one SFU, without DP units
    assert machine.number("interval.fp64_div") == 130
    assert machine.number("interval.shuffle") == 2
    assert machine.integer("sm.collector_units") == 8  # 6 + 8 and by default 2, of two schedulers
    assert machine.number("latency.mufu") == 8
    assert "GPGPU-Sim's default -ptx_opcode_latency_sfu" in machine["latency.mufu"].source


@pytest.mark.parametrize("text", [VOLTA, FERMI, SMALL.read_text("utf-8")])
def test_what_the_rules_derive_is_what_is_stated(text, config):
    machine = imported_machine(config(text))
    for key, rule in RULES.items():
        value = machine.get(key)
        if value is None:
            continue
        inputs = tuple(machine.number(name) for name in rule.inputs)
        if key not in ("interval.int_mad", "dram.measured_gbs"):
            assert value.value == pytest.approx(evaluate(rule, inputs)), key


def test_every_value_has_its_source(config):
    machine = imported_machine(config(FERMI))
    stated = [(key, v) for key, v in machine.values if v.status == "stated"]
    for key, value in stated:
        assert value.letter == "-" or value.letter in "CDA", key
    assert machine["l1.latency"].source == "gpgpusim.config -gpgpu_l1_latency"
    assert machine["sm.count"].source.endswith("-gpgpu_n_clusters -gpgpu_n_cores_per_cluster")
    assert not machine["dram.timing.rcd"].assumed
    assert machine.integer("l1.sector_bytes") == 128  # whole lines are filled there
    assert machine["l2.latency"].status == "inherited"


def test_caches_of_one_array_with_shared_memory(config):
    machine = volta(config)
    keys = ("l1.size_bytes", "l1.unified_bytes", "l1.ways", "l1.sets", "l1.bytes_per_clk")
    assert [machine.number(key) for key in keys] == [131072, 131072, 256, 4, 128]
    assert machine.integers("shared.carveout_kib") == (0, 8, 16, 32, 64, 96)
    assert l1_bytes_beside(machine, 96 << 10) == 32 << 10
    spec = l1_spec(machine, 96 << 10)
    assert spec is not None
    assert (spec.ways, spec.size_bytes // spec.line_bytes // spec.ways) == (64, 4)
    assert machine.text("l1.write") == "through"
    assert machine.flag("l1.write_allocate")
    assert machine.text("l2.hash") == "ipoly"
    assert l2_spec(machine) is not None


def test_caches_of_their_own(config):
    machine = imported_machine(config(FERMI))
    assert machine.integer("l1.size_bytes") == 16384
    assert l1_bytes_beside(machine, 49152) == 16384
    assert machine.text("l1.write") == "local_back"
    assert not machine.flag("l1.write_allocate")
    assert (machine.text("l1.hash"), machine.integer("l1.miss_queue")) == ("xor", 8)
    assert (machine.integer("l1.banks"), machine.number("l1.bytes_per_clk")) == (1, 128)
    assert (machine.integer("icache.ways"), machine.integer("tex.l1_bytes")) == (4, 12288)
    none = imported_machine(config(FERMI + "-gpgpu_cache:dl1 none -gpgpu_cache:dl2_texture_only 1"))
    assert (none.integer("l1.size_bytes"), none.integer("l1.sets")) == (0, 0)
    assert not none.flag("l1.caches_global")
    assert (none.integer("l2.size_bytes"), none.integer("l2.slices")) == (0, 0)
    assert l1_spec(none) is l2_spec(none) is None


@pytest.mark.parametrize(
    ("cache", "found"),
    [
        ("64:128:6,L:R:m:N:L,A:32:8,8", (64 * 128 * 6, "through", False, "linear", 32)),
        ("N:32:128:4,L:B:m:W:P,A:16:4,4", (16384, "back", True, "xor", 16)),
        ("S:1:128:512,L:E:s:F:X,T:256:8,16:0,32", (65536, "through", True, "xor", 256)),
        ("8:128:5,L:T:m:N,F:128:4,128:2", (5120, "through", False, "linear", 128)),
        ("64:64:2,L:B:f,A:2:32,4", (8192, "back", False, "linear", 2)),
        ("S:4:128:64,L:T:m:L:L,A:512:8", (32768, "through", True, "linear", 512)),
    ],
)
def test_forms_of_a_cache(cache, found, config):
    machine = imported_machine(config(f"{FERMI}-gpgpu_cache:dl1 {cache}"))
    keys = ("size_bytes", "write", "write_allocate", "hash", "mshr_entries")
    assert tuple(machine[f"l1.{key}"].value for key in keys) == found


def test_occupancy_is_that_of_gpgpusim(config):
    machine = imported_machine(config(FERMI))
    random_ = random.Random(5)
    for _ in range(300):
        threads, registers = random_.randint(1, 1024), random_.randint(1, 63)
        shared = random_.choice([0, random_.randint(1, 49152)])
        padded = -(-threads // 32) * 32
        limits = [1536 // padded, 8, 32768 // (padded * ((registers + 3) // 4 * 4))]
        limits += [49152 // shared] if shared else []
        found = occupancy(machine, threads, registers, shared).ctas_per_sm
        assert found == min(limits), (threads, registers, shared)


def test_dram_mapping_and_network_of_the_sample():
    machine = imported_machine(SMALL)
    assert (machine.name, machine.chain[1]) == ("smallgpu", "gtx480_gpgpusim")
    assert (machine.number("clock.mem_gtps"), machine.integer("dram.bus_bits")) == (5, 128)
    assert machine.number("dram.bandwidth_gbs") == 80
    assert machine.number("dram.bytes_per_clk_per_channel") == 16
    assert (machine.integer("dram.burst_bytes"), machine.integer("dram.page_bytes")) == (32, 2048)
    assert machine.integer("l2.interleave_bytes") == 256
    assert (machine.text("icnt.topology"), machine.integer("icnt.radix")) == ("butterfly", 4)
    assert machine["icnt.radix"].source == "fly.icnt k"
    assert machine["icnt.buffer"].status == "inherited"  # its queues hold flits of all senders
    assert machine.number("launch.blocks_per_clk") == 8


@pytest.mark.parametrize(
    ("more", "values"),
    [
        ("-gpgpu_n_clusters 10 -gpgpu_n_cores_per_cluster 3",
         {"sm.count": 30, "launch.blocks_per_clk": 10, "icnt.bytes_per_clk_per_sm": 32 / 3}),
        ("-icnt_flit_size 32", {"icnt.bytes_per_clk_per_sm": 16, "icnt.flit_bytes": 32}),
        ("-gpgpu_clock_domains 1000:2000:1500:850",
         {"icnt.bytes_per_clk_per_sm": 64, "l2.bytes_per_clk": 3072, "clock.l2_mhz": 1500}),
        ("-gpgpu_scheduler two_level_active:6:0:1",
         {"scheduler.policy": "two_level", "scheduler.active_warps": 6}),
        ("-gpgpu_dram_scheduler 0 -gpgpu_frfcfs_dram_sched_queue_size 0",
         {"dram.scheduler": "FCFS", "dram.queue": 65536}),
        ("-gpgpu_dram_timing_opt 4:2:8:12:21:13:34:9:4:5:13",
         {"dram.banks": 4, "dram.timing.cl": 9, "dram.timing.n_bank_groups": 1,
          "dram.timing.ccdl": 0}),
        ("-gpgpu_perfect_inst_const_cache 0",
         {"icache.miss_latency": 212, "icache.fetches_from_l2": True}),
        ("-gpgpu_shmem_option 32,64 -gpgpu_unified_l1d_size 96 -gpgpu_shmem_size 65536",
         {"shared.carveout_kib": (32, 64), "l1.ways": 192, "l1.sets": 4}),
        ("-gpgpu_shmem_option 0,8", {"shared.carveout_kib": (0, 8, 96)}),
        ("-gpgpu_num_int_units 2", {"interval.int_add": 4, "interval.conv": 2, "interval.fp32": 2}),
        ("-gpgpu_tensor_core_avail 0", {"lanes.tensor_cores": 0, "lanes.tensor_fp16_fma": 0}),
        ("-gpgpu_shader_core_pipeline 512:16", {"machine.warp_size": 16, "sm.max_warps": 32,
         "sm.max_threads_per_block": 512, "reg.alloc_unit": 64, "lanes.ldst": 16}),
        ("-gpgpu_registers_per_block 32768", {"reg.per_block": 32768}),
        ("-gpgpu_compute_capability_major 8 -gpgpu_compute_capability_minor 9",
         {"machine.architecture": "Ada", "machine.compute_capability": "8.9"}),
    ],
)  # fmt: skip
def test_further_options(more, values, config):
    machine = volta(config, more)
    for key, value in values.items():
        assert machine[key].value == (value if isinstance(value, tuple) else pytest.approx(value))


def test_the_capability_that_ptx_is_taken_for_serves_where_no_other_is_stated(config):
    old = imported_machine(config(FERMI.replace("capability 20", "capability 13")))
    assert old.text("machine.compute_capability") == "1.3"
    assert (old.text("machine.architecture"), old.chain[1]) == ("Tesla", "gtx480_gpgpusim")
    assert old.integer("sm.max_threads_per_block") == 512
    without = imported_machine(config(FERMI.replace("-gpgpu_ptx_force_max_capability 20", "")))
    assert (without.text("machine.compute_capability"), without.chain[1]) == (
        "7.0",
        "qv100_accelsim",
    )


def test_names_bases_and_settings(config):
    path = config(VOLTA)
    machine = imported_machine(path, name="mine", base="a100", overrides={"sm.count": 7})
    assert (machine.name, machine.chain[1:]) == ("mine", ("a100", "v100", "generic"))
    assert (machine.integer("sm.count"), machine["sm.count"].status) == (7, "set")
    assert machine.number("l2.latency") == load_machine("a100").number("l2.latency")
    assert imported_machine(path).name == path.parent.name
    assert imported_machine(config(VOLTA, "volta.config")).name == "volta"
    with pytest.raises(UsageError, match="`a101` is not a machine that comes with warpmill"):
        imported_machine(path, base="a101")
    with pytest.raises(UsageError, match="is one configuration, not a file of several"):
        imported_machine(path, config="X")


def test_the_text_of_the_file_gives_the_same_machine(config, tmp_path):
    found = read_configuration(config(FERMI), name='a "Fermi"')
    path = tmp_path / "fermi.toml"
    path.write_text(found.text, "utf-8")
    loaded, direct = load_machine(str(path)), found.machine()
    assert diff(loaded, direct) == ()
    assert [(k, v.source, v.status) for k, v in loaded.values] == [
        (k, v.source, v.status) for k, v in direct.values
    ]


# --- records ------------------------------------------------------------------------------------

RECORD = {
    "n_sm": 80,
    "clock_mhz": {"core": 1132.0, "icnt": 1132.0, "l2": 1132.0, "dram": 850.0},
    "threads_per_sm": 2048, "max_warps_per_sm": 64, "max_cta_per_sm": 32,
    "registers_per_sm": 65536, "shared_mem_per_sm": 98304, "schedulers": 4,
    "scheduler_policy": "lrr", "sub_core_model": "1", "max_issue_per_warp": "1",
    "units": {"sp": "4", "sfu": "4", "dp": "4", "int": "4", "tensor_core": "4"},
    "reg_banks": "16",
    "latency": {"int": "4,13,4,5,145,21", "fp": "4,13,4,5,39", "dp": "8,19,8,8,330",
                "sfu": "100", "tesnor": "64"},
    "initiation": {"int": "2,2,2,2,8,4", "fp": "2,2,2,2,4", "dp": "4,4,4,4,130", "sfu": "8",
                   "tensor": "64"},
    "l1d_raw": "S:4:128:64,L:T:m:L:L,A:512:8,16:0,32", "l1_latency": "20", "l1_banks": "4",
    "unified_l1d_kib": "128", "gmem_skip_l1": "0", "smem_latency": "20",
    "l2_raw": "S:32:128:24,L:B:m:L:P,A:192:4,32:0,32", "l2_slices": 64, "l2_rop_latency": "160",
    "mem_channels": 32, "dram_latency": "100", "dram_buswidth_B": "16", "dram_burst": "2",
    "dram_freq_ratio": "2",
    "dram_timing": "nbk=16:CCD=1:RRD=3:RCD=12:RAS=28:RP=12:RC=40: CL=12:WL=2:CDLR=3:WR=10:"
                   "nbkgrp=4:CCDL=2:RTPL=3",
    "dram_peak_GBps_computed": 870.4, "icnt_mode": "2", "icnt_flit_B": "40",
    "kernel_launch_latency": "5000", "force_max_capability": "70",
}  # fmt: skip


def recorded(config, **changes):
    text = json.dumps({"configs": {"SM7": RECORD | changes}})
    return imported_machine(config(text, "configs.json"))


def test_a_record_gives_the_machine_of_the_option_file(config):
    machine, other = recorded(config), volta(config)
    found = {key for key, _, _ in diff(machine, other)}
    assert found == {"machine.name", "tex.ways"}  # records do not name texture caches
    assert machine["l1.latency"].source == "configs.json SM7 l1_latency"
    assert machine["shared.carveout_kib"].letter == "A"  # records do not say them
    assert machine["icnt.buffer"].status == "inherited"


def test_what_a_record_lacks_falls_back(config):
    turing = recorded(
        config, n_sm=30, threads_per_sm=1024, max_warps_per_sm=32, shared_mem_per_sm=65536,
        max_cta_per_sm=16, unified_l1d_kib="96", force_max_capability="75",
        latency=RECORD["latency"] | {"int": "4,4,4,4,21"},
        initiation=RECORD["initiation"] | {"int": "2,2,2,2,2"},
    )  # fmt: skip
    assert turing.text("machine.architecture") == "Turing"
    assert turing.integers("shared.carveout_kib") == (0, 8, 16, 32, 64)
    assert (turing.integer("l1.size_bytes"), turing.integer("l1.ways")) == (98304, 192)
    assert turing["latency.shuffle"].origin == "qv100_accelsim"
    assert occupancy(turing, 256, 32, 0).ctas_per_sm == 4
    assert occupancy(turing, 32, 32, 8192).ctas_per_sm == 8
    parts = ("shared.per_block_bytes", "shared.per_block_optin_bytes")
    small = recorded(config, shared_mem_per_sm=16384)
    assert [small.integer(key) for key in parts] == [16384, 16384]


# --- what is refused ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "column", "words"),
    [
        ("-gpgpu_n_mem many", 14, "-gpgpu_n_mem: a whole number is needed, not `many`"),
        ("-gpgpu_n_mem 0", 14, "-gpgpu_n_mem: at least 1 is needed, not 0"),
        ("-gpgpu_n_mem 5000", 14, "-gpgpu_n_mem: dram.channels is 1 to 4096 channels, not 5000"),
        ("-gpgpu_num_sp_units 0", 21, "-gpgpu_num_sp_units: at least 1 is needed, not 0"),
        ("-gpgpu_clock_domains 1:2:3", 22, "-gpgpu_clock_domains: 4 numbers above 0 with `:`"),
        ("-gpgpu_clock_domains 1:2:0:3", 22, "-gpgpu_clock_domains: 4 numbers above 0 with `:`"),
        ("-gpgpu_shader_core_pipeline 1000:32", 29, "-gpgpu_shader_core_pipeline: threads of an"),
        ("-ptx_opcode_latency_fp 4,4,4", 24, "-ptx_opcode_latency_fp: 5 numbers with commas"),
        ("-ptx_opcode_initiation_fp 0,0,0,0,0", 27, "-ptx_opcode_initiation_fp: at least 1 is"),
        ("-gpgpu_scheduler two_level_active", 18, "-gpgpu_scheduler: two_level_active:N needs"),
        ("-gpgpu_cache:dl1 32:128", 18, "-gpgpu_cache:dl1: this is no cache"),
        ("-gpgpu_cache:dl2 S:0:128:4,L:B:m:L:P,A:4:4,4", 18, "-gpgpu_cache:dl2: sizes of a cache"),
        ("-gpgpu_unified_l1d_size 0", 25, "-gpgpu_unified_l1d_size: at least 1 is needed"),
        ("-gpgpu_dram_timing_opt nbk=16:CCX=2", 24, "-gpgpu_dram_timing_opt: a timing such as"),
        ("-gpgpu_dram_timing_opt nbk=16:CCD=2", 24, "-gpgpu_dram_timing_opt: a timing such as"),
        ("-gpgpu_dram_scheduler 7", 23, "-gpgpu_dram_scheduler: 0 (first come, first served)"),
        ("-gpgpu_mem_addr_mapping dramid@x;0", 25, "-gpgpu_mem_addr_mapping: this is no mapping"),
        ("-network_mode 3", 15, "-network_mode: 1 (a network of booksim) or 2"),
    ],
)
def test_what_is_wrong_is_pointed_at(line, column, words, config):
    with pytest.raises(InputError) as caught:
        imported_machine(config(f"{VOLTA}{line}\n"))
    found = caught.value.diagnostics[0]
    assert found.span is not None
    assert (found.span.line, found.span.column) == (VOLTA.count("\n") + 1, column)
    assert found.message.startswith(words)


def test_a_wrong_field_of_a_record_is_pointed_at(config):
    text = '{"configs": {"SM7":\n  {"n_sm": 80,\n   "units": {"sp": "four"}}}}'
    with pytest.raises(InputError, match=r"configs\.json:3:20: error: units\.sp: a whole number"):
        imported_machine(config(text, "configs.json"))


def test_the_network_of_a_configuration(config, tmp_path):
    path = config(FERMI + "-inter_config_file ring.icnt")
    found = read_configuration(path)
    assert [str(w).partition("error")[0] for w in found.warnings] == [str(found.warnings[0])]
    assert "ring.icnt is not there" in found.warnings[0].message
    assert found.machine()["icnt.topology"].status == "inherited"
    other = tmp_path / "other.icnt"
    other.write_text("topology = ring;\nflit_size = 20;\n", "utf-8")
    machine = imported_machine(path, icnt=other)
    assert machine.text("icnt.topology") == "ring"
    assert machine.number("icnt.bytes_per_clk_per_sm") == 16
    with pytest.raises(InputError, match="cannot read the file"):
        imported_machine(path, icnt=tmp_path / "none.icnt")
    with pytest.raises(UsageError, match="the configuration has a crossbar"):
        imported_machine(config(VOLTA), icnt=other)


def test_what_a_machine_does_not_follow_is_told(config):
    changes = "-gpgpu_scheduler warp_limiting:2:16 -gpgpu_clock_domains 1000:900:800:850"
    found = read_configuration(config(VOLTA + changes))
    assert [w.message.split(": ")[0] for w in found.warnings] == [
        "-gpgpu_scheduler",
        "-gpgpu_clock_domains",
    ]
    assert found.machine()["scheduler.policy"].status == "inherited"


@pytest.mark.slow
def test_damaged_files_end_in_an_error_of_ours(config):
    """Whatever is cut out, doubled or replaced, there is a machine or a clear error."""
    random_ = random.Random(7)
    texts = [SMALL.read_text("utf-8"), json.dumps({"configs": {"SM7": RECORD}}, indent=1)]
    ended = 0
    for turn in range(400):
        text, name = texts[turn % 2], ("a.config", "a.json")[turn % 2]
        at, length = random_.randrange(len(text)), random_.randrange(12)
        middle = random_.choice(["", "0", "-", '"', ":", ",", "999999999999", "é", "{", "\n"])
        text = text[:at] + middle + text[at + length :]
        try:
            read_configuration(config(text, name))
        except (InputError, UsageError) as error:
            assert error.diagnostics
            ended += 1
    assert 50 < ended < 350


@pytest.mark.parametrize(
    ("name", "fetches", "deals"),
    [("SM2_GTX480", True, "linear"), ("SM6_TITANX", False, "xor"), ("SM7_QV100", False, "ipoly")],
)
def test_records_that_do_not_say_it_are_as_their_generation(name, fetches, deals):
    """Code of Fermi's configuration alone comes from L2; its chunks go round the slices in turn."""
    machine = imported_machine(CONFIGURATIONS, config=name)
    assert machine.flag("icache.fetches_from_l2") is fetches
    assert machine.text("l2.hash") == deals


def test_a_packet_takes_a_routers_delays_and_the_way_to_it_and_from_it(config):
    """BookSim's statistics of GTX 480's file: a packet of one flit takes 6 cycles at least."""
    path = config(FERMI)
    file = path.parent / "fermi.icnt"
    file.write_text("topology = fly;\nk = 27;\nn = 1;\nrouting_delay = 0;\n"
                    "vc_alloc_delay = 1;\nsw_alloc_delay = 1;\n")  # fmt: skip
    assert imported_machine(path, icnt=file).number("icnt.latency") == 6
