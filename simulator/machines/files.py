"""Machine files: found by the names that people type, read and checked."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, Severity, UsageError
from warpmill.analyzer.base.naming import suggestion
from warpmill.analyzer.base.toml_source import KeyPath, TomlDocument, read_toml_file
from warpmill.simulator.machines.model import Alternative
from warpmill.simulator.machines.schema import (
    RULES,
    Scalar,
    SchemaKey,
    normalised,
    problem_with,
    schema,
)

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
    """The names of all packaged machines, sorted."""
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
    """The dotted name, the path and the table of every entry."""
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
    """Faults in the form of an entry and of the alternatives in it."""
    hint = 'an entry is `{ value = 132, source = "data sheet, page 3" }`'
    others = item.get("alternatives", []) if isinstance(item, dict) else []
    if not isinstance(others, list):
        yield document.error((*path, "alternatives"), "alternatives are a list of tables", hint)
        return
    parts = [(path, item, "an entry")]
    parts += [((*path, "alternatives", n), one, "an alternative") for n, one in enumerate(others)]
    for place, part, what in parts:
        for inner, words in _form_errors(part, what):
            yield document.error((*place, *inner), words, hint)


_FORMS = {"an entry": ("value", "source", "alternatives"), "an alternative": ("value", "source")}


def _form_errors(part: Any, what: str) -> Iterator[tuple[tuple[str, ...], str]]:
    names = _FORMS[what]
    if not isinstance(part, dict):
        yield (), f"{what} is a table with value and source"
        return
    for name in sorted(part.keys() - set(names)):
        words = f"{', '.join(names[:-1])} and {names[-1]}"
        yield (name,), f"{what} has {words}, nothing else"
    if what == "an alternative" and not isinstance(part.get("value"), int | float | str | list):
        yield (), f"{what} has a value"
    if "source" not in part:
        if "value" in part:
            yield (), f"{what} names its source"
    elif not isinstance(part["source"], str) or not part["source"]:
        yield ("source",), "a source is a text that is not empty"


# Which machine people mean by a name: ``H100``, ``RTX 4090``, ``NVIDIA A100-SXM4-40GB``.
#
# Upper and lower case, blanks and dashes make no difference; brands and series may be left out.
# What tells forms of one product apart (80GB, SXM5) may be left out where one machine alone fits,
# or where one of them says in its file that a short name means it (``machine.aliases``).

_BRANDS = frozenset(
    ("nvidia", "amd", "geforce", "tesla", "quadro", "instinct", "radeon", "gpu", "corporation")
)
_SERIES = frozenset(("rtx", "gtx"))
_PARTS = re.compile(r"[0-9]+(?P<size>gb)|(?P<form>sxm|pcie)[0-9]*|(?P<memory>hbm|gddr)[0-9]+[ex]?")
"""Words that tell forms of one product apart; where a machine's name has none, any is its own."""

_INDEX = re.compile(r"\s*\(\d+\)\s*$")
_TARGET = re.compile(r"(?:sm|compute|cc)[_ ]?(\d{1,2})\.?(\d)[af]?")
_REMARK = re.compile(r"\([^)]*\)")


@dataclass(frozen=True)
class KnownMachine:
    """A packaged machine that is a product: the words of its name, and those that may be there.

    ``spelt`` are whole names of it, letters and digits alone; ``aliases`` the short ones of them
    that its file gives it.
    """

    name: str
    product: str
    words: frozenset[str]
    extra: frozenset[str]
    spelt: frozenset[str]
    aliases: frozenset[str]


@dataclass(frozen=True)
class NamedMachine:
    """A packaged machine that a name means; ``others`` would have fitted, too."""

    name: str
    others: tuple[str, ...] = ()


def machine_meant(typed: str) -> NamedMachine:
    """The packaged machine that a name means. UsageError where there is none, or several fit."""
    if typed in machine_names():
        return NamedMachine(typed)
    squeezed = _squeezed(typed)
    spelt = [name for name in machine_names() if _squeezed(name) == squeezed]
    if spelt:
        return NamedMachine(spelt[0])
    found = fitting(typed, short=True) or _configurations(typed)
    preferred = found if len(found) == 1 else [m for m in found if m.aliases]
    if len(preferred) == 1:
        return NamedMachine(preferred[0].name, tuple(m.name for m in found if m != preferred[0]))
    if found:
        words = f"`{typed}` could be several machines"
        hint = f"name one: {', '.join(f'{m.name} ({m.product})' for m in found)}"
        raise UsageError(Diagnostic(Severity.ERROR, words, hint=hint))
    raise UsageError(_unknown(typed))


def _unknown(typed: str) -> Diagnostic:
    target = _TARGET.fullmatch(typed.strip().lower())
    if target is not None:
        capability = f"{target[1]}.{target[2]}"
        there = [n for n in machine_names() if _capability(n) == capability]
        words = f"`{typed}` is a target, not a machine"
        hint = f"machines of compute capability {capability}: {', '.join(there) or 'none'}"
        return Diagnostic(Severity.ERROR, words, hint=hint)
    like = [m.name for m in alike(typed)]
    near = f"those like it: {', '.join(like)}" if like else suggestion(typed, machine_names())
    others = f"machines: {', '.join(machine_names())}, or a path that ends in .toml"
    return Diagnostic(Severity.ERROR, f"there is no machine `{typed}`", hint=near or others)


def _capability(name: str) -> str:
    entry = packaged_file(name).entries.get("machine.compute_capability")
    return "" if entry is None else str(entry.value)


def _configurations(typed: str) -> list[KnownMachine]:
    """Machines that nobody sells, whose names have all words of what was typed."""
    words = _words(typed)
    return [m for m in _known("others") if words and words <= _words(m.name.replace("_", " "))]


def fitting(gpu: str, *, short: bool = False) -> list[KnownMachine]:
    """The products that a name fits: one whose names are spelt so, else all by their words.

    ``short``: with what people leave out, the series (``4090``) or a form (``sxm`` for ``sxm5``),
    and by the aliases of files.
    """
    text = _INDEX.sub("", gpu)
    squeezed = _squeezed(text)
    every = _known("hardware")
    spelt = [m for m in every if squeezed in (_squeezed(m.name), _squeezed(m.product))]
    if spelt:
        return spelt
    words = _words(text)
    found = [m for m in every if words and _fits(words, m)]
    if found or not short:
        return found
    plain = "".join(w for w in _listed(text) if w not in _BRANDS)
    spelt = [m for m in every if plain in m.spelt]
    return spelt or [m for m in every if words and _fits(_in_full(words, m), m)]


def _in_full(words: frozenset[str], machine: KnownMachine) -> frozenset[str]:
    """Words as a machine's name has them: a form with its number, and with the series."""
    numbered = {w: own for own in machine.words for w in words if re.fullmatch(rf"{w}[0-9]", own)}
    forms = {w: own for w, own in numbered.items() if _kind(w) == "form"}
    return frozenset(forms.get(w, w) for w in words) | (machine.words & _SERIES)


def _fits(words: frozenset[str], machine: KnownMachine) -> bool:
    missing, beyond = machine.words - words, words - machine.words - machine.extra
    if not words & machine.words:
        return False
    if missing and (beyond or not all(_PARTS.fullmatch(word) for word in missing)):
        return False
    return all(_PARTS.fullmatch(word) and not _contradicts(word, machine) for word in beyond)


def _contradicts(word: str, machine: KnownMachine) -> bool:
    """Whether a machine's own name says another size or form; all have a memory."""
    kind = _kind(word)
    return kind == "memory" or kind in {_kind(own) for own in machine.words}


def _kind(word: str) -> str | None:
    match = _PARTS.fullmatch(word)
    return None if match is None else match.lastgroup


@cache
def _known(kind: str) -> tuple[KnownMachine, ...]:
    """The packaged machines that are ``hardware``, or the ``others``: configurations, designs."""
    names = (n for n in machine_names() if n != "generic")
    is_hardware = {n: packaged_file(n).entries["machine.kind"].value == "hardware" for n in names}
    return tuple(_machine(n) for n, its in is_hardware.items() if its == (kind == "hardware"))


def _machine(name: str) -> KnownMachine:
    entries = packaged_file(name).entries
    product = str(entries["machine.name"].value)
    memory, aliases = entries.get("dram.type"), entries.get("machine.aliases")
    extra = {str(memory.value).lower()} if memory is not None else set()
    called = _REMARK.sub("", product)
    given = (
        frozenset() if aliases is None else frozenset(map(_squeezed, str(aliases.value).split(",")))
    )
    short = [w for w in _listed(called) if w not in _BRANDS]
    spelt = {"".join(short), "".join(w for w in short if w not in _SERIES)}
    own = "".join(w for w in _listed(name) if w not in _BRANDS)
    spelt |= {own, *(own.removeprefix(series) for series in _SERIES)}
    return KnownMachine(
        name, product, _words(called), frozenset(extra), frozenset(spelt) | given, given
    )


def _words(text: str) -> frozenset[str]:
    return frozenset(_listed(text)) - _BRANDS


def _listed(text: str) -> list[str]:
    return [w for w in re.split(r"[^0-9a-z]+", text.lower()) if w]


def _squeezed(text: str) -> str:
    return re.sub(r"[^0-9a-z]+", "", text.lower())


def alike(gpu: str) -> list[KnownMachine]:
    """Up to four products with a number of the name in theirs."""
    words = {w for w in _words(gpu) if not _PARTS.fullmatch(w) and any(c.isdigit() for c in w)}
    return [m for m in _known("hardware") if words & m.words][:4]
