"""What the counting of transactions and bank conflicts needs to know of a machine."""

from __future__ import annotations

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.memory.rules import MemoryRules
from warpmill.simulator.machines.capability import capability_of
from warpmill.simulator.machines.model import Machine


def l1_sector_bytes(machine: Machine) -> int:
    """Give what L1 fills at once: a sector, or the line where that is no whole number of them."""
    line, sector = machine.integer("l1.line_bytes"), machine.integer("l1.sector_bytes")
    return sector if line % sector == 0 else line


def l2_bytes_per_clk(machine: Machine) -> float:
    """Give what L2 moves in a cycle; 0 for a chip without. UsageError where an L2 moves nothing."""
    rate = float(machine.number("l2.bytes_per_clk"))
    if not rate and machine.number("l2.size_bytes"):
        words = f"machine {machine.name} has an L2 that moves nothing, as l2.bytes_per_clk is 0"
        raise UsageError(f"{words}; --set l2.size_bytes=0 leaves it out")
    return rate


def memory_rules(machine: Machine) -> MemoryRules:
    """Make the memory rules of a machine.

    Requests merge among as many neighbouring lanes as shared memory has banks, at most a warp:
    where it has 16, memory serves half-warps (CUDA guide, compute capability 1.x).
    """
    banks = machine.integer("shared.banks")
    return MemoryRules(
        sector_bytes=l1_sector_bytes(machine),
        line_bytes=machine.integer("l1.line_bytes"),
        lanes_per_group=min(machine.integer("machine.warp_size"), banks),
        banks=banks,
        bank_width_bytes=machine.integer("shared.bank_width_bytes"),
        packs_pairs=(capability_of(machine) or 0) >= _VOLTA,
    )


_VOLTA = 70


def is_a_simulator(machine: Machine) -> bool:
    """Tell whether a machine is a configuration of a simulator: its units have pipelines."""
    return bool(machine.number("sm.pipeline_cycles"))
