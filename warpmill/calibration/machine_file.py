"""The machine file of a calibration: what was measured, with how and how sure, over a fallback."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.calibration.calibrate import Calibration
from warpmill.calibration.comparison import Row
from warpmill.calibration.expected import of_pipeline
from warpmill.calibration.file_text import Fact, loaded, named
from warpmill.calibration.origins import Origin
from warpmill.simulator.machines.compare import tables
from warpmill.simulator.machines.resolve import load_machine
from warpmill.simulator.machines.schema import Key, Scalar, schema

_DIGITS = 5


def machine_text(calibration: Calibration, rows: tuple[Row, ...], origin: Origin) -> str:
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
    """Give the ``sm.pipeline_cycles`` of the new machine: no benchmark is of them."""
    known = origin.facts.get("sm.pipeline_cycles")
    if known is None:
        return float(load_machine(origin.fallback).number("sm.pipeline_cycles"))
    return float(known.value)  # type: ignore[arg-type] # a number, as its key is


def _measured(
    rows: tuple[Row, ...], origin: Origin, pipeline: float, *, is_model: bool
) -> Iterator[tuple[str, Fact]]:
    for row in rows:
        if row.found is None or row.found.bound is not None:
            continue
        if is_model and row.verdict == "not compared":  # a GPU has what its fallback lacks
            continue
        apart = of_pipeline(row.key, pipeline)
        less = f", less {apart:g} of sm.pipeline_cycles" if apart else ""
        spread = _spread(row.found.value, row.found.spread, row.unit)
        source = f"{_words(row.key, origin)}: {row.found.how}{less}{spread}"
        yield row.key, Fact(_typed(schema().keys[row.key], row.found.value - apart), source)


def _words(key: str, origin: Origin) -> str:
    """Give the letter of a source, and how it begins."""
    if key in origin.assumed:
        return f"A {origin.words}, which assumes it"
    return f"{origin.letter} {origin.words}"


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


def _whole_caches(stated: Mapping[str, Fact], origin: Origin) -> Iterator[tuple[str, Fact]]:
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
            yield keys[0], Fact(sets * line * ways, f"{found}, in whole sets")
        if group == "l1" and sets and "l1.sets" not in stated:
            yield "l1.sets", Fact(sets, source)


def _kept(stated: Mapping[str, Fact], origin: Origin) -> Iterator[tuple[str, Fact]]:
    """Give what a fallback states and a rule would replace, as its input came out a little apart.

    Such as the rate of a stream beside the announced one of DRAM, which follow one another.
    """
    before = named(origin.name, origin.fallback, origin.facts)
    was, becomes = (loaded(origin.name, "\n".join(tables(each))) for each in (before, stated))
    for key, value in was.values:
        if value.status != "derived" and becomes[key].status == "derived":
            yield key, Fact(value.value, f"T as {origin.fallback}")


def _head(calibration: Calibration, origin: Origin) -> list[str]:
    return [
        f"# {origin.name}: {origin.words} by `warpmill calibrate`".replace("\n", " "),
        f"# {', '.join(calibration.groups)}: {calibration.launches} launches",
        "# Keys, units and the letters of sources: docs/machines.md",
        "",
        f"schema = {schema().version}",
    ]
