"""Results of ``machines``: machines in a line each, one in full, two compared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from warpmill.analyzer.base.metric import INTERNAL, Metric, derived
from warpmill.comparing.figures import DiffFigure
from warpmill.report.base import Mark, Part, Report
from warpmill.simulator.machines.compare import diff
from warpmill.simulator.machines.model import (
    Announced,
    Machine,
    MachineRow,
    PeakRate,
    SourcedValue,
    announced_rates,
    peak_rates,
    rows,
)
from warpmill.simulator.machines.schema import schema


class MachineSummary(Part):
    """One machine in a line; null where its chain of files does not say."""

    mark: ClassVar[Mark] = Mark.EXACT

    of: Annotated[Machine, INTERNAL]

    @derived("Machine")
    def machine(self) -> str:
        """The name that commands know it by."""
        return self.of.name

    @derived("Name")
    def name(self) -> str:
        """The name of the product."""
        return self.of.text("machine.name")

    @derived("Vendor")
    def vendor(self) -> str:
        """Who makes it."""
        return self.of.text("machine.vendor")

    @derived("Architecture")
    def architecture(self) -> str:
        """Its generation."""
        return self.of.text("machine.architecture")

    @derived("Compute capability")
    def compute_capability(self) -> str | None:
        """The version of what it can do; null where it has none."""
        found = self.of.get("machine.compute_capability")
        return None if found is None else str(found.value) or None

    @derived("Kind")
    def kind(self) -> str:
        """Kind of machine: hardware, a configuration of a simulator, a design."""
        return self.of.text("machine.kind")

    @derived("SMs")
    def sms(self) -> int:
        """Its SMs."""
        return self.of.integer("sm.count")

    @derived("Warp size", "thread")
    def warp_size(self) -> int:
        """Lanes of a warp."""
        return self.of.integer("machine.warp_size")

    @derived("Clock", "MHz")
    def clock_mhz(self) -> float:
        """The clock of its SMs."""
        return float(self.of.number("clock.sm_mhz"))

    @derived("FP32 peak TFLOP/s")
    def fp32_tflops(self) -> float:
        """The peak of FP32, a fused multiply-add two operations."""
        return self._fp32.tflops

    @derived("L2 size", "B of memory")
    def l2_bytes(self) -> int | None:
        """The size of its L2."""
        return None if self.of.get("l2.size_bytes") is None else self.of.integer("l2.size_bytes")

    @derived("DRAM", "GB/s")
    def dram_gb_per_s(self) -> float:
        """Width of the bus times data rate."""
        return next(r.computed for r in announced_rates(self.of) if r.key == "peak.dram_gbs")

    @derived("Defaults from")
    def falls_back_on(self) -> tuple[str, ...]:
        """The machines whose values it takes where its own file has none, nearest first."""
        return self.of.chain[1:]

    @property
    def _fp32(self) -> PeakRate:
        return next(p for p in peak_rates(self.of) if p.key == "lanes.fp32")

    def mark_exceptions(self) -> dict[str, Mark]:
        """Marks of figures that rest on values nobody states for this machine."""
        found = {key: any(map(self._is_assumed, keys)) for key, keys in _RESTS_ON.items()}
        found["fp32_tflops"] = self._fp32.assumed
        return {key: Mark.ASSUMED for key, is_assumed in found.items() if is_assumed}

    def _is_assumed(self, key: str) -> bool:
        return _mark(self.of.get(key)) is Mark.ASSUMED


_RESTS_ON = {
    "sms": ("sm.count",),
    "warp_size": ("machine.warp_size",),
    "clock_mhz": ("clock.sm_mhz",),
    "l2_bytes": ("l2.size_bytes",),
    "dram_gb_per_s": ("dram.bus_bits", "clock.mem_gtps"),
}
"""The values that figures of a summary are made of."""


def _mark(value: SourcedValue | None) -> Mark:
    return Mark.ASSUMED if value is not None and value.assumed else Mark.EXACT


class MachineListReport(Report):
    """The machines that come with warpmill, by name."""

    report: Literal["machines-list"] = "machines-list"
    machines: tuple[MachineSummary, ...]


class MachineReport(Report):
    """One machine in full. ``overrides`` are the values of ``--set``, in words."""

    mark: ClassVar[Mark] = Mark.EXACT

    report: Literal["machines-show"] = "machines-show"
    of: Annotated[Machine, INTERNAL]
    overrides: Mapping[str, str]

    @derived("Machine")
    def machine(self) -> str:
        """The name that commands know it by."""
        return self.of.name

    @derived("Name")
    def name(self) -> str:
        """The name of the product."""
        return self.of.text("machine.name")

    @derived("Machine files")
    def chain(self) -> tuple[str, ...]:
        """The files that it was read from, nearest first."""
        return self.of.chain

    @derived("Values")
    def values(self) -> tuple[MachineRow, ...]:
        """Every value with its evidence, in the order of the schema."""
        return rows(self.of)

    @derived("Rates")
    def rates(self) -> tuple[Announced, ...]:
        """Announced rates beside those that lanes and clocks give."""
        return announced_rates(self.of)

    @derived("Peaks")
    def peaks(self) -> tuple[PeakRate, ...]:
        """Operations a second of each kind of unit."""
        return peak_rates(self.of)


class MachineDiffReport(Report):
    """The values in which two machines differ, in the order of the schema."""

    report: Literal["machines-diff"] = "machines-diff"
    a: str
    b: str
    differences: list[DiffFigure]


def machine_diff_report(a: Machine, b: Machine) -> MachineDiffReport:
    """Differences between two machines."""
    keys = schema().keys
    return MachineDiffReport(
        a=a.name,
        b=b.name,
        differences=[
            DiffFigure(
                key=key,
                metric=Metric(key, keys[key].unit),
                a=None if x is None else x.value,
                b=None if y is None else y.value,
                sides=(_mark(x), _mark(y)),
            )
            for key, x, y in diff(a, b)
        ],
    )
