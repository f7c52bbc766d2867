"""Parts of ``profile``: the rules that memory is counted by, accesses by instruction and space."""

from __future__ import annotations

from collections.abc import Mapping

from warpmill.analyzer.frontends.load import LoadedModule
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.memory.rules import MemoryRules
from warpmill.analyzer.profile.counts import AccessProfile, Profile
from warpmill.analyzer.profile.memory import (
    OUTSIDE,
    REQUEST_BYTES,
    memory_traffic,
    transferred_bytes,
)
from warpmill.report.base import Id, Mark, Marks, Part, marks
from warpmill.report.facts import SourcePlace, instruction_place
from warpmill.simulator.machines.model import Machine, memory_rules, with_recording


class RulesFigures(Part):
    """What transactions and bank conflicts are counted by; ``machine`` null: the default rules.

    A request is a line of ``request_bytes``, whatever the machine, a transaction a sector; requests
    merge among ``lanes_per_group`` neighbouring lanes.
    """

    machine: str | None
    request_bytes: int
    sector_bytes: int
    lanes_per_group: int
    banks: int
    bank_width_bytes: int
    marks: Marks


class AccessFigures(Part):
    """A memory access of an instruction to one space.

    ``kind`` is load, store or atomic; a copy has a load and a store, an access through a generic
    address an entry for each space that it met. ``width_bytes`` are a lane's; ``warps`` counts
    executions with any lane on, ``threads`` their lanes. What a space has not is null: only global
    and local memory have requests, transactions and bytes transferred (whole sectors), only shared
    memory has passes over its banks, of which ``bank_conflicts`` are those beyond the first.
    """

    block: Id
    instruction: Id
    opcode: str
    kind: str
    space: str
    width_bytes: int
    warps: int
    threads: int
    bytes_requested: int
    bytes_transferred: int | None
    requests: int | None
    transactions: int | None
    bank_passes: int | None
    bank_conflicts: int | None
    place: SourcePlace


class TrafficFigures(Part):
    """The accesses of one kind to one space over all ``instructions`` that make any; as there."""

    space: str
    kind: str
    instructions: int
    warps: int
    threads: int
    bytes_requested: int
    bytes_transferred: int | None
    requests: int | None
    transactions: int | None
    bank_passes: int | None
    bank_conflicts: int | None


def rules_figures(rules: MemoryRules, machine: Machine | None) -> RulesFigures:
    """Report the rules; those of a machine are marked as its values are."""
    by_key = rule_marks(machine)
    return RulesFigures(
        machine=None if machine is None else machine.name,
        request_bytes=REQUEST_BYTES,
        sector_bytes=rules.sector_bytes,
        lanes_per_group=rules.lanes_per_group,
        banks=rules.banks,
        bank_width_bytes=rules.bank_width_bytes,
        marks=marks(RulesFigures, Mark.EXACT, **by_key),
    )


_KEYS = {
    "sector_bytes": ("l1.sector_bytes",),
    "lanes_per_group": ("machine.warp_size", "shared.banks"),
    "banks": ("shared.banks",),
    "bank_width_bytes": ("shared.bank_width_bytes",),
}
"""Which values of a machine a rule is made from."""


def rule_marks(machine: Machine | None) -> dict[str, Mark]:
    """Tell which rules are assumed: nobody states a value of the machine that they rest on."""
    if machine is None:
        return dict.fromkeys(_KEYS, Mark.EXACT)
    recording, used = with_recording(machine)
    memory_rules(recording)
    assumed = {one.key for one in used.assumed()}
    return {
        rule: Mark.ASSUMED if assumed & set(keys) else Mark.EXACT for rule, keys in _KEYS.items()
    }


def counted_marks(machine: Machine | None) -> dict[str, Mark]:
    """Mark what is counted by rules: assumed where one of these is."""
    rules = rule_marks(machine)
    moved = _worst(rules, "sector_bytes", "lanes_per_group")
    passed = _worst(rules, "banks", "bank_width_bytes")
    return {
        "transactions": moved,
        "bytes_transferred": moved,
        "bank_passes": passed,
        "bank_conflicts": passed,
    }


def _worst(rules: Mapping[str, Mark], *keys: str) -> Mark:
    return Mark.ASSUMED if any(rules[key] is Mark.ASSUMED for key in keys) else Mark.EXACT


def traffic_figures(profile: Profile) -> list[TrafficFigures] | None:
    """Report accesses by space and kind."""
    found = memory_traffic(profile)
    if found is None:
        return None
    return [
        TrafficFigures(
            space=one.space.value,
            kind=one.kind,
            instructions=one.instructions,
            warps=one.warps,
            threads=one.threads,
            bytes_requested=one.bytes_requested,
            bytes_transferred=one.bytes_transferred,
            requests=one.requests,
            transactions=one.transactions,
            bank_passes=one.bank_passes,
            bank_conflicts=one.bank_conflicts,
        )
        for one in found
    ]


def access_figures(profile: Profile, loaded: LoadedModule) -> list[AccessFigures] | None:
    """Report accesses by instruction, in the order of the code."""
    if profile.accesses is None or profile.rules is None:
        return None
    return [_access(access, profile, profile.rules, loaded) for access in profile.accesses]


def _access(
    access: AccessProfile, profile: Profile, rules: MemoryRules, loaded: LoadedModule
) -> AccessFigures:
    instruction = profile.kernel.blocks[access.block].instructions[access.instruction]
    outside, inside = access.space in OUTSIDE, access.space is Space.SHARED
    return AccessFigures(
        block=access.block,
        instruction=access.instruction,
        opcode=instruction.operation.opcode,
        kind=access.kind,
        space=access.space.value,
        width_bytes=access.width_bytes,
        warps=access.warps,
        threads=access.threads,
        bytes_requested=access.bytes_requested,
        bytes_transferred=transferred_bytes(access, rules),
        requests=access.requests if outside else None,
        transactions=access.transactions if outside else None,
        bank_passes=access.bank_passes if inside else None,
        bank_conflicts=access.bank_conflicts if inside else None,
        place=instruction_place(loaded, instruction),
    )
