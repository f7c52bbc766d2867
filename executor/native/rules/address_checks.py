"""Addresses that are compared with what exact integers come to."""

from __future__ import annotations

from warpmill.executor.native.emitter import when
from warpmill.executor.native.instructions import constant
from warpmill.executor.native.rules.registry import rule
from warpmill.executor.native.step import LoweringStep


@rule("check.address")
def check_address(step: LoweringStep) -> None:
    """Note the lanes whose address is another one than it would be without a wrap."""
    e = step.emitter
    address, exact = [e.vector(step.read(operand)) for operand in step.instruction.operands]
    differs = e.bits(e.op("and", e.compare("ne", address, exact), step.mask))

    def note() -> None:
        site, bits = constant(step.site, "i64"), e.resize(differs, "i64")
        lane = e.call("llvm.cttz", differs, extra=", i1 true")
        first = [e.get(e.spill(v), e.resize(lane, "i32"), "i64") for v in (address, exact)]
        lanes = e.resize(e.call("llvm.ctpop", bits), "i64")
        e.callback("warpmill.overflow", site, e.resize(lane, "i64"), lanes, *first)

    when(e, e.compare("ne", differs, constant(0, differs.type)), note)
