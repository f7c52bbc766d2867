"""What instructions cost on a machine: pipe, interval, latency, looked up in ``costs.toml``."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from warpmill.analyzer.base.diagnostics import InputError
from warpmill.analyzer.ir.kernel import Imm, Instruction
from warpmill.analyzer.ir.operation import Operation
from warpmill.analyzer.ir.types import OpClass, Space, TypeKind
from warpmill.simulator.machines.model import Machine


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


_F32_BITS = 32
_WARPS_OF_64_ROWS = 4  # four warps do a wgmma together
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
    text = files("warpmill.simulator.estimate").joinpath("costs.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    return CostTable(data["costs"], frozenset(data["free"]))


def kind_of(operation: Operation) -> str:
    """Give the kind of data an operation computes on, as the table names it."""
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
    """Give the key of the line that holds for an operation; None where the table has none."""
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
    """Give the cost of an operation that touches no memory; None where it is not known."""
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
    """Give the latency of an operation that a machine has one of though it is a sequence.

    None for others: their instructions have latencies of their own.
    """
    key = line_of(operation)
    line = {} if key is None else cost_table().lines[key]
    if "issues" not in line:
        return None
    of_64_bits = kind_of(operation) == "int" and getattr(operation.type, "bits", 0) == 64
    return None if of_64_bits else float(machine.number(str(line["latency"])))


def ptx_cost(operation: Operation, machine: Machine) -> Cost | None:
    """Give the cost of an operation that is issued as it stands; None where it is not known."""
    key = line_of(operation)
    if key is None:
        return None
    line = cost_table().lines[key]
    pipe, latency = (str(line.get(f"ptx_{name}", line[name])) for name in ("pipe", "latency"))
    cycles = interval_cycles(machine, str(line.get("ptx_interval", _interval(line, operation))))
    return _of_shape(Cost(pipe, cycles, 1, float(machine.number(latency))), operation, line)


def _interval(line: Mapping[str, str | int], operation: Operation) -> str:
    """Give the key of an operation's interval."""
    sums = "f32_interval" if "f32_interval" in line and sums_in_f32(operation) else "interval"
    return str(line[sums])


def sums_in_f32(operation: Operation) -> bool:
    """Whether a matrix product's sums, whose type comes first, are FP32."""
    own = operation.types[:1]
    return bool(own) and own[0].is_float and own[0].bits == _F32_BITS


def _of_shape(cost: Cost, operation: Operation, line: Mapping[str, str | int]) -> Cost | None:
    """Give a matrix product the time of its shape; other costs are as they are.

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
    """Give the multiply-adds of one warp in a shape, of which four warps do one of 64 rows."""
    m, n, k = mma_shape(shape) or (0, 0, 0)
    return m * n * k / (_WARPS_OF_64_ROWS if m == 64 else 1)


def mma_shape(opcode: str) -> tuple[int, int, int] | None:
    """Give m, n and k of the product that an opcode names; None where it names none."""
    found = _MMA_SHAPE.search(opcode)
    return None if found is None else (int(found[1]), int(found[2]), int(found[3]))


def mma_multiply_adds(operation: Operation) -> float | None:
    """Give the multiply-adds of a matrix product that one warp has a part of; None: unknown.

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
    """Give the bits of a matrix product's factors, as tensor cores take them.

    They are the types after the result's; wmma names none where they are halves. Numbers of 6
    bits, and of 4 that are mixed with wider ones, take the way of those of 8.
    """
    factors = operation.types[1:3] if len(operation.types) > 2 else ()
    bits = max((t.bits for t in factors), default=16)
    if "f8f6f4" in operation.opcode:
        return 8
    return next(each for each in sorted(TENSOR_TIMES) if each >= min(bits, 64))


def _mma_factor(operation: Operation) -> float | None:
    """Give the time of a matrix product as a multiple of that of a half-precision m16n8k16."""
    number = mma_multiply_adds(operation)
    return None if number is None else number / _MMA_WORK * TENSOR_TIMES[factor_bits(operation)]


def is_of_sm(pipe: str, machine: Machine) -> bool:
    """Tell whether the sub-partitions of an SM share one pipe.

    Barriers are counted in one place; of other pipes it is one that has fewer lanes than there are
    sub-partitions: GPUs for graphics since Turing have two lanes of double precision in an SM.
    """
    if pipe == "adu":
        return True
    lanes = float(machine.number("lanes.fp64")) if pipe == "fp64" else 0.0
    return 0.0 < lanes < machine.integer("sm.subpartitions")


def interval_cycles(machine: Machine, key: str) -> float:
    """Give cycles between two warp instructions in one sub-partition, from an interval or lanes.

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
    """What has no model of an operation whose cost this is: its class, or where it accesses."""
    if cost is None:
        return operation.op_class.value
    return f"{operation.op_class.value} of remote memory" if operation.is_remote else None
