"""How many CTAs of a kernel an SM holds at once.

Hybrid-estimation paper, §IV-A, Equations 1 to 7, with the rules of real architectures: registers
are handed out to warps, to the sub-partitions in turn, or to whole CTAs (compute capability 1.x);
shared memory carries what the driver reserves. Where the paper differs (docs/machines.md): it
rounds warps within the register file of one CTA and multiplies, here they are rounded within the
SM, as NVIDIA's own calculation does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.metric import Mark, Metric
from warpmill.simulator.machines.model import Machine


@dataclass(frozen=True)
class Occupancy:
    """How many CTAs an SM holds, and why not more.

    The limits are CTAs per SM that each resource alone would allow: ``blocks`` the slots for CTAs,
    ``warps`` those for warps, ``registers``, ``shared_memory``; None where the kernel does not use
    the resource, or its use is unknown. ``limiting`` names the resources whose limit is reached.
    ``shared_carveout_bytes`` is the smallest shared memory that the SM can be set to for these
    CTAs. With 0 CTAs ``notes`` say why.
    """

    ctas_per_sm: Annotated[int, Metric("Resident CTAs per SM", "CTA")]
    warps_per_cta: Annotated[int, Metric("Warps per CTA", "warp", Mark.EXACT)]
    warps_per_sm: Annotated[
        int,
        Metric(
            "Theoretical active warps per SM", "warp", ncu="sm__maximum_warps_avg_per_active_cycle"
        ),
    ]
    occupancy_fraction: Annotated[
        float,
        Metric("Theoretical occupancy", "%", ncu="sm__maximum_warps_per_active_cycle_pct"),
    ]
    limits: Annotated[Mapping[str, int | None], Metric("CTA limits per SM", "CTA")]
    limiting: Annotated[tuple[str, ...], Metric("Limited by")]
    shared_carveout_bytes: Annotated[int, Metric("Shared memory configuration", "B")]
    notes: tuple[str, ...] = ()


def occupancy(
    machine: Machine,
    threads_per_block: int,
    registers_per_thread: int | None,
    shared_bytes_per_block: int,
) -> Occupancy:
    """How many CTAs of this size reside on one SM.

    ``shared_bytes_per_block`` is static and dynamic shared memory together. Registers None are
    unknown: they do not limit, and a note says so. UsageError for a CTA without threads and for
    negative numbers.
    """
    if threads_per_block < 1 or (registers_per_thread or 0) < 0 or shared_bytes_per_block < 0:
        raise UsageError("a CTA has at least one thread; registers and shared bytes are at least 0")
    warps = _ceil_div(threads_per_block, machine.integer("machine.warp_size"))
    notes = list(_refusals(machine, threads_per_block, registers_per_thread or 0))
    limits: dict[str, int | None] = {
        "blocks": machine.integer("sm.max_blocks"),
        "warps": machine.integer("sm.max_warps") // warps,
        "registers": _register_limit(machine, warps, registers_per_thread, notes),
        "shared_memory": _shared_limit(machine, shared_bytes_per_block, notes),
    }
    blocks = min(limit for limit in limits.values() if limit is not None)
    if threads_per_block > machine.integer("sm.max_threads_per_block"):
        blocks, limits["warps"] = 0, 0
    elif limits["warps"] == 0:
        notes.append(f"{warps} warps do not fit: an SM holds {machine.integer('sm.max_warps')}")
    return Occupancy(
        blocks,
        warps,
        blocks * warps,
        blocks * warps / machine.integer("sm.max_warps"),
        limits,
        tuple(name for name, limit in limits.items() if limit == blocks),
        _carveout(machine, blocks * _allocated_shared(machine, shared_bytes_per_block)),
        tuple(notes),
    )


def _refusals(machine: Machine, threads: int, registers: int) -> list[str]:
    """Limits that the machine exceeds whatever else resides on the SM."""
    notes = []
    most_threads = machine.integer("sm.max_threads_per_block")
    if threads > most_threads:
        notes.append(f"{threads} threads do not fit: a CTA has at most {most_threads}")
    most_registers = machine.integer("reg.max_per_thread")
    if registers > most_registers:
        notes.append(f"{registers} registers do not fit: a thread has at most {most_registers}")
    return notes


def _register_limit(
    machine: Machine, warps: int, registers: int | None, notes: list[str]
) -> int | None:
    """The CTAs that the register file holds (Equations 3 and 4)."""
    if registers is None:
        notes.append("the registers of a thread are unknown and not counted")
        return None
    if registers == 0:
        return None
    if registers > machine.integer("reg.max_per_thread"):
        return 0
    if machine.text("reg.alloc_granularity") == "block":
        needed, blocks = _by_block(machine, warps, registers)
    else:
        needed, blocks = _by_warp(machine, warps, registers)
    most = machine.integer("reg.per_block")
    if needed > most:
        notes.append(f"{needed} registers of a CTA do not fit: it has at most {most}")
        return 0
    if blocks == 0:
        notes.append(f"{needed} registers of a CTA do not fit into the register file of an SM")
    return blocks


def _by_warp(machine: Machine, warps: int, registers: int) -> tuple[int, int]:
    """A CTA's registers and the CTAs of an SM where warps get registers.

    Each of ``reg.warp_alloc_granularity`` sub-partitions has its share of the register file. The
    check of one CTA assumes that all of them are used; GP100 checks as if it had four.
    """
    unit = machine.integer("reg.alloc_unit")
    per_warp = _round_up(registers * machine.integer("machine.warp_size"), unit)
    parts = machine.integer("reg.warp_alloc_granularity")
    legality = machine.integer("reg.legality_partitions")
    needed = max(_round_up(warps, parts), _round_up(warps, legality)) * per_warp
    resident = machine.integer("reg.per_sm") // parts // per_warp * parts
    return needed, resident // warps


def _by_block(machine: Machine, warps: int, registers: int) -> tuple[int, int]:
    """A CTA's registers and the CTAs of an SM where whole CTAs get registers (CC 1.x)."""
    rounded = _round_up(warps, machine.integer("reg.warp_alloc_granularity"))
    lanes = rounded * machine.integer("machine.warp_size")
    needed = _round_up(lanes * registers, machine.integer("reg.alloc_unit"))
    return needed, machine.integer("reg.per_sm") // needed


def _shared_limit(machine: Machine, shared_bytes: int, notes: list[str]) -> int | None:
    """The CTAs that shared memory holds (Equations 5 and 6)."""
    most = max(
        machine.integer("shared.per_block_bytes"), machine.integer("shared.per_block_optin_bytes")
    )
    if shared_bytes > most:
        notes.append(f"{shared_bytes} B of shared memory do not fit: a CTA has at most {most} B")
        return 0
    if shared_bytes > machine.integer("shared.per_block_bytes"):
        notes.append("the kernel must opt in to this much shared memory")
    allocated = _allocated_shared(machine, shared_bytes)
    if allocated == 0:
        return None
    blocks = machine.integer("shared.per_sm_bytes") // allocated
    if blocks == 0:
        notes.append(f"{allocated} B of shared memory with the driver's share do not fit an SM")
    return blocks


def _allocated_shared(machine: Machine, shared_bytes: int) -> int:
    asked = shared_bytes + machine.integer("shared.reserved_per_block_bytes")
    return _round_up(asked, machine.integer("shared.alloc_unit_bytes"))


def _carveout(machine: Machine, needed_bytes: int) -> int:
    """The smallest size of the shared array that holds so much; else all that there is."""
    sizes = sorted(kib * 1024 for kib in machine.integers("shared.carveout_kib"))
    return next(
        (size for size in sizes if size >= needed_bytes), machine.integer("shared.per_sm_bytes")
    )


def l1_bytes_beside(machine: Machine, carveout_bytes: int) -> int:
    """The L1 in bytes that is left beside a shared carve-out.

    Where L1 and shared memory have arrays of their own, it is all of L1.
    """
    size = machine.integer("l1.size_bytes")
    unified = machine.get("l1.unified_bytes")
    if size == 0 or unified is None or len(machine.integers("shared.carveout_kib")) == 1:
        return size
    return max(0, min(size, machine.integer("l1.unified_bytes") - carveout_bytes))


def _ceil_div(a: int, b: int) -> int:
    return -(-a // b)


def _round_up(value: int, unit: int) -> int:
    return _ceil_div(value, unit) * unit
