"""Keys of machine files (``schema.toml``), checks of values, and values that follow from others."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, UsageError
from warpmill.analyzer.base.naming import suggestion

Scalar = int | float | bool | str | tuple[int, ...]
"""Types of a key's value."""


@dataclass(frozen=True)
class SchemaKey:
    """One row of the table.

    ``type`` is int, float, bool, str or int_list; ``unit`` is empty where there is none.
    ``inherited`` tells whether an absent value is taken along the fallback chain.
    """

    name: str
    type: str
    meaning: str
    unit: str = ""
    min: float = -math.inf
    max: float = math.inf
    choices: tuple[str, ...] = ()
    inherited: bool = True
    required: bool = False


@dataclass(frozen=True)
class Letter:
    """The first letter of a source: what kind of evidence it is."""

    letter: str
    meaning: str
    assumed: bool


@dataclass(frozen=True)
class Schema:
    """All keys in the order of the table, and the letters of sources."""

    version: int
    keys: Mapping[str, SchemaKey]
    letters: Mapping[str, Letter]

    @property
    def groups(self) -> tuple[str, ...]:
        """The tables that hold keys, in order: ``dram`` and ``dram.timing`` are two."""
        return tuple(dict.fromkeys(name.rpartition(".")[0] for name in self.keys))

    def key(self, name: str) -> SchemaKey:
        """Find a key; UsageError with the nearest names where there is none."""
        if name in self.keys:
            return self.keys[name]
        words = f"there is no machine key `{name}`"
        raise UsageError(
            Diagnostic(Severity.ERROR, words, hint=suggestion(name, self.keys) or _ALL_KEYS)
        )


_ALL_KEYS = "docs/machines.md lists every key"


@cache
def schema() -> Schema:
    """Read the table (once)."""
    data = tomllib.loads(files(__package__).joinpath("schema.toml").read_text("utf-8"))
    version, letters = data.pop("version"), data.pop("letters")
    never, required = data.pop("never_inherited"), data.pop("required")
    keys = {
        name: SchemaKey(
            name,
            **{**row, "choices": tuple(row.get("choices", ()))},
            inherited=name.partition(".")[0] not in never,
            required=name in required,
        )
        for name, row in _rows("", data)
    }
    return Schema(version, keys, {x: Letter(x, **row) for x, row in letters.items()})


def _rows(prefix: str, table: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    rows: list[tuple[str, dict[str, Any]]] = []
    for name, item in table.items():
        if isinstance(item.get("meaning"), str):
            rows.append((prefix + name, item))
        else:
            rows += _rows(f"{prefix}{name}.", item)
    return rows


def problem_with(key: SchemaKey, value: object) -> str | None:
    """Fault of a value of this key; None where there is none."""
    if not _TYPE_CHECKS[key.type](value):
        return f"{key.name} is {_TYPE_WORDS[key.type]}, not {_shown(value)}"
    if key.choices and value not in key.choices:
        return f"{key.name} is one of {', '.join(key.choices)}, not {_shown(value)}"
    numbers = value if isinstance(value, list | tuple) else (value,)
    for number in numbers:
        if isinstance(number, int | float) and not key.min <= number <= key.max:
            unit = f" {key.unit}" if key.unit else ""
            return f"{key.name} is {key.min:.15g} to {key.max:.15g}{unit}, not {_shown(number)}"
    return None


def normalised(key: SchemaKey, value: object) -> Scalar:
    """A checked value in the one form of its type: 448 of a float key is 448.0."""
    if key.type == "float":
        return float(value)  # type: ignore[arg-type]
    return tuple(value) if isinstance(value, list) else value  # type: ignore[return-value]


def _shown(value: object) -> str:
    text = str(value).lower() if isinstance(value, bool) else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_float(value: object) -> bool:
    return _is_int(value) or (isinstance(value, float) and math.isfinite(value))


def _is_int_list(value: object) -> bool:
    return isinstance(value, list | tuple) and len(value) > 0 and all(map(_is_int, value))


_TYPE_CHECKS = {
    "int": _is_int,
    "float": _is_float,
    "bool": lambda value: isinstance(value, bool),
    "str": lambda value: isinstance(value, str),
    "int_list": _is_int_list,
}
_TYPE_WORDS = {
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "str": "a text",
    "int_list": "a list of whole numbers",
}


# Values of a machine that follow from others: the one place where they are computed.
#
# A machine file states such a value only where its source says a different number. The statement
# holds as long as the inputs of the rule have the values that they have in the file that states
# it; once one of them is changed (by ``--set`` or by a file nearer in the fallback chain), the
# rule takes over. Other values have no rule and still go with others: ``FOLLOWS`` says which. They
# change by as much as these, where a user (``--set``) or a design made of a machine changes these.


@dataclass(frozen=True)
class DerivationRule:
    """How one value follows from others; ``formula`` says it in words.

    ``compute`` takes the inputs in order and gives None where the result has no meaning. A rule
    is ``assumed`` where it is a rule of thumb and not arithmetic.
    """

    key: str
    inputs: tuple[str, ...]
    formula: str
    compute: Callable[..., float | None]
    assumed: bool = False


def _interval(lanes: str) -> DerivationRule:
    """Make the rule of one issue interval: a warp passes the lanes of one sub-partition."""
    return DerivationRule(
        f"interval.{lanes}",
        ("machine.warp_size", "sm.subpartitions", f"lanes.{lanes}"),
        f"machine.warp_size × sm.subpartitions / lanes.{lanes}",
        lambda warp, parts, width: warp * parts / width if width else None,
    )


def _sets(size: float, line: float, ways: float) -> float:
    return size / (line * ways) if size else 0


_TENSOR_FMAS = 16 * 8 * 16  # of one m16n8k16

_RULES = (
    DerivationRule(
        "sm.max_warps",
        ("sm.max_threads", "machine.warp_size"),
        "sm.max_threads / machine.warp_size",
        lambda threads, warp: threads / warp,
    ),
    DerivationRule(
        "sm.simd_width",
        ("lanes.fp32", "sm.subpartitions", "machine.warp_size"),
        "lanes.fp32 / sm.subpartitions, at most machine.warp_size",
        lambda lanes, parts, warp: min(lanes / parts, warp) if lanes else None,
    ),
    DerivationRule(
        "front_end.fetch_width",
        ("sm.issue_per_scheduler",),
        "sm.issue_per_scheduler, in whole instructions",
        lambda width: max(1, math.ceil(width)),
        assumed=True,
    ),
    *map(_interval, ("fp32", "fp64", "int_add", "int_mul", "sfu", "conv", "shuffle", "ldst")),
    DerivationRule(
        "interval.int_mad",
        ("interval.int_mul",),
        "interval.int_mul",
        lambda interval: interval,
    ),
    DerivationRule(
        "interval.tensor",
        ("sm.subpartitions", "lanes.tensor_fp16_fma"),
        f"{_TENSOR_FMAS} × sm.subpartitions / lanes.tensor_fp16_fma (one m16n8k16)",
        lambda parts, width: _TENSOR_FMAS * parts / width if width else None,
    ),
    DerivationRule(
        "lanes.tensor_fp16_fma_f32acc",
        ("lanes.tensor_fp16_fma",),
        "lanes.tensor_fp16_fma",
        lambda width: width,
    ),
    DerivationRule(
        "interval.tensor_f32acc",
        ("interval.tensor", "lanes.tensor_fp16_fma", "lanes.tensor_fp16_fma_f32acc"),
        "interval.tensor × lanes.tensor_fp16_fma / lanes.tensor_fp16_fma_f32acc",
        lambda interval, width, sums: interval * width / sums if sums else None,
    ),
    DerivationRule(
        "interval.wgmma",
        ("sm.subpartitions", "lanes.tensor_fp16_fma_f32acc"),
        f"{_TENSOR_FMAS} × sm.subpartitions / lanes.tensor_fp16_fma_f32acc",
        lambda parts, width: _TENSOR_FMAS * parts / width if width else None,
    ),
    DerivationRule(
        "l1.sets",
        ("l1.size_bytes", "l1.line_bytes", "l1.ways"),
        "l1.size_bytes / (l1.line_bytes × l1.ways)",
        _sets,
    ),
    DerivationRule(
        "dram.bandwidth_gbs",
        ("dram.bus_bits", "clock.mem_gtps"),
        "dram.bus_bits × clock.mem_gtps / 8",
        lambda bits, rate: bits * rate / 8,
    ),
    DerivationRule(
        "dram.measured_gbs",
        ("dram.bandwidth_gbs",),
        "0.95 × dram.bandwidth_gbs (pure streams reach 0.977 to 0.997 on seven cards)",
        lambda rate: 0.95 * rate,
        assumed=True,
    ),
    DerivationRule(
        "dram.bytes_per_clk_per_channel",
        ("dram.bandwidth_gbs", "dram.channels", "clock.mem_mhz"),
        "dram.bandwidth_gbs × 1000 / (dram.channels × clock.mem_mhz)",
        lambda rate, channels, clock: rate * 1000 / (channels * clock),
    ),
    DerivationRule("dram.timing.n_banks", ("dram.banks",), "dram.banks", lambda banks: banks),
)

RULES: Mapping[str, DerivationRule] = {rule.key: rule for rule in _RULES}
"""Every rule by the key that it gives; the order is one in which inputs come first."""


@dataclass(frozen=True)
class Follows:
    """A value that grows as others do, where these are changed of a machine that states it.

    There is no formula for it: how many slices an L2 has, a document says. But the chip with twice
    the bus has twice as many.
    """

    key: str
    sources: tuple[str, ...]


_FOLLOWS = (
    Follows("clock.mem_mhz", ("clock.mem_gtps",)),
    Follows("clock.mem_gtps", ("clock.mem_mhz",)),
    Follows("dram.channels", ("dram.bus_bits",)),
    Follows("l2.slices", ("dram.channels",)),
    Follows("l2.bytes_per_clk", ("l2.slices",)),
    Follows("dram.measured_gbs", ("dram.bandwidth_gbs",)),
    Follows("lanes.tensor_fp16_fma_f32acc", ("lanes.tensor_fp16_fma",)),
    Follows("l2.latency_far", ("l2.latency",)),
)

FOLLOWS: Mapping[str, Follows] = {one.key: one for one in _FOLLOWS}
"""Rules by the key that follows. A file states its own: ``as l2.latency``."""

_AS = re.compile(r"(?:same )?as ([a-z_0-9]+(?:\.[a-z_0-9]+)+)")


def follows(key: str, letter: str, source: str) -> Follows | None:
    """Rule that a value follows: by the table, or by the words of its source."""
    found = _AS.match(source) if letter in _DERIVED_LETTERS else None
    return Follows(key, (found[1],)) if found else FOLLOWS.get(key)


_DERIVED_LETTERS = ("A", "X")


def evaluate(rule: DerivationRule, inputs: tuple[float | None, ...]) -> float | None:
    """Apply a rule; None where an input is unknown or the result has no meaning."""
    if any(value is None for value in inputs):
        return None
    result = rule.compute(*inputs)
    return result if result is not None and math.isfinite(result) else None
