"""Values with their sources as the text of a machine file, and that text as a machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from warpmill.simulator.machines.files import read_machine_text
from warpmill.simulator.machines.model import Machine
from warpmill.simulator.machines.resolve import machine_of
from warpmill.simulator.machines.schema import Scalar


@dataclass(frozen=True)
class Fact:
    """A value that was not measured: a driver says it, or the machine that a file falls back on."""

    value: Scalar
    source: str


def named(name: str, fallback: str, facts: Mapping[str, Fact]) -> dict[str, Fact]:
    """Give facts with what a machine is called, and what it falls back on."""
    return {
        "machine.name": Fact(name, "- identification"),
        "machine.fallback": Fact(fallback, "- what was not measured"),
        **facts,
    }


def loaded(name: str, text: str) -> Machine:
    """Load the text of a machine file; as one that has a path, it may be called as its fallback."""
    return machine_of(read_machine_text(f"{name}.toml", text), None, name)
