"""Baselines: figures of kernels as they were, in a JSON file that ``check --update`` writes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, Severity
from warpmill.analyzer.base.metric import Mark, Metric
from warpmill.analyzer.base.whole_files import write_whole
from warpmill.gates.figures import FIGURES, Dim3, GateSubject
from warpmill.report.base import Part, Report, json_text
from warpmill.report.fields import UnfitDataError
from warpmill.report.saved_reports import load_saved

Key = tuple[str, str | None, str]


class BaselineEntry(Part):
    """Figures of a kernel: of a launch on a machine, or of machine code for a chip (``sm_80``).

    ``grid``, ``block`` and ``sizes`` are those of the launch. Unknown figures are left out.
    """

    mark: ClassVar[Mark] = Mark.MODELLED

    kernel: str
    launch: str | None
    machine: str
    grid: Annotated[Dim3 | None, Metric("Grid size", "CTA", Mark.EXACT)]
    block: Annotated[Dim3 | None, Metric("Block size", "thread", Mark.EXACT)]
    sizes: Annotated[Mapping[str, int], Metric("Sizes", mark=Mark.EXACT)]
    registers_from: str | None
    figures: Annotated[Mapping[str, int | float], Metric("Figures")]

    @property
    def key(self) -> Key:
        """What it is known by."""
        return self.kernel, self.launch, self.machine

    @classmethod
    def of(cls, subject: GateSubject) -> BaselineEntry:
        """The figures of a kernel as they are."""
        values = {name: subject.value(name).value for name in FIGURES}
        return cls(
            kernel=subject.kernel,
            launch=subject.launch,
            machine=subject.machine,
            grid=subject.grid,
            block=subject.block,
            sizes=subject.sizes,
            registers_from=subject.registers_from,
            figures={name: value for name, value in values.items() if value is not None},
        )

    def other_launch(self, subject: GateSubject) -> str | None:
        """What tells it from the launch at hand, in words; None: nothing does."""
        for name in ("grid", "block", "sizes"):
            before, now = getattr(self, name), getattr(subject, name)
            if before != now:
                return f"{name} {_words(before)} in the baseline, {_words(now)} now"
        return None


def _words(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name}={n}" for name, n in value.items()) or "none"
    return "x".join(map(str, value)) if isinstance(value, tuple) else "none"


class BaselineReport(Report):
    """Figures that those of later builds are held against: a file, and no answer of its own."""

    report: Literal["baseline"] = "baseline"
    target: str
    entries: list[BaselineEntry]

    @property
    def by_key(self) -> dict[Key, BaselineEntry]:
        """The entries by what they are known by."""
        return {entry.key: entry for entry in self.entries}


def load_baseline(path: Path, *, update: bool) -> BaselineReport | None:
    """Read a baseline; None where there is none and it is to be written. InputError, located."""
    if not path.exists():
        if update:
            return None
        hint = "--update writes it"
        raise InputError(Diagnostic(Severity.ERROR, "there is no such file", str(path), hint=hint))
    writer = "`warpmill check --baseline FILE --update` writes baselines"
    return load_saved(BaselineReport, path, writer, _check)[0]


def _check(one: BaselineReport) -> None:
    """See that each kernel comes once, with figures that there are. UnfitDataError."""
    seen: set[Key] = set()
    for number, entry in enumerate(one.entries):
        place = ("entries", number)
        if entry.key in seen:
            raise UnfitDataError((*place, "kernel"), " and machine come twice")
        seen.add(entry.key)
        for name in entry.figures:
            if name not in FIGURES:
                raise UnfitDataError((*place, "figures", name), ": there is no such figure")


def renewed(
    before: BaselineReport | None,
    target: str,
    subjects: Sequence[GateSubject],
    gone: Collection[Key],
) -> BaselineReport:
    """A baseline with the figures as they are; what was not looked at stays as it was."""
    entries = {} if before is None else before.by_key
    entries = {key: entry for key, entry in entries.items() if key not in gone}
    known = (subject for subject in subjects if subject.refused is None)
    entries |= {subject.key: BaselineEntry.of(subject) for subject in known}
    return BaselineReport(target=target, entries=list(entries.values()))


def save_baseline(path: Path, baseline: BaselineReport) -> None:
    """Write a baseline, whole or not at all. UsageError."""
    write_whole(path, json_text(baseline).encode())
