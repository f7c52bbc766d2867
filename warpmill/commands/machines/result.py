"""What ``machines`` answers: the machines there are, one in full, two compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from warpmill.report.base import Mark, Marks, Part, Report, marks
from warpmill.simulator.machines.compare import diff
from warpmill.simulator.machines.model import (
    Machine,
    SourcedValue,
    announced_rates,
    peak_rates,
    rows,
    value_words,
)  # fmt: skip
from warpmill.simulator.machines.schema import Scalar, schema


class MachineSummary(Part):
    """One machine in a line; null where its chain of files does not say."""

    machine: str
    name: str
    vendor: str
    architecture: str
    compute_capability: str | None
    kind: str
    sms: int
    warp_size: int
    clock_mhz: float
    fp32_tflops: float
    l2_bytes: int | None
    dram_gb_per_s: float
    falls_back_on: list[str]
    marks: Marks


class MachineListReport(Report):
    """The machines that come with warpmill, by name."""

    report: Literal["machines-list"] = "machines-list"
    machines: list[MachineSummary]


class MachineValue(Part):
    """One value with its evidence. ``value`` is a number, a text, true or false, or a list."""

    key: str
    value: int | float | bool | str | list[int]
    unit: str
    status: str
    origin: str
    source: str
    marks: Marks


class RateFacts(Part):
    """A rate that was announced (null: it was not), and the one that lanes and clocks give."""

    key: str
    announced: float | None
    computed: float
    unit: str


class PeakFacts(Part):
    """Operations a second of one kind of unit, a fused multiply-add two of them.

    ``key`` is the value that has the units of an SM.
    """

    operation: str
    key: str
    tflops: float
    marks: Marks


class MachineReport(Report):
    """One machine in full."""

    report: Literal["machines-show"] = "machines-show"
    machine: str
    name: str
    chain: list[str]
    overrides: dict[str, str]
    values: list[MachineValue]
    rates: list[RateFacts]
    peaks: list[PeakFacts]
    marks: Marks


class MachineDifference(Part):
    """A key whose values differ; null where a machine has none."""

    key: str
    unit: str
    a: int | float | bool | str | list[int] | None
    b: int | float | bool | str | list[int] | None
    marks: Marks


class MachineDiffReport(Report):
    """The values in which two machines differ, in the order of the schema."""

    report: Literal["machines-diff"] = "machines-diff"
    a: str
    b: str
    differences: list[MachineDifference]


def machine_list_report(machines: Sequence[Machine]) -> MachineListReport:
    """Summarise machines, in the order given."""
    return MachineListReport(machines=[_summary(machine) for machine in machines])


def _summary(machine: Machine) -> MachineSummary:
    rate = next(r for r in announced_rates(machine) if r.key == "peak.dram_gbs")
    peak = next(p for p in peak_rates(machine) if p.key == "lanes.fp32")
    shown = {"sms": "sm.count", "warp_size": "machine.warp_size", "clock_mhz": "clock.sm_mhz"}
    found = {key: machine[name] for key, name in shown.items()}
    bus = (machine["dram.bus_bits"], machine["clock.mem_gtps"])
    l2 = machine.get("l2.size_bytes")
    capability = machine.get("machine.compute_capability")
    return MachineSummary(
        machine=machine.name,
        name=machine.text("machine.name"),
        vendor=machine.text("machine.vendor"),
        architecture=machine.text("machine.architecture"),
        compute_capability=None if capability is None else str(capability.value) or None,
        kind=machine.text("machine.kind"),
        sms=machine.integer("sm.count"),
        warp_size=machine.integer("machine.warp_size"),
        clock_mhz=float(machine.number("clock.sm_mhz")),
        fp32_tflops=peak.tflops,
        l2_bytes=None if l2 is None else machine.integer("l2.size_bytes"),
        dram_gb_per_s=rate.computed,
        falls_back_on=list(machine.chain[1:]),
        marks=marks(
            MachineSummary,
            Mark.EXACT,
            **{key: _mark(value) for key, value in found.items()},
            fp32_tflops=Mark.ASSUMED if peak.assumed else Mark.EXACT,
            l2_bytes=_mark(l2),
            dram_gb_per_s=Mark.ASSUMED if any(v.assumed for v in bus) else Mark.EXACT,
        ),
    )


def _mark(value: SourcedValue | None) -> Mark:
    return Mark.ASSUMED if value is not None and value.assumed else Mark.EXACT


def machine_report(machine: Machine, overrides: Mapping[str, Scalar]) -> MachineReport:
    """Every value of a machine with its evidence."""
    index = dict(machine.values)
    return MachineReport(
        machine=machine.name,
        name=machine.text("machine.name"),
        chain=list(machine.chain),
        overrides={key: value_words(value) for key, value in sorted(overrides.items())},
        values=[
            MachineValue(
                key=row.key,
                value=_plain(index[row.key].value),
                unit=row.unit,
                status=row.status,
                origin=row.origin,
                source=_without_echo(row.source),
                marks={"value": _mark(index[row.key])},
            )
            for row in rows(machine)
        ],
        rates=[
            RateFacts(
                key=r.key,
                announced=r.announced,
                computed=r.computed,
                unit=schema().keys[r.key].unit,
            )
            for r in announced_rates(machine)
        ],
        peaks=[
            PeakFacts(
                operation=one.operation,
                key=one.key,
                tflops=one.tflops,
                marks=marks(PeakFacts, Mark.ASSUMED if one.assumed else Mark.EXACT),
            )
            for one in peak_rates(machine)
        ],
        marks=marks(MachineReport, Mark.EXACT, rates__computed=Mark.MODELLED),
    )


def _without_echo(source: str) -> str:
    """Say a kind of source once where the source says nothing else."""
    kind, _, words = source.partition(": ")
    return kind if words == kind else source


def machine_diff_report(a: Machine, b: Machine) -> MachineDiffReport:
    """List what differs between two machines."""
    return MachineDiffReport(
        a=a.name,
        b=b.name,
        differences=[
            MachineDifference(
                key=key,
                unit=schema().keys[key].unit,
                a=None if x is None else _plain(x.value),
                b=None if y is None else _plain(y.value),
                marks={"a": _mark(x), "b": _mark(y)},
            )
            for key, x, y in diff(a, b)
        ],
    )


def _plain(value: Scalar) -> int | float | bool | str | list[int]:
    return list(value) if isinstance(value, tuple) else value
