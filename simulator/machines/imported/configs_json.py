"""Reading configurations of GPGPU-Sim that were parsed into JSON records, several in one file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, Severity, UsageError, at
from warpmill.analyzer.base.naming import suggestion
from warpmill.analyzer.base.source import Source, Span
from warpmill.simulator.machines.imported.json_places import JsonPath, json_places
from warpmill.simulator.machines.imported.settings import Option, Settings, file_name
from warpmill.simulator.machines.imported.tables import json_tables
from warpmill.simulator.machines.imported.text_file import places

_START = Span(1, 1, 1)


def read_configs(source: Source, config: str | None) -> tuple[Settings, tuple[Diagnostic, ...]]:
    """Read one of the configurations of a file: the one of that name, or the only one.

    Gives the settings, and a warning for each field that is not understood. UsageError where the
    name is missing or unknown, with those that there are; InputError for what is no such file.
    """
    record = _chosen(source, _loaded(source), config)
    given = dict(record.options())
    covered = {name for names in _covered().values() for name in names}
    origin = f"{file_name(source)} {record.name}"
    if not given:
        raise record.error((), f"{record.name} has no field of a configuration of GPGPU-Sim")
    settings = Settings(source, record.name, origin, given, frozenset(covered))
    return settings, tuple(record.left_out())


def _covered() -> Mapping[str, tuple[str, ...]]:
    """Give the options that a record has a place for, by field."""
    tables = json_tables()
    found = {field: (option,) for field, option in tables["fields"].items()}
    for option, row in tables["together"].items():
        found |= dict.fromkeys(row["fields"], (option,))
    for field, options in tables["implied"].items():
        found[field] = (*found.get(field, ()), *options)
    return found


@dataclass(frozen=True)
class _Record:
    """One configuration of a file, with the places of its values."""

    source: Source
    name: str
    path: JsonPath
    values: Mapping[str, Any]

    @cached_property
    def places(self) -> Mapping[JsonPath, Span]:
        return json_places(self.source.text)

    def value(self, field: str) -> Any:
        """Give the value of a field such as ``units.sp``; None where there is none."""
        here: Any = self.values
        for part in field.split("."):
            here = here.get(part) if isinstance(here, Mapping) else None
        return here

    def options(self) -> Iterator[tuple[str, Option]]:
        """Give the options that the fields hold; later ones count."""
        tables = json_tables()
        for option, row in tables["together"].items():
            if self.value(row.get("when", row["fields"][0])) is not None:
                yield option, self._together(row)
        for field, option in tables["fields"].items():
            if self.value(field) is not None:
                yield option, self.option(field, _text(self.value(field)))
                for implied, text in tables["implied"].get(field, {}).items():
                    yield implied, self.option(field, text)
        yield from self._worked_out()

    def option(self, field: str, text: str) -> Option:
        """Make an option of the value of a field."""
        value = self.value(field)
        if isinstance(value, Mapping | list | bool):
            raise self.error(tuple(field.split(".")), f"{field}: a text or a number is needed")
        return Option(field, text, self.span(tuple(field.split("."))))

    def _together(self, row: Mapping[str, Any]) -> Option:
        words = [_text(self.value(field)) for field in row["fields"]]
        first = row["fields"][0]
        path = tuple(first.split("."))
        return Option(path[0], row["text"].format(*words), self.span(path))

    def _worked_out(self) -> Iterator[tuple[str, Option]]:
        """Give the options that follow from fields by arithmetic."""
        channels, slices = self.value("mem_channels"), self.value("l2_slices")
        if _is_count(channels) and _is_count(slices) and slices % channels == 0:
            yield (
                "gpgpu_n_sub_partition_per_mchannel",
                self.option("l2_slices", str(slices // channels)),
            )
        threads, warps = self.value("threads_per_sm"), self.value("max_warps_per_sm")
        if _is_count(threads):
            lanes = threads // warps if _is_count(warps) and threads % warps == 0 else 32
            text = f"{threads}:{lanes}"
            yield "gpgpu_shader_core_pipeline", self.option("threads_per_sm", text)
        chips = self._chips()
        if chips is not None:
            yield "gpgpu_n_mem_per_ctrlr", self.option("dram_peak_GBps_computed", str(chips))

    def _chips(self) -> int | None:
        """Give the chips of a channel: as many as give the peak bandwidth that was worked out."""
        fields = ("mem_channels", "dram_buswidth_B", "clock_mhz.dram", "dram_freq_ratio")
        try:
            peak = float(self.value("dram_peak_GBps_computed"))
            one = 1e-3
            for field in fields:
                one *= float(self.value(field))
            chips = round(peak / one)
        except (TypeError, ValueError, ArithmeticError):
            return None
        return chips if chips >= 1 and abs(peak - chips * one) < 0.01 * peak else None

    def left_out(self) -> Iterator[Diagnostic]:
        """Warn of each field that is not understood."""
        tables = json_tables()
        known = {field.split(".")[0] for field in (*_covered(), "l2_slices")}
        known |= {*tables["without_effect"]["names"], "threads_per_sm", "max_warps_per_sm"}
        for field in self.values:
            if field not in known:
                words = f"{field} is no value of a machine"
                yield at(self.source, self.span((field,)), Severity.WARNING, words)

    def span(self, path: JsonPath) -> Span:
        """Give the place of a value of the record."""
        return self.places.get((*self.path, *path), _START)

    def error(self, path: JsonPath, words: str) -> InputError:
        """Make an error that points at a value of the record."""
        return InputError(at(self.source, self.span(path), Severity.ERROR, words))


def _loaded(source: Source) -> Any:
    try:
        return json.loads(source.text)
    except json.JSONDecodeError as error:
        span = places(source.text)(error.pos, 1)
        words = f"this is not JSON: {error.msg[:1].lower()}{error.msg[1:]}"
        raise InputError(at(source, span, Severity.ERROR, words)) from None
    except (RecursionError, ValueError):
        words = "this is not JSON that can be read: it is nested too deep, or has endless numbers"
        raise InputError(Diagnostic(Severity.ERROR, words, source.name)) from None


def _chosen(source: Source, data: Any, config: str | None) -> _Record:
    configs = data.get("configs") if isinstance(data, dict) else None
    if not isinstance(configs, dict) or not configs:
        words = "this file holds no `configs`, the records of configurations by name"
        raise InputError(at(source, _START, Severity.ERROR, words))
    names = ", ".join(configs)
    if config is None and len(configs) > 1:
        words = f"{source.name} holds several configurations, and --config names none of them"
        raise UsageError(Diagnostic(Severity.ERROR, words, hint=f"they are {names}"))
    name = next(iter(configs)) if config is None else config
    if name not in configs:
        words = f"--config {name}: {source.name} holds no such configuration"
        hint = suggestion(name, configs) or f"there are {names}"
        raise UsageError(Diagnostic(Severity.ERROR, words, hint=hint))
    record = _Record(source, name, ("configs", name), configs[name])
    if not isinstance(configs[name], dict):
        raise record.error((), f"the configuration {name} is an object with its fields")
    return record


def _text(value: Any) -> str:
    """Write a value as an option file has it."""
    if isinstance(value, bool):
        return "S" if value else "N"  # of a cache: whether its lines have sectors
    return "".join(str(value).split())


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0
