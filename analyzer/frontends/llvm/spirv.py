"""SPIR-V's built-in variables and functions as those of OpenCL that say the same."""

from __future__ import annotations

import re
from dataclasses import replace

from warpmill.analyzer.frontends.llvm import statement as st
from warpmill.analyzer.frontends.llvm.target import data_table
from warpmill.analyzer.frontends.llvm.values import OperandValues

_PREFIX = "__spirv_"
_NAME = re.compile(rf"{_PREFIX}(?:BuiltIn)?(\w+?)(?:_([xyz]))?")
_FUNCTION = re.compile(rf"_Z(\d{{1,4}})({_PREFIX}\w+)|({_PREFIX}\w+)")
_INTRINSIC = re.compile(r"llvm\.spv\.([a-z.]+)(?:\.i\d+)?")
_GROUPS = {2: "work", 3: "sub"}  # scopes: Workgroup, Subgroup
_HOW = ("reduce", "scan_inclusive", "scan_exclusive")


def builtin_of(name: str) -> tuple[str, str] | None:
    """OpenCL's function for a built-in by its name, and its axis where the name says one."""
    found = _NAME.fullmatch(name)
    function = None if found is None else _table("builtins").get(found[1])
    return None if found is None or function is None else (function, found[2] or "")


def intrinsic_of(callee: str) -> str | None:
    """OpenCL's function for an intrinsic of LLVM's SPIR-V target; None for others."""
    found = _INTRINSIC.fullmatch(callee)
    return None if found is None else _table("intrinsics").get(found[1])


def as_opencl(
    template: st.Template, callee: str, values: OperandValues
) -> tuple[st.Template, str] | None:
    """A call of a SPIR-V function as one of OpenCL's: with its arguments, by its mangled name.

    None where there is no such function, or the scope or operation is not known.
    """
    found = _FUNCTION.fullmatch(callee)
    if found is None:
        return None
    name, signature = found[3] or found[2][: int(found[1])], (found[2] or "")[int(found[1] or 0) :]
    name = name.removeprefix(_PREFIX)
    if name.startswith("ocl_"):
        return template, _mangled(re.sub("^[su]_", "", name[4:]), signature)
    line = _table("functions").get(name)
    if line is None:
        return None
    function, letter, *places = line.split()
    words = {}
    if "{group}" in function:
        words["group"] = _GROUPS.get(_constant(values, template, 0), "")
    if "{how}" in function:
        words["how"] = dict(enumerate(_HOW)).get(_constant(values, template, 1), "")
    if not all(words.values()) or any(int(p) >= len(template.operands) for p in places):
        return None
    operands = tuple(template.operands[int(place)] for place in places)
    return replace(template, operands=operands), _mangled(function.format(**words), letter)


def _table(name: str) -> dict[str, str]:
    table: dict[str, str] = data_table("calls_spirv.toml")[name]
    return table


def _mangled(name: str, signature: str) -> str:
    return f"_Z{len(name)}{name}{signature}"


def _constant(values: OperandValues, template: st.Template, place: int) -> int:
    """A constant argument; -1 for what is none."""
    if place >= len(template.operands):
        return -1
    number = values.integer(template.operands[place])
    return -1 if number is None else number
