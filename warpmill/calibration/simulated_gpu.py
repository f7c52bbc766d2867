"""The whole-GPU model as a GPU: probes run on it, and what they are to give back."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from itertools import groupby
from math import inf
from pathlib import Path

from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.ir.operation import decode
from warpmill.analyzer.launch.model import (
    Argument,
    BufferArgument,
    Launch,
    ScalarArgument,
    TextureArgument,
)
from warpmill.analyzer.traces.source import StaticSource, TraceSource
from warpmill.analyzer.traces.static.walk import WalkLimits
from warpmill.calibration.devices import OnDevice, loaded
from warpmill.calibration.probes import Probe, ProbedMachine, Reading, Ring, check_warps
from warpmill.codegen.microbench.frame import (
    RECORD_BYTES,
    MeasuredOperation,
    Microbench,
    measured_operations,
)
from warpmill.executor.host.cpu_device import CpuBackend, CpuOptions
from warpmill.executor.host.device import Device
from warpmill.session.registers import find_registers
from warpmill.session.replay_device import LaunchStep, executed_on
from warpmill.simulator.assembler.costs import cost_table, line_of
from warpmill.simulator.assembler.program import KernelFacts
from warpmill.simulator.assembler.registers import RegisterDemand, register_demand
from warpmill.simulator.gpu.options import Options
from warpmill.simulator.gpu.results import result_of
from warpmill.simulator.gpu.simulate import LaunchWork, Simulation
from warpmill.simulator.machines.model import Machine, capability_of
from warpmill.studies.processes import in_processes

# Probes on the model: each is simulated alone on an idle GPU with empty caches.

CHIP = "sm_80"
"""Target of the model's PTX: the oldest chip that has every operation of the table."""

_MAX_EVENTS, _MAX_VISITS = 200_000_000, 1_000_000
_MEMORY_BYTES = 4 << 30
_BATCH = 16


def target_of(machine: Machine) -> ProbedMachine:
    """Documented facts of a machine that micro-benchmarks do not measure.

    UsageError for one whose warps are not of 32 lanes.
    """
    check_warps(machine.name, machine.integer("machine.warp_size"))
    return ProbedMachine(
        name=machine.name,
        chip=CHIP,
        capability=int(CHIP.removeprefix("sm_")),
        sms=machine.integer("sm.count"),
        max_warps=machine.integer("sm.max_warps"),
        max_block=machine.integer("sm.max_threads_per_block"),
        sm_mhz=float(machine.number("clock.sm_mhz")),
        l2_bytes=machine.integer("l2.size_bytes"),
        memory_bytes=_MEMORY_BYTES,
        instruction_bytes=machine.integer("icache.instruction_bytes"),
        is_model=True,
        lacks=frozenset(
            key
            for operation in measured_operations().values()
            for key in operation.keys
            if machine.get(key) is None
        ),
        reserved_bytes=machine.integer("shared.reserved_per_block_bytes"),
        machine_code=None if machine.text("front_end.isa") == "ptx" else capability_of(machine),
        code_bytes=_code_bytes(machine),
    )


def _code_bytes(machine: Machine) -> float:
    """Capacity of the instruction cache; a fetch that takes nothing is never a miss."""
    may_miss = machine.number("icache.miss_latency") > 0
    return machine.integer("icache.l1_bytes") if may_miss else inf


class ModelRunner:
    """Runs probes on the model of a machine, in ``workers`` processes. Cycles are launches'.

    The model has no clock that kernels could read: what a launch takes beside its loop falls out
    of the differences that are fitted.
    """

    def __init__(self, machine: Machine, workers: int = 1) -> None:
        self.target = target_of(machine)
        self._machine, self._workers = machine, workers
        self._known: dict[Probe, Reading] = {}

    @property
    def launches(self) -> int:
        """The launches that were simulated so far."""
        return len(self._known)

    @property
    def benches(self) -> tuple[Microbench, ...]:
        """The micro-benchmarks that were launched, each once."""
        return tuple(dict.fromkeys(probe.bench for probe in self._known))

    def read(self, probes: Sequence[Probe]) -> list[Reading]:
        """Simulate those of the probes that were not simulated before."""
        new = [one for one in dict.fromkeys(probes) if one not in self._known]
        items = [(self._machine, batch) for batch in _batches(new)]
        if self._workers > 1 and len(items) > 1:
            with in_processes(_simulated, items, min(self._workers, len(items))) as found:
                each = list(found)
        else:
            each = list(map(_simulated, items))
        self._known.update(zip(new, (one for batch in each for one in batch), strict=True))
        return [self._known[probe] for probe in probes]

    def queued_us(self, probe: Probe, count: int, *, behind: bool) -> None:
        """Nothing: the time of a launch is not part of its cycles."""


def _batches(probes: Sequence[Probe]) -> Iterator[tuple[Probe, ...]]:
    """Probes that are simulated one after another, as a simulation takes its time.

    Those whose memory is executed are alone: their traces are not kept.
    """
    for data, group in groupby(probes, lambda probe: probe.bench.data):
        listed = list(group)
        most = 1 if data else _BATCH
        yield from (tuple(listed[k : k + most]) for k in range(0, len(listed), most))


@dataclass(frozen=True)
class _Analysed:
    facts: KernelFacts
    demand: RegisterDemand


@cache
def _analysed(bench: Microbench) -> _Analysed:
    """Facts of a benchmark's kernel that simulations need."""
    module = loaded(bench).module
    structure = analyse_structure(module.kernel(bench.kernel))
    demand = register_demand(structure.kernel, structure.cfg, module.target)
    return _Analysed(KernelFacts(module, structure), demand)


def _simulated(item: tuple[Machine, tuple[Probe, ...]]) -> list[Reading]:
    """Simulate probes on a machine, each from its first cycle to its last; caches are emptied."""
    machine, probes = item
    works = [_work(machine, probe) for probe in probes]
    options = Options(flush_l2=True, max_trace_events=_MAX_EVENTS)
    simulation = Simulation(machine, works, options)
    simulation.run()
    cycles = [one.cycles for one in result_of(simulation).launches]
    mhz = float(machine.number("clock.sm_mhz"))
    return [Reading((float(one),), (one / mhz / 1e6,)) for one in cycles]


def _work(machine: Machine, probe: Probe) -> LaunchWork:
    read, known, launch = loaded(probe.bench), _analysed(probe.bench), _launch(probe)
    count = find_registers(read, known.facts.kernel, lambda: known.demand, machine)
    # as few as an SM full of warps leaves to each, which is what a compiler can be held to
    most = machine.integer("reg.per_sm") // machine.integer("sm.max_threads")
    return LaunchWork(
        known.facts,
        launch,
        replace(count, registers_per_thread=min(count.registers_per_thread, most)),
        lambda: _traces(probe, launch),
    )


def _launch(probe: Probe) -> Launch:
    return Launch(
        kernel=probe.bench.kernel,
        module=Path(loaded(probe.bench).path),
        grid=(probe.grid, 1, 1),
        block=(probe.block, 1, 1),
        arguments=_arguments(probe),
    )


def _arguments(probe: Probe) -> tuple[Argument, ...]:
    ring, size = probe.memory, max(8, probe.memory.size_bytes)
    records = BufferArgument("u8", (RECORD_BYTES * probe.warps,), name="records")
    memory: Argument = BufferArgument("u8", (size,), name="memory")
    if isinstance(ring, Ring) and ring.space == "texture":
        memory = TextureArgument("u32", (size // 4,))
    numbers = (ScalarArgument("u32", one) for one in (probe.turns, *probe.numbers))
    return records, memory, *numbers


def _traces(probe: Probe, launch: Launch) -> TraceSource:
    """A probe's traces: executed where what memory holds decides them."""
    read, known = loaded(probe.bench), _analysed(probe.bench)
    if not probe.bench.data:
        limits = WalkLimits(_MAX_VISITS)
        return StaticSource(read.module, known.facts.structure, launch, limits=limits)
    backend = CpuBackend(CpuOptions())
    device = Device(backend, record=False)
    made = OnDevice(device, probe)
    request = device.request(made.kernel, probe.grid, probe.block, made.arguments)
    step = LaunchStep(read, known.facts.kernel, launch)
    return executed_on(backend, request, step, "pointers are chased")


# What micro-benchmarks are to give back, and what the model leaves out.
#
# A key comes back only where the model reads it: costs of operations are looked up as the
# simulator does it, and what it never reads has its reason in ``not_modelled.toml``.


@dataclass(frozen=True)
class Expected:
    """The value of a key that benchmarks are to give; None with the reason why they cannot."""

    value: float | None
    reason: str = ""


def expected(key: str, machine: Machine) -> Expected:
    """Expected result of benchmarks on the model of a machine for a key, in its unit."""
    known = machine.get(key)
    if known is None or isinstance(known.value, str | tuple):
        return Expected(None, "the machine has no number for it")
    reason = _left_out().get(key) or _other_key(key, machine) or _of_parts(key, machine)
    if reason:
        return Expected(None, reason)
    pipeline = float(machine.number("sm.pipeline_cycles"))
    return Expected(float(known.value) + of_pipeline(key, pipeline))


@cache
def _left_out() -> dict[str, str]:
    """The keys that the model does not read, with the reasons."""
    text = files("warpmill.calibration").joinpath("not_modelled.toml").read_text("utf-8")
    keys = tomllib.loads(text)["keys"]
    return {key: reason for reason, group in keys.items() for key in group}


def of_pipeline(key: str, cycles: float) -> float:
    """Addition of a pipeline of so many cycles, ``sm.pipeline_cycles``, to a key's value."""
    if key.startswith("latency."):
        return 0.0 if key in _AT_ISSUE else cycles
    return max(0.0, cycles - 1) if key in _HITS else 0.0


_AT_ISSUE = frozenset({"latency.branch", "latency.barrier"})
_HITS = frozenset({"l1.latency", "const.l1_latency", "tex.latency"})
_WHOLE_WAYS = frozenset({"l2.latency", "dram.latency"})


def _of_parts(key: str, machine: Machine) -> str:
    if key in _WHOLE_WAYS and machine.number("sm.pipeline_cycles"):
        return "follows from the parts of this configuration: pipeline_latency, icnt.latency"
    fetched = machine.number("front_end.fetch_width")
    if key == "sm.issue_per_scheduler" and machine.number(key) > fetched:
        return f"front_end.fetch_width leaves {fetched:g}"
    if machine.text("front_end.isa") != "ptx":
        return ""
    if key == "lanes.barrier":
        return "barriers of PTX take interval.branch"
    held = machine.number("interval.branch")
    if key == "latency.barrier" and machine.number(key) < held:
        return f"interval.branch holds its pipe for {held:g}"
    return ""


def _other_key(key: str, machine: Machine) -> str:
    """Key that the model reads instead of one; empty where it reads that one."""
    for operation in measured_operations().values():
        if key == operation.latency:
            return _instead(key, operation, "latency", machine)
        if key == operation.interval:
            return _instead(key, operation, "interval", machine)
    group, _, name = key.partition(".")
    interval = f"interval.{name}"
    if group == "lanes" and interval in _MEASURED and not _follows(machine, name):
        return f"{interval} is stated apart"
    return ""


def _follows(machine: Machine, name: str) -> bool:
    """Whether an issue interval is what lanes give."""
    lanes, interval = machine.get(f"lanes.{name}"), machine.get(f"interval.{name}")
    if lanes is None or interval is None or not lanes.value:
        return False
    whole = machine.number("machine.warp_size") * machine.number("sm.subpartitions")
    given = machine.number(f"lanes.{name}") * machine.number(f"interval.{name}")
    return abs(whole / given - 1) < 1e-6


_MEASURED = frozenset(
    f"interval.{name}"
    for name in ("fp32", "fp64", "int_add", "int_mul", "sfu", "conv", "shuffle", "ldst")
)


def _instead(key: str, operation: MeasuredOperation, what: str, machine: Machine) -> str:
    """Substitute in the model for an operation none of whose opcodes takes the key."""
    is_ptx = machine.text("front_end.isa") == "ptx"
    found: list[str] = []
    for opcode in operation.opcodes:
        line = line_of(decode(opcode))
        if line is None:
            return _of_memory(key, opcode) if is_ptx else ""
        costs = cost_table().lines[line]
        taken = str(costs.get(f"ptx_{what}", costs[what]) if is_ptx else costs[what])
        if taken == key:
            return ""
        issues = 1 if is_ptx or what == "latency" else int(costs.get("issues", 1))
        times = f"{issues} times " if issues > 1 else ""
        found.append(f"the model takes {times}{taken} for {opcode}")
    return found[0]


def _of_memory(key: str, opcode: str) -> str:
    """Substitute in the model for an access: all of shared memory take as long as loads."""
    if key != "latency.shared_atomic":
        return ""
    return f"the model takes latency.shared_load for {opcode}"
