"""Machine files: finding the packaged ones, reading them and those that users write."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError
from warpmill.analyzer.base.naming import suggestion
from warpmill.analyzer.base.toml_source import KeyPath, TomlDocument, read_toml_file
from warpmill.simulator.machines.derived import RULES
from warpmill.simulator.machines.model import Alternative
from warpmill.simulator.machines.schema import Scalar, SchemaKey, normalised, problem_with, schema

_USER = "U"


@dataclass(frozen=True)
class MachineEntry:
    """One statement of a file. A None value states only what other sources say."""

    value: Scalar | None
    source: str
    letter: str
    alternatives: tuple[Alternative, ...] = ()


@dataclass(frozen=True)
class MachineFile:
    """The statements of one file by key. ``name`` is a packaged name, or the path of a user's."""

    name: str
    entries: Mapping[str, MachineEntry]

    @property
    def fallback(self) -> str:
        """The packaged machine that absent values come from; empty at the end of a chain."""
        return str(self.entries["machine.fallback"].value)


@cache
def machine_names() -> tuple[str, ...]:
    """Give the names of all packaged machines, sorted."""
    found = (Path(item.name) for item in files(__package__).iterdir())
    return tuple(sorted(p.stem for p in found if p.suffix == ".toml" and p.stem != "schema"))


@cache
def packaged_file(name: str) -> MachineFile:
    """Read a packaged machine, which the contract tests have checked against the schema."""
    text = files(__package__).joinpath(f"{name}.toml").read_text("utf-8")
    return _machine_file(name, tomllib.loads(text))


def read_machine_text(name: str, text: str) -> MachineFile:
    """Read the text of a machine file that warpmill wrote, which is known to be right."""
    return _machine_file(name, tomllib.loads(text))


def user_file(path: Path, name: str | None = None) -> MachineFile:
    """Read a machine that a user wrote. InputError points at everything that is wrong in it."""
    document = read_toml_file(path, name)
    problems = tuple(_problems(document))
    if problems:
        raise InputError(*problems)
    return _machine_file(document.source.name, document.values)


def _machine_file(name: str, values: Mapping[str, Any]) -> MachineFile:
    keys = schema().keys
    return MachineFile(
        name, {dotted: _entry(keys[dotted], item) for dotted, _, item in _items(values)}
    )


def _items(values: Mapping[str, Any]) -> Iterator[tuple[str, KeyPath, Any]]:
    """Give the dotted name, the path and the table of every entry."""
    groups = schema().groups
    for group in groups:
        path = tuple(group.split("."))
        table: Any = values
        for part in path:
            table = table.get(part, {}) if isinstance(table, dict) else {}
        for name, item in table.items() if isinstance(table, dict) else ():
            if f"{group}.{name}" not in groups:
                yield f"{group}.{name}", (*path, name), item


def _entry(key: SchemaKey, item: Mapping[str, Any]) -> MachineEntry:
    letter, text = split_source(item.get("source", ""))
    others = tuple(
        Alternative(normalised(SchemaKey(key.name, "", ""), other["value"]), other["source"])
        for other in item.get("alternatives", ())
    )
    value = normalised(key, item["value"]) if "value" in item else None
    return MachineEntry(value, text, letter, others)


def split_source(source: str) -> tuple[str, str]:
    """Split ``V Wikipedia`` into letter and text; a source without a letter is the user's own."""
    letter, _, text = source.partition(" ")
    return (letter, text) if letter in schema().letters and text else (_USER, source)


def _problems(document: TomlDocument) -> Iterator[Diagnostic]:
    version = schema().version
    if document.values.get("schema") != version or isinstance(document.values["schema"], bool):
        yield document.error(
            ("schema",),
            f"a machine file says `schema = {version}`, its version, before the first table",
        )
    yield from _unknown_tables(document)
    found = {dotted: (path, item) for dotted, path, item in _items(document.values)}
    for dotted, (path, item) in found.items():
        yield from _entry_problems(document, dotted, path, item)
    for key in schema().keys.values():
        if key.required and key.name not in found:
            words = f"{key.name} is missing: it is never taken from machine.fallback"
            yield document.error(tuple(key.name.split(".")), words)


def _unknown_tables(document: TomlDocument) -> Iterator[Diagnostic]:
    groups = schema().groups
    tops = {group.partition(".")[0] for group in groups}
    for name, item in document.values.items():
        if name == "schema":
            continue
        if name not in tops:
            yield document.key_error((name,), f"there is no table `{name}`", suggestion(name, tops))
        elif not isinstance(item, dict):
            yield document.key_error((name,), f"`{name}` is a table: write `[{name}]`")
        elif "timing" in item and not isinstance(item["timing"], dict):
            yield document.key_error((name, "timing"), "`timing` is a table")


def _entry_problems(
    document: TomlDocument, dotted: str, path: KeyPath, item: Any
) -> Iterator[Diagnostic]:
    keys = schema().keys
    if dotted not in keys:
        hint = suggestion(dotted, keys)
        yield document.key_error(path, f"there is no machine key `{dotted}`", hint)
        return
    wrong = tuple(_shape_problems(document, path, item))
    if wrong:
        yield from wrong
        return
    if "value" in item:
        problem = problem_with(keys[dotted], item["value"])
        if problem is not None:
            yield document.error((*path, "value"), problem)
        elif dotted == "machine.fallback" and item["value"] not in ("", *machine_names()):
            yield _unknown_fallback(document, path, item["value"])
    elif dotted not in RULES or not item.get("alternatives"):
        yield document.error(path, f"{dotted} has no value")


def _unknown_fallback(document: TomlDocument, path: KeyPath, name: str) -> Diagnostic:
    hint = suggestion(name, machine_names()) or "`generic` is the end of every chain"
    return document.error((*path, "value"), f"`{name}` is not a packaged machine", hint)


def _shape_problems(document: TomlDocument, path: KeyPath, item: Any) -> Iterator[Diagnostic]:
    from warpmill.simulator.machines.entry_shape import shape_errors  # noqa: PLC0415 - pydantic is slow

    hint = 'an entry is `{ value = 132, source = "data sheet, page 3" }`'
    for inner, words in shape_errors(item):
        yield document.error((*path, *inner), words, hint)
