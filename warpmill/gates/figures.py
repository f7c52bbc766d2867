"""Figures that gates hold: what there is, which way is better, and what they are of kernels.

A figure is called as in the JSON of ``estimate`` and ``profile``. Those of a launch on a machine
come from its estimate and from the accesses that this looks at; those of machine code from its ELF.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import fsum

from warpmill.analyzer.base.diagnostics import InputError, words_of
from warpmill.analyzer.base.metric import Mark, Metric
from warpmill.analyzer.base.naming import demangle
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.machine_code.cubins import Cubin, KernelResources
from warpmill.analyzer.profile.counts import Profile
from warpmill.report.facts import SourcePlace, first_source_place, kernel_place
from warpmill.report.fields import metric_at
from warpmill.report.read import Reader
from warpmill.session.estimates import Estimator
from warpmill.session.evidence import AccessEvidence, Evidence, evidence_of_estimate
from warpmill.session.jobs import Job
from warpmill.session.options import RegisterSources
from warpmill.simulator.assembler.registers import Spilled
from warpmill.simulator.estimate.result import Estimate
from warpmill.simulator.machines.model import Machine

_IN_ESTIMATE: Mapping[str, str] = {
    "time_us": "time_us",
    "registers_per_thread": "registers.registers_per_thread",
    "occupancy_fraction": "occupancy.occupancy_fraction",
    "achieved_occupancy_fraction": "achieved_occupancy_fraction",
    "shared_bytes": "shared_bytes",
    "l2_bytes": "l2_bytes",
    "dram_bytes": "dram_bytes",
}
"""Paths of figures in an ``Estimate``."""

_IN_MACHINE_CODE: Mapping[str, str] = {
    "registers_per_thread": "registers",
    "stack_frame_bytes": "stack_frame_bytes",
    "shared_bytes": "shared_bytes",
    "constant_bytes": "constant_bytes",
}
"""Names of figures in the resources of a kernel in machine code."""

FIGURES: Mapping[str, Metric] = {
    **{name: metric_at(Estimate, path) for name, path in _IN_ESTIMATE.items()},
    "spill_store_bytes": metric_at(Spilled, "store_bytes"),
    "spill_load_bytes": metric_at(Spilled, "load_bytes"),
    "sectors_a_request": Metric("Sectors a request"),
    "bank_conflicts": metric_at(Profile, "bank_conflicts"),
    "lane_utilization": metric_at(Profile, "lane_utilization"),
    "divergent_branches": Metric("Divergent branches"),
    "stack_frame_bytes": Metric("Stack frame", "B"),
    "constant_bytes": Metric("Constant memory", "B"),
}
"""Figures by name, each with its label and unit: what budgets may bound and baselines hold."""

LARGER_IS_BETTER = frozenset(
    {"occupancy_fraction", "achieved_occupancy_fraction", "lane_utilization"}
)
"""Figures of which more is better; of all others less is."""


@dataclass(frozen=True)
class GateValue:
    """A figure of a kernel; ``value`` None: it is unknown, and ``reason`` says why."""

    value: int | float | None
    mark: Mark = Mark.EXACT
    reason: str | None = None


Dim3 = tuple[int, int, int]


@dataclass(frozen=True)
class GateSubject:
    """A kernel whose figures are held: a launch on a machine, or machine code for a chip.

    ``machine`` of machine code is its chip (``sm_80``). ``refused`` says why a launch has no
    figures on a machine; ``incomplete`` what an estimate lacks. ``sizes`` are those of the launch
    file. ``place`` and ``source`` are lines of the kernel.
    """

    kernel: str
    launch: str | None
    machine: str
    values: Mapping[str, GateValue] = field(default_factory=dict)
    grid: Dim3 | None = None
    block: Dim3 | None = None
    sizes: Mapping[str, int] = field(default_factory=dict)
    registers_from: str | None = None
    place: SourcePlace | None = None
    source: SourcePlace | None = None
    refused: str | None = None
    incomplete: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, str | None, str]:
        """What it is known by in baselines."""
        return self.kernel, self.launch, self.machine

    @property
    def title(self) -> str:
        """The kernel, its launch where that has a name of its own, and the machine."""
        name = demangle(self.kernel)
        launch = "" if self.launch in (None, self.kernel, name) else f" ({self.launch})"
        return f"{name}{launch} on {self.machine}"

    def value(self, figure: str) -> GateValue:
        """A figure of it; unknown where nothing of its kind has it."""
        found = self.values.get(figure)
        if found is not None:
            return found
        what = "machine code" if self.grid is None else "an estimate"
        return GateValue(None, reason=self.refused or f"{what} does not have it")


def subjects_of_launches(
    jobs: Sequence[Job], machines: Sequence[Machine], registers: RegisterSources
) -> tuple[GateSubject, ...]:
    """Each launch on each machine. UsageError for a job without a launch."""
    found = [
        _subject(estimator, machine, name)
        for estimator, name in zip(
            [Estimator(job, registers=registers) for job in jobs], _names(jobs), strict=True
        )
        for machine in machines
    ]
    return tuple(found)


def _names(jobs: Iterable[Job]) -> Iterator[str]:
    """Names of launches; one that comes again gets a number."""
    seen: Counter[tuple[str, str]] = Counter()
    for job in jobs:
        key = job.kernel.name, job.required_launch().name
        seen[key] += 1
        yield key[1] if seen[key] == 1 else f"{key[1]} #{seen[key]}"


def _subject(estimator: Estimator, machine: Machine, name: str) -> GateSubject:
    job = estimator.job
    launch = job.required_launch()
    alike = GateSubject(
        kernel=job.kernel.name,
        launch=name,
        machine=machine.name,
        grid=launch.grid,
        block=launch.block,
        sizes=dict(launch.sizes),
        place=kernel_place(job.loaded, job.kernel),
        source=first_source_place(job.loaded, job.kernel),
    )
    try:
        found = estimator.on(machine)
    except InputError as error:
        return replace(alike, refused=words_of(error))
    evidence = evidence_of_estimate(estimator, machine, found)
    return replace(
        alike,
        values={**_of_estimate(found), **_of_accesses(evidence), **_of_divergence(job, evidence)},
        registers_from=found.registers.source,
        incomplete=tuple(_lacking(found)),
    )


def _lacking(found: Estimate) -> Iterator[str]:
    """What the time of an estimate is without, and what contradicts the machine."""
    if found.unmodelled:
        classes = ", ".join(one.op_class for one in found.unmodelled)
        yield f"the time is without instructions that are not modelled: {classes}"
    yield from found.beyond_machine


def _of_estimate(found: Estimate) -> dict[str, GateValue]:
    reader = Reader(found)
    readings = {name: reader.at(path) for name, path in _IN_ESTIMATE.items()}
    values = {name: GateValue(r.value, r.mark or Mark.MODELLED) for name, r in readings.items()}
    spilled = found.registers.spilled
    counts = (0, 0) if spilled is None else (spilled.store_bytes, spilled.load_bytes)
    is_modelled = found.registers.assumed if spilled is None else spilled.is_modelled
    mark = Mark.MODELLED if is_modelled else Mark.EXACT
    for name, count in zip(("spill_store_bytes", "spill_load_bytes"), counts, strict=True):
        values[name] = GateValue(count, mark, None if count is not None else "nobody counted them")
    return values


_NO_ADDRESSES = "addresses of some accesses are unknown"


def _of_accesses(evidence: Evidence) -> dict[str, GateValue]:
    """Sectors of each request outside the SM, and wavefronts beyond what lanes need in it."""
    outside = [access for _, access in evidence.accesses(Space.GLOBAL, Space.LOCAL)]
    shared = [access for _, access in evidence.accesses(Space.SHARED)]
    sectors, requests = _sum(outside, lambda a: a.sectors), fsum(a.requests for a in outside)
    each = None if sectors is None else sectors / requests if requests else 0.0
    found = {"sectors_a_request": each, "bank_conflicts": _sum(shared, _conflicts)}
    return {
        name: GateValue(value, Mark.SAMPLED, _NO_ADDRESSES if value is None else None)
        for name, value in found.items()
    }


def _conflicts(access: AccessEvidence) -> float | None:
    if access.wavefronts is None or access.ideal_wavefronts is None:
        return None
    return access.wavefronts - access.ideal_wavefronts


def _sum(
    accesses: Iterable[AccessEvidence], of: Callable[[AccessEvidence], float | None]
) -> float | None:
    """A figure of all accesses; one that is unknown makes it unknown."""
    total = 0.0
    for access in accesses:
        value = of(access)
        if value is None:
            return None
        total += value
    return total


def _of_divergence(job: Job, evidence: Evidence) -> dict[str, GateValue]:
    active = evidence.active_threads
    lanes = None if active is None else active / evidence.warp_size
    return {
        "lane_utilization": GateValue(
            lanes, Mark.SAMPLED, "nothing was executed" if lanes is None else None
        ),
        "divergent_branches": GateValue(len(job.divergence.branches)),
    }


def subjects_of_machine_code(cubins: Iterable[Cubin]) -> tuple[GateSubject, ...]:
    """Each kernel in machine code, for each chip; one that is there again is called a copy."""
    seen: Counter[tuple[str, int]] = Counter()
    found: list[GateSubject] = []
    for cubin in cubins:
        for kernel in cubin.kernels:
            seen[kernel.name, cubin.chip] += 1
            number = seen[kernel.name, cubin.chip]
            copy = None if number == 1 else f"copy {number}"
            chip, values = f"sm_{cubin.chip}", _of_machine_code(kernel)
            found.append(GateSubject(kernel.name, copy, chip, values))
    return tuple(found)


def _of_machine_code(kernel: KernelResources) -> dict[str, GateValue]:
    values = {name: getattr(kernel, own) for name, own in _IN_MACHINE_CODE.items()}
    return {
        name: GateValue(value, reason="the file does not say it" if value is None else None)
        for name, value in values.items()
    }
