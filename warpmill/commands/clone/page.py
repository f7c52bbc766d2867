"""The page of ``clone``: the kernels of the clone, and how like the original it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from warpmill.analyzer.base.metric import Mark
from warpmill.cloning.fidelity import FidelityOnMachine
from warpmill.cloning.figures import FidelityFigure
from warpmill.cloning.search import Search, Trial
from warpmill.commands.clone.result import CloneReport, KernelClone
from warpmill.report.page import SIGNS, UNKNOWN, Page, figure, percent
from warpmill.report.read import Reader
from warpmill.report.sections import Repeated, Shown, Special, Table
from warpmill.report.table import CsvRow, CsvTable
from warpmill.report.words import dimensions, plural

_MOST_KERNELS, _MOST_TRIALS = 12, 8
_LARGE, _APART = 0.05, 0.01
"""Parts of a mix that are shown: a share of so much, or so far apart."""


def _head(page: Page, report: CloneReport) -> None:
    page.title(f"clone: {report.target}")
    files = [] if report.out is None else [("files", ", ".join(report.files))]
    written = "nothing: --out DIR writes it" if report.out is None else report.out
    chip = [("chip", report.chip), ("reduction", report.reduction)]
    page.facts([("written to", written), *files, *chip])
    page.heading("Kernels of the clone")
    shown = page.few(report.kernels, _MOST_KERNELS)
    page.items([_kernel_words(one, verbose=page.style.verbose) for one in shown])
    page.rest(report.kernels, _MOST_KERNELS)


def _kernel_words(one: KernelClone, *, verbose: bool) -> str:
    launches = plural(one.launches, "launch")
    if one.clone_launches != one.launches:
        launches += f", {one.clone_launches:,} in the clone"
    words = f"{one.model.name} is like {one.demangled}: {launches}"
    words += f", grid {dimensions(one.grid)}, block {dimensions(one.model.block)}"
    loops = [
        f"{label} {loop.original:.4g} → {loop.iterations:,}"
        for label, loop in zip(one.loop_labels, one.model.loops, strict=True)
        if verbose or loop.factor > 1.0
    ]
    return f"{words}; iterations: {', '.join(loops)}" if loops else words


def _search(page: Page, report: CloneReport) -> None:
    found = report.search
    if found is None:
        return
    most = f"{found.max_error:.3g}" if found.max_error > 1 else percent(found.max_error)
    page.heading(f"Search for a reduction on {found.machine}")
    page.facts([("difference of IPC", f"{most} at most")])
    last = 0 if page.style.verbose else max(0, len(found.trials) - _MOST_TRIALS)
    shown = [one for k, one in enumerate(found.trials) if k >= last or one == found.chosen]
    header = ("factor", "IPC", "thread instructions", "")
    page.table(header, [_trial(one, found) for one in shown], left=(0, 3), wrap=(0,))
    if not found.met:
        page.line("none of them keeps the IPC: the nearest was chosen")
    if not found.complete:
        page.line("the search ended at its limit of simulations")


def _trial(one: Trial, found: Search) -> tuple[str, ...]:
    is_far = abs(one.ipc_difference) > found.max_error
    verdict = "chosen" if one == found.chosen else "too far" if is_far else ""
    difference = _signed(one.ipc_difference, "%", Mark.MODELLED)
    return _factors(one), difference, figure(one.thread_instructions), verdict


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


def _is_worth(row: FidelityFigure) -> bool:
    """Whether a part of a mix is large, or far off; everything else is."""
    if "." not in row.name or row.exceeds:
        return True
    large = max(row.original or 0.0, row.clone or 0.0) >= _LARGE
    return large or abs(row.difference or 0.0) >= _APART


def _name(row: FidelityFigure) -> str:
    return f"  {row.what}" if "." in row.name else row.what


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
    return _signed(row.difference, " pt" if row.kind == "share" else "%", mark)


def _signed(value: float, unit: str, mark: Mark | None) -> str:
    sign = "" if mark is None else SIGNS[mark]
    return f"{value * 100:+,.1f}{unit}{sign}"


def _figures(title: str, of: str) -> Table:
    columns = (
        Shown("", "figure", words=_name),
        _value("original"),
        _value("clone"),
        Shown("difference", told=lambda reader: _difference(reader.subject)),
        Shown("exceeds", words=lambda exceeds: "too far" if exceeds else None),
    )
    return Table(title, of, columns, top=1 << 30, left=(0, 4), main=_is_worth)


def _by_kernel(page: Page, report: CloneReport) -> None:
    """The main differences of each kernel of the clone."""
    fidelity = report.fidelity
    if fidelity is None or len(report.kernels) < 2:
        return
    page.heading("Differences by kernel of the clone")
    names = ["instruction_mix", "dfsg", "lane_utilization", "transactions_per_request"]
    words = ["mix", "DFSG", "lanes", "sectors"]
    rows = []
    for number, one in enumerate(page.few(report.kernels, _MOST_KERNELS)):
        known = {row.name: row for row in fidelity.profiled.groups[number]}
        own = (_found(known.get(name)) for name in names)
        rows.append([one.model.name, *own, *(_ipc(m, number) for m in fidelity.machines)])
    page.table(["", *words, *(f"IPC {m.machine}" for m in fidelity.machines)], rows)


def _found(row: FidelityFigure | None, mark: Mark | None = None) -> str:
    return UNKNOWN if row is None else _difference(row, mark)


def _ipc(on: FidelityOnMachine, number: int) -> str:
    rows = on.compared.groups[number]
    return _found(next((row for row in rows if row.name == "ipc"), None), Mark.MODELLED)


def _verdict(page: Page, report: CloneReport) -> None:
    if report.exceeding:
        page.heading(f"{plural(len(report.exceeding), 'figure')} beyond the limit")
        page.items(report.exceeding, None if page.style.verbose else 8, " (--verbose)")
    for missing in report.not_simulated:
        page.line(f"not simulated on {missing.machine}: {missing.reason}")


PAGE = (
    Special(_head),
    Special(_search),
    _figures("Profiles", "fidelity.profiled.figures"),
    Repeated(
        "fidelity.machines", (_figures("Simulation", "compared.figures"),), lambda m: m.machine
    ),
    Special(_by_kernel),
    Special(_verdict),
)

COLUMNS = (
    "kind", "machine", "clone", "kernel", "name", "unit", "original", "cloned", "difference",
    "exceeds", "mark",
)  # fmt: skip


def _table_rows(report: CloneReport) -> Iterator[CsvRow]:
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
