"""What micro-benchmarks are to give back on the model of a machine, and what the model leaves out.

A key comes back only where the model reads it: costs of operations are looked up as the simulator
does it, and what it never reads has its reason in ``not_modelled.toml``.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from warpmill.analyzer.ir.operation import decode
from warpmill.codegen.microbench.operations import MeasuredOperation, measured_operations
from warpmill.simulator.estimate.costs import cost_table, line_of
from warpmill.simulator.machines.model import Machine


@dataclass(frozen=True)
class Expected:
    """The value of a key that benchmarks are to give; None with the reason why they cannot."""

    value: float | None
    reason: str = ""


def expected(key: str, machine: Machine) -> Expected:
    """Tell what benchmarks on the model of a machine are to give for a key, in its unit."""
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
    """Give the keys that the model does not read, with the reasons."""
    text = files("warpmill.calibration").joinpath("not_modelled.toml").read_text("utf-8")
    keys = tomllib.loads(text)["keys"]
    return {key: reason for reason, group in keys.items() for key in group}


def of_pipeline(key: str, cycles: float) -> float:
    """Give what a pipeline of so many cycles, ``sm.pipeline_cycles``, adds to what a key states."""
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
    """Say which key the model reads instead of one; empty where it reads that one."""
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
    """Tell whether an issue interval is what lanes give."""
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
    """Say what the model takes for an operation where none of its opcodes takes the key."""
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
    """Say what the model of PTX takes for an access: all of shared memory take as long as loads."""
    if key != "latency.shared_atomic":
        return ""
    return f"the model takes latency.shared_load for {opcode}"
