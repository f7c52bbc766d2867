"""The compute capability of a machine."""

from __future__ import annotations

from warpmill.simulator.machines.model import Machine


def capability_of(machine: Machine) -> int | None:
    """Give a machine's compute capability as one number, 86 for 8.6; None where it has none."""
    major, _, minor = machine.text("machine.compute_capability").partition(".")
    return int(major) * 10 + int(minor) if major.isdigit() and minor.isdigit() else None
