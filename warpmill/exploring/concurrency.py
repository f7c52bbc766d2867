"""Block concurrency as one parameter of a machine: so many CTAs of every kernel on an SM.

Stargazer, §6.1: it is "the smallest of four per-core resources: the shared memory size, the
register file size, the maximum number of concurrent threads, and the maximum number of concurrent
thread blocks. To achieve a given #blk for a design point, we choose values for these four
parameters accordingly."

What the paper leaves open is decided here:

- ``sm.max_blocks`` is the number itself. The three other resources are as in the base machine, or
  as large as so many CTAs need where that is more. So every kernel of a workload has exactly so
  many CTAs on an SM, however unlike kernels are, and what they have beside is the base's.
- What one CTA alone may have (``reg.per_block``, ``shared.per_block_bytes``,
  ``sm.max_threads_per_block``, ``reg.max_per_thread``) stays as it is: a kernel of which the base
  machine cannot hold one CTA fits on no point of the space.
- Where L1 and shared memory are one array, CTAs take from L1 what they need, as they always do.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from warpmill.simulator.machines.model import Machine
from warpmill.simulator.machines.schema import Scalar

KEYS = ("sm.max_blocks", "sm.max_threads", "reg.per_sm", "shared.per_sm_bytes")
"""The four resources."""


@dataclass(frozen=True, order=True)
class Footprint:
    """Resources of a CTA: threads, registers of each, static and dynamic shared bytes."""

    threads: int
    registers: int
    shared_bytes: int


NOMINAL = Footprint(256, 16, 0)
"""A CTA for checks of machines before there are kernels."""


def concurrency_settings(
    machine: Machine, ctas: int, footprints: Iterable[Footprint]
) -> dict[str, Scalar]:
    """The settings with which an SM holds exactly so many CTAs of each kernel."""
    each = tuple(footprints)
    threads = (ctas * _round_up(f.threads, machine.integer("machine.warp_size")) for f in each)
    return {
        "sm.max_blocks": ctas,
        "sm.max_threads": max(machine.integer("sm.max_threads"), *threads),
        "reg.per_sm": max(
            machine.integer("reg.per_sm"), *(_registers(machine, ctas, f) for f in each)
        ),
        "shared.per_sm_bytes": max(
            machine.integer("shared.per_sm_bytes"), *(ctas * _shared(machine, f) for f in each)
        ),
    }


def _registers(machine: Machine, ctas: int, one: Footprint) -> int:
    """The registers that an SM needs: as ``simulator.occupancy`` shares them out."""
    warp = machine.integer("machine.warp_size")
    unit, parts = machine.integer("reg.alloc_unit"), machine.integer("reg.warp_alloc_granularity")
    warps = -(-one.threads // warp)
    if machine.text("reg.alloc_granularity") == "block":
        return ctas * _round_up(_round_up(warps, parts) * warp * one.registers, unit)
    per_warp = _round_up(one.registers * warp, unit)
    return _round_up(ctas * warps, parts) * per_warp


def _shared(machine: Machine, one: Footprint) -> int:
    asked = one.shared_bytes + machine.integer("shared.reserved_per_block_bytes")
    return _round_up(asked, machine.integer("shared.alloc_unit_bytes"))


def _round_up(value: int, unit: int) -> int:
    return -(-value // unit) * unit
