"""A gate held: each figure of each kernel beside its bounds and beside the baseline.

The baseline is a ratchet of two ways: what is worse than it by more than a tolerance fails, and
what is better by more asks for it to be renewed. What is unknown is told, and makes a gate
incomplete.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from warpmill.analyzer.base.diagnostics import SourcePlace
from warpmill.analyzer.base.metric import INTERNAL, Mark, Metric, derived
from warpmill.analyzer.base.naming import demangle
from warpmill.gates.baseline import BaselineEntry, BaselineReport, Key
from warpmill.gates.budget import Bound, BudgetRule
from warpmill.gates.figures import FIGURES, LARGER_IS_BETTER, GateSubject, GateValue
from warpmill.report.base import Part
from warpmill.report.read import IN_CELLS, written

Gate = Literal["budget", "baseline"]

Outcome = Literal["kept", "beyond", "as before", "worse", "better", "new", "gone", "unknown"]
"""Of bounds kept, beyond; of the baseline as before, worse, better, new, gone; of both unknown."""

_EPSILON = 1e-9
"""Part of a figure by which arithmetic may move it."""


class GateRow(Part):
    """A figure of a kernel on a machine, beside a bound of the budget or beside the baseline.

    ``most`` and ``least`` are of a budget. ``change_fraction`` is over the baseline, null where
    that is 0. ``severity`` is note where nothing is to be done; ``reason`` says why it is unknown,
    or new. ``figure`` is null where the row is about all figures.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    subject: Annotated[GateSubject, INTERNAL]
    gate: Annotated[Gate, Metric("Check")]
    figure: Annotated[str | None, Metric("Key")]
    found: Annotated[GateValue, INTERNAL]
    bound: Annotated[Bound | None, INTERNAL] = None
    baseline: float | int | None = None
    outcome: Annotated[Outcome, Metric("Result")]
    severity: Annotated[Literal["error", "warning", "note"], Metric("Severity")] = "note"
    reason: str | None = None

    @property
    def count(self) -> int:
        """How often it is told."""
        return 1

    @property
    def metric(self) -> Metric:
        """Label and unit of the figure."""
        return Metric("Figure") if self.figure is None else FIGURES[self.figure]

    @derived("Mangled name")
    def name(self) -> str:
        """The kernel's name as the file has it."""
        return self.subject.kernel

    @derived("Kernel")
    def kernel(self) -> str:
        """The kernel's name as its author wrote it."""
        return demangle(self.subject.kernel)

    @derived("Launch")
    def launch(self) -> str | None:
        """The launch's name; null of machine code."""
        return self.subject.launch

    @derived("Machine")
    def machine(self) -> str:
        """The machine; of machine code the chip."""
        return self.subject.machine

    @derived("Figure")
    def label(self) -> str:
        """Label of the figure."""
        return self.metric.label

    @derived("Unit")
    def unit(self) -> str:
        """Unit of the figure."""
        return self.metric.unit

    @derived("Value")
    def value(self) -> float | int | None:
        """The figure; null where it is unknown."""
        return self.found.value

    @derived("Most")
    def most(self) -> float | None:
        """Most that the budget allows."""
        return None if self.bound is None else self.bound.most

    @derived("Least")
    def least(self) -> float | None:
        """Least that the budget allows."""
        return None if self.bound is None else self.bound.least

    @derived("Change", "%")
    def change_fraction(self) -> float | None:
        """The difference to the baseline, over it."""
        if self.value is None or not self.baseline:
            return None
        return (self.value - self.baseline) / abs(self.baseline)

    @derived("Line of the budget")
    def place(self) -> SourcePlace | None:
        """Where the bound stands."""
        return None if self.bound is None else self.bound.place

    @derived("Message")
    def message(self) -> str:
        """All of it in one line."""
        return f"{self.subject.title}: {_sentence(self)}"

    def mark_exceptions(self) -> dict[str, Mark]:
        """Bounds are as they stand; the figure is what it is made of, and so is the change."""
        marked = ("value", "baseline", "change_fraction")
        return dict.fromkeys(marked, self.found.mark)


def _sentence(row: GateRow) -> str:
    told = f"{row.label} {_told(row, row.value)}"
    match row.outcome:
        case "kept":
            return f"{told}, within {_bounds(row)}"
        case "beyond":
            return f"{told}, beyond {_bounds(row)}"
        case "as before":
            return f"{told}, {_told(row, row.baseline)} in the baseline"
        case "worse" | "better":
            by = "" if row.change_fraction is None else f" by {abs(row.change_fraction):.1%}"
            return f"{told}, {row.outcome}{by} than {_told(row, row.baseline)} in the baseline"
        case "new":
            why = "" if row.reason is None else f" ({row.reason})"
            return f"{'it' if row.figure is None else told} is not in the baseline{why}"
        case "gone":
            return "it is in the baseline, and was not found"
        case "unknown":
            what = "" if row.figure is None else f"{row.label} is unknown: "
            return f"{what}{row.reason}"


def _bounds(row: GateRow) -> str:
    each = (("least", row.least), ("most", row.most))
    return " and ".join(f"the {word} of {_told(row, n)}" for word, n in each if n is not None)


def _told(row: GateRow, value: float | int | None) -> str:
    text = written(value, row.metric)
    unit = row.metric.unit
    return text if value is None or not unit or unit in IN_CELLS else f"{text} {unit}"


@dataclass(frozen=True)
class HeldGate:
    """A gate that was held: its rows, and why it is incomplete beside what rows say.

    ``notes`` tell what does not decide anything. ``updated``: the baseline was written anew.
    """

    gates: tuple[Gate, ...]
    machines: tuple[str, ...]
    rows: tuple[GateRow, ...]
    incomplete: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    updated: Path | None = None


@dataclass(frozen=True)
class GateRules:
    """What a gate holds figures against; None: it has no such thing.

    A figure that is worse than the baseline by more than ``tolerance`` of it fails. ``baseline``
    without entries where it is made now. ``is_whole``: all kernels of the target were looked at.
    """

    budget: Sequence[BudgetRule] | None = None
    baseline: BaselineReport | None = None
    tolerance: float = 0.05
    update: bool = False
    is_whole: bool = True


def hold(rules: GateRules, subjects: Sequence[GateSubject], machines: Collection[str]) -> HeldGate:
    """Hold the figures of kernels against the rules. ``machines`` were looked at, or chips."""
    kept = (("budget", rules.budget), ("baseline", rules.baseline))
    gates: tuple[Gate, ...] = tuple(name for name, own in kept if own is not None)  # type: ignore[misc]
    known = [subject for subject in subjects if subject.refused is None]
    rows = [_refused(one, gates[0]) for one in subjects if one.refused is not None]
    incomplete = [f"{one.title}: {words}" for one in known for words in one.incomplete]
    notes: list[str] = []
    if rules.budget is not None:
        for rule in rules.budget:
            own = [subject for subject in known if rule.is_of(subject)]
            rows += (_bounded(one, *bound) for one in own for bound in rule.bounds.items())
            if not any(map(rule.is_of, subjects)):
                is_meant = rules.is_whole and any(map(rule.is_of_machine, machines))
                (incomplete if is_meant else notes).append(_unmatched(rule, machines))
    if rules.baseline is not None:
        rows += _of_baseline(rules, rules.baseline, known)
        rows += (_gone(key, rules) for key in missing(rules, subjects, machines))
        notes += _other_registers(rules.baseline, known)
    unknown = (row.message for row in rows if row.outcome == "unknown" and row.severity == "note")
    return HeldGate(
        gates,
        tuple(machines),
        tuple(rows),
        tuple(dict.fromkeys((*incomplete, *unknown))),
        tuple(dict.fromkeys(notes)),
    )


def _refused(subject: GateSubject, gate: Gate) -> GateRow:
    """The row of a launch that no machine runs, or that is not timed on it: an error."""
    return GateRow(
        subject=subject,
        gate=gate,
        figure=None,
        found=GateValue(None),
        outcome="unknown",
        severity="error",
        reason=subject.refused,
    )


def _unmatched(rule: BudgetRule, machines: Collection[str]) -> str:
    """What a rule is that holds for nothing."""
    place = f"{rule.place.file}:{rule.place.line}"
    if any(map(rule.is_of_machine, machines)):
        return f"{place}: there is no kernel `{rule.kernel}` on `{rule.machine}`"
    return f"{place}: `{rule.machine}` was not looked at"


def _bounded(subject: GateSubject, figure: str, bound: Bound) -> GateRow:
    found = subject.value(figure)
    row = GateRow(
        subject=subject,
        gate="budget",
        figure=figure,
        found=found,
        bound=bound,
        outcome="kept",
        reason=found.reason,
    )
    if found.value is None:
        return replace(row, outcome="unknown")
    if bound.holds(found.value):
        return row
    return replace(row, outcome="beyond", severity="error")


def _of_baseline(
    rules: GateRules, baseline: BaselineReport, subjects: Sequence[GateSubject]
) -> Iterator[GateRow]:
    entries = baseline.by_key
    for subject in subjects:
        entry = entries.get(subject.key)
        other = None if entry is None else entry.other_launch(subject)
        if entry is None:
            yield _told_only(subject, "new", rules)
        elif other is not None:
            row = _told_only(subject, "new" if rules.update else "unknown", rules)
            yield replace(row, severity="note", reason=other)
        else:
            yield from _beside(rules, subject, entry)


def missing(
    rules: GateRules, subjects: Sequence[GateSubject], machines: Collection[str]
) -> list[Key]:
    """What the baseline has of the machines that were looked at, and is not there."""
    if rules.baseline is None or not rules.is_whole:
        return []
    there = {subject.key for subject in subjects}
    return [key for key in rules.baseline.by_key if key not in there and key[2] in machines]


def _gone(key: Key, rules: GateRules) -> GateRow:
    return _told_only(GateSubject(*key), "gone", rules)


def _told_only(subject: GateSubject, outcome: Outcome, rules: GateRules) -> GateRow:
    """A row about all figures of a kernel."""
    return GateRow(
        subject=subject,
        gate="baseline",
        figure=None,
        found=GateValue(None),
        outcome=outcome,
        severity="note" if rules.update else "warning",
    )


def _beside(rules: GateRules, subject: GateSubject, entry: BaselineEntry) -> Iterator[GateRow]:
    """The rows of a kernel whose launch is that of the baseline."""
    for figure in FIGURES:
        found, before = subject.value(figure), entry.figures.get(figure)
        row = GateRow(
            subject=subject,
            gate="baseline",
            figure=figure,
            found=found,
            baseline=before,
            outcome="as before",
            reason=found.reason,
        )
        if found.value is None and before is None:
            continue
        if found.value is None:
            yield replace(row, outcome="unknown")
        elif before is None:
            yield replace(row, outcome="new", severity="note" if rules.update else "warning")
        else:
            yield _compared(rules, row, found.value, before)


def _compared(rules: GateRules, row: GateRow, now: float, before: float) -> GateRow:
    worse = before - now if row.figure in LARGER_IS_BETTER else now - before
    part = worse / abs(before) if before else (inf if worse > 0 else -inf) if worse else 0.0
    if abs(part) <= rules.tolerance + _EPSILON:
        return row
    if part < 0:
        return replace(row, outcome="better", severity="note" if rules.update else "warning")
    return replace(row, outcome="worse", severity="note" if rules.update else "error")


def _other_registers(baseline: BaselineReport, subjects: Sequence[GateSubject]) -> Iterator[str]:
    entries: Mapping[Key, BaselineEntry] = baseline.by_key
    for subject in subjects:
        entry = entries.get(subject.key)
        if entry is not None and entry.registers_from != subject.registers_from:
            yield (
                f"{subject.title}: registers are from {subject.registers_from}, in the baseline "
                f"from {entry.registers_from}"
            )
