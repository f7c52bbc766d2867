"""Costs of instructions (``costs.toml``), their machine code and a launch on a machine."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Annotated, Literal, NamedTuple

from warpmill.analyzer.base.diagnostics import InputError
from warpmill.analyzer.base.metric import Metric
from warpmill.analyzer.ir.kernel import Imm, Instruction
from warpmill.analyzer.ir.operation import Operation
from warpmill.analyzer.ir.types import OpClass, Space, TypeKind
from warpmill.simulator.assembler.values import Mix, OpcodeGroup, expansion_table
from warpmill.simulator.machines.model import Machine, capability_of


@dataclass(frozen=True, slots=True)
class Cost:
    """One instruction's arithmetic cost in cycles of the machine's cycle domain.

    ``pipe_cycles`` is how long the pipe of a sub-partition is held, ``issues`` the issue slots,
    ``latency_cycles`` the time until the result can be used. A ``second`` pipe is held where
    the operation becomes several instructions.
    """

    pipe: str
    pipe_cycles: float
    issues: int
    latency_cycles: float
    second: str = ""
    second_cycles: float = 0.0


@dataclass(frozen=True, slots=True)
class UnmodelledClass:
    """Executed instructions of a class that the pipeline does not know, in one wave."""

    op_class: str
    warp_instructions: Annotated[int, Metric("Warp instructions", "inst")]


_F32_BITS = 32
_WARPS_OF_64_ROWS = 4  # four warps do a wgmma together
_SASS_SHAPE = re.compile(r"MMA\.(8|16)8(4|8|16|32|64|128|256)(?=\.|$)")  # HMMA.16816
_MMA_SHAPE = re.compile(r"m(\d+)n(\d+)k(\d+)")
_MMA_WORK = 16 * 8 * 16  # multiply-adds of the m16n8k16 that interval.tensor is of
TENSOR_TIMES = {64: 16.0, 32: 2.0, 16: 1.0, 8: 0.5, 4: 0.25, 1: 0.0625}
"""Time of a multiply-add on tensor cores by the bits of its factors; of 16 bits it is 1.

Whitepapers of the A100 and H100: 312 TFLOP/s of halves, 156 of tf32, 19.5 of doubles, twice as many
operations on 8 bits as on 16.
"""

FREE = Cost("none", 0.0, 0, 0.0)
"""An instruction that the machine code does not have."""


@dataclass(frozen=True)
class CostTable:
    """The lines of ``costs.toml``."""

    lines: dict[str, dict[str, str | int]]
    free: frozenset[str]

    @property
    def pipes(self) -> tuple[str, ...]:
        """Names of the pipes, in order of first mention; loads and stores have ``lsu``."""
        return tuple(dict.fromkeys([*(str(line["pipe"]) for line in self.lines.values()), "lsu"]))


@cache
def cost_table() -> CostTable:
    """Read the table."""
    text = files(__package__).joinpath("costs.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    return CostTable(data["costs"], frozenset(data["free"]))


def kind_of(operation: Operation) -> str:
    """The kind of data an operation computes on, as the table names it."""
    type_ = operation.type
    if type_ is None:
        return "int"
    if type_.kind is TypeKind.PREDICATE:
        return "pred"
    if not type_.is_float:
        return "int"
    return {64: "f64", 32: "f32"}.get(type_.bits // type_.lanes, "f16")


def is_free(instruction: Instruction) -> bool:
    """Whether an instruction becomes no machine instruction."""
    operation = instruction.operation
    free = cost_table().free
    if operation.name in free or operation.op_class.value in free:
        return True
    if operation.op_class is OpClass.PREFETCH:
        return True
    if operation.op_class is OpClass.LOAD and operation.space is Space.PARAM:
        return True
    if operation.name == "lea" and isinstance(instruction.operands[2], Imm):
        return True  # a constant offset is part of the access
    converts_integers = operation.name == "cvt" and not any(t.is_float for t in operation.types)
    return converts_integers and "cvt.int.int" in free


def line_of(operation: Operation) -> str | None:
    """The key of the line that holds for an operation; None where the table has none."""
    kind, lines = kind_of(operation), cost_table().lines
    name, class_ = operation.name, operation.op_class.value
    if operation.op_class is OpClass.CONVERT and any(
        t.bits == 64 and t.is_float for t in operation.types
    ):
        kind = "f64"
    wanted = [f"{name}.{kind}.{m}" for m in operation.modifiers]
    wanted += [f"{name}.{kind}", name, f"{class_}.{kind}", class_]
    return next((key for key in wanted if key in lines), None)


def arithmetic_cost(operation: Operation, machine: Machine) -> Cost | None:
    """The cost of an operation that touches no memory; None where it is not known."""
    key = line_of(operation)
    if key is None:
        return None
    line = cost_table().lines[key]
    issues = int(line.get("issues", 1))
    if kind_of(operation) == "int" and operation.type is not None and operation.type.bits == 64:
        issues = int(line.get("issues64", issues))
    interval = interval_cycles(machine, _interval(line, operation))
    latency = sequence_cycles(operation, machine)
    if latency is None:
        latency = float(machine.number(str(line["latency"]))) + interval * (issues - 1)
    cost = Cost(str(line["pipe"]), interval * issues, issues, latency)
    return _of_shape(cost, operation, line)


def sequence_cycles(operation: Operation, machine: Machine) -> float | None:
    """The latency of an operation that a machine has one of though it is a sequence.

    None for others: their instructions have latencies of their own.
    """
    key = line_of(operation)
    line = {} if key is None else cost_table().lines[key]
    if "issues" not in line:
        return None
    of_64_bits = kind_of(operation) == "int" and getattr(operation.type, "bits", 0) == 64
    return None if of_64_bits else float(machine.number(str(line["latency"])))


def ptx_cost(operation: Operation, machine: Machine) -> Cost | None:
    """The cost of an operation that is issued as it stands; None where it is not known."""
    key = line_of(operation)
    if key is None:
        return None
    line = cost_table().lines[key]
    pipe, latency = (str(line.get(f"ptx_{name}", line[name])) for name in ("pipe", "latency"))
    cycles = interval_cycles(machine, str(line.get("ptx_interval", _interval(line, operation))))
    return _of_shape(Cost(pipe, cycles, 1, float(machine.number(latency))), operation, line)


def _interval(line: Mapping[str, str | int], operation: Operation) -> str:
    """The key of an operation's interval."""
    sums = "f32_interval" if "f32_interval" in line and sums_in_f32(operation) else "interval"
    return str(line[sums])


def sums_in_f32(operation: Operation) -> bool:
    """Whether a matrix product's sums, whose type comes first, are FP32."""
    own = operation.types[:1]
    return bool(own) and own[0].is_float and own[0].bits == _F32_BITS


def _of_shape(cost: Cost, operation: Operation, line: Mapping[str, str | int]) -> Cost | None:
    """A matrix product the time of its shape; other costs are as they are.

    None where its shape is data: tcgen05's stands in a descriptor. Its latency grows with its time
    beyond that of the shape which the latency is of, and one of many warps shrinks below it.
    """
    if operation.op_class is not OpClass.MMA:
        return cost
    factor = _mma_factor(operation)
    if factor is None:
        return None
    whole = _work_of(str(line["latency_of"])) / _MMA_WORK
    times = max(1.0, factor) / whole
    return Cost(cost.pipe, cost.pipe_cycles * factor, cost.issues, cost.latency_cycles * times)


def _work_of(shape: str) -> float:
    """Multiply-adds of one warp in a shape, of which four warps do one of 64 rows."""
    m, n, k = mma_shape(shape) or (0, 0, 0)
    return m * n * k / (_WARPS_OF_64_ROWS if m == 64 else 1)


def mma_shape(opcode: str) -> tuple[int, int, int] | None:
    """M, n and k of the product that an opcode names; None where it names none."""
    found = _MMA_SHAPE.search(opcode)
    if found is not None:
        return int(found[1]), int(found[2]), int(found[3])
    found = _SASS_SHAPE.search(opcode)
    return None if found is None else (int(found[1]), 8, int(found[2]))


def mma_multiply_adds(operation: Operation) -> float | None:
    """Multiply-adds of a matrix product that one warp has a part of; None: unknown.

    Sparse ones leave out half of those of their shape (mma.sp: two of four factors are zero).
    """
    shape = mma_shape(operation.opcode)
    if shape is None:
        return None
    m, n, k = shape
    warps = _WARPS_OF_64_ROWS if operation.name.startswith("wgmma") else 1
    is_sparse = any(word.partition("::")[0] == "sp" for word in operation.modifiers)
    return m * n * k / warps / (2 if is_sparse else 1)


def factor_bits(operation: Operation) -> int:
    """The bits of a matrix product's factors, as tensor cores take them.

    They are the types after the result's; wmma names none where they are halves. Numbers of 6
    bits, and of 4 that are mixed with wider ones, take the way of those of 8.
    """
    factors = operation.types[1:3] if len(operation.types) > 2 else ()
    bits = max((t.bits for t in factors), default=16)
    if "f8f6f4" in operation.opcode:
        return 8
    return next(each for each in sorted(TENSOR_TIMES) if each >= min(bits, 64))


def _mma_factor(operation: Operation) -> float | None:
    """The time of a matrix product as a multiple of that of a half-precision m16n8k16."""
    number = mma_multiply_adds(operation)
    return None if number is None else number / _MMA_WORK * TENSOR_TIMES[factor_bits(operation)]


def is_of_sm(pipe: str, machine: Machine) -> bool:
    """Whether the sub-partitions of an SM share one pipe.

    Barriers are counted in one place; of other pipes it is one that has fewer lanes than there are
    sub-partitions: GPUs for graphics since Turing have two lanes of double precision in an SM.
    """
    if pipe == "adu":
        return True
    lanes = float(machine.number("lanes.fp64")) if pipe == "fp64" else 0.0
    return 0.0 < lanes < machine.integer("sm.subpartitions")


def interval_cycles(machine: Machine, key: str) -> float:
    """Cycles between two warp instructions in one sub-partition, from an interval or lanes.

    InputError where the machine has no such lanes.
    """
    if key.startswith("interval."):
        return float(machine.number(key))
    lanes = machine.number(key)
    if not lanes:
        words = f"machine {machine.name} has no unit for this kernel, as {key} is 0"
        raise InputError(f"{words}; --set {key}=… gives one")
    results = machine.number("machine.warp_size") * _RESULTS.get(key, 1)
    return results * machine.number("sm.subpartitions") / lanes


_RESULTS = {"lanes.fp16": 2}
"""Results of a lane's instruction, where it is not one: halves are computed on by twos."""


def unmodelled_name(operation: Operation, cost: Cost | None) -> str | None:
    """Unmodelled part of an operation with this cost: its class, or the memory it accesses."""
    if cost is None:
        return operation.op_class.value
    return f"{operation.op_class.value} of remote memory" if operation.is_remote else None


# What a launch takes beside the execution of its CTAs, from floors measured on near-empty kernels.
#
# A floor is the time of a kernel that does next to nothing: it holds what each launch pays (start,
# drain, what lies between kernels) and the CTA that ran. What remains without that CTA adds to the
# execution of any kernel: on four GPUs (A100, A40, L40, H200; copies of 64 KB to 40 MB in L2,
# queued one by one and as nodes of a graph, RRZE-HPC/gpu-benches) this and the bytes at a fixed
# rate give the time within 1 to 4 % on average; the greater of floor and execution is 11 to 19 %
# off. Where the host cannot launch faster (NvBench on three GeForce cards: 5.1 µs on each of
# them), the time is the greater of the host's and the GPU's.
#
# CTAs start at a limited rate, which kernels of tiny CTAs run into: that bounds the execution.

Mode = Literal["kernel", "event", "back-to-back", "graph"]
"""How a time is taken: the kernel's duration as profilers report it; two events around one launch;
per launch among many in a stream; per launch among the nodes of a graph."""


class _Keys(NamedTuple):
    """Machine values of a mode.

    The near-empty kernel's time that adds, the least time of any launch, and the latency of the
    memory that the near-empty kernel's data were in.
    """

    adds: str
    least: str
    memory: str


_KEYS: dict[Mode, _Keys] = {
    "kernel": _Keys("launch.kernel_us", "launch.kernel_us", "l2.latency"),
    "event": _Keys("launch.event_us", "launch.event_us", "dram.latency"),
    "back-to-back": _Keys("launch.serial_us", "launch.back_to_back_us", "l2.latency"),
    "graph": _Keys("launch.graph_us", "launch.graph_us", "l2.latency"),
}


def near_empty_keys() -> dict[str, str]:
    """The keys of times that hold a CTA, each with the latency of the memory that it read.

    These times follow from whatever changes that CTA's: ``near_empty_us``.
    """
    return {keys.adds: keys.memory for keys in _KEYS.values()}


@dataclass(frozen=True, slots=True)
class LaunchOverhead:
    """Time of a launch beside its execution, in microseconds.

    ``fixed_us`` adds to the execution, no launch takes less than ``floor_us``, and starting all
    CTAs takes ``dispatch_us`` or more, while others execute.
    """

    mode: Mode
    fixed_us: float
    floor_us: float
    dispatch_us: float

    def total_us(self, execution_us: float) -> float:
        """The time of the launch; from first start to last end its CTAs take that long.

        >>> LaunchOverhead("back-to-back", 2.0, 5.0, 0.1).total_us(1.0)
        5.0
        """
        return max(self.floor_us, self.fixed_us + max(execution_us, self.dispatch_us))

    def busy(self, execution_us: float) -> float:
        """The share of the time in which CTAs are started, from 0 to 1; 1 where that decides.

        >>> LaunchOverhead("kernel", 2.0, 2.0, 0.5).busy(2.0)
        0.25
        """
        return self.dispatch_us / max(execution_us, self.dispatch_us)


def launch_overhead(machine: Machine, ctas: int, mode: Mode = "kernel") -> LaunchOverhead:
    """Time of a launch of so many CTAs beside their execution.

    The execution is taken to hold the start of a CTA and its trips to memory, as that of the
    near-empty kernel does. Threads a CTA make no difference that the measurements show. What of
    the values is assumed, the machine tells (``launch.*``).
    """
    adds, least, memory = _KEYS[mode]
    clock = float(machine.number("clock.sm_mhz"))
    fixed = float(machine.number(adds)) - near_empty_us(machine, memory)
    return LaunchOverhead(
        mode,
        fixed_us=max(0.0, fixed),
        floor_us=float(machine.number(least)),
        dispatch_us=ctas / float(machine.number("launch.blocks_per_clk")) / clock,
    )


_MEASURED_WITH = 10
"""Instructions of the CTA that launch.block_cycles was measured with."""


def cta_start_cycles(machine: Machine) -> float:
    """Cycles until a CTA's first instruction: launch.block_cycles without the CTA it holds."""
    own = _MEASURED_WITH * machine.number("latency.int_add")
    return max(0.0, float(machine.number("launch.block_cycles") - own))


def near_empty_us(machine: Machine, memory: str = "l2.latency") -> float:
    """The time of a CTA that starts, loads a value and stores it, in microseconds.

    Kernels whose threads load one value each, at one CTA an SM, take the place of each other every
    launch.block_cycles + dram.latency: within 7 % on six GPUs (RRZE-HPC/gpu-benches, gpu-stream).
    """
    cycles = machine.number("launch.block_cycles") + machine.number(memory)
    return float(cycles) / float(machine.number("clock.sm_mhz"))


# What an operation costs as the machine instructions that it becomes on a chip.

MEMORY = "memory"
"""The unit of loads and stores, which have costs of their own at every visit."""


def becomes_nothing(mix: Mix | None, *, is_free: bool) -> bool:
    """Whether an operation that makes no access becomes no machine instruction.

    Its ``mix`` says so where that is known; else whether costs.toml has it among the free ones.
    """
    return is_free if mix is None else not mix.total


def operation_cost(
    operation: Operation, mix: Mix | None, machine: Machine, *, is_free: bool
) -> Cost | None:
    """The cost of an operation that makes no access and becomes ``mix``, None if not known.

    Without a mix it is what costs.toml says. FREE as ``becomes_nothing``.
    """
    if becomes_nothing(mix, is_free=is_free):
        return FREE
    if mix is None:
        return arithmetic_cost(operation, machine)
    return arithmetic_mix_cost(operation, mix, machine)


def arithmetic_mix_cost(operation: Operation, mix: Mix, machine: Machine) -> Cost | None:
    """The cost of an operation that becomes the machine instructions ``mix``.

    Of a sequence around a reciprocal whose latency the machine tells (``costs.toml`` has its
    ``issues``) that holds; a single instruction has its own, and of others each instruction waits
    for the one before. Matrix products take the time of their shape, which no mix tells; None
    where it is not known.
    """
    if operation.op_class is OpClass.MMA:
        return arithmetic_cost(operation, machine)
    latency = sequence_cycles(operation, machine) if mix.of("sfu") else None
    if latency is None and mix.total == 1:
        own = arithmetic_cost(operation, machine)
        if own is not None and own.pipe == _unit(mix.counts[0][0]).pipe:
            latency = own.latency_cycles
    if latency is None:
        latency = sum(n * float(machine.number(_unit(unit).latency)) for unit, n in mix.counts)
    return _cost(mix, mix.total, machine, latency)


def access_mix_cost(mix: Mix, machine: Machine) -> Cost:
    """Cost of what comes with an access; the load-store unit is a server of accesses."""
    rest = Mix(tuple(part for part in mix.counts if part[0] != MEMORY))
    return _cost(rest, mix.total, machine, 0.0)


def _cost(mix: Mix, issues: int, machine: Machine, latency: float) -> Cost:
    """Cost of the instructions on their pipes, of which it has the two busiest."""
    busy: dict[str, float] = {}
    chooses = (capability_of(machine) or 0) >= _VOLTA
    for name, count in mix.counts:
        unit = _unit(name)
        cycles = count * interval_cycles(machine, unit.interval)
        if unit.also and chooses:
            cycles /= 2.0
            busy[unit.also] = busy.get(unit.also, 0.0) + cycles
        busy[unit.pipe] = busy.get(unit.pipe, 0.0) + cycles
    busy.pop("none", None)
    most = sorted(busy, key=lambda pipe: -busy[pipe])
    first, second, *_ = [*most, *("none", "")[len(most) :], ""]
    return Cost(first, busy.get(first, 0.0), issues, latency, second, busy.get(second, 0.0))


_VOLTA = 70
"""First capability whose compilers put simple integer operations on the multipliers too."""


def _unit(name: str) -> OpcodeGroup:
    return expansion_table().units[name]
