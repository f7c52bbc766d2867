"""Calibrations in a few lines of Python.

::

    found = calibrate_model("v100", groups=["latency"])
    for row in found.rows:
        print(row.key, row.file_value, row.found.value if row.found else row.why)
    print(found.text())
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, UsageError
from warpmill.analyzer.base.metric import INTERNAL, Metric, derived
from warpmill.analyzer.base.naming import suggestion
from warpmill.calibration.calibrate import Calibration, Progress, chosen_groups, measured
from warpmill.calibration.comparison import ComparedKey, compared
from warpmill.calibration.gpu_facts import ATTRIBUTES, DriverFacts
from warpmill.calibration.simulated_gpu import of_pipeline
from warpmill.codegen.microbench.frame import Microbench
from warpmill.measurements.machines import find_machine
from warpmill.report.assumed import shown_value
from warpmill.simulator.machines.compare import HEAD, tables
from warpmill.simulator.machines.files import machine_names, read_machine_text
from warpmill.simulator.machines.model import Machine
from warpmill.simulator.machines.resolve import load_machine, machine_of
from warpmill.simulator.machines.schema import Scalar, SchemaKey, schema


@dataclass(frozen=True)
class Calibrated:
    """A calibration beside a machine: the model's own, or the one that a GPU is like.

    ``benches`` are the micro-benchmarks that were launched.
    """

    calibration: Calibration
    machine: Annotated[Machine, INTERNAL]
    rows: tuple[ComparedKey, ...]
    origin: Origin
    benches: Annotated[tuple[Microbench, ...], INTERNAL]

    @derived("Machine")
    def compared_with(self) -> str:
        """The machine that findings stand beside: the model's own, or the fallback."""
        return self.machine.name

    @derived("Set")
    def overrides(self) -> dict[str, str]:
        """Values of ``--set``."""
        return {k: shown_value(v.value) for k, v in self.machine.values if v.status == "set"}

    @derived("Keys with a difference")
    def differing(self) -> int:
        """How many keys differ."""
        return sum(one.verdict == "differs" for one in self.rows)

    def text(self) -> str:
        """Write the machine file. UsageError where nothing was measured that it could hold."""
        return machine_text(self.calibration, self.rows, self.origin)


def calibrate_model(
    machine: str | Machine,
    *,
    overrides: Mapping[str, Scalar] | None = None,
    groups: Sequence[str] | None = None,
    like: str | None = None,
    name: str | None = None,
    workers: int = 1,
    progress: Progress | None = None,
) -> Calibrated:
    """Calibrate on the whole-GPU model of a machine, by name, path or as it is.

    ``groups`` are those of ``calibrate.GROUPS``, all without it; ``like`` is the packaged machine
    that the new file falls back on. UsageError for an unknown machine, key or group.
    """
    from warpmill.calibration.simulated_gpu import ModelRunner  # noqa: PLC0415 - the engine is slow

    chosen = chosen_groups(groups)
    check_like(like)
    if not isinstance(machine, Machine):
        machine = load_machine(machine, overrides)
    runner = ModelRunner(machine, workers)
    found = measured(runner, chosen, progress)
    origin = model_origin(machine, name, like)
    return Calibrated(found, machine, compared(found, machine), origin, runner.benches)


def calibrate_gpu(
    *,
    groups: Sequence[str] | None = None,
    like: str | None = None,
    name: str | None = None,
    repeats: int = 7,
    progress: Progress | None = None,
) -> Calibrated:
    """Calibrate on the first GPU, each launch ``repeats`` times.

    ``like`` is the packaged machine that the new file falls back on; without it the one of the
    GPU's name. UsageError where there is no GPU, and where no machine has its name.
    """
    from warpmill.calibration.devices import GpuRunner  # noqa: PLC0415
    from warpmill.calibration.gpu_facts import gpu_facts  # noqa: PLC0415
    from warpmill.executor.host.device import Device  # noqa: PLC0415 - LLVM is slow to load

    chosen = chosen_groups(groups)
    check_like(like)
    facts = gpu_facts()
    fallback = like or _like(facts.name)
    runner = GpuRunner(Device("cuda", record=False), facts, repeats)
    found = measured(runner, chosen, progress)
    date = datetime.now(UTC).date().isoformat()
    origin = gpu_origin(facts, runner.sm_mhz, name, fallback, date)
    machine = load_machine(fallback)
    return Calibrated(found, machine, compared(found, machine), origin, runner.benches)


def check_like(like: str | None) -> None:
    """Refuse a fallback that no machine file may have. UsageError."""
    if like is not None and like not in machine_names():
        hint = suggestion(like, machine_names()) or "warpmill machines list shows them"
        words = f"--like {like}: this is not a machine that comes with warpmill"
        raise UsageError(Diagnostic(Severity.ERROR, words, hint=hint))


def _like(gpu: str) -> str:
    """The packaged machine of a GPU's name. UsageError."""
    try:
        return find_machine(gpu).machine
    except UsageError:
        words = f"no machine is known to be `{gpu}`"
        hint = "--like NAME says which one has what is not measured"
        raise UsageError(Diagnostic(Severity.ERROR, words, hint=hint)) from None


# The machine file of a calibration: what was measured, with how and how sure, over a fallback.

_DIGITS = 5


def machine_text(calibration: Calibration, rows: tuple[ComparedKey, ...], origin: Origin) -> str:
    """Write a machine file, and see that it loads. UsageError where it has no measured value.

    What only bounds a key, and what the model reads as something else, is left to the fallback.
    Where the machine has ``sm.pipeline_cycles``, latencies are stated without these.
    """
    stated = named(origin.name, origin.fallback, origin.facts)
    is_model = calibration.target.is_model
    measured = dict(_measured(rows, origin, _pipeline(origin), is_model=is_model))
    if not measured:
        raise UsageError("nothing was measured that a machine file could hold")
    stated |= measured
    stated |= dict(_whole_caches(stated, origin))
    if is_model:
        stated |= dict(_kept(stated, origin))
    text = "\n".join([*_head(calibration, origin), *tables(stated)]) + "\n"
    loaded(origin.name, text)
    return text


def _pipeline(origin: Origin) -> float:
    """The ``sm.pipeline_cycles`` of the new machine: no benchmark is of them."""
    known = origin.facts.get("sm.pipeline_cycles")
    if known is None:
        return float(load_machine(origin.fallback).number("sm.pipeline_cycles"))
    return float(known.value)  # type: ignore[arg-type] # a number, as its key is


def _measured(
    rows: tuple[ComparedKey, ...], origin: Origin, pipeline: float, *, is_model: bool
) -> Iterator[tuple[str, UnmeasuredValue]]:
    for row in rows:
        if row.found is None or row.found.bound is not None:
            continue
        if is_model and row.verdict == "not compared":  # a GPU has what its fallback lacks
            continue
        apart = of_pipeline(row.key, pipeline)
        less = f", less {apart:g} of sm.pipeline_cycles" if apart else ""
        spread = _spread(row.found.value, row.found.spread, row.unit)
        source = f"{_words(row.key, origin)}: {row.found.how}{less}{spread}"
        yield (
            row.key,
            UnmeasuredValue(_typed(schema().keys[row.key], row.found.value - apart), source),
        )


def _words(key: str, origin: Origin) -> str:
    """The letter of a source, and how it begins."""
    if key in origin.assumed:
        return f"A {origin.words}, which assumes it"
    return f"{origin.letter} {origin.words}"


def _spread(value: float, spread: float, unit: str) -> str:
    """How sure a value is; what is nothing beside it is nothing."""
    shown = 0.0 if spread < abs(value) * 1e-6 else spread
    return f", ± {shown:.2g} {unit}".rstrip()


def _typed(key: SchemaKey, value: float) -> Scalar:
    """A fitted value in the type of its key, within what the key may be."""
    if key.type == "bool":
        return value >= 0.5
    if key.type == "int":
        return int(min(key.max, max(key.min, round(value))))
    return float(min(key.max, max(key.min, float(f"{value:.{_DIGITS}g}"))))


def _whole_caches(
    stated: Mapping[str, UnmeasuredValue], origin: Origin
) -> Iterator[tuple[str, UnmeasuredValue]]:
    """State the sizes of L1 and L2 in whole sets of what else is stated, and the sets of L1."""
    fallback = load_machine(origin.fallback)
    for group in ("l1", "l2"):
        keys = [f"{group}.{name}" for name in ("size_bytes", "line_bytes", "ways")]
        if not any(key in stated for key in keys):
            continue
        size, line, ways = (
            int(stated[key].value if key in stated else fallback.number(key))  # type: ignore[arg-type]
            for key in keys
        )
        sets = max(1, round(size / (line * ways))) if size else 0
        source = f"X {' / '.join(keys)}, rounded"
        if sets * line * ways != size:
            found = stated[keys[0]].source if keys[0] in stated else f"T as {origin.fallback}"
            yield keys[0], UnmeasuredValue(sets * line * ways, f"{found}, in whole sets")
        if group == "l1" and sets and "l1.sets" not in stated:
            yield "l1.sets", UnmeasuredValue(sets, source)


def _kept(
    stated: Mapping[str, UnmeasuredValue], origin: Origin
) -> Iterator[tuple[str, UnmeasuredValue]]:
    """Values of a fallback that a rule would replace, as its input came out a little apart.

    Such as the rate of a stream beside the announced one of DRAM, which follow one another.
    """
    before = named(origin.name, origin.fallback, origin.facts)
    was, becomes = (loaded(origin.name, "\n".join(tables(each))) for each in (before, stated))
    for key, value in was.values:
        if value.status != "derived" and becomes[key].status == "derived":
            yield key, UnmeasuredValue(value.value, f"T as {origin.fallback}")


def _head(calibration: Calibration, origin: Origin) -> list[str]:
    return [
        f"# {origin.name}: {origin.words} by `warpmill calibrate`".replace("\n", " "),
        f"# {', '.join(calibration.groups)}: {calibration.launches} launches",
        "# Keys, units and the letters of sources: docs/machines.md",
        "",
        f"schema = {schema().version}",
    ]


# Where a calibration comes from: what its file has beside what was measured.


@dataclass(frozen=True)
class Origin:
    """Origin of a calibration, for its file.

    ``name`` is what the new machine is called, ``words`` how its sources begin: ``calibrated on the
    model v100``. ``fallback`` is a packaged machine. ``facts`` are values by key; ``assumed`` the
    keys that a model has an assumed value for: what is measured of it is no better.
    """

    name: str
    words: Annotated[str, INTERNAL]
    letter: Annotated[str, INTERNAL]
    fallback: Annotated[str, Metric("Default machine")]
    facts: Annotated[Mapping[str, UnmeasuredValue], INTERNAL]
    assumed: Annotated[frozenset[str], INTERNAL] = frozenset()


def model_origin(machine: Machine, name: str | None, like: str | None) -> Origin:
    """The origin of a calibration on a model.

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


def _identity(machine: Machine, kind: str) -> Iterator[tuple[str, UnmeasuredValue]]:
    """Keys that no file inherits: a machine's identity, and its clocks."""
    yield "machine.kind", UnmeasuredValue(kind, "- identification")
    for key, value in machine.values:
        if key in HEAD or key.startswith("clock."):
            yield key, UnmeasuredValue(value.value, f"{value.letter} {value.source}")


def _apart(
    machine: Machine, other: Machine, *, of_rules: bool = False
) -> Iterator[tuple[str, UnmeasuredValue]]:
    """Values in which a machine differs from another; those that follow from others: on request."""
    for key, value in machine.values:
        if key.startswith(("machine.", "clock.", "peak.", "host.")):
            continue
        if value.status == "derived" and not of_rules:
            continue
        known = other.get(key)
        if known is None or known.value != value.value:
            yield key, UnmeasuredValue(value.value, f"{value.letter} {value.source}")


def gpu_origin(facts: DriverFacts, sm_mhz: float, name: str | None, like: str, date: str) -> Origin:
    """The origin of a calibration on a GPU. ``date`` is the day, as 2026-01-31.

    The clock of its memory is that of the machine that it is like: the driver has several.
    """
    words = f"CUDA driver {facts.version // 1000}.{facts.version % 1000 // 10}"
    machine = load_machine(like)
    stated = dict(_identity(machine, "hardware"))
    for key in ("machine.chip", "machine.architecture", "clock.mem_mhz", "clock.mem_gtps"):
        stated[key] = UnmeasuredValue(machine[key].value, f"T as {like}")
    major, minor = divmod(facts.capability, 10)
    stated["machine.compute_capability"] = UnmeasuredValue(f"{major}.{minor}", f"D {words}")
    for key, value in facts.values.items():
        stated[key] = UnmeasuredValue(value, f"D {words}: {ATTRIBUTES[key]}")
    measured = f"B calibrated on {facts.name}, {date}: cycles over seconds of long loops"
    for key in [key for key in stated if key.startswith("clock.core_") or key == "clock.peak_mhz"]:
        del stated[key]
    stated["clock.sm_mhz"] = UnmeasuredValue(round(sm_mhz, 1), measured)
    return Origin(name or facts.name, f"calibrated on {facts.name}, {date}", "B", like, stated)


# Values with their sources as the text of a machine file, and that text as a machine.


@dataclass(frozen=True)
class UnmeasuredValue:
    """A value that was not measured: a driver says it, or the machine that a file falls back on."""

    value: Scalar
    source: str


def named(
    name: str, fallback: str, facts: Mapping[str, UnmeasuredValue]
) -> dict[str, UnmeasuredValue]:
    """Facts with what a machine is called, and what it falls back on."""
    return {
        "machine.name": UnmeasuredValue(name, "- identification"),
        "machine.fallback": UnmeasuredValue(fallback, "- what was not measured"),
        **facts,
    }


def loaded(name: str, text: str) -> Machine:
    """Load the text of a machine file; as one that has a path, it may be called as its fallback."""
    return machine_of(read_machine_text(f"{name}.toml", text), None, name)
