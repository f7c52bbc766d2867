"""A machine: every number of a GPU with where it comes from, and what a computation read of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

from warpmill.analyzer.base.diagnostics import InputError, UsageError
from warpmill.simulator.machines.derived import RULES
from warpmill.simulator.machines.schema import Scalar, schema


@dataclass(frozen=True)
class Alternative:
    """What another source says."""

    value: Scalar
    source: str


@dataclass(frozen=True)
class SourcedValue:
    """A value of a machine with its evidence.

    ``letter`` is the kind of source (``schema().letters`` says what each means), ``origin`` the
    machine or file that the value comes from. ``status``: ``stated`` in the machine's own file,
    ``inherited`` along its fallback chain, ``derived`` from other values, or ``set`` by the user.
    ``assumed``: nobody states it for this machine, or it rests on such a value.
    """

    value: Scalar
    source: str
    letter: str
    origin: str
    status: str
    assumed: bool
    alternatives: tuple[Alternative, ...] = ()


@dataclass(frozen=True, slots=True)
class AssumedValue:
    """A value of the machine that a result rests on and that nobody states for this machine.

    ``status``, ``origin`` and ``source`` are those of a ``SourcedValue``.
    """

    marked_as_one: ClassVar[bool] = True

    key: str
    value: Scalar
    unit: str
    status: str
    origin: str
    source: str


@dataclass(frozen=True)
class Machine:
    """A GPU as its file and fallback chain describe it. Equal machines have equal values.

    ``chain`` names the files that it was read from, nearest first; ``values`` stand in the order
    of the schema. Reading an unknown key, or one that this machine lacks, is a UsageError.
    """

    name: str
    chain: tuple[str, ...]
    values: tuple[tuple[str, SourcedValue], ...]

    @cached_property
    def _index(self) -> dict[str, SourcedValue]:
        return dict(self.values)

    def get(self, key: str) -> SourcedValue | None:
        """Give a value with its evidence; None where the machine has none (not announced)."""
        found = self._index.get(key)
        if found is None:
            schema().key(key)
        return found

    def __getitem__(self, key: str) -> SourcedValue:
        """Give a value. InputError where it lacks it: others may have it, or --set gives one."""
        found = self.get(key)
        if found is None:
            why = self._why_not(key)
            words = f"machine {self.name} has no value for {key}{why}; --set {key}=… gives one"
            raise InputError(words)
        return found

    def _why_not(self, key: str) -> str:
        """Say what a key would follow from that the machine has nothing of."""
        inputs = RULES[key].inputs if key in RULES else ()
        none = [name for name in inputs if (found := self.get(name)) and found.value == 0]
        return f", as {none[0]} is 0" if none else ""

    def number(self, key: str) -> int | float:
        """Give a number in the unit of the schema."""
        value = self[key].value
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise UsageError(f"{key} is not a number")
        return value

    def integer(self, key: str) -> int:
        """Give a whole number in the unit of the schema."""
        value = self.number(key)
        if not isinstance(value, int):
            raise UsageError(f"{key} is not a whole number by its type")
        return value

    def integers(self, key: str) -> tuple[int, ...]:
        """Give a list of whole numbers in the unit of the schema."""
        value = self[key].value
        if not isinstance(value, tuple):
            raise UsageError(f"{key} is not a list")
        return value

    def text(self, key: str) -> str:
        """Give a text."""
        value = self[key].value
        if not isinstance(value, str):
            raise UsageError(f"{key} is not a text")
        return value

    def flag(self, key: str) -> bool:
        """Give a yes or no."""
        value = self[key].value
        if not isinstance(value, bool):
            raise UsageError(f"{key} is not true or false")
        return value


@dataclass
class UsedValues:
    """What was read of a machine: so that a result can list the assumed values it rests on."""

    read: dict[str, SourcedValue] = field(default_factory=dict)

    def all(self) -> tuple[tuple[str, SourcedValue], ...]:
        """Give every key that was read, in the order of the schema."""
        return tuple((key, self.read[key]) for key in schema().keys if key in self.read)

    def assumed(self) -> tuple[AssumedValue, ...]:
        """The values that were read and are assumed, in the order of the schema."""
        return tuple(
            AssumedValue(
                key, one.value, schema().keys[key].unit, one.status, one.origin, one.source
            )
            for key, one in self.all()
            if one.assumed
        )


@dataclass(frozen=True)
class RecordingMachine(Machine):
    """A machine that notes in ``used`` what is read of it."""

    used: UsedValues = field(default_factory=UsedValues, compare=False)

    def get(self, key: str) -> SourcedValue | None:
        """Give a value, and note that it was read."""
        found = super().get(key)
        if found is not None:
            self.used.read[key] = found
        return found


def with_recording(machine: Machine) -> tuple[RecordingMachine, UsedValues]:
    """Wrap a machine so that the second result tells afterwards which values were read."""
    used = UsedValues()
    return RecordingMachine(machine.name, machine.chain, machine.values, used), used
