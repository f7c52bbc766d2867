"""Numerics: NaN and infinities that are made of finite values."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

from warpmill.analyzer.base.diagnostics import Severity
from warpmill.analyzer.ir.types import TYPES, Type
from warpmill.executor.sanitizers.callbacks import callback
from warpmill.executor.sanitizers.findings import Finding, FindingKind, Tool
from warpmill.executor.sanitizers.log import noted, run_at, watch_at
from warpmill.executor.sanitizers.numeric_checks import (
    MADE_INFINITY,
    MADE_NAN,
    PRODUCTS,
    element_of,
    is_not_looked_at,
    numeric_form,
)

if TYPE_CHECKING:
    from warpmill.executor.sanitizers.watch import LaunchWatch

TOOL = Tool.NUMERICS


@callback("warpmill.numerics")
def made(ctx: int, kind: int, site: int, lane: int, result: int, a: int, b: int, c: int) -> None:
    """Note a lane whose result is NaN or infinite, and its sources are finite."""
    run: Any = run_at(ctx)
    row = noted(watch_at(run.sanitizer), kind, site, -1)
    if row.count == 1:
        row.cta, row.thread = run.cta, run.warp * run.lanes + lane
        row.value, row.address, row.other_value, row.extra = result, a, b, c


def begin(watch: LaunchWatch) -> None:
    """Keep nothing of a launch."""


def not_modelled(watch: LaunchWatch) -> tuple[str, ...]:
    """What a launch did on floating-point values that is not looked at."""
    found = dict.fromkeys(
        i.operation.opcode for i in watch.compiled.kernel.instructions if is_not_looked_at(i)
    )
    return tuple(f"`{opcode}` is not looked at" for opcode in found)


_KINDS = {MADE_NAN: (FindingKind.NAN, "NaN"), MADE_INFINITY: (FindingKind.INFINITY, "an infinity")}


def finding(watch: LaunchWatch, row: Any) -> Finding | None:
    """The finding of a row; None where it is another tool's."""
    if int(row["kind"]) not in _KINDS:
        return None
    kind, what = _KINDS[int(row["kind"])]
    site, cta, thread = (int(row[key]) for key in ("site", "cta", "thread"))
    access = watch.access("result", site, cta, thread, value=int(row["value"]) % (1 << 64))
    block, place = access.instruction
    instruction = watch.compiled.kernel.blocks[block].instructions[place]
    form = numeric_form(instruction)
    assert form is not None
    given = "finite values of all lanes"
    if instruction.operation.name not in PRODUCTS:
        bits = (int(row[key]) for key in ("address", "other_value", "extra"))
        told = [_number(type_, b) for (_, type_), b in zip(form.sources, bits, strict=False)]
        given = " and ".join(told) or "numbers"
    return Finding(
        tool=TOOL,
        kind=kind,
        severity=Severity.WARNING,
        kernel=watch.compiled.kernel.name,
        launch=watch.number,
        message=f"`{access.opcode}` makes {what} of {given}",
        access=access,
        count=int(row["count"]),
    )


def _number(type_: Type, bits: int) -> str:
    """A value, or both of a packed one."""
    element = TYPES[element_of(type_)]
    width = element.bits
    parts = [bits >> k * width & (1 << width) - 1 for k in range(type_.lanes)]
    return " | ".join(f"{_float(element.name, part):.9g}" for part in parts)


def _float(name: str, bits: int) -> float:
    if name == "bf16":
        name, bits = "f32", bits << 16
    code, width = {"f16": ("e", 2), "f64": ("d", 8)}.get(name, ("f", 4))
    (found,) = struct.unpack(f"<{code}", bits.to_bytes(width, "little"))
    return float(found)
