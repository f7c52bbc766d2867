"""The page of ``clone``: how like the original it is, by what it was compared; and its rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from warpmill.analyzer.base.metric import Mark
from warpmill.cloning.api import KernelClone, WrittenClone
from warpmill.cloning.figures import FidelityFigure
from warpmill.cloning.search import Trial
from warpmill.report.page import SIGNS, UNKNOWN, Page, figure, percent
from warpmill.report.read import Reader
from warpmill.report.sections import Comparison, Items, Repeated, Shown, Special, Table
from warpmill.report.table import CsvRow, CsvTable
from warpmill.report.words import dimensions, plural

_LARGE, _APART = 0.05, 0.01
"""Parts of a mix that are shown: a share of so much, or so far apart."""


def _answer(page: Page, report: WrittenClone) -> None:
    page.title(f"clone: {report.target}")
    page.line(f"{_sentence(report)}.")
    if report.search is not None and not report.search.met:
        page.line("No clone that was tried keeps the IPC: the nearest was chosen.")
    if report.exceeding:
        page.line(f"{plural(len(report.exceeding), 'figure')} beyond the limit:")
        page.items(report.exceeding, None if page.style.verbose else 8, " (--verbose)")


def _sentence(report: WrittenClone) -> str:
    if report.fidelity is None:
        return "Not compared with the original, as --no-compare says"
    size = report.fidelity.profiled.figure("thread_instructions")
    less = (size.original or 0.0) / (size.clone or 1.0)
    words = f"The clone executes {less:.3g}x fewer thread instructions than the original"
    off = [f"{_found(m.compared.figures, 'ipc')} on {m.machine}" for m in report.fidelity.machines]
    return f"{words}; its IPC differs by {', '.join(off)}" if off else words


def _launches(one: KernelClone) -> str:
    own = f", {one.clone_launches:,} in the clone"
    return f"{one.launches:,}{own if one.clone_launches != one.launches else ''}"


def _loops(one: KernelClone) -> str:
    """The loops that became shorter."""
    each = zip(one.loop_labels, one.model.loops, strict=True)
    words = [f"{label} {x.original:.4g} → {x.iterations:,}" for label, x in each if x.factor > 1.0]
    return ", ".join(words) or UNKNOWN


def _factors(one: Trial) -> str:
    if one.factor is not None:
        return f"all by {one.factor}"
    found: dict[str, list[int]] = {}
    for each in one.factors:
        found.setdefault(f"{each.kernel} B{each.block}", []).append(each.factor)
    shorter = [f"{loop} by {_range(own)}" for loop, own in found.items() if max(own) > 1]
    return ", ".join(shorter) or "no loop; launches that are alike once"


def _range(factors: Sequence[int]) -> str:
    least, most = min(factors), max(factors)
    return f"{least}" if least == most else f"{least} to {most}"


def _verdict(one: Reader) -> str:
    trial, search = one.subject, one.holder
    is_far = abs(trial.ipc_difference) > search.max_error
    return "chosen" if trial == search.chosen else "too far" if is_far else ""


def _is_worth(row: FidelityFigure) -> bool:
    """Whether a part of a mix is large, or far off; everything else is."""
    if "." not in row.name or row.exceeds:
        return True
    large = max(row.original or 0.0, row.clone or 0.0) >= _LARGE
    return large or abs(row.difference or 0.0) >= _APART


def _value(name: str) -> Shown:
    """A figure as its kind is written."""

    def words(reader: Reader) -> str:
        row: FidelityFigure = reader.subject
        value = reader.at(name).value
        if row.kind == "share":
            return percent(value)
        whole = row.kind == "size" and value is not None and value == round(value)
        unit = row.unit if row.unit != "cycles" else ""
        return figure(round(value) if whole else value, None, unit)

    return Shown(name, told=words)


def _difference(row: FidelityFigure, mark: Mark | None = None) -> str:
    if row.difference is None:
        return UNKNOWN
    if row.kind == "distance":
        return percent(row.difference, mark)
    unit = " pt" if row.kind == "share" else "%"
    return _signed(row.difference, unit) + ("" if mark is None else SIGNS[mark])


def _signed(value: float, unit: str = "%") -> str:
    return f"{value * 100:+,.1f}{unit}"


def _found(rows: Iterable[FidelityFigure], name: str, mark: Mark | None = None) -> str:
    return next((_difference(row, mark) for row in rows if row.name == name), UNKNOWN)


def _figures(title: str, of: str) -> Table:
    columns = (
        Shown("", "figure", words=lambda one: f"  {one.what}" if "." in one.name else one.what),
        _value("original"),
        _value("clone"),
        Shown("difference", words=None, told=lambda reader: _difference(reader.subject)),
        Shown("exceeds", words=lambda exceeds: "too far" if exceeds else None),
    )
    return Table(title, of, columns, top=1 << 30, left=(0, 4), main=_is_worth)


def _by_kernel(page: Page, report: WrittenClone) -> None:
    """The main differences of each kernel of the clone."""
    fidelity = report.fidelity
    if fidelity is None or len(report.kernels) < 2:
        return
    page.heading("Differences by kernel of the clone")
    names = ["instruction_mix", "dfsg", "lane_utilization", "sectors_per_line"]
    ipcs = [f"IPC {m.machine}" for m in fidelity.machines]
    rows = []
    for number, one in enumerate(page.few(report.kernels, 12)):
        own = (_found(fidelity.profiled.groups[number], name) for name in names)
        simulated = (m.compared.groups[number] for m in fidelity.machines)
        rows.append([one.model.name, *own, *(_found(g, "ipc", Mark.MODELLED) for g in simulated)])
    page.table(["", "mix", "DFSG", "lanes", "sectors", *ipcs], rows)


PAGE = (
    Special(_answer),
    Table(
        "Kernels of the clone",
        "kernels",
        (
            Shown("model.name", "clone"),
            Shown("demangled", "is like"),
            Shown("", "launches", words=_launches),
            Shown("grid", "grid", words=dimensions),
            Shown("model.block", "block", words=dimensions),
            Shown("", "iterations", words=_loops),
        ),
        top=12,
        left=(0, 1, 5),
        wrap=(1, 5),
    ),
    _figures("Profiles", "fidelity.profiled.figures"),
    Repeated(
        "fidelity.machines", (_figures("Simulation", "compared.figures"),), lambda m: m.machine
    ),
    Special(_by_kernel),
    Table(
        "Search for a reduction",
        "search.trials",
        (
            Shown("", "factor", words=_factors),
            Shown("ipc_difference", words=_signed),
            "thread_instructions",
            Shown("", "verdict", told=_verdict),
        ),
        top=1 << 30,
        left=(0, 3),
        wrap=(0,),
    ),
    Comparison(
        "provenance",
        (
            Shown("out", words=lambda out: "nothing: --out DIR writes it" if out is None else out),
            Shown("files", words=lambda files: ", ".join(files) or None),
            "chip",
            "reduction",
            Shown("search.machine", "Searched on"),
            Shown("search.max_error", "Difference of IPC, at most"),
            Shown(
                "search.complete",
                "Search",
                words=lambda whole: "ended at its limit" if whole is False else None,
            ),
        ),
    ),
    Items("", "not_simulated"),
)

COLUMNS = (
    "kind", "machine", "clone", "kernel", "name", "unit", "original", "cloned", "difference",
    "exceeds", "mark",
)  # fmt: skip


def _table_rows(report: WrittenClone) -> Iterator[CsvRow]:
    """The loops of each kernel, then the figures of all launches and by kernel."""
    names = [{"clone": one.model.name, "kernel": one.kernel} for one in report.kernels]
    for one, of in zip(report.kernels, names, strict=True):
        for label, loop in zip(one.loop_labels, one.model.loops, strict=True):
            both = {"original": loop.original, "cloned": loop.iterations, "mark": "exact"}
            yield {**of, **both, "kind": "loop", "name": label, "unit": "iterations"}
    if report.fidelity is None:
        return
    sides = [(report.fidelity.profiled, {"mark": "exact"})]
    sides += [
        (on.compared, {"machine": on.machine, "mark": "modelled"})
        for on in report.fidelity.machines
    ]
    for compared, shared in sides:
        yield from _rows(compared.figures, shared)
        for of, figures in zip(names, compared.groups, strict=True):
            yield from _rows(figures, {**shared, **of})


def _rows(figures: Iterable[FidelityFigure], shared: CsvRow) -> Iterator[CsvRow]:
    for one in figures:
        values = {"original": one.original, "cloned": one.clone, "difference": one.difference}
        told = {"kind": one.kind, "name": one.name, "unit": one.unit, "exceeds": one.exceeds}
        yield {**shared, **values, **told}


CLONE = CsvTable(COLUMNS, _table_rows)
