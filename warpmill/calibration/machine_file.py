"""The machine file of a calibration: what was measured, with how and how sure, over a fallback."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from analyzer.diagnostics import UsageError
from simulator.machines.compare import toml_value
from simulator.machines.files import machine_names, read_machine_text
from simulator.machines.model import Machine
from simulator.machines.resolve import load_machine, machine_of
from simulator.machines.schema import Key, Scalar, schema
from warpmill.calibration.calibrate import Calibration
from warpmill.calibration.comparison import Row
from warpmill.calibration.gpu_facts import ATTRIBUTES, GpuFacts

_DIGITS = 5
_HEAD = (
    "machine.vendor",
    "machine.chip",
    "machine.architecture",
    "machine.compute_capability",
    "machine.warp_size",
    "machine.cycle_domain",
)


@dataclass(frozen=True)
class Fact:
    """A value that was not measured: a driver says it, or the machine that a file falls back on."""

    value: Scalar
    source: str


@dataclass(frozen=True)
class Origin:
    """Where a calibration comes from, for its file.

    ``name`` is what the new machine is called, ``words`` how its sources begin: ``calibrated on the
    model v100``. ``fallback`` is a packaged machine. ``facts`` are values by key.
    """

    name: str
    words: str
    letter: str
    fallback: str
    facts: Mapping[str, Fact]


def machine_text(calibration: Calibration, rows: tuple[Row, ...], origin: Origin) -> str:
    """Write a machine file, and see that it loads. UsageError where it has no measured value.

    What only bounds a key, and what the model reads as something else, is left to the fallback.
    """
    stated = dict(origin.facts)
    stated["machine.name"] = Fact(origin.name, "- identification")
    words = "- what was not measured"
    stated["machine.fallback"] = Fact(origin.fallback, words)
    measured = dict(_measured(rows, origin))
    if not measured:
        raise UsageError("nothing was measured that a machine file could hold")
    stated |= measured
    stated |= _whole_sets(stated, origin)
    text = "\n".join([*_head(calibration, origin), *_tables(stated)]) + "\n"
    machine_of(read_machine_text(origin.name, text), None, origin.name)
    return text


def _measured(rows: tuple[Row, ...], origin: Origin) -> Iterator[tuple[str, Fact]]:
    for row in rows:
        if row.found is None or row.found.bound is not None or row.verdict == "not compared":
            continue
        key = schema().keys[row.key]
        spread = _spread(row.found.value, row.found.spread, row.unit)
        source = f"{origin.letter} {origin.words}: {row.found.how}{spread}"
        yield row.key, Fact(_typed(key, row.found.value), source)


def _spread(value: float, spread: float, unit: str) -> str:
    """Say how sure a value is; what is nothing beside it is nothing."""
    shown = 0.0 if spread < abs(value) * 1e-6 else spread
    return f", ± {shown:.2g} {unit}".rstrip()


def _typed(key: Key, value: float) -> Scalar:
    """Give a fitted value in the type of its key, within what the key may be."""
    if key.type == "bool":
        return value >= 0.5
    if key.type == "int":
        return int(min(key.max, max(key.min, round(value))))
    return float(min(key.max, max(key.min, float(f"{value:.{_DIGITS}g}"))))


def _whole_sets(stated: Mapping[str, Fact], origin: Origin) -> dict[str, Fact]:
    """State the sets of L1, a whole number, where any of what they follow from is stated."""
    inputs = ("l1.size_bytes", "l1.line_bytes", "l1.ways")
    if "l1.sets" in stated or not any(key in stated for key in inputs):
        return {}
    fallback = load_machine(origin.fallback)
    size, line, ways = (
        float(stated[key].value if key in stated else fallback.number(key))  # type: ignore[arg-type]
        for key in inputs
    )
    sets = max(1, round(size / (line * ways)))
    return {"l1.sets": Fact(sets, f"X {' / '.join(inputs)}, rounded")}


def _head(calibration: Calibration, origin: Origin) -> list[str]:
    return [
        f"# {origin.name}: {origin.words} by `warpmill calibrate`".replace("\n", " "),
        f"# {', '.join(calibration.groups)}: {calibration.launches} launches",
        "# Keys, units and the letters of sources: docs/machines.md",
        "",
        f"schema = {schema().version}",
    ]


def _tables(stated: Mapping[str, Fact]) -> Iterator[str]:
    group = ""
    for key in schema().keys:
        if key not in stated:
            continue
        if key.rpartition(".")[0] != group:
            group = key.rpartition(".")[0]
            yield from ("", f"[{group}]")
        fact = stated[key]
        value, source = toml_value(fact.value), toml_value(fact.source)
        yield f"{key.rpartition('.')[2]} = {{ value = {value}, source = {source} }}"


def model_origin(machine: Machine, name: str | None, like: str | None) -> Origin:
    """Give the origin of a calibration on a model.

    What the model has otherwise than its fallback, and was not measured, stays as the model has it.
    """
    fallback = like or next(one for one in machine.chain if one in machine_names())
    return Origin(
        name or f"{machine.name}, calibrated",
        f"calibrated on the model {machine.name}",
        "C",
        fallback,
        dict(_identity(machine, "design")) | dict(_changed(machine, load_machine(fallback))),
    )


def _identity(machine: Machine, kind: str) -> Iterator[tuple[str, Fact]]:
    """Give what no file inherits: who a machine is, and its clocks."""
    yield "machine.kind", Fact(kind, "- identification")
    for key, value in machine.values:
        if key in _HEAD or key.startswith("clock."):
            yield key, Fact(value.value, f"{value.letter} {value.source}")


def _changed(machine: Machine, fallback: Machine) -> Iterator[tuple[str, Fact]]:
    for key, value in machine.values:
        if key.startswith(("machine.", "clock.", "peak.")) or value.status == "derived":
            continue
        other = fallback.get(key)
        if other is None or other.value != value.value:
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
