"""What a configuration says of the arithmetic units: lanes, and intervals between instructions.

Units are those of an SM; each takes a warp instruction every initiation interval. With the sub-core
model they are dealt out to the schedulers, each of which has its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from warpmill.simulator.machines.imported.core import (
    has_tensor_cores,
    number_at,
    subpartitions,
    warp_shape,
)
from warpmill.simulator.machines.imported.settings import Settings, Stated
from warpmill.simulator.machines.imported.tables import key_tables
from warpmill.simulator.machines.schema import schema

_TENSOR_FMAS = 16 * 8 * 16  # of one m16n8k16, as the rule of interval.tensor has it


def pipes(s: Settings) -> Iterator[Stated]:
    """Give lanes.* and interval.* of every class of instructions."""
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
    """Give the option with the number of the units that a class runs on."""
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
