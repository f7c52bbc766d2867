"""What a configuration says of the machine as a whole: name, clocks, SMs, registers, launches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from warpmill.simulator.machines.imported.settings import Settings, Stated, shown
from warpmill.simulator.machines.imported.tables import key_tables
from warpmill.simulator.machines.schema import Scalar, schema

_THREADS_OF_CTA = {True: 1024, False: 512}  # CUDA guide: since compute capability 2.0, before
_ROUNDED_REGISTERS = 4  # a thread's registers are rounded up to this
_SPECIALISED = ("sp", "dp", "sfu", "int", "mem")
_SAME_NAME = ("lrr", "gto")
_OPCODES = 5


def compute_capability(s: Settings) -> tuple[int, int]:
    """Give the compute capability: as stated, else the one that PTX is taken for."""
    stated = ("gpgpu_compute_capability_major", "gpgpu_compute_capability_minor")
    forced = "gpgpu_ptx_force_max_capability"
    if stated[0] in s.given or not (s.says(forced) and s.count(forced)):
        return s.count(stated[0]), s.count(stated[1])
    return divmod(s.count(forced), 10)


def identification(s: Settings, name: str) -> Iterator[Stated]:
    """Say what the machine is."""
    major, minor = compute_capability(s)
    yield Stated("machine.name", name, "- identification")
    yield Stated("machine.vendor", "nvidia", "- identification")
    text = f"{major}.{minor}"
    names = key_tables()["architectures"]
    known = max((begin for begin in names if text.startswith(begin)), key=len, default=None)
    if known is not None:
        yield Stated("machine.architecture", names[known], "- identification")
    yield Stated("machine.compute_capability", text, "- identification")
    yield Stated("machine.kind", "simulator-config", "- identification")


def clocks(s: Settings) -> Iterator[Stated]:
    """Give the clocks; those of core and network, L2, and DRAM commands."""
    domains, ratio = "gpgpu_clock_domains", "dram_data_command_freq_ratio"
    core, _, l2, dram = s.numbers(domains, ":", 4)
    words = f"core clock {core:.15g} MHz of GPGPU-Sim"
    yield Stated("machine.cycle_domain", words, "- identification")
    yield s.stated("clock.sm_mhz", core, domains)
    yield s.stated("clock.l2_mhz", l2, domains)
    yield s.stated("clock.mem_mhz", dram, domains)
    yield s.stated("clock.mem_gtps", dram * s.count(ratio, 1) / 1000, domains, ratio)


def sms(s: Settings) -> Iterator[Stated]:
    """Give the SMs and what resides on one."""
    clusters, cores = "gpgpu_n_clusters", "gpgpu_n_cores_per_cluster"
    pipeline, model = "gpgpu_shader_core_pipeline", "gpgpu_sub_core_model"
    schedulers = "gpgpu_num_sched_per_core"
    threads, lanes = warp_shape(s)
    yield s.stated("sm.count", s.count(clusters, 1) * s.count(cores, 1), clusters, cores)
    note = "each cluster takes one CTA a cycle"
    yield s.stated("launch.blocks_per_clk", s.count(clusters), clusters, note=note)
    yield s.stated("machine.warp_size", lanes, pipeline)
    yield s.stated("sm.max_threads", threads, pipeline)
    most = min(threads, _THREADS_OF_CTA[compute_capability(s)[0] >= 2])
    source = "D CUDA guide, compute capabilities; at most what an SM holds"
    yield Stated("sm.max_threads_per_block", most, source, (pipeline,))
    yield s.stated("sm.subpartitions", subpartitions(s), model, schedulers)
    yield from _collectors(s)


def warp_shape(s: Settings) -> tuple[int, int]:
    """Give the threads of an SM and of a warp."""
    option = "gpgpu_shader_core_pipeline"
    found = s.counts(option, ":", 1)
    if len(found) != 2 or found[0] % found[1]:
        words = "threads of an SM and of a warp are needed, whole warps of them, such as 2048:32"
        raise s.error(option, f"{words}; not `{shown(s.text(option))}`")
    return found[0], found[1]


def subpartitions(s: Settings) -> int:
    """Give the partitions with units of their own: the schedulers, or one."""
    schedulers = s.count("gpgpu_num_sched_per_core", 1)
    return schedulers if s.flag("gpgpu_sub_core_model") else 1


def _collectors(s: Settings) -> Iterator[Stated]:
    """Give the operand collectors of a scheduler: generic ones, and those of units if enabled."""
    units = "gpgpu_operand_collector_num_units_"
    enabled = "gpgpu_enable_specialized_operand_collector"
    names = [f"{units}gen"]
    if not s.says(enabled, *names):
        return
    if s.flag(enabled):
        names += [f"{units}{unit}" for unit in _SPECIALISED]
        names += [f"{units}tensor_core"] if has_tensor_cores(s) else []
    total = sum(s.count(name) for name in names)
    used = [name for name in names if s.count(name)]
    schedulers = "gpgpu_num_sched_per_core"
    each = max(1, total // s.count(schedulers, 1))
    yield s.stated("sm.collector_units", each, *used, schedulers)


def has_tensor_cores(s: Settings) -> bool:
    """Tell whether there are tensor cores."""
    return s.flag("gpgpu_tensor_core_avail") and s.count("gpgpu_num_tensor_core_units") > 0


def scheduler(s: Settings) -> Iterator[Stated]:
    """Give the choice among ready warps; nothing where no policy of a machine is like it."""
    option = "gpgpu_scheduler"
    name, *rest = s.text(option).split(":")
    if name in _SAME_NAME:
        yield s.stated("scheduler.policy", name, option)
    elif name == "two_level_active":
        yield s.stated("scheduler.policy", "two_level", option)
        yield s.stated("scheduler.active_warps", _active_warps(s, rest), option)


def _active_warps(s: Settings, parts: list[str]) -> int:
    if not parts or not parts[0].isascii() or not parts[0].isdigit() or len(parts[0]) > 9:
        raise s.error("gpgpu_scheduler", "two_level_active:N needs the number of active warps")
    return int(parts[0])


def registers(s: Settings) -> Iterator[Stated]:
    """Give how registers are handed out."""
    _, lanes = warp_shape(s)
    words = f"C GPGPU-Sim rounds the registers of a thread up to {_ROUNDED_REGISTERS}"
    yield Stated("reg.alloc_unit", _ROUNDED_REGISTERS * lanes, words)
    option, whole = "gpgpu_registers_per_block", "gpgpu_shader_registers"
    if option in s.given:
        yield s.stated("reg.per_block", min(s.count(option), s.count(whole)), option)
    else:
        note = "GPGPU-Sim limits a CTA by the register file alone"
        yield s.stated("reg.per_block", s.count(whole), whole, note=note)


def table(s: Settings) -> Iterator[Stated]:
    """Give what keys.toml says in one line each: numbers taken over, and what is always so."""
    for key, row in key_tables()["taken"].items():
        value = _taken(s, key, row)
        if value is not None:
            yield s.stated(key, value, row["option"], note=row.get("note", ""))
    for key, row in key_tables()["fixed"].items():
        yield Stated(key, row["value"], row["source"])


def _taken(s: Settings, key: str, row: Any) -> Scalar | None:
    number = number_at(s, row) if s.says(row["option"]) else None
    if number is None or schema().keys[key].type != "float":
        return number
    return float(number)


def number_at(s: Settings, row: Any, least: int = 0) -> int | None:
    """Give the number of an option that a row of keys.toml means.

    None where the list ends before it, which that of integers may do: shuffles come last.
    """
    numbers = s.counts(row["option"], ",", least)
    part: int = row.get("part", 0)
    if part < len(numbers):
        return numbers[part]
    if len(numbers) < _OPCODES:
        words = f"{_OPCODES} numbers with commas are needed: ADD,MAX,MUL,MAD,DIV"
        raise s.error(row["option"], words)
    return None
