"""Machines from machine files: fallback chains, derived values, ``--set key=value``."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, Severity, UsageError
from warpmill.simulator.machines.files import (
    MachineEntry,
    MachineFile,
    machine_meant,
    machine_names,
    packaged_file,
    user_file,
)
from warpmill.simulator.machines.model import Alternative, Machine, SourcedValue
from warpmill.simulator.machines.schema import (
    RULES,
    DerivationRule,
    Follows,
    Scalar,
    SchemaKey,
    evaluate,
    follows,
    normalised,
    problem_with,
    schema,
)

_SET = "--set"


def load_machine(name_or_path: str, overrides: Mapping[str, Scalar] | None = None) -> Machine:
    """Load a packaged machine by name, or a machine file by path, and set some of its values.

    The name may be one that people have for it, ``H100`` or ``RTX 4090``: ``machine_meant`` finds
    it. UsageError for an unknown name (with the nearest ones) and for overrides that the schema
    does not allow; InputError for what is wrong in a file. Numbers are in the units of the schema.
    """
    if not overrides and name_or_path in machine_names():
        return _packaged(name_or_path)
    file = _first_file(name_or_path)
    return machine_of(
        file, overrides, file.name if file.name in machine_names() else Path(file.name).stem
    )


@cache
def _packaged(name: str) -> Machine:
    return machine_of(packaged_file(name), None, name)


def machine_of(
    file: MachineFile, overrides: Mapping[str, Scalar] | None = None, name: str | None = None
) -> Machine:
    """Resolve a machine file that was read, as ``load_machine`` does; ``name`` is the machine's."""
    chain = _chain(file)
    levels = [_Level(link.name, link.entries) for link in chain]
    if overrides:
        levels.insert(0, _Level(_SET, _override_entries(overrides)))
    names = tuple(link.name for link in chain)
    return Machine(file.name if name is None else name, names, _resolved(levels))


def machine_chain(name_or_path: str) -> tuple[MachineFile, ...]:
    """The files of a machine: its own, then along machine.fallback to the end."""
    return _chain(_first_file(name_or_path))


def _chain(file: MachineFile) -> tuple[MachineFile, ...]:
    chain = [file]
    while chain[-1].fallback:
        following = packaged_file(chain[-1].fallback)
        if any(link.name == following.name for link in chain):
            raise InputError(f"the fallback chain of {file.name} runs in a circle")
        chain.append(following)
    return tuple(chain)


def _first_file(name_or_path: str) -> MachineFile:
    if is_machine_file(name_or_path):
        return user_file(Path(name_or_path), name_or_path)
    return packaged_file(machine_meant(name_or_path).name)


def is_machine_file(name_or_path: str) -> bool:
    """Whether a text is the path of a machine file, not the name of a packaged machine."""
    is_path = name_or_path.endswith(".toml") or "/" in name_or_path
    return is_path and name_or_path not in machine_names()


def _override_entries(overrides: Mapping[str, Scalar]) -> dict[str, MachineEntry]:
    entries = {}
    for name, value in overrides.items():
        key = schema().key(name)
        problem = problem_with(key, value)
        if name == "machine.fallback":
            problem = "machine.fallback cannot be set: choose another machine"
        if problem is not None:
            raise UsageError(problem)
        entries[name] = MachineEntry(normalised(key, value), "set by the user", "U")
    return entries


@dataclass(frozen=True)
class _Level:
    origin: str
    entries: Mapping[str, MachineEntry]


def _is_change(level: _Level) -> bool:
    """Whether a level changes the machine behind it: a user's settings, or a design."""
    kind = level.entries.get("machine.kind")
    return level.origin == _SET or (kind is not None and kind.value == "design")


def _resolved(levels: list[_Level]) -> tuple[tuple[str, SourcedValue], ...]:
    resolver = _Resolver(levels)
    found = ((name, resolver.value(name, 0)) for name in schema().keys)
    return tuple((name, value) for name, value in found if value is not None)


class _Resolver:
    """Values as they are seen from one level of a chain, level 0 being the nearest."""

    def __init__(self, levels: list[_Level]) -> None:
        self._levels = levels
        self._own = 1 if levels[0].origin == _SET else 0
        self._base = next((n for n, level in enumerate(levels) if not _is_change(level)), 0)
        self._seen: dict[tuple[str, int], SourcedValue | None] = {}

    def value(self, name: str, start: int) -> SourcedValue | None:
        """Find the value of a key among the levels from ``start`` on."""
        if (name, start) not in self._seen:
            self._seen[name, start] = self._find(schema().keys[name], start)
        return self._seen[name, start]

    def _find(self, key: SchemaKey, start: int) -> SourcedValue | None:
        level = self._stated_at(key, start)
        changed = self._changed(key, level, start)
        if changed is not None:
            return changed
        stated = None if level is None else self._stated(key, level, start)
        rule = RULES.get(key.name)
        if rule is None or (level is not None and self._holds(rule, level, start)):
            return stated
        if any(self.value(name, start) is None for name in rule.inputs):
            return stated
        return self._derived(key, rule, start)

    def _changed(self, key: SchemaKey, level: int | None, start: int) -> SourcedValue | None:
        """The value that goes with others which are changed nearer than where it is stated."""
        if level is None:
            return None
        own = min(level, max(start, self._base))
        if own <= start:
            return None
        entry = self._levels[level].entries[key.name]
        rule = follows(key.name, entry.letter, entry.source) or self._other_than_rule(key, own)
        if rule is None or not self._touched(rule, range(start, own), {key.name}):
            return None
        base = self.value(key.name, own)
        ratio = self._ratio(rule, own, start)
        if base is None or ratio is None or ratio == 1.0:
            return None
        return self._scaled(key, rule, base, ratio, start)

    def _other_than_rule(self, key: SchemaKey, own: int) -> Follows | None:
        """Rule of a stated value that differs from the one which the key's rule gives."""
        rule, base = RULES.get(key.name), self.value(key.name, own)
        if rule is None or base is None or base.status == "derived":
            return None
        plain = evaluate(rule, tuple(self._input(name, own) for name in rule.inputs))
        return None if plain is None or plain == base.value else Follows(key.name, rule.inputs)

    def _ratio(self, rule: Follows, own: int, start: int) -> float | None:
        """How much more there is than on the machine: by the key's rule, or of the sources."""
        before, after = (
            tuple(self._input(name, at) for name in rule.sources) for at in (own, start)
        )
        plain = RULES.get(rule.key)
        if plain is not None and plain.inputs == rule.sources:
            found = evaluate(plain, before), evaluate(plain, after)
            return None if not found[0] or found[1] is None else found[1] / found[0]
        pairs = [(x, y) for x, y in zip(after, before, strict=True) if x is not None and y]
        return math.prod(x / y for x, y in pairs) if len(pairs) == len(before) else None

    def _touched(self, rule: Follows, levels: range, seen: set[str]) -> bool:
        """Whether some levels state what a value follows, or what that itself is made of."""
        for name in set(rule.sources) - seen:
            if any(name in self._levels[n].entries for n in levels):
                return True
            made_of = RULES[name].inputs if name in RULES else ()
            further = follows(name, "", "")
            made_of += () if further is None else further.sources
            if made_of and self._touched(Follows(name, made_of), levels, {*seen, name}):
                return True
        return False

    def _scaled(
        self, key: SchemaKey, rule: Follows, base: SourcedValue, ratio: float, start: int
    ) -> SourcedValue:
        value = base.value
        assert isinstance(value, int | float)
        number: int | float = float(value * ratio)
        rounded = ""
        if key.type == "int":
            whole = max(1, math.floor(value * ratio + 0.5)) if value else 0
            rounded = "" if whole == value * ratio else ", rounded"
            number = whole
        sources = " × ".join(rule.sources)
        words = f"{value:g} × {sources} / {self._words(rule, start)} of the machine{rounded}"
        if key.name in RULES and RULES[key.name].inputs == rule.sources:
            words = f"{value:g}, as much more as {RULES[key.name].formula}"
        origin = self._levels[max(start, self._own)].origin
        # That it goes with these is assumed, however well it is known of the machine itself.
        return SourcedValue(number, words, "A", origin, "derived", True, base.alternatives)

    def _words(self, rule: Follows, start: int) -> str:
        """Write what the sources are on the machine that was changed."""
        at = max(start, self._base)
        return " × ".join(f"{self._input(name, at):g}" for name in rule.sources)

    def _stated_at(self, key: SchemaKey, start: int) -> int | None:
        end = len(self._levels) if key.inherited else max(start, self._own) + 1
        for level in range(start, end):
            entry = self._levels[level].entries.get(key.name)
            if entry is not None and entry.value is not None:
                return level
        return None

    def _stated(self, key: SchemaKey, level: int, start: int) -> SourcedValue:
        entry = self._levels[level].entries[key.name]
        assert entry.value is not None
        own = max(start, self._own)
        status = "set" if level < self._own else "stated" if level == own else "inherited"
        assumed = status == "inherited" or schema().letters[entry.letter].assumed
        origin = self._levels[level].origin
        others = entry.alternatives
        return SourcedValue(
            entry.value, entry.source, entry.letter, origin, status, assumed, others
        )

    def _holds(self, rule: DerivationRule, level: int, start: int) -> bool:
        """Whether the inputs of a rule are what they are where its result is stated."""
        return all(self._input(name, level) == self._input(name, start) for name in rule.inputs)

    def _input(self, name: str, start: int) -> float | None:
        found = self.value(name, start)
        return None if found is None else found.value  # type: ignore[return-value]

    def _derived(self, key: SchemaKey, rule: DerivationRule, start: int) -> SourcedValue | None:
        inputs = [self.value(name, start) for name in rule.inputs]
        result = evaluate(rule, tuple(self._input(name, start) for name in rule.inputs))
        if result is None:
            return None
        own = self._levels[max(start, self._own)]
        if key.type == "int" and result != int(result):
            raise _not_whole(rule, result, own.origin)
        number = int(result) if key.type == "int" else float(result)
        assumed = rule.assumed or any(value is not None and value.assumed for value in inputs)
        letter = "A" if rule.assumed else "X"
        others = self._other_sources(key.name, max(start, self._own))
        return SourcedValue(number, rule.formula, letter, own.origin, "derived", assumed, others)

    def _other_sources(self, name: str, own: int) -> tuple[Alternative, ...]:
        entry = self._levels[own].entries.get(name)
        return () if entry is None else entry.alternatives


def _not_whole(rule: DerivationRule, result: float, origin: str) -> InputError:
    words = f"{rule.key} = {rule.formula} is {result:g}, not a whole number"
    hint = f"change one of {', '.join(rule.inputs)}, or state {rule.key} too"
    file = None if origin in machine_names() else origin
    return InputError(Diagnostic(Severity.ERROR, words, file, hint=hint))


# ``--set key=value``: reading what people type into values of the schema's types.

_FLAGS = {"true": True, "false": False}


def parse_overrides(settings: Iterable[str]) -> dict[str, Scalar]:
    """Read settings such as ``sm.count=132``; the last one of a key counts.

    Lists are written with commas (``0,8,16``). UsageError for what is not ``key=value``, for an
    unknown key (with the nearest names) and for a value of the wrong type or out of range.
    """
    return dict(_parsed(setting) for setting in settings)


def _parsed(setting: str) -> tuple[str, Scalar]:
    name, equals, text = setting.partition("=")
    if not equals or not name.strip():
        words = f"`{setting}` is not of the form key=value"
        raise UsageError(Diagnostic(Severity.ERROR, words, hint="such as --set sm.count=132"))
    key = schema().key(name.strip())
    value = _typed(key, text.strip())
    problem = problem_with(key, value)
    if problem is not None:
        raise UsageError(problem)
    return key.name, normalised(key, value)


def _typed(key: SchemaKey, text: str) -> object:
    """The value that a text stands for; the text itself where it is not of the key's type."""
    if key.type == "str":
        return text
    if key.type == "bool":
        return _FLAGS.get(text.lower(), text)
    try:
        if key.type == "int_list":
            return [int(part) for part in text.split(",")]
        return int(text) if key.type == "int" else float(text)
    except ValueError:
        return text


def simd_overrides(machine: Machine, width: int) -> dict[str, Scalar]:
    """The overrides that make every arithmetic pipeline ``width`` lanes wide.

    Stargazer varies the SIMD width as one parameter; lanes scale with it and intervals follow.
    Tensor cores stay as they are.
    """
    factor = width / machine.number("sm.simd_width")
    lanes = (name for name in schema().keys if name.startswith("lanes.") and "tensor" not in name)
    scaled: dict[str, Scalar] = {name: float(machine.number(name) * factor) for name in lanes}
    return scaled | {"sm.simd_width": float(width)}
