"""Where a calibration comes from: what its file has beside what was measured."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from warpmill.calibration.file_text import Fact, loaded, named
from warpmill.calibration.gpu_facts import ATTRIBUTES, GpuFacts
from warpmill.simulator.machines.compare import HEAD, tables
from warpmill.simulator.machines.files import machine_names
from warpmill.simulator.machines.model import Machine
from warpmill.simulator.machines.resolve import load_machine


@dataclass(frozen=True)
class Origin:
    """Where a calibration comes from, for its file.

    ``name`` is what the new machine is called, ``words`` how its sources begin: ``calibrated on the
    model v100``. ``fallback`` is a packaged machine. ``facts`` are values by key; ``assumed`` the
    keys that a model has an assumed value for: what is measured of it is no better.
    """

    name: str
    words: str
    letter: str
    fallback: str
    facts: Mapping[str, Fact]
    assumed: frozenset[str] = frozenset()


def model_origin(machine: Machine, name: str | None, like: str | None) -> Origin:
    """Give the origin of a calibration on a model.

    What the model has otherwise than its fallback, and was not measured, stays as the model has it.
    """
    fallback = like or next(one for one in machine.chain if one in machine_names())
    called = name or f"{machine.name}, calibrated"
    facts = dict(_identity(machine, "design")) | dict(_apart(machine, load_machine(fallback)))
    text = "\n".join(tables(named(called, fallback, facts)))
    facts |= dict(_apart(machine, loaded(called, text), of_rules=True))
    assumed = frozenset(key for key, value in machine.values if value.assumed)
    words = f"calibrated on the model {machine.name}"
    return Origin(called, words, "C", fallback, facts, assumed)


def _identity(machine: Machine, kind: str) -> Iterator[tuple[str, Fact]]:
    """Give what no file inherits: who a machine is, and its clocks."""
    yield "machine.kind", Fact(kind, "- identification")
    for key, value in machine.values:
        if key in HEAD or key.startswith("clock."):
            yield key, Fact(value.value, f"{value.letter} {value.source}")


def _apart(
    machine: Machine, other: Machine, *, of_rules: bool = False
) -> Iterator[tuple[str, Fact]]:
    """Give what a machine has otherwise than another one; what follows from values: if asked."""
    for key, value in machine.values:
        if key.startswith(("machine.", "clock.", "peak.")):
            continue
        if value.status == "derived" and not of_rules:
            continue
        known = other.get(key)
        if known is None or known.value != value.value:
            yield key, Fact(value.value, f"{value.letter} {value.source}")


def gpu_origin(facts: GpuFacts, sm_mhz: float, name: str | None, like: str, date: str) -> Origin:
    """Give the origin of a calibration on a GPU. ``date`` is the day, as 2026-01-31.

    The clock of its memory is that of the machine that it is like: the driver has several.
    """
    words = f"CUDA driver {facts.version // 1000}.{facts.version % 1000 // 10}"
    machine = load_machine(like)
    stated = dict(_identity(machine, "hardware"))
    for key in ("machine.chip", "machine.architecture", "clock.mem_mhz", "clock.mem_gtps"):
        stated[key] = Fact(machine[key].value, f"T as {like}")
    major, minor = divmod(facts.capability, 10)
    stated["machine.compute_capability"] = Fact(f"{major}.{minor}", f"D {words}")
    for key, value in facts.values.items():
        stated[key] = Fact(value, f"D {words}: {ATTRIBUTES[key]}")
    measured = f"B calibrated on {facts.name}, {date}: cycles over seconds of long loops"
    for key in [key for key in stated if key.startswith("clock.core_") or key == "clock.peak_mhz"]:
        del stated[key]
    stated["clock.sm_mhz"] = Fact(round(sm_mhz, 1), measured)
    return Origin(name or facts.name, f"calibrated on {facts.name}, {date}", "B", like, stated)
