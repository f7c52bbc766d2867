"""A machine: its numbers with their sources, what was read of them, rows and peak rates."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Annotated, ClassVar, Generic, TypeVar

from warpmill.analyzer.base.diagnostics import InputError, UsageError
from warpmill.analyzer.base.metric import INTERNAL, Mark, Metric, derived
from warpmill.simulator.machines.schema import RULES, Scalar, schema

if TYPE_CHECKING:
    from warpmill.analyzer.memory.rules import MemoryRules


@dataclass(frozen=True)
class Alternative:
    """Value from another source."""

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


Made = TypeVar("Made")
_Kind = TypeVar("_Kind", bound="Machine")


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

    @cached_property
    def digest(self) -> str:
        """Hash of all values, those that it inherits too."""
        told = repr([(key, value.value) for key, value in self.values])
        return sha256(told.encode()).hexdigest()

    def get(self, key: str) -> SourcedValue | None:
        """A value with its evidence; None where the machine has none (not announced)."""
        found = self._index.get(key)
        if found is None:
            schema().key(key)
        return found

    def __getitem__(self, key: str) -> SourcedValue:
        """A value. InputError where it lacks it: others may have it, or --set gives one."""
        found = self.get(key)
        if found is None:
            why = self._why_not(key)
            words = f"machine {self.name} has no value for {key}{why}; --set {key}=… gives one"
            raise InputError(words)
        return found

    def _why_not(self, key: str) -> str:
        """Reason why a key is absent: an input of its rule of which the machine has nothing."""
        inputs = RULES[key].inputs if key in RULES else ()
        none = [name for name in inputs if (found := self.get(name)) and found.value == 0]
        return f", as {none[0]} is 0" if none else ""

    def number(self, key: str) -> int | float:
        """A number in the unit of the schema."""
        value = self[key].value
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise UsageError(f"{key} is not a number")
        return value

    def integer(self, key: str) -> int:
        """A whole number in the unit of the schema."""
        value = self.number(key)
        if not isinstance(value, int):
            raise UsageError(f"{key} is not a whole number by its type")
        return value

    def integers(self, key: str) -> tuple[int, ...]:
        """A list of whole numbers in the unit of the schema."""
        value = self[key].value
        if not isinstance(value, tuple):
            raise UsageError(f"{key} is not a list")
        return value

    def text(self, key: str) -> str:
        """A text."""
        value = self[key].value
        if not isinstance(value, str):
            raise UsageError(f"{key} is not a text")
        return value

    def flag(self, key: str) -> bool:
        """A yes or no."""
        value = self[key].value
        if not isinstance(value, bool):
            raise UsageError(f"{key} is not true or false")
        return value


@dataclass
class UsedValues:
    """Values that were read of a machine, so that a result can list the assumed ones."""

    read: dict[str, SourcedValue] = field(default_factory=dict)

    def all(self) -> tuple[tuple[str, SourcedValue], ...]:
        """Every key that was read, in the order of the schema."""
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
        """A value, and note that it was read."""
        found = super().get(key)
        if found is not None:
            self.used.read[key] = found
        return found


@dataclass(frozen=True)
class _NotedMachine(Machine):
    """A machine that notes in ``noted`` each value that is asked of it, also those it lacks."""

    noted: dict[str, object] = field(default_factory=dict, compare=False)

    def get(self, key: str) -> SourcedValue | None:
        """A value, and note what it was."""
        found = super().get(key)
        self.noted[key] = None if found is None else found.value
        return found


class KeptByValues(Generic[Made]):
    """Results made of machines, for others of which the same values would be read.

    Machines that differ in what plays no part need not be looked at again. The last few are kept.
    """

    def __init__(self, most: int = 8) -> None:
        self._most = most
        self._kept: list[tuple[Hashable, Mapping[str, object], Made]] = []

    def of(self, key: Hashable, machine: Machine, make: Callable[[Machine], Made]) -> Made:
        """The result of ``make`` for the machine; ``key`` is all else that it depends on.

        The values that it rests on are read of ``machine`` in either case.
        """
        for own, values, found in self._kept:
            if own == key and all(_value(machine, name) == v for name, v in values.items()):
                return self._read(machine, values, found)
        noted = _like(machine, _NotedMachine)
        made = make(noted)
        self._kept = [(key, noted.noted, made), *self._kept][: self._most]
        return self._read(machine, noted.noted, made)

    @staticmethod
    def _read(machine: Machine, values: Mapping[str, object], found: Made) -> Made:
        for name in values:
            machine.get(name)
        return found


def _value(machine: Machine, name: str) -> object:
    found = Machine.get(machine, name)  # which notes nothing
    return None if found is None else found.value


def with_recording(machine: Machine) -> tuple[RecordingMachine, UsedValues]:
    """Wrap a machine so that the second result tells afterwards which values were read."""
    made = _like(machine, RecordingMachine)
    return made, made.used


def _like(machine: Machine, kind: type[_Kind]) -> _Kind:
    """Make an equal machine of another kind, which looks values up in the same table."""
    made = kind(machine.name, machine.chain, machine.values)
    made.__dict__["_index"] = machine._index
    return made


# The compute capability of a machine.


CONSTANTS_APART = 70
"""The compute capability from which on constants are loaded by the unit for divergent addresses
(Nsight Compute's ADU); before, by the load-store unit (what nvprof's ldst_fu_utilization is of)."""


def capability_of(machine: Machine) -> int | None:
    """A machine's compute capability as one number, 86 for 8.6; None where it has none."""
    major, _, minor = machine.text("machine.compute_capability").partition(".")
    return int(major) * 10 + int(minor) if major.isdigit() and minor.isdigit() else None


# What the counting of transactions and bank conflicts needs to know of a machine.


def l1_sector_bytes(machine: Machine) -> int:
    """Bytes that L1 fills at once: a sector, or the line where that is no whole number of them."""
    line, sector = machine.integer("l1.line_bytes"), machine.integer("l1.sector_bytes")
    return sector if line % sector == 0 else line


def fetches_on_write(machine: Machine) -> bool:
    """Whether L2 reads a sector from DRAM when a store to a part of it misses."""
    return machine.text("l2.write_allocate") == "fetch_on_write"


def fills_parts(machine: Machine) -> bool:
    """Whether a sector that was stored to in part is read when it is written back to DRAM.

    Memory that corrects errors, and GDDR, whose bursts carry a checksum, takes whole sectors; plain
    HBM takes single bytes.
    """
    return not machine.text("dram.type").startswith("HBM")


def moved_sector_bytes(machine: Machine) -> int:
    """Bytes of a sector between L1, L2 and DRAM.

    Simulators of L1s without sectors, which fill whole lines, have L2 take each sector by itself.
    """
    fill, sector = l1_sector_bytes(machine), machine.integer("l2.sector_bytes")
    return sector if is_a_simulator(machine) and fill % sector == 0 else fill


def l2_bytes_per_clk(machine: Machine) -> float:
    """Bytes that L2 moves in a cycle; 0 without an L2. UsageError where an L2 moves nothing."""
    rate = float(machine.number("l2.bytes_per_clk"))
    if not rate and machine.number("l2.size_bytes"):
        words = f"machine {machine.name} has an L2 that moves nothing, as l2.bytes_per_clk is 0"
        raise UsageError(f"{words}; --set l2.size_bytes=0 leaves it out")
    return rate


def memory_rules(machine: Machine) -> MemoryRules:
    """Make the memory rules of a machine.

    Requests merge among as many neighbouring lanes as shared memory has banks, at most a warp:
    where it has 16, memory serves half-warps (CUDA guide, compute capability 1.x).
    """
    from warpmill.analyzer.memory.rules import MemoryRules  # noqa: PLC0415 - it loads numpy

    banks = machine.integer("shared.banks")
    return MemoryRules(
        sector_bytes=l1_sector_bytes(machine),
        line_bytes=machine.integer("l1.line_bytes"),
        lanes_per_group=min(machine.integer("machine.warp_size"), banks),
        banks=banks,
        bank_width_bytes=machine.integer("shared.bank_width_bytes"),
        packs_pairs=(capability_of(machine) or 0) >= _VOLTA,
    )


_VOLTA = 70


def is_a_simulator(machine: Machine) -> bool:
    """Whether a machine is a configuration of a simulator: its units have pipelines."""
    return bool(machine.number("sm.pipeline_cycles"))


# Machines in words: their values as rows, and their rates beside those announced.


@dataclass(frozen=True)
class MachineRow:
    """One value of a machine with its unit and its evidence, as ``SourcedValue`` says.

    ``source`` begins with the kind of source in words.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    key: Annotated[str, Metric("Key")]
    value: Annotated[Scalar, Metric("Value")]
    unit: Annotated[str, Metric("Unit")]
    status: Annotated[str, Metric("Status")]
    origin: str
    source: Annotated[str, Metric("Source")]
    assumed: Annotated[bool, INTERNAL]

    def mark_exceptions(self) -> dict[str, Mark]:
        """Whether anybody states it for this machine."""
        return {"": Mark.ASSUMED} if self.assumed else {}


def rows(machine: Machine) -> tuple[MachineRow, ...]:
    """Every value that the machine has, in the order of the schema."""
    keys = schema().keys
    return tuple(
        MachineRow(
            key, one.value, keys[key].unit, one.status, one.origin, _source(one), one.assumed
        )
        for key, one in machine.values
    )


def _source(value: SourcedValue) -> str:
    """The kind of source and its words, once where these are the same."""
    kind = schema().letters[value.letter].meaning
    return kind if value.source == kind else f"{kind}: {value.source}"


def value_words(value: Scalar) -> str:
    """Write a value as people read it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return f"{value:.6g}" if isinstance(value, float) else str(value)


@dataclass(frozen=True)
class PeakRate:
    """The operations a second that a machine's units reach, a fused multiply-add two of them.

    ``key`` is the value that has the units of an SM. ``assumed``: that, or the clock, is.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    operation: Annotated[str, Metric("Operation")]
    key: str
    tflops: Annotated[float, Metric("Peak TFLOP/s")]
    assumed: Annotated[bool, INTERNAL]

    def mark_exceptions(self) -> dict[str, Mark]:
        """Whether anybody states what it follows from for this machine."""
        return {"": Mark.ASSUMED} if self.assumed else {}


_PEAKS = (
    ("FP32", "lanes.fp32"),
    ("FP64", "lanes.fp64"),
    ("FP16", "lanes.fp16"),
    ("FP16 tensor", "lanes.tensor_fp16_fma"),
    ("FP16 tensor, FP32 sums", "lanes.tensor_fp16_fma_f32acc"),
)
"""Kinds of units, and the keys of their multiply-adds per SM and cycle."""


def peak_rates(machine: Machine) -> tuple[PeakRate, ...]:
    """SMs × lanes × 2 × clock, for each kind of unit that the machine has.

    The clock is clock.peak_mhz, or clock.sm_mhz where that is absent.
    """
    clock = "clock.sm_mhz" if machine.get("clock.peak_mhz") is None else "clock.peak_mhz"
    flops_a_lane = machine.number("sm.count") * 2 * machine.number(clock) / 1e6
    return tuple(
        PeakRate(
            operation,
            key,
            machine.number(key) * flops_a_lane,
            any(machine[each].assumed for each in (key, clock, "sm.count")),
        )
        for operation, key in _PEAKS
        if machine.get(key) is not None
    )


@dataclass(frozen=True)
class Announced:
    """A rate that was announced, and the one that lanes, clocks and bus width give."""

    key: Annotated[str, Metric("Rate")]
    announced: Annotated[float | None, Metric("Announced")]
    computed: Annotated[float, Metric("Theoretical", mark=Mark.MODELLED)]

    @derived("Unit")
    def unit(self) -> str:
        """The unit of both."""
        return schema().keys[self.key].unit


def announced_rates(machine: Machine) -> tuple[Announced, ...]:
    """Compare peak.* with ``peak_rates``, and bus × data rate (GB/s). None was not announced."""
    bus = machine.number("dram.bus_bits") * machine.number("clock.mem_gtps") / 8
    peaks = {one.key: one.tflops for one in peak_rates(machine)}
    computed = {
        "peak.fp32_tflops": peaks["lanes.fp32"],
        "peak.fp64_tflops": peaks["lanes.fp64"],
        "peak.dram_gbs": bus,
    }
    return tuple(
        Announced(key, None if machine.get(key) is None else float(machine.number(key)), value)
        for key, value in computed.items()
    )
