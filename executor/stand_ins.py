"""Values that the executor takes where the input, or a GPU that is not there, would give them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity
from warpmill.analyzer.base.source import Source, Span
from warpmill.analyzer.ir.kernel import Kernel, Special
from warpmill.executor.native.specials import GRID_WORKSPACE_HALVES

_COUNT = "the warp instructions so far, which have no unit of time"
_STAND_INS = {
    "clock": _COUNT,
    "clock_hi": _COUNT,
    "clock64": _COUNT,
    "globaltimer": _COUNT,
    "globaltimer_lo": _COUNT,
    "globaltimer_hi": _COUNT,
    "smid": "0: there is one SM here",
    "nsmid": "1: there is one SM here",
    "gridid": "0",
}
"""Special registers whose values on a GPU no launch decides, and what is taken."""


def stand_ins(kernel: Kernel, source: Source) -> tuple[Diagnostic, ...]:
    """What executing a kernel takes for values that nothing gives, each at its first use.

    Special registers that only a GPU has, and registers that no instruction writes.
    """
    found = [*_special_registers(kernel), *_never_written(kernel)]
    return tuple(
        replace(d, file=source.name, excerpt=source.line(d.span.line) if d.span else None)
        for d in found
    )


def _special_registers(kernel: Kernel) -> Iterator[Diagnostic]:
    first: dict[str, Span] = {}
    for instruction in kernel.instructions:
        for operand in instruction.operands:
            if isinstance(operand, Special):
                first.setdefault(operand.name, instruction.span)
    for name, span in first.items():
        taken = _STAND_INS.get(name)
        if name.startswith(("envreg", "pm")) and name not in GRID_WORKSPACE_HALVES:
            taken = "0"
        if taken is not None:
            yield Diagnostic(Severity.NOTE, f"`%{name}` is taken as {taken}", span=span)


def _never_written(kernel: Kernel) -> Iterator[Diagnostic]:
    written = {p.register.index for p in kernel.parameters if p.register is not None}
    for instruction in kernel.instructions:
        written.update(instruction.writes)
    copies = [copy for b in kernel.blocks for edge in b.incoming for copy in edge.copies]
    written.update(register.index for register, _ in copies)
    told: set[int] = set()
    for instruction in kernel.instructions:
        for index in instruction.reads:
            if index not in written and index not in told:
                told.add(index)
                name = kernel.registers[index].name
                words = f"nothing writes `{name}`: what is read here is undefined, 0 is taken"
                yield Diagnostic(Severity.WARNING, words, span=instruction.span)
