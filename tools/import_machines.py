"""Carry machine descriptions of the form ``key = value  # letter source | alt: …`` over.

This was run once, to make the files of simulator/machines/ out of a collection of figures; it
stays here so that the same can be done to another one. It needs nothing but Python and this
repository:

    python tools/import_machines.py FOLDER simulator/machines

A value that follows from others (simulator/machines/schema.py) is dropped where the rule gives
it to the digits stated, and kept where it does not.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from warpmill.simulator.machines.compare import toml_value
from warpmill.simulator.machines.files import MachineEntry
from warpmill.simulator.machines.model import Alternative
from warpmill.simulator.machines.resolve import _Level, _Resolver
from warpmill.simulator.machines.schema import RULES, Scalar, normalised, problem_with, schema

_LINE = re.compile(r"(\w+) = (.*?)  # (\S) (.*)")
_ALTERNATIVE = re.compile(r"(\"[^\"]*\"|[^;<]+?) <(\S) (.*?)>(?:; |$)")
_TIMING = {"nbk": "n_banks", "nbkgrp": "n_bank_groups"}
_NO_BANK_GROUPS = ("GDDR3", "DDR3")
_OWN_TABLE = re.compile(r"\(\w+/\w+\.csv\)")  # a table of the collection itself
_WORDS = (
    ("(WIKI)", "(Wikipedia)"),
    ("/ WIKI", "/ Wikipedia"),
    ("LUO1", "Luo arXiv 2402.13499"),
    ("JAR2", "Jarmusch arXiv 2512.02189"),
    ("CPG (16", "CUDA C++ Programming Guide (16"),
    ("BPG", "Best Practices Guide"),
    ("same notes as the value", "GA102 probes, public notes 'Literature survey (Oct 2026)'"),
)

File = dict[str, MachineEntry]


def _reworded(source: str) -> str:
    for old, new in _WORDS:
        source = source.replace(old, new)
    return _OWN_TABLE.sub("(public measurement tables)", source).strip()


def read_annotated(path: Path) -> File:
    """Read one annotated file: every key with value, letter, source and alternatives."""
    text = path.read_text("utf-8")
    values: dict[str, dict[str, Any]] = tomllib.loads(text)
    entries: File = {}
    group = ""
    for line in text.splitlines():
        if line.startswith("["):
            group = line.strip("[]")
        match = _LINE.fullmatch(line)
        if match is None:
            continue
        name, _, letter, comment = match.groups()
        source, _, others = comment.partition(" | alt: ")
        value = values[group][name]
        entry = MachineEntry(value, _reworded(source), letter, _alternatives(others))
        entries |= _timing(entry, entries) if name == "timing" else {f"{group}.{name}": entry}
    stated = sum(map(len, values.values())) - ("timing" in values.get("dram", {}))
    if stated != sum(not key.startswith("dram.timing.") for key in entries):
        raise SystemExit(f"{path}: not every line was understood")
    return entries


def _alternatives(text: str) -> tuple[Alternative, ...]:
    found = _ALTERNATIVE.findall(text)
    return tuple(
        Alternative(tomllib.loads(f"v = {value}")["v"], f"{letter} {_reworded(source)}")
        for value, letter, source in found
    )


def _timing(entry: MachineEntry, entries: File) -> File:
    """Split ``nbk=16:CCD=1:…`` into one key each, all with the same source."""
    pairs = (part.split("=") for part in str(entry.value).split(":"))
    found = {
        f"dram.timing.{_TIMING.get(name, name.lower())}": MachineEntry(
            int(value), entry.source, entry.letter
        )
        for name, value in pairs
    }
    kind = entries["dram.type"].value
    if kind in _NO_BANK_GROUPS:
        none = MachineEntry(1, f"{kind} has no bank groups", "A")
        found.setdefault("dram.timing.n_bank_groups", none)
    return found


def checked(name: str, entries: File) -> File:
    """Put every value into the form of the schema; stop at one that it does not allow."""
    result = {}
    for key in schema().keys.values():
        entry = entries.get(key.name)
        if entry is None:
            continue
        problem = problem_with(key, entry.value)
        if problem is not None:
            raise SystemExit(f"{name}: {problem}")
        value = normalised(key, entry.value)
        result[key.name] = MachineEntry(value, entry.source, entry.letter, entry.alternatives)
    unknown = set(entries) - set(schema().keys)
    if unknown:
        raise SystemExit(f"{name}: not in the schema: {sorted(unknown)}")
    return result


def with_bandwidth_source(entries: File) -> File:
    """Name the source of the bandwidth where the data rate was worked out from it."""
    rate, bandwidth = entries["clock.mem_gtps"], entries["dram.bandwidth_gbs"]
    if rate.letter != "X" or bandwidth.letter in "XA":
        return entries
    note = f"{rate.source} ({bandwidth.value:g} GB/s: {bandwidth.letter} {bandwidth.source})"
    return entries | {"clock.mem_gtps": MachineEntry(rate.value, note, "X", rate.alternatives)}


def agrees(stated: Scalar, derived: Scalar, letter: str = "") -> bool:
    """Whether a derived number is the stated one, to the digits that are stated.

    Where the stated one was itself derived (X), rounding on the way is allowed half a percent.
    """
    assert isinstance(stated, int | float)
    assert isinstance(derived, int | float)
    close = abs(stated - derived) <= 0.005 * abs(stated)
    _, point, decimals = f"{stated:.12g}".partition(".")
    rounded = round(derived, len(decimals) if point else 0)
    return close and (letter == "X" or rounded == stated)


def without_derived(entries: File, above: list[_Level]) -> tuple[File, list[str]]:
    """Drop what follows from other values of the machine; the second result names what went."""
    kept = dict(entries)
    dropped: list[str] = []
    for name in RULES:
        entry = entries.get(name)
        if entry is None or entry.value is None:
            continue
        trial = kept | {name: MachineEntry(None, "", "U", entry.alternatives)}
        found = _Resolver([_Level("file", trial), *above]).value(name, 0)
        if found is None or found.status != "derived":
            continue
        if agrees(entry.value, found.value, entry.letter):
            kept = trial
            dropped.append(name)
    return kept, dropped


def file_text(entries: File) -> str:
    """Write a machine file."""
    title = entries["machine.name"].value
    lines = [f"# {title}", "# Keys, units and the letters of sources: docs/machines.md"]
    lines += ["", f"schema = {schema().version}"]
    group = ""
    for key in schema().keys.values():
        entry = entries.get(key.name)
        if entry is None or (entry.value is None and not entry.alternatives):
            continue
        if key.name.rpartition(".")[0] != group:
            group = key.name.rpartition(".")[0]
            lines += ["", f"[{group}]"]
        lines.append(f"{key.name.rpartition('.')[2]} = {{ {_fields(entry)} }}")
    return "\n".join(lines) + "\n"


def _fields(entry: MachineEntry) -> str:
    fields = []
    if entry.value is not None:
        source = f"{entry.letter} {entry.source}"
        fields = [f"value = {toml_value(entry.value)}", f"source = {toml_value(source)}"]
    if entry.alternatives:
        others = ", ".join(
            f"{{ value = {toml_value(other.value)}, source = {toml_value(other.source)} }}"
            for other in entry.alternatives
        )
        fields.append(f"alternatives = [{others}]")
    return ", ".join(fields)


def _bases_first(files: dict[str, File]) -> list[str]:
    order: list[str] = []
    while len(order) < len(files):
        ready = (n for n in sorted(files) if n not in order and _base(files[n]) in ("", *order))
        order.append(next(ready))
    return order


def _base(entries: File) -> str:
    return str(entries["machine.fallback"].value)


def main() -> None:
    """Convert every file of a folder, and count what was dropped and what was kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    arguments = parser.parse_args()
    paths = sorted(arguments.folder.glob("*.toml"))
    files = {p.stem: with_bandwidth_source(checked(p.stem, read_annotated(p))) for p in paths}
    dropped: Counter[str] = Counter()
    for name in _bases_first(files):
        above, base = [], _base(files[name])
        while base:
            above.append(_Level(base, files[base]))
            base = _base(files[base])
        files[name], gone = without_derived(files[name], above)
        dropped.update(gone)
        (arguments.out / f"{name}.toml").write_text(file_text(files[name]), "utf-8")
    for key in RULES:
        kept = [n for n in files if files[n].get(key) and files[n][key].value is not None]
        print(f"{key}: {dropped[key]} follow, {len(kept)} stated ({' '.join(kept)})")


if __name__ == "__main__":
    main()
