"""A configuration of GPGPU-Sim as a machine: read, put into a machine's keys, written as TOML.

What it says of memory is in ``memory``; the rest is here: the machine as a whole, and the units of
an SM.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, Severity, Source, UsageError
from warpmill.analyzer.base.naming import suggestion
from warpmill.simulator.machines.compare import tables
from warpmill.simulator.machines.files import machine_names, read_machine_text
from warpmill.simulator.machines.imported import memory
from warpmill.simulator.machines.imported.memory import Network, read_network
from warpmill.simulator.machines.imported.settings import (
    Settings,
    Stated,
    key_tables,
    read_configs,
    read_options,
    read_source,
    shown,
)
from warpmill.simulator.machines.model import Machine
from warpmill.simulator.machines.resolve import load_machine, machine_of
from warpmill.simulator.machines.schema import Scalar, problem_with, schema

_SINCE_VOLTA, _BEFORE = "qv100_accelsim", "gtx480_gpgpusim"
_USUAL_NAME = "gpgpusim"  # of option files: their folders say which GPU it is


@dataclass(frozen=True)
class Configuration:
    """A configuration that was read: the text of its machine file, and what is to be said of it.

    ``warnings`` tell what the machine does not follow; ``left_out`` has one for each option that
    is no value of a machine.
    """

    name: str
    path: str
    text: str
    warnings: tuple[Diagnostic, ...]
    left_out: tuple[Diagnostic, ...]

    def machine(self, overrides: Mapping[str, Scalar] | None = None) -> Machine:
        """The machine that the text describes, with some of its values set."""
        file = read_machine_text(self.path, self.text)
        return machine_of(file, overrides, self.name)


def imported_machine(
    path: str | Path,
    config: str | None = None,
    name: str | None = None,
    base: str | None = None,
    overrides: Mapping[str, Scalar] | None = None,
    icnt: str | Path | None = None,
) -> Machine:
    """The machine that a configuration of GPGPU-Sim describes; ``import`` writes the same.

    ``path`` is a gpgpusim.config, or JSON records of which ``config`` names one. What it does not
    say is taken from ``base``. ``icnt`` is the file of the network, by default the one that the
    configuration names beside it. InputError for what is wrong in a file, UsageError for a
    configuration or a base that is not there.
    """
    return read_configuration(path, config, name, base, icnt).machine(overrides)


def read_configuration(
    path: str | Path,
    config: str | None = None,
    name: str | None = None,
    base: str | None = None,
    icnt: str | Path | None = None,
) -> Configuration:
    """Read a configuration as ``imported_machine`` does, and check that its machine loads."""
    if base is not None and base not in machine_names():
        hint = suggestion(base, machine_names())
        words = f"`{base}` is not a machine that comes with warpmill"
        raise UsageError(Diagnostic(Severity.ERROR, words, hint=hint))
    source = read_source(Path(path))
    settings, left_out = _settings(source, config)
    warnings = list(_warnings(settings))
    file = _network_file(settings, icnt, warnings)
    fallback = base or _fallback(settings)
    stated = _checked(settings, _all_stated(settings, name or settings.name, fallback, file))
    text = _text(settings, stated)
    found = Configuration(name or settings.name, str(path), text, tuple(warnings), tuple(left_out))
    found.machine()
    return found


def _settings(source: Source, config: str | None) -> tuple[Settings, tuple[Diagnostic, ...]]:
    path = Path(source.name)
    if path.suffix == ".json" or source.text.lstrip().startswith("{"):
        return read_configs(source, config)
    if config is not None:
        words = f"--config {config}: {source.name} is one configuration, not a file of several"
        raise UsageError(words)
    folder = path.resolve().parent.name
    return read_options(source, folder if path.stem == _USUAL_NAME and folder else path.stem)


def _fallback(s: Settings) -> str:
    return _SINCE_VOLTA if compute_capability(s)[0] >= _VOLTA else _BEFORE


def _network_file(
    s: Settings, icnt: str | Path | None, warnings: list[Diagnostic]
) -> Network | None:
    """Read the file of a booksim network; with a warning None where it is not found."""
    is_booksim = s.says("network_mode") and memory.network_mode(s) == memory.BOOKSIM
    if icnt is not None:
        if not is_booksim:
            words = f"--icnt {icnt}: the configuration has a crossbar, which has no such file"
            raise UsageError(words)
        return read_network(read_source(Path(icnt)))
    if not is_booksim:
        return None
    option = "inter_config_file"
    named = Path(s.source.name).parent / s.text(option) if option in s.given else None
    if named is not None and named.is_file():
        return read_network(read_source(named))
    file = "the file of the network" if named is None else f"the network file {named}"
    words = f"{file} is not there: the shape of the network is taken from machine.fallback"
    hint = "--icnt FILE names one"
    warnings.append(Diagnostic(Severity.WARNING, words, s.source.name, hint=hint))
    return None


def _warnings(s: Settings) -> Iterator[Diagnostic]:
    """Warnings of options that are known but that the machine does not follow."""
    if s.says("gpgpu_scheduler") and not tuple(scheduler(s)):
        words = "no policy of a machine is like this one; it is taken from machine.fallback"
        yield s.problem(Severity.WARNING, "gpgpu_scheduler", words)
    _, icnt, l2, _ = s.numbers("gpgpu_clock_domains", ":", 4)
    if icnt != l2:
        words = f"network and L2 have one clock in a machine, {l2:.15g} MHz here"
        yield s.problem(Severity.WARNING, "gpgpu_clock_domains", words)


def _all_stated(s: Settings, name: str, base: str, file: Network | None) -> Iterator[Stated]:
    yield from identification(s, name)
    words = "- what the configuration does not say"
    yield Stated("machine.fallback", base, words)
    yield from table(s)
    for part in (clocks, sms, scheduler, registers, pipes):
        yield from part(s)
    fallback = load_machine(base)
    yield from memory.shared_memory(s, fallback)
    yield from memory.other_caches(s, fallback)
    yield fetches(s)
    yield from slice_hash(s)
    for part in (memory.l1, memory.l2, memory.dram, memory.mapping):
        yield from part(s)
    yield from memory.network(s, file)


def _checked(s: Settings, stated: Iterator[Stated]) -> Mapping[str, Stated]:
    """The values by key. InputError for those that a machine cannot have."""
    found = {value.key: value for value in stated}
    problems = []
    for key, value in found.items():
        problem = problem_with(schema().keys[key], value.value)
        if problem is not None:
            option = next((o for o in value.options if o in s.given), None)
            problems.append(
                Diagnostic(Severity.ERROR, problem, s.source.name)
                if option is None
                else s.problem(Severity.ERROR, option, problem)
            )
    if problems:
        raise InputError(*problems)
    return found


def _text(s: Settings, stated: Mapping[str, Stated]) -> str:
    """Write the machine file."""
    lines = [
        f"# Made from {s.origin} by `warpmill machines import`".replace("\n", " "),
        "# Keys, units and the letters of sources: docs/machines.md",
        "",
        f"schema = {schema().version}",
    ]
    lines += tables(stated)
    return "\n".join(lines) + "\n"


# The machine as a whole: name, clocks, SMs, registers, launches.

_THREADS_OF_CTA = {True: 1024, False: 512}  # CUDA guide: since compute capability 2.0, before
_ROUNDED_REGISTERS = 4  # a thread's registers are rounded up to this
_SPECIALISED = ("sp", "dp", "sfu", "int", "mem")
_SAME_NAME = ("lrr", "gto")
_OPCODES = 5
_FERMI, _VOLTA = 2, 7  # compute capabilities 2.x and 7.x


def compute_capability(s: Settings) -> tuple[int, int]:
    """The compute capability: as stated, else the one that PTX is taken for."""
    stated = ("gpgpu_compute_capability_major", "gpgpu_compute_capability_minor")
    forced = "gpgpu_ptx_force_max_capability"
    if stated[0] in s.given or not (s.says(forced) and s.count(forced)):
        return s.count(stated[0]), s.count(stated[1])
    return divmod(s.count(forced), 10)


def identification(s: Settings, name: str) -> Iterator[Stated]:
    """Identity of the machine."""
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
    """The clocks; those of core and network, L2, and DRAM commands."""
    domains, ratio = "gpgpu_clock_domains", "dram_data_command_freq_ratio"
    core, _, l2, dram = s.numbers(domains, ":", 4)
    words = f"core clock {core:.15g} MHz of GPGPU-Sim"
    yield Stated("machine.cycle_domain", words, "- identification")
    yield s.stated("clock.sm_mhz", core, domains)
    yield s.stated("clock.l2_mhz", l2, domains)
    yield s.stated("clock.mem_mhz", dram, domains)
    yield s.stated("clock.mem_gtps", dram * s.count(ratio, 1) / 1000, domains, ratio)


def sms(s: Settings) -> Iterator[Stated]:
    """SMs and their residency limits."""
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
    """The threads of an SM and of a warp."""
    option = "gpgpu_shader_core_pipeline"
    found = s.counts(option, ":", 1)
    if len(found) != 2 or found[0] % found[1]:
        words = "threads of an SM and of a warp are needed, whole warps of them, such as 2048:32"
        raise s.error(option, f"{words}; not `{shown(s.text(option))}`")
    return found[0], found[1]


def subpartitions(s: Settings) -> int:
    """The partitions with units of their own: the schedulers, or one."""
    schedulers = s.count("gpgpu_num_sched_per_core", 1)
    return schedulers if s.flag("gpgpu_sub_core_model") else 1


def _collectors(s: Settings) -> Iterator[Stated]:
    """The operand collectors of a scheduler: generic ones, and those of units if enabled."""
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
    """Whether there are tensor cores."""
    return s.flag("gpgpu_tensor_core_avail") and s.count("gpgpu_num_tensor_core_units") > 0


def fetches(s: Settings) -> Stated:
    """Whether misses of code and of kernel parameters go to L2: unless they are always there.

    Of the configurations that GPGPU-Sim comes with the one of Fermi alone has them miss.
    """
    key, perfect = "icache.fetches_from_l2", "gpgpu_perfect_inst_const_cache"
    if s.says(perfect):
        return s.stated(key, not s.flag(perfect), perfect)
    words = f"A {s.origin} does not say -{perfect}: as GPGPU-Sim's own configurations do"
    return Stated(key, compute_capability(s)[0] == _FERMI, words)


def slice_hash(s: Settings) -> Iterator[Stated]:
    """How chunks find their slices where a configuration after Fermi's does not say it."""
    if s.says("gpgpu_memory_partition_indexing") or not _FERMI < compute_capability(s)[0] < _VOLTA:
        return
    yield Stated("l2.hash", "xor", f"A {s.origin} does not say -gpgpu_memory_partition_indexing")


def scheduler(s: Settings) -> Iterator[Stated]:
    """The choice among ready warps; nothing where no policy of a machine is like it."""
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
    """How registers are handed out."""
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
    """Values of keys.toml's lines: numbers taken over, and those that always hold."""
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
    """The number of an option that a row of keys.toml means.

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


# The arithmetic units of an SM: lanes, and intervals between instructions. Each unit takes a warp
# instruction every initiation interval. With the sub-core model they are dealt out to the
# schedulers, each of which has its own.

_TENSOR_FMAS = 16 * 8 * 16  # of one m16n8k16, as the rule of interval.tensor has it


def pipes(s: Settings) -> Iterator[Stated]:
    """Lanes.* and interval.* of every class of instructions."""
    for name, row in key_tables()["classes"].items():
        if "option" not in row or s.says(row["option"]):
            yield from _class(s, name, row)
    yield from _tensor_cores(s)
    _, lanes = warp_shape(s)
    words = "C GPGPU-Sim: one load or store instruction a cycle and SM"
    yield Stated("lanes.ldst", float(lanes), words)


def _class(s: Settings, name: str, row: Any) -> Iterator[Stated]:
    unit = _unit(s, row["unit"])
    initiation = number_at(s, row, 1) if "option" in row else 1
    if initiation is None:
        return
    _, lanes = warp_shape(s)
    units, options = s.count(unit, 1), tuple(filter(None, (row.get("option"), unit)))
    note = "" if "option" in row else "opcodes outside ptx_opcode_initiation take 1 cycle"
    if f"lanes.{name}" in schema().keys:
        width = lanes * units / initiation
        yield s.stated(f"lanes.{name}", width, *options, note=note)
    if f"interval.{name}" in schema().keys:
        options = (*options, "gpgpu_sub_core_model")
        cycles = initiation * subpartitions(s) / units
        yield s.stated(f"interval.{name}", cycles, *options, note=note)


def _unit(s: Settings, kind: str) -> str:
    """The option with the number of the units that a class runs on."""
    if kind == "alu":
        kind = "int" if s.count("gpgpu_num_int_units") else "sp"
    elif kind == "fp64":
        kind = "dp" if s.count("gpgpu_num_dp_units") else "sfu"
    return f"gpgpu_num_{kind}_units"


def _tensor_cores(s: Settings) -> Iterator[Stated]:
    available, units = "gpgpu_tensor_core_avail", "gpgpu_num_tensor_core_units"
    if not has_tensor_cores(s):
        yield s.stated("lanes.tensor_cores", 0, available, units)
        yield s.stated("lanes.tensor_fp16_fma", 0.0, available, units)
        return
    option = "ptx_opcode_initiation_tensor"
    yield s.stated("lanes.tensor_cores", s.count(units), units)
    cycles = s.count(option, 1) * subpartitions(s) / s.count(units)
    width = _TENSOR_FMAS * subpartitions(s) / cycles
    note = "taken for one m16n8k16"
    yield s.stated("lanes.tensor_fp16_fma", width, option, units, note=note)
    yield s.stated("interval.tensor", cycles, option, units, "gpgpu_sub_core_model")
