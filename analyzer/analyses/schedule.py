"""The order in which an assembler leaves the instructions of a block.

Compilers write PTX in the order of the source; ptxas issues loads as early as registers allow, so
that their latency passes while others run. How it decides is not published: here the instruction
with the longest way to the end of its block goes first, as long as the registers of a thread
suffice (as for register pressure, ``pressure_orders``). Blocks are ordered one by one.
"""

from __future__ import annotations

from dataclasses import replace

from analyzer.analyses.pressure import RESERVED
from analyzer.analyses.pressure_liveness import live_registers
from analyzer.analyses.pressure_orders import latency_order
from analyzer.analyses.pressure_region import Region, Step, build_region
from analyzer.analyses.pressure_values import Line, machine_view, plain_line
from analyzer.cfg.graph import Cfg
from analyzer.ir.kernel import Kernel

Orders = tuple[tuple[int, ...], ...]
"""For each block its instructions' numbers in an order that keeps their dependences."""


def as_written(kernel: Kernel) -> Orders:
    """Give the order of the text."""
    return tuple(tuple(range(len(block.instructions))) for block in kernel.blocks)


def scheduled(kernel: Kernel, cfg: Cfg, registers: int) -> Orders:
    """Give an order that hides latency, for a thread that has so many 32-bit registers.

    Registers keep their names: an instruction stays behind those that read or write what it
    overwrites.
    """
    view = machine_view(kernel, cfg)
    live = live_registers(view, cfg)
    kept = {r for lines in view.lines for line in lines for r in line.writes}
    weights = tuple(w if r in kept else 0 for r, w in enumerate(view.weights))
    limit = max(1, registers - RESERVED)
    orders = []
    for block in kernel.blocks:
        lines = [plain_line(instruction) for instruction in block.instructions]
        region = build_region(lines, live.on_entry[block.id], live.at_end[block.id], weights)
        region = _with_names(region, lines)
        orders.append(tuple(latency_order(region, range(len(lines)), limit)[0]))
    return tuple(orders)


def _with_names(region: Region, lines: list[Line]) -> Region:
    """Let each step wait for those before it that read or write a register that it writes."""
    readers: dict[int, list[int]] = {}
    writer: dict[int, int] = {}
    steps: list[Step] = []
    for number, (step, line) in enumerate(zip(region.steps, lines, strict=True)):
        waits = set(step.after)
        for register in line.reads:
            readers.setdefault(register, []).append(number)
        for register in line.writes:
            waits.update(readers.pop(register, ()))
            waits.add(writer.get(register, number))
            writer[register] = number
        steps.append(replace(step, after=tuple(sorted(waits - {number}))))
    return replace(region, steps=tuple(steps))
