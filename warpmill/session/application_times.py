"""Time of a whole application on a machine: its kernels and copies on a timeline.

The estimates of its launches (``application_l2``) and the calls that its recording has become the
work of a timeline (``simulator.estimate.timeline``). Streams are those of ``device.stream()``, and
do not wait for the default one. The host waits where a call says so, and for each copy from or to
its memory; allocating, and all that it computes itself, takes no time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from warpmill.analyzer.base.naming import demangle
from warpmill.analyzer.launch.model import ELEMENT_TYPES
from warpmill.executor.host.recording import (
    AllocateCall,
    CopyCall,
    CopyTextureCall,
    EventCall,
    FillCall,
    LaunchCall,
    ReadCall,
    ReadTextureCall,
    RecordedCall,
    Recording,
    SynchronizeCall,
    TextureCall,
    WriteCall,
)
from warpmill.report.words import plural
from warpmill.session.application_l2 import Shown, carried_estimates
from warpmill.session.estimates import Estimator
from warpmill.session.jobs import Job
from warpmill.session.launch_estimates import (
    ApplicationTime,
    CopyTotal,
    EstimatedTargets,
    OperationTime,
    TimedLaunch,
)
from warpmill.session.options import EstimateOptions
from warpmill.session.prepare import TargetLaunches
from warpmill.simulator.assembler.costs import Mode
from warpmill.simulator.estimate.result import Estimate
from warpmill.simulator.estimate.timeline import Timeline, Work, timeline
from warpmill.simulator.machines.model import Machine, with_recording
from warpmill.simulator.resources import share_of

Kind = Literal["kernel", "copy to device", "copy to host", "copy on device", "fill"]

KERNEL: Kind = "kernel"

_LINKS: dict[Kind, str] = {
    "copy to device": "host.to_device_gbs",
    "copy to host": "host.to_host_gbs",
}
"""Rates of copies over the link to the host."""

_TIMES_THROUGH_DRAM: dict[Kind, int] = {"copy on device": 2, "fill": 1}
"""How often the bytes of what stays on the device go from or to DRAM."""


@dataclass(frozen=True, slots=True)
class Operation:
    """A launch, by its number, or a copy of so many bytes, with what it waits for.

    ``after`` and ``host_after`` are as ``Work`` has them.
    """

    kind: Kind
    stream: int
    launch: int | None = None
    bytes: int = 0
    after: tuple[int, ...] = ()
    host_after: tuple[int, ...] = ()


def add_application(
    to: EstimatedTargets,
    one: TargetLaunches,
    machines: Sequence[Machine],
    ends: Callable[[Job], Sequence[Estimator]],
    shown: Shown,
    options: EstimateOptions,
) -> None:
    """Estimate an application on machines, those of its launches that are asked for by ``shown``.

    ``ends`` gives estimators of a job. How ``options`` take times says what launch overheads are:
    of those that profilers report the gaps between kernels come on top, other times hold them.
    """
    carried = carried_estimates(
        one.jobs, machines, ends, shown, one.asked, carries=options.carries_l2
    )
    to.problems += carried.problems
    for job, by_machine in zip(one.jobs, carried.launches, strict=True):
        found = (each for each in by_machine.values() if each is not None)
        to.timed += (TimedLaunch.of(job, each) for each in found)
    calls = one.recording
    operations = in_a_row(len(one.jobs)) if calls is None else operations_of(calls)
    to.times += (
        _on(
            one,
            machine,
            operations,
            [by_machine[machine.name] for by_machine in carried.launches],
            made=carried.made[machine.name],
            timed=options.timed,
        )
        for machine in machines
    )


def _on(
    one: TargetLaunches,
    machine: Machine,
    operations: Sequence[Operation],
    estimates: Sequence[Estimate | None],
    *,
    made: int,
    timed: Mode,
) -> ApplicationTime:
    """Place operations in time; ``estimates`` are by launch, from as many as were ``made``."""
    recorded, used = with_recording(machine)
    ctas = [job.required_launch().cta_count for job in one.jobs]
    works = [_work(each, recorded, estimates, ctas, timed) for each in operations]
    found = timeline(
        [
            work or Work(0.0, after=each.after, host_after=each.host_after)
            for each, work in zip(operations, works, strict=True)
        ]
    )
    lengths = {place: work.us for place, work in enumerate(works) if work is not None}
    return ApplicationTime(
        target=one.title,
        machine=machine.name,
        machine_name=machine.text("machine.name"),
        launches=len(estimates),
        streams=len({each.stream for each in operations}),
        estimates=made,
        timeline=found,
        copies=_copies(operations, lengths),
        lacks=tuple(_lacks(operations, lengths, estimates)),
        operations=_times(operations, found, [demangle(job.kernel.name) for job in one.jobs]),
        assumed_values=used.assumed(),
    )


def _work(
    one: Operation,
    machine: Machine,
    estimates: Sequence[Estimate | None],
    ctas: Sequence[int],
    timed: Mode,
) -> Work | None:
    """What an operation is on a machine; None where nobody knows how long it takes."""
    waits = one.after, one.host_after
    if one.launch is None:
        us, takes = _copy(one, machine)
        return None if us is None else Work(us, 0.0, 0.0, 0.0, True, *waits, takes)
    found = estimates[one.launch]
    if found is None:
        return None
    kernel, serial, tiny = (
        float(machine.number(f"launch.{key}_us")) for key in ("kernel", "serial", "back_to_back")
    )
    gap, host = (max(0.0, serial - kernel), tiny) if timed == "kernel" else (0.0, 0.0)
    slots = machine.integer("sm.count") * found.occupancy.ctas_per_sm
    moved = share_of(found.dram_gb_per_s or 0.0, float(machine.number("dram.measured_gbs"))) or 0.0
    takes = {"CTA slots": min(1.0, ctas[one.launch] / slots), "DRAM": min(1.0, moved)}
    return Work(found.execution_us, found.launch_us, gap, host, False, *waits, takes)


def _copy(one: Operation, machine: Machine) -> tuple[float | None, Mapping[str, float]]:
    """The time of a copy, and what it takes meanwhile."""
    if one.kind in _TIMES_THROUGH_DRAM:
        moved = one.bytes * _TIMES_THROUGH_DRAM[one.kind]
        bytes_us = moved / float(machine.number("dram.measured_gbs")) / 1e3
        return float(machine.number("launch.kernel_us")) + bytes_us, {"DRAM": 1.0}
    rate, each = machine.get(_LINKS[one.kind]), machine.get("host.copy_us")
    if rate is None or each is None:
        return None, {}
    keys = machine.number("host.copy_us"), machine.number(_LINKS[one.kind])
    return float(keys[0]) + one.bytes / float(keys[1]) / 1e3, {one.kind: 1.0}


def _copies(operations: Sequence[Operation], lengths: Mapping[int, float]) -> list[CopyTotal]:
    found: dict[Kind, list[int]] = {}
    for place, one in enumerate(operations):
        if one.launch is None:
            found.setdefault(one.kind, []).append(place)
    return [
        CopyTotal(
            kind=kind,
            copies=len(places),
            bytes=sum(operations[place].bytes for place in places),
            time_us=math.fsum(lengths[place] for place in places)
            if all(place in lengths for place in places)
            else None,
        )
        for kind, places in found.items()
    ]


def _lacks(
    operations: Sequence[Operation],
    lengths: Mapping[int, float],
    estimates: Sequence[Estimate | None],
) -> Iterable[str]:
    """What the time of the application is without."""
    missing = sum(one is None for one in estimates)
    if missing:
        yield f"{plural(missing, 'launch')} that have no estimate here"
    copies = [
        one for place, one in enumerate(operations) if one.launch is None and place not in lengths
    ]
    if copies:
        size = sum(one.bytes for one in copies)
        told = f"{plural(len(copies), 'transfer')} between host and device ({size:,} B)"
        yield f"{told}: the machine file has no link to the host (host.*)"
    behind = sum(bool(one.host_after) and one.launch is not None for one in operations)
    if behind:
        yield f"the latency of {plural(behind, 'launch')} that the host makes after waiting"


def _times(
    operations: Sequence[Operation], found: Timeline, kernels: Sequence[str]
) -> list[OperationTime]:
    return [
        OperationTime(
            kind=one.kind,
            launch=one.launch,
            kernel=None if one.launch is None else kernels[one.launch],
            stream=one.stream,
            bytes=None if one.launch is not None else one.bytes,
            begin_us=span.begin_us,
            time_us=span.end_us - span.begin_us,
        )
        for one, span in zip(operations, found.spans, strict=True)
    ]


def in_a_row(launches: int) -> tuple[Operation, ...]:
    """Launches of one stream that the host does not wait for, as those of a launch file."""
    before = ((), *((place,) for place in range(launches - 1)))
    return tuple(Operation(KERNEL, 0, place, after=before[place]) for place in range(launches))


def operations_of(recording: Recording) -> tuple[Operation, ...]:
    """The launches and copies of a recording with what each of them waits for."""
    reader = _Reader()
    for call in recording.calls:
        reader.take(call)
    return tuple(reader.found)


@dataclass
class _Reader:
    """Goes through the calls, and knows what streams and the host have come to wait for."""

    found: list[Operation] = field(default_factory=list)
    last: dict[int, int] = field(default_factory=dict)  # operation of each stream
    events: dict[int, int | None] = field(default_factory=dict)  # operation before each event
    waits: dict[int, set[int]] = field(default_factory=dict)  # of the next one of a stream
    host: set[int] = field(default_factory=set)  # since the operation before
    launches: int = 0

    def take(self, call: RecordedCall) -> None:
        """Take a call down."""
        match call:
            case LaunchCall():
                self._add(KERNEL, call.stream, launch=self.launches)
                self.launches += 1
            case WriteCall():
                self._add("copy to device", call.stream, bytes_=call.bytes, waited=True)
            case ReadCall():
                self._add("copy to host", call.stream, bytes_=call.bytes, waited=True)
            case CopyCall() | CopyTextureCall():
                self._add("copy on device", call.stream, bytes_=call.bytes)
            case FillCall():
                self._add("fill", call.stream, bytes_=call.bytes)
            case AllocateCall() if call.zeroed:
                self._add("fill", 0, bytes_=call.bytes)
            case TextureCall() if call.over is None:
                self._add("copy on device", 0, bytes_=_texels(call), waited=True)
            case ReadTextureCall():
                self.host |= set(self.last.values())
                self._add("copy to host", 0, bytes_=call.bytes, waited=True)
            case SynchronizeCall():
                ends = self.last if call.stream is None else {call.stream}
                self.host |= {self.last[stream] for stream in ends if stream in self.last}
            case EventCall():
                self._event(call)

    def _event(self, call: EventCall) -> None:
        before = self.events.get(call.event)
        if call.action == "record":
            self.events[call.event] = self.last.get(call.stream or 0)
        elif call.action == "wait" and before is not None:
            self.waits.setdefault(call.stream or 0, set()).add(before)
        elif call.action == "synchronize" and before is not None:
            self.host.add(before)

    def _add(
        self,
        kind: Kind,
        stream: int,
        *,
        bytes_: int = 0,
        launch: int | None = None,
        waited: bool = False,
    ) -> None:
        """Take an operation down; the host has ``waited`` for it when it goes on."""
        if launch is None and not bytes_:
            return
        place, after = len(self.found), self.waits.pop(stream, set())
        if stream in self.last:
            after.add(self.last[stream])
        waits = tuple(sorted(after)), tuple(sorted(self.host))
        self.found.append(Operation(kind, stream, launch, bytes_, *waits))
        self.last[stream] = place
        self.host = {place} if waited else set()


def _texels(call: TextureCall) -> int:
    """Bytes of the array that a texture is made of."""
    each = ELEMENT_TYPES[call.element].size_bytes * max(1, call.channels)
    return math.prod(call.extent) * max(1, call.layers) * each
